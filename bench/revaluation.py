"""How long one revaluation takes: beside other ways to the same table, and as a file grows.

One revaluation is the table after one round, computed by the file's own triggers from
the games so far and the table before: `INSERT INTO revalue VALUES (tournament, round)`.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any

import pysqlite3

from bench import original
from bench.measure import Bar, Part, agree, cpu, doublings, figure, in_turn, table
from bench.seasons import add, empty, file_of, season
from conformance.seasons import UNITS, Season

ENGINES = {f"SQLite {engine.sqlite_version}": engine for engine in (sqlite3, pysqlite3)}
"""Python's own, and one of this year."""

SUM = """
SELECT sum(units)
FROM (
  SELECT s.factor_units * v.value_before_units + s.fixed_units AS units
  FROM round AS g
  CROSS JOIN ranking_list AS v ON v.tournament_id = g.tournament_id
    AND v.round_number = :round AND v.player_id = g.black
  CROSS JOIN outcome AS o ON o.result = g.result
  CROSS JOIN scoring AS s ON s.tournament_id = g.tournament_id AND s.kind = o.white_kind
  WHERE g.tournament_id = :tournament AND g.round_number <= :round
  UNION ALL
  SELECT s.factor_units * v.value_before_units + s.fixed_units
  FROM round AS g
  CROSS JOIN ranking_list AS v ON v.tournament_id = g.tournament_id
    AND v.round_number = :round AND v.player_id = g.white
  CROSS JOIN outcome AS o ON o.result = g.result
  CROSS JOIN scoring AS s ON s.tournament_id = g.tournament_id AND s.kind = o.black_kind
  WHERE g.tournament_id = :tournament AND g.round_number <= :round
)
"""
"""One pass over the games, both colours, through the indexes."""


def revalue(conn: sqlite3.Connection, tournament: int, number: int) -> None:
    """One revaluation, taken back: the file stays as it is."""
    conn.execute("BEGIN")
    conn.execute("INSERT INTO revalue VALUES (?, ?)", (tournament, number))
    conn.execute("ROLLBACK")


def correct(conn: sqlite3.Connection, tournament: int, number: int) -> None:
    """Another result on board 1 of a round, with all that follows; taken back."""
    conn.execute("BEGIN")
    conn.execute(
        "UPDATE round SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END"
        " WHERE tournament_id = ? AND round_number = ? AND board = 1",
        (tournament, number),
    )
    conn.execute("ROLLBACK")


def _prepare(conn: sqlite3.Connection, numbers: Iterator[int]) -> None:
    """Have a revaluation prepared, each time as a statement that SQLite has not seen."""
    conn.execute(f"EXPLAIN INSERT INTO revalue VALUES (1, {next(numbers)})").fetchone()


def _full(players: int, rounds: int) -> Season:
    """A season that the original can do: everybody plays every round."""
    return season(players=players, rounds=rounds, presence=1)


def _originals(made: Season, conn: sqlite3.Connection, rounds: int, engine: Any) -> Any:
    """The original's database with the same season and values in force, and the same table."""
    values = conn.execute(
        "SELECT round_number, player_id, value_before FROM ranking_list WHERE round_number > 0"
    ).fetchall()
    theirs = original.database(made, values, engine)
    ours = conn.execute(
        "SELECT player_id, score_units FROM ranking_list"
        " WHERE tournament_id = 1 AND round_number = ? ORDER BY rank",
        (rounds,),
    ).fetchall()
    totals = dict(theirs.execute(original.SCORES, _at(rounds)).fetchall())
    order = [row[1] for row in _updated(theirs, rounds)]
    agree(totals, {player: units / UNITS for player, units in ours})
    agree([totals[player] for player in order], [units / UNITS for _, units in ours])
    return theirs


def _at(rounds: int) -> dict[str, int]:
    return {"tournament": 1, "round": rounds}


def beside(players: int, rounds: int) -> Part:
    """One revaluation, and other ways to the same table, on both engines."""
    columns, found = [], []
    for named, engine in ENGINES.items():
        times = _beside(players, rounds, engine)
        unit = times["one revaluation"]
        columns.append([figure(time / unit) for time in times.values()])
        rows = list(times)
        at_least = 1000 if engine is sqlite3 else 15
        slow = times["the original's update query"]
        size = f"{players} players, {rounds} rounds"
        query = f"the original's update query / one revaluation, {size}, {named}"
        found.append(Bar(query, at_least, slow / unit, at_least=True))
    text = table(
        [f"{players} players, {rounds} rounds", *ENGINES],
        zip(rows, *columns, strict=True),
    )
    return Part(text, found)


def _beside(players: int, rounds: int, engine: Any) -> dict[str, float]:
    """Processor time by what is done."""
    made = _full(players, rounds)
    ours = file_of(made, engine)
    theirs = _originals(made, ours, rounds, engine)
    quick: dict[str, Callable[[], object]] = {
        "one revaluation": partial(revalue, ours, 1, rounds),
        "a result of the last round corrected": partial(correct, ours, 1, rounds),
        "having the revaluation prepared, once a connection": partial(
            _prepare, ours, count()
        ),
        "one indexed pass over the games": partial(_passed, ours, rounds),
        "the original's update of classical points": partial(
            theirs.execute, original.POINTS, _at(rounds)
        ),
    }
    times = dict(zip(quick, in_turn(quick.values()), strict=True))
    query = partial(_updated, theirs, rounds)
    times["the original's update query"] = cpu(query, least=2, seconds=0)
    return times


def _passed(conn: sqlite3.Connection, rounds: int) -> list[Any]:
    return conn.execute(SUM, _at(rounds)).fetchall()


def _updated(theirs: sqlite3.Connection, rounds: int) -> list[Any]:
    return theirs.execute(original.UPDATE, _at(rounds)).fetchall()


def corrections(players: int, rounds: int) -> Part:
    """A corrected result, which all later tables follow."""
    conn = file_of(season(players=players, rounds=rounds))
    numbers = sorted({1, rounds // 3, 2 * rounds // 3, rounds})
    works = [
        partial(revalue, conn, 1, rounds),
        *(partial(correct, conn, 1, number) for number in numbers),
    ]
    unit, *times = in_turn(works)
    rows = [
        [str(number), figure(time / unit)]
        for number, time in zip(numbers, times, strict=True)
    ]
    claim = f"a corrected result of round 1 / one revaluation, {players} players, {rounds} rounds"
    text = table([f"corrected round, of {rounds}", "time, one revaluation = 1"], rows)
    return Part(text, [Bar(claim, 40, times[0] / unit)])


def by_players(sizes: Sequence[int], rounds: int, unit: int = 50) -> Part:
    """As the club grows."""
    conns = [file_of(_full(size, rounds)) for size in sizes]
    times = in_turn((partial(revalue, conn, 1, rounds) for conn in conns), turns=7)
    rows = _growth(sizes, times, times[sizes.index(unit)])
    claim = f"one revaluation when the players double, {rounds} rounds"
    bar = Bar(claim, 2.3, max(doublings(sizes, times)))
    return Part(table(["players", "one revaluation", "per doubling"], rows), [bar])


def _growth(
    sizes: Sequence[int], times: Sequence[float], one: float
) -> list[list[str]]:
    """A row per size: its time, and by how much it grew while the size doubled."""
    grown = ["", *(f"x {growth:.2f}" for growth in doublings(sizes, times))]
    return [
        [str(size), figure(time / one), step]
        for size, time, step in zip(sizes, times, grown, strict=True)
    ]


def by_rounds(sizes: Sequence[int], players: int) -> Part:
    """As the season gets longer."""
    conns = {size: file_of(_full(players, size)) for size in sizes}
    times = in_turn(
        (partial(revalue, conn, 1, size) for size, conn in conns.items()), turns=7
    )
    passes = in_turn(
        (partial(_passed, conn, size) for size, conn in conns.items()), turns=5
    )
    rows = [
        [*row, figure(passed / times[1])]
        for row, passed in zip(_growth(sizes, times, times[1]), passes, strict=True)
    ]
    text = table(
        ["rounds", "one revaluation", "per doubling", "one indexed pass"], rows
    )
    claim = f"one revaluation when the rounds double, {players} players"
    return Part(text, [Bar(claim, 2.3, max(doublings(sizes, times)))])


def by_tournaments(sizes: Sequence[int], players: int = 40, rounds: int = 10) -> Part:
    """As other tournaments of other clubs come into the file, all with tables of their own."""
    last = season(0, players=players, rounds=rounds)
    others, conns, so_far = empty(), {}, 0
    for size in sizes:
        while so_far < size - 1:
            so_far += 1
            add(others, season(so_far, players=players, rounds=rounds))
        copy = sqlite3.connect(":memory:", isolation_level=None)
        others.backup(copy)
        conns[size] = copy, add(copy, last)
    works: dict[str, tuple[Callable[[sqlite3.Connection, int, int], None], int]] = {
        "one revaluation": (revalue, rounds),
        "a corrected result of the last round": (correct, rounds),
        "a corrected result of round 1": (correct, 1),
    }
    columns, found = [], []
    for name, (work, number) in works.items():
        times = in_turn(
            (partial(work, *conn, number) for conn in conns.values()), turns=15
        )
        columns.append([figure(time / times[0], 3) for time in times])
        claim = f"{name}, {sizes[-1] - 1:,} other tournaments in the file / none"
        if number == rounds:  # what an evening does
            found.append(Bar(claim, 1.2, times[-1] / times[0]))
    rows = zip((f"{size:,}" for size in sizes), *columns, strict=True)
    return Part(table(["tournaments in the file", *works], rows), found)
