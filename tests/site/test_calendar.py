"""calendar.ics, as a calendar reads it: RFC 5545."""

import re
from datetime import datetime, timedelta

import pytest

from tests.support.console import Console
from tests.support.face import ask, client, director, face_of, phone
from tests.support.files import past_the_guards

TITLE = "Club; “Läufer, Türme & \\ <Könige>” ♞♟♜ 象棋俱乐部, 国際象棋クラブ"
_TEXT = re.compile(r"\\(.)")


def events(data: bytes) -> list[dict[str, str]]:
    """The events of a calendar: properties by name, with their parameters, texts as they are."""
    assert data.endswith(b"END:VCALENDAR\r\n")
    lines = data.removesuffix(b"\r\n").split(b"\r\n")
    assert all(
        len(line) <= 75 and not {*line} & {*b"\r\n"} and line.decode() for line in lines
    )
    whole = data.decode().replace("\r\n ", "").splitlines()
    assert whole[:2] == ["BEGIN:VCALENDAR", "VERSION:2.0"] and whole[2].startswith(
        "PRODID:"
    )
    found, names = list[dict[str, str]](), list[str]()
    for line in whole:
        name, _, value = line.partition(":")
        names.append(name)
        if line == "BEGIN:VEVENT":
            found.append({})
        elif name == "SUMMARY":
            assert not re.search(r"(?<!\\)(\\\\)*[,;]", value)
            found[-1][name] = _TEXT.sub(r"\1", value)
        elif found:
            assert name not in found[-1] or name == "END"
            found[-1][name] = value
    assert names.count("BEGIN") == names.count("END") == len(found) + 1
    return found


@pytest.fixture
def dated(console: Console) -> Console:
    console("dates --from 2026-09-04 --rounds 5 && next-round && publish-round")
    return console


def site(console: Console, options: str = "") -> list[dict[str, str]]:
    folder = console.db.with_name("www")
    console(f"site {folder} {options}")
    return events((folder / "calendar.ics").read_bytes())


def test_every_round_with_a_date_is_a_day(dated: Console) -> None:
    found = site(dated, f"--title '{TITLE}' --lang nl")
    assert [one["SUMMARY"] for one in found] == [
        f"Ronde {n} – {TITLE}" for n in range(1, 6)
    ]
    days = [one["DTSTART;VALUE=DATE"] for one in found]
    assert days == ["20260904", "20260911", "20260918", "20260925", "20261002"]
    assert len({one["UID"] for one in found}) == 5 and not any(
        "URL" in one for one in found
    )
    for one in found:
        made = datetime.strptime(f"{one['DTSTAMP']}+0000", "%Y%m%dT%H%M%SZ%z")
        assert abs(datetime.now(made.tzinfo) - made) < timedelta(hours=1)


def test_with_a_time_it_is_an_evening_and_leads_to_the_page(dated: Console) -> None:
    found = site(dated, "--starts 19:45 --address https://club.example.org/a,b/")
    assert {(one["DTSTART"][8:], one["DURATION"]) for one in found} == {
        ("T194500", "PT4H")
    }
    assert {one["URL"] for one in found} == {"https://club.example.org/a,b/"}
    index = dated.db.with_name("www").joinpath("index.html").read_text(encoding="utf-8")
    assert 'href="webcal://club.example.org/a,b/calendar.ics"' in index
    assert "Next round on <time" in index and "11 September 2026</time>, 19:45" in index


def test_what_moves_is_the_same_event_and_what_is_not_played_is_none(
    dated: Console,
) -> None:
    before = site(dated)
    assert site(dated) == before  # the same file makes the same calendar
    dated("dates --without 2026-09-18")
    after = site(dated)
    assert [one["UID"] for one in after] == [one["UID"] for one in before]
    for one, other in zip(before, after, strict=True):
        moved = one["DTSTART;VALUE=DATE"] != other["DTSTART;VALUE=DATE"]
        assert moved == (int(other["SEQUENCE"]) > int(one["SEQUENCE"]))
        assert moved or one == other
    assert [one["DTSTART;VALUE=DATE"] for one in after[1:3]] == ["20260911", "20260925"]
    dated("rounds --date 5 none")
    assert [one["UID"] for one in site(dated)] == [one["UID"] for one in after[:4]]
    dated("result 1 1-0 && result 2 1-0 && finish")
    assert [one["UID"] for one in site(dated)] == [after[0]["UID"]]
    dated("finish --reopen && rounds --date 1-4 none && site")
    assert not dated.db.with_name("www").joinpath("calendar.ics").exists()


def test_everybody_has_it_from_the_face(dated: Console) -> None:
    face = face_of(dated.db, lan=True)
    answer = ask(client(face), "/calendar.ics")
    assert answer.mimetype == "text/calendar" and events(answer.data) == site(dated)
    me, said = phone(face, face.invitation(1)), "Next round on Friday 11 September 2026"
    for path in ("me", "index.html", "season.html"):
        links = me.go(f"/{path}").links
        assert "calendar.ics" in {href for _, href in links}, path
    for path in ("me", "index.html", "screen", "sheet/1.html"):
        assert me.go(f"/{path}").html.count("Next round on") == 1 and said in me.text, (
            path
        )
    assert said in director(face).go("/tonight").html.replace(
        '<time datetime="2026-09-11">', ""
    )


def test_a_file_that_means_harm_adds_no_event(dated: Console) -> None:
    past_the_guards(
        dated.db,
        "INSERT INTO site (tournament_id, title, address, starts) VALUES (1, 'A' || char(10) ||"
        " 'BEGIN:VEVENT', 'http://x' || char(10) || 'BEGIN:VEVENT', '2' || char(10) || ':1')",
    )
    face = face_of(dated.db, lan=True)
    assert len(events(ask(client(face), "/calendar.ics").data)) == 5


def test_the_director_leaves_an_evening_out_by_pressing(dated: Console) -> None:
    me = director(face_of(dated.db))
    me.go("/plan")
    me.press("Leave out", without="2026-09-18")
    assert "left out" in me.text and "18 September 2026" in me.text
    assert me.said[-1].startswith(
        "Dates of rounds 2-5: every 7 days from 2026-09-11 to 2026-10-09"
    )
    me.press("Play after all")
    me.press("Set the dates", every="14", without="25-9-2026")
    assert dated.rows("SELECT date FROM schedule WHERE round_number > 1") == [
        ("2026-09-11",), ("2026-10-09",), ("2026-10-23",), ("2026-11-06",)
    ]  # fmt: skip
    me.press("Set the dates", without="soon")
    assert "Leave out: “soon” is not a date" in me.said[-1]
