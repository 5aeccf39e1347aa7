"""Merge a list of members into a tournament: add who is new, change who is known.

Before this, names/identity.py matches the lines of the list with the players.
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
from keizer.season.people.lists import ListedMember, MemberList
from keizer.season.people.members import list_members
from keizer.season.queries import Tournament
from keizer.store.connection import error_message

ENTRY = ("first_round", "start_rank", "absent_as", "last_round")
"""The columns of a member's entry that a list may have, beside roster.DETAILS."""

# The persons of a file, rows of `members.list_members`, by player.id.
Rows = Mapping[int, Mapping[str, Any]]


class MergedLine(NamedTuple):
    """A line of a list, as it is shown before or after it is merged.

    player: player.id; 0 for somebody new, or if it is unclear who the line is.
    name: the name in the file. called: the name in the list.
    cells: what changes: column, value before and value after.
    entered: whether they were in the tournament before, perhaps withdrawn.
    rated: whether a rating is known. wrong: why the line was refused.
    players: the first players who may be the same person, name by player.id.
    lines: the first other lines that may be the same person, name by line.
    more: how many more of these players and lines there are.
    asks: whether somebody still has to answer who the line is.
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


class MergedList(NamedTuple):
    """The effect of a list that was merged.

    new: the names of those who were not in the tournament before.
    changed: the lines of players with changes.
    unchanged: how many players stay as they are.
    gone: members who are not in the list, name by id; they stay as they are.
    withdrawn: names of members who are in the list, but had withdrawn and stay so.
    lines: all lines that are shown, by number of the line.
    faults: why the list cannot be merged: number of the line and message.
    """

    new: tuple[str, ...]
    changed: tuple[MergedLine, ...]
    unchanged: int
    gone: Mapping[int, str]
    withdrawn: tuple[str, ...]
    lines: Mapping[int, MergedLine] = {}
    faults: Sequence[tuple[int, Message]] = ()

    @property
    def has_changes(self) -> bool:
        """Return whether the list changes anything."""
        return bool(self.new or self.changed)

    @property
    def has_only_newcomers(self) -> bool:
        """Return whether all in the list are new, and nobody was in the tournament."""
        return not (self.changed or self.unchanged or self.gone or self.withdrawn)


def merge_list(
    tournament: Tournament,
    members: MemberList,
    matched: Matched,
    known: Sequence[Person],
) -> MergedList:
    """Write the members of a list into a tournament, and return the effect.

    Lines without a fault are written even if others have faults. If the result has
    faults, the caller has to raise an error, which rolls the transaction back.
    matched: the list matched with players. known: the persons as they were then.
    Raises KeizerError if the persons of the file have changed since.
    """
    before = {row["number"]: row for row in list_members(tournament, whole_file=True)}
    identity.check_unchanged(known, before.values())
    by_line = {member.line: member for member in members.listed}
    lines = {}
    for number, match in matched.lines.items():
        lines[number] = _merged_line(match, by_line[number], by_line, before)
    # A line is written if it is clear who it is: a player, or a newcomer (0).
    identified = [
        member
        for member in members.listed
        if member.line in lines and matched.lines[member.line].player is not None
    ]
    known_names = resolve.Lookalikes(row["name"] for row in before.values())
    refusals = _write_all(tournament, identified, lines, known_names)
    faults = [*matched.faults, *refusals]
    for number, message in faults:
        line = lines.get(number, MergedLine())
        # If somebody has to answer who a line is, its fault is the question. The line
        # shows that by the players and lines to choose from.
        if not line.asks:
            line = line._replace(wrong=(*line.wrong, message))
        lines[number] = line
    # Refused lines count too: if there is one, nothing stays written anyway.
    written = [lines[member.line] for member in identified]
    return MergedList(
        new=tuple(line.called for line in written if not line.entered),
        changed=tuple(line for line in written if line.cells),
        unchanged=sum(line.entered and not line.cells for line in written),
        gone=_gone(before, matched),
        withdrawn=tuple(
            line.name
            for member, line in zip(identified, written, strict=True)
            if _stays_withdrawn(member, line, before)
        ),
        lines=dict(sorted(lines.items())),
        faults=faults,
    )


def _merged_line(
    match: Match,
    member: ListedMember,
    by_line: Mapping[int, ListedMember],
    before: Rows,
) -> MergedLine:
    """Return what is shown of a line: who it may be and, if that is clear, its changes.

    match: the player that the line was matched with. member: the member on the line.
    by_line: all members of the list, by line. before: the rows of all persons of the
    file, by player.id.
    """
    line = MergedLine(
        called=member.name,  # the name in the list; below, `name` is that in the file
        players={player: str(before[player]["name"]) for player in match.players},
        lines={number: by_line[number].name for number in match.lines},
        more=match.more,
        asks=match.asks,
    )
    if match.player is None:
        return line
    row = before.get(match.player, {})  # empty for a newcomer
    has_entered = bool(row.get("state"))  # this tournament, not only others
    # Each change is a column, the value before, and the value after.
    changes = []
    if match.renamed and row["name"] != member.name:
        changes.append(("name", row["name"], member.name))
    for column, value in member.given.items():
        # A newcomer has nothing that could change. A person of the file who did not
        # enter the tournament has details, but no entry.
        can_change = row and (has_entered or column in roster.DETAILS)
        if can_change and row[column] != value:
            changes.append((column, row[column], value))
    return line._replace(
        player=match.player,
        name=row.get("name", member.name),
        cells=tuple(changes),
        entered=has_entered,
        rated=bool(member.given.get("rating") or row.get("rating")),
    )


def _gone(before: Rows, matched: Matched) -> dict[int, str]:
    """Return the players who are missing from the list: name by id.

    No line of the list is one of them, or may be one of them. Players who have
    withdrawn are left out.
    """
    likely = {*matched.likely}
    return {
        player: row["name"]
        for player, row in before.items()
        if row["state"] and row["last_round"] is None and player not in likely
    }


def _stays_withdrawn(member: ListedMember, line: MergedLine, before: Rows) -> bool:
    """Return whether a member had withdrawn, and the list does not change that.

    member, line: the member as read from the list, and the same as shown to people.
    before: the rows of all persons of the file, by player.id, from before the merge.
    """
    if not line.entered:
        return False  # they were not in the tournament, so could not withdraw from it
    if "last_round" in member.given:
        return False  # the list says whether they have withdrawn, and this is written
    # A member has a last round only if they have withdrawn.
    return before[line.player]["last_round"] is not None


def _write_all(
    tournament: Tournament,
    members: Sequence[ListedMember],
    lines: Mapping[int, MergedLine],
    known_names: resolve.Lookalikes,
) -> list[tuple[int, Message]]:
    """Write these members of the list; return line and message of those refused.

    lines: what changes, by number of the line. known_names: an index of all names of
    the file; new names are added to it.
    """
    faults = []
    with tournaments.revaluation_suspended(tournament):
        for member in members:
            # All lines are tried, so that people see every fault at once. If a line is
            # refused, it is rolled back alone: it does not affect the next lines.
            tournament.conn.execute("SAVEPOINT line")
            try:
                _write(tournament, member, lines[member.line], known_names)
            except (KeizerError, sqlite3.IntegrityError) as error:
                if isinstance(error, KeizerError):
                    message = error.message
                else:
                    message = say(
                        "{name}: {why}", name=member.name, why=error_message(error)
                    )
                faults.append((member.line, message))
                tournament.conn.execute("ROLLBACK TO line")
                tournament.forget_state()
            tournament.conn.execute("RELEASE line")
    return faults


def _write(
    tournament: Tournament,
    member: ListedMember,
    line: MergedLine,
    known_names: resolve.Lookalikes,
) -> None:
    """Write a member of the list: the person, then their entry in the tournament.

    known_names: an index of all names of the file. A new name is added to it.
    Raises KeizerError or sqlite3.IntegrityError if the file refuses a value.
    """
    conn = tournament.conn
    player = line.player
    changes = {column: after for column, _, after in line.cells}
    # Of somebody new, all cells of the list are written. Of a person of the file, only
    # the cells that change are.
    person_cells = changes if player else member.given
    details = _choose(roster.DETAILS, person_cells)
    if not player:
        player = roster.register(conn, member.name, known_names, **details)
    else:
        if "name" in changes:
            details["name"] = roster.check_name(
                conn, member.name, renamed_player=player, known_names=known_names
            )
        roster.update(conn, "player", details, id=player)
    # The same holds for the entry: somebody new in the tournament has none yet.
    entry_cells = changes if line.entered else member.given
    entry = _choose(ENTRY, entry_cells)
    if not line.entered:
        first_round = entry.pop("first_round", None)
        start_rank = entry.pop("start_rank", None)
        roster.join(tournament, player, first_round, start_rank)
    absence_kind = entry.pop("absent_as", None)
    if absence_kind is not None:
        presence.set_default_presence(tournament, [player], str(absence_kind))
    roster.update(
        conn,
        "x_player_tournament",
        entry,
        tournament_id=tournament.id,
        player_id=player,
    )


def _choose(columns: Sequence[str], cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the cells that are in these columns.

    cells: values by column.
    """
    return {column: cells[column] for column in columns if column in cells}
