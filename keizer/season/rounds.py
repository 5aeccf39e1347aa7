"""Pairing a round: what the file says goes to `pairing`, what comes back is written."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

from keizer.errors import DeclinedError, KeizerError
from keizer.pairing import (
    Board,
    ImpossibleError,
    Instead,
    Pairing,
    Policy,
    Relaxation,
    best_pairing,
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
from keizer.texts import counted

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

SUMS = {
    "prohibited": "prohibited pairings",
    "rematch": "meetings before",
    "bye_at_start": "byes of late entries in their first round",
    "bye_again": "byes in two rounds in a row",
    "fewest_byes": "byes more than the fewest",
    "max_meetings": "meetings beyond the maximum",
    "max_meetings_period": "meetings beyond the maximum of the period",
    "meet_all_first": "meetings before those with others",
    "rematch_gap": "rounds missing between meetings",
    "colour_run": "colours too often in a row",
    "colour_difference": "colours too often",
    "group_distance": "groups beyond the distance",
    "repeated": "rounds of the repeated meetings, added up",
    "bye_place": "players below the one with the bye",
    "floats": "score groups between opponents",
    "unwanted_colour": "colours against what is due",
    "strongly_unwanted": "colours once more against what is due",
    "colour_squares": "squares of the colour differences",
    "colour_again": "same colours again",
    "same_half": "boards within one half",
    "squared": "squares of the distances",
    "choice": "places beyond the first choice of the highest-ranked",
}
"""What is added up over a pairing, by the column of possible_boards."""


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
    limited: bool
    """Whether the number of meetings has a limit."""
    postponed: list[int]
    """Boards of the round before that are still open."""
    played: bool = True
    """Whether anybody plays; where not, it is published, and the absences count."""


class Position(NamedTuple):
    """What a pairing starts from; the rest is in view possible_boards.

    names: of those present, by rank; away: who are absent without having said so, and the
    kind it counts as.
    """

    number: int
    policy: Policy
    names: dict[int, str]
    away: dict[int, str]

    def places(self) -> dict[int, int]:
        """Of those present, 1 = top."""
        return {player: place for place, player in enumerate(self.names, 1)}


def position_before(conn: sqlite3.Connection, tournament: int) -> Position:
    """What the coming round starts from."""
    found = conn.execute(
        "SELECT player_id, name, absence, by_default FROM presence WHERE tournament_id = ?"
        " ORDER BY rank",
        (tournament,),
    ).fetchall()
    called = {player: name for player, name, absence, _ in found if absence is None}
    away = {player: absence for player, _, absence, by_default in found if absence and by_default}
    rules = conn.execute(
        f"SELECT {', '.join(Policy._fields)} FROM rules WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    return Position(coming_round(conn, tournament), Policy(*rules), called, away)


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


def clear(
    conn: sqlite3.Connection, tournament: int, number: int, keep: Collection[int] = ()
) -> None:
    """Remove what pairing a round has written; keep: boards that stay."""
    kept = ", ".join(map(str, keep))
    with suspended(conn, tournament):
        conn.execute(
            "DELETE FROM round WHERE tournament_id = ? AND round_number = ?"
            f" AND board NOT IN ({kept})",
            (tournament, number),
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
    clear(conn, tournament, number, kept)
    told = _pair(conn, tournament, fixed=fixed, kept=kept, bye=bye)
    commands.describe(conn, f"pairing of round {number} anew")
    postponed = open_boards(conn, tournament, number - 1) if number > 1 else []
    return Round(number, *told, postponed)


def next_round(
    conn: sqlite3.Connection,
    tournament: int,
    *,
    allow_open: bool = False,
    beyond: bool = False,
    fixed: Sequence[tuple[int, int]] = (),
    bye: int | None = None,
) -> Round:
    """Pair the next round and write it: its boards, and the bye if there is one.

    fixed: boards that are settled, White first (player.id). bye: player.id of the player
    who is to have it. Where everybody is absent, nobody plays, and the round is published.
    Raises KeizerError while boards of the last round lack a result (unless
    allow_open), after the last round of the plan (unless beyond), where nobody is
    present, and where what is settled cannot be.
    """
    last = last_round(conn, tournament)
    postponed = open_boards(conn, tournament, last) if last else []
    drafted = draft(conn, tournament) is not None
    if drafted and not allow_open:
        raise DeclinedError(
            f"round {last} is a draft",
            "allow_open",
            f"--again pairs it anew, and --allow-open publishes it and pairs round {last + 1}.",
        )
    if drafted:
        publish(conn, tournament)  # who comes is about the next round from here on
    elif postponed and not allow_open:
        raise DeclinedError(
            f"round {last} has no result on {names.boards(postponed)}",
            "allow_open",
            "enter it, or pair all the same with --allow-open.",
        )
    planned = cell(conn, "SELECT rounds FROM rules WHERE tournament_id = ?", tournament)
    if planned and last >= planned and not beyond:
        raise DeclinedError(
            f"the season is planned for {counted(planned, 'round')}",
            "beyond",
            f"`keizer next-round DB --beyond` pairs one more, `keizer rules DB rounds={last + 1}`"
            " changes the plan.",
        )
    if not fixed and bye is None and _nobody_plays(conn, tournament):
        commands.describe(conn, f"round {last + 1}, in which nobody plays")
        return Round(last + 1, given_up=False, limited=False, postponed=postponed, played=False)
    told = _pair(conn, tournament, fixed=fixed, bye=bye)
    commands.describe(conn, f"pairing of round {last + 1}")
    return Round(last + 1, *told, postponed)


def _nobody_plays(conn: sqlite3.Connection, tournament: int) -> bool:
    """Publish the coming round where everybody is absent, and somebody has said so."""
    if cell(conn, "SELECT 1 FROM _nobody_plays WHERE tournament_id = ?", tournament) is None:
        return False
    conn.execute("INSERT INTO _nobody_plays (tournament_id) VALUES (?)", (tournament,))
    return True


def _pair(
    conn: sqlite3.Connection,
    tournament: int,
    *,
    fixed: Sequence[tuple[int, int]],
    kept: Mapping[int, Board] = MappingProxyType({}),
    bye: int | None,
) -> tuple[bool, bool]:
    """Pair the coming round and write it; whether a rule was given up, meetings have a limit.

    kept: boards that are in the file already, by number. Raises KeizerError where nobody is
    present, and where what is settled cannot be.
    """
    position = position_before(conn, tournament)
    if not position.names:
        raise KeizerError(
            f"nobody is present for round {position.number}, so there is nothing to pair."
        )
    settled = [*kept.values(), *(Board(*ids) for ids in fixed)]
    _check_settled(conn, position, settled, bye)
    pairing = best(conn, tournament, position, settled, bye)
    by_hand = [*settled, *([] if bye is None else [(bye,)])]
    _write(conn, tournament, position, pairing, by_hand, kept)
    _seated_once(conn, tournament, position)
    limits = {position.policy.max_meetings, position.policy.max_meetings_period}
    return bool(pairing.relaxations), limits != {None}


def best(
    conn: sqlite3.Connection,
    tournament: int,
    position: Position,
    fixed: Sequence[Board] = (),
    bye: int | None = None,
) -> Pairing:
    """The best pairing of a position; KeizerError where a Swiss has none and asks for one."""
    try:
        return best_pairing(
            conn,
            tournament,
            position.policy,
            list(position.names),
            position.number,
            fixed=fixed,
            bye=bye,
        )
    except ImpossibleError as error:
        over = names.listed([position.names[player] for player in error.players])
        raise KeizerError(
            f"nobody may meet twice in a Swiss, and every pairing of those present has a rematch or"
            f" leaves {over} over: sign somebody off, settle a board with --pair, or let the rule"
            f" `stuck` be leave or rematch."
        ) from error


def few_opponents(conn: sqlite3.Connection, tournament: int) -> str | None:
    """A warning where a limit on meetings leaves somebody less than a quarter of the others."""
    found = conn.execute(
        "SELECT player.name, sum(allowed) AS left, count(*) AS others FROM ("
        "  SELECT white_id AS id, max_meetings + max_meetings_period = 0 AS allowed"
        "   FROM possible_boards WHERE tournament_id = ?1 AND black_id IS NOT NULL"
        "  UNION ALL SELECT black_id, max_meetings + max_meetings_period = 0"
        "   FROM possible_boards WHERE tournament_id = ?1 AND black_id IS NOT NULL"
        " ) JOIN player USING (id) JOIN rules ON rules.tournament_id = ?1"
        " WHERE rules.system = 'keizer' GROUP BY id HAVING others > 4 * left ORDER BY left, id",
        (tournament,),
    ).fetchone()
    if found is None:
        return None
    name, left, others = found
    return (
        f"The limit on meetings leaves {name} {left} of {counted(others, 'opponent')}:"
        " `keizer rules DB max_meetings=none` takes it off."
    )


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
    if bye is not None and len(position.names) % 2 == 0:
        raise KeizerError(
            f"{len(position.names)} players are present, so nobody has the bye."
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
    draft = Seat("draft", len(found.boards) if found.proved and not by_hand else None)
    at = dict(zip(found.boards, _numbered(found.boards, kept), strict=True))
    _move(conn, tournament, position, kept, at)
    new = [
        (ids, reason)
        for ids, reason in zip(found.boards, found.reasons, strict=True)
        if ids not in kept.values()
    ]
    seats = [
        Seat("board", at[ids], *ids, place[ids.white], place[ids.black], reason.colour)
        for ids, reason in new
    ]
    seats += [Seat("out", white=player, kind=kind) for player, kind in position.away.items()]
    for player in (*([] if found.bye is None else [found.bye]), *found.left):
        place_of_bye = None if (player,) in by_hand else place[player]
        seats.append(Seat("out", white=player, white_place=place_of_bye, kind="bye"))
    seat(conn, tournament, number, [Seat("begin"), draft, *seats, Seat("end")])
    skipped = [
        (tournament, number, *breach.players, breach.rule, breach.amount)
        for _, reason in new
        for breach in reason.skipped
    ]
    given_up = [one for one in found.relaxations if one.players not in kept.values()]
    # To prepare a statement that is logged takes as long as to run it.
    if skipped:
        conn.executemany(
            "INSERT INTO skipped_opponent (tournament_id, round_number, player_id, skipped_id,"
            " obstacle, amount) VALUES (?, ?, ?, ?, ?, ?)",
            skipped,
        )
    if given_up:
        keep(conn, tournament, position, given_up, by_hand)


def _move(
    conn: sqlite3.Connection,
    tournament: int,
    position: Position,
    kept: Mapping[int, Board],
    at: Mapping[Board, int],
) -> None:
    """Give boards that are kept their number and places of today; the reasons stay."""
    place = position.places()
    for board, ids in sorted(kept.items()):
        conn.execute(
            "UPDATE round SET board = ?, white_place = ?, black_place = ?"
            " WHERE tournament_id = ? AND round_number = ? AND board = ?",
            (at[ids], place[ids.white], place[ids.black], tournament, position.number, board),
        )


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
    if given_up.rule == "rematch" and len(given_up.players) == 1:
        return "No pairing without a rematch has more boards."
    if len(position.names) == len(given_up.players):
        return "Nobody else is present."
    if given_up.stuck is not None:
        beside = " beside the boards that are settled" if by_hand else ""
        return f"{position.names[given_up.stuck]} could meet nobody else within the rules{beside}."
    if given_up.instead is None:
        return "No pairing of those present gives up less."
    return _instead(given_up.instead)


def _instead(other: Instead) -> str:
    """Where the best pairing without a board or bye is worse, a sentence."""
    more = f"{SUMS[other.digit]}: {other.there}, not {other.here}"
    return f"The best pairing without it has more {more}."


def listed(
    broken: Mapping[tuple[int, ...], Mapping[str, int]], called: Mapping[int, str], most: int = 3
) -> str:
    """The rules that boards and byes break in words, the first few of them."""
    said = [
        f"{' – '.join(called[player] for player in ids)} ({BROKEN[rule]})"
        for ids, rules in broken.items()
        for rule in rules
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
