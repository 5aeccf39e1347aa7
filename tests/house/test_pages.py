"""The pages for people: what they show is printed, what they name is there."""

import doctest
import re
import shlex
import shutil
import sqlite3
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import click
import pytest

from keizer.cli import FAMILIES, main
from keizer.pairing.facts import RULES
from tests.support.checkout import files
from tests.support.documents import BLOCKS, FILES, printed, steps
from tests.support.files import ROOT, needs, rows, sample_db
from tests.support.other_programs import s3db
from tests.support.rating_lists import player, xml

pytestmark = pytest.mark.usefixtures("installed")


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# ------------------------------------------------------------------------ README.md


def test_the_readme_is_short_and_begins_with_its_two_commands() -> None:
    lines = page("README.md").splitlines()
    typed = [
        number
        for number, line in enumerate(lines)
        if line.startswith("    python3 -m venv")
    ]
    assert len(lines) <= 150 and len(typed) == 2 and max(typed) < 40


def test_the_heart_in_the_readme_is_that_of_the_core() -> None:
    """What the core computes is tested in tests/conformance/test_core.py."""
    text, core = page("README.md"), page("views/core.sql")
    assert re.findall(r"views/[\w/]+\.sql", text)[0] == "views/core.sql"
    (heart,) = re.findall(r"^```sql\n(.*?)```$", text, re.MULTILINE | re.DOTALL)
    views = [view.strip() for view in heart.split("\n\n")]
    assert len(views) == 2 and "row_number() OVER" in heart
    assert [view for view in views if view not in core] == []


README_SQL = re.findall(r"^    ((?:cp|sqlite3) .*)$", page("README.md"), re.MULTILINE)
"""The lines that README.md types in a shell, on a copy of sample.db."""


def check_the_edit_of_the_readme(club: Path) -> None:
    """Board 1 of round 1 goes from Johnson to Petersen, who now leads; round 3 is paired."""
    leader = "SELECT name FROM standings WHERE round_number = 2 AND rank = 1"
    assert rows(sample_db(), leader) == [("Harrison",)]
    assert rows(club, leader) == [("Petersen",)]
    assert rows(club, "SELECT count(*) FROM round WHERE round_number = 3") == [(5,)]


def test_the_sql_of_the_readme_works_in_python(sample: Path) -> None:
    """In place of the shell, for whoever does not have that program."""
    copied, *lines = README_SQL
    assert copied == "cp sample.db club.db" and len(lines) == 3
    with closing(sqlite3.connect(sample, isolation_level=None)) as conn:
        for line in lines:
            program, _, statement = shlex.split(line)
            assert program == "sqlite3"
            conn.execute(statement)
    check_the_edit_of_the_readme(sample)


@pytest.mark.usefixtures("shell")
def test_the_sql_of_the_readme_works_in_the_shell_as_typed(tmp_path: Path) -> None:
    shutil.copy(sample_db(), tmp_path / "sample.db")
    shown = [printed(tmp_path, "sh", "-c", line) for line in README_SQL]
    assert [bool(text) for text in shown] == [False, False, True, False]
    assert len(shown[2].splitlines()) == 10
    check_the_edit_of_the_readme(tmp_path / "club.db")


# --------------------------------------------------------------------- docs/guide.md

GUIDE = page("docs/guide.md")
PROSE = re.sub(r"^```.*?^```$", "", GUIDE, flags=re.MULTILINE | re.DOTALL)
TYPED = {" ".join(line.split()) for line in re.findall(r"`(keizer [^`]+)`", PROSE)}
TYPED -= {"keizer COMMAND --help", "keizer serve club.db"}  # no command, or it goes on
BEFORE = {
    "keizer finish club.db --reopen": "keizer finish club.db",
    'keizer player club.db "Tom Baker" --merge': "keizer add club.db 'Tommy Baker'",
    "keizer player club.db Meyer": "keizer add club.db 'Hugo Meyer'",
    "keizer init club.db --name": "rm club.db",
    "keizer import club.db Winter": "rm club.db && keizer init club.db --name New",
    "keizer import club.db members": "rm club.db && keizer init club.db --name New",
    "keizer next-round club.db --again": 'keizer absent club.db "Emma Schulz"',
    "keizer seat": 'keizer absent club.db "Greta Lind" --round 3 && keizer absent club.db'
    ' "Farid Haddad" && keizer next-round club.db',
    "keizer restore club.db 3": "keizer backup club.db",
    "keizer dates club.db --without": "keizer dates club.db --from 2027-02-05 --rounds 30",
    "keizer dates club.db --with 2027-02-12": "keizer dates club.db --from 2027-02-05 --rounds 30"
    " --without 2027-02-12",
    "keizer site club.db": "keizer site club.db site",
}
"""What has to have happened before a command."""


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The season of the guide: a copy of its folder after each command, the last one first.

    What a command prints is what the page shows.
    """
    folder = tmp_path_factory.mktemp("season")
    copies = []
    for name, text in FILES.findall(GUIDE):
        (folder / name).write_text(text, encoding="utf-8")
    for _, text, _ in BLOCKS.findall(GUIDE):
        for command, shown in steps(text):
            assert printed(folder, "sh", "-c", command) == shown
            copies.append(tmp_path_factory.mktemp("night") / "copy")
            shutil.copytree(folder, copies[-1])
    return copies[::-1]


def beside(folder: Path) -> None:
    """The other files that the guide names."""
    for copy in ("last.db", "clubs/club.db"):
        (folder / copy).parent.mkdir(exist_ok=True)
        shutil.copy(folder / "club.db", folder / copy)
    with zipfile.ZipFile(folder / "players_list_xml.zip", "w") as fide:
        fide.writestr("players_list_xml.xml", xml(player(1, "Visser, Anna", 1990)))
    (folder / "scores.csv").write_text("player,1\nBaker,13\n")
    s3db(folder / "Winter.s3db", [("Baker", 1900), ("Jones", 1800)], [(1, 1, 1, 2, 2)])


@pytest.mark.seeds
@pytest.mark.parametrize("line", sorted(TYPED))
def test_every_command_of_the_guide_runs_on_some_night(
    nights: list[Path], tmp_path: Path, line: str
) -> None:
    """As it stands; a draft is there on some nights only."""
    before = "".join(
        f"{todo} && " for start, todo in BEFORE.items() if line.startswith(start)
    )
    if len(line.split()) == 2:  # a command by its name
        assert main.get_command(click.Context(main), line.split()[1])
        return
    said = ""
    for number, night in enumerate(nights):
        folder = tmp_path / str(number)
        shutil.copytree(night, folder)
        if not (folder / "club.db").exists():
            continue
        beside(folder)
        command = before + line.replace(chr(92) + "|", "|")
        said = printed(folder, "sh", "-c", f"{command} && echo It ran.")
        if said.endswith("It ran.\n"):
            return
    pytest.fail(said)


@pytest.mark.parametrize(
    "name", [name for family in FAMILIES.values() for name in family]
)
def test_every_command_is_in_the_guide(name: str) -> None:
    assert f"keizer {name}" in GUIDE


# --------------------------------------------------------- docs/clients.md and others

CLIENTS = page("docs/clients.md")
SECTIONS = dict(
    re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", CLIENTS, re.MULTILINE | re.DOTALL)
)
NEEDED = {"The sqlite3 shell": "shell", "JDBC and DBeaver": "jdbc"}
PACKAGES = {"Datasette": "datasette", "pandas": "pandas"}


@pytest.mark.parametrize("title", SECTIONS)
def test_other_programs_print_what_the_page_shows(
    sample: Path, title: str, request: pytest.FixtureRequest
) -> None:
    """Block by block, each section on a new copy of the worked example."""
    if title in NEEDED:
        request.getfixturevalue(NEEDED[title])
    if title in PACKAGES:
        needs(PACKAGES[title])
    folder = sample.rename(sample.with_name("club.db")).parent
    shutil.copy(ROOT / "docs/clients/Standings.java", folder)
    found = BLOCKS.findall(SECTIONS[title])
    assert SECTIONS[title].count("\n```") == 2 * sum(
        1 + bool(output) for *_, output in found
    )
    for language, text, output in found:
        if language == "sql":
            with closing(sqlite3.connect(folder / "club.db")) as conn:
                assert conn.execute(text).description
        elif language == "python":
            assert printed(folder, sys.executable, "-c", text) == output
        else:
            for command, shown in steps(text):
                assert printed(folder, "sh", "-c", command) == shown


def test_the_pictures_are_there_and_small() -> None:
    linked = set(re.findall(r"!\[[^\]]+\]\(clients/([\w-]+\.png)\)", CLIENTS))
    there = {
        path.name: path.stat().st_size for path in (ROOT / "docs/clients").glob("*.png")
    }
    assert linked == set(there) and max(there.values()) < 120_000


def test_the_standings_of_fifty_files_are_in_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the recipe of docs/scale.md."""
    for number in range(50):
        club = tmp_path / f"clubs/Club {number}/season.db"
        club.parent.mkdir(parents=True)
        shutil.copy(sample_db(), club)
    monkeypatch.chdir(tmp_path)
    exec(re.findall(r"```py\n(.*?)```", page("docs/scale.md"), re.DOTALL)[0], {})
    standing = "SELECT name, rank, score FROM {} ORDER BY rank"
    due = rows(sample_db(), standing.format("current_standings"))
    found = rows(Path("federation.db"), standing.format("standings"))
    assert found == sorted(due * 50, key=lambda row: row[1])


def test_the_page_on_python_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    there = str(ROOT / "docs/python.md")
    failed, tried = doctest.testfile(there, module_relative=False, encoding="utf-8")
    assert tried and not failed


def test_the_page_on_pairing_has_the_rules_in_their_order() -> None:
    table = (
        page("docs/pairing.md").split("| column | setting |", 1)[1].split("\n\n", 1)[0]
    )
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == RULES


# ------------------------------------------------------------------------- all pages


PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/*.md", "*/README.md", "quality/**/*.md")
    for path in ROOT.glob(pattern)
    if path.relative_to(ROOT).parts[0][0] != "."
)
SUFFIXES = "py|sql|toml|jsonl|html|js|css|po|md"
NAMED = re.compile(
    rf"(?<![\w/.-])(?:[\w-]+/)+[\w-]+\.(?:{SUFFIXES})\b|(?<![\w/.-])[\w-]+\.(?:py|sql|toml)\b"
)
"""A file in a page: with its folder, or a file of the program alone."""
NEW = {
    "tests/sql/test_max_absences.py",
    "tests/sql/test_colour_balance.py", "tests/season/test_rename.py",
    "tests/season/test_colours.py", "tests/web/test_figures.py",
    "views/standings/colour_balance.sql", "views/tiebreaks/tiebreak_games.sql",
    "keizer/web/templates/figures.html",
    "keizer/exchange/NAME.py", "tests/exchange/test_NAME.py",
    "keizer/exchange/tsv.py", "tests/exchange/test_tsv.py",
}  # fmt: skip
"""Files that are made: by a command, or by whoever follows a recipe of CONTRIBUTING.md."""


def test_every_file_that_a_page_names_is_there() -> None:
    """By its path from the root, from the folder of the page, or by the end of its path."""
    there = [f"/{path}" for path in files()]
    lost = [
        (name, file)
        for name in PAGES
        for file in sorted({*NAMED.findall(page(name))} - NEW)
        if not any(path.endswith(f"/{file}") for path in there)
    ]
    assert lost == []


def test_what_the_recipes_name_in_a_file_is_in_it() -> None:
    """As `LABELS` in `keizer/acts/declare.py`."""
    text = " ".join(page("CONTRIBUTING.md").split())
    found = re.findall(
        r"`([A-Za-z_]\w+)`,? (?:in|of|from) `([\w/.-]+\.(?:py|sql))`", text
    )
    assert len(found) > 5
    for name, file in found:
        named = [path for path in files() if f"/{path}".endswith(f"/{file}")]
        assert any(name in page(path) for path in named), (name, file)


def named() -> list[tuple[str, str]]:
    """Each page with the command lines in it, in backticks or on lines of their own."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")]
    line = re.compile(r"(?:`|^(?:    |\$ ))(keizer [a-z][^`\n]*)", re.MULTILINE)
    return [
        (path.relative_to(ROOT).as_posix(), command)
        for path in sorted(pages)
        for command in line.findall(path.read_text(encoding="utf-8"))
    ]


OF_RECIPES = {"rename", "colours"}
"""Commands that whoever follows a recipe of CONTRIBUTING.md makes."""


def test_every_command_named_in_a_page_has_these_options() -> None:
    for where, line in named():
        name, *words = re.split(r"[ |]+", line.removeprefix("keizer "))
        if where == "CONTRIBUTING.md" and name in OF_RECIPES:
            continue
        command = main.get_command(click.Context(main), name)
        assert command, (where, line)
        known = {option for parameter in command.params for option in parameter.opts}
        used = {
            word.partition("=")[0].rstrip(",;")
            for word in words
            if word.startswith("--")
        }
        assert used - {"--", "--help"} <= known, (where, line)


def test_earlier_systems_have_every_behaviour_and_tests_that_are_there() -> None:
    """R01 to R63, U1 to U10, B1 to B13."""
    listed = re.findall(
        r"^\| ([RUB]\d+) \| [^|]+ \| ([^|]+) \|$",
        page("docs/earlier-systems.md"),
        re.MULTILINE,
    )
    want = [f"R{number:02d}" for number in range(1, 64)]
    want += [f"U{number}" for number in range(1, 11)] + [
        f"B{number}" for number in range(1, 14)
    ]
    assert [name for name, _ in listed] == want
    for name, cell in listed:
        tests = re.findall(r"`([\w/]+\.py)::([\w:]+)`", cell)
        assert tests, name
        for file, parts in tests:
            text = page(f"tests/{file}")
            for part in parts.split("::"):
                assert re.search(rf"^ *((def|class) )?{part}\b", text, re.MULTILINE), (
                    file,
                    part,
                )
