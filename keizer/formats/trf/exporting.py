"""A tournament of a Keizer file as a tournament report file."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from keizer.formats.trf import checking
from keizer.formats.trf.columns import PLAYER, Line, points
from keizer.formats.trf.report import (
    BLANK,
    TRF26,
    Cell,
    Edition,
    Header,
    Player,
    Record,
    Report,
    Symbols,
)
from keizer.formats.trf.writing import text
from keizer.season import names, tournaments

TOURNAMENT = {"022": "city", "032": "federation", "102": "arbiter", "122": "time_control"}
"""Lines that say what a column of table tournament has."""

RESULTS = {"1-0": "10", "0-1": "01", "½-½": "==", "0-0": "00", "+-": "+-", "-+": "-+", "--": "--"}
"""What White and Black have in their lines."""

_MOST_POINTS = 999
_ROOM = PLAYER["name"].last - PLAYER["name"].first + 1
_FIDE_IDS = 10**11
_TENTH = 600_000  # units

_Numbers = dict[int, int]
"""Start numbers by player.id."""


def export(conn: sqlite3.Connection, tournament: int, *, edition: Edition = TRF26) -> str:
    """The tournament as TRF16 or TRF26, as far as these can say it."""
    last = tournaments.last_round(conn, tournament)
    symbols, dates = _symbols(conn, tournament), _dates(conn, tournament)
    planned = _planned(conn, tournament, last)
    numbers = _start_numbers(conn, tournament)
    players = tuple(_players(conn, tournament, numbers, last))
    header = _header(conn, tournament, players, dates)
    latest = edition == TRF26
    report = Report(
        header=(*header, *planned, Header("182", "keizer")) if latest else tuple(header),
        dates=tuple(day[2:] for day in dates),
        symbols=symbols if latest else None,
        players=players,
        records=tuple(_announced(conn, tournament, numbers, last)) if latest else (),
        other=() if latest else tuple(_extensions(planned, symbols)),
    )
    scale = checking.scale(report)
    players = tuple(replace(player, points=min(checking.sums(player, scale))) for player in players)
    return text(replace(report, players=players), edition)


# --------------------------------------------------------------------- players


def _start_numbers(conn: sqlite3.Connection, tournament: int) -> _Numbers:
    """The start list, then those who came later."""
    found = conn.execute(
        "SELECT e.player_id FROM x_player_tournament AS e LEFT JOIN ranking_list AS r"
        " ON r.tournament_id = e.tournament_id AND r.player_id = e.player_id"
        " WHERE e.tournament_id = ? GROUP BY e.player_id"
        " ORDER BY min(r.round_number) NULLS LAST, min(r.round_number * 100000 + r.rank),"
        " e.player_id",
        (tournament,),
    )
    return {row[0]: number for number, row in enumerate(found, 1)}


def _players(
    conn: sqlite3.Connection, tournament: int, numbers: _Numbers, last: int
) -> Iterator[Player]:
    """Everybody's line, by start number; the points are added later.

    The rank is that of the current standings; who is not in them yet stands behind.
    """
    rows = conn.execute(
        "SELECT e.player_id, p.name, p.sex, p.title, p.rating, p.federation, p.fide_id, p.born"
        " FROM x_player_tournament AS e JOIN player AS p ON p.id = e.player_id"
        " LEFT JOIN ranking_list AS r ON r.tournament_id = e.tournament_id"
        " AND r.player_id = e.player_id AND r.round_number = ? WHERE e.tournament_id = ?"
        " ORDER BY r.rank NULLS LAST, e.id",
        (tournaments.current_round(conn, tournament), tournament),
    )
    cells = _cells(conn, tournament, numbers, last)
    ranked = enumerate(rows.fetchall(), 1)
    for rank, row in sorted(ranked, key=lambda each: numbers[each[1][0]]):
        player, name, sex, title, rating, federation, fide_id, born = row
        yield Player(
            number=numbers[player],
            name=_printable(name)[:_ROOM].strip(),
            points=0,
            sex=sex or "",
            title=title or "",
            rating=rating,
            federation=federation or "",
            fide_id=fide_id if fide_id and fide_id < _FIDE_IDS else None,
            born=_born(born or ""),
            rank=rank,
            rounds=cells[numbers[player]],
        )


def _printable(said: str) -> str:
    """A text as a line of the format can have it."""
    return names.tidy("".join(letter if letter.isprintable() else " " for letter in said))


def _born(stored: str) -> str:
    """A date of birth as the format has it, or a year."""
    return stored.replace("-", "/") if "-" in stored or not stored else f"{stored}/00/00"


def _cells(
    conn: sqlite3.Connection, tournament: int, numbers: _Numbers, last: int
) -> dict[int, tuple[Cell, ...]]:
    """The rounds of each player; a game without a result leaves them blank."""
    cells = {number: [BLANK] * last for number in numbers.values()}
    games = "SELECT round_number, white, black, result FROM round WHERE tournament_id = ?"
    for played_in, white, black, result in conn.execute(games, (tournament,)):
        if result in RESULTS:
            sides = RESULTS[result]
            cells[numbers[white]][played_in - 1] = Cell(numbers[black], "w", sides[0])
            cells[numbers[black]][played_in - 1] = Cell(numbers[white], "b", sides[1])
    byes: set[int] = set()
    for number, player, kind in _unplayed(conn, tournament, numbers):
        if number <= last:
            bye = kind == "bye" and number not in byes
            byes |= {number} if bye else set()
            cells[player][number - 1] = Cell(result="U" if bye else "Z")
    for of_player in cells.values():
        while of_player and of_player[-1] == BLANK:
            of_player.pop()
    return {number: tuple(of_player) for number, of_player in cells.items()}


def _unplayed(
    conn: sqlite3.Connection, tournament: int, numbers: _Numbers
) -> list[tuple[int, int, str]]:
    """Round, start number and kind, in this order."""
    found = conn.execute(
        "SELECT round_number, player_id, kind FROM unplayed WHERE tournament_id = ?", (tournament,)
    )
    return sorted((number, numbers[player], kind) for number, player, kind in found)


def _announced(
    conn: sqlite3.Connection, tournament: int, numbers: _Numbers, last: int
) -> Iterator[Record]:
    """Absences of rounds to come."""
    coming = defaultdict(list)
    for number, player, _ in _unplayed(conn, tournament, numbers):
        if number > last:
            coming[number].append(player)
    for number, players in coming.items():
        yield Record("240", tuple(players), number, kind="Z")


# --------------------------------------------------------------- the tournament


def _header(
    conn: sqlite3.Connection, tournament: int, players: tuple[Player, ...], dates: list[str]
) -> list[Header]:
    columns = {"012": "description"} | TOURNAMENT
    row = conn.execute(
        f"SELECT {', '.join(columns.values())}, system FROM tournament"
        " JOIN rules ON tournament_id = id WHERE id = ?",
        (tournament,),
    ).fetchone()
    said = dict(zip((*columns, "092"), row, strict=True))
    said["092"] = said["092"].capitalize()
    days = sorted(filter(None, dates))
    said |= {"042": days[0], "052": days[-1]} if days else {}
    said |= {"062": len(players), "072": sum(1 for player in players if player.rating)}
    return [
        Header(code, _printable(str(said[code]))) for code in sorted(said) if said[code] is not None
    ]


def _planned(conn: sqlite3.Connection, tournament: int, last: int) -> tuple[Header, ...]:
    """How many rounds there will be, if that is known and can be."""
    (rounds,) = conn.execute(
        "SELECT rounds FROM rules WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    return (Header("142", str(rounds)),) if rounds and rounds >= last else ()


def _dates(conn: sqlite3.Connection, tournament: int) -> list[str]:
    """Of each round, YYYY/MM/DD; an empty text where there is none."""
    found = conn.execute(
        "SELECT round_number, replace(date, '-', '/') FROM schedule"
        " WHERE tournament_id = ? AND date IS NOT NULL",
        (tournament,),
    )
    dated = dict(found.fetchall())
    return [dated.get(number, "") for number in range(1, max(dated, default=0) + 1)]


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


def _extensions(planned: tuple[Header, ...], symbols: Symbols | None) -> Iterator[Line]:
    """What TRF16 lacks: lines of JaVaFo, and those of bbpPairings for points."""
    for line in planned:
        yield Line(f"XXR {line.value}")
    if symbols:
        codes = {"W": ["W"], "D": ["D"], "L": ["WL", "BL"], "P": ["PAB"]}
        said = [
            f"{code}={points(worth)}" for symbol, worth in symbols.points for code in codes[symbol]
        ]
        yield Line("XXS " + " ".join(said))
        for symbol, worth in symbols.points:
            yield Line(f"BB{'U' if symbol == 'P' else symbol} {points(worth):>4}")
