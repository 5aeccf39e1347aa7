"""The season file is the club's: written, kept, noticed, given back; nothing is lost."""

import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from os import kill
from pathlib import Path

import pytest

from standalone.tests.person import WITHOUT_PICKERS, Person
from tests.support import heavy
from tests.support.evening import MEMBERS, facts, new_season
from tests.support.files import edit, rows, run_keizer

HANDLES = Path(__file__).with_name("handles.js").read_text(encoding="utf-8")
People = Callable[..., Person]


def away(file: Path) -> set[str]:
    """Who is signed off from round 1."""
    query = "SELECT name FROM unplayed JOIN player ON player.id = player_id WHERE round_number = 1"
    return {name for (name,) in rows(file, query)}


def opened(visitor: People, file: Path) -> Person:
    """Somebody who opened a file with the picker, which gives a handle."""
    person = visitor(HANDLES)
    person.run(f"window.chosen = {str(file)!r}")
    person.press("Open a file")
    person.expect("Every step is written to club.db.")
    return person


@pytest.fixture
def season(tmp_path: Path) -> Path:
    return new_season(tmp_path / "club.db")


def test_every_step_is_in_the_file_at_once(visitor: People, season: Path) -> None:
    """It is the file that the same commands make, sound, and without anything beside it."""
    twin = season.with_name("twin.db")
    shutil.copy(season, twin)
    person = opened(visitor, season)
    for name in MEMBERS[2:4]:
        person.press(name)
        run_keizer("absent", twin, name)
        assert facts(season) == facts(twin)
    assert run_keizer("check", season).exit_code == 0
    assert {one.name for one in season.parent.glob("club*")} == {"club.db"}


def test_what_another_program_did_is_read_not_overwritten(
    visitor: People, season: Path
) -> None:
    """The step is asked for once more, on the file as it is."""
    person = opened(visitor, season)
    person.press(MEMBERS[2])
    run_keizer("absent", season, MEMBERS[3])
    person.press(MEMBERS[4])
    person.expect("Another program has changed club.db, and it was read anew")
    assert away(season) == {*MEMBERS[2:4]}
    person.press(MEMBERS[4])
    person.expect("Every step is written")
    assert away(season) == {*MEMBERS[2:5]}


TROUBLES = {
    "gone": "club.db is not there any more",
    "readonly": "could not be written: The file cannot be changed",
    "full": "could not be written: No space left",
    "denied": "may not write to club.db",
}


def test_a_file_that_cannot_be_written_costs_no_step(
    visitor: People, season: Path
) -> None:
    """It is said; the browser keeps the steps; Save writes them once the trouble is over."""
    person = opened(visitor, season)
    done = set()
    pairs = zip(MEMBERS[2::2], MEMBERS[3::2], strict=True)
    for (first, second), (trouble, said) in zip(pairs, TROUBLES.items(), strict=False):
        before = season.read_bytes()
        if trouble == "gone":
            season.unlink()
        person.run(f"window.{trouble} = true")
        person.press(first)
        person.expect(said)
        person.expect(
            "Changes that are not in club.db yet: 1. This browser keeps them."
        )
        if trouble == "gone":
            assert not season.exists()
            season.write_bytes(before)
        assert season.read_bytes() == before
        person.run(f"window.{trouble} = false")
        person.press("Save club.db")
        person.press(second)
        person.expect("Every step is written")
        done |= {first, second}
        assert away(season) == done


@pytest.mark.parametrize("trouble", ["gone", "read-only"])
def test_what_cannot_be_written_is_saved_elsewhere(
    visitor: People, season: Path, trouble: str
) -> None:
    """One press of Save asks for another place; from then on that one is written."""
    person = opened(visitor, season)
    if trouble == "gone":
        season.unlink()
    else:
        person.run("window.readonly = true")
    person.press(MEMBERS[2])
    there = season.with_name("new.db")
    person.run(
        f"window.chosen = {str(there)!r}; window.pick ??= showSaveFilePicker;"
        " window.showSaveFilePicker = () => { window.readonly = false; return pick() }"
    )
    person.press("Save club.db")
    person.expect("Every step is written to new.db.")
    person.press(MEMBERS[3])
    assert away(there) == {*MEMBERS[2:4]}


def test_a_question_that_another_tab_overtakes_changes_nothing(
    visitor: People, season: Path
) -> None:
    """Neither what the browser keeps, nor the file, both of which are the other tab's now."""
    person = opened(visitor, season)
    person.run("window.full = true")
    person.press(MEMBERS[2])
    run_keizer("absent", season, MEMBERS[3])
    person.run("window.full = false")
    person.start("Save club.db")
    person.expect("with steps that the file does not have.")
    person.tab()
    person.start("Go on")
    person.expect("club.db is open in another tab of this browser.")
    person.start("Go on here")
    person.expect("with steps that the file does not have.")
    person.press("Go on with the one kept")
    person.start(MEMBERS[4])
    person.expect(f"excused: {MEMBERS[4]}")
    person.turn(0)
    person.start("Open the file")
    person.expect("Another tab has club.db now.")
    person.turn(1)
    person.run(f"window.chosen = {str(season.with_name('mine.db'))!r}")
    person.press("Save club.db")
    assert away(season.with_name("mine.db")) == {MEMBERS[2], MEMBERS[4]}
    assert away(season) == {MEMBERS[3]}


def test_steps_on_both_sides_are_both_kept(visitor: People, season: Path) -> None:
    """Those of here are put aside under another name when the file is read anew."""
    person = opened(visitor, season)
    person.run("window.full = true")
    person.press(MEMBERS[2])
    run_keizer("absent", season, MEMBERS[3])
    person.run("window.full = false")
    person.start("Save club.db")
    person.expect("with steps that the file does not have. The last of them:")
    person.press("Open the file")
    person.expect("it is called club-2.db now.")
    assert away(season) == {MEMBERS[3]}
    person.press("All seasons")
    person.click("[data-name='club-2.db']")
    mine = Path(season.with_name("mine.db"))
    person.run(f"window.chosen = {str(mine)!r}")
    person.press("Save club-2.db")
    assert away(mine) == {MEMBERS[2]}


def test_a_browser_without_handles_keeps_a_copy(people: People, season: Path) -> None:
    """What is not saved is in sight, survives the browser's end, and is offered back."""
    person = people()
    person.upload("#file", str(season))
    person.expect("club.db is saved.")
    for place in (2, 3):
        person.press(MEMBERS[place])
    person.expect("Changes that are not in club.db yet: 2. This browser keeps them.")
    person.reload()
    person.expect("Changes that are not in club.db yet: 2. This browser keeps them.")
    kill(person.pid(), signal.SIGKILL)
    person.leave()
    again = people()
    again.expect("2 steps not saved in a file")
    again.press("Go on")
    again.expect("club.db is as it was after the last step")
    found = Path(again.save("Save club.db", "club.db"))
    assert away(found) == {*MEMBERS[2:4]}
    assert away(season) == set()


def test_an_older_copy_of_the_same_name_does_not_replace_unsaved_steps(
    visitor: People, season: Path
) -> None:
    """Somebody is asked which one they mean; the other is kept under another name."""
    person = visitor()
    person.upload("#file", str(season))
    person.press(MEMBERS[2])
    person.press(MEMBERS[3])
    other = season.with_name("other") / "club.db"
    other.parent.mkdir()
    shutil.copy(season, other)
    run_keizer("absent", other, MEMBERS[9])
    person.send("#file", str(other))
    person.expect("This browser keeps club.db with steps that the file does not have.")
    person.press("Open the file")
    person.expect("it is called club-2.db now.")
    found = Path(person.save("Save club.db", "club.db"))
    assert away(found) == {MEMBERS[9]}
    person.press("All seasons")
    person.click("[data-name='club-2.db']")
    found = Path(person.save("Save club-2.db", "club-2.db"))
    assert away(found) == {*MEMBERS[2:4]}


@pytest.mark.parametrize("what", ["older", "damaged"])
def test_nothing_replaces_what_the_browser_keeps_unasked(
    visitor: People, season: Path, what: str
) -> None:
    """Also when all of it is saved: a file that lacks some of its log is another season."""
    person = visitor()
    person.upload("#file", str(season))
    person.press(MEMBERS[2])
    person.save("Save club.db", "club.db")
    other = season.with_name("other") / "club.db"
    other.parent.mkdir()
    shutil.copy(season, other)
    if what == "damaged":
        other.write_bytes(other.read_bytes()[:20000])
    person.send("#file", str(other))
    if what == "older":
        person.expect("with steps that the file does not have. The last of them:")
        person.press("Go on with the one kept")
        person.expect("club.db is as it was after the last step")
    else:
        person.expect("club.db: the file is damaged")
    assert away(Path(person.save("Save club.db", "club.db"))) == {MEMBERS[2]}


def test_a_file_is_opened_by_dropping_it(people: People, season: Path) -> None:
    """It is written like one that was chosen; what is no season begins one."""
    person = people(
        prepare=f"{HANDLES}; DataTransferItem.prototype.getAsFileSystemHandle ="
        " async () => new TestedHandle(window.chosen)"
    )
    listed = season.with_name("members.csv")
    listed.write_text("name,rating\nJudit Baker,2110\n")
    for file, said in (
        (season, "Every step is written to club.db."),
        (listed, "is no season"),
    ):
        person.run(f"window.chosen = {str(file)!r}")
        person.drop(str(file))
        person.expect(said)
    person.press("Begin", "main button")
    person.expect("New: Judit Baker.")


def test_a_download_with_a_number_is_the_same_season(
    visitor: People, season: Path
) -> None:
    """Browsers call the second download club(1).db; what was done to it elsewhere is opened."""
    person = visitor()
    person.upload("#file", str(season))
    person.press(MEMBERS[2])
    second = Path(person.save("Save club.db", "club.db")).rename(
        season.with_name("club(1).db")
    )
    run_keizer("absent", second, MEMBERS[3])
    person.upload("#file", str(second))
    person.expect("club.db is saved.")
    assert away(Path(person.save("Save club.db", "club.db"))) == {*MEMBERS[2:4]}


@pytest.mark.parametrize("kind", ["chromium", "webkit"])
def test_of_two_tabs_one_writes(people: People, season: Path, kind: str) -> None:
    """The second is told, and may take the season over; then the first changes nothing more."""
    person = people(kind)
    person.upload("#file", str(season))
    person.press(MEMBERS[2])
    person.tab()
    person.start("Go on")
    person.expect("club.db is open in another tab of this browser.")
    person.press("Leave it there")
    person.expect("No season is open.")
    person.start("Go on")
    person.expect("club.db is open in another tab of this browser.")
    person.press("Go on here")
    person.expect("club.db is as it was after the last step")
    person.press(MEMBERS[3])
    person.turn(0)
    person.expect("Another tab has club.db now.")
    person.press(MEMBERS[4])
    person.expect("Another tab has club.db now.")
    assert "Save club.db" not in person.shown()
    person.turn(1)
    found = Path(person.save("Save club.db", "club.db"))
    assert away(found) == {*MEMBERS[2:4]}


OFF = f"{WITHOUT_PICKERS}; IDBFactory.prototype.open = () => {{ throw Error('off') }}"
NO_ROOM = """
window.put ??= IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (value, key) {
  if (value instanceof Uint8Array) return void this.transaction.abort();
  return put.call(this, value, key);
}
"""


def test_what_a_full_browser_could_not_keep_is_not_forgotten(
    visitor: People, season: Path
) -> None:
    """The step is in the file: after a reload the file counts, and the next step is added to it."""
    person = opened(visitor, season)
    person.press(MEMBERS[2])
    person.run(NO_ROOM)
    person.press(MEMBERS[3])
    person.reload()
    person.press(MEMBERS[4])
    assert away(season) == {*MEMBERS[2:5]}


def test_a_tab_that_lost_a_season_does_not_take_it_back(
    visitor: People, season: Path
) -> None:
    """Neither when somebody looks at it, nor when it is still writing."""
    person = opened(visitor, season)
    person.run("window.slow = true")
    person.start(MEMBERS[2])
    person.holds("window.writing")
    person.tab()
    person.start("Go on")
    person.expect("club.db is open in another tab of this browser.")
    person.press("Go on here")
    person.start(MEMBERS[3])
    person.expect(f"excused: {MEMBERS[3]}")
    person.turn(0)
    person.run("window.slow = false; dispatchEvent(new Event('focus'))")
    person.expect("Another tab has club.db now.")
    person.press(MEMBERS[5])
    person.expect("Another tab has club.db now.")
    person.turn(1)
    person.press(MEMBERS[4])
    assert away(season) == {*MEMBERS[2:5]}


def test_a_file_that_changes_while_it_is_written_is_not_overwritten(
    visitor: People, season: Path
) -> None:
    """Both have steps then, and somebody is asked."""
    person = opened(visitor, season)
    person.run("window.slow = true")
    person.start(MEMBERS[2])
    person.holds("window.writing")
    run_keizer("absent", season, MEMBERS[3])
    person.run("window.slow = false")
    person.expect("with steps that the file does not have.")
    person.press("Go on with the one kept")
    person.expect("club.db itself is left as it is")
    assert away(season) == {MEMBERS[3]}
    mine = season.with_name("mine.db")
    person.run(f"window.chosen = {str(mine)!r}")
    person.press("Save club.db")
    assert away(mine) == {MEMBERS[2]}


@pytest.mark.parametrize("trouble", ["older", "changed"])
def test_a_file_with_other_steps_is_asked_about_after_a_reload(
    visitor: People, season: Path, trouble: str
) -> None:
    """An older one that a sync program put there, or one changed while it could not be written."""
    person = opened(visitor, season)
    before = season.read_bytes()
    if trouble == "changed":
        person.run("window.full = true")
    person.press(MEMBERS[2])
    if trouble == "older":
        season.write_bytes(before)
    else:
        run_keizer("absent", season, MEMBERS[3])
    there = away(season)
    person.reload()
    person.expect("No season is open.")
    person.start("Go on")
    person.expect("with steps that the file does not have.")
    person.key("Escape")
    person.start("Go on")
    person.expect("with steps that the file does not have.")
    person.press("Open the file")
    person.expect("it is called club-2.db now.")
    assert away(season) == there
    person.press("All seasons")
    person.run(f"window.chosen = {str(season.with_name('club-2.db'))!r}")
    person.click("[data-name='club-2.db']")
    person.press("Save club-2.db")
    assert away(season.with_name("club-2.db")) == {MEMBERS[2]}


@pytest.mark.parametrize("bytes_left", [0, 20000])
def test_a_file_that_became_no_season_leaves_the_one_that_is_open(
    visitor: People, season: Path, bytes_left: int
) -> None:
    """The step that was asked for is asked for once more; all can be saved elsewhere."""
    person = opened(visitor, season)
    person.press(MEMBERS[2])
    season.write_bytes(season.read_bytes()[:bytes_left])
    person.press(MEMBERS[3])
    person.expect("club.db itself is left as it is from now on")
    person.press(MEMBERS[3])
    person.run(f"window.chosen = {str(season.with_name('new.db'))!r}")
    person.press("Save club.db")
    person.expect("Every step is written to new.db.")
    assert away(season.with_name("new.db")) == {*MEMBERS[2:4]}


def test_quick_steps_on_a_file_that_has_changed_are_all_asked_for_again(
    visitor: People, season: Path
) -> None:
    """Not the second and third without the first."""
    person = opened(visitor, season)
    run_keizer("absent", season, MEMBERS[9])
    person.run(
        "for (const name of ["
        + ",".join(repr(name) for name in MEMBERS[2:5])
        + "]) [...document.querySelectorAll('.grid button')]"
        ".find((it) => it.innerText.startsWith(name)).click()"
    )
    person.expect("Another program has changed club.db, and it was read anew")
    person.press(MEMBERS[5])
    assert away(season) == {MEMBERS[5], MEMBERS[9]}


def test_steps_that_nobody_else_has_are_not_left_unasked(
    people: People, season: Path
) -> None:
    """Opening the same file again, another one, or a new season; and no lock is let go of."""
    other = season.with_name("two.db")
    shutil.copy(season, other)
    person = people(
        prepare=f"{OFF}; window.times = 0; window.confirm = () => {{ times++; return false }}"
    )
    person.upload("#file", str(season))
    person.press(MEMBERS[2])
    for file in (season, other):
        person.upload("#file", str(file))
    person.press("All seasons")
    person.type("input[name=name]", "New")
    person.press("Begin", "main button")
    assert person.run("[times, [...held.keys()].join()].join()") == "3,club.db"
    assert away(Path(person.save("Save club.db", "club.db"))) == {MEMBERS[2]}


def test_a_snapshot_put_in_place_is_not_undone_unasked(
    visitor: People, season: Path
) -> None:
    """By opening the file that was saved before, which has all of its steps."""
    person = visitor()
    person.upload("#file", str(season))
    person.more("File")
    person.press("Make a snapshot now")
    person.press("Tonight", "header a")
    person.press(MEMBERS[2])
    saved = person.save("Save club.db", "club.db")
    person.more("File")
    person.press("1:", "main a")
    person.press("Put it in place")
    person.send("#file", saved)
    person.expect("This browser keeps club.db")
    person.press("Go on with the one kept")
    assert away(Path(person.save("Save club.db", "club.db"))) == set()


def test_snapshots_are_the_browser_s_whatever_folder_the_club_has(
    visitor: People, season: Path
) -> None:
    edit(
        season,
        "INSERT OR REPLACE INTO backup (id, folder) VALUES (1, '/no/such/stick')",
    )
    person = visitor()
    person.upload("#file", str(season))
    person.press("Pair round 1")
    paths = person.run(
        "kept.files('club.db').then((files) => Object.keys(files).join())"
    )
    assert paths.startswith("club.backups/")


def odd_files(season: Path) -> Iterator[str]:
    """Put files that are no sound season into its place, in turn; what is said of each."""
    sound = season.read_bytes()
    for data in (b"a,b\n1,2\n", b""):
        season.write_bytes(data)
        yield "odd.db is no season of keizer"
    season.write_bytes(sound[:4096] + bytes(16384) + sound[20480:])
    yield "odd.db: the file is damaged"
    season.write_bytes(sound)
    edit(season, "PRAGMA user_version = 9999")
    yield "newer"
    season.write_bytes(sound)
    with closing(sqlite3.connect(season)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
    yield "another program can have changes beside it (WAL)"
    with season.open("ab") as file:
        file.truncate(201 << 20)
    yield "odd.db is larger than 200 MB"


def test_a_file_that_is_no_sound_season_is_a_sentence(
    visitor: People, season: Path
) -> None:
    """And the season that was open stays open."""
    odd = season.with_name("odd.db")
    shutil.copy(season, odd)
    person = visitor()
    person.upload("#file", str(season))
    done = set()
    for name, said in zip(MEMBERS[2:], odd_files(odd), strict=False):
        person.press("Tonight", "header a")
        person.press(name)
        done.add(name)
        person.upload("#file", str(odd))
        person.expect(said)
        person.expect(f"Changes that are not in club.db yet: {len(done)}.")
    assert len(done) == 6
    found = Path(person.save("Save club.db", "club.db"))
    assert away(found) == done


def test_where_the_browser_keeps_nothing_it_says_so(
    people: People, season: Path
) -> None:
    """IndexedDB switched off: the face works, and what is not saved is kept nowhere."""
    person = people(prepare=OFF)
    person.expect("This browser does not open what it keeps: off.")
    person.upload("#file", str(season))
    person.press(MEMBERS[2])
    person.expect("This browser keeps nothing: save them.")
    assert away(Path(person.save("Save club.db", "club.db"))) == {MEMBERS[2]}


def test_a_browser_that_still_holds_what_it_keeps_is_asked_again(
    people: People, season: Path
) -> None:
    """As one does that was killed a moment ago."""
    person = people(
        prepare=f"{WITHOUT_PICKERS}; let refusals = 2; const opening = IDBFactory.prototype.open;"
        " IDBFactory.prototype.open = function (...given) {"
        " if (refusals-- > 0) throw Error('held'); return opening.apply(this, given) }"
    )
    person.upload("#file", str(season))
    person.press(MEMBERS[2])
    person.expect("This browser keeps them.")


def test_a_browser_that_cannot_keep_a_step_says_why(
    people: People, season: Path
) -> None:
    """The step stands in the page: saved, it is in the file."""
    person = people()
    person.upload("#file", str(season))
    person.run(
        "IDBObjectStore.prototype.put = () => { throw new DOMException('The disk is broken.',"
        " 'UnknownError') }"
    )
    person.press(MEMBERS[2])
    person.expect("This browser could not keep the last step: The disk is broken.")
    assert away(Path(person.save("Save club.db", "club.db"))) == {MEMBERS[2]}


def test_a_file_that_is_read_for_too_long_costs_no_step(
    visitor: People, season: Path
) -> None:
    """Python, which cannot be interrupted, is ended, and begins with the season as it was kept."""
    endless = season.with_name("endless.json")
    endless.write_bytes(heavy.JSON["700,000 places in a list"][0]())
    person = opened(visitor, season)
    person.press(MEMBERS[2])
    person.run("second = 20")  # the minute that a file has is over after one
    person.go("/members")
    person.press("Import a list", "summary")
    person.upload("input[type=file][name=list]", str(endless))
    person.click("form[action$='do/import'] button")
    person.run("second = 1000")
    person.expect(
        "endless.json: this file takes too much time to read, so nothing was done."
    )
    person.expect("Every step is written to club.db.")
    person.go("/tonight")
    person.press(MEMBERS[3])
    assert away(season) == {*MEMBERS[2:4]}
    assert run_keizer("check", season).exit_code == 0
    assert person.errors() == []
