"""The members: entered, withdrawn, corrected, merged, imported; ratings from a list."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from keizer.acts.declare import (
    FILE,
    FLAG,
    PLAYER,
    RATING,
    ROUND,
    TEXT,
    Said,
    Who,
    act,
    always,
    choice,
    number,
)
from keizer.acts.session import Session, Writing
from keizer.errors import KeizerError
from keizer.formats import facts, limits, lists, ratings, seasons, spreadsheets
from keizer.formats import members as members_lists
from keizer.messages import Fact, Message, plural, say, term
from keizer.season import members, merging, resolve, roster, tournaments
from keizer.season.finding import find_person, find_player
from keizer.store import journal
from keizer.texts import or_none


class Joined(NamedTuple):
    """A player who was entered: their id, name and first round."""

    said: Message
    player: int
    name: str
    first_round: int


@act()
def add(
    tournament: Writing,
    name: Annotated[str, TEXT, "The player's name."],
    *,
    rating: Annotated[int | None, RATING, "Decides the start order; 0 is none."] = None,
    category: Annotated[str | None, TEXT, "Such as A, B or Youth."] = None,
    from_round: Annotated[
        int | None, ROUND, "The player's first round; the next one by default."
    ] = None,
    new: Annotated[
        bool, FLAG, "Somebody else than a player of the same name, or nearly the same."
    ] = False,
) -> Joined:
    """Enter a player, or take back a withdrawal.

    Example: keizer add club.db "Judit Baker" --rating 2110
    """
    if not new:
        roster.check_new(tournament.conn, name)
    player = roster.enter(
        tournament, name, rating=rating, category=category, from_round=from_round, new=new
    )
    tournament.tell_unseated()
    first = from_round or tournament.now.coming_round
    called = roster.players(tournament)[player]
    said = say(
        "{name} (#{player}) plays from round {round}", name=called, player=player, round=first
    )
    return Joined(said, player, called, first)


class Withdrawn(NamedTuple):
    """A player who has withdrawn, and the number of the round after which."""

    said: Message
    player: int
    name: str
    last_round: int


@act()
def withdraw(tournament: Writing, player: Annotated[Who, PLAYER, "The player."]) -> Withdrawn:
    """Withdraw a player after the latest round; their games stay.

    Example: keizer withdraw club.db Baker
    """
    found, name = find_player(tournament, player)
    last = roster.withdraw(tournament, found)
    tournament.tell_unseated()
    said = say("{name} has withdrawn after round {round}", name=name, round=last)
    return Withdrawn(said, found, name, last)


class Corrected(NamedTuple):
    """A player who was corrected, and what changed."""

    said: Message
    player: int
    name: str
    changes: list[Message]


def _or_none(reader: Any) -> Any:
    """A reader of a detail that can be taken away: by nothing, or the word none."""
    return reader._replace(
        read=lambda typed: "" if typed.casefold() == "none" else reader.read(typed)
    )


def _changes_the_order(*_: object, **details: Any) -> bool:
    """Whether a correction is of what the standings rest on."""
    return not members.ENTRY.keys().isdisjoint(_given(details))


def _given(details: Mapping[str, Any]) -> dict[str, roster.Detail]:
    return {name: value or None for name, value in details.items() if value is not None}


_NAME = Annotated[str | None, TEXT, "The name, corrected."]
Number = int | str | None


@act(shows_first=_changes_the_order, finished=True)
def correct_member(
    tournament: Writing,
    player: Annotated[Who, PLAYER, "The player."],
    *,
    name: _NAME = None,
    rating: Annotated[Number, _or_none(RATING), "Today's rating; 0 is none."] = None,
    category: Annotated[str | None, _or_none(TEXT), "Such as A, B or Youth."] = None,
    title: Annotated[str | None, _or_none(TEXT), "Such as GM or WIM."] = None,
    fide_id: Annotated[Number, _or_none(number(1)), "The number in FIDE's list."] = None,
    national_id: Annotated[str | None, _or_none(TEXT), "The number in the national list."] = None,
    federation: Annotated[str | None, _or_none(TEXT), "Three letters, such as NED."] = None,
    sex: Annotated[str | None, _or_none(TEXT), "m or w."] = None,
    born: Annotated[str | None, _or_none(TEXT), "A year, or a date, YYYY-MM-DD."] = None,
    start_rating: Annotated[
        Number, _or_none(RATING), "The rating that the start order goes by."
    ] = None,
    start_rank: Annotated[Number, _or_none(number(1)), "A set place in the start order."] = None,
    first_round: Annotated[int | None, ROUND, "The first round to play in."] = None,
) -> Corrected:
    """Correct what the file has of a player; "" takes a detail away.

    Until a round is paired the start rating follows the rating.
    """
    details = {key: value for key, value in locals().items() if key in DETAILS}
    changes = _given(details)
    found, called = find_person(tournament, player)
    if not members.ENTRY.keys().isdisjoint(changes):
        tournaments.check_running(tournament)
    done = members.correct(tournament, found, changes)
    said: Fact = done or say("nothing to change")
    return Corrected(say("{name}: {changes}", name=called, changes=said), found, called, done)


DETAILS = ("name", *roster.DETAILS, *members.ENTRY)
"""What can be corrected of a member."""


@act(shows_first=always)
def merge(
    tournament: Writing,
    player: Annotated[Who, PLAYER, "The player."],
    other: Annotated[Who, PLAYER, "A second entry of the person, to be one with this."],
) -> Said:
    """Make two entries of one person one."""
    both = [find_person(tournament, who).id for who in (player, other)]
    return Said(members.merge(tournament.conn, *both))


@act(shows_first=always)
def remove(tournament: Writing, player: Annotated[Who, PLAYER, "The player."]) -> Said:
    """Take out a player who has no game."""
    return Said(members.remove(tournament, find_person(tournament, player).id))


# ------------------------------------------------------------------------- lists


class Imported(NamedTuple):
    """What came in: a members' list as it was merged, else games or a season; and what to note."""

    said: Message
    notes: list[Message]
    merge: merging.Merge | None = None
    remarks: bool = False
    """Whether a note is about a member of the list."""


_TABLES = {"games": spreadsheets.games, "unplayed": spreadsheets.unplayed}


def _counted(what: str, number: int) -> Message:
    if what == "games":
        return plural("{number:,} game", "{number:,} games", number)
    return plural("{number:,} unplayed round", "{number:,} unplayed rounds", number)


@act(shows_first=always, before="import")
def import_(
    tournament: Writing,
    list: Annotated[Path, FILE, "The file."],
    *,
    what: Annotated[
        str | None, choice(*_TABLES), "games: columns round, white, black, result; or unplayed."
    ] = None,
    called: str | None = None,
    tell: facts.Tell = facts.silent,
) -> Imported:
    """Read a members' list (CSV, .xlsx, .ods, JSON), games, unplayed rounds or a whole season."""
    if what:
        with facts.in_stages(tournament, tell):
            said = _counted(what, _TABLES[what](tournament, list))
        journal.describe(tournament.conn, say("import of {what}", what=said))
        return Imported(said, [])
    kind = seasons.kind(list)
    if kind != "csv":
        season, remarks = seasons.read(tournament, list, kind, tell)
        journal.describe(tournament.conn, say("import of {what}", what=season))
        return Imported(season, remarks)
    listed, notes, left_out = members_lists.read(list)
    merged = merging.merge(tournament, listed._replace(source=called or listed.source))
    said = plural("{number:,} player", "{number:,} players", len(merged.new))
    if merged.changed:
        said = say("a list: {counts}", counts=counts(merged))
    if merged.changes:
        journal.describe(tournament.conn, say("import of {what}", what=said))
        tournament.tell_unseated()
    columns = [say("left out: {columns}.", columns=left_out)] if left_out else []
    return Imported(said, [*columns, *notes], merged, bool(notes))


def counts(merge: merging.Merge) -> Fact:
    """How many are new, and how many changed."""
    found = {
        say("{number:,} new", number=len(merge.new)): merge.new,
        say("{number:,} changed", number=len(merge.changed)): merge.changed,
    }
    return [said for said, some in found.items() if some]


def brought(merge: merging.Merge) -> list[Message]:
    """What a list brings: how many, who is new, each change, who is left alone."""
    parts = counts(merge)
    if merge.unchanged:
        parts.append(say("{number:,} unchanged", number=merge.unchanged))
    if merge.gone:
        gone, names = len(merge.gone), facts.listed([*merge.gone.values()])
        parts.append(say("{number:,} not in the list ({names})", number=gone, names=names))
    said = [say("{parts}.", parts=parts)] if parts else []
    if merge.new:
        said.append(say("New: {names}.", names=facts.listed(merge.new)))
    said += [
        say("{name} (#{player}): {changes}", name=name, player=player, changes=[
            say("{column} {before} → {after}", column=term(column), before=before, after=after)
            for column, before, after in (map(or_none, cell) for cell in cells)
        ])
        for player, name, cells in merge.changed
    ]  # fmt: skip
    if merge.withdrawn:
        names = facts.listed(merge.withdrawn)
        said.append(say("Still withdrawn: {names}. `keizer add` takes a player back.", names=names))
    return said


class Searched(NamedTuple):
    """What was found of members (their ids: known) in a rating list, and the ids to be kept."""

    source: Fact
    title: Message
    entries: Sequence[lists.Entry]
    known: set[int]
    matched: dict[int, str]


class Rated(NamedTuple):
    """What a rating list changes: its title, a line a member, and the changes by player.id."""

    said: Message
    title: Message
    kind: str
    lines: Sequence[ratings.Line]
    changes: Mapping[int, Mapping[str, Any]]


def _search(
    season: Session, *, list: Path, type: str = "standard", match: Sequence[str] = (),
    all: bool = False, **_: Any,
) -> dict[str, Any]:  # fmt: skip
    """Search a large list, which takes a while, in which the file is not locked."""
    with season.reading() as tournament:
        known = ratings.members(tournament.conn, None if all else tournament.id)
    matched = _matched(match, known)
    title, entries = ratings.search(list, type, known, matched)
    return {
        "list": Searched(
            limits.named(list), title, entries, {member.id for member in known}, matched
        )
    }


def _matched(typed: Sequence[str], known: Sequence[ratings.Member]) -> dict[int, str]:
    """The ids that were typed, by member."""
    called = {member.id: member.name for member in known}
    found = {}
    for one in typed:
        name, equals, number_ = one.rpartition("=")
        if not (equals and number_.strip()):
            raise KeizerError("“{typed}” is no match: type --match NAME=ID.", typed=one)
        found[resolve.player(name, called)] = number_.strip()
    return found


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

    \b
    Example: keizer ratings club.db players_list_xml_foa.zip --dry-run
             keizer ratings club.db KLASSIEK.csv --match "Baker=8123456" --ids
    """
    assert isinstance(list, Searched)  # noqa: S101  # `prepare` sees to it
    now = ratings.members(tournament.conn, None if all else tournament.id)
    same = [member for member in now if member.id in list.known]
    lines = ratings.compare(same, list.entries, list.matched, jump=jump, skip_jumps=skip_jumps)
    changes = ratings.changes(lines, list.matched, ids=ids)
    ratings.write(tournament.conn, changes)
    players = plural("{number:,} player", "{number:,} players", len(changes))
    said = say("ratings of {players} from {source}", players=players, source=list.source)
    journal.describe(tournament.conn, said)
    return Rated(said, list.title, type, lines, changes)
