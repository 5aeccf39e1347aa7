"""What commands on a tournament and reports of one have in common: one transaction each."""

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
from keizer.season.names.finding import Standing, find_round, standing_of
from keizer.season.people import roster
from keizer.season.queries import Tournament

_NAMED = 8


class CommandSession(Session):
    """What a command is about: a file, and which tournament where it has several."""

    def tell(self, said: Message) -> None:
        """Say something beside what the command prints."""
        output.say(said, err=True)


def command(
    run: Callable[..., None],
    *,
    of: Callable[..., Any] | None = None,
    whole: bool = False,
    **settings: Any,
) -> click.Command:
    """Make a command of a function that gets a `CommandSession` first: DB and --tournament.

    of: an act that it does, whose parameters it has unless it declares them itself, and whose
    help if it has none. whole: it is about the file, whatever tournaments that has.
    """

    @wraps(run)
    def on_season(database: str, tournament: str | None = None, **values: Any) -> None:
        run(CommandSession(database, tournament), **values)

    own = options.declared(run)
    takes = options.of_act(of, **own) if of else own
    which = {} if whole else {"tournament": options.Tournament}
    on_season.__annotations__ = {"database": options.Database, **takes, **which}
    on_season.__doc__ = run.__doc__ or (of and of.__doc__)
    return options.command(on_season, **settings)


def act(
    run: Callable[..., Any],
    show: Callable[..., None] | None = None,
    *,
    also: dict[str, Any] | None = None,
    **settings: Any,
) -> click.Command:
    """Make the command of an act.

    show: prints what it returned, and gets what was typed of `also`, options of the command
    alone; `dry_run` and `yes` among them are for what is shown first. None there: a parameter of
    the act that the command has not.
    """
    there = declare.of(run)
    star = next(
        (one.name for one in there.parameters() if one.several and one.placed), ""
    )

    def on_season(season: Session, **values: Any) -> None:
        beside = {name: values.pop(name) for name in also or {} if name in values}
        placed = values.pop(star, ())
        typed = options.given(values)
        if "dry_run" in beside:
            done: Any = consider(season, run, typed, placed, **beside)
        else:
            done = season.do(run, *placed, **typed)
        show(done, **beside) if show else output.announce(done.said)

    on_season.__annotations__ = options.of_act(run, **(also or {}))
    on_season.__doc__, on_season.__name__ = run.__doc__, there.name
    return command(on_season, whole=there.whole, **settings)


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
    """Do an act in mid-season after it was said who moves, and on a terminal agreed."""

    def agree(found: Considered) -> None:
        moves = [
            say(
                "{name} {before} → {rank}",
                name=one.name,
                before=one.rank_before,
                rank=one.rank,
            )
            for one in found.moves
            if one.rank != one.rank_before
        ]
        if moves and found.in_season:
            said = say("This changes ranks: {moves}.", moves=first(moves, _NAMED))
            output.say(said, err=True)
            if not yes and sys.stdin.isatty() and not output.confirm(say("Do it?")):
                raise KeizerError("nothing was changed.")

    return season.consider(
        declare.of(run),
        {"*": placed, **values},
        dry_run=dry_run,
        agree=None if dry_run else agree,
    )


# -------------------------------------------------------------------- reports


class AfterRound(NamedTuple):
    """What a report is about: a tournament after a round."""

    tournament: Tournament
    number: int

    @property
    def said(self) -> Message:
        """The same in words."""
        if not self.number:
            return say("start order")
        return say("after round {round}", round=self.number)

    def listed(self, typed: str) -> Standing:
        """The player meant, who is in the list by then, or KeizerError."""
        found = standing_of(*self, typed)
        gone = found.player in roster.withdrawn(self.tournament)
        return found._replace(name=f"{found.name}{layout.GONE}") if gone else found


UP_TO = "Up to this round; the latest with a result by default."
LATEST = "After this round; the latest with a result by default; 0: start order."


class Report(NamedTuple):
    """What a command has to show of a tournament after a round."""

    title: Message
    """Behind the tournament's name."""
    found: Sequence[views.Row]
    columns: Sequence[str]
    """Those that programs get."""
    show: Callable[[], None]
    """Prints what people get below the title."""
    beside: Sequence[views.Row] = ()
    """Rows that only people get."""


def report(
    find: Callable[..., Report], *, rounds: str = UP_TO, first: int = 0
) -> click.Command:
    """Make a command of a function that finds a report.

    It gets the round that --round says, `first` or a later one, then its options. What
    it finds is shown when the file is free again. rounds: the help of --round.
    """

    @wraps(find)
    def show(
        season: CommandSession, number: int | None, style: str | None, **values: Any
    ) -> None:
        with season.reading() as tournament:
            after = AfterRound(tournament, find_round(tournament, number, first))
            found = find(after, **values)
            title = output.text(titled(tournament, found.title))
            gone = roster.withdrawn(tournament)
        if not output.emit(found.found, found.columns, style):
            marked = (
                output.mark([*found.found, *found.beside], gone) or layout.GONE in title
            )
            output.heading(title)
            found.show()
            if marked:
                output.say(output.LEGEND)

    show.__annotations__ = {
        "number": Annotated[int | None, options.round_number(rounds, first)],
        **options.declared(find),
        "style": options.Style,
    }
    return command(show)


def titled(tournament: Tournament, what: Message | str) -> Message:
    """What stands above a report; a warning when it may be behind the facts."""
    behind = tournament.now.behind
    if behind is not None:
        output.say(
            say(
                "Warning: the revaluation is suspended in this file; standings from round {round}"
                " on may be out of date. {resume}",
                round=behind,
                resume=tournaments.RESUME,
            ),
            err=True,
        )
    return say("{name}, {what}", name=tournament.now.name, what=what)
