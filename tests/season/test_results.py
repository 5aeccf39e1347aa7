"""Results at a prompt and in bulk, corrections, and who moved."""

import pytest

from tests.support.console import Console

RESULTS = "SELECT board, result FROM round ORDER BY round_number, board"


def test_results_are_asked_for_board_by_board(console: Console) -> None:
    """Quick keys; a board and a result corrects an earlier one; each is kept at once."""
    console("next-round")
    said = console("result", stdin="1\n=\n1 0-1\n\n")
    assert console.rows(RESULTS) == [(1, "0-1"), (2, "½-½")]
    assert "Board 1, Boris – Anna: 1" in said and "Board 2, Daan – Clara: =" in said
    assert "Boris – Anna 0-1 (was 1-0)" in said
    assert said.endswith("2 of 2 boards of round 1 are in.\n")


def test_a_long_game_is_left_open_and_named(console: Console) -> None:
    console("next-round")
    said = console("result", stdin="\n0\n\n")
    assert said.endswith("1 of 2 boards of round 1 is in; provisional: board 1 open.\n")
    again = console("result", stdin="+-\n")
    assert "Board 2" not in again and console.rows(RESULTS) == [(1, "+-"), (2, "0-1")]


def test_what_is_not_understood_is_asked_again(console: Console) -> None:
    """Neither a slip of the finger nor the end of the input writes anything."""
    console("next-round")
    said = console("result", stdin="2-0\n9 1-0\n1 0\n")
    assert "“2-0” is no result" in said and "round 1 has no board 9" in said
    assert console.rows(RESULTS) == [(1, None), (2, None)]
    assert console.json("rounds")[0]["state"] == "draft"


def test_who_moved_is_said_after_a_correction(console: Console) -> None:
    """And only then: after a first result everybody does."""
    console("next-round")
    assert "Who moved" not in console("result -", stdin="1 1-0\n2 1-0\n")
    ranks = "SELECT name, rank FROM standings WHERE round_number = 1"
    before = dict(console.rows(ranks))
    said = console("result 1 0-1")
    moved = sorted((now, name) for name, now in console.rows(ranks) if now != before[name])
    assert moved
    listed = ", ".join(f"{name} {before[name]} → {now}" for now, name in moved)
    assert f"Who moved: {listed}." in said


def test_standings_say_which_boards_they_lack(console: Console) -> None:
    """They stay at the last round with a result."""
    console("add Eva && add Fred && next-round")
    assert console("standings").startswith("Club, start order")
    console("result 2 1-0")
    assert console("standings").startswith(
        "Club, after round 1 (provisional: boards 1 and 3 open)\n"
    )
    console("next-round --allow-open")
    console("result -", stdin="1 =\n2 =\n3 =\n")
    assert "(provisional: boards 1 and 3 of round 1 open)" in console("standings")


def test_a_board_that_changed_meanwhile_is_shown_again(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody swaps at another terminal while the question stands."""
    console("next-round")
    white, black = console.sheet()[0]
    answers = ["1", "0", None]

    def ask(_: str) -> str | None:
        if len(answers) == 3:
            console(f"swap {white} {black}")
        return answers.pop(0)

    monkeypatch.setattr("keizer.cli.output.asker", lambda: ask)
    assert f"board 1 has changed, it is {black} – {white} now: look again." in console("result")
    assert console.rows(RESULTS)[0] == (1, "0-1")


def test_of_a_board_named_twice_the_last_result_counts(console: Console) -> None:
    """Also when it is the one that stood there."""
    console("next-round && result 1 1-0")
    console("result -", stdin="1 0-1\n2 =\n1 1-0\n")
    assert console.rows(RESULTS) == [(1, "1-0"), (2, "½-½")]


def test_results_of_matches_and_games_come_in_at_once(console: Console) -> None:
    """A match has its games won, and a single result takes them away, also the same one."""
    won = "SELECT board, result, white_wins, black_wins, drawn FROM round ORDER BY board"
    console("rules match_games=3 && next-round")
    console("result -", stdin="1 2-1\n2 =\n")
    assert console.rows(won) == [(1, "1-0", 2, 1, 0), (2, "½-½", None, None, None)]
    console("result -", stdin="1 1-0\n2 1-1-1\n")
    assert console.rows(won) == [(1, "1-0", None, None, None), (2, "½-½", 1, 1, 1)]
    assert console.rows("SELECT revaluation, stale_from FROM tournament") == [("on", None)]
