"""The file's own memory: the log of every change."""

import re
import sqlite3
from pathlib import Path

import pytest

from keizer.store.log import history
from tests.support.console import Console
from tests.support.files import Client, Keizer, edit, past_the_guards
from tests.support.scenes import scenes

test_log = scenes("""
Its lines read well, and who is gone keeps their name.
  add Eva --rating 1500 && rules top_value=60
  DELETE FROM x_player_tournament WHERE player_id = 1
  DELETE FROM player WHERE id = 1
  log --last 9 --changes => entry of Eva: new, status active, rating 1500, first_round 1 ...
    rules: top_value 1.5(n-1) → 60 ... entry of Anna: gone, ... player Anna: gone,

Of several tournaments it says which.
  init --name Cup
  UPDATE rules SET step = 2 WHERE tournament_id = 2
  log --last 1 => Cup, rules: step 1 → 2

Undo that another program made impossible is refused.
  next-round && unpair
  DELETE FROM x_player_tournament WHERE player_id = 1
  DELETE FROM player WHERE id = 1
  ! undo => since “round 1 unpaired” another program changed rows that it depends on

Rows of others are in nobody's way.
  next-round && result 1 1-0
  INSERT INTO command (description) VALUES ('never ended')
  INSERT INTO log (command_id, fact, row, state)
    SELECT max(id), 'fee', 1, json_object('paid', 'yes') FROM command
  log --changes => table fee: new, paid yes
  result 2 1-0 && undo => Undone: results of round 1: board 2 1-0.

People are called as they were then: the id of who is deleted is free for the next.
  add Zoë && undo && add Eva
  log --last 3 --changes => entry of Zoë: ... entry of Zoë: ... entry of Eva:
  log --last 1 --changes => entry of Eva: new
""")


def test_an_edit_in_any_client_is_on_it(client: Client, night: Console) -> None:
    (before,) = night.rows("SELECT max(id) FROM log")
    statements = [
        "UPDATE round SET result = '0-1' WHERE board = 1",
        "DELETE FROM x_player_tournament WHERE player_id = 99",
        "INSERT INTO player (name) VALUES ('Eva')",
        "DELETE FROM player WHERE name = 'Eva'",
    ]
    assert client(night.db, statements) == ["ok"] * 4
    found = night.rows(
        f"SELECT command_id, fact, state FROM log WHERE id > {before[0]}"
    )
    assert [(step, fact) for step, fact, _ in found] == [
        (None, "round"), (None, "player"), (None, "player"),
    ]  # fmt: skip
    assert '"result":"0-1"' in found[0][2]
    assert found[1][2] == '{"name":"Eva"}' and found[2][2] is None


def test_it_has_as_many_lines_whatever_the_clock_says(night: Console) -> None:
    """Three nodes of rqlite write the same lines, each by its own clock."""
    edit(night.db, "UPDATE rules SET match_games = 3")
    lines = []
    for moment in ("'2020-01-01 20:00:00'", "CURRENT_TIMESTAMP"):
        edit(
            night.db,
            "UPDATE round SET result = NULL WHERE board = 1",
            "UPDATE round SET white_wins = 2 WHERE board = 1",
            f"UPDATE round SET last_updated = {moment} WHERE board = 1",
        )
        ((before,),) = night.rows("SELECT max(id) FROM log")
        edit(night.db, "UPDATE round SET result = '0-1' WHERE board = 1")
        lines += night.rows(f"SELECT count(*) FROM log WHERE id > {before}")
    assert lines[0] == lines[1]


def test_it_says_who_did_what(night: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "judit")
    night("result 2 1-0 --round 1")
    edit(night.db, "UPDATE round SET result = '0-1' WHERE board = 2")
    said = night("log --last 2").splitlines()
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  judit  results of round 1: board 2 1-0",
        said[0],
    )
    assert said[1].endswith("  another program")
    assert said[2] == "    game round 1, board 2, Daan, Clara: result 1-0 → 0-1"
    assert len(said) == 3
    told = night("log --last 2 --changes")
    assert "    game round 1, board 2, Daan, Clara: result ½-½ → 1-0\n" in told
    assert night("log --all").count("entered") == 4


@pytest.mark.parametrize(
    "columns",
    ["'round', 1, 'white=x', 'today'", "'nothing', 1, '?', '2026-01-01 00:00:00'"],
)
def test_a_line_that_makes_no_sense_is_shown_all_the_same(
    club: Path, keizer: Keizer, columns: str
) -> None:
    past_the_guards(
        club, f"INSERT INTO log (fact, row, state, changed_at) VALUES ({columns})"
    )
    assert "another program" in keizer("log", club, "--last", "1").stdout
    assert "by the log it is" in keizer("check", club, fails=True).stdout


@pytest.mark.parametrize(
    "value", ["O'Neil, x='1', y=NULL", "''", "=", ", name='", "ü — 棋", "1", "NULL"]
)
def test_a_state_reads_back_as_it_was(conn: sqlite3.Connection, value: str) -> None:
    conn.execute("INSERT INTO player (name, rating) VALUES (?, 1500)", (value,))
    (state,) = conn.execute("SELECT state FROM log WHERE fact = 'player'").fetchone()
    assert history.cells(state) == {"name": value, "rating": 1500}
