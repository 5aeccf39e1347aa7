"""README.md and docs/guide.md: one season, and each command in them runs."""

import re
import shutil
import zipfile
from pathlib import Path

import click
import pytest

from keizer.cli import FAMILIES, main
from tests.support.documents import BLOCKS, FILES, printed, steps
from tests.support.files import ROOT
from tests.support.other_programs import s3db
from tests.support.rating_lists import player, xml

PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/guide.md")}
TEXT = "\n".join(PAGES.values())
PROSE = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
COMMANDS = sorted({" ".join(line.split()) for line in re.findall(r"`(keizer [^`]+)`", PROSE)})
EXPLAINED = {"keizer COMMAND --help", "keizer --help", "keizer demo", "keizer serve club.db"}
"""Not about the file, or it goes on until somebody ends it."""


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory, installed: str) -> list[Path]:
    """The season of the two pages: a copy of its folder after each command, the last one first.

    What a command prints is what the page shows.
    """
    folder = tmp_path_factory.mktemp("season")
    copies = []
    for name, text in FILES.findall(TEXT):
        (folder / name).write_text(text, encoding="utf-8")
    for _, text, _ in BLOCKS.findall(TEXT):
        for command, shown in steps(text):
            assert printed(folder, installed, "sh", "-c", command) == shown
            copies.append(tmp_path_factory.mktemp("night") / "copy")
            shutil.copytree(folder, copies[-1])
    return copies[::-1]


def beside(folder: Path) -> None:
    """The other files that the pages name."""
    for copy in ("last.db", "clubs/club.db"):
        (folder / copy).parent.mkdir(exist_ok=True)
        shutil.copy(folder / "club.db", folder / copy)
    with zipfile.ZipFile(folder / "players_list_xml.zip", "w") as fide:
        fide.writestr("players_list_xml.xml", xml(player(1, "Visser, Anna", 1990)))
    s3db(folder / "Winter.s3db", [("Baker", 1900), ("Jones", 1800)], [(1, 1, 1, 2, 2)])


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
    "keizer site club.db": "keizer site club.db site",
}
"""What has to have happened before a command."""


@pytest.mark.parametrize("line", [line for line in COMMANDS if line not in EXPLAINED])
def test_every_command_in_the_text_runs_on_some_night(
    nights: list[Path], tmp_path: Path, installed: str, line: str
) -> None:
    """As it stands; a draft is there on some nights only."""
    before = "".join(f"{todo} && " for start, todo in BEFORE.items() if line.startswith(start))
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
        said = printed(folder, installed, "sh", "-c", f"{command} && echo It ran.")
        if said.endswith("It ran.\n"):
            return
    pytest.fail(said)


@pytest.mark.parametrize("name", [name for family in FAMILIES.values() for name in family])
def test_every_command_is_in_the_guide(name: str) -> None:
    assert f"keizer {name}" in TEXT


def named() -> list[tuple[str, str]]:
    """Each page with the command lines in it, in backticks or on lines of their own."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")]
    line = re.compile(r"(?:`|^(?:    |\$ ))(keizer [a-z][^`\n]*)", re.MULTILINE)
    return [
        (page.relative_to(ROOT).as_posix(), command)
        for page in sorted(pages)
        for command in line.findall(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("page", "line"), named())
def test_every_command_named_in_a_page_has_these_options(page: str, line: str) -> None:
    name, *words = re.split(r"[ |]+", line.removeprefix("keizer "))
    command = main.get_command(click.Context(main), name)
    assert command, page
    known = {option for parameter in command.params for option in parameter.opts}
    used = {word.partition("=")[0].rstrip(",;") for word in words if word.startswith("--")}
    assert used - {"--", "--help"} <= known, page


def test_the_readme_is_short() -> None:
    assert len(PAGES["README.md"].splitlines()) <= 150
