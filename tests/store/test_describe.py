"""What the file says of itself, for people and for Datasette."""

import asyncio
import html
import json
import re
import sqlite3
from pathlib import Path

import pytest

from keizer.store import describe
from tests.support.files import ROOT, needs, rows
from tests.support.files import run_keizer as keizer


def test_a_comment_belongs_to_the_columns_below_it(conn: sqlite3.Connection) -> None:
    """Comments of any length, for one column or for those of a line; none for the rest."""
    conn.executescript("""CREATE TABLE hall (
  -- A row per hall,
  -- with (or without) chairs.

  -- Its number.
  id INTEGER PRIMARY KEY,
  -- Seats and tables,
  -- counted in May.
  seats INTEGER, tables,
  name TEXT -- not a line of its own
    CHECK (name <> ''), -- nor this
  CONSTRAINT enough CHECK (seats > tables)
);
ALTER TABLE hall ADD COLUMN street TEXT;
CREATE VIEW big AS SELECT id FROM hall WHERE seats > 50;""")
    said = {"id": "Its number.", "seats": "Seats and tables, counted in May."}
    about = "A row per hall, with (or without) chairs."
    columns = said | dict.fromkeys(("tables", "name", "street"), "")
    assert describe.find(conn, "hall") == describe.Description(
        "hall", "table", about, columns
    )
    assert describe.find(conn, "big") == describe.Description(
        "big", "view", "", {"id": ""}
    )


def test_everything_for_people_is_listed(sample: Path) -> None:
    """Tables as in schema.sql, and each view that is not private."""
    schema = (ROOT / "schema.sql").read_text(encoding="utf-8")
    found = json.loads(keizer("describe", sample, "--json").stdout)
    assert [item["name"] for item in found if item["kind"] == "table"] == sorted(
        re.findall(r"^CREATE TABLE (\w+)", schema, re.MULTILINE)
    )
    views = "".join(
        path.read_text("utf-8") for path in (ROOT / "views").glob("*/*.sql")
    )
    assert [item["name"] for item in found if item["kind"] == "view"] == sorted(
        re.findall(r"^CREATE VIEW ((?!z_)\w+)", views, re.MULTILINE)
    )
    listed = keizer("describe", sample).stdout
    assert "round                A row per game: one board of one round.\n" in listed
    assert "z_line" not in listed


def test_one_is_described_column_by_column(sample: Path) -> None:
    shown = keizer("describe", sample, "Current-Standings").stdout
    assert shown.startswith(
        "View current_standings\n"
        "  A row per player: the standings after the current round\n"
        "  (tournament.current_round: the last in which a game has a result, or which has\n"
        "  no games); the start order before the first.\n\n"
        "tournament_id  tournament.id.\n"
    )
    assert (
        "\nvalue          What a win over this player is worth in the next round, in\n"
        in shown
    )


@pytest.mark.clients
def test_datasette_shows_what_columns_mean(sample: Path) -> None:
    """The real server, on the file as it is: descriptions, names for numbers, no private view."""
    datasette = needs("datasette.app")
    metadata = json.loads(keizer("describe", sample, "--datasette").stdout)
    server = datasette.Datasette([], immutables=[str(sample)], metadata=metadata)

    async def get(*paths: str) -> list[str]:
        found = [await server.client.get(path) for path in paths]
        assert [page.status_code for page in found] == [200] * len(paths)
        return [html.unescape(page.text) for page in found]

    found = json.loads(keizer("describe", sample, "--json").stdout)
    names = [item["name"] for item in found if item["kind"] == "table"]
    read = (
        "standings",
        "round",
        "x_player_tournament",
        "current_standings.json?_shape=array",
    )
    tables = (f"{name}?_nosuggest=1&_nocount=1" for name in names)
    home, standings, games, entries, table, *_ = asyncio.run(
        get("/sample", *(f"/sample/{name}" for name in (*read, *tables)))
    )
    assert 'href="/sample/current_standings"' in home and "/sample/_" not in home
    assert "<dt>score</dt><dd>Keizer total.</dd>" in standings
    value = "What a win over this player is worth in the next round."
    assert f"<dt>value</dt><dd>{value}</dd>" in standings
    assert "A row per player and round: the standings after that round" in standings
    assert re.search(r'<a href="/sample/player/6">Harrison</a>', games)
    assert re.search(r'<a href="/sample/tournament/1">Worked example</a>', entries)
    assert [tuple(row.values()) for row in json.loads(table)] == rows(
        sample, "SELECT * FROM current_standings"
    )


def test_the_metadata_is_of_the_file_as_it_is_served(sample: Path) -> None:
    """By its name without the suffix, as Datasette has it."""
    club = sample.rename(sample.with_name("club 2026.db"))
    metadata = json.loads(keizer("describe", club, "--datasette").stdout)
    assert list(metadata["databases"]) == ["club 2026"]
