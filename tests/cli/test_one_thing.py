"""A sentence about one thing has no plural."""

import re
from pathlib import Path

import pytest

from tests.support.files import run_keizer

PLURALS = re.compile(
    r"(?<![\d.,/])1 (games|players|rounds|boards|members|rows|files|pages|columns|ratings|points"
    r"|times|places|opponents|decimals|are|keep|change)\b"
)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A club of two, in which one game of one round is played; it is planned for one round."""
    db = tmp_path / "club.db"
    run_keizer("init", db, "--name", "Club")
    for name, rating in (("Anna", 1800), ("Boris", 1700)):
        run_keizer("add", db, name, "--rating", rating)
    run_keizer("rules", db, "rounds=1", "top_value=1", "own-value=0", "win=0", "win.fixed=1")
    (tmp_path / "games.csv").write_text("round,white,black,result\n1,Anna,Boris,1-0\n")
    assert (
        run_keizer("import", db, "--games", tmp_path / "games.csv").output == "1 game imported.\n"
    )
    return db


def test_no_command_says_it(two: Path, tmp_path: Path) -> None:
    for name, text in {
        "one": "name,rating\nAnna,1810\n",
        "ratings": "name,rating\nAnna,1800\nBoris,1750\n",
        "short": "name,rating\nAnna\n",
    }.items():
        (tmp_path / f"{name}.csv").write_text(text)
    lines = [
        ("import", tmp_path / "one.csv", "--yes"),
        ("ratings", tmp_path / "ratings.csv", "--dry-run"),
        ("site", tmp_path / "site"), ("result", "-"),
        ("statistics",), ("explain", "Anna"), ("finish",), ("present",), ("players",), ("check",),
        ("restore",), ("log",),
    ]  # fmt: skip
    said = ""
    for command, *rest in lines:
        said += run_keizer(command, two, *rest, stdin="1 1-0\n").output
    said += run_keizer("next-round", two, fails=True).output
    run_keizer("finish", two, "--reopen")
    said += run_keizer("next-round", two, fails=True).output
    said += run_keizer("ratings", two, tmp_path / "short.csv", fails=True).output
    for one in ("the season is planned for 1 round:", "1 point", "1 column where the header has 2"):
        assert one in said
    found = PLURALS.search(said)
    assert found is None, said[max(0, found.start() - 60) : found.end() + 60]
