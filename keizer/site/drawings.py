"""The charts of the site: what is in them, and what is said about them."""

from collections.abc import Sequence

from markupsafe import Markup

from keizer.season.views import Row
from keizer.site import charts
from keizer.site.messages import Messages

Points = list[tuple[int, float]]


def of_player(messages: Messages, progress: Sequence[Row]) -> list[Markup]:
    """A player's rank and score over the rounds, each in a chart of its own."""
    say = messages.text
    drawn = []
    for column, title, up in (
        ("rank", say("Rank after each round"), say("Rank")),
        ("score", say("Score after each round"), say("Score")),
    ):
        points = _points(progress, column)
        if not points:
            continue
        name, label = progress[0]["name"], messages.number(points[-1][1])
        frame = charts.Frame(
            key=f"chart-{column}",
            title=title,
            about=_about(messages, name, points),
            across=say("Round"),
            up=up,
            number=messages.number,
            label_letters=max(3, len(label)),
            downwards=column == "rank",
        )
        drawn.append(charts.lines_over_rounds(frame, [charts.Line(name, points, label)]))
    return [chart for chart in drawn if chart]


def of_season(messages: Messages, first: Sequence[Sequence[Row]]) -> tuple[Markup, Markup]:
    """The ranks of the first players over the rounds, for a wide and for a narrow screen."""
    lines = [
        charts.Line(past[0]["name"], _points(past, "rank"), f"{past[-1]['rank']} {past[0]['name']}")
        for past in first
        if past
    ]
    about = " ".join(_about(messages, line.name, line.points) for line in lines)
    return (
        _ranks(messages, "wide", lines, about, width=760, font=13, letters=22),
        _ranks(messages, "narrow", lines, about, width=360, font=12, letters=14),
    )


def _ranks(
    messages: Messages,
    key: str,
    lines: Sequence[charts.Line],
    about: str,
    *,
    width: int,
    font: int,
    letters: int,
) -> Markup:
    frame = charts.Frame(
        key=f"chart-{key}",
        title=messages.text("Rank after each round"),
        about=about,
        across=messages.text("Round"),
        up=messages.text("Rank"),
        number=messages.number,
        width=width,
        height=440,
        font=font,
        label_letters=letters,
        downwards=True,
    )
    return charts.lines_over_rounds(frame, lines)


def shares(messages: Messages, statistics: Sequence[Row]) -> Markup:
    """How the games went, as a bar."""
    found = {row["topic"]: row["value"] for row in statistics}
    parts = [
        charts.Share(css, messages.text(topic), found.get(topic, 0))
        for css, topic in (("white", "won by White"), ("draw", "drawn"), ("black", "won by Black"))
    ]
    return charts.shares(messages.text("How the games went"), parts)


def _points(progress: Sequence[Row], column: str) -> Points:
    return [(row["round_number"], row[column]) for row in progress if row[column] is not None]


def _about(messages: Messages, name: str, points: Sequence[tuple[int, float]]) -> str:
    """A line in words."""
    return messages.plain(
        "{name}: {before} after round {first}, {after} after round {last}.",
        name=name,
        before=messages.number(points[0][1]),
        first=points[0][0],
        after=messages.number(points[-1][1]),
        last=points[-1][0],
    )
