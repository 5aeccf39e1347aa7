"""Make everything anew that is generated: python -m quality.generate; --check only says it.

The SQL and its fingerprint (views/generate.py), docs/commands.md, docs/api.md, docs/rules.md,
and sample.db.
"""

import shlex
import shutil
import sqlite3
import string
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = {
    "docs/commands.md": "keizer.cli.reference",
    "docs/api.md": "quality.api",
    "docs/rules.md": "quality.rules_page",
}
"""What prints each."""


def _run(*arguments: object) -> str:
    """What Python prints."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8", cwd=ROOT,
    ).stdout  # fmt: skip


def _sample(path: Path) -> None:
    """Build sample.db with the keizer of this checkout, by the commands of tests/sample/build."""
    for line in (ROOT / "tests/sample/build").read_text(encoding="utf-8").splitlines():
        if line.startswith("keizer "):
            step = string.Template(line.replace("$1", "$file"))
            _run("-m", *shlex.split(step.substitute(file=path, facts="tests/sample")))


def _definitions(path: Path) -> list[tuple[object, ...]]:
    """The tables, views and triggers of a file, and the number of its layout."""
    with closing(sqlite3.connect(path)) as conn:
        made = conn.execute("SELECT name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        return made + conn.execute("PRAGMA user_version").fetchall()


def main(arguments: Sequence[str]) -> int:
    """1 with --check where something is stale, else 0."""
    check = "--check" in arguments
    stale = []
    try:
        _run("views/generate.py", *arguments)
    except subprocess.CalledProcessError:
        stale.append("the SQL above")
    sample = ROOT / "sample.db"
    for name, module in PAGES.items():
        made = _run("-m", module)
        if (ROOT / name).read_text(encoding="utf-8") != made:
            stale.append(name)
            if not check:
                (ROOT / name).write_text(made, encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder, "sample.db")
        _sample(built)
        if _definitions(built) != _definitions(sample):
            stale.append("sample.db")
            if not check:
                shutil.copyfile(built, sample)
    if check and stale:
        sys.stderr.write(f"stale: {', '.join(stale)}: run python -m quality.generate\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
