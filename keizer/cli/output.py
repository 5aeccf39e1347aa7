"""Rows as a table for people, as JSON or as CSV.

Bold and colours appear on a terminal only: click takes them off elsewhere.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from keizer.season.names import shown

Row = Mapping[str, Any]

_PIPED = 80
_GAP = "  "
_NAME = 14
"""Names have at least so many characters, where leaving columns out can help."""
_SHORTEST = 4


def emit(found: Sequence[Row], columns: Sequence[str], style: str) -> None:
    """Print rows as `style`, json or csv."""
    if style == "json":
        import json

        picked = [{column: row[column] for column in columns} for row in found]
        lines = ",\n ".join(json.dumps(row, ensure_ascii=False) for row in picked)
        click.echo(f"[{lines}]")
        return
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([row[column] for column in columns] for row in found)
    click.echo(text.getvalue(), nl=False)


def width() -> int:
    """How many characters fit on a line: of the terminal, else 80."""
    if not sys.stdout.isatty():
        return _PIPED
    import shutil

    return shutil.get_terminal_size((_PIPED, 24)).columns


def heading(text: str) -> None:
    """Print what a table is about, bold on a terminal."""
    click.secho(text, bold=True)


def table(
    found: Sequence[Row],
    headings: Mapping[str, str],
    *,
    shorten: Sequence[str] = (),
    drop: Sequence[str] = (),
    left: Sequence[str] = (),
) -> None:
    """Print rows in columns; headings by column, numbers to the right.

    shorten: columns of names, cut with … where a line is too long for the
    terminal; drop: columns left out, the first of them first, before names get
    shorter than they can be told apart. left: columns that are no numbers,
    though they look so. A column `change` is coloured.
    """
    kept = dict(headings)
    cells = {column: [_cell(row[column]) for row in found] for column in kept}
    widths = {
        column: max(len(title), *map(len, cells[column]), 0) for column, title in kept.items()
    }
    room = width()
    names = [column for column in shorten if column in kept]
    wanted = {column: min(widths[column], _NAME) for column in names}
    for least in drop:
        if sum((wanted.get(it) or widths[it]) + len(_GAP) for it in kept) - len(_GAP) <= room:
            break
        kept.pop(least, None)
    over = sum(widths[it] + len(_GAP) for it in kept) - len(_GAP) - room
    while names and over > 0:
        longest = max(names, key=lambda it: widths[it])
        if widths[longest] <= _SHORTEST:
            break
        widths[longest] -= 1
        over -= 1
    numeric = {it for it in kept if it not in left and all(_is_number(row[it]) for row in found)}

    def line(parts: Sequence[tuple[str, str]], *, title: bool = False) -> str:
        """The cells of a row, each padded first: a colour has no width."""
        said = []
        for column, whole in parts:
            cell = cut(whole, widths[column]) if column in names else whole
            cell = (cell.rjust if column in numeric else cell.ljust)(widths[column])
            if column == "change" and not title:
                cell = moved(cell, {"+": 1, "-": -1}.get(cell.strip()[:1]))
            said.append(cell)
        return _GAP.join(said).rstrip()

    heading(line(list(kept.items()), title=True))
    for at in range(len(found)):
        click.echo(line([(column, cells[column][at]) for column in kept]))


def matrix(
    found: Sequence[tuple[str, str, Sequence[str]]],
    numbers: Sequence[int],
    *,
    paint: Callable[[int, int, str], str] | None = None,
) -> None:
    """Print a cell for every row and round: as many rounds as fit, then the next block.

    found: place, name and cells of each row; numbers: the rounds; paint: what
    makes of a padded cell, by row and column, what is printed.
    """
    room = width()
    place = max((len(it[0]) for it in found), default=1)
    name = min(max((len(it[1]) for it in found), default=4), max(_NAME, room // 4))
    widths = [
        max(len(str(number)), *(len(it[2][at]) for it in found), 1)
        for at, number in enumerate(numbers)
    ]
    start = 0
    while start < len(numbers):
        used, stop = place + len(_GAP) + name, start
        while stop < len(numbers) and (used + 1 + widths[stop] <= room or stop == start):
            used += 1 + widths[stop]
            stop += 1
        if start:
            click.echo()
        block = range(start, stop)
        top = " ".join(str(numbers[at]).rjust(widths[at]) for at in block)
        heading(f"{'':{place}}{_GAP}{'':{name}} {top}")
        for at, (rank, who, cells) in enumerate(found):
            shown_cells = []
            for column in block:
                cell = cells[column].rjust(widths[column])
                shown_cells.append(paint(at, column, cell) if paint else cell)
            line = f"{rank:>{place}}{_GAP}{cut(who, name):{name}} {' '.join(shown_cells)}"
            click.echo(line.rstrip())
        start = stop


def cut(text: str, room: int) -> str:
    """A text that is too long, shortened with … at its end."""
    return text if len(text) <= room else text[: room - 1].rstrip() + "…"


def moved(cell: str, change: float | None) -> str:
    """A padded cell about who went up (green) or down (red), on a terminal."""
    return click.style(cell, fg="green" if change > 0 else "red") if change else cell


def wrapped(found: Sequence[tuple[str, str, str]]) -> None:
    """Print a topic, a number (if any has one) and a text of any length, in columns."""
    import textwrap

    topics = max((len(row[0]) for row in found), default=0)
    numbers = max((len(row[1]) for row in found), default=0)
    middle = numbers + len(_GAP) if numbers else 0
    indent = topics + middle + len(_GAP)
    for topic, number, text in found:
        lines = textwrap.wrap(text, max(width() - indent, _NAME)) or [""]
        click.echo(f"{topic:{topics}}{number:>{middle}}{_GAP}{lines[0]}".rstrip())
        for line in lines[1:]:
            click.echo(" " * indent + line)


def reasons(found: Sequence[Row]) -> None:
    """Print what there is to say about each board, under its names."""
    shown = None
    for row in found:
        if (row["board"], row["white"]) != shown:
            shown = row["board"], row["white"]
            names = f"Board {shown[0]}: {row['white']} – {row['black']}"
            click.echo(f"\n{names if row['board'] else 'Bye: ' + row['white']}")
        click.echo(f"  {row['sentence']}")


def _cell(value: Any) -> str:
    return shown(value) if isinstance(value, int | float) else str("" if value is None else value)


def _is_number(value: Any) -> bool:
    """Numbers go to the right, fractions as clubs print them (1/3) and +1.5 too."""
    if isinstance(value, str):
        digits = value[1:].replace(".", "") if value.startswith(("+", "-")) else value
        return digits.replace("/", "").isdecimal()
    return value is None or isinstance(value, int | float)
