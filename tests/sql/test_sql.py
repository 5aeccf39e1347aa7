"""The SQL files: the same in every client, documented, and fast by plan."""

import re
import sqlite3
import subprocess
from contextlib import closing
from fractions import Fraction
from operator import attrgetter
from pathlib import Path

import pysqlite3
import pytest

from conformance.seasons import usual_scoring
from keizer.store import describe, sql, tiebreaks
from tests.support.console import Console
from tests.support.files import ROOT, Client, Oldest, public_views

VIEWS = sorted((ROOT / "views").glob("*/*.sql"))


def objects(path: Path) -> list[tuple[str, str, str]]:
    conn = sqlite3.connect(path)
    rows = conn.execute(
        "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    ).fetchall()
    conn.close()
    return rows


def test_the_shell_makes_the_same_file(tmp_path: Path, shell: Client) -> None:
    """As schema.sql says it is loaded."""
    by_shell, by_python = tmp_path / "shell.db", tmp_path / "python.db"
    assert shell(by_shell, ["SELECT 1"]) == ["1"]
    subprocess.run(
        f"cat schema.sql views/*/*.sql | sqlite3 '{by_shell}'",
        shell=True,
        check=True,
        cwd=ROOT,
    )
    conn = sqlite3.connect(by_python)
    conn.executescript(sql.script())
    conn.close()
    assert objects(by_shell) == objects(by_python)
    for pragma, value in (
        ("application_id", sql.APPLICATION_ID),
        ("user_version", sql.LAYOUT),
    ):
        assert shell(by_shell, [f"PRAGMA {pragma}"]) == [str(value)]


def test_schema_is_tables_and_views_are_views_and_triggers() -> None:
    """So a file's code can be dropped and made again without touching a fact."""
    begun = re.compile(r"^[A-Z]+ \w+", re.MULTILINE)
    schema = begun.findall((ROOT / "schema.sql").read_text(encoding="utf-8"))
    assert [text for text in schema if not text.startswith(("CREATE TABLE", "CREATE INDEX",
        "INSERT INTO", "PRAGMA "))] == []  # fmt: skip
    for path in VIEWS:
        text = path.read_text(encoding="utf-8")
        changes = ("CREATE", "INSERT", "UPDATE", "DELETE", "DROP")
        made = {
            statement
            for statement in begun.findall(text)
            if statement.startswith(changes)
        }
        tells = path.parent.name == "tiebreaks" or path.stem == "z_about"
        named = {"INSERT INTO"} if tells else set[str]()
        assert made <= {"CREATE VIEW", "CREATE TRIGGER", *named}, path


@pytest.mark.parametrize(
    "setting",
    ["case_sensitive_like = ON", "recursive_triggers = ON", "reverse_unordered_selects = ON",
        "foreign_keys = ON", "trusted_schema = OFF", "short_column_names = OFF"],
)  # fmt: skip
def test_no_setting_of_a_client_changes_what_the_file_does(
    sample: Path, setting: str
) -> None:
    """As in a file that another program edits with its own settings."""
    correct = "UPDATE round SET result = '0-1' WHERE round_number = 1"
    found = []
    for pragma in ("encoding", setting):
        copy = sample.with_name(f"{pragma.split()[0]}.db")
        copy.write_bytes(sample.read_bytes())
        with closing(sqlite3.connect(copy, isolation_level=None)) as conn:
            conn.execute(f"PRAGMA {pragma}")
            conn.execute(correct)
            tiebreaks.create_all_triggers(conn)
            conn.execute("UPDATE rules SET recalculation = 'settled'")
            found.append(
                conn.execute("SELECT * FROM standings ORDER BY 1, 2, 4, 3").fetchall()
            )
    assert found[0] == found[1]


def test_every_table_and_view_says_what_a_row_is(conn: sqlite3.Connection) -> None:
    """A comment opens each definition, inside it, so that the file keeps it."""
    for item in describe.descriptions(conn):
        assert re.match(r"(A row per|Insert|Read:|The windowed)", item.about), item.name


def test_every_column_has_a_comment(conn: sqlite3.Connection) -> None:
    """On the lines above it, inside the definition."""
    found = describe.descriptions(conn)
    assert len(found) > len(VIEWS) and all(item.columns for item in found)
    assert [
        (item.name, name)
        for item in found
        for name, said in item.columns.items()
        if not said
    ] == []


def test_no_syntax_newer_than_3_35() -> None:
    text = re.sub(r"--.*|'[^']*'", "", sql.script())
    newer = r"\bSTRICT\b|->|IS (NOT )?DISTINCT FROM|\d_\d|\b(RIGHT|FULL) JOIN\b|\biif\b|unixepoch"
    assert re.findall(newer, text) == []


def test_kinds_of_a_new_tournament_are_those_of_the_oracle(
    conn: sqlite3.Connection,
) -> None:
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    columns = ("applies_to", "factor", "points", "counts_as_game", "counts_as_bye")
    found = {
        kind: (applies_to, Fraction(str(factor)), Fraction(str(points)), *counts)
        for kind, applies_to, factor, points, *counts in conn.execute(
            f"SELECT kind, {', '.join(columns)} FROM scoring"
        )
    }
    due = {
        kind: attrgetter(*columns)(scoring) for kind, scoring in usual_scoring().items()
    }
    assert found == due


def test_the_view_that_is_written_to_has_no_rows(example: Console) -> None:
    assert example.rows("SELECT * FROM next_round") == []


OF_A_TABLE = "SELECT * FROM {} WHERE tournament_id = 1 AND round_number = 9"
OF_A_PLAYER = ("explanation", "player_card", "head_to_head")
QUERIES = [
    *(f"SELECT * FROM {view} WHERE tournament_id = 1"
        for view in ("current_standings", "results", "presence", "absences")),
    *(f"{OF_A_TABLE.format(view)} AND player_id = 1"
        for view in OF_A_PLAYER),
    "SELECT * FROM progress WHERE tournament_id = 1 AND round_number <= 9",
    "SELECT player_id, sum(units) FROM z_line"
    " WHERE tournament_id = 1 AND round_number = 9 GROUP BY player_id",
]  # fmt: skip
SEARCHING = {"problems", "rule_history"}
"""Views that look through the whole file, or through what rules were."""
HANDFUL = {"tiebreak", "tournament", "period", "fide_expectation", "outcome", "rules"}
"""Tables of which a whole scan costs nothing that grows with games and players."""


def queries(conn: sqlite3.Connection) -> list[str]:
    """What is asked, and the rows of one round in every public view that has rounds."""
    found = QUERIES.copy()
    for view in sorted({*public_views(conn)}.difference(SEARCHING, OF_A_PLAYER)):
        columns = {name for _, name, *_ in conn.execute(f"PRAGMA table_info({view})")}
        if {"tournament_id", "round_number"} <= columns:
            found.append(OF_A_TABLE.format(view))
    return found


def scanned(conn: sqlite3.Connection, query: str) -> set[str]:
    """The tables that a query reads from end to end, by its program: aliases tell nothing."""
    roots = dict(
        conn.execute("SELECT rootpage, tbl_name FROM sqlite_master WHERE rootpage > 0")
    )
    opened: dict[int, str] = {}
    found = set()
    for _, opcode, cursor, root, *_ in conn.execute(f"EXPLAIN {query}"):
        if opcode == "OpenRead":
            opened[cursor] = roots[root]
        elif opcode in ("Rewind", "Last") and cursor in opened:
            found.add(opened[cursor])
    return found


def test_the_oracle_of_these_tests_sees_a_scan(conn: sqlite3.Connection) -> None:
    assert scanned(conn, "SELECT * FROM round AS g WHERE black = 3") == {"round"}
    by_place = "SELECT count(*) FROM unplayed AS u WHERE kind = 'bye' AND +place"
    assert scanned(conn, by_place) == {"unplayed"}
    assert scanned(conn, "SELECT * FROM ranking_list WHERE tournament_id = 1") == set()


def test_no_query_scans_the_facts(conn: sqlite3.Connection) -> None:
    """Other tournaments and rounds in the file cost nothing; here and in a recent SQLite."""
    with closing(pysqlite3.connect(":memory:")) as recent:
        recent.executescript(sql.script())
        for query in queries(conn):
            assert scanned(conn, query) <= HANDFUL, query
            assert scanned(recent, query) <= HANDFUL, query


def test_plans_in_the_oldest_sqlite(conn: sqlite3.Connection, oldest: Oldest) -> None:
    """There the plan names the tables."""
    plans = "; ".join(f"EXPLAIN QUERY PLAN {query}" for query in queries(conn))
    steps = [line.split("\t")[3] for line in oldest(sql.script(), plans)]
    assert len(steps) > len(queries(conn))
    tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_master")}
    found = {step.split()[2] for step in steps if step.startswith("SCAN TABLE ")}
    assert "tiebreak" in found
    assert {name for name in found & tables if not name.startswith("z_")} <= HANDFUL
