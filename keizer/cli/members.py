"""The members: add, withdraw, players, player."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import click

from keizer import KeizerError, club
from keizer.cli import output, session
from keizer.cli.options import Member, Style, argument, flag, option, round_number
from keizer.cli.rules import agreed, show_moves
from keizer.season import members, roster, rules, tournaments, views
from keizer.season.queries import Conn
from keizer.texts import as_sentence, counted


@session.command
def add(
    season: session.Season,
    name: Annotated[str, argument()],
    rating: Annotated[
        int | None, option("Decides the start order; 0 is none.", type=click.IntRange(0, 4000))
    ],
    category: Annotated[str | None, option("Such as A, B or Youth.")],
    from_round: Annotated[
        int | None,
        round_number("The player's first round; the next one by default.", "--from-round", first=1),
    ],
    new: Annotated[bool, flag("Somebody else than a player of the same name, or nearly the same.")],
) -> None:
    """Enter a player, or take back a withdrawal.

    Example: keizer add club.db "Judit Baker" --rating 2110
    """
    with season.writing() as (conn, chosen):
        if not new:
            roster.check_new(conn, name)
        player = roster.enter(
            conn, chosen, name, rating=rating, category=category, from_round=from_round, new=new
        )
        said = roster.entered(conn, chosen, player, from_round)
        season.tell_unseated(conn, chosen)
    output.say(said)


@session.command
def withdraw(season: session.Season, name: Member) -> None:
    """Withdraw a player after the latest round; their games stay.

    Example: keizer withdraw club.db Baker
    """
    with season.writing() as (conn, chosen):
        player, stored = club.member(conn, chosen, name)
        last = roster.withdraw(conn, chosen, player)
        season.tell_unseated(conn, chosen)
    output.say(f"{stored} has withdrawn after round {last}.")


@session.command
def players(
    season: session.Season,
    everybody: Annotated[bool, flag("Also those who did not enter this tournament.", "--all")],
    style: Style,
) -> None:
    """List the members: number, name, category, rating, games.

    \b
    Example: keizer players club.db
             keizer players club.db --csv
    """
    with season.reading() as (conn, chosen):
        found = members.listed(conn, chosen, every=everybody)
        heading = f"{views.name(conn, chosen)}: {counted(len(found), 'member')}"
        coming = tournaments.coming_round(conn, chosen)
    headings = "number: No., name, category, rating, games, state:"
    cells = {"state": partial(_state, coming=coming)}
    output.listing(found, members.COLUMNS, style, heading, headings, cells=cells)


def _state(row: Mapping[str, Any], coming: int) -> str:
    """Whether a member plays, and from when."""
    if row["state"] is None:
        return "not in this tournament"
    if row["last_round"] is not None:
        return f"withdrawn after round {row['last_round']}"
    if row["first_round"] > max(coming, 1):
        return f"from round {row['first_round']}"
    return f"{row['absent_as']} unless they sign on" if row["absent_as"] else ""


class _OrNone(click.ParamType):  # type: ignore[type-arg]  # a generic from click 8.4 on
    """A value, or the word none, which removes what is there."""

    def __init__(self, type_: Any) -> None:
        self.type = type_
        self.name = "text" if type_ is click.STRING else "number"

    def convert(self, value: Any, *context: Any) -> Any:
        return () if str(value).casefold() == "none" else self.type.convert(value, *context)


def _detail(text: str, type_: Any = click.STRING) -> Any:
    return Annotated[Any, option(text, type=_OrNone(type_))]


_RATING = click.IntRange(0, 4000)
_DETAILS = {
    "name": Annotated[str | None, option("The name, corrected.")],
    "rating": _detail("Today's rating; 0 is none.", _RATING),
    "category": _detail("Such as A, B or Youth."),
    "title": _detail("Such as GM or WIM."),
    "fide_id": _detail("The number in FIDE's list.", click.IntRange(1)),
    "national_id": _detail("The number in the national list."),
    "federation": _detail("Three letters, such as NED."),
    "sex": _detail("m or w."),
    "born": _detail("A year, or a date, YYYY-MM-DD."),
    "start_rating": _detail("The rating that the start order goes by.", _RATING),
    "start_rank": _detail("A set place in the start order.", click.IntRange(1)),
    "first_round": Annotated[
        int | None, round_number("The first round to play in.", "--first-round", first=1)
    ],
}


def _player(
    season: session.Season,
    who: Member,
    other: Annotated[
        str | None,
        option("A second entry of the person, to be one with this.", "--merge", metavar="NAME"),
    ],
    remove: Annotated[bool, flag("Take out a player who has no game.")],
    dry_run: Annotated[bool, flag("Say what would change, and write nothing.")],
    yes: Annotated[bool, flag("Do not ask.")],
    style: Style,
    **details: Any,
) -> None:
    """Show a member, or correct what the file has of one.

    The word none removes what is there. Until a round is paired the start rating follows
    the rating; after that the command says who moves, and on a terminal asks first.

    \b
    Example: keizer player club.db Baker
             keizer player club.db Baker --name "Judith Baker" --category B
             keizer player club.db Baker --start-rating 1840 --dry-run
             keizer player club.db Baker --merge "Judy Baker"
    """
    changes = {name: value or None for name, value in details.items() if value is not None}
    if remove and (changes or other):
        raise KeizerError("--remove takes the player out: leave the other options away.")
    if not (changes or other or remove):
        _show(season, who, style)
        return
    of_person = bool(changes) and not other and members.ENTRY.keys().isdisjoint(changes)
    with season.trying() if dry_run else season.writing(finished=of_person) as (conn, chosen):
        tournaments.settle(conn)
        before = rules.standings(conn, chosen)
        said = _change(conn, chosen, who, changes, other, remove=remove)
        moved = list(rules.moves(before, rules.standings(conn, chosen)))
        if tournaments.current_round(conn, chosen) and not dry_run:
            agreed(moved, "the standings", ask=not yes)
    if not style:
        output.say(*map(as_sentence, said))
    if dry_run:
        show_moves(moved, style)


def _change(
    conn: Conn,
    tournament: int,
    who: str,
    changes: Mapping[str, Any],
    other: str | None,
    *,
    remove: bool,
) -> list[str]:
    """What was done, in sentences."""
    one, name = club.person(conn, tournament, who)
    if remove:
        return [members.remove(conn, tournament, one)]
    said = []
    if other:
        two, _ = club.person(conn, tournament, other)
        said.append(members.merge(conn, one, two))
    if changes:
        done = members.correct(conn, tournament, one, changes)
        said.append(f"{name}: {', '.join(done) or 'nothing to change'}")
    return said


def _show(season: session.Season, who: str, style: str | None) -> None:
    with season.reading() as (conn, chosen):
        one, _ = club.person(conn, chosen, who)
        found = members.listed(conn, chosen, one, every=True)
        coming = tournaments.coming_round(conn, chosen)
    if output.emit(found, members.COLUMNS, style):
        return
    (row,) = found
    output.heading(f"{row['name']} (#{row['number']})")
    shown = row | {"state": _state(row, coming) or row["state"]}
    output.wrapped(
        [
            (column.replace("_", " "), "", str(shown[column]))
            for column in members.COLUMNS[2:]
            if shown[column] is not None
        ]
    )


_player.__annotations__ = {"who": Member, **_DETAILS, **_player.__annotations__}
player = session.command(_player)
