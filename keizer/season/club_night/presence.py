"""Presence: signing off, signing on, and the default of a player.

While a round is a draft, presence is about that round: a player who signs off gives up
their seat.
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
from keizer.season.tournaments import revaluation_suspended
from keizer.store.connection import error_message

USUAL_ABSENCE = "excused"
"""The kind of an absence if none is given."""


class Announcement(NamedTuple):
    """A player's presence in a round.

    kind: of absence, "" for the usual one; None if the player comes.
    """

    player: int
    round: int
    kind: str | None
    late: bool = False


def sign_off(
    tournament: Tournament,
    absentees: Collection[int],
    *,
    kind: str = USUAL_ABSENCE,
    rounds: Sequence[int] = (),
) -> Message:
    """Sign players (ids) off from rounds, by default the coming one.

    kind: of unplayed round; a player who is already signed off gets the new one.
    Returns what was done.
    """
    kind = check_kind(tournament, kind, absence=True)
    numbers = list(rounds) or [tournament.now.coming_round]
    drafted = tournament.now.draft
    entered = players(tournament)
    # A single absence revalues once anyway; to switch takes two statements more.
    single = len(absentees) == len(numbers) == 1 and drafted not in numbers
    with nullcontext() if single else revaluation_suspended(tournament):
        for player in absentees:
            for number in numbers:
                if number == drafted:
                    unseat(tournament, number, player)
                _refuse_paired(tournament, number, player, entered[player])
                _write_absence(tournament, number, player, entered[player], kind)
    names = [entered[player] for player in absentees]
    return describe_presence(tournament, numbers, term(kind), names)


def _write_absence(
    tournament: Tournament, number: int, player: int, name: str, kind: str
) -> None:
    """Write an absence, or refuse it with the sentence of the file's guard."""
    try:
        tournament.update_or_insert(
            "unplayed",
            {"kind": kind},
            tournament_id=tournament.id,
            player_id=player,
            round_number=number,
        )
    except sqlite3.IntegrityError as error:
        raise KeizerError(
            "{name}, round {number}: {why}",
            name=name,
            number=number,
            why=error_message(error),
        ) from error


def open_seat_warnings(
    tournament: Tournament, absentees: Collection[int]
) -> Iterator[Message]:
    """Yield a warning for each open board of players (ids) in a published round."""
    for player in absentees:
        for seat in tournament.records("open_seats", player=player):
            yield say(
                "{name} still has board {board} of round {number}, which is published:"
                " `keizer result DB {board} {forfeit}` makes it a forfeit.",
                name=seat["name"],
                board=seat["board"],
                number=seat["round_number"],
                forfeit=seat["forfeit"],
            )


def describe_presence(
    tournament: Tournament,
    numbers: Sequence[int],
    presence: Message,
    players: Sequence[Fact],
) -> Message:
    """Note on the log what players are in rounds; return the message."""
    message = plural(
        "Round {rounds}, {kind}: {names}",
        "Rounds {rounds}, {kind}: {names}",
        len(numbers),
        rounds=listed(numbers),
        kind=presence,
        names=players,
    )
    return tournament.describe(message)


def _refuse_paired(tournament: Tournament, number: int, player: int, name: str) -> None:
    if tournament.scalar("opponent", round=number, player=player):
        raise KeizerError(
            "{name} is paired in round {number}: enter a forfeit (+- or -+), or make a"
            " draft of it by `keizer publish-round DB --take-back` while it has no"
            " result.",
            name=name,
            number=number,
        )


def sign_on(
    tournament: Tournament, present: Collection[int], *, rounds: Sequence[int] = ()
) -> Message:
    """Sign players (ids) on for rounds, by default the coming one.

    Returns what was done.
    """
    entered = players(tournament)
    coming = tournament.now.coming_round
    numbers = list(rounds) or [coming]
    for number in numbers:
        if number < coming:
            raise KeizerError(
                "round {number} is already paired: `keizer publish-round DB"
                " --take-back` makes a draft of it while it has no result,"
                " `keizer seat` adds a board.",
                number=number,
            )
    published = coming - 1 if not rounds and tournament.now.draft is None else 0
    with revaluation_suspended(tournament):
        for player in present:
            for number in numbers:
                if not note_coming(tournament, number, player):
                    raise _not_signed_off(entered[player], number, published)
    names = [entered[player] for player in present]
    return describe_presence(tournament, numbers, say("present"), names)


def _not_signed_off(name: str, number: int, published: int) -> KeizerError:
    """Return the refusal to sign somebody on.

    published: the round before, if a seat in it may be what they want; else 0.
    """
    if published:
        return KeizerError(
            "{name} is not signed off from round {number}. `keizer seat` adds a board"
            " to round {published}.",
            name=name,
            number=number,
            published=published,
        )
    return KeizerError(
        "{name} is not signed off from round {number}.", name=name, number=number
    )


def note_coming(tournament: Tournament, number: int, player: int) -> bool:
    """Note that a player comes to a round; return whether the file said otherwise."""
    absences = tournament.run("forget_absence", round=number, player=player)
    defaults = tournament.run("attend", round=number, player=player)
    return absences.rowcount + defaults.rowcount > 0


def set_default_presence(
    tournament: Tournament, chosen: Collection[int], kind: str | None
) -> Message:
    """Set the default presence of players: absent as `kind`, or present if it is None.

    A player with a seat in the last round keeps it. One who is out of a draft by
    default follows the new default. Returns what was done.
    """
    if kind is not None:
        kind = check_kind(tournament, kind, absence=True)
    entered = players(tournament)
    names = [entered[player] for player in chosen]
    if kind:
        message = say(
            "Absent unless they sign on, {kind}: {names}", kind=term(kind), names=names
        )
    else:
        message = say("Present unless they sign off: {names}", names=names)
    tournament.describe(message)
    follow = "come_by_default" if kind is None else "away_by_default"
    with revaluation_suspended(tournament):
        for player in chosen:
            tournament.run(follow, round=tournament.now.draft, player=player, kind=kind)
            tournament.run("set_default", player=player, kind=kind)
            last = tournament.now.last_round
            if last in members.seated_in(tournament, player):
                note_coming(tournament, last, player)
    return message
