"""What members look up: crosstable, card, progress, head-to-head, performance and so on."""

from itertools import groupby

import click

from keizer import KeizerError
from keizer.cli import options, output, session
from keizer.cli.standings import listed, table_round, titled
from keizer.season import names, reports
from keizer.season.views import Row

_AFTER = "Up to this round; the last with a result by default."


def _sign(number: float | None) -> str | None:
    """A difference with its sign; None for none."""
    return f"{number:+g}" if number else None if number is None else "0"


@click.command()
@options.database
@options.round_number(_AFTER)
@options.formats
@options.tournament
def crosstable(
    database: str, number: int | None, style: str | None, tournament: str | None
) -> None:
    """Show who met whom in every round, by rank.

    12w1 is a win with White against number 12 of this table, b½ a draw with
    Black; + and - are forfeits, adj is adjourned; exc is excused.

    Example: keizer crosstable club.db
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        found = reports.crosstable(conn, chosen, number)
        heading = titled(conn, chosen, f"crosstable after round {number}")
    if output.emit(found, reports.CROSSTABLE, style):
        return
    output.heading(heading)
    if not found:
        output.say("No round has been played yet.")
        return
    lines = []
    for _, group in groupby(found, key=lambda row: row["player_id"]):
        cells = list(group)
        rank, name = str(cells[0]["rank"]), cells[0]["name"]
        lines.append((rank, name, [row["cell"] for row in cells]))
    output.matrix(lines, range(1, number + 1))


@click.command()
@options.database
@options.member()
@options.round_number(_AFTER)
@options.formats
@options.tournament
def card(
    database: str, name: str, number: int | None, style: str | None, tournament: str | None
) -> None:
    """Show a player's rounds: opponents, results, and what they bring.

    Values and Keizer points stand there as they were in the table after that
    very round, and as they are now. `keizer explain` has every line of the score.

    Example: keizer card club.db Baker
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        he = listed(conn, chosen, number, name)
        found = reports.card(conn, chosen, number, he.player)
        summary = reports.summary(conn, chosen, number, he.player)
        heading = titled(conn, chosen, f"after round {number}")
    if output.emit(found, reports.CARD, style):
        return
    output.heading(f"{heading}: {he.name}, rank {he.rank}")
    said = [
        f"score {names.shown(he.score)}",
        f"points {names.shown(summary['points'])}",
        f"+{summary['won']} ={summary['drawn']} -{summary['lost']}",
        "unrated" if summary["rating"] is None else f"rating {summary['rating']}",
    ]
    if summary["performance"] is not None:
        said.append(f"performance {summary['performance']}")
    output.say(", ".join(said).capitalize())
    for row in found:
        row["opponent"] = row["opponent"] or row["kind"]
        row["side"] = {"white": "W", "black": "B"}.get(row["colour"], "")
        row["seen"] = row["result"] or ("open" if row["colour"] else "")
    headings = {
        "played_in": "Round",
        "opponent": "Opponent",
        "opponent_rank": "Rank",
        "side": "Col",
        "seen": "Res",
        "value_then": "Value",
        "value_now": "now",
        "keizer_then": "Keizer",
        "keizer_now": "now",
        "points": "Points",
    }
    output.table(found, headings, shorten=["opponent"], left=["seen"])


@click.command()
@options.database
@options.member(required=False)
@options.round_number(_AFTER)
@options.formats
@options.tournament
def progress(
    database: str, name: str | None, number: int | None, style: str | None, tournament: str | None
) -> None:
    """Show everybody's rank round by round, or one player's rank, score and value.

    Round 0 is the start order.

    Example: keizer progress club.db Baker
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        he = listed(conn, chosen, number, name) if name else None
        found = reports.progress(conn, chosen, number, he.player if he else None)
        heading = titled(conn, chosen, f"up to round {number}")
    if output.emit(found, reports.PROGRESS, style):
        return
    if he is None:
        output.heading(f"{heading}: rank after each round")
        _ranks(found, number)
        return
    output.heading(f"{heading}: {he.name}")
    for row in found:
        row["change"] = _sign(row["change"] or None)
    output.table(
        found,
        {
            "round_number": "Round",
            "rank": "Rank",
            "change": "",
            "score": "Score",
            "points": "Points",
            "value": "Value",
        },
    )


def _ranks(found: list[Row], number: int) -> None:
    """Ranks by round, in the order of the last table; who went up is green."""
    last = [row for row in found if row["round_number"] == number]
    cell = {(row["player_id"], row["round_number"]): row for row in found}
    at = [[cell.get((row["player_id"], past)) for past in range(number + 1)] for row in last]

    def paint(line: int, column: int, padded: str) -> str:
        row = at[line][column]
        return output.moved(padded, row["change"] if row else None)

    output.matrix(
        [
            (str(row["rank"]), row["name"], [str(it["rank"]) if it else "" for it in cells])
            for row, cells in zip(last, at, strict=True)
        ],
        range(number + 1),
        paint=paint,
    )


@click.command("head-to-head")
@options.database
@options.member()
@options.member("opponent", required=False)
@options.round_number(_AFTER)
@options.formats
@options.tournament
def head_to_head(
    database: str,
    name: str,
    opponent: str | None,
    number: int | None,
    style: str | None,
    tournament: str | None,
) -> None:
    """Show a player's record against everybody he met, or the games against one.

    Example: keizer head-to-head club.db Baker Carter
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        he = listed(conn, chosen, number, name)
        other = listed(conn, chosen, number, opponent) if opponent else None
        if other == he:
            raise KeizerError(f"{he.name} does not meet himself: name two players.")
        met = other.player if other else None
        found = reports.head_to_head(conn, chosen, number, he.player, met)
        games = [] if met is None else reports.games(conn, chosen, number, he.player, met)
        heading = titled(conn, chosen, f"up to round {number}")
    columns = reports.GAMES if other else reports.HEAD_TO_HEAD
    if output.emit(games if other else found, columns, style):
        return
    output.heading(f"{heading}: {he.name} against {other.name if other else 'everybody'}")
    headings = {
        "opponent": "Opponent",
        "games": "Games",
        "won": "+",
        "drawn": "=",
        "lost": "-",
        "forfeits": "Forf",
        "points": "Points",
        "first_round": "First",
        "last_round": "Last",
        "whites": "White",
        "blacks": "Black",
    }
    none = "They have not met." if opponent else "Nobody yet."
    least = ["blacks", "whites", "forfeits"]
    output.table(found, headings, none=none, shorten=["opponent"], drop=least)
    if games:
        output.say("")
        headings = {"round_number": "Round", "white": "White", "black": "Black", "result": "Result"}
        output.table(games, headings, shorten=["white", "black"])


@click.command()
@options.database
@options.round_number(_AFTER)
@options.formats
@options.tournament
def performance(
    database: str, number: int | None, style: str | None, tournament: str | None
) -> None:
    """Show rating performances and what the games would do to a rating.

    By FIDE's tables, over games with rated opponents; ratings are those of the
    entry. K is 10 from 2400 on, else 20: who has K 40 (juniors, new players)
    the file does not know.

    Example: keizer performance club.db
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        found = reports.performance(conn, chosen, number)
        heading = titled(conn, chosen, f"performance up to round {number}")
    if output.emit(found, reports.PERFORMANCE, style):
        return
    output.heading(heading)
    if not found:
        output.say("No game over the board against a rated opponent yet.")
        return
    for row in found:
        row["change"] = _sign(row["rating_change"])
    headings = {
        "rank": "Rank",
        "name": "Name",
        "rating": "Rating",
        "games": "Games",
        "score": "Score",
        "opponents": "Average",
        "performance": "TPR",
        "expected": "Expected",
        "change": "Change",
    }
    output.table(found, headings, shorten=["name"], drop=["expected", "opponents"])
    output.say("(Change with K 10 from 2400 on, else 20; the file does not know who has 40.)")


@click.command()
@options.database
@options.round_number(_AFTER)
@options.formats
@options.tournament
def statistics(
    database: str, number: int | None, style: str | None, tournament: str | None
) -> None:
    """Show the season in figures: results, runs, the biggest upset.

    Example: keizer statistics club.db
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        found = reports.statistics(conn, chosen, number)
        heading = titled(conn, chosen, f"up to round {number}")
    if output.emit(found, reports.STATISTICS, style):
        return
    output.heading(heading)
    output.wrapped([(row["topic"], str(row["value"]), row["about"] or "") for row in found])


@click.command()
@options.database
@options.round_number("After this round; the last with a result by default; 0: start order.")
@options.formats
@options.tournament
def categories(
    database: str, number: int | None, style: str | None, tournament: str | None
) -> None:
    """Show the table of each category, in the order of the whole one.

    Example: keizer categories club.db
    """
    with session.reading(database, tournament) as (conn, chosen):
        number = table_round(conn, chosen, number)
        found = reports.categories(conn, chosen, number)
        heading = titled(conn, chosen, f"after round {number}" if number else "start order")
    if output.emit(found, reports.CATEGORIES, style):
        return
    output.heading(heading)
    if not found:
        output.say("Nobody has a category: `keizer import` and `keizer add --category` set it.")
    headings = {
        "rank": "Rank",
        "name": "Name",
        "score": "Score",
        "points": "Points",
        "overall": "Overall",
    }
    for category, group in groupby(found, key=lambda row: row["category"]):
        output.say("")
        output.heading(f"Category {category}")
        output.table(list(group), headings, shorten=["name"])


COMMANDS = (
    crosstable, card, progress, head_to_head, performance, statistics, categories,
)  # fmt: skip
