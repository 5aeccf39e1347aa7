"""What the original SQLite Keizer project's users know: its statements, its words, its file.

Its statements run on our files and give the right figures or a sentence, never a wrong
figure. They stand in bench/original.py, made again from their description.
"""

import json
import random
import re
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from bench import original
from keizer import KeizerError
from keizer.formats import pgn
from keizer.season import names
from keizer.store import tiebreaks
from keizer.store.database import reading
from tests.support import oracle
from tests.support.files import Client, Keizer, campaign, edit, empty, rows
from tests.support.other_programs import S3DB, Original
from tests.support.seasons import random_season, write
from tests.support.worked_example import ROUND_1, ROUND_2

Row = tuple[Any, ...]
Values = dict[int, float]

NEXT = original.UPDATE
"""Its ranking query, with the parameters :round and :tournament."""

INSERT = f"INSERT INTO ranking (tournament_id, player_id, round_number, score) {NEXT}"
"""What it does with the result."""

REFUSED = "the values in force are computed by the file"


def line(query: str, number: int = 0, tournament: int = 1) -> str:
    """A statement on one line, as clients take it, with its parameters put in."""
    plain = query.replace(":round", str(number)).replace(":tournament", str(tournament))
    return " ".join(plain.split())


def found(lines: list[str]) -> list[tuple[float, ...]]:
    """The rows of numbers that a client printed."""
    return [tuple(float(cell) for cell in text.split("\t")) for text in lines]


def dump(db: Path) -> list[str]:
    with closing(sqlite3.connect(db)) as conn:
        return list(conn.iterdump())


def next_values(conn: sqlite3.Connection, number: int, tournament: int = 1) -> dict[int, float]:
    """What its query says of the round after this one, by player."""
    made = conn.execute(NEXT, {"round": number, "tournament": tournament}).fetchall()
    assert {(row[0], row[2]) for row in made} <= {(tournament, number + 1)}
    assert len({row[1] for row in made}) == len(made)
    return {player: value for _, player, _, value in made}


def among_equals(values: Values, totals: dict[int, Any]) -> list[tuple[Any, list[float]]]:
    """The values by total, those of equal totals as a set: the order of these is nobody's."""
    by_total = sorted(values, key=lambda player: totals[player], reverse=True)
    return [
        (total, sorted(values[player] for player in group))
        for total, group in groupby(by_total, key=lambda player: totals[player])
    ]


# ------------------------------------------------------------ the worked example


@pytest.mark.parametrize(("number", "table"), [(1, ROUND_1), (2, ROUND_2)])
def test_its_ranking_query_makes_the_published_tables(
    client: Client, sample: Path, number: int, table: dict[str, float]
) -> None:
    """In any client; Johnson before Butcher in round 2, and as `ranking` and `standings` say."""
    before = dump(sample)
    called = dict(rows(sample, "SELECT id, name FROM player"))
    made, listed, stood = (
        found(client(sample, [query]))
        for query in (
            line(NEXT, number),
            f"SELECT * FROM ranking WHERE round_number = {number + 1} ORDER BY score DESC",
            f"SELECT player_id, value FROM standings WHERE round_number = {number} ORDER BY rank",
        )
    )
    assert [called[int(row[1])] for row in listed] == list(table)
    assert sorted(made) == sorted(listed)
    assert [(row[1], row[3]) for row in listed] == stood
    totals = found(client(sample, [line(original.SCORES, number)]))
    assert sorted((called[int(player)], total) for player, total in totals) == sorted(table.items())
    assert dump(sample) == before


def test_its_parameters_are_bound_as_whatever_the_client_has(sample: Path) -> None:
    """PHP binds numbers as text, and its columns made numbers of them."""
    with closing(sqlite3.connect(sample)) as conn:
        for number, rounds in ((1, 10), (2, 20), (3, 20)):
            plain = {"round": number, "tournament": 1}
            text = {"round": str(number), "tournament": "1"}
            for query in (NEXT, original.SCORES):
                wanted = sorted(conn.execute(query, plain).fetchall())
                assert len(wanted) == 10
                assert sorted(conn.execute(query, text).fetchall()) == wanted
            for view, many in (("ranking", 10), ("scores", rounds)):
                counting = f"SELECT count(*) FROM {view} WHERE round_number = ?"
                assert conn.execute(counting, (number,)).fetchone() == (many,)
                assert conn.execute(counting, (str(number),)).fetchone() == (many,)


def test_its_parameters_in_the_shell(shell: Client, sample: Path) -> None:
    """With .parameter, as its document has it."""
    done = subprocess.run(
        ["sqlite3", "-batch", "-tabs", str(sample)],
        input=f".parameter set :round 2\n.parameter set :tournament 1\n{NEXT};\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(found(done.stdout.splitlines())) == sorted(found(shell(sample, [line(NEXT, 2)])))


def test_its_query_goes_on_behind_the_last_round(client: Client, sample: Path) -> None:
    """At the newest values, as if nobody had played round 3: no row of it is taken for one."""
    newest = dict(rows(sample, "SELECT player_id, score FROM ranking WHERE round_number = 3"))
    games = rows(sample, "SELECT white, black, result FROM round")
    totals = dict(newest)
    for white, black, result in games:
        share = {"1-0": 1.0, "½-½": 0.5, "0-1": 0.0}[result]
        totals[white] += share * newest[black]
        totals[black] += (1 - share) * newest[white]
    printed = found(client(sample, [line(original.SCORES, 3)]))
    assert {row[0]: row[1] for row in printed} == totals
    assert len(set(totals.values())) == 10  # no two are equal
    made = found(client(sample, [line(NEXT, 3)]))
    order = sorted(totals, key=lambda player: -totals[player])
    assert {row[1]: row[3] for row in made} == {
        player: 51 - place for place, player in enumerate(order, 1)
    }
    assert {row[2] for row in made} == {4}
    (refused,) = client(sample, [line(INSERT, 3)])
    assert REFUSED in refused


def test_its_insert_is_taken_where_it_is_right(client: Client, sample: Path) -> None:
    """Row by row what the file has: nothing changes, nothing is on the log."""
    before = dump(sample)
    assert client(sample, [line(INSERT, number) for number in (1, 2)]) == ["ok", "ok"]
    plain = line(INSERT, 2).replace(" (tournament_id, player_id, round_number, score)", "", 1)
    assert client(sample, [plain, "INSERT INTO ranking VALUES (1, 6, 3, 50)"]) == ["ok", "ok"]
    assert dump(sample) == before


WRONG = {
    "another top value": ["UPDATE rules SET top_value = 40"],
    "the usual top value": ["UPDATE rules SET top_value = '1.5(n-1)'"],
    "another step": ["UPDATE rules SET step = 2"],
    "an absence that counts": [
        "DELETE FROM round WHERE round_number = 2 AND board = 5",
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
        " SELECT 1, 2, id, 'club duty' FROM player WHERE name = 'White'",
    ],
    "a correction": [
        "INSERT INTO correction (tournament_id, player_id, points)"
        " SELECT 1, id, 60 FROM player WHERE name = 'Carter'"
    ],
}


@pytest.mark.parametrize("why", WRONG)
def test_its_insert_is_refused_where_it_is_wrong(client: Client, sample: Path, why: str) -> None:
    """It knows 51 and games alone; of its rows none is written, the right ones neither."""
    edit(sample, *WRONG[why])
    before = dump(sample)
    made = {row[1]: row[3] for row in found(client(sample, [line(NEXT, 2)]))}
    ours = dict(rows(sample, "SELECT player_id, score FROM ranking WHERE round_number = 3"))
    assert made != ours
    for verb in ("INSERT", "INSERT OR IGNORE", "INSERT OR REPLACE"):
        (refused,) = client(sample, [line(INSERT, 2).replace("INSERT", verb, 1)])
        assert refused.startswith("refused: ") and REFUSED in refused
    assert dump(sample) == before


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO ranking VALUES (1, 6, 3, 49)",
        "INSERT INTO ranking VALUES (1, 6, 3, NULL)",
        "INSERT INTO ranking VALUES (1, 6, 4, 50)",
        "INSERT INTO ranking VALUES (1, 99, 3, 50)",
        "INSERT INTO ranking VALUES (2, 6, 3, 50)",
        "INSERT INTO ranking VALUES (NULL, NULL, NULL, NULL)",
        "UPDATE ranking SET score = score + 1 WHERE round_number = 3 AND player_id = 6",
        "UPDATE ranking SET round_number = 4 WHERE round_number = 3 AND player_id = 6",
        "DELETE FROM ranking WHERE round_number = 3",
    ],
)
def test_values_in_force_are_not_written_by_hand(
    python: Client, sample: Path, statement: str
) -> None:
    before = dump(sample)
    (refused,) = python(sample, [statement])
    assert REFUSED in refused
    assert dump(sample) == before


def test_its_update_of_the_points_is_taken(client: Client, sample: Path) -> None:
    """Of the classical points, from `results`: nothing changes, nothing is on the log."""
    before = dump(sample)
    assert client(sample, [line(original.POINTS)]) == ["ok"]
    assert dump(sample) == before
    (refused,) = client(sample, ["UPDATE x_player_tournament SET score = 9 WHERE player_id = 1"])
    assert "score is computed" in refused
    assert dump(sample) == before


def test_results_and_scores_are_those_of_the_original(client: Client, sample: Path) -> None:
    """Columns, and 50 rows of scores: 10, 20, and the 20 games at the newest values."""
    for view, columns in (
        ("ranking", ["tournament_id", "player_id", "round_number", "score"]),
        ("results", ["tournament_id", "player_id", "name", "score"]),
        ("scores", ["tournament_id", "round_number", "player_id", "name", "score"]),
    ):
        assert [row[1] for row in rows(sample, f"PRAGMA table_info({view})")] == columns
    games = rows(sample, "SELECT round_number, white, black, result FROM round")
    called = dict(rows(sample, "SELECT id, name FROM player"))
    in_force = {
        (number, player): value
        for player, number, value in rows(
            sample, "SELECT player_id, round_number, score FROM ranking WHERE tournament_id = 1"
        )
    }
    assert len(in_force) == 30
    wanted: list[tuple[int, int, int, str, float]] = []
    points = dict.fromkeys(called, 0.0)
    for played_in, white, black, result in games:
        share = {"1-0": 1.0, "½-½": 0.5, "0-1": 0.0}[result]
        for me, other, mine in ((white, black, share), (black, white, 1 - share)):
            points[me] += mine
            wanted += [
                (1, number, me, called[me], mine * in_force[number, other])
                for number in range(played_in, 4)
            ]
    assert len(wanted) == 50
    cells = [text.split("\t") for text in client(sample, ["SELECT * FROM scores"])]
    assert sorted(wanted) == sorted(
        (int(cup), int(number), int(player), name, float(score))
        for cup, number, player, name, score in cells
    )
    cells = [text.split("\t") for text in client(sample, ["SELECT * FROM results"])]
    assert sorted(
        (int(cup), int(player), name, float(score)) for cup, player, name, score in cells
    ) == sorted((1, player, called[player], points[player]) for player in called)


def test_a_club_is_entered_with_its_statements(client: Client, club: Path) -> None:
    """From the first player to the list after round 2, in its columns and its words."""
    before = rows(club, "SELECT max(id) FROM player")[0][0]
    statements = [
        "INSERT INTO tournament (description, status) VALUES ('Rapid', 'OPEN')",
        "UPDATE rules SET top_value = 50 WHERE tournament_id = 2",
    ]
    ids = range(before + 1, before + 5)
    for place, player in enumerate(ids):
        statements += [
            "INSERT INTO player (name, category, rating)"
            f" VALUES ('Player {player}', 'A', {2000 - 100 * place})",
            "INSERT INTO x_player_tournament (player_id, tournament_id, score, status)"
            f" VALUES ({player}, 2, 0, 0)",
        ]
    statements += [f"INSERT INTO ranking VALUES (2, {p}, 1, {50 - at})" for at, p in enumerate(ids)]
    one, two, three, four = ids
    for number, games in ((1, (one, two, three, four)), (2, (four, one, two, three))):
        for white, black, result in ((*games[:2], "1-0"), (*games[2:], "½-½")):
            statements += [
                "INSERT INTO round (round_number, tournament_id, white, black)"
                f" VALUES ({number}, 2, {white}, {black})",
                f"UPDATE round SET result = '{result}', last_updated = CURRENT_TIMESTAMP"
                f" WHERE round_number = {number} AND tournament_id = 2 AND white = {white}",
            ]
        statements += [line(INSERT, number, 2), line(original.POINTS, tournament=2)]
    assert client(club, statements) == ["ok"] * len(statements)
    # 1: 50 + 49, 3: 48 + 47/2, 4: 47 + 48/2, 2: 49. Then 1: 50 + 47, 3: 49 + 48/2 + 47/2,
    # 4: 48 + 49/2 + 50, 2: 47 + 49/2.
    assert rows(
        club,
        "SELECT player_id, score FROM ranking WHERE tournament_id = 2 AND round_number > 1"
        " ORDER BY round_number, score DESC",
    ) == [
        (player, 50 - place)
        for order in ((one, three, four, two), (four, one, three, two))
        for place, player in enumerate(order)
    ]
    entries = "SELECT player_id, score, status FROM x_player_tournament WHERE tournament_id = 2"
    assert rows(club, entries) == [
        (one, 1.0, "active"),
        (two, 0.5, "active"),
        (three, 1.0, "active"),
        (four, 1.5, "active"),
    ]


# ------------------------------------------------------------------ any season


def plain_season(rng: random.Random, most: int = 50) -> oracle.Season:
    """A season as the original knows them: 50 at the top, and everybody plays every round."""
    count = 2 * rng.randint(2, most // 2)
    season = oracle.Season(rules=oracle.Rules(top_value=Fraction(50), step=Fraction(1)))
    for player in range(1, count + 1):
        season.entries.append(oracle.Entry(player, rating=rng.randint(800, 2400)))
    for number in range(1, rng.randint(1, 10) + 1):
        free = [entry.player for entry in season.entries]
        rng.shuffle(free)
        for white, black in zip(free[::2], free[1::2], strict=True):
            result = rng.choice(["1-0", "0-1", "½-½"])
            season.games.append(oracle.Game(number, white, black, result))
    return season


def in_force(chain: oracle.Chain) -> dict[int, oracle.Values]:
    """The values in force by round and player, in the round that follows the last too."""
    last = len(chain.tables)
    return {
        number: chain.in_force[number] if number < last else chain.list_in_force(number)[1]
        for number in range(1, last + 1)
    }


def of_games(chain: oracle.Chain, number: int) -> Counter[tuple[int, int, int]]:
    """What each game brings in the table after a round: round, player and amount in units."""
    values = in_force(chain)[number]
    if number == len(chain.tables):
        chain.in_force.append(values)
    found: Counter[tuple[int, int, int]] = Counter()
    for player in values:
        for credit in chain.counted(number, player):
            if credit.opponent is not None and player in listed(chain, number):
                value = chain.values_for(credit.round_number, number, values)[credit.holder]
                amount = oracle.amount(chain.season, credit, value)
                found[number, player, int(amount * oracle.UNITS)] += 1
    del chain.in_force[len(chain.tables) :]
    return found


def listed(chain: oracle.Chain, number: int) -> set[int]:
    return {entry.player for entry in chain.listed(number)}


def scores(
    conn: sqlite3.Connection, number: int, tournament: int = 1
) -> Counter[tuple[int, int, int]]:
    """Likewise what view `scores` says."""
    query = (
        "SELECT round_number, player_id, score FROM scores"
        " WHERE round_number = ? AND tournament_id = ?"
    )
    return Counter(
        (at, player, round(score * oracle.UNITS))
        for at, player, score in conn.execute(query, (number, tournament))
    )


@pytest.fixture
def files() -> Iterator[Callable[[oracle.Season], sqlite3.Connection]]:
    """What writes a season into a file in memory."""
    made: list[sqlite3.Connection] = []

    def file(season: oracle.Season) -> sqlite3.Connection:
        made.append(empty())
        write(made[-1], season)
        return made[-1]

    yield file
    for conn in made:
        conn.close()


Files = Callable[[oracle.Season], sqlite3.Connection]


@pytest.mark.parametrize("seed", [*range(8), *campaign(8, 600)])
def test_a_season_of_its_kind(seed: int, files: Files) -> None:
    """Its query, its INSERT and its scores, round by round, against the rules in plain Python."""
    season = plain_season(random.Random(seed))
    conn, chain = files(season), oracle.chain(season)
    before = list(conn.iterdump())
    for number in range(1, season.last_round() + 1):
        table = chain.tables[number]
        made = next_values(conn, number)
        totals = {player: row.score for player, row in table.items()}
        right = {player: float(row.value) for player, row in table.items()}
        assert among_equals(made, totals) == among_equals(right, totals)
        ours = "SELECT player_id, score FROM ranking WHERE round_number = ?"
        assert dict(conn.execute(ours, (number + 1,)).fetchall()) == right
        sums = {"round": number, "tournament": 1}
        assert dict(conn.execute(original.SCORES, sums).fetchall()) == totals
        if len(set(totals.values())) == len(totals):
            assert made == right
            conn.execute(INSERT, sums)
        assert scores(conn, number) == of_games(chain, number)
    assert scores(conn, number + 1) == of_games(chain, number + 1)
    conn.execute(original.POINTS, {"tournament": 1})
    points = {player: float(row.points) for player, row in chain.tables[-1].items()}
    assert dict(conn.execute("SELECT player_id, score FROM results").fetchall()) == points
    assert list(conn.iterdump()) == before


@pytest.mark.parametrize("seed", [*range(3), *campaign(3, 100)])
def test_beside_the_original_itself(seed: int, files: Files) -> None:
    """The same season in its own tables: the same rows of scores, the same values."""
    season = plain_season(random.Random(seed), 16)
    conn, chain = files(season), oracle.chain(season)
    values = [
        (number, player, float(value))
        for number, of_round in in_force(chain).items()
        for player, value in of_round.items()
    ]
    with closing(original.database(season, values)) as theirs:
        for query in ("SELECT * FROM scores", "SELECT tournament_id, player_id, round_number,"
                      " CAST(score AS REAL) FROM ranking"):  # fmt: skip
            assert Counter(conn.execute(query)) == Counter(theirs.execute(query))
        for number in range(1, season.last_round() + 2):
            at = {"round": number, "tournament": 1}
            totals = dict(theirs.execute(original.SCORES, at).fetchall())
            assert dict(conn.execute(original.SCORES, at).fetchall()) == totals
            assert among_equals(next_values(conn, number), totals) == among_equals(
                next_values(theirs, number), totals
            )


def any_season(seed: int) -> oracle.Season:
    """With any rules, absences, late entries and withdrawals."""
    return random_season(random.Random(seed), players=range(2, 15), most_rounds=8, options=True)


@pytest.mark.parametrize("seed", [*range(12), *campaign(12, 1000)])
def test_figures_under_any_rules(seed: int, files: Files) -> None:
    """`ranking` and `scores` up to the last round, and `results`."""
    season = any_season(seed)
    conn, chain = files(season), oracle.chain(season)
    stored = "SELECT player_id, score FROM ranking WHERE round_number = ?"
    for number, values in in_force(chain).items():
        if number < len(chain.tables):
            assert dict(conn.execute(stored, (number,)).fetchall()) == {
                player: pytest.approx(float(value), abs=1e-9) for player, value in values.items()
            }
            assert scores(conn, number) == of_games(chain, number)
    points = {entry.player: 0.0 for entry in season.entries}
    points |= {player: float(row.points) for player, row in chain.tables[-1].items()}
    assert dict(conn.execute("SELECT player_id, score FROM results")) == pytest.approx(points)
    before = list(conn.iterdump())
    conn.execute(original.POINTS, {"tournament": 1})
    assert list(conn.iterdump()) == before


@pytest.mark.parametrize("seed", [*range(40), *campaign(40, 1000)])
def test_the_follow_up_round_under_any_rules(seed: int, files: Files) -> None:
    """The values that are in force in it, and every game as it will count there."""
    season = any_season(seed)
    conn, chain = files(season), oracle.chain(season)
    number = len(chain.tables)
    stored = "SELECT player_id, score FROM ranking WHERE round_number = ?"
    assert dict(conn.execute(stored, (number,)).fetchall()) == {
        player: pytest.approx(float(value), abs=1e-9)
        for player, value in in_force(chain)[number].items()
    }
    assert scores(conn, number) == of_games(chain, number)


@pytest.mark.parametrize("seed", [*range(3), *campaign(3, 200)])
def test_the_follow_up_round_of_many_tournaments_in_one_file(seed: int) -> None:
    """Each with rules of its own; one of them begins anew in it, so that nothing counts."""
    rng = random.Random(seed)
    written: dict[int, oracle.Season] = {}
    with closing(empty()) as conn:
        for recalculation in ("lagged", "frozen", "classic", "lagged", "settled"):
            season = random_season(rng, players=range(6, 10), options=True, most_rounds=9)
            season.rules.recalculation = recalculation
            written[write(conn, season, rng=rng)] = season
        for tournament, season in written.items():
            chain = oracle.chain(season)
            number = len(chain.tables)
            assert scores(conn, number, tournament) == of_games(chain, number)
        conn.execute("DELETE FROM period WHERE tournament_id = ?", (tournament,))
        conn.execute(
            "INSERT INTO period (tournament_id, first_round, scores) VALUES (?, ?, 'reset')",
            (tournament, number),
        )
        assert not scores(conn, number, tournament)
        kept = next(iter(written))
        chain = oracle.chain(written[kept])
        number = len(chain.tables)
        assert scores(conn, number, kept) == of_games(chain, number)


@pytest.mark.parametrize("seed", [*range(12), *campaign(12, 1000)])
def test_its_insert_under_any_rules(seed: int, files: Files) -> None:
    """Taken when every row of it is right, else refused; never does anything change."""
    season = any_season(seed)
    conn = files(season)
    before = list(conn.iterdump())
    for number in range(season.last_round() + 2):
        made = next_values(conn, number)
        ours = dict(
            conn.execute(
                "SELECT player_id, score FROM ranking WHERE round_number = ?", (number + 1,)
            ).fetchall()
        )
        wrong = [player for player, value in made.items() if ours.get(player) != value]
        insert = "INSERT INTO ranking VALUES (1, ?, ?, ?)"
        for player, value in made.items():
            if player in wrong:
                with pytest.raises(sqlite3.IntegrityError, match=REFUSED):
                    conn.execute(insert, (player, number + 1, value))
            else:
                conn.execute(insert, (player, number + 1, value))
        # Those who are equal come in any order each time.
        totals = conn.execute(original.SCORES, {"round": number, "tournament": 1}).fetchall()
        if len({total for _, total in totals}) == len(made):
            with pytest.raises(sqlite3.IntegrityError, match=REFUSED) if wrong else nullcontext():
                conn.execute(INSERT, {"round": number, "tournament": 1})
    assert list(conn.iterdump()) == before


# ------------------------------------------------------------ a file of its own


def theirs(path: Path, rng: random.Random, spelling: Callable[[str], str] = str) -> Original:
    """A season in its own file, with values by its own update."""
    file = Original(path)
    members = [f"Player {number}" for number in range(1, 2 * rng.randint(3, 12) + 1)]
    for member in members:
        file.conn.execute("INSERT INTO player VALUES (?, NULL, 1500)", (member,))
    rng.shuffle(members)
    file.tournament("Season", members)
    for number in range(1, rng.randint(2, 7)):
        rng.shuffle(members)
        for white, black in zip(members[::2], members[1::2], strict=True):
            file.game(number, white, black, spelling(rng.choice(["1-0", "0-1", "½-½"])))
        file.update(number)
    return file


@pytest.mark.parametrize("seed", [*range(4), *campaign(4, 100)])
def test_its_own_file_taken_over(seed: int, tmp_path: Path, keizer: Keizer) -> None:
    """Its statements go on there as they did, and nothing that they do changes the file."""
    file = theirs(tmp_path / "keizer.db", random.Random(seed)).close()
    db = tmp_path / "club.db"
    keizer("init", db, "--name", "Season")
    keizer("import", db, file)
    before = dump(db)
    with closing(sqlite3.connect(db)) as conn:
        last = conn.execute("SELECT max(round_number) FROM round").fetchone()[0]
        for number in range(1, last + 1):
            at = {"round": number, "tournament": 1}
            totals = dict(conn.execute(original.SCORES, at).fetchall())
            stood = conn.execute(
                "SELECT player_id, score, value FROM standings WHERE round_number = ?", (number,)
            ).fetchall()
            assert totals == {player: score for player, score, _ in stood}
            right = {player: value for player, _, value in stood}
            made = next_values(conn, number)
            assert among_equals(made, totals) == among_equals(right, totals)
            if len(set(totals.values())) == len(totals):
                conn.execute(INSERT, at)
            else:
                conn.executemany(
                    "INSERT INTO ranking VALUES (1, ?, ?, ?)",
                    [(player, number + 1, value) for player, value in right.items()],
                )
        conn.execute(original.POINTS, {"tournament": 1})
        conn.commit()
    assert dump(db) == before


def small(path: Path, results: Sequence[object]) -> Original:
    """Six players in order, A to F, and their first round: A-B, C-D, E-F."""
    file = Original(path)
    for name in "ABCDEF":
        file.conn.execute("INSERT INTO player VALUES (?, NULL, 1500)", (name,))
    file.tournament("Season", "ABCDEF")
    for white, black, result in zip("ACE", "BDF", results, strict=True):
        file.game(1, white, black, None)
        file.conn.execute(
            "UPDATE round SET result = ? WHERE white = (SELECT rowid FROM player WHERE name = ?)",
            (result, white),
        )
    return file


def test_a_result_that_it_does_not_score_comes_in_as_void(tmp_path: Path, keizer: Keizer) -> None:
    """What it is and where is told; the list is the one that the file had.

    C has 48 + 47, the others their values: C 50, A 49, B 48 and so on.
    """
    file = small(tmp_path / "keizer.db", ["forfeit", "1-0", " won by \u2068Sicilian\u2069"])
    file.update(1)
    db = tmp_path / "club.db"
    keizer("init", db, "--name", "Season")
    done = keizer("import", db, file.close())
    assert done.stdout == "6 players, 1 rounds, 3 games imported.\n"
    assert done.stderr == (
        "Note: round 1, A against B: “forfeit” is no result, it counts for nothing (void).\n"
        "Note: round 1, E against F: “won by \\u2068Sicilian\\u2069” is no result,"
        " it counts for nothing (void).\n"
    )
    results = rows(db, "SELECT result, last_updated FROM round ORDER BY board")
    assert results == [(result, "2015-01-02 20:00:00") for result in ("void", "1-0", "void")]
    order = "SELECT name, ranking.score FROM ranking JOIN player ON id = player_id"
    assert rows(db, f"{order} WHERE round_number = 2 ORDER BY ranking.score DESC") == [
        (name, 50 - place) for place, name in enumerate("CABDEF")
    ]
    assert "is sound" in keizer("check", db).stdout
    keizer("undo", db)
    assert rows(db, "SELECT count(*) FROM round") == [(0,)]


def test_what_is_no_text_is_void_too(tmp_path: Path, keizer: Keizer) -> None:
    """Its columns take anything; a 0 is not an open game, blanks are one."""
    file = small(tmp_path / "keizer.db", [0, b"\x00\xff", "  "])
    db = tmp_path / "club.db"
    keizer("init", db, "--name", "Season")
    done = keizer("import", db, file.close())
    assert done.stderr.count("it counts for nothing (void).") == 2
    assert rows(db, "SELECT result FROM round ORDER BY board") == [("void",), ("void",), (None,)]


def keizerforclubs(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(S3DB)
    return path


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda path: Original(path).close(), "a season of the original SQLite Keizer project"),
        (keizerforclubs, "a tournament of KeizerForClubs"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ["standings"],
        ["check"],
        ["result", "1", "1-0"],
        ["next-round"],
        ["add", "Baker"],
        ["migrate"],
        ["log"],
        ["backup"],
        ["undo"],
    ],
)
def test_commands_say_whose_file_it_is(
    tmp_path: Path, keizer: Keizer, make: Callable[[Path], Path], what: str, command: list[str]
) -> None:
    file = make(tmp_path / "Winter.sqlite")
    before = file.read_bytes()
    first, *rest = command
    refused = keizer(first, file, *rest, fails=True)
    assert refused.stderr == (
        f"Error: {file} is {what}, not a Keizer file: `keizer init NEW.db --name NAME`, then"
        f" `keizer import NEW.db {file}` takes it over.\n"
    )
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["Winter.sqlite"]


def test_what_the_sentence_says_works(tmp_path: Path, keizer: Keizer) -> None:
    file = theirs(tmp_path / "keizer.db", random.Random(1)).close()
    refused = keizer("standings", file, fails=True).stderr
    for said in re.findall(r"`keizer (.*?)`", refused):
        keizer(*said.replace("NEW.db", str(tmp_path / "new.db")).replace("NAME", "Season").split())
    assert json.loads(keizer("standings", tmp_path / "new.db", "--json").stdout)


def test_of_any_other_database_nothing_is_said(tmp_path: Path, keizer: Keizer) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.execute("CREATE TABLE player (name TEXT, category TEXT, rating INT)")
    said = f"Error: {file} is a SQLite database, but not a Keizer file.\n"
    assert keizer("standings", file, fails=True).stderr == said
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.execute("PRAGMA writable_schema = ON")
        conn.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE player (name'")
    assert keizer("standings", file, fails=True).stderr == said


# ------------------------------------------------------------------- its words


def test_its_statuses_are_taken(client: Client, sample: Path) -> None:
    """By INSERT and by UPDATE; what is stored is what commands go by."""
    assert (
        client(
            sample,
            [
                "INSERT INTO tournament (description, status) VALUES ('Open', 'OPEN')",
                "INSERT INTO tournament (description, status) VALUES ('Closed', 'CLOSED')",
                "INSERT INTO x_player_tournament (player_id, tournament_id, status)"
                " VALUES (1, 2, 0)",
                "INSERT INTO x_player_tournament (player_id, tournament_id, status)"
                " VALUES (2, 2, '0')",
                "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (3, 2)",
            ],
        )
        == ["ok"] * 5
    )
    tournaments = "SELECT description, status FROM tournament WHERE id > 1"
    assert rows(sample, tournaments) == [("Open", "running"), ("Closed", "finished")]
    entries = "SELECT status, last_round FROM x_player_tournament WHERE tournament_id = 2"
    assert rows(sample, entries) == [("active", None)] * 3
    assert (
        client(
            sample,
            [
                "UPDATE tournament SET status = 'CLOSED' WHERE id = 2",
                "UPDATE tournament SET status = 'OPEN' WHERE id = 3",
                "UPDATE x_player_tournament SET status = 'withdrawn' WHERE tournament_id = 2",
                "UPDATE x_player_tournament SET status = 0"
                " WHERE tournament_id = 2 AND player_id = 1",
                "UPDATE x_player_tournament SET status = '0'"
                " WHERE tournament_id = 2 AND player_id = 2",
            ],
        )
        == ["ok"] * 5
    )
    assert rows(sample, tournaments) == [("Open", "finished"), ("Closed", "running")]
    assert rows(sample, entries) == [("active", None), ("active", None), ("withdrawn", 0)]
    for refused in client(
        sample,
        [
            "UPDATE tournament SET status = 'open-ended' WHERE id = 2",
            "UPDATE x_player_tournament SET status = 7 WHERE tournament_id = 2",
        ],
    ):
        assert refused.startswith("refused: ")


def test_its_statuses_leave_a_sound_file(python: Client, sample: Path, keizer: Keizer) -> None:
    """With the log to prove it, and undone in one step."""
    python(
        sample,
        [
            "INSERT INTO tournament (description, status) VALUES ('Open', 'OPEN')",
            "INSERT INTO x_player_tournament (player_id, tournament_id, status) VALUES (1, 2, 0)",
            "UPDATE tournament SET status = 'CLOSED' WHERE id = 1",
            "UPDATE tournament SET status = 'OPEN' WHERE id = 1",
            "UPDATE x_player_tournament SET status = 0 WHERE player_id = 2",
        ],
    )
    assert "is sound" in keizer("check", sample).stdout


OLD = "2015-01-02 20:00:00"


def test_last_updated_follows_the_result(client: Client, sample: Path) -> None:
    """Typed, corrected, emptied or in another spelling; a time that is given stays."""
    edit(sample, f"UPDATE round SET last_updated = '{OLD}'")
    boards = [board for (board,) in rows(sample, "SELECT id FROM round WHERE round_number = 2")]
    statements = [
        f"UPDATE round SET result = {typed} WHERE id = {board}"
        for board, typed in zip(boards, ["'void'", "'1:0'", "NULL", "'=='", "'0.5'"], strict=True)
    ]
    statements[3] = f"UPDATE round SET board = 9 WHERE id = {boards[3]}"
    statements += [
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, 3, 1, 2, '1:0')",
        "INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, 3, 3, 4)",
        "INSERT INTO round (tournament_id, round_number, white, black, result, last_updated)"
        f" VALUES (1, 3, 5, 6, '1-0', '{OLD}')",
        "INSERT INTO round (tournament_id, round_number, white, black, last_updated)"
        " VALUES (1, 3, 7, 8, NULL)",
        "INSERT INTO round (tournament_id, round_number, white, black, last_updated)"
        " VALUES (1, 3, 9, 10, NULL)",
        "UPDATE round SET result = '1/2' WHERE white = 7 AND round_number = 3",
        "UPDATE round SET result = '0-1', last_updated = '2016-01-01 12:00:00'"
        " WHERE round_number = 1 AND board = 1",
    ]
    assert client(sample, statements) == ["ok"] * len(statements)
    now = datetime.now(UTC)
    when = {
        (number, white): stamp
        for number, white, stamp in rows(
            sample, "SELECT round_number, white, last_updated FROM round"
        )
    }
    of_round_2 = dict(rows(sample, "SELECT id, white FROM round WHERE round_number = 2"))
    fresh = {(2, of_round_2[board]) for at, board in enumerate(boards) if at != 3}
    fresh |= {(3, 1), (3, 3), (3, 7)}
    for key in fresh:
        written = datetime.fromisoformat(str(when.pop(key))).replace(tzinfo=UTC)
        assert timedelta(0) <= now - written + timedelta(seconds=1) < timedelta(minutes=5)
    first = rows(sample, "SELECT white FROM round WHERE round_number = 1 AND board = 1")[0][0]
    assert when.pop((1, first)) == "2016-01-01 12:00:00"
    assert when.pop((3, 9)) is None
    assert set(when.values()) == {OLD}
    assert len(when) == 6


# ------------------------------------------------------------------------ void

COUNTS = "SELECT * FROM ranking_list ORDER BY tournament_id, round_number, player_id"

SHOWS = {
    "crosstable", "explanation", "pairing_reasons", "pairings", "player_card", "player_round",
    "rounds", "scores",
}  # fmt: skip
"""Views that have a row for the game itself."""


def test_void_in_any_client(client: Client, sample: Path) -> None:
    """The list is that without the game, which has a line that says so."""
    white, black = rows(sample, "SELECT white, black FROM round WHERE id = 6")[0]
    without = sample.with_name("without.db")
    without.write_bytes(sample.read_bytes())
    edit(without, "DELETE FROM round WHERE id = 6")
    assert client(sample, ["UPDATE round SET result = ' Void ' WHERE id = 6"]) == ["ok"]
    assert rows(sample, "SELECT result FROM round WHERE id = 6") == [("void",)]
    assert rows(sample, COUNTS) == rows(without, COUNTS)
    query = (
        "SELECT player_id, kind, result, fact, fact_id, points = 0 FROM explanation"
        " WHERE round_number = 2 AND result = 'void' ORDER BY player_id"
    )
    assert client(sample, [query]) == [
        f"{player}\tvoid\tvoid\tround\t6\t1" for player in sorted((white, black))
    ]
    assert client(sample, ["UPDATE round SET result = '1-0' WHERE id = 6"]) == ["ok"]


def voided(seed: int) -> tuple[oracle.Season, list[oracle.Game]]:
    """A season without some games that were void, and these; no round of them alone."""
    rng = random.Random(seed)
    while True:
        season = random_season(rng, players=range(2, 15), most_rounds=8, options=True)
        games = [
            game
            for _, group in groupby(season.games, key=lambda game: game.round_number)
            for game in [it for it in group if it.result][1:]
        ]
        if games:
            chosen = rng.sample(games, k=min(len(games), rng.randint(1, 4)))
            season.games = [it for it in season.games if it not in chosen]
            return season, chosen


@pytest.mark.parametrize("seed", [*range(12), *campaign(12, 1000)])
def test_a_void_game_counts_for_nothing(seed: int, files: Files) -> None:
    """No points, no Keizer points, no game played: the oracle never hears of it."""
    season, void = voided(seed)
    chain = oracle.chain(season)
    season.games += [oracle.Game(it.round_number, it.white, it.black, "void") for it in void]
    conn = files(season)
    for number, table in enumerate(chain.tables):
        ours = conn.execute(
            "SELECT player_id, rank, value_units, score_units, points_units, played"
            " FROM ranking_list WHERE round_number = ?",
            (number,),
        ).fetchall()
        assert {player: tuple(figures) for player, *figures in ours} == {
            player: (
                row.rank,
                *(int(it * oracle.UNITS) for it in (row.value, row.score, row.points)),
                row.played,
            )
            for player, row in table.items()
        }
    lines = conn.execute(
        "SELECT DISTINCT kind, points, factor, fixed FROM explanation WHERE result = 'void'"
    ).fetchall()
    assert set(lines) <= {("void", 0.0, None, None)}


@pytest.mark.parametrize("seed", [*range(12), *campaign(12, 1000)])
def test_a_void_game_is_in_no_other_figure(seed: int, files: Files) -> None:
    """Every view, tie-breaks and statistics too, but for those that list the game itself."""
    season, void = voided(seed)
    without = files(season)
    season.games += [oracle.Game(it.round_number, it.white, it.black, "void") for it in void]
    conn = files(season)
    for each in (without, conn):
        tiebreaks.compute_all(each)
    views = [
        name
        for (name,) in conn.execute(
            "SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT GLOB '_*'"
            " AND name <> 'log_steps' ORDER BY name"
        )
    ]
    assert set(views) > SHOWS
    other = [
        view
        for view in [*views, "_meeting"]
        if view not in SHOWS
        and Counter(conn.execute(f"SELECT * FROM {view}"))
        != Counter(without.execute(f"SELECT * FROM {view}"))
    ]
    assert other == []
    for query in (
        "SELECT * FROM scores WHERE score <> 0",
        "SELECT tournament_id, round_number, player_id, name, played_in, kind, points, note"
        " FROM explanation WHERE kind <> 'void'",
        "SELECT tournament_id, round_number, white, black, result FROM pairings"
        " WHERE result IS NOT 'void'",
        "SELECT tournament_id, round_number, rank, player_id, played_in, cell FROM crosstable"
        " WHERE cell <> '' AND cell NOT GLOB '*void'",
    ):
        assert Counter(conn.execute(query)) == Counter(without.execute(query))


def test_who_had_a_void_game_can_meet_again(club: Path, keizer: Keizer) -> None:
    """The next round is that of two who have not met and have had no colour."""
    keizer("next-round", club)
    for board in (1, 2):
        keizer("result", club, board, "void")
    shown = json.loads(keizer("standings", club, "--json").stdout)
    assert [row["score"] for row in shown] == [row["value"] for row in shown]
    first = rows(club, "SELECT white, black FROM round ORDER BY board")
    keizer("next-round", club)
    again = rows(club, "SELECT white, black FROM round WHERE round_number = 2 ORDER BY board")
    assert again == first
    assert rows(club, "SELECT DISTINCT last_meeting FROM _before") == [(None,)]


@pytest.fixture
def with_a_void_game(sample: Path, keizer: Keizer) -> Path:
    done = keizer("result", sample, 4, "VOID")
    assert done.stdout.startswith("Round 2, board 4: Higgins – Petersen void (was 0-1)\n")
    return sample


@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["standings"],
        ["standings", "--json"],
        ["pairings"],
        ["explain", "Higgins"],
        ["crosstable"],
        ["card", "Higgins"],
        ["progress"],
        ["head-to-head", "Higgins"],
        ["head-to-head", "Higgins", "Petersen"],
        ["performance"],
        ["statistics"],
        ["categories"],
        ["rounds"],
        ["log"],
        ["next-round"],
    ],
)
def test_every_command_knows_void(
    keizer: Keizer, with_a_void_game: Path, command: list[str]
) -> None:
    first, *rest = command
    shown = keizer(first, with_a_void_game, *rest).stdout
    if first in ("pairings", "explain", "crosstable", "card"):
        assert "void" in shown
    if first == "check":
        assert "is sound" in shown


def test_the_site_and_all_views_with_a_void_game(
    tmp_path: Path, keizer: Keizer, with_a_void_game: Path
) -> None:
    keizer("site", with_a_void_game, tmp_path / "site.html")
    keizer("export", with_a_void_game, f"{tmp_path}/views/", "--json")
    lines = json.loads((tmp_path / "views/explanation.json").read_text(encoding="utf-8"))
    assert {(row["name"], row["points"]) for row in lines if row["kind"] == "void"} == {
        ("Higgins", 0.0),
        ("Petersen", 0.0),
    }


def test_a_void_game_as_pgn(with_a_void_game: Path) -> None:
    """The standard has a word for it: abandoned."""
    with reading(with_a_void_game) as conn:
        games = pgn.export(conn, 1, 2).split("\n\n[")
    (game,) = [game for game in games if '[White "Higgins"]' in game]
    assert '[Result "*"]' in game and '[Termination "abandoned"]' in game
    assert game.endswith("\n*")


@pytest.mark.parametrize("edition", [2016, 2026])
def test_a_void_game_as_trf(
    tmp_path: Path, keizer: Keizer, with_a_void_game: Path, edition: int
) -> None:
    """A blank, which FIDE reads as 0000 - Z, no points: back come two who were not there."""
    file = tmp_path / "season.trf"
    keizer("export", with_a_void_game, file, "--edition", edition)
    text = file.read_text(encoding="utf-8")
    (higgins,) = [row for row in text.splitlines() if row.startswith("001") and "Higgins" in row]
    assert len(higgins) == 99  # round 1 is the last that there is something of
    assert higgins[80:84] == " 0.5"
    db = tmp_path / "back.db"
    keizer("init", db, "--name", "Worked example")
    keizer("import", db, file)
    assert rows(
        db, "SELECT name, kind FROM unplayed JOIN player ON player.id = player_id ORDER BY name"
    ) == [("Higgins", "excused"), ("Petersen", "excused")]


# ------------------------------------------------------------ one set of spellings


def test_commands_and_the_file_spell_results_alike(conn: sqlite3.Connection) -> None:
    """What is typed at a command, and what any client writes."""
    spelled = dict(conn.execute("SELECT typed, result FROM result_spelling").fetchall())
    assert spelled == {typed: result for typed, result in names._RESULTS.items() if result}  # noqa: SLF001
    assert {typed for typed, result in names._RESULTS.items() if result is None} == {"*", "open"}  # noqa: SLF001
    results = {result for (result,) in conn.execute("SELECT result FROM outcome")}
    assert set(spelled.values()) == results


@pytest.mark.parametrize(
    "typed",
    ["0.5", ".5", "0,5", " 0.5 ", "VOID", "v o i d", "1 : 0", "1–0", "0—1", "=", "½", "1/2",
     "1-0F", "0 – 1 f", "ADJ.", "+ −", "Open", "*", ""],
)  # fmt: skip
def test_a_client_writes_what_a_command_does(python: Client, sample: Path, typed: str) -> None:
    try:
        wanted = names.result(typed)
    except KeizerError:
        assert not typed
        wanted = None
    assert python(sample, [f"UPDATE round SET result = '{typed}' WHERE id = 6"]) == ["ok"]
    assert rows(sample, "SELECT result FROM round WHERE id = 6") == [(wanted,)]
    if typed in ("0.5", ".5", "0,5"):
        assert wanted == "½-½"


def test_void_is_among_the_results_that_people_are_told(keizer: Keizer, sample: Path) -> None:
    for said in (
        keizer("result", sample, 1, "won", fails=True).stderr,
        keizer("result", sample, "-", stdin="1\n", fails=True).stderr,
        keizer("result", "--help").stdout,
    ):
        assert re.search(r"\bvoid\b", said)
    with pytest.raises(sqlite3.IntegrityError, match=r"\bvoid\b"):
        edit(sample, "UPDATE round SET result = 'won'")
