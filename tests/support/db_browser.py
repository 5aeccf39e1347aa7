"""DB Browser for SQLite as a program that a test runs, without a screen."""

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
    """DB Browser, with its settings in a folder of its own."""

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
        """Open a database or a project, and run statements; return its standard error.

        Each statement is a script (-s); "ok" or "refused: ..." stands for it, in turn.
        Between them are scripts that fail, whose errors part the output.
        """
        scripts = [f"SELECT {_END}_0"]
        for number, statement in enumerate(statements, 1):
            scripts += [statement, f"SELECT {_END}_{number}"]
        options = []
        for number, text in enumerate(scripts):
            path = self.folder / f"{number}.sql"
            path.write_text(text, encoding="utf-8")
            options += ["-s", str(path)]
        errors = self.folder / "said.txt"
        last_end = f"{_END}_{len(statements)}"
        offscreen = {"QT_QPA_PLATFORM": "offscreen"}
        with self._running([*options, str(file)], offscreen, errors):
            until(lambda: last_end in errors.read_text("utf-8"), _HANGS)
        end = re.compile(rf"^.*{_END}_\d+.*\n", re.MULTILINE)
        opened, *parts = end.split(errors.read_text("utf-8"))
        answers = [_answer(part) for part in parts[: len(statements)]]
        return [*opened.splitlines(), *answers]

    def unread(self, file: Path) -> set[str]:
        """Return the tables of which it cannot read the definition.

        It shows them without columns.
        """
        output = "\n".join(self.prints(file))
        error = re.compile(r"^Sqlite parse error: CREATE TABLE (\S+)", re.MULTILINE)
        return {*error.findall(output)}

    def saved(self, project: Path) -> str:
        """Return a project as it saves it, which is what it shows on a screen."""
        needs_program(shutil.which("Xvfb") is not None, "Xvfb")
        needs_program(shutil.which("xdotool") is not None, "xdotool")
        before = project.read_text(encoding="utf-8")

        def is_saved() -> bool:
            self._press(display, "ctrl+shift+s")
            after = project.read_text(encoding="utf-8")
            return after.endswith("</sqlb_project>\n") and after != before

        with _screen() as display:
            screen = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
            # on a busy machine it may ask whether to abort "reading rows", and wait
            # for ever
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
        """Press a key in its window, if that is there yet."""
        window = ["xdotool", "search", "--onlyvisible", "--name", "DB Browser"]
        env = self.settings | {"DISPLAY": display}
        for step in (["windowfocus"], ["key", "--delay", "100", key]):
            command = [*window, *step]
            subprocess.run(command, env=env, capture_output=True, check=False)


def _answer(part: str) -> str:
    """Return what a part of its output says of a statement."""
    refusal = re.search(
        r'^"Error in statement #1: (.*)\.\\nAborting execution\."$', part, re.MULTILINE
    )
    return f"refused: {refusal[1]}" if refusal else "ok"


@contextmanager
def _screen() -> Iterator[str]:
    """Yield the display of an X server, which says it on a pipe."""
    reading_end, writing_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing_end), "-screen", "0", "890x640x24"]
    with subprocess.Popen(
        command, pass_fds=[writing_end], stderr=subprocess.DEVNULL
    ) as server:
        os.close(writing_end)
        try:
            with os.fdopen(reading_end) as pipe:
                yield f":{pipe.readline().strip()}"
        finally:
            with suppress(ProcessLookupError):
                server.terminate()
