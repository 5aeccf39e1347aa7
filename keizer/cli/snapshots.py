"""The commands about snapshots of the file: backup, restore."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError
from keizer.acts import file as acts
from keizer.cli import output, session
from keizer.cli.log import show_entries
from keizer.cli.options import argument
from keizer.messages import Message, plural, say
from keizer.store import database as files
from keizer.store.backup import restoring
from keizer.store.backup.snapshots import Snapshot
from keizer.store.log.history import Entry

backup = session.act(
    acts.backup, lambda done: output.announce_unlogged(output.sentence(done.said))
)


@partial(session.command, act=acts.restore, whole=True)
def restore(
    season: session.CommandSession,
    number: Annotated[int | None, argument(required=False, type=click.IntRange(1))],
    *,
    folder: str | None,
    other: bool,
    dry_run: bool,
) -> None:
    """List the snapshots of the file, or put one in its place.

    Before restoring, keizer lists what was done since the snapshot. The present file is
    kept as another snapshot. This also works if the file is damaged or missing.

    Examples:
        keizer restore club.db
        keizer restore club.db 1 --dry-run
        keizer restore club.db 1
    """
    file = season.path
    path = Path(file)
    # Several season files may have their snapshots in the same folder. `foreign` are
    # those of other files, which without --other are only counted.
    snapshots, foreign = restoring.list_snapshots(path, folder)
    if other:
        snapshots = [*snapshots, *foreign]
        foreign = []
    if not snapshots:
        # If it is a file of another program, that is the better error.
        _refuse_foreign_file(file)
        elsewhere = say(
            "`keizer restore {file} --folder FOLDER` looks in another folder.",
            file=file,
        )
        raise KeizerError(
            "{file} has no snapshots in {folder}: {more}",
            file=file,
            folder=restoring.folder_and_position(path, folder)[0],
            more=_count_message(foreign) if foreign else elsewhere,
        )
    if number is None:
        _show_snapshots(snapshots)
        output.print_lines(
            say(
                "`keizer restore {file} NUMBER --dry-run` says what would be lost.",
                file=file,
            )
        )
        if foreign:
            output.print_lines(_count_message(foreign))
        return
    done = season.do(acts.restore, number, folder=folder, other=other, dry_run=dry_run)
    if not dry_run:
        output.announce_unlogged(output.sentence(done.said))
        if done.saved:
            output.print_lines(
                say("The file as it was before this command: {file}.", file=done.saved)
            )
    _show_lost(done.lost, dry_run=dry_run)


def _show_snapshots(snapshots: Sequence[Snapshot]) -> None:
    """Print a line for each snapshot: its number, its time and what is in it.

    A snapshot is a copy of the season file.
    """
    for snapshot in snapshots:
        about = output.translated(restoring.content_of(snapshot))
        output.print_lines(f"{snapshot.number:4}  {snapshot.made}  {about}")


def _show_lost(lost: Sequence[Entry] | None, *, dry_run: bool) -> None:
    """Print the entries of the log that are lost by going back to a snapshot.

    lost: the entries; empty if nothing is lost, None if it is not known what is.
    dry_run: True if the file was not restored, so that they only would be lost.
    """
    if lost is None:
        output.print_lines(
            say(
                "What was done since then is not known: the file and the snapshot share"
                " no log."
            )
        )
    elif not lost:
        output.print_lines(say("Nothing is lost."))
    elif dry_run:
        output.print_lines(say("This would be taken out of the file:"))
    else:
        output.print_lines(say("No longer in the file:"))
    show_entries(lost or [], changes=False)


def _count_message(foreign: Sequence[Snapshot]) -> Message:
    """Return a message with the number of snapshots of other files in the folder.

    The message follows the list of the file's own snapshots, or a sentence that it has
    none. So it does not have the word “snapshot” itself.
    """
    return plural(
        "{number} of other files is there too: --other lists what there is.",
        "{number} of other files are there too: --other lists what there is.",
        len(foreign),
    )


def _refuse_foreign_file(path: str) -> None:
    """Raise ForeignError if a file is the file of another program.

    Nothing is raised if it is a season file, even if it is damaged or missing: such a
    file can have snapshots.
    """
    # To open it is enough, as this raises the error.
    try:
        with files.reading(path):
            pass
    except files.ForeignError:
        raise
    except KeizerError:
        pass  # it is damaged or missing
