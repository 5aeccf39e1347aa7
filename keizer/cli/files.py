"""Files that a command reads: also what comes through a pipe."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from keizer import KeizerError
from keizer.formats import limits

PATH = click.Path(path_type=Path)


@contextmanager
def at_hand(file: Path) -> Iterator[Path]:
    """The file, or a copy that can be read more than once of what can be read only once.

    That is standard input, as -, and a pipe. What is said of the copy is said of FILE.
    """
    if str(file) != "-" and (file.is_file() or file.is_dir() or not file.exists()):
        yield file
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder, "read")
        copy.write_bytes(limits.read(file, limits.SEASON))
        try:
            yield copy
        except KeizerError as error:
            error.rename(str(copy), limits.called(file))
            raise
