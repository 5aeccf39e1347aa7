"""The costs of pairs: each is one whole number that holds all digits of a pair.

docs/pairing.md (What is best) compares two pairings digit by digit, each digit summed
over all boards; the first digit in which they differ decides. So that comparing two
sums of whole numbers does the same, each digit has its own bits in a cost. Those of a
weightier digit lie above all bits that the sums of the lighter digits can fill.

Example: only `rematch` and `squared` count, and no sum of `squared` reaches 64. Then
`squared` has the bits 1 to 6 and `rematch` those from bit 7 on. A rematch of two
players 3 places apart has the amounts 1 and 9, and costs (1 << 7) + (9 << 1) = 146. All
costs are even: bit 0 stays 0, so that half of a sum of costs is a whole number.

The bits of a digit are a *slot*. A digit that counts for all pairs of a pairing has one
slot. In a Swiss most digits count for one score group after the other, so they have a
slot for each group. A choice has a slot for each player. A slot is named by the digit
and its *owner*: ("rematch", 0) counts for all, ("floats", 3) for score group 3, and
("choice", 7) for the player who is vertex 7.

A *vertex* is the place of a player among those who are to be paired, from 0. Vertices
are not lines: a player whose board is settled has a line, but no vertex.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from keizer.pairing.boards import FLOATS, INDEX, SCORE_GROUP, Boards, Pair

FLOAT_DIGITS = ("floats", "from_above")
"""The digits of players who leave a score group downwards: the number of their boards,
and how many groups higher than this group they stand, added up. Who passes through a
group counts for it too: a board of a player of group 1 and one of group 3 has `floats`
1 and `from_above` 0 for group 1, and `floats` 1 and `from_above` 1 for group 2."""

DIGITS_OF_HIGHER_GROUP = ("bye_unplayed", "down_again", "down_before", "spread")
"""The digits that count for the score group of the higher player of a pair. All other
digits of groups count for that of the lower player."""

CHOICE = "choice"
"""The digit for the choice of a player in their own score group, or in the Keizer
system, which has only one group."""

CHOICE_BELOW = "choice below"
"""The digit for the choice of a player who meets the next score group."""

CHOICE_FAR_BELOW = "choice far below"
"""The digit for the choice of a player who meets a score group further down."""

Members = dict[int, list[int]]
"""The players of a score group (vertices), by class. Those of each class are in the
order for pairing."""

Slot = tuple[str, int]
"""The name of a slot: the digit, and its owner.

The owner is a score group, or the player whose choice it is, or 0 for all pairs.
"""


class Costs:
    """The costs of a matching problem, whose vertices are players in order for pairing.

    lines: the lines of the players who are to be paired. If they are odd in number, the
    bye is one vertex more, the last one.
    """

    def __init__(self, boards: Boards, lines: Sequence[int]) -> None:
        self.boards = boards
        self.player_count = len(lines)
        """The number of players, and so the vertex of the bye, if there is a bye."""
        self.lines = [*lines]
        """By vertex, the line."""
        if self.player_count % 2:
            self.lines.append(boards.bye_line)
        self.size = len(self.lines)
        """The number of vertices."""
        self.vertex = {line: vertex for vertex, line in enumerate(self.lines)}
        """By line, the vertex."""
        self.group_of = [boards.group_of[line] for line in lines]
        """By player, the score group."""
        self.class_of = [boards.class_of[line] for line in lines]
        """By player, the class."""
        self.members: dict[int, Members] = {}
        """By score group, the players who are to be paired."""
        for player, group in enumerate(self.group_of):
            members = self.members.setdefault(group, {})
            members.setdefault(self.class_of[player], []).append(player)
        self.known: dict[Pair, int] = {}
        """The costs that are read, by pair of vertices, the lower vertex first."""
        self.layout = 0
        """The number of the present layout of slots. Costs of two layouts must not be
        compared."""
        self.by_group = bool(boards.group_digits)
        """True if digits count for one score group after the other, as in a Swiss."""
        # Settled players count too in these two: `spread` goes by all who are present.
        self._group_size = Counter(boards.group_of.values())
        self._last_line = {
            group: line for line, group in sorted(boards.group_of.items())
        }
        """By score group, the line of its last player: later lines replace others."""
        self._choices_below: set[Slot] = set()
        """The slots of choices below the own score group that the layout has: only of
        players who may well leave it, since each slot makes all costs longer."""
        self._lay_out()

    def read(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Read the costs of pairs of vertices, and return those that were not known."""
        unknown = [pair for pair in pairs if pair not in self.known]
        self.boards.read(map(self.lines_of, unknown))
        self._class_costs.clear()  # a new row may be the first of its classes
        self.add_slots(unknown)
        for pair in unknown:
            self.known[pair] = self._cost(pair)
        return unknown

    def lines_of(self, pair: Pair) -> Pair:
        """Return the lines of two vertices."""
        vertex, other = pair
        return self.lines[vertex], self.lines[other]

    def is_bye(self, pair: Pair) -> bool:
        """Return whether a pair of vertices is a bye: then the bye is the second."""
        _, opponent = pair
        return opponent == self.player_count

    def is_within_group(self, pair: Pair) -> bool:
        """Return whether a pair of vertices is two players of one score group."""
        if self.is_bye(pair):
            return False
        player, opponent = pair
        return self.group_of[player] == self.group_of[opponent]

    def classmates(self, player: int) -> list[int]:
        """Return all players of the class and score group of a player, and the player.

        They are in the order for pairing.
        """
        return self.members[self.group_of[player]][self.class_of[player]]

    # ---------------------------------------------------------------- slots

    def has_slots(self, pair: Pair) -> bool:
        """Return whether the layout has all slots that the cost of a pair needs.

        It may lack the slot for the choice of a player who leaves their score group.
        """
        if self.is_bye(pair) or self.is_within_group(pair):
            return True
        return self._slot_below(pair) in self._choices_below

    def add_slots(self, pairs: Iterable[Pair]) -> None:
        """Add the slots that the costs of pairs need, if the layout lacks any.

        Then it is another layout, and all known costs are computed again.
        """
        lacking = {self._slot_below(pair) for pair in pairs if not self.has_slots(pair)}
        if lacking:
            self._choices_below |= lacking
            self._lay_out()

    def _slot_below(self, pair: Pair) -> Slot:
        """Return the slot for the choice of a player who meets a lower score group."""
        player, opponent = pair
        return self._slot_in_group(player, self.group_of[opponent])

    def _slot_in_group(self, player: int, opponent_group: int) -> Slot:
        """Return the slot for the choice of a player among a score group.

        For lower groups there are two slots: docs/pairing.md ("In a Swiss", 5) weighs
        the choices of players from two groups above before those of one group above.
        """
        groups_down = opponent_group - self.group_of[player]
        if groups_down == 0:
            return CHOICE, player
        if groups_down == 1:
            return CHOICE_BELOW, player
        return CHOICE_FAR_BELOW, player

    def _lay_out(self) -> None:
        """Give each slot its bits, and compute all known costs by them."""
        max_amounts = self.boards.max_amounts()
        max_amounts["from_above"] = len(self._group_size)
        self.slots = [*self._slots()]
        """The slots, the weightiest first."""
        self._lowest_bit: dict[Slot, int] = {}
        """By slot, its lowest bit: an amount is shifted to the left by so much."""
        bit = 1  # bit 0 stays 0, so that costs are even
        for slot in reversed(self.slots):
            self._lowest_bit[slot] = bit
            digit, _ = slot
            if digit in max_amounts:
                max_sum = max_amounts[digit] * self.size
            else:
                max_sum = self.boards.bye_line  # a choice: only one pair has its player
            bit += max_sum.bit_length()
        self.dearest = 1 << bit
        """More than any pairing costs."""
        self._class_costs: dict[tuple[int, int, int, int], int] = {}
        """By two classes and two score groups, the class cost."""
        self.layout += 1
        self.known = {pair: self._cost(pair) for pair in self.known}

    def _slots(self) -> Iterator[Slot]:
        """Yield the slots of a cost, in the order of docs/pairing.md (What is best)."""
        for digit in self.boards.overall_digits:
            yield digit, 0
        if self.by_group:
            yield from self._slots_by_group()
        else:
            for player in range(self.player_count):
                yield CHOICE, player

    def _slots_by_group(self) -> Iterator[Slot]:
        """Yield the slots of a Swiss from `floats` on, from the top group down."""
        group_count = max(self._group_size)
        for digit in FLOAT_DIGITS:
            yield digit, 1
        for group in range(1, group_count + 1):
            if group < group_count:
                # Who leaves the next group counts before anything else of this one.
                for digit in FLOAT_DIGITS:
                    yield digit, group + 1
            for digit in self.boards.group_digits:
                if digit == "spread":
                    # The choices of players who come from above go before it.
                    yield from self._slots_of_choices_below(CHOICE_FAR_BELOW, group - 2)
                    yield from self._slots_of_choices_below(CHOICE_BELOW, group - 1)
                yield digit, group
            for player in self._players(group):
                yield CHOICE, player

    def _slots_of_choices_below(self, digit: str, group: int) -> Iterator[Slot]:
        """Yield the slots that players of a group have for a choice below it.

        digit: CHOICE_BELOW or CHOICE_FAR_BELOW. A group below 1 has no players.
        """
        for player in self._players(group):
            if (digit, player) in self._choices_below:
                yield digit, player

    def _players(self, group: int) -> Iterator[int]:
        """Yield the players of a score group, in the order for pairing."""
        for player, own_group in enumerate(self.group_of):
            if own_group == group:
                yield player

    # ---------------------------------------------------------------- costs

    def _cost(self, pair: Pair) -> int:
        """Return the cost of a pair of vertices whose row is read."""
        amounts, choice = self.boards.amounts_and_choice(self.lines_of(pair))
        cost = self._cost_of_amounts(amounts)
        for slot, amount in self.slot_amounts_of_choice(pair, choice):
            cost += amount << self._lowest_bit[slot]
        return cost

    def _cost_of_amounts(self, amounts: Sequence[int]) -> int:
        """Return the cost of a pair with these amounts, but without its choice."""
        return sum(
            amount << self._lowest_bit[slot]
            for slot, amount in self.slot_amounts(amounts)
        )

    def slot_amounts(self, amounts: Sequence[int]) -> Iterator[tuple[Slot, int]]:
        """Yield each slot with what a pair has in it, but not the slots of its choice.

        amounts: those of the pair, in the order of boards.DIGITS.
        """
        group = amounts[SCORE_GROUP]  # that of the higher player
        lower_group = group + amounts[FLOATS]
        for digit in self.boards.overall_digits:
            amount = amounts[INDEX[digit]]
            if amount:
                yield (digit, 0), amount
        for digit in self.boards.group_digits:
            amount = amounts[INDEX[digit]]
            if amount:
                is_of_higher = digit in DIGITS_OF_HIGHER_GROUP
                yield (digit, group if is_of_higher else lower_group), amount
        # The pair is a float from each group above that of the lower player, down from
        # that of the higher player.
        for left_group in range(group, lower_group):
            yield ("floats", left_group), 1
            yield ("from_above", left_group), left_group - group

    def slot_amounts_of_choice(
        self, pair: Pair, choice: int
    ) -> Iterator[tuple[Slot, int]]:
        """Yield each slot for the choice of a pair, with what the pair has in it.

        choice: how many players the first of the two passes over, by the row.
        """
        player, _ = pair
        if not self.by_group or self.is_within_group(pair):
            yield (CHOICE, player), choice
            return
        # In the own group this is worse than any choice. Among the lower group, if it
        # is no bye, the choice has a slot of its own.
        yield (CHOICE, player), self.boards.bye_line
        if not self.is_bye(pair):
            yield self._slot_below(pair), choice

    # ---------------------------------------------------------------- lower bounds
    #
    # A pair whose row is not read costs at least the sum of three parts:
    #
    #   class_cost   by the classes and the score groups of the two,
    #   player_cost  by the higher player and the score group of the opponent,
    #   and by the distance of the two (Search._distance_cost in unread.py).
    #
    # Only `spread` within a group goes by both lines: group size - (opponent's line -
    # player's line). So player_cost has the part (group size + player's line), and
    # (opponent's line << spread_bit) is to be taken off for the opponent.

    def class_cost(self, classes: Pair, group: int, opponent_group: int) -> int:
        """Return the part of a cost that follows from two classes and score groups.

        As long as no pair of the two classes is read, only the groups count.
        """
        key = *classes, group, opponent_group
        if key not in self._class_costs:
            amounts = self.boards.class_amounts(classes)
            amounts[SCORE_GROUP] = group
            amounts[FLOATS] = opponent_group - group
            self._class_costs[key] = self._cost_of_amounts(amounts)
        return self._class_costs[key]

    def player_cost(self, player: int, opponent_group: int) -> int:
        """Return the part of a cost that a player has with anybody of a score group.

        Within a group, `spread` is that with an opponent on line 0. The caller takes
        off the line of the real one.
        """
        group = self.group_of[player]
        line = self.lines[player]
        cost = 0
        spread_bit = self.spread_bit(group)
        if spread_bit is not None:
            if group == opponent_group:
                spread = self._group_size[group] + line
            else:
                spread = self._last_line[group] - line  # those of the group behind
            cost += spread << spread_bit
        if self.by_group and group < opponent_group:
            cost += self.boards.bye_line << self._lowest_bit[CHOICE, player]
        return cost

    def initial_prices(self) -> list[int]:
        """Return, for each vertex, a good price to begin a matching with.

        If two meet, their prices together should be their cost (matching.py). These
        prices are so if only `spread` counts, and an upper half meets a lower half.

        Example: in a group of 6 on lines 1 to 6, the prices are 0 1 2 3 2 1. Lines 1
        and 4 have `spread` 6 - 3 = 3, which is 0 + 3; lines 3 and 6 have 3 = 2 + 1. Two
        of one half, such as lines 1 and 2, have more (5) than their prices (0 + 1).
        """
        prices = [0] * self.size
        for player, group in enumerate(self.group_of):
            spread_bit = self.spread_bit(group)
            if spread_bit is not None:
                players_below = self._last_line[group] - self.lines[player]
                players_above = self._group_size[group] - 1 - players_below
                # The first is lower in the upper half, the second in the lower half.
                spread_share = min(players_above, players_below + 1)
                prices[player] = spread_share << spread_bit
        return prices

    def spread_bit(self, group: int) -> int | None:
        """Return the lowest bit of digit `spread` for the pairs of a score group.

        None if `spread` does not count, since no halves meet.
        """
        if not self.boards.by_halves:
            return None
        return self._lowest_bit["spread", group if self.by_group else 0]

    def choice_bit(self, player: int, opponent_group: int) -> int | None:
        """Return the lowest bit of the slot for a player's choice in a score group.

        None if the layout has no such slot yet.
        """
        return self._lowest_bit.get(self._slot_in_group(player, opponent_group))

    @property
    def float_bit(self) -> int:
        """The lowest bit of the digit that counts who leaves the top score group."""
        return self._lowest_bit["floats", 1]

    @property
    def squared_bit(self) -> int | None:
        """The lowest bit of the squared distance; None if it does not count."""
        return self._lowest_bit.get(("squared", 0))
