"""Find the player and the round that somebody means, as acts and reports begin."""

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
    """The rank and score of a player after a round. player: player.id."""

    player: int
    name: str
    rank: int
    score: float

    @property
    def message(self) -> Message:
        """The name and the rank, as a sentence has them."""
        return say("{name}, rank {rank}", name=self.name, rank=self.rank)


def _typed(who: Who) -> str:
    """Return a player as somebody would type them: the id 25 as #25, a name as it is.

    Raises KeizerError if `who` is neither a whole number nor a text that a file can
    store.
    """
    if isinstance(who, str):
        return spelling.check_text(who)
    # Whole numbers of other types, such as those of numpy, are ids too. True and False
    # are whole numbers for Python, but somebody who passes them made a mistake.
    is_whole_number = hasattr(who, "__index__") and not isinstance(who, bool)
    if not is_whole_number:
        raise KeizerError("a player is a number, or a name as text.")
    digits = spelling.as_digits(index(who))
    return f"#{digits}"


def find_players(tournament: Tournament, who: Iterable[Who]) -> dict[int, str]:
    """Find the players of the tournament that somebody means; return name by id.

    who: ids, or names as typed; a player who is named twice is returned once.
    Raises KeizerError if `who` is empty or a name fits several players, and NobodyError
    if a name or id fits nobody.
    """
    entered = roster.players(tournament)
    ids = [resolve.find_player_id(_typed(player), entered) for player in who]
    if not ids:
        raise KeizerError("name at least one player.")
    return {id_: entered[id_] for id_ in ids}


def find_player(tournament: Tournament, who: Who) -> Player:
    """Find the player of the tournament that somebody means.

    Raises KeizerError if `who` fits several players, and NobodyError if it fits nobody.
    """
    (player,) = find_players(tournament, [who]).items()
    return Player(*player)


def find_person(tournament: Tournament, who: Who) -> Player:
    """Find the person that somebody means.

    They are looked for in the tournament, and if nobody there fits, in the whole file.
    Raises KeizerError if `who` fits several persons, and NobodyError if it fits nobody.
    """
    try:
        return find_player(tournament, who)
    except resolve.NobodyError:
        rows = tournament.conn.execute("SELECT id, name FROM player").fetchall()
        everybody = dict(rows)
        player = resolve.find_player_id(_typed(who), everybody)
        return Player(player, everybody[player])


def distinct_pair(
    tournament: Tournament, who: Who, opponent: Who
) -> tuple[Player, Player]:
    """Find the two players of the tournament who are to meet.

    Raises KeizerError if both are the same player, or if one cannot be found.
    """
    first = find_player(tournament, who)
    second = find_player(tournament, opponent)
    if first == second:
        raise KeizerError("a player cannot meet themselves.")
    return first, second


def find_round(tournament: Tournament, number: int | None, first: int) -> int:
    """Return the number of a round, or raise KeizerError if there is no such round.

    number: the round that was typed; None for the default. For standings this is the
    last round with a result, and for boards the last round that is paired.
    first: the first round that there can be. It is 0 for standings, since there are
    standings before the first round, and 1 for boards.
    """
    last = tournament.now.last_round
    if number is None:
        is_for_boards = first > 0
        number = last if is_for_boards else tournament.now.current_round
    if first <= number <= last:
        return number
    if last < first:
        raise KeizerError(
            "there is no round {round}: none is paired yet.", round=number
        )
    raise KeizerError(
        "there is no round {round}; the rounds are {first} to {last}.",
        round=number,
        first=first,
        last=last,
    )


def find_standing(tournament: Tournament, number: int, who: Who) -> Standing:
    """Return the rank and score of a player after a round.

    Raises KeizerError if the player is not in the standings of that round yet.
    """
    player, name = find_player(tournament, who)
    rows = views.place(tournament, number, player)
    if not rows:
        raise KeizerError(
            "{name} is not in the list after round {round} yet.",
            name=name,
            round=number,
        )
    return Standing(player, name, rows[0]["rank"], rows[0]["score"])
