#!/usr/bin/env python3
"""Makes the pictures of docs/clients.md: DB Browser for SQLite itself, at work on a club's file.

Run it where keizer is installed: docs/clients/pictures.py. It needs sqlitebrowser
3.12, Xvfb, xdotool and ImageMagick (import); CI does not run it. Look at the pictures
afterwards: on a busy machine DB Browser may have been caught at work.

With a folder it makes first-screen.png alone, of sample.db opened by its project; and in
that folder without-project.png, what somebody sees there who opens the file itself. It
prints which table that is, and which tables DB Browser cannot read.
"""

# ruff: noqa: PLR2004, S311, S603, S607, SIM905, T201

import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from xml.sax.saxutils import quoteattr

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parents[1] / "sample.db"
WIDTH, HEIGHT = 890, 640
DISPLAY = ":97"

FIRST = (
    "Ada Bram Cora Dirk Elsa Finn Greta Hugo Ida Jan Kees Lena Max Nora Otto "
    "Petra Ruben Sara Tim Ursula Victor Wim Yara Zoe Anton Bea Carl Dora Erik Fleur"
).split()
LAST = (
    "Adler Bakker Cohen Dekker Evers Fuchs Groot Hansen Ivanov Jansen Keller Lang Meyer Nagy "
    "Olsen Peters Quist Roos Smit Timmer Unger Visser Weber Xu Young Zander Berg Costa Duarte Ek"
).split()
ROUNDS = 12
BROWSE = (208, 80)
TABLES = (170, 117)
"""Where the tab Browse Data is; the list of tables."""
RESULT = (555, 229)
BLACK = (470, 229)
"""Cells of board 2."""
WRITE_CHANGES = (380, 42)
DIVIDERS = ((410, 514), (410, 590)), ((410, 316), (410, 285))
"""Where the messages under a query begin, and its result; and where they shall."""

EXPLANATION = """SELECT played_in, kind, colour, opponent, result, factor, value,
  round(points, 3) AS points
FROM explanation
WHERE name = 'Lena Lang' AND round_number = 12
ORDER BY played_in;"""


def run(*command: str, stdin: str | None = None) -> str:
    """What a command prints."""
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, check=True
    )
    return done.stdout


def keizer(*args: str, stdin: str | None = None) -> str:
    """What a command of keizer prints."""
    return run(sys.executable, "-m", "keizer", *args, stdin=stdin)


def season(db: Path) -> None:
    """A club of thirty members after twelve rounds, always the same."""
    rng = random.Random(30)
    names = [f"{first} {last}" for first, last in zip(FIRST, LAST, strict=True)]
    ratings = {name: rng.randint(1100, 2200) for name in names}
    keizer("init", str(db), "--name", "Club 2026")
    members = db.with_name("members.csv")
    lines = [f"{name},{rating}" for name, rating in ratings.items()]
    members.write_text("\n".join(["name,rating", *lines]), encoding="utf-8")
    keizer("import", str(db), str(members))
    for _ in range(ROUNDS):
        away = [name for name in names if rng.random() < 0.1]
        if away:
            keizer("absent", str(db), *away)
        keizer("next-round", str(db))
        results = []
        for line in keizer("pairings", str(db), "--csv").splitlines()[1:]:
            board, white, black, _ = line.split(",")
            if board:
                odds = 10 ** ((ratings[white] - ratings[black]) / 800)
                results += [
                    f"{board} {rng.choices(['1-0', '0-1', '='], [odds, 1 / odds, 0.8])[0]}"
                ]
        keizer("result", str(db), "-", stdin="\n".join(results))
    with closing(sqlite3.connect(db)) as conn, conn:  # the same picture on any day
        conn.execute("UPDATE round SET last_updated = NULL")


def project(db: Path) -> Path:
    """A project file: a query to execute, and how wide columns are."""
    widths = enumerate((115, 115, 80, 80, 80, 80, 170), start=1)
    columns = "".join(f'<column index="{at}" value="{width}"/>' for at, width in widths)
    file = db.with_suffix(".sqbpro")
    file.write_text(
        f"""<?xml version="1.0" encoding="UTF-8"?>
<sqlb_project>
<db path={quoteattr(str(db))} readonly="0" foreign_keys="1"/>
<window><main_tabs open="structure browser query" current="2"/></window>
<tab_browse><browse_table_settings><table schema="main" name="round" show_row_id="0">
<column_widths>{columns}</column_widths>
<filter_values><column index="2" value="{ROUNDS}"/></filter_values>
</table></browse_table_settings></tab_browse>
<tab_sql><sql name="explanation">{EXPLANATION}</sql><current_tab id="0"/></tab_sql>
</sqlb_project>""",
        encoding="utf-8",
    )
    return file


@contextmanager
def screen(home: Path) -> Iterator[None]:
    """An X server of the size of a picture, and settings of nobody."""
    os.environ |= {"DISPLAY": DISPLAY, "HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    server = subprocess.Popen(
        ["Xvfb", DISPLAY, "-screen", "0", f"{WIDTH}x{HEIGHT}x24"],
        stderr=subprocess.DEVNULL,
    )
    try:
        time.sleep(1)
        yield
    finally:
        server.terminate()
        server.wait()


def set_up() -> None:
    """The simple layout, as large as the screen: DB Browser keeps it when it is closed."""
    program = subprocess.Popen(["sqlitebrowser"], stderr=subprocess.DEVNULL)
    window = appeared()
    xdo("windowmove", window, "0", "0", "windowsize", window, str(WIDTH), str(HEIGHT))
    xdo("windowfocus", window, "key", "alt+shift+0")
    xdo("key", "ctrl+q")
    program.wait()


@contextmanager
def browser(file: Path, complaints: int = subprocess.DEVNULL) -> Iterator[None]:
    """DB Browser on a project or a database; complaints: where it prints what it cannot read.

    Begun beside it: a database of that name in the folder where it begins goes before
    the one beside the project.
    """
    program = subprocess.Popen(
        ["sqlitebrowser", str(file)], stderr=complaints, cwd=file.parent
    )
    try:
        window = appeared()
        xdo("windowmove", window, "0", "0", "windowfocus", window)
        yield
    finally:
        program.kill()
        program.wait()


def appeared() -> str:
    """The window of DB Browser, once it is there."""
    found = run("xdotool", "search", "--sync", "--onlyvisible", "--name", "DB Browser")
    still()
    return found.split()[0]


def xdo(*steps: str) -> None:
    """Keys and clicks; then nothing moves any more."""
    run("xdotool", *steps)
    still()


def still() -> None:
    """Wait until the screen stays as it is, but for a cursor that blinks."""
    before = b""
    for _ in range(5):
        time.sleep(1.5)
        now = subprocess.run(
            ["import", "-window", "root", "rgb:-"], check=True, capture_output=True
        ).stdout
        if now == before:
            return
        before = now


def drag(start: tuple[int, int], end: tuple[int, int]) -> None:
    """Move a divider."""
    xdo("mousemove", *map(str, start), "mousedown", "1", "mousemove_relative", "0", "3")
    xdo("mousemove", *map(str, end))
    xdo("mouseup", "1")


def click(x: int, y: int, *then: str) -> None:
    """Click there; then keys and so on."""
    xdo("mousemove", str(x), str(y), "click", "1", *then)


def browse(table: str) -> None:
    """Choose a table or view in the list."""
    click(*TABLES, "type", table)
    xdo("key", "Return")


def enter(cell: tuple[int, int], value: str) -> None:
    """Change a cell, which offers the values there are."""
    click(*cell, "key", "F2")
    xdo("type", value)
    xdo("key", "Return")


def picture(name: str, folder: Path = HERE) -> None:
    """What is on the screen, as docs/clients/NAME.png."""
    file = folder / f"{name}.png"
    run(
        "import",
        "-window",
        "root",
        "+dither",
        "-colors",
        "64",
        "-strip",
        f"png8:{file}",
    )
    print(f"{file.name}: {file.stat().st_size // 1000} kB")


def main() -> None:
    """Make the file, then the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        db = home / "club.db"
        if not sys.argv[1:]:
            season(db)
        with screen(home):
            set_up()
            first_screen(home)
            if sys.argv[1:]:
                without_project(home, Path(sys.argv[1]))
            else:
                take(project(db))


def first_screen(home: Path) -> None:
    """The worked example as its project opens it."""
    db = Path(shutil.copy(SAMPLE, home / "sample.db"))
    keizer("export", str(db), str(db.with_suffix(".sqbpro")))
    with browser(db.with_suffix(".sqbpro")):
        picture("first-screen")


def without_project(home: Path, folder: Path) -> None:
    """What Browse Data shows of the file itself."""
    complaints = home / "complaints.txt"
    with complaints.open("wb") as said, browser(home / "sample.db", said.fileno()):
        click(*BROWSE)
        picture("without-project", folder)
    unread = re.findall(
        r"^Sqlite parse error: CREATE TABLE (\S+)", complaints.read_text(), re.MULTILINE
    )
    print(f"Tables that it cannot read: {', '.join(sorted({*unread})) or 'none'}.")
    print(f"Browse Data opens on {opened_on(home)}.")


def opened_on(home: Path) -> str:
    """The table that Browse Data opens on by itself, in DB Browser's own words."""
    file = home / "plain.sqbpro"
    file.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<sqlb_project><db path="sample.db"/><window>'
        '<main_tabs open="structure browser query" current="1"/></window></sqlb_project>',
        encoding="utf-8",
    )
    with browser(file):
        xdo("key", "ctrl+shift+s")
    # Lengths of schema and name, then both.
    saved = re.search(
        r'<current_table name="4,\d+:main(\w+)"/>', file.read_text(encoding="utf-8")
    )
    return saved[1] if saved else "nothing that could be saved"


def take(file: Path) -> None:
    """Each picture in turn."""
    with browser(file):
        xdo("key", "F5")
        for start, end in DIVIDERS:
            drag(start, end)
        picture("explanation")
        click(*BROWSE)
        browse("current_standings")
        picture("standings")
        browse("round")
        enter(RESULT, "1-0")
        picture("write-changes")
        click(*WRITE_CHANGES)
        browse("current_standings")
        picture("after")
        browse("round")
        enter(BLACK, "26")
        picture("refused")


if __name__ == "__main__":
    main()
