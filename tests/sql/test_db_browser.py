"""DB Browser for SQLite: it reads every table, edits as other clients do, and opens a project."""

from pathlib import Path
from xml.etree import ElementTree as ET

from tests.support.db_browser import DBBrowser
from tests.support.files import edit, rows
from tests.support.files import run_keizer as keizer


def test_it_reads_every_table(db_browser: DBBrowser, sample: Path) -> None:
    assert db_browser.unread(sample) == set()


def test_what_it_cannot_read_is_seen_here(db_browser: DBBrowser, sample: Path) -> None:
    """Or the claim above would be empty."""
    edit(sample, "CREATE TABLE hall (seats TEXT CHECK (replace(seats, '1', '') <> ''))")
    assert "hall" in db_browser.unread(sample)


def test_a_result_is_corrected_and_an_impossible_one_refused(
    db_browser: DBBrowser, sample: Path
) -> None:
    result = "UPDATE round SET result = '{}' WHERE round_number = 1 AND board = 1"
    said = db_browser.prints(sample, [result.format("0:1"), result.format("2-0")])
    assert said[-2] == "ok"
    assert said[-1].startswith("refused: unknown result: use 1-0, 0-1, ½-½")
    leaders = "SELECT name, score FROM current_standings ORDER BY rank LIMIT 2"
    assert rows(sample, leaders) == [("Petersen", 137), ("Brown", 136)]


def test_its_project_opens_on_the_standings(
    db_browser: DBBrowser, sample: Path
) -> None:
    """What DB Browser saves again has all that we wrote."""
    file = sample.with_suffix(".sqbpro")
    keizer("export", sample, file)
    ours = ET.fromstring(file.read_text(encoding="utf-8"))
    its = ET.fromstring(db_browser.saved(file))
    assert its.find("db").attrib["path"] == str(sample)  # type: ignore[union-attr]
    for there in ("tab_browse/current_table", "window/main_tabs", "tab_sql/sql"):
        found, wanted = (
            [(item.attrib, item.text or "") for item in root.findall(there)]
            for root in (its, ours)
        )
        assert found and found == wanted
    names = (
        "tab_browse/browse_table_settings/table[@name='round']/display_formats/column"
    )
    assert len(ours.findall(names)) == 2
    assert [item.attrib for item in its.findall(names)] == [
        item.attrib for item in ours.findall(names)
    ]
