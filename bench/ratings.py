"""How long `keizer ratings` takes over FIDE's list, and how much memory it needs."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import click

from bench.seasons import fide_id, names

KEIZER = [sys.executable, "-m", "keizer"]
MEMBERS = 60
MOST = 100
"""Megabytes of memory that may be needed, whatever the list's size."""

PLAYER = """<player>
<fideid>{number}</fideid>
<name>{last}, {first}</name>
<country>{country}</country>
<sex>{sex}</sex>
<title>{title}</title>
<w_title></w_title>
<o_title></o_title>
<foa_title></foa_title>
<rating>{rating}</rating>
<games>{games}</games>
<k>20</k>
<rapid_rating>{rapid}</rapid_rating>
<rapid_games>0</rapid_games>
<rapid_k>20</rapid_k>
<blitz_rating>{blitz}</blitz_rating>
<blitz_games>0</blitz_games>
<blitz_k>20</blitz_k>
<birthday>{born}</birthday>
<flag></flag>
</player>
"""


def player(at: int) -> str:
    """A player as FIDE's list has him; six in ten are unrated."""
    first, last = names(at)
    rating = 1400 + at * 7 % 1200 if at % 5 < 2 else 0  # noqa: PLR2004
    return PLAYER.format(
        number=fide_id(at),
        last=last,
        first=first,
        country=("NED", "GER", "IND", "ESP", "FRA", "POL")[at % 6],
        sex="F" if at % 9 == 0 else "M",
        title="FM" if at % 200 == 0 else "",
        rating=rating,
        games=at % 11,
        rapid=rating and rating - 20,
        blitz=rating and rating + 15,
        born=1940 + at % 75,
    )


def players(size: int) -> Iterator[str]:
    """Players until the list has so many bytes."""
    at = 0
    while size > 0:
        found = player(at)
        size -= len(found)
        at += 1
        yield found


def write(path: Path, size: int) -> int:
    """A list of that size; how many players it has."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("<playerslist>\n")
        for found in players(size):
            file.write(found)
            count += 1
        file.write("</playerslist>\n")
    return count


def club(folder: Path, count: int) -> Path:
    """A season file with members from the whole list, none with his id."""
    file, members = folder / "club.db", folder / "members.csv"
    rated = range(0, count - count % 5, count // MEMBERS // 5 * 5 or 5)
    people = [" ".join(names(at)) for at in rated][:MEMBERS]
    members.write_text("name\n" + "\n".join(people) + "\n", encoding="utf-8")
    for line in (["init", file, "--name", "Club"], ["import", file, members]):
        subprocess.run(  # noqa: S603
            [*KEIZER, *map(str, line)], stdout=subprocess.DEVNULL, check=True
        )
    return file


def measure(megabytes: int) -> None:
    """One import, in a process of its own."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        path, out = folder / "players_list_xml_foa.xml", folder / "diff.json"
        count = write(path, megabytes * 1_000_000)
        line = [*KEIZER, "ratings", str(club(folder, count)), str(path), "--json"]
        start = perf_counter()
        with out.open("wb") as file, subprocess.Popen(line, stdout=file) as process:  # noqa: S603
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = perf_counter() - start
        if process.returncode:
            raise RuntimeError("the import failed")
        found = [row for row in json.loads(out.read_bytes()) if row["after"]]
        if len(found) != MEMBERS:
            raise RuntimeError(f"{len(found)} of {MEMBERS} members found")
        peak = used.ru_maxrss / 1024
        size = path.stat().st_size / 1_000_000
    busy = used.ru_utime + used.ru_stime
    click.echo("| list | players | wall time | MB/s | processor time | MB/s | peak memory |")
    click.echo("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    click.echo(
        f"| {size:.0f} MB | {count:,} | {seconds:.1f} s | {size / seconds:.0f}"
        f" | {busy:.1f} s | {size / busy:.0f} | {peak:.0f} MB |"
    )
    if peak > MOST:
        raise RuntimeError(f"more than {MOST} MB of memory were needed")


def main() -> None:
    """The list as large as FIDE's, or a short one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="8 MB instead of 800")
    measure(8 if parser.parse_args().quick else 800)


if __name__ == "__main__":
    main()
