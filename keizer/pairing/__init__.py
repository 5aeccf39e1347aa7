"""Who meets whom: the best pairing there is, from plain data and without a database.

    from keizer.pairing import Game, Player, Policy, pair

    pair([Player(1), Player(2), Player(3)], [Game(1, 1, 2)], round_number=2)

Every pair of present players, and every bye, has a cost: a row of digits, the
first in which two pairings differ decides. The rules that a club keeps come
first, from the one given up last to the one given up first (`RULES`). Then come
its wishes:

    rematch     a meeting that has to be repeated is the one longest ago
    byes        the soft bye rules; then the lowest-ranked has the bye
    score       Swiss: the difference of the two scores
    distance    aim closest: the square of the distance in rank
    colours     the soft colour rules, the squares of the colour differences
                after the round, the same colour twice running
    order       the highest-ranked meets the nearest, then the highest of those
                who are left, and so on down the list

Aim top-down leaves distance and colours out: the order decides, and the colours
are given afterwards. In a Swiss, colours come before distance. Nothing is
forbidden, only expensive, so nobody is left out; the digits say what had to be
given up. A pair takes the better of its two seatings. The last digit makes the
optimum unique: the same players, games and policy give the same boards
everywhere.
"""

from collections.abc import Iterable, Sequence

from keizer.pairing.digits import Position
from keizer.pairing.facts import (
    RULES,
    Board,
    Breach,
    Game,
    ImpossibleError,
    Pairing,
    Player,
    Policy,
    Reason,
    Relaxation,
)
from keizer.pairing.optimum import Problem

__all__ = [
    "ALTERNATIVES",
    "RULES",
    "Board",
    "Breach",
    "Game",
    "ImpossibleError",
    "Pairing",
    "Player",
    "Policy",
    "Reason",
    "Relaxation",
    "pair",
]

ALTERNATIVES = 400
"""The most players times breaches for which the best pairing without a breach is
computed: eight breaches with 50 players present, one in a field of hundreds."""


def pair(
    players: Sequence[Player],
    games: Iterable[Game] = (),
    *,
    round_number: int,
    policy: Policy | None = None,
    period_start: int = 1,
    fixed: Sequence[Board] = (),
    bye: int | None = None,
) -> Pairing:
    """The best pairing of the present players.

    players: those present, best rank first. games: those played over the board in
    earlier rounds. period_start: the first round of this period. fixed, bye: the
    boards and the bye that are settled already. The others are paired as if those
    were absent; with everybody fixed, the result says what a pairing by hand gives up.
    Raises ValueError when no player or the same player twice is given, or when the
    fixed boards make no sense; ImpossibleError when a Swiss has no pairing without
    a rematch.
    """
    position = Position(players, games, policy or Policy(), round_number, period_start)
    by_hand: list[tuple[int, ...]] = [*fixed, *([] if bye is None else [(bye,)])]
    settled = [player for ids in by_hand for player in ids]
    if len(set(settled)) < len(settled) or not position.place.keys() >= set(settled):
        raise ValueError("what is fixed must be present players, each named once")
    rest = [player for player in players if player.id not in settled]
    if bye is not None and len(rest) % 2:
        raise ValueError("with this bye an odd number of players is left")
    problem = Problem(position, rest)
    best = [position.seated(ids) for ids in problem.solve()]
    for ids in best:
        if "rematch" in position.breaches(ids):
            raise ImpossibleError(ids)
    return _told(position, by_hand, best, problem)


def _told(
    position: Position,
    by_hand: list[tuple[int, ...]],
    best: list[tuple[int, ...]],
    problem: Problem,
) -> Pairing:
    """The boards in their order, each with its reason and what it gives up."""
    chosen = sorted(
        [*by_hand, *best], key=lambda ids: min(position.place[player] for player in ids)
    )
    boards = [Board(*ids) for ids in chosen if len(ids) > 1]
    byes = [ids for ids in chosen if len(ids) == 1]
    relaxations: list[Relaxation] = []
    for ids in [*boards, *byes]:
        for rule, amount in position.breaches(ids).items():
            if ids in by_hand:
                given_up = Relaxation(rule, tuple(ids), amount)
            else:
                few = len(relaxations) * len(position.place) < ALTERNATIVES
                stuck = problem.stuck(ids)
                instead = problem.otherwise(ids) if few and stuck is None else ()
                given_up = Relaxation(rule, tuple(ids), amount, stuck, instead)
            relaxations.append(given_up)
    partner = {**dict(boards), **{black: white for white, black in boards}}
    reasons = [position.reason(board, partner, by_hand=board in by_hand) for board in boards]
    bye = byes[0][0] if byes else None
    return Pairing(tuple(boards), bye, tuple(relaxations), tuple(reasons))
