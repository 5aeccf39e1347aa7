"""The commands about a season as a whole: init, demo, tournament, finish."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from keizer import KeizerError
from keizer.acts import declare
from keizer.acts import season as acts
from keizer.cli import options, output, session
from keizer.cli.options import Style, argument, flag, option
from keizer.messages import or_none, say
from keizer.season import demo as example
from keizer.season import lookups, tournaments, views
from keizer.season.people import roster

PATH = click.Path(path_type=Path)


@partial(session.command, act=acts.create)
def init(
    season: session.CommandSession,
    name: Annotated[str, option("The name of the tournament.", required=True)],
    last: Annotated[
        Path | None,
        option(
            "Enter the members of the season in this file, DB or another.",
            "--from",
            type=PATH,
        ),
    ],
    preset: str | None,
    order: str | None,
    *,
    same_rules: bool,
) -> None:
    """Make a season file, or add a tournament to one.

    With --from, the members of another season are entered with their numbers, except
    those who have withdrawn. Add new members afterwards.

    Examples:
        keizer init club.db --name "Club 2026"
        keizer init club.db --name "Club 2026" --preset keizerforclubs
        keizer init next.db --name "Club 2027" --from club.db --rules
    """
    # In other commands --tournament names a tournament of the file DB. Here that one is
    # new, and so the option names the tournament of last season, in the file of --from.
    former_tournament = season.tournament
    if last is None and (former_tournament or order or same_rules):
        raise KeizerError("--order, --rules and --tournament are about --from FILE.")
    if preset and same_rules:
        raise KeizerError("--preset and --rules are two sets of rules: choose one.")
    former = session.CommandSession(str(last), former_tournament) if last else None
    more = {"preset": preset, "order": order, "same_rules": same_rules}
    created = season.do(acts.create, name, last=former, **options.typed_values(more))
    facts = {"file": season.path, "name": name}
    if last:
        ready = say("{file}: “{name}” is ready. Next: keizer add {file} NAME", **facts)
    else:
        ready = say(
            "{file}: “{name}” is ready. Next: keizer import {file} members.csv", **facts
        )
    output.announce_unlogged(ready)
    output.print_lines(*created.notes)


@options.command
def demo(file: Annotated[Path | None, argument(required=False, type=PATH)]) -> None:
    """Create a made-up season to try things out.

    24 members, twelve rounds, the last one half played: always the same season. Without
    FILE it goes into a temporary file.

    Example: keizer demo demo.db
    """
    if file is None:
        folder = tempfile.mkdtemp(prefix="keizer-")
        file = Path(folder, "demo.db")
    path = str(file)
    session.CommandSession(path).do(acts.demo)
    # If this cannot be printed, the file is there anyway, and the error says so.
    output.announce_unlogged(
        say("{file}: “{name}”, twelve rounds. Try:", file=path, name=example.NAME)
    )
    for command in example.suggested_commands(file):
        output.print_lines(f"  {command}")


@partial(session.command, act=acts.correct_tournament)
def tournament(season: session.CommandSession, style: Style, **details: Any) -> None:
    """Show or set city, arbiter and time control, for reports.

    TRF reports, game headers and the club's page have them. The word none takes one
    away.

    Examples:
        keizer tournament club.db
        keizer tournament club.db --city Delft --arbiter "R. Piet"
        keizer tournament club.db --time-control "90 min + 30 s"
    """
    # The details are the options --city, --arbiter and so on. Those that were typed are
    # set; a detail for which “none” was typed is removed.
    changes = options.typed_values(details)
    if changes:
        output.announce(season.do(acts.correct_tournament, **changes).said)
        return
    with season.reading() as tournament:
        name = tournament.now.name
        stored_details = tournaments.details(tournament)
    # Without such options the details are shown: to a program as JSON or CSV, by the
    # option --json or --csv, otherwise to people.
    if style is not None:
        output.print_for_program([stored_details], tournaments.DETAILS, style)
        return
    output.heading(name)
    entries = [
        output.Entry(declare.label(detail), or_none(value))
        for detail, value in stored_details.items()
    ]
    output.wrapped(entries)


@partial(session.command, act=acts.finish)
def finish(  # noqa: D103  # its help: that of `acts.finish`
    season: session.CommandSession,
    reopen: Annotated[bool, flag("Let it be changed again.")],
    style: Style,
) -> None:
    if reopen:
        output.announce(season.do(acts.reopen).said)
        return
    with season.reading() as tournament:
        name = tournament.now.name
        withdrawn = roster.withdrawn_players(tournament)
        # A season that is finished already is only read: nothing is written.
        ending = acts.read_ending(tournament) if tournament.now.is_finished else None
    if ending is None:
        ending = season.do(acts.finish)
    if style is not None:
        output.print_for_program(ending.prizes, lookups.PRIZES, style)
    else:
        _show_ending(name, ending, withdrawn)


def _show_ending(name: str, ending: acts.Finished, withdrawn: dict[int, str]) -> None:
    """Print the final standings and the prizes, with the mark (w) at withdrawn players.

    This changes the rows of `ending`: the mark is added to the names in them.

    name: the name of the tournament.
    withdrawn: the names of the withdrawn players by id.
    """
    rows = [*ending.standings, *ending.prizes]
    is_any_marked = output.mark_withdrawn(rows, withdrawn)
    title = say(
        "{name}, final standings after round {round}", name=name, round=ending.number
    )
    output.heading(title)
    standings_headings = {
        "rank": say("Rank"),
        "name": say("Name"),
        "played": say("Games"),
        "score": say("Score"),
    }
    output.table(ending.standings, standings_headings)
    output.print_lines("")
    cells = {
        "prize": lookups.prize_message,
        "about": lambda row: views.row_message(row, "about"),
    }
    prize_headings = {"prize": say("Prize"), "name": say("Name"), "about": say("With")}
    output.table(ending.prizes, prize_headings, cells=cells)
    if is_any_marked:
        output.print_lines(output.LEGEND)
