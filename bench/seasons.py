"""Seasons of made-up clubs as plain data: who is a member, who met whom, who stayed away.

The same numbers make the same season. The stronger win more often, neighbours in
the table meet, and who is left over has the bye.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

DRAWS = 0.3
"""So many of the games."""

_KINDS = ("excused", "excused", "unexcused", "club duty")
_POINTS = {"1-0": (1.0, 0.0), "½-½": (0.5, 0.5), "0-1": (0.0, 1.0)}


class Person(NamedTuple):
    """Somebody who plays."""

    name: str
    rating: int


class Game(NamedTuple):
    """Players are numbered from 1 in the order of Season.players."""

    round_number: int
    board: int
    white: int
    black: int
    result: str


class Unplayed(NamedTuple):
    """A round without a game, and why."""

    round_number: int
    player: int
    kind: str


class Season(NamedTuple):
    """All that is known of a season."""

    name: str
    players: list[Person]
    games: list[Game]
    unplayed: list[Unplayed]


def score(rng: Random, white: float, black: float) -> float:
    """What White gets, by the ratings: a draw, or what the difference lets expect."""
    expected = 1 / (1 + 10 ** ((black - white) / 400))
    if rng.random() < DRAWS:
        return 0.5
    return float(rng.random() < expected)


def season(club: int = 0, *, players: int = 40, rounds: int = 33, presence: float = 0.9) -> Season:
    """A season of a club. presence: of the members each evening."""
    rng = Random(club)  # noqa: S311
    people = [
        Person(f"Player {club}.{number}", max(800, min(2700, round(rng.gauss(1600, 300)))))
        for number in range(1, players + 1)
    ]
    made = Season(f"Club {club}", people, [], [])
    form = [0.0, *(it.rating for it in people)]
    for round_number in range(1, rounds + 1):
        _play(made, round_number, form, rng, presence)
    return made


def _play(made: Season, round_number: int, form: list[float], rng: Random, presence: float) -> None:
    """One evening. form: the ratings, which results move."""
    here = []
    for player in range(1, len(made.players) + 1):
        if rng.random() < presence:
            here.append(player)
        else:
            made.unplayed.append(Unplayed(round_number, player, rng.choice(_KINDS)))
    tonight = {it: form[it] + rng.gauss(0, 120) for it in here}
    here.sort(key=tonight.__getitem__, reverse=True)
    if len(here) % 2:
        made.unplayed.append(Unplayed(round_number, here.pop(), "bye"))
    for board in range(len(here) // 2):
        white, black = _seats(here[2 * board : 2 * board + 2], rng)
        won = score(rng, made.players[white - 1].rating, made.players[black - 1].rating)
        result = next(it for it, (points, _) in _POINTS.items() if points == won)
        made.games.append(Game(round_number, board + 1, white, black, result))
        for player, points in zip((white, black), _POINTS[result], strict=True):
            form[player] += 40 * (points - 0.5)


def _seats(board: Sequence[int], rng: Random) -> Sequence[int]:
    return board if rng.random() < 0.5 else board[::-1]  # noqa: PLR2004
