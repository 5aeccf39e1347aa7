"""The matching behind the pairing: as cheap as networkx's, with a proof.

`pytest -m campaign tests/pairing/test_matching.py` takes 20,000 graphs.
"""

import random

import pytest

from keizer.pairing.matching import Matching
from tests.support.files import campaign
from tests.support.pairings import Unit, matched

GRAPHS = 200
"""In one test."""


def random_graph(rng: random.Random) -> tuple[int, dict[Unit, int]]:
    """Up to 24 vertices, few or many edges; costs that are alike, small or huge."""
    size = rng.choice([2, 4, 6, 8, 10, 12, 16, 20, 24, rng.randint(1, 24)])
    density = rng.choice([0.15, 0.3, 0.5, 0.8, 1])
    most = rng.choice([0, 1, 2, 5, 30, 1000, 1 << 64, 1 << 600])
    least = rng.choice([0, 0, -most])
    edges: dict[Unit, int] = {
        (one, two): rng.randint(least, most)
        for one in range(size)
        for two in range(one + 1, size)
        if rng.random() < density
    }
    if rng.random() < 0.2:
        # Odd rings joined by dear edges: what makes blossoms, and blossoms in them.
        ring = rng.choice([3, 5, 7])
        for one, two in edges:
            edges[one, two] += most if one // ring != two // ring else 0
    return size, edges


def rows(size: int, edges: dict[Unit, int]) -> list[dict[int, int]]:
    """Each vertex's neighbours and costs."""
    found: list[dict[int, int]] = [{} for _ in range(size)]
    for (one, two), cost in edges.items():
        found[one][two] = found[two][one] = cost
    return found


def proved(made: Matching, edges: dict[Unit, int]) -> bool:
    """Whether its prices prove a matching to be the cheapest of this graph."""
    return made.proves({(one, two): cost for (one, two), cost in edges.items()})


def check(size: int, edges: dict[Unit, int]) -> bool:
    """A matching is found where there is one, as cheap as any, and proves it."""
    made = Matching(rows(size, edges))
    best = matched(edges)
    assert made.found == (2 * len(best) == size)
    if not made.found:
        assert made.mate == [-1] * size
        return False
    pairs = {(one, two) for one, two in enumerate(made.mate) if one < two}
    assert all(made.mate[made.mate[one]] == one != made.mate[one] for one in range(size))
    assert pairs <= edges.keys()
    assert sum(edges[pair] for pair in pairs) == sum(edges[min(pair), max(pair)] for pair in best)
    for (one, two), cost in edges.items():
        lack = made.reduced(one, two, cost)
        assert lack == made.reduced(two, one, cost) >= 0
        assert lack == 0 or (one, two) not in pairs
    assert all(surplus >= 0 for surplus in made.surplus.values())
    assert proved(made, edges)
    return True


@pytest.mark.parametrize("chunk", [*range(2), *campaign(2, 105)])
def test_nothing_is_cheaper(chunk: int) -> None:
    found = [
        check(*random_graph(random.Random(seed)))
        for seed in range(chunk * GRAPHS, (chunk + 1) * GRAPHS)
    ]
    assert True in found and False in found


@pytest.mark.parametrize("seed", range(20))
def test_what_the_proof_says_of_a_new_pair_is_true(seed: int) -> None:
    """reduced() is twice a lower bound for what a pair would add, also of one not yet there."""
    rng = random.Random(seed)
    size = rng.choice([4, 6, 8, 10])
    all_pairs = [(one, two) for one in range(size) for two in range(one + 1, size)]
    edges: dict[Unit, int] = {pair: rng.randint(0, 9) for pair in all_pairs if rng.random() < 0.7}
    made = Matching(rows(size, edges))
    if not made.found:
        return
    least = sum(edges[one, two] for one, two in enumerate(made.mate) if one < two)
    for one, two in all_pairs:
        cost = edges.get((one, two), rng.randint(0, 9))
        rest = {pair: edges[pair] for pair in edges if not {one, two} & set(pair)}
        others = matched(rest)
        if 2 * len(others) == size - 2:
            forced = cost + sum(rest[min(pair), max(pair)] for pair in others)
            assert 2 * (forced - least) >= made.reduced(one, two, cost)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_not_the_cheapest_is_never_proved(seed: int) -> None:
    """Neither another matching, nor the same one where something else has become cheaper."""
    rng = random.Random(seed)
    edges: dict[Unit, int] = {
        (one, two): rng.randint(0, 50) for one in range(8) for two in range(one + 1, 8)
    }
    made = Matching(rows(8, edges))
    cheapest = {(one, two) for one, two in enumerate(made.mate) if one < two}
    least = sum(edges[pair] for pair in cheapest)
    for one, two in edges.keys() - cheapest:
        others = matched({pair: edges[pair] for pair in edges if not {one, two} & set(pair)})
        forced = sum(edges[min(pair), max(pair)] for pair in others)
        assert not proved(made, edges | {(one, two): least - forced - 1})
    ids = list(range(8))
    rng.shuffle(ids)
    other = [(ids[place], ids[place + 1]) for place in range(0, 8, 2)]
    for one, two in other:
        made.mate[one], made.mate[two] = two, one
    cost = sum(edges[min(pair), max(pair)] for pair in other)
    assert proved(made, edges) == (cost == least)


@pytest.mark.parametrize("cost", [0, 7, -7, 1 << 500])
def test_where_all_is_equal_everybody_is_matched(cost: int) -> None:
    for size in (0, 2, 3, 8, 15, 24):
        complete: dict[Unit, int] = {
            (one, two): cost for one in range(size) for two in range(one + 1, size)
        }
        assert check(size, complete) == (size % 2 == 0)


def test_two_triangles_need_the_edge_between_them() -> None:
    """Free edges within 0-1-2 and 3-4-5, one between: each triangle is a blossom."""
    free = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]
    edges: dict[Unit, int] = {**dict.fromkeys(free, 0), (2, 3): 100}
    assert Matching(rows(6, edges)).mate == [1, 0, 3, 2, 5, 4]
    assert check(6, edges)


def test_a_lone_vertex_a_star_and_an_odd_part_have_no_perfect_matching() -> None:
    assert not check(1, {})
    assert not check(4, {(0, 1): 1, (0, 2): 1, (0, 3): 1})
    assert not check(6, {(0, 1): 1, (0, 2): 1, (1, 2): 1, (3, 4): 1, (3, 5): 1, (4, 5): 1})


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_the_edges_does_not_matter(seed: int) -> None:
    """Each pair costs another power of two, so that one matching is cheapest."""
    rng = random.Random(seed)
    count = 12
    pairs = [(one, two) for two in range(count) for one in range(two)]
    price = dict(zip(pairs, rng.sample(range(len(pairs)), len(pairs)), strict=True))
    mates = set()
    for _ in range(4):
        rng.shuffle(pairs)
        costs: list[dict[int, int]] = [{} for _ in range(count)]
        for one, two in pairs:
            costs[one][two] = costs[two][one] = 1 << price[one, two]
        mates.add(tuple(Matching(costs).mate))
    assert len(mates) == 1
