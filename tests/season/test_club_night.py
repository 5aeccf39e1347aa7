"""Club nights from the command line."""

import subprocess
from pathlib import Path

from tests.support.console import Console
from tests.support.files import edit, run_keizer
from tests.support.scenes import scenes

test_open_boards = scenes("""
The next round waits for open boards unless told.
  next-round && result 2 1-0
  ! next-round => no result on board 1:
  next-round --allow-open => Still open in round 1: board 1
""")

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
  finish -t Blitz
  standings => Daan
""")


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
        "board,white,black,result,date", "1,Boris,Anna,,", ",Clara,,bye,",
    ]  # fmt: skip


def test_a_suspended_file_says_so_and_the_next_command_settles_it(
    console: Console,
) -> None:
    """Somebody forgot the switch after a bulk load: never silently wrong."""
    console("next-round")
    edit(
        console.db,
        "UPDATE tournament SET revaluation = 'suspended'",
        "UPDATE round SET result = '1-0'",
    )
    assert "revaluation is suspended in this file; standings from round 1" in console(
        "standings"
    )
    assert "Round 2 (dry run, nothing written)" in console("next-round --dry-run")
    said = run_keizer("check", console.db, fails=True).stdout
    assert "the revaluation is suspended" in said
    assert "is sound" in console("absent Anna && check")
    assert "suspended" not in console("standings")


def test_the_program_itself(installed: str, sample: Path) -> None:
    """As a process: a result that begins with a dash, from a real shell."""
    subprocess.run([installed, "next-round", sample], check=True, capture_output=True)
    done = subprocess.run(
        [installed, "result", sample, "2", "--"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert "board 2: Johnson – Butcher --" in done.stdout
