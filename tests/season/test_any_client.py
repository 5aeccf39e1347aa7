"""A season paired without keizer: the sheet by INSERT INTO next_round, in each client."""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.support.console import ClubOf, Console, new_club
from tests.support.files import Client, edit

RESULTS = """
UPDATE round SET result = CASE (7 * white + 3 * black + round_number) % 5
    WHEN 0 THEN '0-1' WHEN 1 THEN '½-½' ELSE '1-0' END
  WHERE result IS NULL
"""

AWAY = """
INSERT INTO unplayed (tournament_id, round_number, player_id, kind)
  SELECT 1, {0}, player_id, 'excused' FROM x_player_tournament
  WHERE (player_id * 13 + {0} * 7) % 9 = 0
"""
"""A ninth of the members, others each time."""

PAIRED = "INSERT INTO next_round (tournament_id) VALUES (1)"

TOLD = [
    "SELECT round_number, board, white, black, result FROM pairings ORDER BY 1, 2, 3",
    "SELECT round_number, name, rank, score FROM standings ORDER BY 1, 3, 2",
    "SELECT round_number, board, about, sentence FROM pairing_reasons WHERE about <> 'bye'"
    " ORDER BY 1, 2, 3, 4",
    "SELECT * FROM relaxations",
]


@cache
def by_commands(members: int, rounds: int) -> bytes:
    """The file of a season that was paired by keizer."""
    with TemporaryDirectory() as folder:
        console = new_club(Path(folder, "commands.db"), members, "aim=top-down")
        for number in range(1, rounds + 1):
            edit(console.db, AWAY.format(number))
            console("next-round")
            edit(console.db, RESULTS)
        return console.db.read_bytes()


def compare(alone: Console, client: Client, members: int, rounds: int) -> None:
    """Assert that boards, reasons and standings are as by commands, and the file is sound.

    alone: a new season, which the client is to play. But for the reason of a bye: how the best
    pairing without it differs, only keizer knows.
    """
    paired = Console(alone.db.with_name("commands.db"))
    paired.db.write_bytes(by_commands(members, rounds))
    statements = []
    for number in range(1, rounds + 1):
        statements += [AWAY.format(number), PAIRED, RESULTS]
    one_line = [" ".join(statement.split()) for statement in statements]
    assert set(client(alone.db, one_line)) == {"ok"}
    for query in TOLD:
        assert alone.rows(query) == paired.rows(query), query
    assert alone.rows("SELECT count(*) FROM relaxations") == [(0,)]
    assert "is sound" in alone("check")


def test_two_rounds_of_five_boards(club_of: ClubOf, python: Client) -> None:
    compare(club_of(11, "aim=top-down"), python, members=11, rounds=2)


@pytest.mark.seeds
def test_a_whole_season(club_of: ClubOf, client: Client) -> None:
    compare(club_of(30, "aim=top-down"), client, members=30, rounds=25)


@pytest.mark.parametrize("rules", ["system=swiss first_round=halves", "rematch_gap=9"])
def test_a_season_has_no_dead_end(club_of: ClubOf, rules: str) -> None:
    """A Swiss, and where rules must give way: what is given up is on record, and all are seated."""
    console = club_of(7, rules)
    for number in range(1, 8):
        edit(console.db, PAIRED)
        seats = "SELECT count(*) FROM player_round WHERE round_number = ?"
        assert console.rows(seats.replace("?", str(number))) == [(7,)]
        edit(console.db, RESULTS)
    met = "SELECT count(*) FROM round GROUP BY min(white, black), max(white, black)"
    if "swiss" in rules:
        assert {*console.rows(met)} == {(1,)}, (
            "all meet once in seven rounds, each with a bye"
        )
        assert (
            console.rows("SELECT count(*) FROM unplayed GROUP BY player_id")
            == [(1,)] * 7
        )
    else:
        broken = console.rows("SELECT DISTINCT rule, why FROM relaxations")
        assert ("rematch_gap", "No pairing was found that keeps more rules.") in broken
    assert "is sound" in console("check")


REFUSED = f"""
UPDATE tournament SET status = 'finished' | this tournament is finished
UPDATE tournament SET revaluation = 'suspended' | the revaluation is suspended
{PAIRED} | the last round is a draft
{PAIRED}; UPDATE round SET result = '1-0' WHERE board = 1 | have no result
{PAIRED}; UPDATE round SET result = '1-0'; UPDATE rules SET rounds = 1 | are planned are paired
UPDATE x_player_tournament SET absent_as = 'excused' | nobody is present
UPDATE rules SET system = 'swiss', stuck = 'refuse'; INSERT INTO prohibited_pairing \
(tournament_id, name, player_id) SELECT 1, 'family', id FROM player | rules.stuck is refuse
"""


def test_it_refuses_what_the_command_refuses(club_of: ClubOf) -> None:
    with closing(sqlite3.connect(club_of(6).db, isolation_level=None)) as conn:
        for line in REFUSED.strip().splitlines():
            before, sentence = line.split(" | ")
            conn.execute("BEGIN")
            for statement in before.split(";"):
                conn.execute(statement)
            kept = [*conn.iterdump()]
            with pytest.raises(sqlite3.IntegrityError, match=sentence):
                conn.execute(PAIRED)
            assert [*conn.iterdump()] == kept
            conn.execute("ROLLBACK")
