"""KeizerPairing (github.com/Sgridev/KeizerPairing), commit 06e089e of 16 December 2021: Shared/.

NextRound and EndTournament compute everything anew. Before, results as they come are added to the
scores of the round before, and the own value is that of the place which this gives; games of all
rounds are on the values of the round before, in round 1 on those of the live list.
"""

from typing import Any

from conformance.programs import printed

RULES = {
    "ladder": "bottom", "bottom_value": "31", "own_value_at": "new", "line_rounding": "1",
    "bye": "1",
}  # fmt: skip
OPTIONS: tuple[str, ...] = ()
NOT_REACHED = {
    "sgridev": "the place of the own value is that of new results added to the old scores, round"
    " 1 is computed twice, and half of an odd value is rounded down"
}
KINDS = ("bye", "unexcused")


Points = dict[int, int]


def ladder(by: Points) -> Points:
    """Whole values by place; equal ones are in the order in which players were entered."""
    order = sorted(by, key=lambda player: -by[player])
    return {player: 30 + len(by) - order.index(player) for player in by}


def add(scores: Points, values: Points, played: dict[str, Any]) -> None:
    """What a round brings."""
    for white, black, result in played["games"]:
        for player, other, won in ((white, black, "1-0"), (black, white, "0-1")):
            if result == won:
                scores[player] += values[other]
            elif result == "½-½":
                scores[player] += values[other] // 2
    for player, kind in played["unplayed"].items():
        scores[int(player)] += values[int(player)] if kind == "bye" else 0


def tables(case: dict[str, Any], _: frozenset[str]) -> list[dict[str, Any]]:
    """After each round, when the next one has been begun or the tournament has been ended."""
    values = ladder({player["id"]: player["rating"] for player in case["players"]})
    scores, found = dict(values), []
    for number, played in enumerate(case["rounds"], 1):
        add(scores, values, played)  # live
        own = ladder(scores)
        values = own if number == 1 else values
        scores = dict(own)
        for before in case["rounds"][:number]:
            add(scores, values, before)
        values = ladder(scores)
        order = sorted(values, key=values.__getitem__, reverse=True)
        found.append(printed(number, order, scores, values))
    return found
