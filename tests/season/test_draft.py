"""Draft, then publish: what can change until when, and what rounds says of it."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from tests.support.files import Keizer, rows

BOARDS = """
SELECT board, white, black FROM pairings
WHERE board IS NOT NULL AND round_number = (SELECT max(round_number) FROM round) ORDER BY board
"""


def listed(db: Path, keizer: Keizer) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(keizer("rounds", db, "--json").stdout)
    return found


def eight(tmp_path: Path, keizer: Keizer) -> Path:
    db = tmp_path / "eight.db"
    keizer("init", db, "--name", "Eight")
    for number in range(1, 9):
        keizer("add", db, f"P{number}", "--rating", 2000 - 10 * number)
    return db


def test_a_round_is_planned_then_a_draft_then_published_then_complete(
    club: Path, keizer: Keizer
) -> None:
    keizer("rounds", club, "--date", 1, "2026-09-04", "--date", 2, "2026-09-11")
    assert [(row["round_number"], row["date"], row["state"]) for row in listed(club, keizer)] == [
        (1, "2026-09-04", "planned"), (2, "2026-09-11", "planned"),
    ]  # fmt: skip
    seen = []
    for command in (
        ("next-round", club), ("publish-round", club), ("result", club, 1, "1-0"),
        ("result", club, 2, "="), ("result", club, 2, "open"),
    ):  # fmt: skip
        keizer(*command)
        first = listed(club, keizer)[0]
        seen.append((first["state"], first["open_boards"]))
    assert seen == [
        ("draft", 2), ("published", 2), ("published", 1), ("complete", 0), ("published", 1),
    ]  # fmt: skip
    assert "Round  Date        State" in keizer("rounds", club).stdout


def test_the_first_result_ends_a_draft(club: Path, keizer: Keizer) -> None:
    """Publishing is a step that a small club can leave out; the round is one of today."""
    keizer("next-round", club)
    assert listed(club, keizer)[0]["date"] is None
    keizer("result", club, 1, "1-0")
    (first,) = listed(club, keizer)
    assert first["state"] == "published"
    assert abs((date.fromisoformat(first["date"]) - date.today()).days) <= 1  # noqa: DTZ011
    refused = keizer("unpair", club, fails=True)
    assert "round 1 is published or has results: it is no draft any more" in refused.stderr
    assert "`keizer next-round` pairs round 2." in refused.stderr


def test_a_draft_is_not_paired_over_by_mistake(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    refused = keizer("next-round", club, fails=True)
    assert "round 1 is a draft: --again pairs it anew" in refused.stderr
    keizer("absent", club, "Anna", "--round", 2)
    keizer("next-round", club, "--allow-open")
    assert [row["state"] for row in listed(club, keizer)] == ["published", "draft"]
    assert rows(club, "SELECT count(*) FROM pairings WHERE round_number = 2") == [(2,)]


def test_some_boards_stay_and_the_rest_is_paired_anew(tmp_path: Path, keizer: Keizer) -> None:
    db = eight(tmp_path, keizer)
    keizer("next-round", db)
    before = rows(db, BOARDS)
    assert [{white, black} for _, white, black in before] == [
        {"P1", "P2"}, {"P3", "P4"}, {"P5", "P6"}, {"P7", "P8"},
    ]  # fmt: skip
    keizer("next-round", db, "--again", "--keep", "2,4", "--pair", "P1", "P6")
    after = rows(db, BOARDS)
    assert (after[1], after[3]) == (before[1], before[3])
    assert after[0] == (1, "P1", "P6") and set(after[2][1:]) == {"P2", "P5"}
    reasons = keizer("pairings", db, "--why").stdout
    assert reasons.count("somebody settled it by hand") == 3


def test_what_is_settled_takes_its_boards_out_of_those_that_stay(
    tmp_path: Path, keizer: Keizer
) -> None:
    """And nobody asks again about boards of the round before that were left open."""
    db = eight(tmp_path, keizer)
    keizer("next-round", db)
    keizer("next-round", db, "--allow-open")
    before = rows(db, BOARDS)
    (_, one, _), _, (_, two, _), _ = before
    keizer("next-round", db, "--again", "--keep", "all", "--pair", one, two)
    after = rows(db, BOARDS)
    assert (after[1], after[3]) == (before[1], before[3])
    assert (one, two) in [board[1:] for board in after]


def test_two_boards_are_paired_anew_when_somebody_drops_out(tmp_path: Path, keizer: Keizer) -> None:
    """The other boards keep their number and their colours."""
    db = eight(tmp_path, keizer)
    keizer("absent", db, "P8")
    keizer("next-round", db)
    before = rows(db, BOARDS)
    keizer("absent", db, "P3")
    keizer("next-round", db, "--again", "--keep", "all")
    after = rows(db, BOARDS)
    assert set(before) & set(after) == {before[0], before[2]}
    assert set(after[1][1:]) == {"P4", "P7"}


def test_kept_boards_have_to_be_there(tmp_path: Path, keizer: Keizer) -> None:
    db = eight(tmp_path, keizer)
    keizer("next-round", db)
    before = db.read_bytes()
    for keep, said in {
        "5": "round 1 has no board 5.", "3,7-8": "round 1 has no boards 7 and 8.",
        "x": "is not a board", "0": "is not a board",
    }.items():  # fmt: skip
        assert said in keizer("next-round", db, "--again", "--keep", keep, fails=True).stderr
    clash = keizer("next-round", db, "--again", "--keep", 1, "--bye", "P1", fails=True)
    assert "P1 cannot be seated twice" in clash.stderr
    assert "--keep goes with --again" in keizer("next-round", db, "--keep", 1, fails=True).stderr
    assert db.read_bytes() == before


def test_a_draft_thrown_away_leaves_the_presence_list(club: Path, keizer: Keizer) -> None:
    keizer("absent", club, "Anna", "--kind", "club duty")
    keizer("absent", club, "Boris", "--by-default")
    absent = "SELECT name, absence, by_default FROM presence ORDER BY name"
    before = rows(club, absent)
    keizer("next-round", club)
    keizer("unpair", club)
    assert rows(club, "SELECT count(*) FROM pairings") == [(0,)]
    assert rows(club, absent) == before
    assert "is sound" in keizer("check", club).stdout


def test_published_means_fixed(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    keizer("publish-round", club)
    boards = rows(club, BOARDS)
    for command, said in (
        (("swap", club, "Anna", "Clara"), "round 1 is published: --anyway changes it"),
        (("unpair", club), "it is no draft any more"),
        (("next-round", club, "--again"), "it is no draft any more"),
        (("publish-round", club), "round 1 is already published."),
    ):
        assert said in keizer(*command, fails=True).stderr
    assert rows(club, BOARDS) == boards
    keizer("publish-round", club, "--take-back")
    keizer("swap", club, "Anna", "Clara")
    keizer("publish-round", club)
    keizer("swap", club, "Anna", "Clara", "--anyway")
    assert rows(club, BOARDS) == boards
    keizer("result", club, 1, "1-0")
    refused = keizer("publish-round", club, "--take-back", fails=True)
    assert "round 1 has results" in refused.stderr


def test_nothing_to_publish(club: Path, keizer: Keizer) -> None:
    for command in ("publish-round", "unpair"):
        assert "no round is paired yet" in keizer(command, club, fails=True).stderr
    assert "No round is paired or planned" in keizer("rounds", club).stdout
    refused = keizer("rounds", club, "--date", 1, "2026-13-01", fails=True)
    assert "a date is YYYY-MM-DD" in refused.stderr


def test_a_bye_alone_is_a_draft_too(club: Path, keizer: Keizer) -> None:
    """And one whose last board broke up still asks for seats."""
    keizer("absent", club, "Daan")
    keizer("next-round", club)
    (bye,) = rows(club, "SELECT white FROM pairings WHERE result = 'bye'")[0]
    first = next(name for name in ("Anna", "Boris", "Clara") if name != bye)
    assert "has no seat now" in keizer("absent", club, first).stderr
    assert [row["state"] for row in listed(club, keizer)] == ["draft"]
    assert "has no seat" in keizer("publish-round", club, fails=True).stderr
    keizer("next-round", club, "--again")
    assert rows(club, "SELECT count(*) FROM round") == [(1,)]


def test_who_is_alone_can_still_be_joined(club: Path, keizer: Keizer) -> None:
    keizer("absent", club, "Anna", "Boris", "Clara")
    keizer("next-round", club)
    keizer("present", club, "Clara")
    keizer("next-round", club, "--again")
    assert rows(club, "SELECT count(*) FROM round") == [(1,)]


def test_a_draft_is_of_its_round_whatever_was_reopened(tmp_path: Path, keizer: Keizer) -> None:
    db = eight(tmp_path, keizer)
    keizer("next-round", db)
    results = "\n".join(f"{board} 1-0" for board in range(1, 5))
    keizer("result", db, "-", stdin=results)
    keizer("next-round", db)
    keizer("result", db, "-", "--round", 1, stdin=results.replace("1-0", "open"))
    first = "SELECT board, white, black FROM round WHERE round_number = 1 ORDER BY board"
    second = first.replace("= 1", "= 2")
    before = rows(db, first), rows(db, second)
    one, two = before[1][0][1:]
    keizer("swap", db, f"#{one}", f"#{two}")
    assert (rows(db, first), rows(db, second)[0]) == (before[0], (1, two, one))


def test_a_draft_that_was_published_for_a_while_loses_that_date(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    keizer("publish-round", club)
    keizer("publish-round", club, "--take-back")
    assert "is a draft already" in keizer("publish-round", club, "--take-back", fails=True).stderr
    keizer("unpair", club)
    assert listed(club, keizer) == []
    keizer("rounds", club, "--date", 1, "2031-01-17")
    keizer("next-round", club)
    keizer("unpair", club)
    assert listed(club, keizer)[0]["date"] == "2031-01-17"
    keizer("rounds", club, "--date", 1, "none")
    assert listed(club, keizer)[0]["date"] is None


def test_latecomers_get_a_board_of_their_own(club: Path, keizer: Keizer) -> None:
    """With whoever had the bye, or with another latecomer; who has a board keeps it."""
    keizer("absent", club, "Anna")
    keizer("next-round", club)
    (bye,) = rows(club, "SELECT white FROM pairings WHERE result = 'bye'")[0]
    keizer("result", club, 1, "1-0")
    said = keizer("seat", club, "Anna", bye).stdout
    assert said == f"Round 1, board 2: Anna – {bye}\n"
    assert rows(club, "SELECT count(*) FROM unplayed") == [(0,)]
    assert "is sound" in keizer("check", club).stdout
    assert "already has a game" in keizer("seat", club, "Anna", "Daan", fails=True).stderr
    assert "cannot meet himself" in keizer("seat", club, "Anna", "Anna", fails=True).stderr
