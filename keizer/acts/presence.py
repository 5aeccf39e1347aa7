"""Who comes: signed off and on, for the coming round, for others, or by default."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from keizer.acts.declare import FLAG, KIND, MEMBER, PLAYER, ROUND, ROUNDS, Who, act
from keizer.acts.session import Writing
from keizer.errors import Faults, KeizerError, refuse
from keizer.messages import Message, say
from keizer.season import names, presence, resolve, roster
from keizer.season.finding import find_player, find_players
from keizer.season.tournaments import suspended


class Attendance(NamedTuple):
    """Who signed off or on, by id and name, and for which rounds."""

    said: Message
    players: dict[int, str]
    rounds: list[int]


_Players = Annotated[Who, PLAYER, "The players."]
_Rounds = Annotated[
    Sequence[int] | None, ROUNDS, "The round, or several (5-8,11); the coming one by default."
]


@act()
def absent(
    tournament: Writing,
    *players: _Players,
    kind: Annotated[str, KIND, "excused (default), unexcused, club duty, ..."] = presence.DEFAULT,
    by_default: Annotated[bool, FLAG, "In every round, unless they sign on."] = False,
    rounds: _Rounds = None,
) -> Attendance:
    """Sign players off from the coming round, or from other rounds.

    While the pairing is a draft, a player who signs off gives up their seat in it.
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


@act()
def take_list(
    tournament: Writing,
    lines: Sequence[str],
    *,
    others: Annotated[str | None, KIND, "The absence of all others."] = None,
) -> Attendance:
    """Take who comes to the coming round from a list: a name a line, or `Baker: excused`.

    Who is not in it, and has not signed off, comes, where others is not given.
    """
    entered = roster.players(tournament)
    number = tournament.now.coming_round
    query = "SELECT player_id, absence FROM presence WHERE tournament_id = ?"
    expected = dict(tournament.conn.execute(query, (tournament.id,)))
    known = set(entered.values())
    kinds: dict[int, str | None] = {}
    faults: Faults = []
    for number_of_line, line in enumerate(lines, 1):
        parts = (line, "", "") if names.tidy(line) in known else line.partition(":")
        name, _, kind = map(str.strip, parts)
        if not name:
            continue
        try:
            player = resolve.player(name, entered)
            if player in kinds:
                raise KeizerError("{name} is there twice.", name=entered[player])
            if player not in expected:
                raise KeizerError(
                    "{name} does not take part in round {number}.",
                    name=entered[player],
                    number=number,
                )
            kinds[player] = roster.check_kind(tournament, kind, absence=True) if kind else None
        except KeizerError as error:
            faults.append((number_of_line, error.said))
    refuse(say("the list"), faults, say("nobody was signed on or off"))
    if others is not None:
        others = roster.check_kind(tournament, others, absence=True)
        kinds |= {one: others for one, away in expected.items() if not (away or one in kinds)}
    with suspended(tournament):
        for player, wanted in kinds.items():
            if wanted is None and expected[player] is not None:
                presence.sign_on(tournament, [player], rounds=[number])
            elif wanted is not None and wanted != expected[player]:
                presence.sign_off(tournament, [player], kind=wanted, rounds=[number])
    tournament.describe("the presence list of round {number}", number=number)
    tournament.tell_unseated()
    return Attendance(say("the presence list of round {round}", round=number), {}, [number])


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
