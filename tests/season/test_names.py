"""Names, results and kinds: matched as people type them."""

import functools
import sqlite3
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from keizer import KeizerError, texts
from keizer.messages import say
from keizer.season.names import spelling
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
            name = spelling.check_name(typed)
        except KeizerError:
            continue
        assert spelling.tidy(name) == name == unicodedata.normalize("NFC", name)
        file().execute("UPDATE player SET name = ?", (name,))
        assert file().execute("SELECT name FROM player").fetchone() == (name,)


@functools.cache
def file() -> sqlite3.Connection:
    """A file with one player in it."""
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.executescript(sql.script() + "INSERT INTO player (name) VALUES ('Anna');")
    return conn


def test_kinds() -> None:
    for kind, forms in {
        "bye": ("bye", "Pairing-allocated bye"), "late start": ("late-start",),
        "excused": ("EXCUSED",), "club duty": ("club duty", "Club-Duty", "club_duty", "club"),
    }.items():  # fmt: skip
        assert {spelling.parse_kind(typed) for typed in forms} == {kind}


@given(st.text())
def test_a_result_is_known_or_refused(typed: str) -> None:
    known = {"1-0", "0-1", "½-½", "0-0", "+-", "-+", "--", "adj", "void", None}
    try:
        found = spelling.parse_result(file(), typed)
    except KeizerError:
        return
    assert found in known


SHOWN = [
    (50.0, "50"), (71.5, "71.5"), (61 / 3, "20.333"), (0, "0"), (None, ""), (-0.0, "0"),
    (1.0625, "1.063"),
    (2.0635, "2.064"),  # stored as 2.06349...
    (0.0005, "0.001"), (0.00049, "0"), (-1.0625, "-1.062"), (-0.0005, "0"), (2 / 3, "0.667"),
    (1234567.0625, "1234567.063"), (100, "100"), (True, "1"), (float("inf"), "inf"),
]  # fmt: skip


def test_people_read_numbers_rounded_half_up() -> None:
    """And a difference keeps all its digits."""
    assert [texts.shown(number) for number, _ in SHOWN] == [text for _, text in SHOWN]
    signed = [
        str(say("{points:+}", points=number)) for number in (100000.5, -0.0625, 3)
    ]
    assert signed == ["+100000.5", "-0.063", "+3"]


@given(st.integers(-6 * 10**12, 6 * 10**12))
def test_what_is_shown_of_a_score_is_its_units_half_up(units: int) -> None:
    """The rule of score_rounding=.001, about whole units, and the number that is printed."""
    thousandths = (units + 3000) // 6000
    assert texts.shown(units / 6_000_000) == texts.shown(thousandths / 1000)
    assert round(float(texts.shown(units / 6_000_000)) * 1000) == thousandths
