"""Where a late entry joins the list."""

import sqlite3

import pytest


def season(conn: sqlite3.Connection, newcomers: str) -> None:
    """The list after round 1 is C 1800, D 1700, A 2000, B 1900 and X without a rating."""
    conn.executescript(
        "INSERT INTO tournament (description) VALUES ('Club');"
        f"UPDATE rules SET newcomers = '{newcomers}';"
        "INSERT INTO player (id, name, rating) VALUES (1, 'A', 2000), (2, 'B', 1900),"
        " (3, 'C', 1800), (4, 'D', 1700), (5, 'X', NULL);"
        "INSERT INTO x_player_tournament (tournament_id, player_id) SELECT 1, id FROM player;"
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, 1, 1, 3, '0-1'), (1, 1, 2, 4, '0-1');"
    )
    assert order(conn) == "CDABX"


def order(conn: sqlite3.Connection) -> str:
    """The names in the list after round 1."""
    return "".join(
        name
        for (name,) in conn.execute(
            "SELECT name FROM ranking_list JOIN player ON player.id = player_id"
            " WHERE round_number = 1 ORDER BY rank"
        )
    )


CASES = """
rating | E 1850         | CDABEX  | behind the last who has the same rating or a higher one
rating | E 1900         | CDABEX  | the same rating
rating | E 1800         | CDABEX  | though C, who has it too, is the first of the list
rating | E 1950         | CDAEBX  | B, with less, stays behind
rating | E 2100         | ECDABX  | nobody has as much: first of all
rating | E 1650         | CDABEX  | also above who has none
rating | E              | CDABXE  | without a rating, last
rating | E 1850 F 1870  | CDABFEX | at the same spot in the start order
rating | E 2100 F 1950  | ECDAFBX | each beside those listed, not beside each other
rating | E 2100 F 2200  | FECDABX | likewise at the top
rating | E F 1650       | CDABFXE | whoever has a rating first
last   | E 1850 F 1870  | CDABXFE | at the end in the start order
last   | E @2           | CEDABX  | at the place of the start rank
last   | E @2 F @3      | CEFDABX | each at their place in the new list
last   | E @3 F @2      | CFEDABX | whatever their numbers
last   | E @2 F @2      | CEFDABX | the next place, if that is taken
last   | E @2 F @2 G @3 | CEFGDABX | and so on
last   | E @1 F @4      | ECDFABX | with others between them
last   | E @9           | CDABXE  | the end of the list, if it is shorter
last   | E @9 F @12     | CDABXEF | likewise two
last   | E @6 F @7      | CDABXEF | the two last places
last   | E @7 F @2      | CFDABXE | the last place of seven
last   | E @2 F 2300    | CEDABXF | others fill what is left
rating | E @2 F 2300    | FECDABX | who joins by rating is there first
rating | E 1950 @5 F 1950 | CDAFEBX | a rating does not count beside a start rank
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_a_late_entry_joins_where_the_rules_say(conn: sqlite3.Connection, case: str) -> None:
    newcomers, entries, due, _ = (part.strip() for part in case.split("|"))
    season(conn, newcomers)
    found: list[tuple[str, str | None, str | None]] = []
    for word in entries.split():
        if word.isalpha():
            found.append((word, None, None))
        else:
            name, rating, start_rank = found[-1]
            at = word.startswith("@")
            found[-1] = (name, rating, word[1:]) if at else (name, word, start_rank)
    for player, (name, rating, start_rank) in enumerate(found, 6):
        conn.execute("INSERT INTO player VALUES (?, ?, NULL, ?" + ", NULL" * 6 + ")",
            (player, name, rating))  # fmt: skip
        conn.execute(
            "INSERT INTO x_player_tournament (tournament_id, player_id, first_round, start_rank)"
            " VALUES (1, ?, 2, ?)",
            (player, start_rank),
        )
    assert order(conn) == due
