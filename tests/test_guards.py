"""What makes no sense is refused by the file itself, in any client.

No client here has foreign keys on. Each case is an edit of a copy of
sample.db (players 1 to 10, two rounds) and a part of the sentence it gets.
"""

import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.conftest import ROOT, Client
from tests.test_published import dump

NEW_ABSENCE = "INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES "
NEW_GAME = "INSERT INTO round (tournament_id, round_number, white, black, result) VALUES "

IMPOSSIBLE = {
    "a player twice in a round": (NEW_GAME + "(1, 2, 1, 4, '1-0')", "already has a game"),
    "a game moved into a round of his": (
        "UPDATE round SET round_number = 2 WHERE round_number = 1 AND board = 1",
        "already has a game",
    ),
    "a player who meets himself": (NEW_GAME + "(1, 3, 5, 5, '1-0')", "meet_himself"),
    "an unknown player": (NEW_GAME + "(1, 3, 1, 77, '1-0')", "unknown player with Black"),
    "an unknown player with White": (
        "UPDATE round SET white = 77 WHERE board = 1",
        "unknown player with White",
    ),
    "an unknown tournament": (NEW_GAME + "(9, 3, 1, 2, '1-0')", "unknown tournament"),
    "an unknown result": (
        "UPDATE round SET result = '2-0' WHERE round_number = 1",
        "unknown result",
    ),
    "a result with a blank": (
        "UPDATE round SET result = '1-0 ' WHERE round_number = 1",
        "unknown result",
    ),
    "another spelling of a draw": (
        "UPDATE round SET result = '1/2-1/2' WHERE round_number = 1",
        "unknown result",
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
    "no name": ("UPDATE player SET name = ' ' WHERE id = 1", "a_player_has_a_name"),
    "a player with games deleted": ("DELETE FROM player WHERE id = 1", "has entered a tournament"),
    "a player renumbered": ("UPDATE player SET id = 50 WHERE id = 1", "his id stays"),
    "an entry with games deleted": (
        "DELETE FROM x_player_tournament WHERE player_id = 1",
        "withdraw him instead",
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
    "a tournament that he did not enter": (NEW_GAME + "(2, 1, 1, 2, '1-0')", "did not enter"),
    "an unplayed round in one he did not enter": (
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
    "a ranking typed in": ("UPDATE ranking SET score_units = 0", "the ranking is computed"),
    "a ranking deleted": ("DELETE FROM ranking", "the ranking is computed"),
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
    "a correction in words": (
        "INSERT INTO correction (tournament_id, player_id, points) VALUES (1, 1, 'many')",
        "a correction is",
    ),
    "an exception for nobody": ("INSERT INTO personal VALUES (1, 77, 'bye', 'excused')", "enter"),
    "an exception of no kind": ("INSERT INTO personal VALUES (1, 1, 'nap', 'bye')", "unknown kind"),
    "nobody kept apart": ("INSERT INTO apart VALUES (1, 'family', 77)", "did not enter"),
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
        "a known tournament",
    ),
    "a group upside down": (
        "INSERT INTO inner_group VALUES (1, 'Champions', 2, 6, 1)",
        "a_group_ends_below",
    ),
    "a settling typed in": (
        "INSERT INTO settling (tournament_id, round_number, passes) VALUES (1, 1, 1)",
        "is computed",
    ),
    "a refusal ignored": (
        "INSERT OR IGNORE INTO round (tournament_id, round_number, white, black)"
        " VALUES (1, 2, 1, 2)",
        "already has a game",
    ),
}


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """sample.db with a second tournament that nobody entered."""
    db = Path(shutil.copy(ROOT / "sample.db", tmp_path / "two.db"))
    conn = sqlite3.connect(db)
    conn.execute("INSERT INTO tournament (description) VALUES ('Second')")
    conn.commit()
    conn.close()
    return db


def test_impossible_edits_are_refused_with_a_sentence(client: Client, two: Path) -> None:
    before = dump(two)
    said = client(two, [statement for statement, _ in IMPOSSIBLE.values()])
    missed = {
        name: answer
        for (name, (_, sentence)), answer in zip(IMPOSSIBLE.items(), said, strict=True)
        if not answer.startswith("refused: ") or sentence not in answer
    }
    assert missed == {}
    assert dump(two) == before


POSSIBLE = [
    NEW_GAME + "(1, 3, 1, 4, NULL)",
    "UPDATE round SET result = '½-½' WHERE round_number = 3",
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
    "INSERT INTO personal VALUES (1, 5, 'excused', 'late notice')",
    "INSERT INTO period (tournament_id, first_round, scores) VALUES (1, 2, 'reset')",
    "UPDATE period SET start = 'rating'",
    "DELETE FROM period",
    "DELETE FROM personal",
    "DELETE FROM correction",
    "INSERT INTO inner_group VALUES (1, 'Champions', 1, 1, 4)",
    "INSERT INTO apart VALUES (1, 'family', 1)",
    "INSERT INTO apart VALUES (1, 'family', 2)",
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
    for edit, follows in (
        ("status = 'withdrawn'", ("withdrawn", 1)),
        ("status = 'active'", ("active", None)),
        ("last_round = 4", ("withdrawn", 4)),
        ("last_round = NULL", ("active", None)),
    ):
        conn.execute(f"UPDATE x_player_tournament SET {edit} WHERE player_id = 1")
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


def test_nothing_is_refused_that_foreign_keys_allow(two: Path) -> None:
    """With foreign keys on the same sensible edits pass."""
    conn = sqlite3.connect(two, isolation_level=None)
    conn.execute("PRAGMA foreign_keys = ON")
    for statement in POSSIBLE:
        conn.execute(statement)
    assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
    conn.close()
