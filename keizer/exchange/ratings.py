"""Members' ratings, brought up to a rating list: who is who there, and what changes.

A member is found by FIDE id or national id, else by name. Nobody is
guessed: where several can be meant, all are listed and none is taken.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.exchange import rating_lists as lists
from keizer.exchange.rating_lists import Entry, Number, keys
from keizer.formats import apart, parsing
from keizer.formats.carried import carry
from keizer.messages import Fact, Message, joined, say
from keizer.season.names import spelling
from keizer.season.people import roster
from keizer.season.queries import Tournament
from keizer.season.tournaments import revaluation_suspended

JUMP = 150
"""The change of a rating, in points, that is worth a warning."""

NOT_FOUND = say("not found")

COLUMNS = ("name", "id", "before", "after", "change", "warning")

_KEPT = ("fide_id", "national_id", "sex", "born")
"""What a list fills in where the file has nothing."""
_RENEWED = ("title", "federation")
"""What it also brings up to date."""

_OF_MEMBERS = ("id", "name", "rating", *_KEPT, *_RENEWED)

_SHOWN = 5
_YEAR = 4


class Line(NamedTuple):
    """A member and their entry in the list; None where none is certain.

    taken: whether the rating is to be written.
    """

    member: Entry
    entry: Entry | None
    warning: Message | None = None
    taken: bool = False

    def row(self) -> dict[str, Any]:
        """The line of the diff, with COLUMNS."""
        before, entry = self.member.rating or None, self.entry
        after = entry and entry.rating
        return {
            "player_id": self.member.id,
            "name": self.member.name,
            "id": entry and (entry.fide_id or entry.national_id),
            "before": before,
            "after": after,
            "change": after - before if after and before else None,
            "warning": str(self.warning or ""),
        }


@carry
class Candidates(NamedTuple):
    """The entries of a list that may be a member's: the first of them, and how many there are."""

    entries: list[Entry]
    number: int


def members(conn: sqlite3.Connection, tournament: int | None = None) -> list[Entry]:
    """Who entered a tournament (its id), or everybody in the file, by name."""
    found = conn.execute(
        f"SELECT {', '.join(_OF_MEMBERS)} FROM player WHERE ?1 IS NULL OR id IN"
        " (SELECT player_id FROM x_player_tournament WHERE tournament_id = ?1) ORDER BY name, id",
        (tournament,),
    )
    return [Entry(**dict(zip(_OF_MEMBERS, row, strict=True))) for row in found]


def _ids(who: Entry) -> set[Number]:
    both = {"fide_id": who.fide_id, "national_id": who.national_id}
    return {(column, number) for column, number in both.items() if number}


def _said(number: str) -> set[Number]:
    """What somebody may mean who types the id in a list."""
    return {("national_id", number), ("fide_id", parsing.whole(number) or number)}


def search(
    path: Path, kind: str, members: Sequence[Entry], chosen: Mapping[int, str]
) -> tuple[Message, dict[int, Candidates]]:
    """What a list is called, and its entries that may be members'.

    chosen: the id in the list by member, where a person said it.
    """
    return apart.read_in_own_process(
        find, path, kind, [*members], dict(chosen), long=True
    )


def find(
    path: Path, kind: str, members: list[Entry], chosen: dict[int, str]
) -> tuple[Message, dict[int, Candidates]]:
    """Read, apart, which entries of a list may be members'; and its title.

    kind: of their ratings. chosen: as of `search`.
    """
    known_numbers, known_names = set[Number](), set[str]()
    for member in members:
        known_numbers |= (
            _said(chosen[member.id]) if member.id in chosen else _ids(member)
        )
        known_names |= keys(member.name)

    def wanted(name: str, fide_id: int | None, national_id: str | None) -> bool:
        either = ("fide_id", fide_id), ("national_id", national_id)
        return not (
            known_numbers.isdisjoint(either) and known_names.isdisjoint(keys(name))
        )

    title, entries = lists.read(path, kind, wanted)
    return title, candidates(members, entries, chosen)


def candidates(
    members: Iterable[Entry], entries: Iterable[Entry], chosen: Mapping[int, str]
) -> dict[int, Candidates]:
    """Find the entries that may be each member's: by number, else by name."""
    by_key = defaultdict(list)
    for entry in entries:
        for key in _ids(entry) | keys(entry.name):
            by_key[key].append(entry)

    def under(some: Iterable[Any]) -> list[Entry]:
        """The entries under any of these; one for a person who is in several clubs."""
        return list(
            {
                _person(entry): entry for key in some for entry in by_key.get(key, ())
            }.values()
        )

    found = {}
    for member in members:
        if member.id in chosen:
            some = under(_said(chosen[member.id]))
        else:
            some = under(_ids(member)) or _likely(member, under(keys(member.name)))
        found[member.id] = Candidates(some[:_SHOWN], len(some))
    return found


def same_person(member: Entry, before: Entry) -> bool:
    """Return whether nothing changed of a member by which entries are found."""
    return _found_by(member) == _found_by(before)


def _found_by(member: Entry) -> tuple[object, ...]:
    return (
        member.name,
        member.fide_id,
        member.national_id,
        member.born,
        member.federation,
    )


def compare(
    members: Sequence[Entry],
    candidates: Mapping[int, Candidates],
    chosen: Mapping[int, str],
    *,
    jump: int = JUMP,
    skip_jumps: bool = False,
) -> list[Line]:
    """The diff: a line for each member, in their order.

    candidates: by member. jump: from which change on there is a warning; skip_jumps: and nothing is
    taken.
    """
    lines, claims = [], Counter[Any]()
    for member in members:
        entries, number = candidates[member.id]
        if member.id in chosen and not entries:
            raise KeizerError(
                "{name}: the list has no {typed}.",
                name=member.name,
                typed=chosen[member.id],
            )
        several = say("ambiguous: {entries}", entries=_listed(entries, number))
        line = Line(member, None, several if entries else NOT_FOUND)
        if number == 1:
            line = _line(member, entries[0], jump, skip_jumps=skip_jumps)
            claims[_person(entries[0])] += 1
        lines.append(line)
    for place, (member, found, *_) in enumerate(lines):
        sure = found is None or member.id in chosen or _ids(member) & _ids(found)
        if found and not sure and claims[_person(found)] > 1:
            said = say(
                "ambiguous: {entries} may be another member",
                entries=_listed([found], 1),
            )
            lines[place] = Line(member, None, said)
    return lines


def _person(entry: Entry) -> Any:
    """What is the same in all entries of a person."""
    return frozenset(_ids(entry)) or entry


def _likely(member: Entry, namesakes: list[Entry]) -> list[Entry]:
    """Entries that may be the member: of the same age and federation where there are any."""
    candidates = [entry for entry in namesakes if not differ(member, entry)]
    for column, size in (("born", _YEAR), ("federation", None)):
        mine = getattr(member, column)
        same = [
            entry
            for entry in candidates
            if mine and (getattr(entry, column) or "")[:size] == mine[:size]
        ]
        candidates = same or candidates
    return candidates


def differ(member: Entry, entry: Entry) -> bool:
    """Whether they are two persons: another id, or another year of birth."""
    ids = [(member.fide_id, entry.fide_id), (member.national_id, entry.national_id)]
    return _ages_differ(member, entry) or any(
        one and other and one != other for one, other in ids
    )


def _ages_differ(member: Entry, entry: Entry) -> bool:
    return bool(
        member.born and entry.born and member.born[:_YEAR] != entry.born[:_YEAR]
    )


def _listed(found: Sequence[Entry], number: int) -> Fact:
    """Entries with what tells them apart, and how many more there are. number: of all."""
    described: list[Fact] = []
    for entry in found:
        own = entry.fide_id or entry.national_id or say("no id")
        about = [entry.rating or say("unrated"), entry.federation, entry.born]
        details = [detail for detail in about if detail]
        described.append(say("{id} ({details})", id=own, details=details))
    if number == len(found):
        return described
    return say("{some} and {number:,} more", some=described, number=number - len(found))


def _line(member: Entry, entry: Entry, jump: int, *, skip_jumps: bool) -> Line:
    """What the entry changes, and what to look at before it is believed."""
    warnings = []
    words = [
        set(spelling.fold(person.name.replace(",", " ")).split())
        for person in (member, entry)
    ]
    if words[0].isdisjoint(words[1]):
        warnings.append(say("the list has “{name}” under this id", name=entry.name))
    if _ages_differ(member, entry):
        warnings.append(say("born {born} in the list", born=entry.born))
    taken = entry.rating is not None
    if entry.doubtful:
        warnings.append(say("“{typed}” is no rating", typed=entry.doubtful[:12]))
    elif entry.rating is None:
        warnings.append(say("unrated in the list"))
    elif not member.rating:
        warnings.append(say("new: no rating before"))
    elif abs(entry.rating - member.rating) >= jump:
        size = abs(entry.rating - member.rating)
        skipped = say("jump of {number}: not taken", number=size)
        warnings.append(skipped if skip_jumps else say("jump of {number}", number=size))
        taken = not skip_jumps
    return Line(member, entry, joined(warnings), taken)


def changes(
    lines: Iterable[Line], chosen: Mapping[int, str], *, ids: bool = False
) -> dict[int, dict[str, Any]]:
    """What there is to write: the columns of table player that change, by player.

    Ratings; an id where a person said it; with `ids` also what else the list knows.
    """
    found = {}
    for member, entry, _, taken in lines:
        if entry is None:
            continue
        new: dict[str, Any] = {"rating": entry.rating} if taken else {}
        if ids:
            new |= {key: getattr(entry, key) for key in _RENEWED}
            new |= {key: getattr(member, key) or getattr(entry, key) for key in _KEPT}
        if member.id in chosen:
            new |= dict(_ids(entry))
        new = {
            key: value
            for key, value in new.items()
            if value not in (None, getattr(member, key))
        }
        if new:
            found[member.id] = new
    return found


def write(conn: sqlite3.Connection, found: Mapping[int, Mapping[str, Any]]) -> None:
    """Write the changes, and revalue once.

    Raises KeizerError for a number that is another player's.
    """
    called = {member.id: member.name for member in members(conn, None)}
    with ExitStack() as stack:
        for (id_,) in conn.execute("SELECT id FROM tournament").fetchall():
            stack.enter_context(revaluation_suspended(Tournament(conn, id_)))
        # Two may change numbers, which nobody can have twice.
        for column in ("fide_id", "national_id"):
            conn.executemany(
                f"UPDATE player SET {column} = NULL WHERE id = ?",
                [(player,) for player, new in found.items() if column in new],
            )
        for player, new in found.items():
            with parsing.naming(called[player]):
                roster.update(conn, "player", new, id=player)
