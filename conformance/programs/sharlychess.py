"""Sharly Chess (github.com/Sharly-Chess/sharly-chess), commit 14ec256: src/data/pairings/keizer.py.

Everybody who is in the tournament is in all of its tables, and no round holds a copy: a table after
round r is made anew from the values of the table before it, and so on down to the order by rating,
title and name, here start rank, rating and number. Its amounts are binary fractions; with a
Fraction as `third` they are exact here.

Not drawn: who enters later is in all tables there, here with first round 1 and unexcused rounds.
"""

from fractions import Fraction
from typing import Any

from conformance.programs import printed

PRESET = "sharly-chess"
OPTIONS = ("no-own-value", "half", "full")
KINDS = ("bye", "excused", "unexcused", "club duty")
"""Allocated; half a point; none; a full point or a rest."""
RESULTS = ("1-0", "0-1", "½-½", "0-0", "+-", "-+", "--", None)
LEAVING = True
TOLERANCE = 1e-9
NOT_REACHED = {
    "sharly-chess": "sums of binary fractions: players who are equal, or a total halfway, may go"
    " either way there"
}

WON = {"1-0": 0, "+-": 0, "0-1": 1, "-+": 1}

Amount = float | Fraction


def rounded(total: Amount, options: frozenset[str]) -> Amount:
    """KEIZER_ROUNDING: a half goes to the even one."""
    if "full" in options:
        return Fraction(round(total))
    return Fraction(round(total * 2), 2) if "half" in options else total


def totals(rounds: list[dict[str, Any]], values: dict[int, int], options: frozenset[str],
           third: Amount) -> dict[int, Amount]:  # fmt: skip
    """Of all rounds so far, with the same values."""
    once = 0 if "no-own-value" in options else 1
    found: dict[int, Amount] = {
        player: once * value for player, value in values.items()
    }
    for told in rounds:
        for *board, result in told["games"]:
            for side, player in enumerate(board):
                if result == "½-½":
                    found[player] += Fraction(values[board[1 - side]], 2)
                elif WON.get(result) == side:
                    found[player] += values[board[1 - side]]
        for key, kind in told["unplayed"].items():
            if kind != "unexcused":
                found[int(key)] += third * values[int(key)]
    return {player: rounded(total, options) for player, total in found.items()}


def tables(
    case: dict[str, Any], options: frozenset[str], third: Amount = 1 / 3
) -> list[dict[str, Any]]:
    """All of them, as they are shown at the end."""

    def first(told: dict[str, Any]) -> tuple[int, int, int]:
        return told.get("start_rank", 0), -(told.get("rating") or 0), told["id"]

    start = [told["id"] for told in sorted(case["players"], key=first)]
    top = (len(start) - 1) // 2 + len(start) - 1
    order, found = start, []
    for number in range(1, len(case["rounds"]) + 1):
        values = {player: top - place for place, player in enumerate(order)}
        points = totals(case["rounds"][:number], values, options, third)
        order = sorted(start, key=lambda player: -points[player])
        found.append(printed(number, order, points))
    return found
