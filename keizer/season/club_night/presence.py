"""Who comes: signing off, signing on, and the default presence of a player.

While a round is a draft, this is about that round: a player who signs off gives up their seat.
"""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import nullcontext
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Fact, Message, listed, plural, say, term
from keizer.season.club_night.publication import unseat
from keizer.season.people import members
from keizer.season.people.roster import check_kind, players
from keizer.season.queries import Tournament
from keizer.season.tournaments import suspended
from keizer.store.connection import sentence

DEFAULT = "excused"
"""The kind of an absence where nothing else is said."""


class Sign(NamedTuple):
    """That a player is away from a round, as a kind or "" for the usual one; None: comes."""

    player: int
    round: int
    kind: str | None
    late: bool = False


def sign_off(
    tournament: Tournament,
    absentees: Collection[int],
    *,
    kind: str = DEFAULT,
    rounds: Sequence[int] = (),
) -> Message:
    """Sign players (ids) off from rounds, by default the coming one; what was done, a message.

    kind: of unplayed round; a player who is already signed off gets the new one.
    """
    kind = check_kind(tournament, kind, absence=True)
    numbers = list(rounds) or [tournament.now.coming_round]
    drafted = tournament.now.draft
    entered = players(tournament)
    # A single absence revalues once anyway; to switch takes two statements more.
    single = len(absentees) == len(numbers) == 1 and drafted not in numbers
    with nullcontext() if single else suspended(tournament):
        for player in absentees:
            for number in numbers:
                if number == drafted:
                    unseat(tournament, number, player)
                _refuse_paired(tournament, number, player, entered[player])
                try:
                    where = {"player_id": player, "round_number": number}
                    tournament.put(
                        "unplayed", {"kind": kind}, tournament_id=tournament.id, **where
                    )
                except sqlite3.IntegrityError as error:
                    raise KeizerError(
                        "{name}, round {number}: {why}",
                        name=entered[player],
                        number=number,
                        why=sentence(error),
                    ) from error
    return told(
        tournament, numbers, term(kind), [entered[player] for player in absentees]
    )


def seated(tournament: Tournament, absentees: Collection[int]) -> Iterator[Message]:
    """Of players (ids) with an open board in a published round: that it stands, in messages."""
    for player in absentees:
        for seat in tournament.records("open_seats", player=player):
            yield say(
                "{name} still has board {board} of round {number}, which is published: `keizer"
                " result DB {board} {forfeit}` makes it a forfeit.",
                name=seat["name"],
                board=seat["board"],
                number=seat["round_number"],
                forfeit=seat["forfeit"],
            )


def told(
    tournament: Tournament,
    numbers: Sequence[int],
    what: Message,
    players: Sequence[Fact],
) -> Message:
    """Say on the log what players are in rounds; the message."""
    said = plural(
        "Round {rounds}, {kind}: {names}",
        "Rounds {rounds}, {kind}: {names}",
        len(numbers),
        rounds=listed(numbers),
        kind=what,
        names=players,
    )
    return tournament.describe(said)


def _refuse_paired(tournament: Tournament, number: int, player: int, name: str) -> None:
    if tournament.scalar("opponent", round=number, player=player):
        raise KeizerError(
            "{name} is paired in round {number}: enter a forfeit (+- or -+), or make a draft of it"
            " by `keizer publish-round DB --take-back` while it has no result.",
            name=name,
            number=number,
        )


def sign_on(
    tournament: Tournament, present: Collection[int], *, rounds: Sequence[int] = ()
) -> Message:
    """Sign players (ids) on for rounds, by default the coming one; what was done, a message."""
    entered = players(tournament)
    coming = tournament.now.coming_round
    numbers = list(rounds) or [coming]
    for number in numbers:
        if number < coming:
            raise KeizerError(
                "round {number} is already paired: `keizer publish-round DB --take-back` makes a"
                " draft of it while it has no result, `keizer seat` adds a board.",
                number=number,
            )
    published = coming - 1 if not rounds and tournament.now.draft is None else 0
    with suspended(tournament):
        for player in present:
            for number in numbers:
                if come(tournament, number, player):
                    continue
                if published:
                    raise KeizerError(
                        "{name} is not signed off from round {number}. `keizer seat` adds a board"
                        " to round {published}.",
                        name=entered[player],
                        number=number,
                        published=published,
                    )
                raise KeizerError(
                    "{name} is not signed off from round {number}.",
                    name=entered[player],
                    number=number,
                )
    return told(
        tournament, numbers, say("present"), [entered[player] for player in present]
    )


def come(tournament: Tournament, number: int, player: int) -> bool:
    """Note that a player comes to a round; whether the file said otherwise before."""
    changed = (
        tournament.run(query, round=number, player=player).rowcount
        for query in ("forget_absence", "attend")
    )
    return sum(changed) > 0


def by_default(
    tournament: Tournament, chosen: Collection[int], kind: str | None
) -> Message:
    """Set the default presence of players: absent as `kind`, or None: present.

    A player with a seat in the last round keeps it. One who is out of a draft by
    default follows the new default. Returns what was done, a message.
    """
    kind = None if kind is None else check_kind(tournament, kind, absence=True)
    entered = players(tournament)
    called = [entered[player] for player in chosen]
    if kind:
        said = say(
            "Absent unless they sign on, {kind}: {names}", kind=term(kind), names=called
        )
    else:
        said = say("Present unless they sign off: {names}", names=called)
    tournament.describe(said)
    follow = "come_by_default" if kind is None else "away_by_default"
    with suspended(tournament):
        for player in chosen:
            tournament.run(follow, round=tournament.now.draft, player=player, kind=kind)
            tournament.run("set_default", player=player, kind=kind)
            last = tournament.now.last_round
            if last in members.seated_in(tournament, player):
                come(tournament, last, player)
    return said
