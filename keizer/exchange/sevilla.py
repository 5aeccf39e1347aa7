"""A season of Sevilla: the file that it exports (JSON), a tournament for each of its groups.

Each group has its members, the rounds with games and absences (RoundHist, or History, from
both sides), and standings as printed (Ranking). It has no rules: a Keizer group gets preset
sevilla, any other swiss-half; `keizer infer` finds them. docs/formats.md has what becomes of each.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from keizer.errors import KeizerError
from keizer.exchange import facts, figures
from keizer.exchange.figures import Comparison, Figure, Standings, readable
from keizer.exchange.inferring import trial
from keizer.formats import limits, parsing
from keizer.formats.carried import carry
from keizer.messages import say, term
from keizer.season import rules, tournaments
from keizer.season.club_night import publication
from keizer.season.names import spelling
from keizer.season.people import roster
from keizer.season.queries import Tournament
from keizer.season.tournaments import ROUNDS

Object = dict[str, Any]
Place = TypeVar("Place", int, tuple[int, int], tuple[int, int, int])

_COUNTED = {"NAbsNM": "unexcused", "NAbsMsg": "excused", "NAbsCl": "club duty",
    "NAbsClOD": "club duty", "NBye": "bye"}  # fmt: skip
"""What the absences are whose number a list has; their words are those of the user's language."""
_WORDS = {"pairing alloc bye": "bye", "abs with msg": "excused"}
_OPEN = {"", "..."}
_HALF_POINTS = 0.25
"""A printed score may be so far from one in half points: nobody rounds these."""
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_BY_RULE = {"1-0": "+-", "0-1": "-+", "0-0": "--"}


@carry
class SevillaMember(NamedTuple):
    """What a list has of a member. counted: absences, by the columns of _COUNTED."""

    id: int
    name: str
    start_rating: Any = None
    rating: Any = None
    value: Any = None
    counted: tuple[Any, ...] = ()


@carry
class PrintedLine(NamedTuple):
    """A line of a list: the score of a player after a round, and their place."""

    round: int
    player: int
    score: Any
    place: int | float | None = None


@carry
class Group(NamedTuple):
    """A group of the file: its facts, each once, and its standings as printed.

    members: what the last list has of each, by id; in_last_list: those who are in it. games: the
    result as written, by round, White and Black. absences: the reason by round and player. kinds:
    the kind of each reason, if the lists tell it. printed: every line of its lists.
    """

    name: str
    members: dict[int, SevillaMember]
    in_last_list: list[int]
    dates: dict[int, str]
    games: dict[tuple[int, int, int], str]
    absences: dict[tuple[int, int], str]
    kinds: dict[str, str | None]
    printed: list[PrintedLine]

    @property
    def is_keizer(self) -> bool:
        """Whether places have values: elsewhere each is 1."""
        return any(member.value not in (None, 0, 1) for member in self.members.values())


def read(path: Path, _: str = "") -> list[Group]:
    """Read the groups of a file, apart. Raises KeizerError, with the place, for what is none."""
    with parsing.naming(str(path)):
        text = parsing.decoded(limits.read(path, limits.SEASON)).removeprefix("\ufeff")
        told = _objects(parsing.from_json(text), "GroupReport")
        limits.check(groups=len(told))
        groups = [*map(_group, told)]
        if not groups:
            raise KeizerError("there is no group in it.")
    facts.check_limits(path, *map(_extent, groups))
    return groups


def _extent(group: Group) -> facts.Extent:
    """How much there is of a group."""
    rounds = [number for number, *_ in (*group.games, *group.absences)]
    return facts.Extent(len(group.members), len(rounds), rounds, len(group.printed))


def _group(told: Object) -> Group:
    """The facts of a group."""
    lists = [(_whole(list_, "Round"), list_) for list_ in _objects(told, "Ranking")]
    listed = [
        (number, line)
        for number, list_ in sorted(lists, key=itemgetter(0))
        for line in _objects(list_, "Player")
    ]
    history = [
        player
        for one in _objects(told, "History")
        for player in _objects(one, "Player")
    ]
    rounds = _objects(told, "RoundHist")
    games = [game for one in rounds for game in _objects(one, "Game")]
    away = [absence for one in (*rounds, *history) for absence in _objects(one, "Abs")]
    called = _names([line for _, line in listed], history, games, away)
    members = {player: SevillaMember(player, name) for player, name in called.items()}
    members |= {line["ID"]: _member(line, called) for _, line in listed}
    until = listed[-1][0] if listed else 0
    last_list = [
        members[line["ID"]] for round_number, line in listed if round_number == until
    ]
    absences = _absences(away, called)
    return Group(
        spelling.tidy(_text(told, "Name")),
        members,
        [member.id for member in last_list],
        _dates(told),
        _games(games, history, called),
        absences,
        _kinds(absences, last_list, until),
        [
            PrintedLine(number, line["ID"], _score(line), _number(line, "Pos"))
            for number, line in listed
        ],
    )


def _names(
    listed: list[Object], history: list[Object], games: list[Object], away: list[Object]
) -> dict[int, str]:
    """The name of everybody in the lists, by their number. KeizerError if somebody has two."""
    called: dict[int, str] = {}

    def meet(told: Object, number: str, name: str) -> None:
        player = _whole(told, number)
        with parsing.naming(say("player {number}", number=player)):
            _agree(called, player, spelling.tidy(_text(told, name)))

    for player in (*history, *listed):
        meet(player, "ID", "Name")
    for player in history:
        for game in _objects(player, "Game"):
            called.setdefault(_whole(game, "Opponent"), "")
    for game in games:
        meet(game, "WhiteNr", "White")
        meet(game, "BlackNr", "Black")
    for absence in away:
        meet(absence, "PlayerNr", "Player")
    return called


def _member(line: Object, called: Mapping[int, str]) -> SevillaMember:
    """Make a member of a line of a list."""
    ratings = _number(line, "IRtg"), _number(line, "Rating")
    counted = tuple(_number(line, column) for column in _COUNTED)
    return SevillaMember(
        line["ID"], called[line["ID"]], *ratings, _number(line, "Value"), counted
    )


def _dates(told: Object) -> dict[int, str]:
    """The date of each round: that of the round itself, else that of its list."""
    stated = [
        (_whole(one, "Round"), _text(one, "Date")) for one in _objects(told, "Ranking")
    ]
    stated += [
        (_whole(one, "ID"), _text(one, "Date")) for one in _objects(told, "RoundHist")
    ]
    days = {number: parsing.born(day) for number, day in stated}
    return {number: day for number, day in days.items() if day and number in ROUNDS}


def _games(
    games: list[Object], history: list[Object], called: Mapping[int, str]
) -> dict[tuple[int, int, int], str]:
    """The result of each game, which may be there from both sides. KeizerError for two results."""
    found: dict[tuple[int, int, int], str] = {}

    def meet(game: Object, white: int, black: int) -> None:
        number = _whole(game, "Round")
        place = say(
            "round {round}, {white} against {black}",
            round=number, white=called[white], black=called[black],
        )  # fmt: skip
        with parsing.naming(place):
            _agree(found, (number, white, black), _text(game, "Res"))

    for game in games:
        meet(game, game["WhiteNr"], game["BlackNr"])
    for player in history:
        for game in _objects(player, "Game"):
            if _text(game, "Color") == "W":
                meet(game, player["ID"], game["Opponent"])
            else:
                meet(game, game["Opponent"], player["ID"])
    return found


def _absences(
    away: list[Object], called: Mapping[int, str]
) -> dict[tuple[int, int], str]:
    """The reason of each absence, which may be in two lists. KeizerError for two reasons."""
    found: dict[tuple[int, int], str] = {}
    for absence in away:
        number, player = _whole(absence, "Round"), absence["PlayerNr"]
        with parsing.naming(
            say("round {round}, {name}", round=number, name=called[player])
        ):
            _agree(found, (number, player), _text(absence, "Reason"))
    return found


def _agree(found: dict[Place, str], place: Place, text: str) -> None:
    """Take down what a file says somewhere; KeizerError if it has said something else before."""
    before = found.get(place)
    if not before:
        found[place] = text
    elif text and text != before:
        raise KeizerError(
            "the file has “{one}” and “{other}”.",
            one=spelling.shortened(before), other=spelling.shortened(text),
        )  # fmt: skip


def _kinds(
    absences: Mapping[tuple[int, int], str], shown: Sequence[SevillaMember], until: int
) -> dict[str, str | None]:
    """The kind of each reason: that which the last list counts as often, for each player.

    shown: who is in that list; until: its round.
    """
    often: dict[str, Counter[int]] = {reason: Counter() for reason in absences.values()}
    limits.check(kinds=len(often))
    for (number, player), reason in absences.items():
        if shown and number <= until:
            often[reason][player] += 1
    found: dict[str, str | None] = {}
    for reason, times in often.items():
        as_often = (
            kind
            for place, kind in enumerate(_COUNTED.values())
            if times
            and all(member.counted[place] == times[member.id] for member in shown)
        )
        found[reason] = _WORDS.get(reason.casefold()) or next(as_often, None)
    return found


# ------------------------------------------------------------- cells of an object


def _objects(told: Object, key: str) -> list[Object]:
    """A list of objects, which may be missing."""
    some = told.get(key) or []
    if not isinstance(some, list) or not all(isinstance(one, dict) for one in some):
        raise KeizerError("{key} is not a list of objects.", key=key)
    return some


def _whole(told: Object, key: str) -> int:
    """A whole number."""
    value = told.get(key)
    if type(value) is not int:
        raise KeizerError("{key} is no whole number.", key=key)
    return value


def _number(told: Object, key: str) -> int | float | None:
    """A number, which may be missing."""
    value = told.get(key)
    if value is None or type(value) in (int, float):
        return value
    raise KeizerError("{key} is not a number.", key=key)


def _text(told: Object, key: str) -> str:
    """A text, which may be missing."""
    value = told.get(key)
    if value is None:
        return ""
    if not isinstance(value, str) or _HALF_CHARACTER.search(value):
        raise KeizerError("{key} is not a text.", key=key)
    return value


def _score(line: Object) -> int | float | str | None:
    """A printed score; what is not a number as text."""
    score = line.get("Score")
    if isinstance(score, str):
        return _text(line, "Score")
    if isinstance(score, bool | list | dict):
        return json.dumps(score, ensure_ascii=False, separators=(",", ":"))
    return score


class Season(facts.ForeignSeason):
    """The groups of an export: that of the tournament's name, else all, the others beside it."""

    group: Group
    reason = say(
        "The file does not have its rules. After the import `keizer infer DB FILE --apply` finds"
        " those that bring these scores."
    )

    def take_over(self, groups: list[Group]) -> int:
        """As of any season; of several groups each becomes a tournament of its name."""
        here = spelling.fold(self.of.now.name)
        meant = [one for one in groups if spelling.fold(one.name) == here] or groups
        self.parts = [(self, meant[0])]
        if len(meant) > 1:
            self.of.update(
                "tournament", {"description": meant[0].name}, id=self.tournament
            )
        for group in meant[1:]:
            added = tournaments.add_tournament(self.conn, group.name)
            self.parts.append((Season(added, self.notes), group))
        for season, group in self.parts:
            season.group = group
            with (
                tournaments.revaluation_suspended(season.of),
                parsing.naming(group.name),
            ):
                facts.ForeignSeason.take_over(season, group)
        return sum(len(season.ids) for season, _ in self.parts)

    def _take(self, group: Group) -> None:
        there = (*group.games, *group.absences)
        self.preset = "sevilla" if group.is_keizer else "swiss-half"
        self.rounds: dict[int, list[int]] = {player: [] for player in group.members}
        for number, *players in there:
            for player in players:
                self.rounds[player].append(number)

    def _settings(self) -> list[str]:
        return []

    def _enter(self) -> None:
        there, last_list = set[str](), {*self.group.in_last_list}
        for player, member in sorted(self.group.members.items()):
            rounds = self.rounds[player]
            rating = parsing.rating(member.start_rating) or parsing.rating(
                member.rating
            )
            new, first = spelling.fold(member.name) in there, min(rounds, default=1)
            self.enter(player, member.name, rating=rating, from_round=first, new=new)
            there.add(spelling.fold(member.name))
            if last_list and player not in last_list:
                self.leave(player, max(rounds, default=0))

    def _write(self) -> None:
        publication.fill_dates(self.of, self.group.dates)
        for (number, white, black), written in self.group.games.items():
            with parsing.naming(
                say("round {round}, player {number}", round=number, number=white)
            ):
                self.game(number, white, black, self._result(number, written))
        kinds = {why: kind or self._kind(why) for why, kind in self.group.kinds.items()}
        for (number, player), reason in self.group.absences.items():
            with parsing.naming(
                say("round {round}, player {number}", round=number, number=player)
            ):
                self.unplayed(number, player, kinds[reason])

    def _result(self, number: int, written: str) -> str | None:
        """The result as the file has it; an R behind it says that it was given by rule."""
        plain = written.strip().removesuffix("R")
        if plain in _OPEN:
            return None
        try:
            found = spelling.parse_result(self.conn, plain)
        except KeizerError:
            typed = spelling.shortened(written)
            self.tell("round {round}: “{typed}” is no result known here: the game is open.",
                round=number, typed=typed)  # fmt: skip
            return None
        return _BY_RULE.get(found or "", found) if plain != written.strip() else found

    def _kind(self, reason: str) -> str:
        """A kind of that name for a reason that nobody knows, which counts as an absence does."""
        kind = spelling.parse_kind(re.sub(r"[\W_]+", " ", reason)) or "excused"
        with suppress(KeizerError):
            rules.add_kind(self.of, kind)
            rules.change(self.of, f"{rules.kind_as_key(kind)}=1/3")
        self.tell("“{reason}” became the kind “{kind}”: say with `keizer rules` what it brings.",
            reason=spelling.shortened(reason), kind=term(kind))  # fmt: skip
        return kind

    def compare(self) -> Comparison:
        """Compare the scores that Sevilla printed, group by group."""
        return figures.by_group(
            [
                (group.name, facts.ForeignSeason.compare(season))
                for season, group in self.parts
            ]
        )

    def figures(self, here: Standings) -> Iterator[Figure]:
        """Return the scores of every list that was printed, and places that contradict these."""
        within = self._within(here)
        for line in self.group.printed:
            yield Figure(line.round, line.player, "score", line.score, within)
        for line in _misplaced(self.group.printed):
            place = Figure(line.round, line.player, "rank", line.place)
            if not here.has(place):
                yield place

    def _within(self, here: Standings) -> float:
        """Return how far a printed score may be from ours.

        Keizer scores may be printed rounded, to half a unit of the last digit in the file. Points
        are not: where there are no values, and where all scores here are in half points, a whole
        number that is printed for x.5 is another score.
        """
        scores = (line.score for line in self.group.printed)
        within = trial.tolerance(
            float(score) for score in scores if readable(score) is not None
        )
        if self.group.is_keizer and not here.are_in_halves:
            return within
        return min(within, _HALF_POINTS)


def _misplaced(printed: Sequence[PrintedLine]) -> Iterator[PrintedLine]:
    """The lines whose place is not that of their score; equal scores stand in any order."""
    lists = defaultdict[int, list[tuple[float, Fraction, PrintedLine]]](list)
    for line in printed:
        score = readable(line.score)
        if score is not None and line.place is not None:
            lists[line.round].append((line.place, score, line))
    for lines in lists.values():
        lines.sort(key=itemgetter(0, 1))
        by_score = sorted((score for _, score, _ in lines), reverse=True)
        for (_, score, line), right in zip(lines, by_score, strict=True):
            if score != right:
                yield line


def standings(
    tournament: Tournament, groups: list[Group], path: Path
) -> list[trial.PrintedScore]:
    """The scores of the group that the tournament has, by the names of its members."""
    named = [*enumerate(one.name for one in groups)]
    group = groups[parsing.chosen(path, say("group"), named, tournament.now.name)]
    ids, found = defaultdict[str, list[int]](list), dict[int, int]()
    for player, name in sorted(roster.players(tournament).items(), reverse=True):
        ids[name].append(player)
    for player, member in sorted(group.members.items()):
        if same := ids[spelling.check_name(member.name)]:
            found[player] = same.pop()
    printed = {
        line.player
        for line in group.printed
        if line.round > 0 and line.score is not None
    }
    unknown = [group.members[player].name for player in sorted(printed - found.keys())]
    with parsing.naming(str(path)):
        if unknown:
            raise KeizerError(
                "these players have scores in the file and are not in the tournament: {names}.",
                names=parsing.quoted(unknown),
            )
        return [*_cells(group, found)]


def _cells(group: Group, ids: Mapping[int, int]) -> Iterator[trial.PrintedScore]:
    """The printed scores of the players with these ids. KeizerError for what is not a score."""
    for round_number, player, score, _ in group.printed:
        if round_number > 0 and player in ids and score is not None:
            if readable(score) is None or abs(score) >= trial.HIGHEST:
                typed = spelling.shortened(str(score))
                raise KeizerError("“{typed}” is no score.", typed=typed)
            yield trial.PrintedScore(round_number, ids[player], float(score))
