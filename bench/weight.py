"""A season imported with one command: how long it takes, and how many bytes a game has."""

import os
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple

from bench import files
from bench.measure import Bar, Part, figure, table
from bench.process import ENVIRONMENT, KEIZER, run
from bench.seasons import Season, season
from keizer.formats import trf
from keizer.season import presence, publication, results, roster, rounds
from keizer.season import tournaments as steps
from keizer.store import database

SECONDS = 60
BYTES = 200

_OF = {
    "log": ("log", "step"),
    "tables of the season (ranking_list)": ("ranking_list",),
    "games": ("round",),
    "unplayed rounds": ("unplayed",),
    "tables, views and triggers as SQL": ("sqlite_schema", "sqlite_master"),
}
"""Tables by what they are for; an index counts with its table."""


class Imported(NamedTuple):
    """What one import came to."""

    games: int
    wall: float
    cpu: float
    size: int
    empty: int
    parts: Mapping[str, int]
    """Bytes by what they are for; nothing where SQLite cannot tell."""


def imported(made: Season, folder: Path) -> Imported:
    """`keizer import` of its report, in a process of its own, into a new file."""
    report, club = folder / "season.trf", folder / "club.db"
    club.unlink(missing_ok=True)
    files.report(made, report)
    run([*KEIZER, "init", club.name, "--name", made.name], folder)
    empty = club.stat().st_size
    start = perf_counter()
    with subprocess.Popen(  # noqa: S603
        [*KEIZER, "import", club.name, report.name],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = perf_counter() - start
    with closing(sqlite3.connect(club)) as conn:
        _check(conn, made, process.returncode)
        parts = _parts(conn)
    cpu = used.ru_utime + used.ru_stime
    size = club.stat().st_size
    return Imported(len(made.games), wall, cpu, size, empty, parts)


def _check(conn: sqlite3.Connection, made: Season, code: int) -> None:
    """Everything has to be there, dated and valued."""
    found = conn.execute(
        "SELECT (SELECT count(*) FROM round), (SELECT count(*) FROM schedule),"
        " (SELECT max(round_number) FROM ranking_list), (SELECT count(*) FROM problems)"
    ).fetchone()
    if code or found != (len(made.games), len(made.dates), len(made.dates), 0):
        raise RuntimeError(f"the import failed: {code}, {found}")


def _parts(conn: sqlite3.Connection) -> dict[str, int]:
    """Bytes by what they are for; the file's own SQL may not count its pages."""
    try:
        pages = conn.execute(
            "SELECT COALESCE(m.tbl_name, s.name), sum(s.pgsize) FROM dbstat AS s"
            " LEFT JOIN sqlite_master AS m ON m.name = s.name GROUP BY 1"
        ).fetchall()
    except sqlite3.OperationalError:
        return {}
    parts = dict.fromkeys([*_OF, "all else"], 0)
    for name, size in pages:
        of = next((it for it, tables in _OF.items() if name in tables), "all else")
        parts[of] += size
    return parts


def _steps(made: Season, folder: Path) -> Iterator[tuple[str, float]]:
    """Processor time of the steps of an import, in this process."""
    report = folder / "steps.trf"
    files.report(made, report)
    start = process_time()
    trf.parse(report.read_bytes())
    parsed = process_time()
    with closing(files.empty()) as conn:
        conn.row_factory = sqlite3.Row
        tournament = steps.add_tournament(conn, made.name)
        conn.execute("BEGIN")
        before = process_time()
        with steps.suspended(conn, tournament):
            trf.season(conn, tournament, report)
            written = process_time()
        valued = process_time()
        conn.execute("COMMIT")
    yield "reading the report", parsed - start
    yield "writing facts and log", written - before - (parsed - start)
    yield "every table", valued - written


def imports(sizes: Sequence[tuple[int, int]]) -> Part:
    """Seasons of so many players and rounds; the last one is that of the bars."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        made = {size: season(players=size[0], rounds=size[1]) for size in sizes}
        found = {size: imported(it, folder) for size, it in made.items()}
        spent = {size: dict(_steps(it, folder)) for size, it in made.items()}
        played = _played(made[sizes[0]], folder / "played.db")
    names = [f"{players:,} x {number}" for players, number in sizes]
    text = table(
        ["season, players x rounds", *names],
        [
            ["games", *(f"{it.games:,}" for it in found.values())],
            ["wall time, s", *(figure(it.wall) for it in found.values())],
            ["processor time, s", *(figure(it.cpu) for it in found.values())],
            *(
                [f"... {step}", *(figure(spent[size][step]) for size in sizes)]
                for step in spent[sizes[0]]
            ),
        ],
    )
    text += "\n" + table(
        ["bytes a game", *names],
        [
            ["**the file**", *(f"**{it.size / it.games:,.0f}**" for it in found.values())],
            *(
                [f"... {part}", *(f"{it.parts[part] / it.games:,.0f}" for it in found.values())]
                for part in found[sizes[0]].parts
            ),
            ["without what an empty file has", *(_more(it) for it in found.values())],
        ],
    )
    text += (
        f"\nAn empty file has {found[sizes[0]].empty:,} bytes, whatever comes into it. The season"
        f" of {names[0]},\nplayed with the commands evening by evening, has {played:,.0f} bytes a"
        " game: the log has every game\ntwice, as paired and with its result.\n"
    )
    last = found[sizes[-1]]
    text += f"\n{_why(names[-1], last)}\n"
    return Part(
        text,
        [
            Bar(
                f"a season of {names[-1]} imported and valued, wall time",
                SECONDS,
                last.wall,
                unit="s",
            ),
            Bar(f"its file, bytes a game ({last.games:,} games)", BYTES, last.size / last.games,
                unit="bytes"),
        ],
    )  # fmt: skip


def _why(name: str, it: Imported) -> str:
    """Why a game has no fewer bytes than it has."""
    log, ranking = (round(it.parts.get(part, 0) / it.games) for part in list(_OF)[:2])
    return (
        f"Of {round(it.size / it.games):,} bytes a game in {name}, {log} are the log: what every"
        " row of a fact was, for\n`undo` and for `check`, which tells by it what was changed past"
        f" the file's rules. {ranking} are the table\nafter each round, two rows a game, so that"
        " every standing there was is looked up and not\ncomputed, in any client. Both are kept on"
        " purpose, and the bar is below what they take."
    )


def _more(it: Imported) -> str:
    return f"{(it.size - it.empty) / it.games:,.0f}"


def _played(made: Season, path: Path) -> float:
    """Bytes a game of a season that was paired and entered round by round."""
    database.create(path, lambda conn: steps.add_tournament(conn, made.name))
    with database.writing(path) as conn, steps.suspended(conn, 1):
        for person in made.players:
            details = {"rating": person.rating, "fide_id": person.fide_id}
            roster.enter(conn, 1, person.name, **details)
    games = 0
    for number, day in enumerate(made.dates, 1):
        with database.writing(path) as conn:
            publication.set_date(conn, 1, number, day)
            for it in made.unplayed:
                if it.round_number == number and it.kind != "bye":
                    presence.sign_off(conn, 1, [it.player], kind=it.kind)
            rounds.next_round(conn, 1)
        with database.writing(path) as conn:
            boards = steps.open_boards(conn, 1, number)
            scores = [it.result for it in made.games if it.round_number == number]
            games += len(boards)
            results.enter_results(conn, 1, list(zip(boards, scores, strict=False)))
    return path.stat().st_size / games
