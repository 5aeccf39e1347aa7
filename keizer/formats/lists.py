"""Rating lists, streamed: of FIDE, KNSB and DSB, or any CSV with names and ratings.

A list is recognised by how it begins, also within a zip. What a list calls the
things that are wanted of it is a table (FIDE_XML, FIDE_TEXT, CSV). One line or
player is in memory at a time.
"""

import csv
import re
import shutil
import zipfile
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple
from xml.parsers import expat

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.formats.facts import HIGHEST, NOT_UTF_8, born, delimiter, plain_heading, whole
from keizer.formats.tables import TORN
from keizer.season import names
from keizer.texts import counted

KINDS = ("standard", "rapid", "blitz")
"""The ratings a player can have; a list with one of them has it as standard."""

Record = dict[str, str]
"""A player as the list has them, by its own headings."""

Headings = Mapping[str, tuple[str, ...]]
"""What is wanted, and its headings in a list: the first with something below it counts."""

Wanted = Callable[[str, int | None, str | None], bool]
"""Whether an entry is of use, by name, FIDE id and national id."""


class Layout(NamedTuple):
    """How a list is called, and its headings (see facts.plain_heading)."""

    title: str
    headings: Headings


FIDE_XML = Layout("FIDE list", {
    "name": ("name",), "fide_id": ("fideid",), "standard": ("rating",), "rapid": ("rapid_rating",),
    "blitz": ("blitz_rating",), "title": ("title", "w_title"), "federation": ("country",),
    "sex": ("sex",), "born": ("birthday",),
})  # fmt: skip

# Columns of fixed width; a list of one kind has the month above its ratings.
FIDE_TEXT = Layout("FIDE list", {
    "name": ("name",), "fide_id": ("id_number",), "standard": ("srtng", "month"),
    "rapid": ("rrtng",), "blitz": ("brtng",), "title": ("tit", "wtit"), "federation": ("fed",),
    "sex": ("sex",), "born": ("b_day",),
})  # fmt: skip

CSV = (
    Layout("KNSB list", {
        "name": ("naam",), "national_id": ("relatienummer",), "standard": ("rating",),
        "title": ("titel",), "federation": ("fed",), "sex": ("s",), "born": ("geboren",),
    }),
    Layout("DWZ list", {
        "name": ("name,vorname", "spielername"), "national_id": ("id",), "fide_id": ("fide_id",),
        "standard": ("dwz",), "title": ("fide_titel", "fide_frauentitel"),
        "federation": ("fide_land",), "sex": ("geschlecht",), "born": ("geburtsjahr",),
    }),
    Layout("CSV list", {
        "name": ("name",), "national_id": ("national_id", "id"), "fide_id": ("fide_id", "fideid"),
        "standard": ("rating", "elo"), "rapid": ("rapid",), "blitz": ("blitz",),
        "title": ("title",), "federation": ("federation", "fed"), "sex": ("sex",),
        "born": ("born", "birthday"),
    }),
)  # fmt: skip

_TITLES = {"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"}
_SEXES = {"M": "m", "W": "w", "F": "w"}
_KNOWN_BY = {"fideid", "name"}

_ZIP = b"PK\x03\x04"
_CHUNK = 1 << 16
_LONGEST = 1 << 16
"""Lines, texts and tags are shorter than this in any rating list."""
_TOO_LONG = "this is too long for a rating list."
_MEMBERS = 100
"""Files in a zip that are looked at; that of DSB has the most, a few."""


class Entry(NamedTuple):
    """A player in a list; None where it says nothing, or nothing sensible.

    doubtful: what stands for a rating and is none from 0 to 4000.
    """

    name: str
    rating: int | None = None
    fide_id: int | None = None
    national_id: str | None = None
    title: str | None = None
    federation: str | None = None
    sex: str | None = None
    born: str | None = None
    doubtful: str | None = None


@contextmanager
def opened(path: Path) -> Iterator["Source"]:
    """A rating list, or the first within a zip; KeizerError for anything else."""
    with ExitStack() as stack:
        with _saying(path):
            given = stack.enter_context(limits.opened(path, limits.RATING_LIST))
            for first, file in _files(given, stack):  # noqa: B007
                layout = _layout(first)
                if layout:
                    break
            else:
                raise KeizerError(
                    "this is no rating list: keizer reads those of FIDE (XML or text), KNSB and"
                    " DSB (spieler.csv), and CSV whose first line has name and rating."
                )
        yield Source(path, layout, first, file)


class Source:
    """An opened rating list: `title` says which, `line` is the one being read."""

    def __init__(self, path: Path, layout: Layout, first: bytes, file: IO[bytes]) -> None:
        self.title, self.line = layout.title, 0
        self._path, self._layout, self._first, self._file = path, layout, first, file

    def entries(self, kind: str, wanted: Wanted) -> Iterator[Entry]:
        """The players that are wanted, in the order of the list, with ratings of a kind.

        Raises KeizerError, with the line, where the list is broken.
        """
        headings = self._layout.headings

        def meant(record: Record) -> bool:
            name, fide_id, national_id = (
                _first_of(record, headings, key) for key in ("name", "fide_id", "national_id")
            )
            return wanted(name, whole(fide_id), national_id or None)

        with _saying(self._path, self):
            for number, record in enumerate(self._records(meant)):
                is_meant = meant(record)
                if number and not is_meant:
                    continue
                if not any(heading in record for heading in headings.get(kind, ())):
                    raise KeizerError(f"this {self.title} has no {kind} ratings.")
                if is_meant:
                    yield _entry(record, headings, kind)

    def _records(self, meant: Callable[[Record], bool]) -> Iterator[Record]:
        """The first, which shows what the list has, and, with others or not, those meant."""
        if self._layout is FIDE_XML:
            return self._players(meant)
        return self._columns() if self._layout is FIDE_TEXT else self._rows()

    def _rows(self) -> Iterator[Record]:
        """The lines of a CSV file."""
        lines = self._lines()
        first = next(lines)
        headings = [plain_heading(cell) for cell in _cells(first)]
        for cells in csv.reader(lines, delimiter=delimiter(first), strict=True):
            if len(cells) == len(headings):
                yield {heading: cell.strip() for heading, cell in zip(headings, cells, strict=True)}
            elif any(cells):
                raise KeizerError(
                    f"{counted(len(cells), 'column')} where the header has {len(headings)}."
                )

    def _columns(self) -> Iterator[Record]:
        """The lines of a text: each column begins where its heading does."""
        lines = self._lines()
        found = list(re.finditer(r"ID Number|\S+", next(lines)))
        starts = [heading.start() for heading in found]
        headings = [
            plain_heading(re.sub(r"^[A-Z]{3}\d\d$", "month", match.group())) for match in found
        ]
        places = [slice(*both) for both in zip(starts, [*starts[1:], None], strict=True)]
        columns = list(zip(headings, places, strict=True))
        for line in lines:
            yield {heading: line[place].strip() for heading, place in columns}

    def _lines(self) -> Iterator[str]:
        """The lines, in UTF-8 or else Windows-1252."""
        line = self._first
        while line:
            self.line += 1
            _count(self.line)
            if len(line) == _LONGEST:
                raise KeizerError(_TOO_LONG)
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError:
                yield _windows(line)
            line = self._file.readline(_LONGEST)

    def _players(self, meant: Callable[[Record], bool]) -> Iterator[Record]:
        """The players of the XML."""
        players = _Players(meant)
        parser, chunk = players.parser, self._first
        behind, count = 0, 0  # the bytes since the last player
        try:
            while chunk:
                parser.Parse(chunk)
                behind = len(chunk) + (behind if players.count == count else 0)
                if behind > _LONGEST + _CHUNK:
                    raise KeizerError(_TOO_LONG)
                count = players.count
                _count(count)
                yield from players.found
                players.found.clear()
                chunk = self._file.read(_CHUNK)
            parser.Parse(b"", True)  # noqa: FBT003
        except Exception:
            self.line = parser.CurrentLineNumber
            raise


class _Players:
    """What a parser says of players: `found` has those who are meant, and the first.

    No tree is built, so that a list of any length needs the same memory; of the
    others nothing is looked at once number and name are known.
    """

    def __init__(self, meant: Callable[[Record], bool]) -> None:
        self.found: list[Record] = []
        self.count = 0
        self._meant = meant
        self._wanted = {heading for some in FIDE_XML.headings.values() for heading in some}
        self._record: Record = {}
        self._text = ""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._declared
        self.parser.StartElementHandler = self._root

    def _declared(self, *_: object) -> None:
        raise KeizerError("it declares a document type (DTD), which no rating list does.")

    def _root(self, tag: str, _attributes: object) -> None:
        if tag != "playerslist":
            raise KeizerError(f"the XML list of FIDE begins with playerslist, this with {tag}.")
        self._listen()

    def _listen(self) -> None:
        self._record = {}
        self.parser.StartElementHandler = self._started
        self.parser.CharacterDataHandler = self._said
        self.parser.EndElementHandler = self._ended

    def _started(self, _tag: str, _attributes: object) -> None:
        self._text = ""

    def _said(self, text: str) -> None:
        self._text += text

    def _ended(self, tag: str) -> None:
        if tag == "player":
            self.count += 1
            self.found.append(self._record)
            self._record = {}
        elif tag in self._wanted:
            self._record[tag] = self._text.strip()
            known = self._record.keys() >= _KNOWN_BY
            if known and self.count and not self._meant(self._record):
                self.parser.StartElementHandler = None
                self.parser.CharacterDataHandler = None
                self.parser.EndElementHandler = self._passed

    def _passed(self, tag: str) -> None:
        if tag == "player":
            self.count += 1
            self._listen()


def _count(listed: int) -> None:
    if listed > limits.LISTED:
        raise KeizerError(f"this has more than {limits.LISTED:,} players: it is no rating list.")


def _files(file: BufferedReader, stack: ExitStack) -> Iterator[tuple[bytes, IO[bytes]]]:
    """The file, or those within the zip, each with its first line, which is read."""
    first = file.readline(_LONGEST)
    if not first.startswith(_ZIP):
        yield first.removeprefix(BOM_UTF8), file
        return
    # A zip is read from its end, and a pipe cannot be.
    copy = stack.enter_context(TemporaryFile())  # noqa: SIM115
    copy.write(first)
    shutil.copyfileobj(limits.counted(file, limits.ZIP), copy)
    archive = stack.enter_context(zipfile.ZipFile(copy))
    for member in archive.infolist()[:_MEMBERS]:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise KeizerError("this zip is packed in a way that no rating list is: unpack it.")
        packed = stack.enter_context(archive.open(member))
        unpacked = limits.counted(packed, limits.RATING_LIST)
        yield unpacked.readline(_LONGEST).removeprefix(BOM_UTF8), unpacked


@contextmanager
def _saying(path: Path, source: Source | None = None) -> Iterator[None]:
    """Put the file, and the line, before what is wrong with it."""
    named = limits.called(path)
    try:
        yield
    except OSError as error:
        problem = str(error.strerror or error).rstrip(".")
        raise KeizerError(f"{named} cannot be read: {problem}.") from error
    except _BROKEN as error:
        line = f", line {source.line}" if source and source.line else ""
        problem = f"this cannot be read ({str(error).rstrip('.')})."
        if isinstance(error, KeizerError):
            problem = str(error)
        elif isinstance(error, expat.ExpatError):
            problem = f"this is broken XML ({expat.ErrorString(error.code)})."
        elif isinstance(error, csv.Error):
            problem = f"this is broken CSV ({error})."
        raise KeizerError(f"{named}{line}: {problem}") from error


_BROKEN = (KeizerError, csv.Error, *TORN)


def _windows(line: bytes) -> str:
    try:
        return line.decode("cp1252")
    except UnicodeDecodeError as error:
        raise KeizerError(NOT_UTF_8) from error


def _layout(first: bytes) -> Layout | None:
    """Which list begins like this."""
    if first.lstrip().startswith(b"<"):
        return FIDE_XML
    if first.startswith(b"ID Number"):
        return FIDE_TEXT
    try:
        headings = {plain_heading(cell) for cell in _cells(first.decode("cp1252", "replace"))}
    except csv.Error:
        return None
    for layout in CSV:
        if headings.intersection(layout.headings["name"]) and any(
            headings.intersection(layout.headings.get(kind, ())) for kind in KINDS
        ):
            return layout
    return None


def _cells(line: str) -> list[str]:
    return next(csv.reader([line], delimiter=delimiter(line)), [])


def _first_of(record: Record, headings: Headings, key: str) -> str:
    return next((record[heading] for heading in headings.get(key, ()) if record.get(heading)), "")


def _entry(record: Record, headings: Headings, kind: str) -> Entry:
    """A player, as far as what the list says of them makes sense."""

    def said(key: str) -> str:
        text = names.tidy(_first_of(record, headings, key))
        return text if text.isprintable() else ""

    rating, title, federation = whole(said(kind)), said("title").upper(), said("federation")
    sensible = rating is not None and rating <= HIGHEST
    return Entry(
        name=said("name"),
        rating=(rating or None) if sensible else None,
        fide_id=whole(said("fide_id")) or None,
        national_id=said("national_id") or None,
        title=title if title in _TITLES else None,
        federation=federation if re.fullmatch("[A-Z]{3}", federation) else None,
        sex=_SEXES.get(said("sex").upper()),
        born=born(said("born")),
        doubtful=None if sensible or not _first_of(record, headings, kind) else said(kind) or "?",
    )
