"""A list of members, merged into a tournament: who is who, and what is new, changed or gone.

A member is found in the file by FIDE id, by national id, by the very name, else by a name of the
same words (order, comma, capitals and accents do not matter) where one player of the file and one
member of the list fit. Nobody is guessed: everything else that comes near is a fault.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from keizer import messages
from keizer.errors import Faults, KeizerError, refuse
from keizer.messages import Fact, Message, say, term
from keizer.season import names, presence, resolve, roster, tournaments
from keizer.season.queries import Tournament
from keizer.store.connection import sentence

NUMBERS = ("fide_id", "national_id")
ENTRY = ("first_round", "start_rank", "absent_as", "last_round")
"""What a list may say of a member's entry, beside roster.DETAILS."""


class Listed(NamedTuple):
    """A member in a list.

    given: what the list says, by column of roster.DETAILS and ENTRY. A last_round of None takes
    a withdrawal back.
    """

    line: int
    name: str
    given: Mapping[str, Any]


class Members(NamedTuple):
    """A list: what it is called, what its lines are called, who is in it, what is wrong with it."""

    source: str
    unit: str
    listed: list[Listed]
    faults: Faults


class Change(NamedTuple):
    """What changes of a player: column, before and after."""

    player: int
    name: str
    cells: tuple[tuple[str, roster.Detail, roster.Detail], ...]


class Merge(NamedTuple):
    """What a list brings: names, changes, and how many stay as they are.

    gone: who takes part and is not in the list; they are left alone. withdrawn: who is in the
    list, and stays withdrawn.
    """

    new: tuple[str, ...]
    changed: tuple[Change, ...]
    unchanged: int
    gone: Mapping[int, str]
    withdrawn: tuple[str, ...]

    @property
    def changes(self) -> bool:
        """Whether anything does."""
        return bool(self.new or self.changed)

    @property
    def only_new(self) -> bool:
        """Whether there is nobody but them, in the list and in the tournament."""
        return not (self.changed or self.unchanged or self.gone or self.withdrawn)


class _Step(NamedTuple):
    """A member of the list, the row of _everybody who that is (empty: new), and what changes."""

    one: Listed
    row: Mapping[str, Any]
    change: Change

    @property
    def entered(self) -> bool:
        return bool(self.row.get("entered"))


def _step(one: Listed, row: Mapping[str, Any]) -> _Step:
    cells = [
        (column, row[column], after)
        for column, after in one.given.items()
        if row and (row["entered"] or column in roster.DETAILS)
    ]
    if any(one.given.get(number) == row[number] for number in NUMBERS if row.get(number)):
        cells.insert(0, ("name", row["name"], one.name))
    told = tuple(cell for cell in cells if cell[1] != cell[2])
    return _Step(one, row, Change(row.get("id", 0), row.get("name", one.name), told))


def merge(tournament: Tournament, members: Members) -> Merge:
    """Merge a list into a tournament, in the caller's transaction; what that brings."""
    there = _everybody(tournament)
    matching = _Matching(there, members)
    who, faults = matching.who, matching.faults
    steps = [
        _step(one, there.get(who[one.line] or 0, {})) for one in members.listed if one.line in who
    ]
    forms = resolve.forms(row["name"] for row in there.values())
    with tournaments.suspended(tournament):
        for step in steps:
            tournament.conn.execute("SAVEPOINT line")
            try:
                _write(tournament, step, forms)
            except (KeizerError, sqlite3.IntegrityError) as error:
                if isinstance(error, KeizerError):
                    said = error.said
                else:
                    said = say("{name}: {why}", name=step.one.name, why=sentence(error))
                faults.append((step.one.line, said))
                tournament.conn.execute("ROLLBACK TO line")
                tournament.forget()
            tournament.conn.execute("RELEASE line")
    refuse(members.source, faults, say("nothing was imported"), members.unit)
    listed = {*who.values()}
    return Merge(
        new=tuple(step.one.name for step in steps if not step.entered),
        changed=tuple(step.change for step in steps if step.change.cells),
        unchanged=sum(step.entered and not step.change.cells for step in steps),
        gone={
            player: row["name"]
            for player, row in there.items()
            if row["entered"] and row["last_round"] is None and player not in listed
        },
        withdrawn=tuple(
            step.change.name
            for step in steps
            if step.row.get("last_round") is not None and "last_round" not in step.one.given
        ),
    )


def _everybody(tournament: Tournament) -> dict[int, dict[str, Any]]:
    """Who is in the file, by id: with DETAILS, ENTRY, and whether they entered the tournament."""
    columns = [*(f"p.{column}" for column in roster.DETAILS), *(f"e.{column}" for column in ENTRY)]
    found = tournament.conn.execute(
        f"SELECT p.id, p.name, {', '.join(columns)}, e.id IS NOT NULL AS entered"
        " FROM player AS p LEFT JOIN x_player_tournament AS e"
        " ON e.player_id = p.id AND e.tournament_id = ? ORDER BY p.name, p.id",
        (tournament.id,),
    )
    return {row["id"]: dict(row) for row in found}


# ------------------------------------------------------------------ who is who


def _numbers(of: Mapping[str, Any]) -> set[tuple[str, Any]]:
    return {(column, of[column]) for column in NUMBERS if of.get(column)}


class _Matching:
    """Who in a list is who in the file: `who` has the player of each line, None of one who is new.

    A line with a fault is not in it.
    """

    def __init__(self, there: Mapping[int, Mapping[str, Any]], members: Members) -> None:
        self.there, self.unit, self.faults = there, members.unit, [*members.faults]
        self.who: dict[int, int | None] = {}
        self._seen: dict[object, int] = {}
        self._known: dict[object, set[int]] = defaultdict(set)
        for row in there.values():
            for key in (row["name"], *_numbers(row)):
                self._known[key].add(row["id"])
        rest = [one for one in members.listed if not self._found(one, _numbers(one.given))]
        self._by_words([one for one in rest if not self._found(one, [one.name])])

    def _found(self, one: Listed, keys: Iterable[object]) -> bool:
        """Whether a line is settled by what the file has it under."""
        found = {player for key in keys for player in self._known.get(key, ())}
        entered = {player for player in found if self.there[player]["entered"]}
        if len(found) > 1 and len(entered) == 1 and one.name in keys:
            found = entered  # of namesakes the one who plays here
        if len(found) > 1:
            self._fault(
                one,
                say(
                    "“{name}” may be {others}: correct the ids, in the list or there.",
                    name=names.shortened(one.name),
                    others=self._called(found),
                ),
            )
        elif found:
            self._take(one, *found)
        return bool(found)

    def _by_words(self, rest: list[Listed]) -> None:
        """Settle lines by names that are spelt otherwise; who fits nobody is new."""
        taken = {*self.who.values()}
        free: dict[resolve.Words, set[int]] = defaultdict(set)
        for player, row in self.there.items():
            if player not in taken:
                for words in resolve.in_any_order(row["name"]):
                    free[words].add(player)
        fits = {
            one.line: {
                player for key in resolve.in_any_order(one.name) for player in free.get(key, ())
            }
            for one in rest
        }
        lines: dict[int, set[int]] = defaultdict(set)
        for line, found in fits.items():
            for player in found:
                lines[player].add(line)
        for one in rest:
            found = fits[one.line]
            rivals = {line for player in found for line in lines[player]} - {one.line}
            if len(found) > 1 or rivals or any(self._differ(one, player) for player in found):
                also = [
                    say("and so may {unit} {line}", unit=term(self.unit), line=line)
                    for line in sorted(rivals)
                ]
                self._fault(
                    one,
                    say(
                        "“{name}” may be {others}: write that name as the file has it if that"
                        " player is meant, or add what tells the two apart.",
                        name=names.shortened(one.name),
                        others=[self._called(found), *also],
                    ),
                )
            else:
                self._take(one, *found)

    def _differ(self, one: Listed, player: int) -> bool:
        """Whether both have a number, and not the same."""
        row = self.there[player]
        return any(row[column] not in (None, number) for column, number in _numbers(one.given))

    def _take(self, one: Listed, player: int | None = None) -> None:
        """Let a line be that player, or somebody new, unless another line is."""
        last, *given = one.name.split(",", 1)
        name = " ".join([*given, last]).lower().split()
        keys = [*_numbers(one.given), tuple(name) if player is None else player]
        for key in keys:
            if key in self._seen:
                twice = say(
                    "“{name}” is in the list twice: see {unit} {line}.",
                    name=names.shortened(one.name), unit=term(self.unit), line=self._seen[key],
                )  # fmt: skip
                self._fault(one, twice)
                return
        self._seen |= dict.fromkeys(keys, one.line)
        self.who[one.line] = player

    def _fault(self, one: Listed, said: Message) -> None:
        self.faults.append((one.line, said))

    def _called(self, players: Iterable[int]) -> Fact:
        return messages.listed(
            [f"{self.there[who]['name']} (#{who})" for who in sorted(players)], "or"
        )


def _write(tournament: Tournament, step: _Step, forms: set[str]) -> None:
    """Write what a line of the list brings; forms: as of roster.check_name."""
    given = step.one.given
    cells = {column: after for column, _, after in step.change.cells} if step.row else given
    details = {key: cells[key] for key in roster.DETAILS if key in cells}
    if step.row:
        player = step.change.player
        if "name" in cells:
            details["name"] = roster.check_name(tournament.conn, step.one.name, player, forms=forms)
        roster.update(tournament.conn, "player", details, id=player)
    else:
        player = roster.register(tournament.conn, step.one.name, forms, **details)
    said = cells if step.entered else given
    entry: dict[str, Any] = {key: said[key] for key in ENTRY if key in said}
    if not step.entered:
        first, rank = entry.pop("first_round", None), entry.pop("start_rank", None)
        roster.join(tournament, player, first, rank)
    kind = entry.pop("absent_as", None)
    if kind is not None:
        presence.by_default(tournament, [player], str(kind))
    roster.update(
        tournament.conn, "x_player_tournament", entry, tournament_id=tournament.id, player_id=player
    )
