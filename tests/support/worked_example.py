"""The worked example of Sevilla's Keizer page: its figures, and its season.

The scores are copied from the page, and CORRECTED is worked out by hand.
"""

import sqlite3

from tests.support.files import sample_db

# name: score, in the published order; values run 50, 49, ... from the top.
ROUND_1 = {
    "Johnson": 99, "Harrison": 91, "Brown": 83, "Baker": 71.5, "Butcher": 71,
    "Smith": 65.5, "Higgins": 65, "Petersen": 49, "Carter": 46, "White": 42,
}  # fmt: skip


ROUND_2 = {
    "Harrison": 141, "Brown": 136, "Johnson": 93, "Butcher": 92, "Smith": 90,
    "Petersen": 87, "Baker": 70, "Higgins": 66.5, "Carter": 62.5, "White": 62,
}  # fmt: skip


TABLE = (
    "SELECT rank, name, value, score FROM standings"
    " WHERE round_number = {} ORDER BY rank"
)


def published(table: dict[str, float]) -> list[tuple[int, str, float, float]]:
    """Return a published table as rows of TABLE."""
    ranked = enumerate(table.items(), 1)
    return [(rank, name, 51 - rank, score) for rank, (name, score) in ranked]


def facts() -> str:
    """Return the facts of sample.db as plain INSERTs, as any client could send them."""
    conn = sqlite3.connect(sample_db())
    statements = ["INSERT INTO tournament (description) VALUES ('Worked example');"]
    statements.append("UPDATE rules SET top_value = 50;")
    statements += [
        f"INSERT INTO player (name, rating) VALUES ('{name}', {rating});"
        for name, rating in conn.execute("SELECT name, rating FROM player ORDER BY id")
    ]
    statements.append(
        "INSERT INTO x_player_tournament (player_id, tournament_id)"
        " SELECT id, 1 FROM player;"
    )
    for row in conn.execute(
        "SELECT round_number, white, black, result FROM round ORDER BY rowid"
    ):
        statements.append(
            "INSERT INTO round (tournament_id, round_number, white, black, result)"
            " VALUES (1, {}, {}, {}, '{}');".format(*row)
        )
    conn.close()
    return "\n".join(statements)


# By hand, had Petersen beaten Johnson: 50 as own value, 43 for Johnson and 44 for
# Higgins; Brown 48 + 41 + 47, Harrison 49 + 42 + 43, Butcher 46 and two draws, 23.5
# and 22.5.
CORRECTED = [("Petersen", 137), ("Brown", 136), ("Harrison", 134), ("Butcher", 92)]
