"""A sentence about one thing has no plural."""

import re
from pathlib import Path

import pytest

from tests.support.console import ClubOf

PLURALS = re.compile(
    r"(?<![\d.,/])1 (games|players|rounds|boards|members|rows|files|pages|columns|ratings|points"
    r"|times|places|opponents|decimals|are|keep|change)\b"
)


FILES = {
    "games": "round,white,black,result\n1,P01,P02,1-0\n",
    "one": "name,rating\nP01,2400\n",
    "ratings": "name,rating\nP01,2400\nP02,2350\n",
    "short": "name,rating\nP01\n",
}
LINES = (
    "import games.csv --games", "import one.csv --yes", "ratings ratings.csv --dry-run",
    "site page", "result -", "statistics", "explain P01", "finish", "present", "players", "check",
    "restore", "log",
)  # fmt: skip


@pytest.mark.addons
def test_no_command_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, club_of: ClubOf
) -> None:
    """Of a club of two, in which one game of one round is played; it is planned for one round."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(f"{name}.csv").write_text(text)
    two = club_of(2, "rounds=1 top_value=1 own-value=0 win=0 win.fixed=1")
    said = "".join(two(line, "1 1-0\n") for line in LINES) + two.refused("next-round")
    two("finish --reopen")
    said += two.refused("next-round") + two.refused("ratings short.csv")
    for one in (
        "1 game imported.\n", "the season is planned for 1 round:", "1 point",
        "1 column where the header has 2",
    ):  # fmt: skip
        assert one in said
    found = PLURALS.search(said)
    assert found is None, said[max(0, found.start() - 60) : found.end() + 60]
