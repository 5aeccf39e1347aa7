"""The costs of all pairs: each is one whole number, made of the digits that count."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from keizer.pairing.boards import AT, DIGITS, FLOATS, GROUP, Boards, Pair

LEAVING = ("floats", "from_above")
"""How many leave a score group and those above it downwards, and from how far above they come."""

OF_HIGHER = ("bye_unplayed", "down_again", "down_before", "spread")
"""Digits of the score group of the higher of two players; others are of the lower one's."""

Members = dict[int, list[int]]
"""Players of a score group by class, each class in the order for pairing."""

Slot = tuple[str, int]
"""A digit of a cost by name: for all boards (0), or in a Swiss for those of a score group;
`choice` for a player, and in a Swiss `choice below` for one who leaves their group."""


class Costs:
    """The costs of a matching problem, whose vertices are players in the order for pairing.

    lines: their places in that order. Where their number is odd, the bye is the last vertex.
    """

    def __init__(self, boards: Boards, lines: Sequence[int]) -> None:
        self.boards = boards
        self.count = len(lines)
        """How many players."""
        self.lines = [*lines, boards.last_line] if self.count % 2 else [*lines]
        self.size = len(self.lines)
        """How many vertices."""
        self.vertex = {line: vertex for vertex, line in enumerate(self.lines)}
        self.group = [boards.group[line] for line in lines]
        self.class_of = [boards.class_of[line] for line in lines]
        self.members: dict[int, Members] = {}
        """The players of each score group."""
        for player, (group, own_class) in enumerate(
            zip(self.group, self.class_of, strict=True)
        ):
            self.members.setdefault(group, {}).setdefault(own_class, []).append(player)
        self.known: dict[Pair, int] = {}
        """The costs that are read, by pair of vertices, the lower vertex first."""
        self.layout = 0
        """Rises when other digits are added, and so all costs change."""
        self._sizes = Counter(boards.group.values())
        """How many are in each score group."""
        self._last = {group: line for line, group in sorted(boards.group.items())}
        """The last line of each."""
        self._leaving: set[Slot] = set()
        """The choices of those who leave their group, as far as they are read."""
        self._lay_out()

    def read(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Read what pairs of vertices cost; return those that were not known."""
        self._of_classes.clear()  # more is known of classes then
        unknown = [pair for pair in pairs if pair not in self.known]
        self.boards.read([self.lines_of(pair) for pair in unknown])
        self.make_room(unknown)
        self.known |= {pair: self._cost(pair) for pair in unknown}
        return unknown

    def lines_of(self, pair: Pair) -> Pair:
        """Return the lines of two vertices."""
        return self.lines[pair[0]], self.lines[pair[1]]

    def has_room(self, player: int, opponent: int) -> bool:
        """Tell if costs have a digit for each choice that a pair takes.

        They may lack that of a player who leaves their score group.
        """
        if opponent == self.count or self.group[player] == self.group[opponent]:
            return True
        return self._choice_below(player, self.group[opponent]) in self._leaving

    def make_room(self, pairs: Iterable[Pair]) -> None:
        """Have a digit for the choice of each who leaves their score group in one of these."""
        lacking = {
            self._choice_below(player, self.group[opponent])
            for player, opponent in pairs
            if not self.has_room(player, opponent)
        }
        if lacking:
            self._leaving |= lacking
            self._lay_out()

    # ---------------------------------------------------------------- digits

    def _lay_out(self) -> None:
        """Give each digit its place: as far up in a cost as the sum of those below it needs."""
        largest = self.boards.largest()
        largest["from_above"] = len(self._sizes)
        self.slots = list(self._slots())
        """What counts, the weightiest first."""
        self.places: dict[Slot, int] = {}
        bit = 1  # costs are even, so that half of what a pair lacks is a whole number
        for name, part in reversed(self.slots):
            self.places[name, part] = bit
            most = (
                largest[name] * self.size if name in largest else self.boards.last_line
            )
            bit += most.bit_length()
        self.dearest = 1 << bit
        """More than any pairing costs."""
        self.names = [name for name in self.boards.counted if name != "floats"]
        self.in_parts = {name for name, part in self.slots if part and name in DIGITS}
        self._of_classes: dict[tuple[int, int, int, int], int] = {}
        self.layout += 1
        self.known = {pair: self._cost(pair) for pair in self.known}

    def _slots(self) -> Iterator[Slot]:
        """What counts, the weightiest first; from `floats` on score group by score group."""
        names = self.boards.counted
        first = names.index("floats") if "floats" in names else len(names)
        yield from ((name, 0) for name in names[:first])
        groups = range(1, 1 + (max(self._sizes) if names[first:] else 0))
        yield from ((name, 1) for name in LEAVING if groups)
        for group in groups:
            yield from ((name, group + 1) for name in LEAVING if group + 1 in groups)
            yield from ((name, group) for name in names[first + 1 : -1])
            yield from self._choices("choice far below", group - 2)
            yield from self._choices("choice below", group - 1)
            yield names[-1], group
            yield from self._choices("choice", group)
        if not groups:
            yield from (("choice", player) for player in range(self.count))

    def _choices(self, name: str, group: int) -> Iterator[Slot]:
        """The choices of the players of a score group."""
        for player, own in enumerate(self.group):
            if own == group and (name == "choice" or (name, player) in self._leaving):
                yield name, player

    def _choice_below(self, player: int, opponent_group: int) -> Slot:
        """The choice of a player who leaves their group for a lower one."""
        if opponent_group == self.group[player] + 1:
            return "choice below", player
        return "choice far below", player

    def counted(self, digits: Sequence[int]) -> Iterator[tuple[Slot, int]]:
        """What counts of a board or a bye, but the choice."""
        high, low = digits[GROUP], digits[GROUP] + digits[FLOATS]
        for name in self.names:
            value = digits[AT[name]]
            if value:
                yield (
                    (
                        name,
                        (high if name in OF_HIGHER else low) * (name in self.in_parts),
                    ),
                    value,
                )
        for group in range(high, low):
            yield ("floats", group), 1
            yield ("from_above", group), group - high

    def choices(self, pair: Pair, choice: int) -> Iterator[tuple[Slot, int]]:
        """Which choice the first of two takes."""
        player, opponent = pair
        has_bye = opponent == self.count
        if not self.in_parts:
            yield ("choice", player), choice
        elif has_bye or self.group[player] < self.group[opponent]:
            yield ("choice", player), self.boards.last_line  # behind all of the group
            if not has_bye:
                yield self._choice_below(player, self.group[opponent]), choice
        else:
            yield ("choice", player), choice

    def _cost(self, pair: Pair) -> int:
        digits, choice = self.boards.digits(self.lines_of(pair))
        return self._worth(digits) + sum(
            value << self.places[slot] for slot, value in self.choices(pair, choice)
        )

    def _worth(self, digits: tuple[int, ...]) -> int:
        """What a board costs by its digits, without the choice."""
        return sum(value << self.places[slot] for slot, value in self.counted(digits))

    # ---------------------------------------------------------------- what is not read

    def of_classes(self, classes: Pair, group: int, opponent_group: int) -> int:
        """Return what any two of these classes and score groups cost at least by them."""
        key = *classes, group, opponent_group
        if key not in self._of_classes:
            # Of classes of which no two are read nothing is known.
            digits = list(self.boards.between.get(classes, (0,) * len(DIGITS)))
            digits[GROUP], digits[FLOATS] = group, opponent_group - group
            self._of_classes[key] = self._worth(tuple(digits))
        return self._of_classes[key]

    def apart(self, player: int, opponent_group: int) -> int:
        """Return what a player costs with anybody of a score group, whatever the classes."""
        group, line = self.group[player], self.lines[player]
        cost = 0
        halving = self.halving(group)
        if halving is not None:
            # In one group the place of the opponent lowers the digit: that is not part of this.
            within = self._sizes[group] + line
            spread = within if group == opponent_group else self._last[group] - line
            cost += spread << halving
        if self.in_parts and group < opponent_group:
            cost += self.boards.last_line << self.places["choice", player]
        return cost

    def offers(self) -> list[int]:
        """Return what each vertex offers when only the distance in halves counts.

        That is its distance from the nearer end of its group: the sum of two is what they cost, if
        one is of the upper half and one of the lower, else less.
        """
        found = [0] * self.size
        for player, group in enumerate(self.group):
            halving = self.halving(group)
            if halving is not None:
                below = self._last[group] - self.lines[player]
                above = self._sizes[group] - 1 - below
                found[player] = min(above, below + 1) << halving
        return found

    def halving(self, group: int) -> int | None:
        """Return where the digit is that falls with the place of an opponent of one's own group."""
        if not self.boards.halves:
            return None
        return self.places["spread", group if self.in_parts else 0]

    def choice_place(self, player: int, opponent_group: int) -> int | None:
        """Return where the choice of a player among a score group is; None: nowhere yet."""
        if self.group[player] == opponent_group:
            return self.places["choice", player]
        return self.places.get(self._choice_below(player, opponent_group))

    @property
    def squared(self) -> int | None:
        """Where the squared distance is; None: it does not count."""
        return self.places.get(("squared", 0))
