"""Files of other programs and of spreadsheets, in and out: import, export."""

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import click

from keizer import KeizerError, texts
from keizer.cli import files, options, output, session
from keizer.cli.files import PATH
from keizer.cli.options import argument, choice, flag, option, round_number
from keizer.formats import facts, members, seasons, spreadsheets, views
from keizer.season import merging, tournaments
from keizer.season.queries import Conn
from keizer.store import commands
from keizer.texts import counted, or_none

_SUFFIXES = {
    ".csv": "csv", ".json": "json", ".trf": "trf", ".trfx": "trf", ".pgn": "pgn",
    ".sqbpro": "sqbpro",
}  # fmt: skip
_VIEWS = ("csv", "json")
_TABLES = {
    "games": (spreadsheets.games, "game"),
    "unplayed": (spreadsheets.unplayed, "unplayed round"),
}


def _format(name: str) -> Any:
    """The module of a file format, read when it is needed."""
    return import_module(f"keizer.formats.{name}")


# --------------------------------------------------------------------- import


@session.command
def import_(
    season: session.Season,
    file: Annotated[Path, argument(type=PATH)],
    what: Annotated[
        str | None,
        choice("games", "Games: columns round, white, black, result."),
        choice("unplayed", "Unplayed rounds: columns round, player, kind."),
    ],
    dry_run: Annotated[bool, flag("Show what would happen, and write nothing.")],
    yes: Annotated[bool, flag("Do not ask, at a terminal, before a members' list is merged.")],
) -> None:
    """Read a members' list, games, unplayed rounds or a whole season.

    A members' list is CSV, .xlsx, .ods or JSON, its first line the names of the columns
    (docs/formats.md). It may come again at any time: what it says of a member replaces
    what was there, an empty cell changes nothing, and nobody is removed.

    A whole season comes from a tournament report (TRF), from KeizerForClubs (.s3db), from
    Sharly Chess (.sce) or from the original SQLite Keizer project (keizer.db), and goes
    into a tournament without players. FILE is recognised by its content, and read whole
    or not at all; - is standard input.

    \b
    Example: keizer import club.db members.csv
             keizer import club.db season.csv --games
             keizer import club.db Winter.s3db --tournament "Winter 2026"
    """
    with files.at_hand(file) as there:
        kind = None if what else seasons.kind(there)
        if kind == "csv":
            asks = not yes and str(file) != "-" and sys.stdin.isatty()
            _members(season, there, dry_run=dry_run, asks=asks)
            return
        with season.trying() if dry_run else season.writing(before="import") as (conn, chosen):
            read = _table if what else seasons.read
            with output.stages() as tell:
                said, remarks = read(conn, chosen, there, str(what or kind), tell)
            commands.describe(conn, f"import of {said}")
    _note(remarks)
    output.say(f"{said} would be imported." if dry_run else f"{said} imported.")


def _note(remarks: Iterable[str]) -> None:
    for remark in remarks:
        output.say(f"Note: {remark}", err=True)


def _table(
    conn: Conn, tournament: int, file: Path, what: str, tell: facts.Tell
) -> tuple[str, list[str]]:
    """One table from CSV; what came in. tell: takes a sentence at each of the two stages."""
    read, noun = _TABLES[what]
    with facts.in_stages(conn, tournament, tell):
        return counted(read(conn, tournament, file), noun), []


def _members(season: session.Season, file: Path, *, dry_run: bool, asks: bool) -> None:
    """Merge a members' list, as a copy of the file says that it comes out."""
    listed, notes, left_out = members.read(file)
    with season.trying() as (copy, chosen):
        tournaments.settle(copy)
        tried = merging.merge(copy, chosen, listed)
    _note([f"left out: {', '.join(left_out)}."] if left_out else [])
    _note(f"{note}." for note in notes)
    asks = asks and not dry_run and tried.changes and bool(notes or not tried.only_new)
    if asks:
        _show(tried)
        output.confirm("Import this?", abort=True)
    if tried.changes and not dry_run:
        with season.writing(before="import") as (conn, chosen):
            if merging.merge(conn, chosen, listed) != tried:
                raise KeizerError("somebody changed the file meanwhile: import the list again.")
            commands.describe(conn, f"import of {_said(tried)}")
            season.tell_unseated(conn, chosen)
    if not asks and (dry_run or not tried.only_new):
        _show(tried)
    if not tried.changes:
        output.say("Nothing changes.")
    elif not dry_run:
        output.say("Imported." if tried.changed else f"{_said(tried)} imported.")


def _said(merge: merging.Merge) -> str:
    return f"a list: {_counts(merge)}" if merge.changed else counted(len(merge.new), "player")


def _counts(merge: merging.Merge) -> str:
    counts = {"new": len(merge.new), "changed": len(merge.changed)}
    return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)


def _show(merge: merging.Merge) -> None:
    """Print what a list brings: how many, who is new, each change, who is left alone."""
    parts = [_counts(merge), f"{merge.unchanged:,} unchanged" if merge.unchanged else ""]
    if merge.gone:
        gone = facts.listed([*merge.gone.values()])
        parts.append(f"{len(merge.gone):,} not in the list ({gone})")
    if any(parts):
        output.say(f"{', '.join(filter(None, parts))}.")
    if merge.new:
        output.say(f"New: {facts.listed(merge.new)}.")
    for player, name, cells in merge.changed:
        changes = (f"{column} {or_none(before)} → {or_none(now)}" for column, before, now in cells)
        output.say(f"{name} (#{player}): {', '.join(changes)}")
    if merge.withdrawn:
        output.say(
            f"Still withdrawn: {facts.listed(merge.withdrawn)}. `keizer add` takes a player back."
        )


# --------------------------------------------------------------------- export


@session.command
def export(
    season: session.Season,
    file: Annotated[str, argument(type=click.Path())],
    view: Annotated[str | None, option("The view to write; standings by default.", metavar="NAME")],
    number: Annotated[
        int | None, round_number("Only this round; for PGN the latest one by default.")
    ],
    excel: Annotated[bool, flag("CSV for Excel in a country with a decimal comma.")],
    edition: Annotated[
        str | None,
        option("The edition of the tournament report; 2026 by default.", choices=("2016", "2026")),
    ],
    style: Annotated[
        str | None,
        options.csv,
        options.json,
        choice("trf", "FIDE's tournament report."),
        choice("pgn", "The games, without moves."),
        choice("sqbpro", "A project that opens the season in DB Browser for SQLite."),
    ],
    force: Annotated[bool, flag("Replace a file that is there.")],
) -> None:
    """Write a file for programs: CSV, JSON, TRF, PGN or .sqbpro.

    The end of the file's name decides: .csv and .json have one view, of all rounds unless
    --round names one; .trf is FIDE's tournament report, .pgn the games of a round. A .sqbpro
    opens the season in DB Browser for SQLite, with the standings in front. Of -, standard
    output, an option does.

    \b
    Example: keizer export club.db standings.csv --round 12
             keizer export club.db standings.csv --excel
             keizer export club.db report.trf
             keizer export club.db club.sqbpro
    """
    style = style or _SUFFIXES.get(Path(file).suffix.lower())
    if style is None:
        raise KeizerError(
            f"the format of {file} is not clear: end its name in .csv, .json, .trf, .pgn or"
            f" .sqbpro, or add --csv, --json, --trf, --pgn or --sqbpro."
        )
    out_of_place = {
        "--view": bool(view) and style not in _VIEWS,
        "--excel": excel and style != "csv",
        "--edition": bool(edition) and style != "trf",
        "--round": number is not None and style in ("trf", "sqbpro"),
    }
    for name in filter(out_of_place.get, out_of_place):
        raise KeizerError(f"{name} cannot be used with a {style} file: leave it out.")
    with season.reading() as (conn, chosen):
        if style in _VIEWS:
            text = _view(conn, chosen, view or "standings", number, style, excel=excel)
        elif style == "trf":
            text = _format("trf").export(conn, chosen, edition=int(edition or 2026))
        elif style == "sqbpro":
            beside = Path("." if file == "-" else file).parent
            text = _format("sqbpro").export(conn, chosen, season=season.path, folder=beside)
        else:
            shown = tournaments.last_round(conn, chosen) if number is None else number
            text = _format("pgn").export(conn, chosen, shown)
    if file == "-":
        output.document(text)  # the same bytes as in a file
        return
    ours = {Path(f"{Path(season.path).resolve()}{end}") for end in ("", "-wal", "-shm", "-journal")}
    if Path(file).resolve() in ours:
        raise KeizerError(f"{file} is the season itself: give the file another name.")
    views.write(Path(file), text, like=season.path, force=force)
    output.done(f"{file} is written.")


def _view(
    conn: Conn,
    tournament: int,
    name: str,
    number: int | None,
    style: str,
    *,
    excel: bool,
) -> str:
    columns = views.columns(conn, name)
    if number is not None and "round_number" not in columns:
        raise KeizerError(f"view {name} has no rounds: leave --round out.")
    found = views.read(conn, name, columns, tournament, number)
    return texts.rows(columns, found, style, excel=excel)
