"""What members look up beside the standings, also past ones: views on games and rounds."""

from collections.abc import Callable
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Message, say, term
from keizer.season import rules, views
from keizer.season.people import members
from keizer.season.queries import Tournament
from keizer.season.views import PLAYER, Report, Row
from keizer.store.log import history

CROSSTABLE = (
    "rank",
    "name",
    "played_in",
    "opponent_rank",
    "colour",
    "result",
    "kind",
    "cell",
)
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
head_to_head = Report(
    "head_to_head", _TWO, HEAD_TO_HEAD, "opponent COLLATE NOCASE, opponent_id"
)
performance = Report("performance", PLAYER, PERFORMANCE, "rank, player_id")
progress = Report(
    "progress", PLAYER, PROGRESS, "round_number, rank, player_id", past=True
)
statistics = Report("statistics", _TWO, STATISTICS, "line, about", whole=True)
categories = Report("category_standings", PLAYER, CATEGORIES, "category, rank")
final = Report("final_standings", PLAYER, ("rank", "name", "played", "score"), "rank")
"""The list for the prizes."""
prizes = Report("prizes", PLAYER, PRIZES, "line, prize, name", whole=True)
"""Who has won what in the standings after a round."""


def prize(row: Row) -> Message:
    """What somebody has won: the 1st prize, or that of a category."""
    place, of, category = row["prize"].partition(" of ")
    return (
        say("{place} of {category}", place=term(place), category=category)
        if of
        else term(place)
    )


_record = Report(
    "standings", PLAYER, ("points", "won", "drawn", "lost", "rating"), "rank"
)


def summary(tournament: Tournament, number: int, player: int) -> Row:
    """What heads the card of a player who is in the list."""
    (found,) = _record(tournament, number, player)
    rated = performance(tournament, number, player)
    return found | {"performance": rated[0]["performance"] if rated else None}


class Lookup(NamedTuple):
    """Rows that can be asked for by name. about: what a row is.

    first: the first round that there can be, 0 of standings and 1 of boards; None: no round.
    of: whether it can be asked for one player, or, True, has to be.
    """

    read: Callable[..., Any] | Report
    about: str
    first: int | None = 0
    of: bool | None = None

    def rows(
        self, tournament: Tournament, number: int | None, player: int | None
    ) -> list[Any]:
        """Read them, after a round (or of one), of a player. Raises KeizerError without one."""
        asked: list[int] = [] if number is None else [number]
        if player is None and self.of:
            raise KeizerError("“{field}” is missing.", field=term("Member"))
        if player is not None and self.of is not None:
            asked.append(player)
        return [*self.read(tournament, *asked)]


def log(tournament: Tournament, last: int = 20) -> list[Row]:
    """What was done last: when (UTC), who, what (English), and each row that changed."""
    conn = tournament.conn
    return [
        entry._asdict()
        | {
            "what": entry.what and str(entry.what),
            "changes": [*map(str, entry.changes)],
        }
        for entry in history.entries(conn, after=history.last(conn, last))
    ]


LOOKUPS = {
    "players": Lookup(
        members.listed,
        "a member; the director sees all details, with ?all=1 everybody",
        None,
    ),
    "standings": Lookup(views.standings, "a player after a round"),
    "pairings": Lookup(views.pairings, "a board of a round, or the bye", 1),
    "explain": Lookup(views.explanation, "a line of a player's score", of=True),
    "order": Lookup(views.order, "why a player is below the one above", of=False),
    "card": Lookup(card, "a round of a player", of=True),
    "rounds": Lookup(views.scheduled, "a round that was paired or has a date", None),
    "crosstable": Lookup(crosstable, "a round of a player", of=False),
    "progress": Lookup(progress, "a player after each round", of=False),
    "head-to-head": Lookup(head_to_head, "a player and an opponent", of=False),
    "performance": Lookup(performance, "a player's performance", of=False),
    "statistics": Lookup(statistics, "a line of statistics"),
    "categories": Lookup(categories, "a player within a category"),
    "prizes": Lookup(prizes, "a prize, and who has won it"),
    "reasons": Lookup(views.pairing_reasons, "a reason for a board", 1),
    "presence": Lookup(views.presence, "a member and the coming round", None),
    "rules": Lookup(
        lambda of: [rule._asdict() for rule in rules.listed(of)], "a rule", None
    ),
    "log": Lookup(log, "a command, or what another program changed", None),
}
"""By name, for programs: of `keizer serve` as in /standings.json, and of `keizer.Season.read`."""
