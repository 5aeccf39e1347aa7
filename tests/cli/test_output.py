"""What a command prints: whatever is in the file, whatever it is printed on."""

import csv
import errno
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from keizer import KeizerError, texts
from keizer.cli import main
from keizer.texts import visible
from tests.support.console import Console, new_club
from tests.support.files import past_the_guards, rows, run_keizer, sample_db
from tests.support.scenes import scenes

# ---------------------------------------------------------------- what the file holds

NAMES = {
    1: "=cmd|' /C calc'!A0",
    2: "An\x1b[31mna\nx",
    3: "\u202eevil\x9b2J",
    4: "\u3164",
    5: "\t@SUM(A1)",
    6: "+49 30",
    7: "-5",
}
LISTINGS = [
    "standings", "pairings", "pairings --why", "crosstable", "progress", "performance",
    "statistics", "categories", "present", "rounds", "rules", "log --changes", "undo --dry-run",
    "prohibit", "explain #2", "card #3", "head-to-head #2", "head-to-head #2 #1",
    "next-round --dry-run --why", "rules win=0 --dry-run", "describe", "check",
]  # fmt: skip


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, edited by somebody who took its guards away."""
    sample = Path(shutil.copy(sample_db(), tmp_path_factory.mktemp("hostile")))
    named = "UPDATE player SET name = '{}' WHERE id = {}"
    past_the_guards(
        sample,
        *(
            named.format(name.replace("'", "''"), number)
            for number, name in NAMES.items()
        ),
        "UPDATE player SET category = '@x' || char(7)",
        "UPDATE tournament SET description = 'T' || char(27) || ']0;x' || char(7)",
        "UPDATE command SET description = '=1' || char(27) || '[2J', who = 'me' || char(8238)",
        "UPDATE round SET result = '+-' WHERE round_number = 2 AND board = 1",
        "INSERT INTO prohibited_pairing (tournament_id, name, player_id)"
        " VALUES (1, 'a' || char(155), 1)",
    )
    return sample


@pytest.mark.parametrize("line", LISTINGS)
def test_a_terminal_gets_nothing_that_it_obeys(hostile: Path, line: str) -> None:
    """Nor what turns a line round, nor what nobody sees; bold and colours are ours."""
    command, *rest = line.split()
    for color in (False, True):
        done = CliRunner().invoke(main, [command, str(hostile), *rest], color=color)
        assert done.exception is None or isinstance(done.exception, SystemExit), (
            done.output
        )
        shown = done.output
        for ours in ("\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[32m") if color else ():
            shown = shown.replace(ours, "")
        wrong = [line for line in shown.split("\n") if visible(line) != line]
        assert shown and wrong == []


@pytest.mark.addons
def test_such_a_name_is_shown_with_its_escapes(hostile: Path, tmp_path: Path) -> None:
    """On the terminal, on the site, in games; in JSON it is what it is, in letters."""
    for number in (2, 3, 4):
        shown = NAMES[number].encode("unicode_escape").decode()
        assert shown in run_keizer("absent", hostile, f"#{number}").stdout
        assert shown in run_keizer("log", hostile, "--last", 1).stdout
    run_keizer("site", hostile, tmp_path / "site")
    for path in (tmp_path / "site").rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        assert visible(text, "\n\t") == text, path
    assert "\\u202eevil\\x9b2J" in (tmp_path / "site/index.html").read_text(
        encoding="utf-8"
    )
    games = run_keizer("export", hostile, "-", "--pgn", "--round", 1).stdout
    assert {*re.findall(r"\[Event (.*)\]", games)} == {'"T\\\\x1b]0;x\\\\x07"'}
    listed = run_keizer("standings", hostile, "--json").stdout
    assert visible(listed, "\n") == listed
    assert {row["name"] for row in json.loads(listed)} >= {*NAMES.values()}
    assert "Żółć\xa0" in texts.json({"name": "Żółć\xa0"})


def test_a_round_with_only_a_bye_is_shown_on_lines_of_the_width_with_the_name_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Board and black are empty and left out, though names of Black could be cut too."""
    monkeypatch.setattr("keizer.cli.output.width", lambda: 24)
    club = new_club(tmp_path / "club.db")
    club("add 'Montgomery Featherstonehaugh' && next-round")
    assert club("pairings").splitlines() == [
        "Club, round 1",
        "White             Result",
        "Montgomery Feat…  bye",
    ]


def test_csv_has_results_and_numbers_as_they_are(example: Console) -> None:
    example("result - --round 1", stdin="1 +-\n2 -+\n3 --\n4 1-0\n")
    example("correct Baker -2.5")
    shown = csv.DictReader(io.StringIO(example("pairings --round 1 --csv")))
    assert [row["result"] for row in shown][:4] == ["+-", "-+", "--", "1-0"]
    shown = csv.DictReader(io.StringIO(example("explain Baker --csv")))
    assert {row["result"] for row in shown} >= {"-+"}
    text = texts.rows(["a", "b", "c"], [{"a": -5, "b": "+1", "c": -1e-7}], "csv")
    assert text == "a,b,c\n-5,+1,-1e-07\n"


# ---------------------------------------------------------------- what it is printed on

LATIN = "Żółć"
GREEK = "Ελένη"


@pytest.fixture
def letters(sample: Path) -> Path:
    for name in (LATIN, GREEK):
        run_keizer("add", sample, name)
    return sample


def piped(
    installed: str,
    *line: object,
    encoding: str | None = None,
    typed: str = "",
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    said = {"PYTHONIOENCODING": encoding} if encoding else {}
    return subprocess.run(
        [installed, *map(str, line)],
        input=typed.encode(encoding or "utf-8"),
        capture_output=True,
        check=False,
        env={**os.environ, **said, **environment},
    )


@pytest.mark.parametrize(
    ("encoding", "like", "half"),
    [("cp1252", "Zólc", "½"), ("ascii", "Zolc", "1/2"), ("iso8859-2", LATIN, "1/2")],
)
def test_what_an_encoding_lacks_is_shown_as_near_as_it_comes(
    letters: Path, installed: str, encoding: str, like: str, half: str
) -> None:
    """A letter without its accent, else signs like it, else ? for each, in straight columns."""
    done = piped(installed, "standings", letters, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode(encoding).splitlines()
    name, other = [line for line in lines if line.lstrip()[0].isdigit()][-2:]
    assert name.split()[1] == like and other.split()[1] == "?" * len(GREEK)
    assert name.index(" 40 ") == other.index(" 39 ")
    done = piped(installed, "result", letters, "2", "=", "-r", 2, encoding=encoding)
    assert f"{half}-{half}" in done.stdout.decode(encoding)
    refused = piped(installed, "card", letters, "Zolcx", encoding=encoding)
    assert (
        refused.returncode == 1
        and f"did you mean {like} (#11)?" in refused.stderr.decode(encoding)
    )
    assert piped(installed, "result", "--help", encoding=encoding).returncode == 0


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
@pytest.mark.parametrize(
    "line", ["standings {} --csv", "standings {} --json", "export {} - --csv"]
)
def test_csv_and_json_are_utf_8_in_any_pipe(
    letters: Path, installed: str, encoding: str, line: str
) -> None:
    command, _, *rest = line.split()
    done = piped(installed, command, letters, *rest, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode()
    assert LATIN in shown and GREEK in shown
    assert not shown.startswith("\ufeff") and "\r" not in shown
    console = Console(letters)
    assert shown == console(" ".join([command, *rest]))


def test_what_is_typed_in_a_narrow_encoding_is_read(
    sample: Path, installed: str
) -> None:
    run_keizer("next-round", sample)
    done = piped(installed, "result", sample, encoding="cp1252", typed="½\nq\n")
    assert done.returncode == 0 and "½-½" in done.stdout.decode("cp1252")


@pytest.mark.addons
def test_bytes_that_are_no_text_are_shown_as_such(
    tmp_path: Path, installed: str
) -> None:
    """In the name of a file, of a player, of an option; where they can be, they are taken."""
    db = os.fsdecode(bytes(tmp_path) + b"/Z\xff.db")
    done = piped(installed, "init", db, "--name", "Club")
    assert done.returncode == 0 and b"Z\\udcff.db" in done.stdout
    members = os.fsdecode(bytes(tmp_path) + b"/m\xff.csv")
    Path(members).write_text("name,rating\nAnna,1500\n", encoding="utf-8")
    run_keizer("add", db, "Anna")
    assert piped(installed, "ratings", db, members).returncode == 0
    assert b"from m\\udcff.csv" in piped(installed, "log", db).stdout
    assert b"Z\\udcff" in piped(installed, "describe", db, "--datasette").stdout
    for line in (
        ["card", db, "\udcff"],
        ["card", db, "--\udcff"],
        ["\udcff"],
        ["card", "\udcff.db"],
    ):
        refused = piped(installed, *line)
        assert refused.returncode in (1, 2) and b"Traceback" not in refused.stderr
        assert refused.stderr.isascii() or "“" in refused.stderr.decode()


def test_who_has_no_standard_output_gets_none(
    sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a program that has no window: every command runs, and errors are exit codes."""
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    for line, code in (
        (["standings"], 0), (["standings", "--csv"], 0), (["crosstable"], 0), (["next-round"], 0),
        (["card", "nobody"], 1), (["card"], 2),
    ):  # fmt: skip
        with pytest.raises(SystemExit) as ended:
            main([line[0], str(sample), *line[1:]])
        assert ended.value.code == code
    assert rows(sample, "SELECT max(round_number) FROM round") == [(3,)]


# ---------------------------------------------------------------- where it cannot be printed


class Broken(io.StringIO):
    """A stream with room for a number of writes."""

    def __init__(self, number: int, room: int = 0) -> None:
        super().__init__()
        self.number, self.room = number, room

    def write(self, _: object) -> int:
        self.room -= 1
        if self.room < 0:
            raise OSError(self.number, os.strerror(self.number))
        return 0


Run = Callable[..., tuple[object, str]]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command whose output cannot be written; its exit code and what it says then."""

    def run(
        *line: object, number: int = errno.ENOSPC, room: int = 0, both: bool = False
    ) -> tuple[object, str]:
        said = Broken(number) if both else io.StringIO()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", Broken(number, room))
            patched.setattr(sys, "stderr", said)
            with pytest.raises(SystemExit) as ended:
                main([str(word) for word in line])
        return ended.value.code, said.getvalue()

    return run


WRITING = (
    "next-round", "next-round --again", "swap Baker Carter --anyway", "publish-round",
    "result 1 1-0", "absent Baker", "absent Baker --by-default", "present Baker",
    "present --list tonight.txt", "add Zoe", "withdraw Zoe", "rules step=2", "undo",
    "correct Baker 2", "period 9", "prohibit Baker Carter --name x", "rounds --date 9 2027-01-15",
    "import members.csv", "ratings members.csv", "backup --keep 9", "init --name Other",
)  # fmt: skip
BESIDE = {
    "init new.db --name New": "new.db: “New” is ready.",
    "export sample.db out.csv": "out.csv has been written.",
    "site sample.db page": "The file was changed: page: folder page.",
    "demo demo.db": "demo.db: “",
    "backup sample.db": "Snapshot: sample.backups",
    "restore sample.db 1": "sample.db is as it was on ",
}
LOST = "Error: the output cannot be written: No space left on device."


@pytest.mark.addons
def test_who_cannot_print_says_that_the_file_was_changed(
    sample: Path, monkeypatch: pytest.MonkeyPatch, broken: Run
) -> None:
    """Every command that changes it, one after the other; the sentence is that of the log."""
    monkeypatch.chdir(sample.parent)
    Path("tonight.txt").write_text("Brown: excused\n", encoding="utf-8")
    Path("members.csv").write_text("name,rating\nEva,1500\n", encoding="utf-8")
    for line in WRITING:
        command, *rest = line.split()
        if command == "ratings":
            Path("members.csv").write_text("name,rating\nEva,1600\n", encoding="utf-8")
        code, said = broken(command, sample, *rest)
        ((last,),) = rows(
            sample, "SELECT description FROM command ORDER BY id DESC LIMIT 1"
        )
        assert code == 1
        assert said.splitlines()[-1] == f"{LOST} The file was changed: {last}.", line
        assert said.count("Error") == 1
    assert "The file was changed: it was migrated." in broken("migrate", sample)[1]


@pytest.mark.parametrize("line", BESIDE)
def test_who_cannot_print_says_what_was_written_beside_it(
    sample: Path, monkeypatch: pytest.MonkeyPatch, broken: Run, line: str
) -> None:
    monkeypatch.chdir(sample.parent)
    if line.startswith("restore"):
        run_keizer("backup", "sample.db")
    Path("clubs").mkdir()
    shutil.copy(sample, "clubs")
    code, said = broken(*line.split())
    assert code == 1 and said.startswith(LOST) and BESIDE[line] in said
    assert said.count("\n") == 1


def test_what_was_typed_at_a_prompt_before_is_told(
    sample: Path, monkeypatch: pytest.MonkeyPatch, broken: Run
) -> None:
    """Three lines that explain, the question, its answer: then the disk is full."""
    run_keizer("next-round", sample)
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n1\n"))
    said = f"{LOST} The file was changed: results of round 3: board 1 1-0.\n"
    assert broken("result", sample, room=5) == (1, said)


def test_nothing_is_said_of_a_change_that_is_none(sample: Path, broken: Run) -> None:
    run_keizer("absent", sample, "Baker")
    before = rows(sample, "SELECT max(id) FROM log")
    for line in ("absent Baker", "standings", "next-round --dry-run", "export - --csv"):
        command, *rest = line.split()
        assert broken(command, sample, *rest) == (1, f"{LOST}\n"), line
    assert broken("standings", sample, number=errno.EPIPE) == (1, "")
    assert rows(sample, "SELECT max(id) FROM log") == before


def test_a_closed_pipe_hides_no_change_and_two_leave_it_to_the_exit_code(
    sample: Path, broken: Run
) -> None:
    for number in (errno.ENOSPC, errno.EPIPE):
        assert broken("add", sample, f"Zoe {number}", number=number, both=True) == (
            1,
            "",
        )
    assert rows(sample, "SELECT count(*) FROM player WHERE name LIKE 'Zoe%'") == [(2,)]
    said = LOST.replace("No space left on device", "Broken pipe")
    changed = f"{said} The file was changed: pairing of round 3.\n"
    assert broken("next-round", sample, number=errno.EPIPE) == (1, changed)


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="a disk that is always full, on Linux"
)
def test_a_full_disk_hides_no_round(sample: Path, installed: str) -> None:
    """The program itself, whose streams have buffers."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [installed, "next-round", sample],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.decode() == f"{LOST} The file was changed: pairing of round 3.\n"
    assert rows(sample, "SELECT max(round_number) FROM round") == [(3,)]


def test_an_error_after_a_change_does_not_hide_it(
    sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a file that was just changed cannot be read again."""

    def locked(*_: object) -> None:
        raise KeizerError("the file is locked.")

    monkeypatch.setattr("keizer.season.views.list_rounds", locked)
    said = run_keizer("rounds", sample, "--date", 9, "2027-01-15", fails=True).stderr
    assert said == (
        "Error: the file is locked.\nThe file was changed: dates: round 9 2027-01-15.\n"
    )
    assert Console(sample).refused("rounds") == "Error: the file is locked.\n"


test_columns = scenes("""
Columns of zeros go before a name is cut,
  player Anna --name 'Christopher Featherstone-Haugh'
  player Boris --name 'Johannes Wolfgang Schmidtbauer'
  next-round && result 1 1
  standings => Score ... Games
  standings => Johannes Wolfgang Schmidtbauer ... Christopher Featherstone-Haugh
  standings !> Duty

and stay where there is room.
  next-round && result 1 1
  standings => Score ... Games ... Duty
""")
