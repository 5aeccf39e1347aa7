"""The tournaments of a file: find, add and change them; revalue; rounds and periods."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from keizer.errors import KeizerError
from keizer.messages import Fact, Message, differences, first, say
from keizer.season.names import resolve, spelling
from keizer.season.queries import Conn, File, Record, Tournament

ROUNDS = range(1, 1000)
"""The numbers that a round can have."""

# The most tournaments that are named when somebody has to choose.
_LISTED = 12


def add_tournament(conn: Conn, name: str) -> Tournament:
    """Add a running tournament with the default rules.

    Raises KeizerError if the file has one whose name looks the same.
    """
    name = spelling.check_name(name, say("a tournament needs a name."))
    others = dict(conn.execute("SELECT id, description FROM tournament").fetchall())
    twin = resolve.find_lookalike(name, others)  # never the very same name
    existing = name if name in others.values() else others.get(twin)
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
    """Return the details of a tournament by DETAILS; None if the file has no value."""
    (row,) = tournament.records("details")
    return row


def change_details(
    tournament: Tournament, changes: Mapping[str, str | None]
) -> list[Message]:
    """Change details of a tournament; return a message for each that changed.

    changes: the new values, by DETAILS; None removes a value.
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
    latest: if nothing is typed, or a number that no tournament has any more, then of
    several tournaments return the last one.
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
    is_former_number = typed.startswith("#")
    if latest and is_former_number:
        return _usual_tournament(conn, rows, latest=latest)
    raise KeizerError(
        "there is no tournament “{typed}”; the file has {names}.",
        typed=typed,
        names=_listing(rows),
    )


def _usual_tournament(
    conn: Conn, rows: Sequence[sqlite3.Row], *, latest: bool
) -> Tournament:
    """Return the tournament that is meant if none was typed; see `find_tournament`."""
    running = [row for row in rows if row["status"] == "running"]
    candidates = running or rows
    if not latest and len(rows) > 1:
        candidates = running  # among several, a finished one has to be named
    if latest or len(candidates) == 1:
        return Tournament(conn, candidates[-1]["id"])
    raise _ambiguous(rows)


def _ambiguous(rows: Sequence[sqlite3.Row]) -> KeizerError:
    """Return the error that asks which of these tournaments is meant."""
    return KeizerError(
        "choose a tournament with --tournament: the file has {names}.",
        names=_listing(rows),
    )


def _listing(rows: Sequence[sqlite3.Row]) -> Fact:
    """Return the names and numbers of the first tournaments, for a message."""
    names = [
        say("“{name}” (#{number})", name=row["description"], number=row["id"])
        for row in rows
    ]
    return first(names, _LISTED)


RESUME_HINT = say(
    "In any SQLite program, `UPDATE tournament SET revaluation = 'on'` computes them."
)
"""A message: how to bring standings up to date while revaluation is suspended."""


def revalue_suspended(conn: Conn) -> None:
    """Compute the standings of the tournaments whose revaluation is suspended.

    A revaluation that was broken off is begun again.
    """
    file = File(conn)
    # Asked first: a statement that can set off a revaluation takes long to prepare.
    waiting = file.scalar("SELECT 1 FROM tournament WHERE revaluation <> 'on'")
    if waiting is None:
        return
    file.run("suspend_unfinished")
    # A trigger revalues a tournament when its revaluation is switched on.
    conn.execute("UPDATE tournament SET revaluation = 'on' WHERE revaluation <> 'on'")


def check_running(tournament: Tournament) -> None:
    """Refuse to change a season that is finished."""
    if tournament.now.is_finished:
        raise KeizerError(
            "the season is finished: `keizer finish DB --reopen` opens it again."
        )


@contextmanager
def revaluation_suspended(tournament: Tournament) -> Iterator[None]:
    """Suspend revaluation inside the block, and revalue once at its end.

    A block inside another one does nothing, since the outer block revalues.
    """
    if tournament.scalar("is_suspended"):
        yield
        return
    tournament.run("revalue", when="suspended")
    yield
    # Not after an error: the caller's transaction is then rolled back.
    tournament.run("revalue", when="on")


def last_paired_round(tournament: Tournament) -> int:
    """Return the last paired round; raise KeizerError before the first."""
    number = tournament.now.last_round
    if not number:
        raise KeizerError(
            "no round is paired yet: `keizer next-round` pairs the first."
        )
    return number


def round_with_boards(tournament: Tournament) -> int:
    """Return the round that results are entered for by default.

    It is the draft, else the last round with boards, else the last paired round.
    Raises KeizerError if no round is paired.
    """
    number = last_paired_round(tournament)
    state = tournament.now
    if state.draft:
        return number
    return state.last_round_with_boards or number


def periods(tournament: Tournament) -> list[Record]:
    """Return the periods of a season.

    Their columns are first_round, name, scores and start: see table period.
    """
    return tournament.records("periods")
