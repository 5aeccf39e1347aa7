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
    """Runs lines as a shell would, the file left out: `absent Anna --round 2 && next-round`."""

    db: Path

    def __call__(self, line: str, stdin: str | None = None) -> str:
        """What the last command of a line prints, complaints included."""
        said = ""
        for command in filter(None, line.split(" && ")):
            name, *rest = shlex.split(command)
            said = files.run_keizer(name, self.db, *rest, stdin=stdin).output
        return said

    def refused(self, line: str, stdin: str | None = None) -> str:
        """The one sentence of a command that fails, and leaves the file as it is."""
        before = self.db.read_bytes() if self.db.is_file() else None
        name, *rest = shlex.split(line)
        said = files.run_keizer(name, self.db, *rest, stdin=stdin, fails=True).stderr
        usage, _, sentence = said.rpartition("\n\n")
        assert usage or files.one_sentence(sentence), said
        assert (self.db.read_bytes() if self.db.is_file() else None) == before
        return sentence

    def json(self, line: str) -> list[dict[str, Any]]:
        """The rows that a command lists."""
        found: list[dict[str, Any]] = json.loads(self(f"{line} --json"))
        return found

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return files.rows(self.db, query)

    def sheet(self, number: int = 1) -> list[tuple[str, str | None]]:
        """White and Black of each board of a round; the player with the bye, and None, last."""
        return self.rows(
            f"SELECT white, black FROM pairings WHERE round_number = {number}"
            " ORDER BY board NULLS LAST"
        )

    def play(self, rng: random.Random) -> None:
        """Results for all boards that are open."""
        boards = self.rows(
            "SELECT board FROM round WHERE result IS NULL ORDER BY board"
        )
        results = "".join(
            f"{board} {rng.choice(['1-0', '=', '0-1'])}\n" for (board,) in boards
        )
        self("result -", stdin=results)


ClubOf = Callable[..., Console]


def begun(db: Path, players: int = 0, rules: str = "", name: str = "Club") -> Console:
    """A new season of P01 (the strongest) and so on; rules as they are typed."""
    db.write_bytes(_begun(players, rules, name))
    return Console(db)


@cache
def _begun(players: int, rules: str, name: str) -> bytes:
    with TemporaryDirectory() as folder:
        console = Console(Path(folder, "new.db"))
        console(f"init --name '{name}'")
        if players:
            listed = [
                f"P{number:02},{2400 - 10 * number}" for number in range(1, players + 1)
            ]
            console("import -", stdin="\n".join(["name,rating", *listed]))
        console(rules and f"rules {rules}")
        return console.db.read_bytes()
