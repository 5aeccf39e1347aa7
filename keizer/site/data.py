"""What the site shows: the views of one tournament, a query each, drafts left out."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from keizer.season import names, reports, tournaments, views
from keizer.season.views import Row, rows
from keizer.site import decided
from keizer.site.decided import Page


@dataclass
class Season:
    """All that the pages are made of. A round that is a draft is not in it."""

    tournament: Row
    page: Page
    """What the club decided on its page."""
    shown: frozenset[str]
    """The columns of the standings that are shown, beside rank, name and score."""
    values: bool
    """Whether values count: not in a Swiss."""
    players: dict[int, Row]
    """Everybody entered, by id."""
    current: int
    """The table after this round is the one to look at; 0: the start order."""
    rounds: dict[int, Row]
    """Those published, by number: view rounds, and its boards and who did not play."""
    coming: list[Row]
    """Rounds that are planned, with their dates."""
    tables: dict[int, list[Row]]
    """View standings, by round."""
    tiebreaks: list[Row]
    """Those in use that are no column of the table already: name and title."""
    cycles: dict[int, int]
    """Tables whose values have not settled: how many they go round in; 0: it was given up."""
    crosstable: dict[int, list[Row]]
    """Views of the current table, by player."""
    cards: dict[int, list[Row]]
    explanations: dict[int, list[Row]]
    progress: dict[int, list[Row]]
    met: dict[int, list[Row]]
    performances: dict[int, Row]
    statistics: list[Row]
    categories: dict[str, list[Row]]

    @property
    def title(self) -> str:
        """What stands above the page."""
        return self.page.title or str(self.tournament["description"])

    @property
    def last(self) -> int:
        """The last round published; 0 before the first."""
        return max(self.rounds, default=0)

    def open_boards(self, number: int) -> dict[int, list[int]]:
        """The boards that a table lacks, by round, the last one first."""
        found = {
            past: [game["board"] for game in self.rounds[past]["games"] if game["result"] is None]
            for past in sorted(self.rounds, reverse=True)
            if past <= number
        }
        return {past: boards for past, boards in found.items() if boards}


def read(conn: sqlite3.Connection, tournament: int, page: Page | None = None) -> Season:
    """Everything the site shows of a tournament; page: by default what the file has."""
    page = page or decided.page(conn, tournament)
    (facts,) = rows(conn.execute("SELECT * FROM tournament WHERE id = ?", (tournament,)))
    rounds, coming = _rounds(conn, tournament)
    current = min(tournaments.current_round(conn, tournament), max(rounds, default=0))
    titles = dict(conn.execute("SELECT name, title FROM tiebreak").fetchall())
    told = views.telling(conn, tournament)
    cycles = "SELECT round_number, cycle FROM settling WHERE tournament_id = ? AND cycle <> 1"

    def lines(view: str, order: str) -> list[Row]:
        return views.Report(view, (), ("*",), order)(conn, tournament, current)

    score_lines = lines(
        "explanation", "player_id, kind = 'limit', played_in NULLS FIRST, kind DESC"
    )
    met = lines("head_to_head", "player_id, opponent COLLATE NOCASE, opponent_id")
    return Season(
        tournament=facts,
        page=page,
        shown=page.shown,
        values=views.has_values(conn, tournament),
        players=_players(conn, tournament),
        current=current,
        rounds=rounds,
        coming=coming,
        tables={number: views.standings(conn, tournament, number) for number in range(current + 1)},
        tiebreaks=[{"name": name, "title": titles[name]} for name in told],
        cycles=dict(conn.execute(cycles, (tournament,)).fetchall()),
        crosstable=_grouped(lines("crosstable", "rank, player_id, played_in"), "player_id"),
        cards=_grouped(lines("player_card", "player_id, played_in"), "player_id"),
        explanations=_grouped(score_lines, "player_id"),
        progress=_grouped(reports.progress(conn, tournament, current), "player_id"),
        met=_grouped(met, "player_id"),
        performances={row["player_id"]: row for row in lines("performance", "player_id")},
        statistics=reports.statistics(conn, tournament, current),
        categories=_grouped(lines("category_standings", "category, rank"), "category"),
    )


def _players(conn: sqlite3.Connection, tournament: int) -> dict[int, Row]:
    entered = conn.execute(
        "SELECT player.*, e.rating AS start_rating, e.status, e.first_round"
        " FROM x_player_tournament AS e JOIN player ON player.id = e.player_id"
        " WHERE e.tournament_id = ? ORDER BY player.id",
        (tournament,),
    )
    return {row["id"]: row for row in rows(entered)}


def _rounds(conn: sqlite3.Connection, tournament: int) -> tuple[dict[int, Row], list[Row]]:
    """Those published, by number, and those that are planned."""
    paired = conn.execute(
        "SELECT p.round_number, p.board, p.white, p.black, p.result,"
        " g.white AS white_id, g.black AS black_id"
        " FROM pairings AS p JOIN round AS g ON g.tournament_id = p.tournament_id"
        "  AND g.round_number = p.round_number AND g.board = p.board"
        " WHERE p.tournament_id = ? ORDER BY p.round_number, p.board",
        (tournament,),
    )
    unpaired = conn.execute(
        "SELECT u.round_number, u.player_id, player.name, u.kind"
        " FROM player_round AS u JOIN player ON player.id = u.player_id"
        " WHERE u.tournament_id = ? AND u.colour IS NULL",
        (tournament,),
    )
    games = _grouped(rows(paired), "round_number")
    missing = _grouped(rows(unpaired), "round_number")
    published: dict[int, Row] = {}
    coming = []
    for row in views.scheduled(conn, tournament):
        number = row["round_number"]
        if row["state"] in ("published", "complete"):
            without = sorted(missing.get(number, []), key=by_name)
            row["games"] = games.get(number, [])
            row["byes"] = [player for player in without if player["kind"] == "bye"]
            row["absent"] = [player for player in without if player["kind"] != "bye"]
            published[number] = row
        else:
            coming.append(row)
    return published, coming


def by_name(row: Row) -> tuple[str, int]:
    """Orders players as an index does: accents and capitals do not matter."""
    return names.folded(row["name"]), row.get("player_id") or row["id"]


def _grouped(found: Iterable[Row], column: str) -> dict[Any, list[Row]]:
    """Rows by what they have in a column."""
    groups: dict[Any, list[Row]] = {}
    for row in found:
        groups.setdefault(row[column], []).append(row)
    return groups
