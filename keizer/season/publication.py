"""Between pairing and play: seats given up, the date of a round, and publishing it."""

import sqlite3

from keizer.errors import KeizerError
from keizer.season import names
from keizer.season.queries import Conn, cell, column, delete, insert, update
from keizer.season.tournaments import draft, last_round, paired_round, suspended
from keizer.store import commands
from keizer.store.connection import sentence

BY_DEFAULT = (
    "EXISTS (SELECT 1 FROM x_player_tournament AS e WHERE e.tournament_id = unplayed.tournament_id"
    "  AND e.player_id = unplayed.player_id AND e.absent_as = unplayed.kind)"
    " AND NOT EXISTS (SELECT 1 FROM attendance AS c WHERE c.tournament_id = unplayed.tournament_id"
    "  AND c.round_number = unplayed.round_number AND c.player_id = unplayed.player_id)"
)
"""Whether a row of unplayed is there because the player is absent by default."""


def unseat(conn: Conn, tournament: int, number: int, player: int) -> None:
    """Take a player out of a draft; their opponent then has no seat."""
    conn.execute(
        "DELETE FROM round WHERE tournament_id = ? AND round_number = ? AND ? IN (white, black)",
        (tournament, number, player),
    )
    of_round = {"tournament_id": tournament, "round_number": number}
    delete(conn, "unplayed", **of_round, player_id=player, kind="bye")


def unseated(conn: Conn, tournament: int) -> list[str]:
    """Names of players present who have neither a board nor the bye in the draft, if any."""
    number = draft(conn, tournament)
    if number is None:
        return []
    return column(
        conn,
        "SELECT player.name FROM presence JOIN player ON player.id = player_id"
        " WHERE tournament_id = ?1 AND absence IS NULL AND player_id NOT IN ("
        "  SELECT white FROM round WHERE tournament_id = ?1 AND round_number = ?2 AND board > 0"
        "  UNION ALL SELECT black FROM round"
        "   WHERE tournament_id = ?1 AND round_number = ?2 AND board > 0"
        "  UNION ALL SELECT player_id FROM unplayed"
        "   WHERE tournament_id = ?1 AND round_number = ?2) ORDER BY rank",
        tournament,
        number,
    )


def have_no_seat(standing: list[str], now: str) -> str:
    """A sentence: these names have no seat, and what is to be done."""
    has = "has" if len(standing) == 1 else "have"
    return (
        f"{names.listed(standing)} {has} no seat{now}"
        " `keizer next-round DB --again --keep all` pairs anew and keeps the other boards."
    )


def newcomers(conn: Conn, tournament: int) -> dict[int, str]:
    """Who entered after the draft was paired, and has no seat in it: id and name."""
    found = conn.execute(
        "SELECT player.id, player.name FROM tournament AS now JOIN x_player_tournament AS e"
        "  ON e.tournament_id = now.id AND e.first_round = now.coming_round"
        " JOIN player ON player.id = e.player_id"
        " WHERE now.id = ? AND now.coming_round = now.last_round"
        " AND NOT EXISTS (SELECT 1 FROM player_round AS r WHERE r.tournament_id = e.tournament_id"
        "  AND r.round_number = now.last_round AND r.player_id = e.player_id)"
        " AND (SELECT min(id) FROM log WHERE fact = 'x_player_tournament' AND row = e.id) >"
        "  (SELECT min(log.id) FROM round AS g JOIN log ON log.fact = 'round' AND log.row = g.id"
        "   WHERE g.tournament_id = e.tournament_id AND g.round_number = now.last_round)"
        " ORDER BY player.name",
        (tournament,),
    )
    return dict(found.fetchall())


def start_later(conn: Conn, tournament: int) -> str:
    """That newcomers start in the round after the draft, the beginning of a sentence; or ''."""
    late = [*newcomers(conn, tournament).values()]
    starts = f"start{'s' if len(late) == 1 else ''} in round {last_round(conn, tournament) + 1}"
    return f"{names.listed(late)} {starts}" if late else ""


def all_seated(conn: Conn, tournament: int) -> None:
    """See to it that nobody who is present lacks a seat in the draft.

    Who entered after it was paired starts in the next round.
    """
    for player in newcomers(conn, tournament):  # executemany prepares it for nobody, too
        conn.execute(
            "UPDATE x_player_tournament SET first_round = first_round + 1"
            " WHERE tournament_id = ? AND player_id = ?",
            (tournament, player),
        )
    standing = unseated(conn, tournament)
    if standing:
        raise KeizerError(have_no_seat(standing, ":"))


def set_date(conn: Conn, tournament: int, number: int, date: str | None) -> None:
    """Set the date of a round, YYYY-MM-DD; None: not known."""
    of_round = {"tournament_id": tournament, "round_number": number}
    if not update(conn, "schedule", {"date": date}, **of_round):
        insert(conn, "schedule", **of_round, date=date)


def begin(conn: Conn, tournament: int, number: int) -> None:
    """Give a round without a date that of today."""
    known = "SELECT date FROM schedule WHERE tournament_id = ? AND round_number = ?"
    if cell(conn, known, tournament, number) is None:
        set_date(conn, tournament, number, cell(conn, "SELECT date('now', 'localtime')"))


def close(conn: Conn, tournament: int, number: int) -> bool:
    """Note that a round is published; whether it was not before."""
    begin(conn, tournament, number)
    noted = conn.execute(
        "UPDATE schedule SET published_at = CURRENT_TIMESTAMP"
        " WHERE tournament_id = ? AND round_number = ? AND published_at IS NULL",
        (tournament, number),
    )
    return noted.rowcount > 0


def publish(conn: Conn, tournament: int) -> int:
    """Fix the pairing of the last round; its number."""
    number = paired_round(conn, tournament)
    all_seated(conn, tournament)
    if not close(conn, tournament, number):
        raise KeizerError(f"round {number} is already published.")
    commands.describe(conn, f"round {number} published")
    return number


def seat(conn: Conn, tournament: int, white: int, black: int) -> str:
    """Add a board to the last round for two players (ids) without one; what was done, a sentence.

    An absence or bye of theirs is removed.
    """
    number = paired_round(conn, tournament)
    called = dict(
        conn.execute("SELECT id, name FROM player WHERE id IN (?, ?)", (white, black)).fetchall()
    )
    for player in (white, black):
        board = "SELECT 1 FROM round WHERE (tournament_id, round_number) = (?, ?)"
        if cell(conn, f"{board} AND ? IN (white, black)", tournament, number, player):
            raise KeizerError(
                f"{called[player]} already has a board in round {number}: `keizer swap` lets two"
                " players change places."
            )
    with suspended(conn, tournament):
        conn.execute(
            "DELETE FROM unplayed WHERE tournament_id = ? AND round_number = ?"
            " AND player_id IN (?, ?)",
            (tournament, number, white, black),
        )
        try:
            game = insert(
                conn, "round", tournament_id=tournament, round_number=number, white=white,
                black=black,
            )  # fmt: skip
            insert(conn, "z_reasons", tournament_id=tournament)
        except sqlite3.IntegrityError as error:
            raise KeizerError(
                f"{called[white]} and {called[black]} cannot be seated in round {number}:"
                f" {sentence(error)}"
            ) from error
    board = cell(conn, "SELECT board FROM round WHERE id = ?", game)
    done = f"round {number}, board {board}: {called[white]} – {called[black]}"
    commands.describe(conn, done)
    return done


def take_back(conn: Conn, tournament: int) -> str:
    """Make the last round a draft again; what it is then, a sentence.

    One in which nobody plays can be paired again.
    """
    number = paired_round(conn, tournament)
    if draft(conn, tournament):
        raise KeizerError(f"round {number} is a draft already.")
    never = {"published_at": None}
    update(conn, "schedule", never, tournament_id=tournament, round_number=number)
    said = f"round {number} a draft again"
    if last_round(conn, tournament) < number:
        said = f"round {number} to be paired again"
    elif draft(conn, tournament) is None:
        raise KeizerError(f"round {number} has results: it is no draft any more.")
    commands.describe(conn, said)
    return said
