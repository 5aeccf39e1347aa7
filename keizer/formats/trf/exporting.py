"""A tournament of a Keizer file as a tournament report file."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from keizer.formats.trf import checking
from keizer.formats.trf.columns import PLAYER, Line, points
from keizer.formats.trf.report import (
    BLANK,
    TRF16,
    Cell,
    Edition,
    Header,
    Player,
    Record,
    Report,
    Symbols,
    without_blanks,
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

# By start number: the start list, then those who came later. The rank is that of the
# current standings; who is not in them yet stands behind.
_PLAYERS = """
SELECT e.player_id, p.name, COALESCE(p.sex, ''), COALESCE(p.title, ''), p.rating,
  COALESCE(p.federation, ''), p.fide_id,
  COALESCE(replace(p.born, '-', '/') || iif(p.born LIKE '____', '/00/00', ''), ''),
  row_number() OVER (ORDER BY r.rank NULLS LAST, e.id)
FROM x_player_tournament AS e
JOIN player AS p ON p.id = e.player_id
LEFT JOIN ranking_list AS r ON r.tournament_id = e.tournament_id AND r.player_id = e.player_id
  AND r.round_number = :shown
LEFT JOIN (
  SELECT player_id, min(round_number) AS began, rank FROM ranking_list
  WHERE tournament_id = :tournament GROUP BY player_id
) AS listed ON listed.player_id = e.player_id
WHERE e.tournament_id = :tournament
ORDER BY listed.began NULLS LAST, listed.rank, e.player_id
"""


def export(conn: sqlite3.Connection, tournament: int, *, edition: Edition = 2026) -> str:
    """The tournament as TRF16 or TRF26, as far as these can say it."""
    return text(_Export(conn, tournament).report(edition), edition)


class _Export:
    """A tournament to be exported; `last` is its last round."""

    def __init__(self, conn: sqlite3.Connection, tournament: int) -> None:
        self.conn, self.tournament = conn, tournament
        self.last = tournaments.last_round(conn, tournament)

    def rows(self, question: str, **more: int) -> list[tuple[Any, ...]]:
        """The answer to a question about :tournament."""
        return [*map(tuple, self.conn.execute(question, {"tournament": self.tournament} | more))]

    def report(self, edition: Edition) -> Report:
        """What a report of this edition says of it."""
        players, records = self.players()
        dates, symbols, planned = self.dates(), self.symbols(), self.planned()
        header = self.header(players, dates)
        report = Report(tuple(header), tuple(day[2:] for day in dates), players=players)
        if edition == TRF16:
            report = replace(report, other=tuple(_extensions(planned, symbols)))
        else:
            header += [*planned, Header("182", "keizer")]
            report = replace(report, header=tuple(header), symbols=symbols, records=records)
        scale = checking.scale(report)
        counted = [replace(player, points=min(checking.sums(player, scale))) for player in players]
        return replace(report, players=tuple(counted))

    def players(self) -> tuple[tuple[Player, ...], tuple[Record, ...]]:
        """Everybody's line, by start number, without points; and absences of rounds to come."""
        shown = tournaments.current_round(self.conn, self.tournament)
        rows = self.rows(_PLAYERS, shown=shown)
        cells, records = self.rounds({row[0]: number for number, row in enumerate(rows, 1)})
        players = []
        for number, row in enumerate(rows, 1):
            _, name, sex, title, rating, federation, fide_id, born, rank = row
            name = _printable(name)[:_ROOM].strip()
            known = fide_id if fide_id and fide_id < _FIDE_IDS else None
            details = (sex, title, rating, federation, known, born, rank)
            players.append(Player(number, name, 0, *details, without_blanks(cells[number])))
        return tuple(players), records

    def rounds(self, numbers: dict[int, int]) -> tuple[dict[int, list[Cell]], tuple[Record, ...]]:
        """The rounds of each player, and absences of rounds to come.

        numbers: start numbers by player.id. A game without a result leaves the round blank.
        """
        cells = {number: [BLANK] * self.last for number in numbers.values()}
        for number, white, black, result in self.rows(
            "SELECT round_number, white, black, result FROM round WHERE tournament_id = :tournament"
        ):
            if result in RESULTS:
                sides = RESULTS[result]
                cells[numbers[white]][number - 1] = Cell(numbers[black], "w", sides[0])
                cells[numbers[black]][number - 1] = Cell(numbers[white], "b", sides[1])
        unplayed = self.rows(
            "SELECT round_number, player_id, kind FROM unplayed WHERE tournament_id = :tournament"
        )
        byes, coming = set(), dict[int, list[int]]()
        numbered = ((number, numbers[player], kind) for number, player, kind in unplayed)
        for number, player, kind in sorted(numbered):
            if number > self.last:
                coming.setdefault(number, []).append(player)
                continue
            bye = kind == "bye" and number not in byes
            byes |= {number} if bye else set()
            cells[player][number - 1] = Cell(result="U" if bye else "Z")
        return cells, tuple(
            Record("240", tuple(coming[round_number]), round_number, kind="Z")
            for round_number in coming
        )

    def header(self, players: tuple[Player, ...], dates: list[str]) -> list[Header]:
        """The lines about the tournament that both editions have."""
        columns = {"012": "description"} | TOURNAMENT
        (row,) = self.rows(
            f"SELECT {', '.join(columns.values())}, system FROM tournament"
            " JOIN rules ON tournament_id = id WHERE id = :tournament"
        )
        values = dict(zip((*columns, "092"), row, strict=True))
        values["092"] = values["092"].capitalize()
        days = sorted(filter(None, dates))
        values |= {"042": days[0], "052": days[-1]} if days else {}
        values |= {"062": len(players), "072": sum(1 for player in players if player.rating)}
        return [
            Header(field, _printable(str(values[field])))
            for field in sorted(values)
            if values[field] is not None
        ]

    def planned(self) -> list[Header]:
        """How many rounds there will be, if that is known and can be."""
        ((rounds,),) = self.rows("SELECT rounds FROM rules WHERE tournament_id = :tournament")
        return [Header("142", str(rounds))] if rounds and rounds >= self.last else []

    def dates(self) -> list[str]:
        """Of each round, YYYY/MM/DD; an empty text where there is none."""
        dated = dict(
            self.rows(
                "SELECT round_number, replace(date, '-', '/') FROM schedule"
                " WHERE tournament_id = :tournament AND date IS NOT NULL"
            )
        )
        return [dated.get(number, "") for number in range(1, max(dated, default=0) + 1)]

    def symbols(self) -> Symbols | None:
        """The points of games and of the bye, where they are not the usual ones."""
        usual = {"win": 10, "draw": 5, "loss": 0, "bye": 10}
        awarded = dict(usual)
        for kind, units in self.rows(
            "SELECT kind, points_units FROM scoring WHERE tournament_id = :tournament"
        ):
            tenths, rest = divmod(units, _TENTH)
            if kind in usual and not rest and tenths <= _MOST_POINTS:
                awarded[kind] = tenths
        return (
            Symbols(tuple(zip("WDLP", awarded.values(), strict=True))) if awarded != usual else None
        )


def _printable(said: str) -> str:
    """A text as a line of the format can have it."""
    return names.tidy("".join(letter if letter.isprintable() else " " for letter in said))


def _extensions(planned: list[Header], symbols: Symbols | None) -> Iterator[Line]:
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
