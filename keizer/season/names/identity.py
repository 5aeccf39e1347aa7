"""Who in a list of members is who in the file, found out while nothing is locked.

A member of the list is a player of the file by the first of these that holds:
1. the same FIDE id or national id;
2. the very same name;
3. a name of the same words, where one player and one member fit. Their order, commas,
   capitals and accents do not matter.

Nobody is guessed. Who comes near in any other way is asked about.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from keizer import messages
from keizer.errors import Faults
from keizer.messages import Fact, Message, say, term
from keizer.season.names import resolve, spelling
from keizer.season.names.likeness import Likeness
from keizer.season.names.resolve import owners_by_key, owners_of
from keizer.season.people.lists import ListedMember, MemberList, changed_meanwhile

NUMBERS = ("fide_id", "national_id")
"""Columns with the numbers that federations give."""

NEW = "new"
NOBODY = "nobody"
RENAME = ":rename"
"""Answers to who a line is, beside the number of a player."""

_NAMED = 5
"""The most players and lines that are named of those whom a line may be."""


class Person(NamedTuple):
    """A player of the file, as members of a list are compared with them.

    entered: whether they take part in the tournament.
    """

    number: int
    name: str
    fide_id: int | None
    national_id: str | None
    entered: bool


class Match(NamedTuple):
    """The player whom a line is.

    player: 0 for somebody new, None while that is not clear, or cannot be.
    renamed: whether the player gets the name in the list.
    players, lines: the first of those who are likely the same.
    more: how many more of them there are.
    asks: whether somebody still has to say who it is.
    """

    player: int | None = None
    renamed: bool = False
    players: Sequence[int] = ()
    lines: Sequence[int] = ()
    more: int = 0
    asks: bool = False


class Matched(NamedTuple):
    """A list that was matched with the players of a file.

    lines: who is who, by line. faults: what is wrong.
    likely: the players whom a line is, or may be.
    """

    lines: dict[int, Match]
    faults: Faults
    likely: Collection[int]


def read_persons(rows: Iterable[Mapping[str, Any]]) -> list[Person]:
    """Take from the rows of `members.list_members` what lists are compared with."""
    return [
        Person(
            row["number"],
            row["name"],
            row["fide_id"],
            row["national_id"],
            bool(row["state"]),
        )
        for row in rows
    ]


def check_unchanged(known: Sequence[Person], rows: Iterable[Mapping[str, Any]]) -> None:
    """Refuse what was found out about players if they have changed meanwhile."""
    if [*known] != read_persons(rows):
        raise changed_meanwhile()


def match_members(
    persons: Iterable[Person], members: MemberList, answers: Mapping[int, str]
) -> Matched:
    """Match a list with the players of a file.

    answers: by line the number of the player that it is, followed by RENAME if the name
    in the list is right; or NEW, or NOBODY.
    """
    return _Matching(persons, members, answers).run()


def numbers(details: Mapping[str, Any]) -> set[tuple[str, Any]]:
    """Return the numbers that federations gave a person, each with its column."""
    return {(column, details[column]) for column in NUMBERS if details.get(column)}


def _differ(own: Iterable[tuple[str, Any]], details: Mapping[str, Any]) -> bool:
    """Return whether a person has another number in one of these columns."""
    return any(details.get(column) not in (None, number) for column, number in own)


def _in_one_order(name: str) -> tuple[str, ...]:
    """Return the words of a name in small letters, given names first."""
    surname, *given_names = name.split(",", 1)
    in_order = " ".join([*given_names, surname])
    return tuple(in_order.lower().split())


class _Rivals(NamedTuple):
    """Players and other lines that a line may be.

    players: all of them. lines: the first ones. number: of both, all counted.
    """

    players: Sequence[int]
    lines: Sequence[int]
    number: int

    @classmethod
    def first(cls, players: Collection[int], lines: Collection[int] = ()) -> "_Rivals":
        """Return rivals with the lines to be named, and one more.

        The line in question may be among the lines itself.
        """
        first_lines = sorted(lines)[: _NAMED + 1]
        return cls(sorted(players), first_lines, len(players) + len(lines))

    def without(self, line: int) -> "_Rivals":
        """Return these rivals for one of the lines itself."""
        other_lines = [other for other in self.lines if other != line]
        return _Rivals(self.players, other_lines, self.number - 1)


class _Matching:
    """A list being matched, line after line; a line with a fault is left out."""

    def __init__(
        self, persons: Iterable[Person], members: MemberList, answers: Mapping[int, str]
    ) -> None:
        nobody = {line for line, answer in answers.items() if answer == NOBODY}
        self.persons = {person.number: person for person in persons}
        self.unit = members.unit
        self.answers = answers
        self.members = {
            member.line: member
            for member in members.listed
            if member.line not in nobody
        }
        self.faults = [fault for fault in members.faults if fault[0] not in nobody]
        self.lines: dict[int, Match] = {}
        self.matched: set[int] = set()
        self.likely: set[int] = set()
        self._line_by_key: dict[object, int] = {}

    def run(self) -> Matched:
        """Match all lines: by numbers, the very name, the same words, and likeness."""
        rest = [*self.members.values()]
        rest = self._match_by_numbers(rest)
        rest = self._match_by_names(rest)
        rest = self._match_by_words(rest)
        self._match_by_likeness(rest)
        return Matched(self.lines, self.faults, [*self.likely, *self.matched])

    # The first three return the members who are still to be matched.

    def _match_by_numbers(self, members: list[ListedMember]) -> list[ListedMember]:
        """Match members with the players who have one of their numbers."""
        index = owners_by_key(
            {player: self._numbers_of(player) for player in self.persons}
        )
        rest = []
        for member in members:
            players = owners_of(numbers(member.given), index)
            if players:
                self._match_among(member, players)
            else:
                rest.append(member)
        return rest

    def _match_by_names(self, members: list[ListedMember]) -> list[ListedMember]:
        """Match members with the players who have the very same name.

        Of several players of a name, the only one who plays here is meant.
        """
        index = owners_by_key(
            {player: [person.name] for player, person in self.persons.items()}
        )
        rest = []
        for member in members:
            namesakes = index.get(member.name, [])
            playing = [player for player in namesakes if self.persons[player].entered]
            if len(playing) == 1:
                self._assign(member, playing[0])
            elif namesakes:
                self._match_among(member, namesakes)
            else:
                rest.append(member)
        return rest

    def _match_by_words(self, members: list[ListedMember]) -> list[ListedMember]:
        """Match members with the players whose names are the same, spelt otherwise."""
        rivals_by_line = self._rivals_by_words(members)
        rest = []
        for member in members:
            rivals = rivals_by_line.get(member.line)
            if rivals is None:
                rest.append(member)
            elif self._is_unclear(member, rivals):
                self._ask(member, rivals)
            else:
                self._assign(member, rivals.players[0])
        return rest

    def _match_by_likeness(self, members: list[ListedMember]) -> None:
        """Take members for new, unless a name comes near or the line is in doubt."""
        if not members:
            return
        names = {
            player: person.name
            for player, person in self.persons.items()
            if player not in self.matched
        }
        names |= {-line: member.name for line, member in self.members.items()}
        likeness = Likeness(names)
        undecided = {member.line for member in members}
        for member in members:
            # A name that was there already is a fault, whoever else comes near.
            is_repeated = _in_one_order(member.name) in self._line_by_key
            if is_repeated:
                self._assign(member)
                continue
            near = likeness.near(-member.line)
            rivals = self._rivals_by_likeness(member, near, undecided)
            if rivals.number or member.doubt:
                self._ask(member, rivals)
            else:
                self._assign(member)

    def _match_among(self, member: ListedMember, players: Collection[int]) -> None:
        """Match a member with one of these players, or ask which one it is."""
        rivals = _Rivals.first(players)
        if rivals.number > 1:
            self._ask(member, rivals)
        else:
            self._assign(member, rivals.players[0])

    def _rivals_by_words(self, members: Iterable[ListedMember]) -> dict[int, _Rivals]:
        """Return, by line, the players with the same words in their names.

        The other lines that one of these players can be, also by another spelling, are
        rivals too.
        """
        spellings = {
            player: resolve.sorted_words(person.name)
            for player, person in self.persons.items()
            if player not in self.matched
        }
        line_spellings = {
            member.line: frozenset(resolve.sorted_words(member.name))
            for member in members
        }
        players_by_words = owners_by_key(spellings)
        lines_by_words = owners_by_key(line_spellings)
        # Lines that are spelt alike have the same rivals, which are found once.
        alike = owners_by_key({line: [words] for line, words in line_spellings.items()})
        rivals_by_line = {}
        for words, lines in alike.items():
            players = owners_of(words, players_by_words)
            if not players:
                continue
            shared = {form for player in players for form in spellings[player]}
            rivals = _Rivals.first(players, owners_of(shared, lines_by_words))
            for line in lines:
                rivals_by_line[line] = rivals.without(line)
        return rivals_by_line

    def _is_unclear(self, member: ListedMember, rivals: _Rivals) -> bool:
        """Return whether a line may be several, or somebody with another number."""
        if rivals.number > 1:
            return True
        person = self.persons[rivals.players[0]]
        return _differ(numbers(member.given), person._asdict())

    def _rivals_by_likeness(
        self, member: ListedMember, near: set[int], undecided: Collection[int]
    ) -> _Rivals:
        """Return those of `near` whom a line may be, unless they have another number.

        near: players, and lines as negative numbers. Of two lines that are undecided,
        only the second is asked about.
        """
        own = numbers(member.given)
        players = {owner for owner in near if owner > 0}
        lines = {-owner for owner in near - players}
        return _Rivals.first(
            [
                player
                for player in players
                if not _differ(own, self.persons[player]._asdict())
            ],
            [
                line
                for line in lines
                if (line < member.line or line not in undecided)
                and not _differ(own, self.members[line].given)
            ],
        )

    def _ask(self, member: ListedMember, rivals: _Rivals) -> None:
        """Note whom a line may be, and ask who it is if nobody has said so."""
        asks = member.line not in self.answers
        players = rivals.players[:_NAMED]
        lines = rivals.lines[: _NAMED - len(players)]
        more = rivals.number - len(players) - len(lines)
        match = Match(players=players, lines=lines, more=more, asks=asks)
        self.lines[member.line] = match
        if asks:
            self.likely.update(rivals.players)
            self._add_fault(member, self._question(member, match))
        else:
            self._assign(member)

    def _question(self, member: ListedMember, match: Match) -> Message:
        """Return the sentence that asks who a line is."""
        facts = {"name": spelling.shortened(member.name), "line": member.line}
        likely: list[Fact] = [
            f"{self.persons[player].name} (#{player})" for player in match.players
        ]
        likely += [
            say("{unit} {line}", unit=term(self.unit), line=line)
            for line in match.lines
        ]
        if not likely:
            return say(
                "“{name}” may be no member: type --who {line}=new if it is, --who"
                " {line}=nobody to leave it out.",
                **facts,
            )
        others = messages.listed(likely, "or")
        if match.more:
            others = say("{some} and {number:,} more", some=likely, number=match.more)
        return say(
            "“{name}” may be {others}: type --who {line}={same} for the same person,"
            " --who {line}=new for somebody else.",
            others=others,
            same=min(match.players, default=NOBODY),
            **facts,
        )

    def _assign(self, member: ListedMember, player: int = 0) -> None:
        """Let a line be this player, by default somebody new; an answer is stronger.

        It is a fault if another line is the same player already.
        """
        answer = self.answers.get(member.line, "")
        if answer == NEW:
            player = 0
        elif answer:
            player = int(answer.removesuffix(RENAME))
            if player not in self.persons:
                fault = say("no player has the number {number}.", number=player)
                self._add_fault(member, fault)
                return
        keys = [*numbers(member.given), player or _in_one_order(member.name)]
        earlier = [self._line_by_key[key] for key in keys if key in self._line_by_key]
        if earlier:
            fault = say(
                "“{name}” is in the list twice: see {unit} {line}.",
                name=spelling.shortened(member.name),
                unit=term(self.unit),
                line=earlier[0],
            )
            self._add_fault(member, fault)
            return
        self._line_by_key |= dict.fromkeys(keys, member.line)
        self.matched.add(player)
        renamed = answer.endswith(RENAME)
        if not answer and player:
            shared = self._numbers_of(player) & numbers(member.given)
            renamed = bool(shared)
        existing = self.lines.get(member.line, Match())
        self.lines[member.line] = existing._replace(player=player, renamed=renamed)

    def _add_fault(self, member: ListedMember, fault: Message) -> None:
        self.faults.append((member.line, fault))

    def _numbers_of(self, player: int) -> set[tuple[str, Any]]:
        return numbers(self.persons[player]._asdict())
