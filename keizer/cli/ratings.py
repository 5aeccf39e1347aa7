"""Members' ratings, from a rating list."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from keizer import KeizerError
from keizer.cli import files, options, output, session
from keizer.formats import lists, ratings
from keizer.formats.ratings import Line, Member
from keizer.season import names
from keizer.store import steps


@session.command(
    click.argument("file", metavar="FILE", type=click.Path(path_type=Path)),
    click.option("--dry-run", is_flag=True, help="Show what would change, write nothing."),
    click.option(
        "--type",
        "kind",
        type=click.Choice(lists.KINDS),
        default="standard",
        help="Which ratings, where the list has several; standard by default.",
    ),
    click.option(
        "--match",
        "said",
        metavar="NAME=ID",
        multiple=True,
        help="Who has which id in the list; it is kept.",
    ),
    click.option(
        "--jump",
        type=click.IntRange(min=1),
        default=ratings.JUMP,
        metavar="N",
        help=f"Warn of changes by N points and more; {ratings.JUMP} by default.",
    ),
    click.option("--skip-jumps", is_flag=True, help="Leave those ratings as they are."),
    click.option("--ids", is_flag=True, help="Also ids, titles, federations, years of birth."),
    click.option("--all", "everybody", is_flag=True, help="Everybody in the file, entered or not."),
    options.formats,
    name="ratings",
)
def ratings_(
    season: session.Season,
    file: Path,
    dry_run: bool,
    kind: str,
    said: tuple[str, ...],
    jump: int,
    skip_jumps: bool,
    ids: bool,
    everybody: bool,
    style: str | None,
) -> None:
    """Bring ratings up to a rating list, and show what changes.

    FILE is the list of FIDE (XML or text), KNSB or DSB (spieler.csv), also as the zip
    it comes in, or CSV with the columns name and rating; with - it comes from standard
    input.

    \b
    Example: keizer ratings club.db players_list_xml_foa.zip --dry-run
             keizer ratings club.db KLASSIEK.csv --match "Baker=8123456" --ids
    """
    with season.reading() as (conn, chosen):
        there = ratings.members(conn, None)
        members = there if everybody else ratings.members(conn, chosen)
    matched = _matched(said, members)
    title, entries = ratings.search(file, kind, members, matched)
    known = {member.id for member in members}

    def diff(now: Iterable[Member]) -> list[Line]:
        """The lines, for members as they are by now."""
        same = [member for member in now if member.id in known]
        return ratings.compare(same, entries, matched, jump=jump, skip_jumps=skip_jumps)

    lines = diff(members)
    changes = ratings.changes(lines, matched, ids=ids)
    ratings.check_numbers(changes, there)
    # A large list takes a while, in which the file was not locked.
    if not dry_run:
        with season.writing() as (conn, chosen):
            lines = diff(ratings.members(conn, None if everybody else chosen))
            changes = ratings.changes(lines, matched, ids=ids)
            ratings.check_numbers(changes, ratings.members(conn, None))
            ratings.write(conn, changes)
            steps.describe(conn, f"ratings of {_players(len(changes))} from {files.named(file)}")
    if output.emit([line.row() for line in lines], ratings.COLUMNS, style):
        return
    output.heading(f"{title}, {kind} ratings: {_players(len(lines))}")
    _show(lines)
    _conclude(len(changes), dry_run=dry_run)


def _matched(said: Iterable[str], members: Sequence[Member]) -> dict[int, str]:
    """The ids that were typed, by member."""
    known = {member.id: member.name for member in members}
    found = {}
    for typed in said:
        name, equals, number = typed.rpartition("=")
        if not (equals and number.strip()):
            raise KeizerError(f"“{typed}” is no match: type --match NAME=ID.")
        found[names.match(name, known)] = number.strip()
    return found


def _show(lines: Sequence[Line]) -> None:
    """What changes, what is worth a look, and who is not in the list."""
    rows = [line.row() for line in lines if line.entry]
    shown = [row for row in rows if row["change"] or row["warning"]]
    for row in shown:
        row["change"] = f"{row['change']:+}" if row["change"] else None
    if shown:
        headings = output.titles(", ".join(ratings.COLUMNS))
        output.table(shown, headings, shorten=["name"], left=["id"])
    if len(rows) > len(shown):
        output.say(f"{len(rows) - len(shown)} have the rating they had.")
    missing = [line for line in lines if line.entry is None]
    lost = [line.member.name for line in missing if line.warning == ratings.NOT_FOUND]
    if lost:
        output.say(f"Not found: {', '.join(lost)}.")
    for line in missing:
        if line.warning != ratings.NOT_FOUND:
            output.say(f"{line.member.name} is {line.warning}: say --match NAME=ID.")


def _conclude(changed: int, *, dry_run: bool) -> None:
    """How much is written, and what that does not touch."""
    done = "would change" if dry_run else "changed"
    output.say(f"{_players(changed)} {done}." if changed else "Nothing to change.")
    if changed:
        output.say("A season that has begun keeps the ratings of its start order.")


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"


COMMANDS = (ratings_,)
