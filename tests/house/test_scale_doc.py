"""docs/scale.md: its recipe for many files, run on fifty."""

import re
import shutil
from pathlib import Path

import pytest

from tests.support.files import ROOT, rows, sample_db


def test_the_standings_of_fifty_files_are_in_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        club = tmp_path / f"clubs/Club {number}/season.db"
        club.parent.mkdir(parents=True)
        shutil.copy(sample_db(), club)
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
    exec(re.findall(r"```py\n(.*?)```", page, re.DOTALL)[0], {})
    standing = "SELECT name, rank, score FROM {} ORDER BY rank"
    due = rows(sample_db(), standing.format("current_standings"))
    found = rows(Path("federation.db"), standing.format("standings"))
    assert found == sorted(due * 50, key=lambda row: row[1])
