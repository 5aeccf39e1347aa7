"""Rows of the public views, for one tournament and round."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from keizer.messages import Fact, Message, boards, listed, places, say, term
from keizer.season.names.spelling import fold
from keizer.season.queries import Tournament

STANDINGS = (
    "rank", "name", "value", "score", "points", "played", "change", "rating",
    "category", "won", "drawn", "lost", "byes", "absences", "duty", "balance",
)  # fmt: skip
PAIRINGS = ("board", "white", "black", "result", "date")
EXPLANATION = (
    "played_in", "kind", "colour", "opponent", "result", "times", "factor", "value",
    "fixed", "points", "note", "fact", "fact_id",
)  # fmt: skip
PRESENCE = ("name", "absence", "by_default", "usually", "so_far")
ROUNDS = (
    "round_number", "date", "state", "boards", "open_boards", "byes", "absences",
    "proved",
)  # fmt: skip
REASONS = ("board", "white", "black", "about", "sentence")
RELAXATIONS = ("board", "white", "black", "rule", "amount", "sentence", "why")

Row = dict[str, Any]


def rows(
    cursor: sqlite3.Cursor, fetched: Iterable[sqlite3.Row] | None = None
) -> list[Row]:
    """Return rows as dictionaries; 3.0 becomes 3, as SQLite computes many as floats.

    fetched: the rows of the cursor if they were read from it already; by default they
    are read here.
    """
    columns = [column[0] for column in cursor.description]
    if fetched is None:
        fetched = cursor
    dictionaries = []
    for cells in fetched:
        row = dict(zip(columns, cells, strict=True))
        for column, cell in row.items():
            if isinstance(cell, float) and cell.is_integer():
                row[column] = int(cell)
        dictionaries.append(row)
    return dictionaries


_ROUND = ("tournament_id", "round_number")
PLAYER = ("player_id",)
WHITE_AND_BLACK = ("white_id", "black_id")
"""The columns with the ids of the players that a row is about."""


class Report(NamedTuple):
    """A report: a public view with rows for each round, and a function that reads them.

    ids: the columns that programs get too; columns: those that people see.
    order: the ORDER BY of the query. past: whether rows of earlier rounds are read too.
    whole: whether all columns are read, since a message of the row may name any.
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
        """Return the rows of a round, or only those of a player and an opponent.

        number: of the round. player, opponent: player.id, or None for everybody.
        """
        comparison = "<=" if self.past else "="
        conditions = [
            "tournament_id = :tournament",
            f"round_number {comparison} :round",
        ]
        if player is not None:
            conditions.append("player_id = :player")
        if opponent is not None:
            conditions.append("opponent_id = :opponent")
        columns = "*"
        if not self.whole:
            each_column_once = dict.fromkeys((*_ROUND, *self.ids, *self.columns))
            columns = ", ".join(each_column_once)
        condition = " AND ".join(conditions)
        cursor = tournament.conn.execute(
            f"SELECT {columns} FROM {self.view}"
            f" WHERE {condition} ORDER BY {self.order}",
            {
                "tournament": tournament.id,
                "round": number,
                "player": player,
                "opponent": opponent,
            },
        )
        return rows(cursor)


# The columns with words of keizer, one a line, which are translated. Texts in other
# columns are names, or were typed.
_WORDS_COLUMNS = ("counts_as", "criterion", "kinds", "what")


def row_message(
    row: Mapping[str, Any], column: str = "sentence", template: str = "message"
) -> Fact:
    """Return the message of a row, to be translated.

    column: the column with the message as a text in English, which is the message if
    there is no template. template: the column with the template. Each of its lines is a
    message, in which {name} stands for the cell in column `name`.
    """
    templates = row.get(template)
    if not templates:
        return term(row[column] or "")
    messages = []
    for line in templates.split("\n"):
        facts = {name: _fact(row, name) for name in places(line)}
        messages.append(Message(line, facts=facts))
    return messages if len(messages) > 1 else messages[0]


def _fact(row: Mapping[str, Any], name: str) -> Fact:
    """Return what {name} stands for in the message of a row.

    It is the cell in column `name`; or a message, if the row has its template in a
    column such as `name_message`.
    """
    template = f"{name}_message"
    if template in row:
        return row_message(row, template=template)
    value = row[name]
    if value is None:
        return say("none")
    if name in _WORDS_COLUMNS:
        return [term(word) for word in value.split("\n")]
    return value


def relaxation_message(row: Row, *, why: bool) -> Message:
    """Return a message with a rule that was given up; with `why` also the reason."""
    if why and row["why"]:
        return say(
            "{rule}. {why}",
            rule=row_message(row),
            why=row_message(row, "why", "why_message"),
        )
    return say("{rule}.", rule=row_message(row))


def new_relaxation_message(row: Row) -> Message:
    """Return a message with a rule that a new pairing has given up, and the reason."""
    if row["because"] == "hand":
        return say("By hand: {rule}", rule=relaxation_message(row, why=False))
    return say("Unavoidable: {rule}", rule=relaxation_message(row, why=True))


pairings = Report(
    view="pairings",
    ids=WHITE_AND_BLACK,
    columns=PAIRINGS,
    order="board NULLS LAST, white",
)
pairing_reasons = Report(
    view="pairing_reasons",
    ids=WHITE_AND_BLACK,
    columns=REASONS,
    order=(
        "board NULLS LAST, about = 'nearer', about = 'colour', about = 'meeting',"
        " sentence"
    ),
    whole=True,
)
relaxations = Report(
    view="relaxations",
    ids=WHITE_AND_BLACK,
    columns=RELAXATIONS,
    order="board NULLS LAST, rule",
    whole=True,
)
explanation = Report(
    view="explanation",
    ids=(*PLAYER, "opponent_id"),
    columns=EXPLANATION,
    order="kind = 'limit', played_in NULLS FIRST, kind DESC",
    whole=True,
)
"""The lines of a player's score after a round."""
ORDER = ("rank", "name", "above", "tiebreak", "value", "above_value", "sentence")
order = Report(
    view="order_reasons",
    ids=(*PLAYER, "above_id"),
    columns=ORDER,
    order="rank",
    whole=True,
)
"""Why each player of the standings is below the one directly above."""
_standings = Report(view="standings", ids=PLAYER, columns=STANDINGS, order="rank, name")
place = Report(view="standings", ids=PLAYER, columns=("rank", "score"), order="rank")
"""A player's rank and score; there is no row before the player is in the standings."""


def count_absences(tournament: Tournament) -> dict[int, list[Message]]:
    """Return the absences of players so far, by player.id: a message for each kind."""
    by_player: dict[int, list[Message]] = {}
    for row in tournament.run("absences_so_far"):
        messages = by_player.setdefault(row["player_id"], [])
        messages.append(_absences_message(row))
    return by_player


def _absences_message(row: sqlite3.Row) -> Message:
    """Return a message with a kind of absence and how often it was: `excused 2 of 3`.

    Without limits it is the number alone: `excused 2`.
    """
    limits = []
    if row["season_cap"] is not None:
        limits.append(
            say("{number} of {most}", number=row["times"], most=row["season_cap"])
        )
    if row["period_cap"] is not None:
        limits.append(
            say(
                "{number} of {most} in the period",
                number=row["in_period"],
                most=row["period_cap"],
            )
        )
    times = limits or row["times"]
    return say("{kind} {times}", kind=term(row["kind"]), times=times)


def presence(tournament: Tournament) -> list[Row]:
    """Return the players who can come to the coming round, by name (columns PRESENCE).

    Column so_far has the messages of `count_absences` as one text.
    """
    absences_so_far = count_absences(tournament)
    players = rows(tournament.run("presence"))
    for player in players:
        messages = absences_so_far.get(player["player_id"], [])
        player["so_far"] = "; ".join(map(str, messages))
    return sorted(players, key=lambda player: fold(player["name"]))


def list_rounds(tournament: Tournament) -> list[Row]:
    """Return the rounds that are paired or have a date (columns ROUNDS)."""
    columns = ", ".join(ROUNDS)
    cursor = tournament.conn.execute(
        f"SELECT tournament_id, {columns} FROM rounds WHERE tournament_id = ?"
        " ORDER BY round_number",
        (tournament.id,),
    )
    return rows(cursor)


def next_date(tournament: Tournament) -> list[Message]:
    """Return a list with the message of the date of the next round.

    It is empty if there is no date, or the season is finished.
    """
    if tournament.now.is_finished:
        return []
    dates = tournament.scalars("date_of_round", round=tournament.now.coming_round)
    return [
        say("Next round on {day}", day=say("{day:date}", day=date)) for date in dates
    ]


def is_proved_best(tournament: Tournament, number: int) -> bool:
    """Return whether it is proved that a round cannot be paired better."""
    return bool(tournament.scalar("is_proved", round=number))


def ranks(tournament: Tournament) -> dict[int, tuple[int, str]]:
    """Return rank and name after the last round by player.id, from the top."""
    return {player: (rank, name) for player, rank, name in tournament.run("ranks")}


def standing_before(tournament: Tournament, number: int) -> dict[int, Row]:
    """Return the standings that a round was paired by: a row by player.id.

    Its columns are rank, score and colours: a W or B for each game, the last game last.
    """
    standings_rows = rows(tournament.run("standing_after", round=number - 1))
    return {row["player_id"]: row for row in standings_rows}


def open_boards(tournament: Tournament, number: int) -> dict[int, list[int]]:
    """Return the boards without a result up to a round: by round, the latest first."""
    by_round: dict[int, list[int]] = {}
    for played_in, board in tournament.run("open_boards", round=number):
        boards_of_round = by_round.setdefault(played_in, [])
        boards_of_round.append(board)
    return by_round


def open_boards_message(tournament: Tournament, number: int) -> Message | None:
    """Return a message with the boards without a result up to a round, or None.

    A board of an earlier round is named with its round.
    """
    parts = []
    for played_in, open_in_round in open_boards(tournament, number).items():
        part = boards(open_in_round)
        if played_in != number:
            part = say("{boards} of round {number}", boards=part, number=played_in)
        parts.append(part)
    if not parts:
        return None
    return say("{boards} open", boards=listed(parts))


def standings(tournament: Tournament, number: int) -> list[Row]:
    """Return the standings after a round, from the top.

    Their columns are STANDINGS and the tie-breaks of `extra_tiebreaks`.
    """
    players = _standings(tournament, number)
    for tiebreak in extra_tiebreaks(tournament):
        figures = _tiebreak_figures(tournament, number, tiebreak)
        for player in players:
            player[tiebreak] = figures.get(player["player_id"])
    return players


def _tiebreak_figures(
    tournament: Tournament, number: int, tiebreak: str
) -> dict[int, Any]:
    """Return the figure of each player in a tie-break after a round, by player.id."""
    if tiebreak in ("de", "mutual"):
        # These compare tied players alone. View tiebreaks has their figures for the
        # ties that they broke.
        view = "tiebreaks"
        name_column = "tiebreak"
    else:
        view = tournament.scalar("SELECT view FROM tiebreak WHERE name = ?", tiebreak)
        name_column = "name"
    cursor = tournament.conn.execute(
        f"SELECT player_id, value FROM {view}"
        f" WHERE tournament_id = ? AND round_number = ? AND {name_column} = ?",
        (tournament.id, number, tiebreak),
    )
    return {row["player_id"]: row["value"] for row in rows(cursor)}


def extra_tiebreaks(tournament: Tournament) -> list[str]:
    """Return the tie-breaks in use that are not already a column of the standings."""
    return tournament.scalars("extra_tiebreaks")


def values_count(tournament: Tournament) -> bool:
    """Return whether the values of players bring points; in a Swiss they do not."""
    row = tournament.scalar("values_count")
    return row is not None


def settling_message(tournament: Tournament, number: int) -> Message | None:
    """Return a message if the values of standings did not converge, else None.

    Then they repeat in a cycle, or the passes of rules.max_passes were too few.
    """
    row = tournament.run("cycle_of_values", round=number).fetchone()
    if row is None:
        return None
    cycle, cycle_takes = row
    if not cycle:  # 0: there were too few passes
        return say("the values did not converge within rules.max_passes passes")
    if cycle_takes == "values":
        return say(
            "the values repeat with period {period}: the mean of each is in force",
            period=cycle,
        )
    return say(
        "the standings repeat with period {period}: each score is the mean of theirs",
        period=cycle,
    )
