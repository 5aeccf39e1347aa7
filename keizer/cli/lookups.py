"""What members look up, a command each: a view after a round, or a player's part of it."""

from collections.abc import Callable
from functools import partial
from itertools import groupby
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


def _sign(number: float | None) -> Fact:
    """A difference with its sign; None for none."""
    return say("{number:+}", number=number) if number else number


def look_up(
    called: str,
    view: views.Report,
    *,
    about: str,
    title: Message,
    headings: str = "",
    everybody: Message | None = None,
    none: Message | None = None,
    above: Callable[[AfterRound, Standing], Message] | None = None,
    below: Callable[[AfterRound, Any], list[Fact]] | None = None,
    show: Callable[[list[Row]], None] | None = None,
    rounds: str = UP_TO,
    **how: Any,
) -> click.Command:
    """Make the command of that name, which shows the rows of a view after a round.

    about: its help, and examples. title: what stands behind the tournament's name; with {player}
    in it the command is of one player. everybody: what stands there where none is named. none:
    what is said where there are no rows; above, below: what is said there. show: prints the rows
    where that is no table, as they are no player's; headings, how: what `output.table` gets.
    rounds: the help of --round.
    """

    def find(after: AfterRound, name: str | None = None) -> Report:
        of = after.listed(name) if name else None
        found = view(*after, of.player if of else None)
        top = above(after, of) if above and of else None
        end = below(after, of) if below else []

        def print_rows() -> None:
            if top:
                output.say(top)
            if none and not found:
                output.say(none)
                return
            show(found) if show and not of else output.table(found, headings, **how)
            output.say(*end)

        who: Fact = everybody or ""
        if of:
            who = of.name if everybody else of.said
        facts = {"after": after.said, "number": after.number, "player": who}
        return Report(say(title.template, **facts), found, view.columns, print_rows)

    find.__name__, find.__doc__ = called, about
    typed = AnyMember if everybody else Member
    find.__annotations__ = {"name": typed} if "{player}" in title.template else {}
    return report(find, rounds=rounds)


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
    none=say("No round has been played yet."),
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
    headings="rank, name, rating, games, score, opponents: Average, performance: TPR, "
    "expected, change",
    none=say("No game over the board against a rated opponent yet."),
    below=lambda *_: [
        say(
            "(The change is with K 10 from 2400 on, else with K 20; K 40 is not known here.)"
        )
    ],
    drop=("expected", "opponents"),
    cells={"change": lambda row: _sign(row["rating_change"])},
)


def _statistics(found: list[Row]) -> None:
    """Print a line for each topic, with all who share a record."""
    lines = []
    for topic, group in groupby(found, key=lambda row: row["topic"]):
        rows = list(group)
        about = [views.said(row, "about") for row in rows if row["about"]]
        lines.append((term(topic), rows[0]["value"], output.text(about)))
    output.wrapped(lines)


statistics = look_up(
    "statistics",
    lookups.statistics,
    about="""
    Show the season in figures: results, runs, the biggest upset.

    Example: keizer statistics club.db
    """,
    title=say("up to round {number}"),
    show=_statistics,
)


def _categories(found: list[Row]) -> None:
    for category, group in groupby(found, key=lambda row: row["category"]):
        output.say("")
        output.heading(say("Category {category}", category=category))
        output.table(list(group), "rank, name, score, points, overall")


categories = look_up(
    "categories",
    lookups.categories,
    about="""
    Show the standings of each category, in their overall order.

    Example: keizer categories club.db
    """,
    title=say("{after}"),
    none=say(
        "Nobody has a category: `keizer import` and `keizer add --category` set it."
    ),
    rounds=LATEST,
    show=_categories,
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
    headings="round_number: Round, rank, change:, score, points, value",
    cells={"change": lambda row: _sign(row["change"] or None)},
    show=partial(output.matrix, round_column="round_number", cell_column="rank"),
)


# ------------------------------------------------------------------ of one player


def _summary(after: AfterRound, player: Standing) -> Message:
    found = lookups.summary(*after, player.player)
    said: list[Fact] = [
        say("Score {score}", score=player.score),
        say("points {points}", points=found["points"]),
        f"+{found['won']} ={found['drawn']} -{found['lost']}",
        say("unrated")
        if found["rating"] is None
        else say("rating {rating}", rating=found["rating"]),
    ]
    if found["performance"] is not None:
        said.append(say("performance {rating}", rating=found["performance"]))
    return say("{parts}", parts=said)


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
    headings="played_in: Round, opponent, opponent_rank: Rank, side: Col, seen: Res, "
    "value_then: Value, value_now: now, keizer_then: Keizer, keizer_now: now, points",
    left=("seen",),
    above=_summary,
    cells={
        "opponent": lambda row: row["opponent"] or row["kind"],
        "side": lambda row: {"white": "W", "black": "B"}.get(row["colour"], ""),
        "seen": lambda row: row["result"] or ("open" if row["colour"] else ""),
    },
)


def _line(line: Row) -> Message:
    """What a line of an explanation is about, as people read it."""
    what: Fact = term(line["kind"])
    if line["opponent"]:
        outcome = say("{kind} ({result})", kind=what, result=line["result"])
        facts = {
            "name": line["opponent"],
            "result": outcome if line["result"] else say("open"),
        }
        what = (
            say("White against {name}, {result}", **facts)
            if line["colour"] == "white"
            else say("Black against {name}, {result}", **facts)
        )
    parts = [what]
    if line["times"] != 1:
        parts.append(
            plural("{number:,} time", "{number:,} times", line["times"])
            if line["kind"] == "aalsmeer"
            else plural("{number:,} round", "{number:,} rounds", line["times"])
        )
    if line["fixed"]:
        parts.append(say("and {points} fixed", points=line["fixed"]))
    said = say("{parts}", parts=parts)
    return (
        say("{said} ({note})", said=said, note=views.said(line, "note"))
        if line["note"]
        else said
    )


def _score(after: AfterRound, player: Standing) -> list[Fact]:
    """The score, and why the player directly above is above."""
    above = views.order(*after, player.player)
    return [say("Score {score}", score=player.score), *map(views.said, above)]


explain = look_up(
    "explain",
    views.explanation,
    about="""
    Show every line that adds up to a player's score.

    Example: keizer explain club.db Baker
    """,
    title=say("after round {number}: {player}"),
    headings="played_in: Round, what, factor, value, points",
    rounds="The score after this round; the latest with a result by default.",
    cells={"what": _line},
    below=_score,
)


@report
def head_to_head(after: AfterRound, name: Member, opponent: AnyMember) -> Report:
    """Show a player's record against each opponent, or against one.

    Example: keizer head-to-head club.db Baker Carter
    """
    player = after.listed(name)
    other = after.listed(opponent) if opponent else None
    if other == player:
        raise KeizerError(
            "{name} cannot meet themselves: name two players.", name=player.name
        )
    found = lookups.head_to_head(*after, player.player, other and other.player)
    headings = (
        "opponent, games, won: +, drawn: =, lost: -, forfeits: Forf, points,"
        " first_round: First, last_round: Last, whites: White, blacks: Black"
    )
    none = say("They have not met.") if other else say("Nobody yet.")
    drop = ("blacks", "whites", "forfeits")
    show = partial(output.table, found, headings, none=none, drop=drop)
    against = other.name if other else say("everybody")
    title = say(
        "up to round {number}: {player} against {other}",
        number=after.number,
        player=player.name,
        other=against,
    )
    return Report(title, found, lookups.HEAD_TO_HEAD, show)
