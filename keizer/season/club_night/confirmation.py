"""Results that members enter on their phones, and who confirms them.

The log has who wrote each row of the file.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Fact, say, term
from keizer.season.queries import Tournament
from keizer.season.tournaments import round_to_enter

MEMBER_RESULTS = ("1-0", "½-½", "0-1")
"""The results that a member may enter; all others are for the director."""

# What `signature_of` returns: "Jan Bakker (#7), phone". A signature of a member who
# confirmed a result ends with ", confirms".
_SIGNATURE = r"(?s:(?P<name>.*) \(#(?P<player>\d+)\), phone(?P<confirms>, confirms)?)"


def signature_of(player: int, name: str) -> str:
    """Return the author's name that the log has for what a member did by phone.

    player, name: player.id and the name. Example: "Jan Bakker (#7), phone".
    """
    return f"{name} (#{player}), phone"


def describe_author(entry: Any) -> Fact:
    """Return who made an entry of the log, to be shown to people.

    This is the name of the account or, for a member, the signature that `signature_of`
    made, as a message that can be translated. It is "" for a command that the director
    gave without an account, and "another program" for a change by another program.
    entry: the entry of the log, with who made it (`who`) and what it did (`what`).
    """
    if not entry.who and entry.what:
        return ""
    if not entry.who:
        # Every command of keizer describes what it does, so keizer did not do this.
        return say("another program")
    signature = str(entry.who)
    signed = re.fullmatch(_SIGNATURE, signature)
    if signed is None:
        return term(signature)
    facts = {"name": signed["name"], "player": int(signed["player"])}
    if signed["confirms"]:
        return say("{name} (#{player}), phone, confirms", **facts)
    return say("{name} (#{player}), phone", **facts)


def reporters_by_board(tournament: Tournament, number: int) -> dict[int, int]:
    """Return the members who entered the results of a round: player.id by board.

    By the log, this member entered the result that the board has now. A board whose
    result the director or another program entered is left out.
    """
    return dict(tournament.run("reporters", round=number))


def find_objections(
    tournament: Tournament,
    number: int,
    reported: Collection[int],
    known_objections: Mapping[tuple[int, str], tuple[int, str]],
) -> dict[int, tuple[int, str]]:
    """Return the objections that still stand against results of a round, by board.

    An objection is the player.id of a member, and the result that this member reports
    instead: {3: (25, "0-1")}.
    reported: the boards whose result a member entered: see `reporters_by_board`.
    known_objections: all objections, by the game (round.id) and the result that they
    are against. An objection is left out if the game has another result by now.
    """
    objections = {}
    for game, result, board in tournament.run("results_of_round", round=number):
        objection = known_objections.get((game, result))
        if board in reported and objection is not None:
            objections[board] = objection
    return objections


class OwnBoard(NamedTuple):
    """The board of a member in the last round."""

    game: int
    """round.id: the id of the game at this board."""
    round: int
    """The number of the round."""
    board: int
    """The number of the board."""
    result: str | None
    """The result, such as "1-0"; None if the game has none yet."""
    reporter: int | None
    """player.id of the member who entered the result; None if no member did."""


def own_board(tournament: Tournament, player: int) -> OwnBoard:
    """Return the board of a member in the last round that has boards.

    player: player.id of the member, who is to report the result.
    Raises KeizerError if that round is still a draft, the member has no board in it, or
    no round is paired.
    """
    number = round_to_enter(tournament)  # raises the error if no round is paired
    # A draft may still change, so members see its boards only once it is published.
    if number == tournament.now.draft:
        raise KeizerError("round {number} is not published yet.", number=number)
    row = tournament.run("own_board", round=number, player=player).fetchone()
    if row is None:
        raise KeizerError("you have no board in round {number}.", number=number)
    # Column round_number has the number again.
    game, _, board, result = row
    reporters = reporters_by_board(tournament, number)
    return OwnBoard(game, number, board, result, reporters.get(board))
