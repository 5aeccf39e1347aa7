"""The pairing of a round: next-round, unpair, swap, seat."""

from typing import TYPE_CHECKING

from keizer.acts import pairing as acts
from keizer.acts.session import Considered
from keizer.cli import output, session
from keizer.cli.options import DryRun, Style
from keizer.messages import plural, say
from keizer.season import views

if TYPE_CHECKING:
    from keizer.season.club_night.rounds import Paired


def _show(change: Considered, style: str | None, *, dry_run: bool) -> None:
    done: Paired = change.returned
    columns = views.REASONS if done.reasons else views.PAIRINGS
    if not done.played:
        _announce_nobody(done.number, dry_run=dry_run, err=bool(style))
        output.emit([], columns, style)
    elif not output.emit(done.reasons or done.boards, columns, style):
        _show_boards(done, dry_run=dry_run)
    for rule in done.relaxations:
        output.say(views.new_relaxation_message(rule), err=True)
    if done.held_apart:
        hint = plural(
            "Nearer opponents had met too recently on {number} board: a smaller rule"
            " `rematch_gap` lets more neighbours meet.",
            "Nearer opponents had met too recently on {number} boards: a smaller rule"
            " `rematch_gap` lets more neighbours meet.",
            done.held_apart,
        )
        output.say(hint, err=True)


def _announce_nobody(number: int, *, dry_run: bool, err: bool) -> None:
    """Say that a round has no boards; err: on standard error, as a program reads."""
    message = say("Round {round}: nobody plays; the absences count.", round=number)
    if dry_run:
        then = say("Dry run, nothing written.")
    else:
        then = say("`keizer next-round` pairs round {round}.", round=number + 1)
    output.say(say("{said} {then}", said=message, then=then), err=err)


def _show_boards(done: "Paired", *, dry_run: bool) -> None:
    title = say("Round {round}", round=done.number)
    if dry_run:
        title = say("Round {round} (dry run, nothing written)", round=done.number)
    output.say(title)
    output.table(done.boards, "board, white, black, result:", shorten=())
    output.reasons(done.reasons, proved=done.proved)


next_round = session.act(
    acts.pair, _show, also={"dry_run": DryRun, "style": Style}, name="next-round"
)
unpair = session.act(acts.unpair)
swap = session.act(acts.swap)
seat = session.act(acts.seat)
