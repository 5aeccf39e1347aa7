"""How fast a pairing is, alone and beside networkx on the complete graph."""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from random import Random

import click
import networkx as nx

from bench.measure import agree, cpu, doublings, figure, in_turn, table
from bench.seasons import score
from conformance import adapter
from keizer.pairing.boards import Boards
from keizer.pairing.facts import Policy
from keizer.pairing.optimum import Problem
from tests.support.pairings import Case, Game, Player, due_colours, swiss_rounds

POLICIES = {"closest": Policy(aim="closest"), "top-down": Policy(aim="top-down")}

PRESENCE = 0.85
"""So often a member comes."""

ROUNDS, LAST = 12, 3
"""Of a season, and how many of them are measured."""

SWISS_ROUNDS = 7
"""Rounds of a Swiss; all of them are measured."""


def evenings(present: int, policy: Policy) -> Iterator[Case]:
    """The last of 12 rounds of a season, each to be paired for a number of players present.

    The engine pairs a club of random strengths; a win brings the opponent's value, to be
    away a third of the own.
    """
    rng = Random(1)  # noqa: S311
    members = range(1, round(present / PRESENCE) + 1)
    ratings = sorted((rng.gauss(1600, 300) for _ in members), reverse=True)
    rating = dict(zip(members, ratings, strict=True))
    scores, byes = dict.fromkeys(members, 0.0), dict.fromkeys(members, 0)
    games: list[Game] = []
    ranking: list[int] = []
    last_bye: int | None = None

    def evening(count: int) -> Case:
        here = set(rng.sample(members, count))
        players = [
            Player(player, byes=byes[player], bye_last_round=player == last_bye)
            for player in ranking
            if player in here
        ]
        return Case(players, list(games), number, policy)

    for number in range(1, ROUNDS + 1):
        ranking = sorted(members, key=lambda player: (-scores[player], -rating[player]))
        if number > ROUNDS - LAST:
            yield evening(present)
        pairing = evening(
            max(2, sum(rng.random() < PRESENCE for _ in members))
        ).paired()
        value = {
            player: 2 * len(members) - place for place, player in enumerate(ranking)
        }
        unplayed = {*members}
        for white, black in pairing.boards:
            won = score(rng, rating[white], rating[black])
            scores[white] += won * value[black]
            scores[black] += (1 - won) * value[white]
            unplayed -= {white, black}
            games.append(Game(number, white, black))
        for player in unplayed:
            scores[player] += value[player] / 3
        last_bye = pairing.bye
        if last_bye is not None:
            byes[last_bye] += 1


def growth(sizes: Sequence[int]) -> None:
    """How the time grows with the number of players."""
    click.echo("### A pairing: time by players present\n")
    head = ["present"]
    columns, units = [], []
    for aim, policy in POLICIES.items():
        times = [
            sum(cpu(night.paired) for night in evenings(size, policy)) for size in sizes
        ]
        head += [f"{aim}: time, {sizes[0]} = 1", "per doubling"]
        columns.append([figure(time / times[0]) for time in times])
        columns.append(["", *(f"x {factor:.1f}" for factor in doublings(sizes, times))])
        units.append(f"{1000 * times[0] / LAST:.1f} ms ({aim})")
    click.echo(table(head, zip(map(str, sizes), *columns, strict=True)))
    click.echo(f"Here 1 is {' and '.join(units)} for a pairing.\n")


def club_night() -> float:
    """The processor time of a pairing of 50 who are present."""
    nights = [*evenings(50, POLICIES["closest"])]
    return sum(cpu(night.paired) for night in nights) / len(nights)


def slower(evening: Case) -> float:
    """By how much networkx is, with the engine's own costs; RuntimeError if they disagree."""
    players = [player.id for player in evening.players]
    with adapter.laid_out(evening.as_position(), evening.policy._asdict()) as conn:
        boards = Boards(conn, 1, evening.policy, players)
        problem = Problem(boards, ())
        problem.costs.read(combinations(range(problem.costs.size), 2))
    graph = nx.Graph()
    for (one, two), cost in problem.costs.known.items():
        graph.add_edge(one, two, weight=cost)
    found = evening.paired()
    units = [*found.boards, *([] if found.bye is None else [(found.bye,)])]
    vertex = problem.costs.vertex
    lines = (boards.read_pair(unit) for unit in units)
    pairs = [(vertex[one], vertex[two]) for one, two in lines]
    best = nx.min_weight_matching(graph)
    agree(
        *(sum(graph.edges[pair]["weight"] for pair in made) for made in (best, pairs))
    )
    return cpu(partial(nx.min_weight_matching, graph), least=1) / cpu(evening.paired)


def against_networkx(sizes: Sequence[int]) -> None:
    """The general algorithm on the complete graph; graph and costs are not counted."""
    click.echo("### networkx.min_weight_matching / a pairing\n")
    rows = []
    for size in sizes:
        last = [[*evenings(size, policy)][-1] for policy in POLICIES.values()]
        rows.append([str(size), *(figure(slower(evening)) for evening in last)])
    click.echo(table(["present", *POLICIES], rows))


def tournaments(sizes: Sequence[int], *, white_wins: bool = False) -> None:
    """How the time of a Swiss by halves grows, in each of its rounds."""
    night = club_night()
    kind = " in which White always wins" if white_wins else ""
    click.echo(
        f"### A Swiss{kind}: time by players and rounds, a club night of 50 = 1\n"
    )
    rows = []
    for size in sizes:
        cases = swiss_rounds(size, SWISS_ROUNDS, white_wins=white_wins)
        times = [cpu(case.paired, least=1) / night for case in cases]
        rows.append([str(size), *map(figure, times)])
    rounds = [f"round {number}" for number in range(1, SWISS_ROUNDS + 1)]
    click.echo(table(["players", *rounds], rows))


def unbalanced(sizes: Sequence[int]) -> None:
    """Compare a field of which half is due White and half Black with one of mixed colours."""
    click.echo("### Half due White, half due Black / mixed\n")
    rows = []
    for size in sizes:
        halves, mixed = in_turn(
            [
                due_colours(size, mixed=False).paired,
                due_colours(size, mixed=True).paired,
            ],
            turns=3,
        )
        rows.append([str(size), figure(halves / mixed)])
    click.echo(table(["present", "time"], rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller ones only")
    quick = parser.parse_args().quick
    growth([50, 100] if quick else [50, 100, 200, 500, 1000, 2000])
    tournaments([50, 100] if quick else [100, 300, 500, 1000, 2000])
    tournaments([50] if quick else [100, 300, 500], white_wins=True)
    unbalanced([50] if quick else [200, 400, 800])
    against_networkx([25, 50] if quick else [50, 100, 200])
