"""Read a tournament report file: bytes in, a `Report` out.

Line ends may be CR, LF or CRLF; the text UTF-8, with or without byte order
mark, or else Windows-1252. What is wrong is an error with the number of its line,
never a guess.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import NoReturn

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.formats.trf import checking
from keizer.formats.trf import columns as at
from keizer.formats.trf.columns import Line, Repeat, wrong
from keizer.formats.trf.report import (
    BLANK,
    BYES,
    HEADER_2016,
    HEADER_2026,
    TEAM_LINES,
    Abnormal,
    Acceleration,
    Byes,
    Cell,
    Header,
    Other,
    Player,
    Prohibited,
    Record,
    Report,
    Symbols,
)

_RESULTS = frozenset("1=0WDL+-UFHZ ")
_BORN = re.compile(r"\d{4}(?:[/.-](\d\d)[/.-](\d\d))?", re.ASCII)
_DATE = re.compile(r"\d\d/(\d\d)/(\d\d)", re.ASCII)
_LETTERS = re.compile(r"[A-Z]{3}")
_UNPRINTABLE = frozenset(["Cc", "Cs", "Zl", "Zp"])
_REPEATED = {"112"}
_ENDS = re.compile(r"\r\n|\r|\n")


def parse(data: bytes) -> Report:
    """The report in a file.

    Raises KeizerError with a line number for a line that is not understood, and
    where lines contradict each other.
    """
    header: list[Header] = []
    dates: tuple[str, ...] | None = None
    dates_line = 0
    symbols: Symbols | None = None
    players: list[Player] = []
    records: list[Record] = []
    other: list[Other] = []
    cells = 0
    for line in _lines(data):
        code = line.text[:3]
        if at.is_ruler(line.text):
            other.append(Other(line.text, line.number))
        elif code == "###" or code in TEAM_LINES or _LETTERS.fullmatch(code):
            _coded(line)
            other.append(Other(line.text, line.number))
        elif code in HEADER_2016 or code in HEADER_2026:
            header.append(_header(line, header))
        elif code == "132":
            _once(line, dates)
            dates, dates_line = _dates(line), line.number
        elif code == "162":
            _once(line, symbols)
            symbols = _symbols(line)
        elif code == "001":
            players.append(_player(line))
            try:
                cells += len(players[-1].rounds)
                limits.check(players=len(players), games=cells // 2)
            except KeizerError as error:
                raise line.wrong(str(error)) from error
        elif code in _RECORDS:
            records.append(_RECORDS[code](line))
        else:
            raise line.wrong(f"“{code}” is no record of TRF16 or TRF26.")
    report = Report(
        tuple(header),
        dates or (),
        symbols,
        tuple(players),
        tuple(records),
        tuple(other),
        dates_line,
    )
    checking.check(report)
    return report


def _lines(data: bytes) -> list[Line]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _windows(data)
    found = []
    for number, each in enumerate(_ENDS.split(text), 1):
        line = Line(number, each.rstrip(" "))
        if line.text:
            found.append(line)
    return found


def _windows(data: bytes) -> str:
    """Text as older programs on Windows write it; five bytes are no character there."""
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("cp1252")
        raise wrong(
            len(_ENDS.split(before)),
            f"the byte {data[error.start]:02X} is text neither in UTF-8 nor in Windows-1252:"
            " save the file as UTF-8.",
        ) from error


def _coded(line: Line) -> None:
    """Of what stands behind a code: that it is text."""
    if line.text.startswith("###"):
        return
    if line.at(4, 4) not in ("", " ", "\t"):
        raise line.wrong(f"column 4 has “{line.at(4, 4)}” and should be blank.")
    if line.text.isprintable():
        return
    tab = line.text[:1].isalpha()
    for character in line.text:
        if unicodedata.category(character) in _UNPRINTABLE and not (tab and character == "\t"):
            raise line.wrong(f"the character {character!a} cannot be printed.")


def _once(line: Line, before: object) -> None:
    _coded(line)
    if before is not None:
        raise line.wrong(f"there is a second line {line.text[:3]}.")


def _header(line: Line, before: list[Header]) -> Header:
    code, value = line.text[:3], line.text[4:].strip(" ")
    if code not in _REPEATED:
        _once(line, next((each for each in before if each.code == code), None))
    _coded(line)
    if code == "142":
        value = str(line.whole("the number of rounds", value, 1, 999))
    if code == "152" and value not in ("W", "B"):
        raise line.wrong(f"the initial colour is W or B, not “{value}”.")
    return Header(code, value, line.number)


def _dates(line: Line) -> tuple[str, ...]:
    line.fields({}, at.DATES.first - 1)
    found = [day.strip(" ") for day in line.several(at.DATES)]
    for number, day in enumerate(found, 1):
        if day and ("00" in day[2:].split("/") or not _dated(_DATE, day, "20")):
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
    line.fields({}, at.SYMBOLS.first - 1)
    found: dict[str, int] = {}
    for text in line.several(at.SYMBOLS):
        symbol = text[0]
        if symbol not in tuple("WDLAPX") or symbol in found:
            raise line.wrong(f"“{symbol}” is not one of W, D, L, A, P and X, each at most once.")
        found[symbol] = line.tenths("the points", text[1:].strip(" "))
    return Symbols(tuple(found.items()), line.number)


def _player(line: Line) -> Player:
    _coded(line)
    said = line.fields(at.PLAYER, at.ROUNDS.first - 1)
    sex = said["sex"].lower().replace("f", "w")
    if sex not in ("", "m", "w"):
        raise line.wrong(f"column 10 is m or w, not “{said['sex']}”.")
    title, federation = said["title"].upper(), said["federation"].upper()
    if title and not (title.isascii() and title.isalpha()):
        raise line.wrong(f"“{said['title']}” is no title, such as GM or WIM.")
    if federation and not _LETTERS.fullmatch(federation):
        raise line.wrong(f"“{said['federation']}” is no federation of three letters.")
    if said["born"] and not _dated(_BORN, said["born"]):
        raise line.wrong(f"the birth date “{said['born']}” is not YYYY/MM/DD.")
    number = line.whole("the start number", said["number"], 1, 9999)
    return Player(
        number=number,
        name=said["name"],
        points=line.tenths("the points", said["points"]),
        sex=sex,
        title=title,
        rating=_optional(line, "the rating", said["rating"], 9999),
        federation=federation,
        fide_id=_optional(line, "the FIDE number", said["fide_id"], 10**11),
        born=said["born"],
        rank=_optional(line, "the rank", said["rank"], 9999),
        rounds=_rounds(line, number),
        line=line.number,
    )


def _optional(line: Line, what: str, text: str, most: int) -> int | None:
    return line.whole(what, text, 0, most) if text else None


def _rounds(line: Line, number: int) -> tuple[Cell, ...]:
    found = [
        _cell(line, number, each, text) for each, text in enumerate(line.several(at.ROUNDS), 1)
    ]
    while found and found[-1] == BLANK:
        found.pop()
    return tuple(found)


def _cell(line: Line, number: int, round_number: int, text: str) -> Cell:
    opponent, colour, result = text[:4].strip(" "), text[5].lower(), text[7].upper()
    if text[4] != " " or text[6] != " ":
        raise line.wrong(f"the fields of round {round_number} have slipped out of their columns.")
    if colour not in tuple("wb- ") or result not in _RESULTS:
        raise line.wrong(
            f"round {round_number} has colour “{text[5]}” and result “{text[7]}”: a colour is"
            " w, b or -, a result one of 1 = 0 + - W D L U F H Z."
        )
    cell = Cell(
        line.whole(f"the opponent of round {round_number}", opponent or "0", 0, 9999),
        "-" if colour == " " else colour,
        result,
    )
    _possible(line, number, round_number, cell)
    return cell


def _possible(line: Line, number: int, round_number: int, cell: Cell) -> None:
    """Refuse what no round of one player can be."""

    def refuse(said: str) -> NoReturn:
        raise line.wrong(f"round {round_number} {said}.")

    if cell.opponent == number:
        refuse("has the player against himself")
    if cell.opponent and cell.result in BYES:
        refuse(f"has an opponent and the bye {cell.result}")
    if cell.opponent and cell.colour == "-" and cell.result not in "+-":
        refuse("has an opponent and no colour, which only a forfeit may")
    if not cell.opponent and cell.colour != "-":
        refuse("has a colour and no opponent")
    if not cell.opponent and cell.result not in BYES + "+-= ":
        refuse(f"has the result {cell.result} and no opponent")


def _numbers(line: Line, repeat: Repeat, least: int) -> tuple[int, ...]:
    found = tuple(
        line.whole("the start number", text.strip(" "), 1, 9999) for text in line.several(repeat)
    )
    if len(found) < least or len(set(found)) < len(found):
        raise line.wrong(f"it takes {least} or more different start numbers.")
    return found


def _round(line: Line, text: str) -> int:
    return line.whole("the round", text, 1, 999)


def _byes(line: Line) -> Byes:
    _coded(line)
    said = line.fields(at.BYES, at.BYES_PLAYERS.first - 1)
    if said["kind"] not in tuple("FHZ"):
        raise line.wrong(f"a bye is F, H or Z, not “{said['kind']}”.")
    return Byes(
        said["kind"], _round(line, said["round"]), _numbers(line, at.BYES_PLAYERS, 1), line.number
    )


def _points(line: Line, text: str) -> int | None:
    return line.tenths("the points", text) if text else None


def _span(line: Line, first: str, last: str) -> tuple[int, int]:
    rounds = _round(line, first), _round(line, last)
    if rounds[0] > rounds[1]:
        raise line.wrong(f"the last round, {rounds[1]}, comes before the first, {rounds[0]}.")
    return rounds


def _acceleration(line: Line) -> Acceleration:
    _coded(line)
    said = line.fields(at.ACCELERATION)
    first = line.whole("the first number", said["first"], 1, 9999)
    last = line.whole("the last number", said["last"], first, 9999)
    points = _points(line, said["match_points"]), _points(line, said["points"])
    if not any(points):
        raise line.wrong("an acceleration brings points.")
    rounds = _span(line, said["first_round"], said["last_round"])
    return Acceleration(*points, *rounds, first, last, line.number)


def _prohibited(line: Line) -> Prohibited:
    _coded(line)
    said = line.fields(at.PROHIBITED, at.PROHIBITED_PLAYERS.first - 1)
    rounds = _span(line, said["first_round"], said["last_round"])
    return Prohibited(*rounds, _numbers(line, at.PROHIBITED_PLAYERS, 2), line.number)


def _abnormal(line: Line) -> Abnormal:
    _coded(line)
    said = line.fields(at.ABNORMAL, at.ABNORMAL_PLAYERS.first - 1)
    if said["kind"] not in ("", *"WDLFHZ+-"):
        raise line.wrong(f"“{said['kind']}” is not one of W, D, L, F, H, Z, + and -, or blank.")
    points = _points(line, said["match_points"]), _points(line, said["points"])
    if points == (None, None):
        raise line.wrong("abnormal points are missing.")
    return Abnormal(
        said["kind"],
        *points,
        line.whole("the round", said["round"] or "0", 0, 999),
        _numbers(line, at.ABNORMAL_PLAYERS, 1),
        line.number,
    )


_RECORDS: dict[str, Callable[[Line], Record]] = {
    "240": _byes,
    "250": _acceleration,
    "260": _prohibited,
    "299": _abnormal,
}
