"""The commands about the log: undo, log."""

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

_MOST_ROWS = 12
"""The most rows that are shown of a change that another program made."""

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
        # Entries after this row of the log are shown: after 0 are all.
        after = 0 if every else history.start_of_last_entries(conn, most)
        entries = history.entries(conn, after=after)
    show_entries(entries, changes=changes)


def show_entries(entries: Iterable[history.Entry], *, changes: bool) -> None:
    """Print entries of the log: the local time, who did it, and a description.

    Some of the rows that changed are printed below an entry without a description.

    changes: print all rows that each entry changed, below it.
    """
    for entry in entries:
        when = say("{moment:time}", moment=entry.when)
        parts = (when, confirmation.describe_author(entry), entry.what)
        output.print_lines("  ".join(output.translated(part) for part in parts if part))
        if changes:
            _show_rows(entry, len(entry.changes))
        elif not entry.what:
            # A change by another program has no description.
            _show_rows(entry, _MOST_ROWS)


def _show_rows(entry: history.Entry, most: int) -> None:
    """Print the first rows that an entry changed, and how many more there are.

    most: the most rows that are printed.
    """
    for change in entry.changes[:most]:
        output.print_lines(say("    {change}", change=change))
    number_left = len(entry.changes) - most
    if number_left > 0:
        more = say("and {number} more", number=number_left)
        output.print_lines(say("    {more}", more=more))
