"""The tie-breaks that order a table: rule `tiebreaks`, such as "score,bh-c1,rating".

Table tiebreak has the names of all tie-breaks. Each is defined by a view. If a rule
names a tie-break that is computed from games, the file needs a trigger for it. Rule
`recalculation` needs two others if lists are to settle. These triggers are "on demand":
a file has them only while a rule needs them. View on_demand has their SQL.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from keizer.messages import Message, say
from keizer.store import sql

_FILE_NAMES = {"win": "wins", "ge": "rep", "rtng": "rating", "tpn": "start"}
"""The names of tie-breaks in a file, by the names that FIDE gives them."""

RULES_WITH_TRIGGERS = {"tiebreaks", "recalculation"}
"""The rules that may need triggers which a file does not have yet."""


def spell(typed: str) -> str:
    """Return a typed list of tie-breaks as rule `tiebreaks` spells it.

    "Score, BH/C1, RTNG: asc", with names of FIDE, becomes "score,bh-c1,rating:asc".
    """
    spelled_items = []
    for item in typed.casefold().split(","):
        without_blanks = "".join(item.split())
        typed_name, colon, direction = without_blanks.partition(":")
        name = typed_name.replace("/", "-")
        name = _FILE_NAMES.get(name, name)
        spelled_items.append(name + colon + direction)
    return ",".join(spelled_items)


def explain_refusal(conn: sqlite3.Connection, listed: str) -> Message:
    """Return a message that says why the file refused a list of tie-breaks.

    listed: the list as `spell` returns it.
    """
    rows = conn.execute("SELECT name FROM tiebreak ORDER BY name")
    known = [name for (name,) in rows]
    names = [item.partition(":")[0] for item in listed.split(",")]
    if "" in names:
        return say("a name is missing: write the list as in score,de,sb,wins.")
    for name in names:
        if name not in known:
            return say(
                "there is no tie-break “{name}”; choose from {known}.",
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
    """Create all triggers on demand, so that the file can compute every tie-break.

    Then any rule can be set by a plain UPDATE.
    """
    for _, create_trigger in sql.run(conn, "absent_triggers").fetchall():
        conn.execute(create_trigger)


def compute_needed(conn: sqlite3.Connection) -> None:
    """Create the triggers on demand that some rule needs, and drop all others.

    Each trigger costs every edit of a result up to a millisecond, used or not. Call
    this while the tournaments with these rules are suspended.
    """
    rows = sql.run(conn, "present_triggers").fetchall()
    present = [name for (name,) in rows]
    needed = dict(sql.run(conn, "needed_triggers").fetchall())  # statement by name
    if present == list(needed):
        return
    # All are made again in the order of their names. Otherwise `undo` could leave them
    # in another order than before, and a dump of the file would differ.
    for name in present:
        conn.execute(f"DROP TRIGGER {name}")
    for create_trigger in needed.values():
        conn.execute(create_trigger)


@contextmanager
def revaluing(conn: sqlite3.Connection, tournament: int, rule: str) -> Iterator[None]:
    """Suspend a tournament while the caller sets a rule, and revalue it afterwards.

    A rule that needs no triggers on demand suspends nothing: the file revalues the
    tournament as soon as that rule is set.
    """
    if rule not in RULES_WITH_TRIGGERS:
        yield
        return
    # A finished tournament is not suspended: only while its revaluation is on does the
    # file refuse to change its rules.
    was_on = sql.run(conn, "suspend_running", tournament=tournament).rowcount > 0
    yield
    compute_needed(conn)
    if was_on:
        # By its trigger revaluation_switched_on the file now computes the lists again.
        conn.execute(
            "UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,)
        )
