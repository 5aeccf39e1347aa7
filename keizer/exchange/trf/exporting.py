"""A tournament of a Keizer file as a tournament report file."""

from collections.abc import Iterator
from typing import Any

from keizer import resources
from keizer.errors import KeizerError
from keizer.exchange.trf import report as layout
from keizer.exchange.trf.reading import SHORT, parse, sums
from keizer.exchange.trf.report import (
    BLANK,
    TRF16,
    Cell,
    Edition,
    Player,
    laid,
    points,
    repeated,
)
from keizer.season.names import spelling
from keizer.season.queries import UNITS, Tournament

_USUAL = {"W": 10, "D": 5, "L": 0, "P": 10}
_KINDS = {"win": "W", "draw": "D", "loss": "L", "bye": "P"}
_MOST_POINTS = 999
_ROOM = layout.PLAYER["name"].last - layout.PLAYER["name"].first + 1
_TENTH = UNITS // 10


def export(tournament: Tournament, *, edition: Edition = 2026) -> str:
    """The tournament as TRF16 or TRF26, as far as these can say it."""
    written = "".join(f"{line}\n" for line in _Export(tournament).lines(edition))
    try:
        parse(written.encode())
    except KeizerError as error:
        raise KeizerError(
            "a TRF cannot say this: {said}", said=error.message
        ) from error
    return written


def asked(tournament: Tournament, query: str) -> list[tuple[Any, ...]]:
    """The rows of a statement of queries.sql, about a tournament."""
    found = tournament.conn.execute(
        resources.queries(__file__)[query], {"tournament": tournament.id}
    )
    return [*map(tuple, found)]


class _Export:
    """A tournament to be exported; last: its last round."""

    def __init__(self, tournament: Tournament) -> None:
        self.of, self.last = tournament, tournament.now.last_round

    def rows(self, columns: str, table: str) -> list[tuple[Any, ...]]:
        """What a table has of the tournament."""
        query = f"SELECT {columns} FROM {table} WHERE tournament_id = ? ORDER BY 1"
        return [*map(tuple, self.of.conn.execute(query, (self.of.id,)))]

    def lines(self, edition: Edition) -> list[str]:
        """The lines of a report of this edition."""
        symbols, dates = self.symbols(), self.dates()
        players, coming = self.players()
        ((planned, system),) = self.rows("rounds, system", "rules")
        if not planned or planned < self.last:  # those there are, and one to pair
            following = self.last + (not self.of.now.is_finished)
            planned = max(1, following, len(dates), *coming)
        begun = any(cell.opponent for player in players for cell in player.rounds)
        first = system == "swiss" or not begun  # odd numbers have White in round 1
        lines = [
            f"{code} {_printable(str(said))}".rstrip(" ")
            for code, said in asked(self.of, "head")
            if said is not None
        ]
        new = [f"142 {planned}", *["152 W"][:first], "182 keizer"]
        if symbols:
            said = [
                symbol + points(worth).rjust(4) for symbol, worth in symbols.items()
            ]
            new.append(repeated("162", layout.SYMBOLS, said))
        if edition != TRF16:
            lines += new
        if dates:
            lines.append(
                repeated("132", layout.DATES, [day[2:] for day in dates]).rstrip(" ")
            )
        tenths = {each: symbols[short] for short in symbols for each in SHORT[short]}
        for player in players:
            scored = points(min(sums(player, self.last, tenths)))
            line = laid("001", layout.PLAYER, vars(player) | {"points": scored})
            cells = ("" if cell == BLANK else str(cell) for cell in player.rounds)
            lines.append(repeated(line, layout.CELLS, cells).rstrip(" "))
        if edition == TRF16:
            return [*lines, *_extensions(planned, symbols, first=first)]
        for number, away in coming.items():
            line = laid("240", layout.BYE, {"kind": "Z", "round": f"{number:03}"})
            lines.append(
                repeated(
                    line, layout.BYE_PLAYERS, [f"{each:04}" for each in sorted(away)]
                )
            )
        return lines

    def players(self) -> tuple[list[Player], dict[int, list[int]]]:
        """Everybody's line, by start number, without points; who is away from rounds to come."""
        there = asked(self.of, "players")
        numbers = {row[0]: row[1] for row in there}
        cells = {number: [BLANK] * self.last for number in numbers.values()}
        coming: dict[int, list[int]] = {}
        for round_number, player, opponent, *said in asked(self.of, "rounds"):
            if round_number > self.last:
                coming.setdefault(round_number, []).append(numbers[player])
            else:
                cells[numbers[player]][round_number - 1] = Cell(
                    numbers.get(opponent, 0), *said
                )
        players = []
        for _, number, name, *details in there:
            told: list[Any] = [*details, tuple(cells[number])]
            players.append(Player(number, _printable(name)[:_ROOM].strip(), 0, *told))
        return players, coming

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


def _printable(said: str) -> str:
    """A text as a line of the format can have it."""
    return spelling.tidy(
        "".join(letter if letter.isprintable() else " " for letter in said)
    )


def _extensions(planned: int, symbols: dict[str, int], *, first: bool) -> Iterator[str]:
    """What TRF16 lacks: lines of JaVaFo, and those of bbpPairings for points."""
    yield f"XXR {planned}"
    yield from ["XXC white1"][:first]
    if symbols:
        codes = {"W": ["W"], "D": ["D"], "L": ["WL", "BL"], "P": ["PAB"]}
        said = [
            f"{code}={points(worth)}"
            for key, worth in symbols.items()
            for code in codes[key]
        ]
        yield f"XXS {' '.join(said)}"
    for symbol, worth in symbols.items():
        yield f"BB{'U' if symbol == 'P' else symbol} {points(worth):>4}"
