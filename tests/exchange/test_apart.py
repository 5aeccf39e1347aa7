"""What people send is read apart: by a process that has little, while everybody else goes on."""

import importlib
import os
import pkgutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread
from typing import Any

import pytest

from keizer import KeizerError, exchange, formats
from keizer.formats import apart, carried, limits
from keizer.messages import plural, say
from keizer.web import desk
from tests.support import heavy, readers
from tests.support.console import new_club
from tests.support.face import as_director, ask, client, done, face_of
from tests.support.files import dump, edit, lines
from tests.support.files import run_keizer as keizer
from tests.support.rating_lists import FIDE_TEXT

Reader = Callable[..., Any]
STATUS = Path("/proc/self/status")


def test_a_reader_is_another_process_and_its_facts_come_over() -> None:
    """Also messages, in the language of whoever reads them, tuples, and keys of any kind."""
    facts: list[Any] = [
        1, 0.5, None, True, "é\udcff", [["a"]], {(1, "x"): ("y", [])}, say("{a}", a=say("b")),
        plural("a row", "{number} rows", 3),
    ]  # fmt: skip
    assert apart.read_in_own_process(readers.process, "file") != os.getpid()
    found = apart.read_in_own_process(readers.same, "file", *facts)
    assert found == facts and [*map(type, found)] == [*map(type, facts)]


def test_no_two_classes_that_are_handed_over_have_one_name() -> None:
    """A printed score and a cell of a report had: after `infer` no report could be imported."""
    for room in (formats, exchange):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(module.name)
    with pytest.raises(TypeError, match="two classes are called Sent"):
        carried.carry(type("Sent", (), {}))


def test_what_is_wrong_with_a_file_stays_messages() -> None:
    with pytest.raises(KeizerError) as refused:
        apart.read_in_own_process(readers.refuse, "club.csv")
    file, rows = refused.value.messages
    assert file == say("{file}: one", file="club.csv") and rows.facts == {"number": 2}


TOO_MUCH = {
    readers.fill_memory: "takes too much memory", readers.say_much: "takes too much memory",
    readers.be_killed: "it breaks the program that reads it",
    readers.abort: "it breaks the program that reads it", readers.end: "it breaks the program",
    readers.stumble: "it breaks the program", readers.recurse: "it breaks the program",
    readers.babble: "it breaks the program", readers.lie: "it breaks the program",
}  # fmt: skip


@pytest.mark.posix
@pytest.mark.each
@pytest.mark.parametrize("reader", TOO_MUCH, ids=lambda reader: reader.__name__)
def test_a_file_that_is_too_much_or_breaks_its_reader_is_one_sentence(
    reader: Reader,
) -> None:
    with pytest.raises(KeizerError, match=f"^file.*{TOO_MUCH[reader]}") as refused:
        apart.read_in_own_process(reader, "file")
    assert "\n" not in str(refused.value)


def test_a_file_has_processor_time_and_time_by_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late = pytest.raises(
        KeizerError, match="file: this file takes too much time to read"
    )
    if os.name == "posix":
        monkeypatch.setattr(limits, "SECONDS", 1)
        with late:
            apart.read_in_own_process(readers.think, "file")
    monkeypatch.setattr(limits, "LATE", 0)
    with late:
        apart.read_in_own_process(readers.sleep, "file")


@pytest.mark.posix
def test_a_reader_writes_no_file(tmp_path: Path) -> None:
    """But for the index of a WAL, without which SQLite does not read what is in it."""
    assert apart.read_in_own_process(readers.written, tmp_path / "file") <= 64 << 10


@pytest.mark.skipif(not STATUS.exists(), reason="only Linux chooses whom it ends")
def test_where_memory_is_short_the_reader_goes_first() -> None:
    assert apart.read_in_own_process(readers.goes_first, "file") == "1000"


def test_a_reader_has_the_limits_of_whoever_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "PLAYERS", 7)
    assert apart.read_in_own_process(readers.limited, "file") == 7


def test_no_folder_and_no_environment_says_what_a_reader_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert apart.read_in_own_process(readers.same, "file", 1) == [1]


def test_a_list_is_read_without_what_serves(tmp_path: Path) -> None:
    """Its process begins in a twentieth of a second: it brings in what a list needs."""
    file = tmp_path / "members.csv"
    file.write_text("name\nAnna\n")
    loaded = {
        name.partition(".")[0]
        for name in apart.read_in_own_process(readers.loaded, file)
    }
    assert loaded.isdisjoint(
        {"click", "flask", "jinja2", "sqlite_utils", "tornado", "subprocess"}
    )


def test_few_files_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of rating lists, which take long, so few that another file need not wait for them."""
    monkeypatch.setattr(limits, "PATIENCE", 0)
    full = pytest.raises(KeizerError, match="too many files are being read at once")
    with apart.place_for_reader(long=True):
        with full:
            apart.read_in_own_process(readers.same, "file", long=True)
        assert apart.read_in_own_process(readers.same, "file") == []
        with apart.place_for_reader(long=False), full:
            apart.read_in_own_process(readers.same, "file")
    assert apart.read_in_own_process(readers.same, "file", long=True) == []


# ------------------------------------------------------------------------ streams


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[Path]:
    """A pipe that somebody holds open, and in which nothing more will come."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDWR)
    os.write(held, b"name\nAn")
    yield pipe
    os.close(held)


@pytest.mark.posix
def test_a_stream_that_falls_silent_is_given_up(
    silent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LATE", 0)
    late = pytest.raises(
        KeizerError, match="pipe: this file takes too much time to read"
    )
    with late:
        apart.read_in_own_process(readers.read_input, silent)
    with late:
        apart.read_stream(silent)


@pytest.mark.posix
def test_a_pipe_is_read_by_one_process_alone(tmp_path: Path) -> None:
    """All of it comes over, though the reader knows where it is."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(bytes(1 << 19),))
    writer.start()
    assert apart.read_in_own_process(readers.read_input, pipe) == 1 << 19
    writer.join()


IMPATIENT = """
import sys
from keizer.formats import limits
from keizer.cli import main
limits.LATE = 0
main(sys.argv[1:])
"""


@pytest.mark.posix
@pytest.mark.parametrize("command", ["import", "ratings", "infer"])
def test_standard_input_that_is_never_closed_ends_in_a_sentence(
    club: Path, command: str
) -> None:
    """Python's own end does not wait for it either."""
    begun = [sys.executable, "-c", IMPATIENT, command, str(club), "-"]
    with Popen(begun, stdin=PIPE, stderr=PIPE) as process:
        assert process.stderr
        said = process.stderr.read().decode()
        assert process.wait() == 1
    assert said == (
        "Error: standard input: this file takes too much time to read, so nothing was done.\n"
    )


# ----------------------------------------------------------- while a file is read

COMMANDS = {
    "import": "name\nEva\n",
    "import --games": "round,white,black,result\n1,Anna,Boris,1-0\n",
    "import --unplayed": "round,player,kind\n1,Anna,excused\n",
    "ratings": FIDE_TEXT,
    "infer": "round,player,score\n1,Anna,4\n",
    "next-round --pairs": "2\n1 2\n3 4\n",
}
"""What reads a file of others, and such a file."""


@pytest.mark.each
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=pytest.mark.seeds if name == "infer" else ())
        for name in COMMANDS
    ],
)
def test_nobody_waits_for_a_file_that_a_command_reads(
    command: str, club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program, which would not wait for a lock, changes the season meanwhile."""
    file, run, changed = tmp_path / "file", apart.run_process, list[int]()
    file.write_text(COMMANDS[command])

    def change_and_run(*given: Any) -> tuple[bytes, bool]:
        with closing(sqlite3.connect(club, timeout=0)) as conn, conn:
            changed.append(
                conn.execute("UPDATE player SET rating = rating + 1").rowcount
            )
        return run(*given)

    monkeypatch.setattr(apart, "run_process", change_and_run)
    name, *options = command.split()
    if options == ["--pairs"]:
        keizer(name, club, *options, file)
    else:
        keizer(name, club, file, *options)
    assert changed == [4]


CHANGED = ("import", "import --games", "import --unplayed", "ratings", "infer")
"""Commands whose file names players of the season."""


@pytest.mark.each
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=pytest.mark.seeds if name == "infer" else ())
        for name in CHANGED
    ],
)
def test_who_is_meant_is_found_apart_and_holds_if_they_are_still_the_same(
    command: str, club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the season is locked nobody compares names."""
    file, run = tmp_path / "file", apart.run_process
    file.write_text(COMMANDS[command])

    def never(*_: Any) -> None:
        raise AssertionError

    def rename_and_run(*given: Any) -> tuple[bytes, bool]:
        edit(club, "UPDATE player SET name = 'Ines' WHERE name = 'Daan'")
        return run(*given)

    for compare in (
        "season.names.identity.match_members", "season.names.likeness.Likeness",
        "season.names.resolve.Names", "season.names.resolve.find_player_id", "exchange.ratings.candidates",
    ):  # fmt: skip
        monkeypatch.setattr(f"keizer.{compare}", never)
    name, *options = command.split()
    before = dump(club)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(apart, "run_process", rename_and_run)
        said = keizer(name, club, file, *options, fails=True).stderr
    assert (
        said
        == "Error: somebody else has changed the file in the meantime: import the list again.\n"
    )
    edit(club, "UPDATE player SET name = 'Daan' WHERE name = 'Ines'")
    assert dump(club) == before
    keizer(name, club, file, *options)


FORMS = {
    "import": ("list_text", "import"),
    "rate": ("list_text", "ratings"),
    "pair": ("pairs_text", "next-round --pairs"),
}
"""The forms to which a file is sent: the field, and the command that reads the same."""


@pytest.mark.each
@pytest.mark.parametrize("action", FORMS)
def test_who_reads_a_page_does_not_wait_for_a_file_that_is_sent(
    action: str, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same season, in the same process: who would wait for their turn is refused."""
    field, command = FORMS[action]
    face, run, seen = face_of(club), apart.run_process, list[int]()
    monkeypatch.setattr(desk, "PATIENCE", 0)

    def read_and_run(*given: Any) -> tuple[bytes, bool]:
        get = partial(ask, client(face), "/standings.json", headers=as_director(face))
        reader = Thread(target=lambda: seen.append(get().status_code))
        reader.start()
        reader.join()
        return run(*given)

    monkeypatch.setattr(apart, "run_process", read_and_run)
    done(face, action, **{field: COMMANDS[command]})
    assert seen == [200]


ASKS = """
import sys
from keizer import KeizerError
from keizer.formats import apart, sent
for file in sys.argv[1:]:
    try:
        apart.read_in_own_process(sent.read, file, None, "", None, None)
    except KeizerError:
        print("refused")
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.skipif(
    not STATUS.exists(), reason="this system does not tell the most that was used"
)
def test_what_hostile_files_need_is_not_needed_where_they_are_sent(
    tmp_path: Path,
) -> None:
    """The process that has four of them read uses a tenth of what one may take."""
    files = []
    for number, (shapes, name) in enumerate((
        (heavy.SPREADSHEETS, "a text of 30 MB that 200,000 cells share"),
        (heavy.CSV, "a word of 15 MB"), (heavy.JSON, "five million objects"),
        (heavy.TRF, "a line of 15 MB"),
    )):  # fmt: skip
        files.append(tmp_path / str(number))
        files[-1].write_bytes(shapes[name][0]())
    command = [sys.executable, "-c", ASKS, *map(str, files)]
    *said, kilobytes = lines(command)
    assert said == ["refused"] * len(files)
    assert int(kilobytes) << 10 < limits.MEMORY / 10


IMPORTS = """
import sys, time
from pathlib import Path
from keizer import KeizerError
from keizer.acts import declare, lists
from keizer.acts.session import Session
from keizer.formats import limits
limits.SECONDS *= 10  # processor seconds count double where much else runs
try:
    Session(sys.argv[1]).do_and_compare(
        declare.act_of(lists.import_), {"list": Path(sys.argv[2]), "what": sys.argv[3] or None},
        dry_run=True,
    )
except KeizerError as error:
    print(str(error).replace(chr(10), " "))
else:
    print("imported")
print(time.process_time())
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def imported(db: Path, file: Path, what: str = "") -> str:
    """What is said of an import; where it is asked for, it takes little time and memory."""
    said, seconds, kilobytes = lines(
        [sys.executable, "-c", IMPORTS, str(db), str(file), what]
    )
    assert float(seconds) < 10
    assert int(kilobytes) << 10 < 200 * heavy.MB
    return said


@pytest.mark.skipif(
    not STATUS.exists(), reason="this system does not tell the most that was used"
)
@pytest.mark.parametrize("name", heavy.MATCHED)
def test_what_a_list_takes_to_compare_is_not_taken_where_it_is_sent(
    tmp_path: Path, name: str
) -> None:
    """At the largest list there may be: it is imported, or asked about with five names a line."""
    db, file, (make, expected) = (
        tmp_path / "new.db",
        tmp_path / "list.csv",
        heavy.MATCHED[name],
    )
    new_club(db, name="New")
    file.write_bytes(make())
    assert (expected or "imported") in imported(db, file)
