"""Reports on games, rounds and the past; and all lookups by name."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Any, NamedTuple

from keizer.errors import KeizerError
from keizer.messages import Message, say, term
from keizer.season import rules, views
from keizer.season.people import members
from keizer.season.queries import Tournament
from keizer.season.views import PLAYER, Report, Row
from keizer.store.log import history

CROSSTABLE = (
    "rank", "name", "played_in", "opponent_rank", "colour", "result", "kind", "cell",
)  # fmt: skip
CARD = (
    "played_in", "opponent", "opponent_rank", "colour", "result", "kind", "value_then",
    "value_now", "keizer_then", "keizer_now", "points",
)  # fmt: skip
PROGRESS = ("round_number", "rank", "name", "change", "score", "points", "value")
HEAD_TO_HEAD = (
    "name", "opponent", "games", "won", "drawn", "lost", "forfeits", "points",
    "first_round", "last_round", "whites", "blacks",
)  # fmt: skip
PERFORMANCE = (
    "rank", "name", "rating", "games", "score", "opponents", "performance", "expected",
    "k", "rating_change",
)  # fmt: skip
PRIZES = ("prize", "name", "about")
STATISTICS = ("topic", "value", "about")
CATEGORIES = ("category", "rank", "name", "score", "points", "overall")


_PLAYER_AND_OPPONENT = (*PLAYER, "opponent_id")
crosstable = Report(
    view="crosstable",
    ids=_PLAYER_AND_OPPONENT,
    columns=CROSSTABLE,
    order="rank, player_id, played_in",
)
card = Report(
    view="player_card", ids=_PLAYER_AND_OPPONENT, columns=CARD, order="played_in"
)
head_to_head = Report(
    view="head_to_head",
    ids=_PLAYER_AND_OPPONENT,
    columns=HEAD_TO_HEAD,
    order="opponent COLLATE NOCASE, opponent_id",
)
performance = Report(
    view="performance", ids=PLAYER, columns=PERFORMANCE, order="rank, player_id"
)
progress = Report(
    view="progress",
    ids=PLAYER,
    columns=PROGRESS,
    order="round_number, rank, player_id",
    with_earlier_rounds=True,
)
statistics = Report(
    view="statistics",
    ids=_PLAYER_AND_OPPONENT,
    columns=STATISTICS,
    order="line, about",
    all_columns=True,
)
categories = Report(
    view="category_standings", ids=PLAYER, columns=CATEGORIES, order="category, rank"
)
final = Report(
    view="final_standings",
    ids=PLAYER,
    columns=("rank", "name", "played", "score"),
    order="rank",
)
"""The list for the prizes."""
prizes = Report(
    view="prizes",
    ids=PLAYER,
    columns=PRIZES,
    order="line, prize, name",
    all_columns=True,
)
"""The prizes and their winners, by the standings after a round."""


def prize_message(row: Row) -> Message:
    """Return the name of a prize as a message: "1st", or "1st of Youth" for a category.

    row: of report `prizes`. The name of the category is not translated.
    """
    place, is_in_category, category = row["prize"].partition(" of ")
    if not is_in_category:
        return term(place)
    return say("{place} of {category}", place=term(place), category=category)


_record = Report(
    view="standings",
    ids=PLAYER,
    columns=("points", "won", "drawn", "lost", "rating"),
    order="rank",
)


def card_summary(tournament: Tournament, number: int, player: int) -> Row:
    """Return the summary above a player's card: points, results, rating, performance.

    The performance is None if the player has met no rated opponent.
    number: of a round in whose standings the player is. player: player.id.
    """
    (record,) = _record(tournament, number, player)
    rated_games = performance(tournament, number, player)
    record["performance"] = rated_games[0]["performance"] if rated_games else None
    return record


class PlayerArgument(Enum):
    """Whether a lookup can be limited to one player."""

    REQUIRED = auto()
    """A player has to be named: the rows are about this player alone."""
    OPTIONAL = auto()
    """A player may be named; without one, the rows are about all players."""
    IGNORED = auto()
    """The lookup does not depend on a player."""


class Lookup(NamedTuple):
    """A lookup: a report that programs ask for by name, as in /standings.json."""

    read: Callable[..., Any] | Report
    """A function that returns the rows for a tournament.

    Its other arguments are the round and the player, as far as the lookup takes these.
    """
    description: str
    """What a row of the lookup is, for the documentation."""
    first_round: int | None = 0
    """The first round that can be asked for: 0 for standings, 1 for boards.

    None if the lookup takes no round.
    """
    player_argument: PlayerArgument = PlayerArgument.IGNORED
    """Whether a player has to be named, may be named, or is ignored."""

    def rows(
        self, tournament: Tournament, number: int | None, player: int | None
    ) -> list[Any]:
        """Return the rows for a round and a player, as far as the lookup takes them.

        number: of the round; None if the lookup takes no round. player: player.id, or
        None; it is ignored if the lookup takes no player.
        Raises KeizerError if a player has to be named, and none is.
        """
        if player is None and self.player_argument is PlayerArgument.REQUIRED:
            raise KeizerError("“{field}” is missing.", field=term("Member"))
        arguments: list[int] = []
        if number is not None:
            arguments.append(number)
        if player is not None and self.player_argument is not PlayerArgument.IGNORED:
            arguments.append(player)
        return list(self.read(tournament, *arguments))


def last_log_entries(tournament: Tournament, last: int = 20) -> list[Row]:
    """Return the last entries of the log as rows, oldest first.

    A row has `when`, `who`, `what` (what the command did) and `changes` (a list with a
    text for each row of the file that changed). All texts are in English.
    last: how many entries.
    """
    conn = tournament.conn
    entries = history.entries(conn, after=history.start_of_last_entries(conn, last))
    rows = []
    for entry in entries:
        row = entry._asdict()
        # str() of a message is its text in English. `what` is None if another program
        # made the change.
        row["what"] = entry.what and str(entry.what)
        row["changes"] = [str(change) for change in entry.changes]
        rows.append(row)
    return rows


LOOKUPS = {
    "players": Lookup(
        members.list_members,
        "a member; the director sees all details, with ?all=1 everybody",
        first_round=None,
    ),
    "standings": Lookup(views.standings, "a player after a round"),
    "pairings": Lookup(views.pairings, "a board of a round, or the bye", first_round=1),
    "explain": Lookup(
        views.explanation,
        "a line of a player's score",
        player_argument=PlayerArgument.REQUIRED,
    ),
    "order": Lookup(
        views.order,
        "why a player is below the one above",
        player_argument=PlayerArgument.OPTIONAL,
    ),
    "card": Lookup(
        card, "a round of a player", player_argument=PlayerArgument.REQUIRED
    ),
    "rounds": Lookup(
        views.list_rounds, "a round that was paired or has a date", first_round=None
    ),
    "crosstable": Lookup(
        crosstable, "a round of a player", player_argument=PlayerArgument.OPTIONAL
    ),
    "progress": Lookup(
        progress, "a player after each round", player_argument=PlayerArgument.OPTIONAL
    ),
    "head-to-head": Lookup(
        head_to_head,
        "a player and an opponent",
        player_argument=PlayerArgument.OPTIONAL,
    ),
    "performance": Lookup(
        performance, "a player's performance", player_argument=PlayerArgument.OPTIONAL
    ),
    "statistics": Lookup(statistics, "a line of statistics"),
    "categories": Lookup(categories, "a player within a category"),
    "prizes": Lookup(prizes, "a prize, and who has won it"),
    "reasons": Lookup(views.pairing_reasons, "a reason for a board", first_round=1),
    "presence": Lookup(
        views.presence, "a member and the coming round", first_round=None
    ),
    "rules": Lookup(
        lambda tournament: [rule._asdict() for rule in rules.list_rules(tournament)],
        "a rule",
        first_round=None,
    ),
    "log": Lookup(
        last_log_entries, "a command, or what another program changed", first_round=None
    ),
}
"""The lookups by name: /standings.json of `keizer serve`, and `keizer.Season.read`."""
