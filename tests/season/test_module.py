"""A season played with `keizer.Season` is the one played with the commands."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keizer import KeizerError, Season
from tests.support.console import Console
from tests.support.files import rows
from tests.support.other_programs import s3db

FACTS = "SELECT fact, row, state FROM z_logged ORDER BY fact, row"
LOG = "SELECT description FROM command ORDER BY id"
STANDINGS = "SELECT round_number, rank, name, score FROM standings ORDER BY 1, 2"


def undated(db: Path) -> list[str]:
    return [
        re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "", str(row))
        for row in rows(db, FACTS)
    ]


def test_a_season_follows_another(tmp_path: Path) -> None:
    last = Season.create(str(tmp_path / "last.db"), "Last")
    for name in ("Anna", "Boris"):
        last.add(name)
    last.pair()
    last.results({1: "1-0"})
    assert [row["name"] for row in last.finish().prizes if row["prize"] == "1st"] == [
        "Boris"
    ]
    with pytest.raises(KeizerError, match="the season is finished"):
        last.results({1: "1-0"})
    last.reopen()
    last.results({1: "0-1"})
    season = Season.create(str(tmp_path / "next.db"), "Next", last=last)
    assert (
        str(season.told[0])
        == "2 members of “Last” entered, in the order of its last standings."
    )
    assert [row["name"] for row in season.players()] == ["Anna", "Boris"]


@pytest.mark.seeds
def test_a_season_is_the_same_by_module_and_by_command(tmp_path: Path) -> None:
    rng = random.Random(1)
    typed = Console(tmp_path / "typed.db")
    typed("init --name Club")
    season = Season.create(str(tmp_path / "module.db"), "Club")
    for number in range(24):
        typed(f"add P{number:02} --rating {2000 - number}")
        season.add(f"P{number:02}", rating=2000 - number)
    for number in range(1, 7):
        away = [f"P{player:02}" for player in rng.sample(range(20), rng.randint(1, 4))]
        typed(f"absent {' '.join(away)}")
        season.absent(*away)
        typed(f"present {away[0]} && next-round && publish-round")
        season.present(away[0])
        season.pair()
        season.publish()
        boards = [row["board"] for row in season.pairings() if row["board"]]
        results = {board: rng.choice(["1-0", "=", "0-1"]) for board in boards}
        typed(
            "result -",
            stdin="".join(f"{board} {result}\n" for board, result in results.items()),
        )
        season.results(results)
        if number == 2:
            typed("add Late --from-round 4 && withdraw P23")
            season.add("Late", from_round=4)
            season.withdraw("P23")
        if number == 3:
            typed("player P05 --name 'Peter Five' --category B && add Petra")
            season.correct_member("P05", name="Peter Five", category="B")
            season.add("Petra")
        if number == 4:
            typed("result 1 0-1 --round 2 && result 2 1-0 && undo")
            season.results({1: "0-1"}, round=2)
            season.results({2: "1-0"})
            season.undo()
    for query in (LOG, STANDINGS):
        assert rows(typed.db, query) == rows(tmp_path / "module.db", query) != []
    assert undated(typed.db) == undated(tmp_path / "module.db") != []


class Whole:
    """A whole number of another library."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_values_are_taken_as_python_has_them_and_as_they_are_typed(
    tmp_path: Path,
) -> None:
    """Numbers of other libraries, paths, what is no list yet, texts for numbers."""
    season: Any = Season.create(tmp_path / "club.db", "Club")
    for number in range(4):
        season.add(f"P{number:02}", rating=Whole(2000 - number))
    season.absent(Whole(1), rounds=["5-7", "9"])
    season.absent("P01", rounds=8)
    assert rows(season.path, "SELECT round_number FROM unplayed ORDER BY 1") == [
        (5,), (6,), (7,), (8,), (9,),
    ]  # fmt: skip
    season.change_rules(text for text in ["top_value=60", "excused=1/4"])
    assert (season.rules()["top_value"], season.rules()["excused"]) == (60, "1/4")
    season.pair(pair=[["P03", Whole(1)]])
    season.pair(again=True, keep=["1-2"])
    season.result(Whole(1), 1)
    assert [row["result"] for row in season.read("pairings", round="1")] == [
        "1-0",
        None,
    ]
    assert season.standings(round="1") == season.standings(1) != []
    assert season.read("players") == season.players()
    (tmp_path / "kept").mkdir()
    season.backup(folder=tmp_path / "kept")
    assert (tmp_path / "kept") in Path(season.backup().path).parents


# What is refused of commands stands in test_refusals.py.
REFUSED: list[tuple[str, Callable[[Any], object]]] = [
    ("no player has the number 99", lambda club: club.explain(99)),
    ("name at least one player", lambda club: club.absent()),
    ("there is no round 7", lambda club: club.standings(7)),
    ("is not in the list after round 0 yet", lambda club: club.explain("Late", 0)),
    (
        "cannot meet themselves",
        lambda club: club.pair(pair=[("P00", "P00")], allow_open=True),
    ),
    (
        "there is no preset",
        lambda club: Season.create(f"{club.path}x", "Club", preset="fee"),
    ),
    (
        "Member: a value of type NoneType cannot be used here",
        lambda club: club.withdraw(None),
    ),
    (
        "Players: a value of type list cannot be used here",
        lambda club: club.absent(["P00", "P01"]),
    ),
    (
        "Name: a value of type object cannot be used here",
        lambda club: club.correct_member("P00", name=object()),
    ),
    (
        "Board: a value of type float cannot be used here",
        lambda club: club.result(1.9, "1-0"),
    ),
    (
        "Board: a value of type bool cannot be used here",
        lambda club: club.result(bool(club), "1-0"),
    ),
    ("no player has the number", lambda club: club.withdraw(10**5000)),
    ("there is no round 9", lambda club: club.pairings(999)),
    ("is not a whole number", lambda club: club.pairings(10**5000)),
    ("is not a whole number", lambda club: club.correction("P00", 5, until="")),
    ("is not a number of points", lambda club: club.correction("P00", float("nan"))),
    ("a player is a number, or a name", lambda club: club.pair(pair=[(1.5, 2)])),
    ("“\\ud800” is not a text", lambda club: club.add("Edda", category="\ud800")),
    ("“x\\x00” is not a text", lambda club: club.restore(1, folder="x\0")),
    ("is not a text", lambda club: Season.create(f"{club.path}x\ud800", "Club")),
    ("is not a text", lambda club: club.results({1: "\ud800"})),
    ("“" + "9" * 59 + "…”.", lambda club: club.result("9" * 5000, "1-0")),
    ("“players and” is not one of these", lambda club: club.read("players and")),
    ("does not exist", lambda club: Season(f"{club.path}x").standings()),
]


@pytest.mark.parametrize(("sentence", "do"), REFUSED, ids=range(len(REFUSED)))
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    tmp_path: Path, sentence: str, do: Callable[[Any], object]
) -> None:
    season = Season.create(str(tmp_path / "club.db"), "Club")
    for number in range(4):
        season.add(f"P{number:02}", rating=2000 - number)
    season.pair()
    season.results({1: "1-0", 2: "="})
    season.add("Late")
    before = Path(season.path).read_bytes()
    with pytest.raises(KeizerError, match=re.escape(sentence)):
        do(season)
    assert Path(season.path).read_bytes() == before
    assert not Path(f"{season.path}x").exists()


def test_a_draft_that_lost_a_seat_is_told_as_a_warning(tmp_path: Path) -> None:
    season = Season.create(str(tmp_path / "club.db"), "Club")
    for name in ("Anna", "Ben", "Cleo", "Dirk"):
        season.add(name)
    season.pair()
    with pytest.warns(UserWarning, match="has no seat now"):
        season.absent("Anna")
    boards = season.pair(again=True, pair=[("Cleo", "Ben")]).boards
    assert [(row["white"], row["black"]) for row in boards] == [
        ("Cleo", "Ben"),
        ("Dirk", None),
    ]


def test_tables_are_one_transaction(tmp_path: Path) -> None:
    """An error takes all of it back; a query is no command on the log."""
    season = Season.create(str(tmp_path / "club.db"), "Club")
    before = rows(Path(season.path), LOG)
    with (
        pytest.raises(KeizerError, match="a text like this"),
        season.database("half done") as db,
    ):
        db.table("player").insert_all([{"name": "Finn"}, {"name": ""}])
    with season.database() as db:
        assert list(db.query("SELECT name FROM player")) == []
    assert rows(Path(season.path), LOG) == before


def test_a_season_of_another_program_is_to_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "Winter.s3db"
    s3db(path, [("Baker", 1900), ("Jones", 1800)], [(1, 1, 1, 2, 2)])
    with pytest.raises(KeizerError, match=r"Winter.s3db .* `keizer import` takes over"):
        Season(str(path)).standings()
