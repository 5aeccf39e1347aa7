"""The same schema and views in other engines: libSQL, and rqlite on three nodes.

Whatever a test calls "any client" runs in them too (conftest.py). Here they start from
the script, as anybody would load it, and every row of every table and view is compared.
"""

import random
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from keizer.store import sql
from quality.rqlite import Cluster, UnavailableError
from tests.support.documents import BLOCKS, printed, steps
from tests.support.files import ROOT, needs_program, order_by
from tests.support.refused import MORE, ON_RECORD
from tests.support.seasons import random_season, write
from tests.support.worked_example import CORRECTED, facts

pytestmark = pytest.mark.usefixtures("installed")

Row = tuple[Any, ...]
Ask = Callable[[str], list[Row]]
Engine = Callable[[list[str]], list[Ask]]

CLOCK = {
    ("log", "changed_at"), ("rule_history", "changed_at"),
    ("command", "made_at"), ("round", "last_updated"),
}  # fmt: skip
"""What says when an engine wrote a row, by its own clock."""

EMPTY = {"settling_pass", "settling_value", "revalue", "next_round", "promotions"}
"""What has no rows here: working tables, a procedure, and what this club has none of."""

CORRECTION = "UPDATE round SET result = '0-1' WHERE round_number = 1 AND board = 1"
TOP = "SELECT name, score FROM current_standings ORDER BY rank LIMIT 4"

BESIDES = """
INSERT INTO period (tournament_id, first_round, scores) VALUES (1, 2, 'reset');
INSERT INTO next_round (tournament_id) VALUES (1);
UPDATE player SET category = 'A' WHERE id % 2;
UPDATE rules SET step = 2 WHERE tournament_id = 1;
UPDATE tournament SET revaluation = 'suspended' WHERE id = 2;
"""


class Club(NamedTuple):
    """A file, and every statement that wrote it."""

    conn: sqlite3.Connection
    noted: list[str]


@pytest.fixture(scope="module")
def club() -> Iterator[Club]:
    """Three seasons of a club in a file of its own, written line by line."""
    noted: list[str] = []
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.executescript(sql.script())
        conn.set_trace_callback(noted.append)
        for line in f"{facts()}\n{MORE}{ON_RECORD}{BESIDES}".split(";\n"):
            if line.strip():
                conn.execute(line)
        rng = random.Random(3)
        for first_id, options in ((200, False), (300, True)):
            season = random_season(
                rng,
                players=range(6, 9),
                first_id=first_id,
                most_rounds=6,
                options=options,
            )
            write(conn, season)
        order_by(conn, "points,de,sb,bh-c1,wins")
        conn.execute(
            "UPDATE rules SET recalculation = 'settled' WHERE tournament_id = 3"
        )
        conn.execute(CORRECTION)
        conn.execute("UPDATE command SET made_at = CURRENT_TIMESTAMP")
        conn.set_trace_callback(None)
        # A statement comes again for each of its triggers.
        yield Club(
            conn, [text for text, _ in groupby(noted) if not text.startswith("SELECT")]
        )


def everything(ask: Ask, shape: sqlite3.Connection) -> dict[str, list[Row]]:
    """The rows of all tables and views by name, with types, whatever order they come in.

    shape: a connection that knows their columns. Times are left out.
    """
    names = ask(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
    )
    found = {}
    for (name,) in names:
        columns = [row[1] for row in shape.execute(f"PRAGMA table_xinfo({name})")]
        cells = ", ".join(
            f'typeof("{column}"), "{column}"'
            for column in columns
            if (name, column) not in CLOCK
        )
        found[name] = sorted(
            (_plain(row) for row in ask(f"SELECT {cells} FROM {name}")), key=repr
        )
    return found


def _plain(row: Row) -> Row:
    """JSON has one kind of number; and the log tells when a result was written."""
    return tuple(
        (
            kind,
            float(value)
            if kind == "real"
            else re.sub('"last_updated":"[^"]*"', "", str(value)),
        )
        for kind, value in zip(row[::2], row[1::2], strict=True)
    )


@pytest.fixture
def of_libsql(libsql_library: Any) -> Engine:
    """A file of libSQL's own."""
    connection = libsql_library.connect(":memory:", isolation_level=None)

    def ask(query: str) -> list[Row]:
        return connection.execute(query).fetchall() or []

    def run(statements: list[str]) -> list[Ask]:
        connection.executescript(sql.script())
        for statement in statements:
            connection.execute(statement)
        return [ask]

    return run


@pytest.fixture
def of_rqlite(nodes: Cluster) -> Engine:
    """Three nodes, each asked what it has of its own."""

    def run(statements: list[str]) -> list[Ask]:
        nodes.load(sql.script())
        answers = nodes.nodes[1].run(*statements, whole=True)
        assert [answer for answer in answers if "error" in answer] == []
        nodes.agree()
        return [node.rows for node in nodes.nodes]

    return run


@pytest.mark.parametrize("engine", ["of_libsql", "of_rqlite"])
def test_every_row_of_every_table_and_view_is_the_same(
    engine: str, club: Club, request: pytest.FixtureRequest
) -> None:
    run: Engine = request.getfixturevalue(engine)
    here = everything(lambda query: club.conn.execute(query).fetchall(), club.conn)
    assert {
        name for name, found in here.items() if not name.startswith("z_") and not found
    } == EMPTY
    for ask in run(club.noted):
        assert ask("PRAGMA application_id") == [(sql.APPLICATION_ID,)]
        assert ask("PRAGMA user_version") == [(sql.LAYOUT,)]
        there = everything(ask, club.conn)
        assert there.keys() == here.keys()
        assert {
            name: found for name, found in there.items() if found != here[name]
        } == {}


def test_the_season_goes_on_without_the_leader_and_stops_without_two(
    nodes: Cluster,
) -> None:
    """Of the worked example a result is corrected; the figures are those made by hand."""
    nodes.load(sql.script() + facts())
    gone = nodes.leader()
    assert "error" not in gone.run(CORRECTION)[0]
    gone.kill()
    leader = nodes.leader()
    assert leader is not gone
    assert leader.rows(TOP, "strong") == CORRECTED
    assert "error" not in leader.run("UPDATE player SET rating = 1999 WHERE id = 1")[0]
    nodes.agree()
    (other,) = [node for node in nodes.nodes if node not in (gone, leader)]
    assert other.rows(TOP) == CORRECTED

    leader.kill()
    other.alone()
    with pytest.raises(UnavailableError, match="leader not found"):
        other.run("UPDATE round SET result = NULL")
    with pytest.raises(UnavailableError, match="leader not found"):
        other.rows(TOP, "strong")
    assert other.rows(TOP, "none") == CORRECTED

    nodes.wake()
    for node in nodes.nodes:
        assert node.rows(TOP) == CORRECTED
        assert node.rows("SELECT rating FROM player WHERE id = 1") == [(1999,)]
    assert "error" not in gone.run("UPDATE round SET result = '1-0' WHERE board = 1")[0]


PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")


def test_the_page_shows_what_rqlite_prints(nodes: Cluster, sample: Path) -> None:
    """Where it names three machines, the first leads."""
    needs_program(shutil.which("curl") is not None, "curl")
    sample.rename(sample.with_name("club.db"))
    nodes.wake()
    ordered = sorted(nodes.nodes, key=lambda node: not node.leads())
    there = {
        f"{name}:4001": f"127.0.0.1:{node.http}"
        for name, node in zip(("one", "two", "three"), ordered, strict=True)
    }
    (text,) = [
        text for language, text, _ in BLOCKS.findall(PAGE) if language == "console"
    ]
    for command, shown in steps(text):
        here = re.sub("|".join(there), lambda name: there[name[0]], command)
        assert printed(sample.parent, "sh", "-c", here).removesuffix("\n") == (
            shown.removesuffix("\n")
        )


def test_the_page_shows_what_libsql_prints(libsql_library: Any, sample: Path) -> None:
    assert libsql_library
    sample.rename(sample.with_name("club.db"))
    ((text, output),) = [
        (text, output)
        for language, text, output in BLOCKS.findall(PAGE)
        if language == "python"
    ]
    assert printed(sample.parent, sys.executable, "-c", text) == output
