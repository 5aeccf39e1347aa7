"""Files of other programs and of spreadsheets, in and out: import, export."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import click

from keizer import KeizerError, addons, texts
from keizer.acts import declare
from keizer.acts import lists as acts
from keizer.acts.session import Considered, Session
from keizer.cli import options, output, session
from keizer.cli.options import argument, choice, flag, option, round_number
from keizer.formats import apart, limits, views
from keizer.formats.sent import MEMBERS
from keizer.messages import say
from keizer.season.people.lists import changed_meanwhile
from keizer.season.queries import Tournament

_SUFFIXES = {
    ".csv": "csv", ".json": "json", ".trf": "trf", ".trfx": "trf", ".pgn": "pgn",
    ".sqbpro": "sqbpro",
}  # fmt: skip
_VIEWS = ("csv", "json")
_ACT = declare.of(acts.import_)


# --------------------------------------------------------------------- import


def _import(
    season: session.CommandSession,
    file: Annotated[Path, argument(type=click.Path(path_type=Path))],
    what: Annotated[
        str | None,
        choice("games", "Games: columns round, white, black, result."),
        choice("unplayed", "Unplayed rounds: columns round, player, kind."),
    ],
    dry_run: Annotated[bool, flag("Show what would happen, and write nothing.")],
    yes: Annotated[
        bool, flag("Do not ask, at a terminal, before a members' list is merged.")
    ],
    **more: Any,
) -> None:
    """Read a members' list, games, unplayed rounds or a whole season.

    A members' list is CSV, .xlsx, .ods or JSON, its first line the names of the columns; or
    as it stands in a mail or a chat, a line for each (docs/formats.md). It may come again at
    any time: what it says of a member replaces what was there, an empty cell changes nothing,
    and nobody is removed. Where it is not clear who a line is, that is asked: --who answers.

    A whole season comes from Sevilla (its JSON export), KeizerForClubs (.s3db), Sharly Chess
    (.sce), the original SQLite Keizer project (keizer.db), the page views/core.sql or a
    tournament report (TRF), and goes into a tournament without players. FILE is recognised by
    its content, and read whole or not at all; - is standard input. Where it has standings of
    its own, these come out, or the import is refused, unless --anyway.

    Examples:
        keizer import club.db members.csv
        keizer import club.db season.csv --games
        keizer import club.db Winter.s3db --tournament "Winter 2026"
    """
    with _at_hand(file) as there:
        values = acts.read_apart(season, list=there, what=what, **more)
    values["list"] = values["list"]._replace(path=str(file))
    if values["list"].kind == MEMBERS:
        asks = not yes and str(file) != "-" and sys.stdin.isatty()
        _members(season, values, dry_run=dry_run, asks=asks)
        return
    with output.stages() as tell:
        found = season.consider(_ACT, values | {"tell": tell}, dry_run=dry_run).done
    output.note(*found.notes)
    output.say(
        say("{what} would be imported.", what=found.said)
        if dry_run
        else say("{what} imported.", what=found.said)
    )


_import.__annotations__ |= options.of_act(acts.import_, list=None, what=None)
import_ = session.command(_import)


@contextmanager
def _at_hand(file: Path) -> Iterator[Path]:
    """The file, or a copy that can be read more than once of what can be read only once.

    What is said of the copy is said of FILE.
    """
    if not limits.is_stream(file):
        yield file
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder, "read")
        copy.write_bytes(apart.read_stream(file))
        try:
            yield copy
        except KeizerError as error:
            error.rename(str(copy), limits.called(file))
            raise


def _members(
    season: session.CommandSession, values: dict[str, Any], *, dry_run: bool, asks: bool
) -> None:
    """Merge a members' list, as a copy of the file says that it comes out."""
    silent = Session(season.path, season.tournament)
    found = silent.consider(_ACT, values, dry_run=True).done
    tried, brought = found.merge, acts.brought(found.merge)
    output.note(*found.notes)
    asks = (
        asks
        and not dry_run
        and tried.changes
        and bool(found.remarks or not tried.only_new)
    )
    if asks:
        output.say(*brought)
        if not output.confirm(say("Import this?")):
            raise click.Abort

    def same(now: Considered) -> None:
        if now.done.merge != tried:
            raise changed_meanwhile()

    if tried.changes and not dry_run:
        season.consider(_ACT, values, agree=same)
    if not asks and (dry_run or not tried.only_new):
        output.say(*brought)
    if not tried.changes:
        output.say(say("Nothing changes."))
    elif not dry_run:
        output.say(
            say("Imported.")
            if tried.changed
            else say("{what} imported.", what=found.said)
        )


# --------------------------------------------------------------------- export


@session.command
def export(
    season: session.CommandSession,
    file: Annotated[str, argument(type=click.Path())],
    view: Annotated[
        str | None, option("The view to write; standings by default.", metavar="NAME")
    ],
    number: Annotated[
        int | None, round_number("Only this round; for PGN the latest one by default.")
    ],
    excel: Annotated[bool, flag("CSV for Excel in a country with a decimal comma.")],
    edition: Annotated[
        str | None,
        option(
            "The edition of the tournament report; 2026 by default.",
            choices=("2016", "2026"),
        ),
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

    Examples:
        keizer export club.db standings.csv --round 12
        keizer export club.db standings.csv --excel
        keizer export club.db report.trf
        keizer export club.db club.sqbpro
    """
    style = style or _SUFFIXES.get(Path(file).suffix.lower())
    if style is None:
        raise KeizerError(
            "the format of {file} is not clear: end its name in .csv, .json, .trf, .pgn or"
            " .sqbpro, or add --csv, --json, --trf, --pgn or --sqbpro.",
            file=file,
        )
    out_of_place = {
        "--view": bool(view) and style not in _VIEWS,
        "--excel": excel and style != "csv",
        "--edition": bool(edition) and style != "trf",
        "--round": number is not None and style in ("trf", "sqbpro"),
    }
    for name in filter(out_of_place.get, out_of_place):
        raise KeizerError(
            "{option} cannot be used with a {style} file: leave it out.",
            option=name,
            style=style,
        )
    with season.reading() as tournament:
        if style in _VIEWS:
            text = _view(tournament, view or "standings", number, style, excel=excel)
        else:
            shown = tournament.now.last_round if number is None else number
            how: dict[str, dict[str, Any]] = {
                "trf": {"edition": int(edition or 2026)},
                "pgn": {"round_number": shown},
                "sqbpro": {"season": season.path, "folder": Path(file).parent},
            }
            text = addons.part(f"exchange.{style}").export(tournament, **how[style])
    if file == "-":
        output.document(text)  # the same bytes as in a file
        return
    views.write(Path(file), text, like=season.path, force=force)
    output.done(say("{file} is written.", file=file))


def _view(
    tournament: Tournament, name: str, number: int | None, style: str, *, excel: bool
) -> str:
    columns = views.columns(tournament.conn, name)
    if number is not None and "round_number" not in columns:
        raise KeizerError("view {view} has no rounds: leave --round out.", view=name)
    found = views.read(tournament.conn, name, columns, tournament.id, number)
    return texts.rows(columns, found, style, excel=excel)
