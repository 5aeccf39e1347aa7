"""A tournament report file as facts of a Keizer file."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.formats.trf import facts as trf
from keizer.formats.trf import members
from keizer.formats.trf.exporting import PLAYERS, columns
from keizer.formats.trf.facts import Fact, Facts, Row, Value
from keizer.formats.trf.reading import parse
from keizer.formats.trf.report import Report
from keizer.season import roster
from keizer.season import tournaments as steps
from keizer.store import tiebreaks
from keizer.store.connection import sentence


def season(conn: sqlite3.Connection, tournament: int, path: Path) -> int:
    """Enter the players of a file, their games and unplayed rounds; how many players.

    The tournament has no players yet (keizer.formats.facts.check_empty). All of it is
    written, inside the caller's transaction, or KeizerError names the line.
    """
    data = limits.read(path, limits.SEASON)
    try:
        report = parse(data)
        found = trf.amended(report)
        known = members.known(conn, found.player)
    except KeizerError as error:
        raise KeizerError(f"{path}, {error}") from error
    if not found.player and not trf.is_keizer(report):
        raise KeizerError(f"{path} has no players: they have lines that start with 001.")
    writer = _Writer(conn, tournament, path, known)
    try:
        with steps.suspended(conn, tournament):
            writer.write(report, found)
    except sqlite3.Error as error:
        raise KeizerError(f"{path}: {sentence(error)}") from error
    return len(found.player)


class _Writer:
    """Writes facts of a file, and names the line of what is refused."""

    def __init__(
        self, conn: sqlite3.Connection, tournament: int, path: Path, known: dict[int, int]
    ) -> None:
        self.conn, self.tournament, self.path, self.known = conn, tournament, path, known
        self.ids: dict[int, int] = {}
        """player.id by start number."""

    def write(self, report: Report, found: Facts) -> None:
        """Everything, in the order in which one thing needs the other."""
        self._tournament(report, found.tournament[()])
        self._rules([fact for table, fact in found.whole if table == "rules"])
        self._scoring([fact for table, fact in found.whole if table == "scoring"])
        for (number,), fact in found.player.items():
            with self._at(fact):
                self.ids[number] = self._person(fact, self.known.get(number))
            entry = found.entry[number,]
            with self._at(entry):
                self._enter(self.ids[number], entry.row)
        if not trf.is_keizer(report):
            self._start_list()
        for (number,), fact in found.schedule.items():
            with self._at(fact):
                self._date(number, fact.row)
        self._games(found)
        for (number, player), fact in found.unplayed.items():
            with self._at(fact):
                who = self._player(player)
                self._put("unplayed", fact.row, round_number=number, player_id=who)
        for table, fact in found.whole:
            if table not in ("rules", "scoring"):
                with self._at(fact):
                    players = {
                        name: self._player(fact.row[name])
                        for name in PLAYERS & fact.row.keys()
                        if fact.row[name] is not None
                    }
                    self._put(table, fact.row, **players)

    def _games(self, found: Facts) -> None:
        """Those that have a board, then the others, at the next free one of their round.

        The file would give them one too, but as a change of its own on the log.
        """
        boards = sorted(found.game.items(), key=lambda item: item[1].row.get("board") is None)
        last: Counter[int] = Counter()
        for (number, white, black), fact in boards:
            board = fact.row.get("board")
            if isinstance(board, int):
                last[number] = max(last[number], board)
            elif board is None:
                last[number] += 1
                fact.row["board"] = last[number]
            fact.row.setdefault("last_updated", None)  # or the file would date it today
            with self._at(fact):
                sides = {"white": self._player(white), "black": self._player(black)}
                self._put("round", fact.row, round_number=number, **sides)

    @contextmanager
    def _at(self, fact: Fact) -> Iterator[None]:
        try:
            yield
        except (KeizerError, sqlite3.IntegrityError, OverflowError) as error:
            said = sentence(error) if isinstance(error, sqlite3.Error) else str(error)
            raise KeizerError(f"{self.path}, line {fact.line}: {said}") from error

    def _player(self, number: Value) -> int:
        player = self.ids.get(number) if isinstance(number, int) else None
        if player is None:
            raise KeizerError(
                f"{number} is not the start number of a player: lines 001 have those."
            )
        return player

    def _known(self, table: str, row: Row) -> None:
        for name in row:
            if name not in columns(self.conn, table):
                raise KeizerError(f"“{name}” is nothing that table {table} has: leave it out.")

    def _put(self, table: str, row: Row, **more: Value) -> None:
        self._known(table, row)
        whole = row | more | {"tournament_id": self.tournament}
        marks = ", ".join("?" * len(whole))
        self.conn.execute(
            f"INSERT INTO {table} ({', '.join(whole)}) VALUES ({marks})", (*whole.values(),)
        )

    def _set(self, table: str, row: Row, where: str, *identity: Value) -> None:
        self._known(table, row)
        if row:
            self.conn.execute(
                f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in row)} WHERE {where}",
                (*row.values(), *identity),
            )

    def _fill(self, table: str, row: Row, where: str, *identity: Value) -> None:
        """Write what the row does not have yet."""
        self._known(table, row)
        for name, value in row.items():
            self.conn.execute(
                f"UPDATE {table} SET {name} = COALESCE({name}, ?) WHERE {where}",
                (value, *identity),
            )

    def _tournament(self, report: Report, fact: Fact) -> None:
        """Fill in what the file does not say yet; its name stays."""
        lines = {trf.HEADER.get(line.code): line.line for line in report.header}
        for name, value in fact.row.items():
            with self._at(Fact(line=fact.line or lines.get(name, 0))):
                if name not in trf.HEADER.values():
                    raise KeizerError(
                        f"“{name}” is nothing that a file says of a tournament: leave it out."
                    )
                if name != "description":
                    self._fill("tournament", {name: value}, "id = ?", self.tournament)
        said = report.values("142") + [
            other.text[3:].strip() for other in report.other if other.text.startswith("XXR")
        ]
        if said:
            self.conn.execute(
                "UPDATE rules SET rounds = COALESCE(rounds, ?) WHERE tournament_id = ?",
                (int(said[0]), self.tournament),
            )

    def _date(self, number: int, row: Row) -> None:
        there = "SELECT 1 FROM schedule WHERE tournament_id = ? AND round_number = ?"
        if self.conn.execute(there, (self.tournament, number)).fetchone():
            where = "tournament_id = ? AND round_number = ?"
            self._fill("schedule", row, where, self.tournament, number)
        else:
            self._put("schedule", row, round_number=number)

    def _rules(self, found: list[Fact]) -> None:
        for fact in found:
            tiebreaks.compute_all(self.conn)
            with self._at(fact):
                self._set("rules", fact.row, "tournament_id = ?", self.tournament)
            tiebreaks.compute_needed(self.conn)

    def _scoring(self, found: list[Fact]) -> None:
        """The kinds that the club has added come first: others may name them."""
        there = {
            row[0]
            for row in self.conn.execute(
                "SELECT kind FROM scoring WHERE tournament_id = ?", (self.tournament,)
            )
        }
        kinds = [
            (fact, fact.row.pop("kind", None), fact.row.pop("applies_to", None)) for fact in found
        ]
        for fact, kind, applies_to in kinds:
            if kind not in there:
                with self._at(fact):
                    self._put("scoring", {"kind": kind, "applies_to": applies_to})
        for fact, kind, _ in kinds:
            with self._at(fact):
                where = "tournament_id = ? AND kind = ?"
                self._set("scoring", fact.row, where, self.tournament, kind)

    def _person(self, fact: Fact, player: int | None) -> int:
        """Write what a line says of a player: one whom the file knows, or a new one."""
        row = fact.row
        wanted = row.pop("id", None)
        if player is None:
            taken = self.conn.execute("SELECT 1 FROM player WHERE id = ?", (wanted,)).fetchone()
            name = str(row.pop("name"))
            player = roster.register(self.conn, name, None if taken else int(wanted or 0) or None)
            self._set("player", row, "id = ?", player)
            return player
        self._fill("player", row, "id = ?", player)
        return player

    def _enter(self, player: int, row: Row) -> None:
        """In two steps: a new entry without a rating takes over that of the player."""
        self._put("x_player_tournament", {}, player_id=player)
        where = "tournament_id = ? AND player_id = ?"
        self._set("x_player_tournament", row, where, self.tournament, player)

    def _start_list(self) -> None:
        """Start numbers become start ranks, unless the start list is theirs without.

        Who enters later has a place in the list by the rules of the tournament.
        """
        (by,) = self.conn.execute(
            "SELECT start_order FROM rules WHERE tournament_id = ?", (self.tournament,)
        ).fetchone()
        found = self.conn.execute(
            "SELECT player_id FROM x_player_tournament WHERE tournament_id = ?"
            " AND first_round = 1 ORDER BY rating DESC NULLS LAST, player_id",
            (self.tournament,),
        )
        rated = [int(row[0]) for row in found.fetchall()]
        there = set(rated)
        numbered = [player for _, player in sorted(self.ids.items()) if player in there]
        if by != "rating" or rated != numbered:
            self.conn.executemany(
                "UPDATE x_player_tournament SET start_rank = ?"
                " WHERE tournament_id = ? AND player_id = ?",
                [(rank, self.tournament, player) for rank, player in enumerate(numbered, 1)],
            )
