"""Names that are likely of the same person, found among many at once.

Two names come near in one of two cases:
- They have the same letters, in any order of the words. Names of six or more letters
  may differ in one letter.
- They have the same number of words and the same last word, and of each two other
  words one is the beginning of the other, as in J. v.d. Berg.

Few names share such a form. A form that many names share is compared once for all of
them: a list of 5,000 orders of the same words takes a second.
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
"""Words that are short for two."""


class Likeness:
    """An index of names that finds those which come near a given one.

    names: name by owner, a number that stands for whoever has the name.
    """

    def __init__(self, names: Mapping[int, str]) -> None:
        """Index the names by their forms and letters, for each way of coming near."""
        self._forms = {owner: _forms(name) for owner, name in names.items()}
        letters = {owner: _letters(forms) for owner, forms in self._forms.items()}
        self._owners_by_form = owners_by_key(self._forms)
        self._owners_by_letters = owners_by_key(letters)
        self._groups_by_letters = _groups_one_letter_apart(self._owners_by_letters)
        self._abbreviations = _Abbreviations(self._owners_by_form)

    def near(self, owner: int) -> set[int]:
        """Return the owners of all names that come near the name of this owner.

        They have the same letters, or all but one; or one name is short for the other.
        """
        forms = self._forms[owner]
        similar_letters = self._similar_letters(_letters(forms))
        owners = owners_of(similar_letters, self._owners_by_letters)
        for form in forms:
            abbreviations = self._abbreviations.matches(form)
            owners |= owners_of(abbreviations, self._owners_by_form)
        return owners - {owner}

    def _similar_letters(self, own_letters: set[str]) -> set[str]:
        """Return the letters of a name, and those that differ from them in one letter.

        own_letters: as of `_letters`.
        """
        similar = set(own_letters)
        for letters in own_letters:
            groups = self._groups_by_letters.get(letters, ())
            similar.update(*groups)
        return similar


_Place = tuple[str, str, int, str]
"""A word in its place in a name: the last word, the initials, the position, the word.

The last word and the initials are those of the whole name, so that only names that
agree in them have a place in common. It is a plain tuple, since a thousand names make
tens of thousands of them.
"""


class _Abbreviations:
    """An index of the forms of names that finds abbreviations of each other.

    J. v.d. Berg is short for Jan van den Berg. A form is compared with few others: with
    those that agree in one of its words, namely the word in which the fewest agree.
    """

    def __init__(self, forms: Iterable[Words]) -> None:
        """Index the forms by the places of their words.

        _same: the forms with exactly this word there; _longer: those with a longer word
        that begins with it.
        """
        self._same = defaultdict[_Place, list[Words]](list)
        self._longer = defaultdict[_Place, list[Words]](list)
        compared = [form for form in forms if len(form) <= _MOST_WORDS]
        for form in compared:
            for place in _places(form):
                self._same[place].append(form)
        for form in compared:
            for place in _places(form):
                for beginning in _beginnings(place):
                    # Nobody looks for a beginning that is not a word of any name.
                    if beginning in self._same:
                        self._longer[beginning].append(form)

    def matches(self, form: Words) -> list[Words]:
        """Return the forms that are short for this one, and those it is short for."""
        forms_by_word = [self._agreeing(place) for place in _places(form)]
        # Forms that fit agree in every word: the word with the fewest is enough.
        fewest = min(forms_by_word, key=len, default=[])
        return [other for other in fewest if _is_short(form, other)]

    def _agreeing(self, place: _Place) -> list[Words]:
        """Return the forms that agree with a word in its place.

        They have there the word itself, a longer word that begins with it, or a
        beginning of it.
        """
        agreeing = self._same.get(place, []) + self._longer.get(place, [])
        for beginning in _beginnings(place):
            agreeing += self._same.get(beginning, [])
        return agreeing


def _places(form: Words) -> Iterator[_Place]:
    """Yield each word of a form in its place, but not the last word."""
    *others, last = form
    initials = "".join(word[0] for word in form)
    for position, word in enumerate(others):
        yield last, initials, position, word


def _beginnings(place: _Place) -> Iterator[_Place]:
    """Yield the same place with each beginning of its word, but not the whole word."""
    last, initials, position, word = place
    for end in range(1, len(word)):
        yield last, initials, position, word[:end]


def _forms(name: str) -> list[Words]:
    """Return the words of a name in each of its spellings, with vd as v and d."""
    forms = []
    for words in resolve.words(name):
        form = tuple(part for word in words for part in _TWO_WORDS.get(word, [word]))
        if form:
            forms.append(form)
    return forms


def _letters(forms: Iterable[Words]) -> set[str]:
    """Return the letters of a name without spaces, as texts to compare.

    forms: the words of the name, in each spelling. Each form gives two texts: its words
    as they stand, and its words sorted, so that their order does not matter.
    """
    letters = set()
    for form in forms:
        letters.add("".join(form))
        letters.add("".join(sorted(form)))
    return letters


def _is_short(form: Words, other: Words) -> bool:
    """Return whether one form may be short for the other.

    Then of each two words in the same position one is the beginning of the other.
    """
    return all(
        word.startswith(counterpart) or counterpart.startswith(word)
        for word, counterpart in zip(form, other, strict=True)
    )


def _groups_one_letter_apart(texts: Iterable[str]) -> dict[str, list[list[str]]]:
    """Return groups of texts that are one letter apart: by text, the groups it is in.

    Texts of fewer than six letters are in a group only with a text of six.
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
    """Group texts that become the same text, the remainder, without one letter each.

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
