"""Mutation testing of the SQL: python -m quality.mutants views/scoring/z_line.sql --sample 50.

Prints small changes of the last commit, which of them a test saw, and the figures of mutants.md.
"""

import argparse
import json
import os
import random
import re
import resource
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from keizer.store import sql
from tests.support.files import ROOT

VIEWS = [
    file
    for file in sorted((ROOT / "views").glob("*/*.sql"))
    if file.stem not in ("generated", "code")
]

TOKEN = re.compile(
    r"--[^\n]*|'(?:[^']|'')*'|\w+(?:\.\d+)?|<<|[<>]=|<>|\|\||\s+|.", re.DOTALL
)
TABLE = "< <= >=,<= < >,> >= <=,>= > <,= <>,<> =,+ -,- +,* /,/ *,% /,<< >>,AND OR,OR AND,min max"
TABLE += ",max min,ASC DESC,DESC ASC,LEFT ,NOT ,IS IS_NOT,IN NOT_IN,EXISTS NOT_EXISTS,DISTINCT "
SWAPS = {
    word: others for word, *others in (line.split(" ") for line in TABLE.split(","))
}
CLAUSES = {"WHERE", "ON", "HAVING", "WHEN", "AND", "OR"}
ENDS = CLAUSES | {
    *"),;",
    "THEN",
    "ELSE",
    "END",
    "AS",
    "GROUP",
    "ORDER",
    "WINDOW",
    "LIMIT",
}
ENDS |= {"JOIN", "LEFT", "CROSS", "UNION", "BEGIN"}
GROUPED = re.compile(
    r"GROUP BY ([\w.]*tournament_id,)|(PARTITION BY [\w.]*tournament_id,?)"
)
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
    "-qq",
    "--assert=plain",
    "-Wignore",
    "-mnot campaign and not seeds and not clients",
]
LONGEST = 600
"""Processor seconds for a process of the tests: a change can make a query endless."""
CRASH = {"pytest itself"}
SAMPLE = "from pathlib import Path; from quality import generate; "
SAMPLE += "made = Path('sample.db'); made.unlink(); generate.sample(made)"

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
    yield from (
        (*found.span(found.lastindex or 0), "") for found in GROUPED.finditer(text)
    )
    tokens = [
        token
        for token in TOKEN.finditer(text)
        if not token[0].isspace() and token[0][:2] != "--"
    ]
    words = [token[0] for token in tokens]
    for index, (token, word) in enumerate(zip(tokens, words, strict=True)):
        before, after = words[index - 1], [*words, ""][index + 1]
        if not (word in {"IN", "EXISTS"} and before == "NOT") and (word, after) != (
            "IS",
            "NOT",
        ):
            yield from (
                (*token.span(), new.replace("_", " ")) for new in SWAPS.get(word, ())
            )
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


def commented(text: str) -> str:
    """The same statement with a comment: a mutant that no test of what it does can notice."""
    return re.sub(
        "^CREATE .*$", r"\g<0>\n  -- The same.", text, count=1, flags=re.MULTILINE
    )


def failing(checkout: Path, file: Path, text: str, options: Sequence[str]) -> set[str]:
    """Run tests with this text in place of a file of SQL; return the names of those that fail.

    The fingerprint and sample.db are made anew before, as whoever changes the SQL does.
    """

    def run(program: str, *words: str | Path) -> int:
        return subprocess.run(
            [program, *words],
            cwd=checkout,
            env=os.environ | {"PYTHONPATH": str(checkout)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_CPU, (LONGEST, LONGEST)
            ),
            check=False,
        ).returncode

    names = checkout / ".pytest_cache/v/cache/lastfailed"
    names.unlink(missing_ok=True)
    (checkout / file.relative_to(ROOT)).write_text(text, encoding="utf-8")
    run(sys.executable, "views/generate.py")
    run(sys.executable, "-c", SAMPLE)
    passed = run(sys.executable, "-m", "pytest", *OPTIONS, *options) == 0
    run("git", "checkout", "-q", ".")
    run("git", "clean", "-fdq")
    if passed:
        return set()
    return {*json.loads(names.read_text(encoding="utf-8"))} if names.exists() else CRASH


def killers(checkout: Path, file: Path, changed: str, tests: list[str]) -> set[str]:
    """Return the tests that notice a change first; one that fails for a comment is left out.

    tests: what pytest is to run; what is left out is added to it.
    """
    same = commented(file.read_text(encoding="utf-8"))
    while noticed := failing(checkout, file, changed, ["-x", *tests]):
        if noticed == CRASH:
            return noticed
        of_the_text = failing(checkout, file, same, ["-n0", *noticed])
        if noticed - of_the_text:
            return noticed - of_the_text
        print(f"{file.name}: fail for a comment: {of_the_text}", flush=True)  # noqa: T201
        tests += [f"--deselect={test}" for test in sorted(of_the_text)]
    return set()


def try_each(
    checkout: Path, changes: Sequence[tuple[Path, Mutant]], tests: list[str]
) -> None:
    """Make one change of the SQL after the other, and say what became of each."""
    script = sql.script()
    counts = Counter[str]()
    for file, (begin, end, new) in changes:
        text = file.read_text(encoding="utf-8")
        made = re.search(r"^CREATE (?:VIEW|TRIGGER .* ON) (\w+)", text, re.MULTILINE)
        changed = text[:begin] + new + text[end:]
        if not loads(script.replace(text, changed), made[1] if made else "problems"):
            result = "dead by syntax"
        elif killed_by := killers(checkout, file, changed, tests):
            result = f"killed by {min(killed_by)}"
        else:
            result = "survived"
        counts[result.split(" by ")[0]] += 1
        line, column = (
            text.count("\n", 0, begin) + 1,
            begin - text.rfind("\n", 0, begin),
        )
        change = f"{' '.join(text[begin:end].split())} -> {' '.join(new.split()) or 'nothing'}"
        print(f"{file.name}:{line}:{column}: {change}: {result}", flush=True)  # noqa: T201
    print(dict(counts), flush=True)  # noqa: T201


def of_a_file(file: Path) -> list[str]:
    """The tests that see most changes of a file."""
    kinds = [names for kind, names in TESTS.items() if re.search(kind, file.stem)]
    return [f"tests/sql/test_{name}.py" for names in kinds for name in names.split()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path, default=VIEWS)
    parser.add_argument(
        "--sample", type=int, default=10**6, help="how many mutants of each file"
    )
    parser.add_argument(
        "--lot", type=int, help="how many of all of them, for all of the tests"
    )
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    files = [file.resolve() for file in asked.files]
    every = {
        file: sorted({*mutants(file.read_text(encoding="utf-8"))}) for file in files
    }
    with TemporaryDirectory() as folder:
        checkout = Path(folder, "keizer")
        subprocess.run(["git", "clone", "-q", ROOT, checkout], check=True)
        if asked.lot:
            all_of_them = [(file, mutant) for file in files for mutant in every[file]]
            try_each(checkout, rng.sample(all_of_them, asked.lot), ["-nauto", "tests"])
        else:
            for file in files:
                some = rng.sample(every[file], min(asked.sample, len(every[file])))
                try_each(
                    checkout, [(file, one) for one in sorted(some)], of_a_file(file)
                )
