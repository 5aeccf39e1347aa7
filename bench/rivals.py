"""Other ways to the same pairing: networkx, a search with steps back, an integer program."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import highspy
import networkx as nx  # type: ignore[import-untyped]
import numpy as np

from bench.positions import Evening
from keizer.pairing import Pairing
from keizer.pairing.digits import Position
from keizer.pairing.optimum import Problem

Pair = tuple[int, int]
"""Two places in the line, the higher first; one beyond the last is the bye."""

BITS = 36
"""The largest sum of weights in a float; with 43 and 50 HiGHS fails on some positions."""


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

    def digits(self, cost: int) -> list[int]:
        """A cost, or a sum of them, digit by digit, the weightiest first."""
        return [(cost >> low) & ((1 << (high - low)) - 1) for low, high in self._columns]

    @cached_property
    def _columns(self) -> list[Pair]:
        """From which bit to which each digit goes."""
        problem = self.problem
        lows = [problem.width * at for at in range(problem.count)]
        lows += sorted(problem.places.values())
        return list(zip(lows, [*lows[1:], problem.dearest.bit_length()], strict=True))[::-1]


def graph(costs: Costs) -> Any:
    """The complete graph for networkx."""
    made = nx.Graph()
    made.add_weighted_edges_from((one, two, cost) for (one, two), cost in costs.of.items())
    return made


def matched(made: Any) -> list[Pair]:
    """The cheapest pairing from networkx, which is exact for whole numbers."""
    return [(min(pair), max(pair)) for pair in nx.min_weight_matching(made)]


class Search:
    """The classic rule: the highest-ranked with the nearest legal one, back at a dead end.

    found: the pairs by id, None when there are none without a breach or it was
    given_up at the limit; nodes: boards tried. Legality is looked up when it
    is asked for, and once. For even numbers of players.
    """

    def __init__(self, evening: Evening, limit: int) -> None:
        self.position = Position(
            evening.players, evening.games, evening.policy, evening.round_number, 1
        )
        self.limit, self.nodes, self.given_up = limit, 0, False
        self.legal: dict[Pair, bool] = {}
        self.found = self._down([player.id for player in evening.players])

    def _down(self, left: list[int]) -> list[Pair] | None:
        if not left:
            return []
        first = left[0]
        for at in range(1, len(left)):
            board = (first, left[at])
            if not self._fits(board):
                continue
            if self.nodes == self.limit:
                self.given_up = True
            if self.given_up:
                return None
            self.nodes += 1
            below = self._down(left[1:at] + left[at + 1 :])
            if below is not None:
                return [board, *below]
        return None

    def _fits(self, board: Pair) -> bool:
        legal = self.legal.get(board)
        if legal is None:
            position = self.position
            legal = self.legal[board] = not position.breaches(position.seated(board))
        return legal


class Program:
    """One 0/1 variable for each pair, everybody in exactly one, in HiGHS.

    The digits are packed into as few weights as HiGHS can tell apart; the
    least sum of the first is found and held, then that of the next.
    """

    def __init__(self, costs: Costs) -> None:
        self.pairs = list(costs.of)
        self.size = costs.problem.size
        self.weights = self._packed([costs.digits(cost) for cost in costs.of.values()])
        self.at: list[list[int]] = [[] for _ in range(self.size)]
        for index, pair in enumerate(self.pairs):
            for place in pair:
                self.at[place].append(index)

    def _packed(self, rows: Sequence[Sequence[int]]) -> list[Any]:
        """Several digits in a weight, each with room for its sum."""
        packed, size = [np.zeros(len(rows))], 1
        for column in zip(*rows, strict=True):
            if not any(column):
                continue
            room = max(column) * self.size // 2 + 1
            if size * room > 1 << BITS:
                packed.append(np.zeros(len(rows)))
                size = 1
            packed[-1] = packed[-1] * room + np.array(column, dtype=float)
            size *= room
        return packed

    def solved(self) -> list[Pair]:
        """The cheapest pairing."""
        program: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in (
            ("output_flag", False),
            ("threads", 1),
            ("mip_rel_gap", 0.0),
            ("mip_abs_gap", 0.5),
        ):
            program.setOptionValue(option, value)
        count = len(self.pairs)
        every = np.arange(count, dtype=np.int32)
        program.addVars(count, np.zeros(count), np.ones(count))
        program.changeColsIntegrality(
            count, every, np.full(count, int(highspy.HighsVarType.kInteger), dtype=np.uint8)
        )
        for indices in self.at:
            program.addRow(1, 1, len(indices), np.array(indices), np.ones(len(indices)))
        chosen: list[int] = []
        for weight in self.weights:
            program.changeColsCost(count, every, weight)
            program.run()
            if program.getModelStatus() != highspy.HighsModelStatus.kOptimal:
                raise RuntimeError("HiGHS found no optimum")
            values = program.getSolution().col_value
            chosen = [index for index, value in enumerate(values) if round(value)]
            least = float(sum(weight[index] for index in chosen))
            filled = np.flatnonzero(weight).astype(np.int32)
            program.addRow(least, least, len(filled), filled, weight[filled])
        return [self.pairs[index] for index in chosen]
