"""What was done, and taking it back: undo, log."""

from collections.abc import Iterable
from typing import Annotated

from keizer.acts import file as acts
from keizer.acts.declare import number
from keizer.cli import options, output, session
from keizer.cli.options import Database, Typed, flag, option
from keizer.messages import say
from keizer.season.club_night import confirmation
from keizer.store import database as files
from keizer.store.log import history

_SHOWN = 12

undo = session.act(acts.undo, also={"command": None})


@options.command
def log(
    database: Database,
    most: Annotated[
        int,
        option(
            "The number of entries; 20 by default.",
            "--last",
            default=20,
            metavar="N",
            type=Typed(number(1)),
        ),
    ],
    every: Annotated[bool, flag("All entries, from the beginning.", "--all")],
    changes: Annotated[bool, flag("Show every row that was changed, by commands too.")],
) -> None:
    """Show who changed what and when, also by other programs.

    Examples:
        keizer log club.db
        keizer log club.db --last 3 --changes
    """
    with files.reading(database) as conn:
        found = history.entries(conn, after=0 if every else history.last(conn, most))
    tell(found, changes=changes)


def tell(found: Iterable[history.Entry], *, changes: bool) -> None:
    """Print entries of the log, in local time."""
    for entry in found:
        who = confirmation.who(entry)
        when = say("{moment:time}", moment=entry.when)
        output.say(
            "  ".join(output.text(part) for part in (when, who, entry.what) if part)
        )
        if changes or not entry.what:
            listed = entry.changes if changes else entry.changes[:_SHOWN]
            output.say(*(say("    {change}", change=change) for change in listed))
            if len(listed) < len(entry.changes):
                more = say("and {number} more", number=len(entry.changes) - len(listed))
                output.say(say("    {more}", more=more))
