"""ToMaChess (github.com/Moritz72/ToMaChess), commit 18b8cd0 of 13 November 2024: scripts/.

Its standings are computed from all results each time. What is credited for a round is on the values
of the standings before; the own value stays that of the start list. Its tie-breaks are "None" here:
equal scores are in the order of the start list, by which the values are, whatever is set.
"""

from fractions import Fraction
from typing import Any

PRESET = "tomachess"
OPTIONS = ("2-1-0", "3-1-0", "ratio-2")
KINDS = ("bye", "excused")
RESULTS = ("1-0", "½-½", "0-1", "+-", "-+", "--")


def tables(case: dict[str, Any], options: frozenset[str]) -> list[dict[str, Any]]:
    """After each round: everybody who takes part, by scores and start list."""
    win, draw = (
        (3, 1) if "3-1-0" in options else (2, 1) if "2-1-0" in options else (1, Fraction(1, 2))
    )
    half = {"1": win, "½": draw, "0": Fraction(0), "+": win, "-": Fraction(0)}
    start = [player["id"] for player in sorted(case["players"], key=lambda told: -told["rating"])]
    ratio = Fraction(2 if "ratio-2" in options else 3)
    top = int((len(start) - 1) * ratio / (ratio - 1))
    own = {player: Fraction(top - place) for place, player in enumerate(start)}
    values, found = own, []
    for number in range(1, len(case["rounds"]) + 1):
        scores = dict(own)
        for played in case["rounds"][:number]:
            for white, black, result in played["games"]:
                scores[white] += half[result[0]] * values[black]
                scores[black] += half[result[-1]] * values[white]
            for player, kind in played["unplayed"].items():
                share = 1 if kind == "bye" else Fraction(1, 2)
                scores[int(player)] += win * values[int(player)] * share
        order = sorted(start, key=lambda player: -scores[player])
        values = {player: Fraction(top - place) for place, player in enumerate(order)}
        ranks = {str(player): place for place, player in enumerate(order, 1)}
        told = {str(player): str(score) for player, score in scores.items()}
        found.append({"round": number, "ranks": ranks, "scores": told})
    return found
