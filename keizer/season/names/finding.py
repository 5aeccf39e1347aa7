"""Which player and which round are meant: what an act and a report begin with."""

from collections.abc import Iterable
from operator import index
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season import views
from keizer.season.names import resolve, spelling
from keizer.season.people import roster
from keizer.season.queries import Tournament

Who = int | str
"""A player: their id, or their name as typed."""


class Player(NamedTuple):
    """A player: their id, and the name as the file has it."""

    id: int
    name: str


class Standing(NamedTuple):
    """A player, and where they stand after a round."""

    player: int
    name: str
    rank: int
    score: float

    @property
    def said(self) -> Message:
        """The name and the rank."""
        return say("{name}, rank {rank}", name=self.name, rank=self.rank)


def _typed(who: Who) -> str:
    if isinstance(who, str):
        return spelling.text(who)
    if isinstance(who, bool) or not hasattr(who, "__index__"):
        raise KeizerError("a player is a number, or a name as text.")
    return f"#{spelling.digits(index(who))}"


def find_players(tournament: Tournament, who: Iterable[Who]) -> dict[int, str]:
    """Find the players meant, each once: name by id. Raises KeizerError if none is named."""
    entered = roster.players(tournament)
    found = [resolve.player(_typed(player), entered) for player in who]
    if not found:
        raise KeizerError("name at least one player.")
    return {player: entered[player] for player in found}


def find_player(tournament: Tournament, who: Who) -> Player:
    """Find the player meant. Raises KeizerError if nobody, or more than one, can be meant."""
    return Player(*next(iter(find_players(tournament, [who]).items())))


def find_person(tournament: Tournament, who: Who) -> Player:
    """Find the player meant, or a person of the file who did not enter this tournament."""
    try:
        return find_player(tournament, who)
    except resolve.NobodyError:
        everybody = dict(
            tournament.conn.execute("SELECT id, name FROM player").fetchall()
        )
        player = resolve.player(_typed(who), everybody)
        return Player(player, everybody[player])


def distinct_pair(tournament: Tournament, one: Who, two: Who) -> tuple[Player, Player]:
    """Find two players who are to meet. Raises KeizerError if both are the same."""
    both = find_player(tournament, one), find_player(tournament, two)
    if both[0] == both[1]:
        raise KeizerError("a player cannot meet themselves.")
    return both


def find_round(tournament: Tournament, number: int | None, first: int) -> int:
    """Check the number of a round; by default the current one.

    first: 0 of standings, and 1 of boards, where the last one is the default.
    Raises KeizerError if there is no such round.
    """
    now = tournament.now
    if number is None:
        number = now.last_round if first else now.current_round
    if first <= number <= now.last_round:
        return number
    if now.last_round < first:
        raise KeizerError(
            "there is no round {round}: none is paired yet.", round=number
        )
    raise KeizerError(
        "there is no round {round}: there are {first} to {last}.",
        round=number,
        first=first,
        last=now.last_round,
    )


def standing_of(tournament: Tournament, number: int, who: Who) -> Standing:
    """Find where a player stands after a round. Raises KeizerError if not in that list yet."""
    player, name = find_player(tournament, who)
    found = views.place(tournament, number, player)
    if not found:
        raise KeizerError(
            "{name} is not in the list after round {round} yet.",
            name=name,
            round=number,
        )
    return Standing(player, name, found[0]["rank"], found[0]["score"])
