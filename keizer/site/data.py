"""What the site shows: the views of one tournament, read as pages ask, drafts left out."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from keizer import beside
from keizer.season import names, reports, views
from keizer.season.queries import Tournament
from keizer.season.rules import Asked
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
        return self._read("tournament")[0]

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
        return {row["id"]: row for row in self._read("players")}

    @cached_property
    def current(self) -> int:
        """The table after this round is the one to look at; 0: the start order."""
        if self._number is not None:
            return self._number
        return min(self._of.now.current_round, self.last)

    @cached_property
    def rounds(self) -> dict[int, Row]:
        """Those published, by number: view rounds, and its boards and who did not play."""
        games = _grouped(self._read("games"), "round_number")
        missing = sorted(self._read("without_game"), key=_by_name)
        there = [row for row in views.scheduled(self._of) if row["state"] in _PUBLISHED]
        for row in there:
            without = [one for one in missing if one["round_number"] == row["round_number"]]
            row["games"] = games.get(row["round_number"], [])
            row["byes"] = [one for one in without if one["kind"] == "bye"]
            row["absent"] = [one for one in without if one["kind"] != "bye"]
        return {row["round_number"]: row for row in there}

    @cached_property
    def coming(self) -> list[Row]:
        """Rounds that are planned, with their dates."""
        return [row for row in views.scheduled(self._of) if row["state"] not in _PUBLISHED]

    @cached_property
    def calendar(self) -> list[Row]:
        """Every round with a date, and what calendars tell it by."""
        return self._read("calendar")

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
    def rules(self) -> Asked:
        """Its rules, in the club's words."""
        return Asked(self._of)

    @cached_property
    def tiebreaks(self) -> list[Row]:
        """Those in use that are no column of the table already: name and title."""
        titles = {row["name"]: row for row in self._read("tiebreaks")}
        return [titles[name] for name in views.telling(self._of)]

    @cached_property
    def cycles(self) -> dict[int, int]:
        """Tables that are not settled, by number: how many go round in a cycle; 0: given up."""
        return {row["round_number"]: row["cycle"] for row in self._read("cycles")}

    def _read(self, query: str) -> list[Row]:
        """The rows of a statement of queries.sql."""
        statement = beside.queries(__file__)[query]
        return views.rows(self._of.conn.execute(statement, {"tournament": self._of.id}))

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


def _by_name(row: Row) -> tuple[str, int]:
    """Orders players as an index does: accents and capitals do not matter."""
    return names.folded(row["name"]), row["player_id"]


def _grouped(found: Iterable[Row], column: str) -> dict[Any, list[Row]]:
    """Rows by what they have in a column."""
    groups: dict[Any, list[Row]] = {}
    for row in found:
        groups.setdefault(row[column], []).append(row)
    return groups
