"""The face in a real browser: an evening by mouse, by keys and without script; what axe finds."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.files import CLIENTS, Chromium, Visit, needs_program
from tests.support.served import served
from tests.web.test_evening import (
    ABSENT, DUTY, HOME, LATE, MEMBERS, RESULTS, facts, season, typed,
)  # fmt: skip

__all__ = ["season"]

EVENING = {
    "absent": ABSENT, "duty": DUTY, "late": LATE, "home": HOME, "swap": MEMBERS[:2],
    "results": RESULTS, "correct": [2, "1-0"],
}  # fmt: skip


@pytest.fixture
def evening() -> Callable[..., dict[str, Any]]:
    """Somebody who runs the evening; clicks, keys and what went wrong."""
    node, program = shutil.which("node"), shutil.which("chromium") or shutil.which("google-chrome")
    needs_program(node is not None and (CLIENTS / "node_modules").exists(), "puppeteer")
    needs_program(program is not None, "Chromium")

    def run(address: str, how: str, **more: object) -> dict[str, Any]:
        wish = json.dumps(EVENING | more)
        line = [str(node), str(CLIENTS / "evening.cjs"), str(program), address, how, wish]
        done = subprocess.run(line, capture_output=True, text=True, check=True, timeout=200)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return run


@pytest.mark.parametrize("how", ["mouse", "keys", "plain"])
def test_an_evening_in_a_browser_is_that_of_the_commands(
    season: Path, tmp_path: Path, evening: Callable[..., dict[str, Any]], how: str
) -> None:
    """At most 70 clicks and 20 keys by mouse, with script or without; no click by keys."""
    twin = tmp_path / "twin.db"
    shutil.copy(season, twin)
    typed(twin)
    with served(season) as there:
        found = evening(there.address, how)
    assert found["wrong"] == []
    assert facts(season) == facts(twin)
    if how == "keys":
        assert found["clicks"] == 0
    else:
        assert found["clicks"] <= 70 and found["keys"] <= 20
