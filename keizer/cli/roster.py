"""Who plays: add, withdraw."""

import click

from keizer.cli import options, output, session
from keizer.season import roster, tournaments
from keizer.store import steps


@session.command(
    click.argument("name", type=options.Word("newcomer")),
    click.option("--rating", type=click.IntRange(0, 4000), help="Decides the start order."),
    click.option("--category", help="Such as A, B or Youth."),
    click.option(
        "--from-round",
        type=click.IntRange(1, 999),
        metavar="R",
        help="His first round; the next one by default.",
    ),
)
def add(
    season: session.Season,
    name: str,
    rating: int | None,
    category: str | None,
    from_round: int | None,
) -> None:
    """Enter a player, or take back that he withdrew.

    Example: keizer add club.db "Judit Baker" --rating 2110
    """
    with season.writing() as (conn, chosen):
        player = roster.enter(
            conn, chosen, name, rating=rating, category=category, from_round=from_round
        )
        first = from_round or tournaments.coming_round(conn, chosen)
        stored = roster.players(conn, chosen)[player]
        steps.describe(conn, f"{stored} entered")
        session.tell_unseated(conn, chosen)
    output.say(f"{stored} (#{player}) plays from round {first}.")


@session.command(options.member())
def withdraw(season: session.Season, name: str) -> None:
    """Take a player out after the last round; his games stay.

    Example: keizer withdraw club.db Baker
    """
    with season.writing() as (conn, chosen):
        player, stored = session.member(conn, chosen, name)
        last = roster.withdraw(conn, chosen, player)
        steps.describe(conn, f"{stored} withdrawn")
        session.tell_unseated(conn, chosen)
    output.say(f"{stored} has withdrawn after round {last}.")


COMMANDS = (add, withdraw)
