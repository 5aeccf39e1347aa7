"""What was done is said where it was done, and what was refused where it was typed."""

import re
from io import BytesIO
from pathlib import Path

from keizer.web.visit import Face, Note, Notes
from tests.support.console import new_club
from tests.support.face import Person, ask, client, director, done, face_of, phone
from tests.support.files import edit, rows, run_keizer


def _inside(html: str, place: str) -> str:
    """What a row, a list or a form holds, by its id."""
    tag = re.search(rf'<(\w+)[^>]*\bid="{place}"', html)
    assert tag is not None, f"nothing is called {place}"
    begins = tag.start()
    return re.sub("<[^>]*>", " ", html[begins : html.index(f"</{tag[1]}>", begins)])


def test_a_row_says_who_moved_by_its_result(face: Face, season: Path) -> None:
    """By the ranks that the file has before and after it; the other row says nothing."""
    person, seen = director(face), 0
    person.go("/tonight")
    for result in ("0-1", "1-0"):
        before = _ranks(season)
        page = person.press({"0-1": "0", "1-0": "1"}[result], result)
        after = _ranks(season)
        moved = {name for name in after if after[name] != before[name]}
        seen += len(moved)
        for name in moved:
            assert f"{name} {before[name]} → {after[name]}" in _inside(page.html, "b1")
        assert "Who moved" not in _inside(page.html, "b2")
    assert seen


def test_what_was_refused_stands_in_its_form_with_all_that_was_typed(
    face: Face,
) -> None:
    """Without script, too: name, rating and category are there again, and what is wrong."""
    person = director(face)
    person.go("/members")
    page = person.press("Add", None, name="Zoë", rating="many", category="B")
    form = next(one for one in page.forms if one.action.endswith("do/add"))
    there = {field.name: field.value for field in form.fields}
    assert (there["name"], there["rating"], there["category"]) == ("Zoë", "many", "B")
    assert "Rating" in _inside(page.html, "new-form") and len(person.said) == 1
    page = person.go("/members")
    form = next(one for one in page.forms if one.action.endswith("do/add"))
    assert {field.value for field in form.fields if field.name == "name"} == {""}


def _waiting(face: Face, person: Person) -> list[Note]:
    """What is kept for somebody who is not the director, until they load a page."""
    with person.client.session_transaction() as session:
        return face.notes_of_others.take(session.get("notes", ""))


def test_of_a_refused_form_its_own_fields_alone_are_kept(face: Face) -> None:
    """Whoever posts and never loads a page leaves the last few notes, of what the form has."""
    person, unknown = (
        phone(face, face.hall()),
        {f"{'x' * 90}{field}": "" for field in range(500)},
    )
    sent = {"token": person.page.token, "at": "b1", "result": "1-0", **unknown}
    for _ in range(40):
        ask(person.client, "/do/report", "POST", data=sent)
    assert face.notes_of_others.size < 20_000
    kept = _waiting(face, person)
    assert 1 < len(kept) <= 11
    assert all({*note.typed} == {"token", "at", "result"} for note in kept)
    sent = {"token": person.page.token, "result": "1" * 60_000}
    ask(person.client, "/do/report", "POST", data=sent)
    assert [note.typed for note in _waiting(face, person)] == [{}]


def test_nothing_that_a_stranger_types_is_kept(face: Face) -> None:
    """Not even what is nearly the PIN, when they have to wait."""
    kept: list[Note] = []
    for _ in range(8):
        person = Person(client(face), "/pin")
        sent = {"token": person.page.token, "pin": "314159", "name": "x" * 1000}
        ask(person.client, "/pin", "POST", data=sent)
        ask(person.client, "/do/add", "POST", data=sent)
        ask(person.client, "/do/report", "POST", data=sent)
        kept += _waiting(face, person)
    assert any("wait" in str(said) for note in kept for said in note.said)
    assert not any(note.typed for note in kept)


def test_the_notes_of_all_browsers_have_a_limit_and_the_oldest_go_first() -> None:
    """In bytes, by names of fields as by what stands in them, and in number."""
    notes, most = Notes(), 1 << 20
    large = {"names": {"x" * 900 + str(field): [""] for field in range(50)}, "cells": {
        "names": ["x" * 900 + str(field) for field in range(50)]}}  # fmt: skip
    for typed in large.values():
        keys = [
            notes.add("", [Note("refused", ["no"], typed=typed)]) for _ in range(100)
        ]
        assert most / 2 < notes.size <= most
        assert not notes.take(keys[0]) and notes.take(keys[-1])
    keys = [notes.add("", [Note("done", ["yes"])]) for _ in range(300)]
    assert sum(bool(notes.take(key)) for key in keys) == 200 and not notes.size
    key = ""
    for number in range(30):
        key = notes.add(key, [Note("refused", [str(number)], typed=large["names"])])
    ours = notes.take(key)
    assert ours[-1].said == ["29"] and sum(note.size for note in ours) <= 1 << 17


def test_all_that_one_form_has_to_say_is_said() -> None:
    """However much, as of a rating list; what waited before it is not."""
    notes, lines = Notes(), [Note("done", ["x" * 1000]) for _ in range(3000)]
    key = notes.add("", [Note("done", ["before"])])
    assert notes.take(notes.add(key, lines)) == lines


def test_a_draft_follows_who_comes_and_goes(face: Face, season: Path) -> None:
    """The boards that stand stay; a program that does not ask for it has them as they were."""
    for board in ("1", "2"):
        run_keizer("result", season, board, "1-0")
    run_keizer("next-round", season)
    (kept,) = rows(
        season, "SELECT white, black FROM round WHERE round_number = 2 AND board = 1"
    )
    (gone, left) = rows(
        season, "SELECT white, black FROM round WHERE round_number = 2 AND board = 2"
    )[0]
    done(face, "absent", players=f"#{gone}")
    assert (
        rows(season, "SELECT 1 FROM unplayed WHERE round_number = 2 AND kind = 'bye'")
        == []
    )
    done(face, "present", players=f"#{gone}")
    done(face, "absent", players=f"#{gone}", follow="1")
    (now,) = rows(season, "SELECT white, black FROM round WHERE round_number = 2")
    assert sorted(now) == sorted(kept)
    assert rows(
        season, "SELECT player_id FROM unplayed WHERE round_number = 2 AND kind = 'bye'"
    ) == [(left,)]


def test_a_draft_tells_rank_score_and_colours_without_anything_opened(
    face: Face, season: Path
) -> None:
    """As the standings and the boards of the round before have them."""
    for board in ("1", "2"):
        run_keizer("result", season, board, "1-0")
    run_keizer("next-round", season)
    html = director(face).go("/tonight").html
    lines = re.findall(r"<tr>.*?</tr>", html, re.DOTALL)
    texts = [" ".join(re.sub("<[^>]*>", " ", row).split()) for row in lines]
    whites = {
        white
        for (white,) in rows(season, "SELECT white FROM round WHERE round_number = 1")
    }
    standings = rows(
        season,
        "SELECT player_id, name, rank, score FROM standings WHERE round_number = 1",
    )
    assert len(standings) == 4
    for player, name, rank, score in standings:
        colour = "W" if player in whites else "B"
        assert any(
            f"{name} {rank} · {score:.10g} · {colour}" in text for text in texts
        ), texts


def test_a_season_without_a_round_has_pages_and_no_accident(tmp_path: Path) -> None:
    """Each page answers 200, says what is not there yet, and has the season's name."""
    db = new_club(tmp_path / "club.db", name="Our club").db
    person = director(face_of(db))
    for path in ("tonight", "results", "members", "plan", "standings.html", "crosstable.html",
                 "season.html", "statistics.html", "rules", "files", "log", "screen"):  # fmt: skip
        person.go(f"/{path}")
        assert person.status == 200, path
        assert "Our club" in person.text and "did not work" not in person.text, path
    person.go("/no-such-page")
    assert person.status == 404 and "Our club" in person.text


def _ranks(db: Path) -> dict[str, int]:
    return dict(rows(db, "SELECT name, rank FROM current_standings"))


def test_a_season_begins_with_a_list_that_has_questions(
    face: Face, season: Path
) -> None:
    """It is open, and what is answered comes in; a program is refused, and no season is there."""
    text = b"Hello, here is the list:\n1. Anna Visser 1800\n2. Boris Bos 1700\n"
    person = director(face)
    person.go("/start")
    page = person.press("Begin", None, name="Winter", list=(BytesIO(text), "list.txt"))
    assert "Is this a member?" in person.text and "Anna Visser" in page.html
    person.press("Import the list", None, who=["1=nobody"], sure="1")
    winter = season.with_name("Winter.db")
    assert rows(winter, "SELECT name, rating FROM player ORDER BY id") == [
        ("Anna Visser", 1800), ("Boris Bos", 1700),
    ]  # fmt: skip
    answer = done(face, "begin", name="Spring", list_text=text.decode())
    assert answer.status_code == 409 and not season.with_name("Spring.db").exists()


def test_two_entries_are_merged_from_either_page(face: Face, season: Path) -> None:
    """The older one stays, with its number, and the page that comes is one that is there."""
    done(face, "add", name="Anna Viser", new="1")
    person = director(face)
    person.go("/members/5")
    person.press("Look what would change", None, other="1")
    person.press("Make them one", None, name="Anna Viser")
    assert person.status == 200
    assert rows(season, "SELECT id, name FROM player WHERE id IN (1, 5)") == [
        (1, "Anna Viser")
    ]


def test_a_game_of_another_day_says_so_wherever_its_board_stands(
    face: Face, season: Path
) -> None:
    """Without a question, though the round is past: no score changes."""
    run_keizer("rounds", season, "--date", 1, "2026-03-10")
    run_keizer("result", season, 2, "1-0")
    run_keizer("next-round", season, "--allow-open")
    ((white,),) = rows(
        season, "SELECT white FROM round WHERE round_number = 1 AND board = 1"
    )
    me, day = director(face), "17 March 2026"
    me.go("/results/1")
    assert day not in me.text
    me.press("Save", on="2026-03-17")
    assert me.said == ["Round 1, board 1: on 2026-03-17."] and day in me.text
    for page in ("round/1.html", "sheet/1.html", f"player/{white}.html"):
        assert director(face).go(f"/{page}").html.count(day) == 1, page
    me.press("With its round")
    assert rows(season, "SELECT date FROM round WHERE date IS NOT NULL") == []
    edit(season, "UPDATE round SET date = '2026-03-17' WHERE round_number = 2")
    run_keizer("publish-round", season)
    assert day in phone(face, face.invitation(white)).go("/me").html


def test_a_season_is_not_finished_over_an_adjourned_game_unsaid(
    face: Face, season: Path
) -> None:
    """The page that asks names the game; nothing is closed by it."""
    run_keizer("result", season, "1", "adj")
    run_keizer("result", season, "2", "1-0")
    ((white, black),) = rows(
        season, "SELECT white, black FROM pairings WHERE board = 1"
    )
    person = director(face)
    person.go("/plan")
    person.press("Finish the season")
    assert f"Adjourned in round 1: {white} – {black}." in person.text
    assert rows(season, "SELECT status FROM tournament") == [("running",)]


def test_undo_says_whose_it_is(face: Face, season: Path) -> None:
    """What a member did by phone is not taken back for one's own."""
    person = director(face)
    ((player, name),) = rows(
        season, "SELECT id, name FROM player WHERE name LIKE 'Anna%'"
    )
    phone(face, face.invitation(player)).press("", "½-½")
    (button,) = re.findall(
        r'<button title="Undo: ([^"]*)" class="others">', person.go("/log").html
    )
    assert button.startswith(f"{name}: ")
