"""Who comes tonight: absent, present."""

from collections.abc import Iterable
from itertools import groupby
from typing import Annotated

from keizer import KeizerError, club
from keizer.cli import output, session
from keizer.cli.options import AnyMembers, Members, Rounds, Style, Typed, flag, option
from keizer.season import names, tournaments, views
from keizer.season import presence as who


@session.command
def absent(
    season: session.Season,
    players: Members,
    kind: Annotated[str, option("excused (default), unexcused, club duty, ...", default="excused")],
    by_default: Annotated[bool, flag("In every round, unless they sign on.")],
    rounds: Rounds,
) -> None:
    """Sign players off from the coming round, or from other rounds.

    While the pairing is a draft, a player who signs off gives up their seat in it.

    \b
    Example: keizer absent club.db Baker "J. Smith"
             keizer absent club.db Carter --kind "club duty" --round 7-9
             keizer absent club.db White --by-default
    """
    if by_default and rounds:
        raise KeizerError("--by-default is about every round: leave --round out.")
    _say(season, players, kind, rounds, by_default=by_default)


@session.command
def present(
    season: session.Season,
    players: AnyMembers,
    listed: Annotated[
        list[str] | None,
        option("A name a line, or `Baker: excused`; - is standard input.", "--list", type=Typed()),
    ],
    others: Annotated[
        str | None,
        option("With --list: the absence of all others.", metavar="KIND"),
    ],
    by_default: Annotated[bool, flag("In every round, unless they sign off.")],
    rounds: Rounds,
    style: Style,
) -> None:
    """Show who comes to the coming round, or sign players on.

    Brackets mean that a player has not signed on or off, so that their default presence
    counts. The last column has their absences so far, and how many are credited at most.

    \b
    Example: keizer present club.db
             keizer present club.db Baker "J. Smith"
             keizer present club.db --list tonight.txt --others excused
    """
    if others and listed is None:
        raise KeizerError("--others needs --list.")
    if sum(map(bool, (players, listed is not None, style))) > 1:
        raise KeizerError("use names or --list; --json and --csv only show the list.")
    if rounds and (by_default or not players):
        raise KeizerError("--round needs names: the list is about the coming round.")
    if players:
        _say(season, players, None, rounds, by_default=by_default)
    elif listed is not None:
        _take_list(season, listed, others)
    elif by_default:
        raise KeizerError("say who: keizer present DB NAME... --by-default.")
    else:
        _show(season, style)


def _say(
    season: session.Season,
    players: Iterable[str],
    kind: str | None,
    rounds: list[int] | None,
    *,
    by_default: bool,
) -> None:
    """Say of players what they are absent as, or without a kind that they come."""
    with season.writing() as (conn, chosen):
        matched = club.matched(conn, chosen, players)
        if by_default:
            said = who.by_default(conn, chosen, matched, kind)
        elif kind is None:
            said = who.sign_on(conn, chosen, matched, rounds=rounds or ())
        else:
            said = who.sign_off(conn, chosen, matched, kind=kind, rounds=rounds or ())
        season.tell_unseated(conn, chosen)
        if kind and not (rounds or by_default):
            season.tell_seated(conn, chosen, matched)
    output.say(f"{said}.")


def _take_list(season: session.Season, lines: list[str], others: str | None) -> None:
    with season.writing() as (conn, chosen):
        number = who.take_list(conn, chosen, lines, others)
        counted = views.presence(conn, chosen)
        season.tell_unseated(conn, chosen)
    output.say(f"Round {number}: {_counts(counted)}.")


def _counts(found: list[views.Row]) -> str:
    """How many come, and how many are absent of each kind."""
    away = sorted(row["absence"] for row in found if row["absence"])
    kinds = [f"{len(list(same))} {kind}" for kind, same in groupby(away)]
    return names.listed([f"{len(found) - len(away)} present", *kinds])


def _show(season: session.Season, style: str | None) -> None:
    with season.reading() as (conn, chosen):
        found = views.presence(conn, chosen)
        number = tournaments.coming_round(conn, chosen)
        state = "a draft" if tournaments.draft(conn, chosen) else "not paired yet"
        heading = f"{views.name(conn, chosen)}, round {number} ({state})"
    headings = "name, comes, usually:, so_far: Absent so far"
    cells = {"comes": _comes, "usually": _usually}
    title = f"{heading}: {_counts(found)}"
    output.listing(found, views.PRESENCE, style, title, headings, cells=cells)


def _usually(row: views.Row) -> str:
    return "" if row["usually"] == "present" else f"{row['usually']} unless they sign on"


def _comes(row: views.Row) -> str:
    """What is known of a member's evening; in brackets what holds by default."""
    said = str(row["absence"] or "present")
    return f"({said})" if row["by_default"] else said
