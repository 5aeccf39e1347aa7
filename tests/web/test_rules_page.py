"""The rules in the club's words: what a sentence says is what the views of the file do."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from keizer.season import presets, rules
from keizer.season.queries import Tournament
from keizer.store import sql
from keizer.web.site.data import PublishedSeason
from keizer.web.site.messages import Messages
from keizer.web.site.pages import Pages, environment
from keizer.web.visit import Face
from tests.support.console import new_club
from tests.support.face import director, done
from tests.support.files import rows, run_keizer

AWAY = {1: "excused", 2: "unexcused", 4: "excused", 6: "excused"}
"""When P06 is away, and how."""


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six rounds of six, P06 away in four of them; P07 comes in round 4."""
    console = new_club(tmp_path_factory.mktemp("played") / "club.db", 6)
    for number in range(1, 7):
        if number in AWAY:
            run_keizer(
                "absent", console.db, "P06", "--kind", AWAY[number], "--round", number
            )
        run_keizer(
            "add", console.db, "P07", "--rating", "2000"
        ) if number == 4 else None
        run_keizer("next-round", console.db)
        boards = rows(
            console.db, f"SELECT board FROM round WHERE round_number = {number}"
        )
        results = "".join(
            f"{board} {('1-0', '=', '0-1')[(board + number) % 3]}\n"
            for (board,) in boards
        )
        run_keizer("result", console.db, "-", stdin=results)
    return console.db


@pytest.fixture
def played(_played: Path) -> Iterator[Tournament]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        with closing(sqlite3.connect(_played)) as there:
            there.backup(conn)
        conn.row_factory = sqlite3.Row
        yield Tournament(conn, 1)


def told(tournament: Tournament, says: str, kind: str = "") -> str:
    """The sentence about a question, as members read it."""
    season = PublishedSeason(tournament)
    (question,) = (
        one for one in season.rules.questions_about(season.rules.current_rules)
        if one["says"] == says and one["kind_name"] == kind
    )  # fmt: skip
    return _sentence(season, question, season.rules.current_rules)


def _sentence(
    season: PublishedSeason, question: dict[str, Any], values: dict[str, Any]
) -> str:
    said = environment(Messages("en")).get_template("said.html")
    module: Any = said.make_module({"season": season})
    return " ".join(re.sub("<.*?>", "", str(module.sentence(question, values))).split())


def amount(words: str, value: Fraction) -> Fraction:
    """What words such as 1/3 of a value and 2 points are, in points."""
    total = Fraction(0)
    for part in words.split(" and "):
        share = re.fullmatch(r"(?:(\S+) of )?(?:one’s own|the opponent’s) value", part)
        fixed = re.fullmatch(r"(\S+) points?", part)
        assert share or fixed or part == "nothing", part
        if share:
            total += Fraction(share[1] or 1) * value
        elif fixed:
            total += Fraction(fixed[1])
    return total


def credited(
    sentence: str, before: dict[int, str], kinds: set[str], number: int
) -> tuple[str, int]:
    """What a round brings by a sentence, and how often it is halved."""
    found = re.search(r" brings (.*?)\.(?: |$)", sentence)
    assert found, sentence
    most = re.search(r"Only the first (one|\d+) of a season", sentence)
    upto = re.search(r"It counts up to round (\d+) only", sentence)
    last = re.search(r"not count in the last (?:(\d+) rounds|round)\.", sentence)
    other = re.search(r"does not count so brings (.*?) \(", sentence)
    so_far = [past for past, kind in before.items() if kind in kinds]
    barred = (
        (most is not None and len(so_far) >= int(most[1].replace("one", "1")))
        or (upto is not None and number > int(upto[1]))
        or (last is not None and number > 6 - int(last[1] or 1))
        or ("only after one’s first game" in sentence and number < 4)
    )
    if barred:
        return (other[1] if other else "nothing"), 0
    return found[1], len(so_far) if "Each next one" in sentence else 0


FACTORS = ("0", "1/3", ".35", "1/2", "1", "7/6")


@pytest.mark.parametrize("seed", range(20))
def test_an_absence_brings_what_its_sentence_says(
    played: Tournament, seed: int
) -> None:
    rng = Random(seed)
    conditions = [
        ("season_cap", ("0", "1", "2", "3")), ("first_rounds", ("0", "1", "4")),
        ("last_rounds", ("1", "2")), ("after_game", ("1",)), ("instead", ("club duty",)),
    ]  # fmt: skip
    chosen = [
        f"excused.{part}={rng.choice(those)}"
        for part, those in rng.sample(conditions, 2)
    ]
    if seed % 4 == 0:
        chosen = ["excused.halving=1"]
    together = rng.random() < 0.5
    chosen += [
        "unexcused.counts_with=excused" if together else "unexcused=0",
        f"excused={rng.choice(FACTORS)}", f"excused.fixed={rng.choice(('0', '1', '2.5'))}",
        f"club-duty={rng.choice(FACTORS)}", f"rounds={rng.choice(('6', 'none'))}",
    ]  # fmt: skip
    for setting in chosen:
        rules.change(played, setting)
    sentence = told(played, "unplayed", "excused")
    kinds = {"excused"} | {
        "unexcused" for words in re.findall("together with: (.*?)\\.", sentence)
        if "unexcused" in words
    }  # fmt: skip
    lines = played.conn.execute(
        "SELECT played_in, kind, value, points FROM explanation WHERE round_number = 6"
        " AND name = 'P06' AND kind IN ('excused', 'unexcused') ORDER BY played_in"
    ).fetchall()
    found = {
        number: (Fraction(value or 0), points or 0)
        for number, _, value, points in lines
    }
    for number, kind in AWAY.items():
        if kind == "excused":
            before = {past: one for past, one in AWAY.items() if past < number}
            words, halved = credited(sentence, before, kinds, number)
            value, points = found[number]
            expected = amount(words, value) / 2**halved
            assert abs(float(expected) - points) < 0.001, (chosen, sentence, number)


@pytest.mark.parametrize("seed", range(8))
def test_a_game_and_ones_own_value_bring_what_their_sentences_say(
    played: Tournament, seed: int
) -> None:
    rng = Random(seed)
    for key in ("win", "draw", "loss", "own-value", "late-start"):
        rules.change(played, f"{key}={rng.choice(FACTORS)}")
        rules.change(played, f"{key}.fixed={rng.choice(('0', '1', '2.5'))}")
    games = re.match(
        "A win brings (.*?), a draw (.*?), a loss (.*?)\\. ", told(played, "games")
    )
    own = re.match("Every score has (.*?) in it", told(played, "own"))
    missed = re.search(
        "Each round missed before brings (.*?)\\. ", told(played, "newcomers")
    )
    assert games and missed
    words = dict(zip(("win", "draw", "loss"), games.groups(), strict=True))
    words |= {"own value": own[1] if own else "nothing", "late start": missed[1]}
    seen = set()
    for kind, times, value, points in played.conn.execute(
        "SELECT kind, times, value, points FROM explanation WHERE round_number = 6"
    ):
        if kind in words:
            seen.add(kind)
            expected = times * amount(words[kind], Fraction(value or 0))
            assert abs(float(expected) - points) < 0.001, (kind, words[kind])
    assert seen == set(words)


@pytest.mark.parametrize(
    ("settings", "values"),
    [
        ("", [9, 8, 7]),
        ("top_value=50 step=2.5", [50, 47.5, 45]),
        ("top_value=2n step=5 floor_value=8", [14, 9, 8]),
        ("top_value=3.5n", [24, 23, 22]),
        ("top_value=n", [7, 6, 5]),
        ("top_value=50 places_per_step=2", [50, 50, 49]),
        ("top_value=60 bottom_value=0 ladder=range", [60, 50, 40]),
        ("bottom_value=n/2 step=2 ladder=bottom", [15, 13, 11]),
        ("bottom_value=10 ladder=bottom", [16, 15, 14]),
    ],
)
def test_the_first_places_are_worth_what_the_sentence_says(
    played: Tournament, settings: str, values: list[float]
) -> None:
    """With seven players; the figures are worked out by hand, and those of the sentence too."""
    for setting in settings.split():
        rules.change(played, setting)
    rows = played.conn.execute(
        "SELECT value FROM standings WHERE round_number = 6 ORDER BY rank LIMIT 3"
    )
    assert [value for (value,) in rows] == values
    assert _first_places(told(played, "values")) == values


def _first_places(sentence: str) -> list[float]:
    """The values of the first three of seven places, by the words alone."""

    def points(words: str) -> float:
        halves = words == "half as many points as there are players, rounded down"
        found = re.match(
            r"(\S+) points?(?: for each (other )?player)?(, rounded down)?", words
        )
        if halves:
            return 3
        assert found, words
        times = (6 if found[2] else 7) if "for each" in words else 1
        return int(float(found[1]) * times) if found[3] else float(found[1]) * times

    first = re.search(
        r"The first place is worth (.*?)(?:, the last (.*?);|\. )", sentence
    )
    last = re.search(
        r"The last place is worth (.*?)\. Each place above it is worth (\S+)", sentence
    )
    if last:
        return [points(last[1]) + float(last[2]) * above for above in (6, 5, 4)]
    assert first, sentence
    if first[2]:
        return [
            points(first[1]) - (points(first[1]) - points(first[2])) * at / 6
            for at in range(3)
        ]
    shared = re.search(
        r"(\d+) places share a value; from them to the next it is (\S+)", sentence
    )
    step = re.search(r"Each next place is worth (\S+)", sentence)
    down = float(shared[2] if shared else step[1] if step else 0)
    least = re.search(r"No place is worth less than (\S+)", sentence)
    per = int(shared[1]) if shared else 1
    return [max(float(least[1]) if least else 0, points(first[1]) - down * (at // per))
            for at in range(3)]  # fmt: skip


class _Watched(dict[str, Any]):
    """Rules that remember which of them somebody looked at."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.read = set[str]()

    def __getitem__(self, key: str) -> Any:
        self.read.add(key)
        return super().__getitem__(key)


@pytest.mark.parametrize(
    "preset", ["keizer", "swiss", "esg", "swiss-fide", "keizerforclubs"]
)
def test_a_question_tells_what_its_sentence_is_made_of(
    played: Tournament, preset: str
) -> None:
    """What is compared beside the sentences is what no sentence has."""
    presets.set_rules(
        played, ["excused.season_cap=3", "excused.instead=bye"], preset=preset
    )
    season = PublishedSeason(played)
    for question in season.rules.questions_about(season.rules.current_rules):
        watched = _Watched(season.rules.current_rules)
        assert _sentence(season, question, watched)
        said = {
            key
            for key in watched.read
            if not key.startswith("bye") or question["kind_key"] == "bye"
        }
        assert said <= question["tells"], question["name"]
        assert question["tells"] <= season.rules.current_rules.keys()


def test_every_answer_that_is_offered_is_taken_and_is_then_in_force(
    played: Tournament,
) -> None:
    for preset in ("keizer", "swiss"):
        presets.set_rules(played, (), preset=preset)
        asked = rules.RulePage(played)
        for question in asked.questions_about(asked.current_rules):
            for field in question["fields"]:
                if field.get("system", preset) != preset:
                    continue
                key = field["name"].removesuffix(".factor")
                for value in [*field.get("answers", ()), *field.get("usual", ())]:
                    setting = field.get("setting", "{0}").replace("{0}", str(value))
                    lines = (
                        setting.split("\n")
                        if key == "settings"
                        else [f"{key}={setting}"]
                    )
                    presets.set_rules(played, lines)
                    if key == "settings":
                        assert rules.RulePage(played).holds(setting)


def test_all_rules_are_below_a_heading() -> None:
    """But name and status, which are of the tournament."""
    listed = [key for keys in rules.headings().values() for key in keys]
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.executescript(sql.script())
        columns = {name for (name,) in conn.execute(
            "SELECT name FROM pragma_table_xinfo('rules') WHERE NOT hidden")}  # fmt: skip
    assert sorted(listed) == sorted(columns - {"tournament_id"})


# ------------------------------------------------------------------------------ pages


def test_no_field_outside_the_fold_is_called_by_a_key(face: Face) -> None:
    """Of the rules that are asked in words; and behind the fold few are typed freely."""
    page = director(face).go("/rules").html
    asked, every = page.split("Every rule, for the connoisseur")
    assert "<code>" not in asked
    free = r"<input (?![^>]*type=)[^>]*name=\"([^\"]*)\""
    assert all(name.endswith(".typed") for name in re.findall(free, asked))
    assert len(re.findall(free, every)) < 40
    assert re.findall(r"type=\"number\" name=\"excused.season_cap\"", asked)


@pytest.mark.parametrize(
    ("typed", "factor"),
    [
        ("50 %", 0.5), ("33%", 0.33), ("33,3 %", 0.333), ("0,33", 0.33), ("2/5", "2/5"),
        ("a third", "1/3"), ("een derde", "1/3"), ("Ein Drittel", "1/3"), ("un tiers", "1/3"),
    ],
)  # fmt: skip
def test_a_share_is_typed_as_people_write_it(
    face: Face, season: Path, typed: str, factor: object
) -> None:
    me = director(face)
    me.go("/rules")
    me.press("Look what would change", **{"excused.factor.typed": typed})
    me.press("Change the rules")
    assert rows(season, "SELECT factor FROM scoring WHERE kind = 'excused'") == [
        (factor,)
    ]


def test_a_value_that_is_not_usual_is_shown_as_it_is(face: Face, season: Path) -> None:
    run_keizer("rules", season, "excused=.35", "bye=.667", "--yes")
    me = director(face)
    page = me.go("/rules").html
    assert "An evening away with notice brings 0.35 of one’s own value." in me.text
    assert 'name="excused.factor.typed" value="0.35"' in page
    me.press("Look what would change", **{"excused.factor": "1/4"})
    me.press("Change the rules")
    assert me.said == ["excused: 0.35 → 1/4."]


def test_before_it_is_changed_both_sentences_are_shown(face: Face) -> None:
    me = director(face)
    me.go("/rules")
    me.press(
        "Look what would change", **{"excused.factor": "1/2", "excused.season_cap": "5"}
    )
    for part in (
        "was: An evening away with notice brings 1/3 of one’s own value.",
        "would be: An evening away with notice brings 1/2 of one’s own value."
        " Only the first 5 of a season count.",
    ):
        assert part in me.text


def test_a_program_calls_the_rules_by_their_keys(face: Face, season: Path) -> None:
    done(
        face,
        "change-rules",
        **{"excused": "25%", "bye.factor": "1/2", "max_meetings": "3"},
    )
    assert rows(season, "SELECT max_meetings FROM rules") == [(3,)]
    kinds = "SELECT factor FROM scoring WHERE kind IN ('excused', 'bye') ORDER BY kind"
    assert rows(season, kinds) == [(0.5,), (0.25,)] or rows(season, kinds) == [
        ("1/2",),
        (0.25,),
    ]


def test_every_preset_has_its_line_where_a_season_begins_and_is_compared(
    face: Face,
) -> None:
    me = director(face)
    for path in ("/start", "/rules?preset="):
        me.go(path)
        shown = me.text.replace("&#39;", "'")
        assert [
            one for one in presets.load_presets().values() if one["about"] not in shown
        ] == []
    me.go("/rules?preset=")
    me.press("Compare", preset="haren")
    assert "haren: The first place is worth 80 points." in me.text
    me.press("Take them over")
    assert "The first place is worth 80 points." in me.text
    me.press("Change the rules")
    me.go("/rules?preset=haren")
    assert "The rules are the same." in me.text


def test_how_many_rules_differ_is_said_of_each_preset(played: Tournament) -> None:
    counted = presets.presets_with_differences(played)
    for name in ("keizer", "esg", "swiss"):
        assert counted[name]["differ"] == len(presets.differences(played, name))
    assert counted["keizer"]["differ"] == 0


@pytest.mark.parametrize("preset", ["keizer", "swiss", "freekeizer"])
def test_members_read_the_sentences_that_the_director_sees(
    face: Face, season: Path, preset: str
) -> None:
    run_keizer("rules", season, "--preset", preset, "--yes")
    me = director(face)
    asked = re.findall(
        r'<section class="question">\s*<h2>(.*?)</h2>\s*<p>(.*?)</p>',
        me.go("/rules").html,
        re.DOTALL,
    )
    read = re.findall(
        r"<h3>(.*?)</h3>\s*<p>(.*?)</p>", me.go("/rules.html").html, re.DOTALL
    )
    assert asked == read and len(read) >= 8


def test_what_was_changed_in_mid_season_is_told_to_members(face: Face) -> None:
    for board in ("1", "2"):
        done(face, "result", board=board, result="1-0")
    done(face, "change-rules", excused="1/2")
    text = director(face).go("/rules.html").html
    assert "An evening away with notice brings 1/2 of one’s own value." in text
    was = (
        r"Before, it was:\s+An evening away with notice brings 1/3 of one’s own value."
    )
    assert re.search(was, text)


def test_the_page_of_the_site_has_the_rules_too(played: Tournament) -> None:
    pages = dict(Pages(PublishedSeason(played), Messages("en")))
    assert "The bye brings 2/3 of one’s own value." in pages["rules.html"]
    assert 'href="rules.html"' in pages["index.html"]
