"""Rows of the public views, for one tournament and round."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from keizer.messages import Fact, Message, boards, listed, placeholder_names, say, term
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
    """Return the rows of a query as dictionaries by column.

    A whole float such as 3.0 becomes the integer 3, since SQLite computes many whole
    numbers as floats.
    cursor: of the query. fetched: its rows, if the caller has already read them from
    the cursor; by default they are read here.
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


_ROUND_COLUMNS = ("tournament_id", "round_number")
"""The columns with the tournament and the round, which the rows of all reports have."""
PLAYER = ("player_id",)
WHITE_AND_BLACK = ("white_id", "black_id")
"""The columns with the ids of the players that a row is about."""


class Report(NamedTuple):
    """A report on a round: calling it reads its rows from a public view of the file."""

    view: str
    """The name of the view. It has rows for each tournament and round."""
    ids: tuple[str, ...]
    """Columns with ids of players, which only programs get, such as white_id."""
    columns: tuple[str, ...]
    """The columns that people see."""
    order: str
    """The order of the rows: what follows ORDER BY in the query."""
    with_earlier_rounds: bool = False
    """True if the report on a round also has the rows of all earlier rounds."""
    all_columns: bool = False
    """True to read all columns of the view.

    This is needed if the rows have a message, whose template may name any column.
    """

    def __call__(
        self,
        tournament: Tournament,
        number: int,
        player: int | None = None,
        opponent: int | None = None,
    ) -> list[Row]:
        """Read the rows of a round, or only those of a player, or against an opponent.

        If the report is one `with_earlier_rounds`, read those of all rounds up to it.
        number: of the round. player, opponent: player.id, or None for everybody.
        """
        comparison = "<=" if self.with_earlier_rounds else "="
        conditions = [
            "tournament_id = :tournament",
            f"round_number {comparison} :round",
        ]
        if player is not None:
            conditions.append("player_id = :player")
        if opponent is not None:
            conditions.append("opponent_id = :opponent")
        columns = "*"
        if not self.all_columns:
            # The same column may be among the ids and the columns of a report.
            each_column_once = dict.fromkeys(
                (*_ROUND_COLUMNS, *self.ids, *self.columns)
            )
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


# The columns whose cells are words of keizer, each on a line of its own. Only these
# are translated: texts in other columns are names, or were typed by somebody.
_WORDS_COLUMNS = ("counts_as", "criterion", "kinds", "what")


def row_message(
    row: Mapping[str, Any], column: str = "sentence", template: str = "message"
) -> Fact:
    """Return the message of a row, such as a rule that was given up, to be translated.

    A row has the message twice: as a text in English, and as a template whose {names}
    stand for the cells in the columns of these names. If the template has several
    lines, each is a message, and a list of messages is returned. If it is empty, the
    text becomes the message.
    column: the name of the column with the text.
    template: the name of the column with the template.
    """
    templates = row.get(template)
    if not templates:
        return term(row[column] or "")
    messages = []
    for line in templates.split("\n"):
        facts = {name: _fact(row, name) for name in placeholder_names(line)}
        messages.append(Message(line, facts=facts))
    return messages if len(messages) > 1 else messages[0]


def _fact(row: Mapping[str, Any], name: str) -> Fact:
    """Return what {name} stands for in the message of a row.

    This is the cell in column `name`, and the word "none" if the cell is None.
    A cell in one of _WORDS_COLUMNS has one or several words of keizer, each on a line
    of its own. Of these a list is returned, with a message for each word, so that the
    words are translated.
    The cell may itself be a message whose template is in another column: for `why`,
    this is column `why_message`. Then the message is returned.
    """
    template = f"{name}_message"
    if template in row:
        return row_message(row, template=template)
    value = row[name]
    if value is None:
        return say("none")
    if name in _WORDS_COLUMNS:
        words = value.split("\n")
        return [term(word) for word in words]
    return value


def relaxation_message(row: Row, *, why: bool) -> Message:
    """Return the message of a row of view relaxations: a rule that was given up.

    why: True to add why the rule could not be kept, if the row has a reason.
    """
    if why and row["why"]:
        return say(
            "{rule}. {why}",
            rule=row_message(row),
            why=row_message(row, "why", "why_message"),
        )
    return say("{rule}.", rule=row_message(row))


def new_relaxation_message(row: Row) -> Message:
    """Return the message about a rule that a new pairing gave up.

    row: of view relaxations. If a person decided the board, the message says that this
    was done by hand. Else it says that it was unavoidable, and why.
    """
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
    all_columns=True,
)
relaxations = Report(
    view="relaxations",
    ids=WHITE_AND_BLACK,
    columns=RELAXATIONS,
    order="board NULLS LAST, rule",
    all_columns=True,
)
explanation = Report(
    view="explanation",
    ids=(*PLAYER, "opponent_id"),
    columns=EXPLANATION,
    order="kind = 'limit', played_in NULLS FIRST, kind DESC",
    all_columns=True,
)
"""The lines of a player's score after a round."""
ORDER = ("rank", "name", "above", "tiebreak", "value", "above_value", "sentence")
order = Report(
    view="order_reasons",
    ids=(*PLAYER, "above_id"),
    columns=ORDER,
    order="rank",
    all_columns=True,
)
"""Why each player of the standings is below the one directly above."""
_standings = Report(view="standings", ids=PLAYER, columns=STANDINGS, order="rank, name")
place = Report(view="standings", ids=PLAYER, columns=("rank", "score"), order="rank")
"""A player's rank and score; there is no row before the player is in the standings."""


def count_absences(tournament: Tournament) -> dict[int, list[Message]]:
    """Return how often players were absent so far, by player.id.

    A player has a message for each kind of absence: "excused 2 of 3". A player who was
    never absent is left out.
    """
    by_player: dict[int, list[Message]] = {}
    for row in tournament.run("absences_so_far"):
        messages = by_player.setdefault(row["player_id"], [])
        messages.append(_absences_message(row))
    return by_player


def _absences_message(row: sqlite3.Row) -> Message:
    """Return a message that says how often a player was absent with a kind of absence.

    A kind may have two limits: how many absences are credited in the season, and how
    many in a period. These are the messages of a player who was absent twice, once of
    that in the present period:
    - "excused 2" if there is no limit;
    - "excused 2 of 3" if the limit of the season is 3;
    - "excused 1 of 4 in the period" if the limit of the period is 4;
    - "excused 2 of 3, 1 of 4 in the period" if there are both limits.
    row: of view absences; season_cap and period_cap are the limits, or None.
    """
    counts = []
    if row["season_cap"] is not None:
        counts.append(
            say("{number} of {most}", number=row["times"], most=row["season_cap"])
        )
    if row["period_cap"] is not None:
        counts.append(
            say(
                "{number} of {most} in the period",
                number=row["in_period"],
                most=row["period_cap"],
            )
        )
    # Without a limit, the message has only the number of absences in the season.
    times = counts or row["times"]
    return say("{kind} {times}", kind=term(row["kind"]), times=times)


def presence(tournament: Tournament) -> list[Row]:
    """Return who can come to the coming round, and whether they are present, by name.

    The rows have the columns PRESENCE and player_id. Column so_far says how often the
    player was absent so far, as one text in English.
    """
    absences_so_far = count_absences(tournament)
    players = rows(tournament.run("presence"))
    for player in players:
        messages = absences_so_far.get(player["player_id"], [])
        player["so_far"] = "; ".join(map(str, messages))
    return sorted(players, key=lambda player: fold(player["name"]))


def list_rounds(tournament: Tournament) -> list[Row]:
    """Return the rounds that are paired or have a date, as rows with columns ROUNDS."""
    columns = ", ".join(ROUNDS)
    cursor = tournament.conn.execute(
        f"SELECT tournament_id, {columns} FROM rounds WHERE tournament_id = ?"
        " ORDER BY round_number",
        (tournament.id,),
    )
    return rows(cursor)


def next_date(tournament: Tournament) -> list[Message]:
    """Return a list with one message: the date of the next round.

    The list is empty if the round has no date, or the season is finished.
    """
    if tournament.now.is_finished:
        return []
    date = tournament.scalar("date_of_round", round=tournament.now.coming_round)
    if date is None:
        return []
    # {day:date} writes a date as the reader's language does. It is a message of its
    # own, since the sentence is shared with the club's page, which has a weekday there.
    day = say("{day:date}", day=date)
    return [say("Next round on {day}", day=day)]


def is_proved_best(tournament: Tournament, number: int) -> bool:
    """Return whether the engine has proved that no pairing of the round is better.

    number: of the round.
    """
    return bool(tournament.scalar("is_proved", round=number))


def ranks(tournament: Tournament) -> dict[int, tuple[int, str]]:
    """Return the standings after the last round, from the top: {7: (1, "Baker"), ...}.

    Each player, by player.id, has a rank and a name.
    """
    return {player: (rank, name) for player, rank, name in tournament.run("ranks")}


def standing_before(tournament: Tournament, number: int) -> dict[int, Row]:
    """Return the standings before a round, by which it was paired: a row by player.id.

    Column rank is the rank, score the Keizer points, and colours has a W or B for each
    game, in the order of the games. number: of the round.
    """
    standings_rows = rows(tournament.run("standing_after", round=number - 1))
    return {row["player_id"]: row for row in standings_rows}


def open_boards(tournament: Tournament, number: int) -> dict[int, list[int]]:
    """Return the boards without a result in a round and all rounds before it.

    These are board numbers by round, the latest round first: {5: [2, 7], 3: [1]}.
    number: of the round.
    """
    by_round: dict[int, list[int]] = {}
    for played_in, board in tournament.run("open_boards", round=number):
        boards_of_round = by_round.setdefault(played_in, [])
        boards_of_round.append(board)
    return by_round


def open_boards_message(tournament: Tournament, number: int) -> Message | None:
    """Return a message with the boards without a result in a round and before it.

    Boards of earlier rounds are named with their round. Return None if all boards have
    a result. number: of the round.
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
    """Return the standings after a round, from the top: a row for each player.

    Their columns are STANDINGS, and one more for each tie-break in use that is not
    among these. number: of the round.
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
    """Return the figures of players in a tie-break after a round, by player.id.

    For "de" and "mutual", only those players are included whose tie it broke. These two
    count the games between tied players, so the others have no figure.
    number: of the round. tiebreak: its name, such as "fb" for fore Buchholz.
    """
    if tiebreak in ("de", "mutual"):
        # View tiebreaks has all tie-breaks that broke a tie. Its column `name` is the
        # name of the player.
        view = "tiebreaks"
        name_column = "tiebreak"
    else:
        # Each such view has the figures of one or more tie-breaks, for all players.
        view = tournament.scalar("SELECT view FROM tiebreak WHERE name = ?", tiebreak)
        name_column = "name"
    cursor = tournament.conn.execute(
        f"SELECT player_id, value FROM {view}"
        f" WHERE tournament_id = ? AND round_number = ? AND {name_column} = ?",
        (tournament.id, number, tiebreak),
    )
    return {row["player_id"]: row["value"] for row in rows(cursor)}


def extra_tiebreaks(tournament: Tournament) -> list[str]:
    """Return the names of the tie-breaks in use that are no column in STANDINGS."""
    return tournament.scalars("extra_tiebreaks")


def values_bring_points(tournament: Tournament) -> bool:
    """Return whether scores depend on the values of players, as in a Keizer tournament.

    In a Swiss, for instance, a win brings the same number of points against everybody.
    """
    # The query has a row if so, and none if not.
    row = tournament.scalar("values_count")
    return row is not None


def values_not_converged_message(tournament: Tournament, number: int) -> Message | None:
    """Return a message if the values of players in standings did not converge.

    Values and scores depend on each other, so they are computed in passes until nothing
    changes. They may repeat in a cycle instead, or not settle within the number of
    passes that rule max_passes allows. Return None if the values did converge.
    number: of the round.
    """
    row = tournament.run("cycle_of_values", round=number).fetchone()
    if row is None:
        return None
    cycle, cycle_takes = row
    were_passes_too_few = not cycle
    if were_passes_too_few:
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
