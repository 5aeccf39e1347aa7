"""docs/rules.md, from docs/rules.template.md and conformance/: python -m quality.rules_page.

Three tables are made: every option with its rule and an example of the specification; every
preset; and every club or program, with how many of its figures come out. Each case is run.
"""

import json
import re
import sqlite3
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from conformance import adapter, build
from conformance.checking import verdict
from keizer.season import rules
from keizer.store import sql
from quality.generate import ROOT

Case = dict[str, Any]

SPECIFICATION = "../conformance/specification.md"
KINDS = {"own-value": "C1", "aalsmeer": "C3", "late-start": "C4"}
"""The rules of kinds that are no game and no unplayed round; the others are F4."""
FACTS = ("player", "period", "exception", "correction", "round", "settled:")
"""How the lines of an example begin that are no result."""
NOT_SPECIFIED = {
    "name": "file.md", "status": "file.md", "system": "pairing.md", "swiss_within": "pairing.md",
    "stuck": "pairing.md", "last_resort": "tiebreaks.md",
    "match_games": "tiebreaks.md", "percentage_floor": "tiebreaks.md",
    "percentage_byes": "tiebreaks.md", "min_games": "", "promoted": "",
    "KIND.counts_as_bye": "pairing.md",
}  # fmt: skip
"""Options outside the specification, and the page that has them; '' for this one."""


def _page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def specified() -> dict[str, str]:
    """By key of the specification: its rules."""
    found = dict[str, str]()
    for keys, numbers in re.findall(
        r"^\| (`.*?) \|.*?\| ((?:[A-Z]\d+(?:, )?)+) \|",
        _page("conformance/specification.md"),
        re.MULTILINE,
    ):
        found |= dict.fromkeys(re.findall(r"`([^`]+)`", keys), numbers)
    return found


def anchors() -> dict[str, str]:
    """By rule of the specification: the anchor of its section."""
    found, section = {}, ""
    for line in _page("conformance/specification.md").splitlines():
        if line.startswith("## "):
            section = line[3:].lower().replace(" ", "-")
        elif rule := re.match(r"\*\*([A-Z]\d+) ", line):
            found[rule[1]] = section
    return found


def _examples() -> Iterator[tuple[str, list[str], str]]:
    """Each key that an example of the specification sets, its rules, and its lines."""
    page = _page("conformance/specification.md")
    for numbers, block in re.findall(
        r"^```case ([A-Z0-9 ]+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL
    ):
        head, *lines = block.strip().splitlines()
        facts = [line for line in lines if line.startswith(FACTS)]
        results = [line for line in lines if line not in facts]
        told = "<br>".join(f"`{line}`" for line in (head, *facts, *results))
        for key in re.findall(r"([\w.-]+)=", head):
            yield key, numbers.split(), told


def _example(key: str, rules_of_it: list[str]) -> str:
    """One that shows its rule or, without that, one of the section or any."""
    sections = {rule[0] for rule in rules_of_it}
    best, found = -1, ""
    for name, shown, told in _examples():
        if key in (name, "KIND" + name[name.find(".") :] if "." in name else name):
            fits = any(rule[0] in sections for rule in shown) + 2 * bool({*rules_of_it} & {*shown})
            if fits > best:
                best, found = fits, told
    return found


def _options() -> Iterator[str]:
    """Every key with its rule and an example."""
    yield "| key | rule | example |"
    yield "| --- | --- | --- |"
    known, sections = specified(), anchors()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.executescript(sql.script())
        conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
        listed = dict.fromkeys(rule.key for rule in rules.listed(conn, 1))
    keys = [key for key in listed if "." not in key]
    columns = dict.fromkeys("KIND." + key.partition(".")[2] for key in listed if "." in key)
    for key in (*keys, *columns):
        if key in NOT_SPECIFIED:
            page = NOT_SPECIFIED[key]
            yield f"| `{key}` | {f'[{page}]({page})' if page else 'above'} |  |"
            continue
        numbers = known.get(key) or KINDS.get(key) or ("F4" if f"{key}.fixed" in listed else "")
        if not numbers:
            raise KeyError(f"conformance/specification.md does not have {key}")
        of_it = numbers.split(", ")
        rule = f"[{numbers}]({SPECIFICATION}#{sections[of_it[0]]})"
        yield f"| `{key}` | {rule} | {_example(key, of_it)} |"


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
    for name, preset in tomllib.loads(_page("keizer/season/presets.toml")).items():
        mine = [case for case in cases if name in case.get("presets", [])]
        if name == "keizer":  # what a new file has is what the specification has
            mine = [case for case in build.blocks("specification.md") if "players" in case]
        proved = proof(mine)
        if preset.get("settings", {}).get("system") == "swiss":
            proved = "no Keizer rules: see [tiebreaks.md](tiebreaks.md)"
        yield f"| `{name}` | {preset['about']} | {preset['source']} | {proved} |"


def main() -> str:
    """The page."""
    presets = tomllib.loads(_page("keizer/season/presets.toml"))
    computed = _page("conformance/cases/programs.jsonl").splitlines()
    cases = [*build.blocks("published.md", presets), *map(json.loads, computed)]
    page = _page("docs/rules.template.md")
    for name, lines in (
        ("options", _options()),
        ("presets", _presets(cases)),
        ("clubs", _clubs(cases)),
    ):
        page = page.replace(f"<!-- {name} -->", "\n".join(lines))
    return page


if __name__ == "__main__":
    sys.stdout.write(main())
