"""The rounds of a season, and a pairing on the wall: publish-round, rounds."""

from typing import Annotated

from keizer.cli import options, output, session
from keizer.cli.options import Style, flag, option
from keizer.season import publication, tournaments, views
from keizer.season.drafts import stale
from keizer.store import commands
from keizer.texts import as_sentence


@session.command
def publish_round(
    season: session.Season, take_back: Annotated[bool, flag("Make the round a draft again.")]
) -> None:
    """Publish the pairing of the latest round.

    It is no draft any more: who signs off after that is absent from the next round.
    The first result of a round publishes it too.

    Example: keizer publish-round club.db
    """
    with season.writing() as (conn, chosen), season.fixing(conn, chosen):
        changes = stale(conn, chosen)
        if take_back:
            said = publication.take_back(conn, chosen)
        else:
            said = f"round {publication.publish(conn, chosen)} published"
    output.say(as_sentence(said))
    output.say(*changes, err=True)


@session.command
def rounds(
    season: session.Season,
    dates: Annotated[
        tuple[tuple[str, str], ...],
        option(
            "Set the date of a round; the word none removes it. Can be repeated.",
            "--date",
            nargs=2,
            multiple=True,
            metavar="R YYYY-MM-DD",
        ),
    ],
    style: Style,
) -> None:
    """List the rounds: number, date and state.

    A round is planned, a draft, published (being played) or complete.

    \b
    Example: keizer rounds club.db
             keizer rounds club.db --date 12 2027-01-15 --date 13 2027-01-22
    """
    if dates:
        with season.writing() as (conn, chosen):
            for typed, date in dates:
                for number in options.numbers(typed, "a round", tournaments.ROUNDS):
                    publication.set_date(conn, chosen, number, None if date == "none" else date)
            commands.describe(
                conn, "dates: " + ", ".join(f"round {typed} {date}" for typed, date in dates)
            )
    with season.reading() as (conn, chosen):
        found = views.scheduled(conn, chosen)
        heading = views.name(conn, chosen)
    headings = "round_number: Round, date, state, boards, open_boards: Open, byes, absences: Absent"
    none = "No round is paired or planned."
    output.listing(found, views.ROUNDS, style, heading, headings, none=none, left=["date"])
