"""What people read is rounded half up, as every rule is."""

from pathlib import Path

import pytest

from tests.support.console import Console


@pytest.mark.addons
def test_people_read_three_decimals_and_programs_the_number(
    console: Console, tmp_path: Path
) -> None:
    """Anna has 1.0625 points: an absence at 1/16 of 17, and no more."""
    console("rules top_value=17 step=1 own-value=0 win=0 draw=0 loss=0 excused=1/16")
    console("absent Anna && next-round && publish-round && result Boris 0")
    console(f"site {tmp_path / 'site'}")
    pages = ("index.html", "standings/1.html", "player/1.html")
    read = [(tmp_path / "site" / page).read_text(encoding="utf-8") for page in pages]
    read += [
        console(line) for line in ("standings", "explain Anna", "card Anna", "finish")
    ]
    assert all(
        "1.063" in said and "1.062<" not in said and "1.062 " not in said
        for said in read
    )
    for style in ("--csv", "--json"):
        assert "1.0625" in console(f"standings {style}")
