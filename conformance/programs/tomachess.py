"""ToMaChess (github.com/Moritz72/ToMaChess), commit 18b8cd0 of 13 November 2024: scripts/.

Its standings are computed from all results each time. What is credited for a round is on the values
of the standings before; the own value stays that of the start list. Its tie-breaks are "None" here:
equal scores are in the order of the start list, by which the values are, whatever is set.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from conformance.programs import printed

PRESET = "tomachess"
OPTIONS = ("2-1-0", "3-1-0", "ratio-2")
KINDS = ("bye", "excused")
RESULTS = ("1-0", "½-½", "0-1", "+-", "-+", "--")
LEAVING = True
HALF = Fraction(1, 2)


def tables(case: dict[str, Any], options: frozenset[str]) -> list[dict[str, Any]]:
    """After each round from the last withdrawal on: those who take part, by scores and start list.

    A round against somebody who has dropped out is like a requested bye.
    """
    win, draw = 1, HALF
    if options & {"2-1-0", "3-1-0"}:
        win, draw = (3 if "3-1-0" in options else 2), Fraction(1)
    points = {
        "1": Fraction(win),
        "½": draw,
        "0": Fraction(0),
        "+": Fraction(win),
        "-": Fraction(0),
    }
    there = [player for player in case["players"] if "last_round" not in player]
    start = [player["id"] for player in sorted(there, key=lambda told: -told["rating"])]
    ratio = Fraction(2 if "ratio-2" in options else 3)
    top = int((len(start) - 1) * ratio / (ratio - 1))
    own = {player: Fraction(top - place) for place, player in enumerate(start)}
    values, found = own, []
    for number in range(1, len(case["rounds"]) + 1):
        scores = dict(own)
        for player, other, result in _rounds(case, number):
            if player in scores:
                if other in scores:
                    scores[player] += points[result] * values[other]
                else:
                    scores[player] += (
                        win * values[player] * (1 if result == "bye" else HALF)
                    )
        order = sorted(start, key=lambda player: -scores[player])
        values = {player: Fraction(top - place) for place, player in enumerate(order)}
        found.append(printed(number, order, scores))
    last = max((player.get("last_round", 1) for player in case["players"]), default=1)
    return found[last - 1 :]


def _rounds(case: dict[str, Any], number: int) -> Iterator[tuple[int, int, str]]:
    """Who, against whom (0: nobody), and what became of it, up to a round."""
    for played in case["rounds"][:number]:
        for white, black, result in played["games"]:
            yield white, black, result[0]
            yield black, white, result[-1]
        for player, kind in played["unplayed"].items():
            yield int(player), 0, kind
