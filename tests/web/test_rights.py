"""Who may do what in the face, and what attacks come to: nothing happens, one sentence."""

import io
import os
import random
import re
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, nullcontext, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from keizer.errors import KeizerError
from keizer.store import connection
from keizer.web.actions import ACTIONS
from keizer.web.app import application
from keizer.web.keys import FREE_PINS, LONGEST_WAIT, Keys
from keizer.web.places import PLACES
from keizer.web.rights import DIRECTOR, MEMBER, PHONE
from keizer.web.visit import Face
from tests.support.face import BASE, Person, director, face_of, phone
from tests.support.files import ROOT, edit, elsewhere, rows, run_keizer
from tests.support.served import Served, served


def client(face: Face) -> FlaskClient:
    return application(face).test_client()


def ask(found: FlaskClient, path: str, method: str = "GET", **more: Any) -> Any:
    """An answer that is no failure of ours."""
    answer = found.open(path, method=method, base_url=more.pop("base_url", BASE), **more)
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text
    return answer


PROGRAM = {"Accept": "application/json"}


def as_director(face: Face) -> dict[str, str]:
    return PROGRAM | {"Authorization": f"Bearer {face.keys.director}"}


def done(face: Face, action: str, **fields: Any) -> Any:
    """What a program of the director's is answered."""
    data = {"data": fields, "headers": as_director(face)}
    return ask(client(face), f"/do/{action}", "POST", **data)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8395", 303), ("127.0.0.1:8395", 303), ("192.0.2.7", 303), ("[::1]:80", 303),
        ("evil.example", 400), ("127.0.0.1.evil.example", 400), ("localhost.evil.example:80", 400),
        ("", 400),
    ],
)  # fmt: skip
def test_a_name_that_somebody_points_at_the_laptop_gets_nothing(
    face: Face, host: str, status: int
) -> None:
    answer = ask(client(face), "/", headers={"Host": host})
    assert answer.status_code == status


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost:9999"}, {"Sec-Fetch-Site": "same-site"},
        {"Referer": "http://["}, {"Referer": "x"}, {"Referer": "http://evil.example/"}, {"Referer": "http://localhost.evil.example/pin"},
    ],
)  # fmt: skip
def test_a_form_of_another_page_does_nothing(face: Face, headers: dict[str, str]) -> None:
    me = director(face)
    before = rows(face.file or Path(), "SELECT count(*) FROM log")
    data = {"token": me.page.token}
    answer = ask(me.client, "/do/take-back", "POST", headers=headers, data=data)
    assert answer.status_code == 403
    assert rows(face.file or Path(), "SELECT count(*) FROM log") == before


@pytest.mark.parametrize("token", [None, "", "x" * 22])
def test_a_form_without_what_its_page_had_does_nothing(face: Face, token: str | None) -> None:
    me = director(face)
    data = {} if token is None else {"token": token}
    assert ask(me.client, "/do/take-back", "POST", data=data).status_code == 403


def test_the_key_of_an_earlier_start_is_none(face: Face) -> None:
    """Neither as an address, nor as a cookie that it gave, nor as that of a program."""
    old = director(face)
    later = face_of(face.file or Path(), keys=Keys(Path(str(face.file)).parent / "face.db"))
    assert later.keys.secret == face.keys.secret
    found = client(later)
    cookie = old.client.get_cookie("keizer", domain="localhost")
    assert cookie
    found.set_cookie("keizer", cookie.value, domain="localhost")
    assert ask(found, "/tonight").status_code == 403
    assert ask(found, f"/in/{face.keys.director}").status_code == 403
    assert ask(client(later), "/tonight", headers=as_director(face)).status_code == 403


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


def test_a_link_that_another_program_withdrew_stays_withdrawn(face: Face, season: Path) -> None:
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
    links = [face.keys.links.invitation(number, f"entry {number}") for number in range(600)]
    with ThreadPoolExecutor(20) as people:
        withdrawn = people.map(
            lambda number: programs[number % 2].links.withdraw(f"entry {number}"), range(600)
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
    said = "" if not written else "face.db, which has the links of members, cannot be used: "
    with pytest.raises(KeizerError, match=said) if said else nullcontext():
        face = face_of(season, keys=Keys(there))
        assert face.bearer(face.hall()) == (PHONE, None)
        assert face.bearer(face.invitation(1)) == (MEMBER, 1)


@pytest.mark.parametrize("listed", [b"naam;rating\nBaker, Judit;2110\n", b"Dear members,", b""])
def test_a_season_begins_with_a_list_or_not_at_all(face: Face, season: Path, listed: bytes) -> None:
    """What is refused leaves no file behind, and the season that was open stays open."""
    answer = done(face, "begin", name="New", list=(io.BytesIO(listed), "members.csv"))
    new = season.with_name("New.db")
    if b"rating" in listed:
        assert "1 new member, 0 changed, 0 unchanged." in answer.json["said"]
        assert rows(new, "SELECT name FROM player") == [("Baker, Judit",)]
        assert face.file == new
    else:
        assert answer.status_code == 409
        assert not new.exists() and not new.with_suffix(".backups").exists()
        assert face.file == season


def test_a_damaged_file_is_put_back_by_pressing(face: Face, season: Path) -> None:
    me = director(face)
    me.go("/files")
    me.press("Make a snapshot now")
    good = season.read_bytes()
    season.write_bytes(good[:5000] + bytes(len(good) - 5000))
    me.go("/tonight")
    me.follow("Snapshots")
    me.follow("1: ")
    me.press("Put it in place")
    me.go("/tonight")
    assert me.status == 200 and "Round 1" in me.text


def test_two_seasons_of_one_second_have_codes_of_their_own(tmp_path: Path) -> None:
    keys, found = Keys(), []
    for name in ("Internal", "Rapid"):
        run_keizer("init", tmp_path / f"{name}.db", "--name", name)
        found.append(face_of(tmp_path / f"{name}.db", keys=keys))
    edit(tmp_path / "Rapid.db", "DROP TRIGGER log_stays", "UPDATE log SET changed_at = (SELECT 1)")
    edit(
        tmp_path / "Internal.db", "DROP TRIGGER log_stays", "UPDATE log SET changed_at = (SELECT 1)"
    )
    assert found[0].hall() != found[1].hall()


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


def test_links_are_not_guessed(face: Face, season: Path) -> None:
    """Neither from another one, nor by a program that has other secrets."""
    found = client(face)
    link = face.invitation(1)
    other = face_of(season).invitation(1)
    for guess in ("x", link[:-1], link + "x", other, "%00", "%ff", "[1,0]", "a" * 5000):
        assert ask(found, f"/join/{guess}").status_code == 403, guess


FIELDS = {
    "player": "1", "board": "1", "result": "1-0", "round": "1", "one": "1", "two": "2",
    "white": "1", "black": "2", "name": "Zoe", "file": "x", "number": "1", "what": "pin",
    "boards": "1", "tournament": "1", "points": "5", "other": "2", "kind": "excused",
    "counts_as": "bye", "settings": "top_value=9", "date": "2026-01-01", "comes": "1", "sure": "1",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_nobody_does_what_is_the_directors(face: Face, season: Path, name: str) -> None:
    """A guest, a phone of the hall, one that says who it is, and a member with their own link."""
    before = season.read_bytes()
    named = phone(face, face.hall())
    named.press("That is me", player="1")
    phones = [phone(face, face.hall()), named, phone(face, face.invitation(1))]
    people = [Person(client(face)), *phones]
    for person in people[: 4 if ACTIONS[name].rights == DIRECTOR else 1]:
        data = FIELDS | {"token": person.page.token}
        assert ask(person.client, f"/do/{name}", "POST", data=data).status_code == 403
    assert season.read_bytes() == before


def test_every_button_of_a_page_names_an_action() -> None:
    folder = ROOT / "keizer/web/templates"
    pages = "".join(page.read_text(encoding="utf-8") for page in folder.glob("*.html"))
    assert {*re.findall(r'ask\.(?:form|button)\("([\w-]+)"', pages)} <= {*ACTIONS}


@pytest.mark.parametrize("path", sorted(place.path for place in PLACES if place.rights == DIRECTOR))
def test_nobody_sees_what_is_the_directors(face: Face, path: str) -> None:
    there = f"/{path.replace('<n>', '1')}"
    for found in (client(face), phone(face, face.hall()).client,
                  phone(face, face.invitation(1)).client):  # fmt: skip
        assert ask(found, there).status_code == 403
    for name in ("log", "rules", "presence", "reasons"):
        assert ask(client(face), f"/{name}.json").status_code == 403
    assert ask(client(face), "/export/report.trf").status_code == 403


def test_without_phones_nobody_but_the_director_sees_anything(season: Path) -> None:
    found = client(face_of(season))
    for path in ("", "standings.html", "standings.json", "pairings.json", "changes", "screen"):
        assert ask(found, f"/{path}").status_code == 403


def test_a_draft_is_the_directors_alone(face: Face, season: Path) -> None:
    run_keizer("result", season, 1, "1-0")
    run_keizer("result", season, 2, "1-0")
    guest = client(face)
    before = ask(guest, "/prizes.json").json
    run_keizer("next-round", season)
    for name in ("rounds", "pairings"):
        assert {row["round_number"] for row in ask(guest, f"/{name}.json").json} == {1}
    assert ask(guest, "/prizes.json").json == before
    for name in ("crosstable", "card", "head-to-head", "progress", "standings", "statistics"):
        found = ask(guest, f"/{name}.json?round=2&player=1").json
        assert found == {"error": "round 2 is not published yet."}, name
    for page in ("round/2", "standings/2", "standings/99"):
        assert ask(guest, f"/{page}.html").status_code == 409
    found = ask(guest, "/pairings.json", headers=as_director(face)).json
    assert {row["round_number"] for row in found} == {2}
    someone = phone(face, face.invitation(1))
    assert "Round 1" in someone.text and "Round 2: you are here" in someone.text


def test_a_guest_sees_of_a_member_what_is_on_the_clubs_page(face: Face, season: Path) -> None:
    edit(season, "UPDATE player SET born = '1990-05-04'")
    row = ask(client(face), "/players.json").json[0]
    assert {*row} == {
        "tournament_id", "player_id", "number", "name", "category", "rating", "title", "state",
        "games",
    }  # fmt: skip
    assert "born" in ask(client(face), "/players.json", headers=as_director(face)).json[0]


NAMES = ["../out", "/etc/passwd", "a/b", "..", ".hidden", "a\\b", "con:x", "x\0y", "", "a" * 400]


@pytest.mark.parametrize("name", NAMES)
def test_no_name_leads_out_of_the_folder(face: Face, season: Path, name: str) -> None:
    outside = season.parent.parent
    before = {*outside.iterdir()}, {*season.parent.iterdir()}
    for action, fields in (
        ("begin", {"name": "New", "file": name.strip() or "."}), ("open", {"file": name}),
        ("begin", {"name": "New", "file": "club"}),
        ("publish-page", {"folder": name.strip() or ".."}),
    ):  # fmt: skip
        answer = done(face, action, **fields)
        assert answer.status_code == 409, (action, answer.text)
    assert ({*outside.iterdir()}, {*season.parent.iterdir()}) == before
    for there in ("export/..%2f..%2fetc%2fpasswd", "export/x", "..%2fclub.db", "export/log.db.x"):
        assert ask(client(face), f"/{there}", headers=as_director(face)).status_code in (404, 409)


def test_no_folder_that_a_file_names_leads_out_of_its_own(face: Face, season: Path) -> None:
    out = season.parent.parent / f"{season.parent.name}-out"
    edit(season, f"INSERT INTO site (tournament_id, folder) VALUES (1, '../{out.name}')")
    for fields in ({}, {"folder": f"../{out.name}"}):
        assert done(face, "publish-page", **fields).status_code == 409
    assert not out.exists()


def test_two_who_publish_the_page_at_once_both_do(face: Face, season: Path) -> None:
    clients = [client(face) for _ in range(4)]
    sent = {"data": {"folder": "www"}, "headers": as_director(face)}
    with ThreadPoolExecutor(4) as people:
        answers = people.map(lambda one: ask(one, "/do/publish-page", "POST", **sent), clients * 3)
        assert {answer.status_code for answer in answers} == {200}
    assert not [path for path in season.with_name("www").rglob("*") if path.suffix == ".new"]


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example", "https://evil.example", "/evil", "../../x", "\\\\evil", "x:y",
        "tonight\r\nX: y", "javascript:alert(1)",
    ],
)  # fmt: skip
def test_a_form_leads_nowhere_else(face: Face, back: str) -> None:
    me = director(face)
    data = {"token": me.page.token, "back": back}
    answer = ask(me.client, "/do/backup", "POST", data=data)
    assert answer.headers["Location"] == "../."
    assert "X" not in answer.headers


def waiting(keys: Keys, clock: float) -> bool:
    """Whether an address has to wait; if not it types another wrong one."""
    try:
        return keys.is_pin("x", "192.0.2.9", clock)
    except KeizerError:
        return True


def test_who_types_wrong_pins_waits_longer_each_time_and_nobody_else_does(face: Face) -> None:
    keys, clock = face.keys, 1000.0
    waits = []
    for _ in range(14):
        with suppress(KeizerError):
            while True:
                keys.is_pin("x", "192.0.2.9", clock)
        began = clock
        while waiting(keys, clock):
            assert keys.is_pin(keys.pin, "192.0.2.8", clock)
            clock += 1
        waits.append(clock - began)
    assert waits[:4] == [1, 2, 4, 8] and waits[-1] == LONGEST_WAIT
    clock += LONGEST_WAIT
    assert keys.is_pin(keys.pin, "192.0.2.9", clock)


def test_more_addresses_than_are_known_wait_together(face: Face) -> None:
    tried = 0
    for number in range(3000):
        with suppress(KeizerError):
            face.keys.is_pin("x", f"address {number}", 1000.0)
            tried += 1
    assert tried == 1000 + FREE_PINS + 1


def test_a_pin_makes_a_director_until_there_is_another(face: Face) -> None:
    page = Person(client(face), "/pin")
    for guess in range(12):
        page.go("/pin")
        page.press("Enter", pin=f"no {guess}")
    assert "oo many wrong PINs: wait" in page.text
    assert ask(page.client, "/tonight").status_code == 403
    other = Person(client(face), "/pin")
    other.client.environ_base["REMOTE_ADDR"] = "192.0.2.77"
    other.press("Enter", pin=face.keys.pin)
    assert other.go("/tonight").url.endswith("/tonight") and other.status == 200
    me = director(face)
    me.go("/phones")
    me.press("New PIN")
    assert ask(other.client, "/tonight").status_code == 403


def test_what_the_browser_was_started_with_lets_one_in(face: Face) -> None:
    """Others on the laptop see how a program was started."""
    once = face.keys.once
    assert Person(client(face), f"/in/{once}").status == 200
    assert ask(client(face), f"/in/{once}").status_code == 403
    assert director(face).status == 200


ALIVE = sorted({*ACTIONS} - {"finish", "restore", "begin", "open", "new-tournament", "demo"})
"""What leaves the season there to be asked again."""


@pytest.mark.parametrize("name", ALIVE)
def test_odd_fields_get_a_sentence(face: Face, name: str) -> None:
    """Each field with what it is not: nothing of it is an error of ours."""
    odd = ["", "-1", "0", "9" * 21, "1e9", "ü", "\0", "a" * 3000, "[]", "½", "NaN"]
    rng = random.Random(name)
    for _ in range(6):
        data = FIELDS | {field: rng.choice(odd) for field in rng.sample(sorted(FIELDS), 2)}
        done(face, name, **data)


# ----------------------------------------------------------------- what lies beneath


def test_a_form_that_rests_on_what_has_changed_is_refused(face: Face, season: Path) -> None:
    me = director(face)
    edit(season, "UPDATE round SET result = '0-1' WHERE board = 2")
    me.press("Make it a draft again")
    assert me.said == [
        "Something changed since the page was shown: game round 1, board 2, "
        + me.said[0].partition("board 2, ")[2]
    ]
    assert "0-1" in me.said[0]
    me.go("/results")
    edit(season, "UPDATE round SET result = '1-0' WHERE board = 1")
    form, button = next(
        (form, one) for form, one in me.page.buttons()
        if one.value == "0-1" and any(f.name == "board" and f.value == "1" for f in form.fields)
    )  # fmt: skip
    me.read("POST", f"{BASE}/do/result", data=form.sent(button, {}))
    assert me.said[0].startswith("Board 1 has changed, it is ") and " 1-0 now" in me.said[0]
    me.go("/members/1")
    edit(season, "UPDATE player SET rating = 1234 WHERE id = 1")
    me.press("Save", rating="2222")
    assert "somebody changed rating meanwhile" in me.said[0]
    assert rows(season, "SELECT rating FROM player WHERE id = 1") == [(1234,)]


@pytest.mark.parametrize("harm", ["locked", "damaged", "gone", "read-only", "text", "empty"])
def test_a_file_that_cannot_be_used_gets_a_sentence(
    face: Face, season: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.1)
    me = director(face)
    with ExitStack() as stack:
        if harm == "locked":
            stack.enter_context(elsewhere(season, "BEGIN EXCLUSIVE"))
        elif harm == "damaged":
            data = bytearray(season.read_bytes())
            data[100:] = bytes(len(data) - 100)
            season.write_bytes(data)
        elif harm == "gone":
            season.unlink()
        elif harm == "read-only":
            season.chmod(0o400)
        else:
            season.write_text("" if harm == "empty" else "not a season\n" * 20)
        for path in ("/tonight", "/results", "/members", "/standings.html", "/files", "/log"):
            answer = ask(me.client, path)
            assert answer.status_code == (200 if harm == "read-only" else 409), path
        answer = done(face, "result", board="1", result="1-0")
        assert answer.status_code == 409
        assert answer.json["error"].endswith((".", "it."))
        assert ask(me.client, "/style.css").status_code == 200


@pytest.fixture
def program(season: Path) -> Iterator[Served]:
    """A program that serves it."""
    with served(season, "--lan") as found:
        yield found


def where(program: Served) -> tuple[str, int]:
    found = urlsplit(program.address)
    return str(found.hostname), int(found.port or 0)


def test_a_gigabyte_is_refused_before_it_comes(program: Served) -> None:
    head = "POST /do/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\r\n"
    with closing(socket.create_connection(where(program), timeout=20)) as line:
        line.sendall(head.encode() + b"x" * 1000)
        assert b" 413 " in line.recv(1000)


def test_every_answer_says_what_a_page_may_do(face: Face) -> None:
    me = director(face)
    for path in ("/tonight", "/standings.html", "/nothing", "/standings.json", "/face.js"):
        headers = ask(me.client, path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'self';")
        assert headers["X-Content-Type-Options"] == "nosniff"
    cookie = ask(client(face), f"/in/{face.keys.director}").headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    held = Path(str(face.file)).parent / "face.db"
    face.hall()
    assert held.stat().st_mode & 0o77 == 0
    assert face.keys.secret.encode() not in Path(str(face.file)).read_bytes()
