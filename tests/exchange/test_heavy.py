"""Files that take far more to read than their size says: each is one sentence, and no more.

The limits are those of everybody. Whoever asks is spared (test_apart.py).
"""

from pathlib import Path

import pytest

from tests.support import heavy
from tests.support.console import new_club
from tests.support.files import one_sentence
from tests.support.files import run_keizer as keizer


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """A season without players."""
    return new_club(tmp_path / "new.db", name="New").db


def told(new: Path, shapes: heavy.Shapes, name: str, command: str = "import") -> None:
    """A command ends with the sentence that is expected, and has changed nothing; or it reads."""
    make, said = shapes[name]
    file = new.with_name("file")
    file.write_bytes(make())
    before = new.read_bytes()
    done = keizer(command, new, file, "--dry-run", fails=bool(said))
    assert not said or (one_sentence(done.stderr) and said in done.stderr), done.stderr
    assert new.read_bytes() == before


@pytest.mark.parametrize("name", heavy.SPREADSHEETS)
def test_a_spreadsheet_is_counted_before_it_is_read(new: Path, name: str) -> None:
    told(new, heavy.SPREADSHEETS, name)


@pytest.mark.parametrize("name", heavy.CSV)
def test_a_text_is_counted_before_it_is_read(new: Path, name: str) -> None:
    told(new, heavy.CSV, name)


@pytest.mark.parametrize("name", heavy.JSON)
def test_what_json_comes_to_is_counted(new: Path, name: str) -> None:
    told(new, heavy.JSON, name)


@pytest.mark.parametrize("name", heavy.TRF)
def test_a_report_is_counted_before_it_is_read(new: Path, name: str) -> None:
    told(new, heavy.TRF, name)


@pytest.mark.parametrize("name", heavy.DATABASES)
def test_a_database_of_another_program_is_counted(new: Path, name: str) -> None:
    told(new, heavy.DATABASES, name)


@pytest.mark.parametrize("name", heavy.RATING_LISTS)
def test_a_rating_list_is_counted_as_it_comes(club: Path, name: str) -> None:
    told(club, heavy.RATING_LISTS, name, "ratings")


@pytest.mark.parametrize(
    "name", ["10 MB of empty lines", "8 MB of commas", "a word of 15 MB"]
)
@pytest.mark.parametrize(
    "command",
    [
        "import {} {} --games",
        "infer {} {}",
        "ratings {} {}",
        "next-round {} --pairs {}",
    ],
)
def test_every_command_that_reads_a_file_is_spared(
    club: Path, command: str, name: str
) -> None:
    file, before = club.with_name("file"), club.read_bytes()
    file.write_bytes(heavy.CSV[name][0]())
    assert one_sentence(keizer(*command.format(club, file).split(), fails=True).stderr)
    assert club.read_bytes() == before
