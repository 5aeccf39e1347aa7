"""What people send to be imported: which kind of file it is, and what it has.

This is read apart (apart.py), and brings in no more than the kind of file needs. Whole seasons are
those of an add-on.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from keizer import addons
from keizer.formats import limits, parsing
from keizer.formats.carried import carry
from keizer.season.names import identity
from keizer.store.connection import MAGIC

MEMBERS = "members"
_LOOKED_AT = 65536


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
    columns, cells: as of members.read. known: who is in the file. answers: as of identity.match_members.
    """
    found = what or kind(path)
    if what:
        players = {person.number: person.name for person in known if person.entered}
        return Sent(
            str(path),
            found,
            addons.import_part("formats.spreadsheets").read(path, what, players),
        )
    if found == MEMBERS:
        read_list = addons.import_part("formats.members").read
        listed, notes, left_out = read_list(path, columns, cells)
        matched = identity.match_members(known, listed, answers or {})
        return Sent(str(path), found, (listed, notes, left_out, matched))
    return Sent(
        str(path), found, addons.import_part(f"exchange.{found}").read(path, name)
    )


def kind(path: Path) -> str:
    """The module of a season, such as `trf` or `sevilla`; else `members`, whose reader complains.

    Raises KeizerError for what cannot be read.
    """
    with limits.opened(path, limits.SEASON) as file:
        start = file.read(_LOOKED_AT)
    season = (
        addons.import_part("exchange.kinds").season(path, start)
        if addons.has("exchange")
        else None
    )
    if season is None:
        return MEMBERS
    # Of lists alone it is read.
    if not start.startswith(MAGIC) and parsing.is_utf_16(start):
        with parsing.naming(str(path)):
            raise parsing.unknown_encoding()
    return str(season)
