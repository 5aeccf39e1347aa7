"""Bring a file up to the schema of this keizer: the facts stay, the rest is made anew.

Everything happens in one transaction. The facts are set aside, all that keizer
made in the file is dropped and made again from schema.sql and views/, the facts
are put back as they were, column by column, and every ranking is computed. So it
also puts right what another program dropped or rewrote in a file of this version.
Tables, views and triggers that people added themselves stay.
"""

import re
import sqlite3
from collections.abc import Iterator
from functools import cache

from keizer import definitions, names, sql, tables, tiebreaks, undo
from keizer.definitions import holds, quoted
from keizer.errors import KeizerError

_RETIRED = ("tiebreak_1", "tiebreak_2", "tiebreak_3", "tiebreaks_listed", "_seal_line")
"""Columns, triggers and views that earlier versions had."""

_LOGGED = 6
"""The first version with a log, and with texts in one form; table step was another before."""

NEW = {
    2: "correction inner_group period personal published rule_change settling settling_value",
    3: "apart passed_over relaxation",
    4: "fide_expectation tiebreak tiebreak_order tiebreak_value",
    5: "coming schedule",
    6: "backup log",
}
"""The tables that a version had first."""

# What is computed, or the same in every file.
_MADE = {
    "ranking", "tiebreak_order", "tiebreak_value", "settling", "settling_value",
    "outcome", "fide_expectation", "tiebreak",
}  # fmt: skip

_STEPS = (
    (
        5,
        """
INSERT INTO scoring (tournament_id, kind, applies_to, factor, points, counts_as_game)
SELECT t.id, column1, column2, column3, column4, column5
FROM tournament AS t, (VALUES
  ('aalsmeer', 'entry', 1, 0, 0),
  ('adjourned', 'game', 0.5, 0.5, 1))
WHERE NOT EXISTS (SELECT 1 FROM scoring WHERE tournament_id = t.id AND kind = column1)
""",
    ),
    (1, "UPDATE scoring SET counts_as_game = 1 WHERE kind IN ('win', 'draw', 'loss')"),
    (2, "UPDATE scoring SET counts_as_bye = 1 WHERE kind = 'bye'"),
)
"""What a file of a version, and of those before it, lacks once its rows are copied."""

_TIEBREAKS = """
UPDATE rules SET tiebreaks = (
  SELECT 'score' || group_concat(',' || CASE name WHEN 'sb' THEN 'value-sb' ELSE name END, '')
  FROM (SELECT name FROM (
      SELECT 1 AS at, tournament_id, tiebreak_1 AS name FROM old_rules
      UNION ALL SELECT 2, tournament_id, tiebreak_2 FROM old_rules
      UNION ALL SELECT 3, tournament_id, tiebreak_3 FROM old_rules)
    WHERE name IS NOT NULL AND tournament_id = rules.tournament_id
    GROUP BY name ORDER BY min(at)))
WHERE tournament_id IN (SELECT tournament_id FROM old_rules
  WHERE COALESCE(tiebreak_1, tiebreak_2, tiebreak_3) IS NOT NULL)
"""
"""Versions 2 and 3 had three columns for them, and sb was what is value-sb today."""


_GONE = """
INSERT INTO _log
SELECT fact, row, NULL FROM log
WHERE id IN (SELECT max(id) FROM log GROUP BY fact, row) AND state IS NOT NULL
  AND (fact, row) NOT IN (SELECT fact, row FROM _logged)
"""
"""Rows that the log still has."""


def statements() -> Iterator[str]:
    """The statements of schema.sql and views/*.sql, one by one."""
    yield from definitions.statements(sql.script())


Objects = dict[tuple[str, str], str]


def objects(conn: sqlite3.Connection) -> Objects:
    """What a file has, by type and name, as it was written."""
    return {
        (kind, name): text
        for kind, name, text in conn.execute(
            "SELECT type, name, sql FROM main.sqlite_master"
            " WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        )
    }


@cache
def as_made() -> dict[tuple[str, str], str]:
    """What keizer makes a file of."""
    new = sqlite3.connect(":memory:", isolation_level=None)
    try:
        new.executescript(sql.script())
        tiebreaks.compute_all(new)
        return objects(new)
    finally:
        new.close()


def differences(conn: sqlite3.Connection, made: Objects | None = None) -> list[str]:
    """What in the file is not as keizer made it, a sentence each.

    made: what it is made of, if it is not a club's file.
    """
    made, found = made or as_made(), objects(conn)
    # Triggers of tie-breaks are there where they are asked for: see view problems.
    missing = [it for it in made if it not in found and not it[1].endswith("_asked")]
    changed = [it for it, text in made.items() if not holds(found.get(it, text), text)]
    return [
        *(f"the {kind} {name} is missing." for kind, name in missing),
        *(f"the {kind} {name} is not as keizer made it." for kind, name in changed),
    ]


def proof(conn: sqlite3.Connection) -> tuple[list[str], list[str]]:
    """What is wrong in a club's file, and what in it is not as keizer made it, a sentence each.

    Pages first, for nothing else can be told without them; then the definitions, for
    whatever proves the rest may be among them.
    """
    damage = tables.damage(conn)
    changed = [] if damage else differences(conn)
    return damage or ([] if changed else tables.problems(conn)), changed


def _columns(conn: sqlite3.Connection, table: str, *, computed: bool = False) -> list[str]:
    """The columns of a table; those that are computed only where they are asked for."""
    found = conn.execute(
        "SELECT name FROM pragma_table_xinfo(?) WHERE NOT hidden OR ?", (table, computed)
    )
    return [row[0] for row in found]


def _as_written(conn: sqlite3.Connection, table: str, text: str) -> dict[str, str]:
    """The columns of a table, also those that are computed, as their definition has them."""
    parts = definitions.columns(text)
    return {it: parts.get(it, quoted(it)) for it in _columns(conn, table, computed=True)}


def _set_aside(conn: sqlite3.Connection, ours: list[str]) -> None:
    """Put the rows of our tables aside, as old_..., and drop all that acts by itself."""
    for kind, name in objects(conn):
        if kind in ("trigger", "view"):
            conn.execute(f"DROP {kind} IF EXISTS {quoted(name)}")
    for table in ours:
        listed = ", ".join(map(quoted, _columns(conn, table)))
        rowid = "rowid AS rowid_, " if has_rowid(conn, table) else ""
        conn.execute(f"CREATE TEMP TABLE old_{table} AS SELECT {rowid}{listed} FROM {table}")
        conn.execute(f"DROP TABLE {table}")


def has_rowid(conn: sqlite3.Connection, table: str) -> bool:
    """Whether the rows of a table have numbers, be it under another name."""
    (text,) = conn.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    return "WITHOUT ROWID" not in text


def _put_back(conn: sqlite3.Connection, table: str) -> None:
    """The rows set aside, in the columns there are; new columns have their defaults."""
    old = _columns(conn, f"old_{table}")
    columns = [column for column in _columns(conn, table) if column in old]
    rowid = "rowid" if "rowid_" in old else columns[0]
    listed = ", ".join(quoted(column) for column in columns if column != rowid)
    conn.execute(
        f"INSERT INTO {table} ({rowid}, {listed})"
        f" SELECT {'rowid_' if rowid == 'rowid' else rowid}, {listed} FROM old_{table}"
    )


def migrate(conn: sqlite3.Connection) -> list[str]:
    """Make the file one of this version; what people added and could not stay, a sentence each.

    Call it inside a transaction, with foreign keys off.
    Raises KeizerError where a table of facts is gone.
    """
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    made, before = as_made(), objects(conn)
    _complete(made, before, version)
    _free(before, version)
    ours = [name for kind, name in before if kind == "table" and (kind, name) in made]
    written = {table: _as_written(conn, table, before["table", table]) for table in ours}
    own = [(it, text) for it, text in before.items() if it not in made and it[1] not in _RETIRED]
    _set_aside(conn, ours)
    later = []
    for statement in statements():
        acting = re.search(r"^CREATE (TRIGGER|VIEW)", statement, re.MULTILINE)
        later.append(statement) if acting else conn.execute(statement)
    lost = _copy(conn, {it: written[it] for it in ours if it not in _MADE}, version)
    for until, step in _STEPS:
        if version <= until:
            conn.execute(step)
    if "tiebreak_1" in _columns(conn, "old_rules"):
        conn.execute(_TIEBREAKS)
    conn.execute("UPDATE tournament SET revaluation = 'suspended', stale_from = 0")
    for statement in later:
        conn.execute(statement)
    for kind, name in made:
        if kind == "view":
            conn.execute(f"SELECT * FROM {name} LIMIT 0")  # whatever it names is there
    return lost + _settle(conn, own, version)


def _copy(conn: sqlite3.Connection, facts: dict[str, dict[str, str]], version: int) -> list[str]:
    """Put the rows of all facts back; what could not stay, a sentence each.

    facts: the tables, and the columns that each had, as written.
    """
    lost = []
    conn.execute("PRAGMA ignore_check_constraints = ON")  # which are stricter than they were
    for table, written in facts.items():
        if version < _LOGGED and table == "step":
            continue
        texts = _texts(conn, table) if version < _LOGGED else []
        lost += _own_columns(conn, table, written)
        _put_back(conn, table)
        _tidy(conn, table, texts)
    conn.execute("PRAGMA ignore_check_constraints = OFF")
    return lost


def _complete(made: Objects, before: Objects, version: int) -> None:
    """Refuse to make up a table of facts that is gone."""
    for kind, name in made if version == sql.SCHEMA_VERSION else ():
        if kind == "table" and (kind, name) not in before and name not in _MADE:
            raise KeizerError(
                f"the table {name} is missing, and all that was in it: `keizer restore` lists the"
                " snapshots there are."
            )


def _texts(conn: sqlite3.Connection, table: str) -> list[str]:
    found = conn.execute(
        "SELECT name FROM pragma_table_xinfo(?) WHERE NOT hidden AND type = 'TEXT'", (table,)
    )
    return [row[0] for row in found]


def _tidy(conn: sqlite3.Connection, table: str, texts: list[str]) -> None:
    """Texts in the form that names have today: NFC, single spaces."""
    for column in texts:
        found = conn.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall()
        for (text,) in found:
            if isinstance(text, str) and names.tidy(text) != text:
                conn.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (names.tidy(text), text)
                )


def _free(before: Objects, version: int) -> None:
    """Refuse to take a table of somebody's own for one that came later."""
    for since, made in NEW.items():
        for name in made.split() if since > version else ():
            if ("table", name) in before:
                raise KeizerError(
                    f"somebody added a table {name}, which schema {since} has for its own:"
                    f" rename it first (ALTER TABLE {name} RENAME TO my_{name})."
                )


def _own_columns(conn: sqlite3.Connection, table: str, written: dict[str, str]) -> list[str]:
    """Give a table the columns again that people added to it; what could not stay, a sentence each.

    A bare column goes for one that cannot be had as it was; none for one that is computed.
    """
    stored, lost = _columns(conn, f"old_{table}"), []
    known = {*_columns(conn, table, computed=True), *_RETIRED}
    for column, definition in written.items():
        if column in known:
            continue
        try:
            conn.execute(f"ALTER TABLE {table} ADD COLUMN {definition}")
        except sqlite3.Error as error:
            lost.append(
                f"the column {table}.{column} that somebody added is not as it was: {error}."
            )
            if column in stored:
                conn.execute(f"ALTER TABLE {table} ADD COLUMN {quoted(column)}")
    return lost


def _settle(
    conn: sqlite3.Connection, own: list[tuple[tuple[str, str], str]], version: int
) -> list[str]:
    """With all in place: what people added, the log, the rankings."""
    lost = _add(conn, [it for it in own if it[0][0] != "trigger"])
    if "name" in _columns(conn, "old_tiebreak"):
        columns = ", ".join(_columns(conn, "tiebreak"))
        conn.execute(
            f"INSERT INTO tiebreak ({columns}) SELECT {columns} FROM old_tiebreak"
            " WHERE name NOT IN (SELECT name FROM tiebreak)"
        )
    undo.begin(conn)
    undo.describe(conn, f"migration from schema {version} to {sql.SCHEMA_VERSION}")
    conn.execute("INSERT INTO _log SELECT fact, row, state FROM _logged")
    conn.execute(_GONE)
    if version >= _LOGGED:
        (changed,) = conn.execute(
            "SELECT count(*) FROM log WHERE step = (SELECT id FROM step WHERE made_at IS NULL)"
        ).fetchone()
        if changed:
            lost.append(
                f"{changed} rows were not as the log had them, and are on it now as they are:"
                " see `keizer log --last 1 --changes`."
            )
    tiebreaks.compute_all(conn)
    conn.execute("UPDATE rules SET tiebreaks = tiebreaks")
    tiebreaks.compute_needed(conn)
    conn.execute("UPDATE tournament SET revaluation = 'on'")
    undo.record(conn, undoable=False)
    # Last: what they do is not for a migration.
    return lost + _add(conn, [it for it in own if it[0][0] == "trigger"])


def _add(conn: sqlite3.Connection, own: list[tuple[tuple[str, str], str]]) -> list[str]:
    """What people added, once more; what could not stay, a sentence each."""
    lost = []
    for (kind, name), text in own:
        if (kind, name) in objects(conn):
            continue
        try:
            conn.execute(text)
        except sqlite3.Error as error:
            lost.append(f"the {kind} {name} that somebody added is gone: {error}.")
    return lost
