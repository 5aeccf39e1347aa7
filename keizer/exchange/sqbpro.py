"""A project for DB Browser for SQLite: what it shows of a season, and queries to begin with.

Read and written by DB Browser from 3.12 on (MainWindow::loadProject there). Elements that 3.12
does not know, such as the further tabs of 3.13, come behind those that it does (sqbpro.xml). A
table is named there by the lengths of schema and name, then both; columns count from 1.
No column is hidden: 3.12.2 crashes when it opens a project with hidden columns.
"""

import os
from pathlib import Path
from xml.sax.saxutils import escape

from keizer.season.queries import Tournament
from keizer.texts import visible

_FILTER = '<filter_values><column index="{}" value="={}" /></filter_values>'
"""Of a table: the rows of this tournament, where it is not alone."""


def export(tournament: Tournament, *, season: str, folder: Path) -> str:
    """The project as XML, for a file in that folder.

    season: the path of the season file, which the project has relative to the folder.
    """
    alone = tournament.scalar("SELECT count(*) FROM tournament") == 1
    filters = [
        "" if alone else _FILTER.format(column, tournament.id) for column in (1, 2)
    ]
    # At the top of the standings; any word where nobody plays.
    leader = "SELECT name FROM current_standings WHERE tournament_id = ? AND rank = 1"
    name = visible(str(tournament.scalar(leader, tournament.id) or "NAME")).replace(
        "'", "''"
    )
    path = escape(_relative(season, folder), {'"': "&quot;"})
    project = Path(__file__).with_suffix(".xml").read_text(encoding="utf-8")
    return project.format(
        path=path, filters=filters, tournament=tournament.id, name=escape(name)
    )


def _relative(season: str, folder: Path) -> str:
    try:
        return Path(
            os.path.relpath(Path(season).resolve(), folder.resolve())
        ).as_posix()
    except ValueError:  # another drive of Windows
        return Path(season).resolve().as_posix()
