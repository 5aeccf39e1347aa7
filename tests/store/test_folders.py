"""Where a file lies and who else has it: one clear sentence, and nothing half done."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import Mock

import pytest

from keizer.errors import KeizerError
from keizer.store import atomic, connection, database, folders
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


def as_nobody(*args: str) -> subprocess.CompletedProcess[str]:
    """The command under another account, which may be able to read neither Python nor keizer."""
    program = (
        "import difflib, functools, getpass, importlib.readers, importlib.resources, os, pkgutil\n"
        "import shutil, sys, tempfile, textwrap\n"
        "import keizer.store.proof, keizer.cli, keizer.store.folders\n"
        "for module in pkgutil.iter_modules(keizer.cli.__path__, 'keizer.cli.'):\n"
        "    __import__(module.name)\n"
        "keizer.store.sql._files = functools.cache(keizer.store.sql._files)\n"
        "keizer.store.sql.script()\n"
        "os.setgid(65534); os.setuid(65534); keizer.cli.main(sys.argv[1:])"
    )
    return subprocess.run(
        [sys.executable, "-c", program, *args], capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(
    "not hasattr(os, 'geteuid') or os.geteuid()", reason="only root can be somebody else"
)
class TestAnotherAccount:
    @pytest.fixture
    def tmp_path(self) -> Iterator[Path]:
        """A folder that every account reaches: those of pytest are private."""
        with TemporaryDirectory(dir="/tmp") as folder:
            Path(folder).chmod(0o755)
            yield Path(folder)

    def test_a_file_of_another_user(self, club: Path) -> None:
        club.chmod(0o600)
        done = as_nobody("standings", str(club))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"Error: {club} cannot be read: Permission denied.\n"

    def test_a_folder_of_another_user(self, club: Path) -> None:
        """The file may be written to, its folder not: no place for the journal."""
        club.chmod(0o666)
        club.parent.chmod(0o755)
        before = club.read_bytes()
        done = as_nobody("add", str(club), "Eva")
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert "must be writable, and is not" in done.stderr
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
        shown = as_nobody("standings", str(stick / "club.db"), "--csv")
        assert shown.stderr == ""
        assert ("1,Clara" in shown.stdout) == (left == "-wal"), shown.stdout
        before = {file.name for file in stick.iterdir()}
        assert "read-only" in as_nobody("add", str(stick / "club.db"), "Eva").stderr
        assert {file.name for file in stick.iterdir()} == before


def test_a_file_in_wal_mode_is_taken_out_of_it_unless_others_have_it_open(club: Path) -> None:
    """A club carries one file, and a -wal beside it is easily forgotten."""
    with elsewhere(club, "PRAGMA journal_mode = WAL", RATED, "SELECT * FROM player") as other:
        keizer("add", club, "Eva")
        assert other.execute("SELECT count(*) FROM player").fetchone() == (5,)
    keizer("add", club, "Femke")
    copy = Path(shutil.copy(club, club.with_name("copy.db")))
    assert rows(copy, "SELECT max(rating), count(*) FROM player") == [(2222, 6)]
    assert rows(club, "PRAGMA journal_mode") == [("delete",)]


class TestHints:
    def test_a_network_folder_is_named(self, tmp_path: Path) -> None:
        mounts = tmp_path / "mounts"
        mounts.write_text(
            "/dev/sda1 / ext4 rw 0 0\n//server/club /mnt/our\\040club cifs rw 0 0\n"
            "tmpfs /mnt/our\\040club/local tmpfs rw 0 0\n"
        )
        assert folders.network(Path("/mnt/our club/2026/club.db"), mounts) == "cifs"
        assert folders.network(Path("/mnt/our club/local/club.db"), mounts) is None
        assert folders.network(Path("/home/club.db"), mounts) is None
        assert folders.network(Path("/home/club.db"), tmp_path / "none") is None

    @pytest.mark.usefixtures("impatient")
    def test_trouble_there_says_so(self, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(folders, "network", lambda _: "cifs")
        assert "is in a network folder (cifs)" in keizer("check", club).stderr
        with elsewhere(club, "BEGIN IMMEDIATE"):
            said = keizer("add", club, "Eva", fails=True).stderr
        assert "network folder (cifs)" in said and "work on a copy" in said

    @pytest.mark.parametrize("name", [
        "club (conflicted copy 2026-11-20).db", "club (1).db", "club-DESKTOP-conflict.db",
        "club (Konflikt).db",
    ])  # fmt: skip
    def test_a_copy_of_who_came_second_is_named(self, club: Path, name: str) -> None:
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
