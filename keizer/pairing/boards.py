"""The rows of view possible_boards: what speaks against each board and bye of a round.

The view has a row for every two players who are present, and a row for the bye of each
player (docs/pairing.md, Who may meet). The words of this package:

- A *line* is the place of a player in the order for pairing, from 1.
- A *pair* is two lines, the lower one first. The bye has a line too: the one behind all
  players. With 5 players present, pair (2, 4) is the board of the second and the fourth
  player, and pair (2, 6) is the bye of the second.
- A *digit* is a column by which pairings are compared, such as `rematch_gap`: a rule or
  a wish. Weightier digits decide first, as in a written number.
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
"""The digits that are not rules. They decide among pairings that keep the same
rules."""

DIGITS = (*RULES, *WISHES, "score_group")
"""The columns that count, first in every row. The score group itself is no amount: it
tells for which group the others count."""

MAX_KEYS_PER_QUERY = 5_000
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

    rule: one of RULES. Only rules on byes and colours have such a setting. All others
    count as hard, also those that the club does not have.
    """
    if rule not in (*BYE_RULES, *COLOUR_RULES):
        # A rule that the club does not have does no harm as a hard one: the view says
        # of every board that it breaks this rule by 0.
        return "hard"
    chosen: Strength = getattr(policy, rule)
    return chosen


class DecidingColumns(NamedTuple):
    """The columns by which pairings are compared, the most important column first.

    They are columns of view possible_boards. Each says by how much a board breaks a
    rule or a wish, such as "rematch_gap". The numbers of all boards of a pairing are
    added up. The first column in which two pairings have different sums decides: the
    lower sum is better.
    """

    overall: list[str]
    """The columns that are added up over all boards and the bye of a pairing."""
    of_group: list[str]
    """In a Swiss, the columns that are added up for each score group by itself. They
    are compared only if the two pairings are equal in all of `overall`. Empty in the
    Keizer system."""


def deciding_columns(policy: Policy) -> DecidingColumns:
    """Return the columns by which pairings are compared under a club's rules.

    They are columns of view possible_boards, such as "rematch_gap". The most important
    one comes first, as in docs/pairing.md (What is best). Column "floats" of a Swiss is
    left out: it counts for a score group before the columns of the group above, so
    costs.py puts it where it belongs.
    """
    hard = [rule for rule in RULES if strength(policy, rule) == "hard"]
    soft = [rule for rule in RULES if strength(policy, rule) == "soft"]
    soft_on_byes = [rule for rule in soft if rule in BYE_RULES]
    soft_on_colours = [rule for rule in soft if rule in COLOUR_RULES]
    # Both systems begin with these: numbers 1 to 4 of the page.
    overall = [*hard, "repeated", *soft_on_byes, "bye_place"]
    if policy.system == "swiss":
        # Numbers 2 to 6 of "In a Swiss". Colours and floats come before `spread`, the
        # digit that makes the upper half of a group meet the lower half. FIDE's rules
        # put them before the order within a group too.
        of_group = ["bye_unplayed", *soft_on_colours]
        of_group += ["unwanted_colour", "strongly_unwanted", *FLOATS_AGAIN, "spread"]
        return DecidingColumns(overall, of_group)
    # Numbers 5 and 6 of "By the Keizer system". A first round in which halves meet
    # needs `spread` before `squared`, the square of the distance, which alone would
    # pair neighbours.
    overall.append("spread")
    if policy.aim == "closest":
        overall += ["squared", *soft_on_colours, "colour_squares", "colour_again"]
    return DecidingColumns(overall, of_group=[])


@contextmanager
def views_copied(conn: sqlite3.Connection, tournament: int) -> Iterator[None]:
    """Copy views z_present and z_met to temporary tables for a `with` block.

    This saves time. View possible_boards is queried several times in the block, and
    most of its work would be to compute these two views again each time.

    In the block the names z_present and z_met mean the copies, and possible_boards
    means a temporary view with the same text, which reads the copies. The block must
    not change the file, since the copies would not change with it. After the block the
    temporary tables and the view are dropped.
    """
    # By view, the columns by which possible_boards looks up its rows.
    index_columns = {"z_present": "line", "z_met": "low, high"}
    (view,) = conn.execute(
        "SELECT sql FROM main.sqlite_master WHERE name = 'possible_boards'"
    ).fetchone()
    view = view.replace("CREATE VIEW", "CREATE TEMP VIEW", 1)
    # The view begins with a copy of all of z_present, under the name `here`. In the
    # temporary view that would be needless work for each query. Without it, SQLite
    # finds the few rows that a query needs by the index made below.
    view = view.replace("here AS MATERIALIZED", "here AS NOT MATERIALIZED", 1)
    # A temporary table or view hides those of the same name in the file.
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
        # IF EXISTS: an error may come before all of them are created.
        conn.execute("DROP VIEW IF EXISTS temp.possible_boards")
        for name in index_columns:
            conn.execute(f"DROP TABLE IF EXISTS temp.{name}")


class Boards:
    """The rows of view possible_boards for one round, as far as they have been queried.

    A row says what speaks against a board of two players, or against the bye of one.
    Large rounds have too many rows to query all. So `rows` begins with those of the
    byes and of neighbours, and `read` adds the rows of further pairs.

    Players are named by their *line*: the place in the order for pairing, from 1. A
    *pair* is two lines, the lower one first. Pair (2, 4) is the board of the second and
    the fourth player. The bye has the line behind all players: with 5 players, pair
    (2, 6) is the bye of the second.

    players_by_rank: the players who are present (player.id). The order for pairing may
    differ from the rank: in a random first round it is drawn by lot.
    """

    def __init__(
        self,
        conn: sqlite3.Connection,
        tournament: int,
        policy: Policy,
        players_by_rank: Sequence[int],
    ) -> None:
        self.conn = conn
        self.tournament = tournament
        self.policy = policy
        self.overall_digits, self.group_digits = deciding_columns(policy)
        self.place_of = {player: place for place, player in enumerate(players_by_rank)}
        """By player, the place by rank, from 0."""
        self.rows: dict[Pair, tuple[Any, ...]] = {}
        """The rows that have been queried, by pair. Each has the columns in the order
        of COLUMNS."""
        self.bye_line = len(players_by_rank) + 1
        """The line of the bye, behind all players."""
        lines = range(1, self.bye_line)
        byes = [(line, self.bye_line) for line in lines]
        # The byes tell who has which line (below). Neighbours are likely to meet.
        self._read_rows([*byes, *pairwise(lines)])
        # The row of a bye has its player in the columns of White.
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
        """By line, the class: a number for players whom the rules on colours and
        categories treat alike."""
        # The view gives a bye a `spread` only where halves meet. There all players but
        # the last of a group have one.
        self.by_halves = any(row[SPREAD] for row in bye_rows.values())
        """True if the upper half of a group is to meet the lower half."""
        self._class_amounts: dict[Pair, list[int]] = {}
        """By two classes, in either order: by how much every board of the two breaks
        the rules on colours and categories (CLASS_DIGITS). Each list has a number for
        each of DIGITS, with 0 for all others. See `class_amounts`."""
        self._remember_class_amounts(pairwise(lines))

    def read(self, pairs: Iterable[Pair]) -> None:
        """Query the rows of pairs that `rows` does not have yet, and add them to it.

        A pair is two lines (places in the order for pairing), the lower one first.
        """
        # dict.fromkeys: a pair may be given twice. No bye is left in `unread`, since
        # `rows` has had the rows of all byes from the beginning.
        unread = [pair for pair in dict.fromkeys(pairs) if pair not in self.rows]
        if unread:
            self._read_rows(unread)
            self._remember_class_amounts(unread)

    def _read_rows(self, pairs: Iterable[Pair]) -> None:
        """Query view possible_boards for the rows of pairs, and add them to `rows`.

        A pair is two lines (places in the order for pairing), the lower one first.
        """
        cursor = self.conn.cursor()
        cursor.row_factory = None  # plain tuples, whatever `conn` makes of rows
        # Of a digit that does not count under the club's rules, 0 is selected instead:
        # then SQLite does not compute it. The columns from the score group on are no
        # digits, and always needed.
        needed = {*self.overall_digits, *self.group_digits, *COLUMNS[SCORE_GROUP:]}
        if self.group_digits:
            needed.add("floats")  # counts in each Swiss (see deciding_columns)
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
                keys.append(f"[{line},{line}]")  # in the view, a bye has one line twice
            else:
                # The view has the line of White first. Who has White is not known
                # before, so both orders are asked for. One of them has a row.
                keys += [f"[{line},{other}]", f"[{other},{line}]"]
        for start in range(0, len(keys), MAX_KEYS_PER_QUERY):
            chunk = ",".join(keys[start : start + MAX_KEYS_PER_QUERY])
            for row in cursor.execute(query, (f"[{chunk}]", self.tournament)):
                self.rows[self._pair_of_lines(row[WHITE_LINE], row[BLACK_LINE])] = row

    def _pair_of_lines(self, line: int, other: int) -> Pair:
        """Return two lines as a pair, the lower line first.

        The same line twice means a bye, as in view possible_boards. A bye becomes the
        pair of this line and `bye_line`, which is higher than all others.
        """
        if line == other:
            return line, self.bye_line
        return ordered(line, other)

    def _remember_class_amounts(self, pairs: Iterable[Pair]) -> None:
        """Remember by how much boards break the rules on colours and categories.

        Costs of boards that have not been queried are estimated with this (see
        `class_amounts`). It is stored for two classes: a class is a number for players
        whom these rules treat alike. Example: players 1 and 2 are of class 7, player 9
        is of class 8. If board 1-9 has `colour_run` 1, so has board 2-9.

        pairs: boards whose rows are in `rows` already, each as the places of its two
        players in the order for pairing. Byes must not be among them.
        """
        for line, other in pairs:
            own_class = self.class_of[line]
            other_class = self.class_of[other]
            # All boards of two classes have the same amounts, so the first is enough.
            if (own_class, other_class) not in self._class_amounts:
                amounts = self._amounts_in(CLASS_DIGITS, self.rows[line, other])
                # In both orders, as `class_amounts` may be asked for either.
                self._class_amounts[own_class, other_class] = amounts
                self._class_amounts[other_class, own_class] = amounts

    def class_amounts(self, classes: Pair) -> list[int]:
        """Return by how much every board of two classes breaks some of the rules.

        A class is a number for players whom the rules on colours and categories treat
        alike. So all boards of the same two classes break these rules (CLASS_DIGITS) by
        the same amounts, which are known once the row of one such board is in `rows`.
        Until then they count as 0.

        The result is a new list with a number for each of DIGITS, 0 for all others.
        """
        # A new list each time, since callers put the score group into it.
        return [*self._class_amounts.get(classes, [0] * len(DIGITS))]

    def read_pair(self, ids: Sequence[int]) -> Pair:
        """Query the row of a board or a bye if `rows` lacks it, and return the pair.

        The pair is the two lines (places in the order for pairing), the lower one
        first. ids: the two players in any order, or the player with the bye.
        """
        lines = [self.line_of[player] for player in ids]
        if len(lines) == 1:
            lines.append(self.bye_line)
        line, other = lines
        pair = ordered(line, other)
        self.read([pair])
        return pair

    def max_amounts(self) -> dict[str, int]:
        """Return by column a number that no board or bye exceeds in this column.

        The columns are those that count, such as "rematch_gap". A cost has bits for
        each of them, and this number tells how many they have to be (costs.py).
        """
        player_count = len(self.place_of)
        max_amounts = dict.fromkeys(DIGITS, MAX_AMOUNT)
        # Of a bye, how many players stand below the one who has it. Twice, since a pair
        # of two who are left over stands for two byes.
        max_amounts["bye_place"] = 2 * player_count
        # How many score groups apart the two are. Only the groups of players who are
        # present are numbered, so there are no more groups than players.
        max_amounts["floats"] = player_count
        max_amounts["group_distance"] = self._widest_group_distance()
        # The players of a group, less the distance of two of them.
        max_amounts["spread"] = player_count
        # The distance of two players is less than their number. Here it is squared.
        max_amounts["squared"] = player_count**2
        # The colour differences of the two, each squared, added up. A difference is at
        # most the number of rounds, 999: so the sum is below this.
        max_amounts["colour_squares"] = MAX_AMOUNT**2
        return max_amounts

    def _widest_group_distance(self) -> int:
        """Return how many categories apart two of the players are at most.

        That may be more than there are players: categories of members who are absent
        are counted as well. It is 0 if the club has no limit for this distance.
        """
        if self.policy.max_group_distance is None:
            return 0
        lowest, highest = self.conn.execute(
            "SELECT min(group_number), max(group_number) FROM z_present"
            " WHERE tournament_id = ?",
            (self.tournament,),
        ).fetchone()
        return int(highest - lowest)

    def amounts_and_choice(self, pair: Pair) -> tuple[Sequence[int], int]:
        """Return what speaks against a board or a bye: its amounts, and its choice.

        The amounts say by how much it breaks each rule and each wish: a number for each
        column in DIGITS, in this order. The choice says how many nearer opponents the
        first player of the pair passes over.

        pair: one whose row is in `rows`.
        """
        row = self.rows[pair]
        if not row[LEFT_OVER]:
            return row[: len(DIGITS)], row[CHOICE]
        # The two may not meet in this Swiss: they have met before, or a list of the
        # club forbids it. If they are chosen as a pair anyway, each of them gets a bye.
        # So only the columns on byes count.
        amounts_of_two_byes = self._amounts_in(BYE_DIGITS, row)
        no_choice = 0  # neither passes over anybody to meet the other
        return amounts_of_two_byes, no_choice

    def _amounts_in(self, names: Sequence[str], row: Sequence[Any]) -> list[int]:
        """Return the numbers that a row has in the columns of DIGITS, in this order.

        names: the columns whose numbers are wanted. All others get 0.
        """
        return [row[INDEX[name]] if name in names else 0 for name in DIGITS]

    def breaks_meeting_rule(self, pair: Pair) -> bool:
        """Return whether a board breaks a rule on who may meet, how often and how soon.

        pair: a board whose row is in `rows`. The row has a number for each rule: by how
        much the board breaks it, or 0.
        """
        row = self.rows[pair]
        return any(row[INDEX[rule]] for rule in MEETING_RULES)

    def ids(self, pair: Pair) -> tuple[int, ...]:
        """Return the players of a pair by their ids (player.id).

        Of a board these are both players, White first. Of a bye it is the one who has
        it. pair: two lines, whose row is in `rows`.
        """
        row = self.rows[pair]
        if row[BLACK_ID] is None:  # a bye
            return (row[WHITE_ID],)
        return row[WHITE_ID], row[BLACK_ID]

    def breaches(self, ids: Sequence[int]) -> dict[str, int]:
        """Return the hard rules that a board or a bye breaks, and by how much.

        Its row is queried first if `rows` does not have it yet. ids: the player with
        White and the one with Black, or the player with the bye. On a board set by
        hand, the colours may be the reverse of those in its row.
        """
        row = self.rows[self.read_pair(ids)]
        amounts = dict(zip(COLUMNS, row, strict=True))
        has_reversed_colours = ids[0] != row[WHITE_ID]
        if has_reversed_colours:
            amounts["colour_run"] = amounts["reversed_run"]
            amounts["colour_difference"] = amounts["reversed_difference"]
        is_bye = len(ids) == 1
        breaches: dict[str, int] = {}
        for rule in RULES:
            is_hard = strength(self.policy, rule) == "hard"
            # The row of two who have met in a Swiss says what their two byes would
            # break. That does not count if they play anyway, on a board set by hand.
            applies = is_bye or rule not in BYE_DIGITS
            if is_hard and applies and amounts[rule]:
                breaches[rule] = amounts[rule]
        return breaches
