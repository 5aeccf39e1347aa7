"""The pairings of a program that read an exported report: a line of two start numbers a board."""

import re
from pathlib import Path
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.exchange.trf.exporting import asked
from keizer.formats import limits, parsing
from keizer.formats.carried import carry
from keizer.messages import Message
from keizer.season.queries import Tournament


@carry
class PairsFile(NamedTuple):
    """What stands in a file: of each board its line, and two start numbers, White first.

    called: the file, in a sentence. boards: a line that is none has twice the number 0.
    announced: how many boards the first line says there are.
    """

    called: str | Message
    boards: list[tuple[int, int, int]]
    announced: int | None


def read(path: Path) -> PairsFile:
    """Read a file, apart.

    The first line is the number of boards, and may lack, as JaVaFo and bbpPairings write them.
    """
    boards, announced = list[tuple[int, int, int]](), None
    text = limits.read(path, limits.SEASON).decode("utf-8-sig", "replace")
    for number, line in enumerate(limits.lines_of(text), 1):
        cells = re.fullmatch(r"\s*(\d{1,4})\s+(\d{1,4})\s*", line)
        if cells:
            boards.append((number, int(cells[1]), int(cells[2])))
        elif number == 1 and parsing.whole(line.strip()) is not None:
            announced = parsing.whole(line.strip())
        elif line.strip():
            boards.append((number, 0, 0))
    return PairsFile(limits.called(path), boards, announced)


def seated(
    tournament: Tournament, file: PairsFile
) -> tuple[list[tuple[int, int]], int | None]:
    """The boards (player.id, White first) and the bye, an opponent 0, of the coming round.

    Raises KeizerError, with the line, for what is no board, and where somebody present is not
    there.
    """
    called, players = file.called, [row[0] for row in asked(tournament, "players")]
    found = list[tuple[int, int]]()
    for line, white, black in file.boards:
        if not 0 < white <= len(players) or black > len(players):
            raise KeizerError(
                "{file}, line {line}: a board is two start numbers of the report from 1 to {last},"
                " White first; 0 as opponent is the bye.",
                file=called, line=line, last=len(players),
            )  # fmt: skip
        found.append((players[white - 1], players[black - 1] if black else 0))
    if not found:
        raise KeizerError("{file} has no pairings.", file=called)
    if file.announced not in (None, len(found)):
        raise KeizerError(
            "{file} announces {announced} boards and has {number}.",
            file=called, announced=file.announced, number=len(found),
        )  # fmt: skip
    byes = [white for white, black in found if not black]
    if len(byes) > 1:
        raise KeizerError(
            "{file} has {number} byes; there is one at most.",
            file=called,
            number=len(byes),
        )
    with_seats = {player for board in found for player in board}
    present = "SELECT player_id, name FROM presence WHERE tournament_id = ? AND absence IS NULL"
    for player, name in tournament.conn.execute(present, (tournament.id,)):
        if player not in with_seats:
            raise KeizerError(
                "{file} has no board for {name}, who is present.",
                file=called,
                name=name,
            )
    return [board for board in found if board[1]], byes[0] if byes else None
