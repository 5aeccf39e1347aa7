"""Read a tournament report file: bytes in, a `Report` out.

Line ends may be CR, LF or CRLF; the text UTF-8, with or without byte order
mark, or else Windows-1252. What is wrong is an error with the number of its line,
never a guess.
"""

import re
import unicodedata
from datetime import date
from typing import Any

from keizer.formats import limits
from keizer.formats.trf import checking, columns
from keizer.formats.trf.columns import Line, Placed, Repeat
from keizer.formats.trf.report import (
    BYES,
    RECORDS,
    TEAM_LINES,
    Cell,
    Header,
    Player,
    Record,
    Report,
    Symbols,
    without_blanks,
)

_RESULTS = frozenset("1=0WDL+-UFHZ ")
_BORN = re.compile(r"\d{4}(?:[/.-](\d\d)[/.-](\d\d))?", re.ASCII)
_DATE = re.compile(r"\d\d/(?!00)(\d\d)/(?!00)(\d\d)", re.ASCII)
_LETTERS = re.compile(r"[A-Z]{3}")
_UNPRINTABLE = frozenset(["Cc", "Cs", "Zl", "Zp"])
_ONCE = RECORDS - TEAM_LINES - columns.RECORDS.keys() - {"001", "112"}
_KINDS = {"240": tuple("FHZ"), "299": (*"WDLFHZ+-", "")}
_NUMBERS = {
    "rating": ("the rating", 9999),
    "fide_id": ("the FIDE number", 10**11),
    "rank": ("the rank", 9999),
}
"""What those that may be left out are called, and the highest there is."""
_ENDS = re.compile(r"\r\n|\r|\n")


def parse(data: bytes) -> Report:
    """The report in a file.

    Raises KeizerError with a line number for a line that is not understood, and
    where lines contradict each other.
    """
    header: list[Header] = []
    dates: tuple[str, ...] = ()
    symbols: Symbols | None = None
    players: list[Player] = []
    records: list[Record] = []
    other: list[Line] = []
    rounds, seen = 0, set[str]()
    for line in _lines(data):
        code = line.text[:3]
        if code == "###" or columns.is_ruler(line.text):
            other.append(line)
            continue
        national = _LETTERS.fullmatch(code)
        if code not in RECORDS and not national:
            raise line.wrong(f"“{code}” is no record of TRF16 or TRF26.")
        _coded(line)
        if code in _ONCE and code in seen:
            raise line.wrong(f"there is a second line {code}.")
        seen.add(code)
        if code == "001":
            players.append(_player(line))
            rounds = max(rounds, len(players[-1].rounds))
            with line.naming():
                limits.check(players=len(players), games=len(players) * rounds // 2)
        elif code in columns.RECORDS:
            records.append(_record(line))
        elif code == "132":
            dates = _dates(line)
        elif code == "162":
            symbols = _symbols(line)
        elif code in TEAM_LINES or national:
            other.append(line)
        else:
            header.append(_header(line))
    report = Report(tuple(header), dates, symbols, tuple(players), tuple(records), tuple(other))
    checking.check(report)
    return report


def _lines(data: bytes) -> list[Line]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _windows(data)
    lines = enumerate(_ENDS.split(text), 1)
    return [Line(said.rstrip(" "), line=number) for number, said in lines if said.strip(" ")]


def _windows(data: bytes) -> str:
    """Text as older programs on Windows write it; five bytes are no character there."""
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("cp1252")
        raise Placed(line=len(_ENDS.split(before))).wrong(
            f"the byte {data[error.start]:02X} is text neither in UTF-8 nor in Windows-1252:"
            " save the file as UTF-8."
        ) from error


def _coded(line: Line) -> None:
    """Refuse a line whose code is not followed by a blank and printable text."""
    if line.at(4, 4) not in ("", " ", "\t"):
        raise line.wrong(f"column 4 has “{line.at(4, 4)}” and should be blank.")
    if line.text.isprintable():
        return
    tab = line.text[:1].isalpha()
    for character in line.text:
        if unicodedata.category(character) in _UNPRINTABLE and not (tab and character == "\t"):
            raise line.wrong(f"the character {character!a} cannot be printed.")


def _header(line: Line) -> Header:
    code, value = line.text[:3], line.text[4:].strip(" ")
    if code == "142":
        value = str(line.whole("the number of rounds", value, 1, 999))
    if code == "152" and value not in ("W", "B"):
        raise line.wrong(f"the initial colour is W or B, not “{value}”.")
    return Header(code, value, line=line.line)


def _dates(line: Line) -> tuple[str, ...]:
    line.fields({}, columns.DATES)
    found = [day.strip(" ") for day in line.several(columns.DATES)]
    for number, day in enumerate(found, 1):
        if day and not _dated(_DATE, day, "20"):
            raise line.wrong(f"the date of round {number}, “{day}”, is not YY/MM/DD.")
    return tuple(found)


def _dated(form: re.Pattern[str], text: str, century: str = "") -> bool:
    """Whether there is such a day; 00 is an unknown month or day."""
    found = form.fullmatch(text)
    if not found:
        return False
    month, day = (int(part or 0) for part in found.groups())
    try:
        date(int((century + text)[:4]) or 2000, month or 1, day or 1)
    except ValueError:
        return False
    return True


def _symbols(line: Line) -> Symbols:
    line.fields({}, columns.SYMBOLS)
    worth: dict[str, int] = {}
    for text in line.several(columns.SYMBOLS):
        symbol = text[0]
        if symbol not in tuple("WDLAPX") or symbol in worth:
            raise line.wrong(f"“{symbol}” is not one of W, D, L, A, P and X, each at most once.")
        worth[symbol] = line.tenths(text[1:].strip(" "))
    return Symbols(tuple(worth.items()), line=line.line)


def _player(line: Line) -> Player:
    fields = line.fields(columns.PLAYER, columns.ROUNDS)
    values: dict[str, Any] = fields | {
        field: fields[field].upper() for field in ("title", "federation")
    }
    values["sex"] = fields["sex"].lower().replace("f", "w")
    if values["sex"] not in ("", "m", "w"):
        raise line.wrong(f"column 10 is m or w, not “{fields['sex']}”.")
    if fields["title"] and not (values["title"].isascii() and values["title"].isalpha()):
        raise line.wrong(f"“{fields['title']}” is no title, such as GM or WIM.")
    if fields["federation"] and not _LETTERS.fullmatch(values["federation"]):
        raise line.wrong(f"“{fields['federation']}” is no federation of three letters.")
    if fields["born"] and not _dated(_BORN, fields["born"]):
        raise line.wrong(f"the birth date “{fields['born']}” is not YYYY/MM/DD.")
    values["number"] = number = line.start_number(fields["number"])
    values["points"] = line.tenths(fields["points"])
    for name, (what, most) in _NUMBERS.items():
        values[name] = line.whole(what, fields[name], 0, most) if fields[name] else None
    cells = enumerate(line.several(columns.ROUNDS), 1)
    rounds = without_blanks([_cell(line, number, each, text) for each, text in cells])
    return Player(**values, rounds=rounds, line=line.line)


def _cell(line: Line, number: int, round_number: int, text: str) -> Cell:
    opponent, colour, result = text[:4].strip(" "), text[5].lower(), text[7].upper()
    if text[4] != " " or text[6] != " ":
        raise line.wrong(f"the fields of round {round_number} have slipped out of their columns.")
    if colour not in tuple("wb- ") or result not in _RESULTS:
        raise line.wrong(
            f"round {round_number} has colour “{text[5]}” and result “{text[7]}”: a colour is"
            " w, b or -, a result one of 1 = 0 + - W D L U F H Z."
        )
    met = line.whole(f"the opponent of round {round_number}", opponent or "0", 0, 9999)
    cell = Cell(met, colour.replace(" ", "-"), result)
    impossible = {
        "the player against themselves": met == number,
        f"an opponent and the bye {result}": met and result in BYES,
        "an opponent and no colour, which only a forfeit may": (
            met and cell.colour == "-" and result not in "+-"
        ),
        "a colour and no opponent": not met and cell.colour != "-",
        f"the result {result} and no opponent": not met and result not in BYES + "+-= ",
    }
    for what, applies in impossible.items():
        if applies:
            raise line.wrong(f"round {round_number} has {what}.")
    return cell


def _record(line: Line) -> Record:
    code = line.text[:3]
    layout, numbers = columns.RECORDS[code]
    fields = line.fields(layout, numbers)
    kind, kinds = fields.get("kind", ""), _KINDS.get(code, ("",))
    if kind not in kinds:
        raise line.wrong(f"“{kind}” is not one of {' '.join(kinds).strip()}.")
    brought = (fields.get("match_points"), fields.get("points"))
    match_points, points = (line.tenths(text) if text else None for text in brought)
    if code == "250" and not match_points and not points:
        raise line.wrong("an acceleration brings points.")
    if code == "299" and match_points is None and points is None:
        raise line.wrong("abnormal points are missing.")
    first = line.whole("the round", fields["round"] or "0", 0 if code == "299" else 1, 999)
    last = line.whole("the round", fields["last_round"], 1, 999) if "last_round" in fields else 0
    if 0 < last < first:
        raise line.wrong(f"the last round, {last}, comes before the first, {first}.")
    players = _numbers(line, numbers)
    return Record(code, players, first, last, kind, match_points, points, line=line.line)


def _numbers(line: Line, repeat: Repeat) -> tuple[int, ...]:
    found = tuple(map(line.start_number, line.several(repeat)))
    if line.text.startswith("250"):
        if len(found) != 2 or found[0] > found[1]:  # noqa: PLR2004
            raise line.wrong("it takes two start numbers, the first and the last.")
    elif len(set(found)) < max(len(found), 2 if line.text.startswith("260") else 1):
        least = "two" if line.text.startswith("260") else "one"
        raise line.wrong(f"it takes {least} or more different start numbers.")
    return found
