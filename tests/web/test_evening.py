"""An evening of 24 members by pressing buttons: the file is that of the commands, row by row."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.face import director, face_of
from tests.support.files import run_keizer
from tests.support.members import NAMES

MEMBERS = NAMES[:24]
ABSENT = MEMBERS[2:5]
DUTY, LATE, HOME = MEMBERS[5], MEMBERS[6], MEMBERS[7]
RESULTS = ["1-0", "½-½", "0-1", "1-0", "1-0", "½-½", "0-1", "0-1", "1-0"]
TABLES = (
    "player", "tournament", "x_player_tournament", "attendance", "schedule", "round", "unplayed",
    "correction", "relaxation", "skipped_opponent", "ranking_list", "log",
)  # fmt: skip
TIMES = {"last_updated", "published_at", "changed_at"}


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """24 members, before the first round."""
    db = tmp_path / "club.db"
    run_keizer("init", db, "--name", "Club")
    for place, name in enumerate(MEMBERS):
        run_keizer("add", db, name, "--rating", 2100 - 20 * place)
    return db


def facts(db: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of the tables, without moments and without who did it.

    A row that only got another moment is on the log once more, if the second was another.
    """
    with closing(sqlite3.connect(db)) as conn:
        conn.row_factory = sqlite3.Row
        found = {}
        for table in (*TABLES, "command"):
            rows = [dict(row) for row in conn.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3")]
            for row in rows:
                for column in TIMES | {"made_at", "who"}:
                    row.pop(column, None)
                if table == "log":
                    row.pop("id")
                    row["state"] = re.sub(rf"({'|'.join(TIMES)})='[^']*'", "", str(row["state"]))
            found[table] = [
                row for place, row in enumerate(rows) if table != "log" or row not in rows[:place]
            ]
        return found


def typed(db: Path) -> None:
    """The evening as commands."""
    for name in ABSENT:
        run_keizer("absent", db, name)
    run_keizer("absent", db, DUTY, "--kind", "club duty")
    run_keizer("absent", db, LATE)
    run_keizer("next-round", db)
    run_keizer("present", db, LATE)
    run_keizer("next-round", db, "--again", "--keep", "all")
    run_keizer("absent", db, HOME)
    run_keizer("next-round", db, "--again", "--keep", "all")
    run_keizer("swap", db, MEMBERS[0], MEMBERS[1])
    run_keizer("publish-round", db)
    for board, result in enumerate(RESULTS, 1):
        run_keizer("result", db, board, result)
    run_keizer("result", db, 2, "1-0")
    run_keizer("undo", db)


def test_an_evening_of_buttons_is_the_evening_of_commands(season: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin.db"
    twin.write_bytes(season.read_bytes())
    typed(twin)
    me = director(face_of(season))
    for name in ABSENT:
        me.press(name)
    me.press(DUTY, kind="club duty")
    assert me.said == [f"{DUTY} is away, club duty."]
    me.press(LATE, kind="excused")
    me.press("Pair round 1")
    assert me.said == ["Round 1 is paired. It is a draft."]
    me.press(LATE)
    assert me.said[-1].startswith(f"The pairing is a draft: {LATE} has no seat now.")
    me.press("Pair anew, keep the other boards")
    me.press(HOME)
    me.press("Pair anew, keep the other boards")
    assert "Proved" not in me.text or "Without a seat" not in me.text
    me.follow(MEMBERS[0])
    me.press(f"Swap with {MEMBERS[1]}")
    assert me.said[0].startswith("Round 1, board")
    me.press("Publish")
    assert me.said == ["Round 1 is published."]
    me.follow("Sheet to print")
    me.go("/results")
    for board, result in enumerate(RESULTS, 1):
        row = f'id="b{board}"'
        assert row in me.page.html
        enter(me, board, result)
    assert "All results are in." in me.text
    enter(me, 2, "1-0")
    assert "(was ½-½)" in me.said[0] and me.said[1].startswith("Who moved: ")
    me.press("↶ Undo")
    assert me.said[0].startswith("Undone: results of round 1: board 2 1-0")
    assert facts(season) == facts(twin)


def enter(me: Any, board: int, result: str) -> None:
    """Press a result of a board."""
    form, button = next(
        (form, one)
        for form, one in me.page.buttons()
        if form.action.endswith("do/result")
        and one.value == result
        and any(field.name == "board" and field.value == str(board) for field in form.fields)
    )
    me.read("POST", "http://localhost/do/result", data=form.sent(button, {}))
