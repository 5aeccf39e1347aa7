"""What commands on a tournament and reports of one have in common: one transaction each."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any, NamedTuple

import click

from keizer import club
from keizer.cli import options, output
from keizer.season import roster, tournaments, views
from keizer.season.queries import Conn


class Season(club.Season):
    """What a command is about: a file, and which tournament where it has several."""

    def __init__(self, path: str, tournament: str | None = None) -> None:
        self.path, self.tournament, self.warm = path, tournament, None  # it opens the file once

    def tell(self, sentence: str) -> None:
        """Say something beside what the command prints."""
        output.say(sentence, err=True)


def command(run: Callable[..., None], **settings: Any) -> click.Command:
    """Make a command of a function that gets a `Season` first: DB and --tournament."""

    @wraps(run)
    def on_season(database: str, tournament: str | None, **values: Any) -> None:
        run(Season(database, tournament), **values)

    on_season.__annotations__ = {
        "database": options.Database,
        **options.declared(run),
        "tournament": options.Tournament,
    }
    return options.command(on_season, **settings)


# -------------------------------------------------------------------- reports


class Listed(NamedTuple):
    """A player, and where they stand after a round."""

    player: int
    name: str
    rank: int
    score: float

    def __str__(self) -> str:
        return f"{self.name}, rank {self.rank}"


class AfterRound(NamedTuple):
    """What a report is about: a tournament after a round."""

    conn: Conn
    tournament: int
    number: int

    def __str__(self) -> str:
        return f"after round {self.number}" if self.number else "start order"

    def listed(self, typed: str) -> Listed:
        """The player meant, who is in the list by then, or KeizerError."""
        found = Listed(*club.listed(*self, typed))
        gone = found.player in roster.withdrawn(self.conn, self.tournament)
        return found._replace(name=f"{found.name}{output.GONE}") if gone else found


UP_TO = "Up to this round; the latest with a result by default."
LATEST = "After this round; the latest with a result by default; 0: start order."


class Report(NamedTuple):
    """What a command has to show of a tournament after a round."""

    title: str
    """Behind the tournament's name."""
    found: Sequence[views.Row]
    columns: Sequence[str]
    """Those that programs get."""
    show: Callable[[], None]
    """Prints what people get below the title."""
    beside: Sequence[views.Row] = ()
    """Rows that only people get."""


def report(find: Callable[..., Report], *, rounds: str = UP_TO, first: int = 0) -> click.Command:
    """Make a command of a function that finds a report.

    It gets the round that --round says, `first` or a later one, then its options. What
    it finds is shown when the file is free again. rounds: the help of --round.
    """

    @wraps(find)
    def show(season: Season, number: int | None, style: str | None, **values: Any) -> None:
        with season.reading() as (conn, chosen):
            after = AfterRound(conn, chosen, club.round_meant(conn, chosen, number, first))
            found = find(after, **values)
            title = titled(conn, chosen, found.title)
            gone = roster.withdrawn(conn, chosen)
        if not output.emit(found.found, found.columns, style):
            marked = output.mark([*found.found, *found.beside], gone) or output.GONE in title
            output.heading(title)
            found.show()
            if marked:
                output.say(output.LEGEND)

    show.__annotations__ = {
        "number": Annotated[int | None, options.round_number(rounds)],
        **options.declared(find),
        "style": options.Style,
    }
    return command(show)


def titled(conn: Conn, tournament: int, what: str) -> str:
    """What stands above a report; a warning when it may be behind the facts."""
    behind = views.stale_from(conn, tournament)
    if behind is not None:
        output.say(
            f"Warning: the revaluation is suspended in this file; standings from round {behind}"
            f" on may be out of date. {tournaments.RESUME}",
            err=True,
        )
    return f"{views.name(conn, tournament)}, {what}"
