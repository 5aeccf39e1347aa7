"""What the site shows: the views of one tournament, read as pages ask, drafts left out."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from keizer import resources
from keizer.season import lookups, views
from keizer.season.names import spelling
from keizer.season.queries import Tournament
from keizer.season.rules import RulePage
from keizer.season.views import Row
from keizer.web.site import decided
from keizer.web.site.decided import Page


def _by_player(
    view: str, order: str, *, with_earlier_rounds: bool = False
) -> cached_property[dict[int, list[Row]]]:
    """A part of a `PublishedSeason`: the rows of a view, by player.

    with_earlier_rounds: as of `views.Report`.
    """
    read = views.Report(view, (), (), order, with_earlier_rounds, all_columns=True)
    return cached_property(lambda season: season.by_player(read))


class PublishedSeason:
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

    def load(self) -> "PublishedSeason":
        """Read all there is, so that the file can be let go."""
        for part in (self, *self.rounds.values()):
            for name, value in vars(type(part)).items():
                if isinstance(value, cached_property):
                    getattr(part, name)
        for number in self.numbers:
            self.table(number)
        return self

    @cached_property
    def tournament(self) -> Row:
        """Its row."""
        return self.read("tournament")[0]

    @property
    def title(self) -> str:
        """What stands above the page."""
        return self.page.title or str(self.tournament["description"])

    @cached_property
    def values(self) -> bool:
        """Whether values count: not in a Swiss."""
        return views.values_bring_points(self._of)

    @cached_property
    def players(self) -> dict[int, Row]:
        """Everybody entered, by id."""
        return {row["id"]: row for row in self.read("players")}

    @cached_property
    def current(self) -> int:
        """The table after this round is the one to look at; 0: the start order."""
        if self._number is not None:
            return self._number
        return min(self._of.now.current_round, self.last)

    @cached_property
    def rounds(self) -> dict[int, "Round"]:
        """Those published, by number."""
        there = [row for row in self._scheduled if row["state"] in _PUBLISHED]
        return {row["round_number"]: Round(row, self) for row in there}

    @property
    def coming(self) -> list[Row]:
        """Rounds that are planned, with their dates."""
        return [row for row in self._scheduled if row["state"] not in _PUBLISHED]

    @cached_property
    def _scheduled(self) -> list[Row]:
        return views.list_rounds(self._of)

    @cached_property
    def moved(self) -> dict[int, list[Row]]:
        """Games on another day than their round, by its number."""
        return _grouped(self.read("moved"), "round_number")

    @cached_property
    def calendar(self) -> list[Row]:
        """Every round with a date, and what calendars tell it by."""
        return self.read("calendar")

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
    def rules(self) -> RulePage:
        """Its rules, in the club's words."""
        return RulePage(self._of)

    @cached_property
    def tiebreaks(self) -> list[Row]:
        """Those in use that are no column of the table already: name and title."""
        titles = {row["name"]: row for row in self.read("tiebreaks")}
        return [titles[name] for name in views.extra_tiebreaks(self._of)]

    @cached_property
    def cycles(self) -> dict[int, int]:
        """Tables that are not settled, by number: how many go round in a cycle; 0: given up."""
        return {row["round_number"]: row["cycle"] for row in self.read("cycles")}

    def read(self, query: str, **more: object) -> list[Row]:
        """The rows of a statement of queries.sql; more: its parameters beside :tournament."""
        statement = resources.queries(__file__)[query]
        return views.rows(
            self._of.conn.execute(statement, {"tournament": self._of.id} | more)
        )

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
    progress = _by_player(
        "progress", "round_number, rank, player_id", with_earlier_rounds=True
    )

    @cached_property
    def statistics(self) -> dict[str, list[Row]]:
        """View statistics, by topic; of a record, a row for each who shares it."""
        return _grouped(lookups.statistics(self._of, self.current), "topic")

    @cached_property
    def prizes(self) -> list[Row]:
        """View prizes: as they stand, or, once the season is finished, who has won them."""
        return lookups.prizes(self._of, self.current)

    @cached_property
    def categories(self) -> dict[str, list[Row]]:
        """View category_standings, by category."""
        found = views.Report(
            "category_standings", (), (), "category, rank", all_columns=True
        )
        return _grouped(found(self._of, self.current), "category")

    def open_boards(self, number: int) -> dict[int, list[int]]:
        """The boards that a table lacks, by round, the last one first."""
        return {past: boards for past, boards in self._open.items() if past <= number}

    @cached_property
    def _open(self) -> dict[int, list[int]]:
        return views.open_boards(self._of, self.last)


class Round(Row):
    """A round of a season, as view rounds has it; its boards, byes and absences when asked for."""

    def __init__(self, row: Row, season: PublishedSeason) -> None:
        super().__init__(row)
        self._season = season

    @cached_property
    def games(self) -> list[Row]:
        """Its boards."""
        return self._season.read("games", round=self["round_number"])

    @cached_property
    def _without(self) -> list[Row]:
        found = self._season.read("without_game", round=self["round_number"])
        return sorted(found, key=_by_name)

    @property
    def byes(self) -> list[Row]:
        """Who has one, by name."""
        return [one for one in self._without if one["kind"] == "bye"]

    @property
    def absent(self) -> list[Row]:
        """Who has no game for another reason, by name."""
        return [one for one in self._without if one["kind"] != "bye"]


_PUBLISHED = ("published", "complete")
"""The states of rounds that members see."""


def _by_name(row: Row) -> tuple[str, int]:
    """Orders players as an index does: accents and capitals do not matter."""
    return spelling.fold(row["name"]), row["player_id"]


def _grouped(found: Iterable[Row], column: str) -> dict[Any, list[Row]]:
    """Rows by what they have in a column."""
    groups: dict[Any, list[Row]] = {}
    for row in found:
        groups.setdefault(row[column], []).append(row)
    return groups
