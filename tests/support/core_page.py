"""Files of views/core.sql, the Keizer system on one page."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.files import ROOT

PAGE = (ROOT / "views/core.sql").read_text(encoding="utf-8")
REVALUE = "INSERT INTO revalue SELECT * FROM revalue"
TYPED = f"""
INSERT INTO tournament VALUES (1, 'Winter', NULL);
INSERT INTO player VALUES (1, 'Anna', 'A', 1900), (2, 'Boris', NULL, 1800),
  (3, 'Clara', NULL, NULL), (4, 'Daan', NULL, 1800);
INSERT INTO x_player_tournament SELECT id, 1, 0, NULL FROM player;
INSERT INTO round VALUES (1, 1, 1, 2, '0-1', '2026-01-09 20:00:00'),
  (1, 1, 3, 4, '½-½', NULL), (2, 1, 2, 3, '+-', NULL);
INSERT INTO unplayed VALUES (1, 2, 1, 'excused'), (1, 2, 4, 'bye');
{REVALUE};
"""
"""A season of which the scores are worked out by hand. The values are 4 to 1.

Round 1: Boris 3 + 4, Anna 4, Daan 2 + 1/2, Clara 1 + 1. Round 2, at 4, 3, 2, 1:
Boris 4 + 3 + 1, Anna 3 + 1, Daan 2 + 1/2 + 4/3, Clara 1 + 1.
"""


def page(path: Path, *changes: str, text: str = PAGE) -> Path:
    """Write a file of the page with the season above, and then these changes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.executescript(text + TYPED + "".join(f"{change};" for change in changes))
    return path
