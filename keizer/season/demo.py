"""A season to look around in: 24 members, twelve rounds, the last one half played.

Everything goes the way a club's own season goes: members are entered and signed
off, `rounds` pairs, results come in. Who stays away and how the games end stands in
demo.toml, so that it is the same season every time.
"""

import sqlite3
from pathlib import Path
from shlex import quote

from keizer import resources
from keizer.season import tournaments
from keizer.season.club_night import presence, publication, rounds
from keizer.season.club_night import results as entering
from keizer.season.people import roster
from keizer.season.queries import Conn, Tournament
from keizer.store import database

NAME = "Demo 2025/26"

_FIRST_EVENING = "2025-11-04"

_SAID = resources.table(__file__, "demo.toml")


def make(path: Path) -> None:
    """Write the season into a new file."""
    database.create(path, _play)


def _play(conn: Conn) -> None:
    conn.row_factory = sqlite3.Row
    tournament = tournaments.add_tournament(conn, NAME)
    tournament.update("rules", {"rematch_gap": 5}, tournament_id=tournament.id)
    ids, evenings = _enter(tournament), _SAID["rounds"]
    # One evening a week, and two more to come.
    publication.lay_evenings(tournament, _FIRST_EVENING, 7, len(evenings) + 2, [], [])
    for number, evening in enumerate(evenings, 1):
        for kind, names in evening["away"].items():
            away = [ids[name] for name in names]
            presence.sign_off(tournament, away, kind=kind, rounds=[number])
        rounds.next_round(tournament)
        results = enumerate(evening["results"].split(), 1)
        played = [(board, result) for board, result in results if result != "*"]
        entering.enter_results(tournament, played, round_number=number)
        if "withdrawn" in evening:
            roster.withdraw(tournament, ids[evening["withdrawn"]])
    presence.sign_off(tournament, [ids["Mei Chen"]], rounds=[len(evenings) + 2])
    # Not the hour in which somebody tries this, or no two files would be the same.
    tournament.run("entered_that_evening")
    tournament.run("published_that_day")


def _enter(tournament: Tournament) -> dict[str, int]:
    """Enter everybody; ids by name."""
    ids = {}
    with tournaments.suspended(tournament):
        for name, about in _SAID["members"].items():
            ids[name] = roster.enter(tournament, name, **about)
    for name, evenings in _SAID["seldom"].items():
        presence.by_default(tournament, [ids[name]], presence.DEFAULT)
        presence.sign_on(tournament, [ids[name]], rounds=evenings)
    roster.prohibit(tournament, "family", [ids[name] for name in _SAID["family"]])
    return ids


def to_try(path: Path) -> list[str]:
    """Commands that show what there is in it, the path as a shell takes it."""
    return [
        f"keizer {command.format(file=quote(str(path)))}" for command in _SAID["try"]
    ]
