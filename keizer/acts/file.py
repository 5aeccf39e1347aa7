"""The file: undo, snapshots and how they are restored, the proof."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

from keizer.acts.declare import FLAG, FOLDER, Said, act, number
from keizer.acts.session import Session
from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season import tournaments
from keizer.season.queries import Conn
from keizer.store import connection, database
from keizer.store.backup import restoring, snapshots
from keizer.store.log import history, journal
from keizer.store.log import undo as undoing
from keizer.store.soundness import proof


@act(whole=True)
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
        tournaments.revalue_suspended(conn)
        if command is not None:
            _check_last(conn, command)
        return Said(say("undone: {what}", what=undoing.undo(conn)))


def _try_undo(season: Session) -> Said:
    """Undo the last command in a copy of the file, and say what that was."""
    with database.reading(season.path) as conn, connection.trial_copy(conn) as copy:
        copy.execute("BEGIN")
        journal.begin(copy)
        tournaments.revalue_suspended(copy)
        return Said(say("would undo: {what}", what=undoing.undo(copy)))


def _check_last(conn: Conn, shown: int) -> None:
    """Refuse to undo another command than the page showed."""
    last = undoing.last_command(conn)
    if last is None:
        return
    command, sentence, _ = last
    if command != shown:
        raise KeizerError(
            "not undone: since the page was shown, somebody did “{what}”.",
            what=sentence,
        )


# ------------------------------------------------------------------------ snapshots


class BackedUp(NamedTuple):
    """A snapshot that was made, or the choice of a folder.

    path: where the snapshot is, or None for the choice.
    """

    said: Message
    path: str | None = None


@act(whole=True)
def backup(
    season: Session,
    *,
    folder: Annotated[
        str | None,
        FOLDER,
        "The folder for snapshots from now on; - for beside the file.",
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
        with season.turn():
            with database.reading(season.path):
                pass  # which refuses what is not a season
            path = snapshots.make(season.path, "by hand")
        return BackedUp(say("snapshot: {file}", file=path), path)
    with season.writing_file() as conn:
        message = restoring.choose_folder(conn, Path(season.path), folder, keep)
        journal.describe(conn, message)
    return BackedUp(message)


def find_snapshot(
    path: Path, number: int, folder: str | None = None, *, other: bool = False
) -> snapshots.Snapshot:
    """Find the snapshot of that number; other: also among those of other files.

    Raises KeizerError if there is none.
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
    """A file that a snapshot has replaced.

    lost: the entries of the log that the snapshot lacks, or None if nobody knows.
    saved: the snapshot of the file as it was before, or None if it was only tried.
    """

    said: Message
    lost: Sequence[history.Entry] | None
    saved: Path | None = None


@act(whole=True)
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
    """Put a snapshot in the place of the file; the file as it was is kept as a snapshot."""  # noqa: E501  # a help text
    path = Path(season.path)
    with season.turn():
        chosen = find_snapshot(path, number, folder, other=other)
        lost = restoring.changes_since(path, chosen)
        saved = None if dry_run else restoring.restore(path, chosen)
    message = say(
        "{file} is as it was on {moment:date}", file=season.path, moment=chosen.made
    )
    if not dry_run and not proof.is_sound(chosen.path):
        message = say(
            "{said}, when it was not sound: `keizer check {file}` says why",
            said=message,
            file=season.path,
        )
    return Restored(message, lost, saved)


@act(whole=True)
def check(season: Session, *, tell: proof.Progress = str) -> proof.Proof:
    """Check the file and prove every ranking in it.

    It lacks no table, view or trigger, and agrees with its log; its facts, entered into
    an empty file, give the same rankings.

    Example: keizer check club.db
    """
    with season.turn(), database.reading(season.path, as_is=True) as conn:
        return proof.prove(conn, season.path, tell)
