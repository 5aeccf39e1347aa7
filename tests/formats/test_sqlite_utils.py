"""The ordinary commands of sqlite-utils on a season file: right standings after each.

It turns recursive_triggers on, and takes pysqlite3 where that is installed.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlite_utils import cli

from tests.support.files import rows
from tests.support.files import run_keizer as keizer
from tests.support.worked_example import CORRECTED, ROUND_2

TOP = "SELECT name, score FROM current_standings ORDER BY rank LIMIT 4"
AS_PUBLISHED: list[tuple[str, float]] = [*ROUND_2.items()][:4]


def run(*args: object, stdin: str | None = None, fails: bool = False) -> str:
    """Its command line, in this process."""
    done = CliRunner().invoke(cli.cli, [str(arg) for arg in args], input=stdin)
    assert (done.exit_code != 0) == fails, done.output
    return done.output


def check(db: Path, top: Sequence[tuple[str, float]]) -> None:
    assert rows(db, TOP) == top
    assert "is sound" in keizer("check", db).stdout


def test_the_program_itself(sample: Path) -> None:
    """A process of its own: a game typed in from JSON."""
    program = str(Path(sys.executable).with_name("sqlite-utils"))
    command = [program, "insert", str(sample), "round", "-"]
    game = {"tournament_id": 1, "round_number": 3, "white": 1, "black": 2, "result": "1-0"}
    subprocess.run(command, input=json.dumps(game), text=True, check=True, capture_output=True)
    assert rows(sample, "SELECT board FROM round WHERE round_number = 3") == [(1,)]
    # By hand: 50 + 42 + 48, 48 + 45 + 45, 49 + 41 + 44, 47 + 22 + 23.
    check(sample, [("Harrison", 140), ("Johnson", 138), ("Brown", 134), ("Butcher", 92)])


def test_looking(sample: Path) -> None:
    assert run("query", sample, "PRAGMA recursive_triggers") == '[{"recursive_triggers": 1}]\n'
    counts = {row["table"]: row["count"] for row in json.loads(run("tables", sample, "--counts"))}
    assert (counts["player"], counts["round"], counts["ranking_list"]) == (10, 10, 30)
    assert {"view": "standings"} in json.loads(run("views", sample))
    shown = run("rows", sample, "current_standings", "-c", "name", "--limit", 2, "--csv")
    assert shown.splitlines() == ["name", "Harrison", "Brown"]
    assert "-- As on the pairing sheet" in run("schema", sample, "player")
    assert "Distinct values: 3" in run("analyze-tables", sample, "round", "-c", "result")


def test_a_table_of_ones_own_beside_it(sample: Path, tmp_path: Path) -> None:
    """Memory: a CSV file and the season in one query."""
    phones = tmp_path / "phones.csv"
    phones.write_text("name,phone\nBaker,123\n", encoding="utf-8")
    query = "SELECT rank, phone FROM phones JOIN season.current_standings USING (name)"
    found = run("memory", phones, "--attach", "season", sample, query)
    assert json.loads(found) == [{"rank": 7, "phone": 123}]


CORRECTION = "UPDATE round SET result = '0-1' WHERE round_number = 1 AND board = 1"


@pytest.mark.parametrize(("command", "arguments", "stdin"), [
    ("query", [CORRECTION], None),
    ("convert", ["round", "result", "'0-1'", "--where", "round_number = 1 AND board = 1"], None),
    ("bulk", [CORRECTION.replace("'0-1'", ":to"), "-"], '[{"to": "0-1"}]'),
])  # fmt: skip
def test_a_result_is_corrected(
    sample: Path, command: str, arguments: list[str], stdin: str | None
) -> None:
    run(command, sample, *arguments, stdin=stdin)
    check(sample, CORRECTED)


def test_games_from_csv(sample: Path) -> None:
    """All of them or none: the second one here has a player twice."""
    head = "tournament_id,round_number,white,black,result\n"
    twice = f"{head}1,3,1,2,1-0\n1,3,2,3,1-0\n"
    refused = run("insert", sample, "round", "-", "--csv", stdin=twice, fails=True)
    assert "already has a game" in refused
    check(sample, AS_PUBLISHED)
    run("insert", sample, "round", "-", "--csv", stdin=f"{head}1,3,1,2,1-0\n")
    assert rows(sample, "SELECT name FROM current_standings WHERE rank = 2") == [("Johnson",)]


def test_members_are_upserted(sample: Path) -> None:
    """A new rating for one, a new member; the season stays as it is."""
    members = "id,name,rating\n1,Johnson,1200\n99,New,1500\n"
    run("upsert", sample, "player", "-", "--pk", "id", "--csv", stdin=members)
    assert rows(sample, "SELECT rating FROM player WHERE id IN (1, 99)") == [(1200,), (1500,)]
    check(sample, AS_PUBLISHED)


def test_a_member_with_games_is_not_replaced(sample: Path) -> None:
    member = '{"id": 1, "name": "Somebody", "rating": 1200}'
    refused = run("insert", sample, "player", "-", "--pk", "id", "--replace", stdin=member,
        fails=True)  # fmt: skip
    assert "this player has entered a tournament" in refused
    check(sample, AS_PUBLISHED)


@pytest.mark.parametrize("upkeep", [
    ["vacuum"], ["analyze"], ["optimize"], ["index-foreign-keys"],
    ["add-column", "player", "phone", "text"], ["duplicate", "round", "copy_of_round"],
    ["create-view", "mine", "SELECT name FROM player"],
], ids=" ".join)  # fmt: skip
def test_upkeep_and_things_of_ones_own(sample: Path, upkeep: list[str]) -> None:
    """Nothing is lost by it: a correction after it still revalues."""
    run(upkeep[0], sample, *upkeep[1:])
    run("query", sample, CORRECTION)
    check(sample, CORRECTED)


@pytest.mark.parametrize(("table", "column"), [("round", "result"), ("player", "rating")])
def test_transform_takes_the_triggers_with_it(sample: Path, table: str, column: str) -> None:
    """Which is why docs/clients.md says not to: it makes the table anew without them."""
    triggers = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '{}'"
    assert rows(sample, triggers.format(table)) != [(0,)]
    run("transform", sample, table, "--not-null", column)
    assert rows(sample, triggers.format(table)) == [(0,)]
