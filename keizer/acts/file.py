"""The acts about the file: undo, backup, restore, check."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

from keizer.acts.declare import FLAG, FOLDER, Said, act, number
from keizer.acts.session import Session
from keizer.errors import KeizerError
from keizer.messages import Message, ignore, say
from keizer.season import tournaments
from keizer.season.queries import Conn
from keizer.store import connection, database
from keizer.store.backup import restoring, snapshots
from keizer.store.log import history, journal
from keizer.store.log import undo as undoing
from keizer.store.soundness import proof


@act(is_about_file=True)
def undo(
    season: Session,
    *,
    command: Annotated[
        int | None, number(1), "The number that the page showed; empty: the last."
    ] = None,
    dry_run: Annotated[
        bool, FLAG, "Say what would be undone, and change nothing."
    ] = False,
) -> Said:
    """Take back the last command that changed the file.

    Used again, it takes back the command before that one.

    Example: keizer undo club.db
    """
    if dry_run:
        return _try_undo(season)
    with season.writing_file() as conn:
        # Another program may have suspended the revaluation, and left standings out of
        # date.
        tournaments.compute_outdated_standings(conn)
        if command is not None:
            _check_last_command(conn, command)
        return Said(say("undone: {what}", what=undoing.undo(conn)))


def _try_undo(season: Session) -> Said:
    """Undo the last command in a copy of the file; return what would be undone.

    Raises KeizerError if the command cannot be undone.
    """
    with database.reading(season.path) as conn, connection.trial_copy(conn) as copy:
        # database.writing does the same for the file itself: undo has to run inside a
        # command of the log.
        copy.execute("BEGIN")
        journal.begin(copy)
        tournaments.compute_outdated_standings(copy)
        return Said(say("would undo: {what}", what=undoing.undo(copy)))


def _check_last_command(conn: Conn, shown: int) -> None:
    """Raise KeizerError if the last command is not the one that a page showed.

    Somebody else may have done something since. Undo would take that back.

    shown: the number of the command that the page showed as the last one.
    """
    last = undoing.last_command(conn)
    if last is None:
        return  # undo itself refuses, as there is nothing to undo
    if last.number != shown:
        raise KeizerError(
            "not undone, because somebody did “{what}” after this page was shown.",
            what=last.what,
        )


# ------------------------------------------------------------------------ snapshots


class BackedUp(NamedTuple):
    """The result of `backup`: a snapshot was made, or settings of snapshots changed.

    A snapshot is a copy of the season file.

    said: a message about it.
    path: the path of the snapshot; None if only the settings changed.
    """

    said: Message
    path: str | None = None


@act(is_about_file=True)
def backup(
    season: Session,
    *,
    folder: Annotated[
        str | None,
        FOLDER,
        "Put snapshots into this folder from now on; - means beside the file.",
    ] = None,
    keep: Annotated[int | None, number(1, 9999), "How many snapshots are kept."] = None,
) -> BackedUp:
    """Make a snapshot of the file, or choose where snapshots go.

    keizer makes one before each next-round, import, migrate and restore, in
    NAME.backups beside NAME.db, and keeps the latest 40. --folder and --keep change
    that.

    Examples:
        keizer backup club.db
        keizer backup club.db --folder stick --keep 100
    """
    if folder is None and keep is None:
        with season.wait_for_turn():
            # Opened only for the error that is raised if it is not a season file.
            with database.reading(season.path):
                pass
            path = snapshots.make(season.path, "by hand")
        return BackedUp(say("snapshot: {file}", file=path), path)
    with season.writing_file() as conn:
        message = restoring.choose_folder(conn, Path(season.path), folder, keep)
        journal.describe(conn, message)
    return BackedUp(message)


def find_snapshot(
    path: Path, number: int, folder: str | None = None, *, other: bool = False
) -> snapshots.Snapshot:
    """Find a snapshot, which is a copy of a season file, by its number.

    path: the path of the season file.
    number: the number by which `keizer restore` lists the snapshot.
    folder: the folder of the snapshots; None for the one that the file names.
    other: True to look also among the snapshots of other files in the folder.
    Raises KeizerError if no snapshot has the number.
    """
    own, foreign = restoring.list_snapshots(path, folder)
    candidates = own + foreign if other else own
    for snapshot in candidates:
        if snapshot.number == number:
            return snapshot
    raise KeizerError(
        "{file} has no snapshot {number}: `keizer restore {file}` lists them.",
        file=str(path),
        number=number,
    )


class Restored(NamedTuple):
    """The result of `restore`: a snapshot has replaced the file, or would do so.

    said: a message about it.
    lost: the entries of the log that the file has and the snapshot lacks; None if that
        cannot be known.
    saved: the path of the snapshot that was made of the file before it was replaced;
        None if none was made.
    """

    said: Message
    lost: Sequence[history.Entry] | None
    saved: Path | None = None


@act(is_about_file=True)
def restore(
    season: Session,
    number: Annotated[int, number(1), "The number of the snapshot."],
    *,
    folder: Annotated[
        str | None, FOLDER, "The folder of the snapshots, if the file cannot say."
    ] = None,
    other: Annotated[
        bool, FLAG, "Show the snapshots of other files in that folder too."
    ] = False,
    dry_run: Annotated[bool, FLAG, "Only say what would be lost."] = False,
) -> Restored:
    """Restore the file from a snapshot; the present file is kept as another snapshot."""  # noqa: E501  # a help text
    path = Path(season.path)
    with season.wait_for_turn():
        chosen = find_snapshot(path, number, folder, other=other)
        lost = restoring.changes_since(path, chosen)
        saved = None if dry_run else restoring.restore(path, chosen)
    message = say(
        "{file} is as it was on {moment:date}", file=season.path, moment=chosen.made
    )
    # Only a snapshot that cannot be read is refused. One whose standings or log are not
    # right is restored, and the message says so.
    if not dry_run and not proof.is_sound(chosen.path):
        message = say(
            "{said}, when it was not sound: `keizer check {file}` says why",
            said=message,
            file=season.path,
        )
    return Restored(message, lost, saved)


@act(is_about_file=True)
def check(season: Session, *, tell: proof.Progress = ignore) -> proof.Proof:
    """Check that the file is intact and all standings are right.

    Checks that no table, view or trigger is missing, that the file agrees with its log,
    and that its facts, entered into an empty file, give the same standings.

    Example: keizer check club.db
    """
    # as_is: views and triggers that another program changed are not replaced, so that
    # the check finds them.
    with season.wait_for_turn(), database.reading(season.path, as_is=True) as conn:
        return proof.prove(conn, season.path, tell)
