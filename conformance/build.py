"""Make cases/ anew: from the examples of specification.md and published.md, and at random."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from . import generate, notation

HERE = Path(__file__).parent
Case = dict[str, Any]


def blocks(
    page: str, find: Callable[[str], notation.Preset] | None = None
) -> Iterator[Case]:
    """The examples of a page, each named by its heading and a number, with the heading's source.

    `club` in one stands for the settings of the heading.
    """
    text = (HERE / page).read_text(encoding="utf-8")
    heading, count, source, settings = "", 0, "", ""
    for found in re.finditer(
        r"^## (?P<heading>[^\n]*)$|^source: (?P<source>\S[^\n]*?) *$"
        r"|^settings: `(?P<settings>[^`]*)`"
        r"|^```(?:case)? ?(?P<rules>[A-Z0-9 ]*)\n(?P<block>.*?)^```$",
        text,
        re.MULTILINE | re.DOTALL,
    ):
        if found["heading"]:
            heading, count, source = found["heading"], 0, ""
        elif found["source"]:
            source = found["source"]
        elif found["settings"]:
            settings = found["settings"]
        elif re.search(r"^\d+ (players|present)", found["block"], re.MULTILINE):
            count += 1
            block = found["block"].replace(" players club", f" players {settings}")
            case = notation.read(block, f"{heading}, example {count}", find)
            told = {"source": source, "shows": (found["rules"] or "").split()}
            yield case | {key: value for key, value in told.items() if value}


def made() -> Iterator[tuple[str, Iterable[Case]]]:
    """Every file of cases/."""
    # Only to make cases/ anew is anything outside asked.
    from keizer.season import presets

    yield "examples", blocks("specification.md")
    yield "published", blocks("published.md", presets.find_preset)
    yield "hard", hard()
    yield "generated", generate.seasons(2026, 500, {})
    yield "positions", generate.positions(2026, 300, {})


def hard() -> Iterator[Case]:
    """Seasons by what their standings do: cycles, others that agree, ties, late entries."""
    settled = {"recalculation": "settled", "max_passes": "10000"}
    for name, rules, wanted in (
        (
            "a cycle, the mean of the values",
            {"cycle_takes": "values", "own-value": "0"},
            _cycles,
        ),
        (
            "a cycle, the mean of the scores",
            {"cycle_takes": "scores", "own-value": "0"},
            _cycles,
        ),
        (
            "a cycle longer than 2",
            {"cycle_takes": "values", "own-value": "0"},
            _cycles_long,
        ),
        (
            "a cycle that is too long",
            {"cycle_takes": "scores", "max_passes": "20"},
            _given_up,
        ),
        (
            "ties",
            {"tiebreaks": "score,wins,mutual,value-sb", "line_rounding": "5"},
            _ties,
        ),
        ("late entries", {"newcomers": "rating"}, _late),
        (
            "halves",
            {"line_rounding": "1/2", "score_rounding": "1", "halves": "even"},
            _large,
        ),
    ):
        found = 0
        drawn = rules if name in ("ties", "late entries", "halves") else settled | rules
        for case in generate.seasons(7, 2000, drawn):
            if wanted(case):
                found += 1
                yield {**case, "name": f"{name}, {found}"}
            if found == 5:
                break


def _settled(case: Case) -> Iterator[Case]:
    return (table for table in case["expect"]["tables"] if "settled" in table)


def _cycles(case: Case) -> bool:
    return any(table["settled"]["period"] > 1 for table in _settled(case))


def _cycles_long(case: Case) -> bool:
    return any(table["settled"]["period"] > 2 for table in _settled(case))


def _given_up(case: Case) -> bool:
    return any(table["settled"]["period"] == 0 for table in _settled(case))


def _ties(case: Case) -> bool:
    last = case["expect"]["tables"][-1].get("scores", {})
    return len(last) > len({*last.values()}) + 2


def _late(case: Case) -> bool:
    late = [
        player for player in case["players"] if 1 < player.get("first_round", 1) < 4
    ]
    return len(late) > 2 and any("start_rank" in player for player in late)


def _large(case: Case) -> bool:
    return len(case["players"]) > 5


def main(*, check: bool = False) -> int:
    """Write every file, or say which differ; 1 if one does."""
    stale = []
    for name, cases in made():
        text = "".join(
            json.dumps(case, ensure_ascii=False, separators=(",", ":")) + "\n"
            for case in cases
        )
        path = HERE / f"cases/{name}.jsonl"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if not check:
                path.write_text(text, encoding="utf-8")
    if stale and check:
        sys.stderr.write(
            f"stale: {', '.join(stale)}: run python -m conformance build\n"
        )
    return int(check and bool(stale))
