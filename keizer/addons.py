"""The add-ons: packages without which a season can be run.

    exchange    files and messages of other programs and people; rules found from
                printed standings
    web         the club night in a browser, links of members, the club's page

A copy of keizer may leave each of them out. So the core does not import them: it asks
here whether an add-on is installed, and for its modules.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from keizer.errors import KeizerError

ROOMS = ("exchange", "web")
"""The names of the add-ons: packages in the folder keizer."""


@cache
def has(room: str) -> bool:
    """Return whether this copy of keizer has an add-on.

    An add-on is a package that a copy of keizer may leave out.

    room: its name, "exchange" or "web".
    """
    return find_spec(f"keizer.{room}") is not None


def has_module(module: str) -> bool:
    """Return whether a module can be imported: its add-on may be left out of this copy.

    Modules of the core are always there. module: its name without "keizer.", such as
    "exchange.seasons".
    """
    room = module.partition(".")[0]
    return room not in ROOMS or has(room)


def import_part(module: str) -> ModuleType:
    """Import a module of keizer by its name, and return it.

    Raise KeizerError if it is part of an add-on that this copy of keizer leaves out.

    module: its name without "keizer.", such as "exchange.seasons".
    """
    if not has_module(module):
        raise KeizerError(
            "this belongs to the add-on {room}, which this copy of keizer leaves out.",
            room=module.partition(".")[0],
        )
    return import_module(f"keizer.{module}")
