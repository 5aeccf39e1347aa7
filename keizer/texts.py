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

_NO_BREAK_SPACES = "\xa0\u202f"
"""No-break spaces, such as the one before a colon in French.

For Python they are not printable, but they do no harm in a line.
"""
_SPACES = "\t\u3000"
"""Other spaces that may be seen in tables and pages: tabs and wide spaces."""

# A spreadsheet takes a text that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
# Texts that begin so, but are not taken for formulas: -5 and +1.5, and results of games
# such as +- and --.
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
    """Return a text without accents: Zolc for Żółć.

    Letters such as ß and æ become two letters, ss and ae.
    """
    # Imported late: few commands need it, and the others start faster.
    import unicodedata

    # Unicode takes most letters with an accent apart (ó), but not all of them (ł).
    letters_and_accents = unicodedata.normalize("NFKD", text)
    letters = [
        letter for letter in letters_and_accents if not unicodedata.combining(letter)
    ]
    return "".join(letters).translate(_LETTERS)


def visible(text: str, keep: str = "") -> str:
    """Return a text with an escape, such as \\x1b, for each character that is not seen.

    Such characters can be commands to a terminal, or hide what a text really says. Only
    no-break spaces, and the characters in `keep`, stay as they are.
    """
    # Nearly every text is without such characters, and needs no look at each letter.
    if text.isprintable() and BLANK.isdisjoint(text):
        return text
    # For Python no-break spaces are not printable, but they do no harm.
    not_escaped = _NO_BREAK_SPACES + keep

    def escape(letter: str) -> str:
        """Return a character as it is, or its escape if it is not seen."""
        if letter in not_escaped:
            return letter
        if letter.isprintable() and letter not in BLANK:
            return letter
        return letter.encode("unicode_escape").decode()

    return "".join(map(escape, text))


def replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks by others that look most like them.

    A letter with an accent is replaced by the letter without it (Żółć by Zolc), and a
    sign by signs that look like it (½ by 1/2). Any other character is replaced by one
    question mark, so that columns stay straight.
    This is an error handler for `codecs.register_error`. It returns the replacement and
    the position at which to go on.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error  # on reading, there is no character to replace
    replacement = ""
    for letter in error.object[error.start : error.end]:
        lookalike = bare(letter).translate(_ALIKE)
        # What the encoding lacks is left out here, so the text comes back changed.
        encoded = lookalike.encode(error.encoding, "ignore")
        is_in_encoding = encoded.decode(error.encoding) == lookalike
        replacement += lookalike if is_in_encoding else "?"
    return replacement, error.end


def visible_lines(text: str) -> str:
    """Return a text of several lines with an escape for each unseen character.

    Ends of lines, tabs and wide spaces stay as they are.
    """
    return "\n".join(visible(line, _SPACES) for line in text.split("\n"))


def shown(number: float | None) -> str:
    """Return a number as people read it, with three decimals at most; "" for None.

    The decimals that Python prints are rounded, not the binary fraction: 1.0635 becomes
    1.064, although its binary fraction is below 1.0635. Halves are rounded up, as in
    the rules, also below 0: -1.0625 becomes -1.062.
    """
    if number is None:
        return ""
    if isinstance(number, int):
        return str(int(number))  # True is an int in Python, and becomes 1
    if not isfinite(number):
        return str(number)  # inf or nan, which Decimal cannot round
    shortest = repr(number + 0)  # + 0 takes the sign off -0.0
    # To add a half and cut off the rest rounds halves up, below 0 too.
    half_more = 1000 * Decimal(shortest) + Decimal("0.5")
    thousandths = half_more.to_integral_value(ROUND_FLOOR)
    text = f"{thousandths / 1000:f}"
    if "." not in text:
        return text  # the zeros at the end of 100 have to stay
    return text.rstrip("0").rstrip(".")


def json(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON text.

    Bytes become a text of hexadecimal digits. Letters with accents stay as they are.
    But if the JSON would have characters that are not seen, such as a zero-width space,
    all characters beyond ASCII become escapes: \\u200b, and \\u00e9 for é.
    """
    # Imported late: commands that print no JSON start faster.
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
    """Return some columns of records as a text: as CSV with a heading, or as JSON.

    style: "csv" or "json". In CSV an apostrophe is put before a text that a spreadsheet
    would take for a formula, but not before a number (-5, +1.5) or a result (+-, --).

    excel: in CSV, write what an Excel with a decimal comma reads, as in Dutch and
    German: `;` between cells, CRLF, a byte order mark and decimal commas. Results have
    an apostrophe, too, as this Excel takes them for formulas.
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
    """Return some columns of records as a JSON array, with one object in each line.

    Infinite numbers become null.
    """
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
    """Return the text of a cell of CSV, with quotes if it needs them.

    None becomes an empty cell, and an empty text becomes two quotes. csv.writer cannot
    be used, since up to Python 3.11 it writes an empty cell for both.

    delimiter: the sign between two cells. excel: as for `rows`.
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
    # By RFC 4180 such cells stand in quotes, and a quote in a cell is doubled.
    needs_quotes = any(mark in plain for mark in (delimiter, '"', "\n", "\r"))
    if plain and not needs_quotes:
        return plain
    doubled_quotes = plain.replace('"', '""')
    return f'"{doubled_quotes}"'


def _disarm_formula(text: str, *, excel: bool) -> str:
    """Put an apostrophe before a text if a spreadsheet would take it for a formula.

    A formula in a name could run commands on the computer of whoever opens the file.
    Numbers are harmless, and results such as +- too, except in an Excel with a decimal
    comma (excel=True).
    """
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
    """Return whether a JSON text is nested too deeply for Python to read it.

    Reading it would raise RecursionError or, in a browser, crash Python itself. Lists
    and objects may be nested _DEEPEST levels deep.
    """
    if json_text.count("[") + json_text.count("{") <= _DEEPEST:
        return False  # most texts end here, without a look at every token
    depth = 0
    # A token is a bracket or a whole string. Brackets within strings do not count.
    for token in _BRACKETS.finditer(json_text):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
        if depth > _DEEPEST:
            return True
    return False
