"""Scenes: lines that are typed one after the other, and what keizer then says."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.console import ClubOf, Console
from tests.support.files import dump_with_rules, edit

_LINE = re.compile(r"(! )?(.*?)(?: < (.*?))?(?: (=>|!>) (.*))?")
"""A refusal?, the command, its standard input, => or !>, and the parts that it says."""


def scenes(text: str, start: str = "console") -> Callable[..., None]:
    """Return a test of each scene, which is a sentence and the lines below it.

    A scene is about the club of four, or another season (`start`, a fixture).

        players 8 RULES           a new club of eight from here on, with these rules
        COMMAND                   a command without keizer and the file
        ! COMMAND                 it is refused
        COMMAND < a|b             it reads these lines
        COMMAND => x ... y        it says these parts, in this order
        COMMAND !> x              it does not say this
        SELECT ... => 1 2; 3 4    a query finds exactly these rows
        UPDATE ...                another program changes the file
        remember, undo all        after the second the file is as at the first
    """
    one_line_each = text.strip().replace("\n    ", " ")
    cases = [scene.split("\n", 1) for scene in one_line_each.split("\n\n")]

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
                before = dump_with_rules(console.db)
            elif line == "undo all":
                while dump_with_rules(console.db) != before:
                    console("undo")
            else:
                play(console, line)

    return test


def play(console: Console, line: str) -> None:
    """Play one line of a scene."""
    if line.startswith(("UPDATE ", "INSERT ", "DELETE ")):
        edit(console.db, line)
        return
    if line.startswith("SELECT "):
        query, expected = line.split(" => ")
        rows = [" ".join(map(str, row)) for row in console.rows(query)]
        shown = "; ".join(rows)
        assert shown == expected, (query, shown, expected)
        return
    parts = _LINE.fullmatch(line)
    assert parts
    is_refused, command, bars, sign, expected = parts.groups()
    stdin = None if bars is None else bars.replace("|", "\n") + "\n"
    run = console.refused if is_refused else console
    output = run(command, stdin)
    pattern = ".*".join(map(re.escape, (expected or "").split(" ... ")))
    is_said = re.search(pattern, output, re.DOTALL) is not None
    assert is_said == (sign != "!>"), (line, output)
