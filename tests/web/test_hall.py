"""What hangs on the wall of the hall, and what the director looks through there."""

import re
from pathlib import Path

import pytest

from keizer.season.names import spelling
from keizer.web.visit import Face
from tests.support.console import ClubOf, Console
from tests.support.face import Person, director, face_of, phone
from tests.support.files import rows, run_keizer


def column(page: Person, view: str, name: str) -> list[str]:
    """The values of a column of the table of a view."""
    _, _, table = page.page.html.partition(f'data-view="{view}"')
    return re.findall(
        f'data-column="{name}" data-value="([^"]*)"', table.partition("</table>")[0]
    )


@pytest.mark.parametrize(
    ("players", "pages"),
    [(4, [4]), (16, [16]), (17, [9, 8]), (25, [13, 12]), (50, [13, 13, 12, 12])],
)
def test_pages_of_the_screen_are_as_full_as_one_another(
    club_of: ClubOf, players: int, pages: list[int]
) -> None:
    """At most sixteen lines, and all of them in turn, the time of day as it was asked for."""
    screen = director(face_of(club_of(players).db))
    shown: list[str] = []
    for turn, lines in enumerate(pages):
        screen.go(f"/screen?turn={turn}&clock=1")
        found = column(screen, "standings", "rank")
        assert abs(len(found) - lines) <= 1 and len(found) <= 16
        shown += found
        assert re.search(r"<time>\d\d:\d\d</time>", screen.page.html)
    assert shown == [*map(str, range(1, players + 1))]
    assert sorted(pages, reverse=True) == pages and sum(pages) == players
    screen.go("/screen")
    assert "<time>" not in screen.page.html


def test_the_screen_has_the_bye_and_who_is_absent_and_says_what_is_open(
    season: Path, face: Face
) -> None:
    console = Console(season)
    console(
        "result 1 1-0 && result 2 1-0 && absent Anna Boris --kind unexcused && add Eva"
    )
    console("next-round && publish-round")
    wall = phone(face, face.hall())
    wall.go("/screen")
    assert "Absent: Anna , Boris ." in wall.text and "unexcused" not in wall.text
    assert column(wall, "pairings", "result").count("bye") == 1
    wall.go("/screen?turn=1")
    assert "Provisional" not in wall.text
    run_keizer("result", season, "1", "open", "--round", "1")
    wall.go("/screen?turn=1")
    assert "Provisional: board 1" in wall.text


SORTED = {
    "name": ["Ágnes Kovács", "Jan van den Berg", "Mei Chen", "Zoë Adams"],
    "surname": ["Zoë Adams", "Jan van den Berg", "Mei Chen", "Ágnes Kovács"],
    "rating": ["Mei Chen", "Zoë Adams", "Ágnes Kovács", "Jan van den Berg"],
    "rank": ["Mei Chen", "Zoë Adams", "Ágnes Kovács", "Jan van den Berg"],
    "number": ["Jan van den Berg", "Zoë Adams", "Mei Chen", "Ágnes Kovács"],
}


@pytest.mark.parametrize("by", SORTED)
def test_members_are_sorted_by_what_heads_a_column(tmp_path: Path, by: str) -> None:
    """Who has no rating comes last; what is searched for stays."""
    console = Console(tmp_path / "club.db")
    console(
        "init --name Club && add 'Jan van den Berg' && add 'Zoë Adams' --rating 1700"
    )
    console("add 'Mei Chen' --rating 2000 && add 'Ágnes Kovács' --rating 1500")
    me = director(face_of(console.db))
    me.go(f"/members?by={by}&q=e")
    (heads,) = re.findall(r"<thead>.*?</thead>", me.page.html, re.DOTALL)
    assert re.findall('aria-sort="([a-z]*)"', heads) == [
        "descending" if by == "rating" else "ascending"
    ]
    there = re.findall(r'<th scope="row"><a[^>]*><bdi>([^<]*)', me.page.html)
    assert there == [name for name in SORTED[by] if "e" in spelling.fold(name)]
    me.press("Search", q="")
    assert (
        re.findall(r'<th scope="row"><a[^>]*><bdi>([^<]*)', me.page.html) == SORTED[by]
    )


@pytest.mark.parametrize(
    ("name", "under"),
    [
        ("Jan van den Berg", "berg"), ("van den Berg, Jan", "berg"), ("Judit", "judit"),
        ("García López, Ana", "garcia lopez"), ("Jan ter Haar Romeny", "haar romeny"),
        ("jan van den berg", "berg"), ("Zoë O'Neill", "o'neill"), ("Jean d'Arc", "d'arc"),
        (", Jan", ""), ("דוד שחמט", "שחמט"),
    ],
)  # fmt: skip
def test_a_surname_is_what_an_index_goes_by(name: str, under: str) -> None:
    assert spelling.surname(name) == under


def test_the_log_says_minutes_and_director(face: Face, season: Path) -> None:
    """What is stored stays as it is."""
    me = director(face)
    me.go("/results")
    me.press("1", "1-0")
    stored = "SELECT who FROM command ORDER BY id DESC LIMIT 1"
    assert rows(season, stored) == [("director, browser",)]
    me.go("/log")
    assert "director" in me.text and "browser" not in me.text
    times = re.findall("<time>([^<]*)</time>", me.page.html)
    assert times and all(
        re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", one) for one in times
    )


def test_a_season_is_finished_after_it_was_shown_who_wins(
    face: Face, season: Path
) -> None:
    run_keizer("result", season, "1", "1-0")
    run_keizer("result", season, "2", "1-0")
    query = "SELECT name FROM current_standings WHERE rank = 1"
    ((first,),) = rows(season, query)
    me, status = director(face), "SELECT status FROM tournament"
    me.go("/plan")
    me.press("Finish the season")
    assert f"{first} wins the season." in me.text and f"1st: {first}" in me.text
    assert "nothing of it changes any more" in me.text and "is finished" not in me.text
    assert rows(season, status) == [("running",)]
    me.press("Finish the season")
    assert me.said == ["“Club” is finished."]
    assert rows(season, status) == [("finished",)]
