"""The face in a real browser: an evening by mouse, by keys and without script; what axe finds."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.evening import (
    ABSENT,
    DUTY,
    HOME,
    LATE,
    MEMBERS,
    RESULTS,
    by_commands,
    facts,
    new_season,
)  # fmt: skip
from tests.support.files import Chromium, Visit, edit, puppeteer, run_keizer
from tests.support.members import NAMES, write_club
from tests.support.served import served

pytestmark = pytest.mark.clients

EVENING = {
    "absent": ABSENT, "duty": DUTY, "late": LATE, "home": HOME, "swap": MEMBERS[:2],
    "results": RESULTS, "correct": [2, "1-0"],
}  # fmt: skip


@pytest.fixture
def evening() -> Callable[..., dict[str, Any]]:
    """Somebody who runs the evening; clicks, keys and what went wrong."""
    command = puppeteer("evening.cjs")

    def run(address: str, how: str, **more: object) -> dict[str, Any]:
        wish = json.dumps(EVENING | more)
        line = [*command, address, how, wish]
        done = subprocess.run(line, capture_output=True, text=True, check=True)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return run


@pytest.mark.parametrize("how", ["mouse", "keys", "plain"])
def test_an_evening_in_a_browser_is_that_of_the_commands(
    tmp_path: Path, evening: Callable[..., dict[str, Any]], how: str
) -> None:
    """At most 25 clicks and no key by mouse, with script or without; no click by keys."""
    season, twin = new_season(tmp_path / "club.db"), tmp_path / "twin.db"
    shutil.copy(season, twin)
    by_commands(twin)
    with served(season) as there:
        found = evening(there.address, how)
    assert found["wrong"] == []
    assert facts(season) == facts(twin)
    if how == "keys":
        assert found["clicks"] == 0
    else:
        assert found["clicks"] <= 25 and found["keys"] == 0


HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "&lt;b&gt; & &amp;",
    "{{ name }} %s ${x} \\", "אבי כהן", "O'Neil \"Ace\" `tick`", "Queen 🐴",
    "Donaudampfschifffahrtsgesellschaftskapitaenswitwenversicherungspolicenauszahlung",
]  # fmt: skip
PAGES = [
    "tonight", "results", "results/1", "members", "members/1", "rules", "rules?preset=haren",
    "plan", "files", "log", "phones", "phones?of=1", "start", "screen", "me", "restore/1",
    "share", "share?what=standings",
    "rules.html", "index.html", "standings.html", "player/1.html", "round/2.html", "sheet/2.html",
    "crosstable.html", "season.html", "statistics.html", "no/such/page",
]  # fmt: skip
LOOKS: list[Visit] = [
    {"size": [1280, 900], "dark": False}, {"size": [360, 740], "dark": True},
    {"size": [360, 740], "dark": False}, {"size": [1280, 900], "dark": True},
]  # fmt: skip
FEW: Visit = {
    "without": "tbody tr:nth-child(n + 5), .rule:nth-child(n + 9), .log li:nth-child(n + 9)"
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds of members with the names of attackers; the third is a draft."""
    db = tmp_path_factory.mktemp("hostile") / "club.db"
    write_club(db, [*HOSTILE, *NAMES[:9]], 2, range(2))
    edit(db, "UPDATE tournament SET description = '<b>Club</b> & \"Sons\"'",
         "UPDATE round SET result = '1-0' WHERE result IS NULL")  # fmt: skip
    run_keizer("absent", db, "17", "--kind", "club duty")
    run_keizer("next-round", db)
    run_keizer("correct", db, "1", "5", "--reason", "<i>why</i>")
    return db


@pytest.mark.parametrize(
    ("look", "language"),
    [
        pytest.param(
            look, language, marks=[] if look == place < 2 else pytest.mark.campaign
        )
        for look in range(4)
        for place, language in enumerate(("en", "nl", "de", "fr"))
    ],
)
def test_pages_have_no_barrier_and_names_are_only_names(
    hostile: Path, chromium: Chromium, look: int, language: str
) -> None:
    """On a desk and a phone, by day and at night: axe finds nothing, nothing of a name runs."""
    wrong: dict[str, object] = {}
    with served(hostile, "--lan") as there:
        chromium(there.address)
        chromium(f"{there.root}tonight?lang={language}")
        for page in PAGES:
            seen = chromium(there.root + page, **LOOKS[look] | {"axe": FEW})
            found = [
                *seen["violations"], *seen["handlers"], *seen["loose"],
                *(said for said in seen["said"] if page != "no/such/page"),
                *(url for url in seen["asked"] if not url.startswith(there.root)),
            ]  # fmt: skip
            if seen["width"] > LOOKS[look]["size"][0]:
                found.append(f"{seen['width']} px wide")
            if found or seen["scripts"] != 1:
                wrong[page] = found
    assert wrong == {}
