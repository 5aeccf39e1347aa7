"""What view possible_boards says of a round: the rows that a pairing is chosen from."""

import sqlite3
from collections.abc import Collection, Sequence
from typing import Any

from keizer.pairing.facts import RULES, Policy, Strength

BYE_RULES = ("bye_at_start", "bye_again", "fewest_byes")
COLOUR_RULES = ("colour_run", "colour_difference")
FLOATS_AGAIN = ("down_again", "up_again", "down_before", "up_before")

LIKELY = 8
"""The likely ones, which are read first, are no further from the ideal opponent than this."""

MOST = 4000
"""No amount of a rule is more: rounds are at most 999, as is the gap between two meetings."""

WISHES = (
    "repeated", "bye_place", "floats", "bye_unplayed", "unwanted_colour", "strongly_unwanted",
    "down_again", "up_again", "down_before", "up_before", "spread", "squared", "colour_squares",
    "colour_again",
)  # fmt: skip
"""What else counts, beside the rules."""

DIGITS = (*RULES, *WISHES, "score_group")
"""The columns that count, first in every row."""

WIDTH = len(DIGITS)

Pair = tuple[int, int]
"""Places in the order for pairing, from 1, the first of the two first. A bye is a meeting
with the place behind all."""


COLUMNS = (
    *DIGITS, "white_id", "black_id", "white_line", "black_line", "choice", "legal", "colour_by",
    "reversed_run", "reversed_difference",
)  # fmt: skip
"""All that is read of a row."""

AT = {name: place for place, name in enumerate(COLUMNS)}
FLOATS, GROUP, SPREAD = AT["floats"], AT["score_group"], AT["spread"]
LEFT_OVER, CHOICE, LEGAL = AT["left_over"], AT["choice"], AT["legal"]
WHITE, BLACK = AT["white_id"], AT["black_id"]
WHITE_LINE, BLACK_LINE = AT["white_line"], AT["black_line"]
OF_BYES = ("left_over", *BYE_RULES, "bye_place")
"""What alone counts of two who are left over, and of a board does not."""


def strength(policy: Policy, rule: str) -> Strength:
    """Whether the club keeps a rule (hard), wishes for it (soft) or neither (off).

    Others than those on byes and colours are hard; where nobody asks for one, its amounts are 0.
    """
    found: Strength = getattr(policy, rule) if rule in (*BYE_RULES, *COLOUR_RULES) else "hard"
    return found


def counted(policy: Policy) -> list[str]:
    """The digits that count, the weightiest first: docs/pairing.md, What is best."""
    soft = [rule for rule in RULES if strength(policy, rule) == "soft"]
    colours = [rule for rule in soft if rule in COLOUR_RULES]
    names = [rule for rule in RULES if strength(policy, rule) == "hard"]
    names += ["repeated", *(rule for rule in soft if rule not in COLOUR_RULES), "bye_place"]
    if policy.system == "swiss":
        wanted = ["unwanted_colour", "strongly_unwanted"]
        return [*names, "floats", "bye_unplayed", *colours, *wanted, *FLOATS_AGAIN, "spread"]
    names += ["spread"]
    if policy.aim == "closest":
        names += ["squared", *colours, "colour_squares", "colour_again"]
    return names


class Boards:
    """The rows of one round, as far as they are read.

    policy: the rules of the tournament. places: who is present (player.id), by rank.
    """

    def __init__(
        self, conn: sqlite3.Connection, tournament: int, policy: Policy, places: Sequence[int]
    ) -> None:
        self.conn, self.tournament, self.policy = conn, tournament, policy
        self.counted = counted(policy)
        self.place = {player: place for place, player in enumerate(places)}
        self.rows: dict[Pair, tuple[Any, ...]] = {}
        """COLUMNS."""
        self._read(f" AND (off <= {LIKELY} OR black_id IS NULL)")
        self.last_line = len(places) + 1
        """Behind all: the bye."""
        self.line: dict[int, int] = {}
        """Of each player."""
        self.group: dict[int, int] = {}
        """The score group of each line, 1 = top."""
        for (line, other), found in self.rows.items():
            if other == self.last_line:
                self.line[found[WHITE]] = line
                self.group[line] = found[GROUP]

        self.halves = any(found[SPREAD] for found in self.rows.values())
        """Whether an upper half is to meet a lower one."""

    def _read(self, condition: str) -> None:
        cursor = self.conn.cursor()
        cursor.row_factory = None
        # SQLite does not compute what nobody reads.
        counted = {*self.counted, *COLUMNS[GROUP:]}
        columns = ", ".join(name if name in counted else "0" for name in COLUMNS)
        select = f"SELECT {columns} FROM possible_boards WHERE tournament_id = ?{condition}"
        for found in cursor.execute(select, (self.tournament,)):
            one, other = found[WHITE_LINE], found[BLACK_LINE]
            self.rows[(one, other) if one < other else (other, one)] = found

    def read(self, pairs: Collection[Pair]) -> None:
        """Read the rows of these pairs of places."""
        if pairs:
            # The two sets first: it is faster.
            some = ", ".join({str(line) for pair in pairs for line in pair})
            both = ", ".join(f"({one}, {other}), ({other}, {one})" for one, other in pairs)
            within = f"white_line IN ({some}) AND black_line IN ({some})"
            self._read(f" AND {within} AND (white_line, black_line) IN (VALUES {both})")

    def pair(self, ids: Sequence[int]) -> Pair:
        """The key of a board (its players in any order) or of a bye."""
        one, other = (*(self.line[player] for player in ids), self.last_line)[:2]
        pair = (one, other) if one < other else (other, one)
        if pair not in self.rows:
            self.read([pair])
        return pair

    def largest(self) -> dict[str, int]:
        """Of each digit the largest that there can be."""
        count = len(self.place)
        return (
            dict.fromkeys(DIGITS, MOST)
            | {"bye_place": 2 * count}
            | dict.fromkeys(("floats", "group_distance", "spread"), count)
            | {"squared": count * count, "colour_squares": MOST * MOST}
        )

    def digits(self, row: tuple[Any, ...]) -> tuple[tuple[int, ...], int]:
        """What counts of a row, and the choice: of two who are left over only what byes are."""
        if not row[LEFT_OVER]:
            return row[:WIDTH], row[CHOICE]
        found = [row[AT[name]] if name in OF_BYES else 0 for name in DIGITS]
        found[GROUP] = 1
        return tuple(found), 0

    def ids(self, pair: Pair) -> tuple[int, ...]:
        """The two with White first, or the player with the bye."""
        white, black = self.rows[pair][WHITE], self.rows[pair][BLACK]
        return (white,) if black is None else (white, black)

    def breaches(self, ids: Sequence[int]) -> dict[str, int]:
        """By how much a board (White first) or a bye does not keep each hard rule."""
        found = dict(zip(COLUMNS, self.rows[self.pair(ids)], strict=True))
        if ids[0] != found["white_id"]:
            found["colour_run"] = found["reversed_run"]
            found["colour_difference"] = found["reversed_difference"]
        return {
            rule: found[rule]
            for rule in RULES
            if found[rule]
            and strength(self.policy, rule) == "hard"
            and (len(ids) == 1 or rule not in OF_BYES)
        }
