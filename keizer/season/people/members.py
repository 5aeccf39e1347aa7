"""The persons of a file: listed, corrected, merged where one was entered twice, removed."""

from collections.abc import Mapping

from keizer import messages
from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season.names import spelling
from keizer.season.people import roster
from keizer.season.queries import Conn, File, Tournament
from keizer.season.tournaments import check_running, suspended
from keizer.season.views import Row, rows
from keizer.store.log import journal

COLUMNS = (
    "number", "name", "category", "rating", "title", "fide_id", "national_id", "federation",
    "sex", "born", "start_rank", "start_rating", "first_round", "last_round", "absent_as",
    "state", "games",
)  # fmt: skip
ENTRY = {
    "start_rank": "start_rank",
    "start_rating": "rating",
    "first_round": "first_round",
}
"""What a tournament has of a player that can be corrected: the column of the entry."""


def listed(
    tournament: Tournament, player: int | None = None, *, every: bool = False
) -> list[Row]:
    """The members of a tournament by name (columns COLUMNS), or one of them.

    every: also those of the file who did not enter it; their state is None. rating is
    today's, start_rating what the start order goes by; games those that have a result.
    """
    found = tournament.run("members", player=player, every=every)
    return sorted(
        rows(found), key=lambda row: (spelling.folded(row["name"]), row["number"])
    )


def correct(
    tournament: Tournament, player: int, changes: Mapping[str, roster.Detail]
) -> list[Message]:
    """Change what the file has of a player; what changed, as in `rating 1790 → 1820`.

    changes: by column, name, of roster.DETAILS or of ENTRY; None removes what is there.
    """
    (before,) = listed(tournament, player, every=True)
    person = {name: value for name, value in changes.items() if name not in ENTRY}
    if "name" in person:
        person["name"] = roster.check_name(
            tournament.conn, str(person["name"] or ""), besides=player
        )
    entry = {ENTRY[name]: value for name, value in changes.items() if name in ENTRY}
    if entry and before["state"] is None:
        raise KeizerError("{name} did not enter this tournament.", name=before["name"])
    roster.update(tournament.conn, "player", person, id=player)
    roster.update(
        tournament.conn,
        "x_player_tournament",
        entry,
        tournament_id=tournament.id,
        player_id=player,
    )
    (after,) = listed(tournament, player, every=True)
    said = messages.differences(before, after, changes)
    if said:
        tournament.describe("{name}: {changes}", name=before["name"], changes=said)
    return said


def remove(tournament: Tournament, player: int) -> Message:
    """Take out a player who has no game and no bye; what was done, a message.

    Who plays in no other tournament leaves the file.
    """
    name, entered = _name(tournament.conn, player), _entered(tournament.conn, player)
    if entered and tournament.id not in entered:
        raise KeizerError(
            "{name} did not enter this tournament, but {tournaments}.",
            name=name,
            tournaments=messages.listed([*entered.values()]),
        )
    seats = seated_in(tournament, player)
    if seats:
        raise KeizerError(
            "{name} has a game or a bye in {rounds}, which stays: `keizer withdraw DB NAME` lets a"
            " player go.",
            name=name,
            rounds=messages.rounds(seats),
        )
    with suspended(tournament):
        tournament.insert("z_merging", tournament_id=tournament.id, other_id=player)
    said = say(
        "{name} (#{player}) removed from the tournament", name=name, player=player
    )
    if not _entered(tournament.conn, player):
        tournament.delete("player", id=player)
        said = say("{name} (#{player}) removed from the file", name=name, player=player)
    return tournament.describe(said)


def merge(conn: Conn, player: int, other: int, name: str | None = None) -> Message:
    """Give a player all that another has, who is the same person; what was done, a message.

    Where both have a detail, the first one's stays; the earlier first round and the later
    last round hold. An absence of one gives way to a game of the other. name: which of both
    names stays, the first one's by default.
    """
    if player == other:
        raise KeizerError("a player cannot be merged with themselves.")
    one, two = (_name(conn, who) for who in (player, other))
    if name not in (None, one, two):
        raise KeizerError(
            "“{name}” is neither {one} nor {two}.",
            name=spelling.shortened(name),
            one=one,
            two=two,
        )
    kept, gone = f"{name or one} (#{player})", f"{two} (#{other})"
    for id_, description in _entered(conn, other).items():
        tournament = Tournament(conn, id_)
        check_running(tournament)
        theirs = seated_in(tournament, other)
        both = [number for number in seated_in(tournament, player) if number in theirs]
        if both:
            raise KeizerError(
                "{one} and {two} each have a game or a bye in {rounds} of “{tournament}”: they"
                " cannot be one person, or one of these is wrong.",
                one=kept,
                two=gone,
                rounds=messages.rounds(both),
                tournament=description,
            )
        with suspended(tournament):
            tournament.insert(
                "z_merging", tournament_id=id_, player_id=player, other_id=other
            )
    person = "SELECT * FROM player WHERE id = ?"
    mine, double = (conn.execute(person, (who,)).fetchone() for who in (player, other))
    conn.execute("DELETE FROM player WHERE id = ?", (other,))
    lacking = {key: double[key] for key in roster.DETAILS if mine[key] is None}
    roster.update(conn, "player", lacking | {"name": name or one}, id=player)
    said = say("{other} merged into {player}", other=gone, player=kept)
    journal.describe(conn, said)
    return said


def _entered(conn: Conn, player: int) -> dict[int, str]:
    """The tournaments of a player: id and name."""
    return dict(File(conn).run("entered", player=player))


def _name(conn: Conn, player: int) -> str:
    return str(File(conn).scalar("SELECT name FROM player WHERE id = ?", player))


def seated_in(tournament: Tournament, player: int) -> list[int]:
    """The rounds in which a player has a game or the bye."""
    return tournament.scalars("seated_in", player=player)
