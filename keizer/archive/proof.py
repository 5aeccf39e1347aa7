"""Whether an archive is as it was made."""

import sqlite3

from keizer.archive.layout import layout
from keizer.store import refresh
from keizer.store.connection import SPAN

_PEOPLE = """
SELECT 'player ' || due.player_id || ' is not counted for the person they are'
FROM _person AS due
LEFT JOIN person AS p ON p.player_id = due.player_id
WHERE p.person IS NOT due.person
UNION ALL
SELECT 'what is said of person ' || person || ' does not follow from the files'
FROM (SELECT * FROM people EXCEPT SELECT * FROM _people)
"""


def problems(conn: sqlite3.Connection) -> list[str]:
    """What is wrong with an archive whose pages are whole, a sentence each; none when sound.

    What is computed in it was proven in the club's file, and cannot be computed again.
    """
    changed = refresh.differences(conn, layout().made)
    if changed:
        return changed
    found = [
        f"row {row[1]} of table {row[0]} refers to nothing in {row[2]}"
        for row in conn.execute("PRAGMA foreign_key_check")
    ]
    for table in layout().tables:
        strange = conn.execute(
            f"SELECT DISTINCT {table.span} / {SPAN} FROM {table.name}"
            f" WHERE {table.span} / {SPAN} NOT IN (SELECT id FROM archived)"
        )
        found += [
            f"table {table.name} has rows of file {number}, which is none" for (number,) in strange
        ]
    return found + [row[0] for row in conn.execute(_PEOPLE)]
