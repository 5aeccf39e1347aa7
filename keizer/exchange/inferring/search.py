"""Which rules a season was played by: those of a preset, or one rule after another.

A guess goes through the printed rounds: in the first the start order is solved, in each one the
kinds of absence. Where scores differ, rules are changed: a topic as any preset has it, or numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations_with_replacement, islice, pairwise
from typing import NamedTuple, TypeVar

from keizer import resources
from keizer.exchange.inferring import trial as trials
from keizer.exchange.inferring.trial import (
    Absence,
    Guess,
    Line,
    PrintedScore,
    Result,
    Rules,
    Scores,
    Trial,
    share,
)
from keizer.messages import Message
from keizer.season import presets, rules
from keizer.season.queries import Tournament

_TOPICS = resources.table(__file__, "topics.toml")
_SHARED, _ALTERNATIVES, _MENDED, _TRIED, _SEEDS = 3000, 3, 4, 4000, 3
"""The most ways to share kinds among absences; other values of a rule; changed guesses whose kinds
are looked at; guesses; presets that are changed."""
K = TypeVar("K", bound=Hashable)
_ROUNDS = 5
"""Printed rounds that numbers are fitted to: the last ones."""
_PARTS = (1, 2, 3, 4, 5, 6, 10, 12, 20)
"""Denominators that clubs write."""


class Inferred(NamedTuple):
    """What was found: the nearest preset, None for the rules that are there, and what differs.

    settings: KEY=VALUE. open: rules that could be so as well. start: the start order, and kinds
    of absences, where they are not those of the file. wrong of cells: not as printed; rows: ours.
    """

    preset: str | None
    settings: list[str]
    open: list[str]
    start: tuple[int, ...]
    kinds: dict[Absence, str]
    cells: Sequence[PrintedScore]
    wrong: Sequence[PrintedScore]
    rows: Scores

    @property
    def is_poor(self) -> bool:
        """Whether more than a tenth of the scores differ."""
        return 10 * len(self.wrong) > len(self.cells)

    def agreement(self, tournament: Tournament) -> Message:
        """How many scores are as printed, and which are not."""
        return trials.agreement(tournament, self.cells, self.wrong, self.rows)


class Search(Trial):
    """Looks for the rules of which the printed scores are."""

    def __init__(self, tournament: Tournament, cells: list[PrintedScore]) -> None:
        super().__init__(tournament, cells)
        self.last, self.topics = self.rounds[-1], set(chain(*_TOPICS["together"]))
        self.keys = {
            key for key, place in self.places.items()
            if key in self.topics or (place.table == "scoring" and place.column != "points")
        }  # fmt: skip
        self.known: dict[str, Rules] = {}

    def _rules(self, found: Rules) -> Rules:
        """The rules that a score depends on."""
        plain = {*_TOPICS["plain"]}.issuperset(str(found["tiebreaks"]).split(","))
        kept = {key: value for key, value in found.items() if key in self.keys}
        return kept if plain else kept | {"tiebreaks": trials.PLAIN_ORDER}

    def run(self) -> Inferred:
        """The best that is found."""
        seeds, walked = [self._rules(self.now)], list[tuple[Guess, Result]]()
        for options in (False, True):
            found = presets.rules_by_preset(options=options)
            self.known |= {name: self._rules(found[name]) for name in found}
            for rules_ in (*seeds, *(self.known[name] for name in found)):
                if rules_ not in [guess.rules for guess, _ in walked]:
                    walked.append(self.walk(Guess(rules_)))
                    if not walked[-1][1].wrong:
                        return self._told(walked[-1][0])
        others = sorted(walked[1:], key=lambda one: one[1].rating, reverse=True)
        improved = []
        for guess, result in (walked[0], *others[:_SEEDS]):
            improved.append(self.improve(guess, result))
            if not improved[-1][1].wrong:
                break
        return self._told(max(improved, key=lambda one: one[1].rating)[0])

    def walk(self, guess: Guess) -> tuple[Guess, Result]:
        """Go through the printed rounds as long as most is right: the guess then, what it brings.

        The scores of rounds that are not reached are wrong.
        """
        before, result = 0, self.read(guess, self.rounds[0])
        for number in self.rounds:
            guess, result = self.mended(guess, self.read(guess, number), before, number)
            here = [cell.round for cell in self.cells].count(number)
            if 2 * sum(cell.round == number for cell in result.wrong) > here:
                break
            before = number
        left = [cell for cell in self.cells if cell.round > number]
        return guess, result._replace(wrong=result.wrong + left)

    def mended(
        self, guess: Guess, result: Result, before: int, number: int
    ) -> tuple[Guess, Result]:
        """The guess with the start order and the kinds of absence that make more right."""
        first = number == 1 and not guess.start
        for attempt in (*[self._started] * first, self._absent):
            for other in attempt(guess, result, before, number) if result.wrong else ():
                found = self.read(other, number)
                if found.rating > result.rating:
                    guess, result = other, found
        return guess, result

    def _worth(
        self, guess: Guess
    ) -> tuple[dict[int, float], dict[int, float], dict[int, float]]:
        """What each was worth in the first round, from the scores of both who met.

        For those who were absent: what is wanted, and their share of the own value without it.
        """
        ((lines, _),) = self.lines(guess, 1, 1)
        need = {cell.player: cell.score for cell in self.cells if cell.round == 1}
        parts = {player: defaultdict[int, float](float) for player in need}
        away = {
            line.player for line in lines if line.is_absence and line.player in need
        }
        for line in lines:
            if line.player in need and not line.is_absence:
                need[line.player] -= line.times * line.fixed
                parts[line.player][line.opponent or line.player] += (
                    line.times * line.factor
                )
        some = [player for player in need if player not in away]
        worth = solved(
            [parts[one] for one in some], [need[one] for one in some], some, passes=1
        )
        return (
            worth,
            {one: need[one] for one in away},
            {one: parts[one][one] for one in away},
        )

    def _started(
        self, guess: Guess, _res: Result, _was: int, number: int
    ) -> Iterator[Guess]:
        """The start order that the first scores tell, and kinds; or the order of the scores."""
        ((_, start),) = self.lines(guess, number, 0)
        worth, need, own = self._worth(guess)
        within = 4 * self.within + share(guess.rules["line_rounding"])
        free, places = dict(enumerate(start.values())), dict[int, int]()
        for player in sorted(worth.keys() & start, key=worth.__getitem__, reverse=True):
            near = min(free, key=lambda place: abs(free[place] - worth[player]))
            if abs(free[near] - worth[player]) <= within:
                places[near] = player
                del free[near]
        seats = {
            player: [
                (place, kind) for kind, (factor, fixed) in self._kinds(guess).items()
                for place, value in free.items()
                if abs((own[player] + factor) * value + fixed - need[player]) <= within
            ]
            for player in need if player in start
        }  # fmt: skip
        told = sorted(
            (one for one in seats if seats[one]), key=lambda one: len(seats[one])
        )
        found = dict(
            zip(
                told,
                next(_seated([seats[one] for one in told], set()), []),
                strict=False,
            )
        )
        places |= {place: player for player, (place, _) in found.items()}
        left = iter([player for player in start if player not in places.values()])
        yield guess._replace(
            start=tuple(places.get(at) or next(left) for at in range(len(start))),
            kinds=guess.kinds
            | {(number, player): kind for player, (_, kind) in found.items()},
        )
        scores = {
            cell.player: cell.score for cell in self.cells if cell.round == number
        }
        yield guess._replace(
            start=tuple(sorted(start, key=lambda one: -scores.get(one, 0)))
        )

    def _laddered(self, guess: Guess) -> Iterator[Guess]:
        """Ladders by equal steps on which the values of the first round are, and start orders."""
        plain = guess._replace(start=(), kinds={})
        ((_, start),) = self.lines(guess, 1, 0)
        worth = self._worth(plain)[0].values()
        values = sorted(value for value in worth if value > self.within)
        steps = Counter(round(high - low, 2) for low, high in pairwise(values))
        for rough, _ in [one for one in steps.most_common() if one[0] > 0][:2]:
            step = (values[-1] - values[0]) / (
                round((values[-1] - values[0]) / rough) or 1
            )
            for above in range(3):
                top = round(values[-1] + above * step, 2)
                last = max(round(top - (len(start) - 1) * step, 2), 0)
                down: Rules = {
                    "ladder": "top",
                    "top_value": top,
                    "step": round(step, 3),
                }
                parts: Rules = {
                    "ladder": "range",
                    "top_value": top,
                    "bottom_value": last,
                }
                for ladder in (down, parts):
                    made = plain._replace(
                        rules={**guess.rules, **ladder, "floor_value": 0}
                    )
                    result = self.read(made, 1)
                    if result.rows:
                        yield next(self._started(made, result, 0, 1))

    def _kinds(self, guess: Guess) -> dict[str, tuple[float, float]]:
        """The kinds of absence, with what each brings: a share and an amount."""
        keys = {kind: rules.kind_as_key(kind) for kind in self.absences}
        return {kind: (share(guess.rules[key]), share(guess.rules[f"{key}.fixed"]))
                for kind, key in keys.items() if key in guess.rules}  # fmt: skip

    def _absent(
        self, guess: Guess, result: Result, before: int, number: int
    ) -> Iterator[Guess]:
        """Other kinds where scores differ: of the rounds since the last printed one, or of all."""
        ((lines, here),) = self.lines(guess, number, number)
        wrong = {
            cell.player: cell.score for cell in result.wrong if cell.round == number
        }
        worth: dict[int, float] = {}
        # Values of the printed list.
        if guess.rules["recalculation"] in ("settled", "latest"):
            told = {
                key[1]: score for key, score in result.rows.items() if key[0] == number
            }
            order = sorted(here, key=lambda player: -(told | wrong).get(player, 0))
            worth = dict(zip(order, here.values(), strict=True))
        for since in dict.fromkeys((before, 0)):
            need, absent = dict(wrong), defaultdict[int, list[Line]](list)
            for one in lines:
                line = one._replace(
                    value=worth.get(one.opponent or one.player, one.value)
                )
                if (
                    line.player in wrong
                    and line.is_absence
                    and (line.played_in or 0) > since
                ):
                    absent[line.player].append(line)
                elif line.player in wrong:
                    more = line.times * line.factor * (line.value - one.value)
                    need[line.player] -= one.points + more
            new = dict(guess.kinds)
            for player, some in absent.items():
                kinds = self._shared(some, self._kinds(guess), need[player])
                new |= {(line.played_in or 0, player): kind
                        for line, kind in zip(some, kinds, strict=False)}  # fmt: skip
            yield guess._replace(kinds=new)

    def _shared(
        self, lines: list[Line], kinds: Mapping[str, tuple[float, float]], need: float
    ) -> tuple[str, ...]:
        """A kind for each line so that they bring what is needed; none where they cannot."""
        for some in islice(combinations_with_replacement(kinds, len(lines)), _SHARED):
            pairs = zip(lines, map(kinds.__getitem__, some), strict=True)
            brought = sum(
                factor * line.value + fixed for line, (factor, fixed) in pairs
            )
            if abs(brought - need) <= self.within:
                return some
        return ()

    # ------------------------------------------------------------- other rules

    def improve(self, guess: Guess, result: Result) -> tuple[Guess, Result]:
        """Change rules until all is right, or nothing gets better."""
        while result.wrong and self.tried < _TRIED:
            number = min(cell.round for cell in self.read(guess, self.last).wrong)
            others = [*self._others(guess)]
            # The start order may be right, and was not with other values.
            if number == 1:
                others += [*fitted(self, guess._replace(start=(), kinds={}), 1)]
                others += self._laddered(guess)
            wider = chain.from_iterable(
                fitted(self, one, number, few=True) for one in others
            )
            found = self._better(guess, [*fitted(self, guess, number), *others], number)
            after = self.walk(found or self._better(guess, wider, number) or guess)
            if after[1].rating <= result.rating:
                break
            guess, result = after
        return guess, result

    def _better(
        self, guess: Guess, tries: Iterable[Guess], number: int
    ) -> Guess | None:
        """The best of other guesses up to a round, if it is better."""
        rated = [(self.read(other, number), other) for other in tries]
        rated.sort(key=lambda one: one[0].rating, reverse=True)
        best_of = [one for one in rated[:_MENDED] if one[0].rows]
        mended = [self.mended(other, result, 0, number) for result, other in best_of]
        best, result = max(mended, key=lambda one: one[1].rating, default=(None, None))
        return (
            best if result and result.rating > self.read(guess, number).rating else None
        )

    def _others(self, guess: Guess) -> Iterator[Guess]:
        """A topic as some preset has it, and what no preset may have."""
        ((_, start),) = self.lines(guess, 0, 0)
        ends: Rules = {
            "top_value": max(start.values()),
            "bottom_value": min(start.values()),
        }
        for key, known in _TOPICS["any"].items():
            for one in known:
                more = ends if key == "ladder" else {}
                yield guess._replace(rules={**guess.rules, **more, key: one})
        kinds = defaultdict[str, list[str]](list)
        for key in sorted(self.keys - self.topics):
            kinds[key.partition(".")[0]].append(key)
        for topic in (*_TOPICS["together"], *kinds.values()):
            seen = [{key: guess.rules.get(key) for key in topic}]
            for preset in self.known.values():
                values = {
                    key: preset[key]
                    for key in topic
                    if key in preset and key in guess.rules
                }
                if values and values not in seen:
                    seen.append(values)
                    yield guess._replace(rules=guess.rules | values)

    # ------------------------------------------------------------- what is told

    def _told(self, guess: Guess) -> Inferred:
        result = self.read(guess, self.last)
        near: dict[str | None, Rules] = {None: self._rules(self.now)}
        near.update(self.known)
        name = min(near, key=lambda name: len(_differing(guess.rules, near[name])))
        for key, value in near[
            name
        ].items():  # what nothing asks for is as in the preset
            if key in guess.rules and not _same(value, guess.rules[key]):
                plain = guess._replace(rules=guess.rules | {key: value})
                if (other := self.read(plain, self.last)).right >= result.right:
                    guess, result = plain, other
        kinds = {
            key: kind for key, kind in guess.kinds.items() if self.kinds[key] != kind
        }
        return Inferred(
            name, _differing(guess.rules, near[name]), self._open(guess, result),
            guess.start, kinds, self.cells, result.wrong, result.rows,
        )  # fmt: skip

    def _open(self, guess: Guess, result: Result) -> list[str]:
        """Single rules with which as much is right, KEY=VALUE, of what was seen."""
        ((lines, _),) = self.lines(guess, self.last, self.last)
        seen = {
            *self.kinds.values(),
            *guess.kinds.values(),
            *(line.kind for line in lines),
        }
        kinds = [rules.kind_as_key(kind) for kind in sorted(seen)]
        asked = [*_TOPICS["asked"], *kinds, *(f"{kind}.season_cap" for kind in kinds)]
        found = []
        for key in [key for key in asked if key in guess.rules]:
            there = {known.get(key) for known in self.known.values()}
            others = [value for value in there if not _same(value, guess.rules[key])]
            for value in sorted(others, key=str)[:_ALTERNATIVES]:
                other = self.read(
                    guess._replace(rules=guess.rules | {key: value}), self.last
                )
                if other.right >= result.right:
                    found.append(str(rules.Rule(key, value)))
        return found


Seat = tuple[int, str]
"""A place in the start list, and the kind of absence that fits it."""


def _seated(choices: Sequence[list[Seat]], taken: set[int]) -> Iterator[list[Seat]]:
    """One of the choices of each so that nobody shares a place."""
    if not choices:
        yield []
    for place, kind in choices[0] if choices else ():
        if place not in taken:
            for others in _seated(choices[1:], taken | {place}):
                yield [(place, kind), *others]


def _same(one: rules.Value, other: rules.Value) -> bool:
    try:
        return share(one) == share(other) and (one is None) == (other is None)
    except ValueError:
        return one == other


def _differing(one: Rules, other: Rules) -> list[str]:
    """The rules of one that the other has not so, KEY=VALUE."""
    return [str(rules.Rule(key, value)) for key, value in one.items()
            if key not in other or not _same(value, other[key])]  # fmt: skip


# ------------------------------------------------------------- numbers
# A score is a sum of lines, times x (factor x value + fixed), and a value is linear in the two
# numbers of its ladder: so what a number more or less brings can be read from the lines.


def fitted(
    trial: Trial, guess: Guess, until: int, *, few: bool = False
) -> Iterator[Guess]:
    """Guesses with other numbers of ladder and kinds; few: only with both, kinds as shares."""
    rounds = [number for number in trial.rounds if number <= until][-_ROUNDS:]
    result = trial.read(guess, until)
    if not result.rows:
        return
    (_, start), *lists = trial.lines(guess, until, 0, *rounds)
    ends = {"top_value": max(start.values()), "bottom_value": min(start.values())}
    told = guess.rules | {
        key: ends[key] for key in ends if isinstance(guess.rules[key], str)
    }
    rows, aims = _equations(trial, result, told, rounds, [lines for lines, _ in lists])
    if not rows:
        return
    ladder = [*_ladder(told, 0.0)]
    seen = sorted({key for row in rows for key in row})
    shares = [key for key in seen if "." not in key and key not in (*ladder, "win")]
    absences = [
        key for key in shares if key not in ("own-value", "draw", "loss", "adjourned")
    ]
    amounts = [key for key in seen if key.endswith(".fixed")]
    some = (
        absences, ladder, [*ladder, *absences], [*ladder, *absences, "own-value"],
        [*ladder, *shares], amounts, [*absences, *amounts], [*ladder, *shares, *amounts],
    )  # fmt: skip
    for free in some[2:3] if few else some:
        change = solved(rows, aims, free)
        for fine in (False, True):
            new = {
                key: _near(told[key], more, fine=fine) for key, more in change.items()
            }
            if any(value != guess.rules[key] for key, value in new.items()):
                yield guess._replace(rules=guess.rules | new)


def _ladder(told: Rules, value: float) -> dict[str, float]:
    """By the numbers of the ladder, how a value depends on each."""
    kind = str(told["ladder"])
    if kind in ("top", "bottom"):
        end = f"{kind}_value"
        return {
            end: 1.0,
            "step": (value - share(told[end])) / (share(told["step"]) or 1),
        }
    top, bottom = share(told["top_value"]), share(told["bottom_value"])
    part = (value - bottom) / (top - bottom or 1)
    return {"top_value": part, "bottom_value": 1 - part}


def _equations(
    trial: Trial,
    result: Result,
    told: Rules,
    rounds: list[int],
    lines: list[list[Line]],
) -> tuple[list[dict[str, float]], list[float]]:
    """For each printed score what a unit more of each number brings, and how much is wanted."""
    rows, aims = [], []
    for number, of_round in zip(rounds, lines, strict=True):
        brought = defaultdict[int, dict[str, float]](lambda: defaultdict(float))
        for line in of_round:
            key, row = rules.kind_as_key(line.kind), brought[line.player]
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
    rows: Sequence[Mapping[K, float]],
    aims: Sequence[float],
    free: Sequence[K],
    passes: int = 12,
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
                whole // of
                if whole % of == 0
                else f"{whole}/{of}"
                if of % 3 == 0
                else whole / of
            )
    return round(exact, 3)
