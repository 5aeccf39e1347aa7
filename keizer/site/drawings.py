"""The charts of the site: what is in them, and what is said about them."""

from collections.abc import Sequence

from markupsafe import Markup

from keizer.season.views import Row
from keizer.site import charts
from keizer.site.messages import Messages


def of_player(messages: Messages, progress: Sequence[Row]) -> list[Markup]:
    """A player's rank and score over the rounds, each in a chart of its own."""
    say = messages.text
    drawn = []
    for column, title, up in (
        ("rank", say("Rank after each round"), say("Rank")),
        ("score", say("Score after each round"), say("Score")),
    ):
        points = _points(progress, column)
        if points:
            label = messages.number(points[-1][1])
            line = charts.Line(progress[0]["name"], points, label)
            letters = max(3, len(label))
            drawn.append(_chart(messages, column, title, up, [line], label_letters=letters))
    return [chart for chart in drawn if chart]


def of_season(messages: Messages, first: Sequence[Sequence[Row]]) -> tuple[Markup, Markup]:
    """The ranks of the first players over the rounds, for a wide and for a narrow screen."""
    lines = [
        charts.Line(past[0]["name"], _points(past, "rank"), f"{past[-1]['rank']} {past[0]['name']}")
        for past in first
        if past
    ]
    said = messages.text("Rank after each round"), messages.text("Rank")
    return (
        _chart(messages, "wide", *said, lines, width=760, height=440, font=13, label_letters=22),
        _chart(messages, "narrow", *said, lines, width=360, height=440, label_letters=14),
    )


def _chart(
    messages: Messages, key: str, title: str, up: str, lines: Sequence[charts.Line], **size: int
) -> Markup:
    frame = charts.Frame(
        key=f"chart-{key}",
        title=title,
        about=" ".join(_about(messages, line.name, line.points) for line in lines),
        across=messages.text("Round"),
        up=up,
        number=messages.number,
        downwards=key != "score",
        **size,
    )
    return charts.lines_over_rounds(frame, lines)


def _points(progress: Sequence[Row], column: str) -> list[tuple[int, float]]:
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
