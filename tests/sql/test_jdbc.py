"""The file for a Java program over JDBC: prepared statements, keys, columns and rows."""

import shutil
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.files import java, rows, sample_db

pytestmark = [pytest.mark.usefixtures("jdbc"), pytest.mark.clients]

MOMENT = 1_700_000_000_000
"""Milliseconds since 1970, which is how the driver binds a java.sql.Timestamp."""

UTC = "2023-11-14 22:13:20"
"""The same moment as the file stores it."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The worked example after the edits of Prepared.java."""
    return Path(shutil.copy(sample_db(), tmp_path_factory.mktemp("jdbc") / "sample.db"))


@pytest.fixture(scope="module")
def said(file: Path) -> dict[str, list[str]]:
    """What it prints, by the word before the colon."""
    found = defaultdict(list)
    for line in java("Prepared.java", file, MOMENT):
        what, _, value = line.partition(": ")
        found[what].append(value)
    return dict(found)


def public(conn: sqlite3.Connection) -> list[str]:
    found = conn.execute(
        "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name"
    )
    return [name for (name,) in found if not name.startswith(("_", "z_"))]


def test_results_and_games_are_entered_by_prepared_statements(
    file: Path, said: dict[str, list[str]]
) -> None:
    """In any spelling; NULL leaves a game open, and a moment empty."""
    assert (
        said["result"]
        == said["game"]
        == said["open game"]
        == said["no moment"]
        == ["1 row"]
    )
    assert "White already has a game" in said["impossible"][0]
    assert said["impossible"][0].startswith("refused: ")
    games = "SELECT white, black, result FROM round WHERE round_number = 3 AND white IN (1, 5)"
    assert rows(file, games) == [(1, 3, "½-½"), (5, 6, None)]
    assert rows(file, "SELECT result FROM round WHERE id = 1") == [("0-1",)]


def test_a_moment_is_stored_as_text_in_utc(
    file: Path, said: dict[str, list[str]]
) -> None:
    """The driver binds milliseconds, in an INSERT as well as in an UPDATE."""
    assert said["timestamp"] == said["game with its moment"] == ["1 row"]
    written = (
        "SELECT last_updated FROM round WHERE id = 3 OR round_number = 3 AND white = 2"
    )
    assert rows(file, written) == [(UTC,)] * 2


def test_a_moment_is_read_by_its_seconds(
    file: Path, said: dict[str, list[str]]
) -> None:
    """As docs/clients.md has it: of a text the driver's getTimestamp makes local time."""
    (moment,) = said["moment of a result"]
    found = rows(file, "SELECT strftime('%s', last_updated) FROM round WHERE id = 1")
    assert int(moment) == int(found[0][0]) * 1000


def test_keys_are_those_of_the_file(said: dict[str, list[str]]) -> None:
    tables = ("round", "x_player_tournament")
    assert said["primary key"] == [f"{table} id" for table in tables]
    with closing(sqlite3.connect(sample_db())) as conn:
        keys = [
            f"{table} {ours} {other} {theirs or 'id'}"
            for table in tables
            for other, ours, theirs in conn.execute(
                'SELECT "table", "from", "to" FROM pragma_foreign_key_list(?)', (table,)
            )
        ]
    assert len(keys) == 10 and sorted(said["imported key"]) == sorted(keys)


def test_each_public_view_has_its_columns_and_rows(said: dict[str, list[str]]) -> None:
    """With the types that SQLite tells, and without a failure on the way to a cell."""
    with closing(sqlite3.connect(sample_db())) as conn:
        views = public(conn)
        listed = [
            f"{view} {row[1]} {row[2]}".strip()
            for view in views
            for row in conn.execute(f"PRAGMA table_info({view})")
        ]
    assert [line.split()[0] for line in said["row"]] == views
    assert not [line for line in said["row"] if "failed" in line]
    found = [line.strip() for line in said["column"]]
    assert [line.split()[:2] for line in found] == [line.split()[:2] for line in listed]
    # Before SQLite 3.41, in the driver or here, an expression has no type.
    typed = [
        (line, told) for line, told in zip(found, listed, strict=True) if line != told
    ]
    assert [
        pair for pair in typed if len({len(line.split()) for line in pair}) == 1
    ] == []
