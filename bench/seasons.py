"""Seasons of made-up clubs, and files of them with every trigger of the file.

The same numbers make the same season. The stronger win more often, neighbours in
the table meet, and who is left over has the bye.
"""

import sqlite3
from random import Random
from typing import Any

from conformance.seasons import Entry, Game, Season
from keizer.store import sql
from keizer.store.log import journal
from tests.support.seasons import write

DRAWS = 0.3
"""The share of the games."""
KINDS = ("excused", "excused", "unexcused", "club duty")


def score(rng: Random, white: float, black: float) -> float:
    """What White gets, by the ratings: a draw, or what the difference lets expect."""
    expected = 1 / (1 + 10 ** ((black - white) / 400))
    if rng.random() < DRAWS:
        return 0.5
    return float(rng.random() < expected)


def season(
    club: int = 0, *, players: int = 40, rounds: int = 33, presence: float = 0.9
) -> Season:
    """A season of a club, with players of its own. presence: of the members each evening."""
    rng = Random(club)  # noqa: S311
    members = range(players * club + 1, players * (club + 1) + 1)
    rating = {
        player: max(800, min(2700, round(rng.gauss(1600, 300)))) for player in members
    }
    made = Season([Entry(player, rating[player]) for player in members])
    form = {player: float(rating[player]) for player in members}
    for number in range(1, rounds + 1):
        here = []
        for player in members:
            if rng.random() < presence:
                here.append(player)
            else:
                made.unplayed[number, player] = rng.choice(KINDS)
        tonight = {player: form[player] + rng.gauss(0, 120) for player in here}
        here.sort(key=tonight.__getitem__, reverse=True)
        if len(here) % 2:
            made.unplayed[number, here.pop()] = "bye"
        for pair in zip(here[::2], here[1::2], strict=True):
            white, black = rng.sample(pair, 2)
            won = score(rng, rating[white], rating[black])
            made.games.append(
                Game(number, white, black, {0: "0-1", 0.5: "½-½", 1: "1-0"}[won])
            )
            form[white] += 40 * (won - 0.5)
            form[black] -= 40 * (won - 0.5)
    return made


def empty(engine: Any = sqlite3) -> sqlite3.Connection:
    """A new file in memory. engine: sqlite3 or a module like it."""
    conn: sqlite3.Connection = engine.connect(":memory:", isolation_level=None)
    conn.executescript(f"BEGIN; {sql.script()} COMMIT;")
    return conn


def file_of(made: Season, engine: Any = sqlite3) -> sqlite3.Connection:
    """A file in memory that has this season as its tournament 1."""
    conn = empty(engine)
    add(conn, made)
    return conn


def add(conn: sqlite3.Connection, made: Season) -> int:
    """Write a season, with its tables, as one command does; the id of the tournament."""
    conn.execute("BEGIN")
    journal.begin(conn)
    tournament = write(conn, made)
    journal.describe(conn, "a season")
    journal.end(conn, undoable=False)
    conn.execute("COMMIT")
    return tournament
