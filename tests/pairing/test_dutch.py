"""A Swiss is paired as FIDE's Dutch system does, but for what docs/pairing.md says is not there.

dutch.txt has tournaments of bbpPairings, a program that FIDE endorses. Each round is paired in the
file, from the games that were played before it, and compared with what that program made.
"""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from keizer.season import presets
from keizer.season.club_night import rounds
from keizer.season.queries import Tournament
from tests.support.files import empty

TOURNAMENTS = (
    (Path(__file__).parent / "dutch.txt").read_text(encoding="utf-8").split("\n\n")[1:]
)
RESULTS = {"1": "1-0", "0": "0-1", "=": "½-½", "+": "+-", "-": "-+"}
"""By the cell of White."""

Table = list[list[str]]


def paired(conn: sqlite3.Connection, table: Table, number: int) -> set[frozenset[int]]:
    """The boards of a round by keizer, who is absent being as in the tournament."""
    for player, cells in enumerate(table, 1):
        if cells[number - 1] == ".":
            conn.execute(
                "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
                " VALUES (1, ?, ?, 'excused')",
                (number, player),
            )
    found = rounds.find_best_pairing(
        Tournament(conn, 1), rounds.read_pairing_basis(Tournament(conn, 1))
    )
    return {frozenset(board) for board in found.boards}


def played(
    conn: sqlite3.Connection, table: Table, number: int
) -> Iterator[frozenset[int]]:
    """Write the boards of the tournament and their results."""
    for player, cells in enumerate(table, 1):
        cell = cells[number - 1]
        if cell == "U":
            conn.execute(
                "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
                " VALUES (1, ?, ?, 'bye')",
                (number, player),
            )
        elif white := re.fullmatch(r"(\d+)w(.)", cell):
            other = int(white[1])
            result = RESULTS[white[2]]
            if white[2] == "-" and table[other - 1][number - 1][-1] == "-":
                result = "--"
            conn.execute(
                "INSERT INTO round (tournament_id, round_number, white, black, result)"
                " VALUES (1, ?, ?, ?, ?)",
                (number, player, other, result),
            )
            yield frozenset((player, other))


@pytest.mark.parametrize(
    "chunk",
    [
        range(2),
        *(
            pytest.param(range(at, at + 6), marks=pytest.mark.seeds)
            for at in (2, 8, 14)
        ),
    ],
)
def test_boards_are_those_of_a_program_that_fide_endorses(chunk: range) -> None:
    same = boards = whole = count = 0
    for tournament in chunk:
        table = [line.split() for line in TOURNAMENTS[tournament].splitlines()]
        conn = empty()
        conn.execute("INSERT INTO tournament (description) VALUES ('Open')")
        presets.apply_preset(Tournament(conn, 1), "swiss-half")
        conn.executemany(
            "INSERT INTO player (id, name) VALUES (?, ?)",
            [(number, f"Player {number}") for number in range(1, len(table) + 1)],
        )
        conn.execute(
            "INSERT INTO x_player_tournament (tournament_id, player_id, start_rank)"
            " SELECT 1, id, id FROM player"
        )
        for number in range(1, len(table[0]) + 1):
            ours = paired(conn, table, number)
            theirs = {*played(conn, table, number)}
            same, boards = same + len(ours & theirs), boards + len(theirs)
            whole, count = whole + (ours == theirs), count + 1
        conn.close()
    assert same >= 0.97 * boards, (same, boards)
    assert whole >= 0.9 * count, (whole, count)
