"""Tournament report files of any program as seasons, and seasons as reports."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from keizer import KeizerError
from keizer.exchange import seasons, trf
from keizer.exchange.trf.report import Edition
from keizer.formats import sent
from keizer.season import tournaments
from keizer.season.queries import Tournament
from keizer.store.database import reading, writing
from tests.support import bbp
from tests.support.console import new_club
from tests.support.files import TWINS, campaign, edit, empty, rows, run_keizer
from tests.support.seasons import random_season, write
from tests.support.worked_example import ROUND_2

BOTH = pytest.mark.parametrize("edition", [2016, 2026])
GAMES = "SELECT round_number, w.name, b.name, result FROM round JOIN player AS w ON w.id = white JOIN player AS b ON b.id = black ORDER BY 1, 2"
AWAY = "SELECT round_number, name, kind FROM unplayed JOIN player ON player.id = player_id ORDER BY 1, 2"
START = "SELECT name FROM ranking_list JOIN player ON player.id = player_id WHERE round_number = 0 ORDER BY rank"


class Club:
    """A file with a tournament without players."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "open.trf"
        self.conn = empty()
        self.conn.execute("INSERT INTO tournament (description) VALUES ('season')")
        self.close = self.conn.close

    def enter(self, text: str) -> int:
        self.path.write_text(text, encoding="utf-8", newline="")
        with tournaments.revaluation_suspended(Tournament(self.conn, 1)):
            return trf.Season(Tournament(self.conn, 1)).take_over(
                trf.read(self.path, "")
            )

    def refuse(self, text: str) -> str:
        with pytest.raises(KeizerError) as refused:
            self.enter(text)
        return str(refused.value).removeprefix(str(self.path)).lstrip(",: ")

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return rows_of(self.conn, query)


def rows_of(conn: sqlite3.Connection, query: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in conn.execute(query)]


def finished(conn: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """The games with a result that FIDE knows."""
    return [
        game for game in rows_of(conn, GAMES) if game[3] not in (None, "adj", "void")
    ]


@pytest.fixture
def new(tmp_path: Path) -> Iterator[Club]:
    with closing(Club(tmp_path)) as club:
        yield club


# ------------------------------------------------------------------------ out


@pytest.fixture
def full(sample: Path) -> Path:
    """The worked example with something of everything."""
    about = ("--city", "Delft", "--federation", "NED", "--arbiter", "R. Piet")
    run_keizer("tournament", sample, *about, "--time-control", "90 min + 30 s")
    edit(
        sample,
        "UPDATE player SET name = 'Johnson, with a name of more than 33 letters', title = 'WGM',"
        " sex = 'w', federation = 'NED', fide_id = 1000016, born = '1987-03-05' WHERE id = 1",
        "UPDATE player SET born = '1990', fide_id = 100000000000, name = 'Ĳsbrand, \"Bo\"' WHERE id = 2",
        "UPDATE rules SET match_games = 3, rounds = 9",
        "UPDATE round SET result = 'adj' WHERE round_number = 1 AND board = 1",
        "UPDATE round SET result = NULL WHERE round_number = 2 AND board = 1",
        "UPDATE round SET result = '--' WHERE round_number = 1 AND board = 2",
        "UPDATE round SET result = '0-0' WHERE round_number = 1 AND board = 3",
        "UPDATE round SET result = '-+' WHERE round_number = 1 AND board = 4",
        "UPDATE round SET white_wins = 2, black_wins = 1, drawn = 0 WHERE round_number = 1 AND board = 5",
        "DELETE FROM round WHERE round_number = 2 AND board > 2",
        "INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES"
        " (1, 2, 2, 'bye'), (1, 2, 4, 'club duty'), (1, 2, 5, 'bye'), (1, 2, 7, 'excused'),"
        " (1, 2, 8, 'unexcused'), (1, 3, 1, 'excused'), (1, 3, 2, 'club duty')",
        "UPDATE x_player_tournament SET rating = 1000 WHERE player_id = 3",
        "UPDATE x_player_tournament SET last_round = 2 WHERE player_id = 7",
        "INSERT INTO schedule (tournament_id, round_number, date) VALUES"
        " (1, 1, '2026-01-09'), (1, 3, '1999-12-31'), (1, 4, '1970-01-01')",
        "INSERT INTO correction (tournament_id, player_id, points) VALUES (1, 2, -2.5)",
    )  # fmt: skip
    return sample


@BOTH
def test_other_programs_read_games_and_byes(full: Path, edition: Edition) -> None:
    """What a report says of the file."""
    with reading(full) as conn:
        text = trf.export(Tournament(conn, 1), edition=edition)
    assert bbp.read(text.encode(), to_pair=True).rounds == 9
    lines = text.splitlines()
    heads = [
        "012 Worked example",
        "022 Delft",
        "032 NED",
        "042 1970/01/01",
        "052 2026/01/09",
    ]
    assert lines[:5] == heads
    assert "092 Keizer" in lines and not any(line.startswith("192") for line in lines)
    said = {
        2016: {"XXR 9", "XXS W=1.0 D=0.5 WL=0.0 BL=0.0 PAB=0.0"},
        2026: {"142 9", "162  W 1.0    D 0.5    L 0.0    P 0.0", "240 Z 003 0001 0002"},
    }
    assert {*lines} & (said[2016] | said[2026]) == said[edition]
    players = [line for line in lines if line.startswith("001")]
    assert players[0][:84] == (
        "001    1 wWGM Johnson, with a name of more than 2260 NED     1000016 1987/03/05  0.0"
    )
    cells = [line[91:].rstrip() for line in players]
    assert cells == [
        "",  # Johnson: adjourned, and an open game
        "          0000 - U",  # Petersen: adjourned; the bye
        "  10 b -  0000 - Z",  # Butcher: a double forfeit; club duty
        "   5 w 0  0000 - Z",  # Carter: 0-0; a second bye in this round
        "   4 b 0",
        "   7 w -  0000 - Z",
        "   6 b +  0000 - Z",
        "   9 w 1",  # White: a match of 2-1
        "   8 b 0    10 w 1",
        "   3 w -     9 b 0",  # Baker, who was entered with another rating
    ]


@BOTH
@pytest.mark.parametrize(("statement", "rounds"), [
    ("UPDATE rules SET rounds = NULL", 3),  # one more than there are: it can be paired
    ("UPDATE rules SET rounds = 1", 3),  # a plan that cannot be
    ("UPDATE rules SET rounds = 11", 11),
    ("INSERT INTO schedule (tournament_id, round_number, date) VALUES (1, 5, '2026-03-01')", 5),
    ("INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (1, 4, 1, 'excused')", 4),
    ("UPDATE tournament SET status = 'finished'", 2),
])  # fmt: skip
def test_a_report_says_how_many_rounds_there_are(
    statement: str, rounds: int, edition: Edition, sample: Path
) -> None:
    """Of a season without a plan too: bbpPairings pairs nothing without it."""
    edit(sample, "UPDATE rules SET rounds = NULL", statement)
    with reading(sample) as conn:
        text = trf.export(Tournament(conn, 1), edition=edition)
    assert bbp.read(text.encode(), to_pair=rounds > 2).rounds == rounds
    assert f"{'XXR' if edition == 2016 else '142'} {rounds}" in text.splitlines()


@BOTH
def test_before_the_first_game_odd_numbers_have_white(
    edition: Edition, sample: Path
) -> None:
    """Programs such as bbpPairings draw no colours: a report without games has to say it."""
    said = {2016: "XXC white1", 2026: "152 W"}[edition]
    with reading(sample) as conn:
        assert said not in trf.export(Tournament(conn, 1), edition=edition)
    edit(sample, "DELETE FROM round")
    with reading(sample) as conn:
        text = trf.export(Tournament(conn, 1), edition=edition)
    assert said in text.splitlines()
    bbp.read(text.encode(), to_pair=True)
    with pytest.raises(bbp.RefusedError, match="the colour"):
        bbp.read(text.replace(said, "###").encode(), to_pair=True)


def test_the_coming_round_is_no_plan_of_a_season_that_is_read(
    sample: Path, new: Club
) -> None:
    """A season without a plan would end after one more round."""
    edit(sample, "UPDATE rules SET rounds = NULL")
    with reading(sample) as old:
        new.enter(trf.export(Tournament(old, 1)))
    assert new.rows("SELECT rounds FROM rules") == [(None,)]


# ---------------------------------------------------------------- out and back


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 400)])
def test_any_season_comes_back_as_far_as_a_report_can_say_it(
    seed: int, tmp_path: Path
) -> None:
    """Games with a result and byes; whoever has neither is excused, once they have come."""
    rng = random.Random(seed)
    made = random_season(rng, players=range(2, 10), options=True)
    edition: Edition = rng.choice([2016, 2026])
    with closing(Club(tmp_path)) as old, closing(Club(tmp_path)) as new:
        old.conn.execute("DELETE FROM tournament")
        tournament = write(old.conn, made)
        text = trf.export(Tournament(old.conn, tournament), edition=edition)
        bbp.read(text.encode())
        assert new.enter(text) == len(made.entries)
        assert new.rows(GAMES) == finished(old.conn)
        last = (
            999 if edition == 2026 else Tournament(old.conn, tournament).now.last_round
        )
        away = {
            (number, name): "bye" if kind == "bye" else "excused"
            for number, name, kind in old.rows(AWAY)
            if number <= last
        }
        back = {(number, name): kind for number, name, kind in new.rows(AWAY)}
        assert {key: kind for key, kind in back.items() if key in away} == away
        assert {kind for key, kind in back.items() if key not in away} <= {"excused"}
        before, after = old.rows(START), new.rows(START)
        assert [line for line in after if line in before] == [
            line for line in before if line in after
        ]


@BOTH
def test_what_a_report_says_comes_back(full: Path, edition: Edition, new: Club) -> None:
    """Players, games, dates and the tournament; nothing else (docs/formats.md)."""
    with reading(full) as old:
        new.enter(trf.export(Tournament(old, 1), edition=edition))
        assert new.rows(GAMES) == finished(old)
        ratings = "SELECT substr(name, 1, 33), rating FROM player ORDER BY 1"
        assert new.rows(ratings) == rows_of(old, ratings)
    details = (
        "SELECT name, title, sex, federation, fide_id, born FROM player WHERE id < 3"
    )
    assert new.rows(details) == [
        ("Johnson, with a name of more than", "WGM", "w", "NED", 1000016, "1987-03-05"),
        ('Ĳsbrand, "Bo"', None, None, None, None, "1990"),
    ]
    said = "SELECT city, federation, arbiter, time_control, rounds FROM tournament JOIN rules"
    assert new.rows(said) == [("Delft", "NED", "R. Piet", "90 min + 30 s", 9)]
    dates = [(1, "2026-01-09"), (3, "1999-12-31"), (4, "1970-01-01")]
    assert new.rows("SELECT round_number, date FROM schedule") == dates
    coming = [(3, "Johnson, with a name of more than"), (3, 'Ĳsbrand, "Bo"')]
    away = ("Butcher", "Carter", "Harrison", "Higgins", "Smith", "White")
    assert new.rows(AWAY) == [
        *((2, name, "excused") for name in away), (2, 'Ĳsbrand, "Bo"', "bye"),
        *((*each, "excused") for each in coming if edition == 2026),
    ]  # fmt: skip
    entries = (
        "SELECT name, first_round, e.rating, last_round FROM x_player_tournament AS e"
    )
    entries += " JOIN player AS p ON p.id = player_id WHERE name IN ('Baker', 'Smith')"
    assert sorted(new.rows(entries)) == [
        ("Baker", 1, 2110, None),
        ("Smith", 1, 1867, None),
    ]
    assert new.rows("SELECT match_games FROM rules") == [(1,)]
    assert new.rows("SELECT points FROM correction") == []


def test_ranks_are_those_of_the_current_standings_and_points_come_back(
    sample: Path, new: Club
) -> None:
    """As Sevilla's page has them after round 2."""
    results = "SELECT name, score FROM results ORDER BY name"
    with reading(sample) as old:
        text = trf.export(Tournament(old, 1))
        new.enter(text)
        assert new.rows(results) == rows_of(old, results)
    ranks = {player.name: player.rank for player in trf.parse(text.encode()).players}
    assert ranks == {name: rank for rank, name in enumerate(ROUND_2, 1)}


# ------------------------------------------------------- in, from other programs


def line(number: int, who: str, name: str, known: str = "", points: str = "0.0", rank: int = 0, cells: str = "") -> str:  # fmt: skip
    return (
        f"001 {number:4} {who:4} {name:33} {known:31} {points:>4} {rank:4}  {cells}\r"
    )


FOREIGN = (
    "012 Open\r022 Gouda\r032 NED\r102 A. Rbiter\r142 7\r"
    + ("132".ljust(91) + "26/02/03\r162  W 1.0    P 0.5\r")
    + line(1, "m g", "Aan, Jan", "2400 NED     1000016 1987/00/00", "2.5", 1,
           "   2 w 1  0000 - F  0000 - H     3 b 0")
    + line(2, "  IM", "Bos, Piet", "2300 GER    24611234 1990/12/31", "1.0", 3,
           "   1 b 0     3 w d            0000 - U")
    + line(3, "", "Cox, Ann", "2200", "2.0", 2, "0000 - U     2 b D  0000 - -     1 w 1")
    + line(4, "", "Dam, Els", "", "1.0", 4, "                       5 w +")
    + line(5, "", "Eik, Bo", "", "0.0", 5, "0000 - Z               4 b -")
    + "240 Z 005 0002\r"
)  # fmt: skip


def test_a_report_of_another_program_becomes_a_season(new: Club) -> None:
    """As docs/formats.md maps them: U, F and + to a bye, H and Z to excused, - to unexcused."""
    assert new.enter(FOREIGN) == 5
    details = "SELECT name, rating, title, federation, fide_id, sex, born FROM player ORDER BY id"
    assert new.rows(details) == [
        ("Aan, Jan", 2400, "GM", "NED", 1000016, "m", "1987"),
        ("Bos, Piet", 2300, "IM", "GER", 24611234, None, "1990-12-31"),
        ("Cox, Ann", 2200, None, None, None, None, None),
        ("Dam, Els", None, None, None, None, None, None),
        ("Eik, Bo", None, None, None, None, None, None),
    ]
    assert new.rows("SELECT round_number, board, white, black, result FROM round ORDER BY 1, 2") == [
        (1, 1, 1, 2, "1-0"), (2, 1, 2, 3, "½-½"), (3, 1, 4, 5, "+-"), (4, 1, 3, 1, "1-0"),
    ]  # fmt: skip
    assert new.rows("SELECT player_id, round_number, kind FROM unplayed ORDER BY 1, 2") == [
        (1, 2, "bye"), (1, 3, "excused"), (2, 3, "excused"), (2, 4, "bye"), (2, 5, "excused"),
        (3, 1, "bye"), (3, 3, "unexcused"), (4, 4, "excused"), (5, 1, "excused"),
        (5, 2, "excused"), (5, 4, "excused"),
    ]  # fmt: skip
    late = (
        "SELECT player_id, first_round FROM x_player_tournament WHERE first_round > 1"
    )
    assert new.rows(late) == [(4, 3)]
    said = "SELECT city, federation, arbiter, rounds FROM tournament JOIN rules"
    assert new.rows(said) == [("Gouda", "NED", "A. Rbiter", 7)]
    assert new.rows("SELECT round_number, date FROM schedule") == [(1, "2026-02-03")]
    assert new.rows("SELECT * FROM problems") == []
    assert new.rows("SELECT max(round_number) FROM ranking_list") == [(4,)]


def test_what_programs_write_beside_the_format_is_read(new: Club) -> None:
    """As lichess, Swiss-Manager and chess-results do: f for w, 0 for none, rulers, a website."""
    new.enter(
        "012 Rapid\n022 https://example.org\n032 Lichess\n042 Jun 26, 2020\n062 2 (1)\n112\n132\n\n"
        "         1         2         3\n1234567890123456789012345\nDDD SSSS sTTT NNNNN\n"
        + line(1, "f wf", "Anders,Bea", "0000 GRE           0 0000/00/00", "2.0", 1, "       U     2 - +")
        + line(2, "m", "Cas,Dirk", "1500                 1947.01.02", cells="             1 - -")
    )  # fmt: skip
    assert new.rows(
        "SELECT name, sex, title, rating, fide_id, federation, born FROM player"
    ) == [
        ("Anders,Bea", "w", "WFM", None, None, "GRE", None),
        ("Cas,Dirk", "m", None, 1500, None, None, "1947-01-02"),
    ]
    assert new.rows(GAMES) == [(2, "Anders,Bea", "Cas,Dirk", "+-")]
    assert new.rows("SELECT city, federation FROM tournament") == [
        ("https://example.org", None)
    ]


UNSORTED = (
    line(2, "", "High, B", "2000", "0.0", 3, "   1 b 0")
    + line(1, "", "Low, A", "1500", "1.0", 1, "   2 w 1")
    + line(4, "", "Old, D", "", "0.0", 4, "0000 - Z")
    + line(3, "", "New, C", "2400", "1.0", 2, "          0000 - F")
)


TWO = line(1, "", "Zed", cells="0000 - Z") + line(2, "", "Abe", cells="0000 - Z")
SORTED = ["Aan, Jan", "Bos, Piet", "Cox, Ann", "Eik, Bo"]


@pytest.mark.parametrize(("rules", "there", "text", "ranks", "start"), [
    # New comes in round 2: no place in the start list.
    ("rating", "Old", UNSORTED, [2, 1, None, 3], ["Low, A", "High, B", "Old, D"]),
    # By rating the list of FOREIGN is that of the start numbers; Dam comes later.
    ("rating", "Old", FOREIGN, [None] * 5, SORTED),
    ("lot", "Old", FOREIGN, [1, 2, 3, None, 4], SORTED),
    # Of one rating, and who is behind was in the file before, and so has the lower id.
    ("rating", "Abe", TWO, [2, 1], ["Zed", "Abe"]),
])  # fmt: skip
def test_the_start_list_is_that_of_the_start_numbers(
    rules: str,
    there: str,
    text: str,
    ranks: list[int | None],
    start: list[str],
    new: Club,
) -> None:
    """All Keizer values follow from it, whatever the ratings are."""
    new.conn.execute("UPDATE rules SET start_order = ?", (rules,))
    new.conn.execute("INSERT INTO player (name) VALUES (?)", (there,))
    new.enter(text)
    named = "SELECT start_rank FROM x_player_tournament JOIN player ON player.id = player_id"
    assert new.rows(f"{named} ORDER BY name") == [(rank,) for rank in ranks]
    assert new.rows(START) == [(name,) for name in start]


def test_members_whom_the_file_knows_are_not_entered_twice(new: Club) -> None:
    """By FIDE number, or by name; what is known of them stays, what is not is filled in."""
    new.conn.execute(
        "INSERT INTO player (id, name, fide_id, born, rating)"
        " VALUES (7, 'J. Aan', 1000016, '1960', NULL), (8, 'Cox, Ann', NULL, NULL, 2100)"
    )
    new.enter(FOREIGN)
    known = [(7, "J. Aan", 2400, "NED"), (8, "Cox, Ann", 2100, None)]
    assert (
        new.rows("SELECT id, name, rating, federation FROM player WHERE id < 9")
        == known
    )
    assert new.rows("SELECT count(*) FROM player") == [(5,)]


def test_what_the_tournament_says_already_stays_and_comments_are_no_facts(
    new: Club,
) -> None:
    """Any program may write any comment."""
    new.conn.execute("UPDATE tournament SET city = 'Delft'")
    new.conn.execute("UPDATE rules SET rounds = 9")
    new.conn.execute("INSERT INTO schedule (tournament_id, round_number, date) VALUES (1, 1, '2026-02-02')")  # fmt: skip
    new.enter(f'### {{\r### keizer: rules {{"top_value": 77}}\r{FOREIGN}')
    said = "SELECT description, city, arbiter, rounds, date FROM tournament JOIN rules JOIN schedule"
    assert new.rows(said) == [("season", "Delft", "A. Rbiter", 9, "2026-02-02")]
    assert new.rows("SELECT top_value FROM rules") != [(77,)]


@pytest.mark.parametrize(("there", "name", "born", "same"), [
    ("Judit Baker", "Baker, Judit", "1990/05/06", True),
    ("Baker, Judit", "judit baker", "", True),
    ("Müller,Hans,Dr.", "Hans Mueller", "1990/00/00", True),
    ("Judit Baker", "Baker, Judit", "1960/05/06", False),
    ("Judit Baker", "Baker, Judith", "", False),
])  # fmt: skip
def test_names_are_the_same_as_for_rating_lists(
    there: str, name: str, born: str, same: bool, new: Club
) -> None:
    """Last name first or last, capitals, accents; another year of birth is another person."""
    new.conn.execute("INSERT INTO player (name, born) VALUES (?, '1990')", (there,))
    new.enter(line(1, "", name, f"{born:>31}"))
    expected = [(there,)] if same else [(there,), (name,)]
    assert new.rows("SELECT name FROM player ORDER BY id") == expected


@pytest.mark.parametrize(("there", "sentence"), [
    (["Judit Baker"], "line 2: “Baker, Judit” and “judit baker” can both be Judit Baker"),
    (["JUDIT BAKER", "Judit Baker"], "line 1: the file has 2 players named Baker, Judit"),
    (["judit baker", "judit baker"], "line 2: the file has 2 players named judit baker"),
])  # fmt: skip
def test_of_two_who_can_be_meant_none_is_guessed(
    there: list[str], sentence: str, new: Club
) -> None:
    """Unless it is the very name of one; also where keizer itself would not take both."""
    for statement in TWINS:
        new.conn.execute(statement)
    new.conn.executemany(
        "INSERT INTO player (name) VALUES (?)", [(name,) for name in there]
    )
    assert sentence in new.refuse(
        line(1, "", "Baker, Judit") + line(2, "", "judit baker")
    )
    if "JUDIT BAKER" in there:
        new.conn.execute("DELETE FROM x_player_tournament")
        new.enter(line(1, "", "Judit Baker"))
        assert new.rows("SELECT player_id FROM x_player_tournament") == [(2,)]


@pytest.mark.parametrize(("kind", "text"), [
    ("trf", "012 Open\n"), ("trf", "\ufeff\r\r062 0\r"), ("trf", "012\r\n132\r\n"),
    ("trf", "XXR 5\n240 Z 005 0001"), ("trf", "1234567890123456789012345\n001    1"),
    ("trf", "         1         2         3\n012 Open"), ("trf", "### by hand\n001    1"),
    ("members", "name;rating\nJan;1500\n"), ("members", "rating,name\n352 ,Jan\n"),
    ("members", "JAN Jansen;1800\n"), ("members", "172;Jan\n"), ("members", "### notes\nname\n"), ("members", ""),
])  # fmt: skip
def test_a_report_is_known_by_its_records(kind: str, text: str, new: Club) -> None:
    new.path.write_text(text, encoding="utf-8", newline="")
    assert sent.kind(new.path) == kind


# ----------------------------------------------------------------------- refused


LONG = " " * 9990  # 999 rounds of which nothing is said


@pytest.mark.parametrize(("there", "instead", "sentence"), [
    ("001    1", "001    x", "line 8: the start number"),
    (" 2300", " 9300", "line 9: a rating must be a whole number"),
    ("142 7\r", line(6, "", "Fay", cells=f"{LONG}0000 - Z"), "line 5: first_round must be 1 to 999."),
    (FOREIGN, f"{'132':91}{LONG}26/02/03\r{line(1, '', 'Fay')}", "round_number must be 1 to 999."),
    (FOREIGN, "012 Open\n022 Gouda\n", "there are no players: they have lines that start with 001."),
])  # fmt: skip
def test_what_cannot_be_is_refused_by_line(
    there: str, instead: str, sentence: str, new: Club
) -> None:
    assert there in FOREIGN
    assert new.refuse(FOREIGN.replace(there, instead, 1)).startswith(sentence)


def test_a_file_that_is_refused_in_its_last_line_leaves_nothing(tmp_path: Path) -> None:
    db, path = tmp_path / "new.db", tmp_path / "open.trf"
    new_club(db, name="New")
    path.write_text(FOREIGN + line(6, "", "Fay", "9300"), encoding="utf-8", newline="")
    report = sent.read(path, None, "New", None, None)
    with pytest.raises(KeizerError, match="line 14: a rating"), writing(db) as conn:
        seasons.write(Tournament(conn, 1), report)
    assert rows(
        db, "SELECT (SELECT count(*) FROM player) + (SELECT count(*) FROM round)"
    ) == [(0,)]
