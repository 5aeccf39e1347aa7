"""Mutation testing of the SQL: python -m quality.mutants views/scoring/z_line.sql --sample 50.

Prints the small changes that no test saw, and the figures; mutants.md has both.
"""

import argparse
import os
import random
import re
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

from keizer.store import refresh, sql
from tests.support.files import ROOT

VIEWS = [
    file
    for file in sorted((ROOT / "views").glob("*/*.sql"))
    if file.stem not in ("generated", "code")
]

TOKEN = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\w+(?:\.\d+)?|<<|[<>]=|<>|\|\||\s+|.", re.DOTALL)
TABLE = "< <= >=,<= < >,> >= <=,>= > <,= <>,<> =,+ -,- +,* /,/ *,% /,<< >>,AND OR,OR AND,min max"
TABLE += ",max min,ASC DESC,DESC ASC,LEFT ,NOT ,IS IS_NOT,IN NOT_IN,EXISTS NOT_EXISTS,DISTINCT "
SWAPS = {word: others for word, *others in (line.split(" ") for line in TABLE.split(","))}
CLAUSES = {"WHERE", "ON", "HAVING", "WHEN", "AND", "OR"}
ENDS = CLAUSES | {*"),;", "THEN", "ELSE", "END", "AS", "GROUP", "ORDER", "WINDOW", "LIMIT"}
ENDS |= {"JOIN", "LEFT", "CROSS", "UNION", "BEGIN"}
GROUPED = re.compile(r"GROUP BY ([\w.]*tournament_id,)|(PARTITION BY [\w.]*tournament_id,?)")
"""By what else than conditions the tournaments of a file are told apart."""

TIEBREAKS = "tiebreak|buchholz|percentage|perf|direct|rated"
TESTS = {
    f"^(?!.*({TIEBREAKS}))": "values revaluation lines",
    TIEBREAKS: "tiebreaks",
    "settling": "settling revaluation",
    "revalue": "invariants",
    "line": "original",
    "ranking_updated": "tiebreaks standings_order",
    "": "tournaments",
}
"""By what is in the name of a view: tests/sql/test_NAME.py, those that see most changes first."""
OPTIONS = [
    "-xqq", "-pno:cacheprovider", "--assert=plain", "-Wignore", "-mnot campaign and not clients",
    "-knot (oldest or edit or vacuum)",
]  # fmt: skip
LONGEST = 300
"""Processor seconds for the tests of a view: a change can make a query endless."""

Mutant = tuple[int, int, str]
"""Two places in a file and what could stand between them; SQLite will not take it all."""


def to_end(words: Sequence[str], start: int, ends: set[str]) -> int:
    """The first word from here that ends a condition or an argument, at its own depth."""
    depth, between = 0, False
    for here, word in enumerate(words[start:], start):
        if depth == 0 and word in ends and not (between and word == "AND"):
            return here
        if depth == 0 and word in {"BETWEEN", "AND"}:
            between = word == "BETWEEN"
        depth += (word in {"(", "CASE"}) - (word in {")", "END"})
    return len(words) - 1


def mutants(text: str) -> Iterator[Mutant]:
    """Any small change, in one place after the other."""
    yield from ((*found.span(found.lastindex or 0), "") for found in GROUPED.finditer(text))
    tokens = [
        token for token in TOKEN.finditer(text) if not token[0].isspace() and token[0][:2] != "--"
    ]
    words = [token[0] for token in tokens]
    for index, (token, word) in enumerate(zip(tokens, words, strict=True)):
        before, after = words[index - 1], [*words, ""][index + 1]
        if not (word in {"IN", "EXISTS"} and before == "NOT") and (word, after) != ("IS", "NOT"):
            yield from ((*token.span(), new.replace("_", " ")) for new in SWAPS.get(word, ()))
        if word.isdigit():
            yield *token.span(), {"0": "1", "1": "0"}.get(word, str(int(word) + 1))
        if (before, word) in {("NULLS", "LAST"), ("UNION", "ALL")}:
            yield *token.span(), "FIRST" if word == "LAST" else ""
        if word == "COALESCE":
            whole, first = to_end(words, index + 2, {")"}), index + 2
            while first < whole:
                last = to_end(words, first, {",", ")"})
                new = text[tokens[first].start() : tokens[last - 1].end()]
                yield token.start(), tokens[whole].end(), new
                first = last + 1
        if word in CLAUSES:
            stop = to_end(words, index + 1, ENDS)
            if word != "WHEN" or words[stop] in {"AND", "OR", "BEGIN"}:
                new = "0" if "OR" in {word, words[stop]} else "1"
                yield tokens[index + 1].start(), tokens[stop - 1].end(), new


def loads(script: str, name: str) -> bool:
    """Whether SQLite takes the view and its triggers at all."""
    try:
        conn = sqlite3.connect(":memory:")
        conn.executescript(f"{script}; SELECT * FROM {name}")
        conn.execute(f"EXPLAIN INSERT INTO {name} SELECT * FROM {name}")
    except sqlite3.Error as error:
        return "cannot modify" in str(error)  # it has no triggers
    return True


def is_killed(file: Path, text: str, tests: Sequence[str]) -> bool:
    """Run tests with this text in place of a file of SQL, in another process; tell if one fails."""
    if pid := os.fork():
        return os.waitpid(pid, 0)[1] != 0
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for of_an_earlier_script in (refresh.own_code, refresh.lasting, refresh.as_made):
        of_an_earlier_script.cache_clear()
    changed = f"{file.parent.name}/{file.stem}"
    files = sql._files  # noqa: SLF001

    def read(pattern: str) -> dict[str, str]:
        return {name: text if name == changed else own for name, own in files(pattern).items()}

    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    with patch.object(sql, "_files", read):
        os._exit(pytest.main([*OPTIONS, *tests]))


def try_all(path: Path, rng: random.Random, most: int) -> None:
    """Change a file one place at a time, and say what nothing saw."""
    script, text = sql.script(), path.read_text(encoding="utf-8")
    made = re.search(r"^CREATE (?:VIEW|TRIGGER .* ON) (\w+)", text, re.MULTILINE)
    names = [
        name
        for kind, names in TESTS.items()
        if re.search(kind, path.stem)
        for name in names.split()
    ]
    tests = [f"tests/sql/test_{name}.py" for name in names]
    assert not is_killed(path, text, tests), "the tests fail without a change"
    assert is_killed(path, "", tests), "the tests have a file from elsewhere"
    every = sorted({*mutants(text)})
    counts = Counter[str]()
    for begin, end, new in sorted(rng.sample(every, min(most, len(every)))):
        changed = text[:begin] + new + text[end:]
        if not loads(script.replace(text, changed), made[1] if made else "problems"):
            counts["dead by syntax"] += 1
        elif is_killed(path, changed, tests):
            counts["killed"] += 1
        else:
            counts["survived"] += 1
            line, column = text.count("\n", 0, begin) + 1, begin - text.rfind("\n", 0, begin)
            change = f"{' '.join(text[begin:end].split())} -> {' '.join(new.split()) or 'nothing'}"
            print(f"{path.name}:{line}:{column}: {change}", flush=True)  # noqa: T201
    print(f"{path.name}: {dict(counts)} of {len(every)}", flush=True)  # noqa: T201


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path, default=VIEWS)
    parser.add_argument(
        "--sample", type=int, default=10**6, help="the number of mutants of each file"
    )
    asked = parser.parse_args()
    for file in asked.files:
        try_all(file, random.Random(1), asked.sample)
