"""What views and statements cost in steps of SQLite's virtual machine: the same in every run.

python -m bench.costs makes the figures of tests/sql/costs.csv anew; tests/sql/test_costs.py says
what they may be. A step is one of the instructions that EXPLAIN shows.
"""

import csv
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pysqlite3

from bench.seasons import empty, season
from tests.support.files import public_views
from tests.support.seasons import insert, write

TABLE = Path(__file__).parents[1] / "tests/sql/costs.csv"
EACH = 50
"""Steps between two counts."""
MOST = 50_000_000
"""Steps after which a statement is stopped: its figure is this number."""
VERSION = f"SQLite {pysqlite3.sqlite_version}"


class State(NamedTuple):
    """A file, whose last tournament is measured."""

    players: int
    rounds: int
    draft: bool = False
    """Whether the next round is paired, all but one board, and has no result."""
    tournaments: int = 1
    analyzed: bool = False


CLUB, CONGRESS = State(50, 12), State(1000, 4)
DRAFT, CONGRESS_DRAFT = CLUB._replace(draft=True), CONGRESS._replace(draft=True)
FIGURES = {
    "50": CLUB,
    "50 draft": DRAFT,
    "200": State(200, 4),
    "200 draft": State(200, 4, draft=True),
    "1000": CONGRESS,
    "1000 draft": CONGRESS_DRAFT,
}
"""Columns of the table. With 1,000 players only statements are measured."""
LAWS: dict[str, tuple[State, State, float]] = {
    "ten": (CLUB, CLUB._replace(tournaments=10), 1.2),
    "ten draft": (DRAFT, DRAFT._replace(tournaments=10), 1.2),
    "ten 1000": (CONGRESS, CONGRESS._replace(tournaments=10), 1.2),
    "analyze": (CLUB, CLUB._replace(analyzed=True), 1.2),
    "analyze draft": (DRAFT, DRAFT._replace(analyzed=True), 1.2),
    "analyze 1000": (CONGRESS, CONGRESS._replace(analyzed=True), 1.2),
    "analyze ten": (
        CLUB._replace(analyzed=True),
        CLUB._replace(tournaments=10, analyzed=True),
        1.2,
    ),
    "linear": (State(50, 4), CONGRESS, 24),
    "linear draft": (State(50, 4, draft=True), CONGRESS_DRAFT, 24),
}
"""In the second state a statement takes at most so many times the steps of the first."""
CONSTANT = 2000
"""Steps that it may take beside them."""
PREPARED, WHOLE, NEXT = "prepared", " whole", "next round"
EXEMPT = {"linear": {NEXT}}
"""What is quadratic in players by its nature: it looks at all pairs."""

HERE = "WHERE tournament_id = :tournament"
OTHER = "UPDATE round SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END"
STATEMENTS = {
    "game paired": "INSERT INTO round (tournament_id, round_number, white, black)"
    " VALUES (:tournament, :coming, :white, :black)",
    "game away": f"DELETE FROM round {HERE} AND round_number = :last AND board = 1",
    "result": f"{OTHER} {HERE} AND round_number = :last AND board = 1",
    "result of round 1": f"{OTHER} {HERE} AND round_number = 1 AND board = 1",
    "absence": "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
    " VALUES (:tournament, :coming, :white, 'excused')",
    "absence away": f"DELETE FROM unplayed {HERE}"
    " AND round_number = :coming AND player_id = :absent",
    "late entry": "INSERT INTO x_player_tournament (tournament_id, player_id, first_round)"
    " VALUES (:tournament, :newcomer, :coming)",
    "withdrawal": "UPDATE x_player_tournament SET last_round = :coming - 1"
    f" {HERE} AND player_id = :white",
    "start rating": "UPDATE x_player_tournament SET rating = rating + 1"
    f" {HERE} AND player_id = :white",
    "published": "UPDATE schedule SET published_at = '2026-11-24 20:00:00'"
    f" {HERE} AND round_number = :last",
    "rule": f"UPDATE rules SET top_value = 200 {HERE}",
    "rule of pairing": f"UPDATE rules SET rematch_gap = 2 {HERE}",
    "reasons": "INSERT INTO z_reasons (tournament_id) VALUES (:tournament)",
    NEXT: "INSERT INTO next_round (tournament_id) VALUES (:tournament)",
}
EASY = f"""UPDATE rules SET rematch_gap = 0, colour_run = 'off', colour_difference = 'off',
bye_again = 'off' {HERE}"""
"""With these rules the next round can be paired in SQL."""


class File(NamedTuple):
    """A file in memory, and what the statements name."""

    conn: Any
    named: dict[str, int]


def between(state: State, engine: Any) -> File:
    """A file between two rounds, in which one player is absent from the next."""
    conn = empty(engine)
    for club in reversed(range(state.tournaments)):
        rounds = min(4, state.rounds) if club else state.rounds
        facts = season(club, players=state.players, rounds=rounds)
        tournament = write(conn, facts)
    *_, white, black, absent = (entry.player for entry in facts.entries)
    at = {"tournament_id": tournament, "round_number": state.rounds + 1}
    insert(conn, "schedule", **at)
    insert(conn, "schedule", **at | {"round_number": state.rounds})
    insert(conn, "unplayed", **at, player_id=absent, kind="excused")
    return File(conn, {
        "tournament": tournament, "last": state.rounds, "coming": state.rounds + 1,
        "white": white, "black": black, "absent": absent,
        "newcomer": insert(conn, "player", name="Newcomer"),
    })  # fmt: skip


def pair(file: File, state: State) -> None:
    """Add a draft: boards of neighbours by number, one player in ten absent."""
    switch = "UPDATE tournament SET revaluation = ? WHERE id = ?"
    tournament, number = file.named["tournament"], file.named["coming"]
    at = {"tournament_id": tournament, "round_number": number}
    file.conn.execute(switch, ("suspended", tournament))
    players = range(1, state.players - 2)
    away = players[: state.players // 10 | 1]
    for player in away:
        insert(file.conn, "unplayed", **at, player_id=player, kind="excused")
    here = players[len(away) :]
    for white, black in zip(here[::2], here[1::2], strict=True):
        insert(file.conn, "round", **at, white=white, black=black)
    file.conn.execute(switch, ("on", tournament))
    file.named["last"] = number


@cache
def made(state: State, engine: Any) -> File:
    """A file in this state."""
    if state.analyzed:
        simpler = state._replace(analyzed=False)
    elif state.draft:
        simpler = state._replace(draft=False)
    else:
        return between(state, engine)
    before = made(simpler, engine)
    file = File(engine.connect(":memory:", isolation_level=None), before.named.copy())
    before.conn.backup(file.conn)
    if state.analyzed:
        file.conn.execute("ANALYZE")
    else:
        pair(file, state)
    return file


def steps(file: File, statement: str) -> tuple[int, int]:
    """How many steps a statement takes once it is prepared, and how many rows it finds."""
    count = 0

    def counted() -> bool:
        nonlocal count
        count += EACH
        return count >= MOST

    with suppress(file.conn.ProgrammingError):
        # Prepared, but not run: too many parameters.
        file.conn.execute(statement, (None,) * 99)
    file.conn.set_progress_handler(counted, EACH)
    try:
        rows = file.conn.execute(statement, file.named).fetchall()
    except file.conn.OperationalError:
        if count < MOST:
            raise
        return MOST, 0
    finally:
        file.conn.set_progress_handler(None, EACH)
    return count, len(rows)


def read(file: File, *, whole: bool) -> Iterator[tuple[str, int]]:
    """Each public view; of the latest round, the one with most rows, if it has rounds.

    Not rule_history, which goes through the log of the whole file.
    """
    for view in sorted({*public_views(file.conn)} - {"rule_history"}):
        columns = {
            name for _, name, *_ in file.conn.execute(f"PRAGMA table_info({view})")
        }
        query = f"SELECT * FROM {view} {HERE if 'tournament_id' in columns else ''}"
        if "round_number" not in columns:
            yield view, steps(file, query)[0]
            continue
        rounds = (f"{query} AND round_number = :coming{back}" for back in ("", " - 1"))
        yield (
            view,
            max((steps(file, asked) for asked in rounds), key=lambda found: found[1])[
                0
            ],
        )
        if whole:
            yield f"{view}{WHOLE}", steps(file, query)[0]


def write_facts(file: File) -> Iterator[tuple[str, int]]:
    """Each statement, taken back."""
    for what, statement in STATEMENTS.items():
        if what == NEXT and file.named["last"] == file.named["coming"]:
            continue
        file.conn.execute("BEGIN")
        if what == NEXT:
            file.conn.execute(EASY, file.named)
        yield what, steps(file, statement)[0]
        if file.conn.in_transaction:
            file.conn.execute("ROLLBACK")


@cache
def costs(
    state: State, engine: Any = pysqlite3, *, whole: bool = False
) -> dict[str, int]:
    """Steps by view and statement, each prepared anew."""
    file = made(state, engine)
    views = {} if state.players >= CONGRESS.players else dict(read(file, whole=whole))
    return views | dict(write_facts(file))


def compiled() -> dict[str, int]:
    """What preparing a statement costs: its instructions, with those of all its triggers."""
    file = made(CLUB, pysqlite3)
    return {
        what: len(file.conn.execute(f"EXPLAIN {statement}", file.named).fetchall())
        for what, statement in STATEMENTS.items()
    }


def broken(
    law: str, engine: Any = pysqlite3, *, whole: bool = False
) -> dict[str, float]:
    """What breaks a law, and by which ratio."""
    usual, state, most = LAWS[law]
    before, after = (costs(each, engine, whole=whole) for each in (usual, state))
    return {
        what: round(after[what] / max(steps, EACH), 1)
        for what, steps in before.items()
        if what in after and what not in EXEMPT.get(law, ())
        if after[what] > most * steps + CONSTANT
    }


class Row(NamedTuple):
    """A line of the table: figures by column, and laws that are broken, with their ratios."""

    figures: dict[str, int]
    known: dict[str, float]


def filed() -> tuple[str, dict[str, Row]]:
    """The table as it is: which SQLite made it, and its rows."""
    with TABLE.open(encoding="utf-8", newline="") as text:
        head, *lines = csv.reader(text)
    found = {}
    for what, *cells, known in lines:
        figures = {
            name: int(cell)
            for name, cell in zip(head[1:-1], cells, strict=True)
            if cell
        }
        laws = (each.rpartition(" ") for each in known.split("; ") if each)
        found[what] = Row(figures, {law: float(ratio) for law, _, ratio in laws})
    return head[0], found


def measured() -> dict[str, Row]:
    """All of it anew."""
    columns = {name: costs(state, whole=state.players == CLUB.players)
        for name, state in FIGURES.items()} | {PREPARED: compiled()}  # fmt: skip
    laws = {law: broken(law, whole=LAWS[law][0].rounds == CLUB.rounds) for law in LAWS}
    return {
        what: Row(
            {name: each[what] for name, each in columns.items() if what in each},
            {law: each[what] for law, each in laws.items() if what in each},
        )
        for what in columns["50"]
    }


def main() -> int:
    """Write the table; 1 if something breaks a law that it kept."""
    before = filed()[1] if TABLE.exists() else None
    found, new = measured(), 0
    with TABLE.open("w", encoding="utf-8", newline="") as text:
        table = csv.writer(text, lineterminator="\n")
        table.writerow([VERSION, PREPARED, *FIGURES, "known"])
        for what, row in found.items():
            known = {}
            for law, ratio in row.known.items():
                if before is None or (what in before and law in before[what].known):
                    known[law] = ratio
                else:
                    new = 1
                    sys.stderr.write(f"{what} breaks law {law!r} now: x {ratio}\n")
            cells = [row.figures.get(name, "") for name in (PREPARED, *FIGURES)]
            table.writerow(
                [what, *cells, "; ".join(f"{law} {known[law]}" for law in known)]
            )
    return new


if __name__ == "__main__":
    raise SystemExit(main())
