"""Tournaments of one file: each is as it would be alone, whatever the others are.

The original counted every game once per tournament in the file.
"""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from typing import Any

import pytest

from conformance.generate import ABSENCES
from keizer.errors import KeizerError
from keizer.season import tournaments
from keizer.season.club_night import publication, results, rounds
from keizer.season.people import roster
from keizer.season.queries import Tournament
from keizer.store import tiebreaks
from keizer.store.soundness import rebuild
from tests.support.club_nights import RULES
from tests.support.files import campaign, empty, order_by
from tests.support.seasons import insert, random_season, update, write

Answers = dict[str, list[tuple[object, ...]]]

ALONE = [(1,), (2, 3)]
"""Which tournaments a file has without the others; 3 is the group above 2."""

POSSIBLE: dict[str, list[Any]] = RULES | {
    "match_games": [3],
    "recalculation": [
        "settled",
        "settled",
        "latest",
        "frozen",
        "frozen",
        "lagged",
        "lagged",
    ],
    "promoted": [1, 2],
    "min_games": [0, 1, 2],
    "newcomers": ["rating", "last"],
    "last_resort": ["order", "shared"],
    "percentage_byes": [0, 1],
}


def answers(
    conn: sqlite3.Connection,
    tournaments: tuple[int, ...],
    kinds: str = "'table', 'view'",
) -> Answers:
    """What every table and view says of these tournaments, but for what the log says."""
    names = conn.execute(
        "SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c"
        f" WHERE m.type IN ({kinds}) AND c.name = 'tournament_id' AND m.name <> 'rule_history'"
    ).fetchall()
    these = f"tournament_id IN ({', '.join(map(str, tournaments))})"
    return {
        name: sorted(
            (tuple(row) for row in conn.execute(f"SELECT * FROM {name} WHERE {these}")),
            key=repr,
        )
        for (name,) in names
    }


def without_others(
    conn: sqlite3.Connection, tournaments: tuple[int, ...]
) -> sqlite3.Connection:
    """A file with the facts of these tournaments, of which all else is made anew."""
    found = sqlite3.connect(":memory:", isolation_level=None)
    conn.backup(found)
    triggers = found.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
    ).fetchall()
    for (name,) in triggers:
        found.execute(f"DROP TRIGGER {name}")
    these = ", ".join(map(str, tournaments))
    for table in rebuild.FACTS:
        columns = rebuild.read_columns(found, table)
        column = "id" if table == "tournament" else "tournament_id"
        if column in columns:
            found.execute(f"DELETE FROM {table} WHERE {column} NOT IN ({these})")
    assert rebuild.rebuild(found)[0] == []
    return found


def fill(conn: sqlite3.Connection, tournament: int, rng: random.Random) -> None:
    """What a random season has not: families, matches, plans, and rules that change no score."""
    here = {"tournament_id": tournament}
    update(
        conn,
        "rules",
        here,
        {rule: rng.choice(values) for rule, values in POSSIBLE.items()},
    )
    last = Tournament(conn, tournament).now.last_round
    members = conn.execute(
        "SELECT player_id FROM x_player_tournament"
        " WHERE tournament_id = ? AND first_round <= ? AND last_round IS NULL",
        (tournament, last),
    )
    for (player,) in members.fetchall():
        one = {**here, "player_id": player}
        if rng.random() < 0.5:
            update(
                conn, "x_player_tournament", one, {"absent_as": rng.choice(ABSENCES)}
            )
        insert(conn, "attendance", **one, round_number=last + rng.randint(1, 2))
        insert(conn, "prohibited_pairing", **one, name=rng.choice("xyz"))
        for number in rng.sample(range(last + 2, last + 6), 3):  # announced
            insert(
                conn, "unplayed", **one, round_number=number, kind=rng.choice(ABSENCES)
            )
    for kind in ABSENCES:
        found = {
            "counts_as_bye": rng.randint(0, 1),
            "season_cap": rng.choice([None, 1, 2]),
        }
        update(conn, "scoring", {**here, "kind": kind}, found)
    for number in range(1, last + 3):
        played = {**here, "round_number": number}
        insert(conn, "schedule", **played, date=f"2026-0{rng.randint(1, 9)}-11")
        counts = rng.choice([(2, 1, 0), (0, 2, 0), (1, 1, 1)])
        match = dict(zip(("white_wins", "black_wins", "drawn"), counts, strict=True))
        update(conn, "round", {**played, "board": 1}, match)


def go_on(conn: sqlite3.Connection, tournament: int, rng: random.Random) -> None:
    """Some results, a newcomer, a draft or published round, a rule changed in mid-season."""
    steps: list[Callable[[], object]] = [
        lambda: results.enter_results(Tournament(conn, tournament), [(1, "1-0")]),
        lambda: results.enter_results(
            Tournament(conn, tournament), [(1, "2-1-0"), (2, "0-1")]
        ),
        lambda: roster.enter(
            Tournament(conn, tournament), f"Newcomer {rng.randint(1, 2)}", rating=1600
        ),
        lambda: rounds.next_round(Tournament(conn, tournament), allow_open=True),
        lambda: (
            publication.publish(Tournament(conn, tournament))
            if rng.random() < 0.5
            else None
        ),
    ]
    for step in steps:
        with suppress(KeizerError):  # there is nothing to do
            step()
    kind = rng.choice(["draw", "bye", "excused"])
    conn.execute("UPDATE scoring SET factor = ? WHERE tournament_id = ? AND kind = ?",
        (rng.randint(1, 7) / 8, tournament, kind))  # fmt: skip


@contextmanager
def untouched(conn: sqlite3.Connection, one: int, other: int) -> Iterator[None]:
    """Assert that nothing is written to two tournaments, of which one is suspended."""
    conn.execute("UPDATE tournament SET revaluation = 'suspended' WHERE id = ?", (one,))
    before = answers(conn, (one, other), "'table'")
    yield
    assert answers(conn, (one, other), "'table'") == before
    switched = conn.execute("SELECT id FROM tournament WHERE revaluation = 'suspended'")
    assert [state for (state,) in switched] == [one]
    conn.execute("UPDATE tournament SET revaluation = 'on' WHERE id = ?", (one,))


def three_tournaments(seed: int) -> sqlite3.Connection:
    """Of different lengths, with players in common, each with rules of its own; or twins."""
    rng = random.Random(seed)
    conn = empty()
    conn.row_factory = sqlite3.Row
    known = [
        name for (name,) in conn.execute("SELECT name FROM tiebreak ORDER BY name")
    ]
    others = sorted({*known} - {"score", "points", "de"})
    sizes, most = range(4, 9), 2 if seed % 2 else 8
    seasons = [
        (
            random_season(
                rng, players=sizes, first_id=first, most_rounds=most, options=True
            ),
            first,
        )
        for first in rng.sample(range(1, 4), 3)
    ]
    seasons.sort(key=lambda pair: pair[0].last_round(), reverse=seed % 4 in (0, 3))
    if seed % 4 == 3:
        seasons[2] = seasons[0]
    streams = [random.Random(f"{seed} {first}") for _, first in seasons]
    for (made, _), stream in zip(seasons, streams, strict=True):
        made.rules.max_passes = min(made.rules.max_passes, 30)
        tournament = write(conn, made)
        first = stream.choice(["score", "points", "points"])
        listed = ",".join([first, "de", *stream.sample(others, seed % 3 * 6)])
        with tournaments.revaluation_suspended(Tournament(conn, tournament)):
            order_by(conn, listed, tournament)
            fill(conn, tournament, stream)
    conn.execute("UPDATE tournament SET above = 3 WHERE id = 2")
    conn.execute(
        "UPDATE player SET rating = 1000 + 101 * id, category = char(65 + id / 2)"
    )
    for tournament in rng.sample([1, 2, 3] * 3, 9 if seed % 2 else 3):
        with untouched(conn, *{1, 2, 3} - {tournament}):
            go_on(conn, tournament, streams[tournament - 1])
    conn.row_factory = None
    return conn


@pytest.mark.seeds
@pytest.mark.parametrize("seed", [0, *campaign(1, 500)])
def test_a_tournament_is_as_it_would_be_alone(seed: int) -> None:
    """Its rows of every table and view, private ones too: also when all is computed anew."""
    with closing(three_tournaments(seed)) as conn:
        for tournaments in ALONE:
            with closing(without_others(conn, tournaments)) as alone:
                want = answers(alone, tournaments)
            for again in (False, True):
                if again:
                    for tournament in tournaments:
                        conn.execute("INSERT INTO revalue VALUES (?, 0)", (tournament,))
                found = answers(conn, tournaments)
                assert want.keys() == found.keys()
                for name, rows in want.items():
                    assert found[name] == rows, (name, tournaments, again)


TWO = """
INSERT INTO tournament (description) VALUES ('One'), ('Two');
INSERT INTO player (name, rating) VALUES ('A', 1500), ('B', 1600);
INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1), (2, 1), (1, 2), (2, 2);
"""

GAME = "INSERT INTO round (tournament_id, round_number, white, black) VALUES "
BYE = "INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES "

SEATED = f"""
INSERT INTO tournament (description) VALUES ('One'), ('Two');
INSERT INTO player (name) VALUES ('A'), ('B'), ('C'), ('D');
INSERT INTO x_player_tournament (player_id, tournament_id)
  SELECT p.id, t.id FROM player AS p, tournament AS t;
{GAME} (1, 1, 1, 2), (2, 1, 1, 2), (2, 2, 2, 1); {BYE} (1, 1, 3, 'bye'), (2, 1, 3, 'bye');
INSERT INTO reason (tournament_id, round_number, white, black, about, rule, player_id)
  VALUES (2, 1, 1, 2, 'nearer', 'min_gap', 4), (2, 1, 1, 2, 'given up', 'min_gap', NULL),
    (2, 1, 3, NULL, 'given up', 'max_byes', NULL);
INSERT INTO correction (tournament_id, player_id, round_number, points) VALUES (2, 4, 1, 5);
INSERT INTO exception (tournament_id, player_id, kind, counts_as)
  VALUES (2, 4, 'bye', 'excused');
INSERT INTO prohibited_pairing (tournament_id, player_id, name) VALUES (2, 4, 'x');
INSERT INTO attendance VALUES (NULL, 2, 3, 4), (NULL, 2, 1, 4);
UPDATE rules SET top_value = 99;
"""

APART: dict[str, tuple[str, str, list[tuple[object, ...]]]] = {
    "a rating follows where no round is paired": (
        f"{TWO} {GAME} (1, 1, 1, 2); UPDATE player SET rating = 1700 WHERE id = 1",
        "SELECT tournament_id, rating FROM x_player_tournament ORDER BY id",
        [(1, 1500), (1, 1600), (2, 1700), (2, 1600)],
    ),
    "who withdraws has played the last round of that tournament": (
        f"{SEATED} UPDATE x_player_tournament SET status = 'withdrawn' WHERE player_id = 4",
        "SELECT last_round FROM x_player_tournament WHERE player_id = 4",
        [(1,), (2,)],
    ),
    "who enters as withdrawn has, too": (
        f"{SEATED} DELETE FROM x_player_tournament WHERE player_id = 4;"
        "INSERT INTO x_player_tournament (player_id, tournament_id, status)"
        " VALUES (4, 2, 'withdrawn')",
        "SELECT last_round FROM x_player_tournament WHERE player_id = 4",
        [(2,)],
    ),
    "boards are numbered by tournament": (
        f"{SEATED} DELETE FROM unplayed; UPDATE round SET board = 99999 WHERE tournament_id = 2;"
        f"{GAME} (1, 1, 3, 4)",
        "SELECT board FROM round WHERE tournament_id = 1 ORDER BY 1",
        [(1,), (2,)],
    ),
    "a match has the games of its rules": (
        f"{SEATED} UPDATE rules SET match_games = 3 WHERE tournament_id = 2;"
        "UPDATE round SET white_wins = 2, black_wins = 1 WHERE tournament_id = 2",
        "SELECT DISTINCT result FROM round ORDER BY 1",
        [(None,), ("1-0",)],
    ),
    "one becomes shorter beside a longer one": (
        f"{SEATED} {GAME} (1, 2, 1, 2), (1, 3, 1, 2); UPDATE rules SET recalculation = 'settled',"
        " tiebreaks = iif(tournament_id = 2, 'points,de', tiebreaks);"
        "DELETE FROM round WHERE tournament_id = 2 AND round_number = 2",
        "SELECT max(r.round_number), max(s.round_number), max(v.round_number)"
        " FROM ranking_list AS r JOIN settling AS s USING (tournament_id)"
        " JOIN tiebreak_value AS v USING (tournament_id) WHERE tournament_id = 2",
        [(1, 1, 1)],
    ),
}
"""What is done to two tournaments of the same players, what is asked, and the answer."""


@pytest.mark.parametrize("what", APART)
def test_of_two_tournaments(conn: sqlite3.Connection, what: str) -> None:
    edit, query, due = APART[what]
    tiebreaks.create_all_triggers(conn)
    conn.executescript(edit)
    assert conn.execute(query).fetchall() == due


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE FROM x_player_tournament WHERE tournament_id = 1 AND player_id = 4",
        "UPDATE x_player_tournament SET first_round = 2 WHERE tournament_id = 1 AND player_id = 4",
        "DELETE FROM round WHERE tournament_id = 1",
        "UPDATE round SET white = 4 WHERE tournament_id = 1",
        "DELETE FROM unplayed WHERE tournament_id = 1",
        "UPDATE unplayed SET player_id = 4 WHERE tournament_id = 1",
    ],
)
def test_an_edit_changes_nothing_in_another_tournament(
    conn: sqlite3.Connection, edit: str
) -> None:
    """Not in any table: what is on record of boards, exceptions, what was published."""
    conn.executescript(SEATED)
    before = answers(conn, (2,), "'table'")
    assert all(before[table] for table in ("reason", "attendance"))
    conn.execute(edit)
    assert answers(conn, (2,), "'table'") == before


REASON = (
    "INSERT INTO reason (tournament_id, round_number, white, black, about, rule)"
    " VALUES (1, 1, 1, {}, 'given up', 'min_gap')"
)
ENTRY = "UPDATE x_player_tournament"
EXCEPTION = "INSERT INTO exception (tournament_id, player_id, kind, counts_as) VALUES"
FREE = "DELETE FROM scoring WHERE tournament_id = 1 AND kind = 'holiday'"
MATCHES, WON = (
    "UPDATE rules SET match_games = 3;",
    "UPDATE round SET white_wins = 2, black_wins = 1",
)
KIND = "INSERT INTO scoring (tournament_id, kind, factor) VALUES (1, 'holiday', 0), (2, 'holiday', 0);"
OWN = "INSERT INTO scoring (tournament_id, kind, factor) VALUES (1, 'own', 0);"
LACKING = (
    "DROP TRIGGER {0}_kept; UPDATE tournament SET revaluation = 'suspended', stale_from = 0;"
    " DELETE FROM {0} WHERE tournament_id = 2"
)
SWITCHED = "UPDATE tournament SET revaluation = 'on' WHERE id = 2"
ASKED = f"""
{GAME} (2, 1, 1, 2) | {GAME} (1, 2, 1, 2) | rounds follow one another
{BYE} (2, 1, 1, 'bye') | {GAME} (1, 2, 1, 2) | rounds follow one another
{GAME} (2, 1, 1, 2) | {REASON.format(2)} | these two do not meet
{BYE} (2, 1, 1, 'bye') | {REASON.format("NULL")} | does not have the bye
{GAME} (2, 1, 1, 2), (2, 2, 2, 1) | {ENTRY} SET first_round = 2 WHERE tournament_id = 1
{GAME} (2, 1, 1, 2), (2, 2, 2, 1) | {ENTRY} SET last_round = 1 WHERE tournament_id = 1
{GAME} (2, 1, 1, 2) | DELETE FROM x_player_tournament WHERE tournament_id = 1 AND player_id = 1
{KIND} UPDATE scoring SET counts_with = 'holiday' WHERE kind = 'bye' AND tournament_id = 2 | {FREE}
{KIND} {EXCEPTION} (2, 1, 'bye', 'holiday') | {FREE}
{KIND} {ENTRY} SET absent_as = 'holiday' WHERE tournament_id = 2 | {FREE}
{KIND} {BYE} (2, 1, 1, 'holiday') | {FREE}
{MATCHES} {GAME} (2, 1, 1, 2); {WON} | UPDATE rules SET match_games = 1 WHERE tournament_id = 1
{OWN} {BYE} (1, 1, 1, 'own') | UPDATE unplayed SET tournament_id = 2 | unknown kind of
{OWN} {EXCEPTION} (1, 1, 'bye', 'own') | UPDATE exception SET tournament_id = 2 | unknown kind of
INSERT INTO tournament (description) VALUES ('Three') | DELETE FROM tournament WHERE id = 3
| DELETE FROM x_player_tournament; DELETE FROM tournament WHERE id = 1
{LACKING.format("rules")} | {SWITCHED} | lacks its rules
{LACKING.format("scoring")} | {SWITCHED} | lacks its rules
"""
"""What a tournament has, an edit of the other, and why it is refused if it is."""


@pytest.mark.parametrize("line", ASKED.strip().splitlines())
def test_a_guard_asks_its_own_tournament(conn: sqlite3.Connection, line: str) -> None:
    """An edit is taken or refused whatever the other tournament has."""
    there, here, *refused = line.split("|")
    conn.executescript(f"{TWO} {there}")
    with (
        pytest.raises(sqlite3.IntegrityError, match=refused[0].strip())
        if refused
        else nullcontext()
    ):
        conn.executescript(here)


def test_an_order_of_another_tournament_is_not_this_one_s(
    conn: sqlite3.Connection,
) -> None:
    conn.executescript(TWO)
    order_by(conn, "points,previous", 2)
    with pytest.raises(sqlite3.IntegrityError, match=r"set in rules\.tiebreaks"):
        conn.execute("INSERT INTO tiebreak_order VALUES (1, 0, 'points', 0)")


CONSTANTS = {"about", "outcome", "result_spelling", "fide_expectation", "tiebreak"}
"""The same in every file."""

ENTER = "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES"
LIFE = {
    "INSERT INTO tournament (description) VALUES ('Open'), ('Open');"
    "INSERT INTO player (name) VALUES ('Jo'), ('Jo')": {},
    f"{ENTER} (1, 1)": {1: 1},
    f"{ENTER} (2, 1)": {1: 2},
    f"{ENTER} (1, 2)": {1: 2, 2: 1},
    f"{GAME} (1, 1, 1, 2); UPDATE round SET result = '1-0';"
    "INSERT INTO correction (tournament_id, player_id, round_number, points) VALUES (1, 1, 1, 5);"
    "DELETE FROM round; DELETE FROM correction": {1: 2, 2: 1},
    "DELETE FROM x_player_tournament WHERE tournament_id = 1": {2: 1},
    "DELETE FROM x_player_tournament; DELETE FROM player; DELETE FROM tournament": {},
}
"""What is written, and how many players each tournament has then."""


@pytest.mark.seeds
def test_what_is_entered_is_counted_and_what_is_deleted_leaves_nothing(
    conn: sqlite3.Connection,
) -> None:
    """Names may repeat, ids do not. Games, then entries, then players and tournaments go."""
    for statements, due in LIFE.items():
        conn.executescript(statements)
        for view in ("results", "current_standings", "presence"):
            counted = f"SELECT tournament_id, count(*) FROM {view} GROUP BY 1"
            assert dict(conn.execute(counted).fetchall()) == due
        scored = "SELECT count(*) FROM standings WHERE score OR points OR played"
        assert conn.execute(scored).fetchone() == (0,)
    for (name,) in conn.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
    ).fetchall():
        (count,) = conn.execute(f"SELECT count(*) FROM {name}").fetchone()
        assert name in CONSTANTS | {"log"} or count == 0, name
