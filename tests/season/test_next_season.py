"""The end of a season, and the next one."""

import random
import shutil
from pathlib import Path

import pytest

from tests.support.console import ClubOf, Console, new_club
from tests.support.files import Client, dump_with_rules
from tests.support.scenes import scenes

ENTRIES = """
SELECT p.id, p.name, e.start_rank, e.rating, e.last_round FROM x_player_tournament AS e
JOIN player AS p ON p.id = e.player_id WHERE e.tournament_id = {} ORDER BY p.id
"""


test_finish = scenes("""
A season is finished when all results are in; what is finished is shown again.
  ! finish => no round is paired yet
  next-round
  ! finish => round 1 is a draft
  result 1 1-0
  ! finish => no result on board 2 of round 1
  result 2 =
  remember
  finish => Club, final standings after round 1 ... 1st
  finish => Club, final standings after round 1 ... 1st
  undo all
""")


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    console = new_club(
        tmp_path_factory.mktemp("played") / "new.db", 9, "rounds=5 rematch_gap=2"
    )
    rng = random.Random(3)
    for number in range(1, 10):
        console(f"player P{number:02} --category {'A' if number < 5 else 'B'}")
    console("add Idle && absent Idle --by-default")
    for number in range(5):
        console("next-round")
        console.play(rng)
        if number == 2:
            console("withdraw P04")
    return console.db


@pytest.fixture
def played(tmp_path: Path, _played: Path) -> Console:
    """Ten members in two categories, five rounds, one withdrawn, one who never played."""
    return Console(Path(shutil.copy(_played, tmp_path)))


@pytest.fixture
def following(tmp_path: Path) -> Console:
    """The file of the next season, which is not there yet."""
    return Console(tmp_path / "next.db")


def test_what_is_finished_stays_until_it_is_opened_again(played: Console) -> None:
    played("finish")
    before = dump_with_rules(played.db)
    for line in (
        "result 1 1-0", "next-round --beyond", "add Zoe", "withdraw P01", "rules step=2",
        "absent P01", "correct P01 5", "period 3", "player P01 --start-rank 3",
        "player P01 --merge P02", "player Idle --remove", "unpair",
    ):  # fmt: skip
        assert "`keizer finish DB --reopen` opens it again" in played.refused(line), (
            line
        )
    assert dump_with_rules(played.db) == before
    played("player P01 --name 'Paula One'")  # a slip is a slip
    played("finish --reopen && result 1 1-0 --round 1")
    assert "is not finished" in played.refused("finish --reopen")


CLOSED = [
    "UPDATE round SET result = '0-1' WHERE id = 1", "DELETE FROM round WHERE id = 1",
    "INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, 6, 1, 2)",
    "DELETE FROM unplayed WHERE id = 1", "UPDATE unplayed SET kind = 'bye' WHERE id = 1",
    "UPDATE x_player_tournament SET rating = 1 WHERE id = 1",
    "UPDATE x_player_tournament SET status = 'withdrawn' WHERE id = 1",
    "INSERT INTO correction (tournament_id, player_id, points, round_number) VALUES (1, 1, 5, 1)",
    "UPDATE rules SET step = 2", "UPDATE scoring SET factor = 1 WHERE kind = 'excused'",
    "INSERT INTO period (tournament_id, first_round) VALUES (1, 3)",
    "INSERT INTO exception (tournament_id, player_id, kind, counts_as)"
    " VALUES (1, 1, 'excused', 'unexcused')",
]  # fmt: skip


def test_what_is_finished_stays_in_any_client(client: Client, played: Console) -> None:
    played("finish")
    for statement, said in zip(CLOSED, client(played.db, CLOSED), strict=True):
        assert "this tournament is finished" in said, statement
    opened = ["UPDATE tournament SET status = 'running'", *CLOSED[:1]]
    assert client(played.db, opened) == ["ok", "ok"]
    assert "sound" in played("check")


def test_prizes_are_those_of_the_final_standings(played: Console) -> None:
    """Worked out from the tables that people see."""
    played("rules min_games=3")
    prizes = played.json("finish")
    assert played("finish").endswith("(w): withdrawn\n")
    won = [(row["prize"], row["name"]) for row in prizes]
    called = dict(played.rows("SELECT id, name FROM player"))
    assert all(called[row["player_id"]] == row["name"] for row in prizes)
    table = [row for row in played.json("standings") if row["played"] >= 3]
    start = {row["name"]: row["rank"] for row in played.json("standings --round 0")}
    expected = [
        (prize, row["name"])
        for prize, row in zip(("1st", "2nd", "3rd"), table, strict=False)
    ]
    for category in ("A", "B"):
        best = next(row["name"] for row in table if row["category"] == category)
        expected.append((f"1st of {category}", best))
    gains = {row["name"]: start[row["name"]] - row["rank"] for row in table}
    most = max(gains.values())
    expected += sorted(
        ("most improved", name) for name in gains if 0 < gains[name] == most
    )
    above = {
        row["name"]: row["performance"] - row["rating"]
        for row in played.json("performance")
        if row["name"] in gains and row["rating"] and 2 * row["games"] >= 5
    }
    most = max(above.values())
    expected += sorted(
        ("best performance", name) for name in above if 0 < above[name] == most
    )
    assert won == expected


def test_nobody_is_most_improved_where_all_stand_as_at_the_start(
    club_of: ClubOf,
) -> None:
    two = club_of(2)
    two("next-round && result 1 0-1")
    assert {name for (name,) in two.rows("SELECT prize FROM prizes")} == {
        "1st", "2nd", "best performance",
    }  # fmt: skip


def test_members_come_over_with_their_numbers_in_the_order_of_the_last_table(
    played: Console, following: Console
) -> None:
    last = [row["name"] for row in played.json("standings") if row["name"] != "P04"]
    said = following(f"init --name Next --from {played.db}")
    assert "9 members of “Club” entered, in the order of its last standings." in said
    assert "Left out, withdrawn: P04." in said
    assert [row["name"] for row in following.json("standings --round 0")] == last
    numbers = "SELECT id, name, category, rating FROM player ORDER BY id"
    assert following.rows(numbers) == played.rows(numbers)
    following("add Newcomer && add P04")
    assert following.rows("SELECT id FROM player WHERE name = 'Newcomer'") == [(11,)]
    assert following.rows("SELECT player_id FROM members WHERE name = 'P04'") == [(4,)]
    assert "sound" in following("check")


def test_or_by_rating(played: Console, following: Console) -> None:
    played("player P09 --rating 2500")
    said = following(f"init --name Next --from {played.db} --order rating")
    assert "9 members of “Club” entered, by rating." in said
    names = [row["name"] for row in following.json("standings --round 0")]
    assert names == ["P09", "P01", "P02", "P03", "P05", "P06", "P07", "P08", "Idle"]


def test_with_the_rules_of_last_season(played: Console, following: Console) -> None:
    played(
        "rules --add-kind 'on tour' on-tour=1/6 top_value=40 excused.season_cap=4 step=2"
    )
    played(
        "prohibit P01 P02 P04 --name family && absent Idle --by-default --kind 'on tour'"
    )
    following(f"init --name Next --from {played.db} --rules")
    rules = [row for row in played.json("rules --all") if row["key"] != "name"]
    assert [
        row for row in following.json("rules --all") if row["key"] != "name"
    ] == rules
    shared = "SELECT player_id FROM prohibited_pairing ORDER BY 1"
    assert following.rows(shared) == [(1,), (2,)]
    assert following.rows("SELECT absent_as FROM members WHERE name = 'Idle'") == [
        ("on tour",)
    ]


def test_a_season_follows_within_one_file_and_is_taken_back(played: Console) -> None:
    played("finish")
    before = dump_with_rules(played.db)
    played(f"init --name Spring --from {played.db} --rules")
    assert len(played.rows(ENTRIES.format(2))) == 9
    played("next-round -t Spring")
    played("undo && undo")
    assert dump_with_rules(played.db) == before


def test_what_cannot_be_followed_makes_no_file(
    played: Console, console: Console, following: Console
) -> None:
    for options, sentence in {
        "--from nowhere.db": "nowhere.db does not exist",
        "--order rating": "are about --from FILE",
        f"--from {played.db} --rules --preset magic": "choose one",
        f"--from {played.db} -t Cup": "there is no tournament “Cup”",
    }.items():
        assert sentence in following.refused(f"init --name Next {options}")
        assert not following.db.exists()
    assert "has members of its own" in console.refused(
        f"init --name Next --from {played.db}"
    )
