"""Keizer tournaments from the event files of Sharly Chess."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.files import rows
from tests.support.files import run_keizer as keizer
from tests.support.other_programs import SCE, import_sound, refuse_import, sce, table

ABCD = [
    {"last_name": name, "ratings": {"1": {"fide": 2000 - 100 * place}}}
    for place, name in enumerate("ABCD")
]
WIN, LOSS = 3, 1
UPSET = [[(1, 4, WIN, LOSS), (3, 2, WIN, LOSS)], [(1, 3, WIN, LOSS), (2, 4, WIN, LOSS)]]


def settings(db: Path) -> dict[str, str]:
    listed = keizer("rules", db, "--all").stdout.splitlines()
    return dict(line.split("=", 1) for line in listed)


def test_the_example_of_its_own_tests(db: Path, file: Path) -> None:
    """Totals 5, 3, 5, 1 after round 1, where A and C go by the start order; then 8, 3, 5, 1."""
    before = sce(file, ABCD, UPSET).read_bytes()
    assert import_sound(db, file) == ("4 players, 2 rounds, 4 games imported.\n", "")
    after = "SELECT name, score FROM standings WHERE round_number = ? ORDER BY rank"
    assert [rows(db, after.replace("?", str(number))) for number in (1, 2)] == [
        [("A", 5), ("C", 5), ("B", 3), ("D", 1)],
        [("A", 8), ("C", 5), ("B", 3), ("D", 1)],
    ]
    assert table(keizer, db) == [
        (1, "A", 4, 8),
        (2, "C", 3, 5),
        (3, "B", 2, 3),
        (4, "D", 1, 1),
    ]
    assert file.read_bytes() == before


def test_every_code_of_a_result(db: Path, file: Path) -> None:
    """Values 7 to 2. A bye of any kind is a third of the own value, but without points nothing."""
    six = [
        {"last_name": name, "ratings": {"1": {"fide": 2000 - ord(name)}}}
        for name in "ABCDEF"
    ]
    sce(
        file, six,
        [
            [(1, None, 8, None), (2, None, 10, None), (3, None, 9, None), (4, None, 14, None),
                (5, None, 7, None)],
            [(1, 2, 3, 1), (3, 4, 2, 2), (5, 6, 1, 3)],
            [(1, 2, 6, 4), (3, 4, 5, 5), (5, 6, 4, 6)],
            [(1, 2, 13, 11), (3, 4, 12, 12), (5, 6, 11, 13)],
            [(1, 2, 15, 15), (3, 4, 18, 18), (5, 6, 0, 0)],
            [(1, 2, 16, 17), (3, 4, 20, 19), (5, 6, 0, 0)],
        ],
    )  # fmt: skip
    uneven = ", but there Black or White got nothing.\n"
    assert import_sound(db, file)[1] == (
        f"Note: round 6, board 1: ½-½ here{uneven}Note: round 6, board 2: ½-½ here{uneven}"
    )
    games = "SELECT result FROM round ORDER BY round_number, board"
    assert [result for (result,) in rows(db, games)] == [
        "1-0", "½-½", "0-1", "+-", "--", "-+", "1-0", "½-½", "0-1", "0-0", "0-0", None,
        "½-½", "½-½", None,
    ]  # fmt: skip
    away = "SELECT player_id, kind FROM unplayed WHERE round_number = 1 ORDER BY 1"
    assert [kind for _, kind in rows(db, away)] == [
        "excused", "bye", "bye", "bye", "unexcused", "unexcused",
    ]  # fmt: skip
    first = "SELECT score FROM standings WHERE round_number = 1 ORDER BY player_id"
    expected = [7 * 4 / 3, 6 * 4 / 3, 5 * 4 / 3, 4 * 4 / 3, 3, 2]
    assert [score for (score,) in rows(db, first)] == pytest.approx(expected)


def test_players_and_dates(db: Path, file: Path) -> None:
    sce(
        file,
        [
            {"last_name": "NAKAMURA", "first_name": "Hana", "gender": "F", "title": "FM",
                "women_title": "WGM", "fide_id": 1234567, "federation": "JPN",
                "date_of_birth": "1999-05-01", "ratings": {"1": {"fide": 2300}}},
            {"last_name": "Solo", "first_name": None, "gender": "M", "federation": "",
                "year_of_birth": 1960, "ratings": {"1": {"estimated": 1500}}},
        ],
        [[(1, 2, 1, 3)]],
        rounds=3,
        round_datetimes={"1": "2026-09-04T20:00:00", "2": None, "3": "2026-10-02T20:00:00"},
    )  # fmt: skip
    import_sound(db, file)
    person = "SELECT name, rating, sex, title, fide_id, federation, born FROM player ORDER BY id"
    assert rows(db, person) == [
        ("Hana NAKAMURA", 2300, "w", "WGM", 1234567, "JPN", "1999-05-01"),
        ("Solo", 1500, "m", None, None, None, "1960"),
    ]
    dates = "SELECT round_number, date FROM schedule ORDER BY 1"
    assert rows(db, dates) == [(1, "2026-09-04"), (3, "2026-10-02")]
    assert settings(db)["rounds"] == "3"


def test_the_start_order_is_theirs(db: Path, file: Path) -> None:
    """By the rating that the tournament goes by, title, surname and given name.

    A rapid tournament: who has no rapid rating of FIDE is there with the standard one.
    """
    people: list[dict[str, Any]] = [
        {"last_name": "Zoe", "first_name": "B", "ratings": {"2": {"fide": 1800}}},
        {"last_name": "Zoé", "first_name": "A", "ratings": {"2": {"fide": 1800}}},
        {
            "last_name": "Standard",
            "ratings": {"1": {"fide": 1900}, "2": {"national": 2400}},
        },
        {"last_name": "Unrated", "ratings": {"3": {"fide": 2500}}},
        {"last_name": "Titled", "title": "CM", "ratings": {"2": {"fide": 1800}}},
        {"last_name": "Guessed", "ratings": {"2": {"estimated": 1850, "national": 1}}},
    ]
    sce(
        file,
        people,
        [],
        rating=2,
        override_unrated_rapid_blitz=1,
        player_rating_type=None,
    )
    import_sound(db, file)
    entered = "SELECT name, start_rank FROM x_player_tournament JOIN player ON player.id = player_id"
    assert [name for name, _ in sorted(rows(db, entered), key=lambda row: row[1])] == [
        "Standard", "Guessed", "Titled", "A Zoé", "B Zoe", "Unrated",
    ]  # fmt: skip


def test_who_has_left_and_byes_to_come(db: Path, file: Path) -> None:
    """Left: down without points for all the rounds to come. Others are as announced.

    Who left keeps a place: B and C have 3 points each after both rounds.
    """
    out = (2, None, 7, None)
    sce(
        file, ABCD,
        [[(1, 2, WIN, LOSS), (3, 4, WIN, LOSS)], [(1, 3, WIN, LOSS), out, (4, None, 9, None)],
            [out, (3, None, 8, None)], [out]],
    )  # fmt: skip
    import_sound(db, file)
    left = "SELECT name, last_round FROM x_player_tournament JOIN player ON player.id = player_id"
    assert sorted(rows(db, left)) == [("A", None), ("B", 1), ("C", None), ("D", None)]
    away = "SELECT round_number, name, kind FROM unplayed JOIN player ON player.id = player_id"
    assert sorted(rows(db, away)) == [(2, "D", "bye"), (3, "C", "excused")]
    assert {name: value for _, name, value, _ in table(keizer, db)} == {
        "A": 4, "B": 3, "C": 2, "D": 1,
    }  # fmt: skip


@pytest.mark.parametrize(("stored", "here", "notes"), [
    ({"KEIZER_ABSENCE_FRACTION": 0.33341, "KEIZER_REMATCH_GAP": -1, "KEIZER_ROUNDING": "UP"},
        {"excused": "0.333"}, [
        "Note: a setting was left out: “UP” is no rounding there.",
        "Note: the share of the own value, 0.33341, is rounded to 0.333.",
        "Note: a setting was left out: rematch_gap=-1 was refused: rematch_gap must be 0 to 999 or"
        " none.",
    ]),
    ({"KEIZER_START_ATTRIBUTION": False, "KEIZER_ABSENCE_FRACTION": 0.35,
        "KEIZER_REMATCH_GAP": 4, "KEIZER_ROUNDING": "NONE"},
        {"own-value": "0", "bye": "0.35", "excused": "0.35", "club-duty": "0.35",
        "unexcused": "0", "rematch_gap": "4", "top_value": "1.5(n-1)", "floor_value": "0",
        "tiebreaks": "score,start"}, []),
    *(({"KEIZER_ABSENCE_FRACTION": share}, {"excused": factor}, []) for share, factor in (
        (1 / 3, "1/3"), (0.333333, "1/3"), (0.6666667, "2/3"), (0.0, "0"), (1, "1"))),
    ({"KEIZER_ROUNDING": "HALF"}, {"score_rounding": "1/2", "halves": "even"}, []),
    ({"KEIZER_ROUNDING": "FULL"}, {"score_rounding": "1", "halves": "even"}, []),
])  # fmt: skip
def test_settings_become_rules(
    db: Path,
    file: Path,
    stored: dict[str, object],
    here: dict[str, str],
    notes: list[str],
) -> None:
    sce(file, ABCD, UPSET, pairing_settings=stored)
    assert import_sound(db, file)[1].splitlines() == notes
    assert here.items() <= settings(db).items()
    # List 1 is C (3), A (1), B, D: A has 4 for C, 1 for D.
    if "KEIZER_START_ATTRIBUTION" in stored:
        assert [(name, score) for _, name, _, score in table(keizer, db)] == [
            ("A", 5), ("C", 2), ("B", 1), ("D", 0),
        ]  # fmt: skip


def test_of_several_tournaments_the_one_of_that_name(db: Path, file: Path) -> None:
    sce(file, ABCD, UPSET, name="Seniors")
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.execute(
            "INSERT INTO tournament (name, pairing) VALUES ('Club', 'SWISS_STANDARD')"
        )
    assert import_sound(db, file)[0] == "4 players, 2 rounds, 4 games imported.\n"
    keizer("undo", db)
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.execute(
            "INSERT INTO tournament (name, pairing) VALUES ('Kids', 'KEIZER_STANDARD')"
        )
    assert refuse_import(db, file) == (
        f"{file} does not have exactly one Keizer tournament (it has “Seniors”, “Kids”): give yours"
        " the name of the one to import."
    )
    seniors = db.with_name("seniors.db")
    keizer("init", seniors, "--name", "SENIORS")
    assert import_sound(seniors, file)[0] == "4 players, 2 rounds, 4 games imported.\n"


@pytest.mark.parametrize(("edit", "said"), [
    ("UPDATE pairing SET result = 3 WHERE player_id = 4 AND round = 1",
        "round 1, player 1: 3 and 3 are no results of one game."),
    ("UPDATE pairing SET result = 21 WHERE player_id IN (1, 4) AND round = 1",
        "round 1, player 1: 21 and 21 are no results of one game."),
    ("UPDATE pairing SET board_id = NULL WHERE round = 1",
        "round 1, player 1: 3 is no result of a round without a game."),
    ("UPDATE pairing SET board_id = 2 WHERE player_id = 1 AND round = 1",
        "round 1, player 1: the board is of other players, or of another tournament."),
    ("DELETE FROM tournament_player WHERE player_id = 4",
        "round 1, player 1: the board is of other players, or of another tournament."),
    ("INSERT INTO pairing (tournament_id, player_id, round, result) VALUES (1, 9, 1, 8)",
        "round 1, player 9: the tournament has no such player, or no such round."),
    ("UPDATE pairing SET round = 1000000000 WHERE round = 2",
        "round 1000000000, player 1: the tournament has no such player, or no such round."),
    ('UPDATE board SET "index" = 9223372036854775807 WHERE id = 1',
        "round 1, player 1: a board must be 1 to 99999."),
    ("UPDATE tournament SET pairing_settings = replace(hex(zeroblob(50000)), '0', '[')",
        "this has too many brackets in each other."),
    ("UPDATE player SET ratings = '{' WHERE id = 2", "this is not JSON, or broken."),
    ("UPDATE tournament SET round_datetimes = '{'", "this is not JSON, or broken."),
    ("UPDATE tournament SET pairing_settings = '{\"KEIZER_ROUNDING\": 1, \"KEIZER_ROUNDING\": 2}'",
        "an object has a key twice."),
    ("UPDATE player SET ratings = '{\"1\": {}, \"1\": {}}' WHERE id = 2",
        "an object has a key twice."),
    ("UPDATE player SET last_name = 'A'", "player 2: A has already entered"),
    ("UPDATE tournament SET round_datetimes = '{\"1\": \"soon\"}'", "the date of round 1: "),
    ("ALTER TABLE player DROP COLUMN women_title", " cannot be read: no such column: women_title."),
    ("UPDATE tournament SET pairing = 'SWISS_STANDARD'", " has no Keizer tournament (it has"
        " “Club”): a tournament report (TRF) brings any other."),
    ("DELETE FROM tournament", " has no Keizer tournament (it has none)"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused_whole(
    db: Path, file: Path, edit: str, said: str
) -> None:
    sce(file, ABCD, UPSET)
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.execute(edit)
    assert said in refuse_import(db, file)


def test_an_event_from_before_its_keizer_system(db: Path, file: Path) -> None:
    """It is recognised, with the columns that it had; it can have no Keizer tournament."""
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.executescript(SCE)
        for column in ("women_title", "year_of_birth"):
            conn.execute(f"ALTER TABLE player DROP COLUMN {column}")
        conn.execute(
            "INSERT INTO tournament (name, pairing) VALUES ('Open', 'SWISS_STANDARD')"
        )
    assert "has no Keizer tournament (it has “Open”)" in refuse_import(db, file)
