"""A file of another layout becomes one of today; what another program did is repaired.

Layout 0 is made up here, of today's with other names.
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from keizer.store import definitions, sql
from keizer.store.soundness import rebuild
from tests.support.files import dump, edit, rows
from tests.support.files import run_keizer as keizer

STANDINGS = (
    "SELECT round_number, name, rank, value, score, points FROM standings ORDER BY 1, 3"
)

_WITHOUT_SEALS = (
    "ALTER TABLE log RENAME TO sealed",
    "CREATE TABLE log AS SELECT id, command_id, changed_at, fact, row, state FROM sealed",
    "DROP TABLE sealed",
    "ALTER TABLE command RENAME TO sealed",
    "CREATE TABLE command AS"
    " SELECT id, description, message, who, player_id, made_at, undoes FROM sealed",
    "DROP TABLE sealed",
)
"""Takes the seals out of a log. (SQLite cannot drop a column behind a comment.)"""
YESTERDAY = (
    "ALTER TABLE player RENAME COLUMN rating TO elo",
    """UPDATE log SET state = replace(state, '"rating":', '"elo":') WHERE fact = 'player'""",
    "ALTER TABLE round DROP COLUMN colour_by",
    "ALTER TABLE rules DROP COLUMN bonus",
    """UPDATE log SET state = replace(state, ',"bonus":0', '') WHERE fact = 'rules'""",
    *_WITHOUT_SEALS,
    "PRAGMA user_version = 0",
)
"""How layout 0 differs from 1."""

TODAY = """
ALTER TABLE temp.old_player RENAME COLUMN elo TO rating;
UPDATE temp.old_log SET state = replace(state, '"elo":', '"rating":') WHERE fact = 'player';
"""
"""What brings its tables to layout 1; what they lack has its default."""


def without(db: Path, *kinds: str) -> None:
    """Drop every trigger, or view."""
    found = rows(db, "SELECT type, name FROM sqlite_schema ORDER BY type")
    edit(
        db, *(f"DROP {kind} IF EXISTS {name}" for kind, name in found if kind in kinds)
    )


@pytest.fixture
def old(sample: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """sample.db in layout 0, without views and triggers, which do not matter."""
    without(sample, "trigger", "view")
    edit(sample, *YESTERDAY)
    monkeypatch.setattr(rebuild, "STEPS", {0: TODAY})
    added = {"round.colour_by", "rules.bonus", "log.seal", "command.seal"}
    monkeypatch.setattr(rebuild, "ADDED_IN", {1: added})
    return sample


@pytest.fixture
def standings(sample: Path) -> list[tuple[Any, ...]]:
    """Those of sample.db as it is."""
    return rows(sample, STANDINGS)


def test_an_earlier_layout_is_refused_until_it_is_migrated(
    standings: list[tuple[Any, ...]], old: Path
) -> None:
    """Then facts and standings are as they were, the log goes on, and so does the season."""
    said = keizer("standings", old, fails=True).stderr
    assert f"has layout 0 and this keizer writes {sql.LAYOUT}" in said
    assert f"`keizer migrate {old}`" in said
    ((log,),) = rows(old, "SELECT count(*) FROM log")
    keizer("migrate", old)
    assert rows(old, STANDINGS) == standings
    assert rows(old, "PRAGMA user_version") == [(sql.LAYOUT,)]
    assert keizer("check", old).stdout == f"{old} is sound.\n"
    assert rows(old, f"SELECT fact FROM log WHERE id > {log}") == [("rules",)], (
        "the new column"
    )
    keizer("next-round", old)
    keizer("undo", old)
    assert rows(old, STANDINGS) == standings


def test_facts_that_the_log_has_otherwise_are_asked_about(old: Path) -> None:
    edit(old, "UPDATE player SET elo = 2300 WHERE id < 3")
    before = dump(old)
    said = keizer("migrate", old, fails=True)
    assert "row 1 of table player is not as the log has it" in said.stdout
    assert (
        "2 rows are not as the log has them" in said.stderr
        and "--accept" in said.stderr
    )
    assert dump(old) == before
    keizer("migrate", old, "--accept")
    assert f"migration from layout 0 to {sql.LAYOUT}" in keizer("log", old).stdout
    assert rows(old, "SELECT rating FROM player WHERE id < 3") == [(2300,), (2300,)]
    assert "sound" in keizer("check", old).stdout


@pytest.mark.parametrize("column", ["round.result", "player.category", "command.who"])
def test_a_column_that_an_earlier_layout_had_is_missed(old: Path, column: str) -> None:
    """Its values would be gone without a word, as the log of then has more columns than now."""
    table, name = column.split(".")
    edit(old, f"ALTER TABLE {table} RENAME COLUMN {name} TO other")
    before = dump(old)
    said = keizer("migrate", old, fails=True)
    assert f"the column {column} is missing, and all that was in it" in said.stdout
    assert "nothing was changed" in said.stderr
    assert dump(old) == before


def test_a_row_that_an_insert_would_not_get_in_is_named_and_nothing_is_changed(
    old: Path,
) -> None:
    edit(old, "UPDATE round SET white = 1 WHERE id = 2")
    before = dump(old)
    said = keizer("migrate", old, "--accept", fails=True)
    assert "row 2 of table round is refused: White already has a game" in said.stdout
    assert "nothing was changed" in said.stderr
    assert dump(old) == before


def test_a_snapshot_of_the_old_file_is_kept_or_nothing_is_migrated(old: Path) -> None:
    folder, before = old.parent / "sample.backups", dump(old)
    folder.write_text("no folder")
    assert "no snapshot could be made" in keizer("migrate", old, fails=True).stderr
    assert dump(old) == before
    folder.unlink()
    keizer("migrate", old)
    (snapshot,) = folder.iterdir()
    assert dump(snapshot) == before
    keizer("restore", old, "1")
    assert dump(old) == before


def test_what_people_added_stays(old: Path) -> None:
    edit(
        old,
        "CREATE TABLE fee (player_id INTEGER, paid INTEGER)",
        "INSERT INTO fee VALUES (1, 50)",
        "CREATE VIEW unpaid AS SELECT name FROM player WHERE id NOT IN (SELECT player_id FROM fee)",
        "CREATE INDEX by_category ON player (category)",
        "CREATE VIEW stale AS SELECT * FROM nowhere",
        'ALTER TABLE player ADD COLUMN "so ""called"""',
        'CREATE VIEW "so ""called""" AS SELECT "so ""called""" FROM player',
        "ALTER TABLE player ADD COLUMN [home, sweet] TEXT DEFAULT 'here, (there' /* , */",
        "ALTER TABLE player ADD COLUMN initial TEXT AS (substr(name, 1, 1))",
        "CREATE VIEW initials AS SELECT initial, [home, sweet] FROM player WHERE id = 1",
    )
    keizer("migrate", old)
    assert rows(old, "SELECT * FROM fee") == [(1, 50)]
    assert len(rows(old, "SELECT * FROM unpaid")) == 9
    assert rows(old, "SELECT name FROM sqlite_schema WHERE name = 'by_category'") != []
    assert len(rows(old, 'SELECT * FROM "so ""called"""')) == 10
    assert len(rows(old, "SELECT * FROM initials")) == 1
    assert "sound" in keizer("check", old).stdout


def test_a_column_that_cannot_be_as_it_was_is_told(old: Path) -> None:
    """Here because another is gone that it is computed from."""
    edit(old, "ALTER TABLE player ADD COLUMN strength TEXT AS (elo / 100)")
    said = keizer("migrate", old).stderr
    assert said.count("\n") == 1
    assert "column player.strength that somebody added is not as it was" in said
    assert "sound" in keizer("check", old).stdout


class TestTodaysFile:
    """It also puts right what another program dropped or rewrote."""

    def test_what_is_missing_is_found_and_put_back(self, sample: Path) -> None:
        before = dump(sample)
        edit(sample, "DROP VIEW standings", "DROP TRIGGER game_updated",
             "DROP INDEX games_with_white")  # fmt: skip
        said = keizer("check", sample, fails=True)
        missing = ("index games_with_white", "trigger game_updated", "view standings")
        assert sorted(said.stdout.splitlines()) == [
            f"the {item} is missing." for item in missing
        ]
        assert f"`keizer migrate {sample}`" in said.stderr
        keizer("migrate", sample)
        assert dump(sample) == before
        assert "sound" in keizer("check", sample).stdout

    def test_sqlite_utils_transform(self, sample: Path) -> None:
        """It makes a table anew, without its triggers and constraints."""
        from sqlite_utils import Database

        before = dump(sample)
        without(sample, "view")
        with closing(sqlite3.connect(sample)) as conn:
            Database(conn).table("player").transform(defaults={"category": "A"})
        keizer("migrate", sample)
        assert sorted(dump(sample)) == sorted(before)

    def test_it_changes_nothing_in_a_sound_file(self, sample: Path) -> None:
        sample.with_name("two  blanks").mkdir()
        keizer("backup", sample, "--folder", "two  blanks")
        before, log = dump(sample), rows(sample, "SELECT * FROM log")
        keizer("migrate", sample)
        assert dump(sample) == before
        assert rows(sample, "SELECT * FROM log") == log

    @pytest.mark.parametrize(("damage", "said"), [
        (["DROP TABLE round"], "the table round is missing.*keizer restore"),
        (["ALTER TABLE round RENAME TO games"], "the table round is missing.*keizer restore"),
        ([f"PRAGMA user_version = {sql.LAYOUT + 1}"], "use a newer keizer"),
        (["DROP VIEW promotions", "CREATE TABLE promotions (said TEXT)"],
         "ALTER TABLE promotions RENAME TO my_promotions"),
    ])  # fmt: skip
    def test_facts_are_not_made_up_and_what_is_not_ours_is_left_alone(
        self, sample: Path, damage: list[str], said: str
    ) -> None:
        edit(sample, *damage)
        before = sample.read_bytes()
        assert re.search(said, keizer("migrate", sample, fails=True).stderr)
        assert sample.read_bytes() == before


def test_statements_are_the_script_in_pieces() -> None:
    pieces = list(definitions.statements(sql.script()))
    assert "".join(pieces) == sql.script()
    assert all(sqlite3.complete_statement(piece) for piece in pieces)
