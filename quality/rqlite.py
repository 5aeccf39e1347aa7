"""Three rqlite nodes on this machine, and what is asked of them over HTTP."""

import json
import random
import shutil
import socket
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

Answer = dict[str, Any]

_Told = TypeVar("_Told")

_HOST = "127.0.0.1"
_PATIENCE = 300.0


class UnavailableError(Exception):
    """There is no leader, or the node is not there."""


class Node:
    """A process: `rqlited` with a folder and two ports of its own."""

    def __init__(
        self, program: Path, home: Path, number: int, ports: Sequence[int]
    ) -> None:
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
            self.process = None

    def ask(
        self, path: str, body: bytes | None = None, kind: str = "application/json"
    ) -> bytes:
        """What the node answers; UnavailableError where it cannot."""
        request = Request(
            f"http://{_HOST}:{self.http}{path}", body, {"Content-Type": kind}
        )
        try:
            with urlopen(request, timeout=_PATIENCE) as answer:
                return bytes(answer.read())
        except HTTPError as error:
            with error:
                raise UnavailableError(error.read().decode()) from None
        except (OSError, HTTPException) as error:
            raise UnavailableError(str(error)) from None

    def _told(self, path: str, statements: Sequence[str]) -> list[Answer]:
        end = time.monotonic() + _PATIENCE
        while True:
            answer = json.loads(self.ask(path, json.dumps(statements).encode()))
            if "error" not in answer:
                results: list[Answer] = answer["results"]
                return results
            # On a busy machine another node takes the lead: whoever was asked has done nothing.
            if "not leader" not in answer["error"] or time.monotonic() > end:
                raise UnavailableError(answer["error"])
            time.sleep(0.02)

    def run(self, *statements: str, whole: bool = False) -> list[Answer]:
        """Have the cluster run them in one request, edits and questions.

        whole: all of them or none.
        """
        return self._told("/db/request" + "?transaction" * whole, statements)

    def rows(self, query: str, level: str = "none") -> list[tuple[Any, ...]]:
        """What a query finds, by default in what this node has of its own."""
        (answer,) = self._told(f"/db/query?level={level}", [query])
        assert "error" not in answer, answer
        return [tuple(row) for row in answer.get("values", [])]

    def alone(self) -> None:
        """Wait until it no longer knows who leads."""
        _until(lambda: not self.status()["leader"]["addr"], self.home)

    def leads(self) -> bool:
        """Whether the others follow it."""
        with suppress(UnavailableError):
            self.ask("/readyz")
            return bool(self.status()["leader"]["addr"] == self.raft)
        return False

    def has(self, index: int) -> bool:
        """Whether it has got so far in the log that all share."""
        return bool(self.status()["fsm_index"] >= index)

    def status(self) -> Answer:
        found: Answer = json.loads(self.ask("/status"))["store"]
        return found


class Cluster:
    """Three nodes that are one database."""

    def __init__(self, program: Path, home: Path) -> None:
        ports = _free(6)
        self.nodes = [Node(program, home, number, ports) for number in range(3)]

    def leader(self) -> Node:
        """The node that the others follow; waits for them to choose one."""
        found: list[Node] = _until(
            lambda: [node for node in self.nodes if node.leads()], self.nodes[0].home
        )
        return found[0]

    def load(self, content: str | bytes) -> None:
        """Fill it: with the SQL of a script, or with the bytes of a file; what was there goes."""
        self.wake()
        if isinstance(content, str):
            self._load(_nothing(), "application/octet-stream")
            self._load(content.encode(), "text/plain")
        else:
            self._load(content, "application/octet-stream")
        self.agree()

    def _load(self, content: bytes, kind: str) -> None:
        said = self.leader().ask("/db/load", content, kind)
        assert b"error" not in said, said

    def wake(self) -> None:
        """Start the nodes that do not run, and wait until all agree."""
        for node in self.nodes:
            if node.process is None:
                node.start()
        self.agree()

    def agree(self) -> None:
        """Wait until every node that runs has all that was written."""
        running = [node for node in self.nodes if node.process]
        for node in running:
            _until(partial(node.ask, "/readyz"), node.home)
        leader = self.leader()
        leader.rows("SELECT 1", "strong")  # which goes behind all that is in the log
        written = leader.status()["fsm_index"]
        for node in running:
            _until(partial(node.has, written), node.home)

    def save(self, path: Path) -> None:
        """Write what it has to a file, as SQLite files are."""
        path.write_bytes(self.leader().ask("/db/backup"))


@contextmanager
def cluster(program: Path, home: Path) -> Iterator[Cluster]:
    """Three nodes that know each other; stopped at the end, whatever happens."""
    made = Cluster(program, home)
    try:
        made.wake()
        yield made
    finally:
        for node in made.nodes:
            node.kill()
            shutil.rmtree(node.home, ignore_errors=True)


def _nothing() -> bytes:
    """A database file without tables."""
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.executescript("CREATE TABLE once (it); DROP TABLE once")
        return conn.serialize()


def _until(holds: Callable[[], _Told], home: Path) -> _Told:
    """Ask until the answer is yes, and there is one."""
    error = UnavailableError()
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            if answer := holds():
                return answer
        except UnavailableError as said:
            error = said
        time.sleep(0.02)  # it needs the processor more than we do
    log = home.with_suffix(".log").read_text(errors="replace")
    raise AssertionError(f"{error}\n{log[-2000:]}")


def _free(count: int) -> list[int]:
    """Ports that nobody has, none of those that systems give to outgoing connections."""
    found: list[int] = []
    for port in random.SystemRandom().sample(range(20_000, 32_000), 200):
        with socket.socket() as tried, suppress(OSError):
            tried.bind((_HOST, port))
            found.append(port)
    return found[:count]
