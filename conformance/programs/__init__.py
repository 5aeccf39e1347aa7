"""Presets held against the programs that they are of: python -m conformance programs.

A module here is a program as it computes, written anew from reading its source, plain and slow:

    PRESET       its name in presets.toml
    RULES        its nearest rules, of a program that has no preset, since none is the program
    OPTIONS      its options there, which are tried alone and in pairs that do not contradict
    NOT_REACHED  options (or the name itself) with which not every cell is the program's, and why
    KINDS        kinds of rounds without a game in its seasons; a bye where the number is odd
    RESULTS      of its games; if left out, the three that every program has
    SIZES        numbers of players; if left out, 4 to 24
    LEAVING      True if players withdraw: `last_round`
    TOLERANCE    how far off a score or a value may be, where the program prints it rounded
    tables(case, options)  what it prints: a list of tables, each with `round` and some of
        `ranks`, `scores` and `values`, text for numbers; a round without a table is not judged

Only PRESET or RULES, OPTIONS, KINDS and tables have to be there.

The seasons are drawn, with ratings that all differ. What keizer says comes from its own views, with
the settings of the preset. `printed` writes a table.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from conformance import adapter, notation
from keizer.season import presets

Case = dict[str, Any]


class Held(NamedTuple):
    """How many cells are as the program has them, of how many; and those that are not."""

    right: int
    cells: int
    wrong: list[str]


def known() -> dict[str, ModuleType]:
    """The programs, by the names of their presets; where there is none, by their own."""
    found = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    modules = {name: import_module(f"{__name__}.{name}") for name in found}
    return {getattr(module, "PRESET", name): module for name, module in modules.items()}


def printed(
    number: int,
    order: Iterable[int],
    scores: Mapping[int, object],
    values: Mapping[int, object] | None = None,
) -> Case:
    """What is printed after a round: ranks in this order, scores, and values where it has them."""
    ranks = {str(player): rank for rank, player in enumerate(order, 1)}
    found: Case = {"round": number, "ranks": ranks, "scores": _texts(scores)}
    return found if values is None else found | {"values": _texts(values)}


def _texts(told: Mapping[int, object]) -> dict[str, str]:
    return {str(player): str(amount) for player, amount in told.items()}


def combined(name: str, most: int = 2) -> Iterator[str]:
    """A preset, with each of its options, and with each two that set no rule differently."""
    told = presets.load_presets().get(name, {}).get("options", {})
    options = known()[name].OPTIONS
    for chosen in (
        some for many in range(most + 1) for some in combinations(options, many)
    ):
        pairs = {pair for option in chosen for pair in told[option]["settings"].items()}
        if len(pairs) == len(dict(pairs)):
            yield "+".join((name, *chosen))


def season(program: ModuleType, rng: random.Random) -> Case:
    """Players, and rounds in which not everybody plays."""
    count = rng.choice(getattr(program, "SIZES", range(4, 25)))
    results = getattr(program, "RESULTS", ("1-0", "½-½", "0-1"))
    away = [kind for kind in program.KINDS if kind != "bye"]
    ratings = rng.sample(range(800, 2400), count)
    shares = rng.choices([0, 0.1, 0.2, 0.5], k=rng.randint(3, 12))
    leaving = range(1, count - 3 if getattr(program, "LEAVING", False) else 1)
    last = {
        player: rng.randint(1, len(shares)) for player in leaving if rng.random() < 0.1
    }
    rounds = []
    for number, share in enumerate(shares, 1):
        there, unplayed = [], {}
        for player in rng.sample(range(1, count + 1), count):
            if last.get(player, number) < number:
                continue
            if away and rng.random() < share:
                unplayed[str(player)] = rng.choice(away)
            else:
                there.append(player)
        if len(there) % 2:
            unplayed[str(there.pop())] = "bye"
        boards = zip(there[::2], there[1::2], strict=True)
        games = [[white, black, rng.choice(results)] for white, black in boards]
        rounds.append({"games": games, "unplayed": unplayed})
    players = [
        {"id": player, "rating": rating} for player, rating in enumerate(ratings, 1)
    ]
    for player, number in last.items():
        players[player - 1]["last_round"] = number
    return {"players": players, "rounds": rounds}


@cache
def held(name: str, seed: int, count: int) -> Held:
    """A preset, NAME or NAME+OPTION..., beside its program, in a number of seasons."""
    base, *options = name.split("+")
    program = known()[base]
    rules = getattr(program, "RULES", None) or notation.rules_of(
        presets.find_preset(name)
    )
    near = getattr(program, "TOLERANCE", 0)
    found = Held(0, 0, [])
    for number in range(1, count + 1):
        case = season(program, random.Random(f"{base} {seed} {number}"))
        theirs = program.tables(case, frozenset(options))
        ours = adapter.season({**case, "rules": rules})["tables"]
        for table in theirs:
            place = f"season {number}, standings {table['round']}"
            for what, told, here in _cells(table, ours[table["round"]]):
                right = told == here
                if not right and told and here and not what.startswith("rank"):
                    right = abs(Fraction(told) - Fraction(here)) <= near
                found = found._replace(right=found.right + right, cells=found.cells + 1)
                if not right:
                    found.wrong.append(f"{place}, {what}: there {told}, here {here}")
    return found


def _cells(theirs: Case, ours: Case) -> Iterator[tuple[str, Any, Any]]:
    """What, there and here; of ranks also who is listed here alone."""
    for part in ("ranks", "scores", "values"):
        told = theirs.get(part, {})
        more = ours[part] if part == "ranks" and told else {}
        for player in {**told, **more}:
            yield f"{part[:-1]} of {player}", told.get(player), ours[part].get(player)
