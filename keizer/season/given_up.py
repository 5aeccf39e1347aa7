"""Why a rule of pairing could not be kept, in words."""

from collections.abc import Mapping, Sequence

from keizer.pairing.facts import Relaxation

SUMS = {
    "prohibited": "prohibited pairings",
    "rematch": "meetings before",
    "bye_at_start": "byes of late entries in their first round",
    "bye_again": "byes in two rounds in a row",
    "fewest_byes": "byes more than the fewest",
    "max_meetings": "meetings beyond the maximum",
    "max_meetings_period": "meetings beyond the maximum of the period",
    "rematch_gap": "rounds missing between meetings",
    "colour_run": "colours too often in a row",
    "colour_difference": "colours too often",
    "group_distance": "groups beyond the distance",
    "repeated": "rounds of the repeated meetings, added up",
    "bye_place": "players below the one with the bye",
    "floats": "score groups between opponents",
    "unwanted_colour": "colours against what is due",
    "strongly_unwanted": "colours once more against what is due",
    "colour_squares": "squares of the colour differences",
    "colour_again": "same colours again",
    "same_half": "boards within one half",
    "squared": "squares of the distances",
    "choice": "places beyond the first choice of the highest-ranked",
}
"""What is added up over a pairing, by the column of possible_boards."""


def why(told: Relaxation, present: Mapping[int, str], by_hand: Sequence[tuple[int, ...]]) -> str:
    """A sentence; present: names by id."""
    if told.players in by_hand:
        return "Settled by hand."
    if told.rule == "rematch" and len(told.players) == 1:
        return "No pairing without a rematch has more boards."
    if len(present) == len(told.players):
        return "Nobody else is present."
    if told.stuck is not None:
        beside = " beside the boards that are settled" if by_hand else ""
        return f"{present[told.stuck]} could meet nobody else within the rules{beside}."
    if told.instead is None:
        return "No pairing of those present gives up less."
    more = f"{SUMS[told.instead.digit]}: {told.instead.there}, not {told.instead.here}"
    return f"The best pairing without it has more {more}."
