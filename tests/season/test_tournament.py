"""What reports say of the tournament: where it is played, who is the arbiter, the time control."""

import pytest

from tests.support.console import Console

DETAILS = "SELECT city, federation, arbiter, time_control FROM tournament"


def test_what_is_given_is_set_and_the_rest_stays(night: Console) -> None:
    said = night('tournament --city " Den  Haag" --time-control "90 min + 30 s"')
    assert said == "City none → Den Haag, time control none → 90 min + 30 s.\n"
    night('tournament --arbiter "R. Piet" --federation NED --city none')
    assert night.rows(DETAILS) == [(None, "NED", "R. Piet", "90 min + 30 s")]
    assert night("tournament") == (
        "Club\nCity          none\nFederation    NED\nArbiter       R. Piet\n"
        "Time control  90 min + 30 s\n"
    )


def test_it_is_a_step_of_the_log_which_undo_takes_back(night: Console) -> None:
    night("tournament --city Delft")
    assert night("log --last 1").endswith("  tournament: city none → Delft\n")
    night("undo")
    assert night.rows(DETAILS) == [(None, None, None, None)]


def test_what_is_so_already_is_no_step(night: Console) -> None:
    night("tournament --city Delft")
    steps = "SELECT count(*) FROM command"
    before = night.rows(steps)
    assert night("tournament --city Delft") == "Nothing to change.\n"
    assert night.rows(steps) == before


def test_a_report_that_follows_the_last_round_can_have_it(night: Console) -> None:
    night('finish && tournament --arbiter "R. Piet"')
    assert night.rows("SELECT status, arbiter FROM tournament") == [
        ("finished", "R. Piet")
    ]


@pytest.mark.each
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("--federation ned", "three capitals, such as NED."),
        (f"--city {'x' * 201}", "200"),
        ("--arbiter 'a\x1bb'", ""),
    ],
)
def test_what_a_report_cannot_have_is_refused(
    night: Console, line: str, why: str
) -> None:
    assert why in night.refused(f"tournament {line}")
