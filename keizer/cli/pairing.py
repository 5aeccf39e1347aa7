"""The commands about the pairing of a round: next-round, unpair, swap, seat."""

from typing import TYPE_CHECKING

from keizer.acts import pairing as acts
from keizer.acts.session import Outcome
from keizer.cli import output, session
from keizer.cli.options import DryRun, Style
from keizer.messages import plural, say
from keizer.season import views

if TYPE_CHECKING:
    from keizer.season.club_night.rounds import Paired


def _show(change: Outcome, style: str | None, *, dry_run: bool) -> None:
    """Print a new pairing, and on standard error the rules that were not kept.

    A program gets the boards, or with --why the reasons instead, which name the boards.

    change: the outcome of the act `pair`.
    style: "json" or "csv" for a program; None for people.
    dry_run: True if the pairing was only tried.
    """
    paired: Paired = change.returned
    columns = views.REASONS if paired.reasons else views.PAIRINGS
    nobody_plays = not paired.played
    if nobody_plays:
        _announce_nobody(paired.number, dry_run=dry_run, err=bool(style))
        if style is not None:
            # An empty list as JSON, or the header line of CSV.
            output.print_for_program([], columns, style)
    elif style is not None:
        output.print_for_program(paired.reasons or paired.boards, columns, style)
    else:
        _show_boards(paired, dry_run=dry_run)
    # A relaxation is a pairing rule that could not be kept on a board.
    for rule in paired.relaxations:
        output.print_lines(views.new_relaxation_message(rule), err=True)
    if paired.held_apart:
        hint = plural(
            "On {number} board nearer opponents had met too recently; a smaller"
            " `rematch_gap` would let more neighbours meet.",
            "On {number} boards nearer opponents had met too recently; a smaller"
            " `rematch_gap` would let more neighbours meet.",
            paired.held_apart,
        )
        output.print_lines(hint, err=True)


def _announce_nobody(number: int, *, dry_run: bool, err: bool) -> None:
    """Print that nobody plays in a round, and what may be done next.

    number: the number of the round.
    dry_run: True if the pairing was only tried.
    err: print it on standard error, since a program reads standard output.
    """
    message = say("Round {round}: nobody plays; the absences count.", round=number)
    if dry_run:
        then = say("Dry run, nothing written.")
    else:
        then = say("`keizer next-round` pairs round {round}.", round=number + 1)
    output.print_lines(say("{said} {then}", said=message, then=then), err=err)


def _show_boards(paired: "Paired", *, dry_run: bool) -> None:
    """Print the boards of a pairing for people, and the reasons if it has them.

    dry_run: True if the pairing was only tried, which the title then says.
    """
    title = say("Round {round}", round=paired.number)
    if dry_run:
        title = say("Round {round} (dry run, nothing written)", round=paired.number)
    output.print_lines(title)
    # No column may be cut, so that all names are printed whole.
    headings = {
        "board": say("Board"),
        "white": say("White"),
        "black": say("Black"),
        "result": "",
    }
    output.table(paired.boards, headings, shorten=())
    output.reasons(paired.reasons, proved=paired.proved)


next_round = session.act(
    acts.pair, _show, also={"dry_run": DryRun, "style": Style}, name="next-round"
)
unpair = session.act(acts.unpair)
swap = session.act(acts.swap)
seat = session.act(acts.seat)
