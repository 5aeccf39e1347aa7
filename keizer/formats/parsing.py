"""What the cells of a file say, and which place of it a sentence is about."""

import codecs
import csv
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

from keizer import texts
from keizer.errors import KeizerError
from keizer.messages import Fact, Message, say, shortened_list
from keizer.season.names import spelling
from keizer.store.connection import error_message

HIGHEST = 4000
"""The highest rating there is."""


_KINDS = {
    rb"%PDF": say("a PDF"),
    rb"\x89PNG|\xff\xd8\xff|GIF8": say("a picture"),
    rb"\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf|Rar!": say("a packed file"),
    rb"\{\\rtf": say("a text with formats (RTF)"),
    rb'\s*\[(?:Event|Site|Date|White)\s+"': say("a PGN file"),
    rb"(?i)\s*<(?:!doctype|!--|\?xml|html|head|body|meta|table|playerslist)\b": say(
        "a web page, or XML"
    ),
}
"""Files that people take for lists, by how they begin."""

_ZEROS = 10
"""A byte in so many of a text is 0 at most: in UTF-16 and UTF-32 one in two or more, of Latin."""


def is_utf_16(data: bytes) -> bool:
    """Return whether a text begins with the mark of UTF-16."""
    is_utf_32 = data.startswith(codecs.BOM_UTF32_LE)
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not is_utf_32


def check_kind(data: bytes) -> None:
    """Refuse what is not a list, but a file of another kind, or in another encoding."""
    start = data.removeprefix(codecs.BOM_UTF8)
    for beginning, kind in _KINDS.items():
        if re.match(beginning, start):
            raise KeizerError(
                "this seems to be {kind}: a list is CSV in UTF-8, .xlsx, .ods or JSON.",
                kind=kind,
            )
    if _ZEROS * data.count(0) > len(data):
        raise unknown_encoding()


def unknown_encoding() -> KeizerError:
    """Return what is said of a text in an encoding that is not read."""
    return KeizerError(
        "this is not a text, or in an encoding that is not read: save it as UTF-8."
    )


def is_utf_8(data: bytes) -> bool:
    """Return whether a text is in UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def guessed(text: str) -> Message:
    """Say that a text was read as Windows-1252, with the first word that shows if it is."""
    words = (found[0] for found in re.finditer(r"\w+|[^\w\s]", text))
    # None but blanks.
    strange = next((word for word in words if not word.isascii()), "")
    return say(
        "this is not UTF-8 text, so it was read as Windows-1252: “{word}”",
        word=strange[:20],
    )


def decoded(data: bytes, errors: str = "strict") -> str:
    """Text in UTF-8, or else in the Windows-1252 of older programs. errors: of what is neither."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        try:
            return data.decode("cp1252", errors)
        except UnicodeDecodeError as error:
            raise KeizerError(
                "this is not UTF-8 text: save it as such (in Excel as “CSV UTF-8”)."
            ) from error


NO_RESULT = "#?"
"""Stands in a cell for the result of a formula, where the file has none."""
_FAILED = re.compile(r"#(?:\?|N/?[ABDV]|[^\W\d_]+(?:/0)?[!?])|(?:Err ?|Fout):5\d\d")
"""Errors of formulas, as spreadsheets write them in several languages."""


def is_failure(cell: str) -> bool:
    """Return whether a cell is the error of a formula, or stands for one without a result."""
    return bool(_FAILED.fullmatch(cell))


def failure(error: str) -> str:
    """Return the error of a formula, in a form that is known as one."""
    return error if is_failure(error) else NO_RESULT


_STRING = re.compile(texts.JSON_STRING)
_WHOLE_DIGITS = 18
NUL = r"\u0000"
"""How JSON has the character U+0000, unless another backslash is before it."""
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def check_nul(told: str) -> None:
    """Refuse a text in JSON with the character U+0000; KeizerError.

    SQLite ends a text there, in silence.
    """
    if "\0" in told:
        raise KeizerError("this is not JSON, or broken.")
    for text in _STRING.findall(told) if NUL in told else ():
        if _NUL.search(text):
            raise KeizerError(
                "“{typed}” is not a text.", typed=spelling.shortened(text[1:-1])
            )


def from_json(text: str) -> Any:
    """Parse JSON; KeizerError for anything else, and for an object with a key twice.

    A whole number that is too long for SQLite becomes a float.
    """
    check_nul(text)
    if texts.is_deep(text):
        raise KeizerError("this has too many brackets in each other.")
    try:
        return json.loads(
            text,
            object_pairs_hook=_pairs,
            parse_int=_json_whole,
            parse_constant=_json_constant,
        )
    except ValueError as error:
        raise KeizerError("this is not JSON, or broken.") from error


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise KeizerError("an object has a key twice.")
    return found


def _json_whole(text: str) -> float:
    return int(text) if len(text) <= _WHOLE_DIGITS else float(text)


def _json_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


@contextmanager
def naming(what: str | Message | Callable[[], Fact]) -> Iterator[None]:
    """Put what is being read or written before what is wrong with it.

    what: that, or what says it as it is by then.
    """
    try:
        yield
    except (KeizerError, csv.Error, sqlite3.IntegrityError) as error:
        if isinstance(error, KeizerError):
            said = error.message
        elif isinstance(error, csv.Error):
            said = say("a quotation mark is not closed, or stands within a cell.")
        else:
            said = error_message(error)
        named = what() if callable(what) else what
        raise KeizerError("{what}: {said}", what=named, said=said) from error


def whole(text: str) -> int | None:
    """A whole number as files write it, or None."""
    return int(text) if spelling.is_number(text) else None


def rating(value: object) -> int | None:
    """A number that can be a rating; None for text, for 0 and for anything else."""
    if isinstance(value, int | float) and 0 < value <= HIGHEST and value == int(value):
        return int(value)
    return None


def born(text: str) -> str | None:
    """A year, or a date with its year first or last; None for anything else."""
    plain = re.sub("[ T]00:00(:00)?$", "", text)
    found = re.fullmatch(r"([0-9]{1,4})([-./]) ?([0-9]{1,2})\2 ?([0-9]{1,4})", plain)
    year, month, day = found.group(1, 3, 4) if found else (plain, "0", "0")
    if found and len(day) == len("2026"):
        year, day = day, year
    if not re.fullmatch("[12][0-9]{3}", year):
        return None
    try:
        birthday = date(int(year), int(month) or 1, int(day) or 1)
    except ValueError:
        return None
    return year if 0 in (int(month), int(day)) else birthday.isoformat()


def shown(cell: object) -> str:
    """A cell of a workbook, or a value of JSON, as CSV has it."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        cell = cell.date()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return str(cell).strip()


def chosen(
    path: Path, what: Message, there: Iterable[Sequence[Any]], wanted: str
) -> int:
    """The id of the tournament meant, of those there are (id, name): of that name, or the one.

    what: how several are called; wanted: the name of the tournament here.
    """
    known = {row[0]: str(row[1]) for row in there}
    alike = [
        one
        for one, name in known.items()
        if spelling.fold(name) == spelling.fold(wanted)
    ]
    meant = alike if len(alike) == 1 else [*known]
    if len(meant) != 1:
        raise KeizerError(
            "{file} does not have exactly one {what} (it has {there}): give yours the name of"
            " the one to import.",
            file=str(path), what=what, there=quoted(known.values()),
        )  # fmt: skip
    return int(meant[0])


def quoted(found: Iterable[str]) -> Fact:
    """What somebody typed, in quotes, ten of them at most; none where there is nothing."""
    some = [say("“{typed}”", typed=spelling.shortened(one)) for one in found]
    return shortened_list(some, 10) if some else say("none")
