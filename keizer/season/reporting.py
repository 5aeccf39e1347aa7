"""Results that members enter themselves, and who confirms them: the log knows who wrote a row."""

from collections.abc import Sequence

from keizer.errors import KeizerError
from keizer.season import names, roster, views
from keizer.season.queries import Conn
from keizer.season.results import enter_results
from keizer.season.tournaments import draft, round_with_boards
from keizer.store import commands

USUAL = ("1-0", "½-½", "0-1")
"""What a member may enter; anything else is for the director."""


def reporter(player: int, name: str) -> str:
    """Who a member with a phone is on the log."""
    return f"{name} (#{player}), phone"


def reported(conn: Conn, tournament: int, number: int) -> dict[int, int]:
    """Boards of a round whose result a member entered, as the log has it: board and player.

    A board is in it until somebody else writes that row, as `confirm` does.
    """
    found = conn.execute(
        "SELECT g.board, command.player_id FROM round AS g JOIN command ON command.id ="
        "  (SELECT command_id FROM log WHERE fact = 'round' AND row = g.id"
        "   ORDER BY id DESC LIMIT 1)"
        " WHERE g.tournament_id = ? AND g.round_number = ? AND g.result IS NOT NULL"
        "   AND command.player_id IS NOT NULL",
        (tournament, number),
    )
    return dict(found.fetchall())


def confirm(conn: Conn, tournament: int, number: int, boards: Sequence[int]) -> None:
    """Let results that members reported stand: they are dated anew, by who does it."""
    there = reported(conn, tournament, number)
    for board in boards:
        if board not in there:
            raise KeizerError(f"board {board} has no result that was reported and not confirmed.")
        conn.execute(  # a second later at least: what stays as it is is not on the log
            "UPDATE round SET last_updated = max(CURRENT_TIMESTAMP,"
            "  COALESCE(datetime(last_updated, '+1 second'), ''))"
            " WHERE tournament_id = ? AND round_number = ? AND board = ?",
            (tournament, number, board),
        )
    commands.describe(conn, f"results of round {number} confirmed: {names.boards(boards)}")


def report(conn: Conn, tournament: int, player: int, result: str) -> str:
    """Enter the result of a member's own board in the last round; what was done, a sentence.

    The same as the opponent entered confirms that.
    """
    number = round_with_boards(conn, tournament)
    if number == draft(conn, tournament):
        raise KeizerError(f"round {number} is not published yet.")
    mine = [
        row
        for row in views.pairings(conn, tournament, number)
        if row["board"] and player in (row["white_id"], row["black_id"])
    ]
    if not mine:
        raise KeizerError(f"you have no board in round {number}.")
    if result not in USUAL:
        raise KeizerError("a phone takes 1-0, ½-½ or 0-1: tell the director anything else.")
    board, there = mine[0]["board"], mine[0]["result"]
    by = reported(conn, tournament, number).get(board)
    if there is None or by == player:
        _, (game,) = enter_results(conn, tournament, [(board, result)], round_number=number)
        return f"Board {board}: {game}. Thank you."
    if there != result:
        raise KeizerError(
            f"board {board} has the result {there} already: if that is wrong, tell the director."
        )
    if by is None:
        return f"Board {board} has that result already."
    confirm(conn, tournament, number, [board])
    name = roster.players(conn, tournament)[player]
    commands.by(conn, f"{reporter(player, name)}, confirms")
    return f"Board {board}: {result}, confirmed. Thank you."
