"""The input and the output of a pairing: a club's rules, and the round."""

from typing import Literal, NamedTuple

Strength = Literal["hard", "soft", "off"]

RULES = (
    "prohibited", "rematch", "left_over", "bye_at_start", "bye_again", "fewest_byes",
    "max_meetings", "max_meetings_period", "rematch_gap", "colour_run",
    "colour_difference", "group_distance",
)  # fmt: skip
"""The rules from the one given up last to the one given up first."""


class Policy(NamedTuple):
    """A club's rules of pairing: columns of table rules, which explains each."""

    system: Literal["keizer", "swiss"] = "keizer"
    swiss_within: Literal["halves", "adjacent"] = "halves"
    stuck: Literal["leave", "rematch", "refuse"] = "leave"
    aim: Literal["closest", "top-down"] = "closest"
    first_round: Literal["adjacent", "halves", "random"] = "adjacent"
    seed: int = 1
    rematch_gap: int | None = None
    max_meetings: int | None = None
    max_meetings_period: int | None = None
    max_colour_run: int = 2
    colour_run: Strength = "hard"
    max_colour_difference: int = 2
    colour_difference: Strength = "hard"
    fewest_byes: Strength = "soft"
    bye_again: Strength = "hard"
    bye_at_start: Strength = "hard"
    max_group_distance: int | None = None


class Board(NamedTuple):
    """Two players (ids) who meet."""

    white: int
    black: int


class Difference(NamedTuple):
    """The first difference of the best pairing without a board from the chosen one."""

    digit: str
    """The first of boards.DIGITS in which they differ; a choice if none does."""
    other_sum: int
    """The sum of this digit over the boards and the bye of the other pairing."""
    chosen_sum: int
    """The same sum of the chosen pairing."""


class Relaxation(NamedTuple):
    """A rule that was given up, and why it could not be kept."""

    rule: str
    """One of RULES."""
    players: tuple[int, ...]
    """The two who meet anyway, White first, or the player with the bye."""
    amount: int
    """The excess: rounds missing to the gap, meetings or byes above the maximum,
    players above the colour limit, groups beyond the distance."""
    stuck: int | None = None
    """The one of the two who could meet nobody else by the rules, nor have the bye."""
    instead: Difference | None = None
    """The best pairing without this board or bye. None if there is none, or it was not
    looked for."""


class Pairing(NamedTuple):
    """A round: the boards from the top, and the bye."""

    boards: tuple[Board, ...]
    colours: tuple[str, ...]
    """The reason of each board for who has White: round.colour_by."""
    bye: int | None
    relaxations: tuple[Relaxation, ...] = ()
    not_last: Difference | None = None
    """The best pairing in which the last of those to be paired has the bye. None if the
    last has it anyway, a person gave it, or it was not looked for."""
    left_over: tuple[int, ...] = ()
    """Players of a Swiss who are left over, since they could only meet again or in a
    prohibited pairing: see Policy.stuck."""
    proved: bool = False
    """True if it was checked that no pairing of those not settled is better."""
