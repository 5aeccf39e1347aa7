"""The specification holds: its cases are valid, and three implementations agree with all of them.

`pytest -m campaign tests/conformance` makes 5,000 seasons and 5,000 positions anew.
"""

import io
import json
import random
import re
import shlex
import shutil
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from conformance import __main__ as command
from conformance import (
    adapter,
    allowed,
    build,
    generate,
    notation,
    positions,
    reference,
    shape,
)
from conformance.checking import verdict
from keizer.season import presets
from tests.support.files import ROOT, campaign

FOLDER = ROOT / "conformance"
CASES = sorted(FOLDER.glob("cases/*.jsonl"))
SEASON = FOLDER / "real/santpoort-2025.jsonl"
FILES = [*CASES, SEASON]
SPECIFICATION = (FOLDER / "specification.md").read_text(encoding="utf-8")
RULES = re.findall(r"^\*\*([A-Z]\d+) ", SPECIFICATION, re.MULTILINE)
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MODULE = ("-m", "conformance")
SECOND = ["node", str(FOLDER / "second.js")]

Case = dict[str, Any]


def read(path: Path) -> list[Case]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(
    *arguments: object,
    cwd: Path = ROOT,
    stdin: str = "",
    called: Sequence[str] = MODULE,
) -> subprocess.CompletedProcess[str]:
    """The command, by this Python without anything that is installed."""
    return subprocess.run(
        [sys.executable, "-S", *called, *map(str, arguments)],
        capture_output=True, encoding="utf-8", cwd=cwd, input=stdin, check=False,
    )  # fmt: skip


def by_second(cases: list[Case]) -> Iterator[Case]:
    """The answers of second.js."""
    text = "".join(json.dumps(case) + "\n" for case in cases)
    ran = subprocess.run(
        SECOND, input=text, capture_output=True, encoding="utf-8", check=True
    )
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
        schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        valid = Draft202012Validator(schema)
        cases = read(path)
        assert [case["name"] for case in cases if not valid.is_valid(case)] == []
        assert len({case["name"] for case in cases}) == len(cases)

    def test_is_answered_by_the_reference(self, path: Path) -> None:
        cases = read(path)
        assert wrong(cases, map(reference.answer, cases)) == []

    @pytest.mark.clients
    def test_is_answered_by_the_second_implementation(self, path: Path) -> None:
        cases = read(path)
        assert wrong(cases, by_second(cases)) == []


@pytest.mark.parametrize("path", [*CASES, pytest.param(SEASON, marks=pytest.mark.each)])
def test_every_case_is_answered_by_keizer(path: Path) -> None:
    cases = read(path)
    assert wrong(cases, by_keizer(cases)) == []


@pytest.mark.seeds
@pytest.mark.parametrize("searched", [False, *campaign(1, 2)])
def test_cases_are_those_of_the_pages_and_the_seeds(
    monkeypatch: pytest.MonkeyPatch, searched: bool
) -> None:
    """The hard ones, too, where there is time to search thousands of seasons for them."""
    if not searched:
        monkeypatch.setattr(build, "hard", lambda: read(FOLDER / "cases/hard.jsonl"))
    assert build.main(check=True) == 0


def test_every_rule_has_an_example_and_every_example_a_rule() -> None:
    shown = [
        rule for case in build.blocks("specification.md") for rule in case["shows"]
    ]
    assert len(RULES) == len({*RULES}) > 60
    assert {*shown} == {*RULES}


@pytest.mark.clients
def test_the_cases_of_the_readme_are_right() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    cases = [
        json.loads(block)
        for language, block in BLOCK.findall(page)
        if language == "json"
    ]
    assert [shape.fault_of_case(case) for case in cases] == ["", ""]
    assert wrong(cases, map(reference.answer, cases)) == []
    assert wrong(cases, by_second(cases)) == []
    assert wrong(cases, by_keizer(cases)) == []


@pytest.mark.parametrize("page", ["specification.md", "README.md", "published.md"])
def test_no_wrapped_line_becomes_an_item_of_a_list(page: str) -> None:
    """An item follows an empty line or another item."""
    text = BLOCK.sub("", (FOLDER / page).read_text(encoding="utf-8"))
    found = re.findall(
        r"^(?!- |\d+\. )(\S.*)\n((?:[-+*]|\d+[.)]) .*)", text, re.MULTILINE
    )
    assert found == []


def test_every_best_pairing_of_the_pages_is_one() -> None:
    """The boards and colours that a reader sees, not only what they cost."""
    examples = [case for case in build.blocks("specification.md") if "position" in case]
    assert len(examples) >= 10
    for case in examples:
        assert positions.wrong(case, case["expect"]["best"]) == [], case["name"]


@pytest.mark.clients
@pytest.mark.parametrize("make", [generate.seasons, generate.positions])
@pytest.mark.parametrize("chunk", [0, *campaign(1, 50)])
def test_three_implementations_agree_at_random(
    make: Callable[[int, int, dict[str, str]], Iterator[Case]], chunk: int
) -> None:
    cases = [*make(random.randrange(10**9) if chunk else 5, 100, {})]
    assert wrong(cases, by_second(cases)) == []
    assert wrong(cases, by_keizer(cases)) == []


@pytest.mark.clients
def test_the_folder_stands_alone(tmp_path: Path) -> None:
    """Copied elsewhere under another name, with bare Python and node: the README's commands."""
    copy = tmp_path / "keizer-cases"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert (
        sum(path.stat().st_size for path in copy.rglob("*") if path.is_file())
        < 2_000_000
    )

    def there(*arguments: object, stdin: str = "") -> list[str]:
        return run(*arguments, cwd=copy, stdin=stdin, called=["."]).stdout.splitlines()

    checked = there("check", "cases", "real", "--program", "node second.js")
    assert len(checked) == len(FILES)
    assert all(
        re.search(r"(\d+) of \1 cells, (\d+) of \2 cases", line) for line in checked
    )
    made = there("make", "--seed", 4, "--count", 3, "--rules", "recalculation=settled")
    assert [json.loads(line)["rules"]["recalculation"] for line in made] == [
        "settled"
    ] * 3
    (again,) = there("check", "-", "--program", "reference", stdin="\n".join(made))
    assert "3 of 3 cases" in again


def test_a_copy_of_the_folder_says_that_keizer_is_not_there(tmp_path: Path) -> None:
    copy = tmp_path / "keizer-cases"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    told = run("real", cwd=copy, called=["."])
    sentence = "keizer is not here: name a program, such as --program reference"
    assert (told.returncode, told.stderr) == (2, f"conformance: {sentence}\n")


def said(program: str, files: object, *more: object) -> tuple[int, str]:
    """The exit code of check and the last line of what it said."""
    checked = run("check", files, "--program", program, *more)
    told = (checked.stderr or checked.stdout).splitlines()
    assert "Traceback" not in checked.stderr
    return checked.returncode, told[-1 if checked.stderr else 0]


def answering(folder: Path, answer: str) -> str:
    """A program that gives this answer to every case."""
    script = folder / "program.py"
    script.write_text(
        f"import sys\nfor line in sys.stdin: print({answer!r})\n", encoding="utf-8"
    )
    return shlex.join([sys.executable, str(script)])


SHAPES = """
[1] | it is [1], not an object
{} | it has no 'tables'
{"error": "too hard"} | too hard
{"tables": {"1": {}}} | tables is {"1": {}}, not a list
{"tables": [{"round": [1]}]} | tables/0/round is [1], not a whole number
{"tables": [{"round": 1, "scores": {"1": 9.5}}]} | tables/0/scores/1 is 9.5, not text
{"tables": [{"round": 1, "scores": {"1": "1/0"}}]} | tables/0/scores/1 is "1/0", \
not an amount such as "24.5" or "46/3"
{"tables": [{"round": 1, "lines": {"1": [["win"]]}}]} | tables/0/lines/1/0 is ["win"], \
not a list of 2 items
[] | it is [], not an object
{"boards": [[1, 2]]} | it has no 'bye'
{"boards": [[1, "2"]], "bye": null} | boards/0/1 is "2", not a whole number
{"boards": [[1]], "bye": null} | boards/0 is [1], not a list of 2 items
"""
"""Answers that are none, and what is said of them."""

ONE = b'{"name": "x", "rules": {}, "expect": {"tables": []}, "players": [{"id": %s}], "rounds": [%s]}'
DAMAGED = {
    b"": " has no cases",
    b"\nhello\n": ", line 2: this is no JSON: 'hello'",
    b'{"name": "\xff"}': " is not UTF-8: invalid start byte at byte 10",
    b"[1]": ", line 1: it is [1], not an object",
    b'{"name": "x"}': ", line 1: it has no 'rules'",
    ONE % (b"true", b""): ", line 1: players/0/id is true, not a whole number",
    ONE
    % (
        b"1",
        b'{"games": [], "unplayed": {"1": "asleep"}}',
    ): "x: there is no kind 'asleep'",
    ONE
    % (b"1", b'{"games": [[1, 2, null]], "unplayed": {}}'): "x: there is no player 2",
}
"""Files, and what is said of them."""


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

    @pytest.mark.parametrize(
        ("program", "sentence"),
        [
            ("false", "'false' wrote 0 lines for {} cases (exit code 1)"),
            ("head -n 1", "'head -n 1' wrote 1 lines for {} cases (exit code 0)"),
            (
                "no-such-program",
                "'no-such-program' cannot be run: No such file or directory",
            ),
            ("", "--program is empty"),
            (
                "sed s/.*/hello/",
                "the answer to Numbers, example 1: this is no JSON: 'hello'",
            ),
        ],
    )
    def test_a_program_that_does_not_answer(self, program: str, sentence: str) -> None:
        files = FOLDER / "cases/examples.jsonl"
        count = len(files.read_text(encoding="utf-8").splitlines())
        assert said(program, files) == (2, f"conformance: {sentence.format(count)}")

    def test_a_program_that_never_ends(self) -> None:
        files = FOLDER / "cases/examples.jsonl"
        sentence = "conformance: 'sleep 60' has not ended after 0.2 seconds"
        assert said("sleep 60", files, "--seconds", 0.2) == (2, sentence)

    @pytest.mark.parametrize("line", SHAPES.strip().splitlines())
    def test_an_answer_of_another_shape_is_wrong(
        self, tmp_path: Path, line: str
    ) -> None:
        """Of a pairing, or of a season; the first example shows N2, which is said, too."""
        answer, sentence = line.split(" | ")
        pairing = "boards" in line or answer == "[]"
        first = "position 2026/1" if pairing else "Numbers, example 1 (N2)"
        cases = FOLDER / f"cases/{'positions' if pairing else 'examples'}.jsonl"
        code, told = said(answering(tmp_path, answer), cases)
        assert code == 1
        assert told.endswith(f"{first}: {sentence}")

    @pytest.mark.parametrize("text", DAMAGED)
    def test_a_file_that_is_damaged(self, tmp_path: Path, text: bytes) -> None:
        path = tmp_path / "my.jsonl"
        path.write_bytes(text)
        told = (
            DAMAGED[text]
            if DAMAGED[text].startswith("x: ")
            else f"{path}{DAMAGED[text]}"
        )
        assert said("reference", path) == (2, f"conformance: {told}")

    def test_a_line_is_told_beside_its_like(self) -> None:
        text = (
            "2 players top_value=5\nround 1: 1 bye\nlines 1: 1 own value 5, bye 10/3\n"
        )
        case = notation.read(text, "a bye")
        lines = {
            "1": [["bye", "3", 1], ["own value", "5", None], ["aalsmeer", "1", None]]
        }
        answer = {"tables": [{"round": 1, "scores": {"1": "9"}, "lines": lines}]}
        assert verdict(case, answer).wrong == [
            "standings 1, score of 1: expected 25/3, found 9",
            "standings 1, line of 1: expected bye 10/3, found bye 3",
            "standings 1, line of 1: expected nothing, found aalsmeer 1",
        ]

    def test_a_pairing_that_costs_more_or_has_other_colours(self) -> None:
        case = {"name": "x", "rules": {}, "position": {"round": 1, "players": [
            {"id": number} for number in (1, 2, 3, 4)]}}  # fmt: skip
        case["expect"] = positions.expected(case)
        assert positions.wrong(case, {"boards": [[2, 1], [4, 3]], "bye": None}) == []
        for boards in ([[1, 2], [4, 3]], [[3, 1], [4, 2]], [[2, 1]], [[2, 1], [2, 1]]):
            assert positions.wrong(case, {"boards": boards, "bye": None}) != []
        assert positions.wrong(case, {"boards": [[1, 2], [4, 3]], "bye": None}) == [
            "by B10 2 has White against 1"
        ]
        assert positions.wrong(case, {"boards": [[3, 1], [4, 2]], "bye": None}) == [
            "it costs squared 8, colour_squares 4; the best costs squared 2, colour_squares 4"
        ]


OTHERWISE = {"settled": 45, "frozen": 68, "lagged": 103, "fixed": 41}
"""By recalculation, how many of its scores come out."""


def shown(monkeypatch: pytest.MonkeyPatch, *cases: Case) -> tuple[int, list[str]]:
    """What `real` says of these in place of the printed seasons, by the reference."""
    monkeypatch.setattr(command, "printed", lambda: iter(cases))
    out = io.StringIO()
    code = command.real(Namespace(program="reference", seconds=60, most=20), out)
    return code, out.getvalue().splitlines()


class TestPrintedSeasons:
    def test_every_printed_rank_and_score_comes_out(self) -> None:
        """The figures are those of the tables in both README.md."""
        told = run("real")
        assert told.returncode == 0
        for page in (ROOT / "README.md", FOLDER / "README.md"):
            assert "1,853" in page.read_text(encoding="utf-8")
        assert [*FOLDER.glob("real/*.jsonl")] == [SEASON]
        figures = re.findall(
            r"^\S.*: (\d+) rounds?, (\d+) players, (\d+) of (\d+) ranks, (\d+) of (\d+) scores$",
            told.stdout, re.MULTILINE,
        )  # fmt: skip
        assert figures == [
            ("37", "62", *["1853"] * 4), ("2", "10", *["20"] * 4),
            ("1", "16", *["16"] * 4), *[("5", "9", *["8"] * 4)] * 2,
        ]  # fmt: skip
        assert "946 scores have told it" in told.stdout
        assert "the page prints 63.5" in told.stdout

    def test_keizer_is_what_they_judge(self, tmp_path: Path) -> None:
        """In a copy where a view forgets the games with White, most scores are wrong."""
        for folder in ("conformance", "keizer", "views"):
            shutil.copytree(ROOT / folder, tmp_path / folder)
        shutil.copy(ROOT / "schema.sql", tmp_path)
        view = tmp_path / "views/scoring/z_line.sql"
        right = view.read_text(encoding="utf-8")
        broken = right.replace("g.white = listed.player_id\n", "g.white IS NULL\n")
        assert broken != right
        view.write_text(broken, encoding="utf-8")
        told = run("real", cwd=tmp_path)
        assert told.returncode == 1
        (scores,) = re.findall(
            r"Santpoort.* (\d+) of 1853 scores$", told.stdout, re.MULTILINE
        )
        assert int(scores) < 1000

    def test_a_printed_figure_that_does_not_come_out_is_told(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of two who are next to each other the page has the ranks of the other, and a score."""
        (case,) = read(SEASON)
        table = case["expect"]["tables"][1]
        first, second = list(table["ranks"])[:2]
        table["ranks"] |= {first: 2, second: 1}
        table["scores"][first] = "521"
        part = {
            "rounds": case["rounds"][:2],
            "expect": {"tables": case["expect"]["tables"][:2]},
        }
        code, lines = shown(monkeypatch, {**case, **part})
        assert code == 1
        assert lines[0].endswith(
            ": 2 rounds, 62 players, 71 of 73 ranks, 72 of 73 scores"
        )
        assert [line for line in lines if "wrong" in line] == [
            f"  wrong: standings 2, rank of {first}: expected 2, found 1",
            f"  wrong: standings 2, rank of {second}: expected 1, found 2",
            f"  wrong: standings 2, score of {first}: expected 521, found 520",
        ]

    @pytest.mark.seeds
    @pytest.mark.parametrize(
        ("rules", "scores"),
        [
            ({"bye": "2/3", "excused": "1/3", "club-duty": "2/3"}, 1182),
            ({"score_rounding": "1"}, 1616),
            ({"ladder": "range"}, 45),
            *(
                pytest.param(
                    {"recalculation": name},
                    count,
                    marks=[pytest.mark.campaign] * (name == "settled"),
                )
                for name, count in OTHERWISE.items()
            ),
        ],
    )
    def test_other_rules_do_not_bring_it(
        self, rules: dict[str, str], scores: int
    ) -> None:
        """The figures of README.md. The case where values settle takes half a minute."""
        (case,) = read(SEASON)
        for table in case["expect"]["tables"]:
            table.pop("ranks")
        judged = verdict(
            case, reference.answer({**case, "rules": case["rules"] | rules})
        )
        assert (judged.right, judged.cells) == (scores, 1853)

    @pytest.mark.seeds
    def test_a_score_leaves_one_kind_for_a_round_without_a_game(self) -> None:
        """Any other that the rules know would miss it by 33 points."""
        (case,) = read(SEASON)
        scoring = reference.season(case).scoring
        tables = reference.answer(case)["tables"]
        misses = []
        for before, table, printed in zip(
            tables, tables[1:], case["expect"]["tables"], strict=False
        ):
            unplayed = case["rounds"][table["round"] - 1]["unplayed"]
            for player, score in printed["scores"].items():
                if unplayed.get(player) in case["read_off"]:
                    here = scoring[unplayed[player]].factor
                    for kind in {*case["read_off"]} - {unplayed[player]}:
                        more = (scoring[kind].factor - here) * Fraction(
                            before["values"][player]
                        )
                        misses.append(
                            abs(Fraction(table["scores"][player]) + more - int(score))
                        )
        assert len(misses) == 2 * 946
        assert min(misses) > 33

    def test_its_rules_are_those_of_the_preset(self) -> None:
        (case,) = read(SEASON)
        settings = presets.find_preset("santpoort")["settings"]
        assert case["rules"].pop("start_order") == "entry"
        assert case["rules"].items() <= settings.items()


class TestMake:
    @pytest.mark.parametrize(
        ("rules", "sentence"),
        [
            (["recalculation"], "--rules recalculation: KEY=VALUE is asked for"),
            (["recalculation=nonsense"], "recalculation cannot be 'nonsense'"),
            (["recalculatoin=settled"], "there is no rule 'recalculatoin' of seasons"),
            (["aim=closest"], "there is no rule 'aim' of seasons"),
            (["excused.limit=1"], "there is no rule 'excused.limit'"),
            (["excused=1/7"], "excused is '1/7': no whole number of 6000ths"),
            (["places_per_step=0"], "places_per_step cannot be '0'"),
            (["step=1/0"], "step cannot be '1/0'"),
            (["top_value=ratio 1"], "the ratio of top_value must be above 1"),
            (["excused.instead=nowhere"], "there is no kind 'nowhere'"),
            (["aim=up", "--positions"], "aim cannot be 'up'"),
            (["excused=1", "--positions"], "there is no rule 'excused' of pairings"),
        ],
    )
    def test_a_rule_that_there_is_not(self, rules: list[str], sentence: str) -> None:
        made = run("make", "--rules", *rules)
        assert (made.returncode, made.stdout, made.stderr) == (
            2,
            "",
            f"conformance: {sentence}\n",
        )

    @pytest.mark.parametrize("count", ["0", "-1", "x"])
    def test_a_count_that_is_none(self, count: str) -> None:
        made = run("make", f"--count={count}")
        assert (made.returncode, made.stdout) == (2, "")
        assert f"{count} is no number from 1 on" in made.stderr

    def test_a_kind_of_ones_own(self) -> None:
        made = run("make", "--rules", "excused.instead=my-token", "my-token.fixed=2")
        assert made.returncode == 0


def test_the_rules_that_are_allowed_are_those_of_the_tables() -> None:
    """Every key of the specification's tables, and its default."""
    found = dict[str, str]()
    for keys, values in re.findall(
        r"^\| (`[^|]*`) \| ([^|]*) \| [A-Z]\d.*\|", SPECIFICATION, re.MULTILINE
    ):
        named = re.findall(r"`([^`]+)`", keys)
        told = [value.strip("` ") for value in re.split(r"(?<=[\w`]), ", values)]
        found |= dict(
            zip(named, told * len(named) if len(told) == 1 else told, strict=False)
        )
    of_a_kind = {key for key in found if key.startswith("KIND")}
    assert {*found} - of_a_kind == {*allowed.SEASON} | {*allowed.POSITION}
    assert {key.partition(".")[2] for key in of_a_kind} == {*allowed.OF_A_KIND}
    allowed.check({key: found[key] for key in {*found} - of_a_kind})


def test_second_js_is_one_readable_file() -> None:
    lines = (FOLDER / "second.js").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 400
    assert max(map(len, lines)) <= 100
