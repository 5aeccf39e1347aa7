"""What a pairing is made of, and what comes out: plain data."""

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
    "meet_all_first",
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


class Game(NamedTuple):
    """A game over the board of an earlier round (players by id)."""

    round_number: int
    white: int
    black: int


class Player(NamedTuple):
    """A player who is present."""

    id: int
    score: int = 0
    """Swiss: in any unit that is a whole number."""
    group: int = 0
    """Place of their group among the groups; see Policy.max_group_distance."""
    byes: int = 0
    """Their byes so far, with the unplayed rounds that the club counts as byes."""
    bye_last_round: bool = False
    """They had one in the last round."""
    starts: bool = False
    """This is their first round, and not the tournament's."""
    prohibited: frozenset[str] = frozenset()
    """Those who share one of these (a family, a team) do not meet."""


class Policy(NamedTuple):
    """What the club asks of a pairing (the columns of table rules)."""

    system: Literal["keizer", "swiss"] = "keizer"
    """swiss: nobody meets twice at all, and scores come before ranks."""
    swiss_within: Literal["halves", "adjacent"] = "halves"
    """Within a score group: the upper half meets the lower, or neighbours meet."""
    stuck: Literal["leave", "rematch", "refuse"] = "leave"
    """Swiss, where every pairing has a rematch: the fewest are left over, the meeting
    longest ago is repeated, or ImpossibleError."""
    aim: Literal["closest", "top-down"] = "closest"
    """closest: the least sum of squared distances in rank over the whole list.
    top-down: the highest-ranked meets the nearest with whom the others can
    still be paired as well, then the next."""
    first_round: Literal["adjacent", "halves", "random"] = "adjacent"
    """1-2, 3-4; 1-(n/2+1), 2-(n/2+2); or 1-2, 3-4 of a list drawn with seed."""
    seed: int = 1
    rematch_gap: int = 5
    """Rounds that lie between two meetings of the same players."""
    max_meetings: int | None = None
    """How often two players may meet in the season."""
    max_meetings_period: int | None = None
    """How often in a period of it."""
    meet_all_first: bool = False
    """Nobody meets an opponent again before all others who are present."""
    max_colour_run: int = 2
    """Games in a row that a player may have the same colour."""
    colour_run: Strength = "hard"
    max_colour_difference: int = 2
    """Games with White less games with Black, or the other way round."""
    colour_difference: Strength = "hard"
    fewest_byes: Strength = "soft"
    """The bye goes to a player with the fewest byes."""
    bye_rounds: int | None = None
    """Only those in this number of rounds before count for that."""
    bye_again: Strength = "hard"
    """Nobody has the bye two rounds in a row."""
    bye_at_start: Strength = "hard"
    """Nobody has the bye in the round in which they join."""
    max_group_distance: int | None = None
    """0: groups meet among themselves; 1: also with the next one; and so on."""


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

    distance: int
    """Places between the two among those present; 1: neighbours."""
    last_meeting: int | None
    """The round of their last meeting."""
    meetings: int
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
