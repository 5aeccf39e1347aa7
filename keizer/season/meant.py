"""Who is meant by what somebody typed: the one place that knows, for all who ask.

A player may be typed as their number (25 or #25), as the whole name in any order, or as any
of its words or their beginnings. Capitals, accents, apostrophes, hyphens and commas do not
matter. The closest of these ways in which a name fits decides; where two players fit as
closely as each other, nobody is taken.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from keizer.errors import KeizerError
from keizer.season import names

_SUGGESTED = 5
_LISTED = 8
_ALIKE = 0.75
"""How alike a word must be to be suggested: difflib's ratio."""
_NEARLY = 0.6
"""The part of the best likeness, in letters, that is suggested too."""
_MISSPELT = 0.88
"""How alike whole names are that differ by a slip."""
_NUMBER = f"[0-9]{{1,{names.DIGITS}}}"


class SeveralError(KeizerError):
    """What was typed fits several players; `players` has their names by id."""

    def __init__(self, typed: str, players: Mapping[int, str]) -> None:
        self.typed, self.players = typed, players
        choices = [f"{name} (#{player})" for player, name in players.items()]
        super().__init__(
            f"{names.quoted(typed)} fits {names.first(choices, _LISTED)}: type the number"
            " of the one you mean, or more of the name."
        )


Words = tuple[str, ...]
"""The words of a name, given names first, in plain small letters."""


class Fit(NamedTuple):
    """How closely a name fits what was typed: the higher, the closer."""

    same: bool
    """It is the name, given names first or behind a comma."""
    complete: bool
    """It is all of its words."""
    whole: bool
    """It has no beginning of a word."""


def words(name: str) -> frozenset[Words]:
    """The words of a name, as they may be spelt: Müller is muller and mueller."""
    last, *given = name.split(",", 1)
    text = " ".join([*given, last])
    return frozenset(tuple(re.findall(r"[^\W_]+", form)) for form in names.spellings(text))


def player(typed: str, players: Mapping[int, str]) -> int:
    """The id of the player meant; players: id and name of those who can be.

    Raises SeveralError where several can be, and KeizerError, with those who come near,
    where nobody can.
    """
    wanted = names.tidy(typed)
    digits = wanted.removeprefix("#")
    number = int(digits) if re.fullmatch(_NUMBER, digits) else None
    found = [player for player, name in players.items() if name == wanted or player == number]
    if not found and number is not None:
        raise KeizerError(f"no player has the number {number}.")
    found = found or closest(wanted, players)
    if len(found) == 1:
        return found[0]
    if found:
        raise SeveralError(typed, {player: players[player] for player in found})
    near = suggestions(wanted, players)
    hint = f": did you mean {names.listed(near, 'or')}?" if near else "."
    raise KeizerError(f"there is no player {names.quoted(typed)}{hint}")


def in_any_order(name: str) -> set[Words]:
    """The words of a name in one order, as they may be spelt."""
    return {tuple(sorted(form)) for form in words(name) if form}


def closest(typed: str, players: Mapping[int, str]) -> list[int]:
    """Those whose names fit what was typed as closely as any, by name."""
    wanted = words(typed)
    fits = {player: _fit(wanted, words(name)) for player, name in players.items()}
    best = max((fit for fit in fits.values() if fit), default=None)
    if best is None:
        return []
    return sorted((player for player, fit in fits.items() if fit == best), key=players.__getitem__)


def _fit(typed: Iterable[Words], name: Iterable[Words]) -> Fit | None:
    """How closely one of the spellings of a name fits what was typed; None: not at all."""
    fits = [fit for mine in typed for its in name if (fit := _spelt(mine, its))]
    return max(fits, default=None)


def _spelt(typed: Words, name: Words) -> Fit | None:
    if not typed:
        return None
    joined = ["".join(name[position:]) for position in range(len(name))]
    if "".join(typed) == "".join(name):
        return Fit(same=True, complete=True, whole=True)
    ends = [
        {len(rest) - len(after) for after in (*joined[position + 1 :], "")}
        for position, rest in enumerate(joined)
    ]

    def beginnings(word: str) -> list[int]:
        return [position for position, rest in enumerate(joined) if rest.startswith(word)]

    def wholes(word: str) -> list[int]:
        return [position for position in beginnings(word) if len(word) in ends[position]]

    if _apart([wholes(word) for word in typed]):
        complete = sum(map(len, typed)) == len("".join(name))
        return Fit(same=False, complete=complete, whole=True)
    if _apart([beginnings(word) for word in typed]):
        return Fit(same=False, complete=False, whole=False)
    return None


def _apart(places: list[list[int]]) -> bool:
    """Whether each word can have a place of its own: a matching of words and places."""
    taken: dict[int, int] = {}

    def seat(word: int, tried: set[int]) -> bool:
        for place in places[word]:
            if place not in tried:
                tried.add(place)
                if place not in taken or seat(taken[place], tried):
                    taken[place] = word
                    return True
        return False

    return all(seat(word, set()) for word in range(len(places)))


def misspelt(name: str, players: Mapping[int, str]) -> int | None:
    """The first of the players whose name differs from this one by a letter or two."""
    from difflib import SequenceMatcher

    folded = names.folded(name)
    for player, other in players.items():
        matcher = SequenceMatcher(None, folded, names.folded(other))
        # The first two are at least as high, and soon known.
        ratios = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)
        if all(ratio() >= _MISSPELT for ratio in ratios):
            return player
    return None


def suggestions(typed: str, players: Mapping[int, str]) -> list[str]:
    """Names, with numbers, that have the most of the words typed, or words much like them."""
    from difflib import SequenceMatcher

    def alike(word: str, its: Words) -> float:
        likeness = max((SequenceMatcher(None, word, other).ratio() for other in its), default=0)
        return len(word) * likeness if likeness >= _ALIKE else 0

    likeness = {
        player: max(
            (
                sum(alike(word, its) for word in mine)
                for mine in words(typed)
                for its in words(name)
            ),
            default=0,
        )
        for player, name in players.items()
    }
    least = max(likeness.values(), default=0) * _NEARLY
    near = [player for player, found in likeness.items() if found >= least > 0]
    near.sort(key=lambda player: (-likeness[player], players[player]))
    return [f"{players[player]} (#{player})" for player in near[:_SUGGESTED]]
