"""A season that follows another: its members, their order, its rules."""

from keizer import messages
from keizer.errors import KeizerError
from keizer.messages import Message, plural, say
from keizer.season import presets, rules, tournaments
from keizer.season.people import roster
from keizer.season.queries import Conn, File, Tournament

_LISTED = 8

ORDERS = ("ranking", "rating")
"""By what a start order is made: the last standings, or ratings."""


def former(conn: Conn, wanted: str | None) -> Tournament:
    """The tournament named; else the only running one, else the latest of the file."""
    every = tournaments.every(conn)
    running = [row for row in every if row["status"] == "running"]
    if wanted is None and every and len(running) != 1:
        wanted = f"#{every[-1]['id']}"
    return tournaments.find_tournament(conn, wanted)


def follow(
    tournament: Tournament,
    last: Tournament,
    *,
    order: str = "ranking",
    same_rules: bool = False,
) -> list[Message]:
    """Enter the members of last season into a new tournament; what was done, in messages.

    Everybody in the other file keeps their number; who has withdrawn is not entered. order: the
    start order, by `ranking` (the last standings) or `rating` (today's). same_rules: the rules
    and the prohibited pairings come too.
    """
    if last.conn is not tournament.conn:
        _copy_persons(last.conn, tournament.conn)
    if same_rules:
        _take_rules(tournament, last)
    kinds = roster.unplayed_kinds(tournament)
    entries = last.records("by_last_standings")
    withdrawn = [entry["name"] for entry in entries if entry["last_round"] is not None]
    entered = [entry for entry in entries if entry["last_round"] is None]
    with tournaments.suspended(tournament):
        for place, entry in enumerate(entered, 1):
            rank = place if order == "ranking" else None
            tournament.insert(
                "x_player_tournament",
                player_id=entry["player_id"],
                tournament_id=tournament.id,
                start_rank=rank,
                absent_as=entry["absent_as"] if entry["absent_as"] in kinds else None,
            )
        if same_rules:
            here = {entry["player_id"] for entry in entered}
            for row in last.records("prohibited"):
                if row["player_id"] in here:
                    tournament.insert(
                        "prohibited_pairing", tournament_id=tournament.id, **row
                    )
    before = last.now.name
    ordered = {
        "ranking": say("in the order of its last standings"),
        "rating": say("by rating"),
    }
    said = [
        plural(
            "{number:,} member of “{last}” entered, {ordered}.",
            "{number:,} members of “{last}” entered, {ordered}.",
            len(entered),
            last=before,
            ordered=ordered[order],
        )
    ]
    if withdrawn:
        left = messages.first(withdrawn, _LISTED)
        said.append(say("Left out, withdrawn: {names}.", names=left))
    if same_rules:
        said.append(say("The rules are those of “{last}”.", last=before))
    name = tournament.now.name
    tournament.describe("new tournament {name}, after “{last}”", name=name, last=before)
    return said


def _copy_persons(theirs: Conn, ours: Conn) -> None:
    """Copy everybody of another file, with their numbers, into one that has nobody."""
    if File(ours).scalar("SELECT count(*) FROM player"):
        raise KeizerError(
            "the file has members of its own: --from begins a new file, or names the file itself."
        )
    columns = ", ".join(("id", "name", *roster.DETAILS))
    for person in theirs.execute(
        f"SELECT {columns} FROM player ORDER BY id"
    ).fetchall():
        File(ours).insert("player", **dict(person))


def _take_rules(tournament: Tournament, last: Tournament) -> None:
    known = roster.unplayed_kinds(tournament)
    for kind in roster.unplayed_kinds(last):
        if kind not in known:
            rules.add_kind(tournament, kind)
    settings = (
        str(rule) for rule in rules.listed(last) if rule.key not in ("name", "status")
    )
    presets.set_rules(tournament, [*settings])
