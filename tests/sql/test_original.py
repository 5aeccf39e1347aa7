"""What the original SQLite Keizer project's users know: its statements, its words, its file.

Its statements run on our files and give the right figures or a sentence, never a wrong
figure. They stand in bench/original.py, made again from their description.
"""

import json
import random
import re
import shutil
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from bench import original
from conformance import seasons as oracle
from keizer import KeizerError
from keizer.season.names import spelling
from tests.support.console import new_club
from tests.support.files import (
    Client,
    Keizer,
    campaign,
    dump,
    edit,
    empty,
    needs_program,
    public_views,
    rows,
)
from tests.support.other_programs import ORIGINAL, S3DB, SCE, Original
from tests.support.seasons import random_season, write

Values = dict[int, float]
Counted = Counter[tuple[int, int, int]]
"""Round, player and amount in units of what each game brings."""

NEXT = original.UPDATE
"""Its ranking query, with the parameters :round and :tournament."""

INSERT = f"INSERT INTO ranking (tournament_id, player_id, round_number, score) {NEXT}"
"""What it does with the result."""


def line(query: str, number: int = 0, tournament: int = 1) -> str:
    """A statement on one line, as clients take it, with its parameters put in."""
    plain = query.replace(":round", str(number)).replace(":tournament", str(tournament))
    return " ".join(plain.split())


def next_values(conn: sqlite3.Connection, number: int) -> Values:
    """What its query says of the round after this one, by player."""
    made = conn.execute(NEXT, {"round": number, "tournament": 1}).fetchall()
    assert {(row[0], row[2]) for row in made} <= {(1, number + 1)}
    assert len({row[1] for row in made}) == len(made)
    return {player: value for _, player, _, value in made}


def among_equals(
    values: Values, totals: dict[int, Any]
) -> list[tuple[Any, list[float]]]:
    """The values by total, those of equal totals as a set: the order of these is nobody's."""
    by_total = sorted(values, key=lambda player: totals[player], reverse=True)
    return [
        (total, sorted(values[player] for player in group))
        for total, group in groupby(by_total, key=lambda player: totals[player])
    ]


# ------------------------------------------------------------ the worked example


def test_its_parameters_are_bound_as_whatever_the_client_has(sample: Path) -> None:
    """PHP binds numbers as text, and its columns made numbers of them."""
    with closing(sqlite3.connect(sample)) as conn:
        for number, rounds in ((1, 10), (2, 20), (3, 20)):
            plain = {"round": number, "tournament": 1}
            text = {"round": str(number), "tournament": "1"}
            for query in (NEXT, original.SCORES):
                wanted = sorted(conn.execute(query, plain).fetchall())
                assert len(wanted) == 10
                assert sorted(conn.execute(query, text).fetchall()) == wanted
            for view, many in (("ranking", 10), ("scores", rounds)):
                counting = f"SELECT count(*) FROM {view} WHERE round_number = ?"
                assert conn.execute(counting, (number,)).fetchone() == (many,)
                assert conn.execute(counting, (str(number),)).fetchone() == (many,)


def test_its_statements_are_taken_where_they_are_right(
    client: Client, sample: Path
) -> None:
    """What they write is what the file has, or it would be refused: nothing changes."""
    before = dump(sample)
    plain = line(INSERT, 2).replace(
        " (tournament_id, player_id, round_number, score)", "", 1
    )
    right = [
        *(
            line(INSERT, 1),
            line(INSERT, 2),
            plain,
            "INSERT INTO ranking VALUES (1, 6, 3, 50)",
        ),
        line(original.POINTS),
    ]
    assert client(sample, right) == ["ok"] * 5
    assert dump(sample) == before


def test_a_club_is_entered_with_its_statements(client: Client, club: Path) -> None:
    """From the first player to the list after round 2, in its columns and its words."""
    one, two, three, four = ids = [5, 6, 7, 8]
    statements = [
        "INSERT INTO tournament (description, status) VALUES ('Rapid', 'OPEN')",
        "UPDATE rules SET top_value = 50 WHERE tournament_id = 2",
    ]
    for player in ids:
        statements += [
            "INSERT INTO player (name, category, rating)"
            f" VALUES ('P{player}', 'A', {3000 - player})",
            "INSERT INTO x_player_tournament (player_id, tournament_id, score, status)"
            f" VALUES ({player}, 2, 0, 0)",
        ]
    statements += [
        f"INSERT INTO ranking VALUES (2, {player}, 1, {value})"
        for player, value in zip(ids, (50, 49, 48, 47), strict=True)
    ]
    for number, games in ((1, (one, two, three, four)), (2, (four, one, two, three))):
        for white, black, result in ((*games[:2], "1-0"), (*games[2:], "½-½")):
            statements += [
                "INSERT INTO round (round_number, tournament_id, white, black)"
                f" VALUES ({number}, 2, {white}, {black})",
                f"UPDATE round SET result = '{result}', last_updated = CURRENT_TIMESTAMP"
                f" WHERE round_number = {number} AND tournament_id = 2 AND white = {white}",
            ]
        statements += [line(INSERT, number, 2), line(original.POINTS, tournament=2)]
    assert client(club, statements) == ["ok"] * len(statements)
    # 1: 50 + 49, 3: 48 + 47/2, 4: 47 + 48/2, 2: 49. Then 1: 50 + 47, 3: 49 + 48/2 + 47/2,
    # 4: 48 + 49/2 + 50, 2: 47 + 49/2.
    assert rows(
        club,
        "SELECT player_id, score FROM ranking WHERE tournament_id = 2 AND round_number > 1"
        " ORDER BY round_number, score DESC",
    ) == [
        (player, 50 - place)
        for order in ((one, three, four, two), (four, one, three, two))
        for place, player in enumerate(order)
    ]
    entries = "SELECT player_id, score, status FROM x_player_tournament WHERE tournament_id = 2"
    assert rows(club, entries) == [
        (player, points, "active")
        for player, points in zip(ids, (1.0, 0.5, 1.0, 1.5), strict=True)
    ]


# ------------------------------------------------------------------ any season


def plain_season(rng: random.Random, most: int) -> oracle.Season:
    """A season as the original knows them: 50 at the top, and everybody plays every round."""
    count = 2 * rng.randint(2, most // 2)
    season = oracle.Season(rules=oracle.Rules(top_value=Fraction(50), step=Fraction(1)))
    for player in range(1, count + 1):
        season.entries.append(oracle.Entry(player, rating=rng.randint(800, 2400)))
    for number in range(1, rng.randint(1, 10) + 1):
        free = [entry.player for entry in season.entries]
        rng.shuffle(free)
        for white, black in zip(free[::2], free[1::2], strict=True):
            result = rng.choice(["1-0", "0-1", "½-½"])
            season.games.append(oracle.Game(number, white, black, result))
    return season


def in_force(chain: oracle.Chain) -> dict[int, oracle.Values]:
    """The values in force by round and player, in the round that follows the last too."""
    last = len(chain.tables)
    return {
        number: chain.in_force[number]
        if number < last
        else chain.list_in_force(number)[1]
        for number in range(1, last + 1)
    }


def of_games(chain: oracle.Chain, number: int) -> Counted:
    """What each game brings in the table after a round: round, player and amount in units."""
    values = in_force(chain)[number]
    if number == len(chain.tables):
        chain.in_force.append(values)
    found: Counted = Counter()
    listed = {entry.player for entry in chain.listed(number)}
    for player in values:
        for credit in chain.counted(number, player):
            if credit.opponent is not None and player in listed:
                value = chain.values_for(credit.round_number, number, values)[
                    credit.holder
                ]
                amount = oracle.amount(chain.season, credit, value)
                found[number, player, int(amount * oracle.UNITS)] += 1
    del chain.in_force[len(chain.tables) :]
    return found


def the_original(season: oracle.Season, chain: oracle.Chain) -> sqlite3.Connection:
    """The season in its own tables, with these values in force."""
    values = [
        (number, player, float(value))
        for number, of_round in in_force(chain).items()
        for player, value in of_round.items()
    ]
    return original.database(season, values)


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 600)])
def test_a_season_of_its_kind(conn: sqlite3.Connection, seed: int) -> None:
    """Its query, its INSERT and its scores, as in the original and as the rules have it."""
    season = plain_season(random.Random(seed), 24)
    write(conn, season)
    chain = oracle.chain(season)
    before = list(conn.iterdump())
    with closing(the_original(season, chain)) as theirs:
        for view, cells in (
            ("scores", "*"),
            (
                "ranking",
                "tournament_id, player_id, round_number, CAST(score AS REAL) AS score",
            ),
        ):
            ours, its = (
                file.execute(f"SELECT {cells} FROM {view}") for file in (conn, theirs)
            )
            assert [column[0] for column in ours.description] == [
                column[0] for column in its.description
            ]
            assert Counter(ours) == Counter(its)
        for number in range(1, season.last_round() + 2):
            where = {"round": number, "tournament": 1}
            totals = dict(conn.execute(original.SCORES, where).fetchall())
            assert totals == dict(theirs.execute(original.SCORES, where).fetchall())
            made = next_values(conn, number)
            assert among_equals(made, totals) == among_equals(
                next_values(theirs, number), totals
            )
            if number <= season.last_round() and len({*totals.values()}) == len(totals):
                conn.execute(INSERT, where)
    conn.execute(original.POINTS, {"tournament": 1})
    assert list(conn.iterdump()) == before


def any_season(seed: int) -> oracle.Season:
    """With any rules, absences, late entries and withdrawals."""
    return random_season(
        random.Random(seed), players=range(2, 15), most_rounds=8, options=True
    )


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 1000)])
def test_figures_and_the_follow_up_round_under_any_rules(
    conn: sqlite3.Connection, seed: int
) -> None:
    """`ranking` and `scores`, up to the round that follows the last one."""
    season = any_season(seed)
    write(conn, season)
    chain = oracle.chain(season)
    for number in range(1, len(chain.tables) + 1):
        stored = "SELECT player_id, score FROM ranking WHERE round_number = ?"
        assert dict(conn.execute(stored, (number,)).fetchall()) == {
            player: pytest.approx(float(value), abs=1e-9)
            for player, value in in_force(chain)[number].items()
        }
        counted = (
            "SELECT round_number, player_id, score FROM scores WHERE round_number = ?"
        )
        assert of_games(chain, number) == Counter(
            (round_number, player, round(score * oracle.UNITS))
            for round_number, player, score in conn.execute(counted, (number,))
        )


# ------------------------------------------------------------ a file of its own


def theirs(path: Path, results: Sequence[object]) -> Path:
    """Its file of a season of one round, which it takes with any results."""
    file = Original(path)
    players = "ABCDEFGH"[: 2 * len(results)]
    for name in players:
        file.conn.execute("INSERT INTO player VALUES (?, NULL, 1500)", (name,))
    file.tournament("Season", players)
    for white, black, result in zip(players[::2], players[1::2], results, strict=True):
        file.game(1, white, black, None)
        file.conn.execute("UPDATE round SET result = ? WHERE result IS NULL", (result,))
    return file.close()


@pytest.mark.addons
def test_a_result_that_it_does_not_score_comes_in_as_void(
    tmp_path: Path, keizer: Keizer
) -> None:
    """Its columns take anything; a 0 is not an open game, blanks are one."""
    results = ["won by \u2068Sicilian\u2069", 0, b"\x00\xff", "  "]
    file = theirs(tmp_path / "keizer.db", results)
    db = tmp_path / "club.db"
    new_club(db)
    said = keizer("import", db, file).stderr
    assert said.count("it counts for nothing (void).") == 3
    assert "round 1, A against B: “won by \\u2068Sicilian\\u2069” is no result" in said
    assert rows(db, "SELECT result FROM round ORDER BY board") == [("void",)] * 3 + [
        (None,)
    ]


FOREIGN = {
    "a season of the original SQLite Keizer project": ORIGINAL,
    "a tournament of KeizerForClubs": S3DB,
    "an event of Sharly Chess": SCE,
}


@pytest.mark.addons
@pytest.mark.parametrize("what", FOREIGN)
@pytest.mark.parametrize(
    "command",
    ["standings", "check", "result 1 1-0", "next-round", "add Baker", "migrate", "log", "backup",
        "undo", "restore", "players", "finish", "site page"],
)  # fmt: skip
def test_commands_say_whose_file_it_is(
    tmp_path: Path, keizer: Keizer, what: str, command: str
) -> None:
    file = tmp_path / "Winter.sqlite"
    with closing(sqlite3.connect(file)) as conn:
        conn.executescript(FOREIGN[what])
    before = file.read_bytes()
    first, *rest = command.split()
    refused = keizer(first, file, *rest, fails=True)
    assert refused.stderr == (
        f"Error: {file} is {what}, not a Keizer file: `keizer init NEW.db --name NAME`, then"
        f" `keizer import NEW.db {file}` takes it over.\n"
    )
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["Winter.sqlite"]


@pytest.mark.addons
def test_what_the_sentence_says_works(tmp_path: Path, keizer: Keizer) -> None:
    file = theirs(tmp_path / "keizer.db", ["1-0", "½-½"])
    refused = keizer("standings", file, fails=True).stderr
    for said in re.findall(r"`keizer (.*?)`", refused):
        keizer(
            *said.replace("NEW.db", str(tmp_path / "new.db"))
            .replace("NAME", "Season")
            .split()
        )
    assert json.loads(keizer("standings", tmp_path / "new.db", "--json").stdout)


# ------------------------------------------------------------------- its words

TOURNAMENTS = "SELECT description, status FROM tournament WHERE id > 1"
ENTRIES = "SELECT status, last_round FROM x_player_tournament WHERE tournament_id = 2"


def test_its_statuses_are_taken(client: Client, sample: Path, keizer: Keizer) -> None:
    """By INSERT and by UPDATE; what is stored is what commands go by, and the log proves it."""
    enter = (
        "INSERT INTO x_player_tournament (tournament_id, player_id{}) VALUES (2, {})"
    )
    change = "UPDATE x_player_tournament SET status = {} WHERE tournament_id = 2"
    entered = [
        "INSERT INTO tournament (description, status)"
        " VALUES ('Open', 'OPEN'), ('Closed', 'CLOSED'), ('Zero', 0), ('Small', 'closed')",
        *(enter.format(", status", values) for values in ("1, 0", "2, '0'")),
        enter.format("", "3"),
    ]
    assert client(sample, entered) == ["ok"] * 4
    assert rows(sample, TOURNAMENTS) == [
        ("Open", "running"), ("Closed", "finished"), ("Zero", "running"), ("Small", "finished"),
    ]  # fmt: skip
    assert rows(sample, ENTRIES) == [("active", None)] * 3
    changed = [
        change.format("'withdrawn'"),
        change.format("0") + " AND player_id = 1",
        change.format("'0'") + " AND player_id = 2",
        "UPDATE tournament SET status = 'CLOSED' WHERE id = 2",
        "UPDATE tournament SET status = 'OPEN' WHERE id = 3",
    ]
    assert client(sample, changed) == ["ok"] * 5
    assert rows(sample, TOURNAMENTS)[:2] == [
        ("Open", "finished"),
        ("Closed", "running"),
    ]
    assert rows(sample, ENTRIES) == [
        ("active", None),
        ("active", None),
        ("withdrawn", 0),
    ]
    assert "is sound" in keizer("check", sample).stdout


def test_a_ranking_update_is_asked_for_as_the_view_says(
    client: Client, sample: Path
) -> None:
    """It makes what is there already; of a round that is not there it says so."""
    before = rows(sample, "SELECT * FROM ranking_list")
    ask = "INSERT INTO ranking_update (tournament_id, round_number) VALUES ({}, {})"
    said = client(
        sample,
        [ask.format(*of) for of in ((1, 2), (1, 0), (1, 3), (2, 1), (1, "NULL"))],
    )
    assert said[:2] == ["ok", "ok"]
    assert all(
        "there is no such list: name tournament_id" in refused for refused in said[2:]
    )
    assert rows(sample, "SELECT * FROM ranking_list") == before


def test_its_first_values_are_taken_once_the_rule_is_set(
    client: Client, sample: Path
) -> None:
    """50, 49, ...: in a new tournament, where the file hands out others, it says what to type."""
    first = "INSERT INTO ranking (tournament_id, player_id, round_number, score) VALUES (2, {}, 1, {})"
    rule = "UPDATE rules SET top_value = 50"
    said = client(
        sample,
        [
            "INSERT INTO tournament (description, status) VALUES ('T2', 0)",
            "INSERT INTO x_player_tournament (tournament_id, player_id) VALUES (2, 1), (2, 2)",
            first.format(1, 50),
            f"{rule} WHERE tournament_id = 2",
            first.format(1, 50),
            first.format(2, 49),
        ],
    )
    assert said[:2] == ["ok", "ok"] and f"type {rule} first" in said[2]
    assert said[3:] == ["ok"] * 3


@pytest.mark.clients
def test_a_column_of_values_is_printed_in_one_way(sample: Path) -> None:
    """50 and not 50.0 beside it, in the sqlite3 shell, in any order."""
    needs_program(shutil.which("sqlite3") is not None, "sqlite3")
    for order in ("", " ORDER BY score DESC", " ORDER BY round_number DESC, player_id"):
        query = f"SELECT score FROM ranking{order}"
        told = subprocess.run(
            ["sqlite3", sample, query], capture_output=True, text=True, check=True
        )
        shown = told.stdout.split()
        assert len(shown) == 30 and len({"." in value for value in shown}) == 1, order


OLD = "2015-01-02 20:00:00"
GIVEN = "2016-01-01 12:00:00"
NOW = "now"
EDITED = {
    "result = 'void'": NOW, "result = '1:0'": NOW, "result = NULL": NOW, "result = '0.5'": NOW,
    "board = 9": OLD, f"result = '0:1', last_updated = '{GIVEN}'": GIVEN,
}  # fmt: skip
"""Edits of a game, and when it then was updated."""
ADDED = {
    "'1:0', CURRENT_TIMESTAMP": NOW, f"'1/2', '{OLD}'": OLD, "NULL, NULL": None,
}  # fmt: skip
"""Likewise, result and last_updated of new games."""


def test_last_updated_follows_the_result(client: Client, sample: Path) -> None:
    """Typed, corrected, emptied or in another spelling; a time that is given stays."""
    edit(sample, f"UPDATE round SET last_updated = '{OLD}'")
    untouched = [OLD] * (10 - len(EDITED))
    due: list[str | None] = [*EDITED.values(), *untouched, *ADDED.values(), NOW, NOW]
    new = "INSERT INTO round (tournament_id, round_number, white, black, result{})"
    new += " VALUES (1, 3, {})"
    statements = [
        *(f"UPDATE round SET {edit} WHERE id = {game}" for game, edit in enumerate(EDITED, 1)),
        *(new.format(", last_updated", f"{2 * pair + 1}, {2 * pair + 2}, {cells}")
          for pair, cells in enumerate(ADDED)),
        new.format("", "7, 8, NULL"),
        new.format("", "9, 10, '0-1'"),
    ]  # fmt: skip
    assert client(sample, statements) == ["ok"] * len(statements)
    now = datetime.now(UTC)
    stamps = rows(sample, "SELECT last_updated FROM round ORDER BY id")
    for (stamp,), when in zip(stamps, due, strict=True):
        if when == NOW:
            passed = now - datetime.fromisoformat(stamp).replace(tzinfo=UTC)
            assert timedelta(seconds=-1) <= passed < timedelta(minutes=5)
        else:
            assert stamp == when


# ------------------------------------------------------------------------ void

SHOWS = {
    "crosstable", "explanation", "pairing_reasons", "pairings", "player_card", "player_round",
    "rounds", "scores",
}  # fmt: skip
"""Views that have a row for the game itself."""


def voided(seed: int) -> tuple[oracle.Season, list[oracle.Game]]:
    """A season without some games that were void, and these; no round of them alone."""
    rng = random.Random(seed)
    while True:
        season = any_season(rng.randrange(10**9))
        season.games = [game for game in season.games if game.result != "void"]
        games = [
            game
            for _, group in groupby(season.games, key=lambda game: game.round_number)
            for game in [game for game in group if game.result][1:]
        ]
        if games:
            chosen = rng.sample(games, k=min(len(games), rng.randint(1, 4)))
            season.games = [game for game in season.games if game not in chosen]
            return season, chosen


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 1000)])
def test_a_void_game_is_in_no_other_figure(conn: sqlite3.Connection, seed: int) -> None:
    """No points, no Keizer points, no game played: every view but those that list the game."""
    season, void = voided(seed)
    without = empty()
    write(without, season)
    season.games += [
        oracle.Game(game.round_number, game.white, game.black, "void") for game in void
    ]
    write(conn, season)
    views = {*public_views(conn)} - {"log_steps"}
    assert views > SHOWS
    other = [
        view
        for view in sorted(views - SHOWS | {"ranking_list", "z_meeting"})
        if Counter(conn.execute(f"SELECT * FROM {view}"))
        != Counter(without.execute(f"SELECT * FROM {view}"))
    ]
    assert other == []
    lines = "SELECT DISTINCT kind, points, factor, fixed FROM explanation WHERE result = 'void'"
    assert {*conn.execute(lines)} <= {("void", 0.0, None, None)}
    for query in (
        "SELECT * FROM scores WHERE score <> 0",
        "SELECT tournament_id, round_number, player_id, name, played_in, kind, points, note"
        " FROM explanation WHERE kind <> 'void'",
        "SELECT tournament_id, round_number, white, black, result FROM pairings"
        " WHERE result IS NOT 'void'",
        "SELECT tournament_id, round_number, rank, player_id, played_in, cell FROM crosstable"
        " WHERE cell <> '' AND cell NOT GLOB '*void'",
    ):
        assert Counter(conn.execute(query)) == Counter(without.execute(query))
    without.close()


# ------------------------------------------------------------ one set of spellings


def test_every_result_can_be_typed(conn: sqlite3.Connection) -> None:
    spelled = {
        result for (result,) in conn.execute("SELECT result FROM result_spelling")
    }
    assert spelled == {
        result for (result,) in conn.execute("SELECT result FROM outcome")
    }


@pytest.mark.parametrize(
    "typed",
    ["0.5", ".5", "0,5", " 0.5 ", "VOID", "v o i d", "1 : 0", "1–0", "0—1", "=", "½", "1/2",
     "1-0F", "0 – 1 f", "ADJ.", "+ −", "Open", "*", ""],
)  # fmt: skip
def test_a_client_writes_what_a_command_does(
    python: Client, sample: Path, conn: sqlite3.Connection, typed: str
) -> None:
    try:
        wanted = spelling.parse_result(conn, typed)
    except KeizerError:
        assert not typed
        wanted = None
    assert python(sample, [f"UPDATE round SET result = '{typed}' WHERE id = 6"]) == [
        "ok"
    ]
    assert rows(sample, "SELECT result FROM round WHERE id = 6") == [(wanted,)]
    if typed in ("0.5", ".5", "0,5"):
        assert wanted == "½-½"


def test_void_is_among_the_results_that_people_are_told(
    keizer: Keizer, sample: Path
) -> None:
    for said in (
        keizer("result", sample, 1, "won", fails=True).stderr,
        keizer("result", sample, "-", stdin="1\n", fails=True).stderr,
        keizer("result", "--help").stdout,
    ):
        assert re.search(r"\bvoid\b", said)
    with pytest.raises(sqlite3.IntegrityError, match=r"\bvoid\b"):
        edit(sample, "UPDATE round SET result = 'won'")
