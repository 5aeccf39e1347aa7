"""Tables that programs and clubs published, to the last digit, by a preset.

Through the command line alone, as a director would enter them.
"""

import json
from pathlib import Path
from typing import ClassVar

import pytest

from tests.support.files import Keizer
from tests.support.other_programs import Kfc, table


def enter(keizer: Keizer, db: Path, files: dict[str, str]) -> None:
    """Import CSV texts: players, games and unplayed rounds."""
    for what, text in files.items():
        csv = db.with_name(f"{what}.csv")
        csv.write_text(text, encoding="utf-8")
        keizer("import", db, csv, *([] if what == "players" else [f"--{what}"]))


class TestKeizerForClubs:
    """The program's own test tournament, state of 10 September 2024.

    Nine players, five rounds, one of them retired; ratio 3; 5 % for an absence
    without notice. Every score, value and rank as the program stored them (its
    single-precision floats rounded).
    """

    def test_every_score_value_and_rank_and_what_each_round_brings(
        self, tmp_path: Path, keizer: Keizer
    ) -> None:
        db = tmp_path / "club.db"
        keizer("init", db, "--name", "Test", "--preset", "keizerforclubs")
        keizer("rules", db, "unexcused=.05")
        enter(keizer, db, {"players": Kfc.PLAYERS, "games": Kfc.GAMES, "unplayed": Kfc.UNPLAYED})
        keizer("withdraw", db, "Verdandi")
        assert sorted(table(keizer, db)) == sorted(Kfc.PUBLISHED)
        for name, due in Kfc.LINES.items():
            lines = json.loads(keizer("explain", db, name, "--json").stdout)
            brought = [line["points"] for line in lines if line["played_in"]]
            assert brought == pytest.approx(due), name
        keizer("check", db)


class TestFixedPoint:
    """SC Haren, first round of 2016: totals with the values of that same table.

    Sixteen players, 80 for the first place. The start list is the board order,
    Black's name first; two passes settle it.
    """

    GAMES = """round,white,black,result
1,H03,H09,1-0
1,H07,H01,0-1
1,H02,H08,1-0
1,H04,H10,1/2
1,H12,H05,0-1
1,H06,H14,1-0
1,H11,H15,1-0
1,H16,H13,0-1
"""
    # In the published order: name and total; values run 80, 79, ...
    TOTALS: ClassVar = {
        "H03": 151, "H01": 149, "H02": 147, "H05": 145, "H06": 143, "H11": 141,
        "H13": 139, "H10": 109, "H04": 108.5, "H09": 71, "H07": 70, "H08": 69,
        "H12": 68, "H14": 67, "H15": 66, "H16": 65,
    }  # fmt: skip

    def test_every_total_value_and_place(self, tmp_path: Path, keizer: Keizer) -> None:
        db = tmp_path / "club.db"
        keizer("init", db, "--name", "Haren", "--preset", "haren")
        keizer("rules", db, "start_order=entry")
        boards = [line.split(",")[1:3] for line in self.GAMES.splitlines()[1:]]
        order = [name for white, black in boards for name in (black, white)]
        enter(keizer, db, {"players": "name\n" + "\n".join(order) + "\n", "games": self.GAMES})
        assert table(keizer, db) == [
            (rank, name, 81 - rank, total)
            for rank, (name, total) in enumerate(self.TOTALS.items(), 1)
        ]
        keizer("check", db)
