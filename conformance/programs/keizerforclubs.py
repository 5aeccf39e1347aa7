"""KeizerForClubs (github.com/Dumuzy/KeizerForClubs), commit fc7859e of 26 June 2026: src/.

It computes in single precision. When the last result of a round is entered, its table is stored:
by sums of two decimals, then points of the games, then ratings. The values of the next round are
handed out by it. The shares are those of its first configuration file. Before commit f70fcc5 of
April 2025 (options 2024 and 2022) tables were by sums, then ratings; in commit 1f33246 of December
2022 the first value was rounded down. Late entries are not tried, nor are withdrawals with stored
tables. With these options a season is judged until two sums are equal but for single precision,
which then decides who comes first.
"""

import struct
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any

from conformance.programs import printed

PRESET = "keizerforclubs"
OPTIONS = ("fading", "halving", "normalised", "2024", "2022")
NOT_REACHED = {
    "normalised": "sums have three decimals then: it orders them by two, and single precision"
    " decides which way a half is rounded"
}
KINDS = ("bye", "excused", "unexcused", "club duty")
RESULTS = ("1-0", "½-½", "0-1", "+-", "-+", "--", "adj")
SIZES = range(4, 21)
TOLERANCE = 0.005
"""It prints two decimals."""
ROUNDED = 0.0001
"""Sums that differ by less are equal."""

PERCENT = {"bye": 50, "excused": 35, "unexcused": 35, "club duty": 70}
GAMES = {"1-0": (1, 0), "½-½": (0.5, 0.5), "0-1": (0, 1), "+-": (1, 0), "-+": (0, 1),
         "--": (0, 0), "adj": (0.5, 0.5)}  # fmt: skip


def single(number: float) -> float:
    """The nearest number of single precision."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


def ladder(count: int, options: frozenset[str]) -> list[float]:
    """The values by place, with ratio 3."""
    if "2022" in options:
        return [(count - 1) * 3 // 2 - place for place in range(count)]
    if "normalised" not in options:
        return [round((count - 1) * 1.5) - place for place in range(count)]
    step = single(2 / (count - 1))
    exact = [single(3 - single(place * step)) for place in range(count)]
    decimals = next(number for number in range(10) if exact[0] - exact[1] > 10**-number)
    return [single(round(value, decimals)) for value in exact]


def tables(
    case: dict[str, Any], options: frozenset[str], *, stored: bool = True
) -> list[dict[str, Any]]:
    """After each round from the last withdrawal on, with what players are worth in the next one.

    stored: the values of a round are from the table that was stored before it, in which those were
    who have withdrawn since; without stored tables everything is computed anew.
    """
    ratings = {player["id"]: player["rating"] for player in case["players"]}
    last = {
        one["id"]: one["last_round"] for one in case["players"] if "last_round" in one
    }
    order = sorted(ratings, key=lambda one: -ratings[one])
    found: list[dict[str, Any]] = []
    for number in range(1, len(case["rounds"]) + 1):
        gone = {player for player in last if last[player] < number or not stored}
        order = [player for player in order if stored or player not in gone]
        values = dict.fromkeys(ratings, 0.0)
        values |= dict(zip(order, ladder(len(order), options), strict=True))
        fading = single((5 - min(number, 5)) / 5) if "fading" in options else 1
        sums = {player: values[player] * fading for player in ratings}
        points = dict.fromkeys(ratings, 0.0)
        for player, other, part, missed in _rounds(case, number):
            if not other:
                halves = max(missed - 1, 0) if "halving" in options else 0
                sums[player] += single(
                    single(single(values[player] / 2**halves) * part) / 100
                )
                continue
            points[player] += part
            if other in gone:
                share = 1 if "2022" in options else part
                sums[player] += single(share * single(values[player] * 0.75))
            else:
                sums[player] += single(values[other] * part)
        told = {
            player: single(sums[player]) for player in ratings if player not in gone
        }
        order = sorted(
            told, key=lambda one: (-round(told[one], 2), -points[one], -ratings[one])
        )
        if options & {"2022", "2024"}:
            order.sort(key=lambda one: (-told[one], -ratings[one]))
            if _parted_by_rounding(told.values()):
                break
        worth = zip(order, ladder(len(order), options), strict=True)
        scores = {player: f"{total:.6f}" for player, total in told.items()}
        found.append(
            printed(
                number, order, scores, {one: f"{value:.6f}" for one, value in worth}
            )
        )
    return found[max(last.values(), default=0) :]


def _parted_by_rounding(sums: Collection[float]) -> bool:
    """Tell if two sums differ only because they are of single precision."""
    return any(0 < high - low < ROUNDED for low, high in pairwise(sorted(sums)))


def _rounds(case: dict[str, Any], number: int) -> Iterator[tuple[int, int, float, int]]:
    """Who, against whom, and what part that is.

    Of a round without a game: 0, a percentage, and for an absence how many there were by then.
    """
    missed: Counter[int] = Counter()
    for played in case["rounds"][:number]:
        for white, black, result in played["games"]:
            yield white, black, GAMES[result][0], 0
            yield black, white, GAMES[result][1], 0
        for player, kind in played["unplayed"].items():
            counted = kind in ("excused", "unexcused")
            missed[int(player)] += counted
            yield int(player), 0, PERCENT[kind], missed[int(player)] if counted else 0
