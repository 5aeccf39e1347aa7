"""Write a tournament report file: a `Report` in, text out."""

from keizer.errors import KeizerError
from keizer.formats.trf import columns as at
from keizer.formats.trf.columns import laid, points, repeated
from keizer.formats.trf.reading import parse
from keizer.formats.trf.report import (
    BLANK,
    HEADER_2016,
    HEADER_2026,
    TRF16,
    TRF26,
    Abnormal,
    Acceleration,
    Byes,
    Cell,
    Edition,
    Player,
    Record,
    Report,
)


def text(report: Report, edition: Edition = TRF26, newline: str = "\n") -> str:
    """The file that `parse` reads as this report.

    Raises KeizerError for what the edition has no room or no record for, and
    for a report that contradicts itself.
    """
    lines = [*_tournament(report, edition), *map(_player, report.players)]
    if report.records and edition == TRF16:
        raise KeizerError("TRF16 has no records 240, 250, 260 and 299: write TRF26.")
    lines += [_record(record) for record in report.records]
    lines += [other.text for other in report.other]
    written = "".join(line + newline for line in lines)
    try:
        again = parse(written.encode())
    except (KeizerError, UnicodeEncodeError) as error:
        raise KeizerError(f"a TRF cannot say this: {error}") from error
    if again != report:
        raise KeizerError("a TRF cannot say this: blanks or ends of lines would get lost.")
    return written


def _tournament(report: Report, edition: Edition) -> list[str]:
    known = HEADER_2016 if edition == TRF16 else HEADER_2016 + HEADER_2026
    lines = []
    for line in report.header:
        if line.code not in known:
            raise KeizerError(f"TRF{edition % 100} has no record {line.code}.")
        lines.append(f"{line.code} {line.value}".rstrip(" "))
    if report.symbols:
        if edition == TRF16:
            raise KeizerError("TRF16 has no record 162: XXS says it there.")
        said = [symbol + points(tenths).rjust(4) for symbol, tenths in report.symbols.points]
        lines.append(repeated("162", at.SYMBOLS, said))
    if report.dates:
        lines.append(repeated("132", at.DATES, list(report.dates)).rstrip(" "))
    return lines


def _text(number: int | None) -> str:
    return "" if number is None else str(number)


def _player(player: Player) -> str:
    line = laid(
        at.PLAYER,
        {
            "number": str(player.number),
            "sex": player.sex,
            "title": player.title,
            "name": player.name,
            "rating": _text(player.rating),
            "federation": player.federation,
            "fide_id": _text(player.fide_id),
            "born": player.born,
            "points": points(player.points),
            "rank": _text(player.rank),
        },
    )
    return repeated("001" + line[3:], at.ROUNDS, [_cell(cell) for cell in player.rounds])


def _cell(cell: Cell) -> str:
    if cell == BLANK:
        return ""
    opponent = str(cell.opponent) if cell.opponent else "0000"
    return laid(at.CELL, {"opponent": opponent, "colour": cell.colour, "result": cell.result})


def _numbers(line: str, repeat: at.Repeat, numbers: tuple[int, ...]) -> str:
    return repeated(line, repeat, [f"{number:04}" for number in numbers])


def _record(record: Record) -> str:
    if isinstance(record, Byes):
        said = {"kind": record.kind, "round": f"{record.round:03}"}
        return _numbers("240" + laid(at.BYES, said)[3:], at.BYES_PLAYERS, record.players)
    if isinstance(record, Acceleration):
        said = {
            "match_points": points(record.match_points),
            "points": points(record.points),
            "first_round": f"{record.first_round:03}",
            "last_round": f"{record.last_round:03}",
            "first": f"{record.first:04}",
            "last": f"{record.last:04}",
        }
        return "250" + laid(at.ACCELERATION, said)[3:]
    if isinstance(record, Abnormal):
        said = {
            "kind": record.kind,
            "match_points": points(record.match_points),
            "points": points(record.points),
            "round": f"{record.round:03}",
        }
        return _numbers("299" + laid(at.ABNORMAL, said)[3:], at.ABNORMAL_PLAYERS, record.players)
    said = {"first_round": f"{record.first_round:03}", "last_round": f"{record.last_round:03}"}
    return _numbers("260" + laid(at.PROHIBITED, said)[3:], at.PROHIBITED_PLAYERS, record.players)
