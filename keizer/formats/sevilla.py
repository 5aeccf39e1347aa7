"""A season of Sevilla: the file that it exports (JSON), a tournament for each of its groups.

Each group has its members, the rounds with games and absences (RoundHist, or History, from
both sides), and standings as printed (Ranking). It has no rules: a Keizer group gets preset
sevilla, any other swiss-half; `keizer infer` finds them. docs/formats.md has what becomes of each.
"""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from keizer import beside
from keizer.errors import KeizerError
from keizer.formats import facts, limits
from keizer.formats.figures import Standings
from keizer.inferring import trial
from keizer.messages import Message, say, term
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


class Group:
    """A group of the file: its facts, each once, and its standings as printed.

    members: what the last list has of each, by id. games: the result as written, by round, White
    and Black. absences: the reason by round and player. printed: the score by round and player.
    """

    def __init__(self, conn: sqlite3.Connection, told: str, name: object) -> None:
        """told: the group as a text in JSON."""

        def rows(what: str) -> list[sqlite3.Row]:
            found = conn.execute(_QUERIES[what], (told,)).fetchall()
            for row in found:
                for key in _NUMBERS.intersection(row.keys()):
                    if not isinstance(row[key], int):
                        raise KeizerError("{key} is no whole number.", key=key)
            return found

        self.name, listed = names.tidy(str(name or "")), rows("listed")
        self.until = listed[-1]["round"] if listed else 0
        self.shown = {row["id"]: row for row in listed if row["round"] == self.until}
        self.printed = {(row["round"], row["id"]): row["Score"] for row in listed}
        self.members = {row["id"]: row for row in (*reversed(rows("people")), *listed)}
        days = {number: facts.born(str(day)) for number, day in rows("dates")}
        self.dates = {number: day for number, day in days.items() if day and number in ROUNDS}
        self.games: dict[tuple[int, int, int], str] = {}
        for *game, result in rows("games"):
            self.games.setdefault((game[0], game[1], game[2]), str(result or ""))
        self.absences = {
            (number, player): str(reason or "") for number, player, reason in rows("absences")
        }

    @property
    def is_keizer(self) -> bool:
        """Whether places have values: elsewhere each is 1."""
        return any(row["Value"] not in (None, 0, 1) for row in self.members.values())

    def kinds(self) -> dict[str, str | None]:
        """The kind of each reason: that which the last list counts as often, for each player."""
        found: dict[str, str | None] = {}
        for reason in dict.fromkeys(self.absences.values()):
            often = Counter(
                player for (number, player), why in self.absences.items()
                if why == reason and self.shown and number <= self.until
            )  # fmt: skip
            as_often = (
                kind for count, kind in _COUNTED.items()
                if often and all(row[count] == often[one] for one, row in self.shown.items())
            )  # fmt: skip
            found[reason] = _WORDS.get(reason.casefold()) or next(as_often, None)
        return found


class Season(facts.Season):
    """The groups of an export: that of the tournament's name, else all, the others beside it."""

    group: Group
    reason = say(
        "The file does not have its rules. After the import `keizer infer DB FILE --apply` finds"
        " those that bring these scores."
    )

    def take_over(self, path: Path) -> int:
        """As of any season; of several groups each becomes a tournament of its name."""
        groups = read(path)
        here = names.folded(self.of.now.name)
        meant = [one for one in groups if names.folded(one.name) == here] or groups
        self.parts = [(self, meant[0])]
        if len(meant) > 1:
            self.of.update("tournament", {"description": meant[0].name}, id=self.tournament)
        for group in meant[1:]:
            added = tournaments.add_tournament(self.conn, group.name)
            self.parts.append((Season(added, self._remark), group))
        for season, group in self.parts:
            season.group = group
            with tournaments.suspended(season.of), facts.naming(group.name):
                facts.Season.take_over(season, path)
        return sum(len(season.ids) for season, _ in self.parts)

    def _read(self, path: Path) -> None:
        there = (*self.group.games, *self.group.absences)
        numbers = [number for number, *_ in there]
        self.check_limits(path, len(self.group.members), len(self.group.games), numbers)
        self.preset = "sevilla" if self.group.is_keizer else "swiss-half"
        self.rounds: dict[int, list[int]] = {player: [] for player in self.group.members}
        for number, *players in there:
            for player in players:
                self.rounds[player].append(number)

    def _settings(self) -> list[str]:
        return []

    def _enter(self) -> None:
        there = set[str]()
        for player, row in sorted(self.group.members.items()):
            name, rounds = str(row["name"] or ""), self.rounds[player]
            rating = facts.rating(row["IRtg"]) or facts.rating(row["Rating"])
            new, first = names.folded(name) in there, min(rounds, default=1)
            self.enter(player, name, rating=rating, from_round=first, new=new)
            there.add(names.folded(name))
            if self.group.shown and player not in self.group.shown:
                self.leave(player, max(rounds, default=0))

    def _write(self) -> None:
        publication.fill_dates(self.of, self.group.dates)
        for (number, white, black), written in self.group.games.items():
            with facts.naming(say("round {round}, player {number}", round=number, number=white)):
                self.game(number, white, black, self._result(number, written))
        kinds = {why: kind or self._kind(why) for why, kind in self.group.kinds().items()}
        for (number, player), reason in self.group.absences.items():
            with facts.naming(say("round {round}, player {number}", round=number, number=player)):
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

    def compare(self, here: Standings) -> Iterator[Message | None]:
        """Compare the scores that Sevilla printed, group by group."""
        for season, group in self.parts:
            cells = _cells(group, season.ids)
            within = trial.tolerance(cells)
            standings = Standings(season.of) if season is not self else here
            for cell in cells:
                said = standings.differs(cell.round, cell.player, "score", cell.score, within)
                if said and len(self.parts) > 1:
                    said = say("{what}: {said}", what=group.name, said=said)
                yield said


def _cells(group: Group, ids: Mapping[int, int]) -> list[trial.Cell]:
    """The scores of a group, of the players whose ids are known."""
    return [
        trial.Cell(number, ids[player], float(score))
        for (number, player), score in group.printed.items()
        if player in ids
        and number > 0
        and isinstance(score, int | float)
        and abs(score) < trial.HIGHEST
    ]


def standings(tournament: Tournament, path: Path) -> list[trial.Cell]:
    """The scores of the group that the tournament has, by the names of its members."""
    groups = read(path)
    season = Season(tournament)
    group = groups[season.chosen(path, say("group"), [*enumerate(one.name for one in groups)])]
    ids, found = defaultdict[str, list[int]](list), dict[int, int]()
    for player, name in sorted(roster.players(tournament).items(), reverse=True):
        ids[name].append(player)
    for player, row in sorted(group.members.items()):
        if same := ids[names.proper(str(row["name"] or ""))]:
            found[player] = same.pop()
    return _cells(group, found)


def read(path: Path) -> list[Group]:
    """The groups of a file. Raises KeizerError, with the place, for what is none."""
    with facts.naming(str(path)), closing(sqlite3.connect(":memory:")) as conn:
        conn.row_factory = sqlite3.Row
        text = facts.decoded(limits.read(path, limits.SEASON)).removeprefix("\ufeff")
        try:
            found = [Group(conn, *one) for one in conn.execute(_QUERIES["groups"], (text,))]
        except sqlite3.OperationalError as error:
            raise KeizerError("this is not JSON, or broken.") from error
        if not found:
            raise KeizerError("there is no group in it.")
        return found
