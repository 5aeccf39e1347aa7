"""The file itself: check, undo, log, backup, restore, migrate."""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import click

from keizer import KeizerError
from keizer.cli import options, output
from keizer.season import tournaments
from keizer.store import connection, steps
from keizer.store import database as files
from keizer.store import undo as undoing
from keizer.store.connection import trial

if TYPE_CHECKING:
    from keizer.store import history

_SHOWN = 12


@click.command()
@options.database
def check(database: str) -> None:
    """Check the file and prove every ranking in it.

    Its pages are whole, nothing that keeps it right is missing, every fact is as the
    log says, and the facts, put through an empty file, give the same file again.

    Example: keizer check club.db
    """
    from keizer.store import folders, proof

    with files.reading(database) as conn:
        if connection.is_archive(conn):
            _check_archive(conn, database)
            return
        found, changed = proof.proof(conn)
    output.say(*(found or changed))
    if changed:
        raise KeizerError(
            f"another program changed how {database} works: `keizer migrate {database}` puts it"
            " right."
        )
    if found:
        raise KeizerError(
            f"{database} has {len(found)} problem{'s' if len(found) > 1 else ''}:"
            f" `keizer restore {database}` lists the snapshots there are."
        )
    output.say(f"{database} is sound.")
    kind = folders.network(database)
    if kind:
        output.say(f"Note: it lies in a network folder ({kind}): one program at a time.", err=True)
    for copy in folders.copies(database):
        output.say(f"Note: {copy.name} beside it may hold what was entered elsewhere.", err=True)


def _check_archive(conn: sqlite3.Connection, database: str) -> None:
    """Check an archive, which is put right by making it anew."""
    from keizer import archive
    from keizer.store import proof

    found = proof.damage(conn) or archive.problems(conn)
    output.say(*found)
    if found:
        raise KeizerError(
            f"{database} is not as it was made: move it away and run `keizer archive` again."
        )
    output.say(f"{database} is an archive, and sound.")


@click.command()
@options.database
@click.option("--dry-run", is_flag=True, help="Only say what would be undone.")
def undo(database: str, dry_run: bool) -> None:
    """Take back the last command that changed the file.

    Again, and the one before it goes too.

    Example: keizer undo club.db
    """
    if dry_run:
        with files.reading(database) as conn, trial(conn) as copy:
            copy.execute("BEGIN")
            steps.begin(copy)
            tournaments.settle(copy)
            undone = undoing.undo(copy)
        output.say(f"Would undo: {undone}")
        return
    with files.writing(database) as conn:
        tournaments.settle(conn)
        undone = undoing.undo(conn)
    output.say(f"Undone: {undone}")


@click.command()
@options.database
@click.option("--last", "count", metavar="N", type=click.IntRange(1), default=20, show_default=True)
@click.option("--all", "every", is_flag=True, help="From the beginning.")
@click.option("--changes", is_flag=True, help="Every row that was changed, also by commands.")
def log(database: str, count: int, every: bool, changes: bool) -> None:
    """Who changed what, and when: commands, and edits in other programs.

    \b
    Example: keizer log club.db
             keizer log club.db --last 3 --changes
    """
    from keizer.store import history

    with files.reading(database) as conn:
        found = history.entries(conn, after=0 if every else history.last(conn, count))
    _tell(found, changes=changes)


def _tell(found: "list[history.Entry]", *, changes: bool) -> None:
    """Print entries of the log, in local time."""
    from keizer.store import history

    for entry in found:
        who = entry.who or ("" if entry.what else "another program")
        output.say("  ".join(it for it in (history.local(entry.when), who, entry.what) if it))
        if changes or not entry.what:
            listed = entry.changes if changes else entry.changes[:_SHOWN]
            output.say(*(f"    {change}" for change in listed))
            if len(listed) < len(entry.changes):
                output.say(f"    and {len(entry.changes) - len(listed)} more")


@click.command()
@options.database
@click.option(
    "--folder", metavar="FOLDER", help="From now on they go there; - for beside the file."
)
@click.option("--keep", metavar="N", type=click.IntRange(1, 9999), help="So many are kept.")
def backup(database: str, folder: str | None, keep: int | None) -> None:
    """Make a snapshot of the file; or say where snapshots go and how many are kept.

    One is made by itself before each next-round, import, migrate and restore, in
    NAME.backups beside NAME.db; of 40 the oldest goes.

    \b
    Example: keizer backup club.db
             keizer backup club.db --folder stick --keep 100
    """
    from keizer.store import restoring as ways
    from keizer.store import snapshots

    if folder is not None or keep is not None:
        with files.writing(database) as conn:
            said = ways.settle(conn, Path(database), folder, keep)
            steps.describe(conn, said)
        output.say(f"{said[0].upper()}{said[1:]}.")
        return
    with files.reading(database) as conn:
        if connection.is_archive(conn):
            raise KeizerError(f"{database} is an archive: `keizer archive` makes it again.")
    output.done(f"Snapshot: {snapshots.take(database, 'by hand')}.")


@click.command()
@options.database
@click.argument("number", metavar="[NUMBER]", required=False, type=click.IntRange(1))
@click.option("--dry-run", is_flag=True, help="Only say what would be lost.")
@click.option("--folder", metavar="FOLDER", help="Where `backup` put them, if the file cannot say.")
@click.option("--other", is_flag=True, help="Those of other files too, of which some lie there.")
def restore(
    database: str, number: int | None, dry_run: bool, folder: str | None, other: bool
) -> None:
    """List the snapshots of the file, or put one in its place.

    What was done since is listed; and the file as it was is kept as a snapshot too,
    so that the way back is open. It works for a file that is damaged, and for one that
    is gone.

    \b
    Example: keizer restore club.db
             keizer restore club.db 1 --dry-run
             keizer restore club.db 1
    """
    from keizer.store import restoring as ways

    path = Path(database)
    found, others = ways.listed(path, folder)
    if other:
        found, others = found + others, []
    more = f"{len(others)} of other files are there too: --other lists them." if others else ""
    if not found:
        raise KeizerError(
            f"{database} has no snapshots in {ways.where(path, folder)}:"
            f" {more or f'`keizer restore {database} --folder FOLDER` looks in another folder.'}"
        )
    if number is None:
        for snapshot in found:
            output.say(f"{snapshot.number:4}  {snapshot.made}  {ways.about(snapshot)}")
        output.say(f"`keizer restore {database} NUMBER --dry-run` says what would be lost.")
        if more:
            output.say(more)
        return
    chosen = next((it for it in found if it.number == number), None)
    if chosen is None:
        raise KeizerError(
            f"{database} has no snapshot {number}: `keizer restore {database}` lists them."
        )
    gone = ways.lost(path, chosen)
    if not dry_run:
        saved = ways.restore(path, chosen)
        output.done(f"{database} is as it was on {chosen.made}.")
        if saved:
            output.say(f"As it was just now: {saved}.")
    if gone is None:
        output.say("What was done since cannot be told: the two have no log in common.")
    else:
        output.say(("Lost would be:" if dry_run else "Lost are:") if gone else "Nothing is lost.")
        _tell(gone, changes=False)


@click.command()
@options.database
@click.option("--accept", is_flag=True, help="Take rows as they are that the log has otherwise.")
def migrate(database: str, *, accept: bool) -> None:
    """Bring a file of an earlier keizer up to date, after a snapshot.

    Every fact is put through the rules of the file, as if it were entered anew: rows
    that these refuse are named, and nothing is changed. It also puts back what another
    program dropped or rewrote in a file of today: views, triggers, tables.

    Example: keizer migrate club.db
    """
    from keizer.store import migration, proof

    with files.migrating(database) as conn:
        try:
            lost = migration.migrate(conn, accept=accept)
        except migration.RefusedError as refused:
            output.say(*refused.rows)
            raise
    with files.reading(database) as conn:
        problems = proof.problems(conn)
    output.say(*(f"Note: {sentence}" for sentence in (*lost, *problems)), err=True)
    output.say(f"{database} is up to date.")


COMMANDS = (check, undo, log, backup, restore, migrate)
