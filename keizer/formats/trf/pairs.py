"""The pairings of a program that read an exported report: a line of two start numbers a board."""

import re
import sqlite3

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.formats.trf.exporting import start_list
from keizer.store.atomic import StrPath


def read(
    conn: sqlite3.Connection, tournament: int, path: StrPath
) -> tuple[list[tuple[int, int]], int | None]:
    """The boards (player.id, White first) and the bye, an opponent 0, of the coming round.

    The first line is the number of boards, and may lack, as JaVaFo and bbpPairings write them.
    Raises KeizerError, with the line, for anything else.
    """
    players = start_list(conn, tournament)
    boards, bye = [], None
    text = limits.read(path, limits.SEASON).decode("ascii", "replace")
    for number, line in enumerate(text.split("\n"), 1):
        found = re.fullmatch(r"\s*(\d{1,4})\s+(\d{1,4})\s*", line)
        white, black = map(int, found.groups()) if found else (0, 0)
        if found and 0 < white <= len(players) and black <= len(players):
            if black:
                boards.append((players[white - 1], players[black - 1]))
            else:
                bye = players[white - 1]
        elif line.strip() and not (number == 1 and line.strip().isdecimal()):
            raise KeizerError(
                f"{limits.called(path)}, line {number}: a board is two start numbers of the report"
                f" from 1 to {len(players)}, White first; 0 as opponent is the bye."
            )
    if not boards:
        raise KeizerError(f"{limits.called(path)} has no pairings.")
    return boards, bye
