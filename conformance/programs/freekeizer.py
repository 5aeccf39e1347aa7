"""FreeKeizer (github.com/Roderick-de-Jong/FreeKeizer), commit 676d8ce of 17 July 2012: src/.

The players' file is the start list, from the top; it has no ratings, and nobody enters later. Own
values go from a number of the club's down by one: here that of the preset's ladder. Points are
rounded after every round of a player. Whoever has neither game nor bye is absent; a third of the
own value, five times at most, and not before a first game; absences before it use up the five.
Equal points keep the order of the start list in lists of up to 16, where the usual std::sort moves
nothing that is equal; in longer ones it does, in a way that is the library's. The program itself,
built from this commit, gave every cell of 30 seasons of up to 16 players.
"""

from math import floor
from typing import Any

from conformance.programs import printed

PRESET = "freekeizer"
OPTIONS: tuple[str, ...] = ()
KINDS = ("bye", "excused", "unexcused", "club duty")
SIZES = range(4, 17)

WIN, LOSS, DRAW, BYE, ABSENT, ABSENCES = 6 / 6, 1 / 6, 3 / 6, 4 / 6, 2 / 6, 5
SHARES = {"1-0": (WIN, LOSS), "0-1": (LOSS, WIN), "½-½": (DRAW, DRAW)}


def table(rounds: list[dict[str, Any]], start: dict[int, int], values: dict[int, int]
          ) -> dict[int, int]:  # fmt: skip
    """The points after some rounds, all at the values of the list before."""
    points = dict(start)
    games, absences = dict.fromkeys(start, 0), dict.fromkeys(start, 0)

    def add(player: int, amount: float) -> None:
        points[player] = floor(points[player] + amount + 0.5)

    for told in rounds:
        there = {int(key) for key, kind in told["unplayed"].items() if kind == "bye"}
        for player in there:
            add(player, BYE * values[player])
        for white, black, result in told["games"]:
            for player, share, other in zip(
                (white, black), SHARES[result], (black, white), strict=True
            ):
                add(player, share * values[other])
                games[player] += 1
                there.add(player)
        for player in start.keys() - there:
            absences[player] += 1
            if absences[player] <= ABSENCES and games[player]:
                add(player, ABSENT * values[player])
    return points


def tables(case: dict[str, Any], options: frozenset[str]) -> list[dict[str, Any]]:
    """Every ranking document."""
    del options
    top = 3 * (len(case["players"]) - 1) // 2
    start = {told["id"]: top - place for place, told in enumerate(case["players"])}
    values, found = start, []
    for number in range(1, len(case["rounds"]) + 1):
        points = table(case["rounds"][:number], start, values)
        order = sorted(start, key=lambda player: -points[player])
        values = {player: top - place for place, player in enumerate(order)}
        found.append(printed(number, order, points, values))
    return found
