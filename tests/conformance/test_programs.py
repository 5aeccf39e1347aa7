"""Presets of programs hold beside the programs' own algorithms, in conformance/programs/.

What a module says is not reached is not: the day it is, its note goes.
"""

import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

from conformance import programs
from conformance.programs import keizerforclubs
from keizer.season import presets
from tests.support.files import ROOT, campaign

PROGRAMS = programs.known()
EACH = [name for program in PROGRAMS for name in programs.combined(program)]


def reached(name: str) -> bool:
    program, *options = name.split("+")
    return not {program, *options} & {*getattr(PROGRAMS[program], "NOT_REACHED", ())}


@pytest.mark.parametrize("name", [name for name in EACH if reached(name)])
@pytest.mark.parametrize("chunk", [0, *campaign(1, 5)])
def test_every_cell_is_the_program_s(name: str, chunk: int) -> None:
    found = programs.held(name, 2 + chunk, 40 if chunk else 2)
    assert found.wrong == [] and found.right == found.cells > 0


@pytest.mark.seeds
@pytest.mark.parametrize("name", [
    name if name == option else f"{name}+{option}"
    for name, program in PROGRAMS.items() for option in getattr(program, "NOT_REACHED", ())
])  # fmt: skip
def test_what_is_not_reached_is_not(name: str) -> None:
    """In 20 seasons, as docs/rules.md has them."""
    found = programs.held(name, 1, 20)
    assert found.cells - found.right == len(found.wrong) > 0


@pytest.mark.parametrize("name", ["keizerforclubs", "keizerforclubs+fading+halving",
                                  "keizerforclubs+2022"])  # fmt: skip
def test_after_a_withdrawal_keizerforclubs_is_as_here_if_it_computes_anew(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """With the tables that it has stored since 2024 it is not."""
    monkeypatch.setattr(keizerforclubs, "LEAVING", True, raising=False)
    monkeypatch.setattr(keizerforclubs, "RESULTS", ("1-0", "½-½", "0-1"))
    with_tables = programs.held.__wrapped__(name, 1, 6)
    assert with_tables.right < with_tables.cells
    monkeypatch.setattr(
        keizerforclubs, "tables", partial(keizerforclubs.tables, stored=False)
    )
    found = programs.held.__wrapped__(name, 1, 6)
    assert found.wrong == [] and found.right == found.cells == with_tables.cells


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_option_of_the_preset_is_tried(name: str) -> None:
    """And each may be left out of what is reached only by name."""
    program, told = PROGRAMS[name], presets.load_presets().get(name, {})
    assert {*program.OPTIONS} == {*told.get("options", {})}
    assert {*getattr(program, "NOT_REACHED", ())} <= {name, *program.OPTIONS}
    assert hasattr(program, "RULES") != bool(told)


@pytest.mark.parametrize(("name", "setting"), [
    ("tomachess", {"tiebreaks": "score,previous"}), ("tomachess", {"own_value_at": "current"}),
    ("tomachess", {"draw.withdrawn_factor": "0"}),
    ("keizerforclubs+fading", {"bonus": "5"}), ("keizerforclubs", {"tiebreaks": "score,rating"}),
    ("keizerforclubs+halving", {"unexcused.counts_with": "none"}),
    ("freekeizer", {"unexcused": "0"}), ("freekeizer", {"tiebreaks": "score,previous"}),
    ("chesspairing", {"settled_from": "before"}),
    ("chesspairing+frozen", {"own_value_at": "start"}),
])  # fmt: skip
def test_a_setting_that_is_not_the_program_s_shows(
    monkeypatch: pytest.MonkeyPatch, name: str, setting: Mapping[str, str]
) -> None:
    """Each was a preset's once, or nearly."""
    told = presets.find_preset(name)
    other: dict[str, Any] = {**told, "settings": {**told["settings"], **setting}}
    monkeypatch.setattr(presets, "find_preset", lambda _: other)
    found = programs.held.__wrapped__(name, 1, 6)
    assert 0 < found.right < found.cells


def test_the_command_prints_a_line_for_each_preset_and_what_differs() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "conformance", "programs", *arguments]
        return subprocess.run(
            command, capture_output=True, encoding="utf-8", cwd=ROOT, check=False
        )

    good = run("tomachess", "tomachess+2-1-0", "--count", "1")
    cells = [line.partition(": ")[2] for line in good.stdout.splitlines()]
    assert good.returncode == 0 and len(cells) == 2 and cells[0] == cells[1]
    right, _, rest = cells[0].partition(" of ")
    assert rest == f"{right} cells"
    other = run("sgridev", "--count", "1", "--most", "1")
    difference, _ = other.stdout.splitlines()
    assert other.returncode == 1 and difference.startswith(
        "sgridev, season 1, standings "
    )
    wrong = run("deep-blue")
    assert (
        wrong.returncode == 2
        and "there is no program 'deep-blue': there are " in wrong.stderr
    )
