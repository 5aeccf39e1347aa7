"""A whole season from the command line, as a club runs it."""

import random
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.console import ClubOf, Console
from tests.support.files import edit, run_keizer
from tests.support.scenes import scenes

test_nights = scenes("""
A dry run writes nothing, and says what would be paired.
  remember
  next-round --dry-run => dry run ... Boris  Anna ... Daan   Clara
  undo all
  next-round && pairings => Boris  Anna ... Daan   Clara

Who withdrew comes back with what is said then.
  withdraw Anna && add Anna --rating 2050
  SELECT rating FROM x_player_tournament WHERE player_id = 1 => 2050

Of two tournaments in a file one is named, unless the other is finished.
  init --name Blitz && add Anna -t blitz && add Femke -t blitz
  next-round -t Blitz && result 1 1-0 -t '#2'
  standings -t Club => Daan
  rules status=finished -t Blitz
  standings => Daan
""")


@pytest.mark.seeds
def test_a_season_of_40_players_and_33_rounds(club_of: ClubOf) -> None:
    """Absences, pairing, results in bulk, check, 33 times.

    With late entries and withdrawals on the way; everybody present is seated
    once, every round.
    """
    rng = random.Random(33)
    console = club_of(36)
    names = [f"P{number:02}" for number in range(1, 37)]
    for number in range(1, 34):
        if number in (4, 9, 15, 22):
            console(f"add 'Late {number}' --rating 1500")
            names.append(f"Late {number}")
        if number in (12, 20):
            gone = names.pop(rng.randrange(len(names)))
            console(f"withdraw '{gone}'")
        absent = [name for name in names if rng.random() < 0.2]
        listed = " ".join(f"'{name}'" for name in absent)
        console(listed and f"absent {listed} --kind excused")
        console("next-round")
        sheet = console.sheet(number)
        seated = [name for board in sheet for name in board if name]
        assert sorted(seated) == sorted(set(names) - set(absent))
        assert sum(black is None for _, black in sheet) == (len(seated) % 2)
        numbered = (
            "SELECT board FROM round WHERE round_number = (SELECT max(round_number) FROM round)"
        )
        boards = [board for (board,) in console.rows(f"{numbered} ORDER BY board")]
        assert boards == list(range(1, len(seated) // 2 + 1))
        results = [f"{board} {rng.choice(['1-0', '0-1', '=', '1/2'])}" for board in boards]
        rng.shuffle(results)
        console("result -", stdin="\n".join(results))
        assert number not in (17, 33) or "is sound" in console("check")
    table = console.json("standings")
    assert [row["rank"] for row in table] == list(range(1, 41))
    assert [row["score"] for row in table] == sorted((row["score"] for row in table), reverse=True)
    again = console("standings --round 33")
    assert again.startswith("Club, after round 33\n") and len(again.splitlines()) == 43
    assert again.endswith("(w): withdrawn\n")
    met: dict[frozenset[int], list[int]] = {}
    for number, *board in console.rows("SELECT round_number, white, black FROM round ORDER BY 1"):
        met.setdefault(frozenset(board), []).append(number)
    gaps = [two - one for rounds in met.values() for one, two in pairwise(rounds)]
    assert min(gaps) > 5
    assert all(later - one > 5 for rounds in met.values() for one, later in pairwise(rounds))


def test_next_round_refuses_open_boards_unless_told(console: Console) -> None:
    console("next-round && result 2 1-0")
    assert "no result on board 1:" in console.refused("next-round")
    assert "Still open in round 1: board 1" in console("next-round --allow-open")


def test_results_as_people_type_them(console: Console) -> None:
    console("next-round")
    for typed, stored in {
        "1-0": "1-0", "0-1": "0-1", "=": "½-½", "1/2": "½-½", "½-½": "½-½", "½–½": "½-½",
        "1/2-1/2": "½-½", "1:0": "1-0", " 0 - 1 ": "0-1", "+-": "+-", "-+": "-+", "--": "--",
        "0-0": "0-0", "open": None,
    }.items():  # fmt: skip
        console(f"result 1 '{typed}'")
        assert console.json("pairings")[0]["result"] == stored


def test_the_bye_has_a_row_of_its_own(console: Console) -> None:
    console("absent daan && next-round")
    last = console.json("pairings")[-1]
    assert (last["board"], last["white"], last["black"], last["result"]) == (
        None, "Clara", None, "bye"
    )  # fmt: skip
    assert console("pairings --csv").splitlines() == [
        "board,white,black,result", "1,Boris,Anna,", ",Clara,,bye",
    ]  # fmt: skip


def test_a_suspended_file_says_so_and_the_next_command_settles_it(console: Console) -> None:
    """Somebody forgot the switch after a bulk load: never silently wrong."""
    console("next-round")
    edit(
        console.db,
        "UPDATE tournament SET revaluation = 'suspended'",
        "UPDATE round SET result = '1-0'",
    )
    assert "revaluation is suspended in this file; standings from round 1" in console("standings")
    assert "the standings are out of date" in console.refused("next-round --dry-run")
    said = run_keizer("check", console.db, fails=True).stdout
    assert "the revaluation is suspended" in said
    assert "is sound" in console("absent Anna && check")
    assert "suspended" not in console("standings")


def test_the_program_itself(installed: str, sample: Path) -> None:
    """As a process: a result that begins with a dash, from a real shell."""
    subprocess.run([installed, "next-round", sample], check=True, capture_output=True)
    done = subprocess.run(
        [installed, "result", sample, "2", "--"], check=True, capture_output=True, text=True
    )
    assert "board 2: Johnson – Butcher --" in done.stdout
