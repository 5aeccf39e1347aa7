"""What is read: rows of the public views, for one tournament and round.

Nothing here writes; each function takes any open connection.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

from keizer.season.names import boards, folded, listed

STANDINGS = (
    "rank", "name", "value", "score", "points", "played", "change", "rating", "category",
    "won", "drawn", "lost", "byes", "absences", "duty", "balance",
)  # fmt: skip
PAIRINGS = ("board", "white", "black", "result")
EXPLANATION = (
    "played_in", "kind", "colour", "opponent", "result", "times", "factor", "value", "fixed",
    "points", "note", "fact", "fact_id",
)  # fmt: skip
PRESENCE = ("name", "absence", "by_default", "usually", "so_far")
ROUNDS = ("round_number", "date", "state", "boards", "open_boards", "byes", "absences")
REASONS = ("board", "white", "black", "about", "sentence")
RELAXATIONS = ("board", "white", "black", "rule", "amount", "sentence", "why")
PUBLISHED = ("rank", "name", "value", "score")

Row = dict[str, Any]


def rows(found: sqlite3.Cursor) -> list[Row]:
    """Rows as dictionaries; a float without decimals becomes whole."""
    return [
        {
            key: int(value) if isinstance(value, float) and value.is_integer() else value
            for key, value in dict(row).items()
        }
        for row in found
    ]


def name(conn: sqlite3.Connection, tournament: int) -> str:
    """The name of a tournament."""
    row = conn.execute("SELECT description FROM tournament WHERE id = ?", (tournament,)).fetchone()
    return str(row[0])


def stale_from(conn: sqlite3.Connection, tournament: int) -> int | None:
    """The first round whose table may be behind the facts; None when all are right."""
    row = conn.execute(
        "SELECT COALESCE(stale_from, 0) FROM tournament WHERE id = ? AND revaluation <> 'on'",
        (tournament,),
    ).fetchone()
    return None if row is None else int(row[0])


def of_round(
    conn: sqlite3.Connection,
    view: str,
    columns: Sequence[str],
    tournament: int,
    number: int,
    *,
    order: str,
    **only: int | None,
) -> list[Row]:
    """A view's rows of one tournament and round; of `only` one player, where one is given."""
    wanted = {"tournament_id": tournament, "round_number": number}
    wanted |= {column: value for column, value in only.items() if value is not None}
    return rows(
        conn.execute(
            f"SELECT {', '.join(columns)} FROM {view}"
            f" WHERE {' AND '.join(f'{column} = :{column}' for column in wanted)} ORDER BY {order}",
            wanted,
        )
    )


def presence(conn: sqlite3.Connection, tournament: int) -> list[Row]:
    """Who can come to the coming round, by name (columns PRESENCE)."""
    found = rows(
        conn.execute(
            "SELECT p.player_id, p.name, p.absence, p.by_default,"
            " COALESCE(e.absent_as, 'present') AS usually FROM presence AS p"
            " JOIN x_player_tournament AS e"
            "  ON e.tournament_id = p.tournament_id AND e.player_id = p.player_id"
            " WHERE p.tournament_id = ?",
            (tournament,),
        )
    )
    so_far: dict[int, list[str]] = {}
    for row in conn.execute(
        "SELECT * FROM attendance WHERE tournament_id = ? AND times > 0 ORDER BY kind",
        (tournament,),
    ):
        caps = [
            f"{times} of {cap}{where}"
            for times, cap, where in (
                (row["times"], row["season_cap"], ""),
                (row["in_period"], row["period_cap"], " in the period"),
            )
            if cap is not None
        ]
        so_far.setdefault(row["player_id"], []).append(
            f"{row['kind']} {', '.join(caps) or row['times']}"
        )
    for row in found:
        row["so_far"] = "; ".join(so_far.get(row["player_id"], []))
    return sorted(found, key=lambda row: folded(row["name"]))


def scheduled(conn: sqlite3.Connection, tournament: int) -> list[Row]:
    """The rounds that were paired or have a date (columns ROUNDS)."""
    return rows(
        conn.execute(
            f"SELECT {', '.join(ROUNDS)} FROM rounds WHERE tournament_id = ? ORDER BY round_number",
            (tournament,),
        )
    )


def ranks(conn: sqlite3.Connection, tournament: int) -> dict[int, int]:
    """Who stands where in the last table there is."""
    found = conn.execute(
        "SELECT r.player_id, r.rank FROM _now AS l CROSS JOIN ranking_list AS r"
        " ON r.tournament_id = l.tournament_id AND r.round_number = l.last_round"
        " WHERE l.tournament_id = ?",
        (tournament,),
    )
    return {row[0]: row[1] for row in found}


def provisional(conn: sqlite3.Connection, tournament: int, number: int) -> str:
    """The boards without a result that a table after a round lacks, in words; or nothing."""
    still_open: dict[int, list[int]] = {}
    for played_in, board in conn.execute(
        "SELECT round_number, board FROM round WHERE tournament_id = ? AND round_number <= ?"
        " AND result IS NULL ORDER BY round_number DESC, board",
        (tournament, number),
    ):
        still_open.setdefault(played_in, []).append(board)
    said = [
        boards(found) + ("" if played_in == number else f" of round {played_in}")
        for played_in, found in still_open.items()
    ]
    return f"{listed(said)} open" if said else ""


def pairings(conn: sqlite3.Connection, tournament: int, number: int) -> list[Row]:
    """The boards of a round in order (columns PAIRINGS), the bye last."""
    order = "board NULLS LAST, white"
    return of_round(conn, "pairings", PAIRINGS, tournament, number, order=order)


def pairing_reasons(conn: sqlite3.Connection, tournament: int, number: int) -> list[Row]:
    """What there is to say about each board of a round (columns REASONS)."""
    order = "board NULLS LAST, about = 'nearer', about = 'colour', about = 'meeting', sentence"
    return of_round(conn, "pairing_reasons", REASONS, tournament, number, order=order)


def relaxations(conn: sqlite3.Connection, tournament: int, number: int) -> list[Row]:
    """The rules given up in the pairing of a round (columns RELAXATIONS)."""
    order = "board NULLS LAST, rule"
    return of_round(conn, "relaxations", RELAXATIONS, tournament, number, order=order)


def standings(conn: sqlite3.Connection, tournament: int, number: int) -> list[Row]:
    """The table after a round, from the top (columns STANDINGS, and those of `telling`)."""
    columns = ("player_id", *STANDINGS)
    found = of_round(conn, "standings", columns, tournament, number, order="rank, name")
    for tiebreak in telling(conn, tournament):
        figures = _figures(conn, tournament, number, tiebreak)
        for row in found:
            row[tiebreak] = figures.get(row["player_id"])
    return found


def _figures(
    conn: sqlite3.Connection, tournament: int, number: int, tiebreak: str
) -> dict[int, Any]:
    """The figures of a tie-break by player; of those among the tied, where it parted any."""
    view, name = "tiebreaks", "tiebreak"
    if tiebreak not in ("de", "mutual"):
        found = conn.execute("SELECT view FROM tiebreak WHERE name = ?", (tiebreak,))
        view, name = found.fetchone()[0], "name"
    figures = conn.execute(
        f"SELECT player_id, value FROM {view}"
        f" WHERE tournament_id = ? AND round_number = ? AND {name} = ?",
        (tournament, number, tiebreak),
    )
    return {row["player_id"]: row["value"] for row in rows(figures)}


def telling(conn: sqlite3.Connection, tournament: int) -> list[str]:
    """The tie-breaks of the tournament that are no column of its table already."""
    names = conn.execute(
        "SELECT name FROM tiebreak_order WHERE tournament_id = ? AND position > 0"
        " AND name NOT IN ('score', 'points', 'played', 'previous', 'rating')"
        # An archive has none that a club made for itself.
        " AND name IN (SELECT name FROM tiebreak) ORDER BY position",
        (tournament,),
    )
    return [row[0] for row in names]


def has_values(conn: sqlite3.Connection, tournament: int) -> bool:
    """Whether values count: in a Swiss they bring nothing."""
    (counts,) = conn.execute(
        "SELECT EXISTS (SELECT 1 FROM scoring WHERE tournament_id = ? AND factor_units > 0"
        " AND kind IN ('own value', 'win', 'draw', 'loss'))",
        (tournament,),
    ).fetchone()
    return bool(counts)


def published(conn: sqlite3.Connection, tournament: int, number: int) -> list[Row]:
    """The table after a round as it was before rules were changed (columns PUBLISHED)."""
    view = "published_standings"
    return of_round(conn, view, PUBLISHED, tournament, number, order="rank")


def settled(conn: sqlite3.Connection, tournament: int, number: int) -> str | None:
    """How the values of a table came to rest, where that is worth saying."""
    row = conn.execute(
        "SELECT cycle FROM settling WHERE tournament_id = ? AND round_number = ? AND cycle <> 1",
        (tournament, number),
    ).fetchone()
    if row is None:
        return None
    return (
        f"the values go round in a cycle of {row[0]} tables: the mean of each is in force"
        if row[0]
        else "the values had not settled after rules.max_passes tables"
    )


def place(
    conn: sqlite3.Connection, tournament: int, number: int, player: int
) -> tuple[int, float] | None:
    """A player's rank and score after a round; None before he is in the list."""
    row = conn.execute(
        "SELECT rank, score FROM standings"
        " WHERE tournament_id = ? AND round_number = ? AND player_id = ?",
        (tournament, number, player),
    ).fetchone()
    return None if row is None else (int(row[0]), float(row[1]))


def explanation(conn: sqlite3.Connection, tournament: int, number: int, player: int) -> list[Row]:
    """The lines of a player's score after a round (columns EXPLANATION)."""
    view, order = "explanation", "kind = 'limit', played_in NULLS FIRST, kind DESC"
    return of_round(conn, view, EXPLANATION, tournament, number, order=order, player_id=player)
