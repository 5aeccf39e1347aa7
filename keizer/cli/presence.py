"""The commands about who comes: absent, present."""

from collections import Counter
from functools import partial
from typing import Annotated

from keizer import KeizerError
from keizer.acts import presence as acts
from keizer.cli import output, session
from keizer.cli.options import AnyMembers, Lines, Style, option
from keizer.messages import Fact, listed, say, term
from keizer.season import views

absent = session.act(acts.absent)


@partial(session.command, act=acts.present)
def present(
    season: session.CommandSession,
    players: AnyMembers,
    lines: Annotated[
        list[str] | None,
        option(
            "A file with one name per line, or `Baker: excused`; - reads standard"
            " input.",
            "--list",
            type=Lines(),
        ),
    ],
    others: Annotated[
        str | None, option("With --list: the absence of all others.", metavar="KIND")
    ],
    style: Style,
    *,
    by_default: bool,
    rounds: list[int] | None,
) -> None:
    """Show who comes to the coming round, or sign players on.

    Brackets mean that a player has not signed on or off; their usual presence counts.
    The last column shows their absences so far, and how many may bring points.

    Examples:
        keizer present club.db
        keizer present club.db Baker "J. Smith"
        keizer present club.db --list tonight.txt --others excused
    """
    # The command has three uses. Names sign these players on; --list signs on and off,
    # by a file; without either the command shows who comes, perhaps as JSON or CSV.
    has_names = bool(players)
    has_list = lines is not None
    is_for_program = style is not None
    if others and not has_list:
        raise KeizerError("--others needs --list.")
    if [has_names, has_list, is_for_program].count(True) > 1:
        raise KeizerError("use names or --list; --json and --csv only show the list.")
    # --round and --by-default are about names. With --by-default the players named come
    # to every round unless they sign off, so that it does not go with --round.
    if rounds and (by_default or not has_names):
        raise KeizerError("--round needs names: the list is about the coming round.")
    if by_default and not has_names and not has_list:
        raise KeizerError("name the players: keizer present DB NAME... --by-default.")

    if has_names:
        done = season.do(acts.present, *players, by_default=by_default, rounds=rounds)
        output.announce(done.said)
    elif lines is not None:
        done = season.do(acts.take_list, lines, others=others)
        (number,) = done.rounds  # a list is about one round, the coming one
        with season.reading() as tournament:
            rows = views.presence(tournament)
        counts = _counts_message(rows)
        output.print_lines(say("Round {round}: {counts}.", round=number, counts=counts))
    else:
        _show(season, style)


def _counts_message(rows: list[views.Row]) -> Fact:
    """Return a message such as “18 present, 2 excused”.

    rows: a row for each player; its `absence` is a kind of absence, or None.
    """
    absences = Counter(row["absence"] for row in rows if row["absence"])
    counts = [say("{number} present", number=len(rows) - absences.total())]
    for kind, number in sorted(absences.items()):
        counts.append(say("{number} {kind}", number=number, kind=term(kind)))
    return listed(counts)


def _show(season: session.CommandSession, style: str | None) -> None:
    """Print who comes to the coming round, for people or as JSON or CSV.

    style: "json", "csv" or None for people.
    """
    with season.reading() as tournament:
        rows = views.presence(tournament)
        now = tournament.now
    if style is not None:
        output.print_for_program(rows, views.PRESENCE, style)
        return
    heading = say(
        "{name}, round {round} ({state}): {counts}",
        name=now.name,
        round=now.coming_round,
        counts=_counts_message(rows),
        state=say("a draft") if now.draft else say("not paired yet"),
    )
    output.heading(heading)
    headings = {
        "name": say("Name"),
        "comes": say("Comes"),
        "usually": "",
        "so_far": say("Absent so far"),
    }
    cells = {"comes": _presence_message, "usually": _default_message}
    output.table(rows, headings, cells=cells)


def _default_message(row: views.Row) -> Fact:
    """Return a message about members who are absent unless they sign on.

    It names their usual kind of absence. For members who come unless they sign off it
    is "".
    """
    kind = row["usually"]
    if kind == "present":
        return ""
    return say("{kind} unless they sign on", kind=term(kind))


def _presence_message(row: views.Row) -> Fact:
    """Return “present”, or the kind of absence.

    It is in brackets if the member has not signed on or off, so that their default
    counts.
    """
    kind = row["absence"]
    presence = term(kind) if kind else say("present")
    if row["by_default"]:
        return say("({kind})", kind=presence)
    return presence
