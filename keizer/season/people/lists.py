"""A list of members as it was read, before its lines are matched with players."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from keizer.errors import Faults, KeizerError


class ListedMember(NamedTuple):
    """A line of a list that names a member.

    line: the number of the line. name: the name of the member.
    given: the other values in the line, by column of roster.DETAILS and merging.ENTRY;
    a last_round of None takes a withdrawal back.
    doubt: whether the line may be something else than a member, such as a heading.
    """

    line: int
    name: str
    given: Mapping[str, Any]
    doubt: bool = False


class MemberList(NamedTuple):
    """A list of members, and what is wrong with it.

    unit: the word for a line in messages, such as "line" or "row".
    listed: the lines that name a member. faults: number of a line and message, for each
    line that could not be understood.
    columns: the detail that each column of the list has, such as "rating"; "-" for a
    column that is ignored.
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
