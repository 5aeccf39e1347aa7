"""The order of a table, rules.tiebreaks: set, kept, corrected and tried, in any client.

What each tie-break is worth is the business of tests/test_tiebreaks.py.
"""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Client, Keizer
from tests.test_published import dump
from tests.test_refusals import refused

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
