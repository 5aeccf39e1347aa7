"""Standings are right after any edit, in any client: the oracle says so.

That it is one by one as in a recomputation, and that the lines of a score add up to it, is
proven in test_invariants and test_lines.
"""

import random
import sqlite3
from pathlib import Path

import pytest

from conformance.seasons import Season, chain
from keizer.store import sql
from tests.support.files import Client, campaign, dump_connection, empty, timeless
from tests.support.lists import expected, settled, stored
from tests.support.seasons import random_season, write


def problems(conn: sqlite3.Connection) -> list[str]:
    """What the file itself finds wrong."""
    return [row[0] for row in conn.execute("SELECT problem FROM problems")]


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 1000)])
def test_random_seasons_agree_with_the_oracle(seed: int) -> None:
    """4 to 60 players, up to 33 rounds, two tournaments that share players."""
    rng = random.Random(seed)
    agree(
        rng,
        [random_season(rng, players=range(4, 61)) for _ in range(2)],
        check=seed % 20 == 0,
    )


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 2000)])
def test_random_rules_agree_with_the_oracle(seed: int) -> None:
    """Any settings that a file knows, in any combination."""
    rng = random.Random(seed)
    agree(
        rng,
        [random_season(rng, players=range(4, 31), options=True)],
        check=seed % 5 == 0,
    )


def agree(rng: random.Random, seasons: list[Season], *, check: bool) -> None:
    """Assert that a file with these facts has the tables of the oracle, to the unit.

    The public views have the oracle's numbers as the nearest decimals.
    """
    conn = empty()
    ids = [write(conn, season, rng=rng) for season in seasons]
    for tournament, season in zip(ids, seasons, strict=True):
        found = chain(season)
        after = found.tables
        assert stored(conn, tournament) == expected(season, after)
        assert settled(conn, tournament) == found.settling
        standings = conn.execute(
            "SELECT round_number, player_id, rank, value, score, points, played FROM standings"
            " WHERE tournament_id = ? ORDER BY round_number, player_id",
            (tournament,),
        )
        assert standings.fetchall() == [
            (
                number,
                player,
                row.rank,
                *map(float, (row.value, row.score, row.points)),
                row.played,
            )
            for number, table in enumerate(after)
            for player, row in sorted(table.items())
        ]
        points = {entry.player: 0.0 for entry in season.entries}
        points |= {player: float(row.points) for player, row in after[-1].items()}
        # Where the original keeps them.
        for table in ("results", "x_player_tournament"):
            query = f"SELECT player_id, score FROM {table} WHERE tournament_id = ?"
            assert dict(conn.execute(query, (tournament,))) == points
    if check:
        assert problems(conn) == []
    conn.close()


@pytest.mark.parametrize(
    "mode", ["classic", "settled", "latest", "frozen", "lagged", "fixed"]
)
def test_round_1_corrected_in_another_client(
    client: Client, tmp_path: Path, mode: str
) -> None:
    """All later rankings follow; changed back, the file is the same but for when that was."""
    season = random_season(random.Random(12), players=range(12, 13), most_rounds=8)
    season.rules.recalculation = mode
    db = tmp_path / "season.db"
    conn = sqlite3.connect(db, isolation_level=None)
    conn.executescript(f"BEGIN; {sql.script()}")
    write(conn, season)
    conn.execute("COMMIT")
    before, game = timeless(dump_connection(conn)), season.games[0]
    kept, game.result = game.result, "0-1" if game.result == "1-0" else "1-0"
    edit = f"UPDATE round SET result = '{{}}' WHERE round_number = 1 AND white = {game.white}"
    assert client(db, [edit.format(game.result)]) == ["ok"]
    assert stored(conn, 1) == expected(season)
    assert settled(conn, 1) == chain(season).settling
    assert timeless(dump_connection(conn)) != before
    conn.execute(edit.format(kept))
    assert timeless(dump_connection(conn)) == before
    conn.close()


def test_the_switch_suspends_and_revalues_once(conn: sqlite3.Connection) -> None:
    """While it is off the file says from which round it is behind; other tournaments are not."""
    season = random_season(random.Random(5), players=range(10, 11))
    write(conn, season)
    write(conn, random_season(random.Random(6), players=range(4, 5)))
    before = stored(conn, 1)
    conn.execute("UPDATE tournament SET revaluation = 'suspended' WHERE id = 1")
    first = next(game for game in season.games if game.round_number > 1)
    last = season.games[-1]
    stale = []
    for game, result in ((last, "0-0"), (first, "0-1"), (first, "½-½"), (last, "½-½")):
        conn.execute(
            "UPDATE round SET result = ? WHERE tournament_id = 1 AND round_number = ?"
            " AND white = ?",
            (result, game.round_number, game.white),
        )
        game.result = result
        stale.append(conn.execute("SELECT * FROM revalue").fetchall())
    conn.execute("UPDATE round SET result = '0-0' WHERE tournament_id = 2")
    assert stored(conn, 1) == before
    assert stale == [[(1, last.round_number)], *[[(1, first.round_number)]] * 3]
    assert first.round_number < last.round_number
    assert "suspended" in problems(conn)[0]
    states = conn.execute("SELECT id, revaluation FROM tournament").fetchall()
    assert states == [(1, "suspended"), (2, "on")]
    conn.execute("UPDATE tournament SET revaluation = 'on' WHERE id = 1")
    assert stored(conn, 1) == expected(season)
    assert conn.execute("SELECT * FROM revalue").fetchall() == []
    assert problems(conn) == []


def test_vacuum_changes_no_owner(tmp_path: Path) -> None:
    """The original relied on implicit rowids, which VACUUM renumbers."""
    conn = sqlite3.connect(tmp_path / "season.db", isolation_level=None)
    conn.executescript(sql.script())
    write(conn, random_season(random.Random(12), players=range(12, 13)))
    conn.execute("DELETE FROM round WHERE round_number = 1 AND board = 1")
    before = conn.execute("SELECT * FROM standings").fetchall()
    conn.execute("VACUUM")
    conn.execute("INSERT INTO revalue VALUES (1, 0)")
    assert conn.execute("SELECT * FROM standings").fetchall() == before
    conn.close()
