"""Draft, then publish: what can change until when, and what rounds says of it.

What is refused meanwhile stands in test_refusals.py.
"""

from datetime import date
from typing import Any

import pytest

from keizer.season import names
from tests.support.console import ClubOf, Console
from tests.support.files import edit, told

BYE = "SELECT white FROM pairings WHERE result = 'bye'"


@pytest.fixture
def eight(club_of: ClubOf) -> Console:
    return club_of(8)


def boards(console: Console, number: int = 1) -> list[tuple[Any, ...]]:
    return console.rows(
        "SELECT board, white, black FROM pairings"
        f" WHERE board IS NOT NULL AND round_number = {number} ORDER BY board"
    )


def test_a_round_is_planned_then_a_draft_then_published_then_complete(console: Console) -> None:
    console("rounds --date 1 2026-09-04 --date 2 2026-09-11")
    listed = [(row["round_number"], row["date"], row["state"]) for row in console.json("rounds")]
    assert listed == [(1, "2026-09-04", "planned"), (2, "2026-09-11", "planned")]
    for line, seen in {
        "next-round": ("draft", 2),
        "publish-round": ("published", 2),
        "result 1 1-0": ("published", 1),
        "result 2 =": ("complete", 0),
        "result 2 open": ("published", 1),
    }.items():
        console(line)
        first = console.json("rounds")[0]
        assert (first["state"], first["open_boards"]) == seen, line
    assert "Round  Date        State" in console("rounds")


def test_the_first_result_ends_a_draft(console: Console) -> None:
    """Publishing is a step that a small club can leave out; the round is one of today."""
    assert "No round is paired or planned" in console("rounds")
    console("next-round")
    assert console.json("rounds")[0]["date"] is None
    console("result 1 1-0")
    (first,) = console.json("rounds")
    assert first["state"] == "published"
    assert abs((date.fromisoformat(first["date"]) - date.today()).days) <= 1  # noqa: DTZ011


@pytest.mark.parametrize(
    "changed",
    [
        "swap P01 P04 --anyway",
        "next-round --again --pair P01 P04",
        "absent P08 && next-round --again --bye P01",
        "absent P07 P08 && unpair && next-round && present P07 P08 && seat P07 P08",
        "DELETE FROM round WHERE board = 4",
        "UPDATE round SET white = black, black = white WHERE board = 1",
    ],
)
def test_what_the_program_paired_alone_is_proved(eight: Console, changed: str) -> None:
    eight("next-round && publish-round && publish-round --take-back")
    proof = "Proved: of all pairings of those present, none is better."
    assert proof in eight("pairings --why") and proof not in eight("pairings")
    if changed.startswith(("DELETE", "UPDATE")):
        edit(eight.db, changed)
    else:
        eight(changed)
    assert proof not in eight("pairings --why")
    assert [row["proved"] for row in eight.json("rounds")] == [0]
    eight("next-round --again")
    assert proof in eight("next-round --again --why")


@pytest.mark.parametrize(
    ("line", "stay", "made"),
    [
        ("next-round --again --keep 2,4 --pair P01 P05", {2, 4}, {"P01 P05", "P02 P06"}),
        ("next-round --again --keep all --pair P01 P03", {3, 4}, {"P01 P03", "P02 P04"}),
        ("absent P01 P02 && present P01 P02 && next-round --again --keep all", {2, 3, 4},
         {"P01 P02"}),
    ],
)  # fmt: skip
def test_boards_that_are_kept_keep_their_number_colours_and_reasons(
    eight: Console, line: str, stay: set[int], made: set[str]
) -> None:
    """The others are paired anew; boards of the round before may still be open."""
    eight("next-round --pair P01 P08 --pair P02 P07 --pair P03 P06 --pair P04 P05")
    eight("next-round --allow-open --pair P01 P02 --pair P03 P04")
    kept = f"WHERE round_number = 2 AND board IN ({', '.join(map(str, stay))})"
    told = [
        f"SELECT white, black, about, sentence FROM pairing_reasons {kept} ORDER BY 1, 3, 4",
        f"SELECT board, rule, why FROM relaxations {kept} ORDER BY 1, 2",
    ]
    before = [eight.rows(query) for query in told]
    eight(line)
    sheet = boards(eight, 2)
    assert [eight.rows(query) for query in told] == before
    new = {" ".join(sorted(ids)) for board, *ids in sheet if board not in stay}
    assert made <= new, sheet


def test_who_loses_their_opponent_meets_who_had_the_bye(eight: Console) -> None:
    """The other boards keep their number and their colours."""
    eight("absent P08 && next-round")
    before = boards(eight)
    eight("absent P03 && next-round --again --keep all")
    after = boards(eight)
    assert {*before} & {*after} == {before[0], before[2]}
    assert {*after[1][1:]} == {"P04", "P07"}


def test_a_draft_thrown_away_leaves_the_presence_list(console: Console) -> None:
    console("absent Anna --kind 'club duty' && absent Boris --by-default")
    absent = "SELECT name, absence, by_default FROM presence ORDER BY name"
    before = console.rows(absent)
    console("next-round && unpair")
    assert console.sheet() == []
    assert console.rows(absent) == before
    assert "is sound" in console("check")


def test_a_bye_alone_is_a_draft_too(console: Console) -> None:
    """And one whose last board broke up still asks for seats."""
    console("absent Daan && next-round")
    ((bye,),) = console.rows(BYE)
    first = next(name for name in ("Anna", "Boris", "Clara") if name != bye)
    assert "has no seat now" in console(f"absent {first}")
    assert [row["state"] for row in console.json("rounds")] == ["draft"]
    assert "has no seat" in console.refused("publish-round")
    console("next-round --again")
    assert len(boards(console)) == 1


def test_a_draft_is_of_its_round_whatever_was_reopened(eight: Console) -> None:
    eight("next-round")
    results = "\n".join(f"{board} 1-0" for board in range(1, 5))
    eight("result -", stdin=results)
    eight("next-round")
    eight("result - --round 1", stdin=results.replace("1-0", "open"))
    before, (_, one, two) = boards(eight), boards(eight, 2)[0]
    eight(f"swap {one} {two}")
    assert (boards(eight), boards(eight, 2)[0]) == (before, (1, two, one))


def test_a_draft_that_was_published_for_a_while_loses_that_date(console: Console) -> None:
    """One that was set stays."""
    console("next-round && publish-round && publish-round --take-back && unpair")
    assert console.json("rounds") == []
    console("rounds --date 1 2031-01-17 && next-round && unpair")
    assert console.json("rounds")[0]["date"] == "2031-01-17"
    console("rounds --date 1 none")
    assert console.json("rounds")[0]["date"] is None


def test_latecomers_get_a_board_of_their_own(console: Console) -> None:
    """With whoever had the bye, or with another latecomer; who has a board keeps it."""
    console("absent Anna && next-round")
    ((bye,),) = console.rows(BYE)
    console("result 1 1-0")
    assert console(f"seat Anna {bye}") == f"Round 1, board 2: Anna – {bye}\n"
    assert console.rows("SELECT count(*) FROM unplayed") == [(0,)]
    assert "is sound" in console("check")


@pytest.mark.parametrize("line", ["publish-round", "result 1 1-0", "result P01 1"])
def test_whoever_enters_while_the_draft_stands_starts_in_the_next_round(
    eight: Console, line: str
) -> None:
    """Unless it is paired anew; the players of tonight do not wait for them."""
    eight("next-round")
    said = eight("add Zoe --rating 1900 && add Yan")
    assert "Zoe and Yan have no seat now" in said
    assert "Otherwise Yan and Zoe start in round 2." in said
    before = told(eight.db)
    assert "Yan and Zoe start in round 2: round 1 was paired before." in eight(line)
    assert eight.rows("SELECT name, first_round FROM members WHERE first_round > 1") == [
        ("Zoe", 2), ("Yan", 2)
    ]  # fmt: skip
    assert "sound" in eight("check")
    eight("undo")
    assert told(eight.db) == before
    eight("next-round --again --keep all && publish-round")
    assert "Zoe" in str(boards(eight))


def test_whoever_gave_up_their_seat_is_not_put_off(eight: Console) -> None:
    """They were there when it was paired."""
    eight("next-round && absent P01 && present P01 && add Zoe")
    assert "P01 and P02 have no seat" in eight.refused("publish-round")


def test_signing_off_from_a_published_round_says_what_becomes_of_the_board(
    eight: Console,
) -> None:
    eight("next-round && publish-round")
    (board, white, black), *_ = boards(eight)
    stands = f"still has board {board} of round 1, which is published: `keizer result DB {board}"
    said = eight(f"absent {white} {black}")
    assert f"{white} {stands} -+` makes it a forfeit." in said
    assert f"{black} {stands} +-` makes it a forfeit." in said
    assert "still has" not in eight("absent P08 --round 2-3")
    eight(f"result {board} -+")
    assert "still has" not in eight(f"present {white} && absent {white}")


def test_a_draft_says_what_has_changed_since_it_was_paired(eight: Console) -> None:
    """Ranks by a correction of the round before, presence, rules, an earlier game."""
    eight("next-round && result 1 1-0 && result 2 1-0 && result 3 1-0 && result 4 1-0")
    eight("next-round")
    changes = "SELECT about, sentence FROM draft_changes ORDER BY about, sentence"
    assert eight.rows(changes) == []
    assert "Changed since" not in eight("pairings") + eight("pairings --round 1")
    said = eight("result -r 1 4 0-1")
    moved = eight.rows("SELECT sentence FROM draft_changes WHERE about = 'rank'")
    assert moved and all(f"Changed since round 2 was paired: {row[0]}" in said for row in moved[:4])
    assert "`keizer next-round DB --again` would change board" in said
    assert f"Changed since round 2 was paired: {moved[0][0]}" in eight("pairings")
    eight("next-round --again")
    assert eight.rows(changes) == []
    eight("rules rematch_gap=4")
    assert eight.rows(changes) == [("rules", "The rules of pairing have changed.")]
    said = eight("pairings")
    assert "The rules of pairing have changed." in said
    assert "`keizer next-round DB --again` would give the same boards." in said
    eight("rules win.points=2")  # not of pairing
    eight("next-round --again && result -r 1 2 +-")
    assert ("game", "Board 2 of round 1 has other players, or counts otherwise as a meeting.") in (
        eight.rows(changes)
    )
    eight("next-round --again")
    assert eight.rows(changes) == []
    white = boards(eight, 2)[0][1]
    eight(f"absent {white}")
    assert any("is present and has no seat" in row[1] for row in eight.rows(changes))
    eight("next-round --again --keep all")
    assert eight.rows(changes) == []
    eight("publish-round")
    assert eight.rows(changes) == []


def test_the_boards_that_pairing_anew_would_change_are_those_it_changes(eight: Console) -> None:
    """One that was settled by hand is paired anew as well."""
    eight("next-round && result 1 1-0 && result 2 1-0 && result 3 1-0 && result 4 1-0")
    eight("next-round --pair P01 P08")
    before = boards(eight, 2)
    said = eight("result -r 1 4 0-1")
    eight("next-round --again")
    after = {frozenset(players) for _, *players in boards(eight, 2)}
    changed = [board for board, *players in before if frozenset(players) not in after]
    assert f"`keizer next-round DB --again` would change {names.boards(changed)}." in said
    assert next(board for board, *players in before if "P01" in players) in changed


def test_a_draft_that_could_not_be_paired_anew_is_still_shown(club_of: ClubOf) -> None:
    """Two of each team are left who have not met, in a Swiss that refuses to leave anybody over."""
    six = club_of(6, "system=swiss")
    for first in ("P04 P05 P06", "P05 P06 P04", "P06 P04 P05"):
        pairs = zip(("P01", "P02", "P03"), first.split(), strict=True)
        six("next-round " + " ".join(f"--pair {one} {two}" for one, two in pairs))
        six("result 1 = && result 2 = && result 3 =")
    assert "left over" in six("next-round")
    six("rules stuck=refuse")
    said = six("pairings")
    assert "The rules of pairing have changed." in said
    assert "It could not be paired anew: nobody may meet twice in a Swiss" in said
