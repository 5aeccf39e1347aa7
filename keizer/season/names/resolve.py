"""Find the player that somebody means by what they typed, and suggest similar names.

A player may be typed in three ways: as their number (25 or #25), as the whole name with
its words in any order, or as any of its words or their beginnings. Capitals, accents,
apostrophes, hyphens and commas do not matter.

The closest way in which a name fits decides. If several players fit equally closely,
nobody is taken.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
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
"""Suggested are names whose likeness is at least this share of the greatest one."""

_BEGINNING = 3
"""The most letters of the beginnings of words by which names are indexed."""

_COMPARED = 8
"""The most words of a name that are compared for a suggestion, to bound the time."""

_NUMBER = f"#?([0-9]{{1,{spelling.DIGITS}}})"


class NobodyError(KeizerError):
    """The refusal of a name or number that no player has."""


Words = tuple[str, ...]
"""A name as a tuple of its words, given names first, in small letters."""


@lru_cache(maxsize=8192)
def word_spellings(name: str) -> frozenset[Words]:
    """Return the spellings of a name, each as a tuple of its words.

    "Müller, Hans" has the spellings (hans, muller) and (hans, mueller).
    """
    surname, *given_names = name.split(",", 1)
    in_order = " ".join([*given_names, surname])
    return frozenset(
        tuple(re.findall(r"[^\W_]+", folded)) for folded in spelling.spellings(in_order)
    )


def sorted_words(name: str) -> set[Words]:
    """Return the spellings of a name, each as a tuple of its words, sorted.

    Two names with the same words in another order then have the same tuple.
    """
    spellings = word_spellings(name)
    return {tuple(sorted(words)) for words in spellings if words}


# ----------------------------------------------------------------- who is meant


def find_player_id(typed: str, players: Mapping[int, str]) -> int:
    """Return the id of the player that somebody means.

    players: all who can be meant, name by id.
    Raises KeizerError if what was typed fits several players. Raises NobodyError, with
    similar names as suggestions, if it fits nobody.
    """
    matches = match_names(typed, players)
    if len(matches) == 1:
        return matches[0]
    raise _refusal(typed, matches, players)


def _refusal(
    typed: str, matches: Sequence[int], players: Mapping[int, str]
) -> KeizerError:
    """Return the error that what was typed fits several players, or nobody.

    matches: the ids of the players whom it fits; empty if it fits nobody.
    players: all who can be meant, name by id. If it fits nobody, the error suggests
    similar names of these.
    """
    if matches:
        names = [f"{players[id_]} (#{id_})" for id_ in matches]
        return KeizerError(
            "“{typed}” fits {names}: type the number of the one you mean, or more of"
            " the name.",
            typed=spelling.shortened(typed),
            names=messages.shortened_list(names, _LISTED),
        )
    wanted = spelling.tidy(typed)
    number = _parse_number(wanted)
    if number is not None:
        return NobodyError("no player has the number {number}.", number=number)
    suggested = suggest_names(wanted, players)
    if suggested:
        return NobodyError(
            "there is no player “{typed}”: did you mean {names}?",
            typed=spelling.shortened(typed),
            names=messages.listed(suggested, "or"),
        )
    return NobodyError("there is no player “{typed}”.", typed=spelling.shortened(typed))


def _parse_number(wanted: str) -> int | None:
    """Return 25 for the text 25 or #25; None for a text that is not a number."""
    number = re.fullmatch(_NUMBER, wanted)
    return int(number[1]) if number else None


def match_names(typed: str, names: Mapping[int, str]) -> list[int]:
    """Return the ids of all whose name or number is exactly what was typed.

    If nobody's is, return the ids of all whose names fit most closely. But a number
    never stands for a part of a name: if a number was typed that nobody has, the list
    is empty. names: name by id.
    """
    wanted = spelling.tidy(typed)
    number = _parse_number(wanted)
    exact = [id_ for id_, name in names.items() if name == wanted or id_ == number]
    if exact or number is not None:
        return exact
    return closest_names(wanted, names)


def closest_names(typed: str, players: Mapping[int, str]) -> list[int]:
    """Return the ids of the players whose names fit most closely, sorted by name.

    The list is empty if no name fits. players: name by id.
    """
    wanted = word_spellings(typed)  # in each spelling
    fits = {id_: _best_fit(wanted, name) for id_, name in players.items()}
    best = max(fits.values(), default=0)
    if best == 0:
        return []
    fitting = [id_ for id_, fit in fits.items() if fit == best]
    return sorted(fitting, key=players.__getitem__)


def _best_fit(wanted: Iterable[Words], name: str) -> int:
    """Return how closely a name fits, from 4 to 0, in the two spellings that fit best.

    wanted: the spellings of what was typed. See `_fit` for the numbers.
    """
    spellings = word_spellings(name)
    return max(_fit(typed, words) for typed in wanted for words in spellings)


def owners_by_key(
    keys_by_owner: Mapping[int, Iterable[Any]],
) -> defaultdict[Any, list[int]]:
    """Return an index: the owners of each key.

    keys_by_owner: the keys that each owner has. Owners are players or lines of a list,
    as numbers. Keys are what they may share, such as a name: {1: ["Jan"], 2: ["Jan"]}
    gives {"Jan": [1, 2]}.
    """
    owners = defaultdict(list)
    for owner, keys in keys_by_owner.items():
        for key in keys:
            owners[key].append(owner)
    return owners


def owners_of(keys: Iterable[Any], index: Mapping[Any, Iterable[int]]) -> set[int]:
    """Return everybody who owns at least one of these keys.

    index: the owners of each key, as `owners_by_key` returns it.
    """
    owners = set[int]()
    for key in keys:
        owners.update(index.get(key, ()))
    return owners


class Names:
    """An index of the names of many players.

    With it, what somebody types is compared with few of the names.
    """

    def __init__(self, players: Mapping[int, str]) -> None:
        """Index the whole names, their letters, and the beginnings of their words.

        players: name by id.
        """
        self._players = players
        names = players.items()
        self._by_name = owners_by_key({id_: [name] for id_, name in names})
        self._by_letters = owners_by_key({id_: _letters(name) for id_, name in names})
        self._by_beginning = owners_by_key(
            {id_: _beginnings(name) for id_, name in names}
        )

    def player(self, typed: str) -> int:
        """Return the id of the player that somebody means by what they typed.

        The answer and the errors are those of `find_player_id`: KeizerError if it fits
        several players, and NobodyError if it fits nobody.
        """
        candidates = self._candidates(typed)
        matches = match_names(typed, candidates)
        if len(matches) == 1:
            return matches[0]
        # If nobody fits, the error suggests similar names, and these may be of players
        # who are not candidates.
        raise _refusal(typed, matches, self._players)

    def _candidates(self, typed: str) -> dict[int, str]:
        """Return the players who may be meant, name by id; nobody else can be.

        They are looked up in the index, in up to three steps:
        1. the players who have the name or the number that was typed;
        2. those whose names have the same letters in the same order, whatever the
           spaces, capitals and accents;
        3. those whose names have a word that begins as one of the typed words does.
           Of the typed words, the one is taken for which there are the fewest names.
        Only the closest fit counts. So the next step, which finds names that fit less
        closely, is taken only if the steps before have found nobody. A number that was
        typed is not looked for in names, even if no player has it.
        """
        wanted = spelling.tidy(typed)
        candidates = owners_of([wanted], self._by_name)
        number = _parse_number(wanted)
        if number is not None:
            candidates.add(number)  # players are typed by their id
        if not candidates:
            candidates = owners_of(_letters(wanted), self._by_letters)
        if not candidates:
            # A name that fits has a word for each of the typed words. So it is found
            # by any one of these, and the rarest one finds the fewest other names.
            # What was typed may have several spellings (muller, mueller). A name may
            # fit any of them, so the rarest word of each spelling is looked up.
            rarest = [
                self._rarest_beginning(words)
                for words in word_spellings(wanted)
                if words
            ]
            candidates = owners_of(rarest, self._by_beginning)
        # The number that was typed may be nobody's. It is left out only here: above, it
        # kept the next steps from looking for the number in names.
        known = sorted(candidates & self._players.keys())
        return {id_: self._players[id_] for id_ in known}

    def _rarest_beginning(self, typed: Words) -> str:
        """Return the first letters, at most three, of one of the typed words.

        It is the word with whose first letters the fewest names are found, so that few
        names have to be compared.
        typed: the words that were typed, in one spelling; at least one word.
        """

        def count_names(beginning: str) -> int:
            return len(self._by_beginning.get(beginning, ()))

        return min((word[:_BEGINNING] for word in typed), key=count_names)


def _letters(name: str) -> set[str]:
    """Return the letters of a name in each spelling: hansmuller, hansmueller."""
    spellings = word_spellings(name)
    return {"".join(words) for words in spellings if words}


def _beginnings(name: str) -> set[str]:
    """Return the first one, two and three letters of each word, in all spellings.

    A short word is continued by the next one, since people may type both as one word:
    "de Man" has the beginnings d, de, dem and m, ma, man.
    """
    beginnings = set()
    # Each spelling of the name is a tuple of its words, such as (de, man).
    for words in word_spellings(name):
        letters = "".join(words)  # deman
        for start in _starts(words):  # 0 and 2, where the words start in deman
            for length in range(1, _BEGINNING + 1):
                beginnings.add(letters[start : start + length])
    return beginnings


def _fit(typed: Words, name: Words) -> int:
    """Return how closely a name fits what was typed, from 4 to 0.

    4: the same letters in the same order; 3: all words of the name, in another order;
    2: some of its words; 1: beginnings of its words; 0: it does not fit.
    A word typed may stand for several words of the name, as vandenberg does.
    typed, name: their words, each in one spelling.
    """
    if not typed:
        return 0
    letters = "".join(name)
    typed_letters = "".join(typed)
    if typed_letters == letters:
        return 4
    # A typed word is compared with the letters of the name, without spaces, from the
    # start of one of its words. So it may go on into the next words.
    starts = _starts(name)
    ends = {*starts[1:], len(letters)}

    def ends_with_a_word(word: str, start: int) -> bool:
        end = start + len(word)
        return end in ends and letters.startswith(word, start)

    if _each_has_start(typed, ends_with_a_word, starts):
        has_all_words = len(typed_letters) == len(letters)
        return 3 if has_all_words else 2
    if _each_has_start(typed, letters.startswith, starts):
        return 1
    return 0


def _starts(name: Words) -> list[int]:
    """Return where each word starts in the letters of a name without spaces.

    For the words jan and berg these are the positions 0 and 3 in janberg.
    """
    starts = []
    start = 0
    for word in name:
        starts.append(start)
        start += len(word)  # the next word starts where this one ends
    return starts


def _each_has_start(
    typed: Words, fits: Callable[[str, int], bool], starts: Iterable[int]
) -> bool:
    """Return whether every typed word fits the name at a start of its own.

    The words are looked for in the letters of the name without spaces. So a word may
    run on into the next word of the name: janpiet fits the name Jan Piet at 0.
    starts: the positions in these letters where the words of the name start.
    fits: returns whether a word fits at a position. If it looks for beginnings, the
    word may end anywhere. If it looks for whole words, the word has to end where a word
    of the name ends.

    It is not tried whether the words fit in another way. In rare names, some whole
    words are therefore not found; see the second example in the body.
    """
    free = [*starts]
    # Each word takes the first free start that it fits, the longest word first.
    # Somebody types janpiet and jan, and the name is Jan Piet Janpiet: its letters are
    # janpietjanpiet, its starts 0, 3 and 7.
    # 1. Beginnings: janpiet fits at 0 and 7, and takes 0. jan fits at 0 and 7, and
    #    takes 7. It fits wherever janpiet does, as it is the beginning of janpiet. So
    #    it does not matter which of its starts the longer word takes.
    # 2. Whole words: janpiet fits at 0 (Jan Piet) and 7 (Janpiet), and takes 0. jan
    #    fits at 0 only, which is taken. That janpiet at 7 and jan at 0 would fit is
    #    missed. The name then counts as one of which only the beginnings fit.
    for word in sorted(typed, key=len, reverse=True):
        taken = next((start for start in free if fits(word, start)), None)
        if taken is None:
            return False
        free.remove(taken)
    return True


# ------------------------------------------------------------- names that are near


def suggest_names(typed: str, players: Mapping[int, str]) -> list[str]:
    """Return the names most similar to what was typed, as in `Jan Bakker (#7)`.

    The most similar name comes first. The list is empty if no name is similar.
    players: name by id.
    """
    wanted = word_spellings(typed)  # in each spelling
    likeness = {id_: _best_likeness(wanted, name) for id_, name in players.items()}
    best = max(likeness.values(), default=0)
    if best == 0:
        return []
    similar = [id_ for id_, value in likeness.items() if value >= best * _NEARLY]
    similar.sort(key=lambda id_: (-likeness[id_], players[id_]))
    return [f"{players[id_]} (#{id_})" for id_ in similar[:_SUGGESTED]]


def _best_likeness(wanted: Iterable[Words], name: str) -> float:
    """Return the likeness of a name, in the two spellings that are most alike.

    wanted: the spellings of what was typed. See `_likeness` for the number.
    """
    spellings = word_spellings(name)
    return max(_likeness(typed, words) for typed in wanted for words in spellings)


def _likeness(typed: Words, name: Words) -> float:
    """Return how like a name is to what was typed, in letters.

    Each typed word counts with its letters if the name has this word. It counts with a
    part of them if the name has a similar word, and else with none.
    """
    # Every typed word is compared with every word of the name, which would take long if
    # somebody types a whole page. So only the first words are compared.
    compared = name[:_COMPARED]
    return sum(_letters_alike(word, compared) for word in typed[:_COMPARED])


def _letters_alike(word: str, others: Words) -> float:
    """Return how many letters a word has in common with the most similar other word.

    It is an estimate: the letters of the word times the ratio of difflib, which is 1
    for the same word. Return 0 if no other word is alike enough.
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
def lookalike_keys(name: str) -> frozenset[str]:
    """Return two keys of a name: names that look alike on paper have a key in common.

    The first key is the name in lower case, with one mark for all that look the same.
    In the second key, letters that look like Latin ones are Latin too. Accents stay:
    Müller and Muller are two people.
    """
    has_one_key = name.isascii() and "`" not in name
    if has_one_key:  # a quick way for most names, as all may be compared with a new one
        return frozenset([name.lower()])
    import unicodedata

    decomposed = unicodedata.normalize("NFKD", name.translate(_MARKS))
    latin = decomposed.translate(_LETTERS)
    return frozenset([_normalised(decomposed), _normalised(latin)])


def _normalised(name: str) -> str:
    """Return a name in lower case, with single spaces and one kind of sigma."""
    lower = name.lower().replace("ς", "σ")
    return " ".join(lower.split())


class Lookalikes:
    """An index of many names that finds those which look like a new one."""

    def __init__(self, names: Iterable[str]) -> None:
        """Index these names by their keys, which names that look alike share."""
        self._names = defaultdict[str, set[str]](set)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Add a name to the index.

        The old name of somebody who is renamed stays in the index. Callers have to look
        whether anybody still has a name that `alike` returns.
        """
        for key in lookalike_keys(name):
            self._names[key].add(name)

    def alike(self, name: str) -> set[str]:
        """Return the names that look like this name, and the name itself if known."""
        alike = set[str]()
        for key in lookalike_keys(name):
            alike |= self._names.get(key, set())
        return alike


def find_lookalike(name: str, others: Mapping[int, str]) -> int | None:
    """Return the id of the first of the others whose name looks like this one.

    Return None if no name does. others: name by id. Exactly the same name does not
    count: whoever has it is the person meant, or a namesake.
    """
    keys = lookalike_keys(name)
    for id_, other in others.items():
        if other != name and not keys.isdisjoint(lookalike_keys(other)):
            return id_
    return None
