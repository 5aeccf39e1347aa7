"""Random seasons: facts for the oracle, and the same facts in a file."""

import random
import sqlite3
from fractions import Fraction

from tests.oracle import SIDES, Entry, Game, Scoring, Season

KINDS = ["excused", "unexcused", "club duty"]
FACTORS = ["0", "0.5", "1", "1/3", "2/3", "1/6", "0.333", ".667", "0.35", "5/6", "1.25"]


def random_season(rng: random.Random, *, players: range, first_id: int = 1) -> Season:
    """A season as clubs have them: absences, late entries, withdrawals, byes."""
    top_values: list[str | Fraction] = ["n", "1.5(n-1)", Fraction(50)]
    season = Season(
        top_value=rng.choice([*top_values, Fraction(rng.randint(5, 200), 2)]),
        step=Fraction(rng.choice(["1", "1", "2", "0.5"])),
        floor=Fraction(rng.choice([0, 1, 5])),
    )
    if rng.random() < 0.5:
        for kind in season.scoring:
            chosen = Scoring(
                Fraction(rng.choice(FACTORS)),
                Fraction(rng.choice([0, 0, 0, 1, 20])),
                season.scoring[kind].points,
            )
            season.scoring[kind] = chosen
    count, rounds = rng.choice(players), rng.randint(1, 33)
    for player in range(first_id, first_id + count):
        late = rng.random() < 0.15
        season.entries.append(
            Entry(
                player,
                rating=rng.choice([None, rng.randint(800, 2400), rng.randint(15, 18) * 100]),
                start_rank=rng.randint(1, count) if rng.random() < 0.1 else None,
                first_round=rng.randint(2, rounds + 2) if late else 1,
            )
        )
        if rng.random() < 0.1:
            season.entries[-1].last_round = rng.randint(0, rounds)
    for number in range(1, rounds + 1):
        if rng.random() < 0.03:
            continue  # a club night that fell through
        free = []
        for entry in season.entries:
            leaves = number if entry.last_round is None else entry.last_round
            if not entry.first_round <= number <= leaves:
                continue
            if rng.random() < 0.2:
                season.unplayed[number, entry.player] = rng.choice(KINDS)
            else:
                free.append(entry.player)
        rng.shuffle(free)
        if len(free) % 2:
            season.unplayed[number, free.pop()] = "bye"
        for white, black in zip(free[::2], free[1::2], strict=True):
            result = None if rng.random() < 0.02 else rng.choice(["1-0", "0-1", "½-½", *SIDES])
            season.games.append(Game(number, white, black, result))
    return season


def _decimal(number: Fraction) -> str | float:
    """As a club would type it: a decimal where that is exact, else a fraction."""
    exact = number * 1000
    return float(number) if exact.denominator == 1 else f"{number.numerator}/{number.denominator}"


def write(
    conn: sqlite3.Connection, season: Season, *, bulk: bool = True, rng: random.Random | None = None
) -> int:
    """Write the facts as any SQL client could; the id of the tournament.

    bulk: with the revaluation suspended meanwhile; rng: in a random order.
    """
    added = conn.execute("INSERT INTO tournament (description) VALUES ('season')")
    tournament = added.lastrowid or 0
    if bulk:
        conn.execute("UPDATE tournament SET revaluation = 'suspended' WHERE id = ?", (tournament,))
    conn.execute(
        "UPDATE rules SET top_value = ?, step = ?, floor_value = ? WHERE tournament_id = ?",
        (
            season.top_value if isinstance(season.top_value, str) else float(season.top_value),
            float(season.step),
            float(season.floor),
            tournament,
        ),
    )
    for kind, scoring in season.scoring.items():
        conn.execute(
            "UPDATE scoring SET factor = ?, fixed = ?, points = ?"
            " WHERE tournament_id = ? AND kind = ?",
            (
                _decimal(scoring.factor),
                float(scoring.fixed),
                float(scoring.points),
                tournament,
                kind,
            ),
        )
    for entry in season.entries:
        conn.execute(
            "INSERT INTO player (id, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (entry.player, f"Player {entry.player}"),
        )
        conn.execute(
            "INSERT INTO x_player_tournament"
            " (player_id, tournament_id, rating, start_rank, first_round, last_round)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                entry.player,
                tournament,
                entry.rating,
                entry.start_rank,
                entry.first_round,
                entry.last_round,
            ),
        )
    facts: list[tuple[str, tuple[object, ...]]] = [
        (
            "INSERT INTO round (tournament_id, round_number, white, black, result)"
            " VALUES (?, ?, ?, ?, ?)",
            (tournament, game.round_number, game.white, game.black, game.result),
        )
        for game in season.games
    ]
    facts += [
        (
            "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
            " VALUES (?, ?, ?, ?)",
            (tournament, number, player, kind),
        )
        for (number, player), kind in season.unplayed.items()
    ]
    if rng:
        rng.shuffle(facts)
    for statement, values in facts:
        conn.execute(statement, values)
    if bulk:
        conn.execute("UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,))
    return tournament
