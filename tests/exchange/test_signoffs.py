"""What members write of coming and being away is understood, or asked about, never wrong."""

import re
import time
import tomllib
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from keizer.exchange.messages.pasted import MESSAGES, SIGNS, Written, _settled, read
from keizer.exchange.messages.signoffs import Reader, Reading
from keizer.season.club_night.presence import Announcement
from tests.support.console import Console
from tests.support.files import run_keizer

KINDS = ("excused", "unexcused", "club duty")
SAID = {"comes": None, "away": ""}
LANGUAGES = ("en", "nl", "de", "fr")


@cache
def invented(name: str) -> dict[str, Any]:
    """What a file beside this one has."""
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def reader(name: str = "messages.toml") -> Reader:
    """Of the club that the messages of a file are written to."""
    club = invented(name)
    dates = {int(number): day for number, day in club["dates"].items()}
    return Reader(dict(enumerate(club["members"], 1)), club["coming"], dates, KINDS)


def right(means: str, known: dict[str, int]) -> set[Announcement]:
    """What a message says, by hand."""
    found = set[Announcement]()
    for name, rounds, kind in re.findall(r"([^;\d]+?) ([\d,]+) ([\w ]+)", means):
        own = SAID.get(kind, kind)
        found |= {
            Announcement(known[name.strip()], int(one), own)
            for one in rounds.split(",")
        }
    return found


@pytest.mark.each
@pytest.mark.parametrize(("name", "number", "floor"), [
    ("fresh.toml", 224, 135), ("blind.toml", 120, 57), ("traps.toml", 153, 11),
    ("messages.toml", 209, 73), ("later.toml", 40, 17), ("turns.toml", 217, 19),
])  # fmt: skip
def test_nothing_is_wrong_and_most_is_understood(
    name: str, number: int, floor: int
) -> None:
    """A message that says nothing of anybody, or something unclear, may be set aside, too.

    floor: of how many that say something, and nothing unclear, all is understood: of 152, 80, 14,
    133, 29 and 115.
    """
    club = "messages.toml" if name == "later.toml" else name
    own = reader(club)
    known = {called: player for player, called in own.known.items()}
    messages = [
        one for language in LANGUAGES for one in invented(name).get(language, ())
    ]
    understood = 0
    for one in messages:
        written = read(own, one["text"], invented(club)["today"])
        found = {sign._replace(late=False) for part in written for sign in part.signs
                 if not part.why}  # fmt: skip
        truth = right(one["means"], known)
        clear = all(part.signs and not part.why for part in written)
        assert found <= truth, (one, written)
        assert not clear or (found == truth and "?" not in one["means"]), (one, written)
        understood += clear
    assert len(messages) == number
    assert understood >= floor


@pytest.mark.each
@pytest.mark.parametrize("sender", [*invented("asked.toml")["by"]])
def test_known_words_that_may_mean_something_else_are_asked(sender: str) -> None:
    """A name without a comma, an order, thanks, a round that is delayed, "I may not come"."""
    club = invented("asked.toml")
    dates = {
        number: date(2026, 11, 27) + timedelta(7 * (number - 13))
        for number in range(13, 38)
    }
    own = Reader(dict(enumerate(club["members"], 1)), 13, dates, KINDS)
    for text in re.split(r"[|\n]", club["by"][sender].strip()):
        chat = f"[27-11-2026 15:00] {sender}: {text.strip()}"
        (written,) = read(own, chat, date(2026, 11, 27))
        assert written.why or not written.signs, (text, written)


def test_an_answer_to_what_another_asks_is_asked() -> None:
    """Who can drive? I can't. If it names a day it answers for itself."""
    chat = (
        "[26-11-2026 19:03] Judit: Who drives on Sunday?\n[26-11-2026 19:03] Robert: {}"
    )
    assert _read(chat.format("I can't, sorry"))[1].why
    assert _read(chat.format("I can't come tomorrow"))[1].signs == {
        Announcement(19, 9, "")
    }
    pieces = "[26-11-2026 19:03] Robert: Only if there is a train\n[26-11-2026 19:03] Robert: {}"
    assert _read(pieces.format("I can come tomorrow"))[1].why


def test_what_was_written_in_another_season_is_asked() -> None:
    """A chat is pasted with all that it has: "Round 12" is then that of last year."""
    assert _read("[10-12-2025 19:03] Robert: I can't make round 12")[0].why


def test_a_text_that_says_nothing_is_not_read_by_its_subject() -> None:
    """It may be an answer to a mail of that subject."""
    mail = "From: Robert Baker <rb@example.org>\nSubject: Absent tonight\n\n{}"
    assert _read(mail.format("Ok, thanks"))[0].why
    assert _read(mail.format("I can't come"))[0].signs == {Announcement(19, 9, "")}
    same_day = mail.replace("Absent tonight", "Tonight")
    assert _read(same_day.format("Hi all,\n\nI can't come tonight"))[0].signs == {
        Announcement(19, 9, "")
    }


def _read(text: str, **more: Any) -> list[Written]:
    return read(reader(), text, invented("messages.toml")["today"], **more)


def test_a_word_that_stands_nowhere_is_named() -> None:
    """In the language of which the most words are known."""
    (one,) = _read("Anna kommt wahrscheinlich zu spät")
    assert str(one.why) == "“wahrscheinlich” is not a word that keizer knows"


def test_what_two_say_of_one_round_is_asked_where_the_order_is_not_known() -> None:
    """Lines that somebody typed may be in any order; a chat has one."""
    assert all(one.why for one in _read("Robert away\nRobert comes"))
    chat = "[26-11-2026 19:03] Robert: I am {} tomorrow\n"
    first, last = _read(chat.format("away") + chat.format("present"))
    assert last.signs == {Announcement(19, 9, None)} and not (first.signs or first.why)
    before = "[25-11-2026 19:03] Robert: I am away on 27 November"
    last, first = _read(chat.format("present") + before)
    assert last.signs == {Announcement(19, 9, None)} and not (first.signs or first.why)
    assert all(
        one.why for one in _read(chat.format("away") + chat.format("perhaps not away"))
    )


@pytest.mark.parametrize("about", ["I am", "Judit is"])
def test_a_later_message_of_a_chat_may_take_back_a_former_one(about: str) -> None:
    """If it is not understood; thanks take nothing back, nor does another person."""
    chat = (
        f"[26-11-2026 19:03] Robert: {about} away tomorrow\n[26-11-2026 19:03] {{}}\n"
    )
    for doubt in ("Scratch that!", "Grapje", "Doch!", "Oh, wrong week"):
        text = chat.format(f"Robert: {doubt}")
        assert all(one.why for one in _read(text))
        for answers in ({1: "Robert: away, round 9"}, {2: ""}):  # a person has seen it
            assert not any(one.why for one in _read(text, answers=answers))
    for rest in ("Robert: Thanks!", "Robert: Ok", "Thomas: Scratch that!"):
        assert not any(one.why for one in _read(chat.format(rest)))


class _Counted(int):
    """A player whose look-ups are counted."""

    looked = 0

    def __hash__(self) -> int:
        _Counted.looked += 1
        return hash(int(self))


@pytest.mark.parametrize("is_chat", [False, True])
@pytest.mark.parametrize("kinds", [("",), ("", None)])
def test_twice_the_messages_are_twice_the_work(
    kinds: tuple[str | None, ...], is_chat: bool
) -> None:
    """Each message is compared with what others say of its rounds, not with all of them."""

    def looked(messages: int) -> int:
        done, _Counted.looked = [], 0
        for place in range(messages):
            kind = kinds[place % len(kinds)]
            signs = frozenset(
                Announcement(_Counted(1), number, kind) for number in range(30)
            )
            done.append(Written(place, "", "", signs, is_chat=is_chat))
        assert len(_settled(done)) == messages
        return _Counted.looked

    assert looked(200) < 2.2 * looked(100)


def test_a_message_is_about_few_players_and_rounds() -> None:
    called = [f"Y{first}{second}" for first in "bcdfg" for second in "aeiou"]
    crowd = Reader(dict(enumerate(called, 1)), 1, {}, KINDS)
    (much,) = read(
        crowd, f"{' and '.join(called)} are absent in rounds 1-30", date(2026, 11, 27)
    )
    assert str(much.why) == "this is too much at once" and not much.signs


def test_what_nobody_foresaw_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is left to a person, and the others are read."""
    own = Reader.read

    def fails(reader: Reader, text: str, *more: Any, **named: Any) -> Reading:
        if "Zoë" in text:
            raise OverflowError
        return own(reader, text, *more, **named)

    monkeypatch.setattr(Reader, "read", fails)
    first, last = _read("Zoë komt\nJan Bakker komt niet")
    assert first.why and not first.signs and last.signs


def test_a_mail_begins_at_two_lines_of_a_head_or_at_an_address() -> None:
    """A form is not a head, nor are two dashes before a word a signature."""
    (form,) = _read(
        "[26-11-2026 19:03] Robert: I am away\nFrom: 4/12/2026\nTo: 18/12/2026"
    )
    assert form.why
    assert _read("[26-11-2026 19:03] Robert: I am away tomorrow\n-- no wait, I can")[
        0
    ].why
    for head in (
        "From: Robert Baker\nDate: 27-11-2026",
        "From: Robert Baker <rb@example.org>",
    ):
        (mail,) = _read(f"{head}\n\nI am away tonight\n-- \nchess!")
        assert mail.signs == {Announcement(19, 9, "")} and not mail.why


def test_a_day_or_a_name_alone_is_asked() -> None:
    """It may be of the message before or behind it."""
    for alone in ("next week", "Judit"):
        chat = (
            f"[26-11-2026 19:03] Robert: {alone}\n[26-11-2026 19:03] Robert: I am away"
        )
        assert _read(chat)[0].why


def test_an_answer_is_read_in_place_of_its_message() -> None:
    text = "Jan komt niet\nZoë misschien"
    assert all(one.why for one in _read(text))
    first, last = _read(text, answers={1: "#3: away, round 10", 2: ""})
    assert first.text == "Jan komt niet" and first.signs == {Announcement(3, 10, "")}
    assert not (last.why or last.signs)


@pytest.mark.parametrize("today", ["2026-11-20", "2026-11-28"])
def test_a_round_that_is_not_said_is_that_of_the_days_before_it(today: str) -> None:
    """On the evening of the round before, and when it is over, it may be another."""
    (one,) = read(reader(), "Piet komt niet", date.fromisoformat(today))
    assert one.why


@pytest.fixture(scope="module")
def crowd() -> Reader:
    """Make a reader that knows 5,000 members."""
    return Reader({one: f"Given{one} Family{one}" for one in range(5000)}, 1, {}, KINDS)


@pytest.mark.parametrize("unit", [*invented("traps.toml")["shapes"], "\ud800"])
def test_no_shape_takes_long(unit: str, crowd: Reader) -> None:
    """64 KB in one, in messages of the longest that is read, or small: a second for a crowd."""
    start = time.process_time()
    for each in (SIGNS, 499, 16):
        text = f"I am away{unit * each}"[:each] + "\n"
        assert (
            len(read(crowd, text * (SIGNS // each), date(2026, 11, 27))) <= MESSAGES + 1
        )
    assert time.process_time() - start < 30


def test_more_than_is_read_at_once_is_asked() -> None:
    """A message of more than 500 signs, and what is behind 300 messages or 64 KB."""
    (long,) = _read(f"Robert Baker: away {'x' * 500}")
    assert str(long.why) == "this is too much at once"
    written = _read("Anna away\n" * 302)
    assert (len(written), written[-1].line) == (301, 301) and written[-1].why
    rest = _read("Anna away\n" + "x" * SIGNS)[-1]
    assert rest.why and rest.line == 2


CHAT = """[26-11-2026 19:03] Anna: ik ben er morgen niet 😢
[26-11-2026 19:04] Boris: Clara en Daan komen later
[26-11-2026 19:05] Clara: Top!
"""


@pytest.fixture
def dated(console: Console) -> Console:
    console("rounds --date 1 2026-11-27 --date 2 2026-12-04")
    return console


def test_messages_sign_off_and_on_in_one_step(dated: Console, tmp_path: Path) -> None:
    """Shown first, then written; one undo takes it back."""
    (chat := tmp_path / "chat.txt").write_text(CHAT, encoding="utf-8")
    dated("absent Daan")
    before, absent = (
        dated.db.read_bytes(),
        "SELECT name FROM presence WHERE absence IS NOT NULL",
    )
    said = dated(f"messages {chat} --dry-run")
    assert said.splitlines() == [
        "Line 3 is left out: “Top!”", "Round 1, excused: Anna",
        "Round 1, present: Clara (later), Daan (later)",
    ]  # fmt: skip
    assert dated.db.read_bytes() == before
    dated(f"messages {chat}")
    assert dated.rows(absent) == [("Anna",)]
    dated("undo")
    assert dated.rows(absent) == [("Daan",)]


@pytest.fixture
def soon(console: Console) -> Console:
    """A season whose first round is to come, whenever this runs."""
    first = datetime.now(UTC).date() + timedelta(30)
    console(f"rounds --date 1 {first} --date 2 {first + timedelta(7)}")
    return console


def test_what_is_clear_is_written_and_what_is_not_is_named(soon: Console) -> None:
    """The command fails while a message is open, and names the word; an answer closes it."""
    text, away = (
        "Anna misschien\nBoris away",
        "SELECT player_id, round_number, kind FROM unplayed",
    )
    before = soon.db.read_bytes()
    run_keizer("messages", soon.db, "-", stdin="Anna misschien", fails=True)
    assert soon.db.read_bytes() == before
    said = run_keizer("messages", soon.db, "-", stdin=text, fails=True).stderr
    assert "Line 1, ?: “Anna misschien” is left open: “misschien” is not a word" in said
    assert soon.rows(away) == [(2, 1, "excused")]
    soon("messages - --answers '1=Anna: club duty, round 2' --answers '2='", stdin=text)
    assert soon.rows(f"{away} ORDER BY 1") == [(1, 2, "club duty"), (2, 1, "excused")]


def test_a_list_may_be_written_as_people_do(dated: Console) -> None:
    """A name a line comes, in the same words as messages."""
    dated(
        "present --list - --others unexcused",
        stdin="Anna\nBoris kan niet\nclara: club-duty\n",
    )
    assert dict(dated.rows("SELECT name, absence FROM presence")) == {
        "Anna": None, "Boris": "excused", "Clara": "club duty", "Daan": "unexcused",
    }  # fmt: skip
