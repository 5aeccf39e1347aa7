"""How fast `keizer.pairing.pair` is, alone and beside networkx."""

import argparse
from collections.abc import Sequence
from functools import partial

import click

from bench.measure import agree, cpu, doublings, figure, table
from bench.positions import evenings
from bench.rivals import Costs, graph, matched
from keizer.pairing import Policy

POLICIES = {
    "closest": Policy(aim="closest"),
    "top-down": Policy(aim="top-down"),
}


def growth(sizes: Sequence[int]) -> None:
    """How the time grows with the number of players."""
    click.echo("### pair(): time by players present\n")
    head = ["present"]
    columns, units = [], []
    for aim, policy in POLICIES.items():
        times = [sum(cpu(it.paired) for it in evenings(size, policy)) for size in sizes]
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
            *_, evening = evenings(size, policy)
            costs = Costs(evening)
            made = graph(costs)
            agree(costs.total(matched(made)), costs.total(costs.pairs(evening.paired())))
            slow = cpu(partial(matched, made), least=1)
            row.append(figure(slow / cpu(evening.paired)))
        rows.append(row)
    click.echo(table(["present", *POLICIES], rows))


def main() -> None:
    """Run them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller ones only")
    if parser.parse_args().quick:
        growth([50, 100])
        against_networkx([25, 50])
    else:
        growth([50, 100, 200, 500, 1000, 2000])
        against_networkx([50, 100, 200])


if __name__ == "__main__":
    main()
