"""What a club asks of a pairing, and what comes out."""

from typing import Literal, NamedTuple

Strength = Literal["hard", "soft", "off"]

ColourReason = Literal[
    "colour_run", "colour_difference", "difference", "last", "meeting", "rank", "fixed"
]

RULES = (
    "prohibited",
    "rematch",
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

WISHES = (
    "repeated",
    "bye_place",
    "floats",
    "unwanted_colour",
    "strongly_unwanted",
    "colour_squares",
    "colour_again",
    "same_half",
    "squared",
)
"""What else counts: columns of view possible_boards, like the rules."""


class Policy(NamedTuple):
    """What the club asks of a pairing: columns of table rules, which says what each means."""

    system: Literal["keizer", "swiss"] = "keizer"
    swiss_within: Literal["halves", "adjacent"] = "halves"
    stuck: Literal["leave", "rematch", "refuse"] = "leave"
    aim: Literal["closest", "top-down"] = "closest"
    first_round: Literal["adjacent", "halves", "random"] = "adjacent"
    seed: int = 1
    rematch_gap: int = 5
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


class Breach(NamedTuple):
    """A rule that two who do not meet would break, and by how much."""

    rule: str
    """One of RULES; `fit` where none is: the pairing as a whole is better so."""
    players: tuple[int, int]
    amount: int = 0


class Instead(NamedTuple):
    """How the best pairing without a board differs from the one that was chosen."""

    digit: str
    """The first of RULES and WISHES in which they differ; `choice` where none does."""
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
    """The one of the two who could meet nobody else within the rules, nor have the bye."""
    instead: Instead | None = None
    """The best pairing without this board or bye; None: not looked for, or there is none."""


class Reason(NamedTuple):
    """Why a board is as it is."""

    colour: ColourReason
    """What decided who has White: a colour rule, the colour differences, the
    colours of their games counted back from the last, where they first differ,
    the colours of their last meeting, the rank, a person."""
    skipped: tuple[Breach, ...]
    """The nearest five players who stood nearer to the higher-ranked and were still
    free, and what spoke against each. Empty where nearness does not count: a board settled
    by hand, a first round by halves or lot, a Swiss by halves."""


class Pairing(NamedTuple):
    """A round: the boards from the top, the bye, and the reasons."""

    boards: tuple[Board, ...]
    bye: int | None
    relaxations: tuple[Relaxation, ...] = ()
    reasons: tuple[Reason, ...] = ()
    """One for each board."""
    left: tuple[int, ...] = ()
    """Swiss: who is left over beside, as they could only meet again; see Policy.stuck."""
    proved: bool = False
    """Whether it was checked that no pairing is better, beside what was settled."""


class ImpossibleError(ValueError):
    """There is no Swiss pairing without a rematch; `players` would be left over."""

    def __init__(self, players: tuple[int, ...]) -> None:
        super().__init__(f"no pairing without a rematch exists: {players} would be left over")
        self.players = players
