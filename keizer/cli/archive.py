"""Many clubs in one file: archive."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import click

from keizer import KeizerError
from keizer import archive as archives
from keizer.cli import options, output
from keizer.cli.files import PATH
from keizer.cli.options import argument, count
from keizer.texts import counted


@options.command
def archive(
    folder: Annotated[Path, argument(metavar="DIR", type=PATH)],
    out: Annotated[Path, argument(metavar="OUT.db", type=PATH)],
    jobs: Annotated[
        int | None,
        count("The number of processes that check files; one for each core by default.", most=256),
    ],
) -> None:
    """Merge the club files in and below a folder into an archive.

    The archive is read-only. Every command that shows something can read it, and so can
    other programs. It has the tables and views of a season file for all clubs at once, and
    views on people across clubs and seasons: people, careers, encounters, clubs, seasons.
    A folder is a club. Each file is checked as `keizer check` does. A file that is not
    sound is named and left out; the others are merged.

    The same command again takes in what is new or has changed. What is gone from the folder
    stays in the archive.

    \b
    Example: keizer archive clubs archive.db
             keizer archive clubs archive.db --jobs 4
    """
    try:
        with _progress() as report:
            done = archives.merge(folder, out, jobs=jobs or os.cpu_count() or 1, report=report)
    except KeyboardInterrupt:
        raise KeizerError("stopped: nothing was changed.") from None
    for path, reason in done.refused:
        output.say(f"Refused: {path}: {reason}", err=True)
    for path, reason in done.skipped:
        output.say(f"Skipped: {path}: {reason}", err=True)
    for path in done.gone:
        output.say(f"No longer in {folder}, but kept in the archive: {path}.", err=True)
    if done.files:
        output.done(_sentence(out, done))
    if done.refused:
        were = "was" if len(done.refused) == 1 else "were"
        raise KeizerError(f"{counted(len(done.refused), 'file')} {were} refused.")
    if not done.files:
        raise KeizerError(f"there is no Keizer file in {folder}.")


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """What takes how many files are done of how many, and shows it on a terminal."""
    with ExitStack() as shown:
        bars: list[Any] = []

        def report(done: int, total: int) -> None:
            if not _terminal():
                return
            if not bars:
                bar = click.progressbar(length=total, label="Files", show_pos=True, file=sys.stderr)
                bars.append(shown.enter_context(bar))
            bars[0].update(done - bars[0].pos)

        yield report


def _terminal() -> bool:
    return sys.stderr.isatty()


def _sentence(out: Path, done: archives.Outcome) -> str:
    if not done.written:
        return f"{out} is up to date: {counted(done.files, 'file')}."
    return f"{out} has {counted(done.files, 'file')}: {done.new:,} new, {done.changed:,} changed."
