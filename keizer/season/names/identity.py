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
"""The most rivals of a line that a question names.

They are the players and the other lines that may be the same person as the line.
"""


class Person(NamedTuple):
    """A person of the file, with the details by which a list is matched with them.

    number: player.id. name: as the file has it.
    fide_id, national_id: the numbers that federations gave them; None if unknown.
    entered: whether they take part in the tournament.
    """

    number: int
    name: str
    fide_id: int | None
    national_id: str | None
    entered: bool


class Match(NamedTuple):
    """The player that a line of the list was matched with, or may be matched with.

    player: their number; 0 for a newcomer; None if it is unclear or the line is faulty.
    renamed: whether the player gets the name in the list.
    players: the numbers of the first players that the line may be.
    lines: the numbers of the first other lines that may be the same person.
    more: how many more players and lines there are.
    asks: whether somebody still has to answer who the line is.
    """

    player: int | None = None
    renamed: bool = False
    players: Sequence[int] = ()
    lines: Sequence[int] = ()
    more: int = 0
    asks: bool = False


class Matched(NamedTuple):
    """A list that was matched with the players of a file.

    lines: the match of each line, by number of the line.
    faults: what is wrong with the list: number of the line, and message.
    likely: the numbers of players that some line is, or may be; 0 if there are
    newcomers.
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
    """Match the members of a list with the persons of a file.

    answers: who the lines are, by number of the line, where somebody was asked. In
    {3: "17", 4: "18:rename", 5: "new", 6: "nobody"}, line 3 is player 17, and line 4 is
    player 18, who gets the name in the list. Line 5 is a newcomer, and line 6 is not a
    member.
    """
    return _Matching(persons, members, answers).run()


def numbers(details: Mapping[str, Any]) -> set[tuple[str, Any]]:
    """Return the numbers that federations gave a person, as pairs (column, number).

    details: values by column. The result is empty if they have no number.
    """
    return {(column, details[column]) for column in NUMBERS if details.get(column)}


def _has_other_number(
    details: Mapping[str, Any], own_numbers: Iterable[tuple[str, Any]]
) -> bool:
    """Return whether the person with these details is another one, by their numbers.

    It is another person if they have a FIDE id or national id that differs from the
    one in `own_numbers`. A number that they lack decides nothing.
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

    players: the numbers of all these players, sorted.
    first_lines: the numbers of the first of these lines, sorted; see `among`.
    total: how many rivals there are: all players, and all lines, also those that are
    not in `first_lines`.
    """

    players: Sequence[int]
    first_lines: Sequence[int]
    total: int

    @classmethod
    def among(cls, players: Collection[int], lines: Collection[int] = ()) -> "_Rivals":
        """Return these players and lines as rivals."""
        # Thousands of lines may have the same words. So only a few are kept: as many as
        # a question names, and one more, since `without` may take one away.
        first_lines = sorted(lines)[: _NAMED + 1]
        return cls(sorted(players), first_lines, len(players) + len(lines))

    def without(self, line: int) -> "_Rivals":
        """Return the rivals of one of the lines: all of these but the line itself.

        The line was counted, even if it is not among the first lines.
        """
        other_lines = [other for other in self.first_lines if other != line]
        return _Rivals(self.players, other_lines, self.total - 1)


class _Matching:
    """A list of members while it is matched with the persons of a file.

    `run` matches all lines. A line and a player are called by their numbers.
    """

    def __init__(
        self, persons: Iterable[Person], members: MemberList, answers: Mapping[int, str]
    ) -> None:
        """Take over all lines of the list but those that are not members.

        answers: who the lines are, as `match_members` takes them; lines answered with
        NOBODY are left out.
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
        """What is wrong with the list: line and message. Matching adds to it."""
        self.matches: dict[int, Match] = {}
        """The match of each line so far."""
        self.matched_players: set[int] = set()
        """The players that some line is; 0 stands for newcomers."""
        self.likely_players: set[int] = set()
        """The players that some line may be, so that somebody is asked."""
        self._line_by_key: dict[object, int] = {}
        """The line of each person so far, by all that a second line of them may share.

        `_assign` makes these keys: numbers of federations, the player, or the name.
        """

    def run(self) -> Matched:
        """Match all lines, and return their matches and what is wrong with the list.

        Lines are matched by numbers, the very name, the same words, and likeness. The
        most certain way comes first. Each step returns the members that it did not
        match, and the next step tries these.
        The result also has the players who are likely in the list. Whoever is not among
        them is missing from the list.
        """
        rest = [*self.members.values()]
        rest = self._match_by_numbers(rest)
        rest = self._match_by_names(rest)
        rest = self._match_by_words(rest)
        self._match_by_likeness(rest)
        # A player who was matched with a line is in the list for sure. Those about whom
        # somebody is asked may be in it.
        likely = [*self.likely_players, *self.matched_players]
        return Matched(self.matches, self.faults, likely)

    def _match_by_numbers(self, members: list[ListedMember]) -> list[ListedMember]:
        """Match members with the players who have the same FIDE id or national id.

        Return the other members: those without a number, or with a number that nobody
        has.
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
            # The file may have somebody of this name who plays in another tournament.
            playing = [player for player in namesakes if self.persons[player].entered]
            if len(playing) == 1:
                self._assign(member, playing[0])
            elif namesakes:
                self._match_among(member, namesakes)
            else:
                rest.append(member)
        return rest

    def _match_by_words(self, members: list[ListedMember]) -> list[ListedMember]:
        """Match members with the players whose names have the same words, in any order.

        If several players or lines share the words, ask who the member is.
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

        If another name does, or the line may not be a member at all, ask who it is.
        """
        if not members:
            return
        names = {
            player: person.name
            for player, person in self.persons.items()
            if player not in self.matched_players
        }
        # Likeness has one number for each name. So lines get negative numbers, to tell
        # them from the players.
        names |= {-line: member.name for line, member in self.members.items()}
        likeness = Likeness(names)
        undecided = {member.line for member in members}
        for member in members:
            is_repeated = _words_in_order(member.name) in self._line_by_key
            if is_repeated:
                # An earlier line has this name, so that `_assign` notes a fault. The
                # names that come near do not matter, which saves time in a long list.
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
        """Return the rivals of members whose names have the words of a player, by line.

        Rivals are the players with the same words, and the other lines with the words
        of one of these players, also in another spelling. Members whose words no player
        has are left out.
        """
        player_spellings = {
            player: resolve.sorted_words(person.name)
            for player, person in self.persons.items()
            if player not in self.matched_players
        }
        line_spellings = {
            member.line: frozenset(resolve.sorted_words(member.name))
            for member in members
        }
        players_by_words = owners_by_key(player_spellings)
        lines_by_words = owners_by_key(line_spellings)
        # Lines with the same spellings have the same rivals, so that these are looked
        # up once: a list may have thousands of such lines.
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
        """Return whether it is unclear which person a member of the list is.

        It is clear only if the member has a single rival, and that player does not have
        another FIDE id or national id than the member.
        rivals: existing players, and other lines of the list, that might be the member.
        There is at least one player among them.
        """
        has_several_rivals = rivals.total > 1
        if has_several_rivals:
            return True
        (only_player,) = rivals.players
        person = self.persons[only_player]
        return _has_other_number(person._asdict(), numbers(member.given))

    def _rivals_by_likeness(
        self, member: ListedMember, near: set[int], undecided: Collection[int]
    ) -> _Rivals:
        """Return the rivals of a member among those whose names come near.

        Whoever has another number of a federation is somebody else, and so not a rival.
        near: the numbers of players, and those of lines as negative numbers.
        undecided: the lines that no earlier step has matched.
        """
        own_numbers = numbers(member.given)
        near_players = {owner for owner in near if owner > 0}
        near_lines = {-owner for owner in near - near_players}
        # Two undecided lines may be the same person. One question is enough, which is
        # asked about the later line: the earlier line does not have it as a rival.
        rival_lines = {
            line for line in near_lines if line < member.line or line not in undecided
        }
        players = [
            player
            for player in near_players
            if not _has_other_number(self.persons[player]._asdict(), own_numbers)
        ]
        lines = [
            line
            for line in rival_lines
            if not _has_other_number(self.members[line].given, own_numbers)
        ]
        return _Rivals.among(players, lines)

    def _ask(self, member: ListedMember, rivals: _Rivals) -> None:
        """Note the rivals of a line, and ask who the line is; or take the answer.

        Without an answer, the question is noted as a fault of the list, and the players
        as likely. With an answer, the line is matched as it says.
        """
        asks = member.line not in self.answers
        players = rivals.players[:_NAMED]
        lines = rivals.first_lines[: _NAMED - len(players)]
        more = rivals.total - len(players) - len(lines)
        match = Match(players=players, lines=lines, more=more, asks=asks)
        self.matches[member.line] = match
        if asks:
            # None of these players may be called missing from the list.
            self.likely_players.update(rivals.players)
            self._add_fault(member, self._question(member, match))
        else:
            self._assign(member)

    def _question(self, member: ListedMember, match: Match) -> Message:
        """Return the sentence that asks who a line is.

        It names the players and other lines that the line may be, and what to type for
        an answer. If there are none, it asks whether the line is a member.
        match: these players and lines.
        """
        values = {"name": spelling.shortened(member.name), "line": member.line}
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
                **values,
            )
        others: Fact = messages.listed(likely, "or")  # a or b
        if match.more:  # a, b and 3 more
            others = say("{some} and {number:,} more", some=likely, number=match.more)
        # The answer for "the same person". Of several players, the lowest number is
        # shown as an example. If there are only other lines of the list, these lines
        # already have the person, so that this line is left out.
        same = min(match.players) if match.players else NOBODY
        return say(
            "“{name}” may be {others}: type --who {line}={same} for the same person,"
            " --who {line}=new for somebody else.",
            others=others,
            same=same,
            **values,
        )

    def _assign(self, member: ListedMember, player: int = 0) -> None:
        """Match the line of a member with this player, by default with a newcomer (0).

        The answer about the line, if there is one, overrides `player`. A fault is noted
        instead if the answer is a number that no player has, or if an earlier line is
        the same person.
        """
        answer = self.answers.get(member.line, "")
        if answer == NEW:
            player = 0
        elif answer:  # such as 17 or 17:rename
            player = int(answer.removesuffix(RENAME))
            if player not in self.persons:
                fault = say("no player has the number {number}.", number=player)
                self._add_fault(member, fault)
                return
        # Lines are the same person if they share a number of a federation, or the
        # player. Newcomers have no player, but the words of their names.
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
        self._line_by_key.update(dict.fromkeys(keys, member.line))
        self.matched_players.add(player)
        renamed = answer.endswith(RENAME)
        if not answer and player:
            # A number of a federation makes the player certain. If the list has another
            # name then, it is their new name.
            shared_numbers = self._numbers_of(player) & numbers(member.given)
            renamed = bool(shared_numbers)
        # `_ask` may have noted the rivals of the line already: these stay.
        existing = self.matches.get(member.line, Match())
        self.matches[member.line] = existing._replace(player=player, renamed=renamed)

    def _add_fault(self, member: ListedMember, fault: Message) -> None:
        """Note what is wrong with the line of a member."""
        self.faults.append((member.line, fault))

    def _numbers_of(self, player: int) -> set[tuple[str, Any]]:
        """Return the FIDE id and national id of a player, as pairs (column, number)."""
        return numbers(self.persons[player]._asdict())
