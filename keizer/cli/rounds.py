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


@partial(session.command, of=pairing.publish)
def publish_round(  # noqa: D103  # the help is the act's
    season: session.CommandSession,
    take_back: Annotated[bool, flag("Make the round a draft again.")],
) -> None:
    done = season.do(pairing.take_back if take_back else pairing.publish)
    output.announce(done.said)
    output.say(*done.stale, err=True)


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
        of, days = zip(*dates, strict=True)
        season.do(acts.date, round=[EACH_ROUND.read(typed) for typed in of], date=days)
    with season.reading() as tournament:
        found, heading = views.scheduled(tournament), tournament.now.name
    headings = "round_number: Round, date, state, boards, open_boards: open, byes, absences: Absent"
    none = "No round is paired or planned."
    cells = {
        "state": lambda row: term(row["state"]),
        "date": lambda row: row["date"] and say("{day:date}", day=row["date"]),
    }
    if not output.emit(found, views.ROUNDS, style):
        output.heading(heading)
        output.table(found, headings, none=none, left=["date"], cells=cells)
