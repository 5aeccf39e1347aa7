"""Commands about a tournament, and reports on it: each is one transaction."""

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any, NamedTuple

import click

from keizer import KeizerError
from keizer.acts import declare
from keizer.acts.session import Outcome, Session
from keizer.cli import layout, options, output
from keizer.messages import Message, say, shortened_list
from keizer.season import tournaments, views
from keizer.season.names.finding import Standing, find_round, find_standing
from keizer.season.people import roster
from keizer.season.queries import Tournament

_MOST_MOVES = 8
"""The most new ranks that are named before a person agrees to a change."""


class CommandSession(Session):
    """The use of a season file by a command; it prints what acts have to remark.

    An act is the function for one thing that a person does.
    """

    def tell(self, message: Message) -> None:
        """Print a remark on standard error, apart from the output of the command."""
        output.print_lines(message, err=True)


def command(
    run: Callable[..., None],
    *,
    act: Callable[..., Any] | None = None,
    whole: bool = False,
    **settings: Any,
) -> click.Command:
    """Make a command of a function whose first parameter is a `CommandSession`.

    The command has the argument DB, the option --tournament, and an argument or option
    for each other parameter that an annotation declares. It calls the function with a
    session of the file and the tournament that were typed.

    run: the function.
    act: the act that the command does, which is the function for one thing that a
        person does. Its parameters become options, too, and its docstring is the help
        if `run` has none.
    whole: the command is about the whole file: it has no option --tournament.
    settings: what `options.command` takes.
    """

    @wraps(run)
    def run_in_session(
        database: str, tournament: str | None = None, **values: Any
    ) -> None:
        run(CommandSession(database, tournament), **values)

    annotations = options.declared(run)
    if act:
        annotations = options.of_act(act, **annotations)
    annotations = {"database": options.Database, **annotations}
    if not whole:
        annotations["tournament"] = options.Tournament
    # options.command makes arguments and options of these annotations, in their order.
    run_in_session.__annotations__ = annotations
    run_in_session.__doc__ = run.__doc__ or (act and act.__doc__)
    return options.command(run_in_session, **settings)


def act(
    run: Callable[..., Any],
    show: Callable[..., None] | None = None,
    *,
    also: dict[str, Any] | None = None,
    **settings: Any,
) -> click.Command:
    """Make the command that does an act and prints what it returned.

    run: the act, which is the function for one thing that a person does.
    show: a function that prints what the act returned; or what `consider` returned, if
        the command has the option --dry-run. It gets the values of the options in
        `also`, too. Without it the message `said` of the result is printed.
    also: annotations of options that the act does not have. None as an annotation
        leaves out a parameter of the act.
    settings: what `options.command` takes.
    """
    own_options = also or {}
    declaration = declare.act_of(run)
    # A parameter such as *players, of which an act has one at most. Python takes its
    # values by position only.
    starred_names = [
        parameter.name
        for parameter in declaration.parameters()
        if parameter.positional and parameter.takes_list
    ]
    starred_name = next(iter(starred_names), None)

    def do_act(season: Session, **values: Any) -> None:
        own_values = {name: values.pop(name) for name in own_options if name in values}
        starred = values.pop(starred_name, ()) if starred_name else ()
        typed = options.typed_values(values)
        done: Any
        # `Session.do` cannot try an act on a copy: for --dry-run `consider` is needed.
        if "dry_run" in own_values:
            done = consider(season, run, typed, starred, **own_values)
        else:
            done = season.do(run, *starred, **typed)
        if show:
            show(done, **own_values)
        else:
            output.announce(done.said)

    # `command` makes the options, the help and the name of the command of these.
    do_act.__annotations__ = options.of_act(run, **own_options)
    do_act.__doc__ = run.__doc__
    do_act.__name__ = declaration.name
    return command(do_act, whole=declaration.is_about_file, **settings)


def consider(
    season: Session,
    run: Callable[..., Any],
    values: dict[str, Any],
    positional: Sequence[Any] = (),
    *,
    dry_run: bool,
    yes: bool = True,
    **_: Any,
) -> Outcome:
    """Do an act, or try it on a copy of the file, and return the outcome.

    `Session.do_and_compare` does the act. This function also lets a person agree: if
    the season has begun and ranks change, it prints these before the changes are
    written, and at a terminal asks whether it shall be done. If the answer is no,
    KeizerError is raised, and nothing is changed.

    season: the season.
    run: the act, which is the function for one thing that a person does.
    values: its arguments by name.
    positional: its arguments by position.
    dry_run: try it on a copy, and neither print nor ask anything.
    yes: do not ask.
    _: other options of the command, such as --json, which are of no use here.
    """

    def agree(change: Outcome) -> None:
        """Print which ranks change, and ask; raise KeizerError if the answer is no.

        Nothing is printed or asked if no rank changes, or no round has a result yet.
        Nothing is asked if `yes` is true (option --yes), or nobody is at a terminal.
        """
        moves = _rank_messages(change)
        if not moves:
            return
        # Before the first result, ranks are only those of the start order.
        if not change.in_season:
            return
        moves_text = shortened_list(moves, _MOST_MOVES)
        output.print_lines(
            say("This changes ranks: {moves}.", moves=moves_text), err=True
        )
        # A script has no terminal, and could not answer.
        asks = not yes and sys.stdin.isatty()
        if asks and not output.confirm(say("Do it?")):
            raise KeizerError("nothing was changed.")

    # `Session.do_and_compare` takes all arguments as one dictionary, with those by
    # position under the key "*". No parameter can have that name.
    arguments = {"*": positional, **values}
    # It does the act, and calls `agree` before the changes are written to the file.
    return season.do_and_compare(
        declare.act_of(run),
        arguments,
        dry_run=dry_run,
        agree=None if dry_run else agree,
    )


def _rank_messages(change: Outcome) -> list[Message]:
    """Return a message for each player who gets another rank: “Baker 3 → 2”."""
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
    """The subject of a report: a tournament after a round.

    tournament: the tournament, while its file is open for reading.
    number: the number of the round; 0 for the start order.
    """

    tournament: Tournament
    number: int

    @property
    def said(self) -> Message:
        """The round in words, such as “after round 3”."""
        if not self.number:
            return say("start order")
        return say("after round {round}", round=self.number)

    def find_player(self, typed: str) -> Standing:
        """Return the rank and score of a player after the round, with id and name.

        The name of a player who has withdrawn ends with the mark (w). KeizerError is
        raised if the standings do not have the player.

        typed: the name or number of the player, as somebody typed it.
        """
        standing = find_standing(self.tournament, self.number, typed)
        if standing.player in roster.withdrawn_players(self.tournament):
            return standing._replace(name=f"{standing.name}{layout.GONE}")
        return standing


UP_TO = "Up to this round; the latest with a result by default."
LATEST = "After this round; the latest with a result by default; 0: start order."


class Report(NamedTuple):
    """A report on a tournament after a round, for people and for programs."""

    title: Message
    """The title, which people read behind the name of the tournament."""
    rows: Sequence[views.Row]
    """The rows that programs get."""
    columns: Sequence[str]
    """The columns that programs get."""
    show: Callable[[], None]
    """A function that prints what people read below the title."""
    more_rows: Sequence[views.Row] = ()
    """Rows that `show` prints, but programs do not get."""


def report(
    read_report: Callable[..., Report], *, round_help: str = UP_TO, first: int = 0
) -> click.Command:
    """Make a command that calls a function to read a report, and prints the report.

    The command prints it for people, or as JSON or CSV for programs.

    read_report: the function. It is called with the tournament after the round that
        --round names, and with the values of its own options, which its annotations
        declare. Its name and docstring become the name and the help of the command.
    round_help: the help of --round.
    first: the first round that --round takes; 0 is the start order.
    """

    # `wraps` copies the name and the docstring, of which `command` makes name and help.
    @wraps(read_report)
    def read_and_show(
        season: CommandSession, number: int | None, style: str | None, **values: Any
    ) -> None:
        with season.reading() as tournament:
            round_number = find_round(tournament, number, first)
            content = read_report(AfterRound(tournament, round_number), **values)
            warn_if_stale(tournament)
            title = output.translated(_full_title(tournament, content.title))
            withdrawn = roster.withdrawn_players(tournament)
        # Printed after the transaction, so that nobody waits for the file while a
        # person reads the output page by page.
        if style is not None:
            output.print_for_program(content.rows, content.columns, style)
        else:
            _show(content, title, withdrawn)

    # `command` makes the options of these annotations, in their order. Those of
    # `read_report`, which `wraps` has copied, lack --round, --json and --csv.
    read_and_show.__annotations__ = {
        "number": Annotated[
            int | None, options.round_number(round_help, with_start=first == 0)
        ],
        **options.declared(read_report),
        "style": options.Style,
    }
    return command(read_and_show)


def _show(report: Report, title: str, withdrawn: dict[int, str]) -> None:
    """Print a report for people, with the mark (w) at the names of withdrawn players.

    If any name has the mark, a last line explains it.

    title: the full title. It may name a player, too, with the mark if they withdrew.
    withdrawn: the names of the withdrawn players by id.
    """
    # The names are marked in the rows themselves, which `report.show` prints then.
    rows = [*report.rows, *report.more_rows]
    is_any_marked = output.mark_withdrawn(rows, withdrawn)
    output.heading(title)
    report.show()
    if is_any_marked or layout.GONE in title:
        output.print_lines(output.LEGEND)


def warn_if_stale(tournament: Tournament) -> None:
    """Print a warning if the standings in the file may be out of date.

    That is so while another program has suspended their revaluation, and facts have
    changed since. The warning goes to standard error.
    """
    stale_from_round = tournament.now.stale_from_round
    if stale_from_round is None:
        return
    warning = say(
        "Warning: the revaluation is suspended in this file; standings from round"
        " {round} on may be out of date. {resume}",
        round=stale_from_round,
        resume=tournaments.RESUME_HINT,
    )
    output.print_lines(warning, err=True)


def _full_title(tournament: Tournament, title: Message) -> Message:
    """Return the title of a report with the name of the tournament before it."""
    return say("{name}, {what}", name=tournament.now.name, what=title)
