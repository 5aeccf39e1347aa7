"""A season played with `keizer.Season` is the one played with the commands."""

import random
import re
from pathlib import Path

from keizer import Season
from tests.support.console import Console
from tests.support.files import rows

FACTS = "SELECT fact, row, state FROM _logged ORDER BY fact, row"
LOG = "SELECT description FROM command ORDER BY id"
STANDINGS = "SELECT round_number, rank, name, score FROM standings ORDER BY 1, 2"


def undated(db: Path) -> list[str]:
    return [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "", str(row)) for row in rows(db, FACTS)]


def test_a_season_is_the_same_by_module_and_by_command(tmp_path: Path) -> None:
    rng = random.Random(1)
    typed = Console(tmp_path / "typed.db")
    typed("init --name Club")
    season = Season.create(str(tmp_path / "module.db"), "Club")
    for number in range(24):
        typed(f"add P{number:02} --rating {2000 - number}")
        season.enter(f"P{number:02}", rating=2000 - number)
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
        typed("result -", stdin="".join(f"{board} {result}\n" for board, result in results.items()))
        season.results(results)
        if number == 2:
            typed("add Late --from-round 4 && withdraw P23")
            season.enter("Late", from_round=4)
            season.withdraw("P23")
        if number == 4:
            typed("result 1 0-1 --round 2 && result 2 1-0 && undo")
            season.results({1: "0-1"}, round_number=2)
            season.results({2: "1-0"})
            season.undo()
    for query in (LOG, STANDINGS):
        assert rows(typed.db, query) == rows(tmp_path / "module.db", query) != []
    assert undated(typed.db) == undated(tmp_path / "module.db") != []
