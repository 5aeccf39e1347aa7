"""Files that were damaged past their triggers: `keizer check` finds and names each of them.

And `keizer migrate` makes none of them look sound: it refuses, or puts the file right.
"""

import shutil
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from keizer.cli import main
from keizer.store import sql
from keizer.store.fingerprint import FINGERPRINT
from tests.support.files import Client, Keizer, edit, rows, run_keizer

# ------------------------------------------------------------ a season with some of everything


def _round(db: Path, tournament: str, *results: str) -> None:
    run_keizer("next-round", db, "-t", tournament)
    run_keizer("publish-round", db, "-t", tournament)
    ((boards,),) = rows(
        db,
        "SELECT count(*) FROM pairings AS p JOIN tournament AS t ON t.id = tournament_id"
        f" WHERE description = '{tournament}' AND board AND round_number = (SELECT"
        " max(round_number) FROM round WHERE tournament_id = t.id)",
    )
    typed = "".join(f"{at + 1} {results[at % len(results)]}\n" for at in range(boards))
    run_keizer("result", db, "-", "-t", tournament, stdin=typed)


def _season(db: Path) -> None:
    """Ten players, two tournaments, four rounds: a row at least in every table."""
    run_keizer("init", db, "--name", "Club")
    for at, name in enumerate(
        ("Anna", "Boris", "Clara", "Daan", "Eva", "Frits", "Gina", "Hans", "Ilse")
    ):
        run_keizer("add", db, name, "--rating", 2000 - 100 * at)
    edit(
        db,
        "UPDATE player SET category = 'A', fide_id = 1000 + id, national_id = 'N' || id"
        " WHERE id <= 5",
        "UPDATE player SET category = 'B', federation = 'NED', sex = 'w', born = '1990-05-01'"
        " WHERE id > 5",
        "INSERT INTO inner_group (tournament_id, name, after_round, to_rank)"
        " VALUES (1, 'Champions', 2, 4)",
        "UPDATE tournament SET arbiter = 'Otto', city = 'Delft', time_control = '90 min'",
    )
    run_keizer("apart", db, "Anna", "Boris", "--name", "family")
    run_keizer("absent", db, "Ilse", "--by-default")
    run_keizer("present", db, "Ilse", "--round", "2")
    _round(db, "Club", "1-0", "=", "0-1")
    run_keizer("rules", db, "--for", "Hans", "excused=unexcused")
    run_keizer("absent", db, "Hans")
    run_keizer("correct", db, "Clara", "5", "--reason", "start points")
    _round(db, "Club", "0-1", "1-0", "1-0f")
    run_keizer("period", db, "3", "--name", "Spring")
    run_keizer("rules", db, "top_value=40", "win.points=2", "--yes")
    run_keizer("add", db, "Jan", "--rating", "1450")
    _round(db, "Club", "0-1", "1-0", "=")
    run_keizer("withdraw", db, "Daan")
    run_keizer("rules", db, "excused=0.25", "--yes")
    _round(db, "Club", "1-0", "0-1", "=")
    edit(
        db,
        "INSERT INTO relaxation (tournament_id, round_number, white, black, rule, amount, why)"
        " SELECT 1, 4, white, black, 'rematch_gap', 1, 'they met two rounds before' FROM round"
        " WHERE tournament_id = 1 AND round_number = 4 AND board = 1",
    )
    run_keizer("init", db, "--name", "Cup")
    order = ("match_games=3", "tiebreaks=points,sb,wins", "recalculation=settled")
    run_keizer("rules", db, *order, "-t", "Cup")
    for name in ("Anna", "Boris", "Clara", "Daan"):
        run_keizer("add", db, name, "-t", "Cup")
    _round(db, "Cup", "2-1", "=")
    _round(db, "Cup", "1-0", "=")
    run_keizer("backup", db, "--keep", 30)
    edit(db, "UPDATE tournament SET above = 1 WHERE id = 2")


class Season(NamedTuple):
    """A sound file, the same one without its triggers, and these."""

    sound: Path
    bare: Path
    triggers: list[tuple[Any, ...]]


_TRIGGERS = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE type = 'trigger'"


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Season:
    folder = tmp_path_factory.mktemp("season")
    sound, bare = folder / "sound.db", folder / "bare.db"
    _season(sound)
    shutil.copy(sound, bare)
    triggers = rows(bare, f"{_TRIGGERS} ORDER BY rowid")
    _write_schema(bare, ("DELETE FROM sqlite_schema WHERE type = 'trigger'", [()]))
    return Season(sound, bare, triggers)


def _write_schema(db: Path, *statements: tuple[str, list[tuple[Any, ...]]]) -> None:
    """Change what a file has of definitions, as text: nothing that is in it runs."""
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        (version,) = conn.execute("PRAGMA schema_version").fetchone()
        conn.execute("PRAGMA writable_schema = ON")
        conn.execute("BEGIN")
        for statement, cells in statements:
            conn.executemany(statement, cells)
        conn.execute(f"PRAGMA schema_version = {version + 1}")
        conn.execute("COMMIT")


_FORGED = """
INSERT INTO log (fact, row, state)
SELECT fact, row, state FROM _logged AS now WHERE state IS NOT
  (SELECT state FROM log WHERE fact = now.fact AND row = now.row ORDER BY id DESC LIMIT 1)
UNION ALL
SELECT fact, row, NULL FROM log
WHERE id IN (SELECT max(id) FROM log GROUP BY fact, row) AND state IS NOT NULL
  AND (fact, row) NOT IN (SELECT fact, row FROM _logged)
"""
"""The log says what the facts now are, as a migration that asked nothing would have it."""


def past_the_triggers(season: Season, db: Path, script: str, *, forged: bool) -> None:
    """A file of the season that was changed while it had no triggers."""
    shutil.copy(season.bare, db)
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        conn.execute("PRAGMA ignore_check_constraints = ON")
        conn.executescript(f"BEGIN; {script};")
        if forged:
            conn.execute(_FORGED)
        conn.execute("COMMIT")
    back = "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)"
    _write_schema(db, (back, season.triggers))
    if forged:  # and the lists are as the facts would have them, where they can be
        for tournament in (1, 2):
            with suppress(sqlite3.Error):
                edit(db, f"INSERT INTO revalue VALUES ({tournament}, 0)")


# ------------------------------------------------------------ facts that cannot be


FACTS = {
    # Texts that do not decode, or play tricks: one after the other, in every column.
    "latin-1 in a name": (
        "UPDATE player SET name = CAST(x'52656ee920536d6974' AS TEXT) WHERE id = 1",
        "row 1 of table player is refused: a text like this",
    ),
    "a lone surrogate in a category": (
        "UPDATE player SET category = CAST(x'41eda080' AS TEXT) WHERE id = 2",
        "row 2 of table player is refused: a text like this",
    ),
    "an overlong NUL in a national number": (
        "UPDATE player SET national_id = CAST(x'4ec08031' AS TEXT) WHERE id = 3",
        "row 3 of table player is refused: a text like this",
    ),
    "latin-1 in the name of a tournament": (
        "UPDATE tournament SET description = CAST(x'436cfc62' AS TEXT) WHERE id = 2",
        "row 2 of table tournament is refused: a text like this",
    ),
    "a lone surrogate in an arbiter": (
        "UPDATE tournament SET arbiter = CAST(x'4feda0806f' AS TEXT) WHERE id = 1",
        "row 1 of table tournament is refused: a text like this",
    ),
    "an overlong NUL in a kind": (
        "INSERT INTO scoring (id, tournament_id, kind)"
        " VALUES (77, 1, CAST(x'6cc08065' AS TEXT))",
        "row 77 of table scoring is refused: a text like this",
    ),
    "latin-1 in a reason": (
        "UPDATE correction SET reason = CAST(x'6361666520e9' AS TEXT)",
        "row 1 of table correction is refused: a text like this",
    ),
    "latin-1 in a folder": (
        "UPDATE backup SET folder = CAST(x'6be9' AS TEXT)",
        "row 1 of table backup is refused: a text like this",
    ),
    "latin-1 in the order of a table": (
        "UPDATE rules SET tiebreaks = 'score,previous' || CAST(x'e9' AS TEXT)"
        " WHERE tournament_id = 1",
        "row 1 of table rules is refused: tiebreaks is a list such as",
    ),
    "a NUL in the order of a table": (
        "UPDATE rules SET tiebreaks = 'score,previous' || char(0) WHERE tournament_id = 1",
        "row 1 of table rules is refused: tiebreaks is a list such as",
    ),
    "a lone surrogate in a period": (
        "UPDATE period SET name = CAST(x'eda080' AS TEXT)",
        "row 1 of table period is refused: a text like this",
    ),
    "an overlong NUL in a group": (
        "UPDATE inner_group SET name = CAST(x'43c080' AS TEXT)",
        "row 1 of table inner_group is refused: a text like this",
    ),
    "a text that turns its direction": (
        "UPDATE apart SET name = 'fam' || char(8238) || 'ily'",
        "row 2 of table apart is refused: a text like this",
    ),
    "a formula": (
        "UPDATE relaxation SET why = '=1+1'",
        "row 1 of table relaxation is refused: a text like this",
    ),
    "an obstacle of 300 characters": (
        "UPDATE passed_over SET obstacle = printf('%.300c', 'x') WHERE id = 2",
        "row 2 of table passed_over is refused: a text like this",
    ),
    # Who plays.
    "a rating that is no number": (
        "UPDATE player SET rating = 'strong' WHERE id = 4",
        "row 4 of table player is refused: a rating is a whole number",
    ),
    "a title in small letters": (
        "UPDATE player SET title = 'gm' WHERE id = 4",
        "row 4 of table player is refused: a title is up to three capitals",
    ),
    "a date of birth that there is not": (
        "UPDATE player SET born = '1990-13-01' WHERE id = 4",
        "row 4 of table player is refused: born is a year or a date",
    ),
    "no name": (
        "UPDATE player SET name = '' WHERE id = 4",
        "row 4 of table player is refused: a text like this",
    ),
    "a negative id": (
        "INSERT INTO player (id, name) VALUES (-1, 'Kim')",
        "row -1 of table player is refused: ids count from 1",
    ),
    "a member with a negative id": (
        "UPDATE player SET id = -9 WHERE id = 9; UPDATE x_player_tournament SET player_id = -9"
        " WHERE player_id = 9; UPDATE unplayed SET player_id = -9 WHERE player_id = 9;"
        " UPDATE round SET black = -9 WHERE black = 9; UPDATE coming SET player_id = -9",
        "row -9 of table player is refused: ids count from 1",
    ),
    "one FIDE number twice": (
        "UPDATE player SET fide_id = 1001 WHERE id = 5",
        "row 5 of table player is refused: another player has this FIDE number",
    ),
    "one national number twice": (
        "UPDATE player SET national_id = 'N1' WHERE id = 5",
        "row 5 of table player is refused: another player has this national number",
    ),
    "namesakes but for capitals": (
        "UPDATE player SET name = 'ANNA' WHERE id = 5",
        "row 5 of table player is refused: another player has this name in other capitals",
    ),
    # Tournaments and entries.
    "a tournament above itself": (
        "UPDATE tournament SET above = 1 WHERE id = 1",
        "row 1 of table tournament is refused: above is the id of another tournament",
    ),
    "above in a circle": (
        "UPDATE tournament SET above = 2 WHERE id = 1",
        "row 2 of table tournament is refused: above is the id of another tournament",
    ),
    "above is no tournament": (
        "UPDATE tournament SET above = 9 WHERE id = 1",
        "row 1 of table tournament is refused: above is the id of another tournament",
    ),
    "an unknown status of a tournament": (
        "UPDATE tournament SET status = 'over' WHERE id = 1",
        "row 1 of table tournament is refused: status is running or finished",
    ),
    "a status of the original": (
        "UPDATE tournament SET status = 'CLOSED' WHERE id = 1",
        "table tournament, id 1: status is 'CLOSED' and follows as 'finished'",
    ),
    "a tournament without rules": (
        "DELETE FROM rules WHERE tournament_id = 1",
        "row 1 of table tournament is refused: this tournament lacks its rules",
    ),
    "an entry of nobody": (
        "INSERT INTO x_player_tournament (id, player_id, tournament_id) VALUES (50, 99, 1)",
        "row 50 of table x_player_tournament is refused: unknown player",
    ),
    "an entry for nothing": (
        "INSERT INTO x_player_tournament (id, player_id, tournament_id) VALUES (50, 1, 7)",
        "row 50 of table x_player_tournament is refused: unknown tournament",
    ),
    "a game before the first round": (
        "UPDATE x_player_tournament SET first_round = 4 WHERE player_id = 10",
        "is refused: a player enters later or has withdrawn before",
    ),
    "a game after the last round": (
        "UPDATE x_player_tournament SET status = 'withdrawn', last_round = 2 WHERE id = 1",
        "is refused: a player enters later or has withdrawn before",
    ),
    "a bye before the first round": (
        "INSERT INTO unplayed (id, tournament_id, round_number, player_id, kind)"
        " VALUES (60, 1, 1, 10, 'excused')",
        "row 60 of table unplayed is refused: a player enters later",
    ),
    "withdrawn without a last round": (
        "UPDATE x_player_tournament SET status = 'withdrawn' WHERE id = 1",
        "table x_player_tournament, id 1: last_round is None and follows as 0",
    ),
    "active with a last round": (
        "UPDATE x_player_tournament SET status = 'active' WHERE id = 4",
        "table x_player_tournament, id 4: status is 'active' and follows as 'withdrawn'",
    ),
    "a first round of 0": (
        "UPDATE x_player_tournament SET first_round = 0 WHERE id = 1",
        "row 1 of table x_player_tournament is refused: a first round is 1 to 999",
    ),
    "absent as nothing known": (
        "UPDATE x_player_tournament SET absent_as = 'ill' WHERE id = 1",
        "row 1 of table x_player_tournament is refused: unknown kind of unplayed round",
    ),
    "coming before the first round": (
        "INSERT INTO coming (id, tournament_id, round_number, player_id) VALUES (40, 1, 2, 10)",
        "row 40 of table coming is refused: this player enters later",
    ),
    "junk in published_at": (
        "UPDATE schedule SET published_at = 'yesterday' WHERE id = 1",
        "row 1 of table schedule is refused: published_at is a moment",
    ),
    "a date that there is not": (
        "UPDATE schedule SET date = '2026-02-30' WHERE id = 1",
        "row 1 of table schedule is refused: a date is YYYY-MM-DD",
    ),
    # Games.
    "a player at two boards": (
        "UPDATE round SET white = 3 WHERE tournament_id = 1 AND round_number = 1 AND board = 2",
        "White already has a game or an unplayed round in this round",
    ),
    "a game of a player who sits out": (
        "INSERT INTO unplayed (id, tournament_id, round_number, player_id, kind)"
        " VALUES (60, 1, 1, 1, 'excused')",
        "row 60 of table unplayed is refused: this player already has a game",
    ),
    "a game of somebody not entered": (
        "UPDATE round SET white = 10 WHERE tournament_id = 2 AND id = 17",
        "row 17 of table round is refused: White did not enter this tournament",
    ),
    "a game of somebody unknown": (
        "UPDATE round SET black = 99 WHERE id = 1",
        "row 1 of table round is refused: Black did not enter this tournament",
    ),
    "a game against oneself": (
        "UPDATE round SET black = white WHERE id = 1",
        "row 1 of table round is refused: a player cannot meet",
    ),
    "a game at board 0": (
        "UPDATE round SET board = 0 WHERE id = 1",
        "row 1 of table round is refused: a board is 1 to 99999",
    ),
    "a game without a board": (
        "UPDATE round SET board = NULL WHERE id = 1",
        "table round, id 1: board is None and follows as",
    ),
    "a game of round 1000": (
        "UPDATE round SET round_number = 1000 WHERE id = 16",
        "row 16 of table round is refused: a round number is 1 to 999",
    ),
    "an unknown result": (
        "UPDATE round SET result = 'good' WHERE id = 1",
        "row 1 of table round is refused: unknown result",
    ),
    "a result in other words": (
        "UPDATE round SET result = '1:0' WHERE id = 2",
        "table round, id 2: result is '1:0' and follows as '1-0'",
    ),
    "a result of no time": (
        "UPDATE round SET last_updated = 'soon' WHERE id = 1",
        "row 1 of table round is refused: last_updated is a moment",
    ),
    "a colour for no reason": (
        "UPDATE round SET colour_by = 'whim' WHERE id = 1",
        "row 1 of table round is refused: colour_by is limit",
    ),
    "a match of too many games": (
        "UPDATE round SET white_wins = 9 WHERE id = 17",
        "row 17 of table round is refused: a match here has no more games",
    ),
    "a match that says otherwise": (
        "UPDATE round SET result = '0-1' WHERE id = 17",
        "table round, id 17: result is '0-1' and follows as '1-0'",
    ),
    "unplayed of an unknown kind": (
        "UPDATE unplayed SET kind = 'ill' WHERE id = 1",
        "row 1 of table unplayed is refused: unknown kind of unplayed round",
    ),
    "unplayed of an unknown tournament": (
        "UPDATE unplayed SET tournament_id = 7 WHERE id = 1",
        "row 1 of table unplayed is refused: this player did not enter this tournament",
    ),
    # Rules.
    "no scoring for wins": (
        "DELETE FROM scoring WHERE tournament_id = 1 AND kind = 'win'",
        "row 1 of table tournament is refused: this tournament lacks its rules, or a kind",
    ),
    "scoring for games of another kind": (
        "INSERT INTO scoring (id, tournament_id, kind, applies_to) VALUES (77, 1, 'big', 'game')",
        "row 77 of table scoring is refused: only a new kind of unplayed rounds",
    ),
    "a kind that counts with nothing known": (
        "UPDATE scoring SET counts_with = 'ill' WHERE kind = 'excused' AND tournament_id = 1",
        "of table scoring is refused: unknown kind of unplayed round",
    ),
    "a factor that is none": (
        "UPDATE scoring SET factor = '1/3/5' WHERE kind = 'bye' AND tournament_id = 1",
        "of table scoring is refused: a factor is a decimal",
    ),
    "a ladder that there is not": (
        "UPDATE rules SET ladder = 'up' WHERE tournament_id = 1",
        "row 1 of table rules is refused: ladder is top, bottom, range or score",
    ),
    "a top value that says nothing": (
        "UPDATE rules SET top_value = 'much' WHERE tournament_id = 1",
        "row 1 of table rules is refused: top_value is 0 to 100000",
    ),
    "an unknown tie-break": (
        "UPDATE rules SET tiebreaks = 'score,luck' WHERE tournament_id = 1",
        "row 1 of table rules is refused: tiebreaks has a name that",
    ),
    "an exception for an unknown kind": (
        "UPDATE personal SET counts_as = 'ill'",
        "row 1 of table personal is refused: unknown kind of unplayed round",
    ),
    "a correction of somebody not entered": (
        "UPDATE correction SET tournament_id = 2, player_id = 10",
        "row 1 of table correction is refused: this player did not enter this tournament",
    ),
    "a correction beyond all": (
        "UPDATE correction SET points = 1e9",
        "row 1 of table correction is refused: a correction is -100000 to 100000",
    ),
    "a period of an unknown way": (
        "UPDATE period SET scores = 'keep'",
        "row 1 of table period is refused: scores is carry or reset",
    ),
    "a group from its end to its beginning": (
        "UPDATE inner_group SET from_rank = 5",
        "row 1 of table inner_group is refused: a group ends below",
    ),
    "apart from nobody": (
        "UPDATE apart SET player_id = 10, tournament_id = 2 WHERE id = 1",
        "row 1 of table apart is refused: this player did not enter this tournament",
    ),
    # What a pairing was based on.
    "a rule given up for two who do not meet": (
        "UPDATE relaxation SET black = 10",
        "row 1 of table relaxation is refused: these two do not meet in this round",
    ),
    "a rule given up for who does not sit out": (
        "UPDATE relaxation SET black = NULL",
        "row 1 of table relaxation is refused: this player does not sit out",
    ),
    "passed over without a game": (
        "UPDATE passed_over SET player_id = 9 WHERE id = 3",
        "row 3 of table passed_over is refused: this player has no game in this round",
    ),
    "passed over by oneself": (
        "UPDATE passed_over SET nearer = player_id WHERE id = 3",
        "row 3 of table passed_over is refused: nobody is passed over",
    ),
    "two rows on snapshots": (
        "INSERT INTO backup (id) VALUES (2)",
        "row 2 of table backup is refused: there is one row on backups",
    ),
}  # fmt: skip
"""By what it is: the damage, and what `check` has to say of it."""


def found(keizer: Keizer, db: Path, named: str) -> None:
    """`check` fails, and says what it is."""
    said = keizer("check", db, fails=True)
    assert named in said.stdout + said.stderr


def facts(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table but the log, and the definitions."""
    listed = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('log', 'step')"
    return {
        "definitions": sorted(rows(db, "SELECT type, name, sql FROM sqlite_schema"), key=str),
        **{
            name: sorted(rows(db, f"SELECT * FROM {name}"), key=str) for (name,) in rows(db, listed)
        },
    }


@pytest.mark.parametrize("what", FACTS)
def test_a_fact_that_cannot_be_is_named_and_never_laundered(
    season: Season, tmp_path: Path, keizer: Keizer, what: str
) -> None:
    """Also where the log was forged to agree, and the lists to follow."""
    script, named = FACTS[what]
    db = tmp_path / "club.db"
    past_the_triggers(season, db, script, forged=True)
    found(keizer, db, named)
    before = db.read_bytes()
    keizer("migrate", db, fails=True)
    assert db.read_bytes() == before


LEGAL = {
    "a result": (
        "UPDATE round SET result = '0-1' WHERE id = 1",
        "row 1 of table round was changed",
    ),
    "a rule": (
        "UPDATE rules SET top_value = 70 WHERE tournament_id = 1",
        "row 1 of table rules was changed",
    ),
    "a start rating": (
        "UPDATE x_player_tournament SET rating = 2500 WHERE id = 1",
        "row 1 of table x_player_tournament was changed",
    ),
    "an id": ("UPDATE round SET id = 77 WHERE id = 1", "row 77 of table round was changed"),
    "a row that went": ("DELETE FROM correction", "row 1 of table correction went past the rules"),
    "a row that came": (
        "INSERT INTO correction (tournament_id, player_id, points) VALUES (1, 1, 100)",
        "row 2 of table correction was changed",
    ),
    "the log": ("DELETE FROM log", "row 1 of table player was changed"),
}
"""What the rules allow, but the log has otherwise."""


@pytest.mark.parametrize("what", LEGAL)
def test_a_fact_that_the_log_has_otherwise_is_named(
    season: Season, tmp_path: Path, keizer: Keizer, what: str
) -> None:
    script, named = LEGAL[what]
    db = tmp_path / "club.db"
    past_the_triggers(season, db, script, forged=False)
    found(keizer, db, named)
    before = db.read_bytes()
    assert "is not as the log has it" in keizer("migrate", db, fails=True).stdout
    assert db.read_bytes() == before


# ------------------------------------------------------------ what migrate may put right

MADE = {
    "a score": (
        "UPDATE ranking_list SET score_units = 1 WHERE tournament_id = 1 AND round_number = 4",
        "table ranking_list, tournament_id 1, round_number 4",
    ),
    "a list of a tournament that is gone": (
        "INSERT INTO ranking_list (tournament_id, round_number, player_id, rank)"
        " SELECT 9, round_number, player_id, rank FROM ranking_list WHERE tournament_id = 2",
        "table ranking_list, tournament_id 9",
    ),
    "a value of a tie-break": ("UPDATE tiebreak_value SET key = key + 1", "table tiebreak_value"),
    "an order": (
        "UPDATE tiebreak_order SET name = 'bh' WHERE name = 'sb'",
        "table tiebreak_order, tournament_id 2, position 1: name is 'bh'",
    ),
    "a settling": ("UPDATE settling SET passes = 99", "table settling, tournament_id 2"),
    "what an unplayed round counts as": (
        "UPDATE unplayed SET credited_as = NULL WHERE id = 4",
        "table unplayed, id 4: credited_as is None",
    ),
    "classical points": (
        "UPDATE x_player_tournament SET score = 99 WHERE id = 1",
        "table x_player_tournament, id 1: score is 99.0",
    ),
    "a revaluation left unfinished": (
        "UPDATE tournament SET revaluation = 'running' WHERE id = 1",
        "a revaluation was left unfinished",
    ),
    "who wins": (
        "UPDATE outcome SET white_kind = black_kind, black_kind = white_kind",
        "table outcome, result 1-0: white_kind is 'loss'",
    ),
    "how a result is spelled": (
        "UPDATE result_spelling SET result = '0-1' WHERE typed = '1-0'",
        "table result_spelling, typed 1-0",
    ),
    "what FIDE expects": (
        "UPDATE fide_expectation SET difference = 0 WHERE hundredths = 80",
        "table fide_expectation, hundredths 80: difference is 0",
    ),
    "a tie-break": (
        "UPDATE tiebreak SET lower_first = 1 WHERE name = 'sb'",
        "table tiebreak, name sb: lower_first is 1",
    ),
    "a trigger": ("DROP TRIGGER game_updated", "the trigger game_updated is missing"),
    "a view of another meaning": (
        "DROP VIEW results; CREATE VIEW results (tournament_id, player_id, score) AS"
        " SELECT tournament_id, player_id, 99 FROM x_player_tournament",
        "the view results is not as keizer made it",
    ),
    "a view": ("DROP VIEW standings", "the view standings is missing"),
    "an index": ("DROP INDEX games_with_white", "the index games_with_white is missing"),
    "view _code": (
        f"DROP VIEW _code; CREATE VIEW _code (fingerprint, names) AS SELECT '{FINGERPRINT}', 'x'",
        "the view _code is not as keizer made it",
    ),
}
CONSTANTS = ("who wins", "how a result is spelled", "what FIDE expects", "a tie-break")
DEFINITIONS = ("a trigger", "a view of another meaning", "a view", "an index", "view _code")


@pytest.mark.parametrize("what", MADE)
def test_what_follows_is_named_and_put_right(
    season: Season, tmp_path: Path, keizer: Keizer, what: str
) -> None:
    """Constants are changed, and the lists computed with them."""
    script, named = MADE[what]
    db = tmp_path / "club.db"
    if what in DEFINITIONS:
        shutil.copy(season.sound, db)
        edit(db, *script.split("; "))
    else:
        past_the_triggers(season, db, script, forged=what in CONSTANTS)
    found(keizer, db, named)
    keizer("migrate", db)
    assert "is sound" in keizer("check", db).stdout
    assert facts(db) == facts(season.sound)


# ------------------------------------------------------------ what is on record

RECORDS = {
    "a change of a rule that never was": (
        "INSERT INTO rule_change (log_id, tournament_id, round_number, rule, before, after)"
        " VALUES (9, 1, 2, 'step', 1, 2)",
        "table rule_change has a change that the log lacks, of step from 1 to 2",
    ),
    "a change of a rule that is gone": (
        "DELETE FROM rule_change WHERE id = 2",
        "table rule_change lacks a change that the log has, of win.points from 1 to 2",
    ),
    "a change of a rule from another value": (
        "UPDATE rule_change SET before = 99 WHERE id = 1",
        "table rule_change has a change that the log lacks, of top_value from 99 to 40",
    ),
    "a change of a rule that another line tells": (
        "UPDATE rule_change SET log_id = 9 WHERE id = 1",
        "table rule_change has a change that the log lacks, of top_value from",
    ),
    "a table on the wall of no change": (
        "INSERT INTO published VALUES (77, 1, 1, 1, 1, 1, 1)",
        "table published: a row is of a row of table rule_change that is not there",
    ),
    "a line of the log that is gone": (
        "DELETE FROM log WHERE id = 60",
        "table log: row 60 is missing",
    ),
    "a line of the log that does not decode": (
        "UPDATE log SET state = CAST(x'e9' AS TEXT) WHERE id ="
        " (SELECT min(id) FROM log WHERE fact = 'round')",
        "state is not readable",
    ),
    "a step that is gone": (
        "DELETE FROM step WHERE id = 20",
        "is of a row of table step that is not there",
    ),
}


@pytest.mark.parametrize("what", RECORDS)
def test_a_record_that_cannot_be_is_named_before_and_after_migrate(
    season: Season, tmp_path: Path, keizer: Keizer, what: str
) -> None:
    script, named = RECORDS[what]
    db = tmp_path / "club.db"
    past_the_triggers(season, db, script, forged=False)
    found(keizer, db, named)
    CliRunner().invoke(main, ["migrate", str(db)])
    found(keizer, db, named)


# ------------------------------------------------------------ copies by the sqlite3 shell


def test_a_dump_loaded_elsewhere_has_the_same_log_and_can_be_undone(
    season: Season, tmp_path: Path, keizer: Keizer, shell: Client
) -> None:
    """`.dump` leaves out two numbers in the head of the file, which schema.sql sets."""
    db, loaded = tmp_path / "club.db", tmp_path / "loaded.db"
    shutil.copy(season.sound, db)
    edit(
        db,
        "DELETE FROM apart WHERE id = 1",
        "DELETE FROM coming",
        "DELETE FROM unplayed WHERE id = 1",
    )
    keizer("correct", db, "Anna", "3", "-t", "Club")
    dumped = subprocess.run(
        ["sqlite3", str(db), ".dump"], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    subprocess.run(
        ["sqlite3", str(loaded)], input=dumped.stdout, text=True, check=True, encoding="utf-8"
    )
    assert rows(loaded, "PRAGMA application_id") == rows(loaded, "PRAGMA user_version") == [(0,)]
    assert "not a Keizer file" in keizer("check", loaded, fails=True).stderr
    heads = (f"PRAGMA application_id = {sql.APPLICATION_ID}", f"PRAGMA user_version = {sql.LAYOUT}")
    assert shell(loaded, [*heads]) == ["ok", "ok"]
    again(keizer, db, loaded)


@pytest.mark.parametrize("way", ["VACUUM", "VACUUM INTO '{}'", ".backup '{}'"])
def test_a_copy_by_the_shell_is_the_same_file(
    season: Season, tmp_path: Path, keizer: Keizer, shell: Client, way: str
) -> None:
    db, copy = tmp_path / "club.db", tmp_path / "copy.db"
    shutil.copy(season.sound, db)
    edit(db, "DELETE FROM apart WHERE id = 1", "DELETE FROM unplayed WHERE id = 1")
    keizer("correct", db, "Anna", "3", "-t", "Club")
    if way == "VACUUM":
        shutil.copy(db, copy)
    assert shell(copy if way == "VACUUM" else db, [way.format(copy)]) == ["ok"]
    again(keizer, db, copy)


def again(keizer: Keizer, db: Path, copy: Path) -> None:
    """A copy is sound, with the same log, and what was done last can be undone in it."""
    log = "SELECT * FROM log ORDER BY id"
    assert rows(copy, log) == rows(db, log)
    assert "is sound" in keizer("check", copy).stdout
    assert keizer("undo", copy).stdout == keizer("undo", db).stdout
    assert rows(copy, "SELECT * FROM correction") == rows(db, "SELECT * FROM correction")
    assert "is sound" in keizer("check", copy).stdout


def test_clone_of_the_shell_loses_rows_and_is_not_called_sound(
    season: Season, tmp_path: Path, keizer: Keizer
) -> None:
    """It counts generated columns among those that it fills: `.backup` is the way."""
    clone = tmp_path / "clone.db"
    subprocess.run(
        ["sqlite3", str(season.sound), f".clone {clone}"], capture_output=True, check=False
    )
    heads = (f"PRAGMA application_id = {sql.APPLICATION_ID}", f"PRAGMA user_version = {sql.LAYOUT}")
    edit(clone, *heads)
    assert rows(clone, "SELECT count(*) FROM round") == [(0,)]
    assert "is sound" not in keizer("check", clone, fails=True).stdout
