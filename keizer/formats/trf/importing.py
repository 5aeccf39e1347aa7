"""A tournament report file as a season of a Keizer file."""

import re
import sqlite3
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from keizer.errors import KeizerError
from keizer.formats import facts as files
from keizer.formats import limits
from keizer.formats.trf import checking, members
from keizer.formats.trf.exporting import RESULTS, TOURNAMENT
from keizer.formats.trf.reading import parse
from keizer.formats.trf.report import BLANK, Player, Report
from keizer.season import names, publication, roster, tournaments
from keizer.store.connection import sentence

_RESULTS = {cells: result for result, cells in RESULTS.items()}
_OVER_THE_BOARD = str.maketrans("WDL", "1=0")
_KINDS = {"U": "bye", "F": "bye", "+": "bye", "H": "excused", "=": "excused", "Z": "excused",
          " ": "excused", "-": "unexcused"}  # fmt: skip
"""What a round without an opponent is taken as."""
_TITLES = {"G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM",
           "WC": "WCM"}  # fmt: skip
_DETAILS = ("rating", "fide_id", "title", "federation", "sex", "born")
_FEDERATION = re.compile("[A-Z]{3}")
_SEPARATORS = re.compile(r"[/.-]")
_FIRST_YEAR = "1000"
_1900S = 70

Byes = dict[int, dict[int, str]]
"""By player and round, who has said before that they do not come."""


def season(conn: sqlite3.Connection, tournament: int, path: Path) -> int:
    """Enter the players of a file, their games and unplayed rounds; how many players.

    The tournament has no players yet (keizer.formats.facts.check_empty). All of it is
    written, inside the caller's transaction, or KeizerError names the line.
    """
    data = limits.read(path, limits.SEASON)
    try:
        report = parse(data)
        with tournaments.suspended(conn, tournament):
            _write(conn, tournament, report)
    except KeizerError as error:
        raise KeizerError(f"{path}, {error}") from error
    except sqlite3.Error as error:
        raise KeizerError(f"{path}: {sentence(error)}") from error
    return len(report.players)


def _write(conn: sqlite3.Connection, tournament: int, report: Report) -> None:
    if not report.players:
        raise KeizerError("there are no players: they have lines that start with 001.")
    _tournament(conn, tournament, report)
    players = [_stored(player) for player in report.players]
    known = members.known(conn, players)
    byes: Byes = defaultdict(dict)
    for record, number in report.byes():
        byes[number][record.round] = _KINDS[record.kind]
    ids = {}
    for player in players:
        with files.naming(f"line {player.line}"):
            there = known.get(player.number) or roster.register(conn, player.name)
            _fill(conn, "player", there, {name: getattr(player, name) for name in _DETAILS})
            _enter(conn, tournament, there, player, _first_round(report, player, byes))
        ids[player.number] = there
    _start_list(conn, tournament, [ids[number] for number in sorted(ids)])
    _dates(conn, tournament, report)
    _games(conn, tournament, report, ids)
    _unplayed(conn, tournament, report, byes, ids)


def _fill(conn: sqlite3.Connection, table: str, row: int, said: dict[str, str | int]) -> None:
    """Write what the row does not have yet; 0 and blank are nothing."""
    columns = ", ".join(f"{column} = COALESCE({column}, ?)" for column in said)
    values = (value or None for value in said.values())
    conn.execute(f"UPDATE {table} SET {columns} WHERE id = ?", (*values, row))


def _tournament(conn: sqlite3.Connection, tournament: int, report: Report) -> None:
    """Fill in what the file does not say yet; its name stays."""
    for line in report.header:
        column, value = TOURNAMENT.get(line.code, ""), names.tidy(line.value)
        if column == "federation" and not _FEDERATION.fullmatch(value):
            continue  # the name of a website, say
        if column:
            with files.naming(f"line {line.line}"):
                _fill(conn, "tournament", tournament, {column: value})
    for _, planned in checking.rounds_planned(report):
        conn.execute(
            "UPDATE rules SET rounds = COALESCE(rounds, ?) WHERE tournament_id = ?",
            (planned, tournament),
        )


def _stored(player: Player) -> Player:
    """A player as the tables have them."""
    name = names.tidy(player.name)
    if not name:
        raise player.wrong("a player needs a name: write it in columns 15 to 47.")
    year, *rest = _SEPARATORS.split(player.born)
    born = year if "00" in rest else "-".join((year, *rest))
    title = _TITLES.get(player.title, player.title)
    return replace(player, name=name, title=title, born=born if year >= _FIRST_YEAR else "")


def _first_round(report: Report, player: Player, byes: Byes) -> int:
    """The first of which the file says something."""
    rounds = {number for number, cell in enumerate(player.rounds, 1) if cell != BLANK}
    return min(rounds | byes[player.number].keys(), default=report.rounds() + 1)


def _enter(conn: sqlite3.Connection, tournament: int, who: int, player: Player, first: int) -> None:
    """In two steps: a new entry without a rating takes over that of the player."""
    entry = (tournament, who)
    conn.execute("INSERT INTO x_player_tournament (tournament_id, player_id) VALUES (?, ?)", entry)
    conn.execute(
        "UPDATE x_player_tournament SET rating = ?, first_round = ?"
        " WHERE tournament_id = ? AND player_id = ?",
        (player.rating or None, first, *entry),
    )


def _start_list(conn: sqlite3.Connection, tournament: int, numbered: list[int]) -> None:
    """Start numbers become start ranks, unless the start list is theirs without.

    Who enters later has a place in the list by the rules of the tournament.
    """
    (by,) = conn.execute(
        "SELECT start_order FROM rules WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    found = conn.execute(
        "SELECT player_id FROM x_player_tournament WHERE tournament_id = ?"
        " AND first_round = 1 ORDER BY rating DESC NULLS LAST, player_id",
        (tournament,),
    )
    rated = [int(row[0]) for row in found]
    there = set(rated)
    numbered = [player for player in numbered if player in there]
    if by != "rating" or rated != numbered:
        conn.executemany(
            "UPDATE x_player_tournament SET start_rank = ?"
            " WHERE tournament_id = ? AND player_id = ?",
            [(rank, tournament, player) for rank, player in enumerate(numbered, 1)],
        )


def _dates(conn: sqlite3.Connection, tournament: int, report: Report) -> None:
    """Those of rounds that have none yet."""
    there = conn.execute(
        "SELECT round_number FROM schedule WHERE tournament_id = ? AND date IS NOT NULL",
        (tournament,),
    )
    dated = {row[0] for row in there}
    for number, date in enumerate(report.dates, 1):
        if date and number not in dated:
            century = "19" if int(date[:2]) >= _1900S else "20"
            publication.set_date(conn, tournament, number, century + date.replace("/", "-"))


def _games(conn: sqlite3.Connection, tournament: int, report: Report, ids: dict[int, int]) -> None:
    """Each once: by White, or of a forfeit without colours by the lower start number."""
    players = {player.number: player for player in report.players}
    for player in report.players:
        for number, cell in enumerate(player.rounds, 1):
            theirs = cell.opponent
            if theirs and (cell.colour == "w" or (cell.colour == "-" and player.number < theirs)):
                sides = cell.result + players[theirs].round(number).result
                result = _RESULTS.get(sides.translate(_OVER_THE_BOARD))
                with files.naming(f"line {player.line}"):
                    files.write_game(
                        conn, tournament, number, None, ids[player.number], ids[theirs], result
                    )


def _unplayed(
    conn: sqlite3.Connection, tournament: int, report: Report, byes: Byes, ids: dict[int, int]
) -> None:
    """Rounds without a game, from a player's first on, and those that were announced."""
    for player in report.players:
        rounds = range(_first_round(report, player, byes), report.rounds() + 1)
        cells = {number: player.round(number) for number in rounds}
        kinds = {
            number: _KINDS[cell.result] for number, cell in cells.items() if not cell.opponent
        } | byes[player.number]
        with files.naming(f"line {player.line}"):
            conn.executemany(
                "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
                " VALUES (?, ?, ?, ?)",
                [(tournament, number, ids[player.number], kinds[number]) for number in kinds],
            )
