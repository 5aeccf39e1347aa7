"""Pairing a round: what the file says goes to `pairing`, what comes back is written."""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from keizer import messages
from keizer.errors import DeclinedError, KeizerError
from keizer.messages import Message, plural, say
from keizer.pairing import best_pairing
from keizer.pairing.facts import Board, Instead, Pairing, Policy
from keizer.season import views
from keizer.season.club_night.publication import publish
from keizer.season.queries import Conn, File, Tournament
from keizer.season.tournaments import paired_round, suspended
from keizer.season.views import Row


class Seat(NamedTuple):
    """A row of view z_seating, which says what each means."""

    what: str
    board: int | None = None
    white: int | None = None
    black: int | None = None
    white_place: int | None = None
    black_place: int | None = None
    colour_by: str | None = None
    kind: str | None = None


class Paired(NamedTuple):
    """A round that was paired: its boards and the bye, and what there is to say of them."""

    said: Message
    number: int
    boards: list[Row]
    played: bool
    """Whether anybody plays; where not, it is published, and the absences count."""
    postponed: list[int]
    """Boards of the round before that are still open."""
    relaxations: list[Row]
    """Rules that could not be kept."""
    held_apart: int
    """On how many boards rematch_gap alone kept nearer opponents apart; 0 if on few of them."""
    reasons: list[Row]
    """Why each board is as it is, where that was asked for."""
    proved: bool
    """Whether it is proved, where that was asked for, that no pairing is better."""


class Position(NamedTuple):
    """What a pairing starts from; the rest is in view possible_boards.

    names: of those present, in the order of pairing; away: who are absent without having said so,
    and the kind it counts as.
    """

    number: int
    policy: Policy
    names: dict[int, str]
    away: dict[int, str]

    def places(self) -> dict[int, int]:
        """Of those present, 1 = top."""
        return {player: place for place, player in enumerate(self.names, 1)}

    def out(self) -> list[Seat]:
        """Those who are absent by default, as the round is to have them."""
        return [Seat("out", white=player, kind=kind) for player, kind in self.away.items()]


def position_before(tournament: Tournament) -> Position:
    """What the coming round starts from."""
    found = tournament.run("to_pair").fetchall()
    called = {player: name for player, name, absence, _ in found if absence is None}
    away = {player: absence for player, _, absence, by_default in found if absence and by_default}
    rules = tournament.conn.execute(
        f"SELECT {', '.join(Policy._fields)} FROM rules WHERE tournament_id = ?", (tournament.id,)
    ).fetchone()
    return Position(tournament.now.coming_round, Policy(*rules), called, away)


def draft(tournament: Tournament) -> int:
    """The draft there is, or KeizerError."""
    number = paired_round(tournament)
    if tournament.now.draft is None:
        raise KeizerError(
            "round {number} is published or has results: it is no draft any more. `keizer"
            " next-round` pairs round {next}; `keizer publish-round DB --take-back` makes round"
            " {number} a draft again while it has no result.",
            number=number,
            next=number + 1,
        )
    return number


def clear(tournament: Tournament, number: int, keep: Collection[int] = ()) -> None:
    """Remove what pairing a round has written; keep: boards that stay."""
    with suspended(tournament):
        tournament.run("clear_boards", round=number, keep=str([*keep]))
        tournament.run("clear_byes", round=number)


def next_round(
    tournament: Tournament,
    *,
    again: bool = False,
    keep: Collection[int] | None = (),
    allow_open: bool = False,
    beyond: bool = False,
    fixed: Sequence[tuple[int, int]] = (),
    bye: int | None = None,
    why: bool = False,
) -> Paired:
    """Pair the next round, or with `again` the draft anew, and write its boards and the bye.

    keep: boards of the draft that stay as they are; None: all that can. fixed: boards that
    are settled, White first (player.id). bye: player.id of the player who is to have it. why: with
    the reasons.
    Where everybody is absent, nobody plays, and the round is published.
    Raises KeizerError while boards of the last round lack a result (unless allow_open),
    after the last round of the plan (unless beyond), where nobody is present, where there
    is no draft or no such board, and where what is settled cannot be.
    """
    kept: dict[int, Board] = {}
    if again:
        number = draft(tournament)
        kept = _kept(tournament, number, keep, {*(one for ids in fixed for one in ids), bye})
        clear(tournament, number, kept)
    else:
        number = _after_the_last(tournament, allow_open=allow_open, beyond=beyond)
    postponed = tournament.open_boards(number - 1)
    position = position_before(tournament)
    somebody = again or fixed or bye or position.names
    if not somebody and tournament.scalar("said_absent", round=number):
        seat(tournament, number, [Seat("begin"), Seat("publish"), *position.out(), Seat("end")])
        tournament.describe("round {number}, in which nobody plays", number=number)
        nobody = say("round {round}: nobody plays; the absences count", round=number)
        return Paired(nobody, number, [], False, postponed, [], 0, [], False)  # noqa: FBT003
    settled = [*kept.values(), *(Board(*ids) for ids in fixed)]
    _check_settled(tournament.conn, position, settled, bye)
    found = best(tournament, position, settled, bye)
    by_hand = [*settled, *([] if bye is None else [(bye,)])]
    _write(tournament, position, found, by_hand, kept)
    held = tournament.scalar("held_apart", round=number)
    most = held if 2 * held > len(found.boards) else 0
    done = say("round {round} is paired. It is a draft", round=number)
    if again:
        done = say("round {round} is paired anew. It is a draft", round=number)
        tournament.describe("pairing of round {number} anew", number=number)
    else:
        tournament.describe("pairing of round {number}", number=number)
    return Paired(
        done,
        number,
        views.pairings(tournament, number),
        played=True,
        postponed=postponed,
        relaxations=views.relaxations(tournament, number) if found.relaxations else [],
        held_apart=most,
        reasons=views.pairing_reasons(tournament, number) if why else [],
        proved=why and views.proved(tournament, number),
    )


def _after_the_last(tournament: Tournament, *, allow_open: bool, beyond: bool) -> int:
    """The number of the next round; with allow_open a draft is published before it."""
    last = tournament.now.last_round
    postponed = tournament.open_boards(last)
    if tournament.now.draft is not None:
        if not allow_open:
            raise DeclinedError(
                say("round {number} is a draft", number=last),
                "allow_open",
                say(
                    "--again pairs it anew, and --allow-open publishes it and pairs round"
                    " {number}.",
                    number=last + 1,
                ),
            )
        publish(tournament)  # who comes is about the next round from here on
    elif postponed and not allow_open:
        raise DeclinedError(
            say(
                "round {number} has no result on {boards}",
                number=last,
                boards=messages.boards(postponed),
            ),
            "allow_open",
            say("enter it, or pair all the same with --allow-open."),
        )
    planned = tournament.scalar("SELECT rounds FROM rules WHERE tournament_id = ?", tournament.id)
    if planned and last >= planned and not beyond:
        raise DeclinedError(
            plural(
                "the season is planned for {number:,} round",
                "the season is planned for {number:,} rounds",
                planned,
            ),
            "beyond",
            say(
                "`keizer next-round DB --beyond` pairs one more, `keizer rules DB rounds={number}`"
                " changes the plan.",
                number=last + 1,
            ),
        )
    return last + 1


def _kept(
    tournament: Tournament,
    number: int,
    keep: Collection[int] | None,
    settled: Collection[int | None],
) -> dict[int, Board]:
    """The boards of the draft that stay, by number; None: all without a player who is settled."""
    boards = {board: Board(*ids) for board, ids in tournament.seats(number).items()}
    if keep is None:
        return {board: ids for board, ids in boards.items() if not {*ids} & {*settled}}
    missing = sorted({*keep} - {*boards})
    if missing:
        raise KeizerError(
            "round {number} has no {boards}.", number=number, boards=messages.boards(missing)
        )
    return {board: ids for board, ids in boards.items() if board in keep}


def _check_settled(conn: Conn, position: Position, fixed: Sequence[Board], bye: int | None) -> None:
    """Refuse a round without players, and boards and a bye that cannot be."""
    number, present = position.number, position.names
    if not present:
        raise KeizerError(
            "nobody is present for round {number}, so there is nothing to pair.", number=number
        )
    seen: set[int] = set()
    for player in (*(player for ids in fixed for player in ids), *([] if bye is None else [bye])):
        if player not in present:
            name = File(conn).scalar("SELECT name FROM player WHERE id = ?", player)
            raise KeizerError("{name} is not present in round {number}.", name=name, number=number)
        if player in seen:
            raise KeizerError("{name} cannot be seated twice.", name=present[player])
        seen.add(player)
    if bye is not None and len(present) % 2 == 0:
        raise KeizerError(
            "{number} players are present, so nobody has the bye. To leave {name} out, sign them"
            " off.",
            number=len(present),
            name=present[bye],
        )


def best(
    tournament: Tournament, position: Position, fixed: Sequence[Board] = (), bye: int | None = None
) -> Pairing:
    """The best pairing of a position; KeizerError where a Swiss has none and asks for one."""
    _, policy, present, _ = position
    found = best_pairing(tournament.conn, tournament.id, policy, [*present], fixed=fixed, bye=bye)
    if found.left and policy.stuck == "refuse":
        raise KeizerError(
            "nobody may meet twice in a Swiss, nor in a prohibited pairing, so not all have a"
            " board: {names} would be left over. Sign somebody off, settle a board with --pair, or"
            " let the rule `stuck` be leave or rematch.",
            names=messages.listed([present[player] for player in found.left]),
        )
    return found


def _write(
    tournament: Tournament,
    position: Position,
    found: Pairing,
    by_hand: Sequence[tuple[int, ...]],
    kept: Mapping[int, Board],
) -> None:
    """Write what is new, and read it back; boards that are kept move up, their reasons stay."""
    place, number = position.places(), position.number
    at = dict(zip(found.boards, _numbered(found.boards, kept), strict=True))
    for board, ids in sorted(kept.items()):
        cells = {"board": at[ids], "white_place": place[ids.white], "black_place": place[ids.black]}
        tournament.update(
            "round", cells, tournament_id=tournament.id, round_number=number, board=board
        )
    proved = len(found.boards) if found.proved and not by_hand else None
    seats = [Seat("begin"), Seat("draft", proved)]
    seats += [
        Seat("board", at[ids], *ids, place[ids.white], place[ids.black], colour)
        for ids, colour in zip(found.boards, found.colours, strict=True)
        if ids not in kept.values()
    ]
    seats += position.out()
    for player in (*([] if found.bye is None else [found.bye]), *found.left):
        place_of_bye = None if (player,) in by_hand else place[player]
        seats.append(Seat("out", white=player, white_place=place_of_bye, kind="bye"))
    seat(tournament, number, [*seats, Seat("end")])
    _note(tournament, position, found, by_hand)
    if tournament.scalars("seated", round=number) != sorted(position.names):
        raise KeizerError("round {number} is incomplete, so nothing was written.", number=number)


def _numbered(boards: Sequence[Board], kept: Mapping[int, Board]) -> list[int]:
    """The number of each board: those kept have theirs, the others what is left.

    Where there are fewer boards than before, those below a gap move up.
    """
    board_of = {ids: board for board, ids in kept.items()}
    free = (board for board in itertools.count(1) if board not in kept)
    places = [board_of.get(ids) or next(free) for ids in boards]
    number_of = {place: number for number, place in enumerate(sorted(places), 1)}
    return [number_of[place] for place in places]


def seat(tournament: Tournament, number: int, seats: Iterable[Seat]) -> None:
    """Write boards and bye, with their reasons."""
    of = {"tournament_id": tournament.id, "round_number": number}
    for row in seats:
        tournament.insert("z_seating", **of, **row._asdict())


def _note(
    tournament: Tournament, position: Position, found: Pairing, by_hand: Sequence[tuple[int, ...]]
) -> None:
    """Put on record why rules were given up, and why the bye: what only the best pairing knows."""
    at = {"tournament_id": tournament.id, "round_number": position.number}
    for told in found.relaxations:
        if told.players in by_hand or told.rule == "left_over":
            continue
        cells = _because(told.instead)
        if len(position.names) == len(told.players):
            cells = {"because": "alone"}
        elif told.stuck is not None:
            cells = {"because": "stuck", "player_id": told.stuck}
        tournament.update(
            "reason", cells, **at, about="given up", white=told.players[0], rule=told.rule
        )
    # Where who has it comes last, or a person gave it, there is nothing to add.
    found_so = {"about": "seat", "rule": "bye", "because": "found"}
    tournament.update("reason", _because(found.not_last), **at, **found_so)


def _because(instead: Instead | None) -> dict[str, object]:
    """How the best pairing without something differs, as table reason has it."""
    if instead is None:
        return {"because": "least"}
    return {"because": instead.digit, "there": instead.there, "here": instead.here}
