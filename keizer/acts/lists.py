"""Lists of members: imported, as whole seasons are; ratings from a rating list."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from keizer.acts.declare import FILE, FLAG, TEXT, Reader, act, always, choice, number
from keizer.acts.session import Session, Writing
from keizer.errors import KeizerError, UnclearError, refuse
from keizer.formats import apart, facts, limits, lists, ratings, seasons, sent, spreadsheets
from keizer.formats import members as members_lists
from keizer.formats.sent import MEMBERS, Sent
from keizer.messages import Fact, Message, or_none, plural, say, term
from keizer.season import identity, members, merging, names, resolve
from keizer.season.lists import Members, changed_meanwhile


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
    found = re.fullmatch(r"(\d{1,6})=(new|nobody|\d{1,18}(?::rename)?)", typed.strip(), re.ASCII)
    if not found:
        raise KeizerError(
            "“{typed}” says of no line who that is: type LINE=NUMBER, LINE=new or LINE=nobody.",
            typed=names.shortened(typed),
        )
    return int(found[1]), found[2]


_KINDS = choice("-", *members_lists.HEADINGS)
COLUMNS = Reader(
    "A,B,...", lambda typed: [*map(_KINDS.read, typed.split(","))], many=True, lists=True
)

_TABLES = {"games": spreadsheets.games, "unplayed": spreadsheets.unplayed}


def read_apart(
    season: Session, list: Path | Sent, *, what: str | None = None,
    columns: Sequence[str] | None = None, cells: Mapping[str, str] | None = None,
    who: Sequence[tuple[int, str]] = (), **more: Any,
) -> dict[str, Any]:  # fmt: skip
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
        str | None, choice(*_TABLES), "games: columns round, white, black, result; or unplayed."
    ] = None,
    columns: Annotated[  # noqa: ARG001  # `prepare` reads it, and who, and cells
        Sequence[str] | None, COLUMNS, "What each column of members is, as name,rating,-."
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
    tell: facts.Tell = facts.silent,
) -> Imported:
    """Read a list of members as it is, games, unplayed rounds or a whole season."""
    assert isinstance(list, Sent)  # noqa: S101  # `prepare` sees to it
    if what:
        with facts.in_stages(tournament, tell):
            said, notes = _TABLES[what](tournament, list)
        tournament.describe(say("import of {what}", what=said))
        return Imported(said, notes)
    if list.kind != MEMBERS:
        season, remarks = seasons.write(tournament, list, tell, anyway=anyway)
        tournament.describe(say("import of {what}", what=season))
        return Imported(season, remarks)
    listed, notes, left_out, matched = list.facts
    merged = merging.merge(tournament, listed, matched, list.known)
    said = plural("{number:,} player", "{number:,} players", len(merged.new))
    if merged.changed:
        said = say("a list: {counts}", counts=counts(merged))
    left = [say("left out: {columns}.", columns=left_out)] if left_out else []
    unrated = [one.name for one in merged.lines.values() if not one.rated]
    without = [say("without a rating: {number:,}: {names}", number=len(unrated),
                   names=facts.listed(unrated))] if unrated else []  # fmt: skip
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
        gone, names = len(merge.gone), facts.listed([*merge.gone.values()])
        parts.append(say("{number:,} not in the list ({names})", number=gone, names=names))
    return [say("{parts}.", parts=parts)] if parts else []


def brought(merge: merging.Merge) -> list[Message]:
    """What a list brings: how many, who is new, each change, who is left alone."""
    said = _summary(merge)
    if merge.new:
        said.append(say("New: {names}.", names=facts.listed(merge.new)))
    said += [
        say("{name} (#{player}): {changes}", name=name, player=player, changes=[
            say("{column} {before} → {after}", column=term(column), before=before, after=after)
            for column, before, after in (map(or_none, cell) for cell in cells)
        ])
        for player, name, cells, *_ in merge.changed
    ]  # fmt: skip
    if merge.withdrawn:
        names = facts.listed(merge.withdrawn)
        said.append(say("Still withdrawn: {names}. `keizer add` takes a player back.", names=names))
    return said


class Searched(NamedTuple):
    """Members (known, by id) as a rating list has them, and the ids that are to be kept."""

    source: Fact
    title: Message
    candidates: Mapping[int, ratings.Candidates]
    known: Mapping[int, lists.Entry]
    matched: dict[int, str]


class Rated(NamedTuple):
    """What a rating list changes: its title, a line a member, and the changes by player.id."""

    said: Message
    title: Message
    kind: str
    lines: Sequence[ratings.Line]
    changes: Mapping[int, Mapping[str, Any]]


def _search(
    season: Session, list: Path, *, type: str = "standard", match: Sequence[str] = (),
    all: bool = False, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Search a large list, which takes a while, in which the file is not locked."""
    with season.reading() as tournament:
        known = ratings.members(tournament.conn, None if all else tournament.id)
    called, matched = {member.id: member.name for member in known}, dict[int, str]()
    for typed in match:
        name, equals, kept = typed.rpartition("=")
        if not (equals and kept.strip()):
            raise KeizerError("“{typed}” is no match: type --match NAME=ID.", typed=typed)
        matched[resolve.player(name, called)] = kept.strip()
    title, found = ratings.search(list, type, known, matched)
    by_id = {member.id: member for member in known}
    searched = Searched(limits.called(list.name), title, found, by_id, matched)
    return {"list": searched, "type": type, "all": all, **more}


@act(shows_first=always, prepare=_search)
def rate(
    tournament: Writing,
    list: Annotated[Path | Searched, FILE, "The list of FIDE, KNSB or DSB, or CSV."],
    *,
    type: Annotated[str, choice(*lists.KINDS), "Which of the list's ratings."] = "standard",
    match: Annotated[  # noqa: ARG001  # `prepare` reads it
        Sequence[str], TEXT, "A player's id, to be kept: NAME=ID."
    ] = (),
    jump: Annotated[
        int, number(1), f"Warn of changes of N points or more; {ratings.JUMP} by default."
    ] = ratings.JUMP,
    skip_jumps: Annotated[bool, FLAG, "Keep the old rating where there is such a warning."] = False,
    ids: Annotated[
        bool, FLAG, "Take over ids, titles, federations and years of birth too."
    ] = False,
    all: Annotated[
        bool, FLAG, "Everybody in the file, also those who did not enter this tournament."
    ] = False,
) -> Rated:
    """Bring ratings up to a rating list, and show what changes.

    FILE is the list of FIDE (XML or text), KNSB or DSB (spieler.csv), also as the zip
    it comes in, or CSV with the columns name and rating; with - it comes from standard
    input.
    """
    assert isinstance(list, Searched)  # noqa: S101  # `prepare` sees to it
    now = ratings.members(tournament.conn, None if all else tournament.id)
    same = [member for member in now if member.id in list.known]
    if any(not ratings.same_person(member, list.known[member.id]) for member in same):
        raise changed_meanwhile()
    lines = ratings.compare(same, list.candidates, list.matched, jump=jump, skip_jumps=skip_jumps)
    changes = ratings.changes(lines, list.matched, ids=ids)
    ratings.write(tournament.conn, changes)
    players = plural("{number:,} player", "{number:,} players", len(changes))
    said = say("ratings of {players} from {source}", players=players, source=list.source)
    tournament.describe(said)
    return Rated(said, list.title, type, lines, changes)
