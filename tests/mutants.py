"""Mutation testing of the SQL: each small change to a view, and whether a test sees it.

    python -m tests.mutants views/_line.sql --sample 50 --also tests/test_clubs.py

Prints the changes that nothing saw, and the figures; docs/mutants.md has both. It forks.
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
from contextlib import closing
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from keizer import sql
from tests import oracle, test_lines, test_revaluation, test_tiebreaks
from tests.conftest import ROOT

OF_TIEBREAKS = ("tiebreak", "buchholz", "percentage", "perf", "direct", "rated")
QUICK = [0, 3, 4, 7, 8, 10, 11, 14, 15, 19, 21, 22]
"""Random rules whose seasons take no more than half a second."""
SECONDS = 60
"""So long may a test run: a change can make a query endless."""

TOKEN = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\w+(?:\.\d+)?|<<|[<>]=|<>|\|\||\s+|.", re.DOTALL)
TABLE = "< <= >=,<= < >,> >= <=,>= > <,= <>,<> =,+ -,- +,* /,/ *,% /,<< >>,AND OR,OR AND,min max"
TABLE += ",max min,ASC DESC,DESC ASC,LEFT ,NOT ,IS IS_NOT,IN NOT_IN,EXISTS NOT_EXISTS,DISTINCT "
SWAPS = {word: others for word, *others in (line.split(" ") for line in TABLE.split(","))}
CLAUSES = {"WHERE", "ON", "HAVING", "WHEN", "AND", "OR"}
"""Behind these stands a condition that can be left out, up to one of these:"""
ENDS = CLAUSES | {*"),;", "THEN", "ELSE", "END", "AS", "GROUP", "ORDER", "WINDOW", "LIMIT"}
ENDS |= {"JOIN", "LEFT", "CROSS", "UNION", "BEGIN"}

Mutant = tuple[int, int, str]
"""Two places in a file, and what stands between them instead."""
Killer = Callable[[], object]


def to_end(words: Sequence[str], at: int, ends: set[str]) -> int:
    """The first word from here that ends a condition or an argument, at its own depth."""
    depth, between = 0, False
    for here in range(at, len(words)):
        word = words[here]
        if depth == 0 and word in ends and not (between and word == "AND"):
            return here
        if depth == 0 and word in {"BETWEEN", "AND"}:
            between = word == "BETWEEN"
        depth += (word in {"(", "CASE"}) - (word in {")", "END"})
    return len(words) - 1


def mutants(text: str) -> Iterator[Mutant]:
    """All small changes to a file; some of them SQLite will not take."""
    tokens = [it for it in TOKEN.finditer(text) if not it[0].isspace() and it[0][:2] != "--"]
    words = [it[0] for it in tokens]
    for at, (token, word) in enumerate(zip(tokens, words, strict=True)):
        before, after = words[at - 1], [*words, ""][at + 1]
        if not (word in {"IN", "EXISTS"} and before == "NOT") and (word, after) != ("IS", "NOT"):
            for new in SWAPS.get(word, ()):
                yield *token.span(), new.replace("_", " ")
        if word.isdigit():
            yield *token.span(), {"0": "1", "1": "0"}.get(word, str(int(word) + 1))
        if (before, word) in {("NULLS", "LAST"), ("UNION", "ALL")}:
            yield *token.span(), "FIRST" if word == "LAST" else ""
        if word == "COALESCE":
            whole, first = to_end(words, at + 2, {")"}), at + 2
            while first < whole:
                last = to_end(words, first, {",", ")"})
                argument = text[tokens[first].start() : tokens[last - 1].end()]
                yield token.start(), tokens[whole].end(), argument
                first = last + 1
        if word in CLAUSES:
            stop = to_end(words, at + 1, ENDS)
            if word != "WHEN" or words[stop] in {"AND", "OR", "BEGIN"}:
                new = "0" if "OR" in {word, words[stop]} else "1"
                yield tokens[at + 1].start(), tokens[stop - 1].end(), new


def loads(script: str, name: str) -> bool:
    """Whether SQLite takes the view and its triggers at all."""
    with closing(sqlite3.connect(":memory:")) as conn:
        try:
            conn.executescript(script)
            conn.execute(f"SELECT * FROM {name} LIMIT 0")
            conn.execute(f"EXPLAIN INSERT INTO {name} SELECT * FROM {name}")
        except sqlite3.Error as error:
            return "cannot modify" in str(error)  # it has no triggers
    return True


def killers(name: str) -> dict[str, Killer]:
    """What sees most changes to a view: random seasons of the oracles."""
    of_rules = test_revaluation.test_random_rules_agree_with_the_oracle
    seasons = test_revaluation.test_random_seasons_agree_with_the_oracle
    lines = test_lines.test_every_line_of_many_tournaments_in_one_file
    figures = test_tiebreaks.test_every_value_and_key_of_a_random_tournament
    places = test_tiebreaks.test_places_of_a_random_order
    if any(word in name for word in OF_TIEBREAKS):
        chosen = [(figures, seed) for seed in range(8)] + [(places, seed) for seed in range(8)]
    else:
        settles = "settling" in name or "pass" in name
        chosen = [(of_rules, seed) for seed in (range(24) if settles else QUICK)]
        chosen += [(lines, 0), (lines, 1), (seasons, 8), (seasons, 16)]
    return {f"{test.__name__} {seed}": partial(test, seed) for test, seed in chosen}


def run_pytest(test: str) -> None:
    """A test, or those of a file."""
    assert pytest.main(["-xq", "-pno:cacheprovider", "-pno:warnings", "-pno:xdist", test]) == 0


def killed_by(script: str, tests: Sequence[tuple[str, Killer]]) -> str | None:
    """What sees the changed script, in a process of its own; None where nothing does."""
    pid = os.fork()
    if pid == 0:
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        with patch.object(sql, "script", lambda: script):
            for number, (_, test) in enumerate(tests, 1):
                signal.alarm(SECONDS)
                try:
                    test()
                except BaseException:  # noqa: BLE001
                    os._exit(number)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return "time" if status < 0 else tests[status - 1][0] if status else None


def try_all(path: Path, also: list[tuple[str, Killer]], rng: random.Random, most: int) -> None:
    """Change a file one place at a time, and say what nothing saw."""
    script, text, tests = sql.script(), path.read_text(encoding="utf-8"), killers(path.stem)
    seconds: dict[str, float] = {}
    for name, test in tests.items():
        start = time.monotonic()
        test()  # it passes; and what it asks the oracle, no mutant has to ask again
        seconds[name] = time.monotonic() - start
    every, counts, kills = sorted(set(mutants(text))), Counter[str](), Counter[str]()
    for start_at, end, new in sorted(rng.sample(every, min(most, len(every)))):
        changed = script.replace(text, text[:start_at] + new + text[end:])
        if not loads(changed, path.stem):
            counts["dead by syntax"] += 1
            continue
        best = sorted(tests, key=lambda name: -(1 + kills[name]) / seconds[name])
        seen_by = killed_by(changed, [*((name, tests[name]) for name in best), *also])
        counts["killed" if seen_by else "survived"] += 1
        kills.update([seen_by or ""])
        if not seen_by:
            line, column = (
                text.count("\n", 0, start_at) + 1,
                start_at - text.rfind("\n", 0, start_at),
            )
            change = (
                f"{' '.join(text[start_at:end].split())} -> {' '.join(new.split()) or 'nothing'}"
            )
            print(f"{path.name}:{line}:{column}: {change}", flush=True)  # noqa: T201
    print(f"{path.name}: {dict(counts)} of {len(every)}", flush=True)  # noqa: T201


def remembered(chain: Callable[[oracle.Season], oracle.Chain]) -> Callable[..., oracle.Chain]:
    """The oracle says the same of the same season, whatever the SQL does."""
    said: dict[str, oracle.Chain] = {}
    return lambda season: said.get(repr(season)) or said.setdefault(repr(season), chain(season))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=sorted((ROOT / "views").glob("*")))
    parser.add_argument("--also", action="append", default=[], help="a test for what survives")
    parser.add_argument("--sample", type=int, default=10**6, help="so many of each file")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chain = remembered(oracle.chain)
    with patch.object(test_revaluation, "chain", chain), patch.object(test_lines, "chain", chain):
        for file in asked.files:
            also: list[tuple[str, Killer]] = [(it, partial(run_pytest, it)) for it in asked.also]
            try_all(file, also, random.Random(asked.seed), asked.sample)
