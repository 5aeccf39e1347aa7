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
    """A program that serves. address: the director's; phones: that of the hall, with --lan."""

    process: "subprocess.Popen[str]"
    address: str
    phones: str = ""

    @property
    def root(self) -> str:
        """Where its pages are."""
        return self.address.partition("/in/")[0] + "/"

    @property
    def key(self) -> str:
        """The director's key, for programs."""
        return self.address.rpartition("/")[2]

    def program(self) -> dict[str, str]:
        """The headers of a program that is the director."""
        return {"Authorization": f"Bearer {self.key}", "Accept": "application/json"}


@contextmanager
def served(db: Path, *options: str) -> Iterator[Served]:
    """Serve a file until this ends."""
    config = db.parent / "config"
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "keizer",
            "serve",
            str(db),
            "--no-browser",
            "--port",
            "0",
            *options,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "XDG_CONFIG_HOME": str(config)},
    )
    try:
        assert process.stdout and process.stderr
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + process.stderr.read()
        phones = process.stdout.readline().split()[-1] if "--lan" in options else ""
        yield Served(process, found[0], re.sub(r"//[^/:]*", "//127.0.0.1", phones))
    finally:
        process.kill()
        process.communicate()
