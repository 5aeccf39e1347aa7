"""A project for DB Browser for SQLite: what it shows of a season, and queries to begin with.

Read and written by DB Browser from 3.12 on (MainWindow::loadProject there). Elements
that 3.12 does not know, such as the further tabs of 3.13, come behind those that it does.
No column is hidden: 3.12.2 crashes when it opens a project with hidden columns.
"""

import os
import sqlite3
import tomllib
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from keizer.season.queries import Tournament
from keizer.texts import visible

_SHOWN = ("current_standings", "round", "results")
"""What Browse Data shows; the first in front."""

_NAMES = {"round": ("white", "black")}
"""Columns of player.id that show the player's name."""

_QUERIES: dict[str, str] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


def export(tournament: Tournament, *, season: str, folder: Path) -> str:
    """The project as XML, for a file in that folder.

    season: the path of the season file, which the project has relative to the folder.
    """
    root = Element("sqlb_project")
    SubElement(root, "db", path=_relative(season, folder), readonly="0", foreign_keys="1")
    window = SubElement(root, "window")
    SubElement(window, "main_tabs", open="structure browser pragmas query", current="1")
    browse = SubElement(root, "tab_browse")
    SubElement(browse, "current_table", name=_identifier(_SHOWN[0]))
    settings = SubElement(browse, "browse_table_settings")
    alone = tournament.scalar("SELECT count(*) FROM tournament") == 1
    for name in _SHOWN:
        _table(settings, tournament.conn, name, tournament.id, alone=alone)
    for name in _SHOWN[1:]:
        SubElement(browse, "table", title=name, custom_title="0", table=_identifier(name))
    sql = SubElement(root, "tab_sql")
    for title, query in _QUERIES.items():
        known = query.format(tournament=tournament.id, name=_somebody(tournament))
        SubElement(sql, "sql", name=title).text = known
    SubElement(sql, "current_tab", id="0")
    indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _relative(season: str, folder: Path) -> str:
    try:
        return Path(os.path.relpath(Path(season).resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive of Windows
        return Path(season).resolve().as_posix()


def _identifier(name: str) -> str:
    """A table as DB Browser names it: the lengths of schema and name, then both."""
    return f"4,{len(name)}:main{name}"


def _table(
    settings: Element, conn: sqlite3.Connection, name: str, tournament: int, *, alone: bool
) -> None:
    """How a table or view is shown: the rows of this tournament, where it is not alone."""
    columns = "SELECT name FROM pragma_table_xinfo(?) ORDER BY cid"
    there = [found for (found,) in conn.execute(columns, (name,))]
    table = SubElement(settings, "table", schema="main", name=name, show_row_id="0")
    filters = {} if alone else {"tournament_id": f"={tournament}"}
    names = {by: f"(SELECT name FROM player WHERE id = {by})" for by in _NAMES.get(name, ())}
    for kind, values in {"filter_values": filters, "display_formats": names}.items():
        if values:
            of_columns = SubElement(table, kind)
            for of, value in values.items():
                index = str(there.index(of) + 1)
                SubElement(of_columns, "column", index=index, value=value)


def _somebody(tournament: Tournament) -> str:
    """The player at the top of the standings, for SQL; any word where nobody plays."""
    leader = "SELECT name FROM current_standings WHERE tournament_id = ? AND rank = 1"
    return visible(str(tournament.scalar(leader, tournament.id) or "NAME")).replace("'", "''")
