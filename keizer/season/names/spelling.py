"""Names, results, kinds and numbers: from what people type to what the file stores."""

import re
from collections.abc import Iterable

from keizer.errors import KeizerError
from keizer.messages import Fact, Message, say, shortened_list
from keizer.season.queries import Conn, File
from keizer.texts import BLANK, bare, visible

RESULTS = say(
    "1-0 (or 1), 0-1 (or 0), = (or r, 1/2, ½-½), 0-0, +-, -+, --, adj, void or open"
)
"""The results that may be typed, a part of a sentence."""

_NAMELESS = say("a player needs a name.")

_ONE_SIDED = {"1": "0", "0": "1", "1f": "0f", "0f": "1f"}
"""Spellings that are one player's score, and the score that their opponent then has."""

_SINGLE_GAMES = ("1-0", "0-1", "0-0")
"""Results of a single game, although `_MATCH` fits them too."""

_MATCH = r"([0-9]{1,2})-([0-9]{1,2})(?:-([0-9]{1,2}))?"
"""The result of a match: the games that White won, that Black won, and the drawn ones.

The drawn games may be missing: 2-1 or 2-1-1.
"""

_OPEN = ("*", "open")
"""What people type for a game without a result."""

_KINDS = {
    "pairing-allocated bye": "bye",
    "pab": "bye",
    "club": "club duty",
    "duty": "club duty",
    "late": "late start",
}
"""Kinds of unplayed rounds, by other words that people type for them."""

# Letters as two, for lists and keyboards without umlauts. `fold` leaves the dots out.
_AS_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})

# Characters that nobody sees, but that are copied along from other programs: soft
# hyphens, joiners, marks of direction and of byte order.
_UNSEEN = dict.fromkeys((0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF))

_DASHES = str.maketrans(dict.fromkeys("–—−‐‑:", "-"))

_FORMULA = "(?s:(?:^|[,;])[=+@＝＋－＠-].)"  # as in schema.sql

_LONGEST = 200
"""The most characters of a name."""

DIGITS = 18
"""The most digits of a number; a longer one may be too large for the file."""

_QUOTED = 60
"""The most characters that a sentence repeats of what was typed."""

_TEN_NAMES = 10
"""The most names in a sentence."""


# -------------------------------------------------------------------------- names


def spellings(name: str) -> set[str]:
    """Return the spellings in which people type a name, in small letters.

    For Müller these are muller and mueller.
    """
    plain = fold(name)
    if name.isascii():
        return {plain}
    written_out = tidy(name).lower().translate(_AS_TWO_LETTERS)
    return {plain, fold(written_out)}


def fold(name: str) -> str:
    """Return a name in lower case without accents and extra spaces, for comparing."""
    if name.isascii():  # a quick way, since rating lists have millions of names
        return " ".join(name.lower().split())
    return " ".join(bare(name).casefold().split())


def surname(name: str) -> str:
    """Return the surname by which an index sorts a name: berg for Jan van den Berg.

    The surname begins after the last particle, which is a word in small letters. In a
    name without particles, it is all that stands before a comma, or else the last word.
    It is returned in lower case without accents.
    """
    before_comma, comma, _ = name.partition(",")
    words = before_comma.split()
    last = len(words) - 1
    start = 0 if comma else last
    for position, word in enumerate(words):
        is_particle = word.islower()
        if is_particle:
            start = position + 1
    # In a name typed all in small letters, the last word is the surname anyway.
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
    """Return a name as it is stored; raise KeizerError for a name that cannot be used.

    A name cannot be used if it is empty, is too long, has characters that nobody sees,
    ends with a number behind a comma, or is a formula in spreadsheets.
    nameless: the message of the error if nothing was typed.
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
    """Raise KeizerError if a name is too long."""
    if len(name) > _LONGEST:
        raise KeizerError(
            "a name has at most {most} characters: “{name}” has {number}.",
            most=_LONGEST,
            name=shortened(name),
            number=len(name),
        )


def _check_characters(name: str) -> None:
    """Raise KeizerError if a name has characters that nobody sees.

    Also raise it if the name begins with an accent, which has no letter to stand on.
    """
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

    # Categories of marks, which combine with the letter before them, begin with M.
    is_accent = unicodedata.category(name[0]).startswith("M")
    if is_accent:
        raise KeizerError(
            "“{name}” begins with an accent without a letter: type the letter before"
            " it.",
            name=shortened(name),
        )


def check_text(typed: str) -> str:
    """Return what was typed; raise KeizerError if a file cannot store it.

    A file cannot store the character NUL, nor surrogates, which are halves of a
    character.
    """
    if "\0" in typed or any("\ud800" <= letter <= "\udfff" for letter in typed):
        raise KeizerError("“{typed}” is not a text.", typed=shortened(typed))
    return typed


def shortened(typed: str) -> str:
    """Return what was typed so that a message can repeat it.

    It is cut if long, and has no characters that could do harm in a terminal.
    """
    if len(typed) > _QUOTED:
        typed = typed[: _QUOTED - 1] + "…"
    return visible(typed)


def some_names(names: Iterable[str]) -> Fact:
    """Return the first ten names for a message, which says how many more there are.

    Names of players in the file have at most 200 characters. These names may be longer,
    since nobody has checked them: then only the first 200 characters are shown.
    """
    shown = [name[:_LONGEST] for name in names]
    return shortened_list(shown, _TEN_NAMES)


# ------------------------------------------------------------------------ results


def parse_result(conn: Conn, typed: str, match_games: int = 1) -> str | None:
    """Return a result as the file stores it; None for a game that has no result yet.

    match_games: the most games of a match; 1 if the tournament has no matches. The
    result of a match is stored as typed: 2-1, or 1-1-1 with the drawn games.
    Raises KeizerError if what was typed is not a result.
    """
    plain = _plain_result(typed)
    # First the spellings that table result_spelling has, of all results of a single
    # game: so 1-0 is a game that White won, also where there are matches.
    stored: str | None = File(conn).scalar("result_by_spelling", typed=plain)
    if stored:
        return stored
    if plain in _OPEN:
        return None
    games = games_of(plain)
    if games is not None and match_games > 1 and sum(games) <= match_games:
        return plain
    if match_games > 1:
        raise KeizerError(
            "“{typed}” is not a result; use one of {results}, or for a match of up"
            " to {number} games 2-1 or 1-1-1.",
            typed=typed,
            results=RESULTS,
            number=match_games,
        )
    raise KeizerError(
        "“{typed}” is not a result; use one of {results}.", typed=typed, results=RESULTS
    )


def result_of_black(typed: str) -> str:
    """Return the score of White if a score was typed for Black: 0 for 1.

    Return any other result as it was typed, such as 1-0, which has both scores.
    """
    return _ONE_SIDED.get(_plain_result(typed), typed)


def _plain_result(result: str) -> str:
    """Return a result without spaces, in small letters, with hyphens for any dash."""
    without_spaces = "".join(result.split())
    return without_spaces.translate(_DASHES).lower()


def games_of(result: str | None) -> tuple[int, int, int] | None:
    """Return the games of a match: how many White won, Black won, and were drawn.

    Return None if the result is not that of a match: there is no result yet, it is one
    of a single game, or it has no games at all, such as 0-0-0.
    """
    # These are single games, although they look like matches: 1-0 is White's win.
    if result is None or result in _SINGLE_GAMES:
        return None
    score = re.fullmatch(_MATCH, result)
    if score is None:
        return None
    # Without drawn games, their part of the pattern has matched nothing.
    white, black, drawn = (int(count or 0) for count in score.groups())
    if white + black + drawn == 0:
        return None
    return white, black, drawn


# -------------------------------------------------------------- kinds and numbers


def parse_kind(typed: str) -> str:
    """Return the name of a kind as the file stores it: `club duty` for `Club-duty`.

    Other words for a kind become its name, such as `bye` for `pab`. Whether there is
    such a kind is not checked.
    """
    plain = " ".join(typed.replace("_", " ").casefold().split())
    without_hyphens = plain.replace("-", " ")
    # Some words for a kind have a hyphen themselves: pairing-allocated bye.
    for form in (plain, without_hyphens):
        if form in _KINDS:
            return _KINDS[form]
    return without_hyphens


def as_digits(number: int) -> str:
    """Return a whole number as text.

    A number of more than 18 digits may be too large for the file. The largest number of
    18 digits stands for it, or the least one if it is negative.
    """
    most = 10**DIGITS - 1
    return str(max(-most, min(number, most)))


def without_round_word(typed: str) -> str:
    """Return the text 3 for 3, #3, r3 or round 3.

    Return any other text as it is, but in small letters and without spaces around it.
    """
    plain = typed.strip().lower()
    return re.sub(r"^(?:#|r|round|ronde|runde)\s*(?=[0-9])", "", plain)


def is_number(typed: str) -> bool:
    """Return whether a text is a whole number of at most 18 digits, without a sign."""
    return typed.isascii() and typed.isdecimal() and len(typed) <= DIGITS


def parse_numbers(typed: str, what: str, known: range) -> list[int]:
    """Return the numbers of rounds or boards that were typed, each once, sorted.

    typed: such as 5, 5-8 or 5,7-9; the last of these gives [5, 7, 8, 9].
    what: `a round` or `a board`, for the message. known: the numbers that there are.
    Raises KeizerError for a number that is not known, for what is not a number, and for
    a range that goes from high to low.
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
            raise KeizerError(
                "“{typed}” goes from high to low: type the lower number first.",
                typed=shortened(part),
            )
        chosen.update(range(int(first), int(last) + 1))
    return sorted(chosen)


def _not_known(typed: str, what: str, known: range) -> KeizerError:
    """Return the error for a text that has other numbers than those known.

    what: `a round` or `a board`. known: the numbers that there are.
    """
    values = {"typed": shortened(typed), "first": known[0], "last": known[-1]}
    if what == "a board":
        return KeizerError(
            "“{typed}” is not a board from {first} to {last}, nor several as in"
            " 5-8,11.",
            **values,
        )
    return KeizerError(
        "“{typed}” is not a round from {first} to {last}, nor several as in 5-8,11.",
        **values,
    )
