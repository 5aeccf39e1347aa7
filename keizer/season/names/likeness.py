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
    """Names to compare: which of them come near each other.

    names: by owner, a number that stands for whoever has the name.
    """

    def __init__(self, names: Mapping[int, str]) -> None:
        self._forms = {owner: _forms(name) for owner, name in names.items()}
        letters = {owner: _letters(forms) for owner, forms in self._forms.items()}
        self._owners_by_form = owners_by_key(self._forms)
        self._owners_by_letters = owners_by_key(letters)
        self._groups = _group_but_for_a_letter(self._owners_by_letters)
        self._abbreviations = _Abbreviations(self._owners_by_form)

    def near(self, owner: int) -> set[int]:
        """Return the owners of all names that come near to the name of this owner."""
        forms = self._forms[owner]
        letters = self._near_letters(_letters(forms))
        near = owners_of(letters, self._owners_by_letters)
        for form in forms:
            abbreviations = self._abbreviations.near(form)
            near |= owners_of(abbreviations, self._owners_by_form)
        return near - {owner}

    def _near_letters(self, own: set[str]) -> set[str]:
        near = set(own)
        for letters in own:
            near.update(*self._groups.get(letters, ()))
        return near


_Place = tuple[str, str, int, str]
"""A word at its position in a name: last word, initials, position, word.

A plain tuple: of a thousand names it is made tens of thousands of times.
"""


class _Abbreviations:
    """Forms of names, of which one may be short for another.

    A form is compared with those that agree with it in one word other than the last:
    the word for which these are the fewest.
    """

    def __init__(self, forms: Iterable[Words]) -> None:
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

    def near(self, form: Words) -> list[Words]:
        """Return the forms that are short for this one, or that it is short for."""
        agreeing = [self._agreeing(place) for place in _places(form)]
        fewest = min(agreeing, key=len, default=[])
        return [other for other in fewest if _is_short(form, other)]

    def _agreeing(self, place: _Place) -> list[Words]:
        """Return the forms with this word at its place, a longer or a shorter one."""
        agreeing = self._same.get(place, []) + self._longer.get(place, [])
        for beginning in _beginnings(place):
            agreeing += self._same.get(beginning, [])
        return agreeing


def _places(form: Words) -> Iterator[_Place]:
    """Yield the places of all words but the last."""
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
    """Return the words of a name, in each of its spellings."""
    forms = []
    for words in resolve.words(name):
        form = tuple(part for word in words for part in _TWO_WORDS.get(word, [word]))
        if form:
            forms.append(form)
    return forms


def _letters(forms: Iterable[Words]) -> set[str]:
    """Return the letters of a name: as it is spelt, and with its words in one order."""
    letters = set()
    for form in forms:
        letters.add("".join(form))
        letters.add("".join(sorted(form)))
    return letters


def _is_short(form: Words, other: Words) -> bool:
    """Return whether of each two words one is the beginning of the other."""
    return all(
        word.startswith(counterpart) or counterpart.startswith(word)
        for word, counterpart in zip(form, other, strict=True)
    )


def _group_but_for_a_letter(texts: Iterable[str]) -> dict[str, list[list[str]]]:
    """Return the groups of texts that are the same but for a letter, by each text."""
    by_length = defaultdict(list)
    for text in texts:
        if len(text) <= _MOST_LETTERS:
            by_length[len(text)].append(text)
    groups = defaultdict(list)
    for length, same_length in by_length.items():
        if length < _LONG:
            continue
        shorter = by_length.get(length - 1, [])
        for group in _sharing(same_length, shorter):
            for text in group:
                groups[text].append(group)
    return groups


def _sharing(texts: Iterable[str], shorter: Iterable[str]) -> list[list[str]]:
    """Group texts of one length by what remains of them without a letter.

    shorter: texts that are a letter shorter. One that is what remains joins the group.
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
    """Return a text without each of its letters; digits stay: Team 1 is not Team 2."""
    return {
        text[:position] + text[position + 1 :]
        for position, character in enumerate(text)
        if character.isalpha()
    }
