"""Sign players off and on, and set who is absent or present by default.

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
    """An announcement that a player will be present in a round, or absent from it.

    player: player.id. round: the number of the round.
    kind: None if the player comes; else the kind of absence. "" is an absence of no
    stated kind, which becomes the usual one.
    late: the player comes, but later in the evening.
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
    """Sign players off from rounds, by default the coming one; return a message.

    absentees: player.id. kind: of absence, as typed; a player who is already signed off
    gets the new kind.
    Raises KeizerError for a player who is paired in such a round, unless it is a draft.
    """
    kind = check_kind(tournament, kind, absence=True)
    numbers = list(rounds) or [tournament.now.coming_round]
    draft = tournament.now.draft
    entered = players(tournament)
    # A single absence revalues once anyway: to suspend it takes two statements more.
    is_single = len(absentees) == len(numbers) == 1 and draft not in numbers
    with nullcontext() if is_single else revaluation_suspended(tournament):
        for player in absentees:
            for number in numbers:
                if number == draft:
                    unseat(tournament, number, player)
                _refuse_paired(tournament, number, player, entered[player])
                _write_absence(tournament, number, player, entered[player], kind)
    names = [entered[player] for player in absentees]
    return describe_presence(tournament, numbers, term(kind), names)


def _write_absence(
    tournament: Tournament, number: int, player: int, name: str, kind: str
) -> None:
    """Write an absence; if a constraint of the file refuses it, say why."""
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
    """Yield a warning for each open board of these players in a published round.

    absentees: player.id of players who just signed off from later rounds.
    """
    for player in absentees:
        for seat in tournament.records("open_seats", player=player):
            yield say(
                "{name} still has board {board} of round {number}, which is"
                " published: to make it a forfeit, use `keizer result DB {board}"
                " {forfeit}`.",
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
    """Note on the log who is present in rounds, or absent; return the message.

    numbers: of the rounds. presence: "present", or a kind of absence. players: names.
    """
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
    """Refuse to sign a player off from a round in which they have an opponent."""
    if tournament.scalar("is_paired", round=number, player=player):
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
    """Sign players on for rounds, by default the coming one; return a message.

    present: player.id. Raises KeizerError for a player who is not signed off, and for a
    round that is already paired.
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
    # Who signs on without a round may be late for the last one, which is published.
    is_about_next_round = not rounds and tournament.now.draft is None
    published = coming - 1 if is_about_next_round else 0
    with revaluation_suspended(tournament):
        for player in present:
            for number in numbers:
                was_absent = note_coming(tournament, number, player)
                if not was_absent:
                    raise _not_signed_off(entered[player], number, published)
    names = [entered[player] for player in present]
    return describe_presence(tournament, numbers, say("present"), names)


def _not_signed_off(name: str, number: int, published: int) -> KeizerError:
    """Return the refusal to sign somebody on for a round who is not signed off.

    published: the number of the published round in which they may want a board; else 0.
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
    """Note that a player comes to a round; return whether they were absent before.

    They may have signed off, or be absent by default.
    """
    absences = tournament.run("forget_absence", round=number, player=player)
    attendances = tournament.run("attend", round=number, player=player)
    return absences.rowcount + attendances.rowcount > 0


def set_default_presence(
    tournament: Tournament, chosen: Collection[int], kind: str | None
) -> Message:
    """Set whether players are absent by default; return a message.

    chosen: player.id. kind: of absence, as typed; None if they are present by default.
    A player with a seat in the last round keeps the seat. A player who is absent from
    the draft by default follows the new default.
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
    if kind is None:
        change_draft = "forget_default_absence"
    else:
        change_draft = "change_default_absence"
    draft = tournament.now.draft
    with revaluation_suspended(tournament):
        for player in chosen:
            # Before the new default, as it finds an absence by the default until now.
            # Without a draft it finds none.
            tournament.run(change_draft, round=draft, player=player, kind=kind)
            tournament.run("set_default_absence", player=player, kind=kind)
            last = tournament.now.last_round
            if last in members.seated_in(tournament, player):
                note_coming(tournament, last, player)
    return message
