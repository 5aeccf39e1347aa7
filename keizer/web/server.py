"""The application on sockets: a door for the director, and others."""

import asyncio
import logging
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any

from tornado import httputil
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.wsgi import WSGIContainer
from werkzeug import Response

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.web.app import application
from keizer.web.visit import Face

WSGI = Callable[[dict[str, Any], Callable[..., Any]], Any]
USUAL_PORT = 8395
"""The director's; that of the hall is the next."""
THREADS, CROWD = 8, 32
"""Of a door; of that for many files, as those who wait for one of them keep theirs."""
MOST, EACH, OURS = 400, 20, 50
"""Connections at once: in the hall, of one address there, and at the director's door."""
HEADER, BODY, ANSWER = 10, 60, 60
"""Seconds for a header and the silence before it, for a body, until an answer has been read."""
UPLOAD = 1 << 20
"""Bytes of a body in the hall: phones have no lists to upload."""
_IN_MEMORY = 1 << 16
_FILES = 2048
"""Connections and files that may be open: on macOS a program begins with 256."""


class _Request(httputil.HTTPMessageDelegate):
    """A request as it comes in. What is too large is answered at once, and not kept."""

    def __init__(self, door: "_Door", connection: Any) -> None:
        self._door, self._connection, self._refused = door, connection, False

    def headers_received(self, start_line: Any, headers: httputil.HTTPHeaders) -> None:
        self._body = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # as long as it is needed
        copy = headers.copy()  # `environ` takes some away
        try:
            self._environ = self._door.wsgi.environ(
                httputil.HTTPServerRequest(
                    connection=self._connection, start_line=start_line, headers=copy
                )
            )
            if "Transfer-Encoding" in headers:  # no browser sends pieces, of which each is work
                raise ValueError
            self._check(int(headers.get("Content-Length", 0)))
        except ValueError as error:  # of the port in Host, or of the length
            raise httputil.HTTPInputError from error
        if self._refused:
            headers.pop("Expect", None)

    def data_received(self, chunk: bytes) -> None:
        if not self._refused:
            self._body.write(chunk)
            self._check(self._body.tell())

    def _check(self, size: int) -> None:
        if size > self._door.upload:
            self._refused = True
            sentence = f"That is too much at once: at most {self._door.upload >> 20} MB.\n"
            self._send(Response.from_app(Response(sentence, 413), self._environ))

    def _send(self, answer: Response) -> "asyncio.Future[None]":
        reason = answer.status.partition(" ")[2]
        line = httputil.ResponseStartLine("HTTP/1.1", answer.status_code, reason)
        headers = httputil.HTTPHeaders.parse(str(answer.headers))
        sent: asyncio.Future[None] = self._connection.write_headers(line, headers, answer.data)
        return sent

    def finish(self) -> None:
        if self._refused or self._connection.stream.closed():
            self._body.close()
            self._connection.finish()
        else:
            answering = asyncio.create_task(self._answer())
            self._connection.set_close_callback(answering.cancel)  # nobody waits for it

    async def _answer(self) -> None:
        wsgi, size = self._door.wsgi, str(self._body.tell())
        self._body.seek(0)
        environ = self._environ | {"wsgi.input": self._body, "CONTENT_LENGTH": size}
        asked = wsgi.executor.submit(
            Response.from_app, wsgi.wsgi_application, environ, buffered=True
        )
        asked.add_done_callback(lambda _: self._body.close())  # it may go on when nobody waits
        sent: asyncio.Future[None] = asyncio.Future()
        try:
            sent = self._send(await asyncio.wrap_future(asked))
            self._connection.finish()
            await asyncio.wait([sent], timeout=ANSWER)
        finally:
            if not sent.done():
                self._connection.close()

    def on_connection_close(self) -> None:
        self._body.close()


class _Door(HTTPServer):
    """Where requests come in: so many at once, for each address and in all."""

    def initialize(self, *_: Any, **__: Any) -> None:
        """The seconds count from the beginning of each: who drips gains none."""
        super().initialize(
            self, idle_connection_timeout=HEADER, max_header_size=1 << 15,
            body_timeout=BODY, max_body_size=1 << 40, max_buffer_size=1 << 18,
        )  # fmt: skip

    def __init__(
        self,
        made: Callable[[int], Any],
        where: str,
        *ports: int,
        most: int,
        each: int,
        upload: int,
        threads: int,
    ) -> None:
        self.most, self.each, self.upload = most, each, upload
        self._inside: dict[IOStream, str] = {}
        self.listening = _listening(where, *ports)
        self.port = int(self.listening.getsockname()[1])
        self.wsgi = WSGIContainer(made(self.port), ThreadPoolExecutor(threads))

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        self._inside = {one: whose for one, whose in self._inside.items() if not one.closed()}
        whose = [*self._inside.values()]
        if len(whose) >= self.most or whose.count(address[0]) >= self.each:
            stream.close()
        else:
            self._inside[stream] = address[0]
            super().handle_stream(stream, address)

    def start_request(self, _: object, connection: Any) -> _Request:
        return _Request(self, connection)


class Server:
    """What is served: a face, or another application for whom a server in front lets in.

    address: that of the director, with the key; or where the server in front has to ask.
    """

    def __init__(self, face: Face | WSGI, port: int | None = None) -> None:
        first, more = (USUAL_PORT, [0]) if port is None else (port, [])
        limited = {"most": OURS, "each": OURS, "upload": limits.ZIP, "threads": THREADS}
        if not isinstance(face, Face):
            limited |= {"most": MOST, "each": MOST, "threads": CROWD}

        def made(port: int) -> WSGI:
            return application(face, f"keizer-{port}") if isinstance(face, Face) else face

        self._doors = [_Door(made, "127.0.0.1", first, *more, **limited)]
        self.port = self._doors[0].port
        self.address = f"http://127.0.0.1:{self.port}/"
        if isinstance(face, Face):
            self.address += f"in/{face.keys.director}"
        if isinstance(face, Face) and face.lan:
            limited |= {"most": MOST, "each": EACH, "upload": UPLOAD}
            behind = (first + 1) % (1 << 16) if first else 0
            hall = _Door(made, "0.0.0.0", behind, 0, **limited)  # noqa: S104  # asked for
            self._doors.append(hall)
            face.address = f"http://{_here()}:{hall.port}/"
        self._end: Callable[[], object] = self._shut

    def run(self) -> None:
        """Serve until somebody ends it."""
        logging.getLogger("tornado.general").setLevel(logging.ERROR)  # not who went away
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
            door.listening.close()
            door.wsgi.executor.shutdown(wait=False, cancel_futures=True)


def _listening(where: str, *ports: int) -> socket.socket:
    """A socket at the first of these ports that is free."""
    for port in ports:
        try:
            found = socket.create_server((where, port), backlog=MOST)
        except OSError as error:
            wrong = error
            continue
        found.settimeout(0)
        return found
    why = (wrong.strerror or str(wrong)).partition(" (")[0]
    raise KeizerError("port {port} cannot be used: {why}.", port=ports[0], why=why) from wrong


def _here() -> str:
    """The address of this machine in its network, as others see it."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent
        return str(probe.getsockname()[0])
    return "127.0.0.1"
