"""Rounds as PGN, read back by a small reader that takes nothing but the standard's form."""

from pathlib import Path

import pytest

from keizer import KeizerError
from keizer.exchange import pgn
from keizer.season.queries import Tournament
from keizer.store.database import reading
from tests.support.files import edit
from tests.support.files import run_keizer as keizer
from tests.support.pgn import exported


def test_a_round_has_a_game_for_each_board(sample: Path) -> None:
    """Round 1 of the worked example, as its table has it."""
    games = exported(sample, 1)
    assert [(game["Round"], game["White"], game["Black"], game["Result"]) for game in games] == [
        ("1.1", "Johnson", "Petersen", "1-0"), ("1.2", "Baker", "Butcher", "1/2-1/2"),
        ("1.3", "Carter", "Harrison", "0-1"), ("1.4", "Smith", "Higgins", "1/2-1/2"),
        ("1.5", "White", "Brown", "0-1"),
    ]  # fmt: skip
    assert games[0] == {
        "Event": "Worked example", "Site": "?", "Date": "????.??.??", "Round": "1.1",
        "White": "Johnson", "Black": "Petersen", "Result": "1-0",
        "BlackElo": "2158", "Board": "1", "WhiteElo": "2260",
    }  # fmt: skip


# Of three games only the counts are known: games with colours in some order would be made up.
MATCH = "(white_wins, black_wins, drawn) = (SELECT {})"


@pytest.mark.parametrize(("stored", "result", "said"), [
    ("result = '+-'", "1-0", "rules infraction"), ("result = '-+'", "0-1", "rules infraction"),
    ("result = '--'", "*", "rules infraction"), ("result = '0-0'", "*", "adjudication"),
    ("result = 'adj'", "*", "unterminated"), ("result = 'void'", "*", "abandoned"),
    ("result = NULL", "*", "unterminated"), ("result = '0-1'", "0-1", None),
    (MATCH.format("2, 1, 0"), "1-0", "2-1"), (MATCH.format("1, 1, 1"), "1/2-1/2", "1-1-1"),
    (MATCH.format("0, 1, 2"), "0-1", "0-1-2"),
])  # fmt: skip
def test_what_pgn_has_no_result_for_is_said_by_a_tag(
    sample: Path, stored: str, result: str, said: str | None
) -> None:
    where = "WHERE round_number = 2 AND board = 3"
    edit(
        sample, "UPDATE rules SET match_games = 3", f"UPDATE round SET {stored} {where}"
    )
    games = exported(sample, 2)
    assert len(games) == 5 and not any(
        "Match" in each for each in games if each is not games[2]
    )
    assert games[2]["Result"] == result
    assert games[2].get("Termination") or games[2].get("Match") == said


def test_what_is_known_is_there_inside_its_tag(sample: Path) -> None:
    edit(
        sample,
        "UPDATE tournament SET city = 'Delft', federation = 'NED', description = 'Club [X \"Y\"]'",
        "INSERT INTO schedule (tournament_id, round_number, date) VALUES (1, 2, '2026-01-09')",
        """UPDATE player SET title = 'WGM', fide_id = 1000016, name = 'O"Neil \\ Sons, Zoë'
            WHERE name = 'Johnson'""",
    )
    game = exported(sample, 2)[0]
    assert game["Black"] == 'O"Neil \\ Sons, Zoë' and game["Event"] == 'Club [X "Y"]'
    assert (game["Site"], game["Date"]) == ("Delft NED", "2026.01.09")
    assert (game["BlackTitle"], game["BlackFideId"]) == ("WGM", "1000016")
    assert "WhiteTitle" not in game and "WhiteFideId" not in game


def test_a_game_on_another_day_than_its_round_has_that_date(sample: Path) -> None:
    edit(
        sample,
        "INSERT INTO schedule (tournament_id, round_number, date) VALUES (1, 2, '2026-01-09')",
        "UPDATE round SET date = '2026-02-03' WHERE round_number = 2 AND board = 3",
        "UPDATE round SET date = '2026-02-04' WHERE round_number = 1 AND board = 1",
    )
    days = {game["Board"]: game["Date"] for game in exported(sample, 2)}
    assert days["3"] == "2026.02.03" and {*days.values()} == {
        "2026.01.09",
        "2026.02.03",
    }
    assert [game["Date"] for game in exported(sample, 1)][:2] == [
        "2026.02.04",
        "????.??.??",
    ]


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
    with (
        reading(sample) as conn,
        pytest.raises(KeizerError, match="round 9 has no boards"),
    ):
        pgn.export(Tournament(conn, 1), 9)
