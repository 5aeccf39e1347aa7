"""What holds for every season there can be, whatever is in it and however it got there.

A season is drawn by a number, small in players and rounds so that hypothesis shrinks
those first. `-m seeds` tries more, `--hypothesis-profile=campaign` 100,000 a property.
"""

import random
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st

from conformance.seasons import Season
from keizer.errors import KeizerError
from keizer.season import rounds, tournaments
from keizer.store import sql, tiebreaks
from tests.support.club_nights import RULES
from tests.support.files import public_views
from tests.support.seasons import random_season, write

# --- one file for all seasons ---------------------------------------------------


@pytest.fixture(scope="module")
def file() -> Iterator[sqlite3.Connection]:
    """A file without a tournament that computes every tie-break; statements stay prepared."""
    conn = sqlite3.connect(":memory:", isolation_level=None, cached_statements=2000)
    conn.executescript(sql.script())
    tiebreaks.compute_all(conn)
    conn.row_factory = sqlite3.Row
    yield conn
    conn.close()


@contextmanager
def example(conn: sqlite3.Connection) -> Iterator[None]:
    """Whatever is written inside is gone afterwards."""
    conn.execute("SAVEPOINT example")
    try:
        yield
    finally:
        conn.execute("ROLLBACK TO example")
        conn.execute("RELEASE example")


def views() -> list[str]:
    """The public views, but for those on what was before rules changed."""
    conn = sqlite3.connect(":memory:")
    conn.executescript(sql.script())
    found = sorted({*public_views(conn)} - {"rule_history"})
    conn.close()
    return found


VIEWS = views()
COMPUTED = ["ranking_list", "settling", "settling_pass", "settling_value", "tiebreak_value",
    "unplayed", "x_player_tournament"]  # fmt: skip


def read(conn: sqlite3.Connection, names: list[str]) -> dict[str, list[tuple[object, ...]]]:
    """Every row, as it stands and in its order."""
    return {name: [tuple(row) for row in conn.execute(f"SELECT * FROM {name}")] for name in names}


# --- seasons ----------------------------------------------------------------------

FIDE = ["points", "de", "bh-c1", "sb", "sb-c1", "ps", "ks", "aro", "tpr", "omw", "lot", "won"]


def small_season(seed: int, players: int, most_rounds: int) -> Season:
    """Any settings that a file knows, in any combination."""
    rng = random.Random(seed)
    made = random_season(
        rng, players=range(players, players + 1), most_rounds=most_rounds, options=True
    )
    made.rules.max_passes = min(made.rules.max_passes, 60)  # 10,000 take seconds
    made.rules.last_resort = rng.choice(["order", "shared"])
    if rng.random() < 0.3:
        made.rules.tiebreaks = ",".join(["score", *rng.sample(FIDE, rng.randint(1, 2))])
    return made


def seasons(players: int = 7, most_rounds: int = 4) -> st.SearchStrategy[Season]:
    return st.builds(
        small_season,
        st.integers(0, 2**32 - 1),
        st.integers(1, players),
        st.integers(1, most_rounds),
    )


def put(
    conn: sqlite3.Connection,
    made: Season,
    *,
    bulk: bool = True,
    called: dict[int, str] | None = None,
) -> int:
    """Write a season and what people have beside it; the id of the tournament."""
    rng = None if bulk else random.Random(len(made.games))
    tournament = write(conn, made, bulk=bulk, rng=rng, names=called or {})
    conn.executemany(
        "UPDATE player SET rating = ?, category = ? WHERE id = ?",
        [
            (entry.rating, [None, "A", "B"][place % 3], entry.player)
            for place, entry in enumerate(made.entries)
        ],
    )
    return tournament


# --- 1. a table: its ranks, and what its scores are made of ------------------------

LISTED = """
SELECT s.player_id, s.rank, r.rank AS place, s.score, (SELECT total(points) FROM explanation AS e
  WHERE e.tournament_id = s.tournament_id AND e.round_number = s.round_number
    AND e.player_id = s.player_id) AS explained
FROM standings AS s JOIN ranking_list AS r ON r.tournament_id = s.tournament_id
  AND r.round_number = s.round_number AND r.player_id = s.player_id
WHERE s.tournament_id = ? AND s.round_number = ?
"""


@given(made=seasons())
def test_a_table_has_everybody_once_and_explains_every_score(
    file: sqlite3.Connection, made: Season
) -> None:
    """Everybody who has entered by then, and is not out, in places 1 to n; equals share the first.

    Whatever the recalculation, the ladder and the rest of the rules. (What each line is:
    test_every_line_of_many_tournaments_in_one_file.)
    """
    event(f"{made.rules.recalculation}, ladder {made.rules.ladder}")
    with example(file):
        tournament = put(file, made)
        out = {entry.player for entry in made.entries if made.is_out(entry)}
        for number in range(tournaments.last_round(file, tournament) + 1):
            entered = {entry.player for entry in made.entries if entry.first_round <= number + 1}
            listed = file.execute(LISTED, (tournament, number)).fetchall()
            assert sorted(row["player_id"] for row in listed) == sorted(entered - out)
            assert sorted(row["place"] for row in listed) == [*range(1, len(listed) + 1)]
            shared: dict[int, list[int]] = defaultdict(list)
            for row in listed:
                shared[row["rank"]].append(row["place"])
                assert abs(row["explained"] - row["score"]) < 1e-6
            assert all(rank == min(equals) for rank, equals in shared.items())
            assert made.rules.last_resort == "shared" or len(shared) == len(listed)


# --- 2. the numbers of the players ------------------------------------------------------

BY_NUMBER = {"player_id", "opponent_id", "white_id", "black_id"}
"""Columns of views that hold a number; all others go by the name."""
NUMBERLESS = [view for view in VIEWS if view != "tiebreak_entry"]
"""Views that show no lot, which is drawn from the number."""
POLICY = [rule for rule in RULES if rule != "first_round"]


def renumbered(made: Season, rng: random.Random) -> tuple[Season, dict[int, int]]:
    """The same season with other numbers, and what became of each.

    In the same order, where a start list has nothing else to part two players by.
    """
    ids = [entry.player for entry in made.entries]
    new = rng.sample(range(1, 10 * len(ids) + 1), len(ids))
    anew = any(period.start == "rating" for period in made.periods)
    starts = {(None if anew else entry.start_rank, entry.rating) for entry in made.entries}
    if len(starts) < len(ids):
        new.sort()
    to = dict(zip(ids, new, strict=True))
    other = Season(
        entries=[replace(each, player=to[each.player]) for each in made.entries],
        games=[replace(each, white=to[each.white], black=to[each.black]) for each in made.games],
        unplayed={(number, to[player]): kind for (number, player), kind in made.unplayed.items()},
        scoring=made.scoring,
        rules=made.rules,
        exceptions={(to[player], kind): taken for (player, kind), taken in made.exceptions.items()},
        corrections=[replace(each, player=to[each.player]) for each in made.corrections],
        periods=made.periods,
    )
    return other, to


def by_name(conn: sqlite3.Connection, names: list[str]) -> dict[str, list[str]]:
    """The rows of views without the numbers of players, in no order."""
    found = {}
    for name in names:
        cursor = conn.execute(f"SELECT * FROM {name}")
        kept = [
            index for index, column in enumerate(cursor.description) if column[0] not in BY_NUMBER
        ]
        found[name] = sorted(repr([row[index] for index in kept]) for row in cursor)
    return found


def lived(
    conn: sqlite3.Connection,
    made: Season,
    called: dict[int, str],
    policy: Sequence[object],
    some: list[str],
) -> tuple[object, ...]:
    """What a season shows by name, and then its next round."""
    with example(conn):
        tournament = put(conn, made, called=called)
        conn.execute(f"UPDATE rules SET {', '.join(f'{rule} = ?' for rule in POLICY)}", policy)
        before = by_name(conn, ["standings", *some])
        try:
            rounds.next_round(conn, tournament, allow_open=True)
        except KeizerError as error:
            return before, str(error).partition("(")[0]
        return before, by_name(conn, ["pairings", "relaxations", "pairing_reasons"])


@given(
    made=seasons(5, 3),
    seed=st.integers(0, 2**32 - 1),
    some=st.lists(st.sampled_from(NUMBERLESS), max_size=4, unique=True),
)
def test_the_numbers_of_the_players_change_nothing(
    file: sqlite3.Connection, made: Season, seed: int, some: list[str]
) -> None:
    """By name all is the same: views, ranks, and who meets whom in the next round.

    A number counts in two places: a lot is drawn from it, and of two players who
    start equal the lower number, who registered first, is ahead.
    """
    if made.rules.start_order == "lot":
        made.rules.start_order = "entry"
    listed = [name for name in made.rules.tiebreaks.split(",") if name != "lot"]
    made.rules.tiebreaks = ",".join(listed)
    rng = random.Random(seed)
    other, to = renumbered(made, rng)
    policy = [rng.choice(RULES[rule]) for rule in POLICY]
    note(f"{to}, {dict(zip(POLICY, policy, strict=True))}")
    one = lived(file, made, {old: f"P{old}" for old in to}, policy, some)
    assert lived(file, other, {new: f"P{old}" for old, new in to.items()}, policy, some) == one


# --- 3. edits, and what they leave ------------------------------------------------------------

KINDS = ["excused", "unexcused", "club duty", "bye"]
FACTS: dict[str, dict[str, list[object]]] = {
    "round": {
        "result": ["1-0", "0-1", "½-½", "0-0", "+-", "--", "adj", None],
        "round_number": [1, 2, 5], "board": [1, 9], "white": [1, 2], "black": [1, 3],
    },
    "unplayed": {"kind": [*KINDS], "round_number": [1, 2, 6], "player_id": [1, 2]},
    "x_player_tournament": {
        "rating": [1500, 2100, None], "start_rank": [1, 3, None], "first_round": [1, 2, 4],
        "last_round": [0, 2, 9, None], "status": ["active", "withdrawn"],
        "absent_as": ["excused", None],
    },
    "player": {"rating": [1600, None], "category": ["A", "C", None], "name": ["Zoë"]},
    "rules": {
        "recalculation": ["classic", "settled", "latest", "frozen", "lagged", "fixed"],
        "ladder": ["top", "bottom", "range", "score"], "top_value": [60, "n", "ratio 3"],
        "step": [0, 2], "floor_value": [0, 30], "withdrawn": ["listed", "out"],
        "start_order": ["rating", "entry", "lot"], "last_resort": ["order", "shared"],
        "tiebreaks": ["score,previous", "points,rating", "score,bh-c1,sb", "score,de,wins"],
        "line_rounding": [1, "1/2", None], "score_rounding": [1, None], "halves": ["up", "even"],
        "settled_from": ["before", "start"], "cycle_takes": ["values", "scores"],
        "own_value_at": ["current", "start", "new"],
        "newcomers": ["last", "rating"], "bonus": [0, 2],
        "rematch_gap": [0, 9],
    },
    "scoring": {
        "factor": [0, 0.5, "2/3"], "fixed": [0, 2.5], "points": [0, 1], "halving": [0, 1, "down"],
        "season_cap": [0, 1, None], "counts_as_bye": [0, 1], "instead": ["unexcused", None],
    },
    "correction": {"points": [-3, 0.125], "round_number": [0, 2], "last_round": [1, None]},
    "exception": {"counts_as": [*KINDS]},
    "period": {"first_round": [1, 2], "scores": ["carry", "reset"], "start": ["ranking", "rating"]},
}  # fmt: skip
"""What is edited, and values it may get; some make no sense here and are refused."""
NEW = [
    "round (round_number, white, black, result) VALUES (2, 1, 2, '1-0')",
    "round (round_number, white, black) VALUES (5, 2, 1)",
    "unplayed (round_number, player_id, kind) VALUES (3, 1, 'excused')",
    "unplayed (round_number, player_id, kind) VALUES (6, 2, 'bye')",
    "correction (player_id, points) VALUES (1, 7.5)",
    "exception (player_id, kind, counts_as) VALUES (1, 'excused', 'unexcused')",
    "period (first_round, scores) VALUES (2, 'reset')",
    "period (first_round, start) VALUES (3, 'rating')",
    "attendance (round_number, player_id) VALUES (4, 1)",
    "prohibited_pairing (name, player_id) VALUES ('family', 2)",
    "schedule (round_number, date) VALUES (2, '2026-11-20')",
    "x_player_tournament (player_id, first_round) VALUES (99, 2)",
]
"""Facts that are added."""


class Edit(NamedTuple):
    """One edit of one row, as any client makes it."""

    table: str
    column: str | None
    """None: the row is deleted."""
    row: int
    """Which, counted round and round."""
    value: object
    """Of column; without a table, the statement that adds a row."""


def updates() -> st.SearchStrategy[Edit]:
    every = [(table, column, value) for table, columns in FACTS.items()
        for column, values in columns.items() for value in values]  # fmt: skip
    return st.builds(
        lambda chosen, row: Edit(chosen[0], chosen[1], row, chosen[2]),
        st.sampled_from(every),
        st.integers(0, 40),
    )


def deletions() -> st.SearchStrategy[Edit]:
    kept = {"player", "rules", "x_player_tournament"}  # an entry takes its exceptions along
    tables = st.sampled_from(sorted({*FACTS} - kept))
    return st.builds(Edit, tables, st.none(), st.integers(0, 40), st.none())


def additions() -> st.SearchStrategy[Edit]:
    return st.builds(Edit, st.just(""), st.none(), st.just(0), st.sampled_from(NEW))


EDITS = st.one_of(updates(), updates(), deletions(), additions())


def make(conn: sqlite3.Connection, edit: Edit) -> None:
    """Make an edit, which the file may refuse, of a row that may not be there."""
    table, column, number, value = edit
    values: tuple[object, ...] = ()
    if table:
        found = [row for (row,) in conn.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]
        row = found[number % len(found)] if found else 0
        values = (value, row) if column else (row,)
        change = f"UPDATE {table} SET {column} = ?" if column else f"DELETE FROM {table}"
        statement = f"{change} WHERE rowid = ?"
    else:
        name, columns, added = re.split(r" \(| VALUES \(", str(value))
        statement = f"INSERT INTO {name} (tournament_id, {columns} VALUES (1, {added}"
    try:
        conn.execute(statement, values)
    except sqlite3.IntegrityError as error:
        event(f"refused: {error}")


@given(
    made=seasons(5, 3),
    edits=st.lists(EDITS, min_size=1, max_size=2),
    bulk=st.sampled_from([True, True, True, False]),
    recursive=st.booleans(),
)
def test_a_recomputation_changes_nothing(
    file: sqlite3.Connection, made: Season, edits: list[Edit], bulk: bool, recursive: bool
) -> None:
    """What edits one by one have left is what the facts give from the start, again and again.

    So neither the order of edits counts, nor what was and was taken back, nor the client's
    setting of recursive_triggers (sqlite-utils: on); and nobody is in two places.
    """
    file.execute(f"PRAGMA recursive_triggers = {recursive:d}")
    with example(file):
        put(file, made, bulk=bulk)
        file.execute("INSERT INTO player (id, name) VALUES (99, 'Late')")
        for edit in edits:
            make(file, edit)
        before = read(file, COMPUTED)
        seats = "SELECT player_id, round_number FROM player_round GROUP BY 1, 2 HAVING count(*) > 1"
        assert file.execute(seats).fetchall() == []
        for _ in range(2):
            file.execute("UPDATE tournament SET revaluation = 'suspended'")
            file.execute("INSERT INTO revalue VALUES (1, 0)")
            assert read(file, COMPUTED) == before
            file.execute("UPDATE tournament SET revaluation = 'on'")
            assert read(file, COMPUTED) == before
