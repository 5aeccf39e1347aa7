"""Begin a season with the members of the last one, in an order, and maybe its rules."""

from keizer.errors import KeizerError
from keizer.messages import Message, plural, say, shortened_list
from keizer.season import presets, rules, tournaments
from keizer.season.people import roster
from keizer.season.queries import Conn, File, Record, Tournament

# The most members that are named in a message.
_LISTED = 8

ORDERS = ("ranking", "rating")
"""The ways to make a start order: by the last standings, or by ratings."""


def find_former_season(conn: Conn, wanted: str | None) -> Tournament:
    """Return the tournament of last season, which a new season follows.

    wanted: its name or number, as typed. None means the only running tournament of the
    file or, if none or several are running, the one added last.
    Raises KeizerError if there is no such tournament.
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
    """Enter the members of the former season into a new tournament; note it on the log.

    Return messages for people. Members who have withdrawn are not entered. If the
    former season is in another file, all its persons are copied first, with their
    numbers.
    former: the tournament of the former season.
    order: the start order, `ranking` by the last standings or `rating` by the ratings
    of today. same_rules: also copy the rules, and who must not be paired together.
    Raises KeizerError if persons would be copied into a file that has some already.
    """
    if former.conn is not tournament.conn:
        _copy_persons(former.conn, tournament.conn)
    if same_rules:
        _copy_rules(tournament, former)
    entries = former.records("by_last_standings")
    withdrawn = [entry["name"] for entry in entries if entry["last_round"] is not None]
    staying = [entry for entry in entries if entry["last_round"] is None]
    # The standings are computed once, after the last member.
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
        names = shortened_list(withdrawn, _LISTED)
        messages.append(say("Left out, withdrawn: {names}.", names=names))
    if same_rules:
        messages.append(say("The rules are those of “{last}”.", last=last_name))
    return messages


def _copy_persons(source: Conn, target: Conn) -> None:
    """Copy all persons of a file into another file, with their numbers (player.id).

    Raises KeizerError if the other file has persons already, whose numbers may be the
    same. Not called for two seasons in one file, which share its persons.
    """
    file = File(target)
    # The error names two ways out: `init` with a new file, or --from with the file
    # itself, which is for a new tournament of members who are in the file already.
    if file.scalar("SELECT count(*) FROM player"):
        raise KeizerError(
            "the file has members of its own: --from begins a new file, or names the"
            " file itself."
        )
    columns = ", ".join(("id", "name", *roster.DETAILS))
    persons = source.execute(f"SELECT {columns} FROM player ORDER BY id").fetchall()
    for person in persons:
        file.insert("player", **dict(person))


def _copy_rules(tournament: Tournament, former: Tournament) -> None:
    """Copy the rules of the former season into a tournament.

    Kinds of unplayed rounds that its club has added, such as holidays, are added too.
    """
    # First the kinds, as rules say what each of them scores.
    existing_kinds = roster.unplayed_kinds(tournament)
    for kind in roster.unplayed_kinds(former):
        if kind not in existing_kinds:
            rules.add_kind(tournament, kind)
    # The list has the tournament's name and status as rules, and these are its own.
    settings = [
        str(rule)
        for rule in rules.list_rules(former)
        if rule.key not in ("name", "status")
    ]
    presets.set_rules(tournament, settings)


def _enter_all(
    tournament: Tournament, entries: list[Record], *, in_this_order: bool
) -> None:
    """Enter members of the former season into a tournament.

    Members who were absent by default still are, if the tournament has their kind of
    absence.
    entries: of the former season, with the columns player_id and absent_as, which is
    the kind of absence by default or None.
    in_this_order: True if the order of the entries is to be the start order; False if
    it is to be made by rating.
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
    tournament: Tournament, former: Tournament, entries: list[Record]
) -> None:
    """Copy who must not be paired together, as far as they entered the new season.

    A row of table prohibited_pairing is a player with the name of a family or team.
    Players of the same name are never paired.
    entries: of the members who entered.
    """
    entered = {entry["player_id"] for entry in entries}
    for row in former.records("prohibited"):
        if row["player_id"] in entered:
            tournament.insert("prohibited_pairing", tournament_id=tournament.id, **row)
