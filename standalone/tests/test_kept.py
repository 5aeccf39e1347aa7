"""What a page said is kept is kept: without room, in two tabs, when the browser is killed."""

import os
import random
import re
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from standalone.tests.person import Person
from tests.support.evening import new_season
from tests.support.files import rows, run_keizer

People = Callable[..., Person]
BOARDS = range(1, 13)
RESULTS = ["1-0", "½-½", "0-1"]
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(1, 50))]


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """Round 1 is published, and has no result."""
    file = new_season(tmp_path / "club.db")
    run_keizer("next-round", file)
    run_keizer("publish-round", file)
    return file


def entered(file: Path) -> list[tuple[int, str]]:
    """The boards and results of a sound file, as they were entered."""
    assert run_keizer("check", file).exit_code == 0
    told = [
        text for (text,) in rows(file, "SELECT description FROM command ORDER BY id")
    ]
    found = [
        re.fullmatch(r"results of round 1: board (\d+) (\S+)", text) for text in told
    ]
    return [(int(one[1]), one[2]) for one in found if one]


def saved(person: Person) -> list[tuple[int, str]]:
    return entered(Path(person.save("Save club.db", "club.db")))


def button(board: int, result: str) -> str:
    return f"#b{board} button[value='{result}']"


def at_results(people: People, season: Path, room: int = 0) -> Person:
    person = people(room=room)
    person.upload("#file", str(season))
    person.go("#/results")
    return person


# ---------------------------------------------------------------------------- no room

ROOM = 2_000_000
FULL = (
    "This browser has no room left and did not keep the last step. Save the file now."
)
NOT_KEPT = (
    "Changes that are not in club.db yet: {}. This browser keeps nothing: save them."
)
FILL = """
(async () => {
  const done = (asked) => new Promise((fulfil, fail) => {
    asked.onsuccess = asked.oncomplete = () => fulfil(asked.result);
    asked.onabort = () => fail(asked.error);
  });
  const asked = indexedDB.open("another page", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("all", { autoIncrement: true });
  const base = await done(asked);
  for (let size = 1 << 16; size > 200; ) {
    const change = base.transaction("all", "readwrite");
    change.objectStore("all").put(crypto.getRandomValues(new Uint8Array(size)));
    await done(change).catch(() => (size >>= 1));
  }
  base.close();
})()
"""
"""Another page from a file, which takes all the room there is: Chromium has one for them all."""
EMPTY = """
new Promise((end) => (indexedDB.deleteDatabase("another page").onsuccess = () => end(null)))
"""
HAS = "kept.files('club.db').then((files) => Array.from(files['club.db']))"


def test_what_there_is_no_room_for_is_said_and_kept_once_there_is(
    people: People, season: Path
) -> None:
    """What was kept before stays; a step with a snapshot is owed, too."""
    person = at_results(people, season, ROOM)
    person.click(button(1, "1-0"))
    person.expect("This browser keeps them.")
    person.run(FILL)
    for number, board in enumerate((2, 3), 2):
        person.click(button(board, "1-0"))
        person.expect(FULL)
        person.expect(NOT_KEPT.format(number))
        assert "keeps them" not in person.shown()
    there = season.with_name("there.db")
    there.write_bytes(bytes(person.run(HAS)))
    assert entered(there) == [(1, "1-0")]
    person.run(EMPTY)
    person.click(button(4, "1-0"))
    person.expect("Changes that are not in club.db yet: 4. This browser keeps them.")
    assert FULL not in person.shown()
    os.killpg(person.pid(), signal.SIGKILL)
    person.leave()
    person = people()
    person.press("Go on")
    assert saved(person) == [(board, "1-0") for board in (1, 2, 3, 4)]


def test_what_is_saved_for_want_of_room_is_not_followed_by_something_older(
    people: People, season: Path
) -> None:
    """After a reload, what was kept before is not open unasked; nor is a snapshot said to be."""
    person = at_results(people, season, ROOM)
    person.click(button(1, "1-0"))
    person.run(FILL)
    person.click(button(2, "1-0"))
    assert saved(person) == [(1, "1-0"), (2, "1-0")]
    person.more("File")
    person.press("Make a snapshot now")
    person.expect(FULL)
    person.reload()
    person.expect("No season is open.")
    person.run(EMPTY)
    person.press("Go on")
    person.expect("club.db is as it was after the last step that this browser kept")
    person.send("#file", str(person.downloads / "club.db"))
    person.expect("This browser keeps club.db with steps")
    person.press("Open the file")
    assert saved(person) == [(1, "1-0"), (2, "1-0")]


# ---------------------------------------------------------------------------- two tabs

PRESSED = """
[...document.querySelectorAll("[id^=b] [aria-pressed=true]")]
  .map((it) => [Number(it.closest("tr").id.slice(1)), it.value])
"""
LOST = "Another tab has club.db now."


def begin_to_take_over(person: Person) -> None:
    """In a tab that has no season: up to the question."""
    person.start("Go on")
    person.expect("club.db is open in another tab of this browser.")


@pytest.mark.parametrize("late", [False, True])
def test_a_tab_that_stands_still_while_another_takes_its_season_is_told(
    people: People, season: Path, late: bool
) -> None:
    """It had a step in hand, of which the other knows nothing and which would undo the other's.

    late: it writes that after the other has read, and before the other writes; then that is read.
    """
    person = at_results(people, season)
    person.click(button(1, "1-0"))
    person.tab()
    begin_to_take_over(person)
    person.turn(0)
    person.stop("kept.step")
    person.start("", button(2, "1-0"))
    person.stands()
    person.turn(1)
    if late:
        person.stop("kept.step")
        person.start("Go on here")
        person.stands()
        person.turn(0)
        person.goes()
        person.expect("Round 1, board 2:")
        person.turn(1)
        person.goes()
        person.rests()
    else:
        person.press("Go on here")
        person.expect("was being done")
    person.go("#/results")
    person.click(button(3, "1-0"))
    person.turn(0)
    if not late:
        person.goes()
        person.expect("is not done: another tab has club.db now. Do it there.")
    person.rests()
    person.expect(LOST)
    person.turn(1)
    person.reload()  # from what is kept, not from what the tab knows
    expected = [1, 2, 3] if late else [1, 3]
    assert saved(person) == [(board, "1-0") for board in expected]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_result_that_one_of_two_tabs_said_was_kept_is_lost(
    people: People, season: Path, seed: int
) -> None:
    """They enter results in turn and at once, and take the season from each other."""
    rng = random.Random(seed)
    person = at_results(people, season)
    claims: Counter[tuple[int, str]] = Counter()
    shown: list[dict[int, str]] = [{}, {}]

    def enter(tab: int) -> tuple[int, str]:
        """Press a result, without waiting."""
        person.turn(tab)
        board = rng.choice(BOARDS)
        result = rng.choice([one for one in RESULTS if one != shown[tab].get(board)])
        person.start("", button(board, result))
        return board, result

    def look(tab: int, board: int, result: str) -> None:
        """What the page says of that, once it has ended: it counts, if it claims to be kept."""
        person.turn(tab)
        person.rests()
        shown[tab] = dict(person.run(PRESSED))
        told: str = person.shown()
        keeps = (
            "This browser keeps them." in told or "What you did here is kept" in told
        )
        if shown[tab].get(board) == result and keeps:
            claims[board, result] += 1
        else:
            assert LOST in told

    person.tab()
    owner = 0
    for _ in range(6 if seed else 3):
        for _ in range(rng.randrange(3)):
            look(owner, *enter(owner))
        other = 1 - owner
        person.turn(other)
        begin_to_take_over(person)
        mine = enter(owner)
        person.turn(other)
        person.wait(rng.choice((0, 3, 10, 30, 50, 100)))
        person.start("Go on here")
        person.rests()
        person.go("#/results")
        shown[other] = dict(person.run(PRESSED))
        theirs = enter(other)
        look(owner, *mine)
        person.go("#/results")
        late = enter(owner)
        look(other, *theirs)
        look(owner, *late)
        person.reload()
        owner = other
    person.turn(owner)
    person.reload()
    assert claims - Counter(saved(person)) == Counter()
    assert sum(claims.values()) >= 3


# ---------------------------------------------------------------------------- killed

SAID = """
new Promise((end) => {
  const look = () => document.body.innerText.includes("Round 1, board %s:") && end();
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
  look();
})
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_browser_that_is_killed_loses_at_most_the_step_in_hand_and_says_so(
    people: People, season: Path, seed: int
) -> None:
    """All of its processes at once: when the page has just said a result, and at any moment."""
    rng = random.Random(seed)
    done: list[tuple[int, str]] = []
    person = at_results(people, season)
    for said in (True, False):
        for board in rng.sample(BOARDS, rng.randrange(1, 4)):
            result = rng.choice([one for one in RESULTS if (board, one) not in done])
            person.start("", button(board, result))
            person.run(SAID % board)
            person.rests()
            done.append((board, result))
        board = rng.choice([one for one in BOARDS if one not in dict(done)])
        last = (board, "1-0")
        moment = rng.choice((0, 1, 3, 10, 30, 100, 200))
        group = person.pid()
        person.start("", button(*last))
        person.run(SAID % board) if said else person.wait(moment)
        os.killpg(group, signal.SIGKILL)
        person.leave()
        person = people()
        person.press("Go on")
        told: str = person.shown()
        found = saved(person)
        assert found == [*done, last] if said else found in (done, [*done, last])
        if found == done:
            assert "was being done" in told or moment < 30
        if "was being done" not in told:
            assert "as it was after the last step" in told
        done = found
        person.go("#/results")
