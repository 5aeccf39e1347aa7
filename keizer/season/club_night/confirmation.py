"""Results that members enter themselves, and who confirms them: the log knows who wrote a row."""

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Fact, say, term
from keizer.season.queries import Tournament
from keizer.season.tournaments import round_with_boards

USUAL = ("1-0", "½-½", "0-1")
"""What a member may enter; anything else is for the director."""


def reporter(player: int, name: str) -> str:
    """Who a member with a phone is on the log."""
    return f"{name} (#{player}), phone"


def who(entry: Any) -> Fact:
    """Who did an entry of the log: what `reporter` signed, in words; else another program."""
    if not entry.who:
        return "" if entry.what else say("another program")
    found = re.fullmatch(
        r"(.*) \(#(\d+)\), phone(, confirms)?", str(entry.who), re.DOTALL
    )
    if found is None:
        return term(str(entry.who))
    facts = {"name": found[1], "player": int(found[2])}
    if found[3]:
        return say("{name} (#{player}), phone, confirms", **facts)
    return say("{name} (#{player}), phone", **facts)


def reported(tournament: Tournament, number: int) -> dict[int, int]:
    """Boards of a round whose result a member entered: board and player."""
    return dict(tournament.run("reported", round=number))


def disputed(
    tournament: Tournament,
    number: int,
    known: Collection[int],
    said: Mapping[tuple[int, str], tuple[int, str]],
) -> dict[int, tuple[int, str]]:
    """Of the boards of a round that are `reported`, the disputed: by whom, and what they say.

    said: that, by game (round.id) and the result that was reported.
    """
    return {
        board: said[game, result]
        for game, result, board in tournament.run("reports", round=number)
        if board in known and (game, result) in said
    }


class Board(NamedTuple):
    """Somebody's own board in the last round. game: round.id; by: whose report its result is."""

    game: int
    round: int
    board: int
    result: str | None
    by: int | None


def own_board(tournament: Tournament, player: int) -> Board:
    """The board of a member who reports; KeizerError where there is none to report of."""
    number = round_with_boards(tournament)
    if number == tournament.now.draft:
        raise KeizerError("round {number} is not published yet.", number=number)
    mine = tournament.run("own_board", round=number, player=player).fetchone()
    if mine is None:
        raise KeizerError("you have no board in round {number}.", number=number)
    game, number, board, result = mine
    return Board(game, number, board, result, reported(tournament, number).get(board))
