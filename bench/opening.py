"""A file opened and read once: what its views and triggers cost before anything is asked.

SQLite parses all of them each time a program opens a file.
"""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import Part, figure, in_turn, table
from keizer.store import sql


def opened() -> Part:
    """A new file beside its tables alone, and beside these with the views."""
    with TemporaryDirectory() as name:
        whole, tables, views = (
            Path(name, f"{part}.db") for part in ("whole", "tables", "views")
        )
        with closing(sqlite3.connect(whole)) as conn:
            conn.executescript(sql.script())
            made = dict(conn.execute(_MADE))
            (page,) = conn.execute("PRAGMA page_size").fetchone()
        _make(tables, page, made["table"])
        _make(views, page, made["table"] + made["view"])
        taken = in_turn(partial(_read, path) for path in (tables, views, whole))
    text = table(
        ["opened, and one SELECT", "time"],
        [
            ["its tables and indexes alone", "1.0"],
            ["with its views", figure(taken[1] / taken[0])],
            ["a new file", figure(taken[2] / taken[0])],
        ],
    )
    return Part(text, [])


_MADE = """
SELECT CASE type WHEN 'index' THEN 'table' ELSE type END, group_concat(sql, ';' || char(10)) || ';'
FROM (SELECT * FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid) GROUP BY 1
"""


def _make(path: Path, page: int, script: str) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(f"PRAGMA page_size = {page};\n{script}")


def _read(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("SELECT count(*) FROM player").fetchone()
