"""An evening of 24 members by pressing buttons: the file is that of the commands, row by row."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.evening import (
    ABSENT,
    DUTY,
    HOME,
    LATE,
    MEMBERS,
    RESULTS,
    begun,
    facts,
    typed,
)  # fmt: skip
from tests.support.face import director, face_of


@pytest.mark.seeds
def test_an_evening_of_buttons_is_the_evening_of_commands(tmp_path: Path) -> None:
    season = begun(tmp_path / "club.db")
    twin = tmp_path / "twin.db"
    twin.write_bytes(season.read_bytes())
    typed(twin)
    me = director(face_of(season))
    for name in ABSENT:
        me.press(name)
    me.press(DUTY, kind="club duty")
    assert me.said == [f"{DUTY} is away, club duty."]
    me.press(LATE, kind="excused")
    me.press("Pair round 1")
    assert me.said == ["Round 1 is paired. It is a draft."]
    me.press(LATE)
    assert me.said == [f"{LATE} is here, and has no seat: pair anew, keeping the other boards."]
    assert f"Without a seat: {LATE}" in me.text
    me.press("Pair anew, keep the other boards")
    me.press(HOME)
    me.press("Pair anew, keep the other boards")
    assert "Proved" not in me.text or "Without a seat" not in me.text
    me.follow(MEMBERS[0])
    me.press(f"Swap with {MEMBERS[1]}")
    assert me.said[0].startswith("Round 1, board")
    me.press("Publish")
    assert me.said == ["Round 1 is published."]
    me.follow("Sheet to print")
    me.go("/results")
    for board, result in enumerate(RESULTS, 1):
        row = f'id="b{board}"'
        assert row in me.page.html
        enter(me, board, result)
    assert "All results are in." in me.text
    enter(me, 2, "1-0")
    assert "(was ½-½)" in me.said[0] and me.said[1].startswith("Who moved: ")
    me.press("↶ Undo")
    assert me.said[0].startswith("Undone: results of round 1: board 2 1-0")
    assert facts(season) == facts(twin)


def enter(me: Any, board: int, result: str) -> None:
    """Press a result of a board."""
    form, button = next(
        (form, one)
        for form, one in me.page.buttons()
        if form.action.endswith("do/result")
        and one.value == result
        and any(field.name == "board" and field.value == str(board) for field in form.fields)
    )
    me.read("POST", "http://localhost/do/result", data=form.sent(button, {}))
