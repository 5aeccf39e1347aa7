"""Files of made-up seasons: as a program writes them, with every trigger of the file."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from bench.seasons import Person, Season
from keizer.formats.trf import Report, text
from keizer.formats.trf.report import BLANK, Cell, Header, Player
from keizer.season.tournaments import suspended
from keizer.store import sql, steps

PUBLISHED = "18:00:00"
"""When the pairing of a round was, on its day."""


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
    ids = [0, *(_person(conn, person) for person in season.players)]
    conn.executemany(
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (?, ?)",
        [(player, tournament) for player in ids[1:]],
    )
    conn.executemany(
        "INSERT INTO schedule (tournament_id, round_number, date, published_at)"
        " VALUES (?, ?, ?, ?)",
        [
            (tournament, number, day, f"{day} {PUBLISHED}")
            for number, day in enumerate(season.dates, 1)
        ],
    )
    conn.executemany(
        "INSERT INTO round (tournament_id, round_number, board, white, black, result,"
        " last_updated) VALUES (?, ?, ?, ?, ?, ?, NULL)",
        [
            (tournament, it.round_number, it.board, ids[it.white], ids[it.black], it.result)
            for it in season.games
        ],
    )
    conn.executemany(
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (?, ?, ?, ?)",
        [(tournament, it.round_number, ids[it.player], it.kind) for it in season.unplayed],
    )


def _person(conn: sqlite3.Connection, person: Person) -> int:
    """The id of a player whom the file may know from another season, by his name."""
    found = conn.execute("SELECT id FROM player WHERE name = ?", (person.name,)).fetchone()
    if found:
        conn.execute("UPDATE player SET rating = ? WHERE id = ?", (person.rating, found[0]))
        return int(found[0])
    added = conn.execute("INSERT INTO player (name, rating, fide_id) VALUES (?, ?, ?)", person)
    return int(added.lastrowid or 0)


def report(season: Season, path: Path) -> None:
    """The season as FIDE's tournament report, TRF26, with the dates of its rounds."""
    rounds = [[BLANK] * len(season.dates) for _ in season.players]
    points = [0] * len(season.players)
    won = {"1-0": ("1", "0", 10), "½-½": ("=", "=", 5), "0-1": ("0", "1", 0)}
    for game in season.games:
        white, black, tenths = won[game.result]
        rounds[game.white - 1][game.round_number - 1] = Cell(game.black, "w", white)
        rounds[game.black - 1][game.round_number - 1] = Cell(game.white, "b", black)
        points[game.white - 1] += tenths
        points[game.black - 1] += 10 - tenths
    for it in season.unplayed:
        bye = it.kind == "bye"
        rounds[it.player - 1][it.round_number - 1] = Cell(result="U" if bye else "Z")
        points[it.player - 1] += 10 * bye
    players = tuple(
        Player(number, person.name, tenths, rating=person.rating, fide_id=person.fide_id,
               rounds=tuple(cells))
        for number, (person, tenths, cells) in enumerate(
            zip(season.players, points, rounds, strict=True), 1)
    )  # fmt: skip
    dates = tuple(day[2:].replace("-", "/") for day in season.dates)
    made = Report(header=(Header("012", season.name),), dates=dates, players=players)
    path.write_text(text(made), encoding="utf-8")


def save(conn: sqlite3.Connection, path: Path) -> None:
    """Put a file in memory where there is none."""
    with closing(sqlite3.connect(path)) as there:
        conn.backup(there)
