"""A list of members as it was read, before anybody knows who is who."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from keizer.errors import Faults, KeizerError


class Listed(NamedTuple):
    """A member in a list.

    given: what the list says, by column of roster.DETAILS and merging.ENTRY. A last_round of None
    takes a withdrawal back. doubt: the line may be no member at all.
    """

    line: int
    name: str
    given: Mapping[str, Any]
    doubt: bool = False


class Members(NamedTuple):
    """A list: what its lines are called, who is in it, what is wrong with it.

    columns: what each is taken for, - for nothing; rows: their cells, by line.
    """

    unit: str
    listed: list[Listed]
    faults: Faults
    columns: Sequence[str] = ()
    rows: Sequence[tuple[int, list[str]]] = ()


def changed_meanwhile() -> KeizerError:
    """Make the error for what was found out of a list, if the season is another by now."""
    return KeizerError("somebody changed the file meanwhile: import the list again.")
