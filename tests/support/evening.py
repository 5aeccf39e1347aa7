"""One evening of 24 members by each way to keizer, and the facts that have to be equal.

`typed` runs it as commands, `by_program` through a web API and `by_module` from Python.
Each names the acts of the evening in its own words, one after the other. `facts` reads
the tables with sqlite3 alone, without keizer, so that files can be compared.
"""

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
DUTY = MEMBERS[5]
"""Plays for the club elsewhere."""
LATE = MEMBERS[6]
"""Is absent, and comes after the first pairing."""
HOME = MEMBERS[7]
"""Goes home after the second."""
RESULTS = ["1-0", "½-½", "0-1", "1-0", "1-0", "½-½", "0-1", "0-1", "1-0"]
TABLES = (
    "player", "tournament", "x_player_tournament", "attendance", "schedule", "round",
    "unplayed", "correction", "reason", "ranking_list", "log", "command",
)  # fmt: skip
TIMES = {"last_updated", "published_at", "changed_at"}
"""Columns with a moment, also in a state on the log."""
NOT_COMPARED = TIMES | {"made_at", "who", "seal"}
"""All that tells a click from a command."""


def new_season(db: Path) -> Path:
    """Write a season of 24 members before the first round.

    It is the file alone, without the snapshot that the import makes.
    """
    db.write_bytes(_new_file())
    return db


@cache
def _new_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder, "club.db")
        run_keizer("init", db, "--name", "Club")
        lines = ["name,rating"]
        for place, name in enumerate(MEMBERS):
            lines.append(f"{name},{2100 - 20 * place}")
        run_keizer("import", db, "-", stdin="\n".join(lines))
        return db.read_bytes()


def facts(db: Path) -> dict[str, list[dict[str, Any]]]:
    """Return every row of the tables, without moments and without who did it."""
    tables = {}
    with closing(sqlite3.connect(db)) as conn:
        conn.row_factory = sqlite3.Row
        for table in TABLES:
            cursor = conn.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3")
            rows = [dict(row) for row in cursor]
            for row in rows:
                for column in NOT_COMPARED:
                    row.pop(column, None)
            tables[table] = rows
    tables["log"] = _changes(tables["log"])
    return tables


def _changes(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each change of the log once.

    A row that only got another moment is on the log again if the second was another.
    """
    changes: list[dict[str, Any]] = []
    for row in log:
        row.pop("id")
        state = json.loads(row["state"] or "{}")
        row["state"] = {name: state[name] for name in state.keys() - TIMES}
        if row not in changes:
            changes.append(row)
    return changes


def by_module(db: Path) -> None:
    """Play the evening from Python.

    There a player without a seat for a moment is a warning.
    """
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
    """Play the evening as a program sends it; do: takes an act and its fields."""
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


def by_commands(db: Path) -> None:
    """Play the evening as commands."""
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
