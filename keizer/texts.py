"""Texts that leave keizer, made safe for what shows them.

A file that somebody edited past its guards may hold anything. Some characters are
orders to a terminal, some turn the direction of a line, some cannot be seen. All of
these are written as an escape, such as \\x1b: by `visible` in sentences and in CSV, by
JSON in its own way. The command prints by `keizer.cli.output`, which shows what an
encoding lacks as well as it can.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal
from math import isfinite
from typing import Any

_NO_BREAK = "\xa0\u202f"
"""Spaces at which no line is broken, as before a colon in French."""
_SPACES = "\t\u3000"
"""Other spaces that tables and pages keep: tabs and wide spaces."""

# A spreadsheet takes a text that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_NUMBER = r"[+-]?\d+([.,]\d+)?"
_RESULT = r"[+-]+"
_INFINITE = (float("inf"), float("-inf"))

# Signs, and those of ASCII that look like them.
_ALIKE = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'",
     "ʼ": "'", "–": "-", "—": "-", "−": "-", "→": "->", "⁄": "/"}
)  # fmt: skip

# Letters that Unicode does not take apart into letter and accent.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
     "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "Th", "Æ": "Ae", "Œ": "Oe", "ß": "ss"}
)  # fmt: skip

# Letters and symbols to Unicode, and yet nothing can be seen of them.
BLANK = {"\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u3164", "\uffa0"}


def bare(text: str) -> str:
    """Return a text without accents: Żółć is Zolc."""
    import unicodedata

    letters_and_accents = unicodedata.normalize("NFKD", text)
    letters = [
        letter for letter in letters_and_accents if not unicodedata.combining(letter)
    ]
    return "".join(letters).translate(_LETTERS)


def visible(text: str, keep: str = "") -> str:
    """Return a text with an escape, such as \\x1b, for each character that is not seen.

    keep: characters that stay, beside the spaces at which no line is broken.
    """
    if text.isprintable() and BLANK.isdisjoint(text):
        return text
    kept_as_is = _NO_BREAK + keep

    def escape(letter: str) -> str:
        if letter in kept_as_is:
            return letter
        if letter.isprintable() and letter not in BLANK:
            return letter
        return letter.encode("unicode_escape").decode()

    return "".join(map(escape, text))


def nearest(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks by what looks most like them.

    That is the letter without its accent (Żółć: Zolc), else signs that look like it
    (½: 1/2), else a `?` for each character, so that columns stay straight. This is an
    error handler for codecs: it returns the replacement and where to go on.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    replacement = ""
    for letter in error.object[error.start : error.end]:
        lookalike = bare(letter).translate(_ALIKE)
        encoded = lookalike.encode(error.encoding, "ignore")
        is_complete = encoded.decode(error.encoding) == lookalike
        replacement += lookalike if is_complete else "?"
    return replacement, error.end


def page(text: str) -> str:
    """Return a text of several lines with an escape for what is not seen."""
    return "\n".join(visible(line, _SPACES) for line in text.split("\n"))


def shown(number: float | None) -> str:
    """Return a number for people, with at most three decimals; nothing for None.

    The number is rounded by the shortest decimals that tell it from any other: 1.0625
    becomes 1.063, and 1.0635 becomes 1.064, though as a binary fraction it is less.
    Halves are rounded up, below 0 too, as in the rules.
    """
    if number is None:
        return ""
    if isinstance(number, int):
        return str(int(number))
    if not isfinite(number):
        return str(number)
    shortest = repr(number + 0)  # + 0 takes the sign off -0.0
    half_more = 1000 * Decimal(shortest) + Decimal("0.5")
    thousandths = half_more.to_integral_value(ROUND_FLOOR)
    text = f"{thousandths / 1000:f}"
    if "." not in text:
        return text
    return text.rstrip("0").rstrip(".")


def json(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON, ASCII alone if it has characters that are not seen."""
    from json import dumps

    text = dumps(value, ensure_ascii=False, default=bytes.hex, indent=indent)
    if visible(text, "\n") == text:
        return text
    return dumps(value, default=bytes.hex, indent=indent)


def rows(
    columns: Sequence[str],
    records: Iterable[Mapping[str, Any]],
    style: str,
    *,
    excel: bool = False,
) -> str:
    """Return these columns of records as CSV or JSON. style: csv or json.

    In CSV a text that a spreadsheet would take for a formula begins with an apostrophe,
    but not a number (-5, +1.5) nor a result (+-, --).

    excel: CSV for an Excel whose decimal sign is a comma, as in Dutch and German. That
    is `;` between the cells, CRLF, a byte order mark, a decimal comma, and an
    apostrophe before a result too, which Excel would take for a formula.
    """
    if style == "json":
        return _json_rows(columns, records)
    delimiter = ";" if excel else ","
    line_end = "\r\n" if excel else "\n"
    table = [columns]
    table.extend([record[column] for column in columns] for record in records)
    lines = []
    for row in table:
        cells = [_csv_cell(value, delimiter, excel=excel) for value in row]
        lines.append(delimiter.join(cells) + line_end)
    byte_order_mark = "\ufeff" if excel else ""
    return byte_order_mark + "".join(lines)


def _json_rows(columns: Sequence[str], records: Iterable[Mapping[str, Any]]) -> str:
    objects = []
    for record in records:
        row = {column: record[column] for column in columns}
        for column, value in row.items():
            if value in _INFINITE:
                row[column] = None  # JSON has no infinite numbers
        objects.append(json(row))
    lines = ",\n ".join(objects)
    return f"[{lines}]\n"


def _csv_cell(value: Any, delimiter: str, *, excel: bool) -> str:
    """Return a cell of CSV: nothing at all for NULL, and "" for an empty text.

    This is why csv.writer is not used: up to Python 3.11 it writes both as nothing.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        plain = _no_formula(visible(value, f"\n\r{_SPACES}"), excel=excel)
    elif isinstance(value, bytes):
        plain = value.hex()
    elif isinstance(value, float) and excel:
        plain = str(value).replace(".", ",")
    else:
        plain = str(value)
    needs_quotes = any(mark in plain for mark in (delimiter, '"', "\n", "\r"))
    if plain and not needs_quotes:
        return plain
    doubled = plain.replace('"', '""')
    return f'"{doubled}"'


def _no_formula(text: str, *, excel: bool) -> str:
    """Return a text that no spreadsheet computes, by an apostrophe if need be."""
    harmless = _NUMBER if excel else f"{_NUMBER}|{_RESULT}"
    if text.startswith(_FORMULA) and not re.fullmatch(harmless, text):
        return f"'{text}"
    return text


JSON_STRING = r'"(?:[^"\\]|\\.)*+"'
_BRACKETS = re.compile(rf"{JSON_STRING}|[\[{{]|[\]}}]")
"""Brackets, and whole strings, so that brackets within these do not count."""
_DEEPEST = 50
"""The most brackets within brackets. Python reads as many in a browser, too."""


def is_deep(json: str) -> bool:
    """Return whether a JSON has more brackets within brackets than Python can read.

    Reading it would end in RecursionError or, in a browser, with Python itself.
    """
    if json.count("[") + json.count("{") <= _DEEPEST:
        return False
    depth = 0
    for token in _BRACKETS.finditer(json):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
        if depth > _DEEPEST:
            return True
    return False
