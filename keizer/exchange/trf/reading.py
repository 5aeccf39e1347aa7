"""Read a tournament report file: bytes in, a `Report` out.

Line ends may be CR, LF or CRLF; the text UTF-8, with or without byte order
mark, or else Windows-1252. What is wrong is an error with the number of its line, never
a guess, or a note where no result, opponent, player or rating hangs on it. In a report that
passes opponents name each other with opposite colours and results that fit; whether each player's
points are the sum of their rounds is asked by `disagreeing`.
"""

import re
import unicodedata
from codecs import BOM_UTF8
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from keizer.exchange.trf import report as layout
from keizer.exchange.trf.report import (
    BLANK,
    BYES,
    FORMAT,
    RECORDS,
    Bye,
    Cell,
    Line,
    Player,
    Report,
)
from keizer.formats import limits, parsing
from keizer.formats.notes import Notes
from keizer.messages import Message, listed, plural, say
from keizer.season.tournaments import ROUNDS

_RESULTS = frozenset("1=0WDL+-UFHZ ")
_LETTERS = re.compile(r"[A-Z]{3}")
_UNPRINTABLE = frozenset(["Cc", "Cs", "Zl", "Zp"])
_ONCE = {code for code in RECORDS if code[0] in "01"} - {"001", "013", "112", "132"}
_NUMBERS = {
    "rating": (say("the rating"), 9999),
    "fide_id": (say("the FIDE number"), 10**11),
    "rank": (say("the rank"), 9999),
}
"""What those that may be left out are called, and the highest there is."""
_SEXES = {"m": "m", "w": "w", "f": "w", "v": "w"}
_NOT_BORN = re.compile(r"[0 ./-]*|1900\D01\D01", re.ASCII)
"""How programs say that they do not know when."""
_FORMS = {
    "sex": ("[mw]", say("column 10 is m or w, not “{typed}”.")),
    "title": ("[A-Z]+", say("“{typed}” is no title, such as GM or WIM.")),
    "federation": ("[A-Z]{3}", say("“{typed}” is no federation of three letters.")),
    "born": ("", say("the birth date “{typed}” is not YYYY/MM/DD.")),
}
_ENDS = re.compile(rb"\r\n|\r|\n")
_TOGETHER = {
    frozenset(pair) for pair in ("10", "==", "00", "WL", "DD", "LL", "+-", "--", "  ")
}
USUAL: dict[str, int] = FORMAT["usual"]
"""What rounds bring in tenths, in the words of JaVaFo's XXS."""
SHORT: dict[str, list[str]] = FORMAT["symbols"]
"""Which of these a symbol of line 162 is about."""
_TEAMS = {"013", "310"}
_SIGNS = FORMAT["signs"]


def parse(data: bytes) -> Report:
    """The report in a file.

    Raises KeizerError with a line number for a line that is not understood, and
    where lines contradict each other.
    """
    report, rounds = Report(), 0
    for line in _lines(data, report.notes):
        code = line.text[:3]
        if code == "###" or layout.is_ruler(line.text):
            continue
        if code not in RECORDS and not _LETTERS.fullmatch(code):
            said = say("“{code}” is no record of TRF16 or TRF26.", code=code)
            if len(line.text) > layout.PLAYER["name"].last:  # then it may be a player
                raise line.wrong(said)
            report.notes.add(line.left_out(said))
            continue
        _check_characters(line)
        if code in _ONCE and code in report.lines:
            raise line.wrong("there is a second line {code}.", code=code)
        report.lines[code] = line
        if code == "001":
            report.players.append(_player(line, report.notes))
            rounds = max(rounds, len(report.players[-1].rounds))
            with line.naming():
                count = len(report.players)
                last = rounds if rounds in ROUNDS else 0  # else it is told below
                limits.check(players=count, games=count * rounds // 2, rounds=last)
        elif code == "132":
            _dates(line, report)
        elif code == "240":
            report.byes += _byes(line)
            with line.naming():
                limits.check(games=len(report.byes))
        elif code in ("162", "XXS", *FORMAT["bbp"]):
            _scale(line, report.tenths)
    _check(report)
    return report


def _lines(data: bytes, notes: Notes) -> Iterator[Line]:
    """Return the lines that have text; of the first that is not UTF-8 there is a note."""
    is_noted = False
    limits.check(rows=max(data.count(b"\n"), data.count(b"\r")))
    for number, line in enumerate(_ENDS.split(data.removeprefix(BOM_UTF8)), 1):
        with layout.Placed(line=number).naming():
            if len(line) > limits.LINE:
                raise limits.too_large(limits.LINE)
            text = parsing.decoded(line).rstrip(" \t")
        if not (is_noted or parsing.is_utf_8(line)):
            notes.add(layout.Placed(line=number).wrong(parsing.guessed(text)).message)
            is_noted = True
        if text:
            yield Line(text, line=number)


def _check_characters(line: Line) -> None:
    """Refuse a line whose code is not followed by a blank and printable text."""
    behind = line.text[3:4]
    if behind not in ("", " ", "\t"):
        raise line.wrong("column 4 has “{sign}” and should be blank.", sign=behind)
    tab = line.text[:1].isalpha()
    for character in "" if line.text.isprintable() else line.text:
        if unicodedata.category(character) in _UNPRINTABLE and not (
            tab and character == "\t"
        ):
            raise line.wrong(
                "the character {sign} cannot be printed.", sign=ascii(character)
            )


def _dates(line: Line, report: Report) -> None:
    """Note the dates of a line: in FIDE's columns, all as far beside them, or at equal distances.

    At other distances than FIDE's they are of round 1, 2, ..., also in several lines.
    """
    found, step = [*re.finditer(r"\S+", line.text[3:])], layout.DATES.step
    # Up to five before it.
    starts = [date.start() + 9 - layout.DATES.first for date in found]
    right, numbers = True, [1 + start // step for start in starts]
    if (
        report.dates
        or len({start % step for start in starts}) > 1
        or min(starts, default=0) < 0
    ):
        right = len({after - before for before, after in pairwise(starts)}) <= 1
        numbers = [len(report.dates) + index for index in range(1, len(found) + 1)]
    texts = [("19" if date[0] >= "70" else "20") + date[0] for date in found]
    days = [parsing.born(text[-len("2026/01/09") :]) or "" for text in texts]
    if right and all(len(day) == len("2026-01-09") for day in days):
        report.dates |= dict(zip(numbers, days, strict=True))
    else:
        report.notes.add(
            line.left_out("not all dates are YY/MM/DD and in their columns.")
        )


def _scale(line: Line, tenths: dict[str, int]) -> None:
    """Note what a line says that results bring."""
    code = line.text[:3]
    if code == "162":
        line.fields({}, layout.SYMBOLS)
        said = [(text[0], text[1:]) for text in line.several(layout.SYMBOLS)]
    elif code == "XXS":
        said = [
            (word.partition("=")[0], word.partition("=")[2])
            for word in line.text[3:].split()
        ]
    else:
        said = [(FORMAT["bbp"][code], line.text[3:])]
    for symbol, points in said:
        if symbol not in SHORT and symbol not in USUAL:
            raise line.wrong("“{symbol}” is no symbol for points.", symbol=symbol)
        brings = line.tenths(points.strip(" "))
        tenths |= dict.fromkeys(SHORT.get(symbol, (symbol,)), brings)
        if symbol == "W" and code != "XXS":
            tenths.setdefault("PAB", brings)


def _byes(line: Line) -> list[Bye]:
    fields = line.fields(layout.BYE, layout.BYE_PLAYERS)
    if fields["kind"] not in tuple("FHZ"):
        raise line.wrong("“{typed}” is not one of F H Z.", typed=fields["kind"])
    number = line.whole(say("the round"), fields["round"], 1, 999)
    players = map(line.start_number, line.several(layout.BYE_PLAYERS))
    return [Bye(fields["kind"], number, player, line=line.line) for player in players]


def _player(line: Line, notes: Notes) -> Player:
    fields = line.fields(layout.PLAYER, layout.CELLS)
    values: dict[str, Any] = fields | {
        field: fields[field].upper() for field in ("title", "federation")
    }
    values["sex"] = _SEXES.get(fields["sex"].lower(), fields["sex"])
    values["born"] = "" if _NOT_BORN.fullmatch(fields["born"]) else fields["born"]
    for name, (form, said) in _FORMS.items():
        right = re.fullmatch(form, values[name]) if form else parsing.born(values[name])
        if values[name] and not right:
            notes.add(line.left_out(said.template, typed=fields[name]))
            values[name] = ""
    values["number"] = line.start_number(fields["number"])
    values["points"] = line.tenths(fields["points"]) if fields["points"] else None
    for name, (what, most) in _NUMBERS.items():
        values[name] = line.whole(what, fields[name], 0, most) if fields[name] else None
    cells = enumerate(line.several(layout.CELLS), 1)
    rounds = [_cell(line, each, text) for each, text in cells]
    while rounds and rounds[-1] == BLANK:
        rounds.pop()
    return Player(**values, rounds=tuple(rounds), line=line.line)


def _cell(line: Line, round_number: int, text: str) -> Cell:
    opponent, colour, result = text[:4].strip(" "), text[5].lower(), text[7].upper()
    if text[4] != " " or text[6] != " ":
        raise line.wrong(
            "the fields of round {number} have slipped out of their columns.",
            number=round_number,
        )
    if colour not in tuple("wb- ") or result not in _RESULTS:
        raise line.wrong(
            "round {number} has colour “{colour}” and result “{result}”: a colour is w, b or -,"
            " a result one of 1 = 0 + - W D L U F H Z.",
            number=round_number, colour=text[5], result=text[7],
        )  # fmt: skip
    met = 0
    if opponent:
        what = say("the opponent of round {number}", number=round_number)
        met = line.whole(what, opponent, 0, 9999)
    if not met and (colour not in "- " or result not in BYES + "+-= "):
        raise line.wrong(
            "round {round} has no opponent, and colour “{colour}” and result “{result}”.",
            round=round_number, colour=text[5], result=text[7],
        )  # fmt: skip
    return Cell(met, colour.replace(" ", "-"), result)


# ------------------------------------------------------------------- what has to agree


def _check(report: Report) -> None:
    """Raise KeizerError, with a line number, for the first thing that does not agree."""
    players: dict[int, Player] = {}
    for player in report.players:
        if players.setdefault(player.number, player) is not player:
            raise player.wrong(
                "the start number {number} is in the list twice.", number=player.number
            )
    _check_counts(report)
    _check_meetings(report, players)
    _check_byes(report, players)


def _check_counts(report: Report) -> None:
    """The number of players and of rounds, where the file says it."""
    players = len(report.players)
    if "062" in report.lines:
        line = report.lines["062"]
        stated = parsing.whole(line.value)
        if stated not in (None, players):
            said = plural(
                "the file says {number:,} player and has {players}.",
                "the file says {number:,} players and has {players}.",
                stated,
                players=players,
            )
            report.notes.add(line.wrong(said).message)
    if any(player.points is None for player in report.players):
        report.notes.add(
            say("some players have no points in the file, which so prove nothing.")
        )
    for line, planned in report.planned():
        if planned < report.rounds():
            raise line.wrong(
                plural(
                    "{number:,} round is fewer than the players have.",
                    "{number:,} rounds are fewer than the players have.",
                    planned,
                )
            )


def _check_meetings(report: Report, players: dict[int, Player]) -> None:
    byes: dict[int, int] = {}
    single = None if report.lines.keys() & _TEAMS else "U"
    for player in report.players:
        for number, cell in enumerate(player.rounds, 1):
            this = {"round": number, "number": player.number}
            if (
                cell.result == single
                and byes.setdefault(number, player.number) != player.number
            ):
                raise player.wrong(
                    "round {round} of {number} is a pairing-allocated bye, and {other} has one"
                    " too.",
                    **this,
                    other=byes[number],
                )
            if cell.opponent and cell.opponent not in players:
                raise player.wrong(
                    "round {round} of {number} is against {opponent}, who is not in the file.",
                    **this,
                    opponent=cell.opponent,
                )
            if cell.opponent:
                _check_sides(player, cell, players[cell.opponent], number)


def _check_sides(player: Player, cell: Cell, opponent: Player, number: int) -> None:
    """Refuse two players who do not say the same of their game."""
    theirs = opponent.round(number)
    colours, results = (
        {cell.colour, theirs.colour},
        frozenset((cell.result, theirs.result)),
    )
    right = colours == {"w", "b"} or (colours == {"-"} and results <= {"+", "-"})
    mutual = theirs.opponent == player.number and opponent is not player
    if not mutual or not right or results not in _TOGETHER:
        raise player.wrong(
            "round {round} of {number} is “{cell}”, and that of {opponent}, in line {line}, is"
            " “{theirs}”.",
            round=number, number=player.number, cell=str(cell).lstrip(),
            opponent=opponent.number, line=opponent.line, theirs=str(theirs).lstrip(),
        )  # fmt: skip


def _check_byes(report: Report, players: dict[int, Player]) -> None:
    if report.lines.keys() & _TEAMS:
        report.byes.clear()  # of teams
    known: dict[tuple[int, int], str] = {}
    for bye in report.byes:
        other = known.setdefault((bye.player, bye.round), bye.kind)
        if other != bye.kind:
            raise bye.wrong(
                "{number} has two byes in round {round}: {bye} and {other}.",
                number=bye.player, round=bye.round, bye=other, other=bye.kind,
            )  # fmt: skip
        if bye.player not in players:
            raise bye.wrong(
                "{number} is not the start number of a player.", number=bye.player
            )
        if players[bye.player].round(bye.round) not in (BLANK, Cell(0, "-", bye.kind)):
            raise bye.wrong(
                "{number} has the bye {bye} in round {round}, and something else in line"
                " {line}.",
                number=bye.player, bye=bye.kind, round=bye.round, line=players[bye.player].line,
            )  # fmt: skip


def disagreeing(report: Report) -> Iterator[Message | None]:
    """Compare the points of each player who has some with the rounds: None if they agree."""
    for player in report.players:
        possible = sums(player, report.rounds(), report.tenths)
        if player.points is None:
            continue
        if player.points in possible:
            yield None
            continue
        right = [*map(layout.points, sorted(possible))]
        yield player.wrong(
            "{number} has {points} points, and the rounds add up to {sum}.",
            number=player.number, points=layout.points(player.points), sum=listed(right, "or"),
        ).message  # fmt: skip


def sums(player: Player, rounds: int, said: dict[str, int]) -> set[int]:
    """What a player's rounds can add up to, in tenths; said: where they bring not the usual.

    One number, unless a game has no result yet: that may count or not.
    """
    tenths = USUAL | said
    total, unknown = 0, 0
    for cell in map(player.round, range(1, rounds + 1)):
        if cell.opponent and cell.result == " ":
            unknown += 1
        elif not cell.opponent or cell.result in "+-":
            total += tenths[_SIGNS["unplayed"].get(cell.result, "ZPB")]
        else:
            total += tenths[
                cell.colour.upper() + _SIGNS["played"].get(cell.result, "L")
            ]
    return {
        total + games * tenths.get("X", tenths["WD"]) for games in range(unknown + 1)
    }
