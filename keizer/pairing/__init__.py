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
from collections.abc import Sequence

from keizer.pairing.boards import AT, LEFT_OVER, Boards, Pair, worked_out_once
from keizer.pairing.facts import Board, Instead, Pairing, Policy, Relaxation
from keizer.pairing.optimum import Problem

ALTERNATIVES = 400
"""The most players times breaches for which the best pairing without a breach is
computed: eight breaches with 50 players present, two with 200, none with more than 400."""


def best_pairing(
    conn: sqlite3.Connection,
    tournament: int,
    policy: Policy,
    places: Sequence[int],
    *,
    fixed: Sequence[Board] = (),
    bye: int | None = None,
) -> Pairing:
    """The best pairing of those who are present for the coming round of a tournament.

    policy and places (player.id) as the file has them. fixed, bye: the boards and the bye that
    are settled already, of players who are present, each in one.
    """
    by_hand: list[tuple[int, ...]] = [*fixed, *([] if bye is None else [(bye,)])]
    settled = [player for ids in by_hand for player in ids]
    with worked_out_once(conn, tournament):
        boards = Boards(conn, tournament, policy, places)
        problem = Problem(boards, settled)
        best = problem.solve()
        left = [pair for pair in best if boards.rows[pair][LEFT_OVER]]
        over = [player for pair in left for player in boards.ids(pair)]
        over.sort(key=boards.place.__getitem__)
        made = [pair for pair in best if pair not in left]
        return _told(problem, by_hand, best, made, over)


def _told(
    problem: Problem,
    by_hand: Sequence[tuple[int, ...]],
    best: Sequence[Pair],
    made: Sequence[Pair],
    over: Sequence[int],
) -> Pairing:
    """The boards in their order, and what they give up."""
    boards = problem.boards
    pair_of = {boards.ids(pair): pair for pair in made}
    chosen = sorted(
        [*by_hand, *pair_of], key=lambda ids: min(boards.place[one] for one in ids)
    )
    seated = [Board(*ids) for ids in chosen if len(ids) > 1]
    byes = [ids for ids in chosen if len(ids) == 1]
    wrong = [pair_of[ids] for ids in seated if ids in pair_of and boards.breaches(ids)]
    boards.read(
        (min(line, other), max(line, other))
        for pair in wrong
        for line in pair
        for other in problem.costs.lines
        if line != other
    )
    relaxations: list[Relaxation] = []
    for ids in [*seated, *byes]:
        for rule, amount in boards.breaches(ids).items():
            given_up = Relaxation(rule, tuple(ids), amount)
            if ids in pair_of:
                pair = pair_of[ids]
                line = problem.stuck(pair)
                if line is not None:
                    player = next(
                        player for player in ids if boards.line[player] == line
                    )
                    given_up = given_up._replace(stuck=player)
                elif (1 + len(relaxations)) * len(boards.place) <= ALTERNATIVES:
                    given_up = given_up._replace(instead=problem.otherwise(best, pair))
            relaxations.append(given_up)
    for player in over:
        relaxations.append(Relaxation("left_over", (player,), 1))
        broken = boards.breaches((player,)).items()
        relaxations += [Relaxation(rule, (player,), amount) for rule, amount in broken]
    colour = AT["colour_by"]
    return Pairing(
        tuple(seated),
        tuple(
            "fixed" if ids in by_hand else boards.rows[pair_of[ids]][colour]
            for ids in seated
        ),
        byes[0][0] if byes else None,
        tuple(relaxations),
        None if over else _not_last(problem, best, len(relaxations)),
        tuple(over),
        problem.proved,
    )


def _not_last(problem: Problem, best: Sequence[Pair], given_up: int) -> Instead | None:
    """Why who comes last in the order of pairing does not have the bye."""
    boards = problem.boards
    having = [pair[0] for pair in best if pair[1] == boards.last_line]
    free = [
        line
        for line in map(boards.line.__getitem__, boards.place)
        if line in problem.costs.vertex
    ]
    if having in ([], free[-1:]) or (1 + given_up) * len(boards.place) > ALTERNATIVES:
        return None
    return problem.otherwise(best, bye=free[-1])
