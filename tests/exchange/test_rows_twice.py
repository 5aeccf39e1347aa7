"""Tables of other programs whose keys are none: a row that would be lost is refused instead."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.core_page import page
from tests.support.files import edit
from tests.support.other_programs import (
    Original,
    import_sound,
    refuse_import,
    s3db,
    sce,
)

PLAYERS = [("Anna", 1900), ("Boris", 1800)]
ENTERED = "x_player_tournament"


def keizerforclubs(file: Path) -> None:
    s3db(file, PLAYERS, [(1, 1, 1, 2, 1)], BONUS_Excused=33)


def sharlychess(file: Path) -> None:
    sce(file, [{"last_name": name} for name, _ in PLAYERS], [[(1, 2, 3, 1)]])


def core(file: Path) -> None:
    page(file)


def original(file: Path) -> None:
    there = Original(file)
    there.conn.executemany("INSERT INTO player VALUES (?, '', ?)", PLAYERS)
    there.tournament("Club", ["Anna", "Boris"])
    there.game(1, "Anna", "Boris", "1-0")
    there.close()


def without_types(file: Path, table: str) -> None:
    """Make a table one that has neither types nor keys, as a copy of it would be."""
    with closing(sqlite3.connect(file)) as conn:
        columns = [f'"{row[1]}"' for row in conn.execute(f"PRAGMA table_info({table})")]
        triggers = conn.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        views = conn.execute(
            "SELECT name FROM sqlite_master WHERE type = 'view'"
        ).fetchall()
    edit(
        file,
        *(f"DROP TRIGGER {name}" for (name,) in triggers),
        *(f"DROP VIEW {name}" for (name,) in views),
        f"CREATE TABLE copied ({', '.join(columns)})",
        f"INSERT INTO copied SELECT * FROM {table}",
        f"DROP TABLE {table}",
        f"ALTER TABLE copied RENAME TO {table}",
    )


Make = Callable[[Path], None]
AGAIN = "INSERT INTO {0} SELECT * FROM {0} LIMIT 1"


@pytest.mark.each
@pytest.mark.parametrize(("make", "table", "change", "said"), [
    (keizerforclubs, "Player", AGAIN, "id 1 is there twice in table Player."),
    (keizerforclubs, "Player", AGAIN + " OFFSET 0; UPDATE Player SET id = '1' WHERE rowid = 3",
     "id 1 is there twice in table Player."),
    (keizerforclubs, "Player", "UPDATE Player SET id = 1.7 WHERE id = 2",
     "table Player: id “1.7” is not a whole number."),
    (keizerforclubs, "Player", "UPDATE Player SET id = NULL WHERE id = 2",
     "table Player: id “” is not a whole number."),
    (keizerforclubs, "Player", "UPDATE Player SET state = '9x'",
     "table Player: state “9x” is not a whole number."),
    (keizerforclubs, "Pairing", "UPDATE Pairing SET PID_B = '2x'",
     "table Pairing: PID_B “2x” is not a whole number."),
    (keizerforclubs, "Pairing", "UPDATE Pairing SET Rnd = 1.9",
     "table Pairing: Rnd “1.9” is not a whole number."),
    (keizerforclubs, "ConfigTab", AGAIN, "“BONUS.Excused” is there twice in table ConfigTab."),
    (sharlychess, "player", AGAIN, "id 1 is there twice in table player."),
    (sharlychess, "tournament", AGAIN, "id 1 is there twice in table tournament."),
    (sharlychess, "board", AGAIN, "id 1 is there twice in table board."),
    (sharlychess, "pairing", AGAIN, "round 1, player 1 is there twice in table pairing."),
    (sharlychess, "pairing", "UPDATE pairing SET board_id = '1 or 2'",
     "table pairing: board_id “1 or 2” is not a whole number."),
    (core, "player", AGAIN, "id 1 is there twice in table player."),
    (core, "player", "UPDATE player SET id = 'x' WHERE id = 4",
     "table player: id “x” is not a whole number."),
    (core, "tournament", AGAIN, "id 1 is there twice in table tournament."),
    (core, "scoring", "INSERT INTO scoring VALUES ('bye', 6)",
     "“bye” is there twice in table scoring."),
    (original, "round", "UPDATE round SET white = '1x'",
     "table round: white “1x” is not a whole number."),
    (original, ENTERED, f"UPDATE {ENTERED} SET player_id = 1.5",
     f"table {ENTERED}: player_id “1.5” is not a whole number."),
    (original, "player", "ALTER TABLE player ADD COLUMN rowid; UPDATE player SET rowid = 1",
     "rowid 1 is there twice in table player."),
])  # fmt: skip
def test_a_row_that_would_be_lost_is_refused(
    db: Path, file: Path, make: Make, table: str, change: str, said: str
) -> None:
    make(file)
    without_types(file, table)
    edit(file, *change.format(table).split(";"))
    assert refuse_import(db, file).endswith(said)


@pytest.mark.parametrize(("make", "table", "columns"), [
    (keizerforclubs, "Player", ["id"]), (keizerforclubs, "Pairing", ["PID_W", "PID_B"]),
    (original, "round", ["white", "black"]),
])  # fmt: skip
@pytest.mark.parametrize("kind", ["TEXT", "REAL"])
def test_whole_numbers_that_are_stored_otherwise_are_the_same(
    db: Path, file: Path, make: Make, table: str, columns: list[str], kind: str
) -> None:
    make(file)
    without_types(file, table)
    edit(
        file,
        *(f"UPDATE {table} SET {name} = CAST({name} AS {kind})" for name in columns),
    )
    assert import_sound(db, file)[0] == "2 players, 1 round, 1 game imported.\n"
