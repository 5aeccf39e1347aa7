"""What the readers of other programs' files share: read theirs, write ours.

A whole season goes into a tournament that has neither players nor rounds; the
caller holds the transaction, so it comes in whole or not at all.
"""

import csv
import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.season import names, presets, roster, rules, tournaments
from keizer.store import connection
from keizer.store.connection import sentence

Tell = Callable[[str], object]
"""Takes a sentence: what could not be carried over as it was, or what is being done."""

HIGHEST = 4000
"""The highest rating there is."""

_DIGITS = 18  # as many as SQLite has room for

NOT_UTF_8 = "this is not UTF-8 text: save it as such (in Excel as “CSV UTF-8”)."


def decoded(data: bytes) -> str:
    """Text in UTF-8, or else in the Windows-1252 of older programs."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        try:
            return data.decode("cp1252")
        except UnicodeDecodeError as error:
            raise KeizerError(NOT_UTF_8) from error


def silent(_sentence: str) -> None:
    """A `tell` that drops every sentence."""


@contextmanager
def in_stages(conn: sqlite3.Connection, tournament: int, tell: Tell) -> Iterator[None]:
    """Write facts inside; the standings are computed at the end. tell: takes both stages."""
    tell("1 of 2: the file is read")
    with tournaments.suspended(conn, tournament):
        yield
        tell("2 of 2: the standings are computed")


def check_empty(conn: sqlite3.Connection, tournament: int) -> None:
    """Refuse a tournament that has players; without them it has no rounds either."""
    if conn.execute(
        "SELECT 1 FROM x_player_tournament WHERE tournament_id = ?", (tournament,)
    ).fetchone():
        raise KeizerError(
            "a whole season goes into a tournament without players and rounds:"
            " `keizer init DB --name NAME` adds one to the file."
        )


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A SQLite file of another program, to read; its errors are KeizerErrors."""
    if path.stat().st_size > limits.SEASON:
        raise KeizerError(f"{path}: {limits.too_large(limits.SEASON)}")
    try:
        with closing(connection.connect(path, "ro")) as theirs:
            theirs.row_factory = sqlite3.Row
            theirs.text_factory = _decoded
            yield theirs
    except sqlite3.Error as error:
        raise KeizerError(f"{path} cannot be read: {error}.") from error


def _decoded(data: bytes) -> str:
    """Text of a database is UTF-8, but old tools on Windows wrote their own."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def integers(*columns: str) -> str:
    """Columns to select as whole numbers, whatever they were stored as.

    A value that is no number becomes -1, which no player and no round has.
    """
    return ", ".join(f"COALESCE(CAST({column} AS INTEGER), -1) AS {column}" for column in columns)


@contextmanager
def naming(what: object) -> Iterator[None]:
    """Put what is being read or written, as it is by then, before what is wrong with it."""
    try:
        yield
    except csv.Error as error:
        raise KeizerError(f"{what}: {error}.") from error
    except sqlite3.IntegrityError as error:
        raise KeizerError(f"{what}: {sentence(error)}") from error
    except KeizerError as error:
        raise KeizerError(f"{what}: {error}") from error


def whole(text: str) -> int | None:
    """A whole number as files write it, or None."""
    plain = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
    return int(text) if plain else None


def decoded_json(text: str) -> Any:
    """What a text in JSON says; ValueError, or KeizerError, for what is none."""
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)
    if sys.platform == "emscripten":  # where a text that is too deep would end Python
        decoder.scan_once = py_make_scanner(decoder)
    try:
        return decoder.decode(text)
    except RecursionError as error:
        raise ValueError("too deep") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are there once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise KeizerError("an object has a key twice.")
    return found


def _no_number(word: str) -> None:
    raise KeizerError(f"{word} is no number.")


def rating(value: object) -> int | None:
    """A number that can be a rating; None for text, for 0 and for anything else."""
    if isinstance(value, int | float) and 0 < value <= HIGHEST and value == int(value):
        return int(value)
    return None


def born(text: str) -> str | None:
    """A year, or a date with its year first or last; None for anything else."""
    plain = re.sub("[ T]00:00(:00)?$", "", text)
    found = re.fullmatch(r"([0-9]{1,4})([-./]) ?([0-9]{1,2})\2 ?([0-9]{1,4})", plain)
    year, month, day = found.group(1, 3, 4) if found else (plain, "0", "0")
    if found and len(day) == len("2026"):
        year, day = day, year
    if not re.fullmatch("[12][0-9]{3}", year):
        return None
    try:
        birthday = date(int(year), int(month) or 1, int(day) or 1)
    except ValueError:
        return None
    return year if 0 in (int(month), int(day)) else birthday.isoformat()


class Season:
    """A season of another program, and the tournament that it goes into.

    tell: where sentences go about what could not be carried over as it was. ids: player.id
    by what the player is in the file. preset: the rules of that program.
    """

    preset: str
    _read: Callable[[Path], None]
    _settings: Callable[[], list[str]]
    _enter: Callable[[], None]
    _write: Callable[[], None]

    def __init__(self, conn: sqlite3.Connection, tournament: int, tell: Tell = silent) -> None:
        self.conn, self.tournament, self.tell = conn, tournament, tell
        self.ids: dict[int, int] = {}

    def take_over(self, path: Path) -> int:
        """Write a file into the tournament, which is empty; how many players there are.

        The revaluation is suspended meanwhile.
        """
        self._read(path)
        presets.apply(self.conn, self.tournament, self.preset)
        for setting in self._settings():
            try:
                rules.change(self.conn, self.tournament, setting)
            except KeizerError as error:
                self.tell(f"a setting was left out: {error}")
        self._enter()
        self._write()
        return len(self.ids)

    def compare(self) -> None:
        """Tell where the standings that were computed are not those of the file, if it has any."""

    def chosen(self, path: Path, what: str, there: Iterable[sqlite3.Row]) -> int:
        """The id of the tournament meant, of those there are (id, name): of that name, or the one.

        what: how several are called.
        """
        (wanted,) = self.conn.execute(
            "SELECT description FROM tournament WHERE id = ?", (self.tournament,)
        ).fetchone()
        known = {row[0]: str(row[1]) for row in there}
        alike = [one for one, name in known.items() if names.folded(name) == names.folded(wanted)]
        meant = alike if len(alike) == 1 else [*known]
        if len(meant) != 1:
            shown = listed(map(names.quoted, known.values())) or "none"
            raise KeizerError(
                f"{path} does not have exactly one {what} (it has {shown}): give yours the name of"
                " the one to import."
            )
        return int(meant[0])

    def enter(self, player: int, name: str, **details: Any) -> None:
        """Enter a player of the file; details: as of roster.enter."""
        with naming(f"player {player}"):
            self.ids[player] = roster.enter(self.conn, self.tournament, name, **details)

    def check_limits(self, path: Path, players: int, games: int) -> None:
        """Refuse a file with too much."""
        with naming(str(path)):
            limits.check(players=players, games=games)

    def game(
        self,
        number: int,
        white: int,
        black: int,
        result: str | None,
        board: int | None = None,
        updated: str | None = None,
    ) -> None:
        """Write one game, at the next free board where it has none."""
        self.conn.execute(
            # The file would give it a board as well, but as a change of its own on the log.
            "INSERT INTO round (tournament_id, round_number, white, black, result, last_updated,"
            " board) VALUES (?1, ?2, ?3, ?4, ?5, ?6, COALESCE(?7, 1 + (SELECT"
            " COALESCE(max(board), 0) FROM round WHERE tournament_id = ?1 AND round_number = ?2)))",
            (self.tournament, number, self.ids[white], self.ids[black], result, updated, board),
        )

    def leave(self, player: int, last: int) -> None:
        """Withdraw a player after a round; 0: before the first."""
        row = {"tournament_id": self.tournament, "player_id": self.ids[player]}
        roster.update(self.conn, "x_player_tournament", {"last_round": last}, **row)

    def unplayed(self, number: int, player: int, kind: str) -> None:
        """Write a round without a game."""
        self.conn.execute(
            "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
            " VALUES (?, ?, ?, ?)",
            (self.tournament, number, self.ids[player], kind),
        )


def games(conn: sqlite3.Connection, tournament: int) -> int:
    """How many games a tournament has."""
    found = conn.execute("SELECT count(*) FROM round WHERE tournament_id = ?", (tournament,))
    return int(found.fetchone()[0])


def listed(found: Iterable[str]) -> str:
    """Names in a sentence, ten of them at most."""
    return names.first(list(found), 10)
