"""What view possible_boards says of a round: the rows that a pairing is chosen from."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from keizer.pairing.facts import RULES, Policy, Strength

BYE_RULES = ("bye_at_start", "bye_again", "fewest_byes")
COLOUR_RULES = ("colour_run", "colour_difference")
MEETING_RULES = (
    "prohibited",
    "rematch",
    "max_meetings",
    "max_meetings_period",
    "rematch_gap",
)
FLOATS_AGAIN = ("down_again", "up_again", "down_before", "up_before")

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

CHUNK = 5_000
"""Rows that are asked for at once: as a text that stays below the limit of store/connection.py."""

Pair = tuple[int, int]
"""Places in the order for pairing, from 1, the first of the two first. A bye is a meeting
with the place behind all."""

OF_CLASSES = (
    "colour_run", "colour_difference", "group_distance", "unwanted_colour", "strongly_unwanted",
)  # fmt: skip
"""The digits that any two players of the same two classes have alike."""

COLUMNS = (
    *DIGITS, "white_id", "black_id", "white_line", "black_line", "choice", "legal", "colour_by",
    "reversed_run", "reversed_difference", "white_class",
)  # fmt: skip
"""All that is read of a row."""

AT = {name: place for place, name in enumerate(COLUMNS)}
FLOATS, GROUP, SPREAD = AT["floats"], AT["score_group"], AT["spread"]
LEFT_OVER, CHOICE, LEGAL = AT["left_over"], AT["choice"], AT["legal"]
WHITE, BLACK = AT["white_id"], AT["black_id"]
WHITE_LINE, BLACK_LINE, CLASS = AT["white_line"], AT["black_line"], AT["white_class"]
OF_BYES = ("left_over", *BYE_RULES, "bye_place")
"""What alone counts of two who are left over, and of a board does not."""


def strength(policy: Policy, rule: str) -> Strength:
    """Whether the club keeps a rule (hard), wishes for it (soft) or neither (off).

    Others than those on byes and colours are hard; where nobody asks for one, its amounts are 0.
    """
    found: Strength = (
        getattr(policy, rule) if rule in (*BYE_RULES, *COLOUR_RULES) else "hard"
    )
    return found


def counted(policy: Policy) -> list[str]:
    """The digits that count, the weightiest first: docs/pairing.md, What is best."""
    soft = [rule for rule in RULES if strength(policy, rule) == "soft"]
    colours = [rule for rule in soft if rule in COLOUR_RULES]
    names = [rule for rule in RULES if strength(policy, rule) == "hard"]
    names += [
        "repeated",
        *(rule for rule in soft if rule not in COLOUR_RULES),
        "bye_place",
    ]
    if policy.system == "swiss":
        wanted = ["unwanted_colour", "strongly_unwanted"]
        return [
            *names,
            "floats",
            "bye_unplayed",
            *colours,
            *wanted,
            *FLOATS_AGAIN,
            "spread",
        ]
    names += ["spread"]
    if policy.aim == "closest":
        names += ["squared", *colours, "colour_squares", "colour_again"]
    return names


@contextmanager
def worked_out_once(conn: sqlite3.Connection, tournament: int) -> Iterator[None]:
    """Have possible_boards read copies of z_present and z_met, while no fact changes.

    It is asked several times, and to read these two views whole each time is most of its work.
    Within this, all three names mean temporary ones: two tables, and the view as the file has it.
    """
    copied = {"z_present": "line", "z_met": "low, high"}
    (view,) = conn.execute(
        "SELECT sql FROM main.sqlite_master WHERE name = 'possible_boards'"
    ).fetchone()
    view = view.replace("CREATE VIEW", "CREATE TEMP VIEW", 1)
    # A few rows are found in the copies by index, and not first copied once more.
    view = view.replace("here AS MATERIALIZED", "here AS NOT MATERIALIZED", 1)
    try:
        for name, columns in copied.items():
            conn.execute(
                f"CREATE TEMP TABLE {name} AS SELECT * FROM main.{name} WHERE tournament_id = ?",
                (tournament,),
            )
            conn.execute(f"CREATE INDEX temp.{name}_found ON {name} ({columns})")
        conn.execute(view)
        yield
    finally:
        conn.execute("DROP VIEW IF EXISTS temp.possible_boards")
        for name in copied:
            conn.execute(f"DROP TABLE IF EXISTS temp.{name}")


class Boards:
    """The rows of one round, as far as they are read.

    policy: the rules of the tournament. places: who is present (player.id), by rank.
    """

    def __init__(
        self,
        conn: sqlite3.Connection,
        tournament: int,
        policy: Policy,
        places: Sequence[int],
    ) -> None:
        self.conn, self.tournament, self.policy = conn, tournament, policy
        self.counted = counted(policy)
        self.place = {player: place for place, player in enumerate(places)}
        self.rows: dict[Pair, tuple[Any, ...]] = {}
        """COLUMNS."""
        self.last_line = len(places) + 1
        """Behind all: the bye."""
        lines = range(1, self.last_line)
        self._read([*((line, line) for line in lines), *pairwise(lines)])
        byes = {line: self.rows[line, self.last_line] for line in lines}
        self.line = {row[WHITE]: line for line, row in byes.items()}
        """Of each player."""
        self.group = {line: row[GROUP] for line, row in byes.items()}
        """The score group of each line, 1 = top."""
        self.class_of = {line: row[CLASS] for line, row in byes.items()}
        """The class of each line."""
        self.halves = any(row[SPREAD] for row in byes.values())
        """Whether an upper half is to meet a lower one."""
        self.between: dict[Pair, tuple[int, ...]] = {}
        """The digits of any two players of two classes, as far as the classes tell them."""
        self._learn(pair for pair in self.rows if self.last_line not in pair)

    def _read(self, pairs: Iterable[Pair]) -> None:
        """Read rows: of two lines, or of a line twice for its bye."""
        cursor = self.conn.cursor()
        cursor.row_factory = None
        # SQLite does not compute what nobody reads.
        counted = {*self.counted, *COLUMNS[GROUP:]}
        columns = ", ".join(name if name in counted else "0" for name in COLUMNS)
        either_way = [
            pair for one, other in pairs for pair in {(one, other), (other, one)}
        ]
        for start in range(0, len(either_way), CHUNK):
            chunk = ",".join(
                f"[{one},{other}]" for one, other in either_way[start : start + CHUNK]
            )
            rows = cursor.execute(
                f"SELECT {columns} FROM (SELECT json_extract(value, '$[0]') AS one,"
                " json_extract(value, '$[1]') AS other FROM json_each(?))"
                " CROSS JOIN possible_boards ON white_line = one AND black_line = other"
                " AND tournament_id = ?",
                (f"[{chunk}]", self.tournament),
            )
            for row in rows:
                line, other = row[WHITE_LINE], row[BLACK_LINE]
                if line == other:
                    self.rows[line, self.last_line] = row
                else:
                    self.rows[min(line, other), max(line, other)] = row

    def read(self, pairs: Iterable[Pair]) -> None:
        """Read the rows of pairs of lines, the first of the two first, unless they are read."""
        unread = [pair for pair in dict.fromkeys(pairs) if pair not in self.rows]
        if unread:
            self._read(unread)
            self._learn(unread)

    def _learn(self, pairs: Iterable[Pair]) -> None:
        """Note what pairs show of any two players of their classes."""
        for pair in pairs:
            one, other = (self.class_of[line] for line in pair)
            if (one, other) not in self.between:
                row = self.rows[pair]
                digits = tuple(
                    row[AT[name]] if name in OF_CLASSES else 0 for name in DIGITS
                )
                self.between[one, other] = self.between[other, one] = digits

    def pair(self, ids: Sequence[int]) -> Pair:
        """The key of a board (its players in any order) or of a bye."""
        one, other = (*(self.line[player] for player in ids), self.last_line)[:2]
        pair = (one, other) if one < other else (other, one)
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

    def digits(self, pair: Pair) -> tuple[tuple[int, ...], int]:
        """Return the digits of a pair, and the choice.

        Two who are left over have only the digits of byes.
        """
        row = self.rows[pair]
        if not row[LEFT_OVER]:
            return row[:WIDTH], row[CHOICE]
        found = [row[AT[name]] if name in OF_BYES else 0 for name in DIGITS]
        found[GROUP] = 1
        return tuple(found), 0

    def kept_apart(self, pair: Pair) -> bool:
        """Tell if a rule on meetings is broken by a pair whose row is read."""
        row = self.rows[pair]
        return any(row[AT[rule]] for rule in MEETING_RULES)

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
