"""What presets do not reach of their programs is what their modules say, and nothing else."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import takewhile
from typing import Any

import pytest

from conformance import adapter, notation, programs
from conformance.programs import chesspairing, esgapp, sharlychess
from keizer.season import presets

Tables = list[dict[str, Any]]


def all_as_there(name: str, count: int = 8) -> int:
    """The number of cells, all of them as the program's; of seasons that no other test has."""
    found = programs.held(name, 48, count)
    assert not found.wrong
    return found.cells


@pytest.mark.parametrize("name", [*programs.combined("sharly-chess")])
def test_with_exact_thirds_sharly_chess_is_as_here(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    exact = partial(sharlychess.tables, third=Fraction(1, 3))
    monkeypatch.setattr(sharlychess, "tables", exact)
    assert all_as_there(name) > 1000


def test_until_two_scores_are_equal_esgapp_is_as_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def told_apart(theirs: Callable[..., Tables], *asked: Any) -> Tables:
        return [*takewhile(lambda one: _differ(one["scores"].values()), theirs(*asked))]

    monkeypatch.setattr(esgapp, "tables", partial(told_apart, esgapp.tables))
    monkeypatch.setattr(esgapp, "SIZES", range(4, 9), raising=False)
    assert all_as_there("esg", 40) > 200


def _differ(amounts: Any) -> bool:
    return len({*map(Fraction, amounts)}) == len(amounts)


def test_a_newcomer_counts_as_1_in_esgapp_and_by_the_last_place_here() -> None:
    first = {"games": [[1, 2, "1-0"]], "unplayed": {"3": "bye"}}
    second = {"games": [[4, 1, "0-1"], [2, 3, "½-½"]], "unplayed": {}}
    players = [{"id": player, "rating": 2000 - player} for player in (1, 2, 3)]
    case = {
        "players": [*players, {"id": 4, "rating": 1000, "first_round": 2}],
        "rounds": [first, second],
        "rules": notation.rules_of(presets.find_preset("esg")),
    }
    # Round 1 brings 1 the 59 of 2; the order is then 1, 3, 2, with 60, 59 and 58.
    theirs, ours = (
        esgapp.tables(case, frozenset())[1],
        adapter.season(case)["tables"][2],
    )
    assert theirs["scores"] == {"1": "60", "2": "29.5", "3": "69.0", "4": "15"}
    assert ours["scores"] == {"1": "116", "2": "59/2", "3": "69", "4": "15"}


@pytest.mark.parametrize("option", ["", "+frozen"])
def test_since_the_last_withdrawal_chesspairing_is_as_here(
    monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setattr(chesspairing, "LEAVING", True, raising=False)
    assert all_as_there(f"chesspairing{option}") > 500
