"""Every sentence of a reason is true, recounted from the games without the views of pairing.

`pytest -m campaign -s tests/season/test_reasons.py` reads some 50,000.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

import pytest

from conformance.positions import COLOUR_RULES, Unit
from keizer.pairing.facts import Board, Policy
from keizer.season import views
from tests.support.club_nights import Club
from tests.support.files import campaign
from tests.support.pairings import Case, Game, Oracle, Player
from tests.support.sentences import sentence as filled

WHITE, BLACK = 1, -1
COLOURS = {WHITE: "white", BLACK: "black", 0: "no game yet"}


def position(
    conn: sqlite3.Connection, tournament: int, number: int
) -> tuple[Case, dict[int, str]]:
    """What a draft was paired from, from facts, ranks and who is there; and the names."""
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
        " FROM presence WHERE tournament_id = ? AND absence IS NULL ORDER BY pairing_rank",
        (tournament,),
    ).fetchall()
    floated = {
        (row[0], number - row[1]): row[2]
        for row in conn.execute("SELECT player_id, round_number, way FROM z_float")
    }
    players = [
        Player(row[0], *row[2:])._replace(
            floats=(floated.get((row[0], 1), 0), floated.get((row[0], 2), 0)),
            prohibited=frozenset(families.get(row[0], ())),
        )
        for row in here
    ]
    policy = conn.execute(f"SELECT {', '.join(Policy._fields)} FROM rules").fetchone()
    (start,) = conn.execute(
        "SELECT COALESCE(max(first_round), 1) FROM period WHERE first_round <= ?",
        (number,),
    ).fetchone()
    case = Case(players, games, number, Policy(*policy), start)
    return case, {row[0]: row[1] for row in here}


class Reader:
    """What is true of the boards and byes of a round, in the sentences that are due."""

    def __init__(
        self,
        oracle: Oracle,
        names: dict[int, str],
        boards: list[Unit],
        *,
        by_command: bool,
    ) -> None:
        self.oracle, self.names, self.by_command = oracle, names, by_command
        self.id = {name: player for player, name in names.items()}
        self.partner = {one: two for unit in boards for one, two in (unit, unit[::-1])}

    def had(self, name: str) -> list[int]:
        return self.oracle.colours[self.id[name]]

    def rank(self, unit: Unit, _: str) -> str:
        white, black = (1 + self.oracle.place[player] for player in unit)
        far = abs(white - black)
        apart = "Neighbours" if far == 1 else f"{far} places apart"
        return f"{apart} in the order of pairing: {white} and {black}."

    def meeting(self, unit: Unit, _: str) -> str:
        past = self.oracle.past[frozenset(unit)]
        times = "once, in" if len(past) == 1 else f"{len(past)} times, last in"
        number, white, _black = past[-1]
        return f"They had met {times} round {number}, when {self.names[white]} had the white pieces."

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
        return f"{white} has the white pieces: {why}"

    def by_difference(self, white: str, black: str) -> str:
        (w, b), (w2, b2) = (
            (h.count(WHITE), h.count(BLACK)) for h in map(self.had, (white, black))
        )
        times = "time" if b == 1 else "times"
        return f"{white} had had them {w} and the black ones {b} {times}, {black} {w2} and {b2}."

    def limit(self, what: str, names: tuple[str, str], said: str) -> str:
        """Of the player whom the sentence names, as both may be at a limit."""
        (name,) = re.findall(r"way round, (\S+) would", said)
        colour = BLACK if name == names[0] else WHITE
        had = [*self.had(name), colour]
        if what == "colour_run":
            most = self.oracle.policy.max_colour_run
            times = next(
                (run for run, one in enumerate(had[::-1]) if one != colour), len(had)
            )
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
        number, player, _ = self.oracle.past[
            frozenset((self.id[white], self.id[black]))
        ][-1]
        assert player == self.id[black]
        return f"{black} had them when the two last met, in round {number}."

    def by_rank(self, white: str, black: str) -> str:
        start = "nothing else decides, and"
        first = min(white, black, key=lambda name: self.oracle.position[self.id[name]])
        if not self.oracle.swiss:
            assert self.oracle.place[self.id[white]] > self.oracle.place[self.id[black]]
            return f"{start} {white} comes later in the order of pairing."
        other = white if first == black else black
        rest = f"{start} {first}, who comes before {other} in the order of pairing,"
        if self.had(first):
            had = COLOURS[self.had(first)[-1]]
            assert (had == "black") == (first == white)
            return f"{rest} had {had} last."
        odd = self.oracle.position[self.id[first]] % 2 == 0
        assert odd == (first == white)
        return f"{rest} has an {'odd' if odd else 'even'} place there."

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
            "rematch": "they had met.",
            "max_meetings": f"that would be {amount} more than they may meet in a season.",
            "max_meetings_period": f"that would be {amount} more than they may meet in a period.",
            "rematch_gap": f"they had met too recently: {amount}"
                f" round{' was' if amount == 1 else 's were'} missing.",
            "group_distance": f"their groups are {amount} further apart than they may be.",
            "colour_run": f"{both} of them would have one colour too often in a row.",
            "colour_difference": f"{both} of them would have one colour too often.",
        }[rule]  # fmt: skip
        return f"{near} is nearer to {upper}, but {why}"

    def bye(self, unit: Unit, said: str) -> str:
        (player,) = unit
        if unit in self.oracle.settled:
            return "This bye was given by hand."
        if (
            self.oracle.swiss
            and len(self.names) - len(self.partner) - len(self.by_hand()) > 1
        ):
            return "Left over: no pairing in which only those meet who may has more boards."
        place, had = 1 + self.oracle.place[player], self.oracle.players[player]["byes"]
        last = max(self.oracle.free, key=self.oracle.place.__getitem__)
        start = "The last of those to be paired"
        if player != last:
            start = f"Place {place} in the order of pairing"
        told = f"{start}, with {had} bye{'' if had == 1 else 's'} before."
        if player == last:
            return told
        if not self.by_command:
            return (
                f"{told} By the rules on byes, or because no pairing of the others was found, not"
                f" {self.names[last]}, who comes last."
            )
        rest = f"The best pairing with it for {self.names[last]}, who comes last, has more "
        there, here = re.findall(r": (\d+), not (\d+)\.$", said)[0]
        if len(self.oracle.free) <= MOST_RANKED:
            ranked = self.oracle.ranked()
            other = next(sums for sums, units in ranked if (last,) in units)
            first = next(
                both
                for both in zip(other, ranked[0][0], strict=True)
                if len({*both}) > 1
            )
            assert first == (int(there), int(here))
        words = said.partition(rest)[2].rpartition(": ")[0]
        return f"{told} {rest}{words}: {there}, not {here}."

    def by_hand(self) -> list[Unit]:
        """A bye that a person gave."""
        return [unit for unit in self.oracle.settled if len(unit) == 1]

    def skipped(self, boards: Iterable[Unit]) -> Counter[str]:
        """Who is told to be nearer, for all who are."""
        found = [one for unit in boards for one in self.oracle.nearer_free(unit, self.partner)
            if unit not in self.oracle.settled]  # fmt: skip
        return Counter(
            f"{self.names[one.players[1]]} is nearer to {self.names[one.players[0]]}"
            for one in found
        )


MOST_RANKED = 8
"""So many at most have every pairing of them compared."""


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 600)])
def test_every_sentence_is_true(conn: sqlite3.Connection, seed: int) -> None:
    """By the command and in SQL; and nothing that is corrected later changes one."""
    conn.row_factory = sqlite3.Row
    conn.execute("BEGIN")
    club = Club(conn, 7000 + seed)
    read: Counter[str] = Counter()
    told: dict[int, list[Any]] = {}
    for number in range(1, 10):
        club.between_rounds(number)
        by_command = not in_sql(club)
        if by_command and isinstance(club.pair(), str):
            break
        case, names = position(conn, club.id, number)
        sheet = conn.execute(
            "SELECT board, white, black, colour_by FROM round WHERE round_number = ?",
            (number,),
        ).fetchall()
        byes = conn.execute(
            "SELECT player_id, place FROM unplayed WHERE round_number = ? AND kind = 'bye'",
            (number,),
        ).fetchall()
        boards = {board: (white, black) for board, white, black, _ in sheet}
        case.fixed = [Board(*ids) for _, *ids, by in sheet if by == "fixed"]
        case.bye = next((player for player, place in byes if place is None), None)
        reader = Reader(
            Oracle(case), names, list(boards.values()), by_command=by_command
        )
        nearer = Counter[str]()
        for row in views.pairing_reasons(club.tournament, number):
            unit = boards[row["board"]] if row["board"] else (row["white_id"],)
            due = getattr(reader, row["about"])(unit, row["sentence"])
            assert row["sentence"] == due, (number, row, case)
            read[row["about"]] += 1
            if row["about"] == "nearer":
                nearer[row["sentence"].partition(", but ")[0]] += 1
        assert nearer == reader.skipped(boards.values()), (number, case)
        told[number] = reasons(club, number)
        club.results(number)
        conn.execute(
            "UPDATE round SET result = 'void' WHERE (white + black * 3 + round_number) % 7 = 0"
            " AND round_number < ?",
            (number,),
        )
    assert read["rank"] == read["colour"]
    assert told == {number: reasons(club, number) for number in told}


NAMES = (
    "{white}", '{black} "q"', "\\{other}", "{number}{upper}", "{name}", "{what}", "a{b", "}{",
    '{round}\\"', "{place} {why}", "Anna",
)  # fmt: skip
"""Names of players that look like places in a template, or have quotes in them."""

SENTENCES = (
    ("pairing_reasons", "sentence", "message"),
    ("relaxations", "sentence", "message"),
    ("relaxations", "why", "why_message"),
    ("draft_changes", "sentence", "message"),
    ("prizes", "about", "message"),
    ("statistics", "about", "message"),
)


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 200)])
def test_every_sentence_is_its_message_with_its_facts(
    conn: sqlite3.Connection, seed: int
) -> None:
    """However the players are called, and also while a draft has changed."""
    conn.row_factory = sqlite3.Row
    conn.execute("BEGIN")
    club = Club(conn, seed)
    for name, (player,) in zip(
        NAMES,
        conn.execute("SELECT id FROM player ORDER BY id").fetchall(),
        strict=False,
    ):
        conn.execute("UPDATE player SET name = ? WHERE id = ?", (name, player))
    read = Counter[str]()
    for number in range(1, 9):
        club.between_rounds(number)
        present = club.present()
        if isinstance(club.pair(), str):
            break
        if len(present) > 1:
            club.change_places(present)
        conn.execute("SAVEPOINT changed")
        conn.execute("DELETE FROM unplayed WHERE round_number = ?", (number,))
        conn.execute("UPDATE rules SET rematch_gap = COALESCE(rematch_gap, 0) + 1")
        conn.execute(
            "UPDATE round SET result = 'void' WHERE round_number < ?", (number,)
        )
        for view, sentence, message in SENTENCES:
            for row in conn.execute(f"SELECT * FROM {view}").fetchall():
                assert row[sentence] == filled(row, message), (view, *row)
                read[view] += 1
        by_hand = (
            "SELECT count(*) FROM relaxations WHERE (why = ?) <> (because = 'hand')"
        )
        assert tuple(conn.execute(by_hand, ("Settled by hand.",)).fetchone()) == (0,)
        conn.execute("ROLLBACK TO changed")
        club.results(number)
    assert (
        min(read[view] for view in ("pairing_reasons", "draft_changes", "statistics"))
        > 0
    )


def in_sql(club: Club) -> bool:
    """Whether the round was paired by a client without keizer: now and then, where it can be."""
    if not club.often(0.4):
        return False
    club.conn.execute("SAVEPOINT client")
    try:
        club.conn.execute(
            "INSERT INTO next_round (tournament_id) VALUES (?)", (club.id,)
        )
    except sqlite3.IntegrityError:
        club.conn.execute("ROLLBACK TO client")
        return False
    return True


def reasons(club: Club, number: int) -> list[Any]:
    """All that is told of a round."""
    return [
        list(map(tuple, map(dict.items, table(club.tournament, number))))
        for table in (views.pairing_reasons, views.relaxations)
    ]
