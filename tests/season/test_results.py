"""Results at a prompt and in bulk, corrections, and who moved."""

import pytest

from tests.support.console import Console
from tests.support.scenes import scenes

test_results = scenes("""
Results are asked for board by board; a board and a result corrects an earlier one.
  next-round
  result < 1|=|1 0-1| => Board 1, Boris – Anna: 1 ... Board 2, Daan – Clara: = ...
    Boris – Anna 0-1 (was 1-0) ... 2 of 2 boards of round 1 are in.
  SELECT board, result FROM round => 1 0-1; 2 ½-½

A long game is left open and named.
  next-round
  result < |0| => 1 of 2 boards of round 1 is in; provisional: board 1 open.
  result < +- !> Board 2
  SELECT board, result FROM round => 1 +-; 2 0-1

What is not understood is asked again; neither a slip nor the end of the input writes anything.
  next-round
  result < 2-0|9 1-0|1 0 => “2-0” is no result ... round 1 has no board 9
  SELECT board, result FROM round => 1 None; 2 None
  SELECT state FROM rounds => draft

Who moved is said after a correction, and only then: after a first result everybody does.
  next-round
  result - < 1 1-0|2 1-0 !> Who moved
  result 1 0-1 => Who moved: Anna 2 → 1, Boris 1 → 2.

Standings say which boards they lack, and stay at the last round with a result.
  add Eva && add Fred && next-round
  standings => Club, start order
  result 2 1-0
  standings => Club, after round 1 (provisional: boards 1 and 3 open)
  next-round --allow-open && result - < 1 =|2 =|3 =
  standings => (provisional: boards 1 and 3 of round 1 open)

Of a board named twice the last result counts, also when it is the one that stood there.
  next-round && result 1 1-0
  result - < 1 0-1|2 =|1 1-0
  SELECT board, result FROM round => 1 1-0; 2 ½-½

A match has its games won; a single result takes them away, also the same one.
  rules match_games=3 && next-round
  result - < 1 2-1|2 =
  SELECT result, white_wins, black_wins, drawn FROM round => 1-0 2 1 0; ½-½ None None None
  result - < 1 1-0|2 1-1-1
  SELECT result, white_wins, black_wins, drawn FROM round => 1-0 None None None; ½-½ 1 1 1
  SELECT revaluation, stale_from FROM tournament => on None
""")


def test_a_board_that_changed_meanwhile_is_shown_again(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody swaps at another terminal while the question stands."""
    console("next-round")
    answers = ["1", "0", None]

    def ask(_: str) -> str | None:
        if len(answers) == 3:
            console("swap Anna Boris")
        return answers.pop(0)

    monkeypatch.setattr("keizer.cli.output.asker", lambda: ask)
    assert "board 1 has changed, it is Anna – Boris now: look again." in console("result")
    assert console.rows("SELECT result FROM round WHERE board = 1") == [("0-1",)]
