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


def _show(found: Considered, style: str | None, *, dry_run: bool) -> None:
    done: Paired = found.done
    columns = views.REASONS if done.reasons else views.PAIRINGS
    if not done.played:
        said = say(
            "Round {round}: nobody plays; the absences count.", round=done.number
        )
        then = say("`keizer next-round` pairs round {round}.", round=done.number + 1)
        then = say("Dry run, nothing written.") if dry_run else then
        output.say(say("{said} {then}", said=said, then=then), err=bool(style))
        output.emit([], columns, style)
    elif not output.emit(done.reasons or done.boards, columns, style):
        dry = say("Round {round} (dry run, nothing written)", round=done.number)
        output.say(dry if dry_run else say("Round {round}", round=done.number))
        output.table(done.boards, "board, white, black, result:", shorten=())
        output.reasons(done.reasons, proved=done.proved)
    for rule in done.relaxations:
        output.say(views.given_up(rule), err=True)
    if done.held_apart:
        said = plural(
            "Nearer opponents had met too recently on {number} board: a smaller rule"
            " `rematch_gap` lets more neighbours meet.",
            "Nearer opponents had met too recently on {number} boards: a smaller rule"
            " `rematch_gap` lets more neighbours meet.",
            done.held_apart,
        )
        output.say(said, err=True)


next_round = session.act(
    acts.pair, _show, also={"dry_run": DryRun, "style": Style}, name="next-round"
)
unpair = session.act(acts.unpair)
swap = session.act(acts.swap)
seat = session.act(acts.seat)
