"""The acts about the pairing of a round: pair, change by hand, discard, publish."""

import sqlite3
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from keizer import addons
from keizer.acts.declare import BOARDS, FILE, FLAG, PAIR, PLAYER, Said, Who, act
from keizer.acts.session import Session, Writing
from keizer.errors import KeizerError
from keizer.messages import Message, boards, say
from keizer.season.club_night import drafts, publication
from keizer.season.names.finding import Player, distinct_pair, find_player
from keizer.season.tournaments import last_paired_round, revaluation_suspended
from keizer.store.atomic import StrPath
from keizer.store.connection import error_message

if TYPE_CHECKING:
    from keizer.season.club_night.rounds import Paired
    from keizer.season.club_night.swap import Swapped

SEATS = ("round", "unplayed")
"""The tables that have the boards of a round, its bye and its absences."""


class Published(NamedTuple):
    """The result of `publish`, `take_back` and `unpair`.

    number: the number of the round.
    stale: messages about what changed between pairing and publishing the round, which
        may be reasons to pair it again. Only `publish` has any.
    """

    said: Message
    number: int
    stale: Sequence[Message] = ()


def _read_pairs(
    _season: Session, *, pairs: StrPath | None = None, **more: Any
) -> dict[str, Any]:
    """Read the file of pairings, if one is named, before the season is locked.

    Returns the arguments of `pair`. Among these `pairs` is now the content of the file,
    and no longer its path.

    _season: not used; every function for `prepare` of an act gets it first.
    pairs: the path of the file, or None.
    more: all other arguments of `pair`.
    """
    path = pairs
    if path is None:
        return more
    # Imported only here, since few commands read a file.
    from keizer.formats import apart

    # The function is run in a process of its own: a file that is too much for it, or
    # that breaks it, does not stop this program.
    read_file = addons.import_part("exchange.trf.pairs").read
    content = apart.read_in_own_process(read_file, path)
    return {"pairs": content, **more}


@act(rests_on=SEATS, snapshot_before="next round", prepare=_read_pairs)
def pair(
    tournament: Writing,
    *,
    why: Annotated[bool, FLAG, "Give the reasons for every board."] = False,
    pair: Annotated[
        Sequence[tuple[Who, Who]],
        PAIR,
        "Let these two meet, White first. Can be repeated.",
    ] = (),
    bye: Annotated[Who | None, PLAYER, "Give this player the bye."] = None,
    pairs: Annotated[
        StrPath | object,
        FILE,
        "Use the pairings that another program made from an exported report.",
    ] = None,
    again: Annotated[bool, FLAG, "Pair the draft anew."] = False,
    keep: Annotated[
        Sequence[int] | Literal["all"],
        BOARDS,
        "With --again: keep these boards (1-5,8), or all that can stay.",
    ] = (),
    allow_open: Annotated[
        bool, FLAG, "Pair even if the latest round is a draft or has open boards."
    ] = False,
    beyond: Annotated[
        bool, FLAG, "Pair a round more than the season is planned for."
    ] = False,
) -> "Paired":
    """Pair the next round by Keizer rank.

    Everybody who is not signed off is paired; with an odd number, one player has the
    bye. A rule that could not be kept is named, with the reason. The pairing is a draft
    until it is published or has a result.

    Examples:
        keizer next-round club.db --why
        keizer next-round club.db --pair Baker Carter --bye "J. Smith"
        keizer next-round club.db --again --keep 1-3
        keizer next-round club.db --pairs pairs.txt
    """
    # At the command line this act is the command next-round.
    # Imported only here: it brings the pairing engine, which loads slowly.
    from keizer.season.club_night import rounds

    if keep and not again:
        raise KeizerError("--keep needs --again: it keeps boards of the draft.")
    # The boards and the bye that a person, or another program, has decided.
    fixed_boards = pair
    fixed_bye = bye
    if pairs:
        if pair or bye:
            raise KeizerError(
                "--pairs has all boards and the bye: leave --pair and --bye out."
            )
        read_seats = addons.import_part("exchange.trf.pairs").seated
        fixed_boards, fixed_bye = read_seats(tournament, pairs)
    fixed_ids = []
    for white_typed, black_typed in fixed_boards:
        white, black = distinct_pair(tournament, white_typed, black_typed)
        fixed_ids.append((white.id, black.id))
    bye_id = None if fixed_bye is None else find_player(tournament, fixed_bye).id
    paired = rounds.next_round(
        tournament,
        fixed=fixed_ids,
        bye=bye_id,
        again=again,
        # For next_round None stands for all boards that can stay.
        boards_to_keep=None if keep == "all" else keep,
        allow_open=allow_open,
        beyond=beyond,
        with_reasons=why,
    )
    if paired.postponed:
        tournament.tell(
            say(
                "Still open in round {round}: {boards}.",
                round=paired.number - 1,
                boards=boards(paired.postponed),
            )
        )
    return paired


@act(rests_on=SEATS)
def unpair(tournament: Writing) -> Published:
    """Discard the draft of a pairing; absences stay.

    Example: keizer unpair club.db
    """
    # Imported only here: it brings the pairing engine, which loads slowly.
    from keizer.season.club_night import rounds

    number = rounds.draft_number(tournament)
    rounds.clear_pairing(tournament, number)
    _forget_todays_date(tournament, number)
    tournament.describe("round {number} unpaired", number=number)
    return Published(say("round {round} is not paired any more", round=number), number)


def _forget_todays_date(tournament: Writing, number: int) -> None:
    """Delete the row of a round in table schedule if its date is today, or missing.

    The round may have been published before, and made a draft again by `publish-round
    --take-back`. Publishing gave it the date of today, if it had none. That date is
    deleted, as the next publishing sets one again. The date of any other day stays.
    """
    # A row without a date is deleted, too: it only says of the pairing, which is gone,
    # whether it was proved the best.
    tournament.conn.execute(
        "DELETE FROM schedule WHERE tournament_id = ? AND round_number = ?"
        " AND (date IS NULL OR date = date('now', 'localtime'))",
        (tournament.id, number),
    )


@act(rests_on=SEATS)
def publish(tournament: Writing) -> Published:
    """Publish the pairing of the latest round.

    After this the round is no longer a draft: players who sign off are absent from the
    next round instead. Entering a first result publishes the round, too.

    Example: keizer publish-round club.db
    """
    with tournament.announcing_late_entries():
        # Read before it is published: these are changes of a draft.
        stale = drafts.changes_since_pairing(tournament)
        number = publication.publish(tournament)
    return Published(say("round {round} published", round=number), number, stale)


@act(rests_on=SEATS)
def take_back(tournament: Writing) -> Published:
    """Make the latest round a draft again, while it has no result.

    One in which nobody plays can be paired again.
    """
    number = last_paired_round(tournament)
    if tournament.now.draft:
        raise KeizerError("round {number} is already a draft.", number=number)
    tournament.update(
        "schedule",
        {"published_at": None},
        tournament_id=tournament.id,
        round_number=number,
    )
    now = tournament.now
    if now.last_round < number:
        # Nobody plays in this round. Without boards, only its time of publishing had
        # made a round of it.
        message = say("round {number} to be paired again", number=number)
    elif now.draft is None:
        # A result makes a round a published one, even without a time of publishing. The
        # error rolls the update back.
        raise KeizerError(
            "round {number} has results: it is no longer a draft.", number=number
        )
    else:
        message = say("round {number} a draft again", number=number)
    tournament.describe(message)
    return Published(message, now.last_round)


@act(rests_on=SEATS)
def swap(
    tournament: Writing,
    one: Annotated[Who, PLAYER, "A player."],
    two: Annotated[Who, PLAYER, "The other."],
    *,
    anyway: Annotated[bool, FLAG, "Even if published, or against a rule."] = False,
) -> "Swapped":
    """Let two players change places in the latest round.

    If the two play each other, they change colours. If one has the bye, the other gets
    it. A published round is changed only with --anyway.

    Example: keizer swap club.db Baker Carter
    """
    # Imported only here: it brings the pairing engine, which loads slowly.
    from keizer.season.club_night.swap import swap as change_places

    player = find_player(tournament, one)
    other = find_player(tournament, two)
    if player == other:
        raise KeizerError("a player cannot change places with themselves.")
    return change_places(tournament, player.id, other.id, anyway=anyway)


@act(rests_on=SEATS)
def seat(
    tournament: Writing,
    white: Annotated[Who, PLAYER, "Who has White."],
    black: Annotated[Who, PLAYER, "Who has Black."],
) -> Said:
    """Add a board to the latest round for two players without one.

    Use it when players come late, or to give the player with the bye a game. Their
    absence or bye is removed.

    Example: keizer seat club.db Baker Carter
    """
    white_player, black_player = distinct_pair(tournament, white, black)
    number = last_paired_round(tournament)
    _refuse_seated(tournament, number, (white_player, black_player))
    facts = {"white": white_player.name, "black": black_player.name, "number": number}
    of_round = {"tournament_id": tournament.id, "round_number": number}
    # Each of these statements would revalue the season by itself. Suspended, the season
    # is revalued once at the end.
    with revaluation_suspended(tournament):
        for player in (white_player, black_player):
            tournament.delete("unplayed", **of_round, player_id=player.id)
        try:
            game = tournament.insert(
                "round", **of_round, white=white_player.id, black=black_player.id
            )
            # While revaluation is suspended, a new board gets no reasons. Inserting
            # into this view runs a trigger that finds them.
            tournament.insert("z_reasons", tournament_id=tournament.id)
        except sqlite3.IntegrityError as error:
            raise KeizerError(
                "{white} and {black} cannot be seated in round {number}: {why}",
                **facts,
                why=error_message(error),
            ) from error
    board = tournament.scalar("SELECT board FROM round WHERE id = ?", game)
    message = say(
        "round {number}, board {board}: {white} – {black}", **facts, board=board
    )
    return Said(tournament.describe(message))


def _refuse_seated(tournament: Writing, number: int, players: Sequence[Player]) -> None:
    """Raise KeizerError if one of the players has a board in the round already.

    number: the number of the round.
    """
    # `seats` has the ids of White and Black by board.
    seated = {*chain.from_iterable(tournament.seats(number).values())}
    for player in players:
        if player.id in seated:
            raise KeizerError(
                "{name} already has a board in round {number}: `keizer swap` lets two"
                " players change places.",
                name=player.name,
                number=number,
            )
