"""A season file with a bit turned over, or cut short: told in a sentence, never ignored."""

import random
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from quality.campaign.clubs import keizer
from quality.campaign.commands import FILE
from quality.campaign.jobs import Outcome
from quality.campaign.judging import one_sentence
from quality.campaign.setting import SEED, Part, Setting

PRINTED = ("pairings", "standings")
"""The views behind what is printed of a round; its facts are looked up."""
COMPUTED = ("ranking_list", "settling", "tiebreak_value", "published", "rule_change", "log")
"""Tables with a round that say no fact of it."""


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


class Original(NamedTuple):
    """The file as it was: its bytes, and what its closed rounds say."""

    data: bytes
    closed: int
    queries: Mapping[str, str]
    rows: Mapping[str, list[Any]]


def original(db: Path) -> Original:
    """What has to come out of every copy that passes for sound."""
    with closing(sqlite3.connect(db)) as conn:
        (closed,) = conn.execute(
            "SELECT max(round_number) FROM schedule WHERE published_at IS NOT NULL"
        ).fetchone()
        with_rounds = conn.execute(
            "SELECT t.name, group_concat(c.name) AS columns FROM sqlite_master AS t"
            " JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' OR t.name IN (?, ?)"
            " GROUP BY t.name HAVING sum(c.name = 'round_number')",
            PRINTED,
        )
        queries = {
            name: f"SELECT {columns} FROM {name} WHERE round_number <= {closed}"
            for name, columns in with_rounds
            if name not in COMPUTED
        }
        rows = {name: _rows(conn, query) for name, query in queries.items()}
        return Original(db.read_bytes(), closed, queries, rows)


def _rows(conn: sqlite3.Connection, query: str) -> list[Any]:
    conn.text_factory = bytes  # no letter is lost where it is no UTF-8 any more
    return sorted(conn.execute(query), key=repr)


def changed(db: Path, season: Original) -> list[str]:
    """Which facts and tables of closed rounds are not what they were."""
    differ = []
    with closing(sqlite3.connect(f"{db.as_uri()}?mode=ro", uri=True)) as conn:
        for name, query in season.queries.items():
            with suppress(sqlite3.Error):
                if _rows(conn, query) == season.rows[name]:
                    continue
            differ.append(name)
    return differ


def damaged(season: Original, scratch: Path, damage: Damage) -> Outcome:
    """One copy: what the commands say of it, and whether they would have to."""
    outcome = Outcome()
    db, written = scratch / FILE, scratch / "written.db"
    data = damage.done_to(season.data)
    db.write_bytes(data)
    written.write_bytes(data)
    for line in (["standings", db], ["result", written, 1, "0-1"], ["check", db]):
        said = keizer(*line)
        if said.exception is not None and not isinstance(said.exception, SystemExit):
            outcome.failures.append(f"{line[0]}: {said.exception!r}")
        elif said.exit_code and not one_sentence(said.stderr):
            outcome.failures.append(f"{line[0]}: no sentence: {said.stderr[:200]!r}")
    if said.exit_code:
        outcome.figures["`keizer check` says so"] += 1
        return outcome
    differ = changed(db, season)
    outcome.figures["undetected change of a closed round" if differ else "nothing changed"] += 1
    outcome.figures.update(f"undetected in {table}" for table in differ)
    if differ:
        outcome.failures.append(f"undetected, differs in: {', '.join(differ)}")
    return outcome


def main(setting: Setting) -> Part:
    """Bits and lengths at random."""
    part = Part("flips")
    season = original(setting.clubs.season)
    rng = random.Random(SEED)
    size = len(season.data)
    points = [Damage("bit", rng.randrange(8 * size)) for _ in range(setting.size.flips)]
    points += [Damage("cut to", rng.randrange(size)) for _ in range(setting.size.cuts)]
    part.say(f"{size} bytes, {season.closed} closed rounds")
    for damage, outcome in setting.work_off(partial(damaged, season), points):
        part.add(str(damage), outcome)
    return part
