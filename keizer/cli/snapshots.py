"""The file as it was, and the way back: backup, restore."""

from functools import partial
from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError
from keizer.acts import file as acts
from keizer.cli import output, session
from keizer.cli.log import tell
from keizer.cli.options import argument
from keizer.messages import plural, say
from keizer.store import database as files
from keizer.store.backup import restoring

backup = session.act(acts.backup, lambda done: output.done(output.sentence(done.said)))


@partial(session.command, of=acts.restore, whole=True)
def restore(
    season: session.CommandSession,
    number: Annotated[int | None, argument(required=False, type=click.IntRange(1))],
    *,
    folder: str | None,
    other: bool,
    dry_run: bool,
) -> None:
    """List the snapshots of the file, or put one in its place.

    What was done after the snapshot is listed. The file as it was is kept as a snapshot too.
    This works for a damaged file as well, and for one that is gone.

    Examples:
        keizer restore club.db
        keizer restore club.db 1 --dry-run
        keizer restore club.db 1
    """
    database = season.path
    path = Path(database)
    found, others = restoring.listed(path, folder)
    if other:
        found, others = found + others, []
    if not found:
        _refuse_foreign(database)
        more = _of_others(len(others)) or say(
            "`keizer restore {file} --folder FOLDER` looks in another folder.",
            file=database,
        )
        raise KeizerError(
            "{file} has no snapshots in {folder}: {more}",
            file=database,
            folder=restoring.position(path, folder)[0],
            more=more,
        )
    if number is None:
        for snapshot in found:
            about = output.text(restoring.about(snapshot))
            output.say(f"{snapshot.number:4}  {snapshot.made}  {about}")
        output.say(
            say(
                "`keizer restore {file} NUMBER --dry-run` says what would be lost.",
                file=database,
            ),
            *filter(None, [_of_others(len(others))]),
        )
        return
    done = season.do(acts.restore, number, folder=folder, other=other, dry_run=dry_run)
    if not dry_run:
        output.done(output.sentence(done.said))
        if done.saved:
            output.say(
                say("The file as it was before this command: {file}.", file=done.saved)
            )
    if done.lost is None:
        output.say(
            say(
                "What was done since then is not known: the file and the snapshot share no log."
            )
        )
        return
    listed = say("No longer in the file:")
    listed = say("This would be taken out of the file:") if dry_run else listed
    output.say(listed if done.lost else say("Nothing is lost."))
    tell(done.lost, changes=False)


def _of_others(number: int) -> object:
    return number and plural(
        "{number} of other files is there too: --other lists what there is.",
        "{number} of other files are there too: --other lists what there is.",
        number,
    )


def _refuse_foreign(database: str) -> None:
    """Say whose file it is, where it is another program's."""
    try:
        with files.reading(database):
            pass
    except files.ForeignError:
        raise
    except KeizerError:  # gone or damaged
        pass
