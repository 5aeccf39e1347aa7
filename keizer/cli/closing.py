"""The end of a season: finish."""

from typing import Annotated

from keizer.cli import output, session
from keizer.cli.options import Style, flag
from keizer.season import roster, succession, tournaments, views


@session.command
def finish(
    season: session.Season,
    reopen: Annotated[bool, flag("Let it be changed again.")],
    style: Style,
) -> None:
    """Close a season: the final standings, and the prizes.

    Games, players and rules stay as they are from then on, in any program. Of a season that
    is finished the command shows the same again.

    The prizes: the first three, the first of each category, most improved (the most places up
    from the start order) and best performance (FIDE's, furthest above the start rating, with
    games in half of the rounds). Rule min_games says how many games it takes.

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
