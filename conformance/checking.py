"""Whether an answer is what a case expects, cell by cell."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from . import positions, shape
from .seasons import rounded


class Verdict(NamedTuple):
    """How many cells are right, of how many; and what is wrong, a sentence each."""

    right: int
    cells: int
    wrong: list[str]


def verdict(case: dict[str, Any], answer: Any) -> Verdict:
    """Of an answer to a case; a pairing is one cell. Nothing of what is no answer is right."""
    fault = shape.fault_of_answer(answer, case)
    if isinstance(answer, dict) and "error" in answer:
        fault = str(answer["error"])
    if "position" in case:
        wrong = [fault] if fault else positions.wrong(case, answer)
        return Verdict(int(not wrong), 1, wrong)
    told = (
        ()
        if fault
        else as_printed(case, answer)
        if "printed_to" in case
        else answer["tables"]
    )
    tables = {table["round"]: table for table in told}
    right = cells = 0
    wrong = []
    for table in case["expect"]["tables"]:
        for name, expected, found in _cells(table, tables.get(table["round"], {})):
            cells += 1
            right += expected == found
            if expected != found:
                told = f"expected {_told(expected)}, found {_told(found)}"
                wrong.append(f"standings {table['round']}, {name}: {told}")
    return Verdict(0 if fault else right, cells, [fault] if fault else wrong)


def as_printed(
    case: dict[str, Any], answer: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """The tables of an answer as a page prints them: whom it lists, in rounded scores."""
    unit = Fraction(case["printed_to"])
    listed = {
        table["round"]: table.get("ranks", {}) for table in case["expect"]["tables"]
    }
    for table in answer["tables"]:
        ranks, scores = table.get("ranks", {}), table.get("scores", {})
        order = sorted(
            ranks.keys() & listed.get(table["round"], {}).keys(), key=ranks.__getitem__
        )
        yield {
            **table,
            "ranks": {player: rank for rank, player in enumerate(order, 1)},
            "scores": {
                who: str(rounded(Fraction(scores[who]), unit)) for who in scores
            },
        }


def _told(value: object) -> str:
    """A line as the examples have it; the round in brackets."""
    if isinstance(value, tuple):
        kind, points, *where = value
        return f"{kind} {points}" + "".join(
            f" (round {q})" for q in where if q is not None
        )
    return "nothing" if value is None else str(value)


def _cells(
    table: dict[str, Any], found: dict[str, Any]
) -> Iterator[tuple[str, object, object]]:
    """Name, what is expected and what was found."""
    ranks = found.get("ranks", {})
    if "listed" in table:
        yield "players listed", table["listed"], len(ranks)
    for player, rank in table.get("ranks", {}).items():
        yield f"rank of {player}", rank, ranks.get(player)
    at = {rank: found.get("values", {}).get(player) for player, rank in ranks.items()}
    for place, value in enumerate(table.get("values_by_place", []), 1):
        yield f"value of place {place}", _exact(value), _exact(at.get(place))
    for what in ("values", "scores"):
        for player, amount in table.get(what, {}).items():
            here = found.get(what, {}).get(player)
            yield f"{what[:-1]} of {player}", _exact(amount), _exact(here)
    for player, lines in table.get("lines", {}).items():
        here = found.get("lines", {}).get(player, [])
        width = min(map(len, lines), default=3)
        for expected, one in _paired(_counted(lines, width), _counted(here, width)):
            yield f"line of {player}", expected, one
    if "settled" in table:
        yield "settled", table["settled"], found.get("settled")


Line = tuple[Any, ...]


def _paired(
    expected: Counter[Line], found: Counter[Line]
) -> Iterator[tuple[Line | None, Line | None]]:
    """Each line, beside its like: the same, else one of its kind and round, else none."""
    for line in (expected & found).elements():
        yield line, line
    more = [*(found - expected).elements()]
    for line in (expected - found).elements():
        like = next(
            (one for one in more if (one[0], one[2:]) == (line[0], line[2:])), None
        )
        if like is not None:
            more.remove(like)
        yield line, like
    yield from ((None, line) for line in more)


def _counted(lines: list[list[Any]], width: int) -> Counter[Line]:
    """Kind, points and, with width 3, round."""
    return Counter((line[0], _exact(line[1]), *line[2:width]) for line in lines)


def _exact(amount: str | None) -> Fraction | None:
    return None if amount is None else Fraction(amount)
