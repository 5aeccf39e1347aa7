"""Results at a prompt and in bulk, corrections, and who moved."""

import pytest

from keizer import DeclinedError, Season
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
  result < 2-0|9 1-0|1 0 => “2-0” is not a result ... round 1 has no board 9
  SELECT board, result FROM round => 1 None; 2 None
  SELECT state FROM rounds => draft

Who moved is said after a correction, and only then: after a first result everybody does.
  next-round
  result - < 1 1-0|2 1-0 !> Who moved
  result 1 0-1 => Rank changes: Anna 2 → 1, Boris 1 → 2.

Standings say which boards they lack, and stay at the last round with a result.
  add Eva && add Fred && next-round
  standings => Club, start order
  result 2 1-0
  standings => Club, after round 1 (provisional: boards 1 and 3 open)
  next-round --allow-open && result - < 1 =|2 =|3 =
  standings => (provisional: boards 1 and 3 of round 1 open)

A board is played on another day than its round: before a result, with one, and after it.
  next-round && publish-round && rounds --date 1 2026-03-10
  remember
  result 2 --on 2026-03-17 => Round 1, board 2: on 2026-03-17
  pairings => Date ... 2026-03-17
  log --changes => round 1, board 2: on 2026-03-17 ... date nothing → 2026-03-17
  SELECT result, date FROM round => None None; None 2026-03-17
  result Clara adj --on 2026-03-24 => adj ... 2: on 2026-03-24
  SELECT result, date FROM round => None None; adj 2026-03-24
  result 2 1-0 !> 2026
  SELECT result, date FROM round => None None; 1-0 2026-03-24
  result 2 --on none => Round 1, board 2: on the day of its round
  SELECT result, date FROM round => None None; 1-0 None
  pairings !> Date
  undo
  SELECT result, date FROM round => None None; 1-0 2026-03-24
  undo all

Its day is not a result: a draft stays one, standings stay as they are, and so does who reported.
  next-round
  result 1 --on 2026-03-17
  SELECT state FROM rounds => draft
  SELECT result, last_updated, date FROM round WHERE board = 1 => None None 2026-03-17

In any program, too; the day of the round is none of its own.
  next-round && publish-round && rounds --date 1 2026-03-10
  UPDATE round SET date = '2026-03-17' WHERE board = 1
  UPDATE round SET date = '2026-03-10' WHERE board = 2
  SELECT board, date FROM pairings => 1 2026-03-17; 2 None

What is no day, and a board that is not there, are refused.
  next-round && publish-round
  ! result 1 --on 17/3/2026 => “17/3/2026” is not a date such as 2026-03-12 or 12-3-2026.
  ! result 1 1-0 --on 2026-02-30 => “2026-02-30” is not a date
  ! result 1 1-0 --on 99999999999999999999 => “99999999999999999999” is not a date
  ! result 9 --on 2026-03-17 => round 1 has no board 9
  ! result --on 2026-03-17
  ! result - --on 2026-03-17 < 1 1-0
  SELECT result, date FROM round => None None; None None

Of a board named twice the last result counts, also when it is the one that stood there.
  next-round && result 1 1-0
  result - < 1 0-1|2 =|1 1-0
  SELECT board, result FROM round => 1 1-0; 2 ½-½

A match has its games won; a single result takes them away, also the same one.
  rules match_games=3 && next-round
  result - < 1 2-1|2 =
  SELECT result, white_wins, black_wins, drawn FROM round => 1-0 2 1 0; ½-½ None None None
  result - < 1 2-1|2 =
  ! result - < 1 2-0|2 = => round 1 has another result on board 1: add --round 1
  result - --round 1 < 1 1-0|2 1-1-1
  SELECT result, white_wins, black_wins, drawn FROM round => 1-0 None None None; ½-½ 1 1 1
  SELECT revaluation, stale_from FROM tournament => on None

A list that would change results of the round before needs that round.
  rules rounds=1 && next-round && result - < 1 1-0|2 =
  ! next-round => the season is planned for 1 round
  ! result - < 1 0-1|2 1-0 => round 1 has other results on boards 1 and 2: add --round 1 if
  ! result < 1 0-1|2 1-0 => all results of round 1 are in: add --round 1 to change some.
  ! result - < 1 0-1|2 1-0|3 1-0 => round 1 has other results on boards 1 and 2
  SELECT board, result FROM round => 1 1-0; 2 ½-½
  result - --round 1 < 1 0-1|2 1-0 => Round 1, board 1: ... (was 1-0)
  result -r 1 < 2 0-1 => Daan – Clara 0-1 (was 1-0)
  SELECT board, result FROM round => 1 0-1; 2 0-1

It needs none where nothing changes, nor does one result, which says its round.
  next-round && result - < 1 1-0|2 =
  result - < 1 1-0|2 = => Round 1, board 2
  result - < 1 0-1 => Round 1, board 1: ... 0-1 (was 1-0)
  result 2 1-0 => Round 1, board 2: ... 1-0 (was ½-½)
  result 2 open
  result - < 2 =|1 0-1 => Round 1, board 2
  ! result - < 2 =|3 1-0 => round 1 has no board 3
  SELECT board, result FROM round => 1 0-1; 2 ½-½

One result that changes is enough, also beside open boards; of a board twice the last counts.
  players 6
  next-round && result - < 1 1-0|2 1-0
  ! result - < 1 0-1|3 = => round 1 has another result on board 1: add --round 1 if that round
  SELECT board, result FROM round => 1 1-0; 2 1-0; 3 None
  result - < 1 0-1|3 =|1 1-0
  SELECT board, result FROM round => 1 1-0; 2 1-0; 3 ½-½
""")


def test_a_program_names_the_round_of_a_list(console: Console) -> None:
    console("next-round")
    console("result -", stdin="1 1-0\n2 =\n")
    season = Season(console.db)
    with pytest.raises(
        DeclinedError, match="round 1 has another result on board 2"
    ) as declined:
        season.results({1: "1-0", 2: "0-1"})
    assert declined.value.option == "round"
    assert console.rows("SELECT result FROM round ORDER BY board") == [
        ("1-0",),
        ("½-½",),
    ]
    season.results({1: "1-0", 2: "0-1"}, round=1)
    season.results({2: "1-0"})
    assert console.rows("SELECT result FROM round ORDER BY board") == [
        ("1-0",),
        ("1-0",),
    ]


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
    assert "board 1 has changed: it is now Anna – Boris. Check it again." in console(
        "result"
    )
    assert console.rows("SELECT result FROM round WHERE board = 1") == [("0-1",)]
