"""Who comes tonight: absent, present."""

from collections.abc import Iterable
from itertools import groupby
from typing import TextIO

import click

from keizer import KeizerError
from keizer.cli import options, output, session
from keizer.season import names, roster, tournaments, views
from keizer.season import presence as who
from keizer.store import steps


def _rounds(numbers: list[int]) -> str:
    return f"round{'' if len(numbers) == 1 else 's'} {names.listed(numbers)}"


@click.command()
@options.database
@options.members()
@options.kind("excused (default), unexcused, club duty, ...")
@click.option("--by-default", is_flag=True, help="Whenever they do not say that they come.")
@options.rounds
@options.tournament
def absent(
    database: str,
    players: tuple[str, ...],
    kind: str,
    by_default: bool,
    rounds: list[int] | None,
    tournament: str | None,
) -> None:
    """Sign players off from the coming round, or from others.

    While the pairing is a draft, who signs off gives up his seat in it.

    \b
    Example: keizer absent club.db Baker "J. Smith"
             keizer absent club.db Carter --kind "club duty" --round 7-9
             keizer absent club.db White --by-default
    """
    if by_default and rounds:
        raise KeizerError("--by-default is for every round: leave --round out.")
    with session.writing(database, tournament) as (conn, chosen):
        matched = session.matched(conn, chosen, players)
        listed = ", ".join(matched.values())
        if by_default:
            who.by_default(conn, chosen, matched, kind)
            said = f"Absent unless they say so, {names.kind(kind)}: {listed}."
        else:
            numbers = who.sign_off(conn, chosen, matched, kind=kind, rounds=rounds or ())
            said = f"{_rounds(numbers).capitalize()}, {names.kind(kind)}: {listed}."
        steps.describe(conn, said.rstrip("."))
        session.tell_unseated(conn, chosen)
    output.say(said)


@click.command()
@options.database
@options.members(required=False)
@click.option(
    "--list",
    "listed",
    type=options.Typed(),
    metavar="FILE",
    help="A name a line, who is here; `Baker: excused`, who is not (- for standard input).",
)
@click.option(
    "--others",
    metavar="KIND",
    help="With --list: what everybody else is.",
    shell_complete=options.offers("kinds"),
)
@click.option("--ask", is_flag=True, help="Ask for one member after the other.")
@click.option("--by-default", is_flag=True, help="Whenever they do not sign off.")
@options.rounds
@options.formats
@options.tournament
def present(
    database: str,
    players: tuple[str, ...],
    listed: TextIO | None,
    others: str | None,
    ask: bool,
    by_default: bool,
    rounds: list[int] | None,
    style: str | None,
    tournament: str | None,
) -> None:
    """Show who comes to the coming round, or say that players come after all.

    The list has every member by name; what stands in brackets he has not said: it
    is how he usually does. Beside it, how often he was absent so far, of the most
    that are credited.

    \b
    Example: keizer present club.db
             keizer present club.db Baker "J. Smith"
             keizer present club.db --list tonight.txt --others excused
             keizer present club.db --ask
    """
    if others and listed is None:
        raise KeizerError("--others goes with --list.")
    if sum(map(bool, (players, listed, ask, style))) > 1:
        raise KeizerError("say it with names, --list or --ask, one of them; --json and --csv show.")
    if rounds and (by_default or not players):
        raise KeizerError("--round goes with names: the list is of the coming round.")
    if players:
        _come(database, tournament, players, rounds, by_default=by_default)
    elif listed is not None:
        _take_list(database, tournament, listed, others)
    elif ask:
        _ask(database, tournament)
    elif by_default:
        raise KeizerError("say who: keizer present DB NAME... --by-default")
    else:
        _show(database, tournament, style)


def _come(
    database: str,
    tournament: str | None,
    players: Iterable[str],
    rounds: list[int] | None,
    *,
    by_default: bool,
) -> None:
    with session.writing(database, tournament) as (conn, chosen):
        matched = session.matched(conn, chosen, players)
        together = ", ".join(matched.values())
        if by_default:
            who.by_default(conn, chosen, matched, None)
            said = f"Present unless they sign off: {together}."
        else:
            numbers = who.sign_on(conn, chosen, matched, rounds=rounds or ())
            said = f"{_rounds(numbers).capitalize()}, present: {together}."
        steps.describe(conn, said.rstrip("."))
        session.tell_unseated(conn, chosen)
    output.say(said)


def _take_list(database: str, tournament: str | None, listed: TextIO, others: str | None) -> None:
    lines = listed.read().splitlines()
    with session.writing(database, tournament) as (conn, chosen):
        number = who.take_list(conn, chosen, lines, others)
        steps.describe(conn, f"the presence list of round {number}")
        counted = views.presence(conn, chosen)
        session.tell_unseated(conn, chosen)
    output.say(f"Round {number}: {_counts(counted)}.")


def _counts(found: list[views.Row]) -> str:
    """How many come, and how many are absent of each kind."""
    away = sorted(row["absence"] for row in found if row["absence"])
    kinds = [f"{len(list(same))} {kind}" for kind, same in groupby(away)]
    return names.listed([f"{len(found) - len(away)} present", *kinds])


def _show(database: str, tournament: str | None, style: str | None) -> None:
    with session.reading(database, tournament) as (conn, chosen):
        found = views.presence(conn, chosen)
        number = tournaments.coming_round(conn, chosen)
        state = "a draft" if tournaments.draft(conn, chosen) else "not paired yet"
        heading = f"{views.name(conn, chosen)}, round {number} ({state})"
    if output.emit(found, views.PRESENCE, style):
        return
    output.heading(f"{heading}: {_counts(found)}")
    for row in found:
        row["comes"] = _comes(row)
        row["usually"] = (
            "" if row["usually"] == "present" else f"{row['usually']} unless he says so"
        )
    headings = {"name": "Name", "comes": "Comes", "usually": "", "so_far": "Absent so far"}
    output.table(found, headings, shorten=["name"])


def _comes(row: views.Row) -> str:
    """What is known of a member's evening; in brackets what holds by default."""
    said = str(row["absence"] or "present")
    return f"({said})" if row["by_default"] else said


_HELP = "Enter keeps, p is present, e excused, u unexcused, c club duty; a kind; a name; < back; q"


def _ask(database: str, tournament: str | None) -> None:
    with session.reading(database, tournament) as (conn, chosen):
        found = views.presence(conn, chosen)
        number = tournaments.coming_round(conn, chosen)
        kinds = roster.unplayed_kinds(conn, chosen)
    if not found:
        raise KeizerError("nobody can take part in the coming round: `keizer add` enters players.")
    output.say(f"Round {number}. {_HELP} ends.")
    at, ask = 0, output.asker()
    while at < len(found):
        member = found[at]
        so_far = f", {member['so_far']}" if member["so_far"] else ""
        typed = ask(f"{at + 1}/{len(found)} {member['name']} [{_comes(member)}{so_far}]")
        if typed in (None, "q", "Q"):
            break
        try:
            at = _answered(database, tournament, number, found, at, str(typed), kinds)
        except KeizerError as error:
            output.say(f"  {error}")
    with session.reading(database, tournament) as (conn, chosen):
        counted = views.presence(conn, chosen)
        session.tell_unseated(conn, chosen)
    output.say(f"{_counts(counted).capitalize()}.")


def _answered(
    database: str,
    tournament: str | None,
    number: int,
    found: list[views.Row],
    at: int,
    typed: str,
    kinds: list[str],
) -> int:
    """Do what was typed about a member; who is next."""
    if not typed:
        return at + 1
    if typed == "<":
        return max(at - 1, 0)
    key = typed.casefold()
    kind = {"e": "excused", "u": "unexcused", "c": "club duty"}.get(key) or names.kind(typed)
    if key not in ("p", "present") and kind not in kinds:
        everybody = {row["player_id"]: row["name"] for row in found}
        wanted = names.match(typed, everybody)
        return next(there for there, row in enumerate(found) if row["player_id"] == wanted)
    member = found[at]
    with session.writing(database, tournament) as (conn, chosen):
        if kind in kinds:
            who.sign_off(conn, chosen, [member["player_id"]], kind=kind, rounds=[number])
        else:
            who.come(conn, chosen, number, member["player_id"])
        said = f"{member['name']} {kind if kind in kinds else 'present'} in round {number}"
        steps.describe(conn, said)
    member |= {"absence": kind if kind in kinds else None, "by_default": 0}
    return at + 1


COMMANDS = (absent, present)
