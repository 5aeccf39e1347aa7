"""What the tests of rights and of phones begin with."""

import shutil
from pathlib import Path

import pytest

from keizer.web.keys import Keys
from keizer.web.visit import Face
from tests.support.face import face_of
from tests.support.files import run_keizer
from tests.support.patience import PATIENCE


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits is not cut off before a busy machine comes to the claim."""
    for limit in ("server.HEADER", "lines.PATIENCE", "lines.THREADS_PATIENCE"):
        monkeypatch.setattr(f"keizer.web.{limit}", PATIENCE)


@pytest.fixture(scope="session")
def _published(tmp_path_factory: pytest.TempPathFactory, _club_of_four: Path) -> Path:
    db = tmp_path_factory.mktemp("published") / "club.db"
    shutil.copy(_club_of_four, db)
    run_keizer("next-round", db)
    run_keizer("publish-round", db)
    return db


@pytest.fixture
def season(tmp_path: Path, _published: Path) -> Path:
    """Four players, round 1 published: Anna, Boris, Clara, Daan."""
    return Path(shutil.copy(_published, tmp_path / "club.db"))


@pytest.fixture
def face(season: Path) -> Face:
    """Its face, with phones."""
    found = face_of(season, lan=True, keys=Keys(season.parent / "face.db"))
    found.address = "http://192.0.2.7:8396/"
    return found
