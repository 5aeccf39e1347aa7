"""A season of the original SQLite Keizer project: its keizer.db.

Tables player, tournament, x_player_tournament, round and ranking, where
a player is a rowid and ranking.score is the value in force in a round. What it
scored wrong (docs/formats.md) is scored right here.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from operator import itemgetter
from pathlib import Path

from keizer import beside
from keizer.errors import KeizerError
from keizer.formats import facts
from keizer.formats.figures import Standings
from keizer.messages import Message, say
from keizer.season import names

_SAID = beside.table(__file__, "original.toml")


class Season(facts.Season):
    """What the file says of the tournament of that name, or the only one.

    values: those in force, by round, then by player. first: the players of the first list.
    """

    preset = "keizer"
    reason = say(
        "That program gives nothing for some spellings of a result, counts games of every"
        " tournament, and puts players without a game last. All of this is right here."
    )

    def _read(self, path: Path) -> None:
        queries = _SAID["queries"]
        with facts.opened(path) as theirs:
            there = theirs.rows(queries["tournaments"])
            chosen = self.chosen(path, say("tournament"), there)
            lists, entered, games = (
                theirs.rows(queries[what], chosen) for what in ("lists", "entered", "games")
            )
            people = theirs.rows(queries["players"])
        self.games = sorted(games, key=itemgetter(0))
        # Who is in a game or a list took part, entered or not.
        part = {row["player_id"] for row in (*entered, *lists)}.union(*(row[1:3] for row in games))
        self.check_limits(path, len(part), len(games), (row[0] for row in games))
        known = {row["id"]: row for row in people}
        self.players = {player: known.get(player) for player in sorted(part)}
        self.names = {player: str(row["name"]) for player, row in self.players.items() if row}
        self.values: dict[int, dict[int, float]] = {}
        for number, player, value in sorted(
            (tuple(row) for row in lists if None not in tuple(row)),
            key=lambda place: (place[0], -place[2], place[1]),
        ):
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
        for player, row in self.players.items():
            if row is None or row["name"] is None:
                raise KeizerError(
                    "player {number}: they have games or a place in a list, but no row in table"
                    " player.",
                    number=player,
                )
            self.enter(
                player,
                self.names[player],
                rating=facts.rating(row["rating"]),
                category=" ".join(str(row["category"] or "").split()) or None,
                from_round=self.begun.get(player, 1),
                start_rank=start.get(player),
            )

    def _write(self) -> None:
        for number, white, black, stored, updated in self.games:
            game = say(
                "round {round}, {white} against {black}",
                round=number, white=self.names[white], black=self.names[black],
            )  # fmt: skip
            with facts.naming(game):
                self.game(number, white, black, self._result(stored, game), updated=updated)

    def _result(self, stored: object, game: Message) -> str | None:
        """The result; void, as it brought nothing there, for a text that is none here."""
        typed = "" if stored is None else str(stored).strip()
        with suppress(KeizerError):
            if names.result_of_black(typed) == typed:  # nobody's score alone counts there
                return names.result(self.conn, typed) if typed else None
        self.tell(
            "{game}: “{typed}” is no result, it counts for nothing (void).",
            game=game,
            typed=names.shortened(typed),
        )
        return "void"

    def compare(self, here: Standings) -> Iterator[Message | None]:
        """Compare the values in force: those that the list after the round before gave."""
        for number, values in self.values.items():
            for player, value in values.items():
                yield here.differs(number - 1, self.ids[player], "value", value)


def ladder(values: Sequence[float]) -> list[str]:
    """Return the settings that give these values by place, from the top: at least one."""
    steps = _steps(values)
    step = 1 if 1 in steps else max(steps, default=1)
    floor = 0 if values[-1] < 1 else 1
    return [f"top_value={values[0]:g}", f"step={step:g}", f"floor_value={floor}"]


def _steps(values: Sequence[float]) -> set[float]:
    """How much less a place is worth than the one above it."""
    return {above - below for above, below in pairwise(values)}
