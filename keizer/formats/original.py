"""A season of the original SQLite Keizer project: its keizer.db.

Tables player, tournament, x_player_tournament, round and ranking, where a
player is his rowid and ranking.score is the value in force in a round. What it
scored wrong (docs/formats.md) is scored right here.
"""

import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.formats import facts, limits
from keizer.season import names, presets, roster, rules
from keizer.season.tournaments import suspended

TABLES: facts.Columns = {
    "player": {"name", "category", "rating"},
    "tournament": {"description", "status"},
    "x_player_tournament": {"player_id", "tournament_id", "score", "status"},
    "round": {"round_number", "tournament_id", "white", "black", "result", "last_updated"},
    "ranking": {"tournament_id", "player_id", "round_number", "score"},
}


_OF = "CAST(tournament_id AS INTEGER) = ?1"


class _File(NamedTuple):
    """What the file says of one of its tournaments."""

    players: list[sqlite3.Row]
    games: list[sqlite3.Row]
    values: dict[int, dict[int, float]]
    """By round, then by player."""

    def name(self, player: int) -> str:
        """Of a player who is there."""
        return next(str(row["name"]) for row in self.players if row["id"] == player)


def season(
    conn: sqlite3.Connection, tournament: int, path: Path, tell: facts.Tell = facts.silent
) -> int:
    """Read the tournament of that name, or the only one, into an empty tournament.

    How many players. tell: takes a sentence for each thing that is not as it was.
    """
    wanted = conn.execute("SELECT description FROM tournament WHERE id = ?", (tournament,))
    file = _read(path, str(wanted.fetchone()[0]))
    with suspended(conn, tournament):
        presets.apply(conn, tournament, "keizer")
        for setting in _settings(file, tell):
            rules.change(conn, tournament, setting)
        ids = _enter(conn, tournament, file)
        for row in file.games:
            _write(conn, tournament, file, ids, row, tell)
    _compare(conn, tournament, file, ids, tell)
    return len(ids)


def _read(path: Path, wanted: str) -> _File:
    with facts.opened(path) as theirs:
        if not facts.has(facts.columns(theirs), TABLES):
            raise KeizerError(f"{path} is no keizer.db of the original SQLite Keizer project.")
        chosen = _chosen(theirs, path, wanted)
        values: dict[int, dict[int, float]] = {}
        for number, player, value in theirs.execute(
            f"SELECT CAST(round_number AS INTEGER), {_whole('player_id')}, CAST(score AS REAL)"
            f" FROM ranking WHERE {_OF} AND round_number + score IS NOT NULL ORDER BY 1, 3 DESC, 2",
            chosen,
        ):
            values.setdefault(number, {})[player] = value
        file = _File(
            # Who is in a game or a list took part, entered or not.
            theirs.execute(
                "SELECT ids.id, player.name, player.category, player.rating"
                f" FROM (SELECT {_whole('player_id')} AS id FROM x_player_tournament WHERE {_OF}"
                f" UNION SELECT {_whole('player_id')} FROM ranking WHERE {_OF}"
                f" UNION SELECT {_whole('white')} FROM round WHERE {_OF}"
                f" UNION SELECT {_whole('black')} FROM round WHERE {_OF}) AS ids"
                " LEFT JOIN player ON player.rowid = ids.id ORDER BY ids.id",
                chosen,
            ).fetchmany(limits.PLAYERS + 1),
            theirs.execute(
                "SELECT COALESCE(CAST(round_number AS INTEGER), 0) AS round_number,"
                f" {_whole('white')} AS white, {_whole('black')} AS black, result,"
                " CASE WHEN typeof(last_updated) = 'text'"
                " AND last_updated GLOB '[12][0-9][0-9][0-9]-*'"
                " THEN datetime(last_updated, '+0 days') END AS last_updated"
                f" FROM round WHERE {_OF} ORDER BY 1, rowid",
                chosen,
            ).fetchmany(limits.GAMES + 1),
            values,
        )
    with facts.naming(str(path)):
        limits.check(players=len(file.players), games=len(file.games))
    return file


def _whole(column: str) -> str:
    """The id of a player, whatever type it was stored as; -1, which nobody has, for none."""
    return f"COALESCE(CAST({column} AS INTEGER), -1)"


def _chosen(theirs: sqlite3.Connection, path: Path, wanted: str) -> tuple[int]:
    """The rowid of the tournament meant."""
    there = theirs.execute("SELECT rowid, description FROM tournament ORDER BY rowid").fetchall()
    alike = [row for row in there if names.folded(str(row[1])) == names.folded(wanted)]
    found = alike if len(alike) == 1 else there
    if len(found) != 1:
        listed = facts.listed(f"“{row[1]}”" for row in there) or "none"
        raise KeizerError(
            f"{path} has several tournaments, or none; give yours the name of the one you mean:"
            f" there is {listed}."
        )
    return (int(found[0][0]),)


def _settings(file: _File, tell: facts.Tell) -> list[str]:
    """What the first list says of the values: the highest, and how much each next is less."""
    first = list(file.values.get(min(file.values, default=1), {}).values())
    if not first:
        return []
    steps = {above - below for above, below in pairwise(first)}
    if len(steps) > 1:
        tell("the values of its first list are not evenly spaced: see rules top_value and step.")
    if first[-1] < 0:
        tell("values below 0 are 0 here.")
    step = 1 if 1 in steps else max(steps, default=1)
    floor = 0 if first[-1] < 1 else 1
    return [f"top_value={first[0]:g}", f"step={step:g}", f"floor_value={floor}"]


def _enter(conn: sqlite3.Connection, tournament: int, file: _File) -> dict[int, int]:
    """Enter the players in the order of the first list; our ids by theirs."""
    ids = {}
    start = {
        player: place
        for place, player in enumerate(file.values.get(min(file.values, default=1), {}), 1)
    }
    for row in file.players:
        with facts.naming(f"player {row['id']}"):
            if row["name"] is None:
                raise KeizerError("he has games or a place in a list, but no row in table player.")
            ids[int(row["id"])] = roster.enter(
                conn,
                tournament,
                str(row["name"]),
                rating=facts.rating(row["rating"]),
                category=" ".join(str(row["category"] or "").split()) or None,
                from_round=_first_round(file, row["id"]),
                start_rank=start.get(row["id"]),
            )
    return ids


def _first_round(file: _File, player: int) -> int:
    """The first round whose list has him, unless he played before."""
    lists = [number for number, values in file.values.items() if player in values]
    games = [row["round_number"] for row in file.games if player in (row["white"], row["black"])]
    first = min(lists, default=1)
    return 1 if first == min(file.values, default=1) else min([first, *games])


def _write(
    conn: sqlite3.Connection,
    tournament: int,
    file: _File,
    ids: dict[int, int],
    row: sqlite3.Row,
    tell: facts.Tell,
) -> None:
    game = (
        f"round {row['round_number']}, {file.name(row['white'])} against {file.name(row['black'])}"
    )
    with facts.naming(game):
        facts.write_game(
            conn,
            tournament,
            row["round_number"],
            None,
            ids[row["white"]],
            ids[row["black"]],
            _result(row["result"], game, tell),
            row["last_updated"],
        )


def _result(stored: object, game: str, tell: facts.Tell) -> str | None:
    """The result; void, as it brought nothing there, for a text that is none here."""
    typed = "" if stored is None else str(stored).strip()
    try:
        return names.result(typed) if typed else None
    except KeizerError:
        tell(f"{game}: {names.quoted(typed)} is no result, it counts for nothing (void).")
        return "void"


def _compare(
    conn: sqlite3.Connection,
    tournament: int,
    file: _File,
    ids: dict[int, int],
    tell: facts.Tell,
) -> None:
    """Tell from which round on the values in force are others than there."""
    here: dict[tuple[int, int], float] = {
        (number, player): value
        for number, player, value in conn.execute(
            "SELECT round_number + 1, player_id, value FROM ranking_list WHERE tournament_id = ?",
            (tournament,),
        )
    }
    for number, values in sorted(file.values.items()):
        others = [
            player
            for player, value in values.items()
            if here.get((number, ids[player]), value) != value
        ]
        if others:
            tell(
                f"from round {number} on values are not those of the file:"
                f" {facts.listed(sorted(map(file.name, others)))}."
            )
            return
