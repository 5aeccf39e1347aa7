"""A season file with a bit turned over, or cut short: told in a sentence, never ignored."""

import random
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from quality.campaign.commands import FILE, keizer
from quality.campaign.jobs import Outcome
from quality.campaign.judging import one_sentence
from quality.campaign.setting import SEED, Part, Setting

Rows = Mapping[str, list[Any] | None]
"""By query what it finds; None: it finds nothing any more."""
EVERYTHING = """
SELECT 'SELECT * FROM "' || name || '"' FROM sqlite_master
WHERE type = 'table' OR name IN ('pairings', 'standings')
"""
"""The queries for all that a file says: its tables, and what is printed."""


class Damage(NamedTuple):
    """Bit 9 is turned over, counted from the start of the file; or it is cut to 9 bytes."""

    what: str
    at: int

    def __str__(self) -> str:
        return f"{self.what} {self.at}"

    def done_to(self, data: bytes) -> bytes:
        """The damaged file."""
        if self.what == "cut to":
            return data[: self.at]
        byte, bit = divmod(self.at, 8)
        return data[:byte] + bytes([data[byte] ^ 1 << bit]) + data[byte + 1 :]


def said_by(db: Path, queries: Iterable[str]) -> Rows:
    """What a file says."""
    found: dict[str, list[Any] | None] = {}
    with closing(sqlite3.connect(f"{db.as_uri()}?mode=ro", uri=True)) as conn:
        conn.text_factory = bytes  # no letter is lost where it is no UTF-8 any more
        for query in queries:
            found[query] = None
            with suppress(sqlite3.Error):
                found[query] = sorted(conn.execute(query), key=repr)
    return found


def damaged(data: bytes, sound: Rows, scratch: Path, damage: Damage) -> Outcome:
    """One copy: what the commands say of it, and whether they would have to."""
    outcome = Outcome()
    db, written = scratch / FILE, scratch / "written.db"
    for path in (db, written):
        path.write_bytes(damage.done_to(data))
    for line in (["standings", db], ["result", written, 1, "0-1"], ["check", db]):
        said = keizer(*line)
        if said.exception is not None and not isinstance(said.exception, SystemExit):
            outcome.failures.append(f"{line[0]}: {said.exception!r}")
        elif said.exit_code and not one_sentence(said.stderr):
            outcome.failures.append(f"{line[0]}: no sentence: {said.stderr[:200]!r}")
    if said.exit_code:
        outcome.figures["`keizer check` says so"] += 1
        return outcome
    now = said_by(db, sound)
    differ = [query for query, rows in sound.items() if rows != now[query]]
    outcome.figures["undetected change" if differ else "nothing changed"] += 1
    outcome.failures += [f"undetected, differs in: {query}" for query in differ]
    return outcome


def main(setting: Setting) -> Part:
    """Bits and lengths at random."""
    part = Part("flips")
    _, season = setting.clubs
    with closing(sqlite3.connect(season)) as conn:
        sound = said_by(season, [query for (query,) in conn.execute(EVERYTHING)])
    data, rng = season.read_bytes(), random.Random(SEED)
    points = [
        Damage("bit", rng.randrange(8 * len(data))) for _ in range(setting.size.flips)
    ]
    points += [
        Damage("cut to", rng.randrange(len(data))) for _ in range(setting.size.cuts)
    ]
    for damage, outcome in setting.work_off(partial(damaged, data, sound), points):
        part.add(str(damage), outcome)
    return part
