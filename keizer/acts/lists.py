"""The act import: lists of members, games, unplayed rounds, whole seasons."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from keizer import addons
from keizer.acts.declare import FILE, FLAG, Reader, act, always, choice
from keizer.acts.session import Session, Writing
from keizer.errors import KeizerError, UnclearError, refuse
from keizer.formats import apart, limits, sent, spreadsheets, stages
from keizer.formats import members as members_lists
from keizer.formats.sent import MEMBERS, Sent
from keizer.messages import Message, or_none, plural, say, term
from keizer.season.names import identity, spelling
from keizer.season.people import members, merging
from keizer.season.people.lists import MemberList


class Imported(NamedTuple):
    """The result of an import.

    notes: messages that a person should read, such as columns that were left out.
    merge: the effect of a members' list; None for games, unplayed rounds or a season.
    has_remarks: True if a note is about a member of the list.
    members: the members' list as it was read from the file.
    """

    said: Message
    notes: list[Message]
    merge: merging.MergedList | None = None
    remarks: bool = False
    members: MemberList | None = None

    @property
    def summary(self) -> list[Message]:
        """What was imported, in one message, and the notes.

        Of a members' list that is how many members are new, changed and so on.
        """
        messages = _counts_sentence(self.merge) if self.merge else [self.said]
        return messages + self.notes


def _read_who(typed: str) -> tuple[int, str]:
    """Read LINE=WHO, such as 12=new: return the number of the line, and who it is."""
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
    is_list=True,
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
    """Read the file of an import before the season is locked.

    The parameters are those of `import_`; the result is its arguments, with the content
    of the file as `list`.
    """
    if isinstance(list, Sent):
        # The caller has read the file already, such as the command import.
        return {"list": list, "what": what, **more}
    with season.reading() as tournament:
        name = tournament.now.name
        known = identity.read_persons(members.list_members(tournament, every=True))
    file = apart.read(sent.read, list, what, name, columns, cells, known, dict(who))
    # The known persons go along: the import is refused if they change before it.
    return {"list": file._replace(known=known), "what": what, **more}


@act(shows_first=always, before="import", prepare=read_import)
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
    cells: Mapping[str, str] | None = None,  # noqa: ARG001
    called: str | None = None,
    tell: stages.Tell = stages.silent,
) -> Imported:
    """Read a list of members as it is, games, unplayed rounds or a whole season."""
    assert isinstance(list, Sent)  # noqa: S101  # `prepare` sees to it
    if what:
        return _import_table(tournament, list, what, tell)
    if list.kind == MEMBERS:
        return _import_members(tournament, list, called or limits.called(list.path))
    write_season = addons.part("exchange.seasons").write
    season, remarks = write_season(tournament, list, tell, anyway=anyway)
    tournament.describe(say("import of {what}", what=season))
    return Imported(season, remarks)


def _import_table(
    tournament: Writing, file: Sent, what: str, tell: stages.Tell
) -> Imported:
    """Write the games or unplayed rounds of a table into the tournament.

    what: a key of _TABLES. tell: is called with each stage.
    """
    with stages.in_stages(tournament, tell):
        message, notes = _TABLES[what](tournament, file)
    tournament.describe(say("import of {what}", what=message))
    return Imported(message, notes)


def _import_members(tournament: Writing, file: Sent, source: str | Message) -> Imported:
    """Merge a list of members into the tournament.

    source: the name of the list in an error.
    Raises UnclearError if lines have faults. It has the result of the import, so that a
    form can show the lines, and a message for each fault.
    """
    listed, remarks, left_out, matched = file.facts
    merge = merging.merge_list(tournament, listed, matched, file.known)
    if merge.changed:
        message = say("a list: {counts}", counts=_counts(merge))
    else:
        message = plural("{number:,} player", "{number:,} players", len(merge.new))
    notes = _notes(merge, remarks, left_out)
    imported = Imported(message, notes, merge, bool(remarks), listed)
    try:
        refuse(source, [*merge.faults], say("nothing was imported"), listed.unit)
    except KeizerError as error:
        raise UnclearError(imported, *error.messages) from None
    if merge.has_changes:
        tournament.describe(say("import of {what}", what=message))
        tournament.tell_unseated()
    return imported


def _notes(
    merge: merging.MergedList, remarks: Sequence[Message], left_out: Sequence[str]
) -> list[Message]:
    """Return the notes of an import.

    They are the columns that were left out, the remarks on members, and the members
    without a rating.
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
    """Return messages with the number of new and of changed members, if not zero."""
    parts = []
    if merge.new:
        parts.append(say("{number:,} new", number=len(merge.new)))
    if merge.changed:
        parts.append(say("{number:,} changed", number=len(merge.changed)))
    return parts


def _counts_sentence(merge: merging.MergedList) -> list[Message]:
    """Return a sentence with all counts that are not zero; [] if all are zero."""
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

    They have the counts, the names of new members, each change, and the names of
    members who stay withdrawn.
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
    """Return a message with the changes that a line makes to a member."""
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
