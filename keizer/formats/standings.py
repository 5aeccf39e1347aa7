"""Standings as another program printed them: a table of scores, or an export of Sevilla."""

import re
from collections.abc import Iterator
from pathlib import Path

from keizer.errors import KeizerError
from keizer.formats import facts, seasons, sevilla, tables
from keizer.formats.members import WORDS, plain
from keizer.inferring.trial import Cell
from keizer.messages import say
from keizer.season import names, resolve, roster
from keizer.season.queries import Tournament

_KNOWN = {word: column for column, some in WORDS["standings"].items() for word in some.split()}


def read(tournament: Tournament, path: Path) -> list[Cell]:
    """The scores that were printed, of the tournament's players.

    A table has a row a score (columns round, player, score), or a row a
    player, whose columns of scores are called by the round. Raises KeizerError, with the place.
    """
    if seasons.kind(path) == "sevilla":
        cells = sevilla.standings(tournament, path)
    else:
        cells = [*_table(tournament, path)]
    if not cells:
        with facts.naming(str(path)):
            raise KeizerError("there is no score in it.")
    return cells


def _table(tournament: Tournament, path: Path) -> Iterator[Cell]:
    found = tables.read(
        path, lambda cells: len(_columns(cells)),
        say("the first line has to name the columns: round, player, score; or player and rounds."),
    )  # fmt: skip
    place, columns, players = found.place, _columns(found.headings), roster.players(tournament)
    with facts.naming(place.said):
        for place.number, row in found.rows:
            told = {columns[index]: cell for index, cell in enumerate(row) if index in columns}
            player = resolve.player(told.pop("player"), players)
            if "round" in told:
                number = names.round_number(told["round"])
                told = {number: told.get("score", "")} if facts.whole(number) else {}
            for number, cell in told.items():
                if number.isdecimal() and cell:
                    yield Cell(int(number), player, _number(cell))


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
