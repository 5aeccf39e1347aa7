"""A new season, and the file of another program that goes into it."""

from pathlib import Path

import pytest

from tests.support.console import new_club


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A new season file."""
    return new_club(tmp_path / "club.db").db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where that of the other program is to be."""
    return tmp_path / "theirs"
