"""What puts a player below the one directly above: view order_reasons, and the real order.

The oracle notes by which tie-break it parts each two; of the start order and of newcomers the
rules are counted again from the facts.
"""

import random
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import pairwise
from math import inf
from typing import Any

import pytest

from conformance.seasons import Chain, Entry, Ordering, Season, start_key
from keizer.store import tiebreaks
from tests.support.files import campaign, empty
from tests.support.scenes import scenes
from tests.support.seasons import random_season, write
from tests.support.sentences import sentence
from tests.support.swiss import in_order, random_order, random_tournament
from tests.support.tiebreaks import Lists, Order

Parts = dict[int, list[tuple[str, int]]]
"""Of each player, by tie-break: in which part of those still tied."""


class Noted(Ordering):
    """Who comes first, and by what each two are parted."""

    def players(self) -> list[int]:
        """Anew in each pass of a table."""
        self.chain.__dict__.setdefault("parts", {})[self.number] = self.parts = Parts()
        return super().players()

    def parted(self, name: str, group: list[Entry]) -> list[list[Entry]]:
        """Those still tied in the order of the list before, which direct encounter forgets."""
        found = [
            sorted(part, key=lambda entry: self.ranks[entry.player])
            for part in super().parted(name, group)
        ]
        for index, part in enumerate(found):
            for entry in part:
                self.parts.setdefault(entry.player, []).append(
                    (name.partition(":")[0], index)
                )
        return found


class NotedOrder(Noted, Order):
    """By any tie-break of the file."""


class NotedChain(Chain):
    """The tables of a season."""

    ordering = Noted


class NotedLists(Lists):
    """The lists of a season."""

    ordering = NotedOrder


def parted_by(one: list[tuple[str, int]], two: list[tuple[str, int]]) -> str:
    """The first tie-break that puts the first of two ahead."""
    for (name, part), (_, other) in zip(one, two, strict=True):
        if part != other:
            assert part < other
            return name
    return "previous"


def among_newcomers(
    season: Season, number: int, above: Entry, below: Entry, new: set[int]
) -> str:
    """The first thing that tells two apart of whom one or both were not in the list before."""
    both = {above.player, below.player} <= new
    seats = [
        entry.start_rank if entry.player in new else None for entry in (above, below)
    ]
    if seats[0] != seats[1]:
        assert not both or number or (seats[0] or 999) < (seats[1] or 999)
        return "start_rank"
    rated = number > 0 and season.rules.newcomers == "rating"
    ratings = (above.rating, below.rating)
    if rated and ratings[0] != ratings[1] and not (both and None not in ratings):
        assert (ratings[0] or 0) > (ratings[1] or 0)
        return "rating"
    if not both:
        assert below.player in new
        return "newcomer"
    keys = [start_key(season, entry)[1] for entry in (above, below)]
    assert start_key(season, above) < start_key(season, below)
    return "start_order" if keys[0] != keys[1] else "player_id"


def compare(
    conn: sqlite3.Connection, tournament: int, season: Season, made: Chain
) -> Counter[str]:
    """Assert that the view says what the oracle does; how often each name came."""
    query = "SELECT name, lower_first FROM tiebreak_order WHERE tournament_id = ?"
    lower = {"previous": 1} | dict(conn.execute(query, (tournament,)).fetchall())
    entries, found = {entry.player: entry for entry in season.entries}, Counter[str]()
    for number, table in enumerate(made.tables):
        rows = conn.execute(
            "SELECT * FROM order_reasons WHERE tournament_id = ? AND round_number = ?"
            " ORDER BY rank",
            (tournament, number),
        ).fetchall()
        order = sorted(table, key=lambda player: table[player].rank)
        assert [(row["above_id"], row["player_id"]) for row in rows] == [
            *pairwise(order)
        ]
        parts: Parts = made.__dict__["parts"].get(number, {})
        for row in rows:
            above, below = row["above_id"], row["player_id"]
            if {above, below} <= parts.keys():
                due = parted_by(parts[above], parts[below])
            else:
                pair = entries[above], entries[below]
                due = among_newcomers(
                    season, number, *pair, {above, below} - parts.keys()
                )
            where = (season.rules.tiebreaks, number, *row)
            assert row["tiebreak"] == due, where
            assert sentence(row) == row["sentence"], where
            figures(row, table, lower)
            found[due] += 1
    return found


def figures(row: Any, table: Any, lower: dict[str, int]) -> None:
    """The figures that are told are those of the two, and part them in the right direction."""
    mine, theirs = row["value"], row["above_value"]
    both = (theirs, mine)
    pair = [table[row["above_id"]], table[row["player_id"]]]
    match row["tiebreak"]:
        case "score":
            assert both == pytest.approx(
                [float(each.ranked_by) for each in pair], abs=1e-6
            )
        case "points":
            assert both == pytest.approx(
                [float(each.points) for each in pair], abs=1e-6
            )
        case "newcomer":
            assert both == (None, None)
        case "start_rank" if row["round_number"] == 0 or None not in both:
            assert (theirs or 999) < (mine or 999)
        case "player_id":
            assert theirs < mine
    if row["tiebreak"] in lower and row["tiebreak"] not in ("de", "mutual"):
        last = inf if lower[row["tiebreak"]] else -inf
        above, below = (last if each is None else each for each in both)
        assert above <= below if lower[row["tiebreak"]] else above >= below


NAMES = {1: "{name}", 2: '{above} "{mine}"', 3: "\\{theirs}", 4: "{number}{tiebreak}"}
"""Of players who are called as facts are."""


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 300)])
def test_every_two_neighbours_of_random_seasons(seed: int) -> None:
    """Under any rules, in one file."""
    rng = random.Random(seed)
    with closing(empty()) as conn:
        conn.row_factory = sqlite3.Row
        found: Counter[str] = Counter()
        for _ in range(6):
            season = random_season(
                rng, players=range(3, 24), most_rounds=8, options=True
            )
            if rng.random() < 0.5:
                season.rules.newcomers = "rating"
            tournament = write(conn, season, rng=rng, names=NAMES)
            found += compare(conn, tournament, season, NotedChain(season))
    assert {"score", "start_order"} <= found.keys(), found


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 300)])
def test_every_two_neighbours_by_any_tie_breaks(seed: int) -> None:
    rng = random.Random(seed)
    tournament = random_tournament(rng, 16)
    season = in_order(tournament, rng.choice(["points,de,previous", random_order(rng)]))
    with closing(empty()) as conn:
        conn.row_factory = sqlite3.Row
        tiebreaks.create_all_triggers(conn)
        number = write(conn, season, rng=rng)
        compare(conn, number, season, NotedLists(season))


test_players_with_equal_scores = scenes("""
By default the list before decides between them, which after round 1 is the start order.
  players 4 top_value=1 step=0
  next-round && result 1 = && result 2 =
  SELECT sentence FROM order_reasons WHERE round_number = 1 AND rank = 2 =>
    P01 is above P02 by the start order: 1 against 2.
  next-round && result 1 = && result 2 =
  SELECT sentence FROM order_reasons WHERE round_number = 2 AND rank = 2 =>
    P01 is above P02 by the order before round 2: 1 against 2.

By another order they can share their rank, and a newcomer is behind who was there.
  players 4 top_value=1 step=0 tiebreaks=score,points last_resort=shared
  next-round && result 1 1-0 && result 2 =
  add Zoe
  SELECT tiebreak, sentence FROM order_reasons WHERE round_number = 1 AND rank > 2 ORDER BY rank =>
    previous P03 and P04 share their rank: all that orders the standings is equal.;
    score P04 is above P01 by Keizer score: 1.5 against 1.;
    newcomer P01 was in the list before, and Zoe is new to it.
""")
