"""What members look up beside the standings, also past ones: views on games and rounds."""

from keizer.season.queries import Tournament
from keizer.season.views import PLAYER, TOLD, Report, Row, rows

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
PERFORMANCE = (
    "rank", "name", "rating", "games", "score", "opponents", "performance", "expected", "k",
    "rating_change",
)  # fmt: skip
PRIZES = ("prize", "name", "about")
STATISTICS = ("topic", "value", "about")
CATEGORIES = ("category", "rank", "name", "score", "points", "overall")


_TWO = (*PLAYER, "opponent_id")
crosstable = Report("crosstable", _TWO, CROSSTABLE, "rank, player_id, played_in")
card = Report("player_card", _TWO, CARD, "played_in")
head_to_head = Report("head_to_head", _TWO, HEAD_TO_HEAD, "opponent COLLATE NOCASE, opponent_id")
performance = Report("performance", PLAYER, PERFORMANCE, "rank, player_id")
statistics = Report("statistics", TOLD, STATISTICS, "line")
categories = Report("category_standings", PLAYER, CATEGORIES, "category, rank")
final = Report("final_standings", PLAYER, ("rank", "name", "played", "score"), "rank")
"""The list for the prizes."""
prizes = Report("prizes", (*PLAYER, *TOLD), PRIZES, "line, prize, name")
"""Who has won what in the standings after a round."""
_record = Report("standings", PLAYER, ("points", "won", "drawn", "lost", "rating"), "rank")


def summary(tournament: Tournament, number: int, player: int) -> Row:
    """What heads the card of a player who is in the list."""
    (found,) = _record(tournament, number, player)
    rated = performance(tournament, number, player)
    return found | {"performance": rated[0]["performance"] if rated else None}


def progress(tournament: Tournament, number: int, player: int | None = None) -> list[Row]:
    """Ranks and scores round by round up to this one (columns PROGRESS), of all or of one."""
    only = "" if player is None else " AND player_id = :player"
    found = tournament.conn.execute(
        f"SELECT tournament_id, player_id, {', '.join(PROGRESS)} FROM progress"
        f" WHERE tournament_id = :tournament AND round_number <= :number{only}"
        " ORDER BY round_number, rank, player_id",
        {"tournament": tournament.id, "number": number, "player": player},
    )
    return rows(found)
