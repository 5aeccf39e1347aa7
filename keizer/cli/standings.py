"""The two reports of a club night: pairings, standings."""

from functools import partial
from typing import Annotated

from keizer.cli import output
from keizer.cli.options import flag
from keizer.cli.session import LATEST, AfterRound, Report, report
from keizer.messages import Fact, Message, say
from keizer.season import views
from keizer.season.club_night import drafts


@partial(report, round_help="The round; the latest one by default.", first=1)
def pairings(
    after: AfterRound, why: Annotated[bool, flag("Give the reasons for every board.")]
) -> Report:
    """Show the boards of a round, with results, and the bye.

    Example: keizer pairings club.db --round 3
    """
    tournament, number = after
    boards = views.pairings(tournament, number)
    reasons = views.pairing_reasons(tournament, number) if why else []
    is_proved_best = why and views.is_proved_best(tournament, number)
    # A relaxation is a pairing rule that could not be kept on a board.
    relaxations = views.relaxations(tournament, number)
    is_draft = tournament.now.draft == number
    # Such as a player who was signed off after the draft was paired.
    reasons_to_pair_again = drafts.changes_since_pairing(tournament) if is_draft else []

    def show() -> None:
        """Print the boards, the reasons if asked for, and the rules not kept.

        Reasons to pair a draft again are printed as warnings, on standard error.
        """
        _show_boards(boards)
        output.reasons(reasons, proved=is_proved_best)
        for rule in relaxations:
            # With `why`, the message also has the reason why the rule was not kept.
            output.print_lines(views.relaxation_message(rule, why=why))
        output.print_lines(*reasons_to_pair_again, err=True)

    title = say("round {round}", round=number)
    if why:
        # A program gets the rows of the reasons, each of which has the board and its
        # players. People get both.
        return Report(title, reasons, views.REASONS, show, more_rows=boards)
    return Report(title, boards, views.PAIRINGS, show)


def _show_boards(boards: list[views.Row]) -> None:
    """Print the boards of a round, with results and the bye.

    There is a column of dates only if a board is played on another day than the round.
    """
    headings = {
        "board": say("Board"),
        "white": say("White"),
        "black": say("Black"),
        "result": say("Result"),
    }
    if any(row["date"] for row in boards):
        headings["date"] = say("Date")
    output.table(
        boards,
        headings,
        if_empty=say("Nobody played; the absences count."),
        as_text=["date"],
        cells={"date": output.date},
    )


_LEAST_IMPORTANT = ("colours", "duty", "absences", "byes")
"""The columns that matter least, the least important one first.

On a narrow terminal they are left out in this order, after any columns that have
nothing but zeros: see `layout.fit`.
"""
_LESS_THAN_TIEBREAKS = ("lost", "drawn", "won", "played", "value")
"""The columns that matter less than tie-breaks, the least important one first.

If that is not enough, and there are tie-breaks, these make room for them.
"""


@partial(report, round_help=LATEST)
def standings(after: AfterRound) -> Report:
    """Show the standings after a round, with the tie-breaks.

    Value is what a win over the player is worth in the next round. Points are classical
    points (1, ½, 0). After the tie-breaks come games won, drawn and lost, byes,
    absences, club duty and colours (W1: one more game with White than with Black).
    Columns for which there is no room are left out; --csv has them all.

    Example: keizer standings club.db
    """
    tournament, number = after
    rows = views.standings(tournament, number)
    tiebreaks = views.extra_tiebreaks(tournament)
    not_converged_message = views.values_not_converged_message(tournament, number)
    order_messages = _order_messages(after, rows)
    next_date = views.next_date(tournament)
    headings = _headings(tiebreaks)
    if not views.values_bring_points(tournament):
        # Under the rules of this tournament no score depends on a player's value.
        headings.pop("value")
    drop = [*_LEAST_IMPORTANT]
    if tiebreaks:
        # The first tie-break decides most, so it is left out last.
        drop += [*_LESS_THAN_TIEBREAKS, *reversed(tiebreaks)]

    def show() -> None:
        """Print the standings for people, and sentences below them.

        These explain the order, tell the date of the next round, and say in brackets if
        the values of the players did not converge: see `values_not_converged_message`.
        """
        cells = {"colours": _colours_text, "change": _change_text}
        output.table(rows, headings, cells=cells, drop=drop, as_text=["colours"])
        output.print_lines(*order_messages, *next_date)
        if not_converged_message:
            output.print_lines(say("({said})", said=not_converged_message))

    return Report(_title(after), rows, (*views.STANDINGS, *tiebreaks), show)


def _title(after: AfterRound) -> Message:
    """Return the title of the standings, such as “after round 3”.

    If boards have no result yet, the title says that the standings are provisional, and
    names these boards.
    """
    boards = views.open_boards_message(after.tournament, after.number)
    if boards is None:
        return after.said
    return say("{title} (provisional: {boards})", title=after.said, boards=boards)


def _headings(tiebreaks: list[str]) -> dict[str, Fact]:
    """Return the columns of the standings in their order, each with its title.

    tiebreaks: the names of the tie-breaks. The column of aob has the title AOB.
    """
    headings: dict[str, Fact] = {
        "rank": say("Rank"),
        "change": "",
        "name": say("Name"),
        "value": say("Value"),
        "score": say("Score"),
        "points": say("Points"),
    }
    for tiebreak in tiebreaks:
        headings[tiebreak] = tiebreak.upper()
    counts = {
        "played": say("Games"),
        "won": say("+"),
        "drawn": say("="),
        "lost": say("-"),
        "byes": say("Byes"),
        "absences": say("Abs"),
        "duty": say("Duty"),
        "colours": say("Col"),
    }
    return headings | counts


_MOST_REASONS = 6
"""The most players whose order is explained. `keizer explain` explains that of each."""
_WITHOUT_COLUMN = ("previous", "start_rank", "newcomer", "start_order", "player_id")
"""The tie-breaks that no column of the standings shows."""


def _order_messages(after: AfterRound, rows: list[views.Row]) -> list[Fact]:
    """Return messages on players of equal score whose order no column explains.

    A message says by which tie-break a player is below the one above. After the first
    few messages, a last one says how many more such players there are. Nothing is
    explained in the start order (round 0), as it is not made by scores.

    rows: the rows of the standings.
    """
    is_start_order = after.number == 0
    if is_start_order:
        return []
    # Most standings have no equal scores: these need no second query.
    scores = {row["score"] for row in rows}
    has_equal_scores = len(scores) < len(rows)
    if not has_equal_scores:
        return []
    # A tie-break without a column of its own cannot be seen in the standings.
    order = views.order(after.tournament, after.number)
    unexplained = [row for row in order if row["tiebreak"] in _WITHOUT_COLUMN]
    messages = [views.row_message(row) for row in unexplained[:_MOST_REASONS]]
    number_left = len(unexplained) - len(messages)
    if number_left:
        messages.append(say("and {number} more: `keizer explain`", number=number_left))
    return messages


def _change_text(row: views.Row) -> str:
    """Return how many places a player went up or down, such as +2; "" if none.

    row: a row of the standings.
    """
    change = row["change"]
    return f"{change:+d}" if change else ""


def _colours_text(row: views.Row) -> str:
    """Return how many more games a player had with one colour: W1, B2 or 0.

    B2 means two more games with Black than with White.

    row: a row of the standings; its `balance` is above 0 if White is the colour.
    """
    balance = row["balance"]
    if not balance:
        return "0"
    colour = "W" if balance > 0 else "B"
    return f"{colour}{abs(balance)}"
