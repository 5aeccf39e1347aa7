"""What Tab offers: through click's own interface, and in a real bash."""

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

import pytest

from keizer.cli import completion, options
from keizer.season import names
from tests.support.files import Keizer, edit, items, needs_program, offered, rows, run_keizer

MEMBERS = ("Judit Baker", "Carter", "Jan Smith", "Zoë Smith", "O'Brien, Pat", "Åsa Ek")


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season of six in which one board of round 1 is played."""
    path = tmp_path_factory.mktemp("shell") / "club.db"
    run_keizer("init", path, "--name", "Club night")
    for name in MEMBERS:
        run_keizer("add", path, name)
    run_keizer("next-round", path, "--pair", "Carter", "Judit Baker")
    run_keizer("result", path, 1, "1-0")
    return path


@pytest.fixture
def db(season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A copy of it, in the folder we are in."""
    shutil.copy(season, tmp_path)
    monkeypatch.chdir(tmp_path)
    return season.name


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


def test_a_name_is_one_of_those_who_entered(db: str) -> None:
    everybody = ["Åsa Ek", "Carter", "Jan Smith", "Judit Baker", "O'Brien, Pat", "Zoë Smith"]
    for command in ("card", "explain", "progress", "withdraw", "correct", "apart"):
        assert offered(command, db) == everybody


def test_capitals_and_accents_do_not_matter(db: str) -> None:
    assert offered("card", db, incomplete="zoe") == ["Zoë Smith"]
    assert offered("card", db, incomplete="as") == ["Åsa Ek"]
    assert offered("card", db, incomplete="J") == ["Jan Smith", "Judit Baker"]


def test_a_later_word_completes_where_one_has_it(db: str) -> None:
    assert offered("card", db, incomplete="bak") == ["Judit Baker"]
    assert offered("card", db, incomplete="smi") == []
    assert offered("standings", db, "-t", incomplete="nig") == ["Club night"]
    assert offered("rules", db, "--preset", incomplete="half") == ["swiss-half"]


def test_who_is_on_the_line_is_not_offered_again(db: str) -> None:
    assert "Carter" not in offered("apart", db, "carter", "Jan Smith")
    assert "Carter" not in offered("head-to-head", db, "Carter")


def test_withdrawn_members_can_be_added_again(db: str, keizer: Keizer) -> None:
    assert offered("add", db) == []
    keizer("withdraw", db, "Carter")
    assert offered("add", db) == ["Carter"]


def test_open_boards_come_first_and_say_who_plays(db: str) -> None:
    found = items(db, program=evening)
    assert [item.value for item in found] == ["2", "3", "1"]
    assert found[2].help == "Carter – Judit Baker 1-0"
    assert " – " in str(found[0].help)
    assert offered(db, "--round", "7", program=evening) == []


def test_results_are_all_those_there_are_as_people_type_them(db: str) -> None:
    found = offered(db, "2", program=evening)
    assert found[:3] == ["1-0", "0-1", "="]
    stored = {result for (result,) in rows(Path(db), "SELECT result FROM outcome")}
    assert {names.result(typed) for typed in found} == {*stored, None}
    assert offered(db, "2", incomplete="1", program=evening) == ["1-0"]


def test_kinds_are_those_of_the_file_in_one_word(db: str, keizer: Keizer) -> None:
    keizer("rules", db, "--add-kind", "late notice")
    found = offered(db, "--kind", program=evening)
    assert {"excused", "club-duty", "late-notice"} <= set(found)
    assert offered(db, "--kind", incomplete="club d", program=evening) == ["club-duty"]
    assert "late-notice=" in offered("rules", db, "--for", "Carter")


def test_rounds_are_those_paired_or_planned_with_their_dates(db: str, keizer: Keizer) -> None:
    keizer("rounds", db, "--date", 1, "2026-01-13", "--date", 2, "2026-01-20")
    found = items("standings", db, "--round")
    assert [(item.value, item.help) for item in found] == [
        ("1", "2026-01-13, published"),
        ("2", "2026-01-20, planned"),
    ]


def test_tournaments_are_those_of_the_file(db: str, keizer: Keizer) -> None:
    keizer("init", db, "--name", "Blitz")
    assert offered("standings", db, "-t") == ["Club night", "Blitz"]
    assert offered("card", db) == []  # which of them?
    assert len(offered("card", db, "-t", "Club night")) == len(MEMBERS)
    assert offered("card", db, "-t", "Blitz") == []


def test_presets_say_what_they_are(db: str) -> None:
    (found,) = items("rules", db, "--preset", incomplete="oppo")
    assert found.value == "oppositie"
    assert found.help == "SV Oppositie: 50 at the top, five absences at .4."
    for words in (["init", db, "--preset"], ["rules", db, "--diff"]):
        assert "swiss" in offered(*words)
        assert "points" not in offered(*words)
    assert {"points", "swiss"} <= set(offered("standings", db, "--as"))


def test_rules_offer_their_keys_and_what_each_is_now(db: str) -> None:
    (found,) = items("rules", db, incomplete="TOP")
    assert (found.value, found.help) == ("top_value=", "now 1.5(n-1)")
    keys = offered("rules", db)
    assert {"win=", "club-duty=", "aim="} <= set(keys)
    assert not any("." in key for key in keys)
    assert "excused.season_cap=" in offered("rules", db, incomplete="excused.")
    assert offered("standings", db, "--rules", incomplete="aim") == ["aim="]


def test_a_file_is_a_file(db: str) -> None:
    (found,) = items("import", db, incomplete="mem")
    assert found.type == "file"
    (found,) = items("standings", incomplete="cl")
    assert found.type == "file"


@pytest.fixture(params=["missing", "folder", "text", "foreign", "older", "damaged", "locked"])
def useless(request: pytest.FixtureRequest, db: str) -> Iterator[str]:
    """Files that have nothing to offer."""
    path = Path(f"{request.param}.db")
    if request.param == "folder":
        path.mkdir()
    elif request.param == "text":
        path.write_text("Baker, Carter")
    elif request.param != "missing":
        shutil.copy(db, path)
    if request.param == "foreign":
        edit(path, "PRAGMA application_id = 0")
    elif request.param == "older":
        edit(path, "DROP TABLE x_player_tournament", "DROP TABLE tournament")
    elif request.param == "damaged":
        path.write_bytes(path.read_bytes()[:5000])
    with closing(sqlite3.connect(":memory:" if request.param != "locked" else path)) as conn:
        if request.param == "locked":
            conn.execute("BEGIN EXCLUSIVE")
        yield str(path)


def test_a_file_that_is_of_no_use_offers_nothing_and_is_left_alone(
    useless: str, capsys: pytest.CaptureFixture[str]
) -> None:
    there = Path(useless).exists()
    for words in (["card", useless], ["pairings", useless, "-r"], ["standings", useless, "-t"],
                  ["rules", useless], ["add", useless]):  # fmt: skip
        assert offered(*words) == []
    assert offered(useless, program=evening) == []
    assert offered(useless, "--kind", program=evening) == []
    assert capsys.readouterr() == ("", "")
    assert Path(useless).exists() == there


def test_the_file_may_be_in_the_home_folder(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell hands over what was typed, before it puts the folder in."""
    monkeypatch.setenv("HOME", str(Path(db).absolute().parent))
    assert offered("card", "~/club.db", incomplete="c") == ["Carter"]
    assert offered("card", "$HOME/club.db", incomplete="c") == ["Carter"]


def test_commands_do_not_load_what_only_completion_needs() -> None:
    code = (
        "import sys; from importlib import import_module; from keizer.cli import FAMILIES, main;"
        "[import_module(f'keizer.cli.{family}') for family in FAMILIES];"
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


@pytest.fixture
def in_bash(db: str, installed: str) -> Callable[..., list[list[str]]]:
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


def test_bash_gets_words_that_it_reads_as_one_name(
    in_bash: Callable[..., list[list[str]]],
) -> None:
    """In bash's array of words each is as typed: backslashes and open quotes included."""
    assert in_bash(
        "keizer card club.db jud",
        """keizer card club.db '"Jud'""",
        "keizer card club.db O",
        "keizer head-to-head club.db 'Judit\\ Baker' zo",
        "keizer card nobody.db ''",
        "keizer rules club.db top_value = 60 lad",
        "keizer card cl",
    ) == [
        [r"Judit\ Baker"],
        ["Judit Baker"],  # the quote is still open: bash closes it
        [r"O\'Brien\,\ Pat"],
        [r"Zoë\ Smith"],
        [],
        ["ladder=", "-o", "nospace"],
        ["-o", "default"],  # bash lists files itself
    ]


def test_bash_runs_no_name(
    in_bash: Callable[..., list[list[str]]], db: str, keizer: Keizer
) -> None:
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
