"""Who comes: the presence list, standing absences, and what holds by default."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.support.files import Keizer, edit, rows


def coming(db: Path, keizer: Keizer) -> dict[str, str | None]:
    """Who is on the presence list, and why he does not come."""
    return {
        row["name"]: row["absence"] for row in json.loads(keizer("present", db, "--json").stdout)
    }


def test_the_list_is_by_name_with_what_is_usual(club: Path, keizer: Keizer) -> None:
    keizer("add", club, "Ève", "--rating", 2200)
    keizer("absent", club, "Daan", "--by-default")
    keizer("absent", club, "Boris", "--kind", "club duty")
    shown = keizer("present", club).stdout.splitlines()
    assert shown[0] == "Club, round 1 (not paired yet): 3 present, 1 club duty and 1 excused"
    assert [line.split(maxsplit=1) for line in shown[2:]] == [
        ["Anna", "(present)"], ["Boris", "club duty"], ["Clara", "(present)"],
        ["Daan", "(excused)  excused unless he says so"], ["Ève", "(present)"],
    ]  # fmt: skip


def test_absences_so_far_stand_beside_their_caps(club: Path, keizer: Keizer) -> None:
    keizer("rules", club, "excused.season_cap=5", "excused.period_cap=2")
    keizer("absent", club, "Anna", "--round", "1-3")
    keizer("absent", club, "Boris", "--kind", "unexcused")
    keizer("period", club, 2)
    for number in (1, 2):
        keizer("next-round", club, "--allow-open")
        keizer("result", club, 1, "1-0", "--round", number)
    so_far = {
        row["name"]: row["so_far"] for row in json.loads(keizer("present", club, "--json").stdout)
    }
    assert so_far["Anna"] == "excused 2 of 5, 1 of 2 in the period"
    assert so_far["Boris"] == "unexcused 1"
    assert so_far["Clara"] == ""


def test_who_comes_when_he_says_so_is_absent_else(club: Path, keizer: Keizer) -> None:
    """And gets, for each round, the kind that was set; saying so holds for one round."""
    keizer("absent", club, "Daan", "--by-default", "--kind", "unexcused")
    keizer("present", club, "Daan", "--round", 2)
    for number, kind in ((1, "unexcused"), (2, None), (3, "unexcused")):
        keizer("next-round", club, "--allow-open")
        keizer("result", club, 1, "1-0")
        found = rows(
            club,
            f"SELECT kind FROM unplayed WHERE round_number = {number} AND kind <> 'bye'"
            " AND player_id = (SELECT id FROM player WHERE name = 'Daan')",
        )
        assert found == ([(kind,)] if kind else [])
    keizer("present", club, "Daan", "--by-default")
    assert coming(club, keizer)["Daan"] is None


def test_a_list_says_who_is_here_and_the_rest_is_absent(club: Path, keizer: Keizer) -> None:
    keizer("absent", club, "Anna")
    said = keizer(
        "present", club, "--list", "-", "--others", "unexcused",
        stdin="anna\n\nDaan: club-duty\nBORIS\n",
    ).stdout  # fmt: skip
    assert said == "Round 1: 2 present, 1 club duty and 1 unexcused.\n"
    assert coming(club, keizer) == {
        "Anna": None, "Boris": None, "Clara": "unexcused", "Daan": "club duty",
    }  # fmt: skip


def test_a_list_with_a_fault_changes_nothing(club: Path, keizer: Keizer) -> None:
    before = club.read_bytes()
    for text, said in {
        "Anna\nBoriss": "line 2 of the list: there is no player “Boriss”: did you mean Boris?",
        "Anna: asleep": "line 1 of the list: “ asleep” is no kind of unplayed round",
        "Anna\nanna": "line 2 of the list: Anna is there twice.",
    }.items():
        assert said in keizer("present", club, "--list", "-", stdin=text, fails=True).stderr
    assert "--others goes with --list" in keizer(
        "present", club, "--others", "excused", fails=True
    ).stderr  # fmt: skip
    assert club.read_bytes() == before


def test_asked_member_by_member_each_answer_is_kept(club: Path, keizer: Keizer) -> None:
    """Enter keeps, a name jumps, < goes back; what is not understood is asked again."""
    keizer("absent", club, "Anna")
    keizer("present", club, "--ask", stdin="p\nx\ne\nDaan\nclub duty\n")
    assert coming(club, keizer) == {
        "Anna": None, "Boris": "excused", "Clara": None, "Daan": "club duty",
    }  # fmt: skip
    keizer("present", club, "--ask", stdin="\n\n<\np\nq\n")
    assert coming(club, keizer)["Boris"] is None


def test_standing_absences_are_of_several_rounds(club: Path, keizer: Keizer) -> None:
    keizer("absent", club, "Anna", "--round", "2-4,7", "--kind", "club duty")
    assert rows(club, "SELECT round_number, kind FROM unplayed ORDER BY 1") == [
        (number, "club duty") for number in (2, 3, 4, 7)
    ]
    keizer("present", club, "Anna", "--round", "3-4")
    assert rows(club, "SELECT round_number FROM unplayed ORDER BY 1") == [(2,), (7,)]
    refused = keizer("present", club, "Anna", "--round", "6-7", fails=True)
    assert "Anna is not signed off from round 6." in refused.stderr
    for typed in ("0", "4-", "x", "1000"):
        assert "is not a round" in keizer("absent", club, "Anna", "-r", typed, fails=True).stderr


def test_who_signs_off_from_a_draft_gives_up_his_seat(club: Path, keizer: Keizer) -> None:
    """And nothing goes on the wall while somebody who is here has none."""
    keizer("next-round", club)
    gone = keizer("absent", club, "Anna")
    (lonely,) = set(coming(club, keizer)) - {"Anna"} - {
        name for row in rows(club, "SELECT white, black FROM pairings") for name in row
    }  # fmt: skip
    assert f"{lonely} has no seat now" in gone.stderr
    for command in (("publish-round", club), ("result", club, 1, "1-0")):
        assert f"{lonely} has no seat" in keizer(*command, fails=True).stderr
    keizer("next-round", club, "--again", "--keep", "all")
    assert rows(club, "SELECT white FROM pairings WHERE result = 'bye'") == [(lonely,)]
    keizer("publish-round", club)


def test_presence_is_of_the_draft_until_it_is_published(club: Path, keizer: Keizer) -> None:
    keizer("absent", club, "Anna")
    keizer("next-round", club)
    assert "round 1 (a draft): 3 present and 1 excused" in keizer("present", club).stdout
    keizer("present", club, "Anna")
    keizer("next-round", club, "--again")
    keizer("publish-round", club)
    keizer("absent", club, "Anna")
    assert rows(club, "SELECT round_number, kind FROM unplayed") == [(2, "excused")]


def test_a_late_arrival_joins_the_draft(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    assert "plays from round 1" in keizer("add", club, "Eva", "--rating", 1000).stdout
    keizer("next-round", club, "--again", "--keep", "all")
    assert rows(club, "SELECT white FROM pairings WHERE result = 'bye'") == [("Eva",)]


NEW_DATE = "INSERT INTO schedule (tournament_id, round_number, date) VALUES "
COMES = "INSERT INTO coming (tournament_id, round_number, player_id) VALUES "


def test_the_file_refuses_what_makes_no_sense(club: Path, keizer: Keizer) -> None:
    """In any client: unknown kinds, strangers, dates that are none, REPLACE."""
    keizer("rules", club, "--add-kind", "on tour")
    keizer("absent", club, "Anna", "--by-default", "--kind", "on tour")
    edit(
        club,
        NEW_DATE + "(1, 1, '2026-02-28')",
        COMES + "(1, 1, 1)",
        "INSERT INTO player (id, name) VALUES (5, 'A stranger')",
    )
    for statement, said in {
        "UPDATE x_player_tournament SET absent_as = 'asleep'": "unknown kind of unplayed round",
        "UPDATE x_player_tournament SET absent_as = 'win'": "unknown kind of unplayed round",
        COMES + "(1, 1, 99)": "did not enter this tournament",
        COMES + "(1, 1, 5)": "this player did not enter this tournament",
        COMES + "(1, 0, 1)": "comes_to_round_1_to_999",
        NEW_DATE + "(9, 1, NULL)": "unknown tournament",
        NEW_DATE + "(1, 2, '2026-02-30')": "a date is YYYY-MM-DD",
        NEW_DATE + "(1, 2, 'now')": "a date is YYYY-MM-DD",
        "INSERT OR REPLACE INTO schedule SELECT * FROM schedule": "update that row",
        NEW_DATE.replace("INSERT", "INSERT OR REPLACE") + "(1, 1, NULL)": "update that row",
        "INSERT OR REPLACE INTO coming SELECT * FROM coming": "this id is taken",
        COMES.replace("INSERT", "INSERT OR REPLACE") + "(1, 1, 1)": "already said that they come",
        "DELETE FROM scoring WHERE kind = 'on tour'": "this kind is in use",
    }.items():
        with pytest.raises(sqlite3.IntegrityError, match=said):
            edit(club, statement)


def test_members_are_imported_with_what_is_known_of_them(
    tmp_path: Path, club: Path, keizer: Keizer
) -> None:
    """Numbers, title, birth, and whether they come when they say so; what is empty stays."""
    table = tmp_path / "members.csv"
    table.write_text(
        "name;rating;fide_id;national_id;title;federation;sex;born;absent_as\n"
        "Eva;1650;1012345;8001;WIM;NED;w;1990-02-28;excused\n"
        "Fred;;;;;;;;\n"
    )
    keizer("import", club, table)
    details = "fide_id, national_id, title, federation, sex, born, absent_as"
    found = rows(
        club, f"SELECT {details} FROM player JOIN x_player_tournament ON player_id = player.id"
        " WHERE name IN ('Eva', 'Fred') ORDER BY name",
    )  # fmt: skip
    assert found == [
        (1012345, "8001", "WIM", "NED", "w", "1990-02-28", "excused"), (None,) * 7,
    ]  # fmt: skip
    for line, said in {
        "Gina;;;;grandmaster;;;;": "line 2: a title is up to three capitals",
        "Gina;;;;;;;1990-02-30;": "line 2: born is a year or a date",
        "Gina;;;;;;;;asleep": "line 2: “asleep” is no kind of unplayed round",
        "Gina;;x;;;;;;": "line 2: fide_id “x” is not a whole number",
    }.items():
        table.write_text(f"{table.read_text().splitlines()[0]}\n{line}\n")
        assert said in keizer("import", club, table, fails=True).stderr


def test_a_bye_is_no_absence(club: Path, keizer: Keizer) -> None:
    """It would make a round of itself."""
    for command in (["absent", club, "Anna"], ["absent", club, "Anna", "--by-default"]):
        assert "a bye is no absence" in keizer(*command, "--kind", "bye", fails=True).stderr
    refused = keizer("present", club, "--list", "-", stdin="Anna: bye", fails=True)
    assert "line 1 of the list: a bye is no absence" in refused.stderr


def test_a_default_set_while_he_has_a_seat_is_for_later_rounds(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    keizer("absent", club, "Anna", "--by-default")
    assert coming(club, keizer)["Anna"] is None
    keizer("publish-round", club)
    keizer("swap", club, "Anna", "Clara", "--anyway")
    assert coming(club, keizer)["Anna"] == "excused"


def test_a_default_taken_back_holds_for_the_draft(club: Path, keizer: Keizer) -> None:
    """Another kind does too; who comes after all has no seat yet."""
    keizer("absent", club, "Anna", "--by-default")
    keizer("next-round", club)
    keizer("absent", club, "Anna", "--by-default", "--kind", "unexcused")
    assert rows(club, "SELECT kind FROM unplayed WHERE kind <> 'bye'") == [("unexcused",)]
    assert "Anna has no seat" in keizer("present", club, "Anna", "--by-default").stderr


def test_what_does_not_go_together_is_said(club: Path, keizer: Keizer) -> None:
    before = club.read_bytes()
    for words, said in (
        (["present", club, "--list", "-", "--round", 6], "--round goes with names"),
        (["present", club, "--ask", "--round", 6], "--round goes with names"),
        (["present", club, "Anna", "--ask"], "one of them"),
        (["present", club, "--ask", "--json"], "one of them"),
        (["present", club, "--by-default"], "say who"),
        (["absent", club, "Anna", "--by-default", "--round", 5], "leave --round out"),
        (["absent", club, "Anna", "--round", "8-5"], "“8-5” goes backwards"),
        (["rounds", club, "--date", "8-5", "2026-12-12"], "“8-5” goes backwards"),
    ):
        assert said in keizer(*words, fails=True).stderr
    assert club.read_bytes() == before


def test_a_list_that_is_not_utf_8_is_refused(tmp_path: Path, club: Path, keizer: Keizer) -> None:
    there = tmp_path / "tonight.txt"
    there.write_bytes("Anna\nM\u00fcller\n".encode("latin-1"))
    refused = keizer("present", club, "--list", there, fails=True)
    assert refused.stderr == "Error: what was read is not UTF-8 text: save it so.\n"


def test_an_answer_is_of_the_round_that_was_asked_for(
    club: Path, keizer: Keizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though somebody publishes it at another terminal meanwhile."""
    from keizer.cli import output

    keizer("next-round", club)
    answers = ["e", None]

    def ask(_: str) -> str | None:
        if len(answers) == 2:
            keizer("publish-round", club)
        return answers.pop(0)

    monkeypatch.setattr(output, "asker", lambda: ask)
    assert "Anna is paired in round 1" in keizer("present", club, "--ask").stdout
    assert rows(club, "SELECT count(*) FROM unplayed") == [(0,)]
