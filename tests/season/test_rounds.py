"""From the file to a pairing and back: rules, reasons, hands, Swiss tournaments.

What is refused meanwhile stands in test_refusals.py.
"""

import random
import sqlite3

import pytest

from keizer.pairing import RULES, Policy
from tests.support.console import ClubOf, Console
from tests.support.files import edit

MET_LATELY = "SELECT why FROM relaxations WHERE rule = 'rematch_gap' ORDER BY 1"
ALL_DRAW = "UPDATE round SET result = '½-½'"


def met(console: Console, number: int) -> set[frozenset[str | None]]:
    """Who meets whom in a round, whatever their colours."""
    return {frozenset(board) for board in console.sheet(number)}


# --------------------------------------------------------------- rules as data


def test_the_rules_of_the_file_are_the_policy(conn: sqlite3.Connection) -> None:
    """Each field is a column with the same default."""
    conn.row_factory = sqlite3.Row
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    stored = conn.execute(f"SELECT {', '.join(Policy._fields)} FROM rules").fetchone()
    assert Policy(**dict(stored)) == Policy()


def test_families_do_not_meet_until_nothing_else_is_left(console: Console) -> None:
    console("prohibit Anna Boris --name family")
    assert "family           Anna\nfamily           Boris" in console("prohibit")
    console("next-round")
    assert met(console, 1) == {frozenset({"Anna", "Clara"}), frozenset({"Boris", "Daan"})}
    said = console("undo && absent Clara Daan && next-round")
    assert "Boris and Anna meet, a prohibited pairing. Nobody else is present." in said
    said = console("undo && prohibit --name family --remove && prohibit")
    assert said.strip() == "What they share  Player"


def test_groups_meet_among_themselves_and_who_is_left_over_crosses(club_of: ClubOf) -> None:
    """Categories by turns down the list: 3 of A, 3 of B; one board across, at the edge."""
    console = club_of(6, "max_group_distance=0")
    edit(console.db, "UPDATE player SET category = CASE id % 2 WHEN 1 THEN 'A' ELSE 'B' END")
    assert console("next-round").count("meet across groups") == 1
    crossing = "SELECT count(*) FROM round WHERE (white + black) % 2"
    assert console.rows(crossing) == [(1,)]
    assert console.rows("SELECT rule, amount FROM relaxations") == [("group_distance", 1)]


@pytest.mark.parametrize(("counts", "has_the_bye"), [(0, "P07"), (1, "P06")])
def test_absences_can_count_as_byes(club_of: ClubOf, counts: int, has_the_bye: str) -> None:
    """Of seven, the last was away in round 1: when that counts, the next one has the bye."""
    console = club_of(7, f"excused.counts_as_bye={counts} bye_again=off")
    console("absent P07 && next-round")
    edit(console.db, ALL_DRAW)
    found = console.rows(
        "SELECT name, byes, bye_last_round FROM presence ORDER BY rank DESC LIMIT 2"
    )
    assert found == [("P07", counts, counts), ("P06", 0, 0)]
    console("next-round")
    assert console.sheet(2)[-1] == (has_the_bye, None)


def test_a_late_entry_does_not_sit_out_at_once_nor_anybody_twice_running(console: Console) -> None:
    console("add Eva --rating 1500 && next-round")
    assert console.sheet(1)[-1] == ("Eva", None)
    console.play(random.Random(1))
    console("add Fred && add Gina && next-round")
    assert console.sheet(2)[-1][0] not in {"Eva", "Fred", "Gina"}


@pytest.mark.parametrize("first", ["adjacent", "halves", "random"])
def test_the_first_round_is_paired_as_the_rules_say(club_of: ClubOf, first: str) -> None:
    console = club_of(8, f"first_round={first} seed=3")

    def paired() -> list[list[str | None]]:
        console("next-round --again" if console.sheet() else "next-round")
        return [sorted(board, key=str) for board in console.sheet()]

    boards = paired()
    if first == "random":
        assert paired() == boards
        console("rules seed=4")
        assert paired() != boards
    else:
        step, tops = (1, (1, 3, 5, 7)) if first == "adjacent" else (4, (1, 2, 3, 4))
        assert boards == [[f"P{top:02}", f"P{top + step:02}"] for top in tops]


# ----------------------------------------------------------------------- given up


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_that_is_given_up_has_words(conn: sqlite3.Connection, rule: str) -> None:
    """While the board or the bye stands."""
    conn.executescript("""
        INSERT INTO tournament (description) VALUES ('Club');
        INSERT INTO player (name) VALUES ('A'), ('B'), ('C');
        INSERT INTO x_player_tournament (player_id, tournament_id) SELECT id, 1 FROM player;
        INSERT INTO round (tournament_id, round_number, white, black, result)
          VALUES (1, 1, 1, 2, '1-0'), (1, 2, 2, 1, NULL);
        INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (1, 2, 3, 'bye');
    """)
    conn.execute("DELETE FROM relaxation")  # of the board by hand
    ids = (3, None) if "bye" in rule else (2, 1)
    conn.execute(
        "INSERT INTO relaxation (tournament_id, round_number, white, black, rule, amount, why)"
        " VALUES (1, 2, ?, ?, ?, 1, 'So it is.')",
        (*ids, rule),
    )
    ((sentence, why),) = conn.execute("SELECT sentence, why FROM relaxations").fetchall()
    assert why == "So it is."
    assert sentence.startswith("C has the bye" if "bye" in rule else "B and A me")
    assert not sentence.endswith(f": {rule}")
    conn.executescript("DELETE FROM round WHERE round_number = 2; DELETE FROM unplayed")
    assert conn.execute("SELECT count(*) FROM relaxation").fetchone() == (0,)


def test_what_was_given_up_is_printed_kept_and_explained(console: Console, club_of: ClubOf) -> None:
    """Four players meet in three rounds; then everybody has met within the gap."""
    for _ in range(3):
        console("next-round")
        console.play(random.Random(5))
    said = console("next-round")
    found = console.rows("SELECT sentence, why FROM relaxations WHERE rule = 'rematch_gap'")
    assert len(found) == 2
    for sentence, why in found:
        assert f"Could not be avoided: {sentence}. {why}" in said
        assert "met in round 1: 2 rounds between instead of 5" in sentence
        assert why.endswith("could meet nobody else within the rules.")
        assert sentence in console("pairings --why")
    family = club_of(10)
    family(f"prohibit {' '.join(f'P{number:02}' for number in range(2, 11))} --name family")
    said = family("next-round")
    assert said.count("The best pairing without it has more squares of the distances: ") == 4


def test_a_board_settled_by_hand_is_a_reason_for_the_others(console: Console) -> None:
    """Four have met in twos, and three, of whom one had the bye."""
    console("next-round && next-round --allow-open --pair Anna Boris")
    assert console.rows(MET_LATELY) == [
        ("Clara could meet nobody else within the rules beside the boards that are settled.",),
        ("Settled by hand.",),
    ]
    console("unpair && absent Daan --round 2-3 && next-round --allow-open")
    white, black = console.sheet(2)[0]
    console(f"next-round --allow-open --pair {white} {black}")
    assert console.rows("SELECT why FROM relaxations WHERE rule = 'bye_again'") == [
        ("No pairing of those present gives up less.",)
    ]


# ----------------------------------------------------------------------- by hand


def test_settled_boards_stand_and_the_rest_is_paired(club_of: ClubOf) -> None:
    console = club_of(7)
    console("next-round --pair P01 P06 --bye P02")
    assert console.sheet() == [("P01", "P06"), ("P04", "P03"), ("P07", "P05"), ("P02", None)]
    assert console.rows("SELECT colour_by FROM round WHERE board = 1") == [("fixed",)]


def test_two_players_change_places_colours_or_the_bye(club_of: ClubOf) -> None:
    console = club_of(5)
    console("next-round")
    assert console.sheet() == [("P02", "P01"), ("P04", "P03"), ("P05", None)]
    assert console("swap P01 P02") == "Round 1, board 1: P01 – P02\n"
    console("swap P02 P03")
    assert console.sheet() == [("P01", "P03"), ("P04", "P02"), ("P05", None)]
    assert console("swap P04 P05") == "Round 1, board 2: P05 – P02\nRound 1, bye: P04\n"
    assert console.sheet() == [("P01", "P03"), ("P05", "P02"), ("P04", None)]
    assert console.rows("SELECT white_place, black_place, colour_by FROM round ORDER BY board") == [
        (1, 3, "fixed"), (5, 2, "fixed"),
    ]  # fmt: skip
    assert console.rows("SELECT problem FROM problems") == []


def test_a_swap_that_breaks_a_rule_needs_anyway_and_is_put_on_record(console: Console) -> None:
    console("next-round")
    console.play(random.Random(1))
    console("next-round")
    first = met(console, 1)
    ((one, other), seconds) = console.sheet(2)
    (partner,) = [second for second in seconds if frozenset({one, second}) in first]
    said = console.refused(f"swap {other} {partner}")
    assert (
        "that breaks a rule (" in said and " met in round 1: 0 rounds between instead of 5" in said
    )
    assert "--anyway" in said
    console(f"swap {other} {partner} --anyway")
    assert met(console, 2) == first
    assert console.rows(MET_LATELY) == [("Settled by hand.",)] * 2


# ---------------------------------------------------------------- Swiss


def test_a_swiss_becomes_a_keizer_season_again(console: Console) -> None:
    plain = console("rules --all")
    assert "draw.fixed=1.5" in console("rules system=swiss draw.fixed=1.5 && rules")
    assert console("rules system=keizer && rules --all") == plain


def test_a_season_has_a_plan(console: Console) -> None:
    """What it lists, and that no round is paired beyond it without a word."""
    console("rules rounds=3 && rounds --date 2 2026-11-20")
    listed = [(row["round_number"], row["date"], row["state"]) for row in console.json("rounds")]
    assert listed == [(1, None, "planned"), (2, "2026-11-20", "planned"), (3, None, "planned")]
    for _ in range(3):
        console("next-round")
        console.play(random.Random(1))
    assert "planned for 3 rounds" in console.refused("next-round")
    assert console("next-round --beyond").startswith("Round 4\n")
    console("next-round --again && rules rounds=4")
    assert [row["state"] for row in console.json("rounds")] == ["complete"] * 3 + ["draft"]


def test_a_limit_on_meetings_that_leaves_few_is_told(club_of: ClubOf) -> None:
    """Six, who have met once each after five rounds; Swiss presets limit by what they are."""
    console = club_of(6, "max_meetings=1 rematch_gap=0")
    for _ in range(4):
        assert "The limit on meetings" not in console("next-round")
        console.play(random.Random(1))
    assert "The limit on meetings leaves P01 1 of 5 opponents" in console("next-round")
