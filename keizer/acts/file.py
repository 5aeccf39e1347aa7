"""The file: taking back, snapshots and the way back, the proof, the club's page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

from keizer import languages
from keizer.acts.declare import FLAG, FOLDER, TEXT, Reader, Said, act, number, of
from keizer.acts.session import Session, Writing
from keizer.errors import KeizerError
from keizer.messages import Message, plural, say, term
from keizer.season import names, tournaments
from keizer.store import connection, database, history, journal, proof, restoring, snapshots
from keizer.store import undo as undoing
from keizer.store.atomic import StrPath


@act(whole=True)
def undo(
    season: Session,
    *,
    command: Annotated[
        int | None, number(1), "The number that the page showed; empty: the last."
    ] = None,
    dry_run: Annotated[bool, FLAG, "Say what would be undone, and change nothing."] = False,
) -> Said:
    """Take back the last command that changed the file.

    Used again, it takes back the command before that one.
    """
    if dry_run:
        with database.reading(season.path) as conn, connection.trial(conn) as copy:
            copy.execute("BEGIN")
            journal.begin(copy)
            tournaments.settle(copy)
            return Said(say("would undo: {what}", what=undoing.undo(copy)))
    with season.opened() as conn:
        tournaments.settle(conn)
        last = undoing.last(conn)
        if command is not None and last and last[0] != command:
            raise KeizerError(
                "not undone: since the page was shown, somebody did “{what}”.", what=last[1]
            )
        return Said(say("undone: {what}", what=undoing.undo(conn)))


# ------------------------------------------------------------------------ snapshots


class Kept(NamedTuple):
    """A snapshot that was made, or where snapshots go from now on; path: that of a snapshot."""

    said: Message
    path: str | None = None


@act(whole=True)
def backup(
    season: Session,
    *,
    folder: Annotated[
        str | None, FOLDER, "The folder for snapshots from now on; - for beside the file."
    ] = None,
    keep: Annotated[int | None, number(1, 9999), "How many snapshots are kept."] = None,
) -> Kept:
    """Make a snapshot of the file, or choose where snapshots go.

    keizer makes one before each next-round, import, migrate and restore, in NAME.backups
    beside NAME.db, and keeps the latest 40. --folder and --keep change that.
    """
    if folder is None and keep is None:
        with season.turn():
            with database.reading(season.path):
                pass  # it is a season
            made = str(snapshots.take(season.path, "by hand"))
        return Kept(say("snapshot: {file}", file=made), made)
    with season.opened() as conn:
        said = restoring.settle(conn, Path(season.path), folder, keep)
        journal.describe(conn, said)
    return Kept(said)


def find_snapshot(
    path: Path, number: int, folder: str | None = None, *, other: bool = False
) -> snapshots.Snapshot:
    """Find the snapshot of that number. Raises KeizerError if there is none."""
    own, others = restoring.listed(path, folder)
    for snapshot in own + (others if other else []):
        if snapshot.number == number:
            return snapshot
    raise KeizerError(
        "{file} has no snapshot {number}: `keizer restore {file}` lists them.",
        file=str(path), number=number,
    )  # fmt: skip


class Restored(NamedTuple):
    """What putting a snapshot in the place of the file took out of it; None: nobody knows.

    saved: the snapshot of the file as it was before.
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
    other: Annotated[bool, FLAG, "Show the snapshots of other files in that folder too."] = False,
    dry_run: Annotated[bool, FLAG, "Only say what would be lost."] = False,
) -> Restored:
    """Put a snapshot in the place of the file; the file as it was is kept as a snapshot."""
    path = Path(season.path)
    with season.turn():
        chosen = find_snapshot(path, number, folder, other=other)
        lost = restoring.lost(path, chosen)
        saved = None if dry_run else restoring.restore(path, chosen)
    said = say("{file} is as it was on {moment:date}", file=season.path, moment=chosen.made)
    if not dry_run and not proof.is_sound(chosen.path):
        said = say("{said}, when it was not sound: `keizer check {file}` says why",
                   said=said, file=season.path)  # fmt: skip
    return Restored(said, lost, saved)


@act(whole=True)
def check(season: Session, *, tell: proof.Tell = str) -> proof.Proof:
    """Check the file and prove every ranking in it.

    It lacks no table, view or trigger, and agrees with its log; its facts, entered into
    an empty file, give the same rankings.
    """
    with season.turn(), database.reading(season.path, as_is=True) as conn:
        return proof.proof(conn, season.path, tell)


# -------------------------------------------------------------------- the club's page


LANGUAGE = Reader("CODE", languages.check)
"""The code of a language that there is."""


class Page(NamedTuple):
    """How the club's page is to be, by column of table site: what changed."""

    said: Message
    changes: dict[str, str | None]


@act(finished=True)
def decide_page(
    tournament: Writing,
    *,
    folder: Annotated[str | None, FOLDER, "Where it is written, seen from the file."] = None,
    title: Annotated[str | None, TEXT, "What stands above it, for the tournament's name."] = None,
    colour: Annotated[str | None, TEXT, "The colour of bands and marks, such as #7a1f1f."] = None,
    language: Annotated[str | None, LANGUAGE, "The code of a language, such as nl."] = None,
    columns: Annotated[
        str | None, TEXT, "Columns of the standings, such as value,points; or all."
    ] = None,
    address: Annotated[str | None, TEXT, "Where it is on the web: https://..."] = None,
    mail: Annotated[str | None, TEXT, "The address where members sign off by mail."] = None,
    phone: Annotated[str | None, TEXT, "Likewise by a chat message, such as +31612345678."] = None,
    starts: Annotated[str | None, TEXT, "When an evening begins, such as 20:00."] = None,
) -> Page:
    """Say how the club's page is to be; the word none takes away what was said."""
    from keizer.site import decided

    known = decided.page(tournament)
    typed = {
        "folder": folder, "language": language, "title": title and names.tidy(title),
        "colour": colour, "columns": columns and columns.replace(" ", ""), "address": address,
        "mail": mail, "phone": phone and phone.translate(dict.fromkeys(b" ().-")),
        "starts": starts,
    }  # fmt: skip
    usual = {"folder": "", "language": "", "columns": "all"}
    changes = {
        column: None if value == usual.get(column, "none") else value
        for column, value in typed.items()
        if value
    }
    changes = {name: value for name, value in changes.items() if value != getattr(known, name)}
    if not changes:
        return Page(say("nothing to change"), {})
    decided.Page(**{**known._asdict(), **changes}).check()
    tournament.put("site", changes, tournament_id=tournament.id)
    said = [
        say("{column} {value}", column=term(column), value=value or say("as usual"))
        for column, value in changes.items()
    ]
    return Page(tournament.describe("page: {changes}", changes=said), changes)


class PublishedPage(NamedTuple):
    """The club's page as it was written: how many files, and where."""

    said: Message
    pages: int
    folder: Path


@act(whole=True)
def publish_page(
    season: Session,
    folder: Annotated[StrPath | None, TEXT, "Where it is written; as last time by default."] = None,
    /,
    *,
    force: Annotated[bool, FLAG, "Replace the site of another tournament."] = False,
    **decisions: str | None,
) -> PublishedPage:
    """Write the club's page: pairings, standings, players, charts.

    Files for any web host or a USB stick; other files in DIR are left alone. A draft is not
    shown. DIR and all that is decided is kept in the file: after the first time `keizer site DB`
    is enough. The word none takes away what was said.
    """
    from keizer.site import build, data, decided

    file = Path(season.path)
    if folder is not None:
        decisions["folder"] = decided.seen_from(file, Path(folder))
    # What is refused makes no page.
    with season.trying(of(decide_page)) as copy:
        keeps = decide_page(copy, **decisions).changes
        page = decided.page(copy)
        there = page.there(file) if folder is None else Path(folder)
        found = data.Season(copy, page).load()
    pages = build.pages(found)
    build.write(there, pages, found.tournament["description"], force=force)
    if keeps:
        season.do(decide_page, **decisions)
    made = sum(path.endswith(".html") for path in pages)
    said = plural("{number:,} page in {folder}", "{number:,} pages in {folder}", made,
                 folder=str(there))  # fmt: skip
    return PublishedPage(said, made, there)
