"""The ordinary commands of sqlite-utils on a season file: right standings after each.

It turns recursive_triggers on, and takes pysqlite3 where that is installed.
"""

import json
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


def test_looking(sample: Path, tmp_path: Path) -> None:
    """Memory: a CSV file and the season in one query."""
    assert (
        run("query", sample, "PRAGMA recursive_triggers")
        == '[{"recursive_triggers": 1}]\n'
    )
    assert {"view": "standings"} in json.loads(run("views", sample))
    shown = run(
        "rows", sample, "current_standings", "-c", "name", "--limit", 2, "--csv"
    )
    assert shown.splitlines() == ["name", "Harrison", "Brown"]
    phones = tmp_path / "phones.csv"
    phones.write_text("name,phone\nBaker,123\n", encoding="utf-8")
    query = "SELECT rank, phone FROM phones JOIN season.current_standings USING (name)"
    found = run("memory", phones, "--attach", "season", sample, query)
    assert json.loads(found) == [{"rank": 7, "phone": 123}]


CORRECTION = "UPDATE round SET result = '0-1' WHERE round_number = 1 AND board = 1"
GAMES = "tournament_id,round_number,white,black,result\n1,3,1,2,1-0\n1,3,2,3,1-0\n"
MEMBERS = "id,name,rating\n1,Johnson,1200\n99,New,1500\n"
MEMBER = '{"id": 1, "name": "Somebody", "rating": 1200}'


@pytest.mark.parametrize(("command", "stdin"), [
    (["query", CORRECTION], None),
    (["convert", "round", "result", "'0-1'", "--where", "round_number = 1 AND board = 1"], None),
    (["bulk", CORRECTION.replace("'0-1'", ":to"), "-"], '[{"to": "0-1"}]'),
])  # fmt: skip
def test_a_result_is_corrected(
    sample: Path, command: list[str], stdin: str | None
) -> None:
    run(command[0], sample, *command[1:], stdin=stdin)
    check(sample, CORRECTED)


@pytest.mark.parametrize(("command", "stdin", "refusal"), [
    # All games of a file or none: the second one here has a player twice.
    (["insert", "round", "-", "--csv"], GAMES, "already has a game"),
    (["insert", "player", "-", "--pk", "id", "--replace"], MEMBER, "has entered a tournament"),
    (["upsert", "player", "-", "--pk", "id", "--csv"], MEMBERS, ""),
    (["vacuum"], None, ""), (["analyze"], None, ""), (["optimize"], None, ""),
    (["index-foreign-keys"], None, ""), (["add-column", "player", "phone", "text"], None, ""),
    (["duplicate", "round", "copy_of_round"], None, ""),
    (["create-view", "mine", "SELECT name FROM player"], None, ""),
])  # fmt: skip
def test_the_season_stays_as_it_is(
    sample: Path, command: list[str], stdin: str | None, refusal: str
) -> None:
    """Nothing is lost by it: a correction after it still revalues."""
    said = run(command[0], sample, *command[1:], stdin=stdin, fails=bool(refusal))
    assert refusal in said
    assert rows(sample, TOP) == AS_PUBLISHED
    run("query", sample, CORRECTION)
    check(sample, CORRECTED)
