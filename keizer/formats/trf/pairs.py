"""The pairings of a program that read an exported report: a line of two start numbers a board."""

import re

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.season.queries import Tournament
from keizer.store.atomic import StrPath


def read(tournament: Tournament, path: StrPath) -> tuple[list[tuple[int, int]], int | None]:
    """The boards (player.id, White first) and the bye, an opponent 0, of the coming round.

    The first line is the number of boards, and may lack, as JaVaFo and bbpPairings write them.
    Raises KeizerError, with the line, for anything else, and where somebody present is not there.
    """
    numbered = "SELECT player_id FROM z_report WHERE tournament_id = ? ORDER BY number"
    called, players = limits.called(path), tournament.scalars(numbered, tournament.id)
    found, announced = list[tuple[int, int]](), None
    text = limits.read(path, limits.SEASON).decode("utf-8-sig", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        cells = re.fullmatch(r"\s*(\d{1,4})\s+(\d{1,4})\s*", line)
        white, black = map(int, cells.groups()) if cells else (0, 0)
        if cells and 0 < white <= len(players) and black <= len(players):
            found.append((players[white - 1], players[black - 1] if black else 0))
        elif number == 1 and line.strip().isdecimal():
            announced = int(line)
        elif line.strip():
            raise KeizerError(
                "{file}, line {line}: a board is two start numbers of the report from 1 to {last},"
                " White first; 0 as opponent is the bye.",
                file=called, line=number, last=len(players),
            )  # fmt: skip
    if not found:
        raise KeizerError("{file} has no pairings.", file=called)
    if announced not in (None, len(found)):
        raise KeizerError(
            "{file} announces {announced} boards and has {number}.",
            file=called, announced=announced, number=len(found),
        )  # fmt: skip
    byes = [white for white, black in found if not black]
    if len(byes) > 1:
        raise KeizerError(
            "{file} has {number} byes; there is one at most.", file=called, number=len(byes)
        )
    seated = {player for board in found for player in board}
    present = "SELECT player_id, name FROM presence WHERE tournament_id = ? AND absence IS NULL"
    for player, name in tournament.conn.execute(present, (tournament.id,)):
        if player not in seated:
            raise KeizerError(
                "{file} has no board for {name}, who is present.", file=called, name=name
            )
    return [board for board in found if board[1]], byes[0] if byes else None
