"""A journal or WAL of another file, or of another state of it, destroys and replaces nothing.

Every companion below is one that SQLite itself left, copied beside every file below, as it
happens where somebody drags a copy of yesterday over the file of today. What SQLite alone
makes of the pair is not asked: the files are known by how they were made.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from keizer.store import database
from keizer.store.backup import sidecar_files
from tests.support.files import edit, elsewhere, rows, sample_db
from tests.support.files import run_keizer as keizer

LOG = "SELECT id, command_id, fact, row, state FROM log ORDER BY id"


def _interrupted(db: Path, made: Path) -> None:
    """The file and its journal as they are within a transaction that does not fit memory."""
    changed = "UPDATE player SET rating = rating + 7"
    with elsewhere(db, "PRAGMA cache_size = 1", "BEGIN", changed):
        for end in ("", "-journal"):
            shutil.copy(f"{db}{end}", f"{made}{end}")


def _in_wal(db: Path, made: Path) -> None:
    """The file and its WAL while another program has it open."""
    with elsewhere(db, "PRAGMA journal_mode = WAL") as other:
        shutil.copy(db, f"{made}-before")
        other.execute("UPDATE player SET rating = 1111 WHERE id = 3")
        for end in ("", "-wal"):
            shutil.copy(f"{db}{end}", f"{made}{end}")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season at three times, a branch of it, another one, and what was left beside each."""
    folder = tmp_path_factory.mktemp("files")
    shutil.copy(sample_db(), folder / "start.db")
    for before, name, members in (
        ("start", "yesterday", ""), ("yesterday", "today", "AB"), ("today", "branch", "C"),
        ("today", "tomorrow", "D"), ("yesterday", "other", "EFG"),
    ):  # fmt: skip
        db = Path(shutil.copy(folder / f"{before}.db", folder / f"{name}.db"))
        for member in members:
            keizer("add", db, member)
        for way in (_interrupted, _in_wal):
            work = Path(shutil.copy(db, folder / "work.db"))
            way(work, folder / f"{name}{way.__name__}.db")
    return folder


HOLDERS = ("yesterday", "today", "branch", "tomorrow", "other")
LEFT = ("today_interrupted.db-journal", "branch_interrupted.db-journal",
        "other_interrupted.db-journal", "today_in_wal.db-wal", "branch_in_wal.db-wal",
        "other_in_wal.db-wal")  # fmt: skip


@pytest.mark.parametrize("wal_mode", [False, True], ids=["delete", "wal"])
@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize("holder", HOLDERS)
def test_what_is_of_another_state_is_refused_and_nothing_is_touched(
    files: Path, tmp_path: Path, holder: str, left: str, *, wal_mode: bool
) -> None:
    holding = files / (f"{holder}_in_wal.db-before" if wal_mode else f"{holder}.db")
    whole, db = (
        Path(shutil.copy(holding, tmp_path / name)) for name in ("whole.db", "club.db")
    )
    companion = Path(shutil.copy(files / left, f"{db}-{left.rpartition('-')[2]}"))
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    had = rows(whole, LOG)
    if not left.startswith(holder):
        for command in ("standings", "check", "backup", "migrate"):
            said = keizer(command, db, fails=True).stderr
            assert f"{companion} does not belong to {db}: SQLite" in said
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
        companion.rename(tmp_path / "renamed")
        assert keizer("standings", db).stderr == ""
        now = had
    elif left.endswith("-wal"):  # as SQLite left it
        said = keizer("standings", db).stderr
        now = rows(db, LOG)
        assert len(now) == len(had) + 1 and now[: len(had)] == had
        assert (
            f"{db} lacked changes of another program, which were in {db}-wal." in said
        )
    else:  # nothing of it had reached the file
        assert keizer("standings", db).stderr == ""
        now = had
    keizer("add", db, "Newcomer")
    assert rows(db, LOG)[: len(now)] == now
    assert not sidecar_files.companions_of(db)


def test_a_transaction_that_did_not_end_is_taken_back_by_a_command_that_reads(
    files: Path, tmp_path: Path
) -> None:
    db = tmp_path / "club.db"
    for end in ("", "-journal"):
        shutil.copy(files / f"today_interrupted.db{end}", f"{db}{end}")
    said = keizer("standings", db).stderr
    assert (
        f"A command that was interrupted had changed {db}. Its changes were undone"
        in said
    )
    assert rows(db, LOG) == rows(files / "today.db", LOG)
    assert not sidecar_files.companions_of(db)


def _all_but_ended(db: Path, left: Path) -> None:
    """A file with a whole transaction in it, and the journal that ends as SQLite removes it."""
    change, seal = (
        "UPDATE player SET rating = 1111 WHERE id = 1",
        "UPDATE log SET seal = 'x'",
    )
    with elsewhere(db, "BEGIN", change, f"{seal} WHERE seal IS NULL") as other:
        os.link(f"{db}-journal", f"{left}-journal")
        other.execute("COMMIT")
    shutil.copy(db, left)


def test_a_transaction_that_lacked_its_end_is_taken_back_and_told(
    club: Path, tmp_path: Path
) -> None:
    """It sealed what another program had entered before it."""
    edit(club, "UPDATE player SET rating = 1112 WHERE id = 1")
    had, left = rows(club, LOG), tmp_path / "left.db"
    _all_but_ended(club, left)
    assert len(rows(club, LOG)) > len(had)
    said = keizer("standings", left).stderr
    assert (
        f"A command that was interrupted had changed {left}. Its changes were undone"
        in said
    )
    assert rows(left, LOG) == had
    assert not sidecar_files.companions_of(left)


def test_a_journal_takes_no_more_than_one_transaction_back(
    club: Path, tmp_path: Path
) -> None:
    """Those of another program have no number of a command."""
    left = tmp_path / "left.db"
    _all_but_ended(club, left)
    edit(club, "UPDATE player SET rating = 1112 WHERE id = 1")
    shutil.copy(club, left)
    assert "does not belong to" in keizer("standings", left, fails=True).stderr
    assert left.read_bytes() == club.read_bytes()


def test_half_a_transaction_of_another_program_is_taken_back_whatever_table_it_is_in(
    tmp_path: Path,
) -> None:
    """Here beside a journal that is kept, and has what earlier transactions wrote."""
    work, left = tmp_path / "work.db", tmp_path / "left.db"
    begun = (
        "PRAGMA journal_mode = PERSIST",
        "PRAGMA cache_size = 1",
        "CREATE TABLE t (a)",
    )
    with elsewhere(work, *begun) as other:
        other.executemany("INSERT INTO t VALUES (?)", [("x" * 300,)] * 500)
        other.execute("UPDATE t SET a = a || 'y'")
        other.execute("BEGIN")
        other.execute("UPDATE t SET a = 'half' WHERE rowid < 60")
        for end in ("", "-journal"):
            shutil.copy(f"{work}{end}", f"{left}{end}")
    sidecar_files.finish_companions(left)
    assert rows(left, "SELECT count(*) FROM t WHERE a = 'half'") == [(0,)]


def test_a_half_written_file_without_its_journal_but_with_anothers_is_left_as_it_is(
    files: Path, tmp_path: Path
) -> None:
    db = Path(shutil.copy(files / "today_interrupted.db", tmp_path / "club.db"))
    journal = Path(shutil.copy(files / "other_interrupted.db-journal", f"{db}-journal"))
    before = db.read_bytes(), journal.read_bytes()
    assert (
        "is damaged, with club.db-journal and without"
        in keizer("check", db, fails=True).stderr
    )
    assert (db.read_bytes(), journal.read_bytes()) == before


@pytest.mark.parametrize("left", ["interrupted.db-journal", "in_wal.db-wal"])
def test_what_a_file_that_was_removed_left_is_nothing_to_a_new_one(
    files: Path, tmp_path: Path, left: str
) -> None:
    db = tmp_path / "club.db"
    companion = shutil.copy(files / f"today_{left}", f"{db}-{left.rpartition('-')[2]}")
    said = keizer("init", db, "--name", "New", fails=True).stderr
    assert f"{companion} was left behind by a club.db that is gone" in said
    assert not db.exists()
    Path(companion).rename(tmp_path / "renamed")
    keizer("init", db, "--name", "New")
    assert rows(db, "SELECT description FROM tournament") == [("New",)]
    assert "sound" in keizer("check", db).stdout


@pytest.mark.parametrize(
    "content", [b"\0" * 512, b"no journal", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"]
)
def test_a_journal_that_never_began_is_in_nobodys_way(
    club: Path, content: bytes
) -> None:
    """SQLite itself takes away one of nothing but zeros as soon as something is entered."""
    had = rows(club, LOG)
    Path(f"{club}-journal").write_bytes(content)
    assert keizer("check", club).stderr == ""
    assert rows(club, LOG) == had
    keizer("add", club, "Newcomer")
    assert not Path(f"{club}-journal").exists()


def _three_results(db: Path, left: Path) -> None:
    """The file, and a WAL with three transactions of one page and more."""
    with elsewhere(
        db, "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0"
    ) as other:
        for player in (1, 2, 3):
            other.execute("UPDATE player SET rating = 1111 WHERE id = ?", (player,))
        for end in ("", "-wal"):
            shutil.copy(f"{db}{end}", f"{left}{end}")


FLIPPED = {"first frame": 32 + 24 + 500, "a salt of it": 32 + 9, "magic": 1, "salt": 20,
           "checksum of the header": 30, "last frame": -500}  # fmt: skip


@pytest.mark.parametrize("place", FLIPPED.values(), ids=FLIPPED)
@pytest.mark.parametrize("command", ["check", "standings", "backup"])
def test_results_in_a_damaged_wal_are_told_and_kept(
    club: Path, tmp_path: Path, command: str, place: int
) -> None:
    """SQLite passes over all behind the first frame whose checksum does not fit, and deletes it."""
    db = tmp_path / "left.db"
    _three_results(club, db)
    wal = Path(f"{db}-wal")
    damaged = bytearray(wal.read_bytes())
    damaged[place] ^= 1
    wal.write_bytes(damaged)
    said = keizer(command, db).stderr
    assert f"{wal} had more in it than SQLite can read" in said
    (kept,) = tmp_path.glob("left.db-wal.*.damaged")
    assert kept.read_bytes() == damaged
    assert "SQLite can read" not in keizer(command, db).stderr


def test_a_wal_that_ends_in_the_middle_is_taken_in_as_far_as_it_was_ended(
    club: Path, tmp_path: Path
) -> None:
    """After a crash: of the last transaction there are some frames, and perhaps half a frame."""
    db = tmp_path / "left.db"
    _three_results(club, db)
    whole = Path(f"{db}-wal").read_bytes()
    size = 24 + rows(club, "PRAGMA page_size")[0][0]
    for end, ended in (
        (0, 3),
        (100, 2),
        (size, 2),
        (size + 100, 2),
        (len(whole) - 32 - size, 0),
    ):
        cut = tmp_path / f"{end}.db"
        cut.write_bytes(db.read_bytes())
        Path(f"{cut}-wal").write_bytes(whole[: len(whole) - end])
        keizer("standings", cut)
        assert rows(cut, "SELECT count(*) FROM player WHERE rating = 1111") == [
            (ended,)
        ]
        assert list(tmp_path.glob(f"{cut.name}-wal*")) == []


def _naming(db: Path, other: Path) -> Path:
    """A journal of a file that changes nothing and names a super-journal, as SQLite's format is."""
    size = rows(db, "PRAGMA page_size")[0][0]
    magic, name = bytes.fromhex("d9d505f920a163d7"), bytes(other)
    numbers = (0, 1, db.stat().st_size // size, 512, size)
    header = magic + b"".join(number.to_bytes(4, "big") for number in numbers)
    lock_page = 0x40000000 // size + 1
    tail = [lock_page.to_bytes(4, "big"), name, len(name).to_bytes(4, "big")]
    checksum = sum(name).to_bytes(4, "big")
    journal = Path(f"{db}-journal")
    journal.write_bytes(b"".join((header.ljust(512, b"\0"), *tail, checksum, magic)))
    return journal


@pytest.mark.parametrize("began", [b"\xd9", b"x", b"\0"])
@pytest.mark.parametrize(
    "command", ["check", "standings", "result 1 1-0", "migrate", "backup"]
)
def test_a_journal_that_names_a_super_journal_has_nothing_deleted(
    club: Path, command: str, began: bytes
) -> None:
    """SQLite deletes what it names once it has played it back, or taken a transaction back."""
    keizer("next-round", club)
    theirs = club.with_name("theirs.txt")
    theirs.write_text("keep")
    journal = _naming(club, theirs)
    journal.write_bytes(began + journal.read_bytes()[1:])
    before = club.read_bytes(), journal.read_bytes()
    name, *words = command.split()
    said = keizer(name, club, *words, fails=True).stderr
    assert f"{journal} names another file, which SQLite would delete" in said
    assert theirs.exists()
    assert (club.read_bytes(), journal.read_bytes()) == before
    journal.unlink()
    keizer(name, club, *words)


def test_a_journal_beside_a_snapshot_has_nothing_deleted(club: Path) -> None:
    """Nor has one beside the file that a snapshot takes the place of."""
    keizer("backup", club)
    theirs = club.with_name("theirs.txt")
    theirs.write_text("keep")
    (snapshot,) = club.with_suffix(".backups").iterdir()
    journal = _naming(snapshot, theirs)
    assert "names another file" in keizer("restore", club).stdout
    assert "names another file" in keizer("restore", club, "1", fails=True).stderr
    journal.unlink()
    _naming(club, theirs)
    keizer("restore", club, "1")
    keizer("check", club)
    assert theirs.exists()


@pytest.mark.parametrize("left", ["interrupted.db-journal", "in_wal.db-wal"])
def test_a_restore_keeps_the_file_and_what_lies_beside_it(
    files: Path, tmp_path: Path, left: str
) -> None:
    """Nothing of it gets into the snapshot that takes the place of the file."""
    db = Path(shutil.copy(files / "today.db", tmp_path / "club.db"))
    keizer("backup", db)
    had, whole = rows(db, LOG), db.read_bytes()
    companion = Path(
        shutil.copy(files / f"other_{left}", f"{db}-{left.rpartition('-')[2]}")
    )
    beside = companion.read_bytes()
    assert "by hand" in keizer("restore", db).stdout
    keizer("restore", db, "1")
    assert rows(db, LOG) == had
    kept, aside = sorted(db.with_suffix(".backups").glob("*.damaged*"))
    assert (kept.read_bytes(), aside.read_bytes()) == (whole, beside)
    shutil.move(aside, companion)
    db.unlink()
    assert (
        "was left behind by a club.db that is gone"
        in keizer("restore", db, "1", fails=True).stderr
    )
    assert not db.exists() and companion.read_bytes() == beside


def test_what_another_program_is_writing_is_left_to_it(club: Path) -> None:
    changed = "UPDATE player SET rating = rating + 1 WHERE id = 1"
    with elsewhere(club, "BEGIN", changed) as other:
        keizer("standings", club)
        other.execute("COMMIT")
    assert rows(club, "SELECT rating FROM player WHERE id = 1") == [(2001,)]


@pytest.mark.posix
@pytest.mark.parametrize("what", ["fifo", "folder", "device"])
@pytest.mark.parametrize("command", ["standings", "migrate"])
def test_what_is_no_file_is_not_waited_for(
    tmp_path: Path, what: str, command: str
) -> None:
    db = {
        "fifo": tmp_path / "club.db",
        "folder": tmp_path,
        "device": Path("/dev/zero"),
    }[what]
    if what == "fifo":
        os.mkfifo(db)
    assert "not a Keizer file" in keizer(command, db, fails=True).stderr


def test_one_reader_leaves_the_locks_of_another(sample: Path) -> None:
    """In one process: POSIX drops all its locks on a file when any handle on it is closed."""
    with database.reading(sample) as conn:
        conn.execute("SELECT * FROM player").fetchone()
        with database.reading(sample) as other:
            other.execute("SELECT * FROM player").fetchone()
        write = "sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN EXCLUSIVE')"
        line = [sys.executable, "-c", f"import sqlite3, sys; {write}", str(sample)]
        done = subprocess.run(line, capture_output=True, check=False, text=True)
        assert "database is locked" in done.stderr


def test_a_journal_that_is_gone_when_it_is_looked_at_is_of_a_command_that_has_ended(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        sidecar_files,
        "companions_of",
        lambda path: [f"{os.path.realpath(path)}-journal"],
    )
    sidecar_files.finish_companions(club)
    assert not list(club.parent.glob("*journal*"))
