"""Positions to pair: evenings of simulated seasons, and two that are hard for a search."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from bench.seasons import score
from keizer.pairing import Game, Pairing, Player, Policy, pair

PRESENCE = 0.85
"""So often a member comes."""


class Evening(NamedTuple):
    """All that goes into a pairing."""

    players: list[Player]
    games: list[Game]
    round_number: int
    policy: Policy

    def paired(self) -> Pairing:
        """What the engine makes of it."""
        return pair(self.players, self.games, round_number=self.round_number, policy=self.policy)


class _Season:
    """A club of random strengths, paired by the engine; the stronger win more often."""

    def __init__(self, members: int, policy: Policy, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311
        self.policy = policy
        ratings = sorted((self.random.gauss(1600, 300) for _ in range(members)), reverse=True)
        self.rating = dict(enumerate(ratings, 1))
        self.score = dict.fromkeys(self.rating, 0.0)
        self.byes = dict.fromkeys(self.rating, 0)
        self.sat_out: int | None = None
        self.games: list[Game] = []
        self.round_number = 1

    def evening(self, present: int) -> Evening:
        """The coming round with so many of the members."""
        here = set(self.random.sample(sorted(self.rating), present))
        players = [
            Player(it, byes=self.byes[it], sat_out=it == self.sat_out)
            for it in self._ranking()
            if it in here
        ]
        return Evening(players, list(self.games), self.round_number, self.policy)

    def play(self) -> None:
        """The coming round: a win brings the opponent's value, to be away a third of the own."""
        present = sum(self.random.random() < PRESENCE for _ in self.rating)
        pairing = self.evening(max(2, present)).paired()
        value = {it: 2 * len(self.rating) - place for place, it in enumerate(self._ranking())}
        unplayed = set(self.rating)
        for white, black in pairing.boards:
            won = score(self.random, self.rating[white], self.rating[black])
            self.score[white] += won * value[black]
            self.score[black] += (1 - won) * value[white]
            unplayed -= {white, black}
            self.games.append(Game(self.round_number, white, black))
        for player in unplayed:
            self.score[player] += value[player] / 3
        if pairing.bye is not None:
            self.byes[pairing.bye] += 1
        self.sat_out = pairing.bye
        self.round_number += 1

    def _ranking(self) -> list[int]:
        return sorted(self.rating, key=lambda it: (-self.score[it], -self.rating[it]))


def evenings(
    present: int, policy: Policy, *, rounds: int = 12, last: int = 1, seed: int = 1
) -> Iterator[Evening]:
    """The last rounds of a season, each to be paired for so many who are present."""
    season = _Season(round(present / PRESENCE), policy, seed)
    for number in range(1, rounds + 1):
        if number > rounds - last:
            yield season.evening(present)
        if number < rounds:
            season.play()


def last_evening(present: int, policy: Policy, *, rounds: int = 12, seed: int = 1) -> Evening:
    """The last round of a season."""
    return next(evenings(present, policy, rounds=rounds, seed=seed))


# ------------------------------------------------------------ constructed

FREE = Policy(aim="top-down", rematch_gap=0, colour_run="off", colour_difference="off")
"""Whoever comes first down the list, as far as one condition allows."""


def dead_end(present: int) -> Evening:
    """The last three have met each other and everybody but the first three.

    Opponents meet once, so there is one way: the first three meet the last
    three. That shows only at the bottom of the list.
    """
    middle = range(4, present - 2)
    last = range(present - 2, present + 1)
    games = [
        Game(number + 1, player, middle[(number + at) % len(middle)])
        for number in range(len(middle))
        for at, player in enumerate(last)
    ]
    then = len(middle) + 1
    one, two, three = last
    games += [Game(then, one, two), Game(then + 1, two, three), Game(then + 2, three, one)]
    players = [Player(it) for it in range(1, present + 1)]
    return Evening(players, games, then + 3, FREE._replace(max_meetings=1))


def odd_groups(present: int) -> Evening:
    """Three juniors at the bottom, and groups meet among themselves: one board cannot be."""
    players = [Player(it, group=int(it > present - 3)) for it in range(1, present + 1)]
    return Evening(players, [], 2, FREE._replace(max_group_distance=0))
