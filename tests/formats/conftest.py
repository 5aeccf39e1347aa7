"""A new season, and the file of another program that goes into it."""

from pathlib import Path

import pytest

from tests.support.files import run_keizer


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A new season file."""
    path = tmp_path / "club.db"
    run_keizer("init", path, "--name", "Club")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where that of the other program is to be."""
    return tmp_path / "theirs"
