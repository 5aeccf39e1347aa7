"""What has no end, or is far too large, is refused in one sentence before anything is written.

Where a real file of that size would take long to make, the limit is small instead.
"""

import io
import os
import sqlite3
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from keizer import KeizerError
from keizer.formats import limits
from tests.support.files import run_keizer as keizer
from tests.support.other_programs import ORIGINAL, s3db
from tests.support.rating_lists import FIDE_TEXT, player, xml

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

READING = (
    ["import", "{db}", "{file}"],
    ["import", "{db}", "{file}", "--games"],
    ["ratings", "{db}", "{file}"],
    ["present", "{db}", "--list", "{file}"],
    ["rules", "{db}", "--file", "{file}"],
    ["site", "{db}", "{db}.site", "--messages", "{file}"],
)
"""Every command that reads a file which is no season file."""

named_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes")


@pytest.fixture(autouse=True)
def _unchanged(club: Path) -> Iterator[None]:
    """Whatever is refused, the season stays as it was, to the byte."""
    before = club.read_bytes()
    yield
    assert club.read_bytes() == before


def refused(command: list[str], *, stdin: str | None = None, **names: Path) -> str:
    """The one sentence with which a command ends."""
    said = keizer(*(part.format(**names) for part in command), stdin=stdin, fails=True).stderr
    assert said.startswith("Error: ") and said.count("\n") == 1, said
    return said


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_device_without_end_is_refused(club: Path, command: list[str]) -> None:
    said = refused(command, db=club, file=Path("/dev/zero"))
    assert said.startswith("Error: /dev/zero: this is ")
    assert ("no rating list" if "ratings" in command else "more than ") in said


@named_pipes
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_pipe_that_nobody_writes_to_is_refused(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setattr(limits, "PATIENCE", 0)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert f"{pipe}: nobody writes to this pipe" in refused(command, db=club, file=pipe)


@named_pipes
def test_a_pipe_whose_writer_has_not_begun_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have opened it, and write when they are waited for."""
    monkeypatch.setattr(limits, "PATIENCE", 0)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    other_end = os.open(pipe, os.O_RDWR)

    def wait(_handle: int, blocking: bool) -> None:
        assert blocking
        os.write(other_end, b"name\nEva\n")
        os.close(other_end)

    monkeypatch.setattr(os, "set_blocking", wait)
    assert limits.read(pipe, limits.SEASON) == b"name\nEva\n"


@named_pipes
def test_a_pipe_without_end_is_read_up_to_the_limit(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SEASON", 1 << 20)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with suppress(BrokenPipeError), pipe.open("wb") as file:
            while True:
                file.write(b"name\n" * 10_000)

    endless = Thread(target=write)
    endless.start()
    assert "more than 1 MB" in refused(READING[0], db=club, file=pipe)
    endless.join()


@pytest.mark.parametrize(
    ("command", "limit"),
    [
        (["import", "{db}", "-"], "SEASON"),
        (["ratings", "{db}", "-"], "RATING_LIST"),
        (["present", "{db}", "--list", "-"], "TYPED"),
        (["rules", "{db}", "--file", "-"], "TYPED"),
        (["result", "{db}", "-"], "TYPED"),
        (["present", "{db}", "--ask"], "TYPED"),
    ],
)
def test_standard_input_is_read_up_to_the_limit(
    club: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], limit: str
) -> None:
    monkeypatch.setattr(limits, limit, 1 << 10)
    said = keizer(*(it.format(db=club) for it in command), stdin="name,rating\n" * 100, fails=True)
    assert said.stderr.startswith("Error: standard input: this is more than 1 KB")


def test_results_on_a_pipe_are_asked_for_up_to_the_limit(
    sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TYPED", 1 << 10)
    keizer("next-round", sample)
    said = keizer("result", sample, stdin="x" * 2000, fails=True).stderr
    assert said.startswith("Error: standard input: this is more than 1 KB")


def test_a_program_that_answers_in_vain_is_stopped(club: Path) -> None:
    said = keizer("present", club, "--ask", stdin="<\n" * 1000, fails=True).stderr
    assert said == "Error: 100 answers to one question, and it is still open.\n"


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 1000)
    assert limits.read(file, 1000) == b"x" * 1000
    with pytest.raises(KeizerError, match="file: this is more than"):
        limits.read(file, 999)


def test_a_file_that_grows_while_it_is_read_is_refused() -> None:
    """What counts is what has come, not how long the file was."""

    class Growing(io.BytesIO):
        def readinto1(self, buffer: "WriteableBuffer") -> int:
            there = self.tell()
            self.write(bytes(1000))
            self.seek(there)
            return super().readinto1(buffer)

    with pytest.raises(KeizerError, match="more than 9 KB"):
        limits.counted(Growing(), 9 << 10).read()


# ------------------------------------------------------------ too many players


def test_a_csv_of_20000_members_is_refused(club: Path, tmp_path: Path) -> None:
    file = tmp_path / "members.csv"
    file.write_text("name\n" + "".join(f"Player {number}\n" for number in range(20_000)))
    said = refused(READING[0], db=club, file=file)
    assert f"{file}, line 5002: this has more than 5,000 players" in said


def test_an_import_may_have_as_many_as_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PLAYERS", 3)
    file, db = tmp_path / "members.csv", tmp_path / "three.db"
    file.write_text("name\nEva\n\nFemke\n;\nGerda\n")
    keizer("init", db, "--name", "Three")
    assert keizer("import", db, file).stdout == "3 players imported.\n"


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--games", "round,white,black\n" + "1,Anna,Boris\n" * 3),
        ("--unplayed", "round,player,kind\n" + "1,Anna,excused\n" * 3),
    ],
)
def test_too_many_games_in_a_csv_are_refused(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, text: str
) -> None:
    """Before the first is written, or the second of these would be refused."""
    monkeypatch.setattr(limits, "GAMES", 2)
    file = tmp_path / "games.csv"
    file.write_text(text)
    said = refused(["import", "{db}", "{file}", option], db=club, file=file)
    assert f"{file}, line 4: this has more than 2 games" in said


def seasons(folder: Path, sample: Path) -> dict[str, Path]:
    """A season of each format, with three players and two games at least."""
    report = folder / "report.trf"
    keizer("export", sample, report)
    theirs = s3db(
        folder / "club.s3db",
        [(name, 1500) for name in ("Eva", "Femke", "Gerda")],
        [(1, 1, 1, 2, 1), (2, 1, 1, 3, 1)],
    )
    original = folder / "keizer.db"
    with closing(sqlite3.connect(original)) as conn, conn:
        conn.executescript(ORIGINAL)
        conn.execute("INSERT INTO tournament VALUES ('Club', 0)")
        for number, name in enumerate(("Eva", "Femke", "Gerda"), 1):
            conn.execute("INSERT INTO player VALUES (?, NULL, 1500)", (name,))
            conn.execute("INSERT INTO x_player_tournament VALUES (?, 1, 0, 0)", (number,))
        conn.execute(
            "INSERT INTO round VALUES (1, 1, 1, 2, '1-0', NULL), (2, 1, 1, 3, '1-0', NULL)"
        )
    return {"trf": report, "keizerforclubs": theirs, "original": original}


@pytest.mark.parametrize("kind", ["trf", "keizerforclubs", "original"])
@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("PLAYERS", 2, "more than 2 players"),
        ("GAMES", 1, "more than 1 games"),
        ("SEASON", 1000, "more than 0 KB"),
    ],
)
def test_a_season_of_another_program_has_the_same_limits(
    tmp_path: Path,
    sample: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    limit: str,
    most: int,
    said: str,
) -> None:
    file, db = seasons(tmp_path, sample)[kind], tmp_path / "new.db"
    keizer("init", db, "--name", "New")
    before = db.read_bytes()
    monkeypatch.setattr(limits, limit, most)
    assert said in refused(READING[0], db=db, file=file)
    assert db.read_bytes() == before


# --------------------------------------------------------------- rating lists


def zipped(path: Path, *texts: str, method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for number, text in enumerate(texts):
            archive.writestr(f"{number}.txt", text)
    return path


LINES, XML = "name,rating\n" + "Somebody Else,1500\n" * 9, player(1, "Else, Somebody", 1500) * 9


@pytest.mark.parametrize("text", [LINES + "\n" * (1 << 20), xml(XML) + " " * (1 << 20)])
def test_a_zip_counts_as_what_comes_out_of_it(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(limits, "RATING_LIST", 100 << 10)
    file = zipped(tmp_path / "list.zip", text)
    assert file.stat().st_size < 5000
    assert "this is more than 100 KB" in refused(READING[2], db=club, file=file)


def test_a_zip_itself_has_a_limit(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ZIP", 1 << 10)
    file = zipped(tmp_path / "list.zip", LINES * 200, method=zipfile.ZIP_STORED)
    assert "this is more than 1 KB" in refused(READING[2], db=club, file=file)


def test_a_zip_of_a_thousand_files_is_no_rating_list(club: Path, tmp_path: Path) -> None:
    """Only the first hundred are looked at, though the last is one."""
    file = zipped(tmp_path / "list.zip", *[""] * 1000, LINES)
    assert "no rating list" in refused(READING[2], db=club, file=file)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_that_cannot_be_unpacked_in_steps_is_refused(
    club: Path, tmp_path: Path, method: int
) -> None:
    """Python unpacks these at once, whatever comes out."""
    file = zipped(tmp_path / "list.zip", LINES, method=method)
    assert "packed in a way that no rating list is" in refused(READING[2], db=club, file=file)


@pytest.mark.parametrize(
    "text",
    [LINES, "name,rating\n" + "\n" * 9, FIDE_TEXT + FIDE_TEXT.splitlines()[1] * 9, xml(XML)],
    ids=["CSV", "empty lines", "FIDE, text", "FIDE, XML"],
)
def test_a_list_of_more_players_than_there_are_is_refused(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(limits, "LISTED", 2)
    file = tmp_path / "list"
    file.write_text(text)
    assert "more than 2 players" in refused(READING[2], db=club, file=file)


@pytest.mark.parametrize("nothing", [" ", "<a/>", "<!-- -->"])
def test_an_xml_of_hardly_any_players_is_refused(club: Path, tmp_path: Path, nothing: str) -> None:
    file = zipped(tmp_path / "list.zip", f"<playerslist>{XML}{nothing * (1 << 20)}</playerslist>")
    assert "too long for a rating list" in refused(READING[2], db=club, file=file)


def test_a_list_of_members_alone_is_refused(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All who may be members are kept; there are only so many namesakes."""
    monkeypatch.setattr(limits, "FOUND", 2)
    file = tmp_path / "list.csv"
    file.write_text("name,rating\n" + "Anna,1500\n" * 3)
    assert f"{file}: more than 2 players" in refused(READING[2], db=club, file=file)


def test_a_list_comes_through_a_pipe_as_it_is_or_zipped(
    club: Path, tmp_path: Path, installed: str
) -> None:
    text = "name,rating\nAnna,2050\n"
    for data in (text.encode(), zipped(tmp_path / "list.zip", text).read_bytes()):
        done = subprocess.run(
            [installed, "ratings", club, "-", "--dry-run"],
            input=data,
            stdout=subprocess.PIPE,
            check=True,
        )
        assert b"2050" in done.stdout
