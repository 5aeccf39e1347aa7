"""Results that members enter on their phones, and who confirms them.

The log has who wrote each row of the file.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Fact, say, term
from keizer.season.queries import Tournament
from keizer.season.tournaments import round_with_boards

USUAL = ("1-0", "½-½", "0-1")
"""The results that a member may enter; all others are for the director."""

_REPORTER = r"(?s:(?P<name>.*) \(#(?P<player>\d+)\), phone(?P<confirms>, confirms)?)"


def signature_of(player: int, name: str) -> str:
    """Return how the log signs what a member did by phone: "Jan Bakker (#7), phone"."""
    return f"{name} (#{player}), phone"


def describe_author(entry: Any) -> Fact:
    """Return who made an entry of the log, for a message.

    This is the account; for a member, what `signature_of` returned, to be translated.
    Return "" for a command without an account, which the director gave.
    """
    if not entry.who and entry.what:
        return ""
    if not entry.who:
        # Every command of keizer describes itself.
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
    """Return the members who entered results of a round: player.id by board.

    A board is left out if, by the log, its result is now somebody else's.
    """
    return dict(tournament.run("reporters", round=number))


def find_objections(
    tournament: Tournament,
    number: int,
    reported: Collection[int],
    known_objections: Mapping[tuple[int, str], tuple[int, str]],
) -> dict[int, tuple[int, str]]:
    """Return who objects to a result that was reported, by board.

    An objection is a player.id, and the result that this player reports instead.
    reported: the boards whose result a member entered, as of `reporters_by_board`.
    known_objections: by the game (round.id) and the result that was reported. If the
    game has another result by now, the objection is left out.
    """
    objections = {}
    for game, result, board in tournament.run("results_of_round", round=number):
        objection = known_objections.get((game, result))
        if board in reported and objection is not None:
            objections[board] = objection
    return objections


class OwnBoard(NamedTuple):
    """The board of a member in the last round.

    game: round.id. round: its number. reporter: player.id of the member who entered the
    result, or None; see `reporters_by_board`.
    """

    game: int
    round: int
    board: int
    result: str | None
    reporter: int | None


def own_board(tournament: Tournament, player: int) -> OwnBoard:
    """Return the board of a member, to report its result.

    Raises KeizerError if the round is not published, or the member has no board in it.
    """
    number = round_with_boards(tournament)
    if number == tournament.now.draft:
        raise KeizerError("round {number} is not published yet.", number=number)
    row = tournament.run("own_board", round=number, player=player).fetchone()
    if row is None:
        raise KeizerError("you have no board in round {number}.", number=number)
    game, number, board, result = row
    reporters = reporters_by_board(tournament, number)
    return OwnBoard(game, number, board, result, reporters.get(board))
