"""Files that came with a form, some held until somebody has said yes to what they would change."""

import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic
from typing import IO

from keizer.errors import KeizerError
from keizer.formats import limits

EACH, TOGETHER = limits.ZIP, 2 * limits.ZIP
"""Bytes of the files that are held for a face, and for all faces of this process."""
FILES = 3
"""Files that are held for a face."""
SECONDS = 3600
"""How long one is held. An import can have many questions."""

_Place = tuple[object, str]
"""Whose a file is, and its key."""


class Upload:
    """A file as it came. stream: what has its bytes; name: what it was called, without a path."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream, self.name, self._turn = stream, name, Lock()
        stream.seek(0, io.SEEK_END)
        self.size = stream.tell()

    @contextmanager
    def copied(self) -> Iterator[Path]:
        """Have it in a folder while this lasts. Raises KeizerError if it was let go of."""
        with TemporaryDirectory() as folder:
            path = Path(folder, self.name or "list")
            with self._turn, path.open("wb") as copy:
                if self._stream.closed:
                    raise gone()
                self._stream.seek(0)
                shutil.copyfileobj(self._stream, copy)
            yield path

    def close(self) -> None:
        """Let go of it, when nobody is copying it."""
        with self._turn:
            self._stream.close()


class Held:
    """The files that wait for a yes, by whose they are and the key that their form has.

    If there is too much of one face, or of all, the oldest go first.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._held: dict[_Place, tuple[Upload, float]] = {}

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return sum(upload.size for upload, _ in [*self._held.values()])

    def keep(self, whose: object, upload: Upload, now: float | None = None) -> str:
        """Hold a file of a face; its key. now: seconds of a clock."""
        key = token_urlsafe(8)
        with self._turn:
            self._held[whose, key] = upload, _now(now) + SECONDS
            own = [place for place in self._held if place[0] is whose]
            for place in own[:-FILES]:
                self._drop(place)
            self._drop_oldest(own[-FILES:], EACH)
            self._drop_oldest([*self._held], TOGETHER)
        return key

    def find(self, whose: object, key: str) -> Upload:
        """Return the file of a face that has a key; KeizerError if it is not held any more."""
        held = self._held.get((whose, key))
        if held is None:
            raise gone()
        return held[0]

    def let_go(self, whose: object, key: str) -> None:
        """Let go of a file whose form is done."""
        with self._turn:
            self._drop((whose, key))

    def let_go_of_old(self, now: float | None = None) -> None:
        """Let go of what was held long enough. now: as of `keep`."""
        with self._turn:
            for place, (_, until) in [*self._held.items()]:
                if until <= _now(now):
                    self._drop(place)

    def _drop_oldest(self, places: list[_Place], most: int) -> None:
        """Let go of the first of some files until they have no more than so many bytes."""
        size = sum(self._held[place][0].size for place in places)
        for place in places:
            if size <= most:
                return
            size -= self._held[place][0].size
            self._drop(place)

    def _drop(self, place: _Place) -> None:
        upload, _ = self._held.pop(place, (None, 0))
        if upload:
            upload.close()


HELD = Held()


def gone() -> KeizerError:
    """Return what is said if a file is not held any more."""
    return KeizerError("the file is not held any more: choose it again.")


def _now(now: float | None) -> float:
    return monotonic() if now is None else now
