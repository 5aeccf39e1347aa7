"""Who is meant by what somebody typed, and whose names are near: known here alone.

A player may be typed in three ways: as their number (25 or #25), as the whole name with
its words in any order, or as any of its words or their beginnings. Capitals, accents,
apostrophes, hyphens and commas do not matter.

The closest way in which a name fits decides. If several players fit equally closely,
nobody is taken.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any

from keizer import messages
from keizer.errors import KeizerError
from keizer.season.names import spelling

_SUGGESTED = 5
"""The most names that are suggested."""

_LISTED = 8
"""The most names that are listed if several fit."""

_ALIKE = 0.75
"""How alike a word must be to be suggested: difflib's ratio."""

_NEARLY = 0.6
"""The part of the best likeness, in letters, that is suggested too."""

_BEGINNING = 3
"""The most letters of the beginnings by which names are indexed."""

_COMPARED = 8
"""The most words of a name that are compared for a suggestion."""

_NUMBER = f"#?([0-9]{{1,{spelling.DIGITS}}})"


class NobodyError(KeizerError):
    """The refusal of what fits no player."""


Words = tuple[str, ...]
"""The words of a name, given names first, in plain small letters."""


@lru_cache(maxsize=8192)
def words(name: str) -> frozenset[Words]:
    """Return the words of a name in each spelling: muller and mueller for Müller."""
    surname, *given_names = name.split(",", 1)
    in_order = " ".join([*given_names, surname])
    return frozenset(
        tuple(re.findall(r"[^\W_]+", form)) for form in spelling.spellings(in_order)
    )


def sorted_words(name: str) -> set[Words]:
    """Return the words of a name in each spelling, sorted."""
    return {tuple(sorted(form)) for form in words(name) if form}


# ----------------------------------------------------------------- who is meant


def find_player_id(typed: str, players: Mapping[int, str]) -> int:
    """Return the id of the player meant.

    players: name by id of all who can be meant.
    Raises KeizerError if several can be. If nobody can, raises NobodyError with the
    names that come near.
    """
    matches = match_names(typed, players)
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = [f"{players[id_]} (#{id_})" for id_ in matches]
        raise KeizerError(
            "“{typed}” fits {names}: type the number of the one you mean, or more of"
            " the name.",
            typed=spelling.shortened(typed),
            names=messages.first(names, _LISTED),
        )
    wanted = spelling.tidy(typed)
    number = _number(wanted)
    if number is not None:
        raise NobodyError("no player has the number {number}.", number=number)
    near = suggest_names(wanted, players)
    if near:
        raise NobodyError(
            "there is no player “{typed}”: did you mean {names}?",
            typed=spelling.shortened(typed),
            names=messages.listed(near, "or"),
        )
    raise NobodyError("there is no player “{typed}”.", typed=spelling.shortened(typed))


def _number(wanted: str) -> int | None:
    """Return the number of a player in 25 or #25, or None."""
    number = re.fullmatch(_NUMBER, wanted)
    return int(number[1]) if number else None


def match_names(typed: str, known: Mapping[int, str]) -> list[int]:
    """Return all with this name or number; else all whose names fit most closely.

    A number never stands for a part of a name.
    """
    wanted = spelling.tidy(typed)
    number = _number(wanted)
    exact = [id_ for id_, name in known.items() if name == wanted or id_ == number]
    if exact or number is not None:
        return exact
    return closest_names(wanted, known)


def closest_names(typed: str, players: Mapping[int, str]) -> list[int]:
    """Return all whose names fit what was typed most closely, sorted by name."""
    wanted = words(typed)
    fits = {id_: _best_fit(wanted, name) for id_, name in players.items()}
    best = max(fits.values(), default=0)
    if best == 0:
        return []
    fitting = [id_ for id_, fit in fits.items() if fit == best]
    return sorted(fitting, key=players.__getitem__)


def _best_fit(wanted: Iterable[Words], name: str) -> int:
    return max(_fit(typed, form) for typed in wanted for form in words(name))


def owners_by_key(
    keys_by_owner: Mapping[int, Iterable[Any]],
) -> defaultdict[Any, list[int]]:
    """Return the owners of each key, such as a name, a word or a number."""
    owners = defaultdict(list)
    for owner, keys in keys_by_owner.items():
        for key in keys:
            owners[key].append(owner)
    return owners


def owners_of(keys: Iterable[Any], index: Mapping[Any, Iterable[int]]) -> set[int]:
    """Return everybody who has one of these keys in an index by `owners_by_key`."""
    owners = set[int]()
    for key in keys:
        owners.update(index.get(key, ()))
    return owners


class Names:
    """The names of many players, indexed: each spelling is compared with few of them.

    players: name by id.
    """

    def __init__(self, players: Mapping[int, str]) -> None:
        self._players = players
        names = players.items()
        self._by_name = owners_by_key({id_: [name] for id_, name in names})
        self._by_letters = owners_by_key({id_: _letters(name) for id_, name in names})
        self._by_beginning = owners_by_key(
            {id_: _beginnings(name) for id_, name in names}
        )

    def player(self, typed: str) -> int:
        """Return the id of the player meant, as `find_player_id` does."""
        possible = self._possible(typed)
        matches = match_names(typed, possible)
        if len(matches) == 1:
            return matches[0]
        if matches:
            return find_player_id(typed, possible)  # which says who they are
        return find_player_id(typed, self._players)  # which says who comes near

    def _possible(self, typed: str) -> dict[int, str]:
        """Return all who can be meant."""
        wanted = spelling.tidy(typed)
        possible = owners_of([wanted], self._by_name)
        number = _number(wanted)
        if number is not None:
            possible.add(number)
        if not possible:
            possible = owners_of(_letters(wanted), self._by_letters)
        if not possible:
            rarest = [self._rarest_beginning(form) for form in words(wanted) if form]
            possible = owners_of(rarest, self._by_beginning)
        known = sorted(possible & self._players.keys())
        return {id_: self._players[id_] for id_ in known}

    def _rarest_beginning(self, form: Words) -> str:
        """Return the beginning of a word that the fewest names have."""

        def number_of_names(beginning: str) -> int:
            return len(self._by_beginning.get(beginning, ()))

        return min((word[:_BEGINNING] for word in form), key=number_of_names)


def _letters(name: str) -> set[str]:
    """Return the letters of a name in each spelling."""
    return {"".join(form) for form in words(name) if form}


def _beginnings(name: str) -> set[str]:
    """Return the first letters of each word; a word runs on over the next ones."""
    beginnings = set()
    for form in words(name):
        letters = "".join(form)
        for start in _starts(form):
            for length in range(1, _BEGINNING + 1):
                beginnings.add(letters[start : start + length])
    return beginnings


def _fit(typed: Words, name: Words) -> int:
    """Return how closely a name fits; a word typed may run on over the next ones.

    4: it is the name; 3: all of its words; 2: some of them; 1: beginnings of words;
    0: it does not fit.
    """
    if not typed:
        return 0
    letters = "".join(name)
    typed_letters = "".join(typed)
    if typed_letters == letters:
        return 4
    starts = _starts(name)
    ends = {*starts[1:], len(letters)}

    def is_whole(word: str, start: int) -> bool:
        end = start + len(word)
        return end in ends and letters.startswith(word, start)

    if _each_has_place(typed, is_whole, starts):
        return 3 if len(typed_letters) == len(letters) else 2
    if _each_has_place(typed, letters.startswith, starts):
        return 1
    return 0


def _starts(name: Words) -> list[int]:
    """Return where each word of a name begins, among all its letters."""
    ends = accumulate(map(len, name))
    return [0, *ends][: len(name)]


def _each_has_place(
    typed: Words, fits: Callable[[str, int], bool], places: Iterable[int]
) -> bool:
    """Return whether each word fits a place of its own.

    The longest chooses first: where two can have the same place, the shorter is a
    beginning of the longer, and can have the other places of that one too.
    """
    free = [*places]
    for word in sorted(typed, key=len, reverse=True):
        chosen = next((place for place in free if fits(word, place)), None)
        if chosen is None:
            return False
        free.remove(chosen)
    return True


# ------------------------------------------------------------- names that are near


def suggest_names(typed: str, players: Mapping[int, str]) -> list[str]:
    """Return the names, with numbers, that have the most of the words typed.

    Words that are much like those typed count by their likeness, in letters.
    """
    wanted = words(typed)
    likeness = {
        id_: max(
            _likeness(typed_form, form) for typed_form in wanted for form in words(name)
        )
        for id_, name in players.items()
    }
    best = max(likeness.values(), default=0)
    if best == 0:
        return []
    near = [id_ for id_, letters in likeness.items() if letters >= best * _NEARLY]
    near.sort(key=lambda id_: (-likeness[id_], players[id_]))
    return [f"{players[id_]} (#{id_})" for id_ in near[:_SUGGESTED]]


def _likeness(typed: Words, name: Words) -> float:
    """Return how many letters of what was typed are in words like those of a name."""
    compared = name[:_COMPARED]
    return sum(_letters_alike(word, compared) for word in typed[:_COMPARED])


def _letters_alike(word: str, others: Words) -> float:
    from difflib import SequenceMatcher

    ratios = (SequenceMatcher(None, word, other).ratio() for other in others)
    best = max(ratios, default=0)
    if best < _ALIKE:
        return 0
    return len(word) * best


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
def lookalike_forms(name: str) -> frozenset[str]:
    """Return two forms of a name; names that look alike on paper share one.

    One has the letters in lower case. In the other, letters drawn as Latin ones are
    Latin. An accent tells two apart: Müller and Muller are two people.
    """
    # Most names are so, and all names are compared with each other.
    is_plain = name.isascii() and "`" not in name
    if is_plain:
        return frozenset([name.lower()])
    import unicodedata

    decomposed = unicodedata.normalize("NFKD", name.translate(_MARKS))
    latin = decomposed.translate(_LETTERS)
    return frozenset([_drawn(decomposed), _drawn(latin)])


def _drawn(form: str) -> str:
    """Return a form in lower case, with single spaces and one kind of sigma."""
    lower = form.lower().replace("ς", "σ")
    return " ".join(lower.split())


class Lookalikes:
    """The looks of many names: a new name is compared with its lookalikes alone."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = defaultdict[str, set[str]](set)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Take in a name; one that nobody has any more may stay."""
        for form in lookalike_forms(name):
            self._names[form].add(name)

    def alike(self, name: str) -> set[str]:
        """Return the names that look like this one; it may be among them."""
        alike = set[str]()
        for form in lookalike_forms(name):
            alike |= self._names.get(form, set())
        return alike


def find_lookalike(name: str, others: Mapping[int, str]) -> int | None:
    """Return the first of the others whose name looks like this one, or None.

    A player with exactly this name is no twin: that is the player meant, or a namesake.
    """
    own_looks = lookalike_forms(name)
    for id_, other in others.items():
        if other != name and not own_looks.isdisjoint(lookalike_forms(other)):
            return id_
    return None
