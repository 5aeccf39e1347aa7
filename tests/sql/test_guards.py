"""What makes no sense is refused by the file itself, in any client.

No client here has foreign keys on. Each case is an edit of a copy of
sample.db (players 1 to 10, two rounds) and a part of the sentence it gets.
"""

import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from keizer.store import definitions
from tests.support.files import Client, answers, dump, edit, rows, sample_db
from tests.support.refused import MORE

NEW = {
    "round": "round_number, white, black, result",
    "unplayed": "round_number, player_id, kind",
    "x_player_tournament": "player_id",
    "exception": "player_id, kind, counts_as",
    "correction": "player_id, points",
    "period": "first_round",
    "attendance": "round_number, player_id",
    "prohibited_pairing": "name, player_id",
    "reason": "round_number, white, black, about, rule, player_id",
}
"""The columns behind the tournament in `new TABLE (...)`."""


def sql(line: str) -> str:
    """A statement, in which `new round (1, ...)` is an INSERT."""
    return re.sub(
        r"^new (\w+)",
        lambda made: f"INSERT INTO {made[1]} (tournament_id, {NEW[made[1]]}) VALUES",
        line,
    )


def statements(text: str) -> list[str]:
    return [sql(line.strip()) for line in text.strip().splitlines()]


IMPOSSIBLE = """
already has a game
  new round (1, 2, 1, 4, '1-0')
  UPDATE round SET round_number = 2 WHERE round_number = 1 AND board = 1
  INSERT INTO round (tournament_id, round_number, board, white, black) VALUES (1, 2, 1, 1, 2)
  UPDATE round SET board = 1 WHERE round_number = 1 AND board = 2
  new unplayed (1, 2, 1, 'excused')
  INSERT OR REPLACE INTO round (tournament_id, round_number, board, white, black) \
VALUES (1, 2, 1, 1, 2)
  INSERT OR IGNORE INTO round (tournament_id, round_number, white, black) VALUES (1, 2, 1, 2)
White and Black must be two | new round (1, 3, 5, 5, '1-0')
Black did not enter | new round (1, 3, 1, 77, '1-0')
White did not enter | UPDATE round SET white = 77 WHERE board = 1
did not enter
  new round (9, 3, 1, 2, '1-0')
  new round (2, 1, 1, 2, '1-0')
  new unplayed (2, 1, 1, 'excused')
  new correction (1, 77, 5)
  new correction (1, 21, 5)
  new exception (1, 77, 'bye', 'excused')
  new exception (1, 21, 'bye', 'excused')
  new prohibited_pairing (1, 'family', 77)
  new prohibited_pairing (1, 'family', 21)
  new attendance (9, 3, 1)
  new attendance (1, 3, 21)
  new reason (1, 1, 1, 6, 'nearer', 'fit', 77)
  new reason (1, 1, 1, 6, 'nearer', 'fit', 21)
unknown result
  UPDATE round SET result = '2-0' WHERE round_number = 1
  UPDATE round SET result = '1-' WHERE round_number = 1
  UPDATE round SET result = '1-0' || char(0) || 'x' WHERE round_number = 1
rounds follow one another
  new round (1, 7, 1, 4, '1-0')
  UPDATE round SET round_number = 7 WHERE round_number = 2 AND board = 1
  new unplayed (1, 7, 1, 'bye')
NOT NULL | new round (1, NULL, 1, 4, '1-0')
round_number must be
  new round (1, 0, 1, 4, '1-0')
a text like this is not empty (NULL for none) and has up to 200 characters in UTF-8
  UPDATE player SET name = '' WHERE id = 1
  UPDATE player SET name = ' ' WHERE id = 1
has entered a tournament
  DELETE FROM player WHERE id = 1
  INSERT OR REPLACE INTO player (id, name) VALUES (1, 'Somebody')
an id cannot be changed
  UPDATE player SET id = 50 WHERE id = 1
  UPDATE player SET id = 20 WHERE id = 21
  UPDATE player SET oid = 50 WHERE id = 1
withdraw the player instead | DELETE FROM x_player_tournament WHERE player_id = 1
belongs to one player | UPDATE x_player_tournament SET player_id = 50 WHERE player_id = 1
already entered
  new x_player_tournament (1, 1)
  INSERT OR REPLACE INTO x_player_tournament (player_id, tournament_id, first_round) \
VALUES (1, 1, 5)
unknown player | new x_player_tournament (1, 77)
before that first round | UPDATE x_player_tournament SET first_round = 2 WHERE player_id = 1
after that last round | UPDATE x_player_tournament SET last_round = 1 WHERE player_id = 1
unknown kind
  new unplayed (1, 3, 1, 'asleep')
  new unplayed (1, 3, 1, 'win')
  UPDATE scoring SET instead = 'asleep' WHERE kind = 'excused'
  UPDATE scoring SET counts_with = 'win' WHERE kind = 'excused'
  new exception (1, 2, 'nap', 'bye')
has players | DELETE FROM tournament WHERE id = 1
a tournament has rules | DELETE FROM rules
a factor must be a decimal
  UPDATE scoring SET factor = 11 WHERE kind = 'win'
  UPDATE scoring SET factor = '1/0'
a fraction such as 1/3, 5/6 or 1/16 that is a whole number of 6000ths
  UPDATE scoring SET factor = '1/7'
  UPDATE scoring SET factor = 0.3333
  UPDATE scoring SET withdrawn_factor = '1/7' WHERE kind = 'win'
at most three decimals or a fraction such as 1/3 whose denominator is at most 1000
  UPDATE rules SET percentage_floor = '1/1001' WHERE tournament_id = 1
in use | DELETE FROM scoring WHERE kind = 'win'
keeps its name | UPDATE scoring SET kind = 'victory' WHERE kind = 'win'
the same in every file
  UPDATE outcome SET white_kind = 'loss'
  DELETE FROM outcome
  INSERT INTO result_spelling VALUES ('won', '1-0')
  UPDATE result_spelling SET result = '0-1' WHERE typed = '1-0'
  DELETE FROM result_spelling
  UPDATE about SET about = 'x' WHERE name = 'round'
  INSERT INTO about (name, about) VALUES ('mine', 'x')
  UPDATE fide_expectation SET difference = 1
  UPDATE tiebreak SET lower_first = 1 WHERE name = 'sb'
  DELETE FROM tiebreak WHERE name = 'sb'
score is computed | UPDATE x_player_tournament SET score = 9 WHERE player_id = 1
ranking_list is computed
  UPDATE ranking_list SET score_units = 0
  DELETE FROM ranking_list
the values in force are computed by the file
  INSERT INTO ranking VALUES (1, 6, 3, 49)
  INSERT INTO ranking VALUES (1, 6, 3, NULL)
  INSERT INTO ranking VALUES (NULL, NULL, NULL, NULL)
  UPDATE ranking SET score = score + 1 WHERE round_number = 3 AND player_id = 6
  DELETE FROM ranking WHERE round_number = 3
this id is taken
  INSERT OR REPLACE INTO tournament (id, description) VALUES (1, 'Other')
  INSERT OR REPLACE INTO round (id, tournament_id, round_number, white, black) \
VALUES (1, 1, 3, 1, 4)
tiebreaks has a name that table tiebreak
  UPDATE rules SET tiebreaks = 'score,luck'
  UPDATE rules SET tiebreaks = 'score,sb,sb'
  UPDATE rules SET tiebreaks = 'score,sb:up'
  UPDATE rules SET tiebreaks = 'score,,sb'
this file lacks the trigger for that rule
  UPDATE rules SET tiebreaks = 'score,de,wins'
bottom_value must be at most top_value
  UPDATE rules SET ladder = 'range', top_value = 10, bottom_value = 20
at most 1000 | UPDATE rules SET top_value = 2000, ladder = 'score'
line_rounding must be above 0 and at most 1000
  UPDATE rules SET line_rounding = 0.0005
  UPDATE rules SET line_rounding = '1/7'
  UPDATE rules SET line_rounding = '1/2/3'
ratio Q | UPDATE rules SET top_value = 'ratio 1'
tiebreaks must be a list
  UPDATE rules SET tiebreaks = 'score,sb;de'
unknown tournament
  new period (9, 2)
  UPDATE schedule SET tournament_id = 9 WHERE round_number = 2
  UPDATE period SET tournament_id = 9
is computed
  INSERT INTO settling (tournament_id, round_number, passes) VALUES (1, 1, 1)
  INSERT INTO settling_value VALUES (1, 1, 1, 1)
  INSERT INTO settling_pass VALUES (1, '6000000', 1)
an id must be 1 or more
  INSERT INTO player (id, name) VALUES (0, 'Zero')
  INSERT INTO player (rowid, name) VALUES (-1, 'Less')
  INSERT INTO unplayed (rowid, tournament_id, round_number, player_id, kind) \
VALUES (0, 1, 3, 1, 'bye')
the id of a row stays
  UPDATE round SET rowid = 3 WHERE rowid = 5
  UPDATE schedule SET id = 50 WHERE id = 1
  UPDATE x_player_tournament SET rowid = 2 WHERE player_id = 1
  UPDATE scoring SET _rowid_ = 1 WHERE tournament_id = 1 AND kind = 'win'
  UPDATE rules SET rowid = 2 WHERE tournament_id = 1
  UPDATE correction SET id = 2 WHERE id = 1
already has an unplayed round | UPDATE unplayed SET round_number = 3 WHERE round_number = 4
not below
  UPDATE tournament SET above = 1 WHERE id = 1
  UPDATE tournament SET above = 1 WHERE id = 2
above must be
  UPDATE tournament SET above = 9 WHERE id = 1
  INSERT INTO tournament (description, above) VALUES ('Third', 9)
kept by the file
  INSERT INTO tournament (description, revaluation) VALUES ('Third', 'running')
  UPDATE tournament SET stale_from = 1
unknown kind of unplayed round
  UPDATE x_player_tournament SET absent_as = 'asleep' WHERE player_id = 1
  UPDATE x_player_tournament SET absent_as = x'41' WHERE player_id = 1
  UPDATE unplayed SET kind = x'41' WHERE round_number = 3
  UPDATE x_player_tournament SET absent_as = 'win' WHERE player_id = 1
unknown result | UPDATE round SET result = x'41' WHERE round_number = 1
a date must be YYYY-MM-DD
  INSERT INTO schedule (tournament_id, round_number, date) VALUES (1, 4, '2026-02-30')
  INSERT INTO schedule (tournament_id, round_number, date) VALUES (1, 4, 'now')
update that row
  INSERT OR REPLACE INTO schedule SELECT * FROM schedule
  INSERT OR REPLACE INTO schedule (tournament_id, round_number) VALUES (1, 2)
this id is taken | INSERT OR REPLACE INTO attendance SELECT * FROM attendance
this kind is in use | DELETE FROM scoring WHERE kind = 'on tour'
enters later | new attendance (1, 3, 20)
already said that they come | new attendance (1, 6, 1)
delete the row and insert a new one | UPDATE attendance SET round_number = 9 WHERE round_number = 6
already has this round | UPDATE schedule SET round_number = 2 WHERE round_number = 3
YYYY-MM-DD HH:MM:SS
  INSERT INTO schedule (tournament_id, round_number, published_at) VALUES (1, 9, '2026-02-01')
a board must be 1 to | UPDATE round SET board = NULL WHERE round_number = 1 AND board = 1
not be before its first | UPDATE correction SET last_round = 1
colour must be #rrggbb | INSERT INTO site (tournament_id, colour) VALUES (1, 'red')
the folder of the page must | INSERT INTO site (tournament_id, folder) VALUES (1, '')
unknown tournament | INSERT INTO site (tournament_id) VALUES (99)
already has an exception | UPDATE exception SET kind = 'excused' WHERE kind = 'bye'
already one of them | UPDATE prohibited_pairing SET player_id = 1 WHERE player_id = 2
a period already starts in this round | UPDATE period SET first_round = 5 WHERE first_round = 8
a match here has no more games than rules.match_games says
  UPDATE round SET black_wins = 2 WHERE white_wins = 2
  UPDATE round SET white_wins = 4 WHERE round_number = 2
  UPDATE round SET white_wins = 1, black_wins = 1, drawn = 2 WHERE round_number = 2
  INSERT INTO round (tournament_id, round_number, white, black, white_wins, drawn) \
VALUES (1, 3, 1, 4, 3, 1)
more games than that | UPDATE rules SET match_games = 1 WHERE tournament_id = 1
do not meet | new reason (1, 1, 2, 1, 'given up', 'rematch_gap', NULL)
does not have the bye | new reason (1, 1, 1, NULL, 'given up', 'bye_again', NULL)
set in rules.tiebreaks
  INSERT INTO tiebreak_order VALUES (1, 2, 'wins', 0)
  DELETE FROM tiebreak_order
  UPDATE tiebreak_order SET position = 5
a tie-break must have a new name
  INSERT INTO tiebreak VALUES ('', 'tiebreak_wins', 'x', 0, 0, 0, 'us')
  INSERT INTO tiebreak VALUES ('Shirt', 'standings', 'x', 0, 0, 0, 'us')
  INSERT INTO tiebreak VALUES ('a,b', 'standings', 'x', 0, 0, 0, 'us')
  INSERT OR REPLACE INTO tiebreak VALUES ('sb', 'standings', 'mine', 0, 0, 0, 'us')
a view that exists
  INSERT INTO tiebreak VALUES ('shirt', 'ranking_list', 'x', 0, 0, 0, 'us')
  INSERT INTO tiebreak VALUES ('shirt', 'tiebreak_shirt', 'x', 0, 0, 0, 'us')
  INSERT INTO tiebreak VALUES ('shirt', 'a; DROP', 'x', 0, 0, 0, 'us')
a text like this | INSERT INTO tiebreak VALUES ('shirt', 'standings', char(8238), 0, 0, 0, 'us')
  INSERT INTO tiebreak VALUES ('shirt', 'standings', 'x', 0, 0, 0, 'u' || char(0))
tiebreak_value is computed | INSERT INTO tiebreak_value VALUES (1, 1, 1, 1, 1, 1, 1)
other capitals
  INSERT INTO player (name) VALUES ('JOHNSON')
  UPDATE player SET name = 'smiTH' WHERE name = 'Johnson'
  INSERT OR REPLACE INTO player (id, name) VALUES (77, 'johnson')
or leave the id out | INSERT OR REPLACE INTO player (id, name) VALUES (1, 'Somebody')
has this FIDE ID
  UPDATE player SET fide_id = 5
  INSERT INTO player (name, fide_id) VALUES ('One', 5), ('Two', 5)
stays as it is
  UPDATE log SET state = NULL
  DELETE FROM log
  DELETE FROM log WHERE id = 1
  DELETE FROM command
has this national number
  UPDATE player SET national_id = 5
  INSERT OR REPLACE INTO player (name, national_id) VALUES ('One', 5), ('Two', '5')
"""
"""A part of the sentence, and what gets it."""

TEXT = "a text like this is not empty (NULL for none) and has up to 200 characters in UTF-8"

IN_A_NAME = {
    "NUL": "char(0)", "tab": "char(9)", "line end": "char(10)", "first control": "char(1)",
    "last control": "char(31)", "delete": "char(127)", "escape of 8 bits": "char(155)",
    "space without width": "char(8203)", "end of paragraph": "char(8233)",
    "change of direction": "char(8238)", "isolated direction": "char(8294)",
    "byte order mark": "char(65279)", "two spaces": "'  '",
    "201 characters": "replace(hex(zeroblob(99)), '0', 'x')", "formula behind a comma": "',=1+1'",
    "no UTF-8": "CAST(x'ff' AS TEXT)", "letter without its start": "CAST(x'a9' AS TEXT)",
}  # fmt: skip
AS_A_NAME = [
    "x'416e6e61'", "char(0, 65)", "'Anna ' || char(0)", "' Anna'", "'Anna '", "'=1+1'", "'+49'",
    "'-x'", "'@SUM(A1)'", "char(9) || '=1'", "char(65309) || '1'",
]  # fmt: skip
TEXTS = """
UPDATE player SET category = {}
UPDATE player SET national_id = {} WHERE id = 1
UPDATE tournament SET description = {}
UPDATE tournament SET city = {}
UPDATE tournament SET arbiter = {}
UPDATE tournament SET time_control = {}
INSERT INTO correction (tournament_id, player_id, points, reason) VALUES (1, 1, 1, {})
INSERT INTO scoring (tournament_id, kind) VALUES (1, {})
INSERT INTO period (tournament_id, first_round, name) VALUES (1, 2, {})
new prohibited_pairing (1, {}, 1)
new reason (1, 1, 1, 6, 'nearer', {}, 2)
INSERT INTO backup (id, folder) VALUES (1, {})
"""
AS_A_TEXT = [
    "'x' || char(0)",
    "'x' || char(10) || 'y'",
    "x'78'",
    "char(8238)",
    "'x  y'",
]


def impossible() -> list[tuple[str, str]]:
    """Each statement with a part of its sentence."""
    found, sentence = [], ""
    for line in IMPOSSIBLE.strip().splitlines():
        statement = line.strip()
        if not line.startswith(" "):
            sentence, _, statement = line.partition(" | ")
        if statement:
            found.append((sql(statement), sentence))
    name = "UPDATE player SET name = {} WHERE id = 1"
    odd = [name.format(f"'An' || {text} || 'na'") for text in IN_A_NAME.values()]
    odd += [name.format(text) for text in AS_A_NAME]
    for statement in statements(TEXTS):
        # A folder may have two spaces, as somebody's may be called.
        texts = AS_A_TEXT[:-1] if "folder" in statement else AS_A_TEXT
        odd += [statement.format(text) for text in texts]
    return [*found, *((statement, TEXT) for statement in odd)]


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """sample.db with a second tournament that nobody entered."""
    db = Path(shutil.copy(sample_db(), tmp_path / "two.db"))
    edit(db, "INSERT INTO tournament (description) VALUES ('Second')")
    return db


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """sample.db with two tournaments and something in every table of facts."""
    db = Path(shutil.copy(sample_db(), tmp_path / "full.db"))
    with closing(sqlite3.connect(db)) as conn:
        conn.executescript(MORE)
    return db


def refused(client: Client, db: Path, cases: Sequence[tuple[str, str]]) -> None:
    """Assert that each is refused with its sentence, and that nothing has changed."""
    before = dump(db)
    said = client(db, [statement for statement, _ in cases])
    missed = [
        (statement, answer)
        for (statement, sentence), answer in zip(cases, said, strict=True)
        if not answer.startswith("refused: ") or sentence not in answer
    ]
    assert missed == []
    assert dump(db) == before


def test_impossible_edits_are_refused_with_a_sentence(
    client: Client, full: Path
) -> None:
    refused(client, full, impossible())


@pytest.mark.parametrize("pragma", ["foreign_keys", "recursive_triggers"])
def test_replacing_is_refused_as_well(full: Path, pragma: str) -> None:
    """The same edits, OR REPLACE: whether triggers see the row that would go or not."""
    replacing = [
        (re.sub("^(INSERT|UPDATE)( OR [A-Z]+)?", r"\1 OR REPLACE", statement), "")
        for statement, _ in impossible()
        if not statement.startswith("DELETE")
    ]

    def python(db: Path, statements: list[str]) -> list[str]:
        with closing(sqlite3.connect(db, isolation_level=None)) as conn:
            conn.execute(f"PRAGMA {pragma} = ON")
            return answers(statements, conn.execute)

    refused(python, full, replacing)


CHECKED = (
    "player", "tournament", "scoring", "rules", "x_player_tournament", "round", "correction",
    "period", "exception", "schedule", "site",
)  # fmt: skip
OF_ITS_OWN = {
    "id", "name", "description", "kind", "applies_to", "folder", "stale_from", "match_games",
    "colour_by", "categories", "CONSTRAINT",
}  # fmt: skip
"""Columns that take a text like this, or of which something else is refused first."""


def test_what_a_column_may_hold_is_said_by_its_constraint(full: Path) -> None:
    """A word that is none of its words, nothing, bytes, NUL, a number far below what it may be."""
    edit(full, "INSERT INTO site (tournament_id) VALUES (1)")
    with closing(sqlite3.connect(full, isolation_level=None)) as conn:
        wrong = {}
        for table in CHECKED:
            made = conn.execute(
                "SELECT sql FROM sqlite_schema WHERE name = ?", (table,)
            )
            for column, definition in definitions.column_texts(
                made.fetchone()[0]
            ).items():
                said = re.search(r'CONSTRAINT\s+"([^"]+)"\s+CHECK', definition)
                if said and column not in OF_ITS_OWN:
                    for value in ("?", "", b"1", "1\0", -1000000.5):
                        with pytest.raises(sqlite3.IntegrityError) as told:
                            conn.execute(f"UPDATE {table} SET {column} = ?", (value,))
                        wrong[table, column, value] = said[1], str(told.value)
    assert len(wrong) > 375
    assert {
        of: (due, said) for of, (due, said) in wrong.items() if due not in said
    } == {}


def test_every_table_is_named_by_an_impossible_edit(full: Path) -> None:
    tables = rows(full, "SELECT name FROM sqlite_master WHERE type = 'table'")
    named = re.findall(r"(?:INTO|UPDATE|FROM) (\w+)", str(impossible()))
    missed = {name for (name,) in tables} - {*named}
    assert {name for name in missed if not name.startswith("sqlite_")} == set()


POSSIBLE = statements("""
new round (1, 3, 1, 4, NULL)
UPDATE round SET result = '½-½' WHERE round_number = 3
UPDATE round SET result = '1-0 ' WHERE round_number = 3
UPDATE round SET result = '1/2-1/2' WHERE round_number = 3
UPDATE round SET result = 'void' WHERE round_number = 3
UPDATE round SET board = 9 WHERE round_number = 3
new unplayed (1, 3, 5, 'club duty')
UPDATE unplayed SET kind = 'bye' WHERE player_id = 5
DELETE FROM unplayed WHERE player_id = 5
INSERT INTO scoring (tournament_id, kind, factor) VALUES (1, 'late notice', '1/6')
new unplayed (1, 3, 5, 'late notice')
UPDATE scoring SET factor = 0.25 WHERE kind = 'late notice'
UPDATE scoring SET factor = '1/16' WHERE kind = 'late notice'
UPDATE scoring SET factor = '5/6' WHERE kind = 'late notice'
UPDATE scoring SET factor = 0.125 WHERE kind = 'late notice'
UPDATE rules SET percentage_floor = '1/7' WHERE tournament_id = 1
UPDATE player SET name = 'Harry Johnson', rating = 2300, category = 'A' WHERE id = 1
UPDATE round SET result = '' WHERE round_number = 3
UPDATE x_player_tournament SET status = 'withdrawn' WHERE player_id = 4
UPDATE x_player_tournament SET status = 'active' WHERE player_id = 4
UPDATE x_player_tournament SET last_round = 3 WHERE player_id = 4
INSERT INTO player (name) VALUES ('Newcomer')
UPDATE player SET name = 'HARRY Johnson', fide_id = 5, national_id = '5' WHERE id = 1
UPDATE player SET name = 'Harry Johnson', fide_id = 5, national_id = '5' WHERE id = 1
UPDATE player SET name = '''t Hart, =' || char(128105, 65039) WHERE id = 2
INSERT INTO player (name) VALUES ('Harry Johnson')
DELETE FROM player WHERE id = 12
INSERT INTO x_player_tournament (player_id, tournament_id, first_round) VALUES (11, 1, 4)
DELETE FROM x_player_tournament WHERE player_id = 11
UPDATE tournament SET description = 'Renamed', status = 'finished' WHERE id = 1
UPDATE tournament SET status = 'running' WHERE id = 1
UPDATE rules SET top_value = 60, rematch_gap = 0
UPDATE rules SET recalculation = 'lagged', last_resort = 'shared'
UPDATE rules SET top_value = 200, bottom_value = 100
UPDATE rules SET ladder = 'score', score_rounding = 0.01, halves = 'even'
UPDATE rules SET recalculation = 'frozen', withdrawn = 'out'
UPDATE rules SET ladder = 'top', top_value = 'ratio 3', recalculation = 'lagged'
UPDATE rules SET top_value = 60, withdrawn = 'listed', recalculation = 'classic'
UPDATE scoring SET season_cap = 1, halving = 1, instead = 'club duty' WHERE kind = 'bye'
INSERT INTO correction (tournament_id, player_id, points, reason) VALUES (1, 4, -2.5, 'so')
new exception (1, 5, 'excused', 'late notice')
INSERT INTO period (tournament_id, first_round, scores) VALUES (1, 2, 'reset')
UPDATE period SET start = 'rating'
DELETE FROM period
DELETE FROM exception
DELETE FROM correction
new prohibited_pairing (1, 'family', 1)
new prohibited_pairing (1, 'family', 2)
DELETE FROM prohibited_pairing
UPDATE rules SET system = 'swiss', aim = 'top-down', max_meetings = NULL, colour_run = 'off'
UPDATE scoring SET counts_as_bye = 1 WHERE kind = 'excused'
DELETE FROM round WHERE round_number = 3
INSERT INTO tournament (description) VALUES ('Third')
DELETE FROM tournament WHERE description = 'Third'
""")


def test_sensible_edits_are_accepted_and_revalued(client: Client, two: Path) -> None:
    assert client(two, POSSIBLE) == ["ok"] * len(POSSIBLE)
    assert rows(two, "SELECT problem FROM problems") == []
    top = "SELECT max(value) FROM current_standings WHERE tournament_id = 1"
    assert rows(two, top) == [(60,)]


def test_nothing_is_refused_that_foreign_keys_allow(two: Path) -> None:
    """With foreign keys on the same sensible edits pass."""
    edit(two, "PRAGMA foreign_keys = ON", *POSSIBLE)
    assert rows(two, "PRAGMA foreign_key_check") == []


@pytest.fixture
def pair(conn: sqlite3.Connection) -> sqlite3.Connection:
    """Two players in two tournaments, of which one has a game."""
    conn.executescript("""
INSERT INTO tournament (description) VALUES ('Club'), ('Cup');
INSERT INTO player (name) VALUES ('A'), ('B');
INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1), (2, 1), (1, 2), (2, 2);
INSERT INTO round (tournament_id, round_number, white, black, result, last_updated)
  VALUES (1, 1, 1, 2, '1-0', '2020-01-01 20:00:00');
""")
    return conn


def test_status_and_last_round_follow_each_other(pair: sqlite3.Connection) -> None:
    """Clients such as DB Browser edit one cell at a time."""
    state = "SELECT status, last_round FROM x_player_tournament WHERE player_id = 1"
    for change, follows in (
        ("status = 'withdrawn'", ("withdrawn", 1)),
        ("status = 'active'", ("active", None)),
        ("last_round = 4", ("withdrawn", 4)),
        ("last_round = NULL", ("active", None)),
    ):
        pair.execute(f"UPDATE x_player_tournament SET {change} WHERE id = 1")
        assert pair.execute(state).fetchone() == follows


def test_who_has_a_seat_in_a_round_has_no_second_one(pair: sqlite3.Connection) -> None:
    """White or Black, in a new row and in one that is there: 1 and 2 play, 3 and 4, 5 does not."""
    pair.executescript("""
        INSERT INTO player (id, name) VALUES (3, 'C'), (4, 'D'), (5, 'E');
        INSERT INTO x_player_tournament (tournament_id, player_id) VALUES (1, 3), (1, 4), (1, 5);
        INSERT INTO round (id, tournament_id, round_number, white, black) VALUES (9, 1, 1, 3, 4);
    """)
    for seated in (1, 2):
        for white, black in ((seated, 5), (5, seated)):
            for statement in (
                f"new round (1, 1, {white}, {black}, NULL)",
                f"UPDATE round SET white = {white}, black = {black} WHERE id = 9",
            ):
                with pytest.raises(sqlite3.IntegrityError, match="already has a game"):
                    pair.execute(sql(statement))
    assert pair.execute("SELECT white, black FROM round").fetchall() == [(1, 2), (3, 4)]


def test_who_has_withdrawn_has_no_seat_and_no_absence_afterwards(
    pair: sqlite3.Connection,
) -> None:
    pair.executescript("UPDATE x_player_tournament SET last_round = 1 WHERE id = 1")
    for statement in ("new round (1, 2, 1, 2, NULL)", "new round (1, 2, 2, 1, NULL)",
                      "new unplayed (1, 2, 1, 'excused')"):  # fmt: skip
        with pytest.raises(sqlite3.IntegrityError, match="has withdrawn before"):
            pair.execute(sql(statement))


@pytest.mark.parametrize("how", ["IGNORE", "FAIL", "REPLACE"])
def test_no_board_is_left_and_none_is_taken(pair: sqlite3.Connection, how: str) -> None:
    pair.executescript(
        "INSERT INTO player (name) VALUES ('C'), ('D');"
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (3, 1), (4, 1);"
        "UPDATE round SET board = 99999;"
    )
    game = sql("new round (1, 1, 3, 4, '1-0')")
    with pytest.raises(sqlite3.IntegrityError, match="a board must be 1 to 99999"):
        pair.execute(game.replace("INSERT", f"INSERT OR {how}"))
    assert pair.execute("SELECT count(*) FROM round").fetchone() == (1,)
