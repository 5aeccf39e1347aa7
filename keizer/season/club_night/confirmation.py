"""Results that members enter themselves, and who confirms them.

The log knows who wrote each row.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Fact, say, term
from keizer.season.queries import Tournament
from keizer.season.tournaments import round_with_boards

USUAL = ("1-0", "½-½", "0-1")
"""What a member may enter; anything else is for the director."""


_REPORTER = r"(?s:(?P<name>.*) \(#(?P<player>\d+)\), phone(?P<confirms>, confirms)?)"


def signature_of(player: int, name: str) -> str:
    """Return the signature on the log of a member with a phone."""
    return f"{name} (#{player}), phone"


def describe_author(entry: Any) -> Fact:
    """Return who made an entry of the log: a member in words, or another program."""
    if not entry.who and entry.what:
        return ""
    if not entry.who:
        return say("another program")
    signature = str(entry.who)
    signed = re.fullmatch(_REPORTER, signature)
    if signed is None:
        return term(signature)
    facts = {"name": signed["name"], "player": int(signed["player"])}
    if signed["confirms"]:
        return say("{name} (#{player}), phone, confirms", **facts)
    return say("{name} (#{player}), phone", **facts)


def reporters_by_board(tournament: Tournament, number: int) -> dict[int, int]:
    """Return the boards of a round whose result a member entered, with the member.

    Player (id) by board.
    """
    return dict(tournament.run("reported", round=number))


def find_objections(
    tournament: Tournament,
    number: int,
    reported: Collection[int],
    known_objections: Mapping[tuple[int, str], tuple[int, str]],
) -> dict[int, tuple[int, str]]:
    """Return who objects to a reported result of a round, and their result, by board.

    reported: the boards of `reporters_by_board`. known_objections: who objects, and
    their result, by game (round.id) and the result that was reported.
    """
    objections = {}
    for game, result, board in tournament.run("reports", round=number):
        objection = known_objections.get((game, result))
        if board in reported and objection is not None:
            objections[board] = objection
    return objections


class OwnBoard(NamedTuple):
    """A member's own board in the last round.

    game: round.id. reporter: the player whose report its result is.
    """

    game: int
    round: int
    board: int
    result: str | None
    reporter: int | None


def own_board(tournament: Tournament, player: int) -> OwnBoard:
    """Return the board of a member who reports; refuse if there is none to report."""
    number = round_with_boards(tournament)
    if number == tournament.now.draft:
        raise KeizerError("round {number} is not published yet.", number=number)
    row = tournament.run("own_board", round=number, player=player).fetchone()
    if row is None:
        raise KeizerError("you have no board in round {number}.", number=number)
    game, number, board, result = row
    reporters = reporters_by_board(tournament, number)
    return OwnBoard(game, number, board, result, reporters.get(board))
