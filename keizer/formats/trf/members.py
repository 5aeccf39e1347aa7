"""Which players of a report the file knows already; nobody is guessed."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping

from keizer.formats.ratings import keys
from keizer.formats.trf.columns import wrong
from keizer.formats.trf.facts import Fact, Key, Row

_COLUMNS = ("id", "name", "fide_id", "born")
_YEAR = 4

_WAYS: tuple[Callable[[Row], Iterable[Hashable]], ...] = (
    lambda row: [row["fide_id"]] if row["fide_id"] else [],
    lambda row: [(row.get("id"), row["name"])],
    lambda row: [row["name"]],
    lambda row: keys(str(row["name"])),
)
"""What makes two the same person, the surest first: FIDE number, id and name, the very
name, a name as rating lists compare it."""
_CERTAIN = _WAYS[:2]


def known(conn: sqlite3.Connection, players: Mapping[Key, Fact]) -> dict[int, int]:
    """player.id by start number, of those whom the file knows.

    Raises KeizerError, with the number of the line, where several can be meant.
    """
    for fact in players.values():
        if not fact.row["name"] or not isinstance(fact.row["name"], str):
            raise wrong(fact.line, "a player needs a name: write it in columns 15 to 47.")
    rows = conn.execute(f"SELECT {', '.join(_COLUMNS)} FROM player").fetchall()
    there = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
    found: dict[int, int] = {}
    for way in _WAYS:
        members = [member for member in there if member["id"] not in found.values()]
        strangers = {number: fact for (number,), fact in players.items() if number not in found}
        found |= _paired(way, members, strangers)
    return found


def _paired(
    way: Callable[[Row], Iterable[Hashable]], members: list[Row], strangers: Mapping[int, Fact]
) -> dict[int, int]:
    """Those of whom one way says who they are."""
    by_key = defaultdict(list)
    for member in members:
        for key in way(member):
            by_key[key].append(member)
    taken: dict[int, int] = {}
    for number, fact in strangers.items():
        same = {
            int(member["id"] or 0): member
            for key in way(fact.row)
            for member in by_key[key]
            if way in _CERTAIN or not _differ(member, fact.row)
        }
        name = fact.row["name"]
        if len(same) > 1:
            raise wrong(
                fact.line, f"the file knows {len(same)} players named {name}: rename one first."
            )
        for player, member in same.items():
            if player in taken:
                other = strangers[taken[player]].row["name"]
                raise wrong(
                    fact.line,
                    f"“{other}” and “{name}” can both be {member['name']}, whom the file knows:"
                    " give them FIDE numbers or rename one first.",
                )
            taken[player] = number
    return {number: player for player, number in taken.items()}


def _differ(one: Row, other: Row) -> bool:
    """Whether two of one name are two persons: another FIDE number or year of birth."""
    ids = {row["fide_id"] for row in (one, other) if row["fide_id"]}
    years = {str(row["born"])[:_YEAR] for row in (one, other) if row["born"]}
    return len(ids) > 1 or len(years) > 1
