"""A season as facts, from a report or from a Keizer file.

What the lines of the format say by themselves is `said`; the rest is in comment
lines, `### keizer: WORD {JSON}`. Both directions share `said`: export writes as
comments what a reader could not know without them, so what is read back is what
was written. docs/formats.md has the words.
"""

import json
import re
from dataclasses import dataclass, field

from keizer.formats.trf.columns import Line
from keizer.formats.trf.report import BLANK, Byes, Cell, Header, Other, Player, Report
from keizer.season import names

Value = str | int | float | None
Row = dict[str, Value]
Key = tuple[int, ...]

MARK = "### keizer: "

HEADER = {
    "012": "description",
    "022": "city",
    "032": "federation",
    "102": "arbiter",
    "122": "time_control",
}
"""Lines about the tournament, and the columns they hold."""

WHOLE = ("rules", "scoring", "period", "personal", "correction", "inner_group", "apart", "coming",
         "relaxation", "passed_over")  # fmt: skip
"""Tables of which TRF knows nothing: every row is a comment."""

RESULTS = {"1-0": "10", "0-1": "01", "½-½": "==", "0-0": "00", "+-": "+-", "-+": "-+", "--": "--"}
"""What White and Black have in their lines."""

KINDS = {"U": "bye", "F": "bye", "+": "bye", "H": "excused", "=": "excused", "Z": "excused",
         "-": "unexcused"}  # fmt: skip
"""What a round without an opponent is taken as."""

KEYS = {
    "tournament": (),
    "player": ("number",),
    "entry": ("number",),
    "schedule": ("round",),
    "game": ("round", "white", "black"),
    "unplayed": ("round", "player"),
}
"""Comments that add to what the lines say, and by what a row goes."""

# A blank, which FIDE takes for 0000 - Z: nothing for either.
_BLANK = ("adj", "void")
_OVER_THE_BOARD = {"W": "1", "D": "=", "L": "0"}
_INTEGERS = 2**63
_HIGHEST_ID = 2**31
_TITLES = {"G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM",
           "WC": "WCM"}  # fmt: skip
_FEDERATION = re.compile("[A-Z]{3}")
_SEPARATORS = re.compile(r"[/.-]")
_1900S = 70


@dataclass
class Fact:
    """A row that is to be written, and the line of the file it is from."""

    row: Row = field(default_factory=dict)
    line: int = field(default=0, compare=False)


@dataclass
class Facts:
    """A season: rows by their keys (see KEYS), players in the order of registration."""

    tournament: dict[Key, Fact] = field(default_factory=dict)
    player: dict[Key, Fact] = field(default_factory=dict)
    entry: dict[Key, Fact] = field(default_factory=dict)
    schedule: dict[Key, Fact] = field(default_factory=dict)
    game: dict[Key, Fact] = field(default_factory=dict)
    unplayed: dict[Key, Fact] = field(default_factory=dict)
    whole: list[tuple[str, Fact]] = field(default_factory=list)
    """Rows of the tables in WHOLE."""


def is_keizer(report: Report) -> bool:
    """Whether the report has comment lines of keizer."""
    return any(other.text.startswith(MARK) for other in report.other)


# ------------------------------------------------- what the format says by itself


def said(report: Report) -> Facts:
    """The facts in the lines of the format, comments apart."""
    facts = Facts()
    facts.tournament[()] = _tournament(report)
    for number, date in enumerate(report.dates, 1):
        if date:
            century = "19" if int(date[:2]) >= _1900S else "20"
            row: Row = {"date": century + date.replace("/", "-")}
            facts.schedule[number,] = Fact(row, report.dates_line)
    players = {player.number: player for player in report.players}
    announced = _announced(report)
    for player in report.players:
        rounds = {n: cell for n, cell in enumerate(player.rounds, 1) if cell != BLANK}
        byes = {n: fact for (n, number), fact in announced.items() if number == player.number}
        first = min(rounds.keys() | byes.keys(), default=report.rounds() + 1)
        facts.player[player.number,] = Fact(_player(player), player.line)
        entry: Row = {"rating": player.rating or None, "first_round": first, "last_round": None}
        facts.entry[player.number,] = Fact(entry, player.line)
        for number, cell in rounds.items():
            if cell.opponent:
                _game(facts, number, player, cell, players[cell.opponent].round(number))
            else:
                kind: Row = {"kind": KINDS[cell.result]}
                facts.unplayed[number, player.number] = Fact(kind, player.line)
        blank = range(first, report.rounds() + 1) if not is_keizer(report) else ()
        for number in {*blank, *byes} - rounds.keys():
            fact = byes.get(number, Fact({"kind": "excused"}, player.line))
            facts.unplayed[number, player.number] = fact
    return facts


def _announced(report: Report) -> dict[tuple[int, int], Fact]:
    """By round and player: who has said before that he does not come."""
    return {
        (record.round, number): Fact({"kind": KINDS[record.kind]}, record.line)
        for record in report.records
        if isinstance(record, Byes) and not report.has_teams()
        for number in record.players
    }


def _tournament(report: Report) -> Fact:
    row: Row = {
        column: names.tidy("".join(report.values(code))) or None for code, column in HEADER.items()
    }
    if not _FEDERATION.fullmatch(str(row["federation"])):
        row["federation"] = None  # the name of a website, say
    return Fact(row)


def header(tournament: Row) -> list[Header]:
    """The header lines that say as much of a tournament as the format can."""
    return [
        Header(code, printable(str(tournament[column])))
        for code, column in HEADER.items()
        if tournament[column] is not None
    ]


def printable(text: str) -> str:
    """A text as a line of the format can have it."""
    return names.tidy("".join(letter if letter.isprintable() else " " for letter in text))


def _player(player: Player) -> Row:
    year, *rest = _SEPARATORS.split(player.born)
    born = year if "00" in rest else "-".join((year, *rest))
    return {
        "name": names.tidy(player.name),
        "rating": player.rating or None,
        "fide_id": player.fide_id or None,
        "title": _TITLES.get(player.title, player.title) or None,
        "federation": player.federation or None,
        "sex": player.sex or None,
        "born": born if year > "0999" else None,
    }


def born(stored: Value) -> str:
    """A date of birth as the format has it."""
    if not isinstance(stored, str):
        return ""
    return f"{stored}/00/00" if "-" not in stored else stored.replace("-", "/")


def _game(facts: Facts, number: int, player: Player, cell: Cell, theirs: Cell) -> None:
    """A game, said once: by White, or of a forfeit without colours by the first of both."""
    if cell.colour == "b" or (cell.colour == "-" and cell.opponent < player.number):
        return
    sides = "".join(_OVER_THE_BOARD.get(result, result) for result in (cell.result, theirs.result))
    result = next((result for result, cells in RESULTS.items() if cells == sides), None)
    facts.game[number, player.number, cell.opponent] = Fact({"result": result}, player.line)


# ------------------------------------------------------------- the comment lines


def comments(facts: Facts, known: Facts) -> list[Other]:
    """The comment lines that say the facts to a reader who has the `known` ones."""
    lines = [_comment(table, fact.row) for table, fact in facts.whole]
    for word, keys in KEYS.items():
        old = getattr(known, word)
        for key, fact in getattr(facts, word).items():
            said_before = old[key].row if key in old else None
            news = {
                column: value
                for column, value in fact.row.items()
                if value != (said_before or {}).get(column)
            }
            if news or said_before is None:
                lines.append(_comment(word, dict(zip(keys, key, strict=True)) | news))
    return [Other(line) for line in lines]


def _comment(word: str, row: Row) -> str:
    return f"{MARK}{word} {json.dumps(row, ensure_ascii=False)}"


def amended(report: Report) -> Facts:
    """The facts in a report: what the lines say, and the comment lines of keizer.

    Raises KeizerError, with the number of the line, for a comment that is not
    understood or contradicts the lines.
    """
    facts = said(report)
    registered: dict[Key, Fact] = {}
    for other in report.other:
        if not other.text.startswith(MARK):
            continue
        line = Line(other.line, other.text)
        word, row = _read(line)
        if word in WHOLE:
            facts.whole.append((word, Fact(row, line.number)))
            continue
        key = _key(line, KEYS[word], row)
        if word == "game":
            _agrees(line, facts, key, row)
        if word in ("player", "entry") and key not in facts.player:
            raise line.wrong(f"{key[0]} is not the start number of a player: lines 001 have those.")
        fact = getattr(facts, word).setdefault(key, Fact())
        fact.row |= row
        fact.line = line.number
        if word == "player":
            registered[key] = fact
    facts.player = registered | facts.player
    return facts


def _read(line: Line) -> tuple[str, Row]:
    word, _, body = line.text.removeprefix(MARK).partition(" ")
    if word not in KEYS and word not in WHOLE:
        raise line.wrong(f"“{word}” is no comment that this keizer knows: use a newer one.")

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        row = json.loads(body, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise line.wrong("what follows is not a JSON object.") from error
    if not isinstance(row, dict):
        raise line.wrong("what follows is not a JSON object.")
    for column, value in row.items():
        if isinstance(value, bool | list | dict) or (
            isinstance(value, int) and abs(value) >= _INTEGERS
        ):
            raise line.wrong(f"“{column}” is neither a text nor a number.")
    if not _encodable(row):
        raise line.wrong("an escape such as \\ud800 is half a character: write the character.")
    number = row.get("id", 1) if word == "player" else 1
    if not isinstance(number, int) or not 1 <= number <= _HIGHEST_ID:
        raise line.wrong(f"the id “{number}” is not a whole number from 1 to {_HIGHEST_ID}.")
    return word, {
        column: names.tidy(value) if isinstance(value, str) else value
        for column, value in row.items()
    }


def _encodable(row: Row) -> bool:
    """Whether all of it can be written: JSON has escapes for what is no character."""
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _key(line: Line, keys: tuple[str, ...], row: Row) -> Key:
    found = []
    for name in keys:
        value = row.pop(name, None)
        if not isinstance(value, int):
            raise line.wrong(f"“{name}” is missing or not a whole number.")
        found.append(value)
    return tuple(found)


def _agrees(line: Line, facts: Facts, key: Key, row: Row) -> None:
    """A game without lines of the format is open, adjourned or void; with them it has a result."""
    there = key in facts.game
    if there and "result" in row:
        raise line.wrong("the players' lines have another result: change it there.")
    if not there and row.get("result") not in (None, *_BLANK):
        raise line.wrong("the players' lines do not have this game: add it there.")
