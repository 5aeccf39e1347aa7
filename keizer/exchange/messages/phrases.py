"""A message in the few words that matter: `Ik kan vanavond niet` is `me come @day0 not`.

phrases.toml has the phrases of each language, and what each is in these words.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

from keizer import languages, resources, texts
from keizer.season.names import resolve, spelling

Phrases = dict[str, str]
"""Phrases in plain letters, and what each is."""

DATA: dict[str, Any] = resources.table(__file__, "phrases.toml")
_TOKEN = re.compile(
    r"#\d+|\d+\.\d+\.(?!\d)|\d+(?:[./-]\d+)*|[^\W\d_]+|([^\w\s]|_)\1*|\n"
)
_WITHIN = re.compile(
    r"\b([^\W\d_])\.|(?<=[^\W\d_])-(?=[^\W\d_])|(?<=dag)avond|(?<=tag)abend"
    r"|(?<=\d)(?:st|nd|rd|th|ste|de|er|e)\b"
)
"""The point of an initial, a hyphen, the evening of a day, and what makes a number an ordinal."""
_ZEROS = re.compile(r"\b0+(?=\d)")
_LONGEST = 6
"""Words of a phrase, or of a name."""


def tokens(text: str) -> list[str]:
    """Return the words, figures and signs of a text in plain letters, a run of one sign as one."""
    lines = "\n".join(map(spelling.tidy, text.splitlines())).casefold()
    lines = lines.replace("\u0336", "~")  # struck out
    # French `there`, which is not the article `la`.
    lines = lines.replace("là", "laici")
    plain = _WITHIN.sub(r"\1 ", _ZEROS.sub("", texts.bare(lines)))
    found = (token[1] or token[0] for token in _TOKEN.finditer(plain))
    return [token for token in found if token not in DATA["signs"]["nothing"]]


def _plain(phrase: str) -> str:
    return " ".join(tokens(phrase))


@cache
def of_language(code: str, kinds: tuple[str, ...]) -> Phrases:
    """Return the phrases of a language; kinds: of absences, which are called by their name.

    A language that has a catalogue but no phrases yet has its months, days and kinds alone.
    """
    spoken, found = languages.load(code), Phrases()
    counted = {"@month": languages.MONTHS, "@weekday": languages.WEEKDAYS}
    for heading, words in counted.items():
        for number, word in enumerate(map(spoken.text, words), 1):
            found |= {_plain(form): f"{heading}{number}" for form in (word, word[:3])}
    for heading, signs in DATA["signs"].items():
        found |= dict.fromkeys(signs, heading)
    for heading, phrases in (*DATA["all"].items(), *DATA.get(code, {}).items()):
        for phrase in phrases.split(","):
            found |= {_plain(form): heading for form in spelling.spellings(phrase)}
    for number, kind in enumerate(kinds, 1):
        found |= {_plain(form): f"kind{number}" for form in (kind, spoken.text(kind))}
    return found


def of_members(known: Mapping[int, str]) -> Phrases:
    """Return what members are called: by their name, its first or its last part, their number."""
    called: defaultdict[str, set[int]] = defaultdict(set)
    for player, name in known.items():
        called[f"#{player}"] = {player}
        called[name].add(player)
        for words in resolve.word_spellings(name):
            for part in {words, words[:1], words[1:], words[-1:], words[:-1]}:
                called[" ".join(part)].add(player)
    return {
        form: "#" + "/".join(map(str, sorted(players)))
        for form, players in called.items()
        if form
    }


def translated(words: list[str], phrases: Mapping[str, str]) -> str:
    """Return words as the longest phrases that begin at each; ? before a word if none does."""
    said: list[str] = []
    start = 0
    while start < len(words):
        for end in range(min(start + _LONGEST, len(words)), start, -1):
            phrase = " ".join(words[start:end])
            if phrase in phrases:
                break
        said.append(
            phrases.get(phrase) or (phrase if phrase[0].isdecimal() else f"?{phrase}")
        )
        start = end
    return " ".join(said)
