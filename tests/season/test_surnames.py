"""An evening of a club with the names that clubs have, typed as short as it goes."""

import re
from pathlib import Path

import pytest

from tests.support.console import Console
from tests.support.files import told

CLUB = {
    "berg": "Jan van den Berg", "oneill": "Seán O'Neill", "'h mul'": "Hans Müller",
    "'k mul'": "Karl Müller", "kovacs": "Béla Kovács", "cruz": "María de la Cruz",
    "nguyen": "Nguyen Van An", "visser": "Anna Visser", "jansen": "Pieter Jansen",
    "boer": "Willem-Jan de Boer", "ozturk": "Çağla Öztürk", "smit": "Zoë Smit",
    "wojcik": "Łukasz Wójcik", "angstrom": "Björn Ångström", "dangelo": "Francesca D'Angelo",
    "lefevre": "Jean-Pierre Lefèvre", "sorensen": "Ole Sørensen", "mccarthy": "Siobhán McCarthy",
    "kowalska": "Agnieszka Kowalska", "feather": "Christopher Featherstone",
    "adeyemi": "Oluwaseun Adeyemi", "papado": "Dimitri Papadopoulos", "amrani": "Fatima el Amrani",
    "wolfgang": "Johannes Wolfgang Schmidt",
}  # fmt: skip
"""Each member by what is typed."""
EVENING = """
absent {oneill} {'h mul'}
absent {feather} {adeyemi} --kind duty
absent {amrani} --round 1-3
absent {papado} --by-default
present {oneill}
next-round --pair {berg} {kovacs} --bye {cruz}
swap {lefevre} {sorensen} --anyway
absent {ozturk}
next-round --again --keep all
publish-round
result {berg} 1
result {lefevre} r
result {mccarthy} 0
result {nguyen} =
result {kowalska} 1f
result {boer} 0-1
absent {jansen} --kind unex
correct {smit} 2
prohibit {wojcik} {angstrom} --name couple
withdraw {wolfgang}
player {'k mul'} --category B
"""


def evening(console: Console, members: dict[str, str]) -> int:
    """Play it with members typed so; the keystrokes of the names."""
    keys = 0
    console("init --name Club")
    lines = (f"{name},{2300 - 20 * number}" for number, name in enumerate(CLUB.values()))
    console("import -", stdin="\n".join(["name,rating", *lines]))
    for line in EVENING.strip().splitlines():
        typed = [members[short] for short in re.findall("{(.+?)}", line)]
        keys += sum(map(len, typed)) + len(typed)
        console(re.sub("{(.+?)}", lambda found: members[found[1]], line))
    return keys


def timeless(db: Path) -> list[str]:
    """All that a file says, but when it was said."""
    return [re.sub(r"[0-9-]{10} [0-9:]{8}", "", str(line)) for line in told(db)]


@pytest.mark.seeds
def test_surnames_are_enough_for_an_evening(tmp_path: Path) -> None:
    """At most half the keystrokes of whole names, quotes counted; and the same file."""
    whole, short = Console(tmp_path / "whole.db"), Console(tmp_path / "short.db")
    full = evening(whole, {short: f'"{name}"' for short, name in CLUB.items()})
    assert 2 * evening(short, {short: short for short in CLUB}) <= full
    assert timeless(short.db) == timeless(whole.db)
    assert len(short.rows("SELECT 1 FROM round WHERE result IS NOT NULL")) > 3


def test_of_two_with_one_surname_nobody_is_taken(tmp_path: Path) -> None:
    console = Console(tmp_path / "club.db")
    evening(console, {short: short for short in CLUB})
    for line in ("absent muller", "present mueller", "card Mül", "withdraw MULLER", "explain m"):
        assert "fits " in console.refused(line)
    assert "fits Hans Müller (#3), Karl Müller (#4)" in console.refused("absent muller")
