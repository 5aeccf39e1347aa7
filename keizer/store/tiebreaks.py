"""The order of a table, rules.tiebreaks: what people type, and what the file then computes.

What each tie-break means is in its view; table tiebreak has their names. Other rules that
ask for triggers of their own are seen to here as well.
"""

import sqlite3

_OTHER_NAMES = {"win": "wins", "ge": "rep", "rtng": "rating", "tpn": "start"}

ASKING = {"tiebreaks", "recalculation", "own_value_at"}
"""The rules that can ask for triggers which a file does not have (view rule_trigger)."""


def spelled(typed: str) -> str:
    """A list as the file has it; FIDE writes BH/C1, WIN and GE."""
    listed = []
    for item in typed.casefold().split(","):
        name, colon, direction = "".join(item.split()).partition(":")
        name = name.replace("/", "-")
        listed.append(_OTHER_NAMES.get(name, name) + colon + direction)
    return ",".join(listed)


def wrong(conn: sqlite3.Connection, listed: str) -> str:
    """What is wrong with a list that the file refused, a sentence."""
    known = [name for (name,) in conn.execute("SELECT name FROM tiebreak ORDER BY name")]
    names = [item.partition(":")[0] for item in listed.split(",")]
    if "" in names:
        return "a name is missing: write the list as in score,de,sb,wins."
    for name in names:
        if name not in known:
            return f"there is no tie-break “{name}”: there are {', '.join(known)}."
    for name in names:
        if names.count(name) > 1:
            return f"“{name}” is in the list twice."
    return "a direction is asc (the lower number is ahead) or desc, as in rating:asc."


def compute_all(conn: sqlite3.Connection) -> None:
    """Let the file compute whatever a rule may ask for, so that any can be set."""
    absent = conn.execute("SELECT sql FROM rule_trigger WHERE NOT present ORDER BY number")
    for (trigger,) in absent.fetchall():
        conn.execute(trigger)


def compute_needed(conn: sqlite3.Connection) -> None:
    """Let the file compute what its rules ask for, and nothing else.

    Each such trigger costs every edit of a result up to a millisecond, used or not.
    They stand in one order, in which they run, or undo would change the dump.
    """
    idle = conn.execute("SELECT name FROM rule_trigger WHERE present AND NOT needed")
    for (trigger,) in idle.fetchall():
        conn.execute(f"DROP TRIGGER {trigger}")
    kept = conn.execute(
        "SELECT g.number, g.name, g.sql FROM rule_trigger AS g"
        " JOIN sqlite_master AS m ON m.type = 'trigger' AND m.name = g.name ORDER BY m.rowid"
    )
    found = [tuple(row) for row in kept.fetchall()]
    if found != sorted(found):
        for _, name, _ in found:
            conn.execute(f"DROP TRIGGER {name}")
        for _, _, trigger in sorted(found):
            conn.execute(trigger)
