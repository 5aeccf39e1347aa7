"""Snapshots, and the way back: nothing a director does by mistake is final."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keizer.store import connection
from keizer.store.backup import restoring, snapshots
from tests.support.console import Console
from tests.support.files import Client, dump, edit, elsewhere, past_the_guards, rows
from tests.support.files import run_keizer as keizer
from tests.support.scenes import scenes

test_snapshots = scenes("""
One is kept before each round and import, and none where nothing changes.
  next-round --dry-run
  ! next-round --bye Nobody
  ! import missing.csv
  ! restore => has no snapshots
  next-round && import - < name|Eva
  restore => before import: ... before next round:
  ! restore 3 => has no snapshot 3

On the way back nothing is lost: a file behind its last snapshot, and one that parted from it.
  backup && restore 1 --dry-run => Nothing is lost.
  next-round && restore 1 && restore 2 --dry-run => Nothing is lost.
  add Eva
  restore 2 --dry-run => This would be taken out of the file: ... Eva entered

Undo works after a restore: the rowids that the log goes by are those of before.
  next-round && result 1 1-0 && result 2 =
  ! unpair
  backup && result 2 0-1 && restore 2 && undo => Undone: results of round 1: board 2 ½-½.
  SELECT result FROM round ORDER BY board => 1-0; None

A drill: what goes with the way back is listed, and is not gone.
  next-round && result 1 1-0 && result 2 = && next-round
  UPDATE round SET result = '0-1' WHERE round_number = 1 AND board = 2
  restore => before next round: Club round 1, 2 results ... before next round: Club before round 1
  restore 1 --dry-run => pairing of round 1 ... pairing of round 2 ... another program ... ½-½ → 0-1
  SELECT count(*) FROM round => 4
  restore 1
  SELECT count(*) FROM round => 0
  restore => before restore:
  restore 3
  SELECT result FROM round ORDER BY id => 1-0; 0-1; None; None
  check => sound
""")


def kept(club: Path) -> list[str]:
    """Why there are snapshots, the newest first."""
    return [snapshot.why for snapshot in restoring.list_snapshots(club)[0]]


def newest(club: Path) -> Path:
    """Where the last snapshot is."""
    return Path(restoring.list_snapshots(club)[0][0].path)


def backups(club: Path) -> Path:
    return club.with_suffix(".backups")


@pytest.mark.parametrize("set_to", [
    "kept = 'x'", "kept = -9", "kept = x'01'", "folder = x'2f'", "folder = CAST(x'6100' AS TEXT)",
])  # fmt: skip
def test_where_they_go_is_as_without_it_if_the_file_says_what_cannot_be(
    club: Path, set_to: str
) -> None:
    keizer("backup", club)
    keizer("backup", club, "--keep", "9")
    past_the_guards(club, f"UPDATE backup SET {set_to}")
    keizer("backup", club)
    keizer("restore", club)
    keizer("migrate", club, "--accept", fails=True)
    assert "backup" in keizer("check", club, fails=True).stdout
    assert len(list(backups(club).iterdir())) >= 3
    keizer("restore", club, "1")


@pytest.mark.posix
def test_what_is_no_file_among_them_is_listed_and_not_opened(club: Path) -> None:
    """A pipe would wait for somebody to write."""
    keizer("backup", club)
    keizer("backup", club)
    (older, latest) = sorted(backups(club).iterdir())
    older.unlink()
    os.mkfifo(older)
    name = latest.name.replace("0002_", "0003_")
    latest.with_name(name).symlink_to(name)
    listed = keizer("restore", club).stdout
    assert listed.count("is not a regular file; move it elsewhere.") == 2
    for number in ("1", "3"):
        assert (
            "is not a regular file"
            in keizer("restore", club, number, fails=True).stderr
        )
    Path(f"{latest}-journal").symlink_to(name)
    assert (
        keizer("restore", club).stdout.count(
            "is not a regular file; move it elsewhere."
        )
        == 3
    )


def test_it_is_the_file_to_the_byte_and_nobody_else_writes_meanwhile(
    club: Path, shell: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a file closed too early POSIX would take away every lock that the command has."""
    before = club.read_bytes()
    said: list[str] = []

    def tried(statement: str) -> None:
        if statement == "COMMIT":
            said.extend(shell(club, ["UPDATE player SET rating = 1"]))

    def kept_and_watched(conn: sqlite3.Connection, *args: Any) -> str:
        conn.set_trace_callback(tried)
        return keep(conn, *args)

    keep = snapshots.make_during_command
    monkeypatch.setattr(snapshots, "make_during_command", kept_and_watched)
    keizer("next-round", club)
    assert newest(club).read_bytes() == before
    assert len(said) == 1 and "database is locked" in said[0]
    assert shell(club, ["UPDATE player SET rating = 1"]) == ["ok"]


def test_it_has_what_is_still_in_the_wal(club: Path) -> None:
    """While another program has the file open in that mode it stays there."""
    wal = ("PRAGMA journal_mode = WAL", "UPDATE player SET rating = 2222 WHERE id = 1")
    with elsewhere(club, *wal):
        keizer("next-round", club)
        assert club.with_name("club.db-wal").stat().st_size
    assert rows(newest(club), "SELECT rating FROM player WHERE id = 1") == [(2222,)]


def test_the_oldest_go_and_the_oldest_that_is_kept_can_be_put_back(club: Path) -> None:
    """With them one that was never finished, if it is an hour old: its process was killed."""
    console = Console(club)
    last = console("backup --keep 2 && backup && backup && backup")
    assert len(kept(club)) == 2 and str(newest(club)) in last
    oldest = dump(club)
    stale, fresh = (
        backups(club) / f".2026-09-04_20.db.{end}" for end in ("7.new-journal", "8.new")
    )
    for path, age in ((stale, 3700), (fresh, 3500)):
        path.touch()
        os.utime(path, (time.time() - age,) * 2)
    console("next-round")
    assert len(kept(club)) == 2 and fresh.exists() and not stale.exists()
    console("restore 3")
    assert dump(club) == oldest


def test_a_folder_of_ones_own(club: Path) -> None:
    """Once it is gone, as a stick that was pulled out, it is not made."""
    console, stick = Console(club), club.with_name("stick")
    assert "create it first" in console.refused("backup --folder stick")
    stick.mkdir()
    console("backup --folder stick")
    assert [path.name for path in stick.iterdir()] == ["club.backups"]
    console("next-round")
    assert [path.name for path in stick.iterdir()] == ["club.backups"]
    assert kept(club) == ["before next round"]
    assert not backups(club).exists()
    shutil.rmtree(stick)
    assert "no snapshot could be made" in console("next-round --again")
    assert not stick.exists()
    console("backup --folder - && backup")
    assert kept(club) == ["by hand"]


@pytest.mark.each
def test_a_folder_that_only_the_file_names_is_none(club: Path, tmp_path: Path) -> None:
    """Whoever sent the file may have named it; where the command has made one it is used."""
    console, out = Console(club), tmp_path.parent / f"{tmp_path.name}-out"
    out.mkdir()
    for named in (str(out), f"../{out.name}"):
        edit(
            club,
            "DELETE FROM backup",
            f"INSERT INTO backup (id, folder) VALUES (1, '{named}')",
        )
        assert "where none are: `keizer backup" in console.refused("backup")
        assert "where none are: `keizer backup" in console("next-round")
        console("unpair")
    assert [*out.iterdir()] == [] and not backups(club).exists()
    console(f"backup --folder {out} && backup")
    assert kept(club) == ["by hand"]


def seasons(folder: Path, *names: str) -> list[Path]:
    """Files of the same players, which keep two snapshots each in one folder, on a stick."""
    made = [folder / name for name in names]
    (folder / "stick").mkdir()
    for db in made:
        db.parent.mkdir(exist_ok=True)
        keizer("init", db, "--name", db.relative_to(folder))
        Console(db)(f"add Anna && backup --folder {folder / 'stick'} --keep 2")
    return made


@pytest.mark.parametrize(
    "names",
    [("2025/club.db", "2026/club.db"), ("club.db", "club.sqlite"), ("a.db", "b.db")],
)
def test_a_snapshot_is_of_a_file_and_not_of_its_name(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    """As where each year has its folder, and one stick has them all."""
    old, new = seasons(tmp_path, *names)
    keizer("backup", old)
    whole = dump(old)
    for _ in range(5):
        keizer("backup", new)
    assert len(kept(old)) == 1 and len(kept(new)) == 2
    (of_old,) = restoring.list_snapshots(old)[0]
    said = keizer("restore", new, of_old.number, fails=True).stderr
    assert f"{new} has no snapshot {of_old.number}" in said
    if old.parent == new.parent or old.name == new.name:
        assert "of other files is there too" in keizer("restore", new).stdout
        assert names[0] in keizer("restore", new, "--other").stdout
    renamed = old.rename(old.with_name("season.db"))
    Console(renamed)(f"add Boris && restore {of_old.number}")
    assert dump(renamed) == whole


def test_a_copy_that_went_its_own_way_takes_no_snapshot_of_the_other(
    tmp_path: Path,
) -> None:
    (club,) = seasons(tmp_path, "2025/club.db")
    Console(club)("add Boris && backup")
    (tmp_path / "2026").mkdir()
    copy = Path(shutil.copy(club, tmp_path / "2026/club.db"))
    Console(club)("add Clara && backup")
    last = newest(club)
    for name in ("Daan", "Eva", "Femke"):
        Console(copy)(f"add {name} && backup")
    assert last.exists()


@pytest.mark.seeds
def test_no_clock_has_a_say_in_what_is_kept(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a computer whose battery was flat; and a migration always finds its own."""
    keizer("backup", club, "--keep", "2")
    for index, year in enumerate(
        (2026, 2099, 1970, 2001, 2038, 1999, 2026, 2050, 1980, 2026) * 2
    ):
        moment = f"{year}-02-07_20-15-02"
        monkeypatch.setattr(time, "strftime", lambda *_, moment=moment: moment)
        keizer("add", club, f"Member {index}")
        whole = dump(club)
        keizer("migrate" if index % 3 == 1 else "backup", club)
        assert newest(club).name.split("_", 1)[1].startswith(moment)
        assert dump(newest(club)) == whole
    assert [snapshot.made[:4] for snapshot in restoring.list_snapshots(club)[0]] == [
        "2026",
        "1980",
    ]


@pytest.mark.posix
def test_who_may_not_read_the_file_may_not_read_its_snapshots_and_exports(
    club: Path,
) -> None:
    club.chmod(0o600)
    table = club.with_name("table.csv")
    Console(club)(f"backup && next-round && restore 1 && export {table}")
    made = [*backups(club).iterdir(), table, club]
    assert len(made) == 5
    assert {f"{file.stat().st_mode & 0o777:o}" for file in made} == {"600"}
    table.chmod(0o644)
    keizer("export", club, table, "--force")
    assert table.stat().st_mode & 0o777 == 0o644


def test_a_file_that_cannot_say_where_its_snapshots_are(club: Path) -> None:
    club.with_name("stick").mkdir()
    Console(club)("backup --folder stick && backup")
    club.write_bytes(b"")
    assert "--folder FOLDER" in keizer("restore", club, fails=True).stderr
    keizer("restore", club, "1", "--folder", "stick")
    assert "sound" in keizer("check", club).stdout


def test_a_file_that_is_gone_comes_back(club: Path) -> None:
    keizer("backup", club)
    whole = dump(club)
    club.unlink()
    assert f"`keizer restore {club}`" in keizer("standings", club, fails=True).stderr
    said = keizer("restore", club, "1").stdout
    assert "is as it was on" in said and "just now" not in said
    assert dump(club) == whole


def test_a_club_night_does_not_wait_for_a_snapshot(club: Path) -> None:
    backups(club).write_text("no folder")
    done = keizer("next-round", club)
    assert done.stderr.startswith("Warning: no snapshot could be made in ")
    assert rows(club, "SELECT count(*) FROM round") == [(2,)]


@pytest.mark.parametrize("damaged", [
    lambda data: data[: len(data) // 3], lambda data: bytes(100) + data[100:],
    lambda data: data[:4096] + os.urandom(195_904) + data[200_000:], lambda _: b"",
], ids=["cut", "head", "middle", "empty"])  # fmt: skip
def test_a_damaged_file_is_put_right_and_kept(
    club: Path, damaged: Callable[[bytes], bytes]
) -> None:
    """Also by a link, which stays one, and under a name that is a word of SQLite's for locks."""
    club = club.rename(club.with_name("unlocked.db"))
    link = club.with_name("link.db")
    link.symlink_to(club)
    Console(club)("next-round && backup")
    whole, data = dump(club), damaged(club.read_bytes())
    club.write_bytes(data)
    said = keizer("restore", club, "2").stdout
    assert dump(club) == whole
    assert "sound" in keizer("check", club).stdout
    assert f"The file as it was before this command: {backups(club)}" in said
    (copy,) = backups(club).glob("*.damaged")
    assert copy.read_bytes() == data
    keizer("backup", link)
    club.write_bytes(data)
    keizer("restore", link, "3")
    assert link.is_symlink() and dump(club) == whole


@pytest.mark.parametrize("name", [":memory:", "file:x.db", "100% o'clock? #1.db"])
def test_names_that_mean_something_to_sqlite(
    club: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(club.parent)
    club = club.rename(club.with_name(name))
    keizer("backup", name)
    before = dump(club)
    keizer("add", name, "Eva")
    keizer("restore", name, "1")
    assert dump(club) == before


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_file_in_use_is_not_replaced(
    club: Path, monkeypatch: pytest.MonkeyPatch, lock: str
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.05)
    keizer("backup", club)
    begun = (f"BEGIN {lock}", "UPDATE player SET rating = 1 WHERE id = 1")
    with elsewhere(club, *begun) as other:
        assert "close it there" in keizer("restore", club, "1", fails=True).stderr
        other.execute("COMMIT")
    assert not list(backups(club).glob("*.damaged"))
    assert rows(club, "SELECT rating FROM player WHERE id = 1") == [(1,)]
