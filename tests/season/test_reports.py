"""What members look up: standings in full, crosstable, card, progress and so on.

The figures are worked out by hand. Values are 10 for first place and one less
for each next; a bye brings 2/3 and an excused absence 1/3 of the own value, an
adjourned game half the opponent's:

    round 1   Anna-Boris 1-0    Clara-Daan 0-1    Eva has the bye
    round 2   Daan-Anna 1-0     Eva-Boris adj     Clara is excused
    round 3   Anna-Clara +-     Boris-Daan ½-½    Eva-Fred 1-0 (Fred is new)
    round 4   Boris-Eva 0-0     Fred-Daan 0-1     Anna on duty, Clara away; a new period

    after 1   Anna 19, Daan 15, Eva 10, Boris 9, Clara 8
    after 2   Daan 25, Anna 17, Eva 16.833, Boris 11, Clara 8; Fred joins
    after 3   Daan 28.5, Anna 22, Eva 21.833, Boris 16, Clara 8, Fred 5
"""

import csv
import io
import os
import random
import shlex
import sqlite3
from collections import defaultdict
from typing import Any

import pexpect
import pytest
from click.testing import CliRunner

from conformance.seasons import OVER_THE_BOARD, SIDES
from keizer.cli import main, output
from tests.support.console import Console
from tests.support.files import campaign, edit
from tests.support.members import write_club
from tests.support.scenes import scenes
from tests.support.seasons import random_season, write

SEASON = """
INSERT INTO player (id, name, rating, category) VALUES (1, 'Anna', 2000, 'A'),
  (2, 'Boris', 1900, 'A'), (3, 'Clara', 1800, 'B'), (4, 'Daan', 1700, 'B'), (5, 'Eva', NULL, NULL),
  (6, 'Fred', 1600, NULL);
INSERT INTO x_player_tournament (player_id, tournament_id, rating, first_round)
  SELECT id, 1, rating, CASE name WHEN 'Fred' THEN 3 ELSE 1 END FROM player;
INSERT INTO period (tournament_id, first_round, scores) VALUES (1, 4, 'reset');
INSERT INTO round (tournament_id, round_number, white, black, result) VALUES (1, 1, 1, 2, '1-0'),
  (1, 1, 3, 4, '0-1'), (1, 2, 4, 1, '1-0'), (1, 2, 5, 2, 'adj'), (1, 3, 1, 3, '+-'),
  (1, 3, 2, 4, '½-½'), (1, 3, 5, 6, '1-0'), (1, 4, 2, 5, '0-0'), (1, 4, 6, 4, '0-1');
INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (1, 1, 5, 'bye'),
  (1, 2, 3, 'excused'), (1, 4, 1, 'club duty'), (1, 4, 3, 'unexcused');
"""
COMMANDS = (
    "standings", "crosstable", "card Anna", "progress", "progress Anna", "head-to-head Anna",
    "head-to-head Anna Daan", "performance", "statistics", "categories",
)  # fmt: skip


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Console:
    """The season above."""
    console = Console(tmp_path_factory.mktemp("reports") / "club.db")
    console("init --name Club && rules top_value=10 step=1 floor_value=1")
    edit(console.db, *filter(str.strip, SEASON.split(";")))
    return console


# ------------------------------------------------------------- figures by hand

CARD = (
    "opponent, opponent_rank, result, kind, value_then, value_now, keizer_then, keizer_now, points"
    " FROM player_card"
)
PERFORMANCE = "name, games, score, opponents, performance, expected, k, rating_change FROM performance"
FEAT = "value, about FROM statistics WHERE topic"

FIGURES: dict[str, list[tuple[Any, ...]]] = {
    # Values and points then and now.
    f"{CARD} WHERE round_number = 3 AND name = 'Anna'": [
        ("Boris", 4, "1", None, 9, 7, 9, 7, 1),
        ("Daan", 1, "0", None, 9, 10, 0, 0, 0),
        ("Clara", 5, "+", None, 6, 6, 6, 6, 1),
    ],
    f"{CARD} WHERE round_number = 3 AND name = 'Boris' AND played_in = 2": [
        ("Eva", 3, "adj", None, 8, 8, 4, 4, 0.5),
    ],
    f"{CARD} WHERE round_number = 3 AND name = 'Fred'": [
        (None,) * 9, (None,) * 9, ("Eva", 3, "0", None, 8, 8, 0, 0, 0),
    ],
    # Rounds of an earlier period bring nothing now; they stay, with what they brought then.
    "opponent, value_then, keizer_then, keizer_now, points FROM player_card"
    " WHERE round_number = 4 AND name = 'Anna' AND played_in = 1": [("Boris", 9, 9, None, None)],
    # Daan: 2½ of 3 against 1800, 2000, 1900; 83 % is 273; expected .36 + .15 + .24. Anna: 1 of 2
    # (no forfeit) against 1900 and 1700; expected .64 + .85. Fred has only met Eva, unrated.
    f"{PERFORMANCE} WHERE round_number = 3 ORDER BY rank": [
        ("Daan", 3, 2.5, 1900, 2173, 0.75, 20, 35.0),
        ("Anna", 2, 1.0, 1800, 1800, 1.49, 20, -9.8),
        ("Eva", 1, 1.0, 1600, 2400, None, None, None),
        ("Boris", 2, 0.5, 1850, 1657, 1.12, 20, -12.4),
        ("Clara", 1, 0.0, 1700, 900, 0.64, 20, -12.8),
    ],
    "topic, value, about FROM statistics WHERE round_number = 3 ORDER BY line, about": [
        ("games over the board", 6, None), ("won by White", 3, "50%"), ("drawn", 1, "17%"),
        ("won by Black", 1, "17%"), ("forfeits", 1, None), ("byes", 1, None),
        ("absences", 1, None), ("club duty", 0, None), ("most wins", 2, "Daan"),
        ("longest unbeaten run", 3, "Daan (rounds 1 to 3)"),
        ("longest winning run", 2, "Daan (rounds 1 to 2)"),
        ("biggest upset", 300, "Daan (1700) beat Anna (2000), round 2"),
        ("biggest climb in a round", 2, "Daan (round 1, from 4 to 2)"),
        ("biggest climb in a round", 2, "Eva (round 1, from 5 to 3)"),
    ],
    # All who share a feat have a row, and a table knows only what was before it.
    f"{FEAT} = 'most wins' AND round_number < 2 ORDER BY about": [(1, "Anna"), (1, "Daan")],
    f"{FEAT} = 'longest unbeaten run' AND round_number IN (1, 4) ORDER BY 1, about": [
        (1, "Anna (round 1)"), (1, "Daan (round 1)"), (4, "Daan (rounds 1 to 4)"),
    ],
    f"{FEAT} = 'biggest upset' AND round_number = 1": [
        (100, "Daan (1700) beat Clara (1800), round 1")
    ],
    f"{FEAT} = 'club duty' AND round_number = 4": [(1, None)],
}  # fmt: skip


@pytest.mark.parametrize("query", FIGURES)
def test_a_view_has_the_figures_by_hand(season: Console, query: str) -> None:
    assert season.rows(f"SELECT {query}") == FIGURES[query]


SHOWN = {
    # A forfeit and an adjourned game are neither won, drawn nor lost; a forfeit is no colour.
    "standings -r 3": """\
Club, after round 3
Rank    Name   Value   Score  Points  Games  +  =  -  Byes  Abs  Duty  Col
   1    Daan      10    28.5     2.5      3  2  1  0     0    0     0  B1
   2    Anna       9      22       2      2  1  0  1     0    0     0  0
   3    Eva        8  21.833     1.5      2  1  0  0     1    0     0  W2
   4    Boris      7      16       1      3  0  1  1     0    0     0  B1
   5    Clara      6       8       0      1  0  0  1     0    1     0  W1
   6    Fred       5       5       0      1  0  0  1     0    0     0  B1
""",
    # Opponents by their rank in the table.
    "crosstable -r 3": """\
           1     2   3
1  Daan  5b1   2w1 4b½
2  Anna  4w1   1b0 5w+
3  Eva   bye 4wadj 6w1
4  Boris 2b0 3badj 1w½
5  Clara 1w0   exc 2b-
6  Fred            3b0
""",
    "card clara -r 3": """\
Club, after round 3: Clara, rank 5
Score 8, points 0, +0 =0 -1, rating 1800, performance 900
Round  Opponent  Rank  Col  Res  Value  now  Keizer  now  Points
    1  Daan         1  W    0        7   10       0    0       0
    2  excused                       6    6       2    2       0
    3  Anna         2  B    -        9    9       0    0       0
""",
    "card Eva -r 3": "unrated, performance 2400",
    "statistics -r 3": """\
biggest climb in a round    2  Daan (round 1, from 4 to 2), Eva (round 1, from 5
                               to 3)
""",
    "progress -r 3": """\
Club, up to round 3: rank after each round
         0 1 2 3
1  Daan  4 2 1 1
2  Anna  1 1 2 2
3  Eva   5 3 3 3
4  Boris 2 4 4 4
5  Clara 3 5 5 5
6  Fred      6 6
""",
    "head-to-head Eva Boris": "Club, up to round 4: Eva against Boris\n",
    "head-to-head Eva Anna": "They have not met.",
    "categories -r 3": """\
Club, after round 3

Category A
Rank  Name   Score  Points  Overall
   1  Anna      22       2        2
   2  Boris     16       1        4

Category B
Rank  Name   Score  Points  Overall
   1  Daan    28.5     2.5        1
   2  Clara      8       0        5
""",
}


@pytest.mark.parametrize("line", SHOWN)
def test_a_listing_as_shown(season: Console, line: str) -> None:
    assert SHOWN[line] in season(line)


# ------------------------------------------------------------- published figures, runs


test_performance = scenes("""
Average and performance of four in the 16-player exercise that FIDE trains arbiters with.
  players 0
  import - < name,rating|Abel,|Beth,2050|Cyrus,|Dora,|K1750,1750|K1900,1900|K2200,2200|\
K1450,1450|K2100,2100|L1650,1650|L1600,1600|L2100,2100|L2200,2200|M1550,1550|M2100,2100|\
M1750,1750|M1850,1850|N2050,2050
  import - --games < round,white,black,result|1,Abel,K1750,1-0|2,Abel,K1900,1-0|3,Abel,K2200,1-0|\
4,Abel,K1450,1-0|5,Abel,K2100,0-1|1,Beth,L1650,1-0|2,Beth,L1600,1-0|3,Beth,L2100,1-0|\
4,Beth,L2200,0-1|1,Cyrus,M1550,1-0|2,Cyrus,M2100,1-0|3,Cyrus,M1750,0-1|4,Cyrus,M1850,0-1|\
1,Dora,N2050,0-1
  SELECT name, opponents, performance FROM performance
    WHERE round_number = 5 AND player_id < 5 ORDER BY player_id =>
    Abel 1880 2120; Beth 1888 2081; Cyrus 1813 1813; Dora 2050 1250

400 points are the most that counts, and K is 10 from 2400.
  player Anna --start-rating 2400 && player Daan --start-rating 1800
  import - --games < round,white,black,result|1,Anna,Daan,0-1
  SELECT name, expected, k, rating_change FROM performance WHERE round_number = 1 ORDER BY name =>
    Anna 0.92 10 -9.2; Daan 0.08 20 18.4

From 2650 on a difference counts in full (B.02 8.3.1 since 1 October 2025), for that player alone.
  player Anna --start-rating 2807 && player Daan --start-rating 2250
  player Boris --start-rating 2650 && player Clara --start-rating 1900
  import - --games < round,white,black,result|1,Anna,Daan,1-0|1,Boris,Clara,=
  SELECT name, expected, k, rating_change FROM performance WHERE round_number = 1 ORDER BY name =>
    Anna 0.97 10 0.3; Boris 1.0 10 -5.0; Clara 0.08 20 8.4; Daan 0.08 20 -1.6
  player Boris --start-rating 2649
  SELECT name, expected, rating_change FROM performance WHERE name IN ('Boris', 'Clara') =>
    Boris 0.92 -4.2; Clara 0.08 8.4

Runs end with a loss, and pass over forfeits and absences: unbeaten from round 3 to 9, four games.
  import - --games < round,white,black,result|1,Anna,Boris,1-0|2,Anna,Boris,0-1|3,Anna,Boris,1-0|\
4,Anna,Boris,-+|6,Anna,Boris,=|7,Anna,Boris,1-0|8,Anna,Boris,adj|9,Anna,Boris,1-0|10,Anna,Boris,0-1
  import - --unplayed < round,player,kind|5,Anna,excused
  SELECT topic, value, about FROM statistics WHERE round_number = 10 AND topic LIKE 'longest%' =>
    longest unbeaten run 4 Anna (rounds 3 to 9); longest winning run 2 Anna (rounds 7 to 9)
""")


# ------------------------------------------------------------- seasons at random


CROSSES = {
    "win": "1", "loss": "0", "draw": "½", "adjourned": "adj", "forfeit win": "+",
    "forfeit loss": "-", "double forfeit": "-",
}  # fmt: skip
"""How a crosstable shows what a game was for a player."""


@pytest.mark.parametrize("seed", [25, *range(6)])
def test_any_season_is_counted_as_by_a_plain_loop(
    conn: sqlite3.Connection, seed: int
) -> None:
    """Games won, drawn and lost, colours, meetings; a card has the lines of the explanation.

    The first of these seasons has games with every result.
    """
    season = random_season(random.Random(seed), players=range(6, 13), options=seed > 1)
    season.games = [game for game in season.games if game.round_number <= 9]
    write(conn, season)
    (last,) = conn.execute("SELECT max(round_number) FROM ranking_list").fetchone()

    def at_last(query: str) -> list[tuple[Any, ...]]:
        return conn.execute(
            f"SELECT {query} WHERE round_number = ?", (last,)
        ).fetchall()

    starts = dict(at_last("player_id, counts_from FROM ranking_list"))
    expected = {player: [0, 0, 0, 0] for player in starts}
    pairs: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    crosses: dict[tuple[int, int], str] = {}
    for game in season.games:
        if game.result not in SIDES:
            continue
        board = game.result in OVER_THE_BOARD
        sides = ((game.white, game.black, 1), (game.black, game.white, -1))
        for (player, opponent, colour), kind in zip(
            sides, SIDES[game.result], strict=True
        ):
            if player not in starts:  # who is out has no tables and no card
                continue
            met = pairs[player, opponent]
            met[0 if board else 1] += 1
            if board:
                met[2 if colour == 1 else 3] += 1
            crosses[player, game.round_number] = CROSSES[kind]
            if not board or game.round_number < starts[player]:
                continue
            expected[player][3] += colour
            if kind in ("win", "draw", "loss"):
                expected[player][("win", "draw", "loss").index(kind)] += 1
    found = at_last("player_id, won, drawn, lost, balance FROM standings")
    assert {player: figures for player, *figures in found} == expected
    found = at_last(
        "player_id, opponent_id, games, forfeits, whites, blacks FROM head_to_head"
    )
    assert {(one, other): figures for one, other, *figures in found} == pairs
    found = at_last("player_id, played_in, result FROM crosstable")
    shown = {(player, number): result for player, number, result in found if result}
    assert {place: shown.get(place) for place in crosses} == crosses
    lines = {
        (number, player, played_in): points
        for number, player, played_in, points in conn.execute(
            "SELECT round_number, player_id, played_in, points FROM explanation"
            " WHERE played_in IS NOT NULL"
        )
    }
    cards = at_last("player_id, played_in, keizer_then, keizer_now FROM player_card")
    assert cards or not last
    assert {player for player, *_ in cards} <= {*starts}
    for player, played_in, then, now in cards:
        assert now == lines.get((last, player, played_in)), (player, played_in)
        assert then == lines.get((played_in, player, played_in), then)


# ------------------------------------------------------------------ the commands


@pytest.fixture(scope="module")
def long_season(tmp_path_factory: pytest.TempPathFactory) -> Console:
    """40 players with long names, 33 rounds with results and one without."""
    console = Console(tmp_path_factory.mktemp("long") / "long.db")
    long = "Anna Maximiliana van der Hoogenboom-Oldenbarneveldt"
    write_club(console.db, [f"{number:02} {long}" for number in range(1, 41)], 34)
    return console


@pytest.mark.parametrize("command", COMMANDS)
def test_lines_keep_to_80_characters(long_season: Console, command: str) -> None:
    """Below the heading, which may have names in full; nothing is lost but ends of names."""
    line = command.replace("Anna", "'#1'").replace("Daan", "'#2'")
    _, *lines = long_season(line).splitlines()
    assert lines
    assert [shown for shown in lines if len(shown) > 80] == []
    if command in ("crosstable", "progress"):
        blocks = [
            words for words in map(str.split, lines) if words and words[1:2] != ["01"]
        ]
        heads = [words for words in blocks if all(map(str.isdecimal, words))]
        numbers = [int(word) for words in heads for word in words]
        assert numbers == list(range(1 if command == "crosstable" else 0, 34))


def test_standings_leave_out_what_matters_least(
    long_season: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names are cut first, not below 14 characters; then colours go, duty, absences, byes."""
    extra = ["Byes", "Abs", "Duty", "Col"]
    shown = []
    for room in (60, 64, 68, 72, 76, 80, 84, 88, 92, 100, 200):
        monkeypatch.setattr(output, "width", lambda room=room: room)
        lines = long_season("standings").splitlines()[1:]
        assert max(map(len, lines)) <= room
        titles = lines[0].split()
        assert {
            "Rank",
            "Name",
            "Value",
            "Score",
            "Points",
            "Games",
            "+",
            "=",
            "-",
        } <= set(titles)
        there = [title for title in extra if title in titles]
        assert there == extra[: len(there)]
        names = lines[0].index("Value") - lines[0].index("Name") - 2
        assert names >= 14 or not there
        assert ("…" in lines[1]) == (room < 200)
        shown.append(len(there))
    assert shown == sorted(shown)
    assert set(shown) == {0, 1, 2, 3, 4}


def test_who_went_up_is_green_and_who_went_down_red(season: Console) -> None:
    line = ["standings", str(season.db), "-r", "2"]
    shown = CliRunner().invoke(main, line, color=True).output
    assert "\x1b[32m+1\x1b[0m  Daan" in shown
    assert "\x1b[31m-1\x1b[0m  Anna" in shown


@pytest.mark.posix
def test_a_terminal_has_its_own_width_and_bold_headings(
    season: Console, installed: str
) -> None:
    """With 60 columns there is no room for colours, duty and so on; a pipe has 80."""
    line = shlex.join([installed, "standings", str(season.db), "-r", "3"])
    size = {**os.environ, "COLUMNS": "60"}
    shown = str(pexpect.run(line, encoding="utf-8", env=size))
    heading, titles, *_ = shown.splitlines()
    assert heading == "\x1b[1mClub, after round 3\x1b[0m"
    assert titles.startswith("\x1b[1mRank")
    assert "Games" in titles and "Duty" not in titles


@pytest.mark.parametrize("number", [0, 4, *campaign(1, 4)])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_listing_of_every_round_in_every_form(
    season: Console, command: str, number: int
) -> None:
    """The same rows as JSON and, but for the ids, as CSV; the last standings are the default."""
    line = f"{command} -r {number}"
    season(line)
    data = season.json(line)
    table = list(csv.DictReader(io.StringIO(season(f"{line} --csv"))))
    assert table == [
        {key: "" if row[key] is None else str(row[key]) for key in shown}
        for shown, row in zip(table, data, strict=True)
    ]
    if number == 4:
        assert season.json(command) == data


test_before_it_begins = scenes("""
Reports of a season without a round say so.
  crosstable => No round has been played yet.
  head-to-head Anna => Nobody yet.
  performance => rated opponent yet
  categories => Nobody has a category
  statistics => games over the board  0

And those of one without a player.
  players 0
  standings => Club
  crosstable => Club
  progress => Club
  performance => Club
  statistics => Club
  players => Club

Who is not there, or not yet, has none.
  next-round && result 1 1-0 && result 2 = && add Eva --from-round 3
  ! crosstable -r 9 => there is no round 9
  ! card Zoe => there is no player “Zoe”
  ! card Eva -r 1 => Eva is not in the list after round 1
  ! progress Eva -r 1 => Eva is not in the list after round 1
  ! head-to-head Anna anna => cannot meet themselves

An open game and absences in the crosstable; an absence that counts as a bye is one.
  absent Daan --kind 'club duty' --round 1 && absent Clara --kind unexcused && next-round
  next-round --allow-open
  SELECT name, cell FROM crosstable WHERE round_number = 1 AND played_in = 1 ORDER BY name =>
    Anna 2b; Boris 1w; Clara unex; Daan duty
  rules unexcused.counts_as_bye=1
  SELECT byes, absences FROM standings WHERE name = 'Clara' AND round_number = 1 => 1 0
""")
