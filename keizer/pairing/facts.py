"""The input and the output of a pairing: a club's rules, and the round."""

from typing import Literal, NamedTuple

Strength = Literal["hard", "soft", "off"]
"""How a club takes a rule: it must be kept, it is a wish, or it does not count."""

RULES = (
    "prohibited", "rematch", "left_over", "bye_at_start", "bye_again", "fewest_byes",
    "max_meetings", "max_meetings_period", "rematch_gap", "colour_run",
    "colour_difference", "group_distance",
)  # fmt: skip
"""The rules, from the one given up last to the one given up first."""


class Policy(NamedTuple):
    """A club's rules of pairing.

    The fields and their values are those of columns of table rules, where schema.sql
    says more about each. A rule that is "hard" must be kept; "soft" makes it a wish,
    and "off" nothing.
    """

    system: Literal["keizer", "swiss"] = "keizer"
    swiss_within: Literal["halves", "adjacent"] = "halves"
    """Who meet within a score group of a Swiss: upper and lower half, or neighbours."""
    stuck: Literal["leave", "rematch", "refuse"] = "leave"
    """What is done in a Swiss if only rematches remain for some players: they get a
    bye, they meet again, or the round is refused."""
    aim: Literal["closest", "top-down"] = "closest"
    """What is best in the Keizer system: the least sum of squared distances, or the
    nearest opponent for the first player, then for the next, and so on."""
    first_round: Literal["adjacent", "halves", "random"] = "adjacent"
    """Who meet in round 1: neighbours, upper and lower half, or as drawn by lot."""
    seed: int = 1
    """The number that decides the lot: the same number draws the same lot."""
    rematch_gap: int | None = None
    """How many rounds must lie between two meetings of the same players. None: a number
    that follows from how many players are present."""
    max_meetings: int | None = None
    """How often two players may meet in the tournament; None if there is no limit."""
    max_meetings_period: int | None = None
    """How often two players may meet in a period; None if there is no limit."""
    max_colour_run: int = 2
    """How often in a row a player may have the same colour."""
    colour_run: Strength = "hard"
    """Whether max_colour_run must be kept."""
    max_colour_difference: int = 2
    """How many games more a player may have with one colour than with the other."""
    colour_difference: Strength = "hard"
    """Whether max_colour_difference must be kept."""
    fewest_byes: Strength = "soft"
    """Whether the bye must go to a player who has had the fewest byes."""
    bye_again: Strength = "hard"
    """Whether nobody may have the bye in two rounds in a row."""
    bye_at_start: Strength = "hard"
    """Whether a late entry may not have the bye in their first round."""
    max_group_distance: int | None = None
    """How many categories apart two opponents may be; None if there is no limit."""


class Board(NamedTuple):
    """Two players who meet, by their ids (player.id)."""

    white: int
    black: int


class Difference(NamedTuple):
    """The criterion that decides between the chosen pairing and another one.

    The other pairing is the best one under a condition: without a certain board or bye,
    or with the bye for a certain player. Example: with digit "rematch", other_sum 2 and
    chosen_sum 0, the other pairing has two rematches more.

    In a Swiss, most criteria count for each score group by itself. Then the sums are
    those of one group: the first in which the two pairings differ.
    """

    digit: str
    """The weightiest criterion in which the two pairings differ, such as "rematch",
    "floats" or "choice". The criteria are called digits in this package, since they are
    compared like the digits of a number."""
    other_sum: int
    """The sum of this criterion over the boards and the bye of the other pairing."""
    chosen_sum: int
    """The sum of this criterion over the boards and the bye of the chosen pairing."""


class Relaxation(NamedTuple):
    """A rule that a board or a bye of a round breaks, and why it could not be kept."""

    rule: str
    """One of RULES."""
    players: tuple[int, ...]
    """The two who meet anyway, White first, or the player with the bye (player.id)."""
    amount: int
    """By how much the rule is broken. What that counts depends on the rule, such as the
    rounds that are missing to the gap, meetings or byes above the maximum, players
    above the colour limit, categories beyond the distance."""
    player_without_alternative: int | None = None
    """The player of the two whom the rules allow no other opponent and no bye; None if
    there is no such player."""
    instead: Difference | None = None
    """How the best pairing without this board or bye would differ. None if there is no
    such pairing, or it was not computed."""


class Pairing(NamedTuple):
    """A round as the engine pairs it: the boards, the bye, and the reasons.

    Players are named by their ids (player.id).
    """

    boards: tuple[Board, ...]
    """The boards from the top, also those that were set by hand."""
    colours: tuple[str, ...]
    """For each board, what decided who has White: a value of round.colour_by."""
    bye: int | None
    """The player with the bye; None if nobody has it."""
    relaxations: tuple[Relaxation, ...] = ()
    """The rules that the boards and byes break, and why."""
    if_last_had_bye: Difference | None = None
    """How the best pairing would differ in which the player with the last place has
    the bye. None if that player has it anyway, somebody gave the bye by hand, or that
    pairing was not computed."""
    left_over: tuple[int, ...] = ()
    """Players of a Swiss for whom only rematches and prohibited pairings remain. Each
    gets a bye, or the round is refused: see Policy.stuck."""
    proved: bool = False
    """True if the engine has checked its proof that no other pairing of the players
    without a settled board or bye is better."""
