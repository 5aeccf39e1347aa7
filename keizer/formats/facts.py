"""What the readers of other programs' files share: read theirs, write ours.

A whole season goes into a tournament that has neither players nor rounds; the
caller holds the transaction, so it comes in whole or not at all.
"""

import csv
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.formats.figures import Standings
from keizer.messages import Fact, Message, first, say
from keizer.season import names, presets, resolve, roster, rules, tournaments
from keizer.season.queries import Tournament
from keizer.store import connection
from keizer.store.connection import sentence
from keizer.texts import visible

Tell = Callable[[Message], object]
"""Takes a message: what could not be carried over as it was, or what is being done."""

HIGHEST = 4000
"""The highest rating there is."""


def decoded(data: bytes, errors: str = "strict") -> str:
    """Text in UTF-8, or else in the Windows-1252 of older programs. errors: of what is neither."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        try:
            return data.decode("cp1252", errors)
        except UnicodeDecodeError as error:
            raise KeizerError(
                "this is not UTF-8 text: save it as such (in Excel as “CSV UTF-8”)."
            ) from error


def silent(_message: Message) -> None:
    """A `tell` that drops every message."""


@contextmanager
def in_stages(tournament: Tournament, tell: Tell) -> Iterator[None]:
    """Write facts inside; the standings are computed at the end. tell: takes both stages."""
    tell(say("1 of 2: the file is read"))
    with tournaments.suspended(tournament):
        yield
        tell(say("2 of 2: the standings are computed"))


class Theirs:
    """What the ordinary tables of another program's file store; nothing in it is computed.

    present: by table the columns that are stored, in small letters; none of a view and the like.
    """

    def __init__(self, conn: sqlite3.Connection, path: Path) -> None:
        self._conn, self._path, self._left = conn, path, limits.SEASON
        self.denied = ""
        self.present: dict[str, set[str]] = {}
        (self.application,) = conn.execute("PRAGMA application_id").fetchone()
        for name, root, text in self.rows("SELECT lower(name), rootpage, sql FROM sqlite_master"):
            self.present.setdefault(name, set())
            # SQLite takes a table for what its text says, and so it is told here.
            ours = re.match(r"CREATE TABLE [\"'`\[]?(\w+)", str(text))
            if root and ours and ours[1].lower() == name:
                columns = self.rows("SELECT lower(name), hidden FROM pragma_table_xinfo(?)", name)
                hidden = {column for column, is_hidden in columns if is_hidden}
                self.present[name] = {"rowid", *(column for column, _ in columns)} - hidden
        conn.set_authorizer(self._allowed)

    def _allowed(
        self, action: int, table: str | None, column: str | None, _: str | None, view: str | None
    ) -> int:
        if view is None and action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION):
            return sqlite3.SQLITE_OK
        stored = self.present.get(str(table).lower())
        if view is None and action == sqlite3.SQLITE_READ and stored:
            if not column or column.lower() in stored:
                return sqlite3.SQLITE_OK
            table = f"{table}.{column}"
        self.denied = view or str(table)
        return sqlite3.SQLITE_DENY

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """What a query on one table brings, if it is no more than a file may have.

        It has no ORDER BY: nothing is put aside before it was counted.
        """
        found: list[sqlite3.Row] = []
        with naming(str(self._path)):
            for row in self._conn.execute(f"{query} LIMIT {limits.ROWS + 1}", values):
                self._left -= limits.letters(row)
                if self._left < 0:
                    raise limits.too_large(limits.SEASON)
                found.append(row)
            limits.check(rows=len(found))
        return found


@contextmanager
def opened(path: Path) -> Iterator[Theirs]:
    """A SQLite file of another program, to read; its errors are KeizerErrors."""
    if path.stat().st_size > limits.SEASON:
        with naming(str(path)):
            raise limits.too_large(limits.SEASON)
    theirs, end = None, monotonic() + limits.SECONDS
    try:
        with closing(connection.connect(path, "ro")) as conn:
            conn.set_progress_handler(lambda: monotonic() > end, 1000)
            conn.row_factory = sqlite3.Row
            conn.text_factory = partial(decoded, errors="replace")
            theirs = Theirs(conn, path)
            yield theirs
    except sqlite3.Error as error:
        if theirs and theirs.denied:
            raise KeizerError(
                "{file}: only tables and stored columns are read: “{column}” is none.",
                file=str(path), column=names.shortened(theirs.denied),
            ) from error  # fmt: skip
        late = str(error) == "interrupted"
        problem = say("it takes too long") if late else visible(str(error)[:200])
        raise KeizerError(
            "{file} cannot be read: {problem}.", file=str(path), problem=problem
        ) from error


@contextmanager
def naming(what: str | Message | Callable[[], Fact]) -> Iterator[None]:
    """Put what is being read or written before what is wrong with it.

    what: that, or what says it as it is by then.
    """
    try:
        yield
    except (KeizerError, csv.Error, sqlite3.IntegrityError) as error:
        if isinstance(error, KeizerError):
            said = error.said
        elif isinstance(error, csv.Error):
            said = say("a quotation mark is not closed, or stands within a cell.")
        else:
            said = sentence(error)
        named = what() if callable(what) else what
        raise KeizerError("{what}: {said}", what=named, said=said) from error


def whole(text: str) -> int | None:
    """A whole number as files write it, or None."""
    return int(text) if names.is_number(text) else None


def rating(value: object) -> int | None:
    """A number that can be a rating; None for text, for 0 and for anything else."""
    if isinstance(value, int | float) and 0 < value <= HIGHEST and value == int(value):
        return int(value)
    return None


def born(text: str) -> str | None:
    """A year, or a date with its year first or last; None for anything else."""
    plain = re.sub("[ T]00:00(:00)?$", "", text)
    found = re.fullmatch(r"([0-9]{1,4})([-./]) ?([0-9]{1,2})\2 ?([0-9]{1,4})", plain)
    year, month, day = found.group(1, 3, 4) if found else (plain, "0", "0")
    if found and len(day) == len("2026"):
        year, day = day, year
    if not re.fullmatch("[12][0-9]{3}", year):
        return None
    try:
        birthday = date(int(year), int(month) or 1, int(day) or 1)
    except ValueError:
        return None
    return year if 0 in (int(month), int(day)) else birthday.isoformat()


class Season:
    """A season of another program, and the tournament that it goes into.

    remark: where messages go about what could not be carried over as it was. ids: player.id
    by what the player is in the file. preset: the rules of that program.
    """

    preset: str
    reason: Message | None = None
    """Why the file's own standings may be others than those that come out here."""
    is_proof = True
    """Whether the file's own standings are of the kind that the tournament has."""
    _read: Callable[[Path], None]
    _settings: Callable[[], list[str]]
    _enter: Callable[[], None]
    _write: Callable[[], None]

    def __init__(self, tournament: Tournament, remark: Tell = silent) -> None:
        self.of, self._remark = tournament, remark
        self.conn, self.tournament = tournament.conn, tournament.id
        self.ids: dict[int, int] = {}
        self.forms = resolve.forms(tournament.scalars("SELECT name FROM player"))

    def tell(self, template: str, /, **facts: Fact) -> None:
        """Say what could not be carried over as it was."""
        self._remark(say(template, **facts))

    def take_over(self, path: Path) -> int:
        """Write a file into the tournament, which is empty; how many players there are.

        The revaluation is suspended meanwhile.
        """
        self._read(path)
        presets.apply(self.of, self.preset)
        for setting in self._settings():
            try:
                rules.change(self.of, setting)
            except KeizerError as error:
                self.tell("a setting was left out: {said}", said=error.said)
        self._enter()
        self._write()
        return len(self.ids)

    def compare(self, _: Standings) -> Iterator[Message | None]:
        """Hold each figure of the file's own standings beside ours: None where it is the same.

        A file that has no standings has no figures.
        """
        yield from ()

    def chosen(self, path: Path, what: Message, there: Iterable[Sequence[Any]]) -> int:
        """The id of the tournament meant, of those there are (id, name): of that name, or the one.

        what: how several are called.
        """
        known, wanted = {row[0]: str(row[1]) for row in there}, names.folded(self.of.now.name)
        alike = [one for one, name in known.items() if names.folded(name) == wanted]
        meant = alike if len(alike) == 1 else [*known]
        if len(meant) != 1:
            raise KeizerError(
                "{file} does not have exactly one {what} (it has {there}): give yours the name of"
                " the one to import.",
                file=str(path), what=what, there=quoted(known.values()),
            )  # fmt: skip
        return int(meant[0])

    def enter(self, player: int, name: str, **details: Any) -> None:
        """Enter a player of the file; details: as of roster.enter."""
        with naming(say("player {number}", number=player)):
            self.ids[player] = roster.enter(self.of, name, forms=self.forms, **details)

    def start_list(self, players: Sequence[int]) -> None:
        """Make the start list that of the file, by start ranks unless it has that order already.

        players: their ids, from the top. A late entry joins the list as the rules say.
        """
        by = self.of.scalar("SELECT start_order FROM rules WHERE tournament_id = ?", self.of.id)
        rated = self.of.scalars(
            "SELECT player_id FROM x_player_tournament WHERE tournament_id = ?"
            " AND first_round = 1 ORDER BY rating DESC NULLS LAST, player_id",
            self.of.id,
        )
        from_the_start = {*rated}
        listed = [player for player in players if player in from_the_start]
        if by != "rating" or rated != listed:
            for rank, player in enumerate(listed, 1):
                row = {"tournament_id": self.of.id, "player_id": player}
                self.of.update("x_player_tournament", {"start_rank": rank}, **row)

    def check_limits(self, path: Path, players: int, games: int, rounds: Iterable[int]) -> None:
        """Refuse a file with too much; rounds: all their numbers, also some that cannot be."""
        last = max((number for number in rounds if number in tournaments.ROUNDS), default=0)
        with naming(str(path)):
            limits.check(players=players, games=games, rounds=last)

    def game(
        self,
        number: int,
        white: int,
        black: int,
        result: str | None,
        board: int | None = None,
        updated: str | None = None,
    ) -> None:
        """Write one game, at the next free board where it has none."""
        self.conn.execute(
            # The file would give it a board as well, but as a change of its own on the log.
            "INSERT INTO round (tournament_id, round_number, white, black, result, last_updated,"
            " board) VALUES (?1, ?2, ?3, ?4, ?5, ?6, COALESCE(?7, 1 + (SELECT"
            " COALESCE(max(board), 0) FROM round WHERE tournament_id = ?1 AND round_number = ?2)))",
            (self.tournament, number, self.ids[white], self.ids[black], result, updated, board),
        )

    def count_to(self, last: int) -> None:
        """See to it that the last round counts, also where it has neither games nor byes."""
        if last <= self.of.now.last_round:
            return
        self.conn.execute(
            "INSERT INTO schedule (tournament_id, round_number, published_at)"
            " VALUES (?, ?, CURRENT_TIMESTAMP)",
            (self.tournament, last),
        )
        self.tell(
            "round {number} has absences only, and counts as a round in which nobody plays: if it"
            " is still to come, `keizer publish-round DB --take-back`.",
            number=last,
        )

    def leave(self, player: int, last: int) -> None:
        """Withdraw a player after a round; 0: before the first."""
        row = {"tournament_id": self.tournament, "player_id": self.ids[player]}
        self.of.update("x_player_tournament", {"last_round": last}, **row)

    def unplayed(self, number: int, player: int, kind: str) -> None:
        """Write a round without a game."""
        round_of = {"tournament_id": self.tournament, "round_number": number}
        self.of.insert("unplayed", **round_of, player_id=self.ids[player], kind=kind)


def listed(found: Iterable[str]) -> Fact:
    """Names in a sentence, ten of them at most, and no more of each than a name may have."""
    return first([one[:200] for one in found], 10)


def quoted(found: Iterable[str]) -> Fact:
    """What somebody typed, likewise, in quotes; none where there is nothing."""
    some = [say("“{typed}”", typed=names.shortened(one)) for one in found]
    return first(some, 10) if some else say("none")
