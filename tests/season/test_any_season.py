"""Seasons with any rules of pairing: every round is paired, written whole and explained.

`pytest -m campaign -s tests/season/test_any_season.py` plays 2,000 of them.
"""

import sqlite3

import pytest

from keizer.season import publication, tournaments, views
from tests.support.club_nights import Club
from tests.support.files import campaign


@pytest.mark.parametrize("seed", [*range(12), *campaign(12, 2000)])
def test_every_round_is_paired_written_whole_and_explained(
    conn: sqlite3.Connection, seed: int
) -> None:
    conn.row_factory = sqlite3.Row
    conn.execute("BEGIN")
    club = Club(conn, seed)
    for number in range(1, club.rng.randint(2, 14)):
        if tournaments.draft(club.conn, club.id):
            publication.publish(club.conn, club.id)
        club.between_rounds(number)
        present = club.present()
        paired = club.pair()
        if isinstance(paired, str):
            assert not present or "may meet twice in a Swiss" in paired
            break
        given_up = views.relaxations(club.conn, club.id, number)
        assert bool(given_up) == paired.given_up
        assert all(row["sentence"] and row["why"] for row in given_up)
        reasons = views.pairing_reasons(club.conn, club.id, number)
        assert all(row["sentence"] for row in reasons)
        boards = {row["board"] for row in reasons if row["about"] == "colour"}
        over = sum(row["sentence"].endswith(" is left over") for row in given_up)
        assert boards == set(range(1, (len(present) - over) // 2 + 1))
        assert sum(row["about"] == "bye" for row in reasons) == len(present) % 2 + over
        for _ in range(club.rng.randint(0, 2) if len(present) > 1 else 0):
            done = club.change_places(present)
            assert not isinstance(done, str) or "breaks a rule" in done
        club.results(number)
    assert club.conn.execute("SELECT problem FROM problems").fetchall() == []
