"""The standings that another program's file brings, held beside those that come out here.

A reader hands over every figure that is stored, whether it can be read or not. Here is decided
which of them are others, and what the file has no figures of.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from math import isfinite
from typing import Any, NamedTuple

from keizer.formats.notes import Notes
from keizer.messages import Fact, Message, plural, say, shortened_list
from keizer.season.names import spelling
from keizer.season.people import roster
from keizer.season.queries import UNITS, Tournament

_KINDS = {"rank": say("rank"), "value": say("value"), "score": say("score")}
_COLUMNS = {kind: column for column, kind in enumerate(_KINDS)}
_NAMED = 5
"""So many figures that differ, or players without figures, are named."""
_HIGHEST = 1e12
"""No figure is as high."""
_NONE = "–"


class Figure(NamedTuple):
    """A figure of a file's own standings.

    round: after which it is. player: what the player is in the file. kind: rank, value or score.
    stored: what the file has, also if that is not a number. within: how far ours may be from it.
    source: in which of several lists of a round it is. is_standing: False if it is kept there of
    somebody who is in no standings, and cannot be compared.
    """

    round: Any
    player: Any
    kind: str
    stored: Any
    within: float = 0
    source: str = ""
    is_standing: bool = True


def readable(stored: Any) -> Fraction | None:
    """Return a stored figure as a number; None for whatever is not one."""
    if isinstance(stored, bool) or not isinstance(stored, int | float | Fraction):
        return None
    if not isfinite(stored) or abs(float(stored)) > _HIGHEST:
        return None
    return Fraction(stored)


class Standings:
    """Every list of a tournament, as it is computed here.

    ids: player.id by what the player is in the file; players: the other way round.
    """

    def __init__(self, tournament: Tournament, ids: Mapping[Any, int]) -> None:
        self._of, self._ids = tournament, ids
        self.players = {player_id: player for player, player_id in ids.items()}

    @cached_property
    def rows(self) -> dict[tuple[int, int], tuple[int, int, int]]:
        """Rank, value and score, in units, by round and player.id; a newcomer's score is 0."""
        listed = (
            f"SELECT round_number, player_id, rank * {UNITS}, value_units,"
            " COALESCE(score_units, 0)"
            " FROM ranking_list WHERE tournament_id = ? ORDER BY round_number, rank"
        )
        return {
            (round_number, player): (rank, value, score)
            for round_number, player, rank, value, score in self._of.conn.execute(
                listed, (self._of.id,)
            )
        }

    @cached_property
    def are_in_halves(self) -> bool:
        """True if every score here is a number of half points."""
        return not any(2 * score % UNITS for _, _, score in self.rows.values())

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the players, by player.id."""
        return roster.players(self._of)

    def id(self, player: Any) -> int | None:
        """Return the player.id of a player of the file."""
        return self._ids.get(player)

    def called(self, player: Any) -> Fact:
        """Return the name of a player of the file; what the file has, if it is nobody's."""
        player_id = self.id(player)
        if player_id is None:
            return say("player {number}", number=_shown(player))
        return self.names[player_id]

    def has(self, figure: Figure) -> bool:
        """Return whether a figure of the file is the same here."""
        ours, stored = self._ours(figure), readable(figure.stored)
        if ours is None or stored is None:
            return False
        return abs(ours - stored * UNITS) <= figure.within * UNITS

    def other(self, figure: Figure) -> Message:
        """Return how our figure differs from one of the file."""
        ours = self._ours(figure)
        here = _NONE if ours is None else ours / UNITS
        facts = {"there": _shown(figure.stored), "here": here, **self._place(figure)}
        if figure.round == 0:
            return say(
                "{name}, {figure} in the start list: {there} in the file, {here} here",
                **facts,
            )
        return say(
            "{name}, {figure} after round {round}: {there} in the file, {here} here",
            **facts,
        )

    def doubled(self, figure: Figure) -> Message:
        """Return that the file has had a figure before."""
        return say(
            "{name}, {figure} after round {round}: {there} in the file, which has it twice",
            there=_shown(figure.stored),
            **self._place(figure),
        )

    def _ours(self, figure: Figure) -> int | None:
        """Return the figure here, in units; None if that player does not stand in that list."""
        player_id = self.id(figure.player)
        if player_id is None:
            return None
        row = self.rows.get((figure.round, player_id))
        return row[_COLUMNS[figure.kind]] if row else None

    def _place(self, figure: Figure) -> dict[str, Fact]:
        return {
            "name": self.called(figure.player),
            "figure": _KINDS[figure.kind],
            "round": _shown(figure.round),
        }


def _shown(stored: object) -> Fact:
    """What the file has, for a sentence: a number as it is, anything else in quotes."""
    if stored is None:
        return _NONE
    if isinstance(stored, Fraction):
        return float(stored)
    if isinstance(stored, int | float):
        return stored if abs(stored) <= _HIGHEST else f"{stored:g}"
    return say("“{typed}”", typed=spelling.shortened(str(stored)))


class Comparison(NamedTuple):
    """How a file's own standings compare with ours.

    figures: how many were compared. different: those that are others here. gaps: what the file has
    no figures of. uncompared: what it has, and nothing here can be compared with.
    """

    figures: int
    different: Notes
    gaps: Sequence[Message] = ()
    uncompared: Sequence[Message] = ()

    @classmethod
    def of(
        cls, compared: Iterable[Message | None], gaps: Sequence[Message] = ()
    ) -> "Comparison":
        """Make a comparison of a sentence for each figure that is another, and None for others."""
        figures, different = 0, Notes(_NAMED)
        for sentence in compared:
            figures += 1
            if sentence:
                different.add(sentence)
        return cls(figures, different, gaps)

    def sentences(self, reason: Message | None) -> list[Message]:
        """Say how many differ, why that may be, and the first of them; or that none does."""
        if self.different.number:
            what = plural(
                "{number:,} of the {all:,} figures in the file’s own standings comes out"
                " differently",
                "{number:,} of the {all:,} figures in the file’s own standings come out"
                " differently",
                self.different.number,
                all=self.figures,
            )
            why = [reason] if reason else []
            return [what, *why, *self.different.first, *_more(self.different.left)]
        if not self.figures:
            return [*self.uncompared]
        rest = [*self.uncompared, *self.gaps]
        return [self._same(), *rest[:_NAMED], *_more(len(rest) - _NAMED)]

    def _same(self) -> Message:
        """Say that all are the same; if these are not all there could be, how many they are."""
        if self.uncompared or self.gaps:
            return plural(
                "one figure of the file’s own standings was compared, and is the same here",
                "{number:,} figures of the file’s own standings were compared, and are the same"
                " here",
                self.figures,
            )
        return plural(
            "the one figure of the file’s own standings is the same here",
            "all {number:,} figures of the file’s own standings are the same here",
            self.figures,
        )


def _more(left: int) -> list[Message]:
    """Say how many more there are than those that are named."""
    return [say("... and {number:,} more.", number=left)] if left > 0 else []


class _Stored:
    """Which figures a file has."""

    def __init__(self) -> None:
        self._places = defaultdict[tuple[str, str], set[tuple[Any, Any]]](set)
        self.kinds = defaultdict[Any, set[str]](set)
        """The kinds of those after a round."""

    def add(self, figure: Figure) -> bool:
        """Take down a figure; return whether it is the first one of its place and source."""
        places = self._places[figure.kind, figure.source]
        before = len(places)
        places.add((figure.round, figure.player))
        self.kinds[figure.round].add(figure.kind)
        return len(places) > before

    def has(self, round_number: int, player: Any, kind: str) -> bool:
        """Return whether there is such a figure, in any list of the round."""
        return any(
            (round_number, player) in places
            for (of_kind, _), places in self._places.items()
            if of_kind == kind
        )


def compare(
    here: Standings, figures: Iterable[Figure], required: int = -1, since: int = 1
) -> Comparison:
    """Compare the figures of a file with ours.

    What is not a number, of a player or after a round that nobody has, or there twice, is
    different. required: up to the list after this round the file has every figure of every player,
    or what it lacks is different, too; -1: none. since: the first round after which a file of its
    kind can have a list.
    """
    stored, compared = _Stored(), 0
    lacking, different = Notes(_NAMED), Notes(_NAMED)
    left_out: list[Fact] = []
    for figure in figures:
        if not figure.is_standing:
            left_out.append(here.called(figure.player))
            continue
        compared += 1
        if not stored.add(figure):
            different.make(here.doubled, figure)
        elif not here.has(figure):
            different.make(here.other, figure)
    for figure in _lacking(here, stored, required):
        lacking.make(here.other, figure)
    number = lacking.number + compared
    lacking.extend(different)
    gaps = _gaps(here, stored, max(since, required + 1))
    return Comparison(number, lacking, gaps, _uncompared(left_out))


def by_group(groups: Sequence[tuple[str, Comparison]]) -> Comparison:
    """Compare several groups as one, with the name of the group before each sentence."""
    if len(groups) == 1:
        return groups[0][1]

    figures, different = 0, Notes(_NAMED)
    gaps, uncompared = list[Message](), list[Message]()
    for name, comparison in groups:
        of_group = partial(say, "{what}: {said}", what=name)
        figures += comparison.figures
        named = [of_group(said=message) for message in comparison.different.first]
        different.extend(replace(comparison.different, first=named))
        gaps += [of_group(said=message) for message in comparison.gaps]
        uncompared += [of_group(said=message) for message in comparison.uncompared]
    return Comparison(figures, different, gaps, uncompared)


def _uncompared(names: list[Fact]) -> list[Message]:
    if not names:
        return []
    return [
        say(
            "the figures that the file has of {names} are not compared",
            names=shortened_list(names, 10),
        )
    ]


def _lacking(here: Standings, stored: _Stored, required: int) -> Iterator[Figure]:
    """Return the figures that a file has to have, and lacks."""
    for round_number, player_id in here.rows:
        if round_number > required:
            return
        player = here.players[player_id]
        for kind in _KINDS:
            if not stored.has(round_number, player, kind):
                yield Figure(round_number, player, kind, None)


def _gaps(here: Standings, stored: _Stored, since: int) -> list[Message]:
    """Say after which rounds there are no figures at all, and which players other lists lack."""
    missed = defaultdict[int, list[int]](list)
    for round_number, player_id in here.rows:
        player = here.players[player_id]
        if not all(
            stored.has(round_number, player, kind)
            for kind in stored.kinds[round_number]
        ):
            missed[player_id].append(round_number)
    listed = {round_number for round_number, _ in here.rows if round_number >= since}
    rounds = sorted(number for number in listed if not stored.kinds[number])
    gaps = [
        lacks(here.names[player_id], numbers) for player_id, numbers in missed.items()
    ]
    if rounds:
        gaps.insert(
            0, say("the file has no standings after {rounds}", rounds=_rounds(rounds))
        )
    return gaps


def lacks(name: Fact, rounds: list[int]) -> Message:
    """Say that a file has standings after these rounds, and figures of somebody not in each."""
    return say(
        "the file lacks figures of {name} after {rounds}",
        name=name,
        rounds=_rounds(rounds),
    )


def _rounds(numbers: list[int]) -> Message:
    """Say which rounds, in ascending order; several in a row by the first and the last."""
    runs: list[list[int]] = []
    for each in numbers:
        if runs and runs[-1][-1] == each - 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    spans = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    return plural(
        "round {which}", "rounds {which}", len(numbers), which=shortened_list(spans, 10)
    )
