"""The frame of commands on a tournament and of its reports: one transaction each."""

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any, NamedTuple

import click

from keizer import KeizerError
from keizer.acts import declare
from keizer.acts.session import Considered, Session
from keizer.cli import layout, options, output
from keizer.messages import Message, first, say
from keizer.season import tournaments, views
from keizer.season.names.finding import Standing, find_round, find_standing
from keizer.season.people import roster
from keizer.season.queries import Tournament

_NAMED = 8
"""Players whose new ranks are said before a change is agreed to."""


class CommandSession(Session):
    """The session of a command: a file, and which tournament where it has several."""

    def tell(self, message: Message) -> None:
        """Print a remark beside the output of the command."""
        output.say(message, err=True)


def command(
    run: Callable[..., None],
    *,
    act: Callable[..., Any] | None = None,
    whole: bool = False,
    **settings: Any,
) -> click.Command:
    """Make a command of a function that gets a `CommandSession` first.

    act: the act that it does. The command has the parameters of the act unless the
    function declares them itself, and the help of the act if the function has none.
    whole: it is about the file, whatever tournaments that has.
    """

    @wraps(run)
    def on_season(database: str, tournament: str | None = None, **values: Any) -> None:
        run(CommandSession(database, tournament), **values)

    annotations = options.declared(run)
    if act:
        annotations = options.of_act(act, **annotations)
    annotations = {"database": options.Database, **annotations}
    if not whole:
        annotations["tournament"] = options.Tournament
    on_season.__annotations__ = annotations
    on_season.__doc__ = run.__doc__ or (act and act.__doc__)
    return options.command(on_season, **settings)


def act(
    run: Callable[..., Any],
    show: Callable[..., None] | None = None,
    *,
    also: dict[str, Any] | None = None,
    **settings: Any,
) -> click.Command:
    """Make the command of an act.

    show: prints what the act returned; it gets the options in `also`, too.
    also: annotations of options that the command alone has; None leaves a parameter of
    the act out. If `dry_run` or `yes` is among them, people see first who would move.
    """
    own_options = also or {}
    declaration = declare.act_of(run)
    stars = [
        parameter.name
        for parameter in declaration.parameters()
        if parameter.positional and parameter.takes_list
    ]

    def on_season(season: Session, **values: Any) -> None:
        own = {name: values.pop(name) for name in own_options if name in values}
        placed = values.pop(stars[0], ()) if stars else ()
        typed = options.typed_values(values)
        done: Any
        if "dry_run" in own:
            done = consider(season, run, typed, placed, **own)
        else:
            done = season.do(run, *placed, **typed)
        if show:
            show(done, **own)
        else:
            output.announce(done.said)

    on_season.__annotations__ = options.of_act(run, **own_options)
    on_season.__doc__ = run.__doc__
    on_season.__name__ = declaration.name
    return command(on_season, whole=declaration.whole, **settings)


def consider(
    season: Session,
    run: Callable[..., Any],
    values: dict[str, Any],
    placed: Sequence[Any] = (),
    *,
    dry_run: bool,
    yes: bool = True,
    **_: Any,
) -> Considered:
    """Do an act, in mid-season once people saw who moves.

    On a terminal they are asked, too, unless `yes`. placed: arguments at their places.
    """

    def agree(change: Considered) -> None:
        moves = _moves(change)
        if not (moves and change.in_season):
            return
        moves_text = first(moves, _NAMED)
        output.say(say("This changes ranks: {moves}.", moves=moves_text), err=True)
        asks = not yes and sys.stdin.isatty()
        if asks and not output.confirm(say("Do it?")):
            raise KeizerError("nothing was changed.")

    return season.consider(
        declare.act_of(run),
        {"*": placed, **values},
        dry_run=dry_run,
        agree=None if dry_run else agree,
    )


def _moves(change: Considered) -> list[Message]:
    """Return a message for each player who gets another rank."""
    return [
        say(
            "{name} {before} → {rank}",
            name=move.name,
            before=move.rank_before,
            rank=move.rank,
        )
        for move in change.moves
        if move.rank != move.rank_before
    ]


# -------------------------------------------------------------------- reports


class AfterRound(NamedTuple):
    """The subject of a report: a tournament after a round."""

    tournament: Tournament
    number: int

    @property
    def said(self) -> Message:
        """The same in words."""
        if not self.number:
            return say("start order")
        return say("after round {round}", round=self.number)

    def listed(self, typed: str) -> Standing:
        """Return the player meant; KeizerError if they are not in the list by then."""
        player = find_standing(*self, typed)
        if player.player in roster.withdrawn_players(self.tournament):
            return player._replace(name=f"{player.name}{layout.GONE}")
        return player


UP_TO = "Up to this round; the latest with a result by default."
LATEST = "After this round; the latest with a result by default; 0: start order."


class Report(NamedTuple):
    """A report: what a command shows of a tournament after a round."""

    title: Message
    """Behind the tournament's name."""
    rows: Sequence[views.Row]
    columns: Sequence[str]
    """The columns that programs get."""
    show: Callable[[], None]
    """Prints what people get below the title."""
    more_rows: Sequence[views.Row] = ()
    """Rows that only people get."""


def report(
    find: Callable[..., Report], *, rounds: str = UP_TO, first: int = 0
) -> click.Command:
    """Make a command of a function that finds a report.

    The function gets the round that --round names, and the command's other options.
    The report is shown when the file is free again. rounds: the help of --round.
    first: the first round that it takes; 0 is the start order.
    """

    @wraps(find)
    def on_round(
        season: CommandSession, number: int | None, style: str | None, **values: Any
    ) -> None:
        with season.reading() as tournament:
            round_number = find_round(tournament, number, first)
            findings = find(AfterRound(tournament, round_number), **values)
            title = output.translated(titled(tournament, findings.title))
            withdrawn = roster.withdrawn_players(tournament)
        if not output.emit(findings.rows, findings.columns, style):
            _show(findings, title, withdrawn)

    on_round.__annotations__ = {
        "number": Annotated[int | None, options.round_number(rounds, first)],
        **options.declared(find),
        "style": options.Style,
    }
    return command(on_round)


def _show(findings: Report, title: str, withdrawn: dict[int, str]) -> None:
    """Print a report for people; the names of those who have withdrawn are marked."""
    rows = [*findings.rows, *findings.more_rows]
    is_marked = output.mark(rows, withdrawn)
    output.heading(title)
    findings.show()
    if is_marked or layout.GONE in title:
        output.say(output.LEGEND)


def titled(tournament: Tournament, title: Message | str) -> Message:
    """Return what stands above a report, and warn if it may be behind the facts."""
    behind = tournament.now.stale_from_round
    if behind is not None:
        warning = say(
            "Warning: the revaluation is suspended in this file; standings from round"
            " {round} on may be out of date. {resume}",
            round=behind,
            resume=tournaments.RESUME_HINT,
        )
        output.say(warning, err=True)
    return say("{name}, {what}", name=tournament.now.name, what=title)
