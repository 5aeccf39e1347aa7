"""`keizer undo` takes back the last command, whatever it was, exactly."""

import re
from pathlib import Path

import pytest

from tests.support.console import Console
from tests.support.files import edit, rows, told
from tests.support.files import run_keizer as keizer

STEPS = """
add Eva --rating 1650 --category B, add Femke --from-round 3, withdraw Boris,
absent Anna Clara --kind "club duty", next-round, result 1 1-0,
rules step=2 excused=1/6 name=Renamed, init --name Second
"""


def a_round(club: Path) -> None:
    keizer("next-round", club)
    keizer("result", club, "-", stdin="1 =\n2 0-1\n")


@pytest.mark.parametrize("step", re.split(r",\s", STEPS.strip()))
def test_any_step_is_undone_to_the_same_file(club: Path, step: str) -> None:
    a_round(club)
    keizer("absent", club, "Daan", "--round", "3")
    if step.startswith("result"):
        keizer("next-round", club)
    before = told(club)
    Console(club)(step)
    assert told(club) != before
    assert keizer("undo", club).stdout.startswith("Undone: ")
    assert told(club) == before


@pytest.mark.parametrize(
    "step", ["result 1 =", "absent Daan --round 3", "rules name=Club", "rounds --date 5 2026-12-11"]
)
def test_a_command_that_changed_nothing_is_the_one_undone(club: Path, step: str) -> None:
    """Else the one before it would go, of which nobody was thinking."""
    keizer("rounds", club, "--date", "5", "2026-12-11")
    a_round(club)
    keizer("absent", club, "Daan", "--round", "3")
    before = told(club)
    Console(club)(step)
    assert told(club) == before
    assert keizer("undo", club, "--dry-run").stdout.endswith(", which had changed nothing.\n")
    assert keizer("undo", club).stdout.endswith(", which had changed nothing.\n")
    assert told(club) == before
    assert keizer("undo", club).stdout == "Undone: Round 3, excused: Daan.\n"
    assert "sound" in keizer("check", club).stdout


def test_with_several_tournaments_it_says_which(club: Path) -> None:
    keizer("next-round", club)
    keizer("init", club, "--name", "Youth")
    keizer("result", club, "1", "=", "-t", "Club")
    assert keizer("undo", club, "--dry-run").stdout == (
        "Would undo: results of round 1: board 1 ½-½, in “Club”.\n"
    )
    keizer("undo", club)
    assert keizer("undo", club).stdout == "Undone: new tournament Youth.\n"
    assert keizer("undo", club).stdout == "Undone: pairing of round 1.\n"


def test_imports_are_undone(sample: Path) -> None:
    """sample.db itself: games, then players, then the rules."""
    assert keizer("undo", sample).stdout == "Undone: import of 10 games.\n"
    assert keizer("standings", sample).stdout.startswith("Worked example, start order")
    assert keizer("undo", sample).stdout == "Undone: import of 10 players.\n"
    keizer("undo", sample)
    assert "nothing to undo" in keizer("undo", sample, fails=True).stderr


def test_an_edit_in_another_program_is_not_undone_over(club: Path) -> None:
    """The pairing goes only while its boards are as it left them."""
    keizer("next-round", club)
    edit(club, "UPDATE round SET result = '1-0' WHERE board = 1")
    before = club.read_bytes()
    said = keizer("undo", club, fails=True).stderr
    assert "another program changed" in said
    assert keizer("undo", club, "--dry-run", fails=True).stderr == said
    assert club.read_bytes() == before


def test_the_tiebreaks_of_a_round_go_with_it(club: Path) -> None:
    keizer("rules", club, "own-value=0", "tiebreaks=score,rating")
    before = told(club)
    keizer("next-round", club)
    keizer("result", club, "-", stdin="1 0-0\n2 0-0\n")
    assert rows(club, "SELECT count(*) FROM tiebreak_value WHERE round_number = 1") == [(4,)]
    keizer("undo", club)
    keizer("undo", club)
    assert told(club) == before


def test_skipped_opponents_come_back(club: Path) -> None:
    """Also where the pairing that is taken back says the same: Anna has met Boris."""
    a_round(club)
    keizer("next-round", club)
    before = told(club)
    noted = rows(club, "SELECT * FROM skipped_opponent")
    keizer("next-round", club, "--again")
    assert {*noted} & {*rows(club, "SELECT * FROM skipped_opponent")}
    keizer("undo", club)
    assert told(club) == before
