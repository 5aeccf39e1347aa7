"""What is imported: lists of members, games, unplayed rounds, whole seasons."""

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
from keizer.messages import Fact, Message, or_none, plural, say, term
from keizer.season.names import identity, spelling
from keizer.season.people import members, merging
from keizer.season.people.lists import Members


class Imported(NamedTuple):
    """What came in: a members' list as it was merged, else games or a season; and what to note."""

    said: Message
    notes: list[Message]
    merge: merging.Merge | None = None
    remarks: bool = False
    """Whether a note is about a member of the list."""
    members: Members | None = None

    @property
    def summary(self) -> list[Message]:
        """How many are new or changed, and the notes."""
        return (_summary(self.merge) if self.merge else [self.said]) + self.notes


def _who(typed: str) -> tuple[int, str]:
    found = re.fullmatch(
        r"(\d{1,6})=(new|nobody|\d{1,18}(?::rename)?)", typed.strip(), re.ASCII
    )
    if not found:
        raise KeizerError(
            "“{typed}” says of no line who that is: type LINE=NUMBER, LINE=new or LINE=nobody.",
            typed=spelling.shortened(typed),
        )
    return int(found[1]), found[2]


_KINDS = choice("-", *members_lists.HEADINGS)
COLUMNS = Reader(
    "A,B,...",
    lambda typed: [*map(_KINDS.read, typed.split(","))],
    many=True,
    lists=True,
)

_TABLES = {"games": spreadsheets.games, "unplayed": spreadsheets.unplayed}


def read_apart(
    season: Session,
    list: Path | Sent,
    *,
    what: str | None = None,
    columns: Sequence[str] | None = None,
    cells: Mapping[str, str] | None = None,
    who: Sequence[tuple[int, str]] = (),
    **more: Any,
) -> dict[str, Any]:
    """Read a file, if that is still to be done, while the season is not locked."""
    if isinstance(list, Sent):
        return {"list": list, "what": what, **more}
    with season.reading() as tournament:
        name = tournament.now.name
        known = identity.persons(members.listed(tournament, every=True))
    read = apart.read(sent.read, list, what, name, columns, cells, known, dict(who))
    return {"list": read._replace(known=known), "what": what, **more}


@act(shows_first=always, before="import", prepare=read_apart)
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
        "What each column of members is, as name,rating,-.",
    ] = None,
    who: Annotated[  # noqa: ARG001
        Sequence[tuple[int, str]],
        Reader("LINE=WHO", _who),
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
        with stages.in_stages(tournament, tell):
            said, notes = _TABLES[what](tournament, list)
        tournament.describe(say("import of {what}", what=said))
        return Imported(said, notes)
    if list.kind != MEMBERS:
        season, remarks = addons.part("exchange.seasons").write(
            tournament, list, tell, anyway=anyway
        )
        tournament.describe(say("import of {what}", what=season))
        return Imported(season, remarks)
    listed, notes, left_out, matched = list.facts
    merged = merging.merge(tournament, listed, matched, list.known)
    said = plural("{number:,} player", "{number:,} players", len(merged.new))
    if merged.changed:
        said = say("a list: {counts}", counts=counts(merged))
    left = [say("left out: {columns}.", columns=left_out)] if left_out else []
    unrated = [one.name for one in merged.lines.values() if not one.rated]
    without = (
        [
            say(
                "without a rating: {number:,}: {names}",
                number=len(unrated),
                names=spelling.some(unrated),
            )
        ]
        if unrated
        else []
    )
    done = Imported(said, [*left, *notes, *without], merged, bool(notes), listed)
    try:
        source = called or limits.called(list.path)
        refuse(source, [*merged.faults], say("nothing was imported"), listed.unit)
    except KeizerError as error:
        raise UnclearError(done, *error.messages) from None
    if merged.changes:
        tournament.describe(say("import of {what}", what=said))
        tournament.tell_unseated()
    return done


def counts(merge: merging.Merge) -> Fact:
    """How many are new, and how many changed."""
    found = {
        say("{number:,} new", number=len(merge.new)): merge.new,
        say("{number:,} changed", number=len(merge.changed)): merge.changed,
    }
    return [said for said, some in found.items() if some]


def _summary(merge: merging.Merge) -> list[Message]:
    parts = counts(merge)
    if merge.unchanged:
        parts.append(say("{number:,} unchanged", number=merge.unchanged))
    if merge.gone:
        gone = [*merge.gone.values()]
        parts.append(
            say(
                "{number:,} not in the list ({names})",
                number=len(gone),
                names=spelling.some(gone),
            )
        )
    return [say("{parts}.", parts=parts)] if parts else []


def brought(merge: merging.Merge) -> list[Message]:
    """What a list brings: how many, who is new, each change, who is left alone."""
    said = _summary(merge)
    if merge.new:
        said.append(say("New: {names}.", names=spelling.some(merge.new)))
    said += [
        say(
            "{name} (#{player}): {changes}",
            name=name,
            player=player,
            changes=[
                say(
                    "{column} {before} → {after}",
                    column=term(column),
                    before=before,
                    after=after,
                )
                for column, before, after in (map(or_none, cell) for cell in cells)
            ],
        )
        for player, name, cells, *_ in merge.changed
    ]
    if merge.withdrawn:
        gone = spelling.some(merge.withdrawn)
        said.append(
            say(
                "Still withdrawn: {names}. `keizer add` takes a player back.",
                names=gone,
            )
        )
    return said
