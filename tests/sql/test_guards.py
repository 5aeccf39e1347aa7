"""What makes no sense is refused by the file itself, in any client.

No client here has foreign keys on. Each case is an edit of a copy of
sample.db (players 1 to 10, two rounds) and a part of the sentence it gets.
"""

import re
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.files import ROOT, Client, dump, edit, rows
from tests.support.refused import MORE

NEW_ABSENCE = "INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES "
NEW_EXCEPTION = "INSERT INTO personal (tournament_id, player_id, kind, counts_as) VALUES "
NEW_COMING = "INSERT INTO coming (tournament_id, round_number, player_id) VALUES "
NEW_RELATIVE = "INSERT INTO apart (tournament_id, name, player_id) VALUES "
NEW_GROUP = "INSERT INTO inner_group (tournament_id, name, after_round, from_rank, to_rank) VALUES "
NEW_RELAXATION = (
    "INSERT INTO relaxation (tournament_id, round_number, white, black, rule, amount, why) VALUES "
)
NEW_PASSED_OVER = (
    "INSERT INTO passed_over (tournament_id, round_number, player_id, nearer, obstacle) VALUES "
)
NEW_GAME = "INSERT INTO round (tournament_id, round_number, white, black, result) VALUES "
TEXT = "a text like this has up to 200 characters in UTF-8"

IMPOSSIBLE = {
    "a player twice in a round": (NEW_GAME + "(1, 2, 1, 4, '1-0')", "already has a game"),
    "a game moved into the next round": (
        "UPDATE round SET round_number = 2 WHERE round_number = 1 AND board = 1",
        "already has a game",
    ),
    "a player who meets themselves": (NEW_GAME + "(1, 3, 5, 5, '1-0')", "meet_himself"),
    "an unknown player": (NEW_GAME + "(1, 3, 1, 77, '1-0')", "Black did not enter"),
    "an unknown player with White": (
        "UPDATE round SET white = 77 WHERE board = 1",
        "White did not enter",
    ),
    "an unknown tournament": (NEW_GAME + "(9, 3, 1, 2, '1-0')", "did not enter"),
    "an unknown result": (
        "UPDATE round SET result = '2-0' WHERE round_number = 1",
        "unknown result",
    ),
    "half a result": ("UPDATE round SET result = '1-' WHERE round_number = 1", "unknown result"),
    "a result with more behind it": (
        "UPDATE round SET result = '1-0' || char(0) || 'x' WHERE round_number = 1",
        "unknown result",
    ),
    "a round with none before it": (NEW_GAME + "(1, 7, 1, 4, '1-0')", "rounds follow one another"),
    "a bye with no round before it": (NEW_ABSENCE + "(1, 7, 1, 'bye')", "rounds follow one"),
    "a game moved past the next round": (
        "UPDATE round SET round_number = 7 WHERE round_number = 2 AND board = 1",
        "rounds follow one another",
    ),
    "a round without a number": (NEW_GAME + "(1, NULL, 1, 4, '1-0')", "NOT NULL"),
    "a round that is no number": (NEW_GAME + "(1, 'three', 1, 4, '1-0')", "a_round_number_is"),
    "round 0": (NEW_GAME + "(1, 0, 1, 4, '1-0')", "a_round_number_is"),
    "a board twice": (
        "INSERT INTO round (tournament_id, round_number, board, white, black)"
        " VALUES (1, 2, 1, 1, 2)",
        "already has a game",
    ),
    "a board twice, by update": (
        "UPDATE round SET board = 1 WHERE round_number = 1 AND board = 2",
        "already has a game",
    ),
    "text as rating": ("UPDATE player SET rating = 'strong' WHERE id = 1", "rating_is_a_whole"),
    "half a rating": ("UPDATE player SET rating = 1999.5 WHERE id = 1", "rating_is_a_whole"),
    "no name": ("UPDATE player SET name = '' WHERE id = 1", TEXT),
    "a blank name": ("UPDATE player SET name = ' ' WHERE id = 1", TEXT),
    "a player with games deleted": ("DELETE FROM player WHERE id = 1", "has entered a tournament"),
    "a player renumbered": ("UPDATE player SET id = 50 WHERE id = 1", "an id stays"),
    "an entry with games deleted": (
        "DELETE FROM x_player_tournament WHERE player_id = 1",
        "withdraw the player instead",
    ),
    "an entry given to another": (
        "UPDATE x_player_tournament SET player_id = 50 WHERE player_id = 1",
        "belongs to one player",
    ),
    "an entry twice": (
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1)",
        "already entered",
    ),
    "an entry of nobody": (
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (77, 1)",
        "unknown player",
    ),
    "a tournament that they did not enter": (NEW_GAME + "(2, 1, 1, 2, '1-0')", "did not enter"),
    "an unplayed round in one they did not enter": (
        NEW_ABSENCE + "(2, 1, 1, 'excused')",
        "did not enter",
    ),
    "a first round after a game": (
        "UPDATE x_player_tournament SET first_round = 2 WHERE player_id = 1",
        "before that first round",
    ),
    "a withdrawal before a game": (
        "UPDATE x_player_tournament SET last_round = 1 WHERE player_id = 1",
        "after that last round",
    ),
    "a status that is not": (
        "UPDATE x_player_tournament SET status = 'ill' WHERE player_id = 1",
        "status_is_active_or_withdrawn",
    ),
    "an unplayed round beside a game": (
        NEW_ABSENCE + "(1, 2, 1, 'excused')",
        "already has a game",
    ),
    "a kind that is not": (
        NEW_ABSENCE + "(1, 3, 1, 'asleep')",
        "unknown kind",
    ),
    "a kind of game as unplayed": (
        NEW_ABSENCE + "(1, 3, 1, 'win')",
        "unknown kind",
    ),
    "a tournament with players deleted": ("DELETE FROM tournament WHERE id = 1", "has players"),
    "the rules deleted": ("DELETE FROM rules", "a tournament has rules"),
    "a negative step": ("UPDATE rules SET step = -1", "step is 0 to 1000"),
    "a rule of another kind": (
        "UPDATE rules SET top_value = 'nn'",
        "[K](n-1)[+M] or ratio Q",
    ),
    "a negative top value": ("UPDATE rules SET top_value = -5", "[K](n-1)[+M] or ratio Q"),
    "a factor above 10": ("UPDATE scoring SET factor = 11 WHERE kind = 'win'", "a_factor_is"),
    "a factor in sevenths": ("UPDATE scoring SET factor = '1/7'", "a_factor_has_three_decimals"),
    "a factor by nothing": ("UPDATE scoring SET factor = '1/0'", "a_factor_is"),
    "a kind in use deleted": ("DELETE FROM scoring WHERE kind = 'win'", "in use"),
    "a kind renamed": ("UPDATE scoring SET kind = 'victory' WHERE kind = 'win'", "keeps its name"),
    "an outcome changed": ("UPDATE outcome SET white_kind = 'loss'", "the same in every file"),
    "an outcome deleted": ("DELETE FROM outcome", "the same in every file"),
    "a score typed in": (
        "UPDATE x_player_tournament SET score = 9 WHERE player_id = 1",
        "score is computed",
    ),
    "a ranking typed in": ("UPDATE ranking_list SET score_units = 0", "ranking_list is computed"),
    "a ranking deleted": ("DELETE FROM ranking_list", "ranking_list is computed"),
    "a game replaced": (
        "INSERT OR REPLACE INTO round (tournament_id, round_number, board, white, black)"
        " VALUES (1, 2, 1, 1, 2)",
        "already has a game",
    ),
    "a tournament replaced": (
        "INSERT OR REPLACE INTO tournament (id, description) VALUES (1, 'Other')",
        "this id is taken",
    ),
    "an entry replaced": (
        "INSERT OR REPLACE INTO x_player_tournament (player_id, tournament_id, first_round)"
        " VALUES (1, 1, 5)",
        "already entered",
    ),
    "an unknown ladder": ("UPDATE rules SET ladder = 'rope'", "top, bottom, range or score"),
    "an unknown mode": ("UPDATE rules SET recalculation = 'often'", "recalculation is classic"),
    "a mode in capitals": (
        "UPDATE rules SET recalculation = 'Classic'",
        "recalculation is classic",
    ),
    "an unknown tie-break": (
        "UPDATE rules SET tiebreaks = 'score,luck'",
        "tiebreaks has a name that table tiebreak",
    ),
    "a range upside down": (
        "UPDATE rules SET ladder = 'range', top_value = 10, bottom_value = 20",
        "bottom_value is at most top_value",
    ),
    "a score ladder from 2000": (
        "UPDATE rules SET top_value = 2000, ladder = 'score'",
        "at most 1000",
    ),
    "four decimals": ("UPDATE rules SET value_decimals = 4", "value_decimals is 0 to 3"),
    "no passes": ("UPDATE rules SET max_passes = 0", "max_passes is 1 to 10000"),
    "no places in a step": ("UPDATE rules SET places_per_step = 0", "places_per_step is 1"),
    "a ratio of 1": ("UPDATE rules SET top_value = 'ratio 1'", "ratio Q"),
    "a withdrawn factor of 11": (
        "UPDATE scoring SET withdrawn_factor = 11 WHERE kind = 'win'",
        "a_withdrawn_factor_is",
    ),
    "a cap in words": ("UPDATE scoring SET season_cap = 'five'", "season_cap is 0 to 999 or none"),
    "a cap below 0": ("UPDATE scoring SET period_cap = -1", "period_cap is 0 to 999"),
    "halving twice": ("UPDATE scoring SET halving = 2", "halving is 0 or 1"),
    "an unknown kind instead": (
        "UPDATE scoring SET instead = 'asleep' WHERE kind = 'excused'",
        "unknown kind",
    ),
    "a kind of game instead": (
        "UPDATE scoring SET counts_with = 'win' WHERE kind = 'excused'",
        "unknown kind",
    ),
    "a correction of nobody": (
        "INSERT INTO correction (tournament_id, player_id, points) VALUES (1, 77, 5)",
        "did not enter",
    ),
    "a correction of who did not enter": (
        "INSERT INTO correction (tournament_id, player_id, points) VALUES (1, 21, 5)",
        "did not enter",
    ),
    "a correction in words": (
        "INSERT INTO correction (tournament_id, player_id, points) VALUES (1, 1, 'many')",
        "a correction is",
    ),
    "an exception for nobody": (NEW_EXCEPTION + "(1, 77, 'bye', 'excused')", "did not enter"),
    "an exception for who did not enter": (
        NEW_EXCEPTION + "(1, 21, 'bye', 'excused')",
        "did not enter",
    ),
    "an exception of no kind": (NEW_EXCEPTION + "(1, 2, 'nap', 'bye')", "unknown kind"),
    "nobody kept apart": (NEW_RELATIVE + "(1, 'family', 77)", "did not enter"),
    "a stranger kept apart": (NEW_RELATIVE + "(1, 'family', 21)", "did not enter"),
    "a tie-break with more behind it": (
        "UPDATE rules SET tiebreaks = 'score,previous' || char(0)",
        "tiebreaks is a list",
    ),
    "an aim that is none": ("UPDATE rules SET aim = 'nearest'", "aim is closest or top-down"),
    "a strength that is none": ("UPDATE rules SET colour_run = 'firm'", "hard, soft or off"),
    "no meeting at all": ("UPDATE rules SET max_meetings = 0", "max_meetings is 1 to 999 or none"),
    "a bye that counts twice": ("UPDATE scoring SET counts_as_bye = 2", "counts_as_bye is 0 or 1"),
    "a period in round 0": (
        "INSERT INTO period (tournament_id, first_round) VALUES (1, 0)",
        "a_period_starts",
    ),
    "a period of no tournament": (
        "INSERT INTO period (tournament_id, first_round) VALUES (9, 2)",
        "unknown tournament",
    ),
    "a group upside down": (
        NEW_GROUP + "(1, 'Champions', 2, 6, 1)",
        "a_group_ends_below",
    ),
    "a settling typed in": (
        "INSERT INTO settling (tournament_id, round_number, passes) VALUES (1, 1, 1)",
        "is computed",
    ),
    "a player 0": ("INSERT INTO player (id, name) VALUES (0, 'Zero')", "ids_count_from_1"),
    "a player below 0": (
        "INSERT INTO player (rowid, name) VALUES (-1, 'Less')",
        "ids_count_from_1",
    ),
    "a player with games replaced": (
        "INSERT OR REPLACE INTO player (id, name) VALUES (1, 'Somebody')",
        "has entered a tournament",
    ),
    "a player who takes the place of another": (
        "UPDATE player SET id = 20 WHERE id = 21",
        "an id stays",
    ),
    "a player renumbered by another name": (
        "UPDATE player SET oid = 50 WHERE id = 1",
        "an id stays",
    ),
    "a row renumbered": ("UPDATE round SET rowid = 3 WHERE rowid = 5", "the id of a row stays"),
    "a row renumbered where there is room": (
        "UPDATE schedule SET id = 50 WHERE id = 1",
        "the id of a row stays",
    ),
    "a row in the place of another": (
        "INSERT OR REPLACE INTO round (id, tournament_id, round_number, white, black)"
        " VALUES (1, 1, 3, 1, 4)",
        "this id is taken",
    ),
    "a row 0": (
        "INSERT INTO unplayed (rowid, tournament_id, round_number, player_id, kind)"
        " VALUES (0, 1, 3, 1, 'bye')",
        "ids_count_from_1",
    ),
    "an entry renumbered": (
        "UPDATE x_player_tournament SET rowid = 2 WHERE player_id = 1",
        "the id of a row stays",
    ),
    "a kind renumbered": (
        "UPDATE scoring SET _rowid_ = 1 WHERE tournament_id = 1 AND kind = 'win'",
        "the id of a row stays",
    ),
    "rules of another tournament": (
        "UPDATE rules SET rowid = 2 WHERE tournament_id = 1",
        "the id of a row stays",
    ),
    "an unplayed round moved over another": (
        "UPDATE unplayed SET round_number = 3 WHERE round_number = 4",
        "already has an unplayed round",
    ),
    "a tournament above itself": ("UPDATE tournament SET above = 1 WHERE id = 1", "not below"),
    "a tournament above that is not": ("UPDATE tournament SET above = 9 WHERE id = 1", "above is"),
    "tournaments in a circle": ("UPDATE tournament SET above = 1 WHERE id = 2", "not below"),
    "a new tournament below nothing": (
        "INSERT INTO tournament (description, above) VALUES ('Third', 9)",
        "above is",
    ),
    "a tournament being computed": (
        "INSERT INTO tournament (description, revaluation) VALUES ('Third', 'running')",
        "kept by the file",
    ),
    "a tournament that is behind": ("UPDATE tournament SET stale_from = 1", "kept by the file"),
    "a tournament that is neither": (
        "UPDATE tournament SET status = 'paused' WHERE id = 1",
        "status_is_running_or_finished",
    ),
    "a picture as city": ("UPDATE tournament SET city = x'00' WHERE id = 1", TEXT),
    "who comes to nothing": (NEW_COMING + "(9, 3, 1)", "did not enter"),
    "who comes and did not enter": (NEW_COMING + "(1, 3, 21)", "did not enter"),
    "who comes before they enter": (NEW_COMING + "(1, 3, 20)", "enters later"),
    "who comes twice": (NEW_COMING + "(1, 6, 1)", "already said that they come"),
    "who comes to another round": (
        "UPDATE coming SET round_number = 9 WHERE round_number = 6",
        "delete the row and insert a new one",
    ),
    "a schedule of no tournament": (
        "UPDATE schedule SET tournament_id = 9 WHERE round_number = 2",
        "unknown tournament",
    ),
    "a schedule over another": (
        "UPDATE schedule SET round_number = 2 WHERE round_number = 3",
        "already has this round",
    ),
    "published some day": (
        "UPDATE schedule SET published_at = 'Friday' WHERE round_number = 2",
        "YYYY-MM-DD HH:MM:SS",
    ),
    "published on a day without a time": (
        "INSERT INTO schedule (tournament_id, round_number, published_at)"
        " VALUES (1, 9, '2026-02-01')",
        "YYYY-MM-DD HH:MM:SS",
    ),
    "a result written some day": (
        "UPDATE round SET last_updated = 'Friday' WHERE round_number = 1",
        "last_updated is a moment",
    ),
    "a game without a board": (
        "UPDATE round SET board = NULL WHERE round_number = 1 AND board = 1",
        "a board is 1 to",
    ),
    "a correction that ends before it begins": (
        "UPDATE correction SET last_round = 1",
        "not before its first",
    ),
    "a correction renumbered": (
        "UPDATE correction SET id = 2 WHERE id = 1",
        "the id of a row stays",
    ),
    "an exception over another": (
        "UPDATE personal SET kind = 'excused' WHERE kind = 'bye'",
        "already has an exception",
    ),
    "a relative twice": (
        "UPDATE apart SET player_id = 1 WHERE player_id = 2",
        "already one of them",
    ),
    "a period moved to no tournament": (
        "UPDATE period SET tournament_id = 9",
        "unknown tournament",
    ),
    "a period over another": (
        "UPDATE period SET first_round = 5 WHERE first_round = 8",
        "a period already starts in this round",
    ),
    "a group of no tournament": (
        NEW_GROUP + "(9, 'Champions', 2, 1, 6)",
        "unknown tournament",
    ),
    "a group over another": (
        "UPDATE inner_group SET name = 'Top' WHERE name = 'Rest'",
        "already has a group of this name",
    ),
    "shorter matches than were played": (
        "UPDATE rules SET match_games = 1 WHERE tournament_id = 1",
        "more games than that",
    ),
    "a rule given up for nobody": (
        NEW_RELAXATION + "(1, 1, 2, 1, 'rematch_gap', 1, 'so')",
        "do not meet",
    ),
    "a bye given up for who plays": (
        NEW_RELAXATION + "(1, 1, 1, NULL, 'bye_again', 1, 'so')",
        "does not sit out",
    ),
    "who was passed over by nobody": (
        NEW_PASSED_OVER + "(1, 9, 1, 2, 'fit')",
        "has no game",
    ),
    "who was passed over and is not there": (
        NEW_PASSED_OVER + "(1, 1, 1, 77, 'fit')",
        "did not enter",
    ),
    "who was passed over and did not enter": (
        NEW_PASSED_OVER + "(1, 1, 1, 21, 'fit')",
        "did not enter",
    ),
    "who was passed over by themselves": (
        NEW_PASSED_OVER + "(1, 1, 1, 1, 'fit')",
        "nobody_is_passed_over_by_themselves",
    ),
    "an order typed in": (
        "INSERT INTO tiebreak_order VALUES (1, 2, 'wins', 0)",
        "set in rules.tiebreaks",
    ),
    "an order deleted": ("DELETE FROM tiebreak_order", "set in rules.tiebreaks"),
    "an order rearranged": ("UPDATE tiebreak_order SET position = 5", "set in rules.tiebreaks"),
    "a tie-break without a name": (
        "INSERT INTO tiebreak VALUES ('', 'tiebreak_wins', 'x', 0, 0, 0, 'us')",
        "a tie-break has a new name",
    ),
    "a tie-break's figure typed in": (
        "INSERT INTO tiebreak_value VALUES (1, 1, 1, 1, 1, 1, 1)",
        "tiebreak_value is computed",
    ),
    "a value remembered by hand": ("INSERT INTO settling_value VALUES (1, 1, 1)", "is computed"),
    "a spelling of their own": (
        "INSERT INTO result_spelling VALUES ('won', '1-0')",
        "the same in every file",
    ),
    "a spelling turned round": (
        "UPDATE result_spelling SET result = '0-1' WHERE typed = '1-0'",
        "the same in every file",
    ),
    "a spelling deleted": ("DELETE FROM result_spelling", "the same in every file"),
    "FIDE's table changed": (
        "UPDATE fide_expectation SET difference = 1",
        "the same in every file",
    ),
    "a change of rules that never was": (
        "INSERT INTO rule_change (tournament_id, round_number, rule, before, after)"
        " VALUES (1, 9, 'step', 1, 2)",
        "change the rule",
    ),
    "a change of rules forgotten": ("DELETE FROM rule_change", "stay as they are"),
    "a table that was never on the wall": (
        "INSERT INTO published VALUES (1, 1, 1, 1, 1, 1000, 1000)",
        "put on record by the file",
    ),
    "a table taken off the wall": ("DELETE FROM published", "stay as they are"),
    "a refusal ignored": (
        "INSERT OR IGNORE INTO round (tournament_id, round_number, white, black)"
        " VALUES (1, 2, 1, 2)",
        "already has a game",
    ),
    # Names and other text.
    **{
        f"{what} in a name": (
            f"UPDATE player SET name = 'An' || {odd} || 'na' WHERE id = 1",
            TEXT,
        )
        for what, odd in {
            "a NUL": "char(0)",
            "a tab": "char(9)",
            "a line end": "char(10)",
            "the first control character": "char(1)",
            "the last control character": "char(31)",
            "a delete": "char(127)",
            "an escape of 8 bits": "char(155)",
            "a space without width": "char(8203)",
            "an end of paragraph": "char(8233)",
            "a change of direction": "char(8238)",
            "an isolated direction": "char(8294)",
            "a byte order mark": "char(65279)",
            "two spaces": "'  '",
            "201 characters": "replace(hex(zeroblob(99)), '0', 'x')",
            "a formula behind a comma": "',=1+1'",
            "a byte that is no UTF-8": "CAST(x'ff' AS TEXT)",
            "an end of a letter without its start": "CAST(x'a9' AS TEXT)",
        }.items()
    },
    **{
        f"{odd} as a name": (f"UPDATE player SET name = {odd} WHERE id = 1", TEXT)
        for odd in (
            "x'416e6e61'", "char(0, 65)", "'Anna ' || char(0)", "' Anna'", "'Anna '", "'=1+1'",
            "'+49'", "'-x'", "'@SUM(A1)'", "char(9) || '=1'", "char(65309) || '1'",
        )
    },
    **{
        f"{odd} as {said}": (statement.format(odd), TEXT)
        for said, statement in {
            "a category": "UPDATE player SET category = {}",
            "a national id": "UPDATE player SET national_id = {} WHERE id = 1",
            "a tournament's name": "UPDATE tournament SET description = {}",
            "a city": "UPDATE tournament SET city = {}",
            "an arbiter": "UPDATE tournament SET arbiter = {}",
            "a time control": "UPDATE tournament SET time_control = {}",
            "a reason": "INSERT INTO correction (tournament_id, player_id, points, reason)"
                        " VALUES (1, 1, 1, {})",
            "a kind": "INSERT INTO scoring (tournament_id, kind) VALUES (1, {})",
            "a period's name": "INSERT INTO period (tournament_id, first_round, name)"
                               " VALUES (1, 2, {})",
            "a group's name": NEW_GROUP + "(1, {}, 2, 1, 3)",
            "what they share": NEW_RELATIVE + "(1, {}, 1)",
            "a rule given up": NEW_RELAXATION + "(1, 1, 1, 6, {}, 1, 'so')",
            "an obstacle": NEW_PASSED_OVER + "(1, 1, 1, 2, {})",
            "a folder": "INSERT INTO backup (id, folder) VALUES (1, {})",
        }.items()
        for odd in ("'x' || char(0)", "'x' || char(10) || 'y'", "x'78'", "'x  y'", "char(8238)")
        if (said, odd) != ("a folder", "'x  y'")  # as somebody's may be called
    },
    "a title with more behind it": (
        "UPDATE player SET title = 'GM' || char(0) || 'x' WHERE id = 1", "a title is up to three",
    ),
    "a federation with more behind it": (
        "UPDATE player SET federation = 'NED' || char(0) || 'x' WHERE id = 1", "a federation is",
    ),
    "a year with more behind it": (
        "UPDATE player SET born = '1990' || char(0) || 'x' WHERE id = 1", "born is a year",
    ),
    "a tournament's federation of bytes": (
        "UPDATE tournament SET federation = x'4e4544'", "a tournament's federation is three",
    ),
    "a name in other capitals": ("INSERT INTO player (name) VALUES ('JOHNSON')", "other capitals"),
    "a player renamed to another": (
        "UPDATE player SET name = 'smiTH' WHERE name = 'Johnson'", "other capitals",
    ),
    "a name in other capitals, replacing": (
        "INSERT OR REPLACE INTO player (id, name) VALUES (77, 'johnson')", "other capitals",
    ),
    "a player replaced": (
        "INSERT OR REPLACE INTO player (id, name) VALUES (1, 'Somebody')", "or leave the id out",
    ),
    "a FIDE number for all": ("UPDATE player SET fide_id = 5", "has this FIDE number"),
    "a FIDE number twice": (
        "INSERT INTO player (name, fide_id) VALUES ('One', 5), ('Two', 5)", "has this FIDE number",
    ),
    "a national number for all": ("UPDATE player SET national_id = 5", "has this national number"),
    "a national number twice": (
        "INSERT OR REPLACE INTO player (name, national_id) VALUES ('One', 5), ('Two', '5')",
        "has this national number",
    ),
}  # fmt: skip


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """sample.db with a second tournament that nobody entered."""
    db = Path(shutil.copy(ROOT / "sample.db", tmp_path / "two.db"))
    edit(db, "INSERT INTO tournament (description) VALUES ('Second')")
    return db


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """sample.db with two tournaments and something in every table of facts."""
    db = Path(shutil.copy(ROOT / "sample.db", tmp_path / "full.db"))
    with closing(sqlite3.connect(db)) as conn:
        conn.executescript(MORE)
    return db


def refused(client: Client, db: Path, statements: Mapping[str, tuple[str, str]]) -> None:
    """Assert that each is refused with its sentence, and that nothing has changed."""
    before = dump(db)
    said = client(db, [statement for statement, _ in statements.values()])
    missed = {
        name: answer
        for (name, (_, sentence)), answer in zip(statements.items(), said, strict=True)
        if not answer.startswith("refused: ") or sentence not in answer
    }
    assert missed == {}
    assert dump(db) == before


def test_impossible_edits_are_refused_with_a_sentence(client: Client, full: Path) -> None:
    refused(client, full, IMPOSSIBLE)


@pytest.mark.parametrize("pragma", ["foreign_keys", "recursive_triggers"])
def test_replacing_is_refused_as_well(full: Path, pragma: str) -> None:
    """The same edits, OR REPLACE: whether triggers see the row that would go or not."""
    replacing = {
        name: (re.sub("^(INSERT|UPDATE)( OR [A-Z]+)?", r"\1 OR REPLACE", statement), "")
        for name, (statement, _) in IMPOSSIBLE.items()
        if not statement.startswith("DELETE")
    }

    def python(db: Path, statements: list[str]) -> list[str]:
        with closing(sqlite3.connect(db, isolation_level=None)) as conn:
            conn.execute(f"PRAGMA {pragma} = ON")
            return [answer(conn, statement) for statement in statements]

    refused(python, full, replacing)


def answer(conn: sqlite3.Connection, statement: str) -> str:
    """Nothing in particular, or why it was refused."""
    try:
        conn.execute(statement)
    except sqlite3.IntegrityError as error:
        return f"refused: {error}"
    return "ok"


def test_every_table_is_named_by_an_impossible_edit(full: Path) -> None:
    tables = rows(full, "SELECT name FROM sqlite_master WHERE type = 'table'")
    statements = " ".join(statement for statement, _ in IMPOSSIBLE.values())
    named = re.findall(r"(?:INTO|UPDATE|FROM) (\w+)", statements)
    missed = {name for (name,) in tables} - {*named} - {"log", "step", "backup"}
    assert {name for name in missed if not name.startswith("sqlite_")} == set()


POSSIBLE = [
    NEW_GAME + "(1, 3, 1, 4, NULL)",
    "UPDATE round SET result = '½-½' WHERE round_number = 3",
    "UPDATE round SET result = '1-0 ' WHERE round_number = 3",
    "UPDATE round SET result = '1/2-1/2' WHERE round_number = 3",
    "UPDATE round SET result = 'void' WHERE round_number = 3",
    "UPDATE round SET board = 9 WHERE round_number = 3",
    NEW_ABSENCE + "(1, 3, 5, 'club duty')",
    "UPDATE unplayed SET kind = 'bye' WHERE player_id = 5",
    "DELETE FROM unplayed WHERE player_id = 5",
    "INSERT INTO scoring (tournament_id, kind, factor) VALUES (1, 'late notice', '1/6')",
    NEW_ABSENCE + "(1, 3, 5, 'late notice')",
    "UPDATE scoring SET factor = 0.25 WHERE kind = 'late notice'",
    "UPDATE player SET name = 'Harry Johnson', rating = 2300, category = 'A' WHERE id = 1",
    "UPDATE round SET result = '' WHERE round_number = 3",
    "UPDATE x_player_tournament SET status = 'withdrawn' WHERE player_id = 4",
    "UPDATE x_player_tournament SET status = 'active' WHERE player_id = 4",
    "UPDATE x_player_tournament SET last_round = 3 WHERE player_id = 4",
    "INSERT INTO player (name) VALUES ('Newcomer')",
    "UPDATE player SET name = 'HARRY Johnson', fide_id = 5, national_id = '5' WHERE id = 1",
    "UPDATE player SET name = 'Harry Johnson', fide_id = 5, national_id = '5' WHERE id = 1",
    "UPDATE player SET name = '''t Hart, =' || char(128105, 65039) WHERE id = 2",
    "INSERT INTO player (name) VALUES ('Harry Johnson')",
    "DELETE FROM player WHERE id = 12",
    "INSERT INTO x_player_tournament (player_id, tournament_id, first_round) VALUES (11, 1, 4)",
    "DELETE FROM x_player_tournament WHERE player_id = 11",
    "UPDATE tournament SET description = 'Renamed', status = 'finished' WHERE id = 1",
    "UPDATE rules SET top_value = 60, rematch_gap = 0",
    "UPDATE rules SET recalculation = 'settled', last_resort = 'shared', koya = -1",
    "UPDATE rules SET top_value = 200, bottom_value = 100",
    "UPDATE rules SET ladder = 'score', score_decimals = 2",
    "UPDATE rules SET recalculation = 'latest', withdrawn = 'out'",
    "UPDATE rules SET ladder = 'top', top_value = 'ratio 3', recalculation = 'lagged'",
    "UPDATE rules SET top_value = 60, withdrawn = 'listed', recalculation = 'classic'",
    "UPDATE scoring SET season_cap = 1, halving = 1, instead = 'club duty' WHERE kind = 'bye'",
    "INSERT INTO correction (tournament_id, player_id, points, reason) VALUES (1, 4, -2.5, 'so')",
    NEW_EXCEPTION + "(1, 5, 'excused', 'late notice')",
    "INSERT INTO period (tournament_id, first_round, scores) VALUES (1, 2, 'reset')",
    "UPDATE period SET start = 'rating'",
    "DELETE FROM period",
    "DELETE FROM personal",
    "DELETE FROM correction",
    NEW_GROUP + "(1, 'Champions', 1, 1, 4)",
    NEW_RELATIVE + "(1, 'family', 1)",
    NEW_RELATIVE + "(1, 'family', 2)",
    "DELETE FROM apart",
    "UPDATE rules SET system = 'swiss', aim = 'top-down', max_meetings = NULL, colour_run = 'off'",
    "UPDATE scoring SET counts_as_bye = 1 WHERE kind = 'excused'",
    "DELETE FROM round WHERE round_number = 3",
    "INSERT INTO tournament (description) VALUES ('Third')",
    "DELETE FROM tournament WHERE description = 'Third'",
]


def test_sensible_edits_are_accepted_and_revalued(client: Client, two: Path) -> None:
    assert client(two, POSSIBLE) == ["ok"] * len(POSSIBLE)
    conn = sqlite3.connect(two)
    assert conn.execute("SELECT problem FROM problems").fetchall() == []
    top = "SELECT max(value) FROM current_standings WHERE tournament_id = 1"
    assert conn.execute(top).fetchone() == (60,)
    conn.close()


def test_status_and_last_round_follow_each_other(conn: sqlite3.Connection) -> None:
    """Clients such as DB Browser edit one cell at a time."""
    conn.executescript(
        "INSERT INTO tournament (description) VALUES ('Club');"
        "INSERT INTO player (name) VALUES ('A'), ('B');"
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1), (2, 1);"
        "INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, 1, 1, 2);"
    )
    state = "SELECT status, last_round FROM x_player_tournament WHERE player_id = 1"
    for change, follows in (
        ("status = 'withdrawn'", ("withdrawn", 1)),
        ("status = 'active'", ("active", None)),
        ("last_round = 4", ("withdrawn", 4)),
        ("last_round = NULL", ("active", None)),
    ):
        conn.execute(f"UPDATE x_player_tournament SET {change} WHERE player_id = 1")
        assert conn.execute(state).fetchone() == follows


def test_an_emptied_result_is_an_open_game(conn: sqlite3.Connection) -> None:
    """The Delete key of DB Browser writes an empty text."""
    conn.executescript(
        "INSERT INTO tournament (description) VALUES ('Club');"
        "INSERT INTO player (name) VALUES ('A'), ('B');"
        "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1), (2, 1);"
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, 1, 1, 2, '1-0'); UPDATE round SET result = '';"
    )
    assert conn.execute("SELECT result FROM round").fetchone() == (None,)
    assert conn.execute("SELECT max(points) FROM current_standings").fetchone() == (0,)


TWO_OF_TWO = """
INSERT INTO tournament (description) VALUES ('Club'), ('Cup');
INSERT INTO player (name) VALUES ('A'), ('B');
INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (1, 1), (2, 1), (1, 2), (2, 2);
INSERT INTO round (tournament_id, round_number, white, black, result, last_updated)
  VALUES (1, 1, 1, 2, '1-0', '2020-01-01 20:00:00');
"""


def test_a_kind_stays_one_of_its_tournament_when_the_row_moves(conn: sqlite3.Connection) -> None:
    conn.executescript(TWO_OF_TWO)
    conn.execute("INSERT INTO scoring (tournament_id, kind, factor) VALUES (1, 'referee', 0.5)")
    conn.execute(NEW_ABSENCE + "(1, 2, 1, 'referee')")
    conn.execute(NEW_EXCEPTION + "(1, 1, 'excused', 'referee')")
    for table in ("unplayed", "personal"):
        with pytest.raises(sqlite3.IntegrityError, match="unknown kind of unplayed round"):
            conn.execute(f"UPDATE {table} SET tournament_id = 2")


def test_a_date_that_somebody_gave_stays_however_the_result_is_spelled(
    conn: sqlite3.Connection,
) -> None:
    conn.executescript(TWO_OF_TWO)
    now = "SELECT result, last_updated FROM round"
    for number, (typed, result) in enumerate(
        [("1/2", "½-½"), ("0:1", "0-1"), ("=", "½-½"), ("1-0", "1-0")], 1
    ):
        given = f"202{number}-01-01 20:00:00"
        conn.execute("UPDATE round SET result = ?, last_updated = ?", (typed, given))
        assert conn.execute(now).fetchone() == (result, given)
    conn.execute("UPDATE round SET result = '0:1'")
    assert conn.execute(now).fetchone()[1] > "2025"
    conn.execute(
        NEW_GAME.replace("result)", "result, last_updated)")
        + ("(1, 2, 2, 1, '1/2', '2020-02-01 20:00:00')")
    )
    (last,) = conn.execute("SELECT max(last_updated) FROM round WHERE round_number = 2").fetchone()
    assert last == "2020-02-01 20:00:00"


def test_nothing_comes_on_the_wall_afterwards(conn: sqlite3.Connection) -> None:
    """Neither a list that is made by the new rules, nor one of a round that was played since."""
    conn.executescript(TWO_OF_TWO)
    stale = "UPDATE tournament SET revaluation = 'suspended' WHERE id = 1"
    for statement in (
        stale, "UPDATE round SET result = '0-1'",
        "UPDATE rules SET step = 3 WHERE tournament_id = 1",
        "UPDATE tournament SET revaluation = 'on' WHERE id = 1",
        NEW_GAME + "(1, 2, 2, 1, '1-0')",
    ):  # fmt: skip
        conn.execute(statement)
    assert conn.execute("SELECT count(*) FROM rule_change").fetchone() == (1,)
    for number in (0, 1, 2):
        with pytest.raises(sqlite3.IntegrityError, match="put on record by the file"):
            conn.execute(
                "INSERT INTO published SELECT 1, tournament_id, round_number, player_id, rank,"
                " value, score FROM ranking_list WHERE tournament_id = 1 AND round_number = ?",
                (number,),
            )


@pytest.mark.parametrize("how", ["IGNORE", "FAIL", "REPLACE"])
def test_no_board_is_left_and_none_is_taken(conn: sqlite3.Connection, how: str) -> None:
    conn.executescript(TWO_OF_TWO)
    conn.execute("INSERT INTO player (name) VALUES ('C'), ('D')")
    conn.execute("INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (3, 1), (4, 1)")
    conn.execute("UPDATE round SET board = 99999")
    with pytest.raises(sqlite3.IntegrityError, match="a board is 1 to 99999"):
        conn.execute(NEW_GAME.replace("INSERT", f"INSERT OR {how}") + "(1, 1, 3, 4, '1-0')")
    assert conn.execute("SELECT count(*) FROM round").fetchone() == (1,)


def test_nothing_is_refused_that_foreign_keys_allow(two: Path) -> None:
    """With foreign keys on the same sensible edits pass."""
    conn = sqlite3.connect(two, isolation_level=None)
    conn.execute("PRAGMA foreign_keys = ON")
    for statement in POSSIBLE:
        conn.execute(statement)
    assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
    conn.close()


MOVES = [
    "INSERT INTO player (id, name, rating) VALUES (21, 'Visitor', 1950)"
    " ON CONFLICT (id) DO UPDATE SET rating = excluded.rating",
    "DELETE FROM coming WHERE round_number = 7",
    "INSERT INTO coming (tournament_id, round_number, player_id) VALUES (1, 8, 1)",
    "UPDATE schedule SET round_number = 4, published_at = '2026-02-01 19:30:00'"
    " WHERE round_number = 3",
    "UPDATE round SET round_number = 3 WHERE round_number = 2 AND board = 5",
    "UPDATE round SET board = 1, last_updated = CURRENT_TIMESTAMP WHERE round_number = 3",
    "UPDATE OR REPLACE unplayed SET round_number = 2 WHERE round_number = 4 AND player_id = 5",
    "UPDATE unplayed SET round_number = 5 WHERE round_number = 4",
    "UPDATE unplayed SET kind = 'bye' WHERE round_number = 3",
    "UPDATE personal SET counts_as = 'club duty' WHERE kind = 'excused'",
    "UPDATE OR REPLACE personal SET player_id = 6",
    "UPDATE correction SET points = 7, last_round = 2",
    "UPDATE correction SET player_id = 4, round_number = 1",
    "UPDATE period SET first_round = 2, scores = 'reset' WHERE first_round = 5",
    "UPDATE OR REPLACE period SET first_round = 3 WHERE first_round = 2",
    "UPDATE inner_group SET to_rank = 2 WHERE name = 'Top'",
    "UPDATE apart SET name = 'team' WHERE player_id = 2",
    "UPDATE x_player_tournament SET first_round = 3, start_rank = 1 WHERE player_id = 20",
    "INSERT OR REPLACE INTO x_player_tournament (tournament_id, player_id) VALUES (2, 21)",
    "UPDATE tournament SET above = NULL WHERE id = 1",
    "UPDATE tournament SET above = 1 WHERE id = 2",
    "UPDATE rules SET match_games = 2 WHERE tournament_id = 1",
    "UPDATE tournament SET revaluation = 'suspended', stale_from = 0",
    "UPDATE round SET white = black, black = white WHERE round_number = 2",
    "UPDATE tournament SET revaluation = 'on'",
    "DELETE FROM x_player_tournament WHERE player_id = 20",
    "DELETE FROM player WHERE id = 20",
    "DELETE FROM x_player_tournament WHERE player_id = 21",
    "DELETE FROM tournament WHERE id = 2",
]
"""Keys, dates and people moved to where there is room."""

FACTS = {
    "tournament": "revaluation, stale_from, above", "player": "", "scoring": "", "period": "",
    "x_player_tournament": "score", "correction": "", "personal": "", "inner_group": "",
    "apart": "", "coming": "", "schedule": "", "round": "",
    "unplayed": "credited_as, halvings",
}  # fmt: skip
"""In an order in which they can be written, with the columns that the file keeps."""


def written_anew(conn: sqlite3.Connection, empty: sqlite3.Connection) -> sqlite3.Connection:
    """A file that was never edited: it only ever got the facts there are now."""
    new = sqlite3.connect(":memory:", isolation_level=None)
    empty.backup(new)
    for table, kept in FACTS.items():
        columns = [
            name
            for (name,) in conn.execute(
                f"SELECT name FROM pragma_table_xinfo('{table}') WHERE NOT hidden"
            )
            if name not in kept.split(", ")
        ]
        facts = conn.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        if table == "scoring":
            there = {row for (row,) in new.execute("SELECT id FROM scoring")}
            facts = [row for row in facts if row[0] not in there]
        new.executemany(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
            facts,
        )
        if table == "tournament":
            new.execute("UPDATE tournament SET revaluation = 'suspended'")
            chosen = "SELECT top_value, match_games, koya, tournament_id FROM rules"
            new.executemany(
                "UPDATE rules SET top_value = ?, match_games = ?, koya = ? WHERE tournament_id = ?",
                conn.execute(chosen).fetchall(),
            )
    new.execute("UPDATE tournament SET revaluation = 'on'")
    return new


TABLES = (
    "SELECT * FROM ranking_list",
    "SELECT tournament_id, player_id, score FROM x_player_tournament ORDER BY 1, 2",
    "SELECT tournament_id, round_number, player_id, credited_as FROM unplayed ORDER BY 1, 2, 3",
)


def test_what_moves_is_revalued(full: Path, conn: sqlite3.Connection) -> None:
    """Each leads to the tables of a file that had it so from the beginning."""
    changed = set()
    with closing(sqlite3.connect(full, isolation_level=None)) as moved:
        tables = [moved.execute(query).fetchall() for query in TABLES]
        for move in MOVES:
            moved.execute(move)
            if moved.execute("SELECT max(revaluation) FROM tournament").fetchone() != ("on",):
                continue
            now = [moved.execute(query).fetchall() for query in TABLES]
            with closing(written_anew(moved, conn)) as new:
                assert (move, now) == (move, [new.execute(query).fetchall() for query in TABLES])
            assert moved.execute("SELECT * FROM problems").fetchall() == []
            if now != tables:
                changed.add(move)
            tables = now
    assert len(changed) >= 12
