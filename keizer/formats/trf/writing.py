"""Write a tournament report file: a `Report` in, text out."""

from keizer.errors import KeizerError
from keizer.formats.trf import columns
from keizer.formats.trf.columns import laid, points, repeated
from keizer.formats.trf.reading import parse
from keizer.formats.trf.report import (
    BLANK,
    RECORDS_2026,
    TRF16,
    Cell,
    Edition,
    Player,
    Record,
    Report,
)


def text(report: Report, edition: Edition = 2026, newline: str = "\n") -> str:
    """The file that `parse` reads as this report.

    Raises KeizerError for what the edition has no room or no record for, and
    for a report that contradicts itself.
    """
    lines = [*_tournament(report), *map(_player, report.players), *map(_record, report.records)]
    new = [line for line in lines if line[:3] in RECORDS_2026]
    if edition == TRF16 and new:
        raise KeizerError(f"TRF16 has no record {new[0][:3]}: write TRF26.")
    lines += [other.text for other in report.other]
    written = "".join(line + newline for line in lines)
    try:
        again = parse(written.encode())
    except (KeizerError, UnicodeEncodeError) as error:
        raise KeizerError(f"a TRF cannot say this: {error}") from error
    if again != report:
        raise KeizerError("a TRF cannot say this: blanks or ends of lines would get lost.")
    return written


def _tournament(report: Report) -> list[str]:
    lines = [f"{line.code} {line.value}".rstrip(" ") for line in report.header]
    if report.symbols:
        said = [symbol + points(tenths).rjust(4) for symbol, tenths in report.symbols.points]
        lines.append(repeated("162", columns.SYMBOLS, said))
    if report.dates:
        lines.append(repeated("132", columns.DATES, list(report.dates)).rstrip(" "))
    return lines


def _player(player: Player) -> str:
    line = laid("001", columns.PLAYER, vars(player) | {"points": points(player.points)})
    return repeated(line, columns.ROUNDS, [_cell(cell) for cell in player.rounds])


def _cell(cell: Cell) -> str:
    if cell == BLANK:
        return ""
    return laid("", columns.CELL, cell._asdict() | {"opponent": cell.opponent or "0000"})


def _record(record: Record) -> str:
    layout, numbers = columns.RECORDS[record.code]
    said = vars(record) | {
        "match_points": points(record.match_points),
        "points": points(record.points),
        "round": f"{record.round:03}",
        "last_round": f"{record.last_round:03}",
    }
    numbered = [f"{number:04}" for number in record.players]
    return repeated(laid(record.code, layout, said), numbers, numbered)
