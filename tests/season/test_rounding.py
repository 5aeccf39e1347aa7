"""What people read is rounded half up, as every rule is."""

from pathlib import Path

import pytest

from tests.support.console import Console

SIXTEENTH = "1.0625"


@pytest.fixture
def sixteenths(console: Console) -> Console:
    """A club in which Anna has 1.0625 points: an absence at 1/16 of 17, and no more."""
    console("rules top_value=17 step=1 own-value=0 win=0 draw=0 loss=0 excused=1/16")
    console("absent Anna && next-round && publish-round && result Boris 0")
    score = "SELECT score FROM current_standings WHERE name = 'Anna'"
    assert console.rows(score) == [(float(SIXTEENTH),)]
    return console


def test_in_standings_cards_and_explanations(sixteenths: Console) -> None:
    for line in ("standings", "explain Anna", "card Anna"):
        said = sixteenths(line)
        assert "1.063" in said and "1.062" not in said, line


def test_on_the_page(sixteenths: Console, tmp_path: Path) -> None:
    sixteenths(f"site {tmp_path / 'site'}")
    for page in ("index.html", "standings/1.html", "player/1.html"):
        html = (tmp_path / "site" / page).read_text(encoding="utf-8")
        assert ">1.063<" in html and ">1.062<" not in html, page


def test_among_the_prizes(sixteenths: Console) -> None:
    found = sixteenths.rows("SELECT about FROM prizes WHERE name = 'Anna'")
    assert ("1.063 points",) in found and ("1.062 points",) not in found


def test_csv_and_json_keep_the_number_as_it_is(sixteenths: Console) -> None:
    for style in ("--csv", "--json"):
        assert SIXTEENTH in sixteenths(f"standings {style}")
