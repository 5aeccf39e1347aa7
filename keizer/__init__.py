"""Keizer: run a chess club's season on the Keizer system, in one SQLite file.

The rules live in SQL: `schema.sql` holds the facts and what they must obey, `views/`
holds everything that follows from them. This package is the thin layer around it. None
of its parts imports one that stands below it in this list:

    texts     what goes out, with nothing in it that a reader's program obeys
    messages  what keizer says: an English template and its facts
    languages the catalogues of what it says, one for each language beside English
    store     the file: opened, changed in one transaction, proven, kept, brought back
    pairing   who meets whom: rows of view possible_boards in, the best pairing out
    season    what a club's facts are: members, presence, rounds, results, rules
    formats   lists and games as a table, and views as files
    acts      what a person does, each once: for the faces that follow
    club      a season to use from Python: `keizer.Season`
    cli       the `keizer` command

These are the core. Two add-ons stand on it, which a copy may leave out (`addons`):

    exchange  files and messages of other programs and people
    web       the club night in a browser, for a laptop and phones; the club's page
"""

from typing import TYPE_CHECKING

from keizer.errors import DeclinedError, KeizerError

if TYPE_CHECKING:
    from keizer.club import Season

__all__ = ["DeclinedError", "KeizerError", "Season", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load `Season` when it is first used, as commands start faster without it."""
    if name != "Season":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from keizer.club import Season

    return Season
