"""The boards that another program made of an exported report, by start numbers."""

import pytest

from tests.support.console import ClubOf, Console
from tests.support.files import edit

SWISS = "system=swiss first_round=halves"


def test_they_are_the_next_round(club_of: ClubOf) -> None:
    """As bbpPairings writes them: how many, White first, the bye against 0."""
    console = club_of(5, SWISS)
    console("next-round --pairs -", stdin="\ufeff3\r\n4 1\r\n2 5\r\n3 0\r\n")
    assert console.sheet() == [("P04", "P01"), ("P02", "P05"), ("P03", None)]


@pytest.mark.parametrize(
    ("pairs", "wrong"),
    [
        ("", "has no pairings"),
        ("1\n1 6\n", "line 2"),
        ("1 2\n3 four\n", "line 2"),
        ("1 2\n1 3\n3 4\n", "cannot be seated twice"),
        ("1 2\n", "has no board for P03"),
        ("3\n1 2\n3 4\n", "announces 3 boards and has 2"),
        ("1 2\n3 0\n4 0\n", "has 2 byes"),
    ],
)
def test_what_is_none_is_refused(club_of: ClubOf, pairs: str, wrong: str) -> None:
    assert wrong in club_of(4, SWISS).refused("next-round --pairs -", stdin=pairs)


def test_byes_that_players_ask_for_come_and_go(club_of: ClubOf) -> None:
    """H and F of a report, where the tournament has these kinds; else they are absences."""
    console = club_of(6)
    console("rules --preset swiss-fide --yes")
    edit(
        console.db,
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
        " VALUES (1, 1, 5, 'half point bye'), (1, 1, 6, 'full point bye')",
    )
    report = console.db.with_name("round.trf")
    console(f"next-round && result 1 1-0 && result 2 1-0 && export {report}")
    for preset, option, kinds in (("swiss-fide", "", {"half point bye", "full point bye"}),
                                  ("swiss", "--anyway", {"excused", "bye"})):  # fmt: skip
        new = Console(console.db.with_name(f"{preset}.db"))
        new(f"init --name Open --preset {preset}")
        new(f"import {report} {option}")
        assert {kind for (kind,) in new.rows("SELECT kind FROM unplayed")} == kinds
