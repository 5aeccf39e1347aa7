"""The rounds of a season, and a pairing on the wall: publish-round, rounds."""

from functools import partial
from typing import Annotated

from keizer.acts import pairing
from keizer.acts import season as acts
from keizer.acts.declare import EACH_ROUND
from keizer.cli import output, session
from keizer.cli.options import Style, flag, option
from keizer.messages import say, term
from keizer.season import views


@partial(session.command, act=pairing.publish)
def publish_round(  # noqa: D103  # its help: that of `pairing.publish`
    season: session.CommandSession,
    take_back: Annotated[bool, flag("Make the round a draft again.")],
) -> None:
    done = season.do(pairing.take_back if take_back else pairing.publish)
    output.announce(done.said)
    # Warnings about what changed since the round was paired: perhaps it is to be paired
    # again.
    output.print_lines(*done.stale, err=True)


dates = session.act(acts.dates)


@session.command
def rounds(
    season: session.CommandSession,
    dates: Annotated[
        tuple[tuple[str, str], ...],
        option(
            "The date of a round, or none.",
            "--date",
            nargs=2,
            multiple=True,
            metavar="R DATE",
        ),
    ],
    style: Style,
) -> None:
    """List the rounds: number, date and state.

    A round is planned, a draft, published (being played) or complete.

    Examples:
        keizer rounds club.db
        keizer rounds club.db --date 12 2027-01-15 --date 13 2027-01-22
    """
    if dates:
        # A text such as 5-8 names several rounds, which get the same date.
        numbers = [EACH_ROUND.read(number) for number, _ in dates]
        days = [day for _, day in dates]
        season.do(acts.date, round=numbers, date=days)
    with season.reading() as tournament:
        rows = views.list_rounds(tournament)
        name = tournament.now.name
    if style is not None:
        output.print_for_program(rows, views.ROUNDS, style)
        return
    output.heading(name)
    headings = {
        "round_number": say("Round"),
        "date": say("Date"),
        "state": say("State"),
        "boards": say("Boards"),
        "open_boards": say("open"),
        "byes": say("Byes"),
        "absences": say("Absent"),
    }
    output.table(
        rows,
        headings,
        if_empty="No round is paired or planned.",
        as_text=["date"],
        cells={"state": lambda row: term(row["state"]), "date": output.date},
    )
