"""What the columns of the public views are declared as, for clients that ask before they read."""

import random
import sqlite3
from contextlib import closing

import pysqlite3
import pytest

from keizer.store import sql, tiebreaks
from tests.support.seasons import random_season, write

STORED = {
    "INT": {"integer", "null"},
    "INTEGER": {"integer", "null"},
    "REAL": {"real", "null"},
    "TEXT": {"text", "null"},
    "NUM": {"integer", "real", "text", "null"},
    "NUMERIC": {"integer", "real", "text", "null"},
}
"""The kinds of values that may stand in a column; of an expression SQLite says INT and NUM."""


def declared() -> dict[tuple[str, str], str]:
    """The type of each column of the public views, as a recent SQLite tells it.

    Of an expression those before 3.41 tell none.
    """
    with closing(pysqlite3.connect(":memory:")) as recent:
        recent.executescript(sql.script())
        found = recent.execute(
            "SELECT m.name, c.name, c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
            " WHERE m.type = 'view' AND m.name NOT LIKE 'z!_%' ESCAPE '!' ORDER BY m.name, c.cid"
        ).fetchall()
    return {(view, column): kind for view, column, kind in found}


def test_every_column_of_a_public_view_has_a_type() -> None:
    """INTEGER, REAL or TEXT, in an expression by a CAST; a factor and a unit may be 1/3.

    ORMs and data frames want one kind of values in a column.
    """
    found = declared()
    assert len(found) > 300
    assert [column for column, kind in found.items() if kind not in STORED] == []
    mixed = [column for column, kind in found.items() if kind.startswith("NUM")]
    assert mixed == [("explanation", "factor"), ("explanation", "unit")]


@pytest.mark.seeds
@pytest.mark.parametrize("seed", range(3))
def test_a_value_is_of_the_type_of_its_column(
    conn: sqlite3.Connection, seed: int
) -> None:
    """In the season of a random club under random rules, with categories and two tie-breaks."""
    write(
        conn, random_season(random.Random(seed), players=range(8, 13), options=seed > 0)
    )
    tiebreaks.create_all_triggers(conn)
    conn.execute("UPDATE rules SET tiebreaks = 'points,sb,rating', promoted = 1")
    conn.execute("UPDATE player SET category = CASE WHEN id % 2 THEN 'A' END")
    types = declared()
    wrong = set()
    for view in {view for view, _ in types}:
        columns = [column for name, column in types if name == view]
        kinds = ", ".join(f"typeof({column})" for column in columns)
        for row in conn.execute(f"SELECT {kinds} FROM {view}"):
            wrong |= {
                (view, column, stored)
                for column, stored in zip(columns, row, strict=True)
                if stored not in STORED.get(types[view, column], ())
            }
    assert wrong == set()
