"""The season that `keizer demo` plays."""

import shlex
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.console import Console
from tests.support.files import Keizer, demo_db, dump


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Console:
    console = Console(tmp_path_factory.mktemp("demo") / "demo.db")
    console.db.write_bytes(demo_db())
    return console


def test_it_is_sound_and_the_same_season_every_time(
    demo: Console, tmp_path: Path
) -> None:
    assert "is sound" in demo("check")
    again = Console(tmp_path / "again.db")
    again("demo")
    assert dump(again.db) == dump(demo.db)


def test_it_has_what_a_season_has(demo: Console) -> None:
    """A round a week, too."""
    for query, found in {
        "category, count(*) FROM player GROUP BY 1": {("A", 7), ("B", 10), ("C", 7)},
        "max(first_round), max(last_round) FROM x_player_tournament": {(4, 8)},
        "kind FROM unplayed": {("bye",), ("excused",), ("unexcused",), ("club duty",)},
        "result FROM round": {("1-0",), ("½-½",), ("0-1",), ("+-",), (None,)},
        "count(*) > 0 FROM relaxations": {(1,)},
    }.items():
        assert {*demo.rows(f"SELECT {query}")} == found
    assert "(provisional: boards " in demo("standings")
    found = demo.rows(
        "SELECT date, state, open_boards * 2 - boards FROM rounds ORDER BY 1"
    )
    dates = [date.fromisoformat(day) for day, _, _ in found]
    assert {later - day for day, later in pairwise(dates)} == {timedelta(weeks=1)}
    states = [state for _, state, _ in found]
    assert states == ["complete"] * 11 + ["published"] + ["planned"] * 2
    assert abs(found[11][2]) <= 1, "the last round is half played"


def test_what_it_tells_to_try_runs(
    tmp_path: Path, keizer: Keizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a file named, in a folder whose name has a space."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    first, *tries = keizer("demo").stdout.splitlines()
    path = Path(first.partition(": ")[0])
    assert folder in path.parents and len(tries) == 6
    for program, *words in map(shlex.split, tries):
        assert program == "keizer" and str(path) in words
        keizer(*words)


def test_no_file_is_written_over(tmp_path: Path, keizer: Keizer) -> None:
    path = tmp_path / "season.db"
    path.write_text("ours")
    assert "name a new file" in keizer("demo", path, fails=True).stderr
    assert path.read_text() == "ours"
