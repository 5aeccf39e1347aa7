"""Members with phones: their own board, confirmed by the opponent; many at once."""

import json
import random
import re
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from keizer.season.club_night import confirmation
from keizer.season.queries import Tournament
from keizer.texts import shown
from keizer.web.keys import Keys
from keizer.web.visit import Face
from tests.support.console import ClubOf
from tests.support.face import Person, director, face_of, phone
from tests.support.files import edit, rows, run_keizer
from tests.support.served import Served, served


def board(season: Path, number: int) -> tuple[int, int]:
    """White and Black of a board of round 1."""
    ((white, black),) = rows(
        season, f"SELECT white, black FROM round WHERE board = {number}"
    )
    return white, black


def member(face: Face, player: int) -> Person:
    return phone(face, face.invitation(player))


def test_a_result_is_marked_until_the_opponent_enters_the_same(
    face: Face, season: Path
) -> None:
    white, black = board(season, 1)
    first, other, me = member(face, white), member(face, black), director(face)
    name = rows(season, f"SELECT name FROM player WHERE id = {white}")[0][0]
    first.press("", "1-0")
    assert first.said[0].startswith("Board 1: ") and "reported" in first.text
    assert rows(season, "SELECT who FROM command ORDER BY id DESC LIMIT 1") == [
        (f"{name} (#{white}), phone",)
    ]
    me.go("/results")
    assert "Confirm the result that was reported" in me.text
    other.go("/me")
    other.press("", "0-1")
    assert other.said == [
        "Your opponent reported 1-0, you reported 0-1. The director can see both."
    ]
    assert rows(season, "SELECT result FROM round WHERE board = 1") == [("1-0",)]
    other.press("", "1-0")
    assert other.said == ["Board 1: 1-0, confirmed. Thank you."]
    me.go("/results")
    assert "Confirm the" not in me.text
    first.go("/me")
    assert "reported" not in first.text


def disputed(season: Path) -> tuple[Person, Person, Person, str]:
    """White of board 1 reported 1-0, Black says 0-1: both, the director, and the mark there is."""
    face = face_of(season, lan=True, keys=Keys(season.parent / "face.db"))
    white, black = board(season, 1)
    first, other, me = member(face, white), member(face, black), director(face)
    first.press("", "1-0")
    other.go("/me")
    other.press("", "0-1")
    name = rows(season, f"SELECT name FROM player WHERE id = {black}")[0][0]
    return first, other, me, f"disputed: {name} says 0–1"


def test_a_dispute_is_shown_until_the_director_enters_a_result(season: Path) -> None:
    """Also the one that was reported; to both at the board, and by what outlives the program."""
    _, other, me, mark = disputed(season)
    member(face_of(season, lan=True, keys=Keys(season.parent / "face.db")), 1)
    assert mark in other.text
    me.go("/tonight")
    assert "1 result is disputed." in me.text
    me.go("/results")
    assert mark in me.text and "Confirm the" not in me.text
    me.press("1", "1-0")
    assert mark not in me.text and "reported" not in me.text
    other.go("/me")
    assert mark not in other.text and reports(season) == {}
    run_keizer("undo", season)
    me.go("/results")
    assert mark in me.text
    me.press("0", "0-1")
    assert rows(season, "SELECT result FROM round WHERE board = 1") == [("0-1",)]
    me.go("/tonight")
    assert mark not in me.text and "disputed" not in me.text


@pytest.mark.each
def test_a_dispute_ends_when_both_say_the_same(season: Path) -> None:
    first, other, me, mark = disputed(season)
    first.press("", "0-1")
    me.go("/results")
    assert mark not in me.text and "reported" in me.text
    other.go("/me")
    other.press("", "0-1")
    assert other.said == ["Board 1: 0-1, confirmed. Thank you."]


def test_a_result_that_the_director_entered_is_not_disputed(
    face: Face, season: Path
) -> None:
    """By a page that a phone still shows."""
    white, _ = board(season, 1)
    first, me = member(face, white), director(face)
    run_keizer("result", season, "1", "1-0")
    first.press("", "0-1")
    assert first.said == [
        "Board 1 has the result 1-0 already: if that is wrong, tell the director."
    ]
    me.go("/results")
    assert "disputed" not in me.text


@pytest.mark.parametrize("side", [0, 1])
def test_what_a_result_would_do_is_what_it_does(
    face: Face, season: Path, side: int
) -> None:
    """The same ranks and scores as when it is entered; said to who asks, and nothing is written."""
    players = board(season, 2)
    mine = hall(face, players[side])
    colours = ("White", "Black")
    names = dict(rows(season, "SELECT id, name FROM player"))
    assert f"Board 2: {colours[side]} against {names[players[1 - side]]}" in mine.text
    before = season.read_bytes()
    mine.follow("What would a result do?")
    assert season.read_bytes() == before
    (start,) = rows(season, f"SELECT rank FROM standings WHERE player_id = {players[side]}"
                            " AND round_number = 0")  # fmt: skip
    said = mine.text
    for what, result in zip(
        ("A win", "A draw", "A loss"),
        (["1-0", "=", "0-1"], ["0-1", "=", "1-0"])[side],
        strict=True,
    ):
        run_keizer("result", season, "2", result)
        query = f"SELECT rank, score FROM current_standings WHERE player_id = {players[side]}"
        ((rank, score),) = rows(season, query)
        assert f"{what}: rank {start[0]} → {rank}, score {shown(score)}" in said
    mine.go("/me?if=1")
    assert "A win" not in mine.text and f"Rank {rank}" in mine.text


def test_what_a_result_would_do_may_be_nothing(face: Face, season: Path) -> None:
    """Where no game brings anything, none of the three moves who has the first board."""
    run_keizer("rules", season, "win=0", "draw=0", "loss=0", "--yes")
    run_keizer("result", season, "2", "1-0")
    mine = member(face, board(season, 1)[0])
    mine.go("/me?if=1")
    assert mine.status == 200 and mine.text.count("nothing changes") == 3


def test_a_phone_of_the_hall_sees_nothing_private(face: Face, season: Path) -> None:
    run_keizer("absent", season, "#1", "--round", "2", "--kind", "unexcused")
    assert "you are away" in member(face, 1).text
    for other in (hall(face, 1), phone(face, face.hall())):
        assert "you are away" not in other.text and "unexcused" not in other.text


def reports(season: Path) -> dict[int, int]:
    """Boards of round 1 that are reported, and by whom."""
    with closing(sqlite3.connect(season)) as conn:
        return confirmation.reporters_by_board(Tournament(conn, 1), 1)


@pytest.mark.each
def test_undo_and_merge_confirm_nothing(face: Face, season: Path) -> None:
    """What they bring back, or leave, is as it was: reported."""
    white, black = board(season, 1)
    me = director(face)
    run_keizer("add", season, "Twin")
    member(face, white).press("", "1-0")
    assert reports(season) == {1: white}
    member(face, black).press("", "1-0")
    assert reports(season) == {}
    for undone in (1, 2):
        run_keizer("undo", season)
        assert reports(season) == ({1: white} if undone == 1 else {})
    member(face, white).press("", "0-1")
    run_keizer("result", season, "1", "1-0")
    assert reports(season) == {}
    run_keizer("undo", season)
    assert reports(season) == {1: white}
    me.go(f"/members/{white}")
    run_keizer("player", season, f"#{white}", "--merge", "Twin", "--yes")
    assert reports(season) == {1: white}


def hall(face: Face, player: int) -> Person:
    """A phone with the code of the hall, that says whose it is."""
    found = phone(face, face.hall())
    found.press("That is me", player=str(player))
    return found


def becomes(found: Person, player: int) -> Person:
    """The same phone says that it is somebody else's."""
    found.go("/me")
    found.press("That is not me")
    found.press("That is me", player=str(player))
    return found


def test_one_phone_does_not_confirm_itself(face: Face, season: Path) -> None:
    """With the code of the hall it can say that it is White, and then that it is Black."""
    white, black = board(season, 1)
    one, me = hall(face, white), director(face)
    one.press("", "1-0")
    becomes(one, black).press("", "1-0")
    assert one.said == [
        "Board 1 has that result, reported from this phone: one of the opponent's confirms it, or"
        " the director."
    ]
    me.go("/results")
    assert "Confirm the result that was reported" in me.text
    hall(face, black).press("", "1-0")
    me.go("/results")
    assert "Confirm the" not in me.text


@pytest.mark.each
def test_on_one_phone_two_personal_links_are_two_people(
    face: Face, season: Path
) -> None:
    white, black = board(season, 1)
    one = member(face, white)
    one.press("", "1-0")
    one.go(f"/join/{face.invitation(black)}")
    one.press("", "1-0")
    assert one.said == ["Board 1: 1-0, confirmed. Thank you."]


@pytest.mark.each
def test_another_phone_does_not_correct_a_report(face: Face, season: Path) -> None:
    """Whoever says they are White; White with a personal link does, and the phone it came from."""
    white, _ = board(season, 1)
    first, second = hall(face, white), hall(face, white)
    first.press("", "1-0")
    second.go("/me")
    second.press("", "0-1")
    assert second.said == [
        "Board 1 has the result 1-0 already: if that is wrong, tell the director."
    ]
    assert rows(season, "SELECT result FROM round WHERE board = 1") == [("1-0",)]
    first.press("", "½-½")
    assert rows(season, "SELECT result FROM round WHERE board = 1") == [("½-½",)]
    member(face, white).press("", "1-0")
    assert rows(season, "SELECT result FROM round WHERE board = 1") == [("1-0",)]


def test_the_director_confirms_and_takes_back(face: Face, season: Path) -> None:
    white, _ = board(season, 2)
    member(face, white).press("", "½-½")
    me = director(face)
    me.go("/results")
    me.press("Confirm the result")
    assert me.said == ["Results of round 1 confirmed: board 2."]
    assert "Confirm the" not in me.text
    me.press("↶ Undo")
    me.go("/results")
    me.press("↶ Undo")
    assert rows(season, "SELECT result FROM round WHERE board = 2") == [(None,)]


def test_who_reported_may_correct_it_until_it_is_confirmed(
    face: Face, season: Path
) -> None:
    white, _ = board(season, 1)
    first, me = member(face, white), director(face)
    first.press("", "1-0")
    first.press("", "½-½")
    assert rows(season, "SELECT result FROM round WHERE board = 1") == [("½-½",)]
    me.go("/results")
    me.press("Confirm the result")
    first.go("/me")
    assert not [one for _, one in first.page.buttons() if one.name == "result"]


def test_a_phone_enters_nothing_for_another_board(face: Face, season: Path) -> None:
    """What it sends as its own number is not read, and a field that nobody reads is refused."""
    white, _ = board(season, 1)
    other, _ = board(season, 2)
    mine = member(face, white)
    form, button = next((f, b) for f, b in mine.page.buttons() if b.value == "1-0")
    for field, number, entered in (
        ("board", 2, None),
        ("me", other, None),
        ("player", other, "1-0"),
    ):
        sent = form.sent(button, {field: str(number)})
        mine.read("POST", "http://localhost/do/report", data=sent)
        found = rows(season, "SELECT board, result FROM round ORDER BY board")
        assert found == [(1, entered), (2, None)]


def test_a_personal_link_signs_off_and_on(face: Face, season: Path) -> None:
    mine = member(face, 1)
    mine.press("I cannot come")
    assert mine.said == ["Round 2, excused: Anna."]
    assert rows(season, "SELECT round_number, kind FROM unplayed") == [(2, "excused")]
    mine.press("I come")
    assert rows(season, "SELECT * FROM unplayed") == []


# ------------------------------------------------------------------------ many at once


def browser(there: Served) -> Callable[..., str]:
    """What asks for a page, with a cookie; an answer that is none of one that works is an error."""
    opener = build_opener(HTTPCookieProcessor())

    def ask(path: str, **fields: object) -> str:
        sent = urlencode(fields).encode() if fields else None
        with opener.open(urljoin(there.root, path), sent, 60) as answer:
            return str(answer.read().decode())

    return ask


@pytest.mark.seeds
def test_twenty_phones_and_the_director_at_once(
    tmp_path: Path, club_of: ClubOf
) -> None:
    """Fifty requests each, half of them results, while the director enters others: none is lost."""
    console = club_of(44)
    console("next-round && publish-round")
    db = console.db
    boards = rows(db, "SELECT board, white FROM round ORDER BY board")
    written: dict[int, str] = {}

    def play(there: Served, path: str, number: int) -> None:
        """A member at their board; the director, who has number 0, at two others."""
        ask, rng = browser(there), random.Random(number)
        (token, *_) = re.findall('name="token" value="([^"]*)"', ask(path))
        for turn in range(25):
            ask(rng.choice(["/me", "/standings.html", "/changes", "/index.html"]))
            board = number or boards[20 + turn % 2][0]
            result = rng.choice(["1-0", "½-½", "0-1"] if number else ["1-0", "0-1"])
            fields = {} if number else {"board": board}
            act = "report" if number else "result"
            ask(f"/do/{act}", token=token, result=result, back="me", **fields)
            written[board] = result

    with served(db, "--lan") as there, ThreadPoolExecutor(21) as people:
        face = face_of(db, keys=Keys(tmp_path / "config" / "keizer" / "face.db"))
        paths = [f"/join/{face.invitation(white)}" for _, white in boards[:20]]
        paths.insert(0, urlsplit(there.address).path)
        assert len([*people.map(partial(play, there), paths, range(21))]) == 21
    found = dict(rows(db, "SELECT board, result FROM round"))
    assert {number: found[number] for number in written} == written and len(
        written
    ) == 22
    said = rows(db, "SELECT count(*) FROM log WHERE fact = 'round' AND command_id > 5")
    assert said[0][0] > 300
    assert "is sound" in console("check")


def test_what_another_program_did_is_on_the_next_page(face: Face, season: Path) -> None:
    me = director(face)
    before = json.loads(me.go("/changes").html)["seen"]
    edit(season, "UPDATE player SET name = 'Annabel' WHERE id = 1")
    assert json.loads(me.go("/changes").html)["seen"] > before
    assert "Annabel" in me.go("/members").html
