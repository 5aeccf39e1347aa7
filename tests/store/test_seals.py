"""The seals of the log: what is changed in it past its triggers is named, and never undone to."""

import hashlib
import shutil
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.console import Console
from tests.support.files import edit, past_the_guards, rows
from tests.support.files import run_keizer as keizer

EVENING = """
init --name Club
import - < name,rating|Anna,2000|Boris,1900|Clara,1800|Daan,1700
next-round
publish-round
result - < 1 1-0|2 0-1
result 1 0-1
absent Clara --round 2
"""
"""The first result of board 1 is no longer the last state of its row."""


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    club = Console(tmp_path_factory.mktemp("sealed") / "club.db")
    for line in EVENING.strip().splitlines():
        typed, _, list_ = line.partition(" < ")
        club(typed, list_.replace("|", "\n") if list_ else None)
    return club.db


@pytest.fixture
def club(sealed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sealed, tmp_path / "club.db"))


def seal(before: str, row: tuple[Any, ...]) -> str:
    """BLAKE2b of the seal before and the row, with its texts as bytes, as ascii() writes them."""
    as_bytes = [cell.encode() if isinstance(cell, str) else cell for cell in row]
    covered = ascii((before, *as_bytes)).encode()
    return hashlib.blake2b(covered, digest_size=16).hexdigest()


LINES = "SELECT id, command_id, changed_at, fact, row, state, seal FROM log ORDER BY id"
COMMANDS = """
SELECT id, description, message, who, player_id, made_at, undoes,
  (SELECT max(id) FROM log WHERE command_id = command.id), seal
FROM command ORDER BY id
"""


def assert_is_a_chain(db: Path) -> None:
    """Each seal is of its row and of the seal before; a command's also of that of its last line."""
    lines = rows(db, LINES)
    assert [row[-1] for row in lines] == [
        seal(before[-1], row[:-1]) for before, row in pairwise([("",), *lines])
    ]
    seals = {row[0]: row[-1] for row in lines}
    commands = [(*row[:-2], seals.get(row[-2]), row[-1]) for row in rows(db, COMMANDS)]
    assert [row[-1] for row in commands] == [
        seal(before[-1], row[:-1]) for before, row in pairwise([("",), *commands])
    ]


def test_each_command_seals_its_lines_and_those_of_other_programs(club: Path) -> None:
    assert_is_a_chain(club)
    edit(club, "UPDATE player SET name = 'Zoë' WHERE id = 1", "DELETE FROM unplayed")
    assert rows(club, "SELECT count(*) FROM log WHERE seal IS NULL") == [(2,)]
    assert "is sound" in keizer("check", club).stdout, (
        "what waits for its seal is no fault"
    )
    keizer("add", club, "Eva")
    assert rows(club, "SELECT count(*) FROM log WHERE seal IS NULL") == [(0,)]
    assert_is_a_chain(club)
    keizer("undo", club)
    assert_is_a_chain(club)


@pytest.mark.parametrize("statement", [
    "UPDATE log SET seal = NULL WHERE id = 3", "UPDATE log SET state = NULL WHERE id = 3",
    "UPDATE log SET seal = 'x', row = 9 WHERE seal IS NULL", "DELETE FROM log WHERE id = 3",
    "UPDATE command SET seal = NULL WHERE id = 3", "UPDATE command SET who = 'me' WHERE id = 3",
])  # fmt: skip
def test_no_slip_breaks_a_seal(club: Path, statement: str) -> None:
    edit(club, "UPDATE player SET name = 'Zoë' WHERE id = 1")
    with pytest.raises(sqlite3.IntegrityError, match="stays as it is"):
        edit(club, statement)


RESULT = '(SELECT min(id) FROM log WHERE state LIKE \'%"result":"1-0"%\')'
"""The line of a result that was corrected later: no fact shows it any more."""

BROKEN = {
    "an older state": (f"UPDATE log SET state = replace(state, '1-0', '0-0') WHERE id = {RESULT}",
                       "log"),
    "the moment": ("UPDATE log SET changed_at = '2020-01-01 00:00:00' WHERE id = 4", "log"),
    "whose line it is": ("UPDATE log SET command_id = 1 WHERE command_id = 5", "log"),
    "which row": (f"UPDATE log SET row = row + 1 WHERE id = {RESULT}", "log"),
    "a byte that is no letter": ("UPDATE log SET state = CAST(x'7bff' AS TEXT) WHERE id = 4",
                                 "log"),
    "a line that is gone": (f"DELETE FROM log WHERE id = {RESULT}", "log"),
    "a line that came later": ("DELETE FROM log WHERE id = 4;"
                               "INSERT INTO log (id, fact, row) VALUES (4, 'round', 1)", "log"),
    "a seal": ("UPDATE log SET seal = 'x' || substr(seal, 2) WHERE id = 4", "log"),
    "a seal that is gone": ("UPDATE log SET seal = NULL WHERE id = 4", "log"),
    "who did it": ("UPDATE command SET who = 'nobody' WHERE id = 4", "command"),
    "what was done": ("UPDATE command SET message = NULL WHERE id = 5", "command"),
    "when it was done": ("UPDATE command SET made_at = '2020-01-01 00:00:00' WHERE id = 4",
                         "command"),
    "what it undid": ("UPDATE command SET undoes = 6 WHERE id = 7", "command"),
    "the end of the log": ("DELETE FROM log WHERE command_id = 7", "command"),
    "a command that is gone": ("DELETE FROM command WHERE id = 3", "command"),
}  # fmt: skip


@pytest.mark.parametrize(("statement", "table"), BROKEN.values(), ids=BROKEN)
def test_what_was_changed_is_named_and_nothing_is_undone_by_it(
    club: Path, statement: str, table: str
) -> None:
    past_the_guards(club, *statement.split(";"))
    before = club.read_bytes()
    found = keizer("check", club, fails=True).stdout
    named = [
        line
        for line in found.splitlines()
        if f"of table {table}" in line and "seal" in line
    ]
    assert named, found
    refused = keizer("undo", club, fails=True).stderr
    assert "not undone, as the log of the file was changed" in refused
    assert named[0].partition(" See `keizer restore`")[0] in refused
    assert (
        "the log is not as it was sealed" in keizer("migrate", club, fails=True).stderr
    )
    assert club.read_bytes() == before


def test_the_line_that_a_bit_has_changed_is_named(club: Path) -> None:
    """`0-1` became `0-0`; undo wrote that as the result, and the file was called sound."""
    ((line,),) = rows(club, f"SELECT {RESULT}")
    past_the_guards(club, BROKEN["an older state"][0])
    found = keizer("check", club, fails=True).stdout
    assert [text.split(":")[0] for text in found.splitlines()] == [
        f"row {line} of table log is not as it was sealed"
    ]


def test_a_log_is_taken_as_it_is_only_by_who_says_so(club: Path) -> None:
    past_the_guards(club, BROKEN["an older state"][0])
    keizer("migrate", club, "--accept")
    assert "is sound" in keizer("check", club).stdout
    assert_is_a_chain(club)


TAKEN_OUT = {
    "all seals, and an older state": (
        "UPDATE log SET seal = NULL; UPDATE command SET seal = NULL;"
        + BROKEN["an older state"][0]
    ),
    "all seals": "UPDATE log SET seal = NULL; UPDATE command SET seal = NULL",
    "the last seal, and who did it": "UPDATE command SET seal = NULL, who = 'x' WHERE id = 7",
    "the seals of the end": "UPDATE log SET seal = NULL WHERE command_id > 5;"
                            "UPDATE command SET seal = NULL WHERE id > 5",
    "when the last was done": "UPDATE command SET made_at = NULL WHERE id = 7",
    "when another was done": "UPDATE command SET made_at = NULL WHERE id = 4",
    "all seals, and no command has ended": "UPDATE log SET seal = NULL;"
                                           "UPDATE command SET seal = NULL, made_at = NULL",
    "the end of the last, which says something else":
        "UPDATE command SET seal = NULL, made_at = NULL, message = NULL, description = 'x'"
        " WHERE id = 7",
    "the end of another, with its seal": "UPDATE command SET seal = NULL, made_at = NULL,"
                                         " message = NULL WHERE id = 4",
    "the last, but for its lines": "DELETE FROM command WHERE id = 7",
    "nothing, and a command was put in": "INSERT INTO command (description, made_at)"
                                         " VALUES ('x', CURRENT_TIMESTAMP)",
}  # fmt: skip


@pytest.mark.parametrize("statements", TAKEN_OUT.values(), ids=TAKEN_OUT)
def test_what_ended_without_a_seal_is_named_and_never_sealed(
    club: Path, statements: str
) -> None:
    """Taking seals out is no way around them: the next command would seal what was changed."""
    past_the_guards(club, *statements.split(";"))
    before = club.read_bytes()
    assert "seal" in keizer("check", club, fails=True).stdout
    for command in ("undo", "absent Boris --round 2", "migrate"):
        name, *words = command.split()
        refused = keizer(name, club, *words, fails=True).output
        assert (
            "Until that is changed, nothing can be entered" in refused
            or "nothing was changed" in refused
        )
    assert club.read_bytes() == before
    keizer("migrate", club, "--accept")
    assert "is sound" in keizer("check", club).stdout
    assert_is_a_chain(club)


@pytest.mark.parametrize("row", [
    "log (id, fact, row) VALUES (9223372036854775807, 'player', 1)",
    "command (id, description) VALUES (9223372036854775807, 'x')",
])  # fmt: skip
def test_a_number_after_which_sqlite_gives_any_is_named_before_it_does(
    club: Path, row: str
) -> None:
    edit(club, f"INSERT INTO {row}")
    assert (
        "has a number that no command gives" in keizer("check", club, fails=True).stdout
    )
    keizer("absent", club, "Boris", "--round", "2", fails=True)


def test_a_copy_by_another_program_has_the_same_seals(
    club: Path, tmp_path: Path
) -> None:
    with (
        closing(sqlite3.connect(club)) as conn,
        closing(sqlite3.connect(":memory:")) as copy,
    ):
        copy.executescript("".join(f"{line}\n" for line in conn.iterdump()))
        heads = f"PRAGMA application_id = {rows(club, 'PRAGMA application_id')[0][0]}"
        copy.execute(heads)
        copy.execute(f"PRAGMA user_version = {rows(club, 'PRAGMA user_version')[0][0]}")
        copy.execute("VACUUM INTO ?", (str(tmp_path / "copy.db"),))
    assert "is sound" in keizer("check", tmp_path / "copy.db").stdout
