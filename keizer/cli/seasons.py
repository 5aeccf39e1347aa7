"""How a season begins and ends: init, demo, finish."""

import tempfile
from pathlib import Path
from typing import Annotated

from keizer import KeizerError, club
from keizer.cli import options, output, session
from keizer.cli.files import PATH
from keizer.cli.options import Database, Style, Tournament, argument, flag, option
from keizer.season import demo as example
from keizer.season import roster, succession, tournaments, views


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
        option("By the last standings (default), or by rating.", choices=succession.ORDERS),
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
    begun = club.Season.create(
        database,
        name,
        preset=preset,
        last=club.Season(str(last), tournament) if last else None,
        order=order or "ranking",
        same_rules=same_rules,
    )
    follow = "keizer add {} NAME" if last else "keizer import {} members.csv"
    output.done(f"{database}: “{name}” is ready. Next: {follow.format(database)}")
    output.say(*begun.said)


@options.command
def demo(file: Annotated[Path | None, argument(required=False, type=PATH)]) -> None:
    """Play a season into a new file, to look around in.

    24 members, twelve rounds, the last one half played: always the same season.
    Without FILE it goes into a temporary file.

    Example: keizer demo demo.db
    """
    if file is None:
        file = Path(tempfile.mkdtemp(prefix="keizer-")) / "demo.db"
    elif file.exists():
        raise KeizerError(f"{file} is there already: name a new file.")
    example.make(file)
    output.done(f"{file}: “{example.NAME}”, twelve rounds. Try:")
    output.say(*(f"  {command}" for command in example.to_try(file)))


@session.command
def finish(
    season: session.Season,
    reopen: Annotated[bool, flag("Let it be changed again.")],
    style: Style,
) -> None:
    """Close a season: the final standings, and the prizes.

    Games, players and rules stay as they are from then on, in any program. Prizes: the first
    three, the first of each category, most improved (places up from the start order) and best
    performance (FIDE's, above the start rating, with games in half of the rounds).

    \b
    Example: keizer finish club.db
             keizer finish club.db --reopen
    """
    with season.reading() as (conn, chosen):
        shows = not reopen and tournaments.is_finished(conn, chosen)
    with season.reading() if shows else season.writing(finished=True) as (conn, chosen):
        if reopen:
            succession.reopen(conn, chosen)
        elif not shows:
            succession.finish(conn, chosen)
        number = tournaments.last_round(conn, chosen)
        name = views.name(conn, chosen)
        final = succession.final(conn, chosen, number)
        prizes = succession.prizes(conn, chosen, number)
        gone = roster.withdrawn(conn, chosen)
    if reopen:
        output.say(f"“{name}” is open again.")
    elif not output.emit(prizes, succession.PRIZES, style):
        marked = output.mark([*final, *prizes], gone)
        output.heading(f"{name}, final standings after round {number}")
        output.table(final, "rank, name, played: Games, score")
        output.say("")
        output.table(prizes, "prize, name, about: With")
        if marked:
            output.say(output.LEGEND)
