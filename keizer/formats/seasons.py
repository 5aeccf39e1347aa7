"""Whole seasons of other programs: what a file is, by what is in it, and how it is read.

A format is a module of its name, with class Season (facts.Season); of a database with its tables
in the TOML beside it.
"""

import re
from codecs import BOM_UTF8
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from keizer import beside
from keizer.errors import DeclinedError, KeizerError
from keizer.formats import facts, figures, limits
from keizer.messages import Message, plural, say
from keizer.season import roster
from keizer.season.queries import Tournament
from keizer.store import sql
from keizer.store.atomic import StrPath
from keizer.store.connection import MAGIC

_DATABASES = {
    "keizerforclubs": say("a tournament of KeizerForClubs"),
    "sharlychess": say("an event of Sharly Chess"),
    "core": say("a season of views/core.sql"),
    "original": say("a season of the original SQLite Keizer project"),
}

_CORE_ALONE = {"unplayed", "scoring"}
"""Tables of views/core.sql that the original project does not have."""
_LOOKED_AT = 65536
_REMARKS = 100
_EXPORT = re.compile(r'\s*\{.*"GroupReport"', re.DOTALL)
# A tournament report: its first line has a code or numbers the columns, and one is a
# record of the format. Lines end in CR, LF or both.
_CODE = re.compile(r"(?:\d{3}|[A-Z]{2}[A-Z0-9]|###)(?:[ \t]|$)", re.ASCII)


def kind(path: Path) -> str:
    """The module of a season, such as `trf` or `sevilla`; else `csv`, whose reader complains.

    Raises KeizerError for a database that is none of them, and for what cannot be read.
    """
    start = limits.read(path, limits.SEASON)[:_LOOKED_AT]
    if not start.startswith(MAGIC):
        text = start.removeprefix(BOM_UTF8).decode("latin-1")
        return "sevilla" if _EXPORT.match(text) else "trf" if _is_report(text) else "csv"
    with facts.opened(path) as theirs:
        if theirs.application == sql.APPLICATION_ID:
            raise KeizerError(
                "{file} is a Keizer file already: use it as it is, or export what you need.",
                file=str(path),
            )
        found = _program(theirs)
    if found is None:
        raise KeizerError(
            "{file} is a SQLite database, but not of KeizerForClubs, of Sharly Chess, of"
            " views/core.sql or of the original project.",
            file=str(path),
        )
    return found


def _is_report(start: str) -> bool:
    lines = [line.rstrip(" ") for line in re.split(r"[\r\n]+", start) if line.strip()]
    if not lines or not (lines[0][0] in " 0123456789" or _CODE.match(lines[0])):
        return False
    from keizer.formats.trf import report  # most files are lists: they do without

    return bool(_CODE.match(lines[0]) or report.is_ruler(lines[0])) and any(
        line[:3] in report.RECORDS and line[3:4] in ("", " ") for line in lines
    )


def _program(theirs: facts.Theirs) -> str | None:
    """Whose tables and columns there are.

    A part of views/core.sql has tables of the original project, but is none of that.
    """
    mark = beside.table(__file__, "core.toml")["application_id"]
    is_core = theirs.application == mark or theirs.present.keys() & _CORE_ALONE
    for name in _DATABASES:
        tables = beside.table(__file__, f"{name}.toml")["tables"].items()
        if all(theirs.present.get(table, set()).issuperset(columns) for table, columns in tables):
            return None if name == "original" and is_core else name
    return None


def foreign(path: StrPath) -> Message | None:
    """What a database is that is not ours, and how it is taken over; None where nobody knows."""
    file, found = Path(path), None
    with suppress(KeizerError), facts.opened(file) as theirs:  # it may be damaged as well
        found = _program(theirs)
    if found is None:
        return None
    return say(
        "{file} is {what}, not a Keizer file: `keizer init NEW.db --name NAME`, then"
        " `keizer import NEW.db {file}` takes it over.",
        file=str(path),
        what=_DATABASES[found],
    )


def read(
    tournament: Tournament,
    file: Path,
    kind: str,
    tell: facts.Tell = facts.silent,
    *,
    anyway: bool = False,
) -> tuple[Message, list[Message]]:
    """Read a season; what came in, and what is not as it was.

    kind: as `kind` has it. tell: takes a message at each of the two stages. anyway: also where
    the file's own standings are others than those that come out here.
    Raises KeizerError for a tournament with players, and with the place where something in
    the file cannot be.
    """
    if roster.players(tournament):  # without them it has no rounds either
        raise KeizerError(
            "a whole season goes into a tournament without players and rounds:"
            " `keizer init DB --name NAME` adds one to the file."
        )
    remarks: list[Message] = []
    module = import_module(f"keizer.formats.{kind}")  # only the one that is needed
    theirs = module.Season(tournament, remarks.append)
    with facts.in_stages(tournament, tell):
        players = theirs.take_over(file)
    comparison = figures.compare(theirs.compare(figures.Standings(tournament)))
    sentences = comparison.sentences(theirs.reason)
    if comparison.different and not anyway:
        what, *who = sentences
        typed = say("--anyway imports it, with the standings as they are counted here.")
        raise DeclinedError(what, "anyway", typed, *who)
    if comparison.different or theirs.is_proof:
        remarks[:0] = sentences
    counted = "SELECT count(*) FROM round WHERE tournament_id = ?"
    rounds, games = tournament.now.last_round, tournament.scalar(counted, tournament.id)
    came = say(
        "{players}, {rounds}, {games}",
        players=plural("{number:,} player", "{number:,} players", players),
        rounds=plural("{number:,} round", "{number:,} rounds", rounds),
        games=plural("{number:,} game", "{number:,} games", games),
    )
    left = len(remarks) - _REMARKS
    more = plural("{number:,} further note left out.", "{number:,} further notes left out.", left)
    return came, remarks[:_REMARKS] + ([more] if left > 0 else [])
