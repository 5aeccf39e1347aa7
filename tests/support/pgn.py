"""A reader of PGN as another program would be: strict, and without keizer's writer."""

import re
from pathlib import Path

from keizer.exchange import pgn
from keizer.season.queries import Tournament
from keizer.store.database import reading

TAG = re.compile(r'\[([A-Za-z0-9_]+) "((?:[^"\\]|\\["\\])*)"\]')
SEVEN_TAGS = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
"""The Seven Tag Roster, in the order that PGN demands."""


def read(text: str) -> list[dict[str, str]]:
    """Return the tags of each game.

    Movetext is a result token alone, and blank lines part tags and movetext.
    """
    sections = text.removesuffix("\n").split("\n\n")
    games = []
    for headers, moves in zip(sections[::2], sections[1::2], strict=True):
        tags = read_tags(headers)
        assert moves == tags["Result"]
        assert moves in ("1-0", "0-1", "1/2-1/2", "*")
        games.append(tags)
    return games


def read_tags(headers: str) -> dict[str, str]:
    """Return tags by name: the seven first, the others in the order of the alphabet."""
    tags: dict[str, str] = {}
    for line in headers.split("\n"):
        tag = TAG.fullmatch(line)
        assert tag, line
        name, quoted = tag.groups()
        assert name not in tags, line
        tags[name] = re.sub(r"\\(.)", r"\1", quoted)
    names = [*tags]
    assert names[:7] == SEVEN_TAGS
    assert names[7:] == sorted(names[7:])
    return tags


def exported(db: Path, number: int) -> list[dict[str, str]]:
    """Return the tags of each game of a round, as keizer exports it."""
    with reading(db) as conn:
        return read(pgn.export(Tournament(conn, 1), number))
