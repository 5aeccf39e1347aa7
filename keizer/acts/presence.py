"""Who comes: signed off and on, for the coming round, for others, or by default."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Annotated, NamedTuple

from keizer import addons
from keizer.acts.declare import FLAG, KIND, MEMBER, PLAYER, ROUND, ROUNDS, Who, act
from keizer.acts.session import Writing
from keizer.errors import KeizerError, refuse
from keizer.messages import Fact, Message, say, term
from keizer.season import views
from keizer.season.club_night import presence
from keizer.season.club_night.presence import Sign
from keizer.season.names import resolve, spelling
from keizer.season.names.finding import find_player, find_players
from keizer.season.people import roster
from keizer.season.tournaments import suspended


class Attendance(NamedTuple):
    """Who signed off or on, by id and name, and for which rounds."""

    said: Message
    players: dict[int, str]
    rounds: list[int]


_Players = Annotated[Who, PLAYER, "The players."]
_Rounds = Annotated[
    Sequence[int] | None,
    ROUNDS,
    "The round, or several (5-8,11); the coming one by default.",
]


@act()
def absent(
    tournament: Writing,
    *players: _Players,
    kind: Annotated[
        str, KIND, "excused (default), unexcused, club duty, ..."
    ] = presence.DEFAULT,
    by_default: Annotated[bool, FLAG, "In every round, unless they sign on."] = False,
    rounds: _Rounds = None,
) -> Attendance:
    """Sign players off from the coming round, or from other rounds.

    While the pairing is a draft, a player who signs off gives up their seat in it.

    Examples:
        keizer absent club.db Baker "J. Smith"
        keizer absent club.db Carter --kind "club duty" --round 7-9
        keizer absent club.db White --by-default
    """
    found = find_players(tournament, players)
    if by_default:
        return _by_default(tournament, found, kind, rounds)
    numbers = _numbers(tournament, rounds)
    said = presence.sign_off(tournament, found, kind=kind, rounds=numbers)
    tournament.tell_unseated()
    if not rounds:
        for sentence in presence.seated(tournament, found):
            tournament.tell(sentence)
    return Attendance(said, found, numbers)


@act()
def present(
    tournament: Writing,
    *players: _Players,
    by_default: Annotated[bool, FLAG, "In every round, unless they sign off."] = False,
    rounds: _Rounds = None,
) -> Attendance:
    """Sign players on for the coming round, or for other rounds."""
    found = find_players(tournament, players)
    if by_default:
        return _by_default(tournament, found, None, rounds)
    numbers = _numbers(tournament, rounds)
    said = presence.sign_on(tournament, found, rounds=rounds or ())
    tournament.tell_unseated()
    return Attendance(said, found, numbers)


def _numbers(tournament: Writing, rounds: Sequence[int] | None) -> list[int]:
    """The rounds that are named, or the coming one."""
    if rounds is None:
        return [tournament.now.coming_round]
    if not rounds:
        raise KeizerError("name at least one round.")
    return [*rounds]


def _by_default(
    tournament: Writing, players: dict[int, str], kind: str | None, rounds: object
) -> Attendance:
    if rounds:
        raise KeizerError("--by-default is about every round: leave --round out.")
    said = presence.by_default(tournament, players, kind)
    tournament.tell_unseated()
    return Attendance(said, players, [])


def take(
    tournament: Writing, signs: Iterable[Sign], known: Mapping[int, str]
) -> list[Message]:
    """Sign players off and on, where they are not yet; what that is, round by round."""
    said = []

    def shown(sign: Sign) -> tuple[int, bool, str]:
        """In which line: of the round, who is away as a kind, then who comes."""
        return sign.round, sign.kind is None, sign.kind or presence.DEFAULT

    order = sorted(signs, key=lambda sign: (*shown(sign), known[sign.player]))
    with suspended(tournament):
        for (number, comes, own), some in groupby(order, key=shown):
            named: list[Fact] = []
            for player, _, kind, late in some:
                if comes:
                    presence.come(tournament, number, player)
                elif kind or number not in roster.absences(tournament, player, number):
                    presence.sign_off(tournament, [player], kind=own, rounds=[number])
                name = known[player]
                named.append(say("{name} (later)", name=name) if late else name)
            what = say("present") if comes else term(own)
            said.append(presence.told(tournament, [number], what, named))
    return said


@act()
def take_list(
    tournament: Writing,
    lines: Sequence[str],
    *,
    others: Annotated[str | None, KIND, "The absence of all others."] = None,
) -> Attendance:
    """Take who comes to the coming round from a list: a name a line, or `Baker: excused`.

    A line may also be as people write it, where the add-on is there that reads that. Who is not in
    it, and has not signed off, comes, where others is not given.
    """
    number, known = tournament.now.coming_round, roster.current(tournament)
    reads = (
        addons.part("exchange.acts").line_reader(tournament)
        if addons.has("exchange")
        else None
    )
    faults, taken = list[tuple[int, Message]](), dict[int, Sign]()
    for line, text in enumerate(lines, 1):
        parts = (
            (text, "", "")
            if spelling.tidy(text) in known.values()
            else text.partition(":")
        )
        name, _, kind = map(str.strip, parts)
        try:
            found = set[Sign](reads(text)) if reads else set()
            if not found and name:
                player = resolve.player(name, known)
                as_ = (
                    roster.check_kind(tournament, kind, absence=True) if kind else None
                )
                found = {Sign(player, number, as_)}
            for sign in found:
                if sign.player in taken:
                    raise KeizerError("{name} is there twice.", name=known[sign.player])
                taken[sign.player] = sign
        except KeizerError as error:
            faults.append((line, error.said))
    refuse(say("the list"), faults, say("nobody was signed on or off"))
    if others is not None:
        others = roster.check_kind(tournament, others, absence=True)
        rest = [
            row["player_id"] for row in views.presence(tournament) if not row["absence"]
        ]
        taken = {player: Sign(player, number, others) for player in rest} | taken
    take(tournament, taken.values(), known)
    tournament.describe("the presence list of round {number}", number=number)
    tournament.tell_unseated()
    return Attendance(
        say("the presence list of round {round}", round=number), {}, [number]
    )


@act(rights=MEMBER)
def sign(
    tournament: Writing,
    *,
    round: Annotated[int, ROUND, "The round."],
    comes: Annotated[bool, FLAG, "1: comes; 0: is away."] = False,
) -> Attendance:
    """Sign oneself off from a coming round, or on for it: with a personal link."""
    if round < tournament.now.coming_round:
        raise KeizerError("that round is paired already: tell the director.")
    if round == tournament.now.draft:
        raise KeizerError("that round is being paired now: tell the director.")
    player, name = find_player(tournament, tournament.myself)
    if comes:
        said = presence.sign_on(tournament, [player], rounds=[round])
    else:
        said = presence.sign_off(tournament, [player], rounds=[round])
    return Attendance(said, {player: name}, [round])
