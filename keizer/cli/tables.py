"""What is read: pairings, standings, explain."""

import sqlite3
from pathlib import Path

import click

from keizer import KeizerError, names, roster, season
from keizer import database as files
from keizer.cli import options, output


def _heading(conn: sqlite3.Connection, tournament: int, what: str) -> str:
    row = conn.execute(
        "SELECT description, revaluation, stale_from FROM tournament WHERE id = ?", (tournament,)
    ).fetchone()
    if row["revaluation"] != "on":
        click.echo(
            f"Beware: the revaluation is suspended; tables from round {row['stale_from'] or 0}"
            f" on may be behind the results.",
            err=True,
        )
    return f"{row['description']}, {what}"


def _known_round(conn: sqlite3.Connection, tournament: int, number: int, first: int) -> None:
    last = season.last_round(conn, tournament)
    if not first <= number <= last:
        there = f"there are {first} to {last}" if last >= first else "none is paired yet"
        raise KeizerError(f"there is no round {number}: {there}.")


@click.command()
@options.database
@options.round_number("The round; the last one by default.")
@options.formats
@options.tournament
def pairings(database: Path, number: int | None, style: str | None, tournament: str | None) -> None:
    """Show the boards of a round, with results, and the bye.

    Example: keizer pairings club.db --round 3
    """
    with files.reading(database) as conn:
        chosen = season.find_tournament(conn, tournament)
        number = season.last_round(conn, chosen) if number is None else number
        _known_round(conn, chosen, number, 1)
        found = output.rows(
            conn.execute(
                "SELECT * FROM pairings WHERE tournament_id = ? AND round_number = ?"
                " ORDER BY board NULLS LAST, white",
                (chosen, number),
            )
        )
        heading = _heading(conn, chosen, f"round {number}")
    if style:
        output.emit(found, ("board", "white", "black", "result"), style)
        return
    click.echo(heading)
    output.table(found, {"board": "Board", "white": "White", "black": "Black", "result": "Result"})


@click.command()
@options.database
@options.round_number("After this round; the last with a result by default; 0: start order.")
@options.formats
@options.tournament
def standings(
    database: Path, number: int | None, style: str | None, tournament: str | None
) -> None:
    """Show the Keizer table: rank, value, score and points.

    Value is what a win over the player is worth in the next round; points are
    classical ones.

    Example: keizer standings club.db
    """
    columns = ("rank", "name", "value", "score", "points", "played", "change", "rating", "category")
    with files.reading(database) as conn:
        chosen = season.find_tournament(conn, tournament)
        number = season.current_round(conn, chosen) if number is None else number
        _known_round(conn, chosen, number, 0)
        found = output.rows(
            conn.execute(
                f"SELECT {', '.join(columns)} FROM standings"
                " WHERE tournament_id = ? AND round_number = ? ORDER BY rank",
                (chosen, number),
            )
        )
        still_open = season.open_boards(conn, chosen, number)
        heading = _heading(conn, chosen, f"after round {number}" if number else "start order")
    if style:
        output.emit(found, columns, style)
        return
    boards = ", ".join(map(str, still_open))
    click.echo(heading + (f" (provisional: board {boards} open)" if boards else ""))
    for row in found:
        row["change"] = f"{row['change']:+d}" if row["change"] else ""
    output.table(
        found,
        {
            "rank": "Rank",
            "change": "",
            "name": "Name",
            "value": "Value",
            "score": "Score",
            "points": "Points",
            "played": "Games",
        },
    )


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
    columns = (
        "played_in", "kind", "colour", "opponent", "result", "times", "factor", "value",
        "fixed", "points",
    )  # fmt: skip
    with files.reading(database) as conn:
        chosen = season.find_tournament(conn, tournament)
        number = season.current_round(conn, chosen) if number is None else number
        _known_round(conn, chosen, number, 0)
        entered = roster.players(conn, chosen)
        player = names.match(name, entered)
        key = (chosen, number, player)
        where = "WHERE tournament_id = ? AND round_number = ? AND player_id = ?"
        total = conn.execute(f"SELECT rank, score FROM standings {where}", key).fetchone()
        if total is None:
            raise KeizerError(f"{entered[player]} is not in the list after round {number} yet.")
        lines = output.rows(
            conn.execute(
                f"SELECT {', '.join(columns)} FROM explanation {where}"
                " ORDER BY played_in NULLS FIRST, kind DESC",
                key,
            )
        )
        heading = _heading(conn, chosen, f"after round {number}")
    if style:
        output.emit(lines, columns, style)
        return
    click.echo(f"{heading}: {entered[player]}, rank {total['rank']}")
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
    click.echo(f"Score {names.shown(total['score'])}")


def _line(line: dict[str, object]) -> dict[str, object]:
    """A line of an explanation as people read it."""
    what = str(line["kind"])
    if line["opponent"]:
        side = "White" if line["colour"] == "white" else "Black"
        outcome = f"{line['result']} ({what})" if line["result"] else "open"
        what = f"{side} against {line['opponent']} {outcome}"
    if line["times"] != 1:
        what += f", {line['times']} rounds"
    if line["fixed"]:
        what += f", and {line['fixed']} fixed"
    return {**line, "round": line["played_in"], "what": what}


COMMANDS = (pairings, standings, explain)
