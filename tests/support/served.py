"""`keizer serve` as a program of its own, on a port of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.files import ROOT


@dataclass
class Served:
    """A program that serves a file."""

    process: "subprocess.Popen[str]"
    address: str
    """The director's, with the key."""
    phones: str = ""
    """That of the hall, with --lan."""

    @property
    def root(self) -> str:
        """The address of its pages, without the key."""
        return self.address.partition("/in/")[0] + "/"

    @property
    def key(self) -> str:
        """The director's key, for programs."""
        return self.address.rpartition("/")[2]

    def program(self) -> dict[str, str]:
        """Return the headers of a program that is the director."""
        return {"Authorization": f"Bearer {self.key}", "Accept": "application/json"}


@contextmanager
def served(db: Path, *options: str) -> Iterator[Served]:
    """Serve a file in a process of its own until the block ends."""
    config = db.parent / "config"
    command = [sys.executable, "-m", "keizer", "serve", str(db), "--no-browser"]
    process = subprocess.Popen(
        [*command, "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "XDG_CONFIG_HOME": str(config)},
    )
    try:
        assert process.stdout and process.stderr
        line = process.stdout.readline()
        address = re.search(r"http://\S+", line)
        assert address, line + process.stderr.read()
        phones = ""
        if "--lan" in options:
            in_the_hall = process.stdout.readline().split()[-1]
            phones = re.sub(r"//[^/:]*", "//127.0.0.1", in_the_hall)
        yield Served(process, address[0], phones)
    finally:
        process.kill()
        process.communicate()
