"""Names, results and kinds: matched as people type them."""

import functools
import sqlite3
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keizer import KeizerError
from keizer.season import names
from keizer.store import sql


@settings(deadline=None)  # the first example makes the file
@given(
    st.text(max_size=8),
    st.sampled_from(["", "=", "'", ",-", "\0", "\u202e", "\u0301", " ", "x" * 195]),
)
def test_a_proper_name_is_one_that_the_file_takes(text: str, more: str) -> None:
    """Tidied once it stays as it is; what keizer accepts no constraint refuses."""
    for typed in (text + more, more + text):
        try:
            name = names.proper(typed)
        except KeizerError:
            continue
        assert names.tidy(name) == name == unicodedata.normalize("NFC", name)
        file().execute("UPDATE player SET name = ?", (name,))
        assert file().execute("SELECT name FROM player").fetchone() == (name,)


@functools.cache
def file() -> sqlite3.Connection:
    """A file with one player in it."""
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.executescript(sql.script() + "INSERT INTO player (name) VALUES ('Anna');")
    return conn


KINDS = {
    "bye": "bye", "Pairing-allocated bye": "bye", "late-start": "late start", "EXCUSED": "excused",
    **dict.fromkeys(("club duty", "Club-Duty", "club_duty", "club"), "club duty"),
}  # fmt: skip


@pytest.mark.parametrize("typed", KINDS)
def test_kinds(typed: str) -> None:
    assert names.kind(typed) == KINDS[typed]


@given(st.text())
def test_a_result_is_known_or_refused(typed: str) -> None:
    known = {"1-0", "0-1", "½-½", "0-0", "+-", "-+", "--", "adj", "void", None}
    try:
        found = names.result(typed)
    except KeizerError:
        return
    assert found in known


@pytest.mark.parametrize(
    ("number", "text"),
    [(50.0, "50"), (71.5, "71.5"), (61 / 3, "20.333"), (0, "0"), (None, ""), (-0.0, "0")],
)  # fmt: skip
def test_numbers_as_shown(number: float | None, text: str) -> None:
    assert names.shown(number) == text
