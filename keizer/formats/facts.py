"""What the readers of other programs' files share: read theirs, write ours.

A whole season goes into a tournament that has neither players nor rounds; the
caller holds the transaction, so it comes in whole or not at all.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.season import names
from keizer.store import connection
from keizer.store.connection import sentence

Tell = Callable[[str], object]
"""Takes a sentence about what could not be carried over as it was."""

Columns = Mapping[str, set[str]]
"""Tables and their columns, in lower case."""

HIGHEST = 4000
"""The highest rating there is."""

_DIGITS = 18  # as many as SQLite has room for

NOT_UTF_8 = "this is not UTF-8 text: save it as such (in Excel as “CSV UTF-8”)."


def silent(_sentence: str) -> None:
    """For those who do not want to hear it."""


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
    if not path.is_file():
        raise KeizerError(f"{path} is not there, or not a file.")
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


def columns(theirs: sqlite3.Connection) -> Columns:
    """The tables of a file and their columns."""
    found: dict[str, set[str]] = {}
    for table, column in theirs.execute(
        "SELECT lower(t.name), lower(c.name) FROM sqlite_master AS t"
        " JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table'"
    ):
        found.setdefault(table, set()).add(column)
    return found


def has(there: Columns, needed: Columns) -> bool:
    """Whether all the tables and columns that are needed are there."""
    return all(wanted <= there.get(table, set()) for table, wanted in needed.items())


@contextmanager
def naming(what: str) -> Iterator[None]:
    """Put what is being written before what is wrong with it."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise KeizerError(f"{what}: {sentence(error)}") from error
    except KeizerError as error:
        raise KeizerError(f"{what}: {error}") from error


def whole(text: str) -> int | None:
    """A whole number as files write it, or None."""
    plain = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
    return int(text) if plain else None


def delimiter(line: str) -> str:
    """What separates the cells of a CSV file, by its first line."""
    return max(";\t,", key=line.count)


def rating(value: object) -> int | None:
    """A number that can be a rating; None for text, for 0 and for anything else."""
    if isinstance(value, int | float) and 0 < value <= HIGHEST and value == int(value):
        return int(value)
    return None


def write_game(
    conn: sqlite3.Connection,
    tournament: int,
    number: object,
    board: int | None,
    white: int,
    black: int,
    result: str | None,
    updated: str | None = None,
) -> None:
    """One game, at the next free board where it has none."""
    conn.execute(
        # The file would give it a board as well, but as a change of its own on the log.
        "INSERT INTO round (tournament_id, round_number, board, white, black, result,"
        " last_updated) VALUES (?1, ?2, COALESCE(?3, 1 + (SELECT COALESCE(max(board), 0)"
        "  FROM round WHERE tournament_id = ?1 AND round_number = ?2)), ?4, ?5, ?6, ?7)",
        (tournament, number, board, white, black, result, updated),
    )


def games(conn: sqlite3.Connection, tournament: int) -> int:
    """How many games a tournament has."""
    found = conn.execute("SELECT count(*) FROM round WHERE tournament_id = ?", (tournament,))
    return int(found.fetchone()[0])


def listed(found: Iterable[str]) -> str:
    """Names in a sentence, ten of them at most."""
    return names.first(list(found), 10)
