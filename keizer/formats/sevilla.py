"""A season of Sevilla: the file that it exports (JSON), a tournament for each of its groups.

Each group has its members, the rounds with games and absences (RoundHist, or History, from
both sides), and standings as printed (Ranking). It has no rules: a Keizer group gets preset
sevilla, any other swiss-half; `keizer infer` finds them. docs/formats.md has what becomes of each.
"""

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from keizer.errors import KeizerError
from keizer.formats import facts, limits
from keizer.inferring import printed
from keizer.messages import say, term
from keizer.season import names, publication, rules, tournaments
from keizer.season.queries import Tournament

_COUNTED = {"NAbsNM": "unexcused", "NAbsMsg": "excused", "NAbsCl": "club duty",
    "NAbsClOD": "club duty", "NBye": "bye"}  # fmt: skip
"""What the absences are whose number a list has; their words are those of the user's language."""
_WORDS = {"pairing alloc bye": "bye", "abs with msg": "excused"}
_OPEN = {"", "..."}
_BY_RULE = {"1-0": "+-", "0-1": "-+", "0-0": "--"}


class Group:
    """A group of the file: its facts, each once, and its standings as printed.

    members: what the last list has of each, by ID. games: the result as written, by round, White
    and Black. absences: the reason by round and player. Raises KeizerError for what is no export.
    """

    def __init__(self, told: Any) -> None:
        self.name = names.tidy(_text(told, "Name"))
        self.members: dict[int, dict[str, Any]] = {}
        self.dates: dict[int, str] = {}
        self.games: dict[tuple[int, int, int], str] = {}
        self.absences: dict[tuple[int, int], str] = {}
        self.printed: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.lists = sorted(_objects(told, "Ranking"), key=lambda one: _whole(one, "Round"))
        for one in self.lists:
            for row in _objects(one, "Player"):
                self.members[_whole(row, "ID")] = row
                self.printed[_whole(one, "Round"), _whole(row, "ID")] = (
                    row.get("Score"),
                    row.get("Pos"),
                )
        for one in _objects(told, "History"):
            for row in _objects(one, "Player"):
                player = _whole(row, "ID")
                self.members.setdefault(player, row)
                for game in _objects(row, "Game"):
                    sides = player, _whole(game, "Opponent")
                    white, black = sides if _text(game, "Color") == "W" else sides[::-1]
                    self.games[_whole(game, "Round"), white, black] = _text(game, "Res")
                self._absent(row)
        for one in _objects(told, "RoundHist"):
            for game in _objects(one, "Game"):
                white, black = _whole(game, "WhiteNr"), _whole(game, "BlackNr")
                self.members.setdefault(white, {"Name": game.get("White")})
                self.members.setdefault(black, {"Name": game.get("Black")})
                self.games[_whole(game, "Round"), white, black] = _text(game, "Res")
            self._absent(one)
        for name, number in (("Ranking", "Round"), ("RoundHist", "ID")):
            for one in _objects(told, name):
                if day := facts.born(_text(one, "Date")):
                    self.dates[_whole(one, number)] = day

    def _absent(self, row: dict[str, Any]) -> None:
        for one in _objects(row, "Abs"):
            player = _whole(one, "PlayerNr")
            self.members.setdefault(player, {"Name": one.get("Player")})
            self.absences[_whole(one, "Round"), player] = _text(one, "Reason")

    @property
    def is_keizer(self) -> bool:
        """Whether places have values: elsewhere each is 1."""
        return any(row.get("Value") not in (None, 0, 1) for row in self.members.values())

    def kinds(self) -> dict[str, str | None]:
        """The kind of each reason: that which the last list counts as often, for each player."""
        shown = {
            _whole(row, "ID"): row for one in self.lists[-1:] for row in _objects(one, "Player")
        }
        until = _whole(self.lists[-1], "Round") if self.lists else 0
        found: dict[str, str | None] = {}
        for reason in dict.fromkeys(self.absences.values()):
            often = Counter(
                player for (number, player), why in self.absences.items()
                if why == reason and number <= until
            )  # fmt: skip
            found[reason] = _WORDS.get(reason.casefold()) or next(
                (kind for count, kind in _COUNTED.items() if often
                 and all(row.get(count) == often[player] for player, row in shown.items())),
                None,
            )  # fmt: skip
        return found


class Season(facts.Season):
    """The groups of an export: that of the tournament's name, else all, the others beside it."""

    group: Group

    def take_over(self, path: Path) -> int:
        """As of any season; every further group becomes a tournament of its own."""
        groups = read(path)
        title, here = self.of.now.name, names.folded(self.of.now.name)
        meant = [one for one in groups if names.folded(one.name) == here] or groups
        self.parts = [(self, meant[0])]
        for group in meant[1:]:
            added = tournaments.add_tournament(self.conn, f"{title}, {group.name}")
            self.parts.append((Season(added, self._remark), group))
        if len(meant) > 1:
            self.of.update(
                "tournament", {"description": f"{title}, {meant[0].name}"}, id=self.tournament
            )
        for season, group in self.parts:
            with tournaments.suspended(season.of), facts.naming(group.name or str(path)):
                season.group = group
                facts.Season.take_over(season, path)
        return sum(len(season.ids) for season, _ in self.parts)

    def _read(self, path: Path) -> None:
        group = self.group
        numbers = [key[0] for key in (*group.games, *group.absences)]
        self.check_limits(path, len(group.members), len(group.games), numbers)
        self.preset = "sevilla" if group.is_keizer else "swiss-half"
        self.events: dict[int, list[int]] = {player: [] for player in group.members}
        for number, *players in (*group.games, *group.absences):
            for player in players:
                self.events[player].append(number)

    def _settings(self) -> list[str]:
        return []

    def _enter(self) -> None:
        there = set[str]()
        for player, row in sorted(self.group.members.items()):
            name = _text(row, "Name")
            rating = facts.rating(row.get("IRtg")) or facts.rating(row.get("Rating"))
            with facts.naming(say("player {number}", number=player)):
                self.enter(
                    player, name, rating=rating, from_round=min(self.events[player], default=1),
                    new=names.folded(name) in there,
                )  # fmt: skip
            there.add(names.folded(name))
        if self.group.lists:
            listed = {_whole(row, "ID") for row in _objects(self.group.lists[-1], "Player")}
            for player in self.group.members.keys() - listed:
                self.leave(player, max(self.events[player], default=0))

    def _write(self) -> None:
        for number, day in self.group.dates.items():
            if number in tournaments.ROUNDS:
                publication.set_date(self.of, number, day)
        for (number, white, black), written in self.group.games.items():
            with facts.naming(say("round {round}, player {number}", round=number, number=white)):
                self.game(number, white, black, self._result(number, written))
        kinds = self.group.kinds()
        for reason, kind in kinds.items():
            kinds[reason] = kind or self._kind(reason)
        for (number, player), reason in self.group.absences.items():
            with facts.naming(say("round {round}, player {number}", round=number, number=player)):
                self.unplayed(number, player, str(kinds[reason]))

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

    def compare(self) -> None:
        """Hold the standings beside those that Sevilla printed."""
        for season, group in self.parts:
            cells = _cells(group, season.ids)
            for said in printed.compare(season.of, cells) if cells else ():
                self._remark(said)


def _cells(group: Group, ids: Mapping[int, int]) -> list[printed.Cell]:
    """The scores of a group, of the players whose ids are known."""
    return [
        printed.Cell(number, ids[player], float(score), rank if isinstance(rank, int) else None)
        for (number, player), (score, rank) in group.printed.items()
        if player in ids and number > 0 and isinstance(score, int | float)
    ]


def standings(path: Path, tournament: Tournament) -> list[printed.Cell]:
    """The printed figures of the group that the tournament has, by the names of its members."""
    here = names.folded(tournament.now.name)
    groups = read(path)
    meant = [
        one
        for one in groups
        if here in (names.folded(one.name), "") or here.endswith(f", {names.folded(one.name)}")
    ]
    if len(meant or groups) != 1:
        raise KeizerError(
            "{file} does not have exactly one {what} (it has {there}): give yours the name of"
            " the one to import.",
            file=str(path), what=say("group"), there=facts.quoted(one.name for one in groups),
        )  # fmt: skip
    (group,) = meant or groups
    ids: dict[str, list[int]] = {}
    for player, name in tournament.conn.execute(
        "SELECT player.id, name FROM x_player_tournament AS e JOIN player ON player.id = player_id"
        " WHERE tournament_id = ? ORDER BY player.id",
        (tournament.id,),
    ):
        ids.setdefault(names.folded(name), []).append(player)
    found: dict[int, int] = {}
    for player, row in sorted(group.members.items()):
        if same := ids.get(names.folded(names.proper(_text(row, "Name")))):
            found[player] = same.pop(0)
    return _cells(group, found)


def is_export(text: str) -> bool:
    """Whether a file that begins so is one."""
    return bool(re.match(r"\s*\{", text)) and '"GroupReport"' in text


def read(path: Path) -> list[Group]:
    """The groups of a file. Raises KeizerError, with the place, for what is none."""
    with facts.naming(str(path)):
        text = facts.decoded(limits.read(path, limits.SEASON)).removeprefix("\ufeff")
        try:
            groups = [Group(one) for one in _objects(facts.decoded_json(text), "GroupReport")]
        except ValueError as error:
            raise KeizerError("this is not JSON, or broken.") from error
        if not groups:
            raise KeizerError("there is no group in it.")
        return groups


def _objects(told: Any, key: str) -> list[dict[str, Any]]:
    found = told.get(key) if isinstance(told, dict) else told
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise KeizerError("{key} is no list of objects.", key=key)
    return found


def _whole(told: dict[str, Any], key: str) -> int:
    found = told.get(key)
    if not isinstance(found, int) or isinstance(found, bool) or abs(found) > limits.PLACES:
        raise KeizerError("{key} is no whole number.", key=key)
    return found


def _text(told: Any, key: str) -> str:
    found = told.get(key) if isinstance(told, dict) else None
    return found if isinstance(found, str) else ""
