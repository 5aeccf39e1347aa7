"""The log of what was done, and taking it back: undo, log."""

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
"""Rows that are shown of what another program changed."""

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
        after = 0 if every else history.id_before_last(conn, most)
        entries = history.entries(conn, after=after)
    show_entries(entries, changes=changes)


def show_entries(entries: Iterable[history.Entry], *, changes: bool) -> None:
    """Print entries of the log, in local time; changes: with all rows they changed."""
    for entry in entries:
        when = say("{moment:time}", moment=entry.when)
        parts = (when, confirmation.describe_author(entry), entry.what)
        output.say("  ".join(output.translated(part) for part in parts if part))
        if changes:
            _show_rows(entry, len(entry.changes))
        elif not entry.what:
            # Another program's changes have no sentence: some of the rows say it.
            _show_rows(entry, _SHOWN)


def _show_rows(entry: history.Entry, most: int) -> None:
    """Print the first rows that an entry changed, and how many more there are."""
    for change in entry.changes[:most]:
        output.say(say("    {change}", change=change))
    number = len(entry.changes) - most
    if number > 0:
        more = say("and {number} more", number=number)
        output.say(say("    {more}", more=more))
