"""Tournaments, their rounds and periods."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from keizer.errors import KeizerError
from keizer.messages import Message, differences, first, say
from keizer.season.names import resolve, spelling
from keizer.season.queries import Conn, File, Tournament

ROUNDS = range(1, 1000)

_LISTED = 12
"""The most tournaments that are named where one has to be chosen."""


def add_tournament(conn: Conn, name: str) -> Tournament:
    """A new, running tournament with the usual rules."""
    name = spelling.proper(name, say("a tournament needs a name."))
    others = {
        row[0]: row[1] for row in conn.execute("SELECT id, description FROM tournament")
    }
    same = (
        name if name in others.values() else others.get(resolve.twin(name, others) or 0)
    )
    if same is not None:
        raise KeizerError("the file already has a tournament “{name}”.", name=same)
    tournament = Tournament(conn, File(conn).insert("tournament", description=name))
    tournament.describe("new tournament {name}", name=name)
    return tournament


def every(conn: Conn) -> list[sqlite3.Row]:
    """The tournaments of the file: id, description and status."""
    return conn.execute(
        "SELECT id, description, status FROM tournament ORDER BY id"
    ).fetchall()


DETAILS = ("city", "federation", "arbiter", "time_control")
"""What table tournament has for reports and game headers."""


def details(tournament: Tournament) -> dict[str, str | None]:
    """Return what reports say of the tournament; None for what the file does not have."""
    (found,) = tournament.records("details")
    return found


def correct(tournament: Tournament, changes: Mapping[str, str | None]) -> list[Message]:
    """Change what reports say of the tournament; return what changed.

    changes: by DETAILS; None takes one away.
    """
    if not changes:
        return []
    before = details(tournament)
    tidy = {detail: text and spelling.tidy(text) for detail, text in changes.items()}
    tournament.update("tournament", tidy, id=tournament.id)
    changed = differences(before, details(tournament), changes)
    if changed:
        tournament.describe("tournament: {changes}", changes=changed)
    return changed


def find_tournament(
    conn: Conn, wanted: str | None = None, *, latest: bool = False
) -> Tournament:
    """The tournament meant by `wanted`: its name, number, or beginnings of its words.

    Without one: the only running tournament, or the only one; latest: of several, the last, also
    where the number is gone of one that was chosen.
    """
    rows = every(conn)
    if not rows:
        raise KeizerError(
            "the file has no tournament: `keizer init DB --name NAME` adds one."
        )
    known = {row["id"]: row["description"] for row in rows}
    near = [] if wanted is None else resolve.matching(wanted, known)
    if latest and not near and (wanted or "").startswith("#"):
        wanted = None
    if wanted is not None:
        matching = [row for row in rows if row["id"] in near]
    else:
        running = [row for row in rows if row["status"] == "running"]
        matching = (
            (running or rows)[-1:] if latest else running if len(rows) > 1 else rows
        )
    if len(matching) == 1:
        return Tournament(conn, matching[0]["id"])
    choices = matching if wanted is not None and matching else rows
    there = first(
        [
            say("“{name}” (#{number})", name=one["description"], number=one["id"])
            for one in choices
        ],
        _LISTED,
    )
    if wanted is not None and not matching:
        raise KeizerError(
            "there is no tournament “{typed}”; the file has {names}.",
            typed=wanted,
            names=there,
        )
    raise KeizerError(
        "say which tournament with --tournament: the file has {names}.", names=there
    )


RESUME = say(
    "In any SQLite program, `UPDATE tournament SET revaluation = 'on'` computes them."
)
"""What makes standings right of which the revaluation is suspended."""


def revalue_suspended(conn: Conn) -> None:
    """Compute the rankings that a suspended or unfinished revaluation left behind the facts."""
    # Looked at first: a statement that can set off a revaluation takes long to prepare.
    if File(conn).scalar("SELECT 1 FROM tournament WHERE revaluation <> 'on'") is None:
        return
    File(conn).run("stop_unfinished")
    conn.execute("UPDATE tournament SET revaluation = 'on' WHERE revaluation <> 'on'")


def check_running(tournament: Tournament) -> None:
    """Refuse to change a season that is finished."""
    if tournament.now.is_finished:
        raise KeizerError(
            "the season is finished: `keizer finish DB --reopen` opens it again."
        )


@contextmanager
def suspended(tournament: Tournament) -> Iterator[None]:
    """Revalue once, at the end, however many facts are written inside.

    Within another, the outer one does it.
    """
    if tournament.scalar("suspended"):
        yield
        return
    tournament.run("revalue", when="suspended")
    yield
    tournament.run("revalue", when="on")


def paired_round(tournament: Tournament) -> int:
    """The number of the last paired round; KeizerError before the first."""
    number = tournament.now.last_round
    if not number:
        raise KeizerError(
            "no round is paired yet: `keizer next-round` pairs the first."
        )
    return number


def round_with_boards(tournament: Tournament) -> int:
    """The round that results come in for: the last, but for rounds in which nobody plays.

    KeizerError before the first round.
    """
    number = paired_round(tournament)
    return number if tournament.now.draft else tournament.now.with_boards or number


def periods(tournament: Tournament) -> list[dict[str, Any]]:
    """The periods of a season: first_round, name, scores and start."""
    return tournament.records("periods")
