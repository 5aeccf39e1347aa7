"""The tournaments of a file: find, add and change them; revalue; rounds and periods."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from keizer.errors import KeizerError
from keizer.messages import Fact, Message, differences, say, shortened_list
from keizer.season.names import resolve, spelling
from keizer.season.queries import Conn, File, Record, Tournament

ROUNDS = range(1, 1000)
"""The numbers that a round can have."""

# The most tournaments that are named when somebody has to choose.
_LISTED = 12


def add_tournament(conn: Conn, name: str) -> Tournament:
    """Add a running tournament with the default rules; note it on the log.

    Raises KeizerError if the file already has a tournament of this name, or of a name
    that looks the same.
    """
    name = spelling.check_name(name, say("a tournament needs a name."))
    others = dict(conn.execute("SELECT id, description FROM tournament").fetchall())
    existing: str | None = name
    if name not in others.values():
        lookalike = resolve.find_lookalike(name, others)
        existing = others.get(lookalike)
    if existing is not None:
        raise KeizerError("the file already has a tournament “{name}”.", name=existing)
    id_ = File(conn).insert("tournament", description=name)
    tournament = Tournament(conn, id_)
    tournament.describe("new tournament {name}", name=name)
    return tournament


def list_tournaments(conn: Conn) -> list[sqlite3.Row]:
    """Return the tournaments of the file: id, description and status."""
    return conn.execute(
        "SELECT id, description, status FROM tournament ORDER BY id"
    ).fetchall()


DETAILS = ("city", "federation", "arbiter", "time_control")
"""The columns of table tournament for reports and game headers."""


def details(tournament: Tournament) -> dict[str, str | None]:
    """Return the details of a tournament: city, federation, arbiter and time control.

    They are returned by column, as in DETAILS. A detail without a value is None.
    """
    (row,) = tournament.records("details")
    return row


def change_details(
    tournament: Tournament, changes: Mapping[str, str | None]
) -> list[Message]:
    """Change details of a tournament, and note it on the log.

    Return a message for each detail that is different now.
    changes: the new values, by the columns of DETAILS; None removes a value.
    """
    if not changes:
        return []
    before = details(tournament)
    cells = {}
    for detail, text in changes.items():
        cells[detail] = spelling.tidy(text) if text else text
    tournament.update("tournament", cells, id=tournament.id)
    changed = differences(before, details(tournament), changes)
    if changed:
        tournament.describe("tournament: {changes}", changes=changed)
    return changed


def find_tournament(
    conn: Conn, typed: str | None = None, *, latest: bool = False
) -> Tournament:
    """Return the tournament that somebody means, or raise KeizerError.

    typed: its number, its name, or beginnings of the words of its name. None means the
    only running tournament or, if none is running, the only tournament.
    latest: if nothing is typed, and several tournaments may be meant, return the one
    added last instead of raising KeizerError. Do the same if the number of a tournament
    is typed that has been removed.
    """
    rows = list_tournaments(conn)
    if not rows:
        raise KeizerError(
            "the file has no tournament: `keizer init DB --name NAME` adds one."
        )
    if typed is None:
        return _usual_tournament(conn, rows, latest=latest)
    names = {row["id"]: row["description"] for row in rows}
    ids = resolve.match_names(typed, names)
    if len(ids) == 1:
        return Tournament(conn, ids[0])
    if ids:
        raise _ambiguous([row for row in rows if row["id"] in ids])
    # A number that no tournament has: that of a removed one, as in an old link.
    is_number = typed.startswith("#")
    if latest and is_number:
        return _usual_tournament(conn, rows, latest=latest)
    raise KeizerError(
        "there is no tournament “{typed}”; the file has {names}.",
        typed=typed,
        names=_listing(rows),
    )


def _usual_tournament(
    conn: Conn, rows: Sequence[sqlite3.Row], *, latest: bool
) -> Tournament:
    """Return the tournament that is meant if none was typed.

    This is the only running one or, if none is running, the only one. Raises
    KeizerError if there is no such tournament.
    rows: all tournaments of the file, in the order in which they were added.
    latest: True to return the last of several instead of raising KeizerError.
    """
    running = [row for row in rows if row["status"] == "running"]
    if latest:
        candidates = running or rows
        return Tournament(conn, candidates[-1]["id"])
    # Of several tournaments, a finished one has to be named.
    candidates = running if len(rows) > 1 else rows
    if len(candidates) == 1:
        return Tournament(conn, candidates[0]["id"])
    raise _ambiguous(rows)


def _ambiguous(rows: Sequence[sqlite3.Row]) -> KeizerError:
    """Return the error, to be raised, that asks which of these tournaments is meant."""
    return KeizerError(
        "choose a tournament with --tournament: the file has {names}.",
        names=_listing(rows),
    )


def _listing(rows: Sequence[sqlite3.Row]) -> Fact:
    """Return the names and numbers of tournaments as a part of a message.

    Of more than twelve, only the first are named, with how many more there are.
    rows: of table tournament, whose column description has the name.
    """
    names = [
        say("“{name}” (#{number})", name=row["description"], number=row["id"])
        for row in rows
    ]
    return shortened_list(names, _LISTED)


RESUME_HINT = say(
    "In any SQLite program, `UPDATE tournament SET revaluation = 'on'` computes them."
)
"""A message: how to bring standings up to date while revaluation is suspended."""


def compute_outdated_standings(conn: Conn) -> None:
    """Compute the standings of the tournaments that still wait for it.

    Their revaluation, which computes standings, is suspended, or was broken off. It is
    on after this.
    """
    file = File(conn)
    # Asked first, since mostly none waits: SQLite takes long to prepare a statement
    # that can start a revaluation.
    waiting = file.scalar("SELECT 1 FROM tournament WHERE revaluation <> 'on'")
    if waiting is None:
        return
    file.run("suspend_unfinished")
    # A trigger revalues a tournament when its revaluation is switched on.
    conn.execute("UPDATE tournament SET revaluation = 'on' WHERE revaluation <> 'on'")


def check_running(tournament: Tournament) -> None:
    """Raise KeizerError if the season is finished, so that it must not be changed."""
    if tournament.now.is_finished:
        raise KeizerError(
            "the season is finished: `keizer finish DB --reopen` opens it again."
        )


@contextmanager
def revaluation_suspended(tournament: Tournament) -> Iterator[None]:
    """Compute the standings once at the end of the block, not at each write in it.

    If it is inside another such block, they are computed at the end of the outer one.
    After an error they are not computed, since the caller rolls back the transaction.
    """
    if tournament.scalar("is_suspended"):
        yield
        return
    tournament.run("revalue", when="suspended")
    yield
    # No `finally`, so that this does not happen after an error.
    tournament.run("revalue", when="on")


def last_paired_round(tournament: Tournament) -> int:
    """Return the number of the last paired round.

    Raises KeizerError if no round is paired.
    """
    number = tournament.now.last_round
    if not number:
        raise KeizerError(
            "no round is paired yet: `keizer next-round` pairs the first."
        )
    return number


def round_to_enter(tournament: Tournament) -> int:
    """Return the number of the round for which results are entered by default.

    This is the draft if there is one; otherwise the last round that has boards. If no
    round has boards, it is the last paired round, in which nobody plays.
    Raises KeizerError if no round is paired.
    """
    # Called first, since it raises the error.
    last_paired = last_paired_round(tournament)
    state = tournament.now
    if state.draft:
        return state.draft
    return state.last_round_with_boards or last_paired


def periods(tournament: Tournament) -> list[Record]:
    """Return the periods of a season, first period first.

    A period is a part of a season with scores or limits of its own. The columns are
    first_round, name, scores and start: see table period.
    """
    return tournament.records("periods")
