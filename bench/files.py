"""Files of made-up seasons: as a program writes them, with every trigger of the file."""

import sqlite3
from typing import Any

from bench.seasons import Season
from keizer.season.tournaments import suspended
from keizer.store import sql, steps


def empty(engine: Any = sqlite3) -> sqlite3.Connection:
    """A new file in memory. engine: sqlite3 or a module like it."""
    conn: sqlite3.Connection = engine.connect(":memory:", isolation_level=None)
    conn.executescript(f"BEGIN; {sql.script()} COMMIT;")
    return conn


def of(season: Season, engine: Any = sqlite3) -> sqlite3.Connection:
    """A file in memory that has this season as its tournament 1."""
    conn = empty(engine)
    add(conn, season)
    return conn


def add(conn: sqlite3.Connection, season: Season) -> int:
    """Write a season, with its tables, as one command does; the id of the tournament."""
    conn.execute("BEGIN")
    steps.begin(conn)
    added = conn.execute("INSERT INTO tournament (description) VALUES (?)", (season.name,))
    tournament = int(added.lastrowid or 0)
    with suspended(conn, tournament):
        _write(conn, tournament, season)
    steps.describe(conn, season.name)
    steps.record(conn, undoable=False)
    conn.execute("COMMIT")
    return tournament


def _write(conn: sqlite3.Connection, tournament: int, season: Season) -> None:
    member = "INSERT INTO player (name, rating) VALUES (?, ?)"
    ids = [0, *(int(conn.execute(member, it).lastrowid or 0) for it in season.players)]
    conn.executemany(
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (?, ?)",
        [(player, tournament) for player in ids[1:]],
    )
    conn.executemany(
        "INSERT INTO round (tournament_id, round_number, board, white, black, result)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [
            (tournament, it.round_number, it.board, ids[it.white], ids[it.black], it.result)
            for it in season.games
        ],
    )
    conn.executemany(
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (?, ?, ?, ?)",
        [(tournament, it.round_number, ids[it.player], it.kind) for it in season.unplayed],
    )
