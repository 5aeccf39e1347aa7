"""What the site shows: the views of one tournament, a query each, drafts left out."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from keizer.season import names, reports, tournaments, views
from keizer.season.views import Row, rows


@dataclass
class Season:
    """All that the pages are made of. A round that is a draft is not in it."""

    tournament: Row
    values: bool
    """Whether values count: not in a Swiss."""
    players: dict[int, Row]
    """Everybody entered, by id."""
    current: int
    """The table after this round is the one to look at; 0: the start order."""
    rounds: dict[int, Row] = field(default_factory=dict)
    """Those published, by number: view rounds, and its boards and who did not play."""
    coming: list[Row] = field(default_factory=list)
    """Rounds that are planned, with their dates."""
    tables: dict[int, list[Row]] = field(default_factory=dict)
    """View standings, by round."""
    tiebreaks: list[Row] = field(default_factory=list)
    """Those in use that are no column of the table already: name and title."""
    cycles: dict[int, int] = field(default_factory=dict)
    """Tables whose values have not settled: how many they go round in; 0: it was given up."""
    crosstable: dict[int, list[Row]] = field(default_factory=dict)
    """Views of the current table, by player."""
    cards: dict[int, list[Row]] = field(default_factory=dict)
    explanations: dict[int, list[Row]] = field(default_factory=dict)
    progress: dict[int, list[Row]] = field(default_factory=dict)
    met: dict[int, list[Row]] = field(default_factory=dict)
    performances: dict[int, Row] = field(default_factory=dict)
    statistics: list[Row] = field(default_factory=list)
    categories: dict[str, list[Row]] = field(default_factory=dict)

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


def read(conn: sqlite3.Connection, tournament: int) -> Season:
    """Everything the site shows of a tournament."""
    (facts,) = rows(conn.execute("SELECT * FROM tournament WHERE id = ?", (tournament,)))
    found = Season(
        facts,
        views.has_values(conn, tournament),
        _players(conn, tournament),
        tournaments.current_round(conn, tournament),
    )
    _rounds(conn, tournament, found)
    found.current = min(found.current, found.last)
    found.tables = {
        number: views.standings(conn, tournament, number) for number in range(found.current + 1)
    }
    told = views.telling(conn, tournament)
    titles = dict(conn.execute("SELECT name, title FROM tiebreak").fetchall())
    found.tiebreaks = [{"name": name, "title": titles[name]} for name in told]
    cycles = "SELECT round_number, cycle FROM settling WHERE tournament_id = ? AND cycle <> 1"
    found.cycles = dict(conn.execute(cycles, (tournament,)).fetchall())
    _reports(conn, tournament, found)
    return found


def _players(conn: sqlite3.Connection, tournament: int) -> dict[int, Row]:
    entered = conn.execute(
        "SELECT player.*, e.rating AS start_rating, e.status, e.first_round"
        " FROM x_player_tournament AS e JOIN player ON player.id = e.player_id"
        " WHERE e.tournament_id = ? ORDER BY player.id",
        (tournament,),
    )
    return {row["id"]: row for row in rows(entered)}


def _rounds(conn: sqlite3.Connection, tournament: int, found: Season) -> None:
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
    games, missing = (
        _grouped(rows(paired), "round_number"),
        _grouped(rows(unpaired), "round_number"),
    )
    for row in views.scheduled(conn, tournament):
        number = row["round_number"]
        if row["state"] in ("published", "complete"):
            without = sorted(missing.get(number, []), key=by_name)
            row["games"] = games.get(number, [])
            row["byes"] = [it for it in without if it["kind"] == "bye"]
            row["absent"] = [it for it in without if it["kind"] != "bye"]
            found.rounds[number] = row
        else:
            found.coming.append(row)


def by_name(row: Row) -> tuple[str, int]:
    """Orders players as an index does: accents and capitals do not matter."""
    return names.folded(row["name"]), row.get("player_id") or row["id"]


def _reports(conn: sqlite3.Connection, tournament: int, found: Season) -> None:
    number = found.current

    def lines(view: str, order: str) -> list[Row]:
        return views.of_round(conn, view, ("*",), tournament, number, order=order)

    found.crosstable = _grouped(lines("crosstable", "rank, player_id, played_in"), "player_id")
    found.cards = _grouped(lines("player_card", "player_id, played_in"), "player_id")
    order = "player_id, kind = 'limit', played_in NULLS FIRST, kind DESC"
    found.explanations = _grouped(lines("explanation", order), "player_id")
    order = "player_id, opponent COLLATE NOCASE, opponent_id"
    found.met = _grouped(lines("head_to_head", order), "player_id")
    found.performances = {row["player_id"]: row for row in lines("performance", "player_id")}
    found.progress = _grouped(reports.progress(conn, tournament, number), "player_id")
    found.statistics = reports.statistics(conn, tournament, number)
    found.categories = _grouped(lines("category_standings", "category, rank"), "category")


def _grouped(found: Iterable[Row], column: str) -> dict[Any, list[Row]]:
    """Rows by what they have in a column."""
    groups: dict[Any, list[Row]] = {}
    for row in found:
        groups.setdefault(row[column], []).append(row)
    return groups
