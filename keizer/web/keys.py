"""Who is director and which links members have: secrets, kept outside the season file."""

import json
import secrets
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer

from keizer.errors import KeizerError
from keizer.store import atomic

MOST_PINS = 10
"""Wrong PINs after which none is taken any more, until there is a new one."""


class Keys:
    """The secrets of one program that serves seasons.

    director: the key of this run. pin: six digits that make a director too, or None when too
    many were wrong. path: a file for what outlives the run; None: nothing does.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._kept: dict[str, Any] = {"secret": secrets.token_hex(32), "of": {}}
        self._read_at = 0
        self._read()
        self._write()
        self.run = secrets.token_urlsafe(9)
        self.director = secrets.token_urlsafe(24)
        self.pin: str | None = None
        self._wrong = 0
        self.new_pin()

    @property
    def secret(self) -> str:
        """What cookies and links are signed with."""
        return str(self._kept["secret"])

    def _read(self) -> None:
        """Take in what another program that serves has kept."""
        with suppress(OSError, ValueError):
            changed = self._path.stat().st_mtime_ns if self._path else 0
            if self._path and changed != self._read_at:
                found = json.loads(self._path.read_text(encoding="utf-8"))
                if isinstance(found, dict) and {*found} >= {*self._kept}:
                    self._kept, self._read_at = found, changed

    def _write(self) -> None:
        if self._path is None:
            return
        with suppress(OSError):  # then it lasts as long as this run
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with atomic.draft(self._path) as made:
                Path(made).touch(mode=0o600)
                Path(made).write_text(json.dumps(self._kept), encoding="utf-8")
                Path(made).replace(self._path)

    # ------------------------------------------------------------- the director

    def new_pin(self) -> None:
        """Make another PIN, and forget the wrong ones; who came by the old one is out."""
        self._wrong, self.pin = 0, f"{secrets.randbelow(10**6):06}"
        self.by_pin = secrets.token_urlsafe(9)

    def is_director(self, typed: str) -> bool:
        """Whether this is the key of the run."""
        return compare_digest(typed.encode(), self.director.encode())

    def is_pin(self, typed: str) -> bool:
        """Whether this is the PIN; KeizerError when too many were wrong."""
        pin = self.pin
        if pin is None:
            raise KeizerError("too many wrong PINs: the director has to make a new one.")
        if compare_digest(typed.strip().encode(), pin.encode()):
            self._wrong = 0
            return True
        self._wrong += 1
        if self._wrong >= MOST_PINS:
            self.pin = None
        return False

    # ----------------------------------------------------------------- members

    def _of(self, file: Path) -> dict[str, Any]:
        """What is kept of a season file."""
        self._read()
        usual = {"join": secrets.token_urlsafe(16), "times": {}}
        found: dict[str, Any] = self._kept["of"].setdefault(str(file.resolve()), usual)
        return found

    def joining(self, file: Path) -> str:
        """The end of the link that every phone in the hall may use."""
        known = str(file.resolve()) in self._kept["of"]
        found = str(self._of(file)["join"])
        if not known:
            self._write()
        return found

    def new_joining(self, file: Path) -> None:
        """Withdraw that link; there is another one."""
        self._of(file)["join"] = secrets.token_urlsafe(16)
        self._write()

    def _signer(self, file: Path) -> URLSafeSerializer:
        return URLSafeSerializer(self.secret, salt=f"member {file.resolve()}")

    def personal(self, file: Path, player: int) -> str:
        """The end of the link of one member."""
        self.joining(file)  # so that the secret is kept
        times = self._of(file)["times"].get(str(player), 0)
        return str(self._signer(file).dumps([player, times]))

    def withdraw(self, file: Path, player: int) -> None:
        """Withdraw the link of a member; there is another one."""
        times = self._of(file)["times"]
        times[str(player)] = times.get(str(player), 0) + 1
        self._write()

    def member(self, file: Path, link: str) -> int | None:
        """Whose personal link this is; None: nobody's, or it was withdrawn."""
        try:
            player, times = self._signer(file).loads(link)
        except (BadSignature, TypeError, ValueError):
            return None
        known = self._of(file)["times"].get(str(player), 0)
        return int(player) if times == known else None

    def joins(self, file: Path, link: str) -> bool:
        """Whether this is the link that every phone may use."""
        return compare_digest(link.encode(), self.joining(file).encode())
