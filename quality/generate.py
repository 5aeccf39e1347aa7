"""Make everything anew that is generated: python -m quality.generate; --check only says it.

The SQL and its fingerprint (views/generate.py), tables of docs/api.md and docs/rules.md, and
sample.db where its tables, views and triggers are not those of this checkout.
"""

import io
import shlex
import shutil
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing, redirect_stdout
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = {"docs/api.md": "quality.api", "docs/rules.md": "quality.rules_page"}
"""What prints each."""


def _run(*arguments: object) -> str:
    """What Python prints."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8", cwd=ROOT,
    ).stdout  # fmt: skip


def filled(name: str, **tables: Iterable[str]) -> str:
    """A page with its tables made anew, each between two comments that name it."""
    page = (ROOT / name).read_text(encoding="utf-8")
    for table, lines in tables.items():
        begin = f"<!-- {table}: made by python -m quality.generate -->\n"
        before, start, rest = page.partition(begin)
        _, end, after = rest.partition("\n<!-- end -->")
        page = "".join((before, start, "\n".join(lines), end, after))
    return page


def sample(path: Path) -> None:
    """Build sample.db with the keizer of this checkout, by the commands of tests/sample/build."""
    from keizer.cli import main as keizer

    for line in (ROOT / "tests/sample/build").read_text(encoding="utf-8").splitlines():
        if line.startswith("keizer "):
            step = string.Template(line.replace("$1", "$file"))
            words = shlex.split(step.substitute(file=path, facts=ROOT / "tests/sample"))
            with redirect_stdout(io.StringIO()):
                keizer(words[1:], standalone_mode=False)


def is_of_today(path: Path) -> bool:
    """Return whether layout and definitions of a file are those of this checkout, and no others."""
    # With the fingerprint that was just written.
    from keizer.store import connection, sql

    with closing(connection.connect(path, "ro")) as conn:
        found, (layout,) = (
            connection.code_of_file(conn),
            conn.execute("PRAGMA user_version").fetchone(),
        )
    return (
        found.is_current
        and found.has_own_tables
        and found.has_only_own_code
        and layout == sql.LAYOUT
    )


def main(arguments: Sequence[str]) -> int:
    """1 with --check where something is stale, else 0."""
    check = "--check" in arguments
    stale = []
    try:
        _run("views/generate.py", *arguments)
    except subprocess.CalledProcessError:
        stale.append("the SQL above")
    for name, module in PAGES.items():
        made = _run("-m", module)
        if (ROOT / name).read_text(encoding="utf-8") != made:
            stale.append(name)
            if not check:
                (ROOT / name).write_text(made, encoding="utf-8")
    if not is_of_today(ROOT / "sample.db"):
        stale.append("sample.db")
        if not check:
            # Commands leave snapshots beside it.
            with tempfile.TemporaryDirectory() as folder:
                sample(Path(folder, "sample.db"))
                shutil.copyfile(Path(folder, "sample.db"), ROOT / "sample.db")
    if check and stale:
        sys.stderr.write(f"stale: {', '.join(stale)}: run python -m quality.generate\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
