"""DB Browser for SQLite at work, without anybody who watches."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.files import needs_program
from tests.support.patience import PATIENCE, until

_HANGS = "DB Browser does not come to an end"
_END = "the_script_has_ended"


class DBBrowser:
    """The program, with its settings in a folder."""

    def __init__(self, folder: Path) -> None:
        needs_program(shutil.which("sqlitebrowser") is not None, "sqlitebrowser")
        self.folder = folder
        self.settings = {
            **os.environ,
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
        }
        self.settings |= {"XDG_RUNTIME_DIR": str(folder), "LC_ALL": "C.UTF-8"}

    def prints(self, file: Path, statements: Sequence[str] = ()) -> list[str]:
        """Its standard error, once it has opened a database or a project and run the statements.

        Each statement is a script (-s): "ok" or "refused: ..." stand for it, in turn.
        """
        scripts: list[Path] = []
        ends = [f"SELECT {_END}_{number}" for number in range(len(statements) + 1)]
        for number, end in enumerate(ends):
            for text in (*statements[number - 1 : number], end):
                scripts.append(self.folder / f"{len(scripts)}.sql")
                scripts[-1].write_text(text, encoding="utf-8")
        options = [part for script in scripts for part in ("-s", str(script))]
        said = self.folder / "said.txt"
        with self._running(
            [*options, str(file)], {"QT_QPA_PLATFORM": "offscreen"}, said
        ):
            until(
                lambda: f"{_END}_{len(statements)}" in said.read_text("utf-8"), _HANGS
            )
        parted = re.compile(rf"^.*{_END}_\d+.*\n", re.MULTILINE)
        opened, *parts = parted.split(said.read_text("utf-8"))
        return [
            *opened.splitlines(),
            *(_answer(part) for part in parts[: len(statements)]),
        ]

    def unread(self, file: Path) -> set[str]:
        """The tables that it cannot read the definition of, and so shows without columns."""
        found = "\n".join(self.prints(file))
        return {
            *re.findall(r"^Sqlite parse error: CREATE TABLE (\S+)", found, re.MULTILINE)
        }

    def saved(self, project: Path) -> str:
        """A project as it saves it again, after it has opened it on a screen: what it shows."""
        needs_program(shutil.which("Xvfb") is not None, "Xvfb")
        needs_program(shutil.which("xdotool") is not None, "xdotool")
        before = project.read_text(encoding="utf-8")

        def is_saved() -> bool:
            self._press(display, "ctrl+shift+s")
            return project.read_text(encoding="utf-8").endswith(
                "</sqlb_project>\n"
            ) and (project.read_text(encoding="utf-8") != before)

        with _screen() as display:
            screen = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
            # On a busy machine it may ask whether to abort "reading rows", and wait for ever.
            for last in (False, False, True):
                with (
                    suppress(*([] if last else [AssertionError])),
                    self._running([str(project)], screen, self.folder / "said.txt"),
                ):
                    until(is_saved, _HANGS, PATIENCE / 3)
                    break
        return project.read_text(encoding="utf-8")

    @contextmanager
    def _running(
        self, words: list[str], env: dict[str, str], said: Path
    ) -> Iterator[None]:
        with said.open("wb") as errors:
            program = subprocess.Popen(
                ["sqlitebrowser", *words],
                env=self.settings | env,
                stderr=errors,
                cwd=self.folder,  # it looks for databases here first
            )
        try:
            yield
        finally:
            program.kill()
            program.wait()

    def _press(self, display: str, key: str) -> None:
        """A key in its window, if that is there yet."""
        for step in ("windowfocus", ("key", "--delay", "100", key)):
            words = [step] if isinstance(step, str) else [*step]
            command = [
                "xdotool",
                "search",
                "--onlyvisible",
                "--name",
                "DB Browser",
                *words,
            ]
            env = self.settings | {"DISPLAY": display}
            subprocess.run(command, env=env, capture_output=True, check=False)


def _answer(part: str) -> str:
    refused = re.compile(
        r'^"Error in statement #1: (.*)\.\\nAborting execution\."$', re.MULTILINE
    )
    found = refused.search(part)
    return f"refused: {found[1]}" if found else "ok"


@contextmanager
def _screen() -> Iterator[str]:
    """An X server of its own; its display."""
    come, number = os.pipe()
    command = ["Xvfb", "-displayfd", str(number), "-screen", "0", "890x640x24"]
    with subprocess.Popen(
        command, pass_fds=[number], stderr=subprocess.DEVNULL
    ) as server:
        os.close(number)
        try:
            with os.fdopen(come) as found:
                yield f":{found.readline().strip()}"
        finally:
            with suppress(ProcessLookupError):
                server.terminate()
