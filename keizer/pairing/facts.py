"""What a club asks of a pairing, and what comes out."""

from typing import Literal, NamedTuple

Strength = Literal["hard", "soft", "off"]

RULES = (
    "prohibited",
    "rematch",
    "left_over",
    "bye_at_start",
    "bye_again",
    "fewest_byes",
    "max_meetings",
    "max_meetings_period",
    "rematch_gap",
    "colour_run",
    "colour_difference",
    "group_distance",
)
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


class Instead(NamedTuple):
    """How the best pairing without a board differs from the one that was chosen."""

    digit: str
    """The first of boards.DIGITS in which they differ; `choice` where none does."""
    there: int
    """The sum over its boards and bye."""
    here: int
    """The sum over those that were chosen."""


class Relaxation(NamedTuple):
    """A rule that was given up, and why it could not be kept."""

    rule: str
    """One of RULES."""
    players: tuple[int, ...]
    """The two who meet all the same, White first; or the player with the bye."""
    amount: int
    """By how much: rounds missing to the gap, meetings or byes above the maximum,
    players above the colour limit, groups beyond the distance."""
    stuck: int | None = None
    """The one of the two who could meet nobody else within the rules, nor have the
    bye."""
    instead: Instead | None = None
    """The best pairing without this board or bye; None: not looked for, or there is
    none."""


class Pairing(NamedTuple):
    """A round: the boards from the top, and the bye."""

    boards: tuple[Board, ...]
    colours: tuple[str, ...]
    """What decided who has White, of each board: round.colour_by."""
    bye: int | None
    relaxations: tuple[Relaxation, ...] = ()
    not_last: Instead | None = None
    """How the best pairing with the bye for who comes last of those to be paired
    differs; None: that is who has it, or a person gave it, or it was not looked for."""
    left: tuple[int, ...] = ()
    """Swiss: who is left over beside, as they could only meet again; see
    Policy.stuck."""
    proved: bool = False
    """Whether it was checked that no pairing is better, beside what was settled."""
