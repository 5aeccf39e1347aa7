"""Seasons as tournament report files and back: the same facts, the same tables."""

# ruff: noqa: E501 - the lines of the format are longer

import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from keizer import KeizerError
from keizer.formats import recognise, trf
from keizer.formats.trf.report import Edition
from keizer.store import sql
from keizer.store.database import reading, writing
from tests import bbp
from tests.conftest import TWINS, Keizer, campaign, edit, rows
from tests.seasons import random_season, write

FACTS = {
    "player": "SELECT p.* FROM player AS p JOIN x_player_tournament AS e ON e.player_id = p.id WHERE e.tournament_id = ? ORDER BY p.id",
    "entry": "SELECT * FROM x_player_tournament WHERE tournament_id = ? ORDER BY id",
    "round": "SELECT * FROM round WHERE tournament_id = ? ORDER BY round_number, board",
    "table": "SELECT round_number, rank, player_id, value, score, points, played FROM standings WHERE tournament_id = ? ORDER BY 1, 2, 3",
    "scoring": "SELECT * FROM scoring WHERE tournament_id = ? ORDER BY kind",
    "correction": "SELECT player_id, round_number, last_round, points, reason FROM correction WHERE tournament_id = ? ORDER BY id",
} | {
    table: f"SELECT * FROM {table} WHERE tournament_id = ? ORDER BY {order}"
    for table, order in {
        "unplayed": "round_number, player_id", "period": "first_round", "inner_group": "name",
        "personal": "player_id, kind", "apart": "name, player_id", "schedule": "round_number",
        "coming": "round_number, player_id", "relaxation": "round_number, white, rule",
        "passed_over": "round_number, player_id, nearer", "rules": "tournament_id",
    }.items()
}  # fmt: skip


def facts(conn: sqlite3.Connection, tournament: int = 1) -> dict[str, list[tuple[Any, ...]]]:
    """All that is known of a tournament; of the ids only those of people, the rest is counted."""
    conn.row_factory = sqlite3.Row
    return {
        name: [
            tuple(row[key] for key in row.keys() if key not in ids | {"tournament_id"})  # noqa: SIM118
            for row in conn.execute(query, (tournament,))
        ]
        for name, query in FACTS.items()
        for ids in [set() if name == "player" else {"id"}]
    }


@contextmanager
def empty() -> Iterator[sqlite3.Connection]:
    """A file with a tournament without players."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.executescript(sql.script())
        conn.execute("INSERT INTO tournament (description) VALUES ('season')")
        yield conn


def enter(conn: sqlite3.Connection, path: Path, text: str) -> int:
    path.write_text(text, encoding="utf-8", newline="")
    return trf.season(conn, 1, path)


@pytest.fixture(scope="module")
def new() -> Iterator[sqlite3.Connection]:
    """A file to try something on, and to roll it back."""
    with empty() as conn:
        yield conn


@pytest.mark.parametrize("seed", [*range(3), *campaign(3, 400)])
def test_a_season_comes_back_as_it_was(seed: int, tmp_path: Path) -> None:
    """Any facts and settings: every table of the new file is that of the old one."""
    rng = random.Random(seed)
    made = random_season(rng, players=range(2, 10), options=True)
    edition: Edition = rng.choice([2016, 2026])
    with empty() as old, empty() as new:
        old.execute("DELETE FROM tournament")
        tournament = write(old, made)
        text = trf.export(old, tournament, edition=edition)
        assert enter(new, tmp_path / "season.trf", text) == len(made.entries)
        assert facts(new) == facts(old, tournament)
        assert trf.export(new, 1, edition=edition) == text
        bbp.read(text.encode())


@pytest.fixture
def full(sample: Path) -> Path:
    """The worked example with something of everything."""
    edit(
        sample,
        "UPDATE player SET name = 'Johnson, with a name of more than 33 letters', title = 'WGM',"
        " sex = 'w', federation = 'NED', fide_id = 1000016, national_id = '7654321',"
        " born = '1987-03-05', category = 'A' WHERE id = 1",
        "UPDATE player SET born = '1990', name = 'Ĳsbrand, \"Bo\"' WHERE id = 2",
        "UPDATE tournament SET city = 'Delft', federation = 'NED', arbiter = 'R. Piet',"
        " time_control = '90 min + 30 s'",
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
        " (1, 2, 8, 'unexcused'), (1, 5, 1, 'excused'), (1, 5, 2, 'club duty')",
        "UPDATE x_player_tournament SET rating = 1000 WHERE player_id = 3",
        "UPDATE x_player_tournament SET last_round = 2 WHERE player_id = 7",
        "UPDATE x_player_tournament SET absent_as = 'excused' WHERE player_id = 9",
        "INSERT INTO coming (tournament_id, round_number, player_id) VALUES (1, 3, 9)",
        "INSERT INTO schedule (tournament_id, round_number, date, published_at) VALUES"
        " (1, 1, '2026-01-09', '2026-01-08 12:00:00'), (1, 3, '1999-12-31', NULL), (1, 4, '1958-01-01', NULL)",
        "INSERT INTO correction (tournament_id, player_id, points, reason) VALUES (1, 2, -2.5, 'fair\"play')",
        "INSERT INTO apart (tournament_id, name, player_id) VALUES (1, 'family', 1), (1, 'family', 2)",
        "INSERT INTO period (tournament_id, first_round, name) VALUES (1, 2, 'Spring')",
        "INSERT INTO inner_group (tournament_id, name, after_round, to_rank) VALUES (1, 'A', 1, 4)",
    )  # fmt: skip
    return sample


@pytest.mark.parametrize("edition", [2016, 2026])
def test_everything_a_file_knows_comes_back(full: Path, edition: Edition, tmp_path: Path) -> None:
    with reading(full) as old, empty() as new:
        text = trf.export(old, 1, edition=edition)
        enter(new, tmp_path / "full.trf", text)
        assert facts(new) == facts(old)
        there = "SELECT city, federation, arbiter, time_control FROM tournament"
        assert tuple(new.execute(there).fetchone()) == tuple(old.execute(there).fetchone())
        assert trf.export(new, 1, edition=edition).splitlines()[1:] == text.splitlines()[1:]
        bbp.read(text.encode())
        assert bbp.read(text.encode(), to_pair=True).rounds == 9


def test_who_entered_without_a_rating_comes_back_so(sample: Path, tmp_path: Path) -> None:
    """Also if he has one by now, which a new entry would take over."""
    edit(sample, "UPDATE x_player_tournament SET rating = NULL WHERE player_id = 4")
    with reading(sample) as old, empty() as new:
        enter(new, tmp_path / "sample.trf", trf.export(old, 1))
        assert facts(new)["entry"] == facts(old)["entry"]


@pytest.mark.parametrize("edition", [2016, 2026])
def test_other_programs_read_games_and_byes(full: Path, edition: Edition) -> None:
    """What stands in the lines of the format, comments apart."""
    with reading(full) as conn:
        text = trf.export(conn, 1, edition=edition)
    lines = [line for line in text.splitlines() if not line.startswith("###")]
    assert lines[:5] == [
        "012 Worked example",
        "022 Delft",
        "032 NED",
        "042 1958/01/01",
        "052 2026/01/09",
    ]
    assert "092 Keizer" in lines and not any(line.startswith("192") for line in lines)
    assert ("142 9" if edition == 2026 else "XXR 9") in lines
    assert ("240 Z 005 0001 0002" in lines) == (edition == 2026)
    assert (
        "162  W 1.0    D 0.5    L 0.0    P 0.0"
        if edition == 2026
        else "XXS W=1.0 D=0.5 WL=0.0 BL=0.0 PAB=0.0"
    ) in lines
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


def line(number: int, who: str, name: str, known: str, points: str, rank: int, cells: str) -> str:
    return f"001 {number:4} {who:4} {name:33} {known:31} {points:>4} {rank:4}  {cells}\r"


FOREIGN = (
    "012 Open\r022 Gouda\r032 NED\r102 A. Rbiter\r142 7\r"
    + ("132".ljust(91) + "26/02/03\r162  W 1.0    P 0.5\r")
    + line(1, "m g", "Aan, Jan", "2400 NED     1000016 1987/00/00", "2.5", 1,
           "   2 w 1  0000 - F  0000 - H     3 b 0")
    + line(2, "  IM", "Bos, Piet", "2300 GER    24611234 1990/12/31", "1.0", 3,
           "   1 b 0     3 w =            0000 - U")
    + line(3, "", "Cox, Ann", "2200", "2.0", 2, "0000 - U     2 b =  0000 - -     1 w 1")
    + line(4, "", "Dam, Els", "", "1.0", 4, "                       5 w +")
    + line(5, "", "Eik, Bo", "", "0.0", 5, "0000 - Z               4 b -")
    + "240 Z 005 0002\r"
)  # fmt: skip


def test_a_report_of_another_program_becomes_a_season(tmp_path: Path) -> None:
    """As docs/formats.md maps them: U, F and + to a bye, H and Z to excused, - to unexcused."""
    with empty() as conn:
        assert enter(conn, tmp_path / "open.trf", FOREIGN) == 5
        assert rows_of(
            conn,
            "SELECT name, rating, title, federation, fide_id, sex, born FROM player ORDER BY id",
        ) == [
            ("Aan, Jan", 2400, "GM", "NED", 1000016, "m", "1987"),
            ("Bos, Piet", 2300, "IM", "GER", 24611234, None, "1990-12-31"),
            ("Cox, Ann", 2200, None, None, None, None, None),
            ("Dam, Els", None, None, None, None, None, None),
            ("Eik, Bo", None, None, None, None, None, None),
        ]
        assert rows_of(conn, "SELECT round_number, board, white, black, result FROM round ORDER BY 1, 2") == [
            (1, 1, 1, 2, "1-0"), (2, 1, 2, 3, "½-½"), (3, 1, 4, 5, "+-"), (4, 1, 3, 1, "1-0"),
        ]  # fmt: skip
        assert rows_of(conn, "SELECT player_id, round_number, kind FROM unplayed ORDER BY 1, 2") == [
            (1, 2, "bye"), (1, 3, "excused"), (2, 3, "excused"), (2, 4, "bye"), (2, 5, "excused"),
            (3, 1, "bye"), (3, 3, "unexcused"), (4, 4, "excused"), (5, 1, "excused"),
            (5, 2, "excused"), (5, 4, "excused"),
        ]  # fmt: skip
        assert rows_of(
            conn, "SELECT player_id, first_round FROM x_player_tournament WHERE first_round > 1"
        ) == [(4, 3)]
        assert rows_of(conn, "SELECT city, federation, arbiter FROM tournament") == [
            ("Gouda", "NED", "A. Rbiter")
        ]
        assert rows_of(conn, "SELECT round_number, date FROM schedule") == [(1, "2026-02-03")]
        assert rows_of(conn, "SELECT rounds FROM rules") == [(7,)]
        assert rows_of(conn, "SELECT * FROM problems") == []
        assert rows_of(conn, "SELECT max(round_number) FROM ranking_list") == [(4,)]


def test_what_programs_write_beside_the_format_is_read(tmp_path: Path) -> None:
    """As lichess, Swiss-Manager and chess-results do: f for w, 0 for none, rulers, a website."""
    text = (
        "012 Rapid\n022 https://example.org\n032 Lichess\n042 Jun 26, 2020\n062 2 (1)\n112\n132\n\n"
        "         1         2         3\n1234567890123456789012345\nDDD SSSS sTTT NNNNN\n"
        + line(1, "f wf", "Anders,Bea", "0000 GRE           0 0000/00/00", "1.0", 1, "       U     2 - +").replace("\r", "\n")
        + line(2, "m", "Cas,Dirk", "1500                 1947.01.02", "0.0", 0, "             1 - -").replace("\r", "\n")
    ).replace("1.0    1", "2.0    1")  # fmt: skip
    with empty() as conn:
        enter(conn, tmp_path / "rapid.trf", text)
        assert rows_of(
            conn, "SELECT name, sex, title, rating, fide_id, federation, born FROM player"
        ) == [
            ("Anders,Bea", "w", "WFM", None, None, "GRE", None),
            ("Cas,Dirk", "m", None, 1500, None, None, "1947-01-02"),
        ]
        assert rows_of(conn, "SELECT round_number, white, black, result FROM round") == [
            (2, 1, 2, "+-")
        ]
        assert rows_of(conn, "SELECT city, federation FROM tournament") == [
            ("https://example.org", None)
        ]


UNSORTED = (
    line(2, "", "High, B", "2000", "0.0", 3, "   1 b 0")
    + line(1, "", "Low, A", "1500", "1.0", 1, "   2 w 1")
    + line(4, "", "Old, D", "", "0.0", 4, "0000 - Z")
    + line(3, "", "New, C", "2400", "1.0", 2, "          0000 - F")
)


@pytest.mark.parametrize(
    ("rules", "text", "ranks"),
    [
        # New comes in round 2: no place in the start list.
        ("rating", UNSORTED, [("High, B", 2), ("Low, A", 1), ("New, C", None), ("Old, D", 3)]),
        # By rating the list of FOREIGN is that of the start numbers; Dam comes later.
        ("rating", FOREIGN, [(name, None) for name in ("Aan, Jan", "Bos, Piet", "Cox, Ann", "Dam, Els", "Eik, Bo")]),
        ("lot", FOREIGN, [("Aan, Jan", 1), ("Bos, Piet", 2), ("Cox, Ann", 3), ("Dam, Els", None), ("Eik, Bo", 4)]),
    ],
)  # fmt: skip
def test_the_start_list_is_that_of_the_start_numbers(
    rules: str, text: str, ranks: list[tuple[str, int | None]], tmp_path: Path
) -> None:
    """All Keizer values follow from it, whatever the ratings are."""
    with empty() as conn:
        conn.execute("UPDATE rules SET start_order = ?", (rules,))
        enter(conn, tmp_path / "open.trf", text)
        named = (
            "SELECT name, start_rank FROM x_player_tournament JOIN player ON player.id = player_id"
        )
        assert rows_of(conn, f"{named} ORDER BY name") == ranks
        first = "SELECT p.name FROM ranking_list JOIN player AS p ON p.id = player_id WHERE round_number = 0 ORDER BY rank"
        players = [each for each in text.split("\r") if each.startswith("001")]
        numbers = {each[14:47].strip(): int(each[4:8]) for each in players}
        listed = [numbers[name] for (name,) in rows_of(conn, first)]
        assert listed == sorted(listed)


def test_players_of_one_rating_keep_their_start_numbers(tmp_path: Path) -> None:
    """Also where who is behind was in the file before, and so has the lower id."""
    with empty() as conn:
        conn.execute("INSERT INTO player (name) VALUES ('Abe')")
        text = line(1, "", "Zed", "", "1.0", 1, "   2 w 1") + line(
            2, "", "Abe", "", "0.0", 2, "   1 b 0"
        )
        enter(conn, tmp_path / "open.trf", text)
        assert rows_of(
            conn, "SELECT player_id, rank FROM ranking_list WHERE round_number = 0 ORDER BY rank"
        ) == [(2, 1), (1, 2)]


def rows_of(conn: sqlite3.Connection, query: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in conn.execute(query)]


def test_members_whom_the_file_knows_are_not_entered_twice(tmp_path: Path) -> None:
    """By FIDE number, or by name; what is known of them stays, what is not is filled in."""
    with empty() as conn:
        conn.execute("INSERT INTO player (id, name, fide_id) VALUES (7, 'J. Aan', 1000016)")
        conn.execute("INSERT INTO player (id, name, rating) VALUES (8, 'Cox, Ann', 2100)")
        enter(conn, tmp_path / "open.trf", FOREIGN)
        assert rows_of(conn, "SELECT id, name, rating, federation FROM player WHERE id < 9") == [
            (7, "J. Aan", 2400, "NED"),
            (8, "Cox, Ann", 2100, None),
        ]
        assert rows_of(conn, "SELECT count(*) FROM player") == [(5,)]
        for table in ("unplayed", "round", "x_player_tournament"):
            conn.execute(f"DELETE FROM {table}")
        conn.execute("INSERT INTO player (name) VALUES ('Eik, Bo')")
        with pytest.raises(KeizerError, match="line 12: the file knows 2 players named Eik, Bo"):
            trf.season(conn, 1, tmp_path / "open.trf")


@pytest.mark.parametrize(
    ("there", "name", "born", "same"),
    [
        ("Judit Baker", "Baker, Judit", "1990/05/06", True),
        ("Baker, Judit", "judit baker", "", True),
        ("Müller,Hans,Dr.", "Hans Mueller", "1990/00/00", True),
        ("Judit Baker", "Baker, Judit", "1960/05/06", False),
        ("Judit Baker", "Baker, Judith", "", False),
    ],
)
def test_names_are_the_same_as_for_rating_lists(
    there: str, name: str, born: str, same: bool, tmp_path: Path
) -> None:
    """Last name first or last, capitals, accents; another year of birth is another person."""
    with empty() as conn:
        conn.execute("INSERT INTO player (name, born) VALUES (?, '1990')", (there,))
        enter(conn, tmp_path / "open.trf", line(1, "", name, f"{born:>31}", "0.0", 1, ""))
        expected = [(there,)] if same else [(there,), (name,)]
        assert rows_of(conn, "SELECT name FROM player ORDER BY id") == expected


@pytest.mark.parametrize(
    ("there", "sentence"),
    [
        (["Judit Baker"], "line 2: “Baker, Judit” and “judit baker” can both be Judit Baker"),
        (["JUDIT BAKER", "Judit Baker"], "line 1: the file knows 2 players named Baker, Judit"),
    ],
)
def test_of_two_who_can_be_meant_none_is_guessed(
    there: list[str], sentence: str, new: sqlite3.Connection, tmp_path: Path
) -> None:
    two = line(1, "", "Baker, Judit", "", "0.0", 1, "") + line(
        2, "", "judit baker", "", "0.0", 2, ""
    )
    new.execute("BEGIN")
    for statement in TWINS:
        new.execute(statement)
    new.executemany("INSERT INTO player (name) VALUES (?)", [(name,) for name in there])
    with pytest.raises(KeizerError, match=sentence):
        enter(new, tmp_path / "open.trf", two)
    new.execute("ROLLBACK")


def test_the_very_name_says_who_of_two_it_is(tmp_path: Path) -> None:
    with empty() as conn:
        for statement in TWINS:
            conn.execute(statement)
        conn.execute("INSERT INTO player (name) VALUES ('JUDIT BAKER'), ('Judit Baker')")
        enter(conn, tmp_path / "open.trf", line(1, "", "Judit Baker", "", "0.0", 1, ""))
        assert rows_of(conn, "SELECT player_id FROM x_player_tournament") == [(2,)]


def test_a_file_without_players_comes_back(keizer: Keizer, tmp_path: Path) -> None:
    """The rules of a tournament that is still empty; another program's file must have players."""
    old, db, path = tmp_path / "old.db", tmp_path / "new.db", tmp_path / "rules.trf"
    keizer("init", old, "--name", "Old")
    keizer("init", db, "--name", "New")
    edit(old, "UPDATE rules SET top_value = 77")
    keizer("export", old, path)
    assert "0 players" in keizer("import", db, path).stdout
    assert rows(db, "SELECT top_value FROM rules") == [(77,)]
    path.write_text("012 Open\n022 Gouda\n", encoding="utf-8")
    refusal = keizer("import", db, path, fails=True).stderr
    assert f"{path} has no players: they have lines that start with 001" in refusal


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("012 Open\n", "trf"),
        ("\ufeff\r\r062 0\r", "trf"),
        ("012\r\n132\r\n", "trf"),
        ("XXR 5\n240 Z 005 0001", "trf"),
        ("1234567890123456789012345\n001    1", "trf"),
        ("         1         2         3\n012 Open", "trf"),
        ("### by hand\n### keizer: rules {}\n", "trf"),
        ("name;rating\nJan;1500\n", "csv"),
        ("rating,name\n352 ,Jan\n", "csv"),
        ("JAN Jansen;1800\n", "csv"),
        ("172;Jan\n", "csv"),
        ("### notes\nname\n", "csv"),
        ("", "csv"),
    ],
)
def test_a_report_is_known_by_its_records(text: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text, encoding="utf-8", newline="")
    assert recognise.kind(tmp_path / "file") == kind


def test_what_cannot_be_read_is_said_without_a_line(keizer: Keizer, tmp_path: Path) -> None:
    db = tmp_path / "new.db"
    keizer("init", db, "--name", "New")
    for path in (tmp_path, tmp_path / "gone.trf"):
        said = keizer("import", db, path, fails=True).stderr
        assert f"{path} cannot be read: " in said and "line" not in said


def test_a_tournament_with_players_takes_no_file(
    keizer: Keizer, sample: Path, tmp_path: Path
) -> None:
    (tmp_path / "open.trf").write_text(FOREIGN, encoding="utf-8")
    said = keizer("import", sample, tmp_path / "open.trf", fails=True).stderr
    assert "a whole season goes into a tournament without players" in said


@pytest.mark.parametrize(
    ("comment", "sentence"),
    [
        ('entry {"number": 1, "first_round": "x"}', "a first round is 1 to 999."),
        ('entry {"number": 1, "shoe": 1}', "“shoe” is nothing that table x_player_tournament has: leave it out."),
        ('player {"number": 1, "born": "x"}', "born is a year or a date, YYYY-MM-DD."),
        ('schedule {"round": 1, "date": "x"}', "a date is YYYY-MM-DD."),
        ('tournament {"shoe": 1}', "“shoe” is nothing that a file says of a tournament: leave it out."),
        ('apart {"name": "x", "player_id": 9}', "9 is not the start number of a player: lines 001 have those."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("known", [False, True])
def test_a_refusal_names_its_line_once(
    comment: str, sentence: str, known: bool, new: sqlite3.Connection, tmp_path: Path
) -> None:
    path = tmp_path / "open.trf"
    new.execute("BEGIN")
    if known:
        new.execute("INSERT INTO player (name) VALUES ('Ann, A')")
    with pytest.raises(KeizerError) as refused:
        enter(new, path, line(1, "", "Ann, A", "", "0.0", 1, "") + f"### keizer: {comment}")
    new.execute("ROLLBACK")
    assert str(refused.value) == f"{path}, line 2: {sentence}"


@pytest.mark.parametrize(
    ("there", "instead", "sentence"),
    [
        ("001    1", "001    x", "line 8: the start number"),
        ("Bos, Piet", "         ", "line 9: a player needs a name"),
        ("1990/12/31", "1990/02/31", "line 9: the birth date “1990/02/31”"),
        (" 2300", " 9300", "line 9: a rating is a whole number"),
        (
            "\r",
            "\r### keizer: holiday {}\r",
            "line 2: “holiday” is no comment that this keizer knows",
        ),
        ("\r", "\r### keizer: player 1\r", "line 2: what follows is not a JSON object"),
        ("\r", '\r### keizer: player {"number": 9}\r', "line 2: 9 is not the start number"),
        (
            "\r",
            '\r### keizer: player {"number": 1, "shoe": 43}\r',
            "line 2: “shoe” is nothing that table player has",
        ),
        (
            "\r",
            '\r### keizer: player {"number": 1, "id": 99999999999999999999}\r',
            "line 2: “id” is neither",
        ),
        *(
            (
                "\r",
                f'\r### keizer: player {{"number": 1, "id": {number}}}\r',
                f"line 2: the id “{said}” is not a whole number from 1 to 2147483648",
            )
            for number, said in (
                ("-5", "-5"),
                ("0", "0"),
                ("2147483649", "2147483649"),
                ("1.5", "1.5"),
                ('"x"', "x"),
                ("null", "None"),
                (f"{2**63 - 1}", f"{2**63 - 1}"),
            )
        ),
        *(
            ("\r", f"\r### keizer: {comment}\r", "line 2: an escape such as \\ud800 is half")
            for comment in (
                r'player {"number": 1, "name": "\ud800"}',
                r'player {"number": 1, "\udfff": 1}',
                r'tournament {"city": "\ud800"}',
                r'scoring {"kind": "\ud800", "applies_to": "unplayed"}',
                r'schedule {"round": 3, "date": "\udfff"}',
                r'unplayed {"round": 1, "player": 1, "kind": "\ud800"}',
            )
        ),
        ("\r", '\r### keizer: rules {"step": "x"}\r', "line 2: step is 0 to 1000"),
        (
            "\r",
            '\r### keizer: game {"round": 1, "white": 1, "black": 2, "result": "0-1"}\r',
            "line 2: the players' lines have another result",
        ),
        (
            "\r",
            '\r### keizer: game {"round": 2, "white": 4, "black": 5, "result": "0-1"}\r',
            "line 2: the players' lines do not have this game",
        ),
        ("\r", '\r### keizer: game {"round": 1, "white": 3, "black": 4}\r', "line 2: "),
        ("\r", '\r### keizer: unplayed {"round": 1, "player": 1, "kind": "excused"}\r', "line 2: "),
        (
            "\r",
            '\r### keizer: unplayed {"round": 1, "player": 5, "kind": "siesta"}\r',
            "line 2: unknown kind",
        ),
        (
            "\r",
            '\r### keizer: correction {"player_id": 9, "points": 1}\r',
            "line 2: 9 is not the start number",
        ),
        (
            "\r",
            '\r### keizer: schedule {"round": "x"}\r',
            "line 2: “round” is missing or not a whole number",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_line(
    there: str, instead: str, sentence: str, new: sqlite3.Connection, tmp_path: Path
) -> None:
    path = tmp_path / "open.trf"
    assert there in FOREIGN
    new.execute("BEGIN")
    with pytest.raises(KeizerError) as refused:
        enter(new, path, FOREIGN.replace(there, instead, 1))
    new.execute("ROLLBACK")
    assert f"{path}, {sentence}" in str(refused.value)


def test_a_file_that_is_refused_in_its_last_line_leaves_nothing(
    keizer: Keizer, tmp_path: Path
) -> None:
    db, path = tmp_path / "new.db", tmp_path / "open.trf"
    keizer("init", db, "--name", "New")
    path.write_text(f'{FOREIGN}### keizer: apart {{"name": "x"}}', encoding="utf-8", newline="")
    with pytest.raises(KeizerError, match="line 14: "), writing(db) as conn:
        trf.season(conn, 1, path)
    assert rows(db, "SELECT (SELECT count(*) FROM player) + (SELECT count(*) FROM round)") == [(0,)]


def refused(conn: sqlite3.Connection, path: Path, text: str) -> str | None:
    """The sentence that refuses a file, or None for a season without problems."""
    try:
        enter(conn, path, text)
    except KeizerError as error:
        return str(error)
    assert rows_of(conn, "SELECT problem FROM problems") == []
    return None


@pytest.mark.parametrize("seed", [0, *campaign(1, 120)])
def test_a_mutated_comment_is_refused_by_line_or_is_a_season(
    full: Path, seed: int, tmp_path: Path
) -> None:
    """Never another error, and never an unsound file."""
    rng = random.Random(seed)
    with reading(full) as conn:
        text = trf.export(conn, 1)
    start = text.index(trf.MARK)
    with empty() as conn:
        for _ in range(12):
            place = rng.randrange(start, len(text))
            changed = (
                text[:place]
                + rng.choice(['"', "{", "-", "9", "x", ",", "null", ""])
                + text[place + 1 :]
            )
            conn.execute("BEGIN")
            said = refused(conn, tmp_path / "full.trf", changed)
            assert said is None or re.search(r"line \d+: .+\.$", said), said
            conn.execute("ROLLBACK")
