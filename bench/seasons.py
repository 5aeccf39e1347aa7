"""Seasons of made-up clubs as plain data: who is a member, who met whom, who stayed away.

The same numbers make the same season. The stronger win more often, neighbours in
the table meet, and who is left over has the bye. Most members have a FIDE number;
of a club most come back next season, and some play in a second club.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

DRAWS = 0.3
"""So many of the games."""

SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo")

_STAYS = 8
"""Seasons that a place in a club has the same member."""

_GENERATIONS = 32
"""So many members a place may have, one after the other."""

_PLACES = 64
"""Places of a club; who has one beyond is a member of the next club too."""

_SPREAD = 5_000_011
"""No number of people that there are names for has a factor with it in common."""

_GUESTS = 10
"""In every second club, one place of so many is that of the club before."""

_KINDS = ("excused", "excused", "unexcused", "club duty")
_POINTS = {"1-0": (1.0, 0.0), "½-½": (0.5, 0.5), "0-1": (0.0, 1.0)}


class Person(NamedTuple):
    """Somebody who plays."""

    name: str
    rating: int
    fide_id: int | None


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
    dates: list[str]
    games: list[Game]
    unplayed: list[Unplayed]


def names(at: int) -> tuple[str, str]:
    """First and last name of a person, which nobody else has."""
    syllables = []
    for _ in range(6):
        at, digit = divmod(at, len(SYLLABLES))
        syllables.append(SYLLABLES[digit])
    return "".join(syllables[:2]).title(), "".join(syllables[2:]).title()


def fide_id(at: int) -> int:
    """His number at FIDE."""
    return 100_000 + 31 * at


def score(rng: Random, white: float, black: float) -> float:
    """What White gets, by the ratings: a draw, or what the difference lets expect."""
    expected = 1 / (1 + 10 ** ((black - white) / 400))
    if rng.random() < DRAWS:
        return 0.5
    return float(rng.random() < expected)


def member(club: int, place: int, season: int = 0) -> Person:
    """Who has this place in a club: the same for some seasons, and perhaps elsewhere too."""
    home = club - 1 if club % 2 and place % _GUESTS == _GUESTS - 1 else club
    generation = (season + home + place) // _STAYS % _GENERATIONS
    at = ((home * _PLACES + place) * _GENERATIONS + generation) * _SPREAD % len(SYLLABLES) ** 6
    rng = Random(at)  # noqa: S311
    rating = round(rng.gauss(1600, 300)) + season * rng.randrange(-15, 25)
    return Person(
        " ".join(names(at)),
        max(800, min(2700, rating)),
        fide_id(at) if rng.random() < 0.9 else None,  # noqa: PLR2004
    )


def season(
    club: int = 0, number: int = 0, *, players: int = 40, rounds: int = 33, presence: float = 0.9
) -> Season:
    """A season of a club, the first has number 0. presence: of the members each evening."""
    rng = Random(club * 1_000 + number)  # noqa: S311
    people = [member(club, place, number) for place in range(players)]
    start = date(2000 + number, 9, 1)
    dates = [str(start + timedelta(weeks=at)) for at in range(rounds)]
    made = Season(f"Club {club} {2000 + number}", people, dates, [], [])
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
