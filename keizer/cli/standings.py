"""What is read: pairings, standings, explain."""

import sqlite3
from typing import NamedTuple

import click

from keizer import KeizerError
from keizer.cli import options, output, session
from keizer.season import names, roster, tournaments, views
from keizer.store import connection


def titled(conn: sqlite3.Connection, tournament: int, what: str) -> str:
    """What stands above a table; a warning when it may be behind the facts."""
    behind = views.stale_from(conn, tournament)
    if behind is not None:
        output.say(
            f"Beware: the revaluation is suspended; tables from round {behind}"
            f" on may be behind the results.",
            err=True,
        )
    return f"{views.name(conn, tournament)}, {what}"


def _known_round(conn: sqlite3.Connection, tournament: int, number: int, first: int) -> int:
    """A round that is there, or KeizerError."""
    last = tournaments.last_round(conn, tournament)
    if not first <= number <= last:
        there = f"there are {first} to {last}" if last >= first else "none is paired yet"
        raise KeizerError(f"there is no round {number}: {there}.")
    return number


def table_round(conn: sqlite3.Connection, tournament: int, number: int | None) -> int:
    """The round whose table is asked for; the current one by default."""
    if number is None:
        return tournaments.current_round(conn, tournament)
    return _known_round(conn, tournament, number, 0)


class Listed(NamedTuple):
    """A player, and where he stands in a table."""

    player: int
    name: str
    rank: int
    score: float


def listed(conn: sqlite3.Connection, tournament: int, number: int, typed: str) -> Listed:
    """The player meant, who is in the list after a round, or KeizerError."""
    entered = roster.players(conn, tournament)
    player = names.match(typed, entered)
    place = views.place(conn, tournament, number, player)
    if place is None:
        raise KeizerError(f"{entered[player]} is not in the list after round {number} yet.")
    return Listed(player, entered[player], *place)


@click.command()
@options.database
@options.round_number("The round; the last one by default.")
@click.option("--why", is_flag=True, help="Say of every board why it is as it is.")
@options.formats
@options.tournament
def pairings(
    database: str, number: int | None, why: bool, style: str | None, tournament: str | None
) -> None:
    """Show the boards of a round, with results, and the bye.

    Example: keizer pairings club.db --round 3
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = tournaments.last_round(conn, chosen) if number is None else number
        found = views.pairings(conn, chosen, _known_round(conn, chosen, number, 1))
        reasons = views.pairing_reasons(conn, chosen, number) if why else []
        given_up = views.relaxations(conn, chosen, number)
        heading = titled(conn, chosen, f"round {number}")
    if output.emit(reasons if why else found, views.REASONS if why else views.PAIRINGS, style):
        return
    output.heading(heading)
    headings = {"board": "Board", "white": "White", "black": "Black", "result": "Result"}
    output.table(found, headings, shorten=["white", "black"])
    output.reasons(reasons)
    for rule in given_up:
        output.say(f"{rule['sentence']}." + (f" {rule['why']}" if why else ""))


_LEAST = ("colours", "duty", "absences", "byes")
"""Columns of the standings that are left out first on a narrow terminal."""


@click.command()
@options.database
@options.round_number("After this round; the last with a result by default; 0: start order.")
@click.option("--published", is_flag=True, help="As it was before rules were changed.")
@click.option(
    "--as",
    "system",
    metavar="NAME",
    help="By classical points, or as a preset has it.",
    shell_complete=options.offers("systems"),
)
@click.option(
    "--rules",
    "settings",
    metavar="KEY=VALUE",
    multiple=True,
    help="As if these were the rules.",
    shell_complete=options.offers("settings"),
)
@options.formats
@options.tournament
def standings(
    database: str,
    number: int | None,
    published: bool,
    system: str | None,
    settings: tuple[str, ...],
    style: str | None,
    tournament: str | None,
) -> None:
    """Show the table after a round, and what decides between equals.

    Value is what a win over the player is worth in the next round; points are
    classical ones. Then the tie-breaks in use, games won, drawn and lost, rounds sat
    out, absences, club duty, and colours: W1 is one White more than Black. What does
    not fit the width of the terminal is left out (--csv has it all).

    --as and --rules show another ranking of the same games beside the rank in the
    file, which stays as it is: --as points, --as swiss (or any preset), --rules
    tiebreaks=score,wins.

    \b
    Example: keizer standings club.db
             keizer standings club.db --as points
    """
    if published and (system or settings):
        raise KeizerError("--published is of the file's own rules: leave --as and --rules out.")
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        read = views.published if published else views.standings
        found = read(conn, chosen, number)
        names = [] if published else views.telling(conn, chosen)
        values = views.has_values(conn, chosen)
        settled = views.settled(conn, chosen, number)
        provisional = views.provisional(conn, chosen, number)
        heading = titled(conn, chosen, f"after round {number}" if number else "start order")
        if system or settings:
            found, names, values = _otherwise(conn, chosen, number, found, system, settings)
            heading += f", as if {' '.join([*([system] if system else []), *settings])}"
    columns = views.PUBLISHED if published else (*views.STANDINGS, *names)
    beside = ("rank", "here", *columns[1:]) if system or settings else columns
    if output.emit(found, beside, style):
        return
    output.heading(heading + (f" (provisional: {provisional})" if provisional else ""))
    headings = {
        "rank": "Rank",
        "here": "Here",
        "change": "",
        "name": "Name",
        "value": "Value",
        "score": "Score",
        "points": "Points",
        **{name: name.upper() for name in names},
        "played": "Games",
        "won": "+",
        "drawn": "=",
        "lost": "-",
        "byes": "Byes",
        "absences": "Abs",
        "duty": "Duty",
        "colours": "Col",
    }
    for row in found:
        row["colours"] = _colours(row.get("balance", 0))
        row["change"] = f"{row['change']:+d}" if row.get("change") else ""
    if published:
        headings = {column: headings[column] for column in views.PUBLISHED}
    else:
        left_out = {"change" if system or settings else "here"}
        left_out |= {"value", "score"} if system == "points" else set()
        left_out |= set() if values else {"value"}
        headings = {column: text for column, text in headings.items() if column not in left_out}
    output.table(
        found,
        headings,
        shorten=["name"],
        drop=[
            *_LEAST,
            *(["lost", "drawn", "won", "played", "value", *names[::-1]] if names else []),
        ],
        left=["colours"],
    )
    if settled and not published and not (system or settings):
        output.say(f"({settled})")


def _otherwise(
    conn: sqlite3.Connection,
    tournament: int,
    number: int,
    here: list[dict[str, object]],
    system: str | None,
    settings: tuple[str, ...],
) -> tuple[list[dict[str, object]], list[str], bool]:
    """The table by other rules, each row with the rank that the file has.

    And the tie-breaks in use then, and whether values count.
    """
    from keizer.season import presets, rules

    ranks = {row["player_id"]: row["rank"] for row in here}
    with connection.trial(conn) as copy:
        with tournaments.suspended(copy, tournament):
            if system:
                presets.as_if(copy, tournament, system)
            for setting in settings:
                rules.change(copy, tournament, setting)
        found = views.standings(copy, tournament, number)
        names = views.telling(copy, tournament)
        values = views.has_values(copy, tournament)
    return [{**row, "here": ranks[row["player_id"]]} for row in found], names, values


def _colours(balance: int) -> str:
    """White less Black as on a sheet: W1, B2 or 0."""
    return f"{'W' if balance > 0 else 'B'}{abs(balance)}" if balance else "0"


@click.command()
@options.database
@options.member()
@options.round_number("The score after this round; the last with a result by default.")
@options.formats
@options.tournament
def explain(
    database: str, name: str, number: int | None, style: str | None, tournament: str | None
) -> None:
    """Show every line that adds up to a player's score.

    Example: keizer explain club.db Baker
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        he = listed(conn, chosen, number, name)
        lines = views.explanation(conn, chosen, number, he.player)
        heading = titled(conn, chosen, f"after round {number}")
    if output.emit(lines, views.EXPLANATION, style):
        return
    output.heading(f"{heading}: {he.name}, rank {he.rank}")
    output.table(
        [_line(line) for line in lines],
        {
            "round": "Round",
            "what": "What",
            "factor": "Factor",
            "value": "Value",
            "points": "Points",
        },
    )
    output.say(f"Score {names.shown(he.score)}")


def _line(line: dict[str, object]) -> dict[str, object]:
    """A line of an explanation as people read it."""
    what = str(line["kind"])
    if line["opponent"]:
        side = "White" if line["colour"] == "white" else "Black"
        outcome = f"{line['result']} ({what})" if line["result"] else "open"
        what = f"{side} against {line['opponent']} {outcome}"
    if line["times"] != 1:
        what += f", {line['times']} {'times' if line['kind'] == 'aalsmeer' else 'rounds'}"
    if line["fixed"]:
        what += f", and {line['fixed']} fixed"
    if line["note"]:
        what += f" ({line['note']})"
    return {**line, "round": line["played_in"], "what": what}


COMMANDS = (pairings, standings, explain)
