"""What is exported as JSON or CSV can be read back; what is no such file is refused."""

from pathlib import Path

import pytest

from keizer.season import demo
from tests.support.console import Console, new_club
from tests.support.files import rows

STANDINGS = (
    "SELECT round_number, rank, name, score, value, points FROM standings WHERE round_number > 0"
    " ORDER BY 1, 2"
)

MEMBERS = (
    "SELECT name, category, fide_id, national_id, title, federation, sex, born, rating,"
    " start_rank, first_round, absent_as, status, last_round FROM members ORDER BY name"
)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Console:
    path = tmp_path_factory.mktemp("back") / "demo.db"
    demo.write_demo(path)
    return Console(path)


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_a_season_is_read_back_with_the_same_standings(
    season: Console, tmp_path: Path, ending: str
) -> None:
    """Members, games and unplayed rounds; the rules are those of a new file."""
    again = new_club(tmp_path / "again.db", name="Again")
    for view, option in (
        ("members", ""),
        ("pairings", "--games"),
        ("unplayed_rounds", "--unplayed"),
    ):
        file = tmp_path / f"{view}.{ending}"
        season(f"export {file} --view {view}")
        again(f"import {file} {option}")
    for fact in ("round", "unplayed", "x_player_tournament"):
        (count,) = rows(season.db, f"SELECT count(*) FROM {fact}")
        assert rows(again.db, f"SELECT count(*) FROM {fact}") == [count]
    for same in (STANDINGS, MEMBERS):
        assert rows(again.db, same) == rows(season.db, same) != []


def test_games_have_days_as_people_write_them(console: Console) -> None:
    """The day of most is that of the round, where it has none; who writes one, of one game."""
    console("rounds --date 3 2026-03-24")
    lines = [
        "round,white,black,result,date", "1,Anna,Boris,1-0,10-3-2026", "1,Clara,Daan,=,2026-03-10",
        "2,Boris,Clara,1-0,", "2,Daan,Anna,0-1,18/3/2026", "3,Anna,Clara,=,25.3.2026",
        "4,Anna,Boris,=,2026-03-31 00:00:00",
    ]  # fmt: skip
    console("import - --games", stdin="\n".join(lines))
    assert rows(console.db, "SELECT round_number, date FROM schedule ORDER BY 1") == [
        (1, "2026-03-10"), (3, "2026-03-24"), (4, "2026-03-31"),
    ]  # fmt: skip
    own = "SELECT round_number, white, date FROM pairings WHERE date IS NOT NULL ORDER BY 1"
    assert rows(console.db, own) == [
        (2, "Daan", "2026-03-18"),
        (3, "Anna", "2026-03-25"),
    ]
    for typed in ("2026", "march", "31-2-2026"):
        said = console.refused(
            "import - --games", f"{lines[0]}\n5,Anna,Boris,=,{typed}\n"
        )
        assert "line 2: a date must be YYYY-MM-DD" in said


def test_a_listing_of_boards_is_read_back(season: Console, tmp_path: Path) -> None:
    """What --json prints, not only what export writes."""
    again = new_club(tmp_path / "again.db", name="Again")
    members = tmp_path / "members.json"
    season(f"export {members} --view members")
    said = again(
        f"import {members} && import - --games", stdin=season("pairings -r 1 --json")
    )
    assert said.endswith("11 games imported.\n")
    assert again.sheet(1) == [(w, b) for w, b in season.sheet(1) if b]


def test_a_bye_among_games_is_named_and_does_not_count(console: Console) -> None:
    """Its round and player are looked at as those of games are."""
    heading = "round,white,black,result"
    said = console(
        "import - --games", stdin=f"{heading}\n1,Anna,Boris,1-0\n1,Clara,,bye\n"
    )
    note = "Note: 1 line with a bye was left out: --unplayed imports byes.\n"
    assert said == f"{note}1 game imported.\n"
    assert console.rows("SELECT count(*) FROM round") == [(1,)]
    assert console.rows("SELECT count(*) FROM unplayed") == [(0,)]
    for bye, wrong in {
        "1,Nobody,,bye": "there is no player “Nobody”",
        "xyz,Clara,,bye": "round “xyz” is not a number from 1 to 999",
    }.items():
        refused = console.refused("import - --games", f"{heading}\n{bye}\n")
        assert f"standard input, line 2: {wrong}" in refused


PLAYERS = {
    '[{"name": "Kim", "rating": 1500}]': "1 player imported.",
    '\ufeff [\n{"name": "Kim", "elo": "1500", "title": null}]\n': "1 player imported.",
    '{"name": "Kim"}': "Note: without a rating (1): Kim.\n1 player imported.",
    "[]": "Nothing changes.",
}


@pytest.mark.parametrize(("text", "said"), PLAYERS.items())
def test_members_as_json(tmp_path: Path, text: str, said: str) -> None:
    console, file = new_club(tmp_path / "club.db"), tmp_path / "members.json"
    file.write_text(text, encoding="utf-8")
    assert console(f"import {file}") == f"{said}\n"


REFUSED = {
    '[{"name": "Kim"}': "members.json: this is not JSON, or broken",
    '[{"name": "Kim"},\n\n {"name": }]': "this is not JSON, or broken",
    "[" * 100_000: "this is not JSON, or broken",
    '[{"name": "Kim", "rating": '
    + "9" * 5000
    + "}]": "row 1: rating is a number that is too large",
    '[{"name": "Kim"}, 7]': "row 2: this is no object",
    '[["name", "Kim"]]': "row 1: this is no object",
    '[{"name": "Kim", "rating": 1e999}]': "row 1: rating is a number that is too large",
    '[{"name": "Kim", "rating": 1500.5}]': "row 1: Kim: a rating must be a whole number",
    '[{"name": "Kim", "rating": [1]}]': "row 1: rating is neither a text nor a number",
    '[{"name": "Kim", "name": "Lee"}]': "an object has a key twice",
    '[{"rating": 1500}]': "row 1: no column is called name",
    '[{"name": "Kim\\ud800"}]': "this is not JSON, or broken",
    '[{"name": "Kim"}, {"name": "kim"}]': "row 2: ",
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.items(), ids=range(len(REFUSED)))
def test_other_json_is_refused_with_its_row(
    club: Path, text: str, sentence: str
) -> None:
    """In one sentence, and nothing is changed."""
    file = club.with_name("members.json")
    file.write_text(text, encoding="utf-8")
    assert sentence in Console(club).refused(f"import {file}")
