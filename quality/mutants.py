"""Mutation testing of the SQL: python -m quality.mutants views/scoring/line.sql --sample 50.

Prints the small changes that no test saw, and the figures; mutants.md has both.
"""

import argparse
import os
import random
import re
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from conformance import seasons as oracle
from keizer.store import refresh, sql
from tests.sql import test_lines, test_revaluation, test_tiebreaks, test_tournaments
from tests.support.files import ROOT

VIEWS = [
    file
    for file in sorted((ROOT / "views").glob("*/*.sql"))
    if file.stem not in ("generated", "code")
]

SEEDS = 10
"""Files of several tournaments that show whether one has to do with another."""

QUICK = [0, 3, 4, 7, 8, 10, 11, 14, 15, 19, 21, 22]
"""Random rules whose seasons take no more than half a second."""

TOKEN = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\w+(?:\.\d+)?|<<|[<>]=|<>|\|\||\s+|.", re.DOTALL)
TABLE = "< <= >=,<= < >,> >= <=,>= > <,= <>,<> =,+ -,- +,* /,/ *,% /,<< >>,AND OR,OR AND,min max"
TABLE += ",max min,ASC DESC,DESC ASC,LEFT ,NOT ,IS IS_NOT,IN NOT_IN,EXISTS NOT_EXISTS,DISTINCT "
SWAPS = {word: others for word, *others in (line.split(" ") for line in TABLE.split(","))}
CLAUSES = {"WHERE", "ON", "HAVING", "WHEN", "AND", "OR"}
ENDS = CLAUSES | {*"),;", "THEN", "ELSE", "END", "AS", "GROUP", "ORDER", "WINDOW", "LIMIT"}
ENDS |= {"JOIN", "LEFT", "CROSS", "UNION", "BEGIN"}
BY_HAND = {
    "revalue": [
        "tests/sql/test_revaluation.py",
        "tests/sql/test_invariants.py::test_a_recomputation_changes_nothing",
        "-knot (jdbc or shell or oldest or random or edit or vacuum)",
    ],
    "settling": ["tests/sql/test_settling.py"],
    "line": ["tests/sql/test_original.py", "-kfollow_up_round"],
    "ranking_updated": [
        "tests/sql/test_tiebreaks.py::test_each_tournament_of_a_file_has_an_order_of_its_own",
        "tests/sql/test_standings_order.py",
    ],
}
"""Other tests of a view that need no other program."""

GROUPED = re.compile(r"GROUP BY ([\w.]*tournament_id,)|(PARTITION BY [\w.]*tournament_id,?)")
"""By what else than conditions the tournaments of a file are told apart."""

SECONDS: dict[str, float] = {}
"""How long each test takes, once it has passed."""

PLAIN = [
    "-xqq",
    "-pno:cacheprovider",
    "--assert=plain",
    "-Wignore",
    "-mnot campaign and not clients",
]

Test = tuple[str, Callable[[], object]]
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


def tests_of(name: str) -> list[Test]:
    """What sees most changes to a view: random seasons of the oracles."""
    if re.search("tiebreak|buchholz|percentage|perf|direct|rated", name):
        chosen = {test_tiebreaks.test_every_value_and_key_of_a_random_tournament: [*range(8)]}
        chosen[test_tiebreaks.test_places_of_a_random_order] = [*range(8)]
    else:
        every = [*range(24)] if "settling" in name else QUICK
        chosen = {test_revaluation.test_random_rules_agree_with_the_oracle: every}
        chosen[test_revaluation.test_random_seasons_agree_with_the_oracle] = [8, 16]
        chosen[test_lines.test_every_line_of_many_tournaments_in_one_file] = [0, 1]
    chosen[test_tournaments.test_a_tournament_is_as_it_would_be_alone] = [*range(SEEDS)]
    more = [run for kind, named in BY_HAND.items() if re.search(kind, name) for run in named]
    found: list[Test] = [
        (f"{run.__name__} {n}", partial(run, n)) for run, seeds in chosen.items() for n in seeds
    ]
    by_hand = {
        "by hand": [*more, "tests/sql/test_values.py"],
        "tournaments": ["tests/sql/test_tournaments.py", "-knot alone"],
    }
    found += [(name, partial(pytest.main, [*PLAIN, *run])) for name, run in by_hand.items()]
    return found


def killed_by(script: str, tests: Sequence[Test]) -> str | None:
    """What sees the changed script, in a process of its own; None where nothing does."""
    if pid := os.fork():
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return "time" if status < 0 else tests[status - 1][0] if status else None
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    code = script.removeprefix(sql.schema_script())
    refresh._new_file.cache_clear()  # noqa: SLF001 - what an earlier script made
    with patch.multiple(sql, script=lambda: script, code_script=lambda: code):
        for number, (_, test) in enumerate(tests, 1):
            signal.setitimer(signal.ITIMER_PROF, 60)  # a change can make a query endless
            with suppress(BaseException):
                if not test():  # None of a test, 0 of pytest
                    continue
            os._exit(number)
    os._exit(0)


def said(season: oracle.Season, known: dict[str, oracle.Chain] = {}) -> oracle.Chain:  # noqa: B006
    """What the oracle says of a season, whatever the SQL is: it is asked once."""
    return known.get(repr(season)) or known.setdefault(repr(season), oracle.chain(season))


def try_all(path: Path, rng: random.Random, most: int) -> None:
    """Change a file one place at a time, and say what nothing saw."""
    script, text = sql.script(), path.read_text(encoding="utf-8")
    made = re.search(r"^CREATE (?:VIEW|TRIGGER .* ON) (\w+)", text, re.MULTILINE)
    tests = tests_of(path.stem)
    for name, test in tests:
        if name not in SECONDS:
            start = time.monotonic()
            assert not test(), name  # and what it asks the oracle is known from here on
            SECONDS[name] = time.monotonic() - start
    assert killed_by("", tests), "the tests have a file from elsewhere"
    every = sorted({*mutants(text)})
    counts, kills = Counter[str](), Counter[str]()
    for begin, end, new in sorted(rng.sample(every, min(most, len(every)))):
        changed = script.replace(text, text[:begin] + new + text[end:])
        if not loads(changed, made[1] if made else "problems"):
            counts["dead by syntax"] += 1
            continue
        tests.sort(key=lambda test: SECONDS[test[0]] / (1 + kills[test[0]]))
        killer = killed_by(changed, tests)
        counts["killed" if killer else "survived"] += 1
        kills.update([killer or ""])
        if not killer:
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
    with patch.object(test_revaluation, "chain", said), patch.object(test_lines, "chain", said):
        for file in asked.files:
            try_all(file, random.Random(1), asked.sample)
