"""What has to agree between the lines of a report.

A report that passes has one meaning: opponents name each other with opposite
colours and results that fit, and each player's points are the sum of their rounds.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from keizer.formats.trf.columns import TEAM_MEMBERS, Line, Placed, is_ruler, points
from keizer.formats.trf.report import BLANK, DRAWN, WON, Cell, Player, Record, Report
from keizer.texts import are, counted

_TOGETHER = {frozenset(pair) for pair in ("10", "==", "00", "WL", "DD", "LL", "+-", "--", "  ")}
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
_NOT_PLAYED = {"U": "PAB", "F": "FPB", "H": "HPB", "=": "HPB", "+": "FW", "-": "FL"}
_XXS = re.compile(r"([A-Z]+)=(\S+)")


class Scale(NamedTuple):
    """What rounds bring, in tenths of a point."""

    tenths: dict[str, int]
    """By the symbols of XXS."""
    unknown: int
    """A game without a result."""
    rounds: int
    """How many rounds count."""
    abnormal: dict[int, list[Record]]
    """Lines 299 by player."""


def check(report: Report) -> None:
    """Raise KeizerError, with a line number, for the first thing that does not agree."""
    players = _numbered(report)
    _counted(report)
    _ranked(report)
    _met(report, players)
    _recorded(report, players)
    counted = scale(report)
    for player in report.players:
        possible = sums(player, counted)
        if player.points not in possible:
            stated, right = points(player.points), " or ".join(map(points, sorted(possible)))
            raise player.wrong(
                f"{player.number} has {stated} points, and the rounds add up to {right}."
            )


def _numbered(report: Report) -> dict[int, Player]:
    players: dict[int, Player] = {}
    for player in report.players:
        if player.number in players:
            raise player.wrong(f"the start number {player.number} is there twice.")
        players[player.number] = player
    return players


def _counted(report: Report) -> None:
    """The number of players and of rounds, where the file says it."""
    players = len(report.players)
    for line in report.header:
        stated = line.value
        if line.code == "062" and re.fullmatch(r"[0-9]{1,9}", stated) and int(stated) != players:
            raise line.wrong(f"the file says {counted(int(stated), 'player')} and has {players}.")
    for placed, planned in rounds_planned(report):
        if planned < report.rounds():
            raise placed.wrong(
                f"{counted(planned, 'round')} {are(planned)} fewer than the players have."
            )


def rounds_planned(report: Report) -> Iterator[tuple[Placed, int]]:
    """How many rounds there are to be, and the line that says so."""
    for header in report.header:
        if header.code == "142":
            yield header, int(header.value)
    for line in report.other:
        if line.text.startswith("XXR"):
            yield line, line.whole("the number of rounds", line.text[3:].strip(" \t"), 1, 999)


def _ranked(report: Report) -> None:
    """A rank may be shared by equals; the ranks behind it are then left out."""
    ranks: dict[int, list[Player]] = {}
    for player in report.players:
        if player.rank:
            ranks.setdefault(player.rank, []).append(player)
    for rank, sharing in ranks.items():
        left_out = not any(behind in ranks for behind in range(rank + 1, rank + len(sharing)))
        if not left_out or len({player.points for player in sharing}) > 1:
            raise sharing[-1].wrong(f"rank {rank} is there twice.")


def _met(report: Report, players: dict[int, Player]) -> None:
    byes: dict[int, int] = {}
    for player in report.players:
        for number, cell in enumerate(player.rounds, 1):
            said = f"round {number} of {player.number} is"
            if cell.result == "U" and byes.setdefault(number, player.number) != player.number:
                raise player.wrong(
                    f"{said} a pairing-allocated bye, and {byes[number]} has one too."
                )
            if cell.opponent and cell.opponent not in players:
                raise player.wrong(f"{said} against {cell.opponent}, who is not in the file.")
            if cell.opponent:
                _sides(player, cell, players[cell.opponent], number)


def _sides(player: Player, cell: Cell, opponent: Player, number: int) -> None:
    """Refuse two players who do not say the same of their game."""
    theirs, where = opponent.round(number), f"in line {opponent.line}"
    meeting = f"round {number} of {player.number} is against {opponent.number}"
    if theirs.opponent != player.number:
        raise player.wrong(f"{meeting}, who meets {theirs.opponent or 'nobody'} {where}.")
    if {cell.colour, theirs.colour} not in ({"w", "b"}, {"-"}):
        raise player.wrong(f"{meeting}, with colour {cell.colour} and, {where}, {theirs.colour}.")
    if frozenset((cell.result, theirs.result)) not in _TOGETHER:
        raise player.wrong(
            f"{meeting}, with result “{cell.result}” and, {where}, “{theirs.result}”."
        )


def _named(report: Report) -> Iterator[tuple[Placed, int]]:
    """The start numbers beside lines 001 and their lines."""
    for line in report.other:
        code = line.text[:3]
        if code in TEAM_MEMBERS:
            for text in line.several(TEAM_MEMBERS[code]):
                if text.strip(" 0"):
                    yield line, line.start_number(text)
        elif code.isalpha() and not (code.startswith(("XX", "BB", "DAT")) or is_ruler(line.text)):
            yield line, line.start_number(line.at(5, 8))
    for record in report.of_players():
        yield from ((record, number) for number in record.players)


def _recorded(report: Report, players: dict[int, Player]) -> None:
    for line, number in _named(report):
        if number not in players:
            raise line.wrong(f"{number} is not the start number of a player.")
    for record, number in report.byes():
        if players[number].round(record.round) not in (BLANK, Cell(0, "-", record.kind)):
            raise record.wrong(
                f"{number} has the bye {record.kind} in round {record.round},"
                f" and something else in line {players[number].line}."
            )


def sums(player: Player, scale: Scale) -> set[int]:
    """What a player's rounds can add up to, in tenths.

    One number, unless a game has no result yet: that may count or not.
    """
    abnormal = scale.abnormal.get(player.number, [])
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
    if not cell.opponent or cell.result in "+-":
        return _NOT_PLAYED.get(cell.result, "ZPB")
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
    abnormal: dict[int, list[Record]] = {}
    for record in report.of_players():
        for number in record.players if record.code == "299" else ():
            abnormal.setdefault(number, []).append(record)
    return Scale(tenths, unknown, report.rounds(), abnormal)


def _said(report: Report) -> Iterator[tuple[Line, str, int]]:
    """Each symbol and its points, in the order in which they count."""
    if report.symbols:
        for symbol, tenths in report.symbols.points:
            yield Line("162", line=report.symbols.line), symbol, tenths
    for line in report.other:
        code = line.text[:3]
        if code in _BBP:
            yield line, _BBP[code], line.tenths(line.text[3:].strip(" "))
        elif code == "XXS":
            for word in line.text[3:].split():
                found = _XXS.fullmatch(word)
                if not found:
                    raise line.wrong(f"“{word}” is not SYMBOL=POINTS.")
                yield line, found[1], line.tenths(found[2])
