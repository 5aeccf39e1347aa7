"""The texts that leave keizer, safe for what shows them: sentences, CSV, JSON and pages.

A file that somebody edited past its guards may hold anything. What a terminal obeys (control
characters), what turns the direction of a line and what nobody can see is written as an escape,
\\x1b: by `visible` in sentences and in CSV, by JSON in its own way. The command prints
by `keizer.cli.output`, which shows what an encoding lacks as well as it can.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal
from math import isfinite
from typing import Any

_NO_BREAK = "\xa0\u202f"
"""Spaces at which no line is broken, as before a colon in French."""
_SPACES = "\t\u3000"
"""What tables and pages keep beside these: tabs and wide spaces."""

# A spreadsheet takes a text that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_NUMBER = r"[+-]?\d+([.,]\d+)?"
_RESULT = r"[+-]+"
_INFINITE = (float("inf"), float("-inf"))

_ALIKE = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "ʼ": "'",
     "–": "-", "—": "-", "−": "-", "→": "->", "⁄": "/"}
)  # fmt: skip


# Letters that no accent comes off.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ß": "ss",
     "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "Th", "Æ": "Ae", "Œ": "Oe"}
)  # fmt: skip

# Seen as nothing, though these are letters and symbols to Unicode.
BLANK = {"\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u3164", "\uffa0"}


def bare(text: str) -> str:
    """A text without accents."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", text)
    return "".join(
        letter for letter in plain if not unicodedata.combining(letter)
    ).translate(_LETTERS)


def visible(text: str, keep: str = "") -> str:
    """A text with an escape, such as \\x1b, for every character that is not seen.

    keep: characters that stay as they are, beside the spaces at which no line is broken.
    """
    if text.isprintable() and BLANK.isdisjoint(text):
        return text
    return "".join(
        letter
        if letter in _NO_BREAK + keep or (letter.isprintable() and letter not in BLANK)
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def nearest(error: UnicodeError) -> tuple[str, int]:
    """An error handler for codecs: the nearest to a character that an encoding lacks.

    That is the letter without its accent (Żółć: Zolc), else signs that look like it (½: 1/2),
    else `?`, one for one so that columns stay straight.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    shown = ""
    for letter in error.object[error.start : error.end]:
        like = bare(letter).translate(_ALIKE)
        known = like.encode(error.encoding, "ignore").decode(error.encoding) == like
        shown += like if known else "?"
    return shown, error.end


def page(text: str) -> str:
    """A page, line by line."""
    return "\n".join(visible(line, _SPACES) for line in text.split("\n"))


def shown(number: float | None) -> str:
    """A number for people: no needless zeros, at most three decimals, half up as in the rules.

    What is rounded are the decimals that tell this number from any other: 1.0625 is 1.063, and so
    is 1.0635 1.064, which as a binary fraction lies below. Below 0, half up is nearer to 0.
    """
    if number is None:
        return ""
    if isinstance(number, int):
        return str(int(number))
    if not isfinite(number):
        return str(number)
    exact = Decimal(repr(number + 0))
    thousandths = (1000 * exact + Decimal("0.5")).to_integral_value(ROUND_FLOOR)
    text = f"{thousandths / 1000:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def json(value: Any, indent: int | None = None) -> str:
    """A value as JSON: characters that are not printed as \\u001b, which mean the same."""
    from json import dumps

    text = dumps(value, ensure_ascii=False, default=bytes.hex, indent=indent)
    if visible(text, "\n") == text:
        return text
    return dumps(value, default=bytes.hex, indent=indent)


def rows(
    columns: Sequence[str],
    found: Iterable[Mapping[str, Any]],
    style: str,
    *,
    excel: bool = False,
) -> str:
    """These columns of rows as `style`, csv or json.

    In CSV a text that a spreadsheet would take for a formula begins with an apostrophe, but
    not a number (-5, +1.5) nor a result (+-, --).
    excel: as Excel opens a file where a comma is the decimal sign, as in Dutch and German: `;`
    between the cells, CRLF, a byte order mark, a decimal comma, and an apostrophe before results
    too, which it stumbles over.
    """
    if style == "json":
        # JSON has no infinite numbers: they are null.
        objects = (
            {
                column: None if row[column] in _INFINITE else row[column]
                for column in columns
            }
            for row in found
        )
        return "[{}]\n".format(",\n ".join(map(json, objects)))
    table = [columns, *([row[column] for column in columns] for row in found)]
    delimiter, end = (";", "\r\n") if excel else (",", "\n")
    lines = (
        delimiter.join(_cell(value, delimiter, excel=excel) for value in row)
        for row in table
    )
    return ("\ufeff" if excel else "") + "".join(line + end for line in lines)


def _cell(value: Any, delimiter: str, *, excel: bool) -> str:
    """A cell of CSV. NULL is nothing between two delimiters, an empty text is "".

    (csv.writer, up to Python 3.11, writes both as nothing.)
    """
    if value is None:
        return ""
    if isinstance(value, str):
        plain = visible(value, f"\n\r{_SPACES}")
        harmless = _NUMBER if excel else f"{_NUMBER}|{_RESULT}"
        if plain.startswith(_FORMULA) and not re.fullmatch(harmless, plain):
            plain = f"'{plain}"
    elif isinstance(value, float) and excel:
        plain = str(value).replace(".", ",")
    else:
        plain = value.hex() if isinstance(value, bytes) else str(value)
    if plain and not any(mark in plain for mark in (delimiter, '"', "\n", "\r")):
        return plain
    doubled = plain.replace('"', '""')
    return f'"{doubled}"'


JSON_STRING = r'"(?:[^"\\]|\\.)*+"'
_BRACKETS = re.compile(rf"{JSON_STRING}|[\[{{]|[\]}}]")
"""Strings, so that what is in them is passed over, and brackets."""
_DEEPEST = 50
"""Brackets in each other that Python reads anywhere."""


def is_deep(json: str) -> bool:
    """Return whether the brackets of a JSON are too deep in each other to be read by Python.

    That ends in RecursionError, or, in a browser, with Python itself.
    """
    if json.count("[") + json.count("{") <= _DEEPEST:
        return False
    depth = 0
    for found in _BRACKETS.finditer(json):
        depth += (found[0] in ("[", "{")) - (found[0] in ("]", "}"))
        if depth > _DEEPEST:
            return True
    return False
