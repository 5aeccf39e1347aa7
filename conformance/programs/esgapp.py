"""esgapp (github.com/gnutterts/esgapp), commit bf8a827 of 23 March 2026: KeizerPointsService.php.

When a round is completed, all tables of the season are made anew and stored: what is there at the
end counts here. A round keeps the values of the list before it. Everybody who takes part in any
round has a value in round 1; later whoever is not yet in the list counts as 1. Who entered during
the season has 15 points for each round missed, in the round of entry. Equal scores stand in the
order in which the players were first given points, zero included: entries, then boards, then byes,
then absences. (PHP 8 sorts without moving what is equal.) Without a rating a player has 1200.

Not drawn, and not reached: entries during the season, and players without a rating.
"""

from typing import Any

from conformance.programs import printed

PRESET = "esg"
OPTIONS: tuple[str, ...] = ()
KINDS = ("bye", "excused", "club duty")
"""The bye, absent, played elsewhere: it knows no other."""
LEAVING = True
NOT_REACHED = {
    "esg": "equal scores are in the order in which players were first given points, here in that"
    " of the start list; the next values go by it"
}

TOP, ABSENCES, MISSED, UNRATED = 60, 5, 15, 1200
FIXED = {"bye": 40, "excused": 20, "unexcused": 20, "club duty": 40}
WHITE = {"1-0": 1, "½-½": 0.5, "0-1": 0}


def values(order: list[int]) -> dict[int, int]:
    """From the top down, never below 1."""
    return {player: max(1, TOP - place) for place, player in enumerate(order)}


def tables(case: dict[str, Any], options: frozenset[str]) -> list[dict[str, Any]]:
    """All of them, as they are stored at the end."""
    del options
    people = sorted(case["players"], key=lambda told: -(told.get("rating") or UNRATED))
    seen = {
        player
        for told in case["rounds"]
        for *pair, _ in told["games"]
        for player in pair
    }
    seen |= {int(key) for told in case["rounds"] for key in told["unplayed"]}
    worth = values([told["id"] for told in people if told["id"] in seen])
    points: dict[int, float] = {}
    absences: dict[int, int] = {}
    found = []
    for number, told in enumerate(case["rounds"], 1):
        for one in case["players"]:
            if one["id"] in seen and one.get("first_round", 1) == number > 1:
                points[one["id"]] = MISSED * (number - 1)
        for white, black, result in told["games"]:
            points[white] = points.get(white, 0) + WHITE[result] * worth.get(black, 1)
            points[black] = points.get(black, 0) + (1 - WHITE[result]) * worth.get(
                white, 1
            )
        for key, kind in sorted(
            told["unplayed"].items(), key=lambda item: item[1] != "bye"
        ):
            player, amount = int(key), FIXED[kind]
            if kind not in {"bye", "club duty"}:
                absences[player] = absences.get(player, 0) + 1
                amount *= absences[player] <= ABSENCES
            points[player] = points.get(player, 0) + amount
        order = sorted(points, key=lambda player: -points[player])
        worth = values(order)
        found.append(printed(number, order, points))
    return found
