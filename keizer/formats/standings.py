"""Standings as another program printed them: a table of scores, or an export of Sevilla."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from keizer.errors import KeizerError
from keizer.formats import parsing, sent, sevilla, tables
from keizer.formats.carried import carry
from keizer.formats.members import WORDS, plain
from keizer.formats.sent import Sent
from keizer.inferring.trial import PrintedScore
from keizer.messages import say
from keizer.season import names, resolve
from keizer.season.queries import Tournament

_KNOWN = {word: column for column, some in WORDS["standings"].items() for word in some.split()}


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
    table = tables.read(
        path, lambda cells: len(_columns(cells)),
        say("the first line has to name the columns: round, player, score; or player and rounds."),
    )  # fmt: skip
    player = cache(resolve.Names(players).player)
    return Sent(str(path), table.place.unit, [*_scores(table, player)])


def _scores(table: tables.Table, find: Callable[[str], int]) -> Iterator[PrintedScore]:
    place, columns = table.place, _columns(table.headings)
    with parsing.naming(place.said):
        for place.number, row in table.rows:
            told = {columns[index]: cell for index, cell in enumerate(row) if index in columns}
            typed = told.pop("player")
            names.check_length(typed)
            if "round" in told:
                number = names.round_number(told["round"])
                told = {number: told.get("score", "")} if parsing.whole(number) else {}
            for number, cell in told.items():
                if number.isdecimal() and cell:
                    yield PrintedScore(int(number), find(typed), _number(cell))


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
    """By place what a column is: one of _KNOWN, or the number of a round."""
    found: dict[int, str] = {}
    for index, heading in enumerate(headings):
        number = re.fullmatch(r"(?:r|rnd|ronde|round|runde)?\.? ?([0-9]{1,3})", heading.casefold())
        column = number[1] if number else _KNOWN.get(plain(heading))
        if column and column not in found.values():
            found[index] = column
    return found if "player" in found.values() else {}


def _number(cell: str) -> float:
    plain = cell.replace(",", ".")
    if not re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]*)?", plain):
        raise KeizerError("“{typed}” is no score.", typed=names.shortened(cell))
    return float(plain)
