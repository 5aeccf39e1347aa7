"""Random seasons: facts for the oracle, and the same facts in a file."""

import random
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from keizer.store import tiebreaks
from tests.support.oracle import (
    SIDES,
    Correction,
    Entry,
    Game,
    Period,
    Rules,
    Scoring,
    Season,
    usual_scoring,
)

KINDS = ["excused", "unexcused", "club duty"]
NEW_KINDS = ["late notice", "match director", "holiday"]
RESULTS = [result for result in SIDES if result != "adj"]
FACTORS = ["0", "0.5", "1", "1/3", "2/3", "1/6", "0.333", ".667", "0.35", "5/6", "1.25"]
TIEBREAKS = [
    "previous", "rating", "start", "wins", "played", "mutual", "value-sb", "opponents", "lot",
]  # fmt: skip
ITERATED = ["settled", "settled", "complete", "latest"]
ONE_PASS = ["classic", "classic", "frozen", "fixed", "lagged"]


def random_season(
    rng: random.Random,
    *,
    players: range,
    first_id: int = 1,
    most_rounds: int = 33,
    options: bool = False,
) -> Season:
    """A season as clubs have them: absences, late entries, withdrawals, byes.

    options: with any of the settings that a file knows, in any combination;
    about half of these seasons are small, as iterated ones have to be.
    """
    top_values: list[str | Fraction] = ["n", "1.5(n-1)", Fraction(50)]
    season = Season(
        rules=Rules(
            top_value=rng.choice([*top_values, Fraction(rng.randint(5, 200), 2)]),
            step=Fraction(rng.choice(["1", "1", "2", "0.5"])),
            floor_value=Fraction(rng.choice([0, 1, 5])),
        )
    )
    if rng.random() < 0.5:
        for kind, scoring in season.scoring.items():
            if kind not in ("aalsmeer", "adjourned"):
                scoring.factor = Fraction(rng.choice(FACTORS))
                scoring.fixed = Fraction(rng.choice([0, 0, 0, 1, 20]))
    count, rounds = rng.choice(players), rng.randint(1, most_rounds)
    if options and rng.random() < 0.5:
        count, rounds = rng.choice(players[:21]), rng.randint(1, min(14, most_rounds))
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
    _random_rounds(rng, season, rounds)
    if options:
        random_options(rng, season)
    return season


def _random_rounds(rng: random.Random, season: Season, rounds: int) -> None:
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
            result = None if rng.random() < 0.02 else rng.choice(["1-0", "0-1", "½-½", *RESULTS])
            season.games.append(Game(number, white, black, result))


def random_options(rng: random.Random, season: Season) -> None:
    """Any of the settings, each now and then, so that they meet each other."""
    _random_rules(rng, season)
    _random_scoring(rng, season)
    players, last = [entry.player for entry in season.entries], season.last_round()
    for game in season.games:
        if game.result and rng.random() < 0.05:
            game.result = "adj"
    if rng.random() < 0.3:
        unplayed = [
            kind for kind in season.scoring if season.scoring[kind].applies_to == "unplayed"
        ]
        for player in rng.sample(players, k=min(3, len(players))):
            kind, counts_as = rng.sample(unplayed, k=2)
            season.personal[player, kind] = counts_as
    if rng.random() < 0.3:
        for player in rng.sample(players, k=min(4, len(players))):
            first = rng.randint(0, last + 1)
            season.corrections.append(
                Correction(
                    player,
                    first,
                    Fraction(rng.choice(["-20", "-1", "0.125", "2.5", "10", "60"])),
                    rng.choice([None, None, first + rng.randint(0, 5)]),
                )
            )
    if rng.random() < 0.3:
        for first in sorted(rng.sample(range(1, last + 3), k=min(rng.randint(1, 3), last + 2))):
            season.periods.append(
                Period(first, rng.choice(["carry", "reset"]), rng.choice(["ranking", "rating"]))
            )


def _random_rules(rng: random.Random, season: Season) -> None:
    rules = season.rules

    def sometimes(chance: float, name: str, *choices: Any) -> None:
        if rng.random() < chance:
            setattr(rules, name, rng.choice(choices))

    small = len(season.entries) <= 24 and season.last_round() <= 14
    modes = ITERATED if small and rng.random() < 0.6 else ONE_PASS
    rules.recalculation = rng.choice(modes)
    sometimes(0.15, "max_passes", 1, 2, 3, 5, 100)
    sometimes(0.5, "ladder", "bottom", "range", "score")
    formulas = [
        "n",
        "1.5(n-1)",
        "2n+10",
        "1.25n+0.5",
        "(n-1)",
        "3(n-1)+1.5",
        "ratio 3",
        "ratio 1.5",
    ]
    sometimes(0.5, "top_value", *formulas, Fraction(200), Fraction("80.125"))
    low = [Fraction(0), Fraction(1), "n/2"]
    high = [Fraction(5), Fraction("12.5"), Fraction(100), Fraction("33.333")]
    ample = isinstance(rules.top_value, Fraction) and rules.top_value >= 100
    sometimes(0.5, "bottom_value", *(low + high if ample or rules.ladder == "bottom" else low))
    if isinstance(rules.top_value, Fraction) and rules.top_value < 30:
        rules.top_value += 30  # "n/2" stays below it
    sometimes(0.2, "step", Fraction(3), Fraction("0.333"), Fraction("1.5"))
    sometimes(0.2, "places_per_step", 2, 3, 7)
    sometimes(0.2, "value_decimals", 0, 1, 2, 3)
    sometimes(0.4, "withdrawn", "out")
    sometimes(0.4, "start_order", "entry", "lot")
    sometimes(0.5, "seed", 0, rng.randint(2, 100), rng.randint(0, 10**6))
    sometimes(0.5, "newcomers", "rating")
    sometimes(0.25, "own_value_at", "start")
    sometimes(0.2, "bonus", 1, 2, 5)
    sometimes(0.5, "bonus_rounds", 1, 3, 8)
    sometimes(0.2, "line_decimals", 0, 1, 2, 3)
    sometimes(0.2, "score_decimals", 0, 1, 2, 3)
    sometimes(0.1, "min_score", Fraction(0), Fraction(25), Fraction("40.5"))
    sometimes(0.1, "max_score", Fraction(150), Fraction("300.125"))
    if rng.random() < 0.6:
        listed = rng.sample(TIEBREAKS, k=rng.randint(0, 4))
        rules.tiebreaks = ",".join(["score", *listed])
    sometimes(0.5, "rounds", season.last_round() + 1, 20, 33)


def _random_scoring(rng: random.Random, season: Season) -> None:
    """Factors, caps and kinds of the club's own; some absences become these."""
    some = rng.choice([0.0, 0.1, 0.3])
    for kind in NEW_KINDS:
        if rng.random() < some:
            season.scoring[kind] = Scoring(
                Fraction(rng.choice(FACTORS)), Fraction(rng.choice(["0", "0", "2.5", "15"]))
            )
    unplayed = [
        kind for kind, scoring in season.scoring.items() if scoring.applies_to == "unplayed"
    ]
    new = [kind for kind in unplayed if kind in NEW_KINDS]
    for key, kind in season.unplayed.items():
        if new and kind != "bye" and rng.random() < 0.3:
            season.unplayed[key] = rng.choice(new)
    for kind in ("aalsmeer", "adjourned"):
        if rng.random() < some:
            season.scoring[kind].factor = Fraction(rng.choice(FACTORS))
            season.scoring[kind].fixed = Fraction(rng.choice([0, 1, 20]))
    for scoring in season.scoring.values():
        if scoring.applies_to != "entry" and rng.random() < some / 2:
            scoring.points = Fraction(rng.choice(["0", "0.5", "1"]))
            scoring.counts_as_game = rng.random() < 0.5
        if scoring.applies_to == "game" and season.rules.withdrawn == "out":
            scoring.withdrawn_factor = Fraction(rng.choice(FACTORS))
    for kind in unplayed:
        _random_limits(rng, season.scoring[kind], some, [None, *unplayed])


def _random_limits(
    rng: random.Random, scoring: Scoring, some: float, kinds: list[str | None]
) -> None:
    for name in ("season_cap", "period_cap", "first_rounds", "last_rounds"):
        if rng.random() < some:
            setattr(scoring, name, rng.randint(0, 6))
    scoring.after_game = rng.random() < some
    scoring.halving = rng.random() < some
    if rng.random() < some:
        scoring.counts_with = rng.choice(kinds)
    if rng.random() < 2 * some:
        scoring.instead = rng.choice(kinds)


def _decimal(number: Fraction) -> str | float:
    """As a club would type it: a decimal where that is exact, else a fraction."""
    exact = number * 1000
    return float(number) if exact.denominator == 1 else f"{number.numerator}/{number.denominator}"


def _typed(value: object) -> object:
    """A setting as it is written."""
    return float(value) if isinstance(value, Fraction) else value


def _write_rules(conn: sqlite3.Connection, tournament: int, rules: Rules) -> None:
    """Where any differs from the rules a tournament starts with.

    All columns whichever it is: one statement, which SQLite takes long to prepare.
    """
    usual, names = Rules(), [each.name for each in fields(Rules)]
    if rules.tiebreaks != usual.tiebreaks:
        tiebreaks.compute_all(conn)
    if rules != usual:
        conn.execute(
            f"UPDATE rules SET {', '.join(f'{name} = ?' for name in names)}"
            " WHERE tournament_id = ?",
            (*(_typed(getattr(rules, name)) for name in names), tournament),
        )


def _write_scoring(conn: sqlite3.Connection, tournament: int, kinds: dict[str, Scoring]) -> None:
    """New kinds first: others may name them."""
    usual = usual_scoring()
    for kind, scoring in kinds.items():
        if kind not in usual:
            conn.execute(
                "INSERT INTO scoring (tournament_id, kind, applies_to) VALUES (?, ?, ?)",
                (tournament, kind, scoring.applies_to),
            )
    names = [each.name for each in fields(Scoring) if each.name != "applies_to"]
    for kind, scoring in kinds.items():
        if scoring != usual.get(kind, Scoring()):
            values = [
                _decimal(value) if name.endswith("factor") else _typed(value)
                for name in names
                for value in [getattr(scoring, name)]
            ]
            conn.execute(
                f"UPDATE scoring SET {', '.join(f'{name} = ?' for name in names)}"
                " WHERE tournament_id = ? AND kind = ?",
                (*values, tournament, kind),
            )


Fact = tuple[str, tuple[Any, ...]]


def _in_turn(facts: list[Fact]) -> Iterator[Fact]:
    """In this order, but games and byes of a round with none before it have to wait.

    Where all have to, because a round was skipped, the switch is off for the next one.
    """
    waiting, last = list(facts), 0
    while waiting:
        at = next(
            (
                at
                for at, (statement, values) in enumerate(waiting)
                if values[1] <= last + 1 or ("unplayed" in statement and values[3] != "bye")
            ),
            None,
        )
        statement, values = waiting.pop(at or 0)
        last = max(last, values[1])
        switch = "UPDATE tournament SET revaluation = ? WHERE id = ?"
        if at is None:
            yield switch, ("suspended", values[0])
        yield statement, values
        if at is None:
            yield switch, ("on", values[0])


def write(
    conn: sqlite3.Connection,
    season: Season,
    *,
    bulk: bool = True,
    rng: random.Random | None = None,
    names: Mapping[int, str] = MappingProxyType({}),
) -> int:
    """Write the facts as any SQL client could; the id of the tournament.

    bulk: with the revaluation suspended meanwhile; rng: in a random order, as far as rounds
    then may come in one; names: of players who are not just called by their number.
    """
    added = conn.execute("INSERT INTO tournament (description) VALUES ('season')")
    tournament = added.lastrowid or 0
    if bulk:
        conn.execute("UPDATE tournament SET revaluation = 'suspended' WHERE id = ?", (tournament,))
    _write_rules(conn, tournament, season.rules)
    _write_scoring(conn, tournament, season.scoring)
    conn.executemany(
        "INSERT INTO period (tournament_id, first_round, scores, start) VALUES (?, ?, ?, ?)",
        [
            (tournament, period.first_round, period.scores, period.start)
            for period in season.periods
        ],
    )
    for entry in season.entries:
        conn.execute(
            "INSERT INTO player (id, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (entry.player, names.get(entry.player, f"Player {entry.player}")),
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
    conn.executemany(
        "INSERT INTO personal (tournament_id, player_id, kind, counts_as) VALUES (?, ?, ?, ?)",
        [
            (tournament, player, kind, counts_as)
            for (player, kind), counts_as in season.personal.items()
        ],
    )
    conn.executemany(
        "INSERT INTO correction (tournament_id, player_id, round_number, points, last_round)"
        " VALUES (?, ?, ?, ?, ?)",
        [
            (tournament, made.player, made.round_number, float(made.points), made.last_round)
            for made in season.corrections
        ],
    )
    facts: list[Fact] = [
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
    for statement, values in facts if bulk else _in_turn(facts):
        conn.execute(statement, values)
    if bulk:
        conn.execute("UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,))
    return tournament
