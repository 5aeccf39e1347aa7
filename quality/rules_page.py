"""The tables of docs/rules.md, from conformance/: python -m quality.rules_page.

Two tables are made: every preset; and every club or program, with how many of its figures come
out. Each case is run.
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

from conformance import adapter, build
from conformance.checking import verdict
from keizer.season import presets
from quality.generate import ROOT, filled

Case = dict[str, Any]


def _page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def rows() -> Iterator[tuple[str, dict[str, str]]]:
    """The name of every club and program, and what published.md says of it."""
    page = _page("conformance/published.md")
    for text in page.split("\n## ")[1:]:
        name, _, rest = text.partition("\n")
        told = re.findall(r"^(source|settings|by hand): (.*?) *$", rest, re.MULTILINE)
        yield name, dict(told)


def proof(cases: list[Case]) -> str:
    """How many cells come out, in words."""
    found = {"published": [0, 0], "by its algorithm": [0, 0], "worked out by hand": [0, 0]}
    for case in cases:
        judged = verdict(case, adapter.season(case))
        how = "published" if "published" in case else "worked out by hand"
        counts = found["by its algorithm" if "computed" in case else how]
        counts[0] += judged.right
        counts[1] += judged.cells
    told = [f"{right} of {cells} cells {how}" for how, (right, cells) in found.items() if cells]
    return "; ".join(told) or "**unproved**"


def _clubs(cases: list[Case]) -> Iterator[str]:
    yield "| | club or program | settings | proof | what is not covered, or is done by hand |"
    yield "| --- | --- | --- | --- | --- |"
    for name, told in rows():
        number, _, club = name.partition(" ")
        mine = [case for case in cases if case["name"].startswith(f"{name}, ")]
        slips = [slip for case in mine for slip in case.get("slips", [])]
        left = "; ".join([told["by hand"], *(f"slip in {slip}" for slip in slips)])
        where = f"{club} ({told['source']})" if told.get("source") else club
        yield f"| {number} | {where} | {told['settings']} | {proof(mine)} | {left} |"


def _presets(cases: list[Case]) -> Iterator[str]:
    yield "| preset | | source | proof |"
    yield "| --- | --- | --- | --- |"
    for name, preset in presets.known().items():
        mine = [case for case in cases if name in case.get("presets", [])]
        if name == "keizer":  # what a new file has is what the specification has
            mine = [case for case in build.blocks("specification.md") if "players" in case]
        proved = proof(mine)
        if preset.get("settings", {}).get("system") == "swiss":
            proved = "no Keizer rules: see [tiebreaks.md](tiebreaks.md)"
        yield f"| `{name}` | {preset['about']} | {preset['source']} | {proved} |"


def main() -> str:
    """The page."""
    files = ("cases/programs", "real/santpoort-2025")
    more = [line for name in files for line in _page(f"conformance/{name}.jsonl").splitlines()]
    cases = [*build.blocks("published.md", presets.find), *map(json.loads, more)]
    return filled("docs/rules.md", presets=_presets(cases), clubs=_clubs(cases))


if __name__ == "__main__":
    sys.stdout.write(main())
