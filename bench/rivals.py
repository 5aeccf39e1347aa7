"""Another way to the same pairing: networkx, on the complete graph with the engine's costs."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import networkx as nx  # type: ignore[import-untyped]

from bench.positions import Evening
from keizer.pairing import Pairing
from keizer.pairing.digits import Position
from keizer.pairing.optimum import Problem

Pair = tuple[int, int]
"""Two places in the line, the higher first; one beyond the last is the bye."""


class Costs:
    """What each pair of an evening costs, in the engine's own whole numbers."""

    def __init__(self, evening: Evening) -> None:
        position = Position(evening.players, evening.games, evening.policy, evening.round_number, 1)
        self.problem = Problem(position, evening.players)
        self.of = {
            (one, two): self.problem._cost(one, two)  # noqa: SLF001
            for one, two in combinations(range(self.problem.size), 2)
        }

    def total(self, pairs: Iterable[Pair]) -> int:
        """What a whole pairing costs."""
        return sum(self.of[pair] for pair in pairs)

    def pairs(self, pairing: Pairing) -> list[Pair]:
        """A pairing in places of the line."""
        place = {player: at for at, player in enumerate(self.problem.line)}
        seats = [(place[white], place[black]) for white, black in pairing.boards]
        if pairing.bye is not None:
            seats.append((place[pairing.bye], self.problem.count))
        return [(min(seat), max(seat)) for seat in seats]


def graph(costs: Costs) -> Any:
    """The complete graph for networkx."""
    made = nx.Graph()
    made.add_weighted_edges_from((one, two, cost) for (one, two), cost in costs.of.items())
    return made


def matched(made: Any) -> list[Pair]:
    """The cheapest pairing from networkx, which is exact for whole numbers."""
    return [(min(pair), max(pair)) for pair in nx.min_weight_matching(made)]
