"""Which players of a report the file knows already; nobody is guessed."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable

from keizer.formats.lists import Entry
from keizer.formats.ratings import Member, differ, keys, members
from keizer.formats.trf.report import Player

_Way = Callable[[Member | Player], Iterable[Hashable]]

_WAYS: tuple[_Way, ...] = (
    lambda who: [who.fide_id] if who.fide_id else [],
    lambda who: [who.name],
    lambda who: keys(who.name),
)
"""What makes two the same person, the surest first: FIDE number, the very name, a name
as rating lists compare it."""
_CERTAIN = _WAYS[0]


def known(conn: sqlite3.Connection, players: Iterable[Player]) -> dict[int, int]:
    """player.id by start number, of those whom the file knows.

    Raises KeizerError, with the number of the line, where several can be meant.
    """
    on_file = members(conn, None)
    ids: dict[int, int] = {}
    for way in _WAYS:
        taken = set(ids.values())
        others = [member for member in on_file if member.id not in taken]
        ids |= _paired(way, others, [each for each in players if each.number not in ids])
    return ids


def _paired(way: _Way, members: list[Member], strangers: list[Player]) -> dict[int, int]:
    """player.id by start number, of the players whom this one way identifies."""
    by_key = defaultdict(set)
    for member in members:
        for key in way(member):
            by_key[key].add(member)
    taken: dict[Member, Player] = {}
    for player in strangers:
        entry = Entry(player.name, fide_id=player.fide_id, born=player.born)
        same = {
            member
            for key in way(player)
            for member in by_key[key]
            if way is _CERTAIN or not differ(member, entry)
        }
        if len(same) > 1:
            raise player.wrong(
                f"the file knows {len(same)} players named {player.name}: rename one first."
            )
        for member in same:
            if member in taken:
                raise player.wrong(
                    f"“{taken[member].name}” and “{player.name}” can both be {member.name}, whom"
                    " the file knows: give them FIDE numbers or rename one first."
                )
            taken[member] = player
    return {player.number: member.id for member, player in taken.items()}
