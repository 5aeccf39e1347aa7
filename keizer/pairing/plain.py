"""A round of plain data, as the views of pairing see one in a file."""

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache
from typing import get_args, get_type_hints

from keizer.pairing.facts import Game, Player, Policy
from keizer.store import sql

TABLES = f"""
CREATE TABLE tournament (id INTEGER PRIMARY KEY, status, coming_round);
CREATE TABLE rules (tournament_id INTEGER PRIMARY KEY, {", ".join(Policy._fields)});
CREATE TABLE period (tournament_id, first_round);
CREATE TABLE prohibited_pairing (tournament_id, name, player_id);
CREATE TABLE _bye_had (tournament_id, round_number, player_id);
CREATE TABLE presence (tournament_id, round_number, player_id, name, rank, byes, absence,
  bye_last_round, starts, group_number, score_units);
CREATE TABLE _meeting (tournament_id, round_number, white, black);
CREATE INDEX with_white ON _meeting (tournament_id, white);
CREATE INDEX with_black ON _meeting (tournament_id, black);
"""
"""What the views read, with the columns that they read."""


def position(
    players: Sequence[Player],
    games: Iterable[Game],
    policy: Policy,
    round_number: int,
    period_start: int,
) -> sqlite3.Connection:
    """A database in memory with view possible_boards, and these as tournament 1.

    Raises ValueError for what cannot be.
    """
    _check(policy)
    if not players or len({player.id for player in players}) < len(players):
        raise ValueError("players must be at least one, each named once")
    played = list(games)
    for game in played:
        if game.white == game.black or not 0 < game.round_number < round_number:
            raise ValueError(f"{game} is no game of two players in an earlier round")
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.executescript(_script())
    slots = ", ".join("?" * (1 + len(policy)))
    conn.execute(f"INSERT INTO rules VALUES ({slots})", (1, *policy))
    conn.execute("INSERT INTO tournament VALUES (1, 'running', ?)", (round_number,))
    conn.execute("INSERT INTO period VALUES (1, ?)", (period_start,))
    conn.executemany(
        "INSERT INTO presence VALUES (1, ?, ?, '', ?, ?, NULL, ?, ?, ?, ?)",
        [
            (
                round_number,
                one.id,
                rank,
                one.byes,
                one.bye_last_round,
                one.starts,
                one.group,
                one.score,
            )
            for rank, one in enumerate(players)
        ],
    )
    conn.executemany(
        "INSERT INTO prohibited_pairing VALUES (1, ?, ?)",
        [(name, player.id) for player in players for name in player.prohibited],
    )
    conn.executemany("INSERT INTO _meeting VALUES (1, ?, ?, ?)", played)
    return conn


@cache
def _script() -> str:
    return TABLES + sql.view_script("pairing", ("_present", "_met", "possible_boards"))


def _check(policy: Policy) -> None:
    """Raise ValueError for a word that is none of those that a rule takes."""
    for name, kind in get_type_hints(Policy).items():
        value, words = getattr(policy, name), get_args(kind)
        if any(isinstance(word, str) for word in words):
            if value not in words:
                raise ValueError(f"{name} must be {', '.join(words)}, not {value!r}")
        elif isinstance(value, str):
            raise ValueError(f"{name} must be a whole number, not {value!r}")
