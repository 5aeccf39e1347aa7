"""What the site shows: the views of one tournament, read as pages ask, drafts left out."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from keizer import beside
from keizer.season import names, questions, reports, views
from keizer.season.queries import Tournament
from keizer.season.views import Row
from keizer.site import decided
from keizer.site.decided import Page


def _by_player(
    view: str, order: str, *, past: bool = False
) -> cached_property[dict[int, list[Row]]]:
    """A part of a `Season`: the rows of a view, by player; past: as of `views.Report`."""
    read = views.Report(view, (), ("*",), order, past)
    return cached_property(lambda season: season.by_player(read))


class Season:
    """What the pages are made of, read when it is asked for. A round that is a draft is not in it.

    page: by default what the file has. only: of what there is by player, that one's. number:
    all as it is after this round, by default the last that is published and has a result.
    """

    def __init__(
        self,
        tournament: Tournament,
        page: Page | None = None,
        *,
        only: int | None = None,
        number: int | None = None,
    ) -> None:
        self._of, self._only, self._number = tournament, only, number
        self._tables: dict[int, list[Row]] = {}
        self.page = page or decided.page(tournament)
        """What the club decided on its page."""
        self.shown = self.page.shown
        """The columns of the standings that are shown, beside rank, name and score."""

    def load(self) -> "Season":
        """Read all there is, so that the file can be let go."""
        for name, value in vars(type(self)).items():
            if isinstance(value, cached_property):
                getattr(self, name)
        for number in self.numbers:
            self.table(number)
        return self

    @cached_property
    def tournament(self) -> Row:
        """Its row."""
        return self._of.records("SELECT * FROM tournament WHERE id = ?", self._of.id)[0]

    @property
    def title(self) -> str:
        """What stands above the page."""
        return self.page.title or str(self.tournament["description"])

    @cached_property
    def values(self) -> bool:
        """Whether values count: not in a Swiss."""
        return views.has_values(self._of)

    @cached_property
    def players(self) -> dict[int, Row]:
        """Everybody entered, by id."""
        entered = self._of.records(
            "SELECT player.*, e.rating AS start_rating, e.status, e.first_round"
            " FROM x_player_tournament AS e JOIN player ON player.id = e.player_id"
            " WHERE e.tournament_id = ? ORDER BY player.id", self._of.id,
        )  # fmt: skip
        return {row["id"]: row for row in entered}

    @cached_property
    def current(self) -> int:
        """The table after this round is the one to look at; 0: the start order."""
        if self._number is not None:
            return self._number
        return min(self._of.now.current_round, self.last)

    @cached_property
    def rounds(self) -> dict[int, Row]:
        """Those published, by number: view rounds, and its boards and who did not play."""
        return _published(self._of)

    @cached_property
    def coming(self) -> list[Row]:
        """Rounds that are planned, with their dates."""
        return [row for row in views.scheduled(self._of) if row["state"] not in _PUBLISHED]

    @cached_property
    def calendar(self) -> list[Row]:
        """Every round with a date, rows of calendar.toml."""
        return self._of.records(beside.table(__file__, "calendar.toml")["query"], self._of.id)

    @property
    def last(self) -> int:
        """The last round published; 0 before the first."""
        return max(self.rounds, default=0)

    @property
    def numbers(self) -> range:
        """Of the standings: 0 is the start order."""
        return range(self.current + 1)

    def table(self, number: int) -> list[Row]:
        """View standings after a round; KeyError where it is not among them."""
        if number not in self.numbers:
            raise KeyError(number)
        if number not in self._tables:
            self._tables[number] = views.standings(self._of, number)
        return self._tables[number]

    @cached_property
    def rules(self) -> questions.Asked:
        """Its rules, in the club's words."""
        return questions.Asked(self._of)

    @cached_property
    def tiebreaks(self) -> list[Row]:
        """Those in use that are no column of the table already: name and title."""
        titles = dict(self._of.conn.execute("SELECT name, title FROM tiebreak").fetchall())
        told = views.telling(self._of)
        return [{"name": name, "title": titles[name]} for name in told]

    @cached_property
    def cycles(self) -> dict[int, int]:
        """Tables that are not settled, by number: how many go round in a cycle; 0: given up."""
        cycles = "SELECT round_number, cycle FROM settling WHERE tournament_id = ? AND cycle <> 1"
        return dict(self._of.conn.execute(cycles, (self._of.id,)).fetchall())

    def by_player(self, read: views.Report) -> dict[int, list[Row]]:
        """The rows of a report, of the current table, by player."""
        return _grouped(read(self._of, self.current, self._only), "player_id")

    crosstable = _by_player("crosstable", "rank, player_id, played_in")
    cards = _by_player("player_card", "player_id, played_in")
    explanations = _by_player(
        "explanation", "player_id, kind = 'limit', played_in NULLS FIRST, kind DESC"
    )
    above = _by_player("order_reasons", "rank")
    met = _by_player("head_to_head", "player_id, opponent COLLATE NOCASE, opponent_id")
    performances = _by_player("performance", "player_id")
    progress = _by_player("progress", "round_number, rank, player_id", past=True)

    @cached_property
    def statistics(self) -> list[Row]:
        """View statistics."""
        return reports.statistics(self._of, self.current)

    @cached_property
    def prizes(self) -> list[Row]:
        """View prizes: as they stand, or, once the season is finished, who has won them."""
        return reports.prizes(self._of, self.current)

    @cached_property
    def categories(self) -> dict[str, list[Row]]:
        """View category_standings, by category."""
        found = views.Report("category_standings", (), ("*",), "category, rank")
        return _grouped(found(self._of, self.current), "category")

    def open_boards(self, number: int) -> dict[int, list[int]]:
        """The boards that a table lacks, by round, the last one first."""
        found = {
            past: [game["board"] for game in self.rounds[past]["games"] if game["result"] is None]
            for past in sorted(self.rounds, reverse=True)
            if past <= number
        }
        return {past: boards for past, boards in found.items() if boards}


_PUBLISHED = ("published", "complete")
"""The states of rounds that members see."""


def _published(tournament: Tournament) -> dict[int, Row]:
    """The rounds that are published, by number."""
    paired = tournament.records(
        "SELECT round_number, board, white, black, result, date, white_id, black_id FROM pairings"
        " WHERE tournament_id = ? AND board IS NOT NULL ORDER BY round_number, board",
        tournament.id,
    )
    unpaired = tournament.records(
        "SELECT u.round_number, u.player_id, player.name, u.kind"
        " FROM player_round AS u JOIN player ON player.id = u.player_id"
        " WHERE u.tournament_id = ? AND u.colour IS NULL",
        tournament.id,
    )
    games, missing = _grouped(paired, "round_number"), _grouped(unpaired, "round_number")
    there = [row for row in views.scheduled(tournament) if row["state"] in _PUBLISHED]
    for row in there:
        without = sorted(missing.get(row["round_number"], []), key=by_name)
        row["games"] = games.get(row["round_number"], [])
        row["byes"] = [player for player in without if player["kind"] == "bye"]
        row["absent"] = [player for player in without if player["kind"] != "bye"]
    return {row["round_number"]: row for row in there}


def by_name(row: Row) -> tuple[str, int]:
    """Orders players as an index does: accents and capitals do not matter."""
    return names.folded(row["name"]), row.get("player_id") or row["id"]


def _grouped(found: Iterable[Row], column: str) -> dict[Any, list[Row]]:
    """Rows by what they have in a column."""
    groups: dict[Any, list[Row]] = {}
    for row in found:
        groups.setdefault(row[column], []).append(row)
    return groups
