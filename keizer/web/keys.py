"""Who is director, and which links let whom in: secrets, kept outside the season file."""

import hashlib
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from threading import RLock
from time import monotonic

from keizer.errors import KeizerError
from keizer.web.links import Links

FREE_PINS, LONGEST_WAIT = 3, 300
"""Wrong PINs from an address before it has to wait, 1, 2, 4 seconds and so on, and the longest."""
_ADDRESSES = 1000
"""Of so many it is known how often they were wrong; all others wait together."""
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_GROUPS, _LONG = 5, 5
"""Of a password: 125 bits, which nobody guesses, however often they may try."""


class Keys:
    """The secrets of one program that serves seasons.

    director: the key of this run; once: the same for one use. pin: six digits that make a
    director too. links: what outlives the run. path, KeizerError: as of `Links`.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.links, self._turn = Links(path), RLock()
        self.secret = self.links.secret()
        self.run = secrets.token_urlsafe(9)
        self.director, self.once = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.new_pin()

    def new_pin(self) -> None:
        """Make another PIN, and forget the wrong ones; who came by the old one is out."""
        self._wrong: dict[str, tuple[int, float]] = {}
        self.pin = f"{secrets.randbelow(10**6):06}"
        self.by_pin = secrets.token_urlsafe(9)

    def is_director(self, typed: str) -> bool:
        """Whether this is the key of the run."""
        return compare_digest(typed.encode(), self.director.encode())

    def lets_in(self, typed: str) -> bool:
        """Whether this is that key, or what the browser was started with, for the first time."""
        if not compare_digest(typed.encode(), self.once.encode()):
            return self.is_director(typed)
        self.once = secrets.token_urlsafe(24)
        return True

    def marks(self) -> tuple[str, ...]:
        """What the cookie of a director has: by the key, or by the PIN."""
        return self.run, self.by_pin

    def is_pin(self, typed: str, address: str, now: float | None = None) -> bool:
        """Whether this is the PIN; KeizerError where that address has to wait.

        now: seconds of a clock.
        """
        now = monotonic() if now is None else now
        with self._turn:
            known = address in self._wrong or len(self._wrong) < _ADDRESSES
            address = address if known else "others"
            wrong, until = self._wrong.get(address, (0, now))
            if now < until:
                wait = round(until - now) + 1
                raise KeizerError("too many wrong PINs: wait {number} s.", number=wait)
            if compare_digest(typed.strip().encode(), self.pin.encode()):
                self._wrong.pop(address, None)
                return True
            wait = (
                min(2 ** (wrong - FREE_PINS), LONGEST_WAIT) if wrong >= FREE_PINS else 0
            )
            self._wrong[address] = wrong + 1, now + wait
        return False


class Password(Keys):
    """The secrets of one file; its director has a password, which outlives the run.

    season: tells which season the file has, as another under its name has another director.
    """

    def __init__(self, file: Path, season: Callable[[], str]) -> None:
        super().__init__(file.parent / ".keizer" / file.name)
        self._season = season

    def renew(self) -> str:
        """Make another password; the one before, and who came by it, count no more."""
        made = [
            "".join(map(secrets.choice, [_LETTERS] * _LONG)) for _ in range(_GROUPS)
        ]
        self.links.new_password(self._season(), _hashed("".join(made)))
        return "-".join(made)

    def _known(self) -> str:
        """The hash of the password; nothing where there is none, or the file cannot be read."""
        with suppress(KeizerError, OSError, sqlite3.Error):
            return self.links.password(self._season())
        return ""

    def is_director(self, typed: str) -> bool:
        """Whether this is the password, with small letters or without hyphens, too.

        What is no password of this file's name is told without the file, which may be in use.
        """
        hashed = _hashed(
            "".join(letter for letter in typed.upper() if letter.isalnum())
        )
        return self.links.has_password(hashed) and compare_digest(hashed, self._known())

    def lets_in(self, typed: str) -> bool:  # noqa: ARG002
        """Nobody: an address is on the log of who forwards it."""
        return False

    def is_pin(self, typed: str, address: str, now: float | None = None) -> bool:  # noqa: ARG002
        """Whether this is the password; who is wrong need not wait, as no number of tries helps."""
        return self.is_director(typed)

    def marks(self) -> tuple[str, ...]:
        """What the cookie of a director has."""
        known = self._known()
        return (_hashed(known),) if known else ()


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
