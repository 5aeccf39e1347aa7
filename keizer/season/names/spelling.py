"""What people type, as the file has it: player names, results, kinds, numbers."""

import re
from collections.abc import Iterable

from keizer.errors import KeizerError
from keizer.messages import Fact, Message, first, say
from keizer.season.queries import Conn, File
from keizer.texts import BLANK, bare, visible

RESULTS = say(
    "1-0 (or 1), 0-1 (or 0), = (or r, 1/2, ½-½), 0-0, +-, -+, --, adj, void or open"
)
"""What may be typed, a part of a sentence."""
_NAMELESS = say("a player needs a name.")

_ONE_SIDED = {"1": "0", "0": "1", "1f": "0f", "0f": "1f"}
"""Spellings that are one player's score, and the same result as the opponent's."""

_KINDS = {
    "pairing-allocated bye": "bye",
    "pab": "bye",
    "club": "club duty",
    "duty": "club duty",
    "late": "late start",
}


# As keyboards and lists without umlauts write them; others leave the dots out.
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


def spellings(name: str) -> set[str]:
    """The forms in which a name is typed: plain letters, and umlauts as two of them."""
    plain = folded(name)
    if name.isascii():
        return {plain}
    return {plain, folded(tidy(name).lower().translate(_SPELT))}


def folded(name: str) -> str:
    """A name without case, accents and doubled spaces, for comparing."""
    if name.isascii():  # for rating lists of millions
        return " ".join(name.lower().split())
    return " ".join(bare(name).casefold().split())


def surname(name: str) -> str:
    """What an index puts a name under, folded: berg is that of Jan van den Berg."""
    family, comma, _ = name.partition(",")
    words = family.split()
    small = [at for at, word in enumerate(words, 1) if word.islower()] or [
        0 if comma else -1
    ]
    return folded(" ".join(words[min(small[-1], len(words) - 1) :]))


# Pasted along and never seen: soft hyphens, joiners, marks of direction and byte order.
_UNSEEN = dict.fromkeys((0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF))

_FORMULA = "(?s:(?:^|[,;])[=+@＝＋－＠-].)"  # as in schema.sql

_LONGEST = 200
DIGITS = 18
_QUOTED = 60


def tidy(name: str) -> str:
    """A name as it is stored: one Unicode form (NFC), single spaces, nothing invisible."""
    if not name.isascii():
        import unicodedata

        name = unicodedata.normalize("NFC", name.translate(_UNSEEN))
    return " ".join(name.split())


def proper(typed: str, nameless: Message = _NAMELESS) -> str:
    """A name, tidy; KeizerError where it is none that can be read and written down.

    nameless: what is said where nothing was typed.
    """
    name = tidy(typed)
    if not name:
        raise KeizerError(nameless)
    check_length(name)
    for letter in name:
        if not letter.isprintable() or letter in BLANK:
            raise KeizerError(
                "“{name}” has the character {code}, which nobody can see: type the name without"
                " it.",
                name=shortened(name),
                code=f"U+{ord(letter):04X}",
            )
    if not name.isascii():
        import unicodedata

        if unicodedata.category(name[0]).startswith("M"):
            raise KeizerError(
                "“{name}” begins with an accent without a letter: type the letter before it.",
                name=shortened(name),
            )
    if re.search(r"[,;]\s*[0-9]{3,4}$", name):
        raise KeizerError(
            "“{name}” ends with a number behind a comma: a name is typed without it, and a rating"
            " with --rating.",
            name=shortened(name),
        )
    if re.search(_FORMULA, name):
        raise KeizerError(
            "“{name}” is a formula in spreadsheets: a name has no =, +, - or @ at its beginning or"
            " behind a comma.",
            name=shortened(name),
        )
    return name


def check_length(name: str) -> None:
    """Refuse what is too long for a name; KeizerError."""
    if len(name) > _LONGEST:
        raise KeizerError(
            "a name has at most {most} characters: “{name}” has {number}.",
            most=_LONGEST,
            name=shortened(name),
            number=len(name),
        )


def text(typed: str) -> str:
    """What was typed; KeizerError where it has what no file keeps."""
    if "\0" in typed or any("\ud800" <= letter <= "\udfff" for letter in typed):
        raise KeizerError("“{typed}” is no text.", typed=shortened(typed))
    return typed


def digits(number: int) -> str:
    """A whole number as it is typed; one that nobody has is as large as can be said."""
    most = 10**DIGITS - 1
    return str(max(-most, min(number, most)))


def shortened(typed: str) -> str:
    """What was typed, for a sentence: no more than has room, nothing that a terminal obeys."""
    return visible(typed if len(typed) <= _QUOTED else typed[: _QUOTED - 1] + "…")


def result(conn: Conn, typed: str, match_games: int = 1) -> str | None:
    """The result as the file has it (table result_spelling); None: an open game (`open` or `*`).

    match_games: how many games a match may have; its result stays as typed, 2-1,
    or 1-1-1 with those drawn.
    """
    plain = _plain(typed)
    found: str | None = File(conn).scalar("spelt", typed=plain)
    if found or plain in ("*", "open"):
        return found
    games = games_of(plain)
    if games is None or match_games == 1 or sum(games) > match_games:
        if match_games > 1:
            raise KeizerError(
                "“{typed}” is no result: use {results}; or a match of up to {number} games, 2-1 or"
                " 1-1-1.",
                typed=typed,
                results=RESULTS,
                number=match_games,
            )
        raise KeizerError(
            "“{typed}” is no result: use {results}.", typed=typed, results=RESULTS
        )
    return plain


def result_of_black(typed: str) -> str:
    """A result that Black's score was typed for, from White's side; one of both sides stays."""
    return _ONE_SIDED.get(_plain(typed), typed)


def _plain(result: str) -> str:
    dashes = str.maketrans(dict.fromkeys("–—−‐‑:", "-"))
    return "".join(result.split()).translate(dashes).lower()


def games_of(result: str | None) -> tuple[int, int, int] | None:
    """Games that White won, that Black won, and drawn ones; None for a single game."""
    counts = [] if result in (None, "1-0", "0-1", "0-0") else result.split("-")
    plain = all(
        count.isascii() and count.isdecimal() and len(count) <= 2  # noqa: PLR2004
        for count in counts
    )
    if not plain or len(counts) not in (2, 3):
        return None
    white, black, drawn = (*map(int, counts), 0)[:3]
    return (white, black, drawn) if white + black + drawn else None


def kind(typed: str) -> str:
    """The name of a kind as the file has it: `Club-duty` is `club duty`."""
    plain = " ".join(typed.replace("_", " ").casefold().split())
    for form in (plain, plain.replace("-", " ")):
        if form in _KINDS:
            return _KINDS[form]
    return plain.replace("-", " ")


def round_number(typed: str) -> str:
    """The number in `3`, `#3`, `r3` or `round 3`; anything else as it is."""
    return re.sub(r"^(?:#|r|round|ronde|runde)\s*(?=[0-9])", "", typed.strip().lower())


def is_number(typed: str) -> bool:
    """Whether it is a number, and none too long to be one."""
    return typed.isascii() and typed.isdecimal() and len(typed) <= DIGITS


def numbers(typed: str, what: str, known: range) -> list[int]:
    """The numbers in `5`, `5-8` or `5,7-9`; what: `a round` or `a board`, for the message."""
    found: set[int] = set()
    for part in typed.replace(" ", "").split(","):
        first, dash, last = round_number(part).partition("-")
        ends = [first, last] if dash else [first, first]
        if not all(is_number(end) and int(end) in known for end in ends):
            facts = {"typed": shortened(typed), "first": known[0], "last": known[-1]}
            if what == "a board":
                raise KeizerError(
                    "“{typed}” is not a board from {first} to {last}, nor several as in 5-8,11.",
                    **facts,
                )
            raise KeizerError(
                "“{typed}” is not a round from {first} to {last}, nor several as in 5-8,11.",
                **facts,
            )
        if int(ends[0]) > int(ends[1]):
            raise KeizerError("“{typed}” goes backwards.", typed=shortened(part))
        found.update(range(int(ends[0]), int(ends[1]) + 1))
    return sorted(found)


def some(found: Iterable[str]) -> Fact:
    """Names in a sentence, ten of them at most, and no more of each than a name may have."""
    return first([one[:200] for one in found], 10)
