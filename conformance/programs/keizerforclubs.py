"""KeizerForClubs (github.com/Dumuzy/KeizerForClubs), commit fc7859e of 26 June 2026: src/.

It computes in single precision. When the last result of a round is entered, its table is stored:
by sums of two decimals, then points of the games, then ratings. The values of the next round are
handed out by it. The shares are those of its first configuration file. Before commit f70fcc5 of
April 2025 (options 2024 and 2022) tables were by sums, then ratings; in commit 1f33246 of December
2022 the first value was rounded down. Late entries and withdrawals are not tried.
"""

import struct
from typing import Any

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


def tables(case: dict[str, Any], options: frozenset[str]) -> list[dict[str, Any]]:
    """After each round, with what the cross table of the next one has as values."""
    ratings = {player["id"]: player["rating"] for player in case["players"]}
    by_place = ladder(len(ratings), options)
    values = dict(zip(sorted(ratings, key=lambda one: -ratings[one]), by_place, strict=True))
    found = []
    for number in range(1, len(case["rounds"]) + 1):
        fading = single((5 - min(number, 5)) / 5) if "fading" in options else 1
        sums = {player: values[player] * fading for player in ratings}
        points, missed = dict.fromkeys(ratings, 0.0), dict.fromkeys(ratings, 0)
        for played in case["rounds"][:number]:
            for white, black, result in played["games"]:
                for player, other, part in zip(
                    (white, black), (black, white), GAMES[result], strict=True
                ):
                    sums[player] += single(values[other] * part)
                    points[player] += part
            for name, kind in played["unplayed"].items():
                player, share = int(name), 1.0
                missed[player] += kind in ("excused", "unexcused")
                if "halving" in options and kind in ("excused", "unexcused"):
                    share = 2.0 ** (1 - missed[player])
                credit = single(single(share * values[player]) * PERCENT[kind])
                sums[player] += single(credit / 100)
        told = {player: single(total) for player, total in sums.items()}
        if options & {"2022", "2024"}:
            order = sorted(ratings, key=lambda one: (-told[one], -ratings[one]))
        else:
            order = sorted(
                ratings, key=lambda one: (-round(told[one], 2), -points[one], -ratings[one])
            )
        values = dict(zip(order, by_place, strict=True))
        found.append({
            "round": number,
            "ranks": {str(player): place for place, player in enumerate(order, 1)},
            "scores": {str(player): f"{total:.6f}" for player, total in told.items()},
            "values": {str(player): f"{value:.6f}" for player, value in values.items()},
        })  # fmt: skip
    return found
