"""The pairing is the best there is: compared with every other one."""

import random
from collections.abc import Iterator

import pytest

from keizer.pairing import Game, Pairing, Policy, pair
from tests.conftest import campaign

Position = tuple[list[int], list[Game], dict[int, int], Policy, int]


def every_pairing(players: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to pair the players; a single one sits out."""
    if not players:
        yield []
        return
    first, rest = players[0], players[1:]
    for other in rest:
        left = [player for player in rest if player != other]
        for pairs in every_pairing(left):
            yield [(first, other), *pairs]
    if len(players) % 2:
        for pairs in every_pairing(rest):
            yield [(first,), *pairs]


def price(pairs: list[tuple[int, ...]], position: Position) -> tuple[int, ...]:
    """What the club's priorities say of a pairing, in their order."""
    players, games, byes, policy, number = position
    place = {player: index for index, player in enumerate(players)}
    excess = lacking = breaches = had = above_last = distance = wishes = 0
    for pair_ in pairs:
        if len(pair_) == 1:
            had = byes.get(pair_[0], 0)
            above_last = len(players) - 1 - place[pair_[0]]
            continue
        met = sorted(game.round_number for game in games if set(game[1:]) == set(pair_))
        if met:
            excess += max(0, len(met) + 1 - policy.max_meetings)
            lacking += max(0, policy.rematch_gap - (number - met[-1] - 1))
        breach, wish = min(seated(white, black, games) for white, black in (pair_, pair_[::-1]))
        breaches, wishes = breaches + breach, wishes + wish
        distance += (place[pair_[0]] - place[pair_[1]]) ** 2
    return excess, lacking, breaches, had, above_last, distance, wishes


def seated(white: int, black: int, games: list[Game]) -> tuple[int, int]:
    """Hard breaches and ungranted wishes of one seating."""
    breach = wish = 0
    for player, colour in ((white, "w"), (black, "b")):
        past = [
            "w" if game.white == player else "b" for game in sorted(games) if player in game[1:]
        ]
        balance = past.count("w") - past.count("b")
        more = balance + (1 if colour == "w" else -1)
        breach += (past[-2:] == [colour] * 2) + (abs(more) > 2)
        wish += 2 * (abs(more) > abs(balance) > 0) + (past[-1:] == [colour])
    return breach, wish


def priced(found: Pairing, position: Position) -> tuple[int, ...]:
    pairs: list[tuple[int, ...]] = [tuple(board) for board in found.boards]
    if found.bye is not None:
        pairs.append((found.bye,))
    return price(pairs, position)


def random_position(rng: random.Random) -> Position:
    players = rng.sample(range(1, 40), rng.randint(2, 8))
    number = rng.randint(1, 9)
    games = []
    for past in range(1, number):
        seats = rng.sample(players, len(players))
        games += [
            Game(past, white, black) for white, black in zip(seats[::2], seats[1::2], strict=False)
        ]
    byes = {player: rng.randint(0, 2) for player in players}
    return players, games, byes, Policy(rng.randint(0, 6), rng.randint(1, 3)), number


def paired(position: Position) -> Pairing:
    players, games, byes, policy, number = position
    return pair(players, games, byes=byes, policy=policy, round_number=number)


@pytest.mark.parametrize("seed", [*range(400), *campaign(400, 10_000)])
def test_no_other_pairing_is_better(seed: int) -> None:
    """Exhaustive search over all pairings of up to 8 players with a history."""
    position = random_position(random.Random(seed))
    found = paired(position)
    best = min(price(pairs, position) for pairs in every_pairing(position[0]))
    assert priced(found, position) == best


@pytest.mark.parametrize("seed", range(50))
def test_everybody_is_seated_once(seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(rng)
    found = paired(position)
    seats = [player for board in found.boards for player in board]
    seats += [] if found.bye is None else [found.bye]
    assert sorted(seats) == sorted(position[0])
    assert (found.bye is None) == (len(position[0]) % 2 == 0)


@pytest.mark.parametrize("seed", range(50))
def test_what_is_given_up_is_reported(seed: int) -> None:
    position = random_position(random.Random(seed))
    found = paired(position)
    excess, lacking, breaches, *_ = priced(found, position)
    rules = {relaxed.rule for relaxed in found.relaxations}
    assert ("max_meetings" in rules, "rematch_gap" in rules, "colour" in rules) == (
        excess > 0,
        lacking > 0,
        breaches > 0,
    )


def test_the_order_of_the_games_does_not_matter() -> None:
    rng = random.Random(3)
    for _ in range(50):
        players, games, byes, policy, number = random_position(rng)
        once = paired((players, games, byes, policy, number))
        rng.shuffle(games)
        assert paired((players, games, byes, policy, number)) == once


def test_the_first_round_is_1_2_and_3_4() -> None:
    found = pair(list(range(1, 11)), round_number=1)
    assert [set(board) for board in found.boards] == [{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}]


def test_the_bye_goes_to_the_lowest_with_the_fewest() -> None:
    assert pair([1, 2, 3, 4, 5], round_number=1).bye == 5
    assert pair([1, 2, 3, 4, 5], round_number=2, byes={5: 1}).bye == 4
    assert pair([1, 2, 3, 4, 5], round_number=3, byes={5: 1, 4: 1, 3: 1, 2: 1, 1: 1}).bye == 5


def test_one_player_gets_the_bye_and_none_is_an_error() -> None:
    assert pair([7], round_number=1) == Pairing((), 7, ())
    with pytest.raises(ValueError, match="at least one"):
        pair([], round_number=1)
    with pytest.raises(ValueError, match="once"):
        pair([1, 1], round_number=1)


def test_two_players_alternate_colours_and_say_that_they_repeat() -> None:
    found = pair([1, 2], [Game(1, 1, 2)], round_number=2)
    assert found.boards == ((2, 1),)
    assert [relaxed.rule for relaxed in found.relaxations] == ["rematch_gap"]
    assert "met in round 1: 0 rounds between instead of 5" in found.relaxations[0].detail
