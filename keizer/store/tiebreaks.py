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
"""The rules that may need triggers on demand, which a file may not have yet."""


def spell(typed: str) -> str:
    """Return a typed list of tie-breaks in the form that rule `tiebreaks` has.

    "Score, BH/C1, RTNG: asc" becomes "score,bh-c1,rating:asc". FIDE's own names, such
    as RTNG, are replaced by those that a file has. Unknown names stay.
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

    Call this only after a refusal: if no name is wrong, a direction must be.
    listed: the list as `spell` returns it, such as "score,bh-c1,rating:asc".
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


def create_all_triggers(conn: sqlite3.Connection) -> None:
    """Create every trigger that any value of a rule could need.

    Then any rule can be set by a plain UPDATE. In a season file these triggers are "on
    demand": it has each of them only while a rule needs it.
    """
    for _, create_trigger in sql.run(conn, "absent_triggers").fetchall():
        conn.execute(create_trigger)


def update_triggers(conn: sqlite3.Connection) -> None:
    """Create the triggers that the current rules need, and drop those not needed.

    This concerns only the triggers "on demand": those for tie-breaks that are computed
    from games, and two for rule `recalculation`. Used or not, each of them costs every
    edit of a result up to a millisecond.
    Call this while the tournaments with these rules are suspended, so that nothing is
    computed meanwhile.
    """
    rows = sql.run(conn, "present_triggers").fetchall()
    present_names = [name for (name,) in rows]
    # The CREATE TRIGGER statements by name, in the order of the names.
    needed_triggers = dict(sql.run(conn, "needed_triggers").fetchall())
    # The order counts, too. Otherwise `undo` could leave the triggers in another order
    # than before, and a dump of the file would differ.
    if present_names == list(needed_triggers):
        return
    # To get that order, all are dropped and created again.
    for name in present_names:
        conn.execute(f"DROP TRIGGER {name}")
    for create_trigger in needed_triggers.values():
        conn.execute(create_trigger)


@contextmanager
def exchanging_triggers(
    conn: sqlite3.Connection, tournament: int, rule: str
) -> Iterator[None]:
    """Suspend a tournament while the caller sets a rule, and then compute it again.

    Suspended means that the file computes no rankings for the tournament. Meanwhile
    the triggers that the new value needs are created, and those that no rule needs any
    more are dropped. For a rule that never needs such triggers this does nothing: the
    file computes the rankings again as soon as the rule is set.
    tournament: its id. rule: the name of the rule, such as "tiebreaks".
    """
    if rule not in RULES_WITH_TRIGGERS:
        yield
        return
    # This suspends no tournament that is finished. The file refuses to change the rules
    # of a finished tournament, but it would not refuse it for a suspended one.
    was_on = sql.run(conn, "suspend_running", tournament=tournament).rowcount > 0
    yield
    update_triggers(conn)
    if was_on:
        # A trigger of the file, revaluation_switched_on, now computes the rankings.
        conn.execute(
            "UPDATE tournament SET revaluation = 'on' WHERE id = ?", (tournament,)
        )
