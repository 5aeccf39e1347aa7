"""How keizer/ is built: rooms, floors and what is imported when.

A room knows of the rooms below it; nothing knows of itself in a circle; and only what a
command of the club night does not need at once is imported inside a function.
"""

import ast
import re
import sqlite3
import sys
from contextlib import closing
from functools import cache
from graphlib import TopologicalSorter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from keizer import addons, resources
from keizer.store import connection, sql
from tests.support.files import ROOT, demo_db, run_keizer

FLOORS = (
    "resources", "texts", "messages", "errors", "addons", "languages", "store", "pairing", "season",
    "formats", "acts", "club", "cli", "exchange", "web",
)  # fmt: skip
"""From the bottom up; what is in keizer/ itself is above them all, or has no imports."""

ADD_ONS = tuple(f"keizer.{room}" for room in addons.ROOMS)


@cache
def modules() -> dict[str, Path]:
    """The modules of keizer by name, without keizer itself."""
    found = {}
    for path in (ROOT / "keizer").rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(
            ".__init__"
        )
        found[name] = path
    return found


@cache
def found_in(name: str) -> list[tuple[str, bool]]:
    """What a module imports, and whether that is inside a function."""
    tree = ast.parse(modules()[name].read_text(encoding="utf-8"))
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
    }
    found = []
    for node in ast.walk(tree):
        named: list[str] = []
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            named = [other if other in modules() else node.module for other in full]
        found += [(other, id(node) in inside) for other in named]
    return found


def imports(name: str, *, late: bool = False) -> set[str]:
    """The modules that one imports; late: only those inside functions."""
    return {other for other, inside in found_in(name) if inside or not late}


def floor(name: str) -> int:
    room = name.split(".")[1] if "." in name else ""
    return FLOORS.index(room) if room in FLOORS else len(FLOORS)


def test_no_import_climbs() -> None:
    climbs = {
        f"{name} -> {other}"
        for name in modules()
        for other in imports(name)
        if other in modules() and other != "keizer" and floor(other) > floor(name)
    }
    assert climbs == set()


def test_the_core_imports_nothing_of_an_add_on() -> None:
    """It asks for it, and runs where it is left out: tests/house/test_core_alone.py."""
    for name in modules():
        if not name.startswith(ADD_ONS):
            assert not any(other.startswith(ADD_ONS) for other in imports(name)), name


def test_no_module_leads_back_to_itself() -> None:
    graph = {
        name: {other for other in imports(name) if other in modules() and other != name}
        for name in modules()
        if name != "keizer"
    }
    TopologicalSorter(graph).prepare()


def test_the_pairing_engine_needs_nothing_else() -> None:
    for name in modules():
        if floor(name) == FLOORS.index("pairing"):
            for other in imports(name):
                assert other.startswith("keizer.pairing") or not other.startswith(
                    "keizer"
                ), other


LATE = {
    "datetime", "difflib", "importlib.util", "json", "keizer.club", "keizer.exchange.trf.report",
    "keizer.formats.apart", "keizer.languages", "keizer.season.club_night.rounds",
    "keizer.season.club_night.swap", "keizer.season.demo", "keizer.season.presets",
    "keizer.season.rules", "keizer.store.backup.snapshots", "keizer.store.definitions",
    "keizer.store.log.history", "keizer.store.refresh", "keizer.store.soundness.barring",
    "keizer.store.soundness.proof", "keizer.web.keys", "keizer.web.listening",
    "keizer.web.public", "keizer.web.server", "keizer.web.site.build", "keizer.web.site.data",
    "keizer.web.site.messages", "keizer.web.site.pages", "keizer.web.visit", "pathlib", "polib",
    "python_calamine", "resource", "segno", "shutil", "sqlite_utils", "tempfile", "textwrap",
    "tomllib", "unicodedata",
}  # fmt: skip
"""What a command of the club night starts without (test_the_hot_path_stays_light), what only a
sentence about something wrong needs, and what is not on every system or in another extra."""


def test_imports_inside_functions_are_those_that_were_measured() -> None:
    assert {late for name in modules() for late in imports(name, late=True)} == LATE


SQL = re.compile(r"\b(SELECT .* FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b")


def test_the_command_and_the_face_have_no_sql() -> None:
    for name, path in modules().items():
        own = name.startswith(("keizer.web.links", "keizer.web.site"))
        if name.startswith(("keizer.cli", "keizer.web")) and not own:
            assert not SQL.search(path.read_text(encoding="utf-8")), name


@pytest.mark.parametrize(
    "room", ["season", "exchange", "exchange/trf", "web/site", "store"]
)
def test_each_statement_of_a_room_is_asked_for_and_runs(room: str) -> None:
    folder = ROOT / "keizer" / room
    text = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.executescript(sql.script())
        for name, statement in resources.queries(str(folder / "sql.py")).items():
            assert re.search(rf'"({name}|{name.removesuffix("_lines")})"', text), name
            conn.execute(statement, dict.fromkeys(re.findall(r":(\w+)", statement), 1))


def _walk(monkeypatch: pytest.MonkeyPatch, *line: object) -> list[str]:
    """The modules whose statements a command runs, one after the other."""
    rooms: list[str] = []

    class Watched(connection.Connection):
        def execute(self, *args: Any) -> sqlite3.Cursor:
            frame = sys._getframe(1)  # noqa: SLF001
            while frame.f_back and frame.f_globals["__name__"] in QUERIES:
                frame = frame.f_back
            rooms.append(frame.f_globals["__name__"])
            return super().execute(*args)

    monkeypatch.setattr(connection, "Connection", Watched)
    run_keizer(*line)
    return [room for room, _ in groupby(rooms)]


QUERIES = ("keizer.season.queries", "keizer.store.sql", connection.__name__)
"""Which ask for others."""


@pytest.mark.parametrize("line", ["result 2 1-0", "next-round --allow-open"])
def test_a_connection_goes_through_the_rooms_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """The seals are looked at first.

    It comes back for the log and its seal, the ranks after a result, and to end all.
    """
    db = tmp_path / "club.db"
    db.write_bytes(demo_db())
    command, *rest = line.split()
    walk = _walk(monkeypatch, command, db, *rest)
    returns = sum(room in walk[:place] for place, room in enumerate(walk))
    assert len(walk) <= 14 and returns <= 5, walk


def test_only_acts_and_the_store_open_a_file_to_change_it() -> None:
    for name, path in modules().items():
        if not (name.startswith("keizer.store") or ".acts" in name):
            opens = re.findall(
                r"\.(?:writing|trying)\(", path.read_text(encoding="utf-8")
            )
            assert not opens, name


def test_what_acts_and_the_season_return_has_names() -> None:
    """No tuple of lists, which a reader would have to count."""
    for name, path in modules().items():
        if name.startswith("keizer.season") or ".acts" in name:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.returns:
                    returned = ast.unparse(node.returns)
                    assert not re.match(r"tuple\[.*(list|tuple|dict)\[", returned), (
                        node.name
                    )


def test_english_stands_where_translators_find_it() -> None:
    """What makes a message of a text has it as a literal; `term` is for words of the file."""
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).rpartition(".")[2]
                texts = node.args[
                    : {
                        "KeizerError": 1,
                        "wrong": 1,
                        "tell": 1,
                        "describe": 1,
                        "plural": 2,
                    }.get(called, 0)
                ]
                if called == "say" and len(node.keywords):
                    texts = node.args[:1]
                assert not any(
                    isinstance(one, ast.JoinedStr | ast.BinOp) for one in texts
                ), name


def test_no_test_imports_from_another() -> None:
    """What several need is in tests/support."""
    for path in (ROOT / "tests").rglob("*.py"):
        if "node_modules" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert not re.search(
                r"^ *(from|import) tests[.\w]*\.test_", text, re.MULTILINE
            ), path


def test_a_view_stands_in_a_file_of_its_name() -> None:
    """And alone, with its triggers: whoever looks for one opens that file."""
    for path in (ROOT / "views").glob("*/*.sql"):
        names = re.findall(r"^CREATE VIEW (\w+)", path.read_text("utf-8"), re.MULTILINE)
        assert names in ([], [path.stem]), path
