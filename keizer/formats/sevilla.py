"""A season of Sevilla: the file that it exports (JSON), a tournament for each of its groups.

Each group has its members, the rounds with games and absences (RoundHist, or History, from
both sides), and standings as printed (Ranking). It has no rules: a Keizer group gets preset
sevilla, any other swiss-half; `keizer infer` finds them. docs/formats.md has what becomes of each.
"""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from keizer import beside
from keizer.errors import KeizerError
from keizer.formats import facts, figures, limits, parsing
from keizer.formats.carried import carry
from keizer.formats.figures import Comparison, Figure, Standings, readable
from keizer.inferring import trial
from keizer.messages import say, term
from keizer.season import names, publication, roster, rules, tournaments
from keizer.season.queries import Tournament
from keizer.season.tournaments import ROUNDS

_QUERIES: dict[str, str] = beside.table(__file__, "sevilla.toml")["queries"]
_NUMBERS = {"round", "id", "white", "black"}

_COUNTED = {"NAbsNM": "unexcused", "NAbsMsg": "excused", "NAbsCl": "club duty",
    "NAbsClOD": "club duty", "NBye": "bye"}  # fmt: skip
"""What the absences are whose number a list has; their words are those of the user's language."""
_WORDS = {"pairing alloc bye": "bye", "abs with msg": "excused"}
_OPEN = {"", "..."}
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
class Group(NamedTuple):
    """A group of the file: its facts, each once, and its standings as printed.

    members: what the last list has of each, by id; in_last_list: those who are in it. games: the
    result as written, by round, White and Black. absences: the reason by round and player. kinds:
    the kind of each reason, if the lists tell it. printed: round, player and score of every line.
    """

    name: str
    members: dict[int, SevillaMember]
    in_last_list: list[int]
    dates: dict[int, str]
    games: dict[tuple[int, int, int], str]
    absences: dict[tuple[int, int], str]
    kinds: dict[str, str | None]
    printed: list[tuple[int, int, Any]]

    @property
    def is_keizer(self) -> bool:
        """Whether places have values: elsewhere each is 1."""
        return any(member.value not in (None, 0, 1) for member in self.members.values())


def read(path: Path, _: str = "") -> list[Group]:
    """Read the groups of a file, apart. Raises KeizerError, with the place, for what is none."""
    with parsing.naming(str(path)), closing(sqlite3.connect(":memory:")) as conn:
        conn.row_factory = sqlite3.Row
        text = parsing.decoded(limits.read(path, limits.SEASON)).removeprefix("\ufeff")
        parsing.check_nul(text)
        try:
            told = conn.execute(_QUERIES["groups"], (text,)).fetchmany(limits.GROUPS + 1)
            limits.check(groups=len(told))
            groups = [_group(conn, *group) for group in told]
        except sqlite3.OperationalError as error:
            raise KeizerError("this is not JSON, or broken.") from error
        if not groups:
            raise KeizerError("there is no group in it.")
    facts.check_limits(path, *map(_extent, groups))
    return groups


def _extent(group: Group) -> facts.Extent:
    """How much there is of a group."""
    rounds = [number for number, *_ in (*group.games, *group.absences)]
    return facts.Extent(len(group.members), len(rounds), rounds, len(group.printed))


def _group(conn: sqlite3.Connection, told: str, name: object) -> Group:
    """The facts of a group; told: a text in JSON."""

    def rows(what: str) -> list[sqlite3.Row]:
        found = conn.execute(_QUERIES[what], (told,)).fetchmany(limits.ROWS + 1)
        limits.check(rows=len(found))
        for row in found:
            for key in _NUMBERS.intersection(row.keys()):
                if not isinstance(row[key], int):
                    raise KeizerError("{key} is no whole number.", key=key)
        return found

    listed = rows("listed")
    until = listed[-1]["round"] if listed else 0
    members = {
        row["id"]: SevillaMember(row["id"], str(row["name"] or "")) for row in rows("people")[::-1]
    }
    members |= {
        row["id"]: SevillaMember(
            row["id"], str(row["name"] or ""), row["IRtg"], row["Rating"], row["Value"],
            tuple(row[column] for column in _COUNTED),
        )
        for row in listed
    }  # fmt: skip
    shown = [members[row["id"]] for row in listed if row["round"] == until]
    days = {number: parsing.born(str(day)) for number, day in rows("dates")}
    games: dict[tuple[int, int, int], str] = {}
    for number, white, black, result in rows("games"):
        games.setdefault((number, white, black), str(result or ""))
    absences = {(number, player): str(reason or "") for number, player, reason in rows("absences")}
    return Group(
        names.tidy(str(name or "")),
        members,
        [member.id for member in shown],
        {number: day for number, day in days.items() if day and number in ROUNDS},
        games,
        absences,
        _kinds(absences, shown, until),
        [(row["round"], row["id"], row["Score"]) for row in listed],
    )


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
            if times and all(member.counted[place] == times[member.id] for member in shown)
        )
        found[reason] = _WORDS.get(reason.casefold()) or next(as_often, None)
    return found


class Season(facts.Season):
    """The groups of an export: that of the tournament's name, else all, the others beside it."""

    group: Group
    reason = say(
        "The file does not have its rules. After the import `keizer infer DB FILE --apply` finds"
        " those that bring these scores."
    )

    def take_over(self, groups: list[Group]) -> int:
        """As of any season; of several groups each becomes a tournament of its name."""
        here = names.folded(self.of.now.name)
        meant = [one for one in groups if names.folded(one.name) == here] or groups
        self.parts = [(self, meant[0])]
        if len(meant) > 1:
            self.of.update("tournament", {"description": meant[0].name}, id=self.tournament)
        for group in meant[1:]:
            added = tournaments.add_tournament(self.conn, group.name)
            self.parts.append((Season(added, self.notes), group))
        for season, group in self.parts:
            season.group = group
            with tournaments.suspended(season.of), parsing.naming(group.name):
                facts.Season.take_over(season, group)
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
            rating = parsing.rating(member.start_rating) or parsing.rating(member.rating)
            new, first = names.folded(member.name) in there, min(rounds, default=1)
            self.enter(player, member.name, rating=rating, from_round=first, new=new)
            there.add(names.folded(member.name))
            if last_list and player not in last_list:
                self.leave(player, max(rounds, default=0))

    def _write(self) -> None:
        publication.fill_dates(self.of, self.group.dates)
        for (number, white, black), written in self.group.games.items():
            with parsing.naming(say("round {round}, player {number}", round=number, number=white)):
                self.game(number, white, black, self._result(number, written))
        kinds = {why: kind or self._kind(why) for why, kind in self.group.kinds.items()}
        for (number, player), reason in self.group.absences.items():
            with parsing.naming(say("round {round}, player {number}", round=number, number=player)):
                self.unplayed(number, player, kinds[reason])

    def _result(self, number: int, written: str) -> str | None:
        """The result as the file has it; an R behind it says that it was given by rule."""
        plain = written.strip().removesuffix("R")
        if plain in _OPEN:
            return None
        try:
            found = names.result(self.conn, plain)
        except KeizerError:
            typed = names.shortened(written)
            self.tell("round {round}: “{typed}” is no result known here: the game is open.",
                round=number, typed=typed)  # fmt: skip
            return None
        return _BY_RULE.get(found or "", found) if plain != written.strip() else found

    def _kind(self, reason: str) -> str:
        """A kind of that name for a reason that nobody knows, which counts as an absence does."""
        kind = names.kind(re.sub(r"[\W_]+", " ", reason)) or "excused"
        with suppress(KeizerError):
            rules.add_kind(self.of, kind)
            rules.change(self.of, f"{kind.replace(' ', '-')}=1/3")
        self.tell("“{reason}” became the kind “{kind}”: say with `keizer rules` what it brings.",
            reason=names.shortened(reason), kind=term(kind))  # fmt: skip
        return kind

    def compare(self) -> Comparison:
        """Compare the scores that Sevilla printed, group by group."""
        return figures.by_group(
            [(group.name, facts.Season.compare(season)) for season, group in self.parts]
        )

    def figures(self, _here: Standings) -> Iterator[Figure]:
        """Return the scores of every list that was printed."""
        scores = (score for *_, score in self.group.printed)
        within = trial.tolerance(float(score) for score in scores if readable(score) is not None)
        for round_number, player, score in self.group.printed:
            yield Figure(round_number, player, "score", score, within)


def standings(tournament: Tournament, groups: list[Group], path: Path) -> list[trial.PrintedScore]:
    """The scores of the group that the tournament has, by the names of its members."""
    named = [*enumerate(one.name for one in groups)]
    group = groups[parsing.chosen(path, say("group"), named, tournament.now.name)]
    ids, found = defaultdict[str, list[int]](list), dict[int, int]()
    for player, name in sorted(roster.players(tournament).items(), reverse=True):
        ids[name].append(player)
    for player, member in sorted(group.members.items()):
        if same := ids[names.proper(member.name)]:
            found[player] = same.pop()
    printed = {
        player for number, player, score in group.printed if number > 0 and score is not None
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
    for round_number, player, score in group.printed:
        if round_number > 0 and player in ids and score is not None:
            if readable(score) is None or abs(score) >= trial.HIGHEST:
                typed = names.shortened(str(score))
                raise KeizerError("“{typed}” is no score.", typed=typed)
            yield trial.PrintedScore(round_number, ids[player], float(score))
