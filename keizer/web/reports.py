"""What pages show, as JSON: rows by name, for who may see them."""

from collections.abc import Sequence

from keizer.acts.declare import DIRECTOR, GUEST
from keizer.season import lookups, views
from keizer.season.lookups import LOOKUPS
from keizer.season.names.finding import find_player
from keizer.season.people import members
from keizer.web.visit import Visit

_SEEN = (
    "tournament_id", "player_id", "number", "name", "category", "rating", "title", "state", "games",
)  # fmt: skip
"""What everybody may know of a member."""
_OF_DIRECTOR = {"reasons", "presence", "rules", "log"}


def rights(name: str) -> int:
    """Who may ask."""
    return DIRECTOR if name in _OF_DIRECTOR else GUEST


def rows(visit: Visit, name: str) -> Sequence[views.Row]:
    """Read them, as the visit asks; a draft is for the director alone."""
    tournament, query = visit.tournament, visit.query
    if name == "players":
        if visit.is_director:
            return members.list_members(tournament, whole_file=query.flag("all"))
        return [
            {column: row[column] for column in _SEEN}
            for row in members.list_members(tournament)
        ]
    if name == "log":
        return lookups.last_log_entries(
            tournament, min(query.number("last") or 20, 5000)
        )
    lookup = LOOKUPS[name]
    player = query.number("player")
    of = None if player is None else find_player(tournament, player).id
    number = None if lookup.first_round is None else visit.round(lookup.first_round)
    found = lookup.rows(tournament, number, of)
    if name == "rounds" and not visit.is_director:
        return [row for row in found if row["state"] != "draft"]
    return found
