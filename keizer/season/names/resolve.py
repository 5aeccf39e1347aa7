"""Who is meant by what somebody typed, and whose names are near: the one place that knows.

A player may be typed as their number (25 or #25), as the whole name in any order, or as any
of its words or their beginnings. Capitals, accents, apostrophes, hyphens and commas do not
matter. The closest of these ways in which a name fits decides; where two players fit as
closely as each other, nobody is taken.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import accumulate

from keizer import messages
from keizer.errors import KeizerError
from keizer.season.names import spelling

_SUGGESTED = 5
_LISTED = 8
_ALIKE = 0.75
"""How alike a word must be to be suggested: difflib's ratio."""
_NEARLY = 0.6
"""The part of the best likeness, in letters, that is suggested too."""
_BEGINNING = 3
"""Letters by which those are found in whose names a word can begin."""
_COMPARED = 8
"""Words of a name that are held against others for a suggestion."""
_NUMBER = f"#?([0-9]{{1,{spelling.DIGITS}}})"


class NobodyError(KeizerError):
    """What was typed fits nobody."""


Words = tuple[str, ...]
"""The words of a name, given names first, in plain small letters."""


@lru_cache(maxsize=8192)
def words(name: str) -> frozenset[Words]:
    """The words of a name, as they may be spelt: Müller is muller and mueller."""
    last, *given = name.split(",", 1)
    text = " ".join([*given, last])
    return frozenset(
        tuple(re.findall(r"[^\W_]+", form)) for form in spelling.spellings(text)
    )


def in_any_order(name: str) -> set[Words]:
    """The words of a name in one order, as they may be spelt."""
    return {tuple(sorted(form)) for form in words(name) if form}


def player(typed: str, players: Mapping[int, str]) -> int:
    """The id of the player meant; players: id and name of those who can be.

    Raises KeizerError where several can be, and NobodyError, with those who come near, where
    nobody can.
    """
    found = matching(typed, players)
    if len(found) == 1:
        return found[0]
    if found:
        raise KeizerError(
            "“{typed}” fits {names}: type the number of the one you mean, or more of the name.",
            typed=spelling.shortened(typed),
            names=messages.first(
                [f"{players[one]} (#{one})" for one in found], _LISTED
            ),
        )
    wanted = spelling.tidy(typed)
    if number := re.fullmatch(_NUMBER, wanted):
        raise NobodyError("no player has the number {number}.", number=int(number[1]))
    near = suggestions(wanted, players)
    if near:
        raise NobodyError(
            "there is no player “{typed}”: did you mean {names}?",
            typed=spelling.shortened(typed),
            names=messages.listed(near, "or"),
        )
    raise NobodyError("there is no player “{typed}”.", typed=spelling.shortened(typed))


def matching(typed: str, known: Mapping[int, str]) -> list[int]:
    """Those who are called or numbered like that; else those whose names fit as closely as any."""
    wanted = spelling.tidy(typed)
    number = re.fullmatch(_NUMBER, wanted)
    found = [
        id_
        for id_, name in known.items()
        if name == wanted or (number and id_ == int(number[1]))
    ]
    return found if found or number else closest(wanted, known)


def closest(typed: str, players: Mapping[int, str]) -> list[int]:
    """Those whose names fit what was typed as closely as any, by name."""
    wanted = words(typed)
    fits = {
        player: max(_fit(mine, its) for mine in wanted for its in words(name))
        for player, name in players.items()
    }
    best = max(fits.values(), default=0)
    found = (player for player, fit in fits.items() if fit == best > 0)
    return sorted(found, key=players.__getitem__)


class Names:
    """The names of players, to find many who are meant: each spelling looks at few of them."""

    def __init__(self, players: Mapping[int, str]) -> None:
        self._players = players
        self._called = defaultdict[str, list[int]](list)
        self._letters = defaultdict[str, set[int]](set)
        self._beginnings = defaultdict[str, set[int]](set)
        for player, name in players.items():
            self._called[name].append(player)
            for form in words(name):
                letters = "".join(form)
                self._letters[letters].add(player)
                for start in _starts(form):
                    for length in range(1, _BEGINNING + 1):
                        self._beginnings[letters[start : start + length]].add(player)

    def player(self, typed: str) -> int:
        """Return the id of the player meant, as the function `player` does."""
        possible = self._possible(typed)
        found = matching(typed, possible)
        if len(found) == 1:
            return found[0]
        return player(
            typed, possible if found else self._players
        )  # which says who comes near

    def _possible(self, typed: str) -> dict[int, str]:
        """Return all who can be meant."""
        wanted = spelling.tidy(typed)
        found = {*self._called.get(wanted, ())}
        if number := re.fullmatch(_NUMBER, wanted):
            found.add(int(number[1]))
        forms = [form for form in words(wanted) if form]
        if not found:
            found.update(*(self._letters.get("".join(form), ()) for form in forms))
        if not found:
            found.update(*map(self._beginning_with, forms))
        return {
            player: self._players[player]
            for player in sorted(found & self._players.keys())
        }

    def _beginning_with(self, form: Words) -> set[int]:
        """Return those in whose names the rarest of some words can begin."""
        return min(
            (self._beginnings.get(word[:_BEGINNING], set()) for word in form), key=len
        )


def _fit(typed: Words, name: Words) -> int:
    """How closely a name fits what was typed, where a word may run on over the next ones.

    4: it is the name; 3: all of its words; 2: some; 1: beginnings of words; 0: not at all.
    """
    if not typed:
        return 0
    letters, starts = "".join(name), _starts(name)
    if "".join(typed) == letters:
        return 4
    ends = {*starts[1:], len(letters)}

    def is_whole(word: str, start: int) -> bool:
        return letters.startswith(word, start) and start + len(word) in ends

    if _seated(typed, is_whole, starts):
        return 3 if sum(map(len, typed)) == len(letters) else 2
    return int(_seated(typed, letters.startswith, starts))


def _starts(name: Words) -> list[int]:
    """Where each word of a name begins, in its letters."""
    return [0, *accumulate(map(len, name))][: len(name)]


def _seated(
    typed: Words, fits: Callable[[str, int], bool], places: Iterable[int]
) -> bool:
    """Whether each word fits a place of its own.

    The longest chooses first: where two can have the same place, the shorter is a beginning of
    the longer, and can have the other places of that one too.
    """
    free = [*places]
    for word in sorted(typed, key=len, reverse=True):
        chosen = next((place for place in free if fits(word, place)), None)
        if chosen is None:
            return False
        free.remove(chosen)
    return True


# ------------------------------------------------------------- names that are near


def suggestions(typed: str, players: Mapping[int, str]) -> list[str]:
    """Names, with numbers, that have the most of the words typed, or words much like them."""
    from difflib import SequenceMatcher

    def alike(word: str, its: Words) -> float:
        likeness = max(
            (SequenceMatcher(None, word, other).ratio() for other in its), default=0
        )
        return len(word) * likeness if likeness >= _ALIKE else 0

    wanted = words(typed)
    likeness = {
        player: max(
            sum(alike(word, its[:_COMPARED]) for word in mine[:_COMPARED])
            for mine in wanted
            for its in words(name)
        )
        for player, name in players.items()
    }
    least = max(likeness.values(), default=0) * _NEARLY
    near = [player for player, found in likeness.items() if found >= least > 0]
    near.sort(key=lambda player: (-likeness[player], players[player]))
    return [f"{players[player]} (#{player})" for player in near[:_SUGGESTED]]


# Marks that are one on paper; selectors of a style, and a joiner, that are not seen.
_MARKS = str.maketrans(
    dict.fromkeys("`´‘’‛ʹʻʼʽˈ′＇", "'")
    | dict.fromkeys("“”„‟″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys(map(chr, (*range(0xFE00, 0xFE10), 0x34F)))
)

_LETTERS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮԚԜаеѕіјорсухһԛԝӏѵԁ"  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυ"  # Greek
    "ՍՕօհոսɑɡ",  # Armenian; Latin of phoneticians
    "ABESIJKMHOPCTYXYQWaesijopcyxhqwlvdABEZHIKMNOPTYXaikvopuUOohnuag",
)


@lru_cache(maxsize=8192)
def looks(name: str) -> frozenset[str]:
    """The forms of a name, of which two that people cannot tell apart on paper share one.

    One has its letters in lower case; in the other, letters drawn as Latin ones are Latin.
    An accent tells two apart: Müller and Muller are two people.
    """
    if (
        name.isascii() and "`" not in name
    ):  # as most are, and all are compared with each
        return frozenset([name.lower()])
    import unicodedata

    plain = unicodedata.normalize("NFKD", name.translate(_MARKS))
    forms = (plain, plain.translate(_LETTERS))
    return frozenset(" ".join(form.lower().replace("ς", "σ").split()) for form in forms)


class Looks:
    """What names look like, for who adds many: each is compared with its twins alone."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = defaultdict[str, set[str]](set)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Take in a name; one that nobody has any more may stay."""
        for form in looks(name):
            self._names[form].add(name)

    def alike(self, name: str) -> set[str]:
        """Return the names that look like one, and perhaps that name."""
        return {other for form in looks(name) for other in self._names.get(form, ())}


def twin(name: str, others: Mapping[int, str]) -> int | None:
    """The first of the others who would be confused with a name; None: nobody.

    A player with exactly this name is no twin: that is the player meant, or a namesake.
    """
    mine = looks(name)
    for player, other in others.items():
        if other != name and not mine.isdisjoint(looks(other)):
            return player
    return None
