"""The rows of view possible_boards: what speaks against each board and bye of a round.

The view has a row for every two players who are present, and a row for the bye of each
player (docs/pairing.md, Who may meet). The words of this package:

- A *line* is the place of a player in the order for pairing, from 1.
- A *pair* is two lines, the lower one first. The bye has a line too: the one behind all
  players. With 5 players present, pair (2, 4) is the board of the second and the fourth
  player, and pair (2, 6) is the bye of the second.
- A *digit* is a column that counts, such as `rematch_gap`: a rule or a wish.
- An *amount* is the number that a pair has in a digit. The amounts of all pairs of a
  pairing are added up digit by digit, and the lower sum is better.
- The *choice* of a pair says how many players its first player passes over: those in
  between in the order for pairing. Pair (2, 4) has choice 1; a bye passes over all.
- A *class* is a number for players whom the rules on colours and categories treat
  alike: any two players of the same two classes have the same amounts in these rules.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

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

MAX_AMOUNT = 4000
"""More than the amount of any rule: rounds are at most 999, as is the gap of two
meetings."""

WISHES = (
    "repeated", "bye_place", "floats", "bye_unplayed", "unwanted_colour",
    "strongly_unwanted", "down_again", "up_again", "down_before", "up_before", "spread",
    "squared", "colour_squares", "colour_again",
)  # fmt: skip
"""The digits that are no rules. They decide among pairings that keep the same rules."""

DIGITS = (*RULES, *WISHES, "score_group")
"""The columns that count, first in every row. The score group itself is no amount: it
tells for which group the others count."""

KEYS_A_QUERY = 5_000
"""Rows asked for at once: their text stays below the limit of store/connection.py."""

Pair = tuple[int, int]
"""The lines of two players, the lower one first; of a bye the second is `bye_line`."""

CLASS_DIGITS = (
    "colour_run",
    "colour_difference",
    "group_distance",
    "unwanted_colour",
    "strongly_unwanted",
)
"""The digits in which all pairs of the same two classes have the same amount."""

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
"""The columns that are read of the view, in the order of a row here."""

INDEX = {name: index for index, name in enumerate(COLUMNS)}
"""The index of each column in a row, by name: row[INDEX["rematch"]]."""

FLOATS = INDEX["floats"]
SCORE_GROUP = INDEX["score_group"]
SPREAD = INDEX["spread"]
LEFT_OVER = INDEX["left_over"]
CHOICE = INDEX["choice"]
LEGAL = INDEX["legal"]
WHITE_ID = INDEX["white_id"]
BLACK_ID = INDEX["black_id"]
WHITE_LINE = INDEX["white_line"]
BLACK_LINE = INDEX["black_line"]
WHITE_CLASS = INDEX["white_class"]

BYE_DIGITS = ("left_over", *BYE_RULES, "bye_place")
"""The digits of byes. No board has an amount in them, but two who are left over do,
since both of them get a bye."""


def ordered(line: int, other: int) -> Pair:
    """Return two lines as a pair, the lower one first."""
    return (line, other) if line < other else (other, line)


def strength(policy: Policy, rule: str) -> Strength:
    """Return whether a club keeps a rule (hard), wishes for it (soft) or neither (off).

    Only rules on byes and colours have such a setting. All others are hard.
    """
    if rule not in (*BYE_RULES, *COLOUR_RULES):
        return "hard"  # of a rule that the club has not set, all amounts are 0
    chosen: Strength = getattr(policy, rule)
    return chosen


class DigitsByWeight(NamedTuple):
    """The digits that count by the rules of a club, the weightiest first."""

    overall: list[str]
    """Digits that are added up over all pairs of a pairing."""
    of_group: list[str]
    """Digits that are added up for each score group by itself, in a Swiss."""


def digits_by_weight(policy: Policy) -> DigitsByWeight:
    """Return the digits that count, in the order of docs/pairing.md (What is best).

    Digit `floats` of a Swiss is not among them: costs.py puts it in front of those of a
    score group.
    """
    hard = [rule for rule in RULES if strength(policy, rule) == "hard"]
    soft = [rule for rule in RULES if strength(policy, rule) == "soft"]
    soft_on_byes = [rule for rule in soft if rule in BYE_RULES]
    soft_on_colours = [rule for rule in soft if rule in COLOUR_RULES]
    # Numbers 1 to 4 of the page, in both systems.
    overall = [*hard, "repeated", *soft_on_byes, "bye_place"]
    if policy.system == "swiss":
        # "In a Swiss", 2 to 6. Colours and floats come before `spread`, which makes
        # halves meet: FIDE's criteria for them go before the order within a group.
        of_group = ["bye_unplayed", *soft_on_colours]
        of_group += ["unwanted_colour", "strongly_unwanted", *FLOATS_AGAIN, "spread"]
        return DigitsByWeight(overall, of_group)
    # "By the Keizer system", 5 and 6. A first round by halves needs `spread` before
    # the distance, since `squared` alone would pair neighbours.
    overall.append("spread")
    if policy.aim == "closest":
        overall += ["squared", *soft_on_colours, "colour_squares", "colour_again"]
    return DigitsByWeight(overall, of_group=[])


@contextmanager
def views_copied(conn: sqlite3.Connection, tournament: int) -> Iterator[None]:
    """Copy views z_present and z_met to tables, for the queries of a `with` block.

    View possible_boards is queried several times, and most of its work is to compute
    these two views whole each time. In the block, the names z_present and z_met mean
    the copies, and possible_boards means a view of the same text that reads them. The
    file must not be changed in the block, since the copies would not follow.
    """
    index_columns = {"z_present": "line", "z_met": "low, high"}
    (view,) = conn.execute(
        "SELECT sql FROM main.sqlite_master WHERE name = 'possible_boards'"
    ).fetchone()
    view = view.replace("CREATE VIEW", "CREATE TEMP VIEW", 1)
    # So that SQLite finds the few rows by an index of the copies. A materialized
    # `here` would copy z_present once more for each query.
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
    """The rows of view possible_boards for one round, as far as they are read.

    places: the players who are present (player.id), by rank. The order for pairing,
    which gives the lines, may differ from it: in a random first round it is a lot.
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
        self.overall_digits, self.group_digits = digits_by_weight(policy)
        self.place_of = {player: place for place, player in enumerate(places)}
        """By player, the place by rank, from 0."""
        self.rows: dict[Pair, tuple[Any, ...]] = {}
        """By pair, its row, with the columns in the order of COLUMNS."""
        self.bye_line = len(places) + 1
        """The line of the bye, behind all players."""
        lines = range(1, self.bye_line)
        byes = [(line, self.bye_line) for line in lines]
        self._read_rows([*byes, *pairwise(lines)])
        # A bye has the player as its White, so its row tells who that is.
        bye_rows = {line: self.rows[line, self.bye_line] for line in lines}
        self.player_of: dict[int, int] = {
            line: row[WHITE_ID] for line, row in bye_rows.items()
        }
        """By line, the player (player.id)."""
        self.line_of = {player: line for line, player in self.player_of.items()}
        """By player, the line."""
        self.group_of: dict[int, int] = {
            line: row[SCORE_GROUP] for line, row in bye_rows.items()
        }
        """By line, the score group, 1 = top. The Keizer system has one group."""
        self.class_of: dict[int, int] = {
            line: row[WHITE_CLASS] for line, row in bye_rows.items()
        }
        """By line, the class."""
        self.by_halves = any(row[SPREAD] for row in bye_rows.values())
        """True if the upper half of a group is to meet the lower half."""
        self._class_amounts: dict[Pair, list[int]] = {}
        """By two classes, the amounts that all their pairs share, in the order of
        DIGITS: 0 in all digits but CLASS_DIGITS."""
        self._note_class_amounts(pairwise(lines))

    def read(self, pairs: Iterable[Pair]) -> None:
        """Read the rows of pairs, but not of those that are read already."""
        # No bye is among them: the rows of all byes are read from the beginning.
        unread = [pair for pair in dict.fromkeys(pairs) if pair not in self.rows]
        if unread:
            self._read_rows(unread)
            self._note_class_amounts(unread)

    def _read_rows(self, pairs: Iterable[Pair]) -> None:
        """Query the rows of pairs, and add them to `rows`."""
        cursor = self.conn.cursor()
        cursor.row_factory = None
        # SQLite does not compute a column that nobody reads, so 0 is read instead.
        needed = {*self.overall_digits, *self.group_digits, *COLUMNS[SCORE_GROUP:]}
        if self.group_digits:
            needed.add("floats")
        columns = ", ".join(name if name in needed else "0" for name in COLUMNS)
        # CROSS JOIN makes SQLite begin with the pairs that are asked for, so that it
        # computes no other row of the view.
        query = (
            f"SELECT {columns} FROM"
            " (SELECT json_extract(value, '$[0]') AS line,"
            " json_extract(value, '$[1]') AS other_line FROM json_each(?))"
            " CROSS JOIN possible_boards"
            " ON white_line = line AND black_line = other_line AND tournament_id = ?"
        )
        keys: list[str] = []
        for line, other in pairs:
            if other == self.bye_line:
                keys.append(f"[{line},{line}]")  # as the view has a bye
            else:
                # The view has White first, and only the view knows who that is.
                keys += [f"[{line},{other}]", f"[{other},{line}]"]
        for start in range(0, len(keys), KEYS_A_QUERY):
            chunk = ",".join(keys[start : start + KEYS_A_QUERY])
            for row in cursor.execute(query, (f"[{chunk}]", self.tournament)):
                self.rows[self._pair_of_lines(row[WHITE_LINE], row[BLACK_LINE])] = row

    def _pair_of_lines(self, line: int, other: int) -> Pair:
        """Return the pair of two lines in any order; a line twice stands for a bye."""
        if line == other:
            return line, self.bye_line
        return ordered(line, other)

    def _note_class_amounts(self, pairs: Iterable[Pair]) -> None:
        """Keep what the rows of boards tell about all boards of the same two classes.

        pairs: pairs that are read, and no byes.
        """
        for line, other in pairs:
            own_class = self.class_of[line]
            other_class = self.class_of[other]
            if (own_class, other_class) not in self._class_amounts:
                amounts = self._amounts_in(CLASS_DIGITS, self.rows[line, other])
                self._class_amounts[own_class, other_class] = amounts
                self._class_amounts[other_class, own_class] = amounts

    def class_amounts(self, classes: Pair) -> list[int]:
        """Return the amounts that all pairs of two classes share, in a new list.

        They have the order of DIGITS, with 0 in all but CLASS_DIGITS. All are 0 as long
        as no pair of these classes is read.
        """
        return [*self._class_amounts.get(classes, [0] * len(DIGITS))]

    def pair(self, ids: Sequence[int]) -> Pair:
        """Return the pair of a board or a bye, and make sure that its row is read.

        ids: the two players in any order, or the player with the bye.
        """
        # Of one player, the first line and the last are the same: that is a bye.
        lines = [self.line_of[player] for player in ids]
        pair = self._pair_of_lines(lines[0], lines[-1])
        self.read([pair])
        return pair

    def max_amounts(self) -> dict[str, int]:
        """Return for each digit a number that the amount of no pair exceeds."""
        player_count = len(self.place_of)
        max_amounts = dict.fromkeys(DIGITS, MAX_AMOUNT)
        max_amounts["bye_place"] = (
            2 * player_count
        )  # two who are left over: both have byes
        max_amounts["floats"] = player_count
        max_amounts["group_distance"] = player_count
        max_amounts["spread"] = player_count
        max_amounts["squared"] = player_count**2
        max_amounts["colour_squares"] = MAX_AMOUNT**2
        return max_amounts

    def amounts_and_choice(self, pair: Pair) -> tuple[Sequence[int], int]:
        """Return the amounts of a pair in the order of DIGITS, and its choice."""
        row = self.rows[pair]
        if not row[LEFT_OVER]:
            return row[: len(DIGITS)], row[CHOICE]
        # Two who are left over do not meet. So only their byes count, and as all byes
        # do they count for the whole pairing: group 1 just stands for any group.
        amounts = self._amounts_in(BYE_DIGITS, row)
        amounts[SCORE_GROUP] = 1
        return amounts, 0

    def _amounts_in(self, names: Sequence[str], row: Sequence[Any]) -> list[int]:
        """Return the amounts of a row in some digits, with 0 in all others.

        They have the order of DIGITS. names: the digits whose amounts are wanted.
        """
        return [row[INDEX[name]] if name in names else 0 for name in DIGITS]

    def breaks_meeting_rule(self, pair: Pair) -> bool:
        """Return whether a pair that is read breaks a rule on meetings."""
        row = self.rows[pair]
        return any(row[INDEX[rule]] for rule in MEETING_RULES)

    def ids(self, pair: Pair) -> tuple[int, ...]:
        """Return the two players of a pair, White first, or the player with a bye."""
        row = self.rows[pair]
        if row[BLACK_ID] is None:
            return (row[WHITE_ID],)
        return row[WHITE_ID], row[BLACK_ID]

    def breaches(self, ids: Sequence[int]) -> dict[str, int]:
        """Return the hard rules that a board or a bye breaks, and by how much.

        ids: the player with White and the one with Black, or the player with the bye.
        On a board set by hand, they may have the other colours than in its row.
        """
        row = self.rows[self.pair(ids)]
        amounts = dict(zip(COLUMNS, row, strict=True))
        has_reversed_colours = ids[0] != row[WHITE_ID]
        if has_reversed_colours:
            amounts["colour_run"] = amounts["reversed_run"]
            amounts["colour_difference"] = amounts["reversed_difference"]
        is_bye = len(ids) == 1
        breaches: dict[str, int] = {}
        for rule in RULES:
            is_hard = strength(self.policy, rule) == "hard"
            # Two who are left over have amounts in the rules on byes. They do not
            # count if the two meet anyway, on a board set by hand.
            applies = is_bye or rule not in BYE_DIGITS
            if is_hard and applies and amounts[rule]:
                breaches[rule] = amounts[rule]
        return breaches
