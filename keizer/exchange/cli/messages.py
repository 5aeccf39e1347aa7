"""What members wrote of coming and being away: messages."""

import sys
from functools import partial
from typing import Annotated

from keizer import KeizerError
from keizer.acts import declare
from keizer.acts.session import Outcome, Session
from keizer.cli import output, session
from keizer.cli.options import DryRun, Lines, Yes, argument
from keizer.exchange import acts
from keizer.messages import plural, say


@partial(session.command, act=acts.messages)
def messages(
    season: session.CommandSession,
    text: Annotated[list[str], argument(metavar="FILE", type=Lines())],
    answers: list[tuple[int, str]] | None,
    dry_run: DryRun,
    yes: Yes,
) -> None:
    """Sign players off and on as they wrote, in mails and chats.

    FILE is what was pasted, - is standard input. A message is understood, or it is left open and
    named with the reason; none is guessed. What they say is shown first, and on a terminal keizer
    asks whether that is right.

    Examples:
        keizer messages club.db chat.txt --dry-run
        keizer messages club.db chat.txt --answers "3=Baker: away, round 9"
    """
    run, values = (
        declare.act_of(acts.messages),
        {"text": "\n".join(text), "answers": answers or ()},
    )
    silent = Session(season.path, season.tournament)
    found = silent.do_and_compare(run, values, dry_run=True).returned
    left_out = [one for one in found.written if not (one.signs or one.why)]
    output.print_lines(
        *(
            say("Line {line} is left out: “{text}”", line=one.line, text=one.text)
            for one in left_out
        ),
        *found.said,
    )
    output.print_lines(*silent.messages, err=True)
    asks = sys.stdin.isatty() and not yes
    if (
        found.said
        and not dry_run
        and (not asks or output.confirm(say("Is that right?")))
    ):

        def same(now: Outcome) -> None:
            if now.returned != found:
                raise KeizerError(
                    "somebody changed the file meanwhile: nothing was changed."
                )

        silent.do_and_compare(run, values, agree=same)
    if found.unclear:
        raise KeizerError(
            plural(
                "{number} message is left open: `--answers LINE=TEXT` says what it means,"
                " `--answers LINE=` leaves it out.",
                "{number} messages are left open: `--answers LINE=TEXT` says what one means,"
                " `--answers LINE=` leaves it out.",
                len(found.unclear),
            )
        )
