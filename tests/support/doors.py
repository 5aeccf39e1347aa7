"""The doors of `keizer serve` in this process, and who stands before them."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from keizer.web.server import Application, Server
from keizer.web.visit import Face
from tests.support.patience import PATIENCE


@contextmanager
def opened(served: Face | Application, at: str | None = None) -> Iterator[Server]:
    """Serve it while this lasts."""
    server = Server(served, 0, at)
    running = Thread(target=server.run)
    running.start()
    try:
        assert ask(server.port, "/face.css")[0]
        yield server
    finally:
        server.close()
        running.join()


@contextmanager
def both(face: Face) -> Iterator[tuple[int, int]]:
    """The ports of the director and of the hall, while both are served."""
    with opened(face) as server:
        yield server.port, urlsplit(face.address or "").port or 0


def ask(
    port: int, path: str, method: str = "GET", body: Any = None, **more: str
) -> tuple[int, Any, str]:
    """The status, headers and text of an answer; 0: closed without one."""
    with closing(HTTPConnection("127.0.0.1", port, PATIENCE)) as connection:
        try:
            connection.request(method, path, body, more)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode(errors="replace")
        except (HTTPException, ConnectionError):
            return 0, {}, ""


def line(port: int, sent: bytes = b"", whose: str = "127.0.0.1") -> socket.socket:
    """A connection on which something was sent."""
    found = socket.create_connection(("127.0.0.1", port), PATIENCE, (whose, 0))
    found.sendall(sent)
    return found


def parsed(connection: socket.socket, *, alone: bool = False) -> tuple[int, bytes]:
    """The status and text of the next answer on a connection; 0: it was closed.

    alone: it has no text, whatever its length says, as one to HEAD.
    """
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        try:
            more = connection.recv(1)
        except ConnectionError:
            more = b""
        if not more:
            return 0, b""
        head += more
    length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
    left, text = 0 if alone else int(length or 0), b""
    while left > len(text) and (more := connection.recv(left - len(text))):
        text += more
    return int(head.split()[1]), text
