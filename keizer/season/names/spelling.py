"""Names, results, kinds and numbers: from what people type to what the file stores."""

import re
from collections.abc import Iterable

from keizer.errors import KeizerError
from keizer.messages import Fact, Message, first, say
from keizer.season.queries import Conn, File
from keizer.texts import BLANK, bare, visible

RESULTS = say(
    "1-0 (or 1), 0-1 (or 0), = (or r, 1/2, ½-½), 0-0, +-, -+, --, adj, void or open"
)
"""The results that may be typed, a part of a sentence."""

_NAMELESS = say("a player needs a name.")

_ONE_SIDED = {"1": "0", "0": "1", "1f": "0f", "0f": "1f"}
"""Spellings that are one player's score, and the same result as the opponent's."""

_SINGLE_GAMES = ("1-0", "0-1", "0-0")
"""Results of a single game that are spelt like those of a match."""

_MATCH = r"([0-9]{1,2})-([0-9]{1,2})(?:-([0-9]{1,2}))?"
"""The games of a match that White won, that Black won, and the drawn ones."""

_OPEN = ("*", "open")

_KINDS = {
    "pairing-allocated bye": "bye",
    "pab": "bye",
    "club": "club duty",
    "duty": "club duty",
    "late": "late start",
}
"""Kinds of unplayed rounds by other words for them."""

# As keyboards and lists without umlauts write them; others leave the dots out.
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})

# Pasted along and never seen: soft hyphens, joiners, marks of direction and byte order.
_UNSEEN = dict.fromkeys((0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF))

_DASHES = str.maketrans(dict.fromkeys("–—−‐‑:", "-"))

_FORMULA = "(?s:(?:^|[,;])[=+@＝＋－＠-].)"  # as in schema.sql

_LONGEST = 200
"""The most characters of a name."""

DIGITS = 18
"""The most digits of a number; a longer one may be too large for the file."""

_QUOTED = 60
"""The most characters of what was typed that a sentence repeats."""

_NAMED = 10
"""The most names in a sentence."""


# -------------------------------------------------------------------------- names


def spellings(name: str) -> set[str]:
    """Return the forms in which people type a name: ü as u, and as ue."""
    plain = fold(name)
    if name.isascii():
        return {plain}
    written_out = tidy(name).lower().translate(_SPELT)
    return {plain, fold(written_out)}


def fold(name: str) -> str:
    """Return a name without case, accents and doubled spaces, for comparing."""
    if name.isascii():  # for rating lists of millions
        return " ".join(name.lower().split())
    return " ".join(bare(name).casefold().split())


def surname(name: str) -> str:
    """Return what an index sorts a name by, folded: berg for Jan van den Berg.

    The surname begins after the last word in small letters. Without such a word it is
    all that stands before a comma, or the last word.
    """
    family, comma, _ = name.partition(",")
    words = family.split()
    last = len(words) - 1
    start = 0 if comma else last
    for position, word in enumerate(words):
        if word.islower():
            start = position + 1
    # Where all is typed in small letters, the last word is no particle.
    start = min(start, last)
    return fold(" ".join(words[start:]))


def tidy(name: str) -> str:
    """Return a name as it is stored: in Unicode form NFC, with single spaces.

    Invisible characters are left out.
    """
    if not name.isascii():
        import unicodedata

        name = unicodedata.normalize("NFC", name.translate(_UNSEEN))
    return " ".join(name.split())


def check_name(typed: str, nameless: Message = _NAMELESS) -> str:
    """Return a name, tidy, or refuse one that nobody can read or write down.

    nameless: the sentence if nothing was typed.
    """
    name = tidy(typed)
    if not name:
        raise KeizerError(nameless)
    check_length(name)
    _check_characters(name)
    if re.search(r"[,;]\s*[0-9]{3,4}$", name):
        raise KeizerError(
            "“{name}” ends with a number behind a comma: a name is typed without it,"
            " and a rating with --rating.",
            name=shortened(name),
        )
    if re.search(_FORMULA, name):
        raise KeizerError(
            "“{name}” is a formula in spreadsheets: a name has no =, +, - or @ at its"
            " beginning or behind a comma.",
            name=shortened(name),
        )
    return name


def check_length(name: str) -> None:
    """Refuse what is too long for a name."""
    if len(name) > _LONGEST:
        raise KeizerError(
            "a name has at most {most} characters: “{name}” has {number}.",
            most=_LONGEST,
            name=shortened(name),
            number=len(name),
        )


def _check_characters(name: str) -> None:
    """Refuse a name with characters that nobody sees, or an accent without a letter."""
    for character in name:
        if not character.isprintable() or character in BLANK:
            raise KeizerError(
                "“{name}” has the character {code}, which nobody can see: type the name"
                " without it.",
                name=shortened(name),
                code=f"U+{ord(character):04X}",
            )
    if name.isascii():
        return
    import unicodedata

    is_mark = unicodedata.category(name[0]).startswith("M")
    if is_mark:
        raise KeizerError(
            "“{name}” begins with an accent without a letter: type the letter before"
            " it.",
            name=shortened(name),
        )


def check_text(typed: str) -> str:
    """Return what was typed, or refuse characters that no file keeps.

    These are NUL and surrogates, halves of a character.
    """
    if "\0" in typed or any("\ud800" <= letter <= "\udfff" for letter in typed):
        raise KeizerError("“{typed}” is no text.", typed=shortened(typed))
    return typed


def shortened(typed: str) -> str:
    """Return what was typed as a sentence repeats it: short, safe for a terminal."""
    if len(typed) > _QUOTED:
        typed = typed[: _QUOTED - 1] + "…"
    return visible(typed)


def some_names(names: Iterable[str]) -> Fact:
    """Return names for a sentence: the first ten, none longer than a name may be."""
    shown = [name[:_LONGEST] for name in names]
    return first(shown, _NAMED)


# ------------------------------------------------------------------------ results


def parse_result(conn: Conn, typed: str, match_games: int = 1) -> str | None:
    """Return a result as table result_spelling has it; None for an open game.

    match_games: the most games of a match. Its result stays as typed: 2-1, or 1-1-1
    with the drawn games.
    """
    plain = _plain(typed)
    stored: str | None = File(conn).scalar("spelt", typed=plain)
    if stored or plain in _OPEN:
        return stored
    games = games_of(plain)
    if games is not None and match_games != 1 and sum(games) <= match_games:
        return plain
    if match_games > 1:
        raise KeizerError(
            "“{typed}” is no result: use {results}; or a match of up to {number} games,"
            " 2-1 or 1-1-1.",
            typed=typed,
            results=RESULTS,
            number=match_games,
        )
    raise KeizerError(
        "“{typed}” is no result: use {results}.", typed=typed, results=RESULTS
    )


def result_of_black(typed: str) -> str:
    """Return the result, from White's side, that was typed as Black's score.

    A result of both sides stays as it is.
    """
    return _ONE_SIDED.get(_plain(typed), typed)


def _plain(result: str) -> str:
    without_spaces = "".join(result.split())
    return without_spaces.translate(_DASHES).lower()


def games_of(result: str | None) -> tuple[int, int, int] | None:
    """Return the games of a match that White won, that Black won, and the drawn ones.

    None for a single game.
    """
    if result is None or result in _SINGLE_GAMES:
        return None
    score = re.fullmatch(_MATCH, result)
    if score is None:
        return None
    white, black, drawn = (int(count or 0) for count in score.groups())
    if white + black + drawn == 0:
        return None
    return white, black, drawn


# -------------------------------------------------------------- kinds and numbers


def parse_kind(typed: str) -> str:
    """Return the name of a kind as the file has it: club duty for Club-duty."""
    plain = " ".join(typed.replace("_", " ").casefold().split())
    spaced = plain.replace("-", " ")
    for form in (plain, spaced):
        if form in _KINDS:
            return _KINDS[form]
    return spaced


def as_digits(number: int) -> str:
    """Return a whole number as it is typed, no larger than a file takes."""
    most = 10**DIGITS - 1
    return str(max(-most, min(number, most)))


def without_round_word(typed: str) -> str:
    """Return the number in 3, #3, r3 or round 3; anything else as it is."""
    plain = typed.strip().lower()
    return re.sub(r"^(?:#|r|round|ronde|runde)\s*(?=[0-9])", "", plain)


def is_number(typed: str) -> bool:
    """Return whether it is a whole number without a sign, and not too long."""
    return typed.isascii() and typed.isdecimal() and len(typed) <= DIGITS


def parse_numbers(typed: str, what: str, known: range) -> list[int]:
    """Return the numbers in 5, 5-8 or 5,7-9; refuse those that are not known.

    what: `a round` or `a board`, for the message.
    """
    chosen: set[int] = set()
    for part in typed.replace(" ", "").split(","):
        first, dash, last = without_round_word(part).partition("-")
        if not dash:
            last = first
        for end in (first, last):
            if not is_number(end) or int(end) not in known:
                raise _not_known(typed, what, known)
        if int(first) > int(last):
            raise KeizerError("“{typed}” goes backwards.", typed=shortened(part))
        chosen.update(range(int(first), int(last) + 1))
    return sorted(chosen)


def _not_known(typed: str, what: str, known: range) -> KeizerError:
    facts = {"typed": shortened(typed), "first": known[0], "last": known[-1]}
    if what == "a board":
        return KeizerError(
            "“{typed}” is not a board from {first} to {last}, nor several as in"
            " 5-8,11.",
            **facts,
        )
    return KeizerError(
        "“{typed}” is not a round from {first} to {last}, nor several as in 5-8,11.",
        **facts,
    )
