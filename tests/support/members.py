"""A club of invented people, and its season as facts in a file.

As a program, makes one: python -m tests.support.members FILE PLAYERS ROUNDS
"""

import random
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

from keizer.store import sql

FIRST = [
    "Judit", "Hans", "Amira", "Piet", "Tomasz", "Élise", "Kwame", "Ingrid", "Lars", "Mei", "Ivo",
    "Noor",
]  # fmt: skip
LAST = [
    "Baker", "van den Berg", "Novák", "Okafor", "Lindqvist", "de Wit", "Moreau", "Schäfer", "Rossi",
    "O'Hara", "Yılmaz", "Petersen",
]  # fmt: skip
NAMES = [
    f"{first} {LAST[(at + 5 * turn) % 12]}" for turn in range(6) for at, first in enumerate(FIRST)
]


def write_club(db: Path, names: Sequence[str], rounds: int, absent: range = range(10)) -> None:
    """A file of so many rounds, all published, the last still open; two more are planned.

    The stronger win more often, and neighbours meet, as on club nights; so many as
    `absent` says are away from each round. The same names make the same season.
    """
    rng = random.Random(len(names) + rounds)
    ratings = [round(rng.gauss(1600, 300)) for _ in names]
    games, unplayed = [], []
    for number in range(1, rounds + 1):
        away = rng.sample(range(len(names)), k=rng.choice(absent))
        here = [player for player in range(len(names)) if player not in away]
        here.sort(key=lambda player: ratings[player] + rng.gauss(0, 250))
        if len(here) % 2:
            unplayed.append((number, here.pop(0), "bye"))
        kinds = ["excused", "excused", "unexcused", "club duty"]
        unplayed += [(number, player, rng.choice(kinds)) for player in away]
        for board, at in enumerate(range(len(here) - 2, -1, -2), start=1):
            white, black = rng.sample(here[at : at + 2], k=2)
            luck = ratings[white] - ratings[black] + rng.gauss(30, 250)
            result = "½-½" if abs(luck) < 60 else "1-0" if luck > 0 else "0-1"
            games.append((number, board, white, black, result if number < rounds else None))
    _write(db, list(zip(names, ratings, strict=True)), games, unplayed)


def _write(
    db: Path,
    players: Sequence[tuple[str, int]],
    games: Sequence[tuple[int, int, int, int, str | None]],
    unplayed: Sequence[tuple[int, int, str]],
) -> None:
    """The facts, in plain SQL; players are numbered from 0 here and from 1 in the file."""
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        conn.executescript(f"BEGIN; {sql.script()}")
        conn.execute(
            "INSERT INTO tournament (id, description, revaluation)"
            " VALUES (1, 'Club championship', 'suspended')"
        )
        for at, (name, rating) in enumerate(players, start=1):
            conn.execute(
                "INSERT INTO player (id, name, category, rating) VALUES (?, ?, ?, ?)",
                (at, name, "AB"[rating < 1600], rating),
            )
            conn.execute(
                "INSERT INTO x_player_tournament (player_id, tournament_id, rating)"
                " VALUES (?, 1, ?)",
                (at, rating),
            )
        conn.executemany(
            "INSERT INTO round (tournament_id, round_number, board, white, black, result)"
            " VALUES (1, ?, ?, ? + 1, ? + 1, ?)",
            games,
        )
        conn.executemany(
            "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
            " VALUES (1, ?, ? + 1, ?)",
            unplayed,
        )
        first = date(2026, 9, 4)
        conn.executemany(
            "INSERT INTO schedule (tournament_id, round_number, date, published_at)"
            " VALUES (1, ?, ?, CASE WHEN ? THEN '2026-09-01 18:00:00' END)",
            [
                (number, (first + timedelta(weeks=number - 1)).isoformat(), number <= games[-1][0])
                for number in range(1, games[-1][0] + 3)
            ],
        )
        conn.execute("UPDATE tournament SET revaluation = 'on'")
        conn.execute("COMMIT")


if __name__ == "__main__":
    file, players, rounds = sys.argv[1:]
    write_club(Path(file), NAMES[: int(players)], int(rounds))
