"""The pairing engine: the best pairing there is, from the rows of possible_boards.

The view (views/pairing/possible_boards.sql) has a row for every two players who are
present, and for the bye of each player. A row says by how much each rule is broken, and
what else counts: its *digits*. The digits of all boards are added up, and the first in
which two pairings differ decides. Their order:

- the rules that a club keeps, from the one given up last to the one given up first
  (`RULES` in facts.py);
- the club's wishes (`digits_by_weight` in boards.py);
- the choices: how many nearer opponents the first player in the order for pairing
  passes over, then the first of the players who remain, and so on.

Nothing is forbidden, only expensive, so nobody is left out; the digits say what had to
be given up. The choices make the optimum unique: the same players, games and policy
give the same boards everywhere.

The modules, from the rows to the pairing: boards.py reads the rows, and costs.py makes
a whole number of each. likely.py (with quotas.py) has the pairs to begin with.
matching.py solves them (with blossoms.py and tree.py). pricing.py has the pairs to go
on with, which unread.py finds. optimum.py puts these together, and this module tells
what the best pairing is and what it gives up.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import product

from keizer.pairing.boards import INDEX, LEFT_OVER, Boards, Pair, ordered, views_copied
from keizer.pairing.facts import Board, Difference, Pairing, Policy, Relaxation
from keizer.pairing.optimum import Problem

ALTERNATIVES = 400
"""The limit of the reasons that are computed, since each needs another solution.

A reason is how the best pairing without a certain board or bye would differ. It is
computed for the first few rules given up, as long as their number times the players
present is at most this: for eight with 50 players, for two with 200, for none with more
than 400.
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

    policy: the rules of the tournament. places: the players who are present
    (player.id), by rank. fixed, bye: the boards and the bye that are settled already,
    of players who are present. No player may be in two of them.
    """
    by_hand: list[Ids] = [*fixed]
    if bye is not None:
        by_hand.append((bye,))
    settled = [player for ids in by_hand for player in ids]
    with views_copied(conn, tournament):
        boards = Boards(conn, tournament, policy, places)
        problem = Problem(boards, settled)
        best = problem.solve()
        return _pairing_with_reasons(problem, best, by_hand)


def _pairing_with_reasons(
    problem: Problem, best: Sequence[Pair], by_hand: Sequence[Ids]
) -> Pairing:
    """Return the boards of the best pairing from the top, and what they give up.

    best: the pairs that the engine chose. by_hand: the boards and the bye settled
    before.
    """
    boards = problem.boards
    pair_of: dict[Ids, Pair] = {}
    left_over: list[int] = []
    for pair in best:
        if boards.rows[pair][LEFT_OVER]:
            left_over += boards.ids(pair)  # the two do not meet: both get a bye
        else:
            pair_of[boards.ids(pair)] = pair
    left_over.sort(key=boards.place_of.__getitem__)
    # Boards and byes, in the order of the higher place on each.
    units: list[Ids] = [*by_hand, *pair_of]
    units.sort(key=lambda ids: min(boards.place_of[player] for player in ids))
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
    """Return what decided who has White: a value of round.colour_by.

    pair: that of a board which the engine chose; None for a board fixed by hand.
    """
    if pair is None:
        return "fixed"
    reason: str = boards.rows[pair][INDEX["colour_by"]]
    return reason


def _relaxations(
    problem: Problem,
    best: Sequence[Pair],
    units: Sequence[Ids],
    pair_of: Mapping[Ids, Pair],
) -> list[Relaxation]:
    """Return the rules that boards and a bye give up, and why.

    units: all boards, and the bye. pair_of: the pairs of those that the engine chose.
    The others were settled by a person, so the engine does not know why.
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
    """Read all rows of the players whose board breaks a hard rule.

    Their reasons need them: whether such a player had any legal board or bye.
    """
    boards = problem.boards
    pairs: list[Pair] = []
    for ids, pair in pair_of.items():
        is_bye = len(ids) == 1
        if is_bye or not boards.breaches(ids):
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

    The reason is a player who had no legal alternative, or else how the best pairing
    without the pair would differ. number: 1 for the first relaxation of the round.
    """
    stuck_player = problem.player_without_alternative(pair)
    if stuck_player is not None:
        return relaxation._replace(stuck=stuck_player)
    is_too_much_work = number * len(problem.boards.place_of) > ALTERNATIVES
    if is_too_much_work:
        return relaxation
    return relaxation._replace(instead=problem.difference(best, without=pair))


def _relaxations_of_left_over(
    boards: Boards, left_over: Sequence[int]
) -> list[Relaxation]:
    """Return what the players give up who are left over, and so have a bye each."""
    relaxations: list[Relaxation] = []
    for player in left_over:
        relaxations.append(Relaxation("left_over", (player,), 1))
        for rule, amount in boards.breaches((player,)).items():
            relaxations.append(Relaxation(rule, (player,), amount))
    return relaxations


def _why_not_last(
    problem: Problem, best: Sequence[Pair], relaxation_count: int
) -> Difference | None:
    """Return how the best pairing differs in which the last player has the bye.

    That is the player with the last place of those who are to be paired. None if there
    is no bye to be given, the last player has it, or it would be too much work.
    """
    boards = problem.boards
    lines_with_bye = [line for line, other in best if other == boards.bye_line]
    number = 1 + relaxation_count
    is_too_much_work = number * len(boards.place_of) > ALTERNATIVES
    if not lines_with_bye or is_too_much_work:
        return None
    lines_by_place = [boards.line_of[player] for player in boards.place_of]
    lines_to_pair = [line for line in lines_by_place if line in problem.costs.vertex]
    last_line = lines_to_pair[-1]
    if lines_with_bye == [last_line]:
        return None
    return problem.difference(best, bye=last_line)
