"""Standings are right after any edit, in any client: the oracle says so.

That the lines of a score add up to it is proven in test_invariants and test_lines.
"""

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import pytest

from conformance.seasons import Entry, Game, Rules, Season, chain, usual_scoring
from keizer.store import sql, tiebreaks
from tests.support.files import Client, campaign, empty, said, timeless
from tests.support.lists import expected, settled, stored
from tests.support.seasons import random_season, write


def problems(conn: sqlite3.Connection) -> list[str]:
    """What the file itself finds wrong."""
    return [row[0] for row in conn.execute("SELECT problem FROM problems")]


@pytest.mark.parametrize("seed", [*range(6), *campaign(6, 1000)])
def test_random_seasons_agree_with_the_oracle(seed: int) -> None:
    """4 to 60 players, up to 33 rounds, two tournaments that share players."""
    rng = random.Random(seed)
    agree(rng, [random_season(rng, players=range(4, 61)) for _ in range(2)], check=seed % 20 == 0)


@pytest.mark.parametrize("seed", [*range(6), *campaign(6, 2000)])
def test_random_rules_agree_with_the_oracle(seed: int) -> None:
    """Any settings that a file knows, in any combination."""
    rng = random.Random(seed)
    agree(rng, [random_season(rng, players=range(4, 31), options=True)], check=seed % 5 == 0)


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
            (number, player, row.rank, *map(float, (row.value, row.score, row.points)), row.played)
            for number, table in enumerate(after)
            for player, row in sorted(table.items())
        ]
        points = {entry.player: 0.0 for entry in season.entries}
        points |= {player: float(row.points) for player, row in after[-1].items()}
        for table in ("results", "x_player_tournament"):  # where the original keeps them
            query = f"SELECT player_id, score FROM {table} WHERE tournament_id = ?"
            assert dict(conn.execute(query, (tournament,))) == points
    if check:
        assert problems(conn) == []
    conn.close()


def test_every_edit_revalues_at_once(conn: sqlite3.Connection) -> None:
    """Facts written one by one in a random order, round behind round, without the switch."""
    rng = random.Random(7)
    for _ in range(5):
        season = random_season(rng, players=range(4, 9))
        tournament = write(conn, season, bulk=False, rng=rng)
        assert stored(conn, tournament) == expected(season)


def test_a_round_that_was_skipped_breaks_no_chain(conn: sqlite3.Connection) -> None:
    """Games in rounds 1 and 5 alone: the lists of 2 to 4 are there as well, beside a longer one."""
    longer = random_season(random.Random(9), players=range(6, 7))
    assert longer.last_round() > 5
    write(conn, longer)
    season = Season([Entry(player) for player in (1, 2, 3, 4)])
    season.games = [Game(1, 1, 2, "0-1"), Game(5, 3, 1, "1-0")]
    own = write(conn, season)
    assert stored(conn, own) == expected(season)
    assert problems(conn) == []
    conn.execute("DELETE FROM round WHERE round_number = 1 AND tournament_id = ?", (own,))
    season.games.pop(0)
    assert stored(conn, own) == expected(season)


@pytest.fixture(scope="module")
def twelve_rounds() -> Season:
    """The first twelve of 30 rounds or more, of 24 players."""
    rng = random.Random(30)
    while True:
        season = random_season(rng, players=range(24, 25))
        played = {game.round_number for game in season.games if game.result == "1-0"}
        if season.last_round() >= 30 and {1, 2, 3, 4} <= played:
            return replace(until(season, 12), scoring=usual_scoring())


def until(season: Season, last: int) -> Season:
    """The rounds of a season up to one."""
    return replace(
        season,
        games=[game for game in season.games if game.round_number <= last],
        unplayed={key: kind for key, kind in season.unplayed.items() if key[0] <= last},
    )


EDITS = {
    "a game deleted": "DELETE FROM round WHERE round_number = 2 AND board = 1",
    "a game moved to a later round": "UPDATE round SET round_number = 13 WHERE rowid = ("
    " SELECT rowid FROM round WHERE round_number = 2 AND NOT EXISTS (SELECT 1 FROM"
    " x_player_tournament WHERE player_id IN (white, black) AND last_round IS NOT NULL))",
    "players swapped": "UPDATE round SET white = black, black = white WHERE round_number = 3",
    "a kind changed": "UPDATE unplayed SET kind = 'unexcused' WHERE kind = 'excused'",
    "unplayed rounds deleted": "DELETE FROM unplayed WHERE round_number < 9",
    "a rule changed": "UPDATE rules SET step = 2, top_value = 'n'",
    "a factor changed": "UPDATE scoring SET factor = '1/6' WHERE kind = 'excused'",
    "a start rank set": "UPDATE x_player_tournament SET start_rank = 1 WHERE player_id = 9",
    "a start rating changed": "UPDATE x_player_tournament SET rating = 2500 WHERE player_id = 8",
    "iterated": "UPDATE rules SET recalculation = 'latest', last_resort = 'shared'",
    "a cap set": "UPDATE scoring SET season_cap = 1, instead = 'bye' WHERE kind = 'excused'",
    "a correction made": "INSERT INTO correction (tournament_id, player_id, points, round_number)"
    " VALUES (1, 3, -4, 5)",
    "an exception made": "INSERT INTO exception (tournament_id, player_id, kind, counts_as)"
    " VALUES (1, 3, 'excused', 'unexcused'), (1, 4, 'club duty', 'bye')",
    "a period begun": "INSERT INTO period (tournament_id, first_round, scores, start)"
    " VALUES (1, 9, 'reset', 'rating')",
    "the withdrawn out": "UPDATE rules SET withdrawn = 'out';"
    " UPDATE x_player_tournament SET status = 'withdrawn' WHERE player_id = 1",
    "a player entered": "INSERT INTO player (id, name) VALUES (99, 'New');"
    " INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (99, 1)",
}


@pytest.mark.parametrize("mode", ["classic", "settled", "latest", "frozen", "lagged", "fixed"])
def test_round_1_corrected_in_another_client(client: Client, tmp_path: Path, mode: str) -> None:
    """All later rankings follow; changed back, the file is the same but for when that was."""
    season = until(random_season(random.Random(12), players=range(12, 13)), 8)
    season.rules.recalculation = mode
    db = tmp_path / "season.db"
    conn = sqlite3.connect(db, isolation_level=None)
    conn.executescript(f"BEGIN; {sql.script()}")
    write(conn, season)
    conn.execute("COMMIT")
    before, game = timeless(said(conn)), season.games[0]
    kept, game.result = game.result, "0-1" if game.result == "1-0" else "1-0"
    edit = "UPDATE round SET result = '{}' WHERE round_number = 1 AND white = " + f"{game.white}"
    assert client(db, [edit.format(game.result)]) == ["ok"]
    assert stored(conn, 1) == expected(season)
    assert settled(conn, 1) == chain(season).settling
    assert timeless(said(conn)) != before
    conn.execute(edit.format(kept))
    assert timeless(said(conn)) == before
    conn.close()


@pytest.mark.parametrize("recursive", [False, True])
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_an_edit_leaves_what_a_full_recomputation_gives(
    conn: sqlite3.Connection, twelve_rounds: Season, edit: str, recursive: bool
) -> None:
    """Whatever the client's setting of recursive_triggers (sqlite-utils: on)."""
    conn.execute(f"PRAGMA recursive_triggers = {recursive:d}")
    write(conn, twelve_rounds)
    before = stored(conn, 1)
    tiebreaks.compute_all(conn)
    conn.executescript(edit)
    found = stored(conn, 1)
    assert found != before
    conn.execute("INSERT INTO revalue VALUES (1, 0)")
    assert stored(conn, 1) == found
    assert problems(conn) == []


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


@pytest.mark.parametrize("mode", ["settled", "latest"])
def test_the_last_round_takes_its_tables_along_and_no_others(
    conn: sqlite3.Connection, mode: str
) -> None:
    """Of three seasons, each with a tie-break, the second and shortest loses its last round."""
    rng = random.Random(3)
    seasons = [random_season(rng, players=range(8, 9), most_rounds=7) for _ in range(3)]
    seasons.sort(key=Season.last_round)
    seasons[:2] = seasons[1], seasons[0]
    assert seasons[1].last_round() < seasons[0].last_round() < seasons[2].last_round()
    for season in seasons:
        season.rules.recalculation, season.rules.tiebreaks = mode, "points,bh,sb"
        write(conn, season)

    def computed(file: sqlite3.Connection, tournament: int) -> list[list[tuple[object, ...]]]:
        return [
            file.execute(f"SELECT * FROM {table} WHERE tournament_id = ?", (tournament,)).fetchall()
            for table in ("ranking_list", "settling", "tiebreak_value")
        ]

    others = computed(conn, 1), computed(conn, 3)
    season = seasons[1]
    last = season.last_round()
    for fact in ("unplayed", "round"):
        conn.execute(f"DELETE FROM {fact} WHERE tournament_id = 2 AND round_number = ?", (last,))
    season.games = [game for game in season.games if game.round_number < last]
    season.unplayed = {key: kind for key, kind in season.unplayed.items() if key[0] < last}
    with closing(empty()) as fresh:
        for each in seasons:
            write(fresh, each)
        assert computed(conn, 2) == computed(fresh, 2)
    assert all(computed(conn, 2))
    assert (computed(conn, 1), computed(conn, 3)) == others


ROUNDS = [(), ("bye",), (None,), ("bye", None), ("1-0",), ("bye", "1-0")]
"""What a round of three players can be: without anything, a bye, an open game, a result."""


def switch(conn: sqlite3.Connection, tournament: int, state: str) -> None:
    """Turn the revaluation of a tournament on or off."""
    conn.execute("UPDATE tournament SET revaluation = ? WHERE id = ?", (state, tournament))


@pytest.mark.seeds
@pytest.mark.parametrize(
    "last", [2, pytest.param(3, marks=pytest.mark.campaign)], ids="{} rounds".format
)
def test_latest_settles_from_the_last_round_that_was_played(
    conn: sqlite3.Connection, last: int
) -> None:
    """Every way that a number of rounds can come about, in every order; and the last taken back."""
    entries = [Entry(1, 2000), Entry(2, 1900), Entry(3, 1800)]
    for rounds, order in product(product(ROUNDS, repeat=last), permutations(range(last))):
        season = Season(entries, [], rules=Rules(recalculation="latest"))
        conn.execute("SAVEPOINT one")
        own = write(conn, season)
        for number, facts in [(index + 1, rounds[index]) for index in order]:
            for fact in facts:
                if number > season.last_round() + 1:  # rounds in any order: so they may come
                    switch(conn, own, "suspended")
                if fact == "bye":
                    season.unplayed[number, 3] = fact
                    conn.execute(
                        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
                        " VALUES (?, ?, 3, 'bye')",
                        (own, number),
                    )
                else:
                    season.games.append(Game(number, 1, 2, fact))
                    conn.execute(
                        "INSERT INTO round (tournament_id, round_number, white, black, result)"
                        " VALUES (?, ?, 1, 2, ?)",
                        (own, number, fact),
                    )
                switch(conn, own, "on")
            assert {*settled(conn, own)} == {*chain(season).settling}, (rounds, order)
            assert stored(conn, own) == expected(season)
        last_round = season.last_round()
        for table in ("round", "unplayed"):
            taken = f"DELETE FROM {table} WHERE tournament_id = ? AND round_number = ?"
            conn.execute(taken, (own, last_round))
        season = until(season, last_round - 1)
        assert {*settled(conn, own)} == {*chain(season).settling}, (rounds, order)
        assert stored(conn, own) == expected(season)
        conn.execute("ROLLBACK TO one")
        conn.execute("RELEASE one")


def test_a_new_rating_list_does_not_rewrite_the_season(conn: sqlite3.Connection) -> None:
    """Ratings count for the start order until a round is paired, then no more."""
    start = "SELECT player_id FROM ranking_list WHERE round_number = 0 ORDER BY rank"
    conn.executescript(
        "INSERT INTO tournament (description) VALUES ('Club');"
        "INSERT INTO player (name, rating) VALUES ('A', 1500), ('B', 1500);"
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1), (2, 1);"
        "UPDATE player SET rating = 1600 WHERE id = 2;"
    )
    assert conn.execute(start).fetchall() == [(2,), (1,)]
    conn.executescript(
        "INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, 1, 1, 2);"
        "UPDATE player SET rating = 2000 WHERE id = 1;"
    )
    assert conn.execute(start).fetchall() == [(2,), (1,)]


def test_vacuum_changes_no_owner(tmp_path: Path, twelve_rounds: Season) -> None:
    """The original relied on implicit rowids, which VACUUM renumbers."""
    conn = sqlite3.connect(tmp_path / "season.db", isolation_level=None)
    conn.executescript(sql.script())
    write(conn, twelve_rounds)
    conn.execute("DELETE FROM round WHERE round_number = 1 AND board = 1")
    before = conn.execute("SELECT * FROM standings").fetchall()
    conn.execute("VACUUM")
    conn.execute("INSERT INTO revalue VALUES (1, 0)")
    assert conn.execute("SELECT * FROM standings").fetchall() == before
    conn.close()
