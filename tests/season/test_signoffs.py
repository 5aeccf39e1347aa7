"""What members write of coming and being away is understood, or asked about, never wrong."""

import re
import tomllib
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from keizer.errors import KeizerError
from keizer.season.signoffs import Reader, Sign, Written, read
from tests.support.console import Console
from tests.support.files import run_keizer

KINDS = ("excused", "unexcused", "club duty")
SAID = {"comes": None, "away": ""}


@cache
def invented(name: str) -> dict[str, Any]:
    """What a file beside this one has."""
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def reader() -> Reader:
    """Of the club that the messages are written to."""
    club = invented("messages.toml")
    known = dict(enumerate(club["members"], 1))
    dates = {int(number): day for number, day in club["dates"].items()}
    return Reader(known, club["coming"], dates, KINDS, club["today"])


def right(means: str, known: dict[str, int]) -> set[Sign]:
    """What a message says, by hand."""
    found = set[Sign]()
    for name, rounds, kind in re.findall(r"([^;\d]+?) ([\d,]+) ([\w ]+)", means):
        own = SAID.get(kind, kind)
        found |= {Sign(known[name.strip()], int(one), own) for one in rounds.split(",")}
    return found


@pytest.mark.each
@pytest.mark.parametrize(("name", "number", "floor"), [
    ("messages.toml", 200, 111), ("later.toml", 40, 19),
])  # fmt: skip
def test_nothing_is_wrong_and_most_is_understood(name: str, number: int, floor: int) -> None:
    """A message that says nothing of anybody, or something unclear, may be set aside, too.

    floor: of how many that say something, and nothing unclear, all is understood.
    """
    own = reader()
    known = {name: player for player, name in own.known.items()}
    messages = [one for language in ("nl", "en", "de", "fr") for one in invented(name)[language]]
    understood = 0
    for one in messages:
        written = read(own, one["text"])
        found = {sign._replace(late=False) for part in written for sign in part.signs
                 if not part.asks}  # fmt: skip
        truth = right(one["means"], known)
        assert found <= truth, (one, written)
        clear = all(part.signs and not part.asks for part in written)
        assert not (clear and "?" in one["means"]), (one, written)
        understood += bool(truth) and found == truth and "?" not in one["means"]
    assert len(messages) == number
    assert understood >= floor


def _read(text: str, **more: Any) -> list[Written]:
    return read(reader(), text, **more)


def test_who_is_late_comes() -> None:
    (one,) = _read("[27-11-2026 18:20] Jan Visser: kom iets later vanavond")
    assert one.signs == {Sign(3, 9, None, late=True)}


@pytest.mark.parametrize("text", [
    "Piet: ik ben er volgende week vrijdag niet", "Piet: vrijdag volgende week ben ik er niet",
    "Piet: next week Friday I am away", "Piet: nächste Woche Freitag bin ich nicht da",
    "Piet: vendredi de la semaine prochaine je suis absent",
])  # fmt: skip
def test_a_weekday_of_a_week_is_one_day(text: str) -> None:
    """As it was seen to sign off from both weeks, in every language."""
    today = reader().now
    own = reader()
    for one in _read(text):
        days = {own.dates[sign.round] for sign in one.signs if not one.asks}
        assert all((day - today).days >= 7 - today.weekday() for day in days), (text, days)
        assert len(days) < 2


@pytest.mark.parametrize("name", reader().known.values())
@pytest.mark.parametrize("text", [
    "{name}: away, round 12", "{name}: afwezig, ronde 12", "{name}: abwesend, Runde 12",
    "{name}: absent, ronde 12",
])  # fmt: skip
def test_what_the_page_prepares_is_understood_of_everybody(name: str, text: str) -> None:
    """Of Jan, too, who is no January."""
    (one,) = _read(text.format(name=name))
    assert {(sign.player, sign.round) for sign in one.signs} == {
        (next(player for player, of in reader().known.items() if of == name), 12)
    }


def test_what_two_say_of_one_round_is_asked_where_the_order_is_not_known() -> None:
    """Two mails of one day, and two lines that somebody typed, may be in any order."""
    head = "From: Robert Baker\nDate: Thu, 26 Nov 2026 09:12\n\nI am {} tomorrow.\n\n"
    for text in (head.format("away") + head.format("present"), "Robert away\nRobert comes"):
        assert [one.asks for one in _read(text)] == [True, True]
    later = head.format("present").replace("26 Nov", "25 Nov").replace("tomorrow", "on Friday")
    first, last = _read(head.format("away") + later)
    assert first.signs == {Sign(19, 9, "")} and not last.signs and not last.asks


def test_an_answer_is_read_in_place_of_its_message() -> None:
    text = "Jan komt niet\nZoë misschien"
    assert [one.asks for one in _read(text)] == [True, True]
    first, last = _read(text, answers={1: "#3: away, round 10", 2: ""})
    assert first.text == "Jan komt niet" and first.signs == {Sign(3, 10, "")}
    assert not (last.asks or last.signs)


@pytest.mark.parametrize("today", ["2026-11-20", "2026-11-28"])
def test_a_round_that_is_not_said_is_that_of_the_days_before_it(today: str) -> None:
    """On the evening of the round before, and when it is over, it may be another."""
    own = reader()
    own.now = own.today = date.fromisoformat(today)
    (one,) = read(own, "Piet komt niet")
    assert one.asks


def test_every_word_stands_once_in_each_language() -> None:
    """A phrase twice under one heading is a slip; every letter is in the legend."""
    data = Path(reader.__code__.co_filename).parents[2] / "keizer/season/messages.toml"
    text = data.read_text(encoding="utf-8")
    for table in tomllib.loads(text)["languages"].values():
        for key, phrases in table.items():
            several = [one.strip() for one in phrases.split(",")]
            assert len({*several}) == len(several) and "" not in several, key
            legend = text.partition("# Of a program:")[0]
            assert all(re.search(rf"(?m)^#.*(?<!\S){re.escape(one)}  ?\S", legend)
                       for one in key.partition(" ")[0]), key  # fmt: skip


CHAT = """[26-11-2026 19:03] Anna: ik ben er morgen niet 😢
[26-11-2026 19:04] Boris: Clara en Daan komen later
[26-11-2026 19:05] Clara: Top!
"""


@pytest.fixture
def dated(console: Console) -> Console:
    console("rounds --date 1 2026-11-27 --date 2 2026-12-04")
    return console


def test_messages_sign_off_and_on_in_one_step(dated: Console, tmp_path: Path) -> None:
    """Shown first, then written; what is unclear is refused whole, and one undo takes it back."""
    (chat := tmp_path / "chat.txt").write_text(CHAT, encoding="utf-8")
    dated("absent Daan")
    before, absent = dated.db.read_bytes(), "SELECT name, absence FROM presence ORDER BY 1"
    said = dated(f"messages {chat} --dry-run")
    assert said.splitlines() == [
        "Line 3 is left out: “Top!”", "Round 1, excused: Anna",
        "Round 1, present: Clara (later), Daan (later)",
    ]  # fmt: skip
    assert dated.db.read_bytes() == before
    text = "Anna misschien\nBoris away"
    refused = run_keizer("messages", dated.db, "-", stdin=text, fails=True).stderr
    assert "line 1: “Anna misschien” is not clear" in refused
    assert dated.db.read_bytes() == before
    dated(f"messages {chat}")
    assert dated.rows(absent) == [
        ("Anna", "excused"),
        ("Boris", None),
        ("Clara", None),
        ("Daan", None),
    ]
    dated(f"messages {chat} --answers '2=Boris: club duty, round 2' --answers '1='")
    assert dated.rows("SELECT player_id, round_number, kind FROM unplayed ORDER BY 1") == [
        (1, 1, "excused"), (2, 2, "club duty"),
    ]  # fmt: skip
    dated("undo && undo")
    assert dict(dated.rows(absent)) == {
        "Anna": None,
        "Boris": None,
        "Clara": None,
        "Daan": "excused",
    }


def test_a_list_may_be_written_as_people_do(dated: Console) -> None:
    """A name a line comes, in the same grammar as messages."""
    dated("present --list - --others unexcused", stdin="Anna\nBoris kan niet\nclara: club-duty\n")
    assert dict(dated.rows("SELECT name, absence FROM presence")) == {
        "Anna": None, "Boris": "excused", "Clara": "club duty", "Daan": "unexcused",
    }  # fmt: skip


def test_more_than_is_read_at_once_is_refused() -> None:
    with pytest.raises(KeizerError, match="301 messages, and 300 are read"):
        _read("Anna away\n" * 301)
