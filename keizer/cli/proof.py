"""Whether the file is sound, and putting it right: check, migrate."""

from typing import Annotated

from keizer import KeizerError
from keizer.cli import options, output
from keizer.cli.options import Database, flag
from keizer.store import database as files
from keizer.store import folders, migration, proof
from keizer.texts import counted


@options.command
def check(database: Database) -> None:
    """Check the file and prove every ranking in it.

    It lacks no table, view or trigger, and agrees with its log; its facts, entered into
    an empty file, give the same rankings.

    Example: keizer check club.db
    """
    with output.stages() as tell, files.reading(database, as_is=True) as conn:
        found, changed, added = proof.proof(conn, tell)
    output.say(*changed, *found)
    _say_added(added)
    if changed:
        raise KeizerError(
            f"another program changed views or triggers of {database}:"
            f" `keizer migrate {database}` puts it right."
        )
    if found:
        raise KeizerError(
            f"{database} has {counted(len(found), 'problem')}:"
            f" `keizer restore {database}` lists the snapshots there are."
        )
    output.say(f"{database} is sound.")
    kind = folders.network(database)
    if kind:
        output.say(
            f"Note: the file is in a network folder ({kind}): use one program at a time.", err=True
        )
    for copy in folders.copies(database):
        output.say(
            f"Note: {copy.name} beside it looks like a copy of a sync program: it may have"
            " results that this file lacks.",
            err=True,
        )


@options.command
def migrate(
    database: Database,
    accept: Annotated[bool, flag("Accept rows that differ from the log, as they are.")],
) -> None:
    """Bring a file of an earlier keizer up to date.

    A snapshot is made first. Every fact is entered anew; where a row is refused, it is named
    and nothing is changed. Views and triggers that another program changed are put back.

    Example: keizer migrate club.db
    """
    with output.stages() as tell, files.migrating(database) as conn:
        tell("every fact is entered anew")
        try:
            lost = migration.migrate(conn, accept=accept)
        except migration.RefusedError as refused:
            output.say(*refused.rows)
            raise
    with output.stages() as tell, files.reading(database) as conn:
        found, _, added = proof.proof(conn, tell)
    output.say(*(f"Note: {sentence}" for sentence in (*lost, *found)), err=True)
    _say_added(added)
    output.say(f"{database} is up to date.")


def _say_added(added: list[str]) -> None:
    """Name what somebody added to a file."""
    if added:
        output.say(f"Note: not keizer's, and left as it is: {', '.join(added)}.", err=True)
