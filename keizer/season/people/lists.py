"""A list of members as it was read, before anybody knows who is who."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from keizer.errors import Faults, KeizerError


class ListedMember(NamedTuple):
    """A member in a list.

    given: the cells of the line, by column of roster.DETAILS and merging.ENTRY. A
    last_round of None takes a withdrawal back. doubt: whether the line may
    be something else, such as a heading.
    """

    line: int
    name: str
    given: Mapping[str, Any]
    doubt: bool = False


class MemberList(NamedTuple):
    """A list: the members in it, and what is wrong with it.

    unit: what its lines are called. columns: what each column is taken for, - for
    nothing. rows: the cells of each line.
    """

    unit: str
    listed: list[ListedMember]
    faults: Faults
    columns: Sequence[str] = ()
    rows: Sequence[tuple[int, list[str]]] = ()


def changed_meanwhile() -> KeizerError:
    """Return the error for a list that was read before somebody changed the season."""
    return KeizerError("somebody changed the file meanwhile: import the list again.")
