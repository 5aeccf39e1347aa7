"""Who in a list of members is who in the file, found out while nobody waits for the file.

A member is found by FIDE id, by national id, by the very name, else by a name of the
same words (order, comma, capitals and accents do not matter) where one player of the file and one
member of the list fit. Nobody is guessed: of everything else that comes near it is asked who it is.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from keizer import messages
from keizer.errors import Faults
from keizer.messages import Fact, say, term
from keizer.season.names import resolve, spelling
from keizer.season.names.likeness import Likeness
from keizer.season.names.resolve import Words
from keizer.season.people.lists import Listed, Members, changed_meanwhile

NUMBERS = ("fide_id", "national_id")
NEW, NOBODY, RENAME = "new", "nobody", ":rename"
"""Answers to who a line is, beside the number of a player."""

_NAMED = 5
"""Of those whom a line may be so many are named."""


class Person(NamedTuple):
    """A player of the file, as members of a list are held against them.

    entered: whether they take part in the tournament.
    """

    number: int
    name: str
    fide_id: int | None
    national_id: str | None
    entered: bool


class Match(NamedTuple):
    """Who a line is.

    player: 0 for somebody new, None where that is not clear, or cannot be. renamed: the player
    gets the name of the list. players, lines: some of those who are likely the same, and how many
    more there are. asks: nobody said so yet.
    """

    player: int | None = None
    renamed: bool = False
    players: Sequence[int] = ()
    lines: Sequence[int] = ()
    more: int = 0
    asks: bool = False


class Matched(NamedTuple):
    """Who is who, by line; what is wrong; and the players whom a line is, or may be."""

    lines: dict[int, Match]
    faults: Faults
    likely: Collection[int]


def persons(rows: Iterable[Mapping[str, Any]]) -> list[Person]:
    """Take from the rows of `members.listed` what lists are held against."""
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


def check_same(known: Sequence[Person], rows: Iterable[Mapping[str, Any]]) -> None:
    """Refuse what was found out about players who are others by now; KeizerError."""
    if [*known] != persons(rows):
        raise changed_meanwhile()


def match(
    there: Iterable[Person], members: Members, answers: Mapping[int, str]
) -> Matched:
    """Match a list with the players of a file.

    answers: by line the number of the player that it is, with RENAME where the name of the list
    is right; or NEW, or NOBODY.
    """
    return _Matching(there, members, answers).run()


def numbers(of: Mapping[str, Any]) -> set[tuple[str, Any]]:
    """The numbers of a person in lists of federations: the column, and the number."""
    return {(column, of[column]) for column in NUMBERS if of.get(column)}


def _in_one_order(name: str) -> tuple[str, ...]:
    last, *given = name.split(",", 1)
    return tuple(" ".join([*given, last]).lower().split())


class _Rivals(NamedTuple):
    """Those whom a line may be: the first of the players and of the lines, and how many."""

    players: Sequence[int]
    lines: Sequence[int]
    number: int

    @classmethod
    def of(cls, players: Collection[int], lines: Collection[int] = ()) -> "_Rivals":
        """Keep the first, and one more for a line that is among the lines itself."""
        shown = sorted(players)[:_NAMED], sorted(lines)[: _NAMED + 1]
        return cls(*shown, len(players) + len(lines))

    def without(self, line: int) -> "_Rivals":
        """All but a line that is one of the lines."""
        return _Rivals(
            self.players, [one for one in self.lines if one != line], self.number - 1
        )


class _Matching:
    """Settles line after line; a line with a fault is left out."""

    def __init__(
        self, there: Iterable[Person], members: Members, answers: Mapping[int, str]
    ) -> None:
        left = {line for line, what in answers.items() if what == NOBODY}
        self.there = {person.number: person for person in there}
        self.unit, self.answers = members.unit, answers
        self.listed = {one.line: one for one in members.listed if one.line not in left}
        self.faults = [fault for fault in members.faults if fault[0] not in left]
        self.lines: dict[int, Match] = {}
        self.settled: set[int] = set()
        self.likely: set[int] = set()
        self._seen: dict[object, int] = {}

    def run(self) -> Matched:
        """Match all lines: by numbers and the very name, by their words, by likeness."""
        rest = self._by_words(self._by_numbers_and_names())
        self._by_likeness(rest)
        return Matched(self.lines, self.faults, [*self.likely, *self.settled])

    def _by_numbers_and_names(self) -> list[Listed]:
        """Settle the lines that the file has under the same number, or name; return the rest."""
        known = defaultdict[object, list[int]](list)
        for person in self.there.values():
            for key in (person.name, *numbers(person._asdict())):
                known[key].append(person.number)
        rest = []
        for one in self.listed.values():
            found = {
                player for key in numbers(one.given) for player in known.get(key, ())
            }
            if not self._found(one, found):
                rest.append(one)
        return [
            one
            for one in rest
            if not self._found(one, self._namesakes(known[one.name]))
        ]

    def _namesakes(self, players: Collection[int]) -> Collection[int]:
        """Of several players of a name the one who plays here."""
        entered = [player for player in players if self.there[player].entered]
        return entered if len(entered) == 1 else players

    def _found(self, one: Listed, players: Collection[int]) -> bool:
        """Settle a line that is one of these players; whether there are any."""
        if len(players) > 1:
            self._ask(one, _Rivals.of(players))
            self._tell_likely(one, players)
        elif players:
            self._settle(one, *players)
        return bool(players)

    def _by_words(self, rest: list[Listed]) -> list[Listed]:
        """Settle lines by names that are spelt otherwise; those that fit nobody."""
        fits: dict[int, _Rivals] = {}
        for lines, players, rivals in self._of_the_same_words(rest):
            for line in lines:
                fits[line] = rivals.without(line)
                if self._is_unclear(self.listed[line], fits[line]):
                    self._tell_likely(self.listed[line], players)
        for one in rest:
            if one.line in fits and self._is_unclear(one, fits[one.line]):
                self._ask(one, fits[one.line])
            elif one.line in fits:
                self._settle(one, *fits[one.line].players)
        return [one for one in rest if one.line not in fits]

    def _of_the_same_words(
        self, rest: list[Listed]
    ) -> Iterator[tuple[list[int], set[int], _Rivals]]:
        """Yield the lines that have the same words, the players who have them, and all of both.

        Among these are also lines that such a player can be by another spelling.
        """
        players, lines = (defaultdict[Words, list[int]](list) for _ in range(2))
        spellings = {
            player: resolve.in_any_order(self.there[player].name)
            for player in self.there.keys() - self.settled
        }
        for player, forms in spellings.items():
            for form in forms:
                players[form].append(player)
        alike = defaultdict[frozenset[Words], list[int]](list)
        for one in rest:
            spelt = frozenset(resolve.in_any_order(one.name))
            alike[spelt].append(one.line)
            for form in spelt:
                lines[form].append(one.line)
        for spelt, some in alike.items():
            fitting = {player for form in spelt for player in players.get(form, ())}
            shared = {form for player in fitting for form in spellings[player]}
            rivals = {line for form in shared for line in lines.get(form, ())}
            if fitting:
                yield some, fitting, _Rivals.of(fitting, rivals)

    def _is_unclear(self, one: Listed, rivals: _Rivals) -> bool:
        """Whether a line may be more than one, or somebody who has another number."""
        if rivals.number > 1:
            return True
        (player,) = rivals.players
        return _differ(numbers(one.given), self.there[player]._asdict())

    def _by_likeness(self, rest: list[Listed]) -> None:
        """Settle who fits nobody: new, unless a name comes near, or the line is in doubt."""
        late = {one.line for one in rest}
        others = {
            player: person._asdict()
            for player, person in self.there.items()
            if player not in self.settled
        }
        others |= {
            -line: {**one.given, "name": one.name} for line, one in self.listed.items()
        }
        likeness = Likeness(
            {who: other["name"] for who, other in others.items() if rest}
        )
        for one in rest:
            players, lines = set[int](), set[int]()
            own = numbers(one.given)
            # Of two lines that come here, the second is asked about.
            for who in (
                ()
                if _in_one_order(one.name) in self._seen
                else likeness.near(-one.line)
            ):
                is_earlier = -who < one.line or -who not in late
                if (who > 0 or is_earlier) and not (own and _differ(own, others[who])):
                    (players if who > 0 else lines).add(abs(who))
            if (
                players
                or lines
                or (one.doubt and _in_one_order(one.name) not in self._seen)
            ):
                self._ask(one, _Rivals.of(players, lines))
                self._tell_likely(one, players)
            else:
                self._settle(one)

    def _tell_likely(self, one: Listed, players: Iterable[int]) -> None:
        """Note whom a line may be, where nobody said who it is."""
        if one.line not in self.answers:
            self.likely.update(players)

    def _ask(self, one: Listed, rivals: _Rivals) -> None:
        """Ask who a line is, where nobody said so."""
        asks = one.line not in self.answers
        players = rivals.players[:_NAMED]
        lines = rivals.lines[: _NAMED - len(players)]
        more = rivals.number - len(players) - len(lines)
        self.lines[one.line] = Match(players=players, lines=lines, more=more, asks=asks)
        if not asks:
            self._settle(one)
            return
        told = {"name": spelling.shortened(one.name), "line": one.line}
        likely: list[Fact] = [f"{self.there[who].name} (#{who})" for who in players]
        likely += [
            say("{unit} {line}", unit=term(self.unit), line=line) for line in lines
        ]
        if more:
            others: Fact = say("{some} and {number:,} more", some=likely, number=more)
        else:
            others = messages.listed(likely, "or")
        if likely:
            wrong = say(
                "“{name}” may be {others}: type --who {line}={same} for the same person,"
                " --who {line}=new for somebody else.",
                others=others,
                same=min(players, default=NOBODY),
                **told,
            )
        else:
            wrong = say(
                "“{name}” may be no member: type --who {line}=new if it is, --who {line}=nobody to"
                " leave it out.",
                **told,
            )
        self.faults.append((one.line, wrong))

    def _settle(self, one: Listed, player: int = 0) -> None:
        """Let a line be that player, or somebody new, or who it was said to be.

        It is a fault where another line is.
        """
        answer = self.answers.get(one.line, "")
        if answer:
            player = 0 if answer == NEW else int(answer.removesuffix(RENAME))
        if answer not in ("", NEW) and player not in self.there:
            wrong = say("no player has the number {number}.", number=player)
            self.faults.append((one.line, wrong))
            return
        keys = [*numbers(one.given), player or _in_one_order(one.name)]
        seen = [self._seen[key] for key in keys if key in self._seen]
        if seen:
            wrong = say(
                "“{name}” is in the list twice: see {unit} {line}.",
                name=spelling.shortened(one.name),
                unit=term(self.unit),
                line=seen[0],
            )
            self.faults.append((one.line, wrong))
            return
        self._seen |= dict.fromkeys(keys, one.line)
        self.settled.add(player)
        if answer:
            renamed = answer.endswith(RENAME)
        else:
            own = numbers(self.there[player]._asdict()) if player else set()
            renamed = not own.isdisjoint(numbers(one.given))
        asked = self.lines.get(one.line, Match())
        self.lines[one.line] = asked._replace(player=player, renamed=renamed)


def _differ(own: Iterable[tuple[str, Any]], other: Mapping[str, Any]) -> bool:
    """Whether both have a number, and not the same."""
    return any(other.get(column) not in (None, number) for column, number in own)
