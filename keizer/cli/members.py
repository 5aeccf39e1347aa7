"""The commands about members: add, withdraw, players, player."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

from keizer import KeizerError
from keizer.acts import members as acts
from keizer.cli import options, output, session
from keizer.cli.options import DryRun, Member, Style, Yes, flag, option
from keizer.cli.rules import show_moves
from keizer.messages import Fact, plural, say, term
from keizer.season.names.finding import find_person
from keizer.season.people import members

add = session.act(acts.add)
withdraw = session.act(acts.withdraw)


@session.command
def players(
    season: session.CommandSession,
    everybody: Annotated[
        bool, flag("Also those who did not enter this tournament.", "--all")
    ],
    style: Style,
) -> None:
    """List the members: number, name, category, rating, games.

    Examples:
        keizer players club.db
        keizer players club.db --csv
    """
    with season.reading() as tournament:
        rows = members.list_members(tournament, whole_file=everybody)
        now = tournament.now
    if style is not None:
        output.print_for_program(rows, members.COLUMNS, style)
        return
    count = plural("{number:,} member", "{number:,} members", len(rows))
    output.heading(say("{name}: {members}", name=now.name, members=count))
    headings = {
        "number": say("No."),
        "name": say("Name"),
        "category": say("Category"),
        "rating": say("Rating"),
        "games": say("Games"),
        "state": "",
    }
    cells = {"state": partial(_state_message, coming_round=now.coming_round)}
    output.table(rows, headings, cells=cells)


def _state_message(row: Mapping[str, Any], coming_round: int) -> Fact:
    """Return why a member does not play in the coming round, such as a withdrawal.

    For members who play unless they sign off it is "".

    row: a row of `members.list_members`.
    """
    if row["state"] is None:
        return say("not in this tournament")
    if row["last_round"] is not None:
        return say("withdrawn after round {round}", round=row["last_round"])
    if row["first_round"] > max(coming_round, 1):
        return say("from round {round}", round=row["first_round"])
    default_absence = row["absent_as"]  # None if they come by default
    if not default_absence:
        return ""
    return say("{kind} unless they sign on", kind=term(default_absence))


@partial(session.command, act=acts.correct_member)
def player(
    season: session.CommandSession,
    player: Member,
    merge: Annotated[
        str | None,
        option("A second entry of the person, to be one with this.", metavar="NAME"),
    ],
    remove: Annotated[bool, flag("Remove a player who has no game.")],
    dry_run: DryRun,
    yes: Yes,
    style: Style,
    **details: Any,
) -> None:
    """Show a member's details, or correct them.

    Give `none` to remove a detail. Until the first round is paired, changing the rating
    changes the start rating, too. After that keizer shows who would move, and at a
    terminal asks first. With --merge, --name says which name to keep.

    Examples:
        keizer player club.db Baker
        keizer player club.db Baker --name "Judith Baker" --category B
        keizer player club.db Baker --start-rating 1840 --dry-run
        keizer player club.db Baker --merge "Judy Baker"
    """
    changes = options.typed_values(details)
    if remove and (changes or merge):
        raise KeizerError("--remove takes the player out: leave out the other options.")
    if merge and changes.keys() - {"name"}:
        raise KeizerError(
            "--merge makes one player of two: correct that player afterwards."
        )
    if not (changes or merge or remove):
        _show(season, player, style)
        return
    # Three acts share this command; each takes the player.
    act: Callable[..., Any] = acts.correct_member
    if remove:
        act = acts.remove
    elif merge:
        act = acts.merge
        changes["other"] = merge
    values = {"player": player, **changes}
    change = session.consider(season, act, values, dry_run=dry_run, yes=yes)
    if not style:
        output.announce(change.returned.said)
    if dry_run:
        show_moves(change.moves, style)


def _show(season: session.CommandSession, name: str, style: str | None) -> None:
    """Print the details of a member, for people a line each, or as JSON or CSV.

    name: the name or number of the member, as it was typed.
    style: "json", "csv" or None for people.
    """
    with season.reading() as tournament:
        person = find_person(tournament, name)
        # One row, also if the person did not enter this tournament.
        rows = members.list_members(tournament, person.id, whole_file=True)
        coming_round = tournament.now.coming_round
    if style is not None:
        output.print_for_program(rows, members.COLUMNS, style)
        return
    (row,) = rows
    output.heading(say("{name} (#{number})", name=row["name"], number=row["number"]))
    # If no message tells why they do not play, it is the word in the file: “active”. A
    # person who did not enter the tournament has no such word, but always a message.
    state = _state_message(row, coming_round) or term(row["state"])
    details = row | {"state": state}
    # The first two columns, number and name, are in the heading already.
    entries = [
        output.Entry(term(column.replace("_", " ")), details[column])
        for column in members.COLUMNS[2:]
        if details[column] is not None
    ]
    output.wrapped(entries)
