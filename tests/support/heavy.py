"""Files that take far more to read than their size says, as somebody may send them.

Each kind of file has a table of `Shapes`. A test reads every one within limits of
memory and time, and compares the sentence that refuses it.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterable
from itertools import islice, permutations
from pathlib import Path
from random import Random
from string import ascii_lowercase
from tempfile import TemporaryDirectory
from typing import Any

from tests.support.files import edit
from tests.support.other_programs import S3DB
from tests.support.rating_lists import player, xml

MB = 1 << 20
Shapes = dict[str, tuple[Callable[[], bytes], str]]
"""By name: a function that makes the bytes, and a part of the sentence to refuse them.

There is no sentence for those that hold little, and are read.
"""

LARGE = "more than is read"
ROWS = "200,000 rows"
LINE = "more than 64 KB"
CELL = "more than 32 KB"
CELLS = "1,000,000 cells"
COLUMNS = "more than 1,000 columns"
PARTS = "more than 100 parts"
PLAYERS = "5,000 players"
GAMES = "100,000 games"
PRINTED = "110,000 lines of standings"
BROKEN = "this spreadsheet is broken"
NO_JSON = "not JSON"
NO_NUMBER = "a number that is too large"
NO_HEADING = "no column is called name"
UNQUOTED = "a quotation mark is not closed"


def zipped(parts: dict[str, str]) -> bytes:
    """Return a zip of these files, by name."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


# ------------------------------------------------------------------ spreadsheets

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
NAME = '<row><c t="inlineStr"><is><t>name</t></is></c></row>'
DATE = '<xf numFmtId="0"/><xf numFmtId="14"/>'
SHARED = '<c t="s"><v>0</v></c>'
ONE = "<c><v>1</v></c>"


def related(kind: str, target: str, name: str = "a") -> str:
    return f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{target}"/>'


def xlsx(
    rows: str,
    shared: str = "",
    *,
    before: str = "",
    sheets: int = 1,
    more: int = 0,
    styles: str = "",
) -> bytes:
    """Return a workbook of one worksheet.

    Args:
        rows: Its rows, in XML.
        shared: Its shared texts.
        before: The text before the root of the worksheet.
        sheets: The number of sheets that say it is theirs.
        more: The number of further parts.
        styles: The formats of its cells.
    """
    names = [f"r{number}" for number in range(sheets)]
    tabs = "".join(
        f'<sheet name="{name}" sheetId="1" r:id="{name}"/>' for name in names
    )
    targets = "".join(related("worksheet", "worksheets/1.xml", name) for name in names)
    targets += related("styles", "styles.xml", "styles")
    workbook = related("officeDocument", "xl/workbook.xml")
    return zipped(
        {
            "_rels/.rels": f"<Relationships {PACKAGE}>{workbook}</Relationships>",
            "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{OFFICE}">'
            f"<sheets>{tabs}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": f"<Relationships {PACKAGE}>"
            f"{targets}</Relationships>",
            "xl/sharedStrings.xml": f"<sst {MAIN}>{shared}</sst>",
            "xl/styles.xml": f"<styleSheet {MAIN}>"
            f"<cellXfs>{styles}</cellXfs></styleSheet>",
            "xl/worksheets/1.xml": f"{before}<worksheet {MAIN}>"
            f"<sheetData>{rows}</sheetData></worksheet>",
            **{f"xl/{n}.xml": "<a/>" for n in range(more)},
        }
    )


def cell(text: str, times: int = 1) -> str:
    """Return a cell of an .ods that stands for so many columns."""
    return (
        '<table:table-cell office:value-type="string"'
        f' table:number-columns-repeated="{times}">'
        f"<text:p>{text}</text:p></table:table-cell>"
    )


def row(cells: str, times: int = 1) -> str:
    """Return a row of an .ods that stands for so many rows."""
    repeated = f'table:number-rows-repeated="{times}"'
    return f"<table:table-row {repeated}>{cells}</table:table-row>"


ODS = "application/vnd.oasis.opendocument.spreadsheet"


def ods(rows: str, *, before: str = "", tables: int = 1) -> bytes:
    """Return an .ods of so many equal tables; before: the text before its root."""
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    return zipped(
        {
            "mimetype": ODS,
            "META-INF/manifest.xml": "<manifest/>",
            "content.xml": f"{before}<office:document-content {names}>"
            "<office:body><office:spreadsheet>"
            + f'<table:table table:name="a">{rows}</table:table>' * tables
            + "</office:spreadsheet></office:body></office:document-content>",
        }
    )


# each text is ten times the one before: ten billion letters in the last
LAUGHS = (
    "<!DOCTYPE a [<!ENTITY a 'aaaaaaaaaa'>"
    + "".join(f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(9))
    + "]>"
)
FILE = '<!DOCTYPE a [<!ENTITY j SYSTEM "file:///etc/hosts">]>'
NAMED = "<row><c>&j;</c></row>"


def attributes(number: int) -> str:
    return " ".join(f"a{n}=''" for n in range(number))


SPREADSHEETS: Shapes = {
    "a text of 30 MB that 200,000 cells share": (
        lambda: xlsx(f"<row>{SHARED * 20}</row>" * 10_000, f"<si>{'a' * 30 * MB}</si>"),
        LARGE,
    ),
    "a text of 100 letters that a million cells share": (
        lambda: xlsx(f"<row>{SHARED * 40}</row>" * 24_000, f"<si>{'a' * 100}</si>"),
        LARGE,
    ),
    "a text of 60 MB": (
        lambda: xlsx(f"<row><c><is>{'a' * 60 * MB}</is></c></row>"),
        LARGE,
    ),
    "a number of 30 MB": (
        lambda: xlsx(f"<row><c><v>{'9' * 30 * MB}</v></c></row>"),
        LARGE,
    ),
    "twelve million empty shared texts": (
        lambda: xlsx("", "<si/>" * 12_000_000),
        CELLS,
    ),
    "three million cells": (lambda: xlsx(f"<row>{ONE * 40}</row>" * 75_000), LARGE),
    "a cell in the last corner": (
        lambda: xlsx('<row><c r="XFD1048576"/></row>'),
        LARGE,
    ),
    "a row of 100 digits": (lambda: xlsx(f"<row r='{'9' * 100}'>{ONE}</row>"), LARGE),
    "900 MB of blanks": (lambda: xlsx(" " * 900 * MB), LARGE),
    "a hundred sheets that are one of 20,000 cells": (
        lambda: xlsx(f"<row>{ONE * 40}</row>" * 500, sheets=100),
        CELLS,
    ),
    "a date that no calendar has": (
        lambda: xlsx(f'{NAME}<row><c s="1"><v>-1e300</v></c></row>', styles=DATE),
        BROKEN,
    ),
    "texts that name each other": (lambda: xlsx(NAMED, before=LAUGHS), BROKEN),
    "a file of this machine": (lambda: xlsx(NAMED, before=FILE), BROKEN),
    "16 billion cells": (lambda: ods(row(cell("x", 16_000), 1_000_000)), LARGE),
    "a text of 1 MB in 2,000 rows": (lambda: ods(row(cell("x" * MB), 2_000)), LARGE),
    "a text of 20 KB in 1,000 cells": (
        lambda: ods(row(cell("x" * 20_000, 1_000))),
        LARGE,
    ),
    "two billion blanks": (
        lambda: ods(row(cell("<text:s text:c='2000000000'/>"))),
        LARGE,
    ),
    "a value of 20 MB": (
        lambda: ods(row(f"<table:table-cell office:value='{'9' * 20 * MB}'/>")),
        LARGE,
    ),
    "texts of an .ods that name each other": (
        lambda: ods(row(cell("&j;")), before=LAUGHS),
        BROKEN,
    ),
    "a sheet that says it is no XML": (
        lambda: ods(row(cell("x", 1 << 40)), before=ODS),
        BROKEN,
    ),
    "an .xlsx and an .ods": (
        lambda: zipped({"XL\\Workbook.xml": "", "content.xml": "<a/>"}),
        "neither .xlsx nor .ods",
    ),
    "60,000 parts": (lambda: xlsx(NAME, more=60_000), ""),
    "three million elements in each other": (
        lambda: xlsx(NAME + "<a>" * 3_000_000 + "</a>" * 3_000_000),
        "",
    ),
    "two million attributes": (
        lambda: xlsx(f"{NAME}<row {attributes(2_000_000)}/>"),
        "",
    ),
    "200,000 tables": (lambda: ods(row(cell("name")), tables=200_000), ""),
}

# ------------------------------------------------------------------------- texts

CSV: Shapes = {
    "8 MB of commas": (lambda: b"name\n" + b"," * 8 * MB, LINE),
    "8 MB of commas alone": (lambda: b"," * 8 * MB, LINE),
    "10 MB of empty lines": (lambda: b"name\n" + b"\n" * 10 * MB, ROWS),
    "10 MB of empty lines of an old Mac": (lambda: b"name\r" + b"\r" * 10 * MB, ROWS),
    "a quote that is never closed": (lambda: b'name,x\n"' + b"a" * 15 * MB, LINE),
    "the same over lines": (lambda: b'name,x\n"' + b"a,\n" * 150_000, UNQUOTED),
    "a word of 15 MB": (lambda: b"a" * 15 * MB, LINE),
    "30,000 headings": (
        lambda: b"name" + b",x" * 30_000 + b"\nAnna" * 150_000,
        PLAYERS,
    ),
    "cells of nothing": (lambda: b"name,x\n" + (b"," * 60_000 + b"\n") * 200, CELLS),
    "lines of commas": (lambda: b"name\n" + (b"," * 60_000 + b"\n") * 200, CELL),
    "lines that may be names": (lambda: (b"a" * 60_000 + b"@\n") * 250, NO_HEADING),
    "lines that may have ratings": (lambda: (b"( [" * 90 + b"1\n") * 50_000, PLAYERS),
    "a list of 190,000 names": (lambda: b"1. Anna de Wit 1800\n" * 190_000, PLAYERS),
    "bytes that are no text": (lambda: b"name\n" + b"\x81" * 15 * MB, "not UTF-8 text"),
    "letters of Windows": (lambda: b"name\n" + b"\xe4 " * 7 * MB, LINE),
    "half letters of UTF-16": (
        lambda: b"\xff\xfe" + b"\x00\xd8" * 5 * MB,
        "no UTF-16 text",
    ),
    "line ends that are none": (lambda: b"name\n" + b"\x0b\x0c\x85" * 5 * MB, LINE),
}


# ------------------------------------------------------- lists with much to compare

ORDERS = [
    " ".join(names)
    for names in islice(
        permutations(("Anna", "Bella", "Carla", "Dora", "Emma", "Fenna", "Greta")), 5000
    )
]


DRAW = Random(1)


def drawn(length: int, letters: str = ascii_lowercase) -> str:
    """Return a word of letters drawn by lot."""
    return "".join(DRAW.choices(letters, k=length))


def umlauts(first: int, last: int, letters: str) -> bytes:
    """Return a list of 5,000 first and last names of so many letters."""
    return listed(
        f"{drawn(first, letters)} {drawn(last, letters)}" for _ in range(5000)
    )


def listed(names: Iterable[str]) -> bytes:
    """Return a members' list of these names."""
    return "\n".join(["name", *names]).encode()


TWICE = "in the list twice"
FIVE = "line 2, line 3, line 4, line 5, line 6 and 1 more"
MATCHED: Shapes = {
    "4,999 times a name and a cell": (
        lambda: b"name,elo\n" + (b"Q q," + b"z" * 3000 + b"\n") * 4999,
        TWICE,
    ),
    "5,000 orders of the same words": (lambda: listed(ORDERS), FIVE),
    "5,000 names of 199 umlauts": (lambda: umlauts(99, 99, "äöüß"), ""),
    "5,000 names of 60 letters, in four spellings": (
        lambda: umlauts(20, 18, "äöü"),
        "",
    ),
    "5,000 of one surname and initial": (
        lambda: listed(f"A{drawn(7)} Jansen" for _ in range(5000)),
        "",
    ),
    "5,000 names that differ in one letter": (
        lambda: listed(f"Abcdef{chr(0x4E00 + n)} Jansen" for n in range(5000)),
        FIVE,
    ),
}
"""Members' lists of which many, or no, names come near each other."""


# -------------------------------------------------------------------------- JSON


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


def sevilla(**group: Any) -> bytes:
    """Return an export of Sevilla with one group."""
    return dumped({"GroupReport": [group]})


JSON: Shapes = {
    "five million objects": (lambda: b"[" + b"{}," * 5 * MB + b"{}]", ROWS),
    "8 MB of brackets": (lambda: b"[" * 8 * MB, NO_JSON),
    "two million objects in each other": (
        lambda: b'[{"name":' + b'{"a":' * 2_000_000,
        NO_JSON,
    ),
    "a million keys": (
        lambda: dumped([dict.fromkeys(map(str, range(MB)), 1)]),
        COLUMNS,
    ),
    "190,000 keys, an object each": (
        lambda: dumped([{n: 1} for n in range(190_000)]),
        COLUMNS,
    ),
    "a thousand keys of an object, and 10,000 objects": (
        lambda: dumped([dict.fromkeys(range(999), 1), *[{}] * 10_000]),
        CELLS,
    ),
    "a number of 15 MB": (lambda: b'[{"name":' + b"9" * 15 * MB + b"}]", NO_NUMBER),
    "a number without end": (lambda: b'[{"name":1e999}]', NO_NUMBER),
    "a name of 15 MB": (lambda: dumped([{"name": "a" * 15 * MB}]), CELL),
    "a character in a name that ends it": (
        lambda: dumped([{"name": "Anna"}, {"name": "Jan\0 de Boer"}]),
        "row 2: “Jan\\u0000 de B",
    ),
    "the same in a rating": (
        lambda: dumped([{"name": "Piet", "rating": "16\x0099"}]),
        "row 1: “16\\u000099” is no",
    ),
    "the same in a key": (lambda: dumped([{"na\0me": "Piet"}]), "row 1: “na"),
    "the same as a byte": (lambda: b'[{"name": "Piet"}]\0[', NO_JSON),
    "what looks like it behind a backslash": (
        lambda: dumped([{"name": r"Piet \u0000 de Boer"}]),
        "",
    ),
    "the same in an export of Sevilla": (
        lambda: sevilla(Name="Club\0"),
        "“Club\\u0000” is not a text",
    ),
    "a key of 15 MB": (lambda: dumped([{"a" * 15 * MB: 1}]), NO_HEADING),
    "a million groups": (lambda: dumped({"GroupReport": [{}] * MB}), PARTS),
    "five million numbers for groups": (
        lambda: dumped({"GroupReport": [1] * 5 * MB}),
        "not a list of objects",
    ),
    "700,000 places in a list": (
        lambda: sevilla(Ranking=[{"Round": 1, "Player": [{"ID": 1}] * 700_000}]),
        PRINTED,
    ),
    "lists in each other for groups": (
        lambda: b'{"GroupReport":' + b"[" * 8 * MB,
        "too many brackets in each other",
    ),
    "200 reasons of absence": (
        lambda: sevilla(
            RoundHist=[
                {
                    "ID": 1,
                    "Abs": [
                        {"Round": 1, "PlayerNr": n, "Reason": f"r{n}"}
                        for n in range(200)
                    ],
                }
            ]
        ),
        PARTS,
    ),
}

LEADS = b"001    1 m    Anna" + b" " * 30 + b"2000" + b" " * 29 + b"0.0    1"
RULER = b"\n" + b"1234567890" * 6_000

TRF: Shapes = {
    "a line of 15 MB": (lambda: LEADS + b"A" * 15 * MB, LINE),
    "15 MB of empty lines": (lambda: LEADS + b"\n" * 15 * MB, ROWS),
    "15 MB of empty lines of an old Mac": (lambda: LEADS + b"\r" * 15 * MB, ROWS),
    "1.5 million rounds": (lambda: LEADS + b"  0000 - Z" * 1_500_000, LINE),
    "6,000 rounds": (
        lambda: LEADS + b"  0000 - Z" * 6_000,
        "round_number must be 1 to 999",
    ),
    "three million byes": (lambda: LEADS + b"\n240 Z   1" + b"    1" * 3_000_000, LINE),
    "110,000 byes": (lambda: LEADS + (b"\n240 Z   1" + b"    1" * 10_000) * 11, GAMES),
    "1.5 million dates": (lambda: LEADS + b"\n132" + b" 26/01/01" * 1_500_000, LINE),
    "150,000 records of nobody": (lambda: LEADS + b"\nzz9" * 150_000, ""),
    "170,000 players": (lambda: (LEADS + b"\n") * 170_000, PLAYERS),
    "a number of 60,000 digits": (
        lambda: LEADS + b"\n142 " + b"9" * 60_000,
        "number of rounds",
    ),
    "points for everything": (
        lambda: LEADS + b"\n162" + b"  W  1.0" * 8_000,
        "column 11",
    ),
    "rulers": (lambda: LEADS + RULER * 200, ""),
}


# --------------------------------------------------------------------- databases


def database(*statements: str) -> bytes:
    """Return a tournament file of KeizerForClubs, after these statements."""
    schema = S3DB.strip().rstrip(";").split(";")
    with TemporaryDirectory() as folder:
        file = Path(folder, "file")
        edit(file, *schema, *statements)
        return file.read_bytes()


def circle(data: bytes) -> bytes:
    """Return a database whose inner pages have themselves as a child page."""
    size = int.from_bytes(data[16:18])
    pages = [data[start : start + size] for start in range(0, len(data), size)]
    for number, page in enumerate(pages, 1):
        if page[:1] == b"\x05":  # an inner page of a table
            rightmost_child = number.to_bytes(4)
            pages[number - 1] = page[:8] + rightmost_child + page[12:]
    return b"".join(pages)


def numbers(most: int = 1 << 62) -> str:
    """Return a WITH clause for the numbers from 1 to `most`."""
    steps = f"VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT {most}"
    return f"WITH RECURSIVE n (i) AS ({steps})"


PLAYER = "INSERT INTO Player (name, rating)"
SOMEBODY = f"{PLAYER} VALUES ('A', 1)"
NO_PLAYERS = "ALTER TABLE Player RENAME TO p"
DROPPED = "ALTER TABLE Player DROP COLUMN Categories"
ADDED = "ALTER TABLE Player ADD COLUMN Categories"
OTHERS = "not of KeizerForClubs"
DAMAGED = "cannot be read"

DATABASES: Shapes = {
    "250,000 pairings": (
        lambda: database(
            f"{numbers(250_000)} INSERT INTO Pairing SELECT 1, 1, 1, 1, 1, 1, 1 FROM n"
        ),
        ROWS,
    ),
    "a default of 1 MB in 30 rows": (
        lambda: database(
            f"{numbers(30)} {PLAYER} SELECT 'A', 1 FROM n",
            DROPPED,
            f"{ADDED} DEFAULT '{'x' * 900_000}'",
        ),
        LARGE,
    ),
    "a value of 2 MB": (
        lambda: database(f"{PLAYER} VALUES ('{'x' * 2 * MB}', 1)"),
        "too big",
    ),
    "120,000 lines of standings in three tables": (
        lambda: database(
            *(
                f"CREATE TABLE tStand_{n} AS {numbers(40_000)}"
                " SELECT i AS id, '' AS line FROM n"
                for n in range(3)
            )
        ),
        PRINTED,
    ),
    "2,000 views": (
        lambda: database(*(f"CREATE VIEW v{n} AS SELECT 1" for n in range(2_000))),
        "1,000 parts",
    ),
    "a view without end": (
        lambda: database(
            NO_PLAYERS,
            f"CREATE VIEW Player AS {numbers()} SELECT i AS id, i AS name,"
            " i AS rating, i AS state FROM n",
        ),
        OTHERS,
    ),
    "views of views of views": (
        lambda: database(
            "CREATE VIEW v0 AS SELECT 1 AS id, 1 AS name, 1 AS rating, 1 AS state",
            *(
                f"CREATE VIEW v{n} AS SELECT a.* FROM v{n - 1} AS a, v{n - 1}"
                for n in range(1, 15)
            ),
            NO_PLAYERS,
            "CREATE VIEW Player AS SELECT * FROM v14",
        ),
        OTHERS,
    ),
    "a column that is computed": (
        lambda: database(SOMEBODY, DROPPED, f"{ADDED} AS (hex(zeroblob(1e6)))"),
        "",
    ),
    "a table of 1,900 columns": (
        lambda: database(
            SOMEBODY, f"CREATE TABLE wide ({', '.join(f'c{n}' for n in range(1_900))})"
        ),
        "",
    ),
    "a check that fails": (
        lambda: database(SOMEBODY, "CREATE TABLE odd (a CHECK (a > 1 / 0))"),
        "",
    ),
    "a name in its schema that is not a text": (
        lambda: database(
            "CREATE TABLE odd (a)",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET name = CAST(x'6f80' AS TEXT), sql = 'no'"
            " WHERE name = 'odd'",
        ),
        "it is damaged",
    ),
    "half of it": (
        lambda: database(f"{numbers(50_000)} {PLAYER} SELECT 'A', 1 FROM n")[:300_000],
        DAMAGED,
    ),
    "pages that lead in a circle": (
        lambda: circle(database(f"{numbers(9_000)} {PLAYER} SELECT 'A', 1 FROM n")),
        DAMAGED,
    ),
    "a rating of 900 KB": (
        lambda: database(f"{PLAYER} VALUES ('A', '{'9' * 900_000}')"),
        "",
    ),
}


# ------------------------------------------------------------------ rating lists

LIST = "name,rating\n" + "Somebody Else,1500\n" * 9
XML = "<playerslist>"
TOO_LONG = "too long for a rating list"
NO_LIST = "no rating list"
DOCTYPE = "(DTD)"


def packed(start: str, block: bytes, times: int) -> bytes:
    """Return a zip of one file, of which never more than a block is in memory."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("list", "w", force_zip64=True) as out,
    ):
        out.write(start.encode())
        for _ in range(times):
            out.write(block)
    return file.getvalue()


def nested(depth: int) -> bytes:
    """Return a list in a zip in a zip, so many deep."""
    data = LIST.encode()
    for _ in range(depth):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("list.zip", data)
        data = file.getvalue()
    return data


RATING_LISTS: Shapes = {
    "200,000 namesakes": (
        lambda: b"name,rating\n" + b"Anna,1500\n" * 200_000,
        "100,000 players",
    ),
    "2.2 GB of empty lines": (
        lambda: packed(LIST, b"\n" * 8 * MB, 260),
        "5,000,000 players",
    ),
    "comments": (lambda: packed(XML, b"<!-- -->" * MB, 9), TOO_LONG),
    "elements of nothing": (lambda: packed(XML, b"<a/>" * MB, 9), TOO_LONG),
    "a text of 60 MB": (lambda: packed(f"{XML}<name>", b"a" * MB, 60), TOO_LONG),
    "an attribute of 60 MB": (lambda: packed(f"{XML}<a b='", b"a" * MB, 60), TOO_LONG),
    "elements in each other": (lambda: packed(XML, b"<a>" * MB, 20), TOO_LONG),
    "texts that name each other": (f"{LAUGHS}{XML}&j;</playerslist>".encode, DOCTYPE),
    "a line of 60 MB": (lambda: packed(LIST, b"a" * MB, 60), TOO_LONG),
    "a quote that is never closed": (
        lambda: packed(f'{LIST}"', b"a\n" * MB, 5),
        UNQUOTED,
    ),
    "a zip in a zip in a zip": (lambda: nested(50), NO_LIST),
    "60,000 files": (
        lambda: zipped(dict.fromkeys(map(str, range(60_000)), "")),
        NO_LIST,
    ),
    "60,000 columns": (
        lambda: b"name,rating" + b"," * 60_000 + b"\nA" * 100,
        "column where",
    ),
    "players who are not whole": (
        lambda: (
            xml(player(1, "Else, Somebody", 1500)).replace("</player>", "", 1).encode()
        ),
        "XML",
    ),
}
