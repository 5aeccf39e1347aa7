"""What a club night is about: pairings, standings."""

from functools import partial
from typing import Annotated

from keizer.cli import output
from keizer.cli.options import flag
from keizer.cli.session import LATEST, AfterRound, Report, report
from keizer.messages import Fact, say
from keizer.season import views
from keizer.season.club_night import drafts


@partial(report, rounds="The round; the latest one by default.", first=1)
def pairings(
    after: AfterRound, why: Annotated[bool, flag("Give the reasons for every board.")]
) -> Report:
    """Show the boards of a round, with results, and the bye.

    Example: keizer pairings club.db --round 3
    """
    sheet = views.pairings(*after)
    reasons = views.pairing_reasons(*after) if why else []
    proved = why and views.proved(*after)
    given_up = views.relaxations(*after)
    drafted = after.tournament.now.draft == after.number
    changes = drafts.outdated(after.tournament) if drafted else []

    def show() -> None:
        none = say("Nobody played; the absences count.")
        days = {"date": lambda row: row["date"] and say("{day:date}", day=row["date"])}
        headings = "board, white, black, result" + ", date" * any(
            row["date"] for row in sheet
        )
        output.table(sheet, headings, none=none, left=["date"], cells=days)
        output.reasons(reasons, proved=proved)
        for rule in given_up:
            output.say(views.relaxed(rule, why=why))
        output.say(*changes, err=True)

    title = say("round {round}", round=after.number)
    if why:
        return Report(title, reasons, views.REASONS, show, sheet)
    return Report(title, sheet, views.PAIRINGS, show)


_LEAST = ("colours", "duty", "absences", "byes")
"""Columns of the standings that are left out first on a narrow terminal."""
_NEXT = ("lost", "drawn", "won", "played", "value")
"""Those that then make room for tie-breaks."""


@partial(report, rounds=LATEST)
def standings(after: AfterRound) -> Report:
    """Show the standings after a round, with the tie-breaks.

    Value is what a win over the player is worth in the next round. Points are classical
    points (1, ½, 0). Behind the tie-breaks in use: games won, drawn and lost, byes,
    absences, club duty, and colours: W1 is one game more with White than with Black.
    Columns for which there is no room are left out; --csv has them all.

    Example: keizer standings club.db
    """
    tournament, _ = after
    title, provisional = after.said, views.provisional(*after)
    if provisional:
        title = say("{title} (provisional: {boards})", title=title, boards=provisional)
    found = views.standings(*after)
    tiebreaks = views.telling(tournament)
    settled = views.settled(*after)
    below = [*_level(after, found), *views.next_date(tournament)]
    headings = output.titles("rank, change:, name, value, score, points")
    headings |= {tiebreak: tiebreak.upper() for tiebreak in tiebreaks}
    headings |= output.titles("played: Games, won: +, drawn: =, lost: -, byes")
    headings |= output.titles("absences: Abs, duty, colours: Col")
    if not views.has_values(tournament):
        headings.pop("value")

    def show() -> None:
        cells = {
            "colours": _colours,
            "change": lambda row: f"{row['change']:+d}" if row["change"] else "",
        }
        drop = (*_LEAST, *_NEXT, *tiebreaks[::-1]) if tiebreaks else _LEAST
        output.table(found, headings, cells=cells, drop=drop, left=["colours"])
        output.say(*below)
        if settled:
            output.say(say("({said})", said=settled))

    return Report(title, found, (*views.STANDINGS, *tiebreaks), show)


_SHOWN = 6
"""Of those who are level so many are told apart in words; `keizer explain` does so of each."""


def _level(after: AfterRound, found: list[views.Row]) -> list[Fact]:
    """By what players of the same score are ordered, where no column shows it."""
    scores = [row["score"] for row in found]
    if not after.number or len({*scores}) == len(scores):
        return []
    told = [row for row in views.order(*after) if row["tiebreak"] in _UNSEEN]
    more = len(told) - _SHOWN
    rest = [say("and {number} more: `keizer explain`", number=more)] if more > 0 else []
    return [*map(views.said, told[:_SHOWN]), *rest]


_UNSEEN = ("previous", "start_rank", "newcomer", "start_order", "player_id")
"""What no column of the standings has."""


def _colours(row: views.Row) -> str:
    """White less Black as on a sheet: W1, B2 or 0."""
    balance = row["balance"]
    return f"{'W' if balance > 0 else 'B'}{abs(balance)}" if balance else "0"
