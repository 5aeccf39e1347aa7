"""The add-ons: rooms that a season does without. A copy of keizer may leave each of them out.

    exchange    files and messages of other programs and people; rules found from printed standings
    web         the club night in a browser, links of members, the club's page

The core asks here for what an add-on has, and imports nothing of it.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from keizer.errors import KeizerError

ROOMS = ("exchange", "web")


@cache
def has(room: str) -> bool:
    """Return whether an add-on is there."""
    return find_spec(f"keizer.{room}") is not None


def is_there(module: str) -> bool:
    """Return whether a module is of the core, or of an add-on that is there."""
    room = module.partition(".")[0]
    return room not in ROOMS or has(room)


def part(module: str) -> ModuleType:
    """A module below keizer, as in `exchange.seasons`; KeizerError where its add-on is left out."""
    if not is_there(module):
        raise KeizerError(
            "that is of the add-on {room}, which this copy of keizer leaves out.",
            room=module.partition(".")[0],
        )
    return import_module(f"keizer.{module}")
