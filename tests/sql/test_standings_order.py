"""The order of a table, rules.tiebreaks: set, kept, corrected and tried, in any client.

What each tie-break is worth is the business of tests/sql/test_tiebreaks.py.
"""

import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pysqlite3
import pytest

from bench.costs import EACH, File, steps
from keizer.store import sql, tiebreaks
from tests.support.files import (
    Client,
    Keizer,
    Oldest,
    dump,
    edit,
    order_by,
    public_views,
    refused,
    rows,
    timeless,
    told,
)
from tests.support.swiss import SHIRT_ROW, SHIRT_VIEW, kinds, random_tournament, write, written
from tests.support.tiebreaks import Absence, Game, Lists, Player, Tournament

Row = dict[str, object]


def order(db: Path, tournament: int = 1) -> str:
    return str(one(db, f"SELECT tiebreaks FROM rules WHERE tournament_id = {tournament}"))


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
    stored, lower_first = SPELLED[typed]
    assert keizer("rules", sample, f"tiebreaks={typed}").stdout == f"tiebreaks={stored}\n"
    assert order(sample) == stored
    found = rows(sample, "SELECT name, lower_first FROM tiebreak_order ORDER BY position")
    assert [name for name, _ in found if name != "score"] == [
        item.partition(":")[0] for item in stored.removeprefix("score,").split(",")
    ]
    assert found[0][0] in ("score", "points")
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


def computed(db: Path) -> set[object]:
    """The views whose tie-breaks the file computes; those it says, and has to."""
    asked = "SELECT name FROM rule_trigger WHERE {} AND name GLOB 'tiebreak_*'"
    found: set[object] = {
        str(row[0]).removesuffix("_asked") for row in rows(db, asked.format("present"))
    }
    needed = {str(row[0]).removesuffix("_asked") for row in rows(db, asked.format("needed"))}
    assert found == needed
    triggers = rows(db, "SELECT name FROM sqlite_master WHERE name LIKE 'tiebreak%asked'")
    assert found == {str(name).removesuffix("_asked") for (name,) in triggers}
    return found


FIDE = {
    "tiebreak_buchholz",
    "tiebreak_sonneborn_berger",
    "tiebreak_direct_encounter",
    "tiebreak_wins",
}
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
    def test_by_lists_and_presets(self, keizer: Keizer, sample: Path) -> None:
        assert computed(sample) == set()
        for typed, views in USED:
            keizer("rules", sample, *typed.split())
            assert computed(sample) == views
            keizer("rules", sample, "tiebreaks=score,luck", fails=True)
            assert computed(sample) == views
        assert one(sample, "SELECT count(*) FROM tiebreak_value") == 0

    def test_in_a_file_that_is_made_with_a_preset(self, keizer: Keizer, tmp_path: Path) -> None:
        keizer("init", tmp_path / "new.db", "--name", "Club", "--preset", "magic")
        assert computed(tmp_path / "new.db") == MAGIC

    def test_are_in_the_same_order_whichever_came_first(self, keizer: Keizer, club: Path) -> None:
        """Or files with the same rules would differ in their dumps, and undo would not undo."""
        found = []
        for typed in (["sb", "sb,wins"], ["wins", "wins,sb"]):
            for names in typed:
                keizer("rules", club, f"tiebreaks=score,{names}")
            found.append(
                rows(club, "SELECT name FROM sqlite_master WHERE name LIKE 'tiebreak%asked'")
            )
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


# --- a correction in mid-season, in any client --------------------------------

COMPUTED = (
    "SELECT 'ranking', round_number, player_id, place, rank, score_units, points_units,"
    " value_units, rank_before FROM ranking_list"
    " UNION ALL SELECT 'tiebreak_value', round_number, player_id, position, value, key, pass,"
    " NULL, NULL FROM tiebreak_value"
    " UNION ALL SELECT name, 0, 0, 0, 0, 0, 0, 0, 0 FROM sqlite_master"
    " WHERE name LIKE 'tiebreak%asked' ORDER BY 1, 2, 3, 4"
)
"""All that is computed from the facts, and what computes it."""


@contextmanager
def new_file(db: Path) -> Iterator[sqlite3.Connection]:
    """A file that computes the tie-breaks of its rules alone, once it is closed."""
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        conn.executescript(f"BEGIN; {sql.script()}")
        yield conn
        tiebreaks.compute_needed(conn)
        conn.execute("COMMIT")


@pytest.fixture(scope="module")
def swisses(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """The file with a wrong result in round 1, with the right one, and the correction."""
    folder = tmp_path_factory.mktemp("swiss")
    tournament = random_tournament(random.Random(5))
    index, game = next(
        (index, game)
        for index, game in enumerate(tournament.games)
        if (game.round_number, game.result, game.counts) == (1, "1-0", None)
    )
    for name in ("right", "wrong"):
        with new_file(folder / name) as conn:
            write(conn, tournament, "points,de,wins,bh-c1,sb")
        tournament.games[index] = replace(game, result="0-1")
    correct = f"UPDATE round SET result = '1-0' WHERE round_number = 1 AND white = {game.white}"
    return folder / "wrong", folder / "right", correct


class TestCorrection:
    def test_of_round_1_in_another_client(
        self, client: Client, swisses: tuple[Path, Path, str], tmp_path: Path
    ) -> None:
        """The file is then as one that had the right result from the start."""
        wrong, right, correction = swisses
        db = Path(shutil.copy(wrong, tmp_path / "swiss.db"))
        assert client(db, [correction]) == ["ok"]
        assert rows(db, COMPUTED) == rows(right, COMPUTED) != rows(wrong, COMPUTED)

    def test_of_round_1_in_sqlite_3_35_0(
        self, oldest: Oldest, swisses: tuple[Path, Path, str]
    ) -> None:
        wrong, right, correction = swisses
        found = oldest("\n".join([*dump(wrong), f"{correction};"]), COMPUTED)
        there = [tuple(map(number, line.split("\t"))) for line in found]
        assert there == [tuple(map(number, map(str, row))) for row in rows(right, COMPUTED)]

    def test_the_season_has_what_it_is_for(self, swisses: tuple[Path, Path, str]) -> None:
        """Ties that direct encounters, wins, Buchholz and Sonneborn-Berger had to part."""
        _, right, _ = swisses
        parted = (
            "SELECT DISTINCT position FROM tiebreak_value AS v GROUP BY round_number, position"
            " HAVING count(DISTINCT key) > 1 ORDER BY 1"
        )
        assert rows(right, parted) == [(1,), (2,), (3,), (4,)]
        assert one(right, "SELECT count(*) FROM tiebreak_value WHERE position = 1 AND value > 0")


def number(cell: str) -> object:
    """A cell as a client printed it: 2 and 2.0 are the same, and so are None and nothing."""
    try:
        return float(cell)
    except ValueError:
        return cell if cell not in ("None", "null") else ""


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


Mixture = tuple[str, str, list[str]]


@pytest.fixture(scope="module")
def mixture() -> Mixture:
    """A tournament with everything in it: its dump, what asks for all views, and their rows."""
    tournament = random_tournament(random.Random(634))
    with written(tournament, "points,bh-c1,sb,de,omw,aro,mutual") as (conn, _):
        conn.executescript(
            "UPDATE player SET category = CASE id % 2 WHEN 0 THEN 'A' ELSE 'B' END;"
            "INSERT INTO period (tournament_id, first_round, name) VALUES (1, 3, 'Two');"
            "INSERT INTO inner_group (tournament_id, name, after_round, from_rank, to_rank)"
            " VALUES (1, 'Champions', 1, 1, 3);"
        )
        query = every_row(conn)
        return "\n".join(conn.iterdump()), query, sorted(map("\t".join, conn.execute(query)))


class TestSameRows:
    def test_the_mixture_has_something_in_every_view(
        self, mixture: Mixture, conn: sqlite3.Connection
    ) -> None:
        _, _, here = mixture
        views = {line.partition("\t")[0] for line in here}
        empty = {"final_standings", "promotions", "group_standings", "rule_history",
            "pairing_reasons", "relaxations", "problems", "revalue",
            "next_round", "draft_changes"}  # fmt: skip
        assert {*public_views(conn)} - views <= empty
        assert any(line.startswith("tiebreak_average_rating") and "NULL" in line for line in here)

    def test_in_sqlite_3_35_0(self, mixture: Mixture, oldest: Oldest) -> None:
        script, query, here = mixture
        assert sorted(oldest(script, query)) == here

    def test_in_a_recent_sqlite(self, mixture: Mixture) -> None:
        script, query, here = mixture
        with closing(pysqlite3.connect(":memory:")) as conn:
            conn.executescript(script)
            assert sorted(map("\t".join, conn.execute(query))) == here

    def test_in_any_client(self, mixture: Mixture, client: Client, tmp_path: Path) -> None:
        script, query, here = mixture
        db = tmp_path / "mixture.db"
        with closing(sqlite3.connect(db)) as conn:
            conn.executescript(script)
        assert sorted(client(db, [query])) == here


# --- the same games by other rules --------------------------------------------


BESIDE = """
1 1-5 1-0  1 2-6 1-0  1 3-7 ½-½  1 4-8 0-1
2 1-2 ½-½  2 8-9 1-0  2 5-6 1-0  2 7-4 +-
3 8-1 0-1  3 2-7 0-1  3 9-5 1-0  3 3-4 ½-½
4 7-1 ½-½  4 2-8 1-0  4 3-9 0-1  4 6-4 --
"""


def beside(win: str = "1", draw: str = "1/2") -> Tournament:
    """Nine players, four rounds: byes, forfeits, an absence, and equal scores all over."""
    games, results = [], BESIDE.split()
    for r, pair, result in zip(results[::3], results[1::3], results[2::3], strict=True):
        white, black = map(int, pair.split("-"))
        games.append(Game(int(r), white, black, result))
    without_a_game = ((1, 9, "bye"), (2, 3, "unexcused"), (3, 6, "bye"), (4, 5, "bye"))
    absences = [Absence(r, player, kind, kind) for r, player, kind in without_a_game]
    players = [Player(number, 2000 - 10 * number) for number in range(1, 10)]
    return Tournament(players, games, absences, kinds(win, draw))


OTHERWISE = {
    "tiebreaks=points,previous:asc": "points,previous:asc",
    "tiebreaks=points,wins,lot": "points,wins,lot",
    "--preset swiss-fide": "points,bh-c1,bh,sb,de,wins",
    "--preset magic": "points,omw,gw,ogw",
    "--preset swiss-half tiebreaks=points,SB,rating:asc": "points,sb,rating:asc",
}
"""What is typed, and the order that it means."""


@pytest.fixture
def keizers(tmp_path: Path) -> Path:
    """The tournament, by Keizer scores, as a file."""
    db = tmp_path / "keizer.db"
    with new_file(db) as conn:
        write(conn, beside(), "score,previous")
    return db


@pytest.mark.parametrize("typed", OTHERWISE)
def test_the_same_games_by_other_rules_are_ranked_as_by_the_oracle(
    keizer: Keizer, keizers: Path, typed: str
) -> None:
    """In `magic` a game is 3-1-0, and who are equal share a rank."""
    keizer("rules", keizers, *typed.split())
    magic = typed == "--preset magic"
    lists = Lists(beside("3", "1") if magic else beside(), OTHERWISE[typed])
    due = (lists.places if magic else lists.ranks)[4]
    found = ranks(standings(keizer, keizers, "--round", 4))
    assert found == {f"Player {player}": rank for player, rank in due.items()}


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
        current = "SELECT name, rank FROM current_standings ORDER BY rank, name"
        places = "SELECT rank, place FROM ranking_list WHERE round_number = 1 ORDER BY 1"
        paired = []
        for how, due in (("shared", (1, 1, 3, 3)), ("order", (1, 2, 3, 4))):
            keizer("rules", level, f"last_resort={how}")
            shown = standings(keizer, level)
            assert {row["name"]: row["value"] for row in shown} == VALUES
            assert ranks(shown) == dict(zip(VALUES, due, strict=True)) == dict(rows(level, current))
            assert rows(level, places) == [(1, 1), (2, 1), (3, 3), (4, 3)]
            paired.append(keizer("next-round", level, "--dry-run", "--why").stdout)
        assert paired[0] == paired[1]

    def test_two_first_then_third(self, keizer: Keizer, level: Path) -> None:
        """Boris and Clara become equal in the last tie-break, the rating, too."""
        keizer("rules", level, "last_resort=shared", "tiebreaks=points,wins,rating")
        assert ranks(standings(keizer, level)) == {"Boris": 1, "Clara": 2, "Anna": 3, "Daan": 4}
        edit(level, "UPDATE x_player_tournament SET rating = 1800 WHERE rating = 1900")
        assert ranks(standings(keizer, level)) == {"Boris": 1, "Clara": 1, "Anna": 3, "Daan": 4}


VALUES = {"Boris": 4, "Clara": 3, "Anna": 2, "Daan": 1}


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


class TestOwn:
    def test_a_view_and_a_row(
        self, client: Client, keizer: Keizer, keizers: Path, tmp_path: Path
    ) -> None:
        """Equal points, then the higher number; or the lower one. What is there stays as it is."""
        db = Path(shutil.copy(keizers, tmp_path / "own.db"))
        made = dump(db)
        assert client(db, [SHIRT_VIEW, SHIRT_ROW]) == ["ok"] * 2
        assert len(dump(db)) == len(made) + 2
        kept = told(db)
        for typed, sign in (("shirt", -1), ("shirt:asc", 1)):
            keizer("rules", db, f"tiebreaks=points,{typed}")
            self.ordered(db, sign)
            assert computed(db) == {"tiebreak_shirt"}
            assert "SHIRT" in keizer("standings", db).stdout.splitlines()[1]
        kept_too = timeless(dump(db))
        white = "UPDATE round SET result = '{}' WHERE round_number = 4 AND white = 2"
        edit(db, white.format("0-1"))
        self.ordered(db, 1)
        edit(db, white.format("1-0"))
        assert timeless(dump(db)) == kept_too
        for _ in range(2):
            keizer("undo", db)
        assert timeless(told(db)) == timeless(kept)

    @staticmethod
    def ordered(db: Path, sign: int) -> None:
        found = rows(db, "SELECT player_id, points FROM current_standings ORDER BY rank")
        assert len(found) == 9
        assert found == sorted(
            found, key=lambda row: (-float(str(row[1])), sign * int(str(row[0])))
        )


# --- what it costs ------------------------------------------------------------

OF_A_TABLE = "SELECT * FROM {} WHERE tournament_id = 1 AND round_number = {}"


class TestCost:
    def test_values_in_use_are_looked_up(self, conn: sqlite3.Connection) -> None:
        """200 players and 30 rounds by four tie-breaks: a table is one search of an index."""
        query = OF_A_TABLE.format("tiebreaks", 15)
        plan = [row[3] for row in conn.execute(f"EXPLAIN QUERY PLAN {query}")]
        assert "SEARCH v USING PRIMARY KEY (tournament_id=? AND round_number=?)" in plan
        assert len(plan) == 4
        assert all(step.startswith("SEARCH ") for step in plan), plan
        conn.execute("INSERT INTO tournament (description) VALUES ('Large'), ('Another')")
        order_by(conn, "score,bh,sb,wins,rep", 1)
        order_by(conn, "score,bh,sb,wins,rep", 2)
        conn.executemany("INSERT INTO player (name) VALUES (?)", [(f"P{n}",) for n in range(200)])
        conn.execute("DROP TRIGGER tiebreak_value_is_computed_on_insert")
        needed = []
        for tournament, rounds in ((1, range(15, 16)), (1, range(1, 31)), (2, range(1, 31))):
            for r in rounds:
                conn.execute(
                    "INSERT OR IGNORE INTO tiebreak_value"
                    " SELECT ?1, ?2, id, position, id, id, NULL FROM player, tiebreak_order"
                    " WHERE tournament_id = ?1 AND position > 0",
                    (tournament, r),
                )
            needed.append(steps(File(conn, {}), query)[0])
        assert conn.execute(f"SELECT count(*) FROM ({query})").fetchone() == (800,)
        assert max(needed) - min(needed) <= EACH
        assert needed[0] < 800 * 60
