"""What --help says: it fits, and every example in it runs."""

import re
import shlex
import shutil
import subprocess
import zipfile
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import click
import pytest
from click.testing import CliRunner

from keizer import cli
from keizer.cli import FAMILIES, main
from keizer.exchange import cli as exchange_cli
from keizer.web import cli as web_cli
from keizer.web.server import Server
from tests.support.files import run_keizer, sample_db
from tests.support.other_programs import s3db

BEFORE = {
    "prohibit": "keizer prohibit club.db Baker Carter --name family",
    "present": 'keizer absent club.db Baker "J. Smith"',
    "swap": "keizer next-round club.db --pair Carter Baker",
    "seat": "keizer absent club.db Baker Carter && keizer next-round club.db",
    "unpair": "keizer next-round club.db",
    "dates": "keizer rounds club.db --date 1-4 none",
    "dates club.db --without": "keizer dates club.db --from 2026-09-04 --rounds 30",
    "publish-round": "keizer next-round club.db",
    "next-round --again": "keizer next-round club.db",
    "restore": "keizer backup club.db",
    "serve clubs": "mkdir -p clubs && cp club.db clubs/toren.db",
    "password": "mkdir -p clubs && cp club.db clubs/toren.db",
    "backup --folder": "mkdir -p stick && true",
    "site": "keizer site club.db site",
    "finish --reopen": "keizer finish club.db",
    "player --merge": 'keizer add club.db "Judy Baker"',
    "import Winter": 'keizer init club.db --name "Winter 2026"',
}
"""What has to have happened before the examples of a command, or of an option."""


def examples() -> list[tuple[str, str]]:
    """Every command with each line that its help gives as an example."""
    context = click.Context(main)
    return [
        (name, line)
        for name in main.list_commands(context)
        for line in vars(main.get_command(context, name))["examples"]
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name: three rounds of eleven members, and CSV files."""
    there = tmp_path_factory.mktemp("examples")
    club = Path(shutil.copy(sample_db(), there / "club.db"))
    run_keizer("add", club, "J. Smith", "--rating", 1600)
    run_keizer("next-round", club)
    run_keizer("result", club, "-", stdin="1 1-0\n2 =\n3 0-1\n4 1-0\n5 +-\n")
    shutil.copy(club, there / "other.db")
    (there / "tonight.txt").write_text("Baker\nJ. Smith\nCarter: excused\n")
    (there / "chat.txt").write_text(
        "Carter is away in round 9\n\nBaker: away, round 8\n"
    )
    (there / "members.csv").write_text("name,rating\nNew Member,1500\nAnother,\n")
    (there / "pairs.txt").write_text("6\n1 2\n3 4\n5 6\n7 8\n9 10\n11 0\n")
    (there / "scores.csv").write_text("player,1\nBaker,13\n")
    (there / "season.csv").write_text("round,white,black,result\n4,Baker,Carter,1-0\n")
    (there / "KLASSIEK.csv").write_text(
        "Relatienummer;Naam;Titel;FED;Rating;Nv;Geboren;S\r\n"
        "8123456;Baker, Judit;;NED;1830;;1990;w\r\n"
    )
    with zipfile.ZipFile(there / "players_list_xml_foa.zip", "w") as fide:
        fide.writestr(
            "players_list_xml_foa.xml",
            "<playerslist><player><fideid>1</fideid><name>Baker</name><country>NED</country>"
            "<rating>1850</rating></player></playerslist>",
        )
    s3db(there / "Winter.s3db", [("Baker", 1900), ("Jones", 1800)], [(1, 1, 1, 2, 2)])
    return there


def run(line: str) -> None:
    """Run a line as it stands; a plain one in this process."""
    if not set("|$<>&") & set(line):
        program, *words = shlex.split(line)
        assert program == "keizer"
        run_keizer(*words)
        return
    subprocess.run(["bash", "-euo", "pipefail", "-c", line], check=True)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("name", "line"), examples())
def test_every_example_of_the_help_runs(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, line: str
) -> None:
    assert f"keizer {name}" in line
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    # Which would go on.
    monkeypatch.setattr("keizer.web.server.Server.run", Server.close)
    monkeypatch.setattr("click.launch", lambda _: None)
    for what, before in BEFORE.items():
        command, _, option = what.partition(" ")
        if command == name and option in line:
            run(before)
    run(line)


def test_the_help_of_the_whole_program_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A season begins, and a club night."""
    monkeypatch.chdir(tmp_path)
    Path("members.csv").write_text("name\nBaker\nJ. Smith\nCarter\nJones\n")
    lines = re.findall(r"(?m)keizer \w.*$", main.help or "")
    assert len(lines) == 6
    for line in lines:
        run(line)
    shown = run_keizer("standings", "club.db").stdout
    assert shown.startswith("Club 2026, after round 1\n")


@pytest.mark.parametrize(
    "name", ["", *(name for names in FAMILIES.values() for name in names)]
)
def test_every_help_fits_80_columns(name: str) -> None:
    shown = CliRunner().invoke(
        main, [*([name] if name else []), "--help"], terminal_width=80
    )
    assert shown.exit_code == 0
    assert max(map(len, shown.stdout.splitlines())) <= 80


def test_the_help_of_the_whole_program_has_a_line_for_every_command() -> None:
    """Beneath headings, none cut off; the marked ones are those of its examples."""
    shown = CliRunner().invoke(main, ["--help"], terminal_width=80).stdout
    about, _, listed = shown.partition("\nClub night:\n")
    headings = re.findall(r"(?m)^(\S.*):$", listed)
    assert headings == ["Season", "Look up", "Rules", "File", "Exchange"]
    lines = re.findall(r"(?m)^  (\S+) +[A-Z].*\.$", listed)
    assert len(lines) + 2 * len(headings) == len(listed.splitlines())
    assert "..." not in listed
    assert "six commands marked *" in about
    begin = {f"{name}*" for name in re.findall(r"keizer (\S+) club.db", about)}
    assert {name for name in lines if name.endswith("*")} == begin
    assert len(begin) == 6


def test_every_command_there_is_stands_under_one_heading() -> None:
    made = [
        str(command.name)
        for room in (cli, exchange_cli, web_cli)
        for module in iter_modules(room.__path__, f"{room.__name__}.")
        for command in vars(import_module(module.name)).values()
        if isinstance(command, click.Command) and command is not main
    ]
    assert sorted(made) == sorted(
        name for family in FAMILIES.values() for name in family
    )
    assert {*made} == {name for name, _ in examples()}, "each has an example"


def test_the_command_alone_says_the_same_as_help() -> None:
    alone, asked = (CliRunner().invoke(main, words) for words in ([], ["--help"]))
    assert (alone.exit_code, alone.stdout) == (0, asked.stdout)
