"""The core without its add-ons: a copy of the checkout in which their folders are left out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from keizer import addons
from keizer.cli import FAMILIES
from tests.support.checkout import copy_checkout, run_python
from tests.support.documents import BLOCKS, FILES, steps

OF_ADD_ONS = {
    name
    for family in FAMILIES.values()
    for name, module in family.items()
    if module.startswith(addons.ROOMS)
}

LEFT_OUT = (
    "keizer/exchange/", "keizer/web/", "tests/exchange/", "tests/web/", "tests/site/",
    "tests/cli/test_help.py", "tests/cli/test_json.py",
)  # fmt: skip
"""Those of add-ons; the last two are about every command there is."""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy: what git has, or would have, but for the add-ons and their tests."""
    return copy_checkout(tmp_path_factory.mktemp("core"), LEFT_OUT)


def test_the_season_of_the_guide_is_played_by_the_core(
    core: Path, tmp_path: Path
) -> None:
    """Each command of the core prints what the page shows; others change nothing there."""
    guide = (core / "docs/guide.md").read_text(encoding="utf-8")
    for name, text in FILES.findall(guide):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "bin").mkdir()
    keizer = tmp_path / "bin/keizer"
    keizer.write_text(
        f'#!/bin/sh\nPYTHONPATH="{core}" exec "{sys.executable}" -m keizer "$@"\n'
    )
    keizer.chmod(0o755)
    path = f"{keizer.parent}{os.pathsep}{os.environ['PATH']}"
    ran = 0
    for _, text, _ in BLOCKS.findall(guide):
        for command, shown in steps(text):
            if any(f"keizer {name} " in command for name in OF_ADD_ONS):
                continue
            done = subprocess.run(
                ["sh", "-c", command], cwd=tmp_path, check=False, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, encoding="utf-8",
                env=os.environ | {"PATH": path, "PYTHONUTF8": "1"},
            )  # fmt: skip
            assert done.stdout == shown, command
            ran += 1
    assert ran > 10


@pytest.mark.parametrize("name", sorted(OF_ADD_ONS))
def test_a_command_of_an_add_on_says_what_is_missing(core: Path, name: str) -> None:
    done = run_python(core, "-m", "keizer", name, "sample.db")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: this belongs to the add-on ")
    assert f"\n  {name} " not in run_python(core, "-m", "keizer", "--help").stdout


@pytest.mark.seeds
def test_the_tests_of_the_core_pass(core: Path) -> None:
    rooms = ("sql", "pairing", "season", "store", "cli", "sample", "conformance")
    there = [f"tests/{room}" for room in rooms if (core / "tests" / room).exists()]
    chosen = "not campaign and not seeds and not clients and not addons"
    done = run_python(
        core, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", chosen, *there
    )
    assert done.returncode == 0, done.stdout[-4000:]
