"""Seasons with any rules of pairing: every round is paired, written whole and explained.

`pytest -m campaign -s tests/season/test_any_season.py` plays 2,000 of them.
"""

import sqlite3

import pytest

from keizer.pairing.boards import Boards
from keizer.season import views
from keizer.season.club_night.rounds import read_pairing_basis
from tests.support.club_nights import Club
from tests.support.files import campaign


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 2000)])
def test_every_round_is_paired_written_whole_and_explained(
    conn: sqlite3.Connection, seed: int
) -> None:
    conn.row_factory = sqlite3.Row
    conn.execute("BEGIN")
    club = Club(conn, seed)
    for number in range(1, club.rng.randint(2, 14)):
        club.between_rounds(number)
        present = club.present()
        paired = club.pair()
        if isinstance(paired, str):
            assert not present or "may meet the same player twice" in paired
            break
        seated = conn.execute(
            "SELECT player_id FROM player_round"
            " WHERE round_number = ? AND (opponent_id IS NOT NULL OR kind = 'bye')", (number,)
        ).fetchall()  # fmt: skip
        assert sorted(player for (player,) in seated) == sorted(present)
        given_up = views.relaxations(club.tournament, number)
        assert given_up == paired.relaxations
        assert all(row["sentence"] and row["why"] for row in given_up)
        reasons = views.pairing_reasons(club.tournament, number)
        assert all(row["sentence"] for row in reasons)
        boards = {row["board"] for row in reasons if row["about"] == "colour"}
        over = sum(row["sentence"].endswith(" is left over") for row in given_up)
        assert boards == set(range(1, (len(present) - over) // 2 + 1))
        # Where some are left over, whoever has the bye is one of them, unless it was by hand.
        by_hand = sum(
            row["about"] == "bye" and row["because"] == "hand" for row in reasons
        )
        byes = over + by_hand or len(present) % 2
        assert sum(row["about"] == "bye" for row in reasons) == byes
        for _ in range(club.rng.randint(0, 2) if len(present) > 1 else 0):
            done = club.change_places(present)
            assert not isinstance(done, str) or "breaks a rule" in done
        club.results(number)
    assert club.conn.execute("SELECT problem FROM problems").fetchall() == []


INSERT = (
    "INSERT INTO round (tournament_id, round_number, white, black) VALUES (?, ?, ?, ?)"
)
BOARD = "WHERE (tournament_id, round_number, white, black) = (?, ?, ?, ?)"
TURN = f"UPDATE round SET white = black, black = white {BOARD}"


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 200)])
def test_what_a_person_seats_is_noted_as_the_engine_would_have_it(
    conn: sqlite3.Connection, seed: int
) -> None:
    """Boards inserted, deleted and turned by plain SQL: places, and the rules that they break."""
    conn.execute("BEGIN")
    Club(conn, seed + 2000)
    conn.execute("UPDATE tournament SET description = 'Other'")
    conn.execute("UPDATE player SET name = 'Q' || id")
    club = Club(conn, seed)
    for number in range(1, club.rng.randint(2, 10)):
        club.between_rounds(number)
        basis = read_pairing_basis(club.tournament)
        if not basis.present:
            break
        place = basis.places()
        boards = Boards(conn, club.id, basis.policy, list(basis.present))
        there = club.rng.sample(list(place), len(place))
        for one, two in zip(there[::2], there[1::2], strict=False):
            seated = (club.id, number, one, two)
            conn.execute(INSERT, seated)
            if club.often(0.3):
                conn.execute(f"DELETE FROM round {BOARD}", seated)
                conn.execute(INSERT, seated)
            if club.often(0.3):
                conn.execute(TURN, seated)
                seated = (club.id, number, two, one)
            noted = f"SELECT white_place, black_place, colour_by FROM round {BOARD}"
            broken = f"SELECT rule, amount FROM reason {BOARD} AND about = 'given up'"
            ids = seated[2:]
            assert [*conn.execute(noted, seated)] == [(*map(place.get, ids), "fixed")]
            assert dict(conn.execute(broken, seated).fetchall()) == boards.breaches(ids)
        if len(there) % 2:
            conn.execute(
                "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
                " VALUES (?, ?, ?, 'bye')",
                (club.id, number, there[-1]),
            )
        club.results(number)
    assert conn.execute("SELECT problem FROM problems").fetchall() == []
