"""Reports that programs wrote: what is read of them, and with which notes.

reports/ has short ones out of public repositories, facts only: names, numbers, arbiters and days
of birth are not those of people. docs/formats.md has how many others were tried.

    bbppairings        BieremaBoyzProgramming/bbpPairings, test/tests/dutch_2025_C5.input
    bbppairings-teams  Sharly-Chess/bbpPairings, test/tests/team_board_forfeit_win.input
    chesspairing       gnutterts/chesspairing, cmd/chesspairing/testdata/pair-input.trf
    irish-union        sanichi/icu_tournament, spec/samples/krause/irish_intermediate_champs_2011.tab
    lichess            OpenSwissPairings/openswisspairings_lib, lichess_swiss_2021.02.20_sniu3bgA
    pypi-trf           sklangen/TRF, tests/2021_03.trf: lichess, as the package writes it
    pypi-trf-dates     what trf 1.1.1 of PyPI dumps
    sharly-chess       Sharly-Chess/sharly-chess, tests/unit/tournament_importers/trf-import-test.trf
    tornello           GabrieleBattaglia/Tornello, bbppairings/input_bbp.trf
    tornelo            OpenSwissPairings/openswisspairings_lib, test_file.trf without its damaged lines
    zwart-op-wit       the season of a Keizer club for its federation, S7.1.txt
"""

from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from keizer import DeclinedError, KeizerError
from keizer.exchange import seasons, trf
from keizer.formats import sent
from keizer.season import presets
from keizer.season.queries import Tournament
from tests.support.files import empty

REPORTS = Path(__file__).parent / "reports"


class Says(NamedTuple):
    """What is read of a report."""

    players: int
    games: int
    points: float | None
    """All of them, in columns 81 to 84; None where there are none."""
    held: int
    """Players whose points follow from the rounds in a tournament of preset swiss-fide."""
    dates: dict[int, str]
    notes: list[str]


COMING = "left out: it may be no plan, but the coming round."
JULY = dict(enumerate(["2011-07-02"] * 3 + ["2011-07-03"] * 2, 1))
READ = {
    "bbppairings.trf": Says(6, 6, 6.0, 6, {}, []),
    # Everybody of the team that is free has U, here without points: those of our bye.
    "bbppairings-teams.trf": Says(15, 5, 6.0, 12, {}, [f"line 3: {COMING}"]),
    # A line 132 for each round.
    "chesspairing.trf": Says(
        5, 4, 5.5, 5, {1: "2025-01-15", 2: "2025-01-16"}, [f"line 14: {COMING}"]
    ),
    # No sign for a bye that brought half a point; no day of birth is “.  .”.
    "irish-union.tab": Says(21, 44, 44.5, 20, JULY, []),
    # Federation Lichess, no ranks, blanks for 0000.
    "lichess.trf": Says(9, 13, 15.5, 9, {}, []),
    "pypi-trf.trf": Says(9, 36, 45.0, 9, {}, []),
    # Dates from column 5, one after the other.
    "pypi-trf-dates.trf": Says(
        3, 3, 4.5, 3, {1: "2026-01-09", 2: "2026-01-16", 3: "2026-01-23"}, []
    ),
    # Dates one column to the right of FIDE's.
    "sharly-chess.trf": Says(
        16, 36, 40.0, 16, dict(enumerate(["2025-09-13"] * 3 + ["2025-09-14"] * 2, 1)), []
    ),
    # National titles; a bye of half a point, which nobody has.
    "tornello.trf": Says(
        10, 20, 20.0, 10, {},
        ["line 17: left out: “2N” is no title, such as GM or WIM.",
         "line 19: left out: “156” is no title, such as GM or WIM.", f"line 13: {COMING}"],
    ),
    # Neither points nor ranks; extensions of its own.
    "tornelo.trf": Says(
        10, 15, None, 0, {}, ["some players have no points in the file, which so prove nothing."]
    ),
    # Sex V, day of birth 1900.01.01, 0000 and no result for absences, days with dots.
    "zwart-op-wit.txt": Says(
        29, 33, 33.0, 29,
        {1: "2025-09-01", 2: "2025-09-08", 3: "2025-09-15", 4: "2025-09-22"},
        ["line 6: the file says 40 players and has 29."],
    ),
}  # fmt: skip


class Open:
    """A Swiss without players, to read a report into."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "open.trf"
        self.conn = empty()
        self.conn.execute("INSERT INTO tournament (description) VALUES ('Open')")
        self.of = Tournament(self.conn, 1)
        presets.apply_preset(self.of, "swiss-fide")
        self.close = self.conn.close

    def read(self, path: Path) -> list[str]:
        """Read a report, also where its points are others; the notes, but for those on points.

        declined: who has other points, where somebody has.
        """
        assert sent.kind(path) == "trf"
        self.declined: list[str] = []
        try:
            notes = self._read(path)
        except DeclinedError as error:
            self.declined = [
                str(said) for said in error.more if str(said).startswith("line ")
            ]
            notes = self._read(path, anyway=True)
            on_points = {*map(str, (error.what, *error.more))}
            return [note for note in notes if note not in on_points]
        return [note for note in notes if "own standings" not in note]

    def _read(self, path: Path, *, anyway: bool = False) -> list[str]:
        self.conn.execute("BEGIN")
        try:
            notes = seasons.write(
                self.of, sent.read(path, None, "Open", None, None), anyway=anyway
            )[1]
        except KeizerError:
            self.conn.execute("ROLLBACK")
            raise
        self.conn.execute("COMMIT")
        return [*map(str, notes)]

    def enter(self, *lines: str) -> list[str]:
        self.path.write_text("\n".join(lines), encoding="utf-8")
        return self.read(self.path)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.conn.execute(query)]


def test_each_report_there_is_has_a_row() -> None:
    assert {path.name for path in REPORTS.iterdir()} == READ.keys()


@pytest.mark.each
@pytest.mark.parametrize("name", READ)
def test_a_report_of_another_program_is_read(name: str, tmp_path: Path) -> None:
    path = REPORTS / name
    with closing(Open(tmp_path)) as found:
        notes = found.read(path)
        report = trf.parse(path.read_bytes())
        printed = [player.points for player in report.players]
        total = None if None in printed else sum(filter(None, printed)) / 10
        ((games,),) = found.rows("SELECT count(*) FROM round")
        scores = dict(found.rows("SELECT player_id, score FROM results"))
        ours = [
            scores[row[0]]
            for row in found.rows(
                "SELECT player_id FROM x_player_tournament ORDER BY rowid"
            )
        ]
        held = sum(
            points == round(score * 10)
            for points, score in zip(printed, ours, strict=True)
        )
        assert Says(len(printed), games, total, held, report.dates, notes) == READ[name]
        assert len(found.declined) == (len(printed) - held if total is not None else 0)
        assert found.rows("SELECT * FROM problems") == []


def test_players_without_a_name_have_their_start_number(tmp_path: Path) -> None:
    """None of them is somebody whom the file knows."""
    lines = (REPORTS / "tornelo.trf").read_text(encoding="utf-8").splitlines()
    bare = [
        line[:14] + " " * 33 + line[47:] if line[:4] == "001 " else line
        for line in lines
    ]
    with closing(Open(tmp_path)) as found:
        found.conn.execute("INSERT INTO player (name) VALUES ('Player 3')")
        notes = found.enter(*(line[:57] + " " * 11 + line[68:] for line in bare))
        assert (
            "players without a name are called “Player” and their start number."
            in notes
        )
        named = found.rows("SELECT name FROM player WHERE id > 1 ORDER BY id")
        assert named == [(f"Player {number}",) for number in range(1, 11)]


def row(number: int, cells: str, points: str = "") -> str:
    return (
        f"001 {number:4}      Name {number}".ljust(80)
        + f"{points:>4}".ljust(11)
        + cells
    )


TWO = (row(1, "   2 w 1"), row(2, "   1 b 0"))


@pytest.mark.parametrize(("line", "dates"), [
    ("132".ljust(91) + "26/02/03            26/02/17", {1: "2026-02-03", 3: "2026-02-17"}),
    ("132".ljust(92) + "26/02/03            26/02/17", {1: "2026-02-03", 3: "2026-02-17"}),
    ("132".ljust(88) + "99.02.03", {1: "1999-02-03"}),
    ("132 2026/02/03 2026/02/10", {1: "2026-02-03", 2: "2026-02-10"}),
    ("132 26/02/03 26/02/10  26/02/17", {}),  # a round without a date?
    ("132".ljust(91) + "26/02/03  26/13/10", {}),
    ("132".ljust(91) + "11.25.02", {}),
    ("132".ljust(91) + "26/02/03 26/02/10  26/02/24", {}),
])  # fmt: skip
def test_dates_are_read_where_no_round_can_be_another(
    line: str, dates: dict[int, str], tmp_path: Path
) -> None:
    with closing(Open(tmp_path)) as found:
        wrong = "left out: not all dates are YY/MM/DD and in their columns."
        notes = found.enter("012 Open", line, *TWO)
        assert [note for note in notes if wrong in note] == (
            [] if dates else [f"line 2: {wrong}"]
        )
        assert dict(found.rows("SELECT round_number, date FROM schedule")) == dates


@pytest.mark.parametrize(("line", "note"), [
    ("999 what", "left out: “999” is no record of TRF16 or TRF26."),
    ("^ Hm", "left out: “^ H” is no record of TRF16 or TRF26."),
    ("022 =1+1", "left out: a text like this is not empty"),
    ("062 7", "the file says 7 players and has 2."),
    ("XXR 2", COMING),
])  # fmt: skip
def test_a_line_without_a_result_is_no_reason_to_refuse(
    line: str, note: str, tmp_path: Path
) -> None:
    with closing(Open(tmp_path)) as found:
        notes = found.enter("012 Open", line, *TWO)
        assert any(each.startswith(f"line 2: {note}") for each in notes), notes
        assert found.rows("SELECT result FROM round") == [("1-0",)]
        assert found.rows("SELECT city, rounds FROM tournament JOIN rules") == [
            (None, None)
        ]


@pytest.mark.parametrize(("before", "after", "note"), [
    (" m ", " u ", "column 10 is m or w, not “u”."),
    (" GM", " 1N", "“1N” is no title, such as GM or WIM."),
    ("NED", "N2D", "“N2D” is no federation of three letters."),
    ("1987/03/05", "1987/13/05", "the birth date “1987/13/05” is not YYYY/MM/DD."),
    ("1987/03/05", "1900.01.01", None), ("1987/03/05", "  .  .    ", None), (" m ", " V ", None),
])  # fmt: skip
def test_a_detail_that_cannot_be_is_left_out(
    before: str, after: str, note: str | None, tmp_path: Path
) -> None:
    line = f"001    1 m GM {'Aan, Jan':33} 2400 NED     1000016 1987/03/05  0.0    1  0000 - Z"
    asked = "SELECT sex, title, federation, born, rating, fide_id FROM player"
    right = ("m", "GM", "NED", "1987-03-05", 2400, 1000016)
    gone = {" m ": 0, " GM": 1, "NED": 2, "1987/03/05": 3}[before]
    kept = [None if at == gone else value for at, value in enumerate(right)]
    kept[0] = "w" if after == " V " else kept[0]
    with closing(Open(tmp_path)) as found:
        notes = found.enter(line.replace(before, after, 1))
        assert notes == ([f"line 1: left out: {note}"] if note else [])
        assert found.rows(asked) == [tuple(kept)]


def test_a_fide_number_that_two_have_is_nobodys(tmp_path: Path) -> None:
    """Reports of Swiss-Manager and of the Irish union have them: one person entered twice, say."""
    lines = [f"{line[:57]}{1000016:11}{line[68:]}" for line in TWO]
    with closing(Open(tmp_path)) as found:
        notes = found.enter(*lines)
        assert "FIDE numbers that two players have are left out: 1000016." in notes
        assert found.rows("SELECT name, fide_id FROM player") == [
            ("Name 1", None),
            ("Name 2", None),
        ]


@pytest.mark.parametrize(("preset", "cell", "points", "sentence"), [
    # In a Keizer tournament points are the sum of the rounds, whatever brings them here.
    ("keizer", "0000 - U", "1.0", ""),
    ("keizer", "", "1.0", "line 2: 1 has 1.0 points, and the rounds add up to 0.0."),
    ("keizer", "0000 - -", "1.0", "line 2: 1 has 1.0 points, and the rounds add up to 0.0."),
    # In a Swiss they are the score.
    ("swiss-fide", "0000 - U", "1.0", ""),
    # A round in which nobody plays is still to come.
    ("swiss-fide", "0000 - H", "0.5", "line 2: Name 1, score after round 1: 0.5 in the file, 0 here"),
    ("swiss-fide", "", "1.0", "line 2: Name 1, score after round 1: 1 in the file, 0 here"),
    ("swiss-fide", "0000 - U", "0.5", "line 2: Name 1, score after round 2: 0.5 in the file, 1 here"),
    ("swiss-half", "0000 - H", "0.5", "line 2: Name 1, score after round 1: 0.5 in the file, 0 here"),
    ("swiss", "0000 - U", "3.0", ""),
])  # fmt: skip
def test_points_that_do_not_come_out_are_insisted_on(
    preset: str, cell: str, points: str, sentence: str, tmp_path: Path
) -> None:
    """A bye without a sign, or one that brings something else than in this tournament."""
    won = "3.0" if preset == "swiss" else "1.0"
    lines = [
        "012 Open",
        row(1, f"   2 b 0  {cell}", points=points),
        row(2, "   1 w 1  0000 - Z", points=won),
    ]
    lines += ["162  W 3.0    D 1.0"] if preset == "swiss" else []
    with closing(Open(tmp_path)) as found:
        presets.apply_preset(found.of, preset)
        found.enter(*lines)
        assert found.declined == ([sentence] if sentence else [])
        assert found.rows("SELECT result FROM round") == [("1-0",)]


def test_points_of_an_open_game_may_be_those_of_a_draw(tmp_path: Path) -> None:
    for points in ("0.0", "0.5"):
        with closing(Open(tmp_path)) as found:
            found.enter(
                row(1, "   2 b  ", points=points), row(2, "   1 w  ", points="0.5")
            )
            assert found.declined == []
