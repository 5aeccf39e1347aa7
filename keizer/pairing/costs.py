"""The costs of candidate pairs: each is a whole number, made of the digits that count.

docs/pairing.md (What is best) compares two pairings lexicographically: digit by digit,
each summed over all boards, and the first in which they differ decides. So that a sum
of whole numbers does the same, each digit has its own bits in a cost, above all bits
that the sums of the lighter digits can need.

A digit may count for all boards together. In a Swiss most count for one score group at
a time, and a choice counts for one player.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from keizer.pairing.boards import AT, FLOATS, GROUP, Boards, Pair

LEAVING = ("floats", "from_above")
"""Players who leave a score group and those above it downwards, and from how far
above."""

OF_HIGHER = ("bye_unplayed", "down_again", "down_before", "spread")
"""Digits of the score group of the higher of two players; others are the lower
one's."""

CHOICE = "choice"
"""The digit of a player: how many places they pass over to their opponent."""

CHOICE_BELOW = "choice below"
"""The digit of a player who meets the next score group."""

CHOICE_FAR_BELOW = "choice far below"
"""The digit of a player who meets a score group further down."""

Members = dict[int, list[int]]
"""Players of a score group by class, each class in the order for pairing."""

Slot = tuple[str, int]
"""A digit of a cost: its name, and what it counts for.

That is a score group, or the player if it is a choice; 0 if it counts for all boards.
"""


class Costs:
    """The costs of a matching problem, whose vertices are players in order for pairing.

    lines: their places in that order. If their number is odd, the bye is the last
    vertex.
    """

    def __init__(self, boards: Boards, lines: Sequence[int]) -> None:
        self.boards = boards
        self.count = len(lines)
        """The number of players, and the vertex of the bye if there is one."""
        self.lines = [*lines]
        """By vertex, the place in the order for pairing."""
        if self.count % 2:
            self.lines.append(boards.bye_line)
        self.size = len(self.lines)
        """The number of vertices."""
        self.vertex = {line: vertex for vertex, line in enumerate(self.lines)}
        self.group = [boards.group[line] for line in lines]
        """By player, the score group."""
        self.class_of = [boards.class_of[line] for line in lines]
        """By player, the class."""
        self.members: dict[int, Members] = {}
        """The players of each score group."""
        for player, group in enumerate(self.group):
            members = self.members.setdefault(group, {})
            members.setdefault(self.class_of[player], []).append(player)
        self.known: dict[Pair, int] = {}
        """The costs that are read, by pair of vertices, the lower vertex first."""
        self.layout = 0
        """Rises when digits are added, since that changes all costs."""
        self._group_size = Counter(boards.group.values())
        self._last_line = {group: line for line, group in sorted(boards.group.items())}
        """By score group, the last line in it."""
        self.by_group = bool(boards.of_group)
        """True if digits count for one score group after the other, as in a Swiss."""
        self._leaving: set[Slot] = set()
        """The choices that have a digit of those who leave their score group."""
        self._lay_out()

    def read(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Read what pairs of vertices cost; return those that were not known."""
        self._class_costs.clear()  # more is known of classes then
        unknown = [pair for pair in pairs if pair not in self.known]
        self.boards.read(map(self.lines_of, unknown))
        self.add_digits(unknown)
        for pair in unknown:
            self.known[pair] = self._cost(pair)
        return unknown

    def lines_of(self, pair: Pair) -> Pair:
        """Return the lines of two vertices."""
        vertex, other = pair
        return self.lines[vertex], self.lines[other]

    def classmates(self, player: int) -> list[int]:
        """Return all players of the class and score group of a player."""
        return self.members[self.group[player]][self.class_of[player]]

    def has_digit(self, player: int, opponent: int) -> bool:
        """Return whether costs have a digit for the choice of a player.

        They may lack that of a player who leaves their score group.
        """
        if opponent == self.count or self.group[player] == self.group[opponent]:
            return True
        return self._choice_below(player, self.group[opponent]) in self._leaving

    def add_digits(self, pairs: Iterable[Pair]) -> None:
        """Add digits for the choices of those who leave their score group in a pair."""
        lacking: set[Slot] = set()
        for player, opponent in pairs:
            if not self.has_digit(player, opponent):
                lacking.add(self._choice_below(player, self.group[opponent]))
        if lacking:
            self._leaving |= lacking
            self._lay_out()

    # ---------------------------------------------------------------- digits

    def _lay_out(self) -> None:
        """Give each digit its bits, and work out all costs again."""
        largest = self.boards.largest()
        largest["from_above"] = len(self._group_size)
        self.slots = [*self._slots()]
        """The digits, the weightiest first."""
        self._bit: dict[Slot, int] = {}
        """By digit, its lowest bit."""
        bit = 1  # costs are even, so that half a reduced cost is a whole number
        for slot in reversed(self.slots):
            self._bit[slot] = bit
            name, _ = slot
            if name in largest:
                largest_sum = largest[name] * self.size
            else:
                largest_sum = self.boards.bye_line  # a choice is that of one player
            bit += largest_sum.bit_length()
        self.dearest = 1 << bit
        """More than any pairing costs."""
        self._class_costs: dict[tuple[int, int, int, int], int] = {}
        self.layout += 1
        self.known = {pair: self._cost(pair) for pair in self.known}

    def _slots(self) -> Iterator[Slot]:
        """Yield the digits, the weightiest first: docs/pairing.md, What is best."""
        for name in self.boards.overall:
            yield name, 0
        if self.by_group:
            yield from self._slots_by_group()
        else:
            for player in range(self.count):
                yield CHOICE, player

    def _slots_by_group(self) -> Iterator[Slot]:
        """Yield the digits of a Swiss from `floats` on, from the top group down."""
        group_count = max(self._group_size)
        for name in LEAVING:
            yield name, 1
        for group in range(1, group_count + 1):
            if group < group_count:
                # Who leaves the next group counts before anything else of this one.
                for name in LEAVING:
                    yield name, group + 1
            for name in self.boards.of_group:
                if name == "spread":
                    yield from self._choices_below(CHOICE_FAR_BELOW, group - 2)
                    yield from self._choices_below(CHOICE_BELOW, group - 1)
                yield name, group
            for player in self._players(group):
                yield CHOICE, player

    def _choices_below(self, name: str, group: int) -> Iterator[Slot]:
        """Yield the choices of the players of a group who may well leave it."""
        for player in self._players(group):
            if (name, player) in self._leaving:
                yield name, player

    def _players(self, group: int) -> Iterator[int]:
        """Yield the players of a score group, in the order for pairing."""
        for player, own_group in enumerate(self.group):
            if own_group == group:
                yield player

    def _choice_below(self, player: int, opponent_group: int) -> Slot:
        """Return the digit for the choice of a player among a lower score group."""
        if opponent_group == self.group[player] + 1:
            return CHOICE_BELOW, player
        return CHOICE_FAR_BELOW, player

    def counted(self, digits: Sequence[int]) -> Iterator[tuple[Slot, int]]:
        """Yield the digits of a board or a bye with their amounts, but the choice."""
        group = digits[GROUP]
        lower_group = group + digits[FLOATS]
        for name in self.boards.overall:
            amount = digits[AT[name]]
            if amount:
                yield (name, 0), amount
        for name in self.boards.of_group:
            amount = digits[AT[name]]
            if amount:
                owner = group if name in OF_HIGHER else lower_group
                yield (name, owner), amount
        for left_group in range(group, lower_group):
            yield ("floats", left_group), 1
            yield ("from_above", left_group), left_group - group

    def choices(self, pair: Pair, choice: int) -> Iterator[tuple[Slot, int]]:
        """Yield the digits of the choice of the first of two, each with its amount."""
        player, opponent = pair
        has_bye = opponent == self.count
        stays = not has_bye and self.group[player] == self.group[opponent]
        if stays or not self.by_group:
            yield (CHOICE, player), choice
            return
        # This is behind all of the own group. The choice is one among a lower group.
        yield (CHOICE, player), self.boards.bye_line
        if not has_bye:
            yield self._choice_below(player, self.group[opponent]), choice

    def _cost(self, pair: Pair) -> int:
        """Return what a pair of vertices costs whose row is read."""
        digits, choice = self.boards.digits(self.lines_of(pair))
        cost = self._cost_of(digits)
        for slot, amount in self.choices(pair, choice):
            cost += amount << self._bit[slot]
        return cost

    def _cost_of(self, digits: Sequence[int]) -> int:
        """Return what a board costs by its digits, without the choice."""
        return sum(amount << self._bit[slot] for slot, amount in self.counted(digits))

    # ---------------------------------------------------------------- lower bounds

    def class_cost(self, classes: Pair, group: int, opponent_group: int) -> int:
        """Return what any two of these classes and score groups cost at least by them.

        That is 0, but for the score groups, if no two of the classes are read.
        """
        key = *classes, group, opponent_group
        if key not in self._class_costs:
            digits = self.boards.digits_of_classes(classes)
            digits[GROUP] = group
            digits[FLOATS] = opponent_group - group
            self._class_costs[key] = self._cost_of(digits)
        return self._class_costs[key]

    def group_cost(self, player: int, opponent_group: int) -> int:
        """Return what a player costs with anybody of a score group, whatever the class.

        Within a score group the place of the opponent lowers the digit `spread`. That
        is not part of it.
        """
        group = self.group[player]
        line = self.lines[player]
        cost = 0
        spread_bit = self.spread_bit(group)
        if spread_bit is not None:
            if group == opponent_group:
                spread = self._group_size[group] + line
            else:
                spread = self._last_line[group] - line
            cost += spread << spread_bit
        if self.by_group and group < opponent_group:
            cost += self.boards.bye_line << self._bit[CHOICE, player]
        return cost

    def initial_prices(self) -> list[int]:
        """Return what each vertex offers if only the distance in halves counts.

        That is its distance from the nearer end of its group. The sum of two is what
        they cost, if one is of the upper half and one of the lower, else less.
        """
        prices = [0] * self.size
        for player, group in enumerate(self.group):
            spread_bit = self.spread_bit(group)
            if spread_bit is not None:
                players_below = self._last_line[group] - self.lines[player]
                players_above = self._group_size[group] - 1 - players_below
                prices[player] = min(players_above, players_below + 1) << spread_bit
        return prices

    def spread_bit(self, group: int) -> int | None:
        """Return the lowest bit of digit `spread`; None if it does not count.

        The digit falls with the place of an opponent of one's own group.
        """
        if not self.boards.halves:
            return None
        return self._bit["spread", group if self.by_group else 0]

    def choice_bit(self, player: int, opponent_group: int) -> int | None:
        """Return the lowest bit of a player's choice among a score group.

        None if costs have no digit for it yet.
        """
        if self.group[player] == opponent_group:
            return self._bit[CHOICE, player]
        return self._bit.get(self._choice_below(player, opponent_group))

    @property
    def float_bit(self) -> int:
        """The lowest bit of the digit that counts who leaves the top score group."""
        return self._bit["floats", 1]

    @property
    def squared_bit(self) -> int | None:
        """The lowest bit of the squared distance; None if it does not count."""
        return self._bit.get(("squared", 0))
