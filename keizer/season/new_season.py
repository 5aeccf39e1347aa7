"""Begin a season with the members of the last one, in an order, and maybe its rules."""

from keizer.errors import KeizerError
from keizer.messages import Message, first, plural, say
from keizer.season import presets, rules, tournaments
from keizer.season.people import roster
from keizer.season.queries import Conn, File, Record, Tournament

# The most members that are named in a message.
_LISTED = 8

ORDERS = ("ranking", "rating")
"""The ways to make a start order: by the last standings, or by ratings."""


def find_former_season(conn: Conn, wanted: str | None) -> Tournament:
    """Return the tournament that a new season follows.

    wanted: what was typed for it. None means the only running tournament of the file,
    or the latest tournament if none or several are running.
    """
    if wanted is None:
        rows = tournaments.list_tournaments(conn)
        running = [row for row in rows if row["status"] == "running"]
        if rows and len(running) != 1:
            latest = rows[-1]["id"]
            wanted = f"#{latest}"
    return tournaments.find_tournament(conn, wanted)


def enter_members_of(
    tournament: Tournament,
    former: Tournament,
    *,
    order: str = "ranking",
    same_rules: bool = False,
) -> list[Message]:
    """Enter the members of the former season into a new tournament; return messages.

    Those who have withdrawn are not entered. From another file, all persons are copied
    with their numbers.
    order: the start order, `ranking` by the last standings or `rating` by the ratings
    of today. same_rules: also copy the rules and the prohibited pairings.
    """
    if former.conn is not tournament.conn:
        _copy_persons(former.conn, tournament.conn)
    if same_rules:
        _copy_rules(tournament, former)
    entries = former.records("by_last_standings")
    withdrawn = [entry["name"] for entry in entries if entry["last_round"] is not None]
    staying = [entry for entry in entries if entry["last_round"] is None]
    with tournaments.revaluation_suspended(tournament):
        _enter_all(tournament, staying, in_this_order=order == "ranking")
        if same_rules:
            _copy_prohibited_pairings(tournament, former, staying)
    last_name = former.now.name
    tournament.describe(
        "new tournament {name}, after “{last}”",
        name=tournament.now.name,
        last=last_name,
    )
    orders = {
        "ranking": say("in the order of its last standings"),
        "rating": say("by rating"),
    }
    messages = [
        plural(
            "{number:,} member of “{last}” entered, {ordered}.",
            "{number:,} members of “{last}” entered, {ordered}.",
            len(staying),
            last=last_name,
            ordered=orders[order],
        )
    ]
    if withdrawn:
        names = first(withdrawn, _LISTED)
        messages.append(say("Left out, withdrawn: {names}.", names=names))
    if same_rules:
        messages.append(say("The rules are those of “{last}”.", last=last_name))
    return messages


def _copy_persons(source: Conn, target: Conn) -> None:
    """Copy all persons of a file, with their numbers, into a file without persons."""
    file = File(target)
    if file.scalar("SELECT count(*) FROM player"):
        raise KeizerError(
            "the file has members of its own: --from begins a new file, or names the"
            " file itself."
        )
    columns = ", ".join(("id", "name", *roster.DETAILS))
    persons = source.execute(f"SELECT {columns} FROM player ORDER BY id").fetchall()
    for person in persons:
        file.insert("player", **dict(person))


def _copy_rules(tournament: Tournament, last: Tournament) -> None:
    """Copy the rules of another tournament, and the kinds of unplayed rounds it has."""
    present = roster.unplayed_kinds(tournament)
    for kind in roster.unplayed_kinds(last):
        if kind not in present:
            rules.add_kind(tournament, kind)
    settings = [
        str(rule)
        for rule in rules.list_rules(last)
        if rule.key not in ("name", "status")
    ]
    presets.set_rules(tournament, settings)


def _enter_all(
    tournament: Tournament, entries: list[Record], *, in_this_order: bool
) -> None:
    """Enter members of the former season.

    in_this_order: the order of the entries is the start order; else it is by rating.
    Members who are absent by default stay so, if the tournament has their kind.
    """
    kinds = roster.unplayed_kinds(tournament)
    for place, entry in enumerate(entries, 1):
        absent_as = entry["absent_as"]
        tournament.insert(
            "x_player_tournament",
            player_id=entry["player_id"],
            tournament_id=tournament.id,
            start_rank=place if in_this_order else None,
            absent_as=absent_as if absent_as in kinds else None,
        )


def _copy_prohibited_pairings(
    tournament: Tournament, last: Tournament, entries: list[Record]
) -> None:
    """Copy the prohibited pairings of another tournament, for those who entered.

    entries: of the members who entered.
    """
    entered = {entry["player_id"] for entry in entries}
    for row in last.records("prohibited"):
        if row["player_id"] in entered:
            tournament.insert("prohibited_pairing", tournament_id=tournament.id, **row)
