"""What Tab offers: through click's own interface, and in a real bash."""

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated

import pytest

from keizer.cli import completion, options
from keizer.season import names
from tests.support.console import Console
from tests.support.files import Keizer, edit, items, needs_program, rows, run_keizer


@options.command
def evening(
    database: options.Database,
    board: options.Board,
    result: options.Result,
    kind: Annotated[str, options.option("Why.", type=options.KIND)],
    number: Annotated[int | None, options.round_number("Which.")],
    tournament: options.Tournament,
) -> None:
    """What commands of a club night have."""


def tab(line: str) -> list[completion.Offer]:
    """What is offered for the last word of a line; for the next one where it ends in a space."""
    words = shlex.split(line)
    incomplete = "" if line.endswith(" ") else words.pop()
    if words[0] == "evening":
        return items(*words[1:], incomplete=incomplete, program=evening)
    return items(*words, incomplete=incomplete)


def offered(line: str) -> list[str]:
    return [item.value for item in tab(line)]


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season of six in which one board of round 1 is played."""
    console = Console(tmp_path_factory.mktemp("shell") / "club.db")
    console("init --name 'Club night'")
    for name in ("Judit Baker", "Carter", "Jan Smith", "Zoë Smith", "O'Brien, Pat", "Åsa Ek"):
        run_keizer("add", console.db, name)
    console("next-round --pair Carter 'Judit Baker' && result 1 1-0")
    return console.db


@pytest.fixture
def db(season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A copy of it, in the folder we are in."""
    shutil.copy(season, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return season.name


EVERYBODY = ["Åsa Ek", "Carter", "Jan Smith", "Judit Baker", "O'Brien, Pat", "Zoë Smith"]
# What was typed before: what is offered then for the last word of a line, or the next.
OFFERED = {
    "": {
        # Who entered; capitals and accents do not matter, and a later word that one alone has.
        **{
            f"{command} club.db ": EVERYBODY
            for command in ("card", "explain", "progress", "withdraw", "correct", "prohibit")
        },
        "card club.db zoe": ["Zoë Smith"],
        "card club.db as": ["Åsa Ek"],
        "card club.db J": ["Jan Smith", "Judit Baker"],
        "card club.db bak": ["Judit Baker"],
        "card club.db smi": [],
        "standings club.db -t nig": ["Club night"],
        "rules club.db --preset half": ["swiss-half"],
        # Who is on the line is not offered again.
        "prohibit club.db carter 'Jan Smith' ": [
            "Åsa Ek",
            "Judit Baker",
            "O'Brien, Pat",
            "Zoë Smith",
        ],
        "head-to-head club.db Carter ": [name for name in EVERYBODY if name != "Carter"],
        "add club.db ": [],
        # The shell hands over what was typed, before it puts the home folder in.
        "card ~/club.db c": ["Carter"],
        "card $HOME/club.db c": ["Carter"],
        # Open boards come first.
        "evening club.db ": ["2", "3", "1"],
        "evening club.db --round 7 ": [],
        "evening club.db 2 1": ["1-0"],
        "evening club.db --kind club\\ d": ["club-duty"],
        "standings club.db --rules aim": ["aim="],
    },
    "withdraw Carter": {"add club.db ": ["Carter"]},
    "init --name Blitz": {
        "standings club.db -t ": ["Club night", "Blitz"],
        "card club.db ": [],  # which of them?
        "card club.db -t 'Club night' ": EVERYBODY,
        "card club.db -t Blitz ": [],
    },
    "rules --add-kind 'late notice'": {
        "evening club.db --kind late": ["late-notice"],
        "rules club.db --for Carter late": ["late-notice="],
    },
}
# What is offered among other things, and what is not.
AMONG_OTHERS = {
    "init club.db --preset ": ({"swiss"}, {"points"}),
    "rules club.db --diff ": ({"swiss"}, {"points"}),
    "standings club.db --as ": ({"points", "swiss"}, set()),
    "rules club.db ": ({"win=", "club-duty=", "aim="}, {"excused.season_cap="}),
    "rules club.db excused.": ({"excused.season_cap="}, {"win="}),
    "evening club.db --kind ": ({"excused", "club-duty"}, {"own-value"}),
}


@pytest.mark.parametrize("before", OFFERED)
def test_what_is_offered(db: str, before: str) -> None:
    Console(Path(db))(before)
    for line, found in OFFERED[before].items():
        assert offered(line) == found, line


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("line", AMONG_OTHERS)
def test_what_is_offered_among_others(line: str) -> None:
    there, elsewhere = AMONG_OTHERS[line]
    found = {*offered(line)}
    assert there <= found and not elsewhere & found


HELP = {
    "evening club.db 1": "Carter – Judit Baker 1-0",
    "rules club.db --preset oppo": "SV Oppositie: 50 at the top, five absences at .4.",
    "rules club.db TOP": "now 1.5(n-1)",
}


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("line", HELP)
def test_an_offer_says_what_it_is(line: str) -> None:
    (found,) = tab(line)
    assert found.help == HELP[line]


def test_results_are_all_those_there_are_as_people_type_them(db: str) -> None:
    found = offered(f"evening {db} 2 ")
    assert found[:3] == ["1-0", "0-1", "="]
    stored = {result for (result,) in rows(Path(db), "SELECT result FROM outcome")}
    assert {names.result(typed) for typed in found} == {*stored, None}


def test_rounds_are_those_paired_or_planned_with_their_dates(db: str) -> None:
    Console(Path(db))("rounds --date 1 2026-01-13 --date 2 2026-01-20")
    assert [(item.value, item.help) for item in tab(f"standings {db} --round ")] == [
        ("1", "2026-01-13, published"),
        ("2", "2026-01-20, planned"),
    ]


def test_a_file_is_a_file(db: str) -> None:
    for line in (f"import {db} mem", "standings cl"):
        (found,) = tab(line)
        assert found.type == "file"


def useless(path: Path, what: str) -> None:
    """Make a file of the season at a path one that has nothing to offer."""
    if what in ("missing", "folder", "text"):
        path.unlink()
    if what == "folder":
        path.mkdir()
    elif what == "text":
        path.write_text("Baker, Carter")
    elif what == "foreign":
        edit(path, "PRAGMA application_id = 0")
    elif what == "older":
        edit(path, "DROP TABLE x_player_tournament", "DROP TABLE tournament")
    elif what == "damaged":
        path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize(
    "what", ["missing", "folder", "text", "foreign", "older", "damaged", "locked"]
)
def test_a_file_that_is_of_no_use_offers_nothing_and_is_left_alone(
    db: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    useless(Path(db), what)
    there = Path(db).exists()
    lines = ("card {}", "pairings {} -r", "standings {} -t", "rules {}", "add {}", "evening {}")
    with closing(sqlite3.connect(db if what == "locked" else ":memory:")) as conn:
        conn.execute("BEGIN EXCLUSIVE")
        for line in (*lines, "evening {} --kind"):
            assert offered(f"{line.format(db)} ") == [], line
    assert capsys.readouterr() == ("", "")
    assert Path(db).exists() == there


def test_commands_do_not_load_what_only_completion_needs() -> None:
    code = (
        "import sys; from importlib import import_module; from keizer.cli import FAMILIES, main;"
        "[import_module(f'keizer.cli.{module}')"
        " for family in FAMILIES.values() for module in family.values()];"
        "print('click.shell_completion' in sys.modules, 'keizer.cli.completion' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False False\n"


# ------------------------------------------------------------------ real shells


def test_every_shell_gets_its_script(keizer: Keizer) -> None:
    for shell in completion.SHELLS:
        assert "_KEIZER_COMPLETE" in keizer("completion", shell).stdout
    assert "string split -m 1" in keizer("completion", "fish").stdout
    assert "-U -S" in keizer("completion", "zsh").stdout
    assert "tcsh" in keizer("completion", "tcsh", fails=True).stderr


InBash = Callable[..., list[list[str]]]


@pytest.fixture
def in_bash(db: str, installed: str) -> InBash:
    """What bash has for the last word of each line, a line as its array of words."""
    needs_program(shutil.which("bash") is not None, "bash")
    folder = Path(db).absolute().parent

    def run(*lines: str) -> list[list[str]]:
        # Where no line is edited there is no compopt: here it tells what it was asked.
        script = """
            compopt() { asked="$*"; }
            eval "$(keizer completion bash)"
            complete -p keizer
            while IFS= read -r line; do
                eval "COMP_WORDS=($line)" asked=
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _keizer_completion keizer
                printf '%s\\t' "${COMPREPLY[@]}" $asked
                echo
            done
        """
        done = subprocess.run(
            ["bash", "--norc", "-c", script],
            input="".join(f"{line}\n" for line in lines),
            check=True,
            capture_output=True,
            encoding="utf-8",
            cwd=folder,
            env={
                **os.environ,
                "PATH": f"{Path(installed).parent}{os.pathsep}{os.environ['PATH']}",
                "LC_ALL": "C.UTF-8",
            },
        )
        assert done.stderr == ""
        setup, *found = done.stdout.splitlines()
        assert setup == "complete -o nosort -F _keizer_completion keizer"
        return [[word for word in line.split("\t") if word] for line in found]

    return run


# In bash's array of words each is as typed: backslashes and open quotes included.
IN_BASH = {
    "keizer card club.db jud": [r"Judit\ Baker"],
    """keizer card club.db '"Jud'""": ["Judit Baker"],  # bash closes the quote
    "keizer card club.db O": [r"O\'Brien\,\ Pat"],
    "keizer head-to-head club.db 'Judit\\ Baker' zo": [r"Zoë\ Smith"],
    "keizer card nobody.db ''": [],
    "keizer rules club.db top_value = 60 lad": ["ladder=", "-o", "nospace"],
    "keizer card cl": ["-o", "default"],  # bash lists files itself
}


def test_bash_gets_words_that_it_reads_as_one_name(in_bash: InBash) -> None:
    assert in_bash(*IN_BASH) == [*IN_BASH.values()]


def test_bash_runs_no_name(in_bash: InBash, db: str, keizer: Keizer) -> None:
    """Escaped as the quote that is open needs it, so that bash reads the very name."""
    name = """Xa $(touch ran) `touch ran` "b" 'c' \\ $HOME & *"""
    keizer("add", db, name)
    for quote in ("", '"', "'"):
        line = f"keizer card club.db {shlex.quote(quote + 'Xa')}"
        ((word,),) = in_bash(line)
        said = subprocess.run(
            ["bash", "-c", f"printf %s {quote}{word}{quote}"], check=True, capture_output=True
        )
        assert said.stdout.decode() == name
    assert not Path("ran").exists()


# Each word as it is typed in PowerShell, the last one up to the cursor: what it gets to put there.
IN_POWERSHELL = {
    ("card", "club.db", "jud"): ["'Judit Baker'"],
    ("card", "club.db", "'Jud"): ["'Judit Baker'"],
    ("card", "club.db", '"Judit B'): ["'Judit Baker'"],
    ("card", "club.db", "Judit` B"): ["'Judit Baker'"],
    ("card", "club.db", "as"): ["'Åsa Ek'"],
    ("card", "club.db", "car"): ["Carter"],
    ("card", "club.db", "O"): ["'O''Brien, Pat'"],
    ("card", "club.db", "'O''B"): ["'O''Brien, Pat'"],
    ("head-to-head", "'club.db'", "'Judit Baker'", "zo"): ["'Zoë Smith'"],
    ("head-to-head", '"club.db"', "'O''Brien, Pat'", "o"): [],
    ("rules", "club.db", "lad"): ["ladder="],
    ("standings", "club.db", "-t", ""): ["'Club night'"],
    ("standings", "club.db", "--tournament=clu"): ["'--tournament=Club night'"],
    ("standings", "club.db", "--tourn"): ["--tournament"],
    ("next-r",): ["next-round"],
    ("card", "nobody.db", ""): [],
}


@pytest.fixture
def in_powershell(db: str, installed: str) -> Callable[..., list[list[str]]]:
    """The fields of each line that the script of PowerShell reads for some words."""
    folder = Path(db).absolute().parent

    def run(*words: str) -> list[list[str]]:
        done = subprocess.run(
            [installed],
            check=True,
            capture_output=True,
            cwd=folder,
            env={
                **os.environ,
                "_KEIZER_COMPLETE": "powershell_complete",
                "COMP_WORDS": "\n".join(["keizer", *words]),
                "PYTHONIOENCODING": "cp1252",  # as a pipe on Windows
            },
        )
        assert done.stderr == b""
        lines = done.stdout.decode("utf-8").splitlines()
        return [line.split("\t") for line in lines if line]

    return run


@pytest.mark.seeds
def test_powershell_gets_words_that_it_reads_as_one_name(in_powershell: InBash) -> None:
    for words, found in IN_POWERSHELL.items():
        assert [line[1] for line in in_powershell(*words)] == found, words


def test_powershell_shows_the_name_itself_and_its_help(in_powershell: InBash) -> None:
    """No field is empty: it takes none for an offer."""
    assert in_powershell("card", "club.db", "jud") == [
        ["plain", "'Judit Baker'", "Judit Baker", "Judit Baker"]
    ]
    ((*_, about),) = in_powershell("rules", "club.db", "TOP")
    assert about == "now 1.5(n-1)"
    ((kind, *_),) = in_powershell("standings", "cl")
    assert kind == "file"  # PowerShell lists files itself


def test_powershell_runs_no_name(in_powershell: InBash, db: str, keizer: Keizer) -> None:
    """In single quotes, straight or curly, only a quote means anything: two are one."""
    keizer("add", db, "Xa $(touch ran) `b “c” ’d' ; & *")
    ((_, word, _, _),) = in_powershell("card", "club.db", "xa")
    assert word == "'Xa $(touch ran) `b “c” ’’d'' ; & *'"
    assert in_powershell("card", "club.db", word[:-1]) == in_powershell("card", "club.db", "xa")


def test_the_script_of_powershell_can_stand_in_a_profile_of_any_encoding(keizer: Keizer) -> None:
    script = keizer("completion", "powershell").stdout
    assert script.startswith("Register-ArgumentCompleter -Native -CommandName keizer ")
    assert script.isascii()
    assert "$env:_KEIZER_COMPLETE = 'powershell_complete'" in script
    for opens, closes in ("{}", "()", "[]"):
        assert script.count(opens) == script.count(closes)
