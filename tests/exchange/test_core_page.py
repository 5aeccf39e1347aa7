"""A season typed into views/core.sql, the Keizer system on one page, and imported."""

import random
import sqlite3
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from keizer import DeclinedError, Season
from keizer.exchange import seasons
from keizer.formats import sent
from keizer.season.queries import Tournament
from tests.support.core_page import PAGE, REVALUE, TYPED, page
from tests.support.files import Client, campaign, edit, empty, rows
from tests.support.files import run_keizer as keizer
from tests.support.other_programs import import_sound, note_all_same, refuse_import

LADDER = "max(1, 3 * (players - 1) / 2 - (rank - 1))"
RESULTS = ["1-0", "½-½", "0-1", "0-0", "+-", "-+", "--", "adj", None]
KINDS = ["bye", "excused", "club duty", "unexcused", "holiday", "sick leave"]
SIDES = [
    ("White 1-0", "Black 0-1"), ("White ½-½", "Black ½-½"), ("White +-", "Black -+"),
    ("White adj", "Black adj"), ("White -+", "Black +-"), ("White --", "Black --"),
    ("White 0-1", "Black 1-0", "White 0-0", "Black 0-0"), ("own value",), ("bye",), ("excused",),
    ("club duty",), ("unexcused",), ("holiday",),
]  # fmt: skip
"""What is one kind in a season file, so that the page has to give the same for each."""

Figures = dict[tuple[int, str], tuple[int, int, int]]
"""By round and name: rank, value in units, score in units."""


class Typist:
    """Somebody who types seasons into the page, in any order and with slips."""

    def __init__(self, path: Path, rng: random.Random) -> None:
        self.rng, self.path = rng, path
        self.conn = sqlite3.connect(path, isolation_level=None)
        ladder = rng.choice(
            [LADDER] * 4 + ["max(1, 40 - 3 * (rank - 1))", "60 - (rank - 1)"]
        )
        self.conn.executescript(PAGE.replace(LADDER, ladder))
        self.conn.execute("BEGIN")
        for kinds in SIDES:
            if rng.random() < 0.3:
                share = rng.randint(0, 13)
                for kind in kinds:
                    self.type(
                        "INSERT OR REPLACE INTO scoring VALUES (?, ?)", kind, share
                    )

    def type(self, statement: str, *values: object) -> None:
        self.conn.execute(statement, values)

    def seasons(self) -> None:
        """Some players, and seasons in which some of them play."""
        ids = self.rng.sample(range(1, 60), self.rng.randint(1, 16))
        for player in ids:
            rating = self.rng.choice([None, 0, 1500, 1500, self.rng.randint(800, 2400)])
            category = self.rng.choice([None, "A", " B  junior "])
            name = f"Player {player}"
            self.type(
                "INSERT INTO player VALUES (?, ?, ?, ?)", player, name, category, rating
            )
        for number in range(1, self.rng.randint(1, 3) + 1):
            part = self.rng.sample(ids, self.rng.randint(1, len(ids)))
            self.season(number, part)
        self.rng.choice([self.revalue_all, self.enter_a_result_in_each])()
        self.conn.execute("COMMIT")
        self.conn.close()

    def season(self, number: int, players: list[int]) -> None:
        """Its facts in any order; results are entered late, corrected, and taken back."""
        self.type(
            "INSERT INTO tournament VALUES (?, ?, 'running')",
            number,
            f"Season {number}",
        )
        late = {player for player in players if self.rng.random() < 0.2}
        entry = "INSERT INTO x_player_tournament VALUES (?, ?, 0, 'active')"
        for player in players:
            if player not in late:
                self.type(entry, player, number)
        typed: list[Callable[[], None]] = []
        for played_in in range(1, self.rng.randint(0, 8) + 1):
            here = self.rng.sample(players, len(players))
            boards = self.rng.randint(0, len(here) // 2)
            for _ in range(boards):
                typed += self.game(number, played_in, here.pop(), here.pop())
            least = 0 if boards else 1
            for player in here[: self.rng.randint(least, len(here))]:
                typed += self.absence(number, played_in, player)
        self.rng.shuffle(typed)
        for one in typed:
            one()
            if self.rng.random() < 0.05:
                self.type(REVALUE)
        for player in late:
            self.type(entry, player, number)

    def game(self, *board: int) -> list[Callable[[], None]]:
        """What is typed about a board: it is there at once, later comes what it brought."""
        insert = "INSERT INTO round (tournament_id, round_number, white, black, result)"
        where = "tournament_id = ? AND round_number = ? AND white = ? AND black = ?"
        results = self.rng.choices(RESULTS, k=self.rng.randint(1, 3))
        self.type(f"{insert} VALUES (?, ?, ?, ?, ?)", *board, self.rng.choice(RESULTS))
        return [
            lambda result=result: self.type(  # type: ignore[misc]
                f"UPDATE round SET result = ? WHERE {where}", result, *board
            )
            for result in results
        ]

    def absence(self, *where: int) -> list[Callable[[], None]]:
        """The same of a round without a game."""
        kinds = self.rng.choices(KINDS, k=self.rng.randint(1, 2))
        return [
            lambda kind=kind: self.type(  # type: ignore[misc]
                "INSERT OR REPLACE INTO unplayed VALUES (?, ?, ?, ?)", *where, kind
            )
            for kind in kinds
        ]

    def revalue_all(self) -> None:
        self.type(REVALUE)

    def enter_a_result_in_each(self) -> None:
        """The last result makes all lists of its season again; a season without games needs it."""
        self.type(REVALUE)
        self.type("UPDATE player SET rating = rating + 1 WHERE rating > 1000")
        self.type("UPDATE round SET result = result")
        self.type(
            f"{REVALUE} WHERE tournament_id NOT IN (SELECT tournament_id FROM round)"
        )


def there(path: Path) -> dict[str, Figures]:
    """The standings of the page by season: exact, for `total` has whole sixths."""
    found: dict[str, Figures] = defaultdict(dict)
    query = (
        "SELECT description, round_number, name, rank, value, sixths FROM standings"
        " JOIN total USING (tournament_id, round_number, player_id)"
        " JOIN tournament ON tournament.id = tournament_id"
    )
    for season, number, name, rank, value, sixths in rows(path, query):
        found[season][number, name] = rank, value * 6_000_000, sixths * 1_000_000
    return found


def here(conn: sqlite3.Connection) -> dict[str, Figures]:
    """The same of a season file."""
    found: dict[str, Figures] = defaultdict(dict)
    query = (
        "SELECT description, round_number, name, rank, value_units, COALESCE(score_units, 0)"
        " FROM ranking_list JOIN player ON player.id = player_id"
        " JOIN tournament ON tournament.id = tournament_id"
    )
    for season, number, name, *figures in conn.execute(query):
        found[season][number, name] = tuple(figures)
    return found


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 1012)])
def test_any_season_that_is_typed_has_the_same_standings_in_every_round(
    seed: int, tmp_path: Path
) -> None:
    """Rank, value and score, compared as whole numbers; each season of the file by its name."""
    plain = tmp_path / "plain.db"
    Typist(plain, random.Random(f"page {seed}")).seasons()
    expected = there(plain)
    assert sent.kind(plain) == "core"
    with closing(empty()) as conn:
        for number, name in enumerate(expected, 1):
            conn.execute("INSERT INTO tournament (description) VALUES (?)", (name,))
            seasons.write(
                Tournament(conn, number), sent.read(plain, None, name, None, None)
            )
        assert here(conn) == expected
        assert conn.execute("SELECT * FROM problems").fetchall() == []


# ------------------------------------------------------------- what it is known by


STANDINGS = [("Boris", 4, 8), ("Anna", 3, 4), ("Daan", 2, 23 / 6), ("Clara", 1, 2)]


def test_a_season_comes_in_with_its_byes_absences_and_shares(
    db: Path, file: Path
) -> None:
    before = page(file).read_bytes()
    assert import_sound(db, file) == (
        "4 players, 2 rounds, 3 games imported.\n",
        note_all_same(36),
    )
    current = "SELECT name, value, score FROM current_standings ORDER BY rank"
    assert rows(db, current) == STANDINGS
    away = "SELECT name, kind FROM unplayed JOIN player ON player.id = player_id ORDER BY 1"
    assert rows(db, away) == [("Anna", "excused"), ("Daan", "bye")]
    assert rows(db, "SELECT category, rating FROM player WHERE id = 1") == [("A", 1900)]
    assert rows(db, "SELECT DISTINCT start_rank FROM x_player_tournament") == [(None,)]
    assert file.read_bytes() == before


def test_other_shares_and_further_kinds_become_rules(db: Path, file: Path) -> None:
    shares = "('excused', 5), ('White 0-1', 1), ('Black 1-0', 1), ('sick leave', 7)"
    page(
        file,
        f"INSERT OR REPLACE INTO scoring VALUES {shares}",
        "DELETE FROM scoring WHERE kind = 'club duty'",
        "INSERT INTO unplayed VALUES (1, 3, 1, 'sick leave'), (1, 3, 2, 'abroad')",
        "INSERT INTO round VALUES (3, 1, 3, 4, '0-1', NULL)",
    )
    import_sound(db, file)
    found = dict(
        line.split("=", 1) for line in keizer("rules", db, "--all").stdout.splitlines()
    )
    assert {
        "excused": "5/6", "loss": "1/6", "club-duty": "0", "sick-leave": "7/6", "abroad": "0",
        "bye": "2/3", "win": "1",
    }.items() <= found.items()  # fmt: skip


def test_another_ladder_is_taken_from_its_first_list(db: Path, file: Path) -> None:
    page(file, text=PAGE.replace(LADDER, "max(0, 30 - 12 * (rank - 1))"))
    import_sound(db, file)
    found = "SELECT top_value, step, floor_value FROM rules"
    assert rows(db, found) == [(30, 12, 0)]


def test_the_start_order_of_equal_ratings_is_that_of_its_numbers(
    db: Path, file: Path
) -> None:
    """Also where the members have other numbers here, or another rating."""
    keizer("add", db, "Daan", "--rating", "2000")
    keizer("init", db, "--name", "Winter")
    page(file)
    import_sound(db, file, "-t", "Winter")
    listed = "SELECT name FROM ranking_list JOIN player ON player.id = player_id"
    where = "WHERE tournament_id = 2 AND round_number = 0 ORDER BY rank"
    assert [name for (name,) in rows(db, f"{listed} {where}")] == [
        "Anna",
        "Boris",
        "Daan",
        "Clara",
    ]


def test_a_round_of_absences_counts_as_it_does_there(db: Path, file: Path) -> None:
    """Clara 1 + 1 + 4/6 after round 3; it is said, and taken back where it is still to come."""
    page(file, "INSERT INTO unplayed VALUES (1, 3, 3, 'club duty')", REVALUE)
    notes = import_sound(db, file)[1]
    assert (
        "round 3 has absences only, and counts as a round in which nobody plays"
        in notes
    )
    assert rows(db, "SELECT score FROM current_standings WHERE name = 'Clara'") == [
        (2 + 4 / 6,)
    ]
    keizer("publish-round", db, "--take-back")
    assert rows(db, "SELECT max(round_number) FROM ranking_list") == [(2,)]


def test_a_season_typed_in_the_sqlite3_shell_comes_in(
    db: Path, file: Path, shell: Client
) -> None:
    shell(file, [f"\n{statement}" for statement in (PAGE, TYPED)])
    import_sound(db, file)
    current = "SELECT name, value, score FROM current_standings ORDER BY rank"
    assert rows(db, current) == STANDINGS


def test_a_page_from_before_the_mark_is_known_by_its_tables(
    db: Path, file: Path
) -> None:
    page(file, "PRAGMA application_id = 0")
    import_sound(db, file)
    assert rows(db, "SELECT score FROM current_standings WHERE rank = 1") == [(8,)]


@pytest.mark.parametrize("change", [
    "DROP TABLE scoring",
    "DROP TABLE unplayed",
    "PRAGMA application_id = 0; DROP TABLE scoring",
    "PRAGMA application_id = 0; ALTER TABLE unplayed RENAME COLUMN kind TO reason",
    "DROP TABLE unplayed; DROP TABLE scoring",
])  # fmt: skip
def test_a_part_of_the_page_is_no_season_of_the_original(
    change: str, db: Path, file: Path
) -> None:
    code = "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY type"
    drops = [f"DROP {kind} {name}" for kind, name in rows(page(file), code)]
    edit(file, *drops, *change.split("; "))
    assert "is a SQLite database, but not of" in refuse_import(db, file)


def test_a_command_on_it_says_how_it_is_taken_over(file: Path) -> None:
    said = keizer("standings", page(file), fails=True).stderr
    assert f"{file} is a season of views/core.sql, not a Keizer file: " in said
    assert f"`keizer import NEW.db {file}` takes it over." in said


# ------------------------------------------------------------- what is refused


@pytest.mark.parametrize(("change", "sentence"), [
    ("INSERT INTO round VALUES (4, 1, 1, 2, '1-0', NULL)",
     "round 3 has neither a game nor an unplayed round, and round 4 has."),
    ("INSERT INTO round VALUES (0, 1, 1, 2, '1-0', NULL)", "round 0, player 1: "),
    ("INSERT INTO round VALUES (9000000000000000000, 1, 1, 2, '1-0', NULL)", "round 3 has neither"),
    ("INSERT INTO round VALUES (NULL, 1, 1, 2, '1-0', NULL)", "round -1, player 1: "),
    ("INSERT INTO round VALUES (2, 1, 1, 2, '1-0', NULL)", "round 2, player 1: "),
    ("INSERT INTO round VALUES (2, 1, 4, 4, '1-0', NULL)", "round 2, player 4: "),
    ("INSERT INTO round VALUES (2, 1, 9, 4, '1-0', NULL)",
     "round 2: player 9 has no row in table x_player_tournament."),
    ("INSERT INTO unplayed VALUES (1, 2, 9, 'bye')",
     "round 2: player 9 has no row in table x_player_tournament."),
    ("INSERT INTO x_player_tournament VALUES (9, 1, 0, NULL)",
     "player 9 has no row in table player."),
    ("INSERT INTO unplayed VALUES (1, 2, 2, 'excused')", "round 2, player 2: "),
    ("INSERT INTO unplayed VALUES (1, 3, 2, NULL)",
     "an unplayed round in table unplayed has no kind."),
    ("INSERT INTO unplayed VALUES (1, 3, 2, 'own value')", "“own value”"),
    ("INSERT INTO unplayed VALUES (1, 3, 2, 'late start')", "“late start”"),
    ("INSERT INTO unplayed VALUES (1, 3, 2, 'a+b')", "“a+b” is not a name for a kind"),
    ("INSERT INTO unplayed VALUES (1, 3, 2, 'Excused')",
     "“Excused” and “excused” in table scoring are one kind here, and bring 0 and 2 sixths there."),
    ("UPDATE scoring SET sixths = 5 WHERE kind = 'Black 0-1'",
     "“White 1-0” and “Black 0-1” in table scoring are one kind here"),
    ("INSERT INTO scoring VALUES ('White 0-1', 1), ('Black 1-0', 1);"
     " UPDATE round SET result = '0-0' WHERE white = 1",
     "“White 0-1” and “White 0-0” in table scoring are one kind here"),
    ("UPDATE scoring SET sixths = 2.5 WHERE kind = 'bye'",
     "“bye” in table scoring brings 2.5 sixths"),
    ("UPDATE scoring SET sixths = -1 WHERE kind = 'bye'",
     "“bye” in table scoring brings -1 sixths"),
    ("UPDATE scoring SET sixths = 'x' WHERE kind = 'bye'",
     "“bye” in table scoring brings x sixths"),
    ("UPDATE player SET rating = 1850.5 WHERE id = 1", "player 1: “1850.5” is not a rating."),
    ("UPDATE player SET rating = 'strong' WHERE id = 1", "player 1: “strong” is not a rating."),
    ("UPDATE player SET name = NULL WHERE id = 1", "player 1: a player needs a name."),
    ("PRAGMA ignore_check_constraints = ON; UPDATE round SET result = '1:0' WHERE white = 1",
     "round 1, player 1: “1:0” is not a result."),
    ("DELETE FROM tournament", "does not have exactly one tournament"),
])  # fmt: skip
def test_what_a_season_file_cannot_say_is_refused_with_its_name(
    change: str, sentence: str, db: Path, file: Path
) -> None:
    page(file, change, REVALUE)
    assert sentence in refuse_import(db, file)


def test_lists_that_are_older_than_the_facts_are_named(db: Path, file: Path) -> None:
    """The page has no trigger on DELETE: without the win of Boris, Anna stays ahead."""
    page(file, "DELETE FROM round WHERE white = 1")
    said = refuse_import(db, file).splitlines()
    assert "`INSERT INTO revalue SELECT * FROM revalue`" in said[1]
    assert said[2:6] == [
        "Anna, rank after round 1: 2 in the file, 1 here",
        "Anna, value after round 1: 3 in the file, 4 here",
        "Boris, rank after round 1: 1 in the file, 2 here",
        "Boris, value after round 1: 4 in the file, 3 here",
    ]
    edit(file, REVALUE)
    import_sound(db, file)


@pytest.mark.parametrize("value", ["9e999", "-9e999", "'x'", "NULL", "x'ff'", "1e300"])
@pytest.mark.parametrize("column", ["score", "rank", "round_number", "player_id"])
def test_a_list_of_anything_is_refused_in_words(
    value: str, column: str, db: Path, file: Path
) -> None:
    page(
        file,
        f"UPDATE ranking SET {column} = {value} WHERE round_number = 3 AND player_id = 2",
    )
    # And two that the list has no more.
    all_figures = 36 if column in ("score", "rank") else 38
    assert f"of the {all_figures} figures" in refuse_import(db, file)


def test_a_program_insists_as_the_command_does(tmp_path: Path, file: Path) -> None:
    page(file, "UPDATE ranking SET score = 9 WHERE round_number = 3 AND player_id = 2")
    season = Season.create(tmp_path / "new.db", "Winter")
    with pytest.raises(
        DeclinedError, match="Boris, value after round 2: 9 in the file, 4 here"
    ):
        season.import_(file)
    assert season.players() == []
    notes = season.import_(file, anyway=True).notes
    assert "Boris, value after round 2: 9 in the file, 4 here" in map(str, notes)
    assert [row["name"] for row in season.standings()] == [
        "Boris",
        "Anna",
        "Daan",
        "Clara",
    ]
