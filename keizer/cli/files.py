"""The commands for files of other programs and spreadsheets: import, export."""

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
from keizer.acts.session import Outcome, Session
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
"""The style of a file by the end of its name."""
_STYLES_OF_VIEWS = ("csv", "json")
"""The styles of files that have the rows of a view."""
_IMPORT_ACT = declare.act_of(acts.import_)


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

    A members' list is CSV, .xlsx, .ods or JSON, its first line the names of the
    columns; or as it stands in a mail or a chat, a line for each (docs/formats.md). It
    may come again at any time: what it says of a member replaces what was there, an
    empty cell changes nothing, and nobody is removed. If it is not clear who a line is
    about, keizer asks; you can also answer with --who.

    A whole season comes from Sevilla (its JSON export), KeizerForClubs (.s3db), Sharly
    Chess (.sce), the original SQLite Keizer project (keizer.db), the page
    views/core.sql or a tournament report (TRF), and goes into a tournament without
    players. FILE is recognised by its content, and read whole or not at all; - is
    standard input. Where it has standings of its own, these come out, or the import is
    refused, unless --anyway.

    Examples:
        keizer import club.db members.csv
        keizer import club.db season.csv --games
        keizer import club.db Winter.s3db --tournament "Winter 2026"
    """
    # The file is read here, and not by the act: only its content shows whether it is a
    # members' list, about which a person may be asked. The act also takes the content.
    with _readable(file) as path:
        values = acts.read_import(season, list=path, what=what, **more)
    # Messages name the file as it was typed, not the copy.
    values["list"] = values["list"]._replace(path=str(file))
    if values["list"].kind == MEMBERS:
        # If the list comes from standard input, no answer can come from there.
        may_ask = not yes and str(file) != "-" and sys.stdin.isatty()
        _merge_members(season, values, dry_run=dry_run, may_ask=may_ask)
    else:
        _import_season(season, values, dry_run=dry_run)


_import.__annotations__ |= options.of_act(acts.import_, list=None, what=None)
import_ = session.command(_import)


@contextmanager
def _readable(file: Path) -> Iterator[Path]:
    """Provide the path of a file that can be read several times.

    That is the file itself, if it is one on a disk. Of standard input, a pipe or a
    device, which can be read only once, it is a copy, which is removed at the end of
    the block. A KeizerError about the copy then names `file`.

    file: the path as it was typed; - for standard input.
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
            error.replace_fact(str(copy), limits.called(file))
            raise


def _import_season(
    season: session.CommandSession, values: dict[str, Any], *, dry_run: bool
) -> None:
    """Import games, unplayed rounds or a whole season, and print what was imported.

    values: the arguments of the act `import` by name.
    dry_run: import it on a copy of the season, which is not kept.
    """
    # The import calls `tell` with a message about each stage that it is at.
    with output.stages() as show_stage:
        values = values | {"tell": show_stage}
        # With `dry_run` this imports into a copy of the file only.
        outcome = season.do_and_compare(_IMPORT_ACT, values, dry_run=dry_run)
    imported = outcome.returned
    output.note(*imported.notes)
    if dry_run:
        output.print_lines(say("{what} would be imported.", what=imported.said))
    else:
        output.print_lines(say("{what} imported.", what=imported.said))


def _merge_members(
    season: session.CommandSession,
    values: dict[str, Any],
    *,
    dry_run: bool,
    may_ask: bool,
) -> None:
    """Merge a members' list: first on a copy of the season, then in the file.

    The copy shows the effect, which is printed, and about which a person may be asked.
    click.Abort is raised if they say no.

    season: the season.
    values: the arguments of the act `import` by name.
    dry_run: merge it on the copy only.
    may_ask: ask a person before the file is written. Nothing is asked if the list has
        only new members, and the import no remark about any.
    """
    # A plain session: a CommandSession would print the remarks of the trial, too.
    trial = Session(season.path, season.tournament)
    imported = trial.do_and_compare(_IMPORT_ACT, values, dry_run=True).returned
    merge = imported.merge
    summary = acts.say_merge(merge)
    writes = merge.has_changes and not dry_run
    is_doubtful = bool(imported.remarks) or not merge.has_only_newcomers
    asks = may_ask and writes and is_doubtful
    output.note(*imported.notes)
    if asks:
        output.print_lines(*summary)
        if not output.confirm(say("Import this?")):
            raise click.Abort

    def check_same(change: Outcome) -> None:
        """Raise KeizerError if the effect is not the one that the copy has shown.

        Another person may have changed the season in the meantime.
        """
        if change.returned.merge != merge:
            raise changed_meanwhile()

    if writes:
        season.do_and_compare(_IMPORT_ACT, values, agree=check_same)
    # If there was a question, the summary was printed before it. A list with only new
    # members needs none, unless it was only tried.
    if not asks and (dry_run or not merge.has_only_newcomers):
        output.print_lines(*summary)
    if not merge.has_changes:
        output.print_lines(say("Nothing changes."))
    elif writes and merge.changed:
        output.print_lines(say("Imported."))
    elif writes:
        output.print_lines(say("{what} imported.", what=imported.said))


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
            type=click.Choice(("2016", "2026")),
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
    """Write standings or games as CSV, JSON, TRF, PGN or .sqbpro.

    The end of the file's name decides: .csv and .json have one view, of all rounds
    unless --round names one; .trf is FIDE's tournament report, .pgn the games of a
    round. A .sqbpro opens the season in DB Browser for SQLite, with the standings in
    front. If FILE is - (standard output), an option such as --csv decides.

    Examples:
        keizer export club.db standings.csv --round 12
        keizer export club.db standings.csv --excel
        keizer export club.db report.trf
        keizer export club.db club.sqbpro
    """
    style = style or _SUFFIXES.get(Path(file).suffix.lower())
    if style is None:
        raise KeizerError(
            "the format of {file} is not clear: end its name in .csv, .json, .trf, .pgn"
            " or .sqbpro, or add --csv, --json, --trf, --pgn or --sqbpro.",
            file=file,
        )
    # By option: True if it was typed, but a file of this style cannot use it.
    is_out_of_place = {
        "--view": bool(view) and style not in _STYLES_OF_VIEWS,
        "--excel": excel and style != "csv",
        "--edition": bool(edition) and style != "trf",
        "--round": number is not None and style in ("trf", "sqbpro"),
    }
    options_out_of_place = [name for name, is_so in is_out_of_place.items() if is_so]
    if options_out_of_place:
        raise KeizerError(
            "{option} cannot be used with a {style} file: leave it out.",
            option=options_out_of_place[0],
            style=style,
        )
    with season.reading() as tournament:
        if style in _STYLES_OF_VIEWS:
            name = view or "standings"
            text = _view_text(tournament, name, number, style, excel=excel)
        else:
            shown_round = tournament.now.last_round if number is None else number
            # The arguments for the exporter of each style, besides the tournament.
            settings: dict[str, dict[str, Any]] = {
                "trf": {"edition": int(edition or 2026)},
                "pgn": {"round_number": shown_round},
                "sqbpro": {"season": season.path, "folder": Path(file).parent},
            }
            exporter = addons.import_part(f"exchange.{style}")
            text = exporter.export(tournament, **settings[style])
    if file == "-":
        output.document(text)  # the same bytes as in a file
        return
    views.write(Path(file), text, like=season.path, force=force)
    output.announce_unlogged(say("{file} has been written.", file=file))


def _view_text(
    tournament: Tournament, name: str, number: int | None, style: str, *, excel: bool
) -> str:
    """Return the rows of a view as the text of a file.

    Raises KeizerError if the view has no rounds, but one is named.

    name: the name of the view.
    number: the round whose rows are returned; None for all rounds.
    style: "csv" or "json".
    excel: return CSV as Excel reads it in a country with a decimal comma.
    """
    columns = views.columns(tournament.conn, name)
    if number is not None and "round_number" not in columns:
        raise KeizerError("view {view} has no rounds: leave --round out.", view=name)
    rows = views.read(tournament.conn, name, columns, tournament.id, number)
    return texts.rows(columns, rows, style, excel=excel)
