"""Results at a prompt, corrections, and who moved."""

import json
from pathlib import Path

import pytest

from tests.support.files import Keizer, rows

RESULTS = "SELECT board, result FROM round ORDER BY round_number, board"


def test_results_are_asked_for_board_by_board(club: Path, keizer: Keizer) -> None:
    """Quick keys; a board and a result corrects an earlier one; each is kept at once."""
    keizer("next-round", club)
    said = keizer("result", club, stdin="1\n=\n1 0-1\n\n").stdout
    assert rows(club, RESULTS) == [(1, "0-1"), (2, "½-½")]
    assert "Board 1, Boris – Anna: 1" in said and "Board 2, Daan – Clara: =" in said
    assert "Boris – Anna 0-1 (was 1-0)" in said
    assert said.endswith("2 of 2 boards of round 1 are in.\n")


def test_a_long_game_is_left_open_and_named(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    said = keizer("result", club, stdin="\n0\n\n").stdout
    assert said.endswith("1 of 2 boards of round 1 are in; provisional: board 1 open.\n")
    again = keizer("result", club, stdin="+\n").stdout
    assert "Board 2" not in again and rows(club, RESULTS) == [(1, "+-"), (2, "0-1")]


def test_what_is_not_understood_is_asked_again(club: Path, keizer: Keizer) -> None:
    """Neither a slip of the finger nor the end of the input writes anything."""
    keizer("next-round", club)
    said = keizer("result", club, stdin="2-0\n9 1-0\n1 0\n").stdout
    assert "“2-0” is no result" in said and "round 1 has no board 9" in said
    assert rows(club, RESULTS) == [(1, None), (2, None)]


def test_who_moved_is_said_after_a_correction(club: Path, keizer: Keizer) -> None:
    """And only then: after a first result everybody does."""
    keizer("next-round", club)
    first = keizer("result", club, "-", stdin="1 1-0\n2 1-0\n").stdout
    assert "Who moved" not in first
    ranks = "SELECT name, rank FROM standings WHERE round_number = 1"
    before = dict(rows(club, ranks))
    said = keizer("result", club, 1, "0-1").stdout
    after = dict(rows(club, ranks))
    moved = sorted((now, name) for name, now in after.items() if now != before[name])
    assert moved
    listed = ", ".join(f"{name} {before[name]} → {now}" for now, name in moved)
    assert f"Who moved: {listed}." in said


def test_standings_say_which_boards_they_lack(club: Path, keizer: Keizer) -> None:
    keizer("add", club, "Eva")
    keizer("add", club, "Fred")
    keizer("next-round", club)
    keizer("result", club, 2, "1-0")
    assert "(provisional: boards 1 and 3 open)" in keizer("standings", club).stdout
    keizer("next-round", club, "--allow-open")
    keizer("result", club, "-", stdin="1 =\n2 =\n3 =\n")
    assert "(provisional: boards 1 and 3 of round 1 open)" in keizer("standings", club).stdout


def test_no_round_no_prompt(club: Path, keizer: Keizer) -> None:
    assert "no round is paired yet" in keizer("result", club, fails=True).stderr
    keizer("next-round", club)
    assert "round 3 has no boards" in keizer("result", club, "-r", 3, fails=True).stderr
    assert json.loads(keizer("rounds", club, "--json").stdout)[0]["state"] == "draft"


def test_a_board_that_changed_meanwhile_is_shown_again(
    club: Path, keizer: Keizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody swaps at another terminal while the question stands."""
    from keizer.cli import output

    keizer("next-round", club)
    ((white, black),) = rows(club, "SELECT white, black FROM pairings WHERE board = 1")
    answers = ["1", "0", None]

    def ask(_: str) -> str | None:
        if len(answers) == 3:
            keizer("swap", club, white, black)
        return answers.pop(0)

    monkeypatch.setattr(output, "asker", lambda: ask)
    said = keizer("result", club).stdout
    assert f"board 1 has changed, it is {black} – {white} now: look again." in said
    assert rows(club, RESULTS)[0] == (1, "0-1")


def test_of_a_board_named_twice_the_last_result_counts(club: Path, keizer: Keizer) -> None:
    """Also when it is the one that stood there."""
    keizer("next-round", club)
    keizer("result", club, "1", "1-0")
    keizer("result", club, "-", stdin="1 0-1\n2 =\n1 1-0\n")
    assert rows(club, RESULTS) == [(1, "1-0"), (2, "½-½")]


def test_results_of_matches_and_games_come_in_at_once(club: Path, keizer: Keizer) -> None:
    """A match has its games won, and a single result takes them away, also the same one."""
    won = "SELECT board, result, white_wins, black_wins, drawn FROM round ORDER BY board"
    keizer("rules", club, "match_games=3")
    keizer("next-round", club)
    keizer("result", club, "-", stdin="1 2-1\n2 =\n")
    assert rows(club, won) == [(1, "1-0", 2, 1, 0), (2, "½-½", None, None, None)]
    keizer("result", club, "-", stdin="1 1-0\n2 1-1-1\n")
    assert rows(club, won) == [(1, "1-0", None, None, None), (2, "½-½", 1, 1, 1)]
    assert rows(club, "SELECT revaluation, stale_from FROM tournament") == [("on", None)]
