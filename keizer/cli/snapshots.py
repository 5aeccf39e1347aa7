"""The commands about snapshots of the file: backup, restore."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

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
    # Several season files may have their snapshots in the same folder. `foreign` are
    # those of other files, which without --other are only counted. `folder` is None
    # unless --folder names one: then the season file itself says where they are.
    snapshots, foreign = restoring.list_snapshots(Path(file), folder)
    if other:
        snapshots = [*snapshots, *foreign]
        foreign = []
    if not snapshots:
        _refuse_without_snapshots(file, folder, foreign)
    if number is None:
        _show_snapshots(file, snapshots, foreign)
        return
    done = season.do(acts.restore, number, folder=folder, other=other, dry_run=dry_run)
    if not dry_run:
        # The log of the restored file is that of the snapshot, and lacks this command.
        output.announce_unlogged(output.sentence(done.said))
        if done.saved:
            output.print_lines(
                say("The file as it was before this command: {file}.", file=done.saved)
            )
    _show_lost(done.lost, dry_run=dry_run)


def _refuse_without_snapshots(
    file: str, folder: str | None, foreign: Sequence[Snapshot]
) -> NoReturn:
    """Raise KeizerError with the folder in which a season file has no snapshots.

    If it is the file of another program, ForeignError says this instead.

    folder: the folder that --folder names; None if that option was not given.
    foreign: the snapshots of other files in that folder.
    """
    _refuse_foreign_file(file)
    folder_searched, _ = restoring.folder_and_position(Path(file), folder)
    hint = say(
        "`keizer restore {file} --folder FOLDER` looks in another folder.", file=file
    )
    if foreign:
        hint = _count_message(foreign)
    raise KeizerError(
        "{file} has no snapshots in {folder}: {more}",
        file=file,
        folder=folder_searched,
        more=hint,
    )


def _show_snapshots(
    file: str, snapshots: Sequence[Snapshot], foreign: Sequence[Snapshot]
) -> None:
    """Print a line for each snapshot: its number, its time and what is in it.

    A snapshot is a copy of the season file. Lines about what to do next follow.

    foreign: the snapshots of other files in the folder, which are only counted.
    """
    for snapshot in snapshots:
        about = output.translated(restoring.content_of(snapshot))
        output.print_lines(f"{snapshot.number:4}  {snapshot.made}  {about}")
    output.print_lines(
        say(
            "`keizer restore {file} NUMBER --dry-run` says what would be lost.",
            file=file,
        )
    )
    if foreign:
        output.print_lines(_count_message(foreign))


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

    It is about snapshots without the word, since it stands behind another text that is
    about them: the list of the file's own snapshots, or, as its end, an error:

        club.db has no snapshots in club.backups: 2 of other files are there too:
        --other lists what there is.
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
