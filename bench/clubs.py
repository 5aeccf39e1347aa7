"""Files of many clubs, a season each, in a folder for each club.

python -m bench.clubs FOLDER --files 5000 makes them, on all cores: the same files every
time, but for the times in their logs. Each club has ten seasons in a row;
`bench.seasons` says who is a member of what.
"""

import argparse
import sqlite3
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import cache, partial
from pathlib import Path

import click

from bench import files
from bench.seasons import season

SEASONS = 10
"""Of each club."""


def make(folder: Path, count: int, *, players: int = 40, rounds: int = 33) -> list[Path]:
    """So many files in a folder, which is made; on all cores."""
    folder.mkdir(parents=True, exist_ok=True)
    one = partial(_file, folder, players, rounds)
    with ProcessPoolExecutor() as processes:
        return list(processes.map(one, range(count), chunksize=SEASONS))


def _file(folder: Path, players: int, rounds: int, at: int) -> Path:
    club, number = divmod(at, SEASONS)
    path = folder / f"Club {club:04}" / f"{2000 + number}.db"
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.deserialize(_empty())
        files.add(conn, season(club, number, players=players, rounds=rounds))
        path.write_bytes(conn.serialize())
    return path


@cache
def _empty() -> bytes:
    with closing(files.empty()) as conn:
        return conn.serialize()


def main() -> None:
    """Make them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=33)
    chosen = parser.parse_args()
    made = make(chosen.folder, chosen.files, players=chosen.players, rounds=chosen.rounds)
    size = sum(path.stat().st_size for path in made)
    click.echo(f"{len(made):,} files, {size / 1_000_000:,.0f} MB, in {chosen.folder}.")


if __name__ == "__main__":
    main()
