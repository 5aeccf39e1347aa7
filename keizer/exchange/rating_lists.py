"""Rating lists, streamed: of FIDE, KNSB and DSB, or any CSV with names and ratings.

A list is recognised by how it begins, also within a zip. What its columns are called is
the table of members' lists (members.HEADINGS). One line or player is in memory at a time.
"""

import csv
import re
import shutil
import zipfile
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from io import SEEK_END, BufferedReader, BytesIO
from pathlib import Path
from typing import IO, NamedTuple
from xml.parsers import expat

from keizer.errors import KeizerError
from keizer.exchange.workbooks import TORN
from keizer.formats import limits, members, parsing
from keizer.formats.carried import carry
from keizer.formats.parsing import HIGHEST, born, decoded, naming, whole
from keizer.formats.tables import Place
from keizer.messages import Fact, Message, plural, say, term
from keizer.season.names import spelling

KINDS = ("standard", "rapid", "blitz")
"""The ratings a player can have; a list with one of them has it as standard."""

Record = dict[str, str]
"""A player as the list has them, by our columns."""

Wanted = Callable[[str, int | None, str | None], bool]
"""Whether an entry is of use, by name, FIDE id and national id."""

Number = tuple[str, int | str]
"""The column and the number of a player, fide_id or national_id."""

_COLUMNS = members.COLUMN_OF | {
    word: column
    for column, some in members.WORDS["lists"].items()
    for word in some.split()
}
"""Our columns by heading, the best first."""

_TAGS = {
    tag: _COLUMNS[members.plain(tag)] for tag in members.WORDS["words"]["tags"].split()
}
"""Our columns by the tags of FIDE's XML."""

_RATINGS = ("rating", "rapid", "blitz")
_FIDE_TEXT = b"ID Number"
_ZIP = b"PK\x03\x04"
_OFFICE = {"[Content_Types].xml", "mimetype"}
"""Parts that every spreadsheet has; some of its others look like lists in XML."""
_CHUNK = 1 << 16
_LONGEST = 1 << 16
"""Lines, texts and tags are shorter than this in any rating list."""
_TOO_LONG = say("this is too long for a rating list.")
_MEMBERS = 100
"""Files in a zip that are looked at; that of DSB has the most, a few."""


@carry
class Entry(NamedTuple):
    """A player in a list, or (id) of the file; None where it says nothing, or nothing sensible.

    doubtful: what stands for a rating and is none from 0 to 4000.
    """

    name: str
    rating: int | None = None
    fide_id: int | None = None
    national_id: str | None = None
    title: str | None = None
    federation: str | None = None
    sex: str | None = None
    born: str | None = None
    doubtful: str | None = None
    id: int = 0


def read(path: Path, kind: str, wanted: Wanted) -> tuple[Message, list[Entry]]:
    """What a rating list, or the first within a zip, is called; who is wanted, in its order.

    kind: of their ratings. Raises KeizerError, with the line, for anything else, and where the
    list is broken.
    """
    place, found = Place(path), list[Entry]()
    place.number = 0  # the file as a whole
    with (
        limits.opened(path, limits.RATING_LIST) as given,
        _saying(place),
        ExitStack() as stack,
    ):
        title, records = _opened(place, given, stack)
        column = "rating" if kind == "standard" else kind
        for number, record in enumerate(records):
            if not number and column not in record:
                raise KeizerError(
                    "this {list} has no {kind} ratings.", list=title, kind=term(kind)
                )
            ids = whole(record.get("fide_id", "")), record.get("national_id") or None
            if wanted(record.get("name", ""), *ids):
                found.append(_entry(record, record.get(column, "")))
            if len(found) > limits.FOUND:
                raise KeizerError(
                    "more than {number:,} players here may be members, so it is no rating list.",
                    number=limits.FOUND,
                )
    return title, found


def keys(name: str) -> set[str]:
    """The forms in which names are the same: first names in front, no accents.

    What follows a second comma is no part of the name (Müller,Hans,Dr.).
    """
    last, *first = name.split(",")[:2]
    return spelling.spellings(" ".join([*first, last]))


def _opened(
    place: Place, given: BufferedReader, stack: ExitStack
) -> tuple[Message, Iterator[Record]]:
    """Which list it is, and its players; place: the line being read."""
    lists: list[tuple[Message, bytes, IO[bytes]]] = []
    for first, file in _files(given, stack):
        if parsing.is_utf_16(first):
            raise parsing.unknown_encoding()
        title = _title(first)
        if title:
            lists.append((title, first, file))
    if not lists:
        raise KeizerError(
            "this is no rating list: keizer reads those of FIDE (XML or text), KNSB and DSB"
            " (spieler.csv), and CSV whose first line has name and rating."
        )
    if len(lists) > 1:
        raise KeizerError(
            "this zip has {number} rating lists: unpack it.", number=len(lists)
        )
    title, first, file = lists[0]
    if first.lstrip().startswith(b"<"):
        return title, _players(place, first, file)
    lines = _lines(place, first, file)
    return title, (_columns if first.startswith(_FIDE_TEXT) else _rows)(lines)


def _rows(lines: Iterator[str]) -> Iterator[Record]:
    """The lines of a CSV file."""
    first = next(lines)
    width, columns = len(_cells(first)), _each_once(_cells(first))
    for cells in csv.reader(lines, delimiter=_delimiter(first), strict=True):
        if len(cells) == width:
            yield {column: cells[place].strip() for column, place in columns.items()}
        elif any(cells):
            raise KeizerError(
                plural(
                    "{number:,} column where the header has {width}.",
                    "{number:,} columns where the header has {width}.",
                    len(cells),
                    width=width,
                )
            )


def _columns(lines: Iterator[str]) -> Iterator[Record]:
    """The lines of a text: each column begins where its heading does."""
    found = list(re.finditer(r"ID Number|\S+", next(lines)))
    starts = [heading.start() for heading in found]
    columns = _each_once(
        [re.sub(r"^[A-Z]{3}\d\d$", "month", each.group()) for each in found]
    )
    ends = dict(zip(starts, [*starts[1:], None], strict=True))
    fields = {column: starts[place] for column, place in columns.items()}
    for line in lines:
        yield {
            column: line[start : ends[start]].strip()
            for column, start in fields.items()
        }


def _lines(place: Place, line: bytes, file: IO[bytes]) -> Iterator[str]:
    """The lines, of which the first is read, in UTF-8 or else Windows-1252."""
    while line:
        place.number += 1
        _count(place.number)
        if len(line) == _LONGEST:
            raise KeizerError(_TOO_LONG)
        yield decoded(line)
        line = file.readline(_LONGEST)


def _players(place: Place, chunk: bytes, file: IO[bytes]) -> Iterator[Record]:
    """The players of the XML, of which the beginning is read."""
    found: list[Record] = []
    parser = _parser(found)
    behind, count = 0, 0  # the bytes since the last player
    try:
        while chunk:
            parser.Parse(chunk)
            behind = len(chunk) + (0 if found else behind)
            if behind > _LONGEST + _CHUNK:
                raise KeizerError(_TOO_LONG)
            count += len(found)
            _count(count)
            yield from found
            found.clear()
            chunk = file.read(_CHUNK)
        parser.Parse(b"", True)  # noqa: FBT003
    except Exception:
        place.number = parser.CurrentLineNumber
        raise


def _parser(found: list[Record]) -> expat.XMLParserType:
    """What adds the players of the XML; no tree is built: any list needs the same memory."""
    record, texts = Record(), list[str]()

    def declared(*_: object) -> None:
        raise KeizerError(
            "it declares a document type (DTD), which no rating list does."
        )

    def root(tag: str, _attributes: object) -> None:
        if tag != "playerslist":
            raise KeizerError(
                "the XML list of FIDE begins with playerslist, this with {tag}.",
                tag=tag,
            )
        parser.StartElementHandler = None

    def ended(tag: str) -> None:
        if tag == "player":
            if "name" not in record:  # as of a player within another
                raise KeizerError("a player in this list has no name.")
            found.append(record.copy())
            record.clear()
        elif tag in _TAGS:
            if _TAGS[tag] in record:
                raise KeizerError("a player in this list has {tag} twice.", tag=tag)
            record[_TAGS[tag]] = "".join(texts).strip()
        texts.clear()

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = declared
    parser.StartElementHandler = root
    parser.CharacterDataHandler = texts.append
    parser.EndElementHandler = ended
    return parser


def _count(listed: int) -> None:
    if listed > limits.LISTED:
        raise KeizerError(
            "this has more than {number:,} players: it is no rating list.",
            number=limits.LISTED,
        )


def _files(file: BufferedReader, stack: ExitStack) -> Iterator[tuple[bytes, IO[bytes]]]:
    """The file, or those within the zip, each with its first line, which is read."""
    first = file.readline(_LONGEST)
    if not first.startswith(_ZIP):
        yield first.removeprefix(BOM_UTF8), file
        return
    # A zip is read from its end, and a pipe cannot be.
    copy = BytesIO(first)
    copy.seek(0, SEEK_END)
    shutil.copyfileobj(limits.counted(file, limits.ZIP), copy)
    archive = stack.enter_context(zipfile.ZipFile(copy))
    if not _OFFICE.isdisjoint(archive.namelist()):
        return
    for member in archive.infolist()[:_MEMBERS]:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise KeizerError(
                "this zip is packed in a way that no rating list is: unpack it."
            )
        packed = stack.enter_context(archive.open(member))
        unpacked = limits.counted(packed, limits.RATING_LIST)
        yield unpacked.readline(_LONGEST).removeprefix(BOM_UTF8), unpacked


@contextmanager
def _saying(place: Place) -> Iterator[None]:
    """Put the file, and the line, before what is wrong with it."""
    with naming(place.said):
        try:
            yield
        except expat.ExpatError as error:
            problem = expat.ErrorString(error.code)
            raise KeizerError(
                "this is broken XML ({problem}).", problem=problem
            ) from error
        except TORN as error:
            problem = str(error).rstrip(".")
            raise KeizerError(
                "this cannot be read ({problem}).", problem=problem
            ) from error


def _title(first: bytes) -> Message | None:
    """Which list begins like this."""
    if first.lstrip().startswith(b"<") or first.startswith(_FIDE_TEXT):
        return say("FIDE list")
    try:
        cells = _cells(decoded(first, "replace"))
    except csv.Error:
        return None
    if "name" not in (found := _places(cells)) or found.keys().isdisjoint(_RATINGS):
        return None
    plain = {*map(members.plain, cells)}
    if "dwz" in plain:
        return say("DWZ list")
    title = say("KNSB list") if "naam" in plain else say("CSV list")
    means = [_COLUMNS.get(members.plain(cell)) for cell in cells]
    taken: list[Fact] = [
        say("{column} from “{heading}”", column=term(column), heading=cells[place])
        for column, place in found.items()
        if means.count(column) > 1
    ]
    return say("{list} ({columns})", list=title, columns=taken) if taken else title


def _each_once(headings: list[str]) -> dict[str, int]:
    """Return where each of our columns is; KeizerError for a heading that is in the list twice."""
    columns, plain = _places(headings), [*map(members.plain, headings)]
    for place in columns.values():
        if plain.count(plain[place]) > 1:
            raise KeizerError(
                "column “{column}” is in the list twice.", column=headings[place]
            )
    return columns


def _places(headings: Iterable[str]) -> dict[str, int]:
    """Where each of our columns is: of several the best."""
    plain = [*map(members.plain, headings)]
    return {
        _COLUMNS[heading]: plain.index(heading)
        for heading in reversed(_COLUMNS)
        if heading in plain
    }


def _delimiter(line: str) -> str:
    return max(";\t,", key=line.count)


def _cells(line: str) -> list[str]:
    return next(csv.reader([line], delimiter=_delimiter(line)), [])


def _entry(record: Record, typed: str) -> Entry:
    """A player, as far as what the list says of them makes sense; typed: the rating."""
    texts = {column: spelling.tidy(text) for column, text in record.items() if text}
    said = {column: text for column, text in texts.items() if text.isprintable()}
    rating, title = whole(typed), said.get("title", "").upper()
    sensible = rating is not None and rating <= HIGHEST
    return Entry(
        name=said.get("name", ""),
        rating=(rating or None) if sensible else None,
        fide_id=whole(said.get("fide_id", "")) or None,
        national_id=said.get("national_id"),
        title=title if title in members.TITLES else None,
        federation=members.federation(said.get("federation", "")),
        sex=members.sex(said.get("sex", "")),
        born=born(said.get("born", "")),
        doubtful=None
        if sensible or not typed
        else typed
        if typed.isprintable()
        else "?",
    )
