"""The file itself: rules, check, undo."""

from pathlib import Path

import click

from keizer import KeizerError, season
from keizer import database as files
from keizer import undo as steps
from keizer.cli import options, output


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
        with files.writing(database) as conn:
            chosen = season.find_tournament(conn, tournament)
            season.settle(conn)
            with season.suspended(conn, chosen):
                found = [stored.change(conn, chosen, setting) for setting in settings]
            steps.describe(conn, "rules " + " ".join(settings))
    else:
        with files.reading(database) as conn:
            chosen = season.find_tournament(conn, tournament)
            found = stored.listed(conn, chosen)
    listed = [rule._asdict() for rule in found]
    if style:
        output.emit(listed, ("key", "value"), style)
        return
    for rule in output.rows(listed):
        click.echo(f"{rule['key']}={rule['value']}")


@click.command()
@options.database
def check(database: Path) -> None:
    """Check the file and prove every ranking in it.

    Example: keizer check club.db
    """
    with files.reading(database) as conn:
        found = [row[0] for row in conn.execute("PRAGMA integrity_check") if row[0] != "ok"]
        if not found:
            found += [
                f"row {row[1]} of table {row[0]} refers to nothing in {row[2]}"
                for row in conn.execute("PRAGMA foreign_key_check")
            ]
            found += [
                row["problem"] if row["description"] is None else
                f"{row['description']}: {row['problem']}"
                for row in conn.execute(
                    "SELECT description, problem FROM problems"
                    " LEFT JOIN tournament ON tournament.id = tournament_id"
                )
            ]  # fmt: skip
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
