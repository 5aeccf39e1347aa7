"""Texts that leave keizer, made safe for the program that shows them.

A file that somebody edited past its guards may hold any text. Some characters are
commands to a terminal, some turn the direction of a line, some cannot be seen. In
sentences and in CSV `visible` replaces each of them by an escape, such as \\x1b. JSON
has escapes of its own. The command prints by `keizer.cli.output`, which also replaces
characters that the encoding of a terminal lacks.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal
from math import isfinite
from typing import Any

_NO_BREAK = "\xa0\u202f"
"""Spaces at which no line is broken, such as the one before a colon in French."""
_SPACES = "\t\u3000"
"""Other spaces that may be seen in tables and pages: tabs and wide spaces."""

# A spreadsheet takes a text that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_NUMBER = r"[+-]?\d+([.,]\d+)?"
_RESULT = r"[+-]+"
_INFINITE = (float("inf"), float("-inf"))

# Signs, and signs of ASCII that look like them.
_ALIKE = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'",
     "ʼ": "'", "–": "-", "—": "-", "−": "-", "→": "->", "⁄": "/"}
)  # fmt: skip

# Letters that Unicode does not take apart into letter and accent, with replacements.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
     "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "Th", "Æ": "Ae", "Œ": "Oe", "ß": "ss"}
)  # fmt: skip

# Unicode calls these letters and symbols, but nothing can be seen of them.
BLANK = {"\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u3164", "\uffa0"}


def bare(text: str) -> str:
    """Return a text without accents: Zolc for Żółć."""
    import unicodedata

    letters_and_accents = unicodedata.normalize("NFKD", text)
    letters = [
        letter for letter in letters_and_accents if not unicodedata.combining(letter)
    ]
    return "".join(letters).translate(_LETTERS)


def visible(text: str, keep: str = "") -> str:
    """Return a text with an escape, such as \\x1b, for each character that is not seen.

    Spaces at which no line is broken are not escaped, nor are the characters in `keep`.
    """
    if text.isprintable() and BLANK.isdisjoint(text):
        return text
    not_escaped = _NO_BREAK + keep

    def escape(letter: str) -> str:
        if letter in not_escaped:
            return letter
        if letter.isprintable() and letter not in BLANK:
            return letter
        return letter.encode("unicode_escape").decode()

    return "".join(map(escape, text))


def nearest(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks by others that look most like them.

    A letter with an accent is replaced by the letter without it (Żółć by Zolc), and a
    sign by signs that look like it (½ by 1/2). Any other character is replaced by one
    question mark, so that columns stay straight.
    This is an error handler for `codecs.register_error`. It returns the replacement and
    the position at which to go on.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    replacement = ""
    for letter in error.object[error.start : error.end]:
        lookalike = bare(letter).translate(_ALIKE)
        encoded = lookalike.encode(error.encoding, "ignore")
        is_in_encoding = encoded.decode(error.encoding) == lookalike
        replacement += lookalike if is_in_encoding else "?"
    return replacement, error.end


def page(text: str) -> str:
    """Return a text of several lines with an escape for what is not seen in a line."""
    return "\n".join(visible(line, _SPACES) for line in text.split("\n"))


def shown(number: float | None) -> str:
    """Return a number for people, with at most three decimals; "" for None.

    The decimals that Python prints are rounded, not the binary fraction: 1.0635 becomes
    1.064, although its binary fraction is below 1.0635. Halves are rounded up, as in
    the rules, also below 0: -1.0625 becomes -1.062.
    """
    if number is None:
        return ""
    if isinstance(number, int):
        return str(int(number))  # True becomes 1
    if not isfinite(number):
        return str(number)
    shortest = repr(number + 0)  # + 0 takes the sign off -0.0
    # To add a half and cut off the rest rounds halves up, below 0 too.
    half_more = 1000 * Decimal(shortest) + Decimal("0.5")
    thousandths = half_more.to_integral_value(ROUND_FLOOR)
    text = f"{thousandths / 1000:f}"
    if "." not in text:
        return text
    return text.rstrip("0").rstrip(".")


def json(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON, in ASCII only if it has characters that are not seen.

    Bytes become a text of hexadecimal digits.
    """
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
    """Return some columns of records as CSV or JSON.

    style: "csv" or "json". In CSV an apostrophe is put before a text that a spreadsheet
    would take for a formula, but not before a number (-5, +1.5) or a result (+-, --).

    excel: write CSV for an Excel with a decimal comma, as in Dutch and German. It has
    `;` between cells, CRLF, a byte order mark and decimal commas. Results have an
    apostrophe, too, as this Excel takes them for formulas.
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
    """Return records as a JSON array, with one object in each line."""
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
    """Return a cell of CSV: an empty cell for None, and two quotes for an empty text.

    csv.writer cannot be used, as up to Python 3.11 it writes an empty cell for both.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        plain = _disarm_formula(visible(value, f"\n\r{_SPACES}"), excel=excel)
    elif isinstance(value, bytes):
        plain = value.hex()
    elif isinstance(value, float) and excel:
        plain = str(value).replace(".", ",")
    else:
        plain = str(value)
    needs_quotes = any(mark in plain for mark in (delimiter, '"', "\n", "\r"))
    if plain and not needs_quotes:
        return plain
    doubled_quotes = plain.replace('"', '""')
    return f'"{doubled_quotes}"'


def _disarm_formula(text: str, *, excel: bool) -> str:
    """Return a text with an apostrophe if a spreadsheet would take it for a formula."""
    harmless = _NUMBER if excel else f"{_NUMBER}|{_RESULT}"
    if text.startswith(_FORMULA) and not re.fullmatch(harmless, text):
        return f"'{text}"
    return text


JSON_STRING = r'"(?:[^"\\]|\\.)*+"'
"""A pattern of a whole string in JSON, with its quotes."""
_BRACKETS = re.compile(rf"{JSON_STRING}|[\[{{]|[\]}}]")
"""A bracket, or a whole string, so that brackets within strings are not found."""
_DEEPEST = 50
"""The most brackets within brackets that Python can also read in a browser."""


def is_deep(json_text: str) -> bool:
    """Return whether a JSON has more brackets within brackets than Python can read.

    Reading it would raise RecursionError or, in a browser, crash Python itself.
    """
    if json_text.count("[") + json_text.count("{") <= _DEEPEST:
        return False  # most texts end here, without a look at every token
    depth = 0
    for token in _BRACKETS.finditer(json_text):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
        if depth > _DEEPEST:
            return True
    return False
