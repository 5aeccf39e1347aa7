"""The rules of a tournament as KEY=VALUE: rows of tables rules and scoring.

Keys are the columns of `rules`; a kind of `scoring` for its factor, and
KIND.COLUMN for its other columns; `name` and `status` of the tournament. What
each means and may be stands beside the column in schema.sql.
"""

import re
import sqlite3
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple

from keizer import resources, texts
from keizer.errors import KeizerError
from keizer.messages import term
from keizer.season.names import spelling
from keizer.season.people import roster
from keizer.season.queries import Conn, File, Record, Tournament
from keizer.store import tiebreaks
from keizer.store.connection import error_message

Value = str | float | None

# The points of a player by kind: what wins, draws, byes and so on bring to their score.
Points = dict[str, float]

# The columns of table tournament that people change as rules, by key.
_TOURNAMENT = {"name": "description", "status": "status"}
# The columns that the list of rules has even if they have their defaults.
_ALWAYS_LISTED = {"factor", "ladder", "top_value", "recalculation", "step"}
# The columns that hold the name of a kind.
_COLUMNS_OF_KINDS = {"counts_with", "instead"}
# The words that people type for a value, in any column but those of texts.
_WORDS = {"none": None, "": None, "yes": 1, "no": 0}
# The columns that hold a share, which people may type as 50 % or half.
_SHARES = {"factor", "withdrawn_factor", "percentage_floor"}
_PER_CENT = re.compile(r"(\d{1,6}(?:\.\d{1,6})?) ?%")


class Rule(NamedTuple):
    """A rule: its key, and its value as stored; None is written as `none`."""

    key: str
    value: Value

    def __str__(self) -> str:
        value = "none" if self.value is None else self.value
        return f"{self.key}={value}"


class Move(NamedTuple):
    """The effect of a change of rules on a player in the current standings."""

    player_id: int
    name: str
    rank_before: int
    rank: int
    score_before: float
    score: float
    why: Points
    """The difference in points by kind, such as {"win": 12.0, "own value": -1.0}.

    The greatest difference comes first, whether more points or less.
    """


class _Place(NamedTuple):
    """The place in the file where a rule is stored: a column of one row of a table."""

    table: str
    column: str
    where: str
    """The condition that selects the row, in SQL with parameters."""
    identity: tuple[int | str, ...]
    """The values of these parameters: the id of the tournament, perhaps a kind."""
    default: Value
    """The default of the column in schema.sql; None if it has none."""


def _default_values(conn: Conn, table: str, not_rules: set[str]) -> dict[str, Value]:
    """Return the default of each column of a table that holds a rule.

    not_rules: the other columns of the table, which are left out.
    """
    columns = File(conn).run("columns_with_defaults", table=table).fetchall()
    expressions = {
        column: expression for column, expression in columns if column not in not_rules
    }
    # SQLite gives defaults as the schema writes them, such as 'top' with its quotes. So
    # SQLite itself has to turn them into values.
    sql_values = ", ".join(expressions.values())
    (defaults,) = conn.execute(f"SELECT {sql_values}")
    return dict(zip(expressions, defaults, strict=True))


def places(tournament: Tournament) -> dict[str, _Place]:
    """Return the place where each rule is stored, by the key of the rule.

    Rules have three kinds of places. Name and status are in table tournament. The rules
    of the whole tournament are the columns of table rules. Table scoring has a row for
    each kind that can bring points, such as win, with the keys win and win.fixed.
    """
    conn = tournament.conn
    by_key = {}
    for key, column in _TOURNAMENT.items():
        by_key[key] = _Place(
            table="tournament",
            column=column,
            where="id = ?",
            identity=(tournament.id,),
            default=None,
        )
    defaults = _default_values(conn, "rules", {"tournament_id"})
    for column, default in defaults.items():
        by_key[column] = _Place(
            table="rules",
            column=column,
            where="tournament_id = ?",
            identity=(tournament.id,),
            default=default,
        )
    not_rules = {"id", "tournament_id", "kind", "applies_to"}
    defaults_of_kinds = _default_values(conn, "scoring", not_rules)
    for kind in tournament.scalars("kinds"):
        for column, default in defaults_of_kinds.items():
            key = kind_as_key(kind)
            if column != "factor":  # the key of a factor is the kind alone
                key += f".{column}"
            by_key[key] = _Place(
                table="scoring",
                column=column,
                where="tournament_id = ? AND kind = ?",
                identity=(tournament.id, kind),
                default=default,
            )
    return by_key


def kind_as_key(kind: str) -> str:
    """Return the name of a kind as the keys of its rules have it: `club-duty`."""
    return kind.replace(" ", "-")


def _read_rule(conn: Conn, key: str, place: _Place) -> Rule:
    """Return a rule as the file has it now."""
    query = f"SELECT {place.column} FROM {place.table} WHERE {place.where}"
    return Rule(key, File(conn).scalar(query, *place.identity))


def list_rules(tournament: Tournament, *, with_defaults: bool = True) -> list[Rule]:
    """Return the rules of the tournament, as stored.

    with_defaults: whether to return all rules. Else rules that have their default are
    left out, except for the few in `_ALWAYS_LISTED`, which everybody wants to see.
    """
    rules = []
    for key, place in places(tournament).items():
        rule = _read_rule(tournament.conn, key, place)
        is_default = rule.value == place.default
        if with_defaults or not is_default or place.column in _ALWAYS_LISTED:
            rules.append(rule)
    return rules


def _plain_key(key: str) -> str:
    """Return a key for comparing, so that Club_Duty.Fixed is found as club-duty.fixed.

    Capitals do not count, nor whether a hyphen, an underscore or a space is typed.
    """
    base, dot, column = key.partition(".")
    plain_column = column.strip().casefold().replace("-", "_")
    return spelling.parse_kind(base) + dot + plain_column


def _parse_value(place: _Place, typed: str) -> Value:
    """Return the value that was typed for a rule, as the file stores it.

    Only the spelling is changed: the file itself refuses what a rule cannot be.
    """
    column = place.column
    if place.table == "tournament":
        return spelling.tidy(typed)
    if column == "tiebreaks":
        return tiebreaks.spell(typed)
    # A comma may be the point of a decimal fraction: 0,5.
    plain = " ".join(typed.replace(",", ".").casefold().split())
    if plain in _WORDS:
        return _WORDS[plain]
    if column in _SHARES:
        return _parse_share(plain)
    if column in _COLUMNS_OF_KINDS:
        return spelling.parse_kind(plain)
    if column == "categories":
        # The value is a list of names: their capitals stay, and the commas.
        plain = ",".join(map(spelling.tidy, typed.split(",")))
    elif column == "top_value" and not plain.startswith("ratio"):  # ratio 2 has a space
        plain = plain.replace(" ", "")
    return plain


def _parse_share(plain: str) -> str:
    """Return a share as the file stores it: 0.5 for 50 %, 1/2 for half.

    Return any other text as it is. plain: what was typed, in small letters.
    """
    per_cent = _PER_CENT.fullmatch(plain)
    if per_cent:
        share_of_one = Decimal(per_cent[1]) / 100
        return f"{share_of_one:f}"
    words_by_share: dict[str, list[str]] = resources.table(__file__, "words.toml")[
        "shares"
    ]
    for share, words in words_by_share.items():
        if plain in words:
            return share
    return plain


def change(tournament: Tournament, setting: str) -> Rule:
    """Store one rule, and return it as the file then has it.

    setting: the rule as typed, KEY=VALUE.
    Raises KeizerError for an unknown key, and for a value that the file refuses.
    """
    typed_key, equals, typed_value = setting.partition("=")
    if not equals:
        raise KeizerError("“{typed}” is not a rule; write KEY=VALUE.", typed=setting)
    known = places(tournament)
    key = _find_key(typed_key, known)
    if key == "status":
        raise KeizerError("`keizer finish DB` closes a season, and opens it again.")
    place = known[key]
    value = _parse_value(place, typed_value.strip())
    try:
        # A tie-break may need triggers that the file does not have yet: this adds them
        # before the standings are computed again.
        with tiebreaks.exchanging_triggers(tournament.conn, tournament.id, key):
            tournament.conn.execute(
                f"UPDATE {place.table} SET {place.column} = ? WHERE {place.where}",
                (value, *place.identity),
            )
    except sqlite3.IntegrityError as error:
        why = error_message(error)
        if key == "tiebreaks" and _refuses_item_of_list(error, str(value)):
            # This message is better than that of the file: it says which item is wrong.
            why = tiebreaks.explain_refusal(tournament.conn, str(value))
        raise KeizerError(
            "{key}={value} was refused: {why}",
            key=key,
            value=spelling.shortened(typed_value.strip()),
            why=why,
        ) from error
    return _read_rule(tournament.conn, key, place)


def _refuses_item_of_list(error: sqlite3.IntegrityError, listed: str) -> bool:
    """Return whether the file refused a list of tie-breaks because of one of its items.

    It may have refused the list for something else, such as its length.
    error: the refusal of the file. listed: the list, such as "score,bh-c1,rating:asc".
    """
    # An item without a name, as in "score,,wins"; or nothing at all was typed.
    if "" in listed.split(","):
        return True
    # If a name or a direction is unknown, or a name is in the list twice, the refusal
    # mentions the table of known names.
    return "table tiebreak" in str(error)


def _find_key(typed: str, known: Iterable[str]) -> str:
    """Return the key that somebody means, in whatever spelling they typed it.

    Example: the key club-duty for Club_Duty.Factor.
    A key that is not known raises KeizerError, with all known keys.
    """
    if typed in known:
        return typed
    # The key of a kind's factor is the kind alone, club-duty. Its other rules have keys
    # such as club-duty.fixed, so that people may type club-duty.factor as well.
    plain = _plain_key(typed).removesuffix(".factor")
    key_by_plain_key = {_plain_key(key): key for key in known}
    if plain in key_by_plain_key:
        return key_by_plain_key[plain]
    columns_of_kinds = {key.partition(".")[2] for key in known if "." in key}
    raise KeizerError(
        "there is no rule “{typed}”; the rules are {rules}, and for a kind {parts}.",
        typed=typed.strip(),
        rules=[key for key in known if "." not in key],
        parts=[f"KIND.{column}" for column in sorted(columns_of_kinds)],
    )


def add_kind(tournament: Tournament, name: str) -> str:
    """Add a kind of unplayed round that is worth nothing yet; return its stored name.

    Raises KeizerError if the name is taken or has other signs than letters and digits.
    """
    kind = spelling.parse_kind(name)
    if kind in tournament.scalars("kinds"):
        raise KeizerError(
            "the tournament already has a kind “{kind}”.", kind=term(kind)
        )
    # Of a kind with the name of a rule, the key would be that of the rule.
    rule_names = {_plain_key(key) for key in places(tournament) if "." not in key}
    if kind in rule_names:
        raise KeizerError(
            "“{typed}” is the name of a rule; choose another name.", typed=kind
        )
    is_allowed = all(letter.isalpha() or letter in "0123456789 " for letter in kind)
    if not kind or not is_allowed:
        raise KeizerError(
            "“{typed}” is not a name for a kind; use letters, digits and spaces.",
            typed=name,
        )
    tournament.insert("scoring", tournament_id=tournament.id, kind=kind)
    return kind


def history(tournament: Tournament) -> list[Record]:
    """Return the changes of rules after the first round, the earliest change first.

    Their columns are round_number, rule, before, after and changed_at.
    """
    return tournament.records("rule_history")


# -------------------------------------------------------- in the club's words


Values = dict[str, Any]
"""The rules by key, as stored."""

# A question as questions.toml has it, or as `RulePage.questions_about` fills it in.
Question = dict[str, Any]


def questions() -> dict[str, Question]:
    """Return the questions that a club is asked about its rules, by a short name.

    A question comes with the answers that a club can choose from. The page of the rules
    has a sentence for each answer, in templates/said.html.
    """
    table = resources.table(__file__, "questions.toml")
    # This one table of the file is not a question: see `headings`.
    return {name: question for name, question in table.items() if name != "headings"}


def headings() -> dict[str, list[str]]:
    """Return the headings below which a page lists all rules: {"Rounding": ["halves"]}.

    Each has the keys of the rules below it.
    """
    by_heading: dict[str, list[str]] = resources.table(__file__, "questions.toml")[
        "headings"
    ]
    return by_heading


class RulePage:
    """The rules of a tournament as pages show them: as questions, and their changes.

    current_rules: the rules of today, by key; `holds` compares some with these.
    questions_about: the questions that are asked about rules.
    changes: the changes of rules in the season, with all rules before and after each.
    """

    def __init__(self, tournament: Tournament) -> None:
        """Read the rules of today and their history from the file."""
        self.current_rules: Values = dict(list_rules(tournament))
        """The rules of today, by key."""
        self.kinds = roster.unplayed_kinds(tournament)
        """The names of all kinds of unplayed rounds."""
        titles = tournament.conn.execute("SELECT name, title FROM tiebreak")
        self.titles = dict(titles.fetchall())
        """The titles of the tie-breaks, by name."""
        self.changes: list[tuple[int, Values, Values]] = []
        """The round of each change of a rule, and all rules before and after it.

        The last change comes first.
        """
        # The file has the rules of today and what was changed. So the rules before each
        # change are worked out backwards, from the last change to the first.
        after = self.current_rules
        for entry in reversed(history(tournament)):
            before = after | {entry["rule"]: _value_of_text(entry["before"])}
            self.changes.append((entry["round_number"], before, after))
            after = before

    def holds(self, settings: str) -> bool:
        """Return whether all of these rules are in force today.

        A page marks the answer of the club in this way: an answer sets such rules.
        settings: KEY=VALUE, one in each line.
        """
        for setting in settings.split("\n"):
            key, value = setting.split("=")
            if str(self.current_rules.get(key)) != value:
                return False
        return True

    def questions_about(self, values: Values) -> list[Question]:
        """Return the questions about these rules, as `_fill_in` makes them.

        values: the rules by key. Their system decides which questions suit them: those
        of a Swiss tournament, or those of a Keizer tournament.
        The question about unplayed rounds comes once for each kind of unplayed round.
        """
        suitable = []
        for name, question in questions().items():
            # A question that names no system belongs to every system.
            if "system" in question and question["system"] != values["system"]:
                continue
            if name == "unplayed":
                suitable += [_fill_in(question, name, kind) for kind in self.kinds]
            else:
                suitable.append(_fill_in(question, name, kind=""))
        return suitable


def _fill_in(question: Question, name: str, kind: str) -> Question:
    """Return a question of questions.toml for a page, with a kind filled in.

    name: the name of the question in questions.toml.
    kind: the kind of unplayed round that it is about, which takes the place of KIND in
    the keys of rules; "" for a question that is not about a kind.
    The result has all that the question has in questions.toml, with these values:
    says       the name of the question whose sentence in said.html this one shares
    name       a name that no other question of the page has, such as
               unplayed-club-duty; without a kind it ends in the hyphen: values-
    kind_key   the kind as in keys of rules: club-duty
    kind_name  the kind as the file has it: club duty
    fields     the fields for the answer, each with the rules that it sets
    title      the question itself; some kinds have a title of their own in `titles`
    tells      the keys of the rules that the sentence is about
    """
    kind_in_keys = kind_as_key(kind)
    fields = []
    for field in question["fields"]:
        filled_field = dict(field)
        # Both may have KIND in a key: `name` is a key, `setting` has lines KEY=VALUE.
        for part in ("name", "setting"):
            if part in field:
                filled_field[part] = field[part].replace("KIND", kind_in_keys)
        fields.append(filled_field)
    titles_by_kind = question.get("titles", {})
    return question | {
        # Most questions have a sentence of their own, with the name of the question.
        "says": question.get("says", name),
        "name": f"{name}-{kind_in_keys}",
        "kind_key": kind_in_keys,
        "kind_name": kind,
        "fields": fields,
        "title": titles_by_kind.get(kind, question["title"]),
        "tells": {rule.replace("KIND", kind_in_keys) for rule in question["tells"]},
    }


def _value_of_text(text: str | None) -> Any:
    """Return the value of a rule from its text in the history of rules.

    The history has all values as texts. The text of any number, also inf and nan,
    becomes a float: "3" becomes 3.0, which equals the 3 of the rule itself. Any other
    text stays as it is, and so does None.
    """
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text


# ------------------------------------------------------ what a change would do


class Standing(NamedTuple):
    """A player in the standings.

    points_by_kind: the points that make up the score: {"win": 88.0, "bye": 30.0}.
    """

    name: str
    rank: int
    score: float
    points_by_kind: Points


Standings = dict[int, Standing]
"""The standings by player.id."""


def standings(tournament: Tournament) -> Standings:
    """Return the current standings by player.id."""
    points_by_player: dict[int, Points] = {}
    round_number = tournament.now.current_round
    for player, kind, points in tournament.run("points_by_kind", round=round_number):
        points_of_player = points_by_player.setdefault(player, {})
        points_of_player[kind] = points
    return {
        player: Standing(
            name=name,
            rank=rank,
            score=score,
            points_by_kind=points_by_player.get(player, {}),
        )
        for player, name, rank, score in tournament.run("current_standings")
    }


def moves(before: Standings, after: Standings) -> Iterable[Move]:
    """Yield the effect of a change of rules on each player whose rank or score differs.

    before, after: the standings with the old and with the new rules. The players come
    in the order of their new ranks. Whoever is in only one of the two is left out.
    """
    players = before.keys() & after.keys()
    for player in sorted(players, key=lambda player: after[player].rank):
        old = before[player]
        new = after[player]
        if (new.rank, new.score) == (old.rank, old.score):
            continue
        yield Move(
            player_id=player,
            name=new.name,
            rank_before=old.rank,
            rank=new.rank,
            score_before=old.score,
            score=new.score,
            why=_points_differences(old.points_by_kind, new.points_by_kind),
        )


def _points_differences(old: Points, new: Points) -> Points:
    """Return the difference in points by kind, the greatest difference first.

    More points and less points count alike in this order. Differences that would be
    shown as 0 are left out.
    """
    differences = {}
    # Equal differences come in alphabetical order: sorting by size, below, leaves them
    # in the order of this loop.
    for kind in sorted(old.keys() | new.keys()):
        points = new.get(kind, 0) - old.get(kind, 0)
        if texts.shown(abs(points)) != "0":
            differences[kind] = points
    by_size = sorted(
        differences.items(), key=lambda difference: abs(difference[1]), reverse=True
    )
    return dict(by_size)
