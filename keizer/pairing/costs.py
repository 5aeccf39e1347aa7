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

from keizer.pairing.boards import FLOATS, INDEX, LEFT_OVER, SCORE_GROUP, Boards, Pair

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
"""The players of a score group, as vertices, by class: {1: [0, 3], 2: [1, 2]}. Those of
each class are in the order for pairing."""

Slot = tuple[str, int]
"""The name of the bits that a digit has in a cost: the digit, and its owner.

The owner is a score group, or the player whose choice it is, or ALL_PAIRS. Examples:
("floats", 3), ("choice", 7) and ("rematch", 0).
"""

ALL_PAIRS = 0
"""The owner of a slot that counts for all pairs, in place of a score group."""

TOP_GROUP = 1
"""The number of the highest score group. Those further down are 2, 3 and so on."""


class Costs:
    """The costs of pairs: one integer for each, and the lowest sum is the best pairing.

    Each criterion of pairing (a *digit*) has its own bits in the integers, the
    weightier one above the lighter one. The bits of a digit are a *slot*; a digit that
    counts for each score group by itself has a slot for each of them. A Swiss may come
    to need further slots. Then there is another *layout*: the slots are laid out again,
    and all costs computed again.

    The players are *vertices* here: numbered from 0, in the order for pairing, without
    those who have their board or bye already. A pair is two vertices, the lower one
    first.

    lines: the lines of the players who are to be paired (their places in the order for
    pairing, from 1). If they are odd in number, the bye is one vertex more, the last.
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
        """By player, the class: a number for players whom the rules on colours and
        categories treat alike."""
        self.members: dict[int, Members] = {}
        """The players who are to be paired, by score group and then by class."""
        for player, group in enumerate(self.group_of):
            members = self.members.setdefault(group, {})
            members.setdefault(self.class_of[player], []).append(player)
        self.known: dict[Pair, int] = {}
        """The costs so far, by pair of vertices, the lower vertex first. `read` adds
        further ones."""
        self.layout = 0
        """The number of the present layout: it grows with each new one. Costs of two
        layouts must not be compared."""
        self.by_group = bool(boards.group_digits)
        """True if digits count for one score group after the other, as in a Swiss."""
        # These two count all who are present, also those who have a board already: the
        # view counts them in digit `spread`, and these have to agree with it.
        self._group_size = Counter(boards.group_of.values())
        self._last_line = {
            group: line for line, group in sorted(boards.group_of.items())
        }
        """By score group, the line of its last player: later lines replace others."""
        self._slots_across_groups: set[Slot] = set()
        """The slots for a player who meets a lower score group. Only players who may
        well leave their group have one, since each slot makes all costs longer."""
        self._lay_out()

    def read(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Add the costs of pairs to `known`, and return the pairs that were not in it.

        Their rows are queried from view possible_boards. If the costs need bits that
        the integers lack, there is another layout afterwards, with all costs new.
        """
        unknown = [pair for pair in pairs if pair not in self.known]
        self.boards.read(map(self.lines_of, unknown))
        self._class_costs.clear()  # a new row may be the first of its classes
        self.add_slots(unknown)
        for pair in unknown:
            self.known[pair] = self._cost(pair)
        return unknown

    def lines_of(self, pair: Pair) -> Pair:
        """Return two vertices as lines: places in the order for pairing, from 1.

        The bye has the line behind all players.
        """
        vertex, other = pair
        return self.lines[vertex], self.lines[other]

    def is_bye(self, pair: Pair) -> bool:
        """Return whether a pair of vertices is a player and the bye."""
        _, opponent = pair
        return opponent == self.player_count  # the bye is the vertex behind all players

    def is_within_group(self, pair: Pair) -> bool:
        """Return whether a pair of vertices is two players of one score group."""
        if self.is_bye(pair):
            return False
        player, opponent = pair
        return self.group_of[player] == self.group_of[opponent]

    def classmates(self, player: int) -> list[int]:
        """Return the players with the class and the score group of a player.

        The player is among them. They are in the order for pairing. A class is a number
        for players whom the rules on colours and categories treat alike.
        """
        return self.members[self.group_of[player]][self.class_of[player]]

    # ---------------------------------------------------------------- slots

    def has_slots(self, pair: Pair) -> bool:
        """Return whether the cost of a pair can be computed with the present slots.

        A cost is one integer, in which each criterion has its own bits: a slot. A pair
        of two score groups needs a slot for just that: for how many players of the
        lower group the higher player passes over. Such a slot makes all costs longer.
        So it is only added when it is needed (`add_slots`), and may be missing. All
        other slots are there from the beginning.
        """
        if self.is_bye(pair) or self.is_within_group(pair):
            return True
        return self._slot_across_groups(pair) in self._slots_across_groups

    def add_slots(self, pairs: Iterable[Pair]) -> None:
        """Add the slots that the costs of these pairs need, if any are missing.

        A cost is one integer, in which each criterion has its own bits: a slot. With a
        new slot the bits of others move. So all costs in `known` are computed again,
        and `layout` grows.
        """
        lacking = {
            self._slot_across_groups(pair) for pair in pairs if not self.has_slots(pair)
        }
        if lacking:
            self._slots_across_groups |= lacking
            self._lay_out()

    def _slot_across_groups(self, pair: Pair) -> Slot:
        """Return the slot for a player who meets an opponent of a lower score group.

        A slot is the bits of a digit in a cost. This one holds the choice: how many
        players the higher player passes over to meet this opponent.
        """
        player, opponent = pair
        return self._slot_of_choice(player, self.group_of[opponent])

    def _slot_of_choice(self, player: int, opponent_group: int) -> Slot:
        """Return the slot for how a player chooses among opponents of a score group.

        A slot is the bits of a digit in a cost. This one holds how many players the
        player passes over to meet the opponent. It depends on how far below the own
        group the opponent's group is. It is never above it, since the player of a pair
        is the one who comes first in the order for pairing.
        """
        groups_down = opponent_group - self.group_of[player]
        if groups_down == 0:
            return CHOICE, player
        # When a group takes in players from above, those who come from two or more
        # groups above choose before those of the next group above. So the two have
        # slots in different places (docs/pairing.md, "In a Swiss", 5).
        if groups_down == 1:
            return CHOICE_BELOW, player
        return CHOICE_FAR_BELOW, player

    def _lay_out(self) -> None:
        """Give each slot its bits, and compute all known costs again with these.

        A slot is the bits that a digit has in a cost. It needs as many as the sum of
        the digit over a whole pairing can fill. Then a weightier slot, which lies
        above, always decides first. `slots`, `dearest` and `layout` are set here.
        """
        max_amounts = self.boards.max_amounts()
        max_amounts["from_above"] = len(self._group_size)
        self.slots = [*self._slots()]
        """The slots, the weightiest first."""
        self._lowest_bit: dict[Slot, int] = {}
        """By slot, its lowest bit: an amount is shifted to the left by so much."""
        # Bit 0 stays 0. So all costs are even, as matching.py needs them.
        bit = 1
        for slot in reversed(self.slots):
            self._lowest_bit[slot] = bit
            digit, _ = slot
            if digit in max_amounts:
                # No pairing has as many pairs as there are vertices.
                max_sum = max_amounts[digit] * self.size
            else:
                # A choice belongs to one player, and only one pair has this player. So
                # nothing is summed. The highest is that of a player who is left over.
                max_sum = self.boards.bye_line + 1
            bit += max_sum.bit_length()
        self.dearest = 1 << bit
        """More than any pairing costs."""
        self._class_costs: dict[tuple[int, int, int, int], int] = {}
        """What the method class_cost has returned, by two classes and two score
        groups."""
        self.layout += 1
        self.known = {pair: self._cost(pair) for pair in self.known}

    def _slots(self) -> Iterator[Slot]:
        """Yield the slots of a cost, the weightiest first.

        A slot is named by a digit and whom it counts for. ("rematch", 0) counts for all
        pairs, ("choice", 7) for the player who is vertex 7. The order is that of
        docs/pairing.md (What is best).
        """
        for digit in self.boards.overall_digits:
            yield digit, ALL_PAIRS
        if self.by_group:
            yield from self._slots_by_group()
        else:
            for player in range(self.player_count):
                yield CHOICE, player

    def _slots_by_group(self) -> Iterator[Slot]:
        """Yield the slots of a Swiss that count for score groups, the weightiest first.

        A slot is named by a digit and whom it counts for. ("floats", 3) counts for
        score group 3, and ("choice", 7) for the player who is vertex 7.
        """
        group_count = max(self._group_size)
        for digit in FLOAT_DIGITS:
            yield digit, TOP_GROUP
        for group in range(TOP_GROUP, group_count + 1):
            if group < group_count:
                # How many leave the next group counts before all else of this one. Of
                # the top group they have been yielded above.
                for digit in FLOAT_DIGITS:
                    yield digit, group + 1
            for digit in self.boards.group_digits:
                if digit == "spread":
                    # Before the halves of the group are matched, players who come from
                    # above take their opponents out of it.
                    yield from self._slots_of_choices_below(CHOICE_FAR_BELOW, group - 2)
                    yield from self._slots_of_choices_below(CHOICE_BELOW, group - 1)
                yield digit, group
            for player in self._players(group):
                yield CHOICE, player

    def _slots_of_choices_below(self, digit: str, group: int) -> Iterator[Slot]:
        """Yield the slots of a group's players for opponents in lower score groups.

        A slot is named by a digit and the player whose choice it holds. Many players
        have no such slot, since slots are added only when a pair needs one.

        digit: CHOICE_BELOW or CHOICE_FAR_BELOW. group: may be 0 or less; then no player
        is in it, and nothing is yielded.
        """
        for player in self._players(group):
            if (digit, player) in self._slots_across_groups:
                yield digit, player

    def _players(self, group: int) -> Iterator[int]:
        """Yield the players of a score group, in the order for pairing."""
        for player, own_group in enumerate(self.group_of):
            if own_group == group:
                yield player

    # ---------------------------------------------------------------- costs

    def _cost(self, pair: Pair) -> int:
        """Return all that speaks against a pair of vertices, as one integer.

        Each criterion has its own bits of the integer: a slot. Its amount, which says
        how much speaks against the pair, is shifted to the lowest bit of the slot. With
        5 as the lowest bit, an amount of 3 adds 3 << 5 = 96 to the cost.

        The row of the pair must be in `boards.rows` already.
        """
        # `choice` says how many nearer opponents the first of the two passes over.
        amounts, choice = self.boards.amounts_and_choice(self.lines_of(pair))
        cost = self._cost_of_amounts(amounts)
        for slot, amount in self.slot_amounts_of_choice(pair, amounts, choice):
            cost += amount << self._lowest_bit[slot]
        return cost

    def _cost_of_amounts(self, amounts: Sequence[int]) -> int:
        """Return the cost of a pair as one integer, without the part of its choice.

        Each criterion has its own bits of the integer: a slot. Its amount is shifted to
        the lowest bit of the slot, and all of them are added up.

        amounts: what speaks against the pair by each criterion, in the order of
        boards.DIGITS.
        """
        return sum(
            amount << self._lowest_bit[slot]
            for slot, amount in self.slot_amounts(amounts)
        )

    def slot_amounts(self, amounts: Sequence[int]) -> Iterator[tuple[Slot, int]]:
        """Yield what a pair adds to the sums by which pairings are compared.

        Each sum has a name, its *slot*: the rule or wish that is summed (the *digit*),
        and the score group for which it is, or 0 for all pairs. ("colour_run", 0) is
        the sum of `colour_run` over all pairs, ("spread", 3) that of `spread` for score
        group 3. Yielded are the slots to which the pair adds something, each with the
        amount that it adds.

        Example: in a Swiss, a player of score group 1 meets one of group 3. The board
        breaks rule `colour_run` by 1, and wish `spread` by 4. It yields

            ("colour_run", 0), 1    for all pairs
            ("spread", 1), 4        for the group of the higher player
            ("floats", 1), 1        the higher player leaves group 1
            ("floats", 2), 1        and, on the way down, group 2,
            ("from_above", 2), 1    to which they came from 1 group higher up

        What the pair's choice adds is not among them (see slot_amounts_of_choice).

        amounts: what the pair has in each digit, in the order of boards.DIGITS.
        """
        higher_group = amounts[SCORE_GROUP]
        # Digit `floats` says how many groups further down the lower player stands.
        lower_group = higher_group + amounts[FLOATS]
        for digit in self.boards.overall_digits:
            amount = amounts[INDEX[digit]]
            if amount:
                yield (digit, ALL_PAIRS), amount
        # `floats` is not one of these: it follows below.
        for digit in self.boards.group_digits:
            amount = amounts[INDEX[digit]]
            if amount:
                is_of_higher = digit in DIGITS_OF_HIGHER_GROUP
                owner = higher_group if is_of_higher else lower_group
                yield (digit, owner), amount
        # The higher player leaves their own group, and each group between the two.
        for left_group in range(higher_group, lower_group):
            yield ("floats", left_group), 1
            groups_from_above = left_group - higher_group
            if groups_from_above:  # else it is the player's own group
                yield ("from_above", left_group), groups_from_above

    def slot_amounts_of_choice(
        self, pair: Pair, amounts: Sequence[int], choice: int
    ) -> Iterator[tuple[Slot, int]]:
        """Yield what the choice of a pair adds to a pairing: slots and amounts.

        The choice says how many nearer opponents the first player of the pair passes
        over. A slot is the bits of a cost that hold an amount. It is named by what it
        holds and for whom: ("choice", 7) holds the choice of the player who is vertex
        7. Here that is the first player of the pair; of two who are left over, each of
        them.

        Example: player 7 passes over 2 others to meet one of their own score group.
        Then (("choice", 7), 2) is yielded.

        amounts, choice: what Boards.amounts_and_choice has returned for the pair.
        """
        player, _ = pair
        if amounts[LEFT_OVER]:
            # The two do not meet, but get a bye each. For both of them that is worse
            # than to meet anybody, so that the first players have opponents.
            for vertex in pair:
                yield (CHOICE, vertex), self.boards.bye_line + 1
            return
        if not self.by_group or self.is_within_group(pair):
            yield (CHOICE, player), choice
            return
        # In a Swiss, it is worse to leave the own score group, or to have the bye, than
        # any choice within the group. The line of the bye is more than any choice.
        yield (CHOICE, player), self.boards.bye_line
        if not self.is_bye(pair):
            yield self._slot_across_groups(pair), choice

    # ---------------------------------------------------------------- lower bounds
    #
    # A pair whose row has not been queried costs at least the sum of three parts:
    #
    #   class_cost   by the classes and the score groups of the two,
    #   player_cost  by the higher player and the score group of the opponent,
    #   and by the distance of the two (Search._distance_cost in unread.py).
    #
    # Only `spread` within a group goes by both lines: group size - (opponent's line -
    # player's line). So player_cost has the part (group size + player's line), and
    # (opponent's line << spread_bit) is to be taken off for the opponent.

    def class_cost(self, classes: Pair, group: int, opponent_group: int) -> int:
        """Return the part of a cost that depends only on two classes and score groups.

        A class is a number for players whom the rules on colours and categories treat
        alike. All pairs of two classes break these rules by the same amounts. So once
        the row of one such pair has been queried, this part is known for all of them.
        Before that, the rules count as 0 here, and only the groups cost something.

        The opponent comes later in the order for pairing, so their group is the same or
        a lower one: opponent_group is never less than group.
        """
        key = *classes, group, opponent_group
        # `read` empties this cache, as it may query the first row of two classes.
        if key not in self._class_costs:
            amounts = self.boards.class_amounts(classes)  # a new list, free to change
            amounts[SCORE_GROUP] = group
            amounts[FLOATS] = opponent_group - group  # how many groups further down
            self._class_costs[key] = self._cost_of_amounts(amounts)
        return self._class_costs[key]

    def player_cost(self, player: int, opponent_group: int) -> int:
        """Return the part of a cost that depends on a player and the opponent's group.

        Within the own group, digit `spread` depends on the line of the opponent too.
        Lines are places in the order for pairing:

            spread = players in the group + line of the player - line of the opponent

        Here only the first two are counted. The caller has to take off the line of the
        opponent, shifted by `spread_bit`.

        Example: lines 1 to 6 are a group. The spread of lines 2 and 5 is 6 + 2 - 5 = 3.
        For line 2 this counts 6 + 2 = 8, of which the caller takes off 5.
        """
        group = self.group_of[player]
        line = self.lines[player]
        cost = 0
        spread_bit = self.spread_bit(group)
        if spread_bit is not None:
            if group == opponent_group:
                spread = self._group_size[group] + line
            else:
                # Who leaves the group counts how many of it stand behind.
                spread = self._last_line[group] - line
            cost += spread << spread_bit
        if self.by_group and group < opponent_group:
            # As in slot_amounts_of_choice, for a player who leaves their group.
            cost += self.boards.bye_line << self._lowest_bit[CHOICE, player]
        return cost

    def initial_prices(self) -> list[int]:
        """Return, for each vertex, a good price to begin a matching with.

        A price is the share of a vertex in the cost of its pair: of two who meet, the
        prices add up to the cost, and of no two to more (matching.py). Prices that are
        nearly right save work. These are right if only digit `spread` counts, which
        makes the upper half of a group meet the lower half: for two of a group it is
        the number of its players less the distance of the two.

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
                # In the upper half of the group `players_above` is the lower of the two
                # numbers, and in the lower half `players_below + 1`.
                spread_share = min(players_above, players_below + 1)
                prices[player] = spread_share << spread_bit
        return prices

    def spread_bit(self, group: int) -> int | None:
        """Return the bit at which `spread` begins in the costs of a score group.

        A cost is one integer, in which each criterion has its own bits. Criterion
        `spread` makes the upper half of a group meet the lower half. It is the number
        of players in the group, less how far apart the two of a pair stand in the order
        for pairing.

        None if the club's rules do not let halves meet: then `spread` does not count.
        """
        if not self.boards.by_halves:
            return None
        if self.by_group:  # a Swiss, where each score group has bits of its own
            return self._lowest_bit["spread", group]
        # The Keizer system has one group, and adds `spread` up over all pairs.
        return self._lowest_bit["spread", ALL_PAIRS]

    def choice_bit(self, player: int, opponent_group: int) -> int | None:
        """Return the bit at which a player's choice among a group begins in a cost.

        A cost is one integer, in which each criterion has its own bits. The choice of a
        player is how many others they pass over to meet their opponent. It has other
        bits for opponents of other score groups.

        None if costs have no bits for it yet.
        """
        return self._lowest_bit.get(self._slot_of_choice(player, opponent_group))

    def cost_of_leaving(self, group: int) -> int:
        """Return what it costs, in a Swiss, that one player leaves a score group.

        It is the part of a cost that counts how many players leave the group to meet
        somebody of a lower one (digit `floats`). A cost is one integer, in which each
        criterion has its own bits. So 1 is shifted to the lowest bit of this criterion.
        """
        return 1 << self._lowest_bit["floats", group]

    @property
    def squared_bit(self) -> int | None:
        """The bit at which the squared distance of two players begins in a cost.

        A cost is one integer, in which each criterion has its own bits. None if the
        squared distance does not count under the club's rules.
        """
        return self._lowest_bit.get(("squared", ALL_PAIRS))
