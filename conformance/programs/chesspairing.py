"""chesspairing (github.com/gnutterts/chesspairing), commit a413c36 of 21 April 2026: scoring/.

A table is one call with its round as the current one: of the players who are in it then, the order
by rating gives values from their number down to 1, all rounds give scores, these an order, this
values again, until an order comes back. A score is counted in whole halves. Players of the same
rating are in the order of their names, here their numbers. The options are its own variants.
The library itself, built from this commit, gave every cell of 20 seasons with each two of them.

Not drawn, and not reached: who enters later is no one of its players before, while here a newcomer
is in the list, and counts in n, after the round before the first one.
"""

from collections import Counter
from math import floor
from typing import Any

from conformance.programs import printed

PRESET = "chesspairing"
OPTIONS = (
    "knsb", "freekeizer", "no-self-victory", "decaying-absences", "fixed-absences", "frozen",
)  # fmt: skip
KINDS = ("bye", "half point bye", "zero point bye", "excused", "unexcused", "club duty")
RESULTS = ("1-0", "0-1", "½-½", "+-", "-+", "--", None)

SIDES = {"1-0": ("win", "loss"), "0-1": ("loss", "win"), "½-½": ("draw", "draw"),
         "+-": ("win", "none"), "-+": ("none", "win")}  # fmt: skip
SHARES = {"win": 1, "draw": 0.5, "loss": 0, "none": 0, "bye": 0.5, "half point bye": 0.5,
          "zero point bye": 0, "excused": 0.35, "unexcused": 0.35, "club duty": 0.7}  # fmt: skip
VARIANTS = {
    "knsb": {"bye": 4 / 6, "excused": 2 / 6, "unexcused": 2 / 6, "club duty": 2 / 3},
    "freekeizer": {"loss": 1 / 6, "bye": 4 / 6, "unexcused": 2 / 6},
}
FIXED = {"excused": 15, "unexcused": 15, "club duty": 25}

Halves = Counter[int]
"""By player: twice the points."""


def ranked(rating: dict[int, int], halves: Halves) -> list[int]:
    """The players from the top."""
    return sorted(rating, key=lambda player: (-halves[player], -rating[player], player))


def values(order: list[int]) -> Halves:
    """From the number of players down to 1."""
    return Counter({player: len(order) - place for place, player in enumerate(order)})


def earned(told: dict[str, Any], value: Halves, absences: Halves, options: frozenset[str]
           ) -> Halves:  # fmt: skip
    """What one round brings; `absences` are counted on."""
    shares, found = dict(SHARES), Halves()
    for option in options & VARIANTS.keys():
        shares |= VARIANTS[option]

    def amount(kind: str, on: int) -> int:
        if "fixed-absences" in options and kind in FIXED:
            return 2 * FIXED[kind]
        return floor(on * shares[kind] * 2 + 0.5)

    for white, black, result in told["games"]:
        if result in SIDES and white in value and black in value:
            found[white] = amount(SIDES[result][0], value[black])
            found[black] = amount(SIDES[result][1], value[white])
    for key, kind in told["unplayed"].items():
        player = int(key)
        found[player] = amount(kind, value[player])
        if kind in {"excused", "unexcused"}:
            absences[player] += 1
            if "decaying-absences" in options:
                found[player] >>= absences[player] - 1
            elif absences[player] > 5:
                found[player] = 0
    return found


def scored(rounds: list[dict[str, Any]], rating: dict[int, int], options: frozenset[str]
           ) -> Halves:  # fmt: skip
    """Frozen: each round once, at the values before it. Else all, until an order comes back.

    Then the scores of the last pass count, or the mean of the last two if two orders take turns.
    """
    once = 0 if "no-self-victory" in options else 2
    order, two_ago, before = ranked(rating, Halves()), None, Halves()
    if "frozen" in options:
        halves, absences = Halves(), Halves()
        for told in rounds:
            halves += earned(told, values(order), absences, options)
            order = ranked(rating, halves)
        return halves + Counter(
            {player: once * value for player, value in values(order).items()}
        )
    for _ in range(20):
        value, absences = values(order), Halves()
        halves = Counter({player: once * value[player] for player in rating})
        for told in rounds:
            halves += earned(told, value, absences, options)
        new = ranked(rating, halves)
        if new == two_ago != order:
            return Counter(
                {
                    player: (before[player] + halves[player] + 1) // 2
                    for player in rating
                }
            )
        if new == order:
            break
        order, two_ago, before = new, order, halves
    return halves


def tables(case: dict[str, Any], options: frozenset[str]) -> list[dict[str, Any]]:
    """After each round since the last withdrawal: here, who leaves is in no table before either."""
    found, left = [], max(told.get("last_round", 0) for told in case["players"])
    for number in range(left + 1, len(case["rounds"]) + 1):
        rating = {
            told["id"]: told.get("rating") or 0
            for told in case["players"]
            if told.get("first_round", 1) <= number and "last_round" not in told
        }
        halves = scored(case["rounds"][:number], rating, options)
        scores = {each: f"{halves[each]}/2" for each in rating}
        found.append(printed(number, ranked(rating, halves), scores))
    return found
