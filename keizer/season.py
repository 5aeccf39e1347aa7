"""The steps of a season. Each writes facts and reads views; SQL does the sums.

All functions take a connection inside a transaction (see `database`) and the
id of a tournament. They raise KeizerError with one sentence when a step makes
no sense; the caller's transaction is then rolled back.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from keizer import names
from keizer.errors import KeizerError

ROUNDS = range(1, 1000)


# ---------------------------------------------------------------- tournaments


def add_tournament(conn: sqlite3.Connection, name: str) -> int:
    """A new, running tournament with the usual rules; its id."""
    name = names.tidy(name)
    if not name:
        raise KeizerError("a tournament needs a name.")
    if conn.execute("SELECT 1 FROM tournament WHERE description = ?", (name,)).fetchone():
        raise KeizerError(f"the file already has a tournament “{name}”.")
    added = conn.execute("INSERT INTO tournament (description) VALUES (?)", (name,))
    return int(added.lastrowid or 0)


def find_tournament(conn: sqlite3.Connection, wanted: str | None = None) -> int:
    """The id of the tournament named (or numbered) `wanted`.

    Without one: the only running tournament, or the only one.
    """
    rows = conn.execute("SELECT id, description, status FROM tournament ORDER BY id").fetchall()
    if wanted is not None:
        key = names.folded(wanted)
        found = [row for row in rows if names.folded(row["description"]) == key]
        found = found or [row for row in rows if f"#{row['id']}" == wanted.strip()]
    else:
        found = [row for row in rows if row["status"] == "running"] if len(rows) > 1 else rows
    if len(found) == 1:
        return int(found[0]["id"])
    listed = ", ".join(f"“{row['description']}” (#{row['id']})" for row in rows)
    if not rows:
        raise KeizerError("the file has no tournament: `keizer init DB --name NAME` adds one.")
    if wanted is not None and not found:
        raise KeizerError(f"there is no tournament “{wanted}”; the file has {listed}.")
    raise KeizerError(f"say which tournament with --tournament: the file has {listed}.")


def settle(conn: sqlite3.Connection) -> None:
    """Bring every ranking up to the facts, where somebody left one suspended."""
    # Looked at first: a statement that can set off a revaluation takes long to prepare.
    if conn.execute("SELECT 1 FROM tournament WHERE revaluation <> 'on'").fetchone() is None:
        return
    conn.execute(
        "UPDATE tournament SET revaluation = 'suspended', stale_from = 0"
        " WHERE revaluation = 'running'"
    )
    conn.execute("UPDATE tournament SET revaluation = 'on' WHERE revaluation <> 'on'")


@contextmanager
def suspended(conn: sqlite3.Connection, tournament: int) -> Iterator[None]:
    """Revalue once, at the end, however many facts are written inside."""
    switch = "UPDATE tournament SET revaluation = ? WHERE id = ?"
    conn.execute(switch, ("suspended", tournament))
    yield
    conn.execute(switch, ("on", tournament))


def last_round(conn: sqlite3.Connection, tournament: int) -> int:
    """The number of the last paired round, 0 before the first."""
    row = conn.execute(
        "SELECT round_number FROM _last_round WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    return int(row[0])


def draft(conn: sqlite3.Connection, tournament: int) -> int | None:
    """The last round, while it is paired but neither published nor begun; else None."""
    row = conn.execute(
        "SELECT round_number FROM _draft WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    return None if row is None else int(row[0])


def coming_round(conn: sqlite3.Connection, tournament: int) -> int:
    """The round people sign off from: the draft there is, else the one after the last."""
    row = conn.execute(
        "SELECT round_number FROM _coming_round WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    return int(row[0])


def current_round(conn: sqlite3.Connection, tournament: int) -> int:
    """The round whose table is worth looking at: the last with a result."""
    row = conn.execute(
        "SELECT round_number FROM _current_round WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    return int(row[0])


def open_boards(conn: sqlite3.Connection, tournament: int, round_number: int) -> list[int]:
    """The boards of a round that still lack a result."""
    rows = conn.execute(
        "SELECT board FROM round WHERE tournament_id = ? AND round_number = ?"
        " AND result IS NULL ORDER BY board",
        (tournament, round_number),
    )
    return [int(row[0]) for row in rows]


def unseat(conn: sqlite3.Connection, tournament: int, number: int, player: int) -> None:
    """Take a player out of a draft; who was to meet him has no seat then."""
    conn.execute(
        "DELETE FROM round WHERE tournament_id = ? AND round_number = ? AND ? IN (white, black)",
        (tournament, number, player),
    )
    conn.execute(
        "DELETE FROM unplayed WHERE tournament_id = ? AND round_number = ? AND player_id = ?"
        " AND kind = 'bye'",
        (tournament, number, player),
    )


def unseated(conn: sqlite3.Connection, tournament: int) -> list[str]:
    """Who is present in the draft there is, and sits nowhere."""
    rows = conn.execute(
        "SELECT p.name FROM _draft AS d JOIN presence AS p ON p.tournament_id = d.tournament_id"
        " WHERE d.tournament_id = ? AND p.absence IS NULL AND NOT EXISTS (SELECT 1"
        "  FROM player_round AS s WHERE s.tournament_id = p.tournament_id"
        "  AND s.round_number = p.round_number AND s.player_id = p.player_id) ORDER BY p.rank",
        (tournament,),
    )
    return [row[0] for row in rows]


def _all_seated(conn: sqlite3.Connection, tournament: int) -> None:
    """Refuse a draft in which somebody who is present sits nowhere."""
    standing = unseated(conn, tournament)
    if standing:
        raise KeizerError(
            f"{names.listed(standing)} {'has' if len(standing) == 1 else 'have'} no seat:"
            " `keizer next-round --again --keep all` pairs anew and keeps the other boards."
        )


def set_date(conn: sqlite3.Connection, tournament: int, number: int, date: str) -> None:
    """Say when a round is played, YYYY-MM-DD."""
    changed = conn.execute(
        "UPDATE schedule SET date = ? WHERE tournament_id = ? AND round_number = ?",
        (date, tournament, number),
    )
    if not changed.rowcount:
        conn.execute(
            "INSERT INTO schedule (tournament_id, round_number, date) VALUES (?, ?, ?)",
            (tournament, number, date),
        )


def _date(conn: sqlite3.Connection, tournament: int, number: int) -> None:
    """Let a round without a date be one of today."""
    row = conn.execute(
        "SELECT date, date('now', 'localtime') FROM (SELECT 1) LEFT JOIN schedule"
        " ON tournament_id = ? AND round_number = ?",
        (tournament, number),
    ).fetchone()
    if row[0] is None:
        set_date(conn, tournament, number, row[1])


def publish(conn: sqlite3.Connection, tournament: int) -> int:
    """Fix the pairing of the last round; its number.

    Raises KeizerError where there is none, it was published before, or somebody
    who is present has no seat.
    """
    number = _paired_round(conn, tournament)
    _all_seated(conn, tournament)
    _date(conn, tournament, number)
    published = conn.execute(
        "UPDATE schedule SET published_at = CURRENT_TIMESTAMP"
        " WHERE tournament_id = ? AND round_number = ? AND published_at IS NULL",
        (tournament, number),
    )
    if not published.rowcount:
        raise KeizerError(f"round {number} is already published.")
    return number


def take_back(conn: sqlite3.Connection, tournament: int) -> int:
    """Make a draft of the last round again, which has no result yet; its number."""
    number = _paired_round(conn, tournament)
    conn.execute(
        "UPDATE schedule SET published_at = NULL WHERE tournament_id = ? AND round_number = ?",
        (tournament, number),
    )
    if draft(conn, tournament) is None:
        raise KeizerError(f"round {number} has results: it is no draft any more.")
    return number


def _paired_round(conn: sqlite3.Connection, tournament: int) -> int:
    number = last_round(conn, tournament)
    if not number:
        raise KeizerError("no round is paired yet: `keizer next-round` pairs the first.")
    return number


def add_period(
    conn: sqlite3.Connection,
    tournament: int,
    first_round: int,
    *,
    name: str | None = None,
    reset: bool = False,
    by_rating: bool = False,
) -> None:
    """Let a period start with a round.

    reset: earlier rounds no longer count; by_rating: and the list is made anew.
    """
    conn.execute(
        "INSERT INTO period (tournament_id, first_round, name, scores, start)"
        " VALUES (?, ?, ?, ?, ?)",
        (
            tournament,
            first_round,
            name,
            "reset" if reset else "carry",
            "rating" if by_rating else "ranking",
        ),
    )


def remove_period(conn: sqlite3.Connection, tournament: int, first_round: int) -> None:
    """Take a period away; its rounds belong to the one before."""
    found = conn.execute(
        "DELETE FROM period WHERE tournament_id = ? AND first_round = ?", (tournament, first_round)
    )
    if not found.rowcount:
        raise KeizerError(f"no period starts with round {first_round}.")


# ------------------------------------------------------------------- results


class Entered(NamedTuple):
    """A result as entered, and what stood there before."""

    board: int
    white: str
    black: str
    result: str | None
    before: str | None


def match_games(conn: sqlite3.Connection, tournament: int) -> int:
    """How many games a match may have."""
    found = conn.execute("SELECT match_games FROM rules WHERE tournament_id = ?", (tournament,))
    return int(found.fetchone()[0])


def enter_results(
    conn: sqlite3.Connection,
    tournament: int,
    results: Sequence[tuple[int, str | None]],
    *,
    round_number: int | None = None,
) -> tuple[int, list[Entered]]:
    """Write the results of boards, by default of the last round.

    results: board and result (a code of table outcome, a match as `names.result`
    has it, None to reopen).
    Returns the round and what was entered. Raises KeizerError for a round or
    board that is not there.
    """
    number = last_round(conn, tournament) if round_number is None else round_number
    rows = conn.execute(
        "SELECT g.rowid, g.board, g.result, g.white_wins, white.name AS white, black.name AS black"
        " FROM round AS g JOIN player AS white ON white.id = g.white"
        " JOIN player AS black ON black.id = g.black"
        " WHERE g.tournament_id = ? AND g.round_number = ?",
        (tournament, number),
    ).fetchall()
    games = {row["board"]: row for row in rows}
    if not games:
        raise KeizerError(
            f"round {number} has no boards: `keizer next-round` pairs one."
            if number
            else "no round is paired yet: `keizer next-round` pairs the first."
        )
    if number == draft(conn, tournament):
        _all_seated(conn, tournament)
        _date(conn, tournament, number)
    entered = []
    with suspended(conn, tournament):
        for board, result in results:
            game = games.get(board)
            if game is None:
                raise KeizerError(f"round {number} has no board {board}: it has 1 to {max(games)}.")
            games_won = names.games_of(result)
            if games_won:
                conn.execute(
                    "UPDATE round SET white_wins = ?, black_wins = ?, drawn = ?,"
                    " last_updated = CURRENT_TIMESTAMP WHERE rowid = ?",
                    (*games_won, game["rowid"]),
                )
            elif game["white_wins"] is not None:
                conn.execute(
                    "UPDATE round SET result = ?, white_wins = NULL, black_wins = NULL,"
                    " drawn = NULL, last_updated = CURRENT_TIMESTAMP WHERE rowid = ?",
                    (result, game["rowid"]),
                )
            elif result != game["result"]:
                conn.execute(
                    "UPDATE round SET result = ?, last_updated = CURRENT_TIMESTAMP WHERE rowid = ?",
                    (result, game["rowid"]),
                )
            entered.append(Entered(board, game["white"], game["black"], result, game["result"]))
    return number, entered
