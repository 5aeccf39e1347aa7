"""Whole seasons, round by round: nothing is given up that could have been kept.

`pytest -m campaign tests/pairing/test_pairing_seasons.py -s` takes 1,000 clubs of 6 to 60
players over 30 rounds and prints what was given up.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

import pytest

from keizer.pairing import Game, Pairing, Player, Policy
from tests.support.files import campaign
from tests.support.pairings import COLOUR_RULES, Case, Oracle, matched

ROUNDS = 30


@dataclass
class Club:
    """A season as it goes on; players are numbered in the order of the start."""

    size: int
    policy: Policy
    presence: list[float]
    strength: list[float]
    games: list[Game] = field(default_factory=list)
    score: Counter[int] = field(default_factory=Counter)
    colours: dict[int, list[int]] = field(default_factory=dict)
    byes: Counter[int] = field(default_factory=Counter)
    last_bye: dict[int, int] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    excused: set[int] = field(default_factory=set)
    """Whose colour rules were given up at some time."""
    given_up: Counter[str] = field(default_factory=Counter)
    rounds: int = 0

    def position(self, rng: random.Random, number: int) -> Case:
        """Who comes tonight, in the order of the scores."""
        there = [player for player in range(self.size) if rng.random() < self.presence[player]]
        there.sort(key=lambda player: (-self.score[player], player))
        players = [
            Player(
                player,
                score=self.score[player],
                byes=self.byes[player],
                bye_last_round=self.last_bye.get(player) == number - 1,
                starts=number > 1 and player not in self.seen,
            )
            for player in there
        ]
        return Case(players, list(self.games), number, self.policy)

    def play(self, rng: random.Random, number: int, found: Pairing) -> None:
        """Results as the strengths make them likely."""
        for white, black in found.boards:
            self.games.append(Game(number, white, black))
            chance = 1 / (1 + 10 ** ((self.strength[black] - self.strength[white]) / 400))
            points = 1 if rng.random() < 0.2 else 2 * (rng.random() < chance)
            self.score[white] += points
            self.score[black] += 2 - points
            self.colours.setdefault(white, []).append(1)
            self.colours.setdefault(black, []).append(-1)
            self.seen |= {white, black}
        if found.bye is not None:
            self.score[found.bye] += 1
            self.byes[found.bye] += 1
            self.last_bye[found.bye] = number
            self.seen.add(found.bye)
        for told in found.relaxations:
            self.given_up[told.rule] += 1
            if told.rule in COLOUR_RULES:
                self.excused.update(told.players)
        self.rounds += 1


def random_club(rng: random.Random, most: int) -> Club:
    """Some are always there; the others each in their own way."""
    size = rng.randint(6, most)
    return Club(
        size,
        Policy(
            aim=rng.choice(["closest", "top-down"]),
            rematch_gap=rng.choice([*range(10), 15, 30, 99]),
            max_meetings=rng.choice([None, 1, 3]),
            fewest_byes=rng.choice(["hard", "hard", "soft", "off"]),
            bye_again=rng.choice(["hard", "hard", "soft", "off"]),
        ),
        [1 if rng.random() < 0.3 else rng.uniform(0.6, 1) for _ in range(size)],
        [2000 - 800 * player / size + rng.gauss(0, 100) for player in range(size)],
    )


def can_be_kept(case: Case) -> bool:
    """Whether a pairing that gives nothing up exists: all matched in the graph of what may be."""
    oracle = Oracle(case)
    allowed = {unit: 0 for unit in oracle.units() if not oracle.breaches(oracle.seat(unit)[0])}
    seated = sum(len(unit) for unit in matched(allowed))
    return seated == len(case.players)


def night(club: Club, rng: random.Random, number: int) -> None:
    """A round of those who come: each sits once, and nothing is given up that can be kept."""
    case = club.position(rng, number)
    if len(case.players) < 2:
        return
    found = case.paired()
    seats = [player for board in found.boards for player in board]
    seats += [] if found.bye is None else [found.bye]
    assert sorted(seats) == sorted(player.id for player in case.players)
    assert not found.relaxations or not can_be_kept(case), found.relaxations
    assert found.proved
    club.play(rng, number, found)


def check_colours(club: Club) -> None:
    """No third time running, no difference of three; but for those of whom it was told."""
    for player, colours in club.colours.items():
        if player not in club.excused:
            assert colours[-3:] not in ([1] * 3, [-1] * 3)
            assert abs(sum(colours)) <= 2


def play_season(seed: int, most: int) -> Club:
    rng = random.Random(seed)
    club = random_club(rng, most)
    for number in range(1, ROUNDS + 1):
        night(club, rng, number)
        check_colours(club)
    if club.policy.fewest_byes == "hard":
        regulars = [club.byes[player] for player, there in enumerate(club.presence) if there == 1]
        assert not regulars or max(regulars) - min(regulars) <= 1
    return club


def told(clubs: list[Club]) -> str:
    """Figures of some seasons."""
    given_up = sum((club.given_up for club in clubs), Counter[str]())
    hard = sum(club.policy.fewest_byes == "hard" for club in clubs)
    return (
        f"{len(clubs)} seasons ({hard} with hard fewest_byes), "
        f"{sum(club.rounds for club in clubs)} rounds, "
        f"{sum(len(club.games) for club in clubs)} games, "
        f"{sum(club.byes.total() for club in clubs)} byes, "
        f"given up {dict(sorted(given_up.items()))}"
    )


@pytest.mark.seeds
@pytest.mark.parametrize("chunk", [0, *campaign(1, 51)])
def test_seasons_give_up_only_what_cannot_be_kept(chunk: int) -> None:
    seeds = range(12) if chunk == 0 else range(20 * chunk, 20 * chunk + 20)
    clubs = [play_season(seed, 24 if chunk == 0 else 60) for seed in seeds]
    print("\n" + told(clubs))  # noqa: T201


@pytest.mark.parametrize("aim", ["closest", "top-down"])
@pytest.mark.parametrize("size", [30, 50])
def test_a_club_whose_players_meet_once_only(
    size: int, aim: Literal["closest", "top-down"]
) -> None:
    """All come to all of 20 rounds: nothing is given up as long as that can be."""
    policy = Policy(aim=aim, rematch_gap=99, max_meetings=1)
    strength = [2000 - 20.0 * player for player in range(size)]
    club = Club(size, policy, [1] * size, strength)
    rng = random.Random(size)
    for number in range(1, 21):
        night(club, rng, number)
    print(f"\n{size} players, {aim}: {told([club])}")  # noqa: T201
