"""Names that are likely of the same person, found among many at once.

Two names come near if both have the same letters, in any order of the words, but for one letter
in names of six or more; or the same number of words, of which the last is the same and each other
one is the beginning of its counterpart, as in J. v.d. Berg.

Few names share such a form. Of forms that many names share, each is kept once: a list of
5,000 orders of the same words takes a second.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from keizer.season.names import resolve
from keizer.season.names.resolve import Words

_LONG = 6
"""Letters of a name in which one more, less or another is no other name."""

_MOST_LETTERS = 60
"""Letters of a name that is compared letter by letter: real ones have up to 45."""

_MOST_WORDS = 12
"""Words of a name that are compared as beginnings."""


class Likeness:
    """Names by whose they are, to ask which of them come near each other."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._forms = {who: [*_forms(name)] for who, name in names.items()}
        self._who = defaultdict[str, list[int]](list)
        for who, forms in self._forms.items():
            for text in _texts(forms):
                self._who[text].append(who)
        self._groups = _but_for_a_letter(self._who)
        self._short = _Abbreviations(self._forms)

    def near(self, who: int) -> set[int]:
        """Return whose names come near to that of one of them."""
        forms = self._forms[who]
        own = _texts(forms)
        texts = own.union(
            *(group for text in own for group in self._groups.get(text, ()))
        )
        near = set(chain.from_iterable(self._who[text] for text in texts))
        for form in forms:
            near.update(self._short.near(form))
        return near - {who}


class _Abbreviations:
    """Names of which one may be short for another.

    These are looked for by the word, other than the last, that the fewest have or begin with.
    """

    def __init__(self, names: Mapping[int, Sequence[Words]]) -> None:
        self._same = defaultdict[_Place, list[tuple[int, Words]]](list)
        self._longer = defaultdict[_Place, list[tuple[int, Words]]](list)
        short = [(who, form) for who, forms in names.items() for form in forms]
        short = [(who, form) for who, form in short if len(form) <= _MOST_WORDS]
        for who, form in short:
            for place in _places(form):
                self._same[place].append((who, form))
        for who, form in short:
            for beginning in chain.from_iterable(map(_beginnings, _places(form))):
                if beginning in self._same:
                    self._longer[beginning].append((who, form))

    def near(self, form: Words) -> Iterator[int]:
        """Yield whose name a form is short for, or that is short for it."""
        at_each_place = (
            [
                self._longer.get(place, ()),
                *(self._same.get(one, ()) for one in (place, *_beginnings(place))),
            ]
            for place in _places(form)
        )
        fewest = min(
            at_each_place, key=lambda groups: sum(map(len, groups)), default=[]
        )
        for who, words in chain.from_iterable(fewest):
            if _is_short(form, words):
                yield who


_Place = tuple[str, str, int, str]
"""A word of a name and the position that it has; before these the last word and all initials."""


def _places(form: Words) -> list[_Place]:
    """The places of all words but the last, which two names share."""
    initials = "".join(word[0] for word in form)
    return [
        (form[-1], initials, position, word) for position, word in enumerate(form[:-1])
    ]


def _beginnings(place: _Place) -> Iterator[_Place]:
    """The same place with each beginning of the word."""
    *same, word = place
    return ((*same, word[:end]) for end in range(1, len(word)))  # type: ignore[misc]


def _forms(name: str) -> Iterator[Words]:
    """The words of a name, as they may be spelt; vd is two of them."""
    for form in resolve.words(name):
        words = tuple(
            part for word in form for part in ("vd" if word == "vd" else [word])
        )
        if words:
            yield words


def _texts(forms: Iterable[Words]) -> set[str]:
    """The letters of a name: as it is spelt, and with its words in one order."""
    return {"".join(words) for form in forms for words in (form, sorted(form))}


def _is_short(one: Words, other: Words) -> bool:
    """Whether each word of a name is the beginning of that of the other."""
    both = zip(one, other, strict=True)
    return all(mine.startswith(its) or its.startswith(mine) for mine, its in both)


def _but_for_a_letter(texts: Iterable[str]) -> dict[str, list[list[str]]]:
    """Return by text the groups of those that are the same without one of their letters.

    Texts of one length are compared at a time, with those that are a letter shorter.
    """
    by_length = defaultdict[int, list[str]](list)
    for text in texts:
        if len(text) <= _MOST_LETTERS:
            by_length[len(text)].append(text)
    found = defaultdict[str, list[list[str]]](list)
    for length in filter(_LONG.__le__, [*by_length]):
        for group in _sharing(by_length[length], by_length.get(length - 1, ())):
            for text in group:
                found[text].append(group)
    return found


def _sharing(texts: Iterable[str], shorter: Iterable[str]) -> list[list[str]]:
    """Group texts of a length, and those a letter shorter, by what they share without a letter."""
    groups = defaultdict[str, list[str]](list)
    for text in texts:
        for part in _shorter_by_a_letter(text):
            groups[part].append(text)
    for text in shorter:
        if text in groups:
            groups[text].append(text)
    return [group for group in groups.values() if len(group) > 1]


def _shorter_by_a_letter(text: str) -> set[str]:
    """A text without each of its letters; digits stay: of Team 1 and Team 2 there are two."""
    return {
        text[:place] + text[place + 1 :]
        for place, letter in enumerate(text)
        if letter.isalpha()
    }
