"""Whether an answer is what a case expects, cell by cell."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from . import positions


class Verdict(NamedTuple):
    """How many cells are right, of how many; and what is wrong, a sentence each."""

    right: int
    cells: int
    wrong: list[str]


def verdict(case: dict[str, Any], answer: dict[str, Any]) -> Verdict:
    """Of an answer to a case; a pairing is one cell."""
    if "position" in case:
        wrong = positions.wrong(case, answer) if "error" not in answer else [answer["error"]]
        return Verdict(int(not wrong), 1, wrong)
    tables = {table.get("round"): table for table in answer.get("tables", [])}
    right = cells = 0
    wrong = [str(answer["error"])] if "error" in answer else []
    for table in case["expect"]["tables"]:
        for name, expected, found in _cells(table, tables.get(table["round"], {})):
            cells += 1
            right += expected == found
            if expected != found:
                told = f"expected {_told(expected)}, found {_told(found)}"
                wrong.append(f"standings {table['round']}, {name}: {told}")
    return Verdict(right, cells, wrong)


def _told(value: object) -> str:
    if isinstance(value, tuple):
        return "; ".join(map(_told, value)) or "nothing"
    return str(value)


def _cells(table: dict[str, Any], found: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    """Name, what is expected and what was found."""
    ranks = found.get("ranks", {})
    if "listed" in table:
        yield "players listed", table["listed"], len(ranks)
    for player, rank in table.get("ranks", {}).items():
        yield f"rank of {player}", rank, ranks.get(player)
    if "values_by_place" in table:
        values = found.get("values", {})
        by_rank = [values.get(player) for player in sorted(ranks, key=lambda one: ranks[one])]
        for place, value in enumerate(table["values_by_place"]):
            here = by_rank[place] if place < len(by_rank) else None
            yield f"value of place {place + 1}", _exact(value), _exact(here)
    for what in ("values", "scores"):
        for player, amount in table.get(what, {}).items():
            here = found.get(what, {}).get(player)
            yield f"{what[:-1]} of {player}", _exact(amount), _exact(here)
    for player, lines in table.get("lines", {}).items():
        here = found.get("lines", {}).get(player, [])
        width = min(map(len, lines), default=3)
        yield from _lines(player, _counted(lines, width), _counted(here, width))
    for what in ("settled", "another"):
        if what in table:
            yield what, table[what], found.get(what)


def _lines(
    player: str, expected: Counter[tuple[Any, ...]], found: Counter[tuple[Any, ...]]
) -> Iterator[tuple[str, object, object]]:
    """A cell for each line; those too many are found where nothing is expected."""
    for line in (expected & found).elements():
        yield f"line of {player}", line, line
    missing, more = [*(expected - found).elements()], [*(found - expected).elements()]
    for index in range(max(len(missing), len(more))):
        yield (
            f"line of {player}",
            missing[index] if index < len(missing) else (),
            more[index] if index < len(more) else (),
        )


def _counted(lines: list[list[Any]], width: int) -> Counter[tuple[Any, ...]]:
    """Kind, points and, with width 3, round."""
    return Counter((line[0], _exact(line[1]), *line[2:width]) for line in lines)


def _exact(amount: object) -> Fraction | None:
    try:
        return None if amount is None else Fraction(str(amount))
    except ValueError:
        return None
