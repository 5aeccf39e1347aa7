"""A season of the original SQLite Keizer project: its keizer.db.

Tables player, tournament, x_player_tournament, round and ranking, where
a player is a rowid and ranking.score is the value in force in a round. What it
scored wrong (docs/formats.md) is scored right here.
"""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from keizer import resources
from keizer.errors import KeizerError
from keizer.exchange import databases, facts
from keizer.exchange.figures import Figure, Standings, readable
from keizer.formats import parsing
from keizer.formats.carried import carry
from keizer.messages import Message, say
from keizer.season.names import spelling

_SAID = resources.table(__file__, "original.toml")


@carry
class OriginalGame(NamedTuple):
    """A row of table round."""

    number: int
    white: int
    black: int
    stored: Any
    updated: str | None


@carry
class OriginalPlayer(NamedTuple):
    """A row of table player, or of one who has none."""

    id: int
    name: Any
    category: Any = None
    rating: Any = None


@carry
class OriginalFile(NamedTuple):
    """A tournament of a keizer.db.

    lists: round, player and value, from the top of each list; at the end what is not numbers.
    """

    players: list[OriginalPlayer]
    games: list[OriginalGame]
    lists: list[tuple[Any, ...]]


def read(path: Path, name: str) -> OriginalFile:
    """Read the tournament of that name, or the only one, apart."""
    queries = _SAID["queries"]
    with databases.opened(path) as file:
        file.check_ids("tournament", "rowid")
        file.check_ids("player", "rowid")
        file.check_whole("x_player_tournament", "tournament_id", "player_id")
        file.check_whole("ranking", "tournament_id")
        file.check_whole("round", "tournament_id", "round_number", "white", "black")
        there = file.rows(queries["tournaments"])
        chosen = parsing.chosen(path, say("tournament"), there, name)
        stored, entered, games = (
            file.rows(queries[what], chosen) for what in ("lists", "entered", "games")
        )
        people = [*map(OriginalPlayer._make, file.rows(queries["players"]))]
    known = {player.id: player for player in people}
    lists = sorted((tuple(map(_plain, row)) for row in stored), key=_place_in_lists)
    # Who is in a game or a list took part, entered or not.
    part = {row[0] for row in entered}.union(
        (row[1] for row in lists if isinstance(row[1], int)),
        *(row[1:3] for row in games),
    )
    rounds = (row[0] for row in games)
    facts.check_limits(path, facts.Extent(len(part), len(games), rounds, len(lists)))
    return OriginalFile(
        [known.get(player, OriginalPlayer(player, None)) for player in sorted(part)],
        sorted(map(OriginalGame._make, games), key=attrgetter("number")),
        lists,
    )


def _plain(cell: Any) -> Any:
    """Read a cell of a list as a number, also if it is stored as text; anything else stays."""
    text = str(cell).strip()
    if re.fullmatch(r"-?[0-9]{1,9}(\.0*)?", text):
        return int(float(text))
    return float(text) if re.fullmatch(r"-?[0-9]{1,9}\.[0-9]+", text) else cell


def _place_in_lists(row: tuple[Any, ...]) -> tuple[float, ...]:
    """Order by round, from the top of each list; what is not numbers is at the end."""
    if not _is_readable(row):
        return (math.inf,)
    round_number, player, value = row
    return round_number, -value, player


def _is_readable(row: tuple[Any, ...]) -> bool:
    """Whether a row says what a player is worth in a round."""
    round_number, player, value = row
    return (
        isinstance(round_number, int)
        and isinstance(player, int)
        and readable(value) is not None
    )


class Season(facts.ForeignSeason):
    """What the file says of the tournament of that name, or the only one.

    values: those in force, by round, then by player. first: the first list of values.
    """

    preset = "keizer"
    first_list = 0
    reason = say(
        "That program gives nothing for some spellings of a result, counts games of every"
        " tournament, and puts players without a game last. All of this is right here."
    )

    def _take(self, there: OriginalFile) -> None:
        self.players, self.games, self.lists = there.players, there.games, there.lists
        self.names = {player.id: str(player.name) for player in self.players}
        self.values: dict[int, dict[int, float]] = {}
        for number, player, value in filter(_is_readable, there.lists):
            if number > 0:
                self.values.setdefault(number, {})[player] = value
        self.first = next(iter(self.values.values()), {})
        # The first round of who is in a list: of that, unless they played before.
        self.begun: dict[int, int] = {}
        for number, values in self.values.items():
            self.begun = dict.fromkeys(values, number) | self.begun
        for number, *players in (row[:3] for row in self.games):
            for player in self.begun.keys() & players:
                self.begun[player] = min(number, self.begun[player])
        self.begun |= dict.fromkeys(self.first, 1)

    def _settings(self) -> list[str]:
        """What the first list says of the values: the highest, and how much each next is less."""
        first = [*self.first.values()]
        if not first:
            return []
        if len(_steps(first)) > 1:
            self.tell(
                "the values of its first list are not evenly spaced: see rules top_value and step."
            )
        if first[-1] < 0:
            self.tell("values below 0 are 0 here.")
        return ladder(first)

    def _enter(self) -> None:
        start = {player: place for place, player in enumerate(self.first, 1)}
        for player in self.players:
            if player.name is None:
                raise KeizerError(
                    "player {number}: they have games or a place in a list, but no row in table"
                    " player.",
                    number=player.id,
                )
            self.enter(
                player.id,
                self.names[player.id],
                rating=parsing.rating(player.rating),
                category=" ".join(str(player.category or "").split()) or None,
                from_round=self.begun.get(player.id, 1),
                start_rank=start.get(player.id),
            )

    def _write(self) -> None:
        for number, white, black, stored, updated in self.games:
            game = say(
                "round {round}, {white} against {black}",
                round=number, white=self.names[white], black=self.names[black],
            )  # fmt: skip
            with parsing.naming(game):
                self.game(
                    number, white, black, self._result(stored, game), updated=updated
                )

    def _result(self, stored: object, game: Message) -> str | None:
        """The result; void, as it brought nothing there, for a text that is none here."""
        typed = "" if stored is None else str(stored).strip()
        with suppress(KeizerError):
            # Nobody's score alone counts there.
            if spelling.result_of_black(typed) == typed:
                return spelling.parse_result(self.conn, typed) if typed else None
        self.tell(
            "{game}: “{typed}” is no result, it counts for nothing (void).",
            game=game,
            typed=spelling.shortened(typed),
        )
        return "void"

    def figures(self, _here: Standings) -> Iterator[Figure]:
        """Return the values in force: those that the list after the round before gave."""
        for round_number, player, value in self.lists:
            yield Figure(round_before(round_number), player, "value", value)


def round_before(round_number: Any) -> Any:
    """Return the round before one; what is not a number stays."""
    return round_number - 1 if isinstance(round_number, int) else round_number


def ladder(values: Sequence[float]) -> list[str]:
    """Return the settings that give these values by place, from the top: at least one."""
    steps = _steps(values)
    step = 1 if 1 in steps else max(steps, default=1)
    floor = 0 if values[-1] < 1 else 1
    return [f"top_value={values[0]:g}", f"step={step:g}", f"floor_value={floor}"]


def _steps(values: Sequence[float]) -> set[float]:
    """How much less a place is worth than the one above it."""
    return {above - below for above, below in pairwise(values)}
