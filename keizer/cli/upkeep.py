"""The file itself: rules, check, undo."""

from pathlib import Path

import click

from keizer import KeizerError, season, tables
from keizer import database as files
from keizer import undo as steps
from keizer.cli import options, output, session


@click.command()
@options.database
@click.argument("settings", metavar="[KEY=VALUE]...", nargs=-1)
@options.formats
@options.tournament
def rules(
    database: Path, settings: tuple[str, ...], style: str | None, tournament: str | None
) -> None:
    """Show the rules of a tournament, or change some.

    A change revalues the whole season. Factors are typed as the club prints
    them: 0.5, 1/3, .333.

    \b
    Example: keizer rules club.db
             keizer rules club.db top_value=60 excused=1/3
    """
    from keizer import rules as stored

    if settings:
        with session.writing(database, tournament) as (conn, chosen):
            with season.suspended(conn, chosen):
                found = [stored.change(conn, chosen, setting) for setting in settings]
            steps.describe(conn, "rules " + " ".join(settings))
    else:
        with session.reading(database, tournament) as (conn, chosen):
            found = stored.listed(conn, chosen)
    if style:
        output.emit([rule._asdict() for rule in found], ("key", "value"), style)
        return
    for rule in found:
        click.echo(f"{rule.key}={rule.value}")


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
def undo(database: Path) -> None:
    """Take back the last command that changed the file.

    Example: keizer undo club.db
    """
    with files.writing(database, undoable=False) as conn:
        season.settle(conn)
        undone = steps.undo(conn)
    click.echo(f"Undone: {undone}.")


COMMANDS = (rules, check, undo)
