"""What is read: pairings, standings, explain."""

import sqlite3
from pathlib import Path

import click

from keizer import KeizerError, names, roster, season, tables
from keizer.cli import options, output, session


def titled(conn: sqlite3.Connection, tournament: int, what: str) -> str:
    """What stands above a table; a warning when it may be behind the facts."""
    behind = tables.stale_from(conn, tournament)
    if behind is not None:
        click.echo(
            f"Beware: the revaluation is suspended; tables from round {behind}"
            f" on may be behind the results.",
            err=True,
        )
    return f"{tables.name(conn, tournament)}, {what}"


def _known_round(conn: sqlite3.Connection, tournament: int, number: int, first: int) -> int:
    """A round that is there, or KeizerError."""
    last = season.last_round(conn, tournament)
    if not first <= number <= last:
        there = f"there are {first} to {last}" if last >= first else "none is paired yet"
        raise KeizerError(f"there is no round {number}: {there}.")
    return number


def table_round(conn: sqlite3.Connection, tournament: int, number: int | None) -> int:
    """The round whose table is asked for; the current one by default."""
    if number is None:
        return season.current_round(conn, tournament)
    return _known_round(conn, tournament, number, 0)


@click.command()
@options.database
@options.round_number("The round; the last one by default.")
@click.option("--why", is_flag=True, help="Say of every board why it is as it is.")
@options.formats
@options.tournament
def pairings(
    database: Path, number: int | None, why: bool, style: str | None, tournament: str | None
) -> None:
    """Show the boards of a round, with results, and the bye.

    Example: keizer pairings club.db --round 3
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = season.last_round(conn, chosen) if number is None else number
        found = tables.pairings(conn, chosen, _known_round(conn, chosen, number, 1))
        reasons = tables.pairing_reasons(conn, chosen, number) if why else []
        given_up = tables.relaxations(conn, chosen, number)
        heading = titled(conn, chosen, f"round {number}")
    if style:
        output.emit(reasons if why else found, tables.REASONS if why else tables.PAIRINGS, style)
        return
    output.heading(heading)
    headings = {"board": "Board", "white": "White", "black": "Black", "result": "Result"}
    output.table(found, headings, shorten=["white", "black"])
    output.reasons(reasons)
    for rule in given_up:
        click.echo(f"{rule['sentence']}." + (f" {rule['why']}" if why else ""))


@click.command()
@options.database
@options.round_number("After this round; the last with a result by default; 0: start order.")
@click.option("--published", is_flag=True, help="As it was before rules were changed.")
@options.formats
@options.tournament
def standings(
    database: Path,
    number: int | None,
    published: bool,
    style: str | None,
    tournament: str | None,
) -> None:
    """Show the Keizer table: rank, value, score and points.

    Value is what a win over the player is worth in the next round; points are
    classical ones. Then games won, drawn and lost, rounds sat out, absences,
    club duty, and colours: W1 is one White more than Black. What does not fit
    the width of the terminal is left out (--csv has it all).

    Example: keizer standings club.db
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        read = tables.published if published else tables.standings
        found = read(conn, chosen, number)
        settled = tables.settled(conn, chosen, number)
        still_open = season.open_boards(conn, chosen, number)
        heading = titled(conn, chosen, f"after round {number}" if number else "start order")
    if style:
        output.emit(found, tables.PUBLISHED if published else tables.STANDINGS, style)
        return
    boards = ", ".join(map(str, still_open))
    output.heading(heading + (f" (provisional: board {boards} open)" if boards else ""))
    headings = {
        "rank": "Rank",
        "change": "",
        "name": "Name",
        "value": "Value",
        "score": "Score",
        "points": "Points",
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
        headings = {column: headings[column] for column in tables.PUBLISHED}
    output.table(
        found,
        headings,
        shorten=["name"],
        drop=["colours", "duty", "absences", "byes"],
        left=["colours"],
    )
    if settled and not published:
        click.echo(f"({settled})")


def _colours(balance: int) -> str:
    """White less Black as on a sheet: W1, B2 or 0."""
    return f"{'W' if balance > 0 else 'B'}{abs(balance)}" if balance else "0"


@click.command()
@options.database
@click.argument("name")
@options.round_number("The score after this round; the last with a result by default.")
@options.formats
@options.tournament
def explain(
    database: Path, name: str, number: int | None, style: str | None, tournament: str | None
) -> None:
    """Show every line that adds up to a player's score.

    Example: keizer explain club.db Baker
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        entered = roster.players(conn, chosen)
        player = names.match(name, entered)
        place = tables.place(conn, chosen, number, player)
        if place is None:
            raise KeizerError(f"{entered[player]} is not in the list after round {number} yet.")
        lines = tables.explanation(conn, chosen, number, player)
        heading = titled(conn, chosen, f"after round {number}")
    if style:
        output.emit(lines, tables.EXPLANATION, style)
        return
    rank, score = place
    output.heading(f"{heading}: {entered[player]}, rank {rank}")
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
    click.echo(f"Score {names.shown(score)}")


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
