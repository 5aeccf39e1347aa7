"""`keizer undo` takes back the last command, exactly; test_any_undo tries them all."""

import json
import sqlite3

import pytest

from keizer import messages
from keizer.store.log import journal
from tests.support.console import Console
from tests.support.scenes import scenes

test_undo = scenes("""
With several tournaments it says which.
  next-round && init --name Youth && result 1 = -t Club
  undo --dry-run => Would undo: results of round 1: board 1 ½-½, in “Club”.
  undo => Undone: results of round 1
  undo => Undone: new tournament Youth.
  undo => Undone: pairing of round 1.

An edit in another program is not undone over: boards are as the pairing left them, or it stays.
  next-round
  UPDATE round SET result = '1-0' WHERE board = 1
  ! undo => another program changed
  ! undo --dry-run => another program changed

Skipped opponents come back, also where the pairing that is taken back says the same.
  next-round && result 1 = && result 2 0-1 && next-round
  remember
  next-round --again
  undo all
""")


@pytest.mark.parametrize(
    "step",
    [
        "result 1 =",
        "absent Daan --round 3",
        "rules name=Club",
        "rounds --date 5 2026-12-11",
    ],
)
def test_a_command_that_changed_nothing_is_the_one_undone(
    console: Console, step: str
) -> None:
    """Else the one before it would go, of which nobody was thinking."""
    console("rounds --date 5 2026-12-11 && next-round && result 1 = && result 2 0-1")
    console("absent Daan --round 3")
    before = console.rows("SELECT max(id) FROM log")
    console(step)
    assert console.rows("SELECT max(id) FROM log") == before
    assert console("undo --dry-run").endswith(", which had changed nothing.\n")
    assert console("undo").endswith(", which had changed nothing.\n")
    assert console.rows("SELECT max(id) FROM log") == before
    assert console("undo") == "Undone: Round 3, excused: Daan.\n"
    assert "sound" in console("check")


def test_imports_are_undone(example: Console) -> None:
    """sample.db itself: games, then players, then the rules."""
    assert example("undo") == "Undone: import of 10 games.\n"
    assert example("standings").startswith("Worked example, start order")
    assert example("undo") == "Undone: import of 10 players.\n"
    example("undo")
    assert "nothing to undo" in example.refused("undo")


def test_what_a_command_did_is_a_sentence_and_a_message(
    conn: sqlite3.Connection,
) -> None:
    """Whatever a name holds; without a message where it is given none."""
    journal.begin(conn)
    name, number = 'Zoë "\\" \u200b\t😀', [1, -2.5, None]
    other = messages.term("\ud800")
    one = messages.say(
        "{name} beat {other}: {number}", name=name, other=other, number=number
    )
    journal.describe(conn, one)
    query = "SELECT description, message FROM command"
    ((sentence, message),) = conn.execute(query).fetchall()
    assert sentence == 'Zoë "\\" \\u200b\\t😀 beat \\ud800: 1, -2.5, None'
    assert str(messages.from_data(json.loads(message))) == sentence
    journal.describe(conn, "results of round 1")
    assert [*map(tuple, conn.execute(query))] == [("results of round 1", None)]
    with pytest.raises(sqlite3.IntegrityError, match="message must be text"):
        conn.execute("UPDATE command SET message = x'00'")
