"""Which rules a season was played by: those of a preset, or one rule after another.

A guess walks through the printed rounds. In the first of them the start order is solved, in each
one what kind an absence was. Where scores differ, the rules are changed: topic by topic as any
preset has them, and numbers by least absolute deviations, as every score is a sum of lines.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, islice
from typing import Any, NamedTuple

from keizer.inferring.fitting import fitted
from keizer.inferring.printed import Cell, Row
from keizer.inferring.trial import Absence, Guess, Line, Result, Rules, Trial, share
from keizer.season import presets, rules
from keizer.season.queries import Tournament

_TOPICS: tuple[tuple[str, ...], ...] = (
    ("top_value",),
    ("ladder", "top_value", "bottom_value", "step", "places_per_step", "floor_value"),
    ("value_rounding", "halves"),
    ("recalculation", "settled_from", "cycle_takes", "max_passes"),
    ("own-value", "own_value_at", "bonus", "bonus_rounds", "aalsmeer"),
    ("line_rounding", "halves"),
    ("score_rounding", "halves"),
    ("tiebreaks",),
    ("newcomers",),
    ("withdrawn",),
)
"""Rules that are changed together."""
_ASKED = ("recalculation", "own_value_at", "line_rounding", "score_rounding", "tiebreaks")
"""Rules of which it is looked at whether they could be otherwise, beside those of kinds."""
_MOST = 3000
"""Ways to share kinds among the absences of a player that are looked at."""
_ALTERNATIVES = 3
"""Other values of a rule that are tried on what was found."""
_TRIED = 4000
"""Guesses after which no further ones are made."""
_SETTLED = ("settled", "latest")
_MENDED = 4
"""Of other rules, the best of which it is looked at whether kinds of absence make more right."""
_SEEDS = 3
"""Presets that are changed, the best first."""


class Inferred(NamedTuple):
    """What was found: the nearest preset, None for the rules that are there, and what differs.

    settings: KEY=VALUE. open: rules that could have these values as well. unseen: kinds that
    never were. start: the start order (player ids), if it is not that of the file. kinds: those
    of absences that are others than in the file. right of cells: scores as printed; wrong: those
    that are not, with ours. tried: how many guesses.
    """

    preset: str | None
    settings: list[str]
    open: dict[str, list[rules.Value]]
    unseen: list[str]
    start: tuple[int, ...]
    kinds: dict[Absence, str]
    cells: Sequence[Cell]
    wrong: Sequence[Cell]
    rows: Mapping[tuple[int, int], Row]
    tried: int


class Search:
    """Looks for the rules of which the printed scores are."""

    def __init__(self, tournament: Tournament, cells: list[Cell]) -> None:
        self.trial = Trial(tournament, cells)
        self.last = self.trial.rounds[-1]
        topics = {key for topic in _TOPICS for key in topic}
        self.keys = {
            key for key, place in self.trial.places.items()
            if key in topics or (place.table == "scoring" and place.column != "points")
        }  # fmt: skip
        self.known = {name: self._rules(found) for name, found in presets.every().items()}

    def _rules(self, found: Rules) -> Rules:
        """The rules that a score depends on."""
        return {key: value for key, value in found.items() if key in self.keys}

    def run(self) -> Inferred:
        """The best that is found."""
        seeds = [self._rules(self.trial.now)]
        seeds += [known for known in self.known.values() if known not in seeds]
        walked = []
        for rules_ in seeds:
            walked.append(self.walk(Guess(rules_)))
            if walked[-1][1][0] == len(self.trial.cells):
                return self._told(walked[-1][0])
        walked.sort(key=lambda found: found[1], reverse=True)
        improved = map(self.improve, [guess for guess, _ in walked[:_SEEDS]])
        best = max([*improved, walked[0]], key=lambda found: found[1])
        return self._told(best[0])

    def read(self, guess: Guess, until: int) -> Result:
        """What a guess brings; nothing right where it cannot be."""
        return self.trial.read(guess, until) or Result({}, self.trial.cells, 0, 1e9)

    # ------------------------------------------------------------- a guess alone

    def walk(self, guess: Guess, *, deep: bool = False) -> tuple[Guess, tuple[int, float]]:
        """Go through the printed rounds as long as most is right; the guess then, and how good."""
        before, found = 0, (0, -1e9)
        for number in self.trial.rounds:
            result = self.read(guess, number)
            if result.wrong:
                guess, result = self.mended(guess, result, before, number, deep=deep)
            found = result.rating
            here = [cell for cell in result.wrong if cell.round == number]
            of = sum(cell.round == number for cell in self.trial.cells)
            if len(here) * 2 > of:
                break
            before = number
        return guess, found

    def mended(
        self, guess: Guess, result: Result, before: int, number: int, *, deep: bool = False
    ) -> tuple[Guess, Result]:
        """The guess with the start order and the kinds that make more scores right.

        deep: also one by one where a score changes the very values that it is made of.
        """
        first = number == self.trial.rounds[0] and not guess.start
        attempts: list[Callable[[Guess, Result, int, int], Iterator[Guess]]] = [
            *[self._started] * first,
            self._absent,
        ]
        if deep and guess.rules["recalculation"] in _SETTLED:
            attempts += [self._one_absent, self._swapped]
        while attempts and result.wrong:
            for other in attempts[0](guess, result, before, number):
                found = self.read(other, number)
                if found.rating > result.rating:
                    guess, result = other, found
                    break
            else:
                attempts.pop(0)
        return guess, result

    def _one_absent(self, guess: Guess, _: Result, before: int, number: int) -> Iterator[Guess]:
        """Another kind for one absence since the last printed round."""
        for key, kind in (self.trial.kinds | guess.kinds).items():
            if before < key[0] <= number and kind != "bye":
                for other in self._kinds(guess):
                    if other != kind:
                        yield guess._replace(kinds=guess.kinds | {key: other})

    def _swapped(self, guess: Guess, *_: object) -> Iterator[Guess]:
        """Two neighbours of the start order the other way round."""
        for place in range(len(guess.start) - 1):
            start = [*guess.start]
            start[place : place + 2] = start[place + 1], start[place]
            yield guess._replace(start=tuple(start))

    def _kinds(self, guess: Guess) -> dict[str, tuple[float, float]]:
        """The kinds of absence, with what each brings: a share and an amount."""
        return {
            kind: (share(guess.rules[key]), share(guess.rules[f"{key}.fixed"]))
            for kind, applies in self.trial.applied.items()
            if applies == "unplayed" and kind != "bye"
            and (key := kind.replace(" ", "-")) in guess.rules
        }  # fmt: skip

    def _absent(self, guess: Guess, result: Result, before: int, number: int) -> Iterator[Guess]:
        """Other kinds for those whose scores differ: all at once, of the rounds since the last
        printed one, or of all."""
        ((lines, here),) = self.trial.lines(guess, number, number)
        cells = {cell.player: cell for cell in self.trial.cells if cell.round == number}
        worth: dict[int, float] = {}
        if guess.rules["recalculation"] in _SETTLED:  # values are those of the printed list
            told = {key[1]: row.score for key, row in result.rows.items() if key[0] == number}
            told |= {player: cell.score for player, cell in cells.items()}
            order = sorted(here, key=lambda player: -told.get(player, 0))
            worth = dict(zip(order, here.values(), strict=True))
        else:
            wrong = {cell.player for cell in result.wrong}
            cells = {player: cell for player, cell in cells.items() if player in wrong}
        kinds = self._kinds(guess)
        for since in dict.fromkeys((before, 0)):
            new = dict(guess.kinds)
            rest, absent = (
                {player: cell.score for player, cell in cells.items()},
                defaultdict[int, list[Line]](list),
            )
            for one in lines:
                line = one._replace(value=worth.get(one.opponent or one.player, one.value))
                if line.fact == "unplayed" and line.kind != "bye" and (line.played_in or 0) > since:
                    absent[line.player].append(line)
                elif line.player in rest:
                    rest[line.player] -= one.points + one.times * one.factor * (
                        line.value - one.value
                    )
            for player, some in absent.items():
                if player in rest and (found := self._shared(some, kinds, rest[player])):
                    new |= {
                        (line.played_in or 0, player): kind
                        for line, kind in zip(some, found, strict=True)
                    }
            yield guess._replace(kinds=new)

    def _shared(
        self, lines: list[Line], kinds: Mapping[str, tuple[float, float]], need: float
    ) -> tuple[str, ...] | None:
        """A kind for each line so that they bring what is needed."""
        for some in islice(combinations_with_replacement(kinds, len(lines)), _MOST):
            pairs = zip(lines, map(kinds.__getitem__, some), strict=True)
            brought = sum(factor * line.value + fixed for line, (factor, fixed) in pairs)
            if abs(brought - need) <= self.trial.within:
                return some
        return None

    def _started(self, guess: Guess, result: Result, _before: int, number: int) -> Iterator[Guess]:
        """The start order that the first scores tell, each of two players from both."""
        (_, start), (lines, _) = self.trial.lines(guess, number, 0, number)
        cells = {cell.player: cell for cell in self.trial.cells if cell.round == number}
        worth = self._values(lines, {player: cell.score for player, cell in cells.items()})
        listed, values = [*start], [*start.values()]
        places: list[int | None] = [None] * len(listed)
        for player, value in sorted(worth.items(), key=lambda one: -one[1]):
            free = [
                place for place, there in enumerate(places) if there is None and place < len(values)
            ]
            near = min(free, key=lambda place: abs(values[place] - value), default=None)
            if (
                player in listed
                and near is not None
                and abs(values[near] - value) <= 4 * self.trial.within
            ):
                places[near] = player
        left = iter([player for player in listed if player not in places])
        yield guess._replace(
            start=tuple(next(left) if there is None else there for there in places)
        )
        ranked = sorted(cells.values(), key=lambda cell: (-cell.score, cell.rank or 0))
        behind = [player for player in listed if player not in cells]
        yield guess._replace(
            start=(*(cell.player for cell in ranked if cell.player in listed), *behind)
        )

    def _values(self, lines: list[Line], scores: dict[int, float]) -> dict[int, float]:
        """What players were worth in the first round, from the scores after it."""
        own, others, rest = defaultdict[int, float](float), {}, dict(scores)
        for line in lines:
            if line.player in rest:
                rest[line.player] -= line.times * line.fixed
                if line.opponent is None:
                    own[line.player] += line.times * line.factor
                else:
                    others[line.player] = line.opponent, line.times * line.factor
        found = {}
        for player, need in rest.items():
            other, factor = others.get(player, (0, 0.0))
            theirs = others.get(other, (0, 0.0))[1]
            whole = own[player] * own[other] - factor * theirs
            if other not in rest:
                if own[player] and not factor:
                    found[player] = need / own[player]
            elif abs(whole) > 1e-9:
                found[player] = (need * own[other] - factor * rest[other]) / whole
            elif own[player] and not factor:
                found[player] = need / own[player]
            elif theirs and not own[other]:
                found[player] = rest[other] / theirs
        return found

    # ------------------------------------------------------------- other rules

    def improve(self, guess: Guess) -> tuple[Guess, tuple[int, float]]:
        """Change rules until all is right, or nothing gets better."""
        guess, rating = self.walk(guess, deep=True)
        while rating[0] < len(self.trial.cells) and self.trial.tried < _TRIED:
            number = min(cell.round for cell in self.read(guess, self.last).wrong)
            others = [*self._others(guess)]
            found = self._better(guess, [*fitted(self.trial, guess, number), *others], number)
            if not found:
                wider = (
                    fit for other in others for fit in fitted(self.trial, other, number, all_=True)
                )
                found = self._better(guess, wider, number)
            if not found:
                break
            after = self.walk(found, deep=True)
            if after[1] <= rating:
                break
            guess, rating = after
        return guess, rating

    def _better(self, guess: Guess, tries: Iterable[Guess], number: int) -> Guess | None:
        """The best of other guesses up to a round, if it is better."""
        rated = [(self.read(other, number), other) for other in tries]
        rated.sort(key=lambda one: one[0].rating, reverse=True)
        best, found = self.read(guess, number).rating, None
        for result, other in rated[:_MENDED]:
            if result.rows:
                other, result = self.mended(other, result, 0, number)
                if result.rating > best:
                    best, found = result.rating, other
        return found

    def _others(self, guess: Guess) -> Iterator[Guess]:
        """A topic as some preset has it."""
        kinds = {key.partition(".")[0] for key in self.keys if f"{key}.season_cap" in self.keys}
        each = [
            tuple(key for key in sorted(self.keys) if key.partition(".")[0] == kind)
            for kind in sorted(kinds)
        ]
        for topic in (*_TOPICS, *each):
            seen = [{key: guess.rules.get(key) for key in topic}]
            for known in self.known.values():
                values = {key: known[key] for key in topic if key in known and key in guess.rules}
                if values and values not in seen:
                    seen.append(values)
                    yield guess._replace(rules=guess.rules | values)

    # ------------------------------------------------------------- what is told

    def _told(self, guess: Guess) -> Inferred:
        result = self.read(guess, self.last)
        near: dict[str | None, Rules] = {None: self._rules(self.trial.now)}
        near.update(self.known)
        name = min(near, key=lambda name: len(_differing(guess.rules, near[name])))
        differing = _differing(guess.rules, near[name])
        ((lines, _),) = self.trial.lines(guess, self.last, self.last)
        seen = {*self.trial.kinds.values(), *guess.kinds.values(), *(line.kind for line in lines)}
        return Inferred(
            name, [str(rules.Rule(key, guess.rules[key])) for key in differing],
            self._open(guess, result, seen), [kind for kind in self.trial.own if kind not in seen],
            guess.start, {key: kind for key, kind in guess.kinds.items() if self.trial.kinds[key] != kind},
            self.trial.cells, result.wrong, result.rows, self.trial.tried,
        )  # fmt: skip

    def _open(self, guess: Guess, result: Result, seen: set[str]) -> dict[str, list[rules.Value]]:
        """Values of single rules with which as much is right, of what was seen."""
        kinds = {kind.replace(" ", "-") for kind in seen}
        keys = [*_ASKED, *(key for key in sorted(self.keys) if key in kinds)]
        keys += [f"{key}.season_cap" for key in sorted(kinds) if f"{key}.season_cap" in self.keys]
        found = defaultdict[str, list[rules.Value]](list)
        for key in [key for key in keys if key in guess.rules]:
            values = dict.fromkeys(known[key] for known in self.known.values() if key in known)
            for value in [value for value in values if value != guess.rules[key]][:_ALTERNATIVES]:
                other = self.trial.read(guess._replace(rules=guess.rules | {key: value}), self.last)
                if other and other.right >= result.right:
                    found[key].append(value)
        return dict(found)


def _differing(one: Rules, other: Rules) -> list[str]:
    """The rules of one that the other has not so."""
    return [key for key, value in one.items() if key not in other or other[key] != value]
