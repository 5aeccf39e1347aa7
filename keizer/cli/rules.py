"""The club's regulations: rules, correct, period, prohibit."""

import sys
from collections.abc import Sequence
from functools import partial
from typing import Annotated

import click

from keizer import KeizerError, club, texts
from keizer.cli import output, session
from keizer.cli.options import AnyMembers, Member, Style, argument, flag, option, round_number
from keizer.season import names, presets, roster, tournaments
from keizer.season import rules as stored
from keizer.season.regulations import Decision, decide
from keizer.texts import as_sentence

_NAMED = 8


@session.command
def rules(
    season: session.Season,
    settings: Annotated[tuple[str, ...], argument(metavar="[KEY=VALUE]...", nargs=-1)],
    preset: Annotated[
        str | None, option("Take over the rules of a club or program.", metavar="NAME")
    ],
    diff: Annotated[str | None, option("Show where they differ from a preset.", metavar="PRESET")],
    dry_run: Annotated[bool, flag("Only show who would move, and why.")],
    yes: Annotated[bool, flag("Do not ask before a change in mid-season.")],
    add_kind: Annotated[str | None, option("Add a kind of unplayed round.", metavar="KIND")],
    member: Annotated[
        str | None,
        option("For this player alone: KIND=KIND, the second counts.", "--for", metavar="NAME"),
    ],
    every: Annotated[bool, flag("List all rules, also those not in use.", "--all")],
    history: Annotated[bool, flag("List what was changed in mid-season.")],
    style: Style,
) -> None:
    """Show the rules of a tournament, or change some.

    A change revalues the whole season. In mid-season the command first says who moves,
    and on a terminal asks before it goes on. A factor is typed as 0.5, 1/3 or .333; the
    word none removes a limit.

    \b
    Example: keizer rules club.db
             keizer rules club.db top_value=60 excused=1/3 excused.season_cap=8
             keizer rules club.db --preset oppositie --dry-run
             keizer rules club.db --add-kind "late notice" late-notice=1/6
             keizer rules club.db --for Baker excused=club-duty
    """
    decision = Decision(settings, preset, add_kind, member)
    if dry_run:
        with season.trying() as (copy, chosen):
            tournaments.settle(copy)
            _, moved = decide(copy, chosen, decision)
        show_moves(moved, style)
        return
    if settings or preset or add_kind:
        with season.writing() as (conn, chosen):
            found, moved = decide(conn, chosen, decision)
            if tournaments.current_round(conn, chosen):
                agreed(moved, "the rules", ask=not yes)
        if add_kind and not found:
            output.say(f"Added: “{names.kind(add_kind)}”, a kind of unplayed round.")
        _show_rules(found, style)
        return
    with season.reading() as (conn, chosen):
        if diff:
            differ = presets.differences(conn, chosen, diff)
            rows = [{"key": key, "here": here, diff: there} for key, here, there in differ]
            none = f"The rules are those of {diff}."
            show = partial(_show_rows, rows, ("key", "here", diff), none=none)
        elif history:
            none = "No rule was changed after the first round."
            show = partial(_show_rows, stored.history(conn, chosen), _HISTORY, none=none)
        else:
            found = stored.listed(conn, chosen, every=every or style is not None)
            show = partial(_show_rules, found)
    show(style)


_HISTORY = ("round_number", "rule", "before", "after", "changed_at")


def agreed(moved: list[stored.Move], what: str, *, ask: bool) -> None:
    """Say who moves by a change in mid-season; KeizerError when somebody then says no."""
    said = [
        f"{player.name} {player.rank_before} → {player.rank}"
        for player in moved
        if player.rank != player.rank_before
    ]
    if not said:
        return
    output.say(f"This changes ranks: {names.first(said, _NAMED)}.", err=True)
    if ask and sys.stdin.isatty() and not output.confirm(f"Change {what}?"):
        raise KeizerError("nothing was changed.")


def _show_rules(found: list[stored.Rule], style: str | None) -> None:
    if not output.emit([rule._asdict() for rule in found], ("key", "value"), style):
        output.say(*found)


def _show_rows(
    found: Sequence[output.Row], columns: tuple[str, ...], style: str | None, *, none: str
) -> None:
    if output.emit(found, columns, style):
        return
    shown = [
        {column: "none" if row[column] is None else row[column] for column in columns}
        for row in found
    ]
    output.table(shown, {column: column.replace("_", " ") for column in columns}, none=none)


def show_moves(moved: list[stored.Move], style: str | None) -> None:
    """Say who would move, from where to where, and why."""
    columns = ("rank", "rank_before", "name", "score", "score_before", "why")
    rows = [move._asdict() for move in moved]
    if style != "json":
        rows = [row | {"why": _differences(row["why"])} for row in rows]
    if output.emit(rows, columns, style):
        return
    if rows:
        headings = "rank, rank_before: was, name, score, score_before: was, why"
        output.table(rows, headings, shorten=())
    nobody = "" if rows else "Nobody's rank or score would change. "
    output.say(f"{nobody}Nothing was written.")


def _differences(why: dict[str, float]) -> str:
    return ", ".join(f"{kind} {texts.signed(points)}" for kind, points in why.items())


@partial(session.command, context_settings={"ignore_unknown_options": True})
def correct(
    season: session.Season,
    name: Member,
    points: Annotated[float, argument(type=float)],
    reason: Annotated[str | None, option("Why; shown by keizer explain.")],
    number: Annotated[
        int | None,
        round_number("The first round whose standings include it; the coming one by default."),
    ],
    until: Annotated[
        int | None, round_number("The last round whose standings include it.", "--until")
    ],
) -> None:
    """Give a player Keizer points, or take some away.

    \b
    Example: keizer correct club.db Baker 12.5 --reason "start points" --round 0
             keizer correct club.db Baker -5 --reason "fair play"
    """
    with season.writing() as (conn, chosen):
        player, _ = club.member(conn, chosen, name)
        said = roster.correct(conn, chosen, player, points, reason, number, until)
    output.say(f"{said}.")


@session.command
def period(
    season: session.Season,
    first_round: Annotated[int, argument(metavar="ROUND", type=click.IntRange(1, 999))],
    name: Annotated[str | None, option("The name of the period.")],
    reset: Annotated[bool, flag("Let scores start anew; without it only the caps on absences do.")],
    by_rating: Annotated[bool, flag("With --reset: the list starts anew too, by rating.")],
    remove: Annotated[bool, flag("Remove the period.")],
) -> None:
    """Let a period of the season start with a round.

    Example: keizer period club.db 13 --name Spring --reset
    """
    if by_rating and not reset:
        raise KeizerError("--by-rating needs --reset: a list that goes on keeps its order.")
    with season.writing() as (conn, chosen):
        if remove:
            said = tournaments.remove_period(conn, chosen, first_round)
        else:
            said = tournaments.add_period(
                conn, chosen, first_round, name=name, reset=reset, by_rating=by_rating
            )
    output.say(as_sentence(said))


@session.command
def prohibit(
    season: session.Season,
    players: AnyMembers,
    shared: Annotated[
        str | None, option("What the players share, such as a family or a team.", "--name")
    ],
    remove: Annotated[bool, flag("Let these players meet again; without names, all who share it.")],
) -> None:
    """Name players who are never paired together, or list them.

    \b
    Example: keizer prohibit club.db Baker Carter --name "family"
             keizer prohibit club.db --name "family" --remove
    """
    if not players and not remove:
        with season.reading() as (conn, chosen):
            found = roster.prohibited_pairings(conn, chosen)
        output.table(found, "name: What they share, player", shorten=())
        return
    if shared is None:
        raise KeizerError("say with --name what the players share.")
    with season.writing() as (conn, chosen):
        sharing = club.matched(conn, chosen, players) if players else {}
        said = roster.prohibit(conn, chosen, names.tidy(shared), sharing, remove=remove)
    output.say(as_sentence(said))
