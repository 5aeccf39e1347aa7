"""Two evenings in keizer.html, from opening the file to opening it again."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from standalone.tests.person import Person
from tests.support.evening import (
    ABSENT,
    DUTY,
    HOME,
    LATE,
    MEMBERS,
    RESULTS,
    by_commands,
    facts,
    new_season,
)
from tests.support.files import run_keizer

FORBIDDEN = """
new Promise((tell) => {
  addEventListener("securitypolicyviolation", (it) => tell(it.effectiveDirective));
  fetch("http://127.0.0.1:9/").catch(() => {});
})
"""


def evening(person: Person) -> None:
    """The evening of tests/support/evening.py, by mouse."""
    for name in ABSENT:
        person.press(name)
    person.press("club duty", ".chips label")
    person.press(DUTY)
    person.press("excused", ".chips label")
    person.press(LATE)
    person.press("Pair round 1")
    person.expect("It is a draft.")
    person.press(LATE, ".grid button")  # the draft follows
    person.press(HOME, ".grid button")
    person.press(MEMBERS[0], ".draft .seat")
    person.press(f"Swap with {MEMBERS[1]}", ".draft .seat")
    person.press("Publish and print")
    person.expect("Board White Black")
    if person.kind != "webkit":  # its WebDriver has no print
        person.print(str(person.downloads / "sheet.pdf"))
        assert (person.downloads / "sheet.pdf").read_bytes().startswith(b"%PDF")
    person.back()
    for board, result in enumerate(RESULTS, 1):
        person.click(f'#b{board} button[value="{result}"]')
    person.expect("All results are in.")
    person.click('#b2 button[value="1-0"]')
    person.expect("Rank changes")
    person.press("↶ Undo", "header button")
    person.expect("Undone")


@pytest.mark.parametrize("kind", ["chromium", "firefox", "webkit"])
def test_two_evenings_from_a_file_without_network_are_those_of_the_commands(
    tmp_path: Path, people: Callable[..., Person], kind: str
) -> None:
    """Opened, paired, swapped, entered, corrected, undone, printed, saved, opened again.

    The page's own policy forbids it to connect to anything.
    """
    season, twin = new_season(tmp_path / "club.db"), tmp_path / "twin.db"
    shutil.copy(season, twin)
    by_commands(twin)
    person = people(kind)
    person.press("Open a file")
    person.upload("#file", str(season))
    person.expect("club.db is saved.")
    evening(person)
    assert facts(Path(person.save("Save club.db", "club.db"))) == facts(twin)
    person.expect("club.db is saved.")
    person.press("Tonight", "header a")
    person.press("Who comes to round 2?", "main a")
    person.press("Pair round 2")
    person.press("Publish")
    for board in range(1, 13):
        person.click(f'#b{board} button[value="½-½"]')
    person.expect("All results are in.")
    run_keizer("next-round", twin)
    run_keizer("publish-round", twin)
    for board in range(1, 13):
        run_keizer("result", twin, board, "½-½")
    last = Path(person.save("Save club.db", "club.db"))
    assert facts(last) == facts(twin)
    assert run_keizer("check", last).exit_code == 0
    run_keizer("next-round", last)
    person.upload("#file", str(last))
    person.expect("Round 3")
    assert person.errors() == []
    assert person.run(FORBIDDEN) == "connect-src"
