"""Match the members of a list with the players of the file, while nothing is locked.

A member of the list is a player of the file by the first of these that holds:
1. the same FIDE id or national id;
2. the very same name;
3. a name of the same words, where one player and one member fit. Their order, commas,
   capitals and accents do not matter.

Nothing is guessed: if a name only comes near, the person who imports the list is asked
who it is.
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
"""The answer that a line is a newcomer."""

NOBODY = "nobody"
"""The answer that a line is not a member, so that it is left out."""

RENAME = ":rename"
"""The end of an answer such as 17:rename: player 17 gets the name in the list."""

_NAMED = 5
"""The most rivals of a line, players and other lines, that a question names."""


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
    """The player that a line of the list was matched with.

    player: their number; 0 for a newcomer; None if it is unclear or the line is faulty.
    renamed: whether the player gets the name in the list.
    players, lines: the first players and other lines that may be the same person.
    more: how many more of these there are.
    asks: whether a person still has to answer who the line is.
    """

    player: int | None = None
    renamed: bool = False
    players: Sequence[int] = ()
    lines: Sequence[int] = ()
    more: int = 0
    asks: bool = False


class Matched(NamedTuple):
    """A list that was matched with the players of a file.

    lines: the match of each line, by line. faults: what is wrong with the list.
    likely: the players that some line is, or may be.
    """

    lines: dict[int, Match]
    faults: Faults
    likely: Collection[int]


def read_persons(rows: Iterable[Mapping[str, Any]]) -> list[Person]:
    """Return the persons in rows of `members.list_members`, to compare a list with."""
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
    """Raise KeizerError if the persons in these rows are not those known before.

    A list that was matched with the known persons may be wrong by now.
    """
    if [*known] != read_persons(rows):
        raise changed_meanwhile()


def match_members(
    persons: Iterable[Person], members: MemberList, answers: Mapping[int, str]
) -> Matched:
    """Match a list with the players of a file.

    answers: by line, the number of the player that the line is, as text; with RENAME
    behind the number if the name in the list is the right one; or NEW, or NOBODY.
    """
    return _Matching(persons, members, answers).run()


def numbers(details: Mapping[str, Any]) -> set[tuple[str, Any]]:
    """Return the numbers that federations gave a person, as pairs (column, number)."""
    return {(column, details[column]) for column in NUMBERS if details.get(column)}


def _has_other_number(
    details: Mapping[str, Any], own_numbers: Iterable[tuple[str, Any]]
) -> bool:
    """Return whether a federation gave the person with these details another number.

    That person is then somebody else than the one with `own_numbers`. A number that is
    not known decides nothing.
    """
    return any(
        details.get(column) not in (None, number) for column, number in own_numbers
    )


def _words_in_order(name: str) -> tuple[str, ...]:
    """Return the words of a name in small letters, given names first."""
    surname, *given_names = name.split(",", 1)
    in_order = " ".join([*given_names, surname])
    return tuple(in_order.lower().split())


class _Rivals(NamedTuple):
    """The rivals of a line: players and other lines that may be the same person.

    players: all players, sorted. first_lines: the first of the lines, sorted.
    total: the number of all players and lines, also of the lines not listed.
    """

    players: Sequence[int]
    first_lines: Sequence[int]
    total: int

    @classmethod
    def among(cls, players: Collection[int], lines: Collection[int] = ()) -> "_Rivals":
        """Return these players and lines as rivals."""
        # One line more than a question names, since `without` may take one away.
        first_lines = sorted(lines)[: _NAMED + 1]
        return cls(sorted(players), first_lines, len(players) + len(lines))

    def without(self, line: int) -> "_Rivals":
        """Return the rivals of one of the lines: all of these but the line itself.

        The line was counted, even if it is not among the first lines.
        """
        other_lines = [other for other in self.first_lines if other != line]
        return _Rivals(self.players, other_lines, self.total - 1)


class _Matching:
    """A list being matched with the players of a file, line after line."""

    def __init__(
        self, persons: Iterable[Person], members: MemberList, answers: Mapping[int, str]
    ) -> None:
        """Begin with all lines but those answered with NOBODY.

        Parameters: as of `match_members`.
        """
        nobody = {line for line, answer in answers.items() if answer == NOBODY}
        self.persons = {person.number: person for person in persons}
        self.unit = members.unit
        self.answers = answers
        self.members = {
            member.line: member
            for member in members.listed
            if member.line not in nobody
        }
        self.faults = [
            (line, fault) for line, fault in members.faults if line not in nobody
        ]
        """What is wrong, by line; it grows."""
        self.lines: dict[int, Match] = {}
        """The match of each line so far."""
        self.matched: set[int] = set()
        """The players that a line is."""
        self.likely: set[int] = set()
        """The players that a line may be: somebody is asked."""
        self._line_by_key: dict[object, int] = {}
        """The line of each person so far, by each of the keys that `_assign` makes."""

    def run(self) -> Matched:
        """Match all lines: by numbers, the very name, the same words, and likeness.

        Each step leaves a rest of members to the next one.
        """
        rest = [*self.members.values()]
        rest = self._match_by_numbers(rest)
        rest = self._match_by_names(rest)
        rest = self._match_by_words(rest)
        self._match_by_likeness(rest)
        return Matched(self.lines, self.faults, [*self.likely, *self.matched])

    def _match_by_numbers(self, members: list[ListedMember]) -> list[ListedMember]:
        """Match members with the players who have one of their numbers.

        Return the members whose numbers nobody has.
        """
        players_by_number = owners_by_key(
            {player: self._numbers_of(player) for player in self.persons}
        )
        rest = []
        for member in members:
            players = owners_of(numbers(member.given), players_by_number)
            if players:
                self._match_among(member, players)
            else:
                rest.append(member)
        return rest

    def _match_by_names(self, members: list[ListedMember]) -> list[ListedMember]:
        """Match members with the players who have the very same name.

        Of several namesakes, the only one who plays in the tournament is meant.
        Return the members whose name nobody has.
        """
        players_by_name = owners_by_key(
            {player: [person.name] for player, person in self.persons.items()}
        )
        rest = []
        for member in members:
            namesakes = players_by_name.get(member.name, [])
            playing = [player for player in namesakes if self.persons[player].entered]
            if len(playing) == 1:
                self._assign(member, playing[0])
            elif namesakes:
                self._match_among(member, namesakes)
            else:
                rest.append(member)
        return rest

    def _match_by_words(self, members: list[ListedMember]) -> list[ListedMember]:
        """Match members with the players whose names have the same words.

        Return the members whose words nobody has.
        """
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
        """Take members for newcomers, unless another name comes near theirs.

        If one does, or the line may be no member, ask who the line is.
        """
        if not members:
            return
        names = {
            player: person.name
            for player, person in self.persons.items()
            if player not in self.matched
        }
        # Lines are negative owners of names, to tell them from the players.
        names |= {-line: member.name for line, member in self.members.items()}
        likeness = Likeness(names)
        undecided = {member.line for member in members}
        for member in members:
            is_repeated = _words_in_order(member.name) in self._line_by_key
            if is_repeated:
                # This notes the fault of a repeated name, whoever else comes near.
                self._assign(member)
                continue
            near = likeness.near(-member.line)
            rivals = self._rivals_by_likeness(member, near, undecided)
            if rivals.total or member.doubt:
                self._ask(member, rivals)
            else:
                self._assign(member)

    def _match_among(self, member: ListedMember, players: Collection[int]) -> None:
        """Match a member with the only one of these players; of several, ask which."""
        rivals = _Rivals.among(players)
        if rivals.total > 1:
            self._ask(member, rivals)
        else:
            self._assign(member, rivals.players[0])

    def _rivals_by_words(self, members: Iterable[ListedMember]) -> dict[int, _Rivals]:
        """Return the rivals of each member with the words of a player's name, by line.

        These are the players with the same words, and the other lines with the words of
        one of these players, also in another spelling.
        """
        player_spellings = {
            player: resolve.sorted_words(person.name)
            for player, person in self.persons.items()
            if player not in self.matched
        }
        line_spellings = {
            member.line: frozenset(resolve.sorted_words(member.name))
            for member in members
        }
        players_by_words = owners_by_key(player_spellings)
        lines_by_words = owners_by_key(line_spellings)
        # Lines with the same spellings have the same rivals: these are looked up once.
        lines_by_spellings = owners_by_key(
            {line: [spellings] for line, spellings in line_spellings.items()}
        )
        rivals_by_line = {}
        for spellings, lines in lines_by_spellings.items():
            players = owners_of(spellings, players_by_words)
            if not players:
                continue
            spellings_of_players = {
                words for player in players for words in player_spellings[player]
            }
            rival_lines = owners_of(spellings_of_players, lines_by_words)
            rivals = _Rivals.among(players, rival_lines)
            for line in lines:
                rivals_by_line[line] = rivals.without(line)
        return rivals_by_line

    def _is_unclear(self, member: ListedMember, rivals: _Rivals) -> bool:
        """Return whether a line has several rivals, or one with another number."""
        if rivals.total > 1:
            return True
        person = self.persons[rivals.players[0]]
        return _has_other_number(person._asdict(), numbers(member.given))

    def _rivals_by_likeness(
        self, member: ListedMember, near: set[int], undecided: Collection[int]
    ) -> _Rivals:
        """Return the rivals of a member among those whose names come near.

        Whoever has another number is somebody else, and so no rival.
        near: players, and lines as negative numbers. undecided: lines not matched yet.
        """
        own_numbers = numbers(member.given)
        near_players = {owner for owner in near if owner > 0}
        near_lines = {-owner for owner in near - near_players}
        # Of two undecided lines, only the second is asked about: may it be the first?
        asked_lines = {
            line for line in near_lines if line < member.line or line not in undecided
        }
        players = [
            player
            for player in near_players
            if not _has_other_number(self.persons[player]._asdict(), own_numbers)
        ]
        lines = [
            line
            for line in asked_lines
            if not _has_other_number(self.members[line].given, own_numbers)
        ]
        return _Rivals.among(players, lines)

    def _ask(self, member: ListedMember, rivals: _Rivals) -> None:
        """Note the rivals of a line; ask who the line is, or take the answer.

        The question is a fault of the list, until it is answered.
        """
        asks = member.line not in self.answers
        players = rivals.players[:_NAMED]
        lines = rivals.first_lines[: _NAMED - len(players)]
        more = rivals.total - len(players) - len(lines)
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
                "“{name}” may not be a member: type --who {line}=new for a new"
                " member, --who {line}=nobody to leave the line out.",
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
        """Match a line with this player, by default with a newcomer (0).

        The answer about the line, if there is one, overrides `player`. It is a fault if
        the answer is not the number of a player, or an earlier line is the same person.
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
        # Lines are the same person if they share a number or the player; or, as
        # newcomers, the words of the name.
        keys = [*numbers(member.given), player or _words_in_order(member.name)]
        earlier_lines = [
            self._line_by_key[key] for key in keys if key in self._line_by_key
        ]
        if earlier_lines:
            fault = say(
                "“{name}” is in the list twice: see {unit} {line}.",
                name=spelling.shortened(member.name),
                unit=term(self.unit),
                line=earlier_lines[0],
            )
            self._add_fault(member, fault)
            return
        self._line_by_key |= dict.fromkeys(keys, member.line)
        self.matched.add(player)
        renamed = answer.endswith(RENAME)
        if not answer and player:
            # By a number the player is certain, so that another name is a new one.
            shared_numbers = self._numbers_of(player) & numbers(member.given)
            renamed = bool(shared_numbers)
        # `_ask` may have noted the rivals already.
        existing = self.lines.get(member.line, Match())
        self.lines[member.line] = existing._replace(player=player, renamed=renamed)

    def _add_fault(self, member: ListedMember, fault: Message) -> None:
        """Note what is wrong with the line of a member."""
        self.faults.append((member.line, fault))

    def _numbers_of(self, player: int) -> set[tuple[str, Any]]:
        """Return the numbers that federations gave a player of the file."""
        return numbers(self.persons[player]._asdict())
