"""What is read: rows of the public views, for one tournament and round."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from keizer.messages import Fact, Message, boards, listed, places, say, term
from keizer.season.names.spelling import folded
from keizer.season.queries import Tournament

STANDINGS = (
    "rank", "name", "value", "score", "points", "played", "change", "rating", "category",
    "won", "drawn", "lost", "byes", "absences", "duty", "balance",
)  # fmt: skip
PAIRINGS = ("board", "white", "black", "result", "date")
EXPLANATION = (
    "played_in", "kind", "colour", "opponent", "result", "times", "factor", "value", "fixed",
    "points", "note", "fact", "fact_id",
)  # fmt: skip
PRESENCE = ("name", "absence", "by_default", "usually", "so_far")
ROUNDS = (
    "round_number",
    "date",
    "state",
    "boards",
    "open_boards",
    "byes",
    "absences",
    "proved",
)
REASONS = ("board", "white", "black", "about", "sentence")
RELAXATIONS = ("board", "white", "black", "rule", "amount", "sentence", "why")

Row = dict[str, Any]


def rows(found: sqlite3.Cursor, each: Iterable[sqlite3.Row] | None = None) -> list[Row]:
    """Rows as dictionaries; a float without decimals becomes whole. each: those rows, looked at."""
    names = [column[0] for column in found.description]
    return [
        {
            key: int(value)
            if isinstance(value, float) and value.is_integer()
            else value
            for key, value in zip(names, row, strict=True)
        }
        for row in (found if each is None else each)
    ]


_ROUND = ("tournament_id", "round_number")
PLAYER = ("player_id",)
BOTH = ("white_id", "black_id")
"""Ids of what a row shows."""


class Report(NamedTuple):
    """A public view with rows for each round: its ids and columns for people, and the order.

    past: whether the rows of the rounds before are read too. whole: whether all columns are
    read, as a message may name any of them.
    """

    view: str
    ids: tuple[str, ...]
    columns: tuple[str, ...]
    order: str
    past: bool = False
    whole: bool = False

    def __call__(
        self,
        tournament: Tournament,
        number: int,
        player: int | None = None,
        opponent: int | None = None,
    ) -> list[Row]:
        """The rows of one tournament and round; of one player, and opponent, where given."""
        wanted = {"tournament_id": tournament.id, "round_number": number}
        if player is not None:
            wanted["player_id"] = player
        if opponent is not None:
            wanted["opponent_id"] = opponent
        compared = {"round_number": "<="} if self.past else {}
        where = " AND ".join(
            f"{name} {compared.get(name, '=')} :{name}" for name in wanted
        )
        read = (
            ("*",) if self.whole else dict.fromkeys((*_ROUND, *self.ids, *self.columns))
        )
        query = f"SELECT {', '.join(read)} FROM {self.view} WHERE {where}"
        return rows(tournament.conn.execute(f"{query} ORDER BY {self.order}", wanted))


_WORDS = ("counts_as", "criterion", "kinds", "what")
"""Columns with words of keizer's, a line each. Other texts are names, or what people typed."""


def said(
    row: Mapping[str, Any], column: str = "sentence", template: str = "message"
) -> Fact:
    """Return what a row says: by its template, where it has one, else the text in a column.

    A line of the template is a message, and {name} in it is column `name` of the row.
    """
    lines = (row.get(template) or "").split("\n")
    if lines == [""]:
        return term(row[column] or "")
    messages = [
        Message(line, facts={name: _fact(row, name) for name in places(line)})
        for line in lines
    ]
    return messages if len(messages) > 1 else messages[0]


def _fact(row: Mapping[str, Any], name: str) -> Fact:
    """Return what stands for {name} in a message: a column, or the message `..._message`."""
    if f"{name}_message" in row:
        return said(row, template=f"{name}_message")
    value = row[name]
    if value is None:
        return say("none")
    if name in _WORDS:
        return [term(word) for word in value.split("\n")]
    return value


def relaxed(row: Row, *, why: bool) -> Message:
    """A rule that was given up, and why."""
    if why and row["why"]:
        return say("{rule}. {why}", rule=said(row), why=said(row, "why", "why_message"))
    return say("{rule}.", rule=said(row))


def given_up(row: Row) -> Message:
    """A rule that a pairing has just given up: by hand, or because it could not be kept."""
    if row["because"] == "hand":
        return say("By hand: {rule}", rule=relaxed(row, why=False))
    return say("Could not be avoided: {rule}", rule=relaxed(row, why=True))


pairings = Report("pairings", BOTH, PAIRINGS, "board NULLS LAST, white")
pairing_reasons = Report(
    "pairing_reasons",
    BOTH,
    REASONS,
    "board NULLS LAST, about = 'nearer', about = 'colour', about = 'meeting', sentence",
    whole=True,
)
relaxations = Report(
    "relaxations", BOTH, RELAXATIONS, "board NULLS LAST, rule", whole=True
)
explanation = Report(
    "explanation",
    (*PLAYER, "opponent_id"),
    EXPLANATION,
    "kind = 'limit', played_in NULLS FIRST, kind DESC",
    whole=True,
)
"""The lines of a player's score after a round."""
ORDER = ("rank", "name", "above", "tiebreak", "value", "above_value", "sentence")
order = Report("order_reasons", (*PLAYER, "above_id"), ORDER, "rank", whole=True)
"""Why each player of the standings is below the one directly above."""
_standings = Report("standings", PLAYER, STANDINGS, "rank, name")
place = Report("standings", PLAYER, ("rank", "score"), "rank")
"""A player's rank and score; no row before they are in the list."""


def absences(tournament: Tournament) -> dict[int, list[Message]]:
    """What players were absent as so far, and how often, by player.id."""
    so_far: dict[int, list[Message]] = {}
    for row in tournament.run("absent_so_far"):
        times = []
        if row["season_cap"] is not None:
            times.append(
                say("{number} of {most}", number=row["times"], most=row["season_cap"])
            )
        if row["period_cap"] is not None:
            facts = {"number": row["in_period"], "most": row["period_cap"]}
            times.append(say("{number} of {most} in the period", **facts))
        said = say(
            "{kind} {times}", kind=term(row["kind"]), times=times or row["times"]
        )
        so_far.setdefault(row["player_id"], []).append(said)
    return so_far


def presence(tournament: Tournament) -> list[Row]:
    """Who can come to the coming round, by name (columns PRESENCE); so_far: `absences` as text."""
    so_far = {
        player: "; ".join(map(str, said))
        for player, said in absences(tournament).items()
    }
    found = rows(tournament.run("presence"))
    present = [row | {"so_far": so_far.get(row["player_id"], "")} for row in found]
    return sorted(present, key=lambda row: folded(row["name"]))


def scheduled(tournament: Tournament) -> list[Row]:
    """The rounds that were paired or have a date (columns ROUNDS)."""
    query = (
        f"SELECT tournament_id, {', '.join(ROUNDS)} FROM rounds WHERE tournament_id = ?"
    )
    return rows(
        tournament.conn.execute(f"{query} ORDER BY round_number", (tournament.id,))
    )


def next_date(tournament: Tournament) -> list[Message]:
    """When the next round is, in words; nothing where nobody knows, or none comes."""
    number = 0 if tournament.now.is_finished else tournament.now.coming_round
    days = tournament.scalars("day", round=number)
    return [say("Next round on {day}", day=say("{day:date}", day=day)) for day in days]


def proved(tournament: Tournament, number: int) -> bool:
    """Whether it is proved that no pairing of a round is better than the one it has."""
    return bool(tournament.scalar("proved", round=number))


def ranks(tournament: Tournament) -> dict[int, tuple[int, str]]:
    """Rank and name by player.id after the last round, from the top."""
    return {player: (rank, name) for player, rank, name in tournament.run("ranks")}


def standing_before(tournament: Tournament, number: int) -> dict[int, Row]:
    """By player.id: rank and score before a round, and colours: W and B, the last game last."""
    return {
        row["player_id"]: row
        for row in rows(tournament.run("before", round=number - 1))
    }


def open_boards(tournament: Tournament, number: int) -> dict[int, list[int]]:
    """The boards without a result up to a round, by round, the latest first."""
    found: dict[int, list[int]] = {}
    for played_in, board in tournament.run("open_boards", round=number):
        found.setdefault(played_in, []).append(board)
    return found


def provisional(tournament: Tournament, number: int) -> Message | None:
    """In words, the boards without a result up to a round; None when there are none."""
    said = [
        boards(found)
        if played_in == number
        else say("{boards} of round {number}", boards=boards(found), number=played_in)
        for played_in, found in open_boards(tournament, number).items()
    ]
    return say("{boards} open", boards=listed(said)) if said else None


def standings(tournament: Tournament, number: int) -> list[Row]:
    """The standings after a round, from the top (columns STANDINGS, and those of `telling`)."""
    found = _standings(tournament, number)
    for tiebreak in telling(tournament):
        figures = _figures(tournament, number, tiebreak)
        for row in found:
            row[tiebreak] = figures.get(row["player_id"])
    return found


def _figures(tournament: Tournament, number: int, tiebreak: str) -> dict[int, Any]:
    """The figures of a tie-break by player; of those among the tied, where it parted any."""
    view, name = "tiebreaks", "tiebreak"
    if tiebreak not in ("de", "mutual"):
        view, name = (
            tournament.scalar("SELECT view FROM tiebreak WHERE name = ?", tiebreak),
            "name",
        )
    figures = tournament.conn.execute(
        f"SELECT player_id, value FROM {view}"
        f" WHERE tournament_id = ? AND round_number = ? AND {name} = ?",
        (tournament.id, number, tiebreak),
    )
    return {row["player_id"]: row["value"] for row in rows(figures)}


def telling(tournament: Tournament) -> list[str]:
    """The tie-breaks of the tournament that are no column of its standings already."""
    return tournament.scalars("telling")


def has_values(tournament: Tournament) -> bool:
    """Whether values count: in a Swiss they bring nothing."""
    return tournament.scalar("counting_values") is not None


def settled(tournament: Tournament, number: int) -> Message | None:
    """How the values of standings converged, where that is worth saying."""
    row = tournament.run("settled", round=number).fetchone()
    if row is None:
        return None
    cycle, takes = row
    if not cycle:
        return say("the values did not converge within rules.max_passes passes")
    if takes == "values":
        return say(
            "the values repeat with period {period}: the mean of each is in force",
            period=cycle,
        )
    return say(
        "the standings repeat with period {period}: each score is the mean of theirs",
        period=cycle,
    )
