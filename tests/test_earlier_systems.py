"""Every behaviour of five earlier systems, as it ought to be: docs/earlier-systems.md.

One test a behaviour, named after it: R01 to R58 are the features of the five, U1 to
U10 and B1 to B13 what the relational Swiss module's own tests checked. What a match
was there is a game here, registering is entering, and a bye is a row of unplayed.
"""

import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx  # type: ignore[import-untyped]
import pytest

from keizer.pairing import Board, Game, Pairing, Player, Policy, pair
from keizer.season import presets, rounds
from keizer.store import sql
from tests.conftest import ROOT, Client, Keizer, edit, empty, order_by, rows
from tests.pairings import Case, every_pairing

# ------------------------------------------------------------------- of the file


BLANK: list[bytes] = []
"""A new Swiss without players, once it has been made."""


def swiss(db: Path, keizer: Keizer, players: int, *rules: str) -> Path:
    """A new Swiss of P1 (the strongest) and so on."""
    if not BLANK:
        keizer("init", db, "--name", "Open", "--preset", "swiss")
        BLANK.append(db.read_bytes())
    db.write_bytes(BLANK[0])
    listed = "".join(f"P{at},{2400 - 10 * at}\n" for at in range(1, players + 1))
    csv = db.with_suffix(".csv")
    csv.write_text("name,rating\n" + listed, encoding="utf-8")
    keizer("import", db, csv)
    if rules:
        keizer("rules", db, *rules)
    return db


def report(db: Path, keizer: Keizer, *results: str) -> None:
    """The results of the last round, from board 1."""
    listed = "".join(f"{board} {result}\n" for board, result in enumerate(results, 1))
    keizer("result", db, "-", stdin=listed)


def play(db: Path, keizer: Keizer, rng: random.Random) -> str:
    """Pair a round, and results for every board; what was said of the pairing."""
    said = keizer("next-round", db).output
    boards = len([it for it in sheet(db) if it[1]])
    report(db, keizer, *(rng.choice(["1-0", "=", "0-1"]) for _ in range(boards)))
    return said


def sheet(db: Path) -> list[tuple[str, str | None]]:
    """The boards of the last round; behind them who has the bye, and None."""
    return rows(
        db,
        "SELECT white, black FROM pairings"
        " WHERE round_number = (SELECT max(round_number) FROM pairings) ORDER BY board NULLS LAST",
    )


def table(db: Path, keizer: Keizer, *options: str) -> list[dict[str, Any]]:
    """The standings as the command prints them."""
    found: list[dict[str, Any]] = json.loads(keizer("standings", db, "--json", *options).stdout)
    return found


def scores(db: Path, keizer: Keizer, *options: str) -> dict[str, float]:
    return {row["name"]: row["score"] for row in table(db, keizer, *options)}


# ----------------------------------------------------- of a connection, in SQL only


def tournament(conn: sqlite3.Connection, preset: str | None = None) -> int:
    """A new tournament, perhaps with the rules of a preset."""
    added = conn.execute("INSERT INTO tournament (description) VALUES ('Club')").lastrowid or 0
    if preset:
        conn.row_factory = sqlite3.Row
        presets.apply(conn, added, preset)
        conn.row_factory = None
    return added


def enter(conn: sqlite3.Connection, where: int, ratings: Iterable[int | None]) -> list[int]:
    """New players with these ratings, who enter the tournament."""
    ids = []
    for rating in ratings:
        added = conn.execute("INSERT INTO player (name, rating) VALUES ('Somebody', ?)", (rating,))
        ids.append(added.lastrowid or 0)
        join(conn, where, ids[-1])
    return ids


def join(conn: sqlite3.Connection, where: int, player: int) -> None:
    conn.execute(
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (?, ?)", (player, where)
    )


def game(
    conn: sqlite3.Connection, where: int, number: int, white: int, black: int, result: str | None
) -> None:
    conn.execute(
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (?, ?, ?, ?, ?)",
        (where, number, white, black, result),
    )


def bye(conn: sqlite3.Connection, where: int, number: int, player: int, kind: str = "bye") -> None:
    conn.execute(
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (?, ?, ?, ?)",
        (where, number, player, kind),
    )


def count(conn: sqlite3.Connection, where: int) -> int:
    """How many have entered."""
    (found,) = conn.execute(
        "SELECT count(*) FROM x_player_tournament WHERE tournament_id = ?", (where,)
    ).fetchone()
    assert type(found) is int
    return found


def order(conn: sqlite3.Connection, where: int, number: int | None = None) -> list[int]:
    """The players of a table, first to last; the current one by default."""
    found = conn.execute(
        "SELECT player_id FROM standings WHERE tournament_id = ? AND round_number ="
        " COALESCE(?, (SELECT max(round_number) FROM standings WHERE tournament_id = ?))"
        " ORDER BY rank",
        (where, number, where),
    )
    return [player for (player,) in found]


def refused(conn: sqlite3.Connection, statement: str) -> str:
    """What the file says to a statement that it refuses; nothing is written."""
    before = list(conn.iterdump())
    with pytest.raises(sqlite3.IntegrityError) as error:
        conn.execute(statement)
    assert list(conn.iterdump()) == before
    return str(error.value)


# -------------------------------------------------- Keizer, counted a second time

NOTHING, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
POINTS = {"1-0": (ONE, NOTHING), "½-½": (HALF, HALF), "0-1": (NOTHING, ONE)}
Played = tuple[int, int, int, str]
"""Round, White, Black, result."""


@dataclass
class Line:
    """A player in a table."""

    rank: int
    value: Fraction
    """Of his rank in the list before the round."""
    won: Fraction
    """Keizer points of his games, all at the values before the round."""
    score: Fraction
    points: Fraction


def keizer_tables(
    ratings: dict[int, int], games: list[Played], top: int, step: int = 1, floor: int = 1
) -> list[dict[int, Line]]:
    """The tables after rounds 1, 2, ...: nothing but games counts, and the own value."""
    listed = sorted(ratings, key=lambda it: (-ratings[it], it))
    found = []
    for number in range(1, max(played[0] for played in games) + 1):
        value = {it: Fraction(max(floor, top - step * at)) for at, it in enumerate(listed)}
        won, points = dict.fromkeys(ratings, NOTHING), dict.fromkeys(ratings, NOTHING)
        for when, white, black, result in games:
            if when <= number:
                for me, other, made in zip(
                    (white, black), (black, white), POINTS[result], strict=True
                ):
                    won[me] += made * value[other]
                    points[me] += made
        before = {it: at for at, it in enumerate(listed)}
        listed.sort(key=lambda it: (-won[it] - value[it], before[it]))
        found.append(
            {
                it: Line(rank, value[it], won[it], won[it] + value[it], points[it])
                for rank, it in enumerate(listed, 1)
            }
        )
    return found


def random_games(rng: random.Random, players: list[int], last: int) -> list[Played]:
    """Some rounds of some of the players."""
    found = []
    for number in range(1, last + 1):
        here = rng.sample(players, len(players) - rng.randint(0, 2))
        found += [
            (number, white, black, rng.choice([*POINTS]))
            for white, black in zip(here[::2], here[1::2], strict=False)
        ]
    return found


def club_season(
    conn: sqlite3.Connection, seed: int, players: int = 10, top: int = 50
) -> tuple[int, dict[int, int], list[Played]]:
    """A tournament with random games, and what was written."""
    rng = random.Random(seed)
    where = tournament(conn)
    conn.execute("UPDATE rules SET top_value = ? WHERE tournament_id = ?", (top, where))
    ratings = [rng.randint(14, 20) * 100 for _ in range(players)]
    ids = enter(conn, where, ratings)
    games = random_games(rng, ids[:-1], 4)
    for played in games:
        game(conn, where, *played)
    return where, dict(zip(ids, ratings, strict=True)), games


# ----------------------------------------------------------- the engine by itself


def policy_of(preset: str) -> Policy:
    """What the file hands to the engine after `keizer rules --preset`."""
    conn = empty()
    tournament(conn, preset)
    conn.row_factory = sqlite3.Row
    stored = conn.execute(f"SELECT {', '.join(Policy._fields)} FROM rules").fetchone()
    conn.close()
    return Policy(**dict(stored))


SWISS = policy_of("swiss")
NO_COLOURS = SWISS._replace(colour_run="off", colour_difference="off")


@dataclass
class Event:
    """A Swiss that the engine pairs; what the tests compare with is kept here."""

    size: int
    seed: int
    policy: Policy = SWISS
    presence: float = 1
    score: Counter[int] = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)
    games: list[Game] = field(default_factory=list)

    def play(self, last: int) -> Iterator[tuple[Case, Pairing | None]]:
        """Round by round, until there is none without a rematch: None."""
        rng = random.Random(self.seed)
        there = range(1, self.size + 1)
        sat_out: set[int] = set()
        for number in range(1, last + 1):
            here = [it for it in there if rng.random() < self.presence] or [1]
            players = [
                Player(it, score=self.score[it], byes=self.byes[it], sat_out=it in sat_out)
                for it in sorted(here, key=lambda it: (-self.score[it], it))
            ]
            case = Case(players, list(self.games), number, self.policy)
            found = case.possible()
            yield case, found
            if found is None:
                return
            sat_out = set(there) - {it for board in found.boards for it in board}
            if found.bye is not None:
                self.byes[found.bye] += 1
                self.score[found.bye] += 3
            for white, black in found.boards:
                self.games.append(Game(number, white, black))
                made = rng.choice([(3, 0), (3, 0), (1, 1), (0, 3)])
                self.score[white] += made[0]
                self.score[black] += made[1]


def played(
    sizes: Iterable[int], last: int, policy: Policy = SWISS, presence: float = 1
) -> list[tuple[Case, Pairing | None]]:
    """The rounds of two events of each size."""
    return [
        output
        for size in sizes
        for seed in range(2)
        for output in Event(size, 100 * size + seed, policy, presence).play(last)
    ]


@pytest.fixture(scope="module")
def outputs() -> list[tuple[Case, Pairing]]:
    """Rounds of Swiss events of 4 to 17 players, and of Keizer ones."""
    found = played(range(4, 18), 6) + played(range(4, 18), 5, Policy(), 0.9)
    return [(case, pairing) for case, pairing in found if pairing is not None]


def met(case: Case) -> set[frozenset[int]]:
    return {frozenset(it[1:]) for it in case.games}


def colours(case: Case) -> dict[int, list[int]]:
    """White as 1 and Black as -1, in the order of the rounds; a bye is no colour."""
    found: dict[int, list[int]] = {player.id: [] for player in case.players}
    for _, white, black in sorted(case.games):
        for it, colour in ((white, 1), (black, -1)):
            if it in found:
                found[it].append(colour)
    return found


def score_gaps(case: Case, units: Iterable[tuple[int, ...]]) -> int:
    """The score difference over all boards."""
    score = {player.id: player.score for player in case.players}
    return sum(abs(score[unit[0]] - score[unit[1]]) for unit in units if len(unit) > 1)


def without_rematch(case: Case) -> list[list[tuple[int, ...]]]:
    """Every pairing of those present in which nobody meets again."""
    before = met(case)
    return [
        units
        for units in every_pairing([player.id for player in case.players])
        if not any(frozenset(unit) in before for unit in units)
    ]


def most_pairs(ids: Iterable[int], legal: Callable[[int, int], bool]) -> int:
    """The size of a maximum matching, by networkx."""
    graph, ids = nx.Graph(), list(ids)
    graph.add_edges_from(
        (one, other) for at, one in enumerate(ids) for other in ids[at + 1 :] if legal(one, other)
    )
    return len(nx.max_weight_matching(graph, maxcardinality=True))


def too_often(history: list[int], colour: int) -> bool:
    """A third time running."""
    return history[-2:] == [colour] * 2


def too_far(history: list[int], colour: int) -> bool:
    """Three more of one colour than of the other."""
    return abs(sum(history) + colour) > 2


def can_be_seated(
    one: list[int], other: list[int], *wrong: Callable[[list[int], int], bool]
) -> bool:
    return any(
        not any(is_wrong(one, mine) or is_wrong(other, -mine) for is_wrong in wrong)
        for mine in (1, -1)
    )


# ------------------------------------------------ 0: the relational Swiss tournament


def test_R01_a_new_tournament_has_an_id_of_its_own(
    conn: sqlite3.Connection, keizer: Keizer, tmp_path: Path
) -> None:
    """Names may repeat: the id tells them apart, in the command too."""
    made = [
        conn.execute("INSERT INTO tournament (description) VALUES ('Club') RETURNING id").fetchall()
        for _ in range(3)
    ]
    assert made == [[(1,)], [(2,)], [(3,)]]
    db = tmp_path / "club.db"
    keizer("init", db, "--name", "Club")
    edit(db, "INSERT INTO tournament (description) VALUES ('Club')")
    keizer("add", db, "Anna", "-t", "#2")
    assert rows(db, "SELECT tournament_id, player_id FROM x_player_tournament") == [(2, 1)]


def test_R02_a_player_enters_one_tournament_or_several(
    conn: sqlite3.Connection, club: Path, keizer: Keizer
) -> None:
    """Namesakes are two players; the same player in two tournaments is one."""
    names = [("Anna",), ("Anna",)]
    conn.executemany("INSERT INTO player (name) VALUES (?)", names)
    assert conn.execute("SELECT id, name FROM player").fetchall() == [(1, "Anna"), (2, "Anna")]
    keizer("init", club, "--name", "Blitz")
    assert keizer("add", club, "Anna", "-t", "Blitz").stdout.startswith("Anna (#1)")
    assert rows(club, "SELECT tournament_id FROM x_player_tournament WHERE player_id = 1") == [
        (1,),
        (2,),
    ]


def test_R03_players_are_counted_in_their_tournament(conn: sqlite3.Connection) -> None:
    one, other = tournament(conn), tournament(conn)
    assert count(conn, one) == 0
    enter(conn, one, [1500] * 3)
    enter(conn, other, [1500] * 5)
    assert (count(conn, one), count(conn, other)) == (3, 5)
    conn.execute("DELETE FROM x_player_tournament WHERE tournament_id = ?", (one,))
    assert (count(conn, one), count(conn, other)) == (0, 5)


def test_R04_what_is_deleted_leaves_nothing_behind(conn: sqlite3.Connection) -> None:
    """Games, then entries, then players and the tournament; in the other order refused."""
    where = tournament(conn, "swiss")
    ids = enter(conn, where, [2000, 1900, 1800])
    game(conn, where, 1, ids[0], ids[1], "1-0")
    bye(conn, where, 1, ids[2])
    conn.execute(
        "INSERT INTO correction (tournament_id, player_id, points) VALUES (?, ?, 0.5)",
        (where, ids[1]),
    )
    conn.executemany(
        "INSERT INTO apart (tournament_id, name, player_id) VALUES (?, 'family', ?)",
        [(where, it) for it in ids[:2]],
    )
    assert "has entered" in refused(conn, f"DELETE FROM player WHERE id = {ids[0]}")
    assert "has players" in refused(conn, "DELETE FROM tournament")
    assert "has games" in refused(conn, "DELETE FROM x_player_tournament")
    conn.execute("DELETE FROM round")
    conn.execute("DELETE FROM unplayed")
    zero = conn.execute("SELECT DISTINCT round_number, points, played FROM standings").fetchall()
    assert (zero, count(conn, where)) == ([(0, 0, 0)], 3)
    conn.execute("DELETE FROM x_player_tournament")
    conn.execute("DELETE FROM player")
    conn.execute("DELETE FROM tournament")
    # The same in every file; and what was.
    kept = {"outcome", "result_spelling", "fide_expectation", "tiebreak", "log"}
    for (name,) in conn.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall():
        if name not in kept:
            assert conn.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,), name


@pytest.mark.parametrize("seed", range(3))
def test_R05_standings_have_everybody_in_an_order_that_is_complete(
    tmp_path: Path, keizer: Keizer, seed: int
) -> None:
    """By score, then by the scores of the opponents: a recount; the same on every run."""
    rng = random.Random(seed)
    db = swiss(tmp_path / "open.db", keizer, 9)
    names = {f"P{at}" for at in range(1, 10)}
    assert {row["name"] for row in table(db, keizer)} == names
    for _ in range(4):
        play(db, keizer, rng)
    score: Counter[int] = Counter()
    opponents: dict[int, list[int]] = {it: [] for it in range(1, 10)}
    for white, black, result in rows(db, "SELECT white, black, result FROM round"):
        for me, other, won in ((white, black, "1-0"), (black, white, "0-1")):
            opponents[me].append(other)
            score[me] += 3 if result == won else result == "½-½"
    for (player,) in rows(db, "SELECT player_id FROM unplayed WHERE kind = 'bye'"):
        score[player] += 3
    listed = rows(db, "SELECT rank, player_id, score FROM current_standings ORDER BY rank")
    assert [rank for rank, _, _ in listed] == [*range(1, 10)]
    assert {player: made for _, player, made in listed} == score
    keys = [(score[it], sum(score[other] for other in opponents[it])) for _, it, _ in listed]
    assert keys == sorted(keys, reverse=True)
    first = table(db, keizer)
    edit(db, "INSERT INTO revalue VALUES (1, 0)")
    assert table(db, keizer) == first
    assert {row["name"] for row in first} == names


@pytest.mark.parametrize("late", [False, True])
def test_R06_who_met_nobody_has_opponents_worth_0(conn: sqlite3.Connection, late: bool) -> None:
    """1 has a bye. 2 beat 3, who beat 4: above him. 5 beat 6, who has 0: as 1, so by rating."""
    where = tournament(conn, "swiss")
    ids = enter(conn, where, [1500 if late else 2000, 1400, 1300, 1200, 1600, 1100])
    game(conn, where, 1, ids[2], ids[3], "1-0")
    bye(conn, where, 2, ids[0])
    game(conn, where, 2, ids[1], ids[2], "1-0")
    game(conn, where, 2, ids[4], ids[5], "1-0")
    elsewhere = tournament(conn, "swiss")  # where 1 meets somebody with 3 points
    for it in (*ids[:2], ids[5]):
        join(conn, elsewhere, it)
    game(conn, elsewhere, 1, ids[5], ids[1], "1-0")
    game(conn, elsewhere, 2, ids[0], ids[5], "1-0")
    met_somebody = ids[1:2]
    equal = [ids[4], ids[0]] if late else [ids[0], ids[4]]
    # 3 lost to the same 2, but has met 4 as well: 3 and 0 points.
    assert [it for it in order(conn, where) if it not in (*ids[2:4], ids[5])] == [
        *met_somebody,
        *equal,
    ]


def test_R07_a_game_is_worth_3_or_1_each_and_nonsense_is_refused(
    tmp_path: Path, keizer: Keizer
) -> None:
    """As the rules of the file say; a draw is one sign, not two numbers that must agree."""
    db = swiss(tmp_path / "open.db", keizer, 4)
    keizer("add", db, "Late", "--from-round", 5)
    edit(db, "INSERT INTO player (name) VALUES ('Stranger')")
    keizer("next-round", db)
    assert sheet(db) == [("P3", "P1"), ("P4", "P2")]
    report(db, keizer, "1-0", "=")
    want = {"P3": 3, "P1": 0, "P4": 1, "P2": 1}
    assert scores(db, keizer) == want
    new = "INSERT INTO round (tournament_id, round_number, white, black, result) VALUES "
    conn = sqlite3.connect(db, isolation_level=None)
    for values, said in {
        "(1, 2, 1, 1, '1-0')": "cannot_meet_himself",
        "(1, 2, 1, 77, '1-0')": "Black did not enter this tournament",
        "(1, 2, 1, 6, '1-0')": "did not enter",
        "(1, 1, 3, 1, '1-0')": "already has a game",
        "(1, 1, 1, 3, '1-0')": "already has a game",
        "(1, 2, 1, 4, '3-0')": "unknown result",
    }.items():
        assert said in refused(conn, new + values)
    conn.close()
    keizer("result", db, 7, "1-0", fails=True)
    keizer("rules", db, "win.fixed=2", "draw.fixed=0.5")
    assert scores(db, keizer) == {"P3": 2, "P1": 0, "P4": 0.5, "P2": 0.5}


@pytest.mark.parametrize(("players", "last"), [(5, 5), (9, 7), (16, 7)])
def test_R08_one_bye_a_round_of_an_odd_field_and_one_each(
    tmp_path: Path, keizer: Keizer, players: int, last: int
) -> None:
    """Five players have one each in five rounds. It is on the sheet."""
    db = swiss(tmp_path / "open.db", keizer, players)
    rng = random.Random(players)
    odd = players % 2
    had: list[str] = []
    for number in range(1, last + 1):
        listed = rows(db, "SELECT name FROM current_standings ORDER BY rank")
        lowest = [name for (name,) in listed if name not in had][-1]
        assert "Could not be avoided" not in play(db, keizer, rng) or players < 9
        byes = [white for white, black in sheet(db) if black is None]
        assert len(byes) == odd
        assert number > 1 or byes == [lowest] * odd
        had += byes
    assert keizer("pairings", db).stdout.count(" bye") == odd
    assert len(had) == last * odd
    assert len(set(had)) == min(players, last) * odd
    pairs = rows(db, "SELECT min(white, black), max(white, black) FROM round")
    assert len(set(pairs)) == len(pairs) == last * (players // 2)


def test_R09_a_bye_is_a_win_once_and_asking_again_writes_nothing(
    tmp_path: Path, keizer: Keizer
) -> None:
    db = swiss(tmp_path / "open.db", keizer, 3)
    keizer("next-round", db)
    before = db.read_bytes()
    for _ in range(2):
        assert "P3" in keizer("pairings", db).stdout
        assert "round 1 is a draft" in keizer("next-round", db, fails=True).output
    assert db.read_bytes() == before
    conn = sqlite3.connect(db, isolation_level=None)
    assert "already has an unplayed round" in refused(
        conn,
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
        " VALUES (1, 1, 3, 'bye')",
    )
    conn.close()
    report(db, keizer, "1-0")
    assert scores(db, keizer) == {"P2": 3, "P3": 3, "P1": 0}


def test_R10_a_bye_is_known_to_have_been_had(tmp_path: Path, keizer: Keizer) -> None:
    """Exactly those with a row of it, after every round; an absence is none."""
    db = swiss(tmp_path / "open.db", keizer, 6)
    rng = random.Random(10)
    had: Counter[str] = Counter()
    for number in range(1, 5):
        keizer("absent", db, f"P{number}")
        play(db, keizer, rng)
        had[sheet(db)[-1][0]] += 1
        found = rows(db, "SELECT name, byes FROM presence")
        assert dict(found) == {f"P{at}": had[f"P{at}"] for at in range(1, 7)}


def test_R11_a_pairing_without_a_rematch_is_found_or_said_not_to_be(
    tmp_path: Path, keizer: Keizer
) -> None:
    """1-2 3-4 5-6, 1-3 5-2 6-4, the first named winning: 1-5 3-6 4-2 has level scores."""
    db = swiss(tmp_path / "open.db", keizer, 6, "colour_run=off", "colour_difference=off")
    history = [(1, 1, 2), (1, 3, 4), (1, 5, 6), (2, 1, 3), (2, 5, 2), (2, 6, 4)]
    edit(
        db,
        "INSERT INTO round (tournament_id, round_number, white, black, result) VALUES "
        + ", ".join(f"(1, {number}, {one}, {two}, '1-0')" for number, one, two in history),
    )
    keizer("next-round", db)
    assert {frozenset(board) for board in sheet(db)} == {
        frozenset({"P1", "P5"}),
        frozenset({"P3", "P6"}),
        frozenset({"P4", "P2"}),
    }
    four = swiss(tmp_path / "four.db", keizer, 4)
    for _ in range(3):
        play(four, keizer, random.Random(1))
    before = four.read_bytes()
    assert "nobody may meet twice in a Swiss" in keizer("next-round", four, fails=True).output
    assert four.read_bytes() == before


def test_R12_pairs_are_made_by_the_standings(tmp_path: Path, keizer: Keizer) -> None:
    """Eight players: four pairs, each player once, winners with winners."""
    db = swiss(tmp_path / "open.db", keizer, 8)
    keizer("next-round", db)
    winners = {board[at % 2] for at, board in enumerate(sheet(db))}
    report(db, keizer, "1-0", "0-1", "1-0", "0-1")
    keizer("next-round", db)
    second = sheet(db)
    assert len(second) == 4
    assert sorted(name for board in second for name in board if name) == sorted(
        f"P{at}" for at in range(1, 9)
    )
    assert [len({*board} & winners) for board in second] == [2, 2, 0, 0]


def test_R13_another_tournament_changes_no_answer(tmp_path: Path, keizer: Keizer) -> None:
    """Every view that knows tournaments, and the next pairing."""
    db = swiss(tmp_path / "open.db", keizer, 7)
    rng = random.Random(13)
    for _ in range(3):
        play(db, keizer, rng)
    views = [
        name
        for (name,) in rows(db, "SELECT name FROM sqlite_schema WHERE type = 'view'")
        if ("tournament_id",) in rows(db, f"SELECT name FROM pragma_table_info('{name}')")
    ]
    assert {"standings", "results", "scores", "pairings", "presence"} <= set(views)

    def answers() -> list[object]:
        with closing(sqlite3.connect(db)) as conn:
            found: list[object] = [
                sorted(conn.execute(f"SELECT * FROM {view} WHERE tournament_id = 1"), key=repr)
                for view in views
            ]
        return [*found, keizer("next-round", db, "--dry-run", "-t", "#1").stdout]

    before = answers()
    keizer("init", db, "--name", "Blitz")
    for at in range(1, 8):
        keizer("add", db, f"P{at}", "-t", "Blitz")
    for _ in range(2):
        keizer("next-round", db, "-t", "Blitz")
        keizer("result", db, "-", "-t", "Blitz", stdin="1 0-1\n2 0-1\n3 0-1\n")
    assert answers() == before


# ------------------------------------------------------ 1: the tree-search Swiss pairer


def test_R14_every_round_is_paired_at_the_least_difference_or_proven_impossible() -> None:
    """Against every pairing there is; with the bye where the bye rules put it."""
    found = played(range(2, 10), 7, NO_COLOURS)
    impossible = 0
    for case, pairing in found:
        candidates = without_rematch(case)
        assert (pairing is None) == (not candidates)
        if pairing is None:
            impossible += 1
        else:
            least = min(
                score_gaps(case, units)
                for units in candidates
                if pairing.bye is None or (pairing.bye,) in units
            )
            assert score_gaps(case, pairing.boards) == least
    assert len(found) > 70
    assert impossible > 5


@pytest.mark.parametrize("players", [8, 9])
def test_R15_the_first_round_is_drawn_or_across_the_table(
    tmp_path: Path, keizer: Keizer, players: int
) -> None:
    """The seed decides, and nobody is dropped; halves: 1 meets 5."""
    drawn = []
    for which, seed in enumerate((3, 3, 4)):
        db = swiss(tmp_path / f"{which}.db", keizer, players, "first_round=random", f"seed={seed}")
        keizer("next-round", db)
        drawn.append(sheet(db))
        seated = [name for board in drawn[-1] for name in board if name]
        assert sorted(seated) == sorted(f"P{at}" for at in range(1, players + 1))
    assert drawn[0] == drawn[1] != drawn[2]
    db = swiss(tmp_path / "halves.db", keizer, players)
    keizer("next-round", db)
    across = {frozenset({f"P{at}", f"P{at + 4}"}) for at in range(1, 5)}
    assert {frozenset(board) for board in sheet(db) if board[1]} == across


def test_R16_the_bye_climbs_from_the_bottom_and_comes_once() -> None:
    """Seven players who have not met: the lowest of those without one, the leader last."""
    for had in range(7):
        players = [Player(it, score=7 - it, byes=int(it > 7 - had)) for it in range(1, 8)]
        assert pair(players, round_number=8, policy=SWISS).bye == 7 - had
    event = Event(7, 16)
    assert len(list(event.play(5))) == 5
    assert sorted(event.byes.values()) == [1] * 5


def test_R17_a_match_is_won_by_its_games(tmp_path: Path, keizer: Keizer) -> None:
    """White's wins, Black's wins, drawn games: the result follows; what is open is no draw."""
    db = swiss(tmp_path / "open.db", keizer, 8)
    keizer("next-round", db)
    read = "SELECT board, result, white_wins, black_wins, drawn FROM round ORDER BY board"
    assert rows(db, read) == [(board, None, None, None, None) for board in range(1, 5)]
    report(db, keizer, "2-1", "1-1-1", "0-0-3")
    assert rows(db, read) == [
        (1, "1-0", 2, 1, 0),
        (2, "½-½", 1, 1, 1),
        (3, "½-½", 0, 0, 3),
        (4, None, None, None, None),
    ]
    of_board_4 = {scores(db, keizer)[str(name)] for name in sheet(db)[3]}
    assert of_board_4 == {0}
    edit(db, "UPDATE round SET white_wins = 0, black_wins = 2, drawn = 1 WHERE board = 4")
    assert rows(db, "SELECT result FROM round WHERE board = 4") == [("0-1",)]
    before = db.read_bytes()
    keizer("result", db, "-", stdin="1 -1-2\n", fails=True)
    conn = sqlite3.connect(db, isolation_level=None)
    for column in ("white_wins", "black_wins", "drawn"):
        refused(conn, f"UPDATE round SET {column} = -1 WHERE board = 4")
    conn.close()
    assert db.read_bytes() == before


def test_R18_a_round_is_closed_reopened_and_corrected(tmp_path: Path, keizer: Keizer) -> None:
    """Not before all is reported; undone and done again it is the same; corrections count."""
    db = swiss(tmp_path / "open.db", keizer, 4)
    keizer("next-round", db)
    keizer("result", db, 1, "1-0")
    assert "board 2" in keizer("next-round", db, fails=True).output
    keizer("result", db, 2, "1-0")
    tables = (
        "SELECT * FROM ranking_list",
        "SELECT tournament_id, round_number, white, black FROM round",
    )
    before = [rows(db, query) for query in tables]
    keizer("next-round", db)
    second = [rows(db, query) for query in tables]
    keizer("undo", db)
    assert [rows(db, query) for query in tables] == before
    keizer("next-round", db)
    assert [rows(db, query) for query in tables] == second
    assert sorted(scores(db, keizer, "--round", "1").values()) == [0, 0, 3, 3]
    keizer("result", db, 1, "=", "--round", 1)
    assert sorted(scores(db, keizer, "--round", "1").values()) == [0, 1, 1, 3]
    assert sorted(row[0] for row in rows(db, "SELECT score FROM current_standings")) == [0, 1, 1, 3]


@pytest.mark.parametrize(("players", "last"), [(4, 3), (8, 5), (9, 5)])
def test_R19_the_last_planned_round_is_paired_too(
    tmp_path: Path, keizer: Keizer, players: int, last: int
) -> None:
    db = swiss(tmp_path / "open.db", keizer, players, f"rounds={last}")
    for _ in range(last):
        play(db, keizer, random.Random(19))
    assert rows(db, "SELECT round_number, count(*) FROM round GROUP BY round_number") == [
        (number, players // 2) for number in range(1, last + 1)
    ]


@pytest.mark.parametrize(
    ("preset", "win", "draw"), [("swiss", 3, 1), ("swiss-half", 1, 0.5), ("other", 4, 2)]
)
def test_R20_points_are_3_1_0_or_what_is_asked(
    tmp_path: Path, keizer: Keizer, preset: str, win: float, draw: float
) -> None:
    """Score and classical points alike, a bye as a win; the standings go by them."""
    db = swiss(tmp_path / "open.db", keizer, 5)
    if preset == "other":
        for what, points in (("win", win), ("bye", win), ("draw", draw)):
            keizer("rules", db, f"{what}.fixed={points}", f"{what}.points={points}")
    else:
        keizer("rules", db, "--preset", preset)
    keizer("next-round", db)
    report(db, keizer, "1-0", "=")
    (won, lost), (drew, drew_too), (sat_out, _) = sheet(db)
    want = {won: win, lost: 0, drew: draw, drew_too: draw, sat_out: win}
    found = table(db, keizer)
    assert {row["name"]: row["score"] for row in found} == want
    assert {row["name"]: row["points"] for row in found} == want
    assert [row["score"] for row in found] == sorted(want.values(), reverse=True)


def test_R21_players_come_late_leave_and_miss_a_round(tmp_path: Path, keizer: Keizer) -> None:
    db = swiss(tmp_path / "open.db", keizer, 6)
    rng = random.Random(21)
    play(db, keizer, rng)
    keizer("add", db, "Late")
    keizer("withdraw", db, "P6")
    keizer("absent", db, "P1", "P2")
    play(db, keizer, rng)
    there = {name for board in sheet(db) for name in board if name}
    assert there == {"P3", "P4", "P5", "Late"}
    play(db, keizer, rng)
    there = {name for board in sheet(db) for name in board if name}
    assert there == {"P1", "P2", "P3", "P4", "P5", "Late"}
    assert {row["name"] for row in table(db, keizer)} == there | {"P6"}
    assert rows(db, "SELECT problem FROM problems") == []


def test_R22_ties_are_broken_by_the_percentages_of_the_opponents(
    conn: sqlite3.Connection,
) -> None:
    """Score, OMW%, GW%, OGW%, as Magic has it: the order of an exact recount."""
    where, matches = of_games(conn, 22)
    order_by(conn, "score,omw,gw,ogw")
    want = Percentages(matches)
    keys = [(want.points(it), want.omw(it), want.gw(it), want.ogw(it)) for it in order(conn, where)]
    assert keys == sorted(keys, reverse=True)
    assert len({key[0] for key in keys}) < len(set(keys))


def test_R23_a_tournament_goes_out_and_comes_back_the_same(tmp_path: Path, keizer: Keizer) -> None:
    """As SQL text, whole; and as rules, members and games, each in its file.

    The search is not kept as a graph: who was passed over, and why, is.
    """
    db = swiss(tmp_path / "open.db", keizer, 7)
    rng = random.Random(23)
    for _ in range(3):
        play(db, keizer, rng)
    conn = sqlite3.connect(db)
    text = list(conn.iterdump())
    conn.close()
    again = sqlite3.connect(tmp_path / "again.db")
    again.executescript("\n".join(text))
    assert list(again.iterdump()) == text
    again.close()
    query = "SELECT * FROM standings"
    assert rows(tmp_path / "again.db", query) == rows(db, query)
    assert rows(db, "SELECT DISTINCT about FROM pairing_reasons WHERE about = 'nearer'")
    other = tmp_path / "other.db"
    keizer("init", other, "--name", "Other")
    keizer("rules", other, "--file", "-", stdin=keizer("rules", db).stdout)
    exports = {
        "": ("name,rating", "SELECT name, rating FROM player"),
        "--games": (
            "round,white,black,result",
            "SELECT round_number, white, black, result FROM pairings WHERE board",
        ),
        "--unplayed": ("round,player,kind", "SELECT round_number, white, result FROM pairings"
        " WHERE black IS NULL"),
    }  # fmt: skip
    csv = tmp_path / "export.csv"
    for option, (head, query) in exports.items():
        lines = [head, *(",".join(map(str, row)) for row in rows(db, query))]
        csv.write_text("\n".join(lines), encoding="utf-8")
        keizer("import", other, csv, *([option] if option else []))
    assert table(other, keizer) == table(db, keizer)
    assert (
        keizer("next-round", other, "--dry-run").stdout
        == keizer("next-round", db, "--dry-run").stdout
    )


# ------------------------------------------------------- 2: the original Keizer database


def test_R24_the_schema_keeps_its_promises(tmp_path: Path) -> None:
    """With foreign keys on a season can be written; VACUUM renumbers nobody."""
    conn = sqlite3.connect(tmp_path / "club.db", isolation_level=None)
    conn.executescript(sql.script())
    conn.execute("PRAGMA foreign_keys = ON")
    where, _, _ = club_season(conn, 24)
    conn.execute("DELETE FROM round WHERE round_number = 1")
    conn.execute("INSERT INTO player (id, name) VALUES (99, 'Guest')")
    assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
    before = conn.execute("SELECT id, name, rating FROM player").fetchall()
    games = conn.execute("SELECT white, black, result FROM round").fetchall()
    conn.execute("DELETE FROM player WHERE id = 99")
    conn.execute("VACUUM")
    assert conn.execute("SELECT id, name, rating FROM player").fetchall() == before[:-1]
    assert conn.execute("SELECT white, black, result FROM round").fetchall() == games
    conn.execute("PRAGMA foreign_keys = OFF")
    for name in ("player", "tournament"):
        (key,) = conn.execute(
            "SELECT type FROM pragma_table_info(?) WHERE name = 'id' AND pk", (name,)
        ).fetchone()
        assert key == "INTEGER"
    new = "INSERT INTO round (tournament_id, round_number, white, black, result) VALUES "
    white, black = conn.execute("SELECT white, black FROM round WHERE round_number = 2").fetchone()
    (last,) = conn.execute("SELECT max(round_number) FROM round").fetchone()
    assert "NOT NULL" in refused(conn, new + f"({where}, NULL, {white}, {black}, '1-0')")
    assert "unknown result" in refused(
        conn, new + f"({where}, {last + 1}, {white}, {black}, 'won')"
    )
    assert "meet_himself" in refused(conn, new + f"({where}, 9, {white}, {white}, '1-0')")
    assert "already has a game" in refused(conn, new + f"({where}, 2, {white}, {black}, '1-0')")
    said = refused(conn, new + f"({where}, 9, {white}, 99, '1-0')")
    assert "Black did not enter this tournament" in said
    conn.close()


@pytest.mark.parametrize("seed", range(4))
def test_R25_results_are_the_classical_points(conn: sqlite3.Connection, seed: int) -> None:
    """Now, and after each round; who has not played has 0 and is there."""
    where, ratings, games = club_season(conn, seed)
    found = dict(conn.execute("SELECT player_id, score FROM results WHERE tournament_id = 1"))
    want = keizer_tables(ratings, games, 50)
    assert found == {it: line.points for it, line in want[-1].items()}
    assert found[max(ratings)] == 0
    for number, lines in enumerate(want, 1):
        after = conn.execute(
            "SELECT player_id, points FROM standings WHERE tournament_id = ? AND round_number = ?",
            (where, number),
        )
        assert dict(after.fetchall()) == {it: line.points for it, line in lines.items()}


@pytest.mark.parametrize("others", [0, 1, 60])
def test_R26_scores_are_at_the_values_of_that_round_and_tournament(
    conn: sqlite3.Connection, others: int
) -> None:
    """All earlier rounds are valued anew; however many tournaments the file has."""
    where, ratings, games = club_season(conn, 26)
    for seed in range(others):
        elsewhere = tournament(conn)
        ids = [*ratings][:4]
        for it in ids:
            join(conn, elsewhere, it)
        for played in random_games(random.Random(seed), ids, 2):
            game(conn, elsewhere, *played)
    for number, lines in enumerate(keizer_tables(ratings, games, 50), 1):
        won = conn.execute(
            "SELECT player_id, sum(score) FROM scores"
            " WHERE tournament_id = ? AND round_number = ? GROUP BY player_id",
            (where, number),
        )
        made = dict(won.fetchall())
        assert {it: made.get(it, 0) for it in ratings} == {it: x.won for it, x in lines.items()}
        total = conn.execute(
            "SELECT player_id, rank, value_before, score FROM standings"
            " WHERE tournament_id = ? AND round_number = ?",
            (where, number),
        )
        assert {it: tuple(row) for it, *row in total} == {
            it: (x.rank, x.value, x.score) for it, x in lines.items()
        }


def test_R27_the_ranking_update_is_complete_and_can_be_repeated(
    conn: sqlite3.Connection, sample: Path
) -> None:
    """Ties by the own value (the rank before), at last by rating and id; the published table."""
    where = tournament(conn)
    ids = enter(conn, where, [1500, 1600, 1500, None, 1600, None])
    bye(conn, where, 1, ids[0], "unexcused")  # a round in which nothing happens but this
    game(conn, where, 1, ids[4], ids[5], None)
    by_rating = [ids[1], ids[4], ids[0], ids[2], ids[3], ids[5]]
    assert order(conn, where, 0) == order(conn, where, 1) == by_rating
    conn.execute("UPDATE round SET result = '0-1'")  # 6 beats 5: 2 + 6 points; 2 stays first
    # top value 1.5(n-1) = 7: values 7 to 2. 6 has 2 + 6 = 8; then 7 (2), 6 (5), 5, 4, 3.
    assert order(conn, where, 1) == [ids[5], *by_rating[:-1]]
    before = conn.execute("SELECT * FROM ranking_list").fetchall()
    assert conn.execute(
        "SELECT count(*) FROM ranking_list WHERE rank IS NULL OR value IS NULL OR score IS NULL"
    ).fetchone() == (0,)
    for _ in range(2):
        conn.execute("INSERT INTO revalue VALUES (1, 0)")
        assert conn.execute("SELECT * FROM ranking_list").fetchall() == before
    published = [
        *(("Harrison", 141), ("Brown", 136), ("Johnson", 93), ("Butcher", 92), ("Smith", 90)),
        *(("Petersen", 87), ("Baker", 70), ("Higgins", 66.5), ("Carter", 62.5), ("White", 62)),
    ]
    assert rows(sample, "SELECT name, value, score FROM current_standings ORDER BY rank") == [
        (name, 50 - at, score) for at, (name, score) in enumerate(published)
    ]


@pytest.mark.parametrize(
    ("top", "step", "players", "want"),
    [
        ("50", "1", 4, [50, 49, 48, 47]),
        ("50", "1", 60, [*range(50, 1, -1), *[1] * 11]),
        ("80", "2", 4, [80, 78, 76, 74]),
        ("1.5n", "1", 10, [*range(15, 5, -1)]),
        ("ratio 3", "1", 10, [*range(14, 4, -1)]),
    ],
)
def test_R28_values_begin_and_step_as_asked_and_stay_above_0(
    tmp_path: Path, keizer: Keizer, top: str, step: str, players: int, want: list[int]
) -> None:
    """By a number, or from the number of players."""
    db = swiss(tmp_path / "club.db", keizer, players)
    keizer("rules", db, f"top_value={top}", f"step={step}")
    assert [row["value"] for row in table(db, keizer)] == want


def test_R29_the_start_list_goes_by_rating(conn: sqlite3.Connection) -> None:
    """Equal ratings in the order of the ids, without a rating last; values likewise."""
    where = tournament(conn)
    ids = enter(conn, where, [1500, None, 1800, 1500, 1800, None, 1500])
    assert order(conn, where, 0) == [ids[at] for at in (2, 4, 0, 3, 6, 1, 5)]
    values = conn.execute("SELECT value FROM standings ORDER BY rank").fetchall()
    assert values == [(9 - at,) for at in range(7)]


@pytest.mark.parametrize("seed", range(4))
def test_R30_the_score_of_an_entry_is_that_of_his_results(
    conn: sqlite3.Connection, seed: int
) -> None:
    """Of all players, also after a correction; a typed-in score is refused."""
    _, ratings, games = club_season(conn, seed)
    for _ in range(2):
        kept = conn.execute("SELECT player_id, score FROM x_player_tournament").fetchall()
        points = keizer_tables(ratings, games, 50)[-1]
        assert dict(kept) == {it: line.points for it, line in points.items()}
        number, white, black, result = games[0]
        games[0] = (number, white, black, "0-1" if result != "0-1" else "½-½")
        conn.execute(
            "UPDATE round SET result = ? WHERE round_number = ? AND white = ?",
            (games[0][3], number, white),
        )
    assert "is computed" in refused(conn, "UPDATE x_player_tournament SET score = 9")


def test_R31_a_result_is_known_or_refused_and_none_is_silently_0(
    club: Path, keizer: Keizer
) -> None:
    """Values 4 to 1. Forfeits, byes and absences go by a rule, and have a line that says so."""
    keizer("next-round", club)
    for typed in ("=", "1/2", "½-½", "1/2-1/2"):
        keizer("result", club, 1, "open")
        keizer("result", club, 1, typed)
        assert rows(club, "SELECT result FROM round WHERE board = 1") == [("½-½",)]
    assert "no result" in keizer("result", club, 1, "won", fails=True).output
    conn = sqlite3.connect(club, isolation_level=None)
    for spelling in ("won", "2-0", "1/3", "forfeit", "1-0-0", "?", " "):
        assert "unknown result" in refused(conn, f"UPDATE round SET result = '{spelling}'")
    for spelling, stored in (
        ("1/2", "½-½"), ("1/2 - 1/2", "½-½"), ("0.5", "½-½"), ("1:0", "1-0"), ("0 – 1", "0-1"),
        ("1-0F", "+-"), ("Adj.", "adj"), ("VOID", "void"), ("", None), ("*", None),
    ):  # fmt: skip
        conn.execute("UPDATE round SET result = ?", (spelling,))
        assert conn.execute("SELECT DISTINCT result FROM round").fetchall() == [(stored,)]
    conn.close()
    edit(
        club,
        "DELETE FROM round",
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, 1, 1, 2, '-+')",
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
        " VALUES (1, 1, 3, 'bye'), (1, 1, 4, 'excused')",
    )
    # The best of four is worth 1.5 x 3, rounded down: 4.
    found = rows(
        club,
        "SELECT name, kind, points FROM explanation WHERE round_number = 1"
        " AND kind <> 'own value' ORDER BY player_id",
    )
    assert found == [
        ("Anna", "forfeit loss", 0),
        ("Boris", "forfeit win", 4),
        ("Clara", "bye", pytest.approx(2 * 2 / 3)),
        ("Daan", "excused", pytest.approx(1 / 3)),
    ]


def test_R32_status_category_and_last_updated_are_of_use(club: Path, keizer: Keizer) -> None:
    edit(club, "UPDATE player SET category = CASE WHEN rating > 1800 THEN 'A' ELSE 'B' END")
    ranks = rows(club, "SELECT category, rank, name FROM category_standings ORDER BY 1, 2")
    assert ranks == [("A", 1, "Anna"), ("A", 2, "Boris"), ("B", 1, "Clara"), ("B", 2, "Daan")]
    keizer("next-round", club)
    assert rows(club, "SELECT last_updated FROM round") == [(None,), (None,)]
    keizer("result", club, 1, "1-0")
    assert rows(
        club,
        "SELECT board FROM round WHERE last_updated BETWEEN datetime('now', '-1 minute')"
        " AND datetime('now', '1 minute')",
    ) == [(1,)]
    edit(club, "UPDATE round SET last_updated = '2001-01-01'")
    keizer("result", club, 1, "0-1")
    assert rows(club, "SELECT last_updated > '2001-01-02' FROM round WHERE board = 1") == [(1,)]
    keizer("withdraw", club, "Daan")
    active = "SELECT name FROM x_player_tournament JOIN player ON player.id = player_id"
    assert rows(club, f"{active} WHERE status = 'withdrawn'") == [("Daan",)]
    keizer("rules", club, "status=finished")
    keizer("init", club, "--name", "Next")
    keizer("add", club, "Eva")  # to the one that is running
    assert rows(club, "SELECT tournament_id FROM x_player_tournament WHERE player_id = 5") == [(2,)]


def test_R33_the_sample_opens_in_any_client(client: Client, sample: Path) -> None:
    """Without extensions: every view can be read, those for the public have rows."""
    names = client(sample, ["SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name"])
    counts = client(sample, [f"SELECT count(*) FROM {name}" for name in names])
    found = {name: int(rows) for name, rows in zip(names, counts, strict=True)}
    assert {name: found[name] for name in ("standings", "current_standings", "results")} == {
        "standings": 30,
        "current_standings": 10,
        "results": 10,
    }
    # Ten games: a line for each of the two, once after round 1, twice after round 2, and
    # twice at the values in force in the round that follows.
    assert (found["pairings"], found["scores"], found["player_round"]) == (10, 50, 20)
    top = "SELECT name, score FROM current_standings ORDER BY rank LIMIT 2"
    assert client(sample, [top]) in (
        ["Harrison\t141.0", "Brown\t136.0"],
        ["Harrison\t141", "Brown\t136"],
    )


def test_R34_a_table_is_repeated_until_it_is_stable_or_the_cycle_is_known() -> None:
    """At a fixed point every player's place is worth the value he was counted with."""
    cycles: Counter[int] = Counter()
    differ = 0
    for seed in range(30):
        conn = empty()
        conn.executescript("UPDATE tournament SET revaluation = 'suspended'")
        club_season(conn, seed, players=6, top=7)
        if seed % 2:
            conn.execute("UPDATE scoring SET factor = 0 WHERE kind = 'own value'")
        once = order(conn, 1)
        conn.execute("UPDATE rules SET recalculation = 'settled'")
        differ += order(conn, 1) != once
        for number, passes, cycle in conn.execute(
            "SELECT round_number, passes, cycle FROM settling"
        ).fetchall():
            cycles[cycle] += 1
            assert passes >= cycle >= 1
            if cycle == 1:
                assert conn.execute(
                    "SELECT count(*), sum(value = value_before) FROM ranking_list"
                    " WHERE round_number = ?",
                    (number,),
                ).fetchone() == (6, 6)
        conn.close()
    assert cycles.total() == 30 * 4
    assert cycles[1] > 60
    assert max(cycles) > 1
    assert differ > 5


def test_R35_an_update_costs_the_same_however_much_else_is_in_the_file(
    conn: sqlite3.Connection,
) -> None:
    """Steps of the database engine for one result, alone and beside 40 other tournaments."""

    def steps() -> int:
        seen = 0

        def tick() -> None:
            nonlocal seen
            seen += 1

        conn.set_progress_handler(tick, 50)
        conn.execute(
            "UPDATE round SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END"
            " WHERE tournament_id = 1 AND round_number = 1 AND board = 1"
        )
        conn.set_progress_handler(None, 0)
        return seen

    _, ratings, _ = club_season(conn, 35, players=16)
    steps()
    alone = steps()
    for seed in range(40):
        elsewhere = tournament(conn)
        ids = [*ratings][:6]
        for it in ids:
            join(conn, elsewhere, it)
        for played in random_games(random.Random(seed), ids, 2):
            game(conn, elsewhere, *played)
    assert alone > 100
    assert steps() <= alone + alone // 20


# ---------------------------------------------------------------- 3: Magic's tie-breaks

Match = tuple[int, int, int, tuple[int, int, int]]
"""Round, White, Black, games won by White, by Black, drawn."""
LEAST = Fraction(33, 100)


@dataclass
class Percentages:
    """The tie-breaks of the Magic tournament rules, counted from the matches."""

    matches: list[Match]

    def of(self, player: int) -> Iterator[tuple[int, int, int, int]]:
        """Opponent, games won, lost, drawn."""
        for _, white, black, (won, lost, drawn) in self.matches:
            if player == white:
                yield black, won, lost, drawn
            if player == black:
                yield white, lost, won, drawn

    def points(self, player: int) -> int:
        return sum(3 if won > lost else won == lost for _, won, lost, _ in self.of(player))

    def mw(self, player: int) -> Fraction:
        return max(LEAST, Fraction(self.points(player), 3 * len(list(self.of(player)))))

    def gw(self, player: int) -> Fraction:
        made = sum(3 * won + drawn for _, won, _, drawn in self.of(player))
        games = sum(won + lost + drawn for _, won, lost, drawn in self.of(player))
        return max(LEAST, Fraction(made, 3 * games))

    def mean(self, player: int, what: Callable[[int], Fraction]) -> Fraction:
        found = [what(other) for other, *_ in self.of(player)]
        return sum(found, Fraction(0)) / len(found)

    def omw(self, player: int) -> Fraction:
        return self.mean(player, self.mw)

    def ogw(self, player: int) -> Fraction:
        return self.mean(player, self.gw)

    def oomw(self, player: int) -> Fraction:
        return self.mean(player, self.omw)

    def oogw(self, player: int) -> Fraction:
        return self.mean(player, self.ogw)


def match(conn: sqlite3.Connection, where: int, played: Match) -> None:
    """A board, and its games in one update, as any client could."""
    number, white, black, games = played
    game(conn, where, number, white, black, None)
    conn.execute(
        "UPDATE round SET white_wins = ?, black_wins = ?, drawn = ?"
        " WHERE tournament_id = ? AND round_number = ? AND white = ?",
        (*games, where, number, white),
    )


def of_games(conn: sqlite3.Connection, seed: int, last: int = 3) -> tuple[int, list[Match]]:
    """Eight players who play some rounds of a round robin, every match in games."""
    rng = random.Random(seed)
    where = tournament(conn, "swiss")
    ids = enter(conn, where, [2000 - 10 * at for at in range(8)])
    matches: list[Match] = []
    for number in range(1, last + 1):
        around = [ids[-1], *(ids[(number + at) % 7] for at in range(7))]
        for at in range(4):
            games = rng.choice([(2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 1), (1, 1, 1), (0, 0, 3)])
            matches.append((number, around[at], around[-1 - at], games))
    for played in matches:
        match(conn, where, played)
    return where, matches


def value(conn: sqlite3.Connection, name: str, player: int, where: int = 1) -> float:
    """A tie-break of the current table, from the view that the catalogue names."""
    (view,) = conn.execute("SELECT view FROM tiebreak WHERE name = ?", (name,)).fetchone()
    (found,) = conn.execute(
        f"SELECT value FROM {view} WHERE tournament_id = ? AND player_id = ? AND name = ?"
        " AND round_number = (SELECT max(round_number) FROM ranking_list WHERE tournament_id = ?)",
        (where, player, name, where),
    ).fetchone()
    return float(found)


def percentages(conn: sqlite3.Connection, name: str, want: Callable[[Percentages], Any]) -> None:
    """Of every player, in two tournaments of eight."""
    for seed in (1, 2):
        where, matches = of_games(conn, seed)
        order_by(conn, "score,omw,gw" if name in ("omw", "gw") else f"score,omw,gw,{name}", where)
        count_of = want(Percentages(matches))
        players = order(conn, where)
        found = {it: value(conn, name, it, where) for it in players}
        exact = {it: float(count_of(it)) for it in players}
        assert found == pytest.approx(exact, abs=1e-6)
        assert len(set(exact.values())) > 2


def test_R36_the_score_is_of_matches_not_of_games(conn: sqlite3.Connection) -> None:
    """2-0 and 2-1 both bring 3, three drawn games 1 each."""
    where = tournament(conn, "swiss")
    ids = enter(conn, where, [2000 - it for it in range(6)])
    for at, games in enumerate([(2, 0, 0), (1, 2, 0), (0, 0, 3)]):
        match(conn, where, (1, ids[2 * at], ids[2 * at + 1], games))
    found = conn.execute("SELECT player_id, score, points FROM current_standings")
    want = dict(zip(ids, [3, 0, 0, 3, 1, 1], strict=True))
    assert {it: made for it, *made in found} == {it: [made, made] for it, made in want.items()}


RECORDS = ["4-4-0", "7-1-0", "1-3-1", "3-3-1", "6-2-0", "5-2-1", "4-3-1", "6-1-1"]
"""Of the opponents of the player in the appendix: matches won, lost, drawn."""


@pytest.mark.parametrize(("has_bye", "want", "rounded"), [
    (False, (Fraction(1, 2), Fraction(7, 8), LEAST, Fraction(10, 21), Fraction(3, 4),
             Fraction(2, 3), Fraction(13, 24), Fraction(19, 24)), 0.62),
    (True, (Fraction(7, 8), LEAST, Fraction(10, 21), Fraction(3, 4),
            Fraction(2, 3), Fraction(13, 24), Fraction(19, 24)), 0.63),
])  # fmt: skip
def test_R37_opponents_match_wins_are_those_of_the_appendix(
    conn: sqlite3.Connection, has_bye: bool, want: tuple[Fraction, ...], rounded: float
) -> None:
    """OMW-1, and OMW-2 in which the first opponent is the bye: 4/15 counts as 0.33."""
    where = tournament(conn, "swiss")
    conn.execute("UPDATE tournament SET revaluation = 'suspended'")
    order_by(conn, "score,omw,gw,ogw")
    (me,) = enter(conn, where, [2000])
    for number, record in enumerate(RECORDS, 1):
        if has_bye and number == 1:
            bye(conn, where, 1, me)
            continue
        (opponent,) = enter(conn, where, [1900])
        won, lost, drawn = map(int, record.split("-"))
        results = ["1-0"] * won + ["0-1"] * lost + ["½-½"] * drawn
        game(conn, where, number, opponent, me, results.pop(0))
        others = [when for when in range(1, 10) if when != number]
        for when, result in zip(others, results, strict=False):
            game(conn, where, when, opponent, enter(conn, where, [1000])[0], result)
    conn.execute("UPDATE tournament SET revaluation = 'on'")
    found = value(conn, "omw", me)
    assert found == pytest.approx(float(sum(want) / len(want)), abs=1e-6)
    assert round(found, 2) == rounded


def test_R38_game_wins_are_those_of_the_appendix(conn: sqlite3.Connection) -> None:
    """Ten games, 7-3: 21/30. Eleven games, 3-8: 9/33 is less than the least that counts."""
    where = tournament(conn, "swiss")
    order_by(conn, "score,gw")
    ids = enter(conn, where, [2000] * 10)
    for number, games in enumerate([(2, 0, 0), (2, 1, 0), (1, 2, 0), (2, 0, 0)], 1):
        match(conn, where, (number, ids[0], ids[1 + number], games))
    for number, games in enumerate([(1, 2, 0), (1, 2, 0), (0, 2, 0), (1, 2, 0)], 1):
        match(conn, where, (number, ids[1], ids[5 + number], games))
    assert value(conn, "gw", ids[0]) == pytest.approx(0.70)
    assert value(conn, "gw", ids[1]) == pytest.approx(0.33)


def test_R39_opponents_game_wins(conn: sqlite3.Connection) -> None:
    percentages(conn, "ogw", lambda of: of.ogw)


def test_R40_opponents_opponents_match_wins(conn: sqlite3.Connection) -> None:
    percentages(conn, "oomw", lambda of: of.oomw)


def test_R41_opponents_opponents_game_wins(conn: sqlite3.Connection) -> None:
    percentages(conn, "oogw", lambda of: of.oogw)


def test_R42_the_order_is_a_list_that_is_data(
    conn: sqlite3.Connection, club: Path, keizer: Keizer
) -> None:
    """Compared exactly, from the left; changed by an update; unknown names are refused."""
    where, matches = of_games(conn, 1)
    want = Percentages(matches)
    what = {"score": want.points, "omw": want.omw, "gw": want.gw, "ogw": want.ogw}
    orders = []
    for asked in ("score,omw,gw,ogw", "score,gw,omw", "ogw,score", "gw"):
        order_by(conn, asked)
        orders.append(order(conn, where))
        names = asked.split(",") if "score" in asked else ["score", *asked.split(",")]
        keys = [tuple(what[name](it) for name in names) for it in orders[-1]]
        assert keys == sorted(keys, reverse=True), asked
    assert len(set(map(tuple, orders))) > 2
    for wrong in ("score,luck", "score,,omw", "score;omw", "omw:up"):
        refused(conn, f"UPDATE rules SET tiebreaks = '{wrong}'")
        before = club.read_bytes()
        assert keizer("rules", club, f"tiebreaks={wrong}", fails=True).exit_code == 1
        assert club.read_bytes() == before
    keizer("rules", club, "tiebreaks=score,omw,gw,ogw")
    assert rows(club, "SELECT tiebreaks FROM rules") == [("score,omw,gw,ogw",)]


def test_R43_each_column_goes_up_or_down(conn: sqlite3.Connection) -> None:
    """All eight have other GW%, or are told apart by the next name."""
    where, matches = of_games(conn, 3)
    want = Percentages(matches)
    for asked, signs in {
        "score:desc,omw:desc": (-1, -1),
        "score,omw:asc": (-1, 1),
        "score:asc,omw": (1, -1),
        "score:asc,omw:asc": (1, 1),
    }.items():
        order_by(conn, asked)
        keys = [(signs[0] * want.points(it), signs[1] * want.omw(it)) for it in order(conn, where)]
        assert keys == sorted(keys), asked
        assert len(set(keys)) > len({key[0] for key in keys}) > 1


@pytest.mark.parametrize("entry", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_R44_who_are_equal_share_a_place(conn: sqlite3.Connection, entry: tuple[int, ...]) -> None:
    """A beats B, C beats D: two first and two third, whoever is entered first."""
    where = tournament(conn, "swiss")
    order_by(conn, "score,opponents")
    ids = dict(zip(entry, enter(conn, where, [None] * 4), strict=True))
    game(conn, where, 1, ids[0], ids[1], "1-0")
    game(conn, where, 1, ids[3], ids[2], "0-1")
    read = "SELECT player_id, {} FROM {} WHERE tournament_id = 1 AND round_number = 1"
    places = dict(conn.execute(read.format("place", "ranking_list")).fetchall())
    assert [places[ids[at]] for at in range(4)] == [1, 3, 1, 3]
    numbered = dict(conn.execute(read.format("rank", "standings")).fetchall())
    assert sorted(numbered.values()) == [1, 2, 3, 4]
    conn.execute("UPDATE rules SET last_resort = 'shared'")
    shown = dict(conn.execute(read.format("rank", "standings")).fetchall())
    assert shown == places


# ------------------------------------------ 4: the integer program of a Swiss of chess


def test_R45_a_slot_has_two_players_or_none(outputs: list[tuple[Case, Pairing]]) -> None:
    """And everybody present has one seat, the bye included."""
    assert len(outputs) > 200
    for case, found in outputs:
        assert all(len(set(board)) == 2 for board in found.boards)
        seats = [it for board in found.boards for it in board]
        seats += [] if found.bye is None else [found.bye]
        assert sorted(seats) == sorted(player.id for player in case.players)


def test_R46_nobody_meets_twice(outputs: list[tuple[Case, Pairing]]) -> None:
    """In a Swiss, in any output."""
    swiss_ones = [it for it in outputs if it[0].policy.system == "swiss" and it[0].games]
    assert len(swiss_ones) > 50
    for case, found in swiss_ones:
        assert not {frozenset(board) for board in found.boards} & met(case)


def test_R47_as_many_pairs_as_there_can_be() -> None:
    """A maximum matching of who have not met, or it is said to be impossible; scores buy none."""
    found = played(range(2, 10), 8)
    for case, pairing in found:
        before = met(case)
        most = most_pairs(
            [player.id for player in case.players],
            lambda one, other, before=before: frozenset((one, other)) not in before,  # type: ignore[misc]
        )
        half = len(case.players) // 2
        assert (pairing is not None) == (most == half)
        assert pairing is None or len(pairing.boards) == half
    assert sum(pairing is None for _, pairing in found) > 5
    far = [Player(it, score=1000 * it) for it in range(6, 0, -1)]
    assert len(pair(far, round_number=2, policy=SWISS).boards) == 3


def test_R48_who_sat_out_the_last_round_is_paired() -> None:
    """With bye_again=hard, if any pairing without a rematch seats them all."""
    policy = SWISS._replace(bye_again="hard")
    found = played(range(3, 12), 6, policy, 0.8)
    spared = 0
    for case, pairing in found:
        away = {player.id for player in case.players if player.sat_out}
        if pairing is None or not away or len(case.players) % 2 == 0:
            continue
        before = met(case)
        possible = any(
            most_pairs(
                [player.id for player in case.players if player.id != out],
                lambda one, other, before=before: frozenset((one, other)) not in before,  # type: ignore[misc]
            )
            == len(case.players) // 2
            for out in {player.id for player in case.players} - away
        )
        assert not possible or pairing.bye not in away
        spared += possible
    assert spared > 15


def test_R49_the_least_score_difference_whatever_the_level() -> None:
    """Among those that keep the rules on colours too; 1000 points more change nothing."""
    compared = 0
    for case, found in played(range(4, 10), 4):
        if found is None or found.relaxations:
            continue
        had = colours(case)
        legal = [
            units
            for units in without_rematch(case)
            if (found.bye is None or (found.bye,) in units)
            and all(
                can_be_seated(had[unit[0]], had[unit[1]], too_often, too_far)
                for unit in units
                if len(unit) > 1
            )
        ]
        assert score_gaps(case, found.boards) == min(score_gaps(case, units) for units in legal)
        compared += len(legal) > 1
        case.players = [it._replace(score=it.score + 1000) for it in case.players]
        assert case.paired() == found
    assert compared > 25


def test_R50_a_board_has_one_white_and_one_black(outputs: list[tuple[Case, Pairing]]) -> None:
    """Who sits out has neither."""
    for _, found in outputs:
        white, black = ({getattr(it, side) for it in found.boards} for side in ("white", "black"))
        assert len(white) == len(black) == len(found.boards)
        assert not white & black
        assert found.bye not in white | black


def broken(
    case: Case, found: Pairing, *wrong: Callable[[list[int], int], bool]
) -> tuple[set[int], bool]:
    """Whose colour is wrong by the last of these; and whether those paired could do without."""
    had = colours(case)
    whose = {
        it
        for board in found.boards
        for it, colour in zip(board, (1, -1), strict=True)
        if wrong[-1](had[it], colour)
    }
    before = met(case) if case.policy.system == "swiss" else set()
    seated = [it for board in found.boards for it in board]
    most = most_pairs(
        seated,
        lambda one, other: (
            frozenset((one, other)) not in before and can_be_seated(had[one], had[other], *wrong)
        ),
    )
    return whose, most == len(found.boards)


def check_colours(
    found: list[tuple[Case, Pairing | None]], rule: str, *wrong: Callable[[list[int], int], bool]
) -> int:
    """Broken only by those of whom it is told, where it had to be; how many rounds had to."""
    had_to = 0
    for case, pairing in found:
        if pairing is None:
            continue
        whose, avoidable = broken(case, pairing, *wrong)
        told = {it for say in pairing.relaxations if say.rule == rule for it in say.players}
        assert whose <= told
        others = [say for say in pairing.relaxations if say.rule != rule]
        if told and not others:
            assert not avoidable
            had_to += 1
    return had_to


def test_R51_no_colour_three_times_running() -> None:
    """Counted over games, byes skipped; in a small field it can be unavoidable, and is told."""
    assert check_colours(played(range(16, 24), 6), "colour_run", too_often) == 0
    check_colours(played(range(4, 10), 7), "colour_run", too_often)
    # With a bye between them two Blacks are still running.
    games = [Game(1, 2, 1), Game(2, 3, 1), Game(1, 3, 4), Game(2, 2, 4), Game(3, 4, 5)]
    found = pair([Player(1), Player(5)], games, round_number=4, policy=SWISS)
    assert found.boards == (Board(1, 5),)


def test_R52_white_and_black_differ_by_two_at_most() -> None:
    """After the round; where it had to be more it is told."""
    assert check_colours(played(range(16, 24), 6), "colour_difference", too_often, too_far) == 0
    check_colours(played(range(4, 10), 7), "colour_difference", too_often, too_far)


def wish(history: list[int]) -> int:
    """The colour somebody should have: the rarer one, else the other than last; 0: no matter."""
    difference = sum(history)
    if difference:
        return -1 if difference > 0 else 1
    return -history[-1] if history else 0


def test_R53_who_is_level_changes_colour(outputs: list[tuple[Case, Pairing]]) -> None:
    """Whenever the other wishes the other colour, or none; else by the stated order."""
    granted = conflicts = 0
    for case, found in outputs:
        had = colours(case)
        for (white, black), reason in zip(found.boards, found.reasons, strict=True):
            if reason.colour == "limit":
                continue
            wishes = wish(had[white]), wish(had[black])
            level = [not sum(had[it]) and bool(had[it]) for it in (white, black)]
            if wishes[0] != wishes[1]:
                assert wishes[0] >= wishes[1]
                granted += any(level)
            elif all(level):
                # The last games in which their colours differ: who had Black there has White.
                mine, other = had[white][::-1], had[black][::-1]
                first = next((x for x, y in zip(mine, other, strict=False) if x != y), None)
                if first is not None:
                    assert (first, reason.colour) == (-1, "last")
                    conflicts += 1
    assert granted > 150
    assert conflicts > 3
    # Of four who are level 1 and 2 had White last: neither meets the other.
    games = [
        *(Game(1, 8, 1), Game(1, 9, 2), Game(1, 3, 6), Game(1, 4, 7)),
        *(Game(2, 1, 9), Game(2, 2, 8), Game(2, 7, 3), Game(2, 6, 4)),
    ]
    four = [Player(it) for it in range(1, 5)]
    third = pair(four, games, round_number=3, policy=SWISS)
    assert {it.black for it in third.boards} == {1, 2}


@pytest.mark.parametrize(("whites", "blacks"), [(4, 4), (6, 2), (1, 5), (5, 3), (0, 8)])
def test_R54_one_more_of_a_colour_is_a_wish_for_the_other(whites: int, blacks: int) -> None:
    """Of six or eight with equal scores no more are disappointed than must be."""
    size = whites + blacks
    for seed in range(5):
        had = random.Random(seed).sample([1] * whites + [-1] * blacks, size)
        games = [
            Game(1, it, 100 + it) if colour > 0 else Game(1, 100 + it, it)
            for it, colour in enumerate(had)
        ]
        found = pair([Player(it) for it in range(size)], games, round_number=2, policy=SWISS)
        again = [
            board
            for board in found.boards
            for it, colour in zip(board, (1, -1), strict=True)
            if had[it] == colour
        ]
        assert len(again) == abs(whites - blacks) // 2
        conflicts = [it.colour != "difference" for it in found.reasons]
        assert sum(conflicts) == abs(whites - blacks) // 2


@pytest.mark.parametrize("colour", [1, -1])
def test_R55_two_more_of_a_colour_is_a_claim(colour: int) -> None:
    """However far the scores are apart: +2 never gets White, -2 never Black."""
    history = []
    for it in range(8):
        mine = colour if it < 4 else -colour
        # With the other colour between, so that no third is running.
        for number, had in enumerate((mine, mine, -mine, mine), 1):
            other = 100 * number + it
            history.append(Game(number, it, other) if had > 0 else Game(number, other, it))
    players = [Player(it, score=90 if it < 4 else 0) for it in range(8)]
    found = pair(players, history, round_number=5, policy=SWISS)
    assert found.relaxations == ()
    turned = {board.black if colour > 0 else board.white for board in found.boards}
    assert turned == {0, 1, 2, 3}


def test_R56_how_much_a_wish_weighs_is_a_setting(tmp_path: Path, keizer: Keizer) -> None:
    """1 and 2 had White, 3 and 4 Black, twice: a rule, a wish after the scores, or nothing."""
    seen = {}
    for strength in ("hard", "soft", "off"):
        db = swiss(
            tmp_path / f"{strength}.db",
            keizer,
            8,
            f"colour_run={strength}",
            f"colour_difference={strength}",
        )
        boards = [(1, 5), (2, 6), (7, 3), (8, 4)]
        again = [(1, 6), (2, 5), (8, 3), (7, 4)]
        edit(
            db,
            "INSERT INTO round (tournament_id, round_number, white, black, result) VALUES "
            + ", ".join(
                f"(1, {number}, {white}, {black}, '{'1-0' if white < 3 else '0-0'}')"
                for number, pairs in ((1, boards), (2, again))
                for white, black in pairs
            ),
        )
        keizer("absent", db, "P5", "P6", "P7", "P8")
        keizer("next-round", db)
        seen[strength] = {frozenset(board) for board in sheet(db)}
        assert rows(db, "SELECT count(*) FROM relaxations") == [(0,)]
    level = {frozenset({"P1", "P2"}), frozenset({"P3", "P4"})}
    assert seen["hard"].isdisjoint(level)
    assert seen["soft"] == seen["off"] == level
    # Lexicographic: one point of difference outweighs any distance in the list.
    players = [Player(it, score=5 if it in {1, 6} else 4) for it in range(1, 7)]
    found = pair(players, round_number=2, policy=SWISS)
    assert {frozenset(it) for it in found.boards} == {*map(frozenset, ({1, 6}, {2, 3}, {4, 5}))}


def test_R57_what_a_pairing_starts_from_is_recounted(tmp_path: Path, keizer: Keizer) -> None:
    """Unpaired last round, pairs met, scores, colours, runs and byes, from the two tables."""
    db = swiss(tmp_path / "open.db", keizer, 9)
    rng = random.Random(57)
    for number in range(1, 6):
        keizer("absent", db, f"P{rng.randint(1, 9)}")
        play(db, keizer, rng)
        games = rows(db, "SELECT round_number, white, black, result FROM round ORDER BY 1")
        unplayed = rows(db, "SELECT round_number, player_id, kind FROM unplayed")
        score = dict.fromkeys(range(1, 10), 0)
        for _, white, black, result in games:
            score[white] += {"1-0": 3, "½-½": 1}.get(result, 0)
            score[black] += {"0-1": 3, "½-½": 1}.get(result, 0)
        byes = Counter(player for _, player, kind in unplayed if kind == "bye")
        for player, made in byes.items():
            score[player] += 3 * made
        last = {player for when, player, _ in unplayed if when == number}
        found = rows(db, "SELECT player_id, score_units, byes, sat_out, absence FROM presence")
        assert {it: tuple(row) for it, *row in found} == {
            it: (6_000_000 * score[it], byes[it], int(it in last), None) for it in score
        }
        meetings = rows(db, "SELECT round_number, white, black FROM _meeting ORDER BY 1, 2")
        assert meetings == sorted(row[:3] for row in games)
        seen = rows(
            db,
            "SELECT player_id, total(colour = 'white'), total(colour = 'black') FROM player_round"
            " GROUP BY player_id",
        )
        had = {it: [g[1] == it for g in games if it in g[1:3]] for it in score}
        assert {it: (white, black) for it, white, black in seen} == {
            it: (sum(had[it]), len(had[it]) - sum(had[it])) for it in score
        }
    conn = sqlite3.connect(db, isolation_level=None)
    conn.row_factory = sqlite3.Row
    position = rounds.position_before(conn, 1)
    conn.close()
    case = Case(position.players, position.games, position.number, position.policy)
    assert colours(case) == {it: [1 if white else -1 for white in had[it]] for it in had}


def test_R58_a_field_of_94(tmp_path: Path, keizer: Keizer) -> None:
    """47 boards in each of four rounds, nobody twice and no rematch."""
    db = swiss(tmp_path / "open.db", keizer, 94)
    rng = random.Random(58)
    for _ in range(4):
        play(db, keizer, rng)
        names = [name for board in sheet(db) for name in board]
        assert (len(sheet(db)), len(set(names))) == (47, 94)
    pairs = rows(db, "SELECT DISTINCT min(white, black), max(white, black) FROM round")
    assert len(pairs) == 4 * 47


# ------------------------------ what the relational module's own tests checked, in turn


def test_U1_the_count_is_the_number_0(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    edit(
        club,
        "DELETE FROM round",
        "DELETE FROM x_player_tournament",
        "DELETE FROM player",
    )
    ((found,),) = rows(club, "SELECT count(*) FROM x_player_tournament")
    assert type(found) is int
    assert found == 0
    assert table(club, keizer) == []


def test_U2_the_count_is_1_after_one_entry(tmp_path: Path, keizer: Keizer) -> None:
    db = swiss(tmp_path / "open.db", keizer, 0)
    keizer("add", db, "Anna")
    assert len(table(db, keizer)) == 1


def test_U3_the_count_is_2_after_two(tmp_path: Path, keizer: Keizer) -> None:
    db = swiss(tmp_path / "open.db", keizer, 0)
    keizer("add", db, "Anna")
    keizer("add", db, "Boris")
    assert len(table(db, keizer)) == 2


def test_U4_the_count_is_0_when_all_are_deleted(tmp_path: Path, keizer: Keizer) -> None:
    db = swiss(tmp_path / "open.db", keizer, 2)
    edit(db, "DELETE FROM x_player_tournament")
    assert table(db, keizer) == []
    assert rows(db, "SELECT count(*) FROM x_player_tournament") == [(0,)]


def test_U5_the_players_are_gone_from_every_table(tmp_path: Path, keizer: Keizer) -> None:
    db = swiss(tmp_path / "open.db", keizer, 2)
    edit(db, "DELETE FROM x_player_tournament", "DELETE FROM player")
    assert rows(db, "SELECT id FROM player UNION ALL SELECT player_id FROM ranking_list") == []
    keizer("add", db, "Anna")
    assert [row["name"] for row in table(db, keizer)] == ["Anna"]


def test_U6_standings_have_everybody_before_any_game(tmp_path: Path, keizer: Keizer) -> None:
    db = swiss(tmp_path / "open.db", keizer, 0)
    keizer("add", db, "Melpomene Murray")
    keizer("add", db, "Randy Schwartz")
    edit(db, "INSERT INTO player (name) VALUES ('Not entered')")
    found = [(row["name"], row["score"], row["points"], row["played"]) for row in table(db, keizer)]
    assert found == [("Melpomene Murray", 0, 0, 0), ("Randy Schwartz", 0, 0, 0)]


def after_two_games(db: Path, keizer: Keizer) -> Path:
    """Four players; 1 beats 2, 3 beats 4."""
    swiss(db, keizer, 4)
    keizer("next-round", db, "--pair", "P1", "P2", "--pair", "P3", "P4")
    report(db, keizer, "1-0", "1-0")
    return db


def test_U7_winners_have_a_win_and_losers_none(tmp_path: Path, keizer: Keizer) -> None:
    db = after_two_games(tmp_path / "open.db", keizer)
    assert {row["name"]: row["played"] for row in table(db, keizer)} == dict.fromkeys(
        ("P1", "P2", "P3", "P4"), 1
    )
    wins = "SELECT player_id, sum(kind = 'win') FROM player_round GROUP BY player_id"
    assert rows(db, wins) == [(1, 1), (2, 0), (3, 1), (4, 0)]


def test_U8_deleted_games_leave_the_players(tmp_path: Path, keizer: Keizer) -> None:
    db = after_two_games(tmp_path / "open.db", keizer)
    edit(db, "DELETE FROM round")
    assert [row["name"] for row in table(db, keizer)] == ["P1", "P2", "P3", "P4"]


def test_U9_deleted_games_leave_no_points(tmp_path: Path, keizer: Keizer) -> None:
    db = after_two_games(tmp_path / "open.db", keizer)
    edit(db, "DELETE FROM round")
    for row in table(db, keizer):
        assert (row["score"], row["points"], row["played"]) == (0, 0, 0)
    assert rows(db, "SELECT DISTINCT score FROM x_player_tournament") == [(0,)]


def test_U10_winners_meet_winners(tmp_path: Path, keizer: Keizer) -> None:
    """Eight players: four pairs, and four after the first results."""
    db = swiss(tmp_path / "open.db", keizer, 8)
    keizer("next-round", db)
    assert len(sheet(db)) == 4
    report(db, keizer, "1-0", "1-0", "1-0", "1-0")
    winners = {white for white, _ in sheet(db)}
    keizer("next-round", db)
    assert len(sheet(db)) == 4
    for white, black in sheet(db):
        assert (white in winners) == (black in winners)


def two_tournaments(conn: sqlite3.Connection) -> tuple[int, int]:
    """One without players, one with three."""
    one, other = tournament(conn, "swiss"), tournament(conn, "swiss")
    enter(conn, other, [1500] * 3)
    return one, other


def test_B1_the_count_of_a_new_tournament_is_0(conn: sqlite3.Connection) -> None:
    one, other = two_tournaments(conn)
    assert (count(conn, one), count(conn, other)) == (0, 3)


def test_B2_the_count_is_1_in_the_one_that_was_entered(conn: sqlite3.Connection) -> None:
    one, other = two_tournaments(conn)
    enter(conn, one, [1500])
    assert (count(conn, one), count(conn, other)) == (1, 3)


def test_B3_the_count_is_2_after_two_in_the_same(conn: sqlite3.Connection) -> None:
    one, other = two_tournaments(conn)
    enter(conn, one, [1500, 1600])
    assert (count(conn, one), count(conn, other)) == (2, 3)


def test_B4_without_entries_the_count_is_0(conn: sqlite3.Connection) -> None:
    """An entry is the row that keeps the score: no other has to be deleted."""
    one, other = two_tournaments(conn)
    enter(conn, one, [1500, 1600])
    conn.execute("DELETE FROM x_player_tournament WHERE tournament_id = ?", (one,))
    assert (count(conn, one), count(conn, other)) == (0, 3)
    assert order(conn, one) == []


def test_B5_a_player_is_deleted_who_plays_nowhere_else(conn: sqlite3.Connection) -> None:
    one, other = two_tournaments(conn)
    ids = enter(conn, one, [1500, 1600])
    join(conn, other, ids[0])
    conn.execute("DELETE FROM x_player_tournament WHERE tournament_id = ?", (one,))
    conn.execute("DELETE FROM player WHERE id = ?", (ids[1],))
    assert "has entered" in refused(conn, f"DELETE FROM player WHERE id = {ids[0]}")
    assert (count(conn, one), count(conn, other)) == (0, 4)


def test_B6_before_any_game_all_is_0(conn: sqlite3.Connection) -> None:
    """Score, points, games, byes; nothing tells the players apart but the start order."""
    one, _ = two_tournaments(conn)
    ids = enter(conn, one, [1500, 1600])
    found = conn.execute(
        "SELECT s.player_id, s.name, s.score, s.points, s.played, p.byes"
        " FROM standings AS s JOIN presence AS p USING (tournament_id, player_id)"
        " WHERE tournament_id = ? AND s.round_number = 0 ORDER BY s.rank",
        (one,),
    )
    assert found.fetchall() == [(it, "Somebody", 0, 0, 0, 0) for it in reversed(ids)]


def test_B7_a_win_is_3_a_draw_1_each(tmp_path: Path, keizer: Keizer) -> None:
    db = swiss(tmp_path / "open.db", keizer, 4)
    keizer("next-round", db, "--pair", "P1", "P2", "--pair", "P3", "P4")
    report(db, keizer, "1-0", "=")
    assert {row["name"]: (row["score"], row["played"]) for row in table(db, keizer)} == {
        "P1": (3, 1),
        "P2": (0, 1),
        "P3": (1, 1),
        "P4": (1, 1),
    }


def test_B8_a_bye_is_stored(tmp_path: Path, keizer: Keizer) -> None:
    db = swiss(tmp_path / "open.db", keizer, 3)
    keizer("next-round", db, "--bye", "P1")
    stored = rows(
        db,
        "SELECT player_id, round_number, s.counts_as_bye FROM unplayed"
        " JOIN scoring AS s USING (tournament_id, kind)",
    )
    assert stored == [(1, 1, 1)]
    report(db, keizer, "1-0")
    assert scores(db, keizer)["P1"] == 3


def test_B9_who_had_a_bye_has_had_one(tmp_path: Path, keizer: Keizer) -> None:
    db = swiss(tmp_path / "open.db", keizer, 3)
    byes = "SELECT name, byes FROM presence ORDER BY name"
    assert rows(db, byes) == [("P1", 0), ("P2", 0), ("P3", 0)]
    keizer("next-round", db, "--bye", "P1")
    keizer("result", db, 1, "1-0")
    assert rows(db, byes) == [("P1", 1), ("P2", 0), ("P3", 0)]


@pytest.mark.parametrize("preset", ["swiss", "swiss-half"])
def test_B10_nobody_has_a_second_bye_while_somebody_has_none(
    tmp_path: Path, keizer: Keizer, preset: str
) -> None:
    """The last in the standings had one: the next above him sits out.

    Not even to spare one who was away in the last round; where it can be, he is spared.
    """
    db = swiss(tmp_path / "open.db", keizer, 7)
    keizer("rules", db, "--preset", preset)
    conn = sqlite3.connect(db, isolation_level=None)
    bye(conn, 1, 1, 7)
    for at in range(3):
        game(conn, 1, 1, at + 1, at + 4, "1-0")
    conn.execute("UPDATE scoring SET fixed = 0 WHERE kind = 'bye'")  # he stays last
    assert order(conn, 1)[-1] == 7
    conn.close()
    keizer("next-round", db)
    assert sheet(db)[-1] == ("P6", None)
    policy = policy_of(preset)
    away = Player(3, sat_out=True)
    for others, sits_out in (((1, 1), 3), ((0, 1), 1), ((0, 0), 2)):
        players = [Player(1, byes=others[0]), Player(2, byes=others[1]), away]
        assert pair(players, round_number=4, policy=policy).bye == sits_out


def test_B11_four_players_winners_and_losers(tmp_path: Path, keizer: Keizer) -> None:
    db = after_two_games(tmp_path / "open.db", keizer)
    keizer("next-round", db)
    assert {frozenset(board) for board in sheet(db)} == {
        frozenset({"P1", "P3"}),
        frozenset({"P2", "P4"}),
    }


def test_B12_five_players_the_last_sits_out(tmp_path: Path, keizer: Keizer) -> None:
    """Two pairs and a bye for the last in the standings who had none, twice."""
    db = swiss(tmp_path / "open.db", keizer, 5)
    keizer("next-round", db)
    assert len(sheet(db)) == 3
    assert sheet(db)[-1] == ("P5", None)
    report(db, keizer, "0-1", "0-1")
    last = [row["name"] for row in table(db, keizer)][-1]
    assert last != "P5"
    keizer("next-round", db)
    assert len(sheet(db)) == 3
    assert sheet(db)[-1] == (last, None)


@pytest.mark.parametrize("colour_rules", ["hard", "off"])
def test_B13_six_players_in_round_3_have_no_rematch(
    tmp_path: Path, keizer: Keizer, colour_rules: str
) -> None:
    """Rounds 1-2 3-4 5-6 and 1-3 5-2 4-6, the first named winning: four pairings are left."""
    db = swiss(
        tmp_path / "open.db",
        keizer,
        6,
        f"colour_run={colour_rules}",
        f"colour_difference={colour_rules}",
    )
    history = [["P1", "P2"], ["P3", "P4"], ["P5", "P6"]], [["P1", "P3"], ["P5", "P2"], ["P4", "P6"]]
    for pairs in history:
        keizer("next-round", db, *(it for board in pairs for it in ("--pair", *board)))
        report(db, keizer, *(("1-0",) * 3))
    keizer("next-round", db)
    third = {frozenset(board) for board in sheet(db)}
    before = {frozenset(board) for pairs in history for board in pairs}
    left = [
        pairs
        for units in every_pairing([*range(1, 7)])
        for pairs in [{frozenset({f"P{one}", f"P{other}"}) for one, other in units}]
        if not pairs & before
    ]
    assert len(left) == 4
    assert third in left


# ------------------------------------------------------------------------ the page


def test_the_page_has_every_behaviour_and_its_test() -> None:
    """R01 to R58, U1 to U10, B1 to B13: each one row, and one test that is there."""
    want = [f"R{at:02d}" for at in range(1, 59)]
    want += [f"U{at}" for at in range(1, 11)] + [f"B{at}" for at in range(1, 14)]
    here = Path(__file__)
    defined = re.findall(
        r"^def (test_([RUB]\d+)_\w+)", here.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert [name for _, name in defined] == want
    page = (ROOT / "docs/earlier-systems.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([RUB]\d+) \| [^|]+ \| `(\w+\.py)::(\w+)` \|", page, re.MULTILINE)
    assert listed == [(name, here.name, test) for test, name in defined]
    for file, test in re.findall(r"`(test_\w+\.py)(?:::(\w+))?`", page):
        text = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert not test or re.search(rf"^(def|class) {test}\b", text, re.MULTILINE), test
