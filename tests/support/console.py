"""A season file, and the commands that are typed about it."""

import json
import random
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support import files


@dataclass(frozen=True)
class Console:
    """A console that runs lines as a shell would, about one file.

    The file is left out: `absent Anna --round 2 && next-round`.
    """

    db: Path

    def __call__(self, line: str, stdin: str | None = None) -> str:
        """Return what the last command of a line prints, complaints included."""
        output = ""
        for command in filter(None, line.split(" && ")):
            name, *rest = shlex.split(command)
            output = files.run_keizer(name, self.db, *rest, stdin=stdin).output
        return output

    def refused(self, line: str, stdin: str | None = None) -> str:
        """Return the one sentence of a command that fails and changes nothing."""
        before = self._content()
        name, *rest = shlex.split(line)
        result = files.run_keizer(name, self.db, *rest, stdin=stdin, fails=True)
        usage, _, sentence = result.stderr.rpartition("\n\n")
        assert usage or files.one_sentence(sentence), result.stderr
        assert self._content() == before
        return sentence

    def _content(self) -> bytes | None:
        return self.db.read_bytes() if self.db.is_file() else None

    def json(self, line: str) -> list[dict[str, Any]]:
        """Return the rows that a command lists."""
        rows: list[dict[str, Any]] = json.loads(self(f"{line} --json"))
        return rows

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows that a query finds."""
        return files.rows(self.db, query)

    def sheet(self, number: int = 1) -> list[tuple[str, str | None]]:
        """Return White and Black of each board; last a bye: the player and None."""
        return self.rows(
            f"SELECT white, black FROM pairings WHERE round_number = {number}"
            " ORDER BY board NULLS LAST"
        )

    def play(self, rng: random.Random) -> None:
        """Enter results for all boards that are open."""
        query = "SELECT board FROM round WHERE result IS NULL ORDER BY board"
        lines = []
        for (board,) in self.rows(query):
            result = rng.choice(["1-0", "=", "0-1"])
            lines.append(f"{board} {result}\n")
        self("result -", stdin="".join(lines))


ClubOf = Callable[..., Console]


def new_club(
    db: Path, players: int = 0, rules: str = "", name: str = "Club"
) -> Console:
    """Write a new season of P01 (the strongest) and so on; rules as they are typed."""
    db.write_bytes(_new_file(players, rules, name))
    return Console(db)


@cache
def _new_file(players: int, rules: str, name: str) -> bytes:
    with TemporaryDirectory() as folder:
        console = Console(Path(folder, "new.db"))
        console(f"init --name '{name}'")
        if players:
            numbers = range(1, players + 1)
            lines = [f"P{number:02},{2400 - 10 * number}" for number in numbers]
            console("import -", stdin="\n".join(["name,rating", *lines]))
        if rules:
            console(f"rules {rules}")
        return console.db.read_bytes()
