"""What members look up beside the table: rows of the views on games and rounds.

As in tables: nothing here writes, and every function takes a past table too.
"""

import sqlite3

from keizer.season.views import Row, of_round, rows

CROSSTABLE = (
    "rank", "name", "played_in", "opponent_rank", "colour", "result", "kind", "cell",
)  # fmt: skip
CARD = (
    "played_in", "opponent", "opponent_rank", "colour", "result", "kind", "value_then",
    "value_now", "keizer_then", "keizer_now", "points",
)  # fmt: skip
PROGRESS = ("round_number", "rank", "name", "change", "score", "points", "value")
HEAD_TO_HEAD = (
    "name", "opponent", "games", "won", "drawn", "lost", "forfeits", "points", "first_round",
    "last_round", "whites", "blacks",
)  # fmt: skip
GAMES = ("round_number", "board", "white", "black", "result")
PERFORMANCE = (
    "rank", "name", "rating", "games", "score", "opponents", "performance", "expected", "k",
    "rating_change",
)  # fmt: skip
STATISTICS = ("topic", "value", "about")
CATEGORIES = ("category", "rank", "name", "score", "points", "overall")


def crosstable(conn: sqlite3.Connection, tournament: int, number: int) -> list[Row]:
    """Every player's rounds up to a table, from its top (columns CROSSTABLE)."""
    order = "rank, player_id, played_in"
    columns = ("player_id", *CROSSTABLE)
    return of_round(conn, "crosstable", columns, tournament, number, order=order)


def card(conn: sqlite3.Connection, tournament: int, number: int, player: int) -> list[Row]:
    """A player's rounds up to a table (columns CARD)."""
    view, order = "player_card", "played_in"
    return of_round(conn, view, CARD, tournament, number, order=order, player_id=player)


def summary(conn: sqlite3.Connection, tournament: int, number: int, player: int) -> Row:
    """What heads the card of a player who is in the list."""
    (found,) = rows(
        conn.execute(
            "SELECT s.points, s.won, s.drawn, s.lost, e.rating,"
            " (SELECT performance FROM performance AS p WHERE p.tournament_id = :tournament"
            "  AND p.round_number = :number AND p.player_id = :player) AS performance"
            " FROM standings AS s JOIN x_player_tournament AS e"
            "  ON e.tournament_id = s.tournament_id AND e.player_id = s.player_id"
            " WHERE s.tournament_id = :tournament AND s.round_number = :number"
            "  AND s.player_id = :player",
            {"tournament": tournament, "number": number, "player": player},
        )
    )
    return found


def progress(
    conn: sqlite3.Connection, tournament: int, number: int, player: int | None = None
) -> list[Row]:
    """Ranks and scores round by round up to a table (columns PROGRESS), of all or of one."""
    only = "" if player is None else " AND player_id = :player"
    return rows(
        conn.execute(
            f"SELECT player_id, {', '.join(PROGRESS)} FROM progress"
            f" WHERE tournament_id = :tournament AND round_number <= :number{only}"
            " ORDER BY round_number, rank, player_id",
            {"tournament": tournament, "number": number, "player": player},
        )
    )


def head_to_head(
    conn: sqlite3.Connection,
    tournament: int,
    number: int,
    player: int,
    opponent: int | None = None,
) -> list[Row]:
    """A player's record against all he met up to a table, or one (columns HEAD_TO_HEAD)."""
    return of_round(
        conn,
        "head_to_head",
        HEAD_TO_HEAD,
        tournament,
        number,
        order="opponent COLLATE NOCASE, opponent_id",
        player_id=player,
        opponent_id=opponent,
    )


def games(
    conn: sqlite3.Connection, tournament: int, number: int, player: int, opponent: int
) -> list[Row]:
    """The games of two players that have a result, up to a round (columns GAMES)."""
    return rows(
        conn.execute(
            "SELECT g.round_number, g.board, white.name AS white, black.name AS black, g.result"
            " FROM round AS g JOIN player AS white ON white.id = g.white"
            " JOIN player AS black ON black.id = g.black"
            " WHERE g.tournament_id = :tournament AND g.round_number <= :number"
            " AND ((g.white = :player AND g.black = :opponent)"
            "  OR (g.black = :player AND g.white = :opponent))"
            " AND g.result IS NOT NULL ORDER BY g.round_number",
            {"tournament": tournament, "number": number, "player": player, "opponent": opponent},
        )
    )


def performance(conn: sqlite3.Connection, tournament: int, number: int) -> list[Row]:
    """Rating performances up to a table, from its top (columns PERFORMANCE)."""
    order = "rank, player_id"
    return of_round(conn, "performance", PERFORMANCE, tournament, number, order=order)


def statistics(conn: sqlite3.Connection, tournament: int, number: int) -> list[Row]:
    """The season up to a table in figures (columns STATISTICS)."""
    return of_round(conn, "statistics", STATISTICS, tournament, number, order="line")


def categories(conn: sqlite3.Connection, tournament: int, number: int) -> list[Row]:
    """The table of each category after a round (columns CATEGORIES)."""
    order = "category, rank"
    return of_round(conn, "category_standings", CATEGORIES, tournament, number, order=order)
