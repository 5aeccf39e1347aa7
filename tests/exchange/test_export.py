"""keizer export: every view as CSV and JSON, for programs and for Excel."""

import csv
import io
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.files import edit, public_views
from tests.support.files import run_keizer as keizer
from tests.support.members import NAMES, write_club

Row = dict[str, Any]


@pytest.fixture(scope="module")
def long_season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 players in 33 rounds."""
    path = tmp_path_factory.mktemp("season") / "long.db"
    write_club(path, NAMES[:40], 33)
    return path


def cells(text: str | Path, delimiter: str = ",") -> list[Row]:
    """CSV, or a file of it, as the csv module of Python reads it."""
    text = text if isinstance(text, str) else text.read_bytes().decode("utf-8-sig")
    lines = io.StringIO(text, newline="")
    return list(csv.DictReader(lines, delimiter=delimiter, strict=True))


def plain(value: object) -> object:
    """A cell as CSV says it: nothing, a number, or a text that is none."""
    try:
        return None if value in (None, "") else float(str(value))
    except ValueError:
        return value


def alike(found: list[Row]) -> list[str]:
    """Rows in an order of their own, to compare them."""
    return sorted(
        repr({key: plain(value) for key, value in row.items()}) for row in found
    )


def check_every_view(db: Path, only: int | None = None) -> None:
    """What keizer export writes, read back by csv and json, is SELECT * of each view."""
    with closing(sqlite3.connect(db)) as conn:
        conn.row_factory = sqlite3.Row
        for view in {*public_views(conn)} - {"revalue"}:
            columns = [row[1] for row in conn.execute(f"PRAGMA table_info({view})")]
            options, where = ["--view", view], ""
            if only and "round_number" in columns:
                options += ["--round", str(only)]
                where = f"WHERE round_number = {only}"
            rows = alike(
                [dict(row) for row in conn.execute(f"SELECT * FROM {view} {where}")]
            )
            text = keizer("export", db, "-", "--csv", *options).stdout
            assert alike(cells(text)) == rows
            assert text.splitlines()[0].split(",") == columns
            assert (
                alike(json.loads(keizer("export", db, "-", "--json", *options).stdout))
                == rows
            )


def test_every_view_of_the_worked_example(sample: Path) -> None:
    check_every_view(sample)


@pytest.mark.parametrize(
    "only",
    [
        pytest.param(3, marks=pytest.mark.seeds),
        pytest.param(None, marks=pytest.mark.campaign),
    ],
)
def test_every_view_of_a_long_season(long_season: Path, only: int | None) -> None:
    """40 players and 33 rounds: one of them, and in the long run all, 300,000 rows."""
    check_every_view(long_season, only)


def test_only_this_tournament_and_round(sample: Path, tmp_path: Path) -> None:
    """In the order in which a person looks for them."""
    keizer("init", sample, "--name", "Blitz")
    keizer("add", sample, "Baker", "-t", "Blitz")
    shown = keizer("export", sample, "-", "--json", "-t", "Blitz").stdout
    assert [row["name"] for row in json.loads(shown)] == ["Baker"]
    file = tmp_path / "b.csv"
    keizer("export", sample, file, "-t", "Worked example", "--round", 2)
    places = [
        (row["tournament_id"], row["round_number"], row["rank"]) for row in cells(file)
    ]
    assert places == [("1", "2", str(rank)) for rank in range(1, 11)]
    keizer("export", sample, file, "--view", "pairings", "-t", "#1", "--force")
    boards = [(row["round_number"], row["board"]) for row in cells(file)]
    assert boards == [(number, board) for number in "12" for board in "12345"]


def test_null_is_nothing_and_an_empty_text_is_quoted(sample: Path) -> None:
    """As PostgreSQL reads CSV; csv of Python takes both for an empty text. JSON has no infinity."""
    edit(
        sample,
        "CREATE VIEW own AS SELECT 1 AS a, NULL AS b, '' AS c, ' x ' AS d, 1.5 AS e",
        "CREATE VIEW far AS SELECT 1e999 AS up, -1e999 AS down, 1 AS one",
    )
    written = keizer("export", sample, "-", "--csv", "--view", "own").stdout
    assert written == 'a,b,c,d,e\n1,,"", x ,1.5\n'
    own, far = (
        json.loads(keizer("export", sample, "-", "--json", "--view", view).stdout,
                   parse_constant=pytest.fail)
        for view in ("own", "far")
    )  # fmt: skip
    assert own == [{"a": 1, "b": None, "c": "", "d": " x ", "e": 1.5}]
    assert far == [{"up": None, "down": None, "one": 1}]


HOSTILE = {
    '=HYPERLINK("http://x.y";"Anna")': "'", "+49 30 1": "'", "-2+3": "'", "@SUM(A1)": "'",
    "\tx": "'", "\r=1+1": "'", 'a "b"; c,d': "", "line\nbreak": "", "Zoë": "", "-5": "",
    "+1.5": "", "½-½": "", "--": "'", "'=1": "", "": "",
}  # fmt: skip
"""Cells, and what Excel is shown before them."""


def test_hostile_cells(sample: Path, tmp_path: Path) -> None:
    """JSON has them as they are; in CSV none is a formula, and for Excel no result either."""
    quoted = ["'" + cell.replace("'", "''") + "'" for cell in HOSTILE]
    numbered = " UNION ALL ".join(
        f"SELECT {number}, {cell}" for number, cell in enumerate(quoted)
    )
    edit(sample, f"CREATE VIEW hostile (rank, cell) AS {numbered}")
    for style, options in (("csv", []), ("json", []), ("xls", ["--csv", "--excel"])):
        keizer("export", sample, tmp_path / f"x.{style}", "--view", "hostile", *options)
    defused = [before + cell for cell, before in HOSTILE.items()]
    plain = ["--" if cell == "'--" else cell for cell in defused]
    assert [row["cell"] for row in cells(tmp_path / "x.csv")] == plain
    assert [row["cell"] for row in json.loads((tmp_path / "x.json").read_bytes())] == [
        *HOSTILE
    ]
    assert (tmp_path / "x.xls").read_bytes().startswith(b"\xef\xbb\xbfrank;cell\r\n0;")
    assert [row["cell"] for row in cells(tmp_path / "x.xls", ";")] == defused


def test_for_excel_a_number_has_a_decimal_comma(sample: Path) -> None:
    """What is negative stays a number."""
    edit(
        sample,
        "CREATE VIEW own AS SELECT -1.5 AS a, 71.5 AS b, -3 AS c, 2.0 AS d, '1/3' AS e",
    )
    shown = keizer(
        "export", sample, "-", "--csv", "--excel", "--view", "own"
    ).stdout_bytes
    assert shown.decode("utf-8-sig") == "a;b;c;d;e\r\n-1,5;71,5;-3;2;1/3\r\n"


@pytest.mark.posix
def test_a_file_that_is_there_stays(sample: Path, tmp_path: Path) -> None:
    """And if it is replaced, a link to it stays one, and who may read the file may still."""
    table, link = tmp_path / "table.csv", tmp_path / "link.csv"
    table.write_text("mine", encoding="utf-8")
    table.chmod(0o640)
    link.symlink_to(table)
    assert (
        f"{link} is already there" in keizer("export", sample, link, fails=True).stderr
    )
    assert table.read_text(encoding="utf-8") == "mine"
    keizer("export", sample, link, "--force")
    assert link.is_symlink() and table.stat().st_mode & 0o777 == 0o640
    assert table.read_text(encoding="utf-8").startswith(
        "tournament_id,round_number,rank,"
    )


@pytest.mark.posix
def test_what_is_no_file_is_not_replaced(sample: Path, tmp_path: Path) -> None:
    """A pipe here; a device is worse."""
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    refused = keizer("export", sample, pipe, "--force", fails=True).stderr
    assert f"{pipe} is no file: name one, or - for standard output." in refused
    assert pipe.is_fifo()


def test_a_view_of_somebody_else_may_have_any_name_and_hold_anything(
    sample: Path,
) -> None:
    """What is no number and no text, too; one that cannot be read is refused."""
    name = """../own's "view"""
    edit(
        sample,
        f"""CREATE VIEW "{name.replace('"', '""')}" AS SELECT x'00ff' AS "a ""b" """,
    )
    edit(sample, "CREATE VIEW broken AS SELECT one FROM nowhere")
    written = keizer("export", sample, "-", "--csv", "--view", name).stdout
    assert written == '"a ""b"\n00ff\n'
    written = keizer("export", sample, "-", "--json", "--view", name).stdout
    assert json.loads(written) == [{'a "b': "00ff"}]
    refused = keizer(
        "export", sample, "-", "--csv", "--view", "broken", fails=True
    ).stderr
    assert "no such table" in refused


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["x.csv", "--view", "nothing"], "there is no view “nothing”: there are "),
    (["x.csv", "--view", "z_line"], "there is no view “z_line”"),
    (["x.csv", "--view", "revalue"], "there is no view “revalue”"),
    (["x.csv", "--view", "results", "--round", "1"], "view results has no rounds"),
    (["-"], "end its name in .csv"),
    (["x.txt"], "the format of x.txt is not clear"),
    (["x/"], "the format of x/ is not clear"),
    (["x.json", "--excel"], "--excel cannot be used with a json file"),
    (["x.csv", "--edition", "2016"], "--edition cannot be used with a csv file"),
    (["x.trf", "--round", "1"], "--round cannot be used with a trf file"),
    (["x.pgn", "--view", "results"], "--view cannot be used with a pgn file"),
    (["gone/x.csv"], "gone/x.csv cannot be written: No such file or directory."),
    ([".", "--csv"], ". is no file: name one"),
    # What SQLite keeps beside a season has changes that are not in the file yet.
    *((["sample.db" + end, "--csv", "--force"], "is the season itself")
      for end in ("", "-wal", "-shm", "-journal")),
])  # fmt: skip
def test_refusals(
    sample: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    monkeypatch.chdir(sample.parent)
    before = sample.read_bytes()
    assert sentence in keizer("export", sample, *arguments, fails=True).stderr
    assert [path.name for path in sample.parent.iterdir()] == ["sample.db"]
    assert sample.read_bytes() == before
