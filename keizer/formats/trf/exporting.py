"""A tournament of a Keizer file as a tournament report file."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

from keizer.errors import KeizerError
from keizer.formats.trf import checking, facts
from keizer.formats.trf.columns import points
from keizer.formats.trf.facts import Fact, Facts, Row, Value
from keizer.formats.trf.report import (
    BLANK,
    TRF16,
    TRF26,
    Byes,
    Cell,
    Edition,
    Header,
    Other,
    Player,
    Record,
    Report,
    Symbols,
)
from keizer.formats.trf.writing import text
from keizer.season import tournaments

_MOST_POINTS = 999
_COMPUTED = {"score", "status", "credited_as", "halvings"}
PLAYERS = {"player_id", "white", "black", "nearer"}
"""Columns that hold a player.id: in a comment it is his start number."""
_ROOM = 33
_KEYED = (
    ("schedule", "schedule", ("round_number",), "round_number"),
    ("game", "round", ("round_number", "white", "black"), "round_number, board"),
    ("unplayed", "unplayed", ("round_number", "player_id"), "round_number, player_id"),
)
_TENTH = 600_000  # units


def export(conn: sqlite3.Connection, tournament: int, *, edition: Edition = TRF26) -> str:
    """The tournament as TRF16 or TRF26.

    What these cannot say is in comment lines, so that `season` makes the same
    season of it.
    """
    if edition not in (TRF16, TRF26):
        raise KeizerError(f"there is no TRF of {edition}: there are 2016 and 2026.")
    found = _facts(conn, tournament)
    report = _report(conn, tournament, found, edition)
    # A first comment makes it a file of keizer, in which a blank is no fact.
    marked = replace(report, other=(*report.other, Other(facts.MARK)))
    more = tuple(facts.comments(found, facts.said(marked)))
    return text(replace(report, other=report.other + more), edition)


# ------------------------------------------------------------------- what is there


def columns(conn: sqlite3.Connection, table: str) -> list[str]:
    """The columns of a fact that somebody writes."""
    found = conn.execute(f"SELECT name FROM pragma_table_xinfo('{table}') WHERE NOT hidden")
    aside = {"tournament_id"} if table == "player" else {"tournament_id", "id"}
    names = [row[0] for row in found.fetchall() if row[0] not in aside]
    return [name for name in names if name not in _COMPUTED or table == "tournament"]


def _rows(
    conn: sqlite3.Connection, table: str, tournament: int, order: str = "rowid"
) -> Iterator[Row]:
    names = columns(conn, table)
    query = f"SELECT {', '.join(names)} FROM {table} WHERE tournament_id = ? ORDER BY {order}"
    for row in conn.execute(query, (tournament,)):
        yield dict(zip(names, row, strict=True))


def _facts(conn: sqlite3.Connection, tournament: int) -> Facts:
    number_of = _start_numbers(conn, tournament)
    found = Facts()
    named = list(facts.HEADER.values())
    query = f"SELECT {', '.join(named)} FROM tournament WHERE id = ?"
    said = conn.execute(query, (tournament,)).fetchone()
    found.tournament[()] = Fact(dict(zip(named, said, strict=True)))
    for row in _rows(conn, "x_player_tournament", tournament):
        player = _id(row.pop("player_id"))
        found.entry[number_of[player],] = Fact(row)
        found.player[number_of[player],] = Fact(_player(conn, player))
    for word, table, keys, order in _KEYED:
        for row in _rows(conn, table, tournament, order):
            key = tuple(
                number_of[_id(row.pop(name))] if name in PLAYERS else _id(row.pop(name))
                for name in keys
            )
            getattr(found, word)[key] = Fact(row)
    for table in facts.WHOLE:
        for row in _rows(conn, table, tournament):
            numbers = {
                name: number_of[_id(row[name])]
                for name in PLAYERS & row.keys()
                if row[name] is not None
            }
            found.whole.append((table, Fact(row | numbers)))
    return found


def _player(conn: sqlite3.Connection, player: int) -> Row:
    names = columns(conn, "player")
    query = f"SELECT {', '.join(names)} FROM player WHERE id = ?"
    return dict(zip(names, conn.execute(query, (player,)).fetchone(), strict=True))


def _id(value: Value) -> int:
    return int(value or 0)


def _start_numbers(conn: sqlite3.Connection, tournament: int) -> dict[int, int]:
    """Start numbers by player: the start list, then those who came later."""
    found = conn.execute(
        "SELECT e.player_id FROM x_player_tournament AS e LEFT JOIN ranking_list AS r"
        " ON r.tournament_id = e.tournament_id AND r.player_id = e.player_id"
        " WHERE e.tournament_id = ? GROUP BY e.player_id"
        " ORDER BY min(r.round_number) NULLS LAST, min(r.round_number * 100000 + r.rank),"
        " e.player_id",
        (tournament,),
    )
    return {row[0]: number for number, row in enumerate(found.fetchall(), 1)}


# ------------------------------------------------------------ as the format has it


def _report(conn: sqlite3.Connection, tournament: int, found: Facts, edition: Edition) -> Report:
    last = tournaments.last_round(conn, tournament)
    symbols = _symbols(conn, tournament)
    header = _header(conn, tournament, found)
    rounds = _planned(conn, tournament, last)
    report = Report(
        header=(*header, *rounds, Header("182", "keizer")) if edition == TRF26 else (*header,),
        dates=_dates(found),
        symbols=symbols if edition == TRF26 else None,
        players=_players(conn, tournament, found, last),
        records=_announced(found, last) if edition == TRF26 else (),
        other=(*_extensions(rounds, symbols),) if edition == TRF16 else (),
    )
    scale = checking.scale(report)
    return replace(
        report,
        players=tuple(
            replace(player, points=min(checking.sums(report, player, scale)))
            for player in report.players
        ),
    )


def _players(
    conn: sqlite3.Connection, tournament: int, found: Facts, last: int
) -> tuple[Player, ...]:
    """Everybody's line, by start number; the points are added later."""
    ranks, cells = _ranks(conn, tournament, found), _cells(found, last)
    return tuple(
        Player(
            number=number,
            name=facts.printable(str(fact.row["name"]))[:_ROOM].strip(),
            points=0,
            sex=str(fact.row["sex"] or ""),
            title=str(fact.row["title"] or ""),
            rating=None if fact.row["rating"] is None else _id(fact.row["rating"]),
            federation=str(fact.row["federation"] or ""),
            fide_id=_fide_id(fact.row["fide_id"]),
            born=facts.born(fact.row["born"]),
            rank=ranks[number],
            rounds=cells[number],
        )
        for (number,), fact in sorted(found.player.items(), key=lambda item: item[0])
    )


def _fide_id(stored: Value) -> int | None:
    return stored if isinstance(stored, int) and stored < 10**11 else None


def _cells(found: Facts, last: int) -> dict[int, tuple[Cell, ...]]:
    """The rounds of each player; a game without a result leaves them blank."""
    cells = {number: [BLANK] * last for (number,) in found.player}
    for (number, white, black), fact in found.game.items():
        sides = facts.RESULTS.get(str(fact.row["result"]))
        if sides:
            cells[white][number - 1] = Cell(black, "w", sides[0])
            cells[black][number - 1] = Cell(white, "b", sides[1])
    byes: set[int] = set()
    for (number, player), fact in sorted(found.unplayed.items(), key=lambda item: item[0]):
        if number <= last:
            bye = fact.row["kind"] == "bye" and number not in byes
            byes |= {number} if bye else set()
            cells[player][number - 1] = Cell(0, "-", "U" if bye else "Z")
    for of_player in cells.values():
        while of_player and of_player[-1] == BLANK:
            of_player.pop()
    return {number: tuple(of_player) for number, of_player in cells.items()}


def _announced(found: Facts, last: int) -> tuple[Record, ...]:
    """Absences of rounds to come."""
    coming: dict[int, list[int]] = {}
    for round_number, player in sorted(found.unplayed):
        if round_number > last:
            coming.setdefault(round_number, []).append(player)
    return tuple(Byes("Z", number, tuple(players)) for number, players in coming.items())


def _ranks(conn: sqlite3.Connection, tournament: int, found: Facts) -> dict[int, int]:
    """Ranks of the current table, each once; who is not in it yet stands behind."""
    ids = {fact.row["id"]: number for (number,), fact in found.player.items()}
    rows = conn.execute(
        "SELECT e.player_id FROM x_player_tournament AS e"
        " LEFT JOIN ranking_list AS r ON r.tournament_id = e.tournament_id"
        " AND r.player_id = e.player_id AND r.round_number = ? WHERE e.tournament_id = ?"
        " ORDER BY r.rank NULLS LAST",
        (tournaments.current_round(conn, tournament), tournament),
    )
    order = [ids[row[0]] for row in rows.fetchall()]
    return {number: rank for rank, number in enumerate(order, 1)}


def _header(conn: sqlite3.Connection, tournament: int, found: Facts) -> list[Header]:
    dates = sorted(str(fact.row["date"]) for fact in found.schedule.values() if fact.row["date"])
    (system,) = conn.execute(
        "SELECT system FROM rules WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    rated = sum(1 for fact in found.player.values() if fact.row["rating"])
    lines = facts.header(found.tournament[()].row)
    for code, date in zip(("042", "052"), (dates[:1], dates[-1:]), strict=True):
        lines += [Header(code, day.replace("-", "/")) for day in date]
    lines += [Header("062", str(len(found.player))), Header("072", str(rated))]
    lines += [Header("092", str(system).capitalize())]
    return sorted(lines, key=lambda line: line.code)


def _planned(conn: sqlite3.Connection, tournament: int, last: int) -> tuple[Header, ...]:
    """How many rounds there will be, if that is known and can be."""
    (rounds,) = conn.execute(
        "SELECT rounds FROM rules WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    return (Header("142", str(rounds)),) if rounds and rounds >= last else ()


def _dates(found: Facts) -> tuple[str, ...]:
    rounds = [number for (number,), fact in found.schedule.items() if fact.row["date"]]
    dates = [""] * max(rounds, default=0)
    for number in rounds:
        dates[number - 1] = str(found.schedule[number,].row["date"]).replace("-", "/")[2:]
    return tuple(dates)


def _symbols(conn: sqlite3.Connection, tournament: int) -> Symbols | None:
    """The points of games and of the bye, where they are not the usual ones."""
    kinds = {"W": "win", "D": "draw", "L": "loss", "P": "bye"}
    usual = {"W": 10, "D": 5, "L": 0, "P": 10}
    stored = dict(
        conn.execute(
            "SELECT kind, points_units FROM scoring WHERE tournament_id = ?", (tournament,)
        ).fetchall()
    )
    found = {}
    for symbol, kind in kinds.items():
        tenths, rest = divmod(stored[kind], _TENTH)
        found[symbol] = tenths if not rest and tenths <= _MOST_POINTS else usual[symbol]
    return Symbols(tuple(found.items())) if found != usual else None


def _extensions(rounds: tuple[Header, ...], symbols: Symbols | None) -> Iterator[Other]:
    """What TRF16 lacks: lines of JaVaFo, and those of bbpPairings for points."""
    for line in rounds:
        yield Other(f"XXR {line.value}")
    if symbols:
        codes = {"W": ["W"], "D": ["D"], "L": ["WL", "BL"], "P": ["PAB"]}
        said = [
            f"{code}={points(worth)}" for symbol, worth in symbols.points for code in codes[symbol]
        ]
        yield Other("XXS " + " ".join(said))
        for symbol, worth in symbols.points:
            yield Other(f"BB{'U' if symbol == 'P' else symbol} {points(worth):>4}")
