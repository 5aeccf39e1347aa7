"""Every sentence of a reason is true, recounted from the games without the views of pairing.

`pytest -m campaign -s tests/season/test_reasons.py` reads some 30,000.
"""

import re
import sqlite3
from collections import Counter
from itertools import zip_longest

import pytest

from conformance.positions import COLOUR_RULES, Unit
from keizer.pairing.facts import Board, Policy
from keizer.season import views
from tests.support.club_nights import Club
from tests.support.files import campaign
from tests.support.pairings import Case, Game, Oracle, Player

WHITE, BLACK = 1, -1
COLOURS = {WHITE: "White", BLACK: "Black", 0: "no game yet"}


def position(conn: sqlite3.Connection, tournament: int) -> tuple[Case, dict[int, str]]:
    """What a draft was paired from, from facts, ranks and who is there; and the names."""
    (number,) = conn.execute(
        "SELECT max(round_number) FROM round WHERE tournament_id = ?", (tournament,)
    ).fetchone()
    counted = "SELECT kind FROM scoring WHERE tournament_id = ? AND counts_as_game"
    as_games = {kind for (kind,) in conn.execute(counted, (tournament,))}
    games = []
    for when, white, black, played, *kinds in conn.execute(
        "SELECT round_number, white, black, COALESCE(played, 1), white_kind, black_kind FROM round"
        " LEFT JOIN outcome USING (result) WHERE tournament_id = ?", (tournament,),
    ):  # fmt: skip
        if when < number and (played or as_games & {*kinds}):
            games.append(Game(when, white, black))
    families: dict[int, set[str]] = {}
    for name, player in conn.execute("SELECT name, player_id FROM prohibited_pairing"):
        families.setdefault(player, set()).add(name)
    here = conn.execute(
        "SELECT player_id, name, score_units, group_number, byes, bye_last_round, starts"
        " FROM presence WHERE tournament_id = ? AND absence IS NULL ORDER BY rank", (tournament,)
    ).fetchall()  # fmt: skip
    players = [
        Player(row[0], *row[2:])._replace(prohibited=frozenset(families.get(row[0], ())))
        for row in here
    ]
    policy = conn.execute(f"SELECT {', '.join(Policy._fields)} FROM rules").fetchone()
    (start,) = conn.execute(
        "SELECT COALESCE(max(first_round), 1) FROM period WHERE first_round <= ?", (number,)
    ).fetchone()
    case = Case(players, games, number, Policy(*policy), start)
    return case, {row[0]: row[1] for row in here}


class Reader:
    """What is true of the boards and byes of a round, in the sentences that are due."""

    def __init__(self, oracle: Oracle, names: dict[int, str], boards: list[Unit]) -> None:
        self.oracle, self.names = oracle, names
        self.id = {name: player for player, name in names.items()}
        self.partner = {one: two for unit in boards for one, two in (unit, unit[::-1])}

    def had(self, name: str) -> list[int]:
        return self.oracle.colours[self.id[name]]

    def rank(self, unit: Unit, _: str) -> str:
        one, two = sorted(1 + self.oracle.place[player] for player in unit)
        apart = "Neighbours" if two - one == 1 else f"{two - one} places apart"
        return f"{apart} among those present: {one} and {two}."

    def meeting(self, unit: Unit, _: str) -> str:
        past = self.oracle.past[frozenset(unit)]
        times = "once, in" if len(past) == 1 else f"{len(past)} times, last in"
        number, white, _black = past[-1]
        return f"They have met {times} round {number}, when {self.names[white]} had White."

    def colour(self, unit: Unit, said: str) -> str:
        """What decided the seat is that of oracle.decided."""
        white, black = (self.names[player] for player in unit)
        why = "the board was settled by hand."
        if unit not in self.oracle.settled:
            seated, what = self.oracle.decided(unit)
            assert seated == unit
            if what in COLOUR_RULES:
                why = self.limit(what, (white, black), said)
            else:
                why = getattr(self, f"by_{what}")(white, black)
        return f"{white} has White: {why}"

    def by_difference(self, white: str, black: str) -> str:
        (w, b), (w2, b2) = ((h.count(WHITE), h.count(BLACK)) for h in map(self.had, (white, black)))
        times = "time" if b == 1 else "times"
        return f"so far {white} had White {w} and Black {b} {times}, {black} {w2} and {b2}."

    def limit(self, what: str, names: tuple[str, str], said: str) -> str:
        """Of the player whom the sentence names, as both may be at a limit."""
        (name,) = re.findall(r"way round, (\S+) would", said)
        colour = BLACK if name == names[0] else WHITE
        had = [*self.had(name), colour]
        if what == "colour_run":
            most = self.oracle.policy.max_colour_run
            times = next((run for run, one in enumerate(had[::-1]) if one != colour), len(had))
            rest = "in a row"
        else:
            most, times = self.oracle.policy.max_colour_difference, sum(had) * colour
            rest = f"more than {COLOURS[-colour]}"
        assert times > most
        return (
            f"the other way round, {name} would have had {COLOURS[colour]} {times}"
            f" {'time' if times == 1 else 'times'} {rest}."
        )

    def by_last(self, white: str, black: str) -> str:
        back = zip_longest(self.had(white)[::-1], self.had(black)[::-1], fillvalue=0)
        one, two = next(both for both in back if len({*both}) > 1)
        seen = [(white, COLOURS[one]), (black, COLOURS[two])]
        (first, had), (second, other) = seen if one else seen[::-1]
        return (
            "counting back from the last game, their colours first differ where"
            f" {first} had {had} and {second} {other}."
        )

    def by_meeting(self, white: str, black: str) -> str:
        number, player, _ = self.oracle.past[frozenset((self.id[white], self.id[black]))][-1]
        assert player == self.id[black]
        return f"{black} had it when they last met, in round {number}."

    def by_rank(self, white: str, black: str) -> str:
        start = "nothing else decides, and"
        higher = min(white, black, key=lambda name: self.oracle.place[self.id[name]])
        if not self.oracle.swiss:
            assert higher == black
            return f"{start} {white} is lower in the list."
        if self.had(higher):
            had = COLOURS[self.had(higher)[-1]]
            assert (had == "Black") == (higher == white)
            return f"{start} {higher}, ranked higher, had {had} last."
        odd = self.oracle.place[self.id[higher]] % 2 == 0
        assert odd == (higher == white)
        return f"{start} {higher}, ranked higher, has an {'odd' if odd else 'even'} place."

    def nearer(self, unit: Unit, said: str) -> str:
        ((near, upper),) = re.findall(r"^(\S+) is nearer to (\S+), but ", said)
        high, low, place = self.id[upper], self.id[near], self.oracle.place
        assert high in unit and place[high] < place[low] < place[self.partner[high]]
        assert low in self.partner and place[self.partner[low]] > place[high]
        broken = self.oracle.breaches(self.oracle.seat((high, low)))
        rule, amount = next(iter(broken.items()), ("fit", 0))
        both = "one" if amount == 1 else "both"
        why = {
            "fit": "the round as a whole comes out better like this.",
            "prohibited": "their pairing is prohibited.",
            "rematch": "they have met.",
            "max_meetings": f"that would be {amount} more than they may meet in a season.",
            "max_meetings_period": f"that would be {amount} more than they may meet in a period.",
            "rematch_gap": f"they met too recently: {amount}"
                f" round{' is' if amount == 1 else 's are'} missing.",
            "group_distance": f"their groups are {amount} further apart than they may be.",
            "colour_run": f"{both} of them would have one colour too often in a row.",
            "colour_difference": f"{both} of them would have one colour too often.",
        }[rule]  # fmt: skip
        return f"{near} is nearer to {upper}, but {why}"

    def bye(self, unit: Unit, said: str) -> str:
        (player,) = unit
        left_over = "Left over: no pairing without a rematch has more boards."
        if said == left_over or unit in self.oracle.settled:
            over = self.oracle.swiss and len(self.names) - len(self.partner) > 1
            return left_over if over else "This bye was given by hand."
        byes = [self.oracle.players[other]["byes"] for other in self.oracle.ids]
        place, here = 1 + self.oracle.place[player], len(byes)
        had, below = byes[place - 1], byes[place:]
        more = sum(count > had for count in below)
        rest = (
            f"; of the {len(below)} lower-ranked players, {more} had more, and a rule that comes"
            " first was against the others."
        )
        if more == len(below):
            rest = "; all lower-ranked players had more." if below else "."
        return (
            f"{f'Place {place}' if below else 'The last'} of the {here} present, with {had}"
            f" bye{'' if had == 1 else 's'} so far{rest}"
        )


@pytest.mark.parametrize("seed", [*range(8), *campaign(8, 600)])
def test_every_sentence_is_true(conn: sqlite3.Connection, seed: int) -> None:
    conn.row_factory = sqlite3.Row
    conn.execute("BEGIN")
    club = Club(conn, 7000 + seed)
    read: Counter[str] = Counter()
    for number in range(1, 10):
        club.between_rounds(number)
        if isinstance(club.pair(), str):
            break
        case, names = position(conn, club.id)
        sheet = conn.execute(
            "SELECT board, white, black, colour_by FROM round WHERE round_number = ?", (number,)
        ).fetchall()
        byes = conn.execute(
            "SELECT player_id, place FROM unplayed WHERE round_number = ? AND kind = 'bye'",
            (number,),
        ).fetchall()
        boards = {board: (white, black) for board, white, black, _ in sheet}
        case.fixed = [Board(*ids) for _, *ids, by in sheet if by == "fixed"]
        case.bye = next((player for player, place in byes if place is None), None)
        reader = Reader(Oracle(case), names, list(boards.values()))
        for row in views.pairing_reasons(conn, club.id, number):
            unit = boards[row["board"]] if row["board"] else (row["white_id"],)
            due = getattr(reader, row["about"])(unit, row["sentence"])
            assert row["sentence"] == due, (number, row, case)
            read[row["about"]] += 1
        club.results(number)
    assert read["rank"] == read["colour"]
