"""What somebody asks of the face: who they are, the season they see, the page they get."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from secrets import token_urlsafe
from sys import getsizeof
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple

from keizer import languages, texts
from keizer.acts.declare import DIRECTOR, MEMBER, PHONE
from keizer.errors import KeizerError
from keizer.messages import Fact, Message
from keizer.season.names.finding import find_round
from keizer.season.people import roster
from keizer.season.queries import Tournament
from keizer.store import database
from keizer.store.log import history, undo
from keizer.web import rights
from keizer.web.desk import Desk, Gate
from keizer.web.form import Form
from keizer.web.keys import Keys
from keizer.web.links import Witness
from keizer.web.rendering import environment
from keizer.web.rights import Person
from keizer.web.site import pages
from keizer.web.site.data import PublishedSeason
from keizer.web.site.decided import Page

_LONGEST = 100
_KEPT, _BYTES = 200, 1 << 20
"""Browsers that have not come back for their notes yet, and what their notes take together."""
_EARLIER, _OF_BROWSER = 10, 1 << 17
"""Notes of one browser that wait while it sends more, and their bytes with the new ones."""


def plain(name: str) -> str:
    """The name of a file or folder beside the season; KeizerError for one that leads elsewhere."""
    typed = name.strip()
    letters = all(letter.isalnum() or letter in " -_.,'()&" for letter in typed)
    if not letters or not 0 < len(typed) <= _LONGEST or typed.startswith((".", "-")):
        raise KeizerError(
            "a file's name has letters, digits, spaces and hyphens, up to 100."
        )
    return typed


class Face:
    """What is served: a season file, or a folder of which one can be opened.

    lan: whether phones are let in; address: how they get here, where that is known.
    """

    kept: "list[dict[str, Any]] | None" = None
    """The seasons that a browser keeps, for keizer.html, which has no folder and no network."""
    public = False
    """Whether it is at an address on the web, by https: see public.py."""
    without: frozenset[str] = frozenset()
    """Pages and actions that are not there."""

    def __init__(
        self,
        folder: Path,
        file: Path | None = None,
        tournament: str | None = None,
        *,
        keys: Keys | None = None,
        lan: bool = False,
    ) -> None:
        self.folder, self.file, self.tournament = folder, file, tournament
        self.keys, self.lan = keys or Keys(), lan
        self.address: str | None = None
        self.gate = Gate()
        self.notes, self.notes_of_others = Notes(), Notes()

    def is_here(self, host: str) -> bool:
        """Whether a Host is ours."""
        return rights.is_our_host(host)

    @property
    def there(self) -> Path:
        """The season file; KeizerError where none is open."""
        if self.file is None:
            raise KeizerError("no season is open: choose one, or begin one.")
        return self.file

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """That file, whatever tournaments it has, when it is this one's turn."""
        with (
            self.gate.turn(),
            database.reading(self.there, self.gate.connections) as conn,
        ):
            yield conn

    def season(self) -> str:
        """What tells the open file from any other of its name."""
        with self.reading() as conn:
            return history.file_identity(conn)

    def entry(self, player: int) -> str:
        """What tells a member from who has their number later; KeizerError for nobody."""
        with self.reading() as conn:
            found = history.person_identity(conn, player)
        if found is None:
            raise KeizerError("no player has the number {number}.", number=player)
        return found

    def join_link(self, player: int | None = None) -> str | None:
        """The link of a member, or for every phone in the hall; None where none are let in."""
        if self.address is None or self.file is None:
            return None
        return f"{self.address}join/{self.hall() if player is None else self.invitation(player)}"

    def hall(self) -> str:
        """The end of the link of the hall."""
        return self.keys.links.hall(self.season())

    def invitation(self, player: int) -> str:
        """The end of the link of a member."""
        return self.keys.links.invitation(player, self.entry(player))

    def bearer(self, link: str, me: object = None) -> tuple[int, int | None] | None:
        """Who comes by a link: their rights, and player.id; None: nobody.

        me: of a phone with that of the hall, player.id and entry of whom it said it is.
        """
        with suppress(KeizerError, OSError, sqlite3.Error), self.reading() as conn:
            found = self.keys.links.invited(link)
            if found is None and not self.keys.links.is_hall(
                history.file_identity(conn), link
            ):
                return None
            player, entry = found or (me if isinstance(me, tuple) else (0, ""))
            known = history.person_identity(conn, player) == entry
            if found:
                return (MEMBER, player) if known else None
            return PHONE, player if known else None
        return None

    def is_director(self, session: Mapping[str, Any], key: str) -> bool:
        """Return whether the director asks, by the cookie, or the key if one is sent."""
        if key:
            return self.keys.is_director(key)
        mark = session.get("director")
        return bool(mark) and mark in self.keys.marks()

    def person(self, session: Mapping[str, Any], key: str) -> Person:
        """Return who asks, by the cookie, or the key if one is sent."""
        if self.is_director(session, key):
            return Person(DIRECTOR, by_key=bool(key))
        link = session.get("link")
        if key or not isinstance(link, str):
            return Person()
        bearer = self.bearer(link, session.get("me"))
        return (
            Person(*bearer, device=str(session.get("device", "")))
            if bearer
            else Person()
        )

    def seasons(self) -> list[str]:
        """The season files of the folder, by name."""
        with self.gate.turn():  # they are opened, and one of them may be in use
            found = [
                there
                for there in sorted(self.folder.glob("*.db"))
                if self._is_ours(there)
            ]
        return [there.name for there in found]

    def _is_ours(self, file: Path) -> bool:
        """Whether a file is a season that can be opened from here."""
        with suppress(KeizerError):
            inside = file.resolve().parent == self.folder.resolve()
            return plain(file.name) == file.name and inside and database.is_season(file)
        return False

    def within(self, name: str) -> Path:
        """A season file of the folder, by its name; KeizerError as `plain`."""
        typed = plain(name)
        return self.folder / plain(typed if typed.endswith(".db") else f"{typed}.db")

    def open(self, file: Path, tournament: str | None = None) -> None:
        """Serve another season of the folder; KeizerError for what is none."""
        with self.gate.turn():
            if not self._is_ours(file):
                raise KeizerError("{file} is no season in this folder.", file=file.name)
            self.file, self.tournament = file, tournament


class Note(NamedTuple):
    """What a page has to say: what was `done`, a `warning`, or what was `refused`.

    said: messages; those behind the first are what it is about, such as the faults of a list.
    at: the row or the form that it is about, by its id; without one it is seen from anywhere.
    field, typed: what was wrong in a form that was refused, and all that stood in it.
    """

    kind: str
    said: list[Fact]
    at: str = ""
    field: str = ""
    typed: Mapping[str, list[str]] = MappingProxyType({})

    @property
    def size(self) -> int:
        """Bytes of its texts: of the names of fields as of what stood in them."""
        texts = [
            *map(str, self.said),
            *self.typed,
            *chain.from_iterable(self.typed.values()),
        ]
        return sum(map(getsizeof, texts))


class _Waiting(NamedTuple):
    """The notes of a browser that has not come back for them, and their bytes."""

    notes: list[Note]
    size: int


class Notes:
    """What there is to say on the page that comes next, by the key that a browser got for it.

    Nobody has to load that page: there are so many notes, and so many bytes of them.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Waiting] = {}

    @property
    def size(self) -> int:
        """Bytes of all that is kept."""
        return sum(waiting.size for waiting in [*self._kept.values()])

    def add(self, key: str, notes: list[Note]) -> str:
        """Keep notes, behind the last few that wait under a key; the key of them all."""
        size = sum(note.size for note in notes)
        for note in reversed(self.take(key)[-_EARLIER:]):
            size += note.size
            if size > _OF_BROWSER:
                size -= note.size
                break
            notes = [note, *notes]
        key = token_urlsafe(9)
        self._kept[key] = _Waiting(notes, size)
        self._let_go_of_oldest()
        return key

    def _let_go_of_oldest(self) -> None:
        """Keep the latest, whatever its size, and of those before what there is room for."""
        size = 0
        for number, (key, waiting) in enumerate(reversed([*self._kept.items()]), 1):
            size += waiting.size
            if number > _KEPT or (number > 1 and size > _BYTES):
                self._kept.pop(key, None)

    def take(self, key: str) -> list[Note]:
        """What was kept under a key, once."""
        waiting = self._kept.pop(key, None)
        return waiting.notes if waiting else []


@dataclass(eq=False)
class Visit:
    """One request. The season is open while `reading` lasts: conn, tournament and season.

    chosen, browser: languages that were chosen, and that the browser speaks. only: as of
    `PublishedSeason`. told: what an act said beside; tries: whether it is shown what an act would
    do. brought: the list that came with a form about something else, as a form of its own.
    """

    face: Face
    person: Person
    path: str
    query: Form
    chosen: str | None
    browser: str
    token: str = ""
    notes: list[Note] = field(default_factory=list)
    tournament: Tournament = field(init=False)
    season: Any = field(
        default_factory=lambda: SimpleNamespace(title="keizer", page=Page())
    )
    open: bool = False
    only: int | None = None
    told: list[Message] = field(default_factory=list)
    tries: bool = False
    brought: Form | None = None
    _typed: dict[str, list[str]] = field(default_factory=dict)

    def enter(self, place: str) -> list[Note]:
        """What there is to say at a place of the page; what was typed there is there again."""
        found = [note for note in self.notes if place and note.at == place]
        self.notes = [note for note in self.notes if note not in found]
        self._typed = {
            name: [*some] for note in found for name, some in note.typed.items()
        }
        return found

    def typed(self, name: str, usual: Any) -> Any:
        """What a field of the form at that place begins with."""
        return self._typed[name].pop(0) if self._typed.get(name) else usual

    def ticked(self, name: str, value: str, *, usual: bool) -> bool:
        """Whether a box of it does."""
        return value in self._typed.get(name, ()) if self._typed else usual

    @property
    def is_director(self) -> bool:
        """Whether the director asks."""
        return self.person.rights == DIRECTOR

    @property
    def file(self) -> Path:
        """The season file; KeizerError where none is open."""
        return self.face.there

    def desk(self, form: Form | None = None) -> Desk:
        """The season, for who asks; form: the director says there for whom."""
        of = form.number("player") if form and self.is_director else None
        me = of if self.is_director else self.person.player
        own = self.person.rights == MEMBER
        there = Witness(self.face.keys.links, self.person.device, own)
        witness = None if self.is_director else there
        return Desk(str(self.file), self.face.tournament, self.face.gate, me, witness)

    @contextmanager
    def reading(self) -> Iterator["Visit"]:
        """Open the season, to read."""
        number = self.query.number("after", range(1000))
        with self.desk().reading() as tournament:
            if number is not None and number > tournament.now.current_round:
                number = None
            self.tournament = tournament
            self.season = PublishedSeason(tournament, only=self.only, number=number)
            self.open = True
            yield self
        self.open = False

    @property
    def language(self) -> str:
        """The language that was chosen, else that of the club's page, else the browser's."""
        of_page = self.season.page.language
        if of_page == "en" or of_page not in languages.codes():
            of_page = self.browser
        return self.chosen or of_page

    def english(self, said: Fact) -> str:
        """A message for a program: in English, unless it asks for a language."""
        return texts.visible(languages.load(self.chosen or "en").said(said), "\n")

    def _beside(self) -> dict[str, Any]:
        """What every template of the face may use beside what its page has."""
        found: dict[str, Any] = {
            "base": "face.html", "live": True, "visit": self, "face": self.face,
            "director": self.is_director, "me": self.person.player,
            "token": self.token, "languages": languages.names_of_languages(), "undoable": None, "seen": 0,
            "path": self.path, "join_code": self._join_code,
        }  # fmt: skip
        if self.open:
            found["now"] = self.tournament.now
            found["everybody"] = partial(roster.players_by_name, self.tournament)
            found["seen"] = history.last_id(self.tournament.conn)
            found["undoable"] = (
                undo.last_command(self.tournament.conn) if self.is_director else None
            )
        return found

    def _join_code(self) -> str:
        """The code that lets phones in, where they are; a page may show it anywhere."""
        public = self.face.public and self.person.rights not in (PHONE, DIRECTOR)
        link = None if public or self.person.rights == MEMBER else self.face.join_link()
        return pages.code_of(link)

    def shown(self) -> pages.Pages:
        """The pages of the site, within the face."""
        said, made = environment(self.language)
        return pages.Pages(self.season, said, made, **self._beside())

    def render(self, template: str, **parts: Any) -> str:
        """A page of the face."""
        return self.shown().render(template, self.path, **parts)

    def round(self, first: int, number: int | None = None) -> int:
        """The round asked for, as `find_round`; a draft is for the director alone."""
        asked = self.query.number("round") if number is None else number
        found = find_round(self.tournament, asked, first)
        if self.is_director or found != self.tournament.now.draft:
            return found
        if asked is None and found > first:
            return found - 1
        raise KeizerError("round {round} is not published yet.", round=found)
