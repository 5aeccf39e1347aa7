"""The order of a table, rules.tiebreaks: typed by people, and computed by the file.

The meaning of each tie-break is in its view. Table tiebreak has their names. If a rule
names a tie-break that is computed from games, the file has a trigger for it. It has
others for rule recalculation if lists are to settle: see view on_demand.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from keizer.messages import Message, say
from keizer.store import sql

_OTHER_NAMES = {"win": "wins", "ge": "rep", "rtng": "rating", "tpn": "start"}
"""Names of FIDE, and those of the file."""

RULES_WITH_TRIGGERS = {"tiebreaks", "recalculation"}
"""The rules that can ask for triggers which a file does not have (view on_demand)."""


def spell(typed: str) -> str:
    """Return a list of tie-breaks as the file has it; FIDE writes BH/C1, WIN and GE."""
    items = []
    for item in typed.casefold().split(","):
        without_blanks = "".join(item.split())
        name, colon, direction = without_blanks.partition(":")
        name = name.replace("/", "-")
        name = _OTHER_NAMES.get(name, name)
        items.append(name + colon + direction)
    return ",".join(items)


def explain_refusal(conn: sqlite3.Connection, listed: str) -> Message:
    """Return what is wrong with a list of tie-breaks that the file refused."""
    rows = conn.execute("SELECT name FROM tiebreak ORDER BY name")
    known = [name for (name,) in rows]
    names = [item.partition(":")[0] for item in listed.split(",")]
    if "" in names:
        return say("a name is missing: write the list as in score,de,sb,wins.")
    for name in names:
        if name not in known:
            return say(
                "there is no tie-break “{name}”: there are {known}.",
                name=name,
                known=known,
            )
    for name in names:
        if names.count(name) > 1:
            return say("“{name}” is in the list twice.", name=name)
    return say(
        "a direction is asc (the lower number is ahead) or desc, as in rating:asc."
    )


def compute_all(conn: sqlite3.Connection) -> None:
    """Let the file compute whatever a rule may ask for, so that any can be set."""
    for _, trigger in sql.run(conn, "absent").fetchall():
        conn.execute(trigger)


def compute_needed(conn: sqlite3.Connection) -> None:
    """Let the file compute what its rules ask for, and nothing else.

    Call it while the tournaments with these rules are suspended. Each trigger costs
    every edit of a result up to a millisecond, used or not.
    """
    rows = sql.run(conn, "present").fetchall()
    present = [name for (name,) in rows]
    needed = dict(sql.run(conn, "asked_for").fetchall())
    # They have to stand in one order, or undo would change the dump.
    if present == list(needed):
        return
    for name in present:
        conn.execute(f"DROP TRIGGER {name}")
    for trigger in needed.values():
        conn.execute(trigger)


@contextmanager
def revaluing(conn: sqlite3.Connection, tournament: int, rule: str) -> Iterator[None]:
    """Let the caller set a rule, and revalue the tournament once by all its triggers.

    The rules of a finished tournament stay, and the file says so.
    """
    if rule not in RULES_WITH_TRIGGERS:
        yield
        return
    suspended = sql.run(conn, "suspend", tournament=tournament).rowcount
    yield
    compute_needed(conn)
    if suspended:
        conn.execute(
            "UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,)
        )
