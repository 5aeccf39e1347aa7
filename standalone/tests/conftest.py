"""keizer.html, built once, and people at browsers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from standalone import build
from standalone.tests.person import Person


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """keizer.html of this checkout."""
    out = tmp_path_factory.mktemp("built") / "keizer.html"
    build.make(out)
    return out


@pytest.fixture
def people(tmp_path: Path, built: Path) -> Iterator[Callable[..., Person]]:
    """Make somebody at a browser; one who comes back has the same profile."""
    made: list[Person] = []

    def make(kind: str = "chromium", name: str = "somebody") -> Person:
        made.append(Person(kind, tmp_path / name, built))
        return made[-1]

    yield make
    for person in made:
        person.leave()
