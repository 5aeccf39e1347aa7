"""What has no end, or is far too large, is refused in one sentence before anything is written.

Where a real file of that size would take long to make, the limit is small instead.
"""

import io
import os
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from keizer import KeizerError
from keizer.formats import limits
from tests.support.console import new_club
from tests.support.core_page import page
from tests.support.files import run_keizer as keizer
from tests.support.other_programs import Original, s3db, sce
from tests.support.rating_lists import FIDE_TEXT, player, xml

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

READING = (
    ["import", "{db}", "{file}"],
    ["import", "{db}", "{file}", "--games"],
    ["ratings", "{db}", "{file}"],
    ["present", "{db}", "--list", "{file}"],
    ["messages", "{db}", "{file}"],
)
"""Every command that reads a file which is no season file."""


@pytest.fixture(autouse=True)
def _unchanged(club: Path) -> Iterator[None]:
    """Whatever is refused, the season stays as it was, to the byte."""
    before = club.read_bytes()
    yield
    assert club.read_bytes() == before


def refused(command: list[str], **names: Path) -> str:
    """The one sentence with which a command ends."""
    said = keizer(*(part.format(**names) for part in command), fails=True).stderr
    assert said.startswith("Error: ") and said.count("\n") == 1, said
    return said


@pytest.mark.skipif(
    not Path("/dev/zero").exists(), reason="this system has no such device"
)
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_device_without_end_is_refused(club: Path, command: list[str]) -> None:
    said = refused(command, db=club, file=Path("/dev/zero"))
    assert said.startswith("Error: /dev/zero: this is ")
    assert ("no rating list" if "ratings" in command else "more than ") in said


@pytest.mark.posix
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


@pytest.mark.parametrize(("command", "limit"), [
    (["import", "{db}", "-"], "SEASON"), (["ratings", "{db}", "-"], "RATING_LIST"),
    (["present", "{db}", "--list", "-"], "TYPED"), (["messages", "{db}", "-"], "TYPED"),
    (["result", "{db}", "-"], "TYPED"), (["result", "{db}"], "TYPED"),
])  # fmt: skip
def test_standard_input_is_read_up_to_the_limit(
    sample: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], limit: str
) -> None:
    keizer("next-round", sample)
    monkeypatch.setattr(limits, limit, 1 << 10)
    typed = "name,rating" * 100 + "\n"
    said = keizer(
        *(word.format(db=sample) for word in command), stdin=typed, fails=True
    ).stderr
    assert said.startswith("Error: standard input: this is more than 1 KB")


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


@pytest.mark.parametrize(("option", "limit", "text"), [
    ([], "PLAYERS", "name\n" + "".join(f"Player {number}\n" for number in range(3))),
    (["--games"], "GAMES", "round,white,black\n" + "1,Anna,Boris\n" * 3),
    (["--unplayed"], "GAMES", "round,player,kind\n" + "1,Anna,excused\n" * 3),
])  # fmt: skip
def test_too_many_lines_are_refused(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    option: list[str], limit: str, text: str,
) -> None:  # fmt: skip
    """Before the first is written, or the second of these games would be refused."""
    monkeypatch.setattr(limits, limit, 2)
    file = tmp_path / "list.csv"
    file.write_text(text)
    said = refused([*READING[0], *option], db=club, file=file)
    assert f"{file}, line 4: this has more than 2 " in said


def test_an_import_may_have_as_many_as_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PLAYERS", 3)
    file, db = tmp_path / "members.csv", tmp_path / "three.db"
    file.write_text("name\nEva\n\nFemke\n;\nGerda\n")
    new_club(db)
    assert keizer("import", db, file).stdout == "3 players imported.\n"


THREE = ("Eva", "Femke", "Gerda")


def original(file: Path) -> None:
    there = Original(file)
    there.conn.executemany(
        "INSERT INTO player VALUES (?, NULL, 1500)", [(name,) for name in THREE]
    )
    there.tournament("Club", THREE)
    there.game(1, "Eva", "Femke", "1-0")
    there.game(2, "Eva", "Gerda", "1-0")
    there.close()


@pytest.fixture(params=[
    lambda file, sample: keizer("export", sample, file, "--trf"),
    lambda file, _: s3db(file, [(name, 1500) for name in THREE],
                         [(1, 1, 1, 2, 1), (2, 1, 1, 3, 1)]),
    lambda file, _: sce(file, [{"last_name": name} for name in THREE],
                        [[(1, 2, 3, 1)], [(1, 3, 3, 1)]]),
    lambda file, _: original(file),
    lambda file, _: page(file),
], ids=["trf", "keizerforclubs", "sharlychess", "original", "core"])  # fmt: skip
def theirs(request: pytest.FixtureRequest, tmp_path: Path, sample: Path) -> Path:
    """A season of another program, with three players and two games at least."""
    file = tmp_path / "theirs"
    request.param(file, sample)
    return file


@pytest.mark.parametrize(("limit", "most", "said"), [
    ("PLAYERS", 2, "more than 2 players"), ("GAMES", 1, "more than 1 games"),
    ("SEASON", 1000, "more than 0 KB"),
])  # fmt: skip
def test_a_season_of_another_program_has_the_same_limits(
    tmp_path: Path,
    theirs: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    most: int,
    said: str,
) -> None:
    db = tmp_path / "new.db"
    new_club(db, name="New")
    before = db.read_bytes()
    monkeypatch.setattr(limits, limit, most)
    assert said in refused(READING[0], db=db, file=theirs)
    assert db.read_bytes() == before


# --------------------------------------------------------------- rating lists


def zipped(*texts: str, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for number, text in enumerate(texts):
            archive.writestr(f"{number}.txt", text)
    return file.getvalue()


LINES, XML = (
    "name,rating\n" + "Somebody Else,1500\n" * 9,
    player(1, "Else, Somebody", 1500) * 9,
)
MB = 1 << 20


@pytest.mark.parametrize(("small", "content", "said"), [
    # A zip counts as what comes out of it, and itself; it is looked at up to the 100th file.
    ({"RATING_LIST": 100 << 10}, zipped(LINES + "\n" * MB), "this is more than 100 KB"),
    ({"RATING_LIST": 100 << 10}, zipped(xml(XML) + " " * MB), "this is more than 100 KB"),
    ({"ZIP": 1 << 10}, zipped(LINES * 200, method=zipfile.ZIP_STORED), "this is more than 1 KB"),
    ({}, zipped(*[""] * 1000, LINES), "no rating list"),
    # Python unpacks these at once, whatever comes out.
    ({}, zipped(LINES, method=zipfile.ZIP_BZIP2), "packed in a way that no rating list is"),
    ({}, zipped(LINES, method=zipfile.ZIP_LZMA), "packed in a way that no rating list is"),
    # More players than there are.
    ({"LISTED": 2}, LINES.encode(), "more than 2 players"),
    ({"LISTED": 2}, b"name,rating\n" + b"\n" * 9, "more than 2 players"),
    ({"LISTED": 2}, (FIDE_TEXT + FIDE_TEXT.splitlines()[1] * 9).encode(), "more than 2 players"),
    ({"LISTED": 2}, xml(XML).encode(), "more than 2 players"),
    # Hardly any players.
    ({}, zipped(xml(XML, " " * MB)), "too long for a rating list"),
    ({}, zipped(xml(XML, "<a/>" * MB)), "too long for a rating list"),
    ({}, zipped(xml(XML, "<!-- -->" * MB)), "too long for a rating list"),
    # All who may be members are kept; there are only that many namesakes.
    ({"FOUND": 2}, b"name,rating\n" + b"Anna,1500\n" * 3, "line 4: more than 2 players here"),
], ids=range(14))  # fmt: skip
def test_a_rating_list_that_cannot_be_one_is_refused(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    small: dict[str, int], content: bytes, said: str,
) -> None:  # fmt: skip
    for limit, most in small.items():
        monkeypatch.setattr(limits, limit, most)
    file = tmp_path / "list"
    file.write_bytes(content)
    assert said in refused(READING[2], db=club, file=file)


def test_a_list_comes_through_a_pipe_as_it_is_or_zipped(
    club: Path, installed: str
) -> None:
    text = "name,rating\nAnna,2050\n"
    command = [installed, "ratings", str(club), "-", "--dry-run"]
    for data in (text.encode(), zipped(text)):
        assert (
            b"2050"
            in subprocess.run(
                command, input=data, capture_output=True, check=True
            ).stdout
        )
