"""Which program a file is of, by how it begins or by its tables."""

import re
from codecs import BOM_UTF8
from contextlib import suppress
from pathlib import Path

from keizer import resources
from keizer.errors import KeizerError
from keizer.exchange import databases
from keizer.formats import parsing
from keizer.store import sql
from keizer.store.connection import MAGIC

DATABASES = ("keizerforclubs", "sharlychess", "core", "original")
"""Modules of programs that have a database; beside each a TOML with its tables."""

_CORE_ALONE = {"unplayed", "scoring"}
"""Tables of views/core.sql that the original project does not have."""
_EXPORT = re.compile(r'\s*\{.*"GroupReport"', re.DOTALL)
# A tournament report: its first line has a code or numbers the columns, and one is a
# record of the format. Lines end in CR, LF or both.
_CODE = re.compile(r"(?:\d{3}|[A-Z]{2}[A-Z0-9]|###)(?:[ \t]|$)", re.ASCII)


def season(path: Path, start: bytes) -> str | None:
    """The module of the season that a file is, which begins so; None where it is none.

    Raises KeizerError for a database that is none of them.
    """
    if not start.startswith(MAGIC):
        return _text(start)
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


def _text(start: bytes) -> str | None:
    if parsing.is_utf_16(start):
        text = start.decode("utf-16", "ignore")
    else:
        text = start.removeprefix(BOM_UTF8).decode("latin-1")
    if _EXPORT.match(text):
        return "sevilla"
    return "trf" if _is_report(text) else None


def program(path: Path) -> str | None:
    """Whose database a file is, which may be damaged as well; None where nobody knows."""
    with suppress(KeizerError), databases.opened(path) as file:
        return _program(file)
    return None


def _program(file: databases.ForeignFile) -> str | None:
    """Whose tables and columns there are.

    A part of views/core.sql has tables of the original project, but is none of that.
    """
    mark = resources.table(__file__, "core.toml")["application_id"]
    is_core = file.application == mark or file.present.keys() & _CORE_ALONE
    for name in DATABASES:
        tables = resources.table(__file__, f"{name}.toml")["tables"].items()
        if all(
            file.present.get(table, set()).issuperset(columns)
            for table, columns in tables
        ):
            return None if name == "original" and is_core else name
    return None


def _is_report(start: str) -> bool:
    lines = [line.rstrip(" ") for line in re.split(r"[\r\n]+", start) if line.strip()]
    if not lines or not (lines[0][0] in " 0123456789" or _CODE.match(lines[0])):
        return False
    from keizer.exchange.trf import report  # most files are lists: they do without

    return bool(_CODE.match(lines[0]) or report.is_ruler(lines[0])) and any(
        line[:3] in report.RECORDS and line[3:4] in ("", " ") for line in lines
    )
