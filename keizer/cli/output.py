"""Rows as a table for people, as JSON or as CSV."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from keizer.names import shown

Row = Mapping[str, Any]


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


def table(found: Sequence[Row], headings: Mapping[str, str]) -> None:
    """Print rows in columns; headings by column, numbers to the right."""
    cells = [[_cell(row[column]) for column in headings] for row in found]
    titles = list(headings.values())
    numeric = [all(_is_number(row[column]) for row in found) for column in headings]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    for line in (titles, *cells):
        parts = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        click.echo("  ".join(parts).rstrip())


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
    """Numbers go to the right, fractions as clubs print them (1/3) too."""
    fraction = isinstance(value, str) and value.replace("/", "").isdecimal()
    return value is None or isinstance(value, int | float) or fraction
