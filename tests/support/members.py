"""A club of invented people, and its season as facts in a file.

As a program it makes one: python -m tests.support.members FILE PLAYERS ROUNDS
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
    "Judit", "Hans", "Amira", "Piet", "Tomasz", "Élise", "Kwame", "Ingrid", "Lars",
    "Mei", "Ivo", "Noor",
]  # fmt: skip
LAST = [
    "Baker", "van den Berg", "Novák", "Okafor", "Lindqvist", "de Wit", "Moreau",
    "Schäfer", "Rossi", "O'Hara", "Yılmaz", "Petersen",
]  # fmt: skip
NAMES = [
    f"{first} {LAST[(index + 5 * turn) % 12]}"
    for turn in range(6)
    for index, first in enumerate(FIRST)
]


def write_club(
    db: Path, names: Sequence[str], rounds: int, absent: range = range(10)
) -> None:
    """Write a file with published rounds, the last still open, and two more planned.

    The stronger win more often, and neighbours meet, as on club nights. The same names
    make the same season.

    Args:
        db: The file, which is new.
        names: Of the members.
        rounds: The number of rounds.
        absent: How many may be away from a round.
    """
    season = _season(len(names), rounds, absent)
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        conn.executescript(f"BEGIN; {sql.script()}")
        write(conn, season, names=dict(enumerate(names, 1)))
        conn.execute("UPDATE tournament SET description = 'Club championship'")
        conn.execute(
            "UPDATE player SET rating = entry.rating,"
            " category = iif(entry.rating < 1600, 'B', 'A')"
            " FROM x_player_tournament AS entry WHERE entry.player_id = player.id"
        )
        for number in range(1, rounds + 3):
            day = date(2026, 9, 4) + timedelta(weeks=number - 1)
            insert(
                conn,
                "schedule",
                tournament_id=1,
                round_number=number,
                date=day.isoformat(),
                published_at="2026-09-01 18:00:00" if number <= rounds else None,
            )
        conn.execute("COMMIT")


def _season(players: int, rounds: int, absent: range) -> Season:
    """Return a season with the last round still open."""
    rng = random.Random(players + rounds)
    season = Season()
    ratings = {player: round(rng.gauss(1600, 300)) for player in range(1, players + 1)}
    season.entries = [Entry(player, rating) for player, rating in ratings.items()]
    for number in range(1, rounds + 1):
        away = rng.sample([*ratings], k=rng.choice(absent))
        present = [player for player in ratings if player not in away]
        present.sort(key=lambda player: ratings[player] + rng.gauss(0, 250))
        if len(present) % 2:
            season.unplayed[number, present.pop(0)] = "bye"
        for player in away:
            kind = rng.choice(["excused", "excused", "unexcused", "club duty"])
            season.unplayed[number, player] = kind
        for index in range(len(present) - 2, -1, -2):
            white, black = rng.sample(present[index : index + 2], k=2)
            difference = ratings[white] - ratings[black]
            result = _result(rng, difference)
            is_open = number == rounds
            game = Game(number, white, black, None if is_open else result)
            season.games.append(game)
    return season


def _result(rng: random.Random, difference: int) -> str:
    """Return a result by the difference in rating and luck, White a little ahead."""
    advantage = difference + rng.gauss(30, 250)
    if abs(advantage) < 60:
        return "½-½"
    return "1-0" if advantage > 0 else "0-1"


if __name__ == "__main__":
    file, players, rounds = sys.argv[1:]
    write_club(Path(file), NAMES[: int(players)], int(rounds))
