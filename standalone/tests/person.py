"""Somebody at a browser."""

import json
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.support.files import needs_program

DRIVER = Path(__file__).with_name("driver.cjs")
WITHOUT_PICKERS = "delete window.showOpenFilePicker; delete window.showSaveFilePicker"
"""A browser that cannot write files by itself, as Firefox and Safari."""
PROGRAMS = {
    "chromium": ("chromium", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
    "webkit": ("WebKitWebDriver",),
}


class Person:
    """Somebody at a browser, with its profile and downloads: `person.press("Pair round 1")`.

    Begin with `begin`; what else they do stands in driver.cjs.
    """

    def __init__(self, kind: str, folder: Path, url: str) -> None:
        node = shutil.which("node")
        program = next(filter(None, map(shutil.which, PROGRAMS[kind])), None)
        needs_program(node is not None, "node")
        needs_program(program is not None, kind)
        needs_program(kind != "webkit" or shutil.which("Xvfb") is not None, "Xvfb")
        self.kind = kind
        self.downloads = folder / "downloads"
        self.downloads.mkdir(parents=True, exist_ok=True)
        (folder / "profile").mkdir(exist_ok=True)
        line = [node, DRIVER, kind, program, folder / "profile", self.downloads, url]
        self._process = subprocess.Popen(
            [*map(str, line)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __getattr__(self, what: str) -> Callable[..., Any]:
        return lambda *given: self.do(what, *given)

    def do(self, what: str, *given: object) -> Any:
        """Have the driver do it; AssertionError for what went wrong."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([what, *given]) + "\n")
        self._process.stdin.flush()
        answer = json.loads(
            self._process.stdout.readline() or '{"wrong": "the driver ended"}'
        )
        assert "wrong" not in answer, answer["wrong"]
        return answer["done"]

    def more(self, page: str) -> None:
        """Open a page that is behind the gear."""
        self.do("press", "More", "summary")
        self.do("press", page, "header a")

    def leave(self) -> None:
        """End the browser, if it is still there."""
        if self._process.returncode is None:
            with suppress(AssertionError, OSError):
                self.do("end")
            self._process.kill()
            self._process.communicate()
