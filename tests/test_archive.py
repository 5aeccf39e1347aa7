"""An archive of many club files: what is in it, what is not, and how it comes about."""

import asyncio
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import textwrap
from collections.abc import Callable, Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from keizer import KeizerError, archive
from keizer.archive import clubs, writer
from keizer.archive.layout import AT_HOME, layout
from keizer.season import demo, roster, tournaments
from keizer.store import connection, database, describe, refresh, sql
from keizer.store.connection import SPAN
from tests.conftest import ROOT, Client, Keizer, Oldest, campaign, edit, order_by, rows, run_keizer
from tests.seasons import random_season, write

Game = tuple[int, str, str, str | None]
"""Round, White, Black, result."""


def make(path: Path, members: Iterable[dict[str, Any]], games: Iterable[Game] = ()) -> Path:
    """A club's file: who entered (name and details), and games as (round, White, Black, result)."""
    path.parent.mkdir(parents=True, exist_ok=True)

    def set_up(conn: sqlite3.Connection) -> None:
        conn.row_factory = sqlite3.Row
        tournament = tournaments.add_tournament(conn, path.stem)
        ids = {it["name"]: roster.enter(conn, tournament, **it) for it in members}
        for number, white, black, result in games:
            conn.execute(
                "INSERT INTO round (tournament_id, round_number, white, black, result)"
                " VALUES (?, ?, ?, ?, ?)",
                (tournament, number, ids[white], ids[black], result),
            )

    database.create(path, set_up)
    return path


def merged(folder: Path, out: Path, jobs: int = 1) -> writer.Outcome:
    return archive.merge(folder, out, jobs=jobs, report=lambda _done, _total: None)


def dump(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, by table."""
    with closing(sqlite3.connect(path)) as conn:
        tables = [name for kind, name in refresh.objects(conn) if kind == "table"]
        return {it: sorted(conn.execute(f"SELECT * FROM {it}"), key=repr) for it in tables}


def everything(folder: Path) -> dict[str, str]:
    """All files below a folder, by what is in them."""
    return {
        str(it.relative_to(folder)): sha256(it.read_bytes()).hexdigest()
        for it in folder.rglob("*")
        if it.is_file()
    }


def _random(path: Path, seed: int) -> None:
    """A file with any rules: two tournaments that share members, in the order of a lot."""
    rng = random.Random(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.executescript(f"BEGIN; {sql.script()} COMMIT;")
        for options in (True, False):
            season_ = random_season(rng, players=range(8, 14), most_rounds=7, options=options)
            write(conn, season_)
        order_by(conn, "score,lot,de,bh,wins", 2)
        conn.execute("UPDATE tournament SET above = 1 WHERE id = 2")
        conn.execute("UPDATE rules SET promoted = 2")
        conn.execute(
            "INSERT INTO inner_group (tournament_id, name, after_round, to_rank)"
            " VALUES (2, 'Top', 0, 4)"
        )


@pytest.fixture(scope="module")
def clubs_of_three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of three clubs: the sample, the demo, and random ones with any rules."""
    folder = tmp_path_factory.mktemp("federation") / "clubs"
    (folder / "De Pion").mkdir(parents=True)
    (folder / "Zug").mkdir()
    shutil.copy(ROOT / "sample.db", folder / "De Pion" / "2025.db")
    demo.make(folder / "De Pion" / "2026.db")
    for seed in range(3):
        _random(folder / "Zug" / f"{seed}.db", seed)
    shutil.copy(ROOT / "sample.db", folder / "alone.db")
    run_keizer("rules", folder / "alone.db", "step=2", "name=Alone")
    run_keizer("rules", folder / "alone.db", "top_value=60")
    run_keizer("undo", folder / "alone.db")
    return folder


@pytest.fixture(scope="module")
def _small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of the same names with little in them."""
    folder = tmp_path_factory.mktemp("small") / "clubs"
    members = [{"name": it, "rating": 2000} for it in ("Anna", "Bob", "Cees", "Dora")]
    played = [(1, "Anna", "Bob", "1-0"), (1, "Cees", "Dora", "½-½")]
    make(folder / "De Pion" / "2025.db", members, played)
    make(folder / "De Pion" / "2026.db", members, [*played, (2, "Bob", "Cees", "0-1")])
    for seed in range(3):
        make(folder / "Zug" / f"{seed}.db", [{"name": f"Z{seed}"}, {"name": "Urs"}])
    make(folder / "alone.db", members, played)
    return folder


@pytest.fixture
def folder(tmp_path: Path, _small: Path) -> Path:
    """These, to do with as a test likes."""
    return Path(shutil.copytree(_small, tmp_path / "clubs"))


@pytest.fixture(scope="module")
def federation(clubs_of_three: Path) -> Path:
    """An archive of those, to look at."""
    out = clubs_of_three.with_name("archive.db")
    assert merged(clubs_of_three, out).files == 6
    return out


# ------------------------------------------------------------------ what is in it


def test_every_row_of_every_file_is_in_it_with_its_ids_moved(
    clubs_of_three: Path, federation: Path
) -> None:
    """Counted by hand from the definitions: whatever refers to a player, tournament or change.

    Commands stay with the club, and of its record of rules what was taken back does.
    """
    numbers = dict(rows(federation, "SELECT path, id FROM archived"))
    assert numbers == {
        "De Pion/2025.db": 1, "De Pion/2026.db": 2, "Zug/0.db": 3, "Zug/1.db": 4, "Zug/2.db": 5,
        "alone.db": 6,
    }  # fmt: skip
    ids = re.compile(r"(tournament_id|player_id|rule_change_id|white|black|nearer|above|id)")
    standing = {"rule_change": "id", "published": "rule_change_id"}
    there = dump(federation)
    for path, number in numbers.items():
        with closing(sqlite3.connect(clubs_of_three / path)) as conn:
            for table in layout().tables:
                change = standing.get(table.name)
                only = f" WHERE {change} IN (SELECT id FROM rule_history)" if change else ""
                found = conn.execute(f"SELECT * FROM {table.name}{only}")
                names = [it[0] for it in found.description]
                moved = [ids.fullmatch(it) is not None for it in names]
                for row in found:
                    expected = tuple(
                        None if name == "step_id" else
                        cell + number * SPAN if id_ and cell is not None else cell
                        for name, cell, id_ in zip(names, row, moved, strict=True)
                    )  # fmt: skip
                    assert expected in there[table.name]
                    there[table.name].remove(expected)
    assert {it.name: there[it.name] for it in layout().tables if there[it.name]} == {}
    undone = "SELECT count(*) FROM rule_change WHERE id NOT IN (SELECT id FROM rule_history)"
    assert rows(clubs_of_three / "alone.db", undone) == [(2,)]


def test_what_is_the_same_in_every_file_is_there_once_and_the_log_is_not(
    clubs_of_three: Path, federation: Path
) -> None:
    there, one = dump(federation), dump(clubs_of_three / "alone.db")
    tables = {it.name for it in layout().tables}
    same = one.keys() - tables - set(AT_HOME)
    assert same == {"outcome", "result_spelling", "fide_expectation", "tiebreak"}
    assert {it: there[it] for it in same} == {it: one[it] for it in same}
    assert {it: there[it] for it in AT_HOME} == {it: [] for it in AT_HOME}
    assert there.keys() - one.keys() == {"archived", "person", "people"}


def _shifted(found: sqlite3.Cursor, number: int) -> list[tuple[Any, ...]]:
    """Rows of a view of the club's, as they are to be in the archive."""
    other = {"fide_id", "national_id"}
    names = [it[0] for it in found.description]
    refers = [it == "id" or (it.endswith("_id") and it not in other) for it in names]
    return [
        tuple(
            cell + number * SPAN if id_ and cell is not None else cell
            for cell, id_ in zip(row, refers, strict=True)
        )
        for row in found
    ]


PUBLIC = set(re.findall(r"^CREATE VIEW ([a-z]\w*)", sql.code_script(), re.MULTILINE))
VIEWS = sorted(name for kind, name in layout().made if kind == "view" and name in PUBLIC)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_says_of_a_tournament_what_it_says_in_the_clubs_file(
    clubs_of_three: Path, federation: Path, view: str
) -> None:
    compared = 0
    with closing(sqlite3.connect(federation)) as all_of_them:
        for path, number in rows(federation, "SELECT path, id FROM archived"):
            with closing(sqlite3.connect(clubs_of_three / path)) as club:
                for (id_,) in club.execute("SELECT id FROM tournament").fetchall():
                    query = f"SELECT * FROM {view} WHERE tournament_id = ?"
                    expected = _shifted(club.execute(query, (id_,)), number)
                    found = all_of_them.execute(query, (id_ + number * SPAN,)).fetchall()
                    assert sorted(found, key=repr) == sorted(expected, key=repr)
                    compared += len(found)
    assert compared


def test_views_about_how_a_file_works_are_not_in_it() -> None:
    """And nothing private that only those need."""
    names = {name for kind, name in layout().made if kind == "view"}
    assert PUBLIC - names == {"problems", "revalue", "tiebreak_trigger"}
    private = {"_logged", "_seat", "_text", "_code"}
    assert private < {name for kind, name in refresh.as_made() if kind == "view"} - names


def test_no_trigger_of_a_club_is_in_it() -> None:
    triggers = [name for kind, name in layout().made if kind == "trigger"]
    assert triggers and all("_is_only_read_on_" in it for it in triggers)


def test_every_table_view_and_column_of_its_own_has_a_comment(federation: Path) -> None:
    with closing(sqlite3.connect(federation)) as conn:
        found = describe.described(conn)
    bare = [(it.name, column) for it in found for column, said in it.columns.items() if not said]
    assert bare == []
    assert [it.name for it in found if not re.match(r"(A row per|The windowed)", it.about)] == []
    own = {it.stem for it in (ROOT / "keizer/archive/views").glob("*.sql")}
    assert own <= {it.name for it in found}


READ = [
    ("standings",), ("explain", "Baker"), ("crosstable",), ("card", "Baker"), ("progress",),
    ("pairings",), ("head-to-head", "Baker"), ("performance",), ("statistics",), ("rounds",),
    ("categories",), ("rules",), ("present",),
]  # fmt: skip


@pytest.mark.parametrize("command", READ, ids=lambda it: it[0])
def test_commands_read_it_as_they_read_the_clubs_file(
    federation: Path, command: tuple[str, ...], keizer: Keizer
) -> None:
    """The sample is the only tournament of the first file; its ids are moved."""
    name, *words = command
    style = [] if name == "rules" else ["--json"]
    one = keizer(name, ROOT / "sample.db", *words, *style).stdout
    moved = re.sub(r'(?<="fact_id": )\d+', lambda it: str(int(it[0]) + SPAN), one)
    assert ("fact_id" in one) == (name == "explain")
    assert keizer(name, federation, *words, "-t", f"#{SPAN + 1}", *style).stdout == moved


def test_a_tournament_is_named_by_its_number_or_by_the_file(
    federation: Path, keizer: Keizer
) -> None:
    """Many have the same name; of thousands, a few are listed."""
    by_number = keizer("standings", federation, "-t", f"#{SPAN + 1}").stdout
    assert keizer("standings", federation, "-t", "De Pion/2025").stdout == by_number
    assert keizer("standings", federation, "-t", "De Pion/2025.db").stdout == by_number
    several = keizer("standings", federation, "-t", "Zug/1", fails=True).stderr
    assert f"the file has “season” (#{4 * SPAN + 1}), “season” (#{4 * SPAN + 2})." in several
    same = keizer("standings", federation, "-t", "season", fails=True).stderr
    assert same.count("“season” (#") == 6 and "Worked example" not in same


def test_of_many_tournaments_twelve_are_listed(conn: sqlite3.Connection) -> None:
    conn.row_factory = sqlite3.Row
    for number in range(20):
        tournaments.add_tournament(conn, f"T{number}")
    with pytest.raises(KeizerError, match=r"“T11” \(#12\) and 8 more\.$"):
        tournaments.find_tournament(conn)


def test_a_tie_break_that_a_club_made_for_itself_stays_with_it(
    folder: Path, tmp_path: Path, keizer: Keizer
) -> None:
    """Its order counts; the figures are in the club's file."""
    club = folder / "alone.db"
    edit(
        club,
        "CREATE VIEW tiebreak_mine AS SELECT tournament_id, round_number, player_id,"
        " 'mine' AS name, player_id AS value, player_id AS \"key\" FROM ranking_list",
        "INSERT INTO tiebreak (name, view, title, lower_first, low_cuts, high_cuts, source)"
        " VALUES ('mine', 'tiebreak_mine', 'by number', 0, 0, 0, 'here')",
    )
    keizer("rules", club, "tiebreaks=points,mine")
    merged(folder, tmp_path / "archive.db")
    order = "SELECT rank, name FROM current_standings WHERE tournament_id = "
    assert rows(tmp_path / "archive.db", f"{order} {6 * SPAN + 1}") == rows(club, f"{order} 1")
    shown = keizer("standings", tmp_path / "archive.db", "-t", "alone").stdout
    assert "mine" not in shown and "Dora" in shown


def test_tab_offers_the_members_of_a_tournament_in_it(federation: Path) -> None:
    from tests.test_shell import offered

    words = ("explain", str(federation), "-t", f"#{SPAN + 1}")
    assert "Harrison" in offered(*words, incomplete="Har")


def test_the_page_of_a_tournament_is_made_from_it(
    federation: Path, tmp_path: Path, keizer: Keizer
) -> None:
    keizer("site", federation, tmp_path / "page", "-t", f"#{SPAN + 1}")
    assert "Harrison" in (tmp_path / "page" / "index.html").read_text(encoding="utf-8")


def test_export_and_describe_read_it(federation: Path, tmp_path: Path, keizer: Keizer) -> None:
    keizer("export", federation, tmp_path / "games.pgn", "-t", f"#{SPAN + 1}")
    assert "Harrison" in (tmp_path / "games.pgn").read_text(encoding="utf-8")
    assert "over all clubs and seasons" in keizer("describe", federation, "people").stdout


# ------------------------------------------------------------------ only read


CHANGES = [
    "INSERT INTO player (name) VALUES ('New')",
    "UPDATE round SET result = '1-0'",
    "DELETE FROM ranking_list",
    "INSERT OR REPLACE INTO people (person, name) VALUES (1, 'X')",
    "DELETE FROM archived",
    "UPDATE person SET person = 1",
    "INSERT INTO log (fact, row) VALUES ('x', 1)",
    "DELETE FROM outcome",
]


def test_no_client_changes_it(federation: Path, tmp_path: Path, client: Client) -> None:
    out = Path(shutil.copy(federation, tmp_path / "archive.db"))
    before = out.read_bytes()
    for answer in client(out, CHANGES):
        assert "an archive is only read: change the club's own file" in answer
    assert out.read_bytes() == before


WRITE = [
    ("init", "--name", "New"), ("add", "New"), ("withdraw", "Baker"), ("absent", "Baker"),
    ("next-round",), ("unpair",), ("result", "1", "1-0"), ("rules", "step=2"),
    ("rules", "step=2", "--dry-run"), ("correct", "Baker", "5"), ("period", "2"), ("undo",),
    ("standings", "--as", "points"), ("migrate",), ("publish-round",), ("swap", "Baker", "Carter"),
    ("rounds", "--date", "1", "2026-01-01"), ("apart", "Baker", "Carter", "--name", "x"),
    ("backup",), ("backup", "--keep", "3"), ("next-round", "--dry-run"),
]  # fmt: skip


@pytest.mark.parametrize("command", WRITE, ids=" ".join)
def test_commands_that_change_a_file_refuse_it(
    federation: Path, command: tuple[str, ...], keizer: Keizer
) -> None:
    before = federation.read_bytes()
    name, *words = command
    chosen = [] if name in ("init", "undo", "backup", "migrate") else ["-t", f"#{SPAN + 1}"]
    refused = keizer(name, federation, *words, *chosen, fails=True)
    assert re.search(r"is an archive\b.*`keizer archive`", refused.stderr.replace("\n", " "))
    assert federation.read_bytes() == before
    assert {it.name for it in federation.parent.iterdir()} == {"clubs", "archive.db"}


# ------------------------------------------------------------------ which files


def test_unsound_files_are_refused_by_name_and_the_rest_is_merged(
    folder: Path, tmp_path: Path, keizer: Keizer
) -> None:
    zug, out = folder / "Zug", tmp_path / "archive.db"
    with (zug / "0.db").open("r+b") as damaged:
        damaged.seek(len((zug / "0.db").read_bytes()) // 2)
        damaged.write(bytes(8192))
    edit(zug / "1.db", "DROP TRIGGER round_logged", "UPDATE round SET result = '0-0'")
    edit(folder / "De Pion/2026.db", "PRAGMA user_version = 0")
    (folder / "empty.db").touch()
    (folder / "text.db").write_text("no database")
    (folder / "dangling.db").symlink_to("nowhere.db")
    os.mkfifo(folder / "pipe.db")
    make(folder / "newer.db", [])
    edit(folder / "newer.db", "PRAGMA user_version = 999")
    make(folder / "past.db", [{"name": "A"}, {"name": "B"}], [(1, "A", "B", "1-0")])
    with closing(sqlite3.connect(folder / "past.db", isolation_level=None)) as conn:
        (text,) = conn.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'player_logged'"
        ).fetchone()
        conn.execute("DROP TRIGGER player_logged")
        conn.execute("UPDATE player SET name = 'C' WHERE name = 'B'")
        conn.execute(text)
    make(folder / "far.db", [{"name": "A"}])
    edit(folder / "far.db", f"INSERT INTO player (id, name) VALUES ({SPAN}, 'Far')")
    done = keizer("archive", folder, out, fails=True)
    said = dict(re.findall(r"^Refused: ([^:]+): (.+)$", done.stderr, re.MULTILINE))
    expected = {
        "De Pion/2026.db": "has layout 0 .* `keizer migrate .*2026.db` brings it up to date",
        "Zug/0.db": r"(Tree|row|database|wrong|On tree|page|the file is damaged)",
        "Zug/1.db": "the trigger round_logged is missing.*`keizer migrate .*1.db` puts it right",
        "dangling.db": "it is not a file that can be read",
        "empty.db": "it is empty",
        "far.db": "an id in table player is not 1 to 999,999",
        "newer.db": "use a newer keizer",
        "pipe.db": "it is not a file that can be read",
        "past.db": "row 2 of table player was changed past the rules",
        "text.db": "it is not a SQLite database",
    }
    assert said.keys() == expected.keys()
    for path, reason in expected.items():
        assert re.search(reason, said[path], re.IGNORECASE), path
    assert "archive.db has 3 files: 3 new, 0 changed." in done.stdout
    assert "10 files were refused." in done.stderr
    assert [it for (it,) in rows(out, "SELECT path FROM archived ORDER BY id")] == [
        "De Pion/2025.db", "Zug/2.db", "alone.db",
    ]  # fmt: skip


def test_what_is_no_club_file_and_what_is_twice_is_passed_over(
    folder: Path, keizer: Keizer
) -> None:
    edit(folder / "other.db", "CREATE TABLE mine (x)")
    shutil.copy(folder / "alone.db", folder / "twin.db")
    merged(folder / "Zug", folder / "old archive.db")
    keizer("backup", folder / "De Pion/2025.db")
    (folder / ".alone.db.1.new").write_bytes(b"draft")
    (folder / ".hidden").mkdir()
    shutil.copy(folder / "alone.db", folder / ".hidden" / "x.db")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "notes.txt").write_text("x")
    done = keizer("archive", folder, folder / "all.db")
    assert done.stderr.splitlines() == [
        "Passed over: old archive.db: it is an archive itself.",
        "Passed over: other.db: it is a SQLite database, but not a Keizer file.",
        "Passed over: twin.db: it is the same as alone.db.",
    ]
    assert done.stdout.endswith("all.db has 6 files: 6 new, 0 changed.\n")
    again = keizer("archive", folder, folder / "all.db")
    assert again.stdout.endswith("all.db is up to date: 6 files.\n")


def test_a_file_in_use_is_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Locked; with a journal that somebody left; with changes in a -wal file."""
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.0)
    pion, zug = folder / "De Pion", folder / "Zug"
    wal = sqlite3.connect(zug / "1.db", isolation_level=None)
    wal.execute("PRAGMA journal_mode = WAL")
    wal.execute("UPDATE tournament SET city = 'Zug'")
    _crash(zug / "0.db")
    with closing(wal), closing(sqlite3.connect(pion / "2025.db", isolation_level=None)) as busy:
        busy.execute("BEGIN EXCLUSIVE")
        before = everything(folder)
        said = dict(merged(folder, tmp_path / "archive.db").refused)
        assert everything(folder) == before
    assert "the file is locked" in said.pop("De Pion/2025.db")
    assert "a program was stopped while it wrote" in said.pop("Zug/0.db")
    assert "what is in 1.db-wal is not in the file yet" in said.pop("Zug/1.db")
    assert said == {}


def _crash(path: Path) -> None:
    """Leave a journal that has to be rolled back, as somebody does who is killed."""
    child = os.fork()
    if not child:
        conn = sqlite3.connect(path, isolation_level=None)
        conn.execute("PRAGMA cache_size = 1")
        conn.execute("BEGIN")
        conn.execute("UPDATE tournament SET revaluation = 'suspended'")
        conn.execute("UPDATE player SET category = 'B'")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert path.with_name(f"{path.name}-journal").stat().st_size


def test_a_file_in_wal_mode_that_nobody_has_open_is_read_as_it_is(
    folder: Path, tmp_path: Path
) -> None:
    edit(folder / "alone.db", "PRAGMA journal_mode = WAL")
    before = everything(folder)
    assert before.keys() == {it for it in before if not it.endswith(("-wal", "-shm"))}
    assert merged(folder, tmp_path / "archive.db").files == 6
    assert everything(folder) == before


def test_nothing_is_written_where_the_files_are(folder: Path, tmp_path: Path) -> None:
    before = everything(folder)
    merged(folder, tmp_path / "archive.db")
    merged(folder, tmp_path / "archive.db")
    assert everything(folder) == before


@pytest.mark.parametrize("jobs", [2, pytest.param(3, marks=pytest.mark.campaign)])
def test_several_processes_make_the_same_archive(folder: Path, tmp_path: Path, jobs: int) -> None:
    for copy in range(jobs * 4 - 6):
        run_keizer("add", shutil.copy(folder / "alone.db", folder / f"z{copy}.db"), f"X{copy}")
    one, many = tmp_path / "one.db", tmp_path / "many.db"
    merged(folder, one)
    merged(folder, many, jobs=jobs)
    assert many.read_bytes() == one.read_bytes()


def test_a_process_that_dies_costs_one_file(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one does when there is no memory left."""
    for copy in range(2):
        run_keizer("add", shutil.copy(folder / "alone.db", folder / f"z{copy}.db"), f"X{copy}")
    monkeypatch.setattr("keizer.archive.readers._serve", frail)
    done = merged(folder, tmp_path / "archive.db", jobs=2)
    assert done.refused == [("De Pion/2026.db", "to read it stopped a process (-9).")]
    assert done.files == 7


def frail(connection: Any, folder: Path, known: frozenset[str]) -> None:
    """A process that is killed at one file."""
    while True:
        try:
            path = connection.recv()
        except EOFError:
            return
        if path.endswith("2026.db"):
            os.kill(os.getpid(), signal.SIGKILL)
        connection.send(clubs.read(folder, path, known))


# ------------------------------------------------------------------ again


def test_once_more_changes_nothing(folder: Path, tmp_path: Path, keizer: Keizer) -> None:
    """Not even when it was last written."""
    out = tmp_path / "archive.db"
    keizer("archive", folder, out)
    before = out.read_bytes(), out.stat().st_mtime_ns, out.stat().st_ino
    done = keizer("archive", folder, out)
    assert done.stdout == f"{out} is up to date: 6 files.\n" and done.stderr == ""
    assert (out.read_bytes(), out.stat().st_mtime_ns, out.stat().st_ino) == before
    assert {it.name for it in tmp_path.iterdir()} == {"clubs", "archive.db"}


def test_a_file_that_changed_takes_the_place_of_its_rows(folder: Path, tmp_path: Path) -> None:
    """As if the archive had been made anew."""
    out, anew = tmp_path / "archive.db", tmp_path / "anew.db"
    merged(folder, out)
    run_keizer("rules", folder / "De Pion/2025.db", "step=0.5")
    run_keizer("result", folder / "De Pion/2026.db", 1, "1-0")
    done = merged(folder, out)
    assert (done.files, done.new, done.changed, done.written) == (6, 0, 2, True)
    merged(folder, anew)
    assert dump(out) == dump(anew)


def test_a_new_file_gets_the_next_number(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "archive.db"
    aside = (folder / "De Pion/2025.db").rename(tmp_path / "2025.db")
    assert merged(folder, out).files == 5
    aside.rename(folder / "De Pion/2025.db")
    done = merged(folder, out)
    assert (done.files, done.new, done.changed) == (6, 1, 0)
    assert rows(out, "SELECT id FROM archived WHERE path = 'De Pion/2025.db'") == [(6,)]


def test_what_is_gone_or_unsound_now_stays(folder: Path, tmp_path: Path, keizer: Keizer) -> None:
    out = tmp_path / "archive.db"
    keizer("archive", folder, out)
    before = dump(out)
    (folder / "alone.db").unlink()
    edit(folder / "Zug/0.db", "DROP VIEW standings")
    done = keizer("archive", folder, out, fails=True)
    assert re.search(r"Refused: Zug/0.db: .* The archive keeps what it has of it\.", done.stderr)
    assert f"Not in {folder} any more, and kept: alone.db.\n" in done.stderr
    assert done.stdout == f"{out} is up to date: 6 files.\n"
    assert dump(out) == before


def test_a_file_that_was_renamed_keeps_its_number(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "archive.db"
    merged(folder, out)
    (folder / "De Pion").rename(folder / "Pion")
    done = merged(folder, out)
    assert (done.files, done.new, done.changed, done.gone) == (6, 0, 2, [])
    assert rows(out, "SELECT id, path, club FROM archived WHERE id < 3") == [
        (1, "Pion/2025.db", "Pion"), (2, "Pion/2026.db", "Pion"),
    ]  # fmt: skip
    assert rows(out, "SELECT club FROM clubs") == [("Pion",), ("Zug",), ("alone",)]


def test_files_that_change_places_are_each_there_once(folder: Path, tmp_path: Path) -> None:
    """The rows of both are wanted again, though the archive had both before."""
    out, anew, pion = tmp_path / "archive.db", tmp_path / "anew.db", folder / "De Pion"
    merged(folder, out)
    (pion / "2025.db").rename(pion / "aside")
    (pion / "2026.db").rename(pion / "2025.db")
    (pion / "aside").rename(pion / "2026.db")
    assert merged(folder, out).changed == 2
    merged(folder, anew)
    assert dump(out) == dump(anew)


def test_a_copy_that_comes_first_takes_the_place_of_the_file(folder: Path, tmp_path: Path) -> None:
    """No game is there twice, whichever of them goes by which name."""
    out = tmp_path / "archive.db"
    merged(folder, out)
    shutil.copy(folder / "alone.db", folder / "a copy.db")
    done = merged(folder, out)
    assert done.passed_over == [("alone.db", "it is the same as a copy.db.")]
    copies = "SELECT path FROM archived WHERE club IN ('alone', 'a copy')"
    assert rows(out, copies) == [("a copy.db",)]
    games = "SELECT count(*) FROM round"
    assert rows(out, games) == rows(_anew(folder, tmp_path), games)


def _anew(folder: Path, tmp_path: Path) -> Path:
    merged(folder, tmp_path / "anew.db")
    return tmp_path / "anew.db"


# ------------------------------------------------------------------ killed


Step = Callable[[], None]


def _stepping(step: Step) -> Callable[[Path], sqlite3.Connection]:
    """How the hidden file is opened, with something that happens every few steps of SQLite."""
    usual = writer.opened

    def opened(work: Path) -> sqlite3.Connection:
        conn = usual(work)
        conn.set_progress_handler(step, 20)
        return conn

    return opened


def _steps(folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Merge; how many steps that is."""
    taken: list[None] = []
    with monkeypatch.context() as patched:
        patched.setattr(writer, "opened", _stepping(lambda: taken.append(None)))
        patched.setattr(writer, "TOGETHER", 2)
        merged(folder, out)
    return len(taken)


def _killed(folder: Path, out: Path, after: int) -> bool:
    """Merge in another process, which is killed after so many steps; whether it was."""
    child = os.fork()
    if not child:
        left = [after]

        def step() -> None:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        patched = pytest.MonkeyPatch()
        patched.setattr(writer, "opened", _stepping(step))
        patched.setattr(writer, "TOGETHER", 2)
        try:
            merged(folder, out)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.parametrize("seed", [1, *campaign(2, 60)])
def test_killed_at_random_and_run_again_it_is_the_same_archive(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Byte for byte; and whoever looks meanwhile sees no archive, or the one before."""
    whole, out = tmp_path / "whole.db", tmp_path / "archive.db"
    rng = random.Random(seed)
    for _ in range(2):
        before = out.read_bytes() if out.exists() else None
        steps = _steps(folder, whole, monkeypatch)
        kills = 0
        while _killed(folder, out, rng.randint(1, steps // 2) if kills < 4 else 10 * steps):
            kills += 1
            assert (out.read_bytes() if out.exists() else None) == before
        assert kills > 1
        assert out.read_bytes() == whole.read_bytes()
        for path in ("De Pion/2025.db", "alone.db"):
            run_keizer("rules", folder / path, "step=0.5")
    assert {it.name for it in tmp_path.iterdir()} == {"clubs", "whole.db", "archive.db"}


def test_a_full_disk_is_said_and_the_same_command_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, out = tmp_path / "whole.db", tmp_path / "archive.db"
    merged(folder, whole)
    usual = writer.opened

    def small(work: Path) -> sqlite3.Connection:
        conn = usual(work)
        conn.execute(f"PRAGMA max_page_count = {whole.stat().st_size // 4096 - 9}")
        return conn

    with monkeypatch.context() as patched:
        patched.setattr(writer, "opened", small)
        with pytest.raises(KeizerError, match="the disk is full"):
            merged(folder, out)
    assert not out.exists()
    merged(folder, out)
    assert out.read_bytes() == whole.read_bytes()


def test_what_an_earlier_keizer_left_half_done_is_begun_anew(folder: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.db", tmp_path / "archive.db"
    merged(folder, whole)
    edit(tmp_path / ".archive.db.work", "CREATE TABLE archived (id, path, sha256)")
    merged(folder, out)
    assert out.read_bytes() == whole.read_bytes()


def test_stopped_by_hand_it_says_how_to_go_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keizer: Keizer
) -> None:
    read, left = clubs.read, [4]

    def interrupted(*args: Any) -> clubs.Found:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return read(*args)

    monkeypatch.setattr(clubs, "read", interrupted)
    stopped = keizer("archive", folder, tmp_path / "archive.db", "--jobs", 1, fails=True)
    assert "Error: stopped: the same command goes on from there.\n" in stopped.stderr
    assert not (tmp_path / "archive.db").exists()
    done = keizer("archive", folder, tmp_path / "archive.db")
    assert "has 6 files" in done.stdout


def test_two_at_once_are_one_too_many(folder: Path, tmp_path: Path) -> None:
    """Whether the archive is new or there already; and who came first is not in the way."""
    out = tmp_path / "archive.db"
    refused = re.escape(f"another `keizer archive` is at work on {out}.")

    def report(done: int, _total: int) -> None:
        if done == 3:
            with pytest.raises(KeizerError, match=refused):
                merged(folder, out)

    archive.merge(folder, out, jobs=1, report=report)
    for path in ("De Pion/2025.db", "alone.db"):
        run_keizer("rules", folder / path, "step=0.5")
    archive.merge(folder, out, jobs=1, report=report)
    assert merged(folder, out).written is False


# ------------------------------------------------------------------ where it goes


def test_nothing_but_an_archive_is_written_over(
    folder: Path, tmp_path: Path, sample: Path, keizer: Keizer
) -> None:
    other = tmp_path / "other.db"
    edit(other, "CREATE TABLE mine (x)")
    text = tmp_path / "text.db"
    text.write_text("x")
    for path, reason in (
        (sample, "is a club's file: name another one for the archive"),
        (other, "is a SQLite database, but not a Keizer file"),
        (text, "is not a SQLite database"),
        (folder, "cannot be an archive: name a file in a folder that is there"),
        (tmp_path / "nowhere" / "x.db", "cannot be an archive"),
    ):
        before = path.read_bytes() if path.is_file() else None
        refused = keizer("archive", folder, path, fails=True)
        assert reason in refused.stderr
        assert (path.read_bytes() if path.is_file() else None) == before


def test_a_folder_without_club_files_makes_no_archive(tmp_path: Path, keizer: Keizer) -> None:
    (tmp_path / "clubs").mkdir()
    (tmp_path / "clubs" / "empty.db").touch()
    refused = keizer("archive", tmp_path / "clubs", tmp_path / "out.db", fails=True)
    assert "Refused: empty.db: it is empty." in refused.stderr
    (tmp_path / "clubs" / "empty.db").unlink()
    refused = keizer("archive", tmp_path / "clubs", tmp_path / "out.db", fails=True)
    assert f"there is no Keizer file in {tmp_path / 'clubs'}." in refused.stderr
    refused = keizer("archive", tmp_path / "none", tmp_path / "out.db", fails=True)
    assert "is no folder" in refused.stderr
    assert [it.name for it in tmp_path.iterdir()] == ["clubs"]


def test_an_archive_of_another_make_is_not_touched(folder: Path, tmp_path: Path) -> None:
    """Its rows may be all there is of a file."""
    out = tmp_path / "archive.db"
    merged(folder, out)
    edit(out, "ALTER TABLE round RENAME COLUMN drawn TO level")
    with pytest.raises(Exception, match="is not as this keizer makes an archive: move it"):
        merged(folder, out)
    edit(out, "PRAGMA user_version = 0")
    with pytest.raises(Exception, match="that an earlier keizer made: make it anew"):
        merged(folder, out)


def test_views_that_somebody_dropped_are_put_back(folder: Path, tmp_path: Path) -> None:
    out, anew = tmp_path / "archive.db", tmp_path / "anew.db"
    merged(folder, out)
    merged(folder, anew)
    edit(out, "DROP VIEW careers", "DROP TRIGGER round_is_only_read_on_update")
    assert merged(folder, out).written
    with closing(sqlite3.connect(out)) as conn:
        assert refresh.differences(conn, layout().made) == []
    assert dump(out) == dump(anew)


def test_check_proves_an_archive(federation: Path, tmp_path: Path, keizer: Keizer) -> None:
    out = Path(shutil.copy(federation, tmp_path / "archive.db"))
    assert keizer("check", out).stdout == f"{out} is an archive, and sound.\n"
    edit(out, "DROP TRIGGER player_is_only_read_on_update")
    assert "player_is_only_read_on_update is missing" in keizer("check", out, fails=True).stdout
    made = dict(layout().made)
    for change, problem in (
        ("UPDATE person SET person = 1000002 WHERE player_id = 2000001", "player 2000001 is not"),
        ("UPDATE people SET games = 99 WHERE person = 1000001", "what is said of person 1000001"),
        ("UPDATE archived SET id = 9 WHERE id = 6", "table player has rows of file 6, which is"),
        ("DELETE FROM player WHERE id = 1000003", "row 1000003 of table person refers to nothing"),
    ):
        shutil.copy(federation, out)
        with closing(sqlite3.connect(out, isolation_level=None)) as conn:
            triggers = [it for it in made if it[0] == "trigger"]
            for _, name in triggers:
                conn.execute(f"DROP TRIGGER {name}")
            conn.execute(change)
            for it in triggers:
                conn.execute(made[it])
        assert problem in keizer("check", out, fails=True).stdout


# ------------------------------------------------------------------ people


MEMBERS = {
    # By FIDE id, whatever he is called; by national id in a federation.
    "A/1.db": ["Jan Smit|fide 1", "Piet|nat NED 7", "Kees"],
    "B/1.db": ["J. Smit|fide 1", "P. Jansen|nat NED 7", "Kees"],
    "B/2.db": ["Otto|nat BEL 7"],
    # A FIDE id that some rows of a national id have is that of all.
    "C/1.db": ["Lia|nat NED 8"],
    "D/1.db": ["Lia B.|nat NED 8|fide 2"],
    "E/1.db": ["L. Berg|fide 2"],
    # Unless there are several.
    "F/1.db": ["Max|nat NED 9|fide 3"],
    "F/2.db": ["Max|nat NED 9|fide 4"],
    "F/3.db": ["Max|nat NED 9"],
    # Without a federation it counts within the club.
    "G/1.db": ["Nel|nat 5"],
    "G/2.db": ["N. de Wit|nat 5"],
    "H/1.db": ["Nel|nat 5"],
    # By name in the club, with capitals or without; who has a number draws the others.
    "I/1.db": ["anna de boer", "Bob"],
    "I/2.db": ["Anna de Boer|fide 11", "Bob"],
    # But not where two of the name have numbers that differ.
    "J/1.db": ["Eva|fide 21"],
    "J/2.db": ["Eva|fide 22"],
    "J/3.db": ["Eva"],
    "J/4.db": ["Eva"],
    # A national id in one season, a FIDE id in another.
    "K/1.db": ["Finn|nat NED 31"],
    "K/2.db": ["Finn|fide 31"],
    "K/3.db": ["Finn"],
    # ... which could be somebody else's too.
    "L/1.db": ["Gijs|nat NED 41"],
    "L/2.db": ["Gijs|fide 41"],
    "M/1.db": ["G. Gijs|nat NED 41"],
    "M/2.db": ["G. Gijs|fide 42"],
}
"""Clubs of a few, for every way in which two rows are one person, or are not."""


def persons(files: dict[str, list[str]]) -> str:
    """A script that makes the tables and view _person, and fills in who is in which file."""
    view = next(it for it in layout().views if "CREATE VIEW _person " in it)
    script = [*layout().holding, view]
    for file, (path, members) in enumerate(files.items(), 1):
        first = file * SPAN + 1
        script.append(f"INSERT INTO archived VALUES ({file}, '{path}', '{path[0]}', '');")
        script.append(f"INSERT INTO tournament (id, description) VALUES ({first}, 'x');")
        for id_, member in enumerate(members, first):
            name, *details = member.split("|")
            cells = {"fide_id": "NULL", "national_id": "NULL", "federation": "NULL"}
            for detail in details:
                kind, *federation, number = detail.split()
                cells["fide_id" if kind == "fide" else "national_id"] = number
                if federation:
                    cells["federation"] = repr(federation[0])
            script.append(
                f"INSERT INTO player (id, name, {', '.join(cells)})"
                f" VALUES ({id_}, '{name}', {', '.join(cells.values())});"
                "INSERT INTO x_player_tournament (player_id, tournament_id)"
                f" VALUES ({id_}, {first});"
            )
    return "\n".join(script)


def test_who_is_the_same_person() -> None:
    """Sets of rows, worked out by hand from what the clubs above say."""
    query = (
        "SELECT w.person, replace(path, '.db', '') || ' ' || name FROM _person AS w"
        " JOIN player ON player.id = player_id JOIN archived ON archived.id = player_id / 1000000"
    )
    found: dict[int, set[str]] = {}
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.executescript(persons(MEMBERS))
        for person, who in conn.execute(query):
            found.setdefault(person, set()).add(who)
        least = conn.execute("SELECT person, min(player_id) FROM _person GROUP BY person")
        assert all(person == player for person, player in least)
    together = [
        {"A/1 Jan Smit", "B/1 J. Smit"}, {"A/1 Piet", "B/1 P. Jansen"},
        {"C/1 Lia", "D/1 Lia B.", "E/1 L. Berg"},
        {"G/1 Nel", "G/2 N. de Wit"},
        {"I/1 anna de boer", "I/2 Anna de Boer"}, {"I/1 Bob", "I/2 Bob"},
        {"J/3 Eva", "J/4 Eva"},
        {"K/1 Finn", "K/2 Finn", "K/3 Finn"},
        {"L/1 Gijs", "M/1 G. Gijs"},
    ]  # fmt: skip
    alone = [
        "A/1 Kees", "B/1 Kees", "B/2 Otto", "F/1 Max", "F/2 Max", "F/3 Max", "H/1 Nel",
        "J/1 Eva", "J/2 Eva", "L/2 Gijs", "M/2 G. Gijs",
    ]  # fmt: skip
    assert sorted(found.values(), key=min) == sorted([*together, *({it} for it in alone)], key=min)


def test_namesakes_in_one_file_are_not_one_person(oldest: Oldest) -> None:
    """A file of an earlier layout may have two of a name: then the name tells nothing.

    Asked in the oldest SQLite there is, too.
    """
    script = persons({"A/1.db": ["Jan", "JAN", "Ida"], "A/2.db": ["Jan", "Ida"]})
    query = "SELECT player_id, person FROM _person ORDER BY player_id"
    expected = [
        (1000001, 1000001), (1000002, 1000002), (1000003, 1000003), (2000001, 2000001),
        (2000002, 1000003),
    ]  # fmt: skip
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.executescript(script)
        assert conn.execute(query).fetchall() == expected
    assert oldest(script, query) == [f"{player}\t{person}" for player, person in expected]


@pytest.fixture(scope="module")
def careers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seasons of one club and one of another; Anna plays in all three."""
    folder = tmp_path_factory.mktemp("careers")
    anna = {"name": "Anna", "fide_id": 7, "rating": 2000}
    make(folder / "clubs/A/2024.db", [anna, {"name": "Bob"}], [
        (1, "Anna", "Bob", "1-0"), (2, "Bob", "Anna", "½-½"), (3, "Anna", "Bob", "+-"),
    ])  # fmt: skip
    make(folder / "clubs/A/2025.db", [{**anna, "name": "Anna K."}, {"name": "Bob"}], [
        (1, "Bob", "Anna K.", "1-0"), (2, "Anna K.", "Bob", None),
    ])  # fmt: skip
    make(folder / "clubs/B/2025.db", [{"name": "A. Kok", "fide_id": 7}, {"name": "Bob"}], [
        (1, "A. Kok", "Bob", "0-0"),
    ])  # fmt: skip
    for path, year in (("A/2024", 2024), ("A/2025", 2025), ("B/2025", 2026)):
        for number in (1, 2, 3):
            day = f"{year}-01-0{number}"
            run_keizer("rounds", folder / f"clubs/{path}.db", "--date", number, day)
    merged(folder / "clubs", folder / "archive.db")
    return folder / "archive.db"


def test_a_person_over_clubs_and_seasons(careers: Path) -> None:
    """By hand: Anna won 1, drew 1, lost 2 (one of them 0-0) and won one by forfeit."""
    assert rows(careers, "SELECT * FROM people") == [
        (1000001, "A. Kok", 7, None, 2, 3, 4, 1, 1, 2, 2.5, "2024-01-01", "2026-01-01"),
        (1000002, "Bob", None, None, 1, 2, 3, 1, 1, 1, 1.5, "2024-01-01", "2025-01-01"),
        (3000002, "Bob", None, None, 1, 1, 1, 0, 0, 1, 0.0, "2026-01-01", "2026-01-01"),
    ]
    query = (
        "SELECT name, club, path, tournament, rank, points, won, drawn, lost, rating, last_date"
        " FROM careers WHERE person = 1000001 ORDER BY path"
    )
    assert rows(careers, query) == [
        ("Anna", "A", "A/2024.db", "2024", 1, 2.5, 1, 1, 0, 2000, "2024-01-03"),
        ("Anna K.", "A", "A/2025.db", "2025", 2, 0, 0, 0, 1, 2000, "2025-01-01"),
        ("A. Kok", "B", "B/2025.db", "2025", 1, 0, 0, 0, 1, None, "2026-01-01"),
    ]


def test_who_met_whom_over_clubs_and_seasons(careers: Path) -> None:
    query = (
        "SELECT opponent, colour, kind, result, club, tournament, round_number, date"
        " FROM encounters WHERE person = 1000001 AND opponent_id = 1000002"
        " ORDER BY tournament_id, round_number"
    )
    assert rows(careers, query) == [
        ("Bob", "white", "win", "1-0", "A", "2024", 1, "2024-01-01"),
        ("Bob", "black", "draw", "½-½", "A", "2024", 2, "2024-01-02"),
        ("Bob", "white", "forfeit win", "+-", "A", "2024", 3, "2024-01-03"),
        ("Bob", "black", "loss", "1-0", "A", "2025", 1, "2025-01-01"),
        ("Bob", "white", None, None, "A", "2025", 2, "2025-01-02"),
    ]
    both = "SELECT count(*) FROM encounters"
    assert rows(careers, both) == [(12,)]


def test_clubs_and_seasons(careers: Path) -> None:
    assert rows(careers, "SELECT * FROM clubs") == [
        ("A", 2, 2, 2, 4, "2024-01-01", "2025-01-01"),
        ("B", 1, 1, 2, 1, "2026-01-01", "2026-01-01"),
    ]
    assert rows(careers, "SELECT * FROM seasons") == [
        (1000001, "2024", "running", "A", "A/2024.db", 2, 3, 3, "2024-01-01", "2024-01-03"),
        (2000001, "2025", "running", "A", "A/2025.db", 2, 1, 1, "2025-01-01", "2025-01-01"),
        (3000001, "2025", "running", "B", "B/2025.db", 2, 1, 1, "2026-01-01", "2026-01-01"),
    ]


def test_the_oldest_sqlite_reads_it(oldest: Oldest) -> None:
    """3.35.0 has every view that an archive has, and refuses what it is to refuse."""
    script = "\n;".join([*layout().holding, *layout().views, *layout().refusing])
    views = [name for kind, name in layout().made if kind == "view"]
    asked = "; ".join(f"SELECT * FROM {it} LIMIT 0" for it in views)
    assert oldest(script, f"{asked}; SELECT count(*) FROM archived") == ["0"]


QUERIES = [
    "SELECT * FROM people WHERE name = 'Anna' COLLATE NOCASE",
    "SELECT * FROM people WHERE name LIKE 'Anna%'",
    "SELECT * FROM people WHERE fide_id = 7",
    "SELECT * FROM careers WHERE person = 1000001",
    "SELECT * FROM careers WHERE tournament_id = 1000001",
    "SELECT * FROM encounters WHERE person = 1000001",
    "SELECT * FROM encounters WHERE person = 1000001 AND opponent_id = 1000002",
    "SELECT * FROM seasons WHERE tournament_id = 1000001",
    "SELECT * FROM standings WHERE tournament_id = 1000001 AND round_number = 1",
    "SELECT * FROM current_standings WHERE tournament_id = 1000001",
    "SELECT * FROM crosstable WHERE tournament_id = 1000001 AND round_number = 1",
    "SELECT * FROM presence WHERE tournament_id = 1000001",
]


@pytest.mark.parametrize("query", QUERIES)
def test_one_of_thousands_is_found_by_an_index(careers: Path, query: str) -> None:
    facts = r"SCAN (who|other|[abegortw]|people|person|archived|player|round|\w+_list|tournament)\b"
    plan = [step[3] for step in rows(careers, f"EXPLAIN QUERY PLAN {query}")]
    assert [step for step in plan if re.match(facts, step)] == []


def test_datasette_serves_it(federation: Path, keizer: Keizer) -> None:
    """The real server: a table, and a person with a link to him, as JSON."""
    from datasette.app import Datasette

    metadata = json.loads(keizer("describe", federation, "--datasette").stdout)
    server = Datasette([], immutables=[str(federation)], metadata=metadata)

    async def get(path: str) -> list[dict[str, Any]]:
        answer = await server.client.get(f"/archive/{path}_shape=array")
        assert answer.status_code == 200, answer.text
        return list(answer.json())

    standings, found, labelled = (
        asyncio.run(get(it))
        for it in (
            f"current_standings.json?tournament_id={SPAN + 1}&",
            "people.json?name=Harrison&_col=name&_col=games&",
            f"person.json?player_id={SPAN + 6}&_labels=on&",
        )
    )
    assert [it["name"] for it in standings] == [
        it for (it,) in rows(ROOT / "sample.db", "SELECT name FROM current_standings")
    ]
    assert [it["games"] for it in found] == [
        it for (it,) in rows(federation, "SELECT games FROM people WHERE name = 'Harrison'")
    ]
    assert labelled[0]["person"]["label"] == "Harrison"


def test_what_the_page_asks_it_can_be_asked(careers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question of docs/scale.md, in SQL and in Python."""
    page = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
    asked = re.findall(r'sqlite3 -box archive.db "([^"]+)"', page)
    asked += [
        it.replace("archive.people", "people") for it in re.findall(r"    (SELECT .*);", page)
    ]
    assert len(asked) == 4
    for query in asked:
        rows(careers, query)
    (code,) = re.findall(r"(?m)^    import sqlite3, pandas\n(?:    .+\n)+", page)
    monkeypatch.chdir(careers.parent)
    found: dict[str, Any] = {}
    exec(textwrap.dedent(code), found)
    assert list(found["clubs"]["club"]) == ["A", "B"]


# ------------------------------------------------------------------ the command


def test_the_command_shows_how_far_it_is_on_a_terminal_only(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run_keizer("archive", folder, tmp_path / "a.db")
    assert done.stderr == ""
    monkeypatch.setattr("keizer.cli.archive._terminal", lambda: True)
    done = run_keizer("archive", folder, tmp_path / "b.db")
    assert "Files" in done.stderr
