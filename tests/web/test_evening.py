"""An evening of 24 members is the same, row by row, whatever does it.

By clicks, keys and without script: test_browser.py, which compares them with the commands, too.
"""

import shutil
from functools import partial
from pathlib import Path

from keizer.web.visit import Face
from tests.support.evening import by_commands, by_module, by_program, facts, new_season
from tests.support.face import done, face_of


def test_by_commands_by_json_and_by_the_module(tmp_path: Path) -> None:
    """The log too, with the messages on it."""
    first = new_season(tmp_path / "commands.db")
    sent, called = (
        Path(shutil.copy(first, tmp_path / name)) for name in ("json.db", "module.db")
    )
    by_commands(first)
    by_program(partial(_send, face_of(sent)))
    by_module(called)
    assert facts(sent) == facts(first)
    assert facts(called) == facts(first)


def _send(face: Face, act: str, **fields: str) -> None:
    answer = done(face, act, **fields)
    assert answer.status_code == 200, answer.text
