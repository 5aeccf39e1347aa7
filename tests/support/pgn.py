"""PGN, as another program reads it."""

import re
from pathlib import Path

from keizer.exchange import pgn
from keizer.season.queries import Tournament
from keizer.store.database import reading

TAG = re.compile(r'\[([A-Za-z0-9_]+) "((?:[^"\\]|\\["\\])*)"\]')


def read(text: str) -> list[dict[str, str]]:
    """The tags of each game; movetext is a result token alone, blank lines part the two."""
    games: list[dict[str, str]] = []
    sections = text.removesuffix("\n").split("\n\n")
    for headers, moves in zip(sections[::2], sections[1::2], strict=True):
        tags = {}
        for line in headers.split("\n"):
            found = TAG.fullmatch(line)
            assert found and found[1] not in tags, line
            tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        seven, more = [*tags][:7], [*tags][7:]
        assert seven == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
        assert more == sorted(more)
        assert moves == tags["Result"] and moves in ("1-0", "0-1", "1/2-1/2", "*")
        games.append(tags)
    return games


def exported(db: Path, number: int) -> list[dict[str, str]]:
    with reading(db) as conn:
        return read(pgn.export(Tournament(conn, 1), number))
