"""Three rqlite nodes on this machine, and what is asked of them over HTTP."""

import json
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

LEVELS = ("none", "weak", "linearizable", "strong")
"""From what this node happens to have to what most of the nodes agree on now."""

Statement = str | Sequence[Any]
"""SQL, or SQL and the values of its question marks."""
Answer = dict[str, Any]

_HOST = "127.0.0.1"
_PATIENCE = 30.0


class Unavailable(Exception):
    """There is no leader, or the node is not there."""


class Node:
    """A process: `rqlited` with a folder and two ports of its own."""

    def __init__(self, program: Path, home: Path, number: int, ports: Sequence[int]) -> None:
        self.name, self.home = str(number), home / f"node{number}"
        self.http, self.raft = ports[2 * number], f"{_HOST}:{ports[2 * number + 1]}"
        self.process: subprocess.Popen[bytes] | None = None
        everybody = ",".join(f"{_HOST}:{port}" for port in ports[1::2])
        self._command = [
            str(program), "-node-id", self.name, "-http-addr", f"{_HOST}:{self.http}",
            "-raft-addr", self.raft, "-bootstrap-expect", "3", "-join", everybody,
            "-join-interval", "200ms", "-raft-snap-int", "1h", str(self.home),
        ]  # fmt: skip

    def start(self) -> None:
        with self.home.with_suffix(".log").open("ab") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def kill(self) -> None:
        """As when the power fails."""
        if self.process:
            self.process.kill()
            self.process.wait()

    def ask(self, path: str, body: bytes | None = None, kind: str = "application/json") -> bytes:
        """What the node answers; Unavailable where it cannot."""
        request = Request(f"http://{_HOST}:{self.http}{path}", body, {"Content-Type": kind})
        try:
            with urlopen(request, timeout=_PATIENCE) as answer:
                return bytes(answer.read())
        except HTTPError as error:
            with error:
                raise Unavailable(error.read().decode()) from None
        except (OSError, HTTPException) as error:
            raise Unavailable(str(error)) from None

    def _told(self, path: str, statements: Sequence[Statement]) -> list[Answer]:
        answer = json.loads(self.ask(path, json.dumps(statements).encode()))
        if "error" in answer:
            raise Unavailable(answer["error"])
        found: list[Answer] = answer["results"]
        return found

    def run(self, *statements: Statement, whole: bool = False) -> list[Answer]:
        """Have the cluster run them in one request, edits and questions.

        whole: all of them or none.
        """
        return self._told("/db/request" + "?transaction" * whole, statements)

    def rows(self, query: str, level: str = "none") -> list[tuple[Any, ...]]:
        """What a query finds, by default in what this node has of its own."""
        (answer,) = self._told(f"/db/query?level={level}", [query])
        assert "error" not in answer, answer
        return [tuple(row) for row in answer.get("values", [])]

    def ready(self) -> None:
        """Wait until it knows the leader and has all that the leader had."""
        _until(lambda: self.ask("/readyz?sync&timeout=5s"), self.home)


class Cluster:
    """Three nodes that are one database."""

    def __init__(self, program: Path, home: Path) -> None:
        ports = _free(6)
        self.nodes = [Node(program, home, number, ports) for number in range(3)]

    def leader(self) -> Node:
        """The node that the others follow; waits for them to choose one."""

        def found() -> Node:
            for node in self.nodes:
                with suppress(Unavailable):
                    said = json.loads(node.ask("/nodes?timeout=1s"))
                    for other in self.nodes:
                        if said.get(other.name, {}).get("leader"):
                            return other
            raise Unavailable("no leader")

        return _until(found, self.nodes[0].home)

    def load(self, content: str | bytes) -> None:
        """Fill it: with the SQL of a script, or with a database file, which replaces all."""
        script = isinstance(content, str)
        said = self.leader().ask(
            "/db/load",
            content.encode() if isinstance(content, str) else content,
            "text/plain" if script else "application/octet-stream",
        )
        assert b"error" not in said, said
        self.agree()

    def agree(self) -> None:
        """Wait until every node that runs has all that was written."""
        for node in self.nodes:
            if node.process and node.process.poll() is None:
                node.ready()

    def save(self, path: Path) -> None:
        """Write what it has to a file, as SQLite files are."""
        path.write_bytes(self.leader().ask("/db/backup"))


@contextmanager
def cluster(program: Path, home: Path) -> Iterator[Cluster]:
    """Three nodes that know each other; stopped at the end, whatever happens."""
    made = Cluster(program, home)
    try:
        for node in made.nodes:
            node.start()
        for node in made.nodes:
            node.ready()
        yield made
    finally:
        for node in made.nodes:
            node.kill()
            shutil.rmtree(node.home, ignore_errors=True)


def _until(succeeds: Any, home: Path) -> Any:
    """Try until it no longer is Unavailable; its answer."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return succeeds()
        except Unavailable as error:
            log = home.with_suffix(".log").read_text(errors="replace")
            assert time.monotonic() < end, f"{error}\n{log[-2000:]}"
            time.sleep(0.02)


def _free(count: int) -> list[int]:
    """Ports that nobody has, none of those that systems give to outgoing connections."""
    found: list[int] = []
    for port in random.SystemRandom().sample(range(20_000, 32_000), 200):
        with socket.socket() as tried, suppress(OSError):
            tried.bind((_HOST, port))
            found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("there are no free ports")
