"""What somebody sends with a request: how much of it is read, by who asks, and where it lies."""

import io
import socket
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from keizer.web import bodies
from keizer.web.bodies import ANYBODY, FILES, FORM, LARGE, SMALL, UPLOADS, Part
from keizer.web.public import Clubs
from keizer.web.server import LONGEST_HEADER
from keizer.web.visit import Face
from tests.support.console import new_club
from tests.support.doors import ask, connect, director_and_hall, read_answer, serving
from tests.support.face import client, director
from tests.support.files import rows, run_keizer
from tests.support.patience import until
from tests.support.wsgi import call_application

FIELDS, UPLOAD = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
FORGED = "eyJkaXJlY3RvciI6IngifQ.aSj_5A.Zm9yZ2VkIHNpZ25hdHVyZSBvZiBub2JvZHk"
"""A cookie that says `{"director": "x"}`, which nobody of ours has signed."""


@pytest.fixture(autouse=True)
def _given_back() -> Iterator[None]:
    """Whatever comes: nothing of any part is taken for good."""
    yield
    until(lambda: not LARGE.taken + UPLOADS.taken, "a part is not given back")
    assert LARGE.has_room("club", LARGE.most) and UPLOADS.has_room("club", UPLOADS.most)


@contextmanager
def filled(part: Part, left: int = 0) -> Iterator[None]:
    """Others have taken a part but for so many bytes."""
    part.take("elsewhere", part.most - left)
    yield
    part.give_back("elsewhere", part.most - left)


@pytest.fixture
def no_disk(clubs: Clubs, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """A machine without a temporary folder, once the clubs are made, which need one."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a temporary file")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    monkeypatch.setattr(tempfile, "mkdtemp", refuse)


@pytest.fixture
def doors(face: Face) -> Iterator[tuple[int, int]]:
    with director_and_hall(face) as ports:
        yield ports


def known_as(who: str, face: Face, port: int) -> str:
    """The headers by which somebody is known at a door, or claims to be."""
    keys = {"director's key": face.keys.director, "another key": "x" * 32}
    if who in keys:
        return f"Authorization: Bearer {keys[who]}\r\n"
    links = {
        "director": f"in/{face.keys.director}",
        "phone": f"join/{face.hall()}",
        "member": f"join/{face.invitation(1)}",
        "who looks at the page for the PIN": "pin",
    }
    if who in links:
        _, headers, _ = ask(port, f"/{links[who]}")
        return f"Cookie: {headers['Set-Cookie'].partition(';')[0]}\r\n"
    forged = f"Cookie: keizer-{port}={FORGED}\r\n"
    return {"nobody": "", "forged": forged}[who]


def first_asked(known: str, kind: str, size: int, club: str = "") -> bytes:
    """The header of somebody who asks first whether so much may come."""
    head = f"POST {club}/do/import HTTP/1.1\r\nHost: localhost\r\n{known}Content-Type: {kind}\r\n"
    return f"{head}Content-Length: {size}\r\nExpect: 100-continue\r\n\r\n".encode()


def let_in(port: int, known: str, kind: str, size: int, club: str = "") -> int:
    """What is said to somebody who asks that, and goes; 100: it may."""
    before = LARGE.taken, UPLOADS.taken
    with connect(port, first_asked(known, kind, size, club)) as it:
        status = read_answer(it)[0]
    until(
        lambda: (LARGE.taken, UPLOADS.taken) == before,
        "what was taken is not given back",
    )
    return status


STRANGERS = (
    "nobody", "forged", "another key", "phone", "member", "who looks at the page for the PIN",
)  # fmt: skip


@pytest.mark.parametrize("who", [*STRANGERS, "director", "director's key"])
@pytest.mark.each
def test_how_much_is_read_is_told_by_who_asks(
    face: Face, doors: tuple[int, int], who: str
) -> None:
    """At either door, before any of it has come."""
    for port in doors:
        known = known_as(who, face, port)
        form, files = (ANYBODY, ANYBODY) if who in STRANGERS else (FORM, FILES)
        for kind, most in ((FIELDS, form), (UPLOAD, files)):
            assert let_in(port, known, kind, most) == 100
            assert let_in(port, known, kind, most + 1) == 413


def test_a_director_who_is_none_any_more_sends_no_more_than_anybody(
    face: Face, doors: tuple[int, int]
) -> None:
    """The cookie of a second device, once there is another PIN."""
    _, hall = doors
    page, headers, html = ask(hall, "/pin")
    cookie = headers["Set-Cookie"].partition(";")[0]
    token = html.partition('name="token" value="')[2].partition('"')[0]
    sent = f"token={token}&pin={face.keys.pin}"
    typed = {"Cookie": cookie, "Content-Type": FIELDS}
    _, headers, _ = ask(hall, "/pin", "POST", sent, **typed)
    known = f"Cookie: {headers['Set-Cookie'].partition(';')[0]}\r\n"
    assert page == 200 and let_in(hall, known, UPLOAD, FILES) == 100
    face.keys.new_pin()
    assert let_in(hall, known, UPLOAD, ANYBODY + 1) == 413


def test_who_is_refused_is_told_in_their_language_and_programs_in_json(
    doors: tuple[int, int],
) -> None:
    much = b"x" * (ANYBODY + 1)
    for headers, said in (
        ({}, "Only the director can send more than 1 MB."),
        (
            {"Accept-Language": "nl"},
            "Alleen de wedstrijdleider kan meer dan 1 MB sturen.",
        ),
        (
            {"Accept": "application/json"},
            '{"error": "only the director can send more than 1 MB."}',
        ),
    ):
        status, answered, text = ask(doors[1], "/do/import", "POST", much, **headers)
        assert status == 413 and said in text
        assert answered["X-Frame-Options"] == "DENY"


def test_large_bodies_of_anybody_have_a_part_of_the_memory(
    face: Face, doors: tuple[int, int]
) -> None:
    """Above it a new one is refused at once, unless it is the director's."""
    _, hall = doors
    known = known_as("director", face, hall)
    with filled(LARGE, left=100_000):
        assert let_in(hall, "", FIELDS, 100_000) == 100
        assert let_in(hall, "", FIELDS, 100_001) == 503
        status, headers, _ = ask(hall, "/pin", "POST", b"x" * 200_000)
        assert (status, headers["Retry-After"]) == (503, "2")
        assert [let_in(hall, known, UPLOAD, size) for size in (100_001, 100 << 20)] == [
            100,
            100,
        ]


def test_a_small_body_finds_room_when_every_part_is_taken(
    face: Face, doors: tuple[int, int]
) -> None:
    """Of anybody; a larger one does not, not even the director's."""
    with filled(LARGE), filled(UPLOADS):
        for port in doors:
            known = known_as("director", face, port)
            assert [let_in(port, "", FIELDS, size) for size in (SMALL, SMALL + 1)] == [
                100,
                503,
            ]
            assert [
                let_in(port, known, FIELDS, size) for size in (SMALL, SMALL + 1)
            ] == [100, 503]
            assert ask(port, "/pin", "POST", b"x" * SMALL)[0] == 403


def test_an_upload_that_stops_halfway_is_in_the_way_of_its_own_club_alone(
    clubs: Clubs,
) -> None:
    """Of its next upload: not of its forms, nor of the director of another club."""
    keys = {
        club: run_keizer("password", clubs.folder.path / f"{club}.db").stdout.strip()
        for club in ("club", "other")
    }
    known = {club: f"Authorization: Bearer {key}\r\n" for club, key in keys.items()}
    with serving(clubs) as door:
        stopped = first_asked(known["club"], UPLOAD, FILES, "/club")
        with connect(door.port, stopped) as upload:
            assert read_answer(upload)[0] == 100
            upload.sendall(bytes(ANYBODY))
            assert let_in(door.port, known["club"], UPLOAD, FILES, "/club") == 503
            assert let_in(door.port, known["club"], FIELDS, ANYBODY, "/club") == 100
            assert let_in(door.port, known["club"], FIELDS, SMALL, "/club") == 100
            assert let_in(door.port, known["other"], UPLOAD, FILES, "/other") == 100
            assert let_in(door.port, "", FIELDS, ANYBODY, "/other") == 100


HEAD = b"POST /pin HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
FORM_HEAD = HEAD + FIELDS.encode() + b"\r\nContent-Length: %d\r\n\r\n"
UPLOAD_HEAD = HEAD + UPLOAD.encode() + b"\r\nContent-Length: %d\r\n\r\n"
PART = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
CHUNKED = HEAD + b"text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
END = b"\r\n--x--\r\n"
FILE = b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n'


def form(body: bytes, head: bytes = FORM_HEAD) -> bytes:
    return head % len(body) + body


SHAPES = {
    "in pieces": (CHUNKED, 400),
    "in pieces, with a length": (
        FORM_HEAD.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n") % 1 + b"a", 400,
    ),
    "a length that is none": (HEAD + b"text/plain\r\nContent-Length: 1e3\r\n\r\n", 400),
    "a length below nothing": (HEAD + b"text/plain\r\nContent-Length: -1\r\n\r\n", 400),
    "two lengths": (HEAD + b"text/plain\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na", 400),
    "a length of a terabyte": (FORM_HEAD % (1 << 40) + b"a", 413),
    "no length": (HEAD + b"text/plain\r\n\r\n", 403),
    "100,000 parts": (form(PART * 20_000, UPLOAD_HEAD), 413),
    "a file of a megabyte": (form(FILE + bytes(ANYBODY - 200) + END, UPLOAD_HEAD), 403),
    "a part without an end": (form(FILE + b"\r" * (ANYBODY - 200), UPLOAD_HEAD), 403),
    "a part with endless headers": (form(b"--x\r\n" + b"A: b\r\n" * 150_000, UPLOAD_HEAD), 403),
    "a megabyte of names of fields": (form(b"a&" * (ANYBODY // 2)), 413),
    "a megabyte of one name": (form(b"a" * ANYBODY), 403),
    "a megabyte of signs that are written in three": (form(b"%61" * (ANYBODY // 3)), 413),
    "what is no UTF-8": (form(b"%ff" * 1000), 400),
    "JSON": (HEAD + b"application/json\r\nContent-Length: 2\r\n\r\n{}", 415),
    "many cookies": (
        HEAD.replace(b"POST", b"GET") + b"\r\n" + b"Cookie: a=b; keizer=x\r\n" * 90 + b"\r\n", 200,
    ),
    "more lines than any browser sends": (
        HEAD.replace(b"POST", b"GET") + b"\r\n" + b"A:\r\n" * 99 + b"\r\n", 400,
    ),
    "a header over the limit": (HEAD + b"x" * LONGEST_HEADER, 0),
    "HTTP/1.0": (form(b"a=1").replace(b"HTTP/1.1", b"HTTP/1.0"), 403),
    "HTTP/1.0, in pieces": (b"POST /pin HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na", 400),
    "a body of HEAD": (form(b"a" * ANYBODY).replace(b"POST", b"HEAD"), 200),
    "a body of GET": (form(b"a" * ANYBODY).replace(b"POST", b"GET"), 200),
    "much of HEAD": (form(b"a" * (ANYBODY + 1)).replace(b"POST", b"HEAD"), 413),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("no_disk")
@pytest.mark.each
def test_odd_bodies_of_strangers_get_an_answer_and_nothing_is_kept_of_them(
    doors: tuple[int, int], shape: str
) -> None:
    """0: closed without one."""
    sent, status = SHAPES[shape]
    with connect(doors[1]) as it:
        send(it, sent)
        assert read_answer(it, alone=sent.startswith(b"HEAD"))[0] == status
    assert ask(doors[1], "/pin")[0] == 200


def send(it: socket.socket, sent: bytes) -> None:
    """Send as much as the other end takes, which may have heard enough."""
    with suppress(BrokenPipeError, ConnectionResetError):
        it.sendall(sent)


def test_requests_behind_one_another_are_answered_in_turn(
    doors: tuple[int, int],
) -> None:
    """And what a length leaves over is the next request, as bad as it is."""
    get = b"GET /face.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connect(
        doors[1],
        get * 3 + form(b"a" * (ANYBODY + 1)) + get + form(b"a=1") + b"&b=2\r\n\r\n",
    ) as it:
        assert [read_answer(it)[0] for _ in range(8)] == [
            200,
            200,
            200,
            413,
            200,
            403,
            400,
            0,
        ]


@pytest.mark.usefixtures("no_disk")
def test_strangers_take_no_more_than_the_share_of_their_club(
    doors: tuple[int, int],
) -> None:
    """Each half of a body: what it was said to be is taken, until they are gone."""
    half = UPLOAD_HEAD % ANYBODY + FILE + bytes(ANYBODY // 2 - len(FILE))
    with ExitStack() as stack:
        for _ in range(LARGE.each):
            stack.enter_context(connect(doors[1], half))
        until(lambda: LARGE.taken == LARGE.each * ANYBODY, "they do not come")
        assert read_answer(stack.enter_context(connect(doors[1], half)))[0] == 503
        assert LARGE.has_room("other", ANYBODY)
        assert ask(doors[0], "/face.css")[0] == 200


def test_a_directors_list_is_on_the_disk_and_goes_when_it_was_read(
    face: Face, doors: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    head = {"Content-Type": UPLOAD, "Authorization": f"Bearer {face.keys.director}"}
    body = FILE.replace(b'"a"', b'"list"') + bytes(2 << 20) + END
    status, _, _ = ask(doors[0], "/do/import", "POST", body, **head)
    assert status in (303, 409)
    assert not [*(tmp_path / "temporary").iterdir()]


# ------------------------------------------------------------------- any WSGI server


class Pieces(io.RawIOBase):
    """A body that comes as it comes, up to a size; read: how much of it was taken."""

    def __init__(self, size: int) -> None:
        self._left, self.read_so_far = size, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = min(self._left, len(buffer))
        buffer[:size] = b"x" * size
        self._left -= size
        self.read_so_far += size
        return size


@pytest.fixture
def clubs(season: Path) -> Clubs:
    """The club of the season, and another."""
    new_club(season.with_name("other.db"), name="Other")
    return Clubs(season.parent, "localhost")


def by_wsgi(clubs: Clubs, body: Any, path: str = "/club/pin", **environ: Any) -> int:
    """The status of what somebody is answered who sends this."""
    return call_application(
        clubs, path, **{"REQUEST_METHOD": "POST", "wsgi.input": body, **environ}
    )[0]


IN_PIECES: dict[str, Any] = {
    "HTTP_TRANSFER_ENCODING": "chunked",
    "wsgi.input_terminated": True,
}
"""As gunicorn has it: there is no length, and the server knows the end."""


@pytest.mark.usefixtures("no_disk")
def test_a_body_in_pieces_is_counted_as_it_comes(clubs: Clubs) -> None:
    """Where any WSGI server takes it: without a length, with a false one, without end."""
    for announced in ({}, {"CONTENT_LENGTH": "10"}):
        body = Pieces(1 << 40)
        assert by_wsgi(clubs, body, **IN_PIECES, **announced) == 413
        assert ANYBODY < body.read_so_far <= ANYBODY + (1 << 16)
    body = Pieces(1 << 40)
    assert by_wsgi(clubs, body, CONTENT_LENGTH=str(ANYBODY + 1)) == 413
    assert body.read_so_far == 0
    assert by_wsgi(clubs, Pieces(ANYBODY), **IN_PIECES) == 403
    assert by_wsgi(clubs, Pieces(1 << 40), HTTP_TRANSFER_ENCODING="chunked") == 403
    assert by_wsgi(clubs, Pieces(5), CONTENT_LENGTH="10") == 400


def test_a_directors_body_in_pieces_is_read_by_any_server(
    clubs: Clubs, season: Path
) -> None:
    """Up to what a form or a list takes; of the director of another club like a stranger's."""
    password = run_keizer("password", season).stdout.strip()
    known = {"HTTP_AUTHORIZATION": f"Bearer {password}", **IN_PIECES}
    for kind, most in ((FIELDS, FORM), ("multipart/form-data; boundary=x", 6 << 20)):
        body = Pieces(6 << 20)
        status = by_wsgi(clubs, body, "/club/do/x", CONTENT_TYPE=kind, **known)
        assert status == (413 if most < 6 << 20 else 404)
        assert min(most, 6 << 20) <= body.read_so_far <= most + (1 << 16)
        body = Pieces(6 << 20)
        assert by_wsgi(clubs, body, "/other/do/x", CONTENT_TYPE=kind, **known) == 413
        assert body.read_so_far <= ANYBODY + (1 << 16)


def test_a_budget_that_is_full_refuses_a_body_of_any_server(clubs: Clubs) -> None:
    password = run_keizer("password", clubs.folder.path / "club.db").stdout.strip()
    key = {"HTTP_AUTHORIZATION": f"Bearer {password}"}
    long, body = {"CONTENT_LENGTH": "100000"}, Pieces(100_000)
    with filled(LARGE):
        assert by_wsgi(clubs, Pieces(100_000), "/club/do/x", **long, **key) == 404
        assert by_wsgi(clubs, body, **long) == 503
        # Else some servers close, and the answer is lost.
        assert body.read_so_far == 100_000
        endless = Pieces(1 << 40)
        assert by_wsgi(clubs, endless, **IN_PIECES) == 503
        assert endless.read_so_far == ANYBODY
        assert by_wsgi(clubs, Pieces(1000), CONTENT_LENGTH="1000") == 403


def test_a_form_that_breaks_off_is_not_carried_out(clubs: Clubs, season: Path) -> None:
    """At gunicorn, which gives what came and says nothing: `players=1` of `players=12`."""
    password = run_keizer("password", season).stdout.strip()
    sent = b"rounds=3&players=12"
    known = {
        "HTTP_AUTHORIZATION": f"Bearer {password}",
        "CONTENT_TYPE": FIELDS,
        "CONTENT_LENGTH": str(len(sent)),
        "wsgi.input_terminated": True,
    }
    before = rows(season, "SELECT * FROM log")
    for came in range(len(sent)):
        assert (
            by_wsgi(clubs, io.BytesIO(sent[:came]), "/club/do/absent", **known) == 400
        )
    assert rows(season, "SELECT * FROM log") == before
    whole = known | {"CONTENT_LENGTH": str(len(sent) - 1)}
    assert by_wsgi(clubs, io.BytesIO(sent[:-1]), "/club/do/absent", **whole) == 303
    assert rows(season, "SELECT player_id FROM unplayed WHERE kind <> 'bye'") == [(1,)]


def test_a_stranger_has_no_season_opened_to_be_told_apart(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By cookies and keys that nobody of ours gave: the file may be in use for long."""
    by_wsgi(clubs, io.BytesIO(), "/club/pin", REQUEST_METHOD="GET")

    def opens(*_: Any) -> None:
        raise AssertionError("the season was opened")

    monkeypatch.setattr("keizer.web.visit.Face.reading", opens)
    for known in (
        {"HTTP_AUTHORIZATION": "Bearer ABCDE"},
        {"HTTP_COOKIE": f"keizer={FORGED}"},
        {},
    ):
        assert (
            by_wsgi(clubs, Pieces(1 << 30), CONTENT_LENGTH=str(1 << 30), **known) == 413
        )


def test_bodies_of_many_threads_are_counted_without_a_loss() -> None:
    def one(_: int) -> None:
        with closing(bodies.Body()) as body:
            body.expect("club", SMALL + 1)

    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(one, range(200))] == [None] * 200


def test_a_long_list_that_is_pasted_is_the_directors(face: Face) -> None:
    """Each letter of it can be three signs, which are parsed apart: of others so many are none."""
    long = "list_text=" + "%D1%8F" * 30_000
    sent = {"data": long, "content_type": FIELDS, "base_url": "http://localhost"}
    me, guest = director(face), client(face)
    assert me.client.post("/do/import", **sent).status_code == 403  # it has no token
    assert guest.post("/do/import", **sent).status_code == 413
    sent["data"] = "&".join("x" for _ in range(300_000))
    assert me.client.post("/do/import", **sent).status_code == 413


@pytest.mark.usefixtures("no_disk")
def test_an_upload_that_anybody_may_send_is_parsed_in_memory(face: Face) -> None:
    """Over 500 KB the parser of forms would write it to the disk."""
    me = director(face)
    token = PART.replace(b'"a"', b'"token"').replace(
        b"1\r\n", f"{me.page.token}\r\n".encode()
    )
    body = token + FILE + bytes(900_000) + END
    sent = {"data": body, "content_type": UPLOAD, "base_url": "http://localhost"}
    assert me.client.post("/pin", **sent).status_code == 303
