"""The seasons that the campaign makes for itself, with the command."""

import random
import shutil
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner, Result

from keizer.cli import main

PLAYERS = 40
DATE = "2026-09-04"
"""Of every round, or publishing one would write today's."""


class Clubs(NamedTuple):
    """Two files: one before its first round, one in the middle of its season."""

    empty: Path
    season: Path


def keizer(*args: object, typed: str | None = None) -> Result:
    """The command in this process."""
    return CliRunner().invoke(main, [str(arg) for arg in args], input=typed)


def done(*args: object, typed: str | None = None) -> Result:
    """A command that has to succeed, or the campaign cannot begin."""
    result = keizer(*args, typed=typed)
    if result.exit_code:
        raise RuntimeError(f"{args}: {result.output}") from result.exception
    return result


def build(folder: Path, rounds: int) -> Clubs:
    """Both files; `rounds` have been played in the second."""
    clubs = Clubs(folder / "empty.db", folder / "season.db")
    members = folder / "members.csv"
    names = [f"Player {number:02}" for number in range(1, PLAYERS + 1)]
    rows = [f"{name},{2300 - 23 * index}" for index, name in enumerate(names)]
    members.write_text("\n".join(["name,rating", *rows]), encoding="utf-8")
    done("init", clubs.empty, "--name", "Club")
    done("import", clubs.empty, members)
    done("rounds", clubs.empty, "--date", f"1-{rounds + 2}", DATE)
    shutil.copy(clubs.empty, clubs.season)
    rng = random.Random(1958)
    for number in range(1, rounds + 1):
        kind = rng.choice(["excused", "unexcused", "club-duty"])
        away = rng.sample(names, rng.randint(1, 8))
        done("absent", clubs.season, *away, "--kind", kind)
        sheet = done("next-round", clubs.season, "--csv").stdout.splitlines()[1:]
        done("publish-round", clubs.season)
        boards = [line.split(",")[0] for line in sheet if not line.startswith(",")]
        typed = [f"{board} {rng.choice(['1-0', '1-0', '0-1', '=', '+-'])}" for board in boards]
        done("result", clubs.season, "-", typed="\n".join(typed))
        if number % 8 == 0:
            done("correct", clubs.season, rng.choice(names), "-2")
    return clubs
