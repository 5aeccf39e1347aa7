"""Messages of members, pasted on page Tonight: shown, asked about, then written, and taken back."""

from pathlib import Path

import pytest

from keizer.web.visit import Face
from tests.support.face import Person, director, done
from tests.support.files import edit, rows, run_keizer

CHAT = """[01-12-2026 19:03] Anna: Ik ben er vrijdag niet, groet Anna
[01-12-2026 19:04] Boris: <b>Clara</b> & Daan misschien afwezig
[01-12-2026 19:05] Boris: Mooi toernooi zaterdag!"""
AWAY = "SELECT player_id, kind FROM unplayed ORDER BY 1"


@pytest.fixture
def shown(face: Face, season: Path) -> Person:
    """A director who sees how the messages are understood."""
    edit(
        season,
        "UPDATE schedule SET date = '2026-11-27', published_at = '2026-11-27 20:00:00'",
    )
    run_keizer("rounds", season, "--date", "2", "2026-12-04")
    person = director(face)
    person.go("/tonight")
    person.press("Read them", text=CHAT)
    return person


def test_what_was_pasted_is_shown_before_it_is_written(
    shown: Person, season: Path
) -> None:
    """Who wrote what, what that says, and the word that nobody knows."""
    for part in (
        "1 message is not clear", "Anna line 1 Ik ben er vrijdag niet", "Anna is away from round 2",
        "“misschien” is not a word that keizer knows", "Mooi toernooi zaterdag! left out",
    ):  # fmt: skip
        assert part in shown.text
    assert "&lt;b&gt;Clara&lt;/b&gt; &amp;" in shown.page.html and not rows(
        season, AWAY
    )


def test_what_is_asked_takes_one_tap(shown: Person, season: Path) -> None:
    """The coming round is chosen; who of several is another tap. One undo takes all of it back."""
    shown.press("Check again", who_2="#4", kind_2="club duty")
    assert "Daan is away from round 2 (club duty)" in shown.text and not rows(
        season, AWAY
    )
    shown.press("Sign off and on")
    assert rows(season, AWAY) == [(1, "excused"), (4, "club duty")]
    shown.press("↶")
    assert not rows(season, AWAY), "in one step"


def test_without_an_answer_the_clear_ones_are_written(
    shown: Person, season: Path
) -> None:
    """Nor for somebody who was not chosen: what is open is named with its sender."""
    shown.press("Sign off and on", kind_2="excused")
    assert rows(season, AWAY) == [(1, "excused")]
    assert "Line 2, Boris" in shown.text and "is left open" in shown.text


def test_a_page_of_300_open_messages_is_small(face: Face) -> None:
    """The names to choose from stand there once."""
    person = director(face)
    person.go("/tonight")
    page = person.press("Read them", text="perhaps\n" * 400)
    assert page.html.count('class="asked"') == 301 and len(page.html) < 1_000_000


def test_a_draft_follows_messages(face: Face, season: Path) -> None:
    for board in ("1", "2"):
        run_keizer("result", season, board, "1-0")
    run_keizer("next-round", season)
    done(face, "messages", text="Anna: away, round 2", follow="1")
    ((bye,),) = rows(
        season, "SELECT count(*) FROM unplayed WHERE round_number = 2 AND kind = 'bye'"
    )
    assert bye == 1, "three are left, and all of them have a seat"
