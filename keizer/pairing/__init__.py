"""The pairing engine: the best pairing there is, from the rows of possible_boards.

The view (views/pairing/possible_boards.sql) has a row for every two players who are
present, and for the bye of each player. A row says by how much each rule is broken, and
what else counts: its *digits*. The digits of all boards are added up, and the first in
which two pairings differ decides. Their order:

- the rules that a club keeps, from the one given up last to the one given up first
  (`RULES` in facts.py);
- the club's wishes (`deciding_columns` in boards.py);
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

MAX_REASON_WORK = 400
"""The limit of the reasons that are computed, since each needs another solution.

A reason is how the best pairing without a certain board or bye would differ. It is
computed for the first few rules given up, as long as their number times the players
present is at most this: for eight with 50 players, for two with 200, for none with more
than 400.
"""

Ids = tuple[int, ...]
"""A board or a bye by its players (player.id): both, White first, or the only one."""


def best_pairing(
    conn: sqlite3.Connection,
    tournament: int,
    policy: Policy,
    players_by_rank: Sequence[int],
    *,
    fixed: Sequence[Board] = (),
    bye: int | None = None,
) -> Pairing:
    """Return the best pairing of those who are present for the coming round.

    It reads view possible_boards, and leaves the file as it is. Everybody is paired;
    the result names the rules that had to be given up for that.

    policy: the rules of the tournament. players_by_rank: those who are present
    (player.id), the highest first. fixed: boards that somebody has set by hand. bye:
    the player who was given the bye by hand; None if nobody was. The players of both
    must be present, and no player may be in two of them.
    """
    # By their players: a Board is a tuple of two, and a bye becomes a tuple of one.
    by_hand: list[Ids] = [*fixed]
    if bye is not None:
        by_hand.append((bye,))
    settled = [player for ids in by_hand for player in ids]
    # possible_boards is queried several times. Two views below it do not change in the
    # meantime, so each is computed once, into a temporary table.
    with views_copied(conn, tournament):
        boards = Boards(conn, tournament, policy, players_by_rank)
        problem = Problem(boards, settled)
        best = problem.solve()
        return _pairing_with_reasons(problem, best, by_hand)


def _pairing_with_reasons(
    problem: Problem, best: Sequence[Pair], by_hand: Sequence[Ids]
) -> Pairing:
    """Return the round: the boards from the top, and the rules that they give up.

    problem: the one that was solved. best: its solution, as pairs of lines. A line is
    the place of a player in the order for pairing; the bye has the last one. by_hand:
    the boards and the bye that were set by hand before, by their players.
    """
    boards = problem.boards
    pair_of: dict[Ids, Pair] = {}  # by players, the boards and the bye of the engine
    left_over: list[int] = []
    for pair in best:
        if boards.rows[pair][LEFT_OVER]:
            # Two of a Swiss who have met or are prohibited: they do not play, but get a
            # bye each.
            left_over += boards.ids(pair)
        else:
            pair_of[boards.ids(pair)] = pair
    left_over.sort(key=boards.place_of.__getitem__)
    # A board stands where the higher-ranked of its two players belongs.
    boards_and_byes: list[Ids] = [*by_hand, *pair_of]
    boards_and_byes.sort(key=lambda ids: min(boards.place_of[each] for each in ids))
    seated = [Board(*ids) for ids in boards_and_byes if len(ids) > 1]
    byes = [ids for ids in boards_and_byes if len(ids) == 1]
    relaxations = _relaxations(problem, best, [*seated, *byes], pair_of)
    relaxations += _relaxations_of_left_over(boards, left_over)
    if_last_had_bye = None
    if not left_over:  # else byes are given for another reason
        if_last_had_bye = _why_not_last(problem, best, len(relaxations))
    # A Board equals the tuple of its two players, so that pair_of has it as a key.
    return Pairing(
        boards=tuple(seated),
        colours=tuple(_colour_reason(boards, pair_of.get(ids)) for ids in seated),
        bye=byes[0][0] if byes else None,
        relaxations=tuple(relaxations),
        if_last_had_bye=if_last_had_bye,
        left_over=tuple(left_over),
        proved=problem.proved,
    )


def _colour_reason(boards: Boards, pair: Pair | None) -> str:
    """Return what decided who has White: a value of round.colour_by.

    pair: the two players of a board, as the engine chose it. None for a board that was
    set by hand: there a person decided, which is "fixed".
    """
    if pair is None:
        return "fixed"
    row = boards.rows[pair]  # of view possible_boards
    reason: str = row[INDEX["colour_by"]]
    return reason


def _relaxations(
    problem: Problem,
    best: Sequence[Pair],
    boards_and_byes: Sequence[Ids],
    pair_of: Mapping[Ids, Pair],
) -> list[Relaxation]:
    """Return the hard rules that boards and a bye break, and why.

    best: all pairs that the engine chose. boards_and_byes: all boards and the bye, by
    their players. pair_of: by players, the pairs of those that the engine chose. The
    others were set by a person, so the engine does not know why.
    """
    boards = problem.boards
    _read_alternatives(problem, pair_of)
    relaxations: list[Relaxation] = []
    for ids in boards_and_byes:
        for rule, amount in boards.breaches(ids).items():
            relaxation = Relaxation(rule, tuple(ids), amount)
            if ids in pair_of:
                number = 1 + len(relaxations)
                relaxation = _with_reason(
                    relaxation, problem, best, pair_of[ids], number
                )
            relaxations.append(relaxation)
    return relaxations


def _read_alternatives(problem: Problem, pair_of: Mapping[Ids, Pair]) -> None:
    """Query the rows of all possible opponents of players whose board breaks a rule.

    The rows are added to `boards.rows` of the problem. They tell whether such a player
    had any board or bye that breaks no rule, which the reason for the board depends on.

    pair_of: by players, the boards and the bye that the engine chose. A pair is two
    lines: places in the order for pairing, where the bye has the last one.
    """
    boards = problem.boards
    pairs: list[Pair] = []
    for ids, pair in pair_of.items():
        # The reason for a bye is never that the player had no other board. So it does
        # not need the rows (see Problem.player_without_alternative).
        is_bye = len(ids) == 1
        if is_bye or not boards.breaches(ids):
            continue
        # Both players with everybody else, and with the bye if there is one. They are
        # queried together, since many queries would take long.
        for line, other in product(pair, problem.costs.lines):
            if line != other:
                pairs.append(ordered(line, other))
    boards.read(pairs)


def _with_reason(
    relaxation: Relaxation,
    problem: Problem,
    best: Sequence[Pair],
    pair: Pair,
    number: int,
) -> Relaxation:
    """Return a relaxation (a rule that a pair breaks) with the reason for it.

    The reason is a player of the two for whom every board and bye would break a rule.
    If there is none, it is how the best pairing without this pair would differ. To find
    that takes another solution. So late relaxations of a large round get no reason.

    best: the best pairing of all. number: 1 for the first relaxation of the round.
    """
    stuck_player = problem.player_without_alternative(pair)
    if stuck_player is not None:
        return relaxation._replace(player_without_alternative=stuck_player)
    if _is_too_much_work(problem.boards, number):
        return relaxation
    return relaxation._replace(instead=problem.difference(best, without=pair))


def _is_too_much_work(boards: Boards, number: int) -> bool:
    """Return whether a reason is not computed, as it would be one too many.

    number: how many reasons of the round there are with this one.
    """
    return number * len(boards.place_of) > MAX_REASON_WORK


def _relaxations_of_left_over(
    boards: Boards, left_over: Sequence[int]
) -> list[Relaxation]:
    """Return the rules that are broken for players who are left over.

    Players of a Swiss are left over if only rematches and prohibited pairings remain.
    Each of them has a bye, which is against rule "left_over", and perhaps others.
    """
    relaxations: list[Relaxation] = []
    for player in left_over:
        relaxations.append(Relaxation("left_over", (player,), 1))
        for rule, amount in boards.breaches((player,)).items():
            relaxations.append(Relaxation(rule, (player,), amount))
    return relaxations


def _why_not_last(
    problem: Problem, best: Sequence[Pair], relaxation_count: int
) -> Difference | None:
    """Return how the best pairing would differ if the last player had the bye.

    That is the player with the last place by rank, of those who are paired by the
    engine. None if it gave no bye, if the last player has it, or if another solution
    would be too much work.

    best: the best pairing, as pairs of lines. A line is the place of a player in the
    order for pairing. relaxation_count: how many rules the round has given up.
    """
    boards = problem.boards
    lines_with_bye = [line for line, other in best if other == boards.bye_line]
    # Reasons of all relaxations may have been computed before, so this is one more.
    number = 1 + relaxation_count
    if not lines_with_bye or _is_too_much_work(boards, number):
        return None
    # The last by rank may be somewhere else in the order for pairing, which a random
    # first round draws by lot. Those who are paired by hand have no vertex.
    lines_by_place = [boards.line_of[player] for player in boards.place_of]
    lines_to_pair = [line for line in lines_by_place if line in problem.costs.vertex]
    last_line = lines_to_pair[-1]
    if lines_with_bye == [last_line]:
        return None
    return problem.difference(best, bye=last_line)
