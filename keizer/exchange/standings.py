"""Standings as another program printed them: a table of scores, or an export of Sevilla."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from keizer.errors import KeizerError, refuse_if_any
from keizer.exchange import sevilla
from keizer.exchange.inferring.trial import PrintedScore
from keizer.formats import limits, parsing, sent, tables
from keizer.formats.carried import carry
from keizer.formats.members import WORDS, plain
from keizer.formats.sent import Sent
from keizer.messages import say
from keizer.season.names import resolve, spelling
from keizer.season.queries import Tournament
from keizer.season.tournaments import ROUNDS

_HEADING = say(
    "the first line has to name the columns: round, player, score; or player and rounds."
)
_KNOWN = {
    word: column for column, some in WORDS["standings"].items() for word in some.split()
}


carry(PrintedScore)


def read(path: Path, players: Mapping[int, str]) -> Sent:
    """Read printed scores, apart: of a table, or the groups of an export.

    A table has a row a score (columns round, player, score), or a row a player, whose columns of
    scores are called by the round. players: who can be meant, by player.id. Raises KeizerError,
    with the place.
    """
    kind = sent.kind(path)
    if kind == "sevilla":
        return Sent(str(path), kind, sevilla.read(path))
    table = tables.read(path, lambda cells: len(_columns(cells)), _HEADING)
    with parsing.naming(table.place.said):
        columns = _each_once(table)
    table.find_failures(columns)
    refuse_if_any(
        limits.called(path), table.faults, say("no rules were tried"), table.place.unit
    )
    player = cache(resolve.Names(players).player)
    return Sent(str(path), table.place.unit, [*_scores(table, columns, player)])


def _scores(
    table: tables.Table, columns: Mapping[int, str], find: Callable[[str], int]
) -> Iterator[PrintedScore]:
    """Return the scores of a table; KeizerError for a round, a player or a score that is none."""
    place = table.place
    with parsing.naming(place.said):
        for place.number, row in table.rows:
            told = {column: row[index] for index, column in columns.items()}
            typed = told.pop("player")
            spelling.check_length(typed)
            if "round" in told:
                told = {told["round"]: told.get("score", "")}
            else:
                told.pop("score", None)  # a sum, beside the rounds
            for number, cell in told.items():
                score = _number(cell) if cell else None
                if _round(number) and score is not None:
                    yield PrintedScore(_round(number), find(typed), score)
                elif score:
                    raise KeizerError(
                        "in the start list, of round 0, nobody has a score."
                    )


def _round(typed: str) -> int:
    """Return a round; 0 for the start list. KeizerError for anything else."""
    number = parsing.whole(spelling.without_round_word(typed))
    if number is None or number >= ROUNDS.stop:
        raise KeizerError(
            "round “{typed}” is not a number from 1 to 999.",
            typed=spelling.shortened(typed),
        )
    return number


def cells(tournament: Tournament, printed: Sent) -> list[PrintedScore]:
    """The scores that were read, of the tournament's players."""
    found: list[PrintedScore] = printed.facts
    if printed.kind == "sevilla":
        found = sevilla.standings(tournament, printed.facts, Path(printed.path))
    if not found:
        with parsing.naming(printed.path):
            raise KeizerError("there is no score in it.")
    return found


def _columns(headings: list[str]) -> dict[int, str]:
    """Return by place what a column is: one of _KNOWN, or the number of a round.

    Nothing if no column is of players.
    """
    found: dict[int, str] = {}
    for index, heading in enumerate(headings):
        number = re.fullmatch(
            r"(?:r|rnd|ronde|round|runde)?\.? ?([0-9]{1,3})", heading.casefold()
        )
        column = str(int(number[1])) if number else _KNOWN.get(plain(heading))
        if column:
            found[index] = column
    return found if "player" in found.values() else {}


def _each_once(table: tables.Table) -> dict[int, str]:
    """Return the columns of a table; KeizerError if two of them mean the same."""
    columns = _columns(table.headings)
    called_score = [
        index for index in columns if plain(table.headings[index]) == "score"
    ]
    if called_score:  # points beside it are those of the games
        others = {
            index: column for index, column in columns.items() if column != "score"
        }
        columns = others | dict.fromkeys(called_score, "score")
    places: dict[str, int] = {}
    for index, column in columns.items():
        first = places.setdefault(column, index)
        if first != index:
            raise KeizerError(
                "columns “{one}” and “{other}” mean the same: leave one out.",
                one=table.called(first), other=table.called(index),
            )  # fmt: skip
    if "round" in places and any(map(str.isdecimal, places)):
        raise KeizerError(_HEADING)
    return columns


def _number(cell: str) -> float:
    plain = cell.replace(",", ".")
    if not re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]*)?", plain):
        raise KeizerError("“{typed}” is no score.", typed=spelling.shortened(cell))
    return float(plain)
