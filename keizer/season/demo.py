"""A demo season to look around in: 24 members, twelve rounds, the last one half played.

It is played as a club's own season is: members are entered and signed off, rounds are
paired, results come in. demo.toml has who stays away and how the games end, so that
the season is the same every time.
"""

import sqlite3
from pathlib import Path
from shlex import quote
from typing import Any

from keizer import resources
from keizer.season import tournaments
from keizer.season.club_night import presence, publication, rounds
from keizer.season.club_night import results as entering
from keizer.season.people import roster
from keizer.season.queries import Conn, Tournament
from keizer.store import database

NAME = "Demo 2025/26"

_FIRST_EVENING = "2025-11-04"
_SEASON = resources.table(__file__, "demo.toml")


def write_demo(path: Path) -> None:
    """Write the demo season into a new file."""
    database.create(path, _play)


def _play(conn: Conn) -> None:
    """Play the whole demo season in a new file: members, twelve rounds, results."""
    conn.row_factory = sqlite3.Row
    tournament = tournaments.add_tournament(conn, NAME)
    tournament.update("rules", {"rematch_gap": 5}, tournament_id=tournament.id)
    ids = _enter_members(tournament)
    evenings = _SEASON["rounds"]
    # Two evenings more than are played, so that the season goes on: one a week.
    last_evening = len(evenings) + 2
    publication.plan_evenings(
        tournament,
        first=_FIRST_EVENING,
        every=7,
        number=last_evening,
        left_out=[],
        put_back=[],
    )
    for number, evening in enumerate(evenings, 1):
        _play_evening(tournament, number, evening, ids)
    # So that the demo shows an absence that is announced for a coming round.
    presence.sign_off(tournament, [ids["Mei Chen"]], rounds=[last_evening])
    # So far, results and rounds have the time at which the demo is written. With the
    # times of the evenings, all demo files are the same.
    tournament.run("set_times_of_results")
    tournament.run("set_times_of_publication")


def _enter_members(tournament: Tournament) -> dict[str, int]:
    """Enter all members, some of whom come seldom; return ids by name.

    The members of one family are not paired with each other.
    """
    ids = {}
    with tournaments.revaluation_suspended(tournament):
        for name, details in _SEASON["members"].items():
            ids[name] = roster.enter(tournament, name, **details)
    for name, evenings in _SEASON["seldom"].items():
        presence.set_default_presence(tournament, [ids[name]], presence.USUAL_ABSENCE)
        presence.sign_on(tournament, [ids[name]], rounds=evenings)
    family = [ids[name] for name in _SEASON["family"]]
    roster.prohibit(tournament, "family", family)
    return ids


def _play_evening(
    tournament: Tournament, number: int, evening: dict[str, Any], ids: dict[str, int]
) -> None:
    """Sign members off, pair the round, and enter its results.

    If somebody withdraws on this evening, they do so after the games.
    evening: the table of demo.toml for this round. ids: player.id by name.
    """
    for kind, names in evening["away"].items():
        away = [ids[name] for name in names]
        presence.sign_off(tournament, away, kind=kind, rounds=[number])
    rounds.next_round(tournament)
    results = evening["results"].split()  # in the order of the boards
    played = [
        (board, result)
        for board, result in enumerate(results, 1)
        if result != "*"  # an open game
    ]
    entering.enter_results(tournament, played, round_number=number)
    if "withdrawn" in evening:
        withdrawn = ids[evening["withdrawn"]]
        roster.withdraw(tournament, withdrawn)


def suggested_commands(path: Path) -> list[str]:
    """Return commands that show what the demo file has, with its path for a shell."""
    file = quote(str(path))
    return [f"keizer {command.format(file=file)}" for command in _SEASON["try"]]
