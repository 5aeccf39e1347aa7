"""How a command gets at a tournament: one transaction, to read or to write."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import BinaryIO

from keizer import KeizerError
from keizer.cli import output
from keizer.season import names, publication, roster, tournaments
from keizer.store import connection, database
from keizer.store.atomic import StrPath


@contextmanager
def reading(path: StrPath, tournament: str | None) -> Iterator[tuple[sqlite3.Connection, int]]:
    """The file and the tournament meant, to look at."""
    with database.reading(path) as conn:
        yield conn, tournaments.find_tournament(conn, tournament)


@contextmanager
def writing(
    path: StrPath, tournament: str | None, *, before: str | None = None
) -> Iterator[tuple[sqlite3.Connection, int]]:
    """The file and the tournament meant, to change; its rankings are up to the facts.

    before: what is being done, where a snapshot is to be kept.
    """
    keep = partial(_snapshot, path=path, before=before) if before else None
    with database.writing(path, keep=keep) as conn:
        chosen = tournaments.find_tournament(conn, tournament)
        tournaments.settle(conn)
        yield conn, chosen


def _snapshot(conn: sqlite3.Connection, was: BinaryIO, *, path: StrPath, before: str) -> None:
    """Keep the file as it was; a club night does not wait for a copy that cannot be made."""
    from keizer.store import snapshots

    try:
        snapshots.keep(conn, was, path, f"before {before}")
    except KeizerError as error:
        output.say(f"Warning: {error}", err=True)


def matched(conn: sqlite3.Connection, tournament: int, typed: Iterable[str]) -> dict[int, str]:
    """The players meant, each once: id and name as the file has it."""
    entered = roster.players(conn, tournament)
    found = [names.match(name, entered) for name in typed]
    return {player: entered[player] for player in found}


def tell_unseated(conn: sqlite3.Connection, tournament: int) -> None:
    """Say, beside what a command prints, who has no seat in the draft there is."""
    standing = publication.unseated(conn, tournament)
    if standing:
        output.say(
            f"The pairing is a draft: {publication.have_no_seat(standing)} now."
            f" {publication.SEATS_THEM}",
            err=True,
        )


@contextmanager
def trying(path: StrPath, tournament: str | None) -> Iterator[tuple[sqlite3.Connection, int]]:
    """A copy of the file and the tournament meant, to see what a change would do."""
    with reading(path, tournament) as (conn, chosen), connection.trial(conn) as copy:
        yield copy, chosen
