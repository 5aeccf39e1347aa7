"""What pages show, as JSON: the rows that the command of the same name prints with --json."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from keizer.acts.declare import DIRECTOR, GUEST, label
from keizer.errors import KeizerError
from keizer.season import members, reports, rules, views
from keizer.season.finding import find_player
from keizer.store import history
from keizer.web.visit import Visit

Read = Callable[..., list[views.Row]] | views.Report
Find = Callable[[Visit], Sequence[views.Row]]


class Report(NamedTuple):
    """Rows for programs. about: what a row is, and what may be asked for."""

    find: Find
    about: str
    rights: int = GUEST


def _after(read: Read, first: int = 0) -> Find:
    """A report after a round, the current one by default; first: 1 of boards."""

    def find(visit: Visit) -> Sequence[views.Row]:
        return read(visit.tournament, visit.round(first))

    return find


def _of(read: Read, *, needed: bool = False) -> Find:
    """The same, of one player where one is asked for."""

    def find(visit: Visit) -> Sequence[views.Row]:
        player = visit.query.number("player")
        if player is None and needed:
            raise KeizerError("“{field}” is missing.", field=label("player"))
        of = () if player is None else (find_player(visit.tournament, player).id,)
        return read(visit.tournament, visit.round(0), *of)

    return find


_SEEN = (
    "tournament_id", "player_id", "number", "name", "category", "rating", "title", "state", "games",
)  # fmt: skip
"""What everybody may know of a member."""


def _players(visit: Visit) -> Sequence[views.Row]:
    if visit.is_director:
        return members.listed(visit.tournament, every=visit.query.flag("all"))
    return [{name: row[name] for name in _SEEN} for row in members.listed(visit.tournament)]


def _rounds(visit: Visit) -> Sequence[views.Row]:
    found = views.scheduled(visit.tournament)
    return [row for row in found if visit.is_director or row["state"] != "draft"]


def _log(visit: Visit) -> Sequence[dict[str, Any]]:
    conn = visit.tournament.conn
    after = history.last(conn, min(visit.query.number("last") or 20, 5000))
    return [
        entry._asdict()
        | {"what": entry.what and str(entry.what), "changes": [*map(str, entry.changes)]}
        for entry in history.entries(conn, after=after)
    ]


REPORTS = {
    "standings": Report(_after(views.standings), "a player after a round; ?round="),
    "pairings": Report(_after(views.pairings, 1), "a board of a round, or the bye; ?round="),
    "explain": Report(
        _of(views.explanation, needed=True), "a line of a player's score; ?player= &round="
    ),
    "order": Report(_of(views.order), "why a player is below the one above; ?round= &player="),
    "card": Report(_of(reports.card, needed=True), "a round of a player; ?player= &round="),
    "players": Report(_players, "a member; the director sees all details, with ?all=1 everybody"),
    "rounds": Report(_rounds, "a round that was paired or has a date"),
    "crosstable": Report(_of(reports.crosstable), "a round of a player; ?round= &player="),
    "progress": Report(_of(reports.progress), "a player after each round; ?round= &player="),
    "head-to-head": Report(_of(reports.head_to_head), "a player and an opponent; ?player= &round="),
    "performance": Report(_of(reports.performance), "a player's performance; ?round= &player="),
    "statistics": Report(_after(reports.statistics), "a line of statistics; ?round="),
    "categories": Report(_after(reports.categories), "a player within a category; ?round="),
    "prizes": Report(_after(reports.prizes), "a prize, and who has won it"),
    "reasons": Report(_after(views.pairing_reasons, 1), "a reason for a board; ?round=", DIRECTOR),
    "presence": Report(
        lambda visit: views.presence(visit.tournament), "a member and the coming round", DIRECTOR
    ),
    "rules": Report(
        lambda visit: [rule._asdict() for rule in rules.listed(visit.tournament)],
        "a rule",
        DIRECTOR,
    ),
    "log": Report(_log, "a command, or what another program changed; ?last=", DIRECTOR),
}
"""By name, as in /standings.json."""
