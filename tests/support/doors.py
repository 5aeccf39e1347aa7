"""The server of `keizer serve` in this process, and requests to it over sockets."""

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
def serving(served: Face | Application, at: str | None = None) -> Iterator[Server]:
    """Serve in a thread until the block ends."""
    server = Server(served, 0, at)
    thread = Thread(target=server.run)
    thread.start()
    try:
        assert ask(server.port, "/face.css")[0]
        yield server
    finally:
        server.close()
        thread.join()


@contextmanager
def director_and_hall(face: Face) -> Iterator[tuple[int, int]]:
    """Yield the ports of the director and of the hall, while both are served."""
    with serving(face) as server:
        yield server.port, urlsplit(face.address or "").port or 0


def ask(
    port: int, path: str, method: str = "GET", body: Any = None, **more: str
) -> tuple[int, Any, str]:
    """Return the status, headers and text of an answer; 0: closed without one."""
    with closing(HTTPConnection("127.0.0.1", port, PATIENCE)) as connection:
        try:
            connection.request(method, path, body, more)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode(errors="replace")
        except (HTTPException, ConnectionError):
            return 0, {}, ""


def connect(port: int, sent: bytes = b"", whose: str = "127.0.0.1") -> socket.socket:
    """Return a connection on which something was sent; whose: the sender's address."""
    connection = socket.create_connection(("127.0.0.1", port), PATIENCE, (whose, 0))
    connection.sendall(sent)
    return connection


def read_answer(connection: socket.socket, *, alone: bool = False) -> tuple[int, bytes]:
    """Return the status and text of the next answer on a connection; 0: it was closed.

    alone: it has no text, whatever its length says, as one to HEAD.
    """
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        try:
            byte = connection.recv(1)
        except ConnectionError:
            return 0, b""
        if not byte:
            return 0, b""
        head += byte
    status = int(head.split()[1])
    if alone:
        return status, b""
    _, _, rest = head.lower().partition(b"content-length: ")
    length = int(rest.partition(b"\r\n")[0] or 0)
    text = b""
    while len(text) < length:
        received = connection.recv(length - len(text))
        if not received:
            break
        text += received
    return status, text
