"""The layout of tables: the columns that fit on a line, their widths, and the lines.

Texts come in as they are printed, with the room of a line in characters; lines come
out. The terminal, the language and the season are the business of keizer.cli.output.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

GONE = " (w)"
"""Behind the name of a player who has withdrawn."""

_GAP = "  "
_NAME = 14
"""The least characters a name keeps where leaving out columns can help."""
_SHORTEST = 4
"""The least characters of a name where nothing helps."""
_ZEROS = {"", "0"}


class Column(NamedTuple):
    """A column of a table: its title, and a cell for each row."""

    title: str
    cells: Sequence[str]
    changes: Sequence[float | None] = ()
    """The places by which the player of each cell went up; empty: no colours."""
    is_number: bool = False
    """True if its cells stand to the right."""
    dots: str = ""
    """The mark of a text that is cut where a line is too long; empty: it never is."""

    @property
    def width(self) -> int:
        """The characters of its longest text."""
        return _widest([self.title, *self.cells])

    @property
    def is_empty(self) -> bool:
        """True if its cells are nothing but zeros."""
        return _ZEROS.issuperset(self.cells)

    def padded(self, width: int) -> list[str]:
        """Return the title and the cells, all of this width."""
        texts = [self.title, *self.cells]
        padded = [self._fill(text, width) for text in texts]
        if not self.changes:
            return padded
        # Coloured last: the signs of a colour would count for its width.
        changes = [None, *self.changes]
        return list(map(_coloured, padded, changes))

    def _fill(self, text: str, width: int) -> str:
        if self.dots:
            text = cut(text, width, self.dots)
        if self.is_number:
            return text.rjust(width)
        return text.ljust(width)


def table(
    columns: Mapping[str, Column], room: int, drop: Sequence[str]
) -> Iterator[str]:
    """Return the lines of a table; room, drop: as of `fit`."""
    padded = []
    for name, width in fit(columns, room, drop).items():
        column = columns[name]
        padded.append(column.padded(width))
    return _lines(padded, _GAP)


def _lines(columns: Sequence[Sequence[str]], gap: str) -> Iterator[str]:
    """Yield the lines of columns that are padded: the titles in bold, then the rows."""
    rows = zip(*columns, strict=True)
    for number, cells in enumerate(rows):
        line = gap.join(cells).rstrip()
        if number == 0:
            line = click.style(line, bold=True)
        yield line


def fit(
    columns: Mapping[str, Column], room: int, drop: Sequence[str]
) -> dict[str, int]:
    """Return the columns for which a line has room, and their widths.

    Columns of nothing but zeros go first, from the last one on. Those of `drop` go
    next, until names keep enough characters to be told apart. Then names get shorter.

    room: the characters of a line. drop: names of columns, the least important first.
    """
    widths = {name: column.width for name, column in columns.items()}
    shortened = [name for name, column in columns.items() if column.dots]
    empty = [name for name, column in columns.items() if column.is_empty]
    for name in reversed(empty):
        if _excess(widths, room) > 0:
            del widths[name]
    least = dict(widths)
    for name in widths.keys() & shortened:
        least[name] = min(widths[name], _NAME)
    for name in drop:
        if _excess(least, room) > 0:
            least.pop(name, None)
            widths.pop(name, None)
    for _ in range(_excess(widths, room)):
        _narrow(widths, shortened)
    return widths


def _excess(widths: Mapping[str, int], room: int) -> int:
    """Return by how many characters a line of columns is too long, or less than 1."""
    gaps = len(_GAP) * (len(widths) - 1)
    return sum(widths.values()) + gaps - room


def _narrow(widths: dict[str, int], shortened: Sequence[str]) -> None:
    """Take a character from the widest of the columns that are shortened, if it can."""
    names = [name for name in shortened if name in widths]
    if not names:
        return
    longest = max(names, key=widths.__getitem__)
    if widths[longest] > _SHORTEST:
        widths[longest] -= 1


def matrix(
    rank: Column, name: Column, rounds: Sequence[Column], room: int
) -> Iterator[str]:
    """Yield the lines of a matrix, a player each, in blocks of as many rounds as fit.

    Rank and name are repeated in each block. A name has a quarter of the line at most,
    as long as that tells it apart.
    """
    name_room = max(_NAME, room // 4)
    name_width = min(name.width, name_room)
    ranks = rank.padded(rank.width)
    names = name.padded(name_width)
    heads = [f"{place}{_GAP}{who}" for place, who in zip(ranks, names, strict=True)]
    margin = len(heads[0])
    for block in _blocks(rounds, room - margin):
        is_first = block[0] is rounds[0]
        if not is_first:
            yield ""
        padded = [column.padded(column.width) for column in block]
        yield from _lines([heads, *padded], " ")


def _blocks(columns: Sequence[Column], room: int) -> Iterator[list[Column]]:
    """Yield columns in order, as many at once as fit on a line, but at least one."""
    block: list[Column] = []
    used = 0
    for column in columns:
        needed = 1 + column.width
        if block and used + needed > room:
            yield block
            block = []
            used = 0
        block.append(column)
        used += needed
    yield block


def wrapped(entries: Sequence[Sequence[str]], room: int) -> Iterator[str]:
    """Yield lines of a topic, a number (if any has one) and a text of any length."""
    import textwrap

    topic_width = _widest([topic for topic, _, _ in entries])
    number_width = _widest([number for _, number, _ in entries])
    if number_width:
        number_width += len(_GAP)
    indent = topic_width + number_width + len(_GAP)
    line_width = max(room, indent + _NAME)
    for topic, number, text in entries:
        head = topic.ljust(topic_width) + number.rjust(number_width) + _GAP
        lines = textwrap.wrap(
            text, line_width, initial_indent=head, subsequent_indent=" " * indent
        )
        yield from lines or [head.rstrip()]


def _widest(texts: Sequence[str]) -> int:
    return max(map(len, texts), default=0)


def cut(text: str, room: int, dots: str) -> str:
    """Return a text that is too long, shortened with dots at its end, before a mark."""
    if len(text) <= room:
        return text
    if text.endswith(GONE):
        name = text.removesuffix(GONE)
        return cut(name, room - len(GONE), dots) + GONE
    beginning = text[: room - len(dots)]
    return beginning.rstrip() + dots


def _coloured(cell: str, change: float | None) -> str:
    """Return a cell of who went up in green, of who went down in red."""
    if not change:
        return cell
    colour = "green" if change > 0 else "red"
    return click.style(cell, fg=colour)


def is_number(value: Any) -> bool:
    """Return whether a value stands to the right, as numbers do, or nothing at all.

    Fractions as clubs print them (1/3) and +1.5 are numbers, too.
    """
    if value is None or isinstance(value, int | float):
        return True
    if not isinstance(value, str):
        return False
    digits = value
    if value.startswith(("+", "-")):
        digits = value[1:].replace(".", "")
    return digits.replace("/", "").isdecimal()
