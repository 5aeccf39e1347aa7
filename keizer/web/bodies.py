"""The bodies of requests: how much is read of one, by who sends it, and of all at once.

Bytes are counted as they come, as a header says what it likes. Whoever is not known to be the
director sends little, which stays in memory; what a director sends beyond that lies in a
temporary file. A small body always finds room: a door has so many connections and no more. All
larger ones of the process share two parts, of the memory and of the disk.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
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
SMALL = 1 << 16
"""Bytes of a body that needs no part. A phone sends some hundred."""
LET_IN = "keizer.let_in"
"""In an environment: a door of ours has let it in. Its body is there and counted, it has a seat."""
_BODY = "keizer.body"
"""In an environment: the Body that is read as its input."""
_PIECE = 1 << 16


class Part:
    """The bytes that some bodies may take at once, at every door and of every club.

    most: of all of them; each: the bodies of one club at once, so that it leaves room to others.
    """

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each = most, each
        self._turn = Lock()
        self._clubs: Counter[str] = Counter()
        self.taken = 0

    def has_room(self, club: str, size: int) -> bool:
        """Return whether there is room for a body of so many bytes of that club."""
        return self.taken + size <= self.most and self._clubs[club] < self.each

    def take(self, club: str, size: int) -> None:
        """Take room for a body; RefusedError (503) if there is none for it."""
        with self._turn:
            if not self.has_room(club, size):
                raise busy()
            self.taken += size
            self._clubs[club] += 1

    @contextmanager
    def room(self, club: str, size: int) -> Iterator[None]:
        """Have room while this lasts; RefusedError as `take`."""
        self.take(club, size)
        try:
            yield
        finally:
            self.give_back(club, size)

    def give_back(self, club: str, size: int) -> None:
        """Give back what a body took."""
        with self._turn:
            self.taken -= size
            self._clubs[club] -= 1
            self._clubs += Counter()  # without those that are at nothing


LARGE, UPLOADS = Part(32 << 20, each=8), Part(4 * FILES, each=1)
"""In memory, for anybody; and on the disk, for directors with more than that, or without room in
it. An upload that stops halfway keeps the next one of its own club waiting, and nobody else."""


def has_to_know(club: str, size: int) -> bool:
    """Return whether it depends on who sends so many bytes, if they are taken."""
    full = size > SMALL and not LARGE.has_room(club, size)
    return full or size > ANYBODY


class Body:
    """What has come of the body of a request. limit: bytes that are read of it."""

    def __init__(self) -> None:
        self.limit, self.size, self._director = ANYBODY, 0, False
        self._give_back: Callable[[], None] | None = None
        # In memory up to what anybody may send, so that only a director's is ever on the disk.
        self.file = SpooledTemporaryFile(ANYBODY)  # noqa: SIM115  # closed when it was answered

    def is_directors(self, content_type: str) -> None:
        """Read more of it, as the director sends it; before any of it has come."""
        has_files = content_type.startswith("multipart/form-data")
        self.limit, self._director = FILES if has_files else FORM, True

    def expect(self, club: str, size: int | None) -> None:
        """Take room of a club for what is said to come; None: as much as may come.

        Raises RefusedError for too much (413), and if there is no room (503).
        """
        size = self.limit if size is None else size
        self._check(size)
        if size > SMALL:
            part = UPLOADS if self._director else LARGE
            if self.limit == FILES:
                size *= 2  # a file in it is copied, and then read from a copy
            part.take(club, size)
            self._give_back = partial(part.give_back, club, size)

    def write(self, piece: bytes) -> None:
        """Take a piece of it; RefusedError (413) if that is too much."""
        self._check(self.size + len(piece))
        self.size += len(piece)
        self.file.write(piece)

    def _check(self, size: int) -> None:
        if size <= self.limit:
            return
        megabytes = self.limit >> 20
        said = say(
            "only the director can send more than {number} MB.", number=megabytes
        )
        if self._director:
            said = say(
                "that is too much at once: at most {number} MB.", number=megabytes
            )
        raise RefusedError(said, 413)

    def close(self) -> None:
        """Let go of it, and of its part; more than once does no harm."""
        self.file.close()
        give_back, self._give_back = self._give_back, None
        if give_back:
            give_back()

    def environment(self) -> dict[str, Any]:
        """Return what an application reads it by, from its beginning."""
        self.file.seek(0)
        return {"wsgi.input": self.file, "CONTENT_LENGTH": str(self.size), _BODY: self}


def forget_copied(environ: dict[str, Any]) -> None:
    """Give the disk back what the body of a request took, as its files have been copied."""
    body = environ.get(_BODY)
    if body:
        with suppress(ValueError):  # whoever sent it has gone, and it is closed
            body.file.truncate(0)


@contextmanager
def received(
    environ: dict[str, Any], club: str, is_director: Callable[[], bool]
) -> Iterator[None]:
    """Have all of a request's body, however a WSGI server brings it, while this lasts.

    club: for whom it is; is_director: whether the director asks, called if it depends on that.
    Raises RefusedError for too much of it, and for one that breaks off.
    """
    in_pieces = "HTTP_TRANSFER_ENCODING" in environ  # nobody knows how many
    announced = get_content_length(environ) or 0
    body = Body()
    try:
        if (in_pieces or has_to_know(club, announced)) and is_director():
            body.is_directors(environ.get("CONTENT_TYPE", ""))
        try:
            body.expect(club, None if in_pieces else announced)
        except RefusedError:
            if announced <= ANYBODY:
                _pass_over(environ)
            raise
        _read(environ, body)
        # A server that ends the stream itself (gunicorn) says nothing of one that broke off.
        if not in_pieces and body.size != announced:
            raise _broken_off()
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
        raise _broken_off() from error


def _pass_over(environ: dict[str, Any]) -> None:
    """Read what somebody sends who is refused, and forget it.

    A server closes the connection if there is more, and whoever is in front may not see the answer.
    """
    stream, left = get_input_stream(environ), ANYBODY
    while left and (piece := stream.read(min(left, _PIECE))):
        left -= len(piece)


def _broken_off() -> RefusedError:
    return RefusedError(say("that could not be understood."), 400)
