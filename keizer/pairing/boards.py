"""The rows of view possible_boards: all that is known of the pairs of a round.

The view has a row for every two who are present and one for the bye of each. It says by
how much a board breaks each rule, and what else counts of it (docs/pairing.md, Who may
meet). Players go here by their line: their place in the order for pairing, from 1.
"""

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
"""The highest amount of a rule: rounds are at most 999, as is the gap of two
meetings."""

WISHES = (
    "repeated", "bye_place", "floats", "bye_unplayed", "unwanted_colour",
    "strongly_unwanted", "down_again", "up_again", "down_before", "up_before", "spread",
    "squared", "colour_squares", "colour_again",
)  # fmt: skip
"""The other digits: wishes, which decide among pairings that keep the same rules."""

DIGITS = (*RULES, *WISHES, "score_group")
"""The columns that count, first in every row."""

WIDTH = len(DIGITS)

CHUNK = 5_000
"""Rows asked for at once: their text stays below the limit of store/connection.py."""

Pair = tuple[int, int]
"""The lines of two players, the lower one first; of a bye the second is `bye_line`."""

OF_CLASSES = (
    "colour_run",
    "colour_difference",
    "group_distance",
    "unwanted_colour",
    "strongly_unwanted",
)
"""The digits that any two players of the same two classes have alike."""

COLUMNS = (
    *DIGITS,
    "white_id",
    "black_id",
    "white_line",
    "black_line",
    "choice",
    "legal",
    "colour_by",
    "reversed_run",
    "reversed_difference",
    "white_class",
)
"""The columns that are read of a row."""

AT = {name: place for place, name in enumerate(COLUMNS)}
"""The place of each column in a row."""

FLOATS = AT["floats"]
GROUP = AT["score_group"]
SPREAD = AT["spread"]
LEFT_OVER = AT["left_over"]
CHOICE = AT["choice"]
LEGAL = AT["legal"]
WHITE = AT["white_id"]
BLACK = AT["black_id"]
WHITE_LINE = AT["white_line"]
BLACK_LINE = AT["black_line"]
CLASS = AT["white_class"]

OF_BYES = ("left_over", *BYE_RULES, "bye_place")
"""The only digits that count of two who are left over; of a board none of them does."""


def ordered(line: int, other: int) -> Pair:
    """Return two lines as a pair, the lower one first."""
    return (line, other) if line < other else (other, line)


def strength(policy: Policy, rule: str) -> Strength:
    """Return whether a club keeps a rule (hard), wishes for it (soft) or neither (off).

    Only rules on byes and colours can be soft or off. Others are hard: if nobody asks
    for one, its amounts are 0.
    """
    if rule not in (*BYE_RULES, *COLOUR_RULES):
        return "hard"
    chosen: Strength = getattr(policy, rule)
    return chosen


def counted(policy: Policy) -> tuple[list[str], list[str]]:
    """Return the digits that count for all boards, and those of a score group.

    Both begin with the weightiest, as docs/pairing.md (What is best) has them. Only in
    a Swiss there are digits that count for one score group after the other. Before them
    it has `floats`.
    """
    hard = [rule for rule in RULES if strength(policy, rule) == "hard"]
    soft = [rule for rule in RULES if strength(policy, rule) == "soft"]
    soft_on_byes = [rule for rule in soft if rule in BYE_RULES]
    soft_on_colours = [rule for rule in soft if rule in COLOUR_RULES]
    overall = [*hard, "repeated", *soft_on_byes, "bye_place"]
    if policy.system == "swiss":
        wanted_colours = ["unwanted_colour", "strongly_unwanted"]
        of_group = ["bye_unplayed", *soft_on_colours, *wanted_colours, *FLOATS_AGAIN]
        return overall, [*of_group, "spread"]
    overall.append("spread")
    if policy.aim == "closest":
        overall += ["squared", *soft_on_colours, "colour_squares", "colour_again"]
    return overall, []


@contextmanager
def worked_out_once(conn: sqlite3.Connection, tournament: int) -> Iterator[None]:
    """Have possible_boards read copies of z_present and z_met, while no fact changes.

    It is asked several times, and most of its work is to read these two views whole
    each time. Within this, all three names mean temporary ones: two tables, and the
    view as the file has it.
    """
    index_columns = {"z_present": "line", "z_met": "low, high"}
    (view,) = conn.execute(
        "SELECT sql FROM main.sqlite_master WHERE name = 'possible_boards'"
    ).fetchone()
    view = view.replace("CREATE VIEW", "CREATE TEMP VIEW", 1)
    # A few rows are found in the copies by index, and not first copied once more.
    view = view.replace("here AS MATERIALIZED", "here AS NOT MATERIALIZED", 1)
    try:
        for name, columns in index_columns.items():
            conn.execute(
                f"CREATE TEMP TABLE {name} AS"
                f" SELECT * FROM main.{name} WHERE tournament_id = ?",
                (tournament,),
            )
            conn.execute(f"CREATE INDEX temp.{name}_found ON {name} ({columns})")
        conn.execute(view)
        yield
    finally:
        conn.execute("DROP VIEW IF EXISTS temp.possible_boards")
        for name in index_columns:
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
        self.conn = conn
        self.tournament = tournament
        self.policy = policy
        self.overall, self.of_group = counted(policy)
        """The digits that count, for all boards and for a score group."""
        self.place = {player: place for place, player in enumerate(places)}
        """By player, the place by rank, from 0."""
        self.rows: dict[Pair, tuple[Any, ...]] = {}
        """The rows that are read: COLUMNS."""
        self.bye_line = len(places) + 1
        """The line of the bye, behind all players."""
        lines = range(1, self.bye_line)
        byes = [(line, line) for line in lines]
        self._read([*byes, *pairwise(lines)])
        bye_rows = {line: self.rows[line, self.bye_line] for line in lines}
        self.player: dict[int, int] = {
            line: row[WHITE] for line, row in bye_rows.items()
        }
        """By line, the player."""
        self.line = {player: line for line, player in self.player.items()}
        """By player, the line."""
        self.group = {line: row[GROUP] for line, row in bye_rows.items()}
        """By line, the score group, 1 = top."""
        self.class_of = {line: row[CLASS] for line, row in bye_rows.items()}
        """By line, the class."""
        self.halves = any(row[SPREAD] for row in bye_rows.values())
        """True if an upper half is to meet a lower one."""
        self._class_digits: dict[Pair, tuple[int, ...]] = {}
        """By two classes, the digits of any two players, as far as classes tell
        them."""
        self._learn(pair for pair in self.rows if self.bye_line not in pair)

    def _read(self, pairs: Iterable[Pair]) -> None:
        """Read rows: of two lines, or of a line twice for its bye."""
        cursor = self.conn.cursor()
        cursor.row_factory = None
        # SQLite does not compute what nobody reads.
        needed = {*self.overall, *self.of_group, *COLUMNS[GROUP:]}
        if self.of_group:
            needed.add("floats")
        columns = ", ".join(name if name in needed else "0" for name in COLUMNS)
        query = (
            f"SELECT {columns} FROM (SELECT json_extract(value, '$[0]') AS one,"
            " json_extract(value, '$[1]') AS other FROM json_each(?))"
            " CROSS JOIN possible_boards ON white_line = one AND black_line = other"
            " AND tournament_id = ?"
        )
        # A row has White first, and only the view knows who that is.
        keys: list[str] = []
        for line, other in pairs:
            keys.append(f"[{line},{other}]")
            if line != other:
                keys.append(f"[{other},{line}]")
        for start in range(0, len(keys), CHUNK):
            chunk = ",".join(keys[start : start + CHUNK])
            for row in cursor.execute(query, (f"[{chunk}]", self.tournament)):
                self.rows[self._key(row[WHITE_LINE], row[BLACK_LINE])] = row

    def _key(self, line: int, other: int) -> Pair:
        """Return the key of a row: of two lines, or of a line twice for its bye."""
        return (line, self.bye_line) if line == other else ordered(line, other)

    def read(self, pairs: Iterable[Pair]) -> None:
        """Read the rows of pairs of lines that are not read yet."""
        unread = [pair for pair in dict.fromkeys(pairs) if pair not in self.rows]
        if unread:
            self._read(unread)
            self._learn(unread)

    def _learn(self, pairs: Iterable[Pair]) -> None:
        """Note what pairs show of any two players of their classes."""
        for line, other in pairs:
            own_class = self.class_of[line]
            other_class = self.class_of[other]
            if (own_class, other_class) not in self._class_digits:
                row = self.rows[line, other]
                digits = tuple(
                    row[AT[name]] if name in OF_CLASSES else 0 for name in DIGITS
                )
                self._class_digits[own_class, other_class] = digits
                self._class_digits[other_class, own_class] = digits

    def digits_of_classes(self, classes: Pair) -> list[int]:
        """Return the digits that any two players of two classes have alike.

        All are 0 if no pair of them is read: then nothing is known of them.
        """
        return list(self._class_digits.get(classes, (0,) * WIDTH))

    def pair(self, ids: Sequence[int]) -> Pair:
        """Return the key of a board (its players in any order) or of a bye.

        Its row is read then.
        """
        lines = [self.line[player] for player in ids]
        pair = self._key(lines[0], lines[-1])
        self.read([pair])
        return pair

    def largest(self) -> dict[str, int]:
        """Return the largest amount that there can be of each digit."""
        count = len(self.place)
        largest = dict.fromkeys(DIGITS, MOST)
        largest["bye_place"] = 2 * count
        largest["floats"] = count
        largest["group_distance"] = count
        largest["spread"] = count
        largest["squared"] = count * count
        largest["colour_squares"] = MOST * MOST
        return largest

    def digits(self, pair: Pair) -> tuple[Sequence[int], int]:
        """Return the digits of a pair, and its choice.

        Two who are left over have only the digits of byes, and count in the top group.
        """
        row = self.rows[pair]
        if not row[LEFT_OVER]:
            return row[:WIDTH], row[CHOICE]
        digits = [row[AT[name]] if name in OF_BYES else 0 for name in DIGITS]
        digits[GROUP] = 1
        return digits, 0

    def kept_apart(self, pair: Pair) -> bool:
        """Return whether a pair whose row is read breaks a rule on meetings."""
        row = self.rows[pair]
        return any(row[AT[rule]] for rule in MEETING_RULES)

    def ids(self, pair: Pair) -> tuple[int, ...]:
        """Return the two players with White first, or the player with the bye."""
        row = self.rows[pair]
        if row[BLACK] is None:
            return (row[WHITE],)
        return row[WHITE], row[BLACK]

    def breaches(self, ids: Sequence[int]) -> dict[str, int]:
        """Return by how much a board (White first) or a bye breaks each hard rule.

        The board may have the colours the other way round than its row.
        """
        row = self.rows[self.pair(ids)]
        amounts = dict(zip(COLUMNS, row, strict=True))
        if ids[0] != row[WHITE]:
            amounts["colour_run"] = amounts["reversed_run"]
            amounts["colour_difference"] = amounts["reversed_difference"]
        is_bye = len(ids) == 1
        breaches: dict[str, int] = {}
        for rule in RULES:
            applies = is_bye or rule not in OF_BYES
            if applies and amounts[rule] and strength(self.policy, rule) == "hard":
                breaches[rule] = amounts[rule]
        return breaches
