"""What people send to be imported: which kind of file it is, and what it has.

This is read apart (apart.py), and brings in no more than the kind of file needs.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from keizer import beside
from keizer.errors import KeizerError
from keizer.formats import databases, limits, parsing
from keizer.formats.carried import carry
from keizer.season import identity
from keizer.store import sql
from keizer.store.connection import MAGIC

MEMBERS = "members"
DATABASES = ("keizerforclubs", "sharlychess", "core", "original")
"""Modules of programs that have a database; beside each a TOML with its tables."""

_CORE_ALONE = {"unplayed", "scoring"}
"""Tables of views/core.sql that the original project does not have."""
_LOOKED_AT = 65536
_EXPORT = re.compile(r'\s*\{.*"GroupReport"', re.DOTALL)
# A tournament report: its first line has a code or numbers the columns, and one is a
# record of the format. Lines end in CR, LF or both.
_CODE = re.compile(r"(?:\d{3}|[A-Z]{2}[A-Z0-9]|###)(?:[ \t]|$)", re.ASCII)


for carried in (identity.Person, identity.Match, identity.Matched):
    carry(carried)


@carry
class Sent(NamedTuple):
    """A file as it was read.

    path: as it was typed. kind: members, games, unplayed, or the module of a season. facts: what
    its reader gives. known: the players among whom those of the file were looked for.
    """

    path: str
    kind: str
    facts: Any
    known: Sequence[identity.Person] = ()


def read(
    path: Path,
    what: str | None,
    name: str,
    columns: Sequence[str] | None,
    cells: Mapping[str, str] | None,
    known: Sequence[identity.Person] = (),
    answers: Mapping[int, str] | None = None,
) -> Sent:
    """Read a file of any kind, and find out which players of the season are in it.

    what: games or unplayed; else the file tells. name: of the tournament that it goes into.
    columns, cells: as of members.read. known: who is in the file. answers: as of identity.match.
    """
    found = what or kind(path)
    module = import_module(f"keizer.formats.{'spreadsheets' if what else found}")
    if what:
        players = {person.number: person.name for person in known if person.entered}
        return Sent(str(path), found, module.read(path, what, players))
    if found == MEMBERS:
        listed, notes, left_out = module.read(path, columns, cells)
        matched = identity.match(known, listed, answers or {})
        return Sent(str(path), found, (listed, notes, left_out, matched))
    return Sent(str(path), found, module.read(path, name))


def kind(path: Path) -> str:
    """The module of a season, such as `trf` or `sevilla`; else `members`, whose reader complains.

    Raises KeizerError for a database that is none of them, and for what cannot be read.
    """
    with limits.opened(path, limits.SEASON) as file:
        start = file.read(_LOOKED_AT)
    if not start.startswith(MAGIC):
        kind_of_text = _kind_of_text(start)
        if kind_of_text != MEMBERS and parsing.is_utf_16(start):  # of lists alone it is read
            with parsing.naming(str(path)):
                raise parsing.unknown_encoding()
        return kind_of_text
    with databases.opened(path) as file:
        if file.application == sql.APPLICATION_ID:
            raise KeizerError(
                "{file} is a Keizer file already: use it as it is, or export what you need.",
                file=str(path),
            )
        found = _program(file)
    if found is None:
        raise KeizerError(
            "{file} is a SQLite database, but not of KeizerForClubs, of Sharly Chess, of"
            " views/core.sql or of the original project.",
            file=str(path),
        )
    return found


def _kind_of_text(start: bytes) -> str:
    if parsing.is_utf_16(start):
        text = start.decode("utf-16", "ignore")
    else:
        text = start.removeprefix(BOM_UTF8).decode("latin-1")
    if _EXPORT.match(text):
        return "sevilla"
    return "trf" if _is_report(text) else MEMBERS


def program(path: Path) -> str | None:
    """Whose database a file is, which may be damaged as well; None where nobody knows."""
    with suppress(KeizerError), databases.opened(path) as file:
        return _program(file)
    return None


def _program(file: databases.ForeignFile) -> str | None:
    """Whose tables and columns there are.

    A part of views/core.sql has tables of the original project, but is none of that.
    """
    mark = beside.table(__file__, "core.toml")["application_id"]
    is_core = file.application == mark or file.present.keys() & _CORE_ALONE
    for name in DATABASES:
        tables = beside.table(__file__, f"{name}.toml")["tables"].items()
        if all(file.present.get(table, set()).issuperset(columns) for table, columns in tables):
            return None if name == "original" and is_core else name
    return None


def _is_report(start: str) -> bool:
    lines = [line.rstrip(" ") for line in re.split(r"[\r\n]+", start) if line.strip()]
    if not lines or not (lines[0][0] in " 0123456789" or _CODE.match(lines[0])):
        return False
    from keizer.formats.trf import report  # most files are lists: they do without

    return bool(_CODE.match(lines[0]) or report.is_ruler(lines[0])) and any(
        line[:3] in report.RECORDS and line[3:4] in ("", " ") for line in lines
    )
