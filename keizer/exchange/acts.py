"""What needs files or messages of others: members' messages, rating lists, rules found."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

from keizer.acts import presence
from keizer.acts.declare import (
    FILE,
    FLAG,
    TEXT,
    Reader,
    act,
    always,
    choice,
    number,
    read_whole_number,
)
from keizer.acts.session import Session, Writing
from keizer.errors import KeizerError
from keizer.exchange import rating_lists, ratings, standings
from keizer.exchange.inferring.search import Inferred, Search
from keizer.exchange.messages import pasted, signoffs
from keizer.formats import apart, limits
from keizer.messages import Fact, Message, plural, say
from keizer.season import presets, tournaments
from keizer.season.club_night import publication
from keizer.season.club_night.presence import Announcement
from keizer.season.names import resolve, spelling
from keizer.season.people import roster
from keizer.season.people.lists import changed_meanwhile

# ------------------------------------------------------------ messages of members


class Taken(NamedTuple):
    """A sentence for each round about which messages were, and each message as it was read.

    known, kinds: players by id, and kinds of absences, that an answer may name.
    """

    said: list[Message]
    written: Sequence[pasted.Written]
    known: Mapping[int, str]
    kinds: Sequence[str]

    @property
    def unclear(self) -> list[pasted.Written]:
        """The messages that are left open."""
        return [one for one in self.written if one.why]


def _answer(typed: str) -> tuple[int, str]:
    line, _, text = typed.partition("=")
    return read_whole_number(range(10**spelling.DIGITS), line), text.strip()


@act(shows_moves_first=always, rests_on=("round", "player", "x_player_tournament"))
def messages(
    tournament: Writing,
    text: Annotated[str, TEXT, "What members wrote, as it was pasted."],
    *,
    answers: Annotated[
        Sequence[tuple[int, str]],
        Reader("LINE=TEXT", _answer),
        "Read TEXT instead of the message on that line; if TEXT is empty, ignore the message.",
    ] = (),
    today: date | None = None,
) -> Taken:
    """Sign players off and on as they wrote, in mails and chats."""
    reader = _reader(tournament)
    written = pasted.read(reader, text, today or _today(), dict(answers))
    signs = {sign for one in written if not one.why for sign in one.signs}
    said = presence.write_announcements(tournament, signs, reader.known)
    done = Taken(said, written, reader.known, reader.kinds)
    for one in done.unclear:
        left_open = say(
            "Line {line}, {sender}: “{text}” is left open: {why}.",
            line=one.line, sender=one.sender or "?", text=spelling.shortened(one.text), why=one.why,
        )  # fmt: skip
        tournament.tell(left_open)
    if signs:
        players = sorted({sign.player for sign in signs})
        named = [reader.known[player] for player in players]
        tournament.describe("messages of members: {names}", names=named)
    tournament.warn_of_players_without_seat()
    return done


def _today() -> date:
    return datetime.now().astimezone().date()


def _reader(tournament: Writing) -> signoffs.Reader:
    """Return a reader of messages about those who have not withdrawn."""
    days = {
        number: date.fromisoformat(day)
        for number, day in publication.days_of_rounds(tournament).items()
    }
    coming, kinds = tournament.now.coming_round, roster.absence_kinds(tournament)
    return signoffs.Reader(roster.remaining_players(tournament), coming, days, kinds)


def line_reader(tournament: Writing) -> Callable[[str], Collection[Announcement]]:
    """Return what reads a line of the presence list, as people write it, about the coming round."""
    reader, today = _reader(tournament), _today()
    reader.dates = {}
    return lambda text: reader.read(text, "#", today).signs


# ------------------------------------------------------------------- rating lists


class Searched(NamedTuple):
    """Members (known, by id) as a rating list has them, and the ids that are to be kept."""

    source: Fact
    title: Message
    candidates: Mapping[int, ratings.Candidates]
    known: Mapping[int, rating_lists.Entry]
    matched: dict[int, str]


class Rated(NamedTuple):
    """What a rating list changes: its title, a line a member, and the changes by player.id."""

    said: Message
    title: Message
    kind: str
    lines: Sequence[ratings.Line]
    changes: Mapping[int, Mapping[str, Any]]


def _search_list(
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
            raise KeizerError(
                "“{typed}” is no match: type --match NAME=ID.", typed=typed
            )
        matched[resolve.find_player_id(name, called)] = kept.strip()
    title, found = ratings.search(list, type, known, matched)
    by_id = {member.id: member for member in known}
    searched = Searched(limits.called(list.name), title, found, by_id, matched)
    return {"list": searched, "type": type, "all": all, **more}


@act(shows_moves_first=always, prepare=_search_list)
def rate(
    tournament: Writing,
    list: Annotated[Path | Searched, FILE, "The list of FIDE, KNSB or DSB, or CSV."],
    *,
    type: Annotated[
        str, choice(*rating_lists.KINDS), "Which of the list's ratings."
    ] = "standard",
    match: Annotated[  # noqa: ARG001  # `prepare` reads it
        Sequence[str], TEXT, "A player's id, to be kept: NAME=ID."
    ] = (),
    jump: Annotated[
        int,
        number(1),
        f"Warn of changes of N points or more; {ratings.JUMP} by default.",
    ] = ratings.JUMP,
    skip_jumps: Annotated[
        bool, FLAG, "Keep the old rating where there is such a warning."
    ] = False,
    ids: Annotated[
        bool, FLAG, "Take over ids, titles, federations and years of birth too."
    ] = False,
    all: Annotated[
        bool,
        FLAG,
        "Everybody in the file, also those who did not enter this tournament.",
    ] = False,
) -> Rated:
    """Update ratings from a rating list, and show what changes.

    FILE is the list of FIDE (XML or text), KNSB or DSB (spieler.csv), also as the zip
    it comes in, or CSV with the columns name and rating; with - it comes from standard
    input.

    Examples:
        keizer ratings club.db players_list_xml_foa.zip --dry-run
        keizer ratings club.db KLASSIEK.csv --match "Baker=8123456" --ids
    """
    assert isinstance(list, Searched)  # noqa: S101  # `prepare` sees to it
    now = ratings.members(tournament.conn, None if all else tournament.id)
    same = [member for member in now if member.id in list.known]
    if any(not ratings.same_person(member, list.known[member.id]) for member in same):
        raise changed_meanwhile()
    lines = ratings.compare(
        same, list.candidates, list.matched, jump=jump, skip_jumps=skip_jumps
    )
    changes = ratings.changes(lines, list.matched, ids=ids)
    ratings.write(tournament.conn, changes)
    players = plural("{number:,} player", "{number:,} players", len(changes))
    said = say(
        "ratings of {players} from {source}", players=players, source=list.source
    )
    tournament.describe(said)
    return Rated(said, list.title, type, lines, changes)


# ------------------------------------------------------------------- rules found


def _try_rules(season: Session, list: Path, **_: Any) -> dict[str, Any]:
    """Read the scores and try rules on a copy, which takes a while; the file is not locked."""
    with season.reading() as tournament:
        known = roster.players(tournament)
    printed = apart.read_in_own_process(standings.read, list, known)
    with season.reading() as tournament:
        if roster.players(tournament) != known:
            raise changed_meanwhile()
        search = Search(tournament, standings.cells(tournament, printed))
    with closing(search.conn):
        return {"list": search.run()}


@act(shows_moves_first=always, rests_on=("rules", "scoring"), prepare=_try_rules)
def infer(
    tournament: Writing,
    list: Annotated[Path | Inferred, FILE, "The printed standings."],
) -> Inferred:
    """Find your club's rules from old standings."""
    found = cast("Inferred", list)
    with tournaments.revaluation_suspended(tournament):
        presets.set_rules(tournament, found.settings, preset=found.preset)
        for rank, player in enumerate(found.start, 1):
            of = {"tournament_id": tournament.id, "player_id": player}
            tournament.update("x_player_tournament", {"start_rank": rank}, **of)
        for (number, player), kind in found.kinds.items():
            of = {
                "tournament_id": tournament.id,
                "round_number": number,
                "player_id": player,
            }
            tournament.update("unplayed", {"kind": kind}, **of)
    tournament.describe("rules found from printed standings")
    return found


METHODS = (messages, rate)
"""Those that a season has for programs."""
