"""How a season begins and ends: init, demo, finish."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError
from keizer.acts import season as acts
from keizer.cli import options, output, session
from keizer.cli.options import Database, Style, Tournament, argument, flag, option
from keizer.messages import say
from keizer.season import demo as example
from keizer.season import new_season, reports, roster, views

PATH = click.Path(path_type=Path)


@options.command
def init(
    database: Database,
    name: Annotated[str, option("The name of the tournament.", required=True)],
    preset: Annotated[str | None, option("With the rules of a club or program.", metavar="PRESET")],
    last: Annotated[
        Path | None,
        option("Enter the members of the season in this file, DB or another.", "--from", type=PATH),
    ],
    tournament: Tournament,
    order: Annotated[
        str | None,
        option("By the last standings (default), or by rating.", choices=new_season.ORDERS),
    ],
    same_rules: Annotated[bool, flag("With the rules of that season.", "--rules")],
) -> None:
    """Make a season file, or add a tournament to one.

    With --from the members of last season are entered: with their numbers, without those who
    have withdrawn. Who is new is added after.

    \b
    Example: keizer init club.db --name "Club 2026"
             keizer init club.db --name "Club 2026" --preset keizerforclubs
             keizer init next.db --name "Club 2027" --from club.db --rules
    """
    if last is None and (tournament or order or same_rules):
        raise KeizerError("--order, --rules and --tournament are about --from FILE.")
    if preset and same_rules:
        raise KeizerError("--preset and --rules are two sets of rules: choose one.")
    former = session.Season(str(last), tournament) if last else None
    begun = session.Season(database).do(
        acts.create, name, preset=preset, last=former, order=order or "ranking",
        same_rules=same_rules,
    )  # fmt: skip
    facts = {"file": database, "name": name}
    said = say("{file}: “{name}” is ready. Next: keizer import {file} members.csv", **facts)
    if last:
        said = say("{file}: “{name}” is ready. Next: keizer add {file} NAME", **facts)
    output.done(said)
    output.say(*begun.notes)


@options.command
def demo(file: Annotated[Path | None, argument(required=False, type=PATH)]) -> None:
    """Play a season into a new file, to look around in.

    24 members, twelve rounds, the last one half played: always the same season.
    Without FILE it goes into a temporary file.

    Example: keizer demo demo.db
    """
    file = file or Path(tempfile.mkdtemp(prefix="keizer-")) / "demo.db"
    session.Season(str(file)).do(acts.demo)
    output.done(say("{file}: “{name}”, twelve rounds. Try:", file=str(file), name=example.NAME))
    output.say(*(f"  {command}" for command in example.to_try(file)))


@partial(session.command, help=acts.finish.__doc__)
def finish(  # noqa: D103  # the help is the act's
    season: session.Season, reopen: Annotated[bool, flag("Let it be changed again.")], style: Style
) -> None:
    if reopen:
        output.said(season.do(acts.reopen).said)
        return
    with season.reading() as tournament:
        now, gone = tournament.now, roster.withdrawn(tournament)
        done = acts.finished(tournament) if now.is_finished else None
    done = done or season.do(acts.finish)
    if not output.emit(done.prizes, reports.PRIZES, style):
        marked = output.mark([*done.standings, *done.prizes], gone)
        output.heading(
            say("{name}, final standings after round {round}", name=now.name, round=done.number)
        )
        output.table(done.standings, "rank, name, played: Games, score")
        output.say("")
        cells = {"prize": reports.prize, "about": lambda row: views.said(row, "about")}
        output.table(done.prizes, "prize, name, about: With", cells=cells)
        if marked:
            output.say(output.LEGEND)
