"""From the file to a pairing and back: rules, reasons, hands, Swiss tournaments."""

import random
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from keizer.pairing import RULES, Policy
from keizer.season import rounds
from keizer.store import sql
from tests.support.files import Client, Keizer, campaign, dump, edit, rows

CLUB = [f"{chr(65 + at)}{name}" for at, name in enumerate(["nna", "oris", "lara", "aan", "va"])]


def season(db: Path, keizer: Keizer, players: int, *rules: str) -> Path:
    """A new season of P01 (the strongest) and so on."""
    keizer("init", db, "--name", "Club")
    listed = "".join(f"P{at:02d},{2400 - 10 * at}\n" for at in range(1, players + 1))
    csv = db.with_suffix(".csv")
    csv.write_text("name,rating\n" + listed, encoding="utf-8")
    keizer("import", db, csv)
    if rules:
        keizer("rules", db, *rules)
    return db


def play(db: Path, keizer: Keizer, rng: random.Random) -> None:
    """Results for every open board."""
    open_boards = rows(db, "SELECT board FROM round WHERE result IS NULL ORDER BY board")
    results = "".join(f"{board} {rng.choice(['1-0', '=', '0-1'])}\n" for (board,) in open_boards)
    keizer("result", db, "-", stdin=results)


def sheet(db: Path, number: int) -> list[tuple[Any, ...]]:
    return rows(
        db,
        f"SELECT white, black FROM pairings WHERE round_number = {number}"
        " ORDER BY board NULLS LAST",
    )


# --------------------------------------------------------------- rules as data


def test_the_rules_of_the_file_are_the_policy(conn: sqlite3.Connection) -> None:
    """Each field is a column with the same default."""
    conn.row_factory = sqlite3.Row
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    stored = conn.execute(f"SELECT {', '.join(Policy._fields)} FROM rules").fetchone()
    assert Policy(**dict(stored)) == Policy()


def test_meetings_are_counted_in_the_season_and_in_the_period(
    club: Path, keizer: Keizer, tmp_path: Path
) -> None:
    """Four players, one meeting in a period: three rounds, and three in the next one."""
    keizer("rules", club, "max_meetings=none", "max_meetings_period=1", "rematch_gap=0")
    keizer("period", club, 4)
    rng = random.Random(1)
    for number in range(1, 7):
        said = keizer("next-round", club).output
        assert "Could not be avoided" not in said, number
        play(club, keizer, rng)
    half = "SELECT count(DISTINCT min(white, black) || '-' || max(white, black)) FROM round"
    assert rows(club, f"{half} WHERE round_number < 4") == [(6,)]
    assert rows(club, f"{half} WHERE round_number > 3") == [(6,)]
    said = keizer("next-round", club).output
    assert "meet again in this period: 1 allowed" in said
    other = season(tmp_path / "other.db", keizer, 4, "max_meetings=1", "rematch_gap=0")
    for _ in range(3):
        keizer("next-round", other)
        play(other, keizer, rng)
    assert "meet for the 2nd time: 1 allowed" in keizer("next-round", other).output


def test_everybody_is_met_before_anybody_again(tmp_path: Path, keizer: Keizer) -> None:
    """Six players, no other rule on meetings: all fifteen pairs in five rounds."""
    asked = ("meet_all_first=yes", "rematch_gap=0", "max_meetings=none")
    off = ("colour_run=off", "colour_difference=off")
    db = season(tmp_path / "club.db", keizer, 6, *asked, *off)
    rng = random.Random(2)
    for _ in range(5):
        keizer("next-round", db)
        play(db, keizer, rng)
    assert rows(db, "SELECT count(DISTINCT min(white, black) * 10 + max(white, black)) FROM round")[
        0
    ] == (15,)


def test_families_are_kept_apart_until_nothing_else_is_left(club: Path, keizer: Keizer) -> None:
    keizer("apart", club, "Anna", "Boris", "--name", "family")
    assert "family           Anna\nfamily           Boris" in keizer("apart", club).stdout
    keizer("next-round", club)
    assert {frozenset(board) for board in sheet(club, 1)} == {
        frozenset({"Anna", "Clara"}),
        frozenset({"Boris", "Daan"}),
    }
    keizer("undo", club)
    keizer("absent", club, "Clara", "Daan")
    said = keizer("next-round", club).output
    assert "Boris and Anna meet, whom the club keeps apart. Nobody else is present." in said
    keizer("undo", club)
    keizer("apart", club, "--name", "family", "--remove")
    assert keizer("apart", club).stdout.strip() == "What they share  Player"
    assert (
        "nobody is kept" in keizer("apart", club, "--name", "team", "--remove", fails=True).output
    )
    assert "--name" in keizer("apart", club, "Anna", "Daan", fails=True).output


def test_two_families_may_meet(club: Path, keizer: Keizer) -> None:
    keizer("apart", club, "Anna", "Boris", "--name", "family")
    keizer("apart", club, "Clara", "Daan", "--name", "team")
    keizer("next-round", club)
    assert rows(club, "SELECT count(*) FROM round") == [(2,)]
    assert rows(club, "SELECT count(*) FROM relaxations") == [(0,)]


def test_groups_meet_among_themselves_and_who_is_left_over_crosses(
    tmp_path: Path, keizer: Keizer
) -> None:
    """Categories by turns down the list: 3 of A, 3 of B; one board across, at the edge."""
    db = season(tmp_path / "club.db", keizer, 6, "max_group_distance=0")
    edit(db, "UPDATE player SET category = CASE id % 2 WHEN 1 THEN 'A' ELSE 'B' END")
    said = keizer("next-round", db).output
    crossing = [board for board in sheet(db, 1) if int(board[0][1:]) % 2 != int(board[1][1:]) % 2]
    assert len(crossing) == 1
    assert said.count("meet across groups") == 1
    assert rows(db, "SELECT rule, amount FROM relaxations") == [("group_distance", 1)]


def test_absences_can_count_as_byes(tmp_path: Path, keizer: Keizer) -> None:
    """Of seven, the last was away in round 1: when that counts, the next one sits out."""
    for counts, byes, sits_out in ((0, 0, "P07"), (1, 1, "P06")):
        db = season(tmp_path / f"{counts}.db", keizer, 7, f"excused.counts_as_bye={counts}")
        keizer("rules", db, "bye_again=off")
        keizer("absent", db, "P07")
        keizer("next-round", db)
        edit(db, "UPDATE round SET result = '½-½'")
        found = rows(db, "SELECT byes, sat_out FROM presence WHERE name = 'P07'")
        assert found == [(byes, byes)]
        assert rows(db, "SELECT name FROM presence ORDER BY rank DESC")[:2] == [("P07",), ("P06",)]
        keizer("next-round", db)
        assert sheet(db, 2)[-1] == (sits_out, None)


def test_a_late_entry_does_not_sit_out_at_once_nor_anybody_twice_running(
    club: Path, keizer: Keizer
) -> None:
    keizer("add", club, "Eva", "--rating", 1500)
    keizer("next-round", club)
    assert sheet(club, 1)[-1] == ("Eva", None)
    play(club, keizer, random.Random(1))
    keizer("add", club, "Fred")
    keizer("add", club, "Gina")
    keizer("next-round", club)
    assert sheet(club, 2)[-1][0] not in {"Eva", "Fred", "Gina"}


@pytest.mark.parametrize("first", ["adjacent", "halves", "random"])
def test_the_first_round_is_paired_as_the_rules_say(
    tmp_path: Path, keizer: Keizer, first: str
) -> None:
    db = season(tmp_path / "club.db", keizer, 8, f"first_round={first}", "seed=3")
    keizer("next-round", db)
    boards = [sorted(board) for board in sheet(db, 1)]
    if first != "random":
        step = 1 if first == "adjacent" else 4
        tops = (1, 3, 5, 7) if step == 1 else (1, 2, 3, 4)
        assert boards == [[f"P{top:02d}", f"P{top + step:02d}"] for top in tops]
    else:
        keizer("undo", db)
        keizer("next-round", db)
        assert [sorted(board) for board in sheet(db, 1)] == boards
        keizer("undo", db)
        keizer("rules", db, "seed=4")
        keizer("next-round", db)
        assert [sorted(board) for board in sheet(db, 1)] != boards


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_entry_changes_no_pairing(tmp_path: Path, keizer: Keizer, seed: int) -> None:
    """Two files with the same members in another order: the same sheets, by name."""
    rng = random.Random(seed)
    names = [f"P{at:02d}" for at in range(1, 12)]
    dbs = []
    for which in ("one", "two"):
        db = tmp_path / f"{which}.db"
        keizer("init", db, "--name", "Club")
        for name in names if which == "one" else rng.sample(names, len(names)):
            keizer("add", db, name, "--rating", 2400 - 10 * int(name[1:]))
        dbs.append(db)
    for number in range(1, 6):
        absent = rng.choice(names)
        results = [rng.choice(["1-0", "=", "0-1"]) for _ in range(5)]
        for db in dbs:
            keizer("absent", db, absent)
            keizer("next-round", db)
            listed = "".join(f"{board} {result}\n" for board, result in enumerate(results, 1))
            keizer("result", db, "-", stdin=listed)
        assert sheet(dbs[0], number) == sheet(dbs[1], number)


# ----------------------------------------------------------------------- reasons


@pytest.mark.parametrize("seed", range(4))
def test_the_reasons_agree_with_the_games(tmp_path: Path, keizer: Keizer, seed: int) -> None:
    """What is said of distance, meeting and colour, recounted from the table of games."""
    rng = random.Random(seed)
    db = season(tmp_path / "club.db", keizer, 9, "rematch_gap=2")
    for _ in range(7):
        keizer("absent", db, f"P{rng.randint(1, 9):02d}")
        keizer("next-round", db, "--why")
        play(db, keizer, rng)
    names = dict(rows(db, "SELECT id, name FROM player"))
    games = rows(
        db,
        "SELECT round_number, board, white, black, white_place, black_place, colour_by"
        " FROM round ORDER BY round_number, board",
    )
    said: dict[tuple[int, int], dict[str, str]] = {}
    for number, board, about, sentence in rows(
        db, "SELECT round_number, board, about, sentence FROM pairing_reasons"
    ):
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
            assert of_board["meeting"] == "They have not met before."
        had = {
            player: (sum(g[2] == player for g in before), sum(g[3] == player for g in before))
            for player in (white, black)
        }
        assert of_board["colour"].startswith(f"{names[white]} has White: ")
        if colour_by == "difference":
            (whites, blacks), (other_whites, other_blacks) = had[white], had[black]
            assert whites - blacks < other_whites - other_blacks
            assert f"White {whites} and Black {blacks} times" in of_board["colour"]
        if colour_by == "rank":
            assert white_place > black_place
        if colour_by == "meeting":
            assert met[-1][2] == black


def test_who_stood_nearer_is_named_with_what_was_against_it(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    keizer("result", club, "-", stdin="1 1-0\n2 1-0\n")
    keizer("next-round", club, "--allow-open")
    near = rows(club, "SELECT sentence FROM pairing_reasons WHERE about = 'nearer'")
    assert near
    for (sentence,) in near:
        assert " is nearer to " in sentence
        assert sentence.endswith("they have met too lately.")


def test_why_somebody_sits_out_is_told_too(tmp_path: Path, keizer: Keizer) -> None:
    """Seven draw all their games, so that the list stays: byes from the bottom up."""
    db = season(tmp_path / "club.db", keizer, 7, "rematch_gap=0", "own-value=0", "bye=0", "draw=0")
    for _ in range(2):
        keizer("next-round", db)
        edit(db, "UPDATE round SET result = '½-½'")
    keizer("next-round", db, "--bye", "P01")
    told = rows(db, "SELECT white, sentence FROM pairing_reasons WHERE about = 'bye'")
    assert told == [
        ("P07", "The last of the 7 present, with 0 byes so far."),
        ("P06", "Place 6 of the 7 present, with 0 byes so far; who is lower had more."),
        ("P01", "Somebody settled it by hand."),
    ]


def test_a_board_that_a_person_changed_has_no_reasons_left(
    club: Path, keizer: Keizer, client: Client
) -> None:
    """In any client: colours turned by hand in two steps."""
    keizer("next-round", club)
    (board,) = rows(club, "SELECT white, black FROM round WHERE board = 1")
    keizer("absent", club, "Anna", "--round", "9")  # an announcement stays
    answers = client(
        club,
        [
            "DELETE FROM round WHERE board = 1",
            "INSERT INTO round (tournament_id, round_number, board, white, black)"
            f" VALUES (1, 1, 1, {board[1]}, {board[0]})",
        ],
    )
    assert answers == ["ok", "ok"]
    about = "SELECT DISTINCT about FROM pairing_reasons WHERE board = {} ORDER BY about"
    assert rows(club, about.format(1)) == [("meeting",)]
    assert rows(club, about.format(2)) == [("colour",), ("meeting",), ("rank",)]
    assert rows(club, "SELECT problem FROM problems") == []


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
    assert sentence.startswith("C sits out" if bye else "B and A me")
    assert not sentence.endswith(f": {rule}")
    conn.execute("DELETE FROM round WHERE round_number = 3")
    conn.execute("DELETE FROM unplayed")
    assert conn.execute("SELECT count(*) FROM relaxation").fetchone() == (0,)


def test_what_was_given_up_is_printed_kept_and_explained(club: Path, keizer: Keizer) -> None:
    """Four players meet in three rounds; then everybody has met within the gap."""
    for _ in range(3):
        keizer("next-round", club)
        play(club, keizer, random.Random(5))
    said = keizer("next-round", club).output
    found = rows(club, "SELECT rule, sentence, why FROM relaxations WHERE rule = 'rematch_gap'")
    assert len(found) == 2
    for rule, sentence, why in found:
        assert f"Could not be avoided: {sentence}. {why}" in said
        assert "met in round 1: 2 rounds between instead of 5" in sentence
        assert why.endswith("could meet nobody else within the rules.")
        assert rule == "rematch_gap"
    assert sentence in keizer("pairings", club, "--why").stdout


def test_what_would_have_been_given_up_instead_is_told(tmp_path: Path, keizer: Keizer) -> None:
    """Nine of ten are a family: one of them may meet P01, four boards are against the rule."""
    db = season(tmp_path / "club.db", keizer, 10)
    keizer("apart", db, *(f"P{at:02d}" for at in range(2, 11)), "--name", "family")
    keizer("next-round", db)
    why = dict(rows(db, "SELECT white || black, why FROM relaxations"))
    assert len(why) == 4
    named = r"P\d\d – P\d\d \(are kept apart\)"
    assert all(
        re.fullmatch(f"Otherwise: {named}, {named}, {named} and 1 more.", it) for it in why.values()
    )


def test_a_board_settled_by_hand_is_a_reason_for_the_others(club: Path, keizer: Keizer) -> None:
    """Four have met in twos, and three, of whom one sat out."""
    keizer("next-round", club)
    keizer("next-round", club, "--allow-open", "--pair", "Anna", "Boris")
    assert rows(club, "SELECT why FROM relaxations WHERE rule = 'rematch_gap' ORDER BY 1") == [
        ("Clara could meet nobody else within the rules beside the boards that are settled.",),
        ("Settled by hand.",),
    ]
    keizer("unpair", club)
    keizer("absent", club, "Daan", "--round", "2-3")
    keizer("next-round", club, "--allow-open")
    keizer("next-round", club, "--allow-open", "--pair", *sheet(club, 2)[0])
    assert rows(club, "SELECT why FROM relaxations WHERE rule = 'bye_again'") == [
        ("No pairing of those present gives up less.",)
    ]


# ----------------------------------------------------------------------- by hand


def test_settled_boards_stand_and_the_rest_is_paired(tmp_path: Path, keizer: Keizer) -> None:
    db = season(tmp_path / "club.db", keizer, 7)
    keizer("next-round", db, "--pair", "P01", "P06", "--bye", "P02")
    assert sheet(db, 1) == [("P01", "P06"), ("P04", "P03"), ("P07", "P05"), ("P02", None)]
    assert rows(db, "SELECT colour_by FROM round WHERE board = 1") == [("fixed",)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--pair", "P01", "P01"], "cannot meet himself"),
        (["--pair", "P01", "P02", "--pair", "P02", "P03"], "cannot be seated twice"),
        (["--pair", "P01", "P07"], "P07 is not present in round 1"),
        (["--bye", "P01"], "nobody has to sit out"),
        (["--pair", "P01", "Nobody"], "Nobody"),
    ],
)
def test_what_cannot_be_settled_is_refused(
    tmp_path: Path, keizer: Keizer, options: list[str], said: str
) -> None:
    db = season(tmp_path / "club.db", keizer, 7)
    keizer("absent", db, "P07")
    before = db.read_bytes()
    assert said in keizer("next-round", db, *options, fails=True).output
    assert db.read_bytes() == before


def test_two_players_change_places_colours_or_the_bye(tmp_path: Path, keizer: Keizer) -> None:
    db = season(tmp_path / "club.db", keizer, 5)
    keizer("next-round", db)
    assert sheet(db, 1) == [("P02", "P01"), ("P04", "P03"), ("P05", None)]
    assert keizer("swap", db, "P01", "P02").stdout == "Round 1, board 1: P01 – P02\n"
    keizer("swap", db, "P02", "P03")
    assert sheet(db, 1) == [("P01", "P03"), ("P04", "P02"), ("P05", None)]
    assert keizer("swap", db, "P04", "P05").stdout == (
        "Round 1, board 2: P05 – P02\nRound 1, bye: P04\n"
    )
    assert sheet(db, 1) == [("P01", "P03"), ("P05", "P02"), ("P04", None)]
    assert rows(db, "SELECT white_place, black_place, colour_by FROM round ORDER BY board") == [
        (1, 3, "fixed"), (5, 2, "fixed"),
    ]  # fmt: skip
    assert rows(db, "SELECT problem FROM problems") == []


def test_a_swap_that_breaks_a_rule_needs_anyway_and_is_put_on_record(
    club: Path, keizer: Keizer
) -> None:
    keizer("next-round", club)
    play(club, keizer, random.Random(1))
    keizer("next-round", club)
    before = club.read_bytes()
    ((one, two), (three, four)) = sheet(club, 2)
    first = {frozenset(board) for board in sheet(club, 1)}
    partner = three if frozenset({one, three}) in first else four
    other = two
    said = keizer("swap", club, other, partner, fails=True).output
    assert "(met too lately)" in said
    assert "--anyway" in said
    assert club.read_bytes() == before
    keizer("swap", club, other, partner, "--anyway")
    assert {frozenset(board) for board in sheet(club, 2)} == first
    found = rows(club, "SELECT rule, why FROM relaxations WHERE rule = 'rematch_gap'")
    assert found == [("rematch_gap", "Settled by hand.")] * 2


def test_nobody_changes_places_who_has_a_result_or_no_seat(club: Path, keizer: Keizer) -> None:
    assert "no round" in keizer("swap", club, "Anna", "Boris", fails=True).output
    keizer("absent", club, "Daan", "Clara")
    keizer("next-round", club)
    assert "seat both" in keizer("swap", club, "Anna", "Daan", fails=True).output
    assert "with himself" in keizer("swap", club, "Anna", "Anna", fails=True).output
    keizer("result", club, "1", "1-0")
    assert "has a result" in keizer("swap", club, "Anna", "Boris", fails=True).output


def test_a_result_at_either_board_is_in_the_way_of_a_swap(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    keizer("result", club, "2", "1-0")
    before = club.read_bytes()
    said = keizer("swap", club, "Anna", "Clara", "--anyway", fails=True).output
    assert "board 2 has a result" in said
    assert club.read_bytes() == before


def test_who_left_after_the_pairing_is_in_the_way_of_a_swap(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    edit(club, "UPDATE x_player_tournament SET absent_as = 'excused' WHERE player_id = 4")
    said = keizer("swap", club, "Anna", "Boris", fails=True).output
    assert "Daan is not present in round 1: pair it anew." in said


def test_two_byes_are_not_swapped(club: Path, keizer: Keizer) -> None:
    """Only another program can write them."""
    keizer("absent", club, "Daan")
    keizer("next-round", club)
    edit(club, "UPDATE unplayed SET kind = 'bye'")
    said = keizer("swap", club, "Anna", "Boris", fails=True).output
    assert "round 1 has more than one bye" in said


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 40)])
def test_swaps_are_undone_to_the_same_file(tmp_path: Path, keizer: Keizer, seed: int) -> None:
    rng = random.Random(seed)
    db = season(tmp_path / "club.db", keizer, 7, "rematch_gap=1")
    for _ in range(2):
        keizer("next-round", db)
        play(db, keizer, rng)
    keizer("next-round", db)
    dumps = [dump(db)]
    for _ in range(5):
        one, two = rng.sample([f"P{at:02d}" for at in range(1, 8)], 2)
        keizer("swap", db, one, two, "--anyway")
        dumps.append(dump(db))
    assert rows(db, "SELECT problem FROM problems") == []
    while len(dumps) > 1:
        assert dump(db) == dumps.pop()
        keizer("undo", db)
    assert dump(db) == dumps[0]


# ---------------------------------------------------------------- Swiss


def test_a_swiss_becomes_a_keizer_season_again(club: Path, keizer: Keizer) -> None:
    plain = keizer("rules", club, "--all").stdout
    keizer("rules", club, "system=swiss", "draw.fixed=1.5")
    assert "draw.fixed=1.5" in keizer("rules", club).stdout
    keizer("rules", club, "system=keizer")
    assert keizer("rules", club, "--all").stdout == plain


def test_every_rule_has_words_where_it_is_broken() -> None:
    assert set(rounds.BROKEN) == set(RULES)


def test_the_schema_names_every_rule_that_is_given_up() -> None:
    """RULES, beside those that no column stands for."""
    script = sql.script()
    for rule in set(RULES) - {"apart", "rematch", "group_distance"}:
        assert f"\n  {rule} " in script
