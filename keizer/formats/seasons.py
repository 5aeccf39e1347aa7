"""Whole seasons that other programs have written, read into a tournament without players."""

import sqlite3
from importlib import import_module
from pathlib import Path

from keizer.formats import facts
from keizer.season import tournaments
from keizer.texts import counted


def read(
    conn: sqlite3.Connection,
    tournament: int,
    file: Path,
    kind: str,
    tell: facts.Tell = facts.silent,
) -> tuple[str, list[str]]:
    """Read a season; what came in, and what is not as it was.

    kind: as `recognise.kind` has it. tell: takes a sentence at each of the two stages.
    Raises KeizerError for a tournament with players, and with the place where something in
    the file cannot be.
    """
    facts.check_empty(conn, tournament)
    remarks: list[str] = []
    module = import_module(f"keizer.formats.{kind}")  # only the one that is needed
    theirs = module.Season(conn, tournament, remarks.append)
    with facts.in_stages(conn, tournament, tell):
        players = theirs.take_over(file)
    theirs.compare()
    rounds, games = tournaments.last_round(conn, tournament), facts.games(conn, tournament)
    came = (counted(players, "player"), counted(rounds, "round"), counted(games, "game"))
    return ", ".join(came), remarks
