"""What a file is, by what is in it; its name may be anything."""

import re
from pathlib import Path

from keizer import sql
from keizer.errors import KeizerError

_SQLITE = b"SQLite format 3\x00"
_LOOKED_AT = 65536
# A tournament report: its first line has a code, and one has a player. Lines end in
# CR, LF or both.
_CODE = re.compile(rb"(?:\d{3}|[A-Z]{2}[A-Z0-9]|###)(?:[ \t\r\n]|$)")
_PLAYER = re.compile(rb"(?:^|[\r\n])001 ")


def kind(path: Path) -> str:
    """`trf`, `keizerforclubs` or `original`; else `csv`, whose reader says what is wrong.

    Raises KeizerError for a database that is neither.
    """
    try:
        with path.open("rb") as file:
            start = file.read(_LOOKED_AT)
    except OSError:
        return "csv"
    if start.startswith(_SQLITE):
        return _database(path)
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    return "trf" if _CODE.match(text) and _PLAYER.search(text) else "csv"


def _database(path: Path) -> str:
    from keizer.formats import facts, keizerforclubs, original

    with facts.opened(path) as theirs:
        (application,) = theirs.execute("PRAGMA application_id").fetchone()
        there = facts.columns(theirs)
    if application == sql.APPLICATION_ID:
        raise KeizerError(
            f"{path} is a Keizer file already: use it as it is, or export what you need."
        )
    for name, module in (("keizerforclubs", keizerforclubs), ("original", original)):
        if facts.has(there, module.TABLES):
            return name
    raise KeizerError(
        f"{path} is a SQLite database, but neither of KeizerForClubs nor of the original project."
    )
