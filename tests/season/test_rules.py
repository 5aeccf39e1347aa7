"""The rules on the command line: shown, tried, changed, on record, taken back."""

import json
from pathlib import Path

import pytest

from tests.support.files import Keizer
from tests.support.worked_example import ROUND_1, ROUND_2


def scores(keizer: Keizer, db: Path, *args: object) -> dict[str, float]:
    rows = json.loads(keizer("standings", db, "--json", *args).stdout)
    return {row["name"]: row["score"] for row in rows}


class TestDryRun:
    def test_it_says_who_would_move_and_why(self, keizer: Keizer, sample: Path) -> None:
        """Whoever drew loses a tenth of a value; Petersen overtakes two of them."""
        before = sample.read_bytes()
        rows = json.loads(keizer("rules", sample, "draw=.4", "--dry-run", "--json").stdout)
        moves = {row["name"]: row for row in rows}
        assert set(moves) == {
            "Butcher", "Smith", "Baker", "Higgins", "Carter", "White", "Petersen"
        }  # fmt: skip
        assert sample.read_bytes() == before
        for name, move in moves.items():
            assert move["score_before"] == ROUND_2[name]
            assert move["score"] - ROUND_2[name] == pytest.approx(sum(move["why"].values()))
        keizer("rules", sample, "draw=.4")
        now = scores(keizer, sample)
        assert {name: move["score"] for name, move in moves.items()} == {
            name: now[name] for name in moves
        }

    def test_a_rule_that_changes_nothing_moves_nobody(self, keizer: Keizer, sample: Path) -> None:
        said = keizer("rules", sample, "late-start=.2", "--dry-run").stdout
        assert said == "Nobody's rank or score would change. Nothing was written.\n"

    def test_a_preset_can_be_tried(self, keizer: Keizer, sample: Path) -> None:
        """Sevilla's rules with its own top value of 9 players' worth: 1.5(n-1) is 13."""
        said = keizer("rules", sample, "--preset", "sevilla", "--dry-run").stdout
        assert "own value -37" in said
        assert scores(keizer, sample) == ROUND_2


class TestMidSeason:
    def test_a_change_is_on_record_with_its_round(self, keizer: Keizer, sample: Path) -> None:
        keizer("rules", sample, "win=.9", "excused.season_cap=3")
        found = json.loads(keizer("rules", sample, "--history", "--json").stdout)
        kept = [(row["round_number"], row["rule"], row["before"], row["after"]) for row in found]
        assert kept == [(2, "win", 1, 0.9), (2, "excused.season_cap", None, 3)]

    def test_published_tables_stay_readable(self, keizer: Keizer, sample: Path) -> None:
        """Through two changes, and through what comes after them."""
        keizer("rules", sample, "win=.9", "own-value=0")
        keizer("rules", sample, "ladder=range")
        assert scores(keizer, sample, "--published", "--round", 1) == ROUND_1
        assert scores(keizer, sample, "--published", "--round", 2) == ROUND_2
        assert scores(keizer, sample, "--round", 1) != ROUND_1
        keizer("next-round", sample)
        keizer("result", sample, 1, "1-0")
        assert scores(keizer, sample, "--published") == scores(keizer, sample)

    def test_before_the_first_round_nothing_is_put_on_record(
        self, keizer: Keizer, club: Path
    ) -> None:
        keizer("rules", club, "win=.9")
        said = keizer("rules", club, "--history").stdout
        assert said == "No rule was changed after the first round.\n"

    def test_a_change_taken_back_was_none(self, keizer: Keizer, sample: Path) -> None:
        keizer("rules", sample, "win=.9", "draw=.3")
        keizer("undo", sample)
        assert json.loads(keizer("rules", sample, "--history", "--json").stdout) == []
        assert scores(keizer, sample) == ROUND_2


class TestKinds:
    def test_a_kind_is_added_and_used_at_once(self, keizer: Keizer, sample: Path) -> None:
        keizer("rules", sample, "--add-kind", "Late notice", "late-notice=1/6")
        keizer("absent", sample, "Brown", "--kind", "late notice", "--round", 3)
        keizer("next-round", sample)
        keizer("result", sample, 1, "1-0")
        lines = json.loads(keizer("explain", sample, "Brown", "--json").stdout)
        assert lines[-1]["points"] == pytest.approx(49 / 6)  # second, 50 at the top

    def test_an_exception_for_one_player(self, keizer: Keizer, sample: Path) -> None:
        keizer("absent", sample, "Brown", "Harrison", "--round", 3)
        keizer("rules", sample, "--for", "Brown", "excused=club-duty")
        keizer("next-round", sample)
        keizer("result", sample, 1, "1-0")
        brown = json.loads(keizer("explain", sample, "Brown", "--json").stdout)[-1]
        assert (brown["factor"], brown["note"]) == ("2/3", "counts as club duty")
        harrison = json.loads(keizer("explain", sample, "Harrison", "--json").stdout)[-1]
        assert (harrison["factor"], harrison["note"]) == ("1/3", None)
        keizer("rules", sample, "--for", "Brown", "excused=excused")
        brown = json.loads(keizer("explain", sample, "Brown", "--json").stdout)[-1]
        assert brown["factor"] == "1/3"


def test_a_forfeit_can_count_as_a_meeting(keizer: Keizer, club: Path) -> None:
    """Then it keeps two players apart; by default they may meet again at once."""
    keizer("next-round", club)
    keizer("result", club, "-", stdin="1 +-\n2 -+\n")
    again = keizer("next-round", club, "--dry-run").stdout
    assert "Anna   Boris" in again or "Boris  Anna" in again
    keizer("rules", club, "forfeit-win.counts_as_game=yes")
    others = keizer("next-round", club, "--dry-run").stdout
    assert "Anna   Boris" not in others
    assert "Boris  Anna" not in others


class TestCorrect:
    def test_points_are_given_with_a_reason(self, keizer: Keizer, sample: Path) -> None:
        keizer("correct", sample, "Baker", "-5", "--reason", "fair play", "--round", 2)
        assert scores(keizer, sample)["Baker"] == ROUND_2["Baker"] - 5
        assert scores(keizer, sample, "--round", 1) == ROUND_1
        said = keizer("explain", sample, "Baker").stdout
        assert "correction (fair play)" in said
        keizer("undo", sample)
        assert scores(keizer, sample) == ROUND_2

    def test_start_points_that_end(self, keizer: Keizer, sample: Path) -> None:
        """10 from the start, in table 1 alone: 81.5, then 70 again at his old value.

        In table 1 he moves from fourth (47) to third (48, 83 against 81.5: still
        fourth), so table 2 is as published.
        """
        keizer("correct", sample, "Baker", "10", "--round", 0, "--until", 1)
        assert scores(keizer, sample, "--round", 1)["Baker"] == ROUND_1["Baker"] + 10
        assert scores(keizer, sample) == ROUND_2


def test_a_period_starts_anew(keizer: Keizer, sample: Path) -> None:
    """Round 2 alone: own value and one game, at the values of the list after round 1."""
    keizer("period", sample, 2, "--name", "Second", "--reset")
    found = scores(keizer, sample)
    assert found["Harrison"] == 49 + 50  # beat Johnson
    assert found["Johnson"] == 50
    assert found["Carter"] == 42 + 41 / 2
    keizer("period", sample, 2, "--remove")
    assert scores(keizer, sample) == ROUND_2


REFUSED = {
    ("rules", "swim=1"): "there is no rule “swim”: there are name, status, ladder,",
    ("rules", "ladder=rope"): "ladder is top, bottom, range or score",
    ("rules", "recalculation=often"): (
        "recalculation is classic, settled, complete, latest, frozen, lagged or fixed"
    ),
    ("rules", "top_value=n*2"): "top_value is 0 to 100000 in thousandths, [K]n[+M]",
    ("rules", "value_decimals=4"): "value_decimals is 0 to 3 or none",
    (
        "rules",
        "tiebreaks=score,luck",
    ): "there is no tie-break “luck”: there are aob, aob-f, appo, apro",
    ("rules", "excused.season_cap=many"): "season_cap is 0 to 999 or none",
    ("rules", "excused.instead=nap"): "unknown kind of unplayed round",
    ("rules", "max_passes=0"): "max_passes is 1 to 10000",
    ("rules", "win=none"): "scoring.factor is missing",
    (
        "rules",
        "--preset",
        "chess960",
    ): "there is no preset “chess960”: there are keizer, swiss, swiss-half, swiss-fide, magic",
    ("rules", "--diff", "chess960"): "there is no preset “chess960”",
    ("rules", "--add-kind", "bye"): "already has a kind “bye”",
    ("rules", "--for", "Baker", "excused=nap"): "“nap” is no kind of unplayed round",
    ("rules", "--for", "Baker", "excused"): "write KIND=KIND",
    ("correct", "Baker", "1.0001"): "a correction is -100000 to 100000 points in thousandths",
    ("correct", "Nobody", "1"): "there is no player “Nobody”",
    ("correct", "Baker", "1", "--round", "5", "--until", "3"): "cannot end after round 3",
    ("period", "2", "--by-rating"): "--by-rating goes with --reset",
    ("period", "7", "--remove"): "no period starts with round 7",
}


@pytest.mark.parametrize("command", REFUSED, ids=" ".join)
def test_bad_input_is_refused_with_what_is_allowed(
    keizer: Keizer, sample: Path, command: tuple[str, ...]
) -> None:
    before = sample.read_bytes()
    said = keizer(command[0], sample, *command[1:], fails=True)
    assert REFUSED[command] in said.stderr
    assert sample.read_bytes() == before


def test_rules_as_printed_are_rules_for_another_file(
    keizer: Keizer, sample: Path, club: Path
) -> None:
    keizer("rules", club, "--preset", "santpoort", "excused.season_cap=5")
    printed = keizer("rules", club).stdout
    keizer("rules", sample, "--file", "-", stdin="# of the club\n\n" + printed)
    assert keizer("rules", sample).stdout.splitlines()[1:] == printed.splitlines()[1:]
    keizer("rules", sample, "--file", "-", stdin="win=0.9\nladder=rope\n", fails=True)
    assert "win=1\n" in keizer("rules", sample).stdout


# What first place is worth among the ten players of the worked example.
FORMULAS = {
    "n": 10, "1.5n": 15, "3n": 30, "n+30": 40, "1.25n": 12, "1.5(n-1)": 13, "(n-1)": 9,
    "2 (n-1) + 4": 22, "ratio 3": 14, "ratio 2.5": 15, "12.5": 12.5, "0,333": 1, "80": 80,
}  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_top_value_from_the_number_of_players(
    keizer: Keizer, sample: Path, formula: str
) -> None:
    """Rounded down, a ratio half to even (13.5 is 14); the floor of 1 holds."""
    keizer("rules", sample, f"top_value={formula}")
    assert json.loads(keizer("standings", sample, "--json").stdout)[0]["value"] == FORMULAS[formula]


@pytest.mark.parametrize(
    "formula",
    [
        "x", "n+", "1.2.3n", "nn", "ratio", "ratio 1", "ratio x", "-5", "n-1", "1.5(n", "n+n",
        "+n", ".n", "1.2345n", "n+1.2345", "(n-1", "n)", "1.5(n-1)x", "1e9", "101n", "none",
    ],
)  # fmt: skip
def test_what_is_no_formula_is_refused(keizer: Keizer, sample: Path, formula: str) -> None:
    keizer("rules", sample, f"top_value={formula}", fails=True)


def test_init_with_a_preset_that_is_not_makes_no_file(keizer: Keizer, tmp_path: Path) -> None:
    db = tmp_path / "club.db"
    keizer("init", db, "--name", "Club", "--preset", "chess960", fails=True)
    assert not db.exists()


def test_a_preset_replaces_all_rules(keizer: Keizer, club: Path) -> None:
    keizer("rules", club, "ladder=range", "excused.season_cap=2", "bonus=5")
    keizer("rules", club, "--preset", "santpoort")
    assert (
        keizer("rules", club, "--diff", "santpoort").stdout == "The rules are those of santpoort.\n"
    )
    keizer("rules", club, "--preset", "classic")
    assert keizer("rules", club, "--diff", "classic").stdout == "The rules are those of classic.\n"
    said = keizer("rules", club, "--diff", "oppositie", "--csv").stdout.splitlines()
    assert {"key,here,oppositie", "bye,2/3,0.75", "excused.season_cap,,5"} <= set(said)
