"""How fast `keizer.pairing.pair` is, beside other ways to the same pairing."""

import argparse
from collections.abc import Sequence
from functools import partial
from statistics import median

import click

from bench.measure import cpu, doublings, figure, table
from bench.positions import Evening, dead_end, evenings, last_evening, odd_groups
from bench.rivals import Costs, Program, Search, graph, matched
from keizer.pairing import Policy

POLICIES = {
    "closest": Policy(aim="closest"),
    "top-down": Policy(aim="top-down"),
}

ONCE = Policy(aim="top-down", max_meetings=1)
"""Opponents meet once."""


def agree(one: object, other: object) -> None:
    """Whoever is compared must have found the same."""
    if one != other:
        raise RuntimeError(f"not the same pairing: {one} and {other}")


def growth(sizes: Sequence[int]) -> None:
    """How the time grows with the number of players."""
    click.echo("### pair(): time by players present\n")
    head = ["present"]
    columns, units = [], []
    for aim, policy in POLICIES.items():
        times = [sum(cpu(it.paired) for it in evenings(size, policy, last=3)) for size in sizes]
        head += [f"{aim}: time, {sizes[0]} = 1", "per doubling"]
        columns.append([figure(time / times[0]) for time in times])
        columns.append(["", *(f"x {factor:.1f}" for factor in doublings(sizes, times))])
        units.append(f"{1000 * times[0] / 3:.1f} ms ({aim})")
    click.echo(table(head, zip(map(str, sizes), *columns, strict=True)))
    click.echo(f"Here 1 is {' and '.join(units)} for a pairing.\n")


def against_networkx(sizes: Sequence[int]) -> None:
    """The general algorithm on the complete graph; graph and costs are not counted."""
    click.echo("### networkx.min_weight_matching / pair()\n")
    rows = []
    for size in sizes:
        row = [str(size)]
        for policy in POLICIES.values():
            evening = last_evening(size, policy)
            costs = Costs(evening)
            made = graph(costs)
            agree(costs.total(matched(made)), costs.total(costs.pairs(evening.paired())))
            slow = cpu(partial(matched, made), least=1)
            row.append(figure(slow / cpu(evening.paired)))
        rows.append(row)
    click.echo(table(["present", *POLICIES], rows))


def searched(evening: Evening, limit: int) -> tuple[Search, float]:
    """A search, and its time in times of pair()."""
    search = Search(evening, limit)
    found = evening.paired()
    if search.found is not None:
        agree({frozenset(it) for it in search.found}, {frozenset(it) for it in found.boards})
    elif not search.given_up:
        agree(bool(found.relaxations), True)  # noqa: FBT003
    seconds = cpu(partial(Search, evening, limit), least=2 if search.nodes > limit / 9 else 3)
    return search, seconds / cpu(evening.paired)


def against_search(sizes: Sequence[int], hard: Sequence[int], seasons: int, limit: int) -> None:
    """The classic rule with steps back, which looks at one legal board after the other."""
    click.echo(f"### Search with steps back / pair(), given up after {limit:,} boards\n")
    rows = []
    for policy, named in ((Policy(aim="top-down"), "usual rules"), (ONCE, "opponents meet once")):
        for size in sizes:
            rounds = size * 7 // 10 + 1 if policy is ONCE else 30
            runs = [
                searched(last_evening(size, policy, rounds=rounds, seed=seed), limit)
                for seed in range(1, seasons + 1)
            ]
            given_up = sum(search.given_up for search, _ in runs)
            more = "over " if given_up else ""
            rows.append(
                [
                    f"{named}, {size} present, round {rounds}",
                    f"{median(search.nodes for search, _ in runs):,.0f}",
                    f"{more}{max(search.nodes for search, _ in runs):,}",
                    f"{given_up} of {seasons}",
                    figure(median(ratio for _, ratio in runs)),
                    more + figure(max(ratio for _, ratio in runs)),
                ]
            )
    head = ["season", "boards tried, median", "most", "given up", "time / pair(), median", "most"]
    click.echo(table(head, rows))
    rows = []
    for make, named in ((dead_end, "dead end at the bottom"), (odd_groups, "two odd groups")):
        for size in hard:
            search, ratio = searched(make(size), limit)
            more = "over " if search.given_up else ""
            rows.append(
                [f"{named}, {size} players", f"{more}{search.nodes:,}", more + figure(ratio)]
            )
    click.echo(table(["constructed", "boards tried", "time / pair()"], rows))


def against_program(sizes: Sequence[int], seasons: int) -> None:
    """An integer program in HiGHS; costs and their packing are not counted."""
    click.echo(f"### Integer program in HiGHS / pair(), {seasons} seasons\n")
    rows = []
    for size in sizes:
        row = [str(size)]
        for policy in POLICIES.values():
            slow = fast = 0.0
            for seed in range(1, seasons + 1):
                evening = last_evening(size, policy, seed=seed)
                costs = Costs(evening)
                program = Program(costs)
                ours = costs.total(costs.pairs(evening.paired()))
                agree(costs.digits(costs.total(program.solved())), costs.digits(ours))
                slow += cpu(program.solved, seconds=0)
                fast += cpu(evening.paired, seconds=0.05)
            row.append(figure(slow / fast))
        rows.append(row)
    click.echo(table(["present", *POLICIES], rows))


def main() -> None:
    """Run them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller ones only")
    if parser.parse_args().quick:
        growth([50, 100, 200])
        against_networkx([25, 50])
        against_search([20], [10, 12, 14], seasons=5, limit=100_000)
        against_program([20], seasons=2)
    else:
        growth([50, 100, 200, 500, 1000, 2000])
        against_networkx([50, 100, 200])
        against_search([20, 24, 30], [12, 14, 16, 18, 20], seasons=20, limit=1_000_000)
        against_program([20, 30], seasons=10)


if __name__ == "__main__":
    main()
