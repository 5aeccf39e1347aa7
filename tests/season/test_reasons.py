"""Every sentence of a reason is true, recounted from the games without the views of pairing.

`pytest -m campaign -s tests/season/test_reasons.py` reads some 30,000.
"""

import re
import sqlite3
from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest

import pytest

from conformance.positions import COLOUR_RULES, Unit
from keizer.pairing import Board, Policy
from keizer.season import publication, tournaments, views
from tests.support.club_nights import Club
from tests.support.files import campaign
from tests.support.pairings import Case, Game, Oracle, Player

WHITE, BLACK = 1, -1


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


@dataclass
class Reader:
    """Reads the sentences of one round; the boards with who has White first."""

    oracle: Oracle
    names: dict[int, str]
    boards: list[Unit]
    byes: list[int]
    by_hand: set[Unit]

    def __post_init__(self) -> None:
        self.id = {name: player for player, name in self.names.items()}
        self.partner = {one: two for unit in self.boards for one, two in (unit, unit[::-1])}

    def had(self, name: str) -> list[int]:
        return self.oracle.colours[self.id[name]]

    def rank(self, unit: Unit, said: str) -> bool:
        one, two = sorted(1 + self.oracle.place[player] for player in unit)
        apart = "Neighbours" if two - one == 1 else f"{two - one} places apart"
        return said == f"{apart} among those present: {one} and {two}."

    def meeting(self, unit: Unit, said: str) -> bool:
        past = self.oracle.past[frozenset(unit)]
        times = "once, in" if len(past) == 1 else f"{len(past)} times, last in"
        last = past[-1]
        return said == (
            f"They have met {times} round {last[0]}, when {self.names[last[1]]} had White."
        )

    def colour(self, unit: Unit, said: str) -> bool:
        """What is said of the colours is so; that it decided: of the seat, by oracle.seat."""
        white = self.names[unit[0]]
        head, _, rest = said.partition(" has White: ")
        if head != white:
            return False
        if rest == "the board was settled by hand.":
            return unit in self.by_hand
        seated, why = self.oracle.decided(unit)
        return seated == unit and unit not in self.by_hand and self.decided(why, unit, rest)

    def decided(self, why: str, unit: Unit, rest: str) -> bool:  # noqa: PLR0911
        white, black = (self.names[player] for player in unit)
        mine, other = self.had(white), self.had(black)
        if why == "difference":
            counts = [(had.count(WHITE), had.count(BLACK)) for had in (mine, other)]
            times = "time" if counts[0][1] == 1 else "times"
            return rest == (
                f"so far {white} had White {counts[0][0]} and Black {counts[0][1]} {times},"
                f" {black} {counts[1][0]} and {counts[1][1]}."
            )
        if why in COLOUR_RULES:
            found = re.fullmatch(
                r"the other way round, (.+) would have had (White|Black) (\d+) times?"
                r" (in a row|more than (?:White|Black))\.", rest
            )  # fmt: skip
            assert found, rest
            colour = WHITE if found[2] == "White" else BLACK
            assert (found[1], colour) in ((white, BLACK), (black, WHITE))
            had = [*self.had(found[1]), colour]
            if why == "colour_run":
                run = next((i for i, one in enumerate(had[::-1]) if one != colour), len(had))
                limit = self.oracle.policy.max_colour_run
            else:
                run, limit = sum(had) * colour, self.oracle.policy.max_colour_difference
            assert (f" {found[3]} time " in rest) == (found[3] == "1")
            return int(found[3]) == run > limit
        if why == "last":
            back = zip_longest(mine[::-1], other[::-1], fillvalue=0)
            step = next(step for step, (one, two) in enumerate(back, 1) if one != two)
            colours = {1: "White", -1: "Black", 0: "no game yet"}
            one, two = ((had[-step] if len(had) >= step else 0) for had in (mine, other))
            start = "counting back from the last game, their colours first differ where"
            if one:
                return rest == f"{start} {white} had {colours[one]} and {black} {colours[two]}."
            return rest == f"{start} {black} had {colours[two]} and {white} {colours[one]}."
        if why == "meeting":
            last = self.oracle.past[frozenset(unit)][-1]
            number = last[0]
            return last[1] == unit[1] and rest == (
                f"{black} had it when they last met, in round {number}."
            )
        higher, lower = sorted(unit, key=self.oracle.place.__getitem__)
        if self.oracle.policy.system == "keizer":
            said = f"nothing else decides, and {white} is lower in the list."
            return unit[0] == lower and rest == said
        had = self.had(self.names[higher])
        if had:
            return rest == (
                f"nothing else decides, and {self.names[higher]}, ranked higher, had"
                f" {'White' if had[-1] == WHITE else 'Black'} last."
            ) and (had[-1] == BLACK) == (unit[0] == higher)
        odd = self.oracle.place[higher] % 2 == 0
        return odd == (unit[0] == higher) and rest == (
            f"nothing else decides, and {self.names[higher]}, ranked higher, has an"
            f" {'odd' if odd else 'even'} place."
        )

    def nearer(self, unit: Unit, said: str) -> bool:
        found = re.fullmatch(r"(\S+) is nearer to (\S+), but (.+)", said)
        assert found, said
        place = self.oracle.place
        near, upper = self.id[found[1]], self.id[found[2]]
        lower = self.partner[upper]
        assert upper in unit and place[upper] < place[near] < place[lower]
        assert near in self.partner and place[self.partner[near]] > place[upper]
        against = self.oracle.breaches(self.oracle.seat((upper, near)))
        if not against:
            return found[3] == "the round as a whole comes out better like this."
        rule, amount = next(iter(against.items()))
        both = "one" if amount == 1 else "both"
        return found[3] == {
            "prohibited": "their pairing is prohibited.",
            "rematch": "they have met.",
            "max_meetings": f"that would be {amount} more than they may meet in a season.",
            "max_meetings_period": f"that would be {amount} more than they may meet in a period.",
            "meet_all_first": "they have met, and one of them has met somebody else less often.",
            "rematch_gap": f"they met too recently: {amount}"
                f" round{' is' if amount == 1 else 's are'} missing.",
            "group_distance": f"their groups are {amount} further apart than they may be.",
            "colour_run": f"{both} of them would have one colour too often in a row.",
            "colour_difference": f"{both} of them would have one colour too often.",
        }[rule]  # fmt: skip

    def bye(self, unit: Unit, said: str) -> bool:
        if said == "This bye was given by hand.":
            return unit in self.by_hand
        if said.startswith("Left over: "):
            return len(self.byes) > 1
        (player,) = unit
        place, present = 1 + self.oracle.place[player], len(self.names)
        had = self.oracle.players[player]["byes"]
        below = self.oracle.ids[place:]
        below_byes = [self.oracle.players[other]["byes"] for other in below]
        start = "The last" if not below else f"Place {place}"
        head = f"{start} of the {present} present, with {had} bye{'' if had == 1 else 's'} so far"
        more = sum(byes > had for byes in below_byes)
        if not below:
            return said == f"{head}."
        if more == len(below):
            return said == f"{head}; all lower-ranked players had more."
        return said == (
            f"{head}; of the {len(below)} lower-ranked players, {more} had more, and a rule that"
            " comes first was against the others."
        )


@pytest.mark.parametrize("seed", [*range(8), *campaign(8, 600)])
def test_every_sentence_is_true(conn: sqlite3.Connection, seed: int) -> None:
    conn.row_factory = sqlite3.Row
    conn.execute("BEGIN")
    club = Club(conn, 7000 + seed)
    read: Counter[str] = Counter()
    for number in range(1, 10):
        if tournaments.draft(conn, club.id):
            publication.publish(conn, club.id)
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
        by_hand: set[Unit] = {row[1:3] for row in sheet if row[3] == "fixed"}
        by_hand |= {(player,) for player, place in byes if place is None}
        case.fixed = [Board(*unit) for unit in by_hand if len(unit) == len(Board._fields)]
        reader = Reader(
            Oracle(case), names, list(boards.values()), [player for player, _ in byes], by_hand
        )
        for row in views.pairing_reasons(conn, club.id, number):
            unit = boards[row["board"]] if row["board"] else (row["white_id"],)
            assert getattr(reader, row["about"])(unit, row["sentence"]), (number, row, case)
            read[row["about"]] += 1
        club.results(number)
    assert read["rank"] == read["colour"]
