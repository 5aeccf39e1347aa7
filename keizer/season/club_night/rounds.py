"""Pairing a round: the file's facts go to `pairing`, and its boards are written."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from keizer import messages
from keizer.errors import DeclinedError, KeizerError
from keizer.messages import Message, plural, say
from keizer.pairing import best_pairing
from keizer.pairing.facts import Board, Difference, Pairing, Policy, Relaxation
from keizer.season import views
from keizer.season.club_night.publication import publish
from keizer.season.queries import Conn, File, Tournament
from keizer.season.tournaments import last_paired_round, revaluation_suspended
from keizer.season.views import Row


class Seat(NamedTuple):
    """A row of view z_seating, which explains each column."""

    what: str
    board: int | None = None
    white: int | None = None
    black: int | None = None
    white_place: int | None = None
    black_place: int | None = None
    colour_by: str | None = None
    kind: str | None = None


class Paired(NamedTuple):
    """A round that was paired: its boards and the bye, and notes about them."""

    said: Message
    number: int
    boards: list[Row]
    played: bool
    """Whether anybody plays; if not, the round is published, and the absences count."""
    postponed: list[int]
    """Boards of the round before that are still open."""
    relaxations: list[Row]
    """Rules that could not be kept."""
    held_apart: int
    """On how many boards rematch_gap alone kept nearer opponents apart; 0 if on few."""
    reasons: list[Row]
    """Why each board is as it is, if the reasons were asked for."""
    proved: bool
    """Whether it is proved that no pairing is better, if the reasons were asked for."""


class Position(NamedTuple):
    """The facts that a pairing starts from; the rest is in view possible_boards.

    names: of those present, by id, in the order of pairing.
    away: the kind of absence, by id, of players who are absent by default.
    """

    number: int
    policy: Policy
    names: dict[int, str]
    away: dict[int, str]

    def places(self) -> dict[int, int]:
        """Return the place of each player present; 1 is the top."""
        return {player: place for place, player in enumerate(self.names, 1)}

    def default_absences(self) -> list[Seat]:
        """Return the seats of those who are absent by default."""
        return [
            Seat("out", white=player, kind=kind) for player, kind in self.away.items()
        ]


def read_position(tournament: Tournament) -> Position:
    """Return the facts that the coming round starts from."""
    names = {}
    away = {}
    for player, name, absence, by_default in tournament.run("to_pair"):
        if absence is None:
            names[player] = name
        elif absence and by_default:
            away[player] = absence
    return Position(tournament.now.coming_round, _policy(tournament), names, away)


def _policy(tournament: Tournament) -> Policy:
    columns = ", ".join(Policy._fields)
    rules = tournament.conn.execute(
        f"SELECT {columns} FROM rules WHERE tournament_id = ?", (tournament.id,)
    ).fetchone()
    return Policy(*rules)


def draft_number(tournament: Tournament) -> int:
    """Return the number of the draft; refuse if there is none."""
    number = last_paired_round(tournament)
    if tournament.now.draft is None:
        raise KeizerError(
            "round {number} is published or has results: it is no draft any more."
            " `keizer next-round` pairs round {next}; `keizer publish-round DB"
            " --take-back` makes round {number} a draft again while it has no result.",
            number=number,
            next=number + 1,
        )
    return number


def clear_pairing(
    tournament: Tournament, number: int, keep: Collection[int] = ()
) -> None:
    """Remove what pairing a round has written; keep: boards that stay."""
    with revaluation_suspended(tournament):
        kept_boards = str([*keep])  # a list in JSON, too
        tournament.run("clear_boards", round=number, keep=kept_boards)
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
    with_reasons: bool = False,
) -> Paired:
    """Pair the next round, or with `again` the draft anew, and write its seats.

    keep: boards of the draft that stay as they are; None for all that can.
    fixed: boards that are settled, by player.id, White first.
    bye: player.id of the player who is to have it. with_reasons: also return them.
    If everybody is absent, nobody plays, and the round is published.
    Raises KeizerError:
    - while boards of the last round lack a result, unless allow_open;
    - after the last round of the plan, unless beyond;
    - if nobody is present;
    - if there is no draft or no such board to pair again;
    - if what is settled cannot be.
    """
    settled = [Board(*ids) for ids in fixed]
    retained: dict[int, Board] = {}
    if again:
        number = draft_number(tournament)
        players = set(_players_on(settled, bye))
        retained = _retained(tournament, number, keep, players)
        clear_pairing(tournament, number, retained)
    else:
        number = _after_the_last(tournament, allow_open=allow_open, beyond=beyond)
    postponed = tournament.open_boards(number - 1)
    position = read_position(tournament)
    nobody = not (again or fixed or bye or position.names)
    if nobody and tournament.scalar("said_absent", round=number):
        return _publish_without_play(tournament, position, number, postponed)
    settled = [*retained.values(), *settled]
    _check_settled(tournament.conn, position, settled, bye)
    pairing = find_best_pairing(tournament, position, settled, bye)
    by_hand: list[tuple[int, ...]] = [*settled]
    if bye is not None:
        by_hand.append((bye,))
    _write(tournament, position, pairing, by_hand, retained)
    held_apart = _held_apart(tournament, number, len(pairing.boards))
    done = _describe_pairing(tournament, number, again=again)
    relaxations = []
    if pairing.relaxations:
        relaxations = views.relaxations(tournament, number)
    return Paired(
        done,
        number,
        views.pairings(tournament, number),
        played=True,
        postponed=postponed,
        relaxations=relaxations,
        held_apart=held_apart,
        reasons=views.pairing_reasons(tournament, number) if with_reasons else [],
        proved=with_reasons and views.is_proved_best(tournament, number),
    )


def _players_on(boards: Iterable[Board], bye: int | None) -> list[int]:
    """Return the players of boards, and who has the bye, if anybody."""
    players = [player for board in boards for player in board]
    if bye is not None:
        players.append(bye)
    return players


def _publish_without_play(
    tournament: Tournament, position: Position, number: int, postponed: list[int]
) -> Paired:
    """Write and publish a round in which nobody plays; the absences count."""
    seats = [Seat("begin"), Seat("publish"), *position.default_absences(), Seat("end")]
    write_seats(tournament, number, seats)
    tournament.describe("round {number}, in which nobody plays", number=number)
    return Paired(
        say("round {round}: nobody plays; the absences count", round=number),
        number,
        boards=[],
        played=False,
        postponed=postponed,
        relaxations=[],
        held_apart=0,
        reasons=[],
        proved=False,
    )


def _describe_pairing(tournament: Tournament, number: int, *, again: bool) -> Message:
    """Note on the log that a round was paired; return what is said of it."""
    if again:
        tournament.describe("pairing of round {number} anew", number=number)
        return say("round {round} is paired anew. It is a draft", round=number)
    tournament.describe("pairing of round {number}", number=number)
    return say("round {round} is paired. It is a draft", round=number)


def _held_apart(tournament: Tournament, number: int, boards: int) -> int:
    """Return on how many boards rematch_gap kept players apart; 0 if on few of them.

    Few are up to half of the boards.
    """
    held_apart: int = tournament.scalar("held_apart", round=number)
    if 2 * held_apart > boards:
        return held_apart
    return 0


def _after_the_last(tournament: Tournament, *, allow_open: bool, beyond: bool) -> int:
    """Return the number of the next round; with allow_open, publish a draft first."""
    last = tournament.now.last_round
    postponed = tournament.open_boards(last)
    if tournament.now.draft is not None:
        if not allow_open:
            raise DeclinedError(
                say("round {number} is a draft", number=last),
                "allow_open",
                say(
                    "--again pairs it anew, and --allow-open publishes it and pairs"
                    " round {number}.",
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
    if not beyond:
        _check_plan(tournament, last)
    return last + 1


def _check_plan(tournament: Tournament, last: int) -> None:
    """Refuse a round after the last one that the season is planned for."""
    planned = tournament.scalar(
        "SELECT rounds FROM rules WHERE tournament_id = ?", tournament.id
    )
    if planned and last >= planned:
        raise DeclinedError(
            plural(
                "the season is planned for {number:,} round",
                "the season is planned for {number:,} rounds",
                planned,
            ),
            "beyond",
            say(
                "`keizer next-round DB --beyond` pairs one more, `keizer rules DB"
                " rounds={number}` changes the plan.",
                number=last + 1,
            ),
        )


def _retained(
    tournament: Tournament,
    number: int,
    keep: Collection[int] | None,
    settled: Collection[int],
) -> dict[int, Board]:
    """Return the boards of the draft that stay, by number.

    keep: their numbers; None for all boards without a player who is settled.
    """
    seats = tournament.seats(number)
    boards = {board: Board(*players) for board, players in seats.items()}
    if keep is None:
        return {
            board: players
            for board, players in boards.items()
            if players.white not in settled and players.black not in settled
        }
    missing = set(keep) - boards.keys()
    if missing:
        raise KeizerError(
            "round {number} has no {boards}.",
            number=number,
            boards=messages.boards(sorted(missing)),
        )
    return {board: players for board, players in boards.items() if board in keep}


def _check_settled(
    conn: Conn, position: Position, fixed: Sequence[Board], bye: int | None
) -> None:
    """Refuse a round without players, and boards and a bye that cannot be."""
    number = position.number
    present = position.names
    if not present:
        raise KeizerError(
            "nobody is present for round {number}, so there is nothing to pair.",
            number=number,
        )
    seated: set[int] = set()
    for player in _players_on(fixed, bye):
        if player not in present:
            name = File(conn).scalar("SELECT name FROM player WHERE id = ?", player)
            raise KeizerError(
                "{name} is not present in round {number}.", name=name, number=number
            )
        if player in seated:
            raise KeizerError("{name} cannot be seated twice.", name=present[player])
        seated.add(player)
    if bye is not None and len(present) % 2 == 0:
        raise KeizerError(
            "{number} players are present, so nobody has the bye. To leave {name} out,"
            " sign them off.",
            number=len(present),
            name=present[bye],
        )


def find_best_pairing(
    tournament: Tournament,
    position: Position,
    fixed: Sequence[Board] = (),
    bye: int | None = None,
) -> Pairing:
    """Return the best pairing of a position.

    Raises KeizerError if a Swiss leaves players over and its rule `stuck` is refuse.
    """
    policy = position.policy
    present = position.names
    pairing = best_pairing(
        tournament.conn, tournament.id, policy, [*present], fixed=fixed, bye=bye
    )
    if pairing.left_over and policy.stuck == "refuse":
        raise KeizerError(
            "nobody may meet twice in a Swiss, nor in a prohibited pairing, so not all"
            " have a board: {names} would be left over. Sign somebody off, settle a"
            " board with --pair, or let the rule `stuck` be leave or rematch.",
            names=messages.listed([present[player] for player in pairing.left_over]),
        )
    return pairing


def _write(
    tournament: Tournament,
    position: Position,
    pairing: Pairing,
    by_hand: Collection[tuple[int, ...]],
    retained: Mapping[int, Board],
) -> None:
    """Write a pairing with its reasons, and check that everybody has a seat.

    by_hand: boards and byes that a person settled.
    retained: boards that are in the file already, by number.
    """
    places = position.places()
    numbers = _board_numbers(pairing.boards, retained)
    _move_retained(tournament, position.number, retained, numbers, places)
    proved = len(pairing.boards) if pairing.proved and not by_hand else None
    seats = [
        Seat("begin"),
        Seat("draft", proved),
        *_new_boards(pairing, retained, numbers, places),
        *position.default_absences(),
        *_byes(pairing, by_hand, places),
        Seat("end"),
    ]
    write_seats(tournament, position.number, seats)
    _note(tournament, position, pairing, by_hand)
    seated = tournament.scalars("seated", round=position.number)
    if seated != sorted(position.names):
        raise KeizerError(
            "round {number} is incomplete, so nothing was written.",
            number=position.number,
        )


def _board_numbers(
    boards: Iterable[Board], retained: Mapping[int, Board]
) -> dict[Board, int]:
    """Return the number of each board; new boards fill the gaps of retained ones.

    Where there are fewer boards than before, those below a gap move up.
    """
    number_before = {board: number for number, board in retained.items()}
    free_numbers = (number for number in itertools.count(1) if number not in retained)
    with_gaps = {
        board: number_before.get(board) or next(free_numbers) for board in boards
    }
    in_order = sorted(with_gaps, key=with_gaps.__getitem__)
    return {board: number for number, board in enumerate(in_order, 1)}


def _move_retained(
    tournament: Tournament,
    round_number: int,
    retained: Mapping[int, Board],
    numbers: Mapping[Board, int],
    places: Mapping[int, int],
) -> None:
    """Give retained boards their new numbers and places; their reasons stay."""
    # From the top, since each moves up to a number that is free by then.
    for number_before, board in sorted(retained.items()):
        cells = {
            "board": numbers[board],
            "white_place": places[board.white],
            "black_place": places[board.black],
        }
        tournament.update(
            "round",
            cells,
            tournament_id=tournament.id,
            round_number=round_number,
            board=number_before,
        )


def _new_boards(
    pairing: Pairing,
    retained: Mapping[int, Board],
    numbers: Mapping[Board, int],
    places: Mapping[int, int],
) -> Iterator[Seat]:
    """Yield the seats of boards that are not in the file yet."""
    boards_before = set(retained.values())
    for board, colour_by in zip(pairing.boards, pairing.colours, strict=True):
        if board not in boards_before:
            yield Seat(
                "board",
                numbers[board],
                board.white,
                board.black,
                places[board.white],
                places[board.black],
                colour_by,
            )


def _byes(
    pairing: Pairing, by_hand: Collection[tuple[int, ...]], places: Mapping[int, int]
) -> Iterator[Seat]:
    """Yield the seats of who has the bye, and of who is left over."""
    without_board = [] if pairing.bye is None else [pairing.bye]
    without_board += pairing.left_over
    for player in without_board:
        place = None if (player,) in by_hand else places[player]
        yield Seat("out", white=player, white_place=place, kind="bye")


def write_seats(tournament: Tournament, number: int, seats: Iterable[Seat]) -> None:
    """Write boards and byes of a round, with their reasons."""
    for row in seats:
        tournament.insert(
            "z_seating",
            tournament_id=tournament.id,
            round_number=number,
            **row._asdict(),
        )


def _note(
    tournament: Tournament,
    position: Position,
    pairing: Pairing,
    by_hand: Collection[tuple[int, ...]],
) -> None:
    """Put on record why rules were given up, and why the bye.

    Only the best pairing knows these reasons.
    """
    of_round = {"tournament_id": tournament.id, "round_number": position.number}
    for relaxation in pairing.relaxations:
        if relaxation.players in by_hand or relaxation.rule == "left_over":
            continue
        tournament.update(
            "reason",
            _reason_given_up(relaxation, position),
            **of_round,
            about="given up",
            white=relaxation.players[0],
            rule=relaxation.rule,
        )
    # If who has it comes last, or a person gave it, there is nothing to add.
    tournament.update(
        "reason",
        _because(pairing.not_last),
        **of_round,
        about="seat",
        rule="bye",
        because="found",
    )


def _reason_given_up(relaxation: Relaxation, position: Position) -> dict[str, object]:
    """Return the cells of table reason that say why a rule could not be kept."""
    if len(position.names) == len(relaxation.players):
        return {"because": "alone"}
    if relaxation.stuck is not None:
        return {"because": "stuck", "player_id": relaxation.stuck}
    return _because(relaxation.instead)


def _because(instead: Difference | None) -> dict[str, object]:
    """Return the cells of table reason that say how the best other pairing differs."""
    if instead is None:
        return {"because": "least"}
    return {
        "because": instead.digit,
        "there": instead.other_sum,
        "here": instead.chosen_sum,
    }
