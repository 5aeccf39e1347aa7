"""Rounds as PGN, read back by a small reader that takes nothing but the standard's form."""

from pathlib import Path

import pytest

from keizer import KeizerError
from keizer.formats import pgn
from keizer.store.database import reading
from tests.support.files import edit, exported
from tests.support.files import run_keizer as keizer


def test_a_round_has_a_game_for_each_board(sample: Path) -> None:
    """Round 1 of the worked example, as its table has it."""
    games = exported(sample, 1)
    assert [(game["Round"], game["White"], game["Black"], game["Result"]) for game in games] == [
        ("1.1", "Johnson", "Petersen", "1-0"),
        ("1.2", "Baker", "Butcher", "1/2-1/2"),
        ("1.3", "Carter", "Harrison", "0-1"),
        ("1.4", "Smith", "Higgins", "1/2-1/2"),
        ("1.5", "White", "Brown", "0-1"),
    ]
    assert games[0] == {
        "Event": "Worked example", "Site": "?", "Date": "????.??.??", "Round": "1.1",
        "White": "Johnson", "Black": "Petersen", "Result": "1-0",
        "BlackElo": "2158", "Board": "1", "WhiteElo": "2260",
    }  # fmt: skip


@pytest.mark.parametrize(("stored", "result", "termination"), [
    ("'+-'", "1-0", "rules infraction"), ("'-+'", "0-1", "rules infraction"),
    ("'--'", "*", "rules infraction"), ("'0-0'", "*", "adjudication"),
    ("'adj'", "*", "unterminated"), ("'void'", "*", "abandoned"), ("NULL", "*", "unterminated"),
    ("'0-1'", "0-1", None),
])  # fmt: skip
def test_what_pgn_has_no_result_for_is_said_by_termination(
    sample: Path, stored: str, result: str, termination: str | None
) -> None:
    edit(sample, f"UPDATE round SET result = {stored} WHERE round_number = 2 AND board = 3")
    game = exported(sample, 2)[2]
    assert (game["Result"], game.get("Termination")) == (result, termination)


def test_place_date_titles_and_numbers_are_there_where_known(sample: Path) -> None:
    edit(
        sample,
        "UPDATE tournament SET city = 'Delft', federation = 'NED'",
        "INSERT INTO schedule (tournament_id, round_number, date) VALUES (1, 2, '2026-01-09')",
        "UPDATE player SET title = 'WGM', fide_id = 1000016 WHERE name = 'Johnson'",
    )
    game = exported(sample, 2)[0]
    assert game["Black"] == "Johnson"
    assert (game["Site"], game["Date"]) == ("Delft NED", "2026.01.09")
    assert (game["BlackTitle"], game["BlackFideId"]) == ("WGM", "1000016")
    assert "WhiteTitle" not in game and "WhiteFideId" not in game


def test_quotes_and_backslashes_stay_inside_their_tag(sample: Path) -> None:
    edit(
        sample,
        """UPDATE player SET name = 'O"Neil \\ Sons, Zoë' WHERE name = 'Johnson'""",
        "UPDATE tournament SET description = 'Club [White \"X\"]'",
    )
    game = exported(sample, 1)[0]
    assert game["White"] == 'O"Neil \\ Sons, Zoë'
    assert game["Event"] == 'Club [White "X"]'


@pytest.mark.parametrize(
    ("games", "result", "match"),
    [("2, 1, 0", "1-0", "2-1"), ("1, 1, 1", "1/2-1/2", "1-1-1"), ("0, 1, 2", "0-1", "0-1-2")],
)
def test_a_match_is_one_game_that_says_so(
    sample: Path, games: str, result: str, match: str
) -> None:
    """Only the counts are known: games with colours in some order would be made up."""
    edit(
        sample,
        "UPDATE rules SET match_games = 3",
        f"UPDATE round SET (white_wins, black_wins, drawn) = (SELECT {games})"
        " WHERE round_number = 2 AND board = 3",
    )
    found = exported(sample, 2)
    assert [game["Round"] for game in found] == ["2.1", "2.2", "2.3", "2.4", "2.5"]
    assert [game.get("Match") for game in found] == [None, None, match, None, None]
    assert found[2]["Result"] == result


def test_a_draft_is_not_exported(sample: Path, tmp_path: Path) -> None:
    """The site does not show it either; published it is a round like any other."""
    keizer("next-round", sample)
    for more in ([], ["--round", 3]):
        said = keizer("export", sample, tmp_path / "x.pgn", *more, fails=True).stderr
        assert "round 3 is a draft: publish it first (`keizer publish-round`)" in said
    assert not (tmp_path / "x.pgn").exists()
    keizer("publish-round", sample)
    assert {game["Result"] for game in exported(sample, 3)} == {"*"}


def test_a_round_without_boards_is_refused(sample: Path) -> None:
    with reading(sample) as conn, pytest.raises(KeizerError, match="round 9 has no boards"):
        pgn.export(conn, 1, 9)
