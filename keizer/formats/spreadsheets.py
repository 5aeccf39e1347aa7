"""Games and unplayed rounds from a table: all rows of a file, or none.

It is read as a members' list is (keizer.formats.tables); its heading names the columns, in any
order. Every error names its line. What keizer exports as pairings and unplayed_rounds can be
read back.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from keizer.errors import KeizerError, refuse
from keizer.formats import facts as files
from keizer.formats import limits, tables
from keizer.formats.members import plain
from keizer.messages import Message, plural, say
from keizer.season import names, publication, resolve, results, roster, tournaments
from keizer.season.queries import Tournament

_GAMES = ("round", "white", "black", "result", "board", "date")
_UNPLAYED = ("round", "player", "kind")

_SAME = {"roundnumber": "round", "name": "player"}
_LEFT_OUT = {"tournamentid", "playerid", "whiteid", "blackid", "status"}
"""Columns of what keizer exports that mean nothing in another file."""

Line = dict[str, str]


def _column(heading: str) -> str:
    found = plain(heading)
    return _SAME.get(found, found)


def _read(path: Path, known: tuple[str, ...], write: Callable[[Line], object]) -> int:
    """Have each line of a file written, one by one, so that what is refused has its line.

    known: the columns, of which the first 3 are needed. Returns how many lines there are.
    """
    found = tables.read(
        path,
        lambda cells: any(cells) + len({*known}.intersection(map(_column, cells))),
        say("the file is empty: its first line has to name the columns."),
    )
    place, columns = found.place, [*map(_column, found.headings)]
    with files.naming(place.said):
        for column, heading in zip(columns, found.headings, strict=True):
            if column not in {*known} | _LEFT_OUT or columns.count(column) > 1:
                raise KeizerError(
                    "column “{column}” is unknown or there twice; the columns are {known}.",
                    column=heading,
                    known=known,
                )
        for column in [column for column in known[:3] if column not in columns]:
            raise KeizerError(
                "column “{column}” is missing; the columns are {known}.", column=column, known=known
            )
        for count, (place.number, _) in enumerate(found.rows, 1):
            limits.check(games=count)
    refuse(str(path), found.faults, say("nothing was imported"))
    with files.naming(place.said):
        for place.number, cells in found.rows:
            write(dict(zip(columns, cells, strict=False)))
    return len(found.rows)


def _needed_round(line: Line, players: int) -> int:
    number = files.whole(names.round_number(line["round"])) or 0
    if number not in tournaments.ROUNDS:
        raise KeizerError("round “{typed}” is not a number from 1 to 999.", typed=line["round"])
    limits.check(players=players, rounds=number)
    return number


def _players(tournament: Tournament) -> tuple[Callable[[str], int], int]:
    """What finds the player meant, each name once; how many there are."""
    players = roster.players(tournament)
    return cache(partial(resolve.player, players=players)), len(players)


def games(tournament: Tournament, path: Path) -> Message:
    """Write the games of a file; how many, a message.

    Columns: round, white, black, and if wanted result (empty: open), board and date.
    A round without a date gets that of most of its games.
    """
    player, there = _players(tournament)
    most, days = results.match_games(tournament), defaultdict[int, Counter[str]](Counter)

    def write(line: Line) -> None:
        typed = line.get("result", "")
        if typed == "bye" and not line["black"]:  # of the pairings; an unplayed round
            return
        result = names.result(tournament.conn, typed, most) if typed else None
        number, day = _needed_round(line, there), line.get("date", "")
        days[number][day := files.born(day) or day] += 1  # the file refuses a year, or what is none
        white_wins, black_wins, drawn = names.games_of(result) or (None, None, None)
        tournament.insert(
            "round", tournament_id=tournament.id, round_number=number, date=day or None,
            last_updated=None,  # it was written elsewhere
            board=line.get("board") or None, white=player(line["white"]),
            black=player(line["black"]), result=None if white_wins is not None else result,
            white_wins=white_wins, black_wins=black_wins, drawn=drawn,
        )  # fmt: skip

    written = _read(path, _GAMES, write)
    publication.fill_dates(tournament, {n: each.most_common(1)[0][0] for n, each in days.items()})
    return plural("{number:,} game", "{number:,} games", written)


def unplayed(tournament: Tournament, path: Path) -> Message:
    """Write the unplayed rounds of a file; how many, a message.

    Columns: round, player, kind. A late start moves the player's first round
    behind it.
    """
    player_of, there = _players(tournament)

    def write(line: Line) -> None:
        number, player = _needed_round(line, there), player_of(line["player"])
        if names.kind(line["kind"]) == "late start":
            roster.start_late(tournament, player, after=number)
            return
        kind = roster.check_kind(tournament, line["kind"])
        row = {"tournament_id": tournament.id, "round_number": number, "player_id": player}
        tournament.insert("unplayed", **row, kind=kind)

    written = _read(path, _UNPLAYED, write)
    return plural("{number:,} unplayed round", "{number:,} unplayed rounds", written)
