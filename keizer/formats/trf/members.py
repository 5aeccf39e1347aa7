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
    on_file, ids = members(conn, None), dict[int, int]()
    for way in _WAYS:
        by_key, taken = defaultdict(set), dict[Member, Player]()
        settled = {*ids.values()}
        for member in on_file:
            for key in () if member.id in settled else way(member):
                by_key[key].add(member)
        for player in players:
            entry = Entry(player.name, fide_id=player.fide_id, born=player.born)
            same = {
                member
                for key in (() if player.number in ids else way(player))
                for member in by_key.get(key, ())
                if way is _CERTAIN or not differ(member, entry)
            }
            if len(same) > 1:
                raise player.wrong(
                    "the file knows {number} players named {name}: rename one first.",
                    number=len(same),
                    name=player.name,
                )
            for member in same:
                if member in taken:
                    raise player.wrong(
                        "“{first}” and “{second}” can both be {name}, whom the file knows: give"
                        " them FIDE numbers or rename one first.",
                        first=taken[member].name, second=player.name, name=member.name,
                    )  # fmt: skip
                taken[member] = player
        ids |= {player.number: member.id for member, player in taken.items()}
    return ids
