"""Players, games and unplayed rounds from CSV or JSON: all rows of a file, or none.

The first line of CSV names the columns, in any order; `;`, `,` or tab separates. JSON is a
list of objects. UTF-8 with or without a byte order mark. Every error names its line, or in
JSON its row. What keizer exports as members, pairings and unplayed_rounds can be read back.
"""

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from keizer.errors import KeizerError
from keizer.formats import facts as files
from keizer.formats import limits
from keizer.season import meant, names, presence, results, roster, tournaments

_PLAYERS = {"name", "from_round", "start_rank", "absent_as", "last_round", *roster.DETAILS}
_GAMES = {"round", "white", "black", "result", "board"}
_UNPLAYED = {"round", "player", "kind"}

_SHOWN = 20

_SAME = {"first_round": "from_round", "elo": "rating", "round_number": "round"}
_LEFT_OUT = {
    "tournament_id", "player_id", "white_id", "black_id", "status",
}  # fmt: skip
"""Columns of what keizer exports that mean nothing in another file."""

Line = dict[str, str]
Fact = dict[str, str | int | None]


class _Reader:
    """The rows of one file, and which of them is being read."""

    def __init__(self, path: Path, what: str, known: set[str], needed: set[str]) -> None:
        self.data = limits.read(path, limits.SEASON)
        self.path, self.what, self.known, self.needed = path, what, known, needed
        self.number = self.count = 0
        self.unit = "line"

    def __str__(self) -> str:
        return f"{self.path}, {self.unit} {self.number}"

    def lines(self) -> Iterator[Line]:
        """Each line as a dictionary, once it is known that there are not too many."""
        for number, line in list(self._lines()):
            self.number = number
            yield line

    def _lines(self) -> Iterator[tuple[int, Line]]:
        """Each line by the columns of the header, and its number."""
        text = self._text()
        if text.lstrip()[:1] in ("[", "{"):
            self.unit = "row"
            yield from self._objects(text)
            return
        delimiter = files.delimiter(text.split("\n", 1)[0])
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        header: list[str] = []
        self.number = 1
        for row in rows:
            cells = [cell.strip() for cell in row]
            if header and any(cells):
                if len(cells) != len(header):
                    raise KeizerError(f"{len(cells)} columns where the header has {len(header)}.")
                self.count += 1
                limits.check(**{self.what: self.count})
                yield self.number, dict(zip(header, cells, strict=True))
            elif any(cells):
                header = self._header(cells)
            self.number = rows.line_num + 1
        if not header:
            raise KeizerError("the file is empty: its first line has to name the columns.")

    def _objects(self, text: str) -> Iterator[tuple[int, Line]]:
        """Each object of a JSON list, and its number."""
        try:
            found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            self.unit, self.number = "line", getattr(error, "lineno", 1)
            raise KeizerError("this is not JSON, or broken.") from error
        for self.number, row in enumerate(found if isinstance(found, list) else [found], 1):
            if not isinstance(row, dict):
                raise KeizerError("this is no object: the file has to be a list of objects.")
            header = self._header(list(row))
            self.count += 1
            limits.check(**{self.what: self.count})
            cells = [_cell(column, value) for column, value in row.items()]
            yield self.number, dict(zip(header, cells, strict=True))

    def _text(self) -> str:
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.number = self.data[: error.start].count(b"\n") + 1
            raise KeizerError(files.NOT_UTF_8) from error

    def _header(self, cells: list[str]) -> list[str]:
        same = _SAME if "name" in self.known else {**_SAME, "name": "player"}
        header = [same.get(column, column) for column in map(files.plain_heading, cells)]
        columns = [*sorted(self.needed), *sorted(self.known - self.needed)]
        there = f"; the columns are {', '.join(columns)}."
        for column in header:
            if column not in self.known | _LEFT_OUT or header.count(column) > 1:
                raise KeizerError(f"column “{column}” is unknown or there twice{there}")
        for column in sorted(self.needed - set(header)):
            raise KeizerError(f"column “{column}” is missing{there}")
        return header


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are there once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise KeizerError("an object has a key twice.")
    return found


def _no_number(word: str) -> None:
    raise KeizerError(f"{word} is no number.")


def _cell(column: str, value: object) -> str:
    """A value of JSON as CSV has it."""
    if isinstance(value, bool | list | dict):
        raise KeizerError(f"{column} is neither a text nor a number.")
    return "" if value is None else str(value).strip()


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


def players(conn: sqlite3.Connection, tournament: int, path: Path) -> int:
    """Enter the players of a file; how many.

    Columns: name, and if wanted from_round, start_rank, absent_as (the kind of absence of a
    player who is absent by default), last_round (of a withdrawn player) and those of
    roster.DETAILS.
    """
    reader = _Reader(path, "players", _PLAYERS, {"name"})
    with tournaments.suspended(conn, tournament), files.naming(reader):
        for line in reader.lines():
            details: dict[str, roster.Detail] = {
                column: line.get(column) or None for column in roster.DETAILS
            }
            player = roster.enter(
                conn,
                tournament,
                line["name"],
                from_round=_number(line, "from_round"),
                start_rank=_number(line, "start_rank"),
                **details | {column: _number(line, column) for column in ("rating", "fide_id")},
            )
            if line.get("absent_as"):
                presence.by_default(conn, tournament, [player], line["absent_as"])
            if line.get("last_round"):
                roster.leave(conn, tournament, player, _number(line, "last_round"))
    return reader.count


def games(conn: sqlite3.Connection, tournament: int, path: Path) -> int:
    """Write the games of a file; how many.

    Columns: round, white, black, and if wanted result (empty: open) and board.
    """
    entered = roster.players(conn, tournament)
    most = results.match_games(conn, tournament)
    reader = _Reader(path, "games", _GAMES, {"round", "white", "black"})

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
                "white": meant.player(line["white"], entered),
                "black": meant.player(line["black"], entered),
                "result": None if white_wins is not None else result,
                "white_wins": white_wins,
                "black_wins": black_wins,
                "drawn": drawn,
            }

    return _write(conn, tournament, reader, "round", facts())


def unplayed(conn: sqlite3.Connection, tournament: int, path: Path) -> int:
    """Write the unplayed rounds of a file; how many.

    Columns: round, player, kind. A late start moves the player's first round
    behind it.
    """
    entered = roster.players(conn, tournament)
    reader = _Reader(path, "games", _UNPLAYED, _UNPLAYED)

    def facts() -> Iterator[Fact]:
        for line in reader.lines():
            number, player = _needed_round(line), meant.player(line["player"], entered)
            if names.kind(line["kind"]) == "late start":
                roster.start_late(conn, tournament, player, after=number)
                continue
            yield {
                "tournament_id": tournament,
                "round_number": number,
                "player_id": player,
                "kind": roster.check_kind(conn, tournament, line["kind"]),
            }

    return _write(conn, tournament, reader, "unplayed", facts())


def _write(
    conn: sqlite3.Connection, tournament: int, reader: _Reader, table: str, facts: Iterator[Fact]
) -> int:
    """Insert facts one by one, so that what is refused has its line."""
    from sqlite_utils import Database

    with tournaments.suspended(conn, tournament), files.naming(reader):
        Database(conn).table(table).insert_all(facts, batch_size=1)
    return reader.count
