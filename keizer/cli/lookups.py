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
from keizer.season import reports, views
from keizer.season.finding import Standing
from keizer.season.views import Row


def _sign(number: float | None) -> Fact:
    """A difference with its sign; None for none."""
    return say("{number:+}", number=number) if number else number


UP_TO_ROUND = say("up to round {number}")


def look_up(
    called: str,
    view: views.Report,
    about: str,
    headings: str = "",
    *,
    title: Message = UP_TO_ROUND,
    rounds: str = UP_TO,
    above: Callable[[AfterRound, Standing], Message] | None = None,
    below: Callable[[AfterRound, Any], list[Fact]] | None = None,
    none: Message | None = None,
    show: Callable[[list[Row]], None] | None = None,
    **how: Any,
) -> click.Command:
    """Make the command of that name, which shows the rows of a view after a round.

    about: the help. headings, how: what `output.table` gets; show prints the rows where that
    is no table. title: behind the tournament's name. With {player} in it the command is of
    one player. above, below: what is said there. none: what is said where there are no rows.
    """

    def find(after: AfterRound, name: str = "") -> Report:
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
            show(found) if show else output.table(found, headings, **how)
            output.say(*end)

        facts = {"after": after.said, "number": after.number, "player": of and of.said}
        said = Message(title.template, facts=facts)
        return Report(said, found, view.columns, print_rows)

    find.__name__, find.__doc__ = called, about
    find.__annotations__ = {"name": Member} if "{player}" in title.template else {}
    return report(find, rounds=rounds)


# ------------------------------------------------------------------ of everybody


crosstable = look_up(
    "crosstable",
    reports.crosstable,
    """Show who met whom in every round, by rank.

    12w1 is a win with White against number 12 of these standings, b½ a draw with
    Black; + and - are forfeits, adj is adjourned; exc is excused.

    Example: keizer crosstable club.db
    """,
    title=say("crosstable after round {number}"),
    none=say("No round has been played yet."),
    show=partial(output.matrix, at="played_in", cell="cell"),
)

performance = look_up(
    "performance",
    reports.performance,
    """Show rating performances and expected rating changes.

    By FIDE's tables, over games with rated opponents; ratings are those of the
    entry. K is 10 from 2400 on, else 20. The file does not know which players have
    K 40 (juniors, new players).

    Example: keizer performance club.db
    """,
    "rank, name, rating, games, score, opponents: Average, performance: TPR, expected, change",
    title=say("performance up to round {number}"),
    none=say("No game over the board against a rated opponent yet."),
    below=lambda *_: [
        say("(The change is with K 10 from 2400 on, else with K 20; K 40 is not known here.)")
    ],
    cells={"change": lambda row: _sign(row["rating_change"])},
    drop=("expected", "opponents"),
)

statistics = look_up(
    "statistics",
    reports.statistics,
    """Show the season in figures: results, runs, the biggest upset.

    Example: keizer statistics club.db
    """,
    show=lambda found: output.wrapped(
        [(term(row["topic"]), row["value"], row["about"] or "") for row in found]
    ),
)


def _categories(found: list[Row]) -> None:
    for category, group in groupby(found, key=lambda row: row["category"]):
        output.say("")
        output.heading(say("Category {category}", category=category))
        output.table(list(group), "rank, name, score, points, overall")


categories = look_up(
    "categories",
    reports.categories,
    """Show the standings of each category, in their overall order.

    Example: keizer categories club.db
    """,
    title=say("{after}"),
    rounds=LATEST,
    none=say("Nobody has a category: `keizer import` and `keizer add --category` set it."),
    show=_categories,
)


@report
def progress(after: AfterRound, name: AnyMember) -> Report:
    """Show the ranks of all players, or of one, round by round.

    Of one player, score and value are shown too. Round 0 is the start order.

    Example: keizer progress club.db Baker
    """
    player = after.listed(name) if name else None
    found = reports.progress(*after, player.player if player else None)

    def show() -> None:
        if player:
            cells = {"change": lambda row: _sign(row["change"] or None)}
            headings = "round_number: Round, rank, change:, score, points, value"
            output.table(found, headings, cells=cells)
        else:
            output.matrix(found, "round_number", "rank")

    of = player.name if player else say("rank after each round")
    title = say("up to round {number}: {player}", number=after.number, player=of)
    return Report(title, found, reports.PROGRESS, show)


# ------------------------------------------------------------------ of one player


def _summary(after: AfterRound, player: Standing) -> Message:
    found = reports.summary(*after, player.player)
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
    reports.card,
    """Show a player's rounds: opponents, results and points.

    Values and Keizer points are shown as they were in the standings after that round,
    and as they are now. `keizer explain` has every line of the score.

    Example: keizer card club.db Baker
    """,
    "played_in: Round, opponent, opponent_rank: Rank, side: Col, seen: Res, value_then: Value,"
    " value_now: now, keizer_then: Keizer, keizer_now: now, points",
    title=say("after round {number}: {player}"),
    above=_summary,
    cells={
        "opponent": lambda row: row["opponent"] or row["kind"],
        "side": lambda row: {"white": "W", "black": "B"}.get(row["colour"], ""),
        "seen": lambda row: row["result"] or ("open" if row["colour"] else ""),
    },
    left=("seen",),
)


def _line(line: Row) -> Message:
    """What a line of an explanation is about, as people read it."""
    what: Fact = term(line["kind"])
    if line["opponent"]:
        outcome = say("{kind} ({result})", kind=what, result=line["result"])
        facts = {"name": line["opponent"], "result": outcome if line["result"] else say("open")}
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
        say("{said} ({note})", said=said, note=views.said(line, "note")) if line["note"] else said
    )


def _score(after: AfterRound, player: Standing) -> list[Fact]:
    """The score, and why the player directly above is above."""
    above = views.order(*after, player.player)
    return [say("Score {score}", score=player.score), *map(views.said, above)]


explain = look_up(
    "explain",
    views.explanation,
    """Show every line that adds up to a player's score.

    Example: keizer explain club.db Baker
    """,
    "played_in: Round, what, factor, value, points",
    title=say("after round {number}: {player}"),
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
        raise KeizerError("{name} cannot meet themselves: name two players.", name=player.name)
    found = reports.head_to_head(*after, player.player, other and other.player)
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
        number=after.number, player=player.name, other=against,
    )  # fmt: skip
    return Report(title, found, reports.HEAD_TO_HEAD, show)
