"""The order of a table, rules.tiebreaks: what people type, and what the file then computes.

What each tie-break means is in its view; table tiebreak has their names. One that is computed
from games has a trigger in the file where a rule names it, and so has rule recalculation where
lists are to settle: view on_demand.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from keizer.messages import Message, say
from keizer.store import sql

_OTHER_NAMES = {"win": "wins", "ge": "rep", "rtng": "rating", "tpn": "start"}

ASKING = {"tiebreaks", "recalculation"}
"""The rules that can ask for triggers which a file does not have (view on_demand)."""


def spelled(typed: str) -> str:
    """A list as the file has it; FIDE writes BH/C1, WIN and GE."""
    listed = []
    for item in typed.casefold().split(","):
        name, colon, direction = "".join(item.split()).partition(":")
        name = name.replace("/", "-")
        listed.append(_OTHER_NAMES.get(name, name) + colon + direction)
    return ",".join(listed)


def wrong(conn: sqlite3.Connection, listed: str) -> Message:
    """What is wrong with a list that the file refused."""
    known = [
        name for (name,) in conn.execute("SELECT name FROM tiebreak ORDER BY name")
    ]
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

    Call it while the tournaments with these rules are suspended. Each trigger costs every edit
    of a result up to a millisecond, used or not.
    They stand in one order, or undo would change the dump.
    """
    present = [name for (name,) in sql.run(conn, "present").fetchall()]
    needed = dict(sql.run(conn, "asked_for").fetchall())
    if present == [*needed]:
        return
    for name in present:
        conn.execute(f"DROP TRIGGER {name}")
    for trigger in needed.values():
        conn.execute(trigger)


@contextmanager
def asked_for(conn: sqlite3.Connection, tournament: int, rule: str) -> Iterator[None]:
    """Set a rule; where it may ask for triggers, with one revaluation by all of them.

    Of a finished tournament the rules stay, and the file says so.
    """
    if rule not in ASKING:
        yield
        return
    switched = sql.run(conn, "suspend", tournament=tournament).rowcount
    yield
    compute_needed(conn)
    if switched:
        conn.execute(
            "UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,)
        )
