"""Find the player that somebody means by what they typed, and suggest similar names.

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
"""The least ratio of difflib from which on two words count as alike."""

_NEARLY = 0.6
"""The share of the best likeness from which on a name is suggested beside the best."""

_BEGINNING = 3
"""The most letters of a beginning by which names are indexed."""

_COMPARED = 8
"""The most words of a name that are compared for a suggestion."""

_NUMBER = f"#?([0-9]{{1,{spelling.DIGITS}}})"


class NobodyError(KeizerError):
    """The refusal of a name or number that no player has."""


Words = tuple[str, ...]
"""A form of a name: its words in one spelling, given names first, in small letters."""


@lru_cache(maxsize=8192)
def words(name: str) -> frozenset[Words]:
    """Return the forms of a name: its words in each spelling.

    "Müller, Hans" has the forms (hans, muller) and (hans, mueller).
    """
    surname, *given_names = name.split(",", 1)
    in_order = " ".join([*given_names, surname])
    return frozenset(
        tuple(re.findall(r"[^\W_]+", form)) for form in spelling.spellings(in_order)
    )


def sorted_words(name: str) -> set[Words]:
    """Return the forms of a name, each with its words sorted: their order is lost."""
    return {tuple(sorted(form)) for form in words(name) if form}


# ----------------------------------------------------------------- who is meant


def find_player_id(typed: str, players: Mapping[int, str]) -> int:
    """Return the id of the player that somebody means.

    players: all who can be meant, name by id.
    Raises KeizerError if it fits several players; NobodyError if it fits nobody, with
    similar names as suggestions.
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
    number = _parse_number(wanted)
    if number is not None:
        raise NobodyError("no player has the number {number}.", number=number)
    suggested = suggest_names(wanted, players)
    if suggested:
        raise NobodyError(
            "there is no player “{typed}”: did you mean {names}?",
            typed=spelling.shortened(typed),
            names=messages.listed(suggested, "or"),
        )
    raise NobodyError("there is no player “{typed}”.", typed=spelling.shortened(typed))


def _parse_number(wanted: str) -> int | None:
    """Return 25 for the text 25 or #25; None for a text that is not a number."""
    number = re.fullmatch(_NUMBER, wanted)
    return int(number[1]) if number else None


def match_names(typed: str, known: Mapping[int, str]) -> list[int]:
    """Return the ids of all with exactly this name or number.

    If nobody has it, return the ids of all whose names fit most closely. known: name by
    id. A number never stands for a part of a name.
    """
    wanted = spelling.tidy(typed)
    number = _parse_number(wanted)
    exact = [id_ for id_, name in known.items() if name == wanted or id_ == number]
    if exact or number is not None:
        return exact
    return closest_names(wanted, known)


def closest_names(typed: str, players: Mapping[int, str]) -> list[int]:
    """Return the ids of all whose names fit most closely, sorted by name.

    players: name by id.
    """
    wanted = words(typed)
    fits = {id_: _best_fit(wanted, name) for id_, name in players.items()}
    best = max(fits.values(), default=0)
    if best == 0:
        return []
    fitting = [id_ for id_, fit in fits.items() if fit == best]
    return sorted(fitting, key=players.__getitem__)


def _best_fit(wanted: Iterable[Words], name: str) -> int:
    """Return how closely a name fits in the spellings that fit best; see `_fit`."""
    return max(_fit(typed, form) for typed in wanted for form in words(name))


def owners_by_key(
    keys_by_owner: Mapping[int, Iterable[Any]],
) -> defaultdict[Any, list[int]]:
    """Return an index: the owners of each key, such as a name or a number.

    keys_by_owner: the keys of each owner, such as a player or a line.
    """
    owners = defaultdict(list)
    for owner, keys in keys_by_owner.items():
        for key in keys:
            owners[key].append(owner)
    return owners


def owners_of(keys: Iterable[Any], index: Mapping[Any, Iterable[int]]) -> set[int]:
    """Return all owners of these keys.

    index: as `owners_by_key` returns it.
    """
    owners = set[int]()
    for key in keys:
        owners.update(index.get(key, ()))
    return owners


class Names:
    """An index of the names of many players, to compare what is typed with few of them.

    players: name by id.
    """

    def __init__(self, players: Mapping[int, str]) -> None:
        """Index the whole names, their letters, and the beginnings of their words."""
        self._players = players
        names = players.items()
        self._by_name = owners_by_key({id_: [name] for id_, name in names})
        self._by_letters = owners_by_key({id_: _letters(name) for id_, name in names})
        self._by_beginning = owners_by_key(
            {id_: _beginnings(name) for id_, name in names}
        )

    def player(self, typed: str) -> int:
        """Return the id of the player that somebody means, as `find_player_id` does.

        Raises the same errors.
        """
        candidates = self._candidates(typed)
        matches = match_names(typed, candidates)
        if len(matches) == 1:
            return matches[0]
        # This raises the error: with those who fit, else with suggestions among all.
        return find_player_id(typed, candidates if matches else self._players)

    def _candidates(self, typed: str) -> dict[int, str]:
        """Return the players whose names can fit, name by id: nobody else can."""
        wanted = spelling.tidy(typed)
        candidates = owners_of([wanted], self._by_name)
        number = _parse_number(wanted)
        if number is not None:
            candidates.add(number)
        if not candidates:
            candidates = owners_of(_letters(wanted), self._by_letters)
        if not candidates:
            # Every word typed has to fit, so one of them is enough to look names up.
            rarest = [self._rarest_beginning(form) for form in words(wanted) if form]
            candidates = owners_of(rarest, self._by_beginning)
        # The number that was typed may be nobody's.
        known = sorted(candidates & self._players.keys())
        return {id_: self._players[id_] for id_ in known}

    def _rarest_beginning(self, form: Words) -> str:
        """Return the first letters of the word with which the fewest names can fit."""

        def count_names(beginning: str) -> int:
            return len(self._by_beginning.get(beginning, ()))

        return min((word[:_BEGINNING] for word in form), key=count_names)


def _letters(name: str) -> set[str]:
    """Return the letters of a name in each spelling: hansmuller, hansmueller."""
    return {"".join(form) for form in words(name) if form}


def _beginnings(name: str) -> set[str]:
    """Return the first letter, two and three letters of each word of a name.

    A short word runs on into the next one, as somebody may type it: "de Man" also has
    the beginning dem.
    """
    beginnings = set()
    for form in words(name):
        letters = "".join(form)
        for start in _starts(form):
            for length in range(1, _BEGINNING + 1):
                beginnings.add(letters[start : start + length])
    return beginnings


def _fit(typed: Words, name: Words) -> int:
    """Return how closely a name fits what was typed, from 4 to 0.

    4: the same letters in the same order; 3: all words of the name, in another order;
    2: some of its words; 1: beginnings of its words; 0: it does not fit.
    A word typed may stand for several words of the name, as vandenberg does.
    """
    if not typed:
        return 0
    letters = "".join(name)
    typed_letters = "".join(typed)
    if typed_letters == letters:
        return 4
    # A typed word is compared with all letters from the start of a word of the name.
    starts = _starts(name)
    ends = {*starts[1:], len(letters)}

    def ends_with_a_word(word: str, start: int) -> bool:
        end = start + len(word)
        return end in ends and letters.startswith(word, start)

    if _each_has_place(typed, ends_with_a_word, starts):
        return 3 if len(typed_letters) == len(letters) else 2
    if _each_has_place(typed, letters.startswith, starts):
        return 1
    return 0


def _starts(name: Words) -> list[int]:
    """Return the position of the first letter of each word, among all letters."""
    ends = accumulate(map(len, name))
    return [0, *ends][: len(name)]


def _each_has_place(
    typed: Words, fits: Callable[[str, int], bool], places: Iterable[int]
) -> bool:
    """Return whether every word can have a place of its own that it fits.

    fits: says of a word and a place whether they fit.
    """
    free = [*places]
    # The longest chooses first. If two words fit the same place, the shorter one is a
    # beginning of the longer one, so it fits all other places of the longer one too.
    for word in sorted(typed, key=len, reverse=True):
        chosen = next((place for place in free if fits(word, place)), None)
        if chosen is None:
            return False
        free.remove(chosen)
    return True


# ------------------------------------------------------------- names that are near


def suggest_names(typed: str, players: Mapping[int, str]) -> list[str]:
    """Return the names most similar to what was typed, as in `Jan Bakker (#7)`.

    players: name by id. The most similar name comes first; see `_likeness`.
    """
    wanted = words(typed)
    likeness = {id_: _best_likeness(wanted, name) for id_, name in players.items()}
    best = max(likeness.values(), default=0)
    if best == 0:
        return []
    similar = [id_ for id_, letters in likeness.items() if letters >= best * _NEARLY]
    similar.sort(key=lambda id_: (-likeness[id_], players[id_]))
    return [f"{players[id_]} (#{id_})" for id_ in similar[:_SUGGESTED]]


def _best_likeness(wanted: Iterable[Words], name: str) -> float:
    """Return the likeness of the two spellings that are most alike."""
    return max(_likeness(typed, form) for typed in wanted for form in words(name))


def _likeness(typed: Words, name: Words) -> float:
    """Return how many of the letters typed are in words that are like one of the name.

    A word that is only similar counts for a part of its letters.
    """
    compared = name[:_COMPARED]
    return sum(_letters_alike(word, compared) for word in typed[:_COMPARED])


def _letters_alike(word: str, others: Words) -> float:
    """Return the letters of a word times its ratio with the most similar other word.

    Return 0 if no other word is alike enough.
    """
    from difflib import SequenceMatcher  # loaded for suggestions alone

    ratios = (SequenceMatcher(None, word, other).ratio() for other in others)
    best = max(ratios, default=0)
    if best < _ALIKE:
        return 0
    return len(word) * best


# Marks that look the same on paper become one of them. Selectors of a style and a
# joiner, which nobody sees, are left out.
_MARKS = str.maketrans(
    dict.fromkeys("`´‘’‛ʹʻʼʽˈ′＇", "'")
    | dict.fromkeys("“”„‟″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys(map(chr, (*range(0xFE00, 0xFE10), 0x34F)))
)

# Letters of other alphabets, and the Latin ones that look like them.
_LETTERS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮԚԜаеѕіјорсухһԛԝӏѵԁ"  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυ"  # Greek
    "ՍՕօհոսɑɡ",  # Armenian; Latin of phoneticians
    "ABESIJKMHOPCTYXYQWaesijopcyxhqwlvdABEZHIKMNOPTYXaikvopuUOohnuag",
)


@lru_cache(maxsize=8192)
def lookalike_forms(name: str) -> frozenset[str]:
    """Return two forms of a name, so that names that look alike on paper share a form.

    The first form is the name in lower case. In the second form, the letters that look
    like Latin ones are Latin. Accents stay: Müller and Muller are two people.
    """
    has_one_form = name.isascii() and "`" not in name
    if has_one_form:  # as most names, and all are compared with each other
        return frozenset([name.lower()])
    import unicodedata

    decomposed = unicodedata.normalize("NFKD", name.translate(_MARKS))
    latin = decomposed.translate(_LETTERS)
    return frozenset([_normalised(decomposed), _normalised(latin)])


def _normalised(form: str) -> str:
    """Return a form in lower case, with single spaces and one kind of sigma."""
    lower = form.lower().replace("ς", "σ")
    return " ".join(lower.split())


class Lookalikes:
    """An index of many names that finds those which look like a new one."""

    def __init__(self, names: Iterable[str]) -> None:
        """Index these names by the forms that lookalikes share."""
        self._names = defaultdict[str, set[str]](set)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Add a name to the index. Names that nobody has any more may stay in it."""
        for form in lookalike_forms(name):
            self._names[form].add(name)

    def alike(self, name: str) -> set[str]:
        """Return the names that look like this name, and the name itself if known."""
        alike = set[str]()
        for form in lookalike_forms(name):
            alike |= self._names.get(form, set())
        return alike


def find_lookalike(name: str, others: Mapping[int, str]) -> int | None:
    """Return the id of the first of the others whose name looks like this one, or None.

    others: name by id. Exactly the same name does not count: whoever has it is the
    person meant, or a namesake.
    """
    forms = lookalike_forms(name)
    for id_, other in others.items():
        if other != name and not forms.isdisjoint(lookalike_forms(other)):
            return id_
    return None
