"""Whole seasons from the files of KeizerForClubs and the original SQLite Keizer project."""

import csv
import io
import json
import random
import re
import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from conformance import programs
from conformance.programs import keizerforclubs as program
from keizer import KeizerError
from keizer.exchange import databases, keizerforclubs, seasons
from keizer.formats import limits
from keizer.formats.notes import Notes
from keizer.season import tournaments
from keizer.season.queries import Tournament
from tests.support.files import ROOT, campaign, edit, rows
from tests.support.files import run_keizer as keizer
from tests.support.other_programs import (
    ORIGINAL,
    Original,
    import_sound,
    note_all_same,
    note_compared,
    refuse_import,
    s3db,
    store_standings,
    table,
)
from tests.support.worked_example import ROUND_1, ROUND_2, published


def standings(db: Path, columns: str, *options: object) -> list[tuple[Any, ...]]:
    shown = json.loads(keizer("standings", db, "--json", *options).stdout)
    return [tuple(row[column] for column in columns.split()) for row in shown]


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# ------------------------------------------------------------- KeizerForClubs

# The program's test tournament, state of 10 September 2024, as it is stored there.
PLAYERS = {
    "Amurru": 1891, "Helena": 1816, "Ninedena": 1786, "Inanna": 1668, "Hermes": 1430,
    "Isenbrink": 1261, "Achill": 1154, "Verdandi": 1100, "Ajax": 1026,
}  # fmt: skip
GAMES = """
1 Helena-Amurru 2, Inanna-Ninedena 1, Achill-Isenbrink 1
2 Amurru-Inanna 1, Achill-Helena 1, Ninedena-Verdandi 1, Isenbrink-Ajax 1
3 Amurru-Achill 1, Helena-Inanna 1, Ninedena-Hermes 1, Ajax-Verdandi 1
4 Ninedena-Amurru 3, Hermes-Achill 1, Ajax-Helena 3, Verdandi-Isenbrink 1
5 Hermes-Amurru 2, Inanna-Achill 2, Isenbrink-Ajax 9
1 Hermes 6, Ajax 6, Verdandi 4
2 Hermes 6
3 Isenbrink 4
4 Inanna 4
5 Helena 7, Ninedena 5
"""
PUBLISHED = [
    (1, "Amurru", 10, 37.5), (2, "Achill", 9, 23.5), (3, "Hermes", 8, 23.2),
    (4, "Ninedena", 7, 23.15), (5, "Helena", 6, 22.45), (6, "Inanna", 5, 18.5),
    (7, "Ajax", 4, 10.3), (8, "Isenbrink", 3, 9),
]  # fmt: skip
"""There Verdandi, who has withdrawn, stands below with nothing; who is out here does not."""
BROUGHT = {
    "Helena": [5, 0, 5, 3, 0.45], "Ninedena": [0, 5.25, 6, 0, 4.9], "Ajax": [1.05, 0, 2.25, 0, 4],
    "Isenbrink": [0, 3, 2, 0, 0], "Hermes": [2.1, 2.1, 0, 8, 5],
}  # fmt: skip
"""What each game and unplayed round of the last table is stored with."""


@pytest.fixture
def test_tournament(file: Path) -> Path:
    ids = {name: number for number, name in enumerate(PLAYERS, 1)}
    pairings = []
    for line in GAMES.split("\n")[1:-1]:
        for board, row in enumerate(line[2:].split(", "), 1):
            names, _, code = row.rpartition(" ")
            white, _, black = names.partition("-")
            number = board if black else 99 + board
            pairings.append(
                (int(line[0]), number, ids[white], ids.get(black, -1), int(code))
            )
    return s3db(
        file, [(*player, 9 if player[0] == "Verdandi" else 1) for player in PLAYERS.items()],
        pairings, BONUS_Clubgame=70, BONUS_Excused=35, BONUS_Unexcused=5, BONUS_Retired=75,
        BONUS_Freilos=50, OPTION_RatioFirst2Last=3.0, OPTION_NiceName="Test",
    )  # fmt: skip


def test_the_published_season_has_its_standings_until_it_is_undone(
    db: Path, test_tournament: Path
) -> None:
    """Every score, value and rank as KeizerForClubs stored them, and what each round brought."""
    before = test_tournament.read_bytes()
    assert import_sound(db, test_tournament) == (
        "9 players, 5 rounds, 18 games imported.\n",
        "",
    )
    assert sorted(table(keizer, db)) == sorted(PUBLISHED)
    for name, brought in BROUGHT.items():
        explained = json.loads(keizer("explain", db, name, "--json").stdout)
        found = [line["points"] for line in explained if line["played_in"]]
        assert found == pytest.approx(brought)
    assert test_tournament.read_bytes() == before
    said = keizer("undo", db).stdout
    assert said == "Undone: import of 9 players, 5 rounds, 18 games.\n"
    assert standings(db, "name") == []
    assert "unexcused=0\n" in keizer("rules", db).stdout
    keizer("import", db, test_tournament)
    assert sorted(table(keizer, db)) == sorted(PUBLISHED)


class Theirs:
    """The calculation of KeizerForClubs, from its own description, on a random season.

    Values by rating; then round by round all rounds so far at the values of the table
    before, and new values by the sums, ties by rating. A retired player has no value.
    """

    # Of the own value; who is met has no part in it.
    SHARES: ClassVar = {4: "Freilos", 5: "Clubgame", 6: "Excused", 7: "Unexcused"}

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        count, self.rounds = rng.randint(4, 14), rng.randint(1, 7)
        self.ratings = dict(enumerate(rng.sample(range(900, 2400), count), 1))
        self.percent: dict[str, float] = {
            key: rng.randint(0, 100)
            for key in (
                "Clubgame",
                "Excused",
                "Unexcused",
                "Retired",
                "Freilos",
                "Verlust",
            )
        }
        self.ratio = rng.choice([1.5, 2.0, 3.0, 5.0])
        self.retired = {player for player in self.ratings if rng.random() < 0.1}
        self.pairings: list[tuple[int, int, int, int, int | None]] = []
        for number in range(1, self.rounds + 1):
            there = rng.sample([*self.ratings], count)
            for board, code in enumerate(
                rng.choices([4, 5, 6, 7], k=rng.randint(0, min(3, count - 2))), 100
            ):
                self.pairings.append((number, board, there.pop(), -1, code))
            for board in range(1, len(there) // 2 + 1):
                code = rng.choice([1, 1, 2, 3, 3, 8, 9, 10, 11, 0])
                self.pairings.append((number, board, there.pop(), there.pop(), code))

    def file(self, path: Path) -> Path:
        players = [
            (f"P{player}", rating, 9 if player in self.retired else 1)
            for player, rating in self.ratings.items()
        ]
        settings = {f"BONUS_{key}": value for key, value in self.percent.items()}
        return s3db(
            path, players, self.pairings, **settings, OPTION_RatioFirst2Last=self.ratio
        )

    def table(self) -> dict[str, tuple[float, float]]:
        """Value and score of everybody who has not retired."""
        listed = {
            player: rating
            for player, rating in self.ratings.items()
            if player not in self.retired
        }
        scores = dict.fromkeys(listed, 0.0)
        values = self.values(listed, scores)
        for number in range(1, self.rounds + 1):
            scores = {player: float(values[player]) for player in listed}
            for played_in, _, white, black, code in self.pairings:
                if played_in <= number:
                    for player, points in self.points(values, white, black, code):
                        if player in scores:
                            scores[player] += points
            values = self.values(listed, scores)
        return {f"P{player}": (values[player], scores[player]) for player in listed}

    def values(
        self, listed: dict[int, int], scores: dict[int, float]
    ) -> dict[int, int]:
        order = sorted(
            listed, key=lambda player: (-round(scores[player], 6), -listed[player])
        )
        top = round((len(order) - 1) * self.ratio / (self.ratio - 1))
        return {player: top - place for place, player in enumerate(order)}

    def points(
        self, values: dict[int, int], white: int, black: int, code: int | None
    ) -> list[tuple[int, float]]:
        """What one row of Pairing brings, and whom."""
        if code in self.SHARES:
            return [
                (white, values.get(white, 0) * self.percent[self.SHARES[code]] / 100)
            ]
        wins = {
            1: (1, 0),
            8: (1, 0),
            3: (0, 1),
            9: (0, 1),
            2: (0.5, 0.5),
            11: (0.5, 0.5),
        }
        found = []
        for player, other, share in zip(
            (white, black), (black, white), wins.get(code or 0, (0, 0)), strict=True
        ):
            consolation = (
                self.percent["Verlust"] / 100 if code in (1, 3) and not share else 0
            )
            found.append((
                player,
                values.get(player, 0) * share * self.percent["Retired"] / 100
                if other in self.retired
                else values.get(other, 0) * (share or consolation),
            ))  # fmt: skip
        return found


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 200)])
def test_random_seasons_have_the_standings_of_the_program(
    tmp_path: Path, conn: sqlite3.Connection, seed: int
) -> None:
    """Every value and score, whatever the bonuses, the ratio and who retired."""
    theirs = Theirs(seed)
    conn.execute("INSERT INTO tournament (description) VALUES ('Random')")
    file = theirs.file(tmp_path / "random.s3db")
    with tournaments.revaluation_suspended(Tournament(conn, 1)):
        assert keizerforclubs.Season(Tournament(conn, 1)).take_over(
            keizerforclubs.read(file, "")
        ) == len(theirs.ratings)
    found = conn.execute(
        "SELECT name, value, score FROM standings WHERE round_number = ?",
        (theirs.rounds,),
    )
    here = {name: (value, score) for name, value, score in found}
    for name, expected in theirs.table().items():
        assert here[name] == pytest.approx(expected), name


def test_every_code_of_a_result(db: Path, file: Path) -> None:
    """1 to 12, and games that are open, in a file of four rounds."""
    s3db(
        file,
        [("A", 1900), ("B", 1800), ("C", 1700), ("D", 1600), ("E", 1500), ("F", 1400)],
        [
            (1, 1, 1, 2, 1), (1, 2, 3, 4, 2), (1, 3, 5, 6, 3),
            (2, 1, 2, 1, 8), (2, 2, 4, 3, 9), (2, 3, 6, 5, 10),
            (3, 1, 1, 3, 11), (3, 100, 2, -1, 4), (3, 101, 4, -1, 5), (3, 102, 5, -1, 6),
            (3, 103, 6, -1, 7),
            (4, 1, 1, 4, None), (4, 2, 2, 5, 0), (4, 3, 3, 6, -1),
        ],
    )  # fmt: skip
    import_sound(db, file)
    games = "SELECT round_number, board, result FROM round ORDER BY 1, 2"
    assert rows(db, games) == [
        (1, 1, "1-0"), (1, 2, "½-½"), (1, 3, "0-1"), (2, 1, "+-"), (2, 2, "-+"), (2, 3, "--"),
        (3, 1, "adj"), (4, 1, None), (4, 2, None), (4, 3, None),
    ]  # fmt: skip
    assert rows(db, "SELECT player_id, kind FROM unplayed ORDER BY 1") == [
        (2, "bye"), (4, "club duty"), (5, "excused"), (6, "unexcused"),
    ]  # fmt: skip


def test_late_starts_and_states(db: Path, file: Path) -> None:
    """Rounds before the first count as such; later ones bring what unexcused brings.

    Who has not begun enters next; who was deleted is left out unless they played, also where
    they are down for rounds before their first.
    """
    s3db(
        file,
        [
            ("A", 1900), ("B", 1800, 6), ("Late", 1700), ("Later", 1600, 11),
            ("Announced", 1500, 12), ("Deleted", 1400, 10), ("Played", 1300, 10),
            ("Again", 1200), ("Never", 1100, 9), ("Gone", 1000, 10),
        ],
        [
            (1, 1, 1, 2, 1), (1, 2, 7, 8, 1), (1, 100, 3, -1, 12), (1, 101, 4, -1, 12),
            (1, 102, 10, -1, 12),
            (2, 1, 2, 1, 2), (2, 100, 3, -1, 12), (2, 101, 4, -1, 12), (2, 102, 8, -1, 12),
            (3, 1, 1, 3, 3), (3, 100, 4, -1, 12),
        ],
    )  # fmt: skip
    assert (
        import_sound(db, file)[1]
        == "Note: left out, as deleted there: Deleted, Gone.\n"
    )
    assert rows(db, "SELECT name, first_round, last_round FROM x_player_tournament"
        " JOIN player ON player.id = player_id ORDER BY player_id") == [
        ("A", 1, None), ("B", 1, None), ("Late", 3, None), ("Later", 4, None),
        ("Announced", 4, None), ("Played", 1, 1), ("Again", 1, None), ("Never", 1, 0),
    ]  # fmt: skip
    assert rows(db, "SELECT count(*) FROM player") == [(8,)]
    away = "SELECT name, round_number, kind FROM unplayed JOIN player ON player.id = player_id"
    assert rows(db, away) == [("Again", 2, "unexcused")]
    explained = json.loads(keizer("explain", db, "Late", "--json").stdout)
    late = [line for line in explained if line["kind"] == "late start"]
    assert [(line["times"], line["factor"]) for line in late] == [(2, 0.35)]


def test_settings_become_rules(db: Path, file: Path) -> None:
    """And what is not known here is said."""
    s3db(
        file,
        [("Ada", 1900, 1, "u20 f"), ("Bo", 1800, 1, "u20"), ("Cy", 1700, 1, "x")],
        [(1, 1, 1, 2, 3)],
        BONUS_Clubgame=60, BONUS_Excused=33, BONUS_Unexcused=10, BONUS_Retired=50,
        BONUS_Freilos=45, BONUS_Verlust=3, OPTION_RatioFirst2Last=2.5, OPTION_GameRepeat=7,
        OPTION_DistBye=0, OPTION_FirstRoundRandom=100, OPTION_Html=1, OPTION_Moonlight=2,
        OPTION_Categories="u20=Juniors, f=Women", INTERNAL_NumClicks=7, LANGCODE="DE",
    )  # fmt: skip
    assert import_sound(db, file)[1] == (
        "Note: unknown settings of KeizerForClubs: OPTION.Moonlight=2.0.\n"
    )
    found = dict(
        line.split("=", 1) for line in keizer("rules", db, "--all").stdout.splitlines()
    )
    assert {
        "top_value": "ratio 2.5", "club-duty": "0.6", "excused": "0.33", "unexcused": "0.1",
        "late-start": "0.1", "bye": "0.45", "loss": "0.03", "win.withdrawn_factor": "0.5",
        "draw.withdrawn_factor": "0.25", "forfeit-win.withdrawn_factor": "0.5",
        "adjourned.withdrawn_factor": "0.25", "rematch_gap": "7", "max_meetings": "none",
        "fewest_byes": "off", "first_round": "random", "withdrawn": "out",
    }.items() <= found.items()  # fmt: skip
    categories = rows(db, "SELECT name, category FROM player ORDER BY id")
    assert categories == [("Ada", "Juniors, Women"), ("Bo", "Juniors"), ("Cy", "x")]


@pytest.mark.parametrize(("change", "note"), [
    ("CfgText = '40', CfgValue = NULL",
     "settings that are not numbers are not read: BONUS.Excused=40."),
    ("CfgText = '40', CfgValue = 'forty'",
     "settings that are not numbers are not read: BONUS.Excused=forty."),
    ("CfgKey = 'bonus.excused'", "unknown settings of KeizerForClubs: bonus.excused=33.0."),
    ("CfgValue = 1e300",
     f"a setting was left out: excused=1{'0' * 15}1{'0' * 42}… was refused: a factor must be"),
])  # fmt: skip
def test_a_setting_that_is_not_where_it_is_looked_for_is_said(
    db: Path, file: Path, change: str, note: str
) -> None:
    s3db(file, [("Ada", 1900), ("Bo", 1800)], [(1, 1, 1, 2, 3)], BONUS_Excused=33)
    edit(file, f"UPDATE ConfigTab SET {change}")
    assert import_sound(db, file)[1].startswith(f"Note: {note}")


def test_normalised_values_go_down_to_1(db: Path, file: Path) -> None:
    """Five players, ratio 3: 3, 2.5, 2, 1.5, 1, as the program hands them out."""
    players = [(name, 2000 - 100 * index) for index, name in enumerate("ABCDE")]
    pairings = [(1, 1, 1, 2, 1), (1, 2, 3, 4, 2), (1, 100, 5, -1, 4)]
    s3db(
        file, players, pairings, OPTION_WickerNormalization=1, OPTION_RatioFirst2Last=3
    )
    import_sound(db, file)
    assert standings(db, "value", "--round", 0) == [(3,), (2.5,), (2,), (1.5,), (1,)]


@pytest.mark.parametrize(("settings", "preset"), [
    ({"DecayBonus": 1, "DecayPrevRound": 1}, "keizerforclubs+halving+fading"),
    ({"DecayBonus": 0, "DecayPrevRound": 0}, "keizerforclubs"),
    ({"WickerNormalization": 1, "DecayPrevRound": 0}, "keizerforclubs+normalised"),
    ({"WickerNormalization": 0}, "keizerforclubs+2024"),
    ({"DecayBonus": 1}, "keizerforclubs+2024+halving"),
])  # fmt: skip
def test_options_of_the_program_are_those_of_the_preset(
    db: Path, file: Path, settings: dict[str, int], preset: str
) -> None:
    """Nothing is left out; and a program that never saved the newest is an older one."""
    named = {f"OPTION_{key}": value for key, value in settings.items()}
    s3db(file, [(name, 1500) for name in "ABC"], [(1, 1, 1, 2, 1)], **named)
    assert "unknown" not in import_sound(db, file)[1]
    differ = keizer("rules", db, "--diff", preset, "--csv").stdout.splitlines()[1:]
    assert [line for line in differ if not line.startswith("floor_value")] == []


LAST = [(name, score) for _, name, _, score in PUBLISHED]


@pytest.mark.parametrize("mark", [".", ","])
def test_standings_that_it_stored_come_out_to_two_decimals(
    db: Path, test_tournament: Path, mark: str
) -> None:
    store_standings(test_tournament, 5, LAST, mark=mark)
    assert import_sound(db, test_tournament)[1] == note_compared(
        8 + 8 + 8, "rounds 1–4"
    )


@pytest.mark.parametrize(("change", "named"), [
    ("UPDATE tStand_5 SET line = replace(line, '23.15', '23.25')",
     ["Ninedena, score after round 5: 23.25 in the file, 23.15 here"]),
    ("UPDATE tStand_5 SET line = replace(replace(line, '6.§', '7.§'), '7.§Ajax', '6.§Ajax')",
     ["Inanna, rank after round 5: 7 in the file, 6 here",
      "Ajax, rank after round 5: 6 in the file, 7 here"]),
    ("UPDATE Player SET Keizer_SumPts = 37.48 WHERE name = 'Amurru'",
     ["Amurru, score after round 5: 37.48 in the file, 37.5 here"]),
    # Corrected there, and not shown since: Hermes was 23.2 with a draw on board 1.
    ("UPDATE Pairing SET Result = 1 WHERE Rnd = 5 AND board = 1", ["Hermes, "]),
])  # fmt: skip
def test_one_of_its_figures_that_is_another_is_enough(
    db: Path, test_tournament: Path, change: str, named: list[str]
) -> None:
    store_standings(test_tournament, 5, LAST)
    with closing(sqlite3.connect(test_tournament)) as conn, conn:
        conn.execute(change)
    what, reason, *who = refuse_import(db, test_tournament).splitlines()
    assert "come out differently" in what or "comes out differently" in what
    assert reason.startswith("KeizerForClubs stores each list when it shows it")
    for sentence in named:
        assert any(line.startswith(sentence) for line in who), who
    import_sound(db, test_tournament, "--anyway")


def test_a_list_of_names_and_one_of_a_round_before_the_last_are_compared(
    db: Path, test_tournament: Path
) -> None:
    """Older versions store no numbers; and a round that was paired since has no points yet."""
    store_standings(test_tournament, 5, LAST, numbered=False)
    with closing(sqlite3.connect(test_tournament)) as conn, conn:
        conn.execute("INSERT INTO Pairing VALUES (6, 1, 1, 2, 1, 0.0, 0.0)")
    assert import_sound(db, test_tournament)[1] == note_compared(
        8 + 8 + 8, "rounds 1–4, 6"
    )


def test_a_round_in_which_nobody_plays_counts_as_it_does_there(
    db: Path, file: Path
) -> None:
    """Values 2 and 1: Anna has won 1, then 0.5 of 2; Boris has 1 and 0.5 of 1."""
    s3db(file, [("Anna", 1900), ("Boris", 1800)], [(1, 1, 1, 2, 1), (2, 100, 1, -1, 6),
         (2, 101, 2, -1, 6)], BONUS_Excused=50, OPTION_DecayPrevRound=0)  # fmt: skip
    store_standings(file, 2, [("Anna", 4.0), ("Boris", 1.5)])
    notes = import_sound(db, file)[1]
    assert (
        note_compared(6, "round 1") in notes
        and "round 2 has absences only, and counts" in notes
    )
    assert standings(db, "name score") == [("Anna", 4), ("Boris", 1.5)]


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 200)])
@pytest.mark.parametrize("option", ["", "DecayPrevRound", "DecayBonus"])
def test_every_list_that_it_stores_in_a_season_comes_out(
    db: Path, file: Path, seed: int, option: str
) -> None:
    """As its own algorithm computes them (conformance/programs/keizerforclubs.py)."""
    chosen = {"": [], "DecayPrevRound": ["fading"], "DecayBonus": ["halving"]}[option]
    season = programs.season(program, random.Random(f"{option} {seed}"))
    codes = {"1-0": 1, "½-½": 2, "0-1": 3, "+-": 8, "-+": 9, "--": 10, "adj": 11,
             "bye": 4, "club duty": 5, "excused": 6, "unexcused": 7}  # fmt: skip
    pairings: list[tuple[int, int, int, int, int | None]] = []
    for number, told in enumerate(season["rounds"], 1):
        for board, (white, black, result) in enumerate(told["games"], 1):
            pairings.append((number, board, white, black, codes[result]))
        for board, (player, kind) in enumerate(told["unplayed"].items(), 100):
            pairings.append((number, board, int(player), -1, codes[kind]))
    players = [(f"P{player['id']}", player["rating"]) for player in season["players"]]
    percent = {"Clubgame": 70, "Excused": 35, "Unexcused": 35, "Freilos": 50}
    settings = {f"BONUS_{name}": share for name, share in percent.items()}
    settings |= {"OPTION_DecayPrevRound": 0} | (
        {f"OPTION_{option}": 1} if option else {}
    )
    s3db(file, players, pairings, **settings)
    for printed in program.tables(season, frozenset(chosen)):
        listed = sorted(printed["ranks"], key=printed["ranks"].get)
        sums = [(f"P{player}", float(printed["scores"][player])) for player in listed]
        store_standings(file, printed["round"], sums)
    figures = note_all_same(len(players) * (2 * len(season["rounds"]) + 1))
    assert import_sound(db, file)[1].startswith(figures)


@pytest.mark.parametrize(("players", "unit"), [(2, "1"), (20, "0.1"), (21, "0.01")])
def test_normalised_values_have_the_decimals_of_their_step(
    db: Path, file: Path, players: int, unit: str
) -> None:
    """Of 2 divided by one less than there are players, in single precision."""
    s3db(file, [(f"P{n}", 2000 - n) for n in range(players)], [(1, 1, 1, 2, 1)],
         OPTION_WickerNormalization=1)  # fmt: skip
    import_sound(db, file)
    assert f"\nvalue_rounding={unit}\n" in keizer("rules", db, "--all").stdout


def test_a_file_of_2022_has_the_rules_and_the_standings_of_then(
    db: Path, test_tournament: Path
) -> None:
    """As stored on 22 December 2022, but for the bye of Isenbrink.

    After a game against Verdandi, who has withdrawn, it was credited at three quarters: 14.5.
    """
    with closing(sqlite3.connect(test_tournament)) as conn, conn:
        conn.executescript(
            "DROP TABLE ConfigTab; ALTER TABLE Player DROP COLUMN Categories;"
            "ALTER TABLE Player DROP COLUMN RatingWDelta; UPDATE Pairing SET Result = 2"
            " WHERE Rnd = 5 AND board = 3"
        )
    assert import_sound(db, test_tournament) == (
        "9 players, 5 rounds, 18 games imported.\n",
        "Note: the file has no settings: they are those of KeizerForClubs in 2022.\n",
    )
    assert table(keizer, db) == [
        (1, "Amurru", 10, 37.5), (2, "Helena", 9, 25.15), (3, "Achill", 8, 23.5),
        (4, "Hermes", 7, 23.2), (5, "Ninedena", 6, 23.15), (6, "Inanna", 5, 18.5),
        (7, "Isenbrink", 4, 13.5), (8, "Ajax", 3, 8.3),
    ]  # fmt: skip


def test_settings_that_are_no_table_are_not_taken_for_none(
    db: Path, test_tournament: Path
) -> None:
    with closing(sqlite3.connect(test_tournament)) as conn:
        conn.executescript(
            "ALTER TABLE ConfigTab RENAME TO t; CREATE VIEW ConfigTab AS SELECT * FROM t"
        )
    assert "only tables and stored columns are read" in refuse_import(
        db, test_tournament
    )


def test_a_rating_that_is_text_is_none(db: Path, file: Path) -> None:
    """Its player is last in the start order, whatever the text would sort as."""
    players = [
        ("Text", "elo?"),
        ("Zero", 0),
        ("High", 99999),
        ("A", 1500),
        ("B", 1600.0),
    ]
    s3db(file, players, [(1, 1, 4, 5, 1)])
    import_sound(db, file)
    ranked = standings(db, "name rating", "--round", 0)
    assert ranked[:2] == [("B", 1600), ("A", 1500)] and not any(
        row[1] for row in ranked[2:]
    )


@pytest.mark.parametrize(("pairing", "sentence"), [
    ((1, 1, 1, 9, 1), "round 1, board 1: there is no player 9 in table Player."),
    ((1, 1, 1, 2, 13), "round 1, board 1: 13 is no result of a game."),
    ((1, 100, 1, -1, 2), "round 1, board 100: 2 is no result of a round without a game."),
    ((1, 1, 2, 2, 1), "round 1, board 1: White and Black must be two different players."),
    ((0, 1, 1, 2, 1), "round 0, board 1: round_number must be 1 to 999."),
])  # fmt: skip
def test_what_makes_no_sense_is_refused_whole(
    db: Path, file: Path, pairing: tuple[int, int, int, int, int], sentence: str
) -> None:
    s3db(file, [("A", 1900), ("B", 1800)], [pairing])
    assert refuse_import(db, file) == sentence


# --------------------------------------------------- the original SQLite Keizer


@pytest.fixture
def worked_example(file: Path) -> Original:
    """Sevilla's ten players and two rounds, which the original came with."""
    there = Original(file)
    members = lines((ROOT / "tests/sample/players.csv").read_text(encoding="utf-8"))
    there.conn.executemany(
        "INSERT INTO player VALUES (?, NULL, ?)",
        [(member["name"], int(member["rating"])) for member in members],
    )
    there.tournament("Worked example", [member["name"] for member in members])
    for game in lines((ROOT / "tests/sample/games.csv").read_text(encoding="utf-8")):
        result = game["result"].replace("1/2", "½-½")
        there.game(int(game["round"]), game["white"], game["black"], result)
    return valued(there)


def valued(there: Original, *changes: str) -> Original:
    """Its values computed anew after these changes."""
    for change in (*changes, "DELETE FROM ranking WHERE round_number > 1"):
        there.conn.execute(change)
    there.update(1)
    there.update(2)
    return there


VALUES = (
    "SELECT round_number, name, score FROM ranking JOIN player ON player.{} = player_id"
)
PLACES = "rank name value score"


def test_the_worked_example_comes_in_as_published(
    db: Path, worked_example: Original
) -> None:
    """Both tables to the last digit; the values in force are those that the file had."""
    file = worked_example.close()
    before = file.read_bytes()
    assert import_sound(db, file) == (
        "10 players, 2 rounds, 10 games imported.\n",
        note_all_same(30),
    )
    for number, after in ((1, ROUND_1), (2, ROUND_2)):
        assert standings(db, PLACES, "--round", number) == published(after)
    assert sorted(rows(db, VALUES.format("id"))) == sorted(
        rows(file, VALUES.format("rowid"))
    )
    assert rows(db, "SELECT DISTINCT last_updated FROM round") == [
        ("2015-01-02 20:00:00",)
    ]
    assert file.read_bytes() == before


def test_results_that_it_scored_0_count(db: Path, worked_example: Original) -> None:
    """Other dashes and colons, 1/2-1/2, blanks at the end: the table is the published one."""
    valued(
        worked_example,
        "UPDATE round SET result = '1:0' WHERE result = '1-0'",
        "UPDATE round SET result = '0-1  ' WHERE result = '0-1'",
        "UPDATE round SET result = '1/2-1/2' WHERE result = '½-½' AND round_number = 1",
        "UPDATE round SET result = '½–½ ' WHERE result = '½-½'",
    )
    file = worked_example.close()
    assert "That program gives nothing for some spellings" in refuse_import(db, file)
    _, notes = import_sound(db, file, "--anyway")
    assert standings(db, PLACES) == published(ROUND_2)
    published_value = 50 - [*ROUND_1].index("Harrison")
    assert (
        f"Harrison, value after round 1: 45 in the file, {published_value} here"
        in notes
    )


def test_its_faults_stay_there(db: Path, file: Path) -> None:
    """A second tournament that counted along, and a player without a game put last.

    Worked out by hand: A 50 + 49 + 47 (who beat B and D), C keeps 48 and third place.
    """
    there = Original(file)
    for name, rating in (("A", 1900), ("B", 1800), ("C", 1700), ("D", 1600)):
        there.conn.execute("INSERT INTO player VALUES (?, '', ?)", (name, rating))
    there.tournament("Winter", ["A", "B", "C", "D"])
    there.tournament("Blitz", ["D", "C"], 2)
    there.game(1, "A", "B", "1-0")
    there.game(1, "D", "C", "1-0", board=2)
    there.game(2, "D", "A", "0-1")
    there.update(1)
    last = "SELECT player_id FROM ranking WHERE round_number = 2 AND score = 47"
    assert there.conn.execute(last).fetchall() == [(3,)]  # C, who had not lost
    there.close()
    assert "(it has “Winter”, “Blitz”)" in refuse_import(db, file)
    keizer("rules", db, "name=winter")
    assert refuse_import(db, file).splitlines()[2:] == [
        "D, value after round 1: 50 in the file, 47 here",
        "A, value after round 1: 49 in the file, 50 here",
        "B, value after round 1: 48 in the file, 49 here",
        "C, value after round 1: 47 in the file, 48 here",
    ]
    said, _ = import_sound(db, file, "--anyway")
    assert said == "4 players, 2 rounds, 2 games imported.\n"
    expected = [("A", 50 + 49 + 47), ("B", 49), ("C", 48), ("D", 47)]
    assert standings(db, "name score") == expected
    keizer("init", db, "--name", "Blitz")
    import_sound(db, file, "-t", "blitz", "--anyway")
    assert standings(db, "name score", "-t", "Blitz") == [("D", 50 + 49), ("C", 49)]


def test_who_was_renumbered_away_is_missed(db: Path, worked_example: Original) -> None:
    """A player deleted, then VACUUM: ids have moved, and the last has no row any more."""
    worked_example.conn.execute("DELETE FROM player WHERE name = 'Baker'")
    worked_example.conn.execute("VACUUM")
    assert refuse_import(db, worked_example.close()) == (
        "player 10: they have games or a place in a list, but no row in table player."
    )


def test_what_another_program_has_stored_as_text_is_the_same(
    db: Path, file: Path
) -> None:
    """Ids as text, and a time of writing that is none."""
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.executescript(
            re.sub(r" (SMALL )?(INT|TEXT|REAL|TIMESTAMP)\b", "", ORIGINAL)
        )
        conn.executemany("INSERT INTO player VALUES (?, '', 1500)", [("A",), ("B",)])
        conn.execute("INSERT INTO tournament VALUES ('Season', 1)")
        conn.execute("INSERT INTO round VALUES ('1', '1', '2', '1', '1-0', x'ff')")
        conn.executemany(
            "INSERT INTO ranking VALUES ('1', ?, '1', '50')", [("1",), ("2",)]
        )
    import_sound(db, file)
    games = "SELECT w.name, result FROM round JOIN player AS w ON w.id = white"
    assert rows(db, games) == [("B", "1-0")]


def test_an_unknown_result_counts_for_nothing_as_it_did_there(
    db: Path, worked_example: Original
) -> None:
    """And is named: the values in force are those that the file had."""
    valued(worked_example, "UPDATE round SET result = 'won' WHERE rowid = 1")
    file = worked_example.close()
    assert import_sound(db, file)[1] == note_all_same(30) + (
        "Note: round 1, Johnson against Petersen: “won” is no result, it counts for nothing"
        " (void).\n"
    )
    assert rows(
        db, "SELECT result FROM round WHERE board = 1 AND round_number = 1"
    ) == [("void",)]
    assert sorted(rows(db, VALUES.format("id"))) == sorted(
        rows(file, VALUES.format("rowid"))
    )


# ------------------------------------------------------------------- any file


def test_a_season_goes_into_an_empty_tournament_only(
    club: Path, test_tournament: Path
) -> None:
    sentence = "a whole season goes into a tournament without players and rounds"
    assert refuse_import(club, test_tournament).startswith(sentence)


def test_other_databases_are_refused(db: Path, file: Path, sample: Path) -> None:
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.execute("CREATE TABLE player (name TEXT)")
    assert (
        "not of KeizerForClubs, of Sharly Chess, of views/core.sql or"
        in refuse_import(db, file)
    )
    assert "is a Keizer file already" in refuse_import(db, sample)
    file.write_bytes(sample.read_bytes()[:5000])
    for other in (
        file,
        file.with_name("gone.s3db"),
        file.with_name("gone.trf"),
        file.parent,
    ):
        said = refuse_import(db, other)
        assert f"{other} cannot be read: " in said and "line" not in said


@pytest.mark.posix
@pytest.mark.parametrize(("pages", "is_read"), [(100, True), (10_000, False)])
def test_changes_that_are_still_beside_the_file_are_read_or_named(
    db: Path, file: Path, pages: int, is_read: bool
) -> None:
    """SQLite needs 32 KB of an index for each 4,096 pages of them, and may have 64."""
    there = s3db(
        file.with_name("there"), [("Ada", 1900), ("Bo", 1800)], [(1, 1, 1, 2, 3)]
    )
    edit(there, "PRAGMA page_size = 512", "VACUUM", "CREATE TABLE more (cell)")
    with closing(sqlite3.connect(there, isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA wal_autocheckpoint = 0")
        conn.execute("UPDATE Player SET name = 'Eva' WHERE id = 1")
        conn.execute(
            f"{ENDLESS} INSERT INTO more SELECT randomblob(450) FROM e LIMIT {pages}"
        )
        for end in ("", "-wal"):
            shutil.copy(f"{there}{end}", f"{file}{end}")
    if is_read:
        import_sound(db, file)
    else:
        said = (
            f"close it in the other program first, as {file}-wal has more changes than"
        )
        assert said in refuse_import(db, file)
    assert rows(db, "SELECT name FROM player") == (
        [("Eva",), ("Bo",)] if is_read else []
    )


# -------------------------------------------------------------- a hostile file

ENDLESS = "WITH RECURSIVE e (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e)"
VIEW = (
    f"CREATE VIEW Player AS {ENDLESS}"
    " SELECT n AS id, 'P' AS name, n AS rating, 1 AS state, 'x' AS Categories FROM e"
)
FTS5 = "CREATE VIRTUAL TABLE Player USING fts5(id, name, rating, state, Categories, content=of)"
AWAY = "ALTER TABLE Player RENAME TO people;"
LIE = "PRAGMA writable_schema = ON;"
NONE = "only tables and stored columns are read: “{}” is none."
OTHER = (
    "is a SQLite database, but not of KeizerForClubs, of Sharly Chess, of views/core.sql or of the"
    " original project."
)


@pytest.mark.parametrize(("changes", "said"), [
    (f"{AWAY} {VIEW}", OTHER),
    (f"{AWAY} {VIEW.replace('Player', 'of')}; {FTS5}", OTHER),
    ("ALTER TABLE Player DROP COLUMN state;"
     " ALTER TABLE Player ADD COLUMN state AS (length(hex(zeroblob(400000000))))",
     OTHER),
    # What SQLite itself says of these depends on its version.
    (f"{LIE} UPDATE sqlite_master SET sql = '{VIEW.replace(chr(39), chr(39) * 2)}'"
     " WHERE name = 'Player'", ""),
    (f"{LIE} UPDATE sqlite_master SET type = 'view', rootpage = 0 WHERE name = 'Player'", ""),
    (f"{LIE} UPDATE sqlite_master SET name = 'q', tbl_name = 'q' WHERE name = 'Player';"
     f" INSERT INTO sqlite_master VALUES ('table', 'Player', 'Player', 0, '{FTS5}')", ""),
    (f"{LIE} INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'Player'", ""),
], ids=["view", "fts5", "generated", "text", "type", "renamed", "twice"])  # fmt: skip
def test_what_is_no_table_is_not_read(
    db: Path, file: Path, changes: str, said: str
) -> None:
    s3db(file, [("A", 1900), ("B", 1800)], [])
    with closing(sqlite3.connect(file)) as conn:
        conn.executescript(changes)
    refused = refuse_import(db, file)
    assert refused.endswith(said) and str(file) in refused and "\n" not in refused


@pytest.mark.parametrize(("changes", "called"), [
    ("ALTER TABLE player ADD COLUMN ROWID AS (length(hex(zeroblob(400000000))))", "player.ROWID"),
    ("ALTER TABLE player ADD COLUMN oid AS (1)", ""),
])  # fmt: skip
def test_the_rowid_is_none_that_a_column_makes(
    db: Path, worked_example: Original, changes: str, called: str
) -> None:
    """A column takes the name from what SQLite counts; another name of it is not asked for."""
    worked_example.conn.execute(changes)
    file = worked_example.close()
    if called:
        assert refuse_import(db, file) == f"{file}: {NONE.format(called)}"
    else:
        import_sound(db, file)


def test_the_authorizer_asks_for_itself(file: Path) -> None:
    """Whatever a query is: a view of an ordinary table, also by a name that is one's, and code."""
    s3db(file, [("A", 1900)], [])
    with closing(sqlite3.connect(file)) as conn:
        conn.executescript(
            "CREATE VIEW v AS SELECT name FROM Player; CREATE TABLE g (a, b AS (a + 1));"
            "CREATE VIEW w AS WITH Player (name) AS (SELECT 1) SELECT name FROM Player;"
        )
    with databases.opened(file) as theirs:
        assert theirs.rows("SELECT rowid, name, count(*) FROM Player") == [(1, "A", 1)]
    for query, called in (
        ("SELECT name FROM v", "v"), ("SELECT 1 FROM v", "v"), ("SELECT name FROM w", "w"),
        ("SELECT b FROM g", "g.b"), ("SELECT a FROM g WHERE b = 1", "g.b"),
        ("SELECT sql FROM sqlite_master", "sqlite_master"), ("SELECT 1 FROM json_each('[1]')", ""),
        (f"{ENDLESS} SELECT n FROM e", ""),
    ):  # fmt: skip
        with (
            pytest.raises(KeizerError, match=NONE.format(f".*{called}.*")),
            databases.opened(file) as theirs,
        ):
            theirs.rows(query)


def test_bytes_rows_and_time_of_a_file_are_limited(
    db: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A default counts for each row, however small the file is."""
    s3db(file, [("A", 1900), ("B", 1800), ("C", 1700)], [])
    with monkeypatch.context() as few:
        few.setattr(limits, "ROWS", 2)
        assert "more than 2 rows in a table" in refuse_import(db, file)
    with monkeypatch.context() as early:
        early.setattr(limits, "SECONDS", 0)
        assert "this file takes too much time to read" in refuse_import(db, file)
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.execute("ALTER TABLE Player DROP COLUMN Categories")
        conn.execute(
            f"ALTER TABLE Player ADD COLUMN Categories DEFAULT '{'x' * 500_000}'"
        )
    monkeypatch.setattr(limits, "SEASON", 1 << 20)
    assert "more than 1 MB" in refuse_import(db, file)


@pytest.mark.parametrize(("players", "number", "said"), [
    (5000, 999, "more than 100,000 places in standings"),
    (20, 999, "more than 5,000,000 rounds to count"),
])  # fmt: skip
def test_rounds_are_limited_by_players(
    db: Path, file: Path, players: int, number: int, said: str
) -> None:
    """One game may make a thousand lists."""
    s3db(file, [("A", 1500)] * players, [(number, 1, 1, 2, 1)])
    assert said in refuse_import(db, file)


def test_rounds_of_games_are_limited_likewise(club: Path, file: Path) -> None:
    members = file.with_name("members.csv")
    members.write_text("name\n" + "".join(f"Player {number}\n" for number in range(20)))
    keizer("import", club, members, "--yes")
    file.write_text("round,white,black\n999,Player 1,Player 2\n")
    assert "line 2: this has more than 5,000,000 rounds" in refuse_import(
        club, file, "--games"
    )


def test_a_late_one_begins_after_the_last_late_round_before_a_game(
    file: Path, conn: sqlite3.Connection
) -> None:
    """However often, and in whatever order, that is down; what is down later does not count."""
    s3db(file, [(f"P{n}", 1500) for n in range(3)],
         [(n, 100, 1, -1, 12) for n in (9, *range(1, 7))] + [(7, 1, 1, 2, 1)])  # fmt: skip
    conn.execute("INSERT INTO tournament (description) VALUES ('Late')")
    season = keizerforclubs.Season(Tournament(conn, 1))
    with tournaments.revaluation_suspended(season.of):
        season.take_over(keizerforclubs.read(file, "Late"))
    assert (season.first, season.last) == ({1: 7, 2: 1, 3: 1}, {1: 7, 2: 7})


def test_notes_have_an_end(
    db: Path, worked_example: Original, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seasons, "Notes", partial(Notes, 3))
    valued(worked_example, "UPDATE round SET result = 'won'")
    notes = import_sound(db, worked_example.close())[1].splitlines()
    assert len(notes) == 5 and notes[-1] == "Note: 7 further notes left out."
