"""Who may do what in the face, and what attacks come to: nothing happens, one sentence."""

import io
import os
import random
import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from keizer.acts.declare import DIRECTOR
from keizer.errors import KeizerError
from keizer.store import connection
from keizer.web import actions
from keizer.web.keys import FREE_PINS, LONGEST_WAIT, Keys
from keizer.web.pages import PAGES
from keizer.web.visit import Face
from quality.api import names
from tests.support.face import (
    BASE,
    FIELDS,
    Person,
    as_director,
    ask,
    client,
    director,
    done,
    face_of,
    phone,
)
from tests.support.files import ROOT, edit, elsewhere, rows, run_keizer
from tests.support.patience import PATIENCE
from tests.support.served import Served, served


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
def test_a_form_of_another_page_does_nothing(
    face: Face, headers: dict[str, str]
) -> None:
    me = director(face)
    before = rows(face.file or Path(), "SELECT count(*) FROM log")
    data = {"token": me.page.token}
    answer = ask(me.client, "/do/take-back", "POST", headers=headers, data=data)
    assert answer.status_code == 403
    assert rows(face.file or Path(), "SELECT count(*) FROM log") == before


@pytest.mark.parametrize("token", [None, "", "x" * 22])
def test_a_form_without_what_its_page_had_does_nothing(
    face: Face, token: str | None
) -> None:
    me = director(face)
    data = {} if token is None else {"token": token}
    assert ask(me.client, "/do/take-back", "POST", data=data).status_code == 403


def test_the_key_of_an_earlier_start_is_none(face: Face) -> None:
    """Neither as an address, nor as a cookie that it gave, nor as that of a program."""
    old = director(face)
    later = face_of(
        face.file or Path(), keys=Keys(Path(str(face.file)).parent / "face.db")
    )
    assert later.keys.secret == face.keys.secret
    found = client(later)
    cookie = old.client.get_cookie("keizer", domain="localhost")
    assert cookie
    found.set_cookie("keizer", cookie.value, domain="localhost")
    assert ask(found, "/tonight").status_code == 403
    assert ask(found, f"/in/{face.keys.director}").status_code == 403
    assert ask(client(later), "/tonight", headers=as_director(face)).status_code == 403


@pytest.mark.parametrize(
    "listed", [b"naam;rating\nBaker, Judit;2110\n", b"Dear members,", b""]
)
def test_a_season_begins_with_a_list_or_not_at_all(
    face: Face, season: Path, listed: bytes
) -> None:
    """What is refused leaves no file behind, and the season that was open stays open."""
    answer = done(face, "begin", name="New", list=(io.BytesIO(listed), "members.csv"))
    new = season.with_name("New.db")
    if b"rating" in listed:
        assert "New: Baker, Judit." in answer.json["said"]
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


@pytest.mark.parametrize("name", names())
def test_nobody_does_what_is_the_directors(face: Face, season: Path, name: str) -> None:
    """A guest, a phone of the hall, one that says who it is, and a member with their own link."""
    before = season.read_bytes()
    named = phone(face, face.hall())
    named.press("That is me", player="1")
    phones = [phone(face, face.hall()), named, phone(face, face.invitation(1))]
    people = [Person(client(face)), *phones]
    act = actions.act_of(name)
    for person in people[: 1 if act and act.rights < DIRECTOR else 4]:
        data = FIELDS | {"token": person.page.token}
        assert ask(person.client, f"/do/{name}", "POST", data=data).status_code == 403
    assert season.read_bytes() == before


def test_every_button_of_a_page_names_an_action() -> None:
    folder = ROOT / "keizer/web/templates"
    pages = "".join(page.read_text(encoding="utf-8") for page in folder.glob("*.html"))
    assert {*re.findall(r'ask\.(?:form|button)\("([\w-]+)"', pages)} <= {*names()}


@pytest.mark.parametrize(
    "path", sorted(place.path for place in PAGES if place.rights == DIRECTOR)
)
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
    for path in (
        "",
        "standings.html",
        "standings.json",
        "pairings.json",
        "changes",
        "screen",
    ):
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
    for name in (
        "crosstable",
        "card",
        "head-to-head",
        "progress",
        "standings",
        "statistics",
    ):
        found = ask(guest, f"/{name}.json?round=2&player=1").json
        assert found == {"error": "round 2 is not published yet."}, name
    for page in ("round/2", "standings/2", "standings/99"):
        assert ask(guest, f"/{page}.html").status_code == 409
    found = ask(guest, "/pairings.json", headers=as_director(face)).json
    assert {row["round_number"] for row in found} == {2}
    someone = phone(face, face.invitation(1))
    assert "Round 1" in someone.text and "Round 2: you are here" in someone.text


def test_a_guest_sees_of_a_member_what_is_on_the_clubs_page(
    face: Face, season: Path
) -> None:
    edit(season, "UPDATE player SET born = '1990-05-04'")
    row = ask(client(face), "/players.json").json[0]
    assert {*row} == {
        "tournament_id", "player_id", "number", "name", "category", "rating", "title", "state",
        "games",
    }  # fmt: skip
    assert (
        "born" in ask(client(face), "/players.json", headers=as_director(face)).json[0]
    )


NAMES = [
    "../out",
    "/etc/passwd",
    "a/b",
    "..",
    ".hidden",
    "a\\b",
    "con:x",
    "x\0y",
    "",
    "a" * 400,
]


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
    for there in (
        "export/..%2f..%2fetc%2fpasswd",
        "export/x",
        "..%2fclub.db",
        "export/log.db.x",
    ):
        assert ask(
            client(face), f"/{there}", headers=as_director(face)
        ).status_code in (404, 409)


def test_no_folder_that_a_file_names_leads_out_of_its_own(
    face: Face, season: Path
) -> None:
    out = season.parent.parent / f"{season.parent.name}-out"
    edit(
        season, f"INSERT INTO site (tournament_id, folder) VALUES (1, '../{out.name}')"
    )
    for fields in ({}, {"folder": f"../{out.name}"}):
        assert done(face, "publish-page", **fields).status_code == 409
    assert not out.exists()


def test_two_who_publish_the_page_at_once_both_do(face: Face, season: Path) -> None:
    clients = [client(face) for _ in range(4)]
    sent = {"data": {"folder": "www"}, "headers": as_director(face)}
    with ThreadPoolExecutor(4) as people:
        answers = people.map(
            lambda one: ask(one, "/do/publish-page", "POST", **sent), clients * 3
        )
        assert {answer.status_code for answer in answers} == {200}
    assert not [
        path for path in season.with_name("www").rglob("*") if path.suffix == ".new"
    ]


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


def test_who_types_wrong_pins_waits_longer_each_time_and_nobody_else_does(
    face: Face,
) -> None:
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


ALIVE = sorted(
    {*names()} - {"finish", "restore", "begin", "open", "new-tournament", "demo"}
)
"""What leaves the season there to be asked again."""


@pytest.mark.parametrize("name", ALIVE)
def test_odd_fields_get_a_sentence(face: Face, name: str) -> None:
    """Each field with what it is not: nothing of it is an error of ours."""
    odd = ["", "-1", "0", "9" * 21, "1e9", "ü", "\0", "a" * 3000, "[]", "½", "NaN"]
    rng = random.Random(name)
    for _ in range(6):
        data = FIELDS | {
            field: rng.choice(odd) for field in rng.sample(sorted(FIELDS), 2)
        }
        done(face, name, **data)


# ----------------------------------------------------------------- what lies beneath


def test_a_form_that_rests_on_what_has_changed_is_refused(
    face: Face, season: Path
) -> None:
    me = director(face)
    edit(season, "UPDATE round SET result = '0-1' WHERE board = 2")
    me.press("Make it a draft again")
    assert me.said == [
        "Something has changed since the page was shown: game round 1, board 2, "
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
    assert (
        me.said[0].startswith("Board 1 has changed, it is ")
        and " 1-0 now" in me.said[0]
    )
    me.go("/members/1")
    edit(season, "UPDATE player SET rating = 1234 WHERE id = 1")
    me.press("Save", rating="2222")
    assert "somebody changed Rating meanwhile" in me.said[0]
    assert rows(season, "SELECT rating FROM player WHERE id = 1") == [(1234,)]


@pytest.mark.parametrize(
    "harm", ["locked", "damaged", "gone", "read-only", "text", "empty"]
)
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
        for path in (
            "/tonight",
            "/results",
            "/members",
            "/standings.html",
            "/files",
            "/log",
        ):
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
    with closing(socket.create_connection(where(program), timeout=PATIENCE)) as line:
        line.sendall(head.encode() + b"x" * 1000)
        assert b" 413 " in line.recv(1000)


def test_every_answer_says_what_a_page_may_do(face: Face) -> None:
    me = director(face)
    for path in (
        "/tonight",
        "/standings.html",
        "/nothing",
        "/standings.json",
        "/face.js",
    ):
        headers = ask(me.client, path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'self';")
        assert headers["X-Content-Type-Options"] == "nosniff"
    cookie = ask(client(face), f"/in/{face.keys.director}").headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    held = Path(str(face.file)).parent / "face.db"
    face.hall()
    assert os.name == "nt" or held.stat().st_mode & 0o77 == 0
    assert face.keys.secret.encode() not in Path(str(face.file)).read_bytes()
