"""A connection that stays open between pages: nobody can tell, but for the time."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from keizer import KeizerError
from keizer.store import connection, database, warm
from keizer.store.backup import sidecar_files
from keizer.store.connection import connect, copy_of
from tests.support.files import edit

NAME = "SELECT name FROM player WHERE id = 1"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How each connection was opened."""
    modes: list[str] = []

    def counted(path: Any, mode: str, **more: Any) -> sqlite3.Connection:
        modes.append(mode)
        return connect(path, mode, **more)

    monkeypatch.setattr(warm, "connect", counted)
    return modes


@pytest.fixture
def kept() -> warm.Connections:
    return warm.Connections()


def name(path: Path, kept: warm.Connections) -> str:
    with database.reading(path, kept) as conn:
        return str(conn.execute(NAME).fetchone()[0])


def in_another(code: str, path: Path) -> subprocess.Popen[str]:
    line = [
        sys.executable,
        "-c",
        f"import os, sqlite3, sys; path = sys.argv[1]; {code}",
        str(path),
    ]
    return subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_one_connection_reads_and_one_writes(
    club: Path, opened: list[str], kept: warm.Connections
) -> None:
    for number in range(3):
        with database.writing(club, kept) as conn:
            conn.execute("UPDATE player SET name = ? WHERE id = 1", (f"N{number}",))
        assert name(club, kept) == f"N{number}"
    assert sorted(opened) == ["ro", "rw"]


def test_what_another_program_changed_replaced_removed_or_damaged_is_seen(
    club: Path, kept: warm.Connections
) -> None:
    for new in ("One", "Two"):
        name(club, kept)
        edit(club, f"UPDATE player SET name = '{new}' WHERE id = 1")
        assert name(club, kept) == new
    other = Path(shutil.copy(club, club.with_name("other.db")))
    edit(other, "UPDATE player SET name = 'Other' WHERE id = 1")
    other.replace(club)
    assert name(club, kept) == "Other"
    good = club.read_bytes()
    club.write_bytes(good[:5000] + bytes(len(good) - 5000))
    with pytest.raises(KeizerError, match="damaged"):
        name(club, kept)
    club.unlink()
    with pytest.raises(KeizerError, match="does not exist"):
        name(club, kept)


def test_whose_code_it_is_is_looked_at_once_for_each_state_of_the_file(
    club: Path, kept: warm.Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def traced(path: Any, mode: str, **more: Any) -> sqlite3.Connection:
        conn = connect(path, mode, **more)
        conn.set_trace_callback(asked.append)
        return conn

    monkeypatch.setattr(warm, "connect", traced)
    for _ in range(2):
        name(club, kept)
        kept.close_idle()
    texts = [text for text in asked if "CAST(sql AS BLOB)" in text]
    assert len(texts) == 1 and asked.count(NAME) == 2
    edit(club, "DROP VIEW standings", "CREATE VIEW standings AS SELECT 1 AS rank")
    with database.reading(club, kept) as conn:
        assert conn.execute("SELECT count(*) FROM standings").fetchone()[0] > 1


@pytest.fixture
def older(club: Path) -> Path:
    """A file of another keizer, with views of its own."""
    edit(club, "DROP VIEW promotions")
    return club


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """The copies in which such a file was read."""
    made: list[sqlite3.Connection] = []

    def copied(conn: sqlite3.Connection) -> sqlite3.Connection:
        made.append(copy_of(conn))
        return made[-1]

    monkeypatch.setattr(connection, "copy_of", copied)
    return made


def test_a_file_of_another_keizer_is_copied_once_for_each_state_of_it(
    older: Path, kept: warm.Connections, copies: list[sqlite3.Connection]
) -> None:
    for number, new in enumerate(("One", "Two"), 1):
        edit(older, f"UPDATE player SET name = '{new}' WHERE id = 1")
        for _ in range(3):
            assert name(older, kept) == new
            with database.reading(older, kept) as conn:
                assert conn.execute("SELECT * FROM promotions").fetchall() == []
        assert len(copies) == number
    with database.writing(older, kept) as conn:
        conn.execute("UPDATE player SET name = 'Three' WHERE id = 1")
    assert name(older, kept) == "Three"
    assert len(copies) == 2, "its views are of this keizer now"


def test_of_such_a_file_one_small_copy_stays_and_nobody_writes_to_it(
    older: Path,
    kept: warm.Connections,
    copies: list[sqlite3.Connection],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        database.reading(older, kept),
        database.reading(older, kept) as conn,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        conn.execute("UPDATE player SET name = 'Nobody'")
    assert name(older, kept) != "Nobody"
    with database.reading(older, kept), database.reading(older, kept):
        assert len(copies) == 3, "one of two was closed"
    monkeypatch.setattr(warm, "_LARGEST_COPY", 1000)
    for number in (4, 5):
        kept.close_idle()
        name(older, kept)
        name(older, kept)
        assert len(copies) == 2 * number - 3, "each reads its own"


def test_between_pages_another_program_writes_and_renames(
    club: Path, kept: warm.Connections
) -> None:
    before = name(club, kept)
    code = "sqlite3.connect(path, timeout=0).execute('BEGIN EXCLUSIVE'); os.rename(path, path+'2')"
    with in_another(code, club) as other:
        assert other.wait() == 0
    Path(f"{club}2").rename(club)
    assert name(club, kept) == before


@pytest.mark.parametrize("how", ["", "CREATE TEMP TABLE t (a)", "SELECT 1 FROM log"])
def test_what_failed_is_half_read_or_has_something_of_its_own_is_not_lent_again(
    club: Path, kept: warm.Connections, opened: list[str], how: str
) -> None:
    with suppress(KeizerError), database.reading(club, kept) as conn:
        if not how:
            raise KeizerError("no")
        held = conn.execute(how)
        held.fetchone()  # and there are more
    name(club, kept)
    assert opened == ["ro", "ro"]


@pytest.mark.skipif(
    sys.platform not in ("linux", "darwin"), reason="nobody can be asked there"
)
def test_unsaved_changes_of_another_program_make_no_copy_and_are_not_shown(
    club: Path,
    kept: warm.Connections,
    monkeypatch: pytest.MonkeyPatch,
    opened: list[str],
) -> None:
    before = name(club, kept)

    def copied(*_: str) -> None:
        raise AssertionError("copied")

    monkeypatch.setattr(sidecar_files, "_copied", copied)
    code = (
        "conn = sqlite3.connect(path, isolation_level=None);"
        "conn.execute('BEGIN IMMEDIATE');"
        "conn.execute(\"UPDATE player SET name = 'New ' || id\");"
        "print(flush=True); sys.stdin.read(); conn.execute('COMMIT')"
    )
    with in_another(code, club) as other:
        assert other.stdout and other.stdout.readline()
        assert Path(f"{club}-journal").stat().st_size
        assert [name(club, kept) for _ in range(3)] == [before] * 3
        assert opened == ["ro", "ro"]
        other.communicate("")
    assert name(club, kept) == "New 1"
