"""Members' lists without a heading, as people write them in a chat or a mail.

Each line is taken apart into what it seems to have. What may be no member is asked about.
"""

import re
from collections.abc import Iterator, Mapping

from keizer.errors import Faults, KeizerError
from keizer.formats import limits, tables
from keizer.formats.members import (
    COLUMN_OF,
    HEADINGS,
    NO_HEADING,
    NOTHING,
    TITLES,
    WORDS,
    plain,
)
from keizer.formats.tables import Rows
from keizer.messages import say

_RATED = "|".join(["rating", "fide", "knsb", *HEADINGS["rating"].split()])
_SYMBOLS = r"\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d"
_BEGINNING = re.compile(
    r"^(?:(?!['’‘´`\"“„(\[])[\W_]|\(?\d{1,3}[.)]+(?!\d)|\d{1,2}\s+(?=\D))+"
)
_END = re.compile(rf"[\s,;–—{_SYMBOLS}-]+$")
_APART = re.compile(  # a date or a time stays; ratings with what belongs to them, groups, titles
    rf"\d{{1,4}}[-./:]\d{{1,4}}(?:[-./:]\d{{1,4}})?|[\s:=,(\[–—-]*(?:\b(?:{_RATED})\b[\s:=.]*)?"
    rf"\b(\d{{3,4}})\b(?![-./:]\d)[?*]?(?:\s*(?:{_RATED})\b)?[)\],:–—-]*"
    r"|[\s,]*\(([A-Z]\d?)\)|^((?-i:W?[GIFCN]M))\s",
    re.IGNORECASE,
)
_GROUP = rf"(?:(?:{'|'.join(HEADINGS['category'].split())})\W+\w{{1,2}}|[A-EG]\d?)"
_KINDS = {
    column: re.compile(form, re.IGNORECASE)
    for column, form in {
        "": rf"[\W_]*|{'|'.join(map(re.escape, NOTHING))}",
        "title": "|".join(TITLES),
        "name": rf"(?!{_GROUP}$)[^@]*[^\W\d_][^@]*",
        "rating": r"[1-9]\d{2,3}[?*]?",
        "category": _GROUP,
        "born": r"\d{1,4}([-./]) ?\d{1,2}\1 ?\d{1,4}",
    }.items()
}
"""What cells look like without a heading, by column, of which the first is for nothing."""
_SMALL, _CHAT = ({*WORDS["words"][key].split()} for key in ("small", "chat"))
_STRANGE = re.compile(rf"[\d_!?:@/\\()\[\]{{}}<>=+*&#%^±\"“”„|~{_SYMBOLS}]")
_YEARS, _SEASONS = range(1920, 2040), range(2015, 2040)
"""Numbers that may be years of birth, or of a season, and no ratings."""
_MOSTWORDS, _LONGEST = 5, 300
"""Words of a name, and letters of a cell that is taken apart."""


def taken_apart(rows: Rows, place: tables.Place) -> tables.Table:
    """A list without a heading: what each of its lines has, in columns of ours and others."""
    found: list[tuple[int, dict[str | int, str]]] = []
    for number, cells in rows:
        words = " ".join(cells).split()
        parts: dict[str | int, str] = {}
        for at, cell in enumerate(_parts(cells)):
            forms = _KINDS.items() if len(cell) <= _LONGEST else ()
            kind = next((one for one, form in forms if form.fullmatch(cell)), at)
            counts = kind == "rating" and "name" not in parts  # the lines
            parts[at if counts or kind in parts else kind] = cell
        parts.pop("", None)
        if parts and (
            len(words) == 1 or not all(plain(word) in COLUMN_OF for word in words)
        ):
            found.append((number, parts))
            place.number = number
            limits.check(players=len(found))
    there = {key for _, parts in found for key in parts}
    if "name" not in there:
        raise KeizerError(NO_HEADING)
    ours = [column for column in _KINDS if column in there]
    keys: list[str | int] = [*ours, *sorted(map(int, there - {*ours}))]
    limits.check(columns=len(keys))
    headings = [*ours, *[""] * (len(keys) - len(ours))]
    lines = [(number, [parts.get(key, "") for key in keys]) for number, parts in found]
    return tables.Table(headings, lines, place, [], guess=_Guess(found[0][0]))


def _parts(cells: list[str]) -> Iterator[str]:
    """The cells of a line, where one that has words may be more than one."""
    for cell in map(str.strip, re.split(r"[\t;|]", "\t".join(cells))):
        if len(cell) > _LONGEST or not _KINDS["name"].fullmatch(cell):
            yield cell
            continue
        text = _END.sub("", _BEGINNING.sub("", cell))
        own = _APART.sub(lambda one: "\t".join(["", *filter(None, one.groups()), ""])
                         if any(one.groups()) else one[0], text)  # fmt: skip
        yield from filter(None, map(str.strip, own.split("\t")))


class _Guess:
    """What is not certain of such a list; lines are told of one after the other."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._ends = False
        """Whether the line before greets, so that a signature may follow."""

    def unclear(self, table: tables.Table, columns: Mapping[str, int]) -> Faults:
        """Refuse to guess where a number may be two things, or a text beside the name."""
        rating, rows, is_name = (
            columns.get("rating", 0),
            table.rows,
            _KINDS["name"].fullmatch,
        )
        rated = [(line, row[rating]) for line, row in rows if rating and row[rating]]
        years = all(int(cell.rstrip("?*")) in _YEARS for _, cell in rated)
        beside = [(line, cell) for line, row in rows for cell in row[len(columns) :]
                  if is_name(cell) and cell[3:]]  # fmt: skip
        return [
            (
                line,
                say(
                    "“{typed}” may be two things: say what each column is.",
                    typed=typed[:60],
                ),
            )
            for line, typed in [*(rated if years else []), *beside][:1]
        ]

    def is_doubtful(self, line: int, name: str, rating: int | None) -> bool:
        """Return whether a line may be no member, or more than one, or not be understood."""
        doubt = _is_doubtful(name, rating) or (self._ends and not rating)
        greets = bool(_CHAT & {*map(plain, name.split())})
        self._ends = greets and line != self._first
        return doubt


def _is_doubtful(name: str, rating: int | None) -> bool:
    """Whether a line may be no member at all, or more than one, or not be understood."""
    before, comma, after = name.partition(",")
    words, first = (
        [
            word
            for word in re.split(r"[\s,'’‘´`ʼ]+", text)
            if plain(word) not in _SMALL | {""}
        ]
        for text in (name, before)
    )
    low = [word for word in words if word[0].islower()]
    return bool(
        _STRANGE.search(name)
        or not 0 < len(words) <= _MOSTWORDS
        or _CHAT & {*map(plain, words)}
        or (low and (rating is None or low != words))
        or (comma and (len(first) > 1 or "," in after))
        or re.search(r"\S\s+\S.*\s\w$", name)  # an initial, or a group
        or rating in _SEASONS
    )
