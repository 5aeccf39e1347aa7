"""Messages of members, pasted on page Tonight: shown, asked about, then written, and taken back."""

from pathlib import Path

from keizer.web.visit import Face
from tests.support.face import director, done
from tests.support.files import edit, rows, run_keizer

CHAT = """[01-12-2026 19:03] Anna: Ik ben er vrijdag niet, groet Anna
[01-12-2026 19:04] Boris: <b>Clara</b> & Daan misschien afwezig
[01-12-2026 19:05] Boris: Mooi toernooi zaterdag!"""


def test_what_was_pasted_is_shown_asked_about_and_written(face: Face, season: Path) -> None:
    edit(season, "UPDATE schedule SET date = '2026-11-27', published_at = '2026-11-27 20:00:00'")
    run_keizer("rounds", season, "--date", "2", "2026-12-04")
    person, away = director(face), "SELECT player_id, kind FROM unplayed ORDER BY 1"
    person.go("/tonight")
    page = person.press("Read them", text=CHAT)
    assert person.status == 409 and "1 message is not clear" in person.text
    assert (
        "Anna is away from round 2" in person.text and "&lt;b&gt;Clara&lt;/b&gt; &amp;" in page.html
    )
    assert "Mooi toernooi zaterdag! left out" in person.text
    person.press("Sign off and on")
    assert "1 message is not clear" in person.text and not rows(season, away)
    page = person.press("Check again", answers="2=#4: away, round 2")
    assert person.status == 200 and "Daan is away from round 2" in person.text
    assert not rows(season, away), "it is shown first"
    person.press("Sign off and on")
    assert rows(season, away) == [(1, "excused"), (4, "excused")]
    assert any("Anna" in said and "Daan" in said for said in person.said)
    person.press("↶")
    assert not rows(season, away), "in one step"


def test_a_draft_follows_messages(face: Face, season: Path) -> None:
    for board in ("1", "2"):
        run_keizer("result", season, board, "1-0")
    run_keizer("next-round", season)
    done(face, "messages", text="Anna: away, round 2", follow="1")
    ((bye,),) = rows(
        season, "SELECT count(*) FROM unplayed WHERE round_number = 2 AND kind = 'bye'"
    )
    assert bye == 1, "three are left, and all of them have a seat"
