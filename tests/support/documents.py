"""The examples of a page in docs/, run."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

BLOCKS = re.compile(
    r"^```(console|sql|python)\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


FILES = re.compile(
    r"`([\w-]+\.\w+)`(?:(?!\n\n).)*\n\n```(?:csv|text)\n(.*?)^```\n",
    re.MULTILINE | re.DOTALL,
)
"""A file that a page asks to save: its name in the sentence before it, and what is in it."""


def printed(folder: Path, *command: str) -> str:
    """What a command prints there, complaints included; with fixture `installed` keizer is one."""
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
    """What is typed in a block and what then is printed, in turn."""
    for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, shown = re.fullmatch(r"(.*(?:\n> .*)*)\n((?:.*\n)*)", step).groups()  # type: ignore[union-attr]
        yield command.replace("\n> ", "\n"), shown
