"""The layout of tables: the columns that fit on a line, their widths, and the lines.

The functions take texts that are ready to be printed, and the width of a line in
characters; they return lines. keizer.cli.output knows the terminal and the language.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

GONE = " (w)"
"""The mark behind the name of a player who has withdrawn."""

_GAP = "  "
_TELLING_WIDTH = 14
"""The characters of a text that tell it apart: a name, or a line of an explanation."""
_LEAST_WIDTH = 4
"""The characters that a name keeps on the narrowest terminal."""
_ZEROS = {"", "0"}


class Column(NamedTuple):
    """A column of a table: its title, and a cell for each row."""

    title: str
    cells: Sequence[str]
    changes: Sequence[float | None] = ()
    """For each cell the places by which its player went up; empty: no colours."""
    is_number: bool = False
    """True if the cells are aligned to the right."""
    dots: str = ""
    """The sign at the end of a text that is cut; empty: the texts are never cut."""

    @property
    def width(self) -> int:
        """The number of characters of the longest text in the column."""
        return _longest([self.title, *self.cells])

    @property
    def has_only_zeros(self) -> bool:
        """True if every cell is a zero or empty."""
        return _ZEROS.issuperset(self.cells)

    def padded(self, width: int) -> list[str]:
        """Return the title and the cells, each with this number of characters."""
        texts = [self.title, *self.cells]
        padded = [self._pad(text, width) for text in texts]
        if not self.changes:
            return padded
        # The colours come last: their control characters would count for the width.
        changes = [None, *self.changes]
        return list(map(_coloured, padded, changes))

    def _pad(self, text: str, width: int) -> str:
        """Return a text with this number of characters, cut if the column allows it."""
        if self.dots:
            text = cut(text, width, self.dots)
        if self.is_number:
            return text.rjust(width)
        return text.ljust(width)


def table(
    columns: Mapping[str, Column], line_width: int, drop: Sequence[str]
) -> Iterator[str]:
    """Return the lines of a table; drop: see `fit`."""
    padded = []
    for name, width in fit(columns, line_width, drop).items():
        column = columns[name]
        padded.append(column.padded(width))
    return _lines(padded, _GAP)


def _lines(columns: Sequence[Sequence[str]], gap: str) -> Iterator[str]:
    """Yield the lines of padded columns; the first line, with the titles, is bold."""
    rows = zip(*columns, strict=True)
    for number, cells in enumerate(rows):
        line = gap.join(cells).rstrip()
        if number == 0:
            line = click.style(line, bold=True)
        yield line


def fit(
    columns: Mapping[str, Column], line_width: int, drop: Sequence[str]
) -> dict[str, int]:
    """Choose the columns that fit on a line; return their widths by name.

    If the line is too long, columns with nothing but zeros are left out, the last one
    first. Then the columns in `drop` are left out, as long as the line is too long with
    names of 14 characters. Then the names are cut.

    drop: names of columns, the least important first.
    """
    widths = {name: column.width for name, column in columns.items()}
    zeros = [name for name, column in columns.items() if column.has_only_zeros]
    for name in reversed(zeros):
        if _excess(widths, line_width) > 0:
            del widths[name]
    cuttable = [name for name in widths if columns[name].dots]
    least_widths = dict(widths)
    for name in cuttable:
        least_widths[name] = min(widths[name], _TELLING_WIDTH)
    for name in drop:
        if _excess(least_widths, line_width) > 0:
            # With None: the table may lack the column, or have left it out as zeros.
            least_widths.pop(name, None)
            widths.pop(name, None)
    for _ in range(_excess(widths, line_width)):
        _narrow_widest(widths, cuttable)
    return widths


def _excess(widths: Mapping[str, int], line_width: int) -> int:
    """Return how many characters too long a line is; 0 or less if it fits."""
    gaps = len(_GAP) * (len(widths) - 1)
    return sum(widths.values()) + gaps - line_width


def _narrow_widest(widths: dict[str, int], cuttable: Sequence[str]) -> None:
    """Take a character from the widest column that can be cut, down to the least."""
    names = [name for name in cuttable if name in widths]  # others were dropped
    if not names:
        return
    widest = max(names, key=widths.__getitem__)
    if widths[widest] > _LEAST_WIDTH:
        widths[widest] -= 1


def matrix(
    rank: Column, name: Column, rounds: Sequence[Column], line_width: int
) -> Iterator[str]:
    """Yield the lines of a matrix, which has a line for each player.

    If the rounds do not fit on a line, several blocks of lines follow each other. Each
    block begins with rank and name. Names take a quarter of the line at most, but never
    less than 14 characters.
    """
    most_for_name = max(_TELLING_WIDTH, line_width // 4)
    name_width = min(name.width, most_for_name)
    ranks = rank.padded(rank.width)
    names = name.padded(name_width)
    heads = [f"{place}{_GAP}{who}" for place, who in zip(ranks, names, strict=True)]
    head_width = len(heads[0])
    for block in _blocks(rounds, line_width - head_width):
        is_first = block[0] is rounds[0]
        if not is_first:
            yield ""
        padded = [column.padded(column.width) for column in block]
        yield from _lines([heads, *padded], " ")


def _blocks(columns: Sequence[Column], block_width: int) -> Iterator[list[Column]]:
    """Yield columns in blocks that fit in this width, with at least one column each."""
    block: list[Column] = []
    used = 0
    for column in columns:
        needed = 1 + column.width  # 1: the space before the column
        if block and used + needed > block_width:
            yield block
            block = []
            used = 0
        block.append(column)
        used += needed
    yield block


class Entry(NamedTuple):
    """An entry of a list: its topic, a number or "", and a text of any length."""

    topic: str
    number: str
    text: str


def wrapped(entries: Sequence[Entry], line_width: int) -> Iterator[str]:
    """Yield the lines of entries in columns, with each text wrapped in its column.

    On a narrow terminal lines get longer than `line_width`, so that at least 14
    characters of the text fit on each.
    """
    import textwrap

    topic_width = _longest([entry.topic for entry in entries])
    number_width = _longest([entry.number for entry in entries])
    if number_width:
        number_width += len(_GAP)
    indent = topic_width + number_width + len(_GAP)
    line_width = max(line_width, indent + _TELLING_WIDTH)
    for topic, number, text in entries:
        head = topic.ljust(topic_width) + number.rjust(number_width) + _GAP
        lines = textwrap.wrap(
            text, line_width, initial_indent=head, subsequent_indent=" " * indent
        )
        # An empty text has no lines, but its topic is printed.
        yield from lines or [head.rstrip()]


def _longest(texts: Sequence[str]) -> int:
    """Return the number of characters of the longest text; 0 if there is no text."""
    return max(map(len, texts), default=0)


def cut(text: str, width: int, dots: str) -> str:
    """Return a text, cut with dots at its end if it is longer than the width.

    The mark of a withdrawn player stays: “Montgomery (w)” becomes “Mont… (w)”.
    """
    if len(text) <= width:
        return text
    if text.endswith(GONE):
        name = text.removesuffix(GONE)
        return cut(name, width - len(GONE), dots) + GONE
    beginning = text[: width - len(dots)]
    return beginning.rstrip() + dots


def _coloured(cell: str, change: float | None) -> str:
    """Return a cell in green if its player went up, in red if they went down."""
    if not change:
        return cell
    colour = "green" if change > 0 else "red"
    return click.style(cell, fg=colour)


def is_number(value: Any) -> bool:
    """Return whether a value may stand in a column of numbers.

    Numbers may, and None, which is an empty cell; also texts such as 12, +1.5 and 1/3.
    """
    if value is None or isinstance(value, int | float):
        return True
    if not isinstance(value, str):
        return False
    digits = value
    if value.startswith(("+", "-")):
        digits = value[1:].replace(".", "")
    return digits.replace("/", "").isdecimal()
