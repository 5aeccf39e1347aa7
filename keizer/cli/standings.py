"""What a club night is about: pairings, standings."""

from functools import partial
from typing import Annotated

from keizer import KeizerError
from keizer.cli import output
from keizer.cli.options import PRESET, SETTING, flag, option
from keizer.cli.session import LATEST, AfterRound, Report, report
from keizer.season import tournaments, views
from keizer.season.drafts import stale
from keizer.store import connection


@partial(report, rounds="The round; the latest one by default.", first=1)
def pairings(
    after: AfterRound, why: Annotated[bool, flag("Give the reasons for every board.")]
) -> Report:
    """Show the boards of a round, with results, and the bye.

    Example: keizer pairings club.db --round 3
    """
    sheet = views.pairings(*after)
    reasons = views.pairing_reasons(*after) if why else []
    proved = why and views.proved(*after)
    given_up = views.relaxations(*after)
    drafted = tournaments.draft(after.conn, after.tournament) == after.number
    changes = stale(after.conn, after.tournament) if drafted else []

    def show() -> None:
        none = "Nobody played; the absences count."
        output.table(sheet, "board, white, black, result", none=none)
        output.reasons(reasons, proved=proved)
        for rule in given_up:
            output.say(f"{rule['sentence']}." + (f" {rule['why']}" if why else ""))
        output.say(*changes, err=True)

    title = f"round {after.number}"
    if why:
        return Report(title, reasons, views.REASONS, show, sheet)
    return Report(title, sheet, views.PAIRINGS, show)


_LEAST = ("colours", "duty", "absences", "byes")
"""Columns of the standings that are left out first on a narrow terminal."""
_NEXT = ("lost", "drawn", "won", "played", "value")
"""Those that then make room for tie-breaks."""


@partial(report, rounds=LATEST)
def standings(
    after: AfterRound,
    published: Annotated[bool, flag("The standings as they were before rules were changed.")],
    system: Annotated[
        str | None,
        option("By classical points (points), or by a preset.", "--as", type=PRESET),
    ],
    settings: Annotated[
        tuple[str, ...],
        option("With this rule instead. Can be repeated.", "--rules", type=SETTING, multiple=True),
    ],
) -> Report:
    """Show the standings after a round, with the tie-breaks.

    Value is what a win over the player is worth in the next round. Points are
    classical points (1, ½, 0). The columns after them are the tie-breaks in use, games
    won, drawn and lost, byes, absences, club duty, and colours: W1 means one game more
    with White than with Black. Columns that do not fit into the width of the terminal
    are left out; --csv has them all.

    --as and --rules show another ranking of the same games beside the rank in the
    file, which stays as it is: --as points, --as swiss (or any preset), --rules
    tiebreaks=score,wins.

    \b
    Example: keizer standings club.db
             keizer standings club.db --as points
    """
    otherwise = " ".join((*([system] if system else []), *settings))
    if published and otherwise:
        raise KeizerError("--published is of the file's own rules: leave --as and --rules out.")
    provisional = views.provisional(*after)
    title = str(after) + (f", as if {otherwise}" if otherwise else "")
    title += f" (provisional: {provisional})" if provisional else ""
    if published:
        found = views.published(*after)
        table = partial(output.table, found, ", ".join(views.PUBLISHED))
        return Report(title, found, views.PUBLISHED, table)
    found, tiebreaks, values = _standings(after)
    columns: tuple[str, ...] = views.STANDINGS
    if otherwise:
        ranks = {row["player_id"]: row["rank"] for row in found}
        found, tiebreaks, values = _otherwise(after, system, settings)
        found = [{**row, "here": ranks[row["player_id"]]} for row in found]
        columns = ("rank", "here", *columns[1:])
    settled = None if otherwise else views.settled(*after)
    headings = {"rank": "Rank"}
    headings |= {"here": "Here"} if otherwise else {"change": ""}
    headings |= {"name": "Name"}
    headings |= {"value": "Value"} if values and system != "points" else {}
    headings |= {"score": "Score"} if system != "points" else {}
    headings |= {"points": "Points"} | {tiebreak: tiebreak.upper() for tiebreak in tiebreaks}
    headings |= output.titles("played: Games, won: +, drawn: =, lost: -, byes, absences: Abs, duty")
    headings |= {"colours": "Col"}

    def show() -> None:
        cells = {"colours": _colours, "change": _change}
        drop = (*_LEAST, *_NEXT, *tiebreaks[::-1]) if tiebreaks else _LEAST
        output.table(found, headings, cells=cells, drop=drop, left=["colours"])
        if settled:
            output.say(f"({settled})")

    return Report(title, found, (*columns, *tiebreaks), show)


_Standings = tuple[list[views.Row], list[str], bool]
"""The rows, the tie-breaks in use, and whether values count."""


def _standings(after: AfterRound) -> _Standings:
    conn, tournament, _ = after
    found = views.standings(*after)
    return found, views.telling(conn, tournament), views.has_values(conn, tournament)


def _otherwise(after: AfterRound, system: str | None, settings: tuple[str, ...]) -> _Standings:
    """The standings by other rules."""
    from keizer.season import presets, rules

    with connection.trial(after.conn) as copy:
        with tournaments.suspended(copy, after.tournament):
            if system:
                presets.as_if(copy, after.tournament, system)
            for setting in settings:
                rules.change(copy, after.tournament, setting)
        return _standings(after._replace(conn=copy))


def _change(row: views.Row) -> str:
    return f"{row['change']:+d}" if row["change"] else ""


def _colours(row: views.Row) -> str:
    """White less Black as on a sheet: W1, B2 or 0."""
    balance = row["balance"]
    return f"{'W' if balance > 0 else 'B'}{abs(balance)}" if balance else "0"
