"""What has to agree between the lines of a report.

A report that passes has one meaning: opponents name each other with opposite
colours and results that fit, and each player's points are the sum of their rounds.
"""

from keizer.formats import facts
from keizer.formats.trf.report import BLANK, FORMAT, Cell, Player, Report, points
from keizer.messages import listed, plural, say

_TOGETHER = {frozenset(pair) for pair in ("10", "==", "00", "WL", "DD", "LL", "+-", "--", "  ")}
USUAL: dict[str, int] = FORMAT["usual"]
"""What rounds bring in tenths, in the words of JaVaFo's XXS."""
SHORT: dict[str, list[str]] = FORMAT["symbols"]
"""Which of these a symbol of line 162 is about."""
_TEAMS = {"013", "310"}
_SIGNS = FORMAT["signs"]


def check(report: Report) -> None:
    """Raise KeizerError, with a line number, for the first thing that does not agree."""
    players: dict[int, Player] = {}
    for player in report.players:
        if players.setdefault(player.number, player) is not player:
            raise player.wrong("the start number {number} is there twice.", number=player.number)
    _check_counts(report)
    _check_meetings(report, players)
    _check_byes(report, players)
    if "299" in report.lines:
        return  # points beside those of the rounds
    rounds, untold = report.rounds(), False
    unclear = {BLANK, Cell(result="-")} if report.lines.keys() & _TEAMS else {BLANK}
    for player in report.players:
        possible = sums(player, rounds, report.tenths)
        if player.points is None or player.points in possible:
            continue
        # A program without a sign for byes counts them all the same.
        byes = sum(player.round(number) in unclear for number in range(1, rounds + 1))
        most = max(possible) + byes * (USUAL | report.tenths)["FPB"]
        if byes and min(possible) < player.points <= most:
            untold = True
        else:
            right = listed([*map(points, sorted(possible))], "or")
            raise player.wrong(
                "{number} has {points} points, and the rounds add up to {sum}.",
                number=player.number, points=points(player.points), sum=right,
            )  # fmt: skip
    if untold:
        report.notes.append(say("some players have points of rounds without an opponent: byes?"))


def _check_counts(report: Report) -> None:
    """The number of players and of rounds, where the file says it."""
    players = len(report.players)
    if "062" in report.lines:
        line = report.lines["062"]
        stated = facts.whole(line.value)
        if stated not in (None, players):
            said = plural(
                "the file says {number:,} player and has {players}.",
                "the file says {number:,} players and has {players}.",
                stated,
                players=players,
            )
            report.notes.append(line.wrong(said).said)
    if any(player.points is None for player in report.players):
        report.notes.append(say("some players have no points in the file, which so prove nothing."))
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
            if cell.result == single and byes.setdefault(number, player.number) != player.number:
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
    colours, results = {cell.colour, theirs.colour}, frozenset((cell.result, theirs.result))
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
    for bye in report.byes:
        if bye.player not in players:
            raise bye.wrong("{number} is not the start number of a player.", number=bye.player)
        if players[bye.player].round(bye.round) not in (BLANK, Cell(0, "-", bye.kind)):
            raise bye.wrong(
                "{number} has the bye {bye} in round {round}, and something else in line"
                " {line}.",
                number=bye.player, bye=bye.kind, round=bye.round, line=players[bye.player].line,
            )  # fmt: skip


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
            total += tenths[cell.colour.upper() + _SIGNS["played"].get(cell.result, "L")]
    return {total + games * tenths.get("X", tenths["WD"]) for games in range(unknown + 1)}
