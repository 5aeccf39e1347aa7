"""A kind of unplayed round by what some language calls it."""

from pathlib import Path

import pytest

from keizer import languages
from tests.support.console import new_club
from tests.support.files import rows, run_keizer


@pytest.mark.parametrize("code", languages.codes()[1:])
@pytest.mark.parametrize("kind", ["excused", "unexcused", "club duty"])
def test_a_kind_is_typed_as_a_language_calls_it(
    tmp_path: Path, code: str, kind: str
) -> None:
    """And there is no second one of that name."""
    db, called = tmp_path / "club.db", languages.load(code).text(kind)
    new_club(db)
    run_keizer("add", db, "Anna")
    run_keizer("absent", db, "Anna", "--kind", called.upper())
    assert rows(db, "SELECT kind FROM unplayed") == [(kind,)]
    before = rows(db, "SELECT * FROM scoring")
    said = run_keizer("rules", db, "--add-kind", called, fails=True).stderr
    assert said == f"Error: the tournament already has a kind “{kind}”.\n"
    assert rows(db, "SELECT * FROM scoring") == before
