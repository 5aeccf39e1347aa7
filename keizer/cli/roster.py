"""Who plays: add, withdraw."""

from typing import Annotated

import click

from keizer import club
from keizer.cli import output, session
from keizer.cli.options import Member, argument, flag, option, round_number
from keizer.season import roster


@session.command
def add(
    season: session.Season,
    name: Annotated[str, argument()],
    rating: Annotated[
        int | None, option("Decides the start order; 0 is none.", type=click.IntRange(0, 4000))
    ],
    category: Annotated[str | None, option("Such as A, B or Youth.")],
    from_round: Annotated[
        int | None,
        round_number("The player's first round; the next one by default.", "--from-round", first=1),
    ],
    new: Annotated[bool, flag("Somebody else than the player of nearly the same name.")],
) -> None:
    """Enter a player, or take back a withdrawal.

    Example: keizer add club.db "Judit Baker" --rating 2110
    """
    with season.writing() as (conn, chosen):
        if not new:
            roster.check_new(conn, name)
        player = roster.enter(
            conn, chosen, name, rating=rating, category=category, from_round=from_round
        )
        said = roster.entered(conn, chosen, player, from_round)
        season.tell_unseated(conn, chosen)
    output.say(said)


@session.command
def withdraw(season: session.Season, name: Member) -> None:
    """Withdraw a player after the latest round; their games stay.

    Example: keizer withdraw club.db Baker
    """
    with season.writing() as (conn, chosen):
        player, stored = club.member(conn, chosen, name)
        last = roster.withdraw(conn, chosen, player)
        season.tell_unseated(conn, chosen)
    output.say(f"{stored} has withdrawn after round {last}.")
