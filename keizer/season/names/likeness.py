"""Names that are likely of the same person, found among many at once.

Two names come near each other in one of two cases:
- They have the same letters, in any order of the words. Names of six or more letters
  may differ in one letter.
- They have the same number of words and the same last word, and of each two other
  words one is the beginning of the other, as in J. v.d. Berg.

Names are indexed, so that each one is compared with few others: a list of 5,000 orders
of the same words takes a second.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from keizer.season.names import resolve
from keizer.season.names.resolve import Words, owners_by_key, owners_of

_LONG = 6
"""From this many letters on, a name may differ in one letter and still come near."""

_MOST_LETTERS = 60
"""The most letters of a name that is compared letter by letter: real ones have 45."""

_MOST_WORDS = 12
"""The most words of a name that is compared with abbreviations."""

_TWO_WORDS = {"vd": ["v", "d"]}
"""Words that are short for two: vd stands for van den, and so is split into v and d."""


class Likeness:
    """An index of names that finds those which come near a given one.

    Names come near each other if they are likely of the same person: they have the same
    letters, or all but one; or one name is short for the other.
    """

    def __init__(self, names: Mapping[int, str]) -> None:
        """Index the names by their spellings and by their letters.

        names: name by owner, a number that stands for whoever has the name.
        """
        self._spellings = {owner: _spellings(name) for owner, name in names.items()}
        """Each name as tuples of its words: {7: [("jan", "berg")]}."""
        self._owners_by_spelling = owners_by_key(self._spellings)
        """Whose names have a spelling: {("jan", "berg"): [7]}."""
        letters = {
            owner: _letters(spellings) for owner, spellings in self._spellings.items()
        }
        self._owners_by_letters = owners_by_key(letters)
        """Whose names have a text of joined words: {"janberg": [7], "bergjan": [7]}."""
        self._groups_by_letters = _groups_one_letter_apart(self._owners_by_letters)
        """The groups that each text is in; texts of a group differ in one letter.

        Of Jan Berg and Jan Bert: {"janberg": [["janberg", "janbert"]], "janbert": ...}.
        """
        self._abbreviations = _Abbreviations(self._owners_by_spelling)

    def near(self, owner: int) -> set[int]:
        """Return the other owners whose names come near the name of this owner.

        They have the same letters, or all but one; or one name is short for the other.
        """
        spellings = self._spellings[owner]
        similar_letters = self._similar_letters(_letters(spellings))
        owners = owners_of(similar_letters, self._owners_by_letters)
        for words in spellings:
            abbreviations = self._abbreviations.matches(words)
            owners |= owners_of(abbreviations, self._owners_by_spelling)
        return owners - {owner}

    def _similar_letters(self, own_letters: set[str]) -> set[str]:
        """Return these texts, and those of other names that differ in one letter.

        own_letters: the texts of a name as `_letters` returns them: its words, joined
        as they stand and joined in alphabetical order, as janberg and bergjan.
        """
        similar = set(own_letters)
        for letters in own_letters:
            for group in self._groups_by_letters.get(letters, ()):
                similar.update(group)
        return similar


_WordKey = tuple[str, str, int, str]
"""A key by which a name is found: its last word, its initials, a position, and the word
at that position.

If one name is short for another, both have the same last word and the same initials.
It is a plain tuple, since a thousand names make tens of thousands of them.
"""


class _Abbreviations:
    """An index of names that finds which of them are short for each other.

    J. v.d. Berg is short for Jan van den Berg: both have the same last word, and of
    each two other words one is the beginning of the other.

    The last word of a name, its initials, and one of its other words with its position
    make a key: ("berg", "jb", 0, "jan") for Jan Berg. Names that may be short for each
    other have keys which differ only in how much of the word is written.
    """

    def __init__(self, names: Iterable[Words]) -> None:
        """Index the names by each of their words, and by the beginnings of the words.

        names: each as a tuple of its words.
        """
        self._by_word = defaultdict[_WordKey, list[Words]](list)
        """The names with exactly the word of the key at its position."""
        self._by_beginning = defaultdict[_WordKey, list[Words]](list)
        """The names with a longer word there, which begins with the word of the key.

        So Jan Berg is found here by ("berg", "jb", 0, "j") and ("berg", "jb", 0, "ja").
        """
        # Names of more words are hardly real, and would make many keys each.
        compared = [name for name in names if len(name) <= _MOST_WORDS]
        for name in compared:
            for key in _word_keys(name):
                self._by_word[key].append(name)
        for name in compared:
            for key in _word_keys(name):  # none for the last word, which has to agree
                for beginning in _beginnings(key):
                    # Nobody looks for a beginning that is not a word of any name.
                    if beginning in self._by_word:
                        self._by_beginning[beginning].append(name)

    def matches(self, name: Words) -> list[Words]:
        """Return the names that are short for this one, and those it is short for."""
        candidates_by_word = [self._candidates(key) for key in _word_keys(name)]
        # A match agrees with the name in every word, so that it is among the candidates
        # of each. The word with the fewest candidates is the quickest.
        fewest = min(candidates_by_word, key=len, default=[])
        return [candidate for candidate in fewest if _is_short(name, candidate)]

    def _candidates(self, key: _WordKey) -> list[Words]:
        """Return the names that agree with the word of a key, at its position.

        At that position they have the word itself, a longer word that begins with it,
        or a beginning of it.
        """
        candidates = self._by_word.get(key, []) + self._by_beginning.get(key, [])
        for beginning in _beginnings(key):
            candidates += self._by_word.get(beginning, [])
        return candidates


def _word_keys(name: Words) -> Iterator[_WordKey]:
    """Yield the key of each word of a name but the last, to index the name by.

    Jan van Berg has the keys ("berg", "jvb", 0, "jan") and ("berg", "jvb", 1, "van").
    Names have a key in common only if their last words and their initials agree.
    """
    *others, last = name
    initials = "".join(word[0] for word in name)
    for position, word in enumerate(others):
        yield last, initials, position, word


def _beginnings(key: _WordKey) -> Iterator[_WordKey]:
    """Yield the key with each beginning of its word in place of the word.

    For the word jan these are j and ja, but not the whole word.
    """
    last, initials, position, word = key
    for end in range(1, len(word)):
        yield last, initials, position, word[:end]


def _spellings(name: str) -> list[Words]:
    """Return each spelling of a name, as a tuple of its words.

    A word such as vd, which is short for two, is split into v and d. A name without any
    letter or digit has no spelling.
    """
    spellings = []
    for words in resolve.word_spellings(name):
        spelling: list[str] = []
        for word in words:
            spelling += _TWO_WORDS.get(word, [word])
        if spelling:
            spellings.append(tuple(spelling))
    return spellings


def _letters(spellings: Iterable[Words]) -> set[str]:
    """Return the letters of a name, as texts by which it is compared with other names.

    spellings: the words of the name, in each spelling. Each gives two texts: the words
    as they stand, and the words sorted, so that their order does not matter. Jan Berg
    has the texts janberg and bergjan.
    """
    letters = set()
    for words in spellings:
        letters.add("".join(words))
        letters.add("".join(sorted(words)))
    return letters


def _is_short(name: Words, other: Words) -> bool:
    """Return whether one name may be short for the other.

    Then of each two words in the same position one is the beginning of the other.
    Both names have to have the same number of words.
    """
    return all(
        word.startswith(counterpart) or counterpart.startswith(word)
        for word, counterpart in zip(name, other, strict=True)
    )


def _groups_one_letter_apart(texts: Iterable[str]) -> dict[str, list[list[str]]]:
    """Return groups of texts that differ in one letter: by text, the groups it is in.

    A text may also have one letter less than the others of its group. Texts of fewer
    than six letters are in a group only with a text of six: the short names of two
    people often differ in one letter only.
    """
    by_length = defaultdict(list)
    for text in texts:
        if len(text) <= _MOST_LETTERS:
            by_length[len(text)].append(text)
    groups = defaultdict(list)
    for length, same_length in by_length.items():
        if length < _LONG:
            continue
        shorter = by_length.get(length - 1, [])
        for group in _group_by_remainder(same_length, shorter):
            for text in group:
                groups[text].append(group)
    return groups


def _group_by_remainder(
    texts: Iterable[str], shorter: Iterable[str]
) -> list[list[str]]:
    """Group texts that are equal once a letter of each is taken out.

    What is left of such a text is the remainder: bakkr for bakker and bakkar.
    texts: all of the same length. shorter: texts with one letter less; a shorter text
    that equals the remainder belongs to the group too.
    """
    groups = defaultdict(list)
    for text in texts:
        for remainder in _shorter_by_a_letter(text):
            groups[remainder].append(text)
    for text in shorter:
        if text in groups:
            groups[text].append(text)
    return [group for group in groups.values() if len(group) > 1]


def _shorter_by_a_letter(text: str) -> set[str]:
    """Return the texts that are left if one letter of a text is taken out: each once.

    No digit is taken out, since Team 1 is not Team 2.
    """
    return {
        text[:position] + text[position + 1 :]
        for position, character in enumerate(text)
        if character.isalpha()
    }
