"""Random Swiss tournaments, in a file and for the oracle."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from conformance import seasons as oracle
from conformance.seasons import Entry, Period, Scoring, Season, usual_scoring
from keizer.store import tiebreaks
from tests.support import seasons
from tests.support.files import empty
from tests.support.tiebreaks import Absence, Game, Player, Rules, Tournament

SHIRT_VIEW = (
    "CREATE VIEW tiebreak_shirt (tournament_id, round_number, player_id, name, value, key) AS"
    " SELECT tournament_id, round_number, player_id, 'shirt', player_id, player_id"
    " FROM ranking_list"
)
SHIRT_ROW = "INSERT INTO tiebreak VALUES ('shirt', 'tiebreak_shirt', 'their number', 0, 0, 0, 'us')"
F = Fraction
RESULTS = ["1-0", "0-1", "½-½"]
RARE = ["0-0", "adj", "+-", "-+", "--", None]
COUNTS = [(2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 0), (1, 1, 1), (1, 0, 2), (0, 0, 3), (2, 0, 1)]


def write(
    conn: sqlite3.Connection,
    tournament: Tournament,
    order: str = "points",
    *,
    rng: random.Random | None = None,
) -> int:
    """Write the facts as any SQL client could; rng: in a random order."""
    season = Season(
        [Entry(entry.number, entry.rating, None, *entry[2:]) for entry in tournament.players],
        tournament.games,
        {(gone.round_number, gone.player): gone.kind for gone in tournament.absences},
        tournament.kinds,
        oracle.Rules(tiebreaks=order),
        periods=[Period(first, "reset") for first in tournament.resets],
    )
    tiebreaks.compute_all(conn)
    more = {"match_games": 99, **vars(tournament.rules)}
    return seasons.write(conn, season, rng=rng, more=more)


@contextmanager
def written(
    tournament: Tournament, order: str = "points", *, rng: random.Random | None = None
) -> Iterator[tuple[sqlite3.Connection, int]]:
    """A file of its own for one tournament."""
    conn = empty()
    try:
        yield conn, write(conn, tournament, order, rng=rng)
    finally:
        conn.close()


def kinds(win: str = "1", draw: str = "1/2", loss: str = "0") -> dict[str, Scoring]:
    found = usual_scoring() | {"half-point bye": Scoring(), "full-point bye": Scoring()}
    for points, names in (
        (win, ("win", "forfeit win", "bye", "full-point bye")),
        (draw, ("draw", "adjourned", "half-point bye")),
        (loss, ("loss",)),
    ):
        for name in names:
            found[name].points = F(points)
    return found


def random_tournament(rng: random.Random, most: int = 30) -> Tournament:
    """Everything that can befall a round, in any mixture."""
    count, rounds = rng.randint(6, most), rng.randint(3, 12)
    found = Tournament(
        [],
        [],
        [],
        kinds(*rng.choice([("1", "1/2"), ("1", "1/2"), ("3", "1"), ("3", "2", "1")])),
        Rules(
            percentage_floor=F(rng.choice(["0.33", "1/3", "0.25", "0", "2/5"])),
            percentage_byes=rng.random() < 0.7,
            seed=rng.randint(0, 1000),
        ),
    )
    if rng.random() < 0.2:
        for kind in ("half-point bye", "full-point bye"):
            found.kinds[kind].season_cap = rng.randint(0, 2)
    if rng.random() < 0.15:
        found.resets = (rng.randint(2, rounds),)
    for number in range(1, count + 1):
        late = rng.random() < 0.15
        leaves = rng.random() < 0.15
        found.players.append(
            Player(
                number,
                rating=rng.choice([None, rng.randint(800, 2600), rng.randint(15, 18) * 100]),
                first_round=rng.randint(2, rounds + 1) if late else 1,
                last_round=rng.randint(0, rounds) if leaves and not late else None,
            )
        )
    matches, rare, away = rng.random() < 0.4, rng.choice([0.05, 0.2]), rng.choice([0.1, 0.25])
    for r in range(1, rounds + 1):
        _random_round(rng, found, r, matches=matches, rare=rare, away=away)
    return found


def _random_round(
    rng: random.Random, found: Tournament, r: int, *, matches: bool, rare: float, away: float
) -> None:
    free = []
    for player in found.players:
        if not player.first_round <= r <= (r if player.last_round is None else player.last_round):
            continue
        if rng.random() < away:
            kind = rng.choice(["half-point bye", "full-point bye", "unexcused", "bye", ""])
            if kind:
                _sign_off(found, r, player.number, kind)
        else:
            free.append(player.number)
    rng.shuffle(free)
    if len(free) % 2:
        _sign_off(found, r, free.pop(), "bye")
    for white, black in zip(free[::2], free[1::2], strict=True):
        result: str | None = rng.choice(RARE if rng.random() < rare else RESULTS)
        counts = None
        if matches and result in RESULTS and rng.random() < 0.8:
            counts = rng.choice(COUNTS)
            result = RESULTS[0 if counts[0] > counts[1] else 1 if counts[0] < counts[1] else 2]
        found.games.append(Game(r, white, black, result, counts))


def _sign_off(found: Tournament, r: int, player: int, kind: str) -> None:
    """Credited unless there are too many of these."""
    cap = found.kinds[kind].season_cap
    so_far = sum(gone.player == player and gone.kind == kind for gone in found.absences)
    credited = kind if cap is None or so_far < cap else None
    found.absences.append(Absence(r, player, kind, credited))
