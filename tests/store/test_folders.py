"""Where a file lies and who else has it: one clear sentence, and nothing half done."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from keizer.errors import KeizerError
from keizer.store import atomic, connection, database
from tests.support.files import dump, elsewhere, rows
from tests.support.files import run_keizer as keizer


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for five seconds here."""
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.05)


RATED = "UPDATE player SET rating = 2222 WHERE name = 'Clara'"


@pytest.mark.usefixtures("impatient")
def test_who_has_the_file_elsewhere_is_waited_for(club: Path) -> None:
    """DB Browser holds it from the first edit until Write Changes; or a query is open there."""
    before = dump(club)
    with elsewhere(club, "BEGIN", "SELECT * FROM player"):
        assert "locked" in keizer("add", club, "Eva", fails=True).stderr
    with elsewhere(club, "BEGIN IMMEDIATE", RATED) as browser:
        said = keizer("next-round", club, fails=True).stderr
        assert "another program has unsaved changes" in said and said.count("\n") == 1
        assert keizer("standings", club).exit_code == 0  # to look at it is fine
        browser.execute("ROLLBACK")
    assert dump(club) == before
    keizer("next-round", club)


WITHOUT_POWERS = """\
import ctypes, os, sys
from keizer.__main__ import main

if os.geteuid() == 0:
    version_3, this_process = 0x20080522, 0
    header = (ctypes.c_uint32 * 2)(version_3, this_process)
    if ctypes.CDLL(None).capset(header, (ctypes.c_uint32 * 6)()):
        sys.exit("root keeps its capabilities")
main()
"""
"""The command of somebody whom the permissions of a file bind, as they do not bind root.

Root stays root, which reads keizer and Python wherever they lie, in its own private folder too.
"""


def keizer_without_powers(*args: object) -> subprocess.CompletedProcess[str]:
    """Run a command that may open what the permissions of its account let it open."""
    line = [sys.executable, "-c", WITHOUT_POWERS, *map(str, args)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.skipif(
    "not hasattr(os, 'geteuid') or not (os.geteuid() or sys.platform == 'linux')",
    reason="permissions bind nobody on Windows; root can give up its powers only on Linux",
)
class TestPermissions:
    def test_a_file_that_may_not_be_read(self, club: Path) -> None:
        club.chmod(0o000)
        done = keizer_without_powers("standings", club)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"Error: {club} cannot be read: Permission denied.\n"

    def test_a_folder_that_may_not_be_written(self, club: Path) -> None:
        """The file may be written to, its folder not: no place for the journal."""
        before = club.read_bytes()
        club.parent.chmod(0o555)
        done = keizer_without_powers("add", club, "Eva")
        club.parent.chmod(0o755)
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert "must be writable, but is not" in done.stderr
        assert club.read_bytes() == before

    @pytest.mark.parametrize("left", ["-journal", "-wal", ""])
    def test_on_a_medium_that_is_read_only_what_was_left_is_seen_to_in_a_copy(
        self, club: Path, tmp_path: Path, left: str
    ) -> None:
        """Rolled back, or taken in; and a file in WAL mode is shown, which SQLite cannot open."""
        stick = tmp_path / "stick"
        stick.mkdir()
        mode = "DELETE" if left == "-journal" else "WAL"
        begin = (f"PRAGMA journal_mode = {mode}", "PRAGMA cache_size = 1", "BEGIN")
        with elsewhere(club, *begin, RATED) as other:
            if left == "-wal":
                other.execute("COMMIT")
            for end in {"", left}:
                shutil.copy(f"{club}{end}", stick / f"club.db{end}")
        for path in (*stick.iterdir(), stick):
            path.chmod(0o555)
        shown = keizer_without_powers("standings", stick / "club.db", "--csv")
        assert shown.stderr == ""
        assert ("1,Clara" in shown.stdout) == (left == "-wal"), shown.stdout
        before = {file.name for file in stick.iterdir()}
        assert (
            "read-only" in keizer_without_powers("add", stick / "club.db", "Eva").stderr
        )
        assert {file.name for file in stick.iterdir()} == before


def test_a_file_in_wal_mode_is_taken_out_of_it_unless_others_have_it_open(
    club: Path,
) -> None:
    """A club carries one file, and a -wal beside it is easily forgotten."""
    with elsewhere(
        club, "PRAGMA journal_mode = WAL", RATED, "SELECT * FROM player"
    ) as other:
        keizer("add", club, "Eva")
        assert other.execute("SELECT count(*) FROM player").fetchone() == (5,)
    keizer("add", club, "Femke")
    copy = Path(shutil.copy(club, club.with_name("copy.db")))
    assert rows(copy, "SELECT max(rating), count(*) FROM player") == [(2222, 6)]
    assert rows(club, "PRAGMA journal_mode") == [("delete",)]


@pytest.mark.parametrize("name", [
    "club (conflicted copy 2026-11-20).db", "club (1).db", "club-DESKTOP-conflict.db",
    "club (Konflikt).db",
])  # fmt: skip
def test_a_copy_of_who_came_second_is_named(club: Path, name: str) -> None:
    shutil.copy(club, club.with_name(name))
    shutil.copy(club, club.with_name("club2.db"))
    assert keizer("check", club).stderr == (
        f"Note: {name} beside it looks like a copy of a sync program: it may have results that"
        " this file lacks.\n"
    )


def test_two_programs_create_one_file(tmp_path: Path) -> None:
    """The later one does not write over the earlier."""
    db = tmp_path / "club.db"
    keizer("init", db, "--name", "Club")
    before = db.read_bytes()
    with pytest.raises(KeizerError):
        database.create(db, lambda _: None)
    assert db.read_bytes() == before


@pytest.mark.parametrize("there", [True, False])
def test_a_file_is_made_where_a_file_has_one_name_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """As on FAT, on Android, and in a Python for browsers, which lacks os.link."""
    monkeypatch.delattr(os, "link", raising=False)
    if there:
        refusal = PermissionError(1, "Operation not permitted")
        monkeypatch.setattr(os, "link", Mock(side_effect=refusal), raising=False)
    club = tmp_path / "club.db"
    keizer("init", club, "--name", "Club")
    keizer("backup", club)
    assert "sound" in keizer("check", club).stdout
    assert [file.name for file in tmp_path.iterdir()].count("club.db") == 1
    assert len(list(club.with_name("club.backups").iterdir())) == 1


def test_the_command_ends_as_any_program_where_there_is_no_process(club: Path) -> None:
    """In a browser os._exit is the end of Python itself."""
    program = (
        "import sys; from keizer.__main__ import main; sys.platform = 'emscripten'\n"
        "try: main()\nexcept SystemExit as ended: print('ended with', ended.code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "standings", str(club)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.endswith("ended with 0\n")


def test_what_is_written_first_goes_through_no_link(tmp_path: Path) -> None:
    """Nobody knows its name before, and it is new: what lies there is not written to."""
    there, planted = tmp_path / "club.db", tmp_path / "victim"
    names = set()
    for _ in range(20):
        with atomic.draft(there) as made:
            names.add(made)
            with pytest.raises(FileExistsError):
                os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    assert len(names) == 20 and not any(Path(name).exists() for name in names)
    for name in names:
        Path(name).symlink_to(planted)
    with atomic.draft(there) as made:
        Path(made).write_text("x")
    assert not planted.exists()
