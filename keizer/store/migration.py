"""Bring a file up to the layout of this keizer, or put right what another program did to it.

The file is rebuilt in one transaction: its facts go through the triggers of this
version, as an INSERT in any program would. What these refuse is named, row by row, and
nothing is changed. Tables, columns, views and triggers that people added stay.
"""

import json
import re
import sqlite3
from collections.abc import Iterator

from keizer.errors import KeizerError
from keizer.store import commands, rebuild, refresh, sql
from keizer.store.history import cells
from keizer.texts import are, counted

STEPS = {
    2: """
UPDATE temp.old_log SET state = state_as_json(state);
ALTER TABLE temp.old_command ADD COLUMN player_id INTEGER;
UPDATE temp.old_command SET player_id = CAST(substr(who, instr(who, ' (#') + 3) AS INTEGER)
  WHERE who GLOB '* (#[1-9]*), phone';
DROP TABLE published;
DROP TABLE rule_change;
UPDATE temp.old_rules SET recalculation = 'settled' WHERE recalculation = 'complete';
UPDATE temp.old_rules SET cycle_takes = 'values' WHERE cycle_takes = 'last';
UPDATE temp.old_rules
  SET ladder = 'bottom', bottom_value = CAST(substr(top_value, 3) AS NUMERIC) + 1, top_value = 'n'
  WHERE ladder = 'top' AND top_value GLOB 'n+[0-9]*' AND top_value NOT GLOB '*.*'
    AND step = 1 AND places_per_step = 1;
UPDATE temp.old_log SET state = json_replace(state, '$.recalculation', 'settled')
  WHERE fact = 'rules' AND json_extract(state, '$.recalculation') = 'complete';
UPDATE temp.old_log SET state = json_replace(state, '$.cycle_takes', 'values')
  WHERE fact = 'rules' AND json_extract(state, '$.cycle_takes') = 'last';
UPDATE temp.old_log SET state = json_replace(state, '$.ladder', 'bottom', '$.top_value', 'n',
    '$.bottom_value', CAST(substr(json_extract(state, '$.top_value'), 3) AS NUMERIC) + 1)
  WHERE fact = 'rules' AND json_extract(state, '$.ladder') = 'top'
    AND json_extract(state, '$.top_value') GLOB 'n+[0-9]*'
    AND json_extract(state, '$.top_value') NOT GLOB '*.*'
    AND json_extract(state, '$.step') = 1 AND json_extract(state, '$.places_per_step') = 1;
""",
    3: """
DROP TABLE IF EXISTS inner_group;
DELETE FROM temp.old_log WHERE fact = 'inner_group';
""",
    4: """
CREATE TEMP TABLE met AS
  SELECT g.tournament_id, g.round_number, g.white, g.black
  FROM temp.old_round AS g LEFT JOIN temp.old_outcome AS o ON o.result = g.result
  WHERE COALESCE(o.played, 1) OR EXISTS (SELECT 1 FROM temp.old_scoring AS s
    WHERE s.tournament_id = g.tournament_id AND s.counts_as_game
      AND s.kind IN (o.white_kind, o.black_kind));
CREATE TEMP TABLE had AS
  SELECT tournament_id, white AS player_id, round_number, black AS opponent, 'W' AS colour FROM met
  UNION ALL SELECT tournament_id, black, round_number, white, 'B' FROM met;
CREATE INDEX temp.had_by ON had (tournament_id, player_id, round_number, colour);
CREATE TEMP TABLE old_reason AS
  SELECT row_number() OVER (ORDER BY round_number, about) AS id, * FROM (
    SELECT g.tournament_id, g.round_number, g.white, g.black, 'seat' AS about, g.colour_by AS rule,
      CASE m.colour WHEN 'W' THEN g.white WHEN 'B' THEN g.black END AS player_id,
      count(m.colour) AS amount, max(m.round_number) AS last_meeting,
      (SELECT group_concat(h.colour, '') FROM (SELECT colour FROM had
        WHERE tournament_id = g.tournament_id AND player_id = g.white
          AND round_number < g.round_number ORDER BY round_number DESC) AS h) AS white_colours,
      (SELECT group_concat(h.colour, '') FROM (SELECT colour FROM had
        WHERE tournament_id = g.tournament_id AND player_id = g.black
          AND round_number < g.round_number ORDER BY round_number DESC) AS h) AS black_colours,
      CASE g.colour_by WHEN 'rank' THEN (SELECT system FROM temp.old_rules AS u
        WHERE u.tournament_id = g.tournament_id) || CASE WHEN g.white_place < g.black_place
        THEN ', first' ELSE ', later' END END AS because
    FROM temp.old_round AS g
    LEFT JOIN had AS m ON m.tournament_id = g.tournament_id AND m.player_id = g.white
      AND m.opponent = g.black AND m.round_number < g.round_number
    WHERE g.colour_by IS NOT NULL
    GROUP BY g.id
    UNION ALL
    SELECT u.tournament_id, u.round_number, u.player_id, NULL, 'seat', 'bye', (SELECT
        CASE WHEN g.white_place > g.black_place THEN g.white ELSE g.black END
      FROM temp.old_round AS g WHERE g.tournament_id = u.tournament_id
        AND g.round_number = u.round_number AND g.colour_by <> 'fixed'
        AND max(g.white_place, g.black_place) > u.place
      ORDER BY max(g.white_place, g.black_place) DESC LIMIT 1) AS last,
      (SELECT count(*) FROM temp.old_unplayed AS o JOIN temp.old_scoring AS s
          ON s.tournament_id = o.tournament_id AND s.kind = o.kind AND s.counts_as_bye
        WHERE o.tournament_id = u.tournament_id AND o.player_id = u.player_id
          AND o.round_number < u.round_number), NULL, NULL, NULL,
      CASE WHEN u.place IS NULL THEN 'hand' ELSE 'least' END
    FROM temp.old_unplayed AS u
    WHERE u.kind = 'bye'
    UNION ALL
    SELECT tournament_id, round_number, white, black, 'given up',
      CASE WHEN rule = 'rematch' AND black IS NULL THEN 'left_over' ELSE rule END, NULL, amount,
      NULL, NULL, NULL, CASE why WHEN 'Settled by hand.' THEN 'hand' ELSE why END
    FROM main.relaxation
    UNION ALL
    SELECT s.tournament_id, s.round_number, g.white, g.black, 'nearer', s.obstacle, s.skipped_id,
      s.amount, NULL, NULL, NULL, NULL
    FROM main.skipped_opponent AS s
    JOIN temp.old_round AS g ON g.tournament_id = s.tournament_id
      AND g.round_number = s.round_number AND s.player_id IN (g.white, g.black)
  );
UPDATE temp.old_reason SET because = 'last'
  WHERE about = 'seat' AND because = 'least' AND player_id IS NULL;
DROP TABLE temp.met;
DROP TABLE temp.had;
DROP TABLE main.relaxation;
DROP TABLE main.skipped_opponent;
DELETE FROM temp.old_log WHERE fact IN ('relaxation', 'skipped_opponent');
""",
}
"""By layout: SQL that brings its tables, set aside as temp.old_NAME, to the next one.

A column that is only added needs none. What is renamed, or has another value, is so in
temp.old_log too: a row that is not as the log has it is refused.
"""

GONE: dict[int, dict[str, str | float | None]] = {
    2: {
        "fide": "2026",
        "forfeits": "unplayed",
        "koya": 0,
        "meet_all_first": 0,
        "bye_rounds": None,
        "min_score": None,
        "max_score": None,
        "longest_cycle": None,
    }
}
"""By layout: columns of its table rules that the next one has no more, and their defaults."""


def _state_as_json(state: str | None) -> str | None:
    """A state of table log as layout 2 had it, 'column=value, ...' with values of SQL, as JSON."""
    if state is None:
        return None
    parts = []
    for column, text, number in re.findall(r"(\w+)=(?:'((?:[^']|'')*)'|([^,']+))(?:, |$)", state):
        value = number or json.dumps(text.replace("''", "'"), ensure_ascii=False)
        parts.append(f'"{column}":{value}')
    return f"{{{','.join(parts)}}}"


class RefusedError(KeizerError):
    """A file that is not brought up to date; rows: why, a sentence each."""

    def __init__(self, sentence: str, rows: list[str]) -> None:
        super().__init__(sentence)
        self.rows = rows


def migrate(conn: sqlite3.Connection, *, accept: bool = False) -> list[str]:
    """Make the file one of this version; what people added and could not stay, a sentence each.

    accept: take rows that are not as the log has them as they are; they are then on it.
    Call it inside a transaction, with foreign keys off.
    Raises KeizerError where a row is refused, or is not as the log has it, or a table of
    facts is gone.
    """
    conn.text_factory = rebuild.text
    conn.create_function("state_as_json", 1, _state_as_json)
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    prepare, told = "", list[str]()
    for layout in range(version, sql.LAYOUT):
        prepare += STEPS.get(layout, "")
        for rule, usual in GONE.get(layout, {}).items():
            prepare += f"ALTER TABLE temp.old_rules DROP COLUMN {rule};\n"
            told += _set(conn, rule, usual)
    there = refresh.objects(conn)
    fresh = [table for table in rebuild.FACTS if ("table", table) not in there]
    gone = [table for table in rebuild.RECORDS if ("table", table) not in there and not prepare]
    if gone and not accept:
        raise RefusedError(
            "nothing was changed: what was in these tables is lost. See `keizer restore`, or make"
            " them anew, and empty, with --accept.",
            [f"the table {table} is missing, and all that was in it." for table in gone],
        )
    refused, lost = rebuild.rebuild(conn, prepare)
    if refused:
        raise RefusedError(
            f"nothing was changed: {counted(len(refused), 'row')} {are(len(refused))} not what the"
            " file may hold; correct or delete that first, in any program.",
            [str(row) for row in refused],
        )
    commands.describe(conn, f"migration from layout {version} to {sql.LAYOUT}")
    conn.execute(
        "INSERT INTO z_logged (fact, row)"
        " SELECT fact, row FROM z_logged UNION SELECT fact, row FROM log"
    )
    changed = [
        (fact, row)
        for fact, row, before, after in commands.changes(conn)
        if before != after
        and (version == sql.LAYOUT or (fact not in fresh and _differ(conn, fact, before, after)))
    ]
    if changed and not accept:
        raise RefusedError(
            f"nothing was changed: {counted(len(changed), 'row')} {are(len(changed))} not as the"
            " log has them; `keizer check` says what they are and were. See `keizer restore`, or"
            " take them as they are with --accept.",
            [f"row {row} of table {fact} is not as the log has it" for fact, row in changed],
        )
    conn.execute(f"PRAGMA user_version = {sql.LAYOUT}")
    commands.record(conn, undoable=False)
    return told + lost


def _set(conn: sqlite3.Connection, rule: str, usual: str | float | None) -> Iterator[str]:
    """Which tournaments set a rule that is no more, a sentence each."""
    found = conn.execute(
        f"SELECT description, {rule} FROM rules JOIN tournament ON id = tournament_id"
        f" WHERE {rule} IS NOT ? ORDER BY id",
        (usual,),
    )
    for name, value in found:
        yield f"the rule {rule}={value} of {name} is gone: keizer has it no more."


def _differ(conn: sqlite3.Connection, fact: str, before: str | None, after: str | None) -> bool:
    """Whether two states of a row differ in what both layouts have: the log of then has no more."""
    if before is None or after is None:
        return True
    logged, made = cells(before) or {}, cells(after) or {}
    return any(logged.get(column) != made.get(column) for column in rebuild.shared(conn, fact))
