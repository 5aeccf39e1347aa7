"""Members' lists as clubs have them: what a table calls its columns, and what its cells mean.

A heading counts without capitals, accents, spaces, dots and hyphens, and never by its beginning.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from keizer.errors import Faults, KeizerError
from keizer.formats import facts, limits, tables
from keizer.season import names, tournaments
from keizer.season.merging import Listed, Members
from keizer.texts import bare, counted

HEADINGS = {
    "name": "name naam nom fullname volledigenaam nomcomplet nometprenom nomprenom namevorname"
    " nachnamevorname player playername member membername speler spelersnaam lid deelnemer spieler"
    " spielername mitglied teilnehmer joueur membre",
    "surname": "surname lastname familyname achternaam familienaam nachname familienname zuname"
    " nomdefamille",
    "given": "givenname firstname forename roepnaam voornaam vorname rufname prenom",
    "infix": "infix tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels tv namenszusatz particule"
    " middlename",
    "rating": "rating clubrating elo elorating elozahl rtg twz dwz nwz knsbrating ratingknsb rtgn"
    " ratingnat srtng rtgi ratingint fiderating fideelo elofide",
    "category": "category categorie kategorie cat kat group groep gruppe groupe class klasse",
    "title": "title titel titre tit fidetitle fidetitel titrefide",
    "fide_id": "fideid fidenumber fidenummer fidenr fideno fidecode codefide idfide idnumber",
    "national_id": "nationalid relatienummer relatienr bondsnummer bondsnr knsbnummer knsbnr knsbid"
    " pkz stamnummer matricule licence numerolicence nolicence nrffe codeffe",
    "federation": "federation federatie foderation fed fideland land country pays",
    "sex": "sex gender geslacht geschlecht geschl sexe genre mv mw s",
    "born": "born birth birthday birthdate birthyear dateofbirth yearofbirth dob yob bday geboren"
    " geboortedatum geboortejaar gebdatum gebjaar geb gebdat gebjahr geburtstag geburtsdatum"
    " geburtsjahr jahrgang naissance datedenaissance datenaissance anneedenaissance neele",
    "start_rank": "startrank startplaats startplatz rangdepart",
    "first_round": "firstround fromround vanafronde eersteronde abrunde ersterunde premiereronde",
    "absent_as": "absentas afwezigals abwesendals absentcomme",
    "last_round": "lastround laatsteronde letzterunde derniereronde",
}
"""The headings of each column in English, Dutch, German and French, the best first."""

_OF_SURNAMES = ("name", "naam", "nom")
"""Headings of the whole name, but of the surname where given names have a column."""

_OF_DSB = {"zps", "vkz", "mglnr"}
"""The headings beside which `ID` is the national one, as in DSB's rating list."""

_COLUMN_OF = {heading: column for column, some in HEADINGS.items() for heading in some.split()}

_NOTHING = {
    *("", "-", "–", "—", "?", "0", "na", "#na", "#nv", "nvt", "none", "null", "unrated", "unr"),
    *("geen", "onbekend", "kein", "keine", "keines", "ohne", "unbekannt", "aucun", "aucune"),
}  # fmt: skip
"""What cells hold that have nothing to say, without dots and slashes."""

_MEANT = {
    "m": "m man men male h heer hr herr mann mannlich homme masculin masculine",
    "w": "w v f d vrouw vrouwelijk woman female dame mevrouw frau weiblich femme feminin feminine",
}
_SEXES = {word: sex for sex, words in _MEANT.items() for word in words.split()}

_TITLES = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM",
           "wc": "WCM"}  # fmt: skip
"""As lists of FIDE have shortened titles."""
_KNOWN = {f"{woman}{title}" for woman in ("", "W") for title in ("GM", "IM", "FM", "CM", "NM")}


def read(path: Path) -> tuple[Members, list[str], list[str]]:
    """The members of a list, notes about what was not clear, and the headings left out.

    Raises KeizerError, with the place, where there is no list.
    """
    table = tables.read(path, score)
    if len(table.rows) > limits.PLAYERS:
        with facts.naming(f"{path}, {table.unit} {table.rows[limits.PLAYERS][0]}"):
            limits.check(players=len(table.rows))
    return _Reader(table).members(str(path))


def _plain(heading: str) -> str:
    return re.sub(r"[\W_]+", "", bare(heading).casefold())


def score(cells: list[str]) -> int:
    """How many columns of ours a heading has; 0 without one for names."""
    found = {_COLUMN_OF.get(_plain(cell)) for cell in cells} - {None}
    return len(found) if found & {"name", "surname"} else 0


class _Reader:
    """A table, which of its columns are ours, and what there is to say about it."""

    def __init__(self, table: tables.Table) -> None:
        self.table = table
        self.faults: Faults = []
        self.notes: dict[str, list[int]] = defaultdict(list)
        self.plain = [_plain(heading) for heading in table.headings]
        self.doubled: list[int] = []
        self.columns = self._columns()
        self.width = max((i for i, text in enumerate(table.headings, 1) if text), default=0)
        divers = "w" in {cell.casefold() for cell in self._cells(self.columns.get("sex"))}
        self.sexes = {word: sex for word, sex in _SEXES.items() if word != "d" or not divers}
        self.readers = {**_READERS, "sex": self._sex}

    def members(self, source: str) -> tuple[Members, list[str], list[str]]:
        """All there is to know of the list."""
        unit = self.table.unit
        listed = [one for number, cells in self.table.rows if (one := self._one(number, cells))]
        notes = [self.table.note] if self.table.note else []
        for note, lines in self.notes.items():
            where = f"{unit}{'s' if lines[1:] else ''} {names.first([*map(str, lines)], 5)}"
            notes.append(f"{note} ({where})" if lines else note)
        used = {*self.columns.values(), *self.doubled}
        left = [
            heading or f"column {place + 1}"
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
            elif heading in _COLUMN_OF:
                places[_COLUMN_OF[heading]].append(place)
            elif not heading and titles and titles <= _KNOWN:  # as Swiss-Manager writes them
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
            self.notes[f"{column} is from column “{taken}”, not from “{left}”"] = []
        return (filled or places)[0]

    def _cells(self, place: int | None) -> list[str]:
        """The cells of a column, those of lines that are too short left empty."""
        if place is None:
            return []
        return [cells[place] if place < len(cells) else "" for _, cells in self.table.rows]

    def _one(self, number: int, cells: list[str]) -> Listed | None:
        """The member of a line, or None and its faults."""
        before = len(self.faults)
        given: dict[str, Any] = {}
        if self.table.unit == "line" and (len(cells) < self.width or any(cells[self.width :])):
            said = f"{counted(len(cells), 'cell')} where the heading has {self.width}"
            self.faults.append((number, f"{said}: a separator is missing, or is part of a cell."))
            return None
        row = {column: names.tidy(cells[place]) for column, place in self.columns.items()}
        parts = [row.pop(part, "") for part in _PARTS]
        try:
            name = names.proper(row.pop("name", " ".join(parts)))
        except KeizerError as error:
            name = ""
            self.faults.append((number, str(error)))
        for column, text in row.items():
            try:
                value = self._value(column, text, number)
            except KeizerError as error:
                self.faults.append((number, str(error)))
                continue
            if value is not None or column == "last_round":
                given[column] = value
        return Listed(number, name, given) if len(self.faults) == before else None

    def _value(self, column: str, text: str, number: int) -> str | int | None:
        """What a cell says, None for nothing; KeizerError for what cannot be."""
        nothing = text in _DASHES if column in _MAY_BE_ZERO else _is_nothing(text)
        if nothing or column not in self.readers:
            return None if nothing else text
        value = self.readers[column](text)
        if value is None:
            self.notes[f"{column} {names.quoted(text)} was left out"].append(number)
        elif column == "rating" and not text[-1].isdigit():
            self.notes[f"rating {names.quoted(text)} was read as {value}"].append(number)
        return value

    def _sex(self, text: str) -> str | None:
        return self.sexes.get(bare(text).casefold().rstrip("."))


_PARTS = ("given", "infix", "surname")
_MAY_BE_ZERO = ("category", "absent_as", "last_round")
_DASHES = ("", "-", "–", "—")
_WHOLE = {
    "fide_id": range(1, 10**18),
    "start_rank": range(1, 10**18),
    "first_round": tournaments.ROUNDS,
    "last_round": range(1000),
}
"""Columns of whole numbers, and what they can be."""


def _is_nothing(text: str) -> bool:
    return re.sub(r"[./\s]", "", text.casefold()) in _NOTHING


def _whole(column: str, text: str) -> int | None:
    value = facts.whole(re.sub(r"\s|[.,]0+$", "", text))
    if value is None or value not in _WHOLE[column]:
        raise KeizerError(f"{column} {names.quoted(text)} is not a whole number, or out of range.")
    return value


def _rating(text: str) -> int:
    """A rating, also as 1.790, 1 790 or 1650?."""
    plain = text.rstrip("?*~ ")
    found = re.fullmatch(r"([0-9])[.,'’\s]([0-9]{3})|([0-9]+)(?:[.,]0+)?", plain)
    rating = found and facts.rating(facts.whole("".join(filter(None, found.groups()))))
    if not rating:
        raise KeizerError(
            f"rating {names.quoted(text)} is no whole number from 1 to {facts.HIGHEST}."
        )
    return rating


def _born(text: str) -> str:
    """A date, year first or last, or a year alone."""
    plain = re.sub("[ T]00:00(:00)?$", "", text)
    found = re.fullmatch(r"([0-9]{1,4})([-./]) ?([0-9]{1,2})\2 ?([0-9]{1,4})", plain)
    year, month, day = found.group(1, 3, 4) if found else (plain, "0", "0")
    if found and len(day) == len("2026"):
        year, day = day, year
    if re.fullmatch("[12][0-9]{3}", year):
        if int(month) == int(day) == 0:
            return year
        try:
            return date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            pass
    raise KeizerError(
        f"born must be a year or a date, as 1985 or 1985-12-31: {names.quoted(text)} is neither."
    )


def _title(text: str) -> str | None:
    """A title in capitals; None for what is none of chess, such as Dr."""
    if text in _TITLES or re.fullmatch("[A-Z]{1,3}", text):
        return _TITLES.get(text, text)
    return text.upper() if text.upper() in _KNOWN else None


def _federation(text: str) -> str | None:
    return text.upper() if re.fullmatch("[A-Za-z]{3}", text) else None


_READERS: dict[str, Callable[[str], str | int | None]] = {
    "rating": _rating,
    "born": _born,
    "title": _title,
    "federation": _federation,
    "absent_as": names.kind,
    **{column: partial(_whole, column) for column in _WHOLE},
}
"""What reads the cells of a column; of the others they are texts."""
