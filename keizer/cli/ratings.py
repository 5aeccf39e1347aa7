"""Members' ratings, from a rating list."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

from keizer import KeizerError
from keizer.cli import files, output, session
from keizer.cli.files import PATH
from keizer.cli.options import Style, argument, count, flag, option
from keizer.formats import lists, ratings
from keizer.formats.ratings import Line, Member
from keizer.season import meant
from keizer.store import commands
from keizer.texts import counted


@session.command
def ratings_(
    season: session.Season,
    file: Annotated[Path, argument(type=PATH)],
    dry_run: Annotated[bool, flag("Show what would change, and write nothing.")],
    kind: Annotated[
        str,
        option("Which of the list's ratings.", "--type", choices=lists.KINDS, default="standard"),
    ],
    said: Annotated[
        tuple[str, ...],
        option("A player's id, to be kept.", "--match", metavar="NAME=ID", multiple=True),
    ],
    jump: Annotated[
        int,
        count(
            f"Warn of changes of N points or more; {ratings.JUMP} by default.",
            default=ratings.JUMP,
        ),
    ],
    skip_jumps: Annotated[bool, flag("Keep the old rating where there is such a warning.")],
    ids: Annotated[bool, flag("Take over ids, titles, federations and years of birth too.")],
    everybody: Annotated[
        bool, flag("Everybody in the file, also those who did not enter this tournament.", "--all")
    ],
    style: Style,
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
        members = ratings.members(conn, None if everybody else chosen)
    matched = _matched(said, members)
    title, entries = ratings.search(file, kind, members, matched)
    known = {member.id for member in members}
    # A large list takes a while, in which the file was not locked.
    with season.trying() if dry_run else season.writing() as (conn, chosen):
        now = ratings.members(conn, None if everybody else chosen)
        same = [member for member in now if member.id in known]
        lines = ratings.compare(same, entries, matched, jump=jump, skip_jumps=skip_jumps)
        changes = ratings.changes(lines, matched, ids=ids)
        ratings.write(conn, changes)
        commands.describe(
            conn, f"ratings of {counted(len(changes), 'player')} from {files.named(file)}"
        )
    if output.emit([line.row() for line in lines], ratings.COLUMNS, style):
        return
    output.heading(f"{title}, {kind} ratings: {counted(len(lines), 'player')}")
    _show(lines)
    if not changes:
        output.say("Nothing to change.")
        return
    output.say(f"{counted(len(changes), 'player')} {'would change' if dry_run else 'changed'}.")
    output.say("A season that has begun keeps the ratings of its start order.")


def _matched(said: Iterable[str], members: Sequence[Member]) -> dict[int, str]:
    """The ids that were typed, by member."""
    known = {member.id: member.name for member in members}
    found = {}
    for typed in said:
        name, equals, number = typed.rpartition("=")
        if not (equals and number.strip()):
            raise KeizerError(f"“{typed}” is no match: type --match NAME=ID.")
        found[meant.player(name, known)] = number.strip()
    return found


def _show(lines: Sequence[Line]) -> None:
    """What changes, what is worth a look, and who is not in the list."""
    rows = [line.row() for line in lines if line.entry]
    shown = [row for row in rows if row["change"] or row["warning"]]
    cells = {"change": lambda row: f"{row['change']:+}" if row["change"] else None}
    if shown:
        output.table(shown, ", ".join(ratings.COLUMNS), cells=cells, left=["id"])
    if len(rows) > len(shown):
        stay = len(rows) - len(shown)
        keep = "keeps" if stay == 1 else "keep"
        output.say(f"{counted(stay, 'player')} {keep} their rating.")
    missing = [line for line in lines if line.entry is None]
    lost = [line.member.name for line in missing if line.warning == ratings.NOT_FOUND]
    if lost:
        output.say(f"Not found: {', '.join(lost)}.")
    for line in missing:
        if line.warning != ratings.NOT_FOUND:
            output.say(f"{line.member.name} is {line.warning}: say --match NAME=ID.")
