"""The matching behind the pairing: as cheap as networkx's, with a proof.

`pytest -m campaign tests/pairing/test_matching.py` takes 20,000 graphs.
"""

import random
from itertools import combinations

import pytest

from keizer.pairing import unread
from keizer.pairing.matching import Matching
from keizer.pairing.unread import BigBlossoms
from tests.support.files import campaign
from tests.support.pairings import cheapest_matching

Edges = dict[tuple[int, int], int]
"""Costs by two vertices, the lower one first."""

GRAPHS = 200
"""In one test."""


def random_graph(rng: random.Random) -> tuple[int, Edges]:
    """Up to 24 vertices, few or many edges; even costs that are alike, small or huge."""
    size = rng.choice([2, 4, 6, 8, 10, 12, 16, 20, 24, rng.randint(1, 24)])
    density = rng.choice([0.15, 0.3, 0.5, 0.8, 1])
    most = rng.choice([0, 1, 2, 5, 30, 1000, 1 << 64, 1 << 600])
    least = rng.choice([0, 0, -most])
    edges: Edges = {
        (one, two): 2 * rng.randint(least, most)
        for one in range(size)
        for two in range(one + 1, size)
        if rng.random() < density
    }
    if rng.random() < 0.2:
        # Odd rings joined by dear edges: what makes blossoms, and blossoms in them.
        ring = rng.choice([3, 5, 7])
        for one, two in edges:
            edges[one, two] += 2 * most if one // ring != two // ring else 0
    return size, edges


def rows(size: int, edges: Edges) -> list[dict[int, int]]:
    """Each vertex's neighbours and costs."""
    found: list[dict[int, int]] = [{} for _ in range(size)]
    for (one, two), cost in edges.items():
        found[one][two] = found[two][one] = cost
    return found


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 105)])
def test_nothing_is_cheaper(chunk: int) -> None:
    """A matching is found where there is one, as cheap as any, and proves it.

    Whatever the vertices offer to begin with.
    """
    seen = set()
    for seed in range(chunk * GRAPHS, (chunk + 1) * GRAPHS):
        rng = random.Random(seed)
        size, edges = random_graph(rng)
        prices = [
            rng.choice([0, 1, 5, 1 << 64]) for _ in range(size * rng.randrange(2))
        ]
        made, best = Matching(rows(size, edges), prices), cheapest_matching(edges)
        seen.add(made.is_perfect)
        assert made.is_perfect == (2 * len(best) == size)
        if not made.is_perfect:
            assert made.mates == [-1] * size
            continue
        pairs = {(one, two) for one, two in enumerate(made.mates) if one < two}
        assert all(
            made.mates[made.mates[one]] == one != made.mates[one] for one in range(size)
        )
        assert pairs <= edges.keys()
        assert sum(edges[pair] for pair in pairs) == sum(
            edges[min(pair), max(pair)] for pair in best
        )
        assert made.proves(edges)
    assert seen == {True, False}


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 105)])
def test_a_solution_goes_on_with_more_pairs(chunk: int) -> None:
    """Pairs that come later, a few at a time: as cheap as if all had been there, and proved."""
    for seed in range(chunk * GRAPHS // 4, (chunk + 1) * GRAPHS // 4):
        rng = random.Random(seed)
        size = rng.choice([4, 6, 8, 12, 16])
        most = rng.choice([3, 10, 100, 1 << 64])
        waiting: Edges = {
            (one, two): 2 * rng.randrange(most)
            for one in range(size)
            for two in range(one + 1, size)
        }
        edges = {
            pair: waiting.pop(pair) for pair in [*waiting] if pair[1] == pair[0] + 1
        }
        made = Matching(rows(size, edges))
        while waiting:
            more = {
                pair: waiting.pop(pair)
                for pair in rng.sample([*waiting], min(len(waiting), rng.randint(1, 6)))
            }
            edges |= more
            made.add(more)
            assert all(
                made.mates[made.mates[one]] == one != made.mates[one]
                for one in range(size)
            )
            cost = sum(
                edges[one, two] for one, two in enumerate(made.mates) if one < two
            )
            assert cost == sum(
                edges[min(pair), max(pair)] for pair in cheapest_matching(edges)
            )
            assert made.proves(edges)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_not_the_cheapest_is_never_proved(seed: int) -> None:
    """Neither another matching, nor the same one where something else has become cheaper."""
    rng = random.Random(seed)
    edges: Edges = {
        (one, two): 2 * rng.randint(0, 25)
        for one in range(8)
        for two in range(one + 1, 8)
    }
    made = Matching(rows(8, edges))
    cheapest = {(one, two) for one, two in enumerate(made.mates) if one < two}
    least = sum(edges[pair] for pair in cheapest)
    for one, two in edges.keys() - cheapest:
        others = cheapest_matching(
            {pair: edges[pair] for pair in edges if not {one, two} & set(pair)}
        )
        forced = sum(edges[min(pair), max(pair)] for pair in others)
        assert not made.proves({**edges, (one, two): least - forced - 1})
    ids = list(range(8))
    rng.shuffle(ids)
    other = [(ids[place], ids[place + 1]) for place in range(0, 8, 2)]
    for one, two in other:
        made.mates[one], made.mates[two] = two, one
    cost = sum(edges[min(pair), max(pair)] for pair in other)
    assert made.proves(edges) == (cost == least)


def test_two_share_the_surplus_of_the_blossoms_that_both_are_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However the blossoms are nested; added up blossom by blossom here."""
    monkeypatch.setattr(unread, "BIG_BLOSSOM", 3)
    sharing, nested_deep = 0, 0
    for seed in range(300):
        made = Matching(rows(*random_graph(random.Random(seed))))
        if not made.is_perfect:
            continue
        blossoms = BigBlossoms(made)
        for one, two in combinations(range(len(made.mates)), 2):
            both = [
                blossom.surplus
                for blossom in made.blossoms.values()
                if {one, two} <= {vertex.number for vertex in blossom.leaves}
            ]
            for player, opponent in ((one, two), (two, one)):
                is_maximum, shared = blossoms.shared_surplus(
                    player, blossoms.path(opponent)
                )
                if is_maximum:
                    around_opponent = (
                        blossoms.price[opponent] - blossoms.price_in_blossoms[opponent]
                    ) // 2
                    shared = min(shared, around_opponent)
                assert shared == sum(both)
            sharing += sum(both) > 0
            nested_deep += len(both) > 2
    assert sharing > 100
    assert nested_deep > 100
