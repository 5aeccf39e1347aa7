"""Members' lists as clubs have them: what a table calls its columns, and what its cells mean.

A heading counts without capitals, accents, spaces, dots and hyphens, and never by its beginning.
A list without one is for the add-on that reads how people write lines in a chat or a mail.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from keizer import addons, resources
from keizer.errors import KeizerError
from keizer.formats import limits, parsing, tables
from keizer.formats.carried import carry
from keizer.messages import Fact, Message, plural, say, shortened_list, term
from keizer.season.names import spelling
from keizer.season.people.lists import ListedMember, MemberList
from keizer.texts import bare

WORDS = resources.table(__file__, "words.toml")
HEADINGS: dict[str, str] = WORDS["headings"]
"""The headings of each column in English, Dutch, German and French, the best first."""

_OF_SURNAMES = ("name", "naam", "nom")
"""Headings of the whole name, but of the surname where given names have a column."""

_OF_DSB = {"zps", "vkz", "mglnr"}
"""The headings beside which `ID` is the national one, as in DSB's rating list."""

NO_HEADING = say(
    "no column is called name (or naam, Name, nom), and none surname: the first line of a list has"
    " to name the columns."
)

COLUMN_OF = {
    heading: column for column, some in HEADINGS.items() for heading in some.split()
}

_DASHES = {"", "-", "–", "—"}
NOTHING = _DASHES | {*WORDS["words"]["nothing"].split()}
"""What cells hold that have nothing to say, without dots and slashes."""

_SEXES = {word: sex for sex in "mw" for word in WORDS["words"][sex].split()}

SHORTENED = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM",
             "wc": "WCM"}  # fmt: skip
"""As lists of FIDE have shortened titles."""
TITLES = {
    f"{woman}{title}" for woman in ("", "W") for title in ("GM", "IM", "FM", "CM", "NM")
}


for carried in (ListedMember, MemberList):
    carry(carried)


def read(
    path: Path,
    columns: Sequence[str] | None = None,
    cells: Mapping[str, str] | None = None,
) -> tuple[MemberList, list[Message], list[Fact]]:
    """The members of a list, notes about what was not clear, and the headings left out.

    columns: what each is, a key of HEADINGS or -; cells: those corrected, by cell_LINE_PLACE.
    Raises KeizerError, with the place, where there is no list.
    """
    loose = (
        addons.import_part("exchange.free_lists").taken_apart
        if addons.has("exchange")
        else None
    )
    table = tables.read(path, score, NO_HEADING, loose)
    place = table.place
    with parsing.naming(place.said):
        for count, (place.number, row) in enumerate(table.rows, 1):
            limits.check(players=count)
            for at, cell in enumerate(row):
                row[at] = (cells or {}).get(f"cell_{place.number}_{at}", cell).strip()
    return _Reader(table, columns or ()).members()


def plain(heading: str) -> str:
    """A heading without what does not count."""
    return re.sub(r"[\W_]+", "", bare(heading).casefold())


def score(cells: list[str]) -> int:
    """How many columns of ours a heading has; 0 without one for names."""
    found = {COLUMN_OF.get(plain(cell)) for cell in cells} - {None}
    return len(found) if found & {"name", "surname"} else 0


class _Reader:
    """A table, which of its columns are ours, and what there is to say about it."""

    def __init__(self, table: tables.Table, columns: Sequence[str]) -> None:
        self.table, self.said = table, bool(columns)
        self.faults = table.faults
        self.notes: dict[str, tuple[Message, list[int]]] = {}
        width = len(table.headings)
        self.plain = [plain(heading) for heading in columns or table.headings][:width]
        self.plain += [""] * (width - len(self.plain))
        self.doubled: list[int] = []
        self.columns = self._columns()

    def members(self) -> tuple[MemberList, list[Message], list[Fact]]:
        """All there is to know of the list."""
        unit = self.table.place.unit
        if self.table.guess and not self.said:
            ours = [*map(term, self.columns)]
            self._note(
                say(
                    "there is no heading: the columns were taken for {columns}",
                    columns=ours,
                )
            )
            self.faults += self.table.guess.unclear(self.table, self.columns)
        self.table.find_failures(self.columns.values())
        broken = {number for number, _ in self.faults}
        listed = [one for number, cells in self.table.rows
                  if number not in broken and (one := self._one(number, cells))]  # fmt: skip
        notes = [self.table.note] if self.table.note else []
        for note, lines in self.notes.values():
            where = _lines(unit, lines)
            notes.append(
                say("{note} ({where})", note=note, where=where) if lines else note
            )
        used = {*self.columns.values(), *self.doubled}
        left = [
            self.table.called(place)
            for place, heading in enumerate(self.table.headings)
            if place not in used and (heading or any(self._cells(place)))
        ]
        taken = {place: column for column, place in self.columns.items()}
        columns = [taken.get(place, "-") for place in range(len(self.plain))]
        return (
            MemberList(unit, listed, self.faults, columns, self.table.rows),
            notes,
            left,
        )

    def _columns(self) -> dict[str, int]:
        """Where each of our columns is in the table."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, heading in enumerate(self.plain):
            titles = {*self._cells(place)} - {""}
            if heading == "id" and _OF_DSB & {*self.plain}:
                places["national_id"].append(place)
            elif heading in COLUMN_OF:
                places[COLUMN_OF[heading]].append(place)
            # Swiss-Manager.
            elif not (heading or self.said) and titles and titles <= TITLES:
                places["title"].append(place)
        found = {column: self._best(column, some) for column, some in places.items()}
        if {"name", "given"} <= {*found} and "surname" not in found:
            pairs = zip(
                self._cells(found["name"]), self._cells(found["given"]), strict=True
            )
            whole = all(part in name for name, part in pairs)
            if not whole and self.plain[found["name"]] in _OF_SURNAMES:
                found["surname"] = found.pop("name")
        parts = _PARTS if "name" in found else ()
        return {column: place for column, place in found.items() if column not in parts}

    def _best(self, column: str, places: list[int]) -> int:
        """The one of several columns that is taken; the others are noted."""
        order = HEADINGS[column].split()
        places.sort(key=lambda place: [*order, "id", ""].index(self.plain[place]))
        filled = [
            place for place in places if not all(map(_is_nothing, self._cells(place)))
        ]
        for other in filled[1:]:
            self.doubled.append(other)
            taken, left = self.table.headings[filled[0]], self.table.headings[other]
            self._note(
                say(
                    "{column} is from column “{taken}”, not from “{left}”",
                    column=term(column), taken=taken, left=left,
                )
            )  # fmt: skip
        return (filled or places)[0]

    def _note(self, note: Message, *lines: int) -> None:
        """Note something about the list, or about a line of it."""
        self.notes.setdefault(str(note), (note, []))[1].extend(lines)

    def _cells(self, place: int) -> list[str]:
        return [cells[place] for _, cells in self.table.rows]

    def _one(self, number: int, cells: list[str]) -> ListedMember | None:
        """The member of a line, or None and its faults."""
        before = len(self.faults)
        given: dict[str, Any] = {}
        row = {
            column: spelling.tidy(cells[place])
            for column, place in self.columns.items()
        }
        parts = [row.pop(part, "") for part in _PARTS]
        for column, text in ({"name": " ".join(parts)} | row).items():
            try:
                value = self._value(column, text, number)
            except KeizerError as error:
                self.faults.append((number, error.message))
            else:
                if value is not None or column == "last_round":
                    given[column] = value
        if len(self.faults) > before:
            return None
        name = given.pop("name")
        rated = given.get("rating")
        guess = self.table.guess
        return ListedMember(
            number, name, given, bool(guess and guess.is_doubtful(number, name, rated))
        )

    def _value(self, column: str, text: str, number: int) -> str | int | None:
        """What a cell says, None for nothing; KeizerError for what cannot be."""
        if column == "name":
            return spelling.check_name(text)
        if text in _DASHES if column in _MAY_BE_ZERO else _is_nothing(text):
            return None
        value = _READERS.get(column, str)(text)
        if value is None:
            typed = spelling.shortened(text)
            left = say(
                "{column} “{typed}” was left out", column=term(column), typed=typed
            )
            self._note(left, number)
        elif column == "rating" and value != text and not text[-1].isdigit():
            typed = spelling.shortened(text)
            self._note(
                say("rating “{typed}” was read as {value}", typed=typed, value=value),
                number,
            )
        return value


_PARTS = ("given", "infix", "surname")
_MAY_BE_ZERO = ("category", "absent_as", "last_round")


def _lines(unit: str, lines: list[int]) -> Message:
    """Lines of a text, or rows of a sheet, in a sentence."""
    which = shortened_list(lines, 5)
    if unit == "row":
        return plural("row {which}", "rows {which}", len(lines), which=which)
    return plural("line {which}", "lines {which}", len(lines), which=which)


def _is_nothing(text: str) -> bool:
    return re.sub(r"[./\s]", "", text.casefold()) in NOTHING


# What no cell can be stays a text, which the file refuses, with its line and the member's name.


def _whole(text: str) -> int | str:
    """A whole number, also as 12.0."""
    value = parsing.whole(re.sub(r"\s|[.,]0+$", "", text))
    return text if value is None else value


def _rating(text: str) -> int | str:
    """A rating, also as 1.790, 1 790 or 1650?."""
    plain = text.rstrip("?*~ ")
    found = re.fullmatch(r"([0-9])[.,'’\s]([0-9]{3})|([0-9]+)(?:[.,]0+)?", plain)
    return _whole("".join(filter(None, found.groups()))) if found else text


def _title(text: str) -> str | None:
    """A title in capitals; None for what is none of chess, such as Dr."""
    if text in SHORTENED or re.fullmatch("[A-Z]{1,3}", text):
        return SHORTENED.get(text, text)
    return text.upper() if text.upper() in TITLES else None


def sex(text: str) -> str | None:
    """What a word means, m or w; None for anything else."""
    return _SEXES.get(bare(text).casefold().rstrip("."))


def federation(text: str) -> str | None:
    """Three letters, in capitals; None for anything else."""
    return text.upper() if re.fullmatch("[A-Za-z]{3}", text) else None


_READERS: dict[str, Callable[[str], str | int | None]] = {
    "rating": _rating,
    "born": lambda text: parsing.born(text) or text,
    "title": _title,
    "federation": federation,
    "sex": sex,
    "absent_as": spelling.parse_kind,
    **dict.fromkeys(("fide_id", "start_rank", "first_round", "last_round"), _whole),
}
"""What reads the cells of a column; of the others they are texts."""
