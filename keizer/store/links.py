"""Links of members and of the hall, and which device said what: a small SQLite file of settings.

It lies outside of the season files, whose seasons and people it knows by what their logs say.
"""

import os
import secrets
import sqlite3
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from threading import RLock
from typing import Any
from weakref import finalize

from keizer.errors import KeizerError

_TABLES = """
CREATE TABLE IF NOT EXISTS secret (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL);
-- The code of the hall, of a season by `history.birth`.
CREATE TABLE IF NOT EXISTS hall (season TEXT PRIMARY KEY, code TEXT NOT NULL);
-- A personal link, of the entry of a person by `history.entry`, who had the number player.
CREATE TABLE IF NOT EXISTS invitation (id TEXT PRIMARY KEY, player INTEGER NOT NULL,
  entry TEXT NOT NULL, made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, withdrawn TEXT);
-- From which device the result of a game (round.id) came, and whether by a personal link.
CREATE TABLE IF NOT EXISTS report (season TEXT, game INTEGER, device TEXT NOT NULL,
  personal INTEGER NOT NULL, PRIMARY KEY (season, game));
"""


class Links:
    """What is kept for those who are let in. path: the file; None: nothing outlives the run.

    Raises KeizerError where it cannot be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._turn, self._there = RLock(), _made(path)
        self._conn = sqlite3.connect(self._there, isolation_level=None, check_same_thread=False)
        finalize(self, self._conn.close)
        for table in _TABLES.split(";"):
            self._ask(table)

    def _ask(self, statement: str, *values: Any) -> list[Any]:
        try:
            with self._turn:
                return self._conn.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise KeizerError(
                f"{self._there}, which has the links of members, cannot be used: {error}. Move it"
                " away, and give links anew."
            ) from error

    def secret(self) -> str:
        """What cookies are signed with."""
        self._ask("INSERT OR IGNORE INTO secret VALUES (1, ?)", secrets.token_hex(32))
        return str(self._ask("SELECT value FROM secret")[0][0])

    def hall(self, season: str) -> str:
        """The end of the link that every phone in the hall may use."""
        self._ask("INSERT OR IGNORE INTO hall VALUES (?, ?)", season, secrets.token_urlsafe(16))
        return str(self._ask("SELECT code FROM hall WHERE season = ?", season)[0][0])

    def new_hall(self, season: str) -> None:
        """Withdraw that link; there is another one."""
        self._ask("INSERT OR REPLACE INTO hall VALUES (?, ?)", season, secrets.token_urlsafe(16))

    def is_hall(self, season: str, link: str) -> bool:
        """Whether this is the link that every phone may use."""
        found = self._ask("SELECT code FROM hall WHERE season = ?", season)
        return bool(found) and compare_digest(link.encode(), found[0][0].encode())

    def invitation(self, player: int, entry: str) -> str:
        """The end of the link of one member."""
        valid = "FROM invitation WHERE entry = ? AND withdrawn IS NULL"
        self._ask(
            "INSERT INTO invitation (id, player, entry) SELECT ?, ?, ?"
            f" WHERE NOT EXISTS (SELECT 1 {valid})",
            secrets.token_urlsafe(16), player, entry, entry,
        )  # fmt: skip
        return str(self._ask(f"SELECT id {valid}", entry)[0][0])

    def withdraw(self, entry: str) -> None:
        """Withdraw the link of a member; there is another one."""
        self._ask(
            "UPDATE invitation SET withdrawn = CURRENT_TIMESTAMP"
            " WHERE entry = ? AND withdrawn IS NULL",
            entry,
        )

    def invited(self, link: str) -> tuple[int, str] | None:
        """Whose personal link this is: player.id and entry; None: nobody's, or withdrawn."""
        found = self._ask(
            "SELECT player, entry FROM invitation WHERE id = ? AND withdrawn IS NULL", link
        )
        return found[0] if found else None

    def reported(self, season: str, game: int) -> tuple[str, bool] | None:
        """From which device the result of a game came, and whether by a personal link."""
        found = self._ask(
            "SELECT device, personal FROM report WHERE season = ? AND game = ?", season, game
        )
        return found[0] if found else None

    def note_report(self, season: str, game: int, device: str, *, personal: bool) -> None:
        """Keep that the result of a game came from a device."""
        self._ask(
            "INSERT OR REPLACE INTO report VALUES (?, ?, ?, ?)", season, game, device, personal
        )


def _made(path: Path | None) -> str | Path:
    """The file, which nobody else may read; where it cannot be written, memory."""
    if path is not None:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            return path
    return ":memory:"
