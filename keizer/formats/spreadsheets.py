"""Games and unplayed rounds from a table: all rows of a file, or none.

It is read as a members' list is (keizer.formats.tables), and its players are found, apart; its
heading names the columns, in any order. Every error names its line. What keizer exports as
pairings and unplayed_rounds can be read back.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from keizer.errors import KeizerError, refuse_if_any
from keizer.formats import limits, parsing, tables
from keizer.formats.carried import carry
from keizer.formats.members import plain
from keizer.formats.sent import Sent
from keizer.messages import Message, plural, say
from keizer.season import tournaments
from keizer.season.club_night import publication, results
from keizer.season.names import identity, resolve, spelling
from keizer.season.people import roster
from keizer.season.people.members import list_members
from keizer.season.queries import Tournament

_COLUMNS = {
    "games": ("round", "white", "black", "result", "board", "date"),
    "unplayed": ("round", "player", "kind"),
}
"""The columns of a file, of which the first three are needed."""
_PLAYERS = {"white", "black", "player"}

_SAME = {"roundnumber": "round", "name": "player"}
_LEFT_OUT = {"tournamentid", "playerid", "whiteid", "blackid", "status"}
"""Columns of what keizer exports that mean nothing in another file."""

Line = dict[str, str]


def _column(heading: str) -> str:
    found = plain(heading)
    return _SAME.get(found, found)


@carry
class Lines(NamedTuple):
    """What a file has: a cell for each column, by the number of the line. unit: line or row.

    Where a player is named the cell has player.id.
    """

    unit: str
    columns: list[str]
    rows: list[tuple[int, list[str]]]


def read(path: Path, what: str, players: Mapping[int, str]) -> Lines:
    """Read the lines of a file, apart. what: games or unplayed; players: who can be meant."""
    known = _COLUMNS[what]
    table = tables.read(
        path,
        lambda cells: any(cells) + len({*known}.intersection(map(_column, cells))),
        say("the file is empty: its first line has to name the columns."),
    )
    place, columns = table.place, [*map(_column, table.headings)]
    with parsing.naming(place.said):
        for column, heading in zip(columns, table.headings, strict=True):
            if column not in {*known} | _LEFT_OUT or columns.count(column) > 1:
                raise KeizerError(
                    "column “{column}” is unknown or there twice; the columns are {known}.",
                    column=heading,
                    known=known,
                )
        for column in [column for column in known[:3] if column not in columns]:
            raise KeizerError(
                "column “{column}” is missing; the columns are {known}.",
                column=column,
                known=known,
            )
        for count, (place.number, cells) in enumerate(table.rows, 1):
            limits.check(games=count)
            for column, cell in zip(columns, cells, strict=False):
                if column in _PLAYERS:
                    spelling.check_length(cell)
    table.find_failures(
        place for place, column in enumerate(columns) if column in known
    )
    refuse_if_any(
        str(path), table.faults, say("nothing was imported"), table.place.unit
    )
    _find_players(table, columns, players)
    return Lines(place.unit, columns, table.rows)


def _find_players(
    table: tables.Table, columns: list[str], players: Mapping[int, str]
) -> None:
    """Put player.id where a player is named."""
    place, player = table.place, cache(resolve.Names(players).player)
    with parsing.naming(place.said):
        for place.number, cells in table.rows:
            is_bye = _is_bye(dict(zip(columns, cells, strict=False)))
            for index, column in enumerate(columns):
                if column in _PLAYERS and not (is_bye and column == "black"):
                    cells[index] = str(player(cells[index]))


def _is_bye(line: Line) -> bool:
    """Whether a line of the pairings is a bye, which is an unplayed round."""
    return line.get("result") == "bye" and not line.get("black")


def _write_each(sent: Sent, write: Callable[[Line], object]) -> None:
    """Write the lines one by one, so that what is refused has its line."""
    lines: Lines = sent.facts
    place = tables.Place(Path(sent.path), lines.unit)
    with parsing.naming(place.said):
        for place.number, cells in lines.rows:
            write(dict(zip(lines.columns, cells, strict=False)))


def _needed_round(line: Line, players: int) -> int:
    number = parsing.whole(spelling.without_round_word(line["round"])) or 0
    if number not in tournaments.ROUNDS:
        raise KeizerError(
            "round “{typed}” is not a number from 1 to 999.", typed=line["round"]
        )
    limits.check(players=players, rounds=number)
    return number


def _check_players(tournament: Tournament, sent: Sent) -> int:
    """Return how many players there are; KeizerError if they are others than were looked for."""
    identity.check_unchanged(sent.known, list_members(tournament, whole_file=True))
    return sum(person.entered for person in sent.known)


def games(tournament: Tournament, sent: Sent) -> tuple[Message, list[Message]]:
    """Write the games of a file; how many, and a note about byes, which are not written.

    Columns: round, white, black, and if wanted result (empty: open), board and date.
    A round without a date gets that of most of its games.
    """
    there = _check_players(tournament, sent)
    most, days = (
        results.match_games(tournament),
        defaultdict[int, Counter[str]](Counter),
    )
    byes = 0

    def write(line: Line) -> None:
        nonlocal byes
        if _is_bye(line):
            _needed_round(line, there)
            byes += 1
            return
        typed = line.get("result", "")
        result = spelling.parse_result(tournament.conn, typed, most) if typed else None
        number, day = _needed_round(line, there), line.get("date", "")
        days[number][day := parsing.born(day) or day] += (
            1  # the file refuses a year, or what is none
        )
        white_wins, black_wins, drawn = spelling.games_of(result) or (None, None, None)
        tournament.insert(
            "round", tournament_id=tournament.id, round_number=number, date=day or None,
            last_updated=None,  # it was written elsewhere
            board=line.get("board") or None, white=int(line["white"]),
            black=int(line["black"]), result=None if white_wins is not None else result,
            white_wins=white_wins, black_wins=black_wins, drawn=drawn,
        )  # fmt: skip

    _write_each(sent, write)
    publication.fill_dates(
        tournament, {n: each.most_common(1)[0][0] for n, each in days.items()}
    )
    note = plural(
        "{number:,} line with a bye was left out: --unplayed imports byes.",
        "{number:,} lines with a bye were left out: --unplayed imports byes.",
        byes,
    )
    written = plural("{number:,} game", "{number:,} games", len(sent.facts.rows) - byes)
    return written, [note] if byes else []


def unplayed(tournament: Tournament, sent: Sent) -> tuple[Message, list[Message]]:
    """Write the unplayed rounds of a file; how many, and no notes.

    Columns: round, player, kind. A late start moves the player's first round
    behind it.
    """
    there = _check_players(tournament, sent)

    def write(line: Line) -> None:
        number, player = _needed_round(line, there), int(line["player"])
        if spelling.parse_kind(line["kind"]) == "late start":
            roster.start_late(tournament, player, after=number)
            return
        kind = roster.check_kind(tournament, line["kind"])
        row = {
            "tournament_id": tournament.id,
            "round_number": number,
            "player_id": player,
        }
        tournament.insert("unplayed", **row, kind=kind)

    _write_each(sent, write)
    number = len(sent.facts.rows)
    return plural("{number:,} unplayed round", "{number:,} unplayed rounds", number), []
