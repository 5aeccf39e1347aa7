"""The worked example of Sevilla's Keizer page, to the last digit, everywhere.

Source: the worked example that Sevilla's author published for the Keizer
system (10 players, 2 rounds, top value 50, step 1), which the original SQLite
Keizer project shipped as well. Its page prints 63.5 for Carter after round 2:
an addition slip, 42 + 0 + 20.5 is 62.5.
"""

import shutil
from pathlib import Path

import pytest

from keizer.store import sql
from quality import generate
from tests.support.console import Console
from tests.support.files import ROOT, Client, Keizer, Oldest, dump
from tests.support.worked_example import ROUND_1, ROUND_2, TABLE, facts, published


def parsed(lines: list[str]) -> list[tuple[int, str, float, float]]:
    cells = [line.split("\t") for line in lines]
    return [
        (int(rank), name, float(value), float(score))
        for rank, name, value, score in cells
    ]


TABLES = {1: ROUND_1, 2: ROUND_2}


class TestWorkedExample:
    @pytest.mark.parametrize("number", TABLES)
    def test_standings_command(self, example: Console, number: int) -> None:
        shown = example.json(f"standings --round {number}")
        found = [
            (row["rank"], row["name"], row["value"], row["score"]) for row in shown
        ]
        assert found == published(TABLES[number])

    def test_any_client(self, client: Client, sample: Path) -> None:
        found = parsed(client(sample, [TABLE.format(number) for number in TABLES]))
        assert found == published(ROUND_1) + published(ROUND_2)

    def test_sqlite_3_35_0(self, oldest: Oldest) -> None:
        query = "; ".join(["SELECT sqlite_version()", *map(TABLE.format, TABLES)])
        version, *lines = oldest(sql.script() + facts(), query)
        assert version == "3.35.0"
        assert parsed(lines) == published(ROUND_1) + published(ROUND_2)


def test_the_sample_in_git_has_the_views_of_the_repository() -> None:
    """Else the first command that a stranger tries takes twice as long."""
    assert generate.is_of_today(ROOT / "sample.db"), "run python -m quality.generate"


def test_the_sample_in_git_has_the_facts_of_the_repository_and_goes_on(
    keizer: Keizer, sample: Path
) -> None:
    """tests/sample/build makes it."""
    in_git = Path(shutil.copy(ROOT / "sample.db", sample.with_name("in git.db")))
    before = in_git.read_bytes()
    keizer("next-round", in_git, "--dry-run")
    assert in_git.read_bytes() == before
    for db in (sample, in_git):
        keizer("next-round", db)
        assert "sound" in keizer("check", db).stdout
    made = ("INSERT INTO", "CREATE VIEW", "CREATE TRIGGER")
    assert [line for line in dump(in_git) if line.startswith(made)] == [
        line for line in dump(sample) if line.startswith(made)
    ]
