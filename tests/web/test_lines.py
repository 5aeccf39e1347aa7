"""One club's load is its own: who waits for one club has no thread that another needs."""

import asyncio
import os
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Self

import pytest

from keizer.errors import KeizerError
from keizer.web import lines, server
from keizer.web.answers import RefusedError
from keizer.web.desk import BusyError, Gate
from keizer.web.folder import Open
from keizer.web.lines import SEATS, TOGETHER, Lines
from keizer.web.public import Clubs
from keizer.web.server import MANY, Server
from tests.support.console import new_club
from tests.support.doors import ask, connect, read_answer, serving
from tests.support.patience import PATIENCE, until
from tests.support.wsgi import call_application


@pytest.fixture
def clubs(season: Path) -> Clubs:
    """The clubs club and other. The first page of each is kept."""
    new_club(season.with_name("other.db"), name="Other")
    made = Clubs(season.parent, "localhost")
    for name in ("club", "other"):
        os.utime(season.with_name(f"{name}.db"), (1, 1))
        assert call_application(made, f"/{name}/index.html")[0] == 200
        assert (
            call_application(made, f"/{name}/face.css", HTTP_COOKIE="keizer=x")[0]
            == 200
        )
    return made


def club_of(clubs: Clubs, name: str) -> Open:
    """A club that somebody has asked for."""
    found = clubs.folder.opened(name)
    assert found
    return found


class Busy:
    """Clubs whose requests go on until `end` is set; begun: one for each that has a thread."""

    def __init__(self, clubs: Clubs, *names: str) -> None:
        self.end, self.begun = threading.Event(), threading.Semaphore(0)
        for name in names:
            app = club_of(clubs, name).app
            app.wsgi_app = partial(self._answer, app.wsgi_app)  # type: ignore[method-assign]

    def _answer(self, answer: Any, environ: dict[str, Any], start: Any) -> Any:
        self.begun.release()
        assert self.end.wait(PATIENCE)
        return answer(environ, start)

    def wait(self, number: int) -> None:
        """Wait until so many more have begun; there are no more."""
        for _ in range(number):
            assert self.begun.acquire(timeout=PATIENCE)
        assert not self.begun.acquire(blocking=False)


# ----------------------------------------------------------------- any WSGI server


def test_of_the_threads_of_any_server_a_club_takes_its_seats_and_few_wait(
    clubs: Clubs,
) -> None:
    """Twenty ask for one club: two are answered, four wait, fourteen are refused at once."""
    busy = Busy(clubs, "club")
    with ThreadPoolExecutor(20) as threads:
        found = [threads.submit(call_application, clubs, "/club/me") for _ in range(20)]
        busy.wait(SEATS)
        at_once = 20 - SEATS - lines.WAITING
        for one in islice(as_completed(found), at_once):
            status, headers, _ = one.result()
            assert (status, headers["Retry-After"]) == (503, "2")
        assert call_application(clubs, "/other/standings.html")[0] == 200
        assert call_application(clubs, "/other/index.html")[0] == 200
        assert call_application(clubs, "/club/index.html")[0] == 200
        assert (
            call_application(clubs, "/club/face.css", HTTP_COOKIE="keizer=x")[0] == 200
        )
        busy.end.set()
        statuses = [one.result()[0] for one in found]
    assert statuses.count(503) + statuses.count(403) == 20
    assert statuses.count(503) >= at_once and statuses.count(403) >= SEATS
    assert call_application(clubs, "/club/standings.html")[0] == 200


def test_threads_that_wait_for_a_seat_are_few_for_all_clubs_together(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second club that is full makes nobody wait while others do."""
    together = threading.BoundedSemaphore(2 * SEATS)
    monkeypatch.setattr(clubs._seats, "_together", together)  # noqa: SLF001
    ends = [Busy(clubs, name) for name in ("club", "other")]
    with ThreadPoolExecutor(20) as threads:
        for name, busy in zip(("club", "other"), ends, strict=True):
            for _ in range(SEATS):
                threads.submit(call_application, clubs, f"/{name}/me")
            busy.wait(SEATS)
        waiting = [
            threads.submit(call_application, clubs, "/club/me")
            for _ in range(lines.WAITING)
        ]
        until(lambda: not clubs._seats._waiting._value, "they do not wait")  # noqa: SLF001
        assert (
            call_application(clubs, "/other/me")[0]
            == call_application(clubs, "/club/me")[0]
            == 503
        )
        for busy in ends:
            busy.end.set()
        assert {one.result()[0] for one in waiting} == {403}


def test_all_clubs_together_leave_threads_of_any_server(clubs: Clubs) -> None:
    """Of what is kept nobody waits for others, however many clubs are full."""
    names = [f"club{number}" for number in range((TOGETHER + lines.WAITING) // SEATS)]
    for name in names:
        shutil.copy(clubs.folder.path / "club.db", clubs.folder.path / f"{name}.db")
        assert call_application(clubs, f"/{name}/me")[0] == 403
    busy = Busy(clubs, *names)
    with ThreadPoolExecutor(TOGETHER + lines.WAITING) as threads:
        found = [
            threads.submit(call_application, clubs, f"/{name}/me")
            for name in names * SEATS
        ]
        busy.wait(TOGETHER)
        until(lambda: not clubs._seats._waiting._value, "they do not wait")  # noqa: SLF001
        assert call_application(clubs, "/other/standings.html")[0] == 503
        assert call_application(clubs, "/other/index.html")[0] == 200
        busy.end.set()
        assert {one.result()[0] for one in found} == {403}


def test_who_waits_for_a_page_that_is_made_meanwhile_gets_that_page(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty who ask for the same at once have it computed once for each seat at most."""
    monkeypatch.setattr(clubs._seats, "_waiting", threading.BoundedSemaphore(50))  # noqa: SLF001
    busy = Busy(clubs, "club")
    with ThreadPoolExecutor(50) as threads:
        found = [
            threads.submit(call_application, clubs, "/club/standings.html")
            for _ in range(50)
        ]
        busy.wait(SEATS)
        busy.end.set()
        assert {one.result()[0] for one in found} == {200}
    assert not busy.begun.acquire(blocking=False)


def test_a_slow_body_takes_no_seat(clubs: Clubs) -> None:
    begun, end = threading.Event(), threading.Event()

    class Slow:
        def read(self, _: int) -> bytes:
            begun.set()
            end.wait(PATIENCE)
            return b""

    with ThreadPoolExecutor(SEATS) as threads:
        drips = {
            "wsgi.input": Slow(),
            "wsgi.input_terminated": True,
            "REQUEST_METHOD": "POST",
        }
        slow = [
            threads.submit(call_application, clubs, "/club/pin", **drips)
            for _ in range(SEATS)
        ]
        assert begun.wait(PATIENCE)
        assert club_of(clubs, "club").seats._value == SEATS  # noqa: SLF001
        end.set()
        assert {one.result()[0] for one in slow} == {403}


# ------------------------------------------------------------------ keizer's own door

HOST = {"Host": "localhost"}


class Waiting:
    """Connections that ask a door for the same, each waiting for its answer."""

    def __init__(self, door: Server, path: str, number: int) -> None:
        sent = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        self.connections = [connect(door.port, sent) for _ in range(number)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self.connections:
            one.close()


def wait_for(door: Server, club: str, people: int) -> None:
    """Wait until so many people are in the line of a club, those with a seat too."""
    there = door._doors[0]._lines._lines  # noqa: SLF001
    until(
        lambda: (there[club].people if club in there else 0) == people,
        "they do not come",
    )


def test_who_waits_in_the_line_of_a_club_has_no_thread(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is one thread for others: it answers as if nobody waited elsewhere."""
    monkeypatch.setattr(server, "MANY", MANY._replace(threads=SEATS + 1))
    busy = Busy(clubs, "club")
    with serving(clubs) as door, Waiting(door, "/club/me", SEATS + 20) as waiting:
        wait_for(door, "club", SEATS + 20)
        busy.wait(SEATS)
        assert ask(door.port, "/other/standings.html", **HOST)[0] == 200
        busy.end.set()
        assert [read_answer(one)[0] for one in waiting.connections] == [403] * (
            SEATS + 20
        )
        wait_for(door, "club", 0)


def test_what_is_kept_is_answered_while_every_thread_is_at_work(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MANY", MANY._replace(threads=SEATS))
    busy = Busy(clubs, "club")
    with serving(clubs) as door, Waiting(door, "/club/me", SEATS):
        busy.wait(SEATS)
        for path in ("/club/index.html", "/other/index.html"):
            assert ask(door.port, path, **HOST)[0] == 200
        assert ask(door.port, "/other/index.html", "HEAD", **HOST)[::2] == (200, "")
        busy.end.set()


def test_a_line_that_is_full_refuses_at_once_and_no_other_line(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MANY", MANY._replace(room=2))
    busy = Busy(clubs, "club")
    with serving(clubs) as door, Waiting(door, "/club/me", SEATS + 2):
        wait_for(door, "club", SEATS + 2)
        status, headers, said = ask(
            door.port, "/club/me", **HOST, **{"Accept-Language": "nl"}
        )
        assert (status, headers["Retry-After"]) == (
            503,
            "2",
        ) and "probeer het opnieuw" in said
        assert ask(door.port, "/other/standings.html", **HOST)[0] == 200
        busy.end.set()


SLOW = b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
"""Whoever sends this, and then nothing."""


def test_who_fills_the_connections_of_a_club_shuts_out_nobody_elsewhere(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither at another club, nor at the list, nor those who asked there for something else."""
    monkeypatch.setattr(server, "MANY", MANY._replace(club=3))
    with serving(clubs) as door, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(connect(door.port, SLOW % b"/club/pin"))
        until(lambda: full(door, "club", 3), "they do not come")
        with connect(door.port, SLOW % b"/club/pin") as fourth:
            status, text = read_answer(fourth)
            assert status == 503 and b"Too many people want the file at once" in text
            assert fourth.recv(1) == b""
        _, headers, _ = ask(door.port, "/club/index.html", **HOST)
        assert (headers["Connection"], headers["Retry-After"]) == ("close", "2")
        assert ask(door.port, "/other/standings.html", **HOST)[0] == 200
        assert ask(door.port, "/", **HOST)[0] == 200


def test_names_of_no_club_have_connections_together(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as one club, so that nobody takes more by making names up."""
    monkeypatch.setattr(server, "MANY", MANY._replace(club=3))
    with serving(clubs) as door, ExitStack() as stack:
        until(lambda: full(door, "", 0), "who asked for nothing stays")
        for name in (b"/a/pin", b"/b/pin", b"/%00/pin"):
            stack.enter_context(connect(door.port, SLOW % name))
        until(lambda: full(door, "", 3), "they do not come")
        assert ask(door.port, "/c/pin", **HOST)[0] == 503
        assert ask(door.port, "/club/me", **HOST)[0] == 403


def test_a_connection_is_of_the_club_that_it_asked_for_last(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server in front asks for many clubs by one; whoever was answered and stays is counted."""
    monkeypatch.setattr(server, "MANY", MANY._replace(club=1))
    get = b"GET /%b/index.html HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving(clubs) as door, connect(door.port) as front:
        for name in (b"club", b"club", b"other"):
            front.sendall(get % name)
            assert read_answer(front)[0] == 200
        assert ask(door.port, "/other/index.html", **HOST)[0] == 503
        assert ask(door.port, "/club/index.html", **HOST)[0] == 200
    until(
        lambda: ask(door.port, "/other/index.html", **HOST)[0] != 503,
        "it is not let go",
    )


def full(server: Server, club: str, number: int) -> bool:
    """Whether so many connections at its door, and no more, are of a club."""
    there = server._doors[0]._asking  # noqa: SLF001
    return (
        sum(whose == club and not one.closed() for one, whose in there.items())
        == number
    )


def test_who_goes_leaves_the_line(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is done for them, and who comes later is not behind them."""
    monkeypatch.setattr(server, "MANY", MANY._replace(room=2))
    busy = Busy(clubs, "club")
    with serving(clubs) as door, Waiting(door, "/club/me", SEATS) as seated:
        busy.wait(SEATS)
        with Waiting(door, "/club/me", 2):
            wait_for(door, "club", SEATS + 2)
        wait_for(door, "club", SEATS)
        with Waiting(door, "/club/me", 1) as last:
            wait_for(door, "club", SEATS + 1)
            busy.end.set()
            found = [*seated.connections, *last.connections]
            assert [read_answer(one)[0] for one in found] == [403] * (SEATS + 1)
        busy.wait(1)


def test_who_waits_for_too_long_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "PATIENCE", 0)
    door = Lines(seats=1, room=1)

    async def come() -> None:
        await door.enter("club")
        with pytest.raises(RefusedError):
            await door.enter("club")
        await door.enter("other")
        for name in ("club", "other"):
            door.leave(name)

    asyncio.run(come())
    assert door._lines == {}  # noqa: SLF001


def test_a_gate_lets_in_who_need_not_wait(clubs: Clubs) -> None:
    """The list of clubs has of one that is at work what it had before, or the name of its file."""
    gate, outcome = Gate(), []

    def come() -> None:
        with suppress(KeizerError), gate.turn(0):
            outcome.append("in")

    with gate.turn():
        thread = threading.Thread(target=come)
        thread.start()
        thread.join()
    assert outcome == []
    there = club_of(clubs, "other").club
    assert call_application(clubs, "/")[2].count("Other") == 1
    begun, end = threading.Event(), threading.Event()

    def hold() -> None:
        with there.gate.turn():
            begun.set()
            end.wait(PATIENCE)

    os.utime(there.there, (2, 2))
    with ThreadPoolExecutor(1) as threads:
        threads.submit(hold)
        assert begun.wait(PATIENCE)
        assert call_application(clubs, "/")[2].count("Other") == 1
        with pytest.raises(BusyError):
            there.title()
        end.set()
