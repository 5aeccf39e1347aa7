"""What was done, and taking it back: undo, log."""

from collections.abc import Iterable
from typing import Annotated

from keizer.cli import options, output
from keizer.cli.options import Database, count, flag
from keizer.season import tournaments
from keizer.store import commands, history
from keizer.store import database as files
from keizer.store import undo as undoing
from keizer.store.connection import trial

_SHOWN = 12


@options.command
def undo(
    database: Database,
    dry_run: Annotated[bool, flag("Say what would be undone, and change nothing.")],
) -> None:
    """Take back the last command that changed the file.

    Used again, it takes back the command before that one.

    Example: keizer undo club.db
    """
    if dry_run:
        with files.reading(database) as conn, trial(conn) as copy:
            copy.execute("BEGIN")
            commands.begin(copy)
            tournaments.settle(copy)
            undone = undoing.undo(copy)
        output.say(f"Would undo: {undone}")
        return
    with files.writing(database) as conn:
        tournaments.settle(conn)
        undone = undoing.undo(conn)
    output.say(f"Undone: {undone}")


@options.command
def log(
    database: Database,
    most: Annotated[int, count("The number of entries; 20 by default.", "--last", default=20)],
    every: Annotated[bool, flag("All entries, from the beginning.", "--all")],
    changes: Annotated[bool, flag("Show every row that was changed, by commands too.")],
) -> None:
    """Show who changed what and when, also by other programs.

    \b
    Example: keizer log club.db
             keizer log club.db --last 3 --changes
    """
    with files.reading(database) as conn:
        found = history.entries(conn, after=0 if every else history.last(conn, most))
    tell(found, changes=changes)


def tell(found: Iterable[history.Entry], *, changes: bool) -> None:
    """Print entries of the log, in local time."""
    for entry in found:
        who = entry.who or ("" if entry.what else "another program")
        output.say("  ".join(part for part in (history.local(entry.when), who, entry.what) if part))
        if changes or not entry.what:
            listed = entry.changes if changes else entry.changes[:_SHOWN]
            output.say(*(f"    {change}" for change in listed))
            if len(listed) < len(entry.changes):
                output.say(f"    and {len(entry.changes) - len(listed)} more")
