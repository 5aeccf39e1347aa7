"""A season file with a bit turned over, or cut short: told in a sentence, never passed over."""

import random
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from quality.campaign.clubs import keizer
from quality.campaign.commands import FILE
from quality.campaign.jobs import Outcome
from quality.campaign.judging import one_sentence
from quality.campaign.setting import Part, Setting

PRINTED = ("pairings", "standings")
"""The views behind what is printed of a round; its facts are looked up."""
COMPUTED = ("ranking_list", "settling", "tiebreak_value", "published", "rule_change", "log")
"""Tables with a round that say no fact of it."""


class Damage(NamedTuple):
    """A bit, counted from the start of the file; or how many bytes are left."""

    bit: int | None = None
    left: int | None = None

    def done_to(self, data: bytes) -> bytes:
        """The damaged file."""
        if self.bit is None:
            return data[: self.left]
        at, mask = self.bit // 8, 1 << self.bit % 8
        return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


@dataclass(frozen=True)
class Original:
    """The file as it was: its bytes, what its closed rounds say, and what is where."""

    data: bytes
    closed: int
    queries: Mapping[str, str]
    rows: Mapping[str, list[Any]]
    pages: Mapping[int, str]
    page_size: int

    def where(self, damage: Damage) -> str:
        """Offset and table, or length."""
        if damage.bit is None:
            return f"cut to {damage.left} of {len(self.data)} bytes"
        page = damage.bit // 8 // self.page_size + 1
        holds = self.pages.get(page, "no table")
        return f"offset {damage.bit // 8}, bit {damage.bit % 8} (page {page}: {holds})"


def _pages(conn: sqlite3.Connection) -> dict[int, str]:
    """Which table or index has which page, where this SQLite can tell."""
    try:
        return dict(conn.execute("SELECT pageno, name FROM dbstat"))
    except sqlite3.OperationalError:
        return {}


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
        (page_size,) = conn.execute("PRAGMA page_size").fetchone()
        pages = _pages(conn)
        rows = {name: _rows(conn, query) for name, query in queries.items()}
        return Original(db.read_bytes(), closed, queries, rows, pages, page_size)


def _rows(conn: sqlite3.Connection, query: str) -> list[Any]:
    conn.text_factory = bytes  # no letter is lost where it is no UTF-8 any more
    return sorted(conn.execute(query), key=repr)


def changed(db: Path, was: Original) -> list[str]:
    """Which columns of facts and tables of closed rounds are not what they were."""
    differ: list[str] = []
    with closing(sqlite3.connect(f"{db.as_uri()}?mode=ro", uri=True)) as conn:
        for name, query in was.queries.items():
            try:
                rows = _rows(conn, query)
            except sqlite3.Error as error:
                differ.append(f"{name} ({error})")
                continue
            if rows != was.rows[name]:
                differ += _columns(name, query, rows, was.rows[name])
    return differ


def _columns(name: str, query: str, rows: list[Any], before: list[Any]) -> list[str]:
    """The columns that have other values; or that there are other rows."""
    if len(rows) != len(before):
        return [f"{name}: {len(rows)} rows, not {len(before)}"]
    columns = query.removeprefix("SELECT ").partition(" FROM ")[0].split(",")
    then, now = (list(zip(*found, strict=True)) for found in (before, rows))
    differ = [
        f"{name}.{column}"
        for column, one, other in zip(columns, then, now, strict=True)
        if Counter(one) != Counter(other)
    ]
    return differ or [f"{name}: rows"]


def damaged(was: Original, scratch: Path, damage: Damage) -> Outcome:
    """One copy: what the commands say of it, and whether they would have to."""
    outcome = Outcome()
    db, written = scratch / FILE, scratch / "written.db"
    data = damage.done_to(was.data)
    db.write_bytes(data)
    written.write_bytes(data)
    found = {}
    for line in (["check", db], ["standings", db], ["result", written, 1, "0-1"]):
        result = keizer(*line)
        found[line[0]] = result.exit_code
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            outcome.failures.append(f"{line[0]}: {result.exception!r}")
        elif result.exit_code and not one_sentence(result.stderr):
            outcome.failures.append(f"{line[0]}: no sentence: {result.stderr[:200]!r}")
    if found["check"]:
        outcome.figures["`keizer check` says so"] += 1
        return outcome
    differ = changed(db, was)
    outcome.figures["undetected change of a closed round" if differ else "nothing changed"] += 1
    if differ:
        outcome.failures.append(f"undetected, differs in: {', '.join(differ)}")
        outcome.found = differ
    return outcome


def main(setting: Setting) -> Part:
    """Bits and lengths at random."""
    part = Part("flips")
    was = original(setting.clubs.season)
    rng = random.Random(setting.size.seed)
    points = [Damage(bit=rng.randrange(8 * len(was.data))) for _ in range(setting.size.flips)]
    points += [Damage(left=rng.randrange(len(was.data))) for _ in range(setting.size.cuts)]
    part.say(f"{len(was.data)} bytes, {was.closed} closed rounds")
    undetected: Counter[str] = Counter()
    for damage, outcome in setting.work_off(partial(damaged, was), points):
        part.add(was.where(damage), outcome)
        undetected.update(outcome.found or ())
    for table, number in undetected.most_common():
        part.say(f"undetected in {table}: {number}")
    return part
