"""The examples of a page in docs/, so that they can be run."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

BLOCKS = re.compile(
    r"^```(console|sql|python)\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
"""A block of code and, if there is one, the block of what it prints."""


FILES = re.compile(
    r"`([\w-]+\.\w+)`(?:(?!\n\n).)*\n\n```(?:csv|text)\n(.*?)^```\n",
    re.MULTILINE | re.DOTALL,
)
"""A file that a page asks to save: its name in the sentence before, and its content."""


def printed(folder: Path, *command: str) -> str:
    """Return what a command prints in a folder, complaints included.

    With the fixture `installed`, keizer is a command.
    """
    return subprocess.run(
        command,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
    ).stdout


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block, with what it prints there."""
    for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        parts = re.fullmatch(r"(.*(?:\n> .*)*)\n((?:.*\n)*)", step)
        assert parts, step
        command, printed_text = parts.groups()
        yield command.replace("\n> ", "\n"), printed_text
