"""Clubs and what is typed there."""

from pathlib import Path

import pytest

from tests.support.console import ClubOf, Console


@pytest.fixture
def console(club: Path) -> Console:
    """The club of four: Anna, Boris, Clara and Daan."""
    return Console(club)


@pytest.fixture
def club_of(tmp_path: Path) -> ClubOf:
    """A new season of P01 (the strongest) and so on, as in `club_of(8, "rematch_gap=0")`."""

    def make(players: int, rules: str = "", name: str = "new") -> Console:
        console = Console(tmp_path / f"{name}.db")
        listed = [f"P{number:02},{2400 - 10 * number}" for number in range(1, players + 1)]
        console("init --name Club")
        console("import -", stdin="\n".join(["name,rating", *listed]))
        console(rules and f"rules {rules}")
        return console

    return make
