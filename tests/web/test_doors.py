"""The director's door and that of the hall: what somebody can hold, and for how long."""

import gc
import select
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import pytest

from keizer.errors import KeizerError
from keizer.web.listening import own_address
from keizer.web.public import Clubs
from keizer.web.server import HALL, Server
from keizer.web.visit import Face
from tests.support.doors import connect, director_and_hall, read_answer, serving
from tests.support.face import Person, client, face_of
from tests.support.files import run_keizer
from tests.support.patience import PATIENCE
from tests.support.served import served

HEADER = b"POST /pin HTTP/1.1\r\nHost: localhost\r\n"
BODY = HEADER + b"Content-Length: 1000\r\n\r\n"
TRIES = 10_000
"""How often somebody comes until the only place is free."""


class Behind:
    """An application behind a door: who asks there is nobody known."""

    def __init__(self, app: Callable[..., Any]) -> None:
        self._app = app

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        return self._app(environ, start)

    def is_director(self, _: dict[str, Any]) -> bool:
        return False

    def club(self, _: dict[str, Any]) -> str:
        return ""

    def kept(self, _: dict[str, Any]) -> None:
        return None


@pytest.fixture
def doors(face: Face) -> Iterator[tuple[int, int]]:
    with director_and_hall(face) as ports:
        yield ports


def asked(port: int, whose: str = "127.0.0.1", method: str = "GET", **more: Any) -> int:
    """The status of an answer; 0: closed without one."""
    with closing(
        HTTPConnection("127.0.0.1", port, PATIENCE, source_address=(whose, 0))
    ) as connection:
        try:
            connection.request(method, "/face.css", **more)
            return connection.getresponse().status
        except (HTTPException, ConnectionError):
            return 0


def test_one_address_holds_twenty_connections_and_nobody_else_waits(
    doors: tuple[int, int],
) -> None:
    ours, hall = doors
    with ExitStack() as stack:
        held = [stack.enter_context(connect(hall, HEADER)) for _ in range(20)]
        assert asked(hall) == 0
        assert asked(hall, "127.0.0.2") == 200
        assert asked(ours) == 200
        held[0].sendall(b"Connection: close\r\n\r\n")
        while held[0].recv(10_000):
            pass
        assert asked(hall) == 200


def test_a_full_hall_does_not_stop_the_director(
    face: Face, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keizer.web.server.HALL", HALL._replace(connections=3))
    with director_and_hall(face) as (ours, hall), ExitStack() as stack:
        for number in (1, 2, 3):
            stack.enter_context(connect(hall, HEADER, f"127.0.0.{number}"))
        assert asked(hall, "127.0.0.4") == 0
        assert asked(ours) == 200


@pytest.mark.parametrize(
    ("what", "sent"), [("HEADER", HEADER + b"X: "), ("BODY", BODY)]
)
def test_what_drips_ends_at_the_deadline(
    face: Face, monkeypatch: pytest.MonkeyPatch, what: str, sent: bytes
) -> None:
    monkeypatch.setattr(f"keizer.web.server.{what}", 0.3)
    with (
        director_and_hall(face) as (_, hall),
        connect(hall, sent) as slow,
        suppress(ConnectionError),  # it can end with a letter on its way
    ):
        for _ in range(TRIES):
            if select.select([slow], [], [], 0.05)[0]:
                break
            slow.sendall(b"x")
        else:
            pytest.fail("it goes on")
        assert slow.recv(100) == b""


def test_who_does_not_read_is_cut_off(
    face: Face, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = 32 << 20

    def app(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        start("200 OK", [])
        return [bytes(long if environ["PATH_INFO"] == "/long" else 1)]

    monkeypatch.setattr("keizer.web.server.application", lambda *_: Behind(app))
    monkeypatch.setattr("keizer.web.server.ANSWER", 0.3)
    monkeypatch.setattr("keizer.web.server.HALL", HALL._replace(each=1))
    with (
        director_and_hall(face) as (_, hall),
        connect(hall, b"GET /long HTTP/1.0\r\n\r\n") as idle,
    ):
        assert any(asked(hall) for _ in range(TRIES))
        came = 0
        while more := idle.recv(1 << 20):
            came += len(more)
        assert came < long


def test_what_nobody_waits_for_is_not_done(
    face: Face, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request whose sender has gone while it stood in line."""
    begun, go, seen = Event(), Event(), []

    def app(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        seen.append(environ["PATH_INFO"])
        if environ["PATH_INFO"] == "/first":
            begun.set()
            go.wait(PATIENCE)
        start("200 OK", [])
        return []

    monkeypatch.setattr("keizer.web.server.application", lambda *_: Behind(app))
    monkeypatch.setattr("keizer.web.server.HALL", HALL._replace(each=2, threads=1))
    with (
        director_and_hall(face) as (_, hall),
        connect(hall, b"GET /first HTTP/1.0\r\n\r\n") as first,
    ):
        assert begun.wait(PATIENCE)
        connect(hall, b"GET /gone HTTP/1.0\r\n\r\n").close()
        much = {"Content-Length": "9999999"}  # refused without the application
        assert any(asked(hall, headers=much) for _ in range(TRIES))
        go.set()
        assert b" 200 " in first.recv(1000)
        assert asked(hall) == 200
    assert seen == ["/face.css", "/first", "/face.css"]


def test_an_application_that_breaks_keeps_nobody_waiting(
    face: Face, monkeypatch: pytest.MonkeyPatch
) -> None:
    def app(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        if "HTTP_HARM" in environ:
            raise ValueError
        start("200 OK", [])
        return []

    monkeypatch.setattr("keizer.web.server.application", lambda *_: Behind(app))
    with director_and_hall(face) as (ours, _):
        assert asked(ours, headers={"Harm": "1"}) == 0


@pytest.mark.parametrize("lan", [False, True])
def test_the_directors_door_is_shut_to_the_network(season: Path, *, lan: bool) -> None:
    """127.0.0.2 is not the address where it listens, as that in a network is not."""
    face = face_of(season, lan=lan)
    with director_and_hall(face) as (ours, hall):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", ours))
        assert bool(hall) == lan
        if lan:
            socket.create_connection(("127.0.0.2", hall)).close()


def test_the_application_hears_who_asks_and_the_answer_not_what_serves(
    face: Face, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: dict[str, Any] = {}

    def app(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        heard.update(environ)
        start("200 OK", [])
        return []

    monkeypatch.setattr("keizer.web.server.application", lambda *_: Behind(app))
    with director_and_hall(face) as (_, hall):
        forged = b"Host: a.example:1\r\nX-Forwarded-For: 192.0.2.9\r\nX-Real-Ip: 192.0.2.9\r\n\r\n"
        with connect(
            hall, b"GET /a%20b?c=%20d HTTP/1.0\r\n" + forged, "127.0.0.2"
        ) as found:
            assert b"server:" not in found.recv(1000).lower()
    shown = ("REMOTE_ADDR", "HTTP_HOST", "PATH_INFO", "QUERY_STRING", "wsgi.url_scheme")
    assert [heard[name] for name in shown] == [
        "127.0.0.2", "a.example:1", "/a b", "c=%20d", "http",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost:\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n", HEADER + b"Content-Length: 1_0\r\n\r\n",
        HEADER + b"Host: localhost\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_no_request_gets_one_answer(
    doors: tuple[int, int], caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    with connect(doors[1], sent) as found:
        assert found.recv(1000) == b"HTTP/1.1 400 Bad Request\r\n\r\n"
        assert found.recv(1000) == b""
    assert caplog.records == []


def test_a_port_that_is_taken(season: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one where nobody asked for it; else a sentence."""
    face = face_of(season, lan=True)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(KeizerError, match=f"port {taken} cannot be used"):
            Server(face, taken)
        monkeypatch.setattr("keizer.web.server.USUAL_PORT", taken)
        server = Server(face)
        assert server.port != taken
        server.close()
        with socket.create_server(("127.0.0.1", server.port)):
            pass


@pytest.fixture
def _heard() -> Iterator[None]:
    """A shell has what it runs in the background ignore Ctrl-C, and all that this starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.posix
@pytest.mark.usefixtures("_heard")
def test_control_c_ends_both_without_a_trace(season: Path) -> None:
    with served(season, "--lan") as found:
        ports = [
            urlsplit(address).port or 0 for address in (found.address, found.phones)
        ]
        assert [asked(port) for port in ports] == [200, 200]
        with connect(ports[0], HEADER), connect(ports[1], BODY):
            found.process.send_signal(signal.SIGINT)
            assert found.process.communicate(timeout=PATIENCE) == ("", "")
            assert found.process.returncode == 0


def test_packages_that_are_missing_are_named(
    season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not keizer[web]: no package index has this keizer."""
    there = {"jinja2": True, "polib": True}
    monkeypatch.setattr("importlib.util.find_spec", there.get)
    said = run_keizer("serve", season, fails=True).output
    assert "-m pip install flask segno tornado`, then again." in " ".join(said.split())


def test_a_body_in_pieces_is_refused(doors: tuple[int, int]) -> None:
    """Each piece of a letter is as much work as a page."""
    for port in doors:
        with connect(
            port, HEADER + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n"
        ) as held:
            assert held.recv(4096).startswith(b"HTTP/1.1 400 ")
            assert not held.recv(4096)


def test_what_is_not_used_any_more_is_collected(
    season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command is over before that, and does without; each page leaves half a megabyte."""
    found = []
    monkeypatch.setenv("XDG_CONFIG_HOME", str(season.parent))

    def runs(server: Server) -> None:
        found.append(gc.isenabled())
        server.close()

    monkeypatch.setattr(Server, "run", runs)
    gc.disable()
    try:
        run_keizer("serve", season, "--no-browser", "--port", "0")
    finally:
        gc.enable()
    assert found == [True]


def is_open(address: str, port: int) -> bool:
    with (
        suppress(OSError),
        closing(socket.create_connection((address, port), PATIENCE)),
    ):
        return True
    return False


def has(address: str) -> bool:
    """Whether this machine has an address, as not every one speaks IPv6."""
    with suppress(KeizerError):
        return bool(own_address(address))
    return False


@pytest.mark.parametrize("address", ["127.0.0.2", "::1"])
def test_the_hall_is_at_the_address_that_was_chosen(season: Path, address: str) -> None:
    """Alone; what is shown to phones has it; the director's door is where it always is."""
    if not has(address):
        pytest.skip(f"{address} is not of this machine")
    face = face_of(season, lan=True)
    server = Server(face, 0, address)
    shown = urlsplit(face.join_link() or "")
    assert shown.hostname == address and shown.port
    assert [is_open(one, shown.port) for one in (address, "127.0.0.1")] == [True, False]
    assert urlsplit(server.address).hostname == "127.0.0.1"
    assert [is_open(one, server.port) for one in (address, "127.0.0.1")] == [
        False,
        True,
    ]
    code = Person(client(face), f"/in/{face.keys.director}").go("/phones").html
    assert f"http://{shown.netloc}/join/" in code
    server.close()


def test_phones_come_in_by_an_address_of_ipv6(season: Path) -> None:
    if not has("::1"):
        pytest.skip("this machine has no IPv6")
    face = face_of(season, lan=True)
    with serving(face, "::1"):
        shown = urlsplit(face.address or "")
        it = socket.create_connection(("::1", shown.port), PATIENCE)
        it.sendall(f"GET /index.html HTTP/1.1\r\nHost: {shown.netloc}\r\n\r\n".encode())
        status, text = read_answer(it)
        it.close()
    assert status == 200 and b"Anna" in text


def test_many_clubs_are_at_the_address_that_was_chosen(season: Path) -> None:
    """By default no network reaches them but through the server in front."""
    for address in (None, "127.0.0.2"):
        server = Server(Clubs(season.parent, "localhost"), 0, address)
        assert urlsplit(server.address).hostname == (address or "127.0.0.1")
        there = [is_open(one, server.port) for one in ("127.0.0.1", "127.0.0.2")]
        assert there == [address is None, address is not None]
        server.close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            "--address 127.0.0.1",
            "--address is for --lan and --host-name: say one of them, too.",
        ),
        (
            "--lan --address laptop",
            "“laptop” is not an address: say one such as 192.168.1.7.",
        ),
        ("--lan --address 127.0.0.1:80", "“127.0.0.1:80” is not an address"),
        (
            "--lan --address 192.0.2.77",
            "keizer cannot listen at 192.0.2.77: in its network",
        ),
        ("--lan --address 224.0.0.1", "keizer cannot listen at 224.0.0.1"),
        ("--lan --address fe80::1", "keizer cannot listen at fe80::1"),
        (
            "--host-name club.example.org --address 2001:db8::7",
            "cannot listen at 2001:db8::7",
        ),
    ],
)
def test_an_address_that_is_of_no_use_gets_a_sentence(
    season: Path, options: str, said: str
) -> None:
    what = season.parent if "--host-name" in options else season
    refused = run_keizer(
        "serve", what, "--no-browser", "--port", "0", *options.split(), fails=True
    )
    assert said in " ".join(refused.output.split())


def test_the_address_of_phones_is_printed(
    season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(season.parent))
    monkeypatch.setattr(Server, "run", Server.close)
    line = ["--lan", "--address", "127.0.0.2", "--no-browser", "--port", "0"]
    assert "Phones: http://127.0.0.2:" in run_keizer("serve", season, *line).output
