"""What people install: the wheel, the commands, the documents."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import click
import pytest

import keizer
from quality import release
from standalone import build
from tests.support.files import ROOT, Keizer, needs_program


def run(*command: object, folder: Path = ROOT, **environment: str) -> str:
    """What a program prints."""
    return subprocess.run(
        [*map(str, command)], check=True, capture_output=True, text=True, encoding="utf-8",
        cwd=folder, env={**os.environ, **environment},
    ).stdout  # fmt: skip


NOON = 1_700_000_000


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sdist and the wheel, as a release has them."""
    return release.packages(tmp_path_factory.mktemp("release"), NOON)


def test_the_wheel_ships_the_sql_and_its_types(tmp_path: Path) -> None:
    run(
        sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", tmp_path, ROOT
    )
    (wheel,) = tmp_path.glob("*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    views = {
        f"keizer/{path.relative_to(ROOT).as_posix()}"
        for path in ROOT.glob("views/**/*.sql")
    }
    assert "keizer/views/log/z_code.sql" in views
    assert {"keizer/schema.sql", "keizer/py.typed", *views} <= shipped
    page = {
        path
        for path in (ROOT / "keizer/web/site").rglob("*.*")
        if path.suffix != ".pyc"
    }
    assert {path.relative_to(ROOT).as_posix() for path in page} <= shipped


@pytest.mark.seeds
def test_the_wheel_runs_away_from_the_checkout(
    released: list[Path], tmp_path: Path
) -> None:
    """Installed by itself, beside the dependencies this environment has."""
    home = tmp_path / "env"
    venv.create(home, with_pip=False, symlinks=True)
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        home,
        "install",
        "--quiet",
        "--no-deps",
    )
    run(*pip, released[1])
    there = str(Path(click.__file__).parent.parent)

    def typed(program: str, *args: object) -> str:
        return run(home / "bin" / program, *args, folder=tmp_path, PYTHONPATH=there)

    assert typed("keizer", "--version") == f"keizer, version {keizer.__version__}\n"
    assert "Higgins" in typed("keizer", "next-round", ROOT / "sample.db", "--dry-run")
    typed("keizer", "init", "club.db", "--name", "Club", "--preset", "keizerforclubs")
    for name in ("Anna", "Boris"):
        typed("keizer", "add", "club.db", name)
    assert "Boris" in typed("keizer", "next-round", "club.db")
    assert typed("python", "-Pc", "import keizer; print(keizer.__file__)").startswith(
        str(home)
    )


@pytest.mark.seeds
def test_packages_of_the_same_files_are_the_same_bytes(
    released: list[Path], tmp_path: Path
) -> None:
    """And the sdist has every kind of file."""
    assert release.sums(release.packages(tmp_path, NOON)) == release.sums(released)
    with tarfile.open(released[0]) as sdist:
        held = {name.partition("/")[2] for name in sdist.getnames()}
    assert {".ci/run", "sample.db", "schema.sql", "tests/lists/excel-nl.csv"} <= held


@pytest.mark.each
@pytest.mark.parametrize(
    ("changelog", "tags", "why"),
    [
        ("## 1.0.0 (2026-12-01)", ["v1.0.1"], "the tag is v1.0.1, and keizer/__init__.py says 1"),
        ("## 1.0.1 (2026-12-01)", [], "CHANGELOG.md has no section “## 1.0.0 "),
        ("## 1.0.0 (soon)", ["v1.0.0"], "CHANGELOG.md says “1.0.0 (soon)”: a tag "),
    ],
)  # fmt: skip
def test_no_release_of_another_version_or_day(
    changelog: str, tags: list[str], why: str
) -> None:
    with pytest.raises(release.ReleaseError, match=f"^{re.escape(why)}"):
        release.said(f"# Changelog\n\n{changelog}\n\nNew.\n", "1.0.0", tags)


def test_a_release_is_made_of_a_commit_and_tells_its_hashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the program that git is; what takes long is made up."""
    needs_program(shutil.which("git") is not None, "git")
    checkout, out = tmp_path / "checkout", tmp_path / "dist"
    checkout.mkdir()
    git = ("git", "-C", checkout, "-c", "user.name=A", "-c", "user.email=a@example.org")
    (checkout / "CHANGELOG.md").write_text(
        f"## {keizer.__version__} (soon)\n\nNew.\n\n## 0\n"
    )
    (checkout / "SECURITY.md").write_text("Write to [ADDRESS].\n")
    for line in ("init -q", "add .", "commit -qm All"):
        run(*git, *line.split())
    monkeypatch.setattr(release, "ROOT", checkout)
    (page := tmp_path / "keizer.html").write_text("page")
    monkeypatch.setattr(release, "faces", lambda _: [page])
    monkeypatch.setattr(release, "packages", lambda *_: [])
    release.make(out)
    hashed = hashlib.sha256(b"page").hexdigest()
    assert (out / "SHA256SUMS").read_text() == f"{hashed}  keizer.html\n"
    assert (out / "NOTES.md").read_text().endswith('spreadsheets]"\n\nNew.\n')
    run(*git, "tag", "v9")
    with pytest.raises(release.ReleaseError, match=r"SECURITY\.md has no address"):
        release.make(out)
    (checkout / "new").touch()
    with pytest.raises(
        release.ReleaseError, match="the checkout is no commit: new was changed"
    ):
        release.make(out)


def test_the_changelog_has_the_notes_of_this_version() -> None:
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert release.said(page, keizer.__version__, []).startswith("### ")


def test_every_python_that_is_claimed_is_tried_by_the_commands_of_the_readme() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    claimed = [
        line.split(" :: ")[-1] for line in about["classifiers"] if "Python :: 3" in line
    ]
    named = (
        "README.md",
        ".ci/run",
        ".github/workflows/tests.yml",
        ".github/workflows/release.yml",
    )
    readme, ci, tests, releases = (
        (ROOT / name).read_text(encoding="utf-8") for name in named
    )
    assert (
        about["requires-python"] == f">={claimed[0]}"
        and f"Python {claimed[0]} or" in readme
    )
    assert re.findall(r"python: \[(.*)\]", tests) == [
        ", ".join(f'"{one}"' for one in claimed)
    ]
    assert re.findall(r'PYTHON: "(.*)"', releases) == claimed[-1:]
    for what in re.findall(r"for what in (.*); do", tests)[0].split():
        assert (
            len(re.findall(rf"^    python3 .*{what}", readme, re.MULTILINE)) == 1
            and what in ci
        )
    steps = (
        (ROOT / "CONTRIBUTING.md")
        .read_text(encoding="utf-8")
        .partition("\n## A release\n")[2]
    )
    assert (
        "python -m quality.release --tag" in releases
        and "python -m quality.release" in steps
    )
    (variable,) = re.findall(r"if: vars\.(\w+) == 'true'", releases)
    assert f"`{variable}`" in steps and "`release.yml`" in steps and "`index`" in steps


def test_a_job_runs_what_others_wrote_or_may_write() -> None:
    """Never both: packages that are installed find no token, and nothing to change."""
    for workflow in ROOT.glob(".github/workflows/*"):
        _, jobs = workflow.read_text(encoding="utf-8").split("\npermissions: {}\n")
        for action in re.findall(r"uses: (.*)", jobs):
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)
        for job in jobs.split("    runs-on:")[1:]:
            (right,) = re.findall(
                r"\n    permissions:\n      (\S+ \w+).*\n    steps:", job
            )
            assert right in ("contents: read", "contents: write", "id-token: write")
            assert right == "contents: read" or not re.search(
                "checkout|pip|python", job
            )
            assert job.count("actions/checkout@") == job.count(
                "persist-credentials: false"
            )


def test_keizer_html_takes_every_kind_of_file_that_keizer_has() -> None:
    """But for the mark of its types: what it lacks shows only where a browser asks for it."""
    files = (
        path
        for name, path in build.ours()
        if path.is_file() and "__pycache__" not in name
    )
    kinds = {path.suffix for path in files if path.name != "sqbpro.xml"}
    assert kinds - {*build.TAKEN} == {".typed"}


HEAVY = {
    "sqlite_utils", "numpy", "jinja2", "csv", "pathlib", "shutil", "tempfile", "unicodedata",
    "tomllib", "keizer.cli.rules", "keizer.store.soundness.rebuild",
    "keizer.store.backup.restoring",
}  # fmt: skip
"""What takes longer to import than a club night's command has time for."""
LISTED = ("standings", "pairings", "result 1 1-0", "explain Anna")


@pytest.mark.parametrize("line", [*LISTED, "next-round --again"])
def test_the_hot_path_stays_light(club: Path, keizer: Keizer, line: str) -> None:
    """Nothing heavy is imported that `import click, sqlite3` does not, nor what pairs."""
    keizer("next-round", club)
    pairing = {"keizer.pairing", "keizer.store.backup.snapshots"}
    of_line = {"next-round --again": pairing}
    assert _imported(club, line) & {*HEAVY, *pairing} == of_line.get(line, {*()})


def _imported(db: Path, line: str) -> set[str]:
    """The modules that a command adds to those of click and sqlite3."""
    command, *rest = line.split()
    code = (
        "import sys, click, sqlite3; before = {*sys.modules}; from keizer.cli import main;"
        f"main({[command, str(db), *rest]}, standalone_mode=False);"
        "print(*{*sys.modules} - before)"
    )
    return set(run(sys.executable, "-c", code).splitlines()[-1].split())
