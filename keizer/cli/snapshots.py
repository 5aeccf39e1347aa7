"""The file as it was, and the way back: backup, restore."""

from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError
from keizer.cli import options, output
from keizer.cli.log import tell
from keizer.cli.options import Database, argument, count, flag, option
from keizer.store import commands, restoring, snapshots
from keizer.store import database as files
from keizer.texts import are, as_sentence


@options.command
def backup(
    database: Database,
    folder: Annotated[
        str | None,
        option("The folder for snapshots from now on; - for beside the file.", metavar="FOLDER"),
    ],
    keep: Annotated[int | None, count("How many snapshots are kept.", most=9999)],
) -> None:
    """Make a snapshot of the file, or choose where snapshots go.

    keizer makes one before each next-round, import, migrate and restore, in NAME.backups
    beside NAME.db, and keeps the latest 40. --folder and --keep change that.

    \b
    Example: keizer backup club.db
             keizer backup club.db --folder stick --keep 100
    """
    if folder is not None or keep is not None:
        with files.writing(database) as conn:
            said = restoring.settle(conn, Path(database), folder, keep)
            commands.describe(conn, said)
        output.say(as_sentence(said))
        return
    with files.reading(database):
        pass  # it is a season
    output.done(f"Snapshot: {snapshots.take(database, 'by hand')}.")


@options.command
def restore(
    database: Database,
    number: Annotated[int | None, argument(required=False, type=click.IntRange(1))],
    dry_run: Annotated[bool, flag("Only say what would be lost.")],
    folder: Annotated[
        str | None, option("The folder of the snapshots, if the file cannot say.", metavar="FOLDER")
    ],
    other: Annotated[bool, flag("Show the snapshots of other files in that folder too.")],
) -> None:
    """List the snapshots of the file, or put one in its place.

    What was done after the snapshot is listed. The file as it was is kept as a snapshot too.
    This works for a damaged file as well, and for one that is gone.

    \b
    Example: keizer restore club.db
             keizer restore club.db 1 --dry-run
             keizer restore club.db 1
    """
    path = Path(database)
    found, others = restoring.listed(path, folder)
    if other:
        found, others = found + others, []
    of_others = f"{len(others)} of other files {are(len(others))} there too"
    more = f"{of_others}: --other lists what there is." if others else ""
    if not found:
        _refuse_foreign(database)
        raise KeizerError(
            f"{database} has no snapshots in {restoring.position(path, folder)[0]}:"
            f" {more or f'`keizer restore {database} --folder FOLDER` looks in another folder.'}"
        )
    if number is None:
        for snapshot in found:
            output.say(f"{snapshot.number:4}  {snapshot.made}  {restoring.about(snapshot)}")
        output.say(f"`keizer restore {database} NUMBER --dry-run` says what would be lost.")
        if more:
            output.say(more)
        return
    chosen = next((snapshot for snapshot in found if snapshot.number == number), None)
    if chosen is None:
        raise KeizerError(
            f"{database} has no snapshot {number}: `keizer restore {database}` lists them."
        )
    gone = restoring.lost(path, chosen)
    if not dry_run:
        saved = restoring.restore(path, chosen)
        output.done(f"{database} is as it was on {chosen.made}.")
        if saved:
            output.say(f"The file as it was before this command: {saved}.")
    if gone is None:
        output.say("What was done since then is not known: the file and the snapshot share no log.")
    else:
        listed = "This would be taken out of the file:" if dry_run else "No longer in the file:"
        output.say(listed if gone else "Nothing is lost.")
        tell(gone, changes=False)


def _refuse_foreign(database: str) -> None:
    """Say whose file it is, where it is another program's."""
    try:
        with files.reading(database):
            pass
    except files.ForeignError:
        raise
    except KeizerError:  # gone or damaged
        pass
