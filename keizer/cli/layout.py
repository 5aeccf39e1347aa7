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
"""The characters by which a reader can tell a text, such as a name, from others."""
_LEAST_WIDTH = 4
"""The characters that a name keeps on the narrowest terminal."""
_ZEROS = {"", "0"}


class Column(NamedTuple):
    """A column of a table: its title, and a cell for each row."""

    title: str
    cells: Sequence[str]
    changes: Sequence[float | None] = ()
    """For each cell a number that is above 0 if its player went up in the standings.

    Such a cell is green, one with a number below 0 is red. Without numbers, no cell of
    the column has a colour.
    """
    is_number: bool = False
    """True if the cells are aligned to the right, as numbers are."""
    cut_mark: str = ""
    """The sign at the end of a text that is cut, such as …

    If it is "", the texts of the column are never cut.
    """

    @property
    def width(self) -> int:
        """The number of characters of the longest text in the column."""
        return _longest([self.title, *self.cells])

    @property
    def has_only_zeros(self) -> bool:
        """True if every cell is a zero or empty."""
        return _ZEROS.issuperset(self.cells)

    def padded(self, width: int) -> list[str]:
        """Return the title and the cells, each as wide as the column is to be.

        Shorter texts are filled with spaces, longer ones are cut if the column has a
        mark for that. The cells get their colours.
        """
        texts = [self.title, *self.cells]
        padded = [self._pad(text, width) for text in texts]
        if not self.changes:
            return padded
        # The colours come last: their control characters would count for the width.
        # The title has none.
        changes = [None, *self.changes]
        return list(map(_coloured, padded, changes))

    def _pad(self, text: str, width: int) -> str:
        """Return a text with spaces, so that it has at least `width` characters.

        If the column has a mark for texts that are cut, a longer text is cut to that
        number.
        """
        if self.cut_mark:
            text = cut(text, width, self.cut_mark)
        if self.is_number:
            return text.rjust(width)
        return text.ljust(width)


def table(
    columns: Mapping[str, Column], line_width: int, drop: Sequence[str]
) -> Iterator[str]:
    """Return the lines of a table, with the columns that fit on a line.

    columns: the columns by name, in their order.
    line_width: the number of characters of a line.
    drop: the names of columns that may be left out, the least important one first.
    """
    padded = []
    for name, width in fit(columns, line_width, drop).items():
        column = columns[name]
        padded.append(column.padded(width))
    return _lines(padded, _GAP)


def _lines(columns: Sequence[Sequence[str]], gap: str) -> Iterator[str]:
    """Yield the lines of a table; the first one, with the titles, is bold.

    columns: the texts of each column from top to bottom, all of the same width.
    gap: the spaces between two columns.
    """
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

    Three steps are taken, each only as long as the line is too long. First, columns
    with nothing but zeros are left out, from the last one on. Then the columns in
    `drop` are left out; for this step, columns whose texts may be cut count at most 14
    characters. At last these texts are cut, down to 4 characters. If that is not
    enough, the line stays too long.

    columns: the columns by name, in their order.
    line_width: the number of characters of a line.
    drop: the names of columns that may be left out, the least important one first.
    """
    widths = {name: column.width for name, column in columns.items()}
    zeros = [name for name, column in columns.items() if column.has_only_zeros]
    for name in reversed(zeros):
        if _excess(widths, line_width) > 0:
            del widths[name]
    cuttable = [name for name in widths if columns[name].cut_mark]
    # A column is left out before texts are cut so much that they look alike.
    least_widths = dict(widths)
    for name in cuttable:
        least_widths[name] = min(widths[name], _TELLING_WIDTH)
    for name in drop:
        if _excess(least_widths, line_width) > 0:
            # None as default: the table may not have the column, or may have left it
            # out because of its zeros.
            least_widths.pop(name, None)
            widths.pop(name, None)
    # Each turn makes the line shorter by one character, if a column can still be cut.
    for _ in range(_excess(widths, line_width)):
        _narrow_widest(widths, cuttable)
    return widths


def _excess(widths: Mapping[str, int], line_width: int) -> int:
    """Return how many characters a line has too many; 0 or less if it fits.

    widths: the width of each column of the line.
    """
    gaps = len(_GAP) * (len(widths) - 1)
    return sum(widths.values()) + gaps - line_width


def _narrow_widest(widths: dict[str, int], cuttable: Sequence[str]) -> None:
    """Take a character from the widest of the columns that can be cut.

    Nothing is done if there is no such column, or if the widest one is at its least
    width. `widths` is changed.

    cuttable: the names of the columns that can be cut; some may not be in `widths`.
    """
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

    If the rounds do not fit on a line, several blocks of lines follow each other, with
    an empty line between. Each line of a block begins with rank and name. Names take at
    most a quarter of the line or, if that is more, 14 characters.

    rank, name: the columns at the beginning of each line.
    rounds: the columns of the rounds, which have the same rows.
    """
    most_for_name = max(_TELLING_WIDTH, line_width // 4)
    name_width = min(name.width, most_for_name)
    ranks = rank.padded(rank.width)
    names = name.padded(name_width)
    beginnings = [f"{one}{_GAP}{two}" for one, two in zip(ranks, names, strict=True)]
    width_of_beginning = len(beginnings[0])
    for block in _blocks(rounds, line_width - width_of_beginning):
        is_first = block[0] is rounds[0]
        if not is_first:
            yield ""
        padded = [column.padded(column.width) for column in block]
        yield from _lines([beginnings, *padded], " ")


def _blocks(columns: Sequence[Column], block_width: int) -> Iterator[list[Column]]:
    """Yield the columns in blocks, each a list of columns that fit in the width.

    A block has at least one column, even if that is too wide.
    """
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
    """An entry of a list, which is printed in three columns, in this order.

    topic: the heading of the entry.
    number: a number as text; "" if the entry has none.
    text: a text of any length, which is wrapped.
    """

    topic: str
    number: str
    text: str


def wrapped(entries: Sequence[Entry], line_width: int) -> Iterator[str]:
    """Yield the lines of entries in three columns, with each text wrapped in its own.

    If no entry has a number, that column is left out. On a narrow terminal lines get
    longer than `line_width`, so that at least 14 characters of the text fit on each.
    """
    # Imported only here, since few commands print such a list.
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


def cut(text: str, width: int, mark: str) -> str:
    """Return a text, cut with a mark at its end if it is longer than the width.

    The mark of a withdrawn player, (w), stays: “Montgomery (w)” becomes “Mont… (w)”.

    mark: the sign that stands for the characters that are cut off, such as …
    """
    if len(text) <= width:
        return text
    if text.endswith(GONE):
        name = text.removesuffix(GONE)
        return cut(name, width - len(GONE), mark) + GONE
    beginning = text[: width - len(mark)]
    return beginning.rstrip() + mark


def _coloured(cell: str, change: float | None) -> str:
    """Return a cell in green if its player went up, in red if they went down.

    change: above 0 if they went up, below 0 if they went down. For 0 and None the cell
        has no colour.
    """
    if not change:
        return cell
    colour = "green" if change > 0 else "red"
    return click.style(cell, fg=colour)


def is_number(value: Any) -> bool:
    """Return whether a value may stand in a column that is aligned like numbers.

    Numbers may, and None, which is an empty cell. So may texts of digits, such as 12
    and the fraction 1/3, and changes with their sign, such as +2 and -1.5.
    """
    if value is None or isinstance(value, int | float):
        return True
    if not isinstance(value, str):
        return False
    # Only the characters are looked at, and not their order. A decimal point is allowed
    # in changes alone: all other numbers with one are not texts.
    digits = value
    is_change = value.startswith(("+", "-"))
    if is_change:
        digits = value[1:].replace(".", "")
    return digits.replace("/", "").isdecimal()
