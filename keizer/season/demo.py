"""A season to look around in: 24 members, twelve rounds, the last one half played.

Everything goes the way a club's own season goes: members are entered and signed
off, `rounds` pairs, results come in. Those are drawn by the ratings from a fixed
seed, so that it is the same season every time.
"""

import random
import sqlite3
from datetime import date, timedelta
from pathlib import Path
from shlex import quote

from keizer.season import presence, publication, roster, rounds, tournaments
from keizer.season import results as entering
from keizer.season.queries import Conn, Tournament
from keizer.store import database

NAME = "Demo 2025/26"

_LATE = ("Zoë Carter", 1884, 4)
"""Name, rating and first round of the member who joins in autumn."""
_SELDOM = ("Arjun Mehta", (1, 2, 4, 7, 8, 10, 12))
"""The member who is absent by default, and the rounds for which they signed on."""
_GONE = ("Lars Nielsen", 8)
"""The member who withdraws, and after which round."""

_FIRST_EVENING = date(2025, 11, 4)
_ROUNDS = 12
_LEAGUE = {3: ("Priya Raman", "Amir Haddad"), 7: ("Judit Baker", "Hannah Weiss", "Luca Moretti")}
"""Members who play a league match on the evening of a round."""
_HOLIDAYS = 9
_IN_TOWN = 6
"""So many of the strongest are present between Christmas and New Year: they all met lately."""
_AWAY = 0.09
"""How often a member stays away otherwise."""
_KINDS = ("excused",) * 6 + ("unexcused",)
_NO_SHOW = 6
"""The round in which somebody does not turn up."""


def make(path: Path) -> None:
    """Write the season into a new file."""
    database.create(path, _play)


def _play(conn: Conn) -> None:
    conn.row_factory = sqlite3.Row
    rng = random.Random(10)  # noqa: S311 - a season in which a rule has to give way
    tournament = tournaments.add_tournament(conn, NAME)
    tournament.update("rules", {"rematch_gap": 5}, tournament_id=tournament.id)
    ids = _enter(tournament)
    for number in range(1, _ROUNDS + 3):  # one evening a week, and two more to come
        day = _FIRST_EVENING + timedelta(weeks=number - 1)
        publication.set_date(tournament, number, str(day))
    for number in range(1, _ROUNDS + 1):
        _sign_off(tournament, number, ids, rng)
        rounds.next_round(tournament)
        _results(tournament, number, rng)
        if number == _GONE[1]:
            roster.withdraw(tournament, ids.pop(_GONE[0]))
    presence.sign_off(tournament, [ids["Mei Chen"]], rounds=[_ROUNDS + 2])
    # Not the hour in which somebody tries this, or no two files would be the same.
    conn.execute(
        "UPDATE round SET last_updated = (SELECT date || ' 21:30:00' FROM schedule AS s"
        " WHERE s.round_number = round.round_number) WHERE result IS NOT NULL"
    )
    conn.execute(
        "UPDATE schedule SET published_at = date || ' 18:00:00' WHERE round_number <= ?", (_ROUNDS,)
    )


def _enter(tournament: Tournament) -> dict[str, int]:
    """Enter everybody; ids by name."""
    import tomllib  # init and finish come by here, and do without

    ids = {}
    listed = Path(__file__).with_name("demo.toml").read_text(encoding="utf-8")
    with tournaments.suspended(tournament):
        for category, members in tomllib.loads(listed).items():
            for name, rating in members.items():
                ids[name] = roster.enter(tournament, name, rating=rating, category=category)
        name, rating, first = _LATE
        ids[name] = roster.enter(tournament, name, rating=rating, category="B", from_round=first)
    name, evenings = _SELDOM
    presence.by_default(tournament, [ids[name]], presence.DEFAULT)
    presence.sign_on(tournament, [ids[name]], rounds=evenings)
    roster.prohibit(tournament, "family", [ids["Judit Baker"], ids["Mila Baker"]])
    return ids


def _sign_off(tournament: Tournament, number: int, ids: dict[str, int], rng: random.Random) -> None:
    """Let some stay away: for the club, at home in the holidays, or for once."""
    away = dict.fromkeys(_LEAGUE.get(number, ()), "club duty")
    for place, name in enumerate(ids):
        if place >= _IN_TOWN if number == _HOLIDAYS else rng.random() < _AWAY:
            away.setdefault(name, rng.choice(_KINDS))
    for name, kind in away.items():
        if name != _SELDOM[0] and (name != _LATE[0] or number >= _LATE[2]):
            presence.sign_off(tournament, [ids[name]], kind=kind, rounds=[number])


def _results(tournament: Tournament, number: int, rng: random.Random) -> None:
    """Play a round; of the last one, every other board is still open."""
    games = tournament.conn.execute(
        "SELECT board, black.rating - white.rating FROM round"
        " JOIN player AS white ON white.id = white JOIN player AS black ON black.id = black"
        " WHERE tournament_id = ? AND round_number = ? ORDER BY board",
        (tournament.id, number),
    ).fetchall()
    results: list[tuple[int, str | None]] = []
    for board, weaker in games:
        expected = 1 / (1 + 10 ** ((weaker - 35) / 400))  # 35 for the first move
        drawn = 0.6 * min(expected, 1 - expected)
        odds = (expected - drawn / 2, drawn, 1 - expected - drawn / 2)
        (result,) = rng.choices(("1-0", "½-½", "0-1"), odds)
        if number == _NO_SHOW and board == len(games):
            result = "+-"
        if number < _ROUNDS or board % 2:
            results.append((board, result))
    entering.enter_results(tournament, results, round_number=number)


def to_try(path: Path) -> list[str]:
    """Commands that show what there is in it, the path as a shell takes it."""
    file = quote(str(path))
    return [
        f"keizer standings {file}",
        f'keizer explain {file} "Judit Baker"',
        f"keizer pairings {file} --round {_HOLIDAYS} --why",
        f"keizer result {file} 2 1-0",
        f"keizer next-round {file} --allow-open --dry-run",
        f"keizer rules {file} --preset oppositie --dry-run",
    ]
