"""Bad input: one sentence, an exit code that is not 0, the file unchanged."""

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from keizer.store import database
from tests.support.files import Keizer, edit, one_sentence, refused, run_keizer

READING = [
    ["standings"],
    ["pairings"],
    ["explain", "Anna"],
    ["rules"],
    ["check"],
    ["next-round", "--dry-run"],
]
WRITING = [
    ["add", "Zoe"],
    ["withdraw", "Anna"],
    ["absent", "Anna"],
    ["present", "Anna"],
    ["next-round"],
    ["result", "1", "1-0"],
    ["undo"],
    ["rules", "step=2"],
]


def foreign(path: Path) -> None:
    conn = sqlite3.connect(path)
    conn.execute("CREATE TABLE recipe (name)")
    conn.commit()
    conn.close()


def newer(path: Path) -> None:
    conn = sqlite3.connect(path)
    conn.execute("PRAGMA application_id = 1264937338")
    conn.execute("PRAGMA user_version = 99")
    conn.execute("CREATE TABLE player (name)")
    conn.commit()
    conn.close()


NO_SEASON = {
    "missing": (lambda _: None, "does not exist"),
    "a folder": (lambda path: path.mkdir(), "is a folder"),
    "empty": (lambda path: path.touch(), "is empty, not a Keizer file"),
    "a text": (lambda path: path.write_text("Anna,2000\n"), "is not a SQLite database"),
    "foreign": (foreign, "but not a Keizer file"),
    "newer": (newer, "has layout 99"),
}


@pytest.mark.parametrize("command", READING + WRITING, ids=" ".join)
@pytest.mark.parametrize(("make", "sentence"), NO_SEASON.values(), ids=NO_SEASON.keys())
def test_what_is_no_season_file(
    tmp_path: Path, keizer: Keizer, make: object, sentence: str, command: list[str]
) -> None:
    db = tmp_path / "club.db"
    make(db)  # type: ignore[operator]
    assert sentence in refused(keizer, db, command)
    assert sorted(tmp_path.iterdir()) == ([db] if db.exists() else [])


@pytest.mark.parametrize(("make", "sentence"), list(NO_SEASON.values())[1:])
def test_init_overwrites_nothing(
    tmp_path: Path, keizer: Keizer, make: object, sentence: str
) -> None:
    db = tmp_path / "club.db"
    make(db)  # type: ignore[operator]
    assert sentence in refused(keizer, db, ["init", "--name", "Club"])


def test_init_where_nothing_can_be_written(tmp_path: Path, keizer: Keizer) -> None:
    assert "cannot be created" in refused(
        keizer, tmp_path / "nowhere" / "club.db", ["init", "--name", "Club"]
    )


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_a_read_only_file(club: Path, keizer: Keizer, command: list[str]) -> None:
    club.chmod(0o444)
    assert "read-only" in refused(keizer, club, command)


def test_a_read_only_file_can_be_read(sample: Path, keizer: Keizer) -> None:
    sample.chmod(0o444)
    for command in (["standings"], ["pairings"], ["check"], ["next-round", "--dry-run"]):
        keizer(command[0], sample, *command[1:])


@pytest.mark.parametrize("command", [WRITING[0], WRITING[4]], ids=" ".join)
def test_a_locked_file(
    club: Path, keizer: Keizer, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DB Browser holds the lock from the first edit to Write Changes."""
    monkeypatch.setattr("keizer.store.connection.BUSY_SECONDS", 0.05)
    other = sqlite3.connect(club, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert "another program has unsaved changes" in refused(keizer, club, command)
    other.close()


def test_a_row_that_a_damaged_file_has_lost(club: Path, keizer: Keizer) -> None:
    """Its pages are whole; by one bit the tournament has another number, and so no rules."""
    keizer("next-round", club)
    data = bytearray(club.read_bytes())
    row = data.index(b"Clubrunningon") - 11  # behind its number and the 11 bytes of its header
    assert data[row - 1 : row + 1] == b"\x01\x0b"
    data[row - 1] ^= 4
    club.write_bytes(data)
    assert "restore" in refused(keizer, club, ["result", "1", "1-0"])


@pytest.mark.parametrize("views", ["of this keizer", "of another keizer"])
def test_a_mistake_of_keizer_is_not_blamed_on_the_file(club: Path, views: str) -> None:
    """Whoever reports it needs to know where it is."""
    if views == "of another keizer":
        edit(club, "DROP VIEW _code")
    with pytest.raises(TypeError, match="ours"), database.reading(club):
        raise TypeError("ours")


def test_a_damaged_file(sample: Path, keizer: Keizer) -> None:
    data = bytearray(sample.read_bytes())
    data[4096:40960] = b"\xff" * 36864
    sample.write_bytes(data)
    assert "damaged" in refused(keizer, sample, ["standings"])


SEASON = {
    "unknown name": (["absent", "Ana"], "there is no player “Ana”: did you mean Anna?"),
    "unknown to withdraw": (["withdraw", "Nobody"], "there is no player “Nobody”"),
    "unknown to explain": (["explain", "Nobody"], "there is no player “Nobody”"),
    "entered twice": (["add", "Anna"], "Anna has already entered"),
    "no name": (["add", "  "], "needs a name"),
    "a name with an escape": (["add", "A\x1b[31mB"], "“A\\x1b[31mB” has the character U+001B"),
    "unknown kind": (["absent", "Anna", "--kind", "asleep"], "use bye, excused, unexcused"),
    "bad result": (["result", "1", "2-0"], "“2-0” is no result: use 1-0"),
    "no result": (["result", "1"], "board 1 needs a result"),
    "no board": (["result", "one", "1-0"], "“one” is no board"),
    "unknown board": (["result", "9", "1-0"], "round 1 has no board 9: it has 1 to 2"),
    "unknown round": (["result", "1", "1-0", "--round", "7"], "round 7 has no boards"),
    "pairings of no round": (["pairings", "--round", "7"], "there is no round 7"),
    "standings of no round": (["standings", "--round", "7"], "there is no round 7"),
    "unknown rule": (["rules", "setp=2"], "there is no rule “setp”: there are name, status"),
    "no rule at all": (["rules", "step"], "write KEY=VALUE"),
    "bad rule": (["rules", "step=-1"], "step is 0 to 1000 in thousandths"),
    "a rule in words": (["rules", "top_value=high"], "top_value is 0 to 100000 in thousand"),
    "a rule that spoils another": (["rules", "step=2", "win=1/7"], "win=1/7 was refused"),
    "unknown tournament": (["standings", "-t", "Blitz"], "there is no tournament “Blitz”"),
    "a tournament without a name": (["init", "--name", " "], "a tournament needs a name"),
    "the same tournament": (["init", "--name", "Club"], "already has a tournament"),
    "a present player": (["present", "Anna"], "Anna is not signed off"),
    "a round that is paired": (["present", "Anna", "--round", "1"], "is already paired"),
}


@pytest.mark.parametrize(("command", "sentence"), SEASON.values(), ids=SEASON.keys())
def test_what_makes_no_sense_in_a_season(
    club: Path, keizer: Keizer, command: list[str], sentence: str
) -> None:
    keizer("next-round", club)
    keizer("publish-round", club)
    assert sentence in refused(keizer, club, command)


def test_names_are_matched_but_never_guessed(club: Path, keizer: Keizer) -> None:
    for name in ("José", "Jose", "JÓSE", "Ann"):
        keizer("add", club, name)
    assert "Jose (#6)" in refused(keizer, club, ["absent", "jose"])
    keizer("absent", club, "Jose", "#7", "DAAN", "ann")
    said = keizer("absent", club, "josé", fails=True).stderr
    assert said == (
        "Error: “josé” can be Jose (#6), José (#5) or JÓSE (#7): type the one you mean.\n"
    )


def test_nobody_to_pair(tmp_path: Path, keizer: Keizer) -> None:
    db = tmp_path / "empty.db"
    keizer("init", db, "--name", "Empty")
    assert "nobody is present for round 1" in refused(keizer, db, ["next-round"])
    assert "there is nothing to undo" in refused(keizer, db, ["undo"])
    assert "no round is paired yet" in refused(keizer, db, ["result", "1", "1-0"])


def test_withdrawn_twice(club: Path, keizer: Keizer) -> None:
    keizer("withdraw", club, "Anna")
    assert "has already withdrawn" in refused(keizer, club, ["withdraw", "Anna"])
    assert "comes back in the next round" in refused(
        keizer, club, ["add", "Anna", "--from-round", "9"]
    )
    keizer("add", club, "Anna", "--rating", 2050)
    assert '"rating": 2050' in keizer("standings", club, "--json").stdout
    assert "has already entered" in refused(keizer, club, ["add", "Anna"])


CSV = {
    "players: a rating in words": ([], "name,rating\nEva,1500\nFemke,good\n", "line 3"),
    "players: a rating too high": ([], "name,rating\nEva,15000\n", "line 2"),
    "players: a rating far too high": ([], f"name,rating\nEva,{'9' * 20}\n", "line 2"),
    "players: a rating of a page": ([], f"name,rating\nEva,{'9' * 5000}\n", "line 2"),
    "players: an id far too high": ([], f"name,fide_id\nEva,{'9' * 20}\n", "line 2"),
    "players: a rank far too high": ([], f"name,start_rank\nEva,{'9' * 20}\n", "line 2"),
    "players: a round far too high": ([], f"name,from_round\nEva,{'9' * 20}\n", "line 2"),
    "players: the highest number there is room for": (
        [], f"name,fide_id,start_rank\nEva,{'9' * 18},{'9' * 18}\nEva,,\n", "line 3",
    ),
    "games: a board far too high": (
        ["--games"], f"round,white,black,board\n1,Anna,Boris,{'9' * 20}\n", "line 2",
    ),
    "games: a round of a page": (
        ["--games"], f"round,white,black\n{'9' * 5000},Anna,Boris\n", "line 2",
    ),
    "players: twice": ([], "name\nEva\nEva\n", "line 3"),
    "players: already entered": ([], "name\nEva\nAnna\n", "line 3"),
    "players: no name": ([], "name,rating\n,1500\n", "line 2"),
    "players: no header": ([], "Eva,1500\n", "line 1"),
    "players: a column missing": ([], "rating\n1500\n", "line 1"),
    "players: too few cells": ([], "name,rating\n\nEva\n", "line 3"),
    "players: an open quote": ([], 'name,rating\nEva,1500\n"Fem,1500\n', "line 3"),
    "players: empty": ([], "", "line 1"),
    "games: unknown player": (
        ["--games"], "round,white,black,result\n1,Anna,Boris,1-0\n1,Clara,Dan,1-0\n", "line 3",
    ),
    "games: bad result": (["--games"], "round,white,black,result\n1,Anna,Boris,2-0\n", "line 2"),
    "games: himself": (["--games"], "round,white,black\n1,Anna,Anna\n", "line 2"),
    "games: twice in a round": (
        ["--games"], "round,white,black\n1,Anna,Boris\n1,Clara,Anna\n", "line 3",
    ),
    "games: no round": (["--games"], "round,white,black\none,Anna,Boris\n", "line 2"),
    "unplayed: unknown kind": (["--unplayed"], "round,player,kind\n1,Anna,ill\n", "line 2"),
    "unplayed: twice": (
        ["--unplayed"], "round,player,kind\n1,Anna,excused\n1,anna,bye\n", "line 3",
    ),
    "unplayed: unknown player": (["--unplayed"], "round,player,kind\n1,Eva,bye\n", "line 2"),
}  # fmt: skip


@pytest.mark.parametrize(("options", "text", "line"), CSV.values(), ids=CSV.keys())
def test_a_bad_csv_line_is_named_and_nothing_is_imported(
    club: Path, tmp_path: Path, keizer: Keizer, options: list[str], text: str, line: str
) -> None:
    file = tmp_path / "file.csv"
    file.write_text(text, encoding="utf-8")
    assert f"file.csv, {line}: " in refused(keizer, club, ["import", str(file), *options])


def test_a_csv_that_is_not_there_or_not_text(club: Path, tmp_path: Path, keizer: Keizer) -> None:
    none = tmp_path / "none.csv"
    said = refused(keizer, club, ["import", str(none)])
    assert f"Error: {none} cannot be read: No such file or directory." in said
    said = refused(keizer, club, ["import", str(tmp_path)])
    assert f"Error: {tmp_path} cannot be read: Is a directory." in said
    file = tmp_path / "old.csv"
    file.write_bytes(b"name\nEva\nJos\xe9\n")
    said = refused(keizer, club, ["import", str(file)])
    assert "line 3: this is not UTF-8 text: save it as such" in said


def test_a_bad_line_on_standard_input_has_its_number(club: Path, keizer: Keizer) -> None:
    said = keizer("import", club, "-", stdin="name,rating\nEva,good\n", fails=True).stderr
    assert said.startswith("Error: standard input, line 2: ")
    said = keizer("ratings", club, "-", stdin="name,rating\nEva\n", fails=True).stderr
    assert said.startswith("Error: standard input, line 2: ")


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_what_comes_through_a_pipe_is_read(
    tmp_path: Path, sample: Path, installed: str, name: str
) -> None:
    """CSV or a report; whole, though it can be read only once."""
    if name != "-" and not Path(name).exists():
        pytest.skip("this system has no names for its pipes")
    report = run_keizer("export", sample, "-", "--trf").stdout_bytes
    for text, said in ((b"name\nEva\nDan\n", b"2 players "), (report, b"10 players, ")):
        club = tmp_path / f"{len(text)}.db"
        run_keizer("init", club, "--name", "Club")
        done = subprocess.run(
            [installed, "import", club, name], input=text, stdout=subprocess.PIPE, check=True
        )
        assert done.stdout.startswith(said)


def test_bad_results_on_standard_input(club: Path, keizer: Keizer) -> None:
    keizer("next-round", club)
    before = club.read_bytes()
    for text, sentence in {
        "1 1-0\n2 3-0\n": "line 2: “3-0” is no result",
        "1 1-0\n\nx =\n": "line 3: “x” is no board",
        "1 1-0\n5 =\n": "has no board 5",
        "": "standard input has no results",
    }.items():
        result = keizer("result", club, "-", stdin=text, fails=True)
        assert one_sentence(result.stderr) and sentence in result.stderr
        assert club.read_bytes() == before


def test_a_full_device(sample: Path, installed: str) -> None:
    """A limit on file size stands in for a full disk: whole or nothing."""
    before = sample.read_bytes()
    done = subprocess.run(
        ["sh", "-c", f'ulimit -f 10; trap "" XFSZ; exec "{installed}" next-round "{sample}"'],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert one_sentence(done.stderr), done.stderr
    Path(f"{sample}-journal").unlink(missing_ok=True)
    assert sample.read_bytes() == before


@pytest.mark.skipif(shutil.which("env") is None or os.name != "posix", reason="posix only")
def test_output_into_a_closed_pipe_is_no_traceback(sample: Path, installed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"{installed}" standings "{sample}" | true'],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("standings {db} >&-", 0, ""),
        ("rules {db} 2>&-", 0, "top_value"),
        ("result {db} - <&-", 1, "standard input has no results"),
        ("result {db} <&- 2>&1", 0, "boards"),
    ],
)
def test_a_closed_stream_is_no_traceback(
    sample: Path, installed: str, line: str, code: int, said: str
) -> None:
    """As some programs that start others leave them."""
    done = subprocess.run(
        f"{installed} {line.format(db=sample)}",
        shell=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code and said in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full, on Linux")
@pytest.mark.parametrize("command", [["standings"], ["export", "-", "--csv"]])
def test_a_full_disk_is_told(club: Path, installed: str, command: list[str]) -> None:
    first, *rest = command
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [installed, first, club, *rest], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"Error: the output cannot be written: No space left on device.\n"
