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
    """A step of writing a pairing: a row to insert into view z_seating.

    The triggers of this view carry out the step. The steps of a round are "begin";
    "draft", or "publish" if nobody plays; "board" for each board; "out" for each player
    without a board; and "end".
    """

    what: str
    """The kind of step: "begin", "draft", "publish", "board", "out" or "end"."""
    board: int | None = None
    """In step "board": the number of the board.

    In step "draft": how many boards are proved to be the best; None without a proof.
    """
    white: int | None = None
    """player.id of White; in step "out", of the player without a board."""
    black: int | None = None
    """player.id of Black."""
    white_place: int | None = None
    """The place of player `white` in the order of pairing, 1 for the top.

    None in step "out" if the player is absent, or a person gave them the bye.
    """
    black_place: int | None = None
    """The place of Black in the order of pairing."""
    colour_by: str | None = None
    """What decided who has White: a value of round.colour_by, such as "rank"."""
    kind: str | None = None
    """In step "out": "bye", or a kind of absence such as "excused"."""

    @classmethod
    def without_board(cls, player: int, kind: str, place: int | None = None) -> "Step":
        """Return the step that writes that a player has no board in the round.

        player: player.id. kind: "bye", or a kind of absence such as "excused".
        place: in the order of pairing, if the engine gave the player a bye.
        """
        # Steps of all kinds have the same columns, so that the player is in `white`.
        return cls("out", white=player, white_place=place, kind=kind)


class Paired(NamedTuple):
    """A round that was paired: its boards and the bye, and notes about them."""

    said: Message
    """The message that the round was paired."""
    number: int
    """The number of the round."""
    boards: list[Row]
    """The boards and the bye: rows of view pairings."""
    played: bool
    """False if nobody was present, so that the round has no boards and no bye.

    Such a round is not a draft: it is published at once, and the absences count.
    """
    postponed: list[int]
    """The numbers of boards of the round before that still have no result."""
    relaxations: Sequence[Row] = ()
    """The rules that could not be kept: rows of view relaxations."""
    held_apart: int = 0
    """A number of boards for advising the director; 0 if there is nothing to advise.

    On these boards rule rematch_gap kept nearer opponents apart: they are nearer in the
    order of pairing, but had met too recently. If these are more than half of all
    boards, this is their number, and the director is advised to change the rule.
    """
    reasons: Sequence[Row] = ()
    """Why each board is as it is, if the reasons were asked for."""
    proved: bool = False
    """Whether it is proved that no pairing is better, if the reasons were asked for."""


class PairingBasis(NamedTuple):
    """What the pairing of a round starts from: who is present, and the rules.

    The engine reads the rest, such as earlier games, from view possible_boards.
    """

    number: int
    """The number of the round."""
    policy: Policy
    """The tournament's rules of pairing."""
    present: dict[int, str]
    """The names of the players who are present, by player.id, in the order of pairing.

    In a Keizer tournament this is usually the order of the standings.
    """
    absent_by_default: dict[int, str]
    """The kind of absence, such as "excused", of each player who is absent by default.

    By player.id. A player who has signed off is not among them.
    """

    def places(self) -> dict[int, int]:
        """Return places in the order of pairing by player.id; 1 is the top."""
        return {player: place for place, player in enumerate(self.present, 1)}

    def default_absence_steps(self) -> list[Step]:
        """Return the steps that write an absence for each player absent by default."""
        return [
            Step.without_board(player, kind)
            for player, kind in self.absent_by_default.items()
        ]


def read_pairing_basis(tournament: Tournament) -> PairingBasis:
    """Return what the pairing of the coming round starts from.

    This is who is present, who is absent by default, and the rules of pairing.
    """
    present = {}
    absent_by_default = {}
    # Column absence has the kind of absence, such as "excused", and None for a player
    # who is present. Column by_default is 1 if the player has neither signed off nor
    # on, so that their default presence counts.
    for player, name, absence, is_by_default in tournament.run(
        "presence_in_pairing_order"
    ):
        is_present = absence is None
        if is_present:
            present[player] = name
        elif is_by_default:
            # Only these absences are still to be written: an absence of a player who
            # has signed off was written then (table unplayed).
            absent_by_default[player] = absence
    number = tournament.now.coming_round
    return PairingBasis(number, _policy(tournament), present, absent_by_default)


def _policy(tournament: Tournament) -> Policy:
    """Return the rules of a tournament that its pairings follow."""
    columns = ", ".join(Policy._fields)
    rules = tournament.conn.execute(
        f"SELECT {columns} FROM rules WHERE tournament_id = ?", (tournament.id,)
    ).fetchone()
    return Policy(*rules)


def draft_number(tournament: Tournament) -> int:
    """Return the number of the draft: a paired round that is not published or begun.

    Raises KeizerError if the last paired round is not a draft, or no round is paired.
    """
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
    """Delete the pairing of a round: its boards, the byes and the default absences.

    The absences of players who have signed off stay.
    keep: the numbers of the boards that are not deleted.
    """
    # Each of the two statements would otherwise compute the standings again.
    with revaluation_suspended(tournament):
        board_numbers = ",".join(map(str, keep))
        tournament.run("clear_boards", round=number, keep=f"[{board_numbers}]")
        tournament.run("clear_byes", round=number)


def next_round(
    tournament: Tournament,
    *,
    again: bool = False,
    boards_to_keep: Collection[int] | None = (),
    allow_open: bool = False,
    beyond: bool = False,
    fixed: Sequence[tuple[int, int]] = (),
    bye: int | None = None,
    with_reasons: bool = False,
) -> Paired:
    """Pair the next round, or with `again` the draft once more, and write it.

    The round becomes a draft. But if nobody is present, and somebody has signed off, it
    is a round in which nobody plays, and it is published.

    boards_to_keep: with again, the numbers of the boards of the draft that stay. None
    stands for all boards, except those of players in `fixed` or with the bye of `bye`.
    allow_open: pair although boards of the last round have no result, or it is a draft,
    which is then published.
    beyond: pair although all rounds that are planned for the season are paired.
    fixed: boards that a person decided, by player.id, White first.
    bye: player.id of the player to whom a person gave the bye.
    with_reasons: also return why each board is as it is.
    Raises KeizerError:
    - if the last round is a draft or lacks a result, unless allow_open;
    - if all rounds of the plan are paired, unless beyond;
    - if there are no players to pair;
    - with again, if there is no draft, or no board with a number of `boards_to_keep`;
    - if a board of `fixed`, or the bye, is impossible.
    """
    boards_by_hand = [Board(*ids) for ids in fixed]
    retained: dict[int, Board] = {}
    if again:
        number = draft_number(tournament)
        reseated = set(_players_on(boards_by_hand, bye))
        retained = _boards_to_retain(tournament, number, boards_to_keep, reseated)
        clear_pairing(tournament, number, keep=retained)
    else:
        number = _begin_round(tournament, allow_open=allow_open, beyond=beyond)
    postponed = tournament.open_boards(number - 1)
    basis = read_pairing_basis(tournament)
    may_be_without_play = not (again or fixed or bye or basis.present)
    # Somebody has to have signed off. If nobody has, for instance because there are no
    # members yet, the check below refuses the round.
    if may_be_without_play and tournament.scalar("count_absences", round=number):
        return _publish_without_play(tournament, basis, number, postponed)
    # The engine gets these boards and this bye as they are, and pairs all others.
    required_boards = [*retained.values(), *boards_by_hand]
    _check_boards_and_bye(tournament.conn, basis, required_boards, bye)
    pairing = find_best_pairing(tournament, basis, required_boards, bye)
    by_hand: list[tuple[int, ...]] = [*required_boards]
    if bye is not None:
        by_hand.append((bye,))
    _write_pairing(tournament, basis, pairing, by_hand, retained)
    held_apart = _count_held_apart(tournament, number, len(pairing.boards))
    message = _describe_pairing(tournament, number, again=again)
    relaxations: list[Row] = []
    if pairing.relaxations:
        relaxations = views.relaxations(tournament, number)
    reasons: list[Row] = []
    is_proved = False
    if with_reasons:
        reasons = views.pairing_reasons(tournament, number)
        is_proved = views.is_proved_best(tournament, number)
    return Paired(
        message,
        number,
        views.pairings(tournament, number),
        played=True,
        postponed=postponed,
        relaxations=relaxations,
        held_apart=held_apart,
        reasons=reasons,
        proved=is_proved,
    )


def _players_on(boards: Iterable[Board], bye: int | None) -> list[int]:
    """Return player.id of the players of these boards, and of the one with the bye.

    bye: player.id of the player with the bye; None if nobody has it.
    """
    players = [player for board in boards for player in board]
    if bye is not None:
        players.append(bye)
    return players


def _publish_without_play(
    tournament: Tournament, basis: PairingBasis, number: int, postponed: list[int]
) -> Paired:
    """Write and publish a round in which nobody plays; note it on the log.

    Players get for their absence what the rules give for it.
    basis: what `read_pairing_basis` returned, with those who are absent by default.
    postponed: the boards of the round before that have no result, to be returned.
    """
    absences = basis.default_absence_steps()
    # "publish" is where other rounds have "draft". The absences come after it and count
    # all the same, as the standings are only computed at "end".
    steps = [Step("begin"), Step("publish"), *absences, Step("end")]
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
    """Return on how many boards rule rematch_gap kept nearer opponents apart.

    They are nearer in the order of pairing, but had met too recently.
    Return 0 if these are at most half of the boards. The number is for advising the
    director to change the rule, and that is worth it only if it decides most boards.
    boards: how many boards the round has.
    """
    held_apart: int = tournament.scalar("count_held_apart", round=number)
    if 2 * held_apart > boards:
        return held_apart
    return 0


def _begin_round(tournament: Tournament, *, allow_open: bool, beyond: bool) -> int:
    """Return the number of the next round; publish the last round if it is a draft.

    allow_open: False to refuse (DeclinedError) if the last round is a draft, or has a
    board without a result.
    beyond: False to refuse if all rounds that are planned are paired.
    """
    last = tournament.now.last_round
    postponed = tournament.open_boards(last)
    if tournament.now.draft is not None:
        if not allow_open:
            raise DeclinedError(
                say("round {number} is a draft", number=last),
                option="allow_open",
                typed=say(
                    "--again pairs it again, and --allow-open publishes it and pairs"
                    " round {number}.",
                    number=last + 1,
                ),
            )
        # Presence is about the draft while there is one. From here on it is about the
        # next round, which is to be paired.
        publish(tournament)
    elif postponed and not allow_open:
        raise DeclinedError(
            say(
                "round {number} has no result on {boards}",
                number=last,
                boards=messages.boards(postponed),
            ),
            option="allow_open",
            typed=say("enter it, or pair anyway with --allow-open."),
        )
    if not beyond:
        _check_plan(tournament, last)
    return last + 1


def _check_plan(tournament: Tournament, last: int) -> None:
    """Raise DeclinedError if all rounds that the season is planned for are paired.

    It is not raised if rules.rounds has no plan. last: the last paired round.
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
            option="beyond",
            typed=say(
                "`keizer next-round DB --beyond` pairs one more, `keizer rules DB"
                " rounds={number}` changes the plan.",
                number=last + 1,
            ),
        )


def _boards_to_retain(
    tournament: Tournament,
    round_number: int,
    boards_to_keep: Collection[int] | None,
    reseated: Collection[int],
) -> dict[int, Board]:
    """Return the boards of the draft that stay when it is paired again, by number.

    boards_to_keep: the numbers of these boards. None for all boards without a reseated
    player.
    reseated: player.id of the players who get another board or the bye by hand.
    Raises KeizerError if the draft has no board with a number of `boards_to_keep`.
    """
    seats = tournament.seats(round_number)
    boards = {number: Board(*players) for number, players in seats.items()}
    if boards_to_keep is None:
        return {
            number: board
            for number, board in boards.items()
            if board.white not in reseated and board.black not in reseated
        }
    missing = set(boards_to_keep) - boards.keys()
    if missing:
        raise KeizerError(
            "round {number} has no {boards}.",
            number=round_number,
            boards=messages.boards(sorted(missing)),
        )
    return {
        number: board for number, board in boards.items() if number in boards_to_keep
    }


def _check_boards_and_bye(
    conn: Conn, basis: PairingBasis, boards: Sequence[Board], bye: int | None
) -> None:
    """Raise KeizerError if nobody is present, or a board or the bye is impossible.

    A board or the bye is impossible if one of its players is not present, or has
    another one. The bye is also impossible if the number of players present is even.
    boards: those that the pairing has to have. bye: player.id of the player to whom a
    person gave the bye, or None.
    """
    number = basis.number
    present = basis.present
    if not present:
        raise KeizerError(
            "nobody is present for round {number}, so there is nothing to pair.",
            number=number,
        )
    seated: set[int] = set()
    for player in _players_on(boards, bye):
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
    basis: PairingBasis,
    fixed: Sequence[Board] = (),
    bye: int | None = None,
) -> Pairing:
    """Return the best pairing of the players present; nothing is written.

    basis: what `read_pairing_basis` returned: who is present, and the rules.
    fixed, bye: boards, and player.id of the player with the bye, that the pairing has
    to have; None if the bye may be anybody's.
    Raises KeizerError if players of a Swiss are left over, and its rule `stuck` is
    "refuse". A player is left over if the only opponents who remain for them are those
    whom they have met already, or may never meet.
    """
    policy = basis.policy
    present = basis.present
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
    basis: PairingBasis,
    pairing: Pairing,
    by_hand: Collection[tuple[int, ...]],
    retained: Mapping[int, Board],
) -> None:
    """Write a pairing and its reasons; raise KeizerError if somebody has no seat.

    A seat is a board or the bye.
    basis: who was present, and the rules.
    by_hand: the boards and byes that the engine did not choose: a board as the ids of
    White and Black, a bye as the id of its player alone.
    retained: the boards that stay from the draft, and so are in the file already, by
    number.
    """
    places = basis.places()
    numbers = _board_numbers(pairing.boards, retained)
    _renumber_retained(tournament, basis.number, retained, numbers, places)
    # Of a pairing with a board by hand, the engine proves only that the other boards
    # could not be better. The file has proofs for whole rounds.
    proved_boards = len(pairing.boards) if pairing.proved and not by_hand else None
    steps = [
        Step("begin"),
        # In this step, column board has the number of boards that are proved best.
        Step("draft", board=proved_boards),
        *_steps_of_new_boards(pairing, retained, numbers, places),
        *basis.default_absence_steps(),
        *_steps_without_board(pairing, by_hand, places),
        Step("end"),
    ]
    run_steps(tournament, basis.number, steps)
    _complete_reasons(tournament, basis, pairing, by_hand)
    # A safeguard: read back from the file that nobody was forgotten or added.
    seated = tournament.scalars("seated_players", round=basis.number)
    if seated != sorted(basis.present):
        raise KeizerError(
            "round {number} is incomplete, so nothing was written.", number=basis.number
        )


def _board_numbers(
    boards: Iterable[Board], retained: Mapping[int, Board]
) -> dict[Board, int]:
    """Return the number that each board gets: 1, 2, 3 and so on without a gap.

    Retained boards keep their numbers, and the others get the numbers between, in their
    order. If these are too few to fill all gaps, the boards below a gap move up.
    Example: boards A, B, C with B retained as number 5 become A 1, C 2 and B 3.
    boards: from the top. retained: the boards that stay from the draft, by number.
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
    """Write new numbers of retained boards, and the places of their players.

    The rows stay otherwise the same, so that the reasons of these boards stay too.
    retained: the boards that stay from the draft, by the number that they had.
    numbers: the new number of each board. places: the place of each player in the order
    of pairing.
    """
    # In ascending order, as no two boards may have the same number at any moment. A new
    # number is never above the old one, so the boards before have left it free.
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
    """Yield a step for each board of a pairing that is not in the file yet.

    Byes are not among the boards: see `_steps_without_board`.
    retained: the boards that stay from the draft, and so are in the file, by number.
    numbers: the number that each board gets. places: the place of each player in the
    order of pairing.
    """
    boards_in_file = set(retained.values())
    # For each board the pairing has, in `colours`, what decided who has White, such as
    # "rank". The step stores this as `colour_by`.
    for board, colour_by in zip(pairing.boards, pairing.colours, strict=True):
        if board not in boards_in_file:
            yield Step(
                "board",
                board=numbers[board],
                white=board.white,
                black=board.black,
                white_place=places[board.white],
                black_place=places[board.black],
                colour_by=colour_by,
            )


def _steps_without_board(
    pairing: Pairing, by_hand: Collection[tuple[int, ...]], places: Mapping[int, int]
) -> Iterator[Step]:
    """Yield a step for each player of a pairing who has no opponent: a bye is written.

    These are the player with the bye, if the number of players is odd, and the players
    left over, whom a Swiss allows no opponent.
    by_hand: the boards and byes that the engine did not choose; a bye is the id of its
    player alone, as in (7,). places: the place of each player in the order of pairing.
    """
    players = [] if pairing.bye is None else [pairing.bye]
    players += pairing.left_over
    for player in players:
        is_by_hand = (player,) in by_hand
        # The file takes a bye without a place for one that a person gave.
        place = None if is_by_hand else places[player]
        yield Step.without_board(player, "bye", place)


def run_steps(tournament: Tournament, number: int, steps: Iterable[Step]) -> None:
    """Write a round step by step, by inserting each step into view z_seating.

    number: of the round. The last step, "end", also computes the standings and writes
    the reasons of the boards and byes.
    """
    for step in steps:
        tournament.insert(
            "z_seating",
            tournament_id=tournament.id,
            round_number=number,
            **step._asdict(),
        )


def _complete_reasons(
    tournament: Tournament,
    basis: PairingBasis,
    pairing: Pairing,
    by_hand: Collection[tuple[int, ...]],
) -> None:
    """Write into table reason why rules were given up, and why a player has the bye.

    The step "end" of `run_steps` has written a row for each such rule, and for the bye.
    What is missing there is why no better pairing was possible: only the engine knows.
    by_hand: the boards and byes that the engine did not choose.
    """
    round_id = {"tournament_id": tournament.id, "round_number": basis.number}
    for relaxation in pairing.relaxations:
        # "end" has written the reason already: a person decided, or a Swiss leaves the
        # player over.
        if relaxation.players in by_hand or relaxation.rule == "left_over":
            continue
        tournament.update(
            "reason",
            _reason_given_up(relaxation, basis),
            **round_id,
            about="given up",
            white=relaxation.players[0],
            rule=relaxation.rule,
        )
    # "found" stands in the row if the engine gave the bye to somebody who is not the
    # last in the order of pairing. Else no row matches, and nothing is written.
    tournament.update(
        "reason",
        _reason_by_difference(pairing.if_last_had_bye),
        **round_id,
        about="seat",
        rule="bye",
        because="found",
    )


def _reason_given_up(relaxation: Relaxation, basis: PairingBasis) -> dict[str, object]:
    """Return the cells of table reason that say why a rule could not be kept.

    "alone": nobody else is present. "stuck": a player has no allowed opponent and may
    not have the bye. Else the cells say how the best other pairing differs.
    relaxation: the rule, and the players whose board or bye breaks it.
    basis: who is present, and the rules.
    """
    nobody_else_is_present = len(basis.present) == len(relaxation.players)
    if nobody_else_is_present:
        return {"because": "alone"}
    if relaxation.player_without_alternative is not None:
        return {"because": "stuck", "player_id": relaxation.player_without_alternative}
    return _reason_by_difference(relaxation.instead)


def _reason_by_difference(difference: Difference | None) -> dict[str, object]:
    """Return the cells of table reason that say how the best other pairing is worse.

    `because` is the name of the criterion that decides, such as "rematch"; `there` and
    `here` are what it adds up to in the other pairing and in the chosen one.
    difference: between the two. None if the engine has no other pairing to compare;
    `because` is then "least", which says that nothing less is possible.
    """
    if difference is None:
        return {"because": "least"}
    return {
        "because": difference.digit,
        "there": difference.other_sum,
        "here": difference.chosen_sum,
    }
