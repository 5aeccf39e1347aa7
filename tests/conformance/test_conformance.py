"""The specification holds: its cases are valid, and three implementations agree with all of them.

`pytest -m campaign tests/conformance` makes 5,000 seasons and 5,000 positions anew.
"""

import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance import adapter, build, generate, notation, positions, reference
from conformance.checking import verdict
from tests.support.files import ROOT, campaign, needs

FOLDER = ROOT / "conformance"
FILES = sorted((FOLDER / "cases").glob("*.jsonl"))
SPECIFICATION = (FOLDER / "specification.md").read_text(encoding="utf-8")
RULES = re.findall(r"^\*\*([A-Z]\d+) ", SPECIFICATION, re.MULTILINE)
SECOND = ["node", str(FOLDER / "second.js")]

Case = dict[str, Any]


def read(path: Path) -> list[Case]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(*arguments: object, cwd: Path = ROOT, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The command, by this Python without anything that is installed."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "conformance", *map(str, arguments)],
        capture_output=True, encoding="utf-8", cwd=cwd, input=stdin, check=False,
    )  # fmt: skip


def by_second(cases: list[Case]) -> Iterator[Case]:
    """The answers of second.js."""
    text = "".join(json.dumps(case) + "\n" for case in cases)
    ran = subprocess.run(SECOND, input=text, capture_output=True, encoding="utf-8", check=True)
    yield from map(json.loads, ran.stdout.splitlines())


def by_keizer(cases: list[Case]) -> Iterator[Case]:
    """What the season file and the pairing engine make of them."""
    for case in cases:
        yield adapter.position(case) if "position" in case else adapter.season(case)


def wrong(cases: list[Case], answers: Iterator[Case]) -> list[str]:
    """What differs, with the names of the cases."""
    return [
        f"{case['name']}: {sentence}"
        for case, answer in zip(cases, answers, strict=True)
        for sentence in verdict(case, answer).wrong
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
class TestEveryCase:
    def test_is_valid(self, path: Path) -> None:
        """schema.json, by a validator that others wrote."""
        jsonschema = needs("jsonschema")
        schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        valid = jsonschema.Draft202012Validator(schema)
        assert [case["name"] for case in read(path) if not valid.is_valid(case)] == []

    def test_is_answered_by_the_reference(self, path: Path) -> None:
        cases = read(path)
        assert wrong(cases, map(reference.answer, cases)) == []

    def test_is_answered_by_the_second_implementation(self, path: Path) -> None:
        cases = read(path)
        assert wrong(cases, by_second(cases)) == []

    def test_is_answered_by_keizer(self, path: Path) -> None:
        cases = read(path)
        assert wrong(cases, by_keizer(cases)) == []


def test_cases_are_those_of_the_pages_and_the_seeds() -> None:
    assert build.main(check=True) == 0


def test_every_rule_has_an_example_and_every_example_a_rule() -> None:
    shown = [rule for case in build.blocks("specification.md") for rule in case["shows"]]
    assert len(RULES) == len({*RULES}) > 60
    assert {*shown} == {*RULES}


def test_every_best_pairing_of_the_pages_is_one() -> None:
    """The boards and colours that a reader sees, not only what they cost."""
    examples = [case for case in build.blocks("specification.md") if "position" in case]
    assert len(examples) >= 10
    for case in examples:
        assert positions.wrong(case, case["expect"]["best"]) == [], case["name"]


@pytest.mark.parametrize("chunk", [0, *campaign(1, 50)])
def test_three_implementations_agree_on_seasons_at_random(chunk: int) -> None:
    cases = [*generate.seasons(random.randrange(10**9) if chunk else 5, 100, {})]
    assert wrong(cases, by_second(cases)) == []
    assert wrong(cases, by_keizer(cases)) == []


@pytest.mark.parametrize("chunk", [0, *campaign(1, 50)])
def test_three_implementations_agree_on_positions_at_random(chunk: int) -> None:
    cases = [*generate.positions(random.randrange(10**9) if chunk else 5, 100, {})]
    assert wrong(cases, by_second(cases)) == []
    assert wrong(cases, by_keizer(cases)) == []


def test_the_folder_stands_alone(tmp_path: Path) -> None:
    """Copied elsewhere, with bare Python and node: the README's commands; and 2 MB at most."""
    copy = tmp_path / "conformance"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert sum(path.stat().st_size for path in copy.rglob("*") if path.is_file()) < 2_000_000
    checked = run("check", "conformance/cases/examples.jsonl", "--program",
                  "node conformance/second.js", cwd=tmp_path)  # fmt: skip
    assert (checked.returncode, checked.stderr) == (0, "")
    assert re.search(r"(\d+) of \1 cells, (\d+) of \2 cases", checked.stdout)
    made = run("make", "--seed", 4, "--count", 3, "--rules", "recalculation=settled", cwd=tmp_path)
    cases = [json.loads(line) for line in made.stdout.splitlines()]
    assert [case["rules"]["recalculation"] for case in cases] == ["settled"] * 3
    assert run("check", "-", cwd=tmp_path, stdin=made.stdout).returncode == 0


class TestCheck:
    """The exit code is 1 where a cell is wrong, and 2 where there is nothing to judge."""

    def test_says_which_cell_is_wrong(self, tmp_path: Path) -> None:
        text = "2 players top_value=5\nround 1: 1 v 2 1-0\nscores 1: 1 9; 2 3\n"
        case = notation.read(text, "a game")
        (tmp_path / "my.jsonl").write_text(json.dumps(case), encoding="utf-8")
        checked = run("check", tmp_path / "my.jsonl")
        assert checked.returncode == 1
        assert "a game: standings 1, score of 2: expected 3, found 4" in checked.stdout
        assert "1 of 2 cells, 0 of 1 cases" in checked.stdout

    @pytest.mark.parametrize("program", ["false", "head -n 1", "no-such-program"])
    def test_a_program_that_does_not_answer(self, program: str) -> None:
        checked = run("check", FOLDER / "cases/examples.jsonl", "--program", program)
        assert checked.returncode == 2
        assert checked.stderr.startswith("conformance: ")
        assert "Traceback" not in checked.stderr

    def test_a_pairing_that_costs_more_or_has_other_colours(self) -> None:
        case = {"name": "x", "rules": {}, "position": {"round": 1, "players": [
            {"id": number} for number in (1, 2, 3, 4)]}}  # fmt: skip
        case["expect"] = positions.expected(case)
        assert positions.wrong(case, {"boards": [[2, 1], [4, 3]], "bye": None}) == []
        for boards in ([[1, 2], [4, 3]], [[3, 1], [4, 2]], [[2, 1]], [[2, 1], [2, 1]]):
            assert positions.wrong(case, {"boards": boards, "bye": None}) != []


def test_second_js_is_one_readable_file() -> None:
    lines = (FOLDER / "second.js").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 400
    assert max(map(len, lines)) <= 100
