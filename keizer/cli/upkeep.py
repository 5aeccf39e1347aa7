"""The file itself: check, undo."""

from pathlib import Path

import click

from keizer import KeizerError, season, tables
from keizer import database as files
from keizer import undo as steps
from keizer.cli import options


@click.command()
@options.database
def check(database: Path) -> None:
    """Check the file and prove every ranking in it.

    Example: keizer check club.db
    """
    with files.reading(database) as conn:
        found = tables.problems(conn)
    for problem in found:
        click.echo(problem)
    if found:
        raise KeizerError(f"{database} has {len(found)} problem{'s' if len(found) > 1 else ''}.")
    click.echo(f"{database} is sound.")


@click.command()
@options.database
@click.option("--dry-run", is_flag=True, help="Only say what would be undone.")
def undo(database: Path, dry_run: bool) -> None:
    """Take back the last command that changed the file.

    Example: keizer undo club.db
    """
    if dry_run:
        with files.reading(database) as conn:
            undone = steps.last(conn)
        click.echo(f"Would undo: {undone}.")
        return
    with files.writing(database) as conn:
        season.settle(conn)
        undone = steps.undo(conn)
    click.echo(f"Undone: {undone}.")


COMMANDS = (check, undo)
