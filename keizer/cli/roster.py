"""Who plays: init, add, withdraw."""

import os
import sqlite3

import click

from keizer.cli import options, output, session
from keizer.season import names, roster, tournaments
from keizer.store import database as files
from keizer.store import steps


@click.command()
@options.database
@click.option("--name", required=True, help="The name of the tournament.")
@click.option(
    "--preset",
    metavar="PRESET",
    help="With the rules of a club or program.",
    shell_complete=options.offers("presets"),
)
def init(database: str, name: str, preset: str | None) -> None:
    """Make a season file, or add a tournament to one.

    \b
    Example: keizer init club.db --name "Club 2026"
             keizer init club.db --name "Club 2026" --preset keizerforclubs
    """

    def set_up(conn: sqlite3.Connection) -> None:
        tournament = tournaments.add_tournament(conn, name)
        if preset:
            from keizer.season import presets

            presets.apply(conn, tournament, preset)

    if preset:
        from keizer.season import presets

        presets.find(preset)
    if os.path.exists(database):
        with files.writing(database) as conn:
            set_up(conn)
            steps.describe(conn, f"new tournament {name}")
    else:
        files.create(database, set_up)
    said = f"“{name}” is ready. Next: keizer add {database} NAME, or keizer import"
    output.done(f"{database}: {said}")


@click.command()
@options.database
@click.argument("name", shell_complete=options.offers("newcomers"))
@click.option("--rating", type=click.IntRange(0, 4000), help="Decides the start order.")
@click.option("--category", help="Such as A, B or Youth.")
@click.option(
    "--from-round",
    type=click.IntRange(1, 999),
    metavar="R",
    help="His first round; the next one by default.",
)
@options.tournament
def add(
    database: str,
    name: str,
    rating: int | None,
    category: str | None,
    from_round: int | None,
    tournament: str | None,
) -> None:
    """Enter a player, or take back that he withdrew.

    Example: keizer add club.db "Judit Baker" --rating 2110
    """
    with session.writing(database, tournament) as (conn, chosen):
        player = roster.enter(
            conn, chosen, name, rating=rating, category=category, from_round=from_round
        )
        first = from_round or tournaments.coming_round(conn, chosen)
        stored = roster.players(conn, chosen)[player]
        steps.describe(conn, f"{stored} entered")
        session.tell_unseated(conn, chosen)
    output.say(f"{stored} (#{player}) plays from round {first}.")


@click.command()
@options.database
@options.member()
@options.tournament
def withdraw(database: str, name: str, tournament: str | None) -> None:
    """Take a player out after the last round; his games stay.

    Example: keizer withdraw club.db Baker
    """
    with session.writing(database, tournament) as (conn, chosen):
        entered = roster.players(conn, chosen)
        player = names.match(name, entered)
        last = roster.withdraw(conn, chosen, player)
        steps.describe(conn, f"{entered[player]} withdrawn")
        session.tell_unseated(conn, chosen)
    output.say(f"{entered[player]} has withdrawn after round {last}.")


COMMANDS = (init, add, withdraw)
