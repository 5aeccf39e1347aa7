"""Random Swiss tournaments, in a file and for the oracle of tie-breaks.

The facts come from conformance/generate.py, and are then bent towards what a Swiss
has: half-point and full-point byes, matches of several games, other points. Nothing
here computes a tie-break; tests compare a file with tests/support/tiebreaks.py.
"""

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

RESULTS = ["1-0", "0-1", "½-½"]
COUNTS = [
    (2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 0),
    (1, 1, 1), (1, 0, 2), (0, 0, 3), (2, 0, 1),
]  # fmt: skip
"""Games of a match won by White, won by Black and drawn."""


@contextmanager
def swiss_file(
    season: Season, order: str = "points", *, rng: random.Random | None = None
) -> Iterator[tuple[sqlite3.Connection, int]]:
    """Write a tournament in this order into a file that has every tie-break."""
    conn = empty()
    tiebreaks.create_all_triggers(conn)
    try:
        yield conn, write(conn, in_order(season, order), rng=rng)
    finally:
        conn.close()


def in_order(season: Season, order: str) -> Season:
    """Return the same season in another order of tie-breaks."""
    rules = replace(season.rules, tiebreaks=order)
    return replace(season, rules=rules)


def kinds(win: str = "1", draw: str = "1/2", loss: str = "0") -> dict[str, Scoring]:
    """Return the kinds of a Swiss, games at these points."""
    scoring = usual_scoring()
    scoring |= {"half-point bye": Scoring(), "full-point bye": Scoring()}
    for name in ("win", "forfeit win", "bye", "full-point bye"):
        scoring[name].points = Fraction(win)
    for name in ("draw", "adjourned", "half-point bye"):
        scoring[name].points = Fraction(draw)
    scoring["loss"].points = Fraction(loss)
    return scoring


def random_tournament(rng: random.Random, most: int = 30) -> Season:
    """Return a Swiss of 6 to `most` players with all that can befall a round."""
    season = random_season(rng, players=range(6, most + 1), most_rounds=12)
    points = rng.choice([("1", "1/2"), ("1", "1/2"), ("3", "1"), ("3", "2", "1")])
    season.scoring = kinds(*points)
    season.rules = Rules(
        percentage_floor=Fraction(rng.choice(["0.33", "1/3", "0.25", "0", "2/5"])),
        percentage_byes=rng.random() < 0.7,
        seed=rng.randint(0, 1000),
    )
    if rng.random() < 0.2:
        for kind in ("half-point bye", "full-point bye"):
            season.scoring[kind].season_cap = rng.randint(0, 2)
    if rng.random() < 0.15:
        season.periods = [Period(rng.randint(2, 12), "reset")]
    for entry in season.entries:
        entry.start_rank = None
    _change_absences(season, rng)
    _change_results(season, rng)
    return season


def _change_absences(season: Season, rng: random.Random) -> None:
    """Draw the kind of each absence; some are a round without any row."""
    kinds_of_absence = ["half-point bye", "full-point bye", "unexcused", "bye", ""]
    for key, kind in [*season.unplayed.items()]:
        if kind == "bye":
            continue
        absence = rng.choice(kinds_of_absence)
        if absence:
            season.unplayed[key] = absence
        else:
            del season.unplayed[key]


def _change_results(season: Season, rng: random.Random) -> None:
    """Let most games be played, in some tournaments as matches."""
    has_matches = rng.random() < 0.4
    share_of_rare = rng.choice([0.1, 0.4])
    for game in season.games:
        if game.result == "void" or rng.random() > share_of_rare:
            game.result = rng.choice(RESULTS)
        if has_matches and game.result in RESULTS and rng.random() < 0.8:
            white, black, drawn = rng.choice(COUNTS)
            game.counts = (white, black, drawn)
            game.result = _result_of_match(white, black)


def _result_of_match(white: int, black: int) -> str:
    if white > black:
        return "1-0"
    if white < black:
        return "0-1"
    return "½-½"


COMPARED = set(NAMES) | set(OF_LISTS)
"""The tie-breaks that the oracle and the file both have."""


def random_order(rng: random.Random) -> str:
    """Return one to six tie-breaks, some with a direction, which de cannot have."""
    candidates = {*COMPARED, "score"} - {"lot", "points"}
    names = rng.sample(sorted(candidates), k=rng.randint(1, 6))
    for name in ("points", "de", "mutual"):
        if rng.random() < 0.5:
            names[rng.randrange(len(names))] = name
    order = []
    for name in dict.fromkeys(names):
        if name == "de" or rng.random() < 0.7:
            order.append(name)
        else:
            order.append(f"{name}:{rng.choice(['asc', 'desc'])}")
    return ",".join(order)
