"""Tournaments, their rounds and periods."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from keizer.errors import KeizerError
from keizer.season import meant, names
from keizer.season.queries import Conn, cell, column, delete, insert, records
from keizer.store import commands

ROUNDS = range(1, 1000)

_LISTED = 12
"""The most tournaments that are named where one has to be chosen."""


def add_tournament(conn: Conn, name: str) -> int:
    """A new, running tournament with the usual rules; its id."""
    name = names.proper(name, "a tournament")
    others = {row[0]: row[1] for row in conn.execute("SELECT id, description FROM tournament")}
    same = name if name in others.values() else others.get(meant.twin(name, others) or 0)
    if same is not None:
        raise KeizerError(f"the file already has a tournament “{same}”.")
    tournament = insert(conn, "tournament", description=name)
    commands.describe(conn, f"new tournament {name}")
    return tournament


def every(conn: Conn) -> list[sqlite3.Row]:
    """The tournaments of the file: id, description and status."""
    return conn.execute("SELECT id, description, status FROM tournament ORDER BY id").fetchall()


def find_tournament(conn: Conn, wanted: str | None = None) -> int:
    """The id of the tournament meant by `wanted`: its name, number, or beginnings of its words.

    Without one: the only running tournament, or the only one.
    """
    rows = every(conn)
    if not rows:
        raise KeizerError("the file has no tournament: `keizer init DB --name NAME` adds one.")
    if wanted is not None:
        near = meant.matching(wanted, {row["id"]: row["description"] for row in rows})
        matching = [row for row in rows if row["id"] in near]
    else:
        matching = [row for row in rows if row["status"] == "running"] if len(rows) > 1 else rows
    if len(matching) == 1:
        return int(matching[0]["id"])
    choices = matching if wanted is not None and matching else rows
    described = [f"“{tournament['description']}” (#{tournament['id']})" for tournament in choices]
    listed = names.first(described, _LISTED)
    if wanted is not None and not matching:
        raise KeizerError(f"there is no tournament “{wanted}”; the file has {listed}.")
    raise KeizerError(f"say which tournament with --tournament: the file has {listed}.")


RESUME = "In any SQLite program, `UPDATE tournament SET revaluation = 'on'` computes them."
"""What makes standings right of which the revaluation is suspended."""


def settle(conn: Conn) -> None:
    """Compute the rankings that a suspended or unfinished revaluation left behind the facts."""
    # Looked at first: a statement that can set off a revaluation takes long to prepare.
    if cell(conn, "SELECT 1 FROM tournament WHERE revaluation <> 'on'") is None:
        return
    conn.execute(
        "UPDATE tournament SET revaluation = 'suspended', stale_from = 0"
        " WHERE revaluation = 'running'"
    )
    conn.execute("UPDATE tournament SET revaluation = 'on' WHERE revaluation <> 'on'")


def is_finished(conn: Conn, tournament: int) -> bool:
    """Whether the season is closed: its facts and rules stay as they are."""
    return bool(cell(conn, "SELECT status = 'finished' FROM tournament WHERE id = ?", tournament))


def check_running(conn: Conn, tournament: int) -> None:
    """Refuse to change a season that is finished."""
    if is_finished(conn, tournament):
        raise KeizerError("the season is finished: `keizer finish DB --reopen` opens it again.")


@contextmanager
def suspended(conn: Conn, tournament: int) -> Iterator[None]:
    """Revalue once, at the end, however many facts are written inside.

    Within another, the outer one does it.
    """
    if cell(conn, "SELECT revaluation FROM tournament WHERE id = ?", tournament) == "suspended":
        yield
        return
    switch = "UPDATE tournament SET revaluation = ? WHERE id = ?"
    conn.execute(switch, ("suspended", tournament))
    yield
    conn.execute(switch, ("on", tournament))


def last_round(conn: Conn, tournament: int) -> int:
    """The number of the last paired round, 0 before the first."""
    return int(cell(conn, "SELECT last_round FROM tournament WHERE id = ?", tournament))


def paired_round(conn: Conn, tournament: int) -> int:
    """The number of the last paired round; KeizerError before the first."""
    number = last_round(conn, tournament)
    if not number:
        raise KeizerError("no round is paired yet: `keizer next-round` pairs the first.")
    return number


def round_with_boards(conn: Conn, tournament: int) -> int:
    """The round that results come in for: the last, but for rounds in which nobody plays.

    KeizerError before the first round.
    """
    number = paired_round(conn, tournament)
    if draft(conn, tournament) is not None:
        return number
    found = cell(conn, "SELECT max(round_number) FROM round WHERE tournament_id = ?", tournament)
    return int(found or number)


def draft(conn: Conn, tournament: int) -> int | None:
    """The last round, while it is paired but neither published nor begun; else None."""
    unpublished = "SELECT last_round FROM tournament WHERE id = ? AND coming_round = last_round"
    number: int | None = cell(conn, unpublished, tournament)
    return number


def coming_round(conn: Conn, tournament: int) -> int:
    """The round people sign off from: the draft there is, else the one after the last."""
    return int(cell(conn, "SELECT coming_round FROM tournament WHERE id = ?", tournament))


def current_round(conn: Conn, tournament: int) -> int:
    """The round whose standings are shown by default: the last with a result; 0 before it."""
    return int(cell(conn, "SELECT current_round FROM tournament WHERE id = ?", tournament))


def open_boards(conn: Conn, tournament: int, round_number: int) -> list[int]:
    """The boards of a round that still lack a result."""
    return column(
        conn,
        "SELECT board FROM round WHERE tournament_id = ? AND round_number = ?"
        " AND result IS NULL ORDER BY board",
        tournament,
        round_number,
    )


def add_period(
    conn: Conn,
    tournament: int,
    first_round: int,
    *,
    name: str | None = None,
    reset: bool = False,
    by_rating: bool = False,
) -> str:
    """Let a period start with a round; what was done, a sentence.

    reset: earlier rounds no longer count; by_rating: and the list is made anew.
    """
    insert(
        conn, "period", tournament_id=tournament, first_round=first_round,
        name=name and names.tidy(name), scores="reset" if reset else "carry",
        start="rating" if by_rating else "ranking",
    )  # fmt: skip
    scores = "scores start anew" if reset else "scores go on"
    said = f"a period starts with round {first_round}: {scores}"
    commands.describe(conn, said)
    return said


def remove_period(conn: Conn, tournament: int, first_round: int) -> str:
    """Remove a period: its rounds belong to the one before; what was done, a sentence."""
    said = f"no period starts with round {first_round}"
    if not delete(conn, "period", tournament_id=tournament, first_round=first_round):
        raise KeizerError(f"{said}.")
    commands.describe(conn, said)
    return said


def periods(conn: Conn, tournament: int) -> list[dict[str, Any]]:
    """The periods of a season: first_round, name, scores and start."""
    found = "SELECT first_round, name, scores, start FROM period WHERE tournament_id = ?"
    return records(conn, f"{found} ORDER BY first_round", tournament)
