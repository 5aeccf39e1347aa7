"""Whatever a client writes, row by row: what is possible is revalued, the rest is refused.

Single-row statements on every table and column there is, with values that make no
sense now and then, in a file with foreign keys and recursive triggers off and on. What
the file accepts is judged by its tables alone: no view or trigger has a say in it.
"""

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from math import isfinite
from typing import Any, NamedTuple
from unicodedata import category

import pytest

from conformance.seasons import usual_scoring
from keizer.store import tiebreaks
from keizer.store.soundness import proof
from tests.support.files import campaign, order_by, sample_db
from tests.support.refused import MORE

STATEMENTS, TIMES = 6, 12
"""How many statements a table gets, and each how often: most of the time goes to preparing."""
COMPUTED = ("ranking_list", "tiebreak_value", "settling")
OF_COMMANDS = {"log", "command", "backup", "site"}
"""What keizer keeps of its commands, and for them."""
CLOSED = {
    "outcome", "result_spelling", "fide_expectation", "ranking_list", "tiebreak_order",
    "tiebreak_value", "settling", "settling_pass", "settling_value",
}  # fmt: skip
"""What is the same in every file, or computed: nothing can be written there."""
KEPT = {
    "x_player_tournament": {"score"},
    "unplayed": {"credited_as", "halvings", "capped_by"},
    "tournament": {
        "revaluation",
        "stale_from",
        "last_round",
        "current_round",
        "coming_round",
    },
}
"""Columns that the file keeps by itself."""
WRITTEN_TOO = {
    ("player", "x_player_tournament"): {"rating"},
    ("tournament",) * 2: {"above"},
}
"""Columns of other rows that an edit of a table writes as well."""
FOLLOW = {
    "tournament": {
        "rules", "scoring", "period", "schedule", "tiebreak_order",
    },
    "x_player_tournament": {
        "correction", "exception", "prohibited_pairing", "attendance", "reason",
    },
    "round": {"reason"},
    "unplayed": {"reason"},
    "rules": {"tiebreak_order"},
}  # fmt: skip
"""Whose rows go with a row of a table that goes, or moves."""
REPLACEABLE = {"player"}
"""Where an INSERT may come in the place of a row that nobody refers to, or change one."""
UNSEEN = {"Cc", "Cf", "Zl", "Zp"}
"""What no text has: characters that control, or are not seen."""
KINDS = {kind: scoring.applies_to for kind, scoring in usual_scoring().items()}
"""The kinds of scoring that every tournament has."""

MORE_YET = """
UPDATE tournament SET revaluation = 'suspended';
INSERT INTO tournament (description) VALUES ('Nobody here');
INSERT INTO x_player_tournament (tournament_id, player_id, first_round)
  VALUES (2, 1, 1), (2, 2, 1), (2, 3, 1);
UPDATE rules SET match_games = 3, recalculation = 'settled' WHERE tournament_id = 2;
UPDATE scoring SET season_cap = 1, instead = 'unexcused', counts_with = 'on tour'
  WHERE tournament_id = 1 AND kind = 'excused';
UPDATE round SET white_place = 1, black_place = 2, colour_by = 'rank' WHERE id = 1;
INSERT INTO round (tournament_id, round_number, white, black, result) VALUES (2, 1, 1, 3, '0-1');
INSERT INTO round (tournament_id, round_number, white, black, white_wins, black_wins, drawn)
  VALUES (2, 2, 3, 2, 2, 1, 0);
INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (2, 1, 2, 'bye');
UPDATE x_player_tournament SET status = 'withdrawn' WHERE tournament_id = 1 AND player_id = 5;
INSERT INTO reason (tournament_id, round_number, white, black, about, rule)
  SELECT 1, 2, white, black, 'given up', 'colour_run' FROM round
  WHERE tournament_id = 1 AND round_number = 2 AND board = 1;
INSERT INTO reason (tournament_id, round_number, white, about, rule)
  SELECT 1, round_number, player_id, 'given up', 'bye_again' FROM unplayed
  WHERE tournament_id = 1 AND kind = 'bye' LIMIT 1;
INSERT INTO reason (tournament_id, round_number, white, black, about, rule, player_id)
  SELECT 1, 1, white, black, 'nearer', 'fit', 10 FROM round WHERE id = 1;
UPDATE tournament SET revaluation = 'on';
"""
"""What the season has beside sample.db and MORE: a row in every table, and a second tournament."""

Row = dict[str, Any]
State = dict[str, dict[Any, Row]]

ODD: Sequence[object] = (
    None, "", " ", "x", "A", "1", b"A", b"", 0, -1, 1, 2, 3, 4, 6, 7, 9, 10, 77, 999, 1000,
    1.5, 0.25, 9 * 10**18, -(2**63), 2**53 + 1, 1e300, 1e999, -1e999, "NaN", "now", "1/3", "n",
    "2026-02-29", "2026-02-28", "2026-02-28 19:30:00", "2026-02-28T19:30", "win", "excused",
    "bye", "late", "suspended", "running", "on", "withdrawn", "1-0", "0-0", "=", "1 : 0", "0-1f",
    "void", "score,sb", "score,luck", "x\0y", "x  y", "x\u202ey", "=1+1", "out",
)  # fmt: skip


class Table(NamedTuple):
    """A table of the file: the type of each column that can be written, and what a row goes by."""

    name: str
    types: dict[str, str]
    needed: set[str]
    key: list[str]

    @classmethod
    def of(cls, conn: sqlite3.Connection, name: str) -> "Table":
        found = conn.execute(
            'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE NOT hidden',
            (name,),
        ).fetchall()
        primary = [
            column
            for _, column in sorted((pk, column) for column, _, _, pk in found if pk)
        ]
        (made,) = conn.execute(
            "SELECT sql FROM sqlite_master WHERE name = ?", (name,)
        ).fetchone()
        return cls(
            name,
            {column: type_ for column, type_, *_ in found},
            {column for column, _, needed, pk in found if needed or pk},
            primary if made.endswith("WITHOUT ROWID") else ["rowid"],
        )


@dataclass
class Edit:
    """A statement on one row of a table, again and again with other values."""

    table: Table
    statement: str
    written: list[str]
    names_a_row: bool = True
    values: list[object] = field(default_factory=list)
    row: object = None

    def __str__(self) -> str:
        return f"{self.statement} {self.values}"


class Desk:
    """A file, and somebody who writes whatever comes to mind into its tables."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn, self.rng = conn, random.Random(0)
        names = conn.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        self.tables = {
            name: Table.of(conn, name) for (name,) in names if name not in OF_COMMANDS
        }
        self.start = self.state()

    def state(self) -> State:
        """Every row of every table, by what it goes by."""
        found: State = {}
        for name, table in self.tables.items():
            width = len(table.key)
            columns = ", ".join([*table.key, *table.types])
            found[name] = {
                row[:width]: dict(zip(table.types, row[width:], strict=True))
                for row in self.conn.execute(f"SELECT {columns} FROM {name}")
            }
        return found

    def edit(self, table: Table) -> Edit:
        """A statement, its values to be drawn: some columns, any name of a row among them."""
        names = [
            *table.types,
            *(("rowid", "oid", "_rowid_") if table.key == ["rowid"] else ()),
        ]
        some = self.rng.sample(names, min(self.rng.choice([1, 1, 1, 2, 3]), len(names)))
        where = " AND ".join(f"{name} = ?" for name in table.key)
        how = self.rng.choice(["", "", " OR REPLACE", " OR IGNORE"])
        kind = self.rng.choice(
            ["INSERT", "INSERT", "UPSERT", "UPDATE", "UPDATE", "UPDATE", "DELETE"]
        )
        if kind == "UPDATE":
            settings = ", ".join(f"{name} = ?" for name in some)
            return Edit(
                table, f"UPDATE{how} {table.name} SET {settings} WHERE {where}", some
            )
        if kind == "DELETE":
            return Edit(table, f"DELETE FROM {table.name} WHERE {where}", [])
        left_out = {"id"} if self.rng.random() < 0.7 else set()
        into = [
            *dict.fromkeys(
                [*(name for name in table.types if name not in left_out), *some]
            )
        ]
        statement = f"INTO {table.name} ({', '.join(into)}) VALUES ({', '.join('?' * len(into))})"
        upsert = ", ".join(
            f"{name} = excluded.{name}" for name in into if name in table.types
        )
        if kind == "INSERT":
            statement = f"INSERT{how} {statement}"
        else:
            statement = f"INSERT {statement} ON CONFLICT DO UPDATE SET {upsert}"
        return Edit(table, statement, into, names_a_row=False)

    def draw(self, edit: Edit) -> None:
        """Values for a statement: of this row, of another one, or odd ones."""
        rows = self.start[edit.table.name]
        key = self.rng.choice(list(rows)) if rows else (1,) * len(edit.table.key)
        values = {name: self.value(edit.table, name) for name in edit.written}
        if edit.names_a_row:
            edit.values, edit.row = [*values.values(), *key], key
            return
        # A new row is an old one but for a few columns, or it would never be accepted.
        changed = {*self.rng.sample(edit.written, min(2, len(edit.written)))}
        values |= {
            name: value for name, value in rows.get(key, {}).items()
            if name in values and name not in changed
        }  # fmt: skip
        edit.values = list(values.values())
        named = [
            values[column]
            for column in edit.written
            if column in ("_rowid_", "oid", "rowid", "id")
        ]
        # Where a statement gives a row several times, SQLite takes the last.
        edit.row = (1 if named[-1:] == ["1"] else named[-1],) if named else None

    def value(self, table: Table, column: str) -> object:
        rows = list(self.start[table.name].values())
        if column in table.types and rows and self.rng.random() < 0.5:
            return self.rng.choice(rows)[column]
        return self.rng.choice(ODD)

    def wrong(self, edit: Edit) -> list[str] | None:
        """What is wrong after an edit that was accepted; None when it was refused."""
        self.conn.execute("SAVEPOINT edit")
        try:
            new = self.conn.execute(edit.statement, edit.values).lastrowid
        except sqlite3.IntegrityError:
            return None
        else:
            after = self.state()
            if after == self.start:
                return None
            touched = {edit.row, (new,)} if edit.table.key == ["rowid"] else {edit.row}
            if edit.table.name not in REPLACEABLE and not edit.names_a_row:
                touched -= {*self.start[edit.table.name]}
            return [
                *mistyped(self.changed(after), self.tables),
                *impossible(self.conn),
                *renumbered(edit, after),
                *ahead(self.changed(after), after),
                *self.gone(edit, after, touched),
                *self.said_by_the_file(after),
                *(self.behind() if self.rng.random() < 0.3 else ()),
                *(self.proven(edit) if self.rng.random() < 0.015 else ()),  # 0.3 s each
            ]
        finally:
            self.conn.execute("ROLLBACK TO edit")
            self.conn.execute("RELEASE edit")

    def changed(self, after: State) -> State:
        """The rows that were not like that before."""
        return {
            name: {
                key: row
                for key, row in rows.items()
                if self.start[name].get(key) != row
            }
            for name, rows in after.items()
        }

    def gone(self, edit: Edit, after: State, touched: set[object]) -> Iterator[str]:
        """Rows of others that went, or changed, without being said to follow."""
        follow = FOLLOW.get(edit.table.name, set())
        follow = follow | {name for table in follow for name in FOLLOW.get(table, ())}
        for name in self.start.keys() - {*COMPUTED, "tiebreak_order"}:
            kept = KEPT.get(name, set()) | WRITTEN_TOO.get(
                (edit.table.name, name), set()
            )
            for key, row in self.start[name].items():
                if name == edit.table.name and key in touched:
                    continue
                now = after[name].get(key)
                if now is None and name not in follow:
                    yield f"{name} {row} is gone"
                changed = {
                    column for column in row if now and row[column] != now[column]
                } - kept
                if changed:
                    yield f"{name} {row} changed in {changed}"

    def said_by_the_file(self, after: State) -> Iterator[str]:
        """What the file itself and SQLite find."""
        found = self.conn.execute("SELECT problem FROM problems").fetchall()
        if all(row["revaluation"] == "on" for row in after["tournament"].values()):
            yield from (problem for (problem,) in found)
        for pragma in ("foreign_key_check", "integrity_check"):
            found = self.conn.execute(f"PRAGMA {pragma}").fetchall()
            if found not in ([], [("ok",)]):
                yield f"{pragma}: {found}"

    def behind(self) -> Iterator[str]:
        """Whether the computed tables are what the facts ask for."""
        on = [
            row[0]
            for row in self.conn.execute(
                "SELECT id FROM tournament WHERE revaluation = 'on'"
            )
        ]
        names = [*COMPUTED, "x_player_tournament", "unplayed"]
        told = {name: self.rows(name, on) for name in names}
        self.conn.executemany(
            "INSERT INTO revalue VALUES (?, 0)", [(one,) for one in on]
        )
        for name in names:
            if told[name] != self.rows(name, on):
                yield f"{name} is behind"

    def rows(self, name: str, tournaments: list[int]) -> list[tuple[Any, ...]]:
        columns = ", ".join(
            name for name in self.tables[name].types if name != "tournament_id"
        )
        found = self.conn.execute(f"SELECT tournament_id, {columns} FROM {name}")
        return [row for row in found if row[0] in tournaments]

    def proven(self, edit: Edit | None = None) -> Iterator[str]:
        """What `keizer check` says after an edit: of another file, for it takes whole ones."""
        with closing(season()) as conn:
            if edit:
                conn.execute(edit.statement, edit.values)
            yield from (
                problem
                for problem in map(str, proof.problems(conn))
                if "is suspended" not in problem
            )


# --- the judge ---------------------------------------------------------------


def renumbered(edit: Edit, after: State) -> Iterator[str]:
    """A row that an UPDATE gave another number."""
    if edit.statement.startswith("UPDATE") and edit.row not in after[edit.table.name]:
        yield f"{edit.table.name}: row {edit.row} has another number"


def ahead(changed: State, after: State) -> Iterator[str]:
    """Games and byes, just written, of a round before which there is none."""
    rounds = [
        (name, key, row)
        for name in ("round", "unplayed")
        for key, row in after[name].items()
    ]
    for name in ("round", "unplayed"):
        for key, row in changed[name].items():
            where, number = row["tournament_id"], row["round_number"]
            follows_one = number == 1 or any(
                row["tournament_id"] == where
                and row["round_number"] >= number - 1
                and (other, other_key) != (name, key)
                for other, other_key, row in rounds
            )
            on = after["tournament"][where,]["revaluation"] == "on"
            if on and row.get("kind", "bye") == "bye" and not follows_one:
                yield f"{name}: round {number} follows none"


def mistyped(state: State, tables: Mapping[str, Table]) -> Iterator[str]:
    """Values of another type than their column; ids and rows not numbered from 1."""
    right: dict[str, tuple[type, ...]] = {
        "INTEGER": (int,), "TEXT": (str,), "REAL": (float,), "NUMERIC": (int, float, str),
        "": (int, float, str),
    }  # fmt: skip
    for name, table in tables.items():
        for key, row in state[name].items():
            if table.key == ["rowid"] and key[0] < 1:
                yield f"{name}: row {key[0]}"
            for column, value in row.items():
                if value is None:
                    if column in table.needed:
                        yield f"{name}.{column} is missing"
                elif type(value) not in right[table.types[column]]:
                    yield f"{name}.{column} is {value!r}"
                elif isinstance(value, str) and any(
                    category(letter) in UNSEEN for letter in value
                ):
                    yield f"{name}.{column} has what is not seen: {value!r}"
                elif isinstance(value, float) and not isfinite(value):
                    yield f"{name}.{column} has no end"
                elif column.endswith("id") and type(value) is int and value < 1:
                    yield f"{name}.{column} is {value}"


SEATED = """
WITH seated (tournament_id, round_number, player_id) AS (
  SELECT tournament_id, round_number, white FROM round
  UNION ALL SELECT tournament_id, round_number, black FROM round
), seat AS (
  SELECT * FROM seated UNION ALL SELECT tournament_id, round_number, player_id FROM unplayed
)
"""
"""Who has a game, and who has a game or an unplayed round."""

IMPOSSIBLE = {
    "no rules": "SELECT id FROM tournament WHERE id NOT IN (SELECT tournament_id FROM rules)",
    "no such kind": "WITH named (tournament_id, kind) AS ("
    " SELECT tournament_id, kind FROM unplayed UNION SELECT tournament_id, kind FROM exception"
    " UNION SELECT tournament_id, counts_as FROM exception"
    " UNION SELECT tournament_id, absent_as FROM x_player_tournament"
    " UNION SELECT tournament_id, instead FROM scoring"
    " UNION SELECT tournament_id, counts_with FROM scoring)"
    " SELECT * FROM named WHERE (tournament_id, kind) NOT IN"
    " (SELECT tournament_id, kind FROM scoring WHERE applies_to = 'unplayed')",
    "above in a circle": "WITH over (id, above) AS (SELECT id, above FROM tournament UNION"
    " SELECT over.id, tournament.above FROM over JOIN tournament ON tournament.id = over.above)"
    " SELECT id FROM over WHERE id = above",
    "twice in a round": f"{SEATED} SELECT * FROM seat GROUP BY 1, 2, 3 HAVING count(*) > 1",
    "twice on a board": "SELECT tournament_id, round_number, board FROM round GROUP BY 1, 2, 3"
    " HAVING count(*) > 1",
    "no game": "SELECT board, white, black FROM round"
    " WHERE (board BETWEEN 1 AND 99999 AND white <> black) IS NOT TRUE",
    "no match": "SELECT white_wins, black_wins, drawn, result FROM round JOIN rules"
    " USING (tournament_id) WHERE coalesce(white_wins, black_wins, drawn) IS NOT NULL"
    " AND (white_wins + black_wins + drawn <= match_games AND result IS CASE"
    " WHEN white_wins > black_wins THEN '1-0' WHEN white_wins < black_wins THEN '0-1'"
    " WHEN white_wins + drawn THEN '½-½' END) IS NOT TRUE",
    "withdrawn and in, or out and not": "SELECT status, last_round FROM x_player_tournament"
    " WHERE (status = 'withdrawn') <> (last_round IS NOT NULL)",
    "before or after they play": f"{SEATED} SELECT player_id, round_number FROM seat"
    " JOIN x_player_tournament USING (tournament_id, player_id)"
    " WHERE round_number < first_round OR round_number > last_round",
    "said to come too early": "SELECT player_id, round_number FROM attendance"
    " JOIN x_player_tournament USING (tournament_id, player_id) WHERE round_number < first_round",
    "reason of no game": "SELECT white, black FROM reason"
    " WHERE black IS NOT NULL AND (tournament_id, round_number, white, black) NOT IN"
    " (SELECT tournament_id, round_number, white, black FROM round)",
    "reason of nobody with the bye": "SELECT white FROM reason WHERE black IS NULL"
    " AND (tournament_id, round_number, white) NOT IN"
    " (SELECT tournament_id, round_number, player_id FROM unplayed)",
    "kinds of scoring of its own": "SELECT tournament_id, kind, applies_to FROM scoring"
    " WHERE applies_to <> 'unplayed' AND kind NOT IN (SELECT kind FROM usual)",
    "kinds of scoring that lack": "SELECT id, kind FROM tournament, usual"
    " WHERE (id, kind, applies_to) NOT IN (SELECT tournament_id, kind, applies_to FROM scoring)",
    "state of the revaluation": "SELECT revaluation, stale_from FROM tournament"
    " WHERE revaluation NOT IN ('on', 'suspended')"
    " OR stale_from IS NOT NULL AND (revaluation = 'on' OR stale_from NOT BETWEEN 0 AND 999)",
    "where the season is": "SELECT * FROM (SELECT t.id, last_round, current_round, coming_round,"
    " COALESCE(max(r), 0) AS last, "
    "COALESCE(max(r), 0) + COALESCE(max(CASE WHEN results OR published THEN r END)"
    " = max(r), max(r) IS NULL) AS coming FROM tournament AS t LEFT JOIN ("
    "  SELECT tournament_id, r, sum(games) AS games, sum(results) AS results,"
    "   sum(published) AS published, sum(byes) AS byes, sum(absent) AS absent FROM ("
    "   SELECT tournament_id, round_number AS r, 1 AS games, result IS NOT NULL AS results,"
    "    0 AS published, 0 AS byes, 0 AS absent FROM round UNION ALL"
    "   SELECT tournament_id, round_number, 0, 0, 0, kind = 'bye', 1 FROM unplayed UNION ALL"
    "   SELECT tournament_id, round_number, 0, 0, published_at IS NOT NULL, 0, 0 FROM schedule)"
    "  GROUP BY 1, 2 HAVING games OR byes OR (published AND absent)) AS r"
    " ON r.tournament_id = t.id GROUP BY t.id) AS s"
    " WHERE (last_round, coming_round) <> (last, coming) OR current_round <> ("
    # F2 of the specification: in which a game has a result, or which has no games.
    "  WITH RECURSIVE n (r) AS (SELECT 0 UNION ALL SELECT r + 1 FROM n WHERE r < last)"
    "  SELECT max(r) FROM n WHERE (s.id, r) NOT IN (SELECT tournament_id, round_number FROM round)"
    "   OR (s.id, r) IN (SELECT tournament_id, round_number FROM round WHERE result NOT NULL))",
    "ends before it begins": "SELECT last_round FROM correction WHERE last_round < round_number",
    "no time": "SELECT last_updated FROM round"
    " WHERE last_updated IS NOT NULL AND moment(last_updated) IS NULL",
    "no such time": "SELECT at FROM (SELECT published_at AS at FROM schedule"
    " UNION ALL SELECT date || ' 00:00:00' FROM schedule) WHERE moment(at) IS NOT at",
}
"""What cannot be in a season: how it is called, and the query that finds it."""


def impossible(conn: sqlite3.Connection) -> Iterator[str]:
    """What cannot be in a season, by the tables alone; SQLite looks at the foreign keys."""
    for called, query in IMPOSSIBLE.items():
        yield from (f"{called}: {row}" for row in conn.execute(query))


def moment(text: str | None) -> str | None:
    """A time as SQLite writes it; None: it is none."""
    try:
        return str(datetime.fromisoformat(text or ""))
    except ValueError:
        return None


# --- the tests ---------------------------------------------------------------


@pytest.fixture(
    params=[
        pytest.param(
            (keys, triggers), marks=[pytest.mark.campaign] * (keys != triggers)
        )
        for keys, triggers in ((0, 0), (1, 1), (1, 0), (0, 1))
    ],
    ids=["neither", "both", "keys", "recursive"],
)
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A small season with a row in every table, as different clients open it."""
    with closing(season()) as conn:
        conn.execute(f"PRAGMA foreign_keys = {request.param[0]}")
        conn.execute(f"PRAGMA recursive_triggers = {request.param[1]}")
        yield Desk(conn)


@cache
def _template() -> sqlite3.Connection:
    conn = sqlite3.connect(":memory:", isolation_level=None)
    with closing(sqlite3.connect(sample_db())) as sample:
        sample.backup(conn)
    tiebreaks.create_all_triggers(conn)
    conn.executescript(MORE + MORE_YET)
    order_by(conn, "points,wins")
    return conn


def season() -> sqlite3.Connection:
    conn = sqlite3.connect(":memory:", isolation_level=None, cached_statements=2000)
    _template().backup(conn)
    conn.create_function("moment", 1, moment)
    conn.execute("CREATE TEMP TABLE usual (kind, applies_to)")
    conn.executemany("INSERT INTO usual VALUES (?, ?)", KINDS.items())
    return conn


@pytest.mark.seeds
def test_the_season_is_possible(desk: Desk) -> None:
    """And there is something to be changed in every table but one, which is for a moment."""
    assert [*mistyped(desk.start, desk.tables)] == []
    assert [*impossible(desk.conn)] == []
    assert [*desk.said_by_the_file(desk.start), *desk.behind(), *desk.proven()] == []
    assert [name for name, rows in desk.start.items() if not rows] == [
        "settling_pass",
        "settling_value",
    ]


@pytest.mark.seeds
@pytest.mark.parametrize("seed", [0, *campaign(1, 200)])
def test_any_edit_is_refused_or_right(desk: Desk, seed: int) -> None:
    """Each table is written to; what is computed or given never takes anything."""
    desk.rng.seed(seed)
    accepted: Counter[str] = Counter()
    found = []
    for table in desk.tables.values():
        for _ in range(STATEMENTS):
            edit = desk.edit(table)
            for _ in range(TIMES):
                desk.draw(edit)
                wrong = desk.wrong(edit)
                accepted[table.name] += wrong is not None
                found += [f"{edit}: {sentence}" for sentence in wrong or ()]
    assert found == []
    assert {name for name in CLOSED if accepted[name]} == set()
    assert accepted.total() > 20
