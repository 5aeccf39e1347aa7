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

from conformance.seasons import Entry, Game, Season
from keizer.store import sql
from tests.support.seasons import insert, write

FIRST = [
    "Judit", "Hans", "Amira", "Piet", "Tomasz", "Élise", "Kwame", "Ingrid", "Lars", "Mei", "Ivo",
    "Noor",
]  # fmt: skip
LAST = [
    "Baker", "van den Berg", "Novák", "Okafor", "Lindqvist", "de Wit", "Moreau", "Schäfer", "Rossi",
    "O'Hara", "Yılmaz", "Petersen",
]  # fmt: skip
NAMES = [
    f"{first} {LAST[(index + 5 * turn) % 12]}"
    for turn in range(6)
    for index, first in enumerate(FIRST)
]


def write_club(
    db: Path, names: Sequence[str], rounds: int, absent: range = range(10)
) -> None:
    """A file with a number of rounds, all published, the last still open; two more are planned.

    The stronger win more often, and neighbours meet, as on club nights; as many as
    `absent` says are away from each round. The same names make the same season.
    """
    rng = random.Random(len(names) + rounds)
    season = Season()
    rating = {player: round(rng.gauss(1600, 300)) for player, _ in enumerate(names, 1)}
    season.entries = [Entry(player, worth) for player, worth in rating.items()]
    for number in range(1, rounds + 1):
        away = rng.sample([*rating], k=rng.choice(absent))
        here = [player for player in rating if player not in away]
        here.sort(key=lambda player: rating[player] + rng.gauss(0, 250))
        if len(here) % 2:
            season.unplayed[number, here.pop(0)] = "bye"
        for player in away:
            kind = rng.choice(["excused", "excused", "unexcused", "club duty"])
            season.unplayed[number, player] = kind
        for index in range(len(here) - 2, -1, -2):
            white, black = rng.sample(here[index : index + 2], k=2)
            luck = rating[white] - rating[black] + rng.gauss(30, 250)
            result = "½-½" if abs(luck) < 60 else "1-0" if luck > 0 else "0-1"
            season.games.append(
                Game(number, white, black, result if number < rounds else None)
            )
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        conn.executescript(f"BEGIN; {sql.script()}")
        write(conn, season, names=dict(enumerate(names, 1)))
        conn.execute("UPDATE tournament SET description = 'Club championship'")
        conn.execute(
            "UPDATE player SET rating = entry.rating, category = iif(entry.rating < 1600, 'B', 'A')"
            " FROM x_player_tournament AS entry WHERE entry.player_id = player.id"
        )
        for number in range(1, rounds + 3):
            day = date(2026, 9, 4) + timedelta(weeks=number - 1)
            out = "2026-09-01 18:00:00" if number <= rounds else None
            row = {"round_number": number, "date": day.isoformat(), "published_at": out}
            insert(conn, "schedule", tournament_id=1, **row)
        conn.execute("COMMIT")


if __name__ == "__main__":
    file, players, rounds = sys.argv[1:]
    write_club(Path(file), NAMES[: int(players)], int(rounds))
