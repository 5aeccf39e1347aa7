"""A file of every schema version there was becomes one of today, with the same tables.

tests/golden has a season of each version, made by that version's own keizer
(tests/golden/make).
"""

import gzip
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from keizer import migration, sql
from tests.conftest import ROOT, Keizer, edit, rows
from tests.test_published import dump

GOLDEN = sorted((ROOT / "tests/golden").glob("schema-*.db.gz"))

LOGGED = 6
"""The first version with a log."""

TABLES = (
    "SELECT round_number, name, rank, value_units, score_units, points_units"
    " FROM ranking JOIN player ON player.id = player_id WHERE ranking.tournament_id = 1"
    " ORDER BY 1, 2"
)


def unpacked(golden: Path, folder: Path) -> Path:
    path = folder / "club.db"
    path.write_bytes(gzip.decompress(golden.read_bytes()))
    return path


@pytest.fixture(params=GOLDEN, ids=lambda path: path.name)
def each(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A season as an earlier keizer left it, of every version."""
    return unpacked(request.param, tmp_path)


@pytest.fixture(params=[GOLDEN[0], GOLDEN[-1]], ids=lambda path: path.name)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Likewise, of the first and the last before this one."""
    return unpacked(request.param, tmp_path)


@pytest.fixture(params=[GOLDEN[0], GOLDEN[LOGGED - 2]], ids=lambda path: path.name)
def unlogged(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Likewise, of the first and the last without a log."""
    return unpacked(request.param, tmp_path)


def as_facts(db: Path) -> set[tuple[object, ...]]:
    """The games and unplayed rounds, by name."""
    return {
        *rows(
            db,
            "SELECT g.tournament_id, round_number, board, w.name, b.name, result, last_updated"
            " FROM round AS g JOIN player AS w ON w.id = white JOIN player AS b ON b.id = black",
        ),
        *rows(
            db,
            "SELECT tournament_id, round_number, name, kind FROM unplayed"
            " JOIN player ON player.id = player_id",
        ),
        *rows(
            db,
            "SELECT tournament_id, name, x.rating, category, first_round, last_round, start_rank"
            " FROM x_player_tournament AS x JOIN player ON player.id = player_id",
        ),
    }


def test_there_is_a_golden_file_for_every_version() -> None:
    versions = [int(path.name.removeprefix("schema-").split(".")[0]) for path in GOLDEN]
    assert versions == list(range(1, sql.SCHEMA_VERSION))


def test_the_facts_and_every_table_are_the_same(each: Path, keizer: Keizer) -> None:
    tables, facts = rows(each, TABLES), as_facts(each)
    ((version,),) = rows(each, "PRAGMA user_version")
    assert len(tables) == 8 * 6 - 1 and any(row[4] for row in tables)
    said = keizer("standings", each, "--tournament", "Autumn", fails=True).stderr
    assert f"`keizer migrate {each}`" in said
    assert keizer("migrate", each).stderr == ""
    assert rows(each, TABLES) == tables
    assert as_facts(each) == facts
    assert keizer("check", each).stdout == f"{each} is sound.\n"
    # The season goes on, and the log knows where it came from.
    keizer("next-round", each, "--allow-open", "--tournament", "Autumn")
    keizer("undo", each)
    assert rows(each, TABLES) == tables
    if version < LOGGED:
        assert "migration from schema" in keizer("log", each).stdout
        assert keizer("undo", each, fails=True).stderr == "Error: there is nothing to undo.\n"
    else:  # further back
        assert keizer("undo", each).stdout == "Undone: pairing of round 5.\n"
        assert "sound" in keizer("check", each).stdout


def test_it_is_the_schema_of_a_new_file(each: Path, keizer: Keizer, sample: Path) -> None:
    keizer("migrate", each)
    keizer("rules", each, "tiebreaks=score", "--tournament", "Autumn")
    schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1, 2"
    assert rows(each, schema) == rows(sample, schema)
    assert rows(each, "PRAGMA user_version") == [(sql.SCHEMA_VERSION,)]


def test_a_snapshot_of_the_old_file_is_kept(old: Path, keizer: Keizer) -> None:
    before = dump(old)
    keizer("migrate", old)
    (snapshot,) = (old.parent / "club.backups").iterdir()
    assert dump(snapshot) == before
    keizer("restore", old, "1")
    assert dump(old) == before


def test_without_a_snapshot_nothing_is_migrated(old: Path, keizer: Keizer) -> None:
    (old.parent / "club.backups").write_text("no folder")
    before = old.read_bytes()
    assert "no snapshot could be made" in keizer("migrate", old, fails=True).stderr
    assert old.read_bytes() == before


def test_what_people_added_stays(old: Path, keizer: Keizer) -> None:
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
        "CREATE TRIGGER broken AFTER UPDATE ON rules BEGIN DELETE FROM nowhere; END",
    )
    keizer("migrate", old)
    assert rows(old, "SELECT * FROM fee") == [(1, 50)]
    assert len(rows(old, "SELECT * FROM unpaid")) == 7
    assert rows(old, "SELECT name FROM sqlite_schema WHERE name = 'by_category'") != []
    assert len(rows(old, 'SELECT * FROM "so ""called"""')) == 8
    assert rows(old, "SELECT name FROM sqlite_schema WHERE name = 'broken'") != []
    assert rows(old, "SELECT * FROM initials") == [("A", "here, (there")]
    assert "sound" in keizer("check", old).stdout


def test_a_column_that_cannot_be_as_it_was_is_told(tmp_path: Path, keizer: Keizer) -> None:
    """Here because another is gone that it is computed from."""
    old = unpacked(ROOT / "tests/golden/schema-3.db.gz", tmp_path)
    edit(old, "ALTER TABLE rules ADD COLUMN first TEXT AS (tiebreak_1)")
    said = keizer("migrate", old).stderr
    assert said.count("\n") == 1
    assert "column rules.first that somebody added is not as it was" in said
    assert "sound" in keizer("check", old).stdout


@pytest.mark.parametrize("golden", GOLDEN[: max(migration.NEW) - 1], ids=lambda path: path.name)
def test_a_table_of_ones_own_is_not_taken_for_one_that_came_later(
    golden: Path, tmp_path: Path, keizer: Keizer
) -> None:
    old = unpacked(golden, tmp_path)
    there = {name for (name,) in rows(old, "SELECT name FROM sqlite_schema WHERE type = 'table'")}
    version = int(golden.name[7])
    later = {table for since, tables in migration.NEW.items() if since > version
        for table in tables.split()}  # fmt: skip
    made = {name for kind, name in migration.as_made() if kind == "table"}
    assert {*later, *there} == made
    assert not later & there
    edit(old, "CREATE TABLE log (id INTEGER, said TEXT)", "INSERT INTO log VALUES (1, 'mine')")
    assert "ALTER TABLE log RENAME TO my_log" in keizer("migrate", old, fails=True).stderr
    assert rows(old, "SELECT * FROM log") == [(1, "mine")]


def test_texts_get_the_form_they_have_today(unlogged: Path, keizer: Keizer) -> None:
    """Doubled spaces and accents apart were accepted once, and are no more."""
    edit(
        unlogged,
        "UPDATE player SET name = 'Anna  Vos' WHERE id = 1",
        "UPDATE player SET name = 'Çelik' WHERE id = 3",
    )
    keizer("migrate", unlogged)
    assert rows(unlogged, "SELECT name FROM player WHERE id IN (1, 3)") == [
        ("Anna Vos",),
        ("Çelik",),
    ]
    assert "sound" in keizer("check", unlogged).stdout


class TestTodaysFile:
    """It also puts right what another program dropped or rewrote."""

    @pytest.mark.parametrize(
        "damage",
        [
            "DROP VIEW standings",
            "DROP TRIGGER game_updated",
            "DROP INDEX games_with_white",
        ],
    )
    def test_what_is_missing_is_found_and_put_back(
        self, sample: Path, keizer: Keizer, damage: str
    ) -> None:
        before = dump(sample)
        edit(sample, damage)
        said = keizer("check", sample, fails=True)
        assert said.stdout.endswith(("is missing.\n", "is not as keizer made it.\n"))
        assert f"`keizer migrate {sample}`" in said.stderr
        keizer("migrate", sample)
        assert dump(sample) == before
        assert "sound" in keizer("check", sample).stdout

    def test_a_column_of_ones_own_is_kept(self, sample: Path, keizer: Keizer) -> None:
        edit(
            sample,
            "ALTER TABLE player ADD COLUMN phone TEXT",
            "UPDATE player SET phone = '020-' || id",
            "ALTER TABLE round ADD COLUMN remark TEXT",
        )
        assert "is sound" in keizer("check", sample).stdout
        before = rows(sample, "SELECT * FROM player"), rows(sample, "SELECT * FROM round")
        assert keizer("migrate", sample).stderr == ""
        assert (rows(sample, "SELECT * FROM player"), rows(sample, "SELECT * FROM round")) == before
        assert "is sound" in keizer("check", sample).stdout

    def test_sqlite_utils_transform(self, sample: Path, keizer: Keizer) -> None:
        """It makes a table anew, without its triggers and constraints."""
        from sqlite_utils import Database

        before = dump(sample)
        with closing(sqlite3.connect(sample)) as conn:
            for (name,) in conn.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'view'"
            ).fetchall():
                conn.execute(f"DROP VIEW {name}")
            Database(conn).table("player").transform(defaults={"category": "A"})
        keizer("migrate", sample)
        assert sorted(dump(sample)) == sorted(before)

    def test_it_changes_nothing_in_a_sound_file(self, sample: Path, keizer: Keizer) -> None:
        sample.with_name("two  blanks").mkdir()
        keizer("backup", sample, "--folder", "two  blanks")
        before, log = dump(sample), rows(sample, "SELECT * FROM log")
        keizer("migrate", sample)
        assert dump(sample) == before
        assert rows(sample, "SELECT * FROM log") == log

    def test_a_dump_loaded_elsewhere(self, sample: Path, keizer: Keizer) -> None:
        """It numbers its rows anew, where some had gone."""
        edit(sample, "DELETE FROM round WHERE rowid = 1")
        loaded = sample.with_name("loaded.db")
        with closing(sqlite3.connect(sample)) as conn, closing(sqlite3.connect(loaded)) as new:
            new.executescript("\n".join(conn.iterdump()))
            for pragma in ("application_id", "user_version"):
                (value,) = conn.execute(f"PRAGMA {pragma}").fetchone()
                new.execute(f"PRAGMA {pragma} = {value}")
        assert "by the log it is" in keizer("check", loaded, fails=True).stdout
        assert "keizer log --last 1 --changes" in keizer("migrate", loaded).stderr
        assert "sound" in keizer("check", loaded).stdout
        assert sorted(dump(loaded)) == sorted(dump(sample))

    @pytest.mark.parametrize("damage", ["DROP TABLE round", "ALTER TABLE round RENAME TO games"])
    def test_facts_are_not_made_up(self, sample: Path, keizer: Keizer, damage: str) -> None:
        edit(sample, damage)
        before = sample.read_bytes()
        said = keizer("migrate", sample, fails=True).stderr
        assert "the table round is missing" in said and "keizer restore" in said
        assert sample.read_bytes() == before

    def test_one_of_tomorrow_is_left_alone(self, sample: Path, keizer: Keizer) -> None:
        edit(sample, f"PRAGMA user_version = {sql.SCHEMA_VERSION + 1}")
        before = sample.read_bytes()
        assert "use a newer keizer" in keizer("migrate", sample, fails=True).stderr
        assert sample.read_bytes() == before


def test_statements_are_the_script_in_pieces() -> None:
    pieces = list(migration.statements())
    assert "".join(pieces) == sql.script()
    assert all(sqlite3.complete_statement(it) for it in pieces)
    assert shutil.which("sqlite3") is None or len(pieces) > 300
