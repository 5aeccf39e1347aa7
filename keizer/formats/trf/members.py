"""Which players of a report the file knows already; nobody is guessed."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

from keizer.formats.ratings import keys
from keizer.formats.trf.columns import wrong
from keizer.formats.trf.report import Player


class Member(NamedTuple):
    """A player of the file."""

    id: int
    name: str
    fide_id: int | None
    born: str | None


_Way = Callable[[Member | Player], Iterable[Hashable]]

_WAYS: tuple[_Way, ...] = (
    lambda who: [who.fide_id] if who.fide_id else [],
    lambda who: [who.name],
    lambda who: keys(who.name),
)
"""What makes two the same person, the surest first: FIDE number, the very name, a name
as rating lists compare it."""
_CERTAIN = _WAYS[0]
_YEAR = 4


def known(conn: sqlite3.Connection, players: Iterable[Player]) -> dict[int, int]:
    """player.id by start number, of those whom the file knows.

    Raises KeizerError, with the number of the line, where several can be meant.
    """
    there = [*map(Member._make, conn.execute("SELECT id, name, fide_id, born FROM player"))]
    found: dict[int, int] = {}
    for way in _WAYS:
        taken = set(found.values())
        members = [member for member in there if member.id not in taken]
        found |= _paired(way, members, [each for each in players if each.number not in found])
    return found


def _paired(way: _Way, members: list[Member], strangers: list[Player]) -> dict[int, int]:
    """Those of whom one way says who they are."""
    by_key = defaultdict(set)
    for member in members:
        for key in way(member):
            by_key[key].add(member)
    taken: dict[Member, Player] = {}
    for player in strangers:
        same = {
            member
            for key in way(player)
            for member in by_key[key]
            if way is _CERTAIN or not _differ(member, player)
        }
        if len(same) > 1:
            raise wrong(
                player.line,
                f"the file knows {len(same)} players named {player.name}: rename one first.",
            )
        for member in same:
            if member in taken:
                raise wrong(
                    player.line,
                    f"“{taken[member].name}” and “{player.name}” can both be {member.name}, whom"
                    " the file knows: give them FIDE numbers or rename one first.",
                )
            taken[member] = player
    return {player.number: member.id for member, player in taken.items()}


def _differ(member: Member, player: Player) -> bool:
    """Whether two of one name are two persons: another FIDE number or year of birth."""
    ids = {who.fide_id for who in (member, player) if who.fide_id}
    years = {who.born[:_YEAR] for who in (member, player) if who.born}
    return len(ids) > 1 or len(years) > 1
