"""Games and unplayed rounds from CSV or JSON: all rows of a file, or none.

The first line of CSV names the columns, in any order; `;`, `,` or tab separates. JSON is a
list of objects. UTF-8 with or without a byte order mark. Every error names its line, or in
JSON its row. What keizer exports as pairings and unplayed_rounds can be read back.
"""

import sqlite3
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from keizer.errors import KeizerError
from keizer.formats import facts as files
from keizer.formats import limits, tables
from keizer.season import meant, names, results, roster, tournaments
from keizer.texts import counted

_GAMES = {"round", "white", "black", "result", "board"}
_UNPLAYED = {"round", "player", "kind"}

_SHOWN = 20

_SAME = {"round_number": "round", "name": "player"}
_LEFT_OUT = {
    "tournament_id", "player_id", "white_id", "black_id", "status",
}  # fmt: skip
"""Columns of what keizer exports that mean nothing in another file."""

Line = dict[str, str]
Fact = dict[str, str | int | None]


class _Reader:
    """The rows of one file, and which of them is being read."""

    def __init__(self, path: Path, known: set[str], needed: set[str]) -> None:
        self.data = limits.read(path, limits.SEASON)
        self.place = tables.Place(path)
        self.known, self.needed = known, needed
        self.count = 0

    def lines(self) -> Iterator[Line]:
        """Each line as a dictionary, once it is known that there are not too many."""
        for number, line in list(self._lines()):
            self.place.number = number
            yield line

    def _lines(self) -> Iterator[tuple[int, Line]]:
        """Each line by the columns of the header, and its number."""
        text = self._text()
        if text.lstrip()[:1] in ("[", "{"):
            for row in tables.objects(text, self.place):
                yield self._line(self._header(list(row)), list(row.values()))
            return
        header: list[str] = []
        separator = files.delimiter(text.split("\n", 1)[0])
        for cells in tables.csv_rows(text, separator, self.place):
            if header and any(cells):
                if len(cells) != len(header):
                    raise KeizerError(
                        f"{counted(len(cells), 'column')} where the header has {len(header)}."
                    )
                yield self._line(header, cells)
            elif any(cells):
                header = self._header(cells)
        if not header:
            raise KeizerError("the file is empty: its first line has to name the columns.")

    def _line(self, header: list[str], cells: list[str]) -> tuple[int, Line]:
        self.count += 1
        limits.check(games=self.count)
        return self.place.number, dict(zip(header, cells, strict=True))

    def _text(self) -> str:
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.place.number = self.data[: error.start].count(b"\n") + 1
            raise KeizerError(files.NOT_UTF_8) from error

    def _header(self, cells: list[str]) -> list[str]:
        header = [_SAME.get(column, column) for column in map(files.plain_heading, cells)]
        columns = [*sorted(self.needed), *sorted(self.known - self.needed)]
        there = f"; the columns are {', '.join(columns)}."
        for column in header:
            if column not in self.known | _LEFT_OUT or header.count(column) > 1:
                raise KeizerError(f"column “{column}” is unknown or there twice{there}")
        for column in sorted(self.needed - set(header)):
            raise KeizerError(f"column “{column}” is missing{there}")
        return header


def _number(line: Line, column: str) -> int | None:
    text = line.get(column, "")
    if not text:
        return None
    number = files.whole(text)
    if number is None:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise KeizerError(f"{column} “{shown}” is not a whole number, or far too large.")
    return number


def _needed_round(line: Line) -> int:
    number = _number({"round": names.round_number(line["round"])}, "round")
    if number not in tournaments.ROUNDS:
        raise KeizerError(f"round “{line['round']}” is not a number from 1 to 999.")
    return int(number or 0)


def _players(conn: sqlite3.Connection, tournament: int) -> Callable[[str], int]:
    """What finds the player meant, each name once."""
    return cache(partial(meant.player, players=roster.players(conn, tournament)))


def games(conn: sqlite3.Connection, tournament: int, path: Path) -> int:
    """Write the games of a file; how many.

    Columns: round, white, black, and if wanted result (empty: open) and board.
    """
    player = _players(conn, tournament)
    most = results.match_games(conn, tournament)
    reader = _Reader(path, _GAMES, {"round", "white", "black"})

    def facts() -> Iterator[Fact]:
        for line in reader.lines():
            typed = line.get("result", "")
            if typed == "bye" and not line["black"]:  # of the pairings; an unplayed round
                continue
            result = names.result(typed, most) if typed else None
            white_wins, black_wins, drawn = names.games_of(result) or (None, None, None)
            yield {
                "tournament_id": tournament,
                "round_number": _needed_round(line),
                "last_updated": None,  # it was written elsewhere
                "board": _number(line, "board"),
                "white": player(line["white"]),
                "black": player(line["black"]),
                "result": None if white_wins is not None else result,
                "white_wins": white_wins,
                "black_wins": black_wins,
                "drawn": drawn,
            }

    return _write(conn, reader, "round", facts())


def unplayed(conn: sqlite3.Connection, tournament: int, path: Path) -> int:
    """Write the unplayed rounds of a file; how many.

    Columns: round, player, kind. A late start moves the player's first round
    behind it.
    """
    player_of = _players(conn, tournament)
    reader = _Reader(path, _UNPLAYED, _UNPLAYED)

    def facts() -> Iterator[Fact]:
        for line in reader.lines():
            number, player = _needed_round(line), player_of(line["player"])
            if names.kind(line["kind"]) == "late start":
                roster.start_late(conn, tournament, player, after=number)
                continue
            yield {
                "tournament_id": tournament,
                "round_number": number,
                "player_id": player,
                "kind": roster.check_kind(conn, tournament, line["kind"]),
            }

    return _write(conn, reader, "unplayed", facts())


def _write(conn: sqlite3.Connection, reader: _Reader, table: str, facts: Iterator[Fact]) -> int:
    """Insert facts one by one, so that what is refused has its line.

    The revaluation is suspended meanwhile.
    """
    from sqlite_utils import Database

    with files.naming(reader.place):
        Database(conn).table(table).insert_all(facts, batch_size=1)
    return reader.count
