"""The application on sockets: a door for the director, and others."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from socket import socket
from typing import Any, NamedTuple, Protocol, TypeVar

from tornado import httputil
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.wsgi import WSGIContainer
from werkzeug import Request, Response

from keizer.errors import KeizerError
from keizer.web import bodies
from keizer.web.answers import RefusedError, busy, refusal
from keizer.web.app import application
from keizer.web.bodies import Body
from keizer.web.lines import SEATS, Lines
from keizer.web.listening import ALONE, EVERYWHERE, listen, url
from keizer.web.visit import Face

Environ = dict[str, Any]
Result = TypeVar("Result")
USUAL_PORT = 8395
"""The director's; that of the hall is the next."""
HEADER, BODY, ANSWER = 10, 60, 60
"""Seconds for a header and the silence before it, for a body, until an answer has been read."""
LONGEST_HEADER, MOST_LINES = 1 << 13, 100
"""Bytes and lines of a header. It is parsed where all clubs wait; a browser sends one or two
thousand, in twenty or thirty lines."""
_FILES = 2048
"""Connections and files that may be open: on macOS a program begins with 256."""


class Application(Protocol):
    """What is behind a door: a WSGI application, and what it says before a request is let in."""

    def __call__(self, environ: Environ, start: Callable[..., Any], /) -> Any:
        """Answer a request, as PEP 3333 has it."""

    def is_director(self, environ: Environ, /) -> bool:
        """Return whether the director asks, by the headers alone. It may wait for a file."""

    def club(self, environ: Environ, /) -> str:
        """Return in whose line a request waits."""

    def kept(self, environ: Environ, /) -> Response | None:
        """Return what is there for whoever asks; it waits for nobody."""


class _Stream(IOStream):
    """A connection. Each line of a header is work, so one of many lines is not parsed."""

    async def read_until_regex(
        self, regex: bytes, max_bytes: int | None = None
    ) -> bytes:
        """Return a header; HTTPInputError if it has more lines than any browser sends."""
        header = await super().read_until_regex(regex, max_bytes)
        if header.count(b"\n") > MOST_LINES:
            raise httputil.HTTPInputError
        return header


class _Request(httputil.HTTPMessageDelegate):
    """A request as it comes in. What is too large is answered at once, and not kept."""

    def __init__(self, door: "_Door", connection: Any) -> None:
        self._door, self._connection = door, connection
        self._refused = False

    async def headers_received(
        self, start_line: Any, headers: httputil.HTTPHeaders
    ) -> None:
        self._body = Body()
        # No browser sends pieces, of which each is work.
        if "Transfer-Encoding" in headers:
            raise httputil.HTTPInputError
        try:
            announced = int(headers.get("Content-Length", 0))
            self._environ = self._door.environment(
                self._connection, start_line, headers
            )
        except ValueError as error:  # of the length, or the port in Host
            raise httputil.HTTPInputError from error
        self._club = club = self._door.application.club(self._environ)
        try:
            self._door.admit(self._connection.stream, club)
        except RefusedError as error:
            self._turn_away(error)
            return
        try:
            large = bodies.has_to_know(club, announced)
            if large and await self._door.is_director(self._environ, club):
                self._body.is_directors(headers.get("Content-Type", ""))
            self._body.expect(club, announced)
        except RefusedError as error:
            self._refuse(error)
            headers.pop("Expect", None)  # nothing of it is wanted

    def data_received(self, chunk: bytes) -> None:
        if self._refused:
            return  # the rest is read and forgotten
        try:
            self._body.write(chunk)
        except RefusedError as error:
            self._refuse(error)

    def _refuse(self, error: RefusedError) -> None:
        self._refused = True
        self._body.close()
        self._send(self._refusal(error))

    def _turn_away(self, error: RefusedError) -> None:
        """Answer at once and close, whatever there is still to come."""
        self._body.close()
        answer = self._refusal(error)
        answer.headers["Connection"] = "close"
        self._send(answer)
        self._connection.finish()

    def _refusal(self, error: RefusedError) -> Response:
        return refusal(Request(self._environ), error)

    def _send(self, answer: Response) -> "asyncio.Future[None]":
        line = httputil.ResponseStartLine(
            "HTTP/1.1", answer.status_code, answer.status.partition(" ")[2]
        )
        headers = httputil.HTTPHeaders.parse(str(answer.headers))
        data = b"" if self._environ["REQUEST_METHOD"] == "HEAD" else answer.data
        sent: asyncio.Future[None] = self._connection.write_headers(line, headers, data)
        return sent

    def finish(self) -> None:
        if self._refused or self._connection.stream.closed():
            self._body.close()
            self._connection.finish()
        else:
            answering = asyncio.create_task(self._answer())
            self._connection.set_close_callback(answering.cancel)  # nobody waits for it

    async def _answer(self) -> None:
        sent: asyncio.Future[None] = asyncio.Future()
        try:
            sent = self._send(await self._made())
            self._connection.finish()
            await asyncio.wait([sent], timeout=ANSWER)
        finally:
            if not sent.done():
                self._connection.close()

    async def _made(self) -> Response:
        """The answer: what is kept, else what the application says when it is this one's turn."""
        environ = self._environ | self._body.environment() | {bodies.LET_IN: True}
        asked: Future[Response] | None = None
        try:
            kept = self._door.application.kept(environ)
            if kept:
                return kept
            asked = await self._door.ask(environ, self._club)
            return await asyncio.wrap_future(asked)
        except RefusedError as error:
            return self._refusal(error)
        finally:
            if asked is None:
                self._body.close()
            else:  # it may go on when nobody waits for it
                asked.add_done_callback(lambda _: self._body.close())

    def on_connection_close(self) -> None:
        self._body.close()


class Limits(NamedTuple):
    """What there may be at a door at once.

    connections: in all; each: of one address; club: of those that ask for one club. threads:
    requests that are answered; seats: of these, for one club; room: requests of one club that wait
    for a seat.
    """

    connections: int
    each: int
    club: int
    threads: int
    seats: int
    room: int


LAPTOP = Limits(connections=50, each=50, club=50, threads=8, seats=8, room=50)
HALL = Limits(connections=400, each=20, club=400, threads=8, seats=8, room=400)
MANY = Limits(connections=1000, each=1000, club=300, threads=32, seats=SEATS, room=200)
"""At the director's door, at that of the hall, and at that of many clubs. Who waits has no thread,
and a club that many want leaves threads and connections to the others."""


class _Door(HTTPServer):
    """Where requests come in: so many at once, for each address and in all."""

    def initialize(self, *_: Any, **__: Any) -> None:
        """The seconds count from the beginning of each: who drips gains none."""
        super().initialize(
            self, idle_connection_timeout=HEADER, max_header_size=LONGEST_HEADER,
            body_timeout=BODY, max_body_size=1 << 40, max_buffer_size=1 << 18,
        )  # fmt: skip

    def __init__(
        self, made: Callable[[int], Application], listening: socket, limits: Limits
    ) -> None:
        self.listening, self._limits = listening, limits
        self._inside: dict[IOStream, str] = {}
        self._asking: dict[IOStream, str] = {}
        self.port = int(listening.getsockname()[1])
        self.application = made(self.port)
        self._wsgi = WSGIContainer(self.application, ThreadPoolExecutor(limits.threads))
        self._lines = Lines(limits.seats, limits.room)

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        self._inside = {
            one: whose for one, whose in self._inside.items() if not one.closed()
        }
        whose = [*self._inside.values()]
        full = len(whose) >= self._limits.connections
        if full or whose.count(address[0]) >= self._limits.each:
            stream.close()
        else:
            counted = _Stream(stream.socket, max_buffer_size=stream.max_buffer_size)
            self._inside[counted] = address[0]
            super().handle_stream(counted, address)

    def admit(self, stream: IOStream, club: str) -> None:
        """Count a connection as one of a club's, until it asks for another, or is closed.

        Raises RefusedError (503) if that club has enough.
        """
        self._asking.pop(stream, None)
        self._asking = {
            one: whose for one, whose in self._asking.items() if not one.closed()
        }
        if [*self._asking.values()].count(club) >= self._limits.club:
            raise busy()
        self._asking[stream] = club

    def start_request(self, _: object, connection: Any) -> _Request:
        return _Request(self, connection)

    def environment(
        self, connection: Any, start_line: Any, headers: httputil.HTTPHeaders
    ) -> Environ:
        """Return what WSGI makes of a header; ValueError for one that makes no sense."""
        # Which whoever answers it parses.
        path, _, query = start_line.path.partition("?")
        request = httputil.HTTPServerRequest(
            connection=connection,
            start_line=start_line._replace(path=path),
            headers=headers.copy(),
        )
        return self._wsgi.environ(request) | {"QUERY_STRING": query}

    async def is_director(self, environ: Environ, club: str) -> bool:
        """Return whether the director of that club asks; RefusedError as `ask`."""
        if not {"HTTP_COOKIE", "HTTP_AUTHORIZATION"} & environ.keys():
            return False
        return await asyncio.wrap_future(
            await self._in_turn(club, self._is_director, environ)
        )

    def _is_director(self, environ: Environ) -> bool:
        with suppress(KeizerError, OSError):  # a file that has just gone, say
            return self.application.is_director(environ)
        return False

    async def ask(self, environ: Environ, club: str) -> "Future[Response]":
        """Have the application answer, in a thread, when it is that club's turn.

        Raises RefusedError (503) where too many wait for the same.
        """
        answer = partial(Response.from_app, buffered=True)
        return await self._in_turn(club, answer, self.application, environ)

    async def _in_turn(
        self, club: str, run: Callable[..., Result], *args: Any
    ) -> "Future[Result]":
        """Run something for a club in a thread, when there is a seat."""
        loop = asyncio.get_running_loop()
        await self._lines.enter(club)

        def leave(_: object) -> None:
            with suppress(RuntimeError):  # nobody serves any more
                loop.call_soon_threadsafe(self._lines.leave, club)

        running = self._wsgi.executor.submit(run, *args)
        running.add_done_callback(leave)
        return running

    def shut(self) -> None:
        """Let go of the port; who is in line is not served any more."""
        self.listening.close()
        self._wsgi.executor.shutdown(wait=False, cancel_futures=True)


class Server:
    """A face on sockets, or many clubs, for whom a server in front lets in.

    A face has a door for the director, on this machine alone, and with `lan` one for the hall.
    address: that of the director, with the key; or where the server in front has to ask.
    """

    def __init__(
        self, served: Face | Application, port: int | None = None, at: str | None = None
    ) -> None:
        """Listen at a port, by default the usual one or a free one; the hall's is the next.

        at: the address of the hall's door, or of that of many clubs; without one the hall's is
        at all that this machine has, and the other at its own alone.
        Raises KeizerError for a port that cannot be used.
        """
        ports = [USUAL_PORT, 0] if port is None else [port]
        if not isinstance(served, Face):
            at = at or ALONE
            self._doors = [_Door(lambda _: served, listen(at, *ports), MANY)]
            self.address = url(at, self.port)
        else:
            self._doors = [_Door(partial(_at, served), listen(ALONE, *ports), LAPTOP)]
            self.address = f"{url(ALONE, self.port)}in/{served.keys.director}"
            if served.lan:
                at = at or EVERYWHERE
                behind = (ports[0] + 1) % (1 << 16) if ports[0] else 0
                hall = _Door(partial(_at, served), listen(at, behind, 0), HALL)
                self._doors.append(hall)
                served.address = url(at, hall.port)
        self._end: Callable[[], object] = self._shut

    @property
    def port(self) -> int:
        """The port of the first door."""
        return self._doors[0].port

    def run(self) -> None:
        """Serve until somebody ends it."""
        # Not who went away.
        logging.getLogger("tornado.general").setLevel(logging.ERROR)
        with suppress(ImportError, OSError, ValueError):
            import resource  # which Windows lacks, and this limit

            now, highest = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, _FILES), highest))
        with suppress(KeyboardInterrupt):
            asyncio.run(self._serve())
        self.close()

    async def _serve(self) -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        for door in self._doors:
            door.add_socket(door.listening)
        self._end = partial(loop.call_soon_threadsafe, ended.set)
        try:
            await ended.wait()
        finally:
            self._end = self._shut
            for door in self._doors:
                door.stop()
                await door.close_all_connections()

    def close(self) -> None:
        """Let go of the ports; where `run` is in another thread: when that has ended."""
        self._end()

    def _shut(self) -> None:
        for door in self._doors:
            door.shut()


def _at(face: Face, port: int) -> Application:
    """The application of a face, whose cookies are of a port: a browser has them by name alone."""
    return application(face, f"keizer-{port}")
