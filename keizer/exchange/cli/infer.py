"""The rules that printed standings were made with: infer."""

from functools import partial
from pathlib import Path
from typing import Annotated

import click

from keizer import KeizerError
from keizer.acts import declare
from keizer.acts.session import Outcome
from keizer.cli import output, session
from keizer.cli.options import argument, flag
from keizer.exchange import acts
from keizer.messages import plural, say


@partial(session.command, act=acts.infer)
def infer(
    season: session.CommandSession,
    list: Annotated[Path, argument(type=click.Path(path_type=Path), metavar="FILE")],  # noqa: A002
    apply: Annotated[bool, flag("Write what was found into the file.")],
) -> None:
    """Find your club's rules from old standings.

    FILE has the scores: CSV with the columns round, player and score, or with a row for
    each player and a column for each round; or an export of Sevilla. The rules are
    tried on a copy of the season until its own standings are the printed ones.

    Examples:
        keizer infer club.db scores.csv
        keizer infer club.db scores.csv --apply
    """

    def agree(now: Outcome) -> None:
        if now.returned.is_poor:
            raise KeizerError("the rules were not found: nothing was written.")

    act, values = declare.act_of(acts.infer), {"list": list}
    with output.stages() as tell:
        tell(say("rules are tried"))
        found = season.do_and_compare(
            act, values, dry_run=not apply, agree=agree if apply else None
        ).returned
    with season.reading() as tournament:
        agreement = found.agreement(tournament)
    base = (
        say("preset {name}", name=found.preset)
        if found.preset
        else say("those of the file")
    )
    near = (
        [say("The rules were not found. These come nearest.")] if found.is_poor else []
    )
    output.print_lines(
        agreement, *near, say("Rules: {rules}.", rules=[base, *found.settings])
    )
    if found.start:
        output.print_lines(say("The start order is another than that of the file."))
    if found.kinds:
        other = plural(
            "{number:,} absence is of another kind than in the file.",
            "{number:,} absences are of another kind than in the file.", len(found.kinds),
        )  # fmt: skip
        output.print_lines(other)
    if found.open:
        output.print_lines(
            say("The scores would be the same with {rules}.", rules=found.open)
        )
    if not found.is_poor:
        output.print_lines(say("Written.") if apply else say("`--apply` writes this."))
