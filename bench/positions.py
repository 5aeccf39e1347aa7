"""Positions to pair: evenings of simulated seasons."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from bench.seasons import score
from keizer.pairing import Game, Pairing, Player, Policy, pair

PRESENCE = 0.85
"""So often a member comes."""

ROUNDS, LAST = 12, 3
"""Of a season, and how many of them are measured."""


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

    def __init__(self, members: int, policy: Policy) -> None:
        self.random = Random(1)  # noqa: S311
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


def evenings(present: int, policy: Policy) -> Iterator[Evening]:
    """The last of 12 rounds of a season, each to be paired for so many who are present."""
    season = _Season(round(present / PRESENCE), policy)
    for number in range(1, ROUNDS + 1):
        if number > ROUNDS - LAST:
            yield season.evening(present)
        season.play()
