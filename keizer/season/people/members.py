"""The persons of a file: listed, corrected, merged if entered twice, removed."""

from collections.abc import Mapping

from keizer import messages
from keizer.errors import KeizerError
from keizer.messages import Message, say
from keizer.season.names import spelling
from keizer.season.people import roster
from keizer.season.queries import Conn, File, Tournament
from keizer.season.tournaments import check_running, revaluation_suspended
from keizer.season.views import Row, rows
from keizer.store.log import journal

COLUMNS = (
    "number", "name", "category", "rating", "title", "fide_id", "national_id",
    "federation", "sex", "born", "start_rank", "start_rating", "first_round",
    "last_round", "absent_as", "state", "games",
)  # fmt: skip
ENTRY = {
    "start_rank": "start_rank",
    "start_rating": "rating",
    "first_round": "first_round",
}
"""The details of a player's entry in a tournament that can be corrected.

The values are their columns in table x_player_tournament. Its column rating is called
start_rating here, since a person has a rating too.
"""


def list_members(
    tournament: Tournament, player: int | None = None, *, whole_file: bool = False
) -> list[Row]:
    """Return the members of a tournament, sorted by name, as rows with COLUMNS.

    player: player.id, to return only this member. whole_file: whether to return also
    the persons of the file who did not enter the tournament; their state is None.
    In a row, rating is the rating of today, start_rating is the rating of the start
    order, and games is the number of games with a result.
    """
    cursor = tournament.run("members", player=player, every=whole_file)
    return sorted(
        rows(cursor), key=lambda row: (spelling.fold(row["name"]), row["number"])
    )


def correct_member(
    tournament: Tournament, player: int, changes: Mapping[str, roster.Detail]
) -> list[Message]:
    """Change what the file has of a player; return messages such as `rating 1 → 2`.

    The message for the log has these changes too.
    changes: the new value of each detail that changes. A detail is `name`, or one of
    roster.DETAILS or ENTRY. None removes a value.
    Raises KeizerError if the new name is refused, or if there is no entry to change.
    """
    conn = tournament.conn
    # The person may have entered only other tournaments of the file.
    (before,) = list_members(tournament, player, whole_file=True)
    # A detail is stored either with the person or with their entry in the tournament.
    person = {}
    entry = {}
    for detail, value in changes.items():
        if detail in ENTRY:
            entry[ENTRY[detail]] = value
        else:
            person[detail] = value
    if "name" in person:
        typed = str(person["name"] or "")
        person["name"] = roster.check_name(conn, typed, renamed_player=player)
    if entry and before["state"] is None:
        raise KeizerError("{name} did not enter this tournament.", name=before["name"])
    # If no detail is stored in one of the two tables, `update` does nothing there.
    roster.update(conn, "player", person, id=player)
    roster.update(
        conn,
        "x_player_tournament",
        entry,
        tournament_id=tournament.id,
        player_id=player,
    )
    (after,) = list_members(tournament, player, whole_file=True)
    changed = messages.differences(before, after, changes)
    if changed:
        tournament.describe("{name}: {changes}", name=before["name"], changes=changed)
    return changed


def remove_member(tournament: Tournament, player: int) -> Message:
    """Remove a player from a tournament; return a message about it.

    A person who is in no other tournament is removed from the file too.
    Raises KeizerError if the player has a game or a bye, or only entered others.
    """
    conn = tournament.conn
    name = _name(conn, player)
    tournaments = _tournaments_of(conn, player)
    if tournaments and tournament.id not in tournaments:
        raise KeizerError(
            "{name} did not enter this tournament, but {tournaments}.",
            name=name,
            tournaments=messages.listed([*tournaments.values()]),
        )
    seats = seated_in(tournament, player)
    if seats:
        raise KeizerError(
            "{name} has a game or a bye in {rounds}, which stays: `keizer withdraw DB"
            " NAME` lets a player go.",
            name=name,
            rounds=messages.rounds(seats),
        )
    with revaluation_suspended(tournament):
        # A trigger of view z_merging deletes the entry of other_id, and the rows that
        # refer to it. Nobody takes them over, as the row has no player_id.
        tournament.insert("z_merging", tournament_id=tournament.id, other_id=player)
    if _tournaments_of(conn, player):
        removed = say(
            "{name} (#{player}) removed from the tournament", name=name, player=player
        )
    else:
        tournament.delete("player", id=player)
        removed = say(
            "{name} (#{player}) removed from the file", name=name, player=player
        )
    return tournament.describe(removed)


def merge_persons(
    conn: Conn, player: int, other: int, name: str | None = None
) -> Message:
    """Merge two persons of the file who are the same one; return a message.

    `player` stays, takes over everything of `other`, and `other` is deleted.
    If both have a detail, that of `player` stays. The earlier first round and the later
    last round hold. If one was absent in a round that the other played, the game stays.
    name: the name that stays, one of the two; by default that of `player`.
    Raises KeizerError if both have a game or a bye in the same round, or if `other` is
    in a tournament that is finished.
    """
    if player == other:
        raise KeizerError("a player cannot be merged with themselves.")
    player_name = _name(conn, player)
    other_name = _name(conn, other)
    if name not in (None, player_name, other_name):
        raise KeizerError(
            "“{name}” is neither {one} nor {two}.",
            name=spelling.shortened(name),
            one=player_name,
            two=other_name,
        )
    name = name or player_name
    retained = f"{name} (#{player})"
    dropped = f"{other_name} (#{other})"
    for id_, description in _tournaments_of(conn, other).items():
        tournament = Tournament(conn, id_)
        check_running(tournament)
        seats = seated_in(tournament, player)
        other_seats = seated_in(tournament, other)
        doubles = [number for number in seats if number in other_seats]
        if doubles:
            raise KeizerError(
                "{one} and {two} each have a game or a bye in {rounds} of"
                " “{tournament}”: they cannot be one person, or one of these is wrong.",
                one=retained,
                two=dropped,
                rounds=messages.rounds(doubles),
                tournament=description,
            )
        with revaluation_suspended(tournament):
            # A trigger of view z_merging gives the games and absences of other_id to
            # player_id, and deletes the entry of other_id.
            tournament.insert(
                "z_merging", tournament_id=id_, player_id=player, other_id=other
            )
    query = "SELECT * FROM player WHERE id = ?"
    details = conn.execute(query, (player,)).fetchone()
    other_details = conn.execute(query, (other,)).fetchone()
    # The other person is deleted before the player takes over their details: the file
    # refuses two players with one FIDE ID or national number.
    conn.execute("DELETE FROM player WHERE id = ?", (other,))
    taken_over = {
        detail: other_details[detail]
        for detail in roster.DETAILS
        if details[detail] is None
    }
    roster.update(conn, "player", taken_over | {"name": name}, id=player)
    merged = say("{other} merged into {player}", other=dropped, player=retained)
    journal.describe(conn, merged)
    return merged


def _tournaments_of(conn: Conn, player: int) -> dict[int, str]:
    """Return the tournaments that a player has entered: name by tournament.id."""
    return dict(File(conn).run("tournaments_of", player=player))


def _name(conn: Conn, player: int) -> str:
    """Return the name of a player."""
    return str(File(conn).scalar("SELECT name FROM player WHERE id = ?", player))


def seated_in(tournament: Tournament, player: int) -> list[int]:
    """Return the numbers of the rounds in which a player has a game or the bye."""
    return tournament.scalars("seated_in", player=player)
