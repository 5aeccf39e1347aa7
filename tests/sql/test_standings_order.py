"""The order of a table, rules.tiebreaks: set, kept, corrected and tried, in any client.

What each tie-break is worth is the business of tests/sql/test_tiebreaks.py.
"""

import json
import random
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pysqlite3
import pytest

from tests.support.files import (
    Client,
    Keizer,
    Oldest,
    dump,
    edit,
    public_views,
    refused,
    rows,
    timeless,
    told,
)
from tests.support.swiss import random_tournament, written

Row = dict[str, object]


def order(db: Path) -> str:
    return str(one(db, "SELECT tiebreaks FROM rules WHERE tournament_id = 1"))


def one(db: Path, query: str) -> Any:
    return rows(db, query)[0][0]


def standings(keizer: Keizer, db: Path, *args: object) -> list[Row]:
    found: list[Row] = json.loads(keizer("standings", db, "--json", *args).stdout)
    return found


def ranks(rows: list[Row]) -> dict[object, object]:
    return {row["name"]: row["rank"] for row in rows}


# --- what is accepted, and what is not ----------------------------------------

SPELLED = {
    "score,de,sb,wins": ("score,de,sb,wins", set()),
    "score,BH/C1,WIN,GE": ("score,bh-c1,wins,rep", set()),
    "Points, SB/C1 , TPN, RTNG:asc": ("points,sb-c1,start,rating:asc", {"start", "rating"}),
    "bh/m1:DESC": ("bh-m1:desc", set()),
}
"""What is typed, what is stored, and of which of these the lower number is ahead."""


@pytest.mark.parametrize("typed", SPELLED)
def test_a_list_is_stored_as_the_file_spells_it(keizer: Keizer, sample: Path, typed: str) -> None:
    """Score in front, where neither it nor points is in the list."""
    stored, lower_first = SPELLED[typed]
    assert keizer("rules", sample, f"tiebreaks={typed}").stdout == f"tiebreaks={stored}\n"
    assert order(sample) == stored
    found = rows(sample, "SELECT name, lower_first FROM tiebreak_order ORDER BY position")
    names = [item.partition(":")[0] for item in stored.split(",")]
    due = names if names[0] in ("score", "points") else ["score", *names]
    assert [name for name, _ in found] == due
    assert {name for name, lower in found if lower} == lower_first


MISTYPED = {
    "score,luck": "there is no tie-break “luck”: there are aob, ",
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
    keizer: Keizer, sample: Path, typed: str
) -> None:
    assert MISTYPED[typed] in refused(keizer, sample, ["rules", f"tiebreaks={typed}"])


def test_with_its_triggers_a_list_is_accepted(client: Client, sample: Path) -> None:
    """In plain SQL; without them it is refused, in tests/sql/test_guards.py."""
    wanted = rows(
        sample,
        "SELECT sql, present, needed FROM rule_trigger WHERE name IN ('order_asked',"
        " '_tiebreak_computed', 'tiebreak_direct_encounter_asked', 'tiebreak_wins_asked')"
        " ORDER BY number",
    )
    assert [flags for _, *flags in wanted] == [[0, 0]] * 4
    # The clients of these tests take a statement a line, without comments.
    lines = [
        " ".join(line for line in trigger.split("\n") if not line.strip().startswith("--"))
        for trigger, *_ in wanted
    ]
    listed = "UPDATE rules SET tiebreaks = 'points,de,wins' WHERE tournament_id = 1"
    assert client(sample, [*lines, listed]) == ["ok"] * 5
    assert order(sample) == "points,de,wins"
    figures = "SELECT position, count(*) FROM tiebreak_value GROUP BY position ORDER BY 1"
    assert rows(sample, figures) == [(1, 2 * 10), (2, 2 * 10)]
    assert computed(sample) == {"tiebreak_direct_encounter", "tiebreak_wins"}


# --- the triggers in a file are those of the tie-breaks in use -----------------


def computed(db: Path) -> set[str]:
    """The views whose tie-breaks the file computes; those it says, and has to."""
    found = [
        {str(name).removesuffix("_asked") for (name,) in rows(db, f"SELECT name FROM {where}")}
        for where in (
            "rule_trigger WHERE present AND name GLOB 'tiebreak_*'",
            "rule_trigger WHERE needed AND name GLOB 'tiebreak_*'",
            "sqlite_master WHERE name LIKE 'tiebreak%asked'",
        )
    ]
    assert found == found[:1] * 3
    return found[0]


FIDE = {f"tiebreak_{view}" for view in ("buchholz", "sonneborn_berger", "direct_encounter", "wins")}
MAGIC = {"tiebreak_match_wins", "tiebreak_game_wins"}


USED = [
    ("tiebreaks=score,bh,bh-c1,wins,won", {"tiebreak_buchholz", "tiebreak_wins"}),
    ("tiebreaks=score,points", {"tiebreak_standings"}),
    ("--preset magic", MAGIC),
    ("--preset swiss-fide", FIDE),
    ("--preset keizer", set()),
]
"""One trigger a view, whatever the tie-breaks of it; none for the order of a new file."""


class TestTriggers:
    def test_by_lists_and_presets(self, keizer: Keizer, sample: Path, tmp_path: Path) -> None:
        assert computed(sample) == set()
        for typed, views in USED:
            keizer("rules", sample, *typed.split())
            assert computed(sample) == views
            keizer("rules", sample, "tiebreaks=score,luck", fails=True)
            assert computed(sample) == views
        assert one(sample, "SELECT count(*) FROM tiebreak_value") == 0
        keizer("init", tmp_path / "new.db", "--name", "Club", "--preset", "magic")
        assert computed(tmp_path / "new.db") == MAGIC

    def test_are_in_the_same_order_whichever_came_first(self, keizer: Keizer, club: Path) -> None:
        """Or files with the same rules would differ in their dumps, and undo would not undo."""
        found = []
        for typed in (["sb", "sb,wins"], ["wins", "wins,sb"]):
            for names in typed:
                keizer("rules", club, f"tiebreaks=score,{names}")
            found.append(rows(club, "SELECT name FROM sqlite_master WHERE type = 'trigger'"))
        assert found[0] == found[1]

    def test_of_two_tournaments(self, keizer: Keizer, sample: Path) -> None:
        """As long as one of them needs it; the tables of the other stay as they are."""
        keizer("rules", sample, "tiebreaks=score,sb,wins")
        kept = told(sample)
        keizer("init", sample, "--name", "Second", "--preset", "magic")
        both = {"tiebreak_sonneborn_berger", "tiebreak_wins", *MAGIC}
        assert computed(sample) == both
        keizer("rules", sample, "tiebreaks=score,wins", "-t", "Second")
        assert computed(sample) == {"tiebreak_sonneborn_berger", "tiebreak_wins"}
        keizer("rules", sample, "tiebreaks=score,previous", "-t", "Worked example")
        assert computed(sample) == {"tiebreak_wins"}
        for _ in range(2):
            keizer("undo", sample)
        assert computed(sample) == both
        keizer("undo", sample)
        assert told(sample) == kept


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
    with written(tournament, "points,bh-c1,sb,de,omw,aro,mutual") as (conn, _):
        conn.executescript(
            "UPDATE player SET category = CASE id % 2 WHEN 0 THEN 'A' ELSE 'B' END;"
            "INSERT INTO period (tournament_id, first_round, name) VALUES (1, 3, 'Two');"
        )
        script, query = "\n".join(conn.iterdump()), every_row(conn)
        (game,) = conn.execute("SELECT min(id) FROM round WHERE result = '1-0'").fetchone()
        stamp = "last_updated = '2026-02-01 20:00:00'"
        correction = f"UPDATE round SET result = '0-1', {stamp} WHERE id = {game}"
        conn.execute(correction)
        return Mixture(script, correction, query, sorted(map("\t".join, conn.execute(query))))


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
        unrated = [line for line in mixture.rows if line.startswith("tiebreak_average_rating")]
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


# --- who are equal in everything ----------------------------------------------


class TestLastResort:
    @pytest.fixture
    def level(self, keizer: Keizer, club: Path) -> Path:
        """A draw of Clara and Boris, and Anna and Daan absent: 1, 1, 3, 3 by points."""
        for what, lines in (
            ("--games", "round,white,black,result\n1,Clara,Boris,½-½\n"),
            ("--unplayed", "round,player,kind\n1,Anna,unexcused\n1,Daan,unexcused\n"),
        ):
            keizer("import", club, "-", what, stdin=lines)
        keizer("rules", club, "tiebreaks=points,wins")
        return club

    def test_equals_share_a_rank_or_nobody_does(self, keizer: Keizer, level: Path) -> None:
        """What is shown changes nothing that is played for: values and pairing."""
        values = {"Boris": 4, "Clara": 3, "Anna": 2, "Daan": 1}
        current = "SELECT name, rank FROM current_standings ORDER BY rank, name"
        places = "SELECT rank, place FROM ranking_list WHERE round_number = 1 ORDER BY 1"
        paired = []
        for how, due in (("shared", (1, 1, 3, 3)), ("order", (1, 2, 3, 4))):
            keizer("rules", level, f"last_resort={how}")
            shown = standings(keizer, level)
            assert {row["name"]: row["value"] for row in shown} == values
            assert ranks(shown) == dict(zip(values, due, strict=True)) == dict(rows(level, current))
            assert rows(level, places) == [(1, 1), (2, 1), (3, 3), (4, 3)]
            paired.append(keizer("next-round", level, "--dry-run", "--why").stdout)
        assert paired[0] == paired[1]

    def test_two_first_then_third(self, keizer: Keizer, level: Path) -> None:
        """Boris and Clara become equal in the last tie-break, the rating, too."""
        keizer("rules", level, "last_resort=shared", "tiebreaks=points,wins,rating")
        assert ranks(standings(keizer, level)) == {"Boris": 1, "Clara": 2, "Anna": 3, "Daan": 4}
        edit(level, "UPDATE x_player_tournament SET rating = 1800 WHERE rating = 1900")
        assert ranks(standings(keizer, level)) == {"Boris": 1, "Clara": 1, "Anna": 3, "Daan": 4}


# --- matches of several games -------------------------------------------------

MATCH = "SELECT white_wins, black_wins, drawn, result FROM round WHERE board = 1"
NEW_MATCH = (
    "INSERT INTO round (tournament_id, round_number, white, black, white_wins, {})"
    " VALUES (1, 2, 1, 4, {})"
)


class TestMatches:
    @pytest.fixture
    def paired(self, keizer: Keizer, club: Path) -> Path:
        """A first round by matches of up to three games."""
        keizer("rules", club, "match_games=3")
        keizer("next-round", club)
        return club

    def test_only_where_the_rules_have_them(self, keizer: Keizer, paired: Path) -> None:
        for most in (1, 2):
            keizer("rules", paired, f"match_games={most}")
            said = refused(keizer, paired, ["result", "1", "2-1"])
            assert "“2-1” is no result: use 1-0 (or 1), 0-1" in said
        keizer("rules", paired, "match_games=3")
        keizer("result", paired, 1, "2-1")
        assert rows(paired, MATCH) == [(2, 1, 0, "1-0")]
        assert "match of up to 3 games" in refused(keizer, paired, ["result", "1", "3-1"])

    def test_by_sql(self, client: Client, paired: Path) -> None:
        """The result follows, what is left out is none, another result ends the count."""
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
        said = [line.replace("None", "").replace("null", "") for line in client(paired, statements)]
        due = [answer for _, found in steps for answer in ("ok", found)]
        assert said == [*due, "ok", "1\t2\t0\t0-1", "0", "1"]

    def test_from_csv(self, keizer: Keizer, club: Path) -> None:
        csv = club.with_suffix(".csv")
        csv.write_text("round,white,black,result\n1,Anna,Boris,2-1\n1,Clara,Daan,0-1-1\n")
        said = refused(keizer, club, ["import", str(csv), "--games"])
        assert "line 2: “2-1” is no result" in said
        keizer("rules", club, "match_games=3")
        keizer("import", club, csv, "--games")
        stored = rows(club, MATCH.replace("board = 1", "true ORDER BY board"))
        assert stored == [(2, 1, 0, "1-0"), (0, 1, 1, "0-1")]


# --- a tie-break of one's own -------------------------------------------------


SHIRT_VIEW = (
    "CREATE VIEW tiebreak_shirt (tournament_id, round_number, player_id, name, value, key) AS"
    " SELECT tournament_id, round_number, player_id, 'shirt', player_id, player_id"
    " FROM ranking_list"
)
SHIRT_ROW = "INSERT INTO tiebreak VALUES ('shirt', 'tiebreak_shirt', 'their number', 0, 0, 0, 'us')"


def test_a_view_and_a_row_are_a_tie_break_of_ones_own(
    client: Client, keizer: Keizer, sample: Path
) -> None:
    """Equal points, then the higher number; or the lower one. What is there stays as it is."""
    edit(sample, "UPDATE round SET last_updated = '2026-01-01 20:00:00'")
    made = dump(sample)
    assert client(sample, [SHIRT_VIEW, SHIRT_ROW]) == ["ok"] * 2
    assert len(dump(sample)) == len(made) + 2
    kept = told(sample)
    ordered = "SELECT player_id FROM current_standings ORDER BY points DESC, player_id * {}"
    ranked = "SELECT player_id FROM current_standings ORDER BY rank"
    for typed, sign in (("shirt", -1), ("shirt:asc", 1)):
        keizer("rules", sample, f"tiebreaks=points,{typed}")
        assert rows(sample, ranked) == rows(sample, ordered.format(sign))
        assert computed(sample) == {"tiebreak_shirt"}
        assert "SHIRT" in keizer("standings", sample).stdout.splitlines()[1]
    kept_too = timeless(dump(sample))
    white = "UPDATE round SET result = '{}' WHERE round_number = 2 AND board = 1"
    (result,) = rows(sample, "SELECT result FROM round WHERE round_number = 2 AND board = 1")
    edit(sample, white.format("+-"))
    assert rows(sample, ranked) == rows(sample, ordered.format(1))
    edit(sample, white.format(*result))
    assert timeless(dump(sample)) == kept_too
    for _ in range(2):
        keizer("undo", sample)
    assert timeless(told(sample)) == timeless(kept)
