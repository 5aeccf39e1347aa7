"""Pair a round: read what the pairing starts from, and write the boards and the bye."""

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


class Step(NamedTuple):
    """A step of writing a round: a row to insert into view z_seating.

    what: "begin", "draft" or "publish", "board" for each board, "out" for each player
    without a board, "end". The view explains the other columns.
    """

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
    relaxations: Sequence[Row] = ()
    """Rules that could not be kept."""
    held_apart: int = 0
    """On how many boards rematch_gap alone kept nearer opponents apart; 0 if on few."""
    reasons: Sequence[Row] = ()
    """Why each board is as it is, if the reasons were asked for."""
    proved: bool = False
    """Whether it is proved that no pairing is better, if the reasons were asked for."""


class Position(NamedTuple):
    """The facts that a pairing starts from; the others are in view possible_boards.

    number: of the round. policy: the rules of pairing.
    names: the names of those present by id, in the order of pairing.
    away: the kind of absence of each player who is absent by default, by id.
    """

    number: int
    policy: Policy
    names: dict[int, str]
    away: dict[int, str]

    def places(self) -> dict[int, int]:
        """Return the place of each player present; 1 is the top."""
        return {player: place for place, player in enumerate(self.names, 1)}

    def default_absences(self) -> list[Step]:
        """Return the steps that write who is absent by default."""
        return [
            Step("out", white=player, kind=kind) for player, kind in self.away.items()
        ]


def read_position(tournament: Tournament) -> Position:
    """Return the facts that the pairing of the coming round starts from."""
    names = {}
    away = {}
    for player, name, absence, by_default in tournament.run(
        "presence_in_pairing_order"
    ):
        if absence is None:
            names[player] = name
        elif absence and by_default:
            # Other absences are in table unplayed already.
            away[player] = absence
    return Position(tournament.now.coming_round, _policy(tournament), names, away)


def _policy(tournament: Tournament) -> Policy:
    """Return the rules of a tournament that its pairings follow."""
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
            "round {number} is published or has results: it is no longer a draft."
            " `keizer next-round` pairs round {next}; `keizer publish-round DB"
            " --take-back` makes round {number} a draft again while it has no"
            " result.",
            number=number,
            next=number + 1,
        )
    return number


def clear_pairing(
    tournament: Tournament, number: int, keep: Collection[int] = ()
) -> None:
    """Remove the pairing of a round: its boards, the byes and the default absences.

    keep: the numbers of boards that stay.
    """
    with revaluation_suspended(tournament):
        board_numbers = ",".join(map(str, keep))
        tournament.run("clear_boards", round=number, keep=f"[{board_numbers}]")
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
    """Pair the next round, or with `again` the draft once more, and write it.

    If everybody has signed off, nobody plays, and the round is published.

    keep: with again, the numbers of the boards that stay; None for all that can.
    fixed: boards that a person settled, by player.id, White first.
    bye: player.id of the player to whom a person gave the bye.
    with_reasons: also return why each board is as it is.
    Raises KeizerError:
    - if the last round is a draft or lacks a result, unless allow_open;
    - if all rounds of the plan are paired, unless beyond;
    - if there are no players to pair;
    - with again, if there is no draft, or no board with a number of `keep`;
    - if a board of `fixed`, or the bye, is impossible.
    """
    new_boards = [Board(*ids) for ids in fixed]
    retained: dict[int, Board] = {}
    if again:
        number = draft_number(tournament)
        players = set(_players_on(new_boards, bye))
        retained = _boards_to_retain(tournament, number, keep, players)
        clear_pairing(tournament, number, retained)
    else:
        number = _begin_round(tournament, allow_open=allow_open, beyond=beyond)
    postponed = tournament.open_boards(number - 1)
    position = read_position(tournament)
    nobody_plays = not (again or fixed or bye or position.names)
    if nobody_plays and tournament.scalar("count_absences", round=number):
        return _publish_without_play(tournament, position, number, postponed)
    settled = [*retained.values(), *new_boards]
    _check_settled(tournament.conn, position, settled, bye)
    pairing = find_best_pairing(tournament, position, settled, bye)
    by_hand: list[tuple[int, ...]] = [*settled]
    if bye is not None:
        by_hand.append((bye,))
    _write_pairing(tournament, position, pairing, by_hand, retained)
    held_apart = _count_held_apart(tournament, number, len(pairing.boards))
    message = _describe_pairing(tournament, number, again=again)
    relaxations = []
    if pairing.relaxations:
        relaxations = views.relaxations(tournament, number)
    return Paired(
        message,
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
    """Return the players of these boards, and the player with the bye, if any."""
    players = [player for board in boards for player in board]
    if bye is not None:
        players.append(bye)
    return players


def _publish_without_play(
    tournament: Tournament, position: Position, number: int, postponed: list[int]
) -> Paired:
    """Write and publish a round in which nobody plays; the absences count."""
    steps = [Step("begin"), Step("publish"), *position.default_absences(), Step("end")]
    run_steps(tournament, number, steps)
    tournament.describe("round {number}, in which nobody plays", number=number)
    return Paired(
        say("round {round}: nobody plays; the absences count", round=number),
        number,
        boards=[],
        played=False,
        postponed=postponed,
    )


def _describe_pairing(tournament: Tournament, number: int, *, again: bool) -> Message:
    """Note on the log that a round was paired; return the message for people."""
    if again:
        tournament.describe("new pairing of round {number}", number=number)
        return say("round {round} is paired again. It is a draft", round=number)
    tournament.describe("pairing of round {number}", number=number)
    return say("round {round} is paired. It is a draft", round=number)


def _count_held_apart(tournament: Tournament, number: int, boards: int) -> int:
    """Return on how many boards rematch_gap alone kept nearer opponents apart.

    Return 0 if these are not more than half of the boards: then nothing is said of it.
    """
    held_apart: int = tournament.scalar("count_held_apart", round=number)
    if 2 * held_apart > boards:
        return held_apart
    return 0


def _begin_round(tournament: Tournament, *, allow_open: bool, beyond: bool) -> int:
    """Return the number of the next round, after checking that it can be paired.

    With allow_open, boards of the last round may lack a result, and a draft is
    published first. With beyond, the season may have more rounds than planned.
    """
    last = tournament.now.last_round
    postponed = tournament.open_boards(last)
    if tournament.now.draft is not None:
        if not allow_open:
            raise DeclinedError(
                say("round {number} is a draft", number=last),
                "allow_open",
                say(
                    "--again pairs it again, and --allow-open publishes it and pairs"
                    " round {number}.",
                    number=last + 1,
                ),
            )
        publish(tournament)  # so that presence is about the next round from here on
    elif postponed and not allow_open:
        raise DeclinedError(
            say(
                "round {number} has no result on {boards}",
                number=last,
                boards=messages.boards(postponed),
            ),
            "allow_open",
            say("enter it, or pair anyway with --allow-open."),
        )
    if not beyond:
        _check_plan(tournament, last)
    return last + 1


def _check_plan(tournament: Tournament, last: int) -> None:
    """Refuse to pair another round if all that the season is planned for are paired.

    last: the last paired round.
    """
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


def _boards_to_retain(
    tournament: Tournament,
    number: int,
    keep: Collection[int] | None,
    settled: Collection[int],
) -> dict[int, Board]:
    """Return the boards of the draft that stay as they are, by number.

    keep: their numbers; None for all boards but those of the settled players.
    settled: players who get another board or the bye by hand.
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
    """Refuse a round without players, or boards and a bye that are impossible.

    fixed, bye: the boards and the player with the bye that are settled by hand.
    """
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
    """Return the best pairing of a position that has these boards and this bye.

    Raises KeizerError if a Swiss leaves players over and its rule `stuck` is refuse.
    """
    policy = position.policy
    present = position.names
    pairing = best_pairing(
        tournament.conn, tournament.id, policy, [*present], fixed=fixed, bye=bye
    )
    if pairing.left_over and policy.stuck == "refuse":
        raise KeizerError(
            "in a Swiss nobody may meet the same player twice, or a prohibited"
            " opponent, so {names} would have no board. Sign somebody off, fix a"
            " board with --pair, or set the rule `stuck` to leave or rematch.",
            names=messages.listed([present[player] for player in pairing.left_over]),
        )
    return pairing


def _write_pairing(
    tournament: Tournament,
    position: Position,
    pairing: Pairing,
    by_hand: Collection[tuple[int, ...]],
    retained: Mapping[int, Board],
) -> None:
    """Write a pairing with its reasons, and check that everybody has a seat.

    by_hand: the boards and byes that a person settled: two players, or one.
    retained: the boards that are in the file already, by number.
    """
    places = position.places()
    numbers = _board_numbers(pairing.boards, retained)
    _renumber_retained(tournament, position.number, retained, numbers, places)
    # The proof is that no other pairing is better, so nothing may be settled by hand.
    proved_boards = len(pairing.boards) if pairing.proved and not by_hand else None
    steps = [
        Step("begin"),
        Step("draft", proved_boards),
        *_steps_of_new_boards(pairing, retained, numbers, places),
        *position.default_absences(),
        *_steps_without_board(pairing, by_hand, places),
        Step("end"),
    ]
    run_steps(tournament, position.number, steps)
    _complete_reasons(tournament, position, pairing, by_hand)
    seated = tournament.scalars("seated_players", round=position.number)
    if seated != sorted(position.names):
        raise KeizerError(
            "round {number} is incomplete, so nothing was written.",
            number=position.number,
        )


def _board_numbers(
    boards: Iterable[Board], retained: Mapping[int, Board]
) -> dict[Board, int]:
    """Return the number of each board: retained boards keep theirs, new ones fill gaps.

    If too few new boards are left to fill a gap, the boards below it move up.
    """
    number_before = {board: number for number, board in retained.items()}
    free_numbers = (number for number in itertools.count(1) if number not in retained)
    with_gaps = {
        board: number_before.get(board) or next(free_numbers) for board in boards
    }
    in_order = sorted(with_gaps, key=with_gaps.__getitem__)
    return {board: number for number, board in enumerate(in_order, 1)}


def _renumber_retained(
    tournament: Tournament,
    round_number: int,
    retained: Mapping[int, Board],
    numbers: Mapping[Board, int],
    places: Mapping[int, int],
) -> None:
    """Give retained boards their new numbers, and the places of their players.

    Nothing else changes, so that the reasons of the boards stay.
    """
    # From the top: each board moves up, to a number that is free by then.
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


def _steps_of_new_boards(
    pairing: Pairing,
    retained: Mapping[int, Board],
    numbers: Mapping[Board, int],
    places: Mapping[int, int],
) -> Iterator[Step]:
    """Yield the steps that write the boards that are not in the file yet."""
    boards_before = set(retained.values())
    for board, colour_by in zip(pairing.boards, pairing.colours, strict=True):
        if board not in boards_before:
            yield Step(
                "board",
                numbers[board],
                board.white,
                board.black,
                places[board.white],
                places[board.black],
                colour_by,
            )


def _steps_without_board(
    pairing: Pairing, by_hand: Collection[tuple[int, ...]], places: Mapping[int, int]
) -> Iterator[Step]:
    """Yield the steps that write the bye, and the players who are left over."""
    without_board = [] if pairing.bye is None else [pairing.bye]
    without_board += pairing.left_over
    for player in without_board:
        # Without a place, the file takes the bye as given by hand.
        place = None if (player,) in by_hand else places[player]
        yield Step("out", white=player, white_place=place, kind="bye")


def run_steps(tournament: Tournament, number: int, steps: Iterable[Step]) -> None:
    """Run the steps that write a round: its boards and byes, and last their reasons."""
    for step in steps:
        tournament.insert(
            "z_seating",
            tournament_id=tournament.id,
            round_number=number,
            **step._asdict(),
        )


def _complete_reasons(
    tournament: Tournament,
    position: Position,
    pairing: Pairing,
    by_hand: Collection[tuple[int, ...]],
) -> None:
    """Complete the rows of table reason: why rules were given up, and why the bye.

    The last step of the round wrote these rows; only the pairing knows why.
    """
    round_id = {"tournament_id": tournament.id, "round_number": position.number}
    for relaxation in pairing.relaxations:
        # The rows of these have their reason already.
        if relaxation.players in by_hand or relaxation.rule == "left_over":
            continue
        tournament.update(
            "reason",
            _reason_given_up(relaxation, position),
            **round_id,
            about="given up",
            white=relaxation.players[0],
            rule=relaxation.rule,
        )
    # No row is `found` if a person gave the bye, or the last in order has it.
    tournament.update(
        "reason",
        _reason_by_difference(pairing.not_last),
        **round_id,
        about="seat",
        rule="bye",
        because="found",
    )


def _reason_given_up(relaxation: Relaxation, position: Position) -> dict[str, object]:
    """Return the cells of table reason that say why a rule could not be kept."""
    nobody_else_is_present = len(position.names) == len(relaxation.players)
    if nobody_else_is_present:
        return {"because": "alone"}
    if relaxation.stuck is not None:
        return {"because": "stuck", "player_id": relaxation.stuck}
    return _reason_by_difference(relaxation.instead)


def _reason_by_difference(instead: Difference | None) -> dict[str, object]:
    """Return the cells of table reason that say how the best other pairing differs.

    None: there is no other pairing, so that nothing less is possible.
    """
    if instead is None:
        return {"because": "least"}
    return {
        "because": instead.digit,
        "there": instead.other_sum,
        "here": instead.chosen_sum,
    }
