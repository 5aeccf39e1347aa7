"""The order of a table, rules.tiebreaks: set, kept, corrected and tried, in any client.

What each tie-break is worth is the business of tests/test_tiebreaks.py.
"""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Client, Keizer
from tests.test_published import dump
from tests.test_refusals import refused
from tests.test_tiebreaks import random_tournament, written

Oldest = Callable[[str, str], list[str]]
Row = dict[str, object]


def order(db: Path, tournament: int = 1) -> str:
    return str(one(db, f"SELECT tiebreaks FROM rules WHERE tournament_id = {tournament}"))


def one(db: Path, query: str) -> object:
    return read(db, query)[0][0]


def read(db: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(db)) as conn:
        return conn.execute(query).fetchall()


def edit(db: Path, *statements: str) -> None:
    with closing(sqlite3.connect(db, isolation_level=None)) as conn:
        for statement in statements:
            conn.execute(statement)


def standings(keizer: Keizer, db: Path, *args: object) -> list[Row]:
    found: list[Row] = json.loads(keizer("standings", db, "--json", *args).stdout)
    return found


def ranks(rows: list[Row]) -> dict[object, object]:
    return {row["name"]: row["rank"] for row in rows}


# --- what is accepted, and what is not ----------------------------------------

SPELLED = {
    "score,de,sb,wins": "score,de,sb,wins",
    "score,BH/C1,WIN,GE": "score,bh-c1,wins,rep",
    "Points, SB/C1 , TPN, RTNG:asc": "points,sb-c1,start,rating:asc",
    "bh/m1:DESC": "bh-m1:desc",
}


@pytest.mark.parametrize("typed", SPELLED)
def test_a_list_is_stored_as_the_file_spells_it(keizer: Keizer, sample: Path, typed: str) -> None:
    assert keizer("rules", sample, f"tiebreaks={typed}").stdout == f"tiebreaks={SPELLED[typed]}\n"
    assert order(sample) == SPELLED[typed]
    stored = read(sample, "SELECT name, lower_first FROM tiebreak_order ORDER BY position")
    listed = [name for name in SPELLED[typed].split(",") if name != "score"]
    assert stored[0][0] in ("score", "points")
    assert [name for name, _ in stored if name != "score"] == [
        item.partition(":")[0] for item in listed
    ]
    assert {name for name, lower in stored if lower} == {
        item.partition(":")[0] for item in listed if item in ("start", "rating:asc")
    }


MISTYPED = {
    "score,luck": "there is no tie-break “luck”: there are aob, ",
    "luck": "there is no tie-break “luck”",
    "score,BH/C9": "there is no tie-break “bh-c9”",
    "score,sb,de,sb": "“sb” is in the list twice",
    "score,win,wins": "“wins” is in the list twice",
    "score,sb:asc,sb:desc": "“sb” is in the list twice",
    "score,sb:up": "a direction is asc (the lower number is ahead) or desc",
    "score,,sb": "there is no tie-break “”",
    "score,": "there is no tie-break “”",
    ":asc": "there is no tie-break “”",
    "": "there is no tie-break “”",
}


@pytest.mark.parametrize("typed", MISTYPED)
def test_a_wrong_list_is_refused_with_what_is_wrong(
    keizer: Keizer, sample: Path, typed: str
) -> None:
    assert MISTYPED[typed] in refused(keizer, sample, ["rules", f"tiebreaks={typed}"])


SET = "UPDATE rules SET tiebreaks = '{}' WHERE tournament_id = 1"


class TestPlainSql:
    WRONG = ("score,luck", "score,sb,sb", "score,sb:up", "score,,sb", "", " ", "score,sb;de")

    def test_a_wrong_list_is_refused(self, client: Client, keizer: Keizer, sample: Path) -> None:
        keizer("rules", sample, "tiebreaks=score,sb,de")
        before = sample.read_bytes()
        said = client(sample, [SET.format(typed) for typed in self.WRONG])
        assert [line.startswith("refused: ") for line in said] == [True] * len(self.WRONG)
        named = ["tiebreaks is a list" in line or "tiebreaks has a name" in line for line in said]
        assert named == [True] * len(self.WRONG), said
        assert sample.read_bytes() == before

    def test_a_list_that_the_file_does_not_compute_is_refused(
        self, client: Client, sample: Path
    ) -> None:
        """Until the triggers that view tiebreak_trigger has for it are there."""
        before = sample.read_bytes()
        (said,) = client(sample, [SET.format("score,de,wins")])
        assert said.startswith("refused: ")
        assert "view tiebreak_trigger" in said
        assert sample.read_bytes() == before
        wanted = read(
            sample,
            "SELECT replace(g.sql, char(10), ' '), g.present, g.needed, g.sql"
            " FROM tiebreak_trigger AS g"
            " JOIN tiebreak AS t ON t.view = g.view WHERE t.name IN ('de', 'wins')",
        )
        assert [row[1:3] for row in wanted] == [(0, 0), (0, 0)]
        # The clients of these tests take a statement a line, without comments.
        lines = [
            " ".join(line for line in str(row[3]).split("\n") if not line.strip().startswith("--"))
            for row in wanted
        ]
        assert client(sample, [*lines, SET.format("score,de,wins")]) == ["ok"] * 3
        assert order(sample) == "score,de,wins"
        assert one(sample, "SELECT count(*) FROM tiebreak_value") == 2 * 2 * 10
        flags = "SELECT present, needed FROM tiebreak_trigger WHERE present OR needed"
        assert read(sample, flags) == [(1, 1), (1, 1)]


# --- the triggers in a file are those of the tie-breaks in use -----------------


def computed(db: Path) -> set[object]:
    """The views whose tie-breaks the file computes; those it says, and has to."""
    found = {row[0] for row in read(db, "SELECT view FROM tiebreak_trigger WHERE present")}
    assert found == {row[0] for row in read(db, "SELECT view FROM tiebreak_trigger WHERE needed")}
    triggers = read(db, "SELECT name FROM sqlite_master WHERE name LIKE 'tiebreak%asked'")
    assert found == {str(name).removesuffix("_asked") for (name,) in triggers}
    return found


FIDE = {
    "tiebreak_buchholz",
    "tiebreak_sonneborn_berger",
    "tiebreak_direct_encounter",
    "tiebreak_wins",
}
MAGIC = {"tiebreak_match_wins", "tiebreak_game_wins"}


class TestTriggers:
    def test_by_lists(self, keizer: Keizer, sample: Path) -> None:
        """One a view, whatever the tie-breaks of it; none for the order of a new file."""
        assert computed(sample) == set()
        keizer("rules", sample, "tiebreaks=score,bh,bh-c1,wins,won")
        assert computed(sample) == {"tiebreak_buchholz", "tiebreak_wins"}
        keizer("rules", sample, "tiebreaks=score,points")
        assert computed(sample) == {"tiebreak_table"}
        keizer("rules", sample, "tiebreaks=score,luck", fails=True)
        assert computed(sample) == {"tiebreak_table"}
        keizer("rules", sample, "tiebreaks=score,previous")
        assert computed(sample) == set()
        assert one(sample, "SELECT count(*) FROM tiebreak_value") == 0

    def test_by_presets(self, keizer: Keizer, sample: Path) -> None:
        for preset, views in (("magic", MAGIC), ("swiss-fide", FIDE), ("keizer", set())):
            keizer("rules", sample, "--preset", preset)
            assert computed(sample) == views

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
                read(club, "SELECT name FROM sqlite_master WHERE name LIKE 'tiebreak%asked'")
            )
        assert found[0] == found[1]

    def test_of_two_tournaments(self, keizer: Keizer, sample: Path) -> None:
        """As long as one of them needs it; the tables of the other stay as they are."""
        keizer("rules", sample, "tiebreaks=score,sb,wins")
        kept = dump(sample)
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
        assert dump(sample) == kept

    @pytest.mark.parametrize(
        "step",
        [
            ["tiebreaks=score,de,sb"],
            ["tiebreaks=points:asc,lot,wins"],
            ["--preset", "magic"],
            ["--preset", "swiss-fide"],
            ["--preset", "keizer"],
        ],
        ids=" ".join,
    )
    @pytest.mark.parametrize("before", ["score,previous", "score,sb,wins"])
    def test_undone_to_the_same_file(
        self, keizer: Keizer, sample: Path, before: str, step: list[str]
    ) -> None:
        keizer("rules", sample, f"tiebreaks={before}", "step=2")
        kept, views = dump(sample), computed(sample)
        keizer("rules", sample, *step)
        computed(sample)
        keizer("undo", sample)
        assert dump(sample) == kept
        assert computed(sample) == views
        keizer("rules", sample, *step, "--dry-run")
        assert computed(sample) == views


# --- a correction in mid-season, in any client --------------------------------

COMPUTED = (
    "SELECT 'ranking', round_number, player_id, place, rank, score_units, points_units,"
    " value_units, rank_before FROM ranking"
    " UNION ALL SELECT 'tiebreak_value', round_number, player_id, position, value, key, pass,"
    " NULL, NULL FROM tiebreak_value"
    " UNION ALL SELECT name, 0, 0, 0, 0, 0, 0, 0, 0 FROM sqlite_master"
    " WHERE name LIKE 'tiebreak%asked' ORDER BY 1, 2, 3, 4"
)
"""All that is computed from the facts, and what computes it."""


def swiss(keizer: Keizer, db: Path, *, corrected: bool) -> str:
    """Twelve players, six rounds, with all sorts of rounds unplayed; the correction in SQL.

    It turns a win of round 1 round. corrected: build the file with it in place.
    """
    rng = random.Random(5)
    games, gone = ["round,white,black,result"], ["round,player,kind"]
    edit = ""
    for number in range(1, 7):
        players = rng.sample(range(1, 13), 12)
        if number % 2:
            gone.append(f"{number},P{players.pop()},bye")
            gone.append(f"{number},P{players.pop()},{rng.choice(['excused', 'unexcused'])}")
        for white, black in zip(players[::2], players[1::2], strict=True):
            result = rng.choice(["1-0", "0-1", "1-0", "0-1", "½-½", "+-", "--"])
            if number == 1 and result in ("1-0", "0-1") and not edit:
                right = result[::-1]
                edit = (
                    f"UPDATE round SET result = '{right}' WHERE tournament_id = 1"
                    f" AND round_number = 1 AND white = {white}"
                )
                result = right if corrected else result
            games.append(f"{number},P{white},P{black},{result}")
    keizer("init", db, "--name", "Swiss", "--preset", "swiss-fide")
    keizer("rules", db, "tiebreaks=score,bh-c1,sb,de")
    lists: tuple[tuple[list[str], list[str]], ...] = (
        (["name,rating", *(f"P{it},{2000 - 10 * it}" for it in range(1, 13))], []),
        (games, ["--games"]),
        (gone, ["--unplayed"]),
    )
    for lines, args in lists:
        csv = db.with_suffix(".csv")
        csv.write_text("\n".join(lines), encoding="utf-8")
        keizer("import", db, csv, *args)
    assert edit
    return edit


@pytest.fixture(scope="module")
def swisses(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """The file with a wrong result in round 1, with the right one, and the correction."""
    from tests.conftest import run_keizer

    folder = tmp_path_factory.mktemp("swiss")
    wrong, right = folder / "wrong.db", folder / "right.db"
    swiss(run_keizer, right, corrected=True)
    return wrong, right, swiss(run_keizer, wrong, corrected=False)


class TestCorrection:
    def test_of_round_1_in_another_client(
        self, client: Client, swisses: tuple[Path, Path, str], tmp_path: Path
    ) -> None:
        """The file is then as one that had the right result from the start."""
        wrong, right, correction = swisses
        db = Path(shutil.copy(wrong, tmp_path / "swiss.db"))
        assert client(db, [correction]) == ["ok"]
        assert read(db, COMPUTED) == read(right, COMPUTED) != read(wrong, COMPUTED)

    def test_of_round_1_in_sqlite_3_35_0(
        self, oldest: Oldest, swisses: tuple[Path, Path, str]
    ) -> None:
        wrong, right, correction = swisses
        found = oldest("\n".join([*dump(wrong), f"{correction};"]), COMPUTED)
        there = [tuple(map(number, line.split("\t"))) for line in found]
        assert there == [tuple(map(number, map(str, row))) for row in read(right, COMPUTED)]

    def test_the_season_has_what_it_is_for(self, swisses: tuple[Path, Path, str]) -> None:
        """Ties that Buchholz, Sonneborn-Berger and direct encounters part, the last table too."""
        _, right, _ = swisses
        parted = (
            "SELECT count(DISTINCT value) > 1 FROM tiebreak_value"
            " WHERE round_number = 6 AND position = {}"
        )
        assert [one(right, parted.format(position)) for position in (2, 3)] == [1, 1]
        assert one(right, "SELECT count(*) FROM tiebreak_value WHERE position = 4 AND value > 0")


def number(cell: str) -> object:
    """A cell as a client printed it: 2 and 2.0 are the same, and so are None and nothing."""
    try:
        return float(cell)
    except ValueError:
        return cell if cell not in ("None", "null") else ""


# --- the same rows in every SQLite --------------------------------------------


def public_views(conn: sqlite3.Connection) -> list[str]:
    found = conn.execute(
        "SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT LIKE '\\_%' ESCAPE '\\'"
    )
    return [name for (name,) in found]


def copied(conn: sqlite3.Connection) -> list[str]:
    """Statements that copy the rows of every public view into table seen, as text."""
    made = ["CREATE TEMP TABLE seen (view, line)"]
    for view in public_views(conn):
        columns = [row[1] for row in conn.execute(f"PRAGMA table_xinfo({view})")]
        cells = " || '|' || ".join(
            f"CASE typeof({it}) WHEN 'real' THEN 'real ' || printf('%!.17g', {it})"
            f" ELSE replace(quote({it}), char(10), ' ') END"
            for it in columns
        )
        made.append(f"INSERT INTO seen SELECT '{view}', {cells} FROM {view}")
    return made


def lines_of(found: list[str]) -> dict[str, list[tuple[str, ...]]]:
    """The rows of each view: integers, texts and NULLs as they are, REAL to 12 digits."""
    views: dict[str, list[tuple[str, ...]]] = {}
    for row in found:
        view, line = row.split("\t", 1)
        cells = tuple(
            f"{float(cell.removeprefix('real ')):.12g} real" if cell.startswith("real ") else cell
            for cell in line.split("|")
        )
        views.setdefault(view, []).append(cells)
    return {view: sorted(rows) for view, rows in views.items()}


SEEN = "SELECT view, line FROM seen"


@pytest.fixture(scope="module")
def mixture() -> tuple[str, list[str], dict[str, list[tuple[str, ...]]]]:
    """A tournament with everything in it: its dump, what copies its views, what is in them."""
    rng = random.Random(17)
    while True:
        tournament = random_tournament(rng)
        kinds = {gone.kind for gone in tournament.absences}
        forfeits = {game.result for game in tournament.games} & {"+-", "-+", "--", None}
        counted = any(game.counts for game in tournament.games)
        late = any(player.first_round > 1 for player in tournament.players)
        gone = any(player.last_round is not None for player in tournament.players)
        small = len(tournament.players) <= 10 and 4 <= tournament.last_round() <= 6
        if small and counted and late and gone and len(kinds) == 4 and len(forfeits) > 1:
            break
    with written(tournament, "points,bh-c1,sb,de,omw,aro,mutual") as (conn, _):
        conn.execute("UPDATE player SET category = CASE id % 2 WHEN 0 THEN 'A' ELSE 'B' END")
        conn.execute("INSERT INTO period (tournament_id, first_round, name) VALUES (1, 3, 'Two')")
        conn.execute("INSERT INTO inner_group VALUES (1, 'Champions', 1, 1, 3)")
        script = "\n".join(conn.iterdump())
        statements = copied(conn)
        for statement in statements:
            conn.execute(statement)
        here = lines_of(["\t".join(row) for row in conn.execute(SEEN)])
    return script, statements, here


Mixture = tuple[str, list[str], dict[str, list[tuple[str, ...]]]]


class TestSameRows:
    def test_the_mixture_has_something_in_every_view(self, mixture: Mixture) -> None:
        _, statements, here = mixture
        views = {statement.split("'")[1] for statement in statements[1:]}
        empty = {"final_standings", "promotions", "group_standings", "published_standings",
            "pairing_reasons", "relaxations", "problems", "revalue"}  # fmt: skip
        assert views - set(here) <= empty
        assert sum(view.startswith("tiebreak_") for view in here) == 20
        assert any("NULL" in row for row in here["tiebreak_average_rating"])

    def test_in_sqlite_3_35_0(self, mixture: Mixture, oldest: Oldest) -> None:
        script, statements, here = mixture
        assert lines_of(oldest(script + ";\n".join(["", *statements, ""]), SEEN)) == here

    def test_in_a_recent_sqlite(self, mixture: Mixture) -> None:
        import pysqlite3

        script, statements, here = mixture
        conn = pysqlite3.connect(":memory:")
        conn.executescript(script)
        for statement in statements:
            conn.execute(statement)
        assert lines_of(["\t".join(row) for row in conn.execute(SEEN)]) == here
        conn.close()

    def test_over_jdbc(self, mixture: Mixture, jdbc: Client, tmp_path: Path) -> None:
        """And in the shell, of whatever version it is."""
        script, statements, here = mixture
        db = tmp_path / "mixture.db"
        with closing(sqlite3.connect(db)) as conn:
            conn.executescript(script)
        said = jdbc(db, [*statements, SEEN])
        assert said[: len(statements)] == ["ok"] * len(statements)
        assert lines_of(said[len(statements) :]) == here

    def test_in_the_shell(self, mixture: Mixture, shell: Client, tmp_path: Path) -> None:
        script, statements, here = mixture
        db = tmp_path / "mixture.db"
        with closing(sqlite3.connect(db)) as conn:
            conn.executescript(script)
        assert lines_of(shell(db, ["; ".join([*statements, SEEN])])) == here
