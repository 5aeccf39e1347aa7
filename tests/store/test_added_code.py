"""Code that a file brings along: it is not run, or ends, and check names it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from keizer.errors import KeizerError
from keizer.store import connection, database
from tests.support.files import FINGERPRINT, edit, rows
from tests.support.files import run_keizer as keizer

FALSIFIES = (
    "CREATE TRIGGER evil AFTER UPDATE OF result ON round WHEN NEW.round_number = 2"
    " BEGIN UPDATE round SET result = '0-1' WHERE id = 1; END"
)
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


LONG = ENDLESS.replace("FROM n)", "FROM n LIMIT 50000)")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four members in round 2, whose boards are open."""
    db = tmp_path_factory.mktemp("made") / "club.db"
    keizer("init", db, "--name", "Club")
    keizer(
        "import",
        db,
        "-",
        stdin="name,rating\nAnna,2000\nBoris,1900\nClara,1800\nDaan,1700\n",
    )
    for _ in range(2):
        keizer("next-round", db)
        keizer("publish-round", db)
        if rows(db, "SELECT 1 FROM round WHERE result IS NULL AND round_number = 1"):
            keizer("result", db, "-", stdin="1 1-0\n2 1-0\n")
    return db


@pytest.fixture
def club(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "club.db"))


def lose_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let SQLite work for half a second: what has to succeed comes before."""
    monkeypatch.setattr(connection, "READ_SECONDS", 0.5)
    monkeypatch.setattr(connection, "WRITE_SECONDS", 0.5)


def test_a_trigger_that_falsifies_is_named_and_nothing_is_entered(club: Path) -> None:
    edit(club, FALSIFIES)
    before = club.read_bytes()
    said = keizer("result", club, "1", "1-0", fails=True).stderr
    assert said == (
        f"Error: {club}: the trigger evil, which somebody added, would run with every entry:"
        ' `DROP TRIGGER "evil";` removes it. Until that is changed, nothing can be entered:'
        " `keizer check` says more.\n"
    )
    assert club.read_bytes() == before
    assert (
        "the trigger evil, which somebody added"
        in keizer("check", club, fails=True).stdout
    )
    edit(club, 'DROP TRIGGER "evil";')
    keizer("result", club, "1", "1-0")
    assert "is sound" in keizer("check", club).stdout


TRIGGERS = [
    "CREATE TRIGGER standings AFTER UPDATE ON round BEGIN DELETE FROM correction; END",
    "CREATE TABLE mine (a); CREATE TRIGGER a AFTER INSERT ON log BEGIN INSERT INTO mine VALUES (1);"
    " END; CREATE TRIGGER b AFTER INSERT ON mine BEGIN UPDATE player SET rating = 1; END",
    "CREATE TRIGGER a AFTER UPDATE ON round BEGIN INSERT INTO revalue VALUES (1, 0); END",
    "CREATE TRIGGER a AFTER INSERT ON command BEGIN UPDATE command SET who = 'x'; END",
    "CREATE TRIGGER a BEFORE UPDATE ON round BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER a AFTER UPDATE ON round WHEN in_the_shell(1) BEGIN /* INTO */ UPDATE OR FAIL"
    " [round] SET result = '0-1'; END",
    "CREATE TRIGGER a BEFORE INSERT ON log BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER a BEFORE INSERT ON command BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER a BEFORE UPDATE ON ranking_list BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER a AFTER UPDATE ON round BEGIN UPDATE\"round\"SET result = '0-1'; END",
    'CREATE TRIGGER a AFTER UPDATE ON round BEGIN DELETE FROM"correction"; END',
    "CREATE TRIGGER a AFTER UPDATE ON round BEGIN REPLACE INTO`correction`(points) VALUES (1); END",
    "CREATE TRIGGER a AFTER UPDATE ON round BEGIN UPDATE/**/OR/**/FAIL[player]SET rating = 1; END",
    "CREATE VIEW mine AS SELECT 1 AS a; CREATE TRIGGER a INSTEAD OF DELETE ON mine"
    " BEGIN DELETE FROM'unplayed'; END",
    "CREATE VIEW _code AS SELECT 'x', 'a _code', '', '';"
    "CREATE TRIGGER a AFTER UPDATE ON round BEGIN DELETE FROM correction; END",
    "CREATE TABLE mine (id INTEGER PRIMARY KEY); INSERT INTO mine VALUES (1);"
    "ALTER TABLE round ADD COLUMN e INTEGER; UPDATE round SET e = 1 WHERE id = 1;"
    "CREATE TRIGGER a AFTER UPDATE ON round BEGIN DELETE FROM round WHERE e = 1; END",
]


@pytest.mark.parametrize("script", TRIGGERS)
def test_with_a_trigger_that_somebody_added_a_file_is_read_and_gets_nothing(
    club: Path, made: Path, script: str
) -> None:
    with closing(sqlite3.connect(club)) as conn:
        conn.executescript(script)
    before = club.read_bytes()
    for command in (
        ["result", "1", "1-0"],
        ["next-round", "--again"],
        ["undo"],
        ["migrate"],
    ):
        name, *rest = command
        said = keizer(name, club, *rest, fails=True).stderr
        assert "which somebody added, would run with every entry" in said
    assert club.read_bytes() == before
    assert keizer("standings", club).stdout == keizer("standings", made).stdout
    assert "which somebody added, would run" in keizer("check", club, fails=True).stdout


COLUMNS = [
    "ALTER TABLE round ADD COLUMN g TEXT NOT NULL ON CONFLICT IGNORE AS (CASE WHEN result = '0-1'"
    " THEN NULL ELSE 1 END)",
    "CREATE TABLE mine (id INTEGER PRIMARY KEY); ALTER TABLE round ADD COLUMN e INTEGER"
    " REFERENCES mine (id) ON DELETE CASCADE",
    "CREATE INDEX slow ON round (length(result))",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'CREATE TABLE round',"
    " 'CREATE TABLE Round') WHERE name = 'round'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1)"
    " || ', CHECK (result))' WHERE name = 'round'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'round_number'"
    " || ' INTEGER', 'round_number INTEGER CHECK (1)') WHERE name = 'round'",
    "CREATE TABLE mine (x TEXT PRIMARY KEY); PRAGMA writable_schema = ON; UPDATE sqlite_master SET"
    " sql = substr(sql, 1, length(sql) - 1) || ', FOREIGN KEY (result) REFERENCES mine (x))'"
    " WHERE name = 'round'",
    "CREATE TABLE mine (x TEXT PRIMARY KEY); ALTER TABLE round ADD COLUMN x TEXT DEFAULT 'a'"
    " REFERENCES mine (x)",
    "ALTER TABLE round ADD COLUMN x INTEGER DEFAULT 5; PRAGMA writable_schema = ON;"
    " UPDATE sqlite_master SET sql = replace(sql, 'DEFAULT 5', 'DEFAULT (abs(-1 << 63))')"
    " WHERE name = 'round'",
    # To SQLite a no-break space is a letter: this column has another type, and may be NULL.
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'name TEXT NOT NULL',"
    " 'name TEXT' || char(160) || 'NOT NULL') WHERE name = 'player'",
    # To SQLite this is a blank.
    "ALTER TABLE round ADD COLUMN x TEXT \ufeffCHECK (board > -1)",
    "ALTER TABLE round ADD COLUMN x AS (1) REFERENCES player (id)",
    "CREATE TRIGGER evil AFTER UPDATE ON round BEGIN UPDATE round SET result = '0-0'; END;"
    " PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'TRIGGER' WHERE name = 'evil'",
    "CREATE INDEX evil ON round (result); PRAGMA writable_schema = ON;"
    " UPDATE sqlite_master SET type = 'INDEX' WHERE name = 'evil'",
    # It would tell which columns the tables of the file have.
    "CREATE TABLE pragma_table_xinfo (name)",
    "PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES ('table', 'sqlite_stat;',"
    " 'sqlite_stat;', 0, 'CREATE TABLE \"sqlite_stat;\" (a)')",
]


@pytest.mark.parametrize("script", COLUMNS)
def test_a_table_that_could_refuse_or_change_what_is_entered_gets_nothing(
    club: Path, script: str
) -> None:
    with closing(sqlite3.connect(club)) as conn:
        conn.executescript(script)
    before = club.read_bytes()
    assert (
        "Until that is changed, nothing can be entered"
        in keizer("result", club, "1", "0-1", fails=True).stderr
    )
    assert club.read_bytes() == before
    keizer("standings", club)
    keizer("check", club, fails=True)


HARMLESS = [
    "CREATE TABLE mine (a); CREATE UNIQUE INDEX mine_a ON mine (lower(a)) WHERE a > 0",
    "CREATE TABLE team (id INTEGER PRIMARY KEY); ALTER TABLE player ADD COLUMN team INTEGER"
    " DEFAULT NULL REFERENCES team (id)",
    "ALTER TABLE player ADD COLUMN shirt TEXT NOT NULL DEFAULT 'CHECK (M)'",
    "ALTER TABLE player ADD COLUMN initial TEXT AS (substr(name, 1, 1))",
    "CREATE INDEX by_result ON round (result DESC)",
]


@pytest.mark.parametrize("script", HARMLESS)
def test_what_cannot_refuse_stops_nobody(club: Path, script: str) -> None:
    with closing(sqlite3.connect(club)) as conn:
        conn.executescript(script)
    keizer("result", club, "1", "0-1")
    keizer("add", club, "Zoe")
    assert "is sound" in keizer("check", club).stdout
    assert "is gone" not in keizer("migrate", club).stderr
    assert "is sound" in keizer("check", club).stdout


TAMPERED = {
    "a view that ends at a NUL": "replace(sql, 'UNION ALL', '-- ' || char(0) || char(10)"
                                 " || 'UNION ALL')",
    "a blank of others": "replace(sql, 'SELECT ', 'SELECT ' || char(65279))",
}  # fmt: skip


@pytest.mark.parametrize("text", TAMPERED.values(), ids=TAMPERED)
def test_a_view_that_sqlite_reads_otherwise_is_not_keizers(
    club: Path, text: str
) -> None:
    edit(club, "PRAGMA writable_schema = ON",
         f"UPDATE sqlite_master SET sql = {text} WHERE name = 'problems'")  # fmt: skip
    assert (
        "the view problems is not as keizer made it"
        in keizer("check", club, fails=True).stdout
    )


def test_names_in_a_comment_are_not_keizers_to_delete(club: Path) -> None:
    """As z_code, by which a keizer knows what the one before had made."""
    edit(club, "CREATE VIEW mine AS SELECT 1", "PRAGMA writable_schema = ON",
         "UPDATE sqlite_master SET sql = replace(sql, 'CREATE VIEW z_code', 'CREATE VIEW"
         " /* ''x'' ''mine'' ''y'' ''mine'' */ z_code') WHERE name = 'z_code'")  # fmt: skip
    keizer("result", club, "1", "0-1")
    assert rows(club, "SELECT * FROM mine") == [(1,)]


def test_a_trigger_of_a_name_like_keizers_is_told_also_if_the_code_is_not_keizers(
    club: Path,
) -> None:
    edit(club, "CREATE VIEW foo AS SELECT 1",
         "INSERT INTO tiebreak VALUES ('foo', 'foo', 'x', 0, 0, 0, 'x')",
         "CREATE TRIGGER foo_asked AFTER UPDATE ON round BEGIN DELETE FROM correction; END",
         "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql ="
         " replace(sql, ' AS', ' /* x */ AS') WHERE name = 'pairing_reasons'")  # fmt: skip
    assert (
        "the trigger foo_asked, which somebody"
        in keizer("check", club, fails=True).stdout
    )


STATISTICS = """
ANALYZE;
CREATE TABLE ours (tbl INTEGER PRIMARY KEY, idx, stat);
INSERT INTO ours VALUES (1, NULL, '9');
CREATE TABLE mine (x REFERENCES other (tbl) ON DELETE CASCADE);
CREATE TRIGGER evil AFTER DELETE ON mine BEGIN UPDATE round SET result = '0-0' WHERE id = 1; END;
INSERT INTO mine VALUES (1);
PRAGMA writable_schema = ON;
DELETE FROM sqlite_master WHERE name = 'sqlite_stat4';
UPDATE sqlite_master SET name = 'gone', tbl_name = 'gone', sql = 'CREATE TABLE gone (a, b, c)'
  WHERE name = 'sqlite_stat1';
UPDATE sqlite_master SET name = 'sqlite_stat1', tbl_name = 'sqlite_stat1',
  sql = replace(sql, 'ours', 'sqlite_stat1') WHERE name = 'ours';
UPDATE sqlite_master SET sql = replace(sql, 'other', 'sqlite_stat1') WHERE name = 'mine';
"""
"""What ANALYZE counted, with a key of its own, on which a trigger follows when it is forgotten."""


def test_what_is_forgotten_of_analyze_sets_nothing_off(club: Path) -> None:
    with closing(sqlite3.connect(club)) as conn:
        conn.executescript(STATISTICS)
    before = rows(club, "SELECT id, result FROM round")
    for command in ("result", "absent", "migrate"):
        words = {"result": ["1", "0-1"], "absent": ["Anna"]}.get(command, [])
        keizer(command, club, *words, fails=True)
        assert rows(club, "SELECT id, result FROM round") == before
    keizer("check", club, fails=True)


def test_statistics_that_a_foreign_key_refers_to_are_left_alone(club: Path) -> None:
    with closing(sqlite3.connect(club)) as conn:
        conn.executescript(
            "ANALYZE; CREATE TABLE mine (x REFERENCES sqlite_stat1 (tbl));"
        )
    keizer("result", club, "1", "0-1")
    assert "is sound" in keizer("check", club).stdout


@pytest.mark.parametrize("column", ["rules ADD COLUMN white", "rules ADD COLUMN black"])
def test_a_column_with_which_a_view_cannot_be_read_is_told(
    club: Path, column: str
) -> None:
    """Its name is that of a column of another table that the view reads."""
    edit(club, f"ALTER TABLE {column}")
    told = keizer("check", club, fails=True).stdout
    assert (
        "cannot be read because of something that somebody added: ambiguous column name"
        in told
    )


def test_a_column_with_which_a_query_of_any_room_cannot_be_read_is_told(
    club: Path,
) -> None:
    """The evenings come from keizer/season/queries.sql; no view reads these columns."""
    edit(club, "ALTER TABLE tournament ADD COLUMN start")
    told = keizer("check", club, fails=True).stdout
    assert (
        "evenings cannot be read because of something that somebody added: ambiguous"
        in told
    )


@pytest.mark.parametrize(
    ("kind", "name"), [("table", "z"), ("view", "z_game"), ("view", "z")]
)
def test_a_trigger_that_stands_under_another_name_or_kind_is_told(
    club: Path, kind: str, name: str
) -> None:
    """As a program writes it that writes into sqlite_master."""
    named = (
        f"UPDATE sqlite_master SET type = '{kind}', name = '{name}' WHERE name = 'evil'"
    )
    edit(club, FALSIFIES, "PRAGMA writable_schema = ON", named)
    data = club.read_bytes()
    keizer("result", club, "1", "1-0", fails=True)
    assert club.read_bytes() == data
    keizer("check", club, fails=True)


def test_a_text_without_an_end_is_not_searched_for_one(club: Path) -> None:
    """Each of a million brackets would be looked for to the end."""
    edit(club, "CREATE VIEW ties_asked AS SELECT 1", "PRAGMA writable_schema = ON",
         "UPDATE sqlite_master SET sql = sql || ' /*' || replace(hex(zeroblob(400000)), '0', '[')"
         " WHERE name = 'ties_asked'")  # fmt: skip
    keizer("standings", club)
    keizer("result", club, "1", "1-0")


def test_what_somebody_added_is_named_with_where_it_stands(club: Path) -> None:
    edit(
        club,
        "CREATE TABLE seen (result TEXT)",
        "CREATE VIEW mine AS SELECT name FROM player",
        "CREATE INDEX by_title ON player (title)",
        "ALTER TABLE player ADD COLUMN shirt TEXT NOT NULL DEFAULT 'M'",
    )
    keizer("result", club, "1", "0-1")
    for command in ("check", "migrate"):
        said = keizer(command, club).stderr
        assert said.startswith("Note: not part of keizer, left unchanged: ")
        listed = {*said.strip().partition("unchanged: ")[2].rstrip(".").split(", ")}
        assert listed == {
            "table seen", "view mine", "index by_title on player",
            "column player.shirt",
        }  # fmt: skip


ENDLESS_CODE = {
    "the view that says whose code it is":
        f"DROP VIEW z_code; CREATE VIEW z_code (fingerprint, names) AS SELECT ({ENDLESS}), 1",
    "the same, with this keizer's fingerprint": "DROP VIEW z_code; CREATE VIEW z_code (fingerprint,"
        f" names) AS SELECT '{FINGERPRINT}', ({ENDLESS})",
    "as it was called before": f"CREATE VIEW _code (fingerprint, names) AS SELECT ({ENDLESS}), 1",
    "the standings": "DROP VIEW current_standings; CREATE VIEW current_standings (tournament_id,"
        f" rank) AS SELECT ({ENDLESS}), 1",
    "a guard": "DROP TRIGGER game_updated; CREATE TRIGGER game_updated AFTER UPDATE ON round"
        f" BEGIN SELECT ({ENDLESS}); END",
}  # fmt: skip


@pytest.mark.parametrize("script", ENDLESS_CODE.values(), ids=ENDLESS_CODE.keys())
def test_what_takes_the_place_of_keizers_code_is_not_run(
    club: Path, script: str
) -> None:
    """Commands read by their own; one that writes, or migrate, puts that into the file again."""
    right = keizer("standings", club).stdout
    with closing(sqlite3.connect(club)) as conn:
        conn.executescript(script)
    assert keizer("standings", club).stdout == right
    # Else it may be of an earlier keizer.
    if FINGERPRINT in script or "_code" not in script:
        assert "is not as keizer made it" in keizer("check", club, fails=True).stdout
    keizer("result", club, "1", "1-0")
    assert "is sound" in keizer("check", club).stdout


TIEBREAK = (
    "CREATE VIEW my_tb (tournament_id, round_number, player_id, name, value, key)"
    " AS SELECT tournament_id, round_number, player_id, 'mine', 1, 1 FROM ranking_list",
    "INSERT INTO tiebreak VALUES ('mine', 'my_tb', 'x', 0, 0, 0, 'us')",
)


def test_an_own_tie_break_is_run_and_its_trigger_is_keizers(club: Path) -> None:
    edit(club, *TIEBREAK)
    keizer("rules", club, "tiebreaks=score,mine,previous")
    keizer("result", club, "1", "1-0")
    assert "is sound" in keizer("check", club).stdout
    assert "gone" not in keizer("migrate", club).stderr
    assert rows(club, "SELECT count(*) FROM tiebreak_value") != [(0,)]


def test_an_own_tie_break_that_never_ends_is_given_up(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(club, *TIEBREAK)
    keizer("rules", club, "tiebreaks=score,mine,previous")
    edit(
        club,
        "DROP VIEW my_tb",
        TIEBREAK[0].replace("1, 1 FROM", f"1, ({ENDLESS}) FROM"),
    )
    before = club.read_bytes()
    lose_patience(monkeypatch)
    for line in (("result", "1", "1-0"), ("migrate",)):
        said = keizer(line[0], club, *line[1:], fails=True).stderr
        assert "this took too long and was given up: nothing was changed" in said
    assert club.read_bytes() == before


def test_a_view_that_never_ends_is_given_up(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(club, f"CREATE VIEW slow (tournament_id) AS {ENDLESS}")
    lose_patience(monkeypatch)
    assert (
        "took too long"
        in keizer("export", club, "-", "--csv", "--view", "slow", fails=True).stderr
    )


def test_a_file_without_code_of_others_takes_as_long_as_it_takes(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of a large season, say; a view of somebody's beside it is given a time."""
    monkeypatch.setattr(connection, "READ_SECONDS", 0.0)
    # More than to see whose code it is.
    monkeypatch.setattr(connection, "_STEPS", 100_000)
    with database.reading(club) as conn:
        assert conn.execute(LONG).fetchone()
    edit(club, "CREATE VIEW mine AS SELECT 1")
    with (
        pytest.raises(KeizerError, match="took too long"),
        database.reading(club) as conn,
    ):
        conn.execute(LONG).fetchone()


def test_a_value_is_not_larger_than_a_file_needs(club: Path) -> None:
    edit(club, "CREATE VIEW big AS SELECT hex(zeroblob(400000000)) AS x")
    assert (
        "too big"
        in keizer("export", club, "-", "--csv", "--view", "big", fails=True).stderr
    )
    for command, *more in (["standings"], ["result", 1, "1-0"], ["players"]):
        keizer(command, club, *more)


SLOW = "trim(hex(zeroblob(9)), replace(hex(zeroblob(9)), '0', '1'))"
"""With larger numbers one call takes minutes, during which SQLite looks at no clock."""


def _as_part_of(table: str, before: str, after: str) -> str:
    """Change the text of a definition as a hex editor does."""
    in_quotes = after.replace("'", "''")
    return (
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql ="
        f" replace(sql, '{before}', '{in_quotes}') WHERE name = '{table}'"
    )


UNASKED = {
    "an index on a table of somebody's": f"CREATE TABLE mine (x); CREATE INDEX i ON mine ({SLOW})",
    "the rows of an index": f"CREATE TABLE mine (x); CREATE INDEX i ON mine (x) WHERE x = {SLOW}",
    "an index whose name has a parenthesis":
        f"""CREATE TABLE mine (b); CREATE INDEX "a(" ON mine (b) WHERE "b" = {SLOW}""",
    "an index on a table of keizer's": f"CREATE INDEX i ON round (length({SLOW}))",
    "a name in quotes": """CREATE TABLE mine (x); CREATE INDEX i ON mine ("trim"(x, x))""",
    "a column of a table of somebody's": f"CREATE TABLE mine (x, y AS ({SLOW}) STORED)",
    "a column of a table of keizer's": f"ALTER TABLE player ADD COLUMN x AS ({SLOW})",
    "a condition of a table of keizer's": f"ALTER TABLE player ADD COLUMN x CHECK (x <> {SLOW})",
    "a column that keizer computes": _as_part_of(
        "ranking_list", "score_units / 6000000.0", f"length({SLOW}) + score_units / 6000000.0"
    ),
    "a text in small letters": "CREATE TABLE mine (x); CREATE INDEX i ON mine (x);"
        + _as_part_of("i", "CREATE INDEX", "create index"),
    "a view in the place of a table":
        f"DROP TABLE backup; CREATE VIEW backup AS SELECT {SLOW} AS folder, 1 AS kept",
    "a table of functions in the place of a table":
        "DROP TABLE site; CREATE VIRTUAL TABLE site USING fts5 (folder)",
    "a trigger with pages": "CREATE TRIGGER t AFTER UPDATE ON round BEGIN SELECT 1; END; PRAGMA"
        " writable_schema = ON; UPDATE sqlite_master SET rootpage = 7 WHERE name = 't'",
    "a text of bytes": "PRAGMA writable_schema = ON;"
        " UPDATE sqlite_master SET sql = CAST(sql AS BLOB)",
    "a table that is of bytes": "CREATE VIEW v AS SELECT 1; PRAGMA writable_schema = ON;"
        " UPDATE sqlite_master SET tbl_name = CAST(tbl_name AS BLOB) WHERE name = 'v'",
    "more than anybody adds": "".join(f"CREATE VIEW v{n} AS SELECT 1;" for n in range(1700)),
}  # fmt: skip


@pytest.mark.parametrize("script", UNASKED.values(), ids=UNASKED)
def test_a_file_that_would_run_code_unasked_is_not_read_and_check_says_what(
    club: Path, script: str
) -> None:
    keizer("backup", club)
    with closing(sqlite3.connect(club)) as conn:
        conn.executescript(script)
    before = club.read_bytes()
    for command in ("standings", "result", "migrate", "backup", "undo"):
        words = ["1", "1-0"] if command == "result" else []
        said = keizer(command, club, *words, fails=True).stderr
        assert (
            "Until that is changed, keizer reads nothing of it" in said
            or "is not keizer's" in said
        )
    (found,) = keizer("check", club, fails=True).stdout.strip().splitlines()
    wanted = ("which may take any time", "is not as keizer made it", "that no program writes",
              "2000 at most", "2,000 at most")  # fmt: skip
    assert any(words in found for words in wanted), found
    assert club.read_bytes() == before
    keizer("restore", club, "1")
    assert "is sound" in keizer("check", club).stdout


@pytest.mark.parametrize("script", UNASKED.values(), ids=UNASKED)
def test_a_snapshot_that_would_run_code_unasked_is_listed_and_not_read(
    club: Path, script: str
) -> None:
    keizer("backup", club)
    (snapshot,) = club.with_suffix(".backups").iterdir()
    with closing(sqlite3.connect(snapshot)) as conn:
        conn.executescript(script)
    assert (
        f"cannot be read: {snapshot} is not keizer's" in keizer("restore", club).stdout
    )
    before = club.read_bytes()
    assert "is not keizer's" in keizer("restore", club, "1", fails=True).stderr
    assert club.read_bytes() == before


def test_what_sqlite_takes_for_a_table_of_its_own_is_named(club: Path) -> None:
    """It has no regard to capitals there."""
    edit(club, "CREATE TABLE x (a)", "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET"
         " name = 'SQLITE_x', tbl_name = 'SQLITE_x', sql = 'CREATE TABLE SQLITE_x (a)'"
         " WHERE name = 'x'")  # fmt: skip
    assert "table SQLITE_x" in keizer("check", club, fails=True).stderr


def test_functions_with_effects_are_not_for_code_of_a_file(club: Path) -> None:
    with database.reading(club) as conn:
        assert conn.execute("PRAGMA trusted_schema").fetchone()[0] == 0
