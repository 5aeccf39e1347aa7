"""The standings that another program's file brings, held beside those that come out here.

A reader hands over every figure that is stored, whether it can be read or not. Here is decided
which of them are others, and what the file has no figures of.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any, NamedTuple

from keizer.messages import Fact, Message, first, plural, say
from keizer.season import names, roster
from keizer.season.queries import UNITS, Tournament

_KINDS = {"rank": say("rank"), "value": say("value"), "score": say("score")}
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
    def rows(self) -> dict[tuple[int, int], dict[str, Fraction]]:
        """Rank, value and score, by round and player.id; a newcomer's score is 0."""
        listed = (
            "SELECT round_number, player_id, rank, value_units, COALESCE(score_units, 0)"
            " FROM ranking_list WHERE tournament_id = ? ORDER BY round_number, rank"
        )
        return {
            (round_number, player): {
                "rank": Fraction(rank),
                "value": Fraction(value, UNITS),
                "score": Fraction(score, UNITS),
            }
            for round_number, player, rank, value, score in self._of.conn.execute(
                listed, (self._of.id,)
            )
        }

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

    def differs(self, figure: Figure) -> Message | None:
        """Return how our figure differs from one of the file; None where it is the same."""
        ours = self._ours(figure)
        stored = readable(figure.stored)
        if ours is not None and stored is not None and abs(ours - stored) <= figure.within:
            return None
        here = _NONE if ours is None else float(ours)
        facts = {"there": _shown(figure.stored), "here": here, **self._place(figure)}
        if figure.round == 0:
            return say(
                "{name}, {figure} in the start list: {there} in the file, {here} here", **facts
            )
        return say(
            "{name}, {figure} after round {round}: {there} in the file, {here} here", **facts
        )

    def doubled(self, figure: Figure) -> Message:
        """Return that the file has had a figure before."""
        return say(
            "{name}, {figure} after round {round}: {there} in the file, which has it twice",
            there=_shown(figure.stored),
            **self._place(figure),
        )

    def _ours(self, figure: Figure) -> Fraction | None:
        """Return the figure here; None if that player does not stand in that list."""
        player_id = self.id(figure.player)
        if player_id is None:
            return None
        row = self.rows.get((figure.round, player_id))
        return row[figure.kind] if row else None

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
        return stored
    return say("“{typed}”", typed=names.shortened(str(stored)))


class Comparison(NamedTuple):
    """How a file's own standings compare with ours.

    figures: how many were compared. different: those that are others here. gaps: what the file has
    no figures of. uncompared: what it has, and nothing here can be compared with.
    """

    figures: int
    different: list[Message]
    gaps: list[Message]
    uncompared: list[Message]

    def sentences(self, reason: Message | None) -> list[Message]:
        """Say how many differ, why that may be, and the first of them; or that none does."""
        if self.different:
            what = plural(
                "{number:,} of the {all:,} figures in the file’s own standings comes out"
                " differently",
                "{number:,} of the {all:,} figures in the file’s own standings come out"
                " differently",
                len(self.different),
                all=self.figures,
            )
            why = [reason] if reason else []
            return [what, *why, *_some(self.different)]
        if not self.figures:
            return self.uncompared
        return [self._same(), *_some([*self.uncompared, *self.gaps])]

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


def _some(messages: list[Message]) -> list[Message]:
    """The first of some sentences, and how many more there are."""
    left = len(messages) - _NAMED
    more = [say("... and {number:,} more.", number=left)] if left > 0 else []
    return [*messages[:_NAMED], *more]


def compare(
    here: Standings, figures: Iterable[Figure], required: int = -1, since: int = 1
) -> Comparison:
    """Compare the figures of a file with ours.

    What is not a number, of a player or after a round that nobody has, or there twice, is
    different. required: up to the list after this round the file has every figure of every player,
    or what it lacks is different, too; -1: none. since: the first round after which a file of its
    kind can have a list.
    """
    compared: list[Message | None] = []
    stored: set[Figure] = set()
    left_out: list[Fact] = []
    for figure in figures:
        if not figure.is_standing:
            left_out.append(here.called(figure.player))
            continue
        place = figure._replace(stored=None, within=0)
        compared.append(here.doubled(figure) if place in stored else here.differs(figure))
        stored.add(place)
    covered = {(place.round, here.id(place.player), place.kind) for place in stored}
    lacking = [here.differs(figure) for figure in _lacking(here, covered, required)]
    different = [*filter(None, (*lacking, *compared))]
    gaps = _gaps(here, covered, max(since, required + 1))
    return Comparison(len(lacking) + len(compared), different, gaps, _uncompared(left_out))


def by_group(groups: Sequence[tuple[str, Comparison]]) -> Comparison:
    """Compare several groups as one, with the name of the group before each sentence."""
    if len(groups) == 1:
        return groups[0][1]

    def named(part: Callable[[Comparison], list[Message]]) -> list[Message]:
        return [
            say("{what}: {said}", what=name, said=message)
            for name, comparison in groups
            for message in part(comparison)
        ]

    return Comparison(
        sum(comparison.figures for _, comparison in groups),
        named(lambda comparison: comparison.different),
        named(lambda comparison: comparison.gaps),
        named(lambda comparison: comparison.uncompared),
    )


def _uncompared(names: list[Fact]) -> list[Message]:
    if not names:
        return []
    return [
        say("the figures that the file has of {names} are not compared", names=first(names, 10))
    ]


_Place = tuple[Any, int | None, str]
"""A round, a player.id, and a kind of figure."""


def _lacking(here: Standings, covered: Container[_Place], required: int) -> Iterator[Figure]:
    """Return the figures that a file has to have, and lacks."""
    for round_number, player_id in here.rows:
        if round_number > required:
            return
        for kind in _KINDS:
            if (round_number, player_id, kind) not in covered:
                yield Figure(round_number, here.players[player_id], kind, None)


def _gaps(here: Standings, covered: set[_Place], since: int) -> list[Message]:
    """Say after which rounds there are no figures at all, and which players other lists lack."""
    kinds = defaultdict[Any, set[str]](set)
    for round_number, _, kind in covered:
        kinds[round_number].add(kind)
    missed = defaultdict[int, list[int]](list)
    for round_number, player_id in here.rows:
        if any((round_number, player_id, kind) not in covered for kind in kinds[round_number]):
            missed[player_id].append(round_number)
    listed = {round_number for round_number, _ in here.rows if round_number >= since}
    rounds = sorted(round_number for round_number in listed if not kinds[round_number])
    gaps = [lacks(here.names[player_id], numbers) for player_id, numbers in missed.items()]
    if rounds:
        gaps.insert(0, say("the file has no standings after {rounds}", rounds=_rounds(rounds)))
    return gaps


def lacks(name: Fact, rounds: list[int]) -> Message:
    """Say that a file has standings after these rounds, and figures of somebody not in each."""
    return say("the file lacks figures of {name} after {rounds}", name=name, rounds=_rounds(rounds))


def _rounds(numbers: list[int]) -> Message:
    """Say which rounds, in ascending order; several in a row by the first and the last."""
    runs: list[list[int]] = []
    for each in numbers:
        if runs and runs[-1][-1] == each - 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    spans = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    return plural("round {which}", "rounds {which}", len(numbers), which=first(spans, 10))
