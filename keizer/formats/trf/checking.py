"""What has to agree between the lines of a report.

A report that passes has one meaning: opponents name each other with opposite
colours and results that fit, and everybody's points are the sum of his rounds.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from keizer.formats.trf.columns import TEAM_MEMBERS, Line, is_ruler, points, wrong
from keizer.formats.trf.report import (
    BLANK,
    BYES,
    DRAWN,
    WON,
    Abnormal,
    Acceleration,
    Byes,
    Cell,
    Other,
    Player,
    Record,
    Report,
)

_TOGETHER = {
    frozenset(pair)
    for pair in ("10", "==", "00", "WL", "DD", "LL", "+-", "--", "  ")
}  # fmt: skip
_USUAL = {
    "WW": 10, "BW": 10, "WD": 5, "BD": 5, "WL": 0, "BL": 0,
    "FW": 10, "FL": 0, "FPB": 10, "HPB": 5, "ZPB": 0, "PAB": 10,
}  # fmt: skip
_SHORT = {
    "W": ("WW", "BW", "FW", "FPB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
    "A": ("ZPB", "FL"),
    "P": ("PAB",),
    "X": (),
}
_BBP = {"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "ZPB", "BBF": "FL", "BBU": "PAB"}
_KINDS = {"1": "W", "=": "D", "0": "L", " ": "Z"}
_XXS = re.compile(r"([A-Z]+)=(\S+)")


class Scale(NamedTuple):
    """What rounds bring, in tenths of a point."""

    tenths: dict[str, int]
    """By the symbols of XXS."""
    unknown: int
    """A game without a result."""
    rounds: int
    """How many rounds count."""
    teams: bool
    """Abnormal points are of teams."""


def check(report: Report) -> None:
    """Raise KeizerError, with a line number, for the first thing that does not agree."""
    players = _numbered(report)
    _counted(report)
    _ranked(report)
    _met(report, players)
    _recorded(report, players)
    found = scale(report)
    for player in report.players:
        _added_up(report, player, found)


def _numbered(report: Report) -> dict[int, Player]:
    players: dict[int, Player] = {}
    for player in report.players:
        if player.number in players:
            raise wrong(player.line, f"the start number {player.number} is there twice.")
        players[player.number] = player
    return players


def _counted(report: Report) -> None:
    """The number of players and of rounds, where the file says it."""
    there, rounds = len(report.players), report.rounds()
    planned = [(Line(line.line, line.code), line.value) for line in report.header]
    for line, value in planned:
        if line.text == "062" and re.fullmatch(r"[0-9]{1,9}", value) and int(value) != there:
            raise line.wrong(f"the file says {value} players and has {there}.")
    planned = [(line, value) for line, value in planned if line.text == "142"]
    planned += [
        (Line(other.line, other.text), other.text[3:].strip(" \t"))
        for other in report.other
        if other.text.startswith("XXR")
    ]
    for line, value in planned:
        if line.whole("the number of rounds", value, 1, 999) < rounds:
            raise line.wrong(f"{value} rounds are fewer than the players have.")


def _ranked(report: Report) -> None:
    """A rank may be shared by equals; the ranks behind it are then left out."""
    ranks: dict[int, list[Player]] = {}
    for player in report.players:
        if player.rank:
            ranks.setdefault(player.rank, []).append(player)
    for rank, sharing in ranks.items():
        left_out = not any(behind in ranks for behind in range(rank + 1, rank + len(sharing)))
        if not left_out or len({player.points for player in sharing}) > 1:
            raise wrong(sharing[-1].line, f"rank {rank} is there twice.")


def _met(report: Report, players: dict[int, Player]) -> None:
    byes: dict[int, int] = {}
    for player in report.players:
        for number, cell in enumerate(player.rounds, 1):
            said = f"round {number} of {player.number}"
            if cell.result == "U" and byes.setdefault(number, player.number) != player.number:
                raise wrong(
                    player.line,
                    f"{said} is a pairing-allocated bye, and {byes[number]} has one too.",
                )
            if cell.opponent:
                if cell.opponent not in players:
                    raise wrong(
                        player.line, f"{said} is against {cell.opponent}, who is not in the file."
                    )
                _sides(player, cell, players[cell.opponent], number)


def _sides(player: Player, cell: Cell, opponent: Player, number: int) -> None:
    """Refuse two players who do not say the same of their game."""
    theirs = opponent.round(number)
    said = f"round {number} of {player.number} is against {opponent.number}"
    if theirs.opponent != player.number:
        whom = theirs.opponent or "nobody"
        raise wrong(player.line, f"{said}, who meets {whom} in line {opponent.line}.")
    if {cell.colour, theirs.colour} not in ({"w", "b"}, {"-"}):
        raise wrong(
            player.line,
            f"{said}, with colour {cell.colour} and, in line {opponent.line}, {theirs.colour}.",
        )
    if frozenset((cell.result, theirs.result)) not in _TOGETHER:
        raise wrong(
            player.line,
            f"{said}, with result “{cell.result}” and, in line {opponent.line}, “{theirs.result}”.",
        )


def _members(report: Report) -> Iterator[tuple[Other, int]]:
    """The start numbers in lines that are kept as they are, and where."""
    for other in report.other:
        line = Line(other.line, other.text)
        code = other.text[:3]
        if is_ruler(other.text):
            continue
        if code in TEAM_MEMBERS:
            for text in line.several(TEAM_MEMBERS[code]):
                if text.strip(" 0"):
                    yield other, line.whole("the start number", text.strip(" "), 1, 9999)
        elif code.isalpha() and not code.startswith(("XX", "BB", "DAT")):
            yield other, line.whole("the start number", line.at(5, 8).strip(" "), 1, 9999)


def _recorded(report: Report, players: dict[int, Player]) -> None:
    teams = report.has_teams()
    named: list[tuple[Record | Other, int]] = list(_members(report))
    for record in report.records:
        if not teams:
            numbers = (
                (record.first, record.last) if isinstance(record, Acceleration) else record.players
            )
            named += [(record, number) for number in numbers]
    for where, number in named:
        if number not in players:
            raise wrong(where.line, f"{number} is not the start number of a player.")
    for record in report.records:
        if not isinstance(record, Byes) or teams:
            continue
        for number in record.players:
            if players[number].round(record.round) not in (BLANK, Cell(0, "-", record.kind)):
                raise wrong(
                    record.line,
                    f"{number} has the bye {record.kind} in round {record.round},"
                    f" and something else in line {players[number].line}.",
                )


# ----------------------------------------------------------------------- points


def _added_up(report: Report, player: Player, scale: Scale) -> None:
    found = sums(report, player, scale)
    if player.points not in found:
        said, right = points(player.points), " or ".join(map(points, sorted(found)))
        raise wrong(
            player.line,
            f"{player.number} has {said} points, and his rounds add up to {right}.",
        )


def sums(report: Report, player: Player, scale: Scale) -> set[int]:
    """What a player's rounds can add up to, in tenths.

    One number, unless a game has no result yet: that may count or not.
    """
    abnormal = [
        record
        for record in report.records
        if isinstance(record, Abnormal) and player.number in record.players and not scale.teams
    ]
    total, unknown = sum(record.points or 0 for record in abnormal if not record.kind), 0
    for number in range(1, scale.rounds + 1):
        cell = player.round(number)
        given = [
            record.points or 0
            for record in abnormal
            if record.kind == _KINDS.get(cell.result, cell.result) and record.round in (0, number)
        ]
        if given:
            total += given[-1]
        elif cell.opponent and cell.result == " ":
            unknown += 1
        else:
            total += scale.tenths[_kind(cell)]
    return {total + games * scale.unknown for games in range(unknown + 1)}


def _kind(cell: Cell) -> str:
    """What a round counts as, in the words of XXS."""
    if cell.result in BYES:
        return {"U": "PAB", "F": "FPB", "H": "HPB", "Z": "ZPB"}[cell.result]
    if not cell.opponent:
        return {"=": "HPB", "+": "FW", "-": "FL"}.get(cell.result, "ZPB")
    if cell.result in "+-":
        return "FW" if cell.result == "+" else "FL"
    side = cell.colour.upper()
    return side + ("W" if cell.result in WON else "D" if cell.result in DRAWN else "L")


def scale(report: Report) -> Scale:
    """What rounds bring by the lines 162, XXS and BB of the file."""
    tenths, unknown, bye_said = dict(_USUAL), None, False
    for line, symbol, points_ in _said(report):
        if symbol not in _SHORT and symbol not in _USUAL:
            raise line.wrong(f"“{symbol}” is no symbol for points.")
        tenths |= dict.fromkeys(_SHORT.get(symbol, (symbol,)), points_)
        bye_said |= symbol in ("P", "PAB")
        if symbol == "W" and not bye_said and not line.text.startswith("XXS"):
            tenths["PAB"] = points_
        if symbol == "X":
            unknown = points_
    unknown = tenths["WD"] if unknown is None else unknown
    return Scale(tenths, unknown, report.rounds(), report.has_teams())


def _said(report: Report) -> Iterator[tuple[Line, str, int]]:
    """Each symbol and its points, in the order in which they count."""
    if report.symbols:
        for symbol, tenths in report.symbols.points:
            yield Line(report.symbols.line, "162"), symbol, tenths
    for other in report.other:
        line, code = Line(other.line, other.text), other.text[:3]
        if code in _BBP:
            yield line, _BBP[code], line.tenths("the points", other.text[3:].strip(" "))
        elif code == "XXS":
            for word in other.text[3:].split():
                found = _XXS.fullmatch(word)
                if not found:
                    raise line.wrong(f"“{word}” is not SYMBOL=POINTS.")
                yield line, found[1], line.tenths("the points", found[2])
