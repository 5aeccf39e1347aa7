"""The pairing engine: the best pairing there is, from the rows of possible_boards.

The view (views/pairing/possible_boards.sql) says of every two who are present, and of
every bye, by how much each rule is broken, and what else counts. A cost is a row of
these digits, and the first in which two pairings differ decides. First come the rules
that a club keeps, from the one given up last to the one given up first (`RULES`), then
its wishes (`counted` in boards.py has their order). Last comes which choice the
opponent is for the first player in the order for pairing, then for the first of those
who remain, and so on.

Nothing is forbidden, only expensive, so nobody is left out; the digits say what had to
be given up. The last ones make the optimum unique: the same players, games and policy
give the same boards everywhere.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import product

from keizer.pairing.boards import AT, LEFT_OVER, Boards, Pair, ordered, worked_out_once
from keizer.pairing.facts import Board, Difference, Pairing, Policy, Relaxation
from keizer.pairing.optimum import Problem

ALTERNATIVES = 400
"""The most players times breaches for which other pairings are computed.

That is the best pairing without a breach: for eight breaches with 50 players present,
for two with 200, for none with more than 400.
"""

Ids = tuple[int, ...]
"""The players of a board, White first, or the player with the bye (player.id)."""


def best_pairing(
    conn: sqlite3.Connection,
    tournament: int,
    policy: Policy,
    places: Sequence[int],
    *,
    fixed: Sequence[Board] = (),
    bye: int | None = None,
) -> Pairing:
    """Return the best pairing of those who are present for the coming round.

    policy and places (player.id) as the file has them. fixed, bye: the boards and the
    bye that are settled already, of players who are present, each in one.
    """
    by_hand: list[Ids] = [*fixed]
    if bye is not None:
        by_hand.append((bye,))
    settled = [player for ids in by_hand for player in ids]
    with worked_out_once(conn, tournament):
        boards = Boards(conn, tournament, policy, places)
        problem = Problem(boards, settled)
        return _described(problem, problem.solve(), by_hand)


def _described(
    problem: Problem, best: Sequence[Pair], by_hand: Sequence[Ids]
) -> Pairing:
    """Return the boards of the best pairing in their order, and what they give up."""
    boards = problem.boards
    pair_of: dict[Ids, Pair] = {}
    left_over: list[int] = []
    for pair in best:
        if boards.rows[pair][LEFT_OVER]:
            left_over += boards.ids(pair)
        else:
            pair_of[boards.ids(pair)] = pair
    left_over.sort(key=boards.place.__getitem__)
    units: list[Ids] = [*by_hand, *pair_of]
    units.sort(key=lambda ids: min(boards.place[player] for player in ids))
    seated = [Board(*ids) for ids in units if len(ids) > 1]
    byes = [ids for ids in units if len(ids) == 1]
    relaxations = _relaxations(problem, best, [*seated, *byes], pair_of)
    relaxations += _relaxations_of_left_over(boards, left_over)
    not_last = None
    if not left_over:
        not_last = _why_not_last(problem, best, len(relaxations))
    return Pairing(
        boards=tuple(seated),
        colours=tuple(_colour_reason(boards, pair_of.get(ids)) for ids in seated),
        bye=byes[0][0] if byes else None,
        relaxations=tuple(relaxations),
        not_last=not_last,
        left_over=tuple(left_over),
        proved=problem.proved,
    )


def _colour_reason(boards: Boards, pair: Pair | None) -> str:
    """Return what decided who has White. No pair stands for a board fixed by hand."""
    if pair is None:
        return "fixed"
    reason: str = boards.rows[pair][AT["colour_by"]]
    return reason


def _relaxations(
    problem: Problem,
    best: Sequence[Pair],
    units: Sequence[Ids],
    pair_of: Mapping[Ids, Pair],
) -> list[Relaxation]:
    """Return the rules that boards and a bye give up, and why.

    pair_of: the pairs of lines of those that the engine chose. Of others, which a
    person settled, it does not say why.
    """
    boards = problem.boards
    _read_all_rows_of_wrong_boards(problem, pair_of)
    relaxations: list[Relaxation] = []
    for ids in units:
        for rule, amount in boards.breaches(ids).items():
            relaxation = Relaxation(rule, tuple(ids), amount)
            if ids in pair_of:
                number = 1 + len(relaxations)
                relaxation = _explain(problem, best, pair_of[ids], relaxation, number)
            relaxations.append(relaxation)
    return relaxations


def _read_all_rows_of_wrong_boards(
    problem: Problem, pair_of: Mapping[Ids, Pair]
) -> None:
    """Read the rows with everybody of all players whose board breaks a hard rule."""
    boards = problem.boards
    pairs: list[Pair] = []
    for ids, pair in pair_of.items():
        if len(ids) == 1 or not boards.breaches(ids):
            continue
        for line, other in product(pair, problem.costs.lines):
            if line != other:
                pairs.append(ordered(line, other))
    boards.read(pairs)


def _explain(
    problem: Problem,
    best: Sequence[Pair],
    pair: Pair,
    relaxation: Relaxation,
    number: int,
) -> Relaxation:
    """Return a relaxation with the reason why a pair gives up a rule.

    That is a player who has nobody else, or the best pairing without the pair. number:
    how many relaxations there are up to this one.
    """
    stuck_player = problem.stuck(pair)
    if stuck_player is not None:
        return relaxation._replace(stuck=stuck_player)
    if number * len(problem.boards.place) > ALTERNATIVES:
        return relaxation
    return relaxation._replace(instead=problem.otherwise(best, pair))


def _relaxations_of_left_over(
    boards: Boards, left_over: Sequence[int]
) -> list[Relaxation]:
    """Return the relaxations of the players who are left over, and so have a bye."""
    relaxations: list[Relaxation] = []
    for player in left_over:
        relaxations.append(Relaxation("left_over", (player,), 1))
        for rule, amount in boards.breaches((player,)).items():
            relaxations.append(Relaxation(rule, (player,), amount))
    return relaxations


def _why_not_last(
    problem: Problem, best: Sequence[Pair], relaxation_count: int
) -> Difference | None:
    """Return why not the last has the bye, by place, of those who are to be paired.

    None if there is no bye to be given, or the last has it, or it is not looked for.
    """
    boards = problem.boards
    with_bye = [line for line, other in best if other == boards.bye_line]
    if not with_bye or (1 + relaxation_count) * len(boards.place) > ALTERNATIVES:
        return None
    lines_by_place = [boards.line[player] for player in boards.place]
    last_line = [line for line in lines_by_place if line in problem.costs.vertex][-1]
    if with_bye == [last_line]:
        return None
    return problem.otherwise(best, bye=last_line)
