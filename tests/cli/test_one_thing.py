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
    list_of_one = tmp_path / "one.csv"
    list_of_one.write_text("name,rating\nAnna,1810\n")
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("name,rating\nAnna,1800\nBoris,1750\n")
    folder = tmp_path / "out"
    lines = [
        ("import", list_of_one, "--yes"), ("ratings", ratings, "--dry-run"),
        ("export", f"{folder}/", "--csv"),
        ("site", tmp_path / "site"), ("result", "-"), ("statistics",), ("explain", "Anna"),
        ("finish",), ("present",), ("players",), ("check",), ("restore",), ("log",),
    ]  # fmt: skip
    said = ""
    for command, *rest in lines:
        said += run_keizer(command, two, *rest, stdin="1 1-0\n").output
    refused = run_keizer("next-round", two, fails=True).output
    run_keizer("finish", two, "--reopen")
    refused += run_keizer("next-round", two, fails=True).output
    assert "the season is planned for 1 round:" in refused
    assert "1 point" in run_keizer("finish", two).output
    found = PLURALS.search(said + refused)
    assert found is None, (said + refused)[max(0, found.start() - 60) : found.end() + 60]


def test_nor_does_a_column_that_is_missing(two: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.csv"
    short.write_text("name,rating\nAnna\n")
    said = run_keizer("ratings", two, short, fails=True).output
    assert "1 column where the header has 2" in said
