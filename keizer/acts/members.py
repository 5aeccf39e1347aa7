"""The acts about members: add, withdraw, correct, merge, remove."""

from typing import Annotated, Any, NamedTuple

from keizer.acts.declare import (
    DETAIL,
    FLAG,
    PLAYER,
    RATING,
    ROUND,
    TEXT,
    Said,
    Who,
    act,
    always,
    number,
    removable,
    values_to_store,
)
from keizer.acts.session import Writing
from keizer.messages import Message, say
from keizer.season import tournaments
from keizer.season.names.finding import find_person, find_player
from keizer.season.people import members, roster

_Player = Annotated[Who, PLAYER, "The player."]


class Joined(NamedTuple):
    """The result of `add`.

    said: a message about it.
    player: the player.id.
    name: the player's name as the file has it.
    first_round: the first round that the player takes part in.
    """

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
        bool, FLAG, "A new person, although a player has (nearly) the same name."
    ] = False,
) -> Joined:
    """Enter a player, or take back a withdrawal.

    Example: keizer add club.db "Judit Baker" --rating 2110
    """
    if not new:
        # Raises DeclinedError if the name may be that of a player under another form.
        roster.check_new(tournament.conn, name)
    player = roster.enter(
        tournament,
        name,
        rating=rating,
        category=category,
        from_round=from_round,
        new=new,
    )
    # After the draft was paired, a new player has no seat in it: the user is warned.
    tournament.warn_of_players_without_seat()
    first = from_round or tournament.now.coming_round
    stored_name = roster.players(tournament)[player]
    message = say(
        "{name} (#{player}) plays from round {round}",
        name=stored_name,
        player=player,
        round=first,
    )
    return Joined(message, player, stored_name, first)


class Withdrawn(NamedTuple):
    """The result of `withdraw`.

    said: a message about it.
    player: the player.id.
    name: the player's name as the file has it.
    last_round: the last round that the player takes part in.
    """

    said: Message
    player: int
    name: str
    last_round: int


@act()
def withdraw(tournament: Writing, player: _Player) -> Withdrawn:
    """Withdraw a player after the latest round; games are kept.

    Example: keizer withdraw club.db Baker
    """
    member = find_player(tournament, player)
    last = roster.withdraw(tournament, member.id)
    # If the player was in the draft, the opponent has no seat now: the user is warned.
    tournament.warn_of_players_without_seat()
    message = say(
        "{name} has withdrawn after round {round}", name=member.name, round=last
    )
    return Withdrawn(message, member.id, member.name, last)


class Corrected(NamedTuple):
    """The result of `correct_member`.

    said: a message with all changes.
    player: the player.id.
    name: the player's name before the correction.
    changes: a message for each detail that changed.
    """

    said: Message
    player: int
    name: str
    changes: list[Message]


def _may_change_ranks(*_: object, **details: Any) -> bool:
    """Return whether a detail is corrected that the standings depend on.

    These are the details of the player's entry in the tournament, such as the start
    rating. The other details are those of the person, such as the name.
    It is called as `correct_member` is.

    _: the tournament and the player, who make no difference.
    details: the other arguments by name; None if a detail was not typed.
    """
    changes = values_to_store(details)
    return any(detail in members.ENTRY for detail in changes)


Number = int | str | None
"""A number; "" removes it, and None leaves it as it is."""


@act(shows_moves_first=_may_change_ranks, allowed_when_finished=True)
def correct_member(
    tournament: Writing,
    player: _Player,
    *,
    name: Annotated[str | None, TEXT, "The name, corrected."] = None,
    rating: Annotated[Number, removable(RATING), "Today's rating; 0 is none."] = None,
    category: Annotated[str | None, DETAIL, "Such as A, B or Youth."] = None,
    title: Annotated[str | None, DETAIL, "Such as GM or WIM."] = None,
    fide_id: Annotated[
        Number, removable(number(1)), "The number in FIDE's list."
    ] = None,
    national_id: Annotated[
        str | None, DETAIL, "The number in the national list."
    ] = None,
    federation: Annotated[str | None, DETAIL, "Three letters, such as NED."] = None,
    sex: Annotated[str | None, DETAIL, "m or w."] = None,
    born: Annotated[str | None, DETAIL, "A year, or a date, YYYY-MM-DD."] = None,
    start_rating: Annotated[
        Number, removable(RATING), "The rating that the start order goes by."
    ] = None,
    start_rank: Annotated[
        Number, removable(number(1)), "A set place in the start order."
    ] = None,
    first_round: Annotated[int | None, ROUND, "The first round to play in."] = None,
) -> Corrected:
    """Correct what the file has of a player; "" takes a detail away.

    Until a round is paired the start rating follows the rating.
    """
    changes = values_to_store(
        {
            "name": name,
            "rating": rating,
            "category": category,
            "title": title,
            "fide_id": fide_id,
            "national_id": national_id,
            "federation": federation,
            "sex": sex,
            "born": born,
            "start_rating": start_rating,
            "start_rank": start_rank,
            "first_round": first_round,
        }
    )
    person = find_person(tournament, player)
    if any(detail in members.ENTRY for detail in changes):
        # In a finished season a person may be corrected, such as their name, but not
        # their entry in the tournament, on which the standings depend.
        tournaments.check_running(tournament)
    corrected = members.correct_member(tournament, person.id, changes)
    message = say(
        "{name}: {changes}",
        name=person.name,
        changes=corrected or say("nothing to change"),
    )
    return Corrected(message, person.id, person.name, corrected)


DETAILS = ("name", *roster.DETAILS, *members.ENTRY)
"""The details of a member that can be corrected."""

PEOPLE = ("player", "x_player_tournament")
"""The tables that say which player has which number.

A form names players by number. If these tables change, a number may mean another one.
"""


class Merged(NamedTuple):
    """The result of `merge`.

    said: a message about it.
    names: the names that the two entries had before.
    """

    said: Message
    names: tuple[str, str]


@act(shows_moves_first=always, rests_on=PEOPLE)
def merge(
    tournament: Writing,
    player: _Player,
    other: Annotated[Who, PLAYER, "A second entry of the person, to be one with this."],
    *,
    name: Annotated[
        str | None, TEXT, "Which of the two names stays; the player's by default."
    ] = None,
) -> Merged:
    """Merge two entries of the same person."""
    person = find_person(tournament, player)
    duplicate = find_person(tournament, other)
    message = members.merge_persons(tournament.conn, person.id, duplicate.id, name)
    return Merged(message, (person.name, duplicate.name))


@act(shows_moves_first=always, rests_on=PEOPLE)
def remove(tournament: Writing, player: _Player) -> Said:
    """Remove a player who has no game."""
    person = find_person(tournament, player)
    return Said(members.remove_member(tournament, person.id))
