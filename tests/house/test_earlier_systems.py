"""What earlier systems did, where no other test proves it: docs/earlier-systems.md."""

import csv
import json
import random
import re
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from keizer.season import rounds
from tests.support.files import ROOT, Keizer, edit, rows

UNITS = 6_000_000
Row = dict[str, Any]

BLANK: list[bytes] = []
"""A new Swiss without players, once it has been made."""


@pytest.fixture
def db(tmp_path: Path, keizer: Keizer) -> Path:
    """A Swiss without players."""
    path = tmp_path / "open.db"
    if not BLANK:
        keizer("init", path, "--name", "Open", "--preset", "swiss")
        BLANK.append(path.read_bytes())
    path.write_bytes(BLANK[0])
    return path


def enter(db: Path, keizer: Keizer, players: int) -> None:
    """P1 (the strongest) and so on."""
    listed = [f"P{at},{2400 - 10 * at}" for at in range(1, players + 1)]
    keizer("import", db, "-", stdin="\n".join(["name,rating", *listed]))


def report(db: Path, keizer: Keizer, *results: str) -> None:
    """The results of the last round, from board 1."""
    listed = "".join(f"{board} {result}\n" for board, result in enumerate(results, 1))
    keizer("result", db, "-", stdin=listed)


def play(db: Path, keizer: Keizer, rng: random.Random) -> None:
    """Pair a round, with a result for every board."""
    keizer("next-round", db)
    boards = sum(black is not None for _, black in sheet(db))
    report(db, keizer, *rng.choices(["1-0", "=", "0-1"], k=boards))


def sheet(db: Path) -> list[tuple[str, str | None]]:
    """The boards of the last round; behind them the player with the bye, and None."""
    return rows(
        db,
        "SELECT white, black FROM pairings"
        " WHERE round_number = (SELECT max(round_number) FROM pairings) ORDER BY board NULLS LAST",
    )


def standings(db: Path, keizer: Keizer, *options: str) -> list[Row]:
    """The standings as the command prints them."""
    found: list[Row] = json.loads(keizer("standings", db, "--json", *options).stdout)
    return found


def test_a_new_tournament_has_an_id_of_its_own(db: Path, keizer: Keizer) -> None:
    """Names may repeat in SQL; the id tells them apart, in a command too."""
    edit(db, *["INSERT INTO tournament (description) VALUES ('Open')"] * 2)
    keizer("add", db, "Anna", "-t", "#3")
    assert rows(db, "SELECT id, description FROM tournament") == [(it, "Open") for it in (1, 2, 3)]
    assert rows(db, "SELECT DISTINCT tournament_id FROM standings") == [(3,)]


def test_namesakes_are_two_and_who_plays_twice_is_one(db: Path, keizer: Keizer) -> None:
    edit(db, "INSERT INTO player (name) VALUES ('Anna')", "INSERT INTO player (name) VALUES ('Jo')")
    edit(db, "INSERT INTO player (name) VALUES ('Jo')")
    assert rows(db, "SELECT id FROM player WHERE name = 'Jo'") == [(2,), (3,)]
    keizer("init", db, "--name", "Blitz")
    for tournament in ("Open", "Blitz"):
        keizer("add", db, "Anna", "-t", tournament)
    entered = "SELECT tournament_id, player_id FROM results"
    assert rows(db, entered) == [(1, 1), (2, 1)]


def test_players_are_counted_in_their_tournament(db: Path, keizer: Keizer) -> None:
    """0 in a new one and where all are deleted, 1 after one entry and 2 after two."""

    def counts() -> list[int]:
        found = [len(standings(db, keizer, "-t", it)) for it in ("Open", "Blitz")]
        for view in ("results", "current_standings", "presence"):
            query = f"SELECT count(*) FROM {view} WHERE tournament_id = "
            assert [rows(db, f"{query} {it}") for it in (1, 2)] == [[(it,)] for it in found], view
        return found

    keizer("init", db, "--name", "Blitz")
    seen = [counts()]
    for name, tournament in (("Anna", "Open"), ("Boris", "Open"), ("Anna", "Blitz")):
        keizer("add", db, name, "-t", tournament)
        seen.append(counts())
    edit(db, "DELETE FROM x_player_tournament WHERE tournament_id = 1")
    assert [*seen, counts()] == [[0, 0], [1, 0], [2, 0], [2, 1], [0, 1]]


def test_what_is_deleted_leaves_nothing_behind(db: Path, keizer: Keizer) -> None:
    """Games, then entries, then players and the tournament; before, nobody's points are left."""
    enter(db, keizer, 5)
    play(db, keizer, random.Random(4))
    keizer("correct", db, "P1", "0.5")
    keizer("apart", db, "P1", "P2", "--name", "family")
    edit(db, "DELETE FROM round", "DELETE FROM unplayed", "DELETE FROM correction")
    nobody = [(f"P{at}", 0, 0, 0) for at in range(1, 6)]
    left = standings(db, keizer)
    assert [(it["name"], it["score"], it["points"], it["played"]) for it in left] == nobody
    assert rows(db, "SELECT DISTINCT score FROM x_player_tournament") == [(0,)]
    edit(db, "DELETE FROM x_player_tournament WHERE player_id < 5")
    edit(db, "DELETE FROM player WHERE id < 5")
    with pytest.raises(sqlite3.IntegrityError, match="has entered"):
        edit(db, "DELETE FROM player")
    edit(db, "DELETE FROM x_player_tournament", "DELETE FROM player", "DELETE FROM tournament")
    # The same in every file; and what was.
    kept = {"outcome", "result_spelling", "fide_expectation", "tiebreak", "log", "step", "backup"}
    for (name,) in rows(
        db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ):
        assert name in kept or rows(db, f"SELECT count(*) FROM {name}") == [(0,)], name


def test_opponents_are_those_met_over_the_board(db: Path, keizer: Keizer) -> None:
    """P1 has a bye, a forfeit and a game elsewhere: 0. P3 met P4 with 3 points, P2 with 6."""
    enter(db, keizer, 4)
    keizer("init", db, "--name", "Blitz", "--preset", "swiss")
    for name in ("P1", "P3"):
        keizer("add", db, name, "-t", "Blitz")
    edit(
        db,
        "INSERT INTO round (tournament_id, round_number, white, black, result) VALUES"
        " (1, 1, 4, 3, '1-0'), (1, 2, 3, 2, '0-1'), (1, 2, 1, 4, '+-'), (1, 3, 2, 4, '1-0'),"
        " (2, 1, 1, 3, '0-1')",
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
        " VALUES (1, 1, 1, 'bye')",
    )
    found = rows(
        db,
        "SELECT player_id, value FROM tiebreak_opponents WHERE name = 'opponents'"
        " AND tournament_id = 1 AND round_number = 3 ORDER BY player_id",
    )
    assert found == [(1, 0), (2, 0 + 3), (3, 3 + 6), (4, 0 + 6)]
    ranked = [(it["name"], it["score"]) for it in standings(db, keizer, "-t", "Open")]
    assert ranked == [("P2", 6), ("P1", 6), ("P4", 3), ("P3", 0)]


@pytest.mark.parametrize(
    ("preset", "win", "draw"), [("swiss", 3, 1), ("swiss-half", 1, 0.5), ("other", 4, 2)]
)
def test_a_game_is_worth_what_is_asked(
    db: Path, keizer: Keizer, preset: str, win: float, draw: float
) -> None:
    """A bye as a win, once; before any game everybody is there with zeros."""
    if preset == "other":
        for what, points in (("win", win), ("bye", win), ("draw", draw)):
            keizer("rules", db, f"{what}.fixed={points}", f"{what}.points={points}")
    else:
        keizer("rules", db, "--preset", preset)
    enter(db, keizer, 5)
    edit(db, "INSERT INTO player (name) VALUES ('Not entered')")

    def figures() -> dict[str, tuple[float, ...]]:
        listed = standings(db, keizer)
        assert all(one["score"] >= two["score"] for one, two in pairwise(listed))
        what = ("score", "points", "played", "won", "byes")
        return {it["name"]: tuple(it[column] for column in what) for it in listed}

    assert figures() == dict.fromkeys(("P1", "P2", "P3", "P4", "P5"), (0, 0, 0, 0, 0))
    keizer("next-round", db, "--pair", "P1", "P2", "--pair", "P3", "P4")
    report(db, keizer, "1-0", "=")
    assert figures() == {
        "P1": (win, win, 1, 1, 0), "P2": (0, 0, 1, 0, 0), "P3": (draw, draw, 1, 0, 0),
        "P4": (draw, draw, 1, 0, 0), "P5": (win, win, 0, 0, 1),
    }  # fmt: skip


def test_asking_for_the_pairing_again_writes_nothing(db: Path, keizer: Keizer) -> None:
    enter(db, keizer, 3)
    keizer("next-round", db)
    before = db.read_bytes()
    for _ in range(2):
        assert "P3" in keizer("pairings", db).stdout
        assert "round 1 is a draft" in keizer("next-round", db, fails=True).output
    assert db.read_bytes() == before


def test_a_bye_counts_before_the_games_of_its_round_do(db: Path, keizer: Keizer) -> None:
    """Classical points are those of the last list: rounds 1 and 2, with its games still open."""
    enter(db, keizer, 3)
    keizer("next-round", db, "--pair", "P2", "P3")
    report(db, keizer, "1-0")
    keizer("next-round", db, "--bye", "P3")
    found = rows(db, "SELECT name, score FROM results ORDER BY name")
    assert found == [("P1", 3), ("P2", 3), ("P3", 3)]


@pytest.mark.parametrize("players", [4, 5, 8])
def test_pairs_are_made_by_the_standings(db: Path, keizer: Keizer, players: int) -> None:
    """Winners meet winners, each player once; the last of who had none has the bye."""
    enter(db, keizer, players)
    keizer("next-round", db)
    assert sheet(db)[-1][1] is not None or sheet(db)[-1][0] == "P5"
    report(db, keizer, *["0-1", "1-0"] * (players // 4))
    before = standings(db, keizer)
    score = {it["name"]: it["score"] for it in before}
    lowest = [it["name"] for it in before if not it["byes"]][-1]
    keizer("next-round", db)
    assert sorted(name for board in sheet(db) for name in board if name) == sorted(score)
    boards = [(white, black) for white, black in sheet(db) if black]
    assert len(boards) == players // 2
    assert [white for white, black in sheet(db) if not black] == [lowest] * (players % 2)
    if players % 2 == 0:
        assert [score[white] for white, _ in boards] == [score[black] for _, black in boards]


def test_the_last_planned_round_is_paired_too(db: Path, keizer: Keizer) -> None:
    keizer("rules", db, "rounds=3")
    enter(db, keizer, 4)
    for _ in range(3):
        play(db, keizer, random.Random(19))
    found = rows(db, "SELECT round_number, count(*) FROM pairings GROUP BY round_number")
    assert found == [(1, 2), (2, 2), (3, 2)]


def test_what_a_pairing_starts_from_is_recounted(db: Path, keizer: Keizer) -> None:
    """Who sat out, pairs met, scores, colours, runs and byes, from games and absences alone."""
    enter(db, keizer, 9)
    rng = random.Random(57)
    for number in range(1, 6):
        keizer("absent", db, f"P{rng.randint(1, 9)}")
        play(db, keizer, rng)
        games = rows(db, "SELECT round_number, white, black, result FROM round ORDER BY 1")
        unplayed = rows(db, "SELECT round_number, player_id, kind FROM unplayed")
        byes = Counter(player for _, player, kind in unplayed if kind == "bye")
        score = {it: 3 * byes[it] for it in range(1, 10)}
        for _, white, black, result in games:
            score[white] += {"1-0": 3, "½-½": 1}.get(result, 0)
            score[black] += {"0-1": 3, "½-½": 1}.get(result, 0)
        away = {player for when, player, _ in unplayed if when == number}
        with closing(sqlite3.connect(db, isolation_level=None)) as conn:
            conn.row_factory = sqlite3.Row
            position = rounds.position_before(conn, 1)
        assert {it.id: (it.score, it.byes, it.sat_out) for it in position.players} == {
            it: (UNITS * score[it], byes[it], it in away) for it in score
        }
        assert sorted(position.facts["games"]) == sorted(game[:3] for game in games)


def test_a_tournament_goes_out_and_comes_back_the_same(
    db: Path, tmp_path: Path, keizer: Keizer
) -> None:
    """Rules as printed, members, games and absences as exported; all views but of how it came."""
    enter(db, keizer, 8)
    rng = random.Random(23)
    for number in range(3):
        keizer("absent", db, f"P{number + 2}", "--kind", "excused")
        play(db, keizer, rng)
    other = tmp_path / "other.db"
    keizer("init", other, "--name", "Open")
    keizer("rules", other, "--file", "-", stdin=keizer("rules", db).stdout)

    def carry(read: list[str], written: list[str], columns: dict[str, str], which: str) -> None:
        """Export a view of the one, import it to the other; columns: what they call it."""
        lines = csv.DictReader(keizer("export", db, "-", "--csv", *read).stdout.splitlines())
        cells = [[it[column] for column in columns.values()] for it in lines if it[which]]
        text = [",".join(line) for line in [columns, *sorted(cells)]]
        keizer("import", other, "-", *written, stdin="\n".join(text))

    carry(["--round", "0"], [], {"name": "name", "rating": "rating"}, "name")
    games = {"round": "round_number", "white": "white", "black": "black", "result": "result"}
    carry(["--view", "pairings"], ["--games"], {**games, "board": "board"}, "board")
    away = {"round": "played_in", "player": "name", "kind": "kind"}
    carry(["--view", "crosstable", "--round", "3"], ["--unplayed"], away, "kind")
    for path in (db, other):
        keizer("export", path, f"{path.with_suffix('')}/", "--json")
    names = {it.stem for it in db.with_suffix("").iterdir()}
    assert {"standings", "results", "scores", "pairings", "crosstable", "presence"} < names
    for name in names - {"pairing_reasons", "relaxations", "rounds"}:
        texts = [(it.with_suffix("") / f"{name}.json").read_text("utf-8") for it in (db, other)]
        assert len({re.sub(r'"fact_id": \d+', "", text) for text in texts}) == 1, name
    paired = [keizer("next-round", it, "--dry-run").stdout for it in (db, other)]
    assert paired[0] == paired[1]


def test_the_page_has_every_behaviour_and_tests_that_are_there() -> None:
    """R01 to R58, U1 to U10, B1 to B13; and no test of this module is without a behaviour."""
    page = (ROOT / "docs/earlier-systems.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([RUB]\d+) \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    want = [f"R{at:02d}" for at in range(1, 59)]
    want += [f"U{at}" for at in range(1, 11)] + [f"B{at}" for at in range(1, 14)]
    assert [name for name, _ in listed] == want
    named = {it for _, cell in listed for it in re.findall(r"`([\w/]+\.py)((?:::\w+)+)`", cell)}
    assert all("`" in cell for _, cell in listed)
    for file, test in named:
        text = (ROOT / "tests" / file).read_text(encoding="utf-8")
        for part in test.split("::")[1:]:
            assert re.search(rf"^ *(def|class) {part}\b", text, re.MULTILINE), (file, part)
    here = re.findall(r"^def (test_\w+)", Path(__file__).read_text(encoding="utf-8"), re.MULTILINE)
    assert {test for file, test in named if file == "house/test_earlier_systems.py"} == {
        f"::{it}" for it in here[:-1]
    }
