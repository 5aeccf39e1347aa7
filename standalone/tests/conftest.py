"""keizer.html, built once, and people at browsers."""

import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from standalone import build
from standalone.tests.person import WITHOUT_PICKERS, Person


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """keizer.html of this checkout, made by the first worker that needs it; beside it, site/."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    out = folder / "keizer.html"
    with (folder / "building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            build.make(out, folder / "site")
    return out


@pytest.fixture
def people(tmp_path: Path, built: Path) -> Iterator[Callable[..., Person]]:
    """Have somebody open the page at a browser; one who comes back has the same profile.

    prepare, room: as of `begin` in driver.cjs.
    """
    made: list[Person] = []

    def make(
        kind: str = "chromium",
        url: str = "",
        prepare: str = WITHOUT_PICKERS,
        room: int = 0,
    ) -> Person:
        made.append(Person(kind, tmp_path / "somebody", url or built.as_uri()))
        made[-1].begin(prepare, room)
        return made[-1]

    yield make
    for person in made:
        person.leave()


@pytest.fixture(scope="session")
def _idle() -> Iterator[dict[str, Person]]:
    """Those whose page stands open, as somebody new finds it, by the script before its own."""
    idle: dict[str, Person] = {}
    yield idle
    for person in idle.values():
        person.leave()


@pytest.fixture
def visitor(
    _idle: dict[str, Person], built: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Person]]:
    """Have somebody at Chromium who has opened keizer.html; prepare: as of `people`.

    Python starts once a worker, as the page forgets what a test did. A test that changes the
    browser itself has `people`.
    """
    taken: dict[str, Person] = {}

    def make(prepare: str = WITHOUT_PICKERS) -> Person:
        if prepare in _idle:
            taken[prepare] = _idle.pop(prepare)
        else:
            taken[prepare] = Person(
                "chromium", tmp_path_factory.mktemp("visitor"), built.as_uri()
            )
            taken[prepare].begin(prepare)
        return taken[prepare]

    yield make
    for prepare, person in taken.items():
        try:
            person.do("forget")
        except AssertionError:
            person.leave()
            raise
        _idle[prepare] = person
