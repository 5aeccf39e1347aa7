"""The file that is built: small, the same each time, and of known parts."""

import filecmp
from collections.abc import Callable
from pathlib import Path

import pytest

from standalone import build
from standalone.tests.person import Person


def test_the_same_checkout_gives_the_same_bytes_and_at_most_11_megabytes(
    built: Path, tmp_path: Path
) -> None:
    build.make(tmp_path / "again.html")
    assert filecmp.cmp(built, tmp_path / "again.html", shallow=False)
    assert built.stat().st_size <= 11_000_000


def test_a_part_that_is_not_the_one_written_down_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of Pyodide and of a wheel; nothing is written."""
    monkeypatch.setitem(build.HASHES, "pyodide.js", "0" * 64)
    with pytest.raises(
        build.BuildError, match=r"pyodide\.js of Pyodide is not the file"
    ):
        build.make(tmp_path / "keizer.html")
    monkeypatch.undo()
    written = (build.HERE / "requirements.txt").read_text(encoding="utf-8")
    odd = tmp_path / "odd"
    odd.mkdir()
    (odd / "requirements.txt").write_text(
        written.replace("sha256:1", "sha256:2"), encoding="utf-8"
    )
    monkeypatch.setattr(build, "HERE", odd)
    with pytest.raises(build.BuildError, match="DO NOT MATCH THE HASHES"):
        build.wheels(tmp_path)
    assert not (tmp_path / "keizer.html").exists()


def test_it_says_what_is_in_it_and_under_which_licence(
    visitor: Callable[..., Person],
) -> None:
    person = visitor()
    person.more("Help")
    person.press("What is in this file")
    said = person.shown()
    for name in (
        "keizer",
        "Flask",
        "Pyodide 314.0.7 MPL-2.0",
        "CPython 3.14",
        "SQLite 3.39",
    ):
        assert name in said
