"""A tournament of a Keizer file as a tournament report file."""

from collections.abc import Iterator
from typing import Any

from keizer.errors import KeizerError
from keizer.formats.trf import checking, columns
from keizer.formats.trf.columns import PLAYER, laid, points, repeated
from keizer.formats.trf.reading import parse
from keizer.formats.trf.report import BLANK, TRF16, Cell, Edition, Player
from keizer.season import names
from keizer.season.queries import Tournament

_USUAL = {"W": 10, "D": 5, "L": 0, "P": 10}
_KINDS = {"win": "W", "draw": "D", "loss": "L", "bye": "P"}
_MOST_POINTS = 999
_ROOM = PLAYER["name"].last - PLAYER["name"].first + 1
_TENTH = 600_000  # units


def export(tournament: Tournament, *, edition: Edition = 2026) -> str:
    """The tournament as TRF16 or TRF26, as far as these can say it."""
    written = "".join(f"{line}\n" for line in _Export(tournament).lines(edition))
    try:
        parse(written.encode())
    except KeizerError as error:
        raise KeizerError("a TRF cannot say this: {said}", said=error.said) from error
    return written


class _Export:
    """A tournament to be exported; last: its last round."""

    def __init__(self, tournament: Tournament) -> None:
        self.of, self.last = tournament, tournament.now.last_round

    def rows(self, columns: str, source: str, order: str = "1") -> list[tuple[Any, ...]]:
        """What a table, a view or a join has of the tournament."""
        query = f"SELECT {columns} FROM {source} WHERE tournament_id = ? ORDER BY {order}"
        return [*map(tuple, self.of.conn.execute(query, (self.of.id,)))]

    def lines(self, edition: Edition) -> list[str]:
        """The lines of a report of this edition."""
        symbols, dates = self.symbols(), self.dates()
        players, coming, days = self.players()
        ((planned, system),) = self.rows("rounds, system", "rules")
        if not planned or planned < self.last:  # those there are, and one to pair
            following = self.last + (not self.of.now.is_finished)
            planned = max(1, following, len(dates), *coming)
        begun = any(cell.opponent for player in players for cell in player.rounds)
        first = system == "swiss" or not begun  # odd numbers have White in round 1
        lines = [
            f"{code} {_printable(str(said))}".rstrip(" ")
            for code, said in self.rows("code, said", "z_report_head")
            if said is not None
        ]
        new = [f"142 {planned}", *["152 W"][:first], "182 keizer"]
        if symbols:
            said = [symbol + points(worth).rjust(4) for symbol, worth in symbols.items()]
            new.append(repeated("162", columns.SYMBOLS, said))
        if edition != TRF16:
            lines += new
        if dates:
            lines.append(repeated("132", columns.DATES, [day[2:] for day in dates]).rstrip(" "))
        tenths = {each: symbols[short] for short in symbols for each in checking.SHORT[short]}
        for player in players:
            scored = points(min(checking.sums(player, self.last, tenths)))
            line = laid("001", PLAYER, vars(player) | {"points": scored})
            lines.append(repeated(line, columns.ROUNDS, map(_cell, player.rounds)).rstrip(" "))
        if edition == TRF16:
            return [*lines, *_extensions(planned, symbols, first=first), *days]
        for number, away in coming.items():
            line = laid("240", columns.BYES, {"kind": "Z", "round": f"{number:03}"})
            lines.append(repeated(line, columns.BYE_PLAYERS, [f"{each:04}" for each in away]))
        return [*lines, *days]

    def players(self) -> tuple[list[Player], dict[int, list[int]], list[str]]:
        """Everybody's line, by start number, without points; and what has lines of its own.

        That is who is away from rounds to come, and remarks on games on other days than their
        rounds. A game without a result leaves the round blank.
        """
        there = self.rows("*", "z_report", "number")
        numbers = {row[1]: row[2] for row in there}
        cells = {number: [BLANK] * self.last for number in numbers.values()}
        byes, coming, days = dict[int, int](), dict[int, list[int]](), list[str]()
        for _, number, one, two, signs, _, day in sorted(
            self.rows("*", "z_report_round", "board"),
            key=lambda row: (row[1], 0 if row[3] else numbers[row[2]]),
        ):
            player, opponent = numbers[one], numbers.get(two, 0)
            if number > self.last:
                coming.setdefault(number, []).append(player)
            elif opponent:
                cells[player][number - 1] = Cell(opponent, "w", signs[0])
                cells[opponent][number - 1] = Cell(player, "b", signs[1])
                if day:
                    days.append(f"### Round {number}, {player} - {opponent}: played on {day}")
            else:  # a round has one bye that was allocated
                again = signs == "U" and byes.setdefault(number, player) != player
                cells[player][number - 1] = Cell(result="Z" if again else signs)
        players = []
        for _, _, number, name, *details in there:
            told: list[Any] = [*details, tuple(cells[number])]
            players.append(Player(number, _printable(name)[:_ROOM].strip(), 0, *told))
        return players, coming, days

    def dates(self) -> list[str]:
        """Of each round, YYYY/MM/DD; an empty text where there is none."""
        there = self.rows("round_number, replace(date, '-', '/')", "schedule")
        dated = {number: day for number, day in there if day}
        return [dated.get(number, "") for number in range(1, max(dated, default=0) + 1)]

    def symbols(self) -> dict[str, int]:
        """The points of games and of the bye in tenths, where they are not the usual ones."""
        awarded = _USUAL | {
            _KINDS[kind]: units // _TENTH
            for kind, units in self.rows("kind, points_units", "scoring")
            if kind in _KINDS and not units % _TENTH and units <= _MOST_POINTS * _TENTH
        }
        return awarded if awarded != _USUAL else {}


def _cell(cell: Cell) -> str:
    return "" if cell == BLANK else f"{cell.opponent or '0000':>4} {cell.colour} {cell.result}"


def _printable(said: str) -> str:
    """A text as a line of the format can have it."""
    return names.tidy("".join(letter if letter.isprintable() else " " for letter in said))


def _extensions(planned: int, symbols: dict[str, int], *, first: bool) -> Iterator[str]:
    """What TRF16 lacks: lines of JaVaFo, and those of bbpPairings for points."""
    yield f"XXR {planned}"
    yield from ["XXC white1"][:first]
    if symbols:
        codes = {"W": ["W"], "D": ["D"], "L": ["WL", "BL"], "P": ["PAB"]}
        said = [f"{code}={points(worth)}" for key, worth in symbols.items() for code in codes[key]]
        yield f"XXS {' '.join(said)}"
    for symbol, worth in symbols.items():
        yield f"BB{'U' if symbol == 'P' else symbol} {points(worth):>4}"
