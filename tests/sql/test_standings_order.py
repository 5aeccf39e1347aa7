"""The order of a table, rules.tiebreaks: set, kept, corrected and tried, in any client.

What each tie-break is worth is the business of tests/sql/test_tiebreaks.py.
"""

import random
import shutil
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pysqlite3
import pytest

from tests.support.console import Console
from tests.support.files import (
    Client,
    Oldest,
    dump,
    dump_with_rules,
    edit,
    public_views,
    rows,
    timeless,
)
from tests.support.scenes import scenes
from tests.support.swiss import random_tournament, swiss_file

ORDER = "SELECT tiebreaks FROM rules WHERE tournament_id = 1"

# --- what is accepted, and what is not ----------------------------------------

SPELLED = {
    "score,de,sb,wins": ("score,de,sb,wins", set()),
    "score,BH/C1,WIN,GE": ("score,bh-c1,wins,rep", set()),
    "Points, SB/C1 , TPN, RTNG:asc": (
        "points,sb-c1,start,rating:asc",
        {"start", "rating"},
    ),
    "bh/m1:DESC": ("bh-m1:desc", set()),
}
"""What is typed, what is stored, and of which of these the lower number is ahead."""


@pytest.mark.parametrize("typed", SPELLED)
def test_a_list_is_stored_as_the_file_spells_it(example: Console, typed: str) -> None:
    """Score in front, where neither it nor points is in the list."""
    stored, lower_first = SPELLED[typed]
    assert (
        example(f"rules 'tiebreaks={typed}'").splitlines()[-1] == f"tiebreaks={stored}"
    )
    assert example.rows(ORDER) == [(stored,)]
    found = example.rows(
        "SELECT name, lower_first FROM tiebreak_order ORDER BY position"
    )
    names = [item.partition(":")[0] for item in stored.split(",")]
    due = names if names[0] in ("score", "points") else ["score", *names]
    assert [name for name, _ in found] == due
    assert {name for name, lower in found if lower} == lower_first


def test_the_score_goes_in_front_where_the_list_names_none(example: Console) -> None:
    example("rules tiebreaks=wins")
    order = example.rows("SELECT position, name FROM tiebreak_order ORDER BY position")
    assert order == [(0, "score"), (1, "wins")]


MISTYPED = {
    "score,luck": "there is no tie-break “luck”; choose from aob, ",
    "luck": "there is no tie-break “luck”",
    "score,BH/C9": "there is no tie-break “bh-c9”",
    "score,sb,de,sb": "“sb” is in the list twice",
    "score,win,wins": "“wins” is in the list twice",
    "score,sb:asc,sb:desc": "“sb” is in the list twice",
    "score,sb:up": "a direction is asc (the lower number is ahead) or desc",
    "score,,sb": "a name is missing",
    "score,": "a name is missing",
    ":asc": "a name is missing",
    "": "a name is missing",
}


@pytest.mark.parametrize("typed", MISTYPED)
def test_a_wrong_list_is_refused_with_what_is_wrong(
    example: Console, typed: str
) -> None:
    assert MISTYPED[typed] in example.refused(f"rules tiebreaks={typed}")


REFUSED = "first run the sql that view on_demand has for its word"


def test_an_order_by_what_stands_in_the_list_needs_one_update(
    client: Client, sample: Path
) -> None:
    """In any client: by figures of the standings and of the entries."""
    listed = "points,played,rating,start,lot"
    assert client(sample, [f"UPDATE rules SET tiebreaks = '{listed}'"]) == ["ok"]
    assert rows(sample, ORDER) == [(listed,)]
    figures = "SELECT count(*) FROM tiebreak_value WHERE position = 1"
    assert rows(sample, figures) == [(2 * 10,)]


def test_a_tie_break_from_games_needs_its_trigger_first(
    client: Client, sample: Path
) -> None:
    """As the refusal says; its sql is a statement to run as it is."""
    listed = "UPDATE rules SET tiebreaks = 'points,de,wins' WHERE tournament_id = 1"
    (refused,) = client(sample, [listed])
    assert REFUSED in refused
    on, off = (
        f"UPDATE tournament SET revaluation = '{to}'" for to in ("on", "suspended")
    )
    *done, refused = client(sample, [off, listed, on])
    assert done == ["ok", "ok"] and REFUSED in refused
    wanted = rows(
        sample, "SELECT word, sql FROM on_demand WHERE needed AND NOT present"
    )
    assert [word for word, _ in wanted] == ["de", "wins"]
    # The clients of these tests take a statement a line.
    lines = [" ".join(text.split("\n")) for _, text in wanted]
    assert client(sample, [*lines, on]) == ["ok"] * 3
    assert rows(sample, ORDER) == [("points,de,wins",)]
    figures = (
        "SELECT position, count(*) FROM tiebreak_value GROUP BY position ORDER BY 1"
    )
    assert rows(sample, figures) == [(1, 2 * 10), (2, 2 * 10)]
    assert computed(sample) == {"tiebreak_direct_encounter", "tiebreak_wins"}


def test_lists_that_settle_need_their_triggers_first(
    client: Client, sample: Path
) -> None:
    """Two statements more, and they are those that keizer rules has computed."""
    kept = Console(sample.with_name("kept.db"))
    shutil.copy(sample, kept.db)
    kept("rules recalculation=settled")
    settled = "UPDATE rules SET recalculation = 'settled'"
    (refused,) = client(sample, [settled])
    assert REFUSED in refused
    wanted = rows(sample, "SELECT sql FROM on_demand WHERE word = 'settled'")
    lines = [" ".join(text.split("\n")) for (text,) in wanted]
    assert client(sample, [*lines, settled]) == ["ok"] * 3
    lists = "SELECT * FROM ranking_list ORDER BY round_number, rank"
    assert rows(sample, lists) == kept.rows(lists)


# --- the triggers in a file are those of the tie-breaks in use -----------------


def computed(db: Path) -> set[str]:
    """The views whose tie-breaks have a trigger in the file; those it says, and has to."""
    found = [
        {str(name).removesuffix("_asked") for (name,) in rows(db, f"SELECT {where}")}
        for where in (
            "trigger_name FROM on_demand WHERE present",
            "trigger_name FROM on_demand WHERE needed",
            "name FROM sqlite_master WHERE name LIKE 'tiebreak%asked'",
        )
    ]
    assert found == found[:1] * 3
    return found[0]


FIDE = {
    f"tiebreak_{view}"
    for view in ("buchholz", "sonneborn_berger", "direct_encounter", "wins")
}
MAGIC = {"tiebreak_match_wins", "tiebreak_game_wins"}


USED = [
    ("tiebreaks=score,bh,bh-c1,wins,won", {"tiebreak_buchholz", "tiebreak_wins"}),
    ("tiebreaks=score,points,rating", set()),
    ("--preset magic", MAGIC),
    ("--preset swiss-fide", FIDE),
    ("--preset keizer", set()),
]
"""One trigger a view, whatever the tie-breaks of it; none for what stands in the list."""


class TestTriggers:
    def test_by_lists_and_presets(self, example: Console, tmp_path: Path) -> None:
        assert computed(example.db) == set()
        for typed, views in USED:
            example(f"rules {typed}")
            assert computed(example.db) == views
        assert example.rows("SELECT count(*) FROM tiebreak_value") == [(0,)]
        new = Console(tmp_path / "new.db")
        new("init --name Club --preset magic")
        assert computed(new.db) == MAGIC

    def test_are_in_the_same_order_whichever_came_first(self, console: Console) -> None:
        """Or files with the same rules would differ in their dumps, and undo would not undo."""
        found = []
        for typed in (["sb", "sb,wins"], ["wins", "wins,sb"]):
            for names in typed:
                console(f"rules tiebreaks=score,{names}")
            found.append(
                console.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            )
        assert found[0] == found[1]

    def test_of_two_tournaments(self, example: Console) -> None:
        """As long as one of them needs it; the tables of the other stay as they are."""
        example("rules tiebreaks=score,sb,wins")
        kept = dump_with_rules(example.db)
        example("init --name Second --preset magic")
        both = {"tiebreak_sonneborn_berger", "tiebreak_wins", *MAGIC}
        assert computed(example.db) == both
        example("rules tiebreaks=score,wins -t Second")
        assert computed(example.db) == {"tiebreak_sonneborn_berger", "tiebreak_wins"}
        example("rules tiebreaks=score,previous -t 'Worked example'")
        assert computed(example.db) == {"tiebreak_wins"}
        example("undo && undo")
        assert computed(example.db) == both
        example("undo")
        assert dump_with_rules(example.db) == kept


# --- the same rows in every SQLite --------------------------------------------


def every_row(conn: sqlite3.Connection) -> str:
    """What asks for the rows of every public view: REAL to 12 digits, the rest as it is."""
    asked = []
    for view in public_views(conn):
        columns = [row[1] for row in conn.execute(f"PRAGMA table_xinfo({view})")]
        cells = " || '|' || ".join(
            f"CASE typeof({column}) WHEN 'real' THEN printf('%.12g real', {column})"
            f" ELSE replace(quote({column}), char(10), ' ') END"
            for column in columns
        )
        asked.append(f"SELECT '{view}', {cells} FROM {view}")
    return " UNION ALL ".join(asked)


class Mixture(NamedTuple):
    """The dump of a tournament, a correction of its round 1, what asks for all rows, and these."""

    script: str
    correction: str
    query: str
    rows: list[str]


@pytest.fixture(scope="module", params=["classic", "settled", "latest", "lagged"])
def mixture(request: pytest.FixtureRequest) -> Mixture:
    """A tournament with everything in it; by other rules than usual, a ladder that divides."""
    tournament = random_tournament(random.Random(635))
    tournament.rules.recalculation = request.param
    if request.param != "classic":
        tournament.rules.ladder, tournament.rules.halves = "score", "even"
        tournament.rules.line_rounding = Fraction(1, 3)
    with swiss_file(tournament, "points,bh-c1,sb,de,omw,aro,mutual") as (conn, _):
        conn.executescript(
            "UPDATE player SET category = CASE id % 2 WHEN 0 THEN 'A' ELSE 'B' END;"
            "INSERT INTO period (tournament_id, first_round, name) VALUES (1, 3, 'Two');"
        )
        script, query = "\n".join(conn.iterdump()), every_row(conn)
        (game,) = conn.execute(
            "SELECT min(id) FROM round WHERE result = '1-0'"
        ).fetchone()
        stamp = "last_updated = '2026-02-01 20:00:00'"
        correction = f"UPDATE round SET result = '0-1', {stamp} WHERE id = {game}"
        conn.execute(correction)
        return Mixture(
            script, correction, query, sorted(map("\t".join, conn.execute(query)))
        )


WITHOUT_ROWS = {
    "final_standings", "promotions", "rule_history", "pairing_reasons",
    "relaxations", "problems", "revalue", "next_round", "draft_changes",
}  # fmt: skip


class TestSameRows:
    def test_the_mixture_has_something_in_every_view(
        self, mixture: Mixture, conn: sqlite3.Connection
    ) -> None:
        views = {line.partition("\t")[0] for line in mixture.rows}
        assert {*public_views(conn)} - views <= WITHOUT_ROWS
        unrated = [
            line for line in mixture.rows if line.startswith("tiebreak_average_rating")
        ]
        assert any("NULL" in line for line in unrated)

    def test_in_sqlite_3_35_0(self, mixture: Mixture, oldest: Oldest) -> None:
        """Also of what its triggers then compute."""
        script = f"{mixture.script}\n{mixture.correction};"
        assert sorted(oldest(script, mixture.query)) == mixture.rows

    def test_in_any_client_and_a_recent_sqlite(
        self, mixture: Mixture, client: Client, tmp_path: Path
    ) -> None:
        db = tmp_path / "mixture.db"
        with closing(pysqlite3.connect(db)) as conn:
            conn.executescript(mixture.script)
            conn.execute(mixture.correction)
            assert sorted(map("\t".join, conn.execute(mixture.query))) == mixture.rows
            conn.rollback()
        assert client(db, [mixture.correction]) == ["ok"]
        assert sorted(client(db, [mixture.query])) == mixture.rows


# --- who are equal in everything, and matches of several games ----------------

test_last_resort = scenes("""
Equals share a rank or nobody does: what is shown changes nothing that is played for.
  import - --games < round,white,black,result|1,Clara,Boris,½-½
  import - --unplayed < round,player,kind|1,Anna,unexcused|1,Daan,unexcused
  rules tiebreaks=points,wins last_resort=shared
  SELECT rank, name, value FROM current_standings ORDER BY rank, name =>
    1 Boris 4; 1 Clara 3; 3 Anna 2; 3 Daan 1
  SELECT rank, place FROM ranking_list WHERE round_number = 1 ORDER BY 1 => 1 1; 2 1; 3 3; 4 3
  next-round --dry-run --why => Boris  Anna ... Daan   Clara ... in the order of pairing: 4 and 2.
  rules last_resort=order
  SELECT rank, name, value FROM current_standings ORDER BY rank =>
    1 Boris 4; 2 Clara 3; 3 Anna 2; 4 Daan 1
  SELECT rank, place FROM ranking_list WHERE round_number = 1 ORDER BY 1 => 1 1; 2 1; 3 3; 4 3
  next-round --dry-run --why => Boris  Anna ... Daan   Clara ... in the order of pairing: 4 and 2.
  rules last_resort=shared tiebreaks=points,wins,rating
  SELECT rank, name FROM current_standings ORDER BY rank => 1 Boris; 2 Clara; 3 Anna; 4 Daan
  UPDATE x_player_tournament SET rating = 1800 WHERE rating = 1900
  SELECT rank, name FROM current_standings ORDER BY rank, name => 1 Boris; 1 Clara; 3 Anna; 4 Daan
""")

test_matches = scenes("""
Matches are only where the rules have them.
  next-round
  ! result 1 2-1 => “2-1” is not a result; use one of 1-0 (or 1), 0-1
  rules match_games=2
  ! result 1 2-1 => “2-1” is not a result; use one of 1-0 (or 1), 0-1
  rules match_games=3 && result 1 2-1
  SELECT white_wins, black_wins, drawn, result FROM round WHERE board = 1 => 2 1 0 1-0
  ! result 1 3-1 => match of up to 3 games

And so it is in CSV.
  ! import - --games < round,white,black,result|1,Anna,Boris,2-1 => line 2: “2-1” is not a result
  rules match_games=3
  import - --games < round,white,black,result|1,Anna,Boris,2-1|1,Clara,Daan,0-1-1
  SELECT white_wins, black_wins, drawn, result FROM round ORDER BY board => 2 1 0 1-0; 0 1 1 0-1
""")

MATCH = "SELECT white_wins, black_wins, drawn, result FROM round WHERE board = 1"
NEW_MATCH = (
    "INSERT INTO round (tournament_id, round_number, white, black, white_wins, {})"
    " VALUES (1, 2, 1, 4, {})"
)


def test_matches_by_sql(client: Client, console: Console) -> None:
    """The result follows, what is left out is none, another result ends the count."""
    console("rules match_games=3 && next-round")
    steps = [
        ("white_wins = 2", "2\t0\t0\t1-0"),
        ("black_wins = 1", "2\t1\t0\t1-0"),
        ("white_wins = 0, drawn = 2", "0\t1\t2\t0-1"),
        ("white_wins = 1, drawn = 1", "1\t1\t1\t½-½"),
        ("result = '½-½'", "1\t1\t1\t½-½"),
        ("result = '0-1'", "\t\t\t0-1"),
        ("drawn = 2", "0\t0\t2\t½-½"),
        ("result = '+-'", "\t\t\t+-"),
        ("black_wins = 3", "0\t3\t0\t0-1"),
        ("result = NULL", "\t\t\t"),
    ]
    points = "SELECT CAST(points AS INTEGER) FROM current_standings WHERE player_id IN (1, 4)"
    statements = [
        *(
            statement
            for step, _ in steps
            for statement in (f"UPDATE round SET {step} WHERE board = 1", MATCH)
        ),
        NEW_MATCH.format("black_wins", "1, 2"),
        f"{MATCH} AND round_number = 2",
        f"{points} ORDER BY player_id",
    ]
    said = [
        line.replace("None", "").replace("null", "")
        for line in client(console.db, statements)
    ]
    due = [answer for _, found in steps for answer in ("ok", found)]
    assert said == [*due, "ok", "1\t2\t0\t0-1", "0", "1"]


# --- a tie-break of one's own -------------------------------------------------


SHIRT_VIEW = (
    "CREATE VIEW tiebreak_shirt (tournament_id, round_number, player_id, name, value, key) AS"
    " SELECT tournament_id, round_number, player_id, 'shirt', player_id, player_id"
    " FROM ranking_list"
)
SHIRT_ROW = "INSERT INTO tiebreak VALUES ('shirt', 'tiebreak_shirt', 'their number', 0, 0, 0, 'us')"


def test_a_view_and_a_row_are_a_tie_break_of_ones_own(
    client: Client, example: Console
) -> None:
    """Equal points, then the higher number; or the lower one. What is there stays as it is."""
    edit(example.db, "UPDATE round SET last_updated = '2026-01-01 20:00:00'")
    made = dump(example.db)
    assert client(example.db, [SHIRT_VIEW, SHIRT_ROW]) == ["ok"] * 2
    assert len(dump(example.db)) == len(made) + 2
    kept = dump_with_rules(example.db)
    ordered = (
        "SELECT player_id FROM current_standings ORDER BY points DESC, player_id * {}"
    )
    ranked = "SELECT player_id FROM current_standings ORDER BY rank"
    for typed, sign in (("shirt", -1), ("shirt:asc", 1)):
        example(f"rules tiebreaks=points,{typed}")
        assert example.rows(ranked) == example.rows(ordered.format(sign))
        assert computed(example.db) == {"tiebreak_shirt"}
        assert "SHIRT" in example("standings").splitlines()[1]
    white = "UPDATE round SET result = '{}' WHERE round_number = 2 AND board = 1"
    (result,) = example.rows(
        "SELECT result FROM round WHERE round_number = 2 AND board = 1"
    )
    kept_too = timeless(dump(example.db))
    edit(example.db, white.format("+-"))
    assert example.rows(ranked) == example.rows(ordered.format(1))
    edit(example.db, white.format(*result))
    assert timeless(dump(example.db)) == kept_too
    example("undo && undo")
    assert timeless(dump_with_rules(example.db)) == timeless(kept)
