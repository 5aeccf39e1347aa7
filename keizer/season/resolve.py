"""Who is meant by what somebody typed, and whose names are near: the one place that knows.

A player may be typed as their number (25 or #25), as the whole name in any order, or as any
of its words or their beginnings. Capitals, accents, apostrophes, hyphens and commas do not
matter. The closest of these ways in which a name fits decides; where two players fit as
closely as each other, nobody is taken.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from keizer import messages
from keizer.errors import KeizerError
from keizer.season import names

_SUGGESTED = 5
_LISTED = 8
_ALIKE = 0.75
"""How alike a word must be to be suggested: difflib's ratio."""
_NEARLY = 0.6
"""The part of the best likeness, in letters, that is suggested too."""
_LONG = 6
"""Letters of a name in which one more, less or another is no other name."""
_NUMBER = f"#?([0-9]{{1,{names.DIGITS}}})"


class NobodyError(KeizerError):
    """What was typed fits nobody."""


Words = tuple[str, ...]
"""The words of a name, given names first, in plain small letters."""


@lru_cache(maxsize=8192)
def words(name: str) -> frozenset[Words]:
    """The words of a name, as they may be spelt: Müller is muller and mueller."""
    last, *given = name.split(",", 1)
    text = " ".join([*given, last])
    return frozenset(tuple(re.findall(r"[^\W_]+", form)) for form in names.spellings(text))


def in_any_order(name: str) -> set[Words]:
    """The words of a name in one order, as they may be spelt."""
    return {tuple(sorted(form)) for form in words(name) if form}


def near(name: str) -> Iterator[tuple[object, Words]]:
    """What a name shares with any other that is likely of the same person; and its words.

    Both have the same letters, but for one where they are six or more; or the same number of
    words, and the last the same: then `is_short` tells.
    """
    for form in words(name):
        own = tuple(part for word in form for part in ("vd" if word == "vd" else [word]))
        if not own:
            continue
        yield (own[-1], len(own)), own
        for text in {"".join(own), "".join(sorted(own))}:
            yield text, own
            for at, letter in enumerate(text if len(text) >= _LONG else ""):
                if letter.isalpha():  # of Team 1 and Team 2 there are two
                    yield text[:at] + text[at + 1 :], own


def is_short(one: Words, other: Words) -> bool:
    """Whether each word of a name is the beginning of that of the other, as in J. v.d. Berg."""
    both = zip(one, other, strict=True)
    return all(mine.startswith(its) or its.startswith(mine) for mine, its in both)


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
            typed=names.shortened(typed),
            names=messages.first([f"{players[one]} (#{one})" for one in found], _LISTED),
        )
    wanted = names.tidy(typed)
    if number := re.fullmatch(_NUMBER, wanted):
        raise NobodyError("no player has the number {number}.", number=int(number[1]))
    near = suggestions(wanted, players)
    if near:
        raise NobodyError(
            "there is no player “{typed}”: did you mean {names}?",
            typed=names.shortened(typed),
            names=messages.listed(near, "or"),
        )
    raise NobodyError("there is no player “{typed}”.", typed=names.shortened(typed))


def matching(typed: str, known: Mapping[int, str]) -> list[int]:
    """Those who are called or numbered like that; else those whose names fit as closely as any."""
    wanted = names.tidy(typed)
    number = re.fullmatch(_NUMBER, wanted)
    found = [
        id_ for id_, name in known.items() if name == wanted or (number and id_ == int(number[1]))
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


def _fit(typed: Words, name: Words) -> int:
    """How closely a name fits what was typed, where a word may run on over the next ones.

    4: it is the name; 3: all of its words; 2: some; 1: beginnings of words; 0: not at all.
    """
    if not typed:
        return 0
    if "".join(typed) == "".join(name):
        return 4
    places = range(len(name))
    ends = [{"".join(name[place:end]) for end in range(place, len(name) + 1)} for place in places]
    if _seated(typed, lambda word, place: word in ends[place], len(name)):
        return 3 if sum(map(len, typed)) == sum(map(len, name)) else 2
    rest = ["".join(name[place:]) for place in places]
    return int(_seated(typed, lambda word, place: rest[place].startswith(word), len(name)))


def _seated(typed: Words, fits: Callable[[str, int], bool], places: int) -> bool:
    """Whether each word fits a place of its own.

    The longest chooses first: where two can have the same place, the shorter is a beginning of
    the longer, and can have the other places of that one too.
    """
    free = [*range(places)]
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
        likeness = max((SequenceMatcher(None, word, other).ratio() for other in its), default=0)
        return len(word) * likeness if likeness >= _ALIKE else 0

    wanted = words(typed)
    likeness = {
        player: max(
            sum(alike(word, its) for word in mine) for mine in wanted for its in words(name)
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
    if name.isascii() and "`" not in name:  # as most are, and all are compared with each
        return frozenset([name.lower()])
    import unicodedata

    plain = unicodedata.normalize("NFKD", name.translate(_MARKS))
    forms = (plain, plain.translate(_LETTERS))
    return frozenset(" ".join(form.lower().replace("ς", "σ").split()) for form in forms)


def forms(names: Iterable[str]) -> set[str]:
    """What all of these names look like."""
    return {form for name in names for form in looks(name)}


def twin(name: str, others: Mapping[int, str]) -> int | None:
    """The first of the others who would be confused with a name; None: nobody.

    A player with exactly this name is no twin: that is the player meant, or a namesake.
    """
    mine = looks(name)
    for player, other in others.items():
        if other != name and not mine.isdisjoint(looks(other)):
            return player
    return None
