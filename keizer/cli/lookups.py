"""What members look up, a command each: a view after a round, or a player's part of it."""

import json
from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Any

import click

from keizer import KeizerError
from keizer.cli import output
from keizer.cli.options import AnyMember, Member
from keizer.cli.session import UP_TO, AfterRound, Report, report
from keizer.messages import Fact, Message, plural, say, term
from keizer.season import reports, views
from keizer.season.finding import Standing
from keizer.season.views import Row


def _sign(number: float | None) -> Fact:
    """A difference with its sign; None for none."""
    return say("{number:+}", number=number) if number else number


with open(f"{__file__.removesuffix('.py')}.json", encoding="utf-8") as _file:  # noqa: PTH123
    KNOWN: dict[str, dict[str, Any]] = json.load(_file)
"""By command: its help, and what it says around the rows of its view."""


def look_up(
    called: str,
    view: views.Report,
    *,
    above: Callable[[AfterRound, Standing], Message] | None = None,
    below: Callable[[AfterRound, Any], list[Fact]] | None = None,
    show: Callable[[list[Row]], None] | None = None,
    **how: Any,
) -> click.Command:
    """Make the command of that name, which shows the rows of a view after a round.

    show: prints them where that is no table, as they are no player's; how: what `output.table`
    gets else. above, below: what is said there. In lookups.json, none: what is said where there
    are no rows; title: behind the tournament's name. With {player} in it the command is of one
    player; everybody: what stands there where none is named.
    """
    told, everybody = KNOWN[called], KNOWN[called].get("everybody", "")
    how |= {key: told[key] for key in ("drop", "left") if key in told}

    def find(after: AfterRound, name: str | None = None) -> Report:
        of = after.listed(name) if name else None
        found = view(*after, of.player if of else None)
        top = above(after, of) if above and of else None
        end = below(after, of) if below else []

        def print_rows() -> None:
            if top:
                output.say(top)
            if "none" in told and not found:
                output.say(term(told["none"]))
                return
            show(found) if show and not of else output.table(found, told["headings"], **how)
            output.say(*end, *map(term, told.get("below", ())))

        who = (of.name if everybody else of.said) if of else term(everybody)
        facts = {"after": after.said, "number": after.number, "player": who}
        said = Message(told["title"], facts=facts)
        return Report(said, found, view.columns, print_rows)

    find.__name__, find.__doc__ = called, "\n".join(told["help"])
    typed = AnyMember if everybody else Member
    find.__annotations__ = {"name": typed} if "{player}" in told["title"] else {}
    return report(find, rounds=told.get("rounds", UP_TO))


# ------------------------------------------------------------------ of everybody


crosstable = look_up(
    "crosstable", reports.crosstable, show=partial(output.matrix, at="played_in", cell="cell")
)
performance = look_up(
    "performance", reports.performance, cells={"change": lambda row: _sign(row["rating_change"])}
)
statistics = look_up(
    "statistics",
    reports.statistics,
    show=lambda found: output.wrapped(
        [(term(row["topic"]), row["value"], row["about"] or "") for row in found]
    ),
)


def _categories(found: list[Row]) -> None:
    for category, group in groupby(found, key=lambda row: row["category"]):
        output.say("")
        output.heading(say("Category {category}", category=category))
        output.table(list(group), "rank, name, score, points, overall")


categories = look_up("categories", reports.categories, show=_categories)


progress = look_up(
    "progress",
    reports.progress,
    cells={"change": lambda row: _sign(row["change"] or None)},
    show=partial(output.matrix, at="round_number", cell="rank"),
)


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


explain = look_up("explain", views.explanation, cells={"what": _line}, below=_score)


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
