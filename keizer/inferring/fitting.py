"""Numbers of rules that bring scores nearer to printed ones.

A score is a sum of lines, times x (factor x value + fixed), and a value is linear in the two
numbers of its ladder: so what a number more or less brings can be read from the lines.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from keizer.inferring.trial import Guess, Line, Result, Rules, Trial, share
from keizer.season import rules

K = TypeVar("K", bound=Hashable)
_ROUNDS = 5
"""Printed rounds that numbers are fitted to: the last ones."""
_PARTS = (1, 2, 3, 4, 5, 6, 10, 12, 20)
"""Denominators that clubs write."""


def fitted(trial: Trial, guess: Guess, until: int, *, few: bool = False) -> Iterator[Guess]:
    """Guesses with other numbers of ladder and kinds; few: only with both, kinds as shares."""
    rounds = [number for number in trial.rounds if number <= until][-_ROUNDS:]
    result = trial.read(guess, until)
    if not result.rows:
        return
    (_, start), *lists = trial.lines(guess, until, 0, *rounds)
    ends = {"top_value": max(start.values()), "bottom_value": min(start.values())}
    told = guess.rules | {key: ends[key] for key in ends if isinstance(guess.rules[key], str)}
    rows, aims = _equations(trial, result, told, rounds, [lines for lines, _ in lists])
    if not rows:
        return
    ladder = [*_ladder(told, 0.0)]
    seen = sorted({key for row in rows for key in row})
    shares = [key for key in seen if "." not in key and key not in (*ladder, "win")]
    absences = [key for key in shares if key not in ("own-value", "draw", "loss", "adjourned")]
    amounts = [key for key in seen if key.endswith(".fixed")]
    some = (
        absences, ladder, [*ladder, *absences], [*ladder, *absences, "own-value"],
        [*ladder, *shares], amounts, [*absences, *amounts], [*ladder, *shares, *amounts],
    )  # fmt: skip
    for free in some[2:3] if few else some:
        change = solved(rows, aims, free)
        for fine in (False, True):
            new = {key: _near(told[key], more, fine=fine) for key, more in change.items()}
            if any(value != guess.rules[key] for key, value in new.items()):
                yield guess._replace(rules=guess.rules | new)


def _ladder(told: Rules, value: float) -> dict[str, float]:
    """By the numbers of the ladder, how a value depends on each."""
    kind = str(told["ladder"])
    if kind in ("top", "bottom"):
        end = f"{kind}_value"
        return {end: 1.0, "step": (value - share(told[end])) / (share(told["step"]) or 1)}
    top, bottom = share(told["top_value"]), share(told["bottom_value"])
    part = (value - bottom) / (top - bottom or 1)
    return {"top_value": part, "bottom_value": 1 - part}


def _equations(
    trial: Trial, result: Result, told: Rules, rounds: list[int], lines: list[list[Line]]
) -> tuple[list[dict[str, float]], list[float]]:
    """For each printed score what a unit more of each number brings, and how much is wanted."""
    rows, aims = [], []
    for number, of_round in zip(rounds, lines, strict=True):
        brought = defaultdict[int, dict[str, float]](lambda: defaultdict(float))
        for line in of_round:
            key, row = line.kind.replace(" ", "-"), brought[line.player]
            if key in told:
                row[key] += line.times * line.value
                row[f"{key}.fixed"] += line.times
                for end, part in _ladder(told, line.value).items():
                    row[end] += line.times * line.factor * part
        for cell in trial.cells:
            if cell.round == number and (number, cell.player) in result.rows:
                rows.append(dict(brought[cell.player]))
                aims.append(cell.score - result.rows[number, cell.player])
    return rows, aims


def solved(
    rows: Sequence[Mapping[K, float]], aims: Sequence[float], free: Sequence[K], passes: int = 12
) -> dict[K, float]:
    """Numbers whose shares in each row add up to its aim; 0 where nothing tells.

    Least absolute deviations, by so many passes of weighted least squares.
    """
    weights, found = [1.0] * len(rows), dict.fromkeys(free, 0.0)
    for _ in range(passes):
        matrix = {one: dict.fromkeys((*free, None), 0.0) for one in free}
        for row, aim, weight in zip(rows, aims, weights, strict=True):
            there = {key: part for key, part in row.items() if key in matrix and part}
            for one, own in there.items():
                for other, part in there.items():
                    matrix[one][other] += weight * own * part
                matrix[one][None] += weight * own * aim
        found = _eliminated(matrix)
        weights = [
            1 / max(abs(aim - sum(found.get(key, 0) * row[key] for key in row)), 1e-4)
            for row, aim in zip(rows, aims, strict=True)
        ]
    return found


def _eliminated(matrix: dict[K, dict[K | None, float]]) -> dict[K, float]:
    """The solution of linear equations, by Gauss and Jordan; its right side is under None."""
    for one, row in matrix.items():
        row[one] += 1e-9 * (1 + row[one])
        scale = row[one]
        for key in row:
            row[key] /= scale
        for other, theirs in matrix.items():
            if other != one and (part := theirs[one]):
                for key, cell in row.items():
                    theirs[key] -= part * cell
    return {one: row[None] for one, row in matrix.items()}


def _near(before: rules.Value, more: float, *, fine: bool) -> rules.Value:
    """A number as clubs write it: a twelfth or a twentieth, else three decimals."""
    exact = max(share(before) + more, 0.0)
    within = 0.0004 if fine else 0.02
    for of in _PARTS:
        if abs((whole := round(exact * of)) - exact * of) <= within * of:
            return (
                whole // of if whole % of == 0 else f"{whole}/{of}" if of % 3 == 0 else whole / of
            )
    return round(exact, 3)
