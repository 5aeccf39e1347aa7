"""The act import: lists of members, games, unplayed rounds, whole seasons."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from keizer import addons
from keizer.acts.declare import FILE, FLAG, Reader, act, always, choice
from keizer.acts.session import Session, Writing
from keizer.errors import KeizerError, UnclearError, refuse_if_any
from keizer.formats import apart, limits, sent, spreadsheets, stages
from keizer.formats import members as members_lists
from keizer.formats.sent import MEMBERS, Sent
from keizer.messages import Message, ignore, or_none, plural, say, term
from keizer.season.names import identity, spelling
from keizer.season.people import members, merging
from keizer.season.people.lists import MemberList


class Imported(NamedTuple):
    """The result of an import.

    said: a message with what was imported.
    notes: messages that a person should read, such as columns that were left out.
    merge: the effect of a members' list; None for games, unplayed rounds or a season.
    remarks: True if a note is about a member of the list.
    members: the members' list as it was read from the file; None for other files.
    """

    said: Message
    notes: list[Message]
    merge: merging.MergedList | None = None
    remarks: bool = False
    members: MemberList | None = None

    @property
    def summary(self) -> list[Message]:
        """The messages for people: what was imported, and the notes.

        For a members' list the first message has the numbers of members that are new,
        changed and so on. It is left out if all these numbers are zero.
        """
        messages = _counts_sentence(self.merge) if self.merge else [self.said]
        return messages + self.notes


def _read_who(typed: str) -> tuple[int, str]:
    """Read LINE=WHO, which says who a line of a members' list is about.

    WHO is the number of a player; or that number with :rename behind it, to give the
    player the name in the list; or new for a new person; or nobody to ignore the line.
    Returns the number of the line and WHO, such as (12, "new") or (3, "17:rename").
    """
    answer = re.fullmatch(
        r"(\d{1,6})=(new|nobody|\d{1,18}(?::rename)?)", typed.strip(), re.ASCII
    )
    if not answer:
        raise KeizerError(
            "“{typed}” does not say who a line is: type LINE=NUMBER, LINE=new or"
            " LINE=nobody.",
            typed=spelling.shortened(typed),
        )
    return int(answer[1]), answer[2]


_HEADING = choice("-", *members_lists.HEADINGS)
"""The heading of a column of members; - for a column that is left out."""


COLUMNS = Reader(
    "A,B,...",
    lambda typed: [_HEADING.read(text) for text in typed.split(",")],
    one_text_is_list=True,
    joins_lists=True,
)

_TABLES = {"games": spreadsheets.games, "unplayed": spreadsheets.unplayed}
"""The function that writes a table of a spreadsheet, by what the table has."""


def read_import(
    season: Session,
    list: Path | Sent,
    *,
    what: str | None = None,
    columns: Sequence[str] | None = None,
    cells: Mapping[str, str] | None = None,
    who: Sequence[tuple[int, str]] = (),
    **more: Any,
) -> dict[str, Any]:
    """Read the file of an import before the season is locked, as that takes long.

    The parameters are those of `import_`. The result is its arguments by name, where
    `list` is now the content of the file. Parameters that only say how the file is read
    are left out.
    """
    if isinstance(list, Sent):
        # The command import has read the file already, by this function.
        return {"list": list, "what": what, **more}
    with season.reading() as tournament:
        name = tournament.now.name
        persons = identity.read_persons(
            members.list_members(tournament, whole_file=True)
        )
    # A process of its own runs `sent.read` with the arguments after it: a file that is
    # too much for it, or that breaks it, does not stop this program.
    content = apart.read_in_own_process(
        sent.read, list, what, name, columns, cells, persons, dict(who)
    )
    # The content keeps the persons of the season, among whom those of the file were
    # found. If these persons change before a list is imported, it is refused.
    return {"list": content._replace(known=persons), "what": what, **more}


@act(shows_moves_first=always, snapshot_before="import", prepare=read_import)
def import_(
    tournament: Writing,
    list: Annotated[Path | Sent, FILE, "The file."],
    *,
    what: Annotated[
        str | None,
        choice(*_TABLES),
        "games: columns round, white, black, result; or unplayed.",
    ] = None,
    columns: Annotated[  # noqa: ARG001  # `prepare` reads it, and who, and cells
        Sequence[str] | None,
        COLUMNS,
        "Say what each column of a members' list is: name,rating,- (- ignores one).",
    ] = None,
    who: Annotated[  # noqa: ARG001
        Sequence[tuple[int, str]],
        Reader("LINE=WHO", _read_who),
        "Who a line is: the NUMBER of a player, NUMBER:rename, new or nobody.",
    ] = (),
    anyway: Annotated[
        bool, FLAG, "A season whose own standings are others than those counted here."
    ] = False,
    # The last three are not options: programs and pages pass them.
    # The cells that somebody corrected on the page: {"cell_LINE_COLUMN": "the text"}.
    cells: Mapping[str, str] | None = None,  # noqa: ARG001
    # How messages call the list, if not by its path.
    called: str | None = None,
    # It is called with a message about each stage of a long import.
    tell: stages.Tell = ignore,
) -> Imported:
    """Read a list of members as it is, games, unplayed rounds or a whole season."""
    # `prepare` (read_import) runs first. It has read the file, by `columns`, `who` and
    # `cells`, and put its content in place of the path.
    assert isinstance(list, Sent)  # noqa: S101
    if what:
        return _import_table(tournament, list, what, tell)
    if list.kind == MEMBERS:
        return _import_members(tournament, list, called or limits.called(list.path))
    write_season = addons.import_part("exchange.seasons").write
    season, remarks = write_season(tournament, list, tell, anyway=anyway)
    tournament.describe(say("import of {what}", what=season))
    return Imported(season, remarks)


def _import_table(
    tournament: Writing, file: Sent, table: str, tell: stages.Tell
) -> Imported:
    """Write the games or unplayed rounds of a spreadsheet; compute the standings.

    file: the content of the spreadsheet.
    table: "games" or "unplayed".
    tell: a function that is called with a message about each stage: the rows are
        written first, then the standings are computed.
    """
    write_rows = _TABLES[table]
    # The standings are computed at the end of this block, which is the second stage.
    with stages.in_stages(tournament, tell):
        imported_rows, notes = write_rows(tournament, file)
    # The message says how many rows it was, such as “12 games”.
    tournament.describe(say("import of {what}", what=imported_rows))
    return Imported(imported_rows, notes)


def _import_members(tournament: Writing, file: Sent, source: str | Message) -> Imported:
    """Merge a list of members into the tournament; return the effect and notes.

    If the list changes something, this is described on the log, and the user is warned
    of players without a seat in the draft.

    file: the list as it was read.
    source: the name of the list in an error.
    Raises UnclearError if lines have faults. It has a message for each fault, and the
    result of the import, so that a form can show the lines.
    """
    # The member list, notes about it, the headings of columns that were left out, and
    # who each line is about.
    listed, remarks, left_out, matched = file.facts
    merge = merging.merge_list(tournament, listed, matched, file.known)
    if merge.changed:
        message = say("a list: {counts}", counts=_counts(merge))
    else:
        message = plural("{number:,} player", "{number:,} players", len(merge.new))
    notes = _notes(merge, remarks, left_out)
    imported = Imported(message, notes, merge, bool(remarks), listed)
    try:
        refuse_if_any(source, [*merge.faults], say("nothing was imported"), listed.unit)
    except KeizerError as error:
        # Its messages, in an error that also has the result.
        raise UnclearError(imported, *error.messages) from None
    if merge.has_changes:
        tournament.describe(say("import of {what}", what=message))
        tournament.warn_of_players_without_seat()
    return imported


def _notes(
    merge: merging.MergedList, remarks: Sequence[Message], left_out: Sequence[str]
) -> list[Message]:
    """Return the notes of the import of a members' list.

    They name the columns that were left out, the remarks, and the members without a
    rating.

    remarks: messages about members of the list.
    left_out: the headings of columns that were not used.
    """
    notes = []
    if left_out:
        notes.append(say("left out: {columns}.", columns=left_out))
    notes += remarks
    unrated = [line.name for line in merge.lines.values() if not line.rated]
    if unrated:
        notes.append(
            say(
                "without a rating ({number:,}): {names}",
                number=len(unrated),
                names=spelling.some_names(unrated),
            )
        )
    return notes


# ------------------------------------------------------------------- in sentences


def _counts(merge: merging.MergedList) -> list[Message]:
    """Return clauses such as “3 new” and “2 changed”; a number of zero has none."""
    parts = []
    if merge.new:
        parts.append(say("{number:,} new", number=len(merge.new)))
    if merge.changed:
        parts.append(say("{number:,} changed", number=len(merge.changed)))
    return parts


def _counts_sentence(merge: merging.MergedList) -> list[Message]:
    """Return one sentence with the numbers of members that are not zero, in a list.

    They are the members who are new, changed, unchanged, and not in the list. If all of
    these numbers are zero, the list is empty.
    """
    parts = _counts(merge)
    if merge.unchanged:
        parts.append(say("{number:,} unchanged", number=merge.unchanged))
    if merge.gone:
        parts.append(
            say(
                "{number:,} not in the list ({names})",
                number=len(merge.gone),
                names=spelling.some_names(merge.gone.values()),
            )
        )
    return [say("{parts}.", parts=parts)] if parts else []


def say_merge(merge: merging.MergedList) -> list[Message]:
    """Return messages about the effect of a members' list.

    They say how many members are new, changed and so on, name the new ones, have a line
    for each member who changes, and name those who stay withdrawn.
    """
    messages = _counts_sentence(merge)
    if merge.new:
        messages.append(say("New: {names}.", names=spelling.some_names(merge.new)))
    messages += [_say_changes(line) for line in merge.changed]
    if merge.withdrawn:
        messages.append(
            say(
                "Still withdrawn: {names}. `keizer add` takes a player back.",
                names=spelling.some_names(merge.withdrawn),
            )
        )
    return messages


def _say_changes(line: merging.MergedLine) -> Message:
    """Return a message with the changes that a line of the list makes to a member."""
    # A cell is a column with the value before and the value after.
    changes = [
        say(
            "{column} {before} → {after}",
            column=term(column),
            before=or_none(before),
            after=or_none(after),
        )
        for column, before, after in line.cells
    ]
    return say(
        "{name} (#{player}): {changes}",
        name=line.name,
        player=line.player,
        changes=changes,
    )
