"""Numbers of rules that bring scores nearer to printed ones.

A score is a sum of lines, times x (factor x value + fixed), and a value is linear in the two
numbers of its ladder: so what a number more or less brings can be read from the lines.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from keizer.inferring.trial import Guess, Line, Rules, Trial, share
from keizer.season import rules

_ROUNDS = 5
"""Printed rounds that numbers are fitted to: the last ones."""
_PASSES = 12
_PARTS = (1, 2, 3, 4, 5, 6, 10, 12, 20)
"""Denominators that clubs write."""


def fitted(trial: Trial, guess: Guess, until: int, *, all_: bool = False) -> Iterator[Guess]:
    """Guesses with other numbers: of the ladder, of kinds, of both, as shares and as amounts.

    all_: only with the shares and the ladder together.
    """
    rounds = [number for number in trial.rounds if number <= until][-_ROUNDS:]
    (_, start), *lists = trial.lines(guess, until, 0, *rounds)
    ends = {
        "top_value": max(start.values(), default=0),
        "bottom_value": min(start.values(), default=0),
    }
    ends = {key: value for key, value in ends.items() if isinstance(guess.rules[key], str)}
    told = guess.rules | ends
    rows, aims = _equations(trial, guess, told, rounds, [lines for lines, _ in lists])
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
    for free in some[2:3] if all_ else some:
        change = _solved(rows, aims, free)
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
    trial: Trial, guess: Guess, told: Rules, rounds: list[int], lines: list[list[Line]]
) -> tuple[list[dict[str, float]], list[float]]:
    """For each printed score what a unit more of each number brings, and how much is wanted."""
    rows, aims = [], []
    result = trial.read(guess, rounds[-1])
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
            if result and cell.round == number and (number, cell.player) in result.rows:
                rows.append(dict(brought[cell.player]))
                aims.append(cell.score - result.rows[number, cell.player].score)
    return rows, aims


def _solved(rows: list[dict[str, float]], aims: list[float], free: list[str]) -> dict[str, float]:
    """What to add to each number: least absolute deviations, by reweighted least squares."""
    weights, change = [1.0] * len(rows), dict.fromkeys(free, 0.0)
    for _ in range(_PASSES):
        matrix = [[0.0] * (len(free) + 1) for _ in free]
        for row, aim, weight in zip(rows, aims, weights, strict=True):
            for i, one in enumerate(free):
                if here := weight * row.get(one, 0.0):
                    for j, other in enumerate(free):
                        matrix[i][j] += here * row.get(other, 0.0)
                    matrix[i][-1] += here * aim
        for i in range(len(free)):
            matrix[i][i] += 1e-9 * (1 + matrix[i][i])
        change = dict(zip(free, _eliminated(matrix), strict=True))
        weights = [
            1 / max(abs(aim - sum(change[key] * row.get(key, 0.0) for key in free)), 1e-4)
            for row, aim in zip(rows, aims, strict=True)
        ]
    return change


def _eliminated(matrix: list[list[float]]) -> list[float]:
    """The solution of linear equations, by Gauss and Jordan; 0 where nothing tells."""
    size = len(matrix)
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(matrix[row][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        if abs(matrix[i][i]) < 1e-12:
            matrix[i] = [float(i == j) for j in range(size)] + [0.0]
        scale = matrix[i][i]
        matrix[i] = [cell / scale for cell in matrix[i]]
        for row in range(size):
            if row != i and (share := matrix[row][i]):
                matrix[row] = [
                    cell - share * own for cell, own in zip(matrix[row], matrix[i], strict=True)
                ]
    return [row[-1] for row in matrix]


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
