"""Who meets whom: the best pairing there is, among the rows of view possible_boards.

The view (views/pairing/possible_boards.sql) says of every two who are present, and of every
bye, by how much each rule is broken, and what else counts. A cost is a row of
these digits, the first in which two pairings differ decides: first the rules that a club
keeps, from the one given up last to the one given up first (`RULES`), then its wishes
(`WISHES`, in the order of `Problem.names`), last which choice the opponent is for the first
player in the order for pairing, then for the first of those who are left, and so on.

Nothing is forbidden, only expensive, so nobody is left out; the digits say what had to be
given up. The last ones make the optimum unique: the same players, games and policy give
the same boards everywhere.
"""

import sqlite3
from collections.abc import Mapping, Sequence

from keizer.pairing.boards import Boards, Pair
from keizer.pairing.facts import (
    Board,
    Breach,
    ImpossibleError,
    Pairing,
    Policy,
    Reason,
    Relaxation,
)
from keizer.pairing.optimum import Problem

ALTERNATIVES = 400
"""The most players times breaches for which the best pairing without a breach is
computed: eight breaches with 50 players present, two with 200, none with more than 400."""

MOST_SKIPPED = 5
"""The skipped opponents that are named at a board, at most."""


def best_pairing(
    conn: sqlite3.Connection,
    tournament: int,
    policy: Policy,
    places: Sequence[int],
    round_number: int,
    *,
    fixed: Sequence[Board] = (),
    bye: int | None = None,
) -> Pairing:
    """The best pairing of those who are present for the coming round of a tournament.

    policy, places and round_number as the file has them; places: player.id by rank. fixed,
    bye: the boards and the bye that are settled already, of players who are present, each in
    one. Raises ImpossibleError when a Swiss has no pairing without a rematch, and refuses one.
    """
    by_hand: list[tuple[int, ...]] = [*fixed, *([] if bye is None else [(bye,)])]
    settled = [player for ids in by_hand for player in ids]
    boards = Boards(conn, tournament, policy, places)
    problem = Problem(boards, settled)
    best = problem.solve()
    left = [
        pair for pair in best if problem.leaving and "rematch" in boards.breaches(boards.ids(pair))
    ]
    over = [player for pair in left for player in boards.ids(pair)]
    over.sort(key=boards.place.__getitem__)
    if over and policy.stuck == "refuse":
        raise ImpossibleError(tuple(over))
    made = [pair for pair in best if pair not in left]
    return _told(problem, by_hand, best, made, over, round_number)


def _told(
    problem: Problem,
    by_hand: Sequence[tuple[int, ...]],
    best: Sequence[Pair],
    made: Sequence[Pair],
    over: Sequence[int],
    round_number: int,
) -> Pairing:
    """The boards in their order, each with its reason and what it gives up."""
    boards = problem.boards
    pair_of = {boards.ids(pair): pair for pair in made}
    chosen = sorted([*by_hand, *pair_of], key=lambda ids: min(boards.place[one] for one in ids))
    seated = [Board(*ids) for ids in chosen if len(ids) > 1]
    byes = [ids for ids in chosen if len(ids) == 1]
    relaxations: list[Relaxation] = []
    for ids in [*seated, *byes]:
        for rule, amount in boards.breaches(ids).items():
            given_up = Relaxation(rule, tuple(ids), amount)
            if ids in pair_of:
                pair = pair_of[ids]
                line = problem.stuck(pair)
                if line is not None:
                    player = next(player for player in ids if boards.line[player] == line)
                    given_up = given_up._replace(stuck=player)
                elif (1 + len(relaxations)) * len(boards.place) <= ALTERNATIVES:
                    given_up = given_up._replace(instead=problem.otherwise(best, pair))
            relaxations.append(given_up)
    for player in over:
        relaxations.append(Relaxation("rematch", (player,), 1))
        broken = boards.breaches((player,)).items()
        relaxations += [Relaxation(rule, (player,), amount) for rule, amount in broken]
    free = {player: ids for ids in pair_of for player in ids if len(ids) > 1}
    nearness = _nearness(boards.policy, round_number)
    reasons = [
        _reason(boards, ids, free if nearness and ids in pair_of else {}, by_hand=ids in by_hand)
        for ids in seated
    ]
    return Pairing(
        tuple(seated),
        byes[0][0] if byes else None,
        tuple(relaxations),
        tuple(reasons),
        tuple(over),
        problem.proved,
    )


def _nearness(policy: Policy, round_number: int) -> bool:
    """Whether neighbours are to meet."""
    if round_number == 1:
        return policy.first_round == "adjacent"
    return policy.system == "keizer" or policy.swiss_within == "adjacent"


def _reason(
    boards: Boards, ids: Board, free: Mapping[int, Sequence[int]], *, by_hand: bool
) -> Reason:
    """Why a board is as it is; free: the boards that were to be made, by player."""
    place = boards.place
    high, low = sorted(ids, key=place.__getitem__)
    skipped = [
        other
        for other in list(place)[place[high] + 1 : place[low]]
        if other in free and min(place[one] for one in free[other]) > place[high]
    ][:MOST_SKIPPED]
    colour = "fixed" if by_hand else boards.row(boards.pair(ids)).colour_by
    return Reason(colour, tuple(_obstacle(boards, (high, other)) for other in skipped))


def _obstacle(boards: Boards, ids: tuple[int, int]) -> Breach:
    """The first rule that keeps two from meeting, or `fit`."""
    seated = boards.ids(boards.pair(ids))
    rule, amount = next(iter(boards.breaches(seated).items()), ("fit", 0))
    return Breach(rule, ids, amount)
