"""The process that reads what people send: it sets its own limits, reads one file, and ends.

keizer.formats.apart starts it and asks by standard input; what comes out is one line of JSON.
"""

import gc
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.formats.carried import modules, packed, unpacked
from keizer.messages import Message, say
from keizer.store.atomic import StrPath

Facts = TypeVar("Facts")

TIME, MEMORY = say("time"), say("memory")

_FILES = 1 << 16
"""Bytes of a file that it may write: the index of a WAL, which SQLite makes to read, has half."""


def too_much(path: StrPath, what: Message) -> KeizerError:
    """Make the error for a file that takes more time or memory than it may."""
    return KeizerError(
        "{file}: this file takes too much {what} to read, so nothing was done.",
        file=limits.called(path), what=what,
    )  # fmt: skip


def broken(path: StrPath) -> KeizerError:
    """Make the error for a file that ended its reader in a way that nobody thought of."""
    return KeizerError(
        "{file} cannot be read: {problem}.",
        file=limits.called(path), problem=say("it breaks the program that reads it"),
    )  # fmt: skip


def main() -> None:
    """Answer a request."""
    gc.disable()  # it is over before there is anything to collect
    request = json.loads(sys.stdin.buffer.readline())
    vars(limits).update(request["limits"])
    if request["stream"]:
        limits.handed_on = request["path"]
    _confine("RLIMIT_AS", limits.MEMORY)
    _confine("RLIMIT_CPU", request["seconds"])
    _confine("RLIMIT_CORE", 0)
    # Where memory is short Linux ends this process, not the server.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    sys.stdout.buffer.write(_answer(request))
    sys.stdout.buffer.flush()
    os._exit(0)  # what Python tidies up the system takes back


def attempt(path: StrPath, read: Callable[[], Facts]) -> Facts:
    """Read a file; KeizerError for whatever goes wrong with it."""
    try:
        return read()
    except KeizerError:
        raise
    except MemoryError as error:
        raise too_much(path, MEMORY) from error
    except BaseException as error:  # a panic in Rust is no Exception
        raise broken(path) from error


def _answer(request: dict[str, Any]) -> bytes:
    """What the reader gives, or what is wrong with the file."""
    path = Path(request["path"])

    def read() -> bytes:
        reader = getattr(import_module(request["module"]), request["reader"])
        _confine("RLIMIT_FSIZE", _FILES)
        return _said(facts=reader(path, *unpacked(request["given"])))

    try:
        return attempt(path, read)
    except KeizerError as error:
        return _said(wrong=[*error.messages])


def _said(facts: Any = None, wrong: list[Message] | None = None) -> bytes:
    answer = {"modules": modules(), "facts": packed(facts), "wrong": packed(wrong)}
    return json.dumps(answer).encode()


def _confine(kind: str, most: int) -> None:
    """Let this process have no more of something, where the system has such limits."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limit = getattr(resource, kind)
    _, ceiling = resource.getrlimit(limit)
    if ceiling == resource.RLIM_INFINITY:
        # At the lower limit of time a signal says so, here it is killed.
        ceiling = most + 1
    with suppress(OSError, ValueError):  # macOS has no such limit of memory
        resource.setrlimit(limit, (min(most, ceiling), ceiling))
