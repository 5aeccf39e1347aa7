"""A list of members, merged into a tournament: what is new, changed or gone.

Who is who was found out before (identity.py): here it is written.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season import tournaments
from keizer.season.club_night import presence
from keizer.season.names import identity, resolve
from keizer.season.names.identity import Match, Matched, Person
from keizer.season.people import roster
from keizer.season.people.lists import Listed, Members
from keizer.season.people.members import listed
from keizer.season.queries import Tournament
from keizer.store.connection import sentence

ENTRY = ("first_round", "start_rank", "absent_as", "last_round")
"""What a list may say of a member's entry, beside roster.DETAILS."""


class Line(NamedTuple):
    """What is to be seen of a line: who that is, what changes, what is wrong, who it may be.

    player: 0 for who is new; name: that of the file; cells: column, before and after; called:
    the name in the list. players, lines: who is likely the same, the first of them, and how many
    more. asks: nobody said so yet.
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
    more: int = 0
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


def merge(
    tournament: Tournament, members: Members, matched: Matched, known: Sequence[Person]
) -> Merge:
    """Merge a list into a tournament, in the caller's transaction; what that brings, or faults.

    matched: who is who among those who were known. Raises KeizerError if they are others by now.
    """
    there = {row["number"]: row for row in listed(tournament, every=True)}
    identity.check_same(known, there.values())
    by_line = {one.line: one for one in members.listed}
    lines = {
        line: _line(match, by_line[line], by_line, there)
        for line, match in matched.lines.items()
    }
    faults = [*matched.faults]
    steps = [
        one
        for one in members.listed
        if one.line in lines and matched.lines[one.line].player is not None
    ]
    looks = resolve.Looks(row["name"] for row in there.values())
    with tournaments.suspended(tournament):
        for one in steps:
            tournament.conn.execute("SAVEPOINT line")
            try:
                _write(tournament, one, lines[one.line], looks)
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
    likely = {*matched.likely}
    return Merge(
        new=tuple(line.called for line in done if not line.entered),
        changed=tuple(line for line in done if line.cells),
        unchanged=sum(line.entered and not line.cells for line in done),
        gone={
            player: row["name"]
            for player, row in there.items()
            if row["state"] and row["last_round"] is None and player not in likely
        },
        withdrawn=tuple(
            line.name
            for one, line in zip(steps, done, strict=True)
            if line.entered
            and there[line.player]["last_round"] is not None
            and "last_round" not in one.given
        ),
        lines=dict(sorted(lines.items())),
        faults=faults,
    )


def _line(
    match: Match,
    one: Listed,
    listed: Mapping[int, Listed],
    there: Mapping[int, Mapping[str, Any]],
) -> Line:
    """Return what is to be seen of a line of which it was found out who it is, or may be."""
    line = Line(
        called=one.name,
        players={player: str(there[player]["name"]) for player in match.players},
        lines={line: listed[line].name for line in match.lines},
        more=match.more,
        asks=match.asks,
    )
    if match.player is None:
        return line
    row = there.get(match.player, {})
    cells = [
        (column, row[column], after)
        for column, after in one.given.items()
        if row and (row["state"] or column in roster.DETAILS)
    ]
    if match.renamed:
        cells.insert(0, ("name", row["name"], one.name))
    return line._replace(
        player=match.player,
        name=row.get("name", one.name),
        cells=tuple(cell for cell in cells if cell[1] != cell[2]),
        entered=bool(row.get("state")),
        rated=bool(one.given.get("rating") or row.get("rating")),
    )


def _write(
    tournament: Tournament, one: Listed, line: Line, looks: resolve.Looks
) -> None:
    """Write what a line of the list brings; looks: as of roster.check_name."""
    player, conn = line.player, tournament.conn
    cells = {column: after for column, _, after in line.cells} if player else one.given
    details = {key: cells[key] for key in roster.DETAILS if key in cells}
    if player:
        if "name" in cells:
            details["name"] = roster.check_name(conn, one.name, player, looks=looks)
        roster.update(conn, "player", details, id=player)
    else:
        player = roster.register(conn, one.name, looks, **details)
    said = cells if line.entered else one.given
    entry: dict[str, Any] = {key: said[key] for key in ENTRY if key in said}
    if not line.entered:
        first, rank = entry.pop("first_round", None), entry.pop("start_rank", None)
        roster.join(tournament, player, first, rank)
    kind = entry.pop("absent_as", None)
    if kind is not None:
        presence.by_default(tournament, [player], str(kind))
    roster.update(
        conn,
        "x_player_tournament",
        entry,
        tournament_id=tournament.id,
        player_id=player,
    )
