"""Files that a command reads: also what comes through a pipe."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from keizer import KeizerError


@contextmanager
def at_hand(file: Path) -> Iterator[Path]:
    """The file, or a copy that can be read more than once of what can be read only once.

    That is standard input, as -, and a pipe. What is said of the copy is said of FILE.
    """
    piped = str(file) == "-"
    if not piped and (file.is_file() or file.is_dir() or not file.exists()):
        yield file
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder, "read")
        with copy.open("wb") as written:
            if piped:
                shutil.copyfileobj(sys.stdin.buffer, written)
            else:
                with file.open("rb") as once:
                    shutil.copyfileobj(once, written)
        try:
            yield copy
        except KeizerError as error:
            whole = named(file) if piped else str(file)
            raise KeizerError(str(error).replace(str(copy), whole)) from error


def named(file: Path) -> str:
    """What a file is called in a sentence, without its folder."""
    return "standard input" if str(file) == "-" else file.name
