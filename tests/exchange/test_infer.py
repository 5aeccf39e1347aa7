"""keizer infer: the rules that printed standings were made with.

What is printed comes from files with rules that the searched file does not have; of it only the
games and who was absent are known, not why, nor the start order.
"""

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from conformance import adapter
from keizer.exchange.inferring import trial
from keizer.exchange.inferring.search import Inferred, Search
from keizer.season import presets
from keizer.season.queries import Tournament
from keizer.store import tiebreaks
from tests.support.files import ROOT, campaign, empty, rows
from tests.support.files import run_keizer as keizer
from tests.support.worked_example import ROUND_1, ROUND_2

Case = dict[str, Any]
NAMES = [
    name for name in presets.load_presets() if not name.startswith(("swiss", "magic"))
]
NAMES += [
    f"{name}+{more}"
    for name in NAMES
    for more in presets.load_presets()[name].get("options", ())
]


def file_of(case: Case, preset: str | None = None) -> sqlite3.Connection:
    """A season in memory, by the rules of a preset."""
    conn = empty()
    tiebreaks.create_all_triggers(conn)
    conn.execute(
        "INSERT INTO tournament (description, revaluation) VALUES ('A', 'suspended')"
    )
    if preset:
        presets.apply_preset(Tournament(conn, 1), preset)
    adapter._write(conn, case)  # noqa: SLF001
    conn.execute("UPDATE tournament SET revaluation = 'on'")
    return conn


def hidden(case: Case) -> Case:
    """The same games; everybody who is absent is so for one reason, and nobody has a start rank."""
    return {
        "rules": {},
        "players": [
            {key: one[key] for key in one if key != "start_rank"} for one in case["players"]
        ],
        "rounds": [
            told | {"unplayed": {player: "bye" if kind == "bye" else "excused"
                                 for player, kind in told["unplayed"].items()}}
            for told in case["rounds"]
        ],
    }  # fmt: skip


def random_season(rng: random.Random, kinds: list[str], rules: dict[str, str]) -> Case:
    """8 to 24 players, some of whom enter late, in 5 to 12 rounds; nobody is paired by anything."""
    count, last = rng.randint(8, 24), rng.randint(5, 12)
    order = rng.sample(range(1, count + 1), count)
    players: list[Case] = [
        {"id": player, "rating": 2400 - 20 * player} | (
            {"first_round": rng.randint(2, last // 2)} if rng.random() < 0.1
            else {"start_rank": order.index(player) + 1}
        )
        for player in range(1, count + 1)
    ]  # fmt: skip
    rounds = []
    for number in range(1, last + 1):
        there = [one["id"] for one in players if one.get("first_round", 1) <= number]
        unplayed = {
            str(player): rng.choice(kinds) for player in there if rng.random() < 0.15
        }
        here = [player for player in there if str(player) not in unplayed]
        rng.shuffle(here)
        if len(here) % 2:
            unplayed[str(here.pop())] = "bye"
        pairs = zip(here[::2], here[1::2], strict=True)
        games = [[*pair, rng.choice(["1-0", "0-1", "½-½"])] for pair in pairs]
        rounds.append({"games": games, "unplayed": unplayed})
    return {"rules": rules, "players": players, "rounds": rounds}


def found_for(case: Case, preset: str, *, last: bool = False) -> Inferred:
    """What is found from all standings, or from the last, printed with three decimals."""
    numbers = range(len(case["rounds"]) if last else 1, len(case["rounds"]) + 1)
    with closing(file_of(case, preset)) as conn:
        ours = trial.ours(conn, 1, *numbers)
    return searched(
        case, [trial.PrintedScore(*key, round(score, 3)) for key, score in ours.items()]
    )


def searched(case: Case, cells: list[trial.PrintedScore]) -> Inferred:
    """What is found in a file that has the games alone."""
    with closing(file_of(hidden(case))) as conn:
        search = Search(Tournament(conn, 1), cells)
        with closing(search.conn):
            return search.run()


@pytest.mark.parametrize(
    "seed",
    [
        1006,
        *(
            pytest.param(seed, marks=pytest.mark.seeds)
            for seed in (1002, 1003, 1007, 1009, 1037)
        ),
        *campaign(2000, 2200),
    ],
)
def test_a_season_by_a_preset_comes_out_with_the_start_list_and_kinds_hidden(
    seed: int,
) -> None:
    rng = random.Random(seed)
    name = rng.choice(NAMES)
    more = [
        kind.replace("-", " ") for kind in presets.find_preset(name).get("kinds", {})
    ]
    kinds = ["excused", "excused", "unexcused", "club duty", *more]
    found = found_for(random_season(rng, kinds, {}), name)
    assert not found.wrong, (name, found.preset, found.settings)


@pytest.mark.seeds
@pytest.mark.parametrize(
    ("rules", "seed"),
    [
        ({"top_value": "44", "excused": ".4"}, 1),
        ({"bye": ".75", "own-value": "0"}, 2),
        ({"step": "2", "top_value": "70"}, 3),
        ({"ladder": "score", "top_value": "150", "bottom_value": "50"}, 4),
    ],
)
def test_numbers_that_no_preset_has_are_found(rules: dict[str, str], seed: int) -> None:
    rng = random.Random(seed)
    case = random_season(rng, ["excused"], rules)
    found = found_for(case, "classic")
    assert not found.wrong, (found.preset, found.settings)


@pytest.mark.seeds
def test_sevillas_season_of_37_rounds_with_every_absence_of_one_kind() -> None:
    """1,853 scores as printed; 124 absences at .667 and one at nothing, as conformance has them."""
    case = json.loads((ROOT / "conformance/real/santpoort-2025.jsonl").read_bytes())
    cells = [
        trial.PrintedScore(table["round"], int(player), float(score))
        for table in case["expect"]["tables"] for player, score in table["scores"].items()
    ]  # fmt: skip
    found = searched(case, cells)
    assert (len(found.cells), found.wrong, found.preset) == (1853, [], "santpoort")
    kinds = list(found.kinds.values())
    assert (kinds.count("club duty"), kinds.count("unexcused")) == (124, 1)


@pytest.fixture
def worked_example(tmp_path: Path) -> Path:
    """The games of Sevilla's page, with rules under which nothing comes out as it prints."""
    db = tmp_path / "club.db"
    db.write_bytes((ROOT / "sample.db").read_bytes())
    keizer("rules", db, "top_value=80", "own-value=1/2", "loss=1/6")
    return db


LONG = "round;player;score\n" + "".join(
    f"{number};{name};{score}\n"
    for number, table in ((1, ROUND_1), (2, ROUND_2)) for name, score in table.items()
)  # fmt: skip
WIDE = "Naam,Ronde 1,Ronde 2\n" + "".join(
    f'{name},"{str(score).replace(".", ",")}",{ROUND_2[name]}\n'
    for name, score in ROUND_1.items()
)


@pytest.mark.parametrize("table", [LONG, WIDE])
def test_rules_that_are_right_stay(tmp_path: Path, table: str) -> None:
    """Of sample.db, in which the worked example is played by the rules that its page prints."""
    db, file = tmp_path / "club.db", tmp_path / "printed.csv"
    db.write_bytes((ROOT / "sample.db").read_bytes())
    file.write_text(table, encoding="utf-8")
    said = keizer("infer", db, file).stdout
    assert "20 of 20 scores are as printed.\nRules: those of the file." in said


@pytest.mark.seeds
def test_the_worked_example_from_a_table(worked_example: Path, tmp_path: Path) -> None:
    """Printed by Sevilla: the first place worth 50, the own value whole, nothing for a loss."""
    file = tmp_path / "printed.csv"
    file.write_text(WIDE, encoding="utf-8")
    before = worked_example.read_bytes()
    said = keizer("infer", worked_example, file).stdout
    assert "20 of 20 scores are as printed." in said
    assert worked_example.read_bytes() == before
    assert "Written." in keizer("infer", worked_example, file, "--apply").stdout
    assert rows(
        worked_example, "SELECT name, score FROM current_standings ORDER BY rank"
    ) == [*ROUND_2.items()]
    keizer("undo", worked_example)
    assert rows(worked_example, "SELECT top_value FROM rules") == [(80,)]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            "a;b\n1;2\n",
            "the first line has to name the columns: round, player, score; or player",
        ),
        ("round;player;score\n1;Nobody;5\n", "printed.csv, line 2: "),
        ("round;player;score\n1;Johnson;x\n", "printed.csv, line 2: “x” is no score."),
        ("player;1\nJohnson;\n", "there is no score in it."),
        ("round;player;score\n1;Johnson\n", "line 2: 2 cells where the heading has 3"),
        ("player;1\nJohnson;99;98\n", "line 2: 3 cells where the heading has 2"),
        ("player;1\nJohnson;#N/A\n", "line 2: 1: “#N/A” is the error of a formula."),
        (
            "round;player;score\nfinal;Johnson;93\n",
            "line 2: round “final” is not a number from 1",
        ),
        (
            "round;player;score\n;Johnson;93\n",
            "line 2: round “” is not a number from 1 to 999.",
        ),
        (
            "round;player;score\n0;Johnson;93\n",
            "line 2: in the start list, of round 0, nobody has",
        ),
        (
            "player;1;01\nJohnson;99;98\n",
            "columns “1” and “01” mean the same: leave one out.",
        ),
        (
            "player;R1;1\nJohnson;99;98\n",
            "columns “R1” and “1” mean the same: leave one out.",
        ),
        (
            "name;player;1\nJohnson;Smith;99\n",
            "columns “name” and “player” mean the same",
        ),
        ("round;player;1\n1;Johnson;99\n", "the first line has to name the columns"),
    ],
)
def test_what_is_no_table_of_scores_is_one_sentence(
    worked_example: Path, tmp_path: Path, table: str, sentence: str
) -> None:
    file = tmp_path / "printed.csv"
    file.write_text(table, encoding="utf-8")
    assert sentence in keizer("infer", worked_example, file, fails=True).stderr


def test_the_standings_that_keizer_exports_are_such_a_table(tmp_path: Path) -> None:
    """With a start list, of round 0; and the points of the games beside the scores."""
    db, file = tmp_path / "club.db", tmp_path / "printed.csv"
    db.write_bytes((ROOT / "sample.db").read_bytes())
    keizer("export", db, file)
    assert file.read_text(encoding="utf-8").count("\n") == 31
    assert "20 of 20 scores are as printed." in keizer("infer", db, file).stdout


def test_whom_an_export_of_sevilla_names_is_in_the_tournament(
    worked_example: Path, tmp_path: Path
) -> None:
    """A score of somebody else would be looked at by nobody."""
    file = tmp_path / "printed.json"
    lines = [
        {"ID": 1, "Name": "Johnson", "Score": 99},
        {"ID": 2, "Name": "Joe", "Score": 5},
    ]
    group = {"Name": "Season", "Ranking": [{"Round": 1, "Player": lines}]}
    file.write_text(json.dumps({"GroupReport": [group]}), encoding="utf-8")
    said = keizer("infer", worked_example, file, fails=True).stderr
    assert said == (
        f"Error: {file}: these players have scores in the file and are not in the tournament:"
        " “Joe”.\n"
    )
