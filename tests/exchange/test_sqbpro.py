"""The project for DB Browser: what it names is there, and its queries run."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from keizer.exchange import sqbpro
from keizer.season.queries import Tournament
from tests.support.files import ROOT, edit, sample_db
from tests.support.files import run_keizer as keizer

SHOWN = ["current_standings", "round", "results"]


def project(db: Path, *options: str) -> ET.Element:
    """What the command writes beside a file."""
    file = db.with_suffix(".sqbpro")
    said = keizer("export", db, file, "--force", *options).stdout
    assert said == f"{file} has been written.\n"
    return ET.fromstring(file.read_text(encoding="utf-8"))


def shown(root: ET.Element) -> list[str]:
    """The tables of Browse Data, the first in front: by the lengths of schema and name."""
    places = [(found, "name") for found in root.findall("tab_browse/current_table")]
    places += [(found, "table") for found in root.findall("tab_browse/table")]
    names = []
    for found, attribute in places:
        lengths, _, text = found.attrib[attribute].partition(":")
        schema, name = map(int, lengths.split(","))
        assert text[:schema] == "main" and len(text) == schema + name
        names.append(text[schema:])
    return names


def settings(root: ET.Element, kind: str) -> dict[tuple[str, int], str]:
    """What a table is shown with, by name and number of the column, from 1."""
    return {
        (table.attrib["name"], int(column.attrib["index"])): column.attrib["value"]
        for table in root.findall("tab_browse/browse_table_settings/table")
        for column in table.findall(f"{kind}/column")
    }


def queries(root: ET.Element) -> dict[str, str]:
    return {
        found.attrib["name"]: found.text or "" for found in root.findall("tab_sql/sql")
    }


def test_the_standings_are_in_front_and_the_database_is_beside_it(sample: Path) -> None:
    root = project(sample)
    assert root.tag == "sqlb_project"
    assert root.find("db").attrib["path"] == "sample.db"  # type: ignore[union-attr]
    assert root.find("window/main_tabs").attrib["current"] == "1"  # type: ignore[union-attr]
    assert shown(root) == SHOWN
    # The attribute of DB Browser's own files: 3.12.2 crashes where one names hidden columns.
    assert not root.findall(".//hidden_columns")


def test_what_it_names_is_there(sample: Path) -> None:
    """Tables and views, and the columns that show names for numbers."""
    root = project(sample)
    tables = root.findall("tab_browse/browse_table_settings/table")
    assert [table.attrib["name"] for table in tables] == SHOWN
    with closing(sqlite3.connect(sample)) as conn:
        there = {name for (name,) in conn.execute("SELECT name FROM sqlite_master")}
        assert there.issuperset(SHOWN)
        columns = [row[1] for row in conn.execute("PRAGMA table_xinfo(round)")]
        found = settings(root, "display_formats")
        assert {columns[number - 1] for _, number in found} == {"white", "black"}
        for (table, _), value in found.items():
            names = conn.execute(f"SELECT {value} FROM {table}").fetchall()
            assert len(names) == 10 and ("Harrison",) in names


def test_its_queries_explain_the_leader_and_show_the_last_round(sample: Path) -> None:
    found = queries(project(sample))
    with closing(sqlite3.connect(sample)) as conn:
        assert [row[-2] for row in conn.execute(found["Explanation"])] == [
            49.0,
            42.0,
            50.0,
        ]
        assert conn.execute(found["Pairings"]).fetchone() == (
            1,
            "Harrison",
            "Johnson",
            "1-0",
        )
        assert conn.execute(found["Problems"]).fetchall() == []


def test_of_several_tournaments_one_is_shown(sample: Path) -> None:
    """A name with an apostrophe is one; a file with one tournament needs no filter."""
    assert not settings(project(sample), "filter_values")
    keizer("init", sample, "--name", "Blitz")
    assert "= 'NAME'" in queries(project(sample, "-t", "Blitz"))["Explanation"]
    keizer("add", sample, "Sean O'Brien", "-t", "Blitz")
    root = project(sample, "-t", "Blitz")
    assert settings(root, "filter_values") == dict.fromkeys(
        [("current_standings", 1), ("round", 2), ("results", 1)], "=2"
    )
    with closing(sqlite3.connect(sample)) as conn:
        explained = conn.execute(queries(root)["Explanation"]).fetchall()
        assert [row[1] for row in explained] == ["own value"]


def test_it_finds_the_season_from_another_folder(
    sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever name was typed; on standard output, from the folder one is in."""
    other = sample.parent / "projects"
    other.mkdir()
    monkeypatch.chdir(other)
    keizer("export", "../sample.db", "club.sqbpro")
    written = Path("club.sqbpro").read_text(encoding="utf-8")
    assert '<db path="../sample.db"' in written
    assert keizer("export", sample, "-", "--sqbpro").stdout == written


def test_a_name_is_text_in_xml_too(sample: Path) -> None:
    edit(sample, "UPDATE player SET name = 'Bell & <Sons>' WHERE name = 'Harrison'")
    assert "= 'Bell & <Sons>'" in queries(project(sample))["Explanation"]


def test_the_project_of_the_worked_example_is_what_the_command_writes(
    tmp_path: Path,
) -> None:
    """In its place: keizer export sample.db docs/clients/sample.sqbpro --force."""
    shipped = ROOT / "docs/clients/sample.sqbpro"
    found = shipped.read_text(encoding="utf-8")
    assert '<db path="../../sample.db"' in found
    db = Path(shutil.copy(sample_db(), tmp_path / "sample.db"))
    folder = tmp_path / "docs/clients"
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(db)) as conn:
        assert (
            sqbpro.export(Tournament(conn, 1), season=str(db), folder=folder) == found
        )
