"""What earlier systems did, where no other test proves it: docs/earlier-systems.md."""

import csv
import random
import re
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.console import Console
from tests.support.files import ROOT, edit

pytestmark = pytest.mark.seeds

UNITS = 6_000_000
NEW_PLAYER = "INSERT INTO player (name) VALUES "


@pytest.fixture
def swiss(tmp_path: Path) -> Console:
    """A Swiss without players."""
    console = Console(tmp_path / "open.db")
    console("init --name Open --preset swiss")
    return console


def enter(console: Console, players: int) -> None:
    """P1 (the strongest) and so on."""
    listed = [f"P{number},{2400 - 10 * number}" for number in range(1, players + 1)]
    console("import -", stdin="\n".join(["name,rating", *listed]))


def last_sheet(console: Console) -> list[tuple[str, str | None]]:
    """The boards of the last round; behind them the player with the bye, and None."""
    ((number,),) = console.rows("SELECT max(round_number) FROM pairings")
    return console.sheet(number)


def test_a_new_tournament_has_an_id_of_its_own(swiss: Console) -> None:
    """Names may repeat in SQL; the id tells them apart, in a command too."""
    edit(swiss.db, *["INSERT INTO tournament (description) VALUES ('Open')"] * 2)
    swiss("add Anna -t '#3'")
    found = swiss.rows("SELECT id, description FROM tournament")
    assert found == [(number, "Open") for number in (1, 2, 3)]
    assert swiss.rows("SELECT DISTINCT tournament_id FROM standings") == [(3,)]


def test_namesakes_are_two_and_who_plays_twice_is_one(swiss: Console) -> None:
    edit(swiss.db, *(f"{NEW_PLAYER} ('{name}')" for name in ("Anna", "Jo", "Jo")))
    assert swiss.rows("SELECT id FROM player WHERE name = 'Jo'") == [(2,), (3,)]
    swiss("init --name Blitz && add Anna -t Open && add Anna -t Blitz")
    assert swiss.rows("SELECT tournament_id, player_id FROM results") == [(1, 1), (2, 1)]


def test_players_are_counted_in_their_tournament(swiss: Console) -> None:
    """0 in a new one and where all are deleted, 1 after one entry and 2 after two."""

    def counts() -> list[int]:
        found = [len(swiss.json(f"standings -t {name}")) for name in ("Open", "Blitz")]
        for view in ("results", "current_standings", "presence"):
            query = f"SELECT count(*) FROM {view} WHERE tournament_id = "
            in_view = [swiss.rows(f"{query} {number}") for number in (1, 2)]
            assert in_view == [[(number,)] for number in found], view
        return found

    swiss("init --name Blitz")
    seen = [counts()]
    for line in ("add Anna -t Open", "add Boris -t Open", "add Anna -t Blitz"):
        swiss(line)
        seen.append(counts())
    edit(swiss.db, "DELETE FROM x_player_tournament WHERE tournament_id = 1")
    assert [*seen, counts()] == [[0, 0], [1, 0], [2, 0], [2, 1], [0, 1]]


def test_what_is_deleted_leaves_nothing_behind(swiss: Console) -> None:
    """Games, then entries, then players and the tournament; before, nobody's points are left."""
    enter(swiss, 5)
    swiss("next-round")
    swiss.play(random.Random(4))
    swiss("correct P1 0.5 && prohibit P1 P2 --name family")
    edit(swiss.db, "DELETE FROM round", "DELETE FROM unplayed", "DELETE FROM correction")
    left = [
        (row["name"], row["score"], row["points"], row["played"]) for row in swiss.json("standings")
    ]
    assert left == [(f"P{number}", 0, 0, 0) for number in range(1, 6)]
    assert swiss.rows("SELECT DISTINCT score FROM x_player_tournament") == [(0,)]
    edit(swiss.db, "DELETE FROM x_player_tournament WHERE player_id < 5")
    edit(swiss.db, "DELETE FROM player WHERE id < 5")
    with pytest.raises(sqlite3.IntegrityError, match="has entered"):
        edit(swiss.db, "DELETE FROM player")
    for table in ("x_player_tournament", "player", "tournament"):
        edit(swiss.db, f"DELETE FROM {table}")
    # The same in every file; and what was.
    kept = {
        "outcome",
        "result_spelling",
        "fide_expectation",
        "tiebreak",
        "log",
        "command",
        "backup",
    }
    for (name,) in swiss.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ):
        assert name in kept or swiss.rows(f"SELECT count(*) FROM {name}") == [(0,)], name


def test_opponents_are_those_met_over_the_board(swiss: Console) -> None:
    """P1 has a bye, a forfeit and a game elsewhere: 0. P3 met P4 with 3 points, P2 with 6."""
    enter(swiss, 4)
    swiss("init --name Blitz --preset swiss && add P1 -t Blitz && add P3 -t Blitz")
    edit(
        swiss.db,
        "INSERT INTO round (tournament_id, round_number, white, black, result) VALUES"
        " (1, 1, 4, 3, '1-0'), (1, 2, 3, 2, '0-1'), (1, 2, 1, 4, '+-'), (1, 3, 2, 4, '1-0'),"
        " (2, 1, 1, 3, '0-1')",
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
        " VALUES (1, 1, 1, 'bye')",
    )
    assert swiss.rows(
        "SELECT player_id, value FROM tiebreak_opponents WHERE name = 'opponents'"
        " AND tournament_id = 1 AND round_number = 3 ORDER BY player_id"
    ) == [(1, 0), (2, 0 + 3), (3, 3 + 6), (4, 0 + 6)]
    ranked = [(row["name"], row["score"]) for row in swiss.json("standings -t Open")]
    assert ranked == [("P2", 6), ("P1", 6), ("P4", 3), ("P3", 0)]


@pytest.mark.parametrize(
    ("rules", "win", "draw"),
    [
        ("--preset swiss", 3, 1),
        ("--preset swiss-half", 1, 0.5),
        ("win.fixed=4 win.points=4 bye.fixed=4 bye.points=4 draw.fixed=2 draw.points=2", 4, 2),
    ],
)
def test_a_game_is_worth_what_is_asked(swiss: Console, rules: str, win: float, draw: float) -> None:
    """A bye as a win, once; before any game everybody is there with zeros."""
    swiss(f"rules {rules}")
    enter(swiss, 5)
    edit(swiss.db, f"{NEW_PLAYER} ('Not entered')")

    def figures() -> dict[str, tuple[float, ...]]:
        listed = swiss.json("standings")
        assert all(one["score"] >= two["score"] for one, two in pairwise(listed))
        what = ("score", "points", "played", "won", "byes")
        return {row["name"]: tuple(row[column] for column in what) for row in listed}

    assert figures() == dict.fromkeys(("P1", "P2", "P3", "P4", "P5"), (0, 0, 0, 0, 0))
    swiss("next-round --pair P1 P2 --pair P3 P4 && result 1 1-0 && result 2 =")
    assert figures() == {
        "P1": (win, win, 1, 1, 0), "P2": (0, 0, 1, 0, 0), "P3": (draw, draw, 1, 0, 0),
        "P4": (draw, draw, 1, 0, 0), "P5": (win, win, 0, 0, 1),
    }  # fmt: skip


def test_asking_for_the_pairing_again_writes_nothing(swiss: Console) -> None:
    enter(swiss, 3)
    swiss("next-round")
    for _ in range(2):
        assert "P3" in swiss("pairings")
        assert "round 1 is a draft" in swiss.refused("next-round")


def test_a_bye_counts_before_the_games_of_its_round_do(swiss: Console) -> None:
    """Classical points are those of the last list: rounds 1 and 2, with its games still open."""
    enter(swiss, 3)
    swiss("next-round --pair P2 P3 && result 1 1-0 && next-round --bye P3")
    found = swiss.rows("SELECT name, score FROM results ORDER BY name")
    assert found == [("P1", 3), ("P2", 3), ("P3", 3)]


@pytest.mark.parametrize("players", [4, 5, 8])
def test_pairs_are_made_by_the_standings(swiss: Console, players: int) -> None:
    """Winners meet winners, each player once; the last of who had none has the bye."""
    enter(swiss, players)
    swiss("next-round")
    assert last_sheet(swiss)[-1][1] is not None or last_sheet(swiss)[-1][0] == "P5"
    for board in range(1, players // 2 + 1):
        swiss(f"result {board} {'0-1' if board % 2 else '1-0'}")
    before = swiss.json("standings")
    score = {row["name"]: row["score"] for row in before}
    lowest = [row["name"] for row in before if not row["byes"]][-1]
    swiss("next-round")
    sheet = last_sheet(swiss)
    assert sorted(name for board in sheet for name in board if name) == sorted(score)
    boards = [(white, black) for white, black in sheet if black]
    assert len(boards) == players // 2
    assert [white for white, black in sheet if not black] == [lowest] * (players % 2)
    if players % 2 == 0:
        assert [score[white] for white, _ in boards] == [score[black] for _, black in boards]


def test_the_last_planned_round_is_paired_too(swiss: Console) -> None:
    swiss("rules rounds=3")
    enter(swiss, 4)
    for _ in range(3):
        swiss("next-round")
        swiss.play(random.Random(19))
    found = swiss.rows("SELECT round_number, count(*) FROM pairings GROUP BY round_number")
    assert found == [(1, 2), (2, 2), (3, 2)]


def test_what_a_pairing_starts_from_is_recounted(swiss: Console) -> None:
    """Pairs met, scores, colours, runs and byes, from games and absences alone."""
    enter(swiss, 9)
    rng = random.Random(57)
    for number in range(1, 6):
        swiss(f"absent P{rng.randint(1, 9)} && next-round")
        swiss.play(rng)
        games = swiss.rows("SELECT round_number, white, black, result FROM round ORDER BY 1")
        unplayed = swiss.rows("SELECT round_number, player_id, kind FROM unplayed")
        byes = Counter(player for _, player, kind in unplayed if kind == "bye")
        score = {player: 3 * byes[player] for player in range(1, 10)}
        for _, white, black, result in games:
            score[white] += {"1-0": 3, "½-½": 1}.get(result, 0)
            score[black] += {"0-1": 3, "½-½": 1}.get(result, 0)
        away = {player for when, player, _ in unplayed if when == number}
        with closing(sqlite3.connect(swiss.db, isolation_level=None)) as conn:
            conn.row_factory = sqlite3.Row
            known = conn.execute(
                "SELECT player_id, score_units, byes, bye_last_round FROM presence"
            ).fetchall()
            met = conn.execute(
                "SELECT white_id, black_id, meetings, last_meeting FROM possible_boards"
                " WHERE meetings"
            ).fetchall()
        assert {player: tuple(facts) for player, *facts in known} == {
            player: (UNITS * score[player], byes[player], player in away) for player in score
        }
        assert {frozenset(row[:2]): tuple(row[2:]) for row in met} == {
            frozenset(game[1:3]): (1, game[0]) for game in games
        }


def test_a_tournament_goes_out_and_comes_back_the_same(swiss: Console, tmp_path: Path) -> None:
    """Rules as printed, members, games and absences as exported; all views but of how it came."""
    enter(swiss, 8)
    rng = random.Random(23)
    for number in range(3):
        swiss(f"absent P{number + 2} --kind excused && next-round")
        swiss.play(rng)
    other = Console(tmp_path / "other.db")
    other("init --name Open")
    other("rules --file -", stdin=swiss("rules"))

    def carry(read: str, written: str, columns: dict[str, str], which: str) -> None:
        """Export a view of the one, import it to the other; columns: what they call it."""
        lines = csv.DictReader(swiss(f"export - --csv {read}").splitlines())
        cells = [[line[column] for column in columns.values()] for line in lines if line[which]]
        text = [",".join(line) for line in [columns, *sorted(cells)]]
        other(f"import - {written}", stdin="\n".join(text))

    carry("--round 0", "", {"name": "name", "rating": "rating"}, "name")
    games = {"round": "round_number", "white": "white", "black": "black", "result": "result"}
    carry("--view pairings", "--games", {**games, "board": "board"}, "board")
    away = {"round": "played_in", "player": "name", "kind": "kind"}
    carry("--view crosstable --round 3", "--unplayed", away, "kind")
    folders = [console.db.with_suffix("") for console in (swiss, other)]
    swiss(f"export {folders[0]}/ --json")
    other(f"export {folders[1]}/ --json")
    names = {path.stem for path in folders[0].iterdir()}
    assert {"standings", "results", "scores", "pairings", "crosstable", "presence"} < names
    for name in names - {"pairing_reasons", "relaxations", "rounds"}:
        texts = [(folder / f"{name}.json").read_text("utf-8") for folder in folders]
        assert len({re.sub(r'"fact_id": \d+', "", text) for text in texts}) == 1, name
    assert swiss("next-round --dry-run") == other("next-round --dry-run")


def test_the_page_has_every_behaviour_and_tests_that_are_there() -> None:
    """R01 to R58, U1 to U10, B1 to B13; and no test of this module is without a behaviour."""
    page = (ROOT / "docs/earlier-systems.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([RUB]\d+) \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    want = [f"R{number:02d}" for number in range(1, 59)]
    want += [f"U{number}" for number in range(1, 11)] + [f"B{number}" for number in range(1, 14)]
    assert [name for name, _ in listed] == want
    named = {test for _, cell in listed for test in re.findall(r"`([\w/]+\.py)((?:::\w+)+)`", cell)}
    assert all("`" in cell for _, cell in listed)
    for file, test in named:
        text = (ROOT / "tests" / file).read_text(encoding="utf-8")
        for part in test.split("::")[1:]:
            assert re.search(rf"^ *(def|class) {part}\b", text, re.MULTILINE), (file, part)
    here = re.findall(r"^def (test_\w+)", Path(__file__).read_text(encoding="utf-8"), re.MULTILINE)
    assert {test for file, test in named if file == "house/test_earlier_systems.py"} == {
        f"::{name}" for name in here[:-1]
    }
