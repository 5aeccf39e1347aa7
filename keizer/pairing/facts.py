"""The input and the output of a pairing: a club's rules, and the round."""

from typing import Literal, NamedTuple

Strength = Literal["hard", "soft", "off"]

RULES = (
    "prohibited", "rematch", "left_over", "bye_at_start", "bye_again", "fewest_byes",
    "max_meetings", "max_meetings_period", "rematch_gap", "colour_run",
    "colour_difference", "group_distance",
)  # fmt: skip
"""The rules, from the one given up last to the one given up first."""


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
    """Two players who meet, by their ids (player.id)."""

    white: int
    black: int


class Difference(NamedTuple):
    """The digit that decides between the chosen pairing and another one.

    The other pairing is the best of those without a certain board or bye. Example: with
    digit "rematch", other_sum 2 and chosen_sum 0, the other pairing has two rematches
    more.
    """

    digit: str
    """The weightiest digit in which the two pairings differ, such as "rematch",
    "floats" or "choice": the name of a slot (costs.py)."""
    other_sum: int
    """The sum of this digit over the boards and the bye of the other pairing."""
    chosen_sum: int
    """The sum of this digit over the boards and the bye of the chosen pairing."""


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
    """The player of the two whom the rules allow no other opponent and no bye; None if
    there is no such player."""
    instead: Difference | None = None
    """How the best pairing without this board or bye would differ. None if there is no
    such pairing, or it was not computed."""


class Pairing(NamedTuple):
    """A round: the boards from the top, and the bye."""

    boards: tuple[Board, ...]
    colours: tuple[str, ...]
    """For each board, what decided who has White: a value of round.colour_by."""
    bye: int | None
    """The player with the bye; None if nobody has it."""
    relaxations: tuple[Relaxation, ...] = ()
    not_last: Difference | None = None
    """How the best pairing would differ in which the player with the last place has
    the bye. None if that player has it anyway, somebody gave the bye by hand, or that
    pairing was not computed."""
    left_over: tuple[int, ...] = ()
    """Players of a Swiss for whom only rematches and prohibited pairings remain. Each
    gets a bye, or the round is refused: see Policy.stuck."""
    proved: bool = False
    """True if the engine has checked its proof that no other pairing of the players
    without a settled board or bye is better."""
