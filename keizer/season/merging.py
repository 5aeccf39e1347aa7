"""A list of members, merged into a tournament: who is who, and what is new, changed or gone.

A member is found in the file by FIDE id, by national id, by the very name, else by a name of the
same words (order, comma, capitals and accents do not matter) where one player of the file and one
member of the list fit. Nobody is guessed: of everything else that comes near it is asked who it is.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from keizer import messages
from keizer.errors import KeizerError
from keizer.messages import Message, say, term
from keizer.season import names, presence, resolve, roster, tournaments
from keizer.season.lists import Listed, Members
from keizer.season.members import listed
from keizer.season.queries import Tournament
from keizer.store.connection import sentence

NUMBERS = ("fide_id", "national_id")
NEW, NOBODY, RENAME = "new", "nobody", ":rename"
"""Answers to who a line is, beside the number of a player."""
ENTRY = ("first_round", "start_rank", "absent_as", "last_round")
"""What a list may say of a member's entry, beside roster.DETAILS."""


class Line(NamedTuple):
    """What is to be seen of a line: who that is, what changes, what is wrong, who it may be.

    player: 0 for who is new; name: that of the file; cells: column, before and after; called:
    the name in the list. players, lines: who is likely the same. asks: nobody said so yet.
    """

    player: int = 0
    name: str = ""
    cells: tuple[tuple[str, roster.Detail, roster.Detail], ...] = ()
    called: str = ""
    entered: bool = False
    rated: bool = True
    wrong: tuple[Message, ...] = ()
    players: Mapping[int, str] = {}
    lines: Mapping[int, str] = {}
    asks: bool = False


class Merge(NamedTuple):
    """What a list brings: names, changes, and how many stay as they are.

    gone: who takes part and is not in the list; they are left alone. withdrawn: who is in the
    list, and stays withdrawn. lines: what there is to see of each; faults: why it cannot be.
    """

    new: tuple[str, ...]
    changed: tuple[Line, ...]
    unchanged: int
    gone: Mapping[int, str]
    withdrawn: tuple[str, ...]
    lines: Mapping[int, Line] = {}
    faults: Sequence[tuple[int, Message]] = ()

    @property
    def changes(self) -> bool:
        """Whether anything does."""
        return bool(self.new or self.changed)

    @property
    def only_new(self) -> bool:
        """Whether there is nobody but them, in the list and in the tournament."""
        return not (self.changed or self.unchanged or self.gone or self.withdrawn)


def merge(tournament: Tournament, members: Members, who: Mapping[int, str]) -> Merge:
    """Merge a list into a tournament, in the caller's transaction; what that brings, or faults.

    who: by line the number of the player that it is, with RENAME where the name of the list is
    right; or NEW, or NOBODY.
    """
    there = {row["number"]: row for row in listed(tournament, every=True)}
    matching = _Matching(there, members, who)
    faults, lines = matching.faults, matching.lines
    steps = [one for one in members.listed if one.line in matching.who]
    forms = resolve.forms(row["name"] for row in there.values())
    with tournaments.suspended(tournament):
        for one in steps:
            tournament.conn.execute("SAVEPOINT line")
            try:
                _write(tournament, one, lines[one.line], forms)
            except (KeizerError, sqlite3.IntegrityError) as error:
                if isinstance(error, KeizerError):
                    said = error.said
                else:
                    said = say("{name}: {why}", name=one.name, why=sentence(error))
                faults.append((one.line, said))
                tournament.conn.execute("ROLLBACK TO line")
                tournament.forget()
            tournament.conn.execute("RELEASE line")
    for number, said in faults:
        line = lines.get(number, Line())
        lines[number] = line if line.asks else line._replace(wrong=(*line.wrong, said))
    done = [lines[one.line] for one in steps]
    told = {*matching.who.values()} | {
        who for line in lines.values() if line.asks for who in line.players
    }
    return Merge(
        new=tuple(line.called for line in done if not line.entered),
        changed=tuple(line for line in done if line.cells),
        unchanged=sum(line.entered and not line.cells for line in done),
        gone={
            player: row["name"]
            for player, row in there.items()
            if row["state"] and row["last_round"] is None and player not in told
        },
        withdrawn=tuple(
            line.name
            for one, line in zip(steps, done, strict=True)
            if line.entered and there[line.player]["last_round"] is not None
            and "last_round" not in one.given
        ),
        lines=dict(sorted(lines.items())),
        faults=faults,
    )  # fmt: skip


def _settled(line: Line, one: Listed, row: Mapping[str, Any], answer: str) -> Line:
    """A line, and what it changes; row: of the player, empty of who is new."""
    cells = [
        (column, row[column], after)
        for column, after in one.given.items()
        if row and (row["state"] or column in roster.DETAILS)
    ]
    if row and (answer.endswith(RENAME) if answer else _numbers(one.given) & _numbers(row)):
        cells.insert(0, ("name", row["name"], one.name))
    return line._replace(
        player=row.get("number", 0),
        name=row.get("name", one.name),
        cells=tuple(cell for cell in cells if cell[1] != cell[2]),
        called=one.name,
        entered=bool(row.get("state")),
        rated=bool(one.given.get("rating") or row.get("rating")),
    )


# ------------------------------------------------------------------ who is who


def _numbers(of: Mapping[str, Any]) -> set[tuple[str, Any]]:
    return {(column, of[column]) for column in NUMBERS if of.get(column)}


def _in_one_order(name: str) -> tuple[str, ...]:
    last, *given = name.split(",", 1)
    return tuple(" ".join([*given, last]).lower().split())


class _Matching:
    """Who in a list is who in the file: `who` has the player of each line, 0 of one who is new.

    A line with a fault is not in it. lines: what is to be seen of those, and of who is asked about.
    """

    def __init__(
        self, there: Mapping[int, Mapping[str, Any]], members: Members, answers: Mapping[int, str]
    ) -> None:
        left = {line for line, what in answers.items() if what == NOBODY}
        self.there, self.unit, self.answers = there, members.unit, answers
        self.faults = [fault for fault in members.faults if fault[0] not in left]
        self.listed = {one.line: one for one in members.listed if one.line not in left}
        self.who: dict[int, int] = {}
        self.lines: dict[int, Line] = {}
        self._seen: dict[object, int] = {}
        self._known: dict[object, set[int]] = defaultdict(set)
        for row in there.values():
            for key in (row["name"], *_numbers(row)):
                self._known[key].add(row["number"])
        rest = [one for one in self.listed.values() if not self._found(one, _numbers(one.given))]
        rest = [one for one in rest if not self._found(one, [one.name])]
        self._by_likeness(self._by_words(rest))

    def _under(self, keys: Iterable[object]) -> set[int]:
        return {player for key in keys for player in self._known.get(key, ())}

    def _found(self, one: Listed, keys: Iterable[object]) -> bool:
        """Whether a line is settled by what the file has it under."""
        found = self._under(keys)
        entered = {player for player in found if self.there[player]["state"]}
        if len(found) > 1 and len(entered) == 1 and one.name in keys:
            found = entered  # of namesakes the one who plays here
        if len(found) > 1:
            self._ask(one, found)
        elif found:
            self._settle(one, *found)
        return bool(found)

    def _by_words(self, rest: list[Listed]) -> list[Listed]:
        """Settle lines by names that are spelt otherwise; those that fit nobody."""
        for player in self.there.keys() - self.who.values():
            for words in resolve.in_any_order(self.there[player]["name"]):
                self._known[words].add(player)
        fits = {one.line: self._under(resolve.in_any_order(one.name)) for one in rest}
        lines: dict[int, set[int]] = defaultdict(set)
        for line, found in fits.items():
            for player in found:
                lines[player].add(line)
        for one in rest:
            found = fits[one.line]
            rivals = {line for player in found for line in lines[player]} - {one.line}
            if len(found) > 1 or rivals or any(self._differ(one, self.there[who]) for who in found):
                self._ask(one, found, rivals)
            elif found:
                self._settle(one, *found)
        return [one for one in rest if not fits[one.line]]

    def _by_likeness(self, rest: list[Listed]) -> None:
        """Settle who fits nobody: new, unless a name comes near, or the line is in doubt."""
        taken, late = {*self.who.values()}, {one.line for one in rest}
        named = {-line: (one.name, one.given) for line, one in self.listed.items()} | {
            player: (row["name"], row) for player, row in self.there.items() if player not in taken
        }
        near: dict[object, list[tuple[int, resolve.Words]]] = defaultdict(list)
        for who, (name, _) in named.items() if rest else ():
            for key, words in resolve.near(name):
                near[key].append((who, words))
        for one in rest:
            found = {
                who for key, words in resolve.near(one.name) for who, its in near[key]
                if (isinstance(key, str) or resolve.is_short(words, its))
                and not self._differ(one, named[who][1])
            }  # fmt: skip
            # Of two lines that come here, the second is asked about.
            lines = {-who for who in found if who < 0 and (-who < one.line or -who not in late)}
            players = {who for who in found if who > 0}
            if _in_one_order(one.name) in self._seen or not (players or lines or one.doubt):
                self._settle(one)
            else:
                self._ask(one, players, lines)

    def _differ(self, one: Listed, other: Mapping[str, Any]) -> bool:
        """Whether both have a number, and not the same."""
        return any(other.get(column) not in (None, own) for column, own in _numbers(one.given))

    def _ask(self, one: Listed, players: Iterable[int], lines: Iterable[int] = ()) -> None:
        """Ask who a line is, where nobody said so."""
        asks = one.line not in self.answers
        called = {who: str(self.there[who]["name"]) for who in sorted(players)}
        others = {line: self.listed[line].name for line in sorted(lines)}
        self.lines[one.line] = Line(called=one.name, players=called, lines=others, asks=asks)
        if not asks:
            self._settle(one)
            return
        told = {"name": names.shortened(one.name), "line": one.line}
        likely = [f"{name} (#{who})" for who, name in called.items()]
        rivals = [say("{unit} {line}", unit=term(self.unit), line=line) for line in others]
        if likely or rivals:
            wrong = say(
                "“{name}” may be {others}: type --who {line}={same} for the same person,"
                " --who {line}=new for somebody else.",
                others=messages.listed([*likely, *rivals], "or"), same=min(called, default=NOBODY),
                **told,
            )  # fmt: skip
        else:
            wrong = say(
                "“{name}” may be no member: type --who {line}=new if it is, --who {line}=nobody to"
                " leave it out.", **told,
            )  # fmt: skip
        self.faults.append((one.line, wrong))

    def _settle(self, one: Listed, player: int = 0) -> None:
        """Let a line be that player, or somebody new, or who it was said to be.

        It is a fault where another line is.
        """
        answer = self.answers.get(one.line, "")
        if answer:
            player = 0 if answer == NEW else int(answer.removesuffix(RENAME))
        keys = [*_numbers(one.given), player or _in_one_order(one.name)]
        seen = [self._seen[key] for key in keys if key in self._seen]
        if answer not in ("", NEW) and player not in self.there:
            wrong = say("no player has the number {number}.", number=player)
        elif seen:
            wrong = say(
                "“{name}” is in the list twice: see {unit} {line}.",
                name=names.shortened(one.name), unit=term(self.unit), line=seen[0],
            )  # fmt: skip
        else:
            self._seen |= dict.fromkeys(keys, one.line)
            self.who[one.line] = player
            asked, row = self.lines.get(one.line, Line()), self.there.get(player, {})
            self.lines[one.line] = _settled(asked, one, row, answer)
            return
        self.faults.append((one.line, wrong))


def _write(tournament: Tournament, one: Listed, line: Line, forms: set[str]) -> None:
    """Write what a line of the list brings; forms: as of roster.check_name."""
    player, conn = line.player, tournament.conn
    cells = {column: after for column, _, after in line.cells} if player else one.given
    details = {key: cells[key] for key in roster.DETAILS if key in cells}
    if player:
        if "name" in cells:
            details["name"] = roster.check_name(conn, one.name, player, forms=forms)
        roster.update(conn, "player", details, id=player)
    else:
        player = roster.register(conn, one.name, forms, **details)
    said = cells if line.entered else one.given
    entry: dict[str, Any] = {key: said[key] for key in ENTRY if key in said}
    if not line.entered:
        first, rank = entry.pop("first_round", None), entry.pop("start_rank", None)
        roster.join(tournament, player, first, rank)
    kind = entry.pop("absent_as", None)
    if kind is not None:
        presence.by_default(tournament, [player], str(kind))
    roster.update(conn, "x_player_tournament", entry, tournament_id=tournament.id, player_id=player)
