"""Pairing a round: what the file says goes to `pairing`, what comes back is written."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.pairing import (
    Board,
    Breach,
    Game,
    ImpossibleError,
    Pairing,
    Player,
    Policy,
    Relaxation,
    pair,
)
from keizer.season import names
from keizer.season.publication import BY_DEFAULT, publish
from keizer.season.queries import cell, column
from keizer.season.tournaments import (
    coming_round,
    draft,
    last_round,
    open_boards,
    paired_round,
    suspended,
)
from keizer.store import commands

BROKEN = {
    "prohibited": "a prohibited pairing",
    "rematch": "have met",
    "bye_at_start": "a bye in their first round",
    "bye_again": "a second bye in a row",
    "fewest_byes": "more byes than others",
    "max_meetings": "too many meetings",
    "max_meetings_period": "too many meetings in this period",
    "meet_all_first": "others still to be met",
    "rematch_gap": "met too recently",
    "colour_run": "one colour too often in a row",
    "colour_difference": "one colour too often",
    "group_distance": "groups too far apart",
}
"""What is wrong with a board or a bye, by the rule it breaks."""


class Seat(NamedTuple):
    """A row of view _seating, which says what each means."""

    what: str
    board: int | None = None
    white: int | None = None
    black: int | None = None
    white_place: int | None = None
    black_place: int | None = None
    colour_by: str | None = None
    kind: str | None = None


class Round(NamedTuple):
    """A round that was paired."""

    number: int
    given_up: bool
    """Whether a rule could not be kept: view relaxations."""
    postponed: list[int]
    """Boards of the round before that are still open."""


class Position(NamedTuple):
    """What a pairing starts from; facts: what `pair` asks for by name.

    names: of those present; away: who are absent without having said so, and the kind
    it counts as.
    """

    number: int
    players: list[Player]
    facts: dict[str, Any]
    names: dict[int, str]
    away: dict[int, str]

    def places(self) -> dict[int, int]:
        """Of those present, 1 = top."""
        return {player.id: place for place, player in enumerate(self.players, 1)}


def position_before(conn: sqlite3.Connection, tournament: int) -> Position:
    """What the coming round starts from."""
    number = coming_round(conn, tournament)
    found = conn.execute(
        "SELECT player_id, name, absence, by_default, score_units, group_number, byes,"
        " bye_last_round, starts FROM presence WHERE tournament_id = ? ORDER BY rank",
        (tournament,),
    )
    together: dict[int, set[str]] = {}
    for name, player in conn.execute(
        "SELECT name, player_id FROM prohibited_pairing WHERE tournament_id = ?", (tournament,)
    ):
        together.setdefault(player, set()).add(name)
    players, called, away = [], {}, {}
    for player, name, absence, by_default, *counted in found:  # counted as in Player
        if absence is None:
            shared = frozenset(together.get(player, ()))
            players.append(Player._make((player, *counted, shared)))
            called[player] = name
        elif by_default:
            away[player] = absence
    games = conn.execute(
        "SELECT round_number, white, black FROM _meeting WHERE tournament_id = ?", (tournament,)
    )
    rules = conn.execute(
        f"SELECT {', '.join(Policy._fields)} FROM rules WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    starts = "SELECT max(first_round) FROM period WHERE tournament_id = ? AND first_round <= ?"
    facts = {
        "games": [Game(*row) for row in games],
        "round_number": number,
        "policy": Policy(*rules),
        "period_start": cell(conn, starts, tournament, number) or 1,
    }
    return Position(number, players, facts, called, away)


def unpair(conn: sqlite3.Connection, tournament: int) -> int:
    """Discard the draft; its number. Absences stay."""
    number = _draft(conn, tournament)
    clear(conn, tournament, number)
    # Today's date is what publishing gave it; when it is paired again it gets one anew.
    conn.execute(
        "DELETE FROM schedule WHERE tournament_id = ? AND round_number = ?"
        " AND COALESCE(date, date('now', 'localtime')) = date('now', 'localtime')",
        (tournament, number),
    )
    commands.describe(conn, f"round {number} unpaired")
    return number


def _draft(conn: sqlite3.Connection, tournament: int) -> int:
    """The draft there is, or KeizerError."""
    number = paired_round(conn, tournament)
    if draft(conn, tournament) is None:
        raise KeizerError(
            f"round {number} is published or has results: it is no draft any more."
            f" `keizer next-round` pairs round {number + 1}; `keizer publish-round DB --take-back`"
            f" makes round {number} a draft again while it has no result."
        )
    return number


def clear(conn: sqlite3.Connection, tournament: int, number: int) -> None:
    """Remove all that pairing a round has written: games, byes, absences by default."""
    with suspended(conn, tournament):
        conn.execute(
            "DELETE FROM round WHERE tournament_id = ? AND round_number = ?", (tournament, number)
        )
        conn.execute(
            "DELETE FROM unplayed WHERE tournament_id = ? AND round_number = ?"
            f" AND (kind = 'bye' OR {BY_DEFAULT})",
            (tournament, number),
        )


def pair_again(
    conn: sqlite3.Connection,
    tournament: int,
    *,
    keep: Collection[int] | None = (),
    fixed: Sequence[tuple[int, int]] = (),
    bye: int | None = None,
) -> Round:
    """Pair the draft anew. keep: boards that stay as they are; None: all that can.

    Raises KeizerError as `next_round`, and where there is no draft or no such board.
    """
    number = _draft(conn, tournament)
    found = conn.execute(
        "SELECT board, white, black FROM round WHERE tournament_id = ? AND round_number = ?",
        (tournament, number),
    )
    boards = {board: Board(white, black) for board, white, black in found}
    missing = sorted(set(keep or ()) - set(boards))
    if missing:
        raise KeizerError(f"round {number} has no {names.boards(missing)}.")
    settled = {player for ids in fixed for player in ids} | {bye}
    if keep is None:
        keep = [board for board, ids in boards.items() if settled.isdisjoint(ids)]
    kept = {board: ids for board, ids in boards.items() if board in keep}
    clear(conn, tournament, number)
    paired = next_round(
        conn, tournament, allow_open=True, beyond=True, fixed=fixed, kept=kept, bye=bye
    )
    commands.describe(conn, f"pairing of round {number} anew")
    return paired


def next_round(
    conn: sqlite3.Connection,
    tournament: int,
    *,
    allow_open: bool = False,
    beyond: bool = False,
    fixed: Sequence[tuple[int, int]] = (),
    kept: Mapping[int, Board] = MappingProxyType({}),
    bye: int | None = None,
) -> Round:
    """Pair the next round and write it: its boards, and the bye if there is one.

    fixed: boards that are settled, White first (player.id). kept: settled boards that
    keep their number, by number. bye: player.id of the player who is to have it.
    Raises KeizerError while boards of the last round lack a result (unless
    allow_open), after the last round of the plan (unless beyond), where nobody is
    present, and where what is settled cannot be.
    """
    last = last_round(conn, tournament)
    postponed = open_boards(conn, tournament, last) if last else []
    drafted = draft(conn, tournament) is not None
    if drafted and not allow_open:
        raise KeizerError(
            f"round {last} is a draft: --again pairs it anew, and --allow-open publishes it and"
            f" pairs round {last + 1}."
        )
    if drafted:
        publish(conn, tournament)  # who comes is about the next round from here on
    elif postponed and not allow_open:
        raise KeizerError(
            f"round {last} has no result on {names.boards(postponed)}: enter it, or pair all the"
            f" same with --allow-open."
        )
    planned = cell(conn, "SELECT rounds FROM rules WHERE tournament_id = ?", tournament)
    if planned and last >= planned and not beyond:
        raise KeizerError(
            f"the season is planned for {planned} rounds: `keizer next-round DB --beyond` pairs one"
            f" more, `keizer rules DB rounds={last + 1}` changes the plan."
        )
    fixed = [*kept.values(), *fixed]
    position = position_before(conn, tournament)
    if not position.players:
        raise KeizerError(f"nobody is present for round {last + 1}, so there is nothing to pair.")
    _check_settled(conn, position, fixed, bye)
    settled = [Board(*ids) for ids in fixed]
    try:
        pairing = pair(position.players, **position.facts, fixed=settled, bye=bye)
    except ImpossibleError as error:
        name, opponent = (position.names[player] for player in error.players)
        raise KeizerError(
            f"nobody may meet twice in a Swiss, and every pairing of those present has a rematch"
            f" ({name} and {opponent}, for one): sign somebody off, or settle a board with --pair."
        ) from error
    by_hand = [*settled, *([] if bye is None else [(bye,)])]
    _write(conn, tournament, position, pairing, by_hand, kept)
    _seated_once(conn, tournament, position)
    commands.describe(conn, f"pairing of round {position.number}")
    return Round(position.number, bool(pairing.relaxations), postponed)


def _check_settled(
    conn: sqlite3.Connection,
    position: Position,
    fixed: Sequence[tuple[int, int]],
    bye: int | None,
) -> None:
    """Refuse boards and a bye that cannot be."""
    seen: set[int] = set()
    for player in [player for ids in fixed for player in ids] + ([] if bye is None else [bye]):
        if player not in position.names:
            name = cell(conn, "SELECT name FROM player WHERE id = ?", player)
            raise KeizerError(f"{name} is not present in round {position.number}.")
        if player in seen:
            raise KeizerError(f"{position.names[player]} cannot be seated twice.")
        seen.add(player)
    if bye is not None and len(position.players) % 2 == 0:
        raise KeizerError(
            f"{len(position.players)} players are present, so nobody has the bye."
            f" To leave {position.names[bye]} out, sign them off."
        )


def _write(
    conn: sqlite3.Connection,
    tournament: int,
    position: Position,
    found: Pairing,
    by_hand: Sequence[tuple[int, ...]],
    kept: Mapping[int, Board],
) -> None:
    place, number = position.places(), position.number
    # A publication that outlived its pairing is not of this one.
    conn.execute(
        "UPDATE schedule SET published_at = NULL WHERE tournament_id = ? AND round_number = ?",
        (tournament, number),
    )
    seats = [
        Seat("board", board, *ids, place[ids.white], place[ids.black], reason.colour)
        for board, ids, reason in zip(
            _numbered(found.boards, kept), found.boards, found.reasons, strict=True
        )
    ]
    seats += [Seat("out", white=player, kind=kind) for player, kind in position.away.items()]
    if found.bye is not None:
        place_of_bye = None if (found.bye,) in by_hand else place[found.bye]
        seats.append(Seat("out", white=found.bye, white_place=place_of_bye, kind="bye"))
    seat(conn, tournament, number, [Seat("begin"), *seats, Seat("end")])
    conn.executemany(
        "INSERT INTO skipped_opponent (tournament_id, round_number, player_id, skipped_id,"
        " obstacle) VALUES (?, ?, ?, ?, ?)",
        [
            (tournament, number, *breach.players, breach.rule)
            for reason in found.reasons
            for breach in reason.skipped
        ],
    )
    keep(conn, tournament, position, found.relaxations, by_hand)


def _numbered(boards: Sequence[Board], kept: Mapping[int, Board]) -> list[int]:
    """The number of each board: those kept have theirs, the others what is left.

    Where there are fewer boards than before, those below a gap move up.
    """
    board_of = {ids: board for board, ids in kept.items()}
    free = (board for board in count(1) if board not in kept)
    places = [board_of.get(ids) or next(free) for ids in boards]
    return [1 + sum(other < place for other in places) for place in places]


def seat(conn: sqlite3.Connection, tournament: int, number: int, seats: Iterable[Seat]) -> None:
    """Write boards and bye with one statement, prepared once."""
    conn.executemany(
        "INSERT INTO _seating (tournament_id, round_number, what, board, white, black,"
        " white_place, black_place, colour_by, kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(tournament, number, *row) for row in seats],
    )


def keep(
    conn: sqlite3.Connection,
    tournament: int,
    position: Position,
    relaxations: Iterable[Relaxation],
    by_hand: Sequence[tuple[int, ...]],
) -> None:
    """Put on record what was given up."""
    conn.executemany(
        "INSERT INTO relaxation"
        " (tournament_id, round_number, white, black, rule, amount, why)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                tournament,
                position.number,
                *(*given_up.players, None)[:2],
                given_up.rule,
                given_up.amount,
                _why(given_up, position, by_hand),
            )
            for given_up in relaxations
        ],
    )


def _why(given_up: Relaxation, position: Position, by_hand: Sequence[tuple[int, ...]]) -> str:
    """Why a rule could not be kept, a sentence."""
    if given_up.players in by_hand:
        return "Settled by hand."
    if len(position.players) == len(given_up.players):
        return "Nobody else is present."
    if given_up.stuck is not None:
        beside = " beside the boards that are settled" if by_hand else ""
        return f"{position.names[given_up.stuck]} could meet nobody else within the rules{beside}."
    if not given_up.instead:
        return "No pairing of those present gives up less."
    return f"Otherwise: {listed(given_up.instead, position.names)}."


def listed(breaches: Sequence[Breach], called: Mapping[int, str], most: int = 3) -> str:
    """Breaches in words, the first few of them."""
    said = [
        f"{' – '.join(called[player] for player in ids)} ({BROKEN[rule]})" for rule, ids in breaches
    ]
    return names.first(said, most)


def _seated_once(conn: sqlite3.Connection, tournament: int, position: Position) -> None:
    """Read the round back: everybody who was present sits exactly once."""
    seated = column(
        conn,
        "SELECT player_id FROM player_round WHERE tournament_id = ? AND round_number = ?"
        " AND (kind IS NULL OR kind = 'bye') ORDER BY player_id",
        tournament,
        position.number,
    )
    if seated != sorted(position.names):
        raise KeizerError(f"round {position.number} is incomplete, so nothing was written.")
