"""A whole season from the command line, as a club runs it."""

import json
import random
import sqlite3
import subprocess
from itertools import pairwise
from pathlib import Path

from tests.support.files import Keizer


def members(path: Path, count: int) -> Path:
    rng = random.Random(count)
    lines = [f"Member {number:02},{rng.randint(900, 2300)}" for number in range(1, count + 1)]
    path.write_text("name,rating\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_season_of_40_players_and_33_rounds(tmp_path: Path, keizer: Keizer) -> None:
    """Absences, pairing, results in bulk, check, 33 times.

    With late entries and withdrawals on the way; everybody present is seated
    once, every round.
    """
    rng = random.Random(33)
    db = tmp_path / "season.db"
    keizer("init", db, "--name", "Season")
    keizer("import", db, members(tmp_path / "members.csv", 36))
    names = [f"Member {number:02}" for number in range(1, 37)]
    for number in range(1, 34):
        if number in (4, 9, 15, 22):
            late = f"Late {number}"
            keizer("add", db, late, "--rating", 1500)
            names.append(late)
        if number in (12, 20):
            gone = names.pop(rng.randrange(len(names)))
            keizer("withdraw", db, gone)
        absent = [name for name in names if rng.random() < 0.2]
        if absent:
            keizer("absent", db, *absent[1:], absent[0], "--kind", "excused")
        keizer("next-round", db)
        sheet = json.loads(keizer("pairings", db, "--json").stdout)
        seated = [name for row in sheet for name in (row["white"], row["black"]) if name]
        assert sorted(seated) == sorted(set(names) - set(absent))
        assert sum(row["black"] is None for row in sheet) == (len(seated) % 2)
        boards = [row["board"] for row in sheet if row["board"]]
        assert boards == list(range(1, len(boards) + 1))
        results = [f"{board} {rng.choice(['1-0', '0-1', '=', '1/2'])}" for board in boards]
        rng.shuffle(results)
        keizer("result", db, "-", stdin="\n".join(results))
        if number == 17:
            assert "is sound" in keizer("check", db).stdout
    assert "is sound" in keizer("check", db).stdout
    table = json.loads(keizer("standings", db, "--json").stdout)
    assert [row["rank"] for row in table] == list(range(1, 41))
    assert [row["score"] for row in table] == sorted((row["score"] for row in table), reverse=True)
    again = keizer("standings", db, "--round", 33).stdout
    assert again.startswith("Season, after round 33\n") and len(again.splitlines()) == 42
    met: dict[frozenset[str], list[int]] = {}
    for number in range(1, 34):
        for row in json.loads(keizer("pairings", db, "-r", number, "--json").stdout):
            if row["black"]:
                met.setdefault(frozenset((row["white"], row["black"])), []).append(number)
    assert max(len(rounds) for rounds in met.values()) <= 3
    assert all(
        later - earlier > 5 for rounds in met.values() for earlier, later in pairwise(rounds)
    )


def test_next_round_refuses_open_boards_unless_told(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    keizer("result", club, 2, "1-0")
    refused = keizer("next-round", club, fails=True)
    assert "no result on board 1:" in refused.stderr
    paired = keizer("next-round", club, "--allow-open")
    assert "Still open in round 1: board 1" in paired.stderr


def test_a_late_result_revalues_what_came_after(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    keizer("result", club, 2, "1-0")
    keizer("next-round", club, "--allow-open")
    keizer("result", club, "-", stdin="1 1-0\n2 =\n")
    before = keizer("standings", club, "--json").stdout
    keizer("result", club, 1, "0-1", "--round", 1)
    assert keizer("standings", club, "--json").stdout != before
    assert "is sound" in keizer("check", club).stdout


def test_standings_stay_at_the_last_round_with_a_result(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    assert keizer("standings", club).stdout.startswith("Club, start order")
    keizer("result", club, 1, "1-0")
    shown = keizer("standings", club).stdout
    assert shown.startswith("Club, after round 1 (provisional: board 2 open)")


def test_a_dry_run_writes_nothing(club: Path, keizer: Keizer) -> None:
    before = club.read_bytes()
    shown = keizer("next-round", club, "--dry-run").stdout
    assert "dry run" in shown
    assert club.read_bytes() == before
    keizer("next-round", club)
    assert keizer("pairings", club).stdout.splitlines()[2:] == [
        line.rstrip() for line in shown.splitlines()[2:]
    ]


def test_results_as_people_type_them(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    for typed, stored in {
        "1-0": "1-0", "0-1": "0-1", "=": "½-½", "1/2": "½-½", "½-½": "½-½", "½–½": "½-½",
        "1/2-1/2": "½-½", "1:0": "1-0", " 0 - 1 ": "0-1", "+-": "+-", "-+": "-+", "--": "--",
        "0-0": "0-0", "open": None,
    }.items():  # fmt: skip
        keizer("result", club, 1, typed)
        sheet = json.loads(keizer("pairings", club, "--json").stdout)
        assert sheet[0]["result"] == stored


def test_the_bye_has_a_row_of_its_own(club: Path, keizer: Keizer) -> None:
    keizer("absent", club, "daan")
    keizer("next-round", club)
    sheet = json.loads(keizer("pairings", club, "--json").stdout)
    assert sheet[-1] == {"board": None, "white": "Clara", "black": None, "result": "bye"}
    assert keizer("pairings", club, "--csv").stdout.splitlines() == [
        "board,white,black,result", "1,Boris,Anna,", ",Clara,,bye",
    ]  # fmt: skip


def test_absences_are_taken_back_and_moved(club: Path, keizer: Keizer) -> None:
    keizer("absent", club, "Anna", "Boris", "--kind", "club-duty")
    keizer("absent", club, "Clara", "--round", 3)
    keizer("present", club, "boris")
    keizer("next-round", club)
    seats = json.loads(keizer("pairings", club, "--json").stdout)
    assert {name for row in seats for name in (row["white"], row["black"])} == {
        "Boris", "Clara", "Daan", None,
    }  # fmt: skip
    keizer("publish-round", club)
    refused = keizer("absent", club, "Boris", "--round", 1, fails=True)
    assert "Boris is paired in round 1" in refused.stderr


def test_explain_adds_up(club: Path, keizer: Keizer) -> None:
    """Every kind of line: own value, late start, game, forfeit, absence, bye."""
    keizer("rules", club, "late-start=1/6", "loss.fixed=0.5")
    keizer("next-round", club)
    keizer("result", club, "-", stdin="1 1-0\n2 +-\n")
    keizer("add", club, "Eva", "--rating", 1650)
    keizer("absent", club, "Anna")
    keizer("next-round", club)
    keizer("result", club, "-", stdin="1 =\n2 0-1\n")
    for row in json.loads(keizer("standings", club, "--json").stdout):
        lines = json.loads(keizer("explain", club, row["name"], "--json").stdout)
        assert abs(sum(line["points"] for line in lines) - row["score"]) < 1e-9
        factors = {"1/3": 1 / 3, "2/3": 2 / 3, "1/6": 1 / 6}
        for line in lines:
            factor = factors.get(line["factor"], line["factor"])
            each = (factor or 0) * line["value"] + (line["fixed"] or 0)
            assert abs(line["times"] * each - line["points"]) < 1e-9
    shown = keizer("explain", club, "Eva").stdout
    assert "late start" in shown and "own value" in shown


def test_a_suspended_file_says_so_and_the_next_command_settles_it(
    club: Path, keizer: Keizer
) -> None:
    """Somebody forgot the switch after a bulk load: never silently wrong."""
    keizer("next-round", club)
    conn = sqlite3.connect(club)
    conn.execute("UPDATE tournament SET revaluation = 'suspended'")
    conn.execute("UPDATE round SET result = '1-0'")
    conn.commit()
    conn.close()
    shown = keizer("standings", club)
    assert "revaluation is suspended; tables from round 1" in shown.stderr
    assert "the standings are behind" in keizer("next-round", club, "--dry-run", fails=True).stderr
    assert "the revaluation is suspended" in keizer("check", club, fails=True).stdout
    keizer("absent", club, "Anna")
    assert "is sound" in keizer("check", club).stdout
    assert keizer("standings", club).stderr == ""


def test_two_tournaments_in_a_file(club: Path, keizer: Keizer) -> None:
    """The same player can enter both; a command has to be told which."""
    keizer("init", club, "--name", "Blitz")
    refused = keizer("standings", club, fails=True)
    assert "--tournament" in refused.stderr and "Blitz" in refused.stderr
    keizer("add", club, "Anna", "-t", "blitz")
    keizer("add", club, "Femke", "-t", "blitz")
    keizer("next-round", club, "-t", "Blitz")
    keizer("result", club, 1, "1-0", "-t", "#2")
    assert len(json.loads(keizer("standings", club, "-t", "Club", "--json").stdout)) == 4
    keizer("rules", club, "status=finished", "-t", "Blitz")
    assert len(json.loads(keizer("standings", club, "--json").stdout)) == 4


def test_of_many_tournaments_twelve_are_listed(tmp_path: Path, keizer: Keizer) -> None:
    for number in range(14):
        keizer("init", tmp_path / "many.db", "--name", f"T{number}")
    refused = keizer("standings", tmp_path / "many.db", fails=True)
    assert "“T11” (#12) and 2 more." in " ".join(refused.stderr.split())


def test_the_program_itself(installed: str, sample: Path) -> None:
    """As a process: a result that begins with a dash, from a real shell."""
    subprocess.run([installed, "next-round", sample], check=True, capture_output=True)
    done = subprocess.run(
        [installed, "result", sample, "2", "--"], check=True, capture_output=True, text=True
    )
    assert "board 2: Johnson – Butcher --" in done.stdout
