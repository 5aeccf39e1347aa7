"""An evening of 24 members as commands, and what a file then has, to compare it by."""

import json
import sqlite3
import tempfile
import warnings
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from keizer import Season
from tests.support.files import run_keizer
from tests.support.members import NAMES

MEMBERS = NAMES[:24]
ABSENT = MEMBERS[2:5]
DUTY, LATE, HOME = MEMBERS[5], MEMBERS[6], MEMBERS[7]
RESULTS = ["1-0", "½-½", "0-1", "1-0", "1-0", "½-½", "0-1", "0-1", "1-0"]
TABLES = (
    "player", "tournament", "x_player_tournament", "attendance", "schedule", "round", "unplayed",
    "correction", "reason", "ranking_list", "log",
)  # fmt: skip
TIMES = {"last_updated", "published_at", "changed_at"}
"""Moments, and with `who`, `made_at` and the seals all that tells a click from a command."""


def begun(db: Path) -> Path:
    """24 members, before the first round; the file alone, without the snapshot of the import."""
    db.write_bytes(_begun())
    return db


@cache
def _begun() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "club.db")
        run_keizer("init", made, "--name", "Club")
        listed = [f"{name},{2100 - 20 * place}" for place, name in enumerate(MEMBERS)]
        run_keizer("import", made, "-", stdin="\n".join(["name,rating", *listed]))
        return made.read_bytes()


def facts(db: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of the tables, without moments and without who did it.

    A row that only got another moment is on the log once more, if the second was another.
    """
    with closing(sqlite3.connect(db)) as conn:
        conn.row_factory = sqlite3.Row
        found = {}
        for table in (*TABLES, "command"):
            rows = [
                dict(row)
                for row in conn.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3")
            ]
            for row in rows:
                for column in TIMES | {"made_at", "who", "seal"}:
                    row.pop(column, None)
                if table == "log":
                    row.pop("id")
                    state = json.loads(row["state"] or "{}")
                    row["state"] = {name: state[name] for name in state.keys() - TIMES}
            found[table] = [
                row
                for place, row in enumerate(rows)
                if table != "log" or row not in rows[:place]
            ]
        return found


def by_module(db: Path) -> None:
    """The evening from Python, where who has no seat for a moment is a warning."""
    with warnings.catch_warnings(action="ignore"):
        _called(Season(str(db)))


def _called(season: Season) -> None:
    for name in ABSENT:
        season.absent(name)
    season.absent(DUTY, kind="club duty")
    season.absent(LATE)
    season.pair()
    season.present(LATE)
    season.pair(again=True, keep="all")
    season.absent(HOME)
    season.pair(again=True, keep="all")
    season.swap(MEMBERS[0], MEMBERS[1])
    season.publish()
    for board, result in enumerate(RESULTS, 1):
        season.result(board, result)
    season.result(2, "1-0")
    season.undo()


def by_program(do: Callable[..., object]) -> None:
    """The evening as a program sends it; do: gets the name of an act and its fields."""
    for name in ABSENT:
        do("absent", players=name)
    do("absent", players=DUTY, kind="club duty")
    do("absent", players=LATE)
    do("pair")
    do("present", players=LATE)
    do("pair", again="1", keep="all")
    do("absent", players=HOME)
    do("pair", again="1", keep="all")
    do("swap", one=MEMBERS[0], two=MEMBERS[1])
    do("publish")
    for board, result in enumerate(RESULTS, 1):
        do("result", board=str(board), result=result)
    do("result", board="2", result="1-0")
    do("undo")


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
