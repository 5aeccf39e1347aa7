"""The recipes of CONTRIBUTING.md, followed as they are printed, each in a copy of the checkout."""

import re
import textwrap
from pathlib import Path

import pytest

from tests.support.checkout import copy_checkout, run_python
from tests.support.files import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = dict(
    re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
)
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return copy_checkout(tmp_path / "keizer")


class Recipe:
    """A section, and the copy of the checkout in which somebody follows it."""

    def __init__(self, title: str, checkout: Path) -> None:
        self.text, self.checkout = SECTIONS[title], checkout
        self.blocks = [
            (language, textwrap.dedent(code))
            for _, language, code in BLOCK.findall(self.text)
        ]

    def block(self, language: str) -> str:
        """Take the next block of code, which is of this language."""
        found, code = self.blocks.pop(0)
        assert found == language
        return code

    def printed(self, text: str) -> str:
        """Return a text that the recipe has, wherever its lines end."""
        assert f"`{text}`" in " ".join(self.text.split())
        return text

    def file(self, name: str) -> Path:
        """Return a file that the recipe names."""
        return self.checkout / self.printed(name)

    def write(self, name: str, text: str) -> None:
        """Make a new file."""
        path = self.file(name)
        assert not path.exists()
        path.write_text(text, encoding="utf-8")

    def append(self, name: str, code: str) -> None:
        """Put code at the end of a module, and the imports above it to the others there."""
        imports, separator, body = code.partition("\n\n\n")
        if not separator:
            imports, body = "", code
        path = self.file(name)
        module = path.read_text(encoding="utf-8")
        module = module.replace("\nfrom keizer", f"\n{imports}\nfrom keizer", 1)
        path.write_text(f"{module}\n\n{body}\n", encoding="utf-8")

    def insert(self, name: str, text: str, *, before: str) -> None:
        """Put a text on a line of its own before another line."""
        path = self.file(name)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (place,) = (
            number for number, line in enumerate(lines) if line.startswith(before)
        )
        lines.insert(place, f"{text}\n")
        path.write_text("".join(lines), encoding="utf-8")

    def replace(self, name: str, text: str, new: str) -> None:
        """Replace what stands once in a file."""
        path = self.file(name)
        there = path.read_text(encoding="utf-8")
        assert there.count(text) == 1
        path.write_text(there.replace(text, new), encoding="utf-8")

    def run(self, *arguments: str) -> str:
        """Run Python in the copy; return what it prints."""
        done = run_python(self.checkout, *arguments)
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
        return done.stdout

    def generate(self) -> None:
        """Make the SQL and the page of the API: the quick part of quality.generate."""
        self.printed("python -m quality.generate")
        self.run("views/generate.py")
        page = self.checkout / "docs/api.md"
        page.write_text(self.run("-m", "quality.api"), encoding="utf-8")

    def passes(self, *tests: str, only: str = "") -> None:
        """Run tests in the copy as the recipe has them; only: these of all their cases."""
        chosen = ("-m", "not campaign and not clients", "-k", only) if only else ()
        self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, *tests)


# ------------------------------------------------------------------------------ an act


def add_the_act(checkout: Path) -> Recipe:
    recipe = Recipe("An act", checkout)
    recipe.append("keizer/acts/season.py", recipe.block("python"))
    recipe.append(
        "keizer/cli/seasons.py", recipe.printed("rename = session.act(acts.rename)")
    )
    rooms = recipe.printed('"init demo tournament rename finish"')
    recipe.replace("keizer/cli/__init__.py", rooms.replace(" rename", ""), rooms)
    method = recipe.printed("rename = method(season.rename)")
    recipe.insert("keizer/club.py", f"    {method}", before="    dates = ")
    recipe.insert(
        "docs/guide.md", recipe.block("text").strip(), before="| the number of rounds"
    )
    recipe.write("tests/season/test_rename.py", recipe.block("python"))
    row = recipe.printed("1 rename {tournament}")
    recipe.insert("tests/store/test_any_undo.py", row, before="1 init --name")
    assert recipe.blocks == []
    recipe.generate()
    return recipe


def test_an_act_and_its_command(checkout: Path) -> None:
    recipe = add_the_act(checkout)
    helped = recipe.run("-m", "keizer", "rename", "--help")
    assert "rename [OPTIONS] DB TEXT\n\n  Give the tournament another name.\n" in helped
    assert helped.endswith('Examples:\n  keizer rename club.db "Spring 2027"\n')
    assert "Give the tournament another name." in recipe.run("-m", "keizer", "--help")
    assert "\n| `rename` | Give the" in (checkout / "docs/api.md").read_text(
        encoding="utf-8"
    )
    lacking = recipe.run("-m", "quality.missing")
    assert lacking.count('msgid "the tournament is called {name} now"\n') == 3
    recipe.passes(
        "tests/season/test_rename.py", "tests/cli/test_help.py", "tests/store/test_any_undo.py",
        "tests/house/test_pages.py",
        only="test_rename or rename or heading or line_for_every or that_writes",
    )  # fmt: skip


@pytest.mark.seeds
def test_with_an_act_all_that_its_recipe_names_passes(checkout: Path) -> None:
    recipe = add_the_act(checkout)
    named = recipe.printed(
        "pytest -n auto tests/season/test_rename.py tests/season/test_module.py"
        " tests/cli/test_help.py tests/store/test_any_undo.py"
    )
    recipe.passes(*(word for word in named.split() if word.startswith("tests/")))


# ----------------------------------------------------------------- a view and a command


def add_the_view(checkout: Path) -> Recipe:
    recipe = Recipe("A view", checkout)
    recipe.write("views/standings/colour_balance.sql", recipe.block("sql"))
    recipe.write("tests/sql/test_colour_balance.py", recipe.block("python"))
    assert recipe.blocks == []
    return recipe


def add_the_command(checkout: Path) -> Recipe:
    recipe = Recipe("A command", checkout)
    report = recipe.block("python").strip()
    recipe.insert("keizer/season/lookups.py", report, before="LOOKUPS = {")
    recipe.append("keizer/cli/lookups.py", recipe.block("python"))
    recipe.printed("_ROOMS")
    recipe.replace(
        "keizer/cli/__init__.py",
        "statistics categories",
        "statistics categories colours",
    )
    recipe.printed('"colours"')
    read_only = recipe.printed("tests/store/test_any_undo.py")
    recipe.replace(
        read_only,
        '"statistics", "categories",',
        '"statistics", "categories", "colours",',
    )
    recipe.insert(
        "docs/guide.md", recipe.block("text").strip(), before="| who leads in category"
    )
    recipe.write("tests/season/test_colours.py", recipe.block("python"))
    assert recipe.blocks == []
    return recipe


def test_a_view_and_a_command_that_shows_it(checkout: Path) -> None:
    view = add_the_view(checkout)
    view.generate()
    view.passes("tests/sql/test_colour_balance.py")
    recipe = add_the_command(checkout)
    helped = recipe.run("-m", "keizer", "colours", "--help")
    assert helped.endswith("Examples:\n  keizer colours club.db\n")
    recipe.passes(
        "tests/season/test_colours.py", "tests/cli/test_help.py", "tests/house/test_pages.py",
        "tests/store/test_any_undo.py",
        only="test_colours or colours or heading or line_for_every or that_writes",
    )  # fmt: skip


# -------------------------------------------------------------------------- a page


@pytest.mark.seeds
def test_a_page(checkout: Path) -> None:
    recipe = Recipe("A page of the face", checkout)
    recipe.append("keizer/web/plan.py", recipe.block("python"))
    recipe.write("keizer/web/templates/figures.html", recipe.block("html"))
    recipe.write("tests/web/test_figures.py", recipe.block("python"))
    assert recipe.blocks == []
    recipe.passes("tests/web/test_figures.py")


@pytest.mark.seeds
def test_a_format_to_export(checkout: Path) -> None:
    recipe = Recipe("A format", checkout)
    recipe.write("keizer/exchange/tsv.py", recipe.block("python"))
    commands = "keizer/cli/files.py"
    suffix = recipe.printed('".tsv": "tsv",')
    recipe.replace(commands, "_SUFFIXES = {\n", f"_SUFFIXES = {{\n    {suffix}\n")
    choice = recipe.printed('choice("tsv", "The standings, with tabs."),')
    recipe.insert(commands, f"        {choice}", before='        choice("sqbpro"')
    settings = recipe.printed('"tsv": {"round_number": shown_round},')
    recipe.insert(
        commands,
        f"                {settings}",
        before='                "pgn": {"round_number"',
    )
    recipe.write("tests/exchange/test_tsv.py", recipe.block("python"))
    assert recipe.blocks == []
    assert "--tsv" in recipe.run("-m", "keizer", "export", "--help")
    recipe.passes("tests/exchange/test_tsv.py")


# ---------------------------------------------------------------------- in the SQL


@pytest.mark.seeds
def test_a_tie_break(checkout: Path) -> None:
    recipe = Recipe("A tie-break", checkout)
    recipe.write("views/tiebreaks/tiebreak_games.sql", recipe.block("sql"))
    oracle = recipe.block("python").rstrip()
    recipe.insert(
        "tests/support/tiebreaks.py", f"    {oracle}", before='    "points": Table.own'
    )
    recipe.insert(
        "docs/tiebreaks.md", recipe.block("text").strip(), before="| `score`, `points`"
    )
    assert recipe.blocks == []
    recipe.generate()
    club = str(checkout / "sample.db")
    recipe.run("-m", "keizer", "rules", club, "tiebreaks=score,gp")
    recipe.passes(
        "tests/sql/test_tiebreaks.py", "tests/sql/test_sql.py", "tests/sql/test_types.py",
        "tests/sql/test_standings_order.py",
    )  # fmt: skip


@pytest.mark.seeds
def test_a_kind_of_unplayed_round(checkout: Path) -> None:
    recipe = Recipe("A kind of unplayed round", checkout)
    row = recipe.printed("('sick', 'unplayed', '1/3', 0, 0, 0)")
    last = "('late start', 'entry', 0, 0, 0, 0);"
    recipe.replace("views/guards/z_usual_kind.sql", last, f"{last[:-1]},\n  {row};")
    scoring = recipe.printed('"sick": Scoring(third)')
    recipe.insert(
        "conformance/seasons.py", f"        {scoring},", before='        "unexcused": '
    )
    recipe.insert(
        "docs/rules.md", "| `sick` | 1/3 | ill |", before="| `unexcused` | 0 |"
    )
    recipe.insert(
        "conformance/specification.md",
        "| `sick` | 1/3 | 0 | 0 |",
        before="| `late start`",
    )
    recipe.generate()
    recipe.run("-m", "keizer", "init", "club.db", "--name", "Club")
    assert "sick=1/3\n" in recipe.run("-m", "keizer", "rules", "club.db")
    recipe.passes("tests/store/test_code.py", "tests/site/test_site.py")
    recipe.passes("tests/sql", "tests/season", only="kind")


@pytest.mark.seeds
def test_a_rule(checkout: Path) -> None:
    """Of the recipe what is printed: the column, which commands then set, refuse and migrate."""
    recipe = Recipe("A rule", checkout)
    club = str(checkout / "sample.db")
    column = textwrap.dedent(
        "\n".join(re.findall(r"^       (.*)$", recipe.text, re.MULTILINE))
    )
    assert column.startswith("-- Absences (no byes)")
    column = textwrap.indent(column, "  ")
    recipe.insert(
        "schema.sql", column, before="  -- Rounds that lie between two meetings"
    )
    for name in ("schema.sql", "docs/safety.md"):
        recipe.replace(name, "PRAGMA user_version = 1;", "PRAGMA user_version = 2;")
    added = recipe.printed('2: {"rules.max_absences"}')
    empty = "ADDED_IN: dict[int, set[str]] = {}"
    recipe.replace("keizer/store/soundness/rebuild.py", empty, f"{empty[:-1]}{added}}}")
    recipe.generate()
    old = run_python(checkout, "-m", "keizer", "rules", club, "max_absences=3")
    assert old.returncode == 1 and "keizer migrate" in old.stderr
    recipe.run("-m", "keizer", "migrate", club)
    recipe.run("-m", "keizer", "rules", club, "max_absences=3")
    wrong = run_python(checkout, "-m", "keizer", "rules", club, "max_absences=-1")
    assert (
        wrong.returncode == 1
        and "max_absences must be 0 to 999 or none" in wrong.stderr
    )
    code = recipe.printed("tests/store/test_code.py")
    shown = run_python(
        checkout, "-m", "pytest", "-q", code, "-k", "number_of_the_layout"
    ).stdout
    (layout,) = {*re.findall(r"assert '([0-9a-f]{16})' == None", shown)}
    recipe.replace(code, "LAYOUTS = {", f'LAYOUTS = {{2: "{layout}", ')
    recipe.passes(code)
    recipe.passes(
        "tests/sql/test_guards.py", "tests/sql/test_sql.py", "tests/sql/test_types.py"
    )
