"""The rules on the command line: shown, tried, changed, on record, taken back."""

import shlex

import pytest

from tests.support.console import ClubOf, Console
from tests.support.files import ROOT
from tests.support.scenes import scenes
from tests.support.worked_example import ROUND_2


def scores(console: Console, options: str = "") -> dict[str, float]:
    return {row["name"]: row["score"] for row in console.json(f"standings {options}")}


test_rules = scenes("""
Before the first round nothing is put on record.
  rules win=.9 && rules --history => No rule was changed after the first round.

By default two players may meet again at once after a forfeit; it can count as a meeting.
  next-round && result 1 +- && result 2 -+
  next-round --dry-run => Anna   Boris
  rules forfeit-win.counts_as_game=yes
  next-round --dry-run !> Anna   Boris
  next-round --dry-run !> Boris  Anna

A preset replaces all rules.
  rules ladder=range excused.season_cap=2 bonus=5
  rules --preset tornelo && rules --diff tornelo => The rules are those of tornelo.
  rules --preset classic && rules --diff classic => The rules are those of classic.
  rules --diff freekeizer --csv => key,here,freekeizer ... loss,0,1/6 ... excused.season_cap,,5

Options of a program are added to its name.
  rules --preset keizerforclubs+normalised+halving => excused.halving=1 ... ladder=range
  rules --diff keizerforclubs+halving+normalised => those of keizerforclubs+halving+normalised.
  rules --diff keizerforclubs --csv !> bye
  ! rules --preset keizerforclubs+fast => there is no preset “keizerforclubs+fast”

Points are given with a reason; start points that end; a period that starts anew.
  next-round && result 1 1-0 && result 2 1-0
  correct Anna -5 --reason 'fair play' --round 1 && correct Boris 10 --round 0 --until 1
  SELECT player_id, points, round_number, last_round, reason FROM correction =>
    1 -5 1 None fair play; 2 10 0 1 None
  explain Anna => correction (fair play)
  period 2 --name Second --reset
  SELECT first_round, name, scores FROM period => 2 Second reset
  period 2 --remove
  SELECT count(*) FROM period => 0

Two corrections of equal points have each their own reason.
  next-round && result 1 1-0 && result 2 =
  correct Anna 5 --round 1 --reason 'start points' && correct Anna 5 --round 1 --reason 'best game'
  SELECT fact, fact_id, note FROM explanation WHERE points = 5 AND kind = 'correction' ORDER BY 2 =>
    correction 1 start points; correction 2 best game

A kind is added and used at once; an exception is of one player, and is taken back.
  rules --add-kind 'Late notice' late-notice=1/6 && rules --for Boris excused=club-duty
  absent Anna --kind 'late notice' && absent Boris Clara && next-round && publish-round
  SELECT name, factor, note FROM explanation WHERE played_in = 1 ORDER BY name =>
    Anna 1/6 None; Boris 2/3 counts as club duty; Clara 1/3 None; Daan 2/3 None
  rules --for Boris excused=excused
  SELECT count(*) FROM exception => 0

A Swiss becomes a Keizer season again.
  rules system=swiss draw.fixed=1.5 && rules => draw.fixed=1.5
  rules system=keizer && rules --diff keizer => The rules are those of keizer.
""")

# ------------------------------------------------------------- tried


def test_a_dry_run_says_who_would_move_and_why(example: Console) -> None:
    """Whoever drew loses a tenth of a value; Petersen overtakes two of them."""
    before = example.db.read_bytes()
    moves = {row["name"]: row for row in example.json("rules draw=.4 --dry-run")}
    assert set(moves) == {
        "Butcher",
        "Smith",
        "Baker",
        "Higgins",
        "Carter",
        "White",
        "Petersen",
    }
    assert example.db.read_bytes() == before
    for name, move in moves.items():
        assert move["score_before"] == ROUND_2[name]
        assert move["score"] - ROUND_2[name] == pytest.approx(sum(move["why"].values()))
    example("rules draw=.4")
    now = scores(example)
    assert all(move["score"] == now[name] for name, move in moves.items())


test_tried_and_changed = scenes(
    """
Who comes into the standings has not moved.
  withdraw Smith && rules withdrawn=out
  SELECT count(*) FROM current_standings WHERE name = 'Smith' => 0
  rules withdrawn=listed --dry-run => Harrison ... 143 ... Nothing was written.
  rules withdrawn=listed --dry-run !> Smith
  rules withdrawn=listed
  SELECT count(*) FROM current_standings WHERE name = 'Smith' => 1

A preset can be tried: Sevilla's rules with its own top value of 9 players' worth, 1.5(n-1) is 13.
  remember
  rules late-start=.2 --dry-run => Nobody's rank or score would change. Nothing was written.
  rules --preset sevilla --dry-run => own value -37
  undo all

A change in mid-season is on record with its round until it is taken back.
  remember
  rules win=.9 excused.season_cap=3
  SELECT round_number, rule, before, after FROM rule_history =>
    2 win 1 0.9; 2 excused.season_cap None 3
  undo all
  rules --history => No rule was changed
""",
    "example",
)


# ------------------------------------------------------------- formulas


# What first place is worth among the ten players of the worked example.
FORMULAS = {
    "n": 10, "1.5n": 15, "3n": 30, "1.25n": 12, "1.5(n-1)": 13, "(n-1)": 9,
    "2 (n-1)": 18, "ratio 3": 14, "ratio 2.5": 15, "12.5": 12.5, "0,333": 1, "80": 80,
}  # fmt: skip
NO_FORMULAS = (
    "x", "n+", "1.2.3n", "nn", "ratio", "ratio 1", "ratio x", "-5", "n-1", "1.5(n", "n+n", "+n",
    "n+30", ".n", "1.2345n", "1.2345(n-1)", "(n-1", "n)", "1.5(n-1)x", "1e9", "101n", "none",
)  # fmt: skip


def test_the_top_value_from_the_number_of_players(example: Console) -> None:
    """Rounded down, a ratio half to even (13.5 is 14); the floor of 1 holds."""
    for formula, value in FORMULAS.items():
        example(f"rules 'top_value={formula}'")
        assert example.json("standings")[0]["value"] == value, formula
    for formula in NO_FORMULAS:
        assert "top_value" in example.refused(f"rules 'top_value={formula}'"), formula


# ------------------------------------------------------------- whole sets of rules


def test_every_rule_of_a_file_stands_on_the_page_of_rules(example: Console) -> None:
    page = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    for line in example("rules --all").splitlines()[1:]:
        kind, dot, part = line.partition("=")[0].partition(".")
        key = f"`KIND.{part}" if dot else f"`{kind}"
        assert f"{key}`" in page or f"{key}=" in page, line


def test_rules_as_printed_are_rules_for_another_file(
    example: Console, console: Console
) -> None:
    printed = console(
        "rules top_value=200 bottom_value=100 ladder=score excused.season_cap=5 && rules"
    )
    example(f"rules {shlex.join(printed.splitlines()[2:])}")
    assert example("rules").splitlines()[1:] == printed.splitlines()[1:]
    example.refused("rules win=0.9 ladder=rope")
    assert "win=1\n" in example("rules")


@pytest.mark.parametrize(
    ("rules", "win", "draw"),
    [
        ("--preset swiss", 3, 1),
        ("--preset swiss-half", 1, 0.5),
        (
            "win.fixed=4 win.points=4 bye.fixed=4 bye.points=4 draw.fixed=2 draw.points=2",
            4,
            2,
        ),
    ],
)
def test_a_game_is_worth_what_is_asked(
    club_of: ClubOf, rules: str, win: float, draw: float
) -> None:
    """A bye as a win, once; before any game everybody is there with zeros."""
    swiss = club_of(5, f"--preset swiss && rules {rules}")

    def figures() -> list[tuple[float, ...]]:
        what = ("score", "points", "played", "won", "byes")
        listed = sorted(swiss.json("standings"), key=lambda row: row["name"])
        return [tuple(row[column] for column in what) for row in listed]

    assert figures() == [(0,) * 5] * 5
    swiss("next-round --pair P01 P02 --pair P03 P04 && result 1 1-0 && result 2 =")
    drew = (draw, draw, 1, 0, 0)
    assert figures() == [
        (win, win, 1, 1, 0),
        (0, 0, 1, 0, 0),
        drew,
        drew,
        (win, win, 0, 0, 1),
    ]
