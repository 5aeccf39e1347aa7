"""Who comes: the presence list, standing absences, and what holds by default.

What is refused meanwhile stands in test_refusals.py.
"""

from tests.support.console import Console
from tests.support.files import run_keizer

BYE = "SELECT white FROM pairings WHERE result = 'bye'"


def coming(console: Console) -> dict[str, str | None]:
    """Who is on the presence list, and why they do not come."""
    return {row["name"]: row["absence"] for row in console.json("present")}


def test_the_list_is_by_name_with_what_is_usual(console: Console) -> None:
    console("add Ève --rating 2200 && absent Daan --by-default && absent Boris --kind 'club duty'")
    shown = console("present").splitlines()
    assert shown[0] == "Club, round 1 (not paired yet): 3 present, 1 club duty and 1 excused"
    assert [line.split(maxsplit=1) for line in shown[2:]] == [
        ["Anna", "(present)"], ["Boris", "club duty"], ["Clara", "(present)"],
        ["Daan", "(excused)  excused unless they sign on"], ["Ève", "(present)"],
    ]  # fmt: skip


def test_absences_so_far_stand_beside_their_caps(console: Console) -> None:
    console("rules excused.season_cap=5 excused.period_cap=2 && period 2")
    console("absent Anna --round 1-3 && absent Boris --kind unexcused")
    console("next-round --allow-open && result 1 1-0 && next-round --allow-open && result 1 1-0")
    so_far = {row["name"]: row["so_far"] for row in console.json("present")}
    assert so_far["Anna"] == "excused 2 of 5, 1 of 2 in the period"
    assert so_far["Boris"] == "unexcused 1"
    assert so_far["Clara"] == ""


def test_who_comes_when_they_say_so_is_absent_else(console: Console) -> None:
    """And gets, for each round, the kind that was set; saying so holds for one round."""
    console("absent Daan --by-default --kind unexcused && present Daan --round 2")
    for _ in range(3):
        console("next-round --allow-open && result 1 1-0")
    away = "SELECT round_number, kind FROM unplayed WHERE player_id = 4 ORDER BY 1"
    assert console.rows(away) == [(1, "unexcused"), (3, "unexcused")]
    console("present Daan --by-default")
    assert coming(console)["Daan"] is None


def test_a_list_says_who_is_here_and_the_rest_is_absent(console: Console) -> None:
    """But who gave notice; a name may have a colon in it."""
    console("add 'E: va' && absent Anna && absent 'E: va'")
    said = console("present --list - --others unexcused", stdin="anna\n\nDaan: club-duty\nBORIS\n")
    assert said == "Round 1: 2 present, 1 club duty, 1 excused and 1 unexcused.\n"
    assert coming(console) == {
        "Anna": None, "Boris": None, "Clara": "unexcused", "Daan": "club duty", "E: va": "excused",
    }  # fmt: skip
    console("present --list -", stdin="E: va\nBoris: excused\n")
    assert [coming(console)[name] for name in ("Boris", "E: va")] == ["excused", None]


def test_standing_absences_are_of_several_rounds(console: Console) -> None:
    console("absent Anna --round 2-4,7 --kind 'club duty'")
    away = "SELECT round_number, kind FROM unplayed ORDER BY 1"
    assert console.rows(away) == [(number, "club duty") for number in (2, 3, 4, 7)]
    console("present Anna --round 3-4")
    assert console.rows(away) == [(2, "club duty"), (7, "club duty")]


def test_who_signs_off_from_a_draft_gives_up_their_seat(console: Console) -> None:
    """And nothing goes on the wall while somebody who is here has none."""
    console("next-round")
    gone = console("absent Anna")
    seated = {name for board in console.sheet() for name in board}
    (lonely,) = set(coming(console)) - {"Anna"} - seated
    for said in (gone, console.refused("publish-round"), console.refused("result 1 1-0")):
        assert f"{lonely} has no seat" in said
    console("next-round --again --keep all")
    assert console.rows(BYE) == [(lonely,)]
    console("publish-round")


def test_presence_is_of_the_draft_until_it_is_published(console: Console) -> None:
    console("absent Anna && next-round")
    assert "round 1 (a draft): 3 present and 1 excused" in console("present")
    console("present Anna && next-round --again && publish-round && absent Anna")
    assert console.rows("SELECT round_number, kind FROM unplayed") == [(2, "excused")]


def test_a_late_arrival_joins_the_draft(console: Console) -> None:
    console("next-round")
    assert "plays from round 1" in console("add Eva --rating 1000")
    console("next-round --again --keep all")
    assert console.rows(BYE) == [("Eva",)]


def test_a_default_set_while_somebody_has_a_seat_is_for_later_rounds(console: Console) -> None:
    console("next-round && absent Anna --by-default")
    assert coming(console)["Anna"] is None
    console("publish-round && swap Anna Clara --anyway")
    assert coming(console)["Anna"] == "excused"


def test_a_default_taken_back_holds_for_the_draft(console: Console) -> None:
    """Another kind does too; who comes after all has no seat yet."""
    console("absent Anna --by-default && next-round && absent Anna --by-default --kind unexcused")
    assert console.rows("SELECT kind FROM unplayed WHERE kind <> 'bye'") == [("unexcused",)]
    assert "say who: " in run_keizer("present", console.db, "--by-default", fails=True).stderr
    assert "Anna has no seat" in console("present Anna --by-default")
