"""From the file to a pairing and back: rules, reasons, hands, Swiss tournaments.

What is refused meanwhile stands in test_refusals.py.
"""

import random
import re
import sqlite3

import pytest

from keizer.pairing import RULES, Policy
from tests.support.console import ClubOf, Console
from tests.support.files import Client, edit

PAIRS = "SELECT count(DISTINCT min(white, black) || '-' || max(white, black)) FROM round"
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


def test_meetings_are_counted_in_the_season_and_in_the_period(
    console: Console, club_of: ClubOf
) -> None:
    """Four players, one meeting in a period: three rounds, and three in the next one."""
    console("rules max_meetings=none max_meetings_period=1 rematch_gap=0 && period 4")
    rng = random.Random(1)
    for number in range(1, 7):
        assert "Could not be avoided" not in console("next-round"), number
        console.play(rng)
    assert console.rows(f"{PAIRS} WHERE round_number < 4") == [(6,)]
    assert console.rows(f"{PAIRS} WHERE round_number > 3") == [(6,)]
    assert "meet again in this period, 1 more than allowed" in console("next-round")
    other = club_of(4, "max_meetings=1 rematch_gap=0")
    for _ in range(3):
        other("next-round")
        other.play(rng)
    assert "meet for the 2nd time: 1 allowed" in other("next-round")


def test_families_do_not_meet_until_nothing_else_is_left(console: Console) -> None:
    console("prohibit Anna Boris --name family")
    assert "family           Anna\nfamily           Boris" in console("prohibit")
    console("next-round")
    assert met(console, 1) == {frozenset({"Anna", "Clara"}), frozenset({"Boris", "Daan"})}
    said = console("undo && absent Clara Daan && next-round")
    assert "Boris and Anna meet, a prohibited pairing. Nobody else is present." in said
    said = console("undo && prohibit --name family --remove && prohibit")
    assert said.strip() == "What they share  Player"


def test_two_families_may_meet(console: Console) -> None:
    console("prohibit Anna Boris --name family && prohibit Clara Daan --name team && next-round")
    assert len(console.sheet()) == 2
    assert console.rows("SELECT count(*) FROM relaxations") == [(0,)]


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


# ----------------------------------------------------------------------- reasons


@pytest.mark.parametrize("seed", range(4))
def test_the_reasons_agree_with_the_games(club_of: ClubOf, seed: int) -> None:
    """What is said of distance, meeting and colour, recounted from the table of games."""
    rng = random.Random(seed)
    console = club_of(9, "rematch_gap=2")
    for _ in range(7):
        console(f"absent P{rng.randint(1, 9):02} && next-round --why")
        console.play(rng)
    names = dict(console.rows("SELECT id, name FROM player"))
    games = console.rows(
        "SELECT round_number, board, white, black, white_place, black_place, colour_by"
        " FROM round ORDER BY round_number, board"
    )
    said: dict[tuple[int, int], dict[str, str]] = {}
    reasons = "SELECT round_number, board, about, sentence FROM pairing_reasons"
    for number, board, about, sentence in console.rows(reasons):
        said.setdefault((number, board), {})[about] = sentence
    for number, board, white, black, white_place, black_place, colour_by in games:
        before = [game for game in games if game[0] < number]
        met = [game for game in before if {game[2], game[3]} == {white, black}]
        of_board = said[number, board]
        places = sorted((white_place, black_place))
        assert of_board["rank"].endswith(f": {places[0]} and {places[1]}.")
        if met:
            assert f"round {met[-1][0]}, when {names[met[-1][2]]} had White" in of_board["meeting"]
        else:
            assert "meeting" not in of_board
        had = {
            player: (sum(g[2] == player for g in before), sum(g[3] == player for g in before))
            for player in (white, black)
        }
        assert of_board["colour"].startswith(f"{names[white]} has White: ")
        if colour_by == "difference":
            (whites, blacks), (other_whites, other_blacks) = had[white], had[black]
            assert whites - blacks < other_whites - other_blacks
            assert f"White {whites} and Black {blacks} time" in of_board["colour"]
        if colour_by == "rank":
            assert white_place > black_place
        if colour_by == "meeting":
            assert met[-1][2] == black


def test_who_stood_nearer_is_named_with_what_was_against_it(console: Console) -> None:
    console("next-round && result 1 1-0 && result 2 1-0 && next-round --allow-open")
    near = console.rows("SELECT sentence FROM pairing_reasons WHERE about = 'nearer'")
    assert near
    for (sentence,) in near:
        assert " is nearer to " in sentence
        assert sentence.endswith("they met too recently: 5 rounds are missing.")


def test_why_somebody_sits_out_is_told_too(club_of: ClubOf) -> None:
    """Seven draw all their games, so that the list stays: byes from the bottom up."""
    console = club_of(7, "rematch_gap=0 own-value=0 bye=0 draw=0")
    for _ in range(2):
        console("next-round")
        edit(console.db, ALL_DRAW)
    console("next-round --bye P01")
    assert console.rows("SELECT white, sentence FROM pairing_reasons WHERE about = 'bye'") == [
        ("P07", "The last of the 7 present, with 0 byes so far."),
        ("P06", "Place 6 of the 7 present, with 0 byes so far; all lower-ranked players had more."),
        ("P01", "This bye was given by hand."),
    ]


def test_a_board_that_a_person_changed_says_so(console: Console, client: Client) -> None:
    """In any client: colours turned by hand in two steps."""
    console("next-round && absent Anna --round 9")  # an announcement stays
    ((white, black),) = console.rows("SELECT white, black FROM round WHERE board = 1")
    insert = "INSERT INTO round (tournament_id, round_number, board, white, black)"
    turned = f"{insert} VALUES (1, 1, 1, {black}, {white})"
    assert client(console.db, ["DELETE FROM round WHERE board = 1", turned]) == ["ok", "ok"]
    about = "SELECT DISTINCT about FROM pairing_reasons WHERE board = {} ORDER BY about"
    assert (
        console.rows(about.format(1)) == console.rows(about.format(2)) == [("colour",), ("rank",)]
    )
    by_hand = "SELECT sentence FROM pairing_reasons WHERE board = 1 AND about = 'colour'"
    ((sentence,),) = console.rows(by_hand)
    assert sentence.endswith("has White: the board was settled by hand.")
    assert console.rows("SELECT problem FROM problems") == []


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_that_is_given_up_has_words(conn: sqlite3.Connection, rule: str) -> None:
    conn.executescript(
        "INSERT INTO tournament (description) VALUES ('Club');"
        "INSERT INTO player (name) VALUES ('A'), ('B'), ('C');"
        "INSERT INTO x_player_tournament (player_id, tournament_id)"
        " VALUES (1, 1), (2, 1), (3, 1);"
        "UPDATE tournament SET revaluation = 'suspended';"
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, 1, 1, 2, '1-0'), (1, 3, 2, 1, NULL);"
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
        " VALUES (1, 3, 3, 'bye');"
        "UPDATE tournament SET revaluation = 'on';"
    )
    bye = "bye" in rule
    conn.execute(
        "INSERT INTO relaxation (tournament_id, round_number, white, black, rule, amount, why)"
        " VALUES (1, 3, ?, ?, ?, 1, 'So it is.')",
        (3 if bye else 2, None if bye else 1, rule),
    )
    ((board, white, sentence, why),) = conn.execute(
        "SELECT board, white, sentence, why FROM relaxations"
    )
    assert (board, white, why) == (None if bye else 1, "C" if bye else "B", "So it is.")
    assert sentence.startswith("C has the bye" if bye else "B and A me")
    assert not sentence.endswith(f": {rule}")
    conn.execute("DELETE FROM round WHERE round_number = 3")
    conn.execute("DELETE FROM unplayed")
    assert conn.execute("SELECT count(*) FROM relaxation").fetchone() == (0,)


def test_what_was_given_up_is_printed_kept_and_explained(console: Console) -> None:
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


def test_what_would_have_been_given_up_instead_is_told(club_of: ClubOf) -> None:
    """Nine of ten are a family: other boards break the rule as often, and are further apart."""
    console = club_of(10)
    family = " ".join(f"P{number:02}" for number in range(2, 11))
    console(f"prohibit {family} --name family && next-round")
    told = console.rows("SELECT why FROM relaxations")
    assert len(told) == 4
    wanted = re.compile(r"The best pairing .* more squares of the distances: (\d+), not (\d+).")
    found = [wanted.fullmatch(why) for (why,) in told]
    assert all(one and int(one[1]) > int(one[2]) for one in found)


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
