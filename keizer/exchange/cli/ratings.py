"""Members' ratings, from a rating list."""

from collections.abc import Sequence

from keizer.acts.session import Outcome
from keizer.cli import output, session
from keizer.cli.options import DryRun, Style
from keizer.exchange import acts, ratings
from keizer.messages import plural, say, term


def _show(found: Outcome, style: str | None, *, dry_run: bool) -> None:
    done: acts.Rated = found.returned
    if style is not None:
        output.print_for_program(
            [line.row() for line in done.lines], ratings.COLUMNS, style
        )
        return
    players = plural("{number:,} player", "{number:,} players", len(done.lines))
    output.heading(
        say("{title}, {kind} ratings: {players}", title=done.title, kind=term(done.kind),
            players=players)
    )  # fmt: skip
    _lines(done.lines)
    if not done.changes:
        output.print_lines(say("Nothing to change."))
        return
    changes = plural("{number:,} player", "{number:,} players", len(done.changes))
    output.print_lines(
        say("{players} would change.", players=changes)
        if dry_run
        else say("{players} changed.", players=changes)
    )
    output.print_lines(
        say("A season that has begun keeps the ratings of its start order.")
    )


def _lines(lines: Sequence[ratings.Line]) -> None:
    """Print what changes, what is worth a look, and who is not in the list."""
    rows = [line.row() | {"warning": line.warning} for line in lines if line.entry]
    shown = [row for row in rows if row["change"] or row["warning"]]
    cells = {
        "change": lambda row: f"{row['change']:+}" if row["change"] else None,
        "warning": lambda row: output.translated(row["warning"] or ""),
    }
    if shown:
        headings = {
            "name": say("Name"),
            "id": say("Id"),
            "before": say("Before"),
            "after": say("After"),
            "change": say("Change"),
            "warning": say("Warning"),
        }
        output.table(shown, headings, cells=cells, as_text=["id"])
    if len(rows) > len(shown):
        output.print_lines(
            plural(
                "{number:,} player keeps their rating.", "{number:,} players keep their rating.",
                len(rows) - len(shown),
            )
        )  # fmt: skip
    missing = [line for line in lines if line.entry is None]
    lost = [line.member.name for line in missing if line.warning == ratings.NOT_FOUND]
    if lost:
        output.print_lines(say("Not found: {names}.", names=lost))
    for line in missing:
        if line.warning != ratings.NOT_FOUND:
            said = say(
                "{name} is {what}: say --match NAME=ID.",
                name=line.member.name, what=line.warning,
            )  # fmt: skip
            output.print_lines(said)


ratings_ = session.act(
    acts.rate, _show, also={"dry_run": DryRun, "style": Style}, name="ratings"
)
