"""The acts about who comes: to the coming round, to other rounds, or by default."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Annotated, NamedTuple

from keizer import addons
from keizer.acts.declare import FLAG, KIND, MEMBER, PLAYER, ROUND, ROUNDS, Who, act
from keizer.acts.session import Writing
from keizer.errors import Faults, KeizerError, refuse_if_any
from keizer.messages import Fact, Message, say, term
from keizer.season import views
from keizer.season.club_night import presence
from keizer.season.club_night.presence import Announcement
from keizer.season.names import resolve, spelling
from keizer.season.names.finding import find_player, find_players
from keizer.season.people import roster
from keizer.season.tournaments import revaluation_suspended


class Attendance(NamedTuple):
    """The result of signing players off or on.

    said: a message about it.
    players: the names of the players by id; empty if `take_list` read a whole presence
        list, which its message names instead.
    rounds: the numbers of the rounds; empty if the default presence was set, which
        counts in every round.
    """

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
    ] = presence.USUAL_ABSENCE,
    by_default: Annotated[bool, FLAG, "In every round, unless they sign on."] = False,
    rounds: _Rounds = None,
) -> Attendance:
    """Sign players off from the coming round, or from other rounds.

    If the pairing is still a draft, a player who signs off is taken out of it.

    Examples:
        keizer absent club.db Baker "J. Smith"
        keizer absent club.db Carter --kind "club duty" --round 7-9
        keizer absent club.db White --by-default
    """
    members = find_players(tournament, players)
    if by_default:
        _refuse_named_rounds(rounds)
        return _set_default(tournament, members, kind)
    numbers = _round_numbers(tournament, rounds)
    message = presence.sign_off(tournament, members, kind=kind, rounds=numbers)
    # The user is warned of an opponent in the draft who has no seat now.
    tournament.warn_of_players_without_seat()
    if not rounds:
        # Players who sign off without naming a round may mean the round that is being
        # played. If their boards there have no result yet, the user is told so.
        for sentence in presence.missing_result_warnings(tournament, members):
            tournament.tell(sentence)
    return Attendance(message, members, numbers)


@act()
def present(
    tournament: Writing,
    *players: _Players,
    by_default: Annotated[bool, FLAG, "In every round, unless they sign off."] = False,
    rounds: _Rounds = None,
) -> Attendance:
    """Sign players on for the coming round, or for other rounds."""
    members = find_players(tournament, players)
    if by_default:
        _refuse_named_rounds(rounds)
        return _set_default(tournament, members, None)
    numbers = _round_numbers(tournament, rounds)
    # `numbers` is not passed on: if no round is named, sign_on refuses with a message
    # that also points to the published round.
    message = presence.sign_on(tournament, members, rounds=rounds or ())
    tournament.warn_of_players_without_seat()
    return Attendance(message, members, numbers)


def _round_numbers(tournament: Writing, rounds: Sequence[int] | None) -> list[int]:
    """Return the rounds that were named, or the coming round if None was passed.

    Raises KeizerError for an empty list, which may be a mistake of a program.
    """
    if rounds is None:
        return [tournament.now.coming_round]
    if not rounds:
        raise KeizerError("name at least one round.")
    return [*rounds]


def _refuse_named_rounds(rounds: Sequence[int] | None) -> None:
    """Raise KeizerError if rounds were named: a default is not about single rounds."""
    if rounds:
        raise KeizerError("--by-default is about every round: leave --round out.")


def _set_default(
    tournament: Writing, players: dict[int, str], kind: str | None
) -> Attendance:
    """Set the default presence of players, which counts in every round.

    The user is warned of players who are present but have no seat in the draft.

    kind: the kind of absence, or None if they come unless they sign off.
    """
    message = presence.set_default_presence(tournament, players, kind)
    tournament.warn_of_players_without_seat()
    return Attendance(message, players, [])


# ------------------------------------------------------------------- many at once


class _MessageKey(NamedTuple):
    """The key by which announcements share a message: round, comes or not, kind.

    One message names all players who come to a round, or all who are absent from it
    with the same kind of absence. Sorted by their keys, the messages are in the order
    of the rounds, and in a round absences come before presence.

    round: the number of the round.
    comes: True if the players come, False if they are absent.
    kind: the kind of absence, such as "excused"; "" if the players come.
    """

    round: int
    comes: bool
    kind: str


def _message_key(announcement: Announcement) -> _MessageKey:
    """Return the key of an announcement, which it shares with others in one message."""
    if announcement.kind is None:
        return _MessageKey(announcement.round, comes=True, kind="")
    # A player who did not say why they are absent is named among the usual absences.
    kind = announcement.kind or presence.USUAL_ABSENCE
    return _MessageKey(announcement.round, comes=False, kind=kind)


def write_announcements(
    tournament: Writing,
    announcements: Iterable[Announcement],
    player_names: Mapping[int, str],
) -> list[Message]:
    """Sign players off and on; return a message for each round and kind of absence.

    A message is also noted on the log.

    announcements: of players that they come to a round, or will be absent.
    player_names: the names of all these players by player.id.
    """
    messages = []

    def order(announcement: Announcement) -> tuple[_MessageKey, str]:
        """Order by message, and within a message by name."""
        return _message_key(announcement), player_names[announcement.player]

    # The season is revalued once at the end, and not after each announcement.
    with revaluation_suspended(tournament):
        # groupby needs the announcements of a message next to each other.
        in_order = sorted(announcements, key=order)
        for key, announcements_of_message in groupby(in_order, key=_message_key):
            names: list[Fact] = []
            for announcement in announcements_of_message:
                _write_announcement(tournament, announcement)
                name = player_names[announcement.player]
                if announcement.late:
                    names.append(say("{name} (later)", name=name))
                else:
                    names.append(name)
            state = say("present") if key.comes else term(key.kind)
            message = presence.describe_presence(tournament, [key.round], state, names)
            messages.append(message)
    return messages


def _write_announcement(tournament: Writing, announcement: Announcement) -> None:
    """Sign one player on or off, as they announced it.

    The kind of the announcement is None if the player comes. It is "" if they are
    absent but did not say which kind of absence it is.
    """
    if announcement.kind is None:
        presence.make_present(tournament, announcement.round, announcement.player)
        return
    if not announcement.kind:
        # If the player has signed off already, the kind that they gave then stays.
        absences = roster.announced_absences(
            tournament, announcement.player, announcement.round
        )
        if announcement.round in absences:
            return
    kind = announcement.kind or presence.USUAL_ABSENCE
    presence.sign_off(
        tournament, [announcement.player], kind=kind, rounds=[announcement.round]
    )


@act()
def take_list(
    tournament: Writing,
    lines: Sequence[str],
    *,
    others: Annotated[str | None, KIND, "The absence of all others."] = None,
) -> Attendance:
    """Take who comes to the coming round from a list: a name a line, or `Baker: excused`.

    A line may also be as people write it, where the add-on is there that reads that.
    Who is not in it, and has not signed off, comes, where others is not given.
    """  # noqa: E501  # a help text
    number = tournament.now.coming_round
    # The names, by id, of the players who have not withdrawn.
    known = roster.remaining_players(tournament)
    announcements = _read_list(tournament, lines, known)
    if others is not None:
        # No player is in both: the others are those who are not in the list.
        absences = _absences_of_others(tournament, others, listed=announcements)
        announcements = absences | announcements
    write_announcements(tournament, announcements.values(), known)
    tournament.describe("the presence list of round {number}", number=number)
    tournament.warn_of_players_without_seat()
    return Attendance(
        say("the presence list of round {round}", round=number), {}, [number]
    )


def _read_list(
    tournament: Writing, lines: Sequence[str], known: Mapping[int, str]
) -> dict[int, Announcement]:
    """Read a presence list of the coming round; return the announcements by player.id.

    An announcement says that a player comes, or will be absent.

    known: the names of the players by id.
    Raises one KeizerError with the faults of all lines, if there are any.
    """
    read_message = None
    if addons.has("exchange"):
        # It reads a line as people write it in a chat. If the line is not clear to it,
        # it returns no announcement.
        read_message = addons.import_part("exchange.acts").line_reader(tournament)
    announcements: dict[int, Announcement] = {}
    faults: Faults = []
    for number, line in enumerate(lines, 1):
        # All lines are read, so that people see every fault at once.
        try:
            announcements_of_line = read_message(line) if read_message else ()
            if not announcements_of_line:
                announcements_of_line = _read_line(tournament, line, known)
            for announcement in announcements_of_line:
                player = announcement.player
                if player in announcements:
                    raise KeizerError(
                        "{name} is in the list twice.", name=known[player]
                    )
                announcements[player] = announcement
        except KeizerError as error:
            faults.append((number, error.message))
    refuse_if_any(say("the list"), faults, say("nobody was signed on or off"))
    return announcements


def _read_line(
    tournament: Writing, line: str, known: Mapping[int, str]
) -> list[Announcement]:
    """Read a line with a name, or a name and a kind of absence as in “Baker: excused”.

    Returns one announcement, that the player comes to the coming round or is absent
    from it; or [] for a blank line.

    known: the names of the players by id.
    """
    name = line
    kind = ""
    if spelling.tidy(line) not in known.values():  # a name may have a colon itself
        name, _, kind = line.partition(":")
    name = name.strip()
    if not name:
        return []
    player = resolve.find_player_id(name, known)
    absence = None
    kind = kind.strip()
    if kind:
        absence = roster.check_kind(tournament, kind, absence=True)
    return [Announcement(player, tournament.now.coming_round, absence)]


def _absences_of_others(
    tournament: Writing, kind: str, *, listed: Collection[int]
) -> dict[int, Announcement]:
    """Return, by player.id, an absence for each player who is not in a presence list.

    Players who are absent already are left out, too. These are absences from the coming
    round, as announcements, which are not written yet.

    kind: the kind of absence, as somebody typed it.
    listed: the player.id of each player in the list.
    """
    absence = roster.check_kind(tournament, kind, absence=True)
    number = tournament.now.coming_round
    absences = {}
    for row in views.presence(tournament):
        player = row["player_id"]
        is_absent = row["absence"] is not None
        if player not in listed and not is_absent:
            absences[player] = Announcement(player, number, absence)
    return absences


@act(rights=MEMBER)
def sign(
    tournament: Writing,
    *,
    round: Annotated[int, ROUND, "The round."],
    comes: Annotated[bool, FLAG, "1: comes; 0: is away."] = False,
) -> Attendance:
    """Sign yourself off from a coming round, or on for it, with a personal link."""
    if round < tournament.now.coming_round:
        raise KeizerError("that round is already paired: tell the director.")
    if round == tournament.now.draft:
        raise KeizerError("that round is being paired now: tell the director.")
    # This also refuses a member who did not enter this tournament.
    player, name = find_player(tournament, tournament.myself)
    if comes:
        message = presence.sign_on(tournament, [player], rounds=[round])
    else:
        message = presence.sign_off(tournament, [player], rounds=[round])
    return Attendance(message, {player: name}, [round])
