"""The members: entered, withdrawn, corrected, merged, removed."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from keizer.acts.declare import (
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
)
from keizer.acts.session import Writing
from keizer.messages import Fact, Message, say
from keizer.season import tournaments
from keizer.season.names.finding import find_person, find_player
from keizer.season.people import members, roster


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
        tournament,
        name,
        rating=rating,
        category=category,
        from_round=from_round,
        new=new,
    )
    tournament.tell_unseated()
    first = from_round or tournament.now.coming_round
    called = roster.players(tournament)[player]
    said = say(
        "{name} (#{player}) plays from round {round}",
        name=called,
        player=player,
        round=first,
    )
    return Joined(said, player, called, first)


class Withdrawn(NamedTuple):
    """A player who has withdrawn, and the number of the round after which."""

    said: Message
    player: int
    name: str
    last_round: int


@act()
def withdraw(
    tournament: Writing, player: Annotated[Who, PLAYER, "The player."]
) -> Withdrawn:
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


def _changes_the_order(*_: object, **details: Any) -> bool:
    """Whether a correction is of what the standings rest on."""
    return not members.ENTRY.keys().isdisjoint(_given(details))


def _given(details: Mapping[str, Any]) -> dict[str, roster.Detail]:
    return {name: value or None for name, value in details.items() if value is not None}


Number = int | str | None


@act(shows_first=_changes_the_order, finished=True)
def correct_member(
    tournament: Writing,
    player: Annotated[Who, PLAYER, "The player."],
    *,
    name: Annotated[str | None, TEXT, "The name, corrected."] = None,
    rating: Annotated[Number, removable(RATING), "Today's rating; 0 is none."] = None,
    category: Annotated[str | None, removable(TEXT), "Such as A, B or Youth."] = None,
    title: Annotated[str | None, removable(TEXT), "Such as GM or WIM."] = None,
    fide_id: Annotated[
        Number, removable(number(1)), "The number in FIDE's list."
    ] = None,
    national_id: Annotated[
        str | None, removable(TEXT), "The number in the national list."
    ] = None,
    federation: Annotated[
        str | None, removable(TEXT), "Three letters, such as NED."
    ] = None,
    sex: Annotated[str | None, removable(TEXT), "m or w."] = None,
    born: Annotated[
        str | None, removable(TEXT), "A year, or a date, YYYY-MM-DD."
    ] = None,
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
    details = {key: value for key, value in locals().items() if key in DETAILS}
    changes = _given(details)
    found, called = find_person(tournament, player)
    if not members.ENTRY.keys().isdisjoint(changes):
        tournaments.check_running(tournament)
    done = members.correct(tournament, found, changes)
    said: Fact = done or say("nothing to change")
    return Corrected(
        say("{name}: {changes}", name=called, changes=said), found, called, done
    )


DETAILS = ("name", *roster.DETAILS, *members.ENTRY)
"""What can be corrected of a member."""


PEOPLE = ("player", "x_player_tournament")
"""Who is meant: a number may become another's."""


class Merged(NamedTuple):
    """Two entries that are one now, and what they were called."""

    said: Message
    names: tuple[str, str]


@act(shows_first=always, rests_on=PEOPLE)
def merge(
    tournament: Writing,
    player: Annotated[Who, PLAYER, "The player."],
    other: Annotated[Who, PLAYER, "A second entry of the person, to be one with this."],
    *,
    name: Annotated[
        str | None, TEXT, "Which of the two names stays; the player's by default."
    ] = None,
) -> Merged:
    """Make two entries of one person one."""
    one, two = (find_person(tournament, who) for who in (player, other))
    return Merged(
        members.merge(tournament.conn, one.id, two.id, name), (one.name, two.name)
    )


@act(shows_first=always, rests_on=PEOPLE)
def remove(tournament: Writing, player: Annotated[Who, PLAYER, "The player."]) -> Said:
    """Take out a player who has no game."""
    return Said(members.remove(tournament, find_person(tournament, player).id))
