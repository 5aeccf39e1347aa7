"""Clubs and programs as they print their rules: docs/rules.md, row by row.

Every row of that table that gives figures has a season here with those figures,
worked out by hand from the values in force: 50, 49, 48, ... for a top value of 50.
"""

import re
import sqlite3
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from keizer.season import presets, rules
from tests.support.files import ROOT

PRESETS = tomllib.loads((ROOT / "keizer/season/presets.toml").read_text(encoding="utf-8"))


class Row(NamedTuple):
    """Rules, a season under them and what the club's text makes of it.

    club     number in docs/rules.md, name, and what is shown
    players  how many; player 1 has the highest rating, and so on down
    rules    KEY=VALUE, or a preset by its name
    season   "ROUND[-ROUND]: 1 v 2 1-0" or "ROUND[-ROUND]: PLAYER KIND", by semicolons
    lines    (table, player): the lines that bring something, "own value 50, 2x excused 50/3"
    values   of the start list, from the top
    orders   table: the players from the top, as far as told
    final    who is in the final list
    entries  SQL, before the first game
    """

    club: str
    players: int
    rules: tuple[str, ...] = ()
    season: str = ""
    lines: dict[tuple[int, int], str] = {}  # noqa: RUF012
    values: tuple[float, ...] = ()
    orders: dict[int, tuple[int, ...]] = {}  # noqa: RUF012
    final: tuple[int, ...] | None = None
    entries: str = ""


def down(top: float, count: int, step: float = 1) -> tuple[float, ...]:
    return tuple(top - step * place for place in range(count))


CYCLES = """
INSERT INTO period (tournament_id, first_round, scores, start)
VALUES (1, 1, 'reset', 'ranking'), (1, 9, 'reset', 'ranking'), (1, 17, 'reset', 'ranking')
"""
LATE = "UPDATE x_player_tournament SET first_round = {}, start_rank = {} WHERE player_id = {}"

ROWS = [
    Row(
        "1 Sevilla page: 35 players, 50 to 16",
        35,
        ("sevilla", "top_value=50"),
        "1: 1 v 2 1-0; 1: 3 v 4 ½-½; 1: 5 excused; 1: 6 bye",
        {
            (1, 1): "own value 50, win 49",
            (1, 2): "own value 49",
            (1, 3): "own value 48, draw 23.5",
            (1, 4): "own value 47, draw 24",
            (1, 5): "own value 46, excused 46/3",
            (1, 6): "own value 45, bye 30",
        },
        values=down(50, 35),
    ),
    Row("1 Sevilla page: three times the last", 35, ("classic",), values=down(51, 35)),
    Row(
        "2 Sevilla options: a step every two places",
        6,
        ("top_value=50", "places_per_step=2"),
        values=(50, 50, 49, 49, 48, 48),
    ),
    Row(
        "2 Sevilla options: equal parts",
        5,
        ("top_value=200", "bottom_value=100", "ladder=range"),
        values=(200, 175, 150, 125, 100),
    ),
    Row(
        "2 Sevilla options: from the bottom",
        5,
        ("ladder=bottom", "bottom_value=16", "step=2"),
        values=(24, 22, 20, 18, 16),
    ),
    Row(
        "2 Sevilla options: usual factors",
        6,
        ("sevilla", "top_value=60"),
        "1: 1 bye; 1: 2 excused; 1: 3 club duty; 1: 4 unexcused",
        {
            (1, 1): "own value 60, bye 40",
            (1, 2): "own value 59, excused 59/3",
            (1, 3): "own value 58, club duty 116/3",
            (1, 4): "own value 57",
        },
    ),
    Row(
        "2 Sevilla options: Aalsmeer 5 and 3",
        4,
        ("top_value=50", "bonus=5", "bonus_rounds=3"),
        "8: 4 unexcused",
        {
            (1, 1): "aalsmeer 250, own value 50",
            (3, 1): "aalsmeer 250, own value 50",
            (4, 1): "aalsmeer 200, own value 50",
            (5, 2): "aalsmeer 147, own value 49",
            (7, 1): "aalsmeer 50, own value 50",
            (8, 1): "own value 50",
        },
    ),
    Row(
        "3 Santpoort: 62 enrolled, 200 to 100",
        62,
        ("santpoort",),
        values=down(200, 62, 100 / 61),
    ),
    Row(
        "3 Santpoort: values by score",
        3,
        ("santpoort",),
        "1: 1 v 3 0-1; 1: 2 bye; 2: 3 v 2 ½-½; 2: 1 excused",
        {
            (1, 1): "own value 200",
            (1, 2): "own value 150, bye 100.05",
            (1, 3): "own value 100, win 200",
            # 300, 250.05 and 200 points are worth 200, 150.05 and 100.
            (2, 3): "own value 200, win 100, draw 75.025",
            (2, 2): "own value 150.05, bye 100.08335, draw 100",
            (2, 1): "own value 100, excused 33.3",
        },
        values=(200, 150, 100),
        orders={1: (3, 2, 1), 2: (3, 2, 1)},
    ),
    Row(
        "4 SV Oppositie: .75 and .667",
        10,
        ("oppositie",),
        "1: 1 excused; 1: 2 bye; 1: 3 club duty",
        {
            (1, 1): "own value 50, excused 20",
            (1, 2): "own value 49, bye 36.75",
            (1, 3): "own value 48, club duty 32.016",
        },
        values=down(50, 10),
    ),
    Row(
        "4 SV Oppositie: five absences",
        10,
        ("oppositie",),
        "1-6: 1 excused",
        {(6, 1): "own value 50, 5x excused 20"},
    ),
    Row(
        "5 Kijk Uit: league games by result",
        6,
        ("kijk-uit",),
        "1: 1 league win; 1: 2 league draw; 1: 3 excused; 1: 4 unexcused",
        {
            (1, 1): "own value 100, league win 100",
            (1, 2): "own value 99, league draw 49.5",
            (1, 3): "own value 98, excused 98/3",
            (1, 4): "own value 97",
        },
    ),
    Row(
        "6 Kijk Uit 2006-08: 60 at the top",
        5,
        ("top_value=60", "excused=1/3"),
        "1: 1 excused",
        {(1, 1): "own value 60, excused 20"},
        values=down(60, 5),
    ),
    Row(
        "7 Bornse Dam: no own value",
        5,
        ("bornse-dam", "start_order=rating"),
        "1: 4 v 5 1-0; 1: 3 club duty; 1: 1 bye; 1: 2 unexcused",
        {(1, 1): "bye 140/3", (1, 2): "", (1, 3): "club duty 68", (1, 4): "win 66", (1, 5): ""},
        values=down(70, 5),
    ),
    Row(
        "7 Bornse Dam: eight absences at 1/6",
        5,
        ("bornse-dam", "start_order=rating"),
        "1-9: 1 excused",
        {(9, 1): "8x excused 70/6"},
    ),
    Row(
        "7 Bornse Dam: away for long, ten at 1/3",
        5,
        ("bornse-dam", "start_order=rating"),
        "1-11: 1 excused",
        {(11, 1): "10x excused 70/3"},
        entries="INSERT INTO personal (tournament_id, player_id, kind, counts_as)"
        " VALUES (1, 1, 'excused', 'long absence')",
    ),
    Row(
        "8 Sliedrecht: 40 players, 60",
        40,
        ("sliedrecht",),
        "1: 1 bye; 1: 2 excused; 1: 3 club duty; 1: 4 external elsewhere",
        {
            (1, 1): "own value 60, bye 39.6",
            (1, 2): "own value 59, excused 19.47",
            (1, 3): "own value 58, club duty 38.28",
            (1, 4): "own value 57, external elsewhere 18.81",
        },
        values=down(60, 40),
    ),
    Row(
        "8 Sliedrecht: ten absences, external without limit",
        40,
        ("sliedrecht",),
        "1-11: 1 excused; 12-22: 1 external elsewhere",
        {(22, 1): "own value 60, 10x excused 19.8, 11x external elsewhere 19.8"},
    ),
    Row(
        "9 Zierikzee: three absences at a half",
        21,
        ("zierikzee",),
        "1-4: 1 excused",
        {(4, 1): "own value 30, 3x excused 15"},
    ),
    Row(
        "9 Zierikzee: 2/3",
        21,
        ("zierikzee",),
        "1: 1 bye; 1: 2 club duty; 1: 3 unexcused",
        {
            (1, 1): "own value 30, bye 20",
            (1, 2): "own value 29, club duty 58/3",
            (1, 3): "own value 28",
        },
    ),
    Row(
        # 5 drew with 44, who is worth 82; 3 has a third of 123: 41 points each.
        "10 Purmerend: Sonneborn-Berger",
        44,
        ("purmerend",),
        "1: 5 v 44 ½-½; 1: 3 excused",
        {(1, 5): "draw 41", (1, 3): "excused 41", (1, 44): "draw 60.5"},
        values=down(125, 44),
        orders={1: (44, 5, 3, 1, 2)},
    ),
    Row(
        "12 Zukertort: newcomers by rating",
        6,
        ("newcomers=rating",),
        "3: 1 v 2 1-0",
        orders={1: (1, 2, 4, 5, 6), 2: (1, 2, 3, 4, 5, 6)},
        entries="UPDATE x_player_tournament SET first_round = 3 WHERE player_id = 3",
    ),
    Row(
        "13 Heerhugowaard: sixths",
        8,
        ("heerhugowaard",),
        "1: 1 v 2 0-1; 1: 3 external win; 1: 4 external draw; 1: 5 external loss;"
        "1: 6 late notice; 1: 7 excused; 1: 8 unexcused",
        {
            (1, 1): "own value 40, loss 39/6",
            (1, 2): "own value 39, win 40",
            (1, 3): "own value 38, external win 266/6",
            (1, 4): "own value 37, external draw 185/6",
            (1, 5): "own value 36, external loss 18",
            (1, 6): "own value 35, late notice 35/6",
            (1, 7): "own value 34, excused 34/3",
            (1, 8): "own value 33",
        },
    ),
    Row(
        "13 Heerhugowaard: two absences a cycle, scores anew",
        8,
        ("heerhugowaard",),
        "1-3: 1 excused; 9-11: 1 excused",
        {
            (3, 1): "own value 40, 2x excused 40/3",
            (8, 1): "own value 40, 2x excused 40/3",
            (9, 1): "own value 40, excused 40/3",
            (11, 1): "own value 40, 2x excused 40/3",
        },
        entries=CYCLES,
    ),
    Row(
        "13 Heerhugowaard 2006-07: 6, 3 and 1, bye 5",
        5,
        (
            *("own-value=0", "win=0", "win.fixed=6", "draw=0", "draw.fixed=3"),
            *("loss.fixed=1", "bye=0", "bye.fixed=5"),
        ),
        "1: 1 v 2 1-0; 1: 3 v 4 ½-½; 1: 5 bye",
        {(1, 1): "win 6", (1, 2): "loss 1", (1, 3): "draw 3", (1, 4): "draw 3", (1, 5): "bye 5"},
        orders={1: (1, 5, 3, 4, 2)},
    ),
    Row(
        "14 Westergoo: 4 of 6",
        3,
        ("top_value=60", "club-duty=4/6"),
        "1: 1 club duty",
        {(1, 1): "own value 60, club duty 40"},
    ),
    Row(
        "15 De Schaakmaat: 1/3",
        10,
        ("classic",),
        "1: 2 excused; 1: 10 v 9 ½-½",
        {(1, 2): "own value 12, excused 4", (1, 10): "own value 4, draw 2.5"},
    ),
    Row(
        "16 Caissa Amsterdam: 50",
        10,
        ("top_value=50",),
        "1: 1 v 2 1-0; 1: 3 v 4 ½-½",
        {(1, 1): "own value 50, win 49", (1, 3): "own value 48, draw 23.5"},
        values=down(50, 10),
    ),
    Row(
        "17 Krommenie: 70, a maximum of absences",
        4,
        ("top_value=70", "excused=1/3", "excused.season_cap=1"),
        "1-2: 1 excused",
        {(2, 1): "own value 70, excused 70/3"},
        values=down(70, 4),
    ),
    Row(
        "18 RSG Roosendaal: a newcomer behind number 1",
        6,
        (),
        "3: 6 v 1 1-0",
        {(3, 6): "own value 6, win 7"},
        orders={1: (1, 2, 3, 4, 5), 2: (1, 6, 2, 3, 4, 5)},
        entries=LATE.format(3, 2, 6),
    ),
    Row(
        # Tables 2 and 3: round 1 at the values of lists 0 and 1.
        "19 De Pion: one list behind",
        4,
        ("depion", "top_value=50"),
        "1: 4 v 1 1-0; 1: 2 v 3 ½-½; 2: 4 v 2 1-0; 2: 3 v 1 ½-½; 3: 4 v 3 0-1",
        {
            (1, 4): "own value 47, win 50",
            (2, 4): "own value 50, win 50, win 49",
            (2, 1): "own value 47, draw 24",
            (2, 3): "own value 48, draw 24.5, draw 23.5",
            (3, 4): "own value 50, win 47, win 49",
            (3, 3): "own value 49, draw 24.5, draw 23.5, win 50",
        },
        orders={1: (4, 2, 3, 1), 2: (4, 3, 2, 1)},
    ),
    Row(
        "19 De Pion: a newcomer is worth the lowest less one",
        5,
        ("depion", "top_value=20"),
        "2: 5 v 1 ½-½",
        {(2, 5): "own value 16, draw 10", (2, 4): "own value 17"},
        orders={1: (1, 2, 3, 4, 5)},
        entries=LATE.format(2, "NULL", 5),
    ),
    Row(
        "20 Eenhoorn: two absences",
        21,
        ("eenhoorn",),
        "1-3: 1 excused",
        {(3, 1): "own value 30, 2x excused 15"},
    ),
    Row(
        "20 Eenhoorn: up to round 7",
        21,
        ("eenhoorn",),
        "7-8: 1 excused",
        {(8, 1): "own value 30, excused 15"},
    ),
    Row(
        "20 Eenhoorn: values stay",
        4,
        ("eenhoorn", "top_value=50"),
        "1: 4 v 1 1-0; 2: 2 v 4 1-0; 2: 3 club duty",
        {
            (2, 2): "own value 49, win 47",
            (2, 3): "own value 48, club duty 32",
            (2, 4): "own value 47, win 50",
        },
    ),
    Row(
        "26 SC Haren: values agree with the table they make",
        4,
        ("haren",),
        "1: 1 v 2 0-1; 1: 3 v 4 ½-½",
        {
            (1, 2): "own value 80, win 77",
            (1, 3): "own value 79, draw 39",
            (1, 4): "own value 78, draw 39.5",
            (1, 1): "own value 77",
        },
        orders={1: (2, 3, 4, 1)},
    ),
    Row(
        "26 SC Haren: eight boards, 1-2, 3-4 and on, Black wins them all",
        16,
        ("haren",),
        ";".join(f"1: {white} v {white + 1} 0-1" for white in range(1, 17, 2)),
        {
            (1, 2): "own value 80, win 72",
            (1, 16): "own value 73, win 65",
            (1, 1): "own value 72",
            (1, 15): "own value 65",
        },
        values=down(80, 16),
        orders={1: (*range(2, 17, 2), *range(1, 17, 2))},
    ),
    Row(
        "27 Ede: 100, groups of 14",
        14,
        ("ede",),
        "1: 1 excused; 1: 13 v 14 1-0",
        {(1, 1): "own value 100, excused 100/3", (1, 13): "own value 88, win 87"},
        values=down(100, 14),
    ),
    Row(
        "28 Ten Boer: half of 17",
        4,
        ("top_value=17", "excused=1/2"),
        "1: 1 excused",
        {(1, 1): "own value 17, excused 8.5"},
    ),
    Row(
        "29 Hoogland: 3-1-0",
        4,
        ("own-value=0", "win=0", "win.fixed=3", "draw=0", "draw.fixed=1"),
        "1: 1 v 2 0-1; 1: 3 v 4 ½-½",
        {(1, 2): "win 3", (1, 3): "draw 1", (1, 4): "draw 1", (1, 1): ""},
    ),
    Row(
        "30 German Wikipedia: 6 players, 7 to 2",
        6,
        ("wikipedia",),
        "1: 1 excused; 1: 2 v 3 ½-½",
        {
            (1, 1): "own value 7, excused 3.5",
            (1, 2): "own value 6, draw 2.5",
            (1, 3): "own value 5, draw 3",
        },
        values=down(7, 6),
    ),
    Row(
        # 6 and 5 + 1: number 3 of the start list has the higher rating.
        "30 German Wikipedia: by points, then by rating",
        6,
        ("wikipedia", "unexcused.fixed=1"),
        "1: 3 unexcused",
        {(1, 2): "own value 6", (1, 3): "own value 5, unexcused 1"},
        orders={0: (1, 2, 3, 4, 5, 6), 1: (1, 3, 2, 4, 5, 6)},
        entries="UPDATE x_player_tournament SET start_rank = player_id;"
        "UPDATE x_player_tournament SET rating = 2500 WHERE player_id = 3",
    ),
    Row("31 KeizerForClubs: 13.5 is 14", 10, ("keizerforclubs",), values=down(14, 10)),
    Row("31 KeizerForClubs: 16.5 is 16", 12, ("keizerforclubs",), values=down(16, 12)),
    Row("31 KeizerForClubs: 12 is 12", 9, ("keizerforclubs",), values=down(12, 9)),
    Row(
        "31 KeizerForClubs: from the ratio to 1",
        5,
        ("top_value=3", "bottom_value=1", "ladder=range"),
        values=(3, 2.5, 2, 1.5, 1),
    ),
    Row(
        "31 KeizerForClubs: shares of the own value",
        10,
        ("keizerforclubs",),
        "1: 1 bye; 1: 2 excused; 1: 3 club duty; 1: 4 unexcused; 1: 5 v 6 adj;"
        "1: 7 v 8 +-; 1: 9 v 10 --",
        {
            (1, 1): "own value 14, bye 7",
            (1, 2): "own value 13, excused 4.55",
            (1, 3): "own value 12, club duty 8.4",
            (1, 4): "own value 11, unexcused 3.85",
            (1, 5): "own value 10, adjourned 4.5",
            (1, 6): "own value 9, adjourned 5",
            (1, 7): "own value 8, forfeit win 7",
            (1, 8): "own value 7",
            (1, 9): "own value 6",
        },
    ),
    Row(
        "31 KeizerForClubs: half of it each time",
        10,
        ("keizerforclubs", "excused.halving=1"),
        "1-3: 1 excused",
        {(3, 1): "own value 14, excused 4.9, excused 2.45, excused 1.225"},
    ),
    Row(
        "31 KeizerForClubs: a fifth less in each round",
        4,
        ("top_value=50", "own-value=0", "aalsmeer=1/5", "bonus=5", "bonus_rounds=1"),
        "6: 4 unexcused",
        {
            (1, 1): "aalsmeer 50",
            (2, 1): "aalsmeer 40",
            (5, 1): "aalsmeer 10",
            (6, 1): "",
        },
    ),
    Row(
        # Nine are left: 12 to 4, and number 5 is worth 8.
        "31 KeizerForClubs: 75 % against a retired player",
        10,
        ("keizerforclubs",),
        "1: 5 v 10 1-0; 1: 6 v 9 0-1; 2: 9 v 10 ½-½",
        {(1, 5): "own value 8, win 6"},
        entries="UPDATE x_player_tournament SET last_round = 2 WHERE player_id = 10",
    ),
    Row(
        "31 KeizerForClubs: 75 % of the half",
        10,
        ("keizerforclubs",),
        "1: 5 v 10 ½-½; 1: 6 v 9 ½-½",
        {(1, 5): "own value 8, draw 3", (1, 6): "own value 7, draw 2"},
        entries="UPDATE x_player_tournament SET last_round = 1 WHERE player_id = 10",
    ),
    Row(
        "31 KeizerForClubs: late start as unexcused",
        10,
        ("keizerforclubs",),
        "3: 9 v 10 ½-½",
        # He joins list 2 in last place, which is worth 5.
        {(3, 10): "late start 3.5, own value 5, draw 3"},
        entries=LATE.format(3, "NULL", 10),
    ),
    Row(
        "32 Swiss-Chess: 56, 55, 54 without games",
        10,
        ("top_value=56",),
        "1: 9 v 10 0-0",
        {(1, 1): "own value 56", (1, 2): "own value 55", (1, 3): "own value 54"},
    ),
    Row(
        "32 Swiss-Chess, LSV 1873: fewer than three games",
        6,
        ("min_games=3",),
        "1-3: 1 v 2 1-0; 1-2: 3 v 4 1-0; 3: 3 v 5 +-",
        final=(1, 2),
    ),
    Row(
        "34 Tornelo: 10 players, 14 to 5",
        10,
        ("tornelo",),
        "1: 1 excused; 1: 2 v 3 ½-½; 1: 4 v 5 1-0",
        {
            (1, 1): "own value 14",
            (1, 2): "own value 13, draw 6",
            (1, 4): "own value 11, win 10",
        },
        values=down(14, 10),
    ),
    Row("34 Tornelo: 9 players, 12 to 4", 9, ("tornelo",), values=down(12, 9)),
    Row("35 ESG Emmen: 60, never below 1", 62, ("esg",), values=(*down(60, 60), 1, 1)),
    Row(
        "35 ESG Emmen: 40, 20 and 15",
        10,
        ("esg",),
        "3: 1 bye; 3: 2 club duty; 3: 3 excused; 3: 4 unexcused; 3: 9 v 10 ½-½",
        {
            (3, 1): "bye 40",
            (3, 2): "club duty 40",
            (3, 3): "excused 20",
            (3, 4): "unexcused 20",
            (3, 10): "late start 30, draw 26",
        },
        entries=LATE.format(3, "NULL", 10),
    ),
    Row(
        "35 ESG Emmen: five absences, announced or not",
        10,
        ("esg",),
        "1-4: 1 excused; 5-6: 1 unexcused; 7: 1 excused; 8: 1 club duty",
        {(8, 1): "4x excused 20, unexcused 20, club duty 40"},
    ),
    Row(
        "35 ESG Emmen: rounds stay at their own values",
        4,
        ("esg",),
        "1: 4 v 1 1-0; 1: 2 v 3 ½-½; 2: 1 v 4 1-0",
        {(1, 2): "draw 29", (1, 3): "draw 29.5", (2, 4): "win 60", (2, 1): "win 60"},
        orders={1: (4, 3, 2, 1)},
    ),
    Row(
        "35 ESG Emmen: seven games for the final list",
        4,
        ("esg",),
        "1-7: 1 v 2 1-0; 1-6: 3 v 4 1-0; 7: 3 bye",
        final=(1, 2),
    ),
    Row(
        "36 chesspairing: shares of the own value",
        10,
        ("chesspairing",),
        "1: 1 bye; 1: 2 excused; 1: 3 unexcused; 1: 10 club duty",
        {
            (1, 1): "own value 10, bye 5",
            (1, 2): "own value 9, excused 3.15",
            (1, 3): "own value 8, unexcused 2.8",
            (1, 10): "own value 1, club duty .7",
        },
        values=down(10, 10),
    ),
    Row(
        "36 chesspairing: five absences, the club's apart",
        10,
        ("chesspairing",),
        "1-3: 1 excused; 4-6: 1 unexcused; 7: 1 club duty",
        {(7, 1): "own value 10, 3x excused 3.5, 2x unexcused 3.5, club duty 7"},
    ),
    Row(
        # 2 and 1, then 1 and 2, for ever: each is worth the mean of both.
        "36 chesspairing: the mean of two tables in turn",
        2,
        ("chesspairing",),
        "1: 1 v 2 1-0; 2: 2 v 1 1-0; 3: 1 v 2 ½-½",
        {
            (3, 1): "own value 1.5, win 1.5, draw .75",
            (3, 2): "own value 1.5, win 1.5, draw .75",
        },
    ),
    Row(
        "37 FreeKeizer: every line a whole number",
        6,
        ("freekeizer", "top_value=20"),
        "1: 1 v 2 0-1; 1: 3 v 4 ½-½; 1: 5 bye",
        {
            (1, 1): "own value 20, loss 3",
            (1, 2): "own value 19, win 20",
            (1, 3): "own value 18, draw 9",
            (1, 4): "own value 17, draw 9",
            (1, 5): "own value 16, bye 11",
        },
    ),
    Row(
        "37 FreeKeizer: no absence before a first game",
        6,
        ("freekeizer", "top_value=20"),
        "1: 1 excused; 2: 1 v 2 1-0; 3: 1 excused",
        {(1, 1): "own value 20", (3, 1): "own value 20, win 19, excused 7"},
    ),
    Row(
        "37 FreeKeizer: five absences",
        6,
        ("freekeizer", "top_value=20"),
        "1: 1 v 2 1-0; 2-7: 1 excused",
        {(7, 1): "own value 20, win 19, 5x excused 7"},
    ),
    Row(
        "37 FreeKeizer: own value of the start",
        6,
        ("freekeizer", "top_value=20"),
        "1: 6 v 1 1-0; 2: 6 unexcused",
        {(1, 6): "own value 15, win 20", (2, 6): "own value 15, win 19"},
    ),
    Row(
        "38 ToMaChess: 7.5 is 7",
        6,
        ("tomachess",),
        "1: 1 bye; 1: 6 v 2 1-0; 2: 6 unexcused",
        # Table 2 follows 1 (14), 6 (8), 2 (6): worth 7, 6 and 5.
        {(1, 1): "own value 7, bye 7", (2, 6): "own value 2, win 5"},
        values=down(7, 6),
    ),
    Row("38 ToMaChess: ratio 2", 6, ("tomachess", "top_value=2(n-1)"), values=down(10, 6)),
    Row(
        "39 Sgridev/KeizerPairing: added to the last score",
        10,
        ("sgridev",),
        "1: 1 bye; 1: 10 v 2 1-0; 2: 2 v 10 1-0; 2: 3 v 4 ½-½",
        # List 1: 1 (80), 10 (31 + 39), then 2, worth 40, 39 and 38.
        {
            (1, 1): "own value 40, bye 40",
            (2, 10): "own value 31, win 39",
            (2, 2): "own value 39, win 39",
            (2, 3): "own value 38, draw 18",
        },
        values=down(40, 10),
    ),
    Row(
        "40 standing.php: Keizerling repeats, Keizer adds",
        4,
        ("keizerling", "top_value=80"),
        "1: 1 v 2 0-1; 1: 3 v 4 ½-½",
        {(1, 2): "own value 80, win 77", (1, 3): "own value 79, draw 39"},
    ),
    Row(
        # One pass only: the values of the start list stand.
        "40 standing.php: a set number of times",
        4,
        ("keizerling", "top_value=80", "max_passes=1"),
        "1: 1 v 2 0-1; 1: 3 v 4 ½-½",
        {(1, 2): "own value 79, win 80", (1, 3): "own value 78, draw 38.5"},
    ),
]

# What pairing takes from a row, and how long its seasons are.
STORED = [
    ("3 Santpoort", "santpoort", {"rematch_gap": 10, "max_meetings": 4}),
    ("7 Bornse Dam", "bornse-dam", {"rematch_gap": 8, "max_meetings": 4, "start_order": "lot"}),
    ("8 Sliedrecht", "sliedrecht", {"max_meetings": 2}),
    ("9 Zierikzee: once in seven rounds", "zierikzee", {"rematch_gap": 6}),
    ("11 Doorn-Driebergen", "rounds=36", {"rounds": 36}),
    ("12 Zukertort", "promoted=5", {"promoted": 5}),
    ("13 Heerhugowaard: 3 cycles of 8", "heerhugowaard", {"rounds": 24, "promoted": 4}),
    ("20 Eenhoorn", "eenhoorn", {"rounds": 9}),
    ("21 De Vennep: once in each of 2 periods", "vennep", {"rematch_gap": 3, "max_meetings": 2}),
    ("22 Hoeksche Waard", "promoted=3", {"promoted": 3}),
    ("24 Caissa Rijen", "rounds=36", {"rounds": 36}),
    ("32 Swiss-Chess: never twice", "swiss-chess", {"max_meetings": 1}),
    ("36 chesspairing", "chesspairing", {"rematch_gap": 3, "max_passes": 20}),
    ("39 Sgridev/KeizerPairing: not twice running", "sgridev", {"rematch_gap": 1}),
]


def apply(conn: sqlite3.Connection, settings: tuple[str, ...]) -> None:
    for setting in settings:
        if "=" in setting:
            rules.change(conn, 1, setting)
        else:
            presets.apply(conn, 1, setting)


def enter(conn: sqlite3.Connection, row: Row) -> None:
    """The facts of a row, as any SQL client could write them."""
    conn.execute("INSERT INTO tournament (description) VALUES (?)", (row.club,))
    apply(conn, row.rules)
    conn.execute("UPDATE tournament SET revaluation = 'suspended'")
    for player in range(1, row.players + 1):
        rated = (player, f"Player {player}", 2200 - 10 * player)
        conn.execute("INSERT INTO player (id, name, rating) VALUES (?, ?, ?)", rated)
        conn.execute(
            "INSERT INTO x_player_tournament (player_id, tournament_id) VALUES (?, 1)", (player,)
        )
    conn.executescript(row.entries)
    for fact in filter(None, row.season.split(";")):
        found = re.fullmatch(r"\s*(\d+)(?:-(\d+))?: (\d+) (?:v (\d+) )?(.+)", fact)
        assert found, fact
        first, last, white, black, what = found.groups()
        for number in range(int(first), int(last or first) + 1):
            if black:
                conn.execute(
                    "INSERT INTO round (tournament_id, round_number, white, black, result)"
                    " VALUES (1, ?, ?, ?, ?)",
                    (number, int(white), int(black), what),
                )
            else:
                conn.execute(
                    "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
                    " VALUES (1, ?, ?, ?)",
                    (number, int(white), what),
                )
    meet_in_vain(conn)
    conn.execute("UPDATE tournament SET revaluation = 'on'")


def meet_in_vain(conn: sqlite3.Connection) -> None:
    """A table needs a game: where the last round has absences alone, two stay away from one.

    A double forfeit brings nothing under any of these rules.
    """
    (last,) = conn.execute("SELECT max(round_number) FROM unplayed").fetchone()
    games = "SELECT 1 FROM round WHERE round_number >= ?"
    if last is None or conn.execute(games, (last,)).fetchone():
        return
    (white,), (black,) = conn.execute(
        "SELECT id FROM player WHERE id NOT IN"
        " (SELECT player_id FROM unplayed WHERE round_number = ?) ORDER BY id DESC LIMIT 2",
        (last,),
    )
    conn.execute(
        "INSERT INTO round (tournament_id, round_number, white, black, result)"
        " VALUES (1, ?, ?, ?, '--')",
        (last, white, black),
    )


def told(text: str) -> list[tuple[str, float]]:
    """Two lines of 50/3 for `2x excused 50/3`."""
    lines = []
    for part in filter(None, text.split(", ")):
        found = re.fullmatch(r"(?:(\d+)x )?(.+) (\S+)", part)
        assert found, part
        times, kind, points = found.groups()
        lines += [(kind, float(Fraction(points)))] * int(times or 1)
    return lines


@pytest.mark.parametrize("row", ROWS, ids=[row.club for row in ROWS])
def test_a_club_finds_its_own_figures(conn: sqlite3.Connection, row: Row) -> None:
    """Values, lines, order and final list of the club that the test is named after."""
    enter(conn, row)
    if row.values:
        values = conn.execute(
            "SELECT value FROM standings WHERE round_number = 0 ORDER BY rank"
        ).fetchall()
        assert [value for (value,) in values] == pytest.approx(row.values, abs=1e-6)
    for (table, player), text in row.lines.items():
        check(conn, table, player, told(text))
    for table, order in row.orders.items():
        players = conn.execute(
            "SELECT player_id FROM standings WHERE round_number = ? ORDER BY rank", (table,)
        ).fetchall()
        assert tuple(player for (player,) in players)[: len(order)] == order, table
    if row.final is not None:
        final = conn.execute(
            "SELECT player_id FROM final_standings WHERE tournament_id = 1 AND round_number ="
            " (SELECT max(round_number) FROM ranking_list) ORDER BY rank"
        ).fetchall()
        assert tuple(player for (player,) in final) == row.final
    problems = conn.execute("SELECT problem FROM problems WHERE problem NOT LIKE '%has no game%'")
    assert problems.fetchall() == []


def check(
    conn: sqlite3.Connection, table: int, player: int, expected: list[tuple[str, float]]
) -> None:
    """The lines of one score, those of the entry first, and their sum."""
    found = conn.execute(
        "SELECT kind, points FROM explanation WHERE tournament_id = 1 AND round_number = ?"
        " AND player_id = ? AND points <> 0 ORDER BY COALESCE(played_in, 0), kind",
        (table, player),
    ).fetchall()
    where = f"player {player} after round {table}"
    assert [kind for kind, _ in found] == [kind for kind, _ in expected], where
    amounts = [points for _, points in expected]
    assert [points for _, points in found] == pytest.approx(amounts, abs=1e-6), where
    (score,) = conn.execute(
        "SELECT score FROM ranking_list"
        " WHERE tournament_id = 1 AND round_number = ? AND player_id = ?",
        (table, player),
    ).fetchone()
    assert score == pytest.approx(sum(amounts), abs=1e-6), where


@pytest.mark.parametrize(
    ("setting", "expected"),
    [(setting, expected) for _, setting, expected in STORED],
    ids=[club for club, _, _ in STORED],
)
def test_a_club_finds_its_limits(
    conn: sqlite3.Connection, setting: str, expected: dict[str, object]
) -> None:
    """Rematches, rounds and promotion of the club that the test is named after."""
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    apply(conn, (setting,))
    columns = ", ".join(expected)
    assert conn.execute(f"SELECT {columns} FROM rules").fetchone() == tuple(expected.values())


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_stored_as_it_is_printed(conn: sqlite3.Connection, name: str) -> None:
    """Each setting stands in the file, and nothing else is changed."""
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    usual = {rule.key: rule.value for rule in rules.listed(conn, 1)}
    apply(conn, (name,))
    found = {rule.key: rule.value for rule in rules.listed(conn, 1)}
    preset = PRESETS[name]
    settings = preset.get("settings", {})
    kinds = {kind.replace(" ", "-"): value for kind, value in preset.get("kinds", {}).items()}
    for key, value in {**kinds, **settings}.items():
        assert as_number(found[key]) == as_number(value), key
    changed = {key for key, value in found.items() if key in usual and value != usual[key]}
    assert changed <= set(settings)
    added = {key.partition(".")[0] for key in found.keys() - usual.keys()}
    assert added == set(kinds)


def as_number(value: object) -> object:
    """A factor or an amount as a number, the rest as it is."""
    try:
        return Fraction(str(value))
    except ValueError:
        return value


def test_every_preset_is_told_about(request: pytest.FixtureRequest) -> None:
    """docs/rules.md names each preset, the README how many, and each row has its club."""
    page = (Path(request.config.rootpath) / "docs/rules.md").read_text(encoding="utf-8")
    assert [name for name in PRESETS if f"`--preset {name}`" not in page] == []
    readme = (Path(request.config.rootpath) / "README.md").read_text(encoding="utf-8")
    assert f"program: {len(PRESETS)} of them" in readme
    assert [row for row in range(1, 41) if f"\n| {row} | " not in page] == []
    for preset in PRESETS.values():
        assert set(preset) <= {"about", "source", "kinds", "settings"}
        assert preset["about"] and preset["source"]
