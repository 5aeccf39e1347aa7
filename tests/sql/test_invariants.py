"""What holds for every season there can be, whatever is in it and however it got there.

A season is drawn by a number, small in players and rounds so that hypothesis shrinks
those first. `--hypothesis-profile=campaign` tries 100,000 a property.
"""

import random
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st

from conformance.seasons import Season
from keizer.errors import KeizerError
from keizer.season.club_night import rounds
from keizer.season.queries import Tournament
from keizer.store import sql, tiebreaks
from tests.support.club_nights import RULES
from tests.support.files import empty, public_views
from tests.support.seasons import insert, random_season, update, write

# --- one file for all seasons ---------------------------------------------------


@pytest.fixture(scope="module")
def file() -> Iterator[sqlite3.Connection]:
    """A file without a tournament that computes every tie-break; statements stay prepared."""
    conn = sqlite3.connect(":memory:", isolation_level=None, cached_statements=2000)
    conn.executescript(sql.script())
    tiebreaks.create_all_triggers(conn)
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


with closing(empty()) as made:
    VIEWS = sorted({*public_views(made)} - {"rule_history"})
"""The public views, but for those on what was before rules changed."""
COMPUTED = ["ranking_list", "settling", "settling_pass", "settling_value", "tiebreak_value",
    "unplayed", "x_player_tournament"]  # fmt: skip


def read(
    conn: sqlite3.Connection, names: list[str]
) -> dict[str, list[tuple[object, ...]]]:
    """Every row, as it stands and in its order."""
    return {
        name: [tuple(row) for row in conn.execute(f"SELECT * FROM {name}")]
        for name in names
    }


# --- seasons ----------------------------------------------------------------------

FIDE = [
    "points",
    "de",
    "bh-c1",
    "sb",
    "sb-c1",
    "ps",
    "ks",
    "aro",
    "tpr",
    "omw",
    "lot",
    "won",
]


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
        for number in range(Tournament(file, tournament).now.last_round + 1):
            entered = {
                entry.player
                for entry in made.entries
                if entry.first_round <= number + 1
            }
            listed = file.execute(LISTED, (tournament, number)).fetchall()
            assert sorted(row["player_id"] for row in listed) == sorted(entered - out)
            assert sorted(row["place"] for row in listed) == [
                *range(1, len(listed) + 1)
            ]
            shared: dict[int, list[int]] = defaultdict(list)
            for row in listed:
                shared[row["rank"]].append(row["place"])
                assert abs(row["explained"] - row["score"]) < 1e-6
            assert all(rank == min(equals) for rank, equals in shared.items())
            assert made.rules.last_resort == "shared" or len(shared) == len(listed)


# --- 2. the numbers of the players ------------------------------------------------------

BY_NUMBER = {"player_id", "opponent_id", "white_id", "black_id", "last_white"}
"""Columns of views that hold a number; all others go by the name."""
NUMBERLESS = [view for view in VIEWS if view not in ("tiebreak_entry", "order_reasons")]
"""Views that show no lot, which is drawn from the number, nor what orders by it."""
POLICY = [rule for rule in RULES if rule != "first_round"]


def renumbered(made: Season, rng: random.Random) -> tuple[Season, dict[int, int]]:
    """The same season with other numbers, and what became of each.

    In the same order, where a start list has nothing else to part two players by.
    """
    ids = [entry.player for entry in made.entries]
    new = rng.sample(range(1, 10 * len(ids) + 1), len(ids))
    anew = any(period.start == "rating" for period in made.periods)
    starts = {
        (None if anew else entry.start_rank, entry.rating) for entry in made.entries
    }
    if len(starts) < len(ids):
        new.sort()
    to = dict(zip(ids, new, strict=True))
    other = Season(
        entries=[replace(each, player=to[each.player]) for each in made.entries],
        games=[
            replace(each, white=to[each.white], black=to[each.black])
            for each in made.games
        ],
        unplayed={
            (number, to[player]): kind
            for (number, player), kind in made.unplayed.items()
        },
        scoring=made.scoring,
        rules=made.rules,
        exceptions={
            (to[player], kind): taken
            for (player, kind), taken in made.exceptions.items()
        },
        corrections=[
            replace(each, player=to[each.player]) for each in made.corrections
        ],
        periods=made.periods,
    )
    return other, to


def by_name(conn: sqlite3.Connection, names: list[str]) -> dict[str, list[str]]:
    """The rows of views without the numbers of players, in no order."""
    found = {}
    for name in names:
        cursor = conn.execute(f"SELECT * FROM {name}")
        kept = [
            index
            for index, column in enumerate(cursor.description)
            if column[0] not in BY_NUMBER
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
        conn.execute(
            f"UPDATE rules SET {', '.join(f'{rule} = ?' for rule in POLICY)}", policy
        )
        before = by_name(conn, ["standings", *some])
        try:
            rounds.next_round(Tournament(conn, tournament), allow_open=True)
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
    assert (
        lived(file, other, {new: f"P{old}" for old, new in to.items()}, policy, some)
        == one
    )


# --- 3. edits, and what they leave ------------------------------------------------------------

EDITED = [
    *["round", "unplayed", "x_player_tournament", "rules", "scoring"] * 2,
    "player", "correction", "exception", "period", "attendance", "prohibited_pairing", "schedule",
]  # fmt: skip


def make(conn: sqlite3.Connection, seed: int) -> None:
    """Make an edit, which the file may refuse: a row goes, comes, or has a cell of another one."""
    rng = random.Random(seed)
    table = rng.choice(EDITED)
    columns = [row["name"] for row in conn.execute(f"PRAGMA table_info({table})")]
    rows = conn.execute(
        f"SELECT rowid AS number, * FROM {table} ORDER BY number"
    ).fetchall()
    if not rows:
        return
    row, other = rng.choice(rows), rng.choice(rows)
    number, column = (
        row["number"],
        rng.choice([name for name in columns if name != "id"]),
    )
    # An entry takes its exceptions along.
    kept = {"player", "rules", "x_player_tournament"}
    how = rng.choice(
        ["UPDATE"] if table in kept else ["UPDATE", "UPDATE", "DELETE", "INSERT"]
    )
    note(f"{how} {table} {number} {column} {other[column]}")
    try:
        if how == "INSERT":
            cells = {name: row[name] for name in columns if name != "id"}
            insert(conn, table, **{**cells, "tournament_id": 1, column: other[column]})
        elif how == "DELETE":
            conn.execute(f"DELETE FROM {table} WHERE rowid = ?", (number,))
        else:
            update(conn, table, {"rowid": number}, {column: other[column]})
    except sqlite3.IntegrityError as error:
        event(f"refused: {error}")


@given(
    made=seasons(5, 3),
    other=seasons(5, 3),
    edits=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=3),
    bulk=st.sampled_from([True, True, True, False]),
    recursive=st.booleans(),
)
def test_a_recomputation_changes_nothing(
    file: sqlite3.Connection,
    made: Season,
    other: Season,
    edits: list[int],
    bulk: bool,
    recursive: bool,
) -> None:
    """What edits one by one have left is what the facts give from the start, again and again.

    So neither the order of edits counts, nor what was and was taken back, nor the client's
    setting of recursive_triggers (sqlite-utils: on); and nobody is in two places. The cells of
    an edit are those of two seasons, which share players.
    """
    file.execute(f"PRAGMA recursive_triggers = {recursive:d}")
    with example(file):
        put(file, made, bulk=bulk)
        put(file, other)
        for edit in edits:
            make(file, edit)
        before = read(file, COMPUTED)
        seats = (
            "SELECT 1 FROM player_round GROUP BY tournament_id, player_id, round_number"
        )
        assert file.execute(f"{seats} HAVING count(*) > 1").fetchall() == []
        for _ in range(2):
            file.execute("UPDATE tournament SET revaluation = 'suspended'")
            file.execute("INSERT INTO revalue SELECT id, 0 FROM tournament")
            assert read(file, COMPUTED) == before
            file.execute("UPDATE tournament SET revaluation = 'on'")
            assert read(file, COMPUTED) == before
