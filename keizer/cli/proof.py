"""The soundness of the file, and putting it right: check, migrate."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from keizer import KeizerError
from keizer.acts import file as acts
from keizer.cli import options, output, session
from keizer.cli.options import Database, flag
from keizer.messages import Fact, plural, say
from keizer.store import database as files
from keizer.store.soundness import proof, rebuild


@partial(session.command, act=acts.check, whole=True)
def check(season: session.CommandSession) -> None:  # noqa: D103  # help: `acts.check`
    file = season.path
    with output.stages() as show_stage:
        done = season.do(acts.check, tell=show_stage)
    output.print_lines(*done.changed, *done.problems)
    _note_added_code(done.added)
    if done.changed:
        raise KeizerError(
            plural(
                "{number} definition of {file} is not as this keizer makes it:"
                " `keizer migrate {file}` repairs it.",
                "{number} definitions of {file} are not as this keizer makes them:"
                " `keizer migrate {file}` repairs them.",
                len(done.changed),
                file=file,
            )
        )
    if done.problems:
        raise KeizerError(
            "{said}: `keizer restore {file}` lists the snapshots there are.",
            said=done.said,
            file=file,
        )
    output.print_lines(say("{file} is sound.", file=file))
    # A sync program that cannot merge two versions of a file leaves one as a copy.
    for copy in proof.conflicting_copies(file):
        remark = say(
            "{file} beside it looks like a copy of a sync program: it may have results"
            " that this file lacks.",
            file=copy.name,
        )
        output.note(remark)


@options.command
def migrate(
    database: Database,
    accept: Annotated[bool, flag("Accept rows that differ from the log, as they are.")],
) -> None:
    """Update a file made by an earlier version of keizer.

    A snapshot is made first. Every fact is entered anew; where a row is refused, it is
    named and nothing is changed. Views and triggers that another program changed are
    put back.

    Example: keizer migrate club.db
    """
    # `files.migrating` makes the snapshot first. `rebuild.migrate` enters the facts
    # again, below keizer's own views and triggers.
    with output.stages() as show_stage, files.migrating(database) as conn:
        show_stage(say("every fact is entered again"))
        try:
            repairs_and_losses = rebuild.migrate(conn, accept=accept)
        except rebuild.RefusedError as refused:
            output.print_lines(*refused.reasons)
            raise
    # The new file is checked like `keizer check` does it. This comes after the
    # transaction, so that what is checked is the file on the disk.
    with output.stages() as show_stage, files.reading(database) as conn:
        verdict = proof.prove(conn, database, show_stage)
    output.note(*repairs_and_losses, *verdict.problems)
    # Tables, views and triggers that are not keizer's stay in the file.
    _note_added_code(verdict.added)
    output.print_lines(say("{file} is up to date.", file=database))


def _note_added_code(names: Sequence[Fact]) -> None:
    """Print a note with what somebody added to the file, if anything was added.

    names: the names of tables, views and triggers that are not keizer's.
    """
    if names:
        output.note(say("not part of keizer, left unchanged: {names}.", names=[*names]))
