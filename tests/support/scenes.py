"""Scenes: what is typed, line by line, and what is said then."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.console import ClubOf, Console
from tests.support.files import edit, told

_LINE = re.compile(r"(! )?(.*?)(?: < (.*?))?(?: (=>|!>) (.*))?")


def scenes(text: str, start: str = "console") -> Callable[..., None]:
    """A test of each scene, which is a sentence and the lines below it.

    It is of the club of four, of another season (`start`, a fixture), or of `players 8`, to which
    rules can be added. A line is a command
    without keizer and the file; behind `!` it is refused, behind ` < ` is what it reads, lines by
    bars. Behind ` => ` is what is said then, and behind ` !> ` what is not: parts by ` ... `, in
    this order. A query finds exactly these rows: cells by blanks, rows by semicolons. Other SQL
    is another program's. After `undo all` the file says again what it said at `remember`.
    """
    cases = [
        scene.split("\n", 1)
        for scene in text.strip().replace("\n    ", " ").split("\n\n")
    ]

    @pytest.mark.each
    @pytest.mark.parametrize(
        "lines", [pytest.param(lines, id=name) for name, lines in cases]
    )
    def test(request: pytest.FixtureRequest, club_of: ClubOf, lines: str) -> None:
        console: Console = request.getfixturevalue(start)
        before: list[Any] = []
        for line in map(str.strip, lines.splitlines()):
            if re.match(r"players \d", line):
                _, number, *rules = line.split(" ", 2)
                console = club_of(int(number), *rules)
            elif line == "remember":
                before = told(console.db)
            elif line == "undo all":
                while told(console.db) != before:
                    console("undo")
            else:
                play(console, line)

    return test


def play(console: Console, line: str) -> None:
    """One line of a scene."""
    if line.startswith(("UPDATE ", "INSERT ", "DELETE ")):
        edit(console.db, line)
        return
    if line.startswith("SELECT "):
        query, due = line.split(" => ")
        shown = "; ".join(" ".join(map(str, row)) for row in console.rows(query))
        assert shown == due, (query, shown, due)
        return
    found = _LINE.fullmatch(line)
    assert found
    refused, typed, read, how, due = found.groups()
    stdin = None if read is None else read.replace("|", "\n") + "\n"
    said = console.refused(typed, stdin) if refused else console(typed, stdin)
    part = ".*".join(map(re.escape, (due or "").split(" ... ")))
    assert bool(re.search(part, said, re.DOTALL)) == (how != "!>"), (line, said)
