"""What the face answers: faults of a list, labels, and to a program the parts of an act by name."""

import re
from pathlib import Path
from typing import Any

import pytest

from keizer.web.actions import act_of, unread
from keizer.web.pages import PAGES
from keizer.web.visit import Face
from tests.support.console import Console
from tests.support.face import (
    BASE,
    Page,
    as_director,
    ask,
    client,
    director,
    done,
    phone,
)
from tests.support.files import edit, rows, run_keizer


@pytest.mark.parametrize("number", [4, 19])
def test_every_fault_of_a_pasted_list_is_a_line_of_its_own(
    face: Face, number: int
) -> None:
    """In the reader's language, none of them cut."""
    me = director(face)
    me.go("/members?lang=nl")
    wrong = "".join(f"Lid {line},x{line}\n" for line in range(number))
    page = me.press("Lijst controleren", list_text=f"name,rating\n{wrong}")
    told = re.findall(r"<bdi>(Lid \d+: .*?)</bdi>", page.html)
    assert told == [
        f"Lid {line}: een rating moet een geheel getal van 0 tot en met 4000 zijn."
        for line in range(number)
    ]


def test_what_is_missing_is_called_as_on_the_page(face: Face) -> None:
    me = director(face)
    me.go("/members?lang=de")
    me.press("Hinzufügen", name="")
    assert me.said == ["„Name“ fehlt."]
    answer = done(face, "withdraw")
    assert answer.json == {"error": "“Member” is missing.", "field": "player"}


def test_a_program_gets_the_parts_of_what_was_done(face: Face) -> None:
    added = done(face, "add", name="Edda", rating="1700").json
    assert {key: added[key] for key in ("player", "name", "first_round")} == {
        "player": 5, "name": "Edda", "first_round": 2,
    }  # fmt: skip
    entered = done(face, "result", board="1", result="1-0").json
    assert entered["said"][0] == "Round 1, board 1: Boris – Anna 1-0."
    assert (entered["number"], entered["still_open"]) == (1, [2])
    assert [game["result"] for game in entered["entered"]] == ["1-0"]


REFUSED: dict[str, dict[str, Any]] = {
    "there is no field “round”: there are players, kind, by_default, rounds, follow.": {
        "act": "absent", "players": "1", "round": "3",
    },
    "there is no field “dry_run”: there are command.": {"act": "undo", "dry_run": "1"},
    "By default: “maybe” is neither yes nor no.": {
        "act": "absent", "players": "1", "by_default": "maybe",
    },
    "give a round and its date.": {"act": "date", "round": "1"},
    "Board: “3” is not two players; write each on its own line.": {"act": "pair", "pair": "3"},
}  # fmt: skip


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_a_program_means_is_not_guessed(
    face: Face, season: Path, sentence: str
) -> None:
    fields = dict(REFUSED[sentence])
    before = rows(season, "SELECT * FROM log")
    answer = done(face, fields.pop("act"), **fields)
    assert (answer.status_code, answer.json["error"]) == (409, sentence)
    assert rows(season, "SELECT * FROM log") == before


def test_what_can_be_there_several_times_is_all_read(face: Face, season: Path) -> None:
    done(face, "change-rules", settings=["rounds=6", "excused=1/2"])
    done(face, "date", round=["2", "3"], date=["2026-12-01", "2026-12-08"])
    done(face, "absent", players="1", by_default="false")
    assert rows(season, "SELECT rounds FROM rules") == [(6,)]
    assert rows(season, "SELECT factor FROM scoring WHERE kind = 'excused'") == [
        ("1/2",)
    ]
    dates = "SELECT round_number, date FROM schedule WHERE round_number > 1"
    assert rows(season, dates) == [(2, "2026-12-01"), (3, "2026-12-08")]
    away = "SELECT player_id, round_number FROM unplayed WHERE kind <> 'bye'"
    assert rows(season, away) == [(1, 2)]


def test_two_are_settled_by_number_or_by_name(face: Face, season: Path) -> None:
    for board in ("1", "2"):
        done(face, "result", board=board, result="1-0")
    paired = done(face, "pair", pair=["1 4", "Clara\nBoris"]).json
    met = {(one["white"], one["black"]) for one in paired["boards"]}
    assert met == {("Anna", "Daan"), ("Clara", "Boris")}
    assert done(face, "withdraw", player="Daan").json["player"] == 4
    assert rows(
        season, "SELECT last_round FROM x_player_tournament WHERE player_id = 4"
    ) == [(1,)]


def test_notes_of_the_director_are_not_those_of_the_hall(face: Face) -> None:
    """However many strangers are refused: each refusal is a note that is kept."""
    me = director(face)
    sent = {"token": me.page.token, "back": "members", "name": "Edda"}
    assert me.client.post("/do/add", data=sent, base_url=BASE).status_code == 303
    for _ in range(201):
        stranger = client(face)
        token = Page("", ask(stranger, "/pin").text).token
        ask(stranger, "/pin", "POST", data={"token": token, "pin": "x"})
    me.go("/members")
    assert me.said == ["Edda (#5) plays from round 2."]


def test_the_board_that_is_looked_at_is_the_one_that_is_written(
    face: Face, season: Path
) -> None:
    """Of a field that is there twice the last counts, everywhere."""
    seats = "-".join(
        map(str, rows(season, "SELECT white, black FROM round WHERE board = 1")[0])
    )
    answer = done(face, "result", board=["1", "2"], result="0-1", seats=seats)
    assert answer.status_code == 409
    assert rows(season, "SELECT result FROM round") == [(None,), (None,)]


def test_a_language_or_columns_that_a_file_names_lock_nobody_out(
    face: Face, season: Path
) -> None:
    edit(
        season,
        "INSERT INTO site (tournament_id, language, columns) VALUES (1, 'xx', 'nosuch')",
    )
    assert director(face).go("/tonight")
    for decided in ({"language": "xx"}, {"columns": "other"}):
        assert done(face, "decide-page", **decided).status_code == 409


def test_json_is_no_form(face: Face) -> None:
    sent = {"json": {"name": "Edda"}, "headers": as_director(face)}
    answer = ask(client(face), "/do/add", "POST", **sent)
    assert (answer.status_code, answer.json["error"]) == (
        415, "send the fields of a form, not JSON.",
    )  # fmt: skip


@pytest.mark.parametrize("name", [b"Zo%EB", b"Zo\xeb"])
def test_what_is_sent_is_text(face: Face, season: Path, name: bytes) -> None:
    """Not as programs of old write ë, which would be a part of the name."""
    kind = "application/x-www-form-urlencoded"
    sent = {"data": b"name=" + name, "headers": as_director(face), "content_type": kind}
    assert ask(client(face), "/do/add", "POST", **sent).status_code == 400
    assert len(rows(season, "SELECT * FROM player")) == 4


EVERY = (*(page.path.replace("<n>", "1") for page in PAGES), "tonight?swap=1", "phones?of=1",
         "rules?preset=keizerforclubs", "members/5")  # fmt: skip


def test_every_field_of_every_form_is_read(face: Face, season: Path) -> None:
    """With a reported result; with a round that is played, a withdrawal and a draft; finished."""
    member, me = phone(face, face.invitation(1)), director(face)
    member.press("", "1-0")
    steps = (
        "",
        "result 2 = && add Edda && withdraw Clara && result 1 0-1 && next-round"
        " && period 2 --name Spring",
        "unpair && finish",
    )
    left: set[tuple[str, str]] = set()
    for step in steps:
        Console(season)(step)
        for person, paths in ((me, EVERY), (member, ("me",))):
            for path in paths:
                for form in person.go(f"/{path}").forms:
                    sent = [one.name for one in form.fields if one.name]
                    for where in {form.action, *(one.to for one in form.fields)}:
                        act = act_of(where.rpartition("do/")[2])
                        left |= (
                            {(where, name) for name in unread(act, sent)}
                            if act
                            else set()
                        )
    assert left == set()


@pytest.mark.parametrize(
    ("path", "button", "typed"),
    [
        ("/rules", "Look what would change", {"excused.factor": "3/4"}),
        ("/tonight", "Pair round 2", {}),
    ],
)
def test_what_is_asked_before_it_is_done_stands_on_its_page(
    face: Face, path: str, button: str, typed: dict[str, str]
) -> None:
    """Taking back and another language lead there, though the address is that of the form."""
    me = director(face)
    done(face, "add", name="Edda")
    me.go(path)
    asked = me.press(button, **typed)
    assert "/do/" in asked.url
    me.follow("Nederlands")
    assert (me.status, me.page.url) == (200, f"{BASE}{path}?lang=nl")
    me.go(f"{path}?lang=en")
    me.press(button, **typed)
    me.press("↶")
    assert (me.status, me.page.url, me.said) == (
        200,
        f"{BASE}{path}",
        ["Undone: Edda entered."],
    )


def test_of_several_tournaments_the_last_that_runs_is_shown(
    face: Face, season: Path
) -> None:
    """Page Season lets choose another; nobody is asked for a name that no page takes."""
    run_keizer("init", season, "--name", "Cup")
    me = director(face)
    assert "Cup" in me.go("/tonight").html
    edit(season, "UPDATE tournament SET status = 'finished'")
    assert "Cup" in me.go("/plan").html
    me.press("Open", tournament="1")
    assert "Club" in me.go("/tonight").html


def test_page_season_sets_what_reports_say_of_the_tournament(
    face: Face, season: Path
) -> None:
    """An empty field takes away; who looked before somebody else set something looks again."""
    run_keizer("tournament", season, "--city", "Delft")
    me, late = director(face), director(face)
    late.go("/plan")
    me.go("/plan")
    me.press("Save", city="", arbiter="R. Piet", time_control="90 min")
    details = "SELECT city, arbiter, time_control FROM tournament"
    assert rows(season, details) == [(None, "R. Piet", "90 min")]
    late.press("Save", arbiter="Zoe", time_control="30 min")
    assert late.said[0].startswith("Something has changed since the page was shown: ")
    assert rows(season, details) == [(None, "R. Piet", "90 min")]


def test_who_does_not_play_is_not_asked_whether_they_come(face: Face) -> None:
    done(face, "withdraw", player="1")
    later = done(face, "add", name="Edda", from_round="4").json["player"]
    done(face, "date", round=["2", "5"], date=["2026-12-01", "2026-12-08"])
    asked = [
        re.findall(
            r"<li class=\"row\"><span>Round (\d)",
            phone(face, face.invitation(player)).page.html,
        )
        for player in (1, 2, later)
    ]
    assert asked == [[], ["2", "5"], ["5"]]


def test_a_member_is_signed_off_and_on_from_their_page(
    face: Face, season: Path
) -> None:
    me = director(face)
    for button, rounds, left in (
        ("Is away", "2-4", [2, 3, 4]),
        ("Is here", "3", [2, 4]),
    ):
        me.go("/members/1")
        me.press(button, rounds=rounds)
        away = "SELECT round_number FROM unplayed WHERE player_id = 1 ORDER BY 1"
        assert [number for (number,) in rows(season, away)] == left


def test_a_kind_may_be_called_as_a_field_is(face: Face, season: Path) -> None:
    """But not as a rule: there one of the two could not be changed any more."""
    for name in ("for", "preset", "token"):
        done(face, "change-rules", add_kind=name)
    me = director(face)
    me.go("/rules")
    me.press("Look what would change", **{"preset.factor": "1/2", "top_value": "60"})
    me.press("Change the rules")
    assert rows(season, "SELECT factor FROM scoring WHERE kind = 'preset'") == [
        ("1/2",)
    ]
    refused = done(face, "change-rules", add_kind="Ladder").json["error"]
    assert refused == "“ladder” is the name of a rule; choose another name."


def test_an_exception_is_named_with_the_player(face: Face, season: Path) -> None:
    me = director(face)
    me.go("/rules")
    me.press(
        "Look what would change",
        **{"for": "1", "kind": "excused", "counts_as": "club duty"},
    )
    me.press("Change the rules")
    assert me.said == ["Anna: excused counts as club duty."]
    kinds = "SELECT player_id, kind, counts_as FROM exception"
    assert rows(season, kinds) == [(1, "excused", "club duty")]


def test_a_form_means_who_was_shown(face: Face, season: Path) -> None:
    """A number may become another's; and what was confirmed is done once."""
    me = director(face)
    done(face, "add", name="Edda")
    me.go("/members/5")
    me.press("Remove")
    done(face, "remove", player="5")
    done(face, "add", name="Frits")
    me.press("Change it")
    assert me.said[0].startswith("Something has changed since the page was shown: ")
    me.go("/plan")
    form = {"player": "1", "points": "5", "sure": "1", "token": me.page.token, "back": "plan",
            "seen": next(one.value for form in me.page.forms for one in form.fields
                         if one.name == "seen")}  # fmt: skip
    for _ in range(2):
        me.client.post("/do/correction", data=form, base_url=BASE)
    assert rows(season, "SELECT points FROM correction") == [(5.0,)]
    assert "Frits" in [name for (name,) in rows(season, "SELECT name FROM player")]


def test_what_can_be_insisted_on_can_with_a_file_too(face: Face) -> None:
    answer = done(face, "pair", pairs_text="2\n1 3\n2 4\n").json
    assert answer["insist"] == "allow_open"
