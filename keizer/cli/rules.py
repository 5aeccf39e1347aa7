"""The club's regulations: rules, correct, period, prohibit."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from keizer import KeizerError
from keizer.acts import rules as acts
from keizer.cli import options, output, session
from keizer.cli.options import AnyMembers, Style, argument, flag, option
from keizer.messages import Message, say, term
from keizer.season import presets
from keizer.season import rules as stored
from keizer.season.names import spelling
from keizer.season.people import roster


@partial(session.command, act=acts.change_rules)
def rules(
    season: session.CommandSession,
    settings: Annotated[tuple[str, ...], argument(metavar="[KEY=VALUE]...", nargs=-1)],
    diff: Annotated[
        str | None, option("Show where they differ from a preset.", metavar="PRESET")
    ],
    dry_run: Annotated[bool, flag("Only show who would move, and why.")],
    yes: Annotated[bool, flag("Do not ask before a change in mid-season.")],
    every: Annotated[bool, flag("List all rules, also those not in use.", "--all")],
    history: Annotated[bool, flag("List what was changed in mid-season.")],
    style: Style,
    add_kind: str | None,
    **more: Any,
) -> None:
    """Show the rules of a tournament, or change some.

    A change applies to the whole season, including rounds already played. During the
    season the command first shows who would move and, at a terminal, asks before it
    goes on. A factor is typed as 0.5, 1/3 or .333; the word none removes a limit.

    Examples:
        keizer rules club.db
        keizer rules club.db top_value=60 excused=1/3 excused.season_cap=8
        keizer rules club.db --preset haren --dry-run
        keizer rules club.db --add-kind "late notice" late-notice=1/6
        keizer rules club.db --for Baker excused=club-duty
    """
    is_change = settings or more["preset"] or add_kind or dry_run
    if is_change:
        # `more` has the other options of the act: --preset and --for.
        values = {
            "settings": settings,
            **options.typed_values({"add_kind": add_kind, **more}),
        }
        change = session.consider(
            season, acts.change_rules, values, dry_run=dry_run, yes=yes
        )
        if dry_run:
            show_moves(change.moves, style)
            return
        if add_kind and not change.returned.changed:
            # No rule has changed, so the list below will be empty.
            kind = spelling.parse_kind(add_kind)
            output.print_lines(
                say("Added: “{kind}”, a kind of unplayed round.", kind=kind)
            )
        _show_rules(change.returned.changed, style)
    elif diff:
        _show_differences(season, diff, style)
    elif history:
        with season.reading() as tournament:
            rows = stored.history(tournament)
        none = say("No rule was changed after the first round.")
        _show_rows(rows, _HISTORY, style, if_empty=none)
    else:
        # A program gets all rules, people only those in use.
        with season.reading() as tournament:
            listed_rules = stored.list_rules(
                tournament, with_defaults=every or style is not None
            )
        _show_rules(listed_rules, style)


_HISTORY = ("round_number", "rule", "before", "after", "changed_at")


def _show_differences(
    season: session.CommandSession, preset: str, style: str | None
) -> None:
    """Print the rules of the tournament that differ from those of a preset.

    Each has its value here and its value in the preset.

    preset: the name of the preset, which is the rules of a club or program.
    style: "json", "csv" or None for people.
    """
    with season.reading() as tournament:
        differences = presets.differences(tournament, preset)
    # Each difference has the rule, its value here, and its value in the preset.
    columns = ("key", "here", preset)
    rows = [dict(zip(columns, row, strict=True)) for row in differences]
    none = say("The rules are those of {preset}.", preset=preset)
    _show_rows(rows, columns, style, if_empty=none)


def _show_rules(rules: list[stored.Rule], style: str | None) -> None:
    """Print rules, for people as they can be typed: KEY=VALUE.

    style: "json", "csv" or None for people.
    """
    rows = [rule._asdict() for rule in rules]
    if style is not None:
        output.print_for_program(rows, ("key", "value"), style)
        return
    output.print_lines(*rules)


def _show_rows(
    rows: Sequence[output.Row],
    columns: tuple[str, ...],
    style: str | None,
    *,
    if_empty: Message,
) -> None:
    """Print rows as JSON or CSV, or as a table for people.

    In the table a missing value is the word none.

    style: "json", "csv" or None for people.
    if_empty: the sentence that people read if there are no rows.
    """
    if style is not None:
        output.print_for_program(rows, columns, style)
        return
    titles = {column: column.replace("_", " ") for column in columns}
    rows_of_words = [
        {column: "none" if row[column] is None else row[column] for column in columns}
        for row in rows
    ]
    output.table(rows_of_words, titles, if_empty=if_empty)


def show_moves(moves: list[stored.Move], style: str | None) -> None:
    """Print whose rank or score would change by a change that was only tried, and why.

    style: "json", "csv" or None for people.
    """
    # The reasons in a row are the points by kind: {"win": 3.0, "bye": -1.0}. JSON has
    # them as an object. CSV and the table have them in words.
    rows = [move._asdict() for move in moves]
    if style != "json":
        rows = [row | {"why": _reasons_message(row["why"])} for row in rows]
    columns = ("rank", "rank_before", "name", "score", "score_before", "why")
    if style is not None:
        output.print_for_program(rows, columns, style)
        return
    if not rows:
        output.print_lines(
            say("Nobody's rank or score would change. Nothing was written.")
        )
        return
    headings = {
        "rank": say("Rank"),
        "rank_before": say("was"),
        "name": say("Name"),
        "score": say("Score"),
        "score_before": say("was"),
        "why": say("Why"),
    }
    # No column may be cut, so that all names are printed whole.
    output.table(rows, headings, shorten=())
    output.print_lines(say("Nothing was written."))


def _reasons_message(points_by_kind: dict[str, float]) -> Message:
    """Return a message such as “win +3, bye -1”, which explains a change of score.

    points_by_kind: the points that a player gets more, or less if negative, by what
        brings them, such as a win, a bye or a kind of absence.
    """
    parts = [
        say("{kind} {points:+}", kind=term(kind), points=points)
        for kind, points in points_by_kind.items()
    ]
    return say("{parts}", parts=parts)


correct = session.act(
    acts.correction, name="correct", context_settings={"ignore_unknown_options": True}
)
period = session.act(acts.period)


@partial(session.command, act=acts.prohibit)
def prohibit(
    season: session.CommandSession,
    players: AnyMembers,
    name: str | None,
    *,
    remove: bool,
) -> None:
    """Never pair certain players, such as a family; or list them.

    Examples:
        keizer prohibit club.db Baker Carter --name "family"
        keizer prohibit club.db --name "family" --remove
    """
    nothing_named = not players and name is None
    if nothing_named and not remove:
        with season.reading() as tournament:
            pairings = roster.prohibited_pairings(tournament)
        headings = {"name": say("What they share"), "player": say("Player")}
        # No column may be cut, so that all names are printed whole.
        output.table(pairings, headings, shorten=())
        return
    if name is None:
        raise KeizerError("give with --name what the players share.")
    done = season.do(acts.prohibit, *players, name=name, remove=remove)
    output.announce(done.said)
