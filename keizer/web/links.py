"""Links of members and of the hall, and which device said what: a small SQLite file of settings.

It lies outside of the season files, whose seasons and people it knows by what their logs say.
"""

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hmac import compare_digest
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple
from weakref import finalize

from keizer.errors import KeizerError
from keizer.messages import say
from keizer.store.log import history

_APPLICATION_ID = 1264937339
"""`PRAGMA application_id`: the letters "Keiz", and one more."""

_TABLES = Path(__file__).with_suffix(".sql")


class Links:
    """What is kept for those who are let in. path: the file; None: nothing outlives the run.

    Raises KeizerError where it cannot be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._turn, self._there = RLock(), _made(path)
        self.lasting = self._there == path
        with self._asking():
            self._conn = sqlite3.connect(
                self._there, isolation_level=None, check_same_thread=False
            )
            finalize(self, self._conn.close)
            ((ours,),) = self._conn.execute("PRAGMA application_id")
            used = self._conn.execute("SELECT 1 FROM sqlite_master").fetchone()
            if used and ours != _APPLICATION_ID:
                raise sqlite3.DatabaseError(say("it is another program's"))
            self._conn.executescript(_TABLES.read_text(encoding="utf-8"))

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            with self._turn:
                yield
        except sqlite3.Error as error:
            raise KeizerError(
                "{file}, which has the links of members, cannot be used: {problem}. Move it away,"
                " and give links anew.",
                file=str(self._there),
                problem=error.args[0],
            ) from error

    def ask(self, statement: str, *values: Any) -> list[Any]:
        """The rows that a statement gives. Raises KeizerError where the file cannot be used."""
        with self._asking():
            return self._conn.execute(statement, values).fetchall()

    def secret(self) -> str:
        """What cookies are signed with."""
        self.ask("INSERT OR IGNORE INTO secret VALUES (1, ?)", secrets.token_hex(32))
        return str(self.ask("SELECT value FROM secret")[0][0])

    def password(self, season: str) -> str:
        """The hash of the password of a season's director; nothing where there is none."""
        found = self.ask("SELECT hash FROM password WHERE season = ?", season)
        return str(found[0][0]) if found else ""

    def has_password(self, hashed: str) -> bool:
        """Return whether it is that of any season."""
        return bool(self.ask("SELECT 1 FROM password WHERE hash = ?", hashed))

    def new_password(self, season: str, hashed: str) -> None:
        """Keep that of another one."""
        self.ask("INSERT OR REPLACE INTO password VALUES (?, ?)", season, hashed)

    def hall(self, season: str) -> str:
        """The end of the link that every phone in the hall may use."""
        self.ask(
            "INSERT OR IGNORE INTO hall VALUES (?, ?)",
            season,
            secrets.token_urlsafe(16),
        )
        return str(self.ask("SELECT code FROM hall WHERE season = ?", season)[0][0])

    def new_hall(self, season: str) -> None:
        """Withdraw that link; there is another one."""
        self.ask(
            "INSERT OR REPLACE INTO hall VALUES (?, ?)",
            season,
            secrets.token_urlsafe(16),
        )

    def is_hall(self, season: str, link: str) -> bool:
        """Whether this is the link that every phone may use."""
        found = self.ask("SELECT code FROM hall WHERE season = ?", season)
        return bool(found) and compare_digest(link.encode(), found[0][0].encode())

    def invitation(self, player: int, entry: str) -> str:
        """The end of the link of one member."""
        found = self.ask(
            "INSERT INTO invitation (id, player, entry) VALUES (?, ?, ?)"
            " ON CONFLICT (entry) WHERE withdrawn IS NULL DO UPDATE SET player = player"
            " RETURNING id",
            secrets.token_urlsafe(16), player, entry,
        )  # fmt: skip
        return str(found[0][0])

    def withdraw(self, entry: str) -> None:
        """Withdraw the link of a member; there is another one."""
        self.ask(
            "UPDATE invitation SET withdrawn = CURRENT_TIMESTAMP"
            " WHERE entry = ? AND withdrawn IS NULL",
            entry,
        )

    def invited(self, link: str) -> tuple[int, str] | None:
        """Whose personal link this is: player.id and entry; None: nobody's, or withdrawn."""
        found = self.ask(
            "SELECT player, entry FROM invitation WHERE id = ? AND withdrawn IS NULL",
            link,
        )
        return found[0] if found else None

    def disputed(
        self, conn: sqlite3.Connection
    ) -> dict[tuple[int, str], tuple[int, str]]:
        """Who says what instead, in a season, by game and the result that was reported."""
        found = "SELECT * FROM dispute WHERE season = ?"
        return {
            row[1:3]: row[3:] for row in self.ask(found, history.file_identity(conn))
        }


class Witness(NamedTuple):
    """From where a member reports: a device, and whether by their personal link."""

    links: Links
    device: str
    personal: bool

    def rights_over_result(
        self, conn: sqlite3.Connection, game: int
    ) -> tuple[bool, bool]:
        """Whether they may correct, or confirm, what was reported of a game (round.id).

        Who has a personal link is who they say; of others a phone corrects what came from it,
        and confirms what did not.
        """
        came = "SELECT device, personal FROM report WHERE season = ? AND game = ?"
        found = self.links.ask(came, history.file_identity(conn), game)
        device, personal = found[0] if found else (None, False)
        same, other = device == self.device, device not in (None, self.device)
        return self.personal or same, other or bool(self.personal and personal)

    def record_device(self, conn: sqlite3.Connection, game: int) -> None:
        """Keep from where the result of a game came."""
        row = history.file_identity(conn), game, self.device, self.personal
        self.links.ask("INSERT OR REPLACE INTO report VALUES (?, ?, ?, ?)", *row)

    def record_dispute(
        self, conn: sqlite3.Connection, game: int, reported: str, player: int, says: str
    ) -> None:
        """Keep that a member says another result than was reported."""
        row = history.file_identity(conn), game, reported, player, says
        self.links.ask("INSERT OR REPLACE INTO dispute VALUES (?, ?, ?, ?, ?)", *row)


def _made(path: Path | None) -> str | Path:
    """The file, which nobody else may read; where it cannot be written, memory."""
    if path is not None:
        with suppress(OSError):
            path.parent.mkdir(0o700, parents=True, exist_ok=True)
            os.close(
                os.open(
                    path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NONBLOCK", 0), 0o600
                )
            )
            path.chmod(0o600)
            return path
    return ":memory:"
