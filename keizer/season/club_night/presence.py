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
from keizer.season.club_night.publication import remove_seat
from keizer.season.people import members
from keizer.season.people.roster import check_kind, players
from keizer.season.queries import Tournament
from keizer.season.tournaments import revaluation_suspended
from keizer.store.connection import error_message

USUAL_ABSENCE = "excused"
"""The kind of an absence if none is given."""


class Announcement(NamedTuple):
    """An announcement that a player will be present in a round, or absent from it."""

    player: int
    """player.id."""
    round: int
    """The number of the round."""
    kind: str | None
    """None if the player will be present; else the kind of absence, such as "excused".

    "" is an absence without a stated kind; it is entered as USUAL_ABSENCE.
    """
    late: bool = False
    """True if the player comes, but later in the evening."""


def sign_off(
    tournament: Tournament,
    absentees: Collection[int],
    *,
    kind: str = USUAL_ABSENCE,
    rounds: Sequence[int] = (),
) -> Message:
    """Sign players off from rounds, and note it on the log; return the message noted.

    If a round is a draft, the players lose their board or bye in it.
    absentees: player.id. kind: of absence, as typed. A player who is already signed off
    gets the new kind. rounds: their numbers; by default only the coming round.
    Raises KeizerError if a player is paired in a round that is no longer a draft.
    """
    kind = check_kind(tournament, kind, absence=True)
    numbers = list(rounds) or [tournament.now.coming_round]
    draft = tournament.now.draft
    entered = players(tournament)
    # Standings are computed after each write, or once at the end if that is suspended.
    # A single absence is one write, so to suspend would only cost two statements more.
    is_single = len(absentees) == len(numbers) == 1 and draft not in numbers
    with nullcontext() if is_single else revaluation_suspended(tournament):
        for player in absentees:
            for number in numbers:
                if number == draft:
                    remove_seat(tournament, number, player)
                _refuse_if_paired(tournament, number, player, entered[player])
                _write_absence(tournament, number, player, entered[player], kind)
    names = [entered[player] for player in absentees]
    return describe_presence(tournament, numbers, term(kind), names)


def _write_absence(
    tournament: Tournament, number: int, player: int, name: str, kind: str
) -> None:
    """Write that a player is absent from a round, or change the kind of the absence.

    number: of the round. player, name: player.id and the name. kind: of absence.
    Raises KeizerError with the reason if a constraint of the file refuses the absence.
    """
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


def missing_result_warnings(
    tournament: Tournament, absentees: Collection[int]
) -> Iterator[Message]:
    """Yield a warning for each board of these players that has no result yet.

    These are boards of the last round if it is published: to sign off from a later
    round does not remove them. The warning says how to enter a forfeit.
    absentees: player.id of players who have just signed off.
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
    """Note on the log who is present in rounds, or absent; return the message noted.

    numbers: of the rounds. presence: the word "present", or a kind of absence.
    players: their names.
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


def _refuse_if_paired(
    tournament: Tournament, number: int, player: int, name: str
) -> None:
    """Raise KeizerError if a player has an opponent in a round.

    number: of the round, from which the player was to be signed off.
    player, name: player.id and the name.
    """
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
    """Sign players on for rounds, and note it on the log; return the message noted.

    They had signed off from these rounds, or are absent by default.
    present: player.id. rounds: their numbers; by default only the coming round.
    Raises KeizerError if a player was not absent from a round, or a round is already
    paired and not a draft.
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
    # This is only for the text of the error below. A player who signs on without naming
    # a round may have come late to the last round, and want a board there. Without a
    # draft the last round is published, and the coming round is the one after it.
    published_round = None
    has_published_round = tournament.now.draft is None and coming > 1
    if not rounds and has_published_round:
        published_round = coming - 1
    with revaluation_suspended(tournament):
        for player in present:
            for number in numbers:
                was_absent = make_present(tournament, number, player)
                if not was_absent:
                    raise _not_signed_off(entered[player], number, published_round)
    names = [entered[player] for player in present]
    return describe_presence(tournament, numbers, say("present"), names)


def _not_signed_off(name: str, number: int, published_round: int | None) -> KeizerError:
    """Return the error for a player who signs on for a round, but was not absent.

    name: of the player. number: of the round.
    published_round: the number of the published round in which the player may want a
    board instead; None if there is no such round.
    """
    if published_round is not None:
        return KeizerError(
            "{name} is not signed off from round {number}. `keizer seat` adds a board"
            " to round {published}.",
            name=name,
            number=number,
            published=published_round,
        )
    return KeizerError(
        "{name} is not signed off from round {number}.", name=name, number=number
    )


def make_present(tournament: Tournament, number: int, player: int) -> bool:
    """Write that a player comes to a round; return True if they were absent before.

    The absence of a player who signed off is deleted. For a player who is absent by
    default, a row of table attendance says that they come.
    """
    # A player may need both: absent by default, and signed off as well.
    absences = tournament.run("forget_absence", round=number, player=player)
    # This writes a row only for a player who is absent by default, and of whom it is
    # not noted already that they come. So whoever gets a row was absent before.
    attendances = tournament.run("attend", round=number, player=player)
    return absences.rowcount > 0 or attendances.rowcount > 0


def set_default_presence(
    tournament: Tournament, chosen: Collection[int], kind: str | None
) -> Message:
    """Set whether players are absent by default; note it on the log.

    Return the message that was noted. The last round and the draft are kept in step
    with the new default, as `_write_default_presence` says.
    chosen: player.id of these players.
    kind: the kind of absence that they get in each round unless they sign on, as
    somebody typed it; None if they are present unless they sign off.
    """
    if kind is not None:
        kind = check_kind(tournament, kind, absence=True)
    entered = players(tournament)
    names = [entered[player] for player in chosen]
    if kind is None:
        message = say("Present unless they sign off: {names}", names=names)
    else:
        message = say(
            "Absent unless they sign on, {kind}: {names}", kind=term(kind), names=names
        )
    tournament.describe(message)
    draft = tournament.now.draft
    with revaluation_suspended(tournament):
        for player in chosen:
            _write_default_presence(tournament, player, kind, draft)
    return message


def _write_default_presence(
    tournament: Tournament, player: int, kind: str | None, draft: int | None
) -> None:
    """Write the default presence of a player, and adapt the last round to it.

    - If that round is a draft, a player who is absent from it only by default becomes
      present there, or absent with the new kind.
    - A player with a board or the bye in it keeps that.
    kind: the kind of absence, such as "excused"; None if the player is present unless
    they sign off. draft: the number of the draft, or None if there is no draft.
    """
    # The draft comes first. These statements change only an absence of the same kind as
    # the default in the file, which therefore still has to be the old default.
    # If there is no draft, the round is NULL, and they change nothing.
    if kind is None:
        tournament.run("forget_default_absence", round=draft, player=player)
    else:
        tournament.run("change_default_absence", round=draft, player=player, kind=kind)
    tournament.run("set_default_absence", player=player, kind=kind)
    # The new default would also count in the last round, as nothing says there that the
    # player comes. If they have a board or the bye in it, this is noted.
    last = tournament.now.last_round
    if last in members.seated_in(tournament, player):
        make_present(tournament, last, player)
