"""An archive of many club files: what is in it, what is not, and how it comes about."""

import os
import random
import re
import shutil
import signal
import sqlite3
import textwrap
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from keizer import archive
from keizer.archive import clubs, writer
from keizer.archive.layout import AT_HOME, layout
from keizer.season import demo, roster, tournaments
from keizer.store import connection, database, describe, refresh, sql
from keizer.store.connection import SPAN
from tests.support.console import Console
from tests.support.files import ROOT, Client, Oldest, edit, needs, order_by, rows
from tests.support.files import run_keizer as keizer
from tests.support.seasons import random_season, write
from tests.support.swiss import SHIRT_ROW, SHIRT_VIEW

Row = tuple[Any, ...]


def merged(folder: Path, out: Path, jobs: int = 1) -> writer.Outcome:
    return archive.merge(folder, out, jobs=jobs, report=lambda _done, _total: None)


def dump(path: Path) -> dict[str, list[Row]]:
    """Every row of every table, by table."""
    tables = rows(path, "SELECT name FROM sqlite_master WHERE type = 'table'")
    return {table: rows(path, f"SELECT * FROM {table}") for (table,) in tables}


def everything(folder: Path) -> dict[Path, bytes]:
    """All files below a folder, and what is in them."""
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def _random(path: Path, seed: int) -> None:
    """A file with any rules: two tournaments that share members, in the order of a lot."""
    rng = random.Random(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.executescript(f"BEGIN; {sql.script()} COMMIT;")
        for options in (True, False):
            write(conn, random_season(rng, players=range(8, 14), most_rounds=7, options=options))
        order_by(conn, "score,lot,de,bh,wins", 2)
        conn.execute("UPDATE tournament SET above = 1 WHERE id = 2")
        conn.execute("UPDATE rules SET promoted = 2, start_order = 'lot'")
        conn.execute(
            "INSERT INTO inner_group (tournament_id, name, after_round, to_rank)"
            " VALUES (2, 'Top', 0, 4)"
        )


FILES = ("De Pion/2025.db", "De Pion/2026.db", "Zug/0.db", "Zug/1.db", "Zug/2.db", "alone.db")


@pytest.fixture(scope="module")
def federation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive, to look at, of the sample, the demo, and random files with any rules."""
    out = tmp_path_factory.mktemp("federation") / "archive.db"
    first, second, *others, alone = (out.with_name("clubs") / name for name in FILES)
    for folder in (first.parent, others[0].parent):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "sample.db", first)
    demo.make(second)
    for seed, path in enumerate(others):
        _random(path, seed)
    shutil.copy(ROOT / "sample.db", alone)
    keizer("rules", alone, "step=2", "name=Alone")
    keizer("rules", alone, "top_value=60")
    keizer("undo", alone)
    assert merged(out.with_name("clubs"), out).files == 6
    return out


def make(path: Path, members: Iterable[dict[str, Any]], games: Iterable[Row] = ()) -> None:
    """A club's file: who entered, and games as day, White, Black, result; a round a day."""
    path.parent.mkdir(parents=True, exist_ok=True)

    def set_up(conn: sqlite3.Connection) -> None:
        conn.row_factory = sqlite3.Row
        tournament = tournaments.add_tournament(conn, path.stem)
        ids = {member["name"]: roster.enter(conn, tournament, **member) for member in members}
        for number, (day, white, black, result) in enumerate(games, 1):
            conn.execute("INSERT INTO schedule (tournament_id, round_number, date)"
                         " VALUES (?, ?, ?)", (tournament, number, day))  # fmt: skip
            conn.execute("INSERT INTO round (tournament_id, round_number, white, black, result)"
                         " VALUES (?, ?, ?, ?, ?)",
                         (tournament, number, ids[white], ids[black], result))  # fmt: skip

    database.create(path, set_up)


@pytest.fixture(scope="module")
def careers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seasons of club A, one of B, and C, a file by itself; Anna plays in three."""
    out = tmp_path_factory.mktemp("careers") / "archive.db"
    clubs, anna, bob = out.with_name("clubs"), {"fide_id": 7}, {"name": "Bob"}
    make(clubs / "A/2024.db", [anna | {"name": "Anna", "rating": 2000}, bob], [
        ("2024-01-01", "Anna", "Bob", "1-0"), ("2024-01-02", "Bob", "Anna", "½-½"),
        ("2024-01-03", "Anna", "Bob", "+-"),
    ])  # fmt: skip
    make(clubs / "A/2025.db", [anna | {"name": "Anna K.", "rating": 2000}, bob], [
        ("2025-01-01", "Bob", "Anna K.", "1-0"), ("2025-01-02", "Anna K.", "Bob", None),
    ])  # fmt: skip
    games = [("2026-01-01", "A. Kok", "Bob", "0-0")]
    make(clubs / "B/2025.db", [anna | {"name": "A. Kok"}, bob], games)
    make(clubs / "C.db", [{"name": "Cees"}, {"name": "Dora"}])
    assert merged(clubs, out).files == 4
    return out


@pytest.fixture
def folder(tmp_path: Path, careers: Path) -> Path:
    """These four files, to do with as a test likes."""
    return Path(shutil.copytree(careers.with_name("clubs"), tmp_path / "clubs"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where an archive is to be."""
    return tmp_path / "archive.db"


@pytest.fixture
def made(out: Path, careers: Path) -> Path:
    """The archive of the four files."""
    return Path(shutil.copy(careers, out))


# By hand from the definitions: whatever refers to a player, tournament or change.
IDS = re.compile(r"(\w+_id(?<!fide_id)(?<!national_id)(?<!log_id)|white|black|above|id)")


def _told(conn: sqlite3.Connection, query: str, number: int = 0) -> list[Row]:
    """What a file answers, in any order; ids as they are in an archive."""
    found = conn.execute(query)
    by = [number * SPAN if IDS.fullmatch(column[0]) else 0 for column in found.description]
    moved = [
        tuple(
            value + n if isinstance(value, int) else value for value, n in zip(row, by, strict=True)
        )
        for row in found
    ]
    return sorted(moved, key=repr)


PUBLIC = set(re.findall(r"^CREATE VIEW ([a-z]\w*)", sql.code_script(), re.MULTILINE))
VIEWS = sorted(name for kind, name in layout().made if kind == "view" and name in PUBLIC)
LISTED = {table.name: ", ".join(table.columns) for table in layout().tables} | dict.fromkeys(
    VIEWS, "*"
)
STANDING = dict.fromkeys(("rule_change", "rule_history"), "id") | {"published": "rule_change_id"}


def test_every_table_and_view_has_the_rows_of_the_files_with_ids_moved(federation: Path) -> None:
    """Of their record of rules, without what was taken back."""
    with ExitStack() as open_files:
        conn, *files = (
            open_files.enter_context(closing(sqlite3.connect(path)))
            for path in (federation, *(federation.with_name("clubs") / name for name in FILES))
        )
        for name, columns in LISTED.items():
            query, change = f"SELECT {columns} FROM {name}", STANDING.get(name)
            only = f" WHERE {change} IN (SELECT id FROM rule_history)" if change else ""
            expected = [
                row for number, file in enumerate(files, 1)
                for row in _told(file, query + only, number)
            ]  # fmt: skip
            assert _told(conn, query) == sorted(expected, key=repr), name
            assert expected or name not in VIEWS, name


def test_what_is_the_same_in_every_file_is_there_once_and_no_log(federation: Path) -> None:
    alone = federation.with_name("clubs") / "alone.db"
    there, one = dump(federation), dump(alone)
    assert [path for (_, path, *_) in there["archived"]] == [*FILES]
    same = one.keys() - LISTED.keys() - set(AT_HOME)
    assert same == {"outcome", "result_spelling", "fide_expectation", "tiebreak"}
    assert {table: there[table] for table in same} == {table: one[table] for table in same}
    assert {table: there[table] for table in AT_HOME} == {table: [] for table in AT_HOME}
    assert there.keys() - one.keys() == {"archived", "person", "people"}
    undone = "SELECT count(*) FROM rule_change WHERE id NOT IN (SELECT id FROM rule_history)"
    assert rows(alone, undone) == [(2,)]  # which LISTED is without


def test_what_it_has_is_explained_and_not_about_how_a_file_works(federation: Path) -> None:
    """No trigger of a club's, no procedure; a comment on each table, view and column."""
    with closing(sqlite3.connect(federation)) as conn:
        found = describe.described(conn)
    assert [
        (item.name, name) for item in found for name, said in item.columns.items() if not said
    ] == []
    assert [
        item.name for item in found if not re.match(r"(A row per|The windowed)", item.about)
    ] == []
    names = {item.name for item in found}
    assert PUBLIC - names == {
        "draft_changes", "next_round", "possible_boards", "problems", "proposal", "revalue",
        "tiebreak_trigger",
    }  # fmt: skip
    assert {"archived", "people", "careers", "encounters", "clubs", "seasons"} <= names
    triggers = rows(federation, "SELECT name FROM sqlite_master WHERE type = 'trigger'")
    assert triggers and all("_is_only_read_on_" in text for (text,) in triggers)


READ = """
standings, explain Baker, crosstable, card Baker, progress, pairings, head-to-head Baker,
performance, statistics, rounds, categories, rules, present
"""


@pytest.mark.parametrize("command", re.split(r",\s", READ.strip()))
def test_commands_read_it_like_a_club(federation: Path, command: str) -> None:
    """The sample is the only tournament of the first file; its ids are moved."""
    shown = command if command == "rules" else f"{command} --json"
    one = Console(ROOT / "sample.db")(shown)
    ids = r'(?<=_id": )\d+'
    moved = re.sub(ids, lambda number: str(int(number[0]) + SPAN), one)
    assert ("fact_id" in one) == command.startswith("explain")
    assert Console(federation)(f"{shown} -t #{SPAN + 1}") == moved


def test_page_and_games_are_made_from_it(federation: Path, tmp_path: Path) -> None:
    for command, out, page in (("site", "page", "index.html"), ("export", "games.pgn", "")):
        keizer(command, federation, tmp_path / out, "-t", f"#{SPAN + 1}")
        assert "Harrison" in (tmp_path / out / page).read_text(encoding="utf-8")


def test_a_tournament_is_named_by_number_or_file(federation: Path) -> None:
    """Many have the same name."""
    by_number = keizer("standings", federation, "-t", f"#{SPAN + 1}").stdout
    assert keizer("standings", federation, "-t", "De Pion/2025").stdout == by_number
    assert keizer("standings", federation, "-t", "De Pion/2025.db").stdout == by_number
    several = keizer("standings", federation, "-t", "Zug/1", fails=True).stderr
    assert f"the file has “season” (#{4 * SPAN + 1}), “season” (#{4 * SPAN + 2})." in several
    same = keizer("standings", federation, "-t", "season", fails=True).stderr
    assert same.count("“season” (#") == 6 and "Worked example" not in same


def test_a_tie_break_of_the_clubs_own_stays_there(folder: Path, out: Path) -> None:
    """Its order counts; the figures are in the club's file."""
    club = folder / "B/2025.db"
    edit(club, SHIRT_VIEW, SHIRT_ROW)
    keizer("rules", club, "tiebreaks=points,shirt")
    merged(folder, out)
    order = "SELECT name FROM current_standings WHERE tournament_id = "
    assert rows(out, f"{order} {3 * SPAN + 1}") == rows(club, f"{order} 1")
    assert rows(club, f"{order} 1") == [("Bob",), ("A. Kok",)]  # both have no points
    assert "SHIRT" not in keizer("standings", out, "-t", "B/2025").stdout


CHANGES = [
    "INSERT INTO player (name) VALUES ('New')", "UPDATE round SET result = '1-0'",
    "INSERT OR REPLACE INTO people (person, name) VALUES (1, 'X')", "DELETE FROM archived",
    "INSERT INTO log (fact, row) VALUES ('x', 1)", "DELETE FROM player", "DELETE FROM outcome",
]  # fmt: skip


def test_no_client_changes_it(made: Path, client: Client) -> None:
    before = made.read_bytes()
    for answer in client(made, CHANGES):
        assert "an archive is only read: change the club's own file" in answer
    assert made.read_bytes() == before


WRITE = """
init --name New, add New, withdraw Baker, absent Baker, next-round, unpair, result 1 1-0,
rules step=2, rules step=2 --dry-run, correct Baker 5, period 2, undo, standings --as points,
migrate, publish-round, swap Baker Carter, rounds --date 1 2026-01-01, backup, backup --keep 3,
prohibit Baker Carter --name x, next-round --dry-run
"""


@pytest.mark.parametrize("command", re.split(r",\s", WRITE.strip()))
def test_commands_that_write_refuse_it(federation: Path, command: str) -> None:
    whole = command.startswith(("init", "undo", "backup", "migrate"))
    said = Console(federation).refused(command if whole else f"{command} -t #{SPAN + 1}")
    assert re.search(r"is an archive\b.*`keizer archive`", said)
    assert {file.name for file in federation.parent.iterdir()} == {"clubs", "archive.db"}


def test_unsound_files_are_refused_others_merged(folder: Path, out: Path) -> None:
    with (folder / "B/2025.db").open("r+b") as damaged:
        damaged.seek((folder / "B/2025.db").stat().st_size // 2)
        damaged.write(bytes(8192))
    edit(folder / "A/2024.db", "DROP TRIGGER round_logged", "UPDATE round SET result = '0-0'")
    edit(folder / "A/2025.db", "PRAGMA user_version = 0")
    (folder / "empty.db").touch()
    (folder / "text.db").write_text("no database")
    (folder / "dangling.db").symlink_to("nowhere.db")
    os.mkfifo(folder / "pipe.db")
    shutil.copy(folder / "C.db", os.fsdecode(bytes(folder) + b"/\xff.db"))
    logged = refresh.as_made()["trigger", "player_logged"]
    for name, *statements in (
        ("newer.db", "PRAGMA user_version = 999"),
        ("far.db", f"INSERT INTO player (id, name) VALUES ({SPAN}, 'Far')"),
        ("past.db", "DROP TRIGGER player_logged", "UPDATE player SET rating = 1", logged),
    ):
        edit(Path(shutil.copy(folder / "C.db", folder / name)), *statements)
    done = keizer("archive", folder, out, fails=True)
    said = dict(re.findall(r"^Refused: ([^:]+): (.+)$", done.stderr, re.MULTILINE))
    expected = {
        "A/2024.db": "the trigger round_logged is missing.*`keizer migrate .*4.db` puts it right",
        "A/2025.db": "has layout 0 .* `keizer migrate .*2025.db` brings it up to date",
        "B/2025.db": r"(Tree|row|database|wrong|On tree|page|the file is damaged)",
        "dangling.db": "it is not a file that can be read",
        "empty.db": "it is empty",
        "far.db": "an id in table player is not 1 to 999,999",
        "newer.db": "use a newer keizer",
        "past.db": "row 1 of table player was changed past the rules",
        "pipe.db": "it is not a file that can be read",
        "text.db": "it is not a SQLite database",
        r"\udcff.db": "its name is not UTF-8 text: rename the file",
    }
    assert said.keys() == expected.keys()
    for path, reason in expected.items():
        assert re.search(reason, said[path], re.IGNORECASE), path
    assert "archive.db has 1 file: 1 new, 0 changed." in done.stdout
    assert "11 files were refused." in done.stderr
    assert rows(out, "SELECT path FROM archived") == [("C.db",)]


def test_what_is_no_club_file_or_there_twice_is_skipped(folder: Path) -> None:
    edit(folder / "other.db", "CREATE TABLE mine (x)")
    shutil.copy(folder / "C.db", folder / "twin.db")
    merged(folder / "A", folder / "old archive.db")
    keizer("backup", folder / "A/2025.db")
    (folder / ".C.db.1.new").write_bytes(b"draft")
    shutil.copytree(folder / "A", folder / ".hidden")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "notes.txt").write_text("x")
    done = keizer("archive", folder, folder / "all.db")
    assert done.stderr.splitlines() == [
        "Skipped: old archive.db: it is an archive itself.",
        "Skipped: other.db: it is a SQLite database, but not a Keizer file.",
        "Skipped: twin.db: it is the same as C.db.",
    ]
    assert done.stdout.endswith("all.db has 4 files: 4 new, 0 changed.\n")


def test_a_file_in_use_is_refused(folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locked; with changes in a -wal file; with a journal that somebody left who was stopped."""
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0)
    locked, wal = (
        sqlite3.connect(folder / f"A/{year}.db", isolation_level=None) for year in (2024, 2025)
    )
    with closing(locked), closing(wal):
        for statement in ("PRAGMA cache_size = 1", "BEGIN EXCLUSIVE",
                          "UPDATE tournament SET revaluation = 'suspended'",
                          "UPDATE player SET category = 'B'"):  # fmt: skip
            locked.execute(statement)
        for end in ("", "-journal"):
            shutil.copy(folder / f"A/2024.db{end}", folder / f"stopped.db{end}")
        wal.execute("PRAGMA journal_mode = WAL")
        wal.execute("UPDATE tournament SET city = 'Zug'")
        before = everything(folder)
        said = dict(merged(folder, out).refused)
        assert everything(folder) == before
    assert "the file is locked" in said.pop("A/2024.db")
    assert "what is in 2025.db-wal is not in the file yet" in said.pop("A/2025.db")
    assert "a program was stopped while it wrote" in said.pop("stopped.db")
    assert said == {}


@pytest.fixture
def eight(folder: Path) -> Path:
    """Files enough for two processes."""
    for name in "DEFG":
        keizer("add", shutil.copy(folder / "C.db", folder / f"{name}.db"), name)
    return folder


def test_several_processes_make_the_same_archive_to_the_byte(eight: Path, out: Path) -> None:
    merged(eight, out)
    merged(eight, out.with_name("many.db"), jobs=2)
    assert out.with_name("many.db").read_bytes() == out.read_bytes()


def test_a_process_that_dies_costs_one_file(
    eight: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one does when there is no memory left."""
    monkeypatch.setattr("keizer.archive.readers._serve", frail)
    done = merged(eight, out, jobs=2)
    assert done.refused == [("A/2025.db", "to read it stopped a process (-9).")]
    assert done.files == 7


def frail(connection: Any, folder: Path, paths: list[str], known: dict[str, str]) -> None:
    """A process that is killed at one file."""
    for path in paths:
        if path == "A/2025.db":
            os.kill(os.getpid(), signal.SIGKILL)
        connection.send(clubs.read(folder, path, known))


def test_once_more_changes_nothing(folder: Path, out: Path) -> None:
    """Nor when it was last written; nor is there anything beside a file in WAL mode."""
    edit(folder / "C.db", "PRAGMA journal_mode = WAL")
    assert "4 files: 4 new" in keizer("archive", folder, out).stdout
    before, written = everything(out.parent), out.stat()
    done = keizer("archive", folder, out)
    assert done.stdout == f"{out} is up to date: 4 files.\n" and done.stderr == ""
    assert everything(out.parent) == before and len(before) == 5
    assert (out.stat().st_mtime_ns, out.stat().st_ino) == (written.st_mtime_ns, written.st_ino)


def _content(db: Path) -> list[Row]:
    """Which files are in an archive with which rows, whatever their numbers."""
    query = "SELECT {} FROM {} WHERE {} / 1000000 = {}"
    with closing(sqlite3.connect(db)) as conn:
        return sorted(
            (path, *(
                _told(
                    conn, query.format(LISTED[table.name], table.name, table.span, number), -number
                )
                for table in layout().tables
            ))
            for number, path in conn.execute("SELECT id, path FROM archived")
        )  # fmt: skip


FOUR = {1: "A/2024.db", 2: "A/2025.db", 3: "B/2025.db", 4: "C.db"}
SWAPPED = (("A/2024.db", "aside"), ("A/2025.db", "A/2024.db"), ("aside", "A/2025.db"))


@pytest.mark.parametrize(("happened", "said", "archived"), [
    (lambda folder: keizer("rules", folder / "A/2024.db", "step=0.5"), (0, 1, []), {}),
    (lambda folder: [(folder / old).rename(folder / new) for old, new in SWAPPED], (0, 2, []), {}),
    (lambda folder: make(folder / "A/2023.db", []), (1, 0, []), {5: "A/2023.db"}),
    (lambda folder: (folder / "A").rename(folder / "D"),
        (0, 2, []), {1: "D/2024.db", 2: "D/2025.db"}),
    (lambda folder: shutil.copy(folder / "C.db", folder / "A/copy.db"),
     (1, 0, [("C.db", "it is the same as A/copy.db.")]), {4: None, 5: "A/copy.db"}),
    (lambda folder: edit(folder.with_name("archive.db"), "DROP VIEW careers"), (0, 0, []), {}),
], ids=["a file was corrected", "files changed places", "a file is new", "a folder was renamed",
        "a copy comes first", "a view was dropped"])  # fmt: skip
def test_run_again_it_is_as_if_made_anew_and_a_file_keeps_its_number(
    folder: Path, made: Path, happened: Callable[[Path], object], said: Row,
    archived: dict[int, str | None],
) -> None:  # fmt: skip
    happened(folder)
    done = merged(folder, made)
    assert (done.written, done.gone, done.refused) == (True, [], [])
    assert (done.new, done.changed, done.skipped) == said
    there = {number: path for number, path in (FOUR | archived).items() if path}
    assert dict(rows(made, "SELECT id, path FROM archived")) == there
    merged(folder, made.with_name("anew.db"))
    assert _content(made) == _content(made.with_name("anew.db"))
    with closing(sqlite3.connect(made)) as conn:
        assert refresh.differences(conn, layout().made) == []


def test_what_is_gone_or_unsound_now_stays(folder: Path, made: Path) -> None:
    before = made.read_bytes()
    (folder / "C.db").unlink()
    edit(folder / "A/2024.db", "DROP VIEW standings")
    done = keizer("archive", folder, made, fails=True)
    assert re.search(r"Refused: A/2024.db: .* The archive keeps what it has of it\.", done.stderr)
    assert f"No longer in {folder}, but kept in the archive: C.db.\n" in done.stderr
    assert done.stdout == f"{made} is up to date: 4 files.\n"
    assert made.read_bytes() == before


def test_a_copy_takes_the_place_of_what_is_unsound_now(folder: Path, made: Path) -> None:
    (folder / "C.db").rename(folder / "kept.db")
    (folder / "C.db").write_text("no database")
    assert [path for path, _ in merged(folder, made).refused] == ["C.db"]
    assert rows(made, "SELECT path FROM archived WHERE id > 3") == [("kept.db",)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_stopped_by_hand_it_has_changed_nothing(
    made: Path, eight: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    """As the last file is said to be done; and where the disk is full."""
    before, terminal = everything(made.parent), Mock(side_effect=[*[False] * 7, KeyboardInterrupt])
    with monkeypatch.context() as patched:
        patched.setattr("keizer.cli.archive._terminal", terminal)
        stopped = keizer("archive", eight, made, "--jobs", jobs, fails=True)
    assert stopped.stderr == "Error: stopped: nothing was changed.\n"
    monkeypatch.setitem(writer.SETTINGS, "max_page_count", made.stat().st_size // 4096)
    full = keizer("archive", eight, made, "--jobs", jobs, fails=True)
    assert "the disk is full: nothing was changed" in full.stderr
    assert everything(made.parent) == before


@pytest.mark.parametrize(("source", "target", "reason"), [
    ("clubs", "clubs/C.db", "is a club's file: name another one for the archive"),
    ("clubs", "other.db", "is a SQLite database, but not a Keizer file"),
    ("clubs", "clubs", "cannot be an archive: name a file in a folder that is there"),
    ("clubs", "nowhere/x.db", "cannot be an archive"),
    ("clubs", "changed.db", "is not as this keizer makes an archive: move it elsewhere"),
    ("clubs", "earlier.db", "that an earlier keizer made: make it anew"),
    ("none", "new.db", "is no folder"),
    ("empty", "new.db", "there is no Keizer file in"),
    ("unsound", "new.db", "Refused: empty.db: it is empty."),
])  # fmt: skip
def test_nothing_is_written_that_is_no_archive_or_over_anything_else(
    made: Path, folder: Path, source: str, target: str, reason: str
) -> None:
    """Nor over an archive of another make: its rows may be all there is of a file."""
    home = folder.parent
    for name in ("empty", "unsound"):
        (home / name).mkdir()
    (home / "unsound/empty.db").touch()
    edit(home / "other.db", "CREATE TABLE mine (x)")
    shutil.copy(made, home / "changed.db")
    edit(home / "changed.db", "ALTER TABLE round RENAME COLUMN drawn TO level")
    edit(made.rename(home / "earlier.db"), "PRAGMA user_version = 0")
    before = everything(home)
    refused = keizer("archive", home / source, home / target, fails=True)
    assert reason in " ".join(refused.stderr.split())
    assert everything(home) == before


@pytest.mark.parametrize(("change", "problem"), [
    ("DROP VIEW careers", "the view careers is missing"),
    ("UPDATE person SET person = 1000002 WHERE player_id = 2000001", "player 2000001 is not"),
    ("UPDATE people SET games = 99 WHERE person = 1000001", "what is said of person 1000001"),
    ("UPDATE archived SET id = 9 WHERE id = 4", "table player has rows of file 4, which is"),
    ("DELETE FROM player WHERE id = 1000002", "row 1000002 of table person refers to nothing"),
])  # fmt: skip
def test_check_sees_a_change(made: Path, change: str, problem: str) -> None:
    """Past the triggers, which are there again."""
    assert keizer("check", made).stdout == f"{made} is an archive, and sound.\n"
    triggers = {name: text for (kind, name), text in layout().made.items() if kind == "trigger"}
    edit(made, *(f"DROP TRIGGER {trigger}" for trigger in triggers), change, *triggers.values())
    assert problem in keizer("check", made, fails=True).stdout


PEOPLE = {
    "who has the same FIDE id, whatever the name": "A1 Jan Smit fide 1 = a, B2 J. Smit fide 1 = a",
    "who has the same national id in a federation":
        "A1 Piet nat NED 7 = a, B2 P. Jansen nat NED 7 = a, B3 Otto nat BEL 7",
    "not who has the same name in another club": "A1 Kees, B2 Kees",
    "the person of the FIDE id that some of a national id have":
        "C1 Lia nat NED 8 = a, D2 Lia B. fide 2 nat NED 8 = a, E3 L. Berg fide 2 = a",
    "nobody where these have several FIDE ids":
        "F1 Max fide 3 nat NED 9, F2 Max fide 4 nat NED 9, F3 Max nat NED 9",
    "in the club, who has the same national id without a federation":
        "G1 Nel nat 5 = a, G2 N. de Wit nat 5 = a, H3 Nel nat 5",
    "who has the same name in the club, with capitals or without":
        "I1 anna de boer = a, I2 Anna de Boer fide 11 = a, I1 Bob = b, I2 Bob = b",
    "not where two of the name have numbers that differ":
        "J1 Eva fide 21, J2 Eva fide 22, J3 Eva = a, J4 Eva = a",
    "who has a national id in one season, a FIDE id in another":
        "K1 Finn nat NED 31 = a, K2 Finn fide 31 = a, K3 Finn = a",
    "not where that could be somebody else's too":
        "L1 Gijs nat NED 41 = a, L2 Gijs fide 41, M3 G. Gijs nat NED 41 = a, M4 G. Gijs fide 42",
    "nobody by a name that two of a file have": "N1 Jan, N1 JAN, N1 Ida = a, N2 Jan, N2 Ida = a",
}  # fmt: skip
"""Members as club, file, name and numbers; those with the same letter are one person."""

_MEMBER = re.compile(r"(\w)(\d) (.+?)(?: fide (\d+))?(?: nat ([A-Z]+)?\s?(\d+))?(?: = (\w))?")


@pytest.mark.parametrize("members", PEOPLE.values(), ids=PEOPLE)
def test_who_is_one_person(members: str, oldest: Oldest) -> None:
    """Worked out by hand, asked in the oldest SQLite too; a person has the least of the ids."""
    kinds, persons, expected = ("table", "index"), dict[str, int](), list[tuple[int, int]]()
    script = [text for key, text in layout().made.items() if key[0] in kinds or key[1] == "_person"]
    for number, member in enumerate(members.split(", ")):
        found = _MEMBER.fullmatch(member)
        assert found
        club, file, name, fide, federation, national, letter = found.groups()
        player = int(file) * SPAN + number
        expected.append((player, persons.setdefault(letter or member, player)))
        cells = ", ".join(
            repr(value) if value else "NULL" for value in (name, fide, federation, national)
        )
        script += [
            f"INSERT OR IGNORE INTO archived VALUES ({file}, '{club}{file}', '{club}', '')",
            f"INSERT INTO player (id, name, fide_id, federation, national_id)"
            f" VALUES ({player}, {cells})",
            f"INSERT INTO x_player_tournament (player_id, tournament_id) VALUES ({player}, 1)",
        ]
    query = "SELECT player_id, person FROM _person ORDER BY player_id"
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.executescript(";".join(script))
        assert conn.execute(query).fetchall() == sorted(expected)
    assert oldest(";".join(script), query) == [
        f"{person}\t{who}" for person, who in sorted(expected)
    ]


ANSWERS: dict[str, list[Row]] = {
    # By hand: Anna won 1, drew 1, lost 2 (one of them 0-0) and won one by forfeit.
    "SELECT * FROM people WHERE clubs > 1 OR name = 'Bob'": [
        (1000001, "A. Kok", 7, None, 2, 3, 4, 1, 1, 2, 2.5, "2024-01-01", "2026-01-01"),
        (1000002, "Bob", None, None, 1, 2, 3, 1, 1, 1, 1.5, "2024-01-01", "2025-01-01"),
        (3000002, "Bob", None, None, 1, 1, 1, 0, 0, 1, 0.0, "2026-01-01", "2026-01-01"),
    ],
    "SELECT name, club, path, tournament, rank, points, won, drawn, lost, rating, last_date"
    " FROM careers WHERE person = 1000001 ORDER BY path": [
        ("Anna", "A", "A/2024.db", "2024", 1, 2.5, 1, 1, 0, 2000, "2024-01-03"),
        ("Anna K.", "A", "A/2025.db", "2025", 2, 0, 0, 0, 1, 2000, "2025-01-01"),
        ("A. Kok", "B", "B/2025.db", "2025", 1, 0, 0, 0, 1, None, "2026-01-01"),
    ],
    "SELECT opponent, colour, kind, result, club, tournament, round_number, date FROM encounters"
    " WHERE person = 1000001 AND opponent_id = 1000002 ORDER BY tournament_id, round_number": [
        ("Bob", "white", "win", "1-0", "A", "2024", 1, "2024-01-01"),
        ("Bob", "black", "draw", "½-½", "A", "2024", 2, "2024-01-02"),
        ("Bob", "white", "forfeit win", "+-", "A", "2024", 3, "2024-01-03"),
        ("Bob", "black", "loss", "1-0", "A", "2025", 1, "2025-01-01"),
        ("Bob", "white", None, None, "A", "2025", 2, "2025-01-02"),
    ],
    "SELECT count(*) FROM encounters": [(12,)],
    "SELECT * FROM clubs": [
        ("A", 2, 2, 2, 4, "2024-01-01", "2025-01-01"),
        ("B", 1, 1, 2, 1, "2026-01-01", "2026-01-01"),
        ("C", 1, 1, 2, 0, None, None),
    ],
    "SELECT * FROM seasons WHERE club < 'C'": [
        (1000001, "2024", "running", "A", "A/2024.db", 2, 3, 3, "2024-01-01", "2024-01-03"),
        (2000001, "2025", "running", "A", "A/2025.db", 2, 1, 1, "2025-01-01", "2025-01-01"),
        (3000001, "2025", "running", "B", "B/2025.db", 2, 1, 1, "2026-01-01", "2026-01-01"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), ANSWERS.items())
def test_over_clubs_and_seasons(careers: Path, query: str, expected: list[Row]) -> None:
    assert rows(careers, query) == expected


def test_the_oldest_sqlite_reads_it(oldest: Oldest) -> None:
    """3.35.0 has every view that an archive has, and refuses what it is to refuse."""
    asked = "; ".join(
        f"SELECT * FROM {view} LIMIT 0" for kind, view in layout().made if kind == "view"
    )
    script = ";\n".join(layout().made.values())
    assert oldest(script, f"{asked}; SELECT count(*) FROM archived") == ["0"]


QUERIES = [
    "people WHERE name = 'Anna' COLLATE NOCASE", "people WHERE name LIKE 'Anna%'",
    "people WHERE fide_id = 7", "careers WHERE person = 1000001",
    "careers WHERE tournament_id = 1000001", "encounters WHERE person = 1000001",
    "encounters WHERE person = 1000001 AND opponent_id = 1000002",
    "seasons WHERE tournament_id = 1000001", "presence WHERE tournament_id = 1000001",
    "standings WHERE tournament_id = 1000001 AND round_number = 1",
    "current_standings WHERE tournament_id = 1000001",
    "crosstable WHERE tournament_id = 1000001 AND round_number = 1",
]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES)
def test_one_of_thousands_is_found_by_an_index(careers: Path, query: str) -> None:
    facts = r"SCAN (who|other|[abegortw]|people|person|archived|player|round|\w+_list|tournament)\b"
    plan = [step[3] for step in rows(careers, f"EXPLAIN QUERY PLAN SELECT * FROM {query}")]
    assert [step for step in plan if re.match(facts, step)] == []


def test_what_the_page_asks_it_can_be_asked(careers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question of docs/scale.md, in SQL and in Python."""
    page = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
    asked = re.findall(r'sqlite3 -box archive.db "([^"]+)"', page)
    asked += re.findall(r"    (SELECT .*);", page.replace("archive.people", "people"))
    assert len(asked) == 4 and all(rows(careers, query) is not None for query in asked)
    (code,) = re.findall(r"(?m)^    import sqlite3, pandas\n(?:    .+\n)+", page)
    monkeypatch.chdir(careers.parent)
    found: dict[str, Any] = {}
    needs("pandas")
    exec(textwrap.dedent(code), found)
    assert list(found["clubs"]["club"]) == ["A", "B", "C"]


def test_the_command_shows_how_far_it_is_on_a_terminal_only(
    folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert keizer("archive", folder / "A", out).stderr == ""
    monkeypatch.setattr("keizer.cli.archive._terminal", lambda: True)
    assert "Files" in keizer("archive", folder, out).stderr
