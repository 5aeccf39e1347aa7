"""Random seasons: facts for the oracle, and the same facts in a file."""

import random
import sqlite3
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from conformance.seasons import (
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
from keizer.store import tiebreaks

KINDS = ["excused", "unexcused", "club duty"]
"""Absences that are drawn. Those that are added to every tournament are not: what a seed means
stays, and kinds that are drawn like them are NEW_KINDS."""
NEW_KINDS = ["late notice", "match director", "holiday"]
RESULTS = [result for result in SIDES if result != "adj"]
FACTORS = ["0", "0.5", "1", "1/3", "2/3", "1/6", "0.333", ".667", "0.35", "5/6", "1.25"]
UNITS = [
    Fraction(unit)
    for unit in (
        "1",
        "1",
        "1/2",
        "1/2",
        "1/10",
        "1/100",
        "1/1000",
        "1/3",
        "1/6000",
        "3/2",
        "7/6",
        "30",
    )
]
"""What values, lines and scores are rounded to."""
HALVINGS: list[int | str] = [1, "down"]
TIEBREAKS = [
    "previous", "rating", "start", "wins", "played", "mutual", "value-sb", "opponents", "lot",
]  # fmt: skip
ITERATED = ["settled", "settled", "settled", "latest"]
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
    usual = season.scoring
    season.scoring = {
        kind: scoring
        for kind, scoring in usual.items()
        if scoring.applies_to != "unplayed" or scoring.counts_as_bye or kind in KINDS
    }
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
    season.scoring = usual | season.scoring
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


def _unplayed(season: Season) -> list[str]:
    """The kinds of a round without a game."""
    return [kind for kind, scoring in season.scoring.items() if scoring.applies_to == "unplayed"]


def random_options(rng: random.Random, season: Season) -> None:
    """Any of the settings, each now and then, so that they meet each other."""
    _random_rules(rng, season)
    _random_scoring(rng, season)
    players, last = [entry.player for entry in season.entries], season.last_round()
    if rng.random() < 0.3:
        for entry in season.entries:
            if entry.first_round > 1 and rng.random() < 0.7:
                entry.start_rank = rng.randint(1, len(players) + 3)
    for game in season.games:
        if game.result and rng.random() < 0.05:
            game.result = "adj"
    if rng.random() < 0.3:
        for player in rng.sample(players, k=min(3, len(players))):
            kind, counts_as = rng.sample(_unplayed(season), k=2)
            season.exceptions[player, kind] = counts_as
    if rng.random() < 0.3:
        for player in rng.sample(players, k=min(4, len(players))):
            first = rng.randint(0, last + 1)
            points = Fraction(rng.choice(["-20", "-1", "0.125", "2.5", "10", "60"]))
            last_round = rng.choice([None, None, first + rng.randint(0, 5)])
            season.corrections.append(Correction(player, first, points, last_round))
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
    sometimes(0.4, "settled_from", "start")
    sometimes(0.5, "cycle_takes", "scores")
    sometimes(0.5, "ladder", "bottom", "range", "score")
    formulas = [
        "n",
        "1.5(n-1)",
        "2n",
        "1.25n",
        "(n-1)",
        "3(n-1)",
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
    sometimes(0.25, "value_rounding", *UNITS)
    sometimes(0.4, "withdrawn", "out")
    sometimes(0.4, "start_order", "entry", "lot")
    sometimes(0.5, "seed", 0, rng.randint(2, 100), rng.randint(0, 10**6))
    sometimes(0.5, "newcomers", "rating")
    sometimes(0.4, "own_value_at", "start", "new")
    sometimes(0.2, "bonus", 1, 2, 5)
    sometimes(0.5, "bonus_rounds", 1, 3, 8)
    sometimes(0.25, "line_rounding", *UNITS)
    sometimes(0.25, "score_rounding", *UNITS)
    sometimes(0.4, "halves", "even")
    if rng.random() < 0.6:
        listed = rng.sample(TIEBREAKS, k=rng.randint(0, 4))
        rules.tiebreaks = ",".join(["score", *listed])
    sometimes(0.5, "rounds", season.last_round() + 1, 20, 33)


def _random_scoring(rng: random.Random, season: Season) -> None:
    """Factors, caps and kinds of the club's own; some absences become these."""
    some = rng.choice([0.0, 0.1, 0.3])
    for kind in NEW_KINDS:
        if rng.random() < some:
            factor, fixed = rng.choice(FACTORS), rng.choice(["0", "0", "2.5", "15"])
            season.scoring[kind] = Scoring(Fraction(factor), Fraction(fixed))
    unplayed = _unplayed(season)
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
    if rng.random() < 2 * some:
        scoring.halving = rng.choice(HALVINGS)
    if rng.random() < some:
        scoring.counts_with = rng.choice(kinds)
    if rng.random() < 2 * some:
        scoring.instead = rng.choice(kinds)


Columns = Mapping[str, object]


def _typed(value: object) -> object:
    """As a club would type it: a decimal where that is exact, else a fraction."""
    if isinstance(value, Fraction):
        return float(value) if 1000 % value.denominator == 0 else str(value)
    return value


def insert(conn: sqlite3.Connection, table: str, **row: object) -> int:
    """Write a row as any SQL client could; its id."""
    marks = ", ".join("?" * len(row))
    added = conn.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})",
        [_typed(value) for value in row.values()],
    )
    return added.lastrowid or 0


def _update(conn: sqlite3.Connection, table: str, where: Columns, row: Columns) -> None:
    """All columns whichever it is: one statement, which SQLite takes long to prepare."""
    conn.execute(
        f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in row)}"
        f" WHERE {' AND '.join(f'{name} = ?' for name in where)}",
        [_typed(value) for value in (*row.values(), *where.values())],
    )


def _write_scoring(conn: sqlite3.Connection, here: Columns, kinds: dict[str, Scoring]) -> None:
    """New kinds first: others may name them."""
    usual = usual_scoring()
    for kind, scoring in kinds.items():
        if kind not in usual:
            insert(conn, "scoring", **here, kind=kind, applies_to=scoring.applies_to)
    for kind, scoring in kinds.items():
        if scoring != usual.get(kind, Scoring()):
            _update(conn, "scoring", {**here, "kind": kind}, _but("applies_to", scoring))


Fact = tuple[str, dict[str, Any]]


def _facts(season: Season) -> list[Fact]:
    """Table and columns of every game and every round without one."""
    found: list[Fact] = []
    for game in season.games:
        wins = zip(("white_wins", "black_wins", "drawn"), game.counts or (None,) * 3, strict=True)
        found.append(("round", _but("counts", game) | dict(wins)))
    for (number, player), kind in season.unplayed.items():
        found.append(("unplayed", {"round_number": number, "player_id": player, "kind": kind}))
    return found


def _but(name: str, fact: object) -> dict[str, Any]:
    """Its columns but for one."""
    return {column: value for column, value in vars(fact).items() if column != name}


def _in_turn(facts: list[Fact]) -> Iterator[tuple[Fact, bool]]:
    """In this order, but games and byes of a round with none before it have to wait.

    Where all have to, because a round was skipped, the first of them comes too soon.
    """
    waiting, last = list(facts), 0
    while waiting:
        ready = [
            (table, row)
            for table, row in waiting
            if row["round_number"] <= last + 1 or row.get("kind", "bye") != "bye"
        ]
        fact = (ready or waiting)[0]
        yield fact, not ready
        last = max(last, fact[1]["round_number"])
        waiting.remove(fact)


def write(
    conn: sqlite3.Connection,
    season: Season,
    *,
    bulk: bool = True,
    rng: random.Random | None = None,
    names: Mapping[int, str] = MappingProxyType({}),
    more: Columns = MappingProxyType({}),
) -> int:
    """Write the facts as any SQL client could; the id of the tournament.

    bulk: with the revaluation suspended meanwhile; rng: in a random order, as far as rounds
    then may come in one; names: of players who are not just called by their number; more:
    rules that the oracle of seasons does not know.
    """
    tournament = insert(conn, "tournament", description="season")
    here = {"tournament_id": tournament}

    def switch(revaluation: str) -> None:
        _update(conn, "tournament", {"id": tournament}, {"revaluation": revaluation})

    if bulk:
        switch("suspended")
    if any(getattr(season.rules, rule) != getattr(Rules, rule) for rule in tiebreaks.ASKING):
        tiebreaks.compute_all(conn)
    if more or season.rules != Rules():
        _update(conn, "rules", here, {**vars(season.rules), **more})
    _write_scoring(conn, here, season.scoring)
    for period in season.periods:
        insert(conn, "period", **here, **vars(period))
    for entry in season.entries:
        conn.execute(
            "INSERT INTO player (id, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (entry.player, names.get(entry.player, f"Player {entry.player}")),
        )
        columns = _but("player", entry)
        insert(conn, "x_player_tournament", player_id=entry.player, **here, **columns)
    for (player, kind), counts_as in season.exceptions.items():
        insert(conn, "exception", **here, player_id=player, kind=kind, counts_as=counts_as)
    for made in season.corrections:
        insert(conn, "correction", player_id=made.player, **here, **_but("player", made))
    facts = _facts(season)
    if rng:
        rng.shuffle(facts)
    for (table, row), too_soon in ((fact, False) for fact in facts) if bulk else _in_turn(facts):
        if too_soon:
            switch("suspended")
        insert(conn, table, **here, **row)
        if too_soon:
            switch("on")
    if bulk:
        switch("on")
    return tournament
