"""The commands that are disturbed: a line each, to which others can be added."""

import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner, Result

from keizer.cli import main
from tests.support.files import ROOT, edit, run_keizer

FILE = "club.db"
_TIMES = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?|\b[0-9a-f]{32}\b")
"""Moments, and the seals that cover them."""
_LIMIT = 300
Facts = Mapping[str, str]


@dataclass(frozen=True)
class Command:
    """A command, and what goes before it."""

    line: str
    """As typed; words that name a file in the folder begin with @."""
    before: Sequence[str] = ()
    """Commands likewise, that bring the file to where this one makes sense."""
    edits: Sequence[str] = ()
    """SQL that makes the file, after that, one of another keizer, or one that lacks something."""
    look: str = "standings @club.db"
    """What somebody gives first, after a crash, and gets an answer; nothing: there is none."""
    twice: bool = True
    """Given once more it leaves the facts as they are, be it with a refusal."""

    def words(self, folder: Path, line: str | None = None) -> list[str]:
        """The command line in a folder."""
        words = shlex.split(line or self.line)
        return [
            str(folder / word[1:]) if word.startswith("@") else word for word in words
        ]


_PAIR = ("next-round @club.db",)
_MORE = "name,rating\nAda Late,1710\nBo Late,1650\nCy Late,1490\n"

COMMANDS = (
    Command("next-round @club.db"),
    Command("result @club.db 1 1-0", before=_PAIR),
    Command('absent @club.db "player 03" "player 07"'),
    Command("undo @club.db", before=_PAIR, twice=False),
    Command("import @club.db @more.csv"),
    Command("publish-round @club.db", before=_PAIR),
    Command(
        'player @club.db "player 03" --merge Ada', before=('add @club.db "Ada Late"',)
    ),
    Command(
        "init @club.db --name Next --from @club.db --rules",
        look="standings @club.db -t 1",
    ),
    Command("migrate @club.db"),
    Command(
        "migrate @club.db",
        edits=("DROP VIEW standings", "DROP TRIGGER game_updated"),
        look="",
    ),
    Command("result @club.db 1 1-0", before=_PAIR, edits=("DROP VIEW z_code",)),
    Command("restore @club.db 1", before=("backup @club.db", *_PAIR), twice=False),
    Command("backup @club.db"),
    Command("backup @club.db --keep 7"),
    Command("face @club.db pair"),
    Command("face @club.db result board=1 result=1-0", before=_PAIR),
    Command("face @club.db absent players=3"),
    Command("face @club.db undo", before=_PAIR, twice=False),
    Command("face @club.db change-rules settings=top_value=90"),
)


@dataclass(frozen=True)
class Case:
    """A command on a file: the folder it starts from, and the facts before and after."""

    command: Command
    folder: Path
    before: Facts
    after: Facts
    beside: frozenset[str]
    """What lies in the folder after it, see `beside`."""

    @property
    def name(self) -> str:
        """Command and file."""
        return f"{self.command.line.split()[0]} ({self.folder.parts[-3]})"

    def copied(self, scratch: Path) -> Path:
        """A folder to work in, as it was before the command."""
        return Path(shutil.copytree(self.folder, scratch / "club"))


class Run(NamedTuple):
    """How a process ended."""

    code: int
    out: str
    err: str


_OTHERS = {"command": "WHERE undoes IS NOT NULL OR id IN (SELECT command_id FROM log)"}


def facts(db: Path) -> Facts:
    """All that is in a file: its schema, and the rows of each table.

    But for the time of day, and for commands that changed nothing, as one that is given again.
    """
    with closing(sqlite3.connect(db)) as conn:
        schema = conn.execute(
            "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
        ).fetchall()
        layout = conn.execute("PRAGMA user_version").fetchone()
        found = {"the schema": repr((layout, schema))}
        for kind, name, _ in schema:
            if kind == "table":
                rows = conn.execute(
                    f"SELECT * FROM {name} {_OTHERS.get(name, '')}"
                ).fetchall()
                found[name] = _TIMES.sub("TIME", repr(rows))
        return found


def files(folder: Path) -> list[tuple[str, Path]]:
    """The files in a folder and below, in order, each behind its name without its numbers.

    Nor with what the name of a snapshot says of the log.
    """
    return [
        (
            re.sub(
                r"[0-9a-f]{8}-\d+-[0-9a-f]{8}|\d+", "#", str(path.relative_to(folder))
            ),
            path,
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def beside(folder: Path) -> frozenset[str]:
    """The files in a folder and below, whatever number their names have."""
    return frozenset(name for name, _ in files(folder))


def keizer(*args: object) -> Result:
    """The command in this process, however it ends."""
    return CliRunner().invoke(main, [str(arg) for arg in args])


def running(words: Sequence[str]) -> list[str]:
    """A command line, or a click in the face, as a process."""
    if words[0] == "face":
        return [sys.executable, "-m", "quality.campaign.pressing", *words[1:]]
    return [sys.executable, "-m", "keizer", *words]


def run(line: Sequence[str], environment: Mapping[str, str]) -> Run:
    """Run a process to its end; TimeoutExpired where it hangs."""
    done = subprocess.run(
        line, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8",
        stdin=subprocess.DEVNULL, timeout=_LIMIT, check=False,
    )  # fmt: skip
    return Run(done.returncode, done.stdout, done.stderr)


def prepare(
    command: Command, file: Path, folder: Path, environment: Mapping[str, str]
) -> Case:
    """Bring a file to where the command makes sense, and see what it does undisturbed."""
    start, end = folder / "before", folder / "after"
    start.mkdir(parents=True)
    shutil.copy(file, start / FILE)
    (start / "more.csv").write_text(_MORE, encoding="utf-8")
    for line in command.before:
        run_keizer(*command.words(start, line))
    edit(start / FILE, *command.edits)
    shutil.copytree(start, end)
    undisturbed = run(running(command.words(end)), environment)
    if undisturbed.code or not undisturbed.out:
        raise RuntimeError(f"{command.line}: {undisturbed.err}")
    return Case(command, start, facts(start / FILE), facts(end / FILE), beside(end))
