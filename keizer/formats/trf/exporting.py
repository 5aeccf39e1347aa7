"""A tournament of a Keizer file as a tournament report file."""

from collections.abc import Iterator
from typing import Any

from keizer.errors import KeizerError
from keizer.formats.trf import checking, columns
from keizer.formats.trf.columns import FORMAT, PLAYER, laid, points, repeated
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
    """A tournament to be exported; `last` is its last round, `days` remarks on those of games."""

    def __init__(self, tournament: Tournament) -> None:
        self.of, self.conn, self.tournament = tournament, tournament.conn, tournament.id
        self.last, self.days = tournament.now.last_round, list[str]()

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """The answer to a question about :tournament."""
        return [*map(tuple, self.conn.execute(question, {"tournament": self.tournament}))]

    def lines(self, edition: Edition) -> list[str]:
        """The lines of a report of this edition."""
        symbols, dates = self.symbols(), self.dates()
        players, coming = self.players()
        rules = "SELECT rounds, system FROM rules WHERE tournament_id = :tournament"
        ((planned, system),) = self.rows(rules)
        if not planned or planned < self.last:  # those there are, and one to pair
            following = self.last + (not self.of.now.is_finished)
            planned = max(1, following, len(dates), *coming)
        begun = any(cell.opponent for player in players for cell in player.rounds)
        first = system == "swiss" or not begun  # odd numbers have White in round 1
        lines = self.header(players, dates)
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
            return [*lines, *_extensions(planned, symbols, first=first), *self.days]
        for number, away in coming.items():
            line = laid("240", columns.BYES, {"kind": "Z", "round": f"{number:03}"})
            lines.append(repeated(line, columns.BYE_PLAYERS, [f"{each:04}" for each in away]))
        return [*lines, *self.days]

    def players(self) -> tuple[list[Player], dict[int, list[int]]]:
        """Everybody's line, by start number, without points; and absences of rounds to come."""
        lines = "SELECT * FROM z_report WHERE tournament_id = :tournament ORDER BY number"
        there, players = self.rows(lines), list[Player]()
        cells, coming = self.rounds({row[1]: row[2] for row in there})
        for _, _, number, name, *details in there:
            told: list[Any] = [*details, tuple(cells[number])]
            players.append(Player(number, _printable(name)[:_ROOM].strip(), 0, *told))
        return players, coming

    def rounds(self, numbers: dict[int, int]) -> tuple[dict[int, list[Cell]], dict[int, list[int]]]:
        """The rounds of each player, and who is away from rounds to come.

        numbers: start numbers by player.id. A game without a result leaves the round blank.
        """
        cells = {number: [BLANK] * self.last for number in numbers.values()}
        byes, coming = dict[int, int](), dict[int, list[int]]()
        found = self.rows("SELECT * FROM z_report_round WHERE tournament_id = :tournament")
        for number, player, opponent, colour, result in sorted(
            (row[1], numbers[row[2]], numbers.get(row[3], 0), *row[4:]) for row in found
        ):
            if number > self.last:
                coming.setdefault(number, []).append(player)
            elif result == "U" and byes.setdefault(number, player) != player:
                cells[player][number - 1] = Cell(result="Z")  # the round has one already
            else:
                cells[player][number - 1] = Cell(opponent, colour, result)
        for number, white, black, day in self.rows(
            "SELECT round_number, white, black, date FROM round JOIN outcome USING (result)"
            " WHERE tournament_id = :tournament AND date NOT NULL AND white_kind <> 'adjourned'"
        ):
            board = f"{numbers[white]} - {numbers[black]}"
            self.days.append(f"### Round {number}, {board}: played on {day}")
        return cells, coming

    def header(self, players: list[Player], dates: list[str]) -> list[str]:
        """The lines about the tournament that both editions have."""
        said = {"012": "description"} | FORMAT["records"]["tournament"]
        (row,) = self.rows(
            f"SELECT {', '.join(said.values())}, system FROM tournament"
            " JOIN rules ON tournament_id = id WHERE id = :tournament"
        )
        values = dict(zip((*said, "092"), row, strict=True))
        values["092"] = values["092"].capitalize()
        days = sorted(filter(None, dates))
        values |= {"042": days[0], "052": days[-1]} if days else {}
        values |= {"062": len(players), "072": sum(1 for player in players if player.rating)}
        return [
            f"{code} {_printable(str(value))}".rstrip(" ")
            for code, value in sorted(values.items())
            if value is not None
        ]

    def dates(self) -> list[str]:
        """Of each round, YYYY/MM/DD; an empty text where there is none."""
        dated = dict(
            self.rows(
                "SELECT round_number, replace(date, '-', '/') FROM schedule"
                " WHERE tournament_id = :tournament AND date IS NOT NULL"
            )
        )
        return [dated.get(number, "") for number in range(1, max(dated, default=0) + 1)]

    def symbols(self) -> dict[str, int]:
        """The points of games and of the bye in tenths, where they are not the usual ones."""
        scored = self.rows(
            "SELECT kind, points_units FROM scoring WHERE tournament_id = :tournament"
        )
        awarded = _USUAL | {
            _KINDS[kind]: units // _TENTH
            for kind, units in scored
            if kind in _KINDS and not units % _TENTH and units <= _MOST_POINTS * _TENTH
        }
        return awarded if awarded != _USUAL else {}


def _cell(cell: Cell) -> str:
    if cell == BLANK:
        return ""
    return laid("", columns.CELL, cell._asdict() | {"opponent": cell.opponent or "0000"})


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
