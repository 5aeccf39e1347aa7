"""The tables of docs/rules.md, from conformance/: python -m quality.rules_page.

Two tables are made: every preset, with its options; and every club or program, with how many of its
figures come out. Each case is run, and 20 seasons of each program whose algorithm is there.
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

from conformance import adapter, build, programs
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


def proof(cases: list[Case], program: str = "") -> str:
    """How many cells come out, in words; program: NAME+OPTION whose algorithm stands in for those.

    Of a program that is computed what was worked out by hand from its rules proves nothing more.
    """
    found = {
        "published": [0, 0],
        "by its algorithm": [0, 0],
        "worked out by hand": [0, 0],
    }
    if program:
        found["by its algorithm"] = [*programs.held(program, 1, 20)[:2]]
        cases = [case for case in cases if "published" in case]
    for case in cases:
        judged = verdict(case, adapter.season(case))
        how = "published" if "published" in case else "worked out by hand"
        counts = found["by its algorithm" if "computed" in case else how]
        counts[0] += judged.right
        counts[1] += judged.cells
    told = [
        f"{right:,} of {cells:,} cells {how}"
        for how, (right, cells) in found.items()
        if cells
    ]
    return "; ".join(told) or "**unproved**"


def _program(told: dict[str, str]) -> str:
    """The program of a row, by its preset or where its source is."""
    return next((
        name for name in programs.known()
        if f"--preset {name}`" in told["settings"] or f"/{name}/" in told["source"].lower()
    ), "")  # fmt: skip


def _clubs(cases: list[Case]) -> Iterator[str]:
    yield "| | club or program | settings | proof | what is not covered, or is done by hand |"
    yield "| --- | --- | --- | --- | --- |"
    for name, told in rows():
        number, _, club = name.partition(" ")
        mine = [case for case in cases if case["name"].startswith(f"{name}, ")]
        slips = [slip for case in mine for slip in case.get("slips", [])]
        left = "; ".join([told["by hand"], *(f"slip in {slip}" for slip in slips)])
        where = f"{club} ({told['source']})" if told.get("source") else club
        proved = proof(mine, _program(told))
        yield f"| {number} | {where} | {told['settings']} | {proved} | {left} |"


def _presets(cases: list[Case]) -> Iterator[str]:
    yield "| preset | | source | proof |"
    yield "| --- | --- | --- | --- |"
    for name, preset in presets.load_presets().items():
        mine = [
            case
            for case in cases
            if any(one.partition("+")[0] == name for one in case.get("presets", []))
        ]
        if name == "keizer":  # what a new file has is what the specification has
            mine = [
                case for case in build.blocks("specification.md") if "players" in case
            ]
        proved = proof(mine, name if name in programs.known() else "")
        if preset.get("settings", {}).get("system") == "swiss":
            proved = "no Keizer rules: see [tiebreaks.md](tiebreaks.md)"
        yield f"| `{name}` | {preset['about']} | {preset['source']} | {proved} |"
        for option, told in preset.get("options", {}).items():
            full = f"{name}+{option}"
            found = proof([case for case in mine if full in case["presets"]], full)
            yield f"| `{full}` | {told['about']} | | {found} |"


def main() -> str:
    """The page."""
    files = ("cases/programs", "real/santpoort-2025")
    more = [
        line
        for name in files
        for line in _page(f"conformance/{name}.jsonl").splitlines()
    ]
    cases = [*build.blocks("published.md", presets.find_preset), *map(json.loads, more)]
    return filled("docs/rules.md", presets=_presets(cases), clubs=_clubs(cases))


if __name__ == "__main__":
    sys.stdout.write(main())
