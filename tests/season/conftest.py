"""Clubs and what is typed there."""

from pathlib import Path

import pytest

from tests.support.console import ClubOf, Console, begun


@pytest.fixture
def console(club: Path) -> Console:
    """The club of four: Anna, Boris, Clara and Daan."""
    return Console(club)


@pytest.fixture
def club_of(tmp_path: Path) -> ClubOf:
    """A new season of P01 (the strongest) and so on, as in `club_of(8, "rematch_gap=0")`."""

    def make(players: int, rules: str = "", name: str = "new") -> Console:
        return begun(tmp_path / f"{name}.db", players, rules)

    return make
