"""Members' lists as clubs have them: what a table calls its columns, and what its cells mean.

A heading counts without capitals, accents, spaces, dots and hyphens, and never by its beginning.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from keizer.errors import KeizerError
from keizer.formats import facts, limits, tables
from keizer.messages import Fact, Message, first, plural, say, term
from keizer.season import names, tournaments
from keizer.season.merging import Listed, Members
from keizer.texts import bare

HEADINGS = {
    "name": "name naam nom fullname volledigenaam nomprenom namevorname player speler spelersnaam"
    " lid deelnemer spieler spielername mitglied teilnehmer joueur membre",
    "surname": "surname lastname achternaam nachname familienname nomdefamille",
    "given": "givenname firstname roepnaam voornaam vorname prenom",
    "infix": "infix tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels",
    "rating": "rating clubrating elo elozahl wertungszahl wertung rtg twz dwz nwz knsbrating rtgn"
    " srtng rtgi fiderating fideelo elofide",
    "category": "category categorie kategorie cat group groep gruppe groupe class klasse",
    "title": "title titel titre tit fidetitle fidetitel",
    "fide_id": "fideid fidenumber fidenummer fidenr fidecode codefide idnumber",
    "national_id": "nationalid relatienummer relatienr bondsnummer bondsnr knsbnummer knsbnr pkz"
    " stamnummer matricule licence nrffe codeffe",
    "federation": "federation federatie foderation fed fideland land country pays",
    "sex": "sex gender geslacht geschlecht sexe mv mw s",
    "born": "born birth birthday birthdate birthyear dateofbirth yearofbirth bday geboren"
    " geboortedatum geboortejaar gebdatum geb geburtstag geburtsdatum geburtsjahr jahrgang"
    " naissance datedenaissance anneedenaissance neele",
    "start_rank": "startrank startplaats startplatz rangdepart",
    "first_round": "firstround fromround vanafronde abrunde premiereronde",
    "absent_as": "absentas afwezigals abwesendals absentcomme",
    "last_round": "lastround laatsteronde letzterunde derniereronde",
}
"""The headings of each column in English, Dutch, German and French, the best first."""

_OF_SURNAMES = ("name", "naam", "nom")
"""Headings of the whole name, but of the surname where given names have a column."""

_OF_DSB = {"zps", "vkz", "mglnr"}
"""The headings beside which `ID` is the national one, as in DSB's rating list."""

_NO_HEADING = say(
    "no column is called name (or naam, Name, nom), and none surname: the first line of a list has"
    " to name the columns."
)

COLUMN_OF = {heading: column for column, some in HEADINGS.items() for heading in some.split()}

_DASHES = {"", "-", "–", "—"}
_NOTHING = _DASHES | {
    *("?", "0", "na", "#na", "#nv", "nvt", "none", "unrated"),
    *("geen", "onbekend", "keine", "ohne", "unbekannt", "aucun"),
}  # fmt: skip
"""What cells hold that have nothing to say, without dots and slashes."""

_MEANT = {
    "m": "m man male h heer hr herr mann mannlich homme masculin",
    "w": "w v f vrouw female dame mevrouw frau weiblich femme feminin",
}
_SEXES = {word: sex for sex, words in _MEANT.items() for word in words.split()}

SHORTENED = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM",
             "wc": "WCM"}  # fmt: skip
"""As lists of FIDE have shortened titles."""
TITLES = {f"{woman}{title}" for woman in ("", "W") for title in ("GM", "IM", "FM", "CM", "NM")}


def read(path: Path) -> tuple[Members, list[Message], list[Fact]]:
    """The members of a list, notes about what was not clear, and the headings left out.

    Raises KeizerError, with the place, where there is no list.
    """
    table = tables.read(path, score, _NO_HEADING)
    if len(table.rows) > limits.PLAYERS:
        place = tables.Place(path)
        place.unit, place.number = table.unit, table.rows[limits.PLAYERS][0]
        with facts.naming(place.said):
            limits.check(players=len(table.rows))
    return _Reader(table).members(str(path))


def plain(heading: str) -> str:
    """A heading without what does not count."""
    return re.sub(r"[\W_]+", "", bare(heading).casefold())


def score(cells: list[str]) -> int:
    """How many columns of ours a heading has; 0 without one for names."""
    found = {COLUMN_OF.get(plain(cell)) for cell in cells} - {None}
    return len(found) if found & {"name", "surname"} else 0


class _Reader:
    """A table, which of its columns are ours, and what there is to say about it."""

    def __init__(self, table: tables.Table) -> None:
        self.table = table
        self.faults = table.faults
        self.notes: dict[str, tuple[Message, list[int]]] = {}
        self.plain = [plain(heading) for heading in table.headings]
        self.doubled: list[int] = []
        self.columns = self._columns()

    def members(self, source: str) -> tuple[Members, list[Message], list[Fact]]:
        """All there is to know of the list."""
        unit = self.table.unit
        listed = [one for number, cells in self.table.rows if (one := self._one(number, cells))]
        notes = [self.table.note] if self.table.note else []
        for note, lines in self.notes.values():
            where = _lines(unit, lines)
            notes.append(say("{note} ({where})", note=note, where=where) if lines else note)
        used = {*self.columns.values(), *self.doubled}
        left = [
            heading or say("column {number}", number=place + 1)
            for place, heading in enumerate(self.table.headings)
            if place not in used and (heading or any(self._cells(place)))
        ]
        return Members(source, unit, listed, self.faults), notes, left

    def _columns(self) -> dict[str, int]:
        """Where each of our columns is in the table."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, heading in enumerate(self.plain):
            titles = {*self._cells(place)} - {""}
            if heading == "id" and _OF_DSB & {*self.plain}:
                places["national_id"].append(place)
            elif heading in COLUMN_OF:
                places[COLUMN_OF[heading]].append(place)
            elif not heading and titles and titles <= TITLES:  # as Swiss-Manager writes them
                places["title"].append(place)
        found = {column: self._best(column, some) for column, some in places.items()}
        if {"name", "given"} <= {*found} and "surname" not in found:
            pairs = zip(self._cells(found["name"]), self._cells(found["given"]), strict=True)
            whole = all(part in name for name, part in pairs)
            if not whole and self.plain[found["name"]] in _OF_SURNAMES:
                found["surname"] = found.pop("name")
        parts = _PARTS if "name" in found else ()
        return {column: place for column, place in found.items() if column not in parts}

    def _best(self, column: str, places: list[int]) -> int:
        """The one of several columns that is taken; the others are noted."""
        order = HEADINGS[column].split()
        places.sort(key=lambda place: [*order, "id", ""].index(self.plain[place]))
        filled = [place for place in places if not all(map(_is_nothing, self._cells(place)))]
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

    def _one(self, number: int, cells: list[str]) -> Listed | None:
        """The member of a line, or None and its faults."""
        before, name = len(self.faults), ""
        given: dict[str, Any] = {}
        row = {column: names.tidy(cells[place]) for column, place in self.columns.items()}
        parts = [row.pop(part, "") for part in _PARTS]
        row = {"name": row.pop("name", " ".join(parts)), **row}
        for column, text in row.items():
            try:
                if column == "name":
                    name = names.proper(text)
                    continue
                value = self._value(column, text, number)
            except KeizerError as error:
                self.faults.append((number, error.said))
                continue
            if value is not None or column == "last_round":
                given[column] = value
        return Listed(number, name, given) if len(self.faults) == before else None

    def _value(self, column: str, text: str, number: int) -> str | int | None:
        """What a cell says, None for nothing; KeizerError for what cannot be."""
        nothing = text in _DASHES if column in _MAY_BE_ZERO else _is_nothing(text)
        if nothing or column not in _READERS:
            return None if nothing else text
        value = _READERS[column](text)
        if value is None:
            typed = names.shortened(text)
            left = say("{column} “{typed}” was left out", column=term(column), typed=typed)
            self._note(left, number)
        elif column == "rating" and not text[-1].isdigit():
            typed = names.shortened(text)
            self._note(
                say("rating “{typed}” was read as {value}", typed=typed, value=value), number
            )
        return value


_PARTS = ("given", "infix", "surname")
_MAY_BE_ZERO = ("category", "absent_as", "last_round")
_WHOLE = {
    "fide_id": range(1, 10**18),
    "start_rank": range(1, 10**18),
    "first_round": tournaments.ROUNDS,
    "last_round": range(1000),
}
"""Columns of whole numbers, and what they can be."""


def _lines(unit: str, lines: list[int]) -> Message:
    """Lines of a text, or rows of a sheet, in a sentence."""
    which = first(lines, 5)
    if unit == "row":
        return plural("row {which}", "rows {which}", len(lines), which=which)
    return plural("line {which}", "lines {which}", len(lines), which=which)


def _is_nothing(text: str) -> bool:
    return re.sub(r"[./\s]", "", text.casefold()) in _NOTHING


def _whole(column: str, text: str) -> int | None:
    value = facts.whole(re.sub(r"\s|[.,]0+$", "", text))
    if value is None or value not in _WHOLE[column]:
        raise KeizerError(
            "{column} “{typed}” is not a whole number, or out of range.",
            column=term(column),
            typed=names.shortened(text),
        )
    return value


def _rating(text: str) -> int:
    """A rating, also as 1.790, 1 790 or 1650?."""
    plain = text.rstrip("?*~ ")
    found = re.fullmatch(r"([0-9])[.,'’\s]([0-9]{3})|([0-9]+)(?:[.,]0+)?", plain)
    rating = found and facts.rating(facts.whole("".join(filter(None, found.groups()))))
    if not rating:
        raise KeizerError(
            "rating “{typed}” is no whole number from 1 to {last}.",
            typed=names.shortened(text),
            last=facts.HIGHEST,
        )
    return rating


def _born(text: str) -> str:
    born = facts.born(text)
    if born is None:
        raise KeizerError(
            "born must be a year or a date, as 1985 or 1985-12-31: “{typed}” is neither.",
            typed=names.shortened(text),
        )
    return born


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
    "born": _born,
    "title": _title,
    "federation": federation,
    "sex": sex,
    "absent_as": names.kind,
    **{column: partial(_whole, column) for column in _WHOLE},
}
"""What reads the cells of a column; of the others they are texts."""
