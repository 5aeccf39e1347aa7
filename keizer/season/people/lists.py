"""A list of members as it was read, before its lines are matched with players."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from keizer.errors import Faults, KeizerError


class ListedMember(NamedTuple):
    """A line of a list that names a member.

    line: its number. cells: the values of the line, by column of roster.DETAILS and
    merging.ENTRY; a last_round of None takes a withdrawal back.
    may_be_no_member: whether the line may be something else, such as a heading.
    """

    line: int
    name: str
    given: Mapping[str, Any]
    doubt: bool = False


class MemberList(NamedTuple):
    """A list of members, and what is wrong with it.

    unit: the word for a line, such as "line" or "row". faults: line and message.
    columns: the detail that each column of the list is read as; "-" if it is ignored.
    rows: the number of each line, and the texts in its columns.
    """

    unit: str
    listed: list[ListedMember]
    faults: Faults
    columns: Sequence[str] = ()
    rows: Sequence[tuple[int, list[str]]] = ()


def changed_meanwhile() -> KeizerError:
    """Return the error for a list that was read before somebody changed the season."""
    return KeizerError(
        "somebody else has changed the file in the meantime: import the list again."
    )
