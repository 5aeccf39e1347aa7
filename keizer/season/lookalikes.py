"""Names that people cannot tell apart on a pairing sheet, though a computer can.

Two are alike that differ in capitals, in the kind of apostrophe or hyphen, in wide or
joined letters, or in Cyrillic, Greek or Armenian letters that are drawn as Latin ones.
An accent tells two apart: Müller and Muller are two people.
"""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

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
    """The forms of a name, of which two that look alike share one.

    One has its letters in lower case; in the other, letters drawn as Latin ones are Latin.
    """
    if name.isascii() and "`" not in name:  # as most are, and all are compared with each
        return frozenset([name.lower()])
    plain = unicodedata.normalize("NFKD", name.translate(_MARKS))
    forms = (plain, plain.translate(_LETTERS))
    return frozenset(" ".join(form.lower().replace("ς", "σ").split()) for form in forms)


def twin(name: str, others: Mapping[int, str]) -> int | None:
    """The first of the others who would be confused with a name; None: nobody.

    A player with exactly this name is no twin: that is the player meant, or a namesake.
    """
    mine = looks(name)
    for player, other in others.items():
        if other != name and not mine.isdisjoint(looks(other)):
            return player
    return None
