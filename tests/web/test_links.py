"""Links of members and of the hall: whose each is, that it ends, and that none is lost."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from keizer.acts.declare import DIRECTOR, MEMBER, PHONE
from keizer.errors import KeizerError
from keizer.web.keys import Keys
from keizer.web.visit import Face
from tests.support.face import Person, ask, client, director, done, face_of, phone
from tests.support.files import edit, rows, run_keizer


def test_links_can_be_withdrawn(face: Face) -> None:
    """That of the hall and that of a member: a phone that came by it is out at once."""
    hall, mine = phone(face, face.hall()), phone(face, face.invitation(1))
    assert (hall.status, mine.status) == (200, 200)
    assert "Coming rounds" in mine.text and "Coming rounds" not in hall.text
    me = director(face)
    me.go("/phones")
    me.press("New code")
    assert ask(hall.client, "/me").status_code == 403
    assert ask(mine.client, "/me").status_code == 200
    me.go("/members/1")
    me.press("Withdraw the link")
    assert ask(mine.client, "/me").status_code == 403
    for old in (hall, mine):
        assert ask(old.client, "/standings.html").status_code == 200
    assert phone(face, face.invitation(1)).status == 200


def test_a_link_that_another_program_withdrew_stays_withdrawn(
    face: Face, season: Path
) -> None:
    link, hall = face.invitation(3), face.hall()
    other = face_of(season, keys=Keys(season.parent / "face.db"))
    assert (other.bearer(link), other.bearer(hall)) == ((MEMBER, 3), (PHONE, None))
    face.keys.links.withdraw(face.entry(3))
    face.keys.links.new_hall(face.season())
    other.keys.links.withdraw(other.entry(1))
    assert other.bearer(link) is other.bearer(hall) is None


def test_of_600_withdrawals_at_once_none_is_lost(face: Face, season: Path) -> None:
    """By two programs; each entry had a link."""
    programs = [face.keys, Keys(season.parent / "face.db")]
    links = [
        face.keys.links.invitation(number, f"entry {number}") for number in range(600)
    ]
    with ThreadPoolExecutor(20) as people:
        withdrawn = people.map(
            lambda number: programs[number % 2].links.withdraw(f"entry {number}"),
            range(600),
        )
        assert len([*withdrawn]) == 600
    assert {face.keys.links.invited(link) for link in links} == {None}


def _undone(face: Face, _: Path) -> None:
    done(face, "undo")


def _removed(face: Face, _: Path) -> None:
    assert done(face, "remove", player=5).status_code == 200


def _restored(_: Face, season: Path) -> None:
    run_keizer("restore", season, "1")


def _another_file(_: Face, season: Path) -> None:
    season.unlink()
    run_keizer("init", season, "--name", "Next season")
    for name in "PQRS":
        run_keizer("add", season, name)


@pytest.mark.each
@pytest.mark.parametrize("goes", [_undone, _removed, _restored, _another_file])
def test_the_link_of_who_is_gone_is_nobody_elses(
    face: Face, season: Path, goes: Callable[[Face, Path], None]
) -> None:
    """Who gets their number has another entry."""
    run_keizer("backup", season)
    done(face, "add", name="Olga")
    link, hers, in_hall = (
        face.invitation(5),
        phone(face, face.invitation(5)),
        phone(face, face.hall()),
    )
    in_hall.press("That is me", player="5")
    assert "Olga" in hers.text and "Olga" in in_hall.text
    anna = face.invitation(1)
    goes(face, season)
    done(face, "add", name="Nina")
    assert rows(season, "SELECT name FROM player WHERE id = 5") == [("Nina",)]
    assert ask(client(face), f"/join/{link}").status_code == 403
    assert ask(hers.client, "/me").status_code == 403
    assert "<h1>Nina" not in in_hall.go("/me").html.replace("<bdi>", "")
    assert face.bearer(anna) == (None if goes is _another_file else (MEMBER, 1))
    assert face.invitation(5) != link


@pytest.mark.parametrize(
    "written",
    [
        b"", b"{}", b"no database, although it is long enough to be one" * 90,
        b"SQLite format 3\0" + b"\xff" * 4080, "CREATE TABLE secret (a)",
        "CREATE TABLE hall (a)", "CREATE VIEW invitation AS SELECT 1",
    ],
)  # fmt: skip
def test_an_odd_file_of_links_gets_a_sentence(
    tmp_path: Path, season: Path, written: bytes | str
) -> None:
    there = tmp_path / "odd" / "face.db"
    there.parent.mkdir()
    if isinstance(written, bytes):
        there.write_bytes(written)
    else:
        edit(there, written)
    said = (
        ""
        if not written
        else "face.db, which has the links of members, cannot be used: "
    )
    with pytest.raises(KeizerError, match=said) if said else nullcontext():
        face = face_of(season, keys=Keys(there))
        assert face.bearer(face.hall()) == (PHONE, None)
        assert face.bearer(face.invitation(1)) == (MEMBER, 1)


def test_two_seasons_of_one_second_have_codes_of_their_own(tmp_path: Path) -> None:
    keys, found = Keys(), []
    for name in ("Internal", "Rapid"):
        run_keizer("init", tmp_path / f"{name}.db", "--name", name)
        found.append(face_of(tmp_path / f"{name}.db", keys=keys))
    edit(
        tmp_path / "Rapid.db",
        "DROP TRIGGER log_stays",
        "UPDATE log SET changed_at = (SELECT 1)",
    )
    edit(
        tmp_path / "Internal.db",
        "DROP TRIGGER log_stays",
        "UPDATE log SET changed_at = (SELECT 1)",
    )
    assert found[0].hall() != found[1].hall()


@pytest.mark.posix
def test_the_file_of_links_is_for_its_owner_alone(tmp_path: Path) -> None:
    there = tmp_path / "face.db"
    there.touch(0o666)
    there.chmod(0o666)
    assert Keys(there).links.lasting and there.stat().st_mode & 0o777 == 0o600
    (tmp_path / "folder").mkdir()
    assert not Keys(tmp_path / "folder").links.lasting
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KeizerError, match="cannot be used"):
        Keys(tmp_path / "pipe")


def test_links_that_are_asked_for_and_withdrawn_at_once_are_one_each_time(
    face: Face, season: Path
) -> None:
    programs = [face.keys.links, Keys(season.parent / "face.db").links]

    def asked(turn: int) -> str:
        if turn % 3:
            return programs[turn % 2].invitation(1, "entry")
        programs[turn % 2].withdraw("entry")
        return ""

    with ThreadPoolExecutor(8) as people:
        found = {*people.map(asked, range(600))} - {""}
    programs[0].invitation(1, "entry")
    assert len([link for link in found if programs[1].invited(link)]) <= 1


def test_who_has_a_personal_link_does_not_see_the_code_of_the_hall(face: Face) -> None:
    code = 'class="qr"'
    assert code in phone(face, face.hall()).go("/screen").html
    assert code not in phone(face, face.invitation(1)).go("/screen").html


def test_the_director_is_asked_before_a_link_makes_the_browser_a_members(
    face: Face,
) -> None:
    """Who only looks where it leads stays the director, and no link of anybody's keeps them so."""
    me = director(face)
    for link, whose in (
        (face.invitation(1), "Anna"),
        (face.hall(), "a phone in the hall"),
    ):
        me.go(f"/join/{link}")
        assert me.status == 200 and f"Go on as {whose}" in me.text
        assert me.go("/tonight") and me.status == 200
        assert face.person(
            session(me), ""
        ).rights == DIRECTOR and "link" not in session(me)
        for token in ("", "x"):
            sent = {"data": {"token": token}}
            assert ask(me.client, f"/join/{link}", "POST", **sent).status_code == 403
    me.go(f"/in/{face.keys.director}")
    me.press("Make it a draft again")  # of a page that was open before
    me.go(f"/join/{face.invitation(1)}")
    me.press("Go on as Anna")
    assert "Anna" in me.text and me.said == [
        "This browser is not the director’s any more."
    ]
    assert ask(me.client, "/tonight").status_code == 403
    assert (
        "director" not in session(me) and face.person(session(me), "").rights == MEMBER
    )


def test_a_member_who_becomes_the_director_is_so_until_the_browser_is_closed(
    face: Face,
) -> None:
    """And no member any more; a device stays what it is."""
    someone = phone(face, face.invitation(1))
    assert session(someone)["_permanent"]
    device = session(someone)["device"]
    someone.go("/pin?lang=nl")
    someone.press("Invoeren", pin=face.keys.pin)
    found = session(someone)
    assert found["device"] == device and found["language"] == "nl"
    assert not found["_permanent"] and not {"link", "me"} & {*found}
    assert someone.go("/tonight") and someone.status == 200


def session(person: Person) -> dict[str, Any]:
    """What the cookie of a browser says."""
    with person.client.session_transaction() as found:
        return dict(found)


def test_links_are_not_guessed(face: Face, season: Path) -> None:
    """Neither from another one, nor by a program that has other secrets."""
    found = client(face)
    link = face.invitation(1)
    other = face_of(season).invitation(1)
    for guess in ("x", link[:-1], link + "x", other, "%00", "%ff", "[1,0]", "a" * 5000):
        assert ask(found, f"/join/{guess}").status_code == 403, guess
