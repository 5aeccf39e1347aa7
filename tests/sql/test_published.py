"""The worked example of Sevilla's Keizer page, to the last digit, everywhere.

Source: the worked example that Sevilla's author published for the Keizer
system (10 players, 2 rounds, top value 50, step 1), which the original SQLite
Keizer project shipped as well. Its page prints 63.5 for Carter after round 2:
an addition slip, 42 + 0 + 20.5 is 62.5.
"""

import json
import sqlite3
from pathlib import Path

import pytest

from keizer.store import sql
from tests.support.files import ROOT, Client, Keizer, Oldest, dump
from tests.support.worked_example import ROUND_1, ROUND_2, TABLE, facts, published


def parsed(lines: list[str]) -> list[tuple[int, str, float, float]]:
    cells = [line.split("\t") for line in lines]
    return [(int(rank), name, float(value), float(score)) for rank, name, value, score in cells]


@pytest.mark.parametrize(("number", "table"), [(1, ROUND_1), (2, ROUND_2)])
class TestWorkedExample:
    def test_standings_command(
        self, keizer: Keizer, sample: Path, number: int, table: dict[str, float]
    ) -> None:
        rows = json.loads(keizer("standings", sample, "--round", number, "--json").stdout)
        found = [(row["rank"], row["name"], row["value"], row["score"]) for row in rows]
        assert found == published(table)

    def test_any_client(
        self, client: Client, sample: Path, number: int, table: dict[str, float]
    ) -> None:
        assert parsed(client(sample, [TABLE.format(number)])) == published(table)

    def test_sqlite_3_35_0(self, oldest: Oldest, number: int, table: dict[str, float]) -> None:
        script = sql.script() + facts()
        assert oldest(script, "SELECT sqlite_version()") == ["3.35.0"]
        assert parsed(oldest(script, TABLE.format(number))) == published(table)

    def test_recent_sqlite(self, number: int, table: dict[str, float]) -> None:
        import pysqlite3

        assert pysqlite3.sqlite_version_info >= (3, 45)
        conn = pysqlite3.connect(":memory:")
        conn.executescript(sql.script() + facts())
        assert conn.execute(TABLE.format(number)).fetchall() == published(table)
        conn.close()

    def test_the_views_of_the_original(
        self, sample: Path, number: int, table: dict[str, float]
    ) -> None:
        """Own value and `scores` add up to the total, as in the original's query."""
        conn = sqlite3.connect(sample)
        rows = conn.execute(
            "SELECT s.name, r.value_before + sum(s.score) FROM scores AS s"
            " JOIN ranking_list AS r USING (tournament_id, round_number, player_id)"
            " WHERE s.round_number = ? GROUP BY s.player_id",
            (number,),
        ).fetchall()
        conn.close()
        assert dict(rows) == table


def test_sample_is_built_from_the_facts_in_the_repository(tmp_path: Path, installed: str) -> None:
    """tests/sample/build makes sample.db, statement for statement."""
    import os
    import subprocess

    built = tmp_path / "sample.db"
    path = f"{Path(installed).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["sh", ROOT / "tests/sample/build", built],
        check=True,
        capture_output=True,
        env={**os.environ, "PATH": path},
    )
    assert dump(built) == dump(ROOT / "sample.db")


def test_results_are_the_classical_points(sample: Path) -> None:
    """Counted by hand from the ten games; the original's UNION lost equal rows."""
    conn = sqlite3.connect(sample)
    found = dict(conn.execute("SELECT name, score FROM results"))
    kept = dict(
        conn.execute(
            "SELECT name, score FROM x_player_tournament JOIN player ON player.id = player_id"
        )
    )
    conn.close()
    assert found == kept
    assert found == {
        "Johnson": 1, "Petersen": 1, "Baker": 0.5, "Butcher": 1, "Carter": 0.5,
        "Harrison": 2, "Smith": 1, "Higgins": 0.5, "White": 0.5, "Brown": 2,
    }  # fmt: skip
