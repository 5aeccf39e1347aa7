"""The bodies of requests: how much is read of one, by who sends it, and of all at once.

Bytes are counted as they come, as a header says what it likes. Whoever is not known to be the
director sends little, which stays in memory; what a director sends beyond that lies in a
temporary file. All bodies of the process share a budget, until their requests are answered.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import Any

from werkzeug.exceptions import ClientDisconnected
from werkzeug.wsgi import get_content_length, get_input_stream

from keizer.formats import limits
from keizer.messages import say
from keizer.web.answers import RefusedError, busy

ANYBODY = 1 << 20
"""Bytes that anybody may send."""
FORM, FILES = 4 << 20, limits.ZIP
"""Bytes of a director's form, and of one with files: a rating list is the largest."""
OF_LARGE, OF_ALL = 32 << 20, 256 << 20
"""Bytes that the process holds at once: of large bodies that are not a director's, and in all."""
_SMALL = 1 << 16
"""Bytes of a body that is not large. A phone sends some hundred, and always finds room."""
LET_IN = "keizer.let_in"
"""In an environment: a door of ours has let it in. Its body is there and counted, it has a seat."""
_PIECE = 1 << 16


class Budget:
    """The bytes that bodies may take in the whole process, at every door and of every club.

    of_large: the part for large bodies of those who are not the director. Whoever fills it keeps
    no phone from sending a result, and no director from anything.
    """

    def __init__(self, of_all: int, of_large: int) -> None:
        self._of_all, self._of_large = of_all, of_large
        self._turn = Lock()
        self.taken = self.taken_by_large = 0

    def has_room(self, size: int, *, large: bool) -> bool:
        """Return whether there is room for so many bytes more."""
        if large and self.taken_by_large + size > self._of_large:
            return False
        return self.taken + size <= self._of_all

    def take(self, size: int, *, large: bool) -> None:
        """Take so many bytes; RefusedError (503) where there is no room for them."""
        with self._turn:
            if not self.has_room(size, large=large):
                raise busy()
            self._add(size, large=large)

    def give_back(self, size: int, *, large: bool) -> None:
        """Give back what was taken."""
        with self._turn:
            self._add(-size, large=large)

    def _add(self, size: int, *, large: bool) -> None:
        self.taken += size
        if large:
            self.taken_by_large += size


BUDGET = Budget(OF_ALL, OF_LARGE)
"""That of this process."""


def has_to_know(size: int) -> bool:
    """Return whether it depends on who sends so many bytes, if they are taken."""
    full = size > _SMALL and not BUDGET.has_room(size, large=True)
    return full or size > ANYBODY


class Body:
    """What has come of the body of a request. limit: bytes that are read of it."""

    def __init__(self) -> None:
        self.limit, self.size, self._director, self._large = ANYBODY, 0, False, True
        # In memory up to what anybody may send, so that only a director's is ever on the disk.
        self.file = SpooledTemporaryFile(ANYBODY)  # noqa: SIM115  # closed when it was answered

    def is_directors(self, content_type: str) -> None:
        """Read more of it, as the director sends it; before any of it has come."""
        has_files = content_type.startswith("multipart/form-data")
        self.limit, self._director = FILES if has_files else FORM, True

    def expect(self, size: int) -> None:
        """Refuse at once what is said to become too large, by RefusedError (413 or 503)."""
        self._check(size)
        self._large = size > _SMALL and not self._director
        if not BUDGET.has_room(size, large=self._large):
            raise busy()

    def write(self, piece: bytes) -> None:
        """Take a piece of it; RefusedError (413 or 503) where that is too much."""
        self._check(self.size + len(piece))
        BUDGET.take(len(piece), large=self._large)
        self.size += len(piece)
        self.file.write(piece)

    def _check(self, size: int) -> None:
        if size <= self.limit:
            return
        megabytes = self.limit >> 20
        said = say("only the director can send more than {number} MB.", number=megabytes)
        if self._director:
            said = say("that is too much at once: at most {number} MB.", number=megabytes)
        raise RefusedError(said, 413)

    def close(self) -> None:
        """Let go of it, and of its part of the budget; more than once does no harm."""
        self.file.close()
        BUDGET.give_back(self.size, large=self._large)
        self.size = 0

    def environment(self) -> dict[str, Any]:
        """Return what an application reads it by, from its beginning."""
        self.file.seek(0)
        return {"wsgi.input": self.file, "CONTENT_LENGTH": str(self.size)}


@contextmanager
def received(environ: dict[str, Any], is_director: Callable[[], bool]) -> Iterator[None]:
    """Have all of a request's body, however a WSGI server brings it, while this lasts.

    is_director: whether the director asks; called where it depends on that.
    Raises RefusedError for too much of it, and for one that breaks off.
    """
    in_pieces = "HTTP_TRANSFER_ENCODING" in environ  # nobody knows how many
    announced = get_content_length(environ) or 0
    body = Body()
    try:
        if (in_pieces or has_to_know(announced)) and is_director():
            body.is_directors(environ.get("CONTENT_TYPE", ""))
        body.expect(ANYBODY if in_pieces else announced)
        _read(environ, body)
        environ.update(body.environment())
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        yield
    finally:
        body.close()


def _read(environ: dict[str, Any], body: Body) -> None:
    stream = get_input_stream(environ)
    try:
        while piece := stream.read(_PIECE):
            body.write(piece)
    except ClientDisconnected as error:
        raise RefusedError(say("that could not be understood."), 400) from error
