"""The two lists of a club night: pairings, standings."""

from functools import partial
from typing import Annotated

from keizer.cli import output
from keizer.cli.options import flag
from keizer.cli.session import LATEST, AfterRound, Report, report
from keizer.messages import Fact, Message, say
from keizer.season import views
from keizer.season.club_night import drafts


@partial(report, rounds="The round; the latest one by default.", first=1)
def pairings(
    after: AfterRound, why: Annotated[bool, flag("Give the reasons for every board.")]
) -> Report:
    """Show the boards of a round, with results, and the bye.

    Example: keizer pairings club.db --round 3
    """
    boards = views.pairings(*after)
    reasons = views.pairing_reasons(*after) if why else []
    proved = why and views.is_proved_best(*after)
    relaxations = views.relaxations(*after)
    is_draft = after.tournament.now.draft == after.number
    stale = drafts.changes_since_pairing(after.tournament) if is_draft else []

    def show() -> None:
        _show_boards(boards)
        output.reasons(reasons, proved=proved)
        for rule in relaxations:
            output.say(views.relaxation_message(rule, why=why))
        output.say(*stale, err=True)

    title = say("round {round}", round=after.number)
    if why:
        return Report(title, reasons, views.REASONS, show, boards)
    return Report(title, boards, views.PAIRINGS, show)


def _show_boards(boards: list[views.Row]) -> None:
    headings = "board, white, black, result"
    if any(row["date"] for row in boards):
        headings += ", date"
    output.table(
        boards,
        headings,
        if_empty=say("Nobody played; the absences count."),
        as_text=["date"],
        cells={"date": output.date},
    )


_LEAST = ("colours", "duty", "absences", "byes")
"""Columns of the standings that are left out first on a narrow terminal."""
_NEXT = ("lost", "drawn", "won", "played", "value")
"""Columns that then make room for tie-breaks."""


@partial(report, rounds=LATEST)
def standings(after: AfterRound) -> Report:
    """Show the standings after a round, with the tie-breaks.

    Value is what a win over the player is worth in the next round. Points are classical
    points (1, ½, 0). Behind the tie-breaks in use: games won, drawn and lost, byes,
    absences, club duty, and colours: W1 is one game more with White than with Black.
    Columns for which there is no room are left out; --csv has them all.

    Example: keizer standings club.db
    """
    rows = views.standings(*after)
    tiebreaks = views.extra_tiebreaks(after.tournament)
    settled = views.settling_message(*after)
    reasons = _reasons_of_level(after, rows)
    next_date = views.next_date(after.tournament)
    headings = _headings(tiebreaks)
    if not views.values_count(after.tournament):
        headings.pop("value")
    drop = [*_LEAST]
    if tiebreaks:
        drop += [*_NEXT, *reversed(tiebreaks)]

    def show() -> None:
        cells = {"colours": _colours, "change": _change}
        output.table(rows, headings, cells=cells, drop=drop, as_text=["colours"])
        output.say(*reasons, *next_date)
        if settled:
            output.say(say("({said})", said=settled))

    return Report(_title(after), rows, (*views.STANDINGS, *tiebreaks), show)


def _title(after: AfterRound) -> Message:
    boards = views.open_boards_message(*after)
    if boards is None:
        return after.said
    return say("{title} (provisional: {boards})", title=after.said, boards=boards)


def _headings(tiebreaks: list[str]) -> dict[str, str]:
    """Return the titles of the columns, in the order in which they stand."""
    headings = output.titles("rank, change:, name, value, score, points")
    for tiebreak in tiebreaks:
        headings[tiebreak] = tiebreak.upper()
    counts = output.titles(
        "played: Games, won: +, drawn: =, lost: -, byes, absences: Abs, duty,"
        " colours: Col"
    )
    return headings | counts


_SHOWN = 6
"""Players whose order is told in words; `keizer explain` does so for each."""
_UNSEEN = ("previous", "start_rank", "newcomer", "start_order", "player_id")
"""Tie-breaks that no column of the standings shows."""


def _reasons_of_level(after: AfterRound, rows: list[views.Row]) -> list[Fact]:
    """Return what orders players of the same score, where no column shows it."""
    scores = {row["score"] for row in rows}
    are_level = len(scores) < len(rows)
    if not after.number or not are_level:
        return []
    unseen = [row for row in views.order(*after) if row["tiebreak"] in _UNSEEN]
    reasons = [views.row_message(row) for row in unseen[:_SHOWN]]
    more = len(unseen) - len(reasons)
    if more:
        reasons.append(say("and {number} more: `keizer explain`", number=more))
    return reasons


def _change(row: views.Row) -> str:
    change = row["change"]
    return f"{change:+d}" if change else ""


def _colours(row: views.Row) -> str:
    """Return the games more with a colour than with the other: W1, B2 or 0."""
    balance = row["balance"]
    if not balance:
        return "0"
    colour = "W" if balance > 0 else "B"
    return f"{colour}{abs(balance)}"
