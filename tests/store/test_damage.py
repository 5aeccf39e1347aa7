"""Files that were damaged past their triggers: `keizer check` finds and names each of them.

And `keizer migrate` makes none of them look sound: it refuses, or puts the file right.
"""

import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from keizer.cli import main
from keizer.store import sql
from tests.support.console import Console
from tests.support.files import FINGERPRINT, Client, edit, past_the_guards, rows
from tests.support.files import run_keizer as keizer
from tests.support.scenes import play

# ------------------------------------------------------------ a season with some of everything


SEASON = """
init --name Club
import - < name,rating|Anna,2000|Boris,1900|Clara,1800|Daan,1700|Eva,1600|Frits,1500|Gina,1400|\
Hans,1300|Ilse,1200
UPDATE player SET category = 'A', fide_id = 1000 + id, national_id = 'N' || id WHERE id <= 5
UPDATE player SET category = 'B', federation = 'NED', sex = 'w', born = '1990-05-01' WHERE id > 5
UPDATE tournament SET arbiter = 'Otto', city = 'Delft', time_control = '90 min'
prohibit Anna Boris --name family && absent Ilse --by-default && present Ilse --round 2
next-round && publish-round && result - < 1 1-0|2 =|3 0-1|4 1-0
rules --for Hans excused=unexcused && absent Hans && correct Clara 5 --reason 'start points'
next-round && publish-round && result - < 1 0-1|2 1-0|3 1-0f|4 0-1
period 3 --name Spring && rules top_value=40 win.points=2 --yes && add Jan --rating 1450
next-round && publish-round && result - < 1 0-1|2 1-0|3 =|4 0-1
withdraw Daan && rules excused=0.25 --yes
next-round && publish-round && result - < 1 1-0|2 0-1|3 =|4 1-0
INSERT INTO reason (tournament_id, round_number, white, black, about, rule, amount, because)\
 SELECT 1, 4, white, black, 'given up', 'rematch_gap', 1, 'they met two rounds before' FROM round\
 WHERE tournament_id = 1 AND round_number = 4 AND board = 1
init --name Cup && rules match_games=3 tiebreaks=points,sb,wins recalculation=settled -t Cup
add Anna -t Cup && add Boris -t Cup && add Clara -t Cup && add Daan -t Cup
next-round -t Cup && publish-round -t Cup && result - -t Cup < 1 2-1|2 =
next-round -t Cup && publish-round -t Cup && result - -t Cup < 1 1-0|2 =
backup --keep 30
UPDATE tournament SET above = 1 WHERE id = 2
"""
"""Ten players, two tournaments, four rounds: a row at least in every table."""


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("season") / "sound.db"
    for line in SEASON.strip().splitlines():
        play(Console(made), line)
    return made


_FORGED = """
INSERT INTO log (fact, row, state)
SELECT fact, row, state FROM z_logged AS now WHERE state IS NOT
  (SELECT state FROM log WHERE fact = now.fact AND row = now.row ORDER BY id DESC LIMIT 1)
UNION ALL
SELECT fact, row, NULL FROM log
WHERE id IN (SELECT max(id) FROM log GROUP BY fact, row) AND state IS NOT NULL
  AND (fact, row) NOT IN (SELECT fact, row FROM z_logged)
"""
"""The log says what the facts now are, as a migration that asked nothing would have it."""


def past_the_triggers(season: Path, db: Path, script: str, *, forged: bool) -> None:
    """A file of the season that was changed while it had no triggers."""
    shutil.copy(season, db)
    past_the_guards(db, *script.split("; "), *([_FORGED] if forged else []))
    if forged:  # and the lists are as the facts would have them, where they can be
        for tournament in (1, 2):
            with suppress(sqlite3.Error):
                edit(db, f"INSERT INTO revalue VALUES ({tournament}, 0)")


# ------------------------------------------------------------ facts that cannot be


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "club.db"


def _set(table: str, row: int, change: str) -> str:
    return f"UPDATE {table} SET {change} WHERE rowid = {row}"


LATIN_1, SURROGATE, NUL = (
    f"CAST(x'{hexadecimal}' AS TEXT)"
    for hexadecimal in ("52e9", "41eda080", "4ec08031")
)
ENTRY = "INSERT INTO x_player_tournament (id, player_id, tournament_id) VALUES"
AWAY = "INSERT INTO unplayed (id, tournament_id, round_number, player_id, kind) VALUES"
COMES = "INSERT INTO attendance (id, tournament_id, round_number, player_id) VALUES"
SCORING = "INSERT INTO scoring (id, tournament_id, kind, applies_to) VALUES"

FACTS = f"""
player 1 | name = {LATIN_1} | a text like this
player 4 | rating = 'strong' | a rating must be a whole number from 0 to 4000
player 5 | fide_id = 1003 | another player has this FIDE ID
player -9 | UPDATE player SET id = -9 WHERE id = 9;
  UPDATE x_player_tournament SET player_id = -9 WHERE player_id = 9;
  UPDATE unplayed SET player_id = -9 WHERE player_id = 9;
  UPDATE round SET black = -9 WHERE black = 9;
  UPDATE attendance SET player_id = -9 | an id must be 1 or more

period 1 | name = {SURROGATE} | a text like this
prohibited_pairing 2 | name = 'fam' || char(8238) || 'ily' | a text like this
x_player_tournament 1 | first_round = 0 | first_round must be 1 to 999
schedule 1 | published_at = 'yesterday' | published_at must be a moment
round 17 | white = 10 | White did not enter this tournament
unplayed 1 | kind = 'ill' | unknown kind of unplayed round
x_player_tournament 50 | {ENTRY} (50, 99, 1) | unknown player
round 12 | UPDATE x_player_tournament SET first_round = 4 WHERE id = 10
  | a player enters later or has withdrawn before
attendance 40 | {COMES} (40, 1, 2, 10) | this player enters later

correction 1 | tournament_id = 2, player_id = 10 | this player did not enter this tournament
reason 1 | because = '=1+1' | a text like this
round 17 | white_wins = 9 | a match here has no more games
exception 1 | counts_as = 'ill' | unknown kind of unplayed round
unplayed 60 | {AWAY} (60, 1, 1, 10, 'excused') | a player enters later
backup 1 | folder = {LATIN_1} | a text like this
reason 3 | white = 9 | these two do not meet in this round

rules 1 | tiebreaks = 'score,previous' || {LATIN_1} | tiebreaks must be a list such as
scoring 11 | counts_with = 'ill' | unknown kind of unplayed round
scoring 10 | factor = '1/3/5' | a factor must be a decimal
scoring 77 | {SCORING} (77, 1, {NUL}, 'unplayed') | a text like this
"""
"""A row, what is done to it or elsewhere, and why it is refused; a blank line ends a file.

Of each table a fault or two; test_guards has the others. In one file are faults of which none is
the reason for what is said of another.
"""

ALONE = """
tournament 2 | UPDATE tournament SET above = 2 WHERE id = 1 | above must be the id
tournament 1 | above = 9 | above must be the id of another tournament
tournament 1 | DELETE FROM rules WHERE rowid = 1 | this tournament lacks its rules, or a kind
round 1 | result = 'good' | unknown result
rules 1 | tiebreaks = 'score,luck' | tiebreaks has a name that
"""
"""Likewise, a file each: of one row, or the reason for what is said of many."""

LATE = """
tournament 1 | status = 'CLOSED' | status is 'CLOSED', and the facts give 'finished'
x_player_tournament 4 | status = 'active' | status is 'active', and the facts give 'withdrawn'
round 1 | board = NULL | board is None, and the facts give
round 17 | result = '0-1' | result is '0-1', and the facts give '1-0'
"""
LEFT = "x_player_tournament 1 | status = 'withdrawn' | last_round is None, and the facts give 0"
"""A row, a cell of it, and what a trigger would have made of that."""


def _files(
    text: str, named: str, kept: str
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Of each file what is done, and what `check` and `migrate` are to say of it."""
    for block in text.replace("\n  ", " ").strip().split("\n\n"):
        scripts, seen, refused = [], [], []
        for line in block.split("\n"):
            where, change, why = line.split(" | ")
            table, row = where.split()
            whole = re.match("(INSERT|UPDATE|DELETE) ", change)
            scripts.append(change if whole else _set(table, int(row), change))
            seen.append(named.format(table=table, row=row, why=why))
            refused.append(kept.format(table=table, row=row, why=why))
        yield "; ".join(scripts), seen, refused


REFUSED = "row {row} of table {table} is refused: {why}"
FOLLOWS = "table {table}, id {row}: {why}"
OTHERWISE = "row {row} of table {table} is not as the log has it"
FILES = [
    *_files(FACTS, REFUSED, REFUSED),
    *_files(ALONE.replace("\n", "\n\n"), REFUSED, REFUSED),
    *_files(LATE, FOLLOWS, OTHERWISE),
    *_files(
        LEFT, FOLLOWS, "row 1 of table round is refused: a player enters later or has"
    ),
]


def found(db: Path, *sentences: str) -> None:
    """`check` fails, and says what it is."""
    done = keizer("check", db, fails=True)
    assert [
        sentence for sentence in sentences if sentence not in done.stdout + done.stderr
    ] == []


def facts(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table but the log, and the definitions."""
    listed = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('log', 'command')"
    return {
        "definitions": sorted(
            rows(db, "SELECT type, name, sql FROM sqlite_schema"), key=str
        ),
        **{
            name: sorted(rows(db, f"SELECT * FROM {name}"), key=str)
            for (name,) in rows(db, listed)
        },
    }


@pytest.mark.parametrize(("script", "seen", "refused"), FILES)
def test_facts_that_cannot_be_are_named_and_never_laundered(
    season: Path, db: Path, script: str, seen: list[str], refused: list[str]
) -> None:
    """Each of them, also where the log was forged to agree, and the lists to follow."""
    past_the_triggers(season, db, script, forged=True)
    found(db, *seen)
    before = db.read_bytes()
    said = keizer("migrate", db, fails=True).stdout
    assert [sentence for sentence in refused if sentence not in said] == []
    assert db.read_bytes() == before


ALLOWED = {
    _set("round", 1, "result = '0-1', id = 77"): "row 77 of table round was changed",
    _set("round", 2, "result = '0-1'"): "row 2 of table round was changed",
    _set("rules", 1, "top_value = 70"): "row 1 of table rules was changed",
    _set("x_player_tournament", 1, "rating = 2500"): "row 1 of table x_player_tournament was",
    "DELETE FROM correction": "row 1 of table correction went past the rules",
    "INSERT INTO correction (id, tournament_id, player_id, points) VALUES (2, 1, 1, 100)":
        "row 2 of table correction was changed",
}  # fmt: skip


@pytest.mark.parametrize(("faults", "refused"), [
    (ALLOWED, "is not as the log has it"),
    ({"DELETE FROM log": "row 1 of table player was changed"}, "is not as it was sealed"),
])  # fmt: skip
def test_facts_that_the_rules_allow_but_the_log_has_otherwise_are_named(
    season: Path, db: Path, faults: dict[str, str], refused: str
) -> None:
    past_the_triggers(season, db, "; ".join(faults), forged=False)
    found(db, *faults.values())
    before = db.read_bytes()
    assert refused in keizer("migrate", db, fails=True).stdout
    assert db.read_bytes() == before


COMPUTED = {
    "UPDATE ranking_list SET score_units = 1 WHERE tournament_id = 1 AND round_number = 4":
        "table ranking_list, tournament_id 1, round_number 4",
    "INSERT INTO ranking_list (tournament_id, round_number, player_id, rank) SELECT 9,"
    " round_number, player_id, rank FROM ranking_list WHERE tournament_id = 2":
        "table ranking_list, tournament_id 9",
    "UPDATE tiebreak_value SET key = key + 1": "table tiebreak_value",
    "UPDATE tiebreak_order SET name = 'bh' WHERE name = 'sb'":
        "table tiebreak_order, tournament_id 2, position 1: name is 'bh'",
    "UPDATE settling SET passes = 99": "table settling, tournament_id 2",
    _set("unplayed", 4, "credited_as = NULL"): "table unplayed, id 4: credited_as is None",
    _set("x_player_tournament", 1, "score = 99"): "table x_player_tournament, id 1: score is 99.0",
}  # fmt: skip
UNFINISHED = {
    _set(
        "tournament", 1, "revaluation = 'running'"
    ): "a revaluation was left unfinished"
}
CONSTANTS = {
    "UPDATE outcome SET white_kind = black_kind, black_kind = white_kind":
        "table outcome, result 1-0: white_kind is 'loss'",
    "UPDATE result_spelling SET result = '0-1' WHERE typed = '1-0'":
        "table result_spelling, typed 1-0",
    "UPDATE fide_expectation SET difference = 0 WHERE hundredths = 80":
        "table fide_expectation, hundredths 80: difference is 0",
    "DELETE FROM about WHERE name = 'round'": "table about, name round",
    "UPDATE tiebreak SET lower_first = 1 WHERE name = 'sb'":
        "table tiebreak, name sb: lower_first is 1",
}  # fmt: skip
REWRITTEN = {
    "DROP VIEW results; CREATE VIEW results (tournament_id, player_id, score) AS"
    " SELECT tournament_id, player_id, 99 FROM x_player_tournament":
        "the view results is not as keizer made it",
    f"DROP VIEW z_code; CREATE VIEW z_code (fingerprint, names) AS SELECT '{FINGERPRINT}', 'x'":
        "the view z_code is not as keizer made it",
}  # fmt: skip


@pytest.mark.seeds
@pytest.mark.parametrize(("faults", "forged"), [
    (COMPUTED, False), (UNFINISHED, False), (CONSTANTS, True), (REWRITTEN, False),
])  # fmt: skip
def test_what_follows_is_named_and_put_right(
    season: Path, db: Path, faults: dict[str, str], *, forged: bool
) -> None:
    """Where a constant was changed, the lists were computed with it."""
    past_the_triggers(season, db, "; ".join(faults), forged=forged)
    found(db, *faults.values())
    keizer("migrate", db)
    assert "is sound" in keizer("check", db).stdout
    assert facts(db) == facts(season)


@pytest.mark.seeds
@pytest.mark.parametrize(("script", "said"), [
    (f"UPDATE log SET state = {LATIN_1} WHERE id = (SELECT min(id) FROM log WHERE fact = 'round')",
     "state is not readable"),
    ("DELETE FROM command WHERE id = 20", "refers to a row of table command that is missing"),
])  # fmt: skip
def test_a_record_that_cannot_be_is_named_before_and_after_migrate(
    season: Path, db: Path, script: str, said: str
) -> None:
    past_the_triggers(season, db, script, forged=False)
    found(db, said)
    CliRunner().invoke(main, ["migrate", str(db)])
    found(db, said)


# ------------------------------------------------------------ copies by the sqlite3 shell

HEADS = (
    f"PRAGMA application_id = {sql.APPLICATION_ID}",
    f"PRAGMA user_version = {sql.LAYOUT}",
)


@pytest.mark.parametrize("way", [".dump", "VACUUM INTO '{}'", ".backup '{}'", "VACUUM"])
def test_a_copy_by_the_shell_has_the_same_log_and_can_be_undone(
    season: Path, db: Path, shell: Client, way: str
) -> None:
    """`.dump` leaves out two numbers in the head of the file, which schema.sql sets."""
    copy = db.with_name("copy.db")
    shutil.copy(season, db)
    edit(db, "DELETE FROM prohibited_pairing WHERE id = 1", "DELETE FROM attendance",
         "DELETE FROM unplayed WHERE id = 1")  # fmt: skip
    keizer("correct", db, "Anna", "3", "-t", "Club")
    if way == ".dump":
        dumped = "\n".join(shell(db, [way]))
        subprocess.run(
            ["sqlite3", str(copy)], input=dumped, check=True, encoding="utf-8"
        )
        assert (
            rows(copy, "PRAGMA application_id")
            == rows(copy, "PRAGMA user_version")
            == [(0,)]
        )
        assert "not a Keizer file" in keizer("check", copy, fails=True).stderr
        assert shell(copy, [*HEADS]) == ["ok", "ok"]
    elif way == "VACUUM":
        shutil.copy(db, copy)
        assert shell(copy, [way]) == ["ok"]
    else:
        assert shell(db, [way.format(copy)]) == ["ok"]
    log = "SELECT * FROM log ORDER BY id"
    assert rows(copy, log) == rows(db, log)
    assert "is sound" in keizer("check", copy).stdout
    assert keizer("undo", copy).stdout == keizer("undo", db).stdout
    assert rows(copy, "SELECT * FROM correction") == rows(
        db, "SELECT * FROM correction"
    )
    assert "is sound" in keizer("check", copy).stdout


@pytest.mark.parametrize("state", [
    "replace(hex(zeroblob(45000)), '0', '[')", "'{\"amount\": [[1]], \"player_id\": {}}'",
])  # fmt: skip
def test_a_line_of_the_log_that_is_not_a_row_is_shown(
    season: Path, db: Path, state: str
) -> None:
    """With 90,000 brackets in brackets, say, for which Python has no stack."""
    shutil.copy(season, db)
    edit(db, f"INSERT INTO log (fact, row, state) VALUES ('reason', 99999, {state})")
    assert "damaged" in keizer("log", db).stdout
    keizer("check", db, fails=True)


def test_a_free_page_that_is_not_free_is_found(season: Path, db: Path) -> None:
    """What is written next destroys a table. SQLite says `ok` if it looks at a view first."""
    shutil.copy(season, db)
    edit(db, "CREATE TABLE mine (a)", "INSERT INTO mine VALUES (zeroblob(50000))")
    edit(db, "DROP TABLE mine")
    data = bytearray(db.read_bytes())
    size, trunk = int.from_bytes(data[16:18], "big"), int.from_bytes(data[32:36], "big")
    first = (trunk - 1) * size + 8
    ((player,),) = rows(db, "SELECT rootpage FROM sqlite_master WHERE name = 'player'")
    data[first : first + 4] = player.to_bytes(4, "big")
    db.write_bytes(data)
    assert rows(db, "PRAGMA integrity_check") == [("ok",)]
    assert "page" in keizer("check", db, fails=True).stdout


def test_restore_says_that_a_snapshot_was_not_sound(season: Path, db: Path) -> None:
    shutil.copy(season, db)
    past_the_guards(db, "UPDATE round SET result = '0-0' WHERE id = 1")
    keizer("backup", db)
    listed = keizer("restore", db).stdout.split()[0]
    assert "it was not sound: `keizer check" in keizer("restore", db, listed).stdout
    keizer("check", db, fails=True)


@pytest.mark.parametrize(
    ("command", "words"), [("result", ("1", "0-1", "-t", "Cup")), ("migrate", ())]
)
def test_what_is_put_right_is_said(
    season: Path, db: Path, command: str, words: tuple[str, ...]
) -> None:
    shutil.copy(season, db)
    edit(db, "DROP VIEW current_standings", "DROP TRIGGER round_guarded",
         "CREATE TRIGGER round_guarded AFTER INSERT ON round BEGIN SELECT 1; END")  # fmt: skip
    said = keizer(command, db, *words).stderr
    assert (
        "repaired, as it was not as keizer makes it: view current_standings, trigger round_guarded"
        in said
    )
    assert "is sound" in keizer("check", db).stdout
    assert "repaired" not in keizer(command, db, *words).stderr


def test_only_what_is_put_right_is_said_to_be(season: Path, db: Path) -> None:
    """Who enters something repairs views and triggers; an index takes `migrate`."""
    shutil.copy(season, db)
    edit(db, "DROP VIEW current_standings", "DROP INDEX players_by_name")
    entered = keizer("result", db, "1", "0-1", "-t", "Cup").stderr
    assert "keizer makes it: view current_standings." in entered
    left = keizer("check", db, fails=True).stdout
    assert left.strip() == "the index players_by_name is missing."
    assert "keizer makes it: index players_by_name." in keizer("migrate", db).stderr
    assert "is sound" in keizer("check", db).stdout


def test_what_is_computed_anew_is_said(season: Path, db: Path) -> None:
    shutil.copy(season, db)
    past_the_guards(
        db, "UPDATE ranking_list SET score_units = score_units + 1 WHERE rank = 1"
    )
    keizer("check", db, fails=True)
    assert (
        "repaired, as it was not as keizer makes it: table ranking_list"
        in keizer("migrate", db).stderr
    )
    assert "repaired" not in keizer("migrate", db).stderr


@pytest.mark.clients
def test_clone_of_the_shell_loses_rows_and_is_not_called_sound(
    season: Path, db: Path
) -> None:
    """It counts generated columns among those that it fills: `.backup` is the way."""
    subprocess.run(
        ["sqlite3", season, f".clone {db}"], capture_output=True, check=False
    )
    edit(db, *HEADS)
    assert rows(db, "SELECT count(*) FROM round") == [(0,)]
    assert "is sound" not in keizer("check", db, fails=True).stdout
