"""The file's code: generated from its tables, known by a fingerprint, refreshed by commands."""

import hashlib
import importlib.util
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from keizer.store import definitions, refresh, releases, sql
from keizer.store.fingerprint import DIGEST
from keizer.store.log import history
from keizer.store.soundness import rebuild
from tests.support.console import Console
from tests.support.files import (
    FINGERPRINT,
    ROOT,
    edit,
    past_the_guards,
    rows,
    sample_db,
)
from tests.support.files import run_keizer as keizer
from tests.support.refused import MORE, ON_RECORD
from tests.support.worked_example import facts

LAYOUTS = {1: "1b71b9cfcf143aaa"}
"""By number: a hash of the tables and indexes. Another hash is another layout: raise
`PRAGMA user_version` in schema.sql, and add it. rebuild.STEPS is for columns with a new name."""


def test_the_number_of_the_layout_is_that_of_its_tables() -> None:
    made = [
        definitions.strip_comments(statement)
        for statement in definitions.statements(sql.schema_script())
    ]
    tables = [
        statement
        for statement in made
        if statement.startswith(("CREATE TABLE", "CREATE INDEX"))
    ]
    found = hashlib.sha256("\n".join(tables).encode()).hexdigest()[:16]
    assert found == LAYOUTS.get(sql.LAYOUT)
    page = (ROOT / "docs/safety.md").read_text(encoding="utf-8")
    assert f"PRAGMA user_version = {sql.LAYOUT};" in page


# ------------------------------------------------------------ what is generated


@pytest.fixture
def generate(tmp_path: Path) -> ModuleType:
    """views/generate.py at work on a copy of what it reads and writes."""
    for part in ("views", "schema.sql", "keizer/store/fingerprint.py"):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    spec = importlib.util.spec_from_file_location(
        "generate", tmp_path / "views/generate.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATED = (
    "views/guards/generated.sql", "views/log/generated.sql",
    "views/log/z_code.sql", "keizer/store/fingerprint.py",
)  # fmt: skip


def test_what_is_generated_is_up_to_date(generate: ModuleType) -> None:
    assert generate.main(["--check"]) == 0


@pytest.mark.parametrize("name", GENERATED)
def test_a_line_that_is_missing_fails_and_says_what_to_run(
    generate: ModuleType, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = generate.ROOT / name
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for index in range(0, len(lines), max(1, len(lines) // 10)):
        path.write_text("".join(lines[:index] + lines[index + 1 :]), encoding="utf-8")
        assert generate.main(["--check"]) == 1
        assert "run python views/generate.py" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert path.read_text(encoding="utf-8") == "".join(lines)


def test_no_word_of_a_comment_decides_what_is_generated(generate: ModuleType) -> None:
    """But the tags: other words, also those that once did, give the same files."""
    for path in (generate.ROOT / "schema.sql",):
        reworded = re.sub(
            r"^( *-- )[^]\n[]*((?:\[[^]\n]*\])?)[^]\n[]*$",
            r"\1a kind sentence, Computed. On record \2",
            path.read_text(encoding="utf-8"),
            flags=re.MULTILINE,
        )
        path.write_text(reworded, encoding="utf-8")
    generated = [generate.ROOT / name for name in GENERATED[:2]]
    before = [path.read_text(encoding="utf-8") for path in generated]
    generate.main([])
    assert [path.read_text(encoding="utf-8") for path in generated] == before


def test_a_tag_that_nobody_knows_is_refused(generate: ModuleType) -> None:
    schema = generate.ROOT / "schema.sql"
    text = schema.read_text(encoding="utf-8").replace(
        "the first. [computed]", "[computd]"
    )
    schema.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"\[computd\]"):
        generate.main(["--check"])


def test_a_view_that_was_changed_has_another_fingerprint(generate: ModuleType) -> None:
    """No number has to be raised by hand."""
    view = generate.ROOT / "views/standings/standings.sql"
    view.write_text(view.read_text(encoding="utf-8").replace("rank", "rank", 1) + "\n")
    assert generate.main(["--check"]) == 1
    generate.main([])
    assert DIGEST not in (generate.ROOT / "keizer/store/fingerprint.py").read_text()


@pytest.mark.parametrize("table", rebuild.FACTS)
def test_a_column_that_was_added_is_on_the_log_and_guarded(
    generate: ModuleType, table: str
) -> None:
    """In schema.sql and nowhere else; without generating, CI fails."""
    schema = generate.ROOT / "schema.sql"
    text = schema.read_text(encoding="utf-8")
    start = text.index(f"CREATE TABLE {table} (")
    first = re.compile(r"^  (id|tournament_id) INTEGER [^,]*,\n", re.MULTILINE)
    found = first.search(text, start)
    assert found
    added = (
        text[: found.end()]
        + "  -- Something new.\n  extra TEXT,\n"
        + text[found.end() :]
    )
    schema.write_text(added, encoding="utf-8")
    assert generate.main(["--check"]) == 1
    generate.main([])
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.executescript(schema.read_text(encoding="utf-8"))
        for path in sorted(generate.VIEWS.glob("*/*.sql")):
            conn.executescript(path.read_text(encoding="utf-8"))
        conn.executescript(facts() + MORE + ON_RECORD)
        conn.execute(f"UPDATE {table} SET extra = 'new'")
        (fact, state), *_ = conn.execute(
            "SELECT fact, state FROM log ORDER BY id DESC LIMIT 1"
        )
        assert fact == table
        assert (history.cells(state) or {})["extra"] == "new"
        with pytest.raises(sqlite3.IntegrityError, match="a text like this"):
            conn.execute(f"UPDATE {table} SET extra = 'two' || char(10) || 'lines'")
        assert conn.execute("SELECT * FROM problems").fetchall() == []


def test_a_rebuild_knows_every_table_by_what_it_says_of_itself(
    generate: ModuleType,
) -> None:
    made = generate.tables()
    assert {*rebuild.FACTS} == {table.name for table in made if table.is_fact}
    assert {*rebuild.LOG_TABLES} == {
        table.name for table in made if generate.ON_RECORD in table.tags
    }
    unwritten = {
        table.name: tuple(
            row.name
            for row in table.columns
            if row.name != "id" and row not in table.facts
        )
        for table in made
        if table.is_fact
    }
    assert {
        table: found for table, found in unwritten.items() if found
    } == rebuild.COMPUTED
    behind = [*rebuild.FACTS]
    for table in made:
        for _, columns, other, _ in table.references if table.is_fact else []:
            filled = {*rebuild.SELF_REFERENCES.get(table.name, ())} >= {*columns}
            assert filled or behind.index(other) < behind.index(table.name), (
                table.name,
                columns,
            )


# ------------------------------------------------------------ what is refreshed


def test_definitions_that_are_put_into_a_file_are_those_that_create_makes() -> None:
    """In the same order, in which triggers run; so are the tables that are the same everywhere."""
    master = "SELECT type, name, tbl_name, rootpage = 0, sql FROM sqlite_master"
    queries = [master, *(f"SELECT * FROM {table}" for table in refresh.CONSTANTS)]
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as put,
        closing(sqlite3.connect(":memory:", isolation_level=None)) as created,
    ):
        put.executescript(sql.schema_script())
        refresh.put_code(put)
        created.executescript(sql.script())
        for query in queries:
            assert put.execute(query).fetchall() == created.execute(query).fetchall()


@pytest.fixture
def yesterday(sample: Path) -> Path:
    """sample.db as a keizer of yesterday left it: other views, other triggers, own ones."""
    with closing(sqlite3.connect(sample, isolation_level=None)) as conn:
        (names,) = conn.execute("SELECT names FROM z_code").fetchone()
        conn.executescript(f"""
DROP VIEW z_code; DROP VIEW promotions; DROP VIEW player_round; DROP VIEW z_meeting;
DROP TRIGGER game_updated; DROP TRIGGER round_logged; DROP TRIGGER correction_inserted;
CREATE VIEW z_code (fingerprint, names) AS SELECT 'yesterday', '{names} _long_gone gone_too';
CREATE VIEW _long_gone AS SELECT 1;
CREATE VIEW player_round (tournament_id) AS SELECT tournament_id FROM round;
CREATE TRIGGER gone_too BEFORE UPDATE OF result ON round
BEGIN SELECT RAISE(ABORT, 'a trigger of yesterday'); END;
CREATE VIEW mine AS SELECT name FROM current_standings WHERE rank = 1;
UPDATE outcome SET played = 0 WHERE result = 'adj' AND 0;
""")
    return sample


READING = """
standings, pairings, explain Harrison, crosstable, card Baker, progress, head-to-head Baker,
performance, statistics, categories, rounds, rules, log, present, describe standings
"""


@pytest.mark.parametrize("line", re.split(r",\s", READING.strip()))
def test_a_command_that_reads_shows_the_same_and_writes_nothing(
    yesterday: Path, line: str, tmp_path: Path
) -> None:
    today = Path(shutil.copy(sample_db(), tmp_path / "today.db"))
    before = yesterday.read_bytes()
    then, now = (Console(db)(line).replace(str(db), "F") for db in (yesterday, today))
    assert re.sub("Note: not keizer's, .*\n", "", then) == now
    assert yesterday.read_bytes() == before


A_LIE = "UPDATE ranking_list SET rank = 11 - rank"
"""What no trigger stores. Of a file of today that is read as it stands, and `check` says so."""


@pytest.mark.parametrize(
    ("name", "is_computed"),
    [("promotions", False), ("z_seating_out", False), ("ranking_update", True),
     ("round_logged", True), ("z_line", True)],
)  # fmt: skip
def test_lists_are_computed_to_be_read_where_other_code_may_have_stored_them(
    sample: Path, name: str, is_computed: bool
) -> None:
    """A view that only reads is another one, say: then they are what this keizer would store."""
    right = keizer("standings", sample).stdout
    past_the_guards(sample, A_LIE)
    stored = keizer("standings", sample).stdout
    assert stored != right
    edit(sample, "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql ="
         f" replace(sql, ' AS', ' AS /* of yesterday */') WHERE name = '{name}'")  # fmt: skip
    edit(sample, "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql ="
         f" replace(sql, 'BEGIN', 'BEGIN /* of yesterday */') WHERE name = '{name}'")  # fmt: skip
    assert keizer("standings", sample).stdout == (right if is_computed else stored)


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TRIGGER old AFTER UPDATE ON round BEGIN SELECT 1; END",
        "CREATE TRIGGER old INSTEAD OF INSERT ON revalue BEGIN SELECT 1; END",
        "UPDATE outcome SET played = 0 WHERE result = 'adj'",
        "UPDATE rules SET tiebreaks = 'score,gp,previous'",
    ],
)
def test_they_are_computed_as_well_where_there_is_more_that_may_have_stored_them(
    sample: Path, script: str
) -> None:
    past_the_guards(sample, script, "DROP VIEW promotions")
    right = keizer("standings", sample).stdout
    past_the_guards(sample, A_LIE)
    assert keizer("standings", sample).stdout == right


CLAIMS = {
    "that of this keizer": FINGERPRINT,
    "that of another keizer": "0123456789abcdef",
    "that of nobody": None,
}
LIES = {
    "the view standings is not as keizer made it": "DROP VIEW standings;"
        " CREATE VIEW standings (tournament_id, round_number, rank, player_id, name) AS"
        " SELECT tournament_id, 1, player_id, player_id, 'me' FROM x_player_tournament",
    "the trigger round_logged is not as keizer made it": "DROP TRIGGER round_logged;"
        " CREATE TRIGGER round_logged AFTER UPDATE ON round BEGIN SELECT 1; END",
    "the trigger round_guarded is missing": "DROP TRIGGER round_guarded",
}  # fmt: skip


def claim(db: Path, fingerprint: str | None, names: str = "") -> None:
    """Let a file say whose code it has, and that names are keizer's."""
    view = rows(db, "SELECT sql FROM sqlite_master WHERE name = 'z_code'")[0][0]
    edit(db, "DROP VIEW z_code")
    if fingerprint is not None:
        said = view.replace(FINGERPRINT, fingerprint).replace(
            "', 'z_code ", f"', 'z_code {names} "
        )
        edit(db, said)


@pytest.mark.parametrize("said", LIES)
@pytest.mark.parametrize("fingerprint", CLAIMS.values(), ids=CLAIMS)
def test_a_file_is_not_called_sound_for_what_it_says_of_itself(
    sample: Path, fingerprint: str | None, said: str
) -> None:
    """Its definitions are held against the text of this keizer, one by one."""
    with closing(sqlite3.connect(sample)) as conn:
        conn.executescript(LIES[said])
    claim(sample, fingerprint)
    checked = keizer("check", sample, fails=True)
    assert f"{said}.\n" in checked.stdout
    number = len(checked.stdout.splitlines())
    assert (
        f"{number} definition" in checked.stderr
        and f"`keizer migrate {sample}`" in checked.stderr
    )
    keizer("migrate", sample)
    assert "is sound" in keizer("check", sample).stdout


def test_a_trigger_is_not_keizers_because_the_file_says_so(sample: Path) -> None:
    """Neither by view z_code, nor by the name that the trigger of a tie-break would have."""
    edit(
        sample,
        "CREATE TRIGGER own AFTER UPDATE ON round BEGIN UPDATE round SET result = '1-0'; END",
        "CREATE VIEW x (tournament_id, round_number, player_id, name, value, key) AS"
        " SELECT tournament_id, round_number, player_id, 'x', 1, 1 FROM ranking_list",
        "INSERT INTO tiebreak VALUES ('x', 'x', 'x', 0, 0, 0, 'us')",
        "CREATE TRIGGER x_asked AFTER UPDATE ON player BEGIN UPDATE round SET result = '0-1'; END",
    )
    assert (
        "the trigger x_asked, which somebody added, would run"
        in keizer("check", sample, fails=True).stdout
    )
    claim(sample, FINGERPRINT, names="own")
    assert (
        "the trigger own, which somebody added, would run"
        in keizer("check", sample, fails=True).stdout
    )


def test_a_file_of_a_release_is_read_by_views_of_today(
    yesterday: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is known by the hash of all its views and triggers, not by what it says of them."""
    assert "definitions of" in keizer("check", yesterday, fails=True).stderr
    (names,) = rows(yesterday, "SELECT names FROM z_code")[0]
    texts = dict(rows(yesterday, "SELECT name, sql FROM sqlite_master"))
    code = "\0".join(texts.get(name) or "" for name in names.split()).encode()
    digest = hashlib.blake2b(code, digest_size=16).hexdigest()
    monkeypatch.setitem(releases.RELEASES, digest, "0.9.0")
    assert "is sound" in keizer("check", yesterday).stdout
    edit(yesterday, "DROP TRIGGER round_guarded")
    assert (
        "the trigger round_guarded is missing"
        in keizer("check", yesterday, fails=True).stdout
    )


def test_a_command_that_writes_puts_it_right_and_leaves_what_people_added(
    yesterday: Path,
) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="a trigger of yesterday"):
        edit(yesterday, "UPDATE round SET result = '0-0' WHERE id = 1")
    keizer("result", yesterday, "1", "0-1")
    assert rows(yesterday, "SELECT fingerprint FROM z_code") == [(FINGERPRINT,)]
    there = {name for (name,) in rows(yesterday, "SELECT name FROM sqlite_schema")}
    assert not there & {"_long_gone", "gone_too"}
    assert {"mine", "promotions", "game_updated"} <= there
    assert rows(yesterday, "SELECT * FROM mine") == rows(
        yesterday, "SELECT name FROM current_standings WHERE rank = 1"
    )
    with closing(sqlite3.connect(yesterday)) as conn:
        assert refresh.differences(conn) == []
    assert "sound" in keizer("check", yesterday).stdout
    keizer("undo", yesterday)
    assert "sound" in keizer("check", yesterday).stdout


def test_a_file_from_before_a_kind_of_absence_goes_on_and_may_have_the_kind(
    example: Console,
) -> None:
    """The kind is no gap in it, as a win would be: the club adds the kind if it wants to."""
    gone = "DELETE FROM scoring WHERE kind = 'club duty'"
    edit(example.db, "DROP TRIGGER scoring_kept", gone, "DROP VIEW z_code")
    example("absent Baker")
    assert "sound" in example("check")
    example(
        "rules --add-kind 'club duty' && absent Baker --kind 'club duty' && migrate"
    )
    assert "sound" in example("check")


def test_with_a_trigger_of_others_it_is_not_put_right_and_is_read(
    yesterday: Path,
) -> None:
    """It would run with what is entered; `DROP TRIGGER` as it is printed helps."""
    edit(
        yesterday, 'CREATE TRIGGER "an audit" AFTER UPDATE ON round BEGIN SELECT 1; END'
    )
    before = yesterday.read_bytes()
    for command in (["result", "1", "0-1"], ["migrate"]):
        name, *rest = command
        said = keizer(name, yesterday, *rest, fails=True).stderr
        assert (
            "the trigger an audit, which somebody added, would run with every entry"
            in said
        )
        assert yesterday.read_bytes() == before
    assert "Harrison" in keizer("standings", yesterday).stdout
    edit(yesterday, said.split("`")[1])
    keizer("result", yesterday, "1", "0-1")
    assert "is sound" in keizer("check", yesterday).stdout


def test_constants_of_yesterday_are_put_right_and_lists_computed_anew(
    yesterday: Path,
) -> None:
    """A draw was a loss for both, say; a tie-break of one's own stays."""
    right = rows(sample_db(), "SELECT * FROM current_standings")
    past_the_guards(
        yesterday,
        "UPDATE outcome SET white_kind = 'loss' WHERE result = '½-½'",
        "CREATE VIEW tiebreak_shirt (tournament_id, round_number, player_id, name, value, key)"
        " AS SELECT tournament_id, round_number, player_id, 'shirt', 1, 1 FROM ranking_list",
        "INSERT INTO tiebreak VALUES ('shirt', 'tiebreak_shirt', 'x', 0, 0, 0, 'us')",
    )
    edit(yesterday, "INSERT INTO revalue VALUES (1, 0)")
    assert rows(yesterday, "SELECT * FROM current_standings") != right
    keizer("rules", yesterday, "tiebreaks=score,shirt,previous")
    keizer("rules", yesterday, "tiebreaks=score,previous")
    assert rows(yesterday, "SELECT * FROM current_standings") == right
    assert rows(yesterday, "SELECT title FROM tiebreak WHERE name = 'shirt'") == [
        ("x",)
    ]


def test_a_suspended_tournament_stays_so(yesterday: Path) -> None:
    edit(yesterday, "UPDATE tournament SET revaluation = 'suspended'")
    keizer("backup", yesterday, "--keep", "7")
    assert rows(yesterday, "SELECT revaluation, stale_from FROM tournament") == [
        ("suspended", 0)
    ]
