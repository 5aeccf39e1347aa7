"""The club night: absent, present, next-round, swap, result."""

import sqlite3
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from keizer import KeizerError, names, roster, season, tables, undo
from keizer.cli import options, output, session


def _matched(conn: sqlite3.Connection, tournament: int, typed: Iterable[str]) -> dict[int, str]:
    entered = roster.players(conn, tournament)
    players = [names.match(name, entered) for name in typed]
    return {player: entered[player] for player in players}


@click.command()
@options.database
@click.argument("players", metavar="NAME...", nargs=-1, required=True)
@click.option("--kind", default="excused", help="excused (default), unexcused, club duty, ...")
@options.round_number("The round; the coming one by default.")
@options.tournament
def absent(
    database: Path,
    players: tuple[str, ...],
    kind: str,
    number: int | None,
    tournament: str | None,
) -> None:
    """Sign players off from a round.

    \b
    Example: keizer absent club.db Baker "J. Smith"
             keizer absent club.db Carter --kind "club duty" --round 7
    """
    with session.writing(database, tournament) as (conn, chosen):
        matched = _matched(conn, chosen, players)
        number = roster.sign_off(conn, chosen, matched, kind=kind, round_number=number)
        listed = ", ".join(matched.values())
        undo.describe(conn, f"{listed} absent from round {number}")
    click.echo(f"Round {number}, {names.kind(kind)}: {listed}.")


@click.command()
@options.database
@click.argument("players", metavar="NAME...", nargs=-1, required=True)
@options.round_number("The round; the coming one by default.")
@options.tournament
def present(
    database: Path, players: tuple[str, ...], number: int | None, tournament: str | None
) -> None:
    """Take back that players are absent from a coming round.

    Example: keizer present club.db Baker
    """
    with session.writing(database, tournament) as (conn, chosen):
        matched = _matched(conn, chosen, players)
        number = roster.sign_on(conn, chosen, matched, number)
        listed = ", ".join(matched.values())
        undo.describe(conn, f"{listed} present in round {number}")
    click.echo(f"Round {number}, present: {listed}.")


@click.command("next-round")
@options.database
@click.option("--why", is_flag=True, help="Say of every board why it is as it is.")
@click.option(
    "--pair",
    "settled",
    nargs=2,
    multiple=True,
    metavar="WHITE BLACK",
    help="Let these two meet; the others are paired after. Can be repeated.",
)
@click.option("--bye", metavar="NAME", help="Let this player sit out.")
@click.option("--dry-run", is_flag=True, help="Show the pairing and write nothing.")
@click.option("--allow-open", is_flag=True, help="Pair although boards of the last round are open.")
@options.formats
@options.tournament
def next_round(
    database: Path,
    why: bool,
    settled: tuple[tuple[str, str], ...],
    bye: str | None,
    dry_run: bool,
    allow_open: bool,
    style: str | None,
    tournament: str | None,
) -> None:
    """Pair the next round by Keizer rank.

    Everybody who is not signed off is paired; an odd player out gets the bye.
    A rule that could not be kept is named, with the reason.

    \b
    Example: keizer next-round club.db --why
             keizer next-round club.db --pair Baker Carter --bye "J. Smith"
    """
    from keizer import rounds

    begin = session.trying if dry_run else session.writing
    with begin(database, tournament) as (conn, chosen):
        if dry_run and tables.stale_from(conn, chosen) is not None:
            raise KeizerError(
                "the standings are behind: the revaluation is suspended in this file"
                " (set tournament.revaluation to 'on')."
            )
        fixed = [tuple(_matched(conn, chosen, names)) for names in settled]
        if any(len(ids) == 1 for ids in fixed):
            raise KeizerError("a player cannot meet himself.")
        sits_out = next(iter(_matched(conn, chosen, [bye]))) if bye else None
        paired = rounds.next_round(
            conn,
            chosen,
            allow_open=allow_open,
            fixed=[(ids[0], ids[1]) for ids in fixed],
            bye=sits_out,
        )
        sheet = tables.pairings(conn, chosen, paired.number)
        given_up = tables.relaxations(conn, chosen, paired.number) if paired.given_up else []
        reasons = tables.pairing_reasons(conn, chosen, paired.number) if why else []
        if not dry_run:
            undo.describe(conn, f"pairing of round {paired.number}")
    if style:
        output.emit(reasons if why else sheet, tables.REASONS if why else tables.PAIRINGS, style)
    else:
        click.echo(f"Round {paired.number}" + (" (dry run, nothing written)" if dry_run else ""))
        output.table(sheet, {"board": "Board", "white": "White", "black": "Black", "result": ""})
        output.reasons(reasons)
    for rule in given_up:
        click.echo(f"Could not be avoided: {rule['sentence']}. {rule['why']}", err=True)
    if paired.postponed:
        boards = ", ".join(map(str, paired.postponed))
        click.echo(f"Still open in round {paired.number - 1}: board {boards}.", err=True)


@click.command()
@options.database
@click.argument("one", metavar="NAME")
@click.argument("two", metavar="NAME")
@click.option("--anyway", is_flag=True, help="Even if a rule of pairing is then broken.")
@options.tournament
def swap(database: Path, one: str, two: str, anyway: bool, tournament: str | None) -> None:
    """Let two players change places in the last round.

    Two who meet each other change colours; who sits out changes with who plays.

    Example: keizer swap club.db Baker Carter
    """
    from keizer.swap import swap as change_places

    with session.writing(database, tournament) as (conn, chosen):
        both = _matched(conn, chosen, (one, two))
        if len(both) == 1:
            raise KeizerError("a player cannot change places with himself.")
        number, changed = change_places(conn, chosen, *both, anyway=anyway)
        undo.describe(conn, f"swap of {' and '.join(both.values())} in round {number}")
    for board, seated in changed:
        where = "bye" if board is None else f"board {board}"
        click.echo(f"Round {number}, {where}: {' – '.join(seated)}")


class _ResultCommand(click.Command):
    """Lets a result begin with a dash: -+ and -- are no options here."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        dashes = {"--": "−−", "-+": "−+", "---": "−−"}
        return super().parse_args(ctx, [dashes.get(arg, arg) for arg in args])


@click.command(cls=_ResultCommand)
@options.database
@click.argument("board")
@click.argument("result", required=False)
@options.round_number("The round; the last one by default.")
@options.tournament
def result(
    database: Path,
    board: str,
    result: str | None,
    number: int | None,
    tournament: str | None,
) -> None:
    """Enter or correct results.

    With BOARD “-” many are read from standard input, a board and a result a line.

    Results: 1-0, 0-1, = (or 1/2, ½-½), 0-0, forfeits +-, -+ and --, and open. Of a
    match of several games: 2-1, or 1-1-1 with those drawn.

    \b
    Example: keizer result club.db 3 1-0
             printf '1 1-0\\n2 =\\n' | keizer result club.db -
    """
    lines = sys.stdin.readlines() if board == "-" and result is None else None
    with session.writing(database, tournament) as (conn, chosen):
        most = season.match_games(conn, chosen)
        results = [_one(board, result, most)] if lines is None else _typed_results(lines, most)
        if not results:
            raise KeizerError("standard input has no results: a line is a board and a result.")
        number, entered = season.enter_results(conn, chosen, results, round_number=number)
        still_open = season.open_boards(conn, chosen, number)
        listed = ", ".join(f"{board} {result or 'open'}" for board, result in results)
        undo.describe(conn, f"results of round {number}: {listed}")
    for game in entered:
        corrected = game.before is not None and game.before != game.result
        click.echo(
            f"Round {number}, board {game.board}: {game.white} – {game.black}"
            f" {game.result or 'open'}" + (f" (was {game.before})" if corrected else "")
        )
    if still_open:
        click.echo(f"Still open: board {', '.join(map(str, still_open))}.")


def _one(board: str, typed: str | None, match_games: int) -> tuple[int, str | None]:
    if not (board.isascii() and board.isdecimal()):
        raise KeizerError(f"“{board}” is no board: it is a number from 1.")
    if typed is None:
        raise KeizerError(f"board {board} needs a result: 1-0, 0-1, =, 0-0, +-, -+, -- or open.")
    return int(board), names.result(typed, match_games)


def _typed_results(lines: list[str], match_games: int) -> list[tuple[int, str | None]]:
    results = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        board, _, typed = line.strip().partition(" ")
        try:
            results.append(_one(board, typed.strip() or None, match_games))
        except KeizerError as error:
            raise KeizerError(f"line {number}: {error}") from error
    return results


COMMANDS = (absent, present, next_round, swap, result)
