"""The commands that members look things up with: each shows a view after a round."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

import click

from keizer import KeizerError
from keizer.cli import output
from keizer.cli.options import AnyMember, Member
from keizer.cli.session import LATEST, UP_TO, AfterRound, Report, report
from keizer.messages import Fact, Message, plural, say, term
from keizer.season import lookups, views
from keizer.season.names.finding import Standing
from keizer.season.views import Row


def _signed(number: float | None) -> Fact:
    """Return a message with a number and its sign, such as +2.

    0, which needs no sign, and None, which is an empty cell, are returned as they are.
    """
    if not number:
        return number
    return say("{number:+}", number=number)


def look_up(
    command_name: str,
    view: views.Report,
    *,
    about: str,
    title: Message,
    headings: Mapping[str, Fact] | None = None,
    everybody: Message | None = None,
    if_empty: Message | None = None,
    above: Callable[[AfterRound, Standing], Message] | None = None,
    below: Callable[[AfterRound, Any], list[Fact]] | None = None,
    show: Callable[[list[Row]], None] | None = None,
    round_help: str = UP_TO,
    **table_options: Any,
) -> click.Command:
    """Make a command that shows the rows of a view after a round.

    If its title has {player}, the command takes the name of a player, and shows the
    rows of that player. If there is also a word for `everybody`, the name may be left
    out, and the command shows all rows.

    command_name: the name of the command.
    view: the function that reads the rows of a view. Programs get all its columns.
    about: the help of the command, with examples.
    title: the title. It stands behind the name of the tournament, and may have the
        places {after}, {number} and {player}.
    headings: the columns of the table, each with its title: {"rank": say("Rank")}.
        None if all rows are printed by `show`.
    everybody: what replaces {player} if no player is named.
    if_empty: the sentence that is printed if there are no rows.
    above: a function that returns a line to print above the rows. It is called with the
        tournament after the round, and the player.
    below: a function that returns lines to print below the rows. It is called like
        `above`, with None as the player if no player is named.
    show: a function that prints the rows if no player is named; without it, and for a
        player, they are printed as a table.
    round_help: the help of --round.
    table_options: other parameters of `output.table`.
    """

    def read_report(after: AfterRound, name: str | None = None) -> Report:
        """Read the rows for the player with this name, or for everybody."""
        player = after.find_player(name) if name else None
        player_id = player.player if player else None
        rows = view(after.tournament, after.number, player_id)
        line_above = above(after, player) if above and player else None
        lines_below = below(after, player) if below else []

        def print_rows() -> None:
            """Print the rows for people, with the lines above and below them.

            Without rows, `if_empty` takes the place of the rows and the lines below.
            """
            if line_above:
                output.print_lines(line_above)
            if if_empty and not rows:
                output.print_lines(if_empty)
                return
            # `show` is for many players, such as a line for each with all their ranks.
            # The rows of one player are a table.
            is_about_everybody = player is None
            if show and is_about_everybody:
                show(rows)
            else:
                output.table(rows, headings or {}, **table_options)
            output.print_lines(*lines_below)

        full_title = say(
            title.template,
            after=after.said,
            number=after.number,
            player=_subject(player, everybody),
        )
        return Report(full_title, rows, view.columns, print_rows)

    # `report` makes the name, the help and the arguments of the command of these.
    read_report.__name__ = command_name
    read_report.__doc__ = about
    read_report.__annotations__ = {}
    if "{player}" in title.template:
        read_report.__annotations__["name"] = AnyMember if everybody else Member
    return report(read_report, round_help=round_help)


def _subject(player: Standing | None, everybody: Message | None) -> Fact:
    """Return what replaces {player} in the title of a report.

    In a report that can be about everybody it is the name alone, or `everybody`. In
    others it is the name and the rank.

    player: the player whom the report is about, or None for everybody.
    everybody: the words for everybody; None if the report is always about a player.
    """
    if player is None:
        return everybody or ""
    return player.name if everybody else player.message


# ------------------------------------------------------------------ of everybody


crosstable = look_up(
    "crosstable",
    lookups.crosstable,
    about="""
    Show who met whom in every round, by rank.

    12w1 is a win with White against number 12 of these standings, b½ a draw with
    Black; + and - are forfeits, adj is adjourned; exc is excused.

    Example: keizer crosstable club.db
    """,
    title=say("crosstable after round {number}"),
    if_empty=say("No round has been played yet."),
    show=partial(output.matrix, round_column="played_in", cell_column="cell"),
)
performance = look_up(
    "performance",
    lookups.performance,
    about="""
    Show rating performances and expected rating changes.

    By FIDE's tables, over games with rated opponents; ratings are those of the
    entry. K is 10 from 2400 on, else 20. The file does not know which players have
    K 40 (juniors, new players).

    Example: keizer performance club.db
    """,
    title=say("performance up to round {number}"),
    headings={
        "rank": say("Rank"),
        "name": say("Name"),
        "rating": say("Rating"),
        "games": say("Games"),
        "score": say("Score"),
        "opponents": say("Average"),
        "performance": say("TPR"),
        "expected": say("Expected"),
        "change": say("Change"),
    },
    if_empty=say("No game over the board against a rated opponent yet."),
    below=lambda *_: [
        say(
            "(The change is with K 10 from 2400 on, else with K 20; K 40 is not known"
            " here.)"
        )
    ],
    drop=("expected", "opponents"),
    cells={"change": lambda row: _signed(row["rating_change"])},
)


def _show_statistics(rows: list[Row]) -> None:
    """Print an entry for each topic, such as the longest run of wins.

    rows: the rows of a topic follow each other. They have its value, such as 5, and
        each is about another player or game with that value.
    """
    entries = []
    for topic, group in groupby(rows, key=itemgetter("topic")):
        rows_of_topic = list(group)
        value = rows_of_topic[0]["value"]
        about = [
            views.row_message(row, "about") for row in rows_of_topic if row["about"]
        ]
        # `translated` joins a list of messages.
        entry = output.Entry(term(topic), output.translated(about), number=value)
        entries.append(entry)
    output.wrapped(entries)


statistics = look_up(
    "statistics",
    lookups.statistics,
    about="""
    Show the season in figures: results, runs, the biggest upset.

    Example: keizer statistics club.db
    """,
    title=say("up to round {number}"),
    show=_show_statistics,
)


def _show_categories(rows: list[Row]) -> None:
    """Print the standings of each category as a table of its own.

    rows: the rows of a category follow each other.
    """
    headings = {
        "rank": say("Rank"),
        "name": say("Name"),
        "score": say("Score"),
        "points": say("Points"),
        "overall": say("Overall"),
    }
    for category, group in groupby(rows, key=itemgetter("category")):
        output.print_lines("")
        output.heading(say("Category {category}", category=category))
        output.table(list(group), headings)


categories = look_up(
    "categories",
    lookups.categories,
    about="""
    Show the standings of each category, in their overall order.

    Example: keizer categories club.db
    """,
    title=say("{after}"),
    if_empty=say(
        "Nobody has a category: `keizer import` and `keizer add --category` set it."
    ),
    round_help=LATEST,
    show=_show_categories,
)


progress = look_up(
    "progress",
    lookups.progress,
    about="""
    Show the ranks of all players, or of one, round by round.

    Of one player, score and value are shown too. Round 0 is the start order.

    Example: keizer progress club.db Baker
    """,
    title=say("up to round {number}: {player}"),
    everybody=say("rank after each round"),
    headings={
        "round_number": say("Round"),
        "rank": say("Rank"),
        "change": "",
        "score": say("Score"),
        "points": say("Points"),
        "value": say("Value"),
    },
    cells={"change": lambda row: _signed(row["change"] or None)},
    show=partial(output.matrix, round_column="round_number", cell_column="rank"),
)


# ------------------------------------------------------------------ of one player


def _summary(after: AfterRound, standing: Standing) -> Message:
    """Return a line that sums up a player's season: score, points, games, ratings.

    after: the tournament after a round; later rounds do not count.
    standing: the player, with their rank and score after that round.
    """
    summary = lookups.card_summary(after.tournament, after.number, standing.player)
    rating = say("unrated")
    if summary["rating"] is not None:
        rating = say("rating {rating}", rating=summary["rating"])
    parts: list[Fact] = [
        say("Score {score}", score=standing.score),
        say("points {points}", points=summary["points"]),
        f"+{summary['won']} ={summary['drawn']} -{summary['lost']}",
        rating,
    ]
    performance = summary["performance"]
    if performance is not None:
        parts.append(say("performance {rating}", rating=performance))
    return say("{parts}", parts=parts)


_COLOURS = {"white": "W", "black": "B"}


card = look_up(
    "card",
    lookups.card,
    about="""
    Show a player's rounds: opponents, results and points.

    Values and Keizer points are shown as they were in the standings after that round,
    and as they are now. `keizer explain` has every line of the score.

    Example: keizer card club.db Baker
    """,
    title=say("after round {number}: {player}"),
    headings={
        "played_in": say("Round"),
        "opponent": say("Opponent"),
        "opponent_rank": say("Rank"),
        "side": say("Col"),
        "seen": say("Res"),
        "value_then": say("Value"),
        "value_now": say("now"),
        "keizer_then": say("Keizer"),
        "keizer_now": say("now"),
        "points": say("Points"),
    },
    as_text=("seen",),
    above=_summary,
    cells={
        "opponent": lambda row: row["opponent"] or row["kind"],
        "side": lambda row: _COLOURS.get(row["colour"], ""),
        "seen": lambda row: row["result"] or ("open" if row["colour"] else ""),
    },
)


def _item_message(row: Row) -> Message:
    """Return what brought the points of a row: “bye, 2 rounds, and 5 fixed (a note)”.

    First comes the game, or the kind if it is not a game. How many times it counts
    follows if that is not once, then fixed points and a note, if there are any.

    row: a row of view explanation: something that adds to the score of a player.
    """
    parts = [_event_message(row)]
    if row["times"] != 1:
        parts.append(_times_message(row))
    if row["fixed"]:
        parts.append(say("and {points} fixed", points=row["fixed"]))
    # A list in a message is shown with commas: a, b, c.
    message = say("{parts}", parts=parts)
    if row["note"]:
        note = views.row_message(row, "note")
        return say("{said} ({note})", said=message, note=note)
    return message


def _event_message(row: Row) -> Message:
    """Return the game that a row is about, or its kind if it is not a game.

    row: a row of view explanation. Its kind is such as win, bye or excused.
    """
    kind = term(row["kind"])
    if not row["opponent"]:
        return kind
    result = say("open")
    if row["result"]:
        result = say("{kind} ({result})", kind=kind, result=row["result"])
    facts = {"name": row["opponent"], "result": result}
    if row["colour"] == "white":
        return say("White against {name}, {result}", **facts)
    return say("Black against {name}, {result}", **facts)


def _times_message(row: Row) -> Message:
    """Return how many times, or in how many rounds, the points of a row count.

    row: a row of view explanation.
    """
    times = row["times"]
    # In Systeem Aalsmeer each of the first standings has a player's own value several
    # times more (schema.sql, rules.bonus). Other kinds are about rounds.
    if row["kind"] == "aalsmeer":
        return plural("{number:,} time", "{number:,} times", times)
    return plural("{number:,} round", "{number:,} rounds", times)


def _score_and_order(after: AfterRound, standing: Standing) -> list[Fact]:
    """Return messages with the score of a player, and why another is above them.

    That other player is the one directly above in the standings.
    standing: the player, with their rank and score.
    """
    reasons = views.order(after.tournament, after.number, standing.player)
    score = say("Score {score}", score=standing.score)
    return [score, *map(views.row_message, reasons)]


explain = look_up(
    "explain",
    views.explanation,
    about="""
    Show every line that adds up to a player's score.

    Example: keizer explain club.db Baker
    """,
    title=say("after round {number}: {player}"),
    headings={
        "played_in": say("Round"),
        "what": say("What"),
        "factor": say("Factor"),
        "value": say("Value"),
        "points": say("Points"),
    },
    round_help="The score after this round; the latest with a result by default.",
    cells={"what": _item_message},
    below=_score_and_order,
)


@report
def head_to_head(after: AfterRound, name: Member, opponent: AnyMember) -> Report:
    """Show a player's record against each opponent, or against one.

    Example: keizer head-to-head club.db Baker Carter
    """
    player = after.find_player(name)
    other = after.find_player(opponent) if opponent else None
    if other == player:
        raise KeizerError(
            "{name} cannot meet themselves: name two players.", name=player.name
        )
    opponent_id = other.player if other else None  # None: against everybody
    rows = lookups.head_to_head(
        after.tournament, after.number, player.player, opponent_id
    )
    headings = {
        "opponent": say("Opponent"),
        "games": say("Games"),
        "won": say("+"),
        "drawn": say("="),
        "lost": say("-"),
        "forfeits": say("Forf"),
        "points": say("Points"),
        "first_round": say("First"),
        "last_round": say("Last"),
        "whites": say("White"),
        "blacks": say("Black"),
    }
    show = partial(
        output.table,
        rows,
        headings,
        if_empty=say("They have not met.") if other else say("Nobody yet."),
        drop=("blacks", "whites", "forfeits"),
    )
    title = say(
        "up to round {number}: {player} against {other}",
        number=after.number,
        player=player.name,
        other=other.name if other else say("everybody"),
    )
    return Report(title, rows, lookups.HEAD_TO_HEAD, show)
