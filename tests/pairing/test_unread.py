"""What pairs within blossoms share, without a look at each pair."""

import random
from itertools import combinations

import pytest

from keizer.pairing import unread
from keizer.pairing.matching import Matching
from keizer.pairing.unread import Nests
from tests.pairing.test_matching import random_graph, rows


def test_two_share_the_surplus_of_the_blossoms_that_both_are_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However the blossoms are nested; added up blossom by blossom here."""
    monkeypatch.setattr(unread, "BIG", 3)
    sharing, nested_deep = 0, 0
    for seed in range(300):
        made = Matching(rows(*random_graph(random.Random(seed))))
        if not made.found:
            continue
        nests = Nests(made)
        for one, two in combinations(range(len(made.mate)), 2):
            both = [
                made.surplus[node] for node in made.surplus if {one, two} <= {*made.leaves[node]}
            ]
            for player, opponent in ((one, two), (two, one)):
                is_nested, shared = nests.shared(player, nests.path(opponent))
                if is_nested:
                    around_opponent = (nests.price[opponent] - nests.within[opponent]) // 2
                    shared = min(shared, around_opponent)
                assert shared == sum(both)
            sharing += sum(both) > 0
            nested_deep += len(both) > 2
    assert sharing > 100
    assert nested_deep > 100
