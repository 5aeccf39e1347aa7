"""What views and statements cost, in steps of SQLite's virtual machine: no clock is asked.

costs.csv has a row per public view (with its latest round; "whole": all rounds) and statement on
facts: its steps by players and state of the round, how many instructions are prepared for a
statement, and the laws that it breaks today, with the ratio. bench/costs.py says what these are.
The figures are those of one SQLite, which the file names; in another, only laws are asserted.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pysqlite3
import pytest

from bench import costs
from tests.support.files import run_keizer

ANEW = "python -m bench.costs makes tests/sql/costs.csv anew"


def near(figure: int | None, due: int | None) -> bool:
    """Within a tenth, and twice what a count may miss."""
    return (
        figure is not None
        and due is not None
        and abs(figure - due) <= due / 10 + 2 * costs.EACH
    )


def compare(column: str, found: dict[str, int]) -> None:
    """Assert that a column is as it is on file."""
    made_with, table = costs.filed()
    if made_with != costs.VERSION:
        pytest.skip(f"the figures are those of {made_with}")
    due = {
        what: row.figures[column]
        for what, row in table.items()
        if column in row.figures
    }
    due = {what: figure for what, figure in due.items()
        if what in found or not what.endswith(costs.WHOLE)}  # fmt: skip
    wrong = {what: (found.get(what), due.get(what)) for what in found.keys() | due.keys()
        if not near(found.get(what), due.get(what))}  # fmt: skip
    assert wrong == {}, f"found, and on file; if this is meant: {ANEW}"


@pytest.mark.parametrize("column", costs.FIGURES)
def test_each_costs_what_is_on_file(column: str) -> None:
    compare(column, costs.costs(costs.FIGURES[column]))


@pytest.mark.seeds
@pytest.mark.parametrize("column", ["50", "50 draft"])
def test_all_rounds_cost_what_is_on_file(column: str) -> None:
    compare(column, costs.costs(costs.FIGURES[column], whole=True))


def test_preparing_costs_what_is_on_file() -> None:
    compare(costs.PREPARED, costs.compiled())


READS = {"possible_boards", "game paired", "next round"}
ELSEWHERE = {"analyze": READS, "analyze draft": READS}
"""What breaks a law in SQLite 3.40.1 and not in that of the file."""


CASES = [
    (law, engine) for law in costs.LAWS for engine in (pysqlite3, sqlite3)
    if engine is pysqlite3 or law in ("ten", "analyze", "linear", "linear draft")
]  # fmt: skip
"""Every law; in the SQLite that Python has, those that other indexes may break."""


@pytest.mark.seeds
@pytest.mark.parametrize(("law", "engine"), CASES)
def test_laws_are_broken_only_where_it_is_known(law: str, engine: Any) -> None:
    """Other tournaments cost nothing, ANALYZE changes nothing, and players cost in proportion.

    What has become good has to go from the list, which can only get shorter.
    """
    made_with, table = costs.filed()
    found = costs.broken(law, engine)
    known = {what: row.known[law] for what, row in table.items() if law in row.known}
    elsewhere = ELSEWHERE.get(law, set()) if engine is sqlite3 else set()
    assert found.keys() <= known.keys() | elsewhere, found
    if engine is pysqlite3 and made_with == costs.VERSION:
        rest = {what for what in known if not what.endswith(costs.WHOLE)}
        assert found.keys() == rest, f"become good: {rest - found.keys()}: {ANEW}"
        assert all(ratio <= 1.1 * known[what] + 0.1 for what, ratio in found.items()), (
            found
        )


def test_what_analyze_counted_is_gone_with_the_next_command(club: Path) -> None:
    with closing(sqlite3.connect(club)) as conn:
        conn.execute("ANALYZE")
        assert conn.execute("SELECT count(*) FROM sqlite_stat1").fetchone() > (0,)
        run_keizer("absent", club, "Anna")
        assert conn.execute("SELECT count(*) FROM sqlite_stat1").fetchone() == (0,)
