"""A tournament report file as a season of a Keizer file."""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Hashable, Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from keizer.errors import KeizerError
from keizer.exchange import facts, figures
from keizer.exchange.figures import Comparison, Figure, Standings
from keizer.exchange.rating_lists import Entry, keys
from keizer.exchange.ratings import differ, members
from keizer.exchange.trf.reading import USUAL, disagreeing, parse
from keizer.exchange.trf.report import BLANK, FORMAT, Player, Report
from keizer.formats import limits, parsing
from keizer.formats.members import SHORTENED
from keizer.messages import Message, say
from keizer.season.club_night import publication
from keizer.season.names import spelling
from keizer.season.people import roster
from keizer.store.connection import error_message

_TAKEN = FORMAT["taken"]
_OVER_THE_BOARD = str.maketrans("WDL", "1=0")
_SCALE = say(
    "What games and byes bring is in the rules of the tournament: `keizer rules DB` changes that"
    " before the import."
)
_DETAILS = ("rating", "fide_id", "title", "federation", "sex", "born")

_WAYS: tuple[Callable[[Entry | Player], Iterable[Hashable]], ...] = (
    lambda who: [who.fide_id] if who.fide_id else [],
    lambda who: [who.name],
    lambda who: keys(who.name),
)
"""What makes two the same person, the surest first: FIDE number, the very name, a name
as rating lists compare it."""


def read(path: Path, _: str) -> Report:
    """Read a report, apart; KeizerError names the line."""
    data = limits.read(path, limits.SEASON)
    with parsing.naming(str(path)):
        return parse(data)


class Season(facts.ForeignSeason):
    """What a report says.

    byes: by start number and round, who has said before that they do not come.
    """

    def take_over(self, report: Report) -> int:
        """Enter the players of a report, their games and unplayed rounds; how many players.

        All of it is written, inside the caller's transaction, or KeizerError names the line.
        """
        self.report = report
        system = self.of.scalar(
            "SELECT system FROM rules WHERE tournament_id = ?", self.of.id
        )
        self.is_proof = system == "swiss"
        self.reason = _SCALE if self.is_proof else None
        with parsing.naming(limits.called(self._path)):
            self.notes.extend(self.report.notes)
            self.byes: dict[int, dict[int, str]] = defaultdict(dict)
            kinds = "SELECT kind FROM scoring WHERE tournament_id = ?"
            there = self.of.scalars(kinds, self.tournament)
            asked = {
                cell: kind for kind, cell in _TAKEN["asked"].items() if kind in there
            }
            self.kinds = (
                _TAKEN["kinds"] | asked | {"=": asked.get("H", _TAKEN["kinds"]["="])}
            )
            for bye in self.report.byes:
                self.byes[bye.player][bye.round] = self.kinds[bye.kind]
            self._write()
        return len(self.report.players)

    def _write(self) -> None:
        if not self.report.players:
            raise KeizerError(
                "there are no players: they have lines that start with 001."
            )
        self._tournament()
        ids = Counter(
            player.fide_id for player in self.report.players if player.fide_id
        )
        twice = [number for number, lines in ids.items() if lines > 1]
        if twice:
            said = spelling.some_names(map(str, twice))
            self.tell(
                "FIDE numbers that two players have are left out: {numbers}.",
                numbers=said,
            )
        players = [_stored(player, twice) for player in self.report.players]
        if not all(player.name for player in players):
            self.tell(
                "players without a name are called “Player” and their start number."
            )
        known = _known(self.conn, players)
        for player in players:
            with player.naming():
                name = player.name or f"Player {player.number}"
                player_id = known.get(player.number) or roster.register(
                    self.conn, name, self.looks
                )
                self._fill(
                    "player",
                    player_id,
                    {name: getattr(player, name) for name in _DETAILS},
                )
                # In two steps: a new entry without a rating takes over that of the player.
                roster.join(self.of, player_id, self._first_round(player), None)
                self._entry(player_id, rating=player.rating or None)
            self.ids[player.number] = player_id
        self.start_list([player for _, player in sorted(self.ids.items())])
        publication.fill_dates(self.of, self.report.dates)
        self._games()
        self._unplayed()

    def _entry(self, player: int, **cells: int | None) -> None:
        """Write cells of a player's entry."""
        self.of.update(
            "x_player_tournament",
            cells,
            tournament_id=self.tournament,
            player_id=player,
        )

    def _fill(self, table: str, row: int, said: dict[str, str | int]) -> None:
        """Write what the row does not have yet; 0 and blank are nothing."""
        columns = ", ".join(f"{column} = COALESCE({column}, ?)" for column in said)
        values = (value or None for value in said.values())
        self.conn.execute(f"UPDATE {table} SET {columns} WHERE id = ?", (*values, row))

    def _tournament(self) -> None:
        """Fill in what the file does not say yet; its name stays."""
        for code, column in FORMAT["records"]["tournament"].items():
            line = self.report.lines.get(code)
            value = spelling.tidy(line.value) if line else ""
            if not line or (
                column == "federation" and not re.fullmatch("[A-Z]{3}", value)
            ):
                continue  # the name of a website, say
            try:
                self._fill("tournament", self.tournament, {column: value})
            except sqlite3.IntegrityError as error:
                self.notes.add(line.left_out(error_message(error)))
        for line, planned in self.report.planned():
            if planned == self.report.rounds() + 1:
                self.notes.add(
                    line.left_out("it may be no plan, but the coming round.")
                )
            else:
                rules = "UPDATE rules SET rounds = COALESCE(rounds, ?) WHERE tournament_id = ?"
                self.conn.execute(rules, (planned, self.tournament))

    def _first_round(self, player: Player) -> int:
        """The first round in which the report has something about the player."""
        rounds = {
            number for number, cell in enumerate(player.rounds, 1) if cell != BLANK
        }
        return min(
            rounds | self.byes[player.number].keys(), default=self.report.rounds() + 1
        )

    def _games(self) -> None:
        """Write each game once: from White's line or, without colours, the lower start number's."""
        players = {player.number: player for player in self.report.players}
        for player in self.report.players:
            for number, (theirs, colour, said) in enumerate(player.rounds, 1):
                if theirs and (
                    colour == "w" or (colour == "-" and player.number < theirs)
                ):
                    sides = said + players[theirs].round(number).result
                    result = _TAKEN["games"].get(sides.translate(_OVER_THE_BOARD))
                    with player.naming():
                        self.game(number, player.number, theirs, result)

    def _unplayed(self) -> None:
        """Write rounds without a game, from a player's first round on, and announced absences."""
        for player in self.report.players:
            rounds = range(self._first_round(player), self.report.rounds() + 1)
            cells = {number: player.round(number) for number in rounds}
            without = {
                number: cell for number, cell in cells.items() if not cell.opponent
            }
            kinds = {
                number: self.kinds[cell.result] for number, cell in without.items()
            }
            with player.naming():
                for number, kind in (kinds | self.byes[player.number]).items():
                    self.unplayed(number, player.number, kind)

    # ------------------------------------------------------------- its own standings

    def compare(self) -> Comparison:
        """Compare the points of the players.

        In a Swiss they are our scores. Elsewhere they are none of ours, and have to be the sum of
        the rounds as they were read.
        """
        if not self.is_proof:
            return Comparison.of(disagreeing(self.report))
        here = Standings(self.of, self.ids)
        last = min(self.report.rounds(), self.of.now.last_round)
        compared: list[Message | None] = []
        gaps = []
        for player in self.report.players:
            if player.points is not None:
                compared.append(self._differs(player, player.points, last, here))
            elif self._first_round(player) <= last:
                gaps.append(figures.lacks(here.called(player.number), [last]))
        return Comparison.of(compared, gaps)

    def _differs(
        self, player: Player, points: int, last: int, here: Standings
    ) -> Message | None:
        """Compare the points of a player with our score; an open game may be in them as a draw."""
        if self._first_round(player) > last and not points:
            return None  # they are in no list yet
        tenths = USUAL | self.report.tenths
        draw = tenths.get("X", tenths["WD"])
        open_games = sum(
            cell.opponent > 0 and cell.result == " " for cell in player.rounds
        )
        for games in reversed(range(open_games + 1)):
            there = Fraction(points - games * draw, 10)
            figure = Figure(last, player.number, "score", there)
            if here.has(figure):
                return None
        return player.wrong(here.other(figure)).message


def _stored(player: Player, twice: Container[int | None]) -> Player:
    """A player as the tables have them. twice: FIDE numbers that say nothing."""
    number = None if player.fide_id in twice else player.fide_id
    title = SHORTENED.get(player.title.lower(), player.title)
    born = parsing.born(player.born) or ""
    return replace(
        player, name=spelling.tidy(player.name), title=title, born=born, fide_id=number
    )


def _known(conn: sqlite3.Connection, players: Iterable[Player]) -> dict[int, int]:
    """player.id by start number, of those whom the file knows.

    Raises KeizerError, with the number of the line, where several can be meant.
    """
    on_file, ids = members(conn, None), dict[int, int]()
    for way in _WAYS:
        by_key, taken = defaultdict(set), dict[Entry, Player]()
        settled = {*ids.values()}
        for member in on_file:
            for key in () if member.id in settled else way(member):
                by_key[key].add(member)
        for player in players:
            entry = Entry(player.name, fide_id=player.fide_id, born=player.born)
            same = {
                member
                for key in (() if player.number in ids else way(player))
                for member in by_key.get(key, ())
                if way is _WAYS[0] or not differ(member, entry)
            }
            if len(same) > 1:
                raise player.wrong(
                    "the file has {number} players named {name}: rename one first.",
                    number=len(same),
                    name=player.name,
                )
            for member in same:
                if taken.setdefault(member, player) is not player:
                    raise player.wrong(
                        "“{first}” and “{second}” can both be {name}, whom the file knows: give"
                        " them FIDE numbers or rename one first.",
                        first=taken[member].name, second=player.name, name=member.name,
                    )  # fmt: skip
        ids |= {player.number: member.id for member, player in taken.items()}
    return ids
