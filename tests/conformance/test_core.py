"""views/core.sql, the Keizer system on one page, computes what a keizer file computes.

It is loaded alone: into an empty database, by whatever SQLite there is.
"""

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bench import original
from conformance import generate, reference
from conformance.checking import verdict
from conformance.seasons import SIDES, Rules, Scoring, Season, top_value, usual_scoring
from keizer.store import sql
from tests.support.files import ROOT, Oldest, campaign
from tests.support.seasons import write

PATH = ROOT / "views/core.sql"
PAGE = PATH.read_text(encoding="utf-8")
LADDER = "max(1, 3 * (players - 1) / 2 - (rank - 1))"
"""Where a club edits the page for another ladder; other shares are rows of its table scoring."""
REVALUE = "INSERT INTO revalue SELECT * FROM revalue;"
CASES = sorted((ROOT / "conformance/cases").glob("*.jsonl"))

USUAL = Rules()
LADDERS = ("top_value", "step", "floor_value")
IDLE = {
    "seed", "bottom_value", "newcomers", "withdrawn", "max_passes", "settled_from", "cycle_takes",
    "bonus_rounds", "halves", "rounds",
}  # fmt: skip
"""Rules that change nothing while all others are the usual ones, and nobody is late or out."""

Conn = sqlite3.Connection


def kinds(season: Season) -> set[str]:
    """The kinds of scoring that count in it."""
    sides = (SIDES.get(game.result or "", ()) for game in season.games)
    return {
        "own value",
        *season.unplayed.values(),
        *(kind for side in sides for kind in side),
    }


def can_say(season: Season) -> bool:
    """Whether the page has what the season needs: the usual rules, but for its whole numbers."""
    rules, entries = season.rules, season.entries
    ladder = (top_value(rules.top_value, len(entries)), rules.step, rules.floor_value)
    as_usual = {name: getattr(USUAL, name) for name in (*LADDERS, *IDLE, "tiebreaks")}
    happened = {game.round_number for game in season.games} | {
        n for n, _ in season.unplayed
    }
    return (
        replace(rules, **as_usual) == USUAL
        and rules.tiebreaks in ("score", "score,previous")  # by T2 the same
        and all(number.denominator == 1 for number in ladder)
        and all(is_a_share(season.scoring[kind]) for kind in kinds(season))
        and not (season.exceptions or season.periods or season.corrections)
        and not any(season.is_out(entry) for entry in entries)
        and all(
            entry.first_round == 1 and entry.start_rank is None for entry in entries
        )
        and happened == {*range(1, season.rounds + 1)}
    )


def is_a_share(brings: Scoring) -> bool:
    """Whether a kind is a number of sixths of a value, without limits of any sort."""
    limits = replace(
        brings, factor=Fraction(0), points=Fraction(0), applies_to="unplayed",
        counts_as_game=False, counts_as_bye=False, withdrawn_factor=Fraction(0),
    )  # fmt: skip
    return (6 * brings.factor).denominator == 1 and limits == Scoring()


def shares(season: Season) -> dict[str, int]:
    """What to write into table scoring: the kinds that are not as usual."""
    usual, found = usual_scoring(), dict[str, int]()
    for kind in kinds(season):
        share = season.scoring[kind].factor
        if kind not in usual or share != usual[kind].factor:
            names = [
                f"{colour} {result}"
                for result, sides in SIDES.items()
                for colour, side in zip(("White", "Black"), sides, strict=True)
                if side == kind
            ]
            found |= dict.fromkeys(names or [kind], int(6 * share))
    return found


def page(season: Season) -> str:
    """The page, edited for the season's ladder and shares if these are not the usual ones."""
    rules, text = season.rules, PAGE
    if any(getattr(rules, name) != getattr(USUAL, name) for name in LADDERS):
        top = top_value(rules.top_value, len(season.entries))
        text = text.replace(
            LADDER, f"max({rules.floor_value}, {top} - {rules.step} * (rank - 1))"
        )
    for kind, share in shares(season).items():
        text += f"INSERT OR REPLACE INTO scoring VALUES ('{kind}', {share});\n"
    return text


def facts(season: Season, tournament: int = 1) -> Iterator[str]:
    """Statements that enter a season, the last round first; void games are open ones here."""
    yield f"INSERT INTO tournament VALUES ({tournament}, 'season', 'running');"
    for entry in season.entries:
        rating = "NULL" if entry.rating is None else entry.rating
        player = f"{entry.player}, 'Player {entry.player}', NULL, {rating}"
        yield f"INSERT INTO player VALUES ({player});"
        yield f"INSERT INTO x_player_tournament VALUES ({entry.player}, {tournament}, 0, 'active');"
    for game in sorted(season.games, key=lambda game: -game.round_number):
        result = f"'{game.result}'" if game.result in SIDES else "NULL"
        board = (
            f"{game.round_number}, {tournament}, {game.white}, {game.black}, {result}"
        )
        yield f"INSERT INTO round VALUES ({board}, NULL);"
    for (number, who), kind in season.unplayed.items():
        yield f"INSERT INTO unplayed VALUES ({tournament}, {number}, {who}, '{kind}');"


def loaded(script: str, *seasons: Season) -> Conn:
    """A database with nothing but this script, and these seasons as its tournaments."""
    conn = sqlite3.connect(":memory:", isolation_level=None)
    told = (
        line for number, one in enumerate(seasons, 1) for line in facts(one, number)
    )
    conn.executescript(f"{script} BEGIN; {' '.join(told)} {REVALUE} COMMIT;")
    return conn


def points(score: float) -> Fraction:
    """The number of sixths that a score for reading is."""
    return Fraction(round(score * 6), 6)


# ------------------------------------------------------------ the page itself


def test_it_is_one_page_that_stands_alone() -> None:
    lines = PAGE.splitlines()
    assert len(lines) <= 72
    assert max(map(len, lines)) <= 100
    assert PAGE.count(LADDER) == 1
    assert f" {REVALUE}\n" in PAGE
    assert PAGE not in sql.script() and "result_entered" not in sql.script()
    with closing(loaded(PAGE)) as conn:
        (mark,) = conn.execute("PRAGMA application_id").fetchone()
    assert mark == int.from_bytes(b"Keic", "big") != sql.APPLICATION_ID


def test_its_tables_and_views_have_the_columns_of_the_original() -> None:
    """A number of the row before them, and the rank behind, are all that is new."""
    with (
        closing(loaded(PAGE)) as conn,
        closing(original.database(Season(), [])) as theirs,
    ):
        for name, kind in theirs.execute(
            "SELECT name, type FROM sqlite_master WHERE sql NOT NULL"
        ):
            query = "SELECT name FROM pragma_table_info(?)"
            columns, its = (
                [column for (column,) in file.execute(query, (name,))]
                for file in (conn, theirs)
            )
            assert [
                column for column in columns if column not in ("id", "rank")
            ] == its, name
            assert columns == its or kind == "table"


# ------------------------------------------------------------ the conformance cases


def said() -> list[tuple[dict[str, Any], Season]]:
    """The cases that the page can say, and their seasons."""
    texts = (
        line for path in CASES for line in path.read_text(encoding="utf-8").splitlines()
    )
    cases = [case for case in map(json.loads, texts) if "position" not in case]
    return [(case, made) for case in cases if can_say(made := reference.season(case))]


def answer(conn: Conn, rounds: int) -> dict[str, Any]:
    """Its standings as an answer of conformance/README.md, without lines."""
    tables: list[dict[str, Any]] = [
        {"round": number, "ranks": {}, "values": {}, "scores": {}, "lines": {}}
        for number in range(rounds + 1)
    ]
    query = "SELECT round_number, player_id, rank, value, score FROM standings"
    for number, player, rank, value, score in conn.execute(query):
        tables[number]["ranks"][str(player)] = rank
        tables[number]["values"][str(player)] = str(value)
        tables[number]["scores"][str(player)] = str(points(score))
    for column in ("scores", "lines"):
        del tables[0][column]
    return {"tables": tables}


def test_it_is_right_in_every_conformance_case_that_it_can_say() -> None:
    cases = cells = unedited = 0
    wrong = []
    for case, season in said():
        for table in case["expect"]["tables"]:
            table.pop("lines", None)
        with closing(loaded(page(season), season)) as conn:
            found = verdict(case, answer(conn, season.rounds))
        wrong += [f"{case['name']}: {sentence}" for sentence in found.wrong]
        cases, cells = cases + bool(found.cells), cells + found.cells
        unedited += bool(found.cells) and page(season) == PAGE
    assert wrong == []
    assert cases >= 20 and unedited >= 3 and cells >= 295


# ------------------------------------------------------------ seasons beside a keizer file


def plain_season(rng: random.Random, first_id: int) -> Season:
    """A season of a plain club: everybody from the start, any result, every kind of absence."""
    ids = range(first_id, first_id + rng.randint(1, 16))
    case = generate.season(rng, {}, ids, rng.randint(1, 12), plain=True)
    for player in case["players"]:
        player.pop("first_round", None)
        player.pop("start_rank", None)
    for told in case["rounds"]:
        for player, kind in told["unplayed"].items():
            told["unplayed"][player] = "excused" if kind == "late notice" else kind
    rounds = [told for told in case["rounds"] if any(told.values())]
    while (
        rounds
        and not rounds[-1]["games"]
        and "bye" not in rounds[-1]["unplayed"].values()
    ):
        rounds.pop()  # a file would ask whether such a round is there yet
    return reference.season(case | {"rules": {}, "rounds": rounds})


Cells = Counter[tuple[object, ...]]


def cells_of_the_page(conn: Conn) -> Cells:
    """Every cell that it has: tournament, what, where, who and how much."""
    found: Cells = Counter()
    query = "SELECT tournament_id, round_number, player_id, rank, value, score FROM standings"
    for *where, rank, value, score in conn.execute(query):
        found.update(standing(where, rank, Fraction(value), points(score)))
    found.update(cells_of_views(conn))
    return found


def cells_of_a_file(conn: Conn) -> Cells:
    """The same of a keizer file."""
    found: Cells = Counter()
    query = (
        "SELECT tournament_id, round_number, player_id, rank, value_units, score_units"
    )
    for *where, rank, value, score in conn.execute(f"{query} FROM ranking_list"):
        amounts = (Fraction(units, 6_000_000) for units in (value, score))
        found.update(standing(where, rank, *amounts))
    found.update(cells_of_views(conn))
    return found


def standing(where: list[int], *amounts: object) -> list[tuple[object, ...]]:
    names = ("rank", "value", "score")
    return [(name, *where, amount) for name, amount in zip(names, amounts, strict=True)]


def cells_of_views(conn: Conn) -> Iterator[tuple[object, ...]]:
    """What has the same name in both; the page alone has values of round 0, which are 0."""
    for name, columns in (
        ("ranking", "tournament_id, round_number, player_id, score"),
        ("scores", "tournament_id, round_number, player_id, name, score"),
        ("results", "tournament_id, player_id, name, score"),
    ):
        start = " WHERE round_number > 0" if name == "ranking" else ""
        for row in conn.execute(f"SELECT {columns} FROM {name}{start}"):
            yield (name, *row)


CORRECT = """
UPDATE round SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END
WHERE tournament_id = ? AND round_number = 1 AND white = ?
"""


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 200)])
def test_it_is_right_in_any_season_of_a_plain_club(conn: Conn, seed: int) -> None:
    """Twenty seasons in a file; then a result of round 1 is corrected in every season."""
    rng = random.Random(f"core {seed}")
    seasons = [plain_season(rng, 100 * number) for number in range(1, 21)]
    assert all(can_say(season) and page(season) == PAGE for season in seasons)
    for season in seasons:
        write(conn, season)
    with closing(loaded(PAGE, *seasons)) as core:
        found = cells_of_the_page(core)
        assert found == cells_of_a_file(conn)
        assert found.total() > 3000
        for number, season in enumerate(seasons, 1):
            game = next((game for game in season.games if game.round_number == 1), None)
            if game:
                core.execute(CORRECT, (number, game.white))
                conn.execute(CORRECT, (number, game.white))
        corrected = cells_of_the_page(core)
        assert corrected == cells_of_a_file(conn)
        assert (found - corrected).total() > 500


def test_a_statement_makes_all_rankings_again() -> None:
    """After edits of any table: who enters, how strong they are, who was there."""
    season = plain_season(random.Random(3), 1)
    with closing(loaded(PAGE, season)) as core:
        core.executescript(
            "UPDATE player SET rating = 3000 - rating;"
            "INSERT INTO player VALUES (90, 'Player 90', NULL, 1700);"
            "INSERT INTO x_player_tournament VALUES (90, 1, 0, 'active');"
            "DELETE FROM round WHERE rowid % 3 = 0;"
            "UPDATE unplayed SET kind = 'club duty' WHERE kind = 'excused';" + REVALUE
        )
        made = cells_of_the_page(core)
        again = sqlite3.connect(":memory:", isolation_level=None)
        with closing(again):
            core.backup(again)
            again.executescript("DELETE FROM ranking;" + REVALUE)
            assert cells_of_the_page(again) == made


def test_players_without_any_round_stand_in_the_start_order() -> None:
    with closing(loaded(PAGE)) as core:
        core.executescript(
            "INSERT INTO tournament VALUES (1, 'season', NULL);"
            "INSERT INTO player (name, rating) VALUES ('A', NULL), ('B', 1500), ('C', 1600),"
            " ('D', 1500); INSERT INTO x_player_tournament (player_id, tournament_id)"
            " SELECT id, 1 FROM player;" + REVALUE
        )
        standings = (
            "SELECT round_number, rank, name, score, value FROM standings ORDER BY 1, 2"
        )
        assert core.execute(standings).fetchall() == [
            (0, 1, "C", 0.0, 4), (0, 2, "B", 0.0, 3), (0, 3, "D", 0.0, 2), (0, 4, "A", 0.0, 1),
        ]  # fmt: skip
        assert core.execute("SELECT score FROM results").fetchall() == [(0.0,)] * 4


@pytest.mark.parametrize("recursive", [False, True])
def test_triggers_that_call_themselves_change_nothing(recursive: bool) -> None:
    season = plain_season(random.Random(4), 1)
    with closing(loaded(PAGE, season)) as usual, closing(loaded(PAGE, season)) as core:
        core.execute(f"PRAGMA recursive_triggers = {recursive}")
        core.executescript(
            f"DELETE FROM ranking; {REVALUE} UPDATE round SET result = result;"
        )
        assert cells_of_the_page(core) == cells_of_the_page(usual)


def test_it_is_right_in_the_oldest_sqlite(oldest: Oldest) -> None:
    season = plain_season(random.Random(5), 1)
    query = "SELECT * FROM (SELECT round_number, rank, player_id, value, CAST(round(score * 6) AS"
    query += " INTEGER) FROM standings) ORDER BY 1, 2"
    with closing(loaded(PAGE, season)) as core:
        wanted = ["\t".join(map(str, row)) for row in core.execute(query)]
    assert len(wanted) > 20
    assert oldest(PAGE + "".join(facts(season)) + REVALUE, query) == wanted


# ------------------------------------------------------------ statements of the original


def season_of_the_original(rng: random.Random) -> Season:
    """Everybody plays in every round, and one of the two wins or it is a draw; 50 at the top."""
    ids = range(1, 2 * rng.randint(1, 12) + 1)
    players = [{"id": player, "rating": rng.randint(800, 2400)} for player in ids]
    rounds = []
    for _ in range(rng.randint(1, 10)):
        drawn = iter(rng.sample(ids, len(ids)))
        games = [[one, next(drawn), rng.choice(["1-0", "0-1", "½-½"])] for one in drawn]
        rounds.append({"games": games, "unplayed": {}})
    return reference.season(
        {"rules": {"top_value": "50"}, "players": players, "rounds": rounds}
    )


def by_total(
    totals: dict[int, float], values: dict[int, float]
) -> dict[float, list[float]]:
    """The values that each total brings: the order of equal ones is nobody's in the original."""
    found: dict[float, list[float]] = {}
    for player, total in totals.items():
        found.setdefault(total, []).append(values[player])
    return {total: sorted(some) for total, some in found.items()}


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 8)])
def test_statements_of_the_original_find_and_give_the_same(seed: int) -> None:
    """Its queries, its INSERT of the next values and its UPDATE of points."""
    season = season_of_the_original(random.Random(seed))
    ranking = (
        "SELECT round_number, player_id, score FROM ranking WHERE round_number > 0"
    )
    with closing(loaded(page(season), season)) as core:
        values = core.execute(ranking).fetchall()
        with closing(original.database(season, values)) as theirs:
            both = [
                Counter(file.execute("SELECT * FROM scores")) for file in (core, theirs)
            ]
            assert both[0] == both[1]
            for number in range(1, season.rounds + 1):
                where = {"round": number, "tournament": 1}
                totals = [
                    dict(file.execute(original.SCORES, where))
                    for file in (core, theirs)
                ]
                assert totals[0] == totals[1]
                made, its = (
                    {
                        player: value
                        for _, player, _, value in file.execute(original.UPDATE, where)
                    }
                    for file in (core, theirs)
                )
                ours = {player: value for n, player, value in values if n == number + 1}
                wanted = by_total(totals[0], ours)
                assert by_total(totals[0], made) == by_total(totals[0], its) == wanted
                # Its own INSERT, in the place of the page's.
                if len(wanted) == len(ours):
                    core.execute(
                        "DELETE FROM ranking WHERE round_number = ?", (number + 1,)
                    )
                    core.execute(
                        "INSERT INTO ranking (tournament_id, player_id, round_number, score)"
                        + original.UPDATE, where,
                    )  # fmt: skip
        assert Counter(core.execute(ranking)) == Counter(values)
        core.execute(original.POINTS, {"tournament": 1})
        entries = core.execute(
            "SELECT player_id, score FROM x_player_tournament"
        ).fetchall()
        assert dict(entries) == dict(
            core.execute("SELECT player_id, score FROM results")
        )
