"""Random Swiss tournaments, in a file and for the oracle."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

from conformance.seasons import Period, Scoring, Season, usual_scoring
from keizer.store import tiebreaks
from tests.support.files import empty
from tests.support.seasons import random_season, write
from tests.support.tiebreaks import NAMES, OF_LISTS, Rules

F = Fraction
RESULTS = ["1-0", "0-1", "½-½"]
COUNTS = [
    (2, 0, 0),
    (2, 1, 0),
    (1, 2, 0),
    (0, 2, 0),
    (1, 1, 1),
    (1, 0, 2),
    (0, 0, 3),
    (2, 0, 1),
]


@contextmanager
def written(
    season: Season, order: str = "points", *, rng: random.Random | None = None
) -> Iterator[tuple[sqlite3.Connection, int]]:
    """A file of its own for one tournament, in this order, with every tie-break."""
    conn = empty()
    tiebreaks.compute_all(conn)
    try:
        yield conn, write(conn, ordered(season, order), rng=rng)
    finally:
        conn.close()


def ordered(season: Season, order: str) -> Season:
    """The same in another order."""
    return replace(season, rules=replace(season.rules, tiebreaks=order))


def kinds(win: str = "1", draw: str = "1/2", loss: str = "0") -> dict[str, Scoring]:
    """What a Swiss has, games at these points."""
    found = usual_scoring() | {"half-point bye": Scoring(), "full-point bye": Scoring()}
    for points, names in (
        (win, ("win", "forfeit win", "bye", "full-point bye")),
        (draw, ("draw", "adjourned", "half-point bye")),
        (loss, ("loss",)),
    ):
        for name in names:
            found[name].points = F(points)
    return found


def random_tournament(rng: random.Random, most: int = 30) -> Season:
    """Everything that can befall a round, in any mixture."""
    made = random_season(rng, players=range(6, most + 1), most_rounds=12)
    made.scoring = kinds(
        *rng.choice([("1", "1/2"), ("1", "1/2"), ("3", "1"), ("3", "2", "1")])
    )
    made.rules = Rules(
        percentage_floor=F(rng.choice(["0.33", "1/3", "0.25", "0", "2/5"])),
        percentage_byes=rng.random() < 0.7,
        seed=rng.randint(0, 1000),
    )
    if rng.random() < 0.2:
        for kind in ("half-point bye", "full-point bye"):
            made.scoring[kind].season_cap = rng.randint(0, 2)
    if rng.random() < 0.15:
        made.periods = [Period(rng.randint(2, 12), "reset")]
    for entry in made.entries:
        entry.start_rank = None
    absences = ["half-point bye", "full-point bye", "unexcused", "bye", ""]
    found = {
        key: kind if kind == "bye" else rng.choice(absences)
        for key, kind in made.unplayed.items()
    }
    made.unplayed = {key: kind for key, kind in found.items() if kind}
    matches, rare = rng.random() < 0.4, rng.choice([0.1, 0.4])
    for game in made.games:
        if game.result == "void" or rng.random() > rare:
            game.result = rng.choice(RESULTS)
        if matches and game.result in RESULTS and rng.random() < 0.8:
            white, black, drawn = rng.choice(COUNTS)
            game.counts = white, black, drawn
            game.result = RESULTS[0 if white > black else 1 if white < black else 2]
    return made


COMPARED = set(NAMES) | set(OF_LISTS)
"""The tie-breaks that the oracle and the file both have."""


def random_order(rng: random.Random) -> str:
    """One to six tie-breaks, some with a direction; de has none."""
    names = rng.sample(
        sorted({*COMPARED, "score"} - {"lot", "points"}), k=rng.randint(1, 6)
    )
    for name in ("points", "de", "mutual"):
        if rng.random() < 0.5:
            names[rng.randrange(len(names))] = name
    names = list(dict.fromkeys(names))
    return ",".join(
        name
        if name == "de" or rng.random() < 0.7
        else f"{name}:{rng.choice(['asc', 'desc'])}"
        for name in names
    )
