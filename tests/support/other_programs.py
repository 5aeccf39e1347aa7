"""Files as other programs write them, made without those programs.

The tables are those of KeizerForClubs (.s3db), of the original SQLite Keizer project
(keizer.db) and of Sharly Chess (.sce), as far as an import reads them.
"""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from bench import original
from tests.support.files import Keizer, run_keizer


def table(keizer: Keizer, db: Path) -> list[tuple[object, ...]]:
    """Return rank, name, value and score of the standings."""
    standings = keizer("standings", db, "--json").stdout
    rows: list[tuple[object, ...]] = []
    for row in json.loads(standings):
        score = round(row["score"], 6)
        rows.append((row["rank"], row["name"], row["value"], score))
    return rows


def import_sound(db: Path, file: Path, *options: str) -> tuple[str, str]:
    """Import a file into a season that is sound afterwards; return output and notes."""
    result = run_keizer("import", db, file, *options)
    assert "is sound" in run_keizer("check", db).stdout
    return result.stdout, result.stderr


def note_all_same(figures: int) -> str:
    """Return the note that all figures of a file's own standings are the same here."""
    return (
        f"Note: all {figures} figures of the file’s own standings are the same here.\n"
    )


def note_compared(figures: int, rounds: str = "") -> str:
    """Return the note that these figures are the same here.

    rounds: those after which the file has no standings, in words.
    """
    standings = "of the file’s own standings"
    if figures == 1:
        sentence = f"one figure {standings} was compared, and is the same here"
    else:
        sentence = f"{figures} figures {standings} were compared, and are the same here"
    note = f"Note: {sentence}.\n"
    if rounds:
        note += f"Note: the file has no standings after {rounds}.\n"
    return note


def refuse_import(db: Path, file: Path, *options: str) -> str:
    """Return the sentence that refuses an import, which has changed nothing."""
    before = db.read_bytes()
    message = run_keizer("import", db, file, *options, fails=True).stderr
    assert db.read_bytes() == before
    return message.removeprefix("Error: ").removesuffix("\n")


S3DB = """
CREATE TABLE Player (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(30) NOT NULL,
  rating INTEGER(4) NOT NULL, rank INTEGER(3) NOT NULL DEFAULT 99, state INTEGER(2),
  Keizer_StartPts FLOAT, Keizer_SumPts FLOAT, RatingWDelta INTEGER NOT NULL DEFAULT 0,
  Keizer_PrevPts FLOAT, Categories TEXT);
CREATE TABLE Pairing (Rnd INTEGER NOT NULL, board INTEGER NOT NULL,
  PID_W INTEGER NOT NULL, PID_B INTEGER NOT NULL, Result INTEGER(2),
  Pts_W FLOAT, Pts_B FLOAT);
CREATE TABLE ConfigTab (CfgKey VARCHAR(20) NOT NULL PRIMARY KEY, CfgText VARCHAR(5),
  CfgValue FLOAT);
"""


def s3db(
    path: Path,
    players: Sequence[tuple[Any, ...]],
    pairings: Sequence[tuple[int, int, int, int, int | None]],
    **settings: float | str,
) -> Path:
    """Write a tournament file of KeizerForClubs.

    Args:
        path: The file, which is new.
        players: Name and rating; then state and categories, which may be left out.
        pairings: Rows of Pairing: round, board, White, Black, code of the result.
        settings: OPTION_DistBye=1 is OPTION.DistBye in ConfigTab.
    """
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.executescript(S3DB)
        usual = (1, None)  # state and categories
        conn.executemany(
            "INSERT INTO Player (name, rating, state, Categories) VALUES (?, ?, ?, ?)",
            [(*player, *usual[len(player) - 2 :]) for player in players],
        )
        conn.executemany(
            "INSERT INTO Pairing VALUES (?, ?, ?, ?, ?, NULL, NULL)", pairings
        )
        for key, value in settings.items():
            is_text = isinstance(value, str)
            text_and_number = (value, None) if is_text else (None, value)
            row = (key.replace("_", "."), *text_and_number)
            conn.execute("INSERT INTO ConfigTab VALUES (?, ?, ?)", row)
    return path


def store_standings(
    path: Path,
    number: int,
    standings: Sequence[tuple[str, float]],
    *,
    mark: str = ".",
    numbered: bool = True,
) -> None:
    """Store standings in a tournament file as KeizerForClubs does after a round.

    They are a table of lines, and the sums of the players. The points of each pairing
    are then not 0.

    Args:
        path: The tournament file.
        number: Of the round.
        standings: Name and sum of each player, the first first.
        mark: The decimal mark of the language of Windows.
        numbered: Store the numbers of the players, which older versions did not.
    """
    table = f"tStand_{number}"
    with closing(sqlite3.connect(path)) as conn, conn:
        ids = dict(conn.execute("SELECT name, id FROM Player"))
        rows = [["", "Name", "Keizer-Punkte", "Spiel-Punkte", "Id"]]
        for rank, (name, total) in enumerate(standings, 1):
            points = f"{total:.2f}".replace(".", mark)
            rows.append([f"{rank}.", name, points, "1", str(ids[name])])
        lines = ["Test", f"Stand Runde {number}", ""]
        lines += ["§".join(cells if numbered else cells[:-1]) for cells in rows]
        conn.execute(
            f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, line TEXT NOT NULL)"
        )
        conn.executemany(
            f"INSERT INTO {table} (line) VALUES (?)", [(line,) for line in lines]
        )
        sums = [(total, name) for name, total in standings]
        conn.executemany("UPDATE Player SET Keizer_SumPts = ? WHERE name = ?", sums)
        conn.execute("UPDATE Pairing SET Pts_W = 1.0 WHERE Rnd <= ?", (number,))


ORIGINAL = Path(original.__file__).with_name("original.sql").read_text(encoding="utf-8")


class Original:
    """A keizer.db of the original project.

    Its own update hands out the values, with its faults.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.conn = sqlite3.connect(path, isolation_level=None)
        self.conn.executescript(ORIGINAL)

    def tournament(self, name: str, names: Sequence[str], number: int = 1) -> None:
        """Add a tournament of players who exist, in the order of their first list."""
        self.conn.execute("INSERT INTO tournament VALUES (?, 0)", (name,))
        for place, player in enumerate(names):
            (rowid,) = self.conn.execute(
                "SELECT rowid FROM player WHERE name = ?", (player,)
            ).fetchone()
            self.conn.execute(
                "INSERT INTO x_player_tournament VALUES (?, ?, 0, 0)", (rowid, number)
            )
            self.conn.execute(
                "INSERT INTO ranking VALUES (?, ?, 1, ?)", (number, rowid, 50 - place)
            )

    def game(
        self, number: int, white: str, black: str, result: str | None, board: int = 1
    ) -> None:
        self.conn.execute(
            "INSERT INTO round SELECT ?, ?, w.rowid, b.rowid, ?, '2015-01-02 20:00:00'"
            " FROM player AS w, player AS b WHERE w.name = ? AND b.name = ?",
            (number, board, result, white, black),
        )

    def update(self, number: int) -> None:
        """Hand out the values of the next round: 51 less the place by value and games.

        Games of every tournament count, whoever has no game is last, and of results
        only three spellings are known.
        """
        self.conn.execute(
            "INSERT INTO ranking SELECT 1, player_id, round_number + 1,"
            " 51 - ROW_NUMBER() OVER (ORDER BY total DESC)"
            " FROM (SELECT own.*, own.score + ("
            "  SELECT sum(CASE"
            "    WHEN g.result = '½-½' THEN other.score / 2.0"
            "    WHEN (g.result = '1-0' AND g.white = own.player_id)"
            "      OR (g.result = '0-1' AND g.black = own.player_id) THEN other.score"
            "    ELSE 0 END)"
            "  FROM round AS g"
            "  JOIN ranking AS other ON other.round_number = own.round_number"
            "    AND other.player_id IN (g.white, g.black)"
            "    AND other.player_id <> own.player_id"
            "  WHERE own.player_id IN (g.white, g.black)"
            "    AND g.round_number <= own.round_number"
            " ) AS total FROM ranking AS own"
            " WHERE tournament_id = 1 AND round_number = ?)",
            (number,),
        )

    def close(self) -> Path:
        self.conn.close()
        return self.path


SCE = """
CREATE TABLE info (name TEXT NOT NULL DEFAULT '?',
  federation TEXT NOT NULL DEFAULT 'NON',
  event_type TEXT NOT NULL DEFAULT 'INDIVIDUAL',
  player_rating_type INTEGER NOT NULL DEFAULT 3);
CREATE TABLE tournament (id INTEGER NOT NULL, name TEXT NOT NULL UNIQUE,
  rounds INTEGER NOT NULL DEFAULT 1, rating INTEGER NOT NULL DEFAULT 1,
  player_rating_type INTEGER, override_unrated_rapid_blitz INTEGER, pairing TEXT,
  pairing_settings TEXT, current_round INTEGER, round_datetimes TEXT,
  PRIMARY KEY (id AUTOINCREMENT));
CREATE TABLE player (id INTEGER NOT NULL, last_name TEXT NOT NULL, first_name TEXT,
  date_of_birth TEXT, year_of_birth INTEGER, gender TEXT, title TEXT,
  women_title TEXT NOT NULL DEFAULT '', ratings TEXT NOT NULL, fide_id INTEGER,
  federation TEXT, club TEXT, check_in INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (id AUTOINCREMENT));
CREATE TABLE tournament_player (tournament_id INTEGER NOT NULL,
  player_id INTEGER NOT NULL, pairing_number INTEGER, manual_tiebreak INTEGER,
  PRIMARY KEY (tournament_id, player_id));
CREATE TABLE board (id INTEGER NOT NULL, white_player_id INTEGER,
  black_player_id INTEGER, "index" INTEGER NOT NULL, last_result_update FLOAT, team_board_id INTEGER,
  fixed_number INTEGER, PRIMARY KEY (id AUTOINCREMENT));
CREATE TABLE pairing (tournament_id INTEGER NOT NULL, player_id INTEGER NOT NULL,
  round INTEGER NOT NULL, result INTEGER NOT NULL, board_id INTEGER,
  illegal_moves INTEGER NOT NULL DEFAULT 0, effective_points REAL,
  PRIMARY KEY (tournament_id, player_id, round));
INSERT INTO info (name) VALUES ('Event');
"""


def sce(
    path: Path,
    players: Sequence[dict[str, Any]],
    played: Sequence[Sequence[tuple[int, int | None, int, int | None]]],
    **tournament: Any,
) -> Path:
    """Write an event of Sharly Chess.

    Args:
        path: The file, which is new.
        players: By their columns, numbered from 1.
        played: Of each round the boards: White, Black, code of White, code of Black; of
            a player without a game: the player, None, code, None.
        tournament: Columns; settings and dates become JSON, as they are stored.
    """
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.executescript(SCE)
        columns = {"name": "Club", "pairing": "KEIZER_STANDARD", "rounds": len(played)}
        columns |= tournament
        tournament_id = _row(conn, "tournament", columns)
        for person in players:
            columns = {"last_name": "Somebody", "ratings": {}, **person}
            player = _row(conn, "player", columns)
            entry = {"tournament_id": tournament_id, "player_id": player}
            _row(conn, "tournament_player", entry)
        for number, pairings in enumerate(played, 1):
            for index, (white, black, white_code, black_code) in enumerate(pairings):
                board = None
                if black or white_code in (9, 14):
                    board = _row(
                        conn,
                        "board",
                        {
                            "white_player_id": white,
                            "black_player_id": black,
                            "index": index,
                        },
                    )
                for player_id, code in ((white, white_code), (black, black_code)):
                    if player_id and code is not None:
                        _row(
                            conn,
                            "pairing",
                            {
                                "tournament_id": tournament_id,
                                "player_id": player_id,
                                "round": number,
                                "result": code,
                                "board_id": board,
                            },
                        )
    return path


def _row(conn: sqlite3.Connection, table: str, columns: dict[str, Any]) -> int:
    """Write a row, objects as JSON; return its rowid."""
    names = ", ".join(f'"{name}"' for name in columns)
    marks = ", ".join("?" * len(columns))
    cells = [
        json.dumps(cell) if isinstance(cell, dict) else cell
        for cell in columns.values()
    ]
    cursor = conn.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", cells)
    return int(cursor.lastrowid or 0)
